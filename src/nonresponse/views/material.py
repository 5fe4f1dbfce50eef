"""What views are made of: what they may read of a campaign, and what each of them shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from nonresponse import measures, tables
from nonresponse.database import connect, fetched
from nonresponse.judging.store import VERDICTS_FILE, Verdicts, read_verdicts
from nonresponse.measures import Measure
from nonresponse.measures.orderings import Order
from nonresponse.reliability.clusters import clusters_in
from nonresponse.reliability.outcomes import samples_of
from nonresponse.scoring.leaderboard import with_rank
from nonresponse.scoring.tally import resolved
from nonresponse.settings import Settings
from nonresponse.tasks import Task

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def mean(term: str) -> str:
    """SQL: the mean of reals, rounded to multiples of 2^-32, since threads add them in any order."""
    return f"{total(term)} / count(*)"


def total(term: str) -> str:
    """SQL: the sum of reals, likewise rounded."""
    return f"sum(round(({term}) * {measures.EXACT})::BIGINT) / {measures.EXACT}.0"


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
    def verdicts(self) -> DuckDBPyConnection:
        """A database with the view `verdicts`: official ones under the policy, without excluded questions."""
        connection = connect()
        self.store.add_rows(connection, "every", self.official)
        connection.execute("SET VARIABLE official = $1", [self.official])
        query = resolved(self.policy, self.task.id, "every")
        connection.execute(f"CREATE TEMP VIEW verdicts AS {query} AND assessor = getvariable('official')")
        return connection

    @cached_property
    def questions(self) -> pl.DataFrame:
        """question and category of the questions that count for some run, sorted by name."""
        items = self.store.items.filter(self.counted())
        return items.group_by("question").agg(pl.col("category").min()).sort("question")

    def counted(self, term: str = "TRUE") -> np.ndarray:
        """Whether each item of the store counts for some run, on a verdict that meets a term in SQL: bool (items,)."""
        [its] = self.store.table([term], resolved(self.policy, self.task.id, "cases")) > 0
        return self.store.have(self.store.assessors.index(self.official), its)

    @cached_property
    def clusters(self) -> dict[str, str]:
        """The cluster of each question that is in one."""
        clustered = self.settings.get("clustered", False)
        return clusters_in([self.folder / "questions.parquet"] if clustered else [])

    @cached_property
    def orders(self) -> dict[str, Order]:
        """The order of `questions` by each run that says how sure it is; those left open come last."""
        if not {"position", "confidence", "score"} & self.store.planes.keys():  # nothing to sort
            return {}
        measure = measures.get(self.task.id, "coverage@0.1")  # which reads the order of all questions
        names = self.questions.select("question").with_row_index("number")
        items = self.store.items.join(names, on="question", how="left", maintain_order="left")
        number = items["number"].fill_null(0).to_numpy()
        orders = samples_of(self.store, self.official).orders_by_place(measure, self.policy, number)
        found = {self.store.runs[place]: order for place, order in orders.items()}
        own = ((run, found[run]) for run in self.counts["run"] if run in found)
        return {run: order for run, order in own if order.ordered and order.abstained < len(order.question)}

    @cached_property
    def weights(self) -> dict[str, np.ndarray]:
        """Of each run in `orders`, one over the samples that it was asked of each row's question; empty where questions
        were asked once.
        """
        if not self.orders or not self.store.repeated:
            return {}
        asked = "assessor = getvariable('official') AND verdict <> 'not asked'"
        samples = fetched(
            self.verdicts.sql(f"SELECT run, question, count(*) AS samples FROM every WHERE {asked} GROUP BY ALL")
        )
        of_runs, names = samples.partition_by("run", as_dict=True), self.questions.select("question")
        number = {
            run: names.join(of_runs[run,], on="question", how="left", maintain_order="left")["samples"].to_numpy()
            for run in self.orders
        }
        return {run: 1 / number[run][order.question] for run, order in self.orders.items()}


def schema(columns: dict[str, str], *types: type[pl.DataType] | pl.DataType) -> pl.Schema:
    """The columns of a view with these types."""
    return pl.Schema(zip(columns, types, strict=True))


def module_of(id: str) -> ModuleType:
    """The module of a view: `table_of(material)` makes its CSV file, without rows where there is nothing to show.

    From a table with rows, `sentences(table, material)` makes the sentences and `figure(table, title)`, if the module
    has it, the figure. The page shows HEADING, CAPTION and COLUMNS (explained), except those in NOT_SHOWN.
    """
    return import_module(f"nonresponse.views.{id}")
