"""What is particular to the logs of single harnesses, beside Inspect."""

import json
import math
from collections import Counter
from pathlib import Path

import pytest
from log_samples import (
    DEEPEVAL,
    LM_EVAL,
    LM_RESULTS,
    LONGMEMEVAL,
    PROMPTFOO,
    SAMPLES,
    deepeval,
    lines,
    lm_eval_line,
    metric_data,
    parquet,
    promptfoo,
    put,
    read,
    verdicts,
)
from nonresponse import campaign as config
from nonresponse.campaign import completion, paths
from nonresponse.formats import json_pieces, metrics, openai_evals
from nonresponse.formats.logs import softmax
from nonresponse.ingest import imports, reading
from nonresponse.ingest.readers import imported, read_logs
from reading import places, write


def of(path: str | Path, format: str, **options) -> tuple[dict[str, str], dict]:
    """The verdict on each question, and the row of imports.csv, of a file without faults."""
    rows, account, faults = imported(str(path), {"format": format} | options)
    assert places(faults) == []
    return dict(rows.select("question", "verdict").rows()), imports.by_run(account).row(
        0, named=True
    )


def faults_of(path: str, format: str, **options) -> list[str]:
    return [fault.found for fault in imported(path, {"format": format} | options)[2]]


# Which score counts.


def scored(format: str, folder, scores: list[dict]) -> str:
    """A log of a format with these scores."""
    if format == "lm-eval":
        rows = [
            {"doc_id": n, "filtered_resps": ["x"], "metrics": [*one], **one}
            for n, one in enumerate(scores)
        ]
        return write(folder, "m/samples_t_2026-01-01T00-00-00.jsonl", lines(*rows))
    rows = [
        {"doc": {"id": str(n), "task_name": "t"}, "metric": one} for n, one in enumerate(scores)
    ]
    content = parquet([row | {"model_response": {"text": ["x"]}} for row in rows])
    return write(folder, "details/m/1/details_t.parquet", content)


SCORED = pytest.mark.parametrize("format", ["lm-eval", "lighteval"])


@SCORED
@pytest.mark.parametrize(
    "names",
    ["incorrect correct not_attempted", "isIncorrect isCorrect isNotAttempted", "f1 em idk"],
)
def test_the_score_with_a_documented_name_counts_wherever_it_stands(tmp_path, format, names):
    wrong, right, silent = names.split()
    states = [(1, 0, 0)] * 7 + [(0, 1, 0)] * 2 + [(0, 0, 1)]
    path = scored(
        format,
        tmp_path,
        [{wrong: float(b), right: float(a), silent: float(c)} for a, b, c in states],
    )
    rows, account, faults = imported(path, {"format": format})
    assert faults == [] and Counter(rows["verdict"]) == {"correct": 7, "wrong": 2, "unanswered": 1}
    assert f"metric {right!r} of" in account["chosen"].item()[0]


@SCORED
@pytest.mark.parametrize(
    "names", ["rouge1 rouge2", "detection_score", "hallucinated", "refusal", "mc1 incorrect"]
)
def test_a_score_without_a_documented_name_is_asked_for(tmp_path, format, names):
    """What its numbers mean is not guessed, not even of the only one; the name of a score is an
    answer."""
    first, *_ = names = names.split()
    path = scored(format, tmp_path, [dict.fromkeys(names, 1.0), dict.fromkeys(names, 0.0)])
    [fault] = imported(path, {"format": format})[2]
    assert "`metric:` in config.yaml" in fault.expected and all(
        name in fault.found for name in names
    )
    options = {"metric": first} | ({"best": 0} if metrics.plain_name(first) in metrics.LESS else {})
    assert [*of(path, format, **options)[0].values()] == ["correct", "wrong"][
        :: -1 if "best" in options else 1
    ]


