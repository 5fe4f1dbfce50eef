"""Test what holds for all formats: what is read, what is a fault, and that nothing raises."""

import re

from conftest import HOME
from every_record import assert_a_line_each
from format_samples import SAMPLES, every_format, read, sample
from nonresponse import formats, tasks
from nonresponse.campaign import validation
from reading import locate_faults, runs, write


def test_every_format_has_a_sample_a_reader_and_tasks():
    assert_a_line_each(
        formats.FORMATS, SAMPLES, "SAMPLES of tests/format_samples.py: a run and its judgments"
    )
    for id, format in formats.FORMATS.items():
        assert formats.get_reader(id).read_runs and formats.get_reader(id).read_judgments
        assert set(format.tasks) <= set(tasks.NAMES)
        assert id in formats.list_formats("runs", SAMPLES[id][0])


def test_the_options_of_every_format_and_log_are_in_the_schema():
    parts = validation.make_json_schema()["$defs"]
    judged = {"official", "correct", "partial", "closed"}
    for part, common in (("runs", set()), ("judgments", judged)):
        options = {name for format in formats.FORMATS.values() for name in getattr(format, part)}
        names = {option.partition(".")[0] for option in options}
        assert {*parts[part.capitalize()]["properties"]} == names | common | {"format", "files"}
    names = {option for log in formats.LOGS.values() for option in log.options}
    assert names <= {*parts["Graded"]["properties"]}


def test_the_documentation_lists_all_formats_with_their_tasks():
    row = r"^\| \[(.*)\]\(((?:tables|shared-tasks)\.md)#.*\) \| (.*?) \|"
    rows = re.findall(row, (HOME / "docs/formats.md").read_text(), re.MULTILINE)
    expected = [(id, ", ".join(record.tasks) or "all") for id, record in formats.FORMATS.items()]
    assert [(id, task_list) for id, _, task_list in rows] == expected
    assert all(f"\n## {id}\n" in (HOME / f"docs/{page}").read_text() for id, page, _ in rows)


@every_format
def test_undecodable_bytes_are_faults_each_with_its_line(tmp_path, format, kind):
    name, content = sample(format, kind)
    lines = content.encode().split(b"\n")
    lines[1] += b"\xff"
    lines[2] = b"\xe9" + lines[2]
    _, faults = read(format, kind, write(tmp_path, name, b"\n".join(lines)))
    assert locate_faults(faults) == [
        (2, f"the byte 0xff at column {len(lines[1])}"),
        (3, "the byte 0xe9 at column 1"),
    ]


def test_column_names_that_no_frame_could_hold_are_faults(tmp_path):
    _, faults = runs("tabular", write(tmp_path, "a.tsv", "question\tanswer\tline\nq\ta\t7\n"))
    assert locate_faults(faults) == [(1, "a column 'line'")]
    surrogate = '{"question": "q", "answer": "a", "\\ud800": 1}'
    assert runs("tabular", write(tmp_path, "a.jsonl", surrogate))[1] == []
    assert len(runs("tabular", write(tmp_path, "b.jsonl", "{}\n{}\n"))[1]) == 1
