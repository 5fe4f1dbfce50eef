"""Find out how the records of a table are written: by separator, as lines, in which array, under
names, by column."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from operator import itemgetter
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
from nonresponse.wording import plural

SHEETS = (".xlsx", ".xls", ".xlsm", ".ods")
EXPECTED = "a log of a harness, a table, or a file of TREC, CLEF, ROMIP or DEFT (docs/formats.md)"
JSON = (".json", ".jsonl", ".ndjson")
# Endings of files that are no tables, whatever is in them
NO_TABLES = (".xml", ".eval", ".html", ".md", ".yaml", ".yml", ".py")
NAME = "key"  # the column for the names that records stand under
HEAD_RECORDS = 200  # records that are searched for nested values
DEEPEST = 3  # levels of objects in a record that are searched
MARKS = ";\t|,"  # that may separate fields
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
    if b"\t" in head:
        return ".tsv"
    return ".csv" if any(mark in head for mark in (b",", b";", b"|")) else kind


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
        list_name = options.get("records")
        places = [place for place in find_places(path) if list_name in (None, place.get("records"))]
        numbers, places = readable_places(path, options, places)
        options |= places[0] if places else {}
        if len(places) > 1:
            choices = tuple(
                Choice("records", place["records"], number)
                for number, place in zip(numbers, places, strict=True)
                if "records" in place
            )
            text = (
                "Which list of this file has the responses? All other questions are on the first."
            )
            questions.append(Question("records", text, choices))
    nested = paths_in_records(path, kind, options) if kind in JSON else paths_in_parquet(path, kind)
    paths = [*islice(nested, MAX_PATHS)]
    frame, faults = records.read_table(path, options, ColumnRequest(paths), keep=True)
    if faults and kind in records.SEPARATORS and "quoted" not in options:
        # Line ends and separators may stand in quotes, whatever the ending says of these
        quoted = options | {"quoted": True}
        quoted_frame, quoted_faults = records.read_table(
            path, quoted, ColumnRequest(paths), keep=True
        )
        if not quoted_faults:
            frame, faults, options = quoted_frame, quoted_faults, quoted
    is_narrow = kind in records.SEPARATORS and (faults or len(frame.columns) <= 2)  # with `line`
    title = find_title(path) if is_narrow else None
    outer = {name.split(".")[0] for name in paths} & {*frame.columns} - {*paths}
    return frame.drop(outer), options, questions, [title] if title else faults


def readable_places(
    path: str, options: dict[str, Any], places: list[dict[str, Any]]
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the numbers of records, and the places where they can be read, those with the most
    first; all places if none can."""
    heights: list[tuple[int, dict[str, Any]]] = []
    for place in places[:MAX_PATHS] if len(places) > 1 else ():
        frame, faults = records.read_table(path, options | place, ColumnRequest([]))
        heights += [] if faults else [(frame.height, place)]
    heights.sort(key=itemgetter(0), reverse=True)
    if not heights:
        return [""] * len(places), places
    return [plural(height, "record") for height, _ in heights], [place for _, place in heights]


def separator_of(path: str, kind: str) -> dict[str, Any]:
    """Return the option `separator` for a table whose first line has another than its ending
    says."""
    filled = (line for _, line in read_lines(path, {}, Faults(path)) if line.strip())
    header = next(filled, "")
    separator = max(MARKS, key=header.count)
    has_own = records.SEPARATORS[kind] in header or separator not in header
    return {} if has_own else {"separator": separator}


def find_title(path: str) -> Fault | None:
    """Return the fault of a delimited text with a title above the names of its columns; null
    without one."""
    filled = (line for _, line in read_lines(path, {}, Faults(path)) if line.strip(" ;,|\t"))
    header, *rows = [*islice(filled, FEW_LINES)] or [""]
    separator = max(MARKS, key="".join(rows).count)
    number, *numbers = (
        sum(bool(field.strip()) for field in line.split(separator)) for line in (header, *rows)
    )
    widest = max(numbers, default=0)
    if number > max(1, widest / 2) or number >= widest:
        return None
    found = f"a first line with {number} of {widest} column names"
    return Fault(path, 1, found, "the names of all columns on it: delete titles above them")


def find_places(path: str) -> list[dict[str, Any]]:
    """Return the places in a JSON file that may hold its records, as options; empty for an
    array."""
    try:
        arrays = find_arrays(path, {})
    except json_pieces.NotJsonError:
        return []
    if () in arrays:
        return []
    if tables := find_split_tables(arrays):
        return [
            {"records": name, "by_column": True} if name else {"by_column": True} for name in tables
        ]
    names_by_top: dict[str, list[str]] = {}
    for place in find_object_arrays(arrays):
        top, _, name = place.rpartition(".")
        names_by_top.setdefault(top, []).append(name)
    places: list[dict[str, Any]] = []
    for top, names in names_by_top.items():
        is_whole = {*arrays} == {(name,) for name in names} and {*first_members(path)} == {*names}
        if len(names) > 1 and (top or is_whole):
            places.append(({"records": top} if top else {}) | {"keyed": NAME})
        else:
            places += [{"records": f"{top}.{name}" if top else name} for name in names]
    return places or places_by_name(first_members(path), arrays)


def first_members(path: str) -> dict[str, Any]:
    """Return the first members of the object in a file, arrays as null."""
    stream, limit = stream_bytes(path, {}, Faults(path)), bound_fields(path, {})
    pieces = json_pieces.split_value(stream, (None,), limit=limit)
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
        return [{"by_column": True} if documented & {*map(plain, members)} else {"keyed": NAME}]
    inner = {
        name: value for name, value in members.items() if isinstance(value, dict) and len(value) > 1
    }
    if inner and len(inner) == len(members):
        names, *other_rows = map(list, inner.values())
        if all(row_names == names for row_names in other_rows) and all(map(str.isdecimal, names)):
            return [{"by_column": True}]
        if len(inner) > 1 and are_records(inner):
            return [{"keyed": name_levels(inner)}]
        return places_inside(inner)
    if members and not any(
        value is None or isinstance(value, dict | list) for value in members.values()
    ):
        return [{"keyed": NAME}]
    return places_inside(inner)


def places_inside(members: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the places of records under names, within the members of an object."""
    return [
        {"records": name, "keyed": name_levels(value)}
        for name, value in members.items()
        if all(isinstance(record, dict) for record in value.values())
    ]


def are_records(members: dict[str, Any]) -> bool:
    """Return whether objects, or those inside them, have a name in common, as records have."""
    if not isinstance(name_levels(members), str):
        members = {name: record for inner in members.values() for name, record in inner.items()}
    return len(members) > 1 and bool(set.intersection(*map(set, members.values())))


def name_levels(members: dict[str, Any]) -> str | list[str]:
    """Return the column for the names of records, or those of both levels of names where records
    stand two deep."""
    deeper = all(
        inner and all(isinstance(value, dict) for value in inner.values())
        for inner in members.values()
    )
    return [NAME, f"{NAME}_2"] if deeper else NAME


def paths_in_records(path: str, kind: str, options: dict[str, Any]) -> Iterator[str]:
    """Yield the dotted paths to values inside the objects of the first records."""
    numbered: Iterator[tuple[int, object]] = json_pieces.read_json_lines(path, "", {}, [])
    if kind == ".json":
        numbered = read_records(path, options, Faults(path))
    if "nested" in options:
        numbered = unnest(numbered, options["nested"], Faults(path))
    yield from dict.fromkeys(
        name for _, record in islice(numbered, HEAD_RECORDS) for name in paths_in(record)
    )


def paths_in_parquet(path: str, kind: str) -> Iterator[str]:
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
