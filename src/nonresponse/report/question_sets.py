"""Sentences above a leaderboard on what runs were asked: if that differs, scores mean little
without it."""

import polars as pl

from nonresponse import legible
from nonresponse.wording import listed, plural, rounded

COLUMNS = ["n_asked", "n_shared", "n_not_asked", "n_missing"]  # of a leaderboard


def sentences(
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
    said, lacking = (
        of_different_questions(runs, compare_on, unit),
        runs.filter(pl.col("n_missing") > 0)["n_missing"],
    )
    if lacking.len():
        none = (
            f"{plural(lacking.len(), 'run', 'has', 'have')} no response to "
            f"{between(lacking)} of the {unit}s"
        )
        said.append(f"{none}; these count as {missing} (option missing).")
    return said


def of_different_questions(runs: pl.DataFrame, compare_on: str | None, unit: str) -> list[str]:
    """Return the sentence on runs that were not asked all questions, and on which ones they are
    compared."""
    fewer = runs.filter(pl.col("n_not_asked") > 0)
    if fewer.is_empty():
        return []
    total = runs.select((pl.col("n_asked") + pl.col("n_not_asked")).max()).item()
    number = "the run" if runs.height == 1 else f"{fewer.height:,} of {plural(runs.height, 'run')}"
    verb = "was" if fewer.height == 1 else "were"
    if 1 < fewer.height == runs.height:
        number, verb = "both runs" if runs.height == 2 else f"all {runs.height:,} runs", "were"
    asked, fewest = (
        between(fewer["n_asked"]),
        fewer.filter(pl.col("n_asked") == pl.col("n_asked").min())["run"],
    )
    if fewest.len() == 1 < fewer.height:
        asked = asked.replace(" to ", f" ({legible.short(fewest[0])}) to ", 1)
    said = f"{number[0].upper()}{number[1:]} {verb} asked {asked} of {number_of(total)} {unit}s"
    compared, left_out = runs.filter(pl.col("n_shared") > 0), runs.filter(pl.col("n_shared") == 0)
    if compare_on == "all" and runs.height > 1 and runs["n_asked"].sum() == total:
        return [
            f"{said}, and no two of them the same one; scores differ by the {unit}s as much as "
            "by the runs."
        ]
    if compare_on == "all":
        return [f"{said}; each score is over the {unit}s that the run was asked (compare_on: all)."]
    if left_out.is_empty() and (runs["n_shared"] == runs["n_asked"]).all():
        return [f"{said}."]
    both = "both runs" if compared.height == 2 else "all runs"
    who = both if left_out.is_empty() else f"{compared.height:,} runs"
    them = "both" if compared.height == 2 else "all of them"
    shared = between(compared["n_shared"])
    compared_on = [f"{said}; {who} are scored and compared on the {shared} that {them} were asked."]
    if left_out.is_empty():
        return compared_on
    names = listed([legible.short(run) for run in left_out["run"]])
    few = (
        f"{names} {'shares' if left_out.height == 1 else 'share'} too few {unit}s with them "
        "to be scored"
    )
    return [*compared_on, f"{few} (compare_on: all scores every run)."]


def between(numbers: pl.Series) -> str:
    """Return a number of questions, or the smallest and the largest if there are several."""
    least, most = number_of(numbers.min()), number_of(numbers.max())  # type: ignore[arg-type]
    return least if least == most else f"{least} to {most}"


def number_of(number: float) -> str:
    """Return a number of questions as text; a mean over epochs has one decimal."""
    return f"{number:,.10g}" if number == int(number) else rounded(number, 1)
