"""Records in JSON, an object each: where in a file they are, and their values as text."""

import ast
import json
import math
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from nonresponse.faults import quote, quote_names
from nonresponse.formats import json_pieces
from nonresponse.formats.text import MOST_COLUMNS, Faults, bound_fields
from nonresponse.settings import Files

Pieces = Iterator[json_pieces.Piece]
Records = Iterator[tuple[int, object]]  # each with its line
Steps = tuple[str, ...]  # names of objects within each other
MISSING = object()
CHUNK_ROWS = 20_000  # that are held as objects of Python at once
OBJECTS = "*"  # the end of a path to objects, each under its name, among other values
MEMBERS = "members"  # the value of `nested` for all objects in a record, each under its name
VALUE = "value"  # the column for a value under a name that is no object
ROW_KEYS = ("data", "rows")  # what the rows are called, beside `columns` with the columns' names
COLUMNS_EXPECTED = "an object of columns that are all as long, or of `columns` and `data` or `rows`"
LIST_MARK = "\x1f"  # what precedes a list of accepted answers: a text may look like one
LIST_OF_TEXTS = r"(?s)^\[\s*(['\"].*['\"])?\s*\]$"  # how such a list begins and ends in a text


class ColumnRequest(NamedTuple):
    """What a caller needs of the columns of a table."""

    paths: Collection[str] = ()  # dotted paths to values inside others, which become columns, too
    # Columns of numbers, in which NaN is not taken for an empty field
    numbers: Collection[str] = ()
    # Columns in which several values, or an object, are a fault
    texts: Collection[str] = ()
    lists: Collection[str] = ()  # columns of accepted answers, of which a list has several
    columns: Collection[str] | None = None  # columns whose values are needed; null = all


def read_records(file: str | Path, options: Files, faults: Faults) -> Records:
    """Yield the records of a file with their lines, by `records`, `keyed` and `by_column`.

    Records that are stored column by column have no lines, and are numbered.
    """
    path = tuple(options["records"].split(".")) if "records" in options else ()
    reader = read_by_name if "keyed" in options else read_array
    if options.get("by_column"):
        reader = read_columns
    file_faults = Faults(file)
    yield from reader(file, options, path, file_faults)
    faults += file_faults


def read_pieces(file: str | Path, options: Files, way: json_pieces.Way, faults: Faults) -> Pieces:
    return json_pieces.read_pieces(file, [way], options, faults, make_strict_object)


def read_array(file: str | Path, options: Files, path: Steps, faults: Faults) -> Records:
    """Yield the elements of an array, which is the file, or stands at a path in it."""
    count, found = 0, f"no array at {quote('.'.join(path))}" if path else "an object"
    if path or json_pieces.get_first_letter(file) != "{":  # an object would be read whole
        for piece in read_pieces(file, options, path, faults):
            if piece.path == path and piece.element:
                count += 1
                yield piece.line, piece.value
            elif not path:
                found = quote(piece.value)
    if count or faults:
        return
    try:
        arrays = json_pieces.find_arrays(file, options)
    except json_pieces.NotJsonError as error:
        faults.add(error.line, error.found, json_pieces.JSON)
        return
    if path in arrays:
        faults.add(0, "no records", "at least one object in the array")
        return
    expected = "an array of objects"
    if paths := quote_names(find_object_arrays(arrays)):
        expected += f"; `records:` in config.yaml says where one is: {paths}"
    elif not path:
        keyed = "`keyed:` says what its names are, if each has a record"
        expected += f"; {keyed}, or `by_column: true`"
    faults.add(0, found, expected)


def read_by_name(file: str | Path, options: Files, path: Steps, faults: Faults) -> Records:
    """Yield the records under names. `keyed` names a column for each level of names.

    An object is a record, and so is each element of an array. Anything else becomes the column
    `value` of a record; at a path that ends in OBJECTS, it is none.
    """
    columns = [options["keyed"]] if isinstance(options["keyed"], str) else options["keyed"]
    objects_only = path[-1:] == (OBJECTS,)
    path = path[:-1] if objects_only else path
    objects, depth = None, len(path)  # whether records are objects
    for piece in read_pieces(file, options, (*path, *[None] * len(columns)), faults):
        if piece.path[:depth] != path or (objects_only and not isinstance(piece.value, dict)):
            continue
        names = dict(zip(columns, piece.path[depth:], strict=False))
        is_object = isinstance(piece.value, dict)
        record = piece.value if isinstance(piece.value, dict) else {VALUE: piece.value}
        objects = is_object if objects is None else objects
        conflicts = [name for name in names if name in record and record[name] != names[name]]
        if len(names) < len(columns):
            expected = f"an object, whose names are {quote(columns[len(names)])}"
            faults.add(piece.line, quote(piece.value), expected)
        elif is_object != objects:
            found = f"{quote(piece.value)} at {quote('.'.join(piece.path))}"
            faults.add(piece.line, found, "records that are all objects, or none of them")
        elif conflicts:
            found = f"a record that has {quote(conflicts[0])} itself"
            faults.add(piece.line, found, "another name in `keyed:`")
        else:
            yield piece.line, names | record
    if objects is None and not faults:
        found = f"nothing at {quote('.'.join(path))}" if path else "an object without names"
        faults.add(0, found, "records")


