"""What a result must not depend on: what another assessor judged, and over how many shards the
files are spread."""

from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from nonresponse import measures, tables, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.measures import orderings
from pipeline import Campaign, outcomes_of
from strategies import answers, graded_answers, hypotheses


def test_an_order_that_only_another_assessor_leaves():
    """The one answer with a confidence is excluded for ann; bob judged it, and has an order."""
    rows = [("ann", "r", "wrong", None), ("bob", "r", "correct", 0.5), ("bob", "r", "wrong", None)]
    schema = {
        "assessor": pl.String,
        "run": pl.String,
        "verdict": pl.String,
        "confidence": pl.Float64,
    }
    frame = pl.DataFrame(rows, schema, orient="row").with_columns(
        score=None, position=None, rightful=False
    )
    cws = measures.get("qa", "cws")
    found = orderings.scores(cws, frame.lazy(), ["assessor", "run"]).sort("assessor")
    assert found.select("assessor", "value").rows() == [("ann", None), ("bob", 0.75)]


def evaluated(campaign: Campaign) -> dict[str, bytes]:
    """The verdicts, the counts, and the scores by a measure of each kind."""
    found = {file.name: file.read_bytes() for file in [campaign.verdicts, *campaign.files]}
    for id in {
        measure.kind: id for id, measure in measures.of_task(campaign.task).items()
    }.values():
        found |= {
            f"{id} {number}": it.write_csv().encode()
            for number, it in enumerate(campaign.scored(id))
        }
    return found


def spread(campaign: Campaign, folder: Path) -> Campaign:
    """The campaign, but the questions of each run are in the files of several shards."""
    table = next(name for name in ("responses", "graded_responses") if name in campaign.sources)
    rows = pl.read_parquet(campaign.sources[table]).with_columns(
        shard=pl.col("question").rank("dense") % 3
    )
    other, parts = Campaign(folder, campaign.task, shards=3), []
    for (shard,), own in sorted(rows.partition_by("shard", as_dict=True).items()):
        parts.append(folder / table / f"{shard}.parquet")
        tables.write(own.drop("shard"), parts[-1])
    sources = {name: paths for name, paths in campaign.sources.items() if name != table}
    return other.judge(sources, table, parts, campaign.rules)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("make", [answers, graded_answers, partial(hypotheses, "dating")])
def test_results_are_the_same_bytes_over_any_number_of_shards(tmp_path, make, seed):
    """Also where runs are in several of them."""
    drawn = make(seed, n=6)
    whole, four = (drawn.campaign(tmp_path / str(n), shards=n) for n in (1, 4))
    first = evaluated(whole)
    for other in map(evaluated, (four, spread(whole, tmp_path / "spread"))):
        assert not [name for name in first if other[name] != first[name]]


@pytest.mark.slow
def test_results_of_many_are_the_same_bytes_over_any_number_of_shards(tmp_path, monkeypatch):
    """Several row groups, which two threads write."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    questions = [f"q{i:05}" for i in range(13_000)]
    answers = ["x", "y", None, "NIL"]
    runs = {
        f"r{i:02}": [
            {"question": q, "answer": answers[(i + j) % len(answers)]}
            for j, q in enumerate(questions)
        ]
        for i in range(11)
    }
    gold = {"a": [{"question": q, "label": "R", "answer": "x"} for q in questions]}
    first, *others = [
        evaluated(
            Campaign(tmp_path / str(n), shards=n).judged(runs, gold, options={"nil": ["NIL"]})
        )
        for n in (1, 4)
    ]
    assert not [name for other in others for name in first if other[name] != first[name]]


@pytest.mark.parametrize("id", ["uf", "k1", "cws"])
def test_rows_stay_in_their_order_on_several_threads(tmp_path, monkeypatch, id):
    """A campaign of many row groups, which threads read side by side."""
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    draw = np.random.default_rng(1)
    runs, questions = [f"run{i:02}" for i in range(40)], [f"q{i:03}" for i in range(500)]
    right, self_score = draw.random((40, 500)) < 0.5, draw.integers(0, 2**16, (40, 500)) / 2**16
    campaign = Campaign(tmp_path).graded(
        {"run": [{"question": "q", "verdict": "wrong", "confidence": 0.5}]}
    )
    keys = pl.DataFrame({"run": runs}).join(pl.DataFrame({"question": questions}), how="cross")
    frame = (
        read_verdicts(campaign.verdicts)
        .rows()
        .drop("run", "question", "verdict", "confidence")
        .join(keys, how="cross")
    )
    word = np.where(right, "correct", "wrong").ravel()
    frame = frame.with_columns(verdict=pl.Series(word), confidence=pl.Series(self_score.ravel()))
    campaign.rejudge(frame)
    seen = outcomes_of(campaign.verdicts, measures.get("qa", id), tasks.POLICIES, "official")
    assert (seen.runs, seen.questions) == (runs, questions)
    if id == "uf":
        assert (seen.matrices["n_ac"] == right).all() and (seen.matrices["n_aw"] == ~right).all()
    elif id == "k1":
        assert (seen.matrices["signed"] == np.where(right, self_score, -self_score)).all()
    else:
        for order, own, scores in zip(seen.orders, right, self_score, strict=True):
            assert (np.diff(scores[order.question]) <= 0).all() and (
                order.right == own[order.question]
            ).all()
