"""Records in JSON, an object each: on lines of their own, or in an array; values as the text that a CSV would hold."""

import json
import math
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import polars as pl

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import json_pieces
from nonresponse.formats.headers import unfit_columns

MISSING = object()
OBJECT = "one JSON object"


class Asked(NamedTuple):
    """What a reader of records is told of the columns that are asked for."""

    paths: Collection[str] = ()  # dotted ones, to values inside others, are columns, too
    numbers: Collection[str] = ()  # those of numbers, in which NaN is not the same as nothing


def from_jsonl(file: str, data: bytes, asked: Asked) -> tuple[pl.DataFrame, list[Fault]]:
    """A file of JSON objects, one on a line; columns are all keys, in the order in which they first occur."""
    faults: list[Fault] = []
    return as_table(file, objects_on_lines(file, data, faults), asked, faults), faults


def objects_on_lines(file: str, data: bytes, faults: list[Fault]) -> Iterator[tuple[int, object]]:
    """The value on each line that is not blank, with its number; a line that is not JSON is a fault."""
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line, object_pairs_hook=with_each_key_once)
        except RepeatedKey as error:
            faults.append(Fault(file, number, str(error), "each key once in an object"))
        except (ValueError, RecursionError) as error:
            faults.append(Fault(file, number, f"text that is not JSON ({str(error)[:60]})", OBJECT))


def from_json(file: str, data: bytes, array: str, asked: Asked) -> tuple[pl.DataFrame, list[Fault]]:
    """The objects of an array, which is the file, or stands at the path `array` in it ("results.rows")."""
    faults: list[Fault] = []
    found = elements(file, data, tuple(array.split(".")) if array else (), faults)
    if not found and not faults:
        faults.append(Fault(file, 0, "no records", "at least one object in the array"))
    return (pl.DataFrame() if faults else as_table(file, found, asked, faults)), faults


def elements(file: str, data: bytes, array: tuple[str, ...], faults: list[Fault]) -> list[tuple[int, object]]:
    """The elements of an array with their lines; anything else in its place is a fault."""
    try:
        found = [piece for piece in json_pieces.pieces(data, array, with_each_key_once) if piece.path == array]
        if len(found) > 1:
            return [(piece.line, piece.value) for piece in found]
        whole = json_pieces.loaded(data)  # a piece may be the one element, or stand in the place of the array
    except json_pieces.NotJson as error:
        expected = "JSON in .json; objects on lines of their own are .jsonl"
        faults.append(Fault(file, error.line, error.found, expected))
        return []
    value = whole
    for name in array:
        value = value.get(name) if isinstance(value, dict) else None
    if not isinstance(value, list):
        known = listed(arrays(whole))
        where = f"; `records:` in config.yaml says where one is: {known}" if known else ""
        what = f"no array at {shown('.'.join(array))}" if array else f"{'an object' * isinstance(value, dict)}"
        faults.append(Fault(file, 0, what or shown(value), f"an array of objects{where}"))
    return [(piece.line, piece.value) for piece in found]


def arrays(value: object, path: str = "", depth: int = 4) -> list[str]:
    """Paths to the arrays of objects in a value."""
    if isinstance(value, list):
        return [path] if value and isinstance(value[0], dict) and path else []
    if not isinstance(value, dict) or not depth:
        return []
    return [
        found
        for name, inside in value.items()
        for found in arrays(inside, f"{path}.{name}".removeprefix("."), depth - 1)
    ]


