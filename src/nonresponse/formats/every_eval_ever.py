"""`format: every-eval-ever`: instance-level data of Every Eval Ever, *_samples.jsonl."""

from collections.abc import Iterator
from typing import Any

from nonresponse.faults import quote, quote_names
from nonresponse.formats.declared import (
    RESULTS_OF_HARNESS,
    RIGHT_OR_WRONG,
    SHARED_OPTIONS,
    VERDICT_WORDS,
    Rule,
    Sign,
    Spec,
)
from nonresponse.formats.logs import Statement, dig, get_finite, get_text, list_objects
from nonresponse.tasks import VERDICTS

STATE = "nonresponse_state"  # in the metadata of what nonresponse exported: the verdict itself
NO_ABSTENTION = (
    "the schema has no state for abstention: what is wrong may be abstention, or what nobody scored"
)


def instances(reading: Any, found: Iterator[tuple[int, dict]]) -> Iterator[tuple[int, dict]]:
    """Yield the lines of the result `metric:`, else of the first of each task of a run."""
    metric, faults = reading.options.get("metric"), reading.faults
    every: dict[tuple[str | None, str | None], dict[str, None]] = {}  # results by run and task
    for line, value in found:
        run, task = get_text(value.get("model_id")), get_text(value.get("evaluation_name"))
        result = get_text(value.get("evaluation_result_id"))  # errors have none
        results = every.setdefault((run, task), {})
        results |= {result: None} if result else {}
        if result and result != (metric or next(iter(results))):
            continue
        right = dig(value, "evaluation", "is_correct")
        if not (run and task and isinstance(right, bool)):
            lacking = "a line without model_id, evaluation_name or evaluation.is_correct"
            faults.add(line, lacking, SPEC.about)
            continue
        score = get_finite(dig(value, "evaluation", "score"))
        # Converters call any score above 0 correct
        partly = right and score is not None and 0 < score < 1
        state, failed = (
            get_text(dig(value, "metadata", STATE)),
            get_text(value.get("error")) is not None,
        )
        reading.counts["ours"] += state is not None
        own = {
            "scores": {"": score if partly else "correct" if right else "wrong"},
            "failed": failed,
            "worth": None if failed else score,
            "state": state if state in VERDICTS else None,
            "gold": "" if state == "unanswered" and right else None,
            "confidence": None,
            "missing": False,
        }
        yield line, value | own
    names = list(dict.fromkeys(name for results in every.values() for name in results))
    having = {run for (run, _), results in every.items() if metric in results}
    without = {str(run) for run, _ in every if run not in having}
    if metric and without and not faults:
        of_run = f" of run {quote(min(without))}" if metric in names else ""
        faults.add(0, f"no result {quote(metric)}{of_run}", f"one of {quote_names(names)}")
    first = dict.fromkeys(next(iter(results)) for results in every.values() if results)
    chosen, tasks = [metric] if metric else [*first], {task for _, task in every}
    reading.store |= {"chosen": chosen, "tasks": tasks}
    if len(names) > len(chosen) or len(chosen) > len(tasks):
        reading.notes.append(f"results {quote_names(chosen)} of {quote_names(names)}")


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    """Return the one aggregate result that the file beside has of the one run and task."""
    name, key = str(reading.samples[0].category), "evaluation_name"
    if chosen := reading.store["chosen"]:
        name, key = chosen[0], "evaluation_result_id"
    results = list_objects(reading.head.get("evaluation_results"))
    stated = [one for one in results if one.get(key) == name]
    alone = len(stated) == len(reading.worth) == len(reading.store["tasks"]) == 1
    value = get_finite(dig(stated, 0, "score_details", "score")) if alone else None
    unknown = [NO_ABSTENTION] if reading.counts["ours"] < len(reading.samples) else []
    why = "" if value is not None else "no aggregate result states it, or there are several"
    return own._replace(measure=name, stated=value, why=why, notes=(*unknown, *own.notes))


SPEC = Spec(
    "every-eval-ever",
    "a line of *_samples.jsonl of Every Eval Ever",
    (*RIGHT_OR_WRONG, "partial", "error"),
    options=("metric", "epochs", *SHARED_OPTIONS),
    blind="abstention is wrong, as are answers that nobody scored, and a refusal may be an error",
    signs=(
        Sign(".jsonl", "evaluation_id sample_id evaluation"),
        Sign(".json", "evaluation_id evaluation_results", "beside", reason=RESULTS_OF_HARNESS),
    ),
    paths=(r".*/(?P<id>[^/]+)_samples\.[a-z]+",),
    results=("{id}.json",),
    records=instances,
    builds_records=True,
    run=("model_id",),
    task=("evaluation_name",),
    task_in_name=True,
    question=("sample_id",),
    epoch="metadata.epoch",
    option="",
    words=VERDICT_WORDS,
    rules=(Rule("failed", "error"),),
    # Of several turns there is no output
    answer=("output.raw.0", "answer_attribution.-1.extracted_value"),
    asked=("input.raw",),
    target=("input.reference",),
    metadata="metadata",
    question_text=("sample_hash",),
    headline=headline,
)
