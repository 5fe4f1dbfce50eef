"""A file of records (CSV, TSV, JSONL or Parquet, plain, .gz or .zst) as a frame of text columns.

A field that is empty, or holds nothing but white space, is null. `line` says where each record begins (in Parquet: its
row).
"""

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import polars as pl

from nonresponse.faults import Fault, printable, shown
from nonresponse.formats.text import BLANKS, UNPACKED, ending, read_bytes, read_text

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t", ".tab": "\t"}
# Some damage makes Polars panic, which is not one of its errors.
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
KNOWN = [*SEPARATORS, ".jsonl", ".ndjson", ".parquet"]


def read(file: str | Path, options: dict | None = None) -> tuple[pl.DataFrame, list[Fault]]:
    """All columns as text, and `line`. The option `quoted`: whether fields may stand in quotes (CSV: yes, TSV: no)."""
    options, kind = options or {}, ending(file)
    if kind not in KNOWN:
        return pl.DataFrame(), [Fault(str(file), 0, f"the ending {shown(kind)}", f"one of {', '.join(KNOWN)}")]
    data, faults = (read_bytes if kind == ".parquet" else read_text)(file, options)
    if faults:
        return pl.DataFrame(), faults
    if kind == ".parquet":
        frame, faults = from_parquet(file, data, options.get("unpacked", UNPACKED)["gigabytes"])
    elif kind in SEPARATORS:
        frame, faults = from_delimited(file, data, SEPARATORS[kind], options.get("quoted", kind == ".csv"))
    else:
        frame, faults = from_jsonl(file, data)
    if not frame.columns:
        return frame, faults
    frame = without_blanks(frame)
    if kind in SEPARATORS:
        frame = without_blank_lines(frame)
    else:  # they can spell a NUL, which a text file cannot hold
        faults += with_nul(file, frame)
    if not frame.height and not faults:
        faults = [Fault(str(file), 0, "no records", "at least one, below a line of column names")]
    return frame, faults


def without_blanks(frame: pl.DataFrame) -> pl.DataFrame:
    """The records with null for each field of nothing but white space."""
    text = [column for column in frame if column.dtype == pl.String and column.null_count() < column.len()]
    # White space sorts before or after all other ASCII: where none of it is at either end, there is none to strip.
    if not any(str(column.min()) < "!" or str(column.max()) > "~" for column in text):
        return frame
    field = pl.col(pl.String)
    return frame.with_columns(pl.when(field.str.strip_chars() != "").then(field))


def without_blank_lines(frame: pl.DataFrame) -> pl.DataFrame:
    """The records with any content: an empty line is read as a record, too, whose fields are null."""
    if not all(frame[name].has_nulls() for name in frame.columns if name != "line"):
        return frame
    return frame.filter(pl.any_horizontal(pl.exclude("line").is_not_null()))


def with_nul(file: str | Path, frame: pl.DataFrame) -> list[Fault]:
    """A fault for each record with a NUL in a field."""
    nul = pl.any_horizontal(False, pl.col(pl.String).str.contains("\0", literal=True))
    return [Fault(str(file), line, "a NUL in a field", "text without one") for line in frame.filter(nul)["line"]]


