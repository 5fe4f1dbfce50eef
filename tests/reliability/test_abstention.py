"""What abstention did to a difference: the parts add up, and their tests are those of their pseudo-values."""

from fractions import Fraction

import numpy as np
import pytest
from comparing import flips_of
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.pages.sections.comparison import of_abstention
from nonresponse.reliability import abstention, sign_flips
from nonresponse.reliability.compared import Compared
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.pseudo_values import scored
from nonresponse.reliability.subsets import stream


def parts(seen: Outcomes, score, flips: int, p: float = 0.0):
    """The parts, where the difference of each pair has this p."""
    x, y = np.triu_indices(len(seen.runs), 1)
    return abstention.parts(seen, score, (x, y, np.full(len(x), p)), flips, 1, "c")


def literal(right, left_open, x: int, y: int, questions: list[int]) -> tuple[Fraction, Fraction]:
    n = len(questions)
    a = [Fraction(sum(int(right[run][q]) for q in questions), n) for run in (x, y)]
    u = [Fraction(sum(int(left_open[run][q]) for q in questions), n) for run in (x, y)]
    return (a[0] - a[1]) * (1 + (u[0] + u[1]) / 2), (a[0] + a[1]) / 2 * (u[0] - u[1])


@pytest.mark.parametrize("task", ["qa", "validation", "dating", "matching"])
def test_the_parts_add_up_to_the_difference(task):
    seen, _ = campaign(measures.get(task, "c@1"), 4, runs=6, questions=80)
    score, _ = scored(seen)
    found = parts(seen, score, 100)
    assert found.height == 3 and found["a"].n_unique() == 1
    for row in found.iter_rows(named=True):
        assert row["by_right"] + row["by_abstention"] == pytest.approx(row["difference"])
        assert row["difference"] >= 0 and 0 < row["p_right"] <= 1 and 0 < row["p_abstention"] <= 1


def test_the_tests_of_all_parts_flip_the_same_signs_which_are_drawn_once(monkeypatch):
    seen, _ = campaign(measures.get("qa", "c@1"), 4, runs=6, questions=80)
    streams = []
    monkeypatch.setattr(sign_flips, "stream", lambda *name: streams.append(name) or stream(*name))
    found = parts(seen, scored(seen)[0], 500)
    assert len(streams) == 2  # of 250 flips each
    for row in found.iter_rows(named=True):
        x, y = seen.runs.index(row["a"]), seen.runs.index(row["b"])
        for number, name in enumerate(["right", "abstention"]):
            part, without = (abstention.of_pair(seen, x, y, each)[number] for each in (False, True))
            psi = np.stack([80 * part - 79 * without, np.zeros(80)])
            score = np.append(part, 0)
            counts = flips_of(sign_flips.exceeding, Compared(score, psi), 1, "c", 500)
            assert row[f"p_{name}"] == sign_flips.step_down(Compared(score, psi), counts, 500)[0]


def test_the_parts_without_each_question_in_a_loop():
    seen, _ = campaign(measures.get("qa", "c@1"), 4, runs=3, questions=12)
    right, left_open = seen.matrices["n_ac"], seen.matrices["n_u"]
    every = list(range(12))
    found = [part.item() for part in abstention.of_pair(seen, 0, 2)]
    assert found == pytest.approx([float(part) for part in literal(right, left_open, 0, 2, every)])
    without = np.array(abstention.of_pair(seen, 0, 2, without_each=True)).T
    expected = [literal(right, left_open, 0, 2, [q for q in every if q != left]) for left in every]
    assert without.ravel().tolist() == pytest.approx([float(part) for pair in expected for part in pair])


def test_other_measures_have_no_parts():
    seen, _ = campaign(measures.get("qa", "accuracy"), 4, runs=3, questions=12)
    assert parts(seen, scored(seen)[0], 100).is_empty()
    alone, _ = campaign(measures.get("qa", "c@1"), 4, runs=1, questions=12)
    assert parts(alone, scored(alone)[0], 100).is_empty()
    assert parts(alone, np.array([np.nan]), 100).is_empty()


def test_one_answer_more_of_two_hundred_proves_nothing():
    """Nothing is left open, so that the part of right answers has two pseudo-values: one, and nothing."""
    right = np.tile(np.arange(200) % 2, (2, 1)).astype(np.float32)
    right[1, 1] = 0
    matrices = {"n_ac": right, "n_u": np.zeros((1, 200), np.float32), "n": np.ones((1, 200), np.float32)}
    seen = Outcomes(measures.get("qa", "c@1"), ["a", "b"], [f"{q:03}" for q in range(200)], matrices)
    [row] = parts(seen, scored(seen)[0], 1000).rows(named=True)
    assert row["by_right"] == pytest.approx(0.005) and row["p_right"] > 0.2
    assert row["by_abstention"] == 0 and row["p_abstention"] == 1


@pytest.mark.parametrize("left_open", [0, 3])
def test_a_part_that_is_all_of_a_difference_is_no_surer_than_it(left_open):
    """Five right answers more of twenty; both leave the same questions open."""
    right = np.tile(np.arange(20) < 10, (2, 1)).astype(np.float32)
    right[1, 10:15] = 1
    silent = (np.arange(20) >= 20 - left_open).astype(np.float32)[None]
    matrices = {"n_ac": right, "n_u": silent, "n": np.ones((1, 20), np.float32)}
    seen = Outcomes(measures.get("qa", "c@1"), ["a", "b"], [f"{q:02}" for q in range(20)], matrices)
    [row] = parts(seen, scored(seen)[0], 1000, p=0.0625).rows(named=True)
    assert row["by_abstention"] == 0 and row["p_right"] == 0.0625 and row["p_abstention"] == 1
    [row] = parts(seen, scored(seen)[0], 1000).rows(named=True)
    assert 0 < row["p_right"] < 0.0625


def test_equal_scores_are_the_same_and_others_nearly():
    row = {"measure": "c@1", "a": "x", "b": "y", "by_right": 0.0, "by_abstention": 0.0, "p_right": 1, "p_abstention": 1}
    assert of_abstention({**row, "difference": 0.0}, 0.05).startswith("x and y have the same c@1: ")
    assert of_abstention({**row, "difference": 4e-4}, 0.05).startswith("x and y have nearly the same c@1: ")


def test_a_run_that_is_ahead_by_silence_alone():
    """The same right answers; one leaves open what the other gets wrong."""
    right = np.tile(np.arange(300) % 2, (2, 1)).astype(np.float32)
    left_open = np.zeros((2, 300), np.float32)
    left_open[0, 1::4] = 1
    left_open[0] *= 1 - right[0]
    left_open[0, 0::4] = 1
    matrices = {"n_ac": right, "n_u": left_open, "n": np.ones((1, 300), np.float32)}
    seen = Outcomes(measures.get("qa", "c@1"), ["silent", "wrong"], [f"{q:03}" for q in range(300)], matrices)
    [row] = parts(seen, scored(seen)[0], 2000).rows(named=True)
    assert row["by_right"] == 0 and row["p_right"] == 1
    assert row["by_abstention"] == pytest.approx(row["difference"]) and row["p_abstention"] < 0.01
    assert of_abstention({"measure": "c@1", **row}, 0.05) == (
        "silent is ahead of wrong by 0.125 in c@1: +0.000 by right answers, +0.125 by abstention; that of abstention"
        " differs from 0 at the 5 % level."
    )
