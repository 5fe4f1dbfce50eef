"""Find out how the records of a table are written: by separator, as lines, in which array, under
names, by column."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any

import polars as pl

from nonresponse.detect import Choice, Question
from nonresponse.detect.names import ALIASES, plain
from nonresponse.faults import Fault, quote
from nonresponse.formats import SHAPE, json_pieces, records
from nonresponse.formats.json_records import (
    ColumnRequest,
    find_arrays,
    find_object_arrays,
    find_split_tables,
    read_records,
    unnest,
)
from nonresponse.formats.parquet import POLARS_ERRORS
from nonresponse.formats.text import (
    Faults,
    bound_fields,
    get_ending,
    read_bytes,
    read_lines,
    stream_bytes,
)

SHEETS = (".xlsx", ".xls", ".xlsm", ".ods")
EXPECTED = "a log of a harness, a table, or a file of TREC, CLEF, ROMIP or DEFT (docs/formats.md)"
JSON = (".json", ".jsonl", ".ndjson")
NO_TABLES = (
    ".xml",
    ".eval",
    ".html",
    ".md",
    ".yaml",
    ".yml",
    ".py",
)  # endings of files that are none, whatever is in them
NAME = "key"  # the column for the names that records stand under
HEAD_RECORDS = 200  # records that are searched for nested values
DEEPEST = 3  # levels of objects in a record that are searched
FEW_LINES = 20  # that show whether the first is a title
MAX_PATHS = 100  # paths to nested values that become columns
SHAPES = (*SHAPE, "quoted")  # the options that say how records are written


def kind_of(path: str) -> str:
    """Return the ending of a file, such as ".csv"; where it says nothing, that of what the file
    begins with."""
    kind = get_ending(path)
    if kind not in JSON and kind in (*records.KINDS, *NO_TABLES, ""):
        return kind
    head, _, tail = next(stream_bytes(path, {}, Faults(path)), b"").lstrip().partition(b"\n")
    if kind == ".json" or (kind not in JSON and head[:1] in (b"{", b"[")):
        return ".jsonl" if tail.lstrip()[:1] == b"{" and is_object(head) else ".json"
    if kind in JSON:
        return ".json" if head[:1] == b"[" else kind
    if head[:4] == b"PAR1":
        return ".parquet"
    return (
        ".tsv"
        if b"\t" in head
        else ".csv"
        if any(mark in head for mark in (b",", b";", b"|"))
        else kind
    )


def is_object(text: bytes) -> bool:
    """Return whether a text is a JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def read(
    path: str, settings: dict[str, Any]
) -> tuple[pl.DataFrame, dict[str, Any], list[Question], list[Fault]]:
    """Return the table of a file, the options that read it, what they leave open, and the file's
    faults.

    Nested values are columns with dotted names. Where something is open, the table is that of the
    first choice.
    """
    options: dict[str, Any] = {name: settings[name] for name in SHAPES if name in settings}
    kind = f".{options['kind']}" if "kind" in options else kind_of(path)
    if kind not in records.KINDS:
        _, unreadable = read_bytes(path, {})
        fault = Fault(path, 0, f"the ending {quote(get_ending(path))}", EXPECTED)
        if get_ending(path) in SHEETS:
            fault = Fault(path, 0, "a spreadsheet", "each of its sheets saved as CSV in UTF-8")
            unreadable = Faults(path)
        return pl.DataFrame(), {}, [], unreadable or [fault]
    if kind != get_ending(path):
        options["kind"] = kind[1:]
    questions: list[Question] = []
    if kind in records.SEPARATORS and "separator" not in options:
        options |= separator_of(path, kind)
    elif kind == ".json" and not {"keyed", "by_column"} & {*options}:
        places = [
            place
            for place in places_of(path)
            if options.get("records") in (None, place.get("records"))
        ]
        if len(places) > 1:
            places = readable_places(path, options, places)
        options |= places[0] if places else {}
        if len(places) > 1:
            choices = tuple(
                Choice("records", place["records"]) for place in places if "records" in place
            )
            questions.append(
                Question("records", "Which list of this file has the responses?", choices)
            )
    names = nested_paths(path, kind, options) if kind in JSON else fields_of(path, kind)
    paths = [*islice(names, MAX_PATHS)]
    frame, faults = records.read_table(path, options, ColumnRequest(paths), keep=True)
    narrow = kind in records.SEPARATORS and (faults or len(frame.columns) <= 2)  # with `line`
    title = title_of(path) if narrow else None
    outer = {name.split(".")[0] for name in paths} & {*frame.columns} - {*paths}
    return frame.drop(outer), options, questions, [title] if title else faults