def read_columns(file: str | Path, options: Files, path: Steps, faults: Faults) -> Records:
    """Yield the rows of columns, arrays or objects with the same names, or of ROW_KEYS."""
    columns: dict[str, Any] = {}
    values, limit = 0, bound_fields(file, options)
    for piece in read_pieces(file, options, (*path, None), faults):
        values += len(piece.value) if isinstance(piece.value, dict) else 1
        if faults.add_excess(values, 1, limit):
            return
        if piece.element:
            columns.setdefault(piece.path[-1], []).append(piece.value)
        elif len(piece.path) > len(path) and piece.path[: len(path)] == path:
            columns[piece.path[-1]] = piece.value
    rows = None if faults else make_rows(columns)
    if rows is not None:
        yield from enumerate(rows, start=1)
    elif not faults:
        faults.add(0, "no such columns", COLUMNS_EXPECTED)


def make_rows(columns: dict[str, object]) -> list[dict] | None:
    """Return the rows of an object of columns; null where the columns do not fit together."""
    names = columns.get("columns")
    data = next((columns[name] for name in ROW_KEYS if name in columns), None)
    if isinstance(names, list) and isinstance(data, list):
        is_even = all(isinstance(row, list) and len(row) == len(names) for row in data)
        are_names = all(isinstance(name, str) for name in names) and len({*names}) == len(names)
        if not is_even or not are_names:
            return None
        return [dict(zip(names, row, strict=True)) for row in data]
    series = [values for values in columns.values() if isinstance(values, dict | list)]
    label_sets = {tuple(values) for values in series if isinstance(values, dict)}
    if len(series) < len(columns) or len(label_sets) > 1 or len({*map(len, series)}) != 1:
        return None
    cells = [values.values() if isinstance(values, dict) else values for values in series]
    return [dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True)]


def find_split_tables(arrays: dict[tuple[str, ...], bool]) -> list[str]:
    """Return the dotted paths of the objects with `columns` beside ROW_KEYS; "" for the file."""
    return [
        ".".join(path[:-1])
        for path in arrays
        if path[-1:] == ("columns",)
        and any(arrays.get((*path[:-1], name)) is False for name in ROW_KEYS)
    ]


def find_object_arrays(arrays: dict[tuple[str, ...], bool]) -> list[str]:
    """Return the dotted paths of the arrays inside a file that begin with an object."""
    return [".".join(path) for path, objects in arrays.items() if objects and path]


def make_table(
    values: Records, request: ColumnRequest, faults: Faults, limit: float = math.inf
) -> pl.DataFrame:
    """Return objects with their lines as a table of text, a column per key.

    A value that is no object is a fault. Reading stops, with a fault, at more than `limit` fields,
    empty ones included, or at too many columns.
    """
    rows, lines, frames = list[dict](), list[int](), list[pl.DataFrame]()
    columns: dict[str, None] = {}
    row_count = 0
    for line, record in values:
        row_count += 1
        if row_count * max(1, len(columns)) > limit:
            break
        if not isinstance(record, dict):
            faults.add(line, quote(record), "one JSON object")
            continue
        inner = {path: get_value(record, path) for path in request.paths}
        fields = record | {path: value for path, value in inner.items() if value is not MISSING}
        columns |= dict.fromkeys(fields)
        if len(columns) > MOST_COLUMNS or row_count * len(columns) > limit:
            break
        row = {}
        for name, value in fields.items():
            if request.columns is None or name in request.columns:
                row[name] = encode_value(value, name in request.numbers)
            content = unwrap_single(value)
            if isinstance(content, list) and name in request.lists:
                row[name] = f"{LIST_MARK}{row[name]}"
            elif isinstance(content, dict | list) and name in request.texts:
                key_hint = "an answer key (`closed: true`) has a row for each"
                expected = f"one text: `answers.0` leads to one of several, and {key_hint}"
                faults.add(line, f"the {name} {quote(row[name])}", expected)
        rows.append(row)
        lines.append(line)
        if len(rows) == CHUNK_ROWS:
            frames.append(make_frame(rows, lines))
            rows, lines = [], []
    faults.add_unfit_columns(list(columns))
    excess = faults.add_excess(row_count, max(1, len(columns)), limit)
    if excess or len(columns) > MOST_COLUMNS or "line" in columns:
        return pl.DataFrame()
    table = pl.concat([*frames, make_frame(rows, lines)], how="diagonal")
    empty_columns = columns.keys() - {*table.columns}
    table = table.with_columns(pl.lit(None, pl.String).alias(name) for name in empty_columns)
    return table.select("line", *columns)


