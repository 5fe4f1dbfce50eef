"""Logs of every harness, tiny ones with every state of the format."""

import io
import json
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
from nonresponse.ingest.readers import import_log
from reading import write


@dataclass(frozen=True)
class LogSample:
    """The files of a log, the one that `files:` names, further options, and the verdict of each run
    and question.

    Tests rename the run wherever its name stands in the files.
    """

    files: dict[str, str | bytes]
    path: str  # a file or a folder
    verdicts: dict[tuple[str, str], str]
    options: dict = field(default_factory=dict)
    outcome: str = "agrees"  # of the score that the log states with the one of its samples


def lines(*records: dict) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def render_file(name: str, content: object) -> str:
    """The text of a file by its ending; | stands between the lines of a table."""
    if name.endswith(".jsonl"):
        return lines(*content)
    if name.endswith(".json"):
        return json.dumps(content)
    return "".join(f"{line.strip(' ')}\n" for line in content.split("|"))


def inspect_sample(
    id: str | int, value: object, epoch: int = 1, reason: str | None = None, **fields
) -> dict:
    score = {"value": value, "answer": f"answer {id}"} | ({"reason": reason} if reason else {})
    choices = [{"message": {"content": "said"}, "stop_reason": "stop"}]
    sample = {"id": id, "epoch": epoch, "target": "x", "scores": {"qa": score}}
    return sample | {"output": {"choices": choices, "completion": "said"}} | fields


ACCURACY = {"name": "qa", "scorer": "qa", "metrics": {"accuracy": {"value": 1.5 / 6}}}
HELD_BACK = {"message": {"content": ""}, "stop_reason": "content_filter"}
FILTERED = {"choices": [HELD_BACK], "completion": ""}
INSPECT = {
    **{"version": 2, "status": "success"},
    "eval": {"model": "org/model:7b", "task": "toy", "config": {"epochs": 1}},
    "results": {"total_samples": 8, "completed_samples": 7, "scores": [ACCURACY]},
    "samples": [
        *[inspect_sample(f"q{n}", value) for n, value in enumerate("CINP", 1)],
        inspect_sample("q5", "I") | {"scores": {}, "error": {"message": "crashed"}},
        inspect_sample("q6", float("nan"), reason="grader_failed"),
        inspect_sample("q7", "I", output=FILTERED),
        inspect_sample(8, "I", limit={"type": "token"}),
    ],
}


def inspect_log(scores: dict[str, str], **about: object) -> str:
    """A log of Inspect with the value of each question by scorer, and with more of its header."""
    questions = range(len(next(iter(scores.values()))))
    values = [{scorer: {"value": row[n]} for scorer, row in scores.items()} for n in questions]
    samples = [inspect_sample(f"q{n}", "", scores=values[n]) for n in questions]
    metrics = {"metrics": {"accuracy": {"value": 0.5}}}
    results = {"scores": [{"name": name, "scorer": name} | metrics for name in scores]}
    log = INSPECT | {"eval": INSPECT["eval"] | about, "results": results, "samples": samples}
    return json.dumps(log)


PAIRS = [(-1.0, -0.5), (-0.25, -2.0), (-0.5, -0.75), (-3.0, -2.0), (-1.0, -2.0)]
CITIES = [("Rome", "Paris")] * 3 + [("Lima", "Oslo")] * 2
MC = [dict(zip(cities, pair, strict=True)) for cities, pair in zip(CITIES, PAIRS, strict=True)]


def lm_eval_line(id: int, filter: str, acc: float | None, acc_norm: float) -> dict:
    choices = {
        f"gen_args_{n}": {"arg_0": "Q", "arg_1": f" {name}"} for n, name in enumerate(MC[id])
    }
    return {
        **{"doc_id": id, "doc": {"question": f"question {id}"}, "target": "1", "filter": filter},
        **{"arguments": choices, "metrics": ["acc", "acc_norm"], "acc": acc, "acc_norm": acc_norm},
        "filtered_resps": [[str(score), "False"] for score in MC[id].values()],
    }


