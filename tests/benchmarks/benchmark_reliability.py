"""`make bench`, second part: what the reliability stage costs, beside plain loops and the bare matrix product.

Every case has a process of its own, so that its peak memory is its own too; the reference is timed in the same
process right after it. Aims are those of the issue that asked for the stage, on two cores.
"""

import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import measured  # noqa: E402
from nonresponse import commands  # noqa: E402

FUZZINESS = [step / 100 for step in range(1, 11)]
LOOPED_TRIALS = 2


def simulated(runs: int, questions: int, measure: str):
    """Outcomes of runs of different skill that leave a tenth of the questions open, each in an order of its own."""
    import numpy as np
    from nonresponse import measures
    from nonresponse.measures.orderings import Order
    from nonresponse.reliability.outcomes import Outcomes

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


def product(seen, trials: int):
    """The totals of all trials and nothing else."""
    from nonresponse.reliability.subsets import subsets

    first, _ = subsets(1, "bench", seen.n, seen.n // 2, range(trials))

    def multiply():
        for name in ("n_ac", "n_u"):
            first @ seen.matrices[name].T

    return multiply


def stability(seen, trials: int):
    from nonresponse.reliability import stability

    return lambda: stability.counters(seen, 1, "bench", seen.n // 2, range(trials), FUZZINESS)


def swap(seen, trials: int):
    from nonresponse.reliability import swap

    return lambda: swap.counters(seen, 1, "bench", [seen.n // 2], range(trials), swap.lower_bounds())


def flips(seen, number: int):
    """p_maxt of all pairs, from the outcomes on."""
    from nonresponse.reliability import pseudo_values, sign_flips

    def step_down():
        score, psi = pseudo_values.scored(seen)
        sign_flips.step_down(score, psi, sign_flips.exceeding(score, psi, 1, "bench", range(number)), number)

    return step_down


def comparison(seen, number: int):
    """All of the analysis at its default settings."""
    from nonresponse.reliability import jobs

    settings = {"seed": 1, "samples": 10000, "exchanges": 50000, "flips": number}
    settings["level"] = 0.05
    return lambda: jobs.make_tables("comparison", seen, "gold", "bench", settings)


def numbers(seen, size_trials: int):
    """All of the analysis of numbers of questions at its default settings."""
    from nonresponse.reliability import jobs

    settings = {"seed": 1, "sizes": 250, "size_trials": size_trials, "bins": 21, "width": 0.01, "level": 0.05}
    return lambda: jobs.make_tables("sample_size", seen, "gold", "bench", settings)


# name: (what, runs, questions, trials, measure, call, reference, aim in seconds)
CASES = {
    "small": ("stability", 44, 500, 100, "c@1", stability, "loops", 0.01),
    "large": ("stability", 500, 5000, 1000, "c@1", stability, "product", 1.5),
    "swap": ("the swap method", 500, 5000, 1000, "c@1", swap, "product", 1.0),
    "flips": ("step-down max-t", 44, 500, 5000, "c@1", flips, None, 0.3),
    "comparison": ("the comparison", 44, 500, 5000, "c@1", comparison, None, None),
    "many flips": ("step-down max-t", 1000, 10000, 5000, "c@1", flips, None, 120.0),
    "large comparison": ("the comparison", 1000, 10000, 5000, "c@1", comparison, None, 240.0),
    "large order comparison": ("the comparison", 1000, 10000, 5000, "cws", comparison, None, 900.0),
    "large order numbers": ("numbers of questions", 1000, 10000, 10, "cws", numbers, None, 180.0),
    "order": ("stability", 500, 5000, 1000, "cws", stability, None, 10.0),
    "huge": ("stability", 2000, 20000, 1000, "c@1", stability, "product", None),
}


# without a call that does not count
ONCE = ("huge", "many flips", "large comparison", "large order comparison", "large order numbers")

OPTIONS = {
    "only": {"action": "append", "choices": CASES, "help": "a case to run, may be repeated; all if left out"},
    "case": {"choices": CASES, "help": "the case to run"},
    "into": {"type": Path, "help": "a folder to keep the ratios in"},
    "repeat": {"type": int, "help": "calls that each time is the median of, %(default)s if left out"},
}


def case(case: str, repeat: int) -> None:
    """Time one case; prints JSON."""
    _, runs, questions, trials, measure, call, reference, _ = CASES[case]
    seen = simulated(runs, questions, measure)
    ours = median_of(call(seen, trials), repeat, warm=case not in ONCE)
    peak = measured.peak()
    other = None
    if reference == "product":
        other = median_of(product(seen, trials), repeat)
    elif reference == "loops":
        other = median_of(lambda: loops(seen, LOOPED_TRIALS), 1, warm=False) * trials / LOOPED_TRIALS
    print(json.dumps({"ours": ours, "reference": other, "peak": peak}))


def median_of(call, repeat: int, warm=True) -> float:
    """Seconds of a call, the median of several, after one that does not count."""
    if warm:
        call()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main(repeat: int = 3, only: list[str] | None = None, into: Path | None = None) -> None:
    """Time the reliability stage on made-up outcomes."""
    for name in only or CASES:
        what, runs, questions, trials, measure, _, reference, aim = CASES[name]
        command = [sys.executable, __file__, "case", "--case", name, "--repeat", str(1 if name in ONCE else repeat)]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"{what}, {measure}, {runs} x {questions:,}, {trials:,} trials: {duration(found['ours'])}", end="")
        print(f" (aim {duration(aim)})" if aim else "", end="")
        if reference == "product":
            print(f", {found['ours'] / found['reference']:.1f} times the matrix product alone", end="")
        elif reference == "loops":
            times = found["reference"] / found["ours"]
            print(
                f", {times:,.0f} times faster than plain loops (aim 1,000; {LOOPED_TRIALS} trials of them took"
                f" {duration(found['reference'] * LOOPED_TRIALS / trials)})",
                end="",
            )
        print(f"; peak memory {found['peak']:.2f} GB (aim 4)", flush=True)
        if found["reference"]:
            beside = {"product": "the matrix product", "loops": "plain loops"}[reference]
            size = f"{measure}, {runs} x {questions}, {trials} trials"
            measured.add_ratios(into, {f"{what}, {size}, beside {beside}": found["ours"] / found["reference"]})

    start = f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); import duckdb; from nonresponse.reliability import "
    for stage in ("stability", "swap", "comparison", "error_curves"):
        seconds = median_of(
            lambda stage=stage: subprocess.run([sys.executable, "-c", start + stage], check=True), repeat, repeat > 1
        )
        print(f"start of a process with all imports of {stage}: {duration(seconds)}")


def duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms"


if __name__ == "__main__":
    arguments = sys.argv[1:] if sys.argv[1:2] == ["case"] else ["main", *sys.argv[1:]]
    commands.run(__doc__, [main, case], OPTIONS, arguments)
