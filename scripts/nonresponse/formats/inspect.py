"""`format: inspect`: logs of Inspect, .eval and .json (docs/formats.md)."""

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import archives, json_pieces
from nonresponse.formats.logs import (
    Log,
    Sample,
    Statement,
    at,
    finite,
    joined,
    mean_of_means,
    number,
    records,
    said,
    text,
    verdict_of,
    whole,
)
from nonresponse.formats.text import UNPACKED, read_bytes
from nonresponse.wording import plural

LETTERS = {"C": "correct", "I": "wrong", "P": "partial", "N": "unanswered"}
VALUES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # what the mean of Inspect takes them for
GRADES = {"correct": "correct", "incorrect": "wrong", "not_attempted": "unanswered"}  # SimpleQA, a number for each
YES = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
ABSTAINED = ("refusal", "no_response", "invalid_response_format")  # reasons of a score
JUDGE_FAILED = ("grader_failed", "scoring_failed")
NO_GRADE = "Grade not found in model output"  # how an older scorer explains the "I" of a failed judge
GRADE = {True: re.compile("A|B|C"), False: re.compile(r"\b[ABC]\b")}  # SimpleQA's grader: the paper's scorer, the other
MEMBER = re.compile(r"samples/.*\.json", re.DOTALL)
HEADER = ("header.json", "_journal/start.json")  # the second is that of a log that was cut short
EXPECTED = "a log of Inspect, .eval or .json"
WHOLE = "a whole log of Inspect with its samples (--log-samples)"

UNCHANGED = "UNCHANGED"  # of an edit by hand: what it leaves as it was
NUMBERS = {"correct": 1.0, "wrong": 0.0, "unanswered": 0.0}  # what the mean of Inspect takes our verdicts for

Scored = tuple[str | None, float | None, str | None]  # a verdict, null = unknown; a number; what was found


def read(path: str, options: dict) -> Log:
    """A response per sample and epoch; the log's first headline is recomputed."""
    faults: list[Fault] = []
    header, found = contents(path, options, faults)
    model, task = text(at(header, "eval", "model")), text(at(header, "eval", "task"))
    if not faults and not found:
        faults.append(Fault(path, 0, "no samples", WHOLE))
    if not faults and not model:
        faults.append(Fault(path, 0, "no eval.model", EXPECTED))
    scorer = None if faults else scorer_of(path, header, found, options.get("scorer"), faults)
    if faults:
        return Log([], [], faults)
    samples, values, otherwise = [], [], 0
    for line, id, epoch, answers, output, lacking, gold, scores in found:
        verdict, value, problem = scores.get(scorer, (lacking, None, None))
        if verdict is None:
            expected = "C, I, P, N, a number from 0 to 1, or a grade of SimpleQA"
            faults.append(Fault(path, line, f"the score {problem} of sample {shown(id)}", expected))
        else:
            answer = answers.get(str(scorer)) or output
            samples.append(Sample(line, str(model), id, verdict, epoch, None, task, answer, gold))
            worth = value if gold is not None else worth_of(verdict, value)
            values.append((id, worth))
            otherwise += finite(value) not in (None, worth)
    return Log(samples, [statement(str(model), header, scorer, len(samples), values, otherwise)], faults)


def contents(path: str, options: dict, faults: list[Fault]) -> tuple[dict[str, object], list[tuple]]:
    """The header of a log, and of each sample its line and what `sample_of` takes from it."""
    data, unreadable = read_bytes(path, options)
    faults += unreadable
    header: dict[str, object] = {}
    if unreadable:
        return header, []
    pieces = (
        zipped(path, data, header, options, faults) if data.startswith(b"PK") else plain(path, data, header, faults)
    )
    found = [(line, *taken) for line, sample in pieces if (taken := sample_of(path, line, sample, header, faults))]
    return header, found


def scorers(path: str, options: dict) -> list[str]:
    """The scorers of a log, as far as it can be read."""
    return scorers_in(*contents(path, options, []))


def plain(path: str, data: bytes, header: dict, faults: list[Fault]) -> Iterator[tuple[int, object]]:
    """The samples of a .json log, each with its line; all else goes into the header."""
    try:
        for piece in json_pieces.pieces(data, ("samples",)):
            if piece.path == ("samples",):
                if piece.value is not None:
                    yield piece.line, piece.value
            elif len(piece.path) == 1:
                header[piece.path[0]] = piece.value
            else:
                faults.append(Fault(path, piece.line, shown(piece.value), EXPECTED))
    except json_pieces.NotJson as error:
        faults.append(Fault(path, error.line, error.found, "JSON"))


