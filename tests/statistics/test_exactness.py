"""Edges and ties are found where rounding once led the kernels astray."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from comparing import compared
from literal_reliability import campaign, literal_positions
from nonresponse import measures
from nonresponse.statistics.rank_positions import rank_positions


@pytest.mark.parametrize("id", ["cws", "c@1", "precision_answered", "uf", "accuracy"])
def test_runs_that_differ_in_one_question_cannot_be_told_apart(id):
    """One answer of 200 changes what all other questions add to such scores, and still proves nothing."""
    seen, _ = campaign(measures.get("qa", id), 3, runs=3, questions=200)
    if id == "cws":
        right = seen.orders[1].right.copy()
        right[100] ^= True
        pair = replace(seen, runs=["a", "b"], orders=[seen.orders[1], replace(seen.orders[1], right=right)])
    else:
        row = {name: matrix[-1] for name, matrix in seen.matrices.items()}
        other = {name: values.copy() for name, values in row.items()}
        question = np.flatnonzero(row["n_ac"])[0]
        other["n_ac"][question] = 0
        if "n_aw" in other:
            other["n_aw"][question] = 1
        both = {name: np.stack([row[name], other[name]]) for name in row}
        pair = replace(seen, runs=["a", "b"], matrices=both | {"n": np.ones((1, 200), np.float32)})
    _, found = compared(pair, flips=2000)
    assert found["difference"].item() != 0 and (found.select("p", "p_maxt").to_numpy() > 0.2).all()


@pytest.mark.parametrize("s", [5_000, 20_000])
def test_c_at_1_of_many_questions(s):
    rows = [int(0.6 * s) * s, int(0.61 * s) * s - 1, int(0.61 * s) * s]
    _, reach = rank_positions(np.array([rows]) / s**2, {"difference": [0.0, 0.01]})
    assert reach.tolist() == [[[0, 1, 2], [0, 0, 1]]]


def test_a_width_with_many_decimals():
    s = 250
    rows = [int(0.6 * s) * s, int(0.61 * s) * s - 1, int(0.61 * s) * s]
    _, reach = rank_positions(np.array([rows]) / s**2, {"difference": [0.0, 1 / 3 * 0.03]})
    e = literal_positions(
        [Fraction(r, s * s) for r in rows], {"difference": [Fraction(0), Fraction(str(1 / 3 * 0.03))]}
    )
    assert reach[0].tolist() == e[1]


def test_margins_beyond_any_difference():
    _, reach = rank_positions(np.array([[1, 1 / 2, 2 / 3]]), {"difference": [0.0, 0.4, 9.99, 500.0]})
    assert reach[0].tolist() == [[2, 0, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0]]
