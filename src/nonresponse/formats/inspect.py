"""`format: inspect`: logs of Inspect, .eval and .json."""

import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nonresponse.faults import quote
from nonresponse.formats import json_pieces
from nonresponse.formats.declared import RIGHT_OR_WRONG, SHARED_OPTIONS, Rule, Sign, Spec
from nonresponse.formats.logs import (
    Statement,
    clean_answer,
    dig,
    digest,
    get_finite,
    get_integer,
    get_number,
    get_text,
    list_notes,
    list_objects,
    mean,
    mean_of_means,
    note_missing_samples,
)
from nonresponse.formats.text import (
    Faults,
    UnreadableError,
    bound_fields,
    open_on_disk,
    report_unreadable,
    stream_bytes,
)
from nonresponse.wording import plural

LETTERS = {"C": "correct", "I": "wrong", "P": "partial", "N": "unanswered"}
WORDS = LETTERS | {"yes": "correct", "no": "wrong", "true": "correct", "false": "wrong"}
# SimpleQA, a number for each
GRADES = {"correct": "correct", "incorrect": "wrong", "not_attempted": "unanswered"}
# What ScoreReason says of the model
ABSTAINED = ("refusal", "no_response", "invalid_response_format")
JUDGE_FAILED = ("grader_failed", "scoring_failed")  # and of the judge
REFUSED = "Model refusal"  # the stable beginning of the error that `fail_on_refusal` raises
# SimpleQA's grader: the paper's scorer, the other
GRADE = {True: re.compile("A|B|C"), False: re.compile(r"\b[ABC]\b")}
# A sample, or the part of a sample in pieces that has no messages, events and attachments
MEMBER = re.compile(r"samples/.*_epoch_[0-9]+(?P<apart>/sample)?\.json", re.DOTALL)
ATTACHMENT = "attachment://"  # precedes the position of a text among the attachments
HEADER = ("header.json", "_journal/start.json")  # the second is that of a log that was cut short
WHOLE = "a whole log of Inspect with its samples (--log-samples)"
# Options of a scorer that name the judge
JUDGES = ("model", "grader_model", "judge_model", "grader", "judge")
UNCHANGED = "UNCHANGED"  # in an edit by hand: the value of fields that it does not change
# What our verdicts are worth in Inspect's mean
WORTH = {"correct": 1.0, "wrong": 0.0, "unanswered": 0.0}


def contents(reading: Any, found: Iterator[tuple[int, object]]) -> Iterator[tuple[int, object]]:
    """Yield the samples; everything else goes into the head."""
    path, options = reading.path, reading.options
    is_zip = next(stream_bytes(path, options, Faults(path)), b"").startswith(b"PK")
    for line, sample in zipped(reading) if is_zip else found:
        if isinstance(sample, dict):
            forgive(reading, sample)
        yield line, sample


def zipped(reading: Any) -> Iterator[tuple[int, object]]:
    """Yield the samples of a .eval log, each with its number."""
    from nonresponse.formats import archives

    path, options, faults = reading.path, reading.options, reading.faults
    unreadable, members = Faults(path), dict[str, Any]()
    most = bound_fields(path, options)

    def content_of(name: str) -> Any:
        """Return the value in a member; null, and a fault, where there is none."""
        try:
            [piece] = json_pieces.split_value(
                [archives.unpack_member(data, members[name])], limit=most
            )
            return piece.value
        except (UnreadableError, json_pieces.NotJsonError) as error:
            found, expected = (*error.args, "JSON")[:2]
            faults.add(0, f"{quote(name)}: {found}", expected)
        return None

    with open_on_disk(path, options, unreadable) as file, Path(file).open("rb") as data:
        if not unreadable:
            with report_unreadable(unreadable):
                members = archives.list_members(data, options)
        faults += unreadable
        head = next((name for name in HEADER if name in members), None)
        if head is not None:
            header = content_of(head)
            reading.head |= header if isinstance(header, dict) else {}
            if not isinstance(header, dict) and not faults:
                faults.add(0, f"{quote(head)}: {quote(header)}", SPEC.about)
        elif not unreadable:
            faults.add(0, f"a zip without {HEADER[0]}", WHOLE)
        samples = filter(None, map(MEMBER.fullmatch, members))
        for number, match in enumerate(samples, start=1):
            before, sample = len(faults), content_of(match[0])
            if match["apart"] and isinstance(sample, dict):
                folder = match[0].removesuffix("sample.json")
                if f"{folder}metadata.json" in members:
                    sample["metadata"] = content_of(f"{folder}metadata.json")
                if ATTACHMENT in str(sample.get("input")):
                    names = [name for name in members if name.startswith(f"{folder}attachments/")]
                    sample["input"] = attached(sample["input"], map(content_of, names))
            if len(faults) == before:
                yield number, sample


