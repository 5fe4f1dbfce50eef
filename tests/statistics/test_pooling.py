"""What a run owes to its part in the pool, beside judging and scoring everything again without its
own answers."""

import random

import databases
import numpy as np
import polars as pl
import pytest
from nonresponse import measures, tasks
from nonresponse.statistics import pooling
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.rankings import kendall_tau_b
from pipeline import Campaign

MEASURES = ["c@1", "nil_recall", "map", "k1", "cws", "aurc", "wrong_rate", "mean(c@1,cws)"]

TOLD_BY_ALL = 5  # a question to which no run alone finds an answer, so that it is not judged again


def made(seed: int) -> tuple[dict, list[dict]]:
    """Runs that share some of their answers, in up to two ranks, and judgments of most of these.

    With an odd seed alpha was asked two questions several times, and delta was not asked the first.
    """
    draw = random.Random(seed)
    runs, judged = {}, {}
    for run in ("alpha", "beta", "gamma", "delta"):
        runs[run] = []
        for question in range(12):
            chosen = (
                draw.sample(["a", "b", "c", f"own {run}", "NIL", None], 2)
                if question != TOLD_BY_ALL
                else ["a"]
            )
            for rank, answer in enumerate(chosen if None not in chosen else chosen[:1], 1):
                row = {
                    "question": f"q{question:02}",
                    "rank": str(rank),
                    "answer": answer,
                    "epoch": "1",
                }
                row |= {"confidence": str(draw.random()), "score": str(draw.random())}
                if not (seed % 2 and run == "delta" and question == 0):
                    runs[run].append(row)
                if seed % 2 and run == "alpha":
                    epochs = {0: "123", TOLD_BY_ALL: "12"}.get(question, "1")[1:]
                    runs[run] += [row | {"epoch": epoch} for epoch in epochs]
                if answer not in (None, "NIL") and draw.random() < 0.9:
                    key = (row["question"], answer)
                    judged.setdefault(key, draw.choice("RRWU"))
    return runs, [{"question": q, "answer": a, "label": label} for (q, a), label in judged.items()]


def found_alone(runs: dict, judgments: list[dict]) -> dict[str, set]:
    """The correct answers of each run that no other gave."""
    right = {(row["question"], row["answer"]) for row in judgments if row["label"] == "R"}
    given = {
        run: {(row["question"], row["answer"]) for row in rows} & right
        for run, rows in runs.items()
    }
    return {
        run: own - set().union(*(given[other] for other in runs if other != run))
        for run, own in given.items()
    }


def scores(made: Campaign) -> dict[str, dict]:
    return {id: dict(made.values(id).select("run", "value").iter_rows()) for id in MEASURES}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_as_judged_and_scored_again(seed, tmp_path, monkeypatch):
    monkeypatch.setattr("duckdb.connect", databases.unoptimised)
    runs, judgments = made(seed)
    options = {"nil": ["NIL"]}
    missing = {"missing": "exclude" if seed % 2 else "unanswered"}
    whole = Campaign(tmp_path / "whole").judged(
        runs, {"gold": judgments}, options=options, **missing
    )
    settings = {
        "measures": MEASURES,
        "correct": ["R"],
        "partial": [],
        "policy": tasks.POLICIES,
    } | missing
    folder = whole.folder
    responses = sorted((folder / "responses").glob("*.parquet"))
    pool = [whole.verdicts, folder / "questions.parquet", folder / "judgments.parquet", *responses]
    [table] = pooling.summarise(Inputs(pool=pool), "qa", settings)
    compared = [row for row in judgments if not (seed % 2 and row["question"] == "q00")]
    alone = {run: own for run, own in found_alone(runs, compared).items() if own}
    assert alone and table.height == len(alone) * len(MEASURES)
    questions, before = pl.read_parquet(folder / "questions.parquet").to_dicts(), scores(whole)
    for run, own in alone.items():
        left = [row for row in judgments if (row["question"], row["answer"]) not in own]
        after = scores(
            Campaign(tmp_path / run).judged(runs, {"gold": left}, questions, options, **missing)
        )
        for id in MEASURES:
            row = table.row(
                by_predicate=(pl.col("measure") == id) & (pl.col("run") == run), named=True
            )
            assert (row["correct_answers"], row["questions"]) == (
                len(own),
                len({question for question, _ in own}),
            )
            assert row["value"] == pytest.approx(before[id][run])
            assert row["without"] == pytest.approx(after[id][run])
            ranked = [name for name in runs if None not in (before[id][name], after[id][name])]
            sign = 1 if measures.get("qa", id).higher_is_better else -1
            both = [[sign * scored[id][name] for name in ranked] for scored in (before, after)]
            assert row["tau"] == pytest.approx(kendall_tau_b(*np.array(both)))
    assert (table["change"].abs() > 0).any()


def test_nothing_that_one_run_found_alone(tmp_path):
    rows = [{"question": "q", "answer": "x"}]
    made = Campaign(tmp_path).judged(
        {"a": rows, "b": rows}, {"gold": [{"question": "q", "answer": "x", "label": "R"}]}
    )
    settings = {"measures": ["c@1"], "correct": ["R"], "partial": [], "policy": tasks.POLICIES}
    responses = sorted((tmp_path / "responses").glob("*.parquet"))
    pool = [
        made.verdicts,
        tmp_path / "questions.parquet",
        tmp_path / "judgments.parquet",
        *responses,
    ]
    [table] = pooling.summarise(Inputs(pool=pool), "qa", settings)
    assert table.is_empty() and table.schema == pooling.POOLING
    assert made.score("c@1", "a") == 1
