"""The values of the configuration: as JSON has them, against the schema, with its defaults; imports nothing heavy."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from nonresponse import formats, tasks
from nonresponse.config import options
from nonresponse.faults import shown
from nonresponse.reliability.analyses import ANALYSES

if TYPE_CHECKING:
    from jsonschema import ValidationError

# Former keys, and why they are gone.
GONE = {
    "reliability.subsets": "a trial draws one subset of the questions for all pairs of runs",
    "reliability.tests": "all pairs of runs together are tested by max-t",
    "reliability.deals": "the randomised Tukey HSD, whose trials it counted, is gone",
    "reliability.blocks": "all trials of a measure are counted by one job, in seconds",
}
FORMER = {"groups": "participants"}  # former names of keys of a campaign, which still work
NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")


def plain(config: dict) -> dict:
    """A copy as JSON has it: keys are text, 21.0 is 21; ValueError for what JSON cannot hold, such as .nan."""

    def number(text: str) -> int | float:
        value = float(text)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value  # beyond, no table has the integer

    def whole(text: str) -> int | float:
        return int(text) if len(text) < 19 else number(text)

    def no_number(text: str) -> NoReturn:
        raise ValueError(f"{text} is not a finite number")

    def date(value: object) -> str:
        if type(value) is datetime.date:
            return value.isoformat()
        raise ValueError(f"{brief(value)} is neither text nor a number; put it in quotes")

    def once(pairs: list[tuple]) -> dict:
        keys = [key for key, _ in pairs]
        if len(set(keys)) < len(keys):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise ValueError(f"the key {shown(twice)} twice, as text and as a number")
        return dict(pairs)

    text = json.dumps(config, default=date, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError('a lone surrogate, such as "\\ud800", is not text') from None
    return json.loads(text, parse_float=number, parse_int=whole, parse_constant=no_number, object_pairs_hook=once)


def read_schema(file: Path) -> dict:
    """The schema of the configuration, with what follows from the records of tasks, formats and analyses."""
    import yaml

    quick = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    schema = yaml.load(Path(file).read_text(encoding="utf-8"), Loader=quick)
    schema["$defs"]["task"]["enum"] = list(tasks.NAMES)
    schema["$defs"]["format"]["enum"] = list(formats.FORMATS)
    schema["$defs"]["graded"]["properties"]["format"]["enum"] = formats.in_part("graded")
    counted = schema["$defs"]["counted"]["properties"]
    counted["format"]["enum"] = formats.in_part("counts")
    counted["columns"]["propertyNames"] = {"enum": ["run", *options.COUNTED]}
    alike = schema["$defs"]["alike"]["properties"]
    for part in ("runs", "judgments", "graded"):
        own = schema["$defs"][part]["properties"]
        own |= {name: value for name, value in alike.items() if name not in own}
    counted |= {name: alike[name] for name in ("run", *formats.SHAPE, "quoted")}
    for part in ("runs", "judgments"):
        columns = [option.removeprefix("columns.") for option in formats.options(part) if option.startswith("columns.")]
        schema["$defs"][part]["properties"]["columns"]["propertyNames"] = {"enum": columns}
    reliability = schema["$defs"]["reliability"]["properties"]
    reliability["analyses"] |= {"items": {"enum": list(ANALYSES)}, "default": list(ANALYSES)}
    return schema


def problems(config: dict, schema: dict) -> Iterator[str]:
    """A sentence for each violation, in the order of the keys."""
    from jsonschema import Draft202012Validator

    errors = Draft202012Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda error: [str(part) for part in error.absolute_path]):
        for one in meant(error):
            yield from unknown_keys(one) if one.validator == "additionalProperties" else [sentence(one)]


def meant(error: ValidationError) -> Iterator[ValidationError]:
    """If a value may have several forms, the errors of the form that was meant, by its type; else the error itself."""
    forms = [form for form in error.context or () if form.validator != "type" or form.path]
    for form in forms:
        yield from meant(form)
    if not forms:
        yield error


def fill_defaults(value: object, schema: dict, root: dict) -> None:
    """Defaults of the schema's properties, written into the configuration."""
    if "$ref" in schema:
        schema = {**root["$defs"][schema["$ref"].rsplit("/", 1)[1]], **schema}
    if not isinstance(value, dict):
        return
    for name, sub in schema.get("properties", {}).items():
        if "default" in sub:
            value.setdefault(name, sub["default"])
        if name in value:
            fill_defaults(value[name], sub, root)
    if isinstance(schema.get("additionalProperties"), dict):
        for name in value.keys() - schema.get("properties", {}).keys():
            fill_defaults(value[name], schema["additionalProperties"], root)


def key_of(error: ValidationError) -> str:
    return ".".join(str(part) for part in error.absolute_path) or "the file"


def unknown_keys(error: ValidationError) -> Iterator[str]:
    """A line for each key that is gone, and one for all keys that never existed."""
    key, allowed = key_of(error), list(error.schema["properties"])
    hints: dict[str, str] = {}
    for name in sorted(set(error.instance) - set(allowed)):
        place = f"{key.rpartition('.')[2]}.{name}"
        if place in GONE:
            yield f"{key}.{name}: is no longer a key, since {GONE[place]}; leave it out"
        elif FORMER.get(name) in error.instance:
            yield f"{key}.{name}: is the former name of {FORMER[name]}, which is there, too; leave it out"
        else:
            hints[name] = did_you_mean(name, allowed)
    if hints:
        every = "" if all(hints.values()) else f"; allowed are {', '.join(allowed)}"
        yield f"{key}: unknown key {', '.join(name + hint for name, hint in hints.items())}{every}"


def sentence(error: ValidationError) -> str:
    """One line on one violation: which key, what was found, what is allowed."""
    key, what = key_of(error), error.schema.get("description")
    if error.validator == "enum":
        allowed = [str(word) for word in error.validator_value]
        hint = did_you_mean(str(error.instance), allowed) or f" {', '.join(allowed)}"
        return f"{key}: {brief(error.instance)} is none of the allowed values{hint}"
    if error.validator == "pattern":
        return f"{key}: found {brief(error.instance)}; expected {what}"
    if error.validator == "maxLength":
        return f"{key}: {brief(error.instance)} is longer than {error.validator_value} characters"
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return f"{key}: the key {', '.join(missing)} is missing"
    if error.validator == "anyOf":
        types = " or ".join(str(form.validator_value) for form in error.context)
        return f"{key}: {brief(error.instance)} is not of type {types}" + (f" (this is {what})" if what else "")
    hint = in_other_words(error.instance, error.validator_value) if error.validator == "type" else ""
    text = error.message.replace(repr(error.instance), brief(error.instance), 1)
    return f"{key}: {text}{hint}" + (f" (this is {what})" if what else "")


def brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:99]}…"


def in_other_words(value: object, wanted: object) -> str:
    """A remark if YAML took a word or a number for something else."""
    if wanted == "string" and isinstance(value, bool | int | float):
        return "; put it in quotes"
    if wanted == "number" and isinstance(value, str) and NUMBER.fullmatch(value):
        return "; YAML wants a point and a sign, as in 1.0e-5"
    return ""


def did_you_mean(word: str, allowed: list[str]) -> str:
    """The allowed word that is nearest to a misspelt one, as a remark; empty where none is near."""
    close = get_close_matches(word, allowed, n=1)
    return f" (did you mean {close[0]}?)" if close else ""
