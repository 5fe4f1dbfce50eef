"""How often what pages say beside intervals holds: numbers of questions, power, cut-offs; campaigns of known truth.

`python tests/benchmarks/statements.py` prints the table of docs/reliability.md.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import NormalDist

import numpy as np

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / name) for name in ("src", "tools")]
from nonresponse import measures  # noqa: E402
from nonresponse.measures.orderings import Order  # noqa: E402
from nonresponse.reliability import components, jobs  # noqa: E402
from nonresponse.reliability.compared import Compared  # noqa: E402
from nonresponse.reliability.influence import Dense  # noqa: E402
from nonresponse.reliability.outcomes import Outcomes  # noqa: E402
from nonresponse.views import guarantee  # noqa: E402

import commands  # noqa: E402

OPTIONS = {"campaigns": {"type": int, "help": "simulated campaigns for each row"}}
LEVEL = 0.05
# The shares that the runs of a campaign answer rightly, drawn for each campaign.
RUNS: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "six runs": lambda draw: draw.normal(0.5, 0.06, 6),
    "thirty runs": lambda draw: draw.normal(0.5, 0.08, 30),
    "a leading cluster of ten, ten behind": lambda draw: np.append(
        draw.normal(0.7, 0.015, 10), draw.normal(0.4, 0.08, 10)
    ),
    "nineteen near each other, one far behind": lambda draw: np.append(draw.normal(0.6, 0.02, 19), 0.2),
    "two groups of ten": lambda draw: np.append(draw.normal(0.65, 0.02, 10), draw.normal(0.35, 0.02, 10)),
}


def right_or_wrong(draw: np.random.Generator, shares: np.ndarray, questions: int) -> np.ndarray:
    """1 and 0 (runs, questions), of runs that meet easy and hard questions together."""
    normal = np.sqrt(0.5) * (draw.normal(0, 1, questions) + draw.normal(0, 1, (len(shares), questions)))
    return (normal < np.vectorize(NormalDist().inv_cdf)(shares)[:, None]).astype(np.float64)


def of_values(psi: np.ndarray) -> Compared:
    """Return runs with these values of questions, (runs, questions)."""
    return Compared(psi.mean(axis=1), Dense(psi))


def questions_needed(
    runs: Callable[[np.random.Generator], np.ndarray], campaigns: int, questions: int = 500
) -> tuple[float, float, float]:
    """Of the questions that a difference of 0.05 needs: the median of told to true, how often the range holds the
    truth, and the share of the campaigns in which nothing is told.
    """
    ratios, held = [], []
    for number in range(campaigns):
        draw = np.random.default_rng([3, number])
        shares = np.clip(runs(draw), 0.02, 0.98)
        every = right_or_wrong(draw, shares, 20_000)
        apart = np.abs(np.subtract(*shares[np.stack(np.triu_indices(len(shares), 1))]))[None]
        truth = components.enough(0.05, apart, of_values(every).variance[None], LEVEL).item()
        psi = right_or_wrong(draw, shares, questions)
        models = components.models(of_values(psi), 1, number, "c")
        if models and np.isfinite(truth):
            [(told, low, high)] = components.questions_needed(*models, [0.05], LEVEL)
            ratios.append(told / truth)
            held.append(low <= truth <= high)
    return float(np.median(ratios)), float(np.mean(held)), 1 - len(held) / campaigns


def nothing_told(campaigns: int, runs: int = 6, questions: int = 500) -> float:
    """The share of campaigns of equal runs in which a number of questions is told all the same."""
    told = 0
    for number in range(campaigns):
        psi = right_or_wrong(np.random.default_rng([4, number]), np.full(runs, 0.5), questions)
        told += components.models(of_values(psi), 1, number, "c") is not None
    return told / campaigns


def apart(seen: Outcomes, number: int, flips: int = 499) -> np.ndarray:
    """Return which pairs of runs differ significantly, bool (pairs,)."""
    settings = {"seed": 1, "samples": 1, "flips": flips, "level": LEVEL}
    _, pairs, _ = jobs.make_tables("comparison", seen, "truth", f"c{number}", settings)
    return (pairs["p_maxt"] <= LEVEL).fill_null(False).to_numpy()


def power(campaigns: int, runs: int, questions: int = 300) -> float:
    """Return how often two runs differ significantly that truly differ by what is said to be found in 80 %."""
    pairs = right_or_wrong(np.random.default_rng(5), np.full(2, 0.5), 100_000)
    deviation = float((pairs[0] - pairs[1]).std())
    least = components.detectable(deviation, questions, LEVEL, runs)
    shares, found = np.append(np.full(runs - 1, 0.5 - least / 2), 0.5 + least / 2), []
    names = [f"r{run:02}" for run in range(runs)], [f"q{question:03}" for question in range(questions)]
    for number in range(campaigns):
        right = right_or_wrong(np.random.default_rng([5, number]), shares, questions)
        matrices = {"n_ac": right.astype(np.float32), "n": np.ones((1, questions), np.float32)}
        told = apart(Outcomes(measures.get("qa", "accuracy"), *names, matrices), number)
        found.append(told[np.triu_indices(runs, 1)[1] == runs - 1].mean())
    return float(np.mean(found))


def false_auc(campaigns: int, rarer: int, runs: int = 10, questions: int = 200) -> float:
    """The share of campaigns of equally good scores in which some pair of runs differs significantly by auc."""
    false, right = 0, np.arange(questions) < rarer
    names = [f"r{run:02}" for run in range(runs)], [f"q{question:03}" for question in range(questions)]
    for number in range(campaigns):
        draw = np.random.default_rng([6, number])
        common, orders = draw.normal(0, 1, questions), []
        for _ in range(runs):
            order = np.argsort(common + draw.normal(0, 1, questions) - right, kind="stable")
            orders.append(Order(order, right[order], np.arange(questions)))
        false += apart(Outcomes(measures.get("validation", "auc"), *names, orders=orders), number).any()
    return false / campaigns


def broken_guarantees(campaigns: int, questions: int, risk: float) -> tuple[float, float]:
    """The share of runs whose cut-off does not keep the risk, and of those that have one."""
    broken = told = 0
    steps = np.arange(1001) / 1000
    chance = 1 / (1 + np.exp(-(2 + 8 * (steps - 0.5))))  # of a right answer, by self-score
    allowed = [guarantee.most_wrong(own, LEVEL, questions) for own in guarantee.RISKS]
    for number in range(campaigns):
        draw = np.random.default_rng([8, number])
        score = np.sort(draw.integers(0, 1001, questions))[::-1]
        right = draw.random(questions) < chance[score]
        above, answers, _ = guarantee.cut_offs(right, steps[score], allowed)[guarantee.RISKS.index(risk)]
        if answers:
            told += 1
            broken += (1 - chance[steps > (-1 if above is None else above)]).mean() > risk
    return broken / campaigns, told / campaigns


def main(campaigns: int = 100) -> None:
    """Prints the table."""
    print(f"| {campaigns} campaigns each | |\n|---|---|")
    for name, runs in RUNS.items():
        ratio, held, silent = questions_needed(runs, campaigns)
        print(f"| questions needed, {name} | {ratio:.2f} of the truth, range holds {held:.2f}, not told {silent:.2f} |")
    ratio, held, silent = questions_needed(RUNS["thirty runs"], campaigns, 125)
    told = f"{ratio:.2f} of the truth, range holds {held:.2f}, not told {silent:.2f}"
    print(f"| the same, thirty runs, 125 questions | {told} |")
    print(f"| questions needed, six equal runs | told {nothing_told(campaigns):.2f} |", flush=True)
    for runs in (2, 10, 40):
        print(
            f"| the power of the test of all pairs, said to be 0.80, {runs} runs | {power(campaigns, runs):.2f} |",
            flush=True,
        )
    for rarer in (20, 40, 60):
        print(
            f"| a false difference by auc, {rarer} of the rarer class | {false_auc(4 * campaigns, rarer):.3f} |",
            flush=True,
        )
    for questions, risk in ((200, 0.1), (500, 0.1), (500, 0.05), (2000, 0.2)):
        broken, told = broken_guarantees(10 * campaigns, questions, risk)
        print(
            f"| a risk of {risk:g} that is not kept, {questions:,} answers | {broken:.3f}, told {told:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
