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
# Of each row, whether its answer is below the threshold, and whether the first answer to its
# question is
BELOW, FIRST = pl.col("below"), pl.col("below_threshold")


def responses(file: str | Path, rows: pl.DataFrame, options: Files, faults: Faults) -> pl.DataFrame:
    """Responses; those below the threshold become unanswered, and their answers candidates."""
    candidate = pl.col("candidate") if "candidate" in rows.columns else pl.lit(None, pl.String)
    withheld = {
        "candidate": pl.when(BELOW).then("answer").otherwise(candidate),
        "answer": pl.when(~BELOW).then("answer"),
        "answered": pl.col("answered") & ~BELOW,
        "failed": pl.col("failed") & ~FIRST,
    }
    of_response = list(tasks.get("qa").key), repeated.RESPONSE, pl.col("answered")
    return at_thresholds(file, rows, options, faults, *of_response, withheld)


def grades(file: str | Path, rows: pl.DataFrame, options: Files, faults: Faults) -> pl.DataFrame:
    """Graded responses; those below the threshold become unanswered, and `withheld` keeps their
    verdicts."""
    unanswered = pl.when(BELOW | FIRST & pl.col("verdict").eq("error"))
    withheld = {
        "withheld": pl.when(BELOW).then("verdict"),
        "verdict": unanswered.then(pl.lit("unanswered")).otherwise("verdict"),
    }
    of_grade = GRADED_KEY, repeated.GRADE, pl.col("verdict").is_in(JUDGED)
    return at_thresholds(file, rows, options, faults, *of_grade, withheld)


def at_thresholds(
    file: str | Path,
    rows: pl.DataFrame,
    options: Files,
    faults: Faults,
    key: list[str],
    said: list[str],
    answered: pl.Expr,
    withheld: dict[str, pl.Expr],
) -> pl.DataFrame:
    """Return the rows at the threshold, if there is one; for a list, the rows at each, with the
    threshold in the names of runs: "m @0.5". An answer without a confidence is a fault."""
    if "answer_from" not in options:
        return rows
    rows = repeated.once(rows, key, said, options.get("duplicates", "fault"))
    wanted = "one, to compare with `answer_from`"
    if "confidence" not in rows.columns:
        faults.add(1, "no column for confidence", wanted)
        return rows
    names = ("assessor", "run", "question", "epoch")
    question = [name for name in names if name in rows.columns]

    def first(value: pl.Expr) -> pl.Expr:
        """Return the value of the first answer to the question, in the rows of all answers."""
        by_rank = value.sort_by(pl.col("rank").fill_null(1)).first().over(question)
        return by_rank if "rank" in rows.columns else value

    confidence = first(pl.col("confidence"))
    reported = pl.col("line").is_in([fault.line for fault in faults])
    lacking = rows.filter(answered & confidence.is_null(), ~reported)
    lacking = lacking.unique("line", maintain_order=True)
    faults.add_rows(lacking, "an answer without a confidence", wanted)
    several, made = isinstance(options["answer_from"], list), []
    run = pl.col("run") if "run" in rows.columns else pl.lit(stem(file))
    for threshold in options["answer_from"] if several else [options["answer_from"]]:
        below = answered & (confidence < threshold)
        cut = rows.with_columns(below=below, below_threshold=first(below)).with_columns(**withheld)
        end = pl.lit(f" @{float(threshold)}".removesuffix(".0"))
        made.append(cut.drop("below").with_columns(run=run + end) if several else cut.drop("below"))
    return pl.concat(made)
