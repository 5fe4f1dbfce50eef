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


def select_resolved(policy: dict, task: str, table: str = "verdicts") -> str:
    """Return a query for verdicts under a policy without excluded questions, and `raw` ones."""
    return f"SELECT * FROM ({select_with_excluded(policy, task, table)}) WHERE verdict <> 'exclude'"


def select_with_excluded(policy: dict, task: str, table: str = "verdicts") -> str:
    """Return the query of `select_resolved` with excluded questions, whose verdict is `exclude`."""
    record = tasks.get(task)
    columns = [
        render_policy(policy),
        *record.seen_by_policy(policy),
        *record.values_by_policy(policy),
    ]
    return select_replaced(columns, table)


def select_replaced(columns: list[str], table: str) -> str:
    """Return a query for a table with some columns replaced; `raw` has the original verdicts."""
    return f"SELECT * REPLACE ({', '.join(columns)}), verdict AS raw FROM {table}"


def render_policy(policy: dict) -> str:
    """Return SQL for the verdict under a policy, whose words come from tasks only."""
    cases = " ".join(f"WHEN verdict = '{name}' THEN '{choice}'" for name, choice in policy.items())
    left_out = f"WHEN NOT compared OR verdict = '{tasks.NOT_ASKED}' THEN 'exclude'"
    return f"CASE {left_out} {cases} ELSE verdict END AS verdict"


