"""Scores corrected for a judge's errors: a row per judge and run of which the official assessor judged part."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from nonresponse.reliability import corrections
from nonresponse.reliability.judges import called
from nonresponse.reliability.subsets import stream
from nonresponse.tasks import NOT_ASKED

CORRECTED = {
    "judge": pl.String,
    "run": pl.String,
    "questions": pl.Int64,
    "twice": pl.Int64,  # responses that the official assessor judged, and the judge
    "others": pl.Int64,  # that the judge alone judged
    "as_judged": pl.Float64,  # accuracy by the judge, of all that it judged; so are all that follow
    "official": pl.Float64,  # by the official assessor alone, on what both judged
    "official_lower": pl.Float64,
    "official_upper": pl.Float64,
    "ppi": pl.Float64,  # prediction-powered (PPI++)
    "ppi_lower": pl.Float64,
    "ppi_upper": pl.Float64,
    "ppi_weight": pl.Float64,  # that it gives to the judge, 0 to 1
    "rogan_gladen": pl.Float64,  # by the judge's errors on this run; null = none, or the judge is no better than chance
    "rogan_gladen_lower": pl.Float64,
    "rogan_gladen_upper": pl.Float64,
    "pooled": pl.Float64,  # the same by its errors on all runs; null where these differ between them, too
    "pooled_lower": pl.Float64,
    "pooled_upper": pl.Float64,
}
PREFIXES = ("official", "ppi", "rogan_gladen", "pooled")  # of estimates with an interval

DIFFERS = {
    "sensitivity_p": pl.Float64,  # p-value of one sensitivity on all runs; null = of fewer than two runs known
    "specificity_p": pl.Float64,
}


def differences(cases: pl.DataFrame, judge: str, seed: int) -> dict[str, float | None]:
    """DIFFERS, from the rows of judges.crossed of one judge."""
    both = twice_judged(cases)
    if both.is_empty():
        return dict.fromkeys(DIFFERS)
    tables = np.array([squares(rows) for _, rows in sorted(both.partition_by("run", as_dict=True).items())])
    draw = stream(seed, "judges", "errors", judge)
    return {
        "sensitivity_p": corrections.differs(tables[:, 1, 1], tables[:, 1].sum(axis=1), draw),
        "specificity_p": corrections.differs(tables[:, 0, 0], tables[:, 0].sum(axis=1), draw),
    }


def twice_judged(cases: pl.DataFrame) -> pl.DataFrame:
    """The rows of what both assessors judged."""
    return cases.filter(pl.col("theirs") != "unscored", pl.col("ours") != "unscored")


def squares(known: pl.DataFrame) -> np.ndarray:
    """[i, j] = how many responses are officially correct (i = 1) or not (0), and by the judge (j)."""
    number = called(known)
    return np.array([[number[bool(theirs), bool(ours)] for theirs in (0, 1)] for ours in (0, 1)])


def questions_of(verdicts: Path, official: str) -> dict[str, int]:
    """How many of the questions that runs are compared on each was asked, samples of one counted each."""
    asked = pl.col("compared") & (pl.col("verdict") != NOT_ASKED)
    rows = pl.scan_parquet(verdicts).filter(asked & (pl.col("assessor") == official))
    return dict(rows.group_by("run").agg(pl.len()).collect().rows())


def table(cases: pl.DataFrame, official: str, questions: dict[str, int], level: float) -> pl.DataFrame:
    """CORRECTED, by judge and run, from judges.crossed; no rows where there is nothing to correct.

    Accuracy is the share of correct ones among the responses that were to be judged, times these over the questions:
    what nobody had to judge is not correct, and what the judge failed to judge is taken to be like the rest.
    """
    rows = []
    for (judge,), own in sorted(cases.filter(pl.col("judge") != official).partition_by("judge", as_dict=True).items()):
        every = squares(twice_judged(own))
        for (run,), of_run in sorted(own.partition_by("run", as_dict=True).items()):
            both = squares(twice_judged(of_run))
            alone = of_run.filter(pl.col("theirs") != "unscored", pl.col("ours") == "unscored")
            others = int(alone["responses"].sum())
            if both.sum() and others:
                right = int(alone.filter(pl.col("theirs") == "correct")["responses"].sum())
                share = int(of_run["responses"].sum()) / questions[run]
                known = {"judge": judge, "run": run, "questions": questions[run]}
                known |= {"twice": int(both.sum()), "others": others}
                rows.append(known | estimates(both, every, others, right, level, share))
    return pl.DataFrame(rows, CORRECTED)


def estimates(both: np.ndarray, every: np.ndarray, others: int, right: int, level: float, share: float) -> dict:
    """The estimates of one run, times the share of its questions that has a response to judge.

    `both` are the squares of the run, `every` those of all; of `others`, which the judge alone judged, it calls `right`
    correct.
    """
    as_judged = (both[:, 1].sum() + right) / (both.sum() + others)
    alone, _ = corrections.prediction_powered(both, others, right, level, 0.0)
    ppi, weight = corrections.prediction_powered(both, others, right, level)
    own, pooled = (by_errors(squares, others, right, level) for squares in (both, every))
    found = dict(zip(PREFIXES, (alone, ppi, own, pooled), strict=True))
    row = {"as_judged": as_judged * share, "ppi_weight": weight}
    for name, interval in found.items():
        for end, value in zip(("", "_lower", "_upper"), interval or (None,) * 3, strict=True):
            row[f"{name}{end}"] = None if value is None else corrections.cut(value) * share
    return row


def by_errors(both: np.ndarray, others: int, right: int, level: float) -> corrections.Interval | None:
    """rogan_gladen with the errors of these squares; None where nothing is officially correct, or all is."""
    wrong, correct = both.sum(axis=1)
    if not wrong or not correct:
        return None
    q0, q1 = both[0, 0] / wrong, both[1, 1] / correct
    return corrections.rogan_gladen(right / others, others, q0, int(wrong), q1, int(correct), level)


def unequal(judges: pl.DataFrame, level: float) -> list[str]:
    """The judges whose errors differ between runs beyond chance, from the table of judges."""
    differs = (pl.col("sensitivity_p") <= level) | (pl.col("specificity_p") <= level)
    return judges.filter(differs)["judge"].to_list()


def without_pooled(scores: pl.DataFrame, judges: pl.DataFrame, level: float) -> pl.DataFrame:
    """CORRECTED without scores by the errors of all runs, of judges whose errors differ between them."""
    misleading = pl.col("judge").is_in(unequal(judges, level))
    pooled = pl.col("pooled", "pooled_lower", "pooled_upper")
    return scores.with_columns(pl.when(~misleading).then(pooled))
