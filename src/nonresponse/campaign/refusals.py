"""The rules on the text of answers, and the lists of phrases, YAML files, that they name; imports
nothing heavy."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nonresponse import formats
from nonresponse.faults import shown
from nonresponse.home import HOME
from nonresponse.ingest.files import what_is

SHIPPED = HOME / "resources/refusals"
KINDS = ("prefixes", "last_line", "contains")
OPTIONS = ("refusals", "failures")
LONGEST = 40_000  # bytes of all phrases: with many more, Polars refuses the pattern
LARGEST = 1_000_000  # bytes of a list


class NotAListError(Exception):
    """Why a list of phrases cannot be read."""


def part_of(campaign: Mapping[str, Any]) -> Any:
    """Return the part of a campaign whose answers rules may look at."""
    return campaign.get("graded") or campaign.get("runs") or {}


def has_rules(campaign: Mapping[str, Any]) -> bool:
    """Return whether rules decide what is an answer."""
    part = part_of(campaign)
    return bool(part) and formats.ruled(part)


def problems(key: str, campaign: Mapping[str, Any]) -> Iterator[str]:
    """Yield lists that cannot be read, phrases that are too long together, and rules that have
    nothing to look at."""
    part, place = part_of(campaign), "graded" if "graded" in campaign else "runs"
    for option in OPTIONS:
        if option in part:
            yield from problems_of(f"{key}.{place}.{option}", part[option], campaign)


def problems_of(key: str, rules: dict, campaign: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the rules of one option."""
    part = part_of(campaign)
    if part.get("layout") == "wide" and "gold" not in part:
        yield f"{key}: has no effect in layout wide without gold, which has verdicts and no answers"
    states = [name for name, log in formats.LOGS.items() if log.empty_is_state]
    having = [name for name, format in formats.FORMATS.items() if format.has_empty_answers]
    if "empty" in rules and "graded" not in campaign and part["format"] not in having:
        yield f"{key}.empty: has no effect on {part['format']} files; it is for {', '.join(having)}"
    if "empty" in rules and part["format"] in states:
        yield (
            f"{key}.empty: has no effect on {part['format']} files, in which an empty answer "
            "is none"
        )
    try:
        expanded = with_lists(rules)
    except NotAListError as error:
        yield f"{key}.lists: {error}"
        return
    if len(json.dumps(expanded).encode()) > LONGEST:
        yield f"{key}: its phrases take more than {LONGEST:,} bytes, more than a pattern can hold"


def with_lists(rules: dict) -> dict:
    """Return the rules with the phrases of their lists after their own, each phrase once, and
    without `lists`."""
    lists = [phrases_of(name) for name in rules.get("lists", [])]
    expanded = {name: value for name, value in rules.items() if name != "lists"}
    for kind in KINDS:
        phrases = [phrase for source in (rules, *lists) for phrase in source.get(kind, [])]
        expanded |= {kind: list(dict.fromkeys(phrases))} if phrases else {}
    return expanded


def phrases_of(name: str) -> dict[str, list[str]]:
    import yaml

    shipped = sorted(path.stem for path in SHIPPED.glob("*.yaml"))
    path = SHIPPED / f"{name}.yaml" if name in shipped else Path(name)
    try:
        # To read a pipe or a device might never end
        if path.exists() and (kind := what_is(str(path))):
            raise NotAListError(f"{shown(name)} is {kind}")
        if path.exists() and path.stat().st_size > LARGEST:
            raise NotAListError(f"{shown(name)} has more than {LARGEST:,} bytes")
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise NotAListError(
            f"{shown(name)} is no shipped list ({', '.join(shipped)}), and no file ({why})"
        ) from None
    try:
        phrases = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise NotAListError(
            f"{shown(name)} is not YAML, or has too many brackets within brackets"
        ) from None
    lists = phrases.values() if isinstance(phrases, dict) and phrases.keys() <= {*KINDS} else []
    fit = [
        isinstance(one, list) and all(isinstance(text, str) and text.strip() for text in one)
        for one in lists
    ]
    if not fit or not all(fit):
        raise NotAListError(
            f"{shown(name)} needs one or several of {', '.join(KINDS)}, each a list of phrases"
        )
    return phrases
