"""The result of a vote of the assessors, as one more assessor (`official: majority` or `2 of
3`)."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from nonresponse.tables import GRADED_KEY, JUDGMENTS_KEY, NAME
from nonresponse.tasks import VERDICTS

VOTES = tuple(verdict for verdict in VERDICTS if verdict != "unscored")  # what a vote may be


def is_vote(vote: dict | None, files: list[Path]) -> bool:
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


def add_judgments(judgments: pl.DataFrame, verdict: pl.Expr, vote: dict) -> pl.DataFrame:
    """Return judgments with those of the vote; `verdict` is that of a label.

    The label is the most frequent one with the elected verdict; of several, the first in
    alphabetical order. An answer without an elected verdict has no judgment.
    """
    key = JUDGMENTS_KEY[1:]
    cast = judgments.unique().with_columns(verdict=verdict)
    labels = elect(cast, key, ["verdict"], vote).join(cast, on=[*key, "verdict"], nulls_equal=True)
    voted = labels.group_by(key).agg(pl.col("label").mode().min())
    voted = voted.with_columns(assessor=pl.lit(vote["name"]).cast(judgments["assessor"].dtype))
    return pl.concat([judgments, voted.select(judgments.columns)])


def add_graded(rows: pl.DataFrame, vote: dict) -> pl.DataFrame:
    """Return graded responses with those of the vote, whose verdict is the elected one, or
    unscored.

    All other columns are from the row of the first assessor by name.
    """
    key, verdicts = GRADED_KEY[1:], ("verdict", "withheld")
    name = pl.col("assessor").cast(pl.String)
    handed_in = rows.group_by(key).agg(
        name.min().cast(NAME), pl.col("withheld").is_not_null().any().alias("handed in")
    )
    first = rows.drop(verdicts).join(handed_in, on=[*key, "assessor"], nulls_equal=True)
    voted = first.join(elect(rows, key, verdicts, vote), on=key, nulls_equal=True).with_columns(
        pl.lit(vote["name"]).cast(NAME).alias("assessor"),
        pl.col("verdict").fill_null("unscored"),
        withheld=pl.when("handed in").then(pl.col("withheld").fill_null("unscored")),
    )
    return pl.concat([rows, voted.select(rows.columns)])


def elect(rows: pl.DataFrame, key: list[str], columns: Sequence[str], vote: dict) -> pl.DataFrame:
    """Return the verdict in each of these columns that enough assessors gave, by key; else that of
    the assessor who decides ties, null if there is none."""
    is_tied = pl.col("assessor").cast(pl.String) == (vote["ties"] or "")
    counts = [
        (pl.col(name) == word).sum().alias(f"{name} {word}") for name in columns for word in VOTES
    ]
    decided = [
        pl.col(name).filter(is_tied).drop_nulls().first().alias(f"{name} decided")
        for name in columns
    ]
    elected = []
    for name in columns:
        votes = pl.sum_horizontal(f"{name} {word}" for word in VOTES)
        enough = [
            2 * pl.col(f"{name} {word}") > votes
            if vote["needed"] is None
            else pl.col(f"{name} {word}") >= vote["needed"]
            for word in VOTES
        ]
        chosen = [pl.when(one).then(pl.lit(word)) for one, word in zip(enough, VOTES, strict=True)]
        elected.append(pl.coalesce(*chosen, f"{name} decided").alias(name))
    return rows.group_by(key).agg(*counts, *decided).select(*key, *elected)
