"""LongMemEval, DeepEval, EvalScope, verifiers, Every Eval Ever: real files, and what is particular to each."""

import json
from collections import Counter
from pathlib import Path

import pytest
from log_samples import (
    DEEPEVAL,
    EVALSCOPE,
    EVALSCOPE_REPORT,
    INSPECT,
    LM_EVAL,
    LONGMEMEVAL,
    SAMPLES,
    VERIFIERS,
    assert_read_one_by_one,
    deepeval,
    inspect_sample,
    instance,
    lighteval,
    lines,
    metric_data,
    parquet,
    read,
    review,
    rollout,
    verdicts,
)
from nonresponse import campaign as config
from nonresponse.campaign import ConfigError
from nonresponse.ingest import imports, refusals
from nonresponse.ingest.readers import imported
from reading import DATA, needs, places, write

REAL = DATA / "logs"


def of(path: str | Path, format: str, **options) -> tuple[dict[str, str], dict]:
    """The verdict on each question, and the row of imports.csv, of a file without faults."""
    rows, account, faults = imported(str(path), {"format": format} | options)
    assert places(faults) == []
    [row] = imports.by_run(account).rows(named=True)
    return dict(rows.select("question", "verdict").rows()), row


@needs("logs")
def test_longmemeval_as_its_judge_left_it():
    """What its own script prints of them, by a plain loop: 92.0 %, and 26 of 30 without an answer."""
    [path] = (REAL / "longmemeval").glob("*.eval-results-*")
    expected = {}
    for line in path.read_text().splitlines():
        one = json.loads(line)
        right = one["autoeval_label"]["label"] == 1
        expected[one["question_id"]] = "wrong" if not right else "unanswered" if "_abs" in line[:40] else "correct"
    found, row = of(path, "longmemeval")
    assert found == expected and Counter(found.values()) == {"correct": 434, "wrong": 40, "unanswered": 26}
    assert row["recomputed"] == 0.92 and row["run"] == "mentedb_q0-500"
    assert row["judge"] == "gpt-4o-2024-08-06" and row["failures"] == "as graded"


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("a.jsonl.eval-results-gpt-4o", "a"),
        ("a.json.eval-results-gpt-4.1-mini.gz", "a"),
        ("a.eval-results-x.jsonl", "a"),
        ("a-b.c.jsonl.eval-results-gpt-4o-mini.backup_1", "a-b.c"),
        ("longmemeval-hypotheses.jsonl", "longmemeval-hypotheses"),
    ],
)
def test_longmemeval_whatever_the_ending(tmp_path, name, run):
    import gzip

    content = lines(*LONGMEMEVAL).encode()
    path = write(tmp_path, name, gzip.compress(content) if name.endswith(".gz") else content)
    found, row = of(path, "longmemeval")
    assert row["run"] == run and found == {id: said for (_, id), said in SAMPLES["longmemeval"].verdicts.items()}


@pytest.mark.parametrize("as_lines", [False, True])
def test_longmemeval_as_others_write_down_what_a_judge_said(tmp_path, as_lines):
    said = {"q1": "Yes", "q2_abs": "yes", "q3": "No", "q4_abs": "no", "q5": None}
    values = [
        {"question_id": id, "question_type": "multi", "answer": "a", "hypothesis": "h", "judge": {"says": word}}
        for id, word in said.items()
    ]
    text = "".join(json.dumps(value) + "\n" for value in values) if as_lines else json.dumps(values, indent=1)
    file = write(tmp_path, "mem.json", text)
    rows, account, faults = imported(file, {"format": "longmemeval", "metric": "judge.says"})
    assert faults == []
    found = dict(rows.select("question", "verdict").rows())
    assert found == {"q1": "correct", "q2_abs": "unanswered", "q3": "wrong", "q4_abs": "wrong", "q5": "unscored"}
    assert set(rows["category"]) == {"multi"} and account["recomputed"].item() == 0.5
    broken = write(tmp_path, "bad.json", text.replace("Yes", "maybe"))
    *_, [fault] = imported(broken, {"format": "longmemeval", "metric": "judge.says"})
    assert fault.found == "the label 'maybe' of question 'q1'"


def test_longmemeval_is_configured_with_any_ending(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "a.jsonl.eval-results-gpt-4o", lines(*LONGMEMEVAL))
    graded = {"format": "longmemeval", "files": "*.eval-results-gpt-4o"}
    assert config.checked({"campaigns": {"t": {"task": "qa", "graded": graded}}})
    with pytest.raises(ConfigError, match="no-such"):
        config.checked({"campaigns": {"t": {"task": "qa", "graded": graded | {"key": "no-such.json"}}}})


