"""Scores corrected for a judge's errors, where the official assessor judged only a part.

Both call a response right, wrong, unanswered, or rightly unanswered where the data say that a
question has no answer. The responses that both judged are taken for a
random sample of all. They tell which shares of each of the judge's strata (right, wrong, …) are
officially right, wrong, …. Scores are post-stratified: the shares in a
stratum and the shares of the strata have Dirichlet distributions, and a measure is computed from
each draw. The prior in a stratum is 1/2 for right and 1/2 for the others together, over the root of
the number of strata: as much in each as in a single one would keep scores away from 0 and 1.
"""

import numpy as np
import polars as pl

from nonresponse import measures
from nonresponse.statistics import outcomes
from nonresponse.statistics.subsets import stream
from nonresponse.tasks import NOT_ASKED

FEWEST = 20  # responses, or questions, that the official assessor judged
SHARES = 4_000  # draws of the shares of right, wrong and unanswered
RIGHT, WRONG, UNANSWERED, RIGHTFUL = range(4)
# What `cases` call a rightful abstention, which the verdicts call correct
RIGHTFUL_VERDICT = "rightful"
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
    """Return the state by verdict, as the policy says for failures and partial."""
    states = {"correct": RIGHT, "wrong": WRONG, "unanswered": UNANSWERED}
    states[RIGHTFUL_VERDICT] = RIGHTFUL
    for verdict in ("partial", "error"):
        if (counted_as := policy.get(verdict, "wrong")) in states:
            states[verdict] = states[counted_as]
    return states


def name_verdicts(rows: pl.LazyFrame) -> pl.Expr:
    """Return the verdict, RIGHTFUL_VERDICT of a rightful abstention."""
    verdict = pl.col("verdict").cast(pl.String)
    if "rightful" not in rows.collect_schema():
        return verdict
    return pl.when("rightful").then(pl.lit(RIGHTFUL_VERDICT)).otherwise(verdict)


def count_certain(
    rows: pl.LazyFrame, judgeable: pl.LazyFrame, official: str, key: list[str]
) -> pl.DataFrame:
    """Return run, ours (the verdict) and responses: how many of them nobody had to judge.

    `rows` are the verdicts, `judgeable` those on responses that were to be judged.
    """
    certain = rows.filter(pl.col("assessor") == official).join(judgeable, on=key, how="anti")
    counts = certain.group_by("run", ours=name_verdicts(rows)).agg(
        responses=pl.len().cast(pl.Int64)
    )
    return counts.filter(pl.col("ours") != NOT_ASKED).sort("run", "ours").collect()


def correct_scores(
    cases: pl.DataFrame, certain: pl.DataFrame, policy: dict, level: float, task: str = "qa"
) -> pl.DataFrame:
    """Return CORRECTED, by judge, run and measure, from count_certain and judges.cross_verdicts.

    No rows for a run with fewer than FEWEST responses that both judged, or without one that only
    the judge judged. Responses that the judge failed to judge are taken to be like the rest.
    """

    def state(column: str) -> pl.Expr:
        return pl.col(column).replace_strict(states, default=None, return_dtype=pl.Int64)

    states, rows = map_states(policy), []
    certain = certain.with_columns(never=state("ours")).drop_nulls("never")
    cases = cases.with_columns(by_judge=state("theirs"), officially=state("ours"))
    judged, never_judged = {*cases["officially"], *cases["by_judge"]}, {*certain["never"]}
    occurring = judged | never_judged
    computable = {*SHARE_MEASURES} <= {*measures.load_measures(task)}
    every_measure = computable and bool(occurring & {UNANSWERED, RIGHTFUL})
    ids = SHARE_MEASURES if every_measure else SHARE_MEASURES[:1]
    number = 4 if RIGHTFUL in occurring else 3  # of states
    is_possible = np.array([state == WRONG or state in judged for state in range(1, number)])
    prior = np.append(0.5, 0.5 * is_possible / is_possible.sum())
    for (judge, run), part in sorted(cases.partition_by("judge", "run", as_dict=True).items()):
        judge_rows = part.drop_nulls("by_judge")
        judged_twice = judge_rows.drop_nulls("officially")
        twice = count_states(judged_twice, number, "by_judge", "officially")
        alone = count_states(judge_rows.filter(ours="unscored"), number, "by_judge")
        if twice.sum() < FEWEST or not alone.any():
            continue
        judgeable = int(part["responses"].sum())
        never = count_states(certain.filter(run=run), number, "never")
        row = {"judge": judge, "run": run, "questions": judgeable + never.sum()}
        row |= {"twice": twice.sum(), "others": alone.sum()}
        values = estimate_measures(twice, alone, judgeable, never, prior, ids, level)
        rows += [row | {"measure": id} | columns for id, columns in values.items()]
    return pl.DataFrame(rows, CORRECTED).with_columns(pl.selectors.float().fill_nan(None))


def count_states(rows: pl.DataFrame, number: int, *columns: str) -> np.ndarray:
    """Return the number of responses by the state in one column, (number,), or by those in two,
    (number, number)."""
    counts = np.zeros((number,) * len(columns), np.int64)
    np.add.at(counts, tuple(rows.select(columns).to_numpy().T), rows["responses"].to_numpy())
    return counts


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
    """Return the share of each state in all responses (draws, states), from those in each stratum
    (draws, strata, states).

    weights (draws, strata + states): the share of each stratum in all responses, then of those that
    nobody had to judge and that are in each state.
    """
    shares, strata = counts / counts.sum(axis=2, keepdims=True), counts.shape[1]
    return (weights[:, :strata, None] * shares).sum(axis=1) + weights[:, strata:]


def draw_shares(counts: np.ndarray, weights: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Return SHARES draws of the shares of states; equal for equal counts."""
    draw = stream(0, "corrections", *np.ravel(counts), *np.round(weights, 6))
    prior = prior / np.sqrt(np.count_nonzero(weights[: len(counts)]))
    states = draw.standard_gamma(counts + prior, (SHARES, *counts.shape))
    strata = draw.standard_gamma(np.where(weights > 0, weights + 0.5, 0), (SHARES, len(weights)))
    return mix_strata(strata / strata.sum(axis=1, keepdims=True), states)


def evaluate(id: str, shares: np.ndarray) -> np.ndarray:
    """Return a measure of shares of states (draws, states); NaN = undefined."""
    measure, nothing = measures.get("qa", id), np.zeros(len(shares))
    right, wrong, unanswered, rightful = (*shares.T, nothing)[:4]
    counts = {"n_ac": right + rightful, "n_aw": wrong, "n_u": unanswered}
    counts |= {"n_rightful": rightful, "n": np.ones(len(shares))}
    return outcomes.evaluate(measure, dict.fromkeys(measure.totals, nothing) | counts)
