"""`format: inspect`: logs of Inspect, .eval and .json."""

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nonresponse.faults import quote
from nonresponse.formats import json_pieces
from nonresponse.formats.declared import SHARED_OPTIONS, Records, Rule, Sign, Spec
from nonresponse.formats.logs import (
    Statement,
    clean_answer,
    dig,
    digest,
    get_finite,
    get_integer,
    get_number,
    get_object,
    get_text,
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
# The error that `fail_on_refusal` raises: its message, or how Python writes the error itself
REFUSED = ("Model refusal", "ModelRefusalError(")
# SimpleQA's grader: the paper's scorer, the other
GRADE_PATTERNS = {True: "A|B|C", False: r"\b[ABC]\b"}
# A sample, or the part of a sample in pieces that has no messages, events and attachments
MEMBER = r"(?s)samples/.*_epoch_[0-9]+(?P<apart>/sample)?\.json"
ATTACHMENT = "attachment://"  # precedes the position of a text among the attachments
HEADER = ("header.json", "_journal/start.json")  # the second is that of a log that was cut short
# Options of a scorer that name the judge
JUDGES = ("model", "grader_model", "judge_model", "grader", "judge")
LISTING = "a list of logs of Inspect, which are read themselves"
UNCHANGED = "UNCHANGED"  # in an edit by hand: the value of fields that it does not change
# What our verdicts are worth in Inspect's mean
WORTH = {"correct": 1.0, "wrong": 0.0, "unanswered": 0.0}


def read_samples(reading: Any, records: Records) -> Records:
    """Yield the samples; everything else goes into the head. A sample that Inspect scored in spite
    of an error has no error here, unless the model refused."""
    path, score = reading.path, reading.score
    is_zip = next(stream_bytes(path, Faults(path)), b"").startswith(b"PK")
    for line, sample in read_zip(reading) if is_zip else records:
        scores, error = get_object(sample, "scores"), dig(sample, "error")
        has_score = score in scores if score else bool(scores)
        refused = str(dig(error, "message")).startswith(REFUSED)
        scores_errors = dig(reading.head, "eval", "config", "score_on_error") is True
        if isinstance(sample, dict) and error and has_score and scores_errors and not refused:
            sample["error"] = None
            reading.counts["scored"] += 1
        yield line, sample


def read_zip(reading: Any) -> Records:
    """Yield the samples of a .eval log, each with its number."""
    from nonresponse.formats import archives

    path, faults, zip_faults = reading.path, reading.faults, Faults(reading.path)
    limit, members = bound_fields(path, reading.options), dict[str, Any]()

    def read_member(name: str) -> Any:
        """Return the value in a member; null, and a fault, where there is none."""
        try:
            content = archives.unpack_member(data, members[name])
            [piece] = json_pieces.split_value([content], limit=limit)
            return piece.value
        except (UnreadableError, json_pieces.NotJsonError) as error:
            problem, expected = (*error.args, "JSON")[:2]
            faults.add(0, f"{quote(name)}: {problem}", expected)
        return None

    with open_on_disk(path, zip_faults) as file, Path(file).open("rb") as data:
        if not zip_faults:
            with report_unreadable(zip_faults):
                members = archives.list_members(data)
        if zip_faults:
            faults += zip_faults
            return
        if header_name := next((name for name in HEADER if name in members), ""):
            header = read_member(header_name)
            reading.head |= header if isinstance(header, dict) else {}
            if not isinstance(header, dict) and not faults:
                faults.add(0, f"{quote(header_name)}: {quote(header)}", SPEC.about)
        else:
            expected = "a whole log of Inspect with its samples (--log-samples)"
            faults.add(0, f"a zip without {HEADER[0]}", expected)
        samples = filter(None, (re.fullmatch(MEMBER, name) for name in members))
        for number, match in enumerate(samples, start=1):
            fault_count, sample = len(faults), read_member(match[0])
            if match["apart"] and isinstance(sample, dict):
                folder = match[0].removesuffix("sample.json")
                if f"{folder}metadata.json" in members:
                    sample["metadata"] = read_member(f"{folder}metadata.json")
                if ATTACHMENT in str(sample.get("input")):
                    names = [name for name in members if name.startswith(f"{folder}attachments/")]
                    sample["input"] = restore_attachments(sample["input"], map(read_member, names))
            if len(faults) == fault_count:
                yield number, sample


def restore_attachments(sample_input: Any, attachments: Iterable[object]) -> Any:
    """Return an input, a text or messages, with the attachments that stand for its texts.

    Each is used once, so that the input is no longer than the log.
    """
    texts = [text for piece in attachments if isinstance(piece, list) for text in piece]
    texts_by_reference = {f"{ATTACHMENT}{number}": text for number, text in enumerate(texts)}
    if isinstance(sample_input, str):
        return texts_by_reference.get(sample_input, sample_input)
    for message in list_objects(sample_input):
        content = message.get("content")
        if isinstance(content, str):
            message["content"] = texts_by_reference.pop(content, content)
    return sample_input


def list_scores(reading: Any, sample: dict) -> Any:
    """Return the scores by scorer, and each value of one that gives several, but SimpleQA's."""
    scores, main = sample.get("scores"), dig(reading.head, "eval", "headline_metric", "scorer")
    if not isinstance(scores, dict):
        return scores
    values_by_name: dict[str, Any] = {}
    for name, score in sorted(scores.items(), key=lambda item: item[0] != main):
        parts, values = {name: score}, dig(score, "value")
        if isinstance(values, dict) and not values.keys() <= GRADES.keys():
            parts = {f"{name}.{key}": score | {"value": value} for key, value in values.items()}
        values_by_name |= {str(get_text(part)): value for part, value in parts.items()}
    return values_by_name


def find_edit(reading: Any, sample: dict, score: Any) -> str | None:
    """Return the verdict that was set by hand, which wins over all else; null if none was."""
    if not is_edited(score) or sample.get("invalidation"):
        return "unscored" if is_edited(score) else None
    return judge_special(reading, sample, score) or reading.judge_value(dig(score, "value"))[0]


def is_edited(score: object) -> bool:
    history = list_objects(score, "history")  # the first may be the score as it was
    edits = history[len(history) > 1 and not dig(history[0], "provenance") :]
    return any(edit.get("value", UNCHANGED) != UNCHANGED for edit in edits)


def judge_special(reading: Any, sample: dict, score: Any) -> str | None:
    """Return what SimpleQA's grades and AbstentionBench's labels mean; null for any other value."""
    value = dig(score, "value") if isinstance(score, dict) else score
    grader, has_grades = dig(score, "metadata", "grader_response"), isinstance(value, dict)
    label = dig(sample, "metadata", "abstention_label")
    verdict, number = reading.judge_value(value)
    if isinstance(value, dict):
        marks = {name: get_number(value, name) for name in GRADES}
        verdicts = [GRADES[name] for name, mark in marks.items() if mark == 1]
        is_unscored = all(mark is None or math.isnan(mark) for mark in marks.values())
        verdict = verdicts[0] if len(verdicts) == 1 else "unscored" if is_unscored else None
        verdict = verdict if {*value} <= {*GRADES} else None
    simpleqa = "simpleqa" in f"{dig(reading.head, 'eval', 'task')} {reading.score}".lower()
    reading.counts["judged"] += bool(grader or (dig(score, "explanation") and not simpleqa))
    is_word = isinstance(value, str) and value not in LETTERS and number is not None
    if isinstance(label, bool) and is_word:
        return "unanswered" if number else "wrong" if label else "unscored"
    if simpleqa and verdict == "unanswered" and isinstance(grader, str) and not is_edited(score):
        # Inspect counts no grade as N
        return verdict if re.search(GRADE_PATTERNS[has_grades], grader) else "unscored"
    return verdict if has_grades else None


def find_answer(reading: Any, sample: dict, score: object) -> tuple[str | None, float | None]:
    """Return the answer that the scorer took, else the output; an empty one is an empty answer."""
    text = reading.find_text(sample, ("output.completion", "output.choices.0.message.content"))
    default = "" if isinstance(sample.get("output"), dict) else None
    return clean_answer(score, "answer") or text or default, None


def find_gold(reading: Any, sample: dict) -> str | None:
    """Return "" for a question without an answer by AbstentionBench; null where nothing is said."""
    label = dig(sample, "metadata", "abstention_label")
    return "" if label is True else "given" if label is False else None


def count_worth(reading: Any, sample: dict, verdict: str, value: float | None) -> float | None:
    """Return what a sample counts in Inspect's mean; null if that leaves it out."""
    is_error, has_gold = verdict == "error", find_gold(reading, sample) is not None
    is_same = value in (None, WORTH.get(verdict)) or verdict == "partial" or is_error or has_gold
    is_same |= "correct_from" in reading.options
    reading.counts["otherwise"] += not is_same
    reading.store.setdefault("errored", []).append(value if is_error else None)
    return None if is_error else value


def headline(reading: Any, statement: Statement, worth: list[tuple]) -> Statement:
    """Return the scorer's headline metric; null where its mean cannot be recomputed."""
    head, scorer, results = reading.head, reading.score, reading.head.get("results")
    listed = list_objects(results, "scores")
    scores = [
        score
        for score in listed
        if scorer in (score.get("name"), f"{score.get('scorer')}.{score.get('name')}")
    ]
    entries = scores or [score for score in listed if score.get("scorer") == scorer]
    entry = min(entries, key=lambda entry: entry.get("reducer") not in (None, "mean"), default={})
    metrics, main_metric = get_object(entry, "metrics"), dig(results, "headline", "metric")
    name = main_metric if main_metric in metrics else next(iter(metrics), None)
    stated = get_finite(metrics, str(name), "value")
    judge, prompt = find_judge(head, scorer)
    failures = ("unscored" if reading.counts["judged"] else "as graded") if judge else ""
    notes = list_notes(reading, len(worth))
    statement = statement._replace(judge=judge, prompt=prompt, failures=failures, notes=notes)
    if stated is None:
        reason = "it states no metric of this scorer"
        return statement._replace(measure=str(scorer or ""), recomputed=None, why=reason)
    recomputed, errored = statement.recomputed, reading.store["errored"]
    # Of epochs, N is no longer N
    if name == "precision" and len({question for question, *_ in worth}) == len(worth):
        pairs = zip(worth, reading.samples, strict=True)
        attempted = [row[2] for row, sample in pairs if sample.verdict != "unanswered"]
        recomputed = mean(attempted) if attempted else 0.0
    if recomputed != stated and any(value is not None for value in errored):
        # From 0.3.285 on, the score of a sample that failed afterwards is in the mean, too.
        pairs = zip(worth, errored, strict=True)
        values = ((row[0], value if row[2] is None else row[2]) for row, value in pairs)
        mean_with_errors = mean_of_means(values)
        if mean_with_errors is not None and math.isclose(mean_with_errors, stated, abs_tol=1e-9):
            recomputed = mean_with_errors
    reducers = entry.get("reducer") or dig(head, "eval", "config", "epochs_reducer")
    reason = ""
    if name not in ("accuracy", "mean", "precision"):
        reason = f"a metric of its own, {quote(name)}"
    elif reducers and reducers not in (["mean"], "mean"):
        reason = f"epochs are reduced by {quote(reducers)}"
    elif not scores or recomputed is None:
        reason = "its scores are no single numbers"
    return statement._replace(
        measure=f"{name} of {scorer}",
        stated=stated,
        recomputed=None if reason else recomputed,
        why=reason,
        scorer=str(scorer),
    )


def list_notes(reading: Any, samples: int) -> tuple[str, ...]:
    """Return what a reader of the scores has to know, such as that the log stopped early."""
    head, results = reading.head, reading.head.get("results")
    total = get_integer(results, "total_samples") or 0
    completed = get_integer(results, "completed_samples")
    dataset, status = dig(head, "eval", "dataset"), head.get("status")
    sample_ids, available = dig(dataset, "sample_ids"), get_integer(dataset, "samples") or 0
    recounted, errored = reading.counts["otherwise"], reading.counts["scored"]
    limit = len(sample_ids) if isinstance(sample_ids, list) else math.inf
    is_incomplete = completed is not None and completed < total
    notes = {
        f"status {quote(status)}": status not in ("success", None),
        f"limited to {limit} of {available} samples of the data set": limit < available,
        f"{completed} of {total} samples completed": is_incomplete,
        **dict.fromkeys(note_missing_samples(samples, total), True),
        "stopped early: no results": not results,
        f"{plural(recounted, 'sample')} not read as it counts them": recounted,
        f"{plural(errored, 'sample')} scored in spite of an error (score_on_error)": errored,
        "invalidated": head.get("invalidated") is True,
    }
    return tuple(note for note, applies in notes.items() if applies)


def find_judge(head: dict, scorer: str | None) -> tuple[str, str]:
    """Return the model that a scorer asks, and a digest of its other options; "" for none."""
    listed = (("results", "scores", "params"), ("eval", "scorers", "options"))
    entries = ((entry, key) for *way, key in listed for entry in list_objects(head, *way))
    found = [entry.get(key) for entry, key in entries if entry.get("name") == scorer]
    options = get_object(found, -1)
    candidates = [*map(options.get, JUDGES), dig(head, "eval", "model_roles", "grader")]
    models = [get_text(candidate, "model") or get_text(candidate) for candidate in candidates]
    judge = next(filter(None, models), "")
    other_options = {name: value for name, value in options.items() if name not in JUDGES}
    return judge, digest(other_options) if judge and other_options else ""


SPEC = Spec(
    "inspect",
    "a log of Inspect, .eval or .json",
    ("partial", "unanswered", "unscored", "error"),
    options=("metric", "epochs", *SHARED_OPTIONS),
    limitation="an exception in the scorer looks like a failure of the system, so both count as "
    "errors",
    signs=(
        Sign(".eval", "", reason="its ending is .eval"),
        Sign(".json", "eval", any_of="samples status results"),
        Sign(".json", r".+\.(eval|json)\.eval", "beside", reason=LISTING),
        Sign(".json", "eval_set_id tasks", "beside", reason=LISTING),
    ),
    arrays=(("samples",),),
    head_keys=("eval", "results", "status", "invalidated"),
    records=read_samples,
    run=("head:eval.model",),
    task=("head:eval.task",),
    epoch="epoch",
    scores=list_scores,
    chooses=False,
    value="value",
    words=WORDS,
    missing_state="unscored",
    no_scores="none of its responses has a score: score it first, with inspect score",
    samples_expected="at least one, as with inspect eval --log-samples",
    state=find_edit,
    meaning=judge_special,
    rules=(
        *(Rule("error.message", "unanswered", begins=text) for text in REFUSED),
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
    answer=find_answer,
    asked=("input",),
    explanation=("score:explanation",),
    metadata="metadata",
    gold=find_gold,
    question_text=("input",),
    worth=count_worth,
    group="question",
    sample_counts=(("results", "total_samples"),),
    headline=headline,
)
