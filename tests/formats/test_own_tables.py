"""Tables as people have them: numbers as verdicts, rows that come twice, rows without a
question."""

import io
import json
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from configured import evaluated, ingested
from nonresponse import campaign as config
from nonresponse.formats import grades, records, repeated, squad2
from nonresponse.formats.tabular import read_graded
from nonresponse.ingest import check, doubts
from nonresponse.tables import IMPORTS, empty
from reading import write


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read(files: dict[str, str | bytes], **parts: dict) -> tuple[pl.DataFrame, list[tuple]]:
    """The responses of a campaign in tabular files, as config.yaml has it, and the places of its
    faults."""
    for name, content in files.items():
        write(".", name, content)
    parts = {name: {"format": "tabular"} | part for name, part in parts.items()}
    campaign = config.checked({"campaigns": {"t": {"task": "qa", "shards": 1, **parts}}})[
        "campaigns"
    ]["t"]
    faults = ingested(campaign, Path("out"))
    table = "graded" if "graded" in parts else "responses"
    rows = pl.read_parquet(f"out/{table}/*.parquet")
    return rows, [(fault.file, fault.line, fault.found) for fault in sorted(set(faults))]


def checked_faults(parts: dict) -> list[tuple]:
    """The places of the faults that only all the files together show, of a campaign that was just
    read."""
    campaign = {"task": "qa"} | {name: {"format": "tabular"} | part for name, part in parts.items()}
    names = pl.read_parquet("out/runs/0.parquet")
    kind, judged = ("graded", "graded/0") if "graded" in parts else ("responses", "judgments")
    asked, said = (pl.read_parquet(f"out/{name}.parquet") for name in ("questions", judged))
    of = check.Tables(campaign, pl.scan_parquet(f"out/{kind}/0.parquet"), names, asked, said)
    if "graded" in parts:
        found = check.check_graded(of, empty(IMPORTS))
    else:
        found = check.check_responses(of, whole=True)
    return [(fault.file, fault.line, fault.found) for fault in found]


def graded(text: str, **options) -> tuple[list[tuple], list[tuple]]:
    """Run, question and verdict of each row of a graded table, and its faults."""
    rows, faults = read({"m.csv": text}, graded={"files": "m.csv"} | options)
    return rows.select("run", "question", "verdict").rows(), faults


NUMBERS = {
    "1": "correct",
    "1.0": "correct",
    "true": "correct",
    "True": "correct",
    "0.5": "correct",
    "5e-1": "correct",
}
NUMBERS |= {"0": "wrong", "0.0": "wrong", "False": "wrong", "0.49": "wrong", "-1": "wrong"}
NUMBERS |= {
    "": "unscored",
    "NaN": "unscored",
    "nan": "unscored",
    "null": "unscored",
    "refused": "unanswered",
}


@pytest.mark.parametrize("layout", ["long", "wide"])
def test_a_number_is_a_verdict(layout):
    lines = "".join(f"q{number},{text}\n" for number, text in enumerate(NUMBERS))
    name = "verdict" if layout == "long" else "m"
    options = {"correct_from": 0.5, "verdicts": {"refused": "unanswered"}, "layout": layout}
    rows, faults = graded(f"question,{name}\n{lines}", **options)
    assert faults == []
    found = {question: verdict for _, question, verdict in rows}
    assert {text: found[f"q{number}"] for number, text in enumerate(NUMBERS)} == NUMBERS


@pytest.mark.parametrize("text", ["good", "0,5", "1_0", "inf", "1e400"])
def test_no_number_and_no_word_is_a_fault(text):
    assert graded(f'question,verdict\nq1,1\nq2,"{text}"\n', correct_from=0.5)[1] == [
        ("m.csv", 3, f"the verdict {text!r}")
    ]


def test_numbers_are_words_as_long_as_no_number_is_named():
    assert graded("question,verdict\nq1,1.0\n", verdicts={"1": "correct"})[1] == [
        ("m.csv", 2, "the verdict '1.0'")
    ]


TWICE = "question,verdict,note\nq1,correct,a\nq2,wrong,a\nq1,correct,b\nq2,correct,b\n"


@pytest.mark.parametrize(
    ("duplicates", "verdicts", "lines"),
    [
        ("fault", None, [4, 5]),
        ("same", None, [5]),
        ("first", {"q1": "correct", "q2": "wrong"}, []),
        ("last", {"q1": "correct", "q2": "correct"}, []),
        ("unscored", {"q1": "correct", "q2": "unscored"}, []),
    ],
)
def test_rows_that_come_twice(duplicates, verdicts, lines):
    rows, faults = graded(TWICE, duplicates=duplicates)
    assert [line for _, line, _ in faults] == lines
    assert verdicts in (None, {question: verdict for _, question, verdict in rows})
    if duplicates == "unscored":
        return
    key = {"a.csv": "question,answer\nq1,x\nq2,y\n"}
    raw = TWICE.replace("verdict", "answer")
    rows, faults = read(
        {"runs/m.csv": raw} | key,
        runs={"files": "runs/*", "duplicates": duplicates},
        judgments={"files": "a.csv", "closed": True},
    )
    assert [line for _, line, _ in faults] == lines
    assert verdicts in (None, dict(rows.select("question", "answer").rows()))


