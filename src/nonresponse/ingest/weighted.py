"""Checks of answers that are compared with references: spelling, and ranks of hypotheses."""

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
    has_text = pl.col("answered") & (pl.col("answer").str.strip_chars() != "")
    rows = rows.with_columns(answer=pl.when(has_text).then("answer"))
    return rows.with_columns(answered=pl.col("answer").is_not_null())


def rank_hypotheses(rows: pl.DataFrame) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the rows with `rank` by falling confidence, ties in file order; and faults.

    A single hypothesis without a confidence has confidence 1.
    """
    is_answered, confidence = pl.col("answered"), pl.col("confidence")
    is_single = pl.len().over(QUESTION) == 1
    # check_responses looks at the confidences of hypotheses
    out_of_range = ~is_answered & ~confidence.is_between(0, 1).fill_null(True)
    expected = "a number from 0 to 1, or none without an answer"
    check = Check(out_of_range, pl.format("the confidence {}", "confidence"), expected)
    faults = find_faults(rows, [check])
    default = pl.when(is_single).then(1.0)
    rows = rows.with_columns(confidence=pl.when(is_answered).then(confidence.fill_null(default)))
    usable = confidence.is_between(0, 1).fill_null(False)
    # Without an answer, it is no year, which is a fault already
    repeated = is_answered & pl.col("answer").is_not_null()
    repeated &= ~pl.struct(*QUESTION, "answer").is_first_distinct()
    total = pl.col("total")
    sums = "confidences of question {} that sum to {}"
    is_off = pl.col("line") == pl.col("line").min().over(QUESTION)
    is_off &= (usable | ~is_answered).all().over(QUESTION)  # others are faults already
    is_off &= is_answered.any().over(QUESTION) & ((total - 1).abs().round(9) > TOLERANCE)
    checks = [
        Check(
            repeated,
            format_quoted("a second time the hypothesis {} for question {}", "answer", "question"),
            "each hypothesis once",
        ),
        Check(
            ~is_single & ~is_answered,
            format_quoted("no hypothesis for question {}, beside another line on it", "question"),
            "hypotheses, or one line that says that there is none",
        ),
        Check(
            ~is_single & is_answered & confidence.is_null(),
            format_quoted(
                "a hypothesis without a confidence for question {}, which has several", "question"
            ),
            "a confidence for each of several hypotheses",
        ),
        Check(
            is_off,
            pl.format(sums, quote_column("question"), total.round(9)),
            f"a sum of 1 (within {TOLERANCE:.6f})",
        ),
    ]
    rank = confidence.fill_null(0).rank("ordinal", descending=True).over(QUESTION)
    faults += find_faults(rows.with_columns(total=confidence.sum().over(QUESTION)), checks)
    return rows.with_columns(rank=rank.cast(pl.Int32)), faults


def parse_years(rows: pl.DataFrame) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the rows with answers as plain years; a fault for each that is none."""
    year = pl.col("answer").str.extract(YEAR).cast(pl.Int32)
    wrong = pl.col("answer").is_not_null() & year.is_null()
    found = format_quoted("the year {}", "answer")
    faults = find_faults(rows, [Check(wrong, found, "a year, such as 1871")])
    return rows.with_columns(answer=year.cast(pl.String)), faults


def check_references(rows: pl.DataFrame) -> list[Fault]:
    """Return faults of references that are blank, or that differ for a question."""
    rows = rows.filter(pl.col("answer").is_not_null())
    blank = format_quoted("a blank reference of question {}", "question")
    found = format_quoted("another reference of question {} than on an earlier line", "question")
    expected = "one reference for a question and assessor; the first is on {}"
    faults = list_faults(rows.filter(answer=""), blank, "one")
    return faults + find_differing(rows, "answer", ["assessor", "question"], found, expected)
