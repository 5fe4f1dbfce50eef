"""Scores corrected for a judge's errors, where the official assessor judged part of the responses
and the judge more.

Both call a response right, wrong, or silent (no answer). The responses that both judged tell which
shares of those that the judge calls right are officially right, wrong and silent; likewise for
those that it calls wrong, and silent. Scores are post-stratified: in each stratum the shares have a
Dirichlet distribution (the prior is 1/2 for right and 1/2 for the others together, Jeffreys' prior
if there are two), and so have the shares of the strata, the responses that the judge calls right,
wrong and silent; a measure is computed from each draw. The responses that both judged are taken for
a random sample of all.
"""

from collections.abc import Iterable

import numpy as np
import polars as pl

from nonresponse import measures
from nonresponse.statistics.subsets import stream
from nonresponse.tasks import NOT_ASKED

DRAWS = 9_999
SHARES = 4_000  # draws of the shares of right, wrong and silent
RIGHT, WRONG, SILENT = range(3)
OUTCOMES = {RIGHT: "n_ac", WRONG: "n_aw", SILENT: "n_u"}  # the count that each goes into
# All but the first need abstention
OF_SHARES = ("accuracy", "c@1", "f_simpleqa", "hallucination_rate", "answered")

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

DIFFERS = {
    # p-value of the same sensitivity on all runs; null = known of fewer than two runs
    "sensitivity_p": pl.Float64,
    "specificity_p": pl.Float64,  # likewise
}


def differences(cases: pl.DataFrame, judge: str, seed: int) -> dict[str, float | None]:
    """DIFFERS, from the rows of judges.crossed of one judge."""
    both: dict[str, list[tuple[str, str, int]]] = {}
    for run, *case in (
        twice_judged(cases).select("run", "theirs", "ours", "responses").sort("run").iter_rows()
    ):
        both.setdefault(run, []).append(tuple(case))
    if not both:
        return dict.fromkeys(DIFFERS)
    of_runs = np.array([squares(rows) for rows in both.values()])
    draw = stream(seed, "judges", "errors", judge)
    p = [differs(of_runs[:, i, i], of_runs[:, i].sum(axis=1), draw) for i in (1, 0)]
    return dict(zip(DIFFERS, p, strict=True))


def twice_judged(cases: pl.DataFrame) -> pl.DataFrame:
    """The rows of what both assessors judged."""
    return cases.filter(pl.col("theirs") != "unscored", pl.col("ours") != "unscored")


def in_part(cases: pl.DataFrame) -> bool:
    """Whether the official assessor judged some, but not all, of the responses that the judge of
    these cases judged."""
    theirs = cases.filter(pl.col("theirs") != "unscored")
    return not twice_judged(cases).is_empty() and "unscored" in theirs["ours"]


def squares(known: Iterable[tuple[str, str, int]]) -> np.ndarray:
    """[i, j] = the number of responses that are correct (1) or not (0), officially (i) and by the
    judge (j).

    known: the verdict of the judge and the official one, and how many responses have these.
    """
    number = np.zeros((2, 2), np.int64)
    for theirs, ours, responses in known:
        number[int(ours == "correct"), int(theirs == "correct")] += responses
    return number


def state_of(policy: dict) -> dict[str, int]:
    """RIGHT, WRONG or SILENT for each verdict that counts; for failures and partly right answers as
    the policy says."""
    known = {"correct": RIGHT, "wrong": WRONG, "unanswered": SILENT}
    return known | {
        word: known[policy[word]]
        for word in ("partial", "error")
        if policy.get(word, "wrong") in known
    }


def certain_of(
    rows: pl.LazyFrame, judged: pl.LazyFrame, official: str, key: list[str]
) -> pl.DataFrame:
    """run, ours and responses: how many responses of each run nobody had to judge, by their
    verdict.

    `rows` are the verdicts, `judged` those on responses that were to be judged.
    """
    never = rows.filter(pl.col("assessor") == official).join(judged, on=key, how="anti")
    counted = (
        never.rename({"verdict": "ours"})
        .group_by("run", "ours")
        .agg(responses=pl.len().cast(pl.Int64))
    )
    return counted.filter(pl.col("ours") != NOT_ASKED).sort("run", "ours").collect()


def corrected_scores(
    cases: pl.DataFrame, certain: pl.DataFrame, policy: dict, level: float, task: str = "qa"
) -> pl.DataFrame:
    """CORRECTED, by judge, run and measure, from certain_of and judges.crossed without the official
    assessor.

    No rows for a run without a response that both judged, or without one that only the judge
    judged. Responses that the judge failed to judge are taken to be like the rest.
    """
    rows, states = [], state_of(policy)
    certain = certain.with_columns(
        state=pl.col("ours").replace_strict(states, default=None, return_dtype=pl.Int64)
    )
    cases = cases.with_columns(
        pl.col(one)
        .replace_strict(states, default=None, return_dtype=pl.Int64)
        .alias(f"{one}_state")
        for one in ("theirs", "ours")
    )
    abstention = SILENT in cases["ours_state"] or SILENT in cases["theirs_state"]
    in_three = {*OF_SHARES} <= {*measures.of_task(task)}
    chosen = OF_SHARES if in_three and (abstention or SILENT in certain["state"]) else OF_SHARES[:1]
    prior = np.array([0.5, 0.25, 0.25] if abstention else [0.5, 0.5, 0.0])
    for (judge,), own in sorted(cases.partition_by("judge", as_dict=True).items()):
        for (run,), of_run in sorted(own.partition_by("run", as_dict=True).items()):
            known = of_run.drop_nulls("theirs_state")
            both, alone = np.zeros((3, 3), np.int64), np.zeros(3, np.int64)
            gold, others = (
                known.drop_nulls("ours_state"),
                known.filter(pl.col("ours") == "unscored"),
            )
            np.add.at(
                both,
                tuple(gold.select("theirs_state", "ours_state").to_numpy().T),
                gold["responses"].to_numpy(),
            )
            np.add.at(alone, others["theirs_state"].to_numpy(), others["responses"].to_numpy())
            if not both.sum() or not alone.sum():
                continue
            never = np.zeros(3, np.int64)
            settled = certain.filter(pl.col("run") == run).drop_nulls("state")
            np.add.at(never, settled["state"].to_numpy(), settled["responses"].to_numpy())
            to_judge = int(of_run["responses"].sum())
            named = {"judge": judge, "run": run, "questions": to_judge + int(never.sum())}
            named |= {"twice": int(both.sum()), "others": int(alone.sum())}
            found = estimates(both, alone, to_judge, never, prior, chosen, level)
            rows += [named | {"measure": id} | values for id, values in found.items()]
    return pl.DataFrame(rows, CORRECTED)


