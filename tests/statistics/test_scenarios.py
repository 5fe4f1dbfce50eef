"""Scores, ranks and swapped pairs under several scenarios, against loops over the verdicts."""

import random
from itertools import combinations
from math import sqrt

import polars as pl
import pytest
from nonresponse.judging.store import read_verdicts
from nonresponse.statistics.rankings import compare_scenarios
from pipeline import Campaign

LABELS = ["R", "R", "W", "W", "U", "X"]
SCENARIOS = {
    "strict": ({"correct": ["R"]}, {}),
    "lenient": ({"correct": ["R", "U", "X"]}, {}),
    "silent": ({"correct": ["R"]}, {"unscored": "unanswered"}),
}
SETTINGS = {"seed": 1, "samples": 100, "flips": 200, "level": 0.05}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    """Evaluate eight runs of different skill and two assessors as the workflow does."""
    folder, rng = tmp_path_factory.mktemp("scenarios"), random.Random(3)
    questions = [f"q{i}" for i in range(40)]
    runs = {f"r{i}": [] for i in range(8)}
    judgments: dict = {"official": [], "other": []}
    for question in questions:
        for i, rows in enumerate(runs.values()):
            answer = rng.choice(["", "a", "b", "c", "d"]) if rng.random() < 0.3 + i / 12 else "a"
            rows.append(
                {"question": question, "answer": answer, "confidence": f"{rng.random():.2f}"}
            )
        for name, rows in judgments.items():
            answers = ["a", "b", "c"]  # nobody judged d
            labels = [rng.choice(["R", "R", "R", "X", "U"]), *rng.choices(LABELS, k=2)]
            rows += [
                {"question": question, "answer": answer, "label": label}
                for answer, label in zip(answers, labels, strict=True)
                if name == "official" or answer != "c"
            ]
    campaigns = {}
    for name, (rules, policy) in SCENARIOS.items():
        root = folder if name == "strict" else folder / "scenarios" / name
        campaigns[name] = Campaign(root, policy=policy).evaluate_runs(runs, judgments, **rules)
        campaigns[name].inputs("c@1", "accuracy")
    campaigns["strict"].compare("c@1", "accuracy", **SETTINGS)
    return folder, campaigns


SETTINGS_OF_PAGE = {"measures": ["c@1", "accuracy"], "tested": ["c@1", "accuracy"]}
SETTINGS_OF_PAGE |= {"own": "strict", "official": "official", "level": 0.05}
SETTINGS_OF_PAGE["scenarios"] = [
    [name, {"correct": rules["correct"], "unscored": policy.get("unscored", "wrong")}]
    for name, (rules, policy) in SCENARIOS.items()
]


def count_scores(campaigns: dict, name: str) -> dict[str, tuple[float, float]]:
    """Return c@1 and accuracy of every run, counted in a loop over the official verdicts."""
    policy, counts = SCENARIOS[name][1], {}
    for row in read_verdicts(campaigns[name].verdicts).rows().iter_rows(named=True):
        if row["assessor"] == "official":
            right, unanswered, n = counts.get(row["run"], (0, 0, 0))
            verdict = (
                policy.get("unscored", "wrong") if row["verdict"] == "unscored" else row["verdict"]
            )
            counts[row["run"]] = (
                right + (verdict == "correct"),
                unanswered + (verdict == "unanswered"),
                n + 1,
            )
    return {
        run: ((right + unanswered * right / n) / n, right / n)
        for run, (right, unanswered, n) in counts.items()
    }


@pytest.mark.slow
def test_scores_ranks_tau_and_swaps_are_those_of_loops_over_the_verdicts(campaign):
    folder, campaigns = campaign
    scores, rankings, swaps = compare_scenarios(folder, "qa", SETTINGS_OF_PAGE, "official")
    literal = {name: count_scores(campaigns, name) for name in SCENARIOS}
    assert len({str(values) for values in literal.values()}) == 3, "the scenarios differ"
    for place, id in enumerate(["c@1", "accuracy"]):
        value = {
            name: {run: pair[place] for run, pair in runs.items()} for name, runs in literal.items()
        }
        p = pl.read_parquet(folder / f"reliability/by_measure/{id}/comparisons.parquet")
        p = {frozenset(pair[:2]): pair[2] for pair in p.select("a", "b", "p_maxt").iter_rows()}
        for name in SCENARIOS:
            mine = scores.filter(scenario=name, measure=id)
            assert dict(mine.select("run", "value").iter_rows()) == pytest.approx(value[name])
            ahead = {
                run: sum(x > y + 1e-12 for x in value[name].values())
                for run, y in value[name].items()
            }
            assert dict(mine.select("run", "rank").iter_rows()) == {
                run: 1 + n for run, n in ahead.items()
            }
        for x_name, y_name in combinations(SCENARIOS, 2):
            agree = disagree = untied_x = untied_y = significant = 0
            pairs = set()
            for a, b in combinations(value["strict"], 2):
                x = round(value[x_name][a] - value[x_name][b], 12)
                y = round(value[y_name][a] - value[y_name][b], 12)
                untied_x, untied_y = untied_x + (x != 0), untied_y + (y != 0)
                agree, disagree = agree + (x * y > 0), disagree + (x * y < 0)
                if x * y < 0:
                    pairs.add((a, b) if x > 0 else (b, a))
                    significant += p[frozenset((a, b))] <= 0.05
            row = rankings.filter(measure=id, scenario=x_name, other_scenario=y_name).row(
                0, named=True
            )
            assert row["tau"] == pytest.approx((agree - disagree) / sqrt(untied_x * untied_y))
            assert (row["swaps"], row["swaps_significant"]) == (disagree, significant)
            assert row["swaps_not_compared"] == 0
            mine = swaps.filter(measure=id, scenario=x_name, other_scenario=y_name)
            assert set(mine.select("run", "other_run").iter_rows()) == pairs
            for swap in mine.iter_rows(named=True):
                run, other_run = swap["run"], swap["other_run"]
                assert swap["run_score"] == pytest.approx(value[x_name][run])
                assert swap["other_run_score_in_other_scenario"] == pytest.approx(
                    value[y_name][other_run]
                )
                assert swap["own_difference"] == pytest.approx(
                    abs(value["strict"][run] - value["strict"][other_run])
                )
                assert swap["significant"] == (swap["p_maxt"] <= 0.05)
                assert swap["p_maxt"] == p[frozenset((run, other_run))]
    assert rankings["swaps"].sum() > 0 and rankings["assessors_mean_tau"].is_not_null().all()


@pytest.mark.slow
def test_without_a_comparison_nothing_is_said_to_be_told_apart(campaign):
    folder, _ = campaign
    settings = {key: value for key, value in SETTINGS_OF_PAGE.items() if key != "level"}
    _, rankings, swaps = compare_scenarios(folder, "qa", settings, "official")
    assert swaps["significant"].is_null().all() and rankings["swaps_significant"].is_null().all()