def attached(asked: Any, pieces: Iterable[object]) -> Any:
    """Return an input, a text or messages, with the attachments that stand for its texts.

    Each is used once, so that the input is no longer than the log.
    """
    texts = [text for piece in pieces if isinstance(piece, list) for text in piece]
    by_reference = {f"{ATTACHMENT}{number}": text for number, text in enumerate(texts)}
    if isinstance(asked, str):
        return by_reference.get(asked, asked)
    for message in list_objects(asked):
        content = message.get("content")
        if isinstance(content, str):
            message["content"] = by_reference.pop(content, content)
    return asked


def forgive(reading: Any, sample: dict) -> None:
    """Take the error from a sample that Inspect scored all the same, unless the model refused."""
    scores = sample.get("scores")
    here = isinstance(scores, dict) and (reading.score in scores if reading.score else bool(scores))
    refused = str(dig(sample, "error", "message")).startswith(REFUSED)
    wanted = dig(reading.head, "eval", "config", "score_on_error") is True
    if here and wanted and sample.get("error") and not refused:
        sample["error"] = None
        reading.counts["scored"] += 1


def scores_of(reading: Any, sample: dict) -> Any:
    """Return the scores by scorer."""
    if not reading.scores:
        listed_there = list_objects(dig(reading.head, "results", "scores"))
        names = (get_text(one.get("scorer")) or get_text(one.get("name")) for one in listed_there)
        reading.scores |= dict.fromkeys(filter(None, names))
    scores = sample.get("scores")
    named = scores.items() if isinstance(scores, dict) else ()
    return {str(get_text(name)): score for name, score in named} if named else scores


def edited(reading: Any, sample: dict, score: Any) -> str | None:
    """Return the verdict that was set by hand, which wins over errors, reasons and explanations;
    null if none was."""
    if not is_edited(score):
        return None
    if sample.get("invalidation"):
        return "unscored"
    return meaning(reading, sample, score) or reading.judge_value(dig(score, "value"))[0]


def is_edited(score: object) -> bool:
    """Whether the value of a score was set by hand."""
    history = list_objects(
        dig(score, "history")
    )  # begins with the score as it was, if there was any
    edits = history[len(history) > 1 and not dig(history[0], "provenance") :]
    return any(edit.get("value", UNCHANGED) != UNCHANGED for edit in edits)


def meaning(reading: Any, sample: dict, score: Any) -> str | None:
    """Return what SimpleQA's grades and AbstentionBench's labels mean; null for any other value."""
    value = dig(score, "value") if isinstance(score, dict) else score
    grader = dig(score, "metadata", "grader_response")
    label = dig(sample, "metadata", "abstention_label")
    graded = isinstance(value, dict)
    graded_verdict = of_grades(value) if isinstance(value, dict) else None
    verdict, worth = (graded_verdict, None) if graded else reading.judge_value(value)
    simpleqa = "simpleqa" in f"{dig(reading.head, 'eval', 'task')} {reading.score}".lower()
    reading.counts["judged"] += bool(grader or (dig(score, "explanation") and not simpleqa))
    in_words = isinstance(value, str) and value not in LETTERS and worth is not None
    if isinstance(label, bool) and in_words:
        return "unanswered" if worth else "wrong" if label else "unscored"
    if simpleqa and verdict == "unanswered" and isinstance(grader, str) and not is_edited(score):
        # Inspect counts no grade as N
        return verdict if GRADE[graded].search(grader) else "unscored"
    return verdict if graded else None


