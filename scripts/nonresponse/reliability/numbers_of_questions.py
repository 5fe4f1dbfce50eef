"""How many questions a difference takes, and what the campaign's own can tell, as tables."""

import numpy as np
import polars as pl

from nonresponse.reliability import components, error_curves, pseudo_values, sign_flips
from nonresponse.reliability.comparisons import compared
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.rank_positions import leading_pairs
from nonresponse.tables import typed

DIFFERENCES = [step / 100 for step in range(1, 16)]

NEEDED = {
    "difference": pl.Float64,
    "questions": pl.Int64,  # null = no answer; the remark says why
    "lower": pl.Int64,  # of the 95 % range
    "upper": pl.Int64,  # null = more than a million, where there is an answer
    "remark": pl.String,
    "voorhees_questions": pl.Int64,
    "voorhees_lower": pl.Int64,
    "voorhees_upper": pl.Int64,
    "voorhees_remark": pl.String,
}
OF_CAMPAIGN = {  # the same in every row
    "n": pl.Int64,
    "required_difference": pl.Float64,  # null = none below 1
    "voorhees_required_difference": pl.Float64,
    "voorhees_error_rate": pl.Float64,  # at that difference and n questions
}
ENOUGH = {"questions": pl.Int64, **OF_CAMPAIGN}
EXPECTED = {"difference": pl.Float64, "size": pl.Int64, "swap_rate": pl.Float64}
SIZES = 60  # in EXPECTED, at even steps up to the number of questions
POWER = {
    "pair": pl.String,  # leading, or median: that whose difference has the median variance
    "a": pl.String,  # the higher score of the two comes first
    "b": pl.String,
    "difference": pl.Float64,
    "deviation": pl.Float64,  # of the difference from question to question
    "detectable": pl.Float64,  # the true difference that the paired test finds with a power of 0.8
    "power": pl.Float64,  # of the paired test, were the difference seen the true one; null where there is none
}


def tables(outcomes: Outcomes, campaign: str, settings: dict, swaps: pl.DataFrame) -> list[pl.DataFrame]:
    """The table of error_curves, NEEDED with OF_CAMPAIGN, EXPECTED and POWER; swaps as error_curves takes them."""
    score, psi = pseudo_values.scored(outcomes)
    known = compared(psi)
    models = components.models(score[known], psi[known], settings["seed"], campaign) if known.sum() > 1 else None
    fits, level = error_curves.fit(swaps), settings["level"]
    n = outcomes.asked
    curves = error_curves.table(swaps, fits, n)
    found = needed(models, outcomes, level) if known.sum() > 1 else unanswered("no two runs could be compared")
    extrapolated = error_curves.questions_needed(fits, DIFFERENCES, level, n).drop("difference")
    extrapolated = extrapolated.rename(lambda name: f"voorhees_{name}")
    required = error_curves.required_difference(fits, n, level)
    at_n = curves.filter(pl.col("comparisons").is_null() & pl.col("lower").eq_missing(required))
    constant = {"voorhees_required_difference": required, "voorhees_error_rate": at_n["fitted"].max()}
    constant = {"n": n, "required_difference": found.pop("required_difference"), **constant}
    rows = pl.concat([pl.DataFrame(found), extrapolated], how="horizontal")
    rows = rows.with_columns(pl.lit(value, OF_CAMPAIGN[name]).alias(name) for name, value in constant.items())
    better = outcomes.measure.higher_is_better
    names = [run for run, is_known in zip(outcomes.runs, known, strict=True) if is_known]
    power = of_pairs(names, score[known], psi[known], level, better)
    rows = typed(rows, NEEDED | OF_CAMPAIGN)
    return [curves, rows, expected(models, outcomes), power]


def needed(models: tuple[np.ndarray, np.ndarray] | None, outcomes: Outcomes, level: float) -> dict:
    """difference, questions, lower, upper and remark, a value per difference, and required_difference."""
    if models is None:
        return unanswered("the runs do not differ measurably")
    found = components.questions_needed(*models, DIFFERENCES, level)
    questions, lower, upper = (
        [outcomes.in_questions(number) if np.isfinite(number) else None for number in part]
        for part in zip(*found, strict=True)
    )
    most = f"more than {outcomes.in_questions(components.FARTHEST):,}"
    remark = ["" if number is not None else most for number in questions]
    columns = {"difference": DIFFERENCES, "questions": questions, "lower": lower, "upper": upper, "remark": remark}
    return columns | {"required_difference": components.required_difference(*models, outcomes.n, level)}


def unanswered(remark: str) -> dict:
    """The same where there is no answer."""
    nothing = dict.fromkeys(("questions", "lower", "upper"), [None] * len(DIFFERENCES))
    remarks = {"remark": [remark] * len(DIFFERENCES), "required_difference": None}
    return {"difference": DIFFERENCES, **nothing, **remarks}


def expected(models: tuple[np.ndarray, np.ndarray] | None, outcomes: Outcomes) -> pl.DataFrame:
    """EXPECTED: the swap rate of each difference by components of variance, up to all questions; else no rows."""
    if models is None:
        return pl.DataFrame(schema=EXPECTED)
    between, variance = models
    sizes = np.unique(np.linspace(1, outcomes.n, SIZES).round().astype(np.int64))
    alike = np.broadcast_to(between[:1], len(sizes)), np.broadcast_to(variance[:1], (len(sizes), variance.shape[1]))
    rates = [components.swap_rate(sizes, difference, *alike) for difference in DIFFERENCES]
    asked = [outcomes.in_questions(size) for size in sizes]
    columns = np.repeat(DIFFERENCES, len(sizes)), np.tile(asked, len(DIFFERENCES)), np.concatenate(rates)
    return pl.DataFrame(dict(zip(EXPECTED, columns, strict=True)), EXPECTED)


def of_pairs(runs: list[str], score: np.ndarray, psi: np.ndarray, level: float, higher_is_better: bool) -> pl.DataFrame:
    """POWER: a row for each leading pair whose difference varies, and for the pair of median variance.

    None where the questions are so few that no test could tell any two runs apart.
    """
    questions = psi.shape[1]
    if 2.0 ** (1 - questions) > level:
        return pl.DataFrame(schema=POWER)
    x, y = np.triu_indices(len(runs), 1)
    variance = pseudo_values.variances(psi)
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
            gap, deviation = score[a] - score[b], np.sqrt(variance[pair])
            least = components.detectable(deviation, questions, level)
            power = components.power(gap, deviation, questions, level) if gap > sign_flips.SAME else None
            rows.append((what, runs[a], runs[b], gap, deviation, least, power))
    return pl.DataFrame(rows, POWER, orient="row")
