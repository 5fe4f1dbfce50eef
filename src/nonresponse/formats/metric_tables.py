"""Tables with a row for each response and a column for each metric: what ragas, langsmith and mlflow share."""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import polars as pl

from nonresponse.faults import OWN_BLOCK, Fault, listed, shown
from nonresponse.formats import records
from nonresponse.formats.grades import FALSE, NO_ERROR, TRUE
from nonresponse.formats.logs import (
    OTHERWISE,
    WHICH,
    Log,
    Metric,
    Sample,
    Statement,
    digest,
    is_beside,
    mean,
    passage,
    short,
)
from nonresponse.formats.numbers import real
from nonresponse.formats.roles import measures_other, measures_right
from nonresponse.formats.text import stem
from nonresponse.settings import Files
from nonresponse.wording import plural

WORDS = {**dict.fromkeys(TRUE, 1.0), **dict.fromkeys(FALSE, 0.0), **dict.fromkeys(("nan", "none", "null"))}
EXPECTED = "a number from 0 to 1, yes or no, or nothing where the metric failed"


class Columns(NamedTuple):
    """The names of an export's columns as regular expressions, of which the first that matches counts."""

    metric: str  # its first group is the metric
    question: tuple[str, ...]
    asked: tuple[str, ...]
    answer: tuple[str, ...]
    target: tuple[str, ...]
    error: str = "(?!)"  # the column that tells of a breakdown of the system
    broken: str = ".+"  # the text there that means a breakdown
    reason: str = "(?!)"  # the column with the reason of a metric, which {} stands for
    alone: bool = False  # whether every column that is named like a metric has to hold scores only


def readers(columns: Columns) -> tuple[Callable, Callable, Callable]:
    """The functions `read_log`, `choose` and `fits` of a format with these columns."""
    return partial(read_log, columns=columns), partial(choose, columns=columns), partial(fits, columns=columns)


def read_log(path: str, options: Files, columns: Columns) -> Log:
    """A response per row, by the metric of the options or the only one there is; a repeated question is an epoch."""
    frame, faults = records.read_table(path, options)
    if faults:
        return Log([], [], faults)
    question, asked, answer, target = (first(frame, names) for names in columns[1:5])
    known = metrics_of(frame, columns)
    metrics = {metric: name for metric, name in known.items() if are_scores(frame[name])} or {**known}
    if (named := options.get("metric")) in known:
        metrics[named] = known[named]
    if not question or not metrics:
        faults.add(1, f"the columns {listed(frame.columns[1:])}", "a question, and a metric")
    elif named is None and len(metrics) > 1:
        faults.add(1, f"the metrics {listed(metrics)}", WHICH)
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
    said = Statement(run, str(metric.name), None, mean(metric.values), None, "the file states no mean", metric.notes)
    texts = digest(sorted(sample.asked or "" for sample in samples))
    return Log(samples, [said._replace(texts=texts, chosen=metric.chosen)], [])


def choose(path: str, columns: Columns) -> tuple[dict[str, str], tuple[str, ...]] | Fault:
    """For look.py: the options, which name a metric if there are several, and what they leave open.

    The metric is the one whose name says that it measures correctness, else the only one that may. A fault if none or
    several may.
    """
    frame, _ = records.read_table(path)
    known = {metric: name for metric, name in metrics_of(frame, columns).items() if are_scores(frame[name])}
    may = [metric for metric, name in known.items() if all(map(is_score, frame[name].unique()))]
    may = [metric for metric in may if not measures_other(metric) and not is_beside(metric)]
    right = [metric for metric in may if measures_right(metric)]
    if not right and len(may) != 1:
        found = f"the metrics {listed(known)}, {OTHERWISE}, or are not from 0 to 1"
        return Fault(path, 1, found, "`metric:` in " + OWN_BLOCK)
    metric = (right or may)[0]
    undecided = [f"which metric counts: here {shown(metric)}, of {listed(known)} (`metric:`)"] if len(known) > 1 else []
    undecided += [] if right else [f"whether {shown(metric)} says that an answer is right: here it does"]
    between = sum(one not in (0, 1, None) for one in map(score, frame[known[metric]]))
    undecided += [from_which(metric, between)] if between else []
    return ({"metric": metric} if len(known) > 1 else {}), tuple(undecided)


def from_which(metric: str, between: int) -> str:
    """The open question what values of a metric between 0 and 1 mean, which `between` answers have."""
    part = f"here none is, and {plural(between, 'answer')} partly right (`correct_from:`)"
    return f"from which {shown(metric)} on an answer is right: {part}"


def fits(path: str, columns: Columns) -> bool:
    """For look.py: whether a table has questions, and scores in a column named like a metric.

    If `alone`, all such columns must have them.
    """
    frame, faults = records.read_table(path)
    called = [] if faults else [frame[name] for name in metrics_of(frame, columns).values()]
    others = [one for one in called if not are_scores(one) and one.null_count() < len(one)]
    there = first(frame, columns.question) and len(others) < len(called)
    return bool(there and not (columns.alone and others))


def metrics_of(frame: pl.DataFrame, columns: Columns) -> dict[str, str]:
    """The columns that are called like those of metrics, by metric."""
    return {match[1]: name for name in frame.columns[1:] if (match := re.fullmatch(columns.metric, name))}


def first(frame: pl.DataFrame, patterns: tuple[str, ...]) -> str:
    """The first column that matches the first pattern with a match; "" where no pattern has one."""
    found = (name for pattern in patterns for name in frame.columns if re.fullmatch(pattern, name))
    return next(found, "")


def score(said: str | None) -> float | None:
    """The number that a field says; null where it says none."""
    word = (said or "nan").lower()
    return WORDS[word] if word in WORDS else real(word)


def is_score(said: str | None) -> bool:
    """Whether a field may be the score of a metric from 0 to 1; so may one that is empty or NaN: the metric failed."""
    value = score(said)
    return said is None or said.lower() in WORDS or (value is not None and 0 <= value <= 1)


def are_scores(column: pl.Series) -> bool:
    """Whether a column has scores, on whatever scale, and nothing else."""
    said = column.drop_nulls().unique().to_list()
    return all(is_score(one) or score(one) is not None for one in said) and any(score(one) is not None for one in said)
