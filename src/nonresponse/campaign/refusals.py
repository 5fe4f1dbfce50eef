"""The rules on the text of answers, and the lists of phrases that they name."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nonresponse import formats
from nonresponse.faults import quote
from nonresponse.home import HOME
from nonresponse.ingest.files import describe_path

SHIPPED = HOME / "resources/refusals"
KINDS = ("prefixes", "last_line", "contains")
OPTIONS = ("refusals", "failures")
LONGEST = 40_000  # bytes of all phrases: with many more, Polars refuses the pattern


class NotAListError(Exception):
    """Why a list of phrases cannot be read."""


def find_part(campaign: Mapping[str, Any]) -> Any:
    """Return the part of a campaign whose answers rules may look at."""
    return campaign.get("graded") or campaign.get("runs") or {}


def has_rules(campaign: Mapping[str, Any]) -> bool:
    """Return whether rules decide what is an answer."""
    part = find_part(campaign)
    return bool(part) and formats.has_text_rules(part)


def find_problems(campaign: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield unreadable lists, too many phrases, and rules that have nothing to look at."""
    part, graded = find_part(campaign), "graded" in campaign
    readable = [name for name, format in formats.FORMATS.items() if format.has_empty_answers]
    for option in (name for name in OPTIONS if name in part):
        key, rules = f"{'graded' if graded else 'runs'}.{option}", part[option]
        if part.get("layout") == "wide" and "gold" not in part:
            layout = "layout wide without gold, which has verdicts and no answers"
            yield key, f"has no effect in {layout}"
        no_effect = f"has no effect on {part['format']} files"
        if "empty" in rules and not graded and part["format"] not in readable:
            yield f"{key}.empty", f"{no_effect}; it is for {', '.join(readable)}"
        log = formats.LOGS.get(part["format"])
        if "empty" in rules and log and log.empty_is_state:
            yield f"{key}.empty", f"{no_effect}, in which an empty answer is none"
        try:
            if len(json.dumps(expand_lists(rules)).encode()) > LONGEST:
                yield key, f"its phrases take more than {LONGEST:,} bytes; shorten the lists"
        except NotAListError as error:
            yield f"{key}.lists", str(error)


def expand_lists(rules: dict) -> dict:
    """Return the rules with the phrases of their lists after their own, each phrase once."""
    lists = [read_phrases(name) for name in rules.get("lists", [])]
    expanded = {name: value for name, value in rules.items() if name != "lists"}
    for kind in KINDS:
        phrases = [phrase for source in (rules, *lists) for phrase in source.get(kind, [])]
        expanded |= {kind: list(dict.fromkeys(phrases))} if phrases else {}
    return expanded


def read_phrases(name: str) -> dict[str, list[str]]:
    """Return the phrases of a shipped list, or of a file, by kind. NotAListError if it is none."""
    import yaml

    shipped = sorted(path.stem for path in SHIPPED.glob("*.yaml"))
    path = SHIPPED / f"{name}.yaml" if name in shipped else Path(name)
    try:
        # To read a pipe or a device might never end
        if path.exists() and (kind := describe_path(str(path))):
            raise NotAListError(f"{quote(name)} is {kind}")
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        problem = f"is no shipped list ({', '.join(shipped)}), and no file ({reason})"
        raise NotAListError(f"{quote(name)} {problem}") from None
    try:
        phrases = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        problem = "is not YAML, or has too many brackets within brackets"
        raise NotAListError(f"{quote(name)} {problem}") from None
    if not isinstance(phrases, dict) or not phrases or not all(map(is_list, phrases.items())):
        needed = f"needs one or several of {', '.join(KINDS)}, each a list of phrases"
        raise NotAListError(f"{quote(name)} {needed}")
    return phrases


def is_list(item: tuple[Any, Any]) -> bool:
    """Return whether a key and its value are a kind of rule and a list of phrases."""
    kind, phrases = item
    return (
        kind in KINDS
        and isinstance(phrases, list)
        and all(isinstance(phrase, str) and phrase.strip() for phrase in phrases)
    )
