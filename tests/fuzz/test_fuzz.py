"""Some campaigns made at random (`make fuzz N=10000` for more), and that a wrong count is found."""

import os

import pytest

from fuzz.counted import check

SEED, SIZE = 1, 50
MORE = [range(first, first + SIZE) for first in range(0, int(os.environ.get("FUZZ", "0")), SIZE)]
NUMBERS = [range(4), pytest.param(range(4, 24), marks=pytest.mark.slow), *MORE]


@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
@pytest.mark.parametrize("kind", check.KINDS)
def test_random_campaigns_are_counted_as_documented(tmp_path, kind, numbers):
    for number in numbers:
        check.check_case(kind, SEED, number, tmp_path)
