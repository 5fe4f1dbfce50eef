"""`format: squad2`: predictions for SQuAD 2.0, judged by its data file as its own script does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonresponse.faults import Fault, quote
from nonresponse.formats.declared import RIGHT_OR_WRONG, RULE_OPTIONS, VERDICT_WORDS, LogMatch, Spec
from nonresponse.formats.json_pieces import read_array, read_value
from nonresponse.formats.logs import (
    dig,
    get_number,
    get_text,
    list_objects,
    normalise_squad,
    note_missing_questions,
)
from nonresponse.formats.text import get_stem, is_file
from nonresponse.settings import Files

if TYPE_CHECKING:
    import polars as pl

HAS, NONE = "HasAns", "NoAns"
NEVER = 1.0  # a threshold that no probability exceeds
KEY = "the data file of SQuAD 2.0"
TEXTS = "an object of question ids and texts, empty for no answer, as evaluate-v2.0.py takes"
SHARES = "an object of question ids and probabilities from 0 to 1"


def files_read_with(path: str, options: Files) -> list[str]:
    """Return the key and the probabilities, without missing files."""
    named = (options.get("key"), probabilities_of(path, options))
    return [file for file in named if file and is_file(file)]


def probabilities_of(path: str, options: Files) -> str | None:
    """Return the file that `na_prob:` names for this run; null where there is no such option."""
    return (
        str(options["na_prob"]).replace("{run}", get_stem(path)) if "na_prob" in options else None
    )


def predictions(reading: Any, found: object) -> Iterator[tuple[int, dict]]:
    """Yield a response per question of the key; one without a prediction is missing."""
    path, options, faults = reading.path, reading.options, reading.faults
    if "key" not in options:
        faults.add(0, "no key", f"`key:` in config.yaml, {KEY}")
        return
    given = by_question(path, options, faults, TEXTS, lambda value: isinstance(value, str))
    right: dict[str, list[str]] = {}
    for line, article in read_array(key := str(options["key"]), ("data",), options, faults):
        for id, golds in of_article(article):
            if id is None or id in right:
                again = f"a second question {quote(id)}" if id else "a question without an id"
                faults.append(Fault(key, line, again, KEY))
            else:
                right[id] = golds
    if not right and not faults:
        faults.append(Fault(key, 0, "no questions", KEY))
    file, threshold = probabilities_of(path, options), float(options.get("threshold", NEVER))
    likely = by_question(file, options, faults, SHARES, is_share) if file else {}
    for id in sorted(given.keys() - right.keys()):
        faults.add(0, f"the question {quote(id)}", "a question of the key")
    if file and (lost := sorted(given.keys() - likely.keys())):
        lacking = f"no probability for question {quote(lost[0])}"
        faults.append(Fault(file, 0, lacking, "one for each prediction"))
    for position, (id, golds) in enumerate(right.items() if not faults else (), start=1):
        none = not normalise_squad(given.get(id, "")) or likely.get(id, 0.0) > threshold
        correct = not none and normalise_squad(given[id]) in map(normalise_squad, golds)
        own = {
            "id": id,
            "type": HAS if golds else NONE,
            "gold": golds[0] if golds else "",
            "scores": {"": "unanswered" if none else "correct" if correct else "wrong"},
            "missing": id not in given,
            "confidence": 1 - likely[id] if id in likely and not none else None,
            "answer": given.get(id),
            "worth": 100.0 * (correct or (none and not golds)) if id in given else None,
        }
        yield position, own
    reading.notes += note_missing_questions(len(right.keys() - given.keys()), len(right))


def by_question(
    file: str, options: Files, faults: list[Fault], expected: str, fits: Callable
) -> dict[str, Any]:
    """Return the value of each question in a file; one that does not fit is a fault."""
    before, value = len(faults), read_value(file, options, faults)
    each = value if isinstance(value, dict) else {}
    if value is not each and len(faults) == before:
        faults.append(Fault(file, 0, quote(value), expected))
    kept = {id: one for id, one in each.items() if get_text(id) and fits(one)}
    unfit = (f"{quote(each[id])} for question {quote(id)}" for id in each if id not in kept)
    faults += [Fault(file, 0, found, expected) for found in unfit]
    return {str(get_text(id)): one for id, one in kept.items()}


def is_share(value: object) -> bool:
    given = get_number(value)
    return given is not None and 0 <= given <= 1


def of_article(article: object) -> Iterator[tuple[str | None, list[str]]]:
    """Yield the questions of an article with their gold answers, none for an impossible one."""
    parts = list_objects(dig(article, "paragraphs"))
    for question in (one for part in parts for one in list_objects(part.get("qas"))):
        golds = [get_text(one.get("text")) for one in list_objects(question.get("answers"))]
        yield (
            get_text(question.get("id")),
            [gold for gold in golds if gold and normalise_squad(gold)],
        )


def read_questions(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Read the questions of the data file: whether they have an answer, and their article."""
    import polars as pl

    faults = list[Fault]()
    rows = {
        id: (line, id, bool(golds), HAS if golds else NONE, get_text(dig(article, "title")))
        for line, article in read_array(file, ("data",), options, faults)
        for id, golds in of_article(article)
        if id
    }
    types = {"line": pl.Int64, "question": pl.String, "has_answer": pl.Boolean}
    types |= {"category": pl.String, "cluster": pl.String}
    return pl.DataFrame([*rows.values()], types, orient="row"), faults


