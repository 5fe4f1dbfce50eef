"""Columns whose words may be verdicts or right answers, numbers below 0, and files that share no question."""

from collections import Counter
from pathlib import Path

import pytest
from looked import looked_at, run, verdicts
from reading import write

WORDS = {
    "letters": ["A", "B", "C"],
    "yes and no": ["yes", "no"],
    "numbers": ["0", "1"],
    "true and false": ["True", "False"],
}
NAMES = ("label", "correct", "grade", "label")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def of_words(words) -> list[tuple[str, str, str, str]]:
    """Question, run, answer and right answer: run a is always right, run b never."""
    several = list(zip(words, [*words[1:], words[0]], strict=True)) * 2
    asked = [(f"q{number}", right, wrong) for number, (right, wrong) in enumerate(several)]
    return [row for q, right, wrong in asked for row in ((q, "a", right, right), (q, "b", wrong, right))]


def table(rows: list[tuple], header: str) -> str:
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


RIGHT = {"a": "correct", "b": "wrong"}


@pytest.mark.parametrize(("words", "name"), [*zip(WORDS, NAMES, strict=True)])
def test_what_all_runs_share_in_the_words_of_the_answers_is_a_key(folder, words, name):
    """In one file, in a file per run, and in a file of its own."""
    rows = of_words(WORDS[words])
    write("one", "t.csv", table(rows, f"qid,run,prediction,{name}"))
    for own in RIGHT:
        of_run = [(q, answer, right) for q, by, answer, right in rows if by == own]
        write("each", f"{own}.csv", table(of_run, f"qid,prediction,{name}"))
        write("apart", f"runs/{own}.csv", table([row[:2] for row in of_run], "qid,prediction"))
    write("apart", "key.csv", table(sorted({(q, right) for q, _, _, right in rows}), f"qid,{name}"))
    for place in ("one", "each", "apart"):
        [campaign], faults, text = looked_at(place)
        assert faults == [], text
        [result] = run([campaign], folder / place).values()
        found = verdicts(result)
        assert found == {(by, q): RIGHT[by] for q, by, _, _ in rows}, text


@pytest.mark.parametrize("words", WORDS)
def test_what_differs_between_the_runs_of_a_question_is_a_verdict(folder, words):
    """Though in the words of the answers: A of SimpleQA is correct."""
    right, wrong, *_ = sorted(WORDS[words], reverse=words != "letters")
    rows = [(q, by, answer, right if by == "a" else wrong) for q, by, answer, _ in of_words(WORDS[words])]
    write("raw", "t.csv", table(rows, "qid,run,prediction,grade"))
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {(by, q): RIGHT[by] for q, by, _, _ in rows}


@pytest.mark.parametrize(("words", "name"), [*zip(WORDS, NAMES, strict=True)])
def test_where_nothing_tells_it_asks(words, name):
    """One run only; and columns without a name for answers."""
    rows = of_words(WORDS[words])
    write(
        "raw", "one.csv", table([(q, answer, right) for q, by, answer, right in rows if by == "b"], f"id,pred,{name}")
    )
    both = [(*row, other[2]) for row, other in zip(rows[::2], rows[1::2], strict=True)]
    write("raw", "wide.csv", table([(q, right, a, b) for q, _, a, right, b in both], f"item,{name},x,y"))
    for file in ("one", "wide"):
        made, faults, text = looked_at(f"raw/{file}.csv")
        assert made == [] and "verdicts or right answers" in text and "`gold: " in text, faults


def test_letters_side_by_side_may_be_answers():
    write("raw", "w.csv", "item,x,y\n1,A,B\n2,C,B\n")
    made, [fault], _ = looked_at("raw")
    assert made == [] and "may be answers or verdicts" in fault.found


