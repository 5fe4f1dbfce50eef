"""Numbers of questions, power and detectable differences beside simulations whose truth is known."""

import numpy as np
import pytest
from nonresponse.reliability import components
from nonresponse.reliability.pseudo_values import centred, variances, variances_of_sample
from statsmodels.stats.power import TTestPower

LEVEL = 0.05


def campaign(draw: np.random.Generator, chances: np.ndarray, questions: int) -> np.ndarray:
    """Right or wrong, (runs, questions): each run has its own chance, and each question its own difficulty for all."""
    difficulty = draw.normal(0, 1, questions)
    odds = np.log(chances / (1 - chances))[:, None] - difficulty
    return (draw.random((len(chances), questions)) < 1 / (1 + np.exp(-odds))).astype(float)


def swapped(draw: np.random.Generator, chances: np.ndarray, questions: int, difference: float, sets: int) -> float:
    """The share of swaps among pairs that differ by about so much, between two sets of so many questions."""
    x, y = np.triu_indices(len(chances), 1)
    compared = swaps = 0
    for _ in range(sets):
        first, second = (campaign(draw, chances, questions).mean(axis=1) for _ in range(2))
        d, other = first[x] - first[y], second[x] - second[y]
        near = (np.abs(d) >= difference - 1e-9) & (np.abs(d) < difference + components.WIDTH - 1e-9)
        compared += near.sum()
        swaps += (near & (d * other < 0)).sum() + (near & (other == 0)).sum() / 2
    return swaps / compared


def needed(psi: np.ndarray, difference: float, seed: int) -> tuple[float, float, float]:
    [found] = components.questions_needed(*components.models(psi.mean(axis=1), psi, seed, "c"), [difference], LEVEL)
    return found


@pytest.fixture(scope="module")
def runs() -> np.ndarray:
    return np.random.default_rng(3).beta(6, 6, 30)


@pytest.mark.slow
def test_the_number_of_questions_beside_a_simulation(runs):
    """On the number that it gives, two fresh sets of questions swap about 5 % of the pairs."""
    draw = np.random.default_rng(4)
    found = []
    for seed in range(5):
        psi = campaign(draw, runs, 500)
        questions, low, high = needed(psi, 0.05, seed)
        assert low < questions < high
        found.append(questions)
    rate = swapped(draw, runs, int(np.mean(found)), 0.05, 150)
    assert rate == pytest.approx(LEVEL, abs=0.02)


@pytest.mark.slow
def test_the_range_holds_the_truth_mostly(runs):
    draw = np.random.default_rng(5)
    every = campaign(draw, runs, 200_000)
    variance = variances(every)
    between = components.between_runs(every.mean(axis=1), variance, every.shape[1])
    truth = components.enough(0.05, np.array([between]), components.grouped(variance)[None], LEVEL).item()
    held = 0
    for seed in range(20):
        psi = campaign(draw, runs, 400)
        _, low, high = needed(psi, 0.05, seed)
        held += low <= truth <= high
    assert held >= 16


def test_more_questions_and_larger_differences_swap_less(runs):
    psi = campaign(np.random.default_rng(6), runs, 300)
    every = variances(psi)
    between, variance = np.array([components.between_runs(psi.mean(axis=1), every, 300)]), every[None]
    rates = [components.swap_rate(np.array([n]), 0.05, between, variance).item() for n in (50, 100, 500, 2000)]
    assert rates == sorted(rates, reverse=True) and rates[0] < 0.5
    numbers = [components.enough(d, between, variance, LEVEL).item() for d in (0.02, 0.05, 0.1)]
    assert numbers == sorted(numbers, reverse=True)
    grouped = components.enough(0.05, between, components.grouped(every)[None], LEVEL).item()
    assert grouped == pytest.approx(numbers[1], rel=0.005), "groups of pairs are as good as all pairs"


@pytest.mark.slow
def test_what_a_campaign_tells_is_what_its_number_of_questions_says(runs):
    """The required difference at n is within the reach of exactly those differences that need n questions or fewer."""
    for seed in range(10):
        draw = np.random.default_rng(seed)
        psi = campaign(draw, runs[: draw.integers(4, 30)], int(draw.integers(40, 600)))
        found = components.models(psi.mean(axis=1), psi, seed, "c")
        if found is None:
            continue
        differences = [step / 100 for step in range(1, 16)]
        numbers = [number for number, _, _ in components.questions_needed(*found, differences, LEVEL)]
        required = components.required_difference(*found, psi.shape[1], LEVEL)
        told = [d for d, number in zip(differences, numbers, strict=True) if number <= psi.shape[1]]
        assert told == [d for d in differences if required is not None and d >= required]


@pytest.mark.parametrize("twins", [0, 20])
def test_of_many_runs_a_sample_s_t2_is_that_of_all_pairs_and_its_range_nearly(monkeypatch, twins):
    """Also where runs are alike, whose pairs do not vary; the answer itself is that of all pairs, to the last bit."""
    draw = np.random.default_rng(9)
    psi = campaign(draw, draw.beta(6, 6, 80), 400)
    psi[:twins] = psi[0]
    score = psi.mean(axis=1)
    between, variance = components.models(score, psi, 1, "c")
    monkeypatch.setattr(components, "RUNS", 25)
    of_drawn, spread = components.models(score, psi, 1, "c")
    assert of_drawn == pytest.approx(between, abs=1e-15) and of_drawn[0] == between[0]
    assert (spread[0] == variance[0]).all() and (spread != variance).any()
    assert spread.mean(axis=1) == pytest.approx(variance.mean(axis=1), rel=0.005)
    ranges = [
        components.questions_needed(*known, [0.03, 0.08], LEVEL) for known in ((between, variance), (of_drawn, spread))
    ]
    assert np.array(ranges[1]) == pytest.approx(np.array(ranges[0]), rel=0.02)
    assert [known[0] for known in ranges[0]] == [known[0] for known in ranges[1]]


def test_hardly_any_run_is_unlike_the_others(monkeypatch):
    """None of the drawn ones: then the pairs of all are taken."""
    psi = np.repeat(campaign(np.random.default_rng(1), np.array([0.5]), 100), 60, axis=0)
    psi[59, :40] = 0
    score = psi.mean(axis=1)
    _, every = components.models(score, psi, 1, "c")
    monkeypatch.setattr(components, "RUNS", 3)
    _, spread = components.models(score, psi, 1, "c")
    assert spread == pytest.approx(every)


def test_runs_that_do_not_differ_measurably_have_no_number():
    draw = np.random.default_rng(7)
    psi = campaign(draw, np.full(5, 0.5), 50)
    psi[:] = psi[0]  # all the same: no pair varies
    assert components.models(psi.mean(axis=1), psi, 1, "c") is None


def test_variances_are_those_of_the_differences():
    psi = np.random.default_rng(8).normal(size=(4, 30))
    x, y = np.triu_indices(4, 1)
    assert variances(psi) == pytest.approx((psi[x] - psi[y]).var(axis=1, ddof=1))
    twice = variances_of_sample(centred(psi), np.full(30, 2.0))
    assert twice == pytest.approx(np.repeat(psi[x] - psi[y], 2, axis=1).var(axis=1, ddof=1))


def test_power_beside_statsmodels():
    assert components.power(0.05, 0.6, 800, LEVEL) == pytest.approx(
        TTestPower().power(0.05 / 0.6, 800, LEVEL), abs=0.01
    )
    least = components.detectable(0.6, 800, LEVEL)
    assert components.power(least, 0.6, 800, LEVEL) == pytest.approx(0.8, abs=0.001)
