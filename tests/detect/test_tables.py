"""Plain tables: read by documented names, or asked about; the answers give the verdicts within two
rounds."""

import json
import re
from collections import Counter
from pathlib import Path

import detected
import polars as pl
import pytest
from conftest import HOME
from nonresponse.detect import names
from nonresponse.front import RefusedError
from nonresponse.front.campaign import checked, known

CITIES = ["Paris", "Rome", "Berlin", "Lima", "Oslo", "Bern"]


def csv(header: str, *rows: str) -> str:
    return "\n".join([header, *rows, ""])


LONG = csv("run,qid,grade", "a,1,yes", "a,2,no", "b,1,abstained", "b,2,")
# Files, the questions that are asked, the answers, and the number of responses by run and state.
TABLES: dict[str, tuple[dict[str, str], list[str], dict, dict]] = {
    "documented names": (
        {"a.csv": LONG},
        [],
        {},
        {"a": {"correct": 1, "wrong": 1}, "b": {"unanswered": 1, "unscored": 1}},
    ),
    "names as people write them": (
        {
            "a.csv": csv(
                "ID,Model Answer,Correct?,Is Refusal", "1,x,Yes,No", "2,y,No,No", "3,z,No,Yes"
            )
        },
        [],
        {},
        {"a": {"correct": 1, "wrong": 1, "unanswered": 1}},
    ),
    "a file per run of the same name": (
        {
            f"raw/{run}/results.csv": csv("id,verdict", "1,correct", "2,unanswered")
            for run in ("gpt", "llama")
        },
        [],
        {},
        {"gpt": {"correct": 1, "unanswered": 1}, "llama": {"correct": 1, "unanswered": 1}},
    ),
    "answers that look like abstention, one of them judged correct": (
        {"a.csv": csv("id,answer,correct", "1,N/A,1", "2,I don't know,0", "3,Rome,1")},
        ["unanswered"],
        {"unanswered": ["N/A", "I don't know"]},
        {"a": {"unanswered": 2, "correct": 1}},
    ),
    "a column of what was answered, beside one of what was declined": (
        {"a.csv": csv("id,answered,correct,declined", "1,no,1,no", "2,yes,1,no", "3,no,0,yes")},
        ["abstained"],
        {"abstained": "answered"},
        {"a": {"unanswered": 2, "correct": 1}},
    ),
    "attempts": (
        {"a.csv": csv("id,attempted,correct", "1,no,1", "2,yes,1", "3,yes,0")},
        [],
        {},
        {"a": {"unanswered": 1, "correct": 1, "wrong": 1}},
    ),
    "a column whose yes is wrong": (
        {"a.csv": csv("id,is_hallucination", "1,True", "2,False", "3,False")},
        ["verdict", "unanswered"],
        {
            "verdict": "is_hallucination",
            "verdicts": {"True": "wrong", "False": "correct"},
            "unanswered": False,
        },
        {"a": {"wrong": 1, "correct": 2}},
    ),
    "an object of runs, each with its questions": (
        {"a.json": json.dumps({"x": {"q1": True, "q2": False}, "y": {"q1": True, "q2": True}})},
        ["question", "verdict", "unanswered"],
        {"keyed": ["run", "question"], "verdict": "value", "unanswered": False}
        | {"verdicts": {"true": "correct", "false": "wrong"}},
        {"x": {"correct": 1, "wrong": 1}, "y": {"correct": 2}},
    ),
    "lists, of which the longest comes first": (
        {
            "a.json": json.dumps(
                {
                    "made": {"prompts": [{"a": 1}], "models": [{"b": 1}]},
                    "items": [{"id": each, "correct": each == 1} for each in range(3)],
                }
            )
        },
        ["records", "unanswered"],
        {"records": "items", "unanswered": False},
        {"a": {"correct": 1, "wrong": 2}},
    ),
    "gold answers in a column called answer": (
        {"a.csv": csv("id,prediction,answer", "1,A,A", "2,B,C", "3,,C")},
        ["verdict", "unanswered"],
        {"gold": "answer", "unanswered": False},
        {"a": {"correct": 1, "wrong": 1, "unanswered": 1}},
    ),
    "two columns of verdicts on the answers of one model": (
        {"a.csv": csv("id,model,plain_ok,checked_ok", "1,m,1,1", "2,m,0,1")},
        ["verdict", "unanswered"],
        {"systems": ["plain_ok", "checked_ok"], "unanswered": False}
        | {"verdicts": {"0": "wrong", "1": "correct"}},
        {"plain_ok": {"correct": 1, "wrong": 1}, "checked_ok": {"correct": 2}},
    ),
    "empty answers with a verdict": (
        {"a.csv": csv("id,answer,correct", "1,,0", "2,y,0", "3,z,1")},
        ["unanswered", "refusals"],
        {"unanswered": False, "refusals": {"empty": "unanswered"}},
        {"a": {"unanswered": 1, "wrong": 1, "correct": 1}},
    ),
    "grades from 0 to 5, of which 1 is not correct": (
        {"a.csv": csv("item,grade", "1,0", "2,1", "3,4", "4,5")},
        ["correct_from", "unanswered"],
        {"correct_from": 4, "unanswered": False},
        {"a": {"wrong": 2, "correct": 2}},
    ),
    "a number that means abstention": (
        {"a.csv": csv("item,grade", "1,0", "2,1", "3,-1")},
        ["correct_from", "unanswered"],
        {"verdicts": {"-1": "unanswered", "0": "wrong", "1": "correct"}},
        {"a": {"wrong": 1, "correct": 1, "unanswered": 1}},
    ),
    "percentages": (
        {"a.csv": csv("question_id,score", "1,0", "2,75", "3,100", "4,50")},
        ["verdict", "unanswered"],
        {"verdict": "score", "correct_from": 75, "unanswered": False},
        {"a": {"wrong": 2, "correct": 2}},
    ),
    "two columns of verdicts": (
        {"a.csv": csv("id,correct,grade", "1,yes,no", "2,no,no")},
        ["verdict", "unanswered"],
        {"verdict": "grade", "unanswered": False},
        {"a": {"wrong": 2}},
    ),
    "columns beside rows, inside another object": (
        {
            "a.json": json.dumps(
                {
                    "n": 2,
                    "preds": {
                        "columns": ["id", "verdict"],
                        "rows": [["1", "correct"], ["2", "wrong"]],
                    },
                }
            )
        },
        [],
        {},
        {"a": {"correct": 1, "wrong": 1}},
    ),
    "a list of responses in each record": (
        {
            "a.jsonl": "".join(
                json.dumps(
                    {
                        "id": n,
                        "runs": [{"id": k, "model": k, "verdict": v} for k, v in each.items()],
                    }
                )
                + "\n"
                for n, each in enumerate([{"a": "correct", "b": "wrong"}, {"a": "unanswered"}])
            )
        },
        ["verdict", "unanswered"],
        {"nested": "runs"},
        {"a": {"correct": 1, "unanswered": 1}, "b": {"wrong": 1, "not asked": 1}},
    ),
    "a column for each system, with letters": (
        {"a.csv": csv("id,gpt,llama", "1,C,I", "2,C,N", "3,I,N", "4,N,C")},
        ["verdict", "unanswered"],
        {
            "systems": ["gpt", "llama"],
            "verdicts": {"C": "correct", "I": "wrong", "N": "unanswered"},
        },
        {
            "gpt": {"correct": 2, "wrong": 1, "unanswered": 1},
            "llama": {"correct": 1, "wrong": 1, "unanswered": 2},
        },
    ),
    "several judges": (
        {"a.csv": csv("id,model,j1,j2,human", "1,m,Yes,No,Yes", "2,m,No,No,Yes")},
        ["verdict", "unanswered"],
        {
            "assessors": {"j1": "j1", "j2": "j2", "final": "human"},
            "official": "final",
            "verdicts": {"Yes": "correct", "No": "wrong"},
            "unanswered": False,
        },
        {"m": {"correct": 2}},
    ),
    "ids of their own for each model": (
        {
            "a.csv": csv(
                "uuid,model,question,verdict",
                "u1,a,p,correct",
                "u2,a,q,wrong",
                "u3,b,p,wrong",
                "u4,b,q,wrong",
            )
        },
        ["question"],
        {"question": "question"},
        {"a": {"correct": 1, "wrong": 1}, "b": {"wrong": 2}},
    ),
    "sets in which ids begin anew": (
        {
            "a.csv": csv(
                "dataset,id,verdict", "nq,1,correct", "nq,2,wrong", "tqa,1,wrong", "tqa,2,wrong"
            )
        },
        ["duplicates"],
        {"question": ["id", "dataset"]},
        {"a": {"correct": 1, "wrong": 3}},
    ),
    "settings of one model": (
        {
            "a.csv": csv(
                "id,model,t,verdict", "1,m,0,correct", "2,m,0,wrong", "1,m,1,wrong", "2,m,1,wrong"
            )
        },
        ["duplicates"],
        {"run": ["model", "t"]},
        {"m-0": {"correct": 1, "wrong": 1}, "m-1": {"wrong": 2}},
    ),
    "a row per metric": (
        {
            "a.csv": csv(
                "id,metric,value",
                *(f"{n},{name},{n % 2}" for n in range(4) for name in ("correct", "refused")),
            )
        },
        ["verdict", "unanswered", "duplicates"],
        {"pivot": {"metric": "value"}},
        {"a": {"wrong": 2, "unanswered": 2}},
    ),
    "wide, with gold answers": (
        {
            "a.csv": csv(
                "question,gold,x,y",
                *(f"q{n},{city},{city},unknown" for n, city in enumerate(CITIES)),
            )
        },
        ["verdict", "unanswered"],
        {"systems": ["x", "y"], "unanswered": ["unknown"]},
        {"x": {"correct": 6}, "y": {"unanswered": 6}},
    ),
    "wide, with verdicts": (
        {"a.csv": csv("item,x,y", "1,correct,wrong", "2,refused,correct")},
        ["verdict", "unanswered"],
        {"systems": ["x", "y"]},
        {"x": {"correct": 1, "unanswered": 1}, "y": {"wrong": 1, "correct": 1}},
    ),
    "an empty gold answer": (
        {"a.csv": csv("id,gold,prediction", "1,Rome,Rome", "2,,", "3,,Oslo")},
        ["verdict", "unanswered"],
        {"gold": "gold", "unanswered": [""]},
        {"a": {"correct": 1, "unanswered": 1, "wrong": 1}},
    ),
    "runs and a key": (
        {
            "raw/runs/a.tsv": "qid\tprediction\n1\tParis\n2\tNOA\n",
            "raw/runs/b.tsv": "qid\tprediction\n1\tRome\n2\tOslo\n",
            "raw/key.tsv": "qid\tgold\n1\tParis\n2\tOslo\n",
        },
        ["unanswered", "normalise"],
        {"unanswered": ["NOA"], "normalise": False},
        {"a": {"correct": 1, "unanswered": 1}, "b": {"wrong": 1, "correct": 1}},
    ),
    "runs and judgments in our own words": (
        {
            "raw/runs/a.csv": csv("question,answer", "q1,Paris", "q2,Oslo"),
            "raw/judged/ann.csv": csv("question,answer,label", "q1,Paris,R", "q2,Oslo,W"),
            "raw/judged/final.csv": csv("question,answer,label", "q1,Paris,R", "q2,Oslo,X"),
        },
        [],
        {},
        {"a": {"correct": 1, "wrong": 1}},
    ),
    "records in a list of an object": (
        {
            "a.json": json.dumps(
                {
                    "about": {"n": 2},
                    "rows": [{"id": 1, "verdict": "correct"}, {"id": 2, "verdict": ""}],
                }
            )
        },
        [],
        {},
        {"a": {"correct": 1, "unscored": 1}},
    ),
    "two lists": (
        {
            "a.json": json.dumps(
                {"x": [{"k": 1}], "inner": {"y": [{"id": 1, "verdict": "correct"}]}}
            )
        },
        ["records", "question", "verdict", "unanswered"],
        {"records": "inner.y"},
        {"a": {"correct": 1}},
    ),
    "records under the names of models": (
        {
            "a.json": json.dumps(
                {run: [{"id": n, "verdict": "wrong"} for n in (1, 2)] for run in "ab"}
            )
        },
        ["duplicates"],
        {"run": "key"},
        {"a": {"wrong": 2}, "b": {"wrong": 2}},
    ),
    "records under the names of questions": (
        {"a.json": json.dumps({f"q{n}": {"verdict": "wrong", "text": "x"} for n in (1, 2)})},
        ["question"],
        {"question": "key"},
        {"a": {"wrong": 2}},
    ),
    "nested values": (
        {
            "a.jsonl": "".join(
                json.dumps({"id": n, "judge": {"verdict": word}}) + "\n"
                for n, word in enumerate("CIN")
            )
        },
        ["verdict", "unanswered"],
        {"verdict": "judge.verdict", "verdicts": {"C": "correct", "I": "wrong", "N": "unanswered"}},
        {"a": {"correct": 1, "wrong": 1, "unanswered": 1}},
    ),
    "columns of pandas": (
        {
            "a.json": json.dumps(
                {"id": {"0": 1, "1": 2}, "verdict": {"0": "correct", "1": "unanswered"}}
            )
        },
        [],
        {},
        {"a": {"correct": 1, "unanswered": 1}},
    ),
    "rows by judge": (
        {
            "a.csv": csv(
                "item,system,rater,rating",
                *(
                    f"{q},m,{rater},{rating}"
                    for q, ratings in (("1", "RRI"), ("2", "IDI"), ("3", "RDR"))
                    for rater, rating in zip(("ann", "bob", "cyd"), ratings, strict=True)
                ),
            )
        },
        ["verdict", "unanswered", "duplicates"],
        {"verdict": "rating", "assessors": "rater", "official": "majority"}
        | {"verdicts": {"R": "correct", "I": "wrong", "D": "unanswered"}},
        {"m": {"correct": 2, "wrong": 1}},
    ),
    "failures in the column of answers": (
        {
            "a.csv": csv(
                "id,answer,correct", "1,HTTP 500,0", "2,Rome,1", "3,[ERROR] timed out,0", "4,x,0"
            )
        },
        ["unanswered", "failed"],
        {"unanswered": False, "failed": ["HTTP 500", "[ERROR] timed out"]},
        {"a": {"error": 2, "correct": 1, "wrong": 1}},
    ),
    "failures that are long": (
        {
            "a.jsonl": "".join(
                json.dumps({"id": n, "response": text, "target": "Rome"}) + "\n"
                for n, text in enumerate(
                    ["Traceback (most recent call last):\n" + 40 * "x", "Rome"]
                )
            )
        },
        ["verdict", "unanswered", "failed"],
        {"gold": "target", "unanswered": False}
        | {"failures": {"prefixes": ["Traceback (most recent call last)"]}},
        {"a": {"error": 1, "correct": 1}},
    ),
    "failures beside the answers": (
        {"a.csv": csv("id,api_log,correct", "1,timeout,0", "2,,1", "3,,0", "4,HTTP 503,0")},
        ["unanswered", "failed"],
        {"unanswered": False, "error": "api_log"},
        {"a": {"error": 2, "correct": 1, "wrong": 1}},
    ),
    "empty answers of a system that failed": (
        {"a.csv": csv("id,answer,correct,error", "1,,0,timeout", "2,x,1,", "3,y,0,")},
        ["unanswered"],
        {"unanswered": False},
        {"a": {"error": 1, "correct": 1, "wrong": 1}},
    ),
    "a status of each response": (
        {
            "a.csv": csv(
                "id,finish,correct", "1,stop,1", "2,stop,0", "3,refused,0", "4,error,0", "5,error,0"
            )
        },
        ["unanswered"],
        {"abstained": "finish", "states": {"stop": "answered"}},
        {"a": {"error": 2, "correct": 1, "wrong": 1, "unanswered": 1}},
    ),
    "folders of tasks, each with a file per run": (
        {
            f"raw/{task}/{run}.csv": csv("id,verdict", f"1,{first}", "2,unanswered")
            for task, first in (("geo", "correct"), ("math", "wrong"))
            for run in ("gpt", "llama")
        },
        ["run"],
        {"question": "{folder}/{id}"},
        {run: {"correct": 1, "wrong": 1, "unanswered": 2} for run in ("gpt", "llama")},
    ),
    "folders of runs, each with a file per task": (
        {
            f"raw/{run}/{task}.csv": csv("id,verdict", f"1,{first}", "2,unanswered")
            for task, first in (("geo", "correct"), ("math", "wrong"))
            for run in ("gpt", "llama")
        },
        ["run"],
        {"question": "{file}/{id}"},
        {run: {"correct": 1, "wrong": 1, "unanswered": 2} for run in ("gpt", "llama")},
    ),
    "no names of questions": (
        {
            "raw/a.csv": csv("verdict", "correct", "wrong"),
            "raw/b.csv": csv("verdict", "wrong", "unanswered"),
        },
        ["question"],
        {"question": "{row}"},
        {"a": {"correct": 1, "wrong": 1}, "b": {"wrong": 1, "unanswered": 1}},
    ),
    "questions, each with the answers of runs": (
        {
            "a.json": json.dumps(
                {q: {run: {"score": 1, "why": q} for run in "xy"} for q in ("q1", "q2")}
            )
        },
        ["question", "verdict", "unanswered"],
        {"keyed": ["question", "run"], "verdict": "score", "unanswered": False}
        | {"verdicts": {"1": "correct"}},
        {"x": {"correct": 2}, "y": {"correct": 2}},
    ),
    "gold answers in a column of another name": (
        {"a.csv": csv("id,prediction,solutions", "1,A,A", "2,B,C")},
        ["verdict", "unanswered"],
        {"gold": "solutions", "unanswered": False},
        {"a": {"correct": 1, "wrong": 1}},
    ),
    "wide, in which only one system has a word that nobody documented": (
        {"a.csv": csv("item,x,y", "1,correct,wrong", "2,wrong,idk", "3,wrong,correct", "4,x,x")},
        ["verdict", "unanswered"],
        {"systems": ["x", "y"], "verdicts": {"idk": "unanswered", "x": "unscored"}},
        {"x": {"correct": 1, "wrong": 2, "unscored": 1}}
        | {"y": {"correct": 1, "wrong": 1, "unanswered": 1, "unscored": 1}},
    ),
    "gold answers, and answers under another name": (
        {
            "a.jsonl": "".join(
                f'{{"id": {n}, "choice": "{a}", "gold": "A"}}\n' for n, a in ((1, "A"), (2, "B"))
            )
        },
        ["verdict", "unanswered"],
        {"answer": "choice", "gold": "gold", "unanswered": False},
        {"a": {"correct": 1, "wrong": 1}},
    ),
    "a key in which the column is called as that of the runs": (
        {
            "raw/gold.jsonl": '{"id": 1, "answer": "A"}\n{"id": 2, "answer": null}\n',
            "raw/x.jsonl": '{"id": 1, "answer": "A", "t": 3}\n{"id": 2, "answer": "null", "t": 4}\n',
        },
        ["verdict", "unanswered"],
        {"key": "raw/gold.jsonl", "unanswered": ["null", ""], "normalise": False},
        {"x": {"correct": 1, "unanswered": 1}},
    ),
    "semicolons": (
        {"a.csv": "id;verdict\n1;correct\n2;wrong\n"},
        [],
        {},
        {"a": {"correct": 1, "wrong": 1}},
    ),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def write(files: dict[str, str]) -> str:
    """Write files, and return the folder or the file that holds them."""
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    return next(iter(files)) if len(files) == 1 else "raw"


@pytest.mark.parametrize("name", TABLES)
def test_what_is_asked_and_what_the_answers_give(folder, name):
    files, asked, said, expected = TABLES[name]
    path = write(files)
    made, found = detected.found(path)
    assert found.faults == [] and detected.keys(made) == asked
    made, found = detected.found(path, **said)
    assert found.faults == [] and detected.keys(made) == []
    [result] = detected.run(made, folder).values()
    counts: dict[str, Counter] = {}
    for (run, _), state in detected.verdicts(result).items():
        counts.setdefault(run, Counter())[state] += 1
    assert counts == expected, result


def test_fields_inside_columns_of_parquet_are_columns(folder):
    judged = [{"label": "correct"}, {"label": "wrong"}]
    pl.DataFrame({"id": ["1", "2"], "judge": judged}).write_parquet("a.parquet")
    made, _ = detected.found("a.parquet", verdict="judge.label", unanswered=False)
    [result] = detected.run(made, folder).values()
    assert [*detected.verdicts(result).values()] == ["correct", "wrong"]


def test_files_with_the_same_responses_are_campaigns_of_their_own_or_runs():
    table = csv("id,model,verdict", "1,m,correct", "2,m,wrong")
    path = write({"raw/a.csv": table, "raw/b.csv": table})
    made, _ = detected.found(path)
    assert len(made) == 2 and "run='{model}-{file}'" in made[0].notes[0]
    made, _ = detected.found(path, run="{model}-{file}")
    assert len(made) == 1 and made[0].questions == []


def test_which_columns_are_counts_is_asked_of_a_row_per_run():
    path = write({"a.csv": csv("model,hits,misses,declined", "a,3,1,2", "b,2,2,2")})
    [campaign], _ = detected.found(path)
    assert detected.keys([campaign]) == ["n_ac", "n_aw", "n_u"]
    [campaign], _ = detected.found(path, n_ac="hits", n_aw="misses", n_u="declined")
    assert campaign.questions == [] and campaign.written["counts"]["columns"]["n_ac"] == "hits"


def test_counts_are_read_by_their_names(folder):
    path = write({"a.csv": csv("Model,Correct,Incorrect,Not attempted", "a,10,5,5", "b,12,8,0")})
    [campaign], _ = detected.found(path)
    [result] = detected.run([campaign], folder).values()
    assert campaign.questions == [] and [json.loads(row)["n_u"] for row in result.splitlines()] == [
        5,
        0,
    ]


def test_no_word_in_a_name_makes_a_verdict_of_it():
    """Only a whole, documented name does: of these, each was once read as how right an answer
    is."""
    for name in (
        "detection_score",
        "score",
        "label",
        "halluc_score",
        "risk",
        "passed_filter",
        "correct_language",
    ):
        [campaign], _ = detected.found(
            write({"a.csv": csv(f"id,{name}", "1,1", "2,0", "3,1", "4,0")})
        )
        [question, *_] = campaign.questions
        assert question.key == "verdict" and "'1': correct" in question.choices[0].means, name


def test_columns_of_systems_that_nobody_judged_are_refused_and_not_passed_over():
    path = write({"a.csv": csv("id,gpt,llama", "1,x,y", "2,y,x")})
    with pytest.raises(RefusedError, match="judged: has no effect on layout wide"):
        checked(
            known(
                [path], options={"systems": ["gpt", "llama"], "judged": False, "unanswered": False}
            )
        )


def test_a_negation_is_no_verdict():
    for column, word in (
        ("!correct", "yes"),
        ("correct", "-1"),
        ("correct", "!correct"),
        ("not_correct", "yes"),
    ):
        [campaign], _ = detected.found(write({"a.csv": csv(f"id,{column}", f"1,{word}", "2,no")}))
        assert {"verdict", "verdicts", "correct_from"} & {*detected.keys([campaign])}, column


def test_columns_that_do_not_fit_their_role_are_left_out_with_a_note():
    rows = ("1,correct,80%,x", "2,wrong,20%,y", "1,correct,80%,z")
    path = write({"a.csv": csv("question,verdict,confidence,category", *rows)})
    [campaign], _ = detected.found(path, duplicates="first")
    assert "confidence" not in campaign.written["graded"]["columns"] and len(campaign.notes) == 2


def test_tables_that_nobody_judged_are_left_out_beside_others():
    write(
        {
            "raw/a.csv": LONG,
            "raw/b.csv": csv("question,length", "1,2"),
            "raw/c.csv": csv("qid,response", "1,x"),
        }
    )
    made, found = detected.found("raw")
    assert [one.paths for one in made] == [["raw/a.csv"]]
    assert {path: what.split(";")[0] for path, what in found.beside.items()} == {
        "raw/b.csv": "neither verdicts nor answers",
        "raw/c.csv": "answers that nobody judged",
    }


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page.html", "<p>"),
        ("list.json", "[1, 2]"),
        ("broken.json", '{"eval": {'),
        ("empty.csv", ""),
        ("log.eval", "PK no zip"),
        ("uneven.csv", "id,verdict\n1\n"),
    ],
)
def test_what_cannot_be_read_is_a_fault_of_its_file(name, content):
    made, found = detected.found(write({name: content}))
    assert {fault.file for fault in found.faults} == {name} or (made and name == "log.eval")


def test_the_page_lists_the_documented_names():
    roles, _, words = documented_names().partition("| verdicts | words |")
    expected = {role: ", ".join(aliases) for role, aliases in names.ALIASES.items()}
    expected |= {name: ", ".join(words.split()) for name, words in names.COUNTS.items()}
    assert listed_in(roles) == {"role": "names of columns"} | expected
    assert listed_in(words) == {name: ", ".join(of.split()) for name, of in names.WORDS.items()}


def documented_names() -> str:
    """The part of the page on them."""
    return (HOME / "docs/tables.md").read_text().partition("## Documented names")[2]


def listed_in(table: str) -> dict[str, str]:
    """The names in a table of Markdown, by what they name."""
    return dict(re.findall(r"^\| ([a-z]\w*) \| ([^|]*) \|", table, re.MULTILINE))