@pytest.mark.parametrize(
    ("duplicates", "label"), [("fault", None), ("same", None), ("first", "R"), ("last", "W")]
)
def test_judgments_that_contradict_each_other(duplicates, label):
    files = {
        "runs/m.csv": "question,answer\nq1,x\n",
        "a.csv": "question,answer,label\nq1,x,R\nq1,x,W\n",
    }
    _, faults = read(
        files, runs={"files": "runs/*"}, judgments={"files": "a.csv", "duplicates": duplicates}
    )
    assert [line for _, line, _ in faults] == ([] if label else [3])
    assert label in (None, *pl.read_parquet("out/judgments.parquet")["label"])


ROLES = [
    "category",
    "Subject",
    "has answer",
    "confidence",
    "score",
    "id",
    "model_name",
    "options",
    "label",
    "Answer",
]


def wide(column: str, words: list[str], rows: int = 12) -> dict[str, str]:
    """Twelve questions with a key, two systems and a column that is none."""
    key = [f"answer {n % 4}" for n in range(rows)]
    lines = [
        f"q{n},{right},{right},answer 3,{words[n % len(words)]}" for n, right in enumerate(key)
    ]
    return {"m.csv": "\n".join([f"question,key,m1,m2,{column}", *lines]) + "\n"}


@pytest.mark.parametrize(
    ("column", "gold"), [(column, place % 2 == 0) for place, column in enumerate(ROLES)]
)
def test_a_column_with_a_name_of_something_else_is_no_system_unasked(column, gold):
    """Whatever it says; with `gold` and without."""
    files, options = wide(column, ["answer 1"]), {"files": "m.csv", "layout": "wide", "gold": "key"}
    if not gold:
        files, options = (
            {"m.csv": re.sub(r"answer \d", "wrong", files["m.csv"])},
            options | {"ignore": ["key"]},
        )
        del options["gold"]
    _, faults = read(files, graded=options)
    assert [(line, found) for _, line, found in faults] == [
        (1, f"the column {column!r}, whose name is that of something else: no system?")
    ]
    for option, names, runs in (
        ("systems", ["m1", "m2"], 2),
        ("systems", ["m1", column], 2),
        ("ignore", [column], 2),
    ):
        told = {
            name: value for name, value in options.items() if name != "ignore" or option == "ignore"
        }
        told |= {option: [*told.get(option, []), *names]}
        rows, faults = read(files, graded=told)
        assert faults == [] and rows["run"].n_unique() == runs


def test_rows_without_a_question_are_dropped_where_that_is_asked_for():
    text = "question,answer,verdict\nq1,x,correct\n ,y,wrong\n,z,\n"
    assert [line for _, line, _ in graded(text)[1]] == [3, 4]
    assert graded(text, empty_questions="drop") == ([("m", "q1", "correct")], [])
    drop = {"empty_questions": "drop"}
    parts = {
        "runs": {"files": "m.csv"} | drop,
        "judgments": {"files": "m.csv", "closed": True} | drop,
    }
    rows, faults = read({"m.csv": text}, **parts)
    assert faults == [] and rows["question"].to_list() == ["q1"]


def test_a_run_of_which_no_row_has_a_question_does_not_vanish():
    found = "no row of the run with a question"
    options = {"empty_questions": "drop"}
    assert [fault[1:] for fault in graded("question,verdict\n,wrong\n,wrong\n", **options)[1]] == [
        (2, found)
    ]
    text = "question,run,verdict\nq1,a,wrong\n,b,wrong\n,b,wrong\n,a,wrong\n"
    assert [fault[1:] for fault in graded(text, **options)[1]] == [(3, found)]


ROWS = [
    {
        "model": "a",
        "threshold": 0.5,
        "set": "x",
        "id": 1,
        "scores": {"choice": {"value": "C"}, "acc.none": 1},
    },
    {
        "model": "a",
        "threshold": 0.7,
        "set": "x",
        "id": 1,
        "scores": {"choice": {"value": "I"}, "acc.none": 0},
    },
    {
        "model": "b",
        "threshold": 0.5,
        "set": "y",
        "id": 1,
        "scores": {"choice": {"value": None}, "acc.none": None},
    },
]
DOTTED = {
    "run": "{model}-{threshold}",
    "question": ["set", "id"],
    "columns": {"verdict": "scores.choice.value"},
    "verdicts": {"C": "correct", "I": "wrong"},
}
FROM_DOTTED = [("a-0.5", "x/1", "correct"), ("a-0.7", "x/1", "wrong"), ("b-0.5", "y/1", "unscored")]


