"""The Parquet tables that the stages hand to each other: columns, types, keys.

Every table is sorted by its key and written by `write`, so that equal content is an equal file.
A text column is never null unless it says so here.
"""

import errno
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import polars as pl

from nonresponse.atomic import replacing as replacing
from nonresponse.atomic import write_text as write_text
from nonresponse.legible import FORMULA
from nonresponse.wording import join_cell

# The state that a rule on the text of an answer may give it
RULED_STATE = pl.Enum(["unanswered", "wrong", "error"])

# A name, coded: in memory a number, in Parquet an index into a dictionary, which DuckDB reads as
# text. The bytes do not depend on the order in which names came up.
NAME = pl.Categorical()

# One row per answer that a run gave, at any rank; a question left out has no row.
RESPONSES: dict[str, Any] = {
    "run": NAME,
    "question": NAME,
    # The number of the time, for a question that was asked several times; else 0
    "epoch": pl.Int32,
    "rank": pl.Int32,  # 1 = the run's first answer to the question
    "candidate": NAME,  # validation: the id of the pair; qa: the withheld answer, null = none
    # Null = none given; validation: VALIDATED, SELECTED or REJECTED; dating: the year
    "answer": NAME,
    "document": NAME,  # null where the campaign has no documents
    "confidence": pl.Float64,  # the run's confidence in [0, 1], null = none given
    "score": pl.Float64,  # the raw score, any real number, null = none given
    # The question's place in the order that the run gives, 1 = most confident; null = none given
    "position": pl.Int32,
    "answered": pl.Boolean,
    # The answer, or the one that was withheld, is "there is no answer in the collection"
    "nil": pl.Boolean,
    "failed": pl.Boolean,  # the system broke down on this question
    "fragment": pl.Boolean,  # ROMIP: a long answer, a fragment of text; null elsewhere
    # The state that a rule of the campaign gives it, overriding all other columns; null = none
    "by_rule": RULED_STATE,
}

# One row per judged answer. A column that is null in all of a campaign's judgments is ignored in
# matching.
JUDGMENTS = {
    "assessor": NAME,
    "question": NAME,
    "candidate": NAME,  # validation: the id of the pair; elsewhere ""
    "run": NAME,
    "document": NAME,
    "answer": NAME,
    "label": pl.String,  # R W U X | good long partial bad | YES NO UNKNOWN
}
JUDGMENTS_KEY = ["assessor", "question", "candidate", "run", "document", "answer"]

# One row per question of the campaign.
QUESTIONS = {
    "question": NAME,
    "has_answer": pl.Boolean,  # null = not known before the runs were judged
    "category": pl.String,  # null = none
    # The same for questions that go together, such as a reading test; null = none
    "cluster": pl.String,
    "runs": pl.List(pl.String),  # the runs that were asked it; null = not known
}
QUESTIONS_KEY = ["question"]

# One row per response that somebody has graded already.
OFFICIAL = "official"  # the assessor where the file does not name any
GRADED_KEY = ["assessor", "run", "question", "epoch", "rank", "candidate"]
GRADED: dict[str, Any] = {
    "assessor": NAME,
    **{name: RESPONSES[name] for name in GRADED_KEY[1:]},
    "verdict": pl.String,
    "confidence": pl.Float64,
    "score": pl.Float64,
    "position": pl.Int32,
    "missing": pl.Boolean,  # the run never saw the question
    "positive": pl.Boolean,  # validation: whether the pair's answer is right; null in qa
    "category": NAME,
    "withheld": pl.String,  # the verdict on an answer that was withheld; null = none, or not known
    # The gold answer, "" = the key says that there is none; null = there is no key
    "gold": pl.String,
    # The state that a rule of the campaign gives it, in place of the verdict; null = none
    "by_rule": RULED_STATE,
}

# One row per graded response of which there is something to read; each text is null where the file
# has none.
TEXTS_KEY = ["run", "question", "epoch", "rank", "candidate"]
TEXTS: dict[str, Any] = {
    **{name: RESPONSES[name] for name in TEXTS_KEY},
    "asked": pl.String,  # the text of the question
    "target": pl.String,  # the gold answer, as a person reads it
    "answer": pl.String,  # as the run gave it; "" = an empty one
    "explanation": pl.String,  # what the judge said of the answer
    "metadata": pl.String,  # what else the log has of the question, as JSON
}

# One row per log of a harness and run in it: what the log holds, and what it states. All epochs are
# counted.
IMPORTS: dict[str, Any] = {
    "run": pl.String,
    "file": pl.String,
    **dict.fromkeys(("samples", "epochs"), pl.Int64),
    # Samples so judged
    **dict.fromkeys(("correct", "wrong", "partial", "unanswered", "unscored", "error"), pl.Int64),
    # Wrong answers that look like abstention, or like a failure of the system, where no sample is
    # said to be that and no rule looks at answers, and the commonest of them
    **dict.fromkeys(("like_unanswered", "like_error"), pl.Int64),
    **dict.fromkeys(("as_unanswered", "as_error"), pl.String),
    "measure": pl.String,  # the log's headline; "" = it has none
    "scorer": pl.String,  # what it is a mean or share of; "" = it is the measure itself
    # Of a run that is named after it and its prompt; "" = the run's name is all
    "provider": pl.String,
    "stated": pl.Float64,  # null = not stated
    "recomputed": pl.Float64,  # by the log's own rule; null = cannot be
    "told": pl.Int64,  # the number of samples that the log states; null = not stated
    "why": pl.String,  # why the stated value cannot be reconciled; "" = it can
    # The metric, filter or split by which it is read, if it has several
    "chosen": pl.List(pl.String),
    "notes": pl.List(pl.String),  # what else to know
    # What the run was measured by, each "" where the log does not say (formats.logs.Statement).
    **dict.fromkeys(("judge", "prompt", "failures", "texts"), pl.String),
    "questions": pl.String,  # a digest of the names of the questions
}

