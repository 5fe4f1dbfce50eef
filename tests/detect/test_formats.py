"""Logs and files of shared tasks are recognised by structure, and their block runs as it is."""

import json
from pathlib import Path

import detected
import log_samples
import pytest
from format_samples import SAMPLES
from log_samples import inspect_log
from nonresponse.front import RefusedError
from reading import DATA, needs, write

# What is judged beside the samples, of which some leave a question out
EXTRA_JUDGMENTS = {
    "trec-qa": lambda gold: f"{gold}1395 APW3 -1 nowhere\n",
    "clef-qa4mre": lambda gold: gold.replace(
        "</reading-test>", '<q q_id="2"><answer a_id="1" correct="Yes"/></q></reading-test>'
    ),
    "romip": lambda gold: f"{gold}q2\t1962\tbad\n",
}
CASES = [
    (format, run, (gold[0], EXTRA_JUDGMENTS.get(format, str)(gold[1])))
    for format, (_, run, gold) in SAMPLES.items()
    if format != "tabular"
]
RANKED = "1 Q0 d1 1 0.9 tag Paris\n1 Q0 d2 2 0.4 tag Rome\n2 Q0 d3 1 0.7 tag Oslo\n"
RANKED_GOLD = "1 d1 1 Paris\n1 d2 -1 Rome\n2 d3 R Oslo\n"
CASES += [("trec-qa", ("ranked.txt", RANKED), ("final.txt", RANKED_GOLD))]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def test_damaged_judgments_of_romip_are_faults_as_those_of_any_table():
    write(".", "gold.csv", b"question,answer,label\nq1,caf\xe9,good\nq2,caf\xc3\xa9,good\n")
    with pytest.raises(RefusedError, match="the byte 0xe9 at column 7"):
        detected.detect_accepted("gold.csv")


@pytest.mark.parametrize("format", log_samples.SAMPLES)
def test_the_block_for_a_log_runs_as_it_is(folder, format):
    sample = log_samples.SAMPLES[format]
    for name, content in sample.files.items():
        write(folder / "here/raw", name, content)
    [campaign], scan = detected.detect_accepted("raw")
    assert scan.faults == [] and campaign.questions == []
    assert campaign.block["graded"]["format"] == format
    [result] = detected.run([campaign], folder).values()
    assert detected.verdicts(result) == sample.verdicts


def test_the_block_for_logs_with_counts_runs_as_it_is(folder):
    write("raw", *log_samples.COUNT_LOGS["simple-evals"])
    [campaign], scan = detected.detect_files("raw")
    assert campaign.block["counts"]["files"] == f"raw/{log_samples.SIMPLE}"
    campaign.block["counts"]["files"] = [f"raw/{log_samples.SIMPLE}"]  # as of several
    [result] = detected.run([campaign], folder).values()
    assert scan.faults == [] and json.loads(result)["n_u"] == 2


@pytest.mark.parametrize(("format", "run", "gold"), CASES)
def test_the_block_for_runs_and_judgments_runs_as_it_is(folder, format, run, gold):
    for part, (name, text) in (("runs", run), ("judged", gold)):
        write("raw", f"{part}/{name}", text)
    [campaign], scan = detected.detect_files("raw")
    assert scan.faults == [] and campaign.questions == []
    assert {campaign.block[part]["format"] for part in ("runs", "judgments")} == {format}
    [result] = detected.run([campaign], folder).values()
    rows = json.loads(result)
    assert {row["run"] for row in rows} - {"accept-all", "reject-all"}
    assert {row["raw"] for row in rows} - {"unscored"}


REAL = "abstentionbench helm lighteval lm_eval openai_evals simple_evals squad2"


@needs("logs")
@pytest.mark.parametrize("name", REAL.split())
def test_the_block_for_real_logs_runs_as_it_is(folder, name):
    campaigns, _ = detected.detect_accepted(str(DATA.resolve() / "logs" / name))
    assert campaigns and detected.keys(campaigns) == []
    results = detected.run(campaigns, folder)
    assert not [result for result in results.values() if result.startswith("t: ")]


def test_of_several_scorers_it_is_asked_which_counts():
    write("raw", "two.json", inspect_log({"qa": "C", "other": "I"}))
    [campaign], _ = detected.detect_files("raw")
    [question] = campaign.questions
    assert [choice.text for choice in question.choices] == ["metric=qa", "metric=other"]
    [campaign], _ = detected.detect_files("raw", metric="other")
    assert campaign.questions == [] and campaign.block["graded"]["metric"] == "other"


def test_logs_without_the_score_that_the_user_names_are_left_out():
    write("raw", "two.json", inspect_log({"qa": "C", "other": "I"}))
    write("raw", "one.json", inspect_log({"qa": "C"}))
    [campaign], scan = detected.detect_files("raw", metric="other")
    assert campaign.block["graded"]["files"] == "raw/two.json"
    assert scan.left_out == {"raw/one.json": "no metric 'other'; expected one of 'qa'"}
    campaigns, scan = detected.detect_files("raw", metric="third")
    assert len(campaigns) == 2 and not scan.left_out
    path, _ = log_samples.put(Path("raw"), "deepeval")
    _, scan = detected.detect_files("raw", metric="other")
    assert [*scan.left_out] == ["raw/one.json", path]


