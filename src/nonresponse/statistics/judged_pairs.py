"""Paired prediction-powered differences, if the official assessor judged only a part.

Each response has a value: the judge's state times a weight if the judge alone judged it, else the
official state less that product. Scaled by the number of responses of each kind, the values have
the PPI++ estimate as their mean (Angelopoulos et al. 2023). The tests of `comparison` act on their
paired differences. One weight serves all pairs: the one that makes their differences vary least. A
response counts as one over the number of the run's responses to its question.

A unit is a question that the official assessor judged, with its share of the other questions. Tests
count these units, since they determine the precision of an estimate.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from nonresponse import measures
from nonresponse.settings import Settings
from nonresponse.statistics.comparison import count_flips, test_pairs
from nonresponse.statistics.corrections import FEWEST, RIGHT, RIGHTFUL, SHARE_MEASURES, UNANSWERED
from nonresponse.statistics.outcomes import Outcomes, full_scores, select_rows
from nonresponse.statistics.pairs import order_runs, select_runs
from nonresponse.statistics.subsets import stream
from nonresponse.tables import cast_types

LARGEST = 100  # runs; of more, the best by the corrected score
STATES = (RIGHT, UNANSWERED, RIGHTFUL)

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
    """Return PAIRS of one judge, by the first of SHARE_MEASURES or, without one, accuracy.

    rows: those of gold_sample.pair_states. Empty where the official assessor judged fewer than
    FEWEST questions, or where at most one run has responses that the judge alone judged.
    """
    id = next((id for id in ids if id in SHARE_MEASURES), "accuracy")
    rows = rows.with_columns(unit=pl.col("question").replace(clusters))
    judge_rows = rows.filter("judgeable").drop_nulls("theirs")
    gold = judge_rows.drop_nulls("ours")
    runs = sorted({*gold["run"]} & {*judge_rows.filter(pl.col("ours").is_null())["run"]})
    units = sorted({*gold["unit"]})
    if len(runs) < 2 or len(units) < FEWEST:
        return pl.DataFrame(schema=PAIRS)
    unit = deal_units(units, sorted({*rows["unit"]} - {*units}), judge, settings["seed"])
    parts = [Part(rows.filter(pl.col("run") == run), unit) for run in runs]
    weight = choose_weight(parts, len(units))
    corrected = make_outcomes(parts, runs, units, id, weight)
    official = make_outcomes(parts, runs, units, id, 0.0)
    order = order_runs(full_scores(corrected), corrected.measure.higher_is_better)
    best = sorted(order[:LARGEST].tolist())
    corrected, official = select_rows(corrected, best), select_rows(official, best)
    x, y = np.triu_indices(len(best), 1)
    names, score = np.array(corrected.runs, object), full_scores(corrected)
    columns = {"a": names[x].tolist(), "b": names[y].tolist(), "difference": score[x] - score[y]}
    for prefix, outcomes in (("", corrected), ("official_", official)):
        runs_tested = select_runs(outcomes)
        exceeding = count_flips(runs_tested, judge, settings)[0]
        tests = test_pairs(runs_tested, exceeding, settings)
        tests |= dict(zip(("lower", "upper"), tests["interval"].T, strict=True))
        columns |= {prefix + name: tests[name] for name in ("lower", "upper", "p", "p_maxt")}
    constants = {"judge": pl.lit(judge), "measure": pl.lit(id), "weight": pl.lit(weight)}
    table = cast_types(pl.DataFrame(columns).with_columns(**constants), PAIRS)
    return table.with_columns(pl.selectors.float().fill_nan(None))


def deal_units(units: list[str], questions: list[str], judge: str, seed: int) -> dict[str, int]:
    """Return the index of each unit and, dealt evenly, of the unit of each other question."""
    draw = stream(seed, "judged pairs", judge, len(units))
    indexes = (draw.permutation(len(questions)) % len(units)).tolist()
    return dict(zip([*units, *questions], [*range(len(units)), *indexes], strict=True))


class Part:
    """The responses of one run, in rows: judged by both (is_gold), by the judge alone (is_alone),
    or certain without a judgment (is_certain); and, (states, rows), which of STATES each has
    officially (ours) and by the judge (theirs). part: of its question, (rows,).
    """

    def __init__(self, rows: pl.DataFrame, unit: dict[str, int]) -> None:
        self.unit = np.array([unit[name] for name in rows["unit"]], np.int64)
        judgeable = rows["judgeable"].to_numpy()
        ours, theirs = (rows[name].fill_null(-1).to_numpy() for name in ("ours", "theirs"))
        self.is_gold = judgeable & (ours >= 0) & (theirs >= 0)
        self.is_alone = judgeable & (ours < 0) & (theirs >= 0)
        self.is_certain = ~judgeable & (ours >= 0)
        self.part = rows.select(1 / pl.len().over("question")).to_series().to_numpy()
        self.share = self.part[judgeable].sum() / self.part[judgeable | self.is_certain].sum()
        self.ours, self.theirs = (
            np.stack([codes == state for state in STATES]).astype(float) for codes in (ours, theirs)
        )

    def values(self, weight: float, units: int) -> np.ndarray:
        """Return the value of each unit, (states, units), whose mean is the estimate."""
        gold, alone = self.is_gold, self.is_alone
        values = np.zeros(self.ours.shape)
        # Each response has the estimate plus its deviation from the mean of its kind.
        for kind, value in (
            (gold, self.ours - weight * self.theirs),
            (alone, weight * self.theirs),
        ):
            middle = self.mean(value, kind)
            values[:, gold | alone] += self.share * middle / self.part[gold | alone].sum()
            values[:, kind] += self.share * (value[:, kind] - middle) / self.part[kind].sum()
        if (certain := self.is_certain).any():
            values[:, certain] = (1 - self.share) * self.ours[:, certain] / self.part[certain].sum()
        return units * np.stack([np.bincount(self.unit, row, units) for row in values * self.part])

    def mean(self, values: np.ndarray, kind: np.ndarray) -> np.ndarray:
        """Return the mean (states, 1) of the values (states, rows) of the rows of a kind."""
        return np.average(values[:, kind], axis=1, weights=self.part[kind])[:, None]


def choose_weight(parts: list[Part], units: int) -> float:
    """Return the weight of the judge that makes differences of runs vary least, in [0, 1]."""
    # Of ours and theirs, less the mean of the run
    sums = np.zeros((2, len(parts), len(STATES), units))
    has_gold = np.zeros((len(parts), 1, units))
    for index, part in enumerate(parts):
        gold = part.is_gold
        has_gold[index, 0] = np.bincount(part.unit[gold], minlength=units) > 0
        for row, states in enumerate((part.ours, part.theirs)):
            deviations = (states - part.mean(states, gold)) * part.part * gold
            sums[row, index] = [np.bincount(part.unit, values, units) for values in deviations]
    # Where several runs were judged, what they have in common is subtracted
    runs = has_gold.sum(axis=0)
    common = (sums * has_gold).sum(axis=1, keepdims=True) / np.maximum(runs, 1)
    ours, theirs = np.where(runs > 1, sums - common, sums) * has_gold
    gold_size = sum(part.part[part.is_gold].sum() for part in parts)
    ratio = gold_size / sum(part.part[part.is_alone].sum() for part in parts)
    spread = (theirs**2).sum() * (1 + ratio)
    return float(np.clip((ours * theirs).sum() / spread, 0, 1)) if spread > 0 else 0.0


def make_outcomes(
    parts: list[Part], runs: list[str], units: list[str], id: str, weight: float
) -> Outcomes:
    """Return the corrected outcomes of all runs, as of a campaign whose questions are the units."""
    states = np.stack([part.values(weight, len(units)) for part in parts], axis=1)
    (right, unanswered, rightful), unit_row = states, np.ones((1, len(units)))
    matrices = {"n_ac": right + rightful, "n_u": unanswered, "n_rightful": rightful}
    matrices |= {"n_aw": 1 - states.sum(axis=0), "n": unit_row}
    measure = measures.get("qa", id)
    needed = {*measure.totals, "n"}
    matrices = {name: matrices.get(name, np.zeros_like(unit_row)) for name in needed}
    return Outcomes(measure, runs, units, matrices)