@pytest.mark.parametrize("as_lines", [False, True])
def test_categories_and_right_answers_of_longmemeval_are_those_of_the_key(tmp_path, as_lines):
    asked = [
        {"question_id": one["question_id"], "question_type": f"type {place}", "question": "?", "answer": place}
        for place, one in enumerate(LONGMEMEVAL)
    ]
    key = write(tmp_path, "key.jsonl" if as_lines else "key.json", lines(*asked) if as_lines else json.dumps(asked))
    path = write(tmp_path, "system.jsonl", lines(*LONGMEMEVAL[:-1]))
    rows, account, faults = imported(path, {"format": "longmemeval", "key": key})
    assert places(faults) == []
    assert rows["category"].to_list() == [f"type {place}" for place in range(4)]
    assert rows["gold"].to_list() == ["0", "1", "2", ""]  # of _abs there is none
    assert account["notes"].item().to_list() == ["1 of 5 questions of the key are missing"]
    *_, without, _ = imported(path, {"format": "longmemeval"})
    assert without["notes"].item()[0].startswith("no categories")
    other = write(tmp_path, "other.json", json.dumps(asked[:2]))
    *_, faults = imported(path, {"format": "longmemeval", "key": other})
    assert [fault.found for fault in faults] == ["the question 'a3'", "the question 'a4_abs'"]


SECOND = [
    {"question_id": id, "category": "x", "is_unknown": unknown, "is_abstention_problem": none, "score": score}
    for id, unknown, none, score in [
        ("a", False, False, 1.0),
        ("b", False, False, 0.0),
        ("c", True, False, 0.0),
        ("d", True, True, 0.0),  # a bare "unknown": silence, though the log scores it 0
        ("e", False, True, 1.0),  # it says why there is no answer
        ("f", False, True, 0.0),
    ]
]


def test_the_second_version_of_longmemeval(tmp_path):
    path = write(tmp_path, "agent/per_question.jsonl", lines(*SECOND))
    overall = {"overall_full_set": 2 / 6, "count_all_questions": 6}
    write(tmp_path, "agent/aggregated_metrics.json", json.dumps({"overall": overall, "abstention_overall": {}}))
    found, row = of(path, "longmemeval")
    silent = dict.fromkeys("cde", "unanswered")
    assert found == {"a": "correct", "b": "wrong", "f": "wrong"} | silent
    assert (row["run"], row["outcome"], row["stated"]) == ("agent", "agrees", 2 / 6)
    rows, *_ = imported(path, {"format": "longmemeval"})
    assert dict(rows.select("question", "gold").rows()) == dict.fromkeys("abc", "given") | dict.fromkeys("def", "")


@needs("logs")
@pytest.mark.parametrize("file", ["real/teradata.json", "real/teradata_test_run.json"])
def test_deepeval_as_it_was_written(file):
    """Three judges could not judge an empty answer; the log calls each of the four tests failed."""
    found, row = of(REAL / "deepeval" / file, "deepeval")
    assert Counter(found.values()) == {"unscored": 3, "wrong": 1}
    assert (row["outcome"], row["stated"]) == ("agrees", 0.0) and "4 answers empty" in row["remarks"]
    found, row = of(REAL / "deepeval" / file, "deepeval", metric="Tool Correctness")
    assert Counter(found.values()) == {"correct": 3, "wrong": 1}
    assert (row["outcome"], row["stated"]) == ("agrees", 0.75)
    found, row = of(REAL / "deepeval" / file, "deepeval", metric="Clarification Check [GEval]")
    assert Counter(found.values()) == {"unscored": 3} and "1 test without this metric left out" in row["remarks"]


@needs("logs")
def test_an_empty_answer_of_deepeval_is_what_a_rule_says(tmp_path):
    path = str(REAL / "deepeval/real/teradata.json")
    options = {"format": "deepeval", "metric": "Clarification Check [GEval]"}
    rows, *_ = imported(path, options)
    ruled = refusals.on_grades(rows.with_columns(silenced=None), options | {"refusals": {"empty": "unanswered"}})
    assert ruled["by_rule"].to_list() == ["unanswered"] * 3


