"""The measures that depend on the order of a run's responses (Polars)."""

import polars as pl

from nonresponse.measures import EXACT


def run_keys(verdicts: pl.DataFrame) -> list[str]:
    return [name for name in ("assessor", "run", "category") if name in verdicts.columns]


def confidence_weighted_score(verdicts: pl.DataFrame) -> pl.DataFrame:
    """cws per (assessor, run[, category]): columns those keys and value; null where a run has no order.

    An explicit position wins over a confidence, a confidence over a raw score. What is unanswered comes last,
    as one block without right answers. In a block of m tied with k right, place j has C = C before + k j / m.
    """
    keys = run_keys(verdicts)
    run = ["assessor", "run"]
    has = {name: pl.col(name).is_not_null().any().over(run) for name in ("position", "confidence", "score")}
    surety = (
        pl.when(has["position"])
        .then(-pl.col("position").cast(pl.Float64))
        .when(has["confidence"])
        .then("confidence")
        .otherwise("score")
    )
    silent = pl.col("verdict") == "unanswered"
    ordered = has["position"] | has["confidence"] | has["score"]
    rows = verdicts.with_columns(ordered=ordered, silent=silent, surety=pl.when(~silent).then(surety))
    blocks = (
        rows.group_by(*keys, "silent", "surety")
        .agg(m=pl.len(), k=(pl.col("verdict") == "correct").sum(), ordered=pl.col("ordered").any())
        .sort(*keys, "silent", "surety", descending=[False] * (len(keys) + 1) + [True], nulls_last=True)
        .with_columns(
            above=(pl.col("m").cum_sum() - pl.col("m")).over(keys),
            right=(pl.col("k").cum_sum() - pl.col("k")).over(keys),
        )
    )
    places = blocks.with_columns(j=pl.int_ranges(1, pl.col("m") + 1)).explode("j")
    share = (pl.col("right") + pl.col("k") * pl.col("j") / pl.col("m")) / (pl.col("above") + pl.col("j"))
    summed = places.group_by(keys).agg(
        total=(share * EXACT).round().cast(pl.Int64).sum(), n=pl.len(), ordered=pl.col("ordered").any()
    )
    value = pl.when("ordered").then(pl.col("total") / (EXACT * pl.col("n")))
    return summed.select(*keys, value=value)


def area_under_curve(verdicts: pl.DataFrame) -> pl.DataFrame:
    """auc per (assessor, run[, category]): columns those keys and value; null for one class or without scores."""
    keys = run_keys(verdicts)
    known = verdicts.filter(pl.col("positive").is_not_null() & pl.col("score").is_not_null())
    ranked = known.with_columns(rank=pl.col("score").rank("average").over(keys))
    summed = ranked.group_by(keys).agg(
        ranks=pl.col("rank").filter("positive").sum(), p=pl.col("positive").sum().cast(pl.Float64), n=pl.len()
    )
    area = (pl.col("ranks") - pl.col("p") * (pl.col("p") + 1) / 2) / (pl.col("p") * (pl.col("n") - pl.col("p")))
    return verdicts.select(keys).unique().join(summed.select(*keys, value=area), on=keys, how="left")
