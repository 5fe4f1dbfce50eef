"""What the names of columns say, in any script and with any words beside those that are known."""

import json
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


# Names that say the opposite of right, and names that say something other than what is right.
WRONG = word_list(
    "not_correct is_not_correct is_not_right not_accurate score_wrong human_wrong judged_wrong judge_says_wrong "
    "no_match grade_incorrect judge_incorrect wrong_rating exact_match_failed em_fail judge_failed isNotCorrect "
    "judgedWrong notFullyCorrect non_match pas_correct never_correct isnt_correct missed_match judge_rejects "
    "match_false mismatch incorrect wrong_answer inaccurate human_mistake misgraded_by_human"
)
ELSE = word_list(
    "judge_success format_correct correct_format correct_language passed_filter human_written is_human "
    "judge_parse_ok judge_agrees judge_confident right_to_left f1_flag correct_refusal refusal_correct "
    "is_abstention_correct formatCorrect isRefusalCorrect judge_valid_json human_reviewed accurate_citation "
    "spelling_score format.correct"
)
RIGHT = word_list(
    "correct is_correct human llm_judge gpt4_judge exact_match answered_correctly correctly_answered em_strict "
    "second_judge ground_truth_match human_eval non_expert_grade reviewer_grade regex_match score_no_cot "
    "judge_parsed.correct parsed_grade match_score isCorrect"
)
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


@pytest.mark.parametrize("header", ["judge_wrong|human_wrong", "incorrect|wrong_answer", "incorrect|zz"])
def test_two_columns_that_agree_on_what_is_wrong_are_no_judges(header):
    rows = [f"{run}|{n}|{run} said {n}|{int(not right)}|{int(not right)}" for (run, n), right in TRUTH]
    write("raw", "a.csv", table(f"model|id|response|{header}", *rows))
    made, [fault], text = looked_at("raw")
    assert made == [] and "which may judge them or say something else" in fault.found, text


@pytest.mark.parametrize("header", ["not_correct", "not_correct|verbose", "judge_wrong|human_wrong"])
def test_verdicts_without_answers_are_asked_about_as_well(header):
    rows = [f"{run}|{n}|{int(not right)}|{int(not right)}" for (run, n), right in TRUTH]
    write("raw", "a.csv", table(f"model|id|{header}", *(row[: None if "|" in header else -2] for row in rows)))
    made, [fault], text = looked_at("raw")
    assert made == [] and "yes and no in" in fault.found and "which may judge answers" in fault.found, text


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


@pytest.mark.parametrize(
    ("name", "words", "why"),
    [
        ("score_wrong", "ABC", "verdicts in 'score_wrong', which may judge the answers or say something else"),
        ("citation_grade", ("right", "wrong", "partial"), "verdicts in 'citation_grade', which may judge the answers"),
        ("score_wrong", ("0", "1", "0.5"), "numbers from 0 to 1 in 'score_wrong'"),
        ("error_score", ("0.1", "0.9", "0.4"), "numbers from 0 to 1 in 'error_score'"),
        ("format_score", ("0.1", "0.9", "0.4"), "numbers from 0 to 1 in 'format_score'"),
    ],
)
def test_letters_words_and_shares_in_doubt_are_asked_about(name, words, why):
    rows = [f"{run}|{n}|{run} said {n}|{words[n % 3]}" for (run, n), _ in TRUTH]
    write("raw", "a.csv", table(f"model|id|response|{name}", *rows))
    made, [fault], text = looked_at("raw")
    assert made == [] and why in fault.found, text