def unnest(values: Records, name: str, faults: Faults) -> Records:
    """Yield a record for each object of the list or the object under a name, with the inner object
    in its place; `run` in it is the name that it has there. MEMBERS stands for all objects."""
    for number, record in values:
        items = record.get(name) if isinstance(record, dict) else None
        if isinstance(record, dict) and name == MEMBERS and items is None:
            items = {key: value for key, value in record.items() if isinstance(value, dict)}
            record = {key: value for key, value in record.items() if key not in items}
        if isinstance(items, dict) and all(isinstance(item, dict) for item in items.values()):
            items = [{"run": run} | item for run, item in items.items()]
        if isinstance(items, list) and all(isinstance(item, dict) for item in items):
            yield from ((number, record | {name: item}) for item in items)  # type: ignore[operator]
        else:
            faults.add(number, quote(items), f"objects, in a list or under names, at {quote(name)}")


def make_frame(rows: list[dict], lines: list[int]) -> pl.DataFrame:
    """Return rows of texts as columns, and `line`."""
    names = dict.fromkeys(name for row in rows for name in row)
    schema = {"line": pl.UInt32} | dict.fromkeys(names, pl.String)
    columns = {name: [row.get(name) for row in rows] for name in names}
    return pl.DataFrame({"line": lines} | columns, schema=schema)


def get_value(value: object, path: str) -> object:
    """Return what a dotted path leads to, a name with dots first; MISSING for nothing."""
    for name, remainder in list_splits(path):
        inner: object = MISSING
        if isinstance(value, dict):
            inner = value.get(name, MISSING)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            inner = value[int(name)]
        if remainder is not None and inner is not MISSING:
            inner = get_value(inner, remainder)
        if inner is not MISSING:
            return inner
    return MISSING


@cache
def list_splits(path: str) -> list[tuple[str, str | None]]:
    """Return all splits of a dotted path into a first name and the rest, null for none."""
    dots = [position for position, letter in enumerate(path) if letter == "."]
    return [(path, None), *((path[:dot], path[dot + 1 :]) for dot in dots)]


def parse_texts(text: str) -> list[str]:
    """Return the texts of a list, LIST_MARK and its JSON; any other text alone."""
    try:
        values = json.loads(text[len(LIST_MARK) :]) if text.startswith(LIST_MARK) else None
    except ValueError:
        values = None
    texts = [encode_value(value) for value in values] if isinstance(values, list) else [text]
    return [text for text in texts if text is not None]


def parse_list(text: str) -> list[str] | None:
    """Return the texts of a list as JSON or Python writes it; null for any other text."""
    with suppress(ValueError, SyntaxError, MemoryError, RecursionError):
        try:
            values = json.loads(text)
        except ValueError:  # without commas, Python joins what stands side by side
            values = None if re.search(r"['\"]\s+['\"]", text) else ast.literal_eval(text)
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            return values
    return None


def mark_lists(texts: pl.Series) -> pl.Series:
    """Return a column in which each text is a list of texts with LIST_MARK and JSON, an empty list
    as null; another column as it is."""
    distinct = texts.drop_nulls().unique()
    if distinct.is_empty() or not distinct.str.contains(LIST_OF_TEXTS).all():
        return texts
    lists = {text: parse_list(text) for text in distinct}
    if None in lists.values():
        return texts
    marked = {text: f"{LIST_MARK}{json.dumps(items)}" for text, items in lists.items() if items}
    return texts.replace_strict(marked, default=None, return_dtype=pl.String)


def make_strict_object(pairs: list[tuple]) -> dict:
    """Return a JSON object; RepeatedKeyError if it has a key twice."""
    record = {}
    for name, value in pairs:
        name = replace_surrogates(name)
        if name in record:
            raise json_pieces.RepeatedKeyError(name)
        record[name] = value
    return record


def encode_value(value: object, number: bool = False) -> str | None:
    """Return a JSON value as a CSV would hold it; null for [] and, unless `number`, for NaN."""
    if isinstance(value, str):
        return replace_surrogates(value)
    value = unwrap_single(value)
    if value is None or (not number and isinstance(value, float) and math.isnan(value)):
        return None
    return replace_surrogates(value) if isinstance(value, str) else json.dumps(value, default=str)


def unwrap_single(value: object) -> object:
    """Return the element of a list of one, null of an empty list; any other value as it is."""
    return (value[0] if value else None) if isinstance(value, list) and len(value) < 2 else value


def replace_surrogates(text: str) -> str:
    """Return a text without lone surrogates ("\\ud800"), which no file in UTF-8 can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
