"""Validate the configuration against its models, a sentence for each violation; export the JSON
Schema for editors."""

import datetime
import json
import math
import re
from collections import Counter
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

from nonresponse.campaign.models import Config
from nonresponse.faults import quote

# What is expected, by pydantic's type of error; our own errors say it themselves.
EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "list_type": "a list",
    **dict.fromkeys(("dict_type", "model_type"), "a mapping, with a key on each line"),
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "string_too_short": "text that is not empty",
    "string_too_long": "at most {max_length} characters",
    "too_short": "at least {min_length} of them",
    "too_long": "at most {max_length} of them",
}
FORMS = {"string": "text", "array": "a list", "object": "a mapping"}  # by JSON type
SURROGATE = re.compile("[\ud800-\udfff]")
NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")


def as_json(value: Any, path: str, problems: list[tuple[str, str]]) -> Any:
    """Return a value as JSON has it: keys are text, 21.0 is 21, a date is its text. What JSON
    cannot hold is a problem."""
    if isinstance(value, dict):
        texts = {key: key if isinstance(key, str) else json.dumps(key) for key in value}
        for key in sorted(key for key, number in Counter(texts.values()).items() if number > 1):
            problems.append((path, f"the key {quote(key)} twice, as text and as a number"))
        for key in filter(SURROGATE.search, texts.values()):
            problems.append((path, f"found the key {quote(key)}, a lone surrogate; expected text"))
        return {
            texts[key]: as_json(part, f"{path}.{texts[key]}".lstrip("."), problems)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [as_json(part, f"{path}.{index}", problems) for index, part in enumerate(value)]
    if isinstance(value, float) or (type(value) is int and abs(value) >= 10**18):
        try:
            real = float(value)
        except OverflowError:
            real = math.inf
        # Beyond, no table has the integer
        return int(real) if real.is_integer() and abs(real) < 2**53 else real
    if type(value) is datetime.date:
        return value.isoformat()
    if isinstance(value, str) and SURROGATE.search(value):
        problems.append((path, f"found {brief(value)}, a lone surrogate; expected text"))
    elif not isinstance(value, str | int | None):
        problems.append((path, f"{brief(value)} is neither text nor a number; put it in quotes"))
    return value


def validate(written: dict) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return a configuration as JSON has it, without the campaigns that violate the models, and the
    key and a sentence of each violation. If anything but campaigns does, there are none."""
    problems = list[tuple[str, str]]()
    config = as_json(written, "", problems)
    if problems:
        return {"campaigns": {}}, problems
    try:
        Config.model_validate_json(json.dumps(config))
    except ValidationError as error:
        errors = error.errors(include_url=False)
        if errors[0]["type"] == "json_invalid":
            raise RecursionError from None
        faulty = {one["loc"][:2] for one in errors}
        of_campaigns = all(where[:1] == ("campaigns",) and len(where) == 2 for where in faulty)
        campaigns = config["campaigns"].items() if of_campaigns else ()
        sound = {name: own for name, own in campaigns if ("campaigns", name) not in faulty}
        problems = list(dict.fromkeys(map(describe, errors)))
        return (config if isinstance(config, dict) else {}) | {"campaigns": sound}, problems
    return config, []


def with_defaults(model: type[BaseModel], written: dict[str, Any]) -> dict[str, Any]:
    """Return what is written, and a copy of the default of each key of the model that is not."""
    fields = {name: one for name, one in model.model_fields.items() if not one.is_required()}
    known = {name: field.get_default() for name, field in fields.items()}
    return {name: value for name, value in known.items() if value is not None} | written


def describe(error: ErrorDetails) -> tuple[str, str]:
    """Return the key of a violation, and what was found there and what is allowed."""
    keys, schema = follow(error["loc"])
    path, above = ".".join(keys), ".".join(keys[:-1])
    found, kind, meaning = error["input"], error["type"], schema.get("description", "")
    if kind == "missing":
        return above, f"the key {keys[-1]} is missing"
    if kind == "extra_forbidden":
        return path, f"unknown key {keys[-1]}{instead(keys[-1], [*schema['properties']])}"
    if kind == "literal_error":
        words = schema.get("enum") or [schema["const"]]
        allowed = [json.dumps(word).strip('"') for word in words]
        several = "one of " * (len(allowed) > 1)
        hint = did_you_mean(str(found), allowed) or f"; expected {several}{', '.join(allowed)}"
        return path, f"found {brief(found)}{hint}"
    if kind == "string_pattern_mismatch":
        expected, meaning = meaning, ""
    elif kind.startswith("union_tag"):
        types = (resolved(form).get("type", "string") for form in schema["oneOf"])
        expected = " or ".join(FORMS.get(one, "a number") for one in types)
    else:
        bounds = {
            name: f"{bound:g}" if isinstance(bound, float) else f"{bound:,}"
            for name, bound in error.get("ctx", {}).items()
            if isinstance(bound, int | float)
        }
        expected = EXPECTED.get(kind, error["msg"]).format(**bounds)
    more = f" (this is {meaning})" if meaning else ""
    return path, f"found {brief(found)}; expected {expected}{in_other_words(found, kind)}{more}"


def follow(location: tuple[int | str, ...]) -> tuple[list[str], dict[str, Any]]:
    """Return the keys that lead to where pydantic found an error, and the JSON Schema there; of an
    unknown key, that of the mapping."""
    keys, schema, above = list[str](), json_schema(), dict[str, Any]()
    for part in location:
        if part == "[key]":  # the error is in the key itself
            return keys, above["propertyNames"]
        if forms := schema.get("oneOf"):
            of_type = {resolved(form).get("type", "string"): form for form in forms}
            form = resolved(of_type.get(part) or of_type["integer"])
            schema = form | {"description": form.get("description", schema.get("description", ""))}
            continue
        keys.append(str(part))
        above, inside = schema, schema.get("additionalProperties") or schema.get("items")
        inside = inside or next(iter(schema.get("patternProperties", {}).values()), None)
        schema = resolved(schema.get("properties", {}).get(part) or inside or schema)
    return keys, schema


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with what it refers to; its own description wins."""
    if "$ref" not in schema:
        return schema
    return json_schema()["$defs"][schema["$ref"].rpartition("/")[2]] | {"description": ""} | schema


def brief(value: object) -> str:
    """Return a value as Python writes it, cut."""
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:99]}…"