def as_table(file: str, values: Iterable[tuple[int, object]], asked: Asked, faults: list[Fault]) -> pl.DataFrame:
    """Objects with their lines as a table of text; a value that is no object is a fault."""
    rows, numbers = [], []
    places: dict[str, tuple[str, ...]] = {}  # where each path has led so far
    steps = {path: steps_of(path) for path in asked.paths}
    for number, record in values:
        if not isinstance(record, dict):
            faults.append(Fault(file, number, shown(record), OBJECT))
            continue
        row = {name: as_text(value, name in asked.numbers) for name, value in record.items()}
        for path in asked.paths:
            for place, value in found_at(record, path, steps[path]):
                row[path] = as_text(value, path in asked.numbers)
                if place != places.setdefault(path, place):
                    faults.append(Fault(file, number, *torn(path, [places[path], place])))
        rows.append(row)
        numbers.append(number)
    names = dict.fromkeys(name for row in rows for name in row)
    faults += unfit_columns(file, list(names))
    if "line" in names:
        return pl.DataFrame()
    columns = {name: [row.get(name) for row in rows] for name in names}
    schema = {"line": pl.UInt32} | dict.fromkeys(names, pl.String)
    return pl.DataFrame({"line": numbers} | columns, schema=schema)


def steps_of(path: str) -> list[tuple[str, list[str]]]:
    """The names in a path, each with those of more than one name that a path may go on with there."""
    names = path.split(".")
    ends = range(1, len(names) + 1)
    return [(name, [".".join(names[at:end]) for end in ends if end > at + 1]) for at, name in enumerate(names)]


def found_at(record: dict, path: str, steps: list[tuple[str, list[str]]]) -> Iterable[tuple[tuple[str, ...], object]]:
    """Where the path leads to in a record, as names one by one, and what stands there; a key that is all of it alone.

    Most names have no dots: where none does that the path meets, there is one way to go.
    """
    if path in record:
        return [((path,), record[path])]
    value: object = record
    for name, dotted in steps:
        if isinstance(value, dict):
            for other in dotted:
                if other in value:
                    return places_of(record, path)
            value = value.get(name, MISSING)
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return []
    return [] if value is MISSING else [(tuple(name for name, _ in steps), value)]


def places_of(value: object, path: str) -> Iterator[tuple[tuple[str, ...], object]]:
    """Where a dotted path of names and numbers of elements leads to, as names one by one, and what stands there.

    A name may have dots itself: where there are "acc" and "acc.none", a path may lead to several places.
    """
    for names, rest in ways(path):
        inside = MISSING
        if isinstance(value, list) and names.isdecimal() and int(names) < len(value):
            inside = value[int(names)]
        elif isinstance(value, dict):
            inside = value.get(names, MISSING)
        if inside is not MISSING and rest is None:
            yield (names,), inside
        elif inside is not MISSING and rest is not None:
            yield from (((names, *place), found) for place, found in places_of(inside, rest))


def ways(path: str) -> Iterator[tuple[str, str | None]]:
    """The first name that a dotted path may begin with, and the rest; null where nothing is left."""
    yield path, None
    yield from ((path[:place], path[place + 1 :]) for place, letter in enumerate(path) if letter == ".")


def torn(path: str, places: Iterable[tuple[str, ...]]) -> tuple[str, str]:
    """What a fault says of a path that leads to several places: what was found, what was expected."""
    told = " and ".join(" > ".join(map(shown, place)) for place in dict.fromkeys(places))
    return f"the path {shown(path)} to several places: {told}", "one in all records, or other names"


class RepeatedKey(ValueError):
    """A key that a JSON object has twice."""

    def __str__(self) -> str:
        return f"the key {shown(self.args[0])} twice"


def with_each_key_once(pairs: list[tuple]) -> dict:
    """A JSON object, of which Python would keep the last value of each key."""
    record = {}
    for name, value in pairs:
        name = encodable(name)
        if name in record:
            raise RepeatedKey(name)
        record[name] = value
    return record


def as_text(value: object, number: bool = False) -> str | None:
    """A JSON value as the text that a CSV would hold; a list of one is that one, an empty list is null.

    So is NaN, but in a column of numbers, where it is none of them.
    """
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list) and len(value) < 2:
        value = value[0] if value else None
    if value is None or (not number and isinstance(value, float) and math.isnan(value)):
        return None
    return encodable(value) if isinstance(value, str) else json.dumps(value)


def encodable(text: str) -> str:
    """JSON can spell a lone surrogate ("\\ud800"), which no file in UTF-8 can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
