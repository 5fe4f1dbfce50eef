"""The leaderboard of a campaign: scores, ranks, counts, marks and differences, one row per run."""

import polars as pl

from nonresponse import boards
from nonresponse.measures import Measure
from nonresponse.tasks.validation import REJECT_ALL

NO_INTERVALS = pl.DataFrame(schema={"run": pl.String, "lower": pl.Float64, "upper": pl.Float64})
TIE = 1e-12  # scores that differ by less are equal, and differ only by the order of computation


def leaderboard(
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
    only describes), tied, run, trivial, behind_reject_all (null without a measure e@ or a run that
    rejects everything); per measure its id and, where some run has other bounds, "<id> worst" and
    "<id> best"; with `intervals`, "<id> lower" and "<id> upper", null for measures without, with
    the first measure boards.RANK_RANGE; "<id> difference" to the baseline if any; all counts.
    """
    table = counts.filter(pl.col("assessor") == official).drop("assessor")
    for measure in measures:
        values = scores[measure.id].filter(pl.col("assessor") == official)
        bounds = (
            boards.BOUNDS
            if values.filter(pl.col("worst").ne_missing(pl.col("best"))).height
            else ()
        )
        own = [pl.col("value").alias(measure.id), *called(measure, bounds)]
        table = table.join(values.select("run", *own), on="run", how="left")
        if intervals:
            own = called(measure, boards.INTERVAL)
            if measure is measures[0]:
                own += map(pl.col, boards.RANK_RANGE)
            known = intervals.get(measure.id, NO_INTERVALS)
            table = table.join(known.select("run", *own), on="run", how="left")
    table = with_rank(table.with_columns(trivial=pl.col("run").is_in(trivial)), measures[0])
    table = with_mark(table, measures)
    if baseline:
        table = table.with_columns(
            (pl.col(m.id) - pl.col(m.id).filter(pl.col("run") == baseline).first()).alias(
                boards.column(m.id, boards.DIFFERENCE)
            )
            for m in measures
        )
    last = [name for name in counts.columns if name not in ("assessor", "run")]
    return table.select(*boards.FIRST, pl.exclude(*boards.FIRST, *last), *last)


def called(measure: Measure, ends: tuple[str, ...]) -> list[pl.Expr]:
    """Return the columns that have these ends as names, as the leaderboard names them."""
    return [pl.col(end).alias(boards.column(measure.id, end)) for end in ends]


def with_rank(table: pl.DataFrame, first: Measure) -> pl.DataFrame:
    """Sort by the first measure; equal scores share the best of their ranks and are marked as
    tied.

    A measure that only describes ranks nothing.
    """
    table = table.sort(first.id, "run", descending=[first.higher_is_better, False], nulls_last=True)
    ranks = pl.lit(not first.descriptive)
    ranked = table.filter(ranks & ~pl.col("trivial") & pl.col(first.id).is_not_null())
    step = (pl.col(first.id).diff().abs() > TIE).fill_null(True)
    ranked = ranked.select(
        "run", rank=pl.when(step).then(pl.int_range(1, pl.len() + 1)).forward_fill()
    )
    ranked = ranked.with_columns(tied=pl.len().over("rank") > 1)
    joined = table.join(ranked, on="run", how="left", maintain_order="left")
    return joined.with_columns(pl.col("tied").fill_null(False))


def with_mark(table: pl.DataFrame, measures: list[Measure]) -> pl.DataFrame:
    """Return behind_reject_all: the weighted error is larger than that of rejecting everything
    (Solovyev, conclusions)."""
    weighted = next((m.id for m in measures if m.id.startswith("e@")), None)
    reference = table.filter(run=REJECT_ALL)
    behind = pl.lit(None, pl.Boolean)
    if weighted and reference[weighted].is_not_null().any():
        behind = pl.col(weighted) > reference[weighted].item() + TIE
    return table.with_columns(behind_reject_all=behind)


def by_category(
    split: dict[str, pl.DataFrame], measures: list[Measure], official: str
) -> pl.DataFrame:
    """Return run, category and a column per measure, sorted by both keys; empty where questions
    have no category."""
    keys = ["run", "category"]
    frames = [
        split[m.id]
        .filter(pl.col("assessor") == official)
        .select(*keys, pl.col("value").alias(m.id))
        for m in measures
    ]
    table = frames[0]
    for frame in frames[1:]:
        table = table.join(frame, on=keys, how="full", coalesce=True)
    return table.sort(keys)
