"""The tables of an analysis of one measure, and the module that makes them."""

from importlib import import_module
from typing import Any

import polars as pl

from nonresponse.memo import Memo
from nonresponse.reliability.cache import NOTHING, Cache
from nonresponse.reliability.outcomes import Outcomes
from nonresponse.settings import Settings


def functions(analysis: str) -> Any:
    """Return the module of an analysis, with the functions that `analyses` describes."""
    return import_module(f"nonresponse.reliability.{analysis}")


def make_tables(
    analysis: str, outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, memo: Memo | None = None
) -> list[pl.DataFrame]:
    """Return the tables of an analysis; SizeError when there are too few questions for `size`.

    memo: of this analysis and measure; the tables are the same without it.
    """
    about = analysis, outcomes.measure.id, outcomes.measure.extra, outcomes.questions, campaign, settings
    cache = Cache(memo, *about) if memo else NOTHING
    made = functions(analysis).make(outcomes, assessor, campaign, settings, cache)
    cache.save()
    return made
