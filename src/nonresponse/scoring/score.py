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
from nonresponse.tables import read_parquet

if TYPE_CHECKING:
    from nonresponse.judging.store import Verdicts


def mask_undefined(value: pl.Expr) -> pl.Expr:
    """Return null for what is undefined, 0/0 and x/0: never NaN or infinite."""
    return pl.when(value.is_finite()).then(value)


def evaluate_counts(measure: Measure, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the measure on each row of a table of counts; keys and value."""
    keys = [name for name in ("assessor", "run", "category", "variant") if name in frame.columns]
    return frame.select(*keys, evaluate(measure, frame)).with_columns(
        value=mask_undefined(pl.col("value"))
    )


def evaluate(measure: Measure, frame: pl.DataFrame) -> pl.Series:
    """Return the column `value` of the measure, NaN where it is undefined.

    By NumPy, whose quotients do not depend on the number of rows; those of Polars change in the
    last bit if a chunk of the table has one row.
    """
    totals = {name: frame[name].cast(pl.Float64).to_numpy() for name in measure.totals}
    with np.errstate(all="ignore"):
        return pl.Series("value", np.broadcast_to(measure(**totals), frame.height), pl.Float64)


def evaluate_verdicts(
    measure: Measure, verdicts: Sequence[pl.LazyFrame], policy: dict, per_category: bool
) -> pl.DataFrame:
    """Return keys and value of a measure of any kind, on the verdicts under a policy; null where
    undefined.

    A run whose questions are all excluded still has a row, with null, but none by category.
    verdicts: all rows of a run are in one of them.
    """
    return pl.concat(evaluate_rows(measure, rows, policy, per_category) for rows in verdicts)


def evaluate_rows(
    measure: Measure, verdicts: pl.LazyFrame, policy: dict, per_category: bool
) -> pl.DataFrame:
    """Return what `evaluate_verdicts` does, of some runs."""
    from nonresponse.measures import orderings
    from nonresponse.scoring import tally  # which measures of counts do not need

    keys = ["assessor", "run"] + (["category"] if per_category else [])
    if measure.parts:
        tables = [
            evaluate_rows(part, verdicts, policy, per_category).sort(keys) for part in measure.parts
        ]
        combined = measure([table["value"].fill_null(np.nan).to_numpy() for table in tables])
        values = tables[0].with_columns(pl.Series("value", combined))
        return values.with_columns(value=mask_undefined(pl.col("value")))
    rows = query_rows(tally.select_resolved(policy, measure.task), verdicts=verdicts)
    if measure.kind == "ordering":
        values = orderings.compute_scores(measure, rows, keys)
    elif measure.kind == "counts":
        counts = tally.count_verdicts(verdicts, measure.task, policy, keys)
        values = evaluate_counts(measure, counts)
    else:
        values = evaluate_sums(measure, rows, keys)
    groups = (rows if per_category else verdicts).select(keys).unique().collect()
    values = values.select(*keys, value=mask_undefined(pl.col("value")))
    return groups.join(values, on=keys, how="left", nulls_equal=True)


def evaluate_sums(measure: Measure, rows: pl.LazyFrame, keys: list[str]) -> pl.DataFrame:
    """Return the measure of sums over the rows with the same keys; keys and value."""
    weight, included = pl.col("weight"), pl.sql_expr(tasks.get(measure.task).counts["n"].condition)
    terms = {
        name: (pl.sql_expr(term).cast(pl.Int64) * weight, EXACT)
        for name, term in measure.exact_sums.items()
    } | {"n": (pl.when(included).then(weight), 1)}
    sums = {  # a sum of nulls is null
        name: pl.when(value.is_not_null().any()).then(value.sum() / unit)
        for name, (value, unit) in terms.items()
    }
    totals = rows.group_by(keys).agg(**sums).collect()
    return totals.select(*keys, evaluate(measure, totals))


def add_bounds(measure: Measure, values: pl.DataFrame, *variants: pl.DataFrame) -> pl.DataFrame:
    """Return assessor, run, value, worst, best: the extremes are over policy variants."""
    scores = pl.concat([values, *(frame.select(values.columns) for frame in variants)])
    extremes = scores.group_by("assessor", "run").agg(
        low=pl.col("value").min(), high=pl.col("value").max()
    )
    worst, best = ("low", "high") if measure.higher_is_better else ("high", "low")
    scores = values.join(extremes, on=["assessor", "run"], how="left")
    return scores.select("assessor", "run", "value", worst=worst, best=best).sort("assessor", "run")


def score_counts(
    measure: Measure, counts: Path, categories: Path, *bounds: Path
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return scores, and scores by category, of a measure of counts, with bounds from files."""
    values, category_scores, *variants = (
        evaluate_counts(measure, read_parquet(file)) for file in (counts, categories, *bounds)
    )
    scores = add_bounds(measure, values, *variants)
    return scores, category_scores.sort("assessor", "run", "category")


def score_store(
    verdicts: Verdicts, measures: list[Measure], policy: dict
) -> dict[str, pl.DataFrame]:
    """Return assessor, run, value, worst and best by each measure, by its id."""
    from nonresponse.scoring import tally

    scores, tables, rows = {}, None, tally.read_weighted(verdicts)
    for measure in measures:
        if measure.kind == "counts":
            tables = tables or tally.tally(verdicts, policy)
            values, _, variants = (evaluate_counts(measure, table) for table in tables)
            scores[measure.id] = add_bounds(measure, values, variants)
        else:
            scores[measure.id] = add_bounds(measure, *evaluate_policies(measure, rows, policy))
    return scores


def open_verdicts(verdicts: Path) -> list[pl.LazyFrame]:
    """Return the rows of a verdict store, or their cases, with weights."""
    from nonresponse.judging.store import read_verdicts
    from nonresponse.scoring import tally

    return tally.read_weighted(read_verdicts(verdicts))


def holds(condition: pl.Expr, verdicts: Sequence[pl.LazyFrame]) -> bool:
    """Return whether a condition holds of some row."""
    return any(rows.select(condition.any()).collect().item() for rows in verdicts)


def evaluate_policies(
    measure: Measure, verdicts: Sequence[pl.LazyFrame], policy: dict
) -> list[pl.DataFrame]:
    """Return the scores under the policy, and under its variants where they may differ."""
    task = tasks.get(measure.task)
    conditions = {state: pl.sql_expr(text) for state, text in task.uncertain.items()}
    states = [state for state, condition in conditions.items() if holds(condition, verdicts)]
    return [
        evaluate_verdicts(measure, verdicts, variant, False)
        for variant in task.list_policies(policy, states)
    ]


def score_verdicts(
    measure: Measure, verdicts: Path, policy: dict, unruled: Path | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return scores and scores by category of a measure that reads the verdicts.

    `unruled` are the verdicts if the campaign's rules on the text of answers did not count.
    """
    rows = open_verdicts(verdicts)
    values, *variants = evaluate_policies(measure, rows, policy)
    if unruled:
        variants += evaluate_policies(measure, open_verdicts(unruled), policy)
    if holds(pl.col("category").is_not_null(), rows):
        category_scores = evaluate_verdicts(measure, rows, policy, True).drop_nulls("category")
    else:
        category = pl.lit(None, pl.String).alias("category")
        category_scores = values.select("assessor", "run", category, "value").clear()
    scores = add_bounds(measure, values, *variants)
    return scores, category_scores.sort("assessor", "run", "category")
