"""Some campaigns made at random (`make fuzz N=10000` for more), and that a wrong count is found."""

import pytest

from fuzz.counted import FaultyError, beside, product

SEED, SLOW = 1, pytest.mark.slow


NUMBERS = [
    *(pytest.param(kind, range(4), id=kind) for kind in beside.KINDS),
    *(
        pytest.param(kind, range(4, 40 if kind == "raw" else 21), id=f"more {kind}", marks=SLOW)
        for kind in beside.KINDS
    ),
]


@pytest.mark.parametrize(("kind", "numbers"), NUMBERS)
def test_random_campaigns_are_counted_as_documented(tmp_path, kind, numbers):
    """One of them again: PYTHONPATH=src:tests python -m fuzz --seed 1 --kind KIND NUMBER."""
    found = {n: it for n in numbers if (it := beside.finding(kind, SEED, n, tmp_path))}
    assert not found


@pytest.mark.parametrize(
    ("number", "made", "what"),
    [
        (0, lambda drawn, folder: "a fault", "refused"),
        (0, lambda drawn, folder: {"": ({}, {})}, "differs"),
        (0, lambda drawn, folder: 1 / 0, "exception"),
        (None, lambda drawn, folder: {}, "taken"),
    ],
    ids=["refuses", "loses runs", "raises", "takes faults"],
)
def test_a_campaign_that_is_counted_otherwise_is_found(tmp_path, monkeypatch, number, made, what):
    monkeypatch.setattr(product, "made", made)
    faulty = (
        n for n in range(100) if isinstance(beside.drawn("raw", SEED, n).expected, FaultyError)
    )
    assert (
        beside.finding("raw", SEED, next(faulty) if number is None else number, tmp_path).what
        == what
    )
