"""Files of lines with white space between the fields: what their formats have in common."""

import re

import polars as pl

from nonresponse.faults import Fault
from nonresponse.formats import text

# Python's int() and float() also take 1_000, the digits of any script, nan and inf.
INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def read(file) -> tuple[list[tuple[int, list[str]]], list[Fault]]:
    """The numbered lines of a file, each as its fields; blank lines are left out."""
    lines, faults = text.read_lines(file)
    return [(number, line.split()) for number, line in lines], faults


def integer(field: str) -> int | None:
    return int(field) if INTEGER.fullmatch(field) else None


def number(field: str) -> float | None:
    return float(field) if NUMBER.fullmatch(field) else None


def frame(rows: list[tuple], names: list[str], table: dict) -> pl.DataFrame:
    """Rows that begin with their line, as a frame of `line` and these columns of the table."""
    return pl.DataFrame(rows, schema={"line": pl.Int64} | {name: table[name] for name in names}, orient="row")


def with_confidence(responses: pl.DataFrame) -> pl.DataFrame:
    """Scores are confidences too where all of a file lie in [0, 1]; one outside, and they are on another scale."""
    in_range = pl.col("score").is_between(0, 1).all()
    return responses.with_columns(confidence=pl.when(in_range).then(pl.col("score")))
