"""`format: every-eval-ever`: instance-level data of Every Eval Ever, *_samples.jsonl (docs/formats.md)."""

from pathlib import Path

from nonresponse.faults import listed, shown
from nonresponse.formats import logs
from nonresponse.formats.json_pieces import lines_of, value_of
from nonresponse.formats.logs import Log, Sample, Statement, at, finite, metadata, passage, records, said, text
from nonresponse.formats.text import Faults, stem
from nonresponse.settings import Files
from nonresponse.tasks import VERDICTS

SAMPLES = "_samples"
OURS = "nonresponse_state"  # in the metadata of what nonresponse exported: the verdict itself
EXPECTED = "a line of *_samples.jsonl of Every Eval Ever"
NO_SILENCE = "the schema has no state for silence: what is wrong may be silence, or what nobody scored"


def files_of(path: str, options: Files) -> list[str]:
    """The samples, and the file of their aggregate results if it is there."""
    beside = Path(path).with_name(f"{stem(path).removesuffix(SAMPLES)}.json")
    return [path, *([str(beside)] if stem(path).endswith(SAMPLES) and beside.is_file() else [])]


def read_log(path: str, options: Files) -> Log:
    """A response per sample and epoch, by the evaluation result `metric:`, else the first of each task of a run."""
    faults = Faults(path)
    aggregates = [value_of(file, options, faults) for file in files_of(path, options)[1:]]
    metric, results_of = options.get("metric"), dict[tuple[str | None, str | None], dict[str, None]]()
    samples, scores, texts, told_by_us = list[Sample](), dict[str, list[float | None]](), set[str](), 0
    for line, value in lines_of(path, EXPECTED, options, faults):
        run, task, id = (text(at(value, name)) for name in ("model_id", "evaluation_name", "sample_id"))
        if own := text(at(value, "evaluation_result_id")):  # errors have none
            own_results = results_of.setdefault((run, task), {})
            own_results[own] = None
            if own != (metric or next(iter(own_results))):
                continue
        right, score = at(value, "evaluation", "is_correct"), finite(at(value, "evaluation", "score"))
        if not (run and task and id and isinstance(right, bool)):
            faults.add(line, "a line without model_id, evaluation_name, sample_id or evaluation.is_correct", EXPECTED)
            continue
        failed = text(at(value, "error")) is not None
        partly = right and score is not None and 0 < score < 1  # converters call any score above 0 correct
        verdict = "error" if failed else "partial" if partly else "correct" if right else "wrong"
        state = text(at(value, "metadata", OURS))
        told_by_us += state is not None
        verdict = state if state in VERDICTS else verdict
        asked = text(at(value, "metadata", "epoch")) or "1"
        epoch = int(asked) if asked.isdecimal() and 0 < len(asked) < 10 and int(asked) else 1
        answer = said(at(value, "output", "raw", 0))
        gold = "" if state == "unanswered" and right else None  # a rightful abstention
        response = (line, run, f"{task}/{id}", verdict, epoch, None, task, answer, gold)
        others = at(value, "metadata")
        question, target = passage(at(value, "input", "raw")), passage(at(value, "input", "reference"))
        samples.append(Sample(*response, asked=question, target=target, metadata=metadata(others), share=score))
        scores.setdefault(run, []).append(None if failed else score)
        texts |= {f"{id} {hashed}"} if (hashed := text(at(value, "sample_hash"))) else set()
    every = list(dict.fromkeys(name for names in results_of.values() for name in names))
    without = {run for run, _ in results_of} - {run for (run, _), names in results_of.items() if metric in names}
    if not faults and metric is not None and (without or not every):
        of_run = f" of run {shown(min(map(str, without)))}" if metric in every else ""
        faults.add(0, f"no result {shown(metric)}{of_run}", f"one of {listed(every)}")
    if faults or not samples:
        return Log([], [], faults)
    chosen = [metric] if metric else list(dict.fromkeys(next(iter(names)) for names in results_of.values()))
    tasks = len({task for _, task in results_of})  # with more results than these, runs have different ones of a task
    name, key = (chosen[0], "evaluation_result_id") if chosen else (samples[0].category, "evaluation_name")
    results = [one for one in records(at(aggregates, 0, "evaluation_results")) if at(one, key) == name]
    alone = len(results) == len(scores) == len({sample.category for sample in samples}) == 1
    stated = finite(at(results, 0, "score_details", "score")) if alone else None
    notes = (
        *[NO_SILENCE] * (told_by_us < len(samples)),
        *([f"results {listed(chosen)} of {listed(every)}"] if len(every) > len(chosen) or len(chosen) > tasks else []),
    )
    why = "" if stated is not None else "no aggregate result states it, or there are several"
    told = Statement("", str(name), stated, None, None, why, notes)._replace(texts=logs.digest(sorted(texts)))
    return Log(samples, [told._replace(run=run, recomputed=logs.mean(own)) for run, own in scores.items()], [])
