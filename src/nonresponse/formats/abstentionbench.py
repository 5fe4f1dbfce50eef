"""`format: abstentionbench`: the folder that AbstentionBench writes for a data set and a model."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nonresponse.faults import Fault, shown
from nonresponse.formats.declared import Sign, Spec
from nonresponse.formats.json_pieces import elements_of, value_of
from nonresponse.formats.log_records import ALL, OURS
from nonresponse.formats.logs import Statement, dig, lacking, text
from nonresponse.settings import Files

CONFIG = "config.json"
FIRST = "InferencePipeline.json"  # each step of the pipeline copies the responses and adds to them
# The last step first
LAST = ("LLMJudgeCorrectnessEvaluator.json", "GroundTruthAbstentionEvaluator.json")
ARRAY = ("responses",)


def files(path: str, options: Files) -> list[str]:
    """Return the configuration of the folder, and the responses after its last and its first step,
    if present."""
    folder = Path(path)
    last = [name for name in LAST if (folder / name).is_file()][:1]
    return [str(folder / name) for name in (CONFIG, *last, FIRST) if (folder / name).is_file()]


def responses(reading: Any) -> Iterator[tuple[int, dict]]:
    """Yield the responses, each named by its place and a checksum of its text: the log has no other
    name."""
    import hashlib

    there = {Path(file).name: file for file in files(reading.path, reading.options)}
    last = next((name for name in LAST if name in there), None)
    if last is None or CONFIG not in there:
        missing = CONFIG if last else " or ".join(LAST)
        reading.faults.add(0, f"a folder without {missing}", SPEC.about)
        return
    faults = reading.faults
    config = value_of(there[CONFIG], reading.options, faults)
    faults.file = there[last]
    reading.head |= config if isinstance(config, dict) else {}
    if not faults and not (text(dig(config, "model_name")) and text(dig(config, "dataset_name"))):
        faults.append(Fault(there[CONFIG], 0, "no model_name or dataset_name", SPEC.about))
    for place, (line, one) in enumerate(elements_of(there[last], ARRAY, reading.options, faults)):
        prompt, question = dig(one, "prompt"), text(dig(one, "prompt", "question"))
        abstained, right, should = (
            dig(one, "is_abstention"),
            dig(one, "is_response_correct"),
            dig(prompt, "should_abstain"),
        )
        if question is None or not isinstance(should, bool):
            faults.add(
                line, "a response without prompt.question or prompt.should_abstain", SPEC.about
            )
        elif not (isinstance(abstained, bool | None) and isinstance(right, bool | None)):
            found = f"is_abstention {shown(abstained)} and is_response_correct {shown(right)}"
            faults.add(line, found, "true, false or null")
        elif isinstance(one, dict):
            name = f"{place}/{hashlib.sha256(question.encode()).hexdigest()[:8]}"
            if abstained is not None:
                reading.counts[abstained, should] += 1
            gold = "" if should else text(dig(one, "prompt", "reference_answers", 0)) or "given"
            yield (
                line,
                one
                | {
                    "id": name,
                    "scores": {"": state(one)},
                    "gold": gold,
                    "state": None,
                    "worth": None,
                },
            )
    if last != LAST[0]:
        reading.notes.append("no correctness was judged")
    if FIRST in there and not faults:
        begun = sum(1 for _ in elements_of(there[FIRST], ARRAY, reading.options, faults))
        reading.notes += lacking(len(reading.samples), begun)


def state(response: dict) -> str:
    """Return the verdict: unanswered if it abstains, even if judged correct; unscored without a
    judgment."""
    abstained, right, prompt = (
        response.get("is_abstention"),
        response.get("is_response_correct"),
        response["prompt"],
    )
    due = (
        prompt.get("reference_answers") or not prompt["should_abstain"]
    )  # whether there was a right answer to judge by
    if abstained is None or (right is None and not abstained and due):
        return "unscored"
    return "unanswered" if abstained else "correct" if right else "wrong"


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    """Return F1 of abstention over the responses that the judge decided on."""
    right, wrong = (
        reading.counts[True, True],
        reading.counts[True, False] + reading.counts[False, True],
    )
    return own._replace(recomputed=2 * right / (2 * right + wrong) if right or wrong else None)


SPEC = Spec(
    "abstentionbench",
    "a folder of AbstentionBench's results",
    (*ALL, "unanswered", "unscored"),
    blind="a breakdown of the system cannot be told from an answer",
    unanswerable=True,
    signs=(Sign("/", CONFIG, some=" ".join((*LAST, FIRST))),),
    others=files,
    records=responses,
    joined=True,
    run=("head:model_name",),
    task=("head:dataset_name",),
    prefixed=True,
    option="",
    words=OURS,
    answer=("response",),
    asked=("prompt.question",),
    target=("prompt.reference_answers",),
    why=("full_correctness_judge_response", "full_judge_response"),
    facts="prompt.metadata",
    measure="f1 of abstention",
    headline=headline,
)
