"""Answers whose confidence is below a threshold count as withheld; of several thresholds, each
makes a run of its own.

The first of several answers to a question decides for all: if it is withheld, the question is
unanswered, even where another answer failed or is empty. `below_threshold` tells this to the rules
on the text of answers.

Rows that `duplicates:` drops are dropped before the threshold: their confidence must not decide,
and answers can no longer be distinguished once they are withheld.
"""

from pathlib import Path

import polars as pl

from nonresponse import tasks
from nonresponse.formats import repeated
from nonresponse.formats.text import Faults, stem
from nonresponse.settings import Files
from nonresponse.tables import GRADED_KEY

JUDGED = ("correct", "wrong", "partial", "unscored")  # verdicts on answers that were given


def responses(file: str | Path, rows: pl.DataFrame, options: Files, faults: Faults) -> pl.DataFrame:
    """Responses; those below the threshold become unanswered, and their answers candidates."""
    if "answer_from" not in options:
        return rows
    key, duplicates = list(tasks.get("qa").key), options.get("duplicates", "fault")
    rows = repeated.once(rows, key, repeated.RESPONSE, duplicates)
    candidate = pl.col("candidate") if "candidate" in rows.columns else pl.lit(None, pl.String)
    below = pl.col("answered") & pl.col("below")
    withheld = {
        "candidate": pl.when(below).then("answer").otherwise(candidate),
        "answer": pl.when(~below).then("answer"),
        "answered": pl.col("answered") & ~below,
        "failed": pl.col("failed") & ~first(rows, below),
        "below_threshold": first(rows, below),
    }
    if not fit(rows, pl.col("answered"), faults):
        return rows
    return at_each(file, rows, options["answer_from"], withheld)


def grades(file: str | Path, rows: pl.DataFrame, options: Files, faults: Faults) -> pl.DataFrame:
    """Graded responses; those below the threshold become unanswered, and `withheld` keeps their
    verdicts."""
    if "answer_from" not in options:
        return rows
    rows = repeated.once(rows, GRADED_KEY, repeated.GRADE, options.get("duplicates", "fault"))
    answered = pl.col("verdict").is_in(JUDGED)
    below = answered & pl.col("below")
    below_threshold = first(rows, below)
    unanswered = pl.when(below | below_threshold & pl.col("verdict").eq("error"))
    withheld = {
        "withheld": pl.when(below).then("verdict"),
        "verdict": unanswered.then(pl.lit("unanswered")).otherwise("verdict"),
        "below_threshold": below_threshold,
    }
    if not fit(rows, answered, faults):
        return rows
    return at_each(file, rows, options["answer_from"], withheld)


def fit(rows: pl.DataFrame, answered: pl.Expr, faults: Faults) -> bool:
    """Return whether there are confidences to compare with a threshold; an answer without one is a
    fault."""
    wanted = "one, to compare with `answer_from`"
    if "confidence" not in rows.columns:
        faults.add(1, "no column for confidence", wanted)
        return False
    reported = pl.col("line").is_in([fault.line for fault in faults])
    none = first(rows, pl.col("confidence")).is_null()
    lacking = rows.filter(answered & none, ~reported).unique("line", maintain_order=True)
    faults.add_rows(lacking, "an answer without a confidence", wanted)
    return True


def first(rows: pl.DataFrame, value: pl.Expr) -> pl.Expr:
    """Return the value of the first answer to a question, in the rows of all answers to it."""
    if "rank" not in rows.columns:
        return value
    question = [name for name in ("assessor", "run", "question", "epoch") if name in rows.columns]
    return value.sort_by(pl.col("rank").fill_null(1)).first().over(question)


def at_each(
    file: str | Path, rows: pl.DataFrame, thresholds: float | list[float], withheld: dict
) -> pl.DataFrame:
    """Return the rows at one threshold; for a list, the rows at each, with the threshold in the
    names of runs: "m @0.5"."""
    if not isinstance(thresholds, list):
        rows = rows.with_columns(below=first(rows, pl.col("confidence")) < thresholds)
        return rows.with_columns(**withheld).drop("below")
    run = pl.col("run") if "run" in rows.columns else pl.lit(stem(file))
    ends = {
        threshold: pl.lit(" @" + str(float(threshold)).removesuffix(".0"))
        for threshold in thresholds
    }
    return pl.concat(
        at_each(file, rows, threshold, withheld).with_columns(run=run + end)
        for threshold, end in ends.items()
    )