def part_of(value: dict) -> str | None:
    """Return whether an object is the key, predictions or probabilities; null for any other."""
    if any("paragraphs" in article for article in list_objects(value.get("data"))):
        return "key"
    if value and all(isinstance(answer, str) for answer in value.values()):
        return "predictions"
    likely = all(is_share(one) and not isinstance(one, bool) for one in value.values())
    return "probabilities" if value and likely else None


def together(parts: Mapping[str, dict[str, dict]]) -> list[LogMatch | Fault]:
    """Return predictions with the key and probabilities of their questions, and faults."""
    found, used = list[LogMatch | Fault](), set[str]()
    keys = {
        file: {id for article in list_objects(value.get("data")) for id, _ in of_article(article)}
        for file, value in parts.get("key", {}).items()
    }
    for path, given in parts.get("predictions", {}).items():
        key = next((file for file, asked in keys.items() if given.keys() <= asked), None)
        if key is None:
            continue
        options, shares = {"key": key}, parts.get("probabilities", {}).items()
        beside = {key: "the data file of SQuAD 2.0, read with the predictions"}
        likely = [file for file, each in shares if given.keys() <= each.keys()]
        likely.sort(
            key=lambda file: get_stem(path) not in get_stem(file)
        )  # the run's own come first
        for file in likely[:1]:
            options["na_prob"] = str(
                Path(file).with_name(Path(file).name.replace(get_stem(path), "{run}"))
            )
            beside[file] = "probabilities that there is no answer, read with the predictions"
        why = f"an object of texts, whose questions are those of {key}"
        found.append(LogMatch(path, options, why, beside))
        used |= {path, *beside}
    expected = "predictions for SQuAD 2.0 beside the data file with all of their questions"
    for part, files in parts.items():
        what = f"an object that may be the {part} of SQuAD 2.0"
        found += [Fault(file, 0, what, expected) for file in files if file not in used]
    return found


SPEC = Spec(
    "squad2",
    "predictions for SQuAD 2.0, an object of question ids and answers",
    (*RIGHT_OR_WRONG, "unanswered"),
    options=("key", "na_prob", "threshold", *RULE_OPTIONS),
    questions="key",
    tells=("scores",),
    needs_options=("na_prob",),
    empty_is_state=True,
    unanswerable=True,
    blind="an empty prediction is one left unanswered, though the system may have broken down",
    list_more_files=files_read_with,
    records=predictions,
    builds_records=True,
    task=("type",),
    option="",
    words=VERDICT_WORDS,
    target=("gold",),
    measure="exact",
    unstated="predictions state no score",
    read_questions=read_questions,
    part_of=part_of,
    match_files=together,
)
