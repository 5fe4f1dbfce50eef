"""How often intervals of scores hold the truth, from the floor of a measure to its ceiling: campaigns of known truth.

`python tests/benchmarks/coverage.py` prints the table of docs/reliability.md. A row is a measure or a few, with the
lowest coverage of them all in all worlds, and the mean.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "src"), str(HOME / "tools")]
from nonresponse import measures  # noqa: E402
from nonresponse.measures.orderings import Order  # noqa: E402
from nonresponse.reliability import intervals  # noqa: E402
from nonresponse.reliability.outcomes import Outcomes, by_unit, full_scores  # noqa: E402

import commands  # noqa: E402

OPTIONS = {
    "campaigns": {"type": int, "help": "simulated campaigns for each world"},
    "only": {"help": "the first letters of a row's name"},
}
LEVEL = 0.05
SAMPLES = 2000
GOOD = (0.03, 0.2, 0.5, 0.9, 0.97)  # how often a run is right where it answers
QUESTIONS = (20, 50, 200)
CLUSTERED = (60, 120, 300)

World = Callable[[np.random.Generator, tuple[int, int], float], dict[str, np.ndarray]]


def answers(draw: np.random.Generator, shape: tuple[int, int], good: float) -> dict[str, np.ndarray]:
    """Counts of question answering: three in ten questions have no answer, a few are left open, some are partly right.

    A column per question, a row per campaign; and how sure the run is of each (`surest` has it first).
    """
    u, v, w = (draw.random(shape) for _ in range(3))
    none = draw.random(shape) < 0.3
    right = u < good
    open_ = ~right & (v < 0.3) | right & (v < 0.05)
    right &= ~open_
    wrong = ~right & ~open_
    nil = none & right | ~none & wrong & (w < 0.15)
    partly = wrong & ~nil & (w > 0.9)
    cells = {"n": np.ones(shape, bool), "n_ac": right, "n_aw": wrong, "n_u": open_, "nil_gold": none}
    cells |= {"nil_right": none & right, "nil_returned": nil, "nil_silent": none & open_, "n_aw_partial": partly}
    cells |= {"n_ur": open_ & (w < good), "n_uw": open_ & (w >= good), "n_x_partial": np.zeros(shape, bool)}
    cells |= {"a": ~none & right, "b": ~none & wrong & ~nil, "c": none & wrong, "d": ~none & (open_ | nil & wrong)}
    cells |= {"e": none & (open_ | right), "q_answered": ~open_ & ~nil, "q_good": right & ~none}
    cells |= {"q_good_any": (right | partly) & ~none, "q_long_good": right & ~none & (w < 0.5)}
    return cells | {"q_long_good_partial": cells["q_good_any"] & (w < 0.5)}


def pairs(draw: np.random.Generator, shape: tuple[int, int], good: float) -> dict[str, np.ndarray]:
    """Counts of answer validation, a pair to a question: four in ten are right, a few are left open."""
    positive, right, open_ = (draw.random(shape) < share for share in (0.4, good, 0.05))
    cells = {"n": np.ones(shape, bool), "n_questions": np.ones(shape, bool)}
    cells |= {"u_p": open_ & positive, "u_n": open_ & ~positive}
    cells |= {"tp": ~open_ & right & positive, "tn": ~open_ & right & ~positive}
    cells |= {"fp": ~open_ & ~right & ~positive, "fn": ~open_ & ~right & positive}
    return cells | {"q_selected_right": cells["tp"], "q_rejected_right": cells["tn"]}


def sums(draw: np.random.Generator, shape: tuple[int, int], good: float) -> dict[str, np.ndarray]:
    """What questions add to measures of sums; right answers have somewhat higher self-scores."""
    right = draw.random(shape) < good
    rank = np.where(right, 1, draw.integers(2, 8, shape))
    found = draw.random(shape) < good + (1 - good) / 2
    years = np.where(right, draw.integers(0, 2, shape), draw.integers(0, 30, shape))
    sure = np.clip(draw.beta(4, 2, shape) + 0.15 * right, 0, 1 - 2**-20)
    one = np.ones(shape)
    loss = -np.log(np.where(right, sure, 1 - sure))
    parts = {"n": one, "m": one, "reciprocal_rank": found / rank, "average_precision": found / rank}
    parts |= {"similarity": np.exp(-np.pi / 100 * years**2), "similarity_c": sure * np.exp(-np.pi / 100 * years**2)}
    parts |= {"within": np.maximum(10 - years, 0), "signed": np.where(right, sure, -sure), "loss": loss}
    parts |= {"k_value": parts["signed"], "squared": (sure - right) ** 2, "squared_error": (sure - right) ** 2}
    coarse = np.round(sure * 2**16) / 2**16
    return parts | {"s": coarse, "c": right, "sc": coarse * right, "hh": coarse**2, "hl": 0 * one, "ll": 0 * one}


def orders(draw: np.random.Generator, shape: tuple[int, int], good: float, worth: float = 1.0) -> list[Order]:
    """Orders by self-scores in twentieths, which tell right from wrong answers by so many standard deviations."""
    right = draw.random(shape) < good
    sure = np.round(20 / (1 + np.exp(-draw.normal(0, 1, shape) - worth * right))) / 20
    every = []
    for its, scores in zip(right, sure, strict=True):
        order = np.argsort(-scores, kind="stable")
        starts = np.flatnonzero(np.diff(scores[order], prepend=2.0))
        every.append(Order(order, its[order], starts, standing=scores[order]))
    return every


def of_counts(world: World, task: str, id: str, together: int = 1) -> Callable:
    """A campaign's runs are campaigns of one run each, all of the same truth; so many questions make a cluster."""

    def made(draw: np.random.Generator, shape: tuple[int, int], good: float) -> Outcomes:
        measure = measures.get(task, id)
        if together > 1:
            hard = draw.random((shape[0], shape[1] // together)) < 0.5  # half of the clusters are harder
            spread = 0.8 * min(good, 1 - good)
            good = np.repeat(np.where(hard, good - spread, good + spread), together, axis=1)
        cells = world(draw, shape, good)
        matrices = {name: cells[name].astype(np.float64) for name in {*measure.totals, "n"}}
        seen = Outcomes(measure, *names(shape), dict(sorted(matrices.items())))
        return by_unit(seen, seen.questions, {name: name[:-1] for name in seen.questions} if together > 1 else {})

    return made


def names(shape: tuple[int, int]) -> tuple[list[str], list[str]]:
    """Of the runs and of the questions."""
    return [f"run{run:05}" for run in range(shape[0])], [f"{question:07}" for question in range(shape[1])]


def of_orders(task: str, id: str, worth: float = 1.0) -> Callable:
    """The same of a measure of an order."""

    def made(draw: np.random.Generator, shape: tuple[int, int], good: float) -> Outcomes:
        return Outcomes(measures.get(task, id), *names(shape), orders=orders(draw, shape, good, worth))

    return made


ROWS: dict[str, list[Callable]] = {
    "right, wrong, left open": [of_counts(answers, "qa", id) for id in ("accuracy", "c@1", "uf", "precision_answered")],
    "NIL": [of_counts(answers, "qa", id) for id in ("nil_precision", "nil_recall", "nil_f")],
    "abstention": [
        of_counts(answers, "qa", id)
        for id in (
            *("hallucination_rate", "omniscience", "candidate_accuracy", "abstention_precision", "abstention_recall"),
            *("abstention_f1", "false_abstention", "forced_recall"),
        )
    ],
    "ROMIP": [
        of_counts(answers, "qa", id)
        for id in ("romip_error", "romip_recall", "romip_nil_precision", "romip_nil_recall", "romip_good")
    ],
    "answer validation": [
        of_counts(pairs, "validation", id)
        for id in ("accuracy", "error", "precision", "recall", "f@1", "f@0.5", "e@2", "c@1", "fu@0.5", "qa_accuracy")
    ],
    "mrr, map": [of_counts(sums, "qa", id) for id in ("mrr", "map")],
    "k1, k": [of_counts(sums, "qa", id) for id in ("k1", "k")],
    "dating: s, s_c, auc": [of_counts(sums, "dating", id) for id in ("s", "s_c", "auc@10")],
    "matching: s": [of_counts(sums, "matching", "s")],
    "brier, brier_confidence": [of_counts(sums, "validation", "brier"), of_counts(sums, "qa", "brier_confidence")],
    "nll": [of_counts(sums, "qa", "nll")],
    "overconfidence": [of_counts(sums, "qa", "overconfidence")],
    "r": [of_counts(sums, "qa", "r")],
    "cws": [of_orders("qa", "cws"), of_orders("qa", "cws", 3.0)],
    "aurc": [of_orders("qa", "aurc"), of_orders("qa", "aurc", 3.0)],
    "e_aurc": [of_orders("qa", "e_aurc")],
    "augrc": [of_orders("qa", "augrc")],
    "coverage@0.1": [of_orders("qa", "coverage@0.1")],
    "risk@0.8": [of_orders("qa", "risk@0.8")],
    "auc": [of_orders("qa", "auroc_confidence"), of_orders("qa", "auroc_confidence", 3.0)],
    "clusters: c@1 (6, 12, 30 of ten questions)": [of_counts(answers, "qa", "c@1", 10)],
    "clusters: mrr (likewise)": [of_counts(sums, "qa", "mrr", 10)],
}


def coverage(make: Callable, questions: int, good: float, campaigns: int, seed: int = 1) -> tuple[float, float, str]:
    """The share of the intervals that hold the truth, their median width, and by which method and measure.

    Of those that there are; NaN where less than half of the campaigns have one. The truth is the mean score of others.
    """
    seen = make(np.random.default_rng([seed, questions]), (campaigns, questions), good)
    others = make(np.random.default_rng([seed, questions, 1]), (max(100_000 // questions, 2000), questions), good)
    truth = np.nanmean(full_scores(others))
    score = full_scores(seen)
    samples = np.zeros((campaigns, 1))
    if intervals.method_of(seen) == "bootstrap":
        samples = intervals.sampled_scores(seen, seed, "coverage", SAMPLES)
    settings = {"level": LEVEL, "samples": SAMPLES, "seed": seed}
    ends, method = intervals.score_intervals(seen, score, samples, settings, "coverage")
    some = np.isfinite(ends[:, 0])
    if some.sum() < campaigns / 2:
        return np.nan, np.nan, ""
    low, high = ends[some].T
    held = (low <= truth + 1e-12) & (truth <= high + 1e-12)
    return float(held.mean()), float(np.median(high - low)), f"{seen.measure.id} {method[some][0]}"


def cell(found: list[tuple[float, float, str]]) -> str:
    """Of some worlds the lowest coverage and the mean."""
    known = [held for held, _, _ in found if np.isfinite(held)]
    return f"{min(known):.3f} ({np.mean(known):.3f})" if known else ""


def main(campaigns: int = 300, only: str = "") -> None:
    """Prints the table; of clusters, that of a tenth as many clusters as questions."""
    print(f"| | {' | '.join(f'{n:,} questions' for n in QUESTIONS)} |\n|---|{'---|' * len(QUESTIONS)}")
    for row, makes in ROWS.items():
        if row.startswith(only):
            sizes = CLUSTERED if "clusters" in row else QUESTIONS
            worlds = [[coverage(make, n, good, campaigns) for make in makes for good in GOOD] for n in sizes]
            print(f"| {row} | {' | '.join(map(cell, worlds))} |", flush=True)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