def packed(kind: str) -> tuple[str, str | bytes, dict]:
    """The same rows as a file of each kind: its name, its content, and the options that it
    needs."""
    if kind == "parquet":
        file = io.BytesIO()
        pl.DataFrame(ROWS).write_parquet(file)
        return "m.parquet", file.getvalue(), {}
    if kind == "jsonl":
        return "m.jsonl", "".join(f"{json.dumps(row)}\n" for row in ROWS), {}
    if kind == "array":
        return "m.json", json.dumps(ROWS, indent=1), {}
    return "m.json", json.dumps({"about": [1], "out": {"rows": ROWS}}), {"records": "out.rows"}


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "array", "object"])
def test_what_is_within_other_values(kind):
    name, content, options = packed(kind)
    rows, faults = read({name: content}, graded={"files": name} | DOTTED | options)
    assert faults == []
    assert rows.select("run", "question", "verdict").rows() == FROM_DOTTED
    numbers = {
        "files": name,
        "correct_from": 1,
        "columns": {"verdict": "scores.acc.none"},
    } | options
    rows, faults = read({name: content}, graded=DOTTED | numbers)
    assert [verdict for *_, verdict in rows.select("run", "verdict").rows()] == [
        "correct",
        "wrong",
        "unscored",
    ]


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_column_called_like_a_path_or_a_pattern_comes_first(kind):
    row = {
        "question": "q1",
        "a.b": "correct",
        "a": {"b": "wrong"},
        "{folder}": "m",
        "file": "no run",
    }
    name, content = "x/m.jsonl", json.dumps(row)
    if kind == "parquet":
        file = io.BytesIO()
        pl.DataFrame([row]).write_parquet(file)
        name, content = "x/m.parquet", file.getvalue()
    rows, faults = read(
        {name: content}, graded={"files": name, "run": "{folder}", "columns": {"verdict": "a.b"}}
    )
    assert (rows["run"].to_list(), rows["verdict"].to_list(), faults) == (["m"], ["correct"], [])


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "csv"])
@pytest.mark.parametrize("path", ["a.c", "a.b.c", "a.b.0", "a.", "c.b"])
def test_a_path_that_leads_nowhere_is_a_column_that_is_not_there(kind, path):
    row = {"question": "q1", "a": {"b": "correct"}}
    content: dict[str, str | bytes] = {"jsonl": json.dumps(row), "csv": "question,a\nq1,b\n"}
    if kind == "parquet":
        file = io.BytesIO()
        pl.DataFrame([row]).write_parquet(file)
        content["parquet"] = file.getvalue()
    _, faults = read(
        {f"m.{kind}": content[kind]}, graded={"files": f"m.{kind}", "columns": {"verdict": path}}
    )
    assert any(found.startswith(f"no column {path!r} among") for _, _, found in faults)


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
@pytest.mark.parametrize(
    "place", [{"a.b.c": "correct"}, {"a.b": {"c": "correct"}}, {"a": {"b.c": "correct"}}]
)
def test_a_name_with_dots_wins_over_the_names_in_it(kind, place):
    record = {"question": "q1", "a": {"b": {"c": "wrong"}}} | place
    pl.DataFrame([record]).write_parquet("m.parquet")
    content = json.dumps(record) if kind == "jsonl" else Path("m.parquet").read_bytes()
    graded = {"files": f"m.{kind}", "columns": {"verdict": "a.b.c"}}
    rows, faults = read({f"m.{kind}": content}, graded=graded)
    # Of two halves, the shorter first name is tried first
    expected = "wrong" if "a.b" in place else "correct"
    assert (rows["verdict"].to_list(), faults) == ([expected], [])


@pytest.mark.parametrize("name", ["answer", "verdict", "category", "key", "confidence", "question"])
def test_nan_is_no_text(name):
    """It is an empty field, as null is; but among numbers it is none of them."""
    row = {
        "question": "q1",
        "key": "x",
        "answer": "y",
        "verdict": "wrong",
        "category": "c",
        "confidence": 0.5,
    }
    found = [
        read(
            {"m.jsonl": json.dumps(row | {name: value})}, graded={"files": "m.jsonl", "gold": "key"}
        )
        for value in (float("nan"), None)
    ]
    if name == "confidence":
        assert [found for *_, found in found[0][1]] == ["the confidence 'NaN'"]
    else:
        assert found[0][0].equals(found[1][0]) and found[0][1] == found[1][1]


@pytest.mark.parametrize(
    "text",
    [
        '{"out": {"rows": [{"question": "q1"}]},\n "out": {"rows": [{"question": "q2"}]}}',
        '{"out": {"rows": [{"question": "q1"}],\n "rows": [{"question": "q2"}]}}',
        '{"out": {"rows": []},\n "out": {"rows": [{"question": "q2"}]}}',
        '{"about": 1, "out": {"rows": [{"question": "q1"}]},\n "about": 2}',
    ],
)
def test_a_key_twice_on_the_way_to_the_records(text):
    _, faults = read(
        {"m.json": text.replace('"}]', '", "verdict": "wrong"}]')},
        graded={"files": "m.json", "records": "out.rows"},
    )
    assert [(line, found.endswith(" twice")) for _, line, found in faults] == [(2, True)]


