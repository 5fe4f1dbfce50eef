"""Where the records of a file are: in which list of an object, under which names, or as columns."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from nonresponse.faults import listed, shown
from nonresponse.formats import json_pieces, records
from nonresponse.formats.json_files import SPLIT, arrays_of, of_objects
from nonresponse.formats.roles import called
from nonresponse.formats.text import Faults, lines, most_fields, stream

FIRST = 500  # pieces of a file that are looked at
SOME = 3  # names that are given as examples
MOST = 8  # nested objects are looked into if there are fewer
OF_RECORDS = ("verdict", "answer", "gold", "confidence")  # an object with any of these columns is a record


class Shape(NamedTuple):
    """A place and form that the records of a file may have: options of `graded:`, and what they leave open."""

    options: dict
    undecided: tuple[str, ...] = ()
    only: str = ""  # valid only if: `counts`, records are counts of runs; `repeated`, runs repeat the same questions


def lists_in(path: str) -> list[str]:
    """The paths to lists of objects in the object of a file."""
    return of_objects(arrays(path))


def arrays(path: str) -> dict[tuple[str, ...], bool]:
    try:
        return arrays_of(path, {})
    except json_pieces.NotJson:
        return {}


def of_text(path: str, kind: str) -> dict:
    """The option `separator:` for a file whose first line lacks the usual separator but has another; else empty."""
    _, first = next(((number, line) for number, line in lines(path, {}, Faults(path)) if line.strip()), (0, ""))
    number = {mark: first.count(mark) for mark in (records.SEPARATORS[kind], *";\t|,")}
    usual, *others = sorted(number, key=lambda mark: (mark != records.SEPARATORS[kind], -number[mark]))
    return {"separator": others[0]} if not number[usual] and number[others[0]] else {}


def of_json(path: str) -> Iterator[Shape]:
    """The shapes that the records in the object of a file may have, the likelier ones first."""
    below = arrays(path)
    head = members(path)
    if {*head} >= SPLIT:
        yield Shape({"by_column": True})
    within = {(name,): it for name, it in head.items() if isinstance(it, dict)}
    for place, inside in ({(): head} | (within if len(within) < min(len(head), MOST) else {})).items():
        at = {"records": ".".join(place)} if place else {}
        lists = {here[-1]: objects for here, objects in below.items() if here and here[:-1] == place}
        if len(lists) > 1 and {*inside} <= {*lists}:
            if all(lists.values()):
                yield nested(at, ["run"], [[*lists]], only="repeated")
                yield nested(at, ["category"], [[*lists]])
                yield nested(at, ["id"], [[*lists]])
            elif not any(lists.values()):
                yield Shape(at | {"by_column": True})
        elif len(inside) > 1:
            yield from of_objects_in(inside, at)


def members(path: str) -> dict[str, object]:
    """The first members of the object in a file, arrays as null; empty if it is not JSON."""
    try:
        first = islice(json_pieces.pieces(stream(path, {}, Faults(path)), (None,), most=most_fields(path, {})), FIRST)
        return {piece.path[0]: None if piece.element else piece.value for piece in first if piece.path}
    except json_pieces.NotJson:
        return {}


def of_objects_in(inside: dict, at: dict) -> Iterator[Shape]:
    """The shapes of an object whose members are alike: records, objects of records, columns, or plain values."""
    values = [*inside.values()]
    if not all(isinstance(value, dict) for value in values):
        if not any(isinstance(value, dict | list) for value in values):
            yield nested(at, ["id"], [[*inside]])
        return
    names = list(dict.fromkeys(name for value in values for name in value))
    if all([*value] == names for value in values) and all(name.isdecimal() for name in names):
        yield Shape(at | {"by_column": True})
        return
    yield nested(at, ["run"], [[*inside]], only="counts")
    if any(called(names, ours) for ours in OF_RECORDS):
        yield nested(at, ["question_id" if "id" in names else "id"], [[*inside]])
    elif len(names) == sum(map(len, values)):
        yield nested(at, ["category", "id"], [[*inside], names])
    else:
        yield nested(at, ["run", "id"] if len(names) >= len(inside) else ["id", "run"], [[*inside], names])


def nested(at: dict, columns: list[str], names: list[list[str]], only: str = "") -> Shape:
    """The shape of nested objects of records, whose names become these columns, one per level."""
    each = [
        f"{listed(some[:SOME])}{', …' * (len(some) > SOME)} are {shown(column)}"
        for column, some in zip(columns, names, strict=True)
    ]
    told = f"what the names of its objects are: here {' and '.join(each)} (`keyed:`)"
    return Shape(at | {"keyed": columns[0] if len(columns) == 1 else columns}, (told,), only)
