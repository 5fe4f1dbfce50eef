"""Sentences above a leaderboard on what runs were asked: if that differs, scores mean little
without it."""

import polars as pl

from nonresponse import legible
from nonresponse.wording import capital, listed, out_of, plural, rounded

COLUMNS = ["n_asked", "n_shared", "n_not_asked", "n_missing"]  # of a leaderboard


def describe_question_sets(
    board: pl.DataFrame, missing: str | None, compare_on: str | None, unit: str = "question"
) -> list[str]:
    """Return how many questions runs were asked and did not respond to; nothing where each
    responded to all questions.

    `unit` is what is judged, a question or one of its pairs. `missing` and `compare_on` are the
    campaign's options, None for published counts.
    """
    if missing is None or not {*COLUMNS} <= {*board.columns}:
        return []
    runs = board.filter(~pl.col("trivial")).select("run", pl.col(COLUMNS).fill_null(0))
    fewer, lacking = (runs.filter(pl.col(name) > 0) for name in ("n_not_asked", "n_missing"))
    sentences = []
    if fewer.height:
        total = runs.select((pl.col("n_asked") + pl.col("n_not_asked")).max()).item()
        who = capital(out_of(fewer.height, runs.height))
        was = "was" if fewer.height == 1 else "were"
        asked = f"{format_range(fewer['n_asked'])} of {format_number(total)}"
        sentences = [
            f"{who} {was} asked {asked} {unit}s.",
            *describe_scored_questions(runs, compare_on, total, unit),
        ]
    if lacking.height:
        which = f"{plural(lacking.height, 'run', 'has', 'have')} no response to"
        some = f"{format_range(lacking['n_missing'])} of the {unit}s"
        sentences.append(f"{which} {some}; these count as {missing} (option missing).")
    return sentences


def describe_scored_questions(
    runs: pl.DataFrame, compare_on: str | None, total: float, unit: str
) -> list[str]:
    """Return on which questions runs are scored that were not all asked the same ones."""
    if compare_on == "all":
        differ = f"scores differ by the {unit}s as much as by the runs."
        apart = runs.height > 1 and runs["n_asked"].sum() == total
        return [
            f"Each score is over the {unit}s that the run was asked (compare_on: all).",
            *[f"No two runs were asked the same {unit}: {differ}"] * apart,
        ]
    compared, left_out = runs.filter(pl.col("n_shared") > 0), runs.filter(pl.col("n_shared") == 0)
    if left_out.is_empty() and (runs["n_shared"] == runs["n_asked"]).all():
        return []
    sentences = []
    if compared.height:
        who, shared = (
            plural(compared.height, "run", "is", "are"),
            format_range(compared["n_shared"]),
        )
        same = f"{shared} {unit}{'s' * (shared != '1')}"
        sentences = [f"{who} scored and compared on the {same} that all of them were asked."]
    if left_out.height:
        names = listed([legible.short(run) for run in left_out["run"]])
        few = f"with too few shared {unit}s (compare_on: all scores every run)"
        sentences.append(f"Not scored: {names}, {few}.")
    return sentences


def format_range(numbers: pl.Series) -> str:
    """Return a number of questions, or the smallest and the largest if there are several."""
    least, most = format_number(numbers.min()), format_number(numbers.max())  # type: ignore[arg-type]
    return least if least == most else f"{least} to {most}"


def format_number(number: float) -> str:
    """Return a number of questions as text; a mean over epochs has one decimal."""
    return f"{number:,.10g}" if number == int(number) else rounded(number, 1)