LM_EVAL = [lm_eval_line(id, "none", acc, 0.5) for id, acc in enumerate((1.0, 0.0, None, 0.5, 0.0))]
LM_EVAL[4]["not_attempted"] = 1
LM_EVAL += [lm_eval_line(id, "other", 0.0, 0.0) for id in range(5)]
LM_SCORES = {"acc,none": 0.375, "acc_norm,none": 0.5, "acc,other": 0.0, "acc_norm,other": 0.0}
LM_RESULTS = {"results": {"toy": LM_SCORES}, "model_name": "org/model"}
LM_RESULTS |= {"n-samples": {"toy": {"original": 5, "effective": 5}}}


def abstention(question: str, should: bool, abstained: bool | None, right: bool | None) -> dict:
    prompt = {"question": question, "reference_answers": None if should else ["gold"]}
    prompt |= {"should_abstain": should, "metadata": {}}
    entry = {"is_abstention": abstained, "is_response_correct": right}
    return {"prompt": prompt, "response": "said"} | entry


# Whether there should be no answer, there is none, and it is right
JUDGED = [(False, False, True), (False, False, False), (False, True, False), (True, True, None)]
JUDGED += [(True, False, None), (False, None, None), (False, False, None)]
ABSTENTION = {"responses": [abstention("abcdefg"[n], *row) for n, row in enumerate(JUDGED)]}
ABSTENTION_VERDICTS = {
    **{"set/0/ca978112": "correct", "set/1/3e23e816": "wrong", "set/2/2e7d2c03": "unanswered"},
    **{"set/3/18ac3e73": "unanswered", "set/4/3f79bb7b": "wrong", "set/5/252f10c8": "unscored"},
    "set/6/cd0aa985": "unscored",
}
SQUAD_QUESTIONS = [
    {"id": id, "question": "?", "answers": [{"text": gold}] * bool(gold), "is_impossible": not gold}
    for id, gold in {"h1": "The Paris", "h2": "Rome", "n1": "", "n2": "", "n3": ""}.items()
]
SQUAD_KEY = {"version": "v2.0", "data": [{"title": "t", "paragraphs": [{"qas": SQUAD_QUESTIONS}]}]}
SQUAD = {"h1": "paris.", "h2": "Milan", "n1": "", "n2": "Rome", "n3": "The."}


def helm_state(id: str, text: str, trial: int = 0, split: str = "test", **result) -> dict:
    references = [{"output": {"text": "Even"}, "tags": ["correct"]}]
    return {
        "instance": {"id": id, "split": split, "references": references},
        "train_trial_index": trial,
        "output_mapping": {"A": "Even", "B": "Odd"},
        "result": {"success": True, "completions": [{"text": text}]} | result,
    }


def helm_stats(
    id: str, mean: float | None, trial: int = 0, split: str = "test", quasi: float = 1.0
) -> dict:
    means = {"quasi_exact_match": quasi, "exact_match": mean}
    stats = [helm_stat(name, split, value) for name, value in means.items() if value is not None]
    return {"instance_id": id, "train_trial_index": trial, "stats": stats}


def helm_stat(name: str, split: str, mean: float) -> dict:
    return {"name": {"name": name, "split": split}, "mean": mean}


HELM_STATES = [
    *[helm_state(f"i{n}", " A") for n in range(1, 4)],
    helm_state("i4", "", success=False, error="down"),
    helm_state("i5", "B", split="valid"),
    helm_state("i1", "B", trial=1),
]
HELM_SPEC = {"name": "mmlu:subject=law,model=org_model", "adapter_spec": {"model": "org/model"}}
HELM = {
    "run_spec.json": HELM_SPEC,
    "scenario_state.json": {"request_states": HELM_STATES},
    "per_instance_stats.json": [
        # Each metric of a run has an entry of its own
        {"instance_id": "i1", "stats": [helm_stat("num_references", "test", 2.0)]},
        *[helm_stats(f"i{n}", mean) for n, mean in enumerate((1.0, 0.0, 0.5, 0.0), 1)],
        helm_stats("i5", 1.0, split="valid"),
        helm_stats("i1", 0.0, trial=1, quasi=0.5),
        helm_stats("i6", None),
    ],
    "stats.json": [helm_stat("exact_match", *stat) for stat in (("test", 0.1875), ("valid", 1.0))],
}


