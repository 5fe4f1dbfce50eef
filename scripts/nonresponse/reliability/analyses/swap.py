"""The swap method: how often other questions contradict a difference, and so how large it must be."""

from pathlib import Path

import polars as pl

from nonresponse.reliability import swap_method
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.subsets import size_for
from nonresponse.reliability.table_files import by_measure


def count(outcomes: Outcomes, campaign: str, settings: dict, trials: range) -> dict:
    """comparisons, swaps, ties and highest, as swap_method.counters has them."""
    size, lower = size_for(outcomes, settings["size"]), swap_method.lower_bounds(settings["bins"], settings["width"])
    found = swap_method.counters(outcomes, settings["seed"], campaign, size, trials, lower)
    return dict(zip(("comparisons", "swaps", "ties", "highest"), found, strict=True))


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: dict, counted: dict) -> list[pl.DataFrame]:
    """The table of swap_method.table, with the number of all questions."""
    size, lower = size_for(outcomes, settings["size"]), swap_method.lower_bounds(settings["bins"], settings["width"])
    ties, highest = int(counted["ties"]), float(counted["highest"])
    table = swap_method.table(
        counted["comparisons"], counted["swaps"], ties, highest, outcomes.in_questions(size), lower
    )
    return [table.with_columns(questions=pl.lit(outcomes.asked))]


def summarise(files: list[Path], task: str, settings: dict, published: list[Path]) -> list[pl.DataFrame]:
    """Table 2 of Peñas & Rodrigo 2011, a row per measure; the figures published of the campaign in separate columns."""
    rows = [
        {"measure": id, "questions": table["questions"][0], **swap_method.sensitivity(table, settings["level"])}
        for id, table in by_measure(files, "swap").items()
    ]
    found = pl.DataFrame(rows, infer_schema_length=None)
    for path in published:
        figures = pl.read_csv(path).rename(lambda name: name if name == "measure" else f"published_{name}")
        found = found.join(figures, on="measure", how="left", maintain_order="left")
    return [found]
