"""Simulate how often intervals of scores hold the truth, from floor to ceiling."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from nonresponse import measures
from nonresponse.measures import Measure
from nonresponse.measures.orderings import Order
from nonresponse.statistics import intervals
from nonresponse.statistics.outcomes import Outcomes, full_scores, select_rows, sum_units
from validation import page

LEVEL = 0.05
SAMPLES = 1000
GOOD = (0.03, 0.2, 0.5, 0.9, 0.97)  # how often a run is right where it answers
QUESTIONS = (20, 50, 200)
CLUSTERED = (60, 120, 300)

Good = float | np.ndarray
World = Callable[[np.random.Generator, tuple[int, int], Good], dict[str, np.ndarray]]


def answers(draw: np.random.Generator, shape: tuple[int, int], good: Good) -> dict[str, np.ndarray]:
    """Counts of question answering: three in ten questions have no answer, a few are unanswered,
    some are partly right.

    A column per question, a row per campaign; and how sure the run is of each (`surest` has it
    first).
    """
    u, v, w = (draw.random(shape) for _ in range(3))
    nil_gold, right = draw.random(shape) < 0.3, u < good
    silent = ~right & (v < 0.3) | right & (v < 0.05)
    right &= ~silent
    gold, wrong, zeros = ~nil_gold, ~right & ~silent, np.zeros(shape, bool)
    nil = nil_gold & right | gold & wrong & (w < 0.15)
    partly = wrong & ~nil & (w > 0.9)
    cells = {"n": np.ones(shape, bool), "n_ac": right, "n_aw": wrong, "n_u": silent}
    cells |= {"n_rightful": zeros, "n_x_partial": zeros, "n_aw_partial": partly}
    cells |= {"n_ur": silent & (w < good), "n_uw": silent & (w >= good), "nil_gold": nil_gold}
    cells |= {"nil_right": nil_gold & right, "nil_returned": nil}
    cells |= {"nil_unanswered": nil_gold & silent, "q_answered": ~silent & ~nil}
    cells |= {"a": gold & right, "b": gold & wrong & ~nil, "c": nil_gold & wrong}
    cells |= {"d": gold & (silent | nil & wrong), "e": nil_gold & (silent | right)}
    cells |= {"q_good": gold & right, "q_long_good": gold & right & (w < 0.5)}
    good_any = (right | partly) & gold
    return cells | {"q_good_any": good_any, "q_long_good_partial": good_any & (w < 0.5)}


def pairs(draw: np.random.Generator, shape: tuple[int, int], good: Good) -> dict[str, np.ndarray]:
    """Counts of answer validation, a pair to a question: four in ten are right."""
    positive, right, unanswered = (draw.random(shape) < share for share in (0.4, good, 0.05))
    cells = {"n": np.ones(shape, bool), "n_questions": np.ones(shape, bool)}
    cells |= {"u_p": unanswered & positive, "u_n": unanswered & ~positive}
    cells |= {"tp": ~unanswered & right & positive, "tn": ~unanswered & right & ~positive}
    cells |= {"fp": ~unanswered & ~right & ~positive, "fn": ~unanswered & ~right & positive}
    return cells | {"q_selected_right": cells["tp"], "q_rejected_right": cells["tn"]}


def sums(draw: np.random.Generator, shape: tuple[int, int], good: Good) -> dict[str, np.ndarray]:
    """What questions add to measures of sums."""
    return draw_sums(draw, draw.random(shape) < good)


def draw_sums(draw: np.random.Generator, right: np.ndarray) -> dict[str, np.ndarray]:
    """The same, of answers that are right or not; right ones have somewhat higher self-scores."""
    shape = right.shape
    rank = np.where(right, 1, draw.integers(2, 8, shape))
    is_ranked = right | (draw.random(shape) < 0.5)
    years = np.where(right, draw.integers(0, 2, shape), draw.integers(0, 30, shape))
    sure = np.clip(draw.beta(4, 2, shape) + 0.15 * right, 0, 1 - 2**-20)
    units, squared = np.ones(shape), (sure - right) ** 2
    signed, loss = np.where(right, sure, -sure), -np.log(np.where(right, sure, 1 - sure))
    similarity, coarse = np.exp(-np.pi / 100 * years**2), np.round(sure * 2**16) / 2**16
    parts = {"n": units, "m": units, "squared": squared, "squared_error": squared, "loss": loss}
    parts |= dict.fromkeys(("reciprocal_rank", "average_precision"), is_ranked / rank)
    parts |= {"similarity": similarity, "similarity_c": sure * similarity}
    parts |= {"within": np.maximum(10 - years, 0), "signed": signed, "k_value": signed}
    parts |= {"s": coarse, "c": right, "sc": coarse * right, "hh": coarse**2}
    return parts | {"hl": 0 * units, "ll": 0 * units}


def draw_orders(draw: np.random.Generator, right: np.ndarray, worth: float = 1.0) -> list[Order]:
    """Draw orders by confidences in twentieths; `worth` is how far right answers stand out."""
    sure = np.round(20 / (1 + np.exp(-draw.normal(0, 1, right.shape) - worth * right))) / 20
    orders = []
    for row, scores in zip(right, sure, strict=True):
        order = np.argsort(-scores, kind="stable")
        starts = np.flatnonzero(np.diff(scores[order], prepend=2.0))
        orders.append(Order(order, row[order], starts, sort_key=scores[order]))
    return orders


def describe_kind(measure: Measure) -> tuple:
    """Return what decides how a measure is tested and how its intervals are made."""
    divides, endless = bool(measure.divides_by), None in measure.range
    shape = measure.smooth, measure.biased, measure.ends
    return measure.kind, measure.classes, divides, endless, *shape


def make_outcomes(
    measure: Measure,
    cells: dict[str, np.ndarray],
    orders: list[Order],
    runs: list[str],
    questions: list[str],
) -> Outcomes:
    """Return the outcomes of runs by any kind of measure, from cells and orders."""
    if measure.parts:
        parts = [make_outcomes(part, cells, orders, runs, questions) for part in measure.parts]
        return Outcomes(measure, runs, questions, parts=parts)
    if measure.kind == "ordering":
        return Outcomes(measure, runs, questions, orders=orders)
    matrices = {name: cells[name].astype(np.float64) for name in {*measure.totals, "n"}}
    return Outcomes(measure, runs, questions, dict(sorted(matrices.items())))


class Source(NamedTuple):
    """A measure, what draws its counts or sums, the size of clusters, the worth of confidence."""

    task: str
    id: str
    world: World = answers
    cluster_size: int = 1
    worth: float = 1.0

    @property
    def measure(self) -> Measure:
        return measures.get(self.task, self.id)

    def draw(self, draw: np.random.Generator, shape: tuple[int, int], good: Good) -> Outcomes:
        """Return campaigns of the same truth, as if they were runs of one campaign."""
        runs = [f"run{run:05}" for run in range(shape[0])]
        questions = [f"{n:07}" for n in range(shape[1])]
        if self.cluster_size > 1:
            # Half of the clusters are harder
            hard = draw.random((shape[0], shape[1] // self.cluster_size)) < 0.5
            spread = 0.8 * np.minimum(good, 1 - good)
            good = np.repeat(
                np.where(hard, good - spread, good + spread), self.cluster_size, axis=1
            )
        cells = self.world(draw, shape, good)
        right = cells["n_ac"] if "n_ac" in cells else draw.random(shape) < good
        is_ordered = self.measure.kind in ("ordering", "combined")
        orders = draw_orders(draw, right, self.worth) if is_ordered else []
        outcomes = make_outcomes(self.measure, cells, orders, runs, questions)
        clusters = {name: name[:-1] for name in questions} if self.cluster_size > 1 else {}
        return sum_units(outcomes, questions, clusters)


def sources(world: World, task: str, ids: str) -> list[Source]:
    return [Source(task, id, world) for id in ids.split()]


ABSTENTION = (
    "hallucination_rate omniscience candidate_accuracy abstention_precision abstention_recall "
    "abstention_f1 false_abstention decision_accuracy decision_f1 forced_recall"
)
ROMIP = "romip_error romip_recall romip_nil_precision romip_nil_recall"
PAIRS = "accuracy error precision recall f@1 f@0.5 e@2 c@1 fu@0.5 qa_accuracy"
STATES = "accuracy c@1 uf precision_answered f_simpleqa penalty@0.75 formula_score@4 phi@1"
# By the row of the table, for each kind of measure, and each way in which intervals are made.
ROWS: dict[str, list[Source]] = {
    "right, wrong, unanswered": sources(answers, "qa", STATES),
    "NIL": sources(answers, "qa", "nil_precision nil_recall nil_f"),
    "abstention": sources(answers, "qa", ABSTENTION),
    "rejection_quality": sources(answers, "qa", "rejection_quality"),
    "ROMIP": sources(answers, "qa", ROMIP),
    "answer validation": sources(pairs, "validation", PAIRS),
    "mrr, map": sources(sums, "qa", "mrr map"),
    "k1, k": sources(sums, "qa", "k1 k"),
    "dating: s, s_c, auc@10": sources(sums, "dating", "s s_c auc@10"),
    "matching: s": sources(sums, "matching", "s"),
    "brier, brier_confidence": [
        *sources(sums, "validation", "brier"),
        *sources(sums, "qa", "brier_confidence"),
    ],
}
ROWS |= {id: sources(sums, "qa", id) for id in ("nll", "overconfidence", "r")}
for id in [
    "cws",
    "aurc",
    "e_aurc",
    "augrc",
    "prr",
    "coverage@0.1",
    "risk@0.8",
    "auroc_confidence",
    "ece@10",
]:
    worths = (1.0, 3.0) if id in ("cws", "aurc", "auroc_confidence") else (1.0,)
    ROWS[id] = [Source("qa", id, sums, worth=worth) for worth in worths]
COMBINED = ("mean(accuracy,c@1)", "product(auroc_confidence,c@1)")
ROWS |= {id: sources(answers, "qa", id) for id in COMBINED}
ROWS["clusters: c@1 (6, 12, 30 of ten questions)"] = [Source("qa", "c@1", answers, 10)]
ROWS["clusters: mrr (likewise)"] = [Source("qa", "mrr", sums, 10)]


def hold_truth(
    source: Source, questions: int, good: float, campaigns: int, seed: int = 1
) -> tuple[float, str]:
    """The share of the intervals that hold the truth, of those that there are, and their method.

    NaN where less than half of the campaigns have one. The truth is the mean score of others.
    """
    outcomes = source.draw(np.random.default_rng([seed, questions]), (campaigns, questions), good)
    if outcomes.measure.biased:
        return np.nan, ""
    truth, back = true_score(source, questions, good, seed), np.arange(campaigns)
    if cells := intervals.count_cells(outcomes):  # equal numbers have equal intervals
        _, first, back = np.unique(cells[1], axis=0, return_index=True, return_inverse=True)
        outcomes = select_rows(outcomes, first.tolist())
    score = full_scores(outcomes)
    settings = {"level": LEVEL, "samples": SAMPLES, "seed": seed}
    ends, method = intervals.score_intervals(outcomes, score, settings, "coverage")
    ends, method = ends[back], method[back]
    defined = np.isfinite(ends[:, 0])
    if defined.sum() < campaigns / 2:
        return np.nan, ""
    low, high = ends[defined].T
    return float(((low <= truth + 1e-12) & (truth <= high + 1e-12)).mean()), str(method[defined][0])


def true_score(source: Source, questions: int, good: float, seed: int) -> float:
    """Return the mean score of other campaigns of as many questions."""
    shape = max(50_000 // questions, 1000), questions
    return float(
        np.nanmean(
            full_scores(source.draw(np.random.default_rng([seed, questions, 1]), shape, good))
        )
    )


def rows(campaigns: int) -> Iterator[page.Row]:
    """Simulate the rows of the table."""
    for name, group in ROWS.items():
        for place, questions in enumerate(QUESTIONS):
            many = CLUSTERED[place] if name.startswith("clusters") else questions
            results = [
                (*hold_truth(source, many, good, campaigns), source.id, good)
                for source in group
                for good in GOOD
            ]
            defined = [result for result in results if np.isfinite(result[0])]
            method = ", ".join(dict.fromkeys(method for _, method, _, _ in defined)) or "none"
            cells = ["", "", ""]
            if defined:
                shares = [share for share, *_ in defined]
                _, _, id, good = min(defined)
                cells = [page.coverage(*shares), f"{id}, {good:g}", f"{np.mean(shares):.3f}"]
            yield [name, str(many), method, str(len(defined)), *cells]


SECTION = page.Section(
    "Intervals of scores",
    "How often the interval of a score holds the truth, at worst and at best over worlds. Runs are correct in 3, 20, "
    "50, 90 and 97 of 100 answers.",
    ("measures", "questions", "method", "worlds", "interval holds", "lowest of", "mean"),
    rows,
    500,
    why=(
        (
            "MOVER-J",
            "Counts are whole numbers: even an exact interval of a share holds the truth in .93 to .99 of the "
            "campaigns.",
        ),
        (
            "^\\| r \\|",
            "Student's t has few degrees of freedom, as there are hardly any of the rarer answers.",
        ),
        (
            "^\\| (cws|aurc|e_aurc|augrc|prr|auc|product|risk)",
            "A question near the top of an order, or of the rarer class, may move the score far.",
        ),
        (
            "^\\| clusters",
            "The half cluster, for 6, 12 or 30 of them.",
        ),
        (
            "",
            "The half question, which is little where 200 have few large contributions.",
        ),
    ),
)
