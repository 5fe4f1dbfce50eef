"""`format: squad2`: predictions for SQuAD 2.0, judged by its data file as its own script does (docs/logs.md)."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonresponse.faults import OWN_BLOCK, Fault, shown
from nonresponse.formats import logs
from nonresponse.formats.declared import Found
from nonresponse.formats.json_pieces import elements_of, value_of
from nonresponse.formats.logs import Log, Sample, Statement, at, mean, number, records, said, text
from nonresponse.formats.text import Faults, stem, there
from nonresponse.settings import Files

if TYPE_CHECKING:
    import polars as pl

ARTICLES = re.compile(r"\b(a|an|the)\b")
PUNCTUATION = str.maketrans("", "", string.punctuation)
HAS, NONE = "HasAns", "NoAns"
NEVER = 1.0  # a threshold that no probability exceeds


def files_of(path: str, options: Files) -> list[str]:
    """The predictions, the key, and the probabilities, without missing files."""
    named = [path, options.get("key"), probabilities_of(path, options)]
    return [file for file in named if file and there(file)]


def probabilities_of(path: str, options: Files) -> str | None:
    """The file that `na_prob:` names for this run; null where there is no such option."""
    return str(options["na_prob"]).replace("{run}", stem(path)) if "na_prob" in options else None


def read_log(path: str, options: Files) -> Log:
    """A response per question of the key; one without a prediction is missing."""
    faults = Faults(path)
    if "key" not in options:
        return Log([], [], [Fault(path, 0, "no key", "`key:` in config.yaml, the data file of SQuAD 2.0")])
    answer = ("an object of question ids and answers, as evaluate-v2.0.py takes", "answer", "text; empty for none")
    given = by_question(path, options, faults, lambda value: isinstance(value, str), *answer)
    right: dict[str, list[str]] = {}
    for line, article in elements_of(key := str(options["key"]), ("data",), options, faults):
        of_article(key, line, article, right, faults)
    if not right and not faults:
        faults.append(Fault(key, 0, "no questions", "the data file of SQuAD 2.0"))
    file, threshold = probabilities_of(path, options), float(options.get("threshold", NEVER))
    chance = ("an object of question ids and probabilities", "probability", "a number from 0 to 1")
    likely = by_question(file, options, faults, is_share, *chance) if file else {}
    for id in given.keys() - right.keys():
        faults.add(0, f"the question {shown(id)}", "a question of the key")
    if file and (lacking := sorted(given.keys() - likely.keys())):
        faults.append(Fault(file, 0, f"no probability for question {shown(lacking[0])}", "one for each prediction"))
    if faults:
        return Log([], [], faults)
    run, samples, exact = stem(path), [], []
    for place, (id, golds) in enumerate(right.items(), start=1):
        category, gold = (HAS, golds[0]) if golds else (NONE, "")
        if id not in given:
            samples.append(Sample(place, run, id, "unanswered", 1, None, category, None, gold, True))
            continue
        answer = given[id]
        none = not normalised(answer) or likely.get(id, 0.0) > threshold
        correct = not none and normalised(answer) in {normalised(gold) for gold in golds}
        verdict = "unanswered" if none else "correct" if correct else "wrong"
        confidence = 1 - likely[id] if id in likely and not none else None
        response = (place, run, id, verdict, 1, confidence, category, said(answer), gold)
        samples.append(Sample(*response, target=gold or None))
        exact.append(float(correct or (none and not golds)))
    share, absent = mean(exact), len(right) - len(given)
    notes = tuple(logs.without(absent, len(right)))
    recomputed, why = None if share is None else 100 * share, "predictions state no score"
    return Log(samples, [Statement(run, "exact", None, recomputed, None, why, notes)], faults)


def normalised(answer: str) -> str:
    """As evaluate-v2.0.py compares: small letters, no punctuation, no articles, single blanks."""
    return " ".join(ARTICLES.sub(" ", answer.lower().translate(PUNCTUATION)).split())


def read_questions(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """The questions of the data file: whether they have an answer, and the article, which is their cluster."""
    import polars as pl

    rows, faults = [], list[Fault]()
    for line, article in elements_of(file, ("data",), options, faults):
        asked: dict[str, list[str]] = {}
        of_article(file, line, article, asked, [])
        title = text(at(article, "title"))
        rows += [(line, id, bool(golds), HAS if golds else NONE, title) for id, golds in asked.items()]
    columns = {"line": pl.Int64, "question": pl.String, "has_answer": pl.Boolean, "category": pl.String}
    return pl.DataFrame(rows, columns | {"cluster": pl.String}, orient="row"), faults


def by_question(
    file: str, options: Files, faults: list[Fault], fits: Callable, whole: str, what: str, expected: str
) -> dict[str, Any]:
    """The value that a file has for each question; a value that does not fit is a fault, and left out."""
    before, value = len(faults), value_of(file, options, faults)
    if not isinstance(value, dict):
        faults += [Fault(file, 0, shown(value), whole)] * (len(faults) == before)
        return {}
    wrong = [(id, one) for id, one in value.items() if not (fits(one) and text(id))]
    faults += [Fault(file, 0, f"the {what} {shown(one)} to question {shown(id)}", expected) for id, one in wrong]
    return {str(text(id)): one for id, one in value.items() if fits(one)}


def is_share(value: object) -> bool:
    given = number(value)
    return given is not None and 0 <= given <= 1


def part_of(value: dict) -> str | None:
    """For look.py: whether an object is the key, predictions or probabilities; null for any other."""
    if any("paragraphs" in article for article in records(value.get("data"))):
        return "key"
    if value and all(isinstance(answer, str) for answer in value.values()):
        return "predictions"
    likely = all(is_share(one) and not isinstance(one, bool) for one in value.values())
    return "probabilities" if value and likely else None


def together(parts: Mapping[str, dict[str, dict]]) -> list[Found | Fault]:
    """For look.py: predictions with the key and the no-answer probabilities for their questions, of objects by part."""
    keys, likely = parts.get("key", {}), parts.get("probabilities", {})
    asked = {path: questions_of(value) for path, value in keys.items()}
    found, beside = list[Found | Fault](), dict[str, str]()
    for path, given in parts.get("predictions", {}).items():
        key = next((file for file, ids in asked.items() if given.keys() <= ids), None)
        if key is None:
            what = "an object of texts, which would be predictions for SQuAD 2.0"
            found.append(Fault(path, 0, what, "the data file with all of its questions beside it"))
            continue
        options, undecided = {"key": key}, tuple[str, ...]()
        fitting = [file for file, shares in likely.items() if given.keys() <= shares.keys()]
        own = [file for file in fitting if stem(path) in stem(file)]
        if file := next(iter(own or fitting), None):
            template = str(Path(file).with_name(Path(file).name.replace(stem(path), "{run}"))) if own else file
            options["na_prob"] = template
            undecided = ("above which probability there is no answer: here 1, so that none counts (`threshold:`)",)
            beside[file] = "probabilities that there is no answer, read with the predictions"
        beside[key] = "the data file of SQuAD 2.0, read with the predictions"
        why = f"an object of texts, whose questions are those of {key}"
        found.append(Found(path, options, why, undecided, beside))
    predictions = "predictions for its questions beside it"
    either = f"{predictions}, or `keyed:` in {OWN_BLOCK} if they say what is right"
    alone = {
        "key": ("the data file of SQuAD 2.0", predictions),
        "probabilities": ("an object of numbers from 0 to 1", either),
    }
    for part, (what, expected) in alone.items():
        found += [Fault(file, 0, what, expected) for file in parts.get(part, {}) if file not in beside]
    return found


def questions_of(value: dict) -> set[str]:
    """The questions of a key."""
    asked: dict[str, list[str]] = {}
    for article in records(value.get("data")):
        of_article("", 0, article, asked, [])
    return {*asked}


def of_article(file: str, line: int, article: object, asked: dict[str, list[str]], faults: list[Fault]) -> None:
    """Adds the questions of an article with their right answers, an empty list for an impossible question."""
    for question in (one for part in records(at(article, "paragraphs")) for one in records(at(part, "qas"))):
        id = text(at(question, "id"))
        if id is None or id in asked:
            problem = "a question without an id" if id is None else f"a second question {shown(id)}"
            faults.append(Fault(file, line, problem, "the data file of SQuAD 2.0"))
            continue
        golds = [gold for one in records(at(question, "answers")) if (gold := text(at(one, "text")))]
        asked[id] = [gold for gold in golds if normalised(gold)]
