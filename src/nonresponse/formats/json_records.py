"""Records in JSON, an object each: on lines of their own, or in an array; values as the text that a
CSV would hold."""

import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import NamedTuple

import polars as pl

from nonresponse.faults import shown
from nonresponse.formats import json_pieces
from nonresponse.formats.text import MOST_COLUMNS, Faults

MISSING = object()
OBJECT = "one JSON object"
ROWS = 20_000  # that are held as objects of Python at once


class Asked(NamedTuple):
    """What a reader of records is told of the columns that are asked for."""

    paths: Collection[str] = ()  # dotted paths to values inside others, which become columns, too
    # Columns of numbers, in which NaN is not taken for an empty field
    numbers: Collection[str] = ()
    # Columns in which several values, or an object, are a fault
    single: Callable[[str], bool] = lambda name: False
    kept: Collection[str] | None = None  # columns whose values are needed; null = all


def as_table(
    values: Iterable[tuple[int, object]], asked: Asked, faults: Faults, most: float = math.inf
) -> pl.DataFrame:
    """Return objects with their lines as a table of text, a column per key; a value that is no
    object is a fault.

    Reading stops, with a fault, at more than `most` fields, empty ones included, or too many
    columns.
    """
    rows, numbers, made = list[dict](), list[int](), list[pl.DataFrame]()
    names: dict[str, None] = {}
    number_of_rows = 0
    for number, record in values:
        if not isinstance(record, dict):
            faults.add(number, shown(record), OBJECT)
            continue
        inside = {path: value_at(record, path) for path in asked.paths}
        fields = record | {path: value for path, value in inside.items() if value is not MISSING}
        names |= dict.fromkeys(fields)
        number_of_rows += 1
        if len(names) > MOST_COLUMNS or number_of_rows * len(names) > most:
            break
        row = {}
        for name, value in fields.items():
            if asked.kept is None or name in asked.kept:
                row[name] = as_text(value, name in asked.numbers)
            several_values = isinstance(value, dict | list) and isinstance(only(value), dict | list)
            if several_values and asked.single(name):
                faults.add(number, *several(name, str(row[name])))
        rows.append(row)
        numbers.append(number)
        if len(rows) == ROWS:
            made.append(columns_of(rows, numbers))
            rows, numbers = [], []
    faults.add_unfit_columns(list(names))
    excess = faults.add_excess(number_of_rows, len(names), most)
    if excess or len(names) > MOST_COLUMNS or "line" in names:
        return pl.DataFrame()
    table = pl.concat([*made, columns_of(rows, numbers)], how="diagonal")
    empty = [name for name in names if name not in table.columns]
    table = table.with_columns(pl.lit(None, pl.String).alias(name) for name in empty)
    return table.select("line", *names)


def unnested(
    values: Iterable[tuple[int, object]], name: str, faults: Faults
) -> Iterator[tuple[int, object]]:
    """Yield a record for each object of the list that each record has under a name, with the object
    in its place."""
    for number, record in values:
        inner = record.get(name) if isinstance(record, dict) else None
        if isinstance(inner, list) and all(isinstance(one, dict) for one in inner):
            yield from ((number, record | {name: one}) for one in inner)  # type: ignore[operator]
        else:
            faults.add(number, shown(inner), f"a list of objects at {shown(name)}")


def columns_of(rows: list[dict], numbers: list[int]) -> pl.DataFrame:
    """Return rows of texts as columns, and `line`."""
    names = dict.fromkeys(name for row in rows for name in row)
    schema = {"line": pl.UInt32} | dict.fromkeys(names, pl.String)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return pl.DataFrame({"line": numbers} | columns, schema=schema)


def value_at(value: object, path: str) -> object:
    """Return what a dotted path leads to; a name that contains dots wins over the names in it.
    MISSING for nothing."""
    for name, rest in ways(path):
        inside = MISSING
        if isinstance(value, dict):
            inside = value.get(name, MISSING)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            inside = value[int(name)]
        found = inside if rest is None or inside is MISSING else value_at(inside, rest)
        if found is not MISSING:
            return found
    return MISSING


@cache
def ways(path: str) -> list[tuple[str, str | None]]:
    """All ways to split a dotted path into a first name and the rest, which is null where nothing
    is left."""
    dots = [place for place, letter in enumerate(path) if letter == "."]
    return [(path, None), *((path[:dot], path[dot + 1 :]) for dot in dots)]


def several(column: str, value: str) -> tuple[str, str]:
    """Return what a fault says of a column that has several values, or an object, in the place of
    one text."""
    expected = (
        "one text: `answers.0` leads to one of several, and an answer key (`closed: "
        "true`) has a row for each"
    )
    return f"the {column} {shown(value)}", expected


def with_each_key_once(pairs: list[tuple]) -> dict:
    """Return a JSON object whose keys are all different (Python would keep the last value of each).
    Raises RepeatedKeyError."""
    record = {}
    for name, value in pairs:
        name = encodable(name)
        if name in record:
            raise json_pieces.RepeatedKeyError(name)
        record[name] = value
    return record


def as_text(value: object, number: bool = False) -> str | None:
    """Return a JSON value as a CSV would hold it, a list of one as its element; null for [] and,
    unless `number`, for NaN."""
    if isinstance(value, str):
        return encodable(value)
    value = only(value)
    if value is None or (not number and isinstance(value, float) and math.isnan(value)):
        return None
    return encodable(value) if isinstance(value, str) else json.dumps(value)


def only(value: object) -> object:
    """Return the element of a list of one, null of an empty list; any other value as it is."""
    return (value[0] if value else None) if isinstance(value, list) and len(value) < 2 else value


def encodable(text: str) -> str:
    """JSON can spell a lone surrogate ("\\ud800"), which no file in UTF-8 can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
