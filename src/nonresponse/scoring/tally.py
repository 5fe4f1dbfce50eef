"""From verdicts to counts: one row per assessor and run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.database import query_rows
from nonresponse.tables import OFFICIAL

if TYPE_CHECKING:
    from nonresponse.judging.store import Verdicts


def resolved(policy: dict, task: str, table: str = "verdicts") -> str:
    """Return a query for the verdicts under a policy, without excluded questions; `raw` has the
    verdicts before the policy."""
    return f"SELECT * FROM ({with_excluded(policy, task, table)}) WHERE verdict <> 'exclude'"


def with_excluded(policy: dict, task: str, table: str = "verdicts") -> str:
    """Return the query of `resolved` with the excluded questions, whose verdict is `exclude`."""
    record = tasks.get(task)
    columns = [as_policy(policy), *record.seen_by_policy(policy), *record.values_by_policy(policy)]
    return replacing(columns, table)


def replacing(columns: list[str], table: str) -> str:
    """Return a query for a table with the values of some columns replaced; `raw` has the original
    verdicts."""
    return f"SELECT * REPLACE ({', '.join(columns)}), verdict AS raw FROM {table}"


def as_policy(policy: dict) -> str:
    """Return SQL: the verdict under a policy, whose words come only from tasks.POLICIES, the policy
    variants or the schema."""
    cases = " ".join(f"WHEN verdict = '{name}' THEN '{choice}'" for name, choice in policy.items())
    left_out = f"WHEN NOT compared OR verdict = '{tasks.NOT_ASKED}' THEN 'exclude'"
    return f"CASE {left_out} {cases} ELSE verdict END AS verdict"


def numbers(verdicts: Verdicts) -> pl.DataFrame:
    """Return assessor, run, times, category, code and questions: the summed weight of the cells
    that have the code."""
    categories = verdicts.items["category"].unique().sort()
    known = pl.DataFrame({"category": categories}).with_row_index("number")
    of_items = verdicts.items.select("category").join(
        known, on="category", nulls_equal=True, maintain_order="left"
    )
    offset = of_items["number"].to_numpy().astype(np.int64) * verdicts.cases.height
    size, found = len(categories) * verdicts.cases.height, []
    for number, (assessor, of_assessor) in enumerate(
        zip(verdicts.assessors, verdicts.codes, strict=True)
    ):
        weights = verdicts.weights(number) if verdicts.repeated else None
        for index, (run, codes) in enumerate(zip(verdicts.runs, of_assessor, strict=True)):
            bins = offset + codes
            cells = np.bincount(bins, minlength=size)
            summed = (
                cells
                if weights is None
                else np.bincount(bins, weights.weight[index], size).astype(np.int64)
            )
            some = np.flatnonzero(cells)
            some = some[some % verdicts.cases.height > 0]
            times = 1 if weights is None else int(weights.times[index])
            found += [(assessor, run, times, int(it), int(summed[it])) for it in some]
    schema = {
        "assessor": pl.String,
        "run": pl.String,
        "times": pl.Int64,
        "bin": pl.Int64,
        "questions": pl.Int64,
    }
    frame, height = pl.DataFrame(found, schema, orient="row"), verdicts.cases.height
    category = categories.gather(frame["bin"] // height).alias("category")
    return frame.with_columns(category, code=pl.col("bin") % height).drop("bin")


def weighted(verdicts: Verdicts) -> list[pl.LazyFrame]:
    """Return the rows of a store, those of some runs at once.

    Where it has no numbers, a row with a weight stands for all that are alike.
    """
    if verdicts.planes:
        return [*verdicts.batches()]
    rows = with_columns_of_cases(verdicts, numbers(verdicts))
    return [rows.rename({"questions": "weight"}).lazy()]


def with_columns_of_cases(verdicts: Verdicts, cases: pl.DataFrame) -> pl.DataFrame:
    """Return what `numbers` returns with the other columns of rows."""
    others = [name for name in verdicts.derived.columns if name in cases.columns and name != "code"]
    return cases.join(verdicts.derived.drop(others), on="code")


def totals(verdicts: Verdicts, cases: pl.DataFrame, policy: dict) -> pl.DataFrame:
    """Return counts by assessor, run and category of what `numbers` returns, under a policy."""
    record = tasks.get(verdicts.task)
    columns = [as_policy(policy), *record.seen_by_policy(policy)]
    rows = with_columns_of_cases(verdicts, cases)
    seen = query_rows(replacing(columns, "cases"), cases=rows).collect()
    return of_rows(seen, record, ["assessor", "run", "category"])


def of_rows(rows: pl.DataFrame, task: tasks.Task, keys: list[str]) -> pl.DataFrame:
    """Return counts by keys of rows under a policy, each of which stands for `questions`."""
    sums = [counted(name, count) for name, count in task.counts.items()]
    return rows.group_by(keys).agg(sums)


def of_verdicts(verdicts: pl.LazyFrame, task: str, policy: dict, keys: list[str]) -> pl.DataFrame:
    """Return counts by keys of the verdicts themselves, where there is no table of counts."""
    rows = query_rows(with_excluded(policy, task), verdicts=verdicts).rename(
        {"weight": "questions"}
    )
    frame = of_rows(rows.collect(), tasks.get(task), [*keys, "times"])
    return frame.with_columns(pl.selectors.integer().exclude("times") / pl.col("times"))


def counted(name: str, count: tasks.Count) -> pl.Expr:
    """Return the sum of the cases that a count includes; null where the campaign lacks what the
    count needs."""
    number = pl.col("questions").filter(pl.sql_expr(condition(name, count))).sum()
    known = pl.col(count.needs).is_not_null().any() if count.needs else pl.lit(True)
    return pl.when(known).then(number).cast(pl.Int64).alias(name)


def condition(name: str, count: tasks.Count) -> str:
    """Return SQL: which of the rows of `with_excluded` a count includes."""
    if name in tasks.CAMPAIGN_COUNTS:
        return count.condition
    return f"({count.condition}) AND " + (
        "compared" if name in tasks.UNFILTERED_COUNTS else "verdict <> 'exclude'"
    )


def by_run(frame: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """Return counts summed over categories."""
    by = ["assessor", "run", *keys]
    counted = [name for name in frame.columns if name not in (*by, "category")]
    # A sum of nulls is null here, not 0.
    total = [
        pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name)
        for name in counted
    ]
    return frame.group_by(by).agg(total).sort(by)


def tally(
    verdicts: Path | Verdicts, task: str, policy: dict
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return three tables: counts by run; counts by run and category; counts by run and policy
    variant.

    The third has only runs with unscored or failed responses. Its column `variant` is the index of
    the policy variant in the task's list, from 0.
    """
    from nonresponse.judging.store import read_verdicts  # which published counts do not need

    store = read_verdicts(verdicts) if isinstance(verdicts, Path) else verdicts
    cases = numbers(store)
    split = totals(store, cases, policy)
    by_category = split.filter(pl.col("category").is_not_null()).sort("assessor", "run", "category")
    total = by_run(split)
    variants = bounds(store, cases, policy, total)
    times = cases.select("assessor", "run", "times").unique()
    if (times["times"] < 2).all():
        return total, by_category, variants
    return divided(total, times), divided(by_category, times), divided(variants, times)


