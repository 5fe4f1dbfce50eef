"""Answers that are compared with references: their spelling, and the ranks of hypotheses."""

import polars as pl

from nonresponse.faults import Fault
from nonresponse.ingest.row_checks import (
    Check,
    find_differing,
    find_faults,
    format_quoted,
    list_faults,
    quote_column,
)

TOLERANCE = 1e-6  # by which the sum of the confidences of a question may miss 1
QUESTION = ["file", "run", "question"]
YEAR = r"^([0-9]{1,4})(\.0+)?$"  # Parquet may write 1871.0


def nullify_blanks(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with a null answer where none was given."""
    there = pl.col("answered") & (pl.col("answer").str.strip_chars() != "")
    rows = rows.with_columns(answer=pl.when(there).then("answer"))
    return rows.with_columns(answered=pl.col("answer").is_not_null())


def rank_hypotheses(rows: pl.DataFrame) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the rows with `rank` by falling confidence, ties in file order; and faults. A single
    one has confidence 1."""
    alone = pl.len().over(QUESTION) == 1
    nullify_blanks = pl.col("answered")
    confidence = (
        pl.when(alone & nullify_blanks)
        .then(pl.col("confidence").fill_null(1.0))
        .otherwise("confidence")
    )
    # Confidences of hypotheses that were given are checked in check_responses.
    idle = ~nullify_blanks & ~pl.col("confidence").is_between(0, 1).fill_null(True)
    found, expected = (
        pl.format("the confidence {}", "confidence"),
        "a number from 0 to 1, or none without an answer",
    )
    faults = find_faults(rows, [Check(idle, found, expected)])
    rows = rows.with_columns(confidence=pl.when(nullify_blanks).then(confidence))
    confidence, first = pl.col("confidence"), pl.col("line") == pl.col("line").min().over(QUESTION)
    usable = confidence.is_between(0, 1).fill_null(False)
    whole = (
        (usable | ~nullify_blanks).all().over(QUESTION)
    )  # unusable confidences are faults already
    # A null answer that was given was no year, which is a fault already.
    known = nullify_blanks & pl.col("answer").is_not_null()
    again = known & ~pl.struct(*QUESTION, "answer").is_first_distinct()
    total, of = pl.col("total"), "for question {}"
    sums = pl.format(
        "confidences of question {} that sum to {}", quote_column("question"), total.round(9)
    )
    off = (
        first
        & whole
        & nullify_blanks.any().over(QUESTION)
        & ((total - 1).abs().round(9) > TOLERANCE)
    )
    checks = [
        Check(
            again,
            format_quoted(f"a second time the hypothesis {{}} {of}", "answer", "question"),
            "each hypothesis once",
        ),
        Check(
            ~alone & ~nullify_blanks,
            format_quoted(f"no hypothesis {of}, beside another line on it", "question"),
            "hypotheses, or one line that says that there is none",
        ),
        Check(
            ~alone & nullify_blanks & confidence.is_null(),
            format_quoted(f"a hypothesis without a confidence {of}, which has several", "question"),
            "a confidence for each of several hypotheses",
        ),
        Check(off, sums, f"a sum of 1 (within {TOLERANCE:.6f})"),
    ]
    rank = confidence.fill_null(0).rank("ordinal", descending=True).over(QUESTION)
    faults += find_faults(rows.with_columns(total=confidence.sum().over(QUESTION)), checks)
    return rows.with_columns(rank=rank.cast(pl.Int32)), faults


def parse_years(rows: pl.DataFrame, first: int, last: int) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the rows with answers as plain years; a fault for each that is none."""
    year = pl.col("answer").str.extract(YEAR).cast(pl.Int32)
    wrong = pl.col("answer").is_not_null() & ~year.is_between(first, last).fill_null(False)
    expected = f"a year from {first} to {last} (`years:` in config.yaml)"
    faults = find_faults(rows, [Check(wrong, format_quoted("the year {}", "answer"), expected)])
    return rows.with_columns(answer=year.cast(pl.String)), faults


def check_references(rows: pl.DataFrame) -> list[Fault]:
    """Return faults of references that are blank, or that differ for a question."""
    there = rows.filter(pl.col("answer").is_not_null())
    blank = format_quoted("a blank reference of question {}", "question")
    found = format_quoted("another reference of question {} than on an earlier line", "question")
    expected = "one reference for a question and assessor; the first is on {}"
    faults = list_faults(there.filter(answer=""), blank, "one")
    return faults + find_differing(there, "answer", ["assessor", "question"], found, expected)
