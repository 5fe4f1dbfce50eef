"""Tables as people keep them: which state each row gets, by the content of columns, and what is asked instead."""

import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
import yaml
from looked import looked_at, run, table, verdicts
from nonresponse import campaign as config
from nonresponse.front import actions
from nonresponse.look import block
from reading import write

LINE = {"c": "correct", "w": "wrong", "p": "partial", "u": "unanswered", "x": "unscored", "e": "error"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def lines(*records: dict) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


LANGSMITH = "inputs.question|outputs.answer|error|reference.answer|feedback.correct|execution_time|example_id|id"
# Name: the files, and the states in the order of their rows, of each file in turn.
TABLES: dict[str, tuple[dict[str, str], str]] = {
    "LangSmith": (
        {
            "exp.csv": table(
                LANGSMITH,
                "Capital?|It is Paris.||Paris|1.0|0.8|e1|r1",
                "Capital?|Cuzco||Lima|0.0|0.7|e2|r2",
                "Capital?||TimeoutError('60 s')|Oslo||60.0|e3|r3",
                "Capital?|Muscat||Muscat||0.5|e4|r4",
                "Capital?||RateLimit|Bamako|0.0|0.2|e5|r5",
            )
        },
        "cwexe",
    ),
    "MLflow, traces": (
        {
            "run.csv": table(
                "trace_id|state|request|response|Correctness/value|Correctness/error_message|Correctness/error_code|Safety/value",
                't1|TraceState.OK|{"question": "Capital of France?"}|Paris|yes|||yes',
                't2|TraceState.OK|{"question": "Of Peru?"}|Cuzco|no|||yes',
                't3|TraceState.OK|{"question": "Of Oman?"}|Muscat||judge timed out|TIMEOUT|no',
                't4|TraceState.ERROR|{"question": "Of Mali?"}|||||',
            )
        },
        "cwxe",
    ),
    "Ragas": (
        {
            "base.csv": table(
                "user_input|retrieved_contexts|response|reference|faithfulness|answer_correctness|context_recall",
                "Who wrote it?|['x']|Ann wrote it.|Ann|1.0|0.93|1.0",
                "Who read it?|['x']|Ann read it.|Bea|0.4|0.21|0.0",
                "Who saw it?|['x']|Nobody did.|Cy|1.0||1.0",
                "Who had it?|['x']|Dee|Dee|1.0|1.0|1.0",
            )
        },
        "ppxc",
    ),
    "abstained, and no verdict then": (
        {
            "a.csv": table(
                "qid|model|answer|abstained|correct", "1|a|Paris|False|True", "2|a||True|", "3|a|Rome|False|False"
            )
        },
        "cuw",
    ),
    "declined, in JSONL": (
        {
            f"{m}.jsonl": lines(
                *({"id": n, "declined": n == 0, "is_correct": [None, True, False][n]} for n in range(3))
            )
            for m in "ab"
        },
        "ucwucw",
    ),
    "answered": ({"a.csv": table("question|answered|correct", "q1|1|1", "q2|0|0", "q3|1|0")}, "cuw"),
    "not attempted": ({"a.csv": table("id|not_attempted|correct", "1|f|1", "2|t|0")}, "cu"),
    "two flags": (
        {"a.csv": table("id|refused|idk|correct", "1|0|0|1", "2|1|0|0", "3|0|1|0", "4|0|0|0", "5||1|0", "6||0|1")},
        "cuuwuc",
    ),
    "words of a state": (
        {"a.csv": table("id|status|correct", "1|answered|1", "2|declined|0", "3|error|0", "4|answered|0")},
        "cuew",
    ),
    "a flag beside right answers": (
        {"a.csv": table("qid|answer|gold|refused", "1|Paris|Paris|no", "2|I won't|Oslo|yes", "3|Rome|Lima|no")},
        "cuw",
    ),
    "verdicts with numbers": (
        {"a.csv": table("id|model|verdict", "1|m|1_correct", "2|m|2_incorrect", "3|m|(3) Abstained")},
        "cwu",
    ),
    "words of verdicts": (
        {"a.csv": table("id|model|verdict", "1|m|Correct", "2|m|Incorrect", "3|m|Declined", "4|m|Error")},
        "cwue",
    ),
    "MLflow": (
        {
            "r.csv": table(
                "trace_id|inputs/question|outputs|expectations/x|correctness/value|correctness/error_message",
                *("t1|q1|a|a|yes|", "t2|q2|b|c|no|", "t3|q3|b|c||judge timed out"),
            )
        },
        "cwx",
    ),
    "records in an object": (
        {
            "a.json": json.dumps(
                {
                    "config": {"model": "x"},
                    "results": [
                        {"id": n, "scores": {"judge": {"correct": n == 0}}, "flags": {"refused": n == 1}}
                        for n in range(3)
                    ],
                }
            )
        },
        "cuw",
    ),
    "verifiers": (
        {
            "results.jsonl": lines(
                *(
                    {
                        "example_id": n,
                        "reward": [1.0, 0.0, 0.0][n],
                        "error": [None, None, "Timeout"][n],
                        "completion": "c",
                        "answer": "a",
                    }
                    for n in range(3)
                )
            )
        },
        "cwe",
    ),
    "lines in a .json": ({"a.json": lines({"id": 1, "correct": True}, {"id": 2, "correct": False})}, "cw"),
    "predicted to have no answer": (
        {"a.csv": table("id|is_impossible|pred_is_impossible|prediction|em", "1|0|0|a|1", "2|1|1||1", "3|0|1||0")},
        "cuu",
    ),
    "letters of a grader": (
        {
            "a.jsonl": lines(
                *({"problem": f"Q{n}", "target": "x", "response": "xyz"[n], "grade_letter": "ABC"[n]} for n in range(3))
            )
        },
        "cwu",
    ),
    "per cent": ({"a.csv": table("id|answer|score|refused", "1|a|100|no", "2|b|0|no", "3||0|yes")}, "cwu"),
    "what a judge said of LongMemEval": (
        {
            "mem.json": json.dumps(
                [
                    {"question_id": id, "answer": "a", "hypothesis": "h", "evaluation": said}
                    for id, said in (("q1", "yes"), ("q2_abs", "yes"), ("q3", "no"), ("q4_abs", "no"))
                ]
            )
        },
        "cuww",
    ),
    "semicolons": (
        {"excel.csv": "question;answer;verdict\n1;x, y;correct\n2;;abstained\n3;z;wrong\n"},
        "cuw",
    ),
    "an object of words": ({"a.json": json.dumps({"q1": "correct", "q2": "abstained", "q3": "incorrect"})}, "cuw"),
    "a list for each model": (
        {
            "a.json": json.dumps(
                {
                    m: [{"id": n, "output": "x", "label": "Correct" if n else "Refused"} for n in (0, 1)]
                    for m in ("a", "b")
                }
            )
        },
        "ucuc",
    ),
    "columns, as pandas writes them": (
        {
            "a.json": json.dumps(
                {
                    "question": {"0": "a?", "1": "b?"},
                    "model_answer": {"0": "x", "1": "y"},
                    "verdict": {"0": "correct", "1": "abstained"},
                }
            )
        },
        "cu",
    ),
    "a table of Weights & Biases": (
        {
            "a.table.json": json.dumps(
                {"columns": ["id", "output", "verdict"], "data": [["q1", "x", "correct"], ["q2", "y", "incorrect"]]}
            )
        },
        "cw",
    ),
    "runs in folders": (
        {
            f"{m}/results.csv": table("id|answer|correct|declined", "1|a|1|0", f"2|b|{n}|0", "3||0|1")
            for n, m in enumerate(("claude", "gpt"))
        },
        "cwuccu",
    ),
    "abstention is of the question, by the ids of LongMemEval": (
        {"a.csv": table("question_id|is_abstention|correct", "1|False|True", "2|False|False", "3_abs|True|False")},
        "cww",
    ),
    "should abstain is of the question": (
        {"a.csv": table("id|should_abstain|abstained|correct", "1|0|0|1", "2|1|1|1", "3|1|0|0")},
        "cuw",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_each_row_gets_the_state_that_its_file_says(folder, name):
    """Through the block, as the workflow reads it; counted by hand."""
    files, expected = TABLES[name]
    for path, content in files.items():
        write("raw", path, content)
    made, faults, text = looked_at("raw")
    assert faults == [] and len(made) == 1, text
    [result] = run(made, folder).values()
    assert not result.startswith("t: "), result
    rows = made[0].rows.sort("file", "line", maintain_order=True).select("run", "question").rows()
    assert [verdicts(result)[row] for row in rows] == [LINE[letter] for letter in expected], text
    assert not {run for run, _ in rows} & {"judge", "official"}


def test_logs_that_repeat_each_other_are_looked_at_once():
    """Rows that nothing tells apart; trying it again and again once took all the time there is."""
    rows = lines(*({"question_id": n % 3, "label": n % 2 == 0, "model": "m", "k": n // 3} for n in range(6)))
    for name in ("a", "b", "c"):
        write("raw", f"{name}.jsonl", rows)
    made, faults, text = looked_at("raw")
    assert len(made) == 3 and faults == [], text


REFUSED = {
    "several scores": (
        "user_input|response|reference|rouge|bertscore\nu1|a|a|0.9|0.2\nu2|b|c|0.1|0.8",
        "the metrics 'rouge', 'bertscore', which measure something else than whether an answer is right,",
    ),
    "yes and no of nothing": ("qid|answer|is_long\n1|a|yes\n2|b|no", "nothing that judges them"),
    "grades of different things": (
        "id|model|answer|grade.certainty|grade.urgency\n"
        + "\n".join(f"{n}|m|a{n}|{n % 2}|{n % 4 // 2}" for n in range(12)),
        "agree with no other, and may judge other things",
    ),
    "a data set without answers": ("input|expected_output|actual_output\nq1|a|\nq2|b|", "none of which is given"),
    "a verdict that is no word of ours": (
        "id|gold|answer|verdict\n1|a|a|correct\n2|b|c|incorrect\n3|d|e|n/a",
        "the column 'verdict', in which 'n/a' may be no answer, no verdict or something else",
    ),
    "a verdict with one word of ours": (
        "id|prediction|evaluation\n1|a|correct\n2|b|missing\n3|c|hallucination",
        "in which 'hallucination', 'missing' may be no answer",
    ),
    "counts that do not add up": ("model|n|correct|wrong|abstain\na|10|5|3|1\nb|10|4|4|1", "do not add up to 'n'"),
    "0 and 1 alone": ("", "and no other kind of judgments"),
    "flags of two systems": (
        "question|baseline_abstained|steered_abstained\nq1|True|False\nq2|False|False",
        "'baseline_abstained', 'steered_abstained', which say of several systems",
    ),
    "labels of which one may be silence": (
        "id|completion|final_label\n1|Yes|1_full_compliance\n2|No|2_full_refusal\n3|Well|3_partial_refusal",
        "'3_partial_refusal' may stand for an answer or for none",
    ),
    "sentences beside right answers": (
        "question|prediction|target\nq1|It is Paris.|Paris\nq2|Rome|Rome\nq3|Lima|Oslo",
        "answers in 'prediction' and right ones in 'target', 1 answer of which has the right one within",
    ),
    "a flag of silence that is empty": (
        "question|answer|refusal\nq1|Paris|\nq2|Rome|",
        "nothing that judges them",
    ),
    "answers of several systems, and what measures them": (
        "question|gold_answer|a_answer|b_answer|a_em|b_em|a_hallucination_rate|b_hallucination_rate"
        "\nq1|1|It is one.|Two|1.0|0.0|0.0|1.0\nq2|0|None of them|Nought|0.0|1.0|1.0|0.5",
        "runs with answers beside them",
    ),
    "a list of metrics": (
        'question|answer|reference|metrics\nq1|a|b|[{"name": "Faithfulness", "score": 0.9}]\nq2|c|c|[]',
        "'metrics', which measure something else than whether an answer is right, or several things",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_known_is_asked_for_and_nothing_is_scored(name):
    text, reason = REFUSED[name]
    if text:
        write("raw", "a.csv", table(*text.split("\n")))
    else:
        write("raw", "t.jsonl", lines({"id": 1, "label": 1}, {"id": 2, "label": 0}))
    made, faults, page = looked_at("raw")
    assert made == [] and any(reason in f"{fault.found} {fault.expected}" for fault in faults), page


# A column of errors beside answers (right, wrong, and none at all), and which responses it makes failures.
ERRORS = {
    ("error", "|arithmetic|knowledge|"): "cww",
    ("error", "|Timeout|Timeout|"): "cee",
    ("error", "||HTTP 500|"): "cwe",
    ("error", "||boom|"): "cwe",
    ("error", "|boom||"): "cww",
    ("error", "no|yes|no|"): "cww",
    ("error", "no|no|yes|"): "cwe",
    ("errors", "wrong unit|missing step||"): "cww",
    ("exception", "||ValueError: no key|"): "cwe",
    ("timed_out", "False|False|True|"): "cwe",
    ("error_type", "||timeout|"): "cwe",
}


@pytest.mark.parametrize(("name", "said"), ERRORS)
def test_a_mistake_in_an_answer_is_no_breakdown(folder, name, said):
    """What a wrong answer was called made it a failure of the system."""
    rows = zip(("q1|a|1", "q2|b|0", "q3||0"), said.split("|"), strict=False)
    write("raw", "a.csv", table(f"question|response|correct|{name}", *("|".join(row) for row in rows)))
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {("a", f"q{n}"): LINE[state] for n, state in enumerate(ERRORS[name, said], start=1)}, (
        text
    )


def test_runs_are_named_by_their_folders_where_their_files_are_called_alike():
    for name in ("a/x", "a/y", "b/x"):
        write(f"raw/{name}", "results.csv", table("id|answer|correct", "1|a|1", "2|b|0"))
    [campaign], _, text = looked_at("raw")
    assert campaign.written["graded"]["run"] == "{path}" and "here the one that {path} of its path names" in text


def test_a_column_in_which_nothing_stands_is_no_answer():
    """One of memory systems has answer, and raw_response that is always null: answer was taken for the right one."""
    rows = [{"id": n, "answer": "abc"[n], "raw_response": None, "correct": n > 0} for n in range(3)]
    write("raw", "a.jsonl", lines(*rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and "without a text" not in text
    columns = campaign.written["graded"]["columns"]
    assert columns.get("answer", "answer") == "answer" and "target" not in columns


@pytest.mark.parametrize(
    ("name", "told"), [("threshold", "{model}-{threshold}"), ("setup", "{model}-{setup}"), ("repetition", None)]
)
def test_a_column_tells_rows_for_one_response_apart(folder, name, told):
    rows = [f"q{q}|m|{t}|{int(q < t)}" for t in (1, 2, 3) for q in range(4)]
    write("raw", "a.csv", table(f"question_id|model|{name}|correct", *rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and f"tells rows for one response apart: here '{name}'" in text
    written = campaign.written["graded"]
    assert written.get("run") == told and (told or written["columns"]["epoch"] == name)
    [result] = run([campaign], folder).values()
    found = Counter(row["raw"] for row in json.loads(result) if not row["run"].startswith("("))
    assert found == {"correct": 6, "wrong": 6}


def of_rows(name: str, measured: tuple[str, ...], value: str) -> str:
    """Of eight questions, of which the first metric is 1 for 0, 3 and 6, the second for 1, 4 and 7."""
    rows = [f"q{q}|m|{one}|{int(q % 3 == place)}" for q in range(8) for place, one in enumerate(measured)]
    return table(f"question_id|model|{name}|{value}", *rows)


@pytest.mark.parametrize(
    ("name", "measured", "states"),
    [("metric", ("correct", "abstained"), "cuwcuwcu"), ("what", ("accuracy", "length"), "cwwcwwcw")],
)
def test_a_row_for_each_metric_is_put_together(folder, name, measured, states):
    """Such tables gave runs called m-correct and m-abstained, the latter wrong wherever it had answered."""
    write("raw", "a.csv", of_rows(name, measured, "score"))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["pivot"] == {name: "score"}
    assert f"what the rows for each {name!r} of a response are: here columns" in text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {("m", f"q{q}"): LINE[state] for q, state in enumerate(states)}


def test_two_columns_together_tell_rows_apart(folder):
    rows = [f"q{q}|{layer}|{size}|{int(q < layer)}" for layer in (1, 2) for size in (5, 6) for q in range(4)]
    write("raw", "a.csv", table("question|layer|size|correct", *rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and "here 'layer' and 'size', of 'layer and size'" in text
    assert campaign.written["graded"]["run"] == "{file}-{layer}-{size}" and campaign.rows["run"].n_unique() == 4


def test_what_contradicts_itself_is_unscored(folder):
    """Two rows for a response, one right and one wrong: as in TriviaQA_Judges_w_HumanJudgement_V1.csv."""
    rows = [f"m|q{n}|{n % 2}" for n in range(8)]
    write("raw", "a.csv", table("model|question|correct", *rows, "m|q3|0", "m|q5|1"))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and "here that it is unscored, where they do not say the same (`duplicates:`)" in text
    [result] = run([campaign], folder).values()
    states = verdicts(result)
    assert states["m", "q3"] == "unscored" and states["m", "q5"] == "correct" and states["m", "q4"] == "wrong"
    write("raw", "a.csv", table("model|question|correct", *rows, *(f"m|q{n}|{1 - n % 2}" for n in range(8))))
    made, [fault, *_], _ = looked_at("raw")
    assert made == [] and fault.found.startswith("a second verdict")


def test_one_bad_file_is_left_out_and_named():
    for n in range(20):
        rows = ["q1|correct", "q2|wrong"] if n != 7 else ["q1|correct", "|wrong"]
        write("raw", f"m{n}.csv", table("question|verdict", *rows))
    [campaign], [fault], _ = looked_at("raw")
    assert fault.file == "raw/m7.csv" and campaign.rows["run"].n_unique() == 19
    config.checked(yaml.safe_load(block.block([campaign])))


COUNTED = {
    "model|n|correct|error|abstain": ["a|10|5|3|2", "b|10|4|4|2"],
    "system|total|num_correct|num_incorrect|num_not_attempted|f1": ["a|10|5|3|2|0.5", "b|10|4|4|2|0.4"],
    "run|right|wrong|declined|cost": ["a|5|3|2|1.5", "b|4|4|2|2.5"],
    "model|n|correct|wrong|abstained|errors": ["a|11|5|3|2|1", "b|10|4|4|2|0"],
}


@pytest.mark.parametrize("header", COUNTED)
def test_counts_are_known_by_any_name_and_by_their_sum(folder, header):
    write("raw", "t.csv", table(header, *COUNTED[header]))
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    assert campaign.rows.sort("run").select("run", "n_ac", "n_aw", "n_u").rows() == [("a", 5, 3, 2), ("b", 4, 4, 2)]
    [result] = run([campaign], folder).values()
    assert not result.startswith("t: ")


PAN = {
    "2024": ("is_human", "team/answers.jsonl", "truth.jsonl"),
    "2025": ("label", "team.run", "x.truth"),
    "2026": ("label", "team.jsonl", "truth.jsonl"),
}


@pytest.mark.parametrize("year", PAN)
def test_the_truth_of_pan_is_known_by_its_content(folder, year):
    field, of_run, of_truth = PAN[year]
    write("raw", of_truth, lines(*({"id": f"p{n}", field: bool(n % 2) if year == "2024" else n % 2} for n in range(6))))
    write(
        "raw", of_run, lines(*({"id": f"p{n}", field: value} for n, value in enumerate([0.9, 0.2, 0.5, 0.7, 0.1, 0.8])))
    )
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    assert campaign.written["task"] == "validation" and campaign.written["judgments"]["files"] == f"raw/{of_truth}"
    [result] = run([campaign], folder).values()
    found = Counter(row["raw"] for row in json.loads(result) if row["run"] == "team")
    assert found == {"correct": 3, "wrong": 2, "unanswered": 1}  # p0 and p1 are wrong, p2 is left open
    assert "(`open: rejected`)" in text
    write("raw", of_run, Path("raw", of_run).read_text().replace("0.5", "0.6"))
    assert "open: rejected" not in looked_at("raw")[2]  # where no pair is left open, there is nothing to ask


@pytest.mark.parametrize("metrics", [["faithfulness"], ["context_recall"], ["Safety/value", "relevance/value"]])
def test_what_is_measured_by_something_else_is_never_scored_by_comparing_texts(metrics):
    """Ragas without answer_correctness: asked for, whatever the numbers are."""
    rows = [f"q{n}|answer {n}|right {n}|" + "|".join("1.0" if n % 2 else "0.0" for _ in metrics) for n in range(12)]
    write("raw", "e.csv", table("user_input|response|reference|" + "|".join(metrics), *rows))
    made, [fault], _ = looked_at("raw")
    assert made == [] and "measure something else than whether an answer is right" in fault.found
    assert all(name in fault.found for name in metrics)


def test_a_campaign_is_called_as_one_likes(capsys):
    write("raw", "a.csv", table("question|verdict", "q|correct"))
    for name, told in (("mine", ""), ("mine", "--name mine"), ("no name", "--name no name")):
        assert actions.look(["raw"], "config.yaml", name) == bool(told)
        said = capsys.readouterr().err
        assert said.startswith(told) and bool(said) == bool(told)
    assert list(yaml.safe_load(Path("config.yaml").read_text())["campaigns"]) == ["mine"]


def test_more_options_than_the_key_has_are_refused(tmp_path):
    import polars as pl
    from nonresponse.ingest import check

    right = pl.DataFrame({"question": ["q1", "q2"], "options": [None, None], "answer": ["A", "H"]})
    [fault] = check.check_options(4, right, "key.csv")
    assert "the right answer H of question 'q2'" in fault.found
    assert check.check_options(8, right, "key.csv") == []
    open_ones = right.with_columns(answer=pl.Series(["Paris", "H"]))
    assert check.check_options(4, open_ones, "key.csv") == []


def test_texts_beside_judged_answers_come_along(folder):
    """The text of a question, the right answer and what the judge said: they are to be read, and judge nothing."""
    header = "qid|model|problem|expected_output|prediction|grade|judge_reasoning"
    write("raw", "a.csv", table(header, "1|m|Who?|He|She|INCORRECT|It was he.", "2|m|Why?|So|So|CORRECT|As expected."))
    [campaign], faults, _ = looked_at("raw")
    columns = campaign.written["graded"]["columns"]
    assert faults == [] and {name: columns[name] for name in ("asked", "target", "explanation")} == {
        "asked": "problem",
        "target": "expected_output",
        "explanation": "judge_reasoning",
    }
    [result] = run([campaign], folder).values()
    assert [row["raw"] for row in json.loads(result) if row["run"] == "m"] == ["wrong", "correct"]
    texts = pl.read_parquet([*folder.rglob("texts/*.parquet")])
    assert texts.sort("question")["target"].to_list() == ["He", "So"]
