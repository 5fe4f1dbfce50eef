"""Tables, in any of the four kinds: their columns, and each record with its line."""

import csv
import io
import json
import re

import pyarrow
import pyarrow.parquet

from fuzz.naive import Refused, Unsure, text

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t", ".tab": "\t"}
JSON_LINES = (".jsonl", ".ndjson")
csv.field_size_limit(2**31 - 1)


class Odd:
    """A value that by the documentation cannot be text, such as a JSON object; a fault only if its column is used."""


class NotANumber(Odd):
    """A bare NaN: no value, except in a column of numbers."""


class Plain(str):
    """A number of JSON or Parquet, as it is written there."""


class Twice(Exception):
    pass


CONSTANTS = {"NaN": NotANumber(), "Infinity": Odd(), "-Infinity": Odd()}


def records(
    name: str, data: bytes, quoted: bool | None = None, may_be_empty: bool = False
) -> tuple[list[str], list[tuple[int, dict]]]:
    """The column names, and (line, record) of each record; an empty field is None."""
    ending = text.without_packing(name).suffix.lower()
    if ending == ".parquet":
        return from_parquet(text.content(name, data), may_be_empty)
    if ending not in SEPARATORS and ending not in JSON_LINES:
        raise Refused(0, "unknown ending")
    decoded = text.text_of(name, data)
    if ending in JSON_LINES:
        return from_jsonl(decoded)
    quoted = ending == ".csv" if quoted is None else quoted
    split = quoted_rows if quoted and '"' in decoded else plain_rows
    (line, columns), *rows = at_least_one(split(decoded, SEPARATORS[ending]))
    check_columns(columns, line)
    found = []
    for line, fields in rows:
        if len(fields) != len(columns):
            raise Refused(line, "wrong number of fields")
        found.append((line, {column: cell(field) for column, field in zip(columns, fields, strict=True)}))
    return columns, found if may_be_empty else at_least_one(found)


def plain_rows(decoded: str, separator: str) -> list[tuple[int, list[str]]]:
    """A line of nothing but separators is blank, too."""
    lines = text.lines_of(decoded)
    return [(number, line.split(separator)) for number, line in lines if text.said(line, " \t" + separator)]


def quoted_rows(decoded: str, separator: str) -> list[tuple[int, list[str]]]:
    """Quotes hide separators and line ends; whether they hide a carriage return, too, is left open."""
    if any("\r" in field for field in re.findall(r'"[^"]*"', decoded)):
        raise Unsure("a carriage return in quotes")
    rows, begin = [], 1
    reader = csv.reader(io.StringIO(text.with_line_ends(decoded), newline="\n"), delimiter=separator, strict=True)
    try:
        for fields in reader:
            if any(text.said(field) for field in fields):
                rows.append((begin, fields))
            begin = reader.line_num + 1
    except csv.Error as error:
        raise Refused(begin, f"quotation ({error})") from None
    return rows


def check_columns(columns: list[str], line: int) -> None:
    if len(set(columns)) < len(columns):
        raise Refused(line, "a column twice")
    if "line" in columns:
        raise Refused(line, "a column called line")


def at_least_one(rows: list) -> list:
    if not rows:
        raise Refused(0, "no records")
    return rows


def from_jsonl(decoded: str) -> tuple[list[str], list[tuple[int, dict]]]:
    rows, columns = [], {}
    for number, line in text.lines_of(decoded):
        if line.count("[") + line.count("{") > 500 or re.search("[0-9]{4300}", line):
            raise Unsure("JSON so deep, or numbers so long, that Python may give up")
        try:
            record = json.loads(
                line, object_pairs_hook=members, parse_int=Plain, parse_float=Plain, parse_constant=CONSTANTS.get
            )
        except Twice as error:
            raise Refused(number, f"the key {error} twice") from None
        except ValueError:
            raise Refused(number, "no JSON") from None
        if not isinstance(record, dict):
            raise Refused(number, "no JSON object")
        rows.append((number, {name: cell(value) for name, value in record.items()}))
        columns |= dict.fromkeys(record)
    check_columns(list(columns), 0)
    return list(columns), [(number, {name: record.get(name) for name in columns}) for number, record in rows]


def members(pairs: list[tuple]) -> dict:
    for place, (name, _) in enumerate(pairs):
        if any(name == other for other, _ in pairs[:place]):
            raise Twice(name)
    return dict(pairs)


def from_parquet(data: bytes, may_be_empty: bool) -> tuple[list[str], list[tuple[int, dict]]]:
    if not data.startswith(b"PAR1"):
        raise Refused(0, "no Parquet")
    try:
        table = pyarrow.parquet.read_table(io.BytesIO(data))
    except (pyarrow.ArrowException, OSError):
        raise Unsure("Parquet that pyarrow does not read") from None
    columns = [field.name for field in table.schema if not pyarrow.types.is_struct(field.type)]
    check_columns(columns, 0)
    rows = [{name: cell(row[name]) for name in columns} for row in table.to_pylist()]
    found = list(enumerate(rows, start=1))
    return columns, found if may_be_empty else at_least_one(found)


def cell(value) -> str | Odd | None:
    """A field, or a value of JSON or Parquet, as text: blanks are nothing, a list of one element is that element."""
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], list):
        value = value[0]
    if value is None or (isinstance(value, str) and not value.strip(" \t")):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, NotANumber) or value != value:
        return CONSTANTS["NaN"]
    if isinstance(value, int | float):
        return Plain(repr(value))
    if isinstance(value, str) and "\0" not in value and value.isascii() | encodable(value):
        return value
    return Odd()


def encodable(text: str) -> bool:
    return text.encode("utf-8", "replace").decode() == text
