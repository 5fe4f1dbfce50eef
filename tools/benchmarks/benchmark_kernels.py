"""`make bench`, the statistics: each kernel beside the plainest program that finds the same, in
NumPy.

An asterisk: the plain program was timed on some of the flips or trials, and multiplied. All run in
one thread.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import costs
import numpy as np
from nonresponse import measures, tasks
from nonresponse.measures.orderings import Order
from nonresponse.statistics.analyses import make_tables
from nonresponse.statistics.intervals import score_intervals
from nonresponse.statistics.outcomes import Outcomes, full_scores

import commands

SETTINGS = {"seed": 2011, "level": 0.05, "samples": 10_000, "flips": 5000, "swap_trials": 100}
SETTINGS |= {"bins": 21, "width": 0.01}
RUNS, QUESTIONS = 1000, 4000
TIMED = 20  # flips or trials of the plain program
WORLDS = {"runs of all kinds": (0.2, 0.9), "similar runs": (0.5, 0.55), "two groups": (0.3, 0.7)}
ROOM = "all pairs in each"
IMPORTS = "import nonresponse.stages.statistics, nonresponse.statistics.comparison"
BARE = "import numpy, polars"


def simulate(world: str, runs: int, questions: int) -> dict[str, np.ndarray]:
    """Return correct and unanswered, bool (runs, questions); runs share hard questions."""
    draw, (low, high) = np.random.default_rng(2011), WORLDS[world]
    skill = np.linspace(low, high, runs)
    if world == "two groups":
        skill = np.where(np.arange(runs) % 2, low, high) + np.linspace(0, 0.05, runs)
    easy = draw.normal(0, 0.2, questions)
    correct = draw.random((runs, questions)) < np.clip(skill[:, None] + easy, 0.02, 0.98)
    unanswered = ~correct & (draw.random((runs, questions)) < 0.3)
    return {"correct": correct, "unanswered": unanswered}


def make_outcomes(measure: str, answers: dict[str, np.ndarray]) -> Outcomes:
    """Return the answers as a measure of counts sees them."""
    correct, unanswered = answers["correct"], answers["unanswered"]
    planes = {"n_ac": correct, "n_u": unanswered, "n_aw": ~correct & ~unanswered}
    planes["n"], nothing = np.ones((1, correct.shape[1])), np.zeros((1, correct.shape[1]))
    record = measures.get("qa", measure)
    matrices = {name: planes.get(name, nothing).astype(np.float32) for name in record.totals}
    return Outcomes(record, *names(correct), matrices | {"n": planes["n"].astype(np.float32)})


def order_answers(answers: dict[str, np.ndarray]) -> Outcomes:
    """Return the answers as cws sees them, each run with an order of its own."""
    draw, correct = np.random.default_rng(7), answers["correct"]
    rows = np.arange(correct.shape[1])
    orders = [draw.permutation(rows) for _ in correct]
    runs = [Order(order, row[order], rows) for order, row in zip(orders, correct, strict=True)]
    return Outcomes(measures.get("qa", "cws"), *names(correct), orders=runs)


def names(correct: np.ndarray) -> tuple[list[str], list[str]]:
    """Return names of runs and questions, sorted."""
    runs, questions = correct.shape
    return [f"run{run:05}" for run in range(runs)], [f"q{number:05}" for number in range(questions)]


def step_down(correct: np.ndarray, flips: int) -> np.ndarray:
    """Return how often the step-down maximum reaches each pair (pairs,), looking at all pairs."""
    draw, deviations = np.random.default_rng(3), correct - correct.mean(axis=1, keepdims=True)
    x, y = np.triu_indices(len(correct), 1)
    products = deviations @ deviations.T
    scale = 1 / np.sqrt(np.diag(products)[x] + np.diag(products)[y] - 2 * products[x, y])
    score = correct.mean(axis=1)
    reached = np.abs(score[x] - score[y]) * scale * correct.shape[1]
    order = np.argsort(reached)
    x, y, scale, reached = x[order], y[order], scale[order], reached[order]
    counts = np.zeros(len(x), np.int64)
    for sums in (deviations @ draw.choice([-1.0, 1.0], (correct.shape[1], flips))).T:
        counts += np.maximum.accumulate(np.abs(sums[x] - sums[y]) * scale) >= reached
    return counts


def draw_intervals(answers: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Return the interval of c@1 of each run by 4,000 draws of a Dirichlet distribution each."""
    draw, n = np.random.default_rng(3), answers["correct"].shape[1]
    ends = []
    for correct, unanswered in zip(*(answers[name].sum(axis=1) for name in answers), strict=True):
        prior = np.array([correct, unanswered, n - correct - unanswered]) + 0.5
        right, silent, _ = draw.dirichlet(prior, 4000).T
        ends.append(np.quantile(right + right * silent, [0.025, 0.975]))
    return ends


