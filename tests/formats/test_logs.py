"""What is particular to the logs of single harnesses, beside Inspect."""

import json
import math
from collections import Counter
from itertools import product
from pathlib import Path

import log_samples
import pytest
import yaml
from log_samples import SAMPLES, lines, promptfoo, put, read, render_file, verdicts
from nonresponse import campaign as config
from nonresponse import formats
from nonresponse.campaign import completion, paths
from nonresponse.formats import json_pieces, log_reader, openai_evals, words
from nonresponse.formats.logs import softmax
from nonresponse.ingest import imports, reading
from nonresponse.ingest.readers import import_log, read_logs
from reading import locate_faults, write


def summarise_log(path: str | Path, format: str, **options) -> tuple[dict[str, str], dict]:
    """The verdict on each question, and the row of imports.csv, of a file without faults."""
    rows, account, faults = import_log(str(path), {"format": format} | options)
    assert locate_faults(faults) == []
    row = imports.summarise_runs(account).row(0, named=True)
    return dict(rows.select("question", "verdict").rows()), row


def list_faults(path: str, format: str, **options) -> list[str]:
    return [fault.found for fault in import_log(path, {"format": format} | options)[2]]


def write_scored_log(format: str, folder, scores: list[dict]) -> str:
    """A log of a format with these scores."""
    pairs = [*enumerate(scores)]
    if format == "lm-eval":
        doc = {"filtered_resps": ["x"]}
        rows = [{"doc_id": n, "metrics": [*score]} | doc | score for n, score in pairs]
        return write(folder, "m/samples_t_2026-01-01T00-00-00.jsonl", lines(*rows))
    if format == "lighteval":
        docs = [{"doc": {"id": str(n), "task_name": "t"}, "metric": score} for n, score in pairs]
        answer = {"model_response": {"text": ["x"]}}
        content = log_samples.parquet([doc | answer for doc in docs])
        return write(folder, "details/m/1/details_t.parquet", content)
    if format == "ragas":
        rows = [{"user_input": f"q{n}", "response": "x"} | score for n, score in pairs]
        return write(folder, "t.jsonl", lines(*rows))
    samples = [{"sample_id": n, "score": {"value": score}} for n, score in pairs]
    rows = [{"index": n, "sample_score": score} for n, score in enumerate(samples)]
    return write(folder, "reviews/m/t_default.jsonl", lines(*rows))


LOGS = yaml.safe_load((Path(__file__).parent / "logs.yaml").read_text())
ABOUT = ("format", "options", "verdicts", "epochs", "columns", "row", "faults")


@pytest.mark.parametrize("name", LOGS)
def test_what_a_log_says(tmp_path, name):
    case = LOGS[name]
    files = {file: content for file, content in case.items() if file not in ABOUT}
    path, *_ = [write(tmp_path, file, render_file(file, text)) for file, text in files.items()]
    options = {"format": case["format"]} | case.get("options", {})
    rows, account, faults = import_log(path, options)
    for (_, found), part in zip(locate_faults(faults), case.get("faults", []), strict=True):
        assert part in found
    if "verdicts" in case:
        assert dict(rows.select("question", "verdict").rows()) == case["verdicts"]
    if "epochs" in case:
        assert [*map(list, rows.select("question", "epoch").rows())] == case["epochs"]
    for column, texts in case.get("columns", {}).items():
        assert sorted(rows[column]) == texts
    if "row" in case:
        row = imports.summarise_runs(account).row(0, named=True)
        for key, value in case["row"].items():
            assert value in row[key] if key == "remarks" else row[key] == value


SCORED = pytest.mark.parametrize("format", ["lm-eval", "lighteval", "evalscope", "ragas"])


