"""Estimates of P(C | not answered) beside what the withheld candidates show (Peñas & Rodrigo 2011,
sections 2.2 and 3).

A measure that credits unanswered questions assumes that some share of them would have been right.
Where runs submit the candidates that they withheld, and these are judged, this rate can be
observed.
"""

import polars as pl

from nonresponse import tables
from nonresponse.settings import Settings
from nonresponse.statistics import rankings
from nonresponse.statistics.analyses import Inputs

# The share of unanswered questions that a measure assumes would be right, by its name, in the order
# of Peñas & Rodrigo 2011, sections 2.2 and 3.1 to 3.5.
RATES = {
    "c@1": "n_ac / n",
    "accuracy": "0",
    "optimistic": "1",
    "uf_half": "1/2",
    "precision_answered": "n_ac / (n_ac + n_aw)",
    "wrong_rate": "n_aw / (n_ac + n_aw)",
}
# Of equally near ones, the first is named
PREFERRED = ("accuracy", "uf_half", "optimistic", "c@1", "precision_answered", "wrong_rate")
ESTIMATES = {name: pl.sql_expr(RATES[name]).cast(pl.Float64) for name in PREFERRED}
FEWEST = 100  # candidates of a run: with fewer, chance decides which estimate is the nearest
RUNS = {
    "run": pl.String,
    # Whole numbers, here and below, or means where questions were asked several times
    "unanswered": pl.Float64,
    "candidates": pl.Float64,  # withheld, and judged
    "observed": pl.Float64,  # the share of these that is right
    **dict.fromkeys(ESTIMATES, pl.Float64),  # null where nothing was answered
    # The estimate nearest to the observed rate, or the first such; null below FEWEST candidates
    "nearest": pl.String,
    "score": pl.Float64,  # with the observed rate: n_ac/n + observed n_u/n
}
SUMMARY = {
    "estimate": pl.String,  # the name of the measure
    "runs": pl.Int64,  # that have the estimate
    "rate": pl.Float64,  # its mean over these runs
    "observed": pl.Float64,  # the mean of the observed rates of the same runs
    "distance": pl.Float64,  # mean absolute difference of the two
    # Runs with FEWEST candidates or more to whose observed rate this estimate is the nearest
    "nearest": pl.Int64,
    "score": pl.Float64,  # the mean of the measure
    "excess": pl.Float64,  # score less the mean score with the observed rates
    # Kendall's, of the rankings by the measure and with the observed rates; null if one ties all
    "tau": pl.Float64,
    "swaps": pl.Int64,  # pairs of runs that the two order differently
}


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return RUNS and SUMMARY under the official judgments."""
    assert inputs.counts
    counts = tables.read_parquet(inputs.counts)
    official = tables.find_official(settings.get("official"), counts)
    counts = counts.filter(pl.col("assessor") == official)
    runs = compare_rates(counts)
    return [runs, summarise_estimates(counts, runs)]


def compare_rates(counts: pl.DataFrame) -> pl.DataFrame:
    """Return RUNS, sorted by name: those with judged candidates, from counts of one assessor."""
    candidates = pl.col("n_ur") + pl.col("n_uw")
    rates = (
        counts.filter(candidates > 0)
        .sort("run")
        .select(
            "run",
            unanswered=pl.col("n_u").cast(pl.Float64),
            candidates=candidates.cast(pl.Float64),
            observed=pl.col("n_ur") / candidates,
            **{name: pl.when(rate.is_finite()).then(rate) for name, rate in ESTIMATES.items()},
            score=(pl.col("n_ac") + pl.col("n_u") * pl.col("n_ur") / candidates) / pl.col("n"),
        )
    )
    distances = [(pl.col(name) - pl.col("observed")).abs().alias(name) for name in ESTIMATES]
    nearest = pl.concat_list(distances).list.arg_min()
    names = nearest.replace_strict(dict(enumerate(ESTIMATES)), return_dtype=pl.String)
    enough = pl.col("candidates") >= FEWEST
    return rates.with_columns(nearest=pl.when(enough).then(names)).select(*RUNS)


def summarise_estimates(counts: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """Return SUMMARY, a row per estimate, from the same counts and RUNS; no rows without runs."""
    totals = counts.select("run", "n", "n_ac", "n_u")
    run_totals = runs.join(totals, on="run", how="left", maintain_order="left")
    rows = []
    for name in ESTIMATES if runs.height else ():
        estimated = run_totals.drop_nulls(name).with_columns(
            measure=(pl.col("n_ac") + pl.col("n_u") * pl.col(name)) / pl.col("n")
        )
        mean = estimated.select(
            rate=pl.mean(name),
            observed=pl.mean("observed"),
            distance=(pl.col(name) - pl.col("observed")).abs().mean(),
            score=pl.mean("measure"),
            excess=(pl.col("measure") - pl.col("score")).mean(),
        )
        row = {"estimate": name, "runs": estimated.height} | mean.row(0, named=True)
        row["nearest"] = int((estimated["nearest"] == name).sum())
        if estimated.height:
            x, y = estimated["measure"].to_numpy(), estimated["score"].to_numpy()
            compared = rankings.compare(x, y, y)
            row |= {"tau": compared["tau"], "swaps": compared["swaps"]}
        rows.append(row)
    return pl.DataFrame(rows, SUMMARY)
