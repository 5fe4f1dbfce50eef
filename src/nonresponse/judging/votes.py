"""The result of a vote of the assessors, as one more assessor (`official: majority` or `2 of
3`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from nonresponse.database import sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def held_in(connection: DuckDBPyConnection, table: str, vote: dict) -> bool:
    """Return whether there is a vote on a table of judgments or of graded responses.

    Not if an assessor has the vote's name and config.votes lets that assessor replace the vote.
    """
    named = f"SELECT count(*) FROM {table} WHERE assessor = $1"
    return not (vote["or_named"] and connection.sql(named, params=[vote["name"]]).fetchall()[0][0])


def add(
    connection: DuckDBPyConnection, table: str, vote: dict, correct: list[str], partial: list[str]
) -> None:
    """Add the result of the vote to a table of judgments or of graded responses.

    correct and partial are the labels that count as these verdicts.
    """
    values = {
        "assessor": vote["name"],
        "ties": vote["ties"] or "",
        "correct": correct,
        "partial": partial,
    }
    for name, value in values.items():
        connection.execute(f"SET VARIABLE {name} = $1", [value])
    query = "votes_graded" if "verdict" in connection.table(table).columns else "votes_judgments"
    connection.execute(f"CREATE OR REPLACE TABLE cast_in AS SELECT * FROM {table}")
    texts = {
        "source": "cast_in",
        "elected": elected("votes", vote),
        "elected_withheld": elected("of_withheld", vote),
    }
    connection.execute(sql(query, **texts))
    connection.execute(
        f"CREATE OR REPLACE VIEW {table} AS FROM cast_in UNION ALL BY NAME FROM voted"
    )


def held(vote: dict | None, files: list[Path]) -> bool:
    """Return whether the official verdicts are a vote: not where an assessor in the tables
    (paths.vote_tables) replaces it."""
    if not vote or not vote["or_named"] or not files:
        return bool(vote)
    return (
        pl.scan_parquet(files)
        .filter(pl.col("assessor") == vote["name"])
        .limit(1)
        .collect()
        .is_empty()
    )


def elected(votes: str, vote: dict) -> str:
    """Return SQL: the verdict that enough assessors gave, from a list of their verdicts; null if
    there is none."""
    enough = (
        f"2 * {{times}} > len({votes})"
        if vote["needed"] is None
        else f"{{times}} >= {vote['needed']:d}"
    )
    enough = enough.format(times=f"len(list_filter({votes}, lambda other: other = one))")
    return f"list_filter(list_distinct({votes}), lambda one: {enough})[1]"