def promptfoo(
    test: int, question: str, success: bool, reason: int = 0, prompt: int = 0, **response
) -> dict:
    return {
        **{"provider": {"id": "openai:gpt", "label": "gpt"}, "testIdx": test, "promptIdx": prompt},
        **{"prompt": {"raw": "…", "label": "{{question}}"}, "vars": {"question": question}},
        "testCase": {"description": question, "assert": []},
        **{"success": success, "score": float(success), "failureReason": reason},
        "response": {"output": "said"} | response,
    }


PROMPTFOO = [
    promptfoo(0, "a", True),
    promptfoo(1, "b", False, 1),
    promptfoo(2, "c", True, isRefusal=True, output=""),
    promptfoo(3, "d", False, 2),
    promptfoo(4, "a", False, 1),
    promptfoo(5, "e", True) | {"gradingResult": {"pass": True, "reason": "No assertions"}},
]
PASSED = {"testPassCount": 3, "testFailCount": 2, "testErrorCount": 1}
PROMPTFOO_RESULTS = {"version": 3, "prompts": [{"provider": "gpt", "metrics": PASSED}]}
PROMPTFOO_FILE = {"evalId": "e", "results": PROMPTFOO_RESULTS | {"results": PROMPTFOO}}


def event(number: int, sample: str, type: str, **data) -> dict:
    return {"run_id": "r", "event_id": number, "sample_id": sample, "type": type, "data": data}


OPENAI = [
    {"spec": {"completion_fns": ["gpt"], "eval_name": "toy.v0"}},
    {"final_report": {"accuracy": 0.5}},
    event(0, "t.0", "sampling", sampled=["Paris"]),
    event(1, "t.0", "match", correct=True, picked="Paris"),
    event(2, "t.1", "match", correct=False, picked=None),
    event(3, "t.2", "error", message="down"),
    event(4, "t.3", "metrics", score=0.5),
    event(5, "t.4", "sampling", sampled=["?"]),
]


def lighteval(id: str, acc: float | None, em: float, silent: float = 0.0) -> dict:
    doc = {"id": id, "task_name": "toy|0", "query": "?", "choices": [" Rome", " Paris"]}
    response = {"text": [], "text_post_processed": [], "logprobs": [-0.5, -1.5]}
    metric = {"acc": acc, "em": em, "is_not_attempted": silent}
    return {"doc": doc | {"gold_index": 0}, "metric": metric, "model_response": response}


def parquet(rows: list[dict]) -> bytes:
    out = io.BytesIO()
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(out)
    return out.getvalue()


LIGHTEVAL = [lighteval("1", 1.0, 0.5), lighteval("0", 0.0, 1.0), lighteval("2", 0.25, 0.0)]
LIGHTEVAL += [lighteval("3", None, 0.0), lighteval("4", 0.0, 0.0, 1.0)]
LIGHT_RESULTS = {"config_general": {"model_name": "org/model"}}
LIGHT_RESULTS |= {"results": {"toy|0": {"acc": 1.25 / 4, "em": 0.3}}}

SIMPLE_EVALS = {
    "score": 0.25,
    "metrics": {"is_correct": 0.25, "is_incorrect": 0.25, "is_not_attempted": 0.5},
    "htmls": ["<p>Score: True</p>", *3 * ["<p>Score: False</p>"]],
    "convos": [[], [], [], []],
}

LABELS = {"a1": True, "a2": 0, "a3": None, "a4_abs": 1, "a5_abs": False}
LONGMEMEVAL = [
    {
        "question_id": id,
        "hypothesis": f"answer {id}",
        "autoeval_label": {"model": "m", "label": label},
    }
    for id, label in LABELS.items()
]
LONGMEMEVAL_KEY = [
    {"question_id": id, "question_type": "multi-session", "question": "?", "answer": 4}
    for id in LABELS
]


def metric_data(name: str, score: float | None, error: str | None = None) -> dict:
    data = {"name": name, "score": score, "success": score == 1}
    return data | {"evaluationModel": "gpt-4.1", "error": error}


def deepeval(name: str, judge: dict, match: float) -> dict:
    case = {"name": name, "input": f"question {name}", "actualOutput": f"answer {name}"}
    case |= {"success": judge["success"] and match == 1}
    return case | {"metricsData": [judge, metric_data("Match", match)]}


