"""Tables as people keep them: which state each row gets, by the content of columns, and what is asked instead."""

import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
import yaml
from looked import looked_at, run, table, verdicts
from nonresponse import campaign as config
from nonresponse.front import Refused, actions
from nonresponse.front.campaign import known
from nonresponse.look import beside, block
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
JUDGES = ["HumanJudgement", "GPT-4", "Llama3-70B", "Contains"]
# Of each judge, on twelve answers of two systems: they mostly agree.
SAID = ["110100110101", "110110110101", "111100110100", "100100010001"]
JUDGED = [
    f"m{n % 2}|Q: {n}|question {n // 2}|right {n}|" + "|".join("True" if of[n] == "1" else "False" for of in SAID)
    for n in range(12)
]
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
    "MLflow, older": (
        {
            "run.csv": table(
                "inputs|outputs|expectations|relevance_to_query/value|correctness/value|correctness/rationale|correctness/error_code",
                "{'q': 1}|Paris|{'a': 'Paris'}|no|yes|yes, it is|",
                "{'q': 2}|Cuzco|{'a': 'Lima'}|yes|no|no|",
                "{'q': 3}|Muscat|{'a': 'Muscat'}|yes||error|TIMEOUT",
            )
        },
        "cwx",
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
    "judges and no answers": ({"j.csv": table("model|prompt|question|references|" + "|".join(JUDGES), *JUDGED)}, ""),
    "abstained, and no verdict then": (
        {
            "a.csv": table(
                "qid|model|answer|abstained|correct", "1|a|Paris|False|True", "2|a||True|", "3|a|Rome|False|False"
            )
        },
        "cuw",
    ),
    "abstained, and wrong": ({"a.csv": table("id|abstained|correct", "1|0|1", "2|1|0", "3|0|0")}, "cuw"),
    "declined, in JSONL": (
        {
            f"{m}.jsonl": lines(
                *({"id": n, "declined": n == 0, "is_correct": [None, True, False][n]} for n in range(3))
            )
            for m in "ab"
        },
        "ucwucw",
    ),
    "one file says no only": (
        {
            "a.csv": table("id|refused|correct", "1|no|1", "2|no|0"),
            "b.csv": table("id|refused|correct", "1|yes|0", "2|no|1"),
        },
        "cwuc",
    ),
    "answered": ({"a.csv": table("question|answered|correct", "q1|1|1", "q2|0|0", "q3|1|0")}, "cuw"),
    "attempted, in capitals and numbers": ({"a.csv": table("id|Attempted|grade", "1|1.0|1", "2|0.0|0")}, "cu"),
    "not attempted": ({"a.csv": table("id|not_attempted|correct", "1|f|1", "2|t|0")}, "cu"),
    "not refused": ({"a.csv": table("id|not_refused|correct", "1|true|1", "2|false|0")}, "cu"),
    "in small and large letters": (
        {
            "a.json": json.dumps(
                [{"questionId": n, "modelName": "m", "isCorrect": n == 0, "isRefusal": n == 1} for n in range(3)]
            )
        },
        "cuw",
    ),
    "unknown, beside a score": (
        {"a.jsonl": lines(*({"question_id": n, "is_unknown": n == 2, "score": [1, 0, 0, 0.3][n]} for n in range(4)))},
        "cwuw",
    ),
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
    "a judge of any name beside right answers": (
        {"a.csv": table("qid|prediction|target|ok", "1|Paris|Paris|yes", "2|the Oslo|Oslo|yes", "3|Rome|Lima|no")},
        "ccw",
    ),
    "rightly answered": (
        {"a.csv": table("id|system|answered|answered_correctly", "1|s|True|True", "2|s|False|False", "3|s|True|False")},
        "cuw",
    ),
    "what was expected of the question": (
        {"a.csv": table("id|expected_decision|correct", "1|ANSWER|1", "2|ABSTAIN|1", "3|ANSWER|0")},
        "ccw",
    ),
    "an error of a part": (
        {"a.jsonl": lines(*({"id": n, "correct": n == 1, "steps": {"error": "no tool"}} for n in (1, 2)))},
        "cw",
    ),
    "answers and abstentions in capitals": (
        {"a.csv": table("id|action|correct", "1|ANSWER|1", "2|ABSTAIN|0", "3|ANSWER|0")},
        "cuw",
    ),
    "labels of responses, with numbers": (
        {
            "a.csv": table(
                "id|type|prompt|completion|annotation_1|agreement|final_label",
                "v2-1|homonyms|Kill it?|Like so.|1_full_compliance|TRUE|1_full_compliance",
                "v2-2|homonyms|Kill them?|No.|1_full_compliance|FALSE|2_full_refusal",
            )
        },
        "xu",
    ),
    "verdicts with numbers": (
        {"a.csv": table("id|model|verdict", "1|m|1_correct", "2|m|2_incorrect", "3|m|(3) Abstained")},
        "cwu",
    ),
    "what a question is about": (
        {"a.csv": table("id|model|category|correct", "1|m|refusal|1", "2|m|unsafe|0", "3|m|compliance|1")},
        "cwc",
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
    "ja and nein": ({"a.csv": table("id|antwort_richtig|grade", "1|x|ja", "2|y|nein")}, "cw"),
    "a score, an answer and a reference": (
        {"a.csv": table("question|answer|reference|score", "q1|It's Paris|Paris|0.9", "q2|Rome|Lima|0.1", "q3|O|O|")},
        "cwx",
    ),
    "an error that is a wrong answer": (
        {"a.csv": table("qid|answer|error|correct", "1|Paris|0|1", "2|x|1|0", "3|y|1|0")},
        "cww",
    ),
    "an error rate": ({"a.csv": table("qid|error_rate|correct", "1|0.25|1", "2|0.5|0")}, "cw"),
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
    "a label that differs between runs": (
        {"a.csv": table("model|question|label", "a|q1|1", "b|q1|0", "a|q2|0", "b|q2|0")},
        "cwww",
    ),
    "one list of several": (
        {
            "a.json": json.dumps(
                {
                    "by_topic": [{"topic": "x", "accuracy": 0.5}],
                    "rows": [{"id": n, "answer": "a", "correct": n == 1} for n in (1, 2)],
                }
            )
        },
        "cw",
    ),
    "lines in a .json": ({"a.json": lines({"id": 1, "correct": True}, {"id": 2, "correct": False})}, "cw"),
    "an array in a .jsonl": (
        {"b.jsonl": json.dumps([{"id": 1, "correct": False}, {"id": 2, "correct": True}], indent=1)},
        "wc",
    ),
    "another ending, and the model that judges": (
        {"m.eval-results-gpt-4o": lines({"question_id": 1, "autoeval_label": {"label": True, "model": "judge"}})},
        "c",
    ),
    "a confidence in percent": (
        {"a.csv": table("question|answer|gold|confidence", "q1|Paris|Paris|85", "q2|Rome|Oslo|10")},
        "cw",
    ),
    "a judge that failed, and said nothing": (
        {
            "a.csv": table(
                "question|answer|correct|metrics.correct.error", "q1|a|1|", "q2|b||JudgeError: timed out", "q3|c|0|"
            )
        },
        "cxw",
    ),
    "a flag by what the texts say": (
        {
            "a.csv": table(
                "id|answer|bucket|correct", "1|Paris|0|1", "2|I don't know|1|0", "3|Rome|0|0", "4|idk|1|0", "5|Oslo|0|1"
            )
        },
        "cuwuc",
    ),
    "what was kept, by what the texts say": (
        {"a.csv": table("id|pred|correct|ok", "1|Paris|1|1", "2|N/A|0|0", "3|Rome|0|1", "4|unknown|0|0", "5|Oslo|1|1")},
        "cuwuc",
    ),
    "accepted, beside a verdict": ({"a.csv": table("id|pred|correct|accepted", "1|a|1|yes", "2|b|0|no")}, "cu"),
    "cannot answer": ({"a.csv": table("id|cannot_answer|correct", "1|0|1", "2|1|0", "3|0|0")}, "cuw"),
    "unknown by itself": ({"a.csv": table("qid|pred|label|correct|unknown", "1|a|a|1|0", "2||b|0|1")}, "cu"),
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
    "words of verdicts under another name": (
        {"a.csv": table("id|gold|answer|cls", "1|x|x|correct", "2|x|y|incorrect", "3|x|z|not attempted")},
        "cwu",
    ),
    "per cent": ({"a.csv": table("id|answer|score|refused", "1|a|100|no", "2|b|0|no", "3||0|yes")}, "cwu"),
    "a share under another name": (
        {"a.csv": table("id|output|f1|is_abstention", "1|a|1.0|0", "2|b|0.25|0", "3||0.0|1", "4|c|0.75|0")},
        "cwuc",
    ),
    "an id of something": ({"a.csv": table("interaction_id|answer|correct", "i1|a|1", "i2|b|0")}, "cw"),
    "German names": (
        {"a.csv": table("Frage|Antwort|richtig|Enthaltung", "f1|Paris|ja|nein", "f2||nein|ja", "f3|Rom|nein|nein")},
        "cuw",
    ),
    "a tool that failed, and an answer all the same": (
        {"a.csv": table("id|answer|tool_error|correct", "1|a|True|1", "2|b|False|0", "3|c|False|1")},
        "cwc",
    ),
    "what was done with a response": (
        {"a.csv": table("id|pred|action|correct", "1|a|respond|1", "2||escalate|0", "3|c|respond|0")},
        "cuw",
    ),
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
    "the same in a CSV, which says so": (
        {"mem.csv": table("question_id|hypothesis|evaluation", "q1|h|yes", "q2_abs|h|yes", "q3|h|no")},
        "ccw",
    ),
    "a generation, and no other name of an answer": (
        {"a.csv": table("id|ground_truth|greedy_generation|LLM_verdict", "1|a|a|True", "2|b|c|False", "3|d|d|True")},
        "cwc",
    ),
    "semicolons": (
        {"excel.csv": "question;answer;verdict\n1;x, y;correct\n2;;abstained\n3;z;wrong\n"},
        "cuw",
    ),
    "tabs in a .csv": ({"a.csv": "id\tmodel\tverdict\n1\tm\tcorrect\n2\tm\tincorrect\n"}, "cw"),
    "bars in a .dat, whose commas are text": (
        {"a.dat": "id|model|text|verdict\n1|m|a, b|correct\n2|m|c, d|incorrect\n"},
        "cw",
    ),
    "an object of records": (
        {"a.json": json.dumps({f"q{n}": {"pred": "xyz"[n], "correct": n == 0, "declined": n == 1} for n in range(3)})},
        "cuw",
    ),
    "an object of words": ({"a.json": json.dumps({"q1": "correct", "q2": "abstained", "q3": "incorrect"})}, "cuw"),
    "records of each question of each model": (
        {
            "a.json": json.dumps(
                {
                    "about": 1,
                    "models": {m: {f"q{n}": {"answer": "a", "grade": "cw"[n] == m} for n in (0, 1)} for m in "cw"},
                }
            )
        },
        "cwwc",
    ),
    "words for each model of each question": (
        {
            "a.json": json.dumps(
                {f"q{n}": {"gpt": "correct", "claude": ["abstained", "wrong"][n % 2]} for n in range(3)}
            )
        },
        "cucwcu",
    ),
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
    "a list of responses to each question": (
        {"a.json": json.dumps({f"q{n}": [{"model": m, "correct": m == "a"} for m in "ab"] for n in range(300)})},
        "cw" * 300,
    ),
    "a list for each category": (
        {
            "a.json": json.dumps(
                {c: [{"id": f"{c}{n}", "output": "x", "correct": n == 1} for n in (0, 1)] for c in ("law", "art")}
            )
        },
        "wcwc",
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
    "columns that are arrays": (
        {
            "a.json": json.dumps(
                {
                    "id": [1, 2, 3],
                    "answer": ["x", "y", "z"],
                    "correct": [True, False, False],
                    "abstained": [False, True, False],
                }
            )
        },
        "cuw",
    ),
    "a table of Weights & Biases": (
        {
            "a.table.json": json.dumps(
                {"columns": ["id", "output", "verdict"], "data": [["q1", "x", "correct"], ["q2", "y", "incorrect"]]}
            )
        },
        "cw",
    ),
    "a flag, and a status": (
        {"a.csv": table("id|abstained|status|correct", "1|0|ok|1", "2|1|ok|0", "3|0|failed|0", "4|0|ok|0")},
        "cuew",
    ),
    "declined, and nothing but whether it is accurate": (
        {"a.csv": table("question_id|is_accurate|declined_to_answer", "1|yes|no", "2|no|yes", "3|no|no")},
        "cuw",
    ),
    "a row for each metric, whose value has no name of ours": (
        {
            "a.csv": table(
                "model|question|metric|value",
                *(
                    f"{m}|q{q}|{one}|{of[q]}"
                    for m in "ab"
                    for q in range(3)
                    for one, of in (("correct", "100"), ("abstained", "010"))
                ),
            )
        },
        "cuwcuw",
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
    "abstention is of the response": (
        {"a.csv": table("question_id|is_abstention|correct", "1|False|True", "2|True|False", "3_abs|True|False")},
        "cuu",
    ),
    "whether it is right, and in words what it is": (
        {
            "a.csv": table("id|answer|is_correct|judge_pred", "1|x|False|not_attempted", "2|y|True|correct"),
            "b.csv": table("id|answer|is_correct|judge_pred", *(f"{n}|x|False|incorrect" for n in range(1, 9))),
        },
        "uc" + "w" * 8,
    ),
    "correct or not, a flag of silence, and what else is yes or no of a response": (
        {
            "a.csv": table(
                "example_id|prediction_raw|predicted_abstention|logprobs_available|correct",
                *("1|A|False|True|True", "2|B|True|True|False", "3|C|False|True|False"),
            )
        },
        "cuw",
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
    if name == "judges and no answers":
        states = Counter(row["raw"] for row in json.loads(result) if row["assessor"] == "HumanJudgement")
        assert states == {"correct": SAID[0].count("1"), "wrong": SAID[0].count("0")}
        assert "here 'HumanJudgement' (`official:`)" in text and "what 4 judges say of them" in text
        return
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


# Columns that are empty but for one word, with that word, and the state of the responses at which it stands.
SPARSE = [
    *(("failure_reason", word, "u") for word in ("refused", "abstained", "skipped", "declined", "no_answer")),
    *((name, "skipped", "u") for name in ("note", "notes", "outcome", "result")),
    *((name, "refused", "u") for name in ("note", "state", "status", "refusal")),
    *((name, "abstained", "u") for name in ("abstained", "state", "refusal", "status")),
    *((name, "refusal", "u") for name in ("finish_reason", "refusal", "stop.reason")),
    *((name, "timeout", "e") for name in ("error_type", "failure", "state", "status", "failure_reason", "error")),
    ("error_type", "rate_limit", "e"),
]


def written(kind: str, rows: list[dict]) -> None:
    if kind == "parquet":
        Path("raw").mkdir(exist_ok=True)
        pl.DataFrame(rows).write_parquet("raw/a.parquet")
    else:
        write("raw", f"a.{kind}", lines(*rows) if kind == "jsonl" else pl.DataFrame(rows).write_csv())


@pytest.mark.parametrize(
    ("kind", "judge"), [("csv", "correct"), ("csv", "score"), ("jsonl", "correct"), ("parquet", "correct")]
)
@pytest.mark.parametrize(("name", "word", "state"), SPARSE)
def test_a_word_of_silence_here_and_there_takes_no_right_answer(folder, name, word, state, kind, judge):
    """Such a column was taken for the verdicts, and all right answers were unscored.

    `score` is less surely a verdict by its name than `status` and `outcome`.
    """
    states = "ceccwcwwcecc".replace("e", state)
    rows = [
        {"model": "m", "question": f"q{n}", "response": f"a{n}"}
        | {judge: str(letter == "c"), name: word if letter == state else None}
        for n, letter in enumerate(states)
    ]
    written(kind, rows)
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and f"{name!r}" in text.partition("What it does not decide")[2], text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {("m", f"q{n}"): LINE[letter] for n, letter in enumerate(states)}, text


@pytest.mark.parametrize(
    ("header", "line", "why"),
    [
        ("correct|note", "True|refused", "'note' says that there is no answer: here not, as 1 response with it is"),
        ("correct|error_type", "True|timeout", "'error_type' says that there is no answer: here not, as 1 response"),
        ("score|note", "0.9|refused", "'note' says that there is no answer: here not, as 1 response with it is right"),
        ("correct|judge_status", "False|skipped", "whether 'judge_status' are verdicts of others"),
        ("correct|grade_note", "False|partial", "whether 'grade_note' are verdicts of others"),
    ],
)
def test_words_that_may_be_about_something_else_change_no_verdict(folder, header, line, why):
    """At a right answer, or in a column of a judge, which may have been silent itself."""
    others = [f"m|q{n}|{'0.9' if 'score' in header else 'True'}|" for n in range(1, 9)]
    others += [f"m|q{n}|{'0.1' if 'score' in header else 'False'}|" for n in range(9, 20)]
    write("raw", "a.csv", table(f"model|question|{header}", f"m|q0|{line}", *others))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and why in text, text
    [result] = run([campaign], folder).values()
    right = 8 + (line[0] in "T0")
    found = verdicts(result)
    if "score" not in header:
        assert Counter(found.values()) == {"correct": right, "wrong": 20 - right}, text
    assert not {*found.values()} & {"unanswered", "unscored", "error"}, text


@pytest.mark.parametrize("more", ["", "|"])
def test_a_file_in_which_no_response_is_silent_is_one_of_the_campaign(folder, more):
    """Of two runs in files of their own, one never refused: they made two campaigns."""
    rows = {"a": ["q1|1|", "q2|0|refused", "q3|0|"], "b": ["q1|0|", "q2|1|", "q3|1|"]}
    header = "id|correct|finish_reason" + ("|error" if more else "")
    for run_, own in rows.items():
        write("raw", f"{run_}.csv", table(header, *(line + more for line in own)))
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    expected = {(name, f"q{n}"): LINE[of[n - 1]] for name, of in (("a", "cuw"), ("b", "wcc")) for n in (1, 2, 3)}
    assert verdicts(result) == expected


def test_words_for_silence_and_breakdowns_in_two_columns_both_count(folder):
    rows = [f"m|q{n}|{int(n < 5)}|{'refused' if n == 6 else ''}|{'timeout' if n == 7 else ''}" for n in range(10)]
    write("raw", "a.csv", table("model|question|correct|note|failure", *rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {("m", f"q{n}"): LINE["cccccwueww"[n]] for n in range(10)}


REFUSED = {
    "several scores": (
        "user_input|response|reference|rouge|bertscore\nu1|a|a|0.9|0.2\nu2|b|c|0.1|0.8",
        "the metrics 'rouge', 'bertscore', which measure something else than whether an answer is right,",
    ),
    "yes and no of nothing": ("qid|answer|is_long\n1|a|yes\n2|b|no", "nothing that judges them"),
    "settings that agree": (
        "query|answer|use_rewriter|use_hybrid\n" + "\n".join(f"q{n}|a{n}|{n % 2}|{n % 2}" for n in range(9)),
        "nothing that judges them",
    ),
    "what was done to the question": (
        "id|answer|if_remove_correct_answer\n1|A|no\n2|B|yes\n3|C|no",
        "nothing that judges them",
    ),
    "the least and the most that can be scored": (
        "id|modelAnswer|minScore|maxScore\n1|a|0|5\n2|b|0|1",
        "'minScore', which may judge them or say something else",
    ),
    "grades of different things": (
        "id|model|answer|grade.certainty|grade.urgency\n"
        + "\n".join(f"{n}|m|a{n}|{n % 2}|{n % 4 // 2}" for n in range(12)),
        "agree with no other, and may judge other things",
    ),
    "verdicts of two systems": (
        "id|model|open_answer|cited_answer|open_correct|cited_correct\n1|m|a|b|1|0\n2|m|c|d|0|0",
        "verdicts on answers of several systems in 'open_correct', 'cited_correct'",
    ),
    "numbers that are all the same": ("id|currentValue|triageId\n1|0|0\n2|0|0", "with nothing but '0'"),
    "a data set without answers": ("input|expected_output|actual_output\nq1|a|\nq2|b|", "none of which is given"),
    "right answers, of which some are none": ("question|answer\nq1|Paris\nq2|", "nothing that judges them"),
    "success of what": ("qid|answer|success\n1|a|yes\n2|b|no", "yes and no in 'success'"),
    "what it contains": ("qid|answer|contains_code\n1|a|yes\n2|b|no", "nothing that judges them"),
    "Portuguese names": ("pergunta|resposta|certo\nf1|Paris|sim\nf2||nao", "no column for the question"),
    "marks": ("id|reference|answer|judge_score\n1|a|a|5\n2|b|c|1", "numbers in 'judge_score', which may judge"),
    "marks of what was not declined": ("id|answer|rating|refused\n1|a|5|0\n2||1|1", "numbers in 'rating'"),
    "a verdict that is no word of ours": (
        "id|gold|answer|verdict\n1|a|a|correct\n2|b|c|incorrect\n3|d|e|n/a",
        "the column 'verdict', in which 'n/a' may be no answer, no verdict or something else",
    ),
    "a verdict with one word of ours": (
        "id|prediction|evaluation\n1|a|correct\n2|b|missing\n3|c|hallucination",
        "in which 'hallucination', 'missing' may be no answer",
    ),
    "two judges with three words": (
        "id|gold|answer|judge_a|judge_b\n1|a|a|correct|correct\n2|b|c|wrong|wrong\n3|d|e|declined|declined",
        "verdicts in 'judge_a', 'judge_b'",
    ),
    "one system, and what judges it": (
        "query|truth|mistral|is_correct_said\nq1|Paris|Paris|True\nq2|Rome|Oslo|False\nq3|Oslo|Rome|False",
        "answers in 'mistral', and 'is_correct_said', which say more of them",
    ),
    "two columns that are never both yes": (
        "qid|certo|silencio\n" + "\n".join(f"{n}|{int(n % 2 == 0)}|{int(n % 4 == 1)}" for n in range(20)),
        "yes and no in 'certo', 'silencio', never both yes",
    ),
    "counts that do not add up": ("model|n|correct|wrong|abstain\na|10|5|3|1\nb|10|4|4|1", "do not add up to 'n'"),
    "no count of wrong answers": ("model|n|correct|abstain\na|10|5|3\nb|10|4|4", "none of wrong answers"),
    "0 and 1 alone": ("", "and no other kind of judgments"),
    "flags of two systems": (
        "question|baseline_abstained|steered_abstained\nq1|True|False\nq2|False|False",
        "'baseline_abstained', 'steered_abstained', which say of several systems",
    ),
    "flags that are no systems": (
        "question|layer|flipped|answer_changed\nq1|1|True|False\nq2|1|False|True",
        "no column of answers or verdicts",
    ),
    "what was taken from the answer": (
        "question|answer|response\nq1|Paris|It is Paris.\nq2|Rome|Rome, I think.\nq3|42|42",
        "'answer', 'response', of which one may be taken from the other",
    ),
    "answers that differ between runs are no right ones": (
        "model|question|answer|response\na|q1|Paris|P\nb|q1|Rome|R\na|q2|Oslo|O\nb|q2|Oslo|O",
        "'answer', 'response', of which one may be taken from the other",
    ),
    "a judge that failed, and said no": (
        "question|answer|correct|judge_error\nq1|Paris|True|\nq2|Rome|False|Timeout",
        "1 row with a verdict in 'correct', and an error of a judge in 'judge_error'",
    ),
    "an action that may be an answer or none": (
        "id|action|final_answer|gold_answerable|model_is_answerable\n1|ANSWER|Paris|true|true\n2|ABSTAIN||true|false"
        "\n3|CLARIFY||false|false",
        "'CLARIFY' may stand for an answer or for none",
    ),
    "labels of which one may be silence": (
        "id|completion|final_label\n1|Yes|1_full_compliance\n2|No|2_full_refusal\n3|Well|3_partial_refusal",
        "'3_partial_refusal' may stand for an answer or for none",
    ),
    "labels of which none is an answer": (
        "id|prompt|completion|behaviour\n1|p|Yes|hedge\n2|q|No|refusal\n3|r|Well|unsafe",
        "`columns: {state: behaviour}, states: {'hedge': …, 'refusal': unanswered, 'unsafe': …}`",
    ),
    "labels that may be those of questions": (
        "id|prompt|completion|label\n1|p|Yes|answer\n2|q|No|abstain",
        "nothing that judges them",
    ),
    "a judge of one metric that failed": (
        "question|answer|passed|metric_results.tools.error\nq1|Paris|True|\nq2|Rome|False|JSONDecodeError",
        "1 row with a verdict in 'passed', and an error of a judge in 'metric_results.tools.error'",
    ),
    "a label of what": (
        "prompt|label|category|chatgpt\nHow long does it live?|0|animals|50 years\nWhat is a zork?|1|animals|A fish",
        "yes and no, or 1 and 0, in 'label', which may judge answers or say what a question is",
    ),
    "sentences beside right answers": (
        "question|prediction|target\nq1|It is Paris.|Paris\nq2|Rome|Rome\nq3|Lima|Oslo",
        "answers in 'prediction' and right ones in 'target', 1 answer of which has the right one within",
    ),
    "other words than right answers": (
        "question|prediction|target\nq1|In 1999, I think|1989\nq2|A king|The queen\nq3|Of course|yes",
        "none of 3 of which is the right one",
    ),
    "sentences in other words than right answers": (
        "question|prediction|target\nq1|It is 594 metres deep there.|At its deepest point the lake reaches 594 metres."
        "\nq2|Priya Nair leads the laboratories.|The head of the laboratories is Priya Nair.",
        "most of them sentences, of which 0 of 2 are the right one letter by letter",
    ),
    "what came true of forecasts": (
        "question|prob|outcome\nWill it rain?|0.7|1\nWill it snow?|0.4|0",
        "yes and no, or 1 and 0, in 'outcome', which may judge answers or say what a question is",
    ),
    "the summary of a run, by the id of its model": (
        "model_id|complied|latency|suite|fake_refusal_rate\nqwen|10|0.5|helpful|",
        "no column for the question among",
    ),
    "a flag of silence that is empty": (
        "question|answer|refusal\nq1|Paris|\nq2|Rome|",
        "nothing that judges them",
    ),
    "lists of right answers": (
        "question|prediction|target\nq1|Paris|['Paris']\nq2|Rome|['Rome', 'Roma']\nq3|Oslo|['Oslo']",
        "right ones in 'target', which are lists",
    ),
    "answers of several systems, and what measures them": (
        "question|gold_answer|a_answer|b_answer|a_em|b_em|a_hallucination_rate|b_hallucination_rate"
        "\nq1|1|It is one.|Two|1.0|0.0|0.0|1.0\nq2|0|None of them|Nought|0.0|1.0|1.0|0.5",
        "runs with answers beside them",
    ),
    "verdicts that differ, of which one knows silence": (
        "id|answer|is_correct|judge_pred\n1|x|True|not_attempted\n2|y|True|correct\n3|z|False|incorrect",
        "verdicts in 'is_correct', 'judge_pred', of which only one calls 1 response right",
    ),
    "more detailed verdicts that lack some": (
        "id|answer|is_correct|judge_pred\n1|x|False|not_attempted\n2|y|True|correct\n3|z|False|incorrect\n4|v|True|",
        "verdicts in 'is_correct', 'judge_pred', of which the latter lacks 1",
    ),
    "checks of one answer, called as no answer is": (
        "example_id|generated_answer_clean|correct_strict|exact_correct|include_primary\n1|a|True|True|True"
        "\n2|b|False|True|True\n3|c|True|False|True\n4|d|False|False|True",
        "beside what may be the answers that they judge: 'generated_answer_clean'",
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


def test_a_flag_of_abstention_is_no_system():
    """Of files that say nothing of how good an answer is, what was answered is counted, and nothing scored."""
    for name in "xy":
        write(
            "raw", f"{name}.csv", table("id|abstained|needs_review|latency", *(f"{n}|{n % 2}|0|.5" for n in range(6)))
        )
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and "2 runs: x, y" in text and "correct 0" in text and "unanswered 6" in text
    assert campaign.written["graded"]["judged"] is False
    assert "nothing is scored" in text and "whether 'needs_review' says so, too: here not" in text
    write("wide", "w.csv", table("item|x|y|refused", "1|correct|wrong|0", "2|wrong|correct|1"))
    made, [fault], _ = looked_at("wide")
    assert made == [] and "none or failed in 'refused'" in fault.found


@pytest.mark.parametrize(
    ("name", "says"),
    [
        *((name, True) for name in ("abstained", "is_abstention", "declined", "refused", "isRefusal", "NotAttempted")),
        *((name, True) for name in ("no_answer", "is_unknown", "unanswered", "idk", "non_response", "dont_know")),
        *(
            (name, True)
            for name in ("unknown", "cannotAnswer", "unable_to_answer", "gave_up", "left_blank", "pred_unanswerable")
        ),
        *(
            (name, False)
            for name in (
                "answered",
                "was_attempted",
                "has_response",
                "not_refused",
                "non_abstained",
                "predicted_answerable",
            )
        ),
        *((name, None) for name in ("should_abstain", "answerable", "unanswerable", "answered_correctly", "length")),
        *((name, None) for name in ("is_abstention_correct", "abstention_label", "is_abstention_problem", "error")),
        ("is_abstain_gt", None),
    ],
)
def test_what_a_name_says_of_silence(name, says):
    assert beside.silent(name) is says


def test_what_only_a_name_or_a_phrase_says_is_open():
    """And of each state, how sure it is; an answer that comes too often to be one is shown."""
    rows = [
        f"{n}|{'I' if n % 10 else 'B'}|{'BACD'[n % 4]}|{'Timeout' if n == 0 else ''}|{int(n == 1)}" for n in range(40)
    ]
    write("raw", "a.csv", table("qid|prediction|answer|error|declined", *rows))
    *_, text = looked_at("raw")
    assert "the commonest answers: 'I' (35), 'B' (2)" in text
    assert "whether a response is none where 'declined' is true: here so, by the name alone" in text
    assert "whether the system broke down where something stands in 'error': here it did" in text
    write("text", "c.csv", table("qid|abstention|correct", "1||1", "2|I cannot|0"))
    assert "whether 'abstention' say that a response is none: here not" in looked_at("text")[2]
    assert "likely, by the name alone: 'declined' is true" in text and "sure: the text of 'answer'" in text
    write("said", "b.csv", table("qid|answer|correct", "1|Paris|1", "2|N/A|0"))
    assert "whether 'N/A' (1 times) means no answer" in looked_at("said")[2]


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
    **{
        (name, f"{said}|"): "cww"
        for name in ("factual_error", "reasoning_error", "is_calculation_error", "parse_error", "error_severity")
        for said in ("no|yes|no", "no|no|yes")
    },
    **{
        (name, "|step 2 is false|no idea|"): "cww"
        for name in ("error_analysis", "error_category", "error_description", "error_notes", "logical_error")
    },
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


def test_texts_of_errors_are_looked_at_beside_right_answers_and_scores_too(folder):
    rows = [f"q{n}|{'x' if n % 2 else 'y'}|x|0.{n}|{'' if n % 2 else 'units'}" for n in range(1, 9)]
    for header in ("question|response|target|cost|error", "question|response|comment|score|error"):
        write("raw", "a.csv", table(header, *rows))
        [campaign], faults, text = looked_at("raw")
        assert faults == [] and "whether 'error' is a breakdown: here not, as" in text
        [result] = run([campaign], folder / header[9:20]).values()
        assert "error" not in verdicts(result).values()


@pytest.mark.parametrize(
    "error", [{"message": "x"}, {"code": 500}, {"code": 500, "message": "x"}, {"type": "server"}, {"detail": "x"}]
)
@pytest.mark.parametrize("name", ["error", "exception"])
def test_an_error_may_be_an_object(folder, name, error):
    rows = [{"id": n, "response": "x" if n else None, "correct": n == 1, name: None if n else error} for n in range(3)]
    write("raw", "a.jsonl", lines(*rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [], text
    [result] = run([campaign], folder).values()
    assert [*verdicts(result).values()] == ["error", "correct", "wrong"]


@pytest.mark.parametrize("name", ["hedged", "unsure", "escalated", "needs_review", "skipped"])
def test_what_may_be_silence_by_its_name_is_asked_about(name):
    """And is none where the verdicts have a word for silence: it made six of ten answers silence, at random."""
    rows = [f"q{n}|a|{('correct', 'wrong', 'not attempted')[n % 3]}|{n % 2}" for n in range(12)]
    write("raw", "a.csv", table(f"question|response|grade|{name}", *rows))
    read = known(["raw/a.csv"])
    assert "state" not in read.written["graded"]["columns"] and any(f"whether {name!r} says" in it for it in read.notes)
    write("raw", "a.csv", table(f"question|response|grade|{name}", *(row for row in rows if "not" not in row)))
    with pytest.raises(Refused, match=r"`states: \{'0': answered, '1': unanswered\}`"):
        known(["raw/a.csv"])
    for meant in ("unanswered", "answered"):
        read = known(["raw/a.csv"], options={"states": {"0": "answered", "1": meant}})
        assert read.written["graded"]["columns"]["state"] == name


def test_what_may_be_silence_is_told():
    """An answer beside the letters of a key, and an answer without a text that somebody judged."""
    write("key", "a.csv", table("id|gold|choice", *(f"{n}|{'ABCD'[n % 4]}|{'ABCDE'[n % 5]}" for n in range(20))))
    assert "whether 'E' (4 times), which no question has for a right answer, means none" in looked_at("key")[2]
    write("empty", "a.csv", table("id|model|output|correct", "1|m|a|1", "2|m||0"))
    assert "what 1 response without a text are: here what 'correct' says" in looked_at("empty")[2]


def test_what_is_of_the_question_is_told_and_a_verdict_is_surer_than_a_flag():
    write(
        "raw",
        "a.csv",
        table("id|answer|grade|refused|should_abstain", "1|a|correct|0|0", "2|b|not attempted|1|1", "3|c|wrong|0|0"),
    )
    text = looked_at("raw")[2]
    assert "whether 'should_abstain' says which questions have none: here so (`unanswerable:`)" in text
    assert "the file says so: 'not attempted' in 'grade'" in text and "likely, by the name alone" not in text


def test_a_flag_that_is_rarely_true_elsewhere_is_not_one_of_silence():
    rows = [f"{n}|{'idk' if n < 3 else f'a{n}'}|{int(n % 2)}|{int(n > 95)}" for n in range(100)]
    write("raw", "a.csv", table("id|answer|correct|with_tool", *rows))
    [campaign], *_ = looked_at("raw")
    assert "state" not in campaign.written["graded"]["columns"]


def test_runs_are_named_by_their_folders_where_their_files_are_called_alike():
    for name in ("a/x", "a/y", "b/x"):
        write(f"raw/{name}", "results.csv", table("id|answer|correct", "1|a|1", "2|b|0"))
    [campaign], _, text = looked_at("raw")
    assert campaign.written["graded"]["run"] == "{path}" and "here the one that {path} of its path names" in text


def test_which_labels_are_silence_is_open_and_whose_of_several_count():
    """The final one of a table as those of XSTest are."""
    rows = ["1|Yes|full compliance|full compliance|full refusal", "2|No|refusal|full refusal|full refusal"]
    write("raw", "a.csv", table("id|completion|annotation_1|final_label|strmatch_label", *rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["columns"]["state"] == "final_label"
    assert "in 'final_label' mean: here what they say, so that 'full refusal' is silence" in text
    assert "which of 'annotation_1', 'final_label' says what a response is: here 'final_label'" in text


def test_a_column_in_which_nothing_stands_is_no_answer():
    """One of memory systems has answer, and raw_response that is always null: answer was taken for the right one."""
    rows = [{"id": n, "answer": "abc"[n], "raw_response": None, "correct": n > 0} for n in range(3)]
    write("raw", "a.jsonl", lines(*rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and "without a text" not in text
    columns = campaign.written["graded"]["columns"]
    assert columns.get("answer", "answer") == "answer" and "target" not in columns


def test_what_is_called_none_and_right_is_told():
    write("raw", "a.csv", table("id|abstained|correct", "1|1|1", "2|1|0", "3|0|1"))
    assert "how to count 1 response marked both unanswered and right: here as unanswered" in looked_at("raw")[2]


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


def test_a_row_for_each_assessor_is_one_of_several(folder):
    """Each of them made a run of its own."""
    write("raw", "a.csv", of_rows("annotator", ("ann", "final"), "correct"))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["assessors"] == {"ann": "ann", "final": "final"}
    assert "which of 'ann', 'final' is the official one: here 'final' (`official:`)" in text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == {("m", f"q{q}"): LINE["wcwwcwwc"[q]] for q in range(8)}


def test_metrics_of_which_none_says_what_is_right_are_asked_for():
    write("raw", "a.csv", of_rows("scorer", ("x", "y"), "correct"))
    campaigns, [fault], _ = looked_at("raw")
    assert campaigns == [] and fault.found.startswith("a row for each 'scorer' of a response")


def test_a_setting_that_is_on_or_off_makes_runs():
    rows = [f"q{q}|m|{on}|{int(q % 3 == 0)}" for q in range(8) for on in ("yes", "no")]
    write("raw", "a.csv", table("question_id|model|thinking|correct", *rows))
    [campaign], faults, _ = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["run"] == "{model}-{thinking}"


def test_what_measures_something_else_is_no_system():
    """A wide table took what it had passed over for systems, as `ignore` did not name it."""
    rows = [f"q{n}|{'AB'[n % 2]}|A|B|0.{n}" for n in range(8)]
    write("raw", "w.csv", table("question|answer|x|y|x_toxicity", *rows))
    [campaign], faults, _ = looked_at("raw")
    assert faults == [] and campaign.rows["run"].unique().sort().to_list() == ["x", "y"]


@pytest.mark.parametrize("name", ["avg", "mean_score", "average", "all_correct", "any_correct", "all", "both_correct"])
def test_what_is_made_of_systems_is_none(name):
    """It was ranked with them."""
    rows = [f"q{n}|{n % 2}|{n % 3 % 2}|{n % 2 | n % 3 % 2}" for n in range(12)]
    write("raw", "w.csv", table(f"id|gpt-4o|all-MiniLM|{name}", *rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and campaign.rows["run"].unique().sort().to_list() == ["all-MiniLM", "gpt-4o"]
    assert f"whether {name!r} is one, too: here not, by the name" in text
    with pytest.raises(Refused, match=rf"""`ignore: \["{name}"\]`"""):
        known(["raw/w.csv"])
    assert known(["raw/w.csv"], options={"ignore": [name]}).written["graded"] == campaign.written["graded"]


def test_a_column_called_human_with_answers_is_asked_about():
    rows = [f"{n}|{'ABCD'[n % 4]}|{'ABDC'[n % 4]}|{'BBCD'[n % 4]}|{'DBCA'[n % 4]}" for n in range(12)]
    write("raw", "w.csv", table("id|gold|gpt-4o|llama|human", *rows))
    with pytest.raises(Refused, match=r"""`ignore: \["human"\]`"""):
        known(["raw/w.csv"])
    assert any(
        "whether 'human' is one, too" in one for one in known(["raw/w.csv"], options={"ignore": ["human"]}).notes
    )
    assert "human" not in known(["raw/w.csv"], options={"ignore": []}).written["graded"]["ignore"]


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


def test_rows_that_repeat_others_are_not_told_apart_by_their_number():
    write("raw", "a.csv", table("id|number|verdict", "q|1|correct", "r|2|wrong", "q|3|correct"))
    [campaign], faults, _ = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["duplicates"] == "same"


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


OTHER_COUNTS = {  # what is asked of each, "" if nothing is
    "model|correct|incorrect|partial|declined": "whether n counts 'partial', too",
    "model|correct|incorrect|partially_correct|declined": "whether n counts 'partially_correct', too",
    "model|correct|incorrect|skipped|declined": "whether n counts 'skipped', too",
    "model|correct|incorrect|invalid_format|declined": "whether n counts 'invalid_format', too",
    "model|correct|incorrect|num_other|declined": "whether n counts 'num_other', too",
    "model|correct|incorrect|errors|declined": "whether 'errors' are among the wrong answers",
    "model|correct|incorrect|refused|no_answer": "several columns for a count: 'refused', 'no_answer'",
    "model|correct|incorrect|correctly_refused|wrongly_refused": "'correctly_refused', 'wrongly_refused'",
    "model|correct|incorrect|correct_abstentions|false_abstentions": "'correct_abstentions', 'false_abstentions'",
    "model|correct|incorrect|hallucinated|declined": "several columns for a count: 'incorrect', 'hallucinated'",
    "model|correct|incorrect|response_tokens|declined": "",
    "model|correct|incorrect|hedging_rate|declined": "",
    "model|correct|incorrect|year|declined": "",
    "model|correct|incorrect|correct_given_attempted|declined": "",
}


@pytest.mark.parametrize("header", OTHER_COUNTS)
def test_counts_beside_those_that_are_known_are_asked_about(header):
    """They vanished: n was the sum of the others, and the second column of silence was none."""
    write("raw", "t.csv", table(header, "a|50|20|9|12", "b|40|45|5|8"))
    if not OTHER_COUNTS[header]:
        assert "counts" in known(["raw/t.csv"]).written
        return
    with pytest.raises(Refused, match=OTHER_COUNTS[header]):
        known(["raw/t.csv"])
    if header.endswith("|declined") and "hallucinated" not in header:
        written = known(["raw/t.csv"], options={"ignore": "rest"}).written["counts"]
        assert ("n_partial" in written["columns"]) is ("partial" in header)


@pytest.mark.parametrize(
    ("header", "silent"),
    [
        ("model|correct|wrong|refused|no_answer|n", "refused"),
        ("model|correct|wrong|no_answer|refused|n", "refused"),
        ("model|correct|wrong|refused|abstained|n", "refused"),
        ("model|correct|wrong|attempted|refused|total", "refused"),
    ],
)
def test_n_says_which_of_two_columns_counts(header, silent):
    place = header.split("|").index(silent)
    rows = [["a", "5", "3", "8", "8", "10"], ["b", "4", "5", "9", "9", "10"]]
    for row, none in zip(rows, ("2", "1"), strict=True):
        row[place] = none
    write("raw", "t.csv", table(header, *map("|".join, rows)))
    assert known(["raw/t.csv"]).written["counts"]["columns"]["n_u"] == silent


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


def test_a_run_of_0_and_1_only_is_no_truth_where_another_file_is_called_so():
    write("raw", "truth.jsonl", lines({"id": "a", "label": 1}, {"id": "b", "label": 0}))
    write("raw", "hard.jsonl", lines({"id": "a", "label": 1.0}, {"id": "b", "label": 1.0}))
    [campaign], faults, _ = looked_at("raw")
    assert faults == [] and campaign.written["runs"]["files"] == "raw/hard.jsonl"


@pytest.mark.parametrize("place", ["my-eval/logs", "my-eval/data/2026-01-01", "my-eval/results/run1"])
def test_a_campaign_is_not_called_logs_or_data(place):
    for name in ("m1", "m2"):
        write("raw", f"{place}/{name}.csv", table("question|verdict", "q|correct"))
    [campaign], _, _ = looked_at("raw")
    assert campaign.name.startswith("my-eval"), campaign.name


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
