"""`format: squad2`: predictions for SQuAD 2.0, judged by its data file as its own script does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from nonresponse.faults import Fault, quote
from nonresponse.formats.declared import RULE_OPTIONS, VERDICT_WORDS, Spec
from nonresponse.formats.json_pieces import read_array, read_value
from nonresponse.formats.logs import (
    get_number,
    get_text,
    list_objects,
    normalise_squad,
    note_missing_questions,
)
from nonresponse.formats.text import get_ending, get_stem, is_file
from nonresponse.settings import Files

if TYPE_CHECKING:
    import polars as pl

HAS_ANSWER, NO_ANSWER = "HasAns", "NoAns"
NO_THRESHOLD = 1.0  # a threshold that no probability exceeds
KEY = "the data file of SQuAD 2.0"
TEXTS = "an object of question ids and texts, empty for no answer, as evaluate-v2.0.py takes"
SHARES = "an object of question ids and probabilities from 0 to 1"


def list_files(path: str, options: Files) -> list[str]:
    """Return the key and the probabilities, without missing files."""
    files = (options.get("key"), find_probabilities(path, options))
    return [file for file in files if file and is_file(file)]


def find_probabilities(path: str, options: Files) -> str | None:
    """Return the file that `na_prob:` names for this run; null where there is no such option."""
    if "na_prob" not in options:
        return None
    return str(options["na_prob"]).replace("{run}", get_stem(path))


def read_predictions(reading: Any, records: object) -> Iterator[tuple[int, dict]]:
    """Yield a response per question of the key; one without a prediction is missing."""
    path, options, faults = reading.path, reading.options, reading.faults
    if "key" not in options:
        faults.add(0, "no key", f"`key:` in config.yaml, {KEY}")
        return
    answers = read_by_question(path, options, faults, TEXTS, lambda value: isinstance(value, str))
    key_golds: dict[str, list[str]] = {}
    for line, id, golds, _ in read_key(key_file := str(options["key"]), options, faults):
        if id is None or id in key_golds:
            found = f"a second question {quote(id)}" if id else "a question without an id"
            faults.append(Fault(key_file, line, found, KEY))
        else:
            key_golds[id] = golds
    if not key_golds and not faults:
        faults.append(Fault(key_file, 0, "no questions", KEY))
    threshold = float(options.get("threshold", NO_THRESHOLD))
    probabilities: dict[str, float] = {}
    if probability_file := find_probabilities(path, options):
        probabilities = read_by_question(probability_file, options, faults, SHARES, is_share)
    for id in sorted(answers.keys() - key_golds.keys()):
        faults.add(0, f"the question {quote(id)}", "a question of the key")
    if probability_file and (missing := sorted(answers.keys() - probabilities.keys())):
        found = f"no probability for question {quote(missing[0])}"
        faults.append(Fault(probability_file, 0, found, "one for each prediction"))
    for position, (id, golds) in enumerate(key_golds.items() if not faults else (), start=1):
        is_empty = not normalise_squad(answers.get(id, ""))
        abstained = is_empty or probabilities.get(id, 0.0) > threshold
        correct = not abstained and normalise_squad(answers[id]) in map(normalise_squad, golds)
        yield (
            position,
            {
                "id": id,
                "type": HAS_ANSWER if golds else NO_ANSWER,
                "gold": golds[0] if golds else "",
                "scores": {"": "unanswered" if abstained else "correct" if correct else "wrong"},
                "missing": id not in answers,
                "confidence": None
                if abstained or id not in probabilities
                else 1 - probabilities[id],
                "answer": answers.get(id),
                "worth": 100.0 * (correct or (abstained and not golds)) if id in answers else None,
            },
        )
    reading.notes += note_missing_questions(len(key_golds.keys() - answers.keys()), len(key_golds))


def read_by_question(
    file: str, options: Files, faults: list[Fault], expected: str, is_fit: Callable
) -> dict[str, Any]:
    """Return the value of each question in a file; one that does not fit is a fault."""
    fault_count, value = len(faults), read_value(file, options, faults)
    if not isinstance(value, dict):
        if len(faults) == fault_count:
            faults.append(Fault(file, 0, quote(value), expected))
        return {}
    values = {}
    for name, content in value.items():
        if (id := get_text(name)) and is_fit(content):
            values[id] = content
        else:
            faults.append(Fault(file, 0, f"{quote(content)} for question {quote(name)}", expected))
    return values


def is_share(value: object) -> bool:
    number = get_number(value)
    return number is not None and 0 <= number <= 1


def read_key(
    file: str, options: Files, faults: list[Fault]
) -> Iterator[tuple[int, str | None, list[str], str | None]]:
    """Yield line, id, gold answers (none if it is impossible) and article of each question."""
    for line, article in read_array(file, ("data",), options, faults):
        parts = list_objects(article, "paragraphs")
        for question in chain.from_iterable(list_objects(part, "qas") for part in parts):
            texts = [get_text(answer, "text") for answer in list_objects(question, "answers")]
            golds = [text for text in texts if text and normalise_squad(text)]
            yield line, get_text(question, "id"), golds, get_text(article, "title")


def read_questions(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Read the questions of the data file: whether they have an answer, and their article."""
    import polars as pl

    faults = list[Fault]()
    rows = {
        id: (line, id, bool(golds), HAS_ANSWER if golds else NO_ANSWER, title)
        for line, id, golds, title in read_key(file, options, faults)
        if id
    }
    types = {"line": pl.Int64, "question": pl.String, "has_answer": pl.Boolean}
    types |= {"category": pl.String, "cluster": pl.String}
    return pl.DataFrame([*rows.values()], types, orient="row"), faults


def read_question_ids(file: str) -> set[str]:
    """Return the questions of a data file; none of any other file."""
    questions = read_key(file, {}, []) if get_ending(file) == ".json" else ()
    return {id for _, id, *_ in questions if id}


SPEC = Spec(
    "squad2",
    "predictions for SQuAD 2.0, an object of question ids and answers",
    ("unanswered",),
    options=("key", "na_prob", "threshold", *RULE_OPTIONS),
    questions="key",
    tells=("scores",),
    needs_options=("na_prob",),
    empty_is_state=True,
    unanswerable=True,
    limitation="an empty prediction counts as unanswered, even if the system failed",
    list_more_files=list_files,
    records=read_predictions,
    builds_records=True,
    task=("type",),
    option="",
    words=VERDICT_WORDS,
    target=("gold",),
    measure="exact",
    unstated="predictions state no score",
    read_questions=read_questions,
    read_question_ids=read_question_ids,
    holds_texts=True,
)
