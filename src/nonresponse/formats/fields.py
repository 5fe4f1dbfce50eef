"""Files of lines with blanks or tabs (no other white space) between the fields."""

import re
from pathlib import Path

import polars as pl

from nonresponse.formats import text
from nonresponse.settings import Files

FIELD = re.compile(f"[^{text.BLANKS}]+")


def read_fields(
    file: str | Path, options: Files
) -> tuple[list[tuple[int, list[str]]], text.Faults]:
    """Return the numbered lines of a file that are not blank, each as its fields."""
    data, faults = text.read_text(file, options)
    lines = enumerate(map(FIELD.findall, data.decode().split("\n")), start=1)
    return [(number, line) for number, line in lines if line], faults


def make_frame(rows: list[tuple], names: list[str], table: dict) -> pl.DataFrame:
    """Rows that begin with their line, as a frame of `line` and these columns of the table."""
    schema = {"line": pl.Int64} | {name: table[name] for name in names}
    return pl.DataFrame(rows, schema, orient="row")