def test_below_test_run_data_deepeval_is_the_same(tmp_path):
    nested = json.dumps({"testRunData": DEEPEVAL, "testRunLink": "https://example.org"})
    rows, account, faults = read(tmp_path, "deepeval", {"test_run_1.json": nested})
    assert faults == [] and verdicts(rows) == SAMPLES["deepeval"].verdicts
    assert imports.by_run(account)["outcome"].item() == "agrees"
    _, _, faults = read(tmp_path / "b", "deepeval", {"test_run_1.json": '{"testRunLink": "https://example.org"}'})
    assert [fault.found for fault in faults] == ["no test cases"]


FLAKY = metric_data("Judge", 0.0) | {"flaky": True}
OLD = {"metric": "Judge", "score": 0.2, "threshold": 0.5, "success": False}


@pytest.mark.parametrize(
    ("case", "verdict"),
    [
        ({"success": True, "metricsData": [FLAKY, metric_data("Match", 1.0)]}, "correct"),
        ({"success": False, "metricsData": [FLAKY, metric_data("Match", None, "no JSON")]}, "unscored"),
        ({"success": False, "metricsData": [metric_data("a", 0.0), metric_data("b", None, "no JSON")]}, "wrong"),
        ({"success": False, "metricsData": [metric_data("a", 1.0)]}, "wrong"),  # a part of it has failed
        ({"success": False, "metricsMetadata": [OLD]}, "wrong"),  # as it was until 2024
        ({"success": None, "metricsData": [metric_data("a", 1.0)]}, "correct"),
        ({"success": None}, "unscored"),
        ({"success": False, "metricsData": None}, "unscored"),
        ({"success": False, "trace": {"status": "ERRORED"}}, "error"),
        ({"success": False, "trace": {"status": "ERRORED"}, "metricsData": [metric_data("a", 0.0)]}, "wrong"),
    ],
)
def test_what_a_test_of_deepeval_is_without_a_metric(tmp_path, case, verdict):
    found, _ = of(
        write(tmp_path, "run.json", json.dumps({"testCases": [{"name": "q", "input": "?"} | case]})), "deepeval"
    )
    assert found == {"q": verdict}


def test_names_of_deepeval_that_are_of_several_inputs(tmp_path):
    """For example if they are the names of a pytest function; the same input again is an epoch."""
    cases = [deepeval("test_all", metric_data("Judge", float(n % 2)), 1.0) | {"input": f"Q{n % 3}"} for n in range(4)]
    cases.append(deepeval("alone", metric_data("Judge", 1.0), 1.0))
    cases.append(deepeval("test_all", metric_data("Judge", 1.0), 1.0) | {"input": "long " * 100})
    path = write(tmp_path, "run.json", json.dumps({"testCases": cases}))
    rows, _, faults = imported(path, {"format": "deepeval", "epochs": "all"})
    assert faults == []
    named = rows.select("question", "epoch").rows()
    assert named[:5] == [
        ("test_all: Q0", 1),
        ("test_all: Q1", 1),
        ("test_all: Q2", 1),
        ("test_all: Q0", 2),
        ("alone", 1),
    ]
    assert named[5][0].startswith("test_all: long long") and len(named[5][0]) < 110


def test_conversations_of_deepeval(tmp_path):
    turns = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "How can I help?"}]
    case = {"name": "c", "success": True, "turns": turns, "metricsData": [metric_data("Kind", 1.0)]}
    path = write(tmp_path, "run.json", json.dumps({"testCases": [], "conversationalTestCases": [case]}))
    rows, _, faults = imported(path, {"format": "deepeval"})
    assert faults == [] and rows.select("question", "verdict", "answer").rows() == [("c", "correct", "How can I help?")]


@pytest.mark.slow
def test_test_cases_are_read_one_by_one(tmp_path):
    """What they hold beside the answer is not kept, wherever they are."""
    case = deepeval("q", metric_data("Judge", 1.0), 1.0) | {"retrievalContext": ["long " * 400, {"a": 1}] * 5}
    cases = [case | {"name": f"q{place}"} for place in range(900)]
    run = {"testCases": cases[:600], "conversationalTestCases": cases[600:], "testPassed": 900, "testFailed": 0}
    data = json.dumps({"testRunData": run})
    assert_read_one_by_one(write(tmp_path, "run.json", data), data, "deepeval", 900, 2.5)


