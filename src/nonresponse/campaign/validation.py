"""Validate the configuration against its models, and export the JSON Schema for editors."""

import json
import re
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

from nonresponse.campaign import models
from nonresponse.legible import NAME, NAMING, short

# What texts of a pattern are, in words
PATTERNS = {
    models.NAME_OF_FOLDER: "a name of small letters, digits and hyphens",
    models.NOT_BLANK: "a text that is not blank",
    NAME: NAMING,
}
NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")


def parse_integer(digits: str) -> int | float:
    """Return a number of JSON; one that no table has as an integer is a real number."""
    return int(digits) if len(digits) < 19 else float(digits)


def validate(config_as_written: dict) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return a configuration as JSON has it, without the campaigns that violate the models, and the
    key and a sentence of each violation. If anything but campaigns does, there are none."""
    text = json.dumps(config_as_written, default=str)  # a date is text, and so is a path
    if "\\u0000" in text:
        raise ValueError
    config = json.loads(text, parse_int=parse_integer)
    try:
        models.Config.model_validate_json(text)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        if errors[0]["type"] == "json_invalid":
            raise
        faulty = {violation["loc"][:2] for violation in errors}
        confined = all(location[:1] == ("campaigns",) and len(location) == 2 for location in faulty)
        campaigns = config["campaigns"].items() if confined else ()
        sound = {name: options for name, options in campaigns if ("campaigns", name) not in faulty}
        config = config if isinstance(config, dict) else {}
        return config | {"campaigns": sound}, list(dict.fromkeys(map(describe, errors)))
    return config, []


def explain_unfit(model: type[BaseModel], key: str, value: object) -> str:
    """Return why a value is none for a key of a model; "" if it is one."""
    try:
        model.model_validate_json(json.dumps({key: value}, default=str))
    except ValidationError as error:
        for violation in error.errors(include_url=False):
            if violation["loc"][0] == key:
                return ": ".join(describe(violation))
    return ""


def add_defaults(model: type[BaseModel], options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with a copy of each default of the model that they lack."""
    fields = model.model_fields.items()
    defaults = {name: field.get_default() for name, field in fields if not field.is_required()}
    return {name: value for name, value in defaults.items() if value is not None} | options


def describe(error: ErrorDetails) -> tuple[str, str]:
    """Return the key of a violation, and what was found there and what is expected."""
    keys = [str(part) for part in error["loc"] if part not in (*models.FORMS.values(), "[key]")]
    path, value, kind, context = ".".join(keys), error["input"], error["type"], error.get("ctx", {})
    if kind == "missing":
        return ".".join(keys[:-1]), f"the key {keys[-1]} is missing"
    if kind == "extra_forbidden":
        return path, f"unknown key {keys[-1]}{suggest_key(keys[-1])}"
    expected = re.sub(r"^\w+ should (be|have|match) ", "", error["msg"])
    expected = expected.replace("array", "list").replace("an object", "a mapping")
    if kind == "union_tag_invalid":
        expected = context["expected_tags"].replace("'", "").replace(", ", " or ")
    if kind == "string_pattern_mismatch":
        expected = PATTERNS[context["pattern"]]
    return (
        path,
        f"found {short(repr(value), 100)}; expected {expected}{explain_misreading(value, kind)}",
    )


def explain_misreading(value: object, kind: str) -> str:
    """Return a remark if YAML took a word or a number for something else; "" if not."""
    if kind == "string_type" and isinstance(value, bool | int | float):
        return "; put it in quotes"
    if kind == "float_type" and isinstance(value, str) and NUMBER.fullmatch(value):
        return "; YAML wants a point and a sign, as in 1.0e-5"
    return ""


def list_keys() -> list[str]:
    """Return all keys of the configuration, sorted."""
    kinds = [kind for kind in vars(models).values() if isinstance(kind, type)]
    return sorted({name for kind in kinds for name in getattr(kind, "model_fields", ())})


def suggest_key(key: str, *roles: str) -> str:
    """Return a remark on an unknown key: the nearest one, or where all are. `roles` may stand in
    its place, too."""
    return suggest_word(key, [*list_keys(), *roles]) or "; docs/keys.md has all keys"


def suggest_word(word: str, allowed: list[str]) -> str:
    """Return the allowed word that is nearest to a misspelt one, as a remark; "" if none is."""
    from difflib import get_close_matches  # needed only where a word is misspelt

    close = get_close_matches(word[:100], allowed, n=1)
    return f" (did you mean {close[0]}?)" if close and word not in allowed else ""


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
    schema = models.Config.model_json_schema(schema_generator=EditorSchema)
    # Where one is left out, the campaign says it
    for key in schema["$defs"]["Scenario"]["properties"].values():
        key.pop("default", None)
    return {"$schema": EditorSchema.schema_dialect, **schema}