def from_parquet(file: str | Path, data: bytes, gigabytes: float) -> tuple[pl.DataFrame, list[Fault]]:
    """A Parquet file as text; too large, damaged or repeated columns are faults, and there are no columns then."""
    import pyarrow

    try:
        if (size := parquet_size(data)) > gigabytes * 1e9:
            expected = f"at most {gigabytes:g} GB (`unpacked:` in config.yaml)"
            return pl.DataFrame(), [Fault(str(file), 0, f"a table of {size:,} bytes when it is read", expected)]
        frame = pl.read_parquet(io.BytesIO(data))
        # A column of records, or of lists of lists, is not one we read.
        kinds = {name: dtype.inner if isinstance(dtype, pl.List) else dtype for name, dtype in frame.schema.items()}
        frame = frame.drop(name for name, kind in kinds.items() if kind.is_nested())
        lists = [listed(name) for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
        text = frame.with_columns(lists).select(pl.all().cast(pl.String))
    except (*POLARS_ERRORS, pyarrow.ArrowException, OSError, ValueError) as error:
        return pl.DataFrame(), [
            Fault(str(file), 0, f"content that is not Parquet ({shown(error, 80)})", "a whole Parquet file")
        ]
    if faults := unfit_columns(file, text.columns):
        return pl.DataFrame(), faults
    return text.with_row_index("line", offset=1), []


def parquet_size(data: bytes) -> int:
    """The bytes that a Parquet file says it takes when it is read: its pages, and 16 for each field."""
    from pyarrow.parquet import read_metadata

    about = read_metadata(io.BytesIO(data))
    pages = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    return pages + 16 * about.num_rows * about.num_columns


def listed(name: str) -> pl.Expr:
    """A column of lists as text: a list of one is that one, as in JSONL; several stand in brackets."""
    elements = pl.col(name).cast(pl.List(pl.String))
    several = pl.format("[{}]", elements.list.join(", ", ignore_nulls=True))
    return pl.when(elements.list.len() > 1).then(several).otherwise(elements.list.first()).alias(name)


def from_delimited(file: str | Path, data: bytes, separator: str, quoted: bool) -> tuple[pl.DataFrame, list[Fault]]:
    """A CSV or TSV file whose quotes are text, unless `quoted`."""
    if quoted and b'"' in data:
        return from_quoted(file, data.decode(), separator)
    blank = re.match(rf"([{BLANKS}{separator}]*\n)+".encode(), data)
    begin = blank.end() if blank else 0
    first = 1 + data.count(b"\n", 0, begin)  # the line that the column names are on
    text = data[begin:]
    header = text.split(b"\n", 1)[0].decode().split(separator)
    if faults := unfit_columns(file, header, first):
        return pl.DataFrame(), faults
    try:
        frame = pl.read_csv(text, separator=separator, quote_char=None, infer_schema=False)
    except pl.exceptions.PolarsError:
        return even_lines(file, text, separator, header, first)
    frame = frame.with_row_index("line", offset=first + 1)
    # Short lines come back padded with nulls, and a separator too many at a line's end is passed over:
    # the number of separators reveals each of them, but not one of each together.
    width, mark = len(header) - 1, separator.encode()
    uneven = text.count(mark) != (frame.height + 1) * width
    if uneven or (frame[:, -1].has_nulls() and any(line.count(mark) != width for line in text.splitlines())):
        return even_lines(file, text, separator, header, first)
    return frame, []


def even_lines(
    file: str | Path, text: bytes, separator: str, header: list[str], first: int
) -> tuple[pl.DataFrame, list[Fault]]:
    """The slow way: lines with one field per column, and a fault for each other line that is not blank."""
    rows, faults = [], []
    for number, line in enumerate(text.decode().split("\n")[1:], start=first + 1):
        fields = line.split(separator)
        if len(fields) == len(header):
            rows.append((number, *fields))
        elif line.strip(BLANKS + separator):
            expected = f"{len(header)} fields, as in the first line"
            faults.append(Fault(str(file), number, f"{len(fields)} fields", expected))
    schema = {"line": pl.UInt32, **dict.fromkeys(header, pl.String)}
    return pl.DataFrame(rows, schema=schema, orient="row"), faults


def unfit_columns(file: str | Path, header: list[str], line: int = 1) -> list[Fault]:
    """Faults of the column names, which stand on this line."""
    repeated = sorted(name for name, count in Counter(header).items() if count > 1)
    faults = [Fault(str(file), line, f"the column {shown(name)} twice", "a name for each column") for name in repeated]
    if "line" in header:
        faults.append(Fault(str(file), line, "a column 'line'", "another name: ours for the place in the file"))
    return faults


def from_quoted(file: str | Path, text: str, separator: str) -> tuple[pl.DataFrame, list[Fault]]:
    """A CSV file with quotes, read by Python: Polars does not say on which line a record begins."""
    csv.field_size_limit(2**31 - 1)
    rows, numbers, faults, begin = [], [], [], 1
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            if any(field.strip(BLANKS) for field in row):  # else the line is blank
                rows.append(row)
                numbers.append(begin)
            begin = reader.line_num + 1
    except csv.Error as error:
        faults.append(
            Fault(str(file), begin, f"broken quotation ({printable(str(error))})", 'quotes in pairs, "" for one inside')
        )
    header = rows[0] if rows else []
    faults += unfit_columns(file, header, numbers[0] if rows else 1)
    if faults:
        return pl.DataFrame(), faults
    expected = f"{len(header)} fields, as in the first line"
    records = list(zip(numbers, rows, strict=True))[1:]
    faults = [
        Fault(str(file), number, f"{len(row)} fields", expected) for number, row in records if len(row) != len(header)
    ]
    even = [(number, *row) for number, row in records if len(row) == len(header)]
    return pl.DataFrame(even, schema={"line": pl.UInt32, **dict.fromkeys(header, pl.String)}, orient="row"), faults


def from_jsonl(file: str | Path, data: bytes) -> tuple[pl.DataFrame, list[Fault]]:
    """A file of JSON objects, one on a line; columns are all keys, in the order in which they first occur."""
    objects, numbers, faults = [], [], []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, object_pairs_hook=with_each_key_once)
            if isinstance(record, dict):
                record = {name: as_text(value) for name, value in record.items()}
        except RepeatedKey as error:
            faults.append(Fault(str(file), number, f"the key {shown(error)} twice", "each key once in an object"))
            continue
        except (ValueError, RecursionError) as error:
            faults.append(
                Fault(str(file), number, f"text that is not JSON ({str(error)[:60]})", "one JSON object on the line")
            )
            continue
        if not isinstance(record, dict):
            faults.append(Fault(str(file), number, f"{shown(record)}", "one JSON object on the line"))
            continue
        objects.append(record)
        numbers.append(number)
    names = dict.fromkeys(name for record in objects for name in record)
    faults += unfit_columns(file, list(names))
    if "line" in names:
        return pl.DataFrame(), faults
    columns = {name: [record.get(name) for record in objects] for name in names}
    schema = {"line": pl.UInt32} | dict.fromkeys(names, pl.String)
    return pl.DataFrame({"line": numbers} | columns, schema=schema), faults


class RepeatedKey(ValueError):
    """A key that a JSON object has twice."""


def with_each_key_once(pairs: list[tuple]) -> dict:
    """A JSON object, of which Python would keep the last value of each key."""
    record = {}
    for name, value in pairs:
        name = encodable(name)
        if name in record:
            raise RepeatedKey(name)
        record[name] = value
    return record


def as_text(value: object) -> str | None:
    """A JSON value as the text that a CSV would hold; a list of one is that one, an empty list is null."""
    if isinstance(value, list) and len(value) < 2:
        value = value[0] if value else None
    if value is None:
        return None
    return encodable(value) if isinstance(value, str) else json.dumps(value)


def encodable(text: str) -> str:
    """JSON can spell a lone surrogate ("\\ud800"), which no file in UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode()