@pytest.mark.parametrize("better", [None, True, False])
def test_what_the_results_say_of_a_score_counts(tmp_path, better):
    path = scored("lm-eval", tmp_path, [{"bleu": 1.0}])
    write(tmp_path, "m/results_t.json", json.dumps({"higher_is_better": {"t": {"bleu": better}}}))
    found = faults_of(path, "lm-eval")
    assert bool(found) == (better is not True)
    assert faults_of(path, "lm-eval", metric="bleu") == [
        "the metric 'bleu', of which less is better"
    ] * (better is False)
    assert of(path, "lm-eval", metric="bleu", best=0)[0] == {"t/0": "wrong"}


@pytest.mark.parametrize("acc", [0.0, 0.4, 1.0])
def test_a_score_of_silence_counts_unless_the_answer_is_right(tmp_path, acc):
    found, row = of(
        write(tmp_path, "samples_t.jsonl", lines(LM_EVAL[0] | {"acc": acc, "not_attempted": True})),
        "lm-eval",
    )
    assert (
        found == {"t/0": "correct" if acc == 1 else "unanswered"}
        and "'not_attempted' is 1" in row["remarks"]
    )


# lm-eval.


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([-math.inf, -2.0], (1, 1.0)),
        ([-1.0, -math.inf, -1.0], (0, 0.5)),
        ([-math.inf, -math.inf], None),
        ([math.inf, -1.0], None),
        ([math.nan, -1.0], None),
        ([-1.0], None),
    ],
)
def test_a_choice_that_cannot_be_has_no_share(tmp_path, scores, expected):
    assert softmax(scores) == expected
    doc = lm_eval_line(0, "none", 1.0, 1.0) | {
        "filtered_resps": [[str(score), "False"] for score in scores]
    }
    rows = imported(write(tmp_path, "samples_t.jsonl", lines(doc)), {"format": "lm-eval"})[0]
    assert rows["confidence"].item() == (expected and expected[1])


def test_lm_eval_without_results_or_with_too_few_samples(tmp_path):
    path, _ = put(tmp_path, "lm-eval")
    results = tmp_path / "out/results_2026-01-01T00-00-00.0.json"
    results.unlink()
    row = of(path, "lm-eval")[1]
    assert row["run"] == "out" and "no results_*.json beside it" in row["remarks"]
    write(tmp_path, "out/results_2026-01-01T00-00-00.0.json", json.dumps(LM_RESULTS))
    write(tmp_path, "out/samples_toy_2026-01-01T00-00-00.0.jsonl", lines(*LM_EVAL[:2]))
    assert "2 of 5 samples in the log" in of(path, "lm-eval")[1]["remarks"]
    assert faults_of(path, "lm-eval", metric=",x") == ["no filter 'x'"]
    assert faults_of(path, "lm-eval", metric="x") == ["no metric 'x'"]


# HELM.

RUN = "mmlu:model=org_model"


@pytest.mark.parametrize("stats", [True, False])
@pytest.mark.parametrize("split", ["test", "valid", "validation"])
def test_a_run_of_helm_of_any_split(tmp_path, split, stats):
    """By what its stats state; without them, by those of its instances."""
    other = {"test": "gone", "valid": "gone", "validation": "gone"}["test"]
    files = {
        name: content.replace('"valid"', f'"{other}"').replace('"test"', f'"{split}"')
        for name, content in SAMPLES["helm"].files.items()
    }
    # Of several splits that are neither test nor valid it is unknown which counts
    both = split == "validation"
    if not stats:
        del files[f"{RUN}/stats.json"]
    rows, account, faults = read(tmp_path, "helm", files)
    assert [fault.found for fault in faults] == ["the splits 'gone', 'validation'"] * both
    assert both or verdicts(rows) == SAMPLES["helm"].verdicts
    assert both or imports.by_run(account)["outcome"].item() == (
        "agrees" if stats else "cannot be reconciled"
    )


# promptfoo.

CHAT = {"chat": "0f0e0d0c-0b0a-4908-8706-05040302010@"}
FILLED = {  # what a run fills in, by the way it does so
    "conversation": ({}, {"_conversation": [{"input": "a", "output": "@"}]}, {}),
    "register": ({}, {"summary": "what @ said"}, {}),
    "session": ({"sessionId": "session of @"}, {"sessionId": "session of @"}, {}),
    "drawn": (CHAT, CHAT, {"transformVars": "{ ...vars, chat: context.uuid }"}),
}


