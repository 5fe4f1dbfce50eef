"""From verdicts to counts: one row per assessor and run (DuckDB)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from nonresponse import tasks
from nonresponse.database import connect, fetched
from nonresponse.tables import OFFICIAL

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from nonresponse.judging.store import Verdicts


def resolved(policy: dict, task: str, table: str = "verdicts") -> str:
    """A query for the verdicts under a policy, without excluded questions; `raw` has the verdicts
    before the policy."""
    return f"SELECT * FROM ({with_excluded(policy, task, table)}) WHERE verdict <> 'exclude'"


def with_excluded(policy: dict, task: str, table: str = "verdicts") -> str:
    """The query of `resolved` with the excluded questions, whose verdict is `exclude`."""
    record = tasks.get(task)
    columns = [as_policy(policy), *record.seen_by_policy(policy), *record.values_by_policy(policy)]
    return replacing(columns, table)


def replacing(columns: list[str], table: str) -> str:
    """A query for a table with the values of some columns replaced; `raw` has the original
    verdicts."""
    return f"SELECT * REPLACE ({', '.join(columns)}), verdict AS raw FROM {table}"


def as_policy(policy: dict) -> str:
    """SQL: the verdict under a policy, whose words come only from tasks.POLICIES, the policy
    variants or the schema."""
    cases = " ".join(f"WHEN verdict = '{name}' THEN '{choice}'" for name, choice in policy.items())
    left_out = f"WHEN NOT compared OR verdict = '{tasks.NOT_ASKED}' THEN 'exclude'"
    return f"CASE {left_out} {cases} ELSE verdict END AS verdict"


def find_cases(connection: DuckDBPyConnection, verdicts: Verdicts) -> None:
    """Makes the table `cases`: the combinations of the columns that counts depend on, with the
    weight of each.

    A run has only a few combinations.
    """
    from nonresponse.judging.store import Stream

    verdicts.add_cases(connection, "stored")
    connection.register("numbers", Stream(numbers(verdicts)))
    columns = ", ".join(tasks.get(verdicts.task).seen)
    connection.execute(
        f"CREATE TABLE cases AS SELECT n.assessor, n.run, n.times, n.category, {columns}, "
        "n.questions"
        " FROM numbers AS n JOIN stored USING (code)"
    )


def numbers(verdicts: Verdicts) -> pl.DataFrame:
    """assessor, run, times, category, code and questions: the summed weight of the cells that have
    the code."""
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
        for place, (run, codes) in enumerate(zip(verdicts.runs, of_assessor, strict=True)):
            bins = offset + codes
            cells = np.bincount(bins, minlength=size)
            summed = (
                cells
                if weights is None
                else np.bincount(bins, weights.weight[place], size).astype(np.int64)
            )
            some = np.flatnonzero(cells)
            some = some[some % verdicts.cases.height > 0]
            times = 1 if weights is None else int(weights.times[place])
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


def of_cases(policy: dict, task: str, cases: str = "cases") -> str:
    """A query for the cases under a policy, including those that it excludes."""
    return replacing([as_policy(policy), *tasks.get(task).seen_by_policy(policy)], cases)


def totals(connection: DuckDBPyConnection, task: str, policy: dict) -> pl.DataFrame:
    """Counts by assessor, run and category, from the cases."""
    return summed(connection, task, of_cases(policy, task), "assessor, run, category")


def summed(connection: DuckDBPyConnection, task: str, rows: str, keys: str) -> pl.DataFrame:
    """Counts of the cases that a query gives, by keys."""
    sums = ", ".join(counted(name, count) for name, count in tasks.get(task).counts.items())
    return fetched(connection.sql(f"SELECT {keys}, {sums} FROM ({rows}) GROUP BY {keys}"))


def of_rows(
    connection: DuckDBPyConnection, task: str, policy: dict, keys: list[str]
) -> pl.DataFrame:
    """Counts by keys from the verdicts themselves, where there is no table of counts."""
    rows = f"SELECT *, weight AS questions FROM ({with_excluded(policy, task)})"
    frame = summed(connection, task, rows, ", ".join([*keys, "times"]))
    return frame.with_columns(pl.selectors.integer().exclude("times") / pl.col("times"))


def counted(name: str, count: tasks.Count) -> str:
    """SQL: the sum of the cases that a count includes; null where the campaign lacks what the count
    needs."""
    number = f"coalesce(sum(questions) FILTER (WHERE {condition(name, count)}), 0)::BIGINT"
    return (
        f"CASE WHEN count({count.needs}) > 0 THEN {number} END AS {name}"
        if count.needs
        else f"{number} AS {name}"
    )


def condition(name: str, count: tasks.Count) -> str:
    """SQL: which of the rows of `with_excluded` a count includes."""
    if name in tasks.OF_CAMPAIGN:
        return count.where
    return f"({count.where}) AND " + (
        "compared" if name in tasks.OF_ALL else "verdict <> 'exclude'"
    )


def by_run(frame: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """Counts summed over categories."""
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
    """Three tables: counts by run; counts by run and category; counts by run and policy variant.

    The third has only runs with unscored or failed responses. Its column `variant` is the place of
    the policy variant in the task's list, from 0.
    """
    from nonresponse.judging.store import read_verdicts  # which published counts do not need

    connection = connect()
    find_cases(connection, read_verdicts(verdicts) if isinstance(verdicts, Path) else verdicts)
    split = totals(connection, task, policy)
    by_category = split.filter(pl.col("category").is_not_null()).sort("assessor", "run", "category")
    total = by_run(split)
    variants = bounds(connection, task, policy, total)
    times = fetched(connection.sql("SELECT DISTINCT assessor, run, times FROM cases"))
    if (times["times"] < 2).all():
        return total, by_category, variants
    return divided(total, times), divided(by_category, times), divided(variants, times)


def divided(counted: pl.DataFrame, times: pl.DataFrame) -> pl.DataFrame:
    """The counts of each assessor and run, divided by their `times`."""
    counts = pl.selectors.integer() - pl.selectors.by_name("variant", "times", require_all=False)
    joined = counted.join(times, on=["assessor", "run"], maintain_order="left")
    return joined.with_columns(counts / pl.col("times")).drop("times")


def bounds(
    connection: DuckDBPyConnection, task: str, policy: dict, total: pl.DataFrame
) -> pl.DataFrame:
    """The third table of `tally`, in one query: planning one for each variant takes longer than
    counting."""
    record = tasks.get(task)
    if not connection.sql(f"SELECT count(*) FROM cases WHERE {record.uncertain}").fetchall()[0][0]:
        return total.clear().with_columns(variant=pl.lit(0, pl.Int64))
    runs = f"SELECT assessor, run FROM cases WHERE {record.uncertain}"
    treated = [of_cases(policy | variant, task, "uncertain") for variant in record.policy_variants]
    every = [
        f"SELECT *, {place}::BIGINT AS variant FROM ({rows})" for place, rows in enumerate(treated)
    ]
    uncertain = f"WITH uncertain AS (FROM cases SEMI JOIN ({runs}) USING (assessor, run))"
    rows = f"{uncertain} {' UNION ALL '.join(every)}"
    frame = by_run(summed(connection, task, rows, "assessor, run, category, variant"), "variant")
    return frame.select(*total.columns, "variant")


def from_table(counts: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The three tables of `tally` from a published table of counts, under `official` alone; the
    last two are empty."""
    counts = counts.select(pl.lit(OFFICIAL).alias("assessor"), "run", pl.exclude("assessor", "run"))
    total = counts.sort("assessor", "run")
    none = total.clear()
    return (
        total,
        none.with_columns(category=pl.lit(None, pl.String)),
        none.with_columns(variant=pl.lit(0, pl.Int64)),
    )
