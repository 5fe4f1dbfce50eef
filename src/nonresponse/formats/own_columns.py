"""The user's columns for ours: a name, a dotted path, or a pattern over columns and the path.

A pattern has names in braces: "{model}-{threshold}" joins two columns. {file} is the file's name
without its ending, {folder} the name of its folder, {path} its path, and {row} the position of the
row. A column whose name looks like a path, a pattern or one of these words takes precedence.
"""

import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.faults import quote_names
from nonresponse.formats.text import Faults, get_stem
from nonresponse.settings import Files

ALL_OTHERS = "rest"  # the value of `ignore` for all columns that no other option names
NAME = re.compile(r"{([^{}]+)}")
PATH_PARTS: dict[str, Callable] = {
    "file": get_stem,
    "folder": lambda file: Path(file).parent.name,
    "parent": lambda file: Path(file).parent.parent.name,  # the folder of the folder
    "path": str,
}
ROW_NUMBER = "row"


def map_columns(options: Files) -> dict[str, str]:
    """Return the user's column or pattern by ours; a list of columns makes a pattern, and false is
    no column."""
    columns = {name: options[name] for name in ("run", "question") if name in options}
    mapping = {name: column for name, column in options.get("columns", {}).items() if column}
    return mapping | {
        name: "/".join(f"{{{part}}}" for part in value) if isinstance(value, list) else value
        for name, value in columns.items()
    }


def list_names(columns: Iterable[str]) -> set[str]:
    """Return the columns of the file whose values these need."""
    return {name for column in columns for name in (column, *NAME.findall(column))}


def list_paths(columns: Iterable[str]) -> list[str]:
    """Return the dotted paths among columns and in patterns."""
    return sorted(name for name in list_names(columns) if "." in name)


def list_sources(columns: Iterable[str]) -> set[str]:
    """Return the columns of the file that these columns and patterns may take values from."""
    steps = [name.split(".") for name in list_names(columns)]
    return {".".join(path[:depth]) for path in steps for depth in range(1, len(path) + 1)}


def find_missing(column: str, columns: Iterable[str]) -> list[str]:
    """Return the names that a file with these columns lacks for a column or pattern of the
    user's."""
    present, parts = {*columns} - {"line"}, NAME.findall(column)
    if column in present:
        return []
    known_names = {*present, *PATH_PARTS, ROW_NUMBER} if parts else present
    return [name for name in parts or [column] if name not in known_names]


def add_patterns(frame: pl.DataFrame, file: str | Path, mapping: dict[str, str]) -> pl.DataFrame:
    """Return the table with a column for each pattern of which it has all parts.

    The column is null where one of its parts is. `state` is null only where all are, since flags
    need not be set together.
    """
    columns, values = {}, {name: pl.lit(get_part(file)) for name, get_part in PATH_PARTS.items()}
    values |= {ROW_NUMBER: pl.int_range(1, pl.len() + 1)}
    values |= {name: pl.col(name) for name in frame.columns}
    for name, column in mapping.items():
        if (
            column in frame.columns
            or not NAME.search(column)
            or find_missing(column, frame.columns)
        ):
            continue
        parts: list[pl.Expr] = [pl.lit(text) for text in NAME.split(column)]
        parts[1::2] = map(values.__getitem__, NAME.findall(column))
        columns[column] = pl.concat_str(parts)
        if name == "state":
            has_part = pl.any_horizontal(part.is_not_null() for part in parts[1::2])
            columns[column] = pl.when(has_part).then(pl.concat_str(parts, ignore_nulls=True))
    return frame.with_columns(**columns)


def pivot_metrics(
    frame: pl.DataFrame,
    pivot: dict[str, str],
    key_columns: Collection[str],
    faults: Faults,
    limit: float,
) -> pl.DataFrame:
    """Return one row for the rows that are equal in `key_columns`, with a column for each metric.

    `pivot` maps the column of the metrics' names to that of their values. All other columns are
    dropped. A metric is null where a response has no row for it. No columns, and faults, where a
    row has no metric, a response has a second row for one, or there are more than `limit` fields.
    """
    [(name, value)] = pivot.items()
    available = [column for column in frame.columns if column != "line"]
    if missing := [column for column in (name, value) if column not in available]:
        faults.add_missing(missing, frame.columns, "both columns of `pivot`")
        return pl.DataFrame()
    kept_columns = {*key_columns} - {name, value}
    key = [column for column in available if column in kept_columns]
    faults.add_rows(frame.filter(pl.col(name).is_null()), f"no {name}", f"a {name} on every line")
    repeated = frame.filter(pl.col(name).is_not_null(), ~pl.struct(*key, name).is_first_distinct())
    faults.add_rows(repeated, "a second {} of a response", "one row for each", name)
    metrics = frame[name].drop_nulls().unique().to_list()
    if clashes := sorted({*metrics} & {*key, "line"}):
        found = f"{quote_names(clashes)} in {name}, which are columns of their own"
        faults.add(1, found, "other names")
    faults.add_unfit_columns(metrics)
    responses = tables.count_distinct(frame, key) if key else 1
    if faults.add_excess(responses, len(metrics), limit) or faults:
        return pl.DataFrame()
    first = pl.col("line").first().over(key) if key else pl.col("line").first()
    return frame.with_columns(first).pivot(name, index=["line", *key], values=value)
