"""Scores, ranks and swapped pairs under several scenarios, against loops over the verdicts."""

import random
from itertools import combinations, permutations

import polars as pl
import pytest
from nonresponse.judging.store import read_verdicts
from nonresponse.statistics.rankings import compare_scenarios
from pipeline import Campaign
from scipy.stats import kendalltau

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
    labels = {"a": "RRRXU", "b": "RRWWUX", "c": "RRWWUX"}  # nobody judged d

    def draw_answer(share: float) -> str:
        return rng.choice(["", *"abcd"]) if rng.random() < share else "a"

    runs = {
        f"r{i}": [{"question": q, "answer": draw_answer(0.3 + i / 12)} for q in questions]
        for i in range(8)
    }
    judgments = {
        assessor: [
            {"question": q, "answer": answer, "label": rng.choice(labels[answer])}
            for q in questions
            for answer in answers
        ]
        for assessor, answers in (("official", "abc"), ("other", "ab"))
    }
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


def count_scores(campaigns: dict, name: str) -> dict[str, dict[str, float]]:
    """Return c@1 and accuracy of every run, counted in a loop over the official verdicts."""
    verdicts: dict = {}
    for row in read_verdicts(campaigns[name].verdicts).rows().rows(named=True):
        if row["assessor"] == "official":
            unscored = SCENARIOS[name][1].get("unscored", "wrong")
            verdict = unscored if row["verdict"] == "unscored" else row["verdict"]
            verdicts.setdefault(row["run"], []).append(verdict)
    scores: dict = {"c@1": {}, "accuracy": {}}
    for run, words in verdicts.items():
        n, right = len(words), words.count("correct")
        scores["accuracy"][run] = right / n
        scores["c@1"][run] = (right + words.count("unanswered") * right / n) / n
    return scores


@pytest.mark.slow
@pytest.mark.parametrize("id", ["c@1", "accuracy"])
def test_scores_ranks_tau_and_swaps_are_those_of_loops_over_the_verdicts(campaign, id):
    folder, campaigns = campaign
    scores, rankings, swaps = (
        table.filter(measure=id)
        for table in compare_scenarios(folder, "qa", SETTINGS_OF_PAGE, "official")
    )
    value = {name: count_scores(campaigns, name)[id] for name in SCENARIOS}
    assert len({str(values) for values in value.values()}) == (3 if id == "c@1" else 2)
    p = pl.read_parquet(folder / f"reliability/by_measure/{id}/comparisons.parquet")
    p = {frozenset(pair): p for *pair, p in p.select("a", "b", "p_maxt").iter_rows()}
    for name, values in value.items():
        for run, score, rank in scores.filter(scenario=name).select("run", "value", "rank").rows():
            ahead = sum(rival > values[run] + 1e-12 for rival in values.values())
            assert (score, rank) == (pytest.approx(values[run]), 1 + ahead)
    for x_name, y_name in combinations(SCENARIOS, 2):
        x, y = value[x_name], value[y_name]
        key = {"scenario": x_name, "other_scenario": y_name}
        row = rankings.filter(**key).row(0, named=True)
        runs = sorted(x)
        ranked = ([round(values[run], 12) for run in runs] for values in (x, y))
        assert row["tau"] == pytest.approx(kendalltau(*ranked).statistic)
        pairs = permutations(runs, 2)
        crossed = {(a, b) for a, b in pairs if x[a] - x[b] > 1e-12 and y[b] - y[a] > 1e-12}
        significant = sum(p[frozenset(pair)] <= 0.05 for pair in crossed)
        assert (row["swaps"], row["swaps_significant"]) == (len(crossed), significant)
        assert row["swaps_not_compared"] == 0
        swap_rows = swaps.filter(**key).rows(named=True)
        assert {(swap["run"], swap["other_run"]) for swap in swap_rows} == crossed
        for swap in swap_rows:
            a, b = swap["run"], swap["other_run"]
            expected = {"run_score": x[a], "other_run_score_in_other_scenario": y[b]}
            expected["own_difference"] = abs(value["strict"][a] - value["strict"][b])
            expected["p_maxt"] = p[frozenset((a, b))]
            assert {name: swap[name] for name in expected} == pytest.approx(expected)
            assert swap["significant"] == (swap["p_maxt"] <= 0.05)
    assert rankings["swaps"].sum() > 0 and rankings["assessors_mean_tau"].is_not_null().all()


@pytest.mark.slow
def test_without_a_comparison_nothing_is_said_to_be_told_apart(campaign):
    folder, _ = campaign
    settings = {key: value for key, value in SETTINGS_OF_PAGE.items() if key != "level"}
    _, rankings, swaps = compare_scenarios(folder, "qa", settings, "official")
    assert swaps["significant"].is_null().all() and rankings["swaps_significant"].is_null().all()