@SCORED
@pytest.mark.parametrize(
    "names",
    ["incorrect correct not_attempted", "isIncorrect isCorrect isNotAttempted", "f1 em idk"],
)
def test_the_score_with_a_documented_name_counts_wherever_it_stands(tmp_path, format, names):
    states = [(0.0, 1.0, 0.0)] * 7 + [(1.0, 0.0, 0.0)] * 2 + [(0.0, 0.0, 1.0)]
    scores = [dict(zip(names.split(), state, strict=True)) for state in states]
    path = write_scored_log(format, tmp_path, scores)
    rows, account, faults = import_log(path, {"format": format})
    assert faults == [] and Counter(rows["verdict"]) == {"correct": 7, "wrong": 2, "unanswered": 1}
    assert f"metric {names.split()[1]!r} of" in account["chosen"].item()[0]


@SCORED
@pytest.mark.parametrize(
    "names", ["rouge1 rouge2", "detection_score", "hallucinated", "refusal", "mc1 incorrect"]
)
def test_a_score_without_a_documented_name_is_asked_for(tmp_path, format, names):
    """The meaning of numbers is never guessed, even of a single score; its name is the answer."""
    main, *_ = metrics = names.split()
    path = write_scored_log(format, tmp_path, [dict.fromkeys(metrics, n) for n in (1.0, 0.0)])
    [fault] = import_log(path, {"format": format})[2]
    assert "`metric:` in config.yaml" in fault.expected
    assert all(name in fault.found for name in metrics)
    is_less = words.plain_name(main) in words.LESS
    verdict_by_id, _ = summarise_log(path, format, metric=main, **({"best": 0} if is_less else {}))
    assert [*verdict_by_id.values()] == (["wrong", "correct"] if is_less else ["correct", "wrong"])


@pytest.mark.parametrize("better", [None, True, False])
def test_what_the_results_say_of_a_score_counts(tmp_path, better):
    path = write_scored_log("lm-eval", tmp_path, [{"bleu": 1.0}])
    write(tmp_path, "m/results_t.json", json.dumps({"higher_is_better": {"t": {"bleu": better}}}))
    assert bool(list_faults(path, "lm-eval")) == (better is not True)
    less = ["the metric 'bleu', of which less is better"] * (better is False)
    assert list_faults(path, "lm-eval", metric="bleu") == less
    assert summarise_log(path, "lm-eval", metric="bleu", best=0)[0] == {"t/0": "wrong"}


@pytest.mark.parametrize("acc", [0.0, 0.4, 1.0])
def test_a_score_of_silence_counts_unless_the_answer_is_right(tmp_path, acc):
    text = lines(log_samples.LM_EVAL[0] | {"acc": acc, "not_attempted": True})
    verdict_by_id, row = summarise_log(write(tmp_path, "samples_t.jsonl", text), "lm-eval")
    assert verdict_by_id == {"t/0": "correct" if acc == 1 else "unanswered"}
    assert "'not_attempted' is 1" in row["remarks"]


MEANS = [
    ("ragas", "faithfulness", 3.8),
    ("ragas", "answer_correctness", 1.75),
    ("mlflow", "correct", 1.75),
]


@pytest.mark.parametrize(("format", "metric", "sum"), MEANS)
def test_the_mean_of_a_column_is_that_of_all_rows_that_were_scored(tmp_path, format, metric, sum):
    path, options = put(tmp_path, format)
    account = import_log(path, options | {"metric": metric})[1]
    assert account["recomputed"].item() == pytest.approx(sum / 5)
    rows, _, faults = import_log(path, options | {"correct_from": 0.5})
    assert faults == [] and "partial" not in rows["verdict"]
    assert verdicts(rows)[rows["run"][0], "q3"] == "correct"


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([-math.inf, -2.0], (1, 1.0)),
        ([-1.0, -math.inf, -1.0], (0, 0.5)),
        *(([*pair], None) for pair in [(-math.inf, -math.inf), (math.inf, -1), (math.nan, -1)]),
        ([-1.0], None),
    ],
)
def test_a_choice_that_cannot_be_has_no_share(tmp_path, scores, expected):
    assert softmax(scores) == expected
    doc = log_samples.lm_eval_line(0, "none", 1.0, 1.0)
    doc["filtered_resps"] = [[str(score), "False"] for score in scores]
    rows = import_log(write(tmp_path, "samples_t.jsonl", lines(doc)), {"format": "lm-eval"})[0]
    assert rows["confidence"].item() == (expected and expected[1])


