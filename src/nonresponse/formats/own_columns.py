"""Which columns of the user's table are ours: by name, by a dotted path, or by a pattern over
columns and the path.

A pattern has names in braces: "{model}-{threshold}" joins two columns, {file}, {folder} and {path}
are the file's name without its ending, the name of its folder, and its path, and {row} is the place
of the row in the file. A column whose name looks like a path, a pattern or one of these words takes
precedence.
"""

import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.faults import quote_names
from nonresponse.formats.text import Faults, get_stem
from nonresponse.settings import Files

NAMES = ("run", "question", "candidate", "assessor")
APART = "a pattern with another text between the parts, such as '{a}|{b}'"
NAME = re.compile(r"{([^{}]+)}")
OF_FILE: dict[str, Callable] = {
    "file": get_stem,
    "folder": lambda file: Path(file).parent.name,
    "parent": lambda file: Path(file).parent.parent.name,  # the folder of the folder
    "path": str,
}
ROW = "row"


def named(options: Files) -> dict[str, str]:
    """Return the user's column or pattern by ours; a list of columns makes a pattern."""
    several = {name: options[name] for name in ("run", "question") if name in options}
    return options.get("columns", {}) | {
        name: "/".join(f"{{{part}}}" for part in value) if isinstance(value, list) else value
        for name, value in several.items()
    }


def wanted(columns: Iterable[str]) -> set[str]:
    """Return the columns of the file whose values these need."""
    return {name for column in columns for name in (column, *NAME.findall(column))}


def paths_in(columns: Iterable[str]) -> list[str]:
    """Return the dotted paths among columns and in patterns."""
    return sorted(name for name in wanted(columns) if "." in name)


def claimed(columns: Iterable[str]) -> set[str]:
    """Return the columns of the file that these columns and patterns may take values from."""
    names = wanted(columns)
    dots = (
        (name, position) for name in names for position, letter in enumerate(name) if letter == "."
    )
    return names | {name[:position] for name, position in dots}


def absent(column: str, frame: pl.DataFrame) -> list[str]:
    """Return the names that a file lacks for a column or pattern of the user's."""
    have, names = {*frame.columns} - {"line"}, NAME.findall(column)
    known = {*have, *OF_FILE, ROW} if names else have
    return [] if column in have else [name for name in names or [column] if name not in known]


def of_files(column: str) -> bool:
    """Return whether a pattern takes something from the path, or from the place in the file."""
    return bool({*OF_FILE, ROW} & {*NAME.findall(column)})


def parts_of(frame: pl.DataFrame, file: str | Path, column: str) -> list[pl.Expr]:
    """Return the texts and values in a pattern, alternating; none if the file lacks a name."""
    if column in frame.columns or not NAME.search(column) or absent(column, frame):
        return []
    parts: list[pl.Expr] = [pl.lit(text) for text in NAME.split(column)]
    row_number = pl.int_range(1, pl.len() + 1)
    parts[1::2] = [
        pl.col(word)
        if word in frame
        else row_number
        if word == ROW
        else pl.lit(OF_FILE[word](file))
        for word in NAME.findall(column)
    ]
    return parts


def with_patterns(frame: pl.DataFrame, file: str | Path, mapping: dict[str, str]) -> pl.DataFrame:
    """Return the table with a column for each pattern of which it has all parts.

    The column is null where one of its parts is; `state` only where all are, since flags need not
    be set together.
    """
    columns = {}
    for ours, column in mapping.items():
        if parts := parts_of(frame, file, column):
            columns[column] = pl.concat_str(parts)
            if ours == "state":
                some = pl.any_horizontal(part.is_not_null() for part in parts[1::2])
                columns[column] = pl.when(some).then(pl.concat_str(parts, ignore_nulls=True))
    return frame.with_columns(**columns)


def check_parts(
    frame: pl.DataFrame, file: str | Path, mapping: dict[str, str], faults: Faults
) -> None:
    """Add a fault for each row named as an earlier row with other parts: a/b + c is a + b/c."""
    for ours, column in mapping.items():
        parts = parts_of(frame, file, column) if ours in NAMES else []
        if sum(word in frame.columns for word in NAME.findall(column)) < 2 or not parts:
            continue
        apart = pl.concat_str(parts[1::2], separator="\x1f")
        rows = frame.select("line", name=pl.concat_str(parts), parts=apart).drop_nulls()
        if rows["name"].n_unique() < rows["parts"].n_unique():
            other = pl.col("parts") != pl.col("parts").first().over("name")
            found = f"the {ours} {{}}, made of other parts than on an earlier line"
            faults.add_rows(rows.filter(other), found, APART, "name")


def pivoted(
    frame: pl.DataFrame, pivot: dict[str, str], kept: Collection[str], faults: Faults, most: float
) -> pl.DataFrame:
    """Return a row for all rows with the same values in `kept`, with a column for each metric.

    `pivot` maps the column of the metrics' names to that of their values. All other columns are
    dropped. A metric is null where a response has no row for it. No columns, and faults, where a
    row has no metric, a response has a second row for one, or the table would have more than `most`
    fields.
    """
    [(name, value)] = pivot.items()
    if lacking := [one for one in (name, value) if one not in frame.columns or one == "line"]:
        faults.add_missing(lacking, frame.columns, "both columns of `pivot`")
        return pl.DataFrame()
    key = [one for one in frame.columns if one in kept and one not in (name, value, "line")]
    faults.add_rows(frame.filter(pl.col(name).is_null()), f"no {name}", f"a {name} on every line")
    again = frame.filter(pl.col(name).is_not_null(), ~pl.struct(*key, name).is_first_distinct())
    faults.add_rows(again, "a second {} of a response", "one row for each", name)
    if taken := sorted({*frame[name].drop_nulls().unique()} & {*key, "line"}):
        faults.add(
            1, f"{quote_names(taken)} in {name}, which are columns of their own", "other names"
        )
    faults.add_unfit_columns(names := frame[name].drop_nulls().unique().to_list())
    responses = tables.count_distinct(frame, key) if key else 1
    if faults.add_excess(responses, len(names), most) or faults:
        return pl.DataFrame()
    first = pl.col("line").first().over(key) if key else pl.col("line").first()
    return frame.with_columns(first).pivot(name, index=["line", *key], values=value)