def swaps(correct: np.ndarray, trials: int) -> np.ndarray:
    """Return comparisons and swaps by bin of the difference, (2, bins), looking at all pairs."""
    draw, (x, y) = np.random.default_rng(3), np.triu_indices(len(correct), 1)
    counts = np.zeros((2, 21), np.int64)
    for _ in range(trials):
        order = draw.permutation(correct.shape[1])
        a, b = (correct[:, order[start : start + 250]].mean(axis=1) for start in (0, 250))
        first, second = a[x] - a[y], b[x] - b[y]
        bins = np.minimum(np.abs(first) / 0.01 + 1e-9, 20).astype(np.int64)
        counts[0] += np.bincount(bins, minlength=21)
        counts[1] += np.bincount(bins[first * second < 0], minlength=21)
    return counts


def compare_kernel(
    title: str, reference: str, ours: Callable, plain: Callable, rounds: int, times: float = 1
) -> dict:
    """Return the row of a kernel beside the plain program, which did one part in `times`."""
    seconds = [(costs.cpu_in(ours), costs.cpu_in(plain) * times) for _ in range(rounds)]
    return costs.row(title, reference + " *" * (times > 1), *zip(*seconds, strict=True))


def import_seconds(rounds: int) -> dict:
    """Return the row of what a job of reliability loads."""
    env = os.environ | {"PYTHONPATH": str(costs.HOME / "src")}
    seconds = [
        [costs.cpu_of(sys.executable, "-c", line, env=env)[0] for line in (IMPORTS, BARE)]
        for _ in range(rounds)
    ]
    return costs.row(
        "what a job of reliability loads", "NumPy and Polars", *zip(*seconds, strict=True)
    )


def compare(outcomes: list[Outcomes], **settings: object) -> None:
    """Compare all runs by each measure."""
    for measure in outcomes:
        make_tables("comparison", measure, "a", "bench", SETTINGS | settings)


def rows(runs: int, questions: int, rounds: int) -> list[dict]:
    """Return a row per kernel."""
    flips, trials = SETTINGS["flips"], SETTINGS["swap_trials"]
    size, table = f"{runs:,} × {questions:,}", []
    for world in WORLDS:
        answers = simulate(world, runs, questions)
        title = f"step-down max-T of all pairs, {size}, {flips:,} flips, {world}"
        ours = partial(compare, [make_outcomes("accuracy", answers)])
        plain = partial(step_down, answers["correct"], TIMED)
        table.append(compare_kernel(title, f"{ROOM} flip", ours, plain, rounds, flips / TIMED))
    outcomes = make_outcomes("c@1", answers)
    ours = partial(score_intervals, outcomes, full_scores(outcomes), SETTINGS, "bench")
    plain = partial(draw_intervals, answers)
    title = f"intervals of c@1, {size}"
    table.append(compare_kernel(title, "4,000 Dirichlet draws for each run", ours, plain, rounds))
    ours = partial(make_tables, "swap", make_outcomes("accuracy", answers), "a", "bench", SETTINGS)
    plain = partial(swaps, answers["correct"], TIMED)
    title = f"swap rates, {size}, {trials} trials"
    table.append(compare_kernel(title, f"{ROOM} trial", ours, plain, rounds, trials / TIMED))
    size = runs // 2, questions * 5 // 4
    answers = simulate("runs of all kinds", *size)
    ours = partial(compare, [order_answers(answers)])
    plain = partial(step_down, answers["correct"], TIMED)
    title = f"step-down max-T by cws, {size[0]:,} × {size[1]:,}"
    table.append(
        compare_kernel(title, f"{ROOM} flip, by accuracy", ours, plain, rounds, flips / TIMED)
    )
    size = runs * 3 // 5, questions * 3 // 4
    answers, ids = simulate("runs of all kinds", *size), tasks.get("qa").log_measures
    ours = partial(compare, [make_outcomes(id, answers) for id in ids])
    plain = partial(compare, [make_outcomes(ids[0], answers)])
    title = f"step-down max-T by the {len(ids)} default measures of logs, {size[0]:,} × {size[1]:,}"
    table.append(compare_kernel(title, f"ours by {ids[0]} alone", ours, plain, rounds))
    return [*table, import_seconds(rounds)]


OPTIONS = {
    "runs": {"type": int, "help": "runs, %(default)s if left out"},
    "questions": {"type": int, "help": "questions, %(default)s if left out"},
    "rounds": {"type": int, "help": "rounds that each ratio is the median of"},
    "into": {"type": Path, "help": "the folder for what was measured"},
}


def main(
    runs: int = RUNS, questions: int = QUESTIONS, rounds: int = 3, into: Path | None = None
) -> None:
    """Time the kernels of the statistics beside plain programs."""
    complete = (runs, questions) == (RUNS, QUESTIONS)
    table = {"rounds": rounds, "rows": rows(runs, questions, rounds)}
    costs.write(into, "kernels", complete, table)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
