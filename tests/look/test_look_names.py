"""What the names of columns say, in any script and with any words beside those that are known."""

from pathlib import Path

import pytest
from looked import looked_at, run, table, verdicts
from nonresponse.formats.roles import COLUMNS, called, word_list
from nonresponse.look import counted
from reading import write


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


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


def test_right_answers_in_another_script_are_not_taken_for_the_answers(folder):
    """The only such column was the right answer and the answer at once: 10 of 10 were right."""
    rows = [f"q{n}|m|巴黎{n}|{'巴黎' if n % 2 else '罗马'}{n}" for n in range(10)]
    write("raw", "a.csv", table("id|model|正确答案|回答", *rows))
    made, faults, text = looked_at("raw")
    assert made == [] and "among 'model', '正确答案', '回答'" in faults[0].found, text


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


# Names that say the opposite of right, and names that say something other than what is right.
WRONG = word_list("not_correct human_wrong isNotCorrect mismatch wrong_answer")
ELSE = word_list("judge_success format_correct correct_refusal is_abstention_correct judge_valid_json format.correct")
RIGHT = word_list("correct is_correct llm_judge exact_match answered_correctly isCorrect judge_parsed.correct")
# Of two runs: whether each of their answers is right.
TRUTH = [*((("a", n), n < 6) for n in range(10)), *((("b", n), n < 2) for n in range(10))]


def judged(name: str, yes: bool) -> str:
    """A table with a column that says yes of what is right, or else of what is wrong."""
    return table(f"model|id|response|{name}", *(f"{of}|{n}|{of} said {n}|{int(own == yes)}" for (of, n), own in TRUTH))


@pytest.mark.parametrize("name", [*WRONG, *ELSE])
def test_a_name_that_may_say_something_else_is_asked_about(folder, name):
    """not_correct turned the order of the systems round, and format_correct was taken for what is right."""
    write("raw", "a.csv", judged(name, name not in WRONG))
    made, faults, text = looked_at("raw")
    assert made == [] and f"answers, and yes and no in {name!r}, which may judge them" in faults[0].found, text


@pytest.mark.parametrize("name", RIGHT)
def test_a_name_that_says_what_is_right_is_not(folder, name):
    write("raw", "a.csv", judged(name, True))
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {(of, str(n)): "correct" if right else "wrong" for (of, n), right in TRUTH}


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [("pass_fail", "pass", "fail"), ("right_or_wrong", "right", "wrong"), ("judge_failed", "pass", "fail")],
)
def test_words_for_right_and_wrong_need_no_name(folder, name, right, wrong):
    rows = [f"{of}|{n}|{of} said {n}|{right if is_right else wrong}" for (of, n), is_right in TRUTH]
    write("raw", "a.csv", table(f"model|id|response|{name}", *rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {(of, str(n)): "correct" if yes else "wrong" for (of, n), yes in TRUTH}


@pytest.mark.parametrize("words", ["ADF", ("да", "нет", "не знаю")])
def test_words_that_are_not_known_in_a_column_called_so_are_said(words):
    rows = [f"{of}|{n}|{of} said {n}|{words[n % 3]}" for (of, n), _ in TRUTH]
    write("raw", "a.csv", table("model|id|response|grade", *rows))
    made, [fault], text = looked_at("raw")
    assert made == [] and "nothing that judges them, unless 'grade' does, whose words are not known" in fault.found, (
        text
    )
