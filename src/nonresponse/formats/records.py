"""Files of records (CSV, TSV, JSON, JSONL, Parquet; .gz, .zst) as columns of text, null where
blank, and lines."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl

from nonresponse.faults import Fault, printable, shown
from nonresponse.formats import parquet, with_ending
from nonresponse.formats.json_files import records_in
from nonresponse.formats.json_pieces import values_on
from nonresponse.formats.json_records import (
    OBJECT,
    Asked,
    as_table,
    several,
    unnested,
    ways,
    with_each_key_once,
)
from nonresponse.formats.text import (
    BLANKS,
    UNPACKED,
    Faults,
    UnreadableError,
    ending,
    lines,
    most_fields,
    occurrences,
    read_bytes,
    read_text,
)
from nonresponse.settings import Files

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t", ".tab": "\t"}
KNOWN = [*SEPARATORS, ".json", ".jsonl", ".ndjson", ".parquet"]


def read_table(
    file: str | Path, options: Files | None = None, asked: Asked = Asked()
) -> tuple[pl.DataFrame, Faults]:
    """All columns as text, and `line`; options are those of SHAPE, `quoted`, `unpacked`,
    `may_be_empty`."""
    options = options or {}
    kind = kind_of(file, options)
    if kind not in KNOWN:
        others = ", ".join(with_ending(kind))
        remark = f"; or another format, since {others} files end so" if others else ""
        expected = f"one of {', '.join(KNOWN)}, or `kind:` in config.yaml{remark}"
        return pl.DataFrame(), Faults(
            file, [Fault(str(file), 0, f"the ending {shown(kind)}", expected)]
        )
    in_pieces = kind in (".json", ".jsonl", ".ndjson")
    read_whole = read_bytes if kind == ".parquet" else read_text
    data, faults = (b"", Faults(file)) if in_pieces else read_whole(file, options)
    if faults:
        return pl.DataFrame(), faults
    if kind == ".parquet":
        frame = from_parquet(data, Path(file).stat().st_size, options, asked, faults)
    elif kind in SEPARATORS:
        quoted, most = options.get("quoted", kind == ".csv"), most_fields(file, options)
        frame = from_delimited(data, separator(kind, options), quoted, faults, most)
    else:
        of_text = Faults(file)
        most = most_fields(file, options)
        by_line = values_on(
            lines(file, options, of_text), OBJECT, faults, with_each_key_once, most=most
        )
        values = records_in(file, options, of_text) if kind == ".json" else by_line
        values = unnested(values, options["nested"], faults) if "nested" in options else values
        frame = as_table(values, asked, faults, most)
        if of_text:
            return pl.DataFrame(), of_text
    if not frame.columns:
        return frame, faults
    field = pl.col(pl.String)
    # If all fields sort between ! and ~, none begins with white space: most files need no
    # stripping.
    begin_with_none = pl.all_horizontal(True, field.is_between(pl.lit("!"), pl.lit("~")).all())
    if not frame.lazy().select(begin_with_none).collect().item():
        frame = frame.with_columns(pl.when(field.str.strip_chars() != "").then(field))
    if kind in SEPARATORS and all(
        frame[name].has_nulls() for name in frame.columns if name != "line"
    ):
        # Drops empty lines
        frame = frame.filter(pl.any_horizontal(pl.exclude("line").is_not_null()))
    if not frame.height and not faults and not options.get("may_be_empty"):
        faults.add(0, "no records", "at least one, below a line of column names")
    return frame, faults


def kind_of(file: str | Path, options: Files) -> str:
    """The ending that says what kind of table a file is: that of `kind:`, else its own, else that
    of its format."""
    own, format = ending(file), options.get("format", "tabular")
    usual = own if own in KNOWN or format == "tabular" else ".jsonl" if format == "pan" else ".tsv"
    return f".{options['kind']}" if "kind" in options else usual


def separator(kind: str, options: Files) -> str:
    """What stands between the fields of a line, in a file of this kind."""
    return options.get("separator", SEPARATORS[kind])


def with_nul(file: str | Path, frame: pl.DataFrame) -> list[Fault]:
    """A fault for each NUL in one of our columns: a text file cannot hold it, but JSON and Parquet
    can spell it."""
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    with_one = {
        name: frame.filter(pl.col(name).str.contains("\0", literal=True))["line"] for name in texts
    }
    return [
        Fault(str(file), line, f"a NUL in the {name}", "text without one")
        for name, lines in with_one.items()
        for line in lines
    ]


def from_parquet(
    data: bytes, packed: int, options: Files, asked: Asked, faults: Faults
) -> pl.DataFrame:
    """A Parquet file of `packed` bytes as text; too large, damaged or repeated columns are faults,
    and no columns."""
    made: list[pl.DataFrame] = []
    begin = 0
    try:
        for frame in parquet.pieces(data, packed, options.get("unpacked", UNPACKED)):
            made.append(piece_as_text(frame, begin, asked, faults))
            begin += frame.height
    except UnreadableError as error:
        faults.add(0, *error.args)
    except parquet.POLARS_ERRORS as error:
        faults.add(0, f"content that is not Parquet ({shown(error, 80)})", parquet.WHOLE)
    if faults:
        return pl.DataFrame()
    names = [name for name in made[0].columns if all(name in piece.columns for piece in made)]
    return pl.concat([piece.select(names) for piece in made], rechunk=False).with_row_index(
        "line", offset=1
    )


def piece_as_text(frame: pl.DataFrame, begin: int, asked: Asked, faults: Faults) -> pl.DataFrame:
    """Rows of a Parquet file as text, of which `begin` rows came before; an empty piece shows what
    its columns lack."""
    # A column for each path that leads to a field inside one of them
    inside: dict[str, pl.Expr] = {}
    for path in set(asked.paths) - set(frame.columns):
        if (
            field := next(inner(pl.struct(pl.all()), pl.Struct(frame.schema), path), None)
        ) is not None:
            inside[path] = field
    frame = frame.with_columns(**inside)
    # A column of records, of lists of lists, or of what is no text is not one we read.
    frame = frame.drop(column.name for column in frame if not is_text(column))
    kinds = {
        name: dtype.inner if isinstance(dtype, pl.List) else dtype
        for name, dtype in frame.schema.items()
    }
    lists = [listed(name) for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
    text = frame.with_columns(lists).select(pl.all().cast(pl.String))
    for name in [
        name
        for name, dtype in frame.schema.items()
        if isinstance(dtype, pl.List) and asked.single(name)
    ]:
        for row in frame[name].list.len().gt(1).arg_true():
            faults.add(begin + row + 1, *several(name, text[name][row]))
    # NaN means that no value is given, except in a column of numbers, where it is a fault.
    real = [name for name, kind in kinds.items() if kind.is_float() and name not in asked.numbers]
    if frame.is_empty():
        faults.add_unfit_columns(text.columns)
    return text.with_columns(pl.col(real).replace("NaN", None))


def is_text(column: pl.Series) -> bool:
    """Whether all values of a column, or of the lists in it, can be written as text: no records,
    spans of time, or bytes that are not UTF-8.
    """
    values = column.explode() if isinstance(column.dtype, pl.List) else column
    try:
        values.cast(pl.String)
    except parquet.POLARS_ERRORS:
        return False
    return not values.dtype.is_nested()


def inner(value: pl.Expr, kind: object, path: str) -> Iterator[pl.Expr]:
    """The fields that a dotted path may lead to in a value of this data type, as
    json_records.value_at finds them."""
    fields = (
        {field.name: field.dtype for field in kind.fields} if isinstance(kind, pl.Struct) else {}
    )
    for name, rest in ways(path):
        if isinstance(kind, pl.List) and name.isdecimal():
            inside, of = value.list.get(int(name), null_on_oob=True), kind.inner
        elif name in fields:
            inside, of = value.struct.field(name), fields[name]
        else:
            continue
        yield from [inside] if rest is None else inner(inside, of, rest)


def listed(name: str) -> pl.Expr:
    """A column of lists as text: a list of one as its element, as in JSONL; longer ones in
    brackets."""
    elements = pl.col(name).cast(pl.List(pl.String))
    several = pl.format("[{}]", elements.list.join(", ", ignore_nulls=True))
    return (
        pl.when(elements.list.len() > 1).then(several).otherwise(elements.list.first()).alias(name)
    )


def from_delimited(
    data: bytes, separator: str, quoted: bool, faults: Faults, most: float
) -> pl.DataFrame:
    """A CSV or TSV file of at most `most` fields; quotes in it are text, unless `quoted`."""
    if quoted and b'"' in data:
        return from_quoted(data.decode(), separator, faults, most)
    blank = re.match(rf"([{BLANKS}{separator}]*\n)+".encode(), data)
    begin = blank.end() if blank else 0
    first = 1 + data.count(b"\n", 0, begin)  # the line that the column names are on
    text = data[begin:]
    header = text.split(b"\n", 1)[0].decode().split(separator)
    faults.add_unfit_columns(header, first)
    # Lines that are too short are padded in memory.
    if faults or faults.add_excess(text.count(b"\n"), len(header), most):
        return pl.DataFrame()
    width, mark = len(header) - 1, separator.encode()
    try:
        frame = pl.read_csv(text, separator=separator, quote_char=None, infer_schema=False)
        # Polars pads short lines with nulls, and ignores a surplus separator at the end of a line.
        # The total number of separators reveals either of them, but not one of each: so lines are
        # counted if the last column has nulls.
        uneven = occurrences(mark, text) != (frame.height + 1) * width
        if not (
            uneven
            or (
                frame[:, -1].has_nulls()
                and any(line.count(mark) != width for line in text.splitlines())
            )
        ):
            return frame.with_row_index("line", offset=first + 1)
    except pl.exceptions.PolarsError:
        pass
    lines = enumerate(text.decode().split("\n"), start=first)
    return even(
        (
            (number, line.split(separator))
            for number, line in lines
            if line.strip(BLANKS + separator)
        ),
        faults,
    )


def even(records: Iterable[tuple[int, list[str]]], faults: Faults) -> pl.DataFrame:
    """Records with one field per column, whose names are the first; any other is a fault."""
    [(_, header), *others] = records
    for number, fields in others:
        if len(fields) != len(header):
            faults.add(
                number, f"{len(fields)} fields", f"{len(header)} fields, as in the first line"
            )
    rows = [(number, *fields) for number, fields in others if len(fields) == len(header)]
    return pl.DataFrame(
        rows, schema={"line": pl.UInt32, **dict.fromkeys(header, pl.String)}, orient="row"
    )


def from_quoted(text: str, separator: str, faults: Faults, most: float) -> pl.DataFrame:
    """A CSV file with quotes, read by Python: Polars does not say on which line a record begins."""
    csv.field_size_limit(2**31 - 1)
    records, begin = [], 1
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            if any(field.strip(BLANKS) for field in row):  # else the line is blank
                records.append((begin, row))
                if len(records) * len(records[0][1]) > most:
                    break
            begin = reader.line_num + 1
    except csv.Error as error:
        faults.add(
            begin,
            f"broken quotation ({printable(str(error))})",
            'quotes in pairs, "" for one inside',
        )
    records = records or [(1, [])]
    faults.add_unfit_columns(records[0][1], records[0][0])
    excess = faults.add_excess(len(records), len(records[0][1]), most)
    return pl.DataFrame() if faults or excess else even(records, faults)
