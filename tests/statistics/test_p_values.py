"""How small the p-values of the comparison are, under the null hypothesis and of runs that
differ."""

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


def test_p_values_of_runs_that_differ():
    _, pairs = compared(simulated("c@1", 1, 3, 60, [0.2, 0.55, 0.6]), flips=999)
    p, together = pairs["p"].to_numpy(), pairs["p_maxt"].to_numpy()
    assert (p[:2] < 0.01).all() and (together[:2] < 0.02).all() and p[2] > 0.1 and together[2] > 0.1
    assert (together >= p - 0.02).all()  # valid for all pairs together


@pytest.mark.parametrize("number", [2, 5])
def test_two_runs_alone_have_the_p_of_their_pair(number):
    """Nothing is flipped for a single pair, and the pair's own p does not depend on other runs."""
    seen = simulated("c@1", number, 5, 60, [[0.2], [0.5], [0.5], [0.6], [0.7]])
    alone, among = (
        compared(only(seen, [1, 4]))[1].row(0, named=True),
        compared(seen)[1].filter(a="run1", b="run4"),
    )
    assert alone["p_maxt"] == alone["p"] == pytest.approx(among["p"].item())
