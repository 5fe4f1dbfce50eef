"""Some campaigns made at random (`make fuzz N=10000` for more), and that a wrong count is found."""

import os

import pytest

from fuzz.counted import FaultyError, check, product

SEED, SIZE = 1, 50
MORE = [range(first, first + SIZE) for first in range(0, int(os.environ.get("FUZZ", "0")), SIZE)]
NUMBERS = [range(4), pytest.param(range(4, 24), marks=pytest.mark.slow), *MORE]


@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
@pytest.mark.parametrize("kind", check.KINDS)
def test_random_campaigns_are_counted_as_documented(tmp_path, kind, numbers):
    for number in numbers:
        check.check_case(kind, SEED, number, tmp_path)


@pytest.mark.parametrize(
    ("is_faulty", "count", "message"),
    [
        (False, lambda *_: "a fault", "a fault"),
        (False, lambda *_: {"": {}}, "rows: expected"),
        (True, lambda *_: {}, "no fault"),
    ],
)
def test_a_campaign_that_is_counted_otherwise_is_found(
    tmp_path, monkeypatch, is_faulty, count, message
):
    monkeypatch.setattr(product, "count", count)
    cases = ((n, check.draw_case("raw", SEED, n).expected) for n in range(100))
    number = next(n for n, case in cases if isinstance(case, FaultyError) == is_faulty)
    with pytest.raises(AssertionError, match=message):
        check.check_case("raw", SEED, number, tmp_path)
