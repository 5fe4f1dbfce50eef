"""`format: lm-eval`: samples_*.jsonl of the LM Evaluation Harness, with the results beside it (docs/formats.md)."""

import re
from pathlib import Path

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats.json_pieces import lines_of, value_of
from nonresponse.formats.logs import (
    Log,
    Sample,
    Statement,
    at,
    errors_only,
    finite,
    mean,
    number,
    records,
    said,
    softmax,
    text,
    verdict_of,
    whole,
)
from nonresponse.formats.text import stem

NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d\d-\d\dT[0-9.:-]+))?")
OURS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}  # no metrics, these
MISSING = object()  # a metric that a line does not have
EXPECTED = "a line of samples_*.jsonl of lm-eval"


def files_of(path: str, options: dict) -> list[str]:
    """The samples and their results, if these are there."""
    results = results_of(path)
    return [path, *([results] if results else [])]


def results_of(path: str) -> str | None:
    """The results of the same date; of samples without a date, or without such results, the only ones in the folder."""
    found = sorted(str(file) for file in Path(path).parent.glob("results_*.json"))
    name = NAME.fullmatch(stem(path))
    dated = [file for file in found if name and name["date"] and stem(file) == f"results_{name['date']}"]
    return dated[0] if dated else found[0] if len(found) == 1 else None


def read_log(path: str, options: dict) -> Log:
    """A response per document, by one filter and one metric; their mean is what the results state."""
    faults: list[Fault] = []
    file = results_of(path)
    results = value_of(file, options, faults) if file else None
    name = NAME.fullmatch(stem(path))
    task = text(name["task"]) if name else text(stem(path))
    run = text(at(results, "model_name")) or text(Path(path).absolute().parent.name)
    filter, metric = options.get("filter"), options.get("metric")
    metrics: list[str] = []
    samples: list[Sample] = []
    values: list[float | None] = []
    filters: dict[str, None] = {}
    for line, doc in lines_of(path, EXPECTED, options, faults):
        own = text(at(doc, "filter")) or "none"
        filters[own] = None
        filter = filter or own
        if own != filter:
            continue
        metrics = metrics or metrics_of(doc)
        metric = metric or ("acc" if "acc" in metrics else metrics[0] if metrics else None)
        given, id = doc.get(str(metric), MISSING), text(at(doc, "doc_id"))
        value = number(given)
        if given is MISSING:
            expected = f"one of {listed(metrics_of(doc))}" if metrics_of(doc) else EXPECTED
            faults.append(Fault(path, line, f"no metric {shown(metric)}" if metric else "no metric", expected))
        elif id is None:
            faults.append(Fault(path, line, f"the doc_id {shown(at(doc, 'doc_id'))}", "the number of a document"))
        elif (verdict := verdict_of(value, options.get("best", 1))) is None or (value is None and given is not None):
            faults.append(Fault(path, line, f"the {metric} {shown(given)}", "a number from 0 to 1"))
        else:
            answer, confidence = answer_of(doc, str(metric), metrics)
            samples.append(Sample(line, str(run), f"{task}/{id}", verdict, 1, confidence, task, answer))
            values.append(value)
    if metric in metrics and "best" not in options:
        faults += errors_only(path, metric, directions(results, str(task), metric))
    if filters and filter not in filters:
        faults.append(Fault(path, 0, f"no filter {shown(filter)}", f"one of {listed(filters)}"))
    if faults or not samples:
        return Log([], [], faults)
    notes = [f"filter {shown(filter)} of {listed(filters)}"] if len(filters) > 1 else []
    notes += [f"metric {shown(metric)} of {listed(metrics)}"] if len(metrics) > 1 else []
    said = statement(str(run), str(task), (str(metric), str(filter)), results, samples, values, notes)
    return Log(samples, [said if file else said._replace(why="no results_*.json beside it")], [])


def metrics_of(doc: dict) -> list[str]:
    """The names of a line's metrics, by older versions not listed."""
    listed_there = at(doc, "metrics")
    if isinstance(listed_there, list):
        return [name for name in listed_there if isinstance(name, str) and name in doc]
    return [name for name, value in doc.items() if name not in OURS and number(value) is not None]


def directions(results: object, task: str, metric: str | None) -> list[object]:
    """What the results say of a metric of a task: whether more of it is better."""
    listed_there = records(at(results, "configs", task, "metric_list"))
    own = [at(one, "higher_is_better") for one in listed_there if at(one, "metric") == metric]
    return [at(results, "higher_is_better", task, str(metric)), *own]


def answer_of(doc: dict, metric: str, metrics: list[str]) -> tuple[str | None, float | None]:
    """What was generated, or the choice that is likeliest and how likely it is among them.

    `acc_norm` divides the log-likelihood of a choice by its length, without the blank before it.
    """
    given = at(doc, "filtered_resps")
    if not isinstance(given, list) or not given:
        return None, None
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in given):
        return ("" if given[0] is None else said(given[0])), None  # a null is what a blocked answer may leave
    if "acc_mutual_info" in metrics and len(given) % 2 == 0:  # the second half is without the question
        given = given[: len(given) // 2]
    choices = [at(doc, "arguments", f"gen_args_{place}", "arg_1") for place in range(len(given))]
    try:
        scores = [float(pair[0]) for pair in given]
    except (ValueError, TypeError):
        return None, None
    if metric == "acc_norm":
        lengths = [len(choice.removeprefix(" ")) if isinstance(choice, str) else 0 for choice in choices]
        if not all(lengths):
            return None, None
        scores = [score / length for score, length in zip(scores, lengths, strict=True)]
    best = softmax(scores)
    return (text(choices[best[0]]), best[1]) if best else (None, None)


def statement(
    run: str,
    task: str,
    by: tuple[str, str],
    results: object,
    samples: list[Sample],
    values: list[float | None],
    notes: list[str],
) -> Statement:
    """The result of the task by this metric and filter, and the mean of the samples."""
    effective = whole(at(results, "n-samples", task, "effective"))
    original = whole(at(results, "n-samples", task, "original"))
    there = len({sample.question for sample in samples})
    if effective is not None and original is not None and effective < original:
        notes.append(f"limited to {effective} of {original} documents")
    if effective is not None and there < effective:
        notes.append(f"{there} of {effective} samples in the log")
    measure = ",".join(by)
    stated = finite(at(results, "results", task, measure))
    listed_there = records(at(results, "configs", task, "metric_list"))
    aggregation = {at(one, "metric"): at(one, "aggregation") for one in listed_there}.get(by[0]) or "mean"
    why = f"its results state no {measure} of {task}" if stated is None else ""
    if aggregation != "mean":
        why = f"aggregated by {shown(aggregation)}"
    return Statement(run, measure, stated, None if why else mean(values), effective, why, tuple(notes))
