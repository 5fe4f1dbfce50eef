"""Scores corrected for a judge's errors, where the official assessor judged part of the responses and the judge more.

Both corrections are of a share: how many of a run's responses are correct. They take the responses that were judged
twice for a random sample of all. Intervals are normal, at confidence 1 - level.
"""

from pathlib import Path
from statistics import NormalDist

import numpy as np
import polars as pl

from nonresponse.reliability.subsets import stream
from nonresponse.tasks import NOT_ASKED

Interval = tuple[float, float, float]  # estimate, lower and upper end
DRAWS = 9_999

CORRECTED = {
    "judge": pl.String,
    "run": pl.String,
    "questions": pl.Int64,
    "twice": pl.Int64,  # responses that the official assessor judged, and the judge
    "others": pl.Int64,  # that the judge alone judged
    "as_judged": pl.Float64,  # accuracy by the judge, of all that it judged; so are all that follow
    # By the official assessor alone, on what both judged, with the ends of the interval, as of the other estimates.
    **dict.fromkeys(("official", "official_lower", "official_upper"), pl.Float64),
    **dict.fromkeys(("ppi", "ppi_lower", "ppi_upper"), pl.Float64),  # prediction-powered (PPI++)
    "ppi_weight": pl.Float64,  # that it gives to the judge, 0 to 1
    # By the judge's errors on this run; null = none, or the judge is no better than chance.
    **dict.fromkeys(("rogan_gladen", "rogan_gladen_lower", "rogan_gladen_upper"), pl.Float64),
    # The same by its errors on all runs; null where these differ between them, too.
    **dict.fromkeys(("pooled", "pooled_lower", "pooled_upper"), pl.Float64),
}
PREFIXES = ("official", "ppi", "rogan_gladen", "pooled")  # of estimates with an interval

DIFFERS = {
    "sensitivity_p": pl.Float64,  # p-value of one sensitivity on all runs; null = of fewer than two runs known
    "specificity_p": pl.Float64,
}


def differences(cases: pl.DataFrame, judge: str, seed: int) -> dict[str, float | None]:
    """DIFFERS, from the rows of judges.crossed of one judge."""
    both = twice_judged(cases)
    if both.is_empty():
        return dict.fromkeys(DIFFERS)
    of_runs = np.array([squares(rows) for _, rows in sorted(both.partition_by("run", as_dict=True).items())])
    draw = stream(seed, "judges", "errors", judge)
    p = [differs(of_runs[:, i, i], of_runs[:, i].sum(axis=1), draw) for i in (1, 0)]
    return dict(zip(DIFFERS, p, strict=True))


def twice_judged(cases: pl.DataFrame) -> pl.DataFrame:
    """The rows of what both assessors judged."""
    return cases.filter(pl.col("theirs") != "unscored", pl.col("ours") != "unscored")


def squares(known: pl.DataFrame) -> np.ndarray:
    """[i, j] = how many responses are officially correct (i = 1) or not (0), and by the judge (j)."""
    number = np.zeros((2, 2), np.int64)
    correct = known.select((pl.col("ours", "theirs") == "correct").cast(pl.Int8), "responses").to_numpy().T
    np.add.at(number, (correct[0], correct[1]), correct[2])
    return number


def questions_of(verdicts: Path, official: str) -> dict[str, int]:
    """How many questions each run was asked, of those that runs are compared on; samples of a question count each."""
    asked = pl.col("compared") & (pl.col("verdict") != NOT_ASKED)
    rows = pl.scan_parquet(verdicts).filter(asked & (pl.col("assessor") == official))
    return dict(rows.group_by("run").agg(pl.len()).collect().rows())


def corrected_scores(cases: pl.DataFrame, official: str, questions: dict[str, int], level: float) -> pl.DataFrame:
    """CORRECTED, by judge and run, from judges.crossed; no rows where there is nothing to correct.

    Accuracy is the share of correct ones among the responses that were to be judged, times these over the questions:
    what nobody had to judge is not correct, and what the judge failed to judge is taken to be like the rest.
    """
    rows = []
    for (judge,), own in sorted(cases.filter(pl.col("judge") != official).partition_by("judge", as_dict=True).items()):
        every = squares(twice_judged(own))
        for (run,), of_run in sorted(own.partition_by("run", as_dict=True).items()):
            both = squares(twice_judged(of_run))
            alone = of_run.filter(pl.col("theirs") != "unscored", pl.col("ours") == "unscored")
            others = int(alone["responses"].sum())
            if both.sum() and others:
                right = int(alone.filter(pl.col("theirs") == "correct")["responses"].sum())
                share = int(of_run["responses"].sum()) / questions[run]
                known = {"judge": judge, "run": run, "questions": questions[run]}
                known |= {"twice": int(both.sum()), "others": others}
                rows.append(known | estimates(both, every, others, right, level, share))
    return pl.DataFrame(rows, CORRECTED)


def estimates(both: np.ndarray, every: np.ndarray, others: int, right: int, level: float, share: float) -> dict:
    """The estimates of one run, times the share of its questions that has a response to judge.

    `both` are the squares of the run, `every` those of all; of `others`, which the judge alone judged, it calls `right`
    correct.
    """
    as_judged = (both[:, 1].sum() + right) / (both.sum() + others)
    alone, _ = prediction_powered(both, others, right, level, 0.0)
    ppi, weight = prediction_powered(both, others, right, level)
    own, pooled = (by_errors(squares, others, right, level) for squares in (both, every))
    row = {"as_judged": as_judged * share, "ppi_weight": weight}
    for name, interval in zip(PREFIXES, (alone, ppi, own, pooled), strict=True):
        for end, value in zip(("", "_lower", "_upper"), interval or (None,) * 3, strict=True):
            row[f"{name}{end}"] = None if value is None else cut(value) * share
    return row