@pytest.mark.parametrize("how", FILLED)
def test_what_a_run_fills_in_is_no_part_of_a_question(tmp_path, how):
    """Questions have the same names for two systems in a file, and in another file, which also has
    other tests."""
    of_test, of_result, options = FILLED[how]

    def filled(variables: dict, word: str) -> dict:
        return json.loads(json.dumps(variables).replace("@", word))

    def result(test: int, country: str, system: int, file: int) -> dict:
        one = promptfoo(test, country, True) | {
            "provider": {"id": f"m{system}{file}"},
            "promptIdx": system,
        }
        own, drawn = {"country": country}, str(3 * file + test)
        case = {"vars": own | filled(of_test, drawn), "options": options}
        return one | {
            "testCase": case,
            "vars": own | filled(of_result, str(system) if not of_test else drawn),
        }

    found = {}
    for file, countries in enumerate((["France", "Peru"], ["Peru", "Chad", "France"])):
        results = [
            result(test, country, n, file) for n in (0, 1) for test, country in enumerate(countries)
        ]
        rows, _, faults = imported(
            write(tmp_path, f"{file}.jsonl", lines(*results)), {"format": "promptfoo"}
        )
        assert faults == [] and rows.height == 2 * len(countries)
        found |= {run: set(own["question"]) for (run,), own in rows.group_by("run")}
    assert found["m00"] == found["m10"] < found["m01"] == found["m11"]


def test_names_of_promptfoo(tmp_path):
    """Tests that ask for different things are different questions; each prompt of a provider is a
    run."""
    results = [promptfoo(test, "a", test != 1) for test in range(3)]
    for result, word in zip(results, ["Paris", "EUR", "Paris"], strict=True):
        result["testCase"] = {
            "vars": {"q": "France"},
            "assert": [{"type": "contains", "value": word}],
        }
    rows, _, _ = imported(
        write(tmp_path, "a.jsonl", lines(*results)), {"format": "promptfoo", "epochs": "all"}
    )
    assert rows["question"].n_unique() == 2 and sorted(rows["epoch"]) == [1, 1, 2]
    twice = imported(
        write(tmp_path, "b.jsonl", lines(*results, results[1])), {"format": "promptfoo"}
    )[2]
    assert places(twice) == [(4, "a second result of test 1, prompt 0")]
    bare = [promptfoo(test, "x", True) | {"testCase": {}, "vars": {}} for test in (0, 1)]
    assert [*of(write(tmp_path, "c.jsonl", lines(*bare)), "promptfoo")[0]] == ["test 0", "test 1"]
    told = ["Answer:\n{{question}}\t", "Say\r\nnothing\u2028or \x1b[1manswer:\n\n{{question}}"]
    prompts = [
        promptfoo(0, "a", True, prompt=n) | {"prompt": {"label": label}}
        for n, label in enumerate(told)
    ]
    rows = imported(
        write(tmp_path, "d.jsonl", lines(*prompts, *PROMPTFOO[1:2])), {"format": "promptfoo"}
    )[0]
    assert [run.partition(", ")[2] for run in rows["run"].unique().sort()] == [
        "prompt: Answer: {{question}}",
        "prompt: Say nothing or [1manswer: {{question}}",
    ]


# OpenAI Evals.

OF_RUNS = {"gpt": ["t.0", "t.1"], "other": ["t.2", "t.3"]}


@pytest.mark.parametrize("ids", [True, False])
def test_two_runs_in_a_file_of_openai_evals_are_refused(tmp_path, ids):
    """Otherwise samples of one would be taken for the other's; without a second spec, the ids of
    runs show it."""
    specs, events = [], []
    for name, samples in OF_RUNS.items():
        own = {"run_id": f"run {name}"} if ids else {}
        specs.append({"spec": {"completion_fns": [name], "eval_name": "toy", **own}})
        events.append(
            [{"sample_id": id, "type": "match", "data": {"correct": True}, **own} for id in samples]
        )
    for both in ([specs[0], *events[0], specs[1], *events[1]], [*specs, *events[0], *events[1]]):
        for records in [both, [record for record in both if record is not specs[1]]][: 1 + ids]:
            faults = imported(
                write(tmp_path, "log.jsonl", lines(*records)), {"format": "openai-evals"}
            )[2]
            assert faults and all(fault.expected == openai_evals.ONE for fault in faults)
    for spec, own in zip(specs, events, strict=True):
        assert len(of(write(tmp_path, "log.jsonl", lines(spec, *own)), "openai-evals")[0]) == 2


