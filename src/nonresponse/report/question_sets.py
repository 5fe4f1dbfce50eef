"""Sentences above a leaderboard on which questions runs were asked."""

import polars as pl

from nonresponse.wording import capital, describe_part, format_rounded, plural

COLUMNS = ["n_asked", "n_shared", "n_not_asked", "n_missing"]  # of a leaderboard


def describe_question_sets(
    board: pl.DataFrame, missing: str | None, compare_on: str | None, unit: str = "question"
) -> list[str]:
    """Return how many questions runs were asked and did not respond to, if these differ.

    `unit` is what is judged, a question or one of its pairs. `missing` and `compare_on` are the
    campaign's options, None for published counts.
    """
    if missing is None or not {*COLUMNS} <= {*board.columns}:
        return []
    runs = board.filter(~pl.col("trivial")).select("run", pl.col(COLUMNS).fill_null(0))
    not_asked, lacking = (runs.filter(pl.col(name) > 0) for name in ("n_not_asked", "n_missing"))
    sentences = []
    if not_asked.height:
        total = runs.select((pl.col("n_asked") + pl.col("n_not_asked")).max()).item()
        subject = capital(describe_part(not_asked.height, runs.height))
        verb = "was" if not_asked.height == 1 else "were"
        number = f"{format_range(not_asked['n_asked'])} of {format_number(total)}"
        scored = "each run is scored on those that it was asked, which may be easier or harder"
        if compare_on != "all":
            shared = runs.select(pl.max("n_shared")).item()
            left_out = runs.filter(n_shared=0).height
            scored = f"scores are on the {format_number(shared)} that all scored runs were asked"
            scored += f", and {plural(left_out, 'run', 'is', 'are')} not scored" * (left_out > 0)
        sentences = [f"{subject} {verb} asked {number} {unit}s; {scored} (option compare_on)."]
    if lacking.height:
        subject = plural(lacking.height, "run", "has", "have")
        number = format_range(lacking["n_missing"])
        sentences.append(
            f"{subject} no response to {number} of the {unit}s; these count as {missing} (option"
            " missing)."
        )
    return sentences


def format_range(numbers: pl.Series) -> str:
    """Return a number of questions, or the smallest and the largest if there are several."""
    low, high = format_number(numbers.min()), format_number(numbers.max())  # type: ignore[arg-type]
    return low if low == high else f"{low} to {high}"


def format_number(number: float) -> str:
    """Return a number of questions as text. A mean over epochs has one decimal."""
    return f"{number:,.10g}" if number == int(number) else format_rounded(number, 1)
