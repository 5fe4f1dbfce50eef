"""The block of docs/keys.md that has every key of the configuration in its place."""

import json
import re
from collections.abc import Iterator

import pytest
import yaml
from conftest import HOME
from every_record import assert_a_line_each
from nonresponse.campaign import validation
from nonresponse.statistics.analyses import ANALYSES

SCHEMA = validation.json_schema()
PAGE = (HOME / "docs/keys.md").read_text(encoding="utf-8")


@pytest.fixture
def block() -> dict:
    [text] = re.findall(r"^```yaml every key\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return yaml.safe_load(text)


def resolved(part: dict) -> dict:
    """A part of the schema; of several forms, the one with keys of its own."""
    if "$ref" in part:
        part = SCHEMA["$defs"][part["$ref"].rsplit("/", 1)[1]] | {key: part[key] for key in part if key != "$ref"}
    forms = [resolved(form) for form in part.get("oneOf", [])]
    return next((form for form in forms if "properties" in form), part)


def keys(part: dict, at: tuple = ()) -> Iterator[tuple]:
    """The place of every key that the schema knows; * stands for names of the user's own."""
    part = resolved(part)
    if at == ("campaigns", "*", "reliability"):
        return  # those of the whole configuration
    names = dict(part.get("properties", {})) | {key: {} for key in part.get("propertyNames", {}).get("enum", [])}
    for name, inside in names.items():
        yield (*at, name)
        yield from keys(inside, (*at, name))
    [inside] = part.get("patternProperties", {"": part.get("additionalProperties")}).values()
    if isinstance(inside, dict) and "properties" in resolved(inside):
        yield from keys(inside, (*at, "*"))


def has(value: object, place: tuple) -> bool:
    """Whether a value has a key at this place."""
    if not place:
        return True
    first, *rest = place
    inside = list(value.values()) if first == "*" and isinstance(value, dict) else []
    if first != "*" and isinstance(value, dict) and first in value:
        inside = [value[first]]
    return any(has(one, tuple(rest)) for one in inside)


def test_every_key_of_the_schema_is_in_the_block(block):
    known = list(keys(SCHEMA))
    assert ("campaigns", "*", "graded", "columns", "verdict") in known and ("unpacked", "ratio") in known
    assert [place for place in known if not has(block, place)] == []


def test_the_block_has_every_analysis(block):
    assert_a_line_each(ANALYSES, block["reliability"]["analyses"], "`analyses:` of docs/keys.md")


def test_the_block_has_no_other_keys_and_values_that_are_allowed(block):
    assert validation.validate(validation.as_json(block))[1] == []


def test_every_key_is_described():
    """Columns are called as the formats tell."""
    for name, part in SCHEMA["$defs"].items():
        for key, declared in part["properties"].items():
            assert "description" in declared or name.endswith("Columns"), (name, key)


def test_the_schema_for_editors_is_up_to_date():
    """As `python -m nonresponse.campaign > docs/config.schema.json` writes it."""
    assert json.loads((HOME / "docs/config.schema.json").read_text(encoding="utf-8")) == SCHEMA