JSON_FAULTS = {
    '{"a": {"rows": [{"question": "q1", "verdict": "correct"}]}}': [(0, "an object")],
    '[{"question": "q1", "verdict": "correct"},\n 7]': [(2, "'7'")],
    '[{"question": "q1", "verdict": "correct"},\n {"question": "q2",': [
        (2, "text that is not JSON")
    ],
    '[{"question": "q1",\n "question": "q1", "verdict": "correct"}]': [
        (1, "the key 'question' twice")
    ],
    '{"question": "q1"}\n{"question": "q2"}': [(2, "after the end of the JSON value")],
    "7": [(0, "'7'")],
    "[]": [(0, "no records")],
}


@pytest.mark.parametrize("text", JSON_FAULTS)
def test_json_that_is_no_array_of_objects(text):
    _, faults = read({"m.json": text}, graded={"files": "m.json"})
    assert [
        (line, words in found)
        for (_, line, found), (_, words) in zip(faults, JSON_FAULTS[text], strict=True)
    ] == [(line, True) for line, _ in JSON_FAULTS[text]]


def test_an_object_in_the_place_of_the_array_says_where_arrays_are():
    for name in ("m.json", "n.json"):
        write(
            ".",
            name,
            '{"a": {"rows": [{"question": "q1"}]}, "one": {"question": "q1", "verdict": "wrong"}}',
        )
    frame, faults = records.read_table("m.json")
    assert frame.width == 0 and "'a.rows'" in faults[0].expected
    assert records.read_table("m.json", {"records": "one"})[1][0].found == "no array at 'one'"
    assert records.read_table("m.json", {"records": "a.rows"})[0]["question"].to_list() == ["q1"]


def test_runs_are_named_by_folders_and_may_come_in_several_files():
    line = "question,answer,verdict\n{},x,correct\n"
    files = {
        f"{run}/{part}.csv": line.format(part) for run in ("m1", "m2") for part in ("q1", "q2")
    }
    named = {"files": ["m1/*.csv", "m2/q1.csv", "m2/q?.csv"], "run": "{folder}"}
    rows, faults = read(files, graded=named)
    expected = [("m1", "q1"), ("m1", "q2"), ("m2", "q1"), ("m2", "q2")]
    assert (rows.select("run", "question").rows(), faults) == (expected, [])
    assert checked_faults({"graded": named}) == []
    write(".", "gold/key.csv", "question,answer\nq1,x\nq2,x\n")
    gold = {
        "judgments": {
            "files": ["gold/key.csv"],
            "closed": True,
            "columns": {"run": "q"},
            "run": "{folder}",
        }
    }
    with pytest.raises(config.ConfigError, match=r"columns.run: has no effect beside run"):
        read(files, runs=named, **gold)
    del gold["judgments"]["columns"]
    rows, faults = read(files, runs=named, **gold)
    assert (rows.select("run", "question").rows(), faults) == (expected, [])
    assert checked_faults({"runs": named, **gold}) == []
    write(".", "m1/q3.csv", line.format("q1"))
    for parts in ({"graded": named}, {"runs": named, **gold}):
        read({}, **parts)
        assert checked_faults(parts)[0] == (
            "m1/q3.csv",
            2,
            "a second response of 'm1' to question 'q1'",
        )


PARTS = [("a/b", "c"), ("a", "b/c"), ("a", "c")]


@pytest.mark.parametrize("sign", ["/", "//"])
def test_two_questions_of_several_columns_are_not_one(sign):
    pairs = [(f"a{sign}b", "c"), ("a", f"b{sign}c")] if sign != "//" else [("a/", "c"), ("a", "/c")]
    rows = "".join(f"m{n},{set_},{id},x,wrong\n" for n, (set_, id) in enumerate(pairs))
    named = {"run": "model", "question": f"{{set}}{sign}{{id}}"}
    files = {"a.csv": f"model,set,id,answer,verdict\n{rows}"}
    _, [fault] = read(files, graded={"files": "a.csv", **named})
    name = f"a{sign}b{sign}c" if sign != "//" else "a///c"
    found = f"the question {name!r}, made of other parts than on an earlier line"
    assert fault[:3] == ("a.csv", 3, found)


@pytest.mark.parametrize("parts", [PARTS[::2], PARTS[1:], [("a/b", "c"), ("d", "e/f")]])
def test_a_sign_in_one_of_the_columns_does_no_harm(parts):
    rows = "".join(f"{set_},{id},wrong\n" for set_, id in parts)
    graded = {"format": "tabular", "files": "m.csv", "question": ["set", "id"]}
    rows, faults = read({"m.csv": f"set,id,verdict\n{rows}"}, graded=graded)
    assert faults == [] and rows["question"].n_unique() == 2


def test_a_pattern_that_names_what_is_not_there():
    _, faults = read(
        {"m.csv": "question,verdict\nq1,wrong\n"},
        graded={"files": "m.csv", "run": "{model}-{folder}"},
    )
    assert faults == [("m.csv", 1, "no column 'model' among 'question', 'verdict'")]


def test_the_columns_of_a_pattern_are_no_systems():
    text = "set,id,m\nx,1,wrong\ny,1,correct\n"
    rows, faults = read(
        {"m.csv": text}, graded={"files": "m.csv", "layout": "wide", "question": ["set", "id"]}
    )
    assert faults == []
    assert rows.select("run", "question", "verdict").rows() == [
        ("m", "x/1", "wrong"),
        ("m", "y/1", "correct"),
    ]