# One row per answer whose state a rule of the campaign decided, for audit.csv.
# No assessor where the verdicts come from judgments
RULED_KEY = ["assessor", "run", "question", "epoch", "rank"]
RULED: dict[str, Any] = {
    **{name: GRADED[name] for name in RULED_KEY},
    "answer": pl.String,  # its first characters
    # Unanswered, failed, or a key under refusals: or failures:, as prefixes or failures.prefixes
    "rule": pl.String,
    "phrase": pl.String,  # that the answer begins with, ends with, contains or is
    "context": pl.String,  # the phrase within the answer; "" where that is all of it
    "by_rule": RULED_STATE,
}

NAMES = pl.List(pl.String)  # several names in a cell, such as those of runs
Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)
# rows; threads read and write whole groups, so that large ones leave threads idle
ROW_GROUP = 122_880

# What a reader may leave out, and what it then means.
DEFAULTS = {
    "epoch": 0,
    "rank": 1,
    "missing": False,
    "answered": True,
    "nil": False,
    "failed": False,
}


def complete(frame: pl.DataFrame, columns: dict) -> pl.DataFrame:
    """Return exactly these columns of a frame, in this order, with defaults for missing ones."""
    missing = [
        pl.lit(DEFAULTS.get(name)).alias(name) for name in columns if name not in frame.columns
    ]
    return cast_types(frame.lazy().with_columns(missing), columns)


def cast_types(frame: pl.DataFrame | pl.LazyFrame, columns: Mapping[str, Any]) -> pl.DataFrame:
    """Return exactly these columns of the frame, in this order, with these types."""
    return (
        frame.lazy().select(pl.col(name).cast(dtype) for name, dtype in columns.items()).collect()
    )


def count_distinct(frame: pl.DataFrame, columns: Sequence[str]) -> int:
    """Return how many different rows there are in columns of names, texts and whole numbers."""
    columns = list(dict.fromkeys(columns))
    coded = frame.select(columns).with_columns(pl.selectors.string().cast(NAME))
    codes = coded.select(pl.all().to_physical().cast(pl.Int64))
    lowest, highest = codes.min().row(0, named=True), codes.max().row(0, named=True)
    row, rows = pl.lit(0, pl.Int64), 1  # a row as one number, counted in a fifth of the time
    for name in columns:
        low, values = lowest[name] or 0, (highest[name] or 0) - (lowest[name] or 0) + 2
        row = row * values + (pl.col(name) - low + 1).fill_null(0)
        rows *= values
    return int(codes.select((row if rows < 2**63 else pl.struct(columns)).n_unique()).item())


def spell(frame: Frame) -> Frame:
    """Return the frame with names as text."""
    return frame.with_columns(pl.selectors.categorical().cast(pl.String))


def make_empty(columns: dict) -> pl.DataFrame:
    return pl.DataFrame(schema=columns)


def find_official(name: str | None, table: pl.DataFrame | pl.LazyFrame) -> str:
    """Return the official assessor: the one who is named, else the only one in the table."""
    return name or table.lazy().select(pl.col("assessor").min()).collect().item()


def read_parquet(
    files: str | Path | BinaryIO | list[Path], columns: list[str] | None = None
) -> pl.DataFrame:
    """Return the rows of files. Polars would take a path with a bracket for a pattern."""
    return pl.read_parquet(files, columns=columns, glob=False)


def scan_parquet(files: str | Path | list[Path]) -> pl.LazyFrame:
    """Return the rows of files, to be read later."""
    return pl.scan_parquet(files, glob=False)


def write(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a table as a Parquet file, all of it or nothing."""
    with replacing(path) as part:
        # Zstandard takes twice the time. Statistics are of use only to who looks for a few rows.
        try:
            frame.write_parquet(part, row_group_size=ROW_GROUP, compression="lz4", statistics=False)
        except pl.exceptions.ComputeError as error:  # of a full disk
            raise OSError(errno.EIO, str(error), str(path)) from None


def keep(file: Path, path: Path) -> None:
    """Keep a file under a second name: a hard link, or a copy where there are none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    try:
        path.hardlink_to(file)
    except OSError:
        shutil.copyfile(file, path)


def to_csv(table: pl.DataFrame) -> str:
    """Return a table as CSV. Several names in a cell are joined."""
    cells = [
        pl.col(name).map_elements(join_cell, pl.String)
        for name, kind in table.schema.items()
        if kind == NAMES
    ]
    return table.with_columns(cells).write_csv()


def defuse(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table with an apostrophe before texts that a spreadsheet takes for formulas."""
    return table.with_columns(pl.selectors.string().str.replace(f"({FORMULA})", "'${1}"))
