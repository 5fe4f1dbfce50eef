"""Rankings under other judgments, by other measures and under scenarios, by hand."""

import numpy as np
import polars as pl
import pytest
from nonresponse import tables, tasks
from nonresponse.statistics import rankings
from nonresponse.statistics.analyses import Inputs
from nonresponse.statistics.rankings import compare_scenarios
from scipy.stats import kendalltau


def test_tau_after_the_change_of_one_run_as_of_two_rankings():
    draw = np.random.default_rng(2)
    values = np.array([0, 0.1, 0.2, 0.3, np.nan])
    for _ in range(300):
        x = draw.choice(values, draw.integers(1, 7))
        run, after = draw.integers(len(x)), draw.choice(values)
        y = np.where(np.arange(len(x)) == run, after, x)
        is_valued = ~np.isnan(x) & ~np.isnan(y)
        valued = x[~np.isnan(x)]
        untied = rankings.count_untied(valued)
        tau = rankings.tau_after_change(valued, untied, x[run], after)
        assert tau == pytest.approx(rankings.kendall_tau_b(x[is_valued], y[is_valued]))


def test_of_many_runs_some_are_ranked_that_are_spread_evenly(monkeypatch):
    x = np.append(np.random.default_rng(3).permutation(1000) / 1000, np.nan)
    monkeypatch.setattr(rankings, "MAX_RUNS", 100)
    rows = rankings.choose_runs(x[::-1], x)
    assert 99 <= len(rows) <= 100 and not np.isnan(x[rows]).any()
    assert np.diff(np.sort(x[rows])).max() < 0.015
    assert rankings.compare(x, x, x)["tau"] == 1


def test_what_only_rounding_tells_apart_is_equal():
    x = np.array([0.1 + 0.2, 0.3, 0.5])
    assert x[0] != x[1]
    assert rankings.kendall_tau_b(x, np.array([0.3, 0.3, 0.5])) == 1
    assert not rankings.find_swapped(x, np.array([0.3, 0.4, 0.5])).any()


def rank(folder, task: str, counts: pl.DataFrame, scores: dict, **settings) -> pl.DataFrame:
    """Return rankings.csv of these counts and tables of scores by measure."""
    frames = {"counts": counts} | {f"scores/{id}": table for id, table in scores.items()}
    files = [folder / f"{name}.parquet" for name in frames]
    for frame, file in zip(frames.values(), files, strict=True):
        tables.write(frame, file)
    settings |= {"measures": [*scores], "policy": tasks.POLICIES, "official": "official"}
    return rankings.summarise(Inputs(files[0], scores=files[1:]), task, settings)[0]


def test_runs_are_ranked_alike_by_what_is_better_higher_and_lower(tmp_path):
    runs = pl.DataFrame({"assessor": "official", "run": ["r0", "r1", "r2"], "n": 10})
    values = {"accuracy": [0.9, 0.5, 0.2], "error": [0.1, 0.5, 0.8]}
    scores = {id: runs.with_columns(value=pl.Series(column)) for id, column in values.items()}
    assert rank(tmp_path, "validation", runs, scores)["tau"].to_list() == [1]


def test_scenarios_are_ranked_by_the_official_assessor(tmp_path):
    """Differences are those of the campaign as it is configured, here `strict`."""
    official = {"strict": [0.5, 0.6, 0.1, 0.3], "lenient": [0.66, 0.55, 0.2, 0.3]}
    official["silent"] = [0.5, 0.6, 0.3, 0.1]
    names = [{"assessor": name, "run": f"r{i}"} for name in ("official", "other") for i in range(4)]
    for name, values in official.items():
        folder = tmp_path if name == "strict" else tmp_path / "scenarios" / name
        columns = dict.fromkeys(
            ("value", "worst", "best"), pl.Series([*values, 0.6, 0.5, 0.1, 0.3])
        )
        tables.write(pl.DataFrame(names).with_columns(**columns), folder / "scores/c@1.parquet")
        tables.write(pl.DataFrame(names).with_columns(n=40), folder / "counts.parquet")
    settings = {
        "measures": ["c@1"],
        "own": "strict",
        "scenarios": [[name, {}] for name in official],
    }
    scores, rankings = compare_scenarios(tmp_path, "qa", settings, "official")
    ranks = {"strict": [2, 1, 4, 3], "lenient": [1, 2, 4, 3], "silent": [2, 1, 3, 4]}
    assert sorted(scores.select("scenario", "run", "value", "rank").rows()) == sorted(
        (name, f"r{i}", official[name][i], rank)
        for name, order in ranks.items()
        for i, rank in enumerate(order)
    )
    columns = "scenario", "other_scenario", "tau", "swaps", "largest_difference"
    assert rankings.select(*columns).rows() == [
        ("strict", "lenient", pytest.approx(2 / 3), 1, pytest.approx(0.1)),
        ("strict", "silent", pytest.approx(2 / 3), 1, pytest.approx(0.2)),
        ("lenient", "silent", pytest.approx(1 / 3), 2, pytest.approx(0.2)),
    ]
    assert rankings["assessors_mean_tau"].to_list() == pytest.approx([2 / 3] * 3)


def test_tau_as_in_scipy():
    draw = np.random.default_rng(1)
    for _ in range(100):
        x, y = draw.integers(0, 4, (2, draw.integers(2, 8))) / 100  # with ties
        expected, tau = kendalltau(x, y).statistic, rankings.kendall_tau_b(x, y)
        assert tau is None if np.isnan(expected) else tau == pytest.approx(expected, abs=1e-12)
