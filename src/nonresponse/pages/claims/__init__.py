"""What the sources conclude, checked: one record per claim, and a module per source.

A claim is tested on what the source prints, on the formulas, or, if its data are lost, on simulated campaigns; its
verdict follows from these alone. No results of the user's campaigns are used: what somebody configures or judges cannot
change what a paper says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from nonresponse import measures
from nonresponse.pages import fidelity
from nonresponse.pages.blocks import Column, Table, Topic

NAMES = ("penas", "penas_runs", "voorhees", "solovyev", "deft")  # the modules, as on the page
HOLDS, AS_PRINTED, AS_CORRECTED = "holds", "holds only as printed", "holds only as corrected"
FAILS, UNTESTED = "does not hold", "cannot be tested here"
SIMULATED = "in simulation"
TOLD = (HOLDS, AS_PRINTED, AS_CORRECTED, FAILS, SIMULATED, UNTESTED)  # in the order of the counts
EXPLANATION = (
    f"A claim “{HOLDS}” if the formulas bear it out or, where nothing can be computed, if the source's own figures do."
    f" It “{AS_PRINTED}” where these do and what follows from its counts or formulas does not, and “{AS_CORRECTED}” the"
    " other way round."
)
OF_SIMULATIONS = (
    f"Where it is about data that nobody has, “{SIMULATED}” tells in how many campaigns it is so that are drawn from a"
    " model, one seed after another, and evaluated with the configuration that is shipped. That is no verdict on the"
    " real data. The figures and all parameters are in resources/simulation; docs/simulation.md tells of the model."
)
TEXTS = ("patterns",)  # the columns of words in the tables of simulated campaigns

Drawn = dict[str, Any]  # the figures of a simulated campaign


class Untestable(Exception):
    """Why a claim cannot be tested here, in a sentence."""


class Simulated(NamedTuple):
    """In how many simulated campaigns a claim is true."""

    true: int
    of: int
    campaigns: str  # what they are

    def __str__(self) -> str:
        """Such as: in simulation: 8 of 19."""
        return f"{SIMULATED}: {self.true} of {self.of}"


class Found(NamedTuple):
    """What a check found; at least one of printed, computed and simulated is not None."""

    evidence: str  # the figures that decide
    printed: bool | None = None  # whether the claim is true of what the source prints; None = cannot be told from it
    computed: bool | None = None  # whether it is true by the formulas; None = cannot be told from them
    simulated: Simulated | None = None  # None = not tried


@dataclass(frozen=True)
class Claim:
    """A conclusion of a source."""

    source: str
    place: str
    sentence: str
    check: Callable[[Data], Found]


class Verdict(NamedTuple):
    """What becomes of a claim."""

    told: str  # one of TOLD but SIMULATED; "" where it was only tried
    simulated: Simulated | None = None

    def __str__(self) -> str:
        """Such as: holds; in simulation: 8 of 19."""
        return "; ".join(filter(None, [self.told, str(self.simulated or "")]))


class Checked(NamedTuple):
    """A claim with its verdict."""

    source: str
    place: str
    claim: str
    tested_on: str
    verdict: Verdict
    evidence: str


@dataclass(frozen=True)
class Data:
    """Where checks find figures: the folders of published tables, and of results of simulated campaigns."""

    published: Path
    simulation: Path

    def rows(self, name: str) -> list[dict[str, str]]:
        """A published table."""
        return fidelity.rows_of(name, self.published)

    def fact(self, name: str, fact: str) -> Fraction:
        """A figure of a published list of facts."""
        [value] = [row["value"] for row in self.rows(name) if row["fact"] == fact]
        return Fraction(value)

    def drawn(self, campaign: str) -> list[Drawn]:
        """A row per simulated campaign, the shipped one first; NaN where a figure is undefined."""
        return [
            {key: text if key in TEXTS else float(text or "nan") for key, text in row.items()}
            for row in fidelity.rows_of(campaign, self.simulation)
        ]

    def parameter(self, campaign: str, name: str) -> str:
        """A parameter with which the simulated campaigns were drawn or evaluated."""
        rows = fidelity.rows_of("parameters", self.simulation)
        [value] = [row["value"] for row in rows if (row["campaign"], row["parameter"]) == (campaign, name)]
        return value

    def tried(
        self,
        campaign: str,
        so: Callable[[Any], bool],
        what: str,
        shown: Callable[[Any], str],
        fitted: str = "",
        of: Callable[[Drawn], Any] = lambda row: row,
        printed: Any = None,
        word: str = "printed",
    ) -> Found:
        """In how many simulated campaigns `so` is true; the evidence says so of `what`, with the shipped one's figures.

        `of` takes the figures from a row, and `shown` writes them. `fitted` says why this is no evidence, if the model
        was fitted to give it. `printed` are the figures that the source prints, `word` is what introduces them.
        """
        rows = self.drawn(campaign)
        sizes = " and ".join(f"{self.parameter(campaign, name)} {name}" for name in ("runs", "questions"))
        campaigns = f"{len(rows)} simulated campaigns of {sizes}, seeds {rows[0]['seed']:g} to {rows[-1]['seed']:g}"
        simulated = Simulated(sum(so(of(row)) for row in rows), len(rows), campaigns)
        evidence = f"in {simulated.true} of {simulated.of} simulated campaigns {what}; in the one that is shipped "
        evidence += shown(of(rows[0])) + f"; no evidence, since {fitted}" * bool(fitted)
        if printed is None:
            return Found(evidence, simulated=simulated)
        return Found(f"{word} {shown(printed)}; {evidence}", so(printed), simulated=simulated)


@dataclass
class Source:
    """A source, and its claims that one module checks, in the order of the page."""

    name: str
    campaign: str = ""  # whose simulation stands in for its lost data
    claims: list[Claim] = field(default_factory=list)

    def claim(self, place: str, sentence: str) -> Callable[[Callable[[Data], Found]], Callable[[Data], Found]]:
        """Register a check as that of a claim."""

        def register(check: Callable[[Data], Found]) -> Callable[[Data], Found]:
            self.claims.append(Claim(self.name, place, sentence, check))
            return check

        return register

    def tried(self, place: str, sentence: str, *counted: Any) -> None:
        """Register a claim that only simulated campaigns can test; `counted` are arguments of `Data.tried`."""
        self.claim(place, sentence)(lambda data: data.tried(self.campaign, *counted))


@cache
def all_claims() -> tuple[Claim, ...]:
    """All claims, in the order of the page."""
    return tuple(one for name in NAMES for one in import_module(f"nonresponse.pages.claims.{name}").SOURCE.claims)


def score(task: str, id: str, **counts: int | Fraction) -> Fraction:
    """A measure of a run with these counts, exactly; Untestable where it is undefined."""
    value = fidelity.value_of(measures.get(task, id), {name: Fraction(count) for name, count in counts.items()})
    if value is None:
        raise Untestable(f"{id} is undefined")
    return value


def of_both(evidence: str, true: Iterable[bool]) -> Found:
    """What was found; `true` says whether the claim is true of the printed figures, and of the computed ones."""
    printed, computed = true
    return Found(evidence, printed, computed)


def systems(n: int) -> Iterator[dict[str, int]]:
    """The counts of every system that there may be on n questions."""
    for right in range(n + 1):
        for wrong in range(n + 1 - right):
            yield {"n_ac": right, "n_aw": wrong, "n_u": n - right - wrong}


def verdict(found: Found) -> Verdict:
    """The verdict by the printed figures and the formulas, and in how many simulated campaigns the claim is true."""
    both = found.printed, found.computed
    known = {(None, None): "", (True, False): AS_PRINTED, (False, True): AS_CORRECTED}
    return Verdict(known.get(both, FAILS if False in both else HOLDS), found.simulated)


def tested_on(found: Found) -> str:
    """What the claim was tested on."""
    on = {
        "the source as printed": found.printed is not None,
        "the formulas": found.computed is not None,
        found.simulated.campaigns if found.simulated else "": found.simulated is not None,
    }
    return " and ".join(name for name, tested in on.items() if tested)


def checked(data: Data) -> list[Checked]:
    """Every claim with its verdict."""
    rows = []
    for one in all_claims():
        try:
            found = one.check(data)
            decided = (tested_on(found), verdict(found), found.evidence)
        except Untestable as reason:
            decided = ("", Verdict(UNTESTED), str(reason))
        rows.append(Checked(one.source, one.place, one.sentence, *decided))
    return rows


def topics(rows: list[Checked]) -> list[Topic]:
    """A topic per source, with a table of its claims."""
    found: list[Topic] = []
    labels = {"tested_on": "tested on", "evidence": "what decides"}
    for source in dict.fromkeys(row.source for row in rows):
        own = [row for row in rows if row.source == source]
        numbers = {word: sum((row.verdict.told or SIMULATED) == word for row in own) for word in TOLD}
        counted = ", ".join(f"{number} “{word}”" for word, number in numbers.items() if number)
        sentences = [EXPLANATION, OF_SIMULATIONS] * (not found) + [f"Of {len(own)} claims: {counted}."]
        columns = [Column(name, label=labels.get(name, ""), long=True) for name in Checked._fields[1:]]
        names, cells = [*Checked._fields[1:]], [[*map(str, row[1:])] for row in own]
        caption = "Each claim, and what becomes of it."
        table = Table(names, cells, columns, caption, folded="The claims", csv="claims")
        found.append(Topic(f"What {source} concludes", sentences, tables=[table]))
    return found
