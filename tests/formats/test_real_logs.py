"""Test real logs: the verdicts of each, and its stated headline, recomputed."""

import json
import math
from collections import Counter

import polars as pl
import pytest
from conftest import HOME
from nonresponse.ingest import imports
from nonresponse.ingest.files import match_files
from nonresponse.ingest.readers import import_log
from reading import DATA, locate_faults, needs

REAL = DATA / "logs"
KEY, NA_PROB = str(REAL / "squad2/data.json"), str(REAL / "squad2/na_prob.json")
CLARIFY = "Clarification Check [GEval]"
# Format, files, options; the verdicts, the outcome, and the stated or recomputed headline.
ALL_VERDICTS = "correct 3 wrong 3 partial 2 unanswered 4 unscored 4 error 4"
ONE_VERDICT = "correct 1 wrong 2 partial 1 unanswered 2 unscored 2 error 2"
PROMPTS = "correct 8 wrong 16 unanswered 4 error 4"
EEE = "correct 1 wrong 5 partial 2 error 2"
UNSURE, MC = "cannot be reconciled", "lm_eval/*/samples_*_mc_*.jsonl"
SQUAD_BY = {"key": KEY, "na_prob": NA_PROB, "threshold": 0.3}
TOOLS = {"metric": "Tool Correctness"}
LOGS = [
    ("inspect", "inspect_ai/eval/*.eval", {"epochs": "all"}, ALL_VERDICTS, "agrees", 1 / 3),
    ("inspect", "inspect_ai/json/*K4nA*.json", {}, ONE_VERDICT, "agrees", 0.25),
    ("inspect", "inspect_ai/real/data_arc_qwen.json", {}, "correct 1 wrong 2", "agrees", 1 / 3),
    ("lm-eval", MC, {"metric": "acc_norm"}, "correct 1 wrong 2", "agrees", 1 / 3),
    ("lm-eval", "lm_eval/*/samples_*_gen_*.jsonl", {"metric": ",word"}, "wrong 3", "agrees", 0.0),
    ("abstentionbench", "abstentionbench/*/*", {}, "correct 1 wrong 1 unanswered 3", UNSURE, 0.4),
    ("squad2", "squad2/pred*", {"key": KEY}, "correct 1 wrong 1 unanswered 2", UNSURE, 50.0),
    ("squad2", "squad2/pred*", SQUAD_BY, "correct 1 unanswered 3", UNSURE, 75.0),
    ("helm", "helm/*", {}, "wrong 4", "agrees", 0.0),
    ("promptfoo", "promptfoo/results.json", {"epochs": "runs"}, PROMPTS, "agrees", None),
    ("promptfoo", "promptfoo/results.jsonl", {"epochs": "runs"}, PROMPTS, UNSURE, None),
    ("openai-evals", "openai_evals/*.jsonl", {}, "correct 1 wrong 2", "agrees", 1 / 3),
    ("lighteval", "lighteval/details/**/*.parquet", {}, "wrong 6", "agrees", None),
    ("longmemeval", "longmemeval/*", {}, "correct 434 wrong 40 unanswered 26", UNSURE, 0.92),
    ("deepeval", "deepeval/real/*_test_run.json", TOOLS, "correct 3 wrong 1", "agrees", 0.75),
    ("deepeval", "deepeval/real/teradata.json", {"metric": CLARIFY}, "unscored 3", UNSURE, None),
    ("every-eval-ever", "every_eval_ever/*_samples.jsonl", {}, EEE, "differs", None),
]


