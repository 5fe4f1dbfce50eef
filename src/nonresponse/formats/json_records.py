"""Records in JSON, an object each: where in a file they are, and their values as text."""

import json
import math
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from nonresponse.faults import quote, quote_names
from nonresponse.formats import json_pieces
from nonresponse.formats.text import MOST_COLUMNS, Faults, bound_fields, stream_bytes
from nonresponse.settings import Files

Pieces = Iterator[json_pieces.Piece]
MISSING = object()
ROWS = 20_000  # that are held as objects of Python at once
VALUE = "value"  # the column for a value under a name that is no object
OF_ROWS = ("data", "rows")  # what the rows are called, beside `columns` with the columns' names
OF_COLUMNS = "an object of columns that are all as long, or of `columns` and `data` or `rows`"


LIST = "\x1f"  # what precedes a list of accepted answers: a text may look like one


class Asked(NamedTuple):
    """What a reader of records is told of the columns that are asked for."""

    paths: Collection[str] = ()  # dotted paths to values inside others, which become columns, too
    # Columns of numbers, in which NaN is not taken for an empty field
    numbers: Collection[str] = ()
    # Columns in which several values, or an object, are a fault
    single: Callable[[str], bool] = lambda name: False
    lists: Collection[str] = ()  # columns of accepted answers, of which a list has several
    kept: Collection[str] | None = None  # columns whose values are needed; null = all


def records_in(file: str | Path, options: Files, faults: Faults) -> Iterator[tuple[int, object]]:
    """Yield the records of a file with their lines, found as `records`, `keyed` and `by_column`
    say.

    Records that are stored column by column have no lines, and are numbered.
    """
    path = tuple(options["records"].split(".")) if "records" in options else ()
    read = in_columns if options.get("by_column") else by_name if "keyed" in options else in_array
    own = Faults(file)
    yield from read(file, options, path, own)
    faults += own


def pieces(file: str | Path, options: Files, way: json_pieces.Way, faults: Faults) -> Pieces:
    return json_pieces.read_pieces(file, [way], options, faults, with_each_key_once)


def in_array(
    file: str | Path, options: Files, path: tuple[str, ...], faults: Faults
) -> Iterator[tuple[int, object]]:
    """Yield the elements of an array, which is the file, or stands at a path in it."""
    number, found = 0, f"no array at {quote('.'.join(path))}" if path else "an object"
    if path or json_pieces.get_first_letter(file, options) != "{":  # an object would be read whole
        for piece in pieces(file, options, path, faults):
            if piece.path == path and piece.element:
                number += 1
                yield piece.line, piece.value
            elif not path:
                found = quote(piece.value)
    if number or faults:
        return
    try:
        arrays = arrays_of(file, options)
    except json_pieces.NotJsonError as error:
        faults.add(error.line, error.found, json_pieces.JSON)
        return
    if path in arrays:
        faults.add(0, "no records", "at least one object in the array")
        return
    expected = "an array of objects"
    if names := quote_names(of_objects(arrays)):
        expected += f"; `records:` in config.yaml says where one is: {names}"
    elif not path:
        names = "`keyed:` says what its names are, if each has a record, or `by_column: true`"
        expected += f"; {names}"
    faults.add(0, found, expected)


