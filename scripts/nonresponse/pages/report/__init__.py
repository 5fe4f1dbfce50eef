"""The report: one page with all campaigns. Each campaign's part of it is made from that campaign's results alone.

A section is a record here. It shows topics, which other jobs have written, or the blocks that the function `blocks` of
the module of its name in `sections` makes, or both. The first section is open, the others are folded. This module
imports nothing heavy: Snakemake reads the records at each start.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nonresponse.settings import Settings
from nonresponse.views import VIEWS

Applies = Callable[[Settings], bool]  # of the campaign's settings: `dag.facts.REPORT`


def always(settings: Settings) -> bool:
    """Applies to every campaign."""
    return True


def with_questions(settings: Settings) -> bool:
    """Applies to campaigns whose verdicts are known, unlike those of published counts."""
    return settings["source"] != "counts"


def given(setting: str) -> Applies:
    """Applies to campaigns that have this setting."""
    return lambda settings: bool(settings.get(setting))


def analysed(*analyses: str) -> Applies:
    """Applies to campaigns with one of these analyses."""
    return lambda settings: bool({*analyses} & {*settings["analyses"]})


def views_of(section: str) -> tuple[str, ...]:
    """The views that this section shows."""
    return tuple(view.id for view in VIEWS.values() if view.section == section)


@dataclass(frozen=True)
class Topics:
    """The topics of one file that a section shows."""

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
            Topics("leaderboard.json", ("leaderboard",)),
            # The module reads the comparisons of runs, and the best runs at each price of a wrong answer.
            Topics(COMPARED, applies=analysed("comparison"), only="read"),
            Topics("views", applies=lambda settings: "prices" in settings["views"], only="read"),
        ),
        own=True,
        led_by="leaderboard",
    ),
    Section("gates", "Gates", (Topics("gates/blocks.json", (), given("gates")),)),
    Section("history", "Ranks so far", (Topics("history/blocks.json", (), given("history"), ("history",)),)),
    Section("compare", "Compare two", own=True),
    Section(
        "differ",
        "Who differs",
        (
            Topics(TRUST, ("comparison",), analysed("comparison"), only="tables"),
            Topics(TRUST, ("rankings",), lambda settings: bool(settings["analyses"]) and not settings.get("official")),
            Topics("systems/blocks.json", (), given("with_systems")),
            Topics(OF_VIEWS, views_of("differ"), given("views"), ("views",)),
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
            Topics(TRUST, ("questions",), given("analyses"), only="tables"),
            Topics(TRUST, (), given("analyses"), ("figures",)),
            Topics(OF_VIEWS, views_of("others"), given("views"), ("views",)),
        ),
    ),
    Section(
        "judged",
        "Who judged?",
        (
            Topics(
                TRUST,
                ("agreement", "judges", "generalizability", "pooling", "withheld"),
                lambda settings: with_questions(settings) and bool(settings["analyses"]),
                ("figures",),
            ),
            Topics(
                TRUST,
                ("rankings",),
                lambda settings: bool(settings["analyses"]) and bool(settings.get("official")),
                ("figures",),
            ),
            Topics("scenarios/blocks.json", (), given("with_scenarios")),
            Topics("adjudication.json", (), given("disputed")),
            Topics("audit.json", (), given("ruled")),
            Topics(OF_VIEWS, views_of("judged"), given("views"), ("views",)),
        ),
    ),
    Section(
        "questions",
        "Questions",
        (
            Topics("leaderboard.json", ("categories",)),
            Topics(OF_VIEWS, views_of("questions"), given("views"), ("views",)),
            # The module also reads the confusions of decades.
            Topics("years/blocks.json", ("",), given("dated"), ("years",)),
        ),
        own=True,
        applies=with_questions,
        reads=("verdicts", "counts.parquet", "responses/{shard}.parquet"),
    ),
    Section(
        "provenance",
        "Provenance",
        (Topics("changes.json"), Topics("imports.json", (), given("imported"))),
        own=True,
        led_by="",
        reads=("check.txt",),
    ),
)


def sections_of(settings: Settings) -> list[Section]:
    """The sections that a campaign with these settings may have."""
    return [section for section in SECTIONS if shown(section, settings) or (section.own and section.applies(settings))]


def shown(section: Section, settings: Settings) -> list[Topics]:
    """The topics of a section that a campaign with these settings has."""
    return [topics for topics in section.shows if topics.applies(settings)]


def read_by(section: Section, settings: Settings) -> list[str]:
    """The results that a section reads of a campaign with these settings."""
    of_topics = [name for topics in shown(section, settings) for name in (topics.file, *topics.reads)]
    return of_topics + [*section.reads] * (section.own and section.applies(settings))