SURE = """\
question,answer,confidence,verdict,key
q1,x,0.9,correct,x
q2,y,0.6,wrong,x
q3,z,0.5,correct,z
q4,,,unanswered,x
q5,w,0.2,unscored,x
"""
CUTS = [0.5, 0.6, 1]
AT = {0.5: ["x", "y", "z", None, None], 0.6: ["x", "y", None, None, None], 1: [None] * 5}


def test_a_cut_off_withholds_answers_and_makes_a_run_of_each_file():
    files = {"m.csv": SURE, "key.csv": "question,answer\nq1,x\n"}
    gold = {"judgments": {"files": "key.csv", "closed": True}}
    rows, faults = read(files, runs={"files": "m.csv", "answer_from": CUTS}, **gold)
    assert faults == []
    candidates = {0.5: ["w"], 0.6: ["z", "w"], 1: ["x", "y", "z", "w"]}
    for cut in CUTS:
        of_run = rows.filter(run=f"m @{cut:g}").sort("question")
        assert of_run["answer"].to_list() == AT[cut]
        assert of_run["answered"].to_list() == [answer is not None for answer in AT[cut]]
        assert of_run["candidate"].drop_nulls().to_list() == candidates[cut]
        one, _ = read(files, runs={"files": "m.csv", "answer_from": cut}, **gold)
        assert one.equals(of_run.with_columns(run=pl.lit("m")))


@pytest.mark.parametrize("gold", [{}, {"gold": "key"}])
def test_a_graded_answer_that_is_withheld_keeps_its_verdict(gold):
    rows, faults = read(
        {"m.csv": SURE}, graded={"files": "m.csv", "answer_from": [0.5, 0.6]} | gold
    )
    unscored = "wrong" if gold else "unscored"
    found = rows.select("run", "verdict", "withheld").rows()
    assert faults == []
    assert found[:5] == [
        ("m @0.5", verdict, withheld)
        for verdict, withheld in [
            *[("correct", None), ("wrong", None), ("correct", None), ("unanswered", None)],
            ("unanswered", unscored),
        ]
    ]
    assert found[7] == ("m @0.6", "unanswered", "correct")


def test_the_verdicts_that_are_withheld_are_counted():
    write(".", "m.csv", SURE)
    graded = {"format": "tabular", "files": "m.csv", "answer_from": 0.6}
    campaign = {"task": "qa", "shards": 1, "graded": graded}
    checked = config.checked({"campaigns": {"t": campaign}})["campaigns"]["t"]
    rows = json.loads(evaluated(checked, Path("out")))
    assert {row["question"]: row["candidate_verdict"] for row in rows} == {
        **dict.fromkeys(["q1", "q2", "q4"]),
        **{"q3": "correct", "q5": "unscored"},
    }


def test_the_first_answer_decides_for_all_ranks():
    text = "question,answer,rank,confidence\nq1,x,2,0.9\nq1,y,1,0.1\nq2,x,1,0.9\nq2,y,2,0.1\n"
    gold = {"judgments": {"files": "key.csv", "closed": True}}
    files = {"m.csv": text, "key.csv": "question,answer\nq1,x\n"}
    rows, faults = read(files, runs={"files": "m.csv", "answer_from": 0.5}, **gold)
    assert faults == []
    assert rows.select("question", "answered").rows() == [
        ("q1", False),
        ("q1", False),
        ("q2", True),
        ("q2", True),
    ]


FAILED_SECOND = "question,answer,verdict,rank,confidence\n" + "".join(
    f"{question},{first},{verdict},1,{sure}\n{question},ERROR,error,2,0.9\n"
    for question, first, verdict, sure in (
        ("q1", "x", "correct", 0.1),
        ("q2", "x", "correct", 0.9),
        ("q3", "", "unanswered", 0.1),
    )
)


@pytest.mark.parametrize("cuts", [0.5, [0.5, 0.7]])
def test_an_answer_that_failed_after_one_that_is_withheld_is_none(cuts):
    gold = {"judgments": {"files": "key.csv", "closed": True}}
    files = {"m.csv": FAILED_SECOND, "key.csv": "question,answer\nq1,x\n"}
    responses, faults = read(
        files, runs={"files": "m.csv", "answer_from": cuts, "failed": ["ERROR"]}, **gold
    )
    assert faults == []
    second = responses.filter(pl.col("rank") == 2)
    graded, faults = read({"m.csv": FAILED_SECOND}, graded={"files": "m.csv", "answer_from": cuts})
    assert faults == []
    other = graded.filter(pl.col("rank") == 2)
    expected = [("q1", False), ("q2", True), ("q3", True)] * (
        len(cuts) if isinstance(cuts, list) else 1
    )
    assert second.select("question", "failed").rows() == expected
    assert other.select("question", pl.col("verdict") == "error").rows() == expected


