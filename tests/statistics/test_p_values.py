"""How small the p-values of the comparison are, under the null hypothesis and of runs that differ."""

import numpy as np
import pytest
from comparing import compared
from nonresponse import measures
from nonresponse.statistics.outcomes import Outcomes, only


def simulated(id: str, number: int, runs: int, n: int, skill: list) -> Outcomes:
    draw = np.random.default_rng([2011, number])
    fate, easy = draw.random((runs, n)), draw.uniform(-0.3, 0.3, n)
    right, silent = fate < np.reshape(skill, (-1, 1)) + easy, fate > 0.85
    matrices = {"n_ac": (right & ~silent).astype(np.float32), "n_u": silent.astype(np.float32)}
    names = [f"run{i}" for i in range(runs)], [f"q{i:02}" for i in range(n)]
    return Outcomes(measures.get("qa", id), *names, matrices | {"n": np.ones((1, n), np.float32)})


@pytest.mark.slow
@pytest.mark.parametrize("id", ["accuracy", "c@1"])
def test_p_values_under_the_null_hypothesis(id):
    """120 campaigns of four runs of one skill: no p is too small too often, by three standard errors.

    One pair of each campaign for the paired test; for all pairs together, the smallest p of them.
    """
    found = []
    for number in range(120):
        seen = simulated(id, number, 4, 25, [0.5])
        _, pairs = compared(seen, campaign=f"c{number}", samples=100, flips=99)
        found.append((pairs["p"][0], pairs["p_maxt"].min()))
    found = np.array(found)
    for level in (0.05, 0.1, 0.25, 0.5):
        limit = level + 3 * np.sqrt(level * (1 - level) / 120)
        assert ((found <= level).mean(axis=0) < limit).all(), level
    # And they are not so large that they say nothing.
    assert ((found <= 0.5).mean(axis=0) > [0.15, 0.25]).all()


def test_p_values_of_runs_that_differ():
    _, pairs = compared(simulated("c@1", 1, 3, 60, [0.2, 0.55, 0.6]), flips=999)
    p, together = pairs["p"].to_numpy(), pairs["p_maxt"].to_numpy()
    assert (p[:2] < 0.01).all() and (together[:2] < 0.02).all() and p[2] > 0.1 and together[2] > 0.1
    assert (together >= p - 0.02).all()  # valid for all pairs together


@pytest.mark.parametrize("number", [2, 5])
def test_two_runs_alone_have_the_p_of_their_pair(number):
    """Nothing is flipped for a single pair, and the pair's own p does not depend on other runs."""
    seen = simulated("c@1", number, 5, 60, [[0.2], [0.5], [0.5], [0.6], [0.7]])
    alone, among = compared(only(seen, [1, 4]))[1].row(0, named=True), compared(seen)[1].filter(a="run1", b="run4")
    assert alone["p_maxt"] == alone["p"] == pytest.approx(among["p"].item())