def in_other_words(value: object, kind: str) -> str:
    """Return a remark if YAML took a word or a number for something else; "" if not."""
    if kind == "string_type" and isinstance(value, bool | int | float):
        return "; put it in quotes"
    if kind == "float_type" and isinstance(value, str) and NUMBER.fullmatch(value):
        return "; YAML wants a point and a sign, as in 1.0e-5"
    return ""


def did_you_mean(word: str, allowed: list[str]) -> str:
    """Return the allowed word that is nearest to a misspelt one, as a remark; "" if none is."""
    from difflib import get_close_matches  # needed only where a word is misspelt

    close = get_close_matches(word[:100], allowed, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def instead(word: str, allowed: list[str]) -> str:
    """Return a remark on an unknown word: the nearest of the allowed ones, or all of them."""
    return did_you_mean(word, allowed) or f"; allowed are {', '.join(allowed)}"


class ForEditors(GenerateJsonSchema):
    """JSON Schema without titles, which only repeat the keys, and without null as a default."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return that no key has a title."""
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """Return the schema of a key that may be left out."""
        inside = schema if schema.get("default") is not None else schema["schema"]
        return super().default_schema(inside) if inside is schema else self.generate_inner(inside)


@cache
def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration."""
    schema = Config.model_json_schema(schema_generator=ForEditors)
    # Where one is left out, the campaign says it
    for key in schema["$defs"]["Scenario"]["properties"].values():
        key.pop("default", None)
    return {"$schema": ForEditors.schema_dialect, **schema}
