"""Which rows of a table count, by `duplicates:` and by `answer_from:`.

`duplicates:` drops rows on the same response, `answer_from:` withholds answers below a threshold.
Of several thresholds, each makes a run of its own. The first of several answers to a question
decides for all: if it is withheld, the question is unanswered, even where another answer failed or
is empty. `below_threshold` tells this to the rules on the text of answers.

Rows that `duplicates:` drops are dropped before the threshold: their confidence must not decide,
and answers can no longer be distinguished once they are withheld.
"""

from pathlib import Path
from typing import NamedTuple

import polars as pl

from nonresponse import tasks
from nonresponse.formats.text import Faults, get_stem
from nonresponse.settings import Files
from nonresponse.tables import DEFAULTS, GRADED_KEY

CONTRADICTION = {"verdict": "unscored", "missing": False, "positive": None}  # if grades differ
ANSWER_VERDICTS = ("correct", "wrong", "partial", "unscored")  # verdicts on answers that were given
# Whether the answer of a row is below the threshold, and whether the first to its question is
IS_BELOW, FIRST_IS_BELOW = pl.col("below"), pl.col("below_threshold")


class Kind(NamedTuple):
    """Rows that are responses, or graded ones."""

    key: list[str]
    content: list[str]  # columns in which rows with the same key may differ
    answered: pl.Expr
    withheld: dict[str, pl.Expr]  # its columns where answers below the threshold are withheld


# An answer that is withheld becomes a candidate; `withheld` keeps the verdict on it.
RESPONSES = Kind(
    list(tasks.get("qa").key),
    ["answer", "answered", "nil", "failed"],
    pl.col("answered"),
    {
        "candidate": pl.when(IS_BELOW).then("answer").otherwise("candidate"),
        "answer": pl.when(~IS_BELOW).then("answer"),
        "answered": pl.col("answered") & ~IS_BELOW,
        "failed": pl.col("failed") & ~FIRST_IS_BELOW,
    },
)
GRADES = Kind(
    GRADED_KEY,
    ["verdict", "missing", "positive"],
    pl.col("verdict").is_in(ANSWER_VERDICTS),
    {
        "withheld": pl.when(IS_BELOW).then("verdict"),
        "verdict": pl.when(IS_BELOW | FIRST_IS_BELOW & pl.col("verdict").eq("error"))
        .then(pl.lit("unanswered"))
        .otherwise("verdict"),
    },
)


def drop_duplicates(
    rows: pl.DataFrame, key: list[str], content: list[str], duplicates: str
) -> pl.DataFrame:
    """Return the rows without those that `duplicates` drops.

    `first` and `last` keep one row of each key within a file. `same` drops rows whose key and
    content are those of an earlier one. `unscored` does so, too, and then replaces several rows of
    a key by one unscored row. `fault` and `epochs` return the rows as they are. Otherwise rows are
    in the order of their files, and `dropped` is the number of rows dropped in favour of each.
    """
    if duplicates in ("fault", "epochs"):
        return rows

    def columns(*names: str) -> list[pl.Expr]:
        present = [name for name in names if name in rows.columns]
        return [pl.col(name).fill_null(pl.lit(DEFAULTS.get(name))) for name in present]

    position = [name for name in ("file", "line") if name in rows.columns]
    file_key = columns("file", *key)
    distinct = file_key + columns(*content) if duplicates in ("same", "unscored") else file_key
    row = pl.struct(distinct)
    is_kept = row.is_last_distinct() if duplicates == "last" else row.is_first_distinct()
    rows = rows.sort(position, maintain_order=True)
    rows = rows.with_columns(dropped=pl.len().over(distinct) - 1).filter(is_kept)
    if duplicates != "unscored":
        return rows
    is_contradictory = pl.len().over(file_key) > 1
    unscored = (
        pl.when(is_contradictory).then(pl.lit(value)).otherwise(name).alias(name)
        for name, value in CONTRADICTION.items()
        if name in rows.columns
    )
    dropped = (pl.col("dropped") + 1).sum().over(file_key) - 1
    rows = rows.with_columns(*unscored, dropped=dropped)
    return rows.filter(pl.struct(file_key).is_first_distinct())


def choose_duplicates(options: Files) -> str:
    """Return the `duplicates:` that a reader left to apply: "fault" with a threshold."""
    return "fault" if "answer_from" in options else options.get("duplicates", "fault")


def suggest_option(options: Files) -> str:
    """Return what a fault on duplicates adds: the option, where the format has it."""
    if options["format"] != "tabular":
        return ""
    drops = "drops those that say the same; first and last keep one"
    return f" (`duplicates: same` in config.yaml {drops})"


def choose_rows(
    file: str | Path, rows: pl.DataFrame, options: Files, kind: Kind, faults: Faults
) -> pl.DataFrame:
    """Return the rows at the threshold, if there is one. An answer without confidence is a fault.

    For a list, return the rows at each threshold, with it in the names of runs: "m @0.5".
    """
    if "answer_from" not in options:
        return rows
    rows = drop_duplicates(rows, kind.key, kind.content, options.get("duplicates", "fault"))
    expected = "one, to compare with `answer_from`"
    if "confidence" not in rows.columns:
        faults.add(1, "no column for confidence", expected)
        return rows
    missing = kind.withheld.keys() - {*rows.columns}
    rows = rows.with_columns(pl.lit(None, pl.String).alias(name) for name in missing)
    names = ("assessor", "run", "question", "epoch")
    question = [name for name in names if name in rows.columns]

    def get_first(value: pl.Expr) -> pl.Expr:
        """Return the value of the first answer to the question, in the rows of all answers."""
        if "rank" not in rows.columns:
            return value
        return value.sort_by(pl.col("rank").fill_null(1)).first().over(question)

    confidence = get_first(pl.col("confidence"))
    reported = pl.col("line").is_in([fault.line for fault in faults])
    unsure = rows.filter(kind.answered & confidence.is_null(), ~reported)
    unsure = unsure.unique("line", maintain_order=True)
    faults.add_rows(unsure, "an answer without a confidence", expected)
    is_list = isinstance(options["answer_from"], list)
    run = pl.col("run") if "run" in rows.columns else pl.lit(get_stem(file))
    frames = []
    for threshold in options["answer_from"] if is_list else [options["answer_from"]]:
        is_below = kind.answered & (confidence < threshold)
        frame = rows.with_columns(below=is_below, below_threshold=get_first(is_below))
        frame = frame.with_columns(**kind.withheld).drop("below")
        if is_list:
            suffix = f" @{float(threshold)}".removesuffix(".0")
            frame = frame.with_columns(run=run + pl.lit(suffix))
        frames.append(frame)
    return pl.concat(frames)
