"""Test the verdict store, which codes repeated numbers, and the database of every stage."""

import numpy as np
import pytest
from nonresponse.database import connect
from nonresponse.judging.store import MOST_VALUES, Coded, shrink

DRAW = np.random.default_rng(1)
PLANES = {
    "signs and none": (DRAW.choice([-0.0, 0.0, -1e300, 1e300, np.nan, 0.5], 999), True),
    "neighbours": (DRAW.choice([0.1, np.nextafter(0.1, 1), 0.3], 999), True),
    "late": (np.concatenate([np.zeros(5 * MOST_VALUES), DRAW.random(2 * MOST_VALUES)]), False),
}


@pytest.mark.parametrize("name", PLANES)
def test_a_plane_is_coded_where_few_numbers_differ(name):
    cells, few = PLANES[name]
    plane = np.stack([cells, cells[::-1]])[None]
    stored = shrink(plane)
    assert isinstance(stored, Coded) == few
    assert np.array_equal(stored[0, 0:2], plane[0], equal_nan=True)


def test_no_query_draws_a_bar_however_long_it_takes():
    """What a command prints is its own."""
    setting = connect().sql("SELECT current_setting('enable_progress_bar_print')")
    assert setting.fetchall() == [(False,)]
