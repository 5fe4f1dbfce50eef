"""How many questions a difference needs, and which differences the campaign's own questions can tell, as tables."""

from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.settings import Settings
from nonresponse.statistics import components, intervals, pseudo_values
from nonresponse.statistics.cache import NOTHING, Cache
from nonresponse.statistics.compared import PAIRED, Compared
from nonresponse.statistics.comparison import compared, tested
from nonresponse.statistics.outcomes import Outcomes
from nonresponse.statistics.rank_positions import leading_pairs
from nonresponse.statistics.table_files import by_measure
from nonresponse.tables import typed

DIFFERENCES = [step / 100 for step in range(1, 16)]

NEEDED = {
    "difference": pl.Float64,
    "questions": pl.Int64,  # null = no answer; the remark says why
    "lower": pl.Int64,  # of the 95 % range
    "upper": pl.Int64,  # null while `questions` is not null: more than a million
    "remark": pl.String,
}
OF_CAMPAIGN = {  # the same in every row
    "n": pl.Int64,
    "required_difference": pl.Float64,  # null = none below 1
}
POWER = {
    "pair": pl.String,  # leading, or median: the pair whose difference has the median variance
    "a": pl.String,  # the run with the higher score
    "b": pl.String,
    "difference": pl.Float64,
    "deviation": pl.Float64,  # of the difference from question to question
    "detectable": pl.Float64,  # the true difference that the test of all pairs finds with a power of 0.8
}


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache) -> list[pl.DataFrame]:
    """Return NEEDED with OF_CAMPAIGN, and POWER.

    Differences are computed as shares, and multiplied by the measure's scale for the tables.
    """
    names, runs = of_compared(outcomes, cache)
    level = settings["level"]
    models = models_of(runs, outcomes, settings["seed"], campaign)
    numbers = components.questions_needed(*models, DIFFERENCES, level) if models else []
    nothing = "the runs do not clearly differ" if len(names) > 1 else "no two runs could be compared"
    needed = by_difference(numbers, outcomes, nothing).with_columns(
        n=pl.lit(judged(outcomes, outcomes.n), pl.Int64),
        required_difference=pl.lit(required(models, numbers, outcomes, level), pl.Float64),
    )
    power = power_of_pairs(names, runs, level, outcomes.measure.higher_is_better)
    differences = pl.col("difference", "required_difference") * outcomes.measure.scale
    return [typed(needed, NEEDED | OF_CAMPAIGN).with_columns(differences), power]


def of_compared(outcomes: Outcomes, cache: Cache = NOTHING) -> tuple[list[str], Compared]:
    """Return the names of the runs that are compared, and the runs, on all questions."""
    score, influence = pseudo_values.influence(outcomes)
    known = compared(outcomes, influence)
    alike = pseudo_values.counting(outcomes) is outcomes and len(score) <= PAIRED
    runs = tested(outcomes, cache) if alike else Compared(score[known], influence.only(known))
    return [run for run, some in zip(outcomes.runs, known, strict=True) if some], runs


def models_of(runs: Compared, outcomes: Outcomes, seed: int, campaign: str) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the models of the runs that are compared; None if they do not clearly differ."""
    return components.models(runs, outcomes.measure.scale, seed, campaign) if len(runs.score) > 1 else None


def summarise(files: list[Path], task: str, settings: Settings) -> list[pl.DataFrame]:
    """By measure: OF_CAMPAIGN, what the questions suffice for; NEEDED, the questions a difference needs; and POWER."""
    differences, power = (
        pl.concat(table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in by_measure(files, part).items())
        for part in ("questions_needed", "power")
    )
    enough = differences.select("measure", *OF_CAMPAIGN).unique(maintain_order=True).rename({"n": "questions"})
    return [enough, differences.drop(*OF_CAMPAIGN), power]


def by_difference(numbers: list[tuple[float, float, float]], outcomes: Outcomes, nothing: str) -> pl.DataFrame:
    """NEEDED, from components.questions_needed; if it gave nothing, `nothing` is the remark."""
    nothing = f"more than {judged(outcomes, components.FARTHEST):,}" if numbers else nothing
    rows = []
    for difference, ends in zip(DIFFERENCES, numbers or [(np.inf,) * 3] * len(DIFFERENCES), strict=True):
        questions = [judged(outcomes, number) if np.isfinite(number) else None for number in ends]
        rows.append((difference, *questions, nothing if questions[0] is None else ""))
    return pl.DataFrame(rows, NEEDED, orient="row")


def required(
    models: tuple[np.ndarray, np.ndarray] | None,
    numbers: list[tuple[float, float, float]],
    outcomes: Outcomes,
    level: float,
) -> float | None:
    """The smallest difference that the campaign's questions suffice for; None = none in the measure's range."""
    if not models:
        return None
    needed = {difference: number for difference, (number, *_) in zip(DIFFERENCES, numbers, strict=True)}
    low, high = intervals.range_of(outcomes)
    largest = max((high - low) / outcomes.measure.scale, 1)
    return components.required_difference(*models, needed, outcomes.n, level, largest)


def judged(outcomes: Outcomes, number: float) -> int:
    """A number of drawn questions or clusters as the number of questions that count, on average over the runs.

    If answers that nobody judged are excluded, fewer questions count than were asked. In an order, all are taken to
    count.
    """
    share = 1.0
    if "n" in outcomes.matrices and not tasks.get(outcomes.measure.task).pairs:
        n, weight = outcomes.matrices["n"], outcomes.matrices.get("weight")
        every = (outcomes.inside or outcomes).n if weight is None else weight.sum(dtype=np.float64) / len(weight)
        share = n.sum(dtype=np.float64) / len(n) / max(every, 1)
    return round(number * outcomes.per_unit * share)


def power_of_pairs(names: list[str], runs: Compared, level: float, higher_is_better: bool) -> pl.DataFrame:
    """POWER: a row for each leading pair whose difference varies, and for the pair of median variance.

    None where the questions are so few that no test could tell any two runs apart.
    """
    score, questions = runs.score, runs.questions
    if 2.0 ** (1 - questions) > level:
        return pl.DataFrame(schema=POWER)
    (x, y), variance = runs.pairs, runs.variance
    varying = np.flatnonzero(variance > 0)
    chosen = [
        ("leading", np.flatnonzero((x == min(pair)) & (y == max(pair)))[0])
        for pair in leading_pairs(score, higher_is_better)
    ]
    if len(varying):
        chosen.append(("median", varying[np.argsort(variance[varying], kind="stable")[(len(varying) - 1) // 2]]))
    rows = []
    for what, pair in chosen:
        if variance[pair] > 0:
            a, b = sorted((x[pair], y[pair]), key=lambda run: -score[run])
            deviation = np.sqrt(variance[pair])
            least = components.detectable(deviation, questions, level, len(names))
            rows.append((what, names[a], names[b], score[a] - score[b], deviation, least))
    return pl.DataFrame(rows, POWER, orient="row")
