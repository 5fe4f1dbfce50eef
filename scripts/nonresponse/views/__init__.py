"""Views: what else a campaign's results say, each a record and a table, from which the rule and the page follow.

A new view is a module here and its name in NAMES. This package imports neither Polars nor numpy: Snakemake reads it
each time it starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from nonresponse import measures, tasks

if TYPE_CHECKING:
    import polars as pl
    from duckdb import DuckDBPyConnection

    from nonresponse.figures.vega_lite import Spec
    from nonresponse.measures import Measure
    from nonresponse.measures.orderings import Order
    from nonresponse.tasks import Task

ROWS = 5_000_000  # of verdicts that are sorted at a time, which bounds the memory

# In the order of the page.
NAMES = (
    "groups",
    "equivalent",
    "orders",
    "required",
    "labels",
    "silence",
    "combination",
    "nil_places",
    "hypotheses",
    "roc",
    "guessing",
    "penalties",
    "crossings",
    "risk",
    "reliability_diagram",
    "cut_offs",
)


def mean(term: str) -> str:
    """The mean of reals in SQL: of multiples of 2^-32, since threads add in any order."""
    return f"sum(round(({term}) * {measures.EXACT})::BIGINT) / {measures.EXACT}.0 / count(*)"


@dataclass(frozen=True)
class Material:
    """What a view may read of a campaign, all of it under the official assessor."""

    task: Task
    folder: Path
    policy: dict
    # measures, official, trivial (runs); level and tested (measures) if runs were compared; what the views name
    settings: dict

    @property
    def measures(self) -> list[Measure]:
        """The campaign's, the first one sorts."""
        return [measures.get(self.task.id, id) for id in self.settings["measures"]]

    @cached_property
    def official(self) -> str:
        """The official assessor."""
        import polars as pl

        from nonresponse import tables

        return tables.official(self.settings.get("official"), pl.scan_parquet(self.folder / "counts.parquet"))

    @cached_property
    def counts(self) -> pl.DataFrame:
        """A row per run, the best by the first measure first; `trivial` says whether it is one of the trivial runs."""
        import polars as pl

        from nonresponse.scoring.leaderboard import with_rank

        table = pl.read_parquet(self.folder / "counts.parquet").filter(pl.col("assessor") == self.official)
        first, trivial = self.measures[0], pl.col("run").is_in(self.settings.get("trivial", []))
        value = self.scores(first.id).select("run", pl.col("value").alias(first.id))
        ranked = with_rank(table.join(value, on="run", how="left").with_columns(trivial=trivial), first)
        return ranked.drop(first.id, "tied", "assessor")

    def scores(self, id: str) -> pl.DataFrame:
        """run and value of one measure."""
        import polars as pl

        table = pl.read_parquet(self.folder / f"scores/{id}.parquet")
        return table.filter(pl.col("assessor") == self.official).select("run", "value")

    def values(self) -> dict[str, pl.DataFrame]:
        """The scores of all measures, as rankings take them: without the trivial runs, numbers as shares of n."""
        import polars as pl

        from nonresponse.reliability import kendall

        counts = pl.read_parquet(self.folder / "counts.parquet")
        found = {}
        for measure in self.measures:
            table = pl.read_parquet(self.folder / f"scores/{measure.id}.parquet")
            same = kendall.comparable(table, measure, counts)
            found[measure.id] = same.filter(~pl.col("run").is_in(self.settings.get("trivial", [])))
        return found

    @cached_property
    def verdicts(self) -> DuckDBPyConnection:
        """A database with the view `verdicts`, as the policy reads them, excluded questions gone."""
        from nonresponse.database import connect
        from nonresponse.scoring.tally import resolved

        connection = connect()
        connection.read_parquet(str(self.folder / "verdicts.parquet")).create_view("every")
        connection.execute("SET VARIABLE official = $1", [self.official])
        query = resolved(self.policy, self.task.id).replace("FROM verdicts", "FROM every", 1)
        connection.execute(f"CREATE VIEW verdicts AS {query} AND assessor = getvariable('official')")
        return connection

    @cached_property
    def orders(self) -> dict[str, Order]:
        """How each run that says how sure it is orders the questions, as the leaderboard has the runs.

        The surest answer comes first, what is left open last; questions are numbered as their names sort.
        """
        from nonresponse.measures import orderings

        [(said,)] = self.verdicts.sql(
            "SELECT count(position) + count(confidence) + count(score) FROM verdicts"
        ).fetchall()
        if not said:  # nothing to sort
            return {}
        names = [name for (name,) in self.verdicts.sql("SELECT DISTINCT question FROM verdicts ORDER BY 1").fetchall()]
        runs = self.counts["run"].to_list()
        measure = measures.get(self.task.id, "coverage@0.1")  # which reads the order of all questions
        some_runs = "FROM verdicts WHERE run BETWEEN getvariable('first') AND getvariable('last')"
        found: dict[str, Order] = {}
        by_name, at_once = sorted(runs), max(1, ROWS // len(names))
        for start in range(0, len(runs), at_once):
            some = by_name[start : start + at_once]
            self.verdicts.execute("SET VARIABLE first = $1", [some[0]])
            self.verdicts.execute("SET VARIABLE last = $1", [some[-1]])
            found |= zip(some, orderings.read(self.verdicts, measure, some_runs, some, names), strict=True)
        given = [run for run in runs if found[run].ordered and found[run].abstained < len(found[run].question)]
        return {run: found[run] for run in given}

    def reliability(self, name: str) -> pl.DataFrame:
        """A table of the reliability stage: a CSV file, or one measure's table of a folder."""
        import polars as pl

        from nonresponse.reliability import analyses

        path = self.folder / "reliability" / name
        return pl.read_parquet(path) if path.suffix == ".parquet" else analyses.read(path)


@dataclass(frozen=True)
class View:
    """One view; its table is a CSV file of the same name."""

    id: str
    heading: str
    caption: str  # of the table
    columns: dict[str, str]  # of the table, with what each is: a row of docs/views.md
    applies: Callable[[Task, dict], bool]  # whether the campaign, as it is configured, has it
    make: Callable[[Material], pl.DataFrame]  # the table; without rows where there is nothing to show
    finding: Callable[[pl.DataFrame, Material], list[str]]  # of a table with rows, in sentences
    reads: tuple[str, ...] = ()  # beside counts and scores: words of dag.files.READS, or tables of reliability/
    settings: tuple[str, ...] = ()  # of the campaign
    not_shown: tuple[str, ...] = ()  # columns that the page leaves out
    figure: Callable[[pl.DataFrame, str, str], Spec] | None = None  # of the table, a title and a caption
    section: str = "views"  # of the report, that shows it


@cache
def get(id: str) -> View:
    """The view with this id."""
    return import_module(f"nonresponse.views.{id}").VIEW


def of(campaign: dict) -> list[View]:
    """The views that a campaign has."""
    return [get(id) for id in NAMES if get(id).applies(tasks.get(campaign["task"]), campaign)]


def single(task: Task, campaign: dict) -> bool:
    """Whether the campaign has single responses."""
    return "counts" not in campaign


def answers(task: Task, campaign: dict) -> bool:
    """Whether it has single answers to questions, each judged."""
    return single(task, campaign) and not task.pairs and not task.references


def ordered(task: Task, campaign: dict) -> bool:
    """Whether it has single answers that a run may order by how sure it is of them."""
    return single(task, campaign) and "aurc" in measures.of(task.id)


def analysed(name: str) -> Callable[[Task, dict], bool]:
    """Whether it has an analysis."""
    return lambda task, campaign: single(task, campaign) and name in campaign["reliability"]["analyses"]
