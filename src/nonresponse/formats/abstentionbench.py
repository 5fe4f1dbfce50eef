"""`format: abstentionbench`: the folder that AbstentionBench writes for a data set and a model."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nonresponse.faults import Fault, quote
from nonresponse.formats.declared import RIGHT_OR_WRONG, VERDICT_WORDS, Sign, Spec
from nonresponse.formats.json_pieces import read_array, read_value
from nonresponse.formats.logs import Statement, dig, get_text, note_missing_samples
from nonresponse.settings import Files

CONFIG = "config.json"
FIRST = "InferencePipeline.json"  # each step of the pipeline copies the responses and adds to them
# The last step first
LAST = ("LLMJudgeCorrectnessEvaluator.json", "GroundTruthAbstentionEvaluator.json")
ARRAY = ("responses",)


def files(path: str, options: Files) -> list[str]:
    """Return the configuration, and the responses after the last and the first step, if there."""
    last = [name for name in LAST if Path(path, name).is_file()][:1]
    each = [Path(path, name) for name in (CONFIG, *last, FIRST)]
    return [str(file) for file in each if file.is_file()]


def responses(reading: Any, found: object) -> Iterator[tuple[int, dict]]:
    """Yield the responses, each named by its place and a checksum of its text."""
    options, faults = reading.options, reading.faults
    there = {Path(file).name: file for file in files(reading.path, options)}
    last = next((name for name in LAST if name in there), None)
    if last is None or CONFIG not in there:
        faults.add(0, f"a folder without {CONFIG if last else ' or '.join(LAST)}", SPEC.about)
        return
    config = read_value(there[CONFIG], options, faults)
    faults.file = there[last]
    reading.head |= config if isinstance(config, dict) else {}
    if not faults and not (
        get_text(dig(config, "model_name")) and get_text(dig(config, "dataset_name"))
    ):
        faults.append(Fault(there[CONFIG], 0, "no model_name or dataset_name", SPEC.about))
    for position, (line, one) in enumerate(read_array(there[last], ARRAY, options, faults)):
        question, should = (dig(one, "prompt", name) for name in ("question", "should_abstain"))
        abstained, right = dig(one, "is_abstention"), dig(one, "is_response_correct")
        if (question := get_text(question)) is None or not isinstance(should, bool):
            what = "a response without prompt.question or prompt.should_abstain"
            faults.add(line, what, SPEC.about)
        elif not (isinstance(abstained, bool | None) and isinstance(right, bool | None)):
            unclear = f"is_abstention {quote(abstained)} and is_response_correct {quote(right)}"
            faults.add(line, unclear, "true, false or null")
        elif isinstance(one, dict):
            name = f"{position}/{hashlib.sha256(question.encode()).hexdigest()[:8]}"
            if abstained is not None:
                reading.counts[abstained, should] += 1
            gold = "" if should else get_text(dig(one, "prompt", "reference_answers", 0)) or "given"
            scores = {"": verdict(abstained, right, one["prompt"])}
            own = {"id": name, "scores": scores, "gold": gold, "state": None, "worth": None}
            yield line, one | own
    if last != LAST[0]:
        reading.notes.append("no correctness was judged")
    if FIRST in there and not faults:
        begun = sum(1 for _ in read_array(there[FIRST], ARRAY, options, faults))
        reading.notes += note_missing_samples(len(reading.samples), begun)


def verdict(abstained: bool | None, right: bool | None, prompt: dict) -> str:
    """Return the verdict: unanswered if it abstains, even if it was judged correct."""
    # Whether there was a gold answer to judge by
    due = prompt.get("reference_answers") or not prompt["should_abstain"]
    if abstained is None or (right is None and not abstained and due):
        return "unscored"
    return "unanswered" if abstained else "correct" if right else "wrong"


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    """Return F1 of abstention over the responses that the judge decided on."""
    counts = reading.counts
    right, wrong = counts[True, True], counts[True, False] + counts[False, True]
    return own._replace(recomputed=2 * right / (2 * right + wrong) if right or wrong else None)


SPEC = Spec(
    "abstentionbench",
    "a folder of AbstentionBench's results",
    (*RIGHT_OR_WRONG, "unanswered", "unscored"),
    blind="a breakdown of the system cannot be distinguished from an answer",
    unanswerable=True,
    signs=(Sign("/", CONFIG, any_of=" ".join((*LAST, FIRST))),),
    list_more_files=files,
    records=responses,
    builds_records=True,
    run=("head:model_name",),
    task=("head:dataset_name",),
    task_in_name=True,
    option="",
    words=VERDICT_WORDS,
    answer=("response",),
    asked=("prompt.question",),
    target=("prompt.reference_answers",),
    explanation=("full_correctness_judge_response", "full_judge_response"),
    metadata="prompt.metadata",
    measure="f1 of abstention",
    headline=headline,
)
