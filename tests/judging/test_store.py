"""Test the verdict store, and the database of every stage."""

import numpy as np
import pytest
from nonresponse.database import connect
from nonresponse.judging.store import shrink

CELLS = {
    "exact": (np.array([-0.0, 0.0, 0.5, np.nan]), np.float32),
    "not exact": (np.array([0.1, np.nextafter(0.1, 1), 1e300, -1e300]), np.float64),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_plane_has_the_smallest_exact_type_and_no_minus_zero(name):
    cells, kind = CELLS[name]
    plane = np.stack([cells, cells[::-1]])[None]
    stored = shrink(plane)
    assert stored.dtype == kind and np.array_equal(stored, plane, equal_nan=True)
    assert not np.signbit(stored[stored == 0]).any()
    assert shrink(np.stack([cells, cells])[None]).shape == (1, 1, len(cells))


def test_no_query_draws_a_bar_however_long_it_takes():
    """What a command prints is its own."""
    assert connect().sql("SELECT current_setting('enable_progress_bar_print')").fetchall() == [
        (False,)
    ]