# SQuAD 2.0, simple-evals.


def test_squad2_predictions_that_are_missing_or_unknown(tmp_path):
    files = SAMPLES["squad2"].files
    rows, account, _ = read(tmp_path, "squad2", files | {"model.json": json.dumps({"h1": "Paris"})})
    assert (
        rows["missing"].to_list() == [False, True, True, True, True]
        and account["samples"].item() == 1
    )
    assert account["notes"].item().to_list() == ["4 of 5 questions of the key are missing"]
    _, _, faults = read(
        tmp_path, "squad2", files | {"model.json": json.dumps({"h1": "Paris", "x": ""})}
    )
    assert places(faults) == [(0, "the question 'x'")]
    path, options = put(tmp_path, "squad2")
    rows, _, _ = imported(
        path, options | {"na_prob": str(tmp_path / "na/{run}.json"), "threshold": 0.5}
    )
    assert rows["verdict"].to_list() == ["correct", "wrong"] + 3 * ["unanswered"]


def test_the_articles_of_squad2_are_clusters_of_questions(tmp_path):
    """A campaign that names the data file has clusters by itself."""
    asked = {"Rome": {"a": ["x"], "b": []}, "Oslo": {"c": ["y", "z"]}, None: {"d": []}}
    data = [
        {
            "title": title,
            "paragraphs": [{"qas": [{"id": id, "answers": [{"text": one} for one in golds]}]}],
        }
        for title, own in asked.items()
        for id, golds in own.items()
    ]
    file = write(tmp_path, "dev.json", json.dumps({"data": data}))
    campaign = {
        "graded": {"format": "squad2", "files": "x.json", "key": file},
        "task": "qa",
        "measures": ["c@1"],
    }
    completion.complete(campaign, {"gigabytes": 8, "ratio": 500})
    assert config.clustered(campaign) and paths.questions_file(campaign) == file
    questions, faults = reading.questions(campaign["questions"])
    assert faults == [] and questions.select(
        "question", "has_answer", "category", "cluster"
    ).rows() == [
        ("a", True, "HasAns", "Rome"),
        ("b", False, "NoAns", "Rome"),
        ("c", True, "HasAns", "Oslo"),
        ("d", False, "NoAns", None),
    ]


def test_simple_evals_that_are_no_whole_counts(tmp_path):
    log = {"score": 0.5, "convos": [[], []]}
    log["metrics"] = {"is_correct": 0.5, "is_incorrect": 0.3, "is_not_attempted": 0.2}
    name = "simpleqa_org_model_20260101_000000_DEBUG_allresults.json"
    _, _, faults = read_logs(
        [write(tmp_path, name, json.dumps(log))], {"format": "simple-evals"}, "qa"
    )
    assert len(faults) == 2 and "is_incorrect '0.3'" in faults[0].found
    log |= {
        "metrics": {"is_correct": 0.5, "is_incorrect": 0.25, "is_not_attempted": 0.0},
        "convos": [[]] * 4,
    }
    _, _, faults = read_logs(
        [write(tmp_path, name, json.dumps(log))], {"format": "simple-evals"}, "qa"
    )
    assert [fault.found for fault in faults] == ["grades of 3 of 4 questions"]


# LongMemEval.


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("a.jsonl.eval-results-gpt-4o", "a"),
        ("a.eval-results-x.jsonl", "a"),
        ("a-b.c.jsonl.eval-results-gpt-4o-mini.backup_1", "a-b.c"),
        ("longmemeval-hypotheses.jsonl", "longmemeval-hypotheses"),
    ],
)
def test_longmemeval_whatever_the_ending(tmp_path, name, run):
    found, row = of(write(tmp_path, name, lines(*LONGMEMEVAL)), "longmemeval")
    assert row["run"] == run and found == {
        id: said for (_, id), said in SAMPLES["longmemeval"].verdicts.items()
    }


