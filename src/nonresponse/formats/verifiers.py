"""`format: verifiers`: results.jsonl of verifiers, with the metadata.json beside it (docs/formats.md)."""

from collections import Counter
from pathlib import Path

from nonresponse.formats import logs
from nonresponse.formats.json_pieces import lines_of, value_of
from nonresponse.formats.logs import Log, Metric, Sample, Statement, at, number, passage, records, said, text, whole
from nonresponse.formats.text import Faults
from nonresponse.settings import Files

METADATA, REWARD = "metadata.json", "reward"
EXPECTED = "a line of results.jsonl of verifiers"


def files_of(path: str, options: Files) -> list[str]:
    """The results, and the metadata beside them if they are there."""
    beside = Path(path).with_name(METADATA)
    return [path, *([str(beside)] if beside.is_file() else [])]


def read_log(path: str, options: Files) -> Log:
    """A response per rollout, by its reward or a metric; several rollouts of an example are epochs."""
    faults = Faults(path)
    metric = Metric({"metric": REWARD} | options, faults)
    said_of_all = [value_of(file, options, faults) for file in files_of(path, options)[1:]]
    folder = Path(path).absolute().parent  # {environment}--{model}/{id}/
    environment, _, model = folder.parent.name.partition("--")
    known = text(at(said_of_all, 0, "env_id")) or text(at(said_of_all, 0, "env"))
    task = known or (text(environment) if model else None)
    run = text(at(said_of_all, 0, "model")) or text(model.replace("--", "/")) or text(folder.name)
    samples, asked = list[Sample](), Counter[str]()
    for line, value in lines_of(path, EXPECTED, options, faults):
        id = text(at(value, "example_id")) or text(at(value, "id"))
        problem = ["a line without an example_id", EXPECTED] if id is None else []
        more = at(value, "metrics")
        scores = {REWARD: value[REWARD]} if REWARD in value else {}
        scores |= {name: it for name, it in more.items() if number(it) is not None} if isinstance(more, dict) else {}
        if metric.name not in scores and number(at(value, str(metric.name))) is not None:
            scores[str(metric.name)] = value[str(metric.name)]  # older results have metrics beside the reward
        if verdict := metric.verdict(line, scores, list(scores), EXPECTED, problem):
            asked[str(id)] += 1
            verdict = "error" if at(value, "error") else verdict
            question = f"{task}/{id}" if task else str(id)
            response = (line, str(run), question, verdict, asked[str(id)], None, task, answer_of(value))
            prompt, target = passage(at(value, "prompt")), passage(at(value, "answer"))
            samples.append(Sample(*response, asked=prompt, target=target, share=metric.share))
    if metric.name in metric.names:
        metric.check_direction([])
    if faults or not samples:
        return Log([], [], faults)
    name = str(metric.name)
    of_mean = ("avg_reward",) if name == REWARD else ("avg_metrics", name)
    stated = logs.finite(at(said_of_all, 0, *of_mean))
    of_each, each = (whole(at(said_of_all, 0, one)) for one in ("num_examples", "rollouts_per_example"))
    told = of_each * each if of_each and each and min(of_each, each) > 0 else None
    notes = (*metric.notes, *logs.lacking(len(samples), told))
    why = "" if stated is not None else "no metadata.json that states it"
    said = Statement(str(run), name, stated, logs.mean(metric.values), told, why, notes, chosen=metric.chosen)
    return Log(samples, [said], [])


def answer_of(value: dict) -> str | None:
    """The last message of the model, or the text that it completed."""
    completion = at(value, "completion")
    if not isinstance(completion, list):
        return said(completion)
    given = [one for one in records(completion) if at(one, "role") in ("assistant", None)]
    return said(at(given, -1, "content"))