def test_lm_eval_without_results_or_with_too_few_samples(tmp_path):
    path, _ = put(tmp_path, "lm-eval")
    expected, results = summarise_log(path, "lm-eval"), tmp_path / log_samples.LM_BESIDE
    # Results may have the name of the output path
    new_results = results.rename(results.with_name("gpt_2026-01-01T00-00-00.0.json"))
    assert summarise_log(path, "lm-eval") == expected
    new_results.unlink()
    row = summarise_log(path, "lm-eval")[1]
    assert row["run"] == "out" and "no results state acc,none of toy" in row["remarks"]
    results.write_text(json.dumps(log_samples.LM_RESULTS))
    write(tmp_path, log_samples.LM, lines(*log_samples.LM_EVAL[:2]))
    assert "2 of 5 samples in the log" in summarise_log(path, "lm-eval")[1]["remarks"]
    assert list_faults(path, "lm-eval", metric=",x") == ["no filter 'x'"]
    assert list_faults(path, "lm-eval", metric="x") == ["no metric 'x'"]


@pytest.mark.parametrize("stats", [True, False])
@pytest.mark.parametrize("split", ["test", "valid", "validation"])
def test_a_run_of_helm_of_any_split(tmp_path, split, stats):
    """By what its stats state; without them, by those of its instances."""
    files = {
        name: content.replace('"valid"', '"gone"').replace('"test"', f'"{split}"')
        for name, content in SAMPLES["helm"].files.items()
        if stats or not name.endswith("/stats.json")
    }
    rows, account, faults = read(tmp_path, "helm", files)
    if split == "validation":  # of several that are neither test nor valid it is unknown
        assert [fault.found for fault in faults] == ["the splits 'gone', 'validation'"]
        return
    assert verdicts(rows) == SAMPLES["helm"].verdicts
    outcome = imports.summarise_runs(account)["outcome"].item()
    assert outcome == ("agrees" if stats else "cannot be reconciled")


def test_metrics_of_helm_that_measure_the_request_are_no_choice(tmp_path):
    names = ("num_prompt_tokens", "inference_runtime", "finish_reason_stop", "f1_score")
    stats = [log_samples.helm_stat(name, "test", 1.0) for name in names]
    entries = {
        "mmlu:model=org_model/per_instance_stats.json": [{"instance_id": "i", "stats": stats}]
    }
    texts = {name: json.dumps(value) for name, value in entries.items()}
    folder, _ = put(tmp_path, "helm", SAMPLES["helm"].files | texts)
    assert log_reader.list_score_choices(formats.LOGS["helm"], folder) == (["f1_score"], False)


CHAT = {"chat": "0f0e0d0c-0b0a-4908-8706-05040302010@"}
FILLED = {  # what a run fills in: in the test, in the result, and by which option
    "conversation": ({}, {"_conversation": [{"input": "a", "output": "@"}]}, {}),
    "register": ({}, {"summary": "what @ said"}, {}),
    "session": ({"sessionId": "session of @"}, {"sessionId": "session of @"}, {}),
    "drawn": (CHAT, CHAT, {"transformVars": "{ ...vars, chat: context.uuid }"}),
}


@pytest.mark.parametrize("transform", FILLED)
def test_what_a_run_fills_in_is_no_part_of_a_question(tmp_path, transform):
    """Questions have the same names for two systems in a file, and in a file with more tests."""
    test_vars, result_vars, options = FILLED[transform]

    def fill(variables: dict, country: str, word: str) -> dict:
        return {"country": country} | json.loads(json.dumps(variables).replace("@", word))

    names = {}
    for file, countries in enumerate((["France", "Peru"], ["Peru", "Chad", "France"])):
        results = []
        for system, (test, country) in product((0, 1), enumerate(countries)):
            drawn_ids = str(3 * file + test)
            case = {
                "testCase": {"vars": fill(test_vars, country, drawn_ids), "options": options},
                "vars": fill(result_vars, country, drawn_ids if test_vars else str(system)),
            }
            run = {"provider": {"id": f"m{system}{file}"}, "promptIdx": system}
            results.append(promptfoo(test, country, True) | run | case)
        path = write(tmp_path, f"{file}.jsonl", lines(*results))
        rows, _, faults = import_log(path, {"format": "promptfoo"})
        assert faults == [] and rows.height == 2 * len(countries)
        names |= {run: set(group["question"]) for (run,), group in rows.group_by("run")}
    assert names["m00"] == names["m10"] < names["m01"] == names["m11"]