def test_a_test_case_that_nobody_named_is_called_after_its_input(tmp_path):
    """`test_case_0` is another question in each file: fourteen projects were once compared on it."""
    names = [("test_case_0", "Capital?"), ("test_case_1", "Sea?"), ("test_case_2", "Sea?"), ("mine", "River?")]
    cases = [deepeval(name, metric_data("Judge", 1.0), 1.0) | {"input": asked} for name, asked in names]
    path = write(tmp_path, "p/.deepeval/.temp_test_run_data.json", json.dumps({"testCases": cases}))
    found, row = of(path, "deepeval")
    assert [*found] == ["Capital?", "test_case_1: Sea?", "test_case_2: Sea?", "mine"]
    assert row["run"] == "p" and "it stopped early" in row["remarks"]


@pytest.mark.parametrize(
    ("name", "more", "run"),
    [
        ("project/.deepeval/.latest_run_full.json", {}, "project"),
        ("project/.latest_test_run.json", {}, "project"),
        ("latest_test_run.json", {}, None),
        ("test_run_20260101_1.json", {}, "test_run_20260101_1"),
        ("a.json", {"hyperparameters": {"model": "org/m"}}, "org/m"),
        ("a.json", {"hyperparameters": {"model": "org/m"}, "identifier": "mine"}, "mine"),
    ],
)
def test_the_run_of_deepeval(tmp_path, name, more, run):
    case = deepeval("q", metric_data("Judge", 1.0), 1.0)
    _, row = of(write(tmp_path, name, json.dumps({"testCases": [case]} | more)), "deepeval")
    assert row["run"] == (run or tmp_path.name)


def test_the_success_of_a_test_of_deepeval_may_be_named(tmp_path):
    """It is that of all metrics, unless a metric is called so."""
    rows, *_ = read(tmp_path, "deepeval", metric="success")
    assert verdicts(rows) == SAMPLES["deepeval"].verdicts
    called = json.dumps(DEEPEVAL).replace('"Match"', '"success"')
    rows, *_ = read(tmp_path / "b", "deepeval", {"test_run_1.json": called}, metric="success")
    assert verdicts(rows)["org/model", "q3"] == "correct"


def test_a_metric_of_deepeval_that_is_not_there(tmp_path):
    _, _, faults = read(tmp_path, "deepeval", metric="Other")
    assert [(fault.found, fault.expected) for fault in faults] == [("no metric 'Other'", "one of 'Judge', 'Match'")]


def test_evalscope_without_epochs_report_or_folder(tmp_path):
    """Older reviews have no number of the repetition; ids that are the same again are epochs."""
    old = [review(0, 1.0), review(0, 0.0), review(1, 0.0)]
    for one in old:
        del one["sample_score"]["generation_index"], one["sample_score"]["score"]["status"]
    path = write(tmp_path, "model/toy_main.jsonl", lines(*old))
    rows, account, faults = imported(path, {"format": "evalscope", "epochs": "all"})
    assert faults == [] and rows.select("run", "question", "epoch", "verdict").rows() == [
        ("model", "toy_main/0", 1, "correct"),
        ("model", "toy_main/0", 2, "wrong"),
        ("model", "toy_main/1", 1, "wrong"),
    ]
    assert account["why"].item() == "no report on it"


def test_the_longer_name_of_a_benchmark_of_evalscope(tmp_path):
    """toy_hard_main is of toy_hard, not the subset hard_main of toy; older reports call the mean mean_{metric}."""
    other = {"dataset_name": "toy_hard", "model_name": "org/model"}
    subsets = [{"name": "other", "score": 0.9}, {"name": "main", "score": 0.3}]
    other["metrics"] = [{"name": "mean_is_correct", "categories": [{"name": "a", "subsets": subsets}]}]
    write(tmp_path, "out/reports/org/model/toy.json", json.dumps(EVALSCOPE_REPORT))
    write(tmp_path, "out/reports/org/model/toy_hard.json", json.dumps(other))
    _, row = of(write(tmp_path, "out/reviews/org/model/toy_hard_main.jsonl", lines(*EVALSCOPE)), "evalscope")
    assert (row["outcome"], row["stated"]) == ("agrees", 0.3)


def test_a_mean_of_evalscope_has_four_decimals(tmp_path):
    report = json.loads(json.dumps(EVALSCOPE_REPORT).replace("0.3", "0.3333"))
    write(tmp_path, "out/reports/m/toy.json", json.dumps(report))
    reviews = lines(review(0, 1.0), review(1, 0.0), review(2, 0.0))
    _, row = of(write(tmp_path, "out/reviews/m/toy_main.jsonl", reviews), "evalscope")
    assert row["outcome"] == "agrees"


