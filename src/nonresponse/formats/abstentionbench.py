"""`format: abstentionbench`: the folder that AbstentionBench writes for a data set and a model (docs/logs.md)."""

import hashlib
from pathlib import Path

from nonresponse.faults import Fault, shown
from nonresponse.formats import logs
from nonresponse.formats.json_pieces import elements_of, value_of
from nonresponse.formats.logs import Log, Sample, Statement, at, metadata, passage, said, text
from nonresponse.formats.text import Faults
from nonresponse.settings import Files

CONFIG = "config.json"
FIRST = "InferencePipeline.json"  # each step of the pipeline copies the responses and adds to them
LAST = ("LLMJudgeCorrectnessEvaluator.json", "GroundTruthAbstentionEvaluator.json")  # the last step first
ARRAY = ("responses",)
EXPECTED = "the responses of AbstentionBench"


def files_of(path: str, options: Files) -> list[str]:
    """The folder's configuration, and the responses after its last and its first step, if present."""
    folder = Path(path)
    last = [name for name in LAST if (folder / name).is_file()][:1]
    return [str(folder / name) for name in (CONFIG, *last, FIRST) if (folder / name).is_file()]


def read_log(path: str, options: Files) -> Log:
    """A response per question, which is named by its place and a checksum of its text: the log has no other name."""
    there = {Path(file).name: file for file in files_of(path, options)}
    last = next((name for name in LAST if name in there), None)
    if last is None or CONFIG not in there:
        missing = CONFIG if last else " or ".join(LAST)
        return Log([], [], [Fault(path, 0, f"a folder without {missing}", "a folder of AbstentionBench's results")])
    faults = Faults(there[last])
    config = value_of(there[CONFIG], options, faults)
    run, dataset = text(at(config, "model_name")), text(at(config, "dataset_name"))
    if not faults and not (run and dataset):
        faults.append(Fault(there[CONFIG], 0, "no model_name or dataset_name", "the configuration of AbstentionBench"))
    if faults:
        return Log([], [], faults)
    samples, pairs = [], []
    for place, (line, response) in enumerate(elements_of(there[last], ARRAY, options, faults)):
        if sample := sample_of(line, place, response, str(run), str(dataset), faults):
            samples.append(sample)
            pairs.append((at(response, "is_abstention"), at(response, "prompt", "should_abstain")))
    notes = [] if last == LAST[0] else ["no correctness was judged"]
    if FIRST in there and not faults:
        begun = sum(1 for _ in elements_of(there[FIRST], ARRAY, options, faults))
        notes += logs.lacking(len(samples), begun)
    why = "the log states no score"
    return Log(samples, [Statement(str(run), "f1 of abstention", None, f1(pairs), None, why, tuple(notes))], faults)


def sample_of(line: int, place: int, response: object, run: str, dataset: str, faults: Faults) -> Sample | None:
    """A response, unanswered if it abstains, even if judged correct; null, and a fault, if it lacks what is needed."""
    question, prompt = text(at(response, "prompt", "question")), at(response, "prompt")
    abstained, right = at(response, "is_abstention"), at(response, "is_response_correct")
    should, references = at(prompt, "should_abstain"), at(prompt, "reference_answers")
    if question is None or not isinstance(should, bool):
        faults.add(line, "a response without prompt.question or prompt.should_abstain", EXPECTED)
        return None
    if not (isinstance(abstained, bool | None) and isinstance(right, bool | None)):
        found = f"is_abstention {shown(abstained)} and is_response_correct {shown(right)}"
        faults.add(line, found, "true, false or null")
        return None
    if abstained is None or (right is None and not abstained and (references or not should)):
        verdict = "unscored"
    else:
        verdict = "unanswered" if abstained else "correct" if right else "wrong"
    name = f"{dataset}/{place}/{hashlib.sha256(question.encode()).hexdigest()[:8]}"
    gold = "" if should else text(at(references, 0)) or "given"
    known = (line, run, name, verdict, 1, None, dataset, said(at(response, "response")), gold)
    judged = passage(at(response, "full_correctness_judge_response"), at(response, "full_judge_response"))
    return Sample(*known, False, passage(question), passage(references), judged, metadata(at(prompt, "metadata")))


def f1(pairs: list[tuple[object, object]]) -> float | None:
    """F1 of abstention over the responses that the judge decided on; null if none abstained and none should have."""
    known = [(bool(given), bool(due)) for given, due in pairs if given is not None]
    right = known.count((True, True))
    sides = 2 * right + known.count((True, False)) + known.count((False, True))
    return 2 * right / sides if sides else None
