"""`make bench`, the reliability stage: beside plain loops and the bare matrix products, and by itself.

Every case has a process of its own, so that its peak memory is its own too; the reference is timed in the same process,
in turns. The loops are timed on some of the trials and multiplied: each trial does the same again.
"""

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

import measured

import commands

FUZZINESS = [step / 100 for step in range(1, 11)]
LOOPED_TRIALS = 2


def simulated(runs: int, questions: int, measure: str):
    """Outcomes of runs of different skill that leave a tenth of the questions open, each in an order of its own."""
    import numpy as np
    from nonresponse import measures
    from nonresponse.measures.orderings import Order
    from nonresponse.statistics.outcomes import Outcomes

    draw = np.random.default_rng(1)
    skill = draw.beta(4, 4, (runs, 1)).astype(np.float32)
    names = [f"{run:05}" for run in range(runs)], [f"{question:05}" for question in range(questions)]
    right = draw.random((runs, questions), np.float32) < 0.9 * skill
    if measure == "cws":
        orders = [Order(draw.permutation(questions), row, np.arange(questions)) for row in right]
        return Outcomes(measures.get("qa", measure), *names, orders=orders)
    open_ = ~right & (draw.random((runs, questions), np.float32) < 0.1)
    matrices = {"n_ac": right.astype(np.float32), "n_u": open_.astype(np.float32)}
    matrices["n"] = np.ones((1, questions), np.float32)
    return Outcomes(measures.get("qa", measure), *names, matrices)


def loops(seen, trials: int) -> None:
    """Figure 1 of Peñas & Rodrigo 2011 for c@1, as one would write it down, for every fuzziness value."""
    right, open_ = (seen.matrices[name].astype(int).tolist() for name in ("n_ac", "n_u"))
    draw, n, size = random.Random(1), seen.n, seen.n // 2
    for fuzziness in FUZZINESS:
        for x in range(len(right)):
            for y in range(x + 1, len(right)):
                wins = [0, 0, 0]
                for _ in range(trials):
                    chosen = draw.sample(range(n), size)
                    scores = []
                    for run in (x, y):
                        n_ac, n_u = sum(right[run][q] for q in chosen), sum(open_[run][q] for q in chosen)
                        scores.append((n_ac + n_u * n_ac / size) / size)
                    if abs(scores[0] - scores[1]) < fuzziness * max(scores):
                        wins[2] += 1
                    else:
                        wins[scores[1] > scores[0]] += 1


def product(seen, trials: int, sets: int) -> Callable:
    """The totals of so many sets of questions of all trials, and nothing else."""
    from nonresponse.statistics.subsets import subsets

    drawn = subsets(1, "bench", seen.n, seen.n // 2, range(trials))[:sets]

    def multiply() -> None:
        for chosen in drawn:
            for name in ("n_ac", "n_u"):
                chosen @ seen.matrices[name].T

    return multiply


def stability(seen, trials: int) -> Callable:
    from nonresponse.statistics import stability

    return lambda: stability.count_wins(seen, 1, "bench", seen.n // 2, range(trials), FUZZINESS)


def swap(seen, trials: int) -> Callable:
    from nonresponse.statistics import swap

    draws = [(seen.n // 2, trial) for trial in range(trials)]
    return lambda: swap.count_draws(seen, 1, "bench", draws, swap.lower_bounds())


def analysis(name: str) -> Callable:
    """All of an analysis at its default settings."""
    settings = {"seed": 1, "samples": 10000, "flips": 5000, "sizes": 250, "size_trials": 10}
    settings |= {"bins": 21, "width": 0.01, "level": 0.05}

    def make(seen, trials: int) -> Callable:
        from nonresponse.statistics import analyses

        return lambda: analyses.make_tables(name, seen, "gold", "bench", settings)

    return make


LOOPS, PRODUCT, PRODUCTS = "plain loops", "the matrix product", "the matrix products of both subsets"
# name: (what, runs, questions, trials, measure, call, reference)
CASES: dict[str, tuple] = {
    "small": ("stability", 44, 500, 100, "c@1", stability, LOOPS),
    "large": ("stability", 500, 5000, 1000, "c@1", stability, PRODUCT),
    "swap": ("the swap method", 500, 5000, 1000, "c@1", swap, PRODUCTS),
    "comparison": ("the comparison", 44, 500, None, "c@1", analysis("comparison"), None),
    "order": ("stability", 500, 5000, 1000, "cws", stability, None),
}
FULL: dict[str, tuple] = {
    "huge": ("stability", 2000, 20000, 1000, "c@1", stability, PRODUCT),
    "large comparison": ("the comparison", 1000, 10000, None, "c@1", analysis("comparison"), None),
    "large order comparison": ("the comparison", 1000, 10000, None, "cws", analysis("comparison"), None),
    "large order numbers": ("numbers of questions", 1000, 10000, None, "cws", analysis("sample_size"), None),
}


def case(case: str, rounds: int) -> None:
    """Time one case; prints JSON."""
    _, runs, questions, trials, measure, call, reference = (CASES | FULL)[case]
    seen = simulated(runs, questions, measure)
    ours, times = call(seen, trials), {}
    if reference == LOOPS:
        times["theirs"] = [measured.cpu_in(lambda: loops(seen, LOOPED_TRIALS)) * trials / LOOPED_TRIALS]
        times |= measured.in_turns({"ours": ours}, 1)
    elif reference:
        theirs = product(seen, trials, 1 if reference == PRODUCT else 2)
        times = measured.in_turns({"ours": ours, "theirs": theirs}, rounds)
    else:
        times["ours"] = [measured.cpu_in(ours)]
    print(json.dumps(times | {"gb": measured.peak()}))


def main(rounds: int = 3, only: list[str] | None = None, full: bool = False, into: Path | None = None) -> None:
    """Time the reliability stage on made-up outcomes."""
    rows, alone = [], []
    for name in only or (CASES | FULL if full else CASES):
        what, runs, questions, trials, measure, _, reference = (CASES | FULL)[name]
        found = measured.apart(__file__, "case", "--case", name, "--rounds", str(rounds))
        what = f"{what} of {measure}, {runs:,} × {questions:,}" + (f", {trials:,} trials" if trials else "")
        if reference:
            rows.append(measured.row(what, reference, **found))
        else:
            alone.append({"what": what, "seconds": found["ours"][0], "gb": found["gb"]})
            print(f"{what}: {found['ours'][0]:.3g} s of CPU; peak memory {found['gb']:.2f} GB", flush=True)
        measured.write(into, "reliability", not only, {"rounds": rounds, "rows": rows, "alone": alone})


OPTIONS = {
    "only": {"action": "append", "choices": CASES | FULL, "help": "a case to run, may be repeated"},
    "full": {"action": "store_true", "help": "the larger cases, too"},
    "case": {"choices": CASES | FULL, "help": "the case to run"},
    "into": {"type": Path, "help": "the folder for what was measured"},
    "rounds": {"type": int, "help": "rounds that each ratio is the median of, %(default)s if left out"},
}

if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["case"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, case], OPTIONS, arguments)