def zipped(path: str, data: bytes, header: dict, options: dict, faults: list[Fault]) -> Iterator[tuple[int, object]]:
    """The samples of a .eval log, each with its number."""
    try:
        members = archives.members(data, options.get("unpacked", UNPACKED))
    except archives.Unreadable as error:
        faults.append(Fault(path, 0, *error.args))
        return
    heads = [name for name in HEADER if name in members][:1]
    if not heads:
        faults.append(Fault(path, 0, f"a zip without {HEADER[0]}", WHOLE))
    names = [*heads, *(name for name in members if MEMBER.fullmatch(name))]
    contents = archives.contents(data, [members[name] for name in names])
    for place, (name, content) in enumerate(zip(names, contents, strict=True)):
        if isinstance(content, archives.Unreadable):
            faults.append(Fault(path, 0, f"{shown(name)}: {content.args[0]}", content.args[1]))
            continue
        try:
            value = json_pieces.loaded(content)
        except json_pieces.NotJson as error:
            faults.append(Fault(path, 0, f"{shown(name)}: {error.found}", "JSON"))
            continue
        if name not in HEADER:
            yield place, value
        elif isinstance(value, dict):
            header |= value
        else:
            faults.append(Fault(path, 0, f"{shown(name)}: {shown(value)}", EXPECTED))


def sample_of(path: str, line: int, sample: object, header: dict, faults: list[Fault]) -> tuple | None:
    """Of a sample: id, epoch, answers that scorers took from the output, by scorer, and the output; what it is to a
    scorer that has no score of it, gold, and its scores by scorer.
    """
    id, epoch = text(at(sample, "id")), whole(at(sample, "epoch") or 1)
    if id is None or epoch is None or epoch < 1:
        name = "id" if id is None else "epoch"
        given = at(sample, name)
        found = f"a sample without an {name}" if given is None else f"the {name} {shown(given)}"
        faults.append(Fault(path, line, found, "a sample with an id and an epoch from 1"))
        return None
    scores = at(sample, "scores")
    if not isinstance(scores, dict | None):
        faults.append(Fault(path, line, f"the scores {shown(scores)} of sample {shown(id)}", "an object, by scorer"))
        return None
    invalid = at(sample, "invalidation")
    state = "error" if at(sample, "error") else "unscored" if invalid else None
    output = at(sample, "output")
    choice = at(output, "choices", 0)
    filtered = at(choice, "stop_reason") == "content_filter"
    label = at(sample, "metadata", "abstention_label")
    simpleqa = "simpleqa" in str(at(header, "eval", "task")).lower()
    graded: dict[str, Scored] = {}
    answers = {}
    for key, score in (scores or {}).items():
        name = str(text(key))
        if is_edited(score):  # after an error, if there was one
            graded[name] = ("unscored", None, None) if invalid else by_value(at(score, "value"), label)
        elif state:
            graded[name] = (state, None, None)
        else:
            graded[name] = score_of(score, label, filtered, simpleqa or "simpleqa" in name.lower())
        answers[name] = said(at(score, "answer"))
    lacking = state or ("unanswered" if filtered else "unscored")
    gold = "" if label is True else "given" if label is False else None
    whole_output = said(at(output, "completion")) or said(at(choice, "message", "content"))
    if whole_output is None and isinstance(output, dict):
        whole_output = ""
    return id, epoch, answers, whole_output, lacking, gold, graded


def score_of(score: object, label: object, filtered: bool, simpleqa: bool) -> Scored:
    """What one scorer says of a sample; `filtered` = the provider kept the answer back, which a right one overrules."""
    value = at(score, "value") if isinstance(score, dict) else score
    reason = at(score, "reason") or at(score, "metadata", "unscored_reason")
    verdict, worth, unknown = by_value(value, label)
    if reason in ABSTAINED:
        return "unanswered", worth, None
    if reason in JUDGE_FAILED or joined(at(score, "explanation")).startswith(NO_GRADE):
        return "unscored", worth, None
    if filtered and verdict not in ("correct", "partial"):
        return "unanswered", worth, None
    if simpleqa and verdict == "unanswered":
        grader = at(score, "metadata", "grader_response")
        if isinstance(grader, str) and not GRADE[isinstance(value, dict)].search(grader):  # they take no grade for that
            return "unscored", worth, None
    return verdict, worth, unknown


def is_edited(score: object) -> bool:
    """Whether its value was set by hand; a history begins with the score as it was, if there was any."""
    history = records(at(score, "history"))
    original = len(history) > 1 and not at(history[0], "provenance")
    return any(edit.get("value", UNCHANGED) != UNCHANGED for edit in history[original:])


def by_value(value: object, label: object) -> Scored:
    """What the value alone says: reasons and explanations beside one that was set by hand are those of another."""
    verdict, worth = of_value(value, label)
    return verdict, worth, shown(value) if verdict is None else None


