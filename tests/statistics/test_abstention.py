"""What abstention did to a difference in c@1: its two parts, and their intervals."""

import numpy as np
import pytest
from comparing import score_runs
from nonresponse import measures
from nonresponse.statistics.comparison import split_differences
from nonresponse.statistics.outcomes import Outcomes


@pytest.mark.parametrize(("right", "unanswered"), [([1, 0], [0, 1]), ([0, 0], [1, 1])])
def test_intervals_of_parts_hold_what_is_possible_and_have_a_width(right, unanswered):
    """All correct beside all unanswered, and both unanswered, on six questions."""
    matrix = np.ones((1, 6), np.float32)
    matrices = {
        name: np.outer(share, matrix).astype(np.float32)
        for name, share in (("n_ac", right), ("n_u", unanswered))
    }
    outcomes = Outcomes(
        measures.get("qa", "c@1"), ["a", "b"], list("123456"), matrices | {"n": matrix}
    )
    [row] = split_differences(outcomes, score_runs(outcomes)[0], 0.05).rows(named=True)
    for name, end in (("right", 1.5), ("abstention", 0.5)):
        lower, part, upper = (row[f"by_{name}{suffix}"] for suffix in ("_lower", "", "_upper"))
        assert -end <= lower <= part <= upper <= end and lower < upper
