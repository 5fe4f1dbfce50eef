"""From counts, or from verdicts where order or confidence matter, to the scores of one measure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.database import query_rows
from nonresponse.measures import EXACT, Measure

if TYPE_CHECKING:
    from nonresponse.judging.store import Verdicts


def finite(value: pl.Expr) -> pl.Expr:
    """Return null for what is undefined, 0/0 and x/0: never NaN or infinite."""
    return pl.when(value.is_finite()).then(value)


def from_counts(measure: Measure, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the measure on each row of a table of counts; keys and value."""
    keys = [name for name in ("assessor", "run", "category", "variant") if name in frame.columns]
    return frame.select(*keys, evaluated(measure, frame)).with_columns(
        value=finite(pl.col("value"))
    )


def evaluated(measure: Measure, frame: pl.DataFrame) -> pl.Series:
    """Return the column `value` of the measure, NaN where it is undefined.

    By NumPy, whose quotients do not depend on the number of rows; those of Polars change in the
    last bit if a chunk of the table has one row.
    """
    totals = {name: frame[name].cast(pl.Float64).to_numpy() for name in measure.totals}
    with np.errstate(all="ignore"):
        return pl.Series("value", np.broadcast_to(measure(**totals), frame.height), pl.Float64)


def from_verdicts(
    measure: Measure, verdicts: Sequence[pl.LazyFrame], policy: dict, by_category: bool
) -> pl.DataFrame:
    """Return keys and value of a measure of any kind, on the verdicts under a policy; null where
    undefined.

    A run whose questions are all excluded still has a row, with null, but none by category.
    verdicts: all rows of a run are in one of them.
    """
    return pl.concat(from_rows(measure, rows, policy, by_category) for rows in verdicts)


def from_rows(
    measure: Measure, verdicts: pl.LazyFrame, policy: dict, by_category: bool
) -> pl.DataFrame:
    """Return what `from_verdicts` does, of some runs."""
    from nonresponse.measures import orderings
    from nonresponse.scoring import tally  # which measures of counts do not need

    keys = ["assessor", "run"] + (["category"] if by_category else [])
    if measure.parts:
        of_parts = [
            from_rows(part, verdicts, policy, by_category).sort(keys) for part in measure.parts
        ]
        combined = measure([part["value"].fill_null(np.nan).to_numpy() for part in of_parts])
        return (
            of_parts[0]
            .with_columns(pl.Series("value", combined))
            .with_columns(value=finite(pl.col("value")))
        )
    rows = query_rows(tally.resolved(policy, measure.task), verdicts=verdicts)
    if measure.kind == "ordering":
        values = orderings.scores(measure, rows, keys)
    elif measure.kind == "counts":
        values = from_counts(measure, tally.of_verdicts(verdicts, measure.task, policy, keys))
    else:
        values = from_sums(measure, rows, keys)
    every = (rows if by_category else verdicts).select(keys).unique().collect()
    values = values.select(*keys, value=finite(pl.col("value")))
    return every.join(values, on=keys, how="left", nulls_equal=True)


def from_sums(measure: Measure, rows: pl.LazyFrame, keys: list[str]) -> pl.DataFrame:
    """Return the measure of sums over the rows with the same keys; keys and value."""
    weight, counted = pl.col("weight"), pl.sql_expr(tasks.get(measure.task).counts["n"].condition)
    terms = {
        name: (pl.sql_expr(term).cast(pl.Int64) * weight, EXACT)
        for name, term in measure.exact_sums.items()
    } | {"n": (pl.when(counted).then(weight), 1)}
    sums = {  # a sum of nulls is null
        name: pl.when(value.is_not_null().any()).then(value.sum() / unit)
        for name, (value, unit) in terms.items()
    }
    totals = rows.group_by(keys).agg(**sums).collect()
    return totals.select(*keys, evaluated(measure, totals))


def with_bounds(measure: Measure, values: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """Return assessor, run, value, worst, best: the extremes over `values` and `others`, scores
    under policy variants."""
    every = pl.concat([values, others.select(values.columns)])
    extremes = every.group_by("assessor", "run").agg(
        low=pl.col("value").min(), high=pl.col("value").max()
    )
    worst, best = ("low", "high") if measure.higher_is_better else ("high", "low")
    scores = values.join(extremes, on=["assessor", "run"], how="left")
    return scores.select("assessor", "run", "value", worst=worst, best=best).sort("assessor", "run")


def score_counts(
    measure: Measure, total: Path, by_category: Path, *bounds: Path
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return scores and scores by category of a measure of counts; `bounds` are files of counts
    under policy variants."""
    scores, split = (from_counts(measure, pl.read_parquet(file)) for file in (total, by_category))
    others = [from_counts(measure, pl.read_parquet(file)).select(scores.columns) for file in bounds]
    return with_bounds(measure, scores, pl.concat(others)), split.sort(
        "assessor", "run", "category"
    )


def score_store(
    verdicts: Verdicts, measures: list[Measure], policy: dict
) -> dict[str, pl.DataFrame]:
    """Return assessor, run, value, worst and best by each measure, by its id."""
    from nonresponse.scoring import tally

    found, counted, rows = {}, None, tally.weighted(verdicts)
    for measure in measures:
        if measure.kind == "counts":
            counted = counted or tally.tally(verdicts, measure.task, policy)
            total, _, others = (from_counts(measure, table) for table in counted)
            found[measure.id] = with_bounds(measure, total, others)
        else:
            values = from_verdicts(measure, rows, policy, by_category=False)
            found[measure.id] = with_bounds(
                measure, values, pl.concat([values, *variants(measure, rows, policy)])
            )
    return found


def opened(verdicts: Path) -> list[pl.LazyFrame]:
    """Return the rows of a verdict store, or their cases, with weights."""
    from nonresponse.judging.store import read_verdicts
    from nonresponse.scoring import tally

    return tally.weighted(read_verdicts(verdicts))


def holds(condition: pl.Expr, verdicts: Sequence[pl.LazyFrame]) -> bool:
    """Return whether a condition holds of some row."""
    return any(rows.select(condition.any()).collect().item() for rows in verdicts)


def variants(
    measure: Measure, verdicts: Sequence[pl.LazyFrame], policy: dict
) -> list[pl.DataFrame]:
    """Return the scores under every other policy variant; empty where no response is unscored or
    failed."""
    task = tasks.get(measure.task)
    uncertain = holds(pl.sql_expr(task.uncertain), verdicts)
    others = [policy | variant for variant in task.policy_variants] if uncertain else []
    return [from_verdicts(measure, verdicts, other, False) for other in others if other != policy]


def score_verdicts(
    measure: Measure, verdicts: Path, policy: dict, without_rules: Path | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return scores and scores by category of a measure that reads the verdicts.

    `without_rules` are the verdicts if the campaign's rules on the text of answers did not count.
    """
    rows = opened(verdicts)
    values = from_verdicts(measure, rows, policy, by_category=False)
    others = [values, *variants(measure, rows, policy)]
    if without_rules:
        without = opened(without_rules)
        others += [
            from_verdicts(measure, without, policy, False),
            *variants(measure, without, policy),
        ]
    scores = with_bounds(measure, values, pl.concat(others))
    if holds(pl.col("category").is_not_null(), rows):
        by_category = from_verdicts(measure, rows, policy, by_category=True).drop_nulls("category")
    else:
        by_category = values.select(
            "assessor", "run", pl.lit(None, pl.String).alias("category"), "value"
        ).clear()
    return scores, by_category.sort("assessor", "run", "category")
