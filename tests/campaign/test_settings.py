"""The types of the configuration name what its schema has, no more and no less.

So an option or a setting that is misspelled anywhere in scripts/ is an error of mypy.
"""

from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from nonresponse import settings
from nonresponse.campaign.validation import json_schema

DEFINED = json_schema()["$defs"]
# What nonresponse.campaign adds to a campaign, and to the part of it that is read.
ADDED = {"aliases", "attributes", "measures_named", "names_from"}
OF_CHECK = {"judgment_files", "owned", "size"}  # what the check is told beside options
ADDED_TO_FILES = {"file", "may_be_empty", "names", "names_from", "nil", "unpacked", "vote", "years"}


def named(*parts: str) -> set[str]:
    return {name for part in parts for name in DEFINED[part]["properties"]}


def test_the_options_of_a_campaign_are_those_of_the_schema():
    assert {*settings.Options.__annotations__} == named("Campaign") | ADDED | OF_CHECK


def test_the_options_of_its_files_are_those_of_the_schema():
    of_parts = named("Runs", "Judgments", "Graded", "Counts")
    assert {*settings.Files.__annotations__} == of_parts | ADDED_TO_FILES


def test_the_settings_of_the_analyses_are_those_of_the_schema():
    assert {*settings.Reliability.__annotations__} == named("Reliability") | {"seed"}


KINDS = {"string": str, "boolean": bool, "integer": int, "number": float, "array": list, "object": dict}
COMPLETED = {"questions": {dict}}  # what is an object once the configuration is complete


def in_schema(part: dict) -> set[type]:
    """The types of a value that the schema allows, whatever is in it."""
    if "$ref" in part:
        return in_schema(DEFINED[part["$ref"].rsplit("/", 1)[1]])
    if forms := part.get("anyOf", part.get("oneOf")):
        return {kind for form in forms for kind in in_schema(form)}
    if "type" not in part:
        return {type(value) for value in part.get("enum", [part.get("const")])}
    return {KINDS[kind] for kind in [part["type"]] * isinstance(part["type"], str) or part["type"] if kind != "null"}


def in_hint(hint: object) -> set[type]:
    """The types of a value by its annotation, whatever is in it."""
    forms = get_args(hint) if isinstance(hint, UnionType) else [hint]
    return {dict if is_typeddict(form) else get_origin(form) or form for form in forms} - {NoneType}


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        (settings.Options, ["Campaign"]),
        (settings.Files, ["Runs", "Judgments", "Graded", "Counts"]),
        (settings.Reliability, ["Reliability"]),
    ],
)
def test_the_types_are_those_of_the_schema(typed, parts):
    hints, allowed = get_type_hints(typed), {}
    for name, part in (item for of in parts for item in DEFINED[of]["properties"].items()):
        allowed.setdefault(name, set()).update(in_schema(part))
    known = {name: kinds for name, kinds in (allowed | COMPLETED).items() if hints.get(name, Any) is not Any}
    assert {name: in_hint(hints[name]) for name in known} == known