# Two rows for each question, of which `duplicates:` drops one before anything is decided by the
# confidence.
SURENESS = [(0.9, 0.1), (0.1, 0.9), (0.9, 0.8), (0.1, 0.2)]
ANSWERS = [("x", "x"), ("x", "y"), ("y", "x")]


@pytest.mark.parametrize("rank", ["", "1"])
@pytest.mark.parametrize("kind", ["runs", "graded", "gold"])
@pytest.mark.parametrize("duplicates", ["first", "last", "same"])
def test_rows_that_are_dropped_decide_nothing(kind, duplicates, rank):
    """The result is as if they had never been in the file; if they are not dropped, they are
    faults."""
    cases = [
        (pair, given)
        for pair in SURENESS
        for given in ANSWERS
        if duplicates != "same" or len(set(given)) == 1
    ]
    verdict = {"x": "correct", "y": "wrong"}
    header, rank = (
        "question,answer,verdict,key,confidence" + ",rank" * bool(rank),
        f",{rank}" * bool(rank),
    )
    lines = [
        [
            f"q{n},{said},{verdict[said]},x,{sure}{rank}"
            for said, sure in zip(given, pair, strict=True)
        ]
        for n, (pair, given) in enumerate(cases)
    ]
    kept = [pair[-1 if duplicates == "last" else 0] for pair in lines]
    seconds = [f"q{n},y,wrong,x,0.1,2" for n in range(len(cases))] if rank else []
    key = {"key.csv": "question,answer\n" + "".join(f"q{n},x\n" for n in range(len(cases)))}
    parts = {"graded": {}, "gold": {"gold": "key"}, "runs": {}}[kind] | {"answer_from": [0.5, 0.7]}

    def found(rows: list[str], **more) -> tuple:
        own = {"files": "m.csv"} | parts | more
        files = {"m.csv": "\n".join([header, *rows]) + "\n"} | key
        if kind == "runs":
            return read(files, runs=own, judgments={"files": "key.csv", "closed": True})
        return read(files, graded=own)

    alone, faults = found([*kept, *seconds])
    assert faults == [] and alone.height == len([*kept, *seconds]) * 2
    rows, faults = found(
        [*[row for pair in lines for row in pair], *seconds], duplicates=duplicates
    )
    assert faults == [] and rows.equals(alone)
    _, faults = found([*[row for pair in lines for row in pair], *seconds])
    assert len(faults) >= len(cases)


def test_what_is_dropped_is_counted():
    """Of each run, and of each assessor."""
    key = "question,answer,label\nq1,correct,R\nq1,wrong,W\nq1,correct,W\nq2,wrong,W\nq2,wrong,W\n"
    files = {"a.csv": TWICE, "b.csv": TWICE.replace("q2", "q1"), "key.csv": key}
    runs = {"files": "[ab].csv", "columns": {"answer": "verdict"}, "duplicates": "last"}
    judgments = {"files": "key.csv", "duplicates": "first"}
    rows = "dropped 5 rows: 'a' (2) and 'b' (3)."
    for parts, expected in (
        ({"graded": {"files": "[ab].csv", "duplicates": "first"}}, [f"`duplicates: first` {rows}"]),
        (
            {"runs": runs, "judgments": judgments},
            [f"`duplicates: last` {rows}", "`duplicates: first` dropped 2 judgments: 'key' (2)."],
        ),
    ):
        assert read(files, **parts)[1] == []
        assert doubts.dropped(parts, Path("out"), [0]) == expected
        shutil.rmtree("out")


def test_a_fault_on_rows_that_come_twice_names_the_option():
    """Where there is one: in no other format, and not for rows of two files."""
    write(".", "m.csv", TWICE)
    write(".", "k.csv", "question,answer,label\nq1,x,R\nq1,x,W\n")
    graded = {"format": "tabular", "files": "m.csv"}
    raw = graded | {"columns": {"answer": "verdict"}}
    gold = {"format": "tabular", "files": "k.csv"}
    for parts in ({"graded": graded}, {"runs": raw, "judgments": gold}):
        campaign = {"campaigns": {"t": {"task": "qa", "shards": 1, **parts}}}
        found = ingested(config.checked(campaign)["campaigns"]["t"], Path("out"))
        assert {fault.expected.endswith(repeated.KEPT) for fault in found} == {True}
        assert len(found) == len(parts) + 1


def test_an_answer_without_a_confidence_meets_no_cut_off():
    options = {"files": "m.csv", "answer_from": 0.5}
    _, faults = read(
        {"m.csv": "question,verdict,confidence\nq1,wrong,\nq2,wrong,x\n"}, graded=options
    )
    assert [found for *_, found in faults] == [
        "an answer without a confidence",
        "the confidence 'x'",
    ]
    _, faults = read({"m.csv": "question,verdict\nq1,wrong\n"}, graded=options)
    assert [found for *_, found in faults] == ["no column for confidence"]


SPELLINGS = [
    "The Eiffel-Tower!",
    "eiffeltower",
    " a  b ",
    "An A",
    "the",
    "THE.",
    "Ünïcode",
    "don't",
    "x\ty",
    "a.b",
    "...",
    "İ",
]
SPELLINGS += ["another theory", "a_b", "1,000", "‘quoted’", "the\u00a0end"]