def test_names_of_promptfoo(tmp_path):
    """Tests that ask different things are different questions; each prompt is a run."""
    results = [
        promptfoo(test, "a", test != 1)
        | {"testCase": {"vars": {"q": "France"}, "assert": [{"value": word}]}}
        for test, word in enumerate(["Paris", "EUR", "Paris"])
    ]
    options = {"format": "promptfoo", "epochs": "all"}
    rows, _, _ = import_log(write(tmp_path, "a.jsonl", lines(*results)), options)
    assert rows["question"].n_unique() == 2 and sorted(rows["epoch"]) == [1, 1, 2]
    twice = list_faults(write(tmp_path, "b.jsonl", lines(*results, results[1])), "promptfoo")
    assert twice == ["a second result of test 1, prompt 0, as on line 2"]
    bare = [promptfoo(test, "x", True) | {"testCase": {}, "vars": {}} for test in (0, 1)]
    path = write(tmp_path, "c.jsonl", lines(*bare))
    assert [*summarise_log(path, "promptfoo")[0]] == ["test 0", "test 1"]
    labels = ["Answer:\n{{question}}\t", "Say\r\nnothing\u2028or \x1b[1manswer:\n\n{{question}}"]
    prompts = [
        promptfoo(0, "a", True, prompt=n) | {"prompt": {"label": label}}
        for n, label in enumerate(labels)
    ]
    rows, *_ = import_log(write(tmp_path, "d.jsonl", lines(*prompts)), options)
    expected = ["Answer: {{question}}", "Say nothing or [1manswer: {{question}}"]
    names = [run.partition(", prompt: ")[2] for run in rows["run"].unique().sort()]
    assert names == expected


def test_a_test_of_promptfoo_is_unscored_if_only_its_judge_failed(tmp_path):
    """An assertion that failed beside it says that the answer is wrong."""
    passed, failed = {"pass": True}, {"pass": False}
    broken = failed | {"metadata": {"graderError": True}}
    cases = {
        "unscored": (False, [passed, broken]),
        "wrong": (False, [broken, failed]),
        "correct": (True, [broken]),  # by a threshold
    }
    results = [
        promptfoo(test, verdict, success, int(not success))
        | {"gradingResult": {"pass": success, "componentResults": parts}}
        for test, (verdict, (success, parts)) in enumerate(cases.items())
    ]
    path = write(tmp_path, "a.jsonl", lines(*results))
    assert [*summarise_log(path, "promptfoo")[0].values()] == [*cases]


@pytest.mark.parametrize("ids", [True, False])
def test_two_runs_in_a_file_of_openai_evals_are_refused(tmp_path, ids):
    """Samples of two runs would mix. Without a second spec, the ids of runs give it away."""
    logs = []
    for name, samples in {"gpt": ["t.0", "t.1"], "other": ["t.2", "t.3"]}.items():
        run_id = {"run_id": f"run {name}"} if ids else {}
        match = {"type": "match", "data": {"correct": True}} | run_id
        spec = {"spec": {"completion_fns": [name]} | run_id}
        logs.append([spec, *({"sample_id": id} | match for id in samples)])
    (spec, *body), (other_spec, *other_body) = logs
    mixes = [[spec, *body, other_spec, *other_body], [spec, other_spec, *body, *other_body]]
    for records in [*mixes, *[[spec, *body, *other_body]] * ids]:
        path = write(tmp_path, "log.jsonl", lines(*records))
        faults = import_log(path, {"format": "openai-evals"})[2]
        assert faults and all(fault.expected == openai_evals.ONE_RUN for fault in faults)


