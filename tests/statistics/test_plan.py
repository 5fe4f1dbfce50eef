"""How many questions tell two systems apart."""

import numpy as np
import pytest
from comparing import count_outcomes
from nonresponse import plan
from nonresponse.statistics import comparison, sample_size
from nonresponse.statistics.influence import Dense
from nonresponse.statistics.pairs import Pairs, select_runs
from nonresponse.statistics.plan import joint
from validation import page, plans


def test_the_page_has_the_plans_as_they_are():
    rows, _ = page.read_section(page.PAGE.read_text(encoding="utf-8"), plans.SECTION)
    assert [row[5] for row in rows] == [f"{planned.questions:,}" for planned in plans.PLANS]


@pytest.mark.parametrize("planned", plans.PLANS, ids=lambda planned: planned.measure)
def test_a_plan_tries_the_test_of_compare(planned):
    settings = {"level": 0.05, "flips": 0}
    shares = joint(planned.a, planned.b, planned.agreement).ravel()
    for questions in (12, 40):
        outcomes = plans.draw_outcomes(planned, questions, np.random.default_rng(questions))
        states = np.random.default_rng(questions).choice(9, questions, p=shares / shares.sum())
        counts = np.bincount(states, minlength=9).reshape(1, 3, 3)
        p = comparison.test_pairs(select_runs(outcomes), np.zeros(0), settings)["p"]
        assert planned.test(counts) == pytest.approx(np.nan_to_num(p, nan=1.0), abs=1e-6)


def test_abstaining_on_what_would_be_wrong_is_told_by_c_at_1_alone():
    """The same answers are right, but one system abstains where the other is wrong."""
    assert plan((0.6, 0.0), (0.6, 0.3), agreement=0.7).questions < 100
    with pytest.raises(ValueError, match="Both have the same accuracy"):
        plan((0.6, 0.0), (0.6, 0.3), "accuracy")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"a": (0.9, 0.2)}, "a is 0.9, 0.2"),
        ({"measure": "aurc"}, "aurc needs more than numbers of answers: choose one of c@1"),
        ({"measure": "nothing"}, "no measure 'nothing'"),
        ({"a": 0.6}, "a is 0.6: give two shares, correct and unanswered"),
        ({"agreement": 0.99}, "give one from 0.46"),
        ({"level": 0}, "The level is 0"),
        ({"a": (0.0, 1.0), "measure": "precision_answered"}, "nothing was answered"),
    ],
)
def test_what_does_not_fit(arguments, message):
    with pytest.raises(ValueError, match=message):
        plan(**{"a": (0.6, 0.2), "b": (0.65, 0.2)} | arguments)


def test_runs_that_do_not_differ_measurably_have_no_number():
    psi = (np.random.default_rng(7).random((5, 50)) < 0.5).astype(float)
    for values in (psi, np.tile(psi[0], (5, 1))):  # of the second, no pair varies
        assert sample_size.fit_models(Pairs(values.mean(axis=1), Dense(values)), 1, "c") is None


@pytest.mark.parametrize("asked_again", [False, True])
def test_questions_that_are_excluded_do_not_count(asked_again):
    """A run has one of four left out, another none: seven eighths count."""
    counts = {"n_ac": np.ones((2, 4)), "n": [[1, 1, 0, 1], [1, 1, 1, 1]]}
    counts |= {"weight": np.ones((2, 4))} if asked_again else {}
    assert sample_size.count_judged(count_outcomes("accuracy", **counts), 80) == 70