def test_the_spelling_of_squad_is_that_of_its_script():
    """As the reader of its own format has it, one text at a time."""
    found = pl.DataFrame({"text": SPELLINGS}).select(grades.squad(pl.col("text")))["text"].to_list()
    assert found == [squad2.normalised(text) or text for text in SPELLINGS]


def test_answers_are_compared_in_one_spelling():
    files = {
        "m.csv": "question,answer,key\nq1,The Paris.,paris\nq2,Rome,Oslo\n",
        "key.csv": "question,answer\nq1,PARIS\n",
    }
    rows, _ = read(files, graded={"files": "m.csv", "gold": "key"})
    assert rows["verdict"].to_list() == ["wrong", "wrong"]
    rows, faults = read(files, graded={"files": "m.csv", "gold": "key", "normalise": "squad"})
    assert (rows["verdict"].to_list(), faults) == (["correct", "wrong"], [])
    spelt = {"normalise": "squad"}
    parts = {"runs": {"files": "m.csv"} | spelt, "judgments": {"files": "key.csv", "closed": True}}
    with pytest.raises(
        config.ConfigError, match=r"runs.normalise: has no effect without the same in judgments"
    ):
        read(files, **parts)
    rows, faults = read(files, **(parts | {"judgments": parts["judgments"] | spelt}))
    assert (rows["answer"].to_list(), faults) == (["paris", "rome"], [])
    assert pl.read_parquet("out/judgments.parquet")["answer"].to_list() == ["paris"]


@pytest.mark.parametrize("name", ["score", "confidence", "rank"])
def test_a_verdict_from_a_column_with_one_of_our_names_is_nothing_else(name):
    text = f"question,{name}\nq1,true\nq2,0.5\n"
    rows, faults = read(
        {"m.csv": text}, graded={"files": "m.csv", "columns": {"verdict": name}, "correct_from": 1}
    )
    assert (rows["verdict"].to_list(), faults) == (["correct", "wrong"], [])


def rows_of(folder, name: str, text: str, **options) -> list:
    frame, faults = read_graded(write(folder, name, text), {"format": "tabular", **options})
    assert faults == []
    return frame.sort("line").select("question", "verdict").rows()


FLAGGED = """\
question,verdict,flag,other,error
a,correct,0,,
b,wrong,1,,
c,,1,0,
d,correct,,1,
e,correct,0,0,Timeout
f,wrong,1,1,false
"""


def test_a_state_and_an_error_win_over_the_verdict(tmp_path):
    states = {"0": "answered", "1": "unanswered"}
    found = rows_of(
        tmp_path, "a.csv", FLAGGED, columns={"state": "flag", "error": "error"}, states=states
    )
    assert [verdict for _, verdict in found] == [
        *("correct", "unanswered", "unanswered", "correct", "error", "unanswered"),
    ]
    both = {
        f"{a}-{b}": "unanswered" if "1" in (a, b) else "answered"
        for a in ("", "0", "1")
        for b in ("", "0", "1")
    }
    found = rows_of(tmp_path, "a.csv", FLAGGED, columns={"state": "{flag}-{other}"}, states=both)
    assert [verdict for _, verdict in found] == [
        *("correct", "unanswered", "unanswered", "unanswered", "correct", "unanswered"),
    ]
    _, faults = read_graded(
        tmp_path / "a.csv",
        {"format": "tabular", "columns": {"state": "flag"}, "states": {"1": "error"}},
    )
    assert [(fault.line, fault.found) for fault in faults] == [
        (2, "the state '0'"),
        (6, "the state '0'"),
    ]


def test_what_nobody_judged_is_answered_silent_or_failed(tmp_path):
    text = "question,answer,error\na,Paris,\nb,,\nc,,Timeout\n"
    found = rows_of(
        tmp_path, "a.csv", text, judged=False, columns={"answer": "answer", "error": "error"}
    )
    assert found == [("a", "unscored"), ("b", "unanswered"), ("c", "error")]
    text = "question,response,said\na,,yes\nb,x,no\n"
    columns, states = (
        {"answer": "response", "state": "said"},
        {"yes": "answered", "no": "unanswered"},
    )
    found = rows_of(tmp_path, "b.csv", text, judged=False, columns=columns, states=states)
    assert found == [("a", "unscored"), ("b", "unanswered")]


@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "jsonl"])
def test_the_kind_of_a_table_is_said_for_any_ending(tmp_path, kind):
    texts = {"csv": "question,verdict\na,correct\n", "tsv": "question\tverdict\na\tcorrect\n"}
    texts |= {
        "json": '[{"question": "a", "verdict": "correct"}]',
        "jsonl": '{"question": "a", "verdict": "correct"}\n',
    }
    assert rows_of(tmp_path, "run.eval-results-gpt-4o", texts[kind], kind=kind) == [
        ("a", "correct")
    ]
    _, faults = read_graded(tmp_path / "run.eval-results-gpt-4o", {"format": "tabular"})
    assert "`kind:`" in faults[0].expected


