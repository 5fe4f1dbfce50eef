"""How often the truly best at some price is not among those who may be it: campaigns whose truth is known.

`python tests/benchmarks/prices.py` prints the table of docs/reliability.md, with Monte Carlo errors.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.special import ndtr

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "src"), str(HOME / "tools")]
from nonresponse.reliability import prices  # noqa: E402

import commands  # noqa: E402

OPTIONS = {"campaigns": {"type": int, "help": "simulated campaigns for each cell"}}
LEVEL, FLIPS = 0.05, 499
CONFIDENCES = np.arange(101) / 100
QUESTIONS = (20, 50, 200)
# How often each run is right, and wrong.
RUNS = {
    "two equal runs": [(0.6, 0.3)] * 2,
    "two that change places": [(0.6, 0.3), (0.4, 0.1)],
    "two that are nearly always right": [(0.97, 0.02), (0.95, 0.01)],
    "two that are hardly ever right": [(0.03, 0.5), (0.02, 0.3)],
    "seven, each best somewhere": [(0.9 - 0.12 * run, 0.5 * (0.9 - 0.12 * run) ** 2) for run in range(7)],
    "ten equal runs": [(0.6, 0.3)] * 10,
    "ten, from bold to shy": [(0.9 - 0.08 * run, 0.5 * (0.9 - 0.1 * run) ** 2) for run in range(9)] + [(0.02, 0.001)],
    "ten that are hardly ever wrong": [(0.9, 0.02)] * 10,
    "ten that are hardly ever right": [(0.04, 0.9 - 0.05 * run) for run in range(10)],
    "thirty equal runs": [(0.6, 0.3)] * 30,
    "thirty, from bold to shy": [(0.9 - 0.03 * run, 0.5 * (0.9 - 0.03 * run) ** 2) for run in range(30)],
    "thirty that are hardly ever wrong": [(0.9, 0.02)] * 30,
}


def drawn(draw: np.random.Generator, runs: np.ndarray, questions: int) -> tuple[np.ndarray, np.ndarray]:
    """Which answers are right, and which are wrong, 0 and 1: questions are easy or hard for all runs alike."""
    normal = np.sqrt(0.5) * (draw.normal(0, 1, questions) + draw.normal(0, 1, (len(runs), questions)))
    place, (right, wrong) = ndtr(normal), runs.T[:, :, None]
    return (place < right).astype(float), (place > 1 - wrong).astype(float)


def missed(runs: list[tuple[float, float]], questions: int, campaigns: int, seed: int = 1) -> np.ndarray:
    """For each campaign, whether the best at some price is not among those who may be it; of equals, the first one."""
    shares = np.array(runs)
    right, wrong = np.vstack([shares, np.zeros(2)]).T[:, None]
    worth = (1 - CONFIDENCES)[:, None] * right - CONFIDENCES[:, None] * wrong
    best = (worth > worth.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1)
    found = []
    for number in range(campaigns):
        seen = drawn(np.random.default_rng([9, seed, number]), shares, questions)
        given = [(psi.mean(axis=1), psi) for psi in seen]
        may = prices.may_be_best(*given, CONFIDENCES, seed, f"prices{number}", FLIPS, LEVEL)
        found.append(not may[np.arange(len(best)), best].all())
    return np.array(found)


def main(campaigns: int = 400) -> None:
    """Prints the table."""
    print(f"| {campaigns} campaigns each | {' | '.join(f'{number} questions' for number in QUESTIONS)} |")
    print(f"|---|{'---|' * len(QUESTIONS)}")
    for name, runs in RUNS.items():
        shares = [missed(runs, questions, campaigns) for questions in QUESTIONS]
        cells = [f"{its.mean():.3f} ± {its.std() / np.sqrt(campaigns):.3f}" for its in shares]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
