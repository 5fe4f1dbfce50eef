"""Sentences above a leaderboard on which questions runs were asked."""

import polars as pl

from nonresponse import legible
from nonresponse.wording import capital, describe_part, format_rounded, plural, summarise_names

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
        sentences = [f"{subject} {verb} asked {number} {unit}s."]
        sentences += describe_scored_questions(runs, compare_on, total, unit)
    if lacking.height:
        subject = plural(lacking.height, "run", "has", "have")
        number = format_range(lacking["n_missing"])
        sentences.append(
            f"{subject} no response to {number} of the {unit}s; these count as {missing} (option"
            " missing)."
        )
    return sentences


def describe_scored_questions(
    runs: pl.DataFrame, compare_on: str | None, total: float, unit: str
) -> list[str]:
    """Return on which questions runs are scored that were not all asked the same ones."""
    if compare_on == "all":
        disjoint = runs.height > 1 and runs["n_asked"].sum() == total
        differ = f"scores differ by the {unit}s as much as by the runs."
        return [
            f"Each score is over the {unit}s that the run was asked (compare_on: all).",
            *[f"No two runs were asked the same {unit}: {differ}"] * disjoint,
        ]
    scored, left_out = runs.filter(pl.col("n_shared") > 0), runs.filter(pl.col("n_shared") == 0)
    if left_out.is_empty() and (runs["n_shared"] == runs["n_asked"]).all():
        return []
    sentences = []
    if scored.height:
        number = format_range(scored["n_shared"])
        questions = f"{number} {unit}{'s' * (number != '1')} that all of them were asked"
        subject = plural(scored.height, "run", "is", "are")
        sentences = [f"{subject} scored and compared on the {questions}."]
    if left_out.height:
        names = summarise_names([legible.short(run) for run in left_out["run"]])
        reason = f"with too few shared {unit}s (compare_on: all scores every run)"
        sentences.append(f"Not scored: {names}, {reason}.")
    return sentences


def format_range(numbers: pl.Series) -> str:
    """Return a number of questions, or the smallest and the largest if there are several."""
    low, high = format_number(numbers.min()), format_number(numbers.max())  # type: ignore[arg-type]
    return low if low == high else f"{low} to {high}"


def format_number(number: float) -> str:
    """Return a number of questions as text. A mean over epochs has one decimal."""
    return f"{number:,.10g}" if number == int(number) else format_rounded(number, 1)
