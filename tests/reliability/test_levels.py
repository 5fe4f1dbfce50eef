"""A small version of tests/benchmarks/levels.py: how often the tests of all pairs find what is not there."""

import numpy as np
import pytest
from benchmarks import levels


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "accuracy",
        "c@1, half of the runs leave 0.4 open",
        "uf",
        "cws",
        "precision_answered, 20 answers",
        "precision_answered, 20 answers, 0.9 of them right",
    ],
)
def test_level(name):
    """A false difference in about 5 % of the campaigns: of 120, at most 15, which is four standard errors more."""
    told = levels.found(levels.EQUAL[name], campaigns=120, flips=199)
    assert told["maxt"].any(axis=1).sum() <= 15
    assert told["holm"].any(axis=1).sum() <= 15


@pytest.mark.slow
def test_equal_runs_beside_bad_ones():
    row = levels.EQUAL["ten equal runs beside 34 at 0.02, accuracy"]
    told = levels.found(row, campaigns=40, flips=199)
    same = levels.equal_pairs(row[2])
    assert told["maxt"][:, same].any(axis=1).sum() <= 7


@pytest.mark.slow
@pytest.mark.parametrize("name", list(levels.DIFFERENT))
def test_power(name):
    id, questions, runs = levels.DIFFERENT[name]
    told = levels.found((id, questions, runs), campaigns=40, flips=199)
    last = np.triu_indices(len(runs), 1)[1] == len(runs) - 1
    assert told["maxt"][:, last].mean() > (0.1 if id == "cws" else 0.3)