DEEPEVAL = {
    "identifier": "org/model",
    "testCases": [
        deepeval("q1", metric_data("Judge", 1.0), 1.0),
        deepeval("q2", metric_data("Judge", 0.0), 0.0),
        deepeval("q3", metric_data("Judge", None, "no JSON"), 1.0),
        {"name": "q4", "input": "?", "success": False, "trace": {"status": "ERRORED"}},
        deepeval("q1", metric_data("Judge", 0.0), 1.0),
    ],
    "conversationalTestCases": [],
    "metricsScores": [
        {"metric": "Judge", "scores": [1.0, 0.0, 0.0], "passes": 1, "fails": 2, "errors": 1},
        {"metric": "Match", "scores": [1.0, 0.0, 1.0, 1.0], "passes": 3, "fails": 1, "errors": 0},
    ],
    "testPassed": 1,
    "testFailed": 4,
}


def review(id: int, right: float | None, silent: float = 0.0, repetition: int = 0) -> dict:
    value = {"is_correct": right, "is_incorrect": 1 - (right or 0) - silent}
    score = {"value": value | {"is_not_attempted": silent}, "status": "success"}
    score |= {"value": {}, "status": "parse_error"} if right is None else {}
    score |= {"prediction": f"answer {id}", "main_score_name": "is_correct"}
    place = {"sample_id": 10 * id + repetition, "group_id": id, "generation_index": repetition}
    return {"index": id, "target": "x", "sample_score": {"score": score} | place}


EVALSCOPE = [review(0, 1.0), review(0, 0.0, 0.0, 1), review(1, 0.0), review(2, 0.0, 1.0)]
EVALSCOPE += [review(3, None), review(4, 0.5)]
SUBSETS = [{"name": ["default"], "subsets": [{"name": "main", "score": 0.3, "num": 5}]}]
IDENTITY = {"name": "is_correct", "aggregation": "mean", "dimensions": {}}
EVALSCOPE_REPORT = {"dataset_name": "toy", "model_name": "org/model"}
EVALSCOPE_REPORT |= {"metrics": [{"identity": IDENTITY, "categories": SUBSETS}]}


def rollout(id: int, reward: float | None, error: str | None = None) -> dict:
    completion = [{"role": "assistant", "content": f"answer {id}"}]
    rewarded = {"reward": reward, "error": error, "metrics": {"em": 0.0}}
    return {"example_id": id, "completion": completion} | rewarded


VERIFIERS = [rollout(0, 1.0), rollout(0, 0.0), rollout(1, 0.0), rollout(2, 0.5)]
VERIFIERS += [rollout(3, 0.0, "down"), rollout(4, None)]
VERIFIERS_ABOUT = {"env_id": "toy", "model": "org/model", "avg_reward": 0.3}
VERIFIERS_ABOUT |= {"avg_metrics": {"em": 0.0}}


def instance(
    id: str, score: float, epoch: int = 1, result: str = "qa:acc", error: str | None = None
) -> dict:
    return {
        **{"evaluation_id": "toy/1", "model_id": "org/model", "evaluation_name": "toy"},
        **{"evaluation_result_id": result, "sample_id": id, "output": {"raw": [f"answer {id}"]}},
        **{"evaluation": {"score": score, "is_correct": score > 0}, "error": error},
        "metadata": {"epoch": str(epoch)},
    }


EVERY_EVAL_EVER = [
    *(instance("a", 1.0), instance("a", 0.0, 2), instance("b", 0.0), instance("c", 0.5)),
    instance("d", 0.0, error="down"),
    *(instance(id, 0.0, result="qa:em") for id in "abcd"),
]
EVERY_EVAL_EVER_RESULTS = {
    "evaluation_id": "toy/1",
    "evaluation_results": [{"evaluation_result_id": "qa:acc", "score_details": {"score": 0.375}}],
}


def list_states(run: str, first: str, states: str) -> dict[tuple[str, str], str]:
    """Verdicts by run and question: the first one, and those of the letters or digits after it."""
    names = [f"{first[:-1]}{chr(ord(first[-1]) + n)}" for n in range(len(states.split()))]
    return {(run, name): state for name, state in zip(names, states.split(), strict=True)}