def read_real(format: str, pattern: str, **options) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows, and the rows of imports.csv, of all logs that match."""
    files = match_files(str(REAL / pattern), format in ("helm", "abstentionbench")).files
    logs = [import_log(path, {"format": format} | options) for path in files]
    assert files and [locate_faults(faults) for *_, faults in logs] == [[]] * len(files)
    return pl.concat(rows for rows, *_ in logs), imports.summarise_runs(
        pl.concat(account for _, account, _ in logs)
    )


@needs("logs")
@pytest.mark.parametrize(("format", "pattern", "options", "states", "outcome", "headline"), LOGS)
def test_the_verdicts_and_the_headline_of_a_real_log(
    format, pattern, options, states, outcome, headline
):
    rows, account = read_real(format, pattern, **options)
    words = states.split()
    assert Counter(rows["verdict"]) == dict(zip(words[::2], map(int, words[1::2]), strict=True))
    assert account["outcome"].unique().to_list() == [outcome]
    if headline is not None:
        assert account["recomputed"].item() == pytest.approx(headline)
        assert account["stated"].item() in (None, pytest.approx(headline))


SQUAD = {"a1": "correct", "a2": "correct", "a3": "wrong", "a4": "unanswered"}
SQUAD |= {"n1": "unanswered", "n2": "unanswered", "n3": "wrong", "n4": "unanswered"}


def test_squad_within_lm_eval_is_read_by_its_own_rule():
    """The harness scores "unanswerable" 0, though it is right where a question has no answer."""
    [path] = (HOME / "tests/detect/cases").glob("lm-eval-squadv2/out/*/samples_*.jsonl")
    rows, account, faults = import_log(str(path), {"format": "lm-eval"})
    assert faults == [] and rows["verdict"].to_list() == [*SQUAD.values()]
    assert [gold == "" for gold in rows["gold"]] == [id[0] == "n" for id in SQUAD]
    row = imports.summarise_runs(account).row(0, named=True)
    assert (row["outcome"], row["stated"], row["recomputed"]) == ("agrees", 25.0, 25.0)


@needs("logs")
@pytest.mark.parametrize(
    ("format", "pattern", "question", "scores"),
    [
        ("lm-eval", MC, "toy_mc/1", [-0.540283606970324, -0.814466863291336, -0.9638385459738009, -0.603185627961383]),
        ("lighteval", "lighteval/details/**/*.parquet", "toymc/1", [-0.0250107552, -0.6394267985, -0.2750293184]),
    ],
)  # fmt: skip
def test_confidences_are_the_share_of_the_likeliest_choice(format, pattern, question, scores):
    row = read_real(format, pattern)[0].filter(question=question).row(0, named=True)
    assert row["answer"] == " Paris"
    assert row["confidence"] == pytest.approx(math.exp(scores[0]) / sum(map(math.exp, scores)))
    # By acc_norm it is that per length
    assert read_real("lm-eval", MC, metric="acc_norm")[0]["answer"][1] == " I don't know"


@needs("logs")
def test_squad2_as_its_own_script():
    rows, account = read_real("squad2", "squad2/predictions.json", key=KEY)
    scores = json.loads((REAL / "squad2/eval.json").read_text())
    right = (rows["verdict"] == "correct") | (
        (rows["gold"] == "") & (rows["verdict"] == "unanswered")
    )
    shares = rows.with_columns(right=right).group_by("category").agg(100 * pl.col("right").mean())
    assert dict(shares.rows()) == {"HasAns": scores["HasAns_exact"], "NoAns": scores["NoAns_exact"]}
    assert account["recomputed"].item() == scores["exact"]


FRANCE, MATCHES = "Capital of France?", "rule | The actual and expected outputs are exact matches."
TEXTS = [  # question, correct answer and explanation of the first sample
    ("inspect", "inspect_ai/json/*K4nA*", FRANCE, "Paris", "rule"),
    ("lm-eval", "lm_eval/*/samples_toy_gen*", FRANCE, "Paris", None),
    ("lm-eval", "lm_eval/*/samples_toy_mc*", FRANCE, " Paris", None),
    ("abstentionbench", "abstentionbench/*/2026*", f"What is the c{FRANCE[1:]}", "Paris", "correct"),
    ("helm", "helm/simple*", "Is 70 even or odd?", "Even", None),
    ("promptfoo", "promptfoo/results.json", "Paris", None, "All assertions passed"),
    ("openai-evals", "openai_evals/*.jsonl", "Capital of Peru?", "Lima", None),
    ("lighteval", "lighteval/details/*/*/*toymc*", "Question: Capital of Italy?\nAnswer:", " Rome", None),
    ("deepeval", "deepeval/test_run*", FRANCE, "Paris", MATCHES),
    ("every-eval-ever", "every_eval_ever/*_samples.jsonl", FRANCE, "Paris", None),
]  # fmt: skip


@needs("logs")
@pytest.mark.parametrize(("format", "pattern", "query", "target", "explanation"), TEXTS)
def test_what_a_log_says_beside_answers_comes_along(format, pattern, query, target, explanation):
    rows, _ = read_real(format, pattern)
    assert rows.select("asked", "target", "explanation").row(0) == (query, target, explanation)