@pytest.mark.parametrize(("score", "flag"), [("judge_score", "judge_success"), ("reward", "format_correct")])
@pytest.mark.parametrize("gold", [False, True])
def test_a_score_is_surer_than_a_flag_about_the_judge_or_the_format(folder, score, flag, gold):
    """The flag was the verdict."""
    rows = [f"{of}|{n}|{of} said {n}|{0.9 if yes else 0.2}|{int(n != 3)}|{n}" for (of, n), yes in TRUTH]
    write("raw", "a.csv", table(f"model|id|response|{score}|{flag}|{'target' if gold else 'n'}", *rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and f"from which {score!r} on" in text and f"whether {flag!r} says more surely" in text, text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {(of, str(n)): "correct" if yes else "wrong" for (of, n), yes in TRUTH}


@pytest.mark.parametrize("name", ["judge_success", "judge_xyz"])
def test_beside_right_answers_a_judge_in_doubt_is_asked_about(name):
    """judge_xyz calls fewer of the answers right that are the right ones."""
    rows = [f"{of}|{n}|x{n}|{'x' if yes else 'z'}{n}|{int(not yes)}" for (of, n), yes in TRUTH]
    write("raw", "a.csv", table(f"model|id|target|response|{name}", *rows))
    made, [fault], text = looked_at("raw")
    assert made == [] and f"yes and no in {name!r}, which may judge them" in fault.found, text


def test_of_two_checks_of_an_answer_the_one_of_its_format_is_not_the_verdict(folder):
    """In JSON, the first `passed` was the verdict."""
    rows = [
        {"model": of, "id": n, "response": "r", "checks": {"format": {"passed": n < 9}, "answer": {"passed": yes}}}
        for (of, n), yes in TRUTH
    ]
    write("raw", "a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["columns"]["verdict"] == "checks.answer.passed", text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("correct", ("TRUE", "FALSE", "N/A")),
        ("correct", ("1.0", "0.0", "nan")),
        ("is_correct", ("1", "0", "None")),
        ("gpt_judge", ("yes", "no", "unsure?")),
    ],
)
def test_a_word_that_is_no_verdict_in_a_column_called_so_is_named(name, words):
    """There was "nothing that judges them"."""
    rows = [f"{of}|{n}|{of} said {n}|{words[n % 3]}" for (of, n), _ in TRUTH]
    write("raw", "a.csv", table(f"model|id|response|{name}", *rows))
    made, [fault], text = looked_at("raw")
    assert made == [] and f"the column {name!r}, in which {words[2]!r} may be no answer, no verdict" in fault.found, (
        text
    )


@pytest.mark.parametrize("words", ["ADF", "✓✗–", "是否是", ("да", "нет", "не знаю"), ("100%", "0%", "50%")])
def test_words_that_are_not_known_in_a_column_called_so_are_said(words):
    rows = [f"{of}|{n}|{of} said {n}|{words[n % 3]}" for (of, n), _ in TRUTH]
    write("raw", "a.csv", table("model|id|response|grade", *rows))
    made, [fault], text = looked_at("raw")
    assert made == [] and "nothing that judges them, unless 'grade' does, whose words are not known" in fault.found, (
        text
    )


def test_what_people_answered_is_no_verdict_with_unknown_words(folder):
    """They said yes, no and maybe, as the systems did."""
    said = ("yes", "no", "maybe")
    rows = [f"{n}|{said[n % 3]}|{said[-n % 3]}|{said[n % 3]}|{said[0]}" for n in range(9)]
    write("raw", "a.csv", table("id|gold|human|gpt|llama", *rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["gold"] == "gold", text


def test_yes_and_no_by_question_are_no_probabilities():
    write("raw", "a.json", json.dumps({str(n): n % 2 == 0 for n in range(9)}))
    write("raw", "b.json", json.dumps({str(n): n % 2 for n in range(9)}))
    made, faults, text = looked_at("raw")
    assert made == [] and all("`keyed:`" in fault.expected for fault in faults), text
    assert sorted(fault.found for fault in faults) == ["an object", "an object of numbers from 0 to 1"]


@pytest.mark.parametrize(("header", "asked"), [("gpt_wrong|llama_wrong", True), ("no_rag_correct|rag_correct", False)])
def test_columns_of_what_each_system_got_wrong_are_asked_about(header, asked):
    write("raw", "a.csv", table(f"id|{header}", *(f"{n}|{int(n > 6)}|{int(n > 3)}" for n in range(10))))
    made, faults, text = looked_at("raw")
    assert (made == []) is asked, text
    assert [fault.found for fault in faults if "of which yes may mean wrong" not in fault.found] == []
