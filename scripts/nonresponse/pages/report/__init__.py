"""The report: one page with all campaigns. What it says of a campaign is a part, made of that campaign's results alone.

A section is a record here and a module of its name in `sections`, whose function `blocks` says what it shows. This
module imports nothing heavy: Snakemake reads the records each time it starts.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nonresponse import views


def every(settings: dict) -> bool:
    """Of any campaign."""
    return True


def has_views(settings: dict, section: str) -> bool:
    """Of a campaign with a view that this section shows."""
    return any(views.get(id).section == section for id in settings["views"])


@dataclass(frozen=True)
class Section:
    """A section of a campaign's part of the report."""

    id: str  # also the name of its module, and the end of its address
    title: str
    reads: tuple[str, ...]  # results, as seen from the campaign's folder
    applies: Callable[[dict], bool] = every  # of the campaign's settings: those of `settings_of_part` in the rules


SECTIONS = (
    Section("leaderboard", "Leaderboard", ("leaderboard.parquet",)),
    Section("silence", "What silence is worth", ("leaderboard.parquet",), lambda settings: settings["silent"]),
    Section(
        "trust",
        "How far to trust it",
        ("reliability/findings.csv", "figures"),
        lambda settings: bool(settings["analyses"]),
    ),
    Section(
        "judges",
        "Judges",
        ("reliability/judges.csv", "reliability/judges_by_run.csv", "reliability/corrected.csv"),
        lambda settings: "judges" in settings["analyses"],
    ),
    Section(
        "adjudication",
        "What to judge next",
        ("to_adjudicate.csv",),
        lambda settings: settings.get("disputed", False),
    ),
    Section(
        "answering",
        "When to answer",
        ("views", "views/findings.csv"),
        lambda settings: has_views(settings, "answering"),
    ),
    Section(
        "views",
        "What else the results say",
        ("views", "views/findings.csv"),
        lambda settings: has_views(settings, "views"),
    ),
    Section("years", "Years", ("years",), lambda settings: settings["dated"]),
    Section("audit", "What rules decided", ("audit.csv",), lambda settings: settings.get("ruled", False)),
    Section("categories", "Categories", ("categories.csv",)),
    Section("provenance", "Provenance", ("check.txt",)),
)


# The page's own files, in the order in which they stand in it.
STYLES = ("page.css",)
SCRIPTS = ("scripts/address.js", "scripts/exports.js", "page.js")
TEMPLATES = ("page.html.j2", "stretch.html.j2", "blocks.html.j2")


def sections_of(settings: dict) -> list[Section]:
    """The sections that a campaign with these settings has."""
    return [section for section in SECTIONS if section.applies(settings)]