STATES = "correct wrong partial unanswered unscored error"
PROMPTFOO_STATES = "correct wrong unanswered error unscored"
UNSURE = "cannot be reconciled"
# Files that are read, and those beside them
LM = "out/samples_toy_2026-01-01T00-00-00.0.jsonl"
LM_BESIDE = "out/results_2026-01-01T00-00-00.0.json"
ABSTENTION_FILES = ("InferencePipeline", "LLMJudgeCorrectnessEvaluator")
LIGHT = "details/org/model/date/details_toy|0_date.parquet"
LIGHT_BESIDE = "results/org/model/results_date.json"
EVER, EVER_BESIDE = "data/u_samples.jsonl", "data/u.json"
REVIEWS, REPORT = "out/reviews/org/model/toy_main.jsonl", "out/reports/org/model/toy.json"
ROLLOUTS, ABOUT = (f"out/toy--org--model/1/{name}" for name in ("results.jsonl", "metadata.json"))

SAMPLES = {
    "inspect": LogSample(
        {"log.json": json.dumps(INSPECT, indent=1)},
        "log.json",
        list_states("org/model:7b", "q1", "correct wrong unanswered partial error unscored")
        | {("org/model:7b", "q7"): "unanswered", ("org/model:7b", "8"): "wrong"},
    ),
    "lm-eval": LogSample(
        {LM: lines(*LM_EVAL), LM_BESIDE: json.dumps(LM_RESULTS)},
        LM,
        list_states("org/model", "toy/0", "correct wrong unscored partial unanswered"),
    ),
    "abstentionbench": LogSample(
        {"set_model/date/config.json": '{"model_name": "org/model", "dataset_name": "set"}'}
        | {f"set_model/date/{name}.json": json.dumps(ABSTENTION) for name in ABSTENTION_FILES},
        "set_model/date",
        {("org/model", name): verdict for name, verdict in ABSTENTION_VERDICTS.items()},
        outcome=UNSURE,
    ),
    "squad2": LogSample(
        {"model.json": json.dumps(SQUAD), "key.json": json.dumps(SQUAD_KEY)}
        | {"na/model.json": '{"h1": 0.25, "h2": 0.1, "n1": 1, "n2": 0.75, "n3": 0}'},
        "model.json",
        list_states("model", "h1", "correct wrong")
        | list_states("model", "n1", "unanswered wrong unanswered"),
        {"key": "key.json"},
        UNSURE,
    ),
    "helm": LogSample(
        {f"mmlu:model=org_model/{name}": json.dumps(value) for name, value in HELM.items()},
        "mmlu:model=org_model",
        list_states("org/model", "mmlu:subject=law/i1", "correct wrong partial error")
        | {("org/model", "mmlu:subject=law/i6"): "unscored"},
    ),
    "promptfoo": LogSample(
        {"results.json": json.dumps(PROMPTFOO_FILE, indent=1)},
        "results.json",
        {
            ("gpt", f'{name} {{"question": "{name}"}}'): verdict
            for name, verdict in zip("abcde", PROMPTFOO_STATES.split(), strict=True)
        },
    ),
    "openai-evals": LogSample(
        {"log.jsonl": lines(*OPENAI)},
        "log.jsonl",
        list_states("gpt", "t.0", "correct wrong error partial unscored"),
    ),
    "lighteval": LogSample(
        {LIGHT: parquet(LIGHTEVAL), LIGHT_BESIDE: json.dumps(LIGHT_RESULTS)},
        LIGHT,
        list_states("org/model", "toy/0", "wrong correct partial unscored unanswered"),
    ),
    "longmemeval": LogSample(
        {"system.jsonl": lines(*LONGMEMEVAL), "key.json": json.dumps(LONGMEMEVAL_KEY)},
        "system.jsonl",
        list_states("system", "a1", "correct wrong unscored")
        | {("system", "a4_abs"): "unanswered", ("system", "a5_abs"): "wrong"},
        {"key": "key.json"},
        UNSURE,
    ),
    "deepeval": LogSample(
        {"test_run_1.json": json.dumps(DEEPEVAL, indent=1)},
        "test_run_1.json",
        list_states("org/model", "q1", "correct wrong unscored error"),
    ),
    "evalscope": LogSample(
        {REVIEWS: lines(*EVALSCOPE), REPORT: json.dumps(EVALSCOPE_REPORT)},
        REVIEWS,
        list_states("org/model", "toy_main/0", "correct wrong unanswered unscored partial"),
    ),
    "verifiers": LogSample(
        {ROLLOUTS: lines(*VERIFIERS), ABOUT: json.dumps(VERIFIERS_ABOUT)},
        ROLLOUTS,
        list_states("org/model", "toy/0", "correct wrong partial error unscored"),
    ),
    "every-eval-ever": LogSample(
        {EVER: lines(*EVERY_EVAL_EVER), EVER_BESIDE: json.dumps(EVERY_EVAL_EVER_RESULTS)},
        EVER,
        list_states("org/model", "toy/a", "correct wrong partial error"),
    ),
}
SAMPLES["ragas"] = LogSample(
    {
        "experiments/base.csv": "user_input,retrieved_contexts,response,reference,faithfulness,answer_correctness,idk\n"
        "q1,['x'],Rome,Rome,0.4,1.0,0\nq2,['x'],Milan,Cy,1.0,0,0\nq3,['x'],said,Dee M,1.0,0.75,0\n"
        "q4,['x'],no idea,Eve,1.0,0,1\nq5,['x'],,Eve,nan,,0\n"
        "q1,['x'; 'y'; 'a longer one'],Paris,Rome,0.4,0.0,0\n"
    },
    "experiments/base.csv",
    list_states("base", "q1", STATES.removesuffix(" error")),
    {"metric": "answer_correctness"},
    outcome=UNSURE,
)
SAMPLES["langsmith"] = LogSample(
    {
        "exp.csv": "inputs.question,outputs.answer,error,reference.answer,feedback.correct,feedback.kind,"
        "feedback.refusal,example_id,id\na?,Rome,,Rome,1.0,0,,e1,r1\n"
        "b?,Milan,,Cy,False,1,,e2,r2\nc?,said,,Dee M,0.75,1,,e3,r3\n"
        "d?,no,,Eve,0,0,1,e4,r4\ne?,Eve,,Eve,,1,,e5,r5\nf?,,down,Fay,0,1,,e6,r6\na?,Paris,,Rome (Roma),0,1,,e1,r7\n"
    },
    "exp.csv",
    list_states("exp", "e1", STATES),
    {"metric": "correct"},
    outcome=UNSURE,
)
SAMPLES["mlflow"] = LogSample(
    {
        "run.csv": "trace_id,state,request,response,correct/value,correct/rationale,kind/value,abstained/value\n"
        "t1,TraceState.OK,q1,Rome,yes,it is,no,no\nt2,TraceState.OK,q2,Milan,no,it is not,yes,no\n"
        "t3,OK,q3,said,0.75,nearly,,no\nt4,OK,q4,no,no,,,yes\nt5,OK,q5,Dee,,,,\nt6,TraceState.ERROR,q6,,no,,,\n"
        "t7,TraceState.OK,q1,Paris,no,it is not,yes,no\n"
    },
    "run.csv",
    list_states("run", "q1", STATES),
    {"metric": "correct"},
    outcome=UNSURE,
)
SIMPLE = "simpleqa_org_m_20260101_000000_allresults.json"
# Logs that are counts: the name of the file, and its content
COUNT_LOGS = {"simple-evals": (SIMPLE, json.dumps(SIMPLE_EVALS))}


def put(folder: Path, format: str, files: dict | None = None) -> tuple[str, dict]:
    """Write a log to a folder; return the path that `files:` matches, and options to read it."""
    sample = SAMPLES[format]
    for name, content in (sample.files if files is None else files).items():
        write(folder, name, content)
    names = {"key", "na_prob"} & sample.options.keys()
    paths = {name: str(folder / sample.options[name]) for name in names}
    return str(folder / sample.path), {"format": format} | sample.options | paths


def read(folder: Path, format: str, files: dict | None = None, **extra):
    """Rows, account and faults of a log."""
    path, options = put(folder, format, files)
    return import_log(path, options | extra)


def verdicts(rows: pl.DataFrame) -> dict[tuple[str, str], str]:
    return {
        tuple(key): verdict for *key, verdict in rows.select("run", "question", "verdict").rows()
    }
