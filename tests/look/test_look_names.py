"""What the names of columns say, in any script and with any words beside those that are known."""

from pathlib import Path

import pytest
from looked import looked_at, run, verdicts
from nonresponse.formats.roles import COLUMNS, called
from nonresponse.look import counted
from reading import write


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def table(header: str, *rows: str) -> str:
    """A CSV of rows whose fields have bars between them."""
    return "".join(f"{line.replace('|', ',')}\n" for line in (header, *rows))


@pytest.mark.parametrize(
    "name",
    [
        *("正确答案", "回答", "モデル", "модель", "ответ", "답", "الجواب", "απάντηση", "答案.value", "问题/score"),
        *("не correct", "不正确 correct", "#", "%", "?", "", "→", "✓", "_", "№"),
    ],
)
def test_a_name_without_a_word_of_ours_has_no_role(name):
    """Such names were nothing but "", which stood for any role that was free."""
    assert [ours for ours in COLUMNS if called([name], ours)] == []
    assert counted.count_of(name) is None


def test_the_head_of_a_path_says_what_a_name_in_another_script_is():
    assert called(["inputs.题目", "outputs.答案", "reference_outputs.答案"], "answer") == "outputs.答案"
    assert called(["x", "Réponse"], "answer") == "Réponse"


def test_right_answers_in_another_script_are_not_taken_for_the_answers(folder):
    """The only such column was the right answer and the answer at once: 10 of 10 were right."""
    rows = [f"q{n}|m|巴黎{n}|{'巴黎' if n % 2 else '罗马'}{n}" for n in range(10)]
    write("raw", "a.csv", table("id|model|正确答案|回答", *rows))
    made, faults, text = looked_at("raw")
    assert made == [] and "among 'model', '正确答案', '回答'" in faults[0].found, text


def test_words_in_another_script_are_no_verdicts():
    """не correct was correct, and 答案 none was an answer that means none."""
    write("raw", "a.csv", table("id|model|verdict", "1|m|correct", "2|m|wrong", "3|m|не correct"))
    made, [fault], text = looked_at("raw")
    assert made == [] and "in which 'не correct' may be no answer" in fault.found, text


def test_a_run_in_another_script_is_told_from_the_answers(folder):
    """The answers were the runs."""
    rows = [f"q{n}|{of}|ответ {n}|{int(n < 3 or of == 'b')}" for of in "ab" for n in range(6)]
    write("raw", "a.csv", table("id|модель|ответ|correct", *rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and "here 'модель', of 'модель'" in text, text
    [result] = run([campaign], folder).values()
    assert {name for name, _ in verdicts(result)} == {"a-a", "a-b"}


def test_the_numbers_of_rows_that_pandas_writes_are_neither_texts_nor_counts(folder):
    """They were the question, the right answer, and the judge's explanation; and the sum of the counts."""
    write("raw", "a.csv", table("|model|id|grade", *(f"{n}|m{n // 3}|{n % 3}|CORRECT" for n in range(6))))
    write("counts", "c.csv", table("|model|correct|incorrect|not_attempted", "0|a|5|3|2", "1|b|1|6|3"))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["columns"] == {
        "question": "id",
        "run": "model",
        "verdict": "grade",
    }, text
    [campaign], faults, text = looked_at("counts")
    assert faults == [] and campaign.rows["n"].to_list() == [10, 10], text
