"""Files of records (CSV, TSV, JSON, JSONL, Parquet) as columns of text, null where blank."""

import csv
import io
import re
from array import array
from collections.abc import Collection
from pathlib import Path

import polars as pl

from nonresponse.faults import Fault, escape_controls, quote
from nonresponse.formats import SHAPE, list_formats_with_ending, parquet
from nonresponse.formats.json_pieces import read_json_lines
from nonresponse.formats.json_records import (
    Asked,
    as_table,
    records_in,
    unnested,
    with_each_key_once,
)
from nonresponse.formats.text import (
    BLANKS,
    LONGEST_LINE,
    UNPACKED,
    Faults,
    bound_fields,
    count_byte,
    get_ending,
    get_first_line,
    is_file,
    read_text,
)
from nonresponse.settings import Files

SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t", ".tab": "\t"}
KNOWN = [*SEPARATORS, ".json", ".jsonl", ".ndjson", ".parquet"]
# Tables that were read to recognise their columns, for the one who reads them next, each with its
# dotted paths: by the file, its state, and how its records are written
KEPT: dict[tuple, tuple[pl.DataFrame, Collection[str]]] = {}
LARGEST = 2**28  # bytes of all tables that are kept


def read_table(
    file: str | Path, options: Files | None = None, asked: Asked = Asked(), keep: bool = False
) -> tuple[pl.DataFrame, Faults]:
    """Read all columns as text, and `line`; options are those of SHAPE, `quoted`, `unpacked`,
    `may_be_empty`, `text`.

    With `keep`, the next call for the same file gets the table without reading it again.
    """
    options = options or {}
    key, kind = key_of(file, options), kind_of(file, options)
    frame, paths = (None, ()) if keep else KEPT.pop(key, (None, ()))
    if frame is not None and (kind in SEPARATORS or fits(frame, paths, asked)):
        return frame.drop({*paths} - {*asked.paths}, strict=False), Faults(file)
    frame, faults = parsed(file, kind, options, asked)
    if keep and key and frame.columns and not faults:
        size = sum(kept.estimated_size() for kept, _ in KEPT.values()) + frame.estimated_size()
        if size < LARGEST:
            KEPT[key] = frame, asked.paths
    return frame, faults


def is_kept(file: str | Path, options: Files) -> bool:
    """Return whether a table that was read from a file is kept for the next call."""
    return key_of(file, options) in KEPT


def fits(frame: pl.DataFrame, paths: Collection[str], asked: Asked) -> bool:
    """Return whether reading the JSON or Parquet again would give the same table."""
    nan = any(frame[name].has_nulls() for name in asked.numbers if name in frame.columns)
    answers = [name for name in frame.columns if name != "line" and asked.single(name)]
    several = pl.any_horizontal(False, pl.col(answers).str.contains(r"^\s*[\[{]").any())
    return {*asked.paths} <= {*paths} and not nan and not frame.select(several).item()


def key_of(file: str | Path, options: Files) -> tuple:
    """Return what a table depends on; nothing for a text that is at hand."""
    if "text" in options or not is_file(file):
        return ()
    state = Path(file).stat()
    defaults = {"format": "tabular", "unpacked": UNPACKED}
    shape = [options.get(name, defaults.get(name)) for name in (*SHAPE, "quoted", *defaults)]
    return str(Path(file).absolute()), state.st_mtime_ns, state.st_size, repr(shape)


