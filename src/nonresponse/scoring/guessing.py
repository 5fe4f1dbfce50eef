"""The trivial run of multiple choice: it answers every question, and guesses among its options."""

from pathlib import Path

import polars as pl

from nonresponse.measures import Measure
from nonresponse.scoring.score import from_counts

GUESS = "guess"


def chance(options: int | str, questions: Path) -> float | None:
    """Return the share of correct answers that is expected of guesses: the mean of 1/m.

    `options` is m, or the name of a column, which `questions` has as `options`: there, a question
    without a number is an open one, which no guess gets right. None where there are no questions.
    """
    if isinstance(options, int):
        return 1 / options
    asked = pl.read_parquet(questions, columns=["options"])
    return asked.select((1 / pl.col("options")).fill_null(0.0).mean()).item()


def name(runs: pl.Series) -> str:
    """Return a name for the run that guesses: "guess", with a suffix if another run has that
    name."""
    found = GUESS
    while found in runs:
        found += " (expected)"
    return found


def added(
    counts: pl.DataFrame,
    scores: dict[str, pl.DataFrame],
    measures: list[Measure],
    official: str,
    run: str,
    share: float,
) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """Return counts and scores with the run that guesses, under the official assessor; `share` of
    its answers are right.

    It has as many questions as the run with most, and its expected counts, which need not be whole.
    Measures of other counts, of confidences or of an order are null.
    """
    n = counts.filter(pl.col("assessor") == official).select(pl.max("n").cast(pl.Float64)).item()
    expected = {"n": n, "n_ac": share * n, "n_aw": (1 - share) * n, "n_u": 0.0, "n_rightful": 0.0}
    row = pl.DataFrame(
        {
            "assessor": [official],
            "run": [run],
            **{name: [value] for name, value in expected.items()},
        }
    )
    counts = pl.concat(
        [counts.with_columns(pl.col("n_ac", "n_aw").cast(pl.Float64)), as_in(row, counts)]
    )
    found = {}
    for measure in measures:
        value = None
        if measure.kind == "counts" and set(measure.totals) <= expected.keys():
            value = from_counts(measure, row)["value"].item()
        own = row.select(
            "assessor",
            "run",
            *[pl.lit(value, pl.Float64).alias(end) for end in ("value", "worst", "best")],
        )
        found[measure.id] = pl.concat([scores[measure.id], own.select(scores[measure.id].columns)])
    return counts, found


def as_in(row: pl.DataFrame, counts: pl.DataFrame) -> pl.DataFrame:
    """Return the row with the columns and types of the counts, but real n_ac and n_aw; counts that
    it lacks are null."""
    types = counts.schema | dict.fromkeys(("n_ac", "n_aw"), pl.Float64())
    return row.select(
        (pl.col(name) if name in row.columns else pl.lit(None).alias(name)).cast(dtype)
        for name, dtype in types.items()
    )
