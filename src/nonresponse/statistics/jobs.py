"""The tables of an analysis of one measure, and the module that makes them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import polars as pl

from nonresponse.memo import Memo
from nonresponse.settings import Settings
from nonresponse.statistics.cache import NOTHING, Cache

if TYPE_CHECKING:
    from nonresponse.statistics.outcomes import Outcomes


def functions(analysis: str) -> Any:
    """Return the module of an analysis, with the functions that `analyses` describes."""
    return import_module(f"nonresponse.statistics.{analysis}")


def make_tables(
    analysis: str, outcomes: Outcomes, assessor: str, campaign: str, settings: Settings, cache: Cache = NOTHING
) -> list[pl.DataFrame]:
    """Return the tables of an analysis; SizeError when there are too few questions for `size`.

    cache: of this measure, for all analyses; the tables are the same without it.
    """
    made: list[pl.DataFrame] = functions(analysis).make(outcomes, assessor, campaign, settings, cache)
    return made


def cache_for(outcomes: Outcomes, campaign: str, settings: Settings, memo: Memo) -> Cache:
    """Return what is known of the analyses of a measure; `save` keeps what they have counted."""
    return Cache(memo, outcomes.measure.id, outcomes.measure.extra, outcomes.questions, campaign, settings)
