"""Small files that would take gigabytes are faults, and cost little memory and time."""

import gzip
import json
import struct
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import polars as pl
import pyarrow
import pytest
from conftest import HOME
from nonresponse.formats import json_pieces, records, text, xml
from nonresponse.formats import parquet as pieces
from nonresponse.ingest.readers import import_log
from pyarrow import parquet

MEMORY_LIMIT = 400  # MB that a process may take beyond what its libraries take
PROGRAM = """
import json, resource, sys
import polars, pyarrow.parquet, pyarrow.compute
from nonresponse.formats import lighteval, records, tabular
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for file, options in json.loads(sys.argv[1]):
    faults = [list(fault) for fault in records.read_table(file, options)[1]]
    print(json.dumps([resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, faults]))
"""


def read_in_little_memory(*tables: tuple[Path, dict]) -> list[list]:
    """The fault of each table, read by one process in less than MEMORY_LIMIT."""
    tables_read = json.dumps([(str(file), options) for file, options in tables])
    process = [sys.executable, "-c", PROGRAM, tables_read]
    environment = {"PYTHONPATH": str(HOME / "src")}
    result = subprocess.run(process, capture_output=True, text=True, env=environment, timeout=60)
    assert result.returncode == 0, result.stderr
    faults = []
    for (file, _), line in zip(tables, result.stdout.splitlines(), strict=True):
        kilobytes, [fault] = json.loads(line)
        assert kilobytes / 1024 < MEMORY_LIMIT, file
        faults.append(fault)
    return faults


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("blank", ["", " ", "\t", " ,", ",,"])
def test_millions_of_blank_lines_cost_little(tmp_path, blank, quote):
    """Before the names of columns, among the rows, and at the end; lines keep their numbers."""
    blanks, path = f"{blank}\n" * 10**6, tmp_path / "a.csv"
    path.write_text(f"{blanks}{quote}a{quote},b,c\n{blanks}1,2,\n{blanks}x\n{blanks}")
    (tmp_path / "b.csv").write_text(blanks * 5)
    start = time.process_time()
    tracemalloc.start()
    frame, [fault] = records.read_table(path)
    assert records.read_table(tmp_path / "b.csv")[1] != []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * path.stat().st_size and time.process_time() - start < 2
    assert frame.rows() == [(2 * 10**6 + 2, "1", "2", None)] and fault.line == 3 * 10**6 + 3


def repeat_text() -> pyarrow.Array:
    """A text of 10 MB in 1,200 rows."""
    text = pyarrow.array([b"x" * 10**7], pyarrow.binary()).cast(pyarrow.string())
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 1200, pyarrow.int32()), text)


def repeat_in_list() -> pyarrow.Array:
    return pyarrow.ListArray.from_arrays(pyarrow.array([0, 1200], pyarrow.int32()), repeat_text())


def repeat_prefix() -> pyarrow.Array:
    """Each text repeats the one before, of which the page has 1 MB once."""
    return pyarrow.array(["x" * 10**6 + str(row) for row in range(150)])


DELTA = {"use_dictionary": False, "column_encoding": {"answer": "DELTA_BYTE_ARRAY"}}
PLAIN = {"compression": "zstd", "use_dictionary": False, "write_statistics": False}
BOMBS = {  # a column, and how the file is written
    "a dictionary": (repeat_text, {"compression": "zstd"}),  # the file of issue 55
    "records": (
        lambda: pyarrow.StructArray.from_arrays([repeat_text()], ["text"]),
        {"compression": "snappy"},
    ),
    "lists": (repeat_in_list, {"compression": "gzip"}),
    "prefixes": (repeat_prefix, {"compression": "zstd"} | DELTA),
    "nulls": (lambda: pyarrow.nulls(10**8, "string"), {"data_page_size": 2**30}),
    # A null takes as many bytes as a value of fixed length
    "wide nulls": (lambda: pyarrow.nulls(2000, pyarrow.binary(100_000)), {}),
    "packed pages": (lambda: pyarrow.array(["x" * 2 * 10**8]), PLAIN),
}


@pytest.mark.slow
def test_a_parquet_is_refused_before_it_takes_memory(tmp_path):
    files = []
    for name, (make_column, settings) in BOMBS.items():
        files.append((tmp_path / f"{name}.parquet", {}))
        parquet.write_table(pyarrow.table({"answer": make_column()}), files[-1][0], **settings)
        assert files[-1][0].stat().st_size < 1_000_000
    expected = "at most 8 GB and 500 times the packed size, or the file unpacked"
    for fault in read_in_little_memory(*files):
        assert (fault[1], fault[3]) == (0, expected) and "bytes when it is read" in fault[2]


def forge_footer(path: Path, edit) -> None:
    """Edits the footer of a Parquet file, which keeps its length."""
    data = bytearray(path.read_bytes())
    (length,) = struct.unpack("<I", data[-8:-4])
    begin = len(data) - 8 - length
    data[begin:-8] = edit(bytes(data[begin:-8]))
    path.write_bytes(data)