def test_equality_with_a_right_answer_is_a_verdict(folder):
    """True and false beside answers that are true and false."""
    write("raw", "m.csv", "id,answer,prediction,is_correct\n1,True,True,True\n2,True,False,False\n3,False,False,True\n")
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {("m", "1"): "correct", ("m", "2"): "wrong", ("m", "3"): "correct"}


def test_a_surer_column_of_verdicts_leaves_no_question(folder):
    write("raw", "m.csv", "id,prediction,label,score\n1,yes,yes,1\n2,yes,no,0\n")
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {("m", "1"): "correct", ("m", "2"): "wrong"}


@pytest.mark.parametrize("header", ["id,score", "id,run,verdict", "item,x,y"])
@pytest.mark.parametrize("low", ["-1", "-1.0", "-0.5"])
def test_numbers_below_0_are_asked_for(header, low):
    values = [low, "0", "1"]
    columns = header.count(",")
    rows = [[f"{number}", *([value] * columns)] for number, value in enumerate(values)]
    write("raw", "t.csv", table(rows, header))
    made, [fault], _ = looked_at("raw")
    assert made == [] and "-1" in fault.expected and "in others 0 is wrong" in fault.expected


@pytest.mark.parametrize("silence", ["", "I don't know", "N/A"])
def test_0_is_silence_where_it_stands_at_silent_answers_and_nowhere_else(folder, silence):
    rows = [("1", "Paris", "1"), ("2", "Rome", "-1"), ("3", silence, "0")]
    write("raw", "m.csv", table(rows, "id,answer,score"))
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {("m", "1"): "correct", ("m", "2"): "wrong", ("m", "3"): "unanswered"}
    write("raw", "m.csv", table([*rows, ("4", "Lima", "0")], "id,answer,score"))
    made, [fault], _ = looked_at("raw")
    assert made == [] and "`verdicts:`" in fault.expected


@pytest.mark.parametrize("word", ["!correct", "~true", "correct?", "1/0", "≠1", "-1"])
def test_signs_are_a_part_of_a_verdict(word):
    write("raw", "t.csv", f"id,grade\n1,correct\n2,{word}\n")
    made, faults, _ = looked_at("raw")
    assert made == [] and faults


def test_runs_of_which_no_two_share_a_question_are_evaluated_all_the_same(folder):
    for name, asked in {"a": "12", "b": "34"}.items():
        write("raw", f"{name}.csv", table([(asked[0], "correct"), (asked[1], "wrong")], "id,grade"))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and "no two of which share a question" in text and "compared on what all" not in text
    [result] = run([campaign], folder).values()
    assert Counter(verdicts(result).values()) == {"correct": 2, "wrong": 2, "not asked": 4}


def test_files_that_share_no_question_get_a_sentence():
    for name, asked in {"a": "12", "b": "23", "c": "45", "d": "5"}.items():
        write("raw", f"{name}.csv", table([(q, "correct") for q in asked], "id,grade"))
    *_, text = looked_at("raw")
    assert (
        "2 groups of files share no question, so that no score compares them: raw/a.csv and 1 more; raw/c.csv" in text
    )
    *_, text = looked_at("raw/a.csv", "raw/b.csv")
    assert "share no question" not in text
    write("raw", "e.csv", "id,run,grade\n1,x,correct\n2,y,wrong\n")
    *_, text = looked_at("raw/e.csv")
    assert "2 groups of runs share no question, so that no score compares them: x; y" in text


def test_other_capitals_and_words_that_may_be_answers_are_said():
    write("raw", "m.csv", "id,prediction,target\n1,Yes,yes\n2,no,no\n3,NO,yes\n")
    *_, text = looked_at("raw/m.csv")
    assert "whether 1 answer with other capitals than the right one is right: here not (`normalise: squad`)" in text
    write("raw", "w.csv", "id,x,y\n1,yes,no\n2,no,yes\n")
    *_, text = looked_at("raw/w.csv")
    assert "whether 'no', 'yes' judge answers, and are not the answers themselves: here they do" in text
