"""Files of records (CSV, TSV, JSON, JSONL, Parquet) as columns of text, null where blank."""

import csv
import io
import re
from array import array
from collections.abc import Collection, Iterator
from pathlib import Path

import polars as pl

from nonresponse.faults import Fault, escape_controls, quote
from nonresponse.formats import SHAPE, parquet
from nonresponse.formats.json_pieces import read_json_lines
from nonresponse.formats.json_records import (
    ColumnRequest,
    make_strict_object,
    make_table,
    mark_lists,
    read_records,
    unnest,
)
from nonresponse.formats.text import (
    BLANKS,
    LONGEST_LINE,
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
KINDS = [*SEPARATORS, ".json", ".jsonl", ".ndjson", ".parquet"]
# Tables that `detect` has read, with their dotted paths, until ingest asks for them; by file, its
# state, and how its records are written
CACHE: dict[tuple, tuple[pl.DataFrame, Collection[str]]] = {}
PASS_MARK = r"^\[(PASS|FAIL|ERROR)\]"  # before each answer in a table of promptfoo
CACHE_SIZE, MOST_TABLES = 2**28, 1000  # bytes of all tables in it, and their number, at most


def read_table(
    file: str | Path,
    options: Files | None = None,
    request: ColumnRequest = ColumnRequest(),
    keep: bool = False,
) -> tuple[pl.DataFrame, Faults]:
    """Read all columns as text, and `line`, by the options in SHAPE, `quoted`,
    `may_be_empty` and `text`.

    With `keep`, the next call for the same file gets the table from the cache.
    """
    options = options or {}
    key, kind = make_key(file, options), get_kind(file, options)
    frame, paths = (None, ()) if keep else CACHE.pop(key, (None, ()))
    faults = Faults(file)
    if frame is not None and (kind in SEPARATORS or fits(frame, paths, request)):
        frame = frame.drop({*paths} - {*request.paths}, strict=False)
    else:
        frame, faults = parse_table(file, kind, options, request)
    if keep and key and frame.columns and not faults and len(CACHE) < MOST_TABLES:
        size = sum(table.estimated_size() for table, _ in CACHE.values()) + frame.estimated_size()
        if size < CACHE_SIZE:
            CACHE[key] = frame, request.paths
    lists = [name for name in request.lists if name in frame.columns and kind in SEPARATORS]
    return frame.with_columns(mark_lists(frame[name]) for name in lists), faults


def is_cached(file: str | Path, options: Files) -> bool:
    return make_key(file, options) in CACHE


def fits(frame: pl.DataFrame, paths: Collection[str], request: ColumnRequest) -> bool:
    """Return whether reading the JSON or Parquet again would give the same table."""
    if not {*request.paths} <= {*paths}:
        return False
    # A null may have been NaN, which is a fault in a column of numbers.
    if any(frame[name].has_nulls() for name in request.numbers if name in frame.columns):
        return False
    answers = [name for name in frame.columns if name in {*request.texts} - {"line"}]
    has_several = pl.any_horizontal(False, pl.col(answers).str.contains(r"^\s*[\[{]").any())
    return not frame.select(has_several).item()


def make_key(file: str | Path, options: Files) -> tuple:
    """Return the key of a table in the cache; () for a text in the options."""
    if "text" in options or not is_file(file):
        return ()
    status = Path(file).stat()
    shape = [options.get("format", "tabular")]
    shape += [options.get(name) for name in (*SHAPE, "quoted")]
    return str(Path(file).absolute()), status.st_mtime_ns, status.st_size, repr(shape)


def parse_table(
    file: str | Path, kind: str, options: Files, request: ColumnRequest
) -> tuple[pl.DataFrame, Faults]:
    faults = Faults(file)
    if kind not in KINDS:
        expected = f"one of {', '.join(KINDS)}, or `kind:` in config.yaml"
        faults.add(0, f"the ending {quote(kind)}", expected)
        return pl.DataFrame(), faults
    if kind in SEPARATORS:
        frame = read_delimited(file, kind, options, faults)
        first = zip(frame.columns, frame.row(0) if frame.height else (), strict=False)
        marked = [name for name, value in first if re.match(PASS_MARK, str(value))]
        marked = [name for name in marked if frame[name].str.contains(PASS_MARK).all()]
        frame = frame.with_columns(pl.col(marked).str.extract(PASS_MARK))
    elif kind == ".parquet":
        frame = read_parquet(file, request, faults)
    else:
        records: Iterator[tuple[int, object]] = read_records(file, options, faults)
        if kind != ".json":
            expected = "one JSON object"
            records = read_json_lines(file, expected, options, faults, make_strict_object)
        if "nested" in options:
            records = unnest(records, options["nested"], faults)
        frame = make_table(records, request, faults, bound_fields(file, options))
    if not frame.columns or (faults and not frame.height and kind not in SEPARATORS):
        return pl.DataFrame(), faults
    field = pl.col(pl.String)
    # A field that sorts between ! and ~ does not begin with white space. Most files have no other.
    is_stripped = pl.all_horizontal(True, field.is_between(pl.lit("!"), pl.lit("~")).all())
    if not frame.lazy().select(is_stripped).collect().item():
        frame = frame.with_columns(pl.when(field.str.strip_chars() != "").then(field))
    columns = [name for name in frame.columns if name != "line"]
    if kind in SEPARATORS and all(frame[name].has_nulls() for name in columns):
        frame = frame.filter(pl.any_horizontal(pl.exclude("line").is_not_null()))  # no empty lines
    if not frame.height and not faults and not options.get("may_be_empty"):
        faults.add(0, "no records", "at least one, below a line of column names")
    return frame, faults


def get_kind(file: str | Path, options: Files) -> str:
    """Return the ending that counts: that of `kind:`, else the file's, else its format's."""
    if "kind" in options:
        return f".{options['kind']}"
    ending, format = get_ending(file), options.get("format", "tabular")
    if ending in KINDS or format == "tabular":
        return ending
    return ".jsonl" if format == "pan" else ".tsv"


def get_separator(kind: str, options: Files) -> str:
    """Return the separator of the fields of a line, in a file of this kind."""
    return options.get("separator", SEPARATORS[kind])


def find_nuls(file: str | Path, frame: pl.DataFrame) -> list[Fault]:
    """Return a fault for each NUL in our columns, which JSON and Parquet can spell."""
    faults = Faults(file)
    for name, kind in frame.schema.items():
        if kind == pl.String:
            for line in frame.filter(pl.col(name).str.contains("\0", literal=True))["line"]:
                faults.add(line, f"a NUL in the {name}", "text without one")
    return faults


def read_parquet(file: str | Path, request: ColumnRequest, faults: Faults) -> pl.DataFrame:
    """Return a Parquet file as text; faults, and no columns, where it is unreadable."""
    texts, row_count = list[pl.DataFrame](), 0
    try:
        for frame in parquet.read_frames(file, faults):
            texts.append(convert_to_text(frame, row_count, request, faults))
            row_count += frame.height
    except parquet.POLARS_ERRORS as error:
        faults.add(0, f"content that is not Parquet ({quote(error, 80)})", parquet.EXPECTED_FILE)
    if faults:
        return pl.DataFrame()
    table = pl.concat(texts, how="diagonal", rechunk=False)
    missing = {name for text in texts[1:] for name in {*table.columns} - {*text.columns}}
    return table.drop(missing - {*request.paths}).with_row_index("line", offset=1)


def convert_to_text(
    frame: pl.DataFrame, row_count: int, request: ColumnRequest, faults: Faults
) -> pl.DataFrame:
    """Return rows of a Parquet file, after `row_count` others, as text, records as in JSON."""
    nested = frame.select(pl.selectors.nested())
    # No column that we read has other values than text and numbers, such as spans of time.
    flat = frame.drop(nested.columns)
    flat = flat.drop(column.name for column in flat if not is_text(column))
    # NaN means that no value is given, except in a column of numbers, where it is a fault.
    blankable = pl.selectors.float() - pl.selectors.by_name(*request.numbers, require_all=False)
    names = flat.select(blankable).columns
    flat = flat.cast(pl.String).with_columns(pl.col(names).replace("NaN", None))
    if frame.is_empty():
        faults.add_unfit_columns(frame.columns)
    if frame.is_empty() or not nested.width:
        return flat
    records = enumerate(nested.iter_rows(named=True), start=row_count + 1)
    request = request._replace(paths={*request.paths} - {*flat.columns})
    return pl.concat([flat, make_table(records, request, faults).drop("line")], how="horizontal")


def is_text(column: pl.Series) -> bool:
    """Return whether all values of a column can be written as text: no bytes that are not UTF-8."""
    try:
        column.cast(pl.String)
    except parquet.POLARS_ERRORS:
        return False
    return True


def read_delimited(file: str | Path, kind: str, options: Files, faults: Faults) -> pl.DataFrame:
    """Return a CSV or TSV file; quotes are text unless `quoted`, the default of .csv."""
    data, read_faults = read_text(file, options)
    faults += read_faults
    if faults:
        return pl.DataFrame()
    separator, limit = get_separator(kind, options), bound_fields(file, options)
    if b'"' in data and options.get("quoted", kind == ".csv"):
        return make_even_table(read_quoted(data, separator, limit, faults), faults, limit)
    start = find_line(data, match_blanks(separator.encode()))
    header_line = 1 + data.count(b"\n", 0, start)
    end = len(data.rstrip(BLANKS.encode() + separator.encode() + b"\n"))
    text = data[start : data.find(b"\n", end) + 1 or len(data)]  # without blank lines at the end
    if not text:
        faults.add(0, "nothing but separators", "a line of column names")
        return pl.DataFrame()
    names = get_first_line(text).decode()
    if faults.add_excess_columns(1 + names.count(separator), header_line):
        return pl.DataFrame()
    header = names.split(separator)
    faults.add_unfit_columns(header, header_line)
    # Lines that are too short are padded in memory.
    if faults or faults.add_excess(text.count(b"\n"), len(header), limit):
        return pl.DataFrame()
    frame = parse_even_lines(text, separator.encode(), len(header))
    if frame is not None:
        return frame.with_row_index("line", offset=header_line + 1)
    text, numbers = select_even_lines(text, separator.encode(), len(header), header_line, faults)
    frame = parse_even_lines(text, separator.encode(), len(header))
    assert frame is not None
    return frame.insert_column(0, pl.Series("line", numbers[1:], pl.UInt32))


def parse_even_lines(text: bytes, separator: bytes, width: int) -> pl.DataFrame | None:
    """Return the table in a text with `width` fields on each line; null if a line has others.

    Polars pads short lines with nulls, and ignores a surplus separator at the end of a line. The
    total number of separators reveals either of them, but not one of each: so lines are counted if
    the last column has nulls.
    """
    lines = count_byte(b"\n", text) + (not text.endswith(b"\n"))
    if count_byte(separator, text) != lines * (width - 1):
        return None
    try:
        frame = pl.read_csv(text, separator=separator.decode(), quote_char=None, infer_schema=False)
    except pl.exceptions.PolarsError:
        return None
    is_even = frame.height + 1 == lines or width == 1
    if is_even and frame[:, -1].has_nulls():
        is_even = all(line.count(separator) == width - 1 for line in text.splitlines())
    return frame if is_even else None


def select_even_lines(
    text: bytes, separator: bytes, width: int, header_line: int, faults: Faults
) -> tuple[bytes, array]:
    """Return the lines with `width` fields, and their numbers; others are faults, or blank."""
    even_lines, numbers = bytearray(), array("L")
    for number, line in number_lines(text, separator, header_line):
        fields = line.count(separator) + 1
        if fields == width:
            even_lines += line
            numbers.append(number)
        else:
            faults.add_uneven(number, fields, width)
    return bytes(even_lines), numbers


def number_lines(text: bytes, separator: bytes, number: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, each with its number, that of the first line given."""
    position, blanks = 0, match_blanks(separator)
    while (start := find_line(text, blanks, position)) < len(text):
        number += text.count(b"\n", position, start)
        position = text.find(b"\n", start) + 1 or len(text)
        yield number, text[start:position]
        number += 1


def match_blanks(separator: bytes) -> re.Pattern[bytes]:
    """Return a pattern that matches lines of nothing but blanks and separators."""
    return re.compile(b"[%s\n]*" % re.escape(BLANKS.encode() + separator))


def find_line(text: bytes, blanks: re.Pattern[bytes], position: int = 0) -> int:
    """Return where the first line begins that has more than blanks and separators; the length of
    the text if none has. Millions of blank lines are passed over at once."""
    end = blanks.match(text, position).end()  # type: ignore[union-attr]
    return len(text) if end == len(text) else text.rfind(b"\n", position, end) + 1 or position


def read_quoted(
    data: bytes, separator: str, limit: float, faults: Faults
) -> list[tuple[int, list[str]]]:
    """Return the records of a CSV file with quotes, each with its first line, which Polars omits.

    Reading stops at a broken quotation, and at more than `limit` fields.
    """
    csv.field_size_limit(LONGEST_LINE)
    records, start = list[tuple[int, list[str]]](), 1
    content, blanks = io.BytesIO(data), match_blanks(separator.encode())
    reader = csv.reader(map(bytes.decode, content), delimiter=separator, strict=True)
    skipped = 0  # blank lines
    try:
        for row in reader:
            if any(field.strip(BLANKS) for field in row):
                records.append((start, row))
                if len(records) * len(records[0][1]) > limit:
                    break
            else:  # a blank line, with which those that follow are passed over
                position, end = content.tell(), find_line(data, blanks, content.tell())
                skipped += data.count(b"\n", position, end)
                content.seek(end)
            start = reader.line_num + skipped + 1
    except csv.Error as error:
        found = f"broken quotation ({escape_controls(str(error))})"
        faults.add(start, found, 'quotes in pairs, "" for one inside')
    return records


def make_even_table(
    records: list[tuple[int, list[str]]], faults: Faults, limit: float
) -> pl.DataFrame:
    """Return records with one field per column, whose names are the first; any other is a fault."""
    [(header_line, header), *rows] = records or [(1, [])]
    faults.add_unfit_columns(header, header_line)
    if faults or faults.add_excess(len(records), len(header), limit):
        return pl.DataFrame()
    for number, fields in rows:
        if len(fields) != len(header):
            faults.add_uneven(number, len(fields), len(header))
    schema = {"line": pl.UInt32, **dict.fromkeys(header, pl.String)}
    even_rows = [(number, *fields) for number, fields in rows if len(fields) == len(header)]
    return pl.DataFrame(even_rows, schema=schema, orient="row")