def varint(number: int) -> bytes:
    number, encoded = number << 1, b""
    while number > 127:
        number, encoded = number >> 7, encoded + bytes([number & 127 | 128])
    return encoded + bytes([number])


@pytest.mark.parametrize("claim", [5000, 8000])
def test_a_file_that_claims_more_rows_than_it_has_is_damaged(tmp_path, claim):
    """In the file, its row group and its column alike."""
    path = tmp_path / "a.parquet"
    pl.DataFrame({"question": [f"q{row}" for row in range(3000)]}).write_parquet(
        path, statistics=False
    )
    forge_footer(path, lambda footer: footer.replace(varint(3000), varint(claim)))
    _, faults = records.read_table(path)
    assert len(faults) == 1 and faults[0].expected == "a whole Parquet file"


def test_sizes_that_a_file_states_are_not_believed(tmp_path, monkeypatch):
    """The page is 20 MB; the footer says 3 bytes, in a number of as many digits."""
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"question": ["q" * 20_000_000]}), path, **PLAIN)
    true = parquet.read_metadata(path).row_group(0).total_byte_size
    forge_footer(path, lambda footer: footer.replace(varint(true), b"\x86\x80\x80\x00"))
    assert parquet.read_metadata(path).row_group(0).total_byte_size == 3
    monkeypatch.setattr(text, "MOST_BYTES", 1e7)
    _, faults = records.read_table(path)
    assert faults[0].found.startswith("a table of 20,000,0")


def test_a_schema_that_is_too_deep_is_a_fault(tmp_path):
    """A thousand records within each other would end the process, where Polars reads them."""
    kind = pyarrow.string()
    for _ in range(120):
        kind = pyarrow.struct([("a", kind)])
    parquet.write_table(pyarrow.schema([("question", kind)]).empty_table(), tmp_path / "a.parquet")
    _, faults = records.read_table(tmp_path / "a.parquet")
    assert "too deeply nested" in faults[0].found


@pytest.mark.parametrize("rows", [1, 7, 100])
def test_rows_in_pieces_are_those_of_the_whole(tmp_path, monkeypatch, rows):
    """It holds for all types, encodings and row groups; bytes that are no text are no column."""
    frame = pl.DataFrame(
        {
            "question": [f"q{row % 13}" for row in range(200)],
            "kind": pl.Series(["a", None, "b", "a"] * 50, dtype=pl.Categorical),
            "rank": range(200),
            "confidence": [0.5, float("nan"), None, 1.0] * 50,
            "lists": [["x"], [], None, ["y", "z"]] * 50,
            "record": [{"inner": f"i{row}", "more": [row]} for row in range(200)],
            "bytes": [b"x"] * 199 + [b"\xff"],
            "text": ["ü".encode()] * 200,
            "day": pl.Series(["2026-01-02"] * 200).str.to_date(),
            "right": [True, None] * 100,
        }
    )
    frame.write_parquet(tmp_path / "a.parquet", row_group_size=64)
    expected, faults = records.read_table(tmp_path / "a.parquet", {})
    assert faults == [] and {*frame.columns} - {*expected.columns} == {"bytes"}
    monkeypatch.setattr(pieces, "ROWS", rows)
    monkeypatch.setattr(pieces, "PIECE", rows * 100)
    actual, faults = records.read_table(tmp_path / "a.parquet", {})
    assert faults == [] and actual.equals(expected)
    assert expected["record"][1] == '{"inner": "i1", "more": [1]}'
    assert {*expected["text"]} == {"ü"}
    assert expected["lists"][:4].to_list() == ["x", None, None, '["y", "z"]']
    assert expected["line"].to_list() == [*range(1, 201)]
    assert expected["confidence"][:4].to_list() == ["0.5", None, None, "1.0"]


KEYS = [{f"k{number}": 1} for number in range(20_000)]
HEADER = ",".join(f"c{number}" for number in range(20_000)) + "\n"
TABLES = {
    "lines.csv": (HEADER + "1\n" * 20_000, {}),
    "quoted.csv": (HEADER.replace("c1,", '"c1",') + "1\n" * 20_000, {}),
    "keys.jsonl": ("".join(json.dumps(record) + "\n" for record in KEYS), {}),
    "keys.json": (json.dumps(KEYS), {}),
    "keyed.json": (
        json.dumps({f"q{place}": record for place, record in enumerate(KEYS)}),
        {"keyed": "question"},
    ),
}


@pytest.mark.slow
def test_fields_that_are_not_in_the_file_count_too(tmp_path):
    """20,000 rows of 20,000 columns, of which each has a single value, are 6.4 GB."""
    for name, (content, _) in TABLES.items():
        (tmp_path / name).write_text(content)
    files = [(tmp_path / name, options) for name, (_, options) in TABLES.items()]
    for fault in read_in_little_memory(*files):
        assert fault[2].startswith("a table of ") and "fields, empty ones" in fault[3]


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.parquet"])
def test_a_table_has_only_so_many_columns(tmp_path, name, monkeypatch):
    """They are counted before they are made."""
    names = [f"c{number}" for number in range(60_000)]
    message, expected = "60,000 columns", "at most 50,000"
    if name == "a.parquet":  # to write 60,000 takes seconds
        monkeypatch.setattr(pieces, "MOST_COLUMNS", 50)
        kinds = pyarrow.schema([(name, pyarrow.int8()) for name in names[:60]])
        parquet.write_table(kinds.empty_table(), tmp_path / name)
        message, expected = "60 columns", "at most 50"
    else:
        content = ",".join(names) if name == "a.csv" else json.dumps([dict.fromkeys(names, 1)])
        (tmp_path / name).write_text(content)
    tracemalloc.start()
    [fault] = records.read_table(tmp_path / name)[1]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (fault.found, fault.expected) == (message, expected)
    assert name == "a.json" or peak < 2_000_000