def parsed(
    file: str | Path, kind: str, options: Files, asked: Asked
) -> tuple[pl.DataFrame, Faults]:
    """Read the table from its file."""
    faults = Faults(file)
    if kind not in KNOWN:
        others = ", ".join(list_formats_with_ending(kind))
        remark = f"; or another format, since {others} files end so" if others else ""
        expected = f"one of {', '.join(KNOWN)}, or `kind:` in config.yaml{remark}"
        faults.add(0, f"the ending {quote(kind)}", expected)
        return pl.DataFrame(), faults
    if kind in SEPARATORS:
        frame = from_text(file, kind, options, faults)
    elif kind == ".parquet":
        frame = from_parquet(file, options, asked, faults)
    else:
        values = (
            records_in(file, options, faults)
            if kind == ".json"
            else read_json_lines(file, "one JSON object", options, faults, with_each_key_once)
        )
        values = unnested(values, options["nested"], faults) if "nested" in options else values
        frame = as_table(values, asked, faults, bound_fields(file, options))
    if not frame.columns or (faults and not frame.height and kind not in SEPARATORS):
        return pl.DataFrame(), faults
    field = pl.col(pl.String)
    # If all fields sort between ! and ~, none begins with white space: most files need no
    # stripping.
    begin_with_none = pl.all_horizontal(True, field.is_between(pl.lit("!"), pl.lit("~")).all())
    if not frame.lazy().select(begin_with_none).collect().item():
        frame = frame.with_columns(pl.when(field.str.strip_chars() != "").then(field))
    columns = [name for name in frame.columns if name != "line"]
    if kind in SEPARATORS and all(frame[name].has_nulls() for name in columns):
        # Drops empty lines
        frame = frame.filter(pl.any_horizontal(pl.exclude("line").is_not_null()))
    if not frame.height and not faults and not options.get("may_be_empty"):
        faults.add(0, "no records", "at least one, below a line of column names")
    return frame, faults


def kind_of(file: str | Path, options: Files) -> str:
    """Return the ending that counts: that of `kind:`, else the file's, else its format's."""
    own, format = get_ending(file), options.get("format", "tabular")
    usual = own if own in KNOWN or format == "tabular" else ".jsonl" if format == "pan" else ".tsv"
    return f".{options['kind']}" if "kind" in options else usual


def separator(kind: str, options: Files) -> str:
    """Return what stands between the fields of a line, in a file of this kind."""
    return options.get("separator", SEPARATORS[kind])


def with_nul(file: str | Path, frame: pl.DataFrame) -> list[Fault]:
    """Return a fault for each NUL in our columns, which JSON and Parquet can spell."""
    faults = Faults(file)
    for name, kind in frame.schema.items():
        if kind == pl.String:
            for line in frame.filter(pl.col(name).str.contains("\0", literal=True))["line"]:
                faults.add(line, f"a NUL in the {name}", "text without one")
    return faults


def from_parquet(file: str | Path, options: Files, asked: Asked, faults: Faults) -> pl.DataFrame:
    """Return a Parquet file as text; faults, and no columns, where it is unreadable."""
    texts, begin = list[pl.DataFrame](), 0
    try:
        for frame in parquet.frames(file, options, faults):
            texts.append(as_text(frame, begin, asked, faults))
            begin += frame.height
    except parquet.POLARS_ERRORS as error:
        faults.add(0, f"content that is not Parquet ({quote(error, 80)})", parquet.WHOLE)
    if faults:
        return pl.DataFrame()
    rows = pl.concat(texts, how="diagonal", rechunk=False)
    lost = {name for piece in texts[1:] for name in {*rows.columns} - {*piece.columns}}
    return rows.drop(lost - {*asked.paths}).with_row_index("line", offset=1)


def as_text(frame: pl.DataFrame, begin: int, asked: Asked, faults: Faults) -> pl.DataFrame:
    """Return rows of a Parquet file, after `begin` others, as text, records as in JSON."""
    nested = frame.select(pl.selectors.nested())
    # A column of what is no text, such as spans of time, is not one we read.
    flat = frame.drop(nested.columns)
    flat = flat.drop(column.name for column in flat if not is_text(column))
    # NaN means that no value is given, except in a column of numbers, where it is a fault.
    real = [name for name, kind in flat.schema.items() if kind.is_float()]
    real = [name for name in real if name not in asked.numbers]
    flat = flat.cast(pl.String).with_columns(pl.col(real).replace("NaN", None))
    if frame.is_empty():
        faults.add_unfit_columns(frame.columns)
    if frame.is_empty() or not nested.width:
        return flat
    records = enumerate(nested.iter_rows(named=True), start=begin + 1)
    asked = asked._replace(paths={*asked.paths} - {*flat.columns})
    return pl.concat([flat, as_table(records, asked, faults).drop("line")], how="horizontal")


def is_text(column: pl.Series) -> bool:
    """Return whether all values of a column can be written as text: no bytes that are not UTF-8."""
    try:
        column.cast(pl.String)
    except parquet.POLARS_ERRORS:
        return False
    return True