@pytest.mark.parametrize("as_lines", [False, True])
def test_longmemeval_as_others_write_down_what_a_judge_said(tmp_path, as_lines):
    said = {"q1": "Yes", "q2_abs": "yes", "q3": "No", "q4_abs": "no", "q5": None}
    values = [
        {"question_id": id, "hypothesis": "h", "judge": {"says": word}} for id, word in said.items()
    ]
    text = lines(*values) if as_lines else json.dumps(values, indent=1)
    name = "mem.jsonl" if as_lines else "mem.json"
    found, row = of(write(tmp_path, name, text), "longmemeval", metric="judge.says")
    assert [*found.values()] == ["correct", "unanswered", "wrong", "wrong", "unscored"] and row[
        "recomputed"
    ] == 0.5
    broken = write(tmp_path, name, text.replace("Yes", "maybe"))
    assert faults_of(broken, "longmemeval", metric="judge.says") == [
        "the label 'maybe' of question 'q1'"
    ]


def test_categories_and_right_answers_of_longmemeval_are_those_of_the_key(tmp_path):
    asked = [
        {
            "question_id": one["question_id"],
            "question_type": f"type {place}",
            "question": "?",
            "answer": place,
        }
        for place, one in enumerate(LONGMEMEVAL)
    ]
    key, path = (
        write(tmp_path, "key.json", json.dumps(asked)),
        write(tmp_path, "s.jsonl", lines(*LONGMEMEVAL[:-1])),
    )
    rows, account, _ = imported(path, {"format": "longmemeval", "key": key})
    assert rows["category"].to_list() == [f"type {place}" for place in range(4)]
    assert rows["gold"].to_list() == ["0", "1", "2", ""]  # of _abs there is none
    assert account["notes"].item().to_list() == ["1 of 5 questions of the key are missing"]
    other = write(tmp_path, "other.json", json.dumps(asked[:2]))
    assert faults_of(path, "longmemeval", key=other) == [
        "the question 'a3'",
        "the question 'a4_abs'",
    ]


def test_the_second_version_of_longmemeval(tmp_path):
    second = [
        {"question_id": id, "is_unknown": unknown, "is_abstention_problem": none, "score": score}
        for id, unknown, none, score in [
            ("a", False, False, 1.0),
            ("b", False, False, 0.0),
            ("c", True, False, 0.0),
            ("d", True, True, 0.0),  # a bare "unknown": silence, though the log scores it 0
            ("e", False, True, 1.0),  # it says why there is no answer
            ("f", False, True, 0.0),
        ]
    ]
    path = write(tmp_path, "agent/per_question.jsonl", lines(*second))
    overall = {"overall_full_set": 2 / 6, "count_all_questions": 6}
    write(
        tmp_path,
        "agent/aggregated_metrics.json",
        json.dumps({"overall": overall, "abstention_overall": {}}),
    )
    found, row = of(path, "longmemeval")
    assert found == {"a": "correct", "b": "wrong", "f": "wrong"} | dict.fromkeys(
        "cde", "unanswered"
    )
    assert (row["run"], row["outcome"], row["stated"]) == ("agent", "agrees", 2 / 6)


# DeepEval.

FLAKY = metric_data("Judge", 0.0) | {"flaky": True}
OLD = {"metric": "Judge", "score": 0.2, "threshold": 0.5, "success": False}


