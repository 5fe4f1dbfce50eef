"""Clusters and epochs: what is drawn and what is tested."""

import numpy as np
import pytest
from comparing import score_runs
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.statistics.outcomes import sum_units
from nonresponse.statistics.pairs import select_runs
from pipeline import Campaign, spell


def test_samples_of_a_question_are_one_unit(tmp_path):
    """Counts and psi are means over the epochs of a run, of which others may have fewer."""
    draw, right, rows = np.random.default_rng(1), {}, {}
    for run, times in (("five", 5), ("three", 3), ("one", 1)):
        right[run] = draw.random((40, times)) < draw.random((40, 1))
        verdicts = np.where(right[run], "C", "W").ravel().tolist()
        names, epochs = np.repeat(range(40), times), np.tile(range(times), 40)
        questions = [f"q{number:03}" for number in names]
        rows[run] = spell(question=questions, epoch=map(str, epochs), verdict=verdicts)
    campaign_of_epochs = Campaign(tmp_path).evaluate_graded(rows)
    for run, answers in right.items():
        mean = answers.mean(axis=1)
        n, n_ac, n_u = campaign_of_epochs.count(run, "n", "n_ac", "n_u")
        assert (n, n_u) == (40, 0) and n_ac == pytest.approx(mean.sum())
        assert campaign_of_epochs.score("c@1", run) == pytest.approx(mean.mean())
    for id in ("accuracy", "c@1", "mrr"):
        outcomes, _ = campaign_of_epochs.outcomes(id)
        assert (outcomes.n, outcomes.question_count, outcomes.inside.n) == (40, 40, 200)
        score, psi = score_runs(outcomes)
        for row, run in enumerate(outcomes.runs):
            mean = right[run].mean(axis=1)
            assert score[row] == pytest.approx(mean.mean())
            assert psi[row] == pytest.approx(mean), "each question counts the same"


def test_clusters_of_a_measure_that_compares_no_runs():
    """Noise moves a calibration error upwards, so that no run is compared."""
    outcomes, _ = campaign(measures.get("qa", "ece_mass@10"), 1)
    clusters = {name: f"c{index // 3}" for index, name in enumerate(outcomes.questions)}
    selection = select_runs(sum_units(outcomes, outcomes.questions, clusters))
    assert not selection.compared.any() and len(selection.pairs.p) == 0
