"""`format: openai-evals`: the records of OpenAI Evals, .jsonl."""

import math
from collections.abc import Iterator
from typing import Any

from nonresponse.faults import quote
from nonresponse.formats.declared import NO_STATE, RIGHT_OR_WRONG, SHARED_OPTIONS, Sign, Spec
from nonresponse.formats.logs import (
    Statement,
    clean_answer,
    cut_text,
    dig,
    get_number,
    get_text,
    mean,
)

ONE = "one run: records of several have to be in a file each"
# What events of the type `metrics` may call the score, in this order
NUMBERS = ("correct", "score", "accuracy")


def samples(reading: Any, found: Iterator[tuple[int, dict]]) -> Iterator[tuple[int, dict]]:
    """Yield a record of each sample, whose events are joined, in whatever order they stand."""
    faults, head = reading.faults, reading.head
    joined: dict[str, dict] = {}
    runs: list[str] = []  # their ids
    for line, event in found:
        run = get_text(event.get("run_id")) or get_text(dig(event, "spec", "run_id"))
        if "spec" in event and "spec" in head:
            faults.add(line, "a second spec", ONE)
        elif run and runs and run not in runs:
            faults.add(line, f"a record of the run {quote(run)}, after {quote(runs[0])}", ONE)
        runs += [run] if run and run not in runs else []
        if "spec" in event or "final_report" in event:
            head |= event
        elif (id := get_text(event.get("sample_id"))) is None:
            faults.add(line, "an event without a sample_id", SPEC.about)
        else:
            add(joined.setdefault(id, {"id": id, "line": line, "scores": {}}), line, event, faults)
    names = dig(head, "spec", "completion_fns")  # what was evaluated: one name or several
    names = names if isinstance(names, list) else [names]
    reading.names["run"] = ", ".join(filter(None, map(get_text, names)))
    if joined and not faults and not reading.names["run"]:
        faults.add(0, "no spec with completion_fns", SPEC.about)
    reading.store["matches"] = [one["scores"][""] for one in joined.values() if "match" in one]
    for one in joined.values():
        state = "error" if one.get("failed") and not one["scores"] else None
        yield one["line"], one | {"state": state}


def add(sample: dict, line: int, event: dict, faults: Any) -> None:
    """Add what an event says to its sample."""
    kind, content, id = event.get("type"), event.get("data"), quote(sample["id"])
    if kind == "error":
        sample["failed"] = True
    elif kind == "sampling" and "answer" not in sample:
        sample["answer"] = clean_answer(dig(content, "sampled"))
        sample["asked"] = cut_text(dig(content, "prompt"))
    elif kind == "match":
        right, target = dig(content, "correct"), cut_text(dig(content, "expected"))
        if not isinstance(right, bool):
            faults.add(line, f"correct {quote(right)}", "true or false")
        elif "match" in sample:
            faults.add(line, f"a second match of sample {id}", "one only")
        else:
            sample |= {"match": True, "scores": {"": right}, "target": target}
    elif kind == "metrics" and "match" not in sample:
        each = (get_number(dig(content, name)) for name in NUMBERS)
        score = next((one for one in each if one is not None), None)
        known = sample["scores"].setdefault("", score) if score is not None else None
        if score is not None and known != score and not math.isnan(score):
            faults.add(line, f"the score {score:g} of sample {id}, after {known:g}", "one score")


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    """Return the accuracy, which is the mean of the matches alone."""
    matches = [float(one) for one in reading.store["matches"]]
    why = own.why or ("" if matches else "no matches")
    notes = () if "final_report" in reading.head else ("stopped early: no final report",)
    return own._replace(why=why, recomputed=None if why else mean(matches), notes=notes)


SPEC = Spec(
    "openai-evals",
    "a record of OpenAI Evals",
    (*RIGHT_OR_WRONG, "partial", "unscored", "error"),
    options=SHARED_OPTIONS,
    blind=f"{NO_STATE}: nothing picked only means that nothing matched",
    signs=(Sign(".jsonl", "spec"), Sign(".jsonl", "event_id sample_id type")),
    records=samples,
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
