"""Scores corrected for a judge's errors, where the official assessor judged only a part.

Both call a response right, wrong or unanswered. The responses that both judged are taken for a
random sample of all. They tell which shares of each of the judge's strata (right, wrong and
unanswered) are officially right, wrong and unanswered. Scores are post-stratified: the shares in a
stratum and the shares of the strata have Dirichlet distributions, and a measure is computed from
each draw. The prior in a stratum is 1/2 for right and 1/2 for the others together.
"""

import numpy as np
import polars as pl

from nonresponse import measures
from nonresponse.statistics.subsets import stream
from nonresponse.tasks import NOT_ASKED

SHARES = 4_000  # draws of the shares of right, wrong and unanswered
RIGHT, WRONG, UNANSWERED = range(3)
OUTCOMES = ("n_ac", "n_aw", "n_u")  # the counts that RIGHT, WRONG and UNANSWERED go into
# All but the first need abstention
SHARE_MEASURES = ("accuracy", "c@1", "f_simpleqa", "hallucination_rate", "answered")

CORRECTED = {
    "judge": pl.String,
    "run": pl.String,
    "measure": pl.String,
    "questions": pl.Int64,
    "twice": pl.Int64,  # responses that both the official assessor and the judge judged
    "others": pl.Int64,  # responses that the judge alone judged
    # By the judge's verdicts, on all that it judged; null = undefined, here and below
    "as_judged": pl.Float64,
    # By the official verdicts, on what both judged; with the ends of the interval, as below.
    **dict.fromkeys(("official", "official_lower", "official_upper"), pl.Float64),
    **dict.fromkeys(("corrected", "corrected_lower", "corrected_upper"), pl.Float64),
}


def is_partly_judged(cases: pl.DataFrame) -> bool:
    """Return whether the official assessor judged some, but not all, of what the judge judged."""
    official = cases.filter(pl.col("theirs") != "unscored")["ours"].unique().to_list()
    return "unscored" in official and len(official) > 1


def map_states(policy: dict) -> dict[str, int]:
    """Return RIGHT, WRONG or UNANSWERED by verdict, as the policy says for failures and partial."""
    states = {"correct": RIGHT, "wrong": WRONG, "unanswered": UNANSWERED}
    for verdict in ("partial", "error"):
        if (counted_as := policy.get(verdict, "wrong")) in states:
            states[verdict] = states[counted_as]
    return states


def count_certain(
    rows: pl.LazyFrame, judgeable: pl.LazyFrame, official: str, key: list[str]
) -> pl.DataFrame:
    """Return run, ours (the verdict) and responses: how many of them nobody had to judge.

    `rows` are the verdicts, `judgeable` those on responses that were to be judged.
    """
    certain = rows.filter(pl.col("assessor") == official).join(judgeable, on=key, how="anti")
    counts = certain.group_by("run", ours="verdict").agg(responses=pl.len().cast(pl.Int64))
    return counts.filter(pl.col("ours") != NOT_ASKED).sort("run", "ours").collect()


def correct_scores(
    cases: pl.DataFrame, certain: pl.DataFrame, policy: dict, level: float, task: str = "qa"
) -> pl.DataFrame:
    """Return CORRECTED, by judge, run and measure, from count_certain and judges.cross_verdicts.

    No rows for a run without a response that both judged, or without one that only the judge
    judged. Responses that the judge failed to judge are taken to be like the rest.
    """

    def state(column: str) -> pl.Expr:
        return pl.col(column).replace_strict(states, default=None, return_dtype=pl.Int64)

    states, rows = map_states(policy), []
    certain = certain.with_columns(never=state("ours")).drop_nulls("never")
    cases = cases.with_columns(by_judge=state("theirs"), officially=state("ours"))
    abstention = UNANSWERED in cases["officially"] or UNANSWERED in cases["by_judge"]
    computable = {*SHARE_MEASURES} <= {*measures.load_measures(task)}
    every_measure = computable and (abstention or UNANSWERED in certain["never"])
    ids = SHARE_MEASURES if every_measure else SHARE_MEASURES[:1]
    prior = np.array([0.5, 0.25, 0.25] if abstention else [0.5, 0.5, 0.0])
    for (judge, run), part in sorted(cases.partition_by("judge", "run", as_dict=True).items()):
        judge_rows = part.drop_nulls("by_judge")
        twice = count_states(judge_rows.drop_nulls("officially"), "by_judge", "officially")
        alone = count_states(judge_rows.filter(ours="unscored"), "by_judge")
        if not twice.any() or not alone.any():
            continue
        judgeable = int(part["responses"].sum())
        never = count_states(certain.filter(run=run), "never")
        row = {"judge": judge, "run": run, "questions": judgeable + never.sum()}
        row |= {"twice": twice.sum(), "others": alone.sum()}
        values = estimate_measures(twice, alone, judgeable, never, prior, ids, level)
        rows += [row | {"measure": id} | columns for id, columns in values.items()]
    return pl.DataFrame(rows, CORRECTED).with_columns(pl.selectors.float().fill_nan(None))