def test_the_articles_of_squad2_are_clusters_of_questions(tmp_path):
    """A campaign that names the data file has clusters by itself."""
    articles = [("Rome", "a", ["x"]), ("Rome", "b", []), ("Oslo", "c", ["y", "z"]), (None, "d", [])]
    data = [
        {"title": title, "paragraphs": [{"qas": [{"id": id, "answers": [{"text": x} for x in golds]}]}]}
        for title, id, golds in articles
    ]  # fmt: skip
    file = write(tmp_path, "dev.json", json.dumps({"data": data}))
    graded = {"format": "squad2", "files": "x.json", "key": file}
    campaign = {"graded": graded, "task": "qa", "measures": ["c@1"]}
    completion.complete(campaign)
    assert config.has_clusters(campaign) and paths.find_question_file(campaign) == file
    questions, faults = reading.read_questions(campaign["questions"])
    rows = questions.select("cluster", "question", "has_answer", "category").rows()
    kinds = {True: "HasAns", False: "NoAns"}
    expected = [(title, id, bool(golds), kinds[bool(golds)]) for title, id, golds in articles]
    assert faults == [] and rows == expected


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        ((0.5, 0.3, 0.2), ["is_incorrect '0.3' of 4 questions", "is_not_attempted '0.2' of 4 questions"]),
        ((0.5, 0.25, 0.0), ["grades of 3 of 4 questions"]),
    ],
)  # fmt: skip
def test_simple_evals_that_are_no_whole_counts(tmp_path, metrics, expected):
    names = ("is_correct", "is_incorrect", "is_not_attempted")
    log = {"score": 0.5, "convos": [[]] * 4, "metrics": dict(zip(names, metrics, strict=True))}
    name = "simpleqa_org_model_20260101_000000_DEBUG_allresults.json"
    files = [write(tmp_path, name, json.dumps(log))]
    _, _, faults = read_logs(files, {"format": "simple-evals"}, "qa")
    assert [fault.found for fault in faults] == expected


@pytest.mark.parametrize("run", ["a", "a-b.c", "longmemeval-hypotheses"])
def test_longmemeval_whatever_the_ending(tmp_path, run):
    endings = {"a": ".eval-results-x.jsonl", "a-b.c": ".jsonl.eval-results-gpt-4o-mini.backup_1"}
    path = write(tmp_path, run + endings.get(run, ".jsonl"), lines(*log_samples.LONGMEMEVAL))
    rows, *_ = import_log(path, {"format": "longmemeval"})
    sample = SAMPLES["longmemeval"].verdicts
    assert verdicts(rows) == {(run, id): verdict for (_, id), verdict in sample.items()}


@pytest.mark.parametrize("name", ["mem.jsonl", "mem.json"])
def test_longmemeval_as_others_write_down_what_a_judge_said(tmp_path, name):
    labels = {"q1": "Yes", "q2_abs": "yes", "q3": "No", "q4_abs": "no", "q5": None}
    values = [{"question_id": id, "judge": {"says": word}} for id, word in labels.items()]
    text = lines(*values) if name.endswith("l") else json.dumps(values, indent=1)
    found, row = summarise_log(write(tmp_path, name, text), "longmemeval", metric="judge.says")
    assert [*found.values()] == ["correct", "unanswered", "wrong", "wrong", "unscored"]
    assert row["recomputed"] == 0.5
    broken = write(tmp_path, name, text.replace("Yes", "maybe"))
    found = list_faults(broken, "longmemeval", metric="judge.says")
    assert found == ["the label 'maybe' of question 'q1'"]