@pytest.mark.parametrize("content", ["<x>" + "<a/>" * 2000 + "</x>", '<x a="" b=""/>' * 700])
def test_elements_of_packed_xml_are_bounded(tmp_path, monkeypatch, content):
    """As a plain file, it can have only as many as it is long."""
    monkeypatch.setattr(text, "MOST_BYTES", 2e4)
    (tmp_path / "a.xml").write_text(
        content.replace("<x a", "<y><x a", 1) + "</y>" * content.startswith("<x a")
    )
    assert xml.read_elements(tmp_path / "a.xml", {})[1] == []
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress((tmp_path / "a.xml").read_bytes()))
    elements, faults = xml.read_elements(tmp_path / "a.xml.gz", {})
    assert not elements and "elements and attributes, and more" in faults[0].found


BRACKETS = b'[{"question": [' + b"[]," * 3000 + b"[]]}]"


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_parts_of_packed_json_are_bounded(tmp_path, monkeypatch, name):
    """Each list takes 64 bytes in memory, and two in the text."""
    content, packed = BRACKETS if name == "a.json" else BRACKETS[1:-1], tmp_path / f"{name}.gz"
    (tmp_path / name).write_bytes(content)
    packed.write_bytes(gzip.compress(content))
    monkeypatch.setattr(text, "MOST_BYTES", 2e4)
    assert records.read_table(tmp_path / name)[1] == []
    faults = records.read_table(packed)[1]
    if name == "a.json":
        assert not json_pieces.read_value(str(packed), {}, faults)
    else:
        assert not list(json_pieces.read_json_lines(str(packed), "one JSON object", {}, faults))
    assert len(faults) == 2
    assert all("more than 1,250 parts of a value" in fault.found for fault in faults)


@pytest.mark.parametrize(
    ("name", "begin", "value", "options"),
    [
        ("a.json.gz", b'{"a": [', b"[],", {"by_column": True}),
        ("samples_a_.jsonl.gz", b"", b'{"doc_id": 1}\n', {"format": "lm-eval"}),
        ("a.json.gz", b'{"results": {"results": [', b"{},", {"format": "promptfoo"}),
        ("a.json.gz", b'{"a": [', b"1,", {}),
        ("a.jsonl.gz", b"", b"1\n", {}),
    ],
    ids=["columns", "lines", "elements", "arrays that nobody asked for", "lines at fault"],
)
def test_values_that_are_read_one_by_one_are_bounded_together(
    tmp_path, monkeypatch, name, begin, value, options
):
    """Each takes hundreds of bytes in memory, and a few in the text, which is packed."""
    (tmp_path / name).write_bytes(gzip.compress(begin + value * 110_000))
    monkeypatch.setattr(text, "MOST_BYTES", 1.6e6)
    reader = import_log if "format" in options else records.read_table
    *_, faults = reader(str(tmp_path / name), options)
    parts = "more than 100,000 parts of a value"
    messages = ("a table of 100,001 rows and 1 columns", "more than 3,200 records", parts)
    assert any(fault.found in messages for fault in faults)


@pytest.mark.parametrize("head", ["question,answer\nq,b\n", 'question,"answer"\nq,"b\n"\n', ""])
def test_a_line_of_a_table_is_bounded(tmp_path, head, monkeypatch):
    """Its fields take many times its size."""
    monkeypatch.setattr("nonresponse.formats.text.LONGEST_LINE", 50)
    path = tmp_path / "a.csv"
    path.write_text(f"{head}question,{'x' * 41}\n1,2\n" * 2)
    assert [fault.found for fault in records.read_table(path)[1] if "bytes" in fault.found] == []
    path.write_text(f"{head}question,{'x' * 42}\n1,2\n")
    [fault] = records.read_table(path)[1]
    assert (fault.line, fault.found) == (head.count("\n") + 1, "a line of more than 50 bytes")


def test_a_line_of_json_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "LONGEST_LINE", 50)
    path = tmp_path / "a.jsonl"
    path.write_text('{"question": 1}\n' + '{"question": "' + "x" * 40)
    [fault] = records.read_table(path)[1]
    assert (fault.line, fault.found) == (2, "a line of more than 50 bytes")


def test_a_file_beyond_the_memory_is_a_fault(monkeypatch):
    def exhaust_memory(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr(text, "stream_bytes", exhaust_memory)
    data, [fault] = text.read_bytes("a.csv")
    assert (data, fault.found) == (b"", "more than the memory holds")
