"""Some campaigns made at random (`make fuzz N=10000` for more), and that a wrong count is found."""

import pytest

from fuzz.counted import FaultyError, check, product

SEED, SLOW = 1, pytest.mark.slow


NUMBERS = [pytest.param(kind, range(4), id=kind) for kind in check.KINDS]
NUMBERS += [
    pytest.param(kind, range(4, 40 if kind == "raw" else 21), id=f"more {kind}", marks=SLOW)
    for kind in check.KINDS
]


@pytest.mark.parametrize(("kind", "numbers"), NUMBERS)
def test_random_campaigns_are_counted_as_documented(tmp_path, kind, numbers):
    """One of them again: PYTHONPATH=src:tests python -m fuzz --seed 1 --kind KIND NUMBER."""
    findings = {n: check.check_case(kind, SEED, n, tmp_path) for n in numbers}
    assert not any(findings.values()), findings


@pytest.mark.parametrize(
    ("number", "count", "kind"),
    [
        (0, lambda case, folder: "a fault", "refused"),
        (0, lambda case, folder: {"": ({}, {})}, "differs"),
        (0, lambda case, folder: 1 / 0, "exception"),
        (None, lambda case, folder: {}, "taken"),
    ],
    ids=["refuses", "loses runs", "raises", "takes faults"],
)
def test_a_campaign_that_is_counted_otherwise_is_found(tmp_path, monkeypatch, number, count, kind):
    monkeypatch.setattr(product, "count", count)
    faulty = (
        n for n in range(100) if isinstance(check.draw_case("raw", SEED, n).expected, FaultyError)
    )
    number = next(faulty) if number is None else number
    assert check.check_case("raw", SEED, number, tmp_path).kind == kind