def by_errors(both: np.ndarray, others: int, right: int, level: float) -> Interval | None:
    """rogan_gladen with the errors of these squares; None where nothing is officially correct, or all is."""
    wrong, correct = both.sum(axis=1)
    if not wrong or not correct:
        return None
    q0, q1 = both[0, 0] / wrong, both[1, 1] / correct
    return rogan_gladen(right / others, others, q0, int(wrong), q1, int(correct), level)


def unequal(judges: pl.DataFrame, level: float) -> list[str]:
    """The judges whose errors differ between runs beyond chance, from the table of judges."""
    differs = (pl.col("sensitivity_p") <= level) | (pl.col("specificity_p") <= level)
    return judges.filter(differs)["judge"].to_list()


def without_pooled(scores: pl.DataFrame, judges: pl.DataFrame, level: float) -> pl.DataFrame:
    """CORRECTED without scores by the errors of all runs, of judges whose errors differ between them."""
    misleading = pl.col("judge").is_in(unequal(judges, level))
    pooled = pl.col("pooled", "pooled_lower", "pooled_upper")
    return scores.with_columns(pl.when(~misleading).then(pooled))


def quantile(level: float) -> float:
    """Of the standard normal distribution, two-sided."""
    return NormalDist().inv_cdf(1 - level / 2)


def rogan_gladen(p: float, n: float, q0: float, m0: float, q1: float, m1: float, level: float) -> Interval | None:
    """The share of correct responses behind the share p that a judge calls so, of n (Rogan & Gladen 1978).

    q0 is its specificity, found on m0 responses, q1 its sensitivity, on m1 others. (p + q0 - 1) / (q0 + q1 - 1), cut to
    [0, 1], with the interval of Lee et al. 2025 (arXiv 2511.21140): p, q0 and q1 are smoothed, and the middle moved.
    None where q0 + q1 is 1 or less, of a judge no better than chance: what it says has no bearing on what is right.
    """
    if q0 + q1 <= 1:
        return None
    z = quantile(level)
    estimate = (p + q0 - 1) / (q0 + q1 - 1)
    p, n = (n * p + z**2 / 2) / (n + z**2), n + z**2
    q0, m0 = (m0 * q0 + 1) / (m0 + 2), m0 + 2
    q1, m1 = (m1 * q1 + 1) / (m1 + 2), m1 + 2
    if q0 + q1 <= 1:
        return None
    theta = (p + q0 - 1) / (q0 + q1 - 1)
    of_q0, of_q1 = q0 * (1 - q0) / m0, q1 * (1 - q1) / m1
    reach = z * np.sqrt(p * (1 - p) / n + (1 - theta) ** 2 * of_q0 + theta**2 * of_q1) / (q0 + q1 - 1)
    middle = theta + 2 * z**2 * (theta * of_q1 - (1 - theta) * of_q0)
    return cut(estimate), cut(middle - reach), cut(middle + reach)


def cut(share: float) -> float:
    """To [0, 1]."""
    return float(min(max(share, 0.0), 1.0))


def prediction_powered(
    both: np.ndarray, judged: int, called: int, level: float, weight: float | None = None
) -> tuple[Interval, float]:
    """The share of correct responses by prediction-powered inference, with its ends; and the weight of the judge.

    both[i, j] is how many responses the official assessor calls correct (i = 1) or not (0), and the judge (j) too; of
    `judged` others the judge calls `called` correct. PPI++ (Angelopoulos et al. 2023, arXiv 2311.01453) chooses the
    weight, between 0 (the official judgments alone) and 1 (PPI: arXiv 2301.09633), that makes the interval shortest.
    """
    n = both.sum()
    y, f, unseen = both[1].sum() / n, both[:, 1].sum() / n, called / judged
    if weight is None:
        every = (both[:, 1].sum() + called) / (n + judged)
        spread = every * (1 - every) * (n + judged) / (n + judged - 1)
        weight = cut((both[1, 1] / n - y * f) / ((1 + n / judged) * spread)) if spread else 0.0
    estimate = y + weight * (unseen - f)
    # Of y - weight * f, which is i - weight * j in both[i, j].
    difference = np.array([[0.0, -weight], [1.0, 1.0 - weight]])
    rectifier = (both * difference**2).sum() / n - ((both * difference).sum() / n) ** 2
    reach = quantile(level) * np.sqrt(weight**2 * unseen * (1 - unseen) / judged + max(rectifier, 0.0) / n)
    return (float(estimate), float(estimate - reach), float(estimate + reach)), float(weight)


def differs(called: np.ndarray, judged: np.ndarray, draw: np.random.Generator) -> float | None:
    """The p-value of called / judged being one share for all runs, both arrays over the runs; None = fewer than two.

    By Pearson's chi-square over random draws that keep both totals. Runs that meet the same hard questions are more
    alike than it assumes: the p-value is then too large.
    """
    called, judged = called[judged > 0].astype(np.int64), judged[judged > 0].astype(np.int64)
    if len(judged) < 2:
        return None
    share = called.sum() / judged.sum()
    drawn = draw.multivariate_hypergeometric(judged, int(called.sum()), DRAWS, method="marginals")

    def apart(number: np.ndarray) -> np.ndarray:
        """Chi-square but for a factor that all draws share."""
        return ((number - judged * share) ** 2 / judged).sum(axis=-1)

    return float(1 + (apart(drawn) >= apart(called) - 1e-9).sum()) / (DRAWS + 1)