def test_a_column_that_is_called_as_ours_is_passed_over(tmp_path):
    text = "question,verdict,confidence\na,correct,85 %\n"
    assert rows_of(tmp_path, "a.csv", text, ignore=["confidence"]) == [("a", "correct")]
    assert rows_of(tmp_path, "a.csv", text, ignore="rest") == [("a", "correct")]
    more = "question,verdict,rank,run,epoch\na,correct,best,m1,two\n"
    frame, faults = read_graded(
        write(tmp_path, "m.csv", more), {"format": "tabular", "ignore": "rest"}
    )
    assert not faults and "run" not in frame.columns
    named = {"format": "tabular", "ignore": "rest", "columns": {"run": "run"}}
    assert read_graded(tmp_path / "m.csv", named)[0]["run"].to_list() == ["m1"]


def test_whether_a_question_has_an_answer_stands_beside_its_verdict(tmp_path):
    text = "question,verdict,answerable\na,wrong,yes\nb,wrong,no\nc,wrong,\n"
    path = write(tmp_path, "a.csv", text)
    for name, expected in (
        ("has_answer", ["given", "", None]),
        ("unanswerable", ["", "given", None]),
    ):
        frame, faults = read_graded(path, {"format": "tabular", "columns": {name: "answerable"}})
        assert faults == [] and frame.sort("line")["gold"].to_list() == expected


@pytest.mark.parametrize(("cut", "expected"), [(None, "partial"), (0.4, "correct"), (0.5, "wrong")])
def test_a_score_between_0_and_1_of_a_log_is_right_from_a_number_on(tmp_path, cut, expected):
    """And the headline that the log states is still reproduced from its samples."""
    from nonresponse.ingest.readers import imported

    folder = tmp_path / "out"
    lines = [
        {"doc_id": n, "metrics": ["acc"], "acc": acc, "filtered_resps": [""]}
        for n, acc in enumerate([1.0, 0.4])
    ]
    write(
        folder,
        "samples_mc2_2026-01-01T00-00-00.jsonl",
        "".join(f"{json.dumps(line)}\n" for line in lines),
    )
    results = {
        "results": {"mc2": {"acc,none": 0.7}},
        "model_name": "m",
        "n-samples": {"mc2": {"original": 2, "effective": 2}},
    }
    write(folder, "results_2026-01-01T00-00-00.json", json.dumps(results))
    options = {"format": "lm-eval"} | ({} if cut is None else {"correct_from": cut})
    rows, account, faults = imported(str(folder / "samples_mc2_2026-01-01T00-00-00.jsonl"), options)
    assert faults == [] and rows["verdict"].to_list() == ["correct", expected]
    assert account.select("stated", "recomputed").row(0) == (0.7, 0.7)


PIVOTED = """qid,model,metric,score,why
q1,m,correct,1,yes
q1,m,abstained,0,no
q2,m,correct,0,
q2,m,abstained,1,
q3,m,abstained,0,
q1,n,correct,0,x
"""
OF_PIVOT = {
    "pivot": {"metric": "score"},
    "columns": {"question": "qid", "run": "model", "verdict": "correct", "state": "abstained"},
    "states": {"1": "unanswered", "0": "answered"},
    "verdicts": {"1": "correct", "0": "wrong"},
}


def test_a_row_for_each_metric_is_a_column_for_each():
    """What a response lacks is empty: nobody judged q3, and nothing says that n abstained."""
    rows, faults = graded(PIVOTED, **OF_PIVOT)
    assert faults == []
    assert sorted(rows) == [
        *(
            ("m", "q1", "correct"),
            ("m", "q2", "unanswered"),
            ("m", "q3", "unscored"),
            ("n", "q1", "wrong"),
        ),
    ]


@pytest.mark.parametrize(
    ("changed", "line", "found"),
    [
        (("q2,m,correct,0", "q1,m,correct,0"), 4, "a second 'correct' of a response"),
        (("q2,m,correct,0", "q2,m,,0"), 4, "no metric"),
        (("metric,", "metrics,"), 1, "no column 'metric' among"),
        (
            ("q2,m,correct,0", "q2,m,model,0"),
            1,
            "'model' in metric, which are columns of their own",
        ),
        (("n,correct,0", "n,correct,perhaps"), 7, "the verdict 'perhaps'"),
    ],
)
def test_metrics_that_cannot_be_put_together(changed, line, found):
    _, [fault, *_] = graded(PIVOTED.replace(*changed), **OF_PIVOT)
    assert fault[:2] == ("m.csv", line) and fault[2].startswith(found)


@pytest.mark.parametrize("rows", [1, 2])
def test_a_run_named_by_its_path_alone(rows):
    """Also where the folder's name contains what stands between the parts: a-b-c may be a and b-c,
    or a-b and c."""
    text = "question,verdict\n" + "".join(f"q{number},correct\n" for number in range(rows))
    graded = {"files": "gpt-4/a.csv", "run": "{folder}-{file}"}
    Path("gpt-4").mkdir()
    found, faults = read({"gpt-4/a.csv": text}, graded=graded)
    assert not faults and found["run"].to_list() == ["gpt-4-a"] * rows
