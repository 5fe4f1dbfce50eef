"""Numbers of questions and detectable differences beside simulations whose truth is known."""

import numpy as np
import pytest
from nonresponse.statistics import sample_size
from nonresponse.statistics.influence import Dense
from nonresponse.statistics.pairs import Pairs
from statsmodels.stats.power import TTestPower

LEVEL = 0.05


def campaign(draw: np.random.Generator, chances: np.ndarray, questions: int) -> np.ndarray:
    """Right or wrong, (runs, questions): each run has its own chance, and each question its own
    difficulty for all."""
    difficulty = draw.normal(0, 1, questions)
    odds = np.log(chances / (1 - chances))[:, None] - difficulty
    return (draw.random((len(chances), questions)) < 1 / (1 + np.exp(-odds))).astype(float)


def models(psi: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray] | None:
    return sample_size.fit_models(Pairs(psi.mean(axis=1), Dense(psi)), 1, seed, "c")


@pytest.fixture(scope="module")
def runs() -> np.ndarray:
    return np.random.default_rng(3).beta(6, 6, 30)


@pytest.mark.slow
def test_what_a_campaign_tells_is_what_its_number_of_questions_says(runs):
    """Exactly the differences from the required one up need no more questions than there are."""
    for seed in range(4):
        draw = np.random.default_rng(seed)
        psi = campaign(draw, runs[: draw.integers(4, 30)], int(draw.integers(40, 600)))
        found = models(psi, seed)
        if found is None:
            continue
        differences = [step / 100 for step in range(1, 16)]
        numbers = [
            number for number, _, _ in sample_size.questions_needed(found, differences, LEVEL)
        ]
        needed_by = dict(zip(differences, numbers, strict=True))
        required = sample_size.required_difference(found, needed_by, psi.shape[1], LEVEL, 1)
        told = [d for d, number in zip(differences, numbers, strict=True) if number <= psi.shape[1]]
        assert told == [d for d in differences if required is not None and d >= required]


def test_runs_that_do_not_differ_measurably_have_no_number():
    draw = np.random.default_rng(7)
    psi = campaign(draw, np.full(5, 0.5), 50)
    assert models(psi, 1) is None
    psi[:] = psi[0]  # all the same: no pair varies
    assert models(psi, 1) is None


def test_what_can_be_detected_beside_statsmodels_and_tukey():
    """Of two runs, the paired test; of more, Tukey's studentized range."""
    from scipy.stats import studentized_range

    least = sample_size.detectable(0.6, 800, LEVEL, 2)
    assert TTestPower().power(least / 0.6, 800, LEVEL) == pytest.approx(0.8, abs=0.03)
    for runs in (5, 40):
        critical = studentized_range.ppf(1 - LEVEL, runs, np.inf) / 2**0.5
        expected = (critical + 0.8416) * 0.6 / 800**0.5
        assert sample_size.detectable(0.6, 800, LEVEL, runs) == pytest.approx(expected, rel=0.02)