def from_text(file: str | Path, kind: str, options: Files, faults: Faults) -> pl.DataFrame:
    """Return a CSV or TSV file; quotes are text unless `quoted`, the default of .csv."""
    data, unreadable = read_text(file, options)
    faults += unreadable
    if faults:
        return pl.DataFrame()
    mark, most = separator(kind, options), bound_fields(file, options)
    if b'"' in data and options.get("quoted", kind == ".csv"):
        return even(quoted_records(data, mark, most, faults), faults, most)
    blank = re.match(rf"([{BLANKS}{re.escape(mark)}]*\n)+".encode(), data)
    begin = blank.end() if blank else 0
    first = 1 + data.count(b"\n", 0, begin)  # the line that the column names are on
    text = data[begin:]
    if not text:
        faults.add(0, "nothing but separators", "a line of column names")
        return pl.DataFrame()
    names = get_first_line(text).decode()
    if faults.add_excess_columns(1 + names.count(mark), first):
        return pl.DataFrame()
    header = names.split(mark)
    faults.add_unfit_columns(header, first)
    # Lines that are too short are padded in memory.
    if faults or faults.add_excess(text.count(b"\n"), len(header), most):
        return pl.DataFrame()
    frame = evenly(text, mark.encode(), len(header) - 1)
    if frame is not None:
        return frame.with_row_index("line", offset=first + 1)
    kept, numbers = even_lines(text, mark.encode(), len(header), first, faults)
    frame = evenly(kept, mark.encode(), len(header) - 1)
    assert frame is not None
    return frame.insert_column(0, pl.Series("line", numbers[1:], pl.UInt32))


def evenly(text: bytes, mark: bytes, width: int) -> pl.DataFrame | None:
    """Return the table in a text with as many separators on each line; null where a line has
    another number of them.

    Polars pads short lines with nulls, and ignores a surplus separator at the end of a line. The
    total number of separators reveals either of them, but not one of each: so lines are counted if
    the last column has nulls.
    """
    try:
        frame = pl.read_csv(text, separator=mark.decode(), quote_char=None, infer_schema=False)
    except pl.exceptions.PolarsError:
        return None
    even = count_byte(mark, text) == (frame.height + 1) * width
    if even and frame[:, -1].has_nulls():
        even = all(line.count(mark) == width for line in text.splitlines())
    return frame if even else None


def even_lines(
    text: bytes, mark: bytes, width: int, first: int, faults: Faults
) -> tuple[bytes, array]:
    """Return the lines with as many fields as columns, and their numbers; others are faults, unless
    they are blank."""
    kept, numbers, blanks = bytearray(), array("L"), BLANKS.encode() + mark + b"\n"
    for number, line in enumerate(io.BytesIO(text), start=first):
        fields = line.count(mark) + 1
        if fields == width:
            kept += line
            numbers.append(number)
        elif line.strip(blanks):
            faults.add(number, f"{fields} fields", f"{width} fields, as in the first line")
    return bytes(kept), numbers


def quoted_records(
    data: bytes, separator: str, most: float, faults: Faults
) -> list[tuple[int, list[str]]]:
    """Return the records of a CSV file with quotes, each with the line on which it begins, which
    Polars does not say: up to the first broken quotation, or to more than `most` fields."""
    csv.field_size_limit(LONGEST_LINE)
    records, begin = list[tuple[int, list[str]]](), 1
    lines = (line.decode() for line in io.BytesIO(data))
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        for row in reader:
            if any(field.strip(BLANKS) for field in row):  # else the line is blank
                records.append((begin, row))
                if len(records) * len(records[0][1]) > most:
                    break
            begin = reader.line_num + 1
    except csv.Error as error:
        found = f"broken quotation ({escape_controls(str(error))})"
        faults.add(begin, found, 'quotes in pairs, "" for one inside')
    return records


def even(records: list[tuple[int, list[str]]], faults: Faults, most: float) -> pl.DataFrame:
    """Return records with one field per column, whose names are the first; any other is a fault."""
    [(first, header), *others] = records or [(1, [])]
    faults.add_unfit_columns(header, first)
    if faults or faults.add_excess(len(records), len(header), most):
        return pl.DataFrame()
    for number, fields in others:
        if len(fields) != len(header):
            expected = f"{len(header)} fields, as in the first line"
            faults.add(number, f"{len(fields)} fields", expected)
    schema = {"line": pl.UInt32, **dict.fromkeys(header, pl.String)}
    rows = [(number, *fields) for number, fields in others if len(fields) == len(header)]
    return pl.DataFrame(rows, schema=schema, orient="row")
