"""The verdicts and counts of random campaigns beside a reference that follows the documentation
alone (tests/fuzz)."""

import pytest
from fuzz.counted import beside

# tests/fuzz has the first three
NUMBERS = dict.fromkeys(beside.KINDS, range(3, 21)) | {"raw": range(3, 60)}


@pytest.mark.slow
@pytest.mark.parametrize("kind", beside.KINDS)
def test_random_campaigns_are_counted_as_documented(tmp_path, kind):
    """One of them again: PYTHONPATH=src:tests python -m fuzz --seed 1 --kind KIND NUMBER."""
    found = {
        number: finding
        for number in NUMBERS[kind]
        if (finding := beside.finding(kind, 1, number, tmp_path))
    }
    assert not found
