"""The number of questions: the swap method at many sizes, and curves through its error rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse.reliability.analyses import Analysis, Summary, Trials, by_measure

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from nonresponse.reliability.outcomes import Outcomes


DIFFERENCES = [step / 100 for step in range(1, 16)]


def count(outcomes: Outcomes, campaign: str, settings: dict, trials: range) -> dict:
    """comparisons and swaps by size: (sizes, bins)."""
    import numpy as np

    from nonresponse.reliability import swap_method
    from nonresponse.reliability.subsets import sizes

    lower = swap_method.lower_bounds(settings["bins"], settings["width"])
    found = [
        swap_method.counters(outcomes, settings["seed"], campaign, size, trials, lower)[:2]
        for size in sizes(outcomes.n, settings["sizes"])
    ]
    counters = np.array(found, np.int64).reshape(-1, 2, len(lower))
    return {"comparisons": counters[:, 0], "swaps": counters[:, 1]}


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: dict, counted: dict) -> list[pl.DataFrame]:
    """Swaps at all sizes; fitted curves, and their value at the size of the campaign."""
    import numpy as np
    import polars as pl

    from nonresponse.reliability import error_curves, swap_method
    from nonresponse.reliability.subsets import sizes

    lower = swap_method.lower_bounds(settings["bins"], settings["width"])
    counters = zip(sizes(outcomes.n, settings["sizes"]), counted["comparisons"], counted["swaps"], strict=True)
    nothing = swap_method.table([0] * len(lower), [0] * len(lower), np.nan, 0, lower).clear()
    tables = [nothing, *[swap_method.table(*found, np.nan, size, lower) for size, *found in counters]]
    seen = pl.concat(tables).select("bin", "lower", "size", "comparisons", "swaps")
    return [error_curves.table(seen, error_curves.fit(seen), outcomes.n)]


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """For each measure the difference that its questions can tell, and the questions that a difference needs."""
    import polars as pl

    from nonresponse.reliability import error_curves

    level = settings["level"]
    differences, needed = [], []
    for id, table in by_measure(files, settings["measures"]).items():
        n = table["size"].max() or 1  # a single question has no two halves, and so no sizes
        fits = error_curves.fit(table.drop_nulls("comparisons"))
        required = error_curves.required_difference(fits, n, level)
        at_n = table.filter(pl.col("comparisons").is_null() & pl.col("lower").eq_missing(required))
        differences.append(
            {"measure": id, "questions": n, "required_difference": required, "error_rate": at_n["fitted"].max()}
        )
        of_measure = error_curves.questions_needed(fits, DIFFERENCES, level, n)
        needed.append(of_measure.select(pl.lit(id).alias("measure"), pl.all()))
    return [pl.DataFrame(differences, infer_schema_length=None), pl.concat(needed)]


ANALYSIS = Analysis(
    "sample_size",
    Trials(
        tables=("sample_size",),
        settings=("seed", "sizes", "size_trials", "bins", "width"),
        numbers=("size_trials",),
        work=lambda settings: settings["size_trials"] / 10 * settings["sizes"] / 250,
        count=count,
        make=make,
    ),
    Summary(
        rule="questions_needed",
        tables=("sample_size", "questions_needed"),
        reads="sample_size",
        settings=("measures", "level"),
        make=summarise,
        local=True,
    ),
)
