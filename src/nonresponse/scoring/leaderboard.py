"""The leaderboard of a campaign: scores, ranks, counts, marks and differences, one row per run."""

import polars as pl

from nonresponse import boards
from nonresponse.measures import Measure

NO_INTERVALS = pl.DataFrame(schema={"run": pl.String, "lower": pl.Float64, "upper": pl.Float64})
TIE = 1e-12  # scores that differ by less are equal, and differ only by the order of computation


def rank_runs(
    scores: dict[str, pl.DataFrame],
    counts: pl.DataFrame,
    measures: list[Measure],
    official: str,
    trivial: list[str],
    baseline: str | None = None,
    intervals: dict[str, pl.DataFrame] | None = None,
) -> pl.DataFrame:
    """Return one row per run under the official judgments, best first by the first measure.

    Columns: rank (null for trivial runs and undefined scores, and for all where the first measure
    only describes), tied, run, trivial; per measure its id and, where some run has other bounds,
    "<id> worst" and "<id> best"; with `intervals`, "<id> lower" and "<id> upper", null for measures
    without, with the first measure boards.RANK_RANGE; "<id> difference" to the baseline if any; all
    counts.
    """
    table = counts.filter(pl.col("assessor") == official).drop("assessor")
    for measure in measures:
        values = scores[measure.id].filter(pl.col("assessor") == official)
        columns = [pl.col("value").alias(measure.id)]
        if values["worst"].ne_missing(values["best"]).any():
            columns += select_ends(measure, boards.BOUNDS)
        table = table.join(values.select("run", *columns), on="run", how="left")
        if intervals:
            columns = select_ends(measure, boards.INTERVAL)
            if measure is measures[0]:
                columns += map(pl.col, boards.RANK_RANGE)
            measure_intervals = intervals.get(measure.id, NO_INTERVALS)
            table = table.join(measure_intervals.select("run", *columns), on="run", how="left")
    table = add_ranks(table.with_columns(trivial=pl.col("run").is_in(trivial)), measures[0])
    if baseline:
        for id in (measure.id for measure in measures):
            difference = pl.col(id) - pl.col(id).filter(pl.col("run") == baseline).first()
            table = table.with_columns(difference.alias(boards.name_column(id, boards.DIFFERENCE)))
    count_names = [name for name in counts.columns if name not in ("assessor", "run")]
    return table.select(*boards.LEADING, pl.exclude(*boards.LEADING, *count_names), *count_names)


def select_ends(measure: Measure, ends: tuple[str, ...]) -> list[pl.Expr]:
    """Return the columns that have these ends as names, as the leaderboard names them."""
    return [pl.col(end).alias(boards.name_column(measure.id, end)) for end in ends]


def add_ranks(table: pl.DataFrame, measure: Measure) -> pl.DataFrame:
    """Sort by the first measure. Equal scores share the best of their ranks and are tied.

    A measure that only describes ranks nothing.
    """
    table = table.sort(
        measure.id, "run", descending=[measure.higher_is_better, False], nulls_last=True
    )
    ranked = table.filter(~pl.col("trivial") & pl.col(measure.id).is_not_null())
    ranked = ranked.clear() if measure.descriptive else ranked
    step = (pl.col(measure.id).diff().abs() > TIE).fill_null(True)
    ranked = ranked.select(
        "run", rank=pl.when(step).then(pl.int_range(1, pl.len() + 1)).forward_fill()
    )
    ranked = ranked.with_columns(tied=pl.len().over("rank") > 1)
    table = table.join(ranked, on="run", how="left", maintain_order="left")
    return table.with_columns(pl.col("tied").fill_null(False))


def join_categories(
    scores: dict[str, pl.DataFrame], measures: list[Measure], official: str
) -> pl.DataFrame:
    """Return run, category and a column per measure, sorted; empty without categories."""
    keys = ["run", "category"]
    frames = [
        scores[measure.id]
        .filter(pl.col("assessor") == official)
        .select(*keys, pl.col("value").alias(measure.id))
        for measure in measures
    ]
    table = frames[0]
    for frame in frames[1:]:
        table = table.join(frame, on=keys, how="full", coalesce=True)
    return table.sort(keys)