def estimates(
    both: np.ndarray,
    alone: np.ndarray,
    to_judge: int,
    never: np.ndarray,
    prior: np.ndarray,
    ids: tuple,
    level: float,
) -> dict[str, dict]:
    """as_judged, official and corrected of one run, with the ends of their intervals, by measure.

    both[i, j] are responses that the judge calls i and the official assessor j, alone[i] those that
    the judge alone judged and calls i; never[i] those that nobody had to judge and that are i;
    to_judge is the number of all others.
    """
    called = both.sum(axis=1) + alone
    judged = np.diag(called).astype(float)  # as if the judge were always right
    gold = both.sum(axis=0, keepdims=True)
    ways = {
        "as_judged": (judged, called),
        "official": (gold, gold.sum(axis=1)),
        "corrected": (both, called),
    }
    found: dict[str, dict] = {id: {} for id in ids}
    for way, (seen, strata) in ways.items():
        weights = np.concatenate([to_judge * strata / strata.sum(), never])
        at = mixed(
            weights / weights.sum(), (seen + prior * (seen.sum(axis=1, keepdims=True) == 0))[None]
        )
        draws = drawn(seen, weights, prior) if way != "as_judged" else at
        for id in ids:
            value, of_draws = (valued(id, shares) for shares in (at, draws))
            found[id][way] = None if np.isnan(value[0]) else float(value[0])
            if way != "as_judged":
                low, high = (
                    np.nanquantile(of_draws, [level / 2, 1 - level / 2])
                    if np.isfinite(of_draws).any()
                    else (np.nan,) * 2
                )
                ends = {"lower": np.fmin(low, value[0]), "upper": np.fmax(high, value[0])}
                found[id] |= {
                    f"{way}_{end}": None if found[id][way] is None else float(it)
                    for end, it in ends.items()
                }
    return found


def mixed(weights: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The shares of right, wrong and silent in all responses (draws, 3), from those in each stratum
    (draws, strata, 3).

    weights (strata + 3,) or (draws, strata + 3): the share of each stratum in all responses, then
    of those that nobody had to judge and that are right, wrong and silent.
    """
    weights = np.atleast_2d(weights)
    shares = seen / seen.sum(axis=2, keepdims=True)
    return (
        np.einsum(
            "ds,dsk->dk",
            weights[:, :-3],
            np.broadcast_to(shares, (len(weights), *shares.shape[1:])),
        )
        + weights[:, -3:]
    )


def drawn(seen: np.ndarray, weights: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """SHARES draws of the shares of right, wrong and silent. Runs with equal counts have equal
    draws."""
    draw = stream(0, "corrections", *np.ravel(seen), *np.round(weights, 6))
    of_states = draw.standard_gamma(seen + prior, (SHARES, *seen.shape))
    of_strata = draw.standard_gamma(np.where(weights > 0, weights + 0.5, 0), (SHARES, len(weights)))
    return mixed(of_strata / of_strata.sum(axis=1, keepdims=True), of_states)


def valued(id: str, shares: np.ndarray) -> np.ndarray:
    """A measure of shares of right, wrong and silent (draws, 3); NaN = undefined."""
    measure = measures.get("qa", id)
    counts = {name: shares[:, state] for state, name in OUTCOMES.items()} | {
        "n": np.ones(len(shares))
    }
    with np.errstate(invalid="ignore", divide="ignore"):
        values = measure(
            **{name: counts.get(name, np.zeros(len(shares))) for name in measure.totals}
        )
    return np.where(np.isfinite(values), values, np.nan)


def unequal(judges: pl.DataFrame, level: float) -> list[str]:
    """The judges whose errors differ between runs beyond chance, from the table of judges."""
    differs = (pl.col("sensitivity_p") <= level) | (pl.col("specificity_p") <= level)
    return judges.filter(differs)["judge"].to_list()


def differs(called: np.ndarray, judged: np.ndarray, draw: np.random.Generator) -> float | None:
    """The p-value of the hypothesis that called / judged, (runs,) each, is equal in all runs; None
    = fewer than two.

    By Pearson's chi-square, over random draws that keep both totals. Runs that were asked the same
    hard questions are more alike than the test assumes: the p-value is then too large.
    """
    called, judged = called[judged > 0].astype(np.int64), judged[judged > 0].astype(np.int64)
    if len(judged) < 2:
        return None
    share = called.sum() / judged.sum()
    drawn = draw.multivariate_hypergeometric(judged, int(called.sum()), DRAWS, method="marginals")

    def apart(number: np.ndarray) -> np.ndarray:
        """Chi-square up to a factor that all draws share."""
        return ((number - judged * share) ** 2 / judged).sum(axis=-1)

    return float(1 + (apart(drawn) >= apart(called) - 1e-9).sum()) / (DRAWS + 1)
