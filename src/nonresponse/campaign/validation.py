"""Validate the configuration against its models, and export the JSON Schema for editors."""

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


def to_json(value: Any, path: str, problems: list[tuple[str, str]]) -> Any:
    """Return a value as JSON has it: 21.0 is 21, a date is text. What JSON lacks is a problem."""
    if isinstance(value, dict):
        texts = {key: key if isinstance(key, str) else json.dumps(key) for key in value}
        for key in sorted(key for key, number in Counter(texts.values()).items() if number > 1):
            problems.append((path, f"the key {quote(key)} twice, as text and as a number"))
        for key in filter(SURROGATE.search, texts.values()):
            problems.append((path, f"found the key {quote(key)}, a lone surrogate; expected text"))
        return {
            texts[key]: to_json(part, f"{path}.{texts[key]}".lstrip("."), problems)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [to_json(part, f"{path}.{index}", problems) for index, part in enumerate(value)]
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
        problems.append((path, f"found {shorten(value)}, a lone surrogate; expected text"))
    elif not isinstance(value, str | int | None):
        problems.append((path, f"{shorten(value)} is neither text nor a number; put it in quotes"))
    return value


def validate(config_as_written: dict) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return a configuration as JSON has it, without the campaigns that violate the models, and the
    key and a sentence of each violation. If anything but campaigns does, there are none."""
    problems = list[tuple[str, str]]()
    config = to_json(config_as_written, "", problems)
    if problems:
        return {"campaigns": {}}, problems
    try:
        Config.model_validate_json(json.dumps(config))
    except ValidationError as error:
        errors = error.errors(include_url=False)
        if errors[0]["type"] == "json_invalid":
            raise RecursionError from None
        faulty = {violation["loc"][:2] for violation in errors}
        confined = all(location[:1] == ("campaigns",) and len(location) == 2 for location in faulty)
        campaigns = config["campaigns"].items() if confined else ()
        sound = {name: options for name, options in campaigns if ("campaigns", name) not in faulty}
        config = config if isinstance(config, dict) else {}
        return config | {"campaigns": sound}, list(dict.fromkeys(map(describe, errors)))
    return config, []


def add_defaults(model: type[BaseModel], options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with a copy of each default of the model that they lack."""
    fields = model.model_fields.items()
    defaults = {name: field.get_default() for name, field in fields if not field.is_required()}
    return {name: value for name, value in defaults.items() if value is not None} | options


def describe(error: ErrorDetails) -> tuple[str, str]:
    """Return the key of a violation, and what was found there and what is allowed."""
    keys, schema = follow(error["loc"])
    path, parent = ".".join(keys), ".".join(keys[:-1])
    value, kind, meaning = error["input"], error["type"], schema.get("description", "")
    if kind == "missing":
        return parent, f"the key {keys[-1]} is missing"
    if kind == "extra_forbidden":
        return path, f"unknown key {keys[-1]}{suggest_words(keys[-1], [*schema['properties']])}"
    if kind == "literal_error":
        words = schema.get("enum") or [schema["const"]]
        allowed = [json.dumps(word).strip('"') for word in words]
        choice = "one of " * (len(allowed) > 1)
        hint = suggest_word(str(value), allowed) or f"; expected {choice}{', '.join(allowed)}"
        return path, f"found {shorten(value)}{hint}"
    if kind == "string_pattern_mismatch":
        expected, meaning = meaning, ""
    elif kind.startswith("union_tag"):
        types = (resolve(form).get("type", "string") for form in schema["oneOf"])
        expected = " or ".join(FORMS.get(json_type, "a number") for json_type in types)
    else:
        bounds = {
            name: f"{bound:g}" if isinstance(bound, float) else f"{bound:,}"
            for name, bound in error.get("ctx", {}).items()
            if isinstance(bound, int | float)
        }
        expected = EXPECTED.get(kind, error["msg"]).format(**bounds)
    remark = explain_misreading(value, kind) + (f" ({meaning})" if meaning else "")
    return path, f"found {shorten(value)}; expected {expected}{remark}"


def follow(location: tuple[int | str, ...]) -> tuple[list[str], dict[str, Any]]:
    """Return the keys that lead to where pydantic found an error, and the JSON Schema there."""
    keys, schema, parent = list[str](), make_json_schema(), dict[str, Any]()
    for part in location:
        if part == "[key]":  # the error is in the key itself
            return keys, parent["propertyNames"]
        if forms := schema.get("oneOf"):
            forms_by_type = {resolve(form).get("type", "string"): form for form in forms}
            form = resolve(forms_by_type.get(part) or forms_by_type["integer"])
            schema = form | {"description": form.get("description", schema.get("description", ""))}
            continue
        keys.append(str(part))
        parent, entry = schema, schema.get("additionalProperties") or schema.get("items")
        entry = entry or next(iter(schema.get("patternProperties", {}).values()), None)
        schema = resolve(schema.get("properties", {}).get(part) or entry or schema)
    return keys, schema


def resolve(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with what it refers to; its own description wins."""
    if "$ref" not in schema:
        return schema
    definition = make_json_schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    return definition | {"description": ""} | schema


def shorten(value: object) -> str:
    """Return a value as Python writes it, cut."""
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:99]}…"


def explain_misreading(value: object, kind: str) -> str:
    """Return a remark if YAML took a word or a number for something else; "" if not."""
    if kind == "string_type" and isinstance(value, bool | int | float):
        return "; put it in quotes"
    if kind == "float_type" and isinstance(value, str) and NUMBER.fullmatch(value):
        return "; YAML wants a point and a sign, as in 1.0e-5"
    return ""


def suggest_word(word: str, allowed: list[str]) -> str:
    """Return the allowed word that is nearest to a misspelt one, as a remark; "" if none is."""
    from difflib import get_close_matches  # needed only where a word is misspelt

    close = get_close_matches(word[:100], allowed, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def suggest_words(word: str, allowed: list[str]) -> str:
    """Return a remark on an unknown word: the nearest of the allowed ones, or all of them."""
    return suggest_word(word, allowed) or f"; allowed are {', '.join(allowed)}"


class EditorSchema(GenerateJsonSchema):
    """JSON Schema without titles, which only repeat the keys, and without null as a default."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return that no key has a title."""
        return False

    def default_schema(self, schema: Any) -> dict[str, Any]:
        """Return the schema of a key that may be left out."""
        inside = schema if schema.get("default") is not None else schema["schema"]
        return super().default_schema(inside) if inside is schema else self.generate_inner(inside)


@cache
def make_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration."""
    schema = Config.model_json_schema(schema_generator=EditorSchema)
    # Where one is left out, the campaign says it
    for key in schema["$defs"]["Scenario"]["properties"].values():
        key.pop("default", None)
    return {"$schema": EditorSchema.schema_dialect, **schema}