def divided(counted: pl.DataFrame, times: pl.DataFrame) -> pl.DataFrame:
    """Return the counts of each assessor and run, divided by their `times`."""
    counts = pl.selectors.integer() - pl.selectors.by_name("variant", "times", require_all=False)
    joined = counted.join(times, on=["assessor", "run"], maintain_order="left")
    return joined.with_columns(counts / pl.col("times")).drop("times")


def bounds(
    verdicts: Verdicts, cases: pl.DataFrame, policy: dict, total: pl.DataFrame
) -> pl.DataFrame:
    """Return the third table of `tally`."""
    record = tasks.get(verdicts.task)
    [uncertain] = verdicts.table([record.uncertain]) > 0
    there = cases.filter(pl.col("code").is_in(np.flatnonzero(uncertain)))
    runs = cases.join(there, on=["assessor", "run"], how="semi")
    none = total.clear().with_columns(variant=pl.lit(0, pl.Int64))
    every = [
        by_run(totals(verdicts, runs, policy | variant)).with_columns(variant=pl.lit(index))
        for index, variant in enumerate(record.policy_variants if there.height else [])
    ]
    made = pl.concat([none, *(frame.select(none.columns).cast(none.schema) for frame in every)])
    return made.sort("assessor", "run", "variant")


def from_table(counts: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return the three tables of `tally` from a published table of counts, under `official` alone;
    the last two are empty."""
    counts = counts.select(pl.lit(OFFICIAL).alias("assessor"), "run", pl.exclude("assessor", "run"))
    total = counts.sort("assessor", "run")
    none = total.clear()
    return (
        total,
        none.with_columns(category=pl.lit(None, pl.String)),
        none.with_columns(variant=pl.lit(0, pl.Int64)),
    )
