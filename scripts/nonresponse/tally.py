"""From verdicts to counts: one row per assessor and run (DuckDB)."""

import polars as pl

from nonresponse import counts
from nonresponse.database import connect


def resolved(policy: dict, task: str, only: str = "TRUE") -> str:
    """The verdicts as a policy reads them; `raw` keeps what they were. Excluded questions are gone."""
    return f"SELECT * FROM ({read_by(policy, task, only)}) WHERE verdict <> 'exclude'"


def read_by(policy: dict, task: str, only: str = "TRUE") -> str:
    """The same with the excluded questions, whose verdict is `exclude`.

    The policy's words come from counts.POLICIES and TREATMENTS, which the config's schema lists.
    """
    cases = " ".join(f"WHEN '{name}' THEN '{choice}'" for name, choice in policy.items())
    columns = [f"CASE verdict {cases} ELSE verdict END AS verdict"]
    if task == "qa":
        columns += of_several(policy)
    return f"SELECT * REPLACE ({', '.join(columns)}), verdict AS raw FROM verdicts WHERE {only}"


def of_several(policy: dict) -> list[str]:
    """What a policy makes of the values that all the answers to a question share in."""
    worth = {"correct": "+", "wrong": "-"}
    terms = [f" {worth[choice]} k_{name}" for name, choice in policy.items() if choice in worth]
    given = ["decided"] + ["verdict = 'error'"] * (policy["error"] == "wrong")
    given += ["partly"] * (policy["partial"] != "unanswered")
    given += ["unscored > 0"] * (policy["unscored"] != "unanswered")
    columns = [f"k_value{''.join(terms)} AS k_value", f"({' OR '.join(given)}) AS given"]
    if policy["unscored"] == "correct":  # what if the unjudged answers were right?
        columns += [f"{name}_best AS {name}" for name in ("reciprocal_rank", "average_precision")]
        columns += ["(any_right OR unscored > 0) AS any_right"]
    return columns


def totals(connection, task: str, policy: dict, only: str = "TRUE") -> pl.DataFrame:
    """Counts by assessor, run and category, in one pass over the verdicts."""
    conditions = {
        name: condition if name in counts.OF_ALL else f"({condition}) AND verdict <> 'exclude'"
        for name, condition in counts.OF_TASK[task].items()
    }
    sums = ", ".join(f"count(*) FILTER (WHERE {condition}) AS {name}" for name, condition in conditions.items())
    rows = read_by(policy, task, only)
    return connection.sql(f"SELECT assessor, run, category, {sums} FROM ({rows}) GROUP BY assessor, run, category").pl()


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
    uncertain = counts.UNCERTAIN[task]
    only = f"(assessor, run) IN (SELECT DISTINCT assessor, run FROM verdicts WHERE {uncertain})"
    frames = [total.clear().with_columns(treatment=pl.lit(0, pl.Int64))]
    if connection.sql(f"SELECT count(*) FROM verdicts WHERE {uncertain}").fetchall()[0][0]:
        for number, treatment in enumerate(counts.TREATMENTS[task]):
            counted = by_run(totals(connection, task, policy | treatment, only))
            frames.append(counted.with_columns(treatment=pl.lit(number, pl.Int64)))
    return pl.concat(frames).sort("assessor", "run", "treatment")
