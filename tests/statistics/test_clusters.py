"""Clusters and epochs: what is drawn, what is tested, and how alike their questions are."""

import numpy as np
import pytest
from comparing import score_runs
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.statistics import PASS, intervals
from nonresponse.statistics.gates import Gate, compare_with_bound, score_run
from nonresponse.statistics.outcomes import Outcomes, full_scores, sum_units
from nonresponse.statistics.pairs import pair_index, select_runs
from nonresponse.statistics.pseudo_values import intraclass
from pipeline import Campaign, select_outcomes


def literal(values: list, unit: list) -> float:
    """The one-way analysis of variance in plain loops."""
    classes = sorted(set(unit))
    groups = [
        [value for value, cluster in zip(values, unit, strict=True) if cluster == name]
        for name in classes
    ]
    n, mean = len(values), sum(values) / len(values)
    between = sum(len(group) * (sum(group) / len(group) - mean) ** 2 for group in groups) / (
        len(groups) - 1
    )
    inside = sum((value - sum(group) / len(group)) ** 2 for group in groups for value in group) / (
        n - len(groups)
    )
    size = (n - sum(len(group) ** 2 for group in groups) / n) / (len(groups) - 1)
    return (between - inside) / (between + (size - 1) * inside)


@pytest.mark.parametrize("seed", range(5))
def test_intraclass_correlation_of_classes_of_any_size(seed):
    draw = np.random.default_rng(seed)
    unit = np.append(np.arange(6), draw.integers(0, 6, 40))
    values = draw.normal(0, 1, (3, 46)) + draw.normal(0, 1, (3, 6))[:, unit]
    expected = [literal(row.tolist(), unit.tolist()) for row in values]
    assert intraclass(values, unit) == pytest.approx(expected)


def test_an_intraclass_correlation_that_does_not_exist():
    assert np.isnan(intraclass(np.ones((1, 6)), np.arange(6) % 2)).all()
    assert np.isnan(intraclass(np.array([[1.0, 0, 1]]), np.arange(3))).all()
    assert np.isnan(intraclass(np.array([[1.0, 0, np.nan, 1]]), np.arange(4) % 2)).all()


def make_campaign(
    folder, epochs: dict[str, int], questions: int = 40, seed: int = 1
) -> tuple[Campaign, dict]:
    """Make graded responses of runs with so many epochs; return also which are right."""
    draw, right, rows = np.random.default_rng(seed), {}, {}
    hard = draw.random(questions)
    for run, times in epochs.items():
        right[run] = draw.random((questions, times)) < hard[:, None]
        rows[run] = [
            {"question": f"q{q:03}", "epoch": str(epoch + 1)}
            | {"verdict": "correct" if right[run][q, epoch] else "wrong"}
            for q in range(questions)
            for epoch in range(times)
        ]
    return Campaign(folder).evaluate_graded(rows), right


def test_samples_of_a_question_are_one_unit(tmp_path):
    """Counts and psi are means over the epochs of a run, of which others may have fewer."""
    campaign_of_epochs, right = make_campaign(tmp_path, {"five": 5, "three": 3, "one": 1})
    for run, answers in right.items():
        mean = answers.mean(axis=1)
        n, n_ac, n_u = campaign_of_epochs.count(run, "n", "n_ac", "n_u")
        assert (n, n_u) == (40, 0) and n_ac == pytest.approx(mean.sum())
        assert campaign_of_epochs.score("c@1", run) == pytest.approx(mean.mean())
    for id in ("accuracy", "c@1", "mrr"):
        measure, policy = measures.get("qa", id), campaign_of_epochs.policy
        outcomes = select_outcomes(campaign_of_epochs.verdicts, measure, policy, "official")
        assert (outcomes.n, outcomes.question_count, outcomes.inside.n) == (40, 40, 200)
        score, psi = score_runs(outcomes)
        for row, run in enumerate(outcomes.runs):
            mean = right[run].mean(axis=1)
            assert score[row] == pytest.approx(mean.mean())
            assert psi[row] == pytest.approx(mean), "each question counts the same"


@pytest.mark.parametrize("analysis", ["scores", "pairs"])
def test_intervals_of_clusters_of_unlike_sizes(analysis):
    """Two of twenty clusters have 3/4 of the questions. As degrees of freedom, 20 are too many."""
    draw, runs, sizes = np.random.default_rng(1), 400, np.array([30, 30] + [1] * 18)
    unit = np.repeat(np.arange(20), sizes)
    skill = np.clip(draw.normal(0.6, 0.25, (runs, 20)), 0, 1)
    right = (draw.random((runs, len(unit))) < skill[:, unit]).astype(float)
    questions = [f"q{number:03}" for number in range(len(unit))]
    clusters = {name: f"c{number:02}" for name, number in zip(questions, unit, strict=True)}
    names = [f"r{number:03}" for number in range(runs)], questions
    matrices = {"n": np.ones((1, len(unit))), "n_ac": right}
    outcomes = Outcomes(measures.get("qa", "accuracy"), *names, matrices)
    outcomes = sum_units(outcomes, questions, clusters)
    if analysis == "scores":
        low, high = intervals.student(outcomes, full_scores(outcomes), 0.05).T
        truth = np.clip(np.random.default_rng(2).normal(0.6, 0.25, 10**6), 0, 1).mean()
    else:
        # The first with the second run, the third with the fourth, and so on
        pairs = pair_index(np.arange(0, runs, 2), np.arange(1, runs, 2), runs)
        low, high = select_runs(outcomes).pairs.interval(0.05)[pairs].T
        truth = 0.0
    assert ((low <= truth) & (truth <= high)).mean() >= 0.93


def test_clusters_that_are_all_right_or_all_wrong():
    """A tenth of the clusters have most of the questions: half a cluster more is half of these."""
    draw, runs, sizes = np.random.default_rng(1), 300, np.array([30] * 5 + [1] * 45)
    unit = np.repeat(np.arange(50), sizes)
    right = (draw.random((runs, 50)) < 0.9)[:, unit].astype(float)
    names = [f"r{number:03}" for number in range(runs)], [f"q{n:03}" for n in range(len(unit))]
    matrices = {"n": np.ones((1, len(unit))), "n_ac": right}
    outcomes = Outcomes(measures.get("qa", "accuracy"), *names, matrices)
    clusters = {name: f"c{place:02}" for name, place in zip(names[1], unit, strict=True)}
    outcomes = sum_units(outcomes, names[1], clusters)
    low, high = intervals.student(outcomes, full_scores(outcomes), 0.05).T
    assert ((low <= 0.9) & (high >= 0.9)).mean() >= 0.93
    gate, scores = Gate("accuracy", at_least=0.9), [score_run(outcomes, run) for run in names[0]]
    states = [compare_with_bound(gate, score, 0.05, 0.05).decision.state for score in scores]
    assert states.count(PASS) <= 0.07 * runs


def test_clusters_of_a_measure_that_compares_no_runs():
    """Noise moves a calibration error upwards, so that no run is compared."""
    outcomes, _ = campaign(measures.get("qa", "ece_mass@10"), 1)
    clusters = {name: f"c{index // 3}" for index, name in enumerate(outcomes.questions)}
    selection = select_runs(sum_units(outcomes, outcomes.questions, clusters))
    assert not selection.compared.any() and len(selection.pairs.p) == 0
