"""Test files of records: blank lines and fields, repeated keys, and requested columns."""

import json
import tracemalloc
from pathlib import Path

import pytest
from nonresponse.formats import records, tabular
from nonresponse.formats.json_records import ColumnRequest
from reading import judgments, locate_faults, runs, write


def test_the_objects_of_a_list_in_each_record_are_rows(tmp_path):
    lists = [[{"a": 1}, {"a": 2, "b": {"c": 3}}], [], [4]]
    text = "".join(f"{json.dumps({'q': n, 'out': out})}\n" for n, out in enumerate(lists))
    request = ColumnRequest(["out.a", "out.b.c"])
    frame, faults = records.read_table(write(tmp_path, "m.jsonl", text), {"nested": "out"}, request)
    rows = frame.select("line", "q", "out.a", "out.b.c").rows()
    assert rows == [(1, "0", "1", None), (1, "0", "2", "3")]
    assert [(fault.line, fault.expected) for fault in faults] == [
        (3, "objects, in a list or under names, at 'out'")
    ]


BLANK_IDS = {
    "a.csv": "question,answer,label\nq1,x,R\n{},y,R\n",
    "quoted.csv": 'question,answer,label\n"q1","x",R\n"{}","y",R\n',
    "a.tsv": "question\tanswer\tlabel\nq1\tx\tR\n{}\ty\tR\n",
    "a.jsonl": '\n{{"question": "q1", "answer": "x", "label": "R"}}\n'
    '{{"question": "{}", "answer": "y", "label": "R"}}\n',
}


@pytest.mark.parametrize("blank", ["", "\xa0", " \u3000 "], ids=ascii)
@pytest.mark.parametrize("name", BLANK_IDS)
def test_a_blank_id_is_none(tmp_path, name, blank):
    file = write(tmp_path, name, BLANK_IDS[name].format(blank))
    questions = tabular.read_questions(file, {})
    for _, faults in (runs("tabular", file), judgments("tabular", file), questions):
        assert locate_faults(faults) == [(3, "no question")]


@pytest.mark.parametrize(
    ("inside", "key"),
    [
        ('"id": "b"', "id"),
        ('"more": {"x": 1, "y": [{"z": 1, "z": 1}]}', "z"),
        ('"m\\u006fre": 1, "more": 1', "more"),
        ('"\\ud800": 1, "\\ud801": 1', "?"),
    ],
)
def test_a_key_that_an_object_has_twice_is_a_fault(tmp_path, inside, key):
    lines = ['"id": "a", "value": 0.2', f'"id": "b", {inside}', '"id": "c", "value": 0.9']
    text = "".join(f"{{{line}}}\n" for line in lines)
    frame, faults = runs("pan", write(tmp_path, "a.jsonl", text), "validation")
    assert locate_faults(faults) == [(2, f"the key '{key}' twice")]
    assert frame["question"].to_list() == ["a", "c"]


@pytest.mark.slow
@pytest.mark.parametrize("place", [{}, {"records": "rows"}], ids=str)
def test_records_of_a_long_json_are_read_one_by_one(tmp_path, place):
    """Memory is that of what is kept of them, a small part of the file."""
    row = {"correct": 1, "trace": "x" * 2000}
    rows = json.dumps([row | {"id": f"q{number}"} for number in range(2000)])
    file = write(tmp_path, "long.json", f'{{"config": [1], "rows": {rows}}}' if place else rows)
    del rows
    options = {"columns": {"question": "id", "verdict": "correct"}, "verdicts": {"1": "correct"}}
    tabular.read_graded(file, options | place)  # what is loaded once
    tracemalloc.start()
    frame, faults = tabular.read_graded(file, options | place)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert faults == [] and frame.height == 2000
    assert peak < 0.7 * Path(file).stat().st_size < 3_000_000


KEYED, COLUMNWISE, NESTED = {"keyed": "id"}, {"by_column": True}, {"records": "r"}
TWO_DEEP = {"m": {"q1": "x", "q2": "y"}, "n": {}}
LISTS = {"m": [{"q": 1}, {"q": 2}], "n": [{"q": 1}]}
OBJECTS = [
    ({"q1": {"a": 1}, "q2": {"b": "x"}}, KEYED, [("q1", "1", None), ("q2", None, "x")]),
    ({"q1": "right", "q2": None}, KEYED, [("q1", "right"), ("q2", None)]),
    ({"q1": {"id": "q1", "a": 1}}, KEYED, [("q1", "1")]),
    (TWO_DEEP, {"keyed": ["run", "id"]}, [("m", "q1", "x"), ("m", "q2", "y")]),
    (LISTS, {"keyed": "run"}, [("m", "1"), ("m", "2"), ("n", "1")]),
    ({"x": 1, "r": {"s": {"q1": {"a": 1}}}}, KEYED | {"records": "r.s"}, [("q1", "1")]),
    ({"a": {"0": "x", "1": "y"}, "b": {"0": 1, "1": None}}, COLUMNWISE, [("x", "1"), ("y", None)]),
    ({"a": ["x", "y"], "b": [1, 2]}, COLUMNWISE, [("x", "1"), ("y", "2")]),
    ({"columns": ["a", "b"], "index": [0], "data": [["x", 1]]}, COLUMNWISE, [("x", "1")]),
    ({"r": {"columns": ["a", "b"], "rows": [["x", 3]]}}, COLUMNWISE | NESTED, [("x", "3")]),
    ({"r": {"a": [["x"]], "data": [3]}}, COLUMNWISE | NESTED, [("x", "3")]),
]