def readable_places(
    path: str, options: dict[str, Any], places: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the places whose records can be read, those with the most records first; all places if
    none can."""
    tables = [
        (place, *records.read_table(path, options | place, ColumnRequest([])))
        for place in places[:MAX_PATHS]
    ]
    sound = [(place, frame.height) for place, frame, faults in tables if not faults]
    return [place for place, _ in sorted(sound, key=lambda place_rows: -place_rows[1])] or places


def separator_of(path: str, kind: str) -> dict[str, Any]:
    """Return the option `separator` for a table whose first line has another than its ending
    says."""
    _, header = next(
        ((number, line) for number, line in read_lines(path, {}, Faults(path)) if line.strip()),
        (0, ""),
    )
    number = {mark: header.count(mark) for mark in ";\t|,"}
    best = max(number, key=lambda mark: number[mark])
    return {"separator": best} if not number[records.SEPARATORS[kind]] and number[best] else {}


def title_of(path: str) -> Fault | None:
    """Return the fault of a delimited text with a title above the names of its columns; null
    without one."""
    filled_lines = (line for _, line in read_lines(path, {}, Faults(path)) if line.strip(" ;,|\t"))
    header, *rows = [*islice(filled_lines, FEW_LINES)] or [""]
    text = "".join(rows)
    mark = max(";\t|,", key=text.count)
    fields = [sum(bool(field.strip()) for field in line.split(mark)) for line in (header, *rows)]
    widest = max(fields)
    if fields[0] == widest or fields[0] > max(1, widest / 2):
        return None
    found = f"a first line with {fields[0]} of {widest} column names"
    return Fault(path, 1, found, "the names of all columns on it: delete titles above them")


def places_of(path: str) -> list[dict[str, Any]]:
    """Return the places in a JSON file that may hold its records, as options; empty for an
    array."""
    try:
        arrays = find_arrays(path, {})
    except json_pieces.NotJsonError:
        return []
    if () in arrays:
        return []
    if column_tables := find_split_tables(arrays):
        return [
            ({"records": place} if place else {}) | {"by_column": True} for place in column_tables
        ]
    names_by_place: dict[tuple[str, ...], list[str]] = {}
    for place in find_object_arrays(arrays):
        *parents, name = place.split(".")
        names_by_place.setdefault(tuple(parents), []).append(name)
    places: list[dict[str, Any]] = []
    for top, names in names_by_place.items():
        options = {"records": ".".join(top)} if top else {}
        if len(names) > 1 and (
            top
            or {(name,) for name in names}
            == {*arrays}
            == {(member,) for member in first_members(path)}
        ):
            places.append(options | {"keyed": NAME})
        else:
            places += [{"records": ".".join([*top, name])} for name in names]
    return places or places_by_name(first_members(path), arrays)


def first_members(path: str) -> dict[str, Any]:
    """Return the first members of the object in a file, arrays as null."""
    pieces = json_pieces.split_value(
        stream_bytes(path, {}, Faults(path)), (None,), limit=bound_fields(path, {})
    )
    return {
        piece.path[0]: None if piece.element else piece.value
        for piece in islice(pieces, HEAD_RECORDS)
        if piece.path
    }


def places_by_name(
    members: dict[str, Any], arrays: dict[tuple[str, ...], bool]
) -> list[dict[str, Any]]:
    """Return the places of records in an object without arrays of objects: by column, or under
    names."""
    if members and {*arrays} == {(name,) for name in members}:
        documented = {name for aliases in ALIASES.values() for name in aliases}
        has_documented_names = documented & {*map(plain, members)}
        return [{"by_column": True} if has_documented_names else {"keyed": NAME}]
    inner = {
        name: value for name, value in members.items() if isinstance(value, dict) and len(value) > 1
    }
    if inner and len(inner) == len(members):
        names = [*map(list, inner.values())]
        if all(own_names == names[0] for own_names in names) and all(
            name.isdecimal() for name in names[0]
        ):
            return [{"by_column": True}]
        return [{"keyed": name_levels(inner)}] if len(inner) > 1 else places_inside(inner)
    if (
        members
        and not any(isinstance(value, dict | list) for value in members.values())
        and None not in members.values()
    ):
        return [{"keyed": NAME}]
    return places_inside(inner)


def places_inside(members: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the places of records under names, within the members of an object."""
    objects = {
        name: value
        for name, value in members.items()
        if all(isinstance(record, dict) for record in value.values())
    }
    return [{"records": name, "keyed": name_levels(value)} for name, value in objects.items()]


def name_levels(members: dict[str, Any]) -> str | list[str]:
    """Return the column for the names of records, or those of both levels of names where records
    stand two deep."""
    deeper = all(
        inner and all(isinstance(value, dict) for value in inner.values())
        for inner in members.values()
    )
    return [NAME, f"{NAME}_2"] if deeper else NAME


def nested_paths(path: str, kind: str, options: dict[str, Any]) -> Iterator[str]:
    """Yield the dotted paths to values inside the objects of the first records."""
    numbered_records: Iterator[tuple[int, object]] = (
        read_records(path, options, Faults(path))
        if kind == ".json"
        else json_pieces.read_json_lines(path, "", {}, [])
    )
    names: dict[str, None] = {}
    numbered_records = (
        unnest(numbered_records, options["nested"], Faults(path))
        if "nested" in options
        else numbered_records
    )
    for _, record in islice(numbered_records, HEAD_RECORDS):
        names |= dict.fromkeys(paths_in(record))
    yield from names


def fields_of(path: str, kind: str) -> Iterator[str]:
    """Yield the dotted paths to the fields inside the structs of a Parquet file."""
    with suppress(OSError, *POLARS_ERRORS):  # the reader says what is wrong
        if kind == ".parquet":
            yield from inside_structs(pl.scan_parquet(path, glob=False).collect_schema())


def inside_structs(fields: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Yield the dotted paths to fields inside structs."""
    for name, dtype in fields.items():
        if isinstance(dtype, pl.Struct):
            yield from inside_structs(dtype.to_schema(), f"{prefix}{name}.")
        elif prefix:
            yield f"{prefix}{name}"


def paths_in(record: object, prefix: str = "", depth: int = DEEPEST) -> Iterator[str]:
    """Yield the dotted paths to the values inside the objects of a record."""
    for name, value in record.items() if isinstance(record, dict) else ():
        if isinstance(value, dict) and depth:
            yield from paths_in(value, f"{prefix}{name}.", depth - 1)
        elif prefix:
            yield f"{prefix}{name}"
