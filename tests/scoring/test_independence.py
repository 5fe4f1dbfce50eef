"""Results do not depend on other assessors, or on how files are spread over shards."""

from functools import partial
from pathlib import Path

import polars as pl
import pytest
from nonresponse import measures, tables
from nonresponse.measures import orderings
from pipeline import Campaign
from strategies import answers, graded_answers, hypotheses


def test_an_order_that_only_another_assessor_leaves():
    """The one answer with a confidence is excluded for ann; bob judged it, and has an order."""
    rows = [("ann", "r", "wrong", None), ("bob", "r", "correct", 0.5), ("bob", "r", "wrong", None)]
    frame = pl.DataFrame(rows, ["assessor", "run", "verdict", "confidence"], orient="row")
    missing = dict.fromkeys(("score", "position"))
    frame = frame.with_columns(**missing, rightful=False)
    cws = measures.get("qa", "cws")
    actual = orderings.compute_scores(cws, frame.lazy(), ["assessor", "run"]).sort("assessor")
    assert actual.select("assessor", "value").rows() == [("ann", None), ("bob", 0.75)]


def collect_results(campaign: Campaign) -> dict[str, bytes]:
    """The verdicts, the counts, and the scores by a measure of each kind."""
    results = {file.name: file.read_bytes() for file in [campaign.verdicts, *campaign.files]}
    kinds = {record.kind: id for id, record in measures.load_measures(campaign.task).items()}
    for id in kinds.values():
        for number, table in enumerate(campaign.score_with_bounds(id)):
            results[f"{id} {number}"] = table.write_csv().encode()
    return results


def spread(campaign: Campaign, folder: Path) -> Campaign:
    """The campaign, but the questions of each run are in the files of several shards."""
    table = next(name for name in ("responses", "graded_responses") if name in campaign.sources)
    rows = pl.read_parquet(campaign.sources[table]).with_columns(
        shard=pl.col("question").rank("dense") % 3
    )
    copy, parts = Campaign(folder, campaign.task, shards=3), []
    for (shard,), judgments in sorted(rows.partition_by("shard", as_dict=True).items()):
        parts.append(folder / table / f"{shard}.parquet")
        tables.write(judgments.drop("shard"), parts[-1])
    sources = {name: paths for name, paths in campaign.sources.items() if name != table}
    return copy.judge(sources, table, parts, campaign.rules)


@pytest.mark.slow
@pytest.mark.parametrize("make", [answers, graded_answers, partial(hypotheses, "dating")])
def test_results_are_the_same_bytes_over_any_number_of_shards(tmp_path, make):
    """Also where runs are in several of them."""
    sample = make(1, n=6)
    one_shard, four_shards = (sample.campaign(tmp_path / str(n), shards=n) for n in (1, 4))
    results = collect_results(one_shard)
    for repeat in map(collect_results, (four_shards, spread(one_shard, tmp_path / "spread"))):
        assert not [name for name in results if repeat[name] != results[name]]


@pytest.mark.slow
def test_results_of_many_are_the_same_bytes_over_any_number_of_shards(tmp_path, monkeypatch):
    """Several row groups, which two threads write and read; with measures of an order, and of sums."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    questions = [f"q{i:05}" for i in range(13_000)]
    answers = ["x", "y", None, "NIL"]
    runs = {
        f"r{i:02}": [
            {"question": q, "answer": answers[(i + j) % 4], "confidence": (i * j) % 9 / 8}
            for j, q in enumerate(questions)
        ]
        for i in range(11)
    }
    gold = {"a": [{"question": q, "label": "R", "answer": "x"} for q in questions]}
    campaigns = (Campaign(tmp_path / str(n), shards=n) for n in (1, 4))
    options = {"nil": ["NIL"]}
    results, repeat = (
        collect_results(campaign.evaluate_runs(runs, gold, options=options))
        for campaign in campaigns
    )
    assert not [name for name in results if repeat[name] != results[name]]
