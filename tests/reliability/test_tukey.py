"""The randomised Tukey HSD beside plain loops and beside all deals; the levels of all tests."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from comparing import compared
from hypothesis import given
from hypothesis import strategies as st
from literal_reliability import campaign, dealt, made, measured, total
from nonresponse import measures
from nonresponse.measures.orderings import contributions
from nonresponse.reliability import PER_STREAM, tukey
from nonresponse.reliability.outcomes import Outcomes, only, values
from nonresponse.reliability.subsets import stream

RUNS, N, TRIALS = 4, 8, PER_STREAM + 30
SOME = [("qa", id) for id in ("accuracy", "c@1", "uf", "precision_answered", "wrong_rate", "nil_f", "romip_answered")]
SOME += [("validation", id) for id in ("c@1", "f@0.5", "e@2", "qa_estimated")]
ids = pytest.mark.parametrize(("task", "id"), SOME, ids=["-".join(pair) for pair in SOME])
PAIRS = [(x, y) for x in range(RUNS) for y in range(x + 1, RUNS)]


def scored(seen: Outcomes) -> np.ndarray:
    return values(seen, np.ones((1, seen.n), np.float32))[0]


def small(task: str, id: str, seed: int, excluding: bool, runs: int = RUNS, n: int = N):
    """Outcomes, the counts by run and question, and the score of a list of such counts."""
    measure = measures.get(task, id)
    seen, _ = campaign(measure, seed, runs, n, excluding)
    cells = made(task, seed, runs, n, excluding)
    return seen, cells, lambda answers: measured(measure, total(answers, range(len(answers))))


@pytest.mark.parametrize(("task", "id"), [("qa", "cws"), ("validation", "auc")])
def test_what_each_question_adds_to_a_measure_of_an_order(task, id):
    """The parts add up to the score; a question whose answer turns wrong loses its own part of cws."""
    seen, _ = campaign(measures.get(task, id), 5, questions=12, excluding=True)
    parts = contributions(seen.measure, seen.orders, seen.n)
    assert parts.shape == (6, 12) and np.isnan(parts[0]).all()
    assert parts.sum(axis=1) / 12 == pytest.approx(scored(seen), abs=1e-9, nan_ok=True)
    for run, order in list(enumerate(seen.orders))[1:]:
        ends = [*order.starts[1:], len(order.question)]
        block = [next(b for b, end in enumerate(ends) if row < end) for row in range(len(order.question))]
        expected = np.zeros(12)
        for i, question in enumerate(order.question):
            if id == "cws" and order.right[i]:
                own = [row for row, number in enumerate(block) if number == block[i]]
                # Its place is any of its block's; it counts in every share from there on.
                for place in own:
                    later = sum(Fraction(1, rank + 1) for rank in range(place, len(block)))
                    expected[question] += later / (len(own) * len(block))
            elif id == "auc":
                for j in range(len(block)):
                    if order.right[i] != order.right[j]:
                        better = (block[i] > block[j]) == bool(order.right[i]) if block[i] != block[j] else 0.5
                        expected[question] += better / (2 * order.right.sum() * (~order.right).sum())
        assert parts[run] / 12 == pytest.approx(expected, abs=1e-9)


def test_equal_runs_and_undefined_scores():
    right = np.array([[1, 0, 1, 1]] * 2 + [[0, 1, 0, 0]], np.float32)
    seen = Outcomes(measures.get("qa", "precision_answered"), list("abcd"), list("wxyz"), {})
    answered = {"n_ac": np.vstack([right, np.zeros(4)]), "n_aw": np.vstack([1 - right, np.zeros(4)])}
    seen = Outcomes(seen.measure, seen.runs, seen.questions, answered | {"n": np.ones((1, 4))})
    score = scored(seen)
    found = tukey.ranges(seen, score, 1, "c", range(50))
    assert np.isfinite(found).all()
    assert np.isnan(tukey.simultaneous(score, found)).tolist() == [False, False, True, False, True, True]
    assert tukey.simultaneous(score, found)[0] == 1


@ids
def test_ranges_against_all_deals(task, id):
    """Every range within four and a half standard errors of its share of all deals, 6^4 for three runs."""
    seen, cells, score = small(task, id, 16 if id == "nil_f" else 15, True, runs=3, n=4)
    exact, trials = dealt([run for run in cells if score(run) is not None], score), 3000
    found = tukey.ranges(seen, scored(seen), 1, "c", range(trials)).round(9)
    assert len(exact) > 1
    ways = Counter({round(float(value), 9): number for value, number in exact.items()})
    assert set(found) <= set(ways)
    for value, number in ways.items():
        chance = number / ways.total()
        assert abs((found == value).mean() - chance) <= 4.5 * np.sqrt(chance * (1 - chance) / trials)


def test_each_block_of_deals_starts_from_the_runs_as_they_were(monkeypatch):
    seen, _, _ = small("qa", "c@1", 13, False)
    found = tukey.ranges(seen, scored(seen), 1, "c", range(2 * PER_STREAM + 30))
    assert (found[: PER_STREAM + 10] == tukey.ranges(seen, scored(seen), 1, "c", range(PER_STREAM + 10))).all()
    blocks = found[:30], found[PER_STREAM : PER_STREAM + 30], found[2 * PER_STREAM :]
    assert not any((a == b).all() for a, b in combinations(blocks, 2))

    def other_first_block(seed, campaign, *place):
        return stream(seed + (place[-1] == 0), campaign, *place)

    monkeypatch.setattr(tukey, "stream", other_first_block)
    after = tukey.ranges(seen, scored(seen), 1, "c", range(2 * PER_STREAM + 30))
    assert (after[PER_STREAM:] == found[PER_STREAM:]).all() and (after[:PER_STREAM] != found[:PER_STREAM]).any()


@given(
    score=st.lists(st.one_of(st.just(np.nan), st.integers(0, 20).map(lambda k: k / 20)), min_size=1, max_size=6),
    ranges=st.lists(st.integers(0, 20).map(lambda k: k / 20), min_size=1, max_size=30),
)
def test_simultaneous_p_in_a_loop(score, ranges):
    found = tukey.simultaneous(np.array(score), np.array(ranges))
    expected = [
        (1 + sum(r >= abs(score[x] - score[y]) - 1e-12 for r in ranges)) / (1 + len(ranges))
        if score[x] == score[x] and score[y] == score[y]
        else np.nan
        for x in range(len(score))
        for y in range(x + 1, len(score))
    ]
    assert np.array_equal(found, expected, equal_nan=True)


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
    """300 campaigns of four runs of one skill: no p is too small too often, by three standard errors.

    One pair of each campaign for the paired test; for all pairs together, the smallest p of them.
    """
    found = []
    for number in range(300):
        seen = simulated(id, number, 4, 25, [0.5])
        _, pairs = compared(seen, campaign=f"c{number}", samples=100, exchanges=99, flips=99, deals=99)
        found.append((pairs["p"][0], pairs["p_maxt"].min(), pairs["p_holm"].min(), pairs["p_tukey"].min()))
    found = np.array(found)
    for level in (0.05, 0.1, 0.25, 0.5):
        limit = level + 3 * np.sqrt(level * (1 - level) / 300)
        assert ((found <= level).mean(axis=0) < limit).all(), level
    # Nor are they so large that they say nothing.
    assert ((found <= 0.5).mean(axis=0) > [0.2, 0.3, 0.1, 0.3]).all()


def test_p_values_of_runs_that_differ():
    _, pairs = compared(simulated("c@1", 1, 3, 60, [0.2, 0.55, 0.6]), exchanges=999, flips=999, deals=999)
    p, together = pairs["p"].to_numpy(), pairs.select("p_maxt", "p_tukey").to_numpy()
    assert (p[:2] < 0.01).all() and (together[:2] < 0.02).all() and p[2] > 0.1 and (together[2] > 0.1).all()
    assert (together >= p[:, None] - 0.02).all()  # valid for all pairs together


def test_nothing_to_compare():
    seen, score = only(simulated("accuracy", 1, 2, 10, [0.5]), [1]), np.array([0.5])
    found = tukey.ranges(seen, score, 1, "c", range(20))
    assert (found == 0).all() and len(tukey.simultaneous(score, found)) == 0
