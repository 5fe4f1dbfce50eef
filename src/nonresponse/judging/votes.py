"""The result of a vote of the assessors, as one more assessor (`official: majority` or `2 of
3`)."""

from collections.abc import Sequence

import polars as pl

from nonresponse.tables import GRADED_KEY, JUDGMENTS_KEY, NAME
from nonresponse.tasks import VERDICTS

VOTES = tuple(verdict for verdict in VERDICTS if verdict != "unscored")  # what a vote may be


def add_judgments(judgments: pl.DataFrame, verdict: pl.Expr, vote: dict) -> pl.DataFrame:
    """Return judgments with those of the vote; `verdict` is that of a label.

    The label is the most frequent one with the elected verdict; of several, the first in
    alphabetical order. An answer without an elected verdict has no judgment.
    """
    key = JUDGMENTS_KEY[1:]
    votes = judgments.unique().with_columns(verdict=verdict)
    labels = elect(votes, key, ["verdict"], vote).join(
        votes, on=[*key, "verdict"], nulls_equal=True
    )
    elected = labels.group_by(key).agg(pl.col("label").mode().min())
    elected = elected.with_columns(assessor=pl.lit(vote["name"]).cast(judgments["assessor"].dtype))
    return pl.concat([judgments, elected.select(judgments.columns)])


def add_graded(rows: pl.DataFrame, vote: dict) -> pl.DataFrame:
    """Return graded responses with those of the vote, whose verdict is the elected one, or
    unscored.

    All other columns are from the row of the first assessor by name.
    """
    key, verdicts = GRADED_KEY[1:], ("verdict", "withheld")
    first_rows = rows.group_by(key).agg(
        pl.col("assessor").cast(pl.String).min().cast(NAME),
        has_candidate=pl.col("withheld").is_not_null().any(),
    )
    first_rows = rows.drop(verdicts).join(first_rows, on=[*key, "assessor"], nulls_equal=True)
    elected = elect(rows, key, verdicts, vote)
    elected = first_rows.join(elected, on=key, nulls_equal=True).with_columns(
        pl.lit(vote["name"]).cast(NAME).alias("assessor"),
        pl.col("verdict").fill_null("unscored"),
        withheld=pl.when("has_candidate").then(pl.col("withheld").fill_null("unscored")),
    )
    return pl.concat([rows, elected.select(rows.columns)])


def elect(rows: pl.DataFrame, key: list[str], columns: Sequence[str], vote: dict) -> pl.DataFrame:
    """Return the verdict in each of these columns that enough assessors gave, by key; else that of
    the assessor who decides ties, null if there is none."""
    decides = pl.col("assessor").cast(pl.String) == (vote["ties"] or "")
    counts, elected = [], []
    for name in columns:
        numbers = {word: f"{name} {word}" for word in VOTES}
        counts += [(pl.col(name) == word).sum().alias(column) for word, column in numbers.items()]
        tie_break = pl.col(name).filter(decides).drop_nulls().first()
        counts.append(tie_break.alias(f"{name} of ties"))
        total = pl.sum_horizontal(numbers.values())
        winners = []
        for word, column in numbers.items():
            number, needed = pl.col(column), vote["needed"]
            is_enough = 2 * number > total if needed is None else number >= needed
            winners.append(pl.when(is_enough).then(pl.lit(word)))
        elected.append(pl.coalesce(*winners, f"{name} of ties").alias(name))
    return rows.group_by(key).agg(counts).select(*key, *elected)
