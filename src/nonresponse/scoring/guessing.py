"""The trivial run of multiple choice: it answers every question, and guesses among its options."""

import polars as pl

from nonresponse.measures import Measure
from nonresponse.scoring.score import evaluate_counts

GUESS = "guess"


def choose_name(runs: pl.Series) -> str:
    """Return "guess", with a suffix if another run has that name."""
    name = GUESS
    while name in runs:
        name += " (expected)"
    return name


def add_guess(
    counts: pl.DataFrame,
    scores: dict[str, pl.DataFrame],
    measures: list[Measure],
    official: str,
    run: str,
    options: int,
) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """Return counts and scores with the run that guesses among so many options, under the official
    assessor.

    It has as many questions as the run with most, and its expected counts, which need not be whole.
    Measures of other counts, of confidences or of an order are null.
    """
    share = 1 / options
    n = counts.filter(pl.col("assessor") == official).select(pl.max("n").cast(pl.Float64)).item()
    expected = {"n": n, "n_ac": share * n, "n_aw": (1 - share) * n, "n_u": 0.0, "n_rightful": 0.0}
    row = pl.DataFrame({"assessor": official, "run": run, **expected})
    counts = counts.with_columns(pl.col("n_ac", "n_aw").cast(pl.Float64))
    types = pl.Schema({name: counts.schema[name] for name in row.columns if name in counts.columns})
    extended = {}
    for measure in measures:
        value = None
        if measure.kind == "counts" and set(measure.totals) <= expected.keys():
            value = evaluate_counts(measure, row)["value"].item()
        score = pl.lit(value, pl.Float64)
        guess = row.select("assessor", "run", value=score, worst=score, best=score)
        extended[measure.id] = pl.concat([scores[measure.id], guess])
    return pl.concat([counts, row.select(*types).cast(types)], how="diagonal"), extended