def test_categories_and_right_answers_of_longmemeval_are_those_of_the_key(tmp_path):
    key_rows = enumerate(log_samples.LONGMEMEVAL_KEY)
    questions = [row | {"question_type": f"type {n}", "answer": n} for n, row in key_rows]
    key = write(tmp_path, "key.json", json.dumps(questions))
    path = write(tmp_path, "s.jsonl", lines(*log_samples.LONGMEMEVAL[:-1]))
    rows, account, _ = import_log(path, {"format": "longmemeval", "key": key})
    assert rows["category"].to_list() == [f"type {place}" for place in range(4)]
    assert rows["gold"].to_list() == ["0", "1", "2", ""]  # of _abs there is none
    assert account["notes"].item().to_list() == ["1 of 5 questions of the key are missing"]
    short_key = write(tmp_path, "other.json", json.dumps(questions[:2]))
    unknown = ["the question 'a3'", "the question 'a4_abs'"]
    assert list_faults(path, "longmemeval", key=short_key) == unknown


def test_verifiers_by_a_metric_or_by_a_reward_beyond_one(tmp_path):
    rows = [row | {"old": 1.0} for row in log_samples.VERIFIERS]
    path = write(tmp_path, "math--org--m/1/results.jsonl", lines(*rows))
    verdict_by_id, row = summarise_log(path, "verifiers", metric="em")
    assert {*verdict_by_id.values()} == {"wrong", "error"} and row["run"] == "org--m"
    assert "math/0" in verdict_by_id
    # As older results have metrics
    assert summarise_log(path, "verifiers", metric="old")[0]["math/1"] == "correct"
    path = write(tmp_path, "a/results.jsonl", lines(log_samples.rollout(0, 1.5)))
    assert list_faults(path, "verifiers") == ["the reward '1.5' of '0'"]


@pytest.mark.parametrize(("tasks", "models"), [("xy", "m"), ("x", "mn")])
def test_every_eval_ever_of_several_evaluations_or_models(tmp_path, tasks, models):
    """Of each the first result counts, or the one that is named."""
    rows = [
        log_samples.instance(id, 1.0, result=f"{metric}-{task}{model}")
        | {"evaluation_name": task, "model_id": model}
        for model, task, metric, id in product(models, tasks, ("acc", "f1"), "ab")
    ]
    path = write(tmp_path, "u_samples.jsonl", lines(*rows))
    graded, account, faults = import_log(path, {"format": "every-eval-ever"})
    assert faults == [] and graded.height == 4 and {*graded["run"]} == {*models}
    assert all("of 'acc-" in ", ".join(notes) for notes in account["notes"])
    found_faults = list_faults(path, "every-eval-ever", metric="f1-xm")
    assert found_faults == ([] if len(models) == 1 else ["no result 'f1-xm' of run 'n'"])


@pytest.mark.parametrize("window", [1, 7, 64])
def test_pieces_are_the_same_whatever_is_decoded_at_a_time(monkeypatch, window):
    monkeypatch.setattr(json_pieces, "WINDOW", window)
    inner = [{"x": "ÿ€😀\\"}, [], "]", 12345678901]
    value = {"a": [1, 2.5e3, -7], "é": {"b": inner}, "z": float("-inf")}
    for indent in (None, 2):
        data = json.dumps(value, indent=indent, ensure_ascii=False).encode()
        pieces = [
            (piece.path, piece.value) for piece in json_pieces.split_value((data,), ("é", "b"))
        ]
        elements = [(("é", "b"), element) for element in inner]
        assert pieces == [(("a",), value["a"]), *elements, (("z",), value["z"])]
    broken = "[1,]|[1 2]|{'a' 1}|{1: 2}|[1] 2|[|{'a':|{'a': 1,}||[1|['a".replace("'", '"')
    for bad in broken.split("|"):
        place = () if bad.startswith("[") else ("a", "b")
        with pytest.raises(json_pieces.NotJsonError):
            list(json_pieces.split_value((bad.encode(),), place))


def test_the_line_of_what_is_wrong_with_json(tmp_path):
    """Within a value that begins further up, and beyond what is decoded at a time."""
    faults: list = []
    text = '{"a": [\n"' + "x" * 200_000 + '",\n{"b": 1,\n"c" 2}]}'
    json_pieces.read_value(write(tmp_path, "a.json", text), {}, faults)
    assert locate_faults(faults) == [(4, "text that is not JSON (Expecting ':' delimiter)")]