def test_predictions_are_read_beside_the_odds_that_transformers_write_with_them():
    texts = {"q0": "", "q1": "a1"}
    golds = {"q0": [], "q1": [{"text": "a1"}]}
    asked = [{"id": id, "question": id, "answers": answers} for id, answers in golds.items()]
    write("raw", "dev.json", json.dumps({"data": [{"paragraphs": [{"qas": asked}]}]}))
    write("raw", "eval_predictions.json", json.dumps(texts))
    write("raw", "eval_null_odds.json", json.dumps({"q0": -7.3, "q1": 2.1}))
    [campaign], scan = detected.detect_files("raw")
    assert campaign.questions == [] and "na_prob" not in campaign.block["graded"]
    assert [*scan.left_out] == ["raw/eval_null_odds.json"]


def test_logs_of_two_harnesses_take_a_score_each():
    write("raw", "two.json", inspect_log({"qa": "C", "other": "I"}))
    write("raw", "base.csv", "user_input,response,good,bad\nq1,Rome,1,0\nq2,Oslo,0,1\n")
    assert detected.keys(detected.detect_files("raw")[0]) == ["metric", "metric"]
    campaigns, _ = detected.detect_files("raw", metric={"inspect": "other", "ragas": "good"})
    assert [entry.block["graded"]["metric"] for entry in campaigns] == ["good", "other"]
    assert detected.keys(campaigns) == []


def test_what_the_user_says_of_one_harness_is_not_said_of_logs_that_do_not_take_it():
    write("raw", "two.json", inspect_log({"qa": "C", "other": "I"}))
    write(".", "one.json", inspect_log({"qa": "C"}))
    path, _ = log_samples.put(Path("raw"), "promptfoo")
    campaigns, _ = detected.detect_files("raw", metric="other")
    blocks = [entry.block["graded"] for entry in campaigns]
    assert {(block["format"], block.get("metric")) for block in blocks} == {
        ("inspect", "other"),
        ("promptfoo", None),
    }
    log_samples.put(Path("raw"), "lm-eval")  # which needs no metric
    campaigns, scan = detected.detect_files("raw", metric="other")
    assert len(campaigns) == 3 and not scan.left_out
    assert sum("metric" in entry.block["graded"] for entry in campaigns) == 1
    campaigns, _ = detected.detect_files("one.json", path, metric="typo")
    assert {entry.block["graded"].get("metric") for entry in campaigns} == {"typo", None}
    [alone], _ = detected.detect_files(path, metric="other")
    assert alone.block["graded"]["metric"] == "other"


def test_a_score_of_abstention_is_not_proposed():
    write("raw", "two.json", inspect_log({"qa.refused": "C", "qa.right": "I"}))
    [campaign], _ = detected.detect_files("raw")
    assert campaign.questions[0].default is None


PERPLEXITY = {"doc_id": 0, "filter": "none", "metrics": ["perplexity"], "perplexity": [-5.0, 2]}
UNSCORED = log_samples.INSPECT | {"samples": [log_samples.inspect_sample("q", 1, scores={})]}
PROMPTFOO_TABLE = "q,[gpt] Q,Status,Named Scores,Grader Reason,[b] Q,Status,Named Scores\n"
OTHER_EVAL = {"score": 1.0, "metrics": {"chars": 9.0}, "htmls": [""], "convos": [[]]}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("samples_p.jsonl", json.dumps(PERPLEXITY), "none of its responses has a score of its own"),
        ("log.json", json.dumps(UNSCORED), "score it first, with inspect score"),
        ("out.csv", PROMPTFOO_TABLE, "a table of promptfoo, whose .json or .jsonl is read instead"),
        ("gpqa_m_20260101_000000_allresults.json", json.dumps(OTHER_EVAL), "grades of SimpleQA"),
        ("results.json", json.dumps({"results": {}, "n-shot": {}}), "lm-eval: --log_samples"),
    ],
    ids=["perplexity", "unscored", "promptfoo's table", "another eval", "results alone"],
)
def test_why_a_file_of_a_harness_is_not_read(name, content, reason):
    write("raw", name, content)
    with pytest.raises(RefusedError, match=reason):
        detected.detect_accepted(f"raw/{name}")


def test_lists_of_the_logs_of_a_set_are_read_with_these():
    log = json.loads(inspect_log({"match": "CI"}))
    write("raw", "a_t1.json", json.dumps(log))
    write("raw", "logs.json", json.dumps({"a_t1.json": log | {"samples": None}}))
    write("raw", "eval-set.json", json.dumps({"eval_set_id": "x", "tasks": [{"name": "t1"}]}))
    _, scan = detected.detect_files("raw")
    assert [*scan.companions] == ["raw/eval-set.json", "raw/logs.json"] and not scan.left_out


def test_a_data_frame_in_json_is_known_by_its_columns():
    frame = {"columns": ["inputs", "correct/v1/score"], "data": [["q", 1]]}
    write("raw", "table.json", json.dumps(frame))
    [campaign], _ = detected.detect_files("raw")
    assert campaign.block["graded"]["format"] == "mlflow"


TWICE = [["a-1", "b-1", "c-1"], ["a-2"]], [["a-geo", "b-geo"], ["a-kb", "b-kb"]]


@pytest.mark.parametrize("campaigns", TWICE)
def test_a_model_that_was_run_again_and_another_task_are_campaigns_of_their_own(campaigns):
    paths = [[f"logs/{name}.json" for name in names] for names in campaigns]
    for path in [path for group in paths for path in group]:
        model, task = Path(path).stem.split("-")
        about = {"model": model, "task": "toy" if task.isdigit() else task}
        write(".", path, inspect_log({"qa": "C"}, **about))
    found, _ = detected.detect_files("logs")
    assert [campaign.paths for campaign in found] == paths
