"""Pseudo-values beside their definition, score by score, over the whole registry."""

import numpy as np
import pytest
from comparing import score_runs
from literal_reliability import MEASURES as REGISTRY
from literal_reliability import campaign, each_kind
from nonresponse import measures
from nonresponse.statistics.outcomes import sum_units

COMBINED = {
    "validation": ["mean(auc,c@1,f@1)", "product(auc,c@1)", "mean(brier,fu@0.5)"],
    "qa": ["mean(cws,accuracy,k1)", "product(precision_answered,mrr)"],
}
MEASURES = REGISTRY + [measures.get(task, id) for task, ids in COMBINED.items() for id in ids]
NAMES = [f"{measure.task}-{measure.id}" for measure in MEASURES]


def literal(score, run: int, units: list[list[int]]):
    """psi of one run, unit by unit; None where a score is undefined."""
    everything = [question for unit in units for question in unit]
    full, n = score(run, everything), len(units)
    reduced = [score(run, [q for q in everything if q not in unit]) for unit in units]
    if full is None or None in reduced:
        return None
    return [n * float(full) - (n - 1) * float(value) for value in reduced]


def assert_equal(psi: np.ndarray, score, units: list[list[int]]) -> None:
    for run, row in enumerate(psi):
        expected = literal(score, run, units)
        if expected is None:
            assert np.isnan(row).all()
        else:
            assert row == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("measure", MEASURES, ids=NAMES)
def test_the_definition(measure):
    outcomes, score = campaign(measure, 5, runs=5, questions=14, excluding=True)
    assert_equal(score_runs(outcomes)[1], score, [[question] for question in range(14)])


@each_kind
def test_clusters_are_left_out_as_a_whole(measure):
    outcomes, score = campaign(measure, 6, runs=4, questions=15)
    cluster = np.random.default_rng(1).permutation(np.arange(15) % 4)
    clusters = dict(zip(outcomes.questions, map("test {}".format, cluster), strict=True))
    clustered = sum_units(outcomes, outcomes.questions, clusters)
    assert (clustered.n, clustered.question_count) == (4, 15)
    units = [np.flatnonzero(cluster == number).tolist() for number in range(4)]
    assert_equal(score_runs(clustered)[1], score, units)
