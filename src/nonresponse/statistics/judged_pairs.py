"""Pairs of runs, if the official assessor judged a part and a judge more: paired prediction-powered
differences.

Each response has a value: if the judge alone judged it, the judge's state times a weight; if both
did, the official state minus that product. Scaled by the number of responses of each kind, the
values have the PPI++ estimate as their mean (Angelopoulos et al. 2023), and the tests of
`comparison` act on their paired differences as on any outcomes. One weight serves all pairs: the
one that makes their differences vary least. A response is one over the number of the run's
responses to its question, so that questions count the same, as in scores.

A unit is a question that the official assessor judged, together with its share of the other
questions: the precision of an estimate depends on the number of officially judged questions, so
tests count these.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from nonresponse import measures
from nonresponse.settings import Settings
from nonresponse.statistics.comparison import count_flips, test_pairs
from nonresponse.statistics.corrections import OF_SHARES, RIGHT, UNANSWERED
from nonresponse.statistics.outcomes import Outcomes, full_scores, select_rows
from nonresponse.statistics.pairs import best_first, select_runs
from nonresponse.statistics.subsets import stream
from nonresponse.tables import typed

FEWEST = 20  # questions that the official assessor judged
MOST = 100  # runs; of more, the best by the corrected score
STATES = (RIGHT, UNANSWERED)

PAIRS = {
    "judge": pl.String,
    "measure": pl.String,
    "a": pl.String,
    "b": pl.String,
    "weight": pl.Float64,  # of the judge, 0 to 1
    "difference": pl.Float64,  # a less b, corrected
    **dict.fromkeys(("lower", "upper", "p", "p_maxt"), pl.Float64),  # as in comparisons
    # From the official verdicts alone.
    **dict.fromkeys(("official_lower", "official_upper", "official_p_maxt"), pl.Float64),
}


def compare_runs(
    rows: pl.DataFrame, judge: str, ids: list[str], clusters: Mapping[str, str], settings: Settings
) -> pl.DataFrame:
    """PAIRS of one judge, by the first measure that can be computed from right, wrong and
    unanswered alone, else accuracy.

    rows: those of gold_sample.paired_states. Empty where the official assessor judged fewer than
    FEWEST questions, or where at most one run has responses that the judge alone judged.
    """
    id = next((id for id in ids if id in OF_SHARES), "accuracy")
    rows = rows.with_columns(unit=pl.col("question").replace(clusters))
    gold = rows.filter(pl.col("to_judge")).drop_nulls(["ours", "theirs"])
    runs = sorted(set(gold["run"]))
    alone = set(
        rows.filter(pl.col("to_judge"), pl.col("ours").is_null(), pl.col("theirs").is_not_null())[
            "run"
        ]
    )
    runs = [run for run in runs if run in alone]
    known = sorted(set(gold["unit"]))
    if len(runs) < 2 or len(known) < FEWEST:
        return pl.DataFrame(schema=PAIRS)
    unit = deal_units(known, sorted(set(rows["unit"]) - set(known)), judge, settings["seed"])
    parts = [Part(rows.filter(pl.col("run") == run), unit) for run in runs]
    weight = best_weight(parts, len(known))
    seen = [outcomes(parts, runs, known, id, its) for its in (weight, 0.0)]
    score = full_scores(seen[0])
    best = best_first(score, seen[0].measure.higher_is_better)[:MOST]
    some = [select_rows(one, sorted(best.tolist())) for one in seen]
    of_pairs, by_official = (test_outcomes(one, judge, settings) for one in some)
    x, y = np.triu_indices(len(best), 1)
    score = full_scores(some[0])
    names = np.array(some[0].runs, object)
    frame = pl.DataFrame(
        {
            "judge": [judge] * len(x),
            "measure": [id] * len(x),
            "a": names[x].tolist(),
            "b": names[y].tolist(),
            "weight": [weight] * len(x),
            "difference": score[x] - score[y],
            **dict(zip(("lower", "upper"), of_pairs.pop("interval").T, strict=True)),
            **of_pairs,
            **dict(
                zip(("official_lower", "official_upper"), by_official["interval"].T, strict=True)
            ),
            "official_p_maxt": by_official["p_maxt"],
        }
    )
    return typed(frame, PAIRS).with_columns(pl.selectors.float().fill_nan(None))


def deal_units(units: list[str], others: list[str], judge: str, seed: int) -> dict[str, int]:
    """Return the place of each unit, and of the unit that each other question goes to. Each unit
    gets as many."""
    places = stream(seed, "judged pairs", judge, len(units)).permutation(len(others)) % len(units)
    return {name: place for place, name in enumerate(units)} | dict(
        zip(others, places.tolist(), strict=True)
    )


def test_outcomes(outcomes: Outcomes, judge: str, settings: Settings) -> dict[str, np.ndarray]:
    """Return what `comparison` finds of all pairs of runs."""
    runs = select_runs(outcomes)
    return test_pairs(runs, count_flips(runs, judge, settings)[0], settings)


class Part:
    """The responses of one run, in rows: judged by both (is_gold), by the judge alone (is_other),
    or certain without a judgment (is_certain); and, (states, rows), which of STATES each has
    officially (ours) and by the judge (theirs). part: of its question, (rows,).
    """

    def __init__(self, rows: pl.DataFrame, unit: dict[str, int]) -> None:
        self.unit = np.array([unit[name] for name in rows["unit"]], np.int64)
        to_judge, (ours, theirs) = (
            rows["to_judge"].to_numpy(),
            (rows[name] for name in ("ours", "theirs")),
        )
        known = ours.is_not_null().to_numpy(), theirs.is_not_null().to_numpy()
        self.is_gold = to_judge & known[0] & known[1]
        self.is_other = to_judge & ~known[0] & known[1]
        self.is_certain = ~to_judge & known[0]
        self.part = rows.select(1 / pl.len().over("question")).to_series().to_numpy()
        self.share = self.part[to_judge].sum() / self.part[to_judge | self.is_certain].sum()
        self.ours, self.theirs = (
            np.stack([one.fill_null(-1).to_numpy() == state for state in STATES]).astype(float)
            for one in (ours, theirs)
        )

    def values(self, weight: float, units: int) -> np.ndarray:
        """Return the value of each unit, (states, units), whose mean is the estimate."""
        gold, other = self.is_gold, self.is_other
        values = np.zeros(self.ours.shape)
        # Each response has the estimate plus its own deviation from the mean of its kind (gold or
        # other).
        for some, value in (
            (gold, self.ours - weight * self.theirs),
            (other, weight * self.theirs),
        ):
            middle = self.mean(value, some)
            values[:, gold | other] += self.share * middle / self.part[gold | other].sum()
            values[:, some] += self.share * (value[:, some] - middle) / self.part[some].sum()
        if self.is_certain.any():
            every = self.part[self.is_certain].sum()
            values[:, self.is_certain] = (1 - self.share) * self.ours[:, self.is_certain] / every
        return units * np.stack([np.bincount(self.unit, row, units) for row in values * self.part])

    def mean(self, values: np.ndarray, some: np.ndarray) -> np.ndarray:
        """Return the mean (states, 1) of the values (states, rows) of some rows."""
        return np.average(values[:, some], axis=1, weights=self.part[some])[:, None]


def best_weight(parts: list[Part], units: int) -> float:
    """Return the weight of the judge that makes differences of runs vary least, in [0, 1]."""
    # Of ours and theirs, less the mean of the run
    sums = np.zeros((2, len(parts), len(STATES), units))
    judged = np.zeros((len(parts), 1, units))
    for place, part in enumerate(parts):
        gold = part.is_gold
        judged[place, 0] = np.bincount(part.unit[gold], minlength=units) > 0
        for row, states in enumerate((part.ours, part.theirs)):
            off = (states - part.mean(states, gold)) * part.part * gold
            sums[row, place] = [np.bincount(part.unit, its, units) for its in off]
    # Where several runs were judged, what they have in common is subtracted
    several = judged.sum(axis=0) > 1
    own = np.where(
        several,
        sums - (sums * judged).sum(axis=1, keepdims=True) / np.maximum(judged.sum(axis=0), 1),
        sums,
    )
    own *= judged
    ours, theirs = own
    ratio = sum(its.part[its.is_gold].sum() for its in parts) / sum(
        its.part[its.is_other].sum() for its in parts
    )
    spread = (theirs**2).sum() * (1 + ratio)
    return float(np.clip((ours * theirs).sum() / spread, 0, 1)) if spread > 0 else 0.0


def outcomes(
    parts: list[Part], runs: list[str], units: list[str], id: str, weight: float
) -> Outcomes:
    """Return the corrected outcomes of all runs, as of a campaign whose questions are the units."""
    right, unanswered = np.stack([part.values(weight, len(units)) for part in parts], axis=1)
    matrices = {
        "n_ac": right,
        "n_u": unanswered,
        "n_aw": 1 - right - unanswered,
        "n": np.ones((1, len(units))),
    }
    measure = measures.get("qa", id)
    zeros = np.zeros((1, len(units)))
    matrices = {name: matrices.get(name, zeros) for name in {*measure.totals, "n"}}
    return Outcomes(measure, runs, units, matrices)
