"""`format: abstentionbench`: the folder that AbstentionBench writes for a data set and a model."""

import hashlib
from collections.abc import Iterator
from typing import Any

from nonresponse.faults import Fault, quote
from nonresponse.formats.declared import VERDICT_WORDS, Sign, Spec
from nonresponse.formats.json_pieces import read_array, read_value
from nonresponse.formats.logs import (
    Statement,
    dig,
    find_files,
    get_object,
    get_text,
    note_missing_samples,
)
from nonresponse.settings import Files

CONFIG = "config.json"
# Each step of the pipeline copies the responses and adds to them.
FIRST_STEP = "InferencePipeline.json"
# The last step first
LAST_STEPS = ("LLMJudgeCorrectnessEvaluator.json", "GroundTruthAbstentionEvaluator.json")
ARRAY = ("responses",)


def list_files(path: str, options: Files) -> list[str]:
    """Return the configuration, and the responses after the last and the first step, if there."""
    files = find_files(path, (CONFIG, *LAST_STEPS, FIRST_STEP))
    last_step = [name for name in LAST_STEPS if name in files][:1]
    return [files[name] for name in (CONFIG, *last_step, FIRST_STEP) if name in files]


def read_responses(reading: Any, records: object) -> Iterator[tuple[int, dict]]:
    """Yield the responses, each named by its position and a checksum of its text."""
    options, faults = reading.options, reading.faults
    files = find_files(reading.path, (CONFIG, *LAST_STEPS, FIRST_STEP))
    last_step = next((name for name in LAST_STEPS if name in files), None)
    if last_step is None or CONFIG not in files:
        missing = CONFIG if last_step else " or ".join(LAST_STEPS)
        faults.add(0, f"a folder without {missing}", SPEC.about)
        return
    config = get_object(read_value(files[CONFIG], options, faults))
    faults.file, reading.head = files[last_step], config
    if not (faults or (get_text(config, "model_name") and get_text(config, "dataset_name"))):
        faults.append(Fault(files[CONFIG], 0, "no model_name or dataset_name", SPEC.about))
    responses = read_array(files[last_step], ARRAY, options, faults)
    for position, (line, response) in enumerate(responses):
        question = get_text(response, "prompt", "question")
        should_abstain = dig(response, "prompt", "should_abstain")
        abstained, correct = dig(response, "is_abstention"), dig(response, "is_response_correct")
        if question is None or not isinstance(should_abstain, bool):
            found = "a response without prompt.question or prompt.should_abstain"
            faults.add(line, found, SPEC.about)
        elif not (isinstance(abstained, bool | None) and isinstance(correct, bool | None)):
            found = f"is_abstention {quote(abstained)} and is_response_correct {quote(correct)}"
            faults.add(line, found, "true, false or null")
        elif isinstance(response, dict):
            prompt = response["prompt"]
            if abstained is not None:
                reading.counts[abstained, should_abstain] += 1
            gold = get_text(prompt, "reference_answers", 0) or "given"
            fields = {
                "id": f"{position}/{hashlib.sha256(question.encode()).hexdigest()[:8]}",
                "scores": {"": judge(abstained, correct, prompt)},
                "gold": "" if should_abstain else gold,
                "state": None,
                "worth": None,
            }
            yield line, response | fields
    if last_step != LAST_STEPS[0]:
        reading.notes.append("no correctness was judged")
    if FIRST_STEP in files and not faults:
        total = sum(1 for _ in read_array(files[FIRST_STEP], ARRAY, options, faults))
        reading.notes += note_missing_samples(len(reading.samples), total)


def judge(abstained: bool | None, correct: bool | None, prompt: dict) -> str:
    """Return the verdict: unanswered if it abstains, even if it was judged correct."""
    has_gold = prompt.get("reference_answers") or not prompt["should_abstain"]
    if abstained is None or (correct is None and not abstained and has_gold):
        return "unscored"
    return "unanswered" if abstained else "correct" if correct else "wrong"


def headline(reading: Any, statement: Statement, worth: list[tuple]) -> Statement:
    """Return F1 of abstention over the responses that the judge decided on."""
    counts = reading.counts
    hits, misses = 2 * counts[True, True], counts[True, False] + counts[False, True]
    return statement._replace(recomputed=hits / (hits + misses) if hits or misses else None)


SPEC = Spec(
    "abstentionbench",
    "a folder of AbstentionBench's results",
    ("unanswered", "unscored"),
    limitation="nothing marks failures of the system, so they count as answers",
    unanswerable=True,
    signs=(Sign("/", CONFIG, any_of=" ".join((*LAST_STEPS, FIRST_STEP))),),
    list_more_files=list_files,
    records=read_responses,
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
