"""From verdicts to counts: one row per assessor and run (DuckDB)."""

import polars as pl

from nonresponse import counts
from nonresponse.database import connect


def resolved(policy: dict, only: str = "TRUE") -> str:
    """The verdicts as a policy reads them; `raw` keeps what they were. Excluded questions are gone.

    The policy's words come from counts.POLICIES and TREATMENTS, which the config's schema lists.
    """
    cases = " ".join(f"WHEN '{name}' THEN '{choice}'" for name, choice in policy.items())
    columns = [f"CASE verdict {cases} ELSE verdict END AS verdict"]
    if policy["unscored"] == "correct":  # of several answers too: what if the unjudged ones were right?
        columns += [f"{name}_best AS {name}" for name in ("reciprocal_rank", "average_precision", "k_value")]
        columns += ["any_right OR (given AND unscored > 0) AS any_right"]
    return (
        f"SELECT * FROM (SELECT * REPLACE ({', '.join(columns)}), verdict AS raw FROM verdicts WHERE {only})"
        " WHERE verdict <> 'exclude'"
    )


def totals(connection, task: str, policy: dict, only: str = "TRUE") -> pl.DataFrame:
    """Counts by assessor, run and category, in one pass over the verdicts."""
    expressions = counts.OF_TASK[task]
    sums = ", ".join(
        f"count(*) AS {name}" if expression == "1" else f"count(*) FILTER (WHERE {expression}) AS {name}"
        for name, expression in expressions.items()
    )
    query = f"SELECT assessor, run, category, {sums} FROM ({resolved(policy, only)}) GROUP BY assessor, run, category"
    return connection.sql(query).pl()


def by_run(frame: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """Counts summed over categories."""
    keys = ["assessor", "run", *keys]
    return frame.drop("category").group_by(keys).sum().sort(keys)


def tally(verdicts, task: str, policy: dict) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Three tables: counts by run; counts by run and category; counts by run and treatment.

    The third holds only runs with unscored or failed responses: their counts under each way to take those.
    """
    connection = connect()
    connection.read_parquet(str(verdicts)).create_view("verdicts")
    counted = totals(connection, task, policy)
    by_category = counted.filter(pl.col("category").is_not_null()).sort("assessor", "run", "category")
    total = by_run(counted)
    return total, by_category, bounds(connection, task, policy, total)


def bounds(connection, task: str, policy: dict, total: pl.DataFrame) -> pl.DataFrame:
    uncertain = "(unscored > 0 OR verdict = 'error')" if task == "qa" else "verdict = 'error'"
    only = f"(assessor, run) IN (SELECT DISTINCT assessor, run FROM verdicts WHERE {uncertain})"
    frames = [total.clear().with_columns(treatment=pl.lit(0, pl.Int64))]
    if connection.sql(f"SELECT count(*) FROM verdicts WHERE {uncertain}").fetchall()[0][0]:
        for number, treatment in enumerate(counts.TREATMENTS):
            counted = by_run(totals(connection, task, policy | treatment, only))
            frames.append(counted.with_columns(treatment=pl.lit(number, pl.Int64)))
    return pl.concat(frames).sort("assessor", "run", "treatment")
