"""Find out how the records of a table are written: by separator, as lines, in which array, under
names, by column."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from operator import itemgetter
from typing import Any

import polars as pl

from nonresponse.detect import Choice, Question
from nonresponse.detect.names import ALIASES, COUNTS, plain
from nonresponse.faults import Fault, quote, quote_names
from nonresponse.formats import SHAPE, json_pieces, parquet, records
from nonresponse.formats.json_records import (
    OBJECTS,
    ColumnRequest,
    find_object_arrays,
    find_split_tables,
    read_records,
    unnest,
)
from nonresponse.formats.text import (
    ENCODINGS,
    Faults,
    get_ending,
    read_bytes,
    stream_bytes,
)
from nonresponse.wording import plural

SHEETS = (".xlsx", ".xls", ".xlsm", ".ods")
EXPECTED = "a log of a harness, a table, or a file of TREC, CLEF, ROMIP or DEFT (docs/formats.md)"
JSON = (".json", ".jsonl", ".ndjson")
# Endings of files that are no tables, whatever is in them
NO_TABLES = (".xml", ".eval", ".html", ".md", ".yaml", ".yml", ".py")
WHICH_ENCODING = "This file is not UTF-8. How is it encoded?"
WHICH_LIST = "Which list of this file has the responses? All other questions are on the first."
WHICH_MEMBERS = "Are the objects in this file its records? Its other values are then left out."
NAME = "key"  # the column for the names that records stand under
HEAD_RECORDS = 200  # records that are searched for nested values
DEEPEST = 3  # levels of objects in a record that are searched
NOT_ASCII = re.compile(rb"[^\s;|,\"]{0,20}[\x80-\xff][^\s;|,\"]{0,20}")  # a word, or part of it
MARKS = ";\t|,"  # that may separate fields
FEW_LINES, HEAD_LINES = 20, 1000  # in which they are looked for: with text, and of all
MAX_PATHS = 100  # paths to nested values that become columns
SHAPES = (*SHAPE, "quoted")  # the options that say how records are written


def kind_of(path: str) -> str:
    """Return the ending of a file, such as ".csv"; where it says nothing, that of what the file
    begins with."""
    kind = get_ending(path)
    if kind not in JSON and kind in (*records.KINDS, *NO_TABLES, ""):
        return kind
    head, _, tail = next(stream_bytes(path, Faults(path)), b"").lstrip().partition(b"\n")
    if kind == ".json" or (kind not in JSON and head[:1] in (b"{", b"[")):
        return ".jsonl" if tail.lstrip()[:1] == b"{" and is_object(head) else ".json"
    if kind in JSON:
        return ".json" if head[:1] == b"[" else kind
    if head[:4] == b"PAR1":
        return ".parquet"
    if b"\0" in head:  # no text
        return kind
    if b"\t" in head:
        return ".tsv"
    return ".csv" if any(mark in head for mark in (b",", b";", b"|")) else kind


def is_object(text: bytes) -> bool:
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
        _, unreadable = read_bytes(path)
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
    elif kind == ".json" and "by_column" not in options:
        located = [
            location
            for location in find_locations(path)
            if options.get("records") in (None, location.get("records"))
            and ("keyed" not in options or OBJECTS in location.get("records", ""))
        ]
        # Where members are no records, which ones are is not certain
        has_others = any(OBJECTS in location.get("records", "") for location in located)
        is_open = len(located) > 1 or (has_others and "records" not in settings)
        if is_open:
            heights = [
                (count_records(path, location | options) or 0, location) for location in located
            ]
            heights.sort(key=itemgetter(0), reverse=True)
            heights = [*filter(itemgetter(0), heights)] or heights
            located = [location for _, location in heights]
            choices = tuple(
                Choice("records", location["records"], plural(height, "record"))
                for height, location in heights
                if "records" in location
            )
            if len(located) > 1:
                questions.append(Question("records", WHICH_LIST, choices))
            elif has_others:
                default = choices[0] if choices else None
                questions.append(Question("records", WHICH_MEMBERS, choices, default=default))
        options = (located[0] if located else {}) | options
    nested: Iterator[str] = iter(())
    if kind in JSON:
        nested = paths_in_records(path, kind, options)
    elif kind == ".parquet":
        nested = inside_structs(parquet.read_schema(path))
    user_paths = [value for value in settings.values() if isinstance(value, str) and "." in value]
    paths = [*dict.fromkeys([*islice(nested, MAX_PATHS), *(user_paths if kind in JSON else ())])]
    frame, faults = records.read_table(path, options, ColumnRequest(paths), keep=True)
    can_ask = faults and kind in records.SEPARATORS and "encoding" not in options
    if can_ask and (encodings := list_encodings(path)):
        questions.append(Question("encoding", WHICH_ENCODING, encodings))
        options["encoding"] = encodings[0].value
        frame, faults = records.read_table(path, options, ColumnRequest(paths), keep=True)
    if faults and kind in (".tsv", ".txt", ".tab") and "quoted" not in options:
        # Line ends and separators may stand in quotes, whatever the ending says of these
        quoted = options | {"quoted": True}
        quoted_frame, quoted_faults = records.read_table(
            path, quoted, ColumnRequest(paths), keep=True
        )
        if not quoted_faults:
            frame, faults, options = quoted_frame, quoted_faults, quoted
    fields = frame.select(pl.selectors.string())
    if kind in records.SEPARATORS and is_headless(fields):
        found = f"a first line of values, {quote_names(fields.columns)}"
        faults.add(1, found, "a first line that names the columns")
    outer = {name.split(".")[0] for name in paths if ".0." not in name}
    outer = outer & {*frame.columns} - {*paths}
    return frame.drop(outer), options, questions, faults


def is_headless(frame: pl.DataFrame) -> bool:
    """Return whether several columns have a value that is their name, and no other one has a
    documented name."""
    repeated = [name for name in frame.columns if (frame[name] == name).any()]
    unlike = {plain(name) for name in frame.columns if name not in repeated}
    return len(repeated) > 1 and unlike.isdisjoint(chain(*ALIASES.values(), *COUNTS.values()))


def list_encodings(path: str) -> tuple[Choice, ...]:
    """Return the encodings that a table may have, each with how it spells a word; none where it is
    UTF-8, even if damaged."""
    data, faults = read_bytes(path)
    word = NOT_ASCII.search(data)
    is_damaged = not data.decode(errors="ignore").isascii() or b"\0" in data
    if faults or not word or is_damaged:
        return ()
    spelt = [(name, word[0].decode(name, errors="replace")) for name in ENCODINGS]
    return tuple(Choice("encoding", name, f"it has {text!r}") for name, text in spelt)


def separator_of(path: str, kind: str) -> dict[str, Any]:
    """Return the option `separator` for a table whose first line has another than its ending
    says; if that line has none, whose lines do."""
    start = next(stream_bytes(path, Faults(path)), b"").decode("latin-1")
    lines = (line for line in start.split("\n")[:HEAD_LINES] if line.strip())
    header = next(lines, "")
    text = header if {*header} & {*MARKS} else "".join(islice(lines, FEW_LINES))
    separator = max(MARKS, key=text.count)
    has_own = records.SEPARATORS[kind] in text or separator not in text
    return {} if has_own else {"separator": separator}


def find_locations(path: str) -> list[dict[str, Any]]:
    """Return the options for where a JSON file may hold its records; empty for an array."""
    try:
        arrays = json_pieces.find_arrays(path, {})
    except json_pieces.NotJsonError:
        return []
    if () in arrays:
        return []
    if tables := find_split_tables(arrays):
        return [({"records": name} if name else {}) | {"by_column": True} for name in tables]
    names_by_top: dict[str, list[str]] = {}
    for name in find_object_arrays(arrays):
        names_by_top.setdefault(name.rpartition(".")[0], []).append(name)
    locations: list[dict[str, Any]] = []
    for top, names in names_by_top.items():
        keyed = {"keyed": NAME} | ({"records": top} if top else {})
        among_others = {"keyed": NAME, "records": f"{top}.{OBJECTS}".removeprefix(".")}
        is_whole = top or {*arrays} == {(name,) for name in names}
        if len(names) > 1 and is_whole and count_records(path, keyed) is not None:
            locations.append(keyed)
        else:
            locations += [{"records": name} for name in names]
            locations += [among_others] * (len(names) > 1 and bool(is_whole))
    # Lists of one name, each in an object under a name of its own
    names = [
        location["records"].rsplit(".", 2) for location in locations if "keyed" not in location
    ]
    ends = Counter((parts[0], parts[2]) for parts in names if len(parts) > 2)
    locations += [
        {"records": top, "keyed": NAME, "nested": name}
        for (top, name), number in ends.items()
        if number > 1
    ]
    return locations or locations_by_name(first_members(path), arrays)


def count_records(path: str, options: dict[str, Any]) -> int | None:
    """Return how many records a file has by these options; null where they do not read it."""
    frame, faults = records.read_table(path, options, ColumnRequest([]))
    return None if faults else frame.height


def first_members(path: str) -> dict[str, Any]:
    """Return the first members of the object in a file, arrays as null."""
    pieces = json_pieces.read_pieces(path, [(None,)], {}, [])
    return {
        piece.path[0]: None if piece.element else piece.value
        for piece in islice(pieces, HEAD_RECORDS)
        if piece.path
    }


def locations_by_name(
    members: dict[str, Any], arrays: dict[tuple[str, ...], bool]
) -> list[dict[str, Any]]:
    """Return the options for records in an object without arrays of objects: by column, or under
    names."""
    if members and {*arrays} == {(name,) for name in members}:
        documented = {name for aliases in ALIASES.values() for name in aliases}
        return [{"by_column": True} if documented & {*map(plain, members)} else {"keyed": NAME}]
    inner = {
        name: value for name, value in members.items() if isinstance(value, dict) and len(value) > 1
    }
    if inner and len(inner) == len(members):
        names, *other_rows = map(list, inner.values())
        if all(map(str.isdecimal, names)) and all(row == names for row in other_rows):
            return [{"by_column": True}]
        if len(inner) > 1 and are_records(inner):
            return [{"keyed": name_levels(inner)}]
    elif members and not any(
        value is None or isinstance(value, dict | list) for value in members.values()
    ):
        return [{"keyed": NAME}]
    objects = {name: value for name, value in members.items() if isinstance(value, dict)}
    if len(objects) < len(members) and are_records(objects):
        return [{"records": OBJECTS, "keyed": name_levels(objects)}]
    # Values that are no records count only where nothing else may be the records
    for kind in (dict,) if are_records(inner) else (dict, str | int | float):
        names = [name for name, value in inner.items() if are_all(kind, value)]
        if names:
            # Objects of records, beside other objects
            is_several = kind is dict and len(names) > 1
            are_alike = is_several and are_records({name: inner[name] for name in names})
            levels = {"records": OBJECTS, "keyed": [NAME, f"{NAME}_2"]}
            inside = [{"records": name, "keyed": name_levels(inner[name])} for name in names]
            return [levels] * are_alike + inside
    return []


def are_all(kind: Any, members: dict[str, Any]) -> bool:
    return all(isinstance(member, kind) for member in members.values())


def are_records(members: dict[str, Any]) -> bool:
    """Return whether objects, or those inside them, have a name in common, as records have."""
    objects = [*members.values()]
    if not isinstance(name_levels(members), str):
        objects = [record for inner in objects for record in inner.values()]
    return len(objects) > 1 and bool(set.intersection(*map(set, objects)))


def name_levels(members: dict[str, Any]) -> str | list[str]:
    """Return the column for the names of records, or those of both levels of names where records
    stand two deep."""
    is_deeper = all(
        isinstance(record, dict) and record and are_all(dict, record) for record in members.values()
    )
    return [NAME, f"{NAME}_2"] if is_deeper else NAME


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
        [item] = value if isinstance(value, list) and len(value) == 1 else [None]
        if isinstance(value, dict) and depth:
            yield from paths_in(value, f"{prefix}{name}.", depth - 1)
        elif isinstance(item, dict) and depth:
            yield from paths_in(item, f"{prefix}{name}.0.", depth - 1)
        elif prefix:
            yield f"{prefix}{name}"
