"""What the sources conclude, checked: one record per claim, and a module per source.

A claim is tested on what the source prints, on what this workflow computes, or on both; which of the four verdicts it
gets follows from that and from nothing else.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nonresponse import measures
from nonresponse.pages import cells
from nonresponse.pages.document import Section, Table

if TYPE_CHECKING:
    import polars as pl

NAMES = ("penas", "voorhees", "solovyev", "deft")  # the modules, in the order of the page
HOLDS, AS_PRINTED, FAILS = "holds", "holds only as printed", "does not hold"
UNTESTED = "cannot be tested here"
EXPLANATION = (
    f"A claim “{HOLDS}” where what is computed here bears it out; where nothing can be, where the source's own figures"
    f" do. It “{AS_PRINTED}” where these do and ours do not. Simulated campaigns stand in for lost data;"
    " they are marked, and what they contradict may be true of the real ones."
)
# The columns of words in results.
TEXTS = ("compared", "measure", "a", "b", "scale", "assessors", "statistic", "pattern", "estimate")


class Untestable(Exception):
    """Why a claim cannot be tested here, in a sentence."""


class Found(NamedTuple):
    """What a check found; at least one of the two is told."""

    evidence: str  # the figures that decide
    printed: bool | None = None  # whether the claim is true of what the source prints; None = that does not tell
    computed: bool | None = None  # whether it is true of what is computed here; None = nothing is


@dataclass(frozen=True)
class Claim:
    """A conclusion of a source."""

    source: str
    place: str
    sentence: str
    check: Callable[[Data], Found]
    reads: tuple[str, ...] = ()  # results that it is tested on, campaign/file


class Checked(NamedTuple):
    """A claim with its verdict."""

    source: str
    place: str
    claim: str
    tested_on: str
    verdict: str
    evidence: str


@dataclass(frozen=True)
class Data:
    """Where checks find figures: the folders of published tables and of results, and which results there are."""

    published: Path
    results: Path
    files: frozenset[str] = frozenset()  # campaign/file

    def rows(self, name: str) -> list[dict[str, str]]:
        """A published table."""
        return cells.rows_of(name, self.published)

    def fact(self, name: str, fact: str) -> Fraction:
        """A figure of a published list of facts."""
        [value] = [row["value"] for row in self.rows(name) if row["fact"] == fact]
        return Fraction(value)

    def table(self, file: str) -> pl.DataFrame:
        """A result; Untestable where the campaign is not evaluated, or not so."""
        import polars as pl

        if file not in self.files:
            campaign, _, name = file.partition("/")
            raise Untestable(f"campaign {campaign} has no {name} here")
        path = self.results / file
        if path.suffix == ".parquet":
            table = pl.read_parquet(path)
        else:
            table = pl.read_csv(path, infer_schema=False)
            table = table.cast({name: pl.Float64 for name in table.columns if name not in TEXTS}, strict=False)
        if table.is_empty():
            raise Untestable(f"{file} has no rows")
        return table

    def columns(self, file: str, *names: str) -> pl.DataFrame:
        """Columns of a result, the rows in which all of them have a value; Untestable where there are none."""
        table = self.table(file)
        if not set(names) <= set(table.columns):
            raise Untestable(f"{file} does not have {', '.join(names)}")
        known = table.select(names).drop_nulls()
        if known.is_empty():
            raise Untestable(f"{file} has no values of {', '.join(names)}")
        return known

    def value(self, file: str, column: str, **where: Any) -> Any:
        """One figure of a result; Untestable where there is none."""
        found = self.table(file).filter(**where)[column].to_list()
        if len(found) != 1 or found[0] is None:
            of = ", ".join(f"{name} {value}" for name, value in where.items())
            raise Untestable(f"{file} has no {column} for {of}")
        return found[0]


CLAIMS: dict[str, list[Claim]] = {}


def claim(place: str, sentence: str, *reads: str, source: str) -> Callable:
    """Register a check as that of a claim; `reads` are the results that it is tested on."""

    def register(check: Callable[[Data], Found]) -> Callable[[Data], Found]:
        """Add the claim to those of its source."""
        CLAIMS.setdefault(source, []).append(Claim(source, place, sentence, check, reads))
        return check

    return register


@cache
def known() -> tuple[Claim, ...]:
    """All claims, in the order of the page."""
    for name in NAMES:
        import_module(f"nonresponse.pages.claims.{name}")
    return tuple(one for of_source in CLAIMS.values() for one in of_source)


def score(task: str, id: str, **counts: int | Fraction) -> Fraction:
    """A measure of a run with these counts, exactly; Untestable where it is undefined."""
    value = cells.value_of(measures.get(task, id), {name: Fraction(count) for name, count in counts.items()})
    if value is None:
        raise Untestable(f"{id} is undefined")
    return value


def verdict(found: Found) -> str:
    """What is computed decides; a claim that only the printed figures bear out holds only as printed."""
    if found.computed is None:
        return HOLDS if found.printed else FAILS
    if found.computed:
        return HOLDS
    return AS_PRINTED if found.printed else FAILS


def checked(data: Data, simulated: list[str]) -> list[Checked]:
    """Every claim with its verdict; `simulated` names the simulated campaigns."""
    rows = []
    for one in known():
        campaigns = dict.fromkeys(file.partition("/")[0] for file in one.reads)
        on = [name + " (simulated data)" * (name in simulated) for name in campaigns]
        try:
            found = one.check(data)
            decided, evidence = verdict(found), found.evidence
            on = on or ["the formulas"] * (found.computed is not None)
            on = ["the source as printed"] * (found.printed is not None) + on
        except Untestable as reason:
            decided, evidence = UNTESTED, str(reason)
        rows.append(Checked(one.source, one.place, one.sentence, " and ".join(on), decided, evidence))
    return rows


def as_csv(rows: list[Checked]) -> str:
    """A row per claim."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Checked._fields)
    writer.writerows(rows)
    return text.getvalue()


def sections(rows: list[Checked]) -> list[Section]:
    """A section per source, with a table of its claims."""
    header = ["place", "claim", "tested on", "verdict", "what decides"]
    found: list[Section] = []
    for source in dict.fromkeys(row.source for row in rows):
        own = [row for row in rows if row.source == source]
        numbers = {word: sum(row.verdict == word for row in own) for word in (HOLDS, AS_PRINTED, FAILS, UNTESTED)}
        counted = ", ".join(f"{number} “{word}”" for word, number in numbers.items() if number)
        sentences = [EXPLANATION] * (not found) + [f"Of {len(own)} claims: {counted}."]
        table = Table(header, [list(row[1:]) for row in own], words=header)
        found.append(Section(f"What {source} concludes", sentences, tables=[table]))
    return found
