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
    """Pseudo-values are means over the epochs of a run, of which others may have fewer."""
    twice = {"question": ["q0", "q0", "q1", "q1", "q2", "q2"], "epoch": "121212"}
    rows = {
        "twice": spell(**twice, verdict="CWCCWW"),
        "once": spell(question=twice["question"][::2], epoch="111", verdict="CWC"),
    }
    campaign_of_epochs = Campaign(tmp_path).evaluate_graded(rows)
    for id in ("accuracy", "c@1", "mrr"):
        outcomes, _ = campaign_of_epochs.outcomes(id)
        assert (outcomes.n, outcomes.question_count, outcomes.inside.n) == (3, 3, 6)
        score, psi = score_runs(outcomes)
        assert outcomes.runs == ["once", "twice"] and score == pytest.approx([2 / 3, 1 / 2])
        assert psi == pytest.approx(np.array([[1, 0, 1], [1 / 2, 1, 0]]))


def test_clusters_of_a_measure_that_compares_no_runs():
    """Noise moves a calibration error upwards, so that no run is compared."""
    outcomes, _ = campaign(measures.get("qa", "ece_mass@10"), 1)
    clusters = {name: f"c{index // 3}" for index, name in enumerate(outcomes.questions)}
    selection = select_runs(sum_units(outcomes, outcomes.questions, clusters))
    assert not selection.compared.any() and len(selection.pairs.p) == 0
