"""The report: one page with all campaigns. Each campaign's part of it is made from that campaign's results alone.

A section is a record here. It shows topics, which other jobs have written, or the blocks that the function `blocks` of
the module of its name in `sections` makes, or both. The first section is open, the others are folded. This module
imports nothing heavy: Snakemake reads the records at each start.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nonresponse.settings import Settings
from nonresponse.views import VIEWS

Applies = Callable[[Settings], bool]  # of what a campaign's part is told: stages.params.ReportParams


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
    only: str = ""  # "tables": no figures, which are files


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


TRUST, OF_VIEWS = "reliability/blocks.json", "views/blocks.json"
SECTIONS = (
    Section(
        "leaderboard",
        "Leaderboard",
        (Topics("leaderboard", "leaderboard.json", ("leaderboard",)),),
        own=True,
        led_by="leaderboard",
    ),
    Section("gates", "Gates", (Topics("gates", "gates/blocks.json"),)),
    Section("history", "Ranks so far", (Topics("history", "history/blocks.json"),)),
    Section("compare", "Compare two", own=True),
    Section(
        "differ",
        "Who differs",
        (
            Topics("reliability", TRUST, ("comparison",), analysed("comparison"), only="tables"),
            Topics("reliability", TRUST, ("rankings",), lambda settings: not settings.get("official")),
            Topics("systems", "systems/blocks.json"),
            Topics("views", OF_VIEWS, views_of("differ")),
        ),
        own=True,
        led_by="comparison",
        applies=analysed("comparison"),
        of_one="When it pays to answer",
    ),
    Section(
        "others",
        "Would other questions agree?",
        (
            Topics("reliability", TRUST, ("questions",), only="tables"),
            Topics("reliability", TRUST),
            Topics("views", OF_VIEWS, views_of("others")),
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
            ),
            Topics("reliability", TRUST, ("rankings",), lambda settings: bool(settings.get("official"))),
            Topics("scenarios", "scenarios/blocks.json"),
            Topics("adjudication", "adjudication.json"),
            Topics("audit", "audit.json"),
        ),
    ),
    Section(
        "questions",
        "Questions",
        (
            Topics("leaderboard", "leaderboard.json", ("categories",)),
            # The module also reads the confusions of decades.
            Topics("years", "years/blocks.json", ("",)),
        ),
        own=True,
        applies=with_questions,
    ),
    Section(
        "provenance",
        "Provenance",
        (Topics("leaderboard", "changes.json"), Topics("imports", "imports.json")),
        own=True,
        led_by="",
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