def by_name(
    file: str | Path, options: Files, path: tuple[str, ...], faults: Faults
) -> Iterator[tuple[int, object]]:
    """Yield the records under names: each level of names becomes a column of the record, with its
    name from `keyed`.

    An object is a record, and so is each element of an array; anything else becomes the column
    `value` of a record.
    """
    columns = [options["keyed"]] if isinstance(options["keyed"], str) else options["keyed"]
    objects, depth = None, len(path)  # whether records are objects
    for piece in pieces(file, options, (*path, *[None] * len(columns)), faults):
        if piece.path[:depth] != path:
            continue
        names = dict(zip(columns, piece.path[depth:], strict=False))
        is_object = isinstance(piece.value, dict)
        record = piece.value if isinstance(piece.value, dict) else {VALUE: piece.value}
        objects = is_object if objects is None else objects
        taken = [name for name in names if name in record and record[name] != names[name]]
        if len(names) < len(columns):
            expected = f"an object, whose names are {quote(columns[len(names)])}"
            faults.add(piece.line, quote(piece.value), expected)
        elif is_object != objects:
            found = f"{quote(piece.value)} at {quote('.'.join(piece.path))}"
            faults.add(piece.line, found, "records that are all objects, or none of them")
        elif taken:
            found = f"a record that has {quote(taken[0])} itself"
            faults.add(piece.line, found, "another name in `keyed:`")
        else:
            yield piece.line, names | record
    if objects is None and not faults:
        found = f"nothing at {quote('.'.join(path))}" if path else "an object without names"
        faults.add(0, found, "records")


def in_columns(
    file: str | Path, options: Files, path: tuple[str, ...], faults: Faults
) -> Iterator[tuple[int, object]]:
    """Yield the rows of columns, arrays or objects with the same names, or of OF_ROWS."""
    columns: dict[str, Any] = {}
    values, most = 0, bound_fields(file, options)
    for piece in pieces(file, options, (*path, None), faults):
        values += len(piece.value) if isinstance(piece.value, dict) else 1
        if faults.add_excess(values, 1, most):
            return
        if piece.element:
            columns.setdefault(piece.path[-1], []).append(piece.value)
        elif len(piece.path) > len(path) and piece.path[: len(path)] == path:
            columns[piece.path[-1]] = piece.value
    rows = None if faults else rows_of(columns)
    if rows is not None:
        yield from enumerate(rows, start=1)
    elif not faults:
        faults.add(0, "no such columns", OF_COLUMNS)


def rows_of(columns: dict[str, object]) -> list[dict] | None:
    """Return the rows of an object of columns; null where the columns do not fit together."""
    names = columns.get("columns")
    data = next((columns[name] for name in OF_ROWS if name in columns), None)
    if isinstance(names, list) and isinstance(data, list):
        even = all(isinstance(row, list) and len(row) == len(names) for row in data)
        strings = all(isinstance(name, str) for name in names) and len({*names}) == len(names)
        return [dict(zip(names, row, strict=True)) for row in data] if even and strings else None
    each = [one for one in columns.values() if isinstance(one, dict | list)]
    labels = {tuple(values) for values in each if isinstance(values, dict)}
    if len(each) < len(columns) or len(labels) > 1 or len({*map(len, each)}) != 1:
        return None
    cells = [values.values() if isinstance(values, dict) else values for values in each]
    return [dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True)]


def arrays_of(file: str | Path, options: Files) -> dict[tuple[str, ...], bool]:
    """Return the paths of arrays in a file, as `arrays_in` does. Raises NotJsonError."""
    return json_pieces.find_arrays(
        stream_bytes(file, options, Faults(file)), bound_fields(file, options)
    )


def split_tables(arrays: dict[tuple[str, ...], bool]) -> list[str]:
    """Return the dotted paths of the objects with `columns` beside OF_ROWS; "" for the file."""
    return [
        ".".join(path[:-1])
        for path in arrays
        if path[-1:] == ("columns",)
        and any(arrays.get((*path[:-1], name)) is False for name in OF_ROWS)
    ]