def of_grades(value: dict) -> str | None:
    """Return the verdict of SimpleQA's three numbers; null for any other object."""
    marks = {name: get_number(value.get(name)) for name in GRADES}
    named = [GRADES[name] for name, mark in marks.items() if mark == 1]
    unscored = all(mark is None or math.isnan(mark) for mark in marks.values())
    known = named[0] if len(named) == 1 else "unscored" if unscored else None
    return known if {*value} <= {*GRADES} else None


def answer(reading: Any, sample: dict, score: object) -> tuple[str | None, float | None]:
    """Return what the scorer took for the answer, else the output; an empty output is an empty
    answer."""
    output = sample.get("output")
    found = reading.find_text(sample, ("output.completion", "output.choices.0.message.content"))
    empty = "" if isinstance(output, dict) else None
    return clean_answer(dig(score, "answer")) or found or empty, None


def gold(reading: Any, sample: dict) -> str | None:
    """Return "" where AbstentionBench says that a question has no answer; null where nothing is
    said."""
    label = dig(sample, "metadata", "abstention_label")
    return "" if label is True else "given" if label is False else None


def worth(reading: Any, sample: dict, verdict: str, value: float | None) -> float | None:
    """Return what a sample counts in Inspect's mean; null if that leaves it out."""
    own = WORTH.get(verdict) if value is not None or verdict != "unanswered" else None
    if value is not None and (verdict == "partial" or gold(reading, sample) is not None):
        own = value
    reading.counts["otherwise"] += value is not None and value != own and verdict != "error"
    reading.store.setdefault("errored", []).append(value if verdict == "error" else None)
    return own


def headline(reading: Any, statement: Statement, worth: list[tuple]) -> Statement:
    """Return the statement by the scorer's headline metric, with what keeps it from being
    reconciled."""
    head, scorer, results = reading.head, reading.score, reading.head.get("results")
    scores = list_objects(dig(results, "scores"))
    own = [one for one in scores if scorer in (one.get("scorer"), one.get("name"))]
    metrics = own[0].get("metrics") if own else None
    metrics = metrics if isinstance(metrics, dict) else {}
    of_scorer = dig(results, "headline", "scorer") == scorer
    named = dig(results, "headline", "metric") if of_scorer else None
    name = named if named in metrics else next(iter(metrics), None)
    stated = get_finite(dig(metrics, str(name), "value"))
    judge, prompt = judged_by(head, scorer)
    failures = ("unscored" if reading.counts["judged"] else "as graded") if judge else ""
    statement = statement._replace(
        judge=judge, prompt=prompt, failures=failures, notes=tuple(notes(reading, len(worth)))
    )
    if stated is None:
        why = "it states no metric of this scorer"
        return statement._replace(measure=str(scorer or ""), recomputed=None, why=why)
    recomputed, errored = statement.recomputed, reading.store["errored"]
    # Of epochs, N is no longer N
    if name == "precision" and len({question for question, *_ in worth}) == len(worth):
        both = zip(worth, reading.samples, strict=True)
        attempted = [one[2] for one, sample in both if sample.verdict != "unanswered"]
        recomputed = mean(attempted) if attempted else 0.0
    if recomputed != stated and any(value is not None for value in errored):
        # From 0.3.285 on, the score of a sample that failed afterwards is in the mean, too.
        both = zip(worth, errored, strict=True)
        counted = ((one[0], value if one[2] is None else one[2]) for one, value in both)
        with_errored = mean_of_means(counted)
        if with_errored is not None and math.isclose(with_errored, stated, abs_tol=1e-9):
            recomputed = with_errored
    reducers = dig(head, "eval", "config", "epochs_reducer") or dig(own, 0, "reducer") or ["mean"]
    why = ""
    if name not in ("accuracy", "mean", "precision"):
        why = f"a metric of its own, {quote(name)}"
    elif reducers not in (["mean"], "mean"):
        why = f"epochs are reduced by {quote(reducers)}"
    elif len(own) > 1 or recomputed is None:
        why = "its scores are no single numbers"
    measure, recomputed = f"{name} of {scorer}", None if why else recomputed
    return statement._replace(
        measure=measure, stated=stated, recomputed=recomputed, why=why, scorer=str(scorer)
    )


