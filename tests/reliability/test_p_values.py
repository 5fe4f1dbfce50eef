"""How small the p-values of the comparison are, under the null hypothesis and of runs that differ."""

import numpy as np
import pytest
from comparing import compared
from nonresponse import measures
from nonresponse.reliability import comparison, sign_flips
from nonresponse.reliability.outcomes import Outcomes


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


def test_no_more_flips_by_itself_than_for_all_pairs_where_holm_could_find_none():
    """Six pairs at a level of 0.1: 60 flips cannot make any of them significant, 61 can."""
    seen = simulated("c@1", 1, 4, 60, [[0.2], [0.5], [0.5], [0.6]])
    p = {flips: compared(seen, flips=50)[1] for flips in (60, 61)}
    for flips, rests_on in ((60, 50), (61, 61)):
        again = p[flips]["p"] * (1 + rests_on)
        np.testing.assert_allclose(again, np.round(again))
    assert p[60]["p_holm"].min() > 0.1 > p[61]["p_holm"].min() - 1e-12


def test_flips_that_serve_both_tests_are_counted_once_and_alike():
    seen = simulated("c@1", 2, 5, 60, [[0.2], [0.5], [0.5], [0.6], [0.7]])
    those, settings = comparison.tested(seen), {"seed": 1, "flips": 300, "level": 0.1}
    assert those.flipped is those.centred
    together = comparison.count(seen, "c", settings | {"samples": 0})
    [apart] = sign_flips.counted(those.flipped, [sign_flips.as_large(those)], 1, "c", 300)
    np.testing.assert_array_equal(together["as_large"], apart)
