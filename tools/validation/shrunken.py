"""Simulate how far shrunken scores are from the true ones, where runs were asked unlike numbers of questions.

Run from the repository: python tools/validation/shrunken.py
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))
from nonresponse.reliability import best
from nonresponse.reliability.compared import Compared
from nonresponse.reliability.influence import Dense

CAMPAIGNS, RUNS = 400, 6  # of each of the two numbers of questions
WORLDS = [  # the mean and the standard deviation of the true scores; questions of the first runs, and of the others
    (0.6, 0.05, (20, 1000)),
    (0.6, 0.02, (20, 1000)),
    (0.9, 0.05, (20, 1000)),
    (0.97, 0.02, (20, 500)),
    (0.6, 0.05, (3, 200)),
    (0.6, 0.05, (200, 200)),
    (0.97, 0.02, (50, 50)),
]


def simulate(mean: float, spread: float, sizes: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return root mean squared errors, of raw and of shrunken scores: (first runs, others) each."""
    asked, most = np.repeat(sizes, RUNS), max(sizes)
    raw, made = [], []
    for number in range(CAMPAIGNS):
        draw = np.random.default_rng([9, number])
        rights = np.clip(draw.normal(mean, spread, len(asked)), 0.02, 0.995)
        right = (draw.random((len(asked), most)) < rights[:, None]).astype(float)
        known = draw.permuted(np.arange(most) < asked[:, None], axis=1)
        score = (right * known).sum(axis=1) / asked
        psi = score[:, None] + known * (right - score[:, None]) * most / asked[:, None]
        raw.append(score - rights)
        made.append(best.shrunken(Compared(score, Dense(psi))) - rights)
    first, second = (np.sqrt(np.square(found).mean(axis=0).reshape(2, RUNS).mean(axis=1)) for found in (raw, made))
    return first, second


if __name__ == "__main__":
    print("| true scores | questions | raw | shrunken |\n|---|---|---|---|")
    for mean, spread, sizes in WORLDS:
        raw, made = (", ".join(f"{value:.3f}" for value in found) for found in simulate(mean, spread, sizes))
        print(f"| {mean:g} ± {spread:g} | {sizes[0]}, {sizes[1]} | {raw} | {made} |", flush=True)
