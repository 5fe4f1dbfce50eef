"""The report: one page with all campaigns. What it says of a campaign is a part, made of that campaign's results alone.

A section is a record here. It shows topics, which other jobs have written as blocks, or what the function `blocks` of a
module of its name in `sections` makes, or both. This module imports nothing heavy: Snakemake reads the records at each
start.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nonresponse.views import VIEWS


@dataclass(frozen=True)
class Section:
    """A section of a campaign's part of the report."""

    id: str  # also the name of its module, if it has one, and the end of its address
    title: str
    shows: str = ""  # the file of topics, as JSON, that stand here; as seen from the campaign's folder
    applies: Callable[[dict], bool] = lambda settings: True  # of the campaign's settings: `dag.facts.REPORT`
    topics: tuple[str, ...] = ()  # which of them; () = all that stand in no other section
    # Other results; {measure} stands for each of its measures, {shard} for each shard of its responses.
    reads: tuple[str, ...] = ()

    @property
    def own(self) -> bool:
        """Whether it has a module of its own."""
        return not self.shows or self.id in ("differences", "leaderboard")


def with_questions(settings: dict) -> bool:
    """Of a campaign whose verdicts are known."""
    return settings["source"] != "counts"


def given(setting: str) -> Callable[[dict], bool]:
    """Of a campaign that has this setting."""
    return lambda settings: bool(settings.get(setting))


def has_views(section: str) -> Callable[[dict], bool]:
    """Of a campaign with a view that this section shows."""
    return lambda settings: any(VIEWS[id].section == section for id in settings["views"])


def analysed(*analyses: str) -> Callable[[dict], bool]:
    """Of a campaign with one of these analyses."""
    return lambda settings: bool({*analyses} & {*settings["analyses"]})


TRUST = "reliability/blocks.json"
OF_QUESTIONS = ("verdicts.parquet", "counts.parquet", "responses/{shard}.parquet")
SECTIONS = (
    Section("leaderboard", "Leaderboard", "leaderboard.json", topics=("leaderboard",), reads=("reliability/comparisons/{measure}.parquet",)),
    Section("silence", "What silence is worth", "", given("silent"), reads=("leaderboard.parquet",)),
    Section(
        "differences",
        "Who differs",
        TRUST,
        analysed("comparison"),
        topics=("comparison",),
        reads=("reliability/comparisons/{measure}.parquet", "figures"),
    ),
    Section("trust", "How far to trust it", TRUST, given("analyses"), reads=("figures",)),
    Section(
        "assessors",
        "Assessors",
        TRUST,
        lambda settings: with_questions(settings) and analysed("agreement", "rankings")(settings),
        topics=("agreement", "rankings", "generalizability"),
        reads=("figures",),
    ),
    Section("judges", "Judges", TRUST, analysed("judges"), topics=("judges",), reads=("figures",)),
    Section("scenarios", "Scenarios: other labels, other policies", "scenarios/blocks.json", given("scenarios")),
    Section("systems", "Configurations of systems", "systems/blocks.json", given("systems")),
    Section("adjudication", "What to judge next", "adjudication.json", given("disputed")),
    Section("answering", "When to answer", "views/blocks.json", has_views("answering"), reads=("views",)),
    Section("views", "What else the results say", "views/blocks.json", has_views("views"), reads=("views",)),
    Section("years", "Years", "years/blocks.json", given("dated"), reads=("years",)),
    Section("audit", "What rules decided", "audit.json", given("ruled")),
    Section("categories", "Categories", "leaderboard.json", topics=("categories",)),
    # Where answers are years, the confusions of decades too, which the section before reads.
    Section("questions", "Questions", "", with_questions, reads=OF_QUESTIONS),
    Section("changes", "What the last change did", "changes.json"),
    Section("imports", "Logs and what they state", "imports.json", given("imported")),
    Section("provenance", "Provenance", reads=("check.txt",)),
)


def sections_of(settings: dict) -> list[Section]:
    """The sections that a campaign with these settings has."""
    return [section for section in SECTIONS if section.applies(settings)]