@pytest.mark.parametrize("score", [0.0, 0.4])
def test_a_metric_not_attempted_is_silence_unless_the_answer_is_right(tmp_path, score):
    line = LM_EVAL[0] | {"acc": score, "not_attempted": True}
    found, _ = of(write(tmp_path, "samples_toy.jsonl", lines(line, line | {"doc_id": 1, "acc": 1.0})), "lm-eval")
    assert found == {"toy/0": "unanswered", "toy/1": "correct"}


IDK = [  # of JoelNiklaus/evaluate-idk: the metrics of a right, a wrong and no answer, and of one that was not found
    {"extract_fail": 0.0, "idk_freq": 0.0, "idk_score": 1.0, "trad_score": 1.0},
    {"extract_fail": 0.0, "idk_freq": 0.0, "idk_score": -1.0, "trad_score": 0.0},
    {"extract_fail": 0.0, "idk_freq": 1.0, "idk_score": 0.0, "trad_score": 0.0},
    {"extract_fail": 1.0, "idk_freq": 0.0, "idk_score": -1.0, "trad_score": 0.0},
]


def test_a_metric_of_failures_or_of_silence_says_not_what_is_right(tmp_path):
    """The first in the alphabet was taken once: answers that could not be extracted were right, all others wrong."""
    documents = [lighteval(str(n), 0.0, 0.0) | {"metric": metrics} for n, metrics in enumerate(IDK)]
    name = "details/org/m/2026-01-01/details_toy_2026-01-01.parquet"
    found, row = of(write(tmp_path, name, parquet(documents)), "lighteval")
    assert [*found.values()] == ["correct", "wrong", "unanswered", "wrong"]
    assert row["measure"] == "trad_score" and "no answer where 'idk_freq' is 1" in row["remarks"]
    path = write(tmp_path, name, parquet([one | {"metric": {"refusal": 1.0}} for one in documents]))
    [fault, *_] = imported(path, {"format": "lighteval"})[2]
    assert (fault.found, fault.expected) == ("no metric", "one of 'refusal'")


def test_verifiers_by_a_metric_or_by_a_reward_beyond_one(tmp_path):
    path = write(tmp_path, "math--org--m/1/results.jsonl", lines(*(one | {"old": 1.0} for one in VERIFIERS)))
    found, row = of(path, "verifiers", metric="em")
    assert set(found.values()) == {"wrong", "error"} and row["run"] == "org/m" and "math/0" in found
    found, _ = of(path, "verifiers", metric="old")  # as older results have metrics
    assert found["math/1"] == "correct"
    *_, faults = imported(write(tmp_path, "a/results.jsonl", lines(rollout(0, 1.5))), {"format": "verifiers"})
    assert [(fault.line, fault.found) for fault in faults] == [(1, "the reward '1.5'")]


@needs("logs")
def test_every_eval_ever_as_its_converter_made_it():
    """Converted from a log of inspect_ai: it has silence and failed judges as wrong, so that the headline differs."""
    [path] = (REAL / "every_eval_ever").glob("*_samples.jsonl")
    found, row = of(path, "every-eval-ever")
    assert Counter(found.values()) == {"correct": 1, "wrong": 5, "partial": 2, "error": 2}
    assert found["abstain/q3"] == "wrong"  # "I don't know."
    assert row["outcome"] == "differs" and "no state for silence" in row["remarks"]


def test_every_eval_ever_of_several_evaluations(tmp_path):
    """Of each the first result counts, or the one that is named."""
    rows = [
        instance(id, 1.0, result=f"{task}:{metric}") | {"evaluation_name": task}
        for task in "xy"
        for metric in ("acc", "f1")
        for id in "ab"
    ]
    path = write(tmp_path, "u_samples.jsonl", lines(*rows))
    found, row = of(path, "every-eval-ever")
    assert sorted(found) == ["x/a", "x/b", "y/a", "y/b"] and row["outcome"] == "cannot be reconciled"
    found, _ = of(path, "every-eval-ever", metric="y:f1")
    assert sorted(found) == ["y/a", "y/b"]


