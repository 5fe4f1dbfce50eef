"""Where in a `.json` its records are: in an array, in an object under names of their own, or column
by column."""

from collections.abc import Iterator
from pathlib import Path

from nonresponse.faults import listed, shown
from nonresponse.formats import json_pieces
from nonresponse.formats.json_pieces import begins_with as begins_with
from nonresponse.formats.json_records import with_each_key_once
from nonresponse.formats.text import Faults, most_fields, stream
from nonresponse.settings import Files

VALUE = "value"  # the column for a value under a name that is no object
ROWS = ("data", "rows")  # what the rows are called, beside `columns` with the columns' names
OF_COLUMNS = "an object of columns that are all as long, or of `columns` and `data` or `rows`"


def records_in(file: str | Path, options: Files, faults: Faults) -> Iterator[tuple[int, object]]:
    """Return the records of a file with their lines, found as `records`, `keyed` and `by_column`
    say.

    Records that are stored column by column have no lines, and are numbered.
    """
    place = tuple(options["records"].split(".")) if "records" in options else ()
    unreadable = Faults(file)
    read = in_columns if options.get("by_column") else by_name if "keyed" in options else in_array
    try:
        yield from read(file, options, place, unreadable, faults)
    except json_pieces.NotJsonError as error:
        if not unreadable:
            faults.add(
                error.line, error.found, "JSON in .json; objects on lines of their own are .jsonl"
            )
    faults += unreadable


def pieces(
    file: str | Path, options: Files, way: json_pieces.Way, unreadable: Faults
) -> Iterator[json_pieces.Piece]:
    most = most_fields(file, options)
    return json_pieces.pieces(
        stream(file, options, unreadable), way, of_pairs=with_each_key_once, most=most
    )


def in_array(
    file: str | Path, options: Files, place: tuple[str, ...], unreadable: Faults, faults: Faults
) -> Iterator[tuple[int, object]]:
    """Yield the elements of an array, which is the file, or stands at a path in it
    ("results.rows")."""
    number, found = 0, f"no array at {shown('.'.join(place))}" if place else "an object"
    if place or begins_with(file, options) != "{":  # an object would be read whole
        for piece in pieces(file, options, place, unreadable):
            if piece.path == place and piece.element:
                number += 1
                yield piece.line, piece.value
            elif not place:
                found = shown(piece.value)
    if number or unreadable:
        return
    there = arrays_of(file, options)
    if place in there:
        faults.add(0, "no records", "at least one object in the array")
        return
    expected = "an array of objects"
    if known := listed(of_objects(there)):
        expected += f"; `records:` in config.yaml says where one is: {known}"
    elif not place:
        names = "`keyed:` says what its names are, if each has a record, or `by_column: true`"
        expected += f"; {names}"
    faults.add(0, found, expected)


def by_name(
    file: str | Path, options: Files, place: tuple[str, ...], unreadable: Faults, faults: Faults
) -> Iterator[tuple[int, object]]:
    """Yield the records under names: each level of names becomes a column of the record, with its
    name from `keyed`.

    An object is a record, and so is each element of an array; anything else becomes the column
    `value` of a record.
    """
    columns = [options["keyed"]] if isinstance(options["keyed"], str) else options["keyed"]
    number, objects, depth = 0, None, len(place)
    for piece in pieces(file, options, (*place, *[None] * len(columns)), unreadable):
        if piece.path[:depth] != place:
            continue
        number += 1
        names = dict(zip(columns, piece.path[depth:], strict=False))
        is_object = isinstance(piece.value, dict)
        record = piece.value if isinstance(piece.value, dict) else {VALUE: piece.value}
        objects = is_object if objects is None else objects
        both = [name for name in names if name in record and record[name] != names[name]]
        if len(names) < len(columns):
            expected = f"an object, whose names are {shown(columns[len(names)])}"
            faults.add(piece.line, shown(piece.value), expected)
        elif objects != is_object:
            found = f"{shown(piece.value)} at {shown('.'.join(piece.path))}"
            before = "an object, as there was before"
            expected = before if objects else "no object, as there was none before"
            faults.add(piece.line, found, expected)
        elif both:
            found = f"a record that has {shown(both[0])} itself"
            faults.add(piece.line, found, "another name in `keyed:`")
        else:
            yield piece.line, names | record
    if not number and not unreadable:
        found = f"nothing at {shown('.'.join(place))}" if place else "an object without names"
        faults.add(0, found, "records")


def in_columns(
    file: str | Path, options: Files, place: tuple[str, ...], unreadable: Faults, faults: Faults
) -> Iterator[tuple[int, object]]:
    """Return the rows of columns that are arrays or objects with the same names, or of `columns`
    and ROWS."""
    columns: dict[str, object] = {}
    elements: dict[str, list] = {}
    for piece in pieces(file, options, (*place, None), unreadable):
        if piece.element:
            elements.setdefault(piece.path[-1], []).append(piece.value)
        elif len(piece.path) > len(place) and piece.path[: len(place)] == place:
            columns[piece.path[-1]] = piece.value
    if unreadable:
        return
    rows = rows_of(columns | elements)
    if rows is None:
        faults.add(0, "no such columns", OF_COLUMNS)
    else:
        yield from enumerate(rows, start=1)


def rows_of(columns: dict[str, object]) -> list[dict] | None:
    """Return the rows of an object of columns; null where the columns do not fit together."""
    names = columns.get("columns")
    data = next((columns[name] for name in ROWS if name in columns), None)
    if isinstance(names, list) and isinstance(data, list):
        even = all(isinstance(row, list) and len(row) == len(names) for row in data)
        strings = all(isinstance(name, str) for name in names) and len({*names}) == len(names)
        return [dict(zip(names, row, strict=True)) for row in data] if even and strings else None
    each = columns.values()
    if not all(isinstance(values, dict | list) for values in each):
        return None
    labels = {tuple(values) for values in each if isinstance(values, dict)}
    if len(labels) > 1 or len({len(values) for values in each}) != 1:  # type: ignore[arg-type]
        return None
    cells = [values.values() if isinstance(values, dict) else values for values in each]
    return [dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True)]


def arrays_of(file: str | Path, options: Files) -> dict[tuple[str, ...], bool]:
    """Return the paths of arrays in a file, each with whether it begins with an object. Raises
    NotJsonError."""
    return json_pieces.arrays_in(stream(file, options, Faults(file)), most_fields(file, options))


def split_tables(arrays: dict[tuple[str, ...], bool]) -> list[str]:
    """Return the dotted paths of the objects that have `columns` beside ROWS; "" for the file."""
    return [
        ".".join(path[:-1])
        for path in arrays
        if path[-1:] == ("columns",)
        and any(arrays.get((*path[:-1], name)) is False for name in ROWS)
    ]


def of_objects(arrays: dict[tuple[str, ...], bool]) -> list[str]:
    """Return the dotted paths of the arrays that begin with an object, without the array that is
    the whole file."""
    return [".".join(path) for path, objects in arrays.items() if objects and path]
