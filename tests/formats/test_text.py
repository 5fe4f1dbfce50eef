"""Test bytes, lines and fields of every format: line ends, blanks, NULs, large packed files."""

import codecs
import gzip
import os
import random
from pathlib import Path

import polars as pl
import pyarrow
import pytest
from format_samples import every_format, read, sample
from fuzz.findings import limit_time
from nonresponse.formats import records, text
from reading import judgments, locate_faults, runs, write

STEP = 29  # a piece is inserted at each so-many-th place


def insert_everywhere(content: str, piece: str):
    """The content with this piece in every so-many-th place; the place, and its line."""
    for place in range(0, len(content) + 1, STEP):
        line = 1 + content.count("\n", 0, place)
        yield place, content[:place] + piece + content[place:], line


@every_format
def test_a_carriage_return_or_nul_in_any_place_is_a_fault_or_a_line_end(tmp_path, format, kind):
    name, content = sample(format, kind)
    plain, _ = read(format, kind, write(tmp_path, name, content))
    is_xml = name.endswith(".xml")  # it has rules of its own: a carriage return is a line end
    for place, mangled, line in insert_everywhere(content, "\r"):
        frame, faults = read(format, kind, write(tmp_path, name, mangled))
        if content[place : place + 1] == "\n":
            assert not faults and frame.drop("file").equals(plain.drop("file")), place
        elif not is_xml:
            column = 1 + len(content[content.rfind("\n", 0, place) + 1 : place].encode())
            found = [(line, f"a carriage return at column {column}")]
            assert locate_faults(faults) == found, place
    for _, mangled, line in insert_everywhere(content, "\0"):
        _, faults = read(format, kind, write(tmp_path, name, mangled))
        assert locate_faults(faults)[-1][0] == line, locate_faults(faults)
        assert is_xml or "a NUL at column" in faults[0].found


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_a_nul_that_a_field_spells_is_a_fault(tmp_path, name):
    frame = pl.DataFrame({"question": ["q1", "q2", "q\0"], "answer": ["a", "b\0", "c"]})
    (frame.write_ndjson if name == "a.jsonl" else frame.write_parquet)(tmp_path / name)
    assert locate_faults(runs("tabular", str(tmp_path / name))[1]) == [
        (2, "a NUL in the answer"),
        (3, "a NUL in the question"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_packed_file_is_unpacked_as_far_as_the_bounds_allow(tmp_path, monkeypatch, ending):
    piece = bytes(10_000_000)
    packed = gzip.compress(piece)
    if ending == "zst":
        packed = pyarrow.compress(piece, codec="zstd", asbytes=True)
    file = write(tmp_path, f"bomb.tsv.{ending}", packed * 30)
    size = Path(file).stat().st_size
    assert size < 330_000
    frame, faults = records.read_table(file)
    found = f"{size:,} bytes that unpack to more than {max(100_000_000, 500 * size):,}"
    bound = "at most 8 GB and 500 times the packed size, or the file unpacked"
    assert not frame.width and [fault[1:4] for fault in faults] == [(0, found, bound)]
    monkeypatch.setattr(text, "MOST_BYTES", 5e7)
    data, faults = text.read_bytes(file)
    assert data == b"" and "more than 50,000,000" in faults[0].found


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_damaged_packed_file_is_a_fault(tmp_path, ending):
    content = random.Random(1).randbytes(5_000)
    packed = gzip.compress(content)
    edited = [packed[:30] + bytes(40) + packed[70:], packed[:10] + b"\xff" * 40 + packed[50:]]
    if ending == "zst":
        packed = pyarrow.compress(content, codec="zstd", asbytes=True)
        edited = []  # it has no checksum
    for data in (packed[:-2000], b"x" + packed, *edited):
        _, faults = text.read_bytes(write(tmp_path, f"a.csv.{ending}", data))
        assert [fault.expected for fault in faults] == ["a whole, readable file"], data[:40]


@pytest.mark.parametrize("format", ["trec-qa", "pan", "clef-qa4mre"])
def test_a_bound_is_for_each_format(tmp_path, monkeypatch, format):
    monkeypatch.setattr(text, "MOST_BYTES", 10)
    file = write(tmp_path, f"{sample(format, 'runs')[0]}.gz", gzip.compress(b"x" * 100))
    for reader in (runs, judgments):
        frame, faults = reader(format, file, "validation" if format == "pan" else "qa")
        assert not frame.height and "that unpack to more than 10" in faults[0].found, reader


@every_format
def test_a_pipe_is_a_fault_that_nobody_waits_for_as_is_a_pointer_of_git_lfs(tmp_path, format, kind):
    name, _ = sample(format, kind)
    os.mkfifo(tmp_path / name)
    with limit_time(5):
        _, faults = read(format, kind, str(tmp_path / name))
    assert locate_faults(faults) == [(0, "no file, but a folder, a pipe or a device")]
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    _, faults = read(format, kind, write(tmp_path / "lfs", name, pointer))
    assert "a pointer of Git LFS" in {fault.found for fault in faults}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.csv.gz"])
def test_utf_16_is_read(tmp_path, name, encoding):
    """As spreadsheets write "Unicode text"; the pieces of a long file need not end with a letter."""
    lines = [f'{{"question": "q{n}", "answer": "Zoë 🙂"}}' for n in range(5000)]
    if name != "a.jsonl":
        lines = ["question,answer", *(f"q{n},Zoë 🙂" for n in range(5000))]
    data = ("\ufeff" + "\n".join(lines)).encode(encoding)
    path = write(tmp_path, name, gzip.compress(data) if name.endswith("gz") else data)
    frame, faults = runs("tabular", path)
    assert locate_faults(faults) == [] and frame.height == 5000
    assert {*frame["answer"]} == {"Zoë 🙂"}


def test_broken_utf_16_is_a_fault(tmp_path):
    _, faults = runs("tabular", write(tmp_path, "a.csv", "question,answer\n".encode("utf-16")[:-1]))
    assert "no UTF-16, as its mark says" in faults[0].found and len(faults) == 1


MARKED = {  # what a file has below its first line, and the lines with a mark
    b"question,answer\nq1,a\n": [],
    b"question,answer\nq1,\xef\xbb\xbf\n\xef\xbb\xbfq2,a\n": [3],
    codecs.BOM_UTF8 + b"\nq1,a\n": [1],
}


@pytest.mark.parametrize("content", MARKED)
def test_a_byte_order_mark_of_a_file_within_another_is_a_fault(tmp_path, content):
    """Else the first question of the second file would have another name than in other runs."""
    faults = records.read_table(write(tmp_path, "a.csv", codecs.BOM_UTF8 + content))[1]
    assert locate_faults(faults) == [(line, "a byte-order mark") for line in MARKED[content]]


@pytest.mark.parametrize("content", [",\n", "\n,,\n,\t\n", "\ufeff,\n\n"])
def test_a_table_of_separators_only_is_a_fault(tmp_path, content):
    (tmp_path / "a.csv").write_text(content)
    [fault] = records.read_table(tmp_path / "a.csv")[1]
    assert fault.found == "nothing but separators"