@pytest.mark.parametrize(
    ("case", "verdict"),
    [
        ({"success": True, "metricsData": [FLAKY, metric_data("Match", 1.0)]}, "correct"),
        (
            {"success": False, "metricsData": [FLAKY, metric_data("Match", None, "no JSON")]},
            "unscored",
        ),
        (
            {
                "success": False,
                "metricsData": [metric_data("a", 0.0), metric_data("b", None, "no JSON")],
            },
            "wrong",
        ),
        # A part of it has failed
        ({"success": False, "metricsData": [metric_data("a", 1.0)]}, "wrong"),
        ({"success": False, "metricsMetadata": [OLD]}, "wrong"),  # as it was until 2024
        ({"success": None}, "unscored"),
        ({"success": False, "trace": {"status": "ERRORED"}}, "error"),
        (
            {
                "success": False,
                "trace": {"status": "ERRORED"},
                "metricsData": [metric_data("a", 0.0)],
            },
            "wrong",
        ),
    ],
)
def test_what_a_test_of_deepeval_is_without_a_metric(tmp_path, case, verdict):
    content = json.dumps({"testCases": [{"name": "q", "input": "?"} | case]})
    assert of(write(tmp_path, "run.json", content), "deepeval")[0] == {"q": verdict}


def test_names_of_deepeval_that_are_of_several_inputs_or_none(tmp_path):
    """For example the names of a pytest function; `test_case_0` is another question in each
    file."""
    names = [("test_all", f"Q{n % 3}") for n in range(4)] + [
        ("alone", "Q"),
        ("test_all", "long " * 100),
    ]
    names += [("test_case_0", "Capital?"), ("test_case_1", "Sea?"), ("test_case_2", "Sea?")]
    cases = [
        deepeval(name, metric_data("Judge", 1.0), 1.0) | {"input": asked} for name, asked in names
    ]
    path = write(
        tmp_path,
        "p/.deepeval/.temp_test_run_data.json",
        json.dumps({"testRunData": {"testCases": cases}}),
    )
    rows, account, faults = imported(path, {"format": "deepeval", "epochs": "all"})
    assert (
        faults == []
        and account["run"].item() == "p"
        and "it stopped early" in account["notes"].item()
    )
    named = rows.select("question", "epoch").rows()
    assert named[:5] == [
        *[(f"test_all: Q{n}", 1) for n in range(3)],
        ("test_all: Q0", 2),
        ("alone", 1),
    ]
    assert named[5][0].startswith("test_all: long long") and len(named[5][0]) < 110
    assert [name for name, _ in named[6:]] == ["Capital?", "test_case_1: Sea?", "test_case_2: Sea?"]


def test_a_metric_of_deepeval_or_the_success_of_all(tmp_path):
    rows, *_ = read(tmp_path, "deepeval", metric="success")
    assert verdicts(rows) == SAMPLES["deepeval"].verdicts
    called = json.dumps(DEEPEVAL).replace('"Match"', '"success"')
    rows, *_ = read(tmp_path / "b", "deepeval", {"test_run_1.json": called}, metric="success")
    assert verdicts(rows)["org/model", "q3"] == "correct"
    _, _, faults = read(tmp_path, "deepeval", metric="Other")
    assert [(fault.found, fault.expected) for fault in faults] == [
        ("no metric 'Other'", "one of 'Judge', 'Match'")
    ]


# JSON in pieces.


@pytest.mark.parametrize("window", [1, 7, 64])
def test_pieces_are_the_same_whatever_is_decoded_at_a_time(monkeypatch, window):
    monkeypatch.setattr(json_pieces, "WINDOW", window)
    value = {
        "a": [1, 2.5e3, -7],
        "é": {"b": [{"x": "ÿ€😀\\"}, [], "]", 12345678901]},
        "z": float("-inf"),
    }
    for indent in (None, 2):
        data = json.dumps(value, indent=indent, ensure_ascii=False).encode()
        found = [(piece.path, piece.value) for piece in json_pieces.pieces((data,), ("é", "b"))]
        inside = [(("é", "b"), element) for element in value["é"]["b"]]
        assert found == [(("a",), value["a"]), *inside, (("z",), value["z"])]
    for bad in (
        "[1,]",
        "[1 2]",
        '{"a" 1}',
        "{1: 2}",
        "[1] 2",
        "[",
        '{"a":',
        '{"a": 1,}',
        "",
        "[1",
        '["a',
    ):
        with pytest.raises(json_pieces.NotJsonError):
            list(json_pieces.pieces((bad.encode(),), () if bad.startswith("[") else ("a", "b")))
