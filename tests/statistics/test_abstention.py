"""What abstention did to a difference in c@1: its two parts, and their intervals."""

import numpy as np
import polars as pl
import pytest
from comparing import scored
from nonresponse import measures
from nonresponse.statistics.comparison import split_differences
from nonresponse.statistics.outcomes import Outcomes


def parts(seen: Outcomes, level: float = 0.05) -> pl.DataFrame:
    return split_differences(seen, scored(seen)[0], level)


def outcomes_of(right: np.ndarray, unanswered: np.ndarray) -> Outcomes:
    """c@1 of two runs."""
    matrices = {"n_ac": right, "n_u": unanswered, "n": np.ones((1, right.shape[1]))}
    names = ["a", "b"], [f"{question:03}" for question in range(right.shape[1])]
    return Outcomes(
        measures.get("qa", "c@1"),
        *names,
        {name: m.astype(np.float32) for name, m in matrices.items()},
    )


def test_a_run_that_is_ahead_by_silence_alone():
    """The same correct answers; one leaves open what the other gets wrong."""
    right = np.tile(np.arange(300) % 2, (2, 1))
    unanswered = np.zeros((2, 300))
    unanswered[0, 0::4] = 1
    [row] = parts(outcomes_of(right, unanswered)).rows(named=True)
    assert row["by_right"] == 0 and row["by_right_lower"] < 0 < row["by_right_upper"]
    assert (
        row["by_abstention"] == pytest.approx(row["difference"]) and row["by_abstention_lower"] > 0
    )


@pytest.mark.parametrize(("right", "unanswered"), [([1, 0], [0, 1]), ([0, 0], [1, 1])])
def test_intervals_of_parts_hold_what_is_possible_and_have_a_width(right, unanswered):
    """All correct beside all unanswered, and both unanswered, on six questions."""
    ones = np.ones((1, 6), np.float32)
    matrices = {
        name: np.outer(of, ones).astype(np.float32)
        for name, of in (("n_ac", right), ("n_u", unanswered))
    }
    seen = Outcomes(measures.get("qa", "c@1"), ["a", "b"], list("123456"), matrices | {"n": ones})
    [row] = split_differences(seen, scored(seen)[0], 0.05).rows(named=True)
    for name, end in (("right", 1.5), ("abstention", 0.5)):
        lower, part, upper = (row[f"by_{name}{suffix}"] for suffix in ("_lower", "", "_upper"))
        assert -end <= lower <= part <= upper <= end and lower < upper
