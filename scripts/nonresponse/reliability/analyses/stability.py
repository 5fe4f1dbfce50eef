"""Stability: how often a random subset of the questions orders two runs otherwise than most subsets do."""

import polars as pl

from nonresponse.reliability import majority
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.reliability.subsets import size_for


def count(outcomes: Outcomes, campaign: str, settings: dict, trials: range) -> dict:
    """wins and compared, as majority.counters has them."""
    size = size_for(outcomes, settings["size"])
    found = majority.counters(outcomes, settings["seed"], campaign, size, trials, settings["fuzziness"])
    return dict(zip(("wins", "compared"), found, strict=True))


def make(outcomes: Outcomes, assessor: str, campaign: str, settings: dict, counted: dict) -> list[pl.DataFrame]:
    """The table of majority.table, with the number of all questions."""
    size = size_for(outcomes, settings["size"])
    table = majority.table(counted["wins"], counted["compared"], settings["fuzziness"], outcomes.in_questions(size))
    return [table.with_columns(questions=pl.lit(outcomes.asked))]
