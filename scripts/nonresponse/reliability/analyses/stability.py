"""Stability: how often a random subset of the questions orders two runs otherwise than most subsets do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nonresponse.reliability.analyses import Analysis, Trials, work_of_trials

if TYPE_CHECKING:
    import polars as pl

    from nonresponse.reliability.outcomes import Outcomes


def count(outcomes: Outcomes, campaign: str, settings: dict, trials: range) -> dict:
    """wins and compared, as majority.counters has them."""
    from nonresponse.reliability import majority
    from nonresponse.reliability.subsets import size_for

    size = size_for(outcomes, settings["size"])
    found = majority.counters(outcomes, settings["seed"], campaign, size, trials, settings["fuzziness"])
    return dict(zip(("wins", "compared"), found, strict=True))


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: dict, counted: dict) -> list[pl.DataFrame]:
    """The table of majority.table, with the number of all questions."""
    import polars as pl

    from nonresponse.reliability import majority
    from nonresponse.reliability.subsets import size_for

    size = size_for(outcomes, settings["size"])
    table = majority.table(counted["wins"], counted["compared"], settings["fuzziness"], outcomes.in_questions(size))
    return [table.with_columns(questions=pl.lit(outcomes.asked))]


ANALYSIS = Analysis(
    "stability",
    Trials(
        tables=("stability",),
        settings=("seed", "size", "trials", "fuzziness"),
        numbers=("trials",),
        work=work_of_trials,
        count=count,
        make=make,
    ),
)
