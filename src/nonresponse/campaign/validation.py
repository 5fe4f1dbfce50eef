"""Validate the configuration against its models, a sentence for each violation; export the JSON
Schema for editors."""

import datetime
import json
import re
from difflib import get_close_matches
from functools import cache
from typing import Any, NoReturn

from pydantic import TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import ErrorDetails

from nonresponse.campaign.keys import Place, allowed_values, follow, forms_of, keys_of
from nonresponse.campaign.models import Config
from nonresponse.faults import shown

# What is expected, by pydantic's type of error; our own errors say it themselves.
EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping, with a key on each line",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
    "string_too_short": "text that is not empty",
    "string_too_long": "at most {max_length} characters",
    "too_short": "at least {min_length} of them",
    "too_long": "at most {max_length} of them",
}
# Keys that are no longer understood, and what is instead.
GONE = {
    "accept_all": "the run is called accept-all, by `names` if not by its table",
    "answers": "write labels",
    "against": "a margin is to the baseline",
    "bins": "bins of the difference are .01 wide",
    "blocks": "one job per measure does all",
    "count": "write the measure n_unscored, n_error or n_not_asked",
    "exchanges": "the p of a single pair follows from its interval",
    "flips": "there are half as many as `samples`",
    "fuzziness": "it is .01 to .1",
    "failed_judgments": "they are left out, and bounds say what they could change",
    "filter": "write it after the metric, as in exact_match,strict-match",
    "gigabytes": "write the number, as in unpacked: 16",
    "ratio": "it grows with `unpacked`",
    "scorer": "write metric",
    "size": "250 questions, or half of fewer than 500",
    "size_trials": "there are a tenth of `trials`",
    "sizes": "up to 250 sizes are tried",
    "suffixes": "write last_line",
    "swap_trials": "there are ten times `trials`",
    "width": "bins of the difference are .01 wide",
    "groups": "write systems",
    "participants": "the leaderboard has all runs; `systems` compares those of one owner",
    "pooled": "R and good show that a question has an answer",
    "reject_all": "the run is called reject-all, by `names` if not by its table",
    "history": "keep the leaderboard.csv of each evaluation, such as in git",
}
NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?")


def as_json(config: dict) -> dict:
    """Return a copy as JSON has it: keys are text, 21.0 is 21; ValueError for what JSON cannot
    hold, such as .nan."""

    def number(text: str) -> int | float:
        value = float(text)
        # Beyond, no table has the integer
        return int(value) if value.is_integer() and abs(value) < 2**53 else value

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
    return json.loads(
        text, parse_float=number, parse_int=whole, parse_constant=no_number, object_pairs_hook=once
    )


@cache
def validator() -> TypeAdapter:
    """Return what validates a configuration, built once."""
    return TypeAdapter(Config)


def validate(written: object) -> tuple[dict[str, Any], list[str]]:
    """Return a configuration with its defaults, empty if it violates the models; and a sentence per
    violation."""
    try:
        return as_written(validator().validate_python(written), written), []
    except ValidationError as error:
        return {}, list(dict.fromkeys(map(describe, error.errors(include_url=False))))


def as_written(value: Any, written: Any) -> Any:
    """Return a validated value with what was written in it as it was: pydantic makes 8 a real
    number."""
    if not isinstance(value, dict):
        return written
    return {
        key: as_written(one, written[key]) if key in written else one for key, one in value.items()
    }


def describe(error: ErrorDetails) -> str:
    """Return one line on a violation: which key, what was found, what is allowed."""
    place = follow(error["loc"])
    key, found, kind = ".".join(place.keys) or "the file", error["input"], error["type"]
    if kind == "extra_forbidden":
        return describe_unknown(place)
    if kind == "missing":
        return f"{'.'.join(place.keys[:-1]) or 'the file'}: the key {place.keys[-1]} is missing"
    if kind == "literal_error":
        allowed = [str(word) for word in allowed_values(place.type)]
        expected = did_you_mean(str(found), allowed) or f"; expected one of {', '.join(allowed)}"
        return f"{key}: found {brief(found)}{expected}"
    if kind == "string_pattern_mismatch":
        return f"{key}: found {brief(found)}; expected {place.description}"
    if kind.startswith("union_tag"):
        expected = " or ".join(forms_of(place.type))
    else:
        bounds = {
            name: f"{bound:g}" if isinstance(bound, float) else f"{bound:,}"
            for name, bound in error.get("ctx", {}).items()
            if isinstance(bound, int | float)
        }
        expected = EXPECTED[kind].format(**bounds) if kind in EXPECTED else error["msg"]
    meaning = f" (this is {place.description})" if place.description not in ("", expected) else ""
    return f"{key}: found {brief(found)}; expected {expected}{in_other_words(found, kind)}{meaning}"


def describe_unknown(place: Place) -> str:
    """Return one line on a key that does not exist."""
    *above, name = place.keys
    allowed = list(keys_of(place.type))
    hint = did_you_mean(name, allowed) or f"; allowed are {', '.join(allowed)}"
    return f"{'.'.join(above) or 'the file'}: unknown key {name}{hint}"


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
    """Return what replaced a word, or the allowed word that is nearest to a misspelt one, as a
    remark; else ""."""
    if word in GONE:
        return f", which is gone: {GONE[word]}"
    close = get_close_matches(word[:100], allowed, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


class ForEditors(GenerateJsonSchema):
    """JSON Schema without titles, which only repeat the keys."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return that no key has a title."""
        return False


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration."""
    schema = validator().json_schema(schema_generator=ForEditors)
    # Where one is left out, the campaign says it
    for key in schema["$defs"]["Scenario"]["properties"].values():
        key.pop("default", None)
    return {"$schema": ForEditors.schema_dialect, **schema}
