"""The report: one page with all campaigns. Each campaign's part of it is made from that campaign's results alone.

A section is a record here. It shows topics, which other jobs have written, or the blocks that the function `blocks` of
the module of its name in `sections` makes, or both. The first section is open, the others are folded. This module
imports nothing heavy: Snakemake reads the records at each start.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nonresponse.settings import Settings
from nonresponse.views import VIEWS

Applies = Callable[[Settings], bool]  # of what a campaign's part is told: dag.results.told_to_report


def always(settings: Settings) -> bool:
    """Applies to every campaign."""
    return True


def with_questions(settings: Settings) -> bool:
    """Applies to campaigns whose verdicts are known, unlike those of published counts."""
    return settings["source"] != "counts"


def analysed(*analyses: str) -> Applies:
    """Applies to campaigns with one of these analyses."""
    return lambda settings: bool({*analyses} & {*settings["analyses"]})


def views_of(section: str) -> tuple[str, ...]:
    """The views that this section shows."""
    return tuple(view.id for view in VIEWS.values() if view.section == section)


@dataclass(frozen=True)
class Topics:
    """The topics of one file that a section shows, if the campaign has the topic that writes it."""

    topic: str  # its id
    file: str  # JSON, relative to the campaign's folder
    names: tuple[str, ...] = ()  # the topics; () = all that no section names
    applies: Applies = always
    reads: tuple[str, ...] = ()  # what they refer to, such as drawings
    only: str = ""  # "tables": no figures, which are files; "read": the file is read, but no topic is shown


@dataclass(frozen=True)
class Section:
    """A section of a campaign's part of the report."""

    id: str  # also the name of its module, if it has one, and the end of its address
    title: str
    shows: tuple[Topics, ...] = ()
    own: bool = False  # whether it has a module
    led_by: str | None = None  # the topic below whose sentences the module's blocks stand; without it, they come first
    applies: Applies = always  # whether a campaign has what the module makes
    of_one: str = ""  # its title where there is only one run
    # Other results that the module reads; {measure} stands for each measure, {shard} for each shard of responses.
    reads: tuple[str, ...] = ()


TRUST, OF_VIEWS = "reliability/blocks.json", "views/blocks.json"
COMPARED = "reliability/comparisons/{measure}.parquet"
SECTIONS = (
    Section(
        "leaderboard",
        "Leaderboard",
        (
            Topics("leaderboard", "leaderboard.json", ("leaderboard",)),
            # The module reads the comparisons of runs, and the best runs at each price of a wrong answer.
            Topics("comparison", COMPARED, only="read"),
            Topics("views", "views", applies=lambda settings: "prices" in settings["views"], only="read"),
        ),
        own=True,
        led_by="leaderboard",
    ),
    Section("gates", "Gates", (Topics("gates", "gates/blocks.json"),)),
    Section("history", "Ranks so far", (Topics("history", "history/blocks.json", reads=("history",)),)),
    Section("compare", "Compare two", own=True),
    Section(
        "differ",
        "Who differs",
        (
            Topics("reliability", TRUST, ("comparison",), analysed("comparison"), only="tables"),
            Topics("reliability", TRUST, ("rankings",), lambda settings: not settings.get("official")),
            Topics("systems", "systems/blocks.json"),
            Topics("views", OF_VIEWS, views_of("differ"), reads=("views",)),
        ),
        own=True,
        led_by="comparison",
        applies=analysed("comparison"),
        of_one="When it pays to answer",
        reads=(COMPARED,),
    ),
    Section(
        "others",
        "Would other questions agree?",
        (
            Topics("reliability", TRUST, ("questions",), only="tables"),
            Topics("reliability", TRUST, reads=("figures",)),
            Topics("views", OF_VIEWS, views_of("others"), reads=("views",)),
        ),
    ),
    Section(
        "judged",
        "Who judged?",
        (
            Topics(
                "reliability",
                TRUST,
                ("agreement", "judges", "generalizability", "pooling", "withheld"),
                with_questions,
                ("figures",),
            ),
            Topics("reliability", TRUST, ("rankings",), lambda settings: bool(settings.get("official")), ("figures",)),
            Topics("scenarios", "scenarios/blocks.json"),
            Topics("adjudication", "adjudication.json"),
            Topics("audit", "audit.json"),
            Topics("views", OF_VIEWS, views_of("judged"), reads=("views",)),
        ),
    ),
    Section(
        "questions",
        "Questions",
        (
            Topics("leaderboard", "leaderboard.json", ("categories",)),
            Topics("views", OF_VIEWS, views_of("questions"), reads=("views",)),
            # The module also reads the confusions of decades.
            Topics("years", "years/blocks.json", ("",), reads=("years",)),
        ),
        own=True,
        applies=with_questions,
        reads=("verdicts", "counts.parquet", "responses/{shard}.parquet"),
    ),
    Section(
        "provenance",
        "Provenance",
        (Topics("changes", "changes.json"), Topics("imports", "imports.json")),
        own=True,
        led_by="",
        reads=("check.json",),
    ),
)


def sections_of(settings: Settings) -> list[Section]:
    """The sections that a campaign with these settings may have."""
    return [
        section for section in SECTIONS if topics_of(section, settings) or (section.own and section.applies(settings))
    ]


def topics_of(section: Section, settings: Settings) -> list[Topics]:
    """The topics of a section that a campaign with these settings has."""
    return [topics for topics in section.shows if topics.topic in settings["topics"] and topics.applies(settings)]


def read_by(section: Section, settings: Settings) -> list[str]:
    """The results that a section reads of a campaign with these settings."""
    of_topics = [name for topics in topics_of(section, settings) for name in (topics.file, *topics.reads)]
    return of_topics + [*section.reads] * (section.own and section.applies(settings))
