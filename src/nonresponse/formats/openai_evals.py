"""`format: openai-evals`: the records of OpenAI Evals, .jsonl."""

import math
from collections.abc import Iterator
from typing import Any

from nonresponse.faults import quote
from nonresponse.formats.declared import NO_STATE, SHARED_OPTIONS, Sign, Spec
from nonresponse.formats.logs import (
    Statement,
    clean_answer,
    cut_text,
    dig,
    get_number,
    get_text,
    mean,
)

ONE_RUN = "one run: records of several have to be in a file each"
# What events of the type `metrics` may call the score, in this order
SCORE_NAMES = ("correct", "score", "accuracy")


def read_samples(reading: Any, events: Iterator[tuple[int, dict]]) -> Iterator[tuple[int, dict]]:
    """Yield a record of each sample, whose events are joined, in whatever order they stand."""
    faults, head = reading.faults, reading.head
    samples: dict[str, dict] = {}
    runs: list[str] = []  # their ids
    for line, event in events:
        run = get_text(event, "run_id") or get_text(event, "spec", "run_id")
        if "spec" in event and "spec" in head:
            faults.add(line, "a second spec", ONE_RUN)
        elif run and runs and run not in runs:
            faults.add(line, f"a record of the run {quote(run)}, after {quote(runs[0])}", ONE_RUN)
        if run and run not in runs:
            runs.append(run)
        if "spec" in event or "final_report" in event:
            head |= event
        elif (id := get_text(event, "sample_id")) is None:
            faults.add(line, "an event without a sample_id", SPEC.about)
        else:
            sample = samples.setdefault(id, {"id": id, "line": line, "scores": {}})
            add_event(sample, line, event, faults)
    names = dig(head, "spec", "completion_fns")  # what was evaluated: one name or several
    names = names if isinstance(names, list) else [names]
    reading.names["run"] = ", ".join(filter(None, map(get_text, names)))
    if samples and not faults and not reading.names["run"]:
        faults.add(0, "no spec with completion_fns", SPEC.about)
    for sample in samples.values():
        if "match" in sample:
            reading.store.setdefault("matches", []).append(float(sample["scores"][""]))
        state = "error" if sample.get("failed") and not sample["scores"] else None
        yield sample["line"], sample | {"state": state}


def add_event(sample: dict, line: int, event: dict, faults: Any) -> None:
    kind, content, id = event.get("type"), event.get("data"), quote(sample["id"])
    if kind == "error":
        sample["failed"] = True
    elif kind == "sampling" and "answer" not in sample:
        sample["answer"] = clean_answer(content, "sampled")
        sample["asked"] = cut_text(dig(content, "prompt"))
    elif kind == "match":
        correct, target = dig(content, "correct"), cut_text(dig(content, "expected"))
        if not isinstance(correct, bool):
            faults.add(line, f"correct {quote(correct)}", "true or false")
        elif "match" in sample:
            faults.add(line, f"a second match of sample {id}", "one only")
        else:
            sample |= {"match": True, "scores": {"": correct}, "target": target}
    elif kind == "metrics" and "match" not in sample:
        numbers = (get_number(content, name) for name in SCORE_NAMES)
        for score in [number for number in numbers if number is not None][:1]:
            first_score = sample["scores"].setdefault("", score)
            if first_score != score and not math.isnan(score):
                found = f"the score {score:g} of sample {id}, after {first_score:g}"
                faults.add(line, found, "one score")


def headline(reading: Any, statement: Statement, worth: list[tuple]) -> Statement:
    """Return the accuracy, which is the mean of the matches alone."""
    matches = reading.store.get("matches", [])
    reason = statement.why or ("" if matches else "no matches")
    notes = () if "final_report" in reading.head else ("stopped early: no final report",)
    return statement._replace(why=reason, recomputed=None if reason else mean(matches), notes=notes)


SPEC = Spec(
    "openai-evals",
    "a record of OpenAI Evals",
    ("partial", "unscored", "error"),
    options=SHARED_OPTIONS,
    limitation=f"{NO_STATE}: an empty `picked` only means that no expected answer matched",
    signs=(Sign(".jsonl", "spec"), Sign(".jsonl", "event_id sample_id type")),
    records=read_samples,
    builds_records=True,
    run=("{run}",),
    task=("head:spec.eval_name",),
    option="",
    missing_state="unscored",
    measure="accuracy",
    headlines=(("final_report", "accuracy"),),
    unstated="it states no accuracy",
    headline=headline,
)
