"""Tables with a row for each response and a column for each metric: what ragas, langsmith and mlflow share."""

import re
from collections import Counter
from typing import NamedTuple

import polars as pl

from nonresponse.faults import listed
from nonresponse.formats import records
from nonresponse.formats.deepeval import short
from nonresponse.formats.grades import NO_ERROR
from nonresponse.formats.logs import Log, Metric, Sample, Statement, digest, mean, passage
from nonresponse.formats.numbers import real
from nonresponse.formats.text import stem

WORDS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0, "nan": None, "none": None, "null": None}
EXPECTED = "a number from 0 to 1, yes or no, or nothing where the metric failed"


class Columns(NamedTuple):
    """What the columns of an export are called: regular expressions, the first of which that fits counts."""

    metric: str  # its first group is the metric
    question: tuple[str, ...]
    asked: tuple[str, ...]
    answer: tuple[str, ...]
    target: tuple[str, ...]
    error: str = "(?!)"  # what the system's breakdown is in
    broken: str = ".+"  # what says there that it broke down
    reason: str = "(?!)"  # why a metric says so, with the metric as {}


def read_log(path: str, options: dict, columns: Columns) -> Log:
    """A response per row, by the metric that is named or the only one there is; what is asked again is an epoch."""
    frame, faults = records.read_table(path, {name: options[name] for name in ("unpacked",) if name in options})
    if faults:
        return Log([], [], faults)
    question, asked, answer, target = (first(frame, names) for names in columns[1:5])
    known = {name: match[1] for name in frame.columns[1:] if (match := re.fullmatch(columns.metric, name))}
    metrics = {metric: name for name, metric in known.items() if are_scores(frame[name])}
    metrics = metrics or {metric: name for name, metric in known.items()}
    if (named := options.get("metric")) in known.values():
        metrics |= {metric: name for name, metric in known.items() if metric == named}
    if not question or not metrics:
        faults.add(1, f"the columns {listed(frame.columns[1:])}", "a question, and a metric")
    elif named is None and len(metrics) > 1:
        faults.add(1, f"the metrics {listed(metrics)}", "which of them counts: `metric:` in config.yaml")
    elif named is not None and named not in metrics:
        faults.add(1, f"no metric {named!r}", f"one of {listed(metrics)}")
    if faults:
        return Log([], [], faults)
    metric = Metric({"metric": next(iter(metrics))} | options, faults)
    metric.check_direction([])
    column = metrics[str(metric.name)]
    error = first(frame, (columns.error,))
    reason = first(frame, (columns.reason.format(re.escape(str(metric.name))),))
    run, times, samples = stem(path), Counter[str](), list[Sample]()
    for row in frame.iter_rows(named=True):
        id = row[question]
        if id is None:
            faults.add(row["line"], f"nothing in {question}", "a question")
            continue
        times[id] += 1
        scores = {name: score(row[own]) for name, own in metrics.items() if own == column or is_score(row[own])}
        problem = [] if is_score(row[column]) else [f"the {metric.name} {row[column]!r}", EXPECTED]
        failed = row.get(error) or ""
        broken = failed.lower() not in NO_ERROR and re.fullmatch(columns.broken, failed, re.DOTALL)
        verdict = "error" if broken else metric.verdict(row["line"], scores, list(metrics), EXPECTED, problem)
        if verdict:
            of_people = passage(row.get(asked)), passage(row.get(target)), passage(row.get(reason))
            said = (row[answer] or "") if answer else None
            response = (row["line"], run, short(id), verdict, times[id], None, None, said, None, False)
            samples.append(Sample(*response, *of_people, share=None if broken else metric.share))
    if faults:
        return Log([], [], faults)
    texts, notes = digest(sorted(sample.asked or "" for sample in samples)), tuple(metric.notes())
    why = "the file states no mean"
    return Log(
        samples, [Statement(run, str(metric.name), None, mean(metric.values), None, why, notes, texts=texts)], []
    )


def first(frame: pl.DataFrame, patterns: tuple[str, ...]) -> str:
    """The column that the first of these patterns that has any finds; "" where none has."""
    found = (name for pattern in patterns for name in frame.columns if re.fullmatch(pattern, name))
    return next(found, "")


def score(said: str | None) -> float | None:
    """The number that a field says; null where it says none."""
    word = (said or "nan").lower()
    return WORDS[word] if word in WORDS else real(word)


def is_score(said: str | None) -> bool:
    """Whether a field is one of a metric from 0 to 1, that of a metric that failed among them."""
    value = score(said)
    return said is None or said.lower() in WORDS or (value is not None and 0 <= value <= 1)


def are_scores(column: pl.Series) -> bool:
    """Whether a column has what metrics have, of whatever scale, and nothing else."""
    said = column.drop_nulls().unique().to_list()
    return all(is_score(one) or score(one) is not None for one in said) and any(score(one) is not None for one in said)
