"""What holds for every format: what is read without complaint, what is a fault, and that nothing
raises."""

import gzip
import re

import polars as pl
import pyarrow
import pytest
import yaml
from conftest import HOME
from every_place import RAW
from every_record import assert_a_line_each
from format_samples import SAMPLES, every_format, read, sample
from nonresponse import formats, tasks
from nonresponse.campaign import validation
from reading import places, runs, write

PAGE = HOME / "docs/formats.md"
SCHEMA = validation.json_schema()


def test_every_format_has_a_sample_a_reader_and_tasks():
    assert_a_line_each(
        formats.FORMATS, SAMPLES, "SAMPLES of tests/format_samples.py: a run and its judgments"
    )
    for id, format in formats.FORMATS.items():
        assert formats.module(id).read_runs and formats.module(id).read_judgments
        assert set(format.tasks) <= set(tasks.NAMES) and id in formats.in_part(
            "runs", SAMPLES[id][0]
        )


def test_every_format_is_among_the_campaigns_of_all_options():
    known = {(task, format) for task in tasks.NAMES for format in formats.in_part("runs", task)}
    assert_a_line_each(known, RAW, "RAW of tests/every_place.py: a run and its judgments")


def test_the_options_of_every_format_are_in_the_schema():
    for part in ("runs", "judgments"):
        each = (option for one in formats.FORMATS.values() for option in getattr(one, part))
        own = {option.partition(".")[0] for option in each}
        of_judgments = {"official", "correct", "partial", "closed"}
        common = {"format", "files"} | (of_judgments if part == "judgments" else set())
        assert set(SCHEMA["$defs"][part.capitalize()]["properties"]) == own | common


def test_the_documentation_lists_all_formats_with_their_tasks():
    of = {id: "tables" if id == "tabular" else "shared-tasks" for id in formats.FORMATS}
    rows = re.findall(
        r"^\| \[(.*)\]\(((?:tables|shared-tasks)\.md#.*)\) \| (.*?) \|",
        PAGE.read_text(),
        re.MULTILINE,
    )
    expected = [
        (id, f"{of[id]}.md#{id}", ", ".join(it.tasks) or "all")
        for id, it in formats.FORMATS.items()
    ]
    assert rows == expected
    for id, page in of.items():
        assert f"\n## {id}\n" in (HOME / f"docs/{page}.md").read_text()


@pytest.fixture
def plain(tmp_path, format, kind):
    frame, faults = read(format, kind, write(tmp_path / "plain", *sample(format, kind)))
    assert places(faults) == []
    assert frame.height >= 2
    return frame.drop("file", "line")


@every_format
def test_byte_order_mark_crlf_and_no_last_newline_are_no_faults(tmp_path, plain, format, kind):
    name, content = sample(format, kind)
    mangled = "\ufeff" + content.rstrip("\n").replace("\n", "\r\n")
    frame, faults = read(format, kind, write(tmp_path, name, mangled))
    assert places(faults) == []
    assert frame.drop("file", "line").equals(plain)


@every_format
@pytest.mark.parametrize("ending", ["gz", "zst", "GZ"])
def test_compressed_files_read_the_same(tmp_path, plain, format, kind, ending):
    name, content = sample(format, kind)
    data = content.encode()
    packed = (
        gzip.compress(data)
        if ending.lower() == "gz"
        else pyarrow.compress(data, codec="zstd", asbytes=True)
    )
    frame, faults = read(format, kind, write(tmp_path, f"{name}.{ending}", packed))
    assert places(faults) == []
    assert frame.drop("file", "line").equals(plain)


def test_lists_in_parquet(tmp_path):
    """The only element of a list stands for it, as in JSONL; several are a fault in the place of an
    answer."""
    columns = {
        "question": ["q1", "q2", "q3"],
        "answer": [["a"], ["b"], []],
        "other": [[["x"]], [["y"]], None],
    }
    pl.DataFrame(columns).write_parquet(tmp_path / "run.parquet")
    frame, _ = runs("tabular", str(tmp_path / "run.parquet"))
    assert frame["answer"].to_list() == ["a", "b", None]
    pl.DataFrame(columns | {"answer": [["a"], ["a", "b"], []]}).write_parquet(
        tmp_path / "run.parquet"
    )
    _, faults = runs("tabular", str(tmp_path / "run.parquet"))
    assert [(fault.line, fault.found) for fault in faults] == [(2, """the answer '["a", "b"]'""")]


def test_bytes_in_parquet_are_text_if_they_are_utf_8(tmp_path):
    pl.DataFrame({"question": ["q1", "q2"], "answer": ["ü".encode(), None]}).write_parquet(
        tmp_path / "run.parquet"
    )
    rows, faults = runs("tabular", str(tmp_path / "run.parquet"))
    assert not faults and rows["answer"].to_list() == ["ü", None]


@every_format
@pytest.mark.parametrize(
    "content", ["", "\ufeff", "\r\n \n"], ids=["nothing", "mark", "blank lines"]
)
def test_empty_file_is_a_fault(tmp_path, format, kind, content):
    _, faults = read(format, kind, write(tmp_path, sample(format, kind)[0], content))
    assert places(faults) == [(0, "an empty file")]


@every_format
def test_undecodable_bytes_are_faults_each_with_its_line(tmp_path, format, kind):
    name, content = sample(format, kind)
    lines = content.encode().split(b"\n")
    lines[1] += b"\xff"
    lines[2] = b"\xe9" + lines[2]
    _, faults = read(format, kind, write(tmp_path, name, b"\n".join(lines)))
    assert places(faults) == [
        (2, f"the byte 0xff at column {len(lines[1])}"),
        (3, "the byte 0xe9 at column 1"),
    ]


def test_column_names_that_no_frame_could_hold_are_faults(tmp_path):
    _, faults = runs("tabular", write(tmp_path, "a.tsv", "question\tanswer\tline\nq\ta\t7\n"))
    assert places(faults) == [(1, "a column 'line'")]
    _, faults = runs(
        "tabular", write(tmp_path, "a.jsonl", '{"question": "q", "answer": "a", "\\ud800": 1}')
    )
    assert places(faults) == []
    _, faults = runs("tabular", write(tmp_path, "b.jsonl", "{}\n{}\n"))
    assert len(faults) == 1


def test_configurations_in_the_documentation_are_valid():
    pages = "".join(path.read_text() for path in (HOME / "docs").glob("*.md"))
    snippets = re.findall(r"```yaml\n(campaigns:.*?)```", pages, re.DOTALL)
    assert snippets
    for snippet in snippets:
        assert validation.validate(yaml.safe_load(snippet))[1] == [], snippet
