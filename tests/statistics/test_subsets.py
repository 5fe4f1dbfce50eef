"""The random draws: their sizes, that only their own name moves them, and that they are fair."""

import numpy as np
from comparing import count_outcomes
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse.statistics.outcomes import Outcomes, sum_units
from nonresponse.statistics.subsets import MANY, SIZE, choose_size, draw_subsets


@settings(max_examples=50, deadline=None)
@given(questions=st.integers(1, 60) | st.just(MANY + 1), seed=st.integers(0, 2**40), data=st.data())
def test_two_disjoint_subsets_of_the_size_asked_for(questions, seed, data):
    size = data.draw(st.integers(0, min(questions // 2, SIZE)))
    first, second = draw_subsets(seed, "c", questions, [(size, trial) for trial in range(5)])
    assert first.shape == second.shape == (5, questions)
    assert set(np.unique([first, second])) <= {0, 1}
    assert (first.sum(axis=1) == size).all() and (second.sum(axis=1) == size).all()
    assert not (first * second).any()


def test_the_same_place_draws_the_same_and_another_place_another():
    def draw(seed=1, campaign="c", questions=40, size=10, trials=range(20)):
        sizes = [(size, trial) for trial in trials]
        return np.stack(draw_subsets(seed, campaign, questions, sizes))

    base = draw()
    assert (draw() == base).all()
    different = [draw(seed=2), draw(campaign="d"), draw(size=9), draw(trials=range(20, 40))]
    for place, subset in enumerate(different):
        # Not one trial is the same; the subsets of size 9 are no parts of those of size 10 either.
        assert (subset != base).any(axis=2).all(), place
    assert not (different[2] <= base).all(axis=2).any()


def make_outcomes(questions: int, per_cluster: int = 1) -> Outcomes:
    outcomes = count_outcomes("accuracy", n_ac=np.ones(questions))
    clusters = {name: f"c{i // per_cluster}" for i, name in enumerate(outcomes.questions)}
    return sum_units(outcomes, outcomes.questions, clusters)


def test_size_for():
    assert choose_size(make_outcomes(2 * SIZE)) == choose_size(make_outcomes(10_000)) == 250
    assert [choose_size(make_outcomes(questions)) for questions in (499, 3, 1)] == [249, 1, 0]
    sizes = [choose_size(make_outcomes(questions, 10)) for questions in (10_000, 100, 20, 10)]
    assert sizes == [25, 5, 1, 0]
    assert [make_outcomes(1000, 10).count_questions(size) for size in (25, 1)] == [250, 10]