@pytest.mark.parametrize(("value", "options", "rows"), OBJECTS)
def test_records_of_an_object(tmp_path, value, options, rows):
    frame, faults = records.read_table(write(tmp_path, "a.json", json.dumps(value)), options)
    assert faults == [] and frame.drop("line").rows() == rows


@pytest.mark.parametrize(
    ("text", "options", "line", "found"),
    [
        ('{"a": 1, "rows": [{"id": 1}]}', {}, 0, "an object"),
        ('{"a": 1, "rows": [{"id": 1}]}', {"records": "a"}, 0, "no array at 'a'"),
        ('{"rows": {"id": 1}}', {"records": "rows"}, 0, "no array at 'rows'"),
        ('{"rows": []}', {"records": "rows"}, 0, "no records"),
        ("[]", {}, 0, "no records"),
        ("7", {}, 0, "'7'"),
        ('[{"id": 1},\n{"id": 2, "id": 3}]', {}, 2, "the key 'id' twice"),
        ('[{"id": 1}', {}, 1, "the end where , is due"),
        ('{"q1": {"a": 1},\n"total": 5}', KEYED, 2, "'5' at 'total'"),
        ('{"q1": 5,\n"q2": {"a": 1}}', KEYED, 2, "\"{'a': 1}\" at 'q2'"),
        ('{"m": {"q1": 5},\n"n": 5}', {"keyed": ["run", "id"]}, 2, "'5'"),
        ('{"q1": {"id": "x"}}', KEYED, 1, "a record that has 'id' itself"),
        ('{"q1": {"a": 1},\n"q1": {"a": 2}}', KEYED, 2, "the key 'q1' twice"),
        ("[1]", KEYED, 1, "'[1]'"),
        ("{}", KEYED, 0, "an object without names"),
        ('{"a": {}}', {"keyed": "id", "records": "b"}, 0, "nothing at 'b'"),
        ('{"a": [1], "b": [1, 2]}', COLUMNWISE, 0, "no such columns"),
        ('{"a": {"0": 1}, "b": {"1": 1}}', COLUMNWISE, 0, "no such columns"),
        ('{"columns": ["a", "a"], "data": [[1, 2]]}', COLUMNWISE, 0, "no such columns"),
        ('{"columns": ["a", "b"], "data": [[1]]}', COLUMNWISE, 0, "no such columns"),
        ('{"a": [1], "a": [2]}', COLUMNWISE, 1, "the key 'a' twice"),
        ("7", COLUMNWISE, 0, "no such columns"),
    ],
)
def test_a_json_without_records_in_their_place(tmp_path, text, options, line, found):
    _, [fault] = records.read_table(write(tmp_path, "a.json", text), options)
    assert (fault.line, fault.found) == (line, found)


REQUESTS = [
    {},
    {"paths": ["meta.x"]},
    {"numbers": ["p"]},
    {"texts": ["answer"]},
    {"texts": ["id"]},
    {"paths": ["meta.z"], "columns": ["id", "meta.z"]},
]


@pytest.mark.parametrize("given", REQUESTS, ids=str)
def test_a_kept_table_is_what_reading_again_gives(tmp_path, given):
    request = ColumnRequest(**given)
    rows = [
        {"id": "a", "answer": ["x", "y"], "p": float("nan"), "meta": {"x": 1}},
        {"id": "b", "answer": "[z]", "p": 0.5, "meta": {"x": 2, "z": 3}},
    ]
    path = write(tmp_path, "a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    expected, expected_faults = records.read_table(path, {}, request)
    records.read_table(path, {}, ColumnRequest(paths=["meta.x", "meta.z"]), keep=True)
    frame, faults = records.read_table(path, {}, request)
    assert frame.columns == expected.columns and faults == expected_faults
    columns = {*frame.columns} & {*(request.columns or frame.columns)}
    assert frame.select(columns).equals(expected.select(columns))


def test_a_kept_table_is_not_parsed_again_unless_the_file_changes(tmp_path, monkeypatch):
    path = write(tmp_path, "a.csv", "id,p\na,1\n")
    records.read_table(path, {}, keep=True)
    monkeypatch.setattr(records, "parse_table", None)
    assert records.read_table(path)[0]["p"].to_list() == ["1"]
    monkeypatch.undo()
    records.read_table(path, {}, keep=True)
    write(tmp_path, "a.csv", "id,p\na,22\n")
    assert records.read_table(path)[0]["p"].to_list() == ["22"]


def test_what_the_fuzzer_found(tmp_path):
    """Test nesting as deep as JSON allows, a tab in a sentence, and a header below line 1."""
    deep = '{"question":"q","answer":' + 992 * "[1," + "1" + 992 * "]" + "}\n"
    for depth in (deep, '{"question":"q","answer":' + 100_000 * "[" + "\n"):
        _, faults = records.read_table(write(tmp_path, "a.jsonl", depth))
        assert all(line == 1 for line, _ in locate_faults(faults))
    _, faults = records.read_table(write(tmp_path, "a.tsv", 'a\tb\n""u\tx\n'), {"quoted": True})
    assert [line for line, _ in locate_faults(faults)] == [2]
    for name, options in (("b.csv", {"quoted": False}), ("c.csv", {})):
        _, faults = records.read_table(write(tmp_path, name, '\n"A","A"\nx,y\n'), options)
        assert [line for line, _ in locate_faults(faults)] == [2]


def test_a_mark_before_each_answer_is_its_verdict_and_one_before_some_is_text(tmp_path):
    path = write(tmp_path, "a.csv", "id,a,b\n1,[PASS] x,[ERROR] x\n2,[FAIL] y,z\n")
    frame, faults = records.read_table(path)
    assert faults == [] and frame["a"].to_list() == ["PASS", "FAIL"]
    assert frame["b"].to_list() == ["[ERROR] x", "z"]
