"""`format: every-eval-ever`: instance-level data of Every Eval Ever, *_samples.jsonl."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nonresponse.faults import listed, shown
from nonresponse.formats.declared import Sign, Spec, When
from nonresponse.formats.json_pieces import lines_of
from nonresponse.formats.log_records import ALL, BOTH, OF_HARNESS, OURS
from nonresponse.formats.logs import Statement, dig, finite, records, text
from nonresponse.tasks import VERDICTS

STATE = "nonresponse_state"  # in the metadata of what nonresponse exported: the verdict itself
NO_SILENCE = (
    "the schema has no state for abstention: what is wrong may be abstention, or what nobody scored"
)


def results(path: str, names: dict[str, str]) -> Path | None:
    return Path(path).with_name(f"{names['id']}.json") if names["id"] else None


def instances(reading: Any) -> Iterator[tuple[int, dict]]:
    """Yield the lines of the evaluation result `metric:`, else of the first of each task of a
    run."""
    every: dict[tuple[str | None, str | None], dict[str, None]] = {}
    for line, value in lines_of(reading.path, SPEC.about, reading.options, reading.faults):
        run, task = text(value.get("model_id")), text(value.get("evaluation_name"))
        own = text(value.get("evaluation_result_id"))  # errors have none
        known = every.setdefault((run, task), {})
        known |= {own: None} if own else {}
        if own and own != (reading.options.get("metric") or next(iter(known))):
            continue
        right = dig(value, "evaluation", "is_correct")
        if run and task and isinstance(right, bool):
            score = finite(dig(value, "evaluation", "score"))
            # Converters call any score above 0 correct
            partly = right and score is not None and 0 < score < 1
            state = text(dig(value, "metadata", STATE))
            reading.counts["ours"] += state is not None
            word = score if partly else "correct" if right else "wrong"
            failed, silent = text(value.get("error")) is not None, state == "unanswered" and right
            joined: dict[str, Any] = {
                "scores": {"": word},
                "failed": failed,
                "worth": None if failed else score,
            }
            joined |= {
                "state": state if state in VERDICTS else None,
                "gold": "" if silent else None,
            }
            yield line, value | joined | {"confidence": None}
        else:
            found = "a line without model_id, evaluation_name or evaluation.is_correct"
            reading.faults.add(line, found, SPEC.about)
    named, names = (
        reading.options.get("metric"),
        list(dict.fromkeys(name for one in every.values() for name in one)),
    )
    without = {run for run, _ in every} - {run for (run, _), own in every.items() if named in own}
    if named and without and not reading.faults:
        of_run = f" of run {shown(min(map(str, without)))}" if named in names else ""
        reading.faults.add(0, f"no result {shown(named)}{of_run}", f"one of {listed(names)}")
    chosen = (
        [named] if named else list(dict.fromkeys(next(iter(own)) for own in every.values() if own))
    )
    reading.store |= {"chosen": chosen, "tasks": {task for _, task in every}}
    if len(names) > len(chosen) or len(chosen) > len(reading.store["tasks"]):
        reading.notes.append(f"results {listed(chosen)} of {listed(names)}")


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    """Return the one aggregate result that the file beside has of the one run and task."""
    chosen = reading.store["chosen"]
    name, key = (
        (chosen[0], "evaluation_result_id")
        if chosen
        else (reading.samples[0].category, "evaluation_name")
    )
    stated = [
        one for one in records(reading.head.get("evaluation_results")) if one.get(key) == name
    ]
    alone = len(stated) == len(reading.worth) == len(reading.store["tasks"]) == 1
    value = finite(dig(stated, 0, "score_details", "score")) if alone else None
    silent = [NO_SILENCE] if reading.counts["ours"] < len(reading.samples) else []
    why = "" if value is not None else "no aggregate result states it, or there are several"
    return own._replace(measure=str(name), stated=value, why=why, notes=(*silent, *own.notes))


SPEC = Spec(
    "every-eval-ever",
    "a line of *_samples.jsonl of Every Eval Ever",
    (*ALL, "partial", "error"),
    options=("metric", "epochs", *BOTH),
    blind="abstention is wrong, as are answers that nobody scored, and a refusal may be an error",
    signs=(
        Sign(".jsonl", "evaluation_id sample_id evaluation"),
        Sign(".json", "evaluation_id evaluation_results", "beside", why=OF_HARNESS),
    ),
    paths=(r".*/(?P<id>[^/]+)_samples\.[a-z]+",),
    results=results,
    records=instances,
    joined=True,
    run=("model_id",),
    task=("evaluation_name",),
    prefixed=True,
    question=("sample_id",),
    epoch="metadata.epoch",
    option="",
    words=OURS,
    rules=(When("failed", "error"),),
    answer=("output.raw.0",),
    asked=("input.raw",),
    target=("input.reference",),
    facts="metadata",
    text=("sample_hash",),
    headline=headline,
)