def count_states(rows: pl.DataFrame, *states: str) -> np.ndarray:
    """Return the number of responses by one state, (3,), or by two, (3, 3)."""
    number = np.zeros((3,) * len(states), np.int64)
    np.add.at(number, tuple(rows.select(states).to_numpy().T), rows["responses"].to_numpy())
    return number


def estimate_measures(
    twice: np.ndarray,
    alone: np.ndarray,
    judgeable: int,
    never: np.ndarray,
    prior: np.ndarray,
    ids: tuple[str, ...],
    level: float,
) -> dict[str, dict[str, float]]:
    """Return as_judged, official and corrected of one run, with their intervals, by measure.

    twice[i, j] are responses that the judge calls i and the official assessor j, alone[i] those
    that the judge alone judged and calls i; never[i] those that nobody had to judge and that are i;
    judgeable is the number of all others.
    """
    labels, gold = twice.sum(axis=1) + alone, twice.sum(axis=0, keepdims=True)
    columns: dict[str, dict[str, float]] = {id: {} for id in ids}
    for name, counts, strata in (
        ("as_judged", np.diag(labels), labels),  # as if the judge were always right
        ("official", gold, gold.sum(axis=1)),
        ("corrected", twice, labels),
    ):
        weights = np.concatenate([judgeable * strata / strata.sum(), never])
        empty = counts.sum(axis=1, keepdims=True) == 0
        estimate = mix_strata((weights / weights.sum())[None], (counts + prior * empty)[None])
        draws = estimate if name == "as_judged" else draw_shares(counts, weights, prior)
        for id in ids:
            [value], values, ends = evaluate(id, estimate), evaluate(id, draws), np.full(2, np.nan)
            if np.isfinite(value) and np.isfinite(values).any():
                ends = np.nanquantile(values, [level / 2, 1 - level / 2])
            columns[id][name] = float(value)
            if name != "as_judged":
                columns[id][f"{name}_lower"] = float(np.minimum(ends[0], value))
                columns[id][f"{name}_upper"] = float(np.maximum(ends[1], value))
    return columns


def mix_strata(weights: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the shares of right, wrong and unanswered in all responses (draws, 3), from those in
    each stratum (draws, strata, 3).

    weights (draws, strata + 3): the share of each stratum in all responses, then of those that
    nobody had to judge and that are right, wrong and unanswered.
    """
    shares = counts / counts.sum(axis=2, keepdims=True)
    return (weights[:, :-3, None] * shares).sum(axis=1) + weights[:, -3:]


def draw_shares(counts: np.ndarray, weights: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Return SHARES draws of the shares of right, wrong and unanswered; equal for equal counts."""
    draw = stream(0, "corrections", *np.ravel(counts), *np.round(weights, 6))
    states = draw.standard_gamma(counts + prior, (SHARES, *counts.shape))
    strata = draw.standard_gamma(np.where(weights > 0, weights + 0.5, 0), (SHARES, len(weights)))
    return mix_strata(strata / strata.sum(axis=1, keepdims=True), states)


def evaluate(id: str, shares: np.ndarray) -> np.ndarray:
    """Return a measure of shares of right, wrong and unanswered (draws, 3); NaN = undefined."""
    counts = dict(zip(OUTCOMES, shares.T, strict=True)) | {"n": np.ones(len(shares))}
    measure, nothing = measures.get("qa", id), np.zeros(len(shares))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = measure(**{name: counts.get(name, nothing) for name in measure.totals})
    return np.where(np.isfinite(values), values, np.nan)
