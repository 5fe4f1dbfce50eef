"""The number of questions: components of variance, and the swap method at many sizes with curves through its rates."""

from pathlib import Path

import numpy as np
import polars as pl

from nonresponse.reliability import numbers_of_questions, swap_method
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.subsets import sizes
from nonresponse.reliability.table_files import by_measure


def count(outcomes: Outcomes, campaign: str, settings: dict, trials: range) -> dict:
    """comparisons and swaps by size: (sizes, bins)."""
    lower, of_sizes = (
        swap_method.lower_bounds(settings["bins"], settings["width"]),
        sizes(outcomes.n, settings["sizes"]),
    )
    counted = swap_method.counters_of_sizes(outcomes, settings["seed"], campaign, of_sizes, trials, lower)
    return dict(zip(("comparisons", "swaps"), counted[:2], strict=True))


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: dict, counted: dict) -> list[pl.DataFrame]:
    """Swaps at all sizes with fitted curves; the questions that differences need; what the paired test can see."""
    of_sizes = sizes(outcomes.n, settings["sizes"])
    lower = swap_method.lower_bounds(settings["bins"], settings["width"])
    bins = np.arange(1, len(lower) + 1, dtype=np.int32)
    seen = pl.DataFrame(
        {
            "bin": np.tile(bins, len(of_sizes)),
            "lower": np.tile(lower, len(of_sizes)),
            "size": np.repeat(np.array([outcomes.in_questions(size) for size in of_sizes], np.int64), len(lower)),
            "comparisons": counted["comparisons"].ravel(),
            "swaps": counted["swaps"].ravel(),
        }
    )
    return numbers_of_questions.tables(outcomes, campaign, settings, seen)


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """For each measure what the questions suffice for, the questions that a difference needs, and power."""
    needed, power = (
        pl.concat(table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in by_measure(files, part).items())
        for part in ("questions_needed", "power")
    )
    of_campaign = ["measure", "n", "required_difference", "voorhees_required_difference", "voorhees_error_rate"]
    enough = needed.select(of_campaign).unique(maintain_order=True).rename({"n": "questions"})
    return [enough, needed.drop(of_campaign[1:]), power]
