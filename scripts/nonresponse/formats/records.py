"""A file of records (CSV, TSV, JSON, JSONL or Parquet, plain, .gz or .zst) as a frame of text columns.

A field that is empty, or holds nothing but white space, is null. `line` says where each record begins (in Parquet: its
row).
"""

import csv
import io
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import polars as pl

from nonresponse.faults import Fault, printable, shown
from nonresponse.formats import with_ending
from nonresponse.formats.headers import unfit_columns
from nonresponse.formats.json_records import Asked, from_json, from_jsonl, torn, ways
from nonresponse.formats.text import BLANKS, UNPACKED, TooLarge, ending, occurrences, read_bytes, read_text

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t", ".tab": "\t"}
# Some damage makes Polars panic, which is not one of its errors.
POLARS_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
KNOWN = [*SEPARATORS, ".json", ".jsonl", ".ndjson", ".parquet"]


def read_table(
    file: str | Path, options: dict | None = None, asked: Asked = Asked()
) -> tuple[pl.DataFrame, list[Fault]]:
    """All columns as text, and `line`; in JSON and Parquet also what is inside others at one of the paths.

    The option `quoted`: whether fields may stand in quotes (CSV: yes, TSV: no); `records`: where in a .json the
    records are; `may_be_empty`: whether column names without records are enough, as they are for judgments.
    """
    options, kind = options or {}, ending(file)
    if kind not in KNOWN:
        others = with_ending(kind)
        remark = f"; or another format, since {', '.join(others)} files end so" if others else ""
        return pl.DataFrame(), [Fault(str(file), 0, f"the ending {shown(kind)}", f"one of {', '.join(KNOWN)}{remark}")]
    data, faults = (read_bytes if kind == ".parquet" else read_text)(file, options)
    if faults:
        return pl.DataFrame(), faults
    if kind == ".parquet":
        frame, faults = from_parquet(file, data, options.get("unpacked", UNPACKED)["gigabytes"], asked)
    elif kind in SEPARATORS:
        frame, faults = from_delimited(file, data, SEPARATORS[kind], options.get("quoted", kind == ".csv"))
    elif kind == ".json":
        frame, faults = from_json(str(file), data, options.get("records", ""), asked)
    else:
        frame, faults = from_jsonl(str(file), data, asked)
    if not frame.columns:
        return frame, faults
    frame = without_blanks(frame)
    if kind in SEPARATORS:
        frame = without_blank_lines(frame)
    else:  # they can spell a NUL, which a text file cannot hold
        faults += with_nul(file, frame)
    if not frame.height and not faults and not options.get("may_be_empty"):
        faults = [Fault(str(file), 0, "no records", "at least one, below a line of column names")]
    return frame, faults


def without_blanks(frame: pl.DataFrame) -> pl.DataFrame:
    """The records with null for each field of nothing but white space."""
    field = pl.col(pl.String)
    # White space sorts before or after all other ASCII: where nothing does, no field begins with any.
    begin_with_none = pl.all_horizontal(True, field.is_between(pl.lit("!"), pl.lit("~")).all())
    if frame.lazy().select(begin_with_none).collect().item():
        return frame
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


def from_parquet(file: str | Path, data: bytes, gigabytes: float, asked: Asked) -> tuple[pl.DataFrame, list[Fault]]:
    """A Parquet file as text; too large, damaged or repeated columns are faults, and there are no columns then."""
    import pyarrow

    try:
        frame, faults = with_inner(file, parquet_table(data, gigabytes), asked.paths)
        # A column of records, or of lists of lists, is not one we read.
        kinds = {name: dtype.inner if isinstance(dtype, pl.List) else dtype for name, dtype in frame.schema.items()}
        frame = frame.drop(name for name, kind in kinds.items() if kind.is_nested())
        lists = [listed(name) for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
        text = frame.with_columns(lists).select(pl.all().cast(pl.String))
        # NaN is a value not given, but in a column of numbers, where it is none of them.
        real = [name for name, kind in kinds.items() if kind.is_float() and name not in asked.numbers]
        text = text.with_columns(pl.col(real).replace("NaN", None))
    except TooLarge as error:
        return pl.DataFrame(), [Fault(str(file), 0, *error.args)]
    except (*POLARS_ERRORS, pyarrow.ArrowException, OSError, ValueError) as error:
        return pl.DataFrame(), [
            Fault(str(file), 0, f"content that is not Parquet ({shown(error, 80)})", "a whole Parquet file")
        ]
    if faults := faults + unfit_columns(file, text.columns):
        return pl.DataFrame(), faults
    return text.with_row_index("line", offset=1), []


def with_inner(file: str | Path, frame: pl.DataFrame, paths: Collection[str]) -> tuple[pl.DataFrame, list[Fault]]:
    """The columns, and for each of these dotted paths that leads to a field inside one of them a column of its own."""
    faults: list[Fault] = []
    new: dict[str, pl.Expr] = {}
    for path in set(paths) - set(frame.columns):
        found = dict(inner(pl.struct(pl.all()), pl.Struct(frame.schema), path))
        faults += [Fault(str(file), 0, *torn(path, found))] if len(found) > 1 else []
        if found:
            new[path] = next(iter(found.values()))
    return frame.with_columns(**new), faults


def inner(value: pl.Expr, kind: object, path: str) -> Iterator[tuple[tuple[str, ...], pl.Expr]]:
    """The fields at a path in a value of this data type, as json_records.places_of has it."""
    fields = {field.name: field.dtype for field in kind.fields} if isinstance(kind, pl.Struct) else {}
    for name, rest in ways(path):
        if isinstance(kind, pl.List) and name.isdecimal():
            inside, of = value.list.get(int(name), null_on_oob=True), kind.inner
        elif name in fields:
            inside, of = value.struct.field(name), fields[name]
        else:
            continue
        if rest is None:
            yield (name,), inside
        else:
            yield from (((name, *place), found) for place, found in inner(inside, of, rest))


def parquet_table(data: bytes, gigabytes: float, columns: list[str] | None = None) -> pl.DataFrame:
    """The table of a Parquet file, or these of its columns; TooLarge where it takes more than so many gigabytes."""
    within(said_size(data), gigabytes)
    frame = pl.read_parquet(io.BytesIO(data), columns=columns)
    within(sum(map(written_size, frame)), gigabytes)
    return frame


def within(size: int, gigabytes: float) -> None:
    """TooLarge where so many bytes are more than so many gigabytes."""
    if size > gigabytes * 1e9:
        expected = f"at most {gigabytes:g} GB (`unpacked:` in config.yaml)"
        raise TooLarge(f"a table of {size:,} bytes when it is read", expected)


def said_size(data: bytes) -> int:
    """The bytes that a Parquet file says it takes when it is read: its pages, and 16 for each value."""
    from pyarrow.parquet import read_metadata

    about = read_metadata(io.BytesIO(data))
    groups = [about.row_group(number) for number in range(about.num_row_groups)]
    values = sum(group.column(number).num_values for group in groups for number in range(group.num_columns))
    return sum(group.total_byte_size for group in groups) + 16 * values


def written_size(column: pl.Series) -> int:
    """The bytes of a column where each text is written out: a dictionary has it once, however many fields say it."""
    if isinstance(column.dtype, pl.Struct):
        return sum(map(written_size, column.struct.unnest()))
    if isinstance(column.dtype, pl.List | pl.Array):
        return written_size(column.explode())
    categories = isinstance(column.dtype, pl.Categorical | pl.Enum)
    return int(column.cat.len_bytes().sum() if categories else column.estimated_size())


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
    uneven = occurrences(mark, text) != (frame.height + 1) * width
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
