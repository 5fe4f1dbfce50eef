"""Which rows of a table count: `duplicates:` drops some about the same response, `answer_from:`
withholds answers below a threshold.

Of several thresholds, each makes a run of its own. The first of several answers to a question
decides for all: if it is withheld, the question is unanswered, even where another answer failed or
is empty. `below_threshold` tells this to the rules on the text of answers.

Rows that `duplicates:` drops are dropped before the threshold: their confidence must not decide,
and answers can no longer be distinguished once they are withheld.
"""

from pathlib import Path

import polars as pl

from nonresponse import tasks
from nonresponse.formats.text import Faults, get_stem
from nonresponse.settings import Files
from nonresponse.tables import DEFAULTS, GRADED_KEY

KEPT = " (`duplicates: same` in config.yaml drops those that say the same; first and last keep one)"

RESPONSE = ["answer", "answered", "nil", "failed"]  # what is said of a response
GRADE = ["verdict", "missing", "positive"]  # and of a graded one
UNSCORED = {"verdict": "unscored", "missing": False, "positive": None}  # where rows contradict
JUDGED = ("correct", "wrong", "partial", "unscored")  # verdicts on answers that were given
# Of each row, whether its answer is below the threshold, and whether the first answer to its
# question is
BELOW, FIRST = pl.col("below"), pl.col("below_threshold")


def once(rows: pl.DataFrame, key: list[str], content: list[str], duplicates: str) -> pl.DataFrame:
    """Return the rows without those that `duplicates` drops: all but the `first` or `last` of each
    key within a file.

    `same` drops rows that say the same about the same key as an earlier one; `unscored` does so,
    too, and then replaces several rows of a key by one unscored row; `fault` and `epochs` drop
    none, and return the rows as they are. Otherwise rows are in the order of their files, and
    `dropped` is the number of rows dropped in favour of each.
    """
    if duplicates in ("fault", "epochs"):
        return rows

    def columns(*names: str) -> list[pl.Expr]:
        there = [name for name in names if name in rows.columns]
        return [pl.col(name).fill_null(pl.lit(DEFAULTS.get(name))) for name in there]

    own, places = columns("file", *key), [name for name in ("file", "line") if name in rows.columns]
    of = own + columns(*content) if duplicates in ("same", "unscored") else own
    last = duplicates == "last"
    kept = pl.struct(of).is_last_distinct() if last else pl.struct(of).is_first_distinct()
    rows = rows.sort(places, maintain_order=True).with_columns(dropped=pl.len().over(of) - 1)
    rows = rows.filter(kept)
    if duplicates != "unscored":
        return rows
    torn = pl.len().over(own) > 1
    values = {name: value for name, value in UNSCORED.items() if name in rows.columns}
    unscored = (
        pl.when(torn).then(pl.lit(value)).otherwise(name).alias(name)
        for name, value in values.items()
    )
    dropped = (pl.col("dropped") + 1).sum().over(own) - 1
    rows = rows.with_columns(*unscored, dropped=dropped)
    return rows.filter(pl.struct(own).is_first_distinct())


def wanted(options: Files) -> str:
    """Return the `duplicates:` to apply to a reader's rows: "fault" with a threshold, for which the
    reader has applied it."""
    return "fault" if "answer_from" in options else options.get("duplicates", "fault")


def remark(options: Files) -> str:
    """Return what a fault on duplicates adds: the option, where the format has it."""
    return KEPT if options["format"] == "tabular" else ""


def responses(file: str | Path, rows: pl.DataFrame, options: Files, faults: Faults) -> pl.DataFrame:
    """Return responses; those below the threshold become unanswered, their answers candidates."""
    candidate = pl.col("candidate") if "candidate" in rows.columns else pl.lit(None, pl.String)
    withheld = {
        "candidate": pl.when(BELOW).then("answer").otherwise(candidate),
        "answer": pl.when(~BELOW).then("answer"),
        "answered": pl.col("answered") & ~BELOW,
        "failed": pl.col("failed") & ~FIRST,
    }
    of_response = list(tasks.get("qa").key), RESPONSE, pl.col("answered")
    return at_thresholds(file, rows, options, faults, *of_response, withheld)


def grades(file: str | Path, rows: pl.DataFrame, options: Files, faults: Faults) -> pl.DataFrame:
    """Return graded responses; of those withheld, `withheld` keeps the verdicts."""
    unanswered = pl.when(BELOW | FIRST & pl.col("verdict").eq("error"))
    withheld = {
        "withheld": pl.when(BELOW).then("verdict"),
        "verdict": unanswered.then(pl.lit("unanswered")).otherwise("verdict"),
    }
    of_grade = GRADED_KEY, GRADE, pl.col("verdict").is_in(JUDGED)
    return at_thresholds(file, rows, options, faults, *of_grade, withheld)


def at_thresholds(
    file: str | Path,
    rows: pl.DataFrame,
    options: Files,
    faults: Faults,
    key: list[str],
    content: list[str],
    answered: pl.Expr,
    withheld: dict[str, pl.Expr],
) -> pl.DataFrame:
    """Return the rows at the threshold, if there is one; for a list, the rows at each, with the
    threshold in the names of runs: "m @0.5". An answer without a confidence is a fault."""
    if "answer_from" not in options:
        return rows
    rows = once(rows, key, content, options.get("duplicates", "fault"))
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
    run = pl.col("run") if "run" in rows.columns else pl.lit(get_stem(file))
    for threshold in options["answer_from"] if several else [options["answer_from"]]:
        below = answered & (confidence < threshold)
        cut = rows.with_columns(below=below, below_threshold=first(below)).with_columns(**withheld)
        end = pl.lit(f" @{float(threshold)}".removesuffix(".0"))
        made.append(cut.drop("below").with_columns(run=run + end) if several else cut.drop("below"))
    return pl.concat(made)