def test_every_eval_ever_of_several_models(tmp_path):
    """Each has results of its own, of which the first counts: only the first model was left."""
    rows = [
        instance(id, 1.0, result=f"{metric}-{model}") | {"model_id": model}
        for model in "mn"
        for metric in ("acc", "f1")
        for id in "ab"
    ]
    path = write(tmp_path, "u_samples.jsonl", lines(*rows))
    graded, account, faults = imported(path, {"format": "every-eval-ever"})
    assert faults == [] and sorted(graded.select("run", "question").unique().rows()) == [
        (model, f"toy/{id}") for model in "mn" for id in "ab"
    ]
    assert all("results 'acc-m', 'acc-n' of" in ", ".join(notes) for notes in account["notes"])
    *_, [fault] = imported(path, {"format": "every-eval-ever", "metric": "f1-m"})
    assert fault.found == "no result 'f1-m' of run 'n'"


@pytest.mark.parametrize(("values", "precision"), [("CCIN", 2 / 3), ("NN", 0.0), ("CN", 1.0)])
@pytest.mark.parametrize("epochs", [1, 2])
def test_the_precision_of_lab_bench(tmp_path, values, precision, epochs):
    """It leaves out N, unless the values are means over epochs, which are numbers."""
    stated = precision if epochs == 1 else values.count("C") / len(values)
    metrics = {"precision": {"value": stated}, "coverage": {"value": 1 - values.count("N") / len(values)}}
    log = INSPECT | {"results": {"scores": [{"name": "qa", "scorer": "precision_choice", "metrics": metrics}]}}
    log["samples"] = [
        inspect_sample(f"q{place}", value, epoch=epoch + 1)
        for place, value in enumerate(values)
        for epoch in range(epochs)
    ]
    _, row = of(write(tmp_path, "log.json", json.dumps(log)), "inspect", scorer="qa")
    assert (row["outcome"], row["stated"]) == ("agrees", stated)


TELLING = [  # a log, question, right answer and explanation of its first sample
    ("inspect", "inspect_ai/json/*K4nA*", "Capital of France?", "Paris", "rule"),
    ("lm-eval", "lm_eval/*/samples_toy_gen*", "Capital of France?", "Paris", None),
    ("lm-eval", "lm_eval/*/samples_toy_mc*", "Capital of France?", " Paris", None),
    ("abstentionbench", "abstentionbench/*/2026*", "What is the capital of France?", "Paris", "correct"),
    ("helm", "helm/simple*", "Is 70 even or odd?", "Even", None),
    ("promptfoo", "promptfoo/results.json", "Paris", None, "All assertions passed"),
    ("openai-evals", "openai_evals/*.jsonl", "Capital of Peru?", "Lima", None),
    ("lighteval", "lighteval/details/*/*/*toymc*", "Question: Capital of Italy?\nAnswer:", " Rome", None),
    (
        "deepeval",
        "deepeval/test_run*",
        "Capital of France?",
        "Paris",
        "rule | The actual and expected outputs are exact matches.",
    ),
    ("every-eval-ever", "every_eval_ever/*_samples.jsonl", "Capital of France?", "Paris", None),
]


@needs("logs")
@pytest.mark.parametrize(("format", "pattern", "asked", "target", "explanation"), TELLING)
def test_what_a_log_says_beside_answers_comes_along(format, pattern, asked, target, explanation):
    rows, _, faults = imported(str(next(iter(sorted(REAL.glob(pattern))))), {"format": format})
    assert faults == [] and rows.select("asked", "target", "explanation").row(0) == (asked, target, explanation)


def test_what_the_other_logs_say_beside_answers(tmp_path):
    messages = [{"role": "user", "content": "Two?"}, {"role": "assistant", "content": "2"}]
    own = {"prompt": messages[:1], "answer": "2", "messages": messages}
    reviews = [one | own for one in EVALSCOPE[:1]]
    reviews[0]["sample_score"]["score"]["explanation"] = "as it is"
    for format, name, content, expected in [
        ("verifiers", "a--b/1/results.jsonl", lines(rollout(0, 1.0) | own), ("Two?", "2", None)),
        ("evalscope", "m/toy_main.jsonl", lines(*reviews), ("Two?", "x", "as it is")),
        (
            "longmemeval",
            "a/per_question.jsonl",
            lines(SECOND[0] | {"question_text": "?" * 9999, "answer_gold": 4}),
            ("?" * 4000, "4", None),
        ),
    ]:
        rows, _, faults = imported(str(write(tmp_path, name, content)), {"format": format})
        assert faults == [] and rows.select("asked", "target", "explanation").row(0) == expected, format
