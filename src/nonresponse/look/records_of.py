"""Reads files as tables, whatever their ending, and wherever in a JSON object the records are."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import cast

import polars as pl

from nonresponse.faults import Fault, shown
from nonresponse.formats import SHAPE, json_pieces, records
from nonresponse.formats.json_files import records_in
from nonresponse.formats.json_records import Asked
from nonresponse.formats.text import Faults, ending, read_bytes, stream
from nonresponse.settings import Files

OTHER = "a log of a harness, a table, or a file of TREC, CLEF, AVE, ROMIP or DEFT (docs/formats.md)"
FIRST = 200  # records that are looked into
DEEPEST = 3  # levels of objects within a record that are looked into
MOST = 100  # paths to values within records that become columns


def kind_of(path: str) -> str:
    """The ending of a file, such as ".csv"; if unknown or not fitting the content, the usual ending for the content."""
    own = ending(path)
    if own in (".json", ".jsonl", ".ndjson"):
        return of_json(path, own)
    if own in (*records.KNOWN, ".xml", ".eval", ".html", ""):
        return own
    data, faults = read_bytes(path, {})
    first = data[: data.find(b"\n", 0, 1_000_000) + 1 or 1_000_000].strip()
    try:
        value = json.loads(first) if not faults else None
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return ".jsonl"
    if first[:1] in (b"{", b"["):
        return ".json"
    if data[:4] == b"PAR1":
        return ".parquet"
    if b"\t" in first:
        return ".tsv"
    return ".csv" if any(mark in first for mark in (b",", b";", b"|")) else own


def of_json(path: str, own: str) -> str:
    """The kind of a JSON file by its first lines, ".json" or ".jsonl"; `own` is its actual ending."""
    first, _, rest = next(stream(path, {}, Faults(path)), b"").lstrip().partition(b"\n")
    if own != ".json":
        return ".json" if first[:1] == b"[" else own
    try:
        whole = json.loads(first)
    except ValueError:
        return own
    return ".jsonl" if isinstance(whole, dict) and rest.lstrip()[:1] == b"{" else own


def rows_of(path: str, given: dict) -> tuple[pl.DataFrame, Files, list[Fault]]:
    """The table of a file, with nested values in columns named by their paths; the options to read it; its faults.

    `given` has options that say where the records are (SHAPE), if they are not in the usual place for this kind.
    """
    kind, options = kind_of(path), cast(Files, {name: given[name] for name in SHAPE if name in given})
    if kind not in records.KNOWN:
        return pl.DataFrame(), {}, [Fault(path, 0, f"the ending {shown(kind)}", OTHER)]
    if kind != ending(path):
        options["kind"] = kind[1:]
    paths = inside(path, kind, options) if kind in (".json", ".jsonl", ".ndjson") else []
    frame, faults = records.read_table(path, options, Asked(paths))
    outer = {path.split(".")[0] for path in paths} & {*frame.columns} - {*paths}
    return frame.drop(outer), options, faults


def inside(path: str, kind: str, options: Files) -> list[str]:
    """The dotted paths to values inside the objects of the first records."""
    each: Iterator[tuple[int, object]] = (
        records_in(path, options, Faults(path)) if kind == ".json" else json_pieces.lines_of(path, "", {}, [])
    )
    paths: dict[str, None] = {}
    for _, record in islice(each, FIRST):
        paths |= dict.fromkeys(paths_in(record))
    return [*paths][:MOST]


def paths_in(record: object, before: str = "", depth: int = DEEPEST) -> list[str]:
    """The dotted paths to the values inside the objects of a record, down to DEEPEST levels."""
    found = []
    for name, value in record.items() if isinstance(record, dict) else ():
        if isinstance(value, dict) and depth:
            found += paths_in(value, f"{before}{name}.", depth - 1)
        elif before:
            found.append(f"{before}{name}")
    return found
