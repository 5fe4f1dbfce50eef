"""What views are made of: what they may read of a campaign, and what each of them shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl

from nonresponse import measures, tables
from nonresponse.judging.store import SURE, VERDICTS_FILE, Verdicts, read_verdicts
from nonresponse.measures import Measure
from nonresponse.measures.orderings import Order
from nonresponse.scoring.leaderboard import with_rank
from nonresponse.scoring.tally import resolved
from nonresponse.settings import Settings
from nonresponse.statistics.clusters import clusters_in
from nonresponse.statistics.outcomes import samples_of
from nonresponse.tasks import NOT_ASKED, Task


def exact_sum(values: np.ndarray) -> float:
    """The sum of reals that are not negative, each rounded to a multiple of 2^-32."""
    return float(np.floor(values * measures.EXACT + 0.5).sum() / measures.EXACT)


@dataclass(frozen=True)
class Material:
    """What a view may read of a campaign, all of it under the official assessor."""

    task: Task
    folder: Path
    policy: dict
    # measures, official, trivial (runs); level and tested (measures) if runs were compared; what the views name
    settings: Settings

    @property
    def measures(self) -> list[Measure]:
        """The campaign's measures; the first one ranks."""
        return [measures.get(self.task.id, id) for id in self.settings["measures"]]

    @cached_property
    def official(self) -> str:
        """The official assessor."""
        return tables.official(self.settings.get("official"), pl.scan_parquet(self.folder / "counts.parquet"))

    @cached_property
    def counts(self) -> pl.DataFrame:
        """A row per run, the best by the first measure first; `trivial` says whether it is one of the trivial runs."""
        table = pl.read_parquet(self.folder / "counts.parquet").filter(pl.col("assessor") == self.official)
        first, trivial = self.measures[0], pl.col("run").is_in(self.settings.get("trivial", []))
        value = self.scores(first.id).select("run", pl.col("value").alias(first.id))
        ranked = with_rank(table.join(value, on="run", how="left").with_columns(trivial=trivial), first)
        return ranked.drop(first.id, "tied", "assessor")

    def scores(self, id: str) -> pl.DataFrame:
        """run and value of one measure."""
        table = pl.read_parquet(self.folder / f"scores/{id}.parquet")
        return table.filter(pl.col("assessor") == self.official).select("run", "value")

    @cached_property
    def store(self) -> Verdicts:
        """The verdict store."""
        return read_verdicts(self.folder / VERDICTS_FILE)

    @cached_property
    def questions(self) -> pl.DataFrame:
        """question and category of the questions that count for some run, sorted by name."""
        items = self.store.items.filter(self.counted())
        return items.group_by("question").agg(pl.col("category").min()).sort("question")

    def counted(self, term: str = "TRUE") -> np.ndarray:
        """Whether each item of the store counts for some run, on a verdict that meets a term in SQL: bool (items,)."""
        [its] = self.cases(term)
        return self.store.have(self.official_place, its)

    @cached_property
    def clusters(self) -> dict[str, str]:
        """The cluster of each question that is in one."""
        clustered = self.settings.get("clustered", False)
        return clusters_in([self.folder / "questions.parquet"] if clustered else [])

    @cached_property
    def official_place(self) -> int:
        """The place of the official assessor in the store."""
        return self.store.assessors.index(self.official)

    def cases(self, *terms: str) -> np.ndarray:
        """Whether each case counts and meets each term in SQL, under the policy: bool (terms, cases)."""
        return self.store.table(terms, resolved(self.policy, self.task.id, "cases")) > 0

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each run in the store, in the order of the leaderboard."""
        place = {run: number for number, run in enumerate(self.store.runs)}
        return {run: place[run] for run in self.counts["run"] if run in place}

    @cached_property
    def question_numbers(self) -> np.ndarray:
        """The number in `questions` of each item's question, -1 for those that do not count."""
        names = self.questions.select("question").with_row_index("number")
        items = self.store.items.join(names, on="question", how="left", maintain_order="left")
        return items["number"].cast(pl.Int64).fill_null(-1).to_numpy()

    @cached_property
    def orders(self) -> dict[str, Order]:
        """The order of `questions` by each run that says how sure it is; those left open come last."""
        if not {*SURE} & self.store.planes.keys():  # nothing to sort
            return {}
        measure = measures.get(self.task.id, "coverage@0.1")  # which reads the order of all questions
        orders = samples_of(self.store, self.official).orders_by_place(measure, self.policy, self.question_numbers)
        own = ((run, orders[place]) for run, place in self.places.items() if place in orders)
        return {run: order for run, order in own if order.ordered and order.abstained < len(order.question)}

    @cached_property
    def weights(self) -> dict[str, np.ndarray]:
        """Of each run in `orders`, one over the samples that it was asked of each row's question; empty where questions
        were asked once.
        """
        if not self.orders or not self.store.repeated:
            return {}
        [asked] = self.store.table([f"verdict <> '{NOT_ASKED}'"]) > 0
        there, found = self.question_numbers >= 0, {}
        for run, order in self.orders.items():
            own = asked[self.store.codes[self.official_place, self.places[run]]] & there
            found[run] = 1 / np.bincount(self.question_numbers[own], minlength=self.questions.height)[order.question]
        return found


def schema(columns: dict[str, str], *types: type[pl.DataType] | pl.DataType) -> pl.Schema:
    """The columns of a view with these types."""
    return pl.Schema(zip(columns, types, strict=True))


def module_of(id: str) -> ModuleType:
    """The module of a view: `table_of(material)` makes its CSV file, without rows where there is nothing to show.

    From a table with rows, `sentences(table, material)` makes the sentences and `figure(table, title)`, if the module
    has it, the figure. The page shows HEADING, CAPTION and COLUMNS (explained), except those in NOT_SHOWN.
    """
    return import_module(f"nonresponse.views.{id}")