def worth_of(verdict: str | None, value: float | None) -> float | None:
    """What the mean of Inspect takes a verdict for; null of what it leaves out."""
    if verdict == "partial" or (verdict == "unanswered" and finite(value) is None):
        return value
    return NUMBERS.get(str(verdict))


def of_value(value: object, label: object) -> tuple[str | None, float | None]:
    """Verdict and number of a score's value; the verdict is null where the value is none of those we know."""
    if isinstance(value, str):
        if value in LETTERS:
            return LETTERS[value], VALUES[value]
        worth = YES.get(value.strip().lower())
        if worth is None:
            with suppress(ValueError):
                worth = float(value)
        if worth is not None and isinstance(label, bool):  # AbstentionBench: whether it is an abstention
            return ("unanswered" if worth else "wrong" if label else "unscored"), worth
        return (None if worth is None else verdict_of(worth)), worth
    if isinstance(value, dict):
        marks = {name: number(value.get(name)) for name in GRADES}
        named = [name for name, mark in marks.items() if mark == 1]
        if len(named) == 1 and set(value) <= set(GRADES):
            return GRADES[named[0]], None
        unscored = set(value) <= set(GRADES) and all(mark is None or math.isnan(mark) for mark in marks.values())
        return ("unscored" if unscored else None), None
    worth = number(value)
    return (None if worth is None and value is not None else verdict_of(worth)), worth


def scorer_of(path: str, header: dict, found: list[tuple], named: str | None, faults: list[Fault]) -> str | None:
    """The scorer that the configuration names, or the only one; null where the log has none, and no sample a score."""
    own = scorers_in(header, found)
    if named is None and len(own) < 2:
        return own[0] if own else None
    if named not in own:
        problem = f"no scorer {shown(named)}" if named else f"{len(own)} scorers"
        faults.append(Fault(path, 0, problem, f"`scorer:` in config.yaml, one of {listed(own)}" if own else "a scorer"))
    return named


def scorers_in(header: dict, found: list[tuple]) -> list[str]:
    """The scorers that samples have scores of, and those that the results list."""
    used = chain.from_iterable(scores for *_, scores in found)
    listed_by = [text(at(one, "scorer")) or text(at(one, "name")) for one in records(at(header, "results", "scores"))]
    return list(dict.fromkeys([*used, *filter(None, listed_by)]))


def statement(
    model: str, header: dict, scorer: str | None, samples: int, values: list[tuple], otherwise: int
) -> Statement:
    """The headline of the log by this scorer, and the same from its samples: a mean over questions of their epochs.

    `otherwise` is how many samples have a verdict that is not what their number says.
    """
    results = at(header, "results")
    told, completed = whole(at(results, "total_samples")), whole(at(results, "completed_samples"))
    dataset, status = at(header, "eval", "dataset"), at(header, "status")
    chosen, available = at(dataset, "sample_ids"), whole(at(dataset, "samples"))
    notes = [f"status {shown(status)}"] if status not in ("success", None) else []
    if isinstance(chosen, list) and available is not None and len(chosen) < available:
        notes += [f"limited to {len(chosen)} of {available} samples of the data set"]
    notes += [f"{completed} of {told} samples completed"] if told and completed is not None and completed < told else []
    notes += [f"{samples} of {told} samples in the log"] if told and samples < told else []
    notes += [] if results else ["stopped early: no results"]
    notes += [f"{plural(otherwise, 'sample')} not read as it counts them"] if otherwise else []
    notes += ["invalidated"] if at(header, "invalidated") is True else []
    own = [one for one in records(at(results, "scores")) if scorer in (at(one, "scorer"), at(one, "name"))]
    first, headline = (own or [{}])[0], at(results, "headline")
    metrics = at(first, "metrics")
    metrics = metrics if isinstance(metrics, dict) else {}
    of_headline = at(headline, "metric") if at(headline, "scorer") == scorer else None
    name = of_headline if of_headline in metrics else next(iter(metrics), None)
    stated = finite(at(metrics, str(name), "value"))
    if stated is None:
        return Statement(model, "", None, None, told, "it states no metric of this scorer", tuple(notes))
    reducers = at(header, "eval", "config", "epochs_reducer") or at(first, "reducer") or ["mean"]
    recomputed = mean_of_means(values)
    why = ""
    if name not in ("accuracy", "mean"):
        why = f"a metric of its own, {shown(name)}"
    elif reducers not in (["mean"], "mean"):
        why = f"epochs are reduced by {shown(reducers)}"
    elif len(own) > 1 or recomputed is None:
        why = "its scores are no single numbers"
    return Statement(model, f"{name} of {scorer}", stated, None if why else recomputed, told, why, tuple(notes))
