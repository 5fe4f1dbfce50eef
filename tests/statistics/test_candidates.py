"""Withheld candidates: the nearest estimate, and runs without candidates."""

import polars as pl
import pytest
from nonresponse.statistics import candidates


def counts(*runs: tuple, assessor: str = "official") -> pl.DataFrame:
    """Counts of runs: right, wrong, silent, and right and wrong among the judged candidates."""
    rows = [
        {
            "assessor": assessor,
            "run": f"r{i}",
            "n": right + wrong + silent,
            "n_ac": right,
            "n_aw": wrong,
        }
        | {"n_u": silent, "n_ur": candidates_right, "n_uw": candidates_wrong}
        for i, (right, wrong, silent, candidates_right, candidates_wrong) in enumerate(runs)
    ]
    return pl.DataFrame(rows)


@pytest.mark.parametrize(
    ("run", "nearest"),
    [
        ((5, 5, 10, 0, 9), "accuracy"),
        ((5, 5, 10, 9, 0), "optimistic"),
        ((5, 5, 10, 1, 3), "c@1"),
        ((9, 1, 10, 8, 1), "precision_answered"),
        ((9, 1, 10, 1, 9), "wrong_rate"),
        ((9, 1, 10, 5, 5), "uf_half"),
        ((0, 0, 10, 2, 2), "uf_half"),  # nothing answered: two estimates are null
        ((0, 5, 5, 0, 4), "accuracy"),  # three are 0: the first of equals
    ],
)
def test_the_nearest_estimate(run, nearest):
    [few, row] = candidates.by_run(counts(run, [50 * count for count in run])).rows(named=True)
    assert row["nearest"] == nearest and few["nearest"] is None, (
        "a few candidates tell it by chance"
    )
    assert (row["precision_answered"] is None) == (run[0] + run[1] == 0)