def count_cells(verdicts: Verdicts) -> pl.DataFrame:
    """Return assessor, run, times, category, code and the summed weight of its cells."""
    categories, height = verdicts.items["category"].unique().sort(), verdicts.cases.height
    category_numbers = pl.DataFrame({"category": categories}).with_row_index("number")
    item_numbers = verdicts.items.select("category").join(
        category_numbers, on="category", nulls_equal=True, maintain_order="left"
    )
    offset = item_numbers["number"].to_numpy().astype(np.int64) * height
    size, rows = len(categories) * height, list[tuple]()
    for number, (assessor, run_codes) in enumerate(
        zip(verdicts.assessors, verdicts.codes, strict=True)
    ):
        weights = verdicts.weights(number) if verdicts.repeated else None
        for index, (run, codes) in enumerate(zip(verdicts.runs, run_codes, strict=True)):
            bins = offset + codes
            cells = np.bincount(bins, minlength=size)
            present = np.flatnonzero(cells)
            present = present[present % height > 0]
            times = 1
            if weights is not None:
                cells = np.bincount(bins, weights.weight[index], size).astype(np.int64)
                times = int(weights.times[index])
            rows += [(assessor, run, times, int(bin), int(cells[bin])) for bin in present]
    names = pl.Schema({"assessor": pl.String, "run": pl.String})
    schema = names | dict.fromkeys(("times", "bin", "questions"), pl.Int64())
    frame = pl.DataFrame(rows, schema, orient="row")
    category = categories.gather(frame["bin"] // height).alias("category")
    return frame.with_columns(category, code=pl.col("bin") % height).drop("bin")


def read_weighted(verdicts: Verdicts) -> list[pl.LazyFrame]:
    """Return the rows of a store, those of some runs at once.

    Where it has no numbers, a row with a weight stands for all that are alike.
    """
    if verdicts.planes:
        return [*verdicts.batches()]
    rows = add_case_columns(verdicts, count_cells(verdicts))
    return [rows.rename({"questions": "weight"}).lazy()]


def add_case_columns(verdicts: Verdicts, cases: pl.DataFrame) -> pl.DataFrame:
    """Return what `count_cells` returns with the other columns of rows."""
    columns = [name for name in verdicts.derived.columns if name not in cases.columns]
    return cases.join(verdicts.derived.select("code", *columns), on="code")


def sum_counts(verdicts: Verdicts, cases: pl.DataFrame, policy: dict) -> pl.DataFrame:
    """Return counts by assessor, run and category of what `count_cells` returns, under a policy."""
    rows = resolve_cases(verdicts, add_case_columns(verdicts, cases), policy).collect()
    return count_rows(rows, tasks.get(verdicts.task), ["assessor", "run", "category"])


def resolve_cases(verdicts: Verdicts, cases: pl.DataFrame, policy: dict) -> pl.LazyFrame:
    """Return the rows of cases with their columns as they are under a policy."""
    columns = [render_policy(policy), *tasks.get(verdicts.task).seen_by_policy(policy)]
    return query_rows(select_replaced(columns, "cases"), cases=cases)


def count_rows(rows: pl.DataFrame, task: tasks.Task, keys: list[str]) -> pl.DataFrame:
    """Return counts by keys of rows under a policy, each of which stands for `questions`."""
    sums = []
    for name, count in task.counts.items():
        number = pl.col("questions").filter(pl.sql_expr(render_condition(name, count))).sum()
        # Null where the campaign lacks what a count needs
        available = pl.col(count.needs).is_not_null().any() if count.needs else pl.lit(True)
        sums.append(pl.when(available).then(number).cast(pl.Int64).alias(name))
    return rows.group_by(keys).agg(sums)


def count_verdicts(
    verdicts: pl.LazyFrame, task: str, policy: dict, keys: list[str]
) -> pl.DataFrame:
    """Return counts by keys of the verdicts themselves, where there is no table of counts."""
    rows = query_rows(select_with_excluded(policy, task), verdicts=verdicts).collect()
    rows = rows.rename({"weight": "questions"})
    frame = count_rows(rows, tasks.get(task), [*keys, "times"])
    return frame.with_columns(pl.selectors.integer().exclude("times") / pl.col("times"))


def render_condition(name: str, count: tasks.Count) -> str:
    """Return SQL: which of the rows of `select_with_excluded` a count includes."""
    if name in tasks.CAMPAIGN_COUNTS:
        return count.condition
    filter = "compared" if name in tasks.UNFILTERED_COUNTS else "verdict <> 'exclude'"
    return f"({count.condition}) AND {filter}"


def sum_by_run(frame: pl.DataFrame) -> pl.DataFrame:
    """Return counts summed over categories."""
    group = ["assessor", "run"]
    counts = [name for name in frame.columns if name not in (*group, "category")]
    # A sum of nulls is null here, not 0.
    total = pl.when(pl.col(*counts).is_not_null().any()).then(pl.col(*counts).sum())
    return frame.group_by(group).agg(total).sort(group)


def tally(
    verdicts: Path | Verdicts, policy: dict
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return three tables: counts by run; counts by run and category; counts by run and policy
    variant.

    The third has only runs with unscored or failed responses. Its column `variant` is the index of
    the policy variant in the task's list, from 0.
    """
    from nonresponse.judging.store import read_verdicts  # which published counts do not need

    store = read_verdicts(verdicts) if isinstance(verdicts, Path) else verdicts
    cases = count_cells(store)
    counts = sum_counts(store, cases, policy)
    categories = counts.drop_nulls("category").sort("assessor", "run", "category")
    total = sum_by_run(counts)
    variants = count_variants(store, cases, policy, total)
    times = cases.select("assessor", "run", "times").unique()
    if (times["times"] < 2).all():
        return total, categories, variants
    return (
        divide_counts(total, times),
        divide_counts(categories, times),
        divide_counts(variants, times),
    )


def divide_counts(table: pl.DataFrame, times: pl.DataFrame) -> pl.DataFrame:
    """Return the counts of each assessor and run, divided by their `times`."""
    columns = pl.selectors.integer() - pl.selectors.by_name("variant", "times", require_all=False)
    rows = table.join(times, on=["assessor", "run"], maintain_order="left")
    return rows.with_columns(columns / pl.col("times")).drop("times")


def count_variants(
    verdicts: Verdicts, cases: pl.DataFrame, policy: dict, total: pl.DataFrame
) -> pl.DataFrame:
    """Return the third table of `tally`."""
    record = tasks.get(verdicts.task)
    uncertain = (verdicts.table([*record.uncertain.values()]) > 0).any(axis=0)
    uncertain_cases = cases.filter(pl.col("code").is_in(np.flatnonzero(uncertain)))
    if uncertain_cases.is_empty():
        return total.clear().with_columns(variant=pl.lit(0, pl.Int64))
    runs = cases.join(uncertain_cases, on=["assessor", "run"], how="semi")
    runs = runs.group_by("assessor", "run", "code").agg(pl.col("questions").sum())
    runs = add_case_columns(verdicts, runs)
    rows = pl.concat(
        resolve_cases(verdicts, runs, policy | variant).with_columns(
            variant=pl.lit(index, pl.Int64)
        )
        for index, variant in enumerate(record.policy_variants)
    )
    keys = ["assessor", "run", "variant"]
    return count_rows(rows.collect(), record, keys).select(*total.columns, "variant").sort(keys)


def adopt_table(counts: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return the three tables of `tally` from published counts, the last two of them empty."""
    counts = counts.select(pl.lit(OFFICIAL).alias("assessor"), "run", pl.exclude("assessor", "run"))
    total = counts.sort("assessor", "run")
    empty = total.clear()
    return (
        total,
        empty.with_columns(category=pl.lit(None, pl.String)),
        empty.with_columns(variant=pl.lit(0, pl.Int64)),
    )
