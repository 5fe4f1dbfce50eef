"""The report: one page with all campaigns. What it says of a campaign is a part, made of that campaign's results alone.

A section is a record here. It shows topics, which other jobs have written as blocks, or what the function `blocks` of a
module of its name in `sections` makes, or both. This module imports nothing heavy: Snakemake reads the records at each
start.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nonresponse.views import VIEWS


def every(settings: dict) -> bool:
    """Of any campaign."""
    return True


def has_views(settings: dict, section: str) -> bool:
    """Of a campaign with a view that this section shows."""
    return any(VIEWS[id].section == section for id in settings["views"])


@dataclass(frozen=True)
class Section:
    """A section of a campaign's part of the report."""

    id: str  # also the name of its module, if it has one, and the end of its address
    title: str
    # Results, as seen from the campaign's folder; {measure} stands for each of its measures, {shard} for each shard of
    # its responses.
    reads: tuple[str, ...]
    applies: Callable[[dict], bool] = every  # of the campaign's settings: those of `settings_of_part` in the rules
    shows: str = ""  # the file of topics, as JSON, that stand here
    topics: tuple[str, ...] = ()  # which of them; () = all that stand in no other section

    @property
    def own(self) -> bool:
        """Whether it has a module of its own."""
        return not self.shows or self.id == "differences"


def with_questions(settings: dict) -> bool:
    """Of a campaign whose verdicts are known."""
    return settings["source"] != "counts"


FOUND = ("reliability/blocks.json", "figures")

SECTIONS = (
    Section("leaderboard", "Leaderboard", ("leaderboard.json",), shows="leaderboard.json", topics=("leaderboard",)),
    Section("silence", "What silence is worth", ("leaderboard.parquet",), lambda settings: settings["silent"]),
    Section(
        "differences",
        "Who differs",
        ("reliability/comparisons/{measure}.parquet", *FOUND),
        lambda settings: "comparison" in settings["analyses"],
        shows="reliability/blocks.json",
        topics=("comparison",),
    ),
    Section(
        "trust",
        "How far to trust it",
        FOUND,
        lambda settings: bool(settings["analyses"]),
        shows="reliability/blocks.json",
    ),
    Section(
        "assessors",
        "Assessors",
        FOUND,
        lambda settings: with_questions(settings) and bool({"agreement", "rankings"} & {*settings["analyses"]}),
        shows="reliability/blocks.json",
        topics=("agreement", "rankings", "generalizability"),
    ),
    Section(
        "judges",
        "Judges",
        FOUND,
        lambda settings: "judges" in settings["analyses"],
        shows="reliability/blocks.json",
        topics=("judges",),
    ),
    Section(
        "scenarios",
        "Scenarios: other labels, other policies",
        ("scenarios/blocks.json",),
        lambda settings: settings["scenarios"],
        shows="scenarios/blocks.json",
    ),
    Section(
        "systems",
        "Configurations of systems",
        ("systems/blocks.json",),
        lambda settings: bool(settings.get("systems")),
        shows="systems/blocks.json",
    ),
    Section(
        "adjudication",
        "What to judge next",
        ("adjudication.json",),
        lambda settings: settings.get("disputed", False),
        shows="adjudication.json",
    ),
    Section(
        "answering",
        "When to answer",
        ("views", "views/blocks.json"),
        lambda settings: has_views(settings, "answering"),
        shows="views/blocks.json",
    ),
    Section(
        "views",
        "What else the results say",
        ("views", "views/blocks.json"),
        lambda settings: has_views(settings, "views"),
        shows="views/blocks.json",
    ),
    Section(
        "years", "Years", ("years", "years/blocks.json"), lambda settings: settings["dated"], shows="years/blocks.json"
    ),
    Section(
        "audit",
        "What rules decided",
        ("audit.json",),
        lambda settings: settings.get("ruled", False),
        shows="audit.json",
    ),
    Section("categories", "Categories", ("leaderboard.json",), shows="leaderboard.json", topics=("categories",)),
    # Where answers are years, the confusions of decades too, which the section before reads.
    Section(
        "questions", "Questions", ("verdicts.parquet", "counts.parquet", "responses/{shard}.parquet"), with_questions
    ),
    Section("changes", "What the last change did", ("changes.json",), shows="changes.json"),
    Section(
        "imports",
        "Logs and what they state",
        ("imports.json",),
        lambda settings: settings["imported"],
        shows="imports.json",
    ),
    Section("provenance", "Provenance", ("check.txt",)),
)


# The page's own files, in the order in which they stand in it.
STYLES = ("page.css", "widgets.css")
SCRIPTS = (
    "scripts/address.js",
    "scripts/exports.js",
    "scripts/elements.js",
    "scripts/hints.js",
    "scripts/verdicts.js",
    "scripts/pager.js",
    "scripts/matrix.js",
    "scripts/questions.js",
    "scripts/run.js",
    "scripts/comparison.js",
    "scripts/widgets.js",
    "page.js",
)
TEMPLATES = ("page.html.j2", "stretch.html.j2", "blocks.html.j2")


def sections_of(settings: dict) -> list[Section]:
    """The sections that a campaign with these settings has."""
    return [section for section in SECTIONS if section.applies(settings)]