def notes(reading: Any, samples: int) -> list[str]:
    """Return what a reader of the scores has to know, such as that the log stopped early."""
    head, results = reading.head, reading.head.get("results")
    total, completed = (
        get_integer(dig(results, f"{name}_samples")) for name in ("total", "completed")
    )
    dataset, status = dig(head, "eval", "dataset"), head.get("status")
    chosen, available = dig(dataset, "sample_ids"), get_integer(dig(dataset, "samples"))
    otherwise, errored = reading.counts["otherwise"], reading.counts["scored"]
    asked = len(chosen) if isinstance(chosen, list) else math.inf
    incomplete = total and completed is not None and completed < total
    before = {
        f"status {quote(status)}": status not in ("success", None),
        f"limited to {asked} of {available} samples of the data set": asked < (available or 0),
        f"{completed} of {total} samples completed": incomplete,
    }
    after = {
        "stopped early: no results": not results,
        f"{plural(otherwise, 'sample')} not read as it counts them": otherwise,
        f"{plural(errored, 'sample')} scored in spite of an error (score_on_error)": errored,
        "invalidated": head.get("invalidated") is True,
    }
    return [*list_notes(before), *note_missing_samples(samples, total), *list_notes(after)]


def judged_by(head: dict, scorer: str | None) -> tuple[str, str]:
    """Return the model that a scorer asks, and a digest of its other options; "" for none."""
    in_results, in_eval = dig(head, "results", "scores"), dig(head, "eval", "scorers")
    params = [dig(one, "params") for one in list_objects(in_results) if one.get("name") == scorer]
    declared = [dig(one, "options") for one in list_objects(in_eval) if one.get("name") == scorer]
    [*_, options] = [{}, *params, *declared]
    options = options if isinstance(options, dict) else {}
    named = [options.get(name) for name in JUDGES] + [dig(head, "eval", "model_roles", "grader")]
    models = [get_text(dig(one, "model")) or get_text(one) for one in named]
    judge = next(filter(None, models), "")
    rest = {name: value for name, value in options.items() if name not in JUDGES}
    return judge, digest(rest) if judge and rest else ""


SPEC = Spec(
    "inspect",
    "a log of Inspect, .eval or .json",
    (*RIGHT_OR_WRONG, "partial", "unanswered", "unscored", "error"),
    options=("metric", "epochs", *SHARED_OPTIONS),
    blind="an error of the system and one of the judge are the same, and each is an error",
    signs=(
        Sign(".eval", "", reason="its ending is .eval"),
        Sign(".json", "eval", any_of="samples status results"),
    ),
    arrays=(("samples",),),
    head_keys=("eval", "results", "status", "invalidated"),
    records=contents,
    run=("head:eval.model",),
    task=("head:eval.task",),
    epoch="epoch",
    scores=scores_of,
    chooses=False,
    value="value",
    words=WORDS,
    missing_state="unscored",
    state=edited,
    meaning=meaning,
    rules=(
        Rule("error.message", "unanswered", begins=REFUSED),
        Rule("error", "error"),
        Rule("invalidation", "unscored"),
        Rule("score:reason", "unanswered", ABSTAINED),
        Rule("score:metadata.unscored_reason", "unanswered", ABSTAINED),
        Rule("score:reason", "unscored", JUDGE_FAILED),
        Rule("score:metadata.unscored_reason", "unscored", JUDGE_FAILED),
        # Of an older scorer
        Rule("score:explanation", "unscored", begins="Grade not found in model output"),
        Rule(
            "output.choices.0.stop_reason",
            "unanswered",
            ("content_filter",),
            unless=("correct", "partial"),
        ),
    ),
    answer=answer,
    asked=("input",),
    explanation=("score:explanation",),
    metadata="metadata",
    gold=gold,
    question_text=("input",),
    worth=worth,
    group="question",
    sample_counts=(("results", "total_samples"),),
    headline=headline,
)
