"""Test graded responses with gold answers (door two, `gold:`): verdicts and faults of keys."""

import json

import pytest
from nonresponse.formats import tabular
from nonresponse.ingest import reading
from reading import locate_faults, write

WIDE = {"layout": "wide", "gold": "key", "systems": ["m"]}


def verdicts(file: str, task: str = "qa", **options) -> list[str]:
    """The verdicts of a file without faults, in the order of its lines."""
    frame, faults = tabular.read_graded(file, options, task)
    assert faults == []
    return frame.sort("line", "run" if "run" in frame.columns else "line")["verdict"].to_list()


def find_faults(file: str, task: str = "qa", **options) -> list[tuple]:
    return locate_faults(reading.read_graded([file], {"format": "tabular"} | options, task)[-1])


EQUAL = "1=1.0 0.1=0.10 007=7 -0=0.0 +1=1 .5=0.50 5.=5 1.2.3=1.2.3 Paris=Paris 1e2=1e2"
EQUAL += " 9007199254740993=9007199254740993.00"
UNEQUAL = "1e2=100 True=true A=a 1_0=10 1,0=1.0 ٣=3 v1.0=v1 1.0.0=1 0x1=1 nan=NaN -1=1 10=1 .=0 -=0"
UNEQUAL += " =0 0=1 9007199254740993=9007199254740992 0.1=0.1000000000000000055511151231257827"


@pytest.mark.parametrize(("texts", "is_equal"), [(EQUAL, True), (UNEQUAL, False)])
def test_a_number_is_right_however_it_is_written(tmp_path, texts, is_equal):
    pairs = [tuple(pair.split("=")) for pair in texts.split()]
    rows = pairs + [(gold, answer) for answer, gold in pairs] + [(" 1", "1")] * (not is_equal)
    text = "".join(f"q{n}\t{gold or '?'}\t{answer}\n" for n, (answer, gold) in enumerate(rows))
    wide = write(tmp_path, "wide.tsv", f"question\tkey\tm\n{text}")
    long = write(tmp_path, "long.tsv", f"question\tkey\tanswer\n{text}")
    words = ["correct" if is_equal else "wrong" if answer else "unanswered" for answer, _ in rows]
    assert verdicts(wide, **WIDE) == verdicts(long, gold="key") == words


OBJECTS = [{"text": "Paris"}, [{"text": "Paris"}], {}]
LISTS = [["Paris", "Lutetia"], ["Paris", "Paris"], [["Paris", "Lutetia"]]]
NESTED = [("key", value) for value in OBJECTS]  # lists of which are accepted answers
NESTED += [(column, value) for column in ("answer", "m") for value in OBJECTS + LISTS]


@pytest.mark.parametrize(("column", "value"), NESTED)
def test_several_answers_in_the_place_of_one_are_a_fault(tmp_path, column, value):
    """It would be text that no answer equals: all would silently be wrong."""
    row = {"question": "q1", "key": "Paris", "m" if column == "m" else "answer": "Paris"}
    row |= {"note": [1, 2], column: value}
    file = write(tmp_path, "x.jsonl", json.dumps(row))
    options = {"layout": "wide", "systems": ["m"]} if column == "m" else {}
    [(line, found)] = find_faults(file, gold="key", **options)
    assert line == 1 and found.startswith(f"the {column} ")


def test_an_empty_right_answer_is_a_fault(tmp_path):
    file = write(tmp_path, "x.csv", "question,key,m\nq1,,A\nq2,B,B\n")
    assert find_faults(file, **WIDE) == [(2, "no gold")]
