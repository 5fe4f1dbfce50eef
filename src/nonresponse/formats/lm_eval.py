"""`format: lm-eval`: samples_*.jsonl of the LM Evaluation Harness, with the results beside it (docs/logs.md)."""

import re
from pathlib import Path

from nonresponse.faults import listed, shown
from nonresponse.formats import logs
from nonresponse.formats.json_pieces import lines_of, value_of
from nonresponse.formats.logs import Log, Metric, Sample, Statement, at, number, passage, records, said, text
from nonresponse.formats.text import Faults, stem
from nonresponse.settings import Files

NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d\d-\d\dT[0-9.:-]+))?")
OURS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}  # not metrics
ASKED = ("question", "query", "problem", "input")  # what tasks call the question
EXPECTED = "a line of samples_*.jsonl of lm-eval"


def files_of(path: str, options: Files) -> list[str]:
    """The samples, and the results of the same date, else the only ones in the folder, if these are there."""
    there = sorted(str(file) for file in Path(path).parent.glob("results_*.json"))
    name = NAME.fullmatch(stem(path))
    dated = [file for file in there if name and name["date"] and stem(file) == f"results_{name['date']}"]
    return [path, *(dated[:1] or (there if len(there) == 1 else []))]


def read_log(path: str, options: Files) -> Log:
    """A response per document, by one filter and one metric; the results state the mean of this metric."""
    faults = Faults(path)
    results = [value_of(file, options, faults) for file in files_of(path, options)[1:]]
    name = NAME.fullmatch(stem(path))
    task = str(text(name["task"] if name else stem(path)))
    run = str(text(at(results, 0, "model_name")) or text(Path(path).absolute().parent.name))
    filter, metric = options.get("filter"), Metric(options, faults)
    samples: list[Sample] = []
    filters: dict[str, None] = {}
    texts: set[str] = set()
    for line, doc in lines_of(path, EXPECTED, options, faults):
        own = text(doc.get("filter")) or "none"
        filters[own] = None
        filter = filter or own
        if own != filter:
            continue
        id = text(doc.get("doc_id"))
        problem = [f"the doc_id {shown(doc.get('doc_id'))}", "the number of a document"] if id is None else []
        if verdict := metric.verdict(line, doc, metrics_of(doc), EXPECTED, problem):
            answer, confidence = answer_of(doc, metric.name, metric.names)
            asked = passage(*map(document.get, ASKED)) if isinstance(document := doc.get("doc"), dict) else None
            target = passage(choice(doc, doc.get("target")), doc.get("target"))
            known = (line, run, f"{task}/{id}", verdict, 1, confidence, task, answer)
            samples.append(Sample(*known, asked=asked, target=target, share=metric.share))
            if own_text := text(doc.get("doc_hash")):
                texts.add(f"{id} {own_text}")
    listed_there = records(at(results, 0, "configs", task, "metric_list"))
    of_metric = [one for one in listed_there if at(one, "metric") == metric.name]
    if metric.name in metric.names:
        own_direction = at(results, 0, "higher_is_better", task, str(metric.name))
        metric.check_direction([own_direction, *(at(one, "higher_is_better") for one in of_metric)])
    if filters and filter not in filters:
        faults.add(0, f"no filter {shown(filter)}", f"one of {listed(filters)}")
    if faults or not samples:
        return Log([], [], faults)
    chosen = [f"filter {shown(filter)} of {listed(filters)}"] if len(filters) > 1 else []
    notes = [*metric.notes]
    effective, original = (logs.whole(at(results, 0, "n-samples", task, name)) for name in ("effective", "original"))
    if effective is not None:
        notes += [f"limited to {effective} of {original} documents"] if effective < (original or 0) else []
    notes += logs.lacking(len({sample.question for sample in samples}), effective)
    measure = f"{metric.name},{filter}"
    stated = logs.finite(at(results, 0, "results", task, measure))
    aggregation = at(of_metric, -1, "aggregation") or "mean"
    why = f"its results state no {measure} of {task}" if stated is None else ""
    why = f"aggregated by {shown(aggregation)}" if aggregation != "mean" else why
    recomputed = None if why else logs.mean(metric.values)
    why = why if results else "no results_*.json beside it"
    statement = Statement(run, measure, stated, recomputed, effective, why, tuple(notes))
    statement = statement._replace(texts=logs.digest(sorted(texts)) if texts else "", chosen=(*chosen, *metric.chosen))
    return Log(samples, [statement], [])


def choose(path: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """For look.py: a metric, if the names of several do not tell which counts, and that open question."""
    return logs.ask_which(next((metrics_of(doc) for _, doc in lines_of(path, EXPECTED, {}, [])), []))


def metrics_of(doc: dict) -> list[str]:
    """The names of a line's metrics: as listed, else (in older versions) all keys with numbers that are not OURS."""
    named = doc.get("metrics")
    if isinstance(named, list):
        return [name for name in named if isinstance(name, str) and name in doc]
    return [name for name, value in doc.items() if name not in OURS and number(value) is not None]


def answer_of(doc: dict, metric: str | None, metrics: list[str]) -> tuple[str | None, float | None]:
    """The output and null, or the likeliest choice and its probability; `acc_norm` divides by the length of choices."""
    given = doc.get("filtered_resps")
    given = given if isinstance(given, list) else []
    if not ({*map(type, given)} <= {list} and {*map(len, given)} <= {2}):  # not a likelihood for each choice
        return ("" if given[0] is None else said(given[0])), None  # a blocked answer may be null
    if "acc_mutual_info" in metrics and len(given) % 2 == 0:  # the second half are likelihoods without the question
        given = given[: len(given) // 2]
    try:
        scores = [float(score) for score, _ in given]
        if metric == "acc_norm":
            scores = [score / len(choice(doc, place).removeprefix(" ")) for place, score in enumerate(scores)]
    except (ValueError, TypeError, ZeroDivisionError):
        return None, None
    best = logs.softmax(scores)
    return (choice(doc, best[0]) or None, best[1]) if best else (None, None)


def choice(doc: dict, place: object) -> str:
    """The text of a choice by its number; empty if there is none, as for a target that is no number."""
    arguments = doc.get("arguments")
    given = arguments.get(f"gen_args_{place}") if isinstance(arguments, dict) else None
    return (text(given.get("arg_1")) or "") if isinstance(given, dict) else ""