def of_objects(arrays: dict[tuple[str, ...], bool]) -> list[str]:
    """Return the dotted paths of the arrays inside a file that begin with an object."""
    return [".".join(path) for path, objects in arrays.items() if objects and path]


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
        number_of_rows += 1
        if number_of_rows * max(1, len(names)) > most:
            break
        if not isinstance(record, dict):
            faults.add(number, quote(record), "one JSON object")
            continue
        inside = {path: value_at(record, path) for path in asked.paths}
        fields = record | {path: value for path, value in inside.items() if value is not MISSING}
        names |= dict.fromkeys(fields)
        if len(names) > MOST_COLUMNS or number_of_rows * len(names) > most:
            break
        row = {}
        for name, value in fields.items():
            if asked.kept is None or name in asked.kept:
                row[name] = as_text(value, name in asked.numbers)
            several_values = isinstance(value, dict | list) and isinstance(only(value), dict | list)
            if several_values and name in asked.lists and isinstance(only(value), list):
                row[name] = f"{LIST}{row[name]}"
            elif several_values and asked.single(name):
                faults.add(number, *several(name, str(row[name])))
        rows.append(row)
        numbers.append(number)
        if len(rows) == ROWS:
            made.append(columns_of(rows, numbers))
            rows, numbers = [], []
    faults.add_unfit_columns(list(names))
    excess = faults.add_excess(number_of_rows, max(1, len(names)), most)
    if excess or len(names) > MOST_COLUMNS or "line" in names:
        return pl.DataFrame()
    table = pl.concat([*made, columns_of(rows, numbers)], how="diagonal")
    empty = names.keys() - {*table.columns}
    table = table.with_columns(pl.lit(None, pl.String).alias(name) for name in empty)
    return table.select("line", *names)


def unnested(
    values: Iterable[tuple[int, object]], name: str, faults: Faults
) -> Iterator[tuple[int, object]]:
    """Yield a record for each object of the list under a name, with the object in its place."""
    for number, record in values:
        inner = record.get(name) if isinstance(record, dict) else None
        if isinstance(inner, list) and all(isinstance(one, dict) for one in inner):
            yield from ((number, record | {name: one}) for one in inner)  # type: ignore[operator]
        else:
            faults.add(number, quote(inner), f"a list of objects at {quote(name)}")


def columns_of(rows: list[dict], numbers: list[int]) -> pl.DataFrame:
    """Return rows of texts as columns, and `line`."""
    names = dict.fromkeys(name for row in rows for name in row)
    schema = {"line": pl.UInt32} | dict.fromkeys(names, pl.String)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return pl.DataFrame({"line": numbers} | columns, schema=schema)


def value_at(value: object, path: str) -> object:
    """Return what a dotted path leads to, a name with dots first; MISSING for nothing."""
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
    """Return all ways to split a dotted path into a first name and the rest, or null."""
    dots = [position for position, letter in enumerate(path) if letter == "."]
    return [(path, None), *((path[:dot], path[dot + 1 :]) for dot in dots)]


def texts_in(text: str) -> list[str]:
    """Return the texts of a list, LIST and its JSON; any other text alone."""
    try:
        values = json.loads(text[len(LIST) :]) if text.startswith(LIST) else None
    except ValueError:
        values = None
    texts = [as_text(value) for value in values] if isinstance(values, list) else [text]
    return [text for text in texts if text is not None]


def several(column: str, value: str) -> tuple[str, str]:
    """Return what a fault says of a column that has several values where one text is due."""
    expected = (
        "one text: `answers.0` leads to one of several, and an answer key (`closed: "
        "true`) has a row for each"
    )
    return f"the {column} {quote(value)}", expected


def with_each_key_once(pairs: list[tuple]) -> dict:
    """Return a JSON object; RepeatedKeyError if it has a key twice."""
    record = {}
    for name, value in pairs:
        name = encodable(name)
        if name in record:
            raise json_pieces.RepeatedKeyError(name)
        record[name] = value
    return record


def as_text(value: object, number: bool = False) -> str | None:
    """Return a JSON value as a CSV would hold it; null for [] and, unless `number`, for NaN."""
    if isinstance(value, str):
        return encodable(value)
    value = only(value)
    if value is None or (not number and isinstance(value, float) and math.isnan(value)):
        return None
    return encodable(value) if isinstance(value, str) else json.dumps(value, default=str)


def only(value: object) -> object:
    """Return the element of a list of one, null of an empty list; any other value as it is."""
    return (value[0] if value else None) if isinstance(value, list) and len(value) < 2 else value


def encodable(text: str) -> str:
    """JSON can spell a lone surrogate ("\\ud800"), which no file in UTF-8 can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
