"""How often the tests of the comparison find a difference that is not there, and one that is: campaigns of known truth.

`python tests/benchmarks/levels.py` prints the tables of docs/reliability.md, with Monte Carlo errors.
"""

import sys
from pathlib import Path

import numpy as np

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "src"), str(HOME / "tools")]
from nonresponse import measures  # noqa: E402
from nonresponse.measures.orderings import Order  # noqa: E402
from nonresponse.reliability import comparison  # noqa: E402
from nonresponse.reliability.outcomes import Outcomes, by_unit  # noqa: E402

import commands  # noqa: E402

OPTIONS = {
    "campaigns": {"type": int, "help": "simulated campaigns for each row"},
    "flips": {"type": int, "help": "flips of each test"},
}
LEVEL = 0.05
METHODS = {"maxt": "p_maxt", "holm": "p_holm"}

# Measure, questions, for each run how often it answers and how often its answers are right, and perhaps how many
# questions make a cluster. Within a row all runs have the same true score: uf is 0 where half of the answers are right,
# c@1 is 0.5 where right / n is 0.5 / (1 + u).
HALF = [(1.0, 0.5)] * 5
EQUAL = {
    "accuracy": ("accuracy", 200, HALF * 2),
    "c@1, half of the runs leave 0.4 open": ("c@1", 200, HALF + [(0.6, 0.5 / 1.4 / 0.6)] * 5),
    "uf": ("uf", 200, HALF * 2),
    "uf, half of the runs leave 0.9 open": ("uf", 200, HALF + [(0.1, 0.5)] * 5),
    "cws": ("cws", 200, HALF * 2),
    "ten equal runs beside 34 at 0.02, accuracy": ("accuracy", 200, HALF * 2 + [(1.0, 0.02)] * 34),
    "c@1, ten questions to a cluster": ("c@1", 300, HALF * 2, 10),
    "precision_answered, 20 answers": ("precision_answered", 100, HALF + [(0.2, 0.5)] * 5),
    "precision_answered, 50 answers": ("precision_answered", 250, HALF + [(0.2, 0.5)] * 5),
    "precision_answered, 100 answers": ("precision_answered", 500, HALF + [(0.2, 0.5)] * 5),
    "precision_answered, 20 answers, 0.9 of them right": (
        "precision_answered",
        200,
        [(1.0, 0.9)] * 5 + [(0.1, 0.9)] * 5,
    ),
    "precision_answered, 40 answers, 0.97 of them right": (
        "precision_answered",
        200,
        [(1.0, 0.97)] * 5 + [(0.2, 0.97)] * 5,
    ),
}
# The last run is better than the others, which are equal.
DIFFERENT = {
    f"{id}, one run of ten at 0.65 beside 0.5": (id, 200, [(1.0, 0.5)] * 9 + [(1.0, 0.65)])
    for id in ("accuracy", "c@1", "uf", "cws")
}


def campaign(
    draw: np.random.Generator, id: str, questions: int, runs: list[tuple[float, float]], together: int = 1
) -> Outcomes:
    """Outcomes of runs that meet easy and hard questions together; so many questions make a cluster."""
    answers, right = np.array(runs).T[:, :, None]
    easy = draw.normal(0, 1, questions)
    own = draw.normal(0, 1, (len(runs), questions))
    if together > 1:  # what a run makes of a cluster, and what it makes of a question of it
        own = np.sqrt(0.5) * (own + np.repeat(draw.normal(0, 1, (len(runs), questions // together)), together, axis=1))
    # A normal easiness and noise of the same size: the share of right answers stays what was asked for.
    normal = np.sqrt(0.5) * (easy + own)
    is_right = normal < np.vectorize(quantile)(right)
    given = draw.random((len(runs), questions)) < answers
    names = [f"run{run:02}" for run in range(len(runs))], [f"{question:04}" for question in range(questions)]
    measure = measures.get("qa", id)
    if measure.kind == "ordering":
        each = np.arange(questions)
        return Outcomes(measure, *names, orders=[Order(draw.permutation(questions), row, each) for row in is_right])
    cells = {"n_ac": given & is_right, "n_aw": given & ~is_right, "n_u": ~given, "n": np.ones((1, questions))}
    matrices = {name: cells[name].astype(np.float32) for name in {*measure.totals, "n"}}
    seen = Outcomes(measure, *names, matrices)
    return by_unit(seen, names[1], {name: f"c{place // together}" for place, name in enumerate(names[1])})


def quantile(share: float) -> float:
    """Of the standard normal distribution."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(share)


def found(row: tuple, campaigns: int, flips: int, seed: int = 1) -> dict[str, np.ndarray]:
    """For each method whether it told pairs apart, bool (campaigns, pairs); null counts as not."""
    settings = {"seed": seed, "samples": 1, "flips": flips, "level": LEVEL}
    told = {name: [] for name in METHODS}
    for number in range(campaigns):
        seen = campaign(np.random.default_rng([seed, number]), *row)
        _, pairs, _ = comparison.make(seen, "truth", f"levels{number}", settings)
        for name, column in METHODS.items():
            told[name].append((pairs[column] <= LEVEL).fill_null(False).to_numpy())
    return {name: np.array(rows) for name, rows in told.items()}


def equal_pairs(runs: list[tuple[float, float]]) -> np.ndarray:
    """Which pairs have the same true score, bool (pairs,): all but those of runs with other shares of right answers."""
    x, y = np.triu_indices(len(runs), 1)
    worse = np.array([right < 0.1 for _, right in runs])
    return worse[x] == worse[y]


def line(name: str, shares: dict[str, np.ndarray]) -> str:
    """A row of a table: the mean of each method with its Monte Carlo error."""
    cells = [f"{share.mean():.3f} ± {share.std() / np.sqrt(len(share)):.3f}" for share in shares.values()]
    return f"| {name} | {' | '.join(cells)} |"


def main(campaigns: int = 400, flips: int = 499) -> None:
    """Prints both tables."""
    head = f"| | {' | '.join(METHODS)} |\n|---|{'---|' * len(METHODS)}"
    print(f"Share of {campaigns} campaigns with a false difference, at {LEVEL:g}\n\n{head}")
    for name, row in EQUAL.items():
        same = equal_pairs(row[2])
        told = found(row, campaigns, flips)
        print(line(name, {method: pairs[:, same].any(axis=1) for method, pairs in told.items()}), flush=True)
    print(f"\nShare of the true differences that are found, in {campaigns} campaigns\n\n{head}")
    for name, row in DIFFERENT.items():
        _, y = np.triu_indices(len(row[2]), 1)
        told = found(row, campaigns, flips)
        last = y == len(row[2]) - 1
        print(line(name, {method: pairs[:, last].mean(axis=1) for method, pairs in told.items()}), flush=True)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
