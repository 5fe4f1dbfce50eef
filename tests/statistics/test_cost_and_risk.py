"""Cost, risk against coverage, and calibration, each beside a plain loop over a run's answers."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse.statistics import cost, risk_coverage
from nonresponse.statistics.risk_coverage import RISKS
from pipeline import Campaign, spell
from scipy.stats import beta, binom

SETTINGS = {"measures": ["c@1"], "official": "official", "level": 0.05}


def summarise(analysis, campaign: Campaign, clusters: bool = False) -> list[pl.DataFrame]:
    """What an analysis makes of a campaign."""
    inputs = campaign.inputs("c@1")
    if clusters:
        inputs = replace(inputs, clusters=[campaign.folder / "questions.parquet"])
    return analysis.summarise(inputs, "qa", SETTINGS | {"policy": campaign.policy})


def test_never_answering_is_right_where_there_is_no_answer():
    """Of 20 questions five have no answer."""
    counts = pl.DataFrame({"n": [20, 0], "n_unanswerable": [5, 0]})
    assert cost.share_unanswerable(counts) == 0.25
    assert cost.share_unanswerable(counts.drop("n_unanswerable")) == 0


@settings(max_examples=80, deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=8))
def test_the_best_runs_are_the_upper_envelope_of_lines(rows):
    """At every cost between two meetings of lines, the named run or its equal is best."""
    stretches = cost.find_best_runs([(float(c), float(w)) for c, w in rows])
    starts = [start for _, start in stretches]
    assert starts[0] == 0 and starts == sorted(set(starts))
    meetings = {Fraction(c - d, w - v) for c, w in rows for d, v in rows if w > v and c > d}
    marks = [Fraction(0), *sorted(meetings), max(meetings, default=Fraction(0)) + 2]
    for price in [(a + b) / 2 for a, b in pairwise(marks)]:
        t = float(price / (1 + price))
        best = [i for i, start in stretches if start <= t][-1]
        assert rows[best][0] - rows[best][1] * price == max(c - w * price for c, w in rows)


def test_risk_where_questions_were_asked_several_times(tmp_path):
    """An epoch is a part of its question; no threshold is given for runs with epochs.

    The answers at 0.6 and an abstention are two thirds and a third of q2.
    """
    columns = {"question": ["q0", "q0", "q1", "q2", "q2", "q2"], "epoch": "121123"}
    rows = spell(**columns, verdict="CWCWCN", confidence=[0.9, 0.8, 0.7, 0.6, 0.6, None])
    campaign = Campaign(tmp_path).evaluate_graded({"r": rows})
    table, control = summarise(risk_coverage, campaign)
    assert control["alike"].all() and control["answers"].is_null().all()
    points = [(0.9, 1 / 2, 0), (0.8, 1, 1 / 2), (0.7, 2, 1 / 4)]
    points += [
        (0.6, 2 + 1 / 3, (1 / 2 + 1 / 6) / (2 + 1 / 3)),
        (0.6, 2 + 2 / 3, 5 / 6 / (2 + 2 / 3)),
    ]
    actual = table.select("down_to", "answers", "risk").to_numpy()
    np.testing.assert_allclose(actual, points)
    assert table["coverage"].to_list() == pytest.approx([answers / 3 for _, answers, _ in points])
    assert table["whole"].to_list() == [False] * 4 + [True]


@cache
def count_fewest(risk: float) -> int:
    """How many answers are enough, if half as many are wrong as the risk allows."""
    return next(n for n in range(1, 999) if binom.cdf(int(n * risk / 2), n, risk) <= 0.05)


def expect_control(right: list[bool], sure: list[float], risk: float) -> tuple:
    """Return threshold, answers, wrong and at_most, from the surest on to the first failure."""
    result = (None,) * 4
    ends = [k for k in range(1, len(right) + 1) if k == len(right) or sure[k] < sure[k - 1]]
    ends = [k for k in ends if k >= min(count_fewest(risk), len(right))]
    step = max(-(-len(ends) // 50), 1)  # at most 50 are tried, all answers among them
    for k in [k for place, k in enumerate(ends, 1) if (len(ends) - place) % step == 0]:
        wrong = k - sum(right[:k])
        if binom.cdf(wrong, k, risk) > 0.05:
            break
        highest = pytest.approx(beta.ppf(0.95, wrong + 1, k - wrong))
        result = (sure[k] if k < len(right) else None, k, wrong, highest)
    return result


def test_thresholds_that_keep_a_risk(tmp_path):
    """A run that is right as often as it is sure, on 300 questions."""
    rng = random.Random(5)
    sure = [round(1 - rng.random() ** 3, 3) for _ in range(300)]
    letters = "".join("C" if rng.random() < confidence else "W" for confidence in sure)
    rows = spell(verdict=letters, confidence=map(str, sure))
    _, table = summarise(risk_coverage, Campaign(tmp_path).evaluate_graded({"r": rows}))
    ranked = sorted(zip(sure, letters, strict=True), key=lambda pair: -pair[0])
    right = [letter == "C" for _, letter in ranked]
    sure.sort(reverse=True)
    expected = {("r", risk): expect_control(right, sure, risk) for risk in RISKS}
    assert {row[:2]: row[2:-1] for row in table.rows()} == expected and not table["alike"].any()
    assert table["threshold"].is_not_null().any()


def test_of_answers_in_an_order_only_all_are_tested(tmp_path):
    """Their positions are among these questions: others have no such place."""
    runs = {"r": "C" * 100, "s": "C" * 60 + "W" * 40}
    rows = {run: spell(verdict=text, position=range(1, 101)) for run, text in runs.items()}
    _, table = summarise(risk_coverage, Campaign(tmp_path).evaluate_graded(rows))
    assert table["threshold"].is_null().all()
    assert table.filter(risk=0.1).select("run", "answers").rows() == [("r", 100), ("s", None)]


def test_answers_to_the_questions_of_a_cluster_are_alike(tmp_path):
    """100 correct answers in ten clusters; one answer in each is tested, and is too few."""
    sure = [f"{0.99 - i / 1000}" for i in range(100)]
    letters = {"r": "C" * 100, "s": ("C" + "N" * 9) * 10}
    rows = {run: spell(verdict=text, confidence=sure) for run, text in letters.items()}
    campaign = Campaign(tmp_path).evaluate_graded(rows)
    clusters = [{"question": f"q{i:03}", "cluster": f"c{i // 10}"} for i in range(100)]
    campaign.write_questions(clusters)
    _, table = summarise(risk_coverage, campaign, clusters=True)
    assert dict(table.select("run", "alike").rows()) == {"r": True, "s": False}
    assert table["answers"].is_null().all()
    _, table = summarise(risk_coverage, campaign)
    assert table.filter(run="r", risk=0.1)["answers"].item() == 100
