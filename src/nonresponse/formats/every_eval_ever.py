"""`format: every-eval-ever`: instance-level data of Every Eval Ever, *_samples.jsonl."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Any

from nonresponse.faults import quote, quote_names
from nonresponse.formats.declared import (
    RESULTS_OF_HARNESS,
    SHARED_OPTIONS,
    VERDICT_WORDS,
    Sign,
    Spec,
)
from nonresponse.formats.logs import Statement, dig, get_finite, get_text, list_objects
from nonresponse.tasks import VERDICTS

STATE = "nonresponse_state"  # in the metadata of what nonresponse exported: the verdict itself
NO_ABSTENTION = "the schema has no state for abstention: what is wrong may be abstention"
NO_ABSTENTION += ", or what nobody scored"


def read_instances(reading: Any, records: Iterator[tuple[int, dict]]) -> Iterator[tuple[int, dict]]:
    """Yield the lines of the result `metric:`, else of the first of each task of a run."""
    metric, faults = reading.options.get("metric"), reading.faults
    # By run and task
    results_by_task: dict[tuple[str | None, str | None], dict[str, None]] = defaultdict(dict)
    for line, value in records:
        run, task = get_text(value.get("model_id")), get_text(value.get("evaluation_name"))
        result = get_text(value.get("evaluation_result_id"))  # errors have none
        results = results_by_task[run, task]
        if result:
            results[result] = None
            if result != (metric or next(iter(results))):
                continue
        is_correct = dig(value, "evaluation", "is_correct")
        if not (run and task and isinstance(is_correct, bool)):
            found = "a line without model_id, evaluation_name or evaluation.is_correct"
            faults.add(line, found, SPEC.about)
            continue
        score = get_finite(value, "evaluation", "score")
        # Converters call any score above 0 correct
        is_partial = is_correct and score is not None and 0 < score < 1
        state = get_text(value, "metadata", STATE)
        failed = get_text(value.get("error")) is not None
        reading.counts["ours"] += state is not None
        fields = {
            "scores": {"": score if is_partial else "correct" if is_correct else "wrong"},
            "worth": None if failed else score,
            "state": state if state in VERDICTS else "error" if failed else None,
            "gold": "" if state == "unanswered" and is_correct else None,
            "confidence": None,
            "missing": False,
        }
        yield line, value | fields
    names = list(dict.fromkeys(chain.from_iterable(results_by_task.values())))
    complete_runs = {run for (run, _), results in results_by_task.items() if metric in results}
    incomplete_runs = {str(run) for run, _ in results_by_task if run not in complete_runs}
    if metric and incomplete_runs and not faults:
        place = f" of run {quote(min(incomplete_runs))}" if metric in names else ""
        faults.add(0, f"no result {quote(metric)}{place}", f"one of {quote_names(names)}")
    tasks = {task for _, task in results_by_task}
    first_results = (next(iter(results), None) for results in results_by_task.values())
    read_results = [metric] if metric else [*dict.fromkeys(filter(None, first_results))]
    reading.store |= {"chosen": read_results, "tasks": tasks}
    if len(names) > len(read_results) or len(read_results) > len(tasks):
        reading.notes.append(f"results {quote_names(read_results)} of {quote_names(names)}")


def headline(reading: Any, statement: Statement, worth: list[tuple]) -> Statement:
    """Return the one aggregate result that the file beside has of the one run and task."""
    name, key = str(reading.samples[0].category), "evaluation_name"
    if results_read := reading.store["chosen"]:
        name, key = results_read[0], "evaluation_result_id"
    results = list_objects(reading.head.get("evaluation_results"))
    aggregates = [result for result in results if result.get(key) == name]
    is_only = len(aggregates) == len(reading.worth) == len(reading.store["tasks"]) == 1
    value = get_finite(aggregates, 0, "score_details", "score") if is_only else None
    remarks = [NO_ABSTENTION] if reading.counts["ours"] < len(reading.samples) else []
    reason = "" if value is not None else "no aggregate result states it, or there are several"
    notes = (*remarks, *statement.notes)
    return statement._replace(measure=name, stated=value, why=reason, notes=notes)


SPEC = Spec(
    "every-eval-ever",
    "a line of *_samples.jsonl of Every Eval Ever",
    ("partial", "error"),
    options=("metric", "epochs", *SHARED_OPTIONS),
    limitation="abstentions and responses that nobody scored count as wrong, and a refusal may "
    "count as an error",
    signs=(
        Sign(".jsonl", "evaluation_id sample_id evaluation"),
        Sign(".json", "evaluation_id evaluation_results", "beside", reason=RESULTS_OF_HARNESS),
    ),
    paths=(r".*/(?P<id>[^/]+)_samples\.[a-z]+",),
    results=("{id}.json",),
    records=read_instances,
    builds_records=True,
    run=("model_id",),
    task=("evaluation_name",),
    task_in_name=True,
    question=("sample_id",),
    epoch="metadata.epoch",
    option="",
    words=VERDICT_WORDS,
    # Of several turns there is no output
    answer=("output.raw.0", "answer_attribution.-1.extracted_value"),
    asked=("input.raw",),
    target=("input.reference",),
    metadata="metadata",
    question_text=("sample_hash",),
    headline=headline,
)
