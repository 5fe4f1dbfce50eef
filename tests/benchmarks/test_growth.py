"""What the scaling part of the benchmark makes of what it measured."""

import growth
import numpy as np
import pytest
import scaling_page
from benchmark_scaling import grown

SIZES = [50, 100, 200, 400]
ERROR = 0.03  # seconds, of any measurement
STAGES = ("count", "trials")


@pytest.mark.parametrize("power", [0.5, 1, 2])
def test_a_power_is_found_again_beside_the_start_and_noise(power):
    noise = np.random.default_rng(1).normal(0, ERROR, (200, len(SIZES)))
    cost = 2 * (np.array(SIZES) / SIZES[-1]) ** power
    found = [growth.exponent(SIZES, (cost + one).tolist(), 0.5) for one in noise]
    assert np.abs(np.array(found) - power).max() < growth.TOLERANCE


def test_of_little_cost_nothing_is_told():
    assert growth.exponent(SIZES, [-0.01, 0.02, 0.1, 0.49], 0.5) is None
    assert growth.exponent(SIZES, [-0.01, -0.02, -0.1, 0.7], 0.5) is None


def costs(power: float) -> list[dict]:
    """Of a stage of two jobs that costs 0.5 s a job before it begins, and of one that may grow as
    runs²."""
    grow = [2 * (size / SIZES[-1]) ** power for size in SIZES]
    return [
        {name: {"jobs": 2, "seconds": 1 + some, "bytes": 1e8 + 1e9 * some} for name in STAGES}
        for some in grow
    ]


START = {name: {"jobs": 1, "seconds": 0.5, "bytes": 1e8} for name in STAGES}


def test_what_grows_faster_than_documented_is_named():
    assert (
        growth.sentence(grown(costs(1.2), START, SIZES, "runs"))
        == "Nothing that can be told grows faster than documented."
    )
    said = growth.sentence(grown(costs(2), START, SIZES, "runs"))
    assert "the time of `count` with runs^2.0; the memory of `count` with runs^2.0." in said
    assert "trials" not in said
    assert "trials" in growth.sentence(grown(costs(2), START, SIZES, "questions"))


def test_the_page_shows_powers():
    rows = grown(costs(2), START, SIZES, "runs")
    text = scaling_page.text(
        {"base": {"runs": 100, "questions": 1000, "samples": 1000}, "rows": rows}
    )
    assert "| `count` | 2.0 (1) | 2.0 (1) |" in text
