"""The results of a campaign's gates: for people, for programs, and (JUnit) for whatever displays a
build's tests."""

import json
from pathlib import Path
from xml.etree import ElementTree

import polars as pl

from nonresponse import tables
from nonresponse.judging.store import read_verdicts
from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Column, Section, of_frame
from nonresponse.statistics import FAIL, INCONCLUSIVE, WANTED, gates
from nonresponse.statistics.outcomes import clusters_in
from nonresponse.wording import at, percent, plural, rounded

NEEDED = (
    f"questions needed: so many decide it in {percent(WANTED)} of campaigns, if the value "
    "seen here is the true one."
)


def make(campaign: Campaign, verdicts: Path, clusters: list[Path]) -> None:
    """Write gates.json, gates.xml (JUnit) and the page; SystemExit where the verdicts lack what a
    gate needs."""
    settings = campaign.settings
    try:
        found = gates.results(
            verdicts,
            campaign.task,
            settings["policy"],
            read_verdicts(verdicts).official(settings.get("official")),
            settings["gates"],
            settings.get("baseline"),
            settings["level"],
            clusters_in(clusters),
            settings.get("judged", True),
        )
    except gates.LackingError as error:
        raise SystemExit(
            f"campaigns.{campaign.name}.gates: {error}; gate on another measure"
        ) from None
    data = {"state": gates.state_of(found), "gates": found.to_dicts()}
    written = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    tables.write_text(written, campaign.folder / "gates.json")
    tables.write_text(as_junit(found), campaign.folder / "gates.xml")
    campaign.write_page("gates", {"gates": section(found, settings["level"])})


def section(found: pl.DataFrame, level: float) -> Section:
    """Return how many gates passed, failed or were inconclusive; and a table of all."""
    failed, open_ = (
        found.filter(pl.col("state") == state).height for state in (FAIL, INCONCLUSIVE)
    )
    if not found.height:
        said = "There is no run but the baseline, so that no gate was tried."
    elif failed + open_:
        said = (
            f"Of {plural(found.height, 'gate')}, {failed:,} failed, and {open_:,} could not "
            "be decided."
        )
    else:
        said = f"All {plural(found.height, 'gate')} passed."
    columns = [
        Column("run", run=True),
        Column("gate", long=True),
        Column("state"),
        Column("value", "number", digits=4),
        Column("needed", "number", "questions needed"),
        Column("why", long=True),
    ]
    caption = (
        "Gates. One passes or fails only where a test says so, one-sided at"
        f" {at(level)} (to fail, over the number of gates); of counts, as they are."
    )
    notes = [NEEDED] * (found["needed"].count() > 0)
    return Section("Gates", [said], "ranking", tables=[of_frame(found, columns, caption, notes)])


def as_junit(found: pl.DataFrame) -> str:
    """Return a test case for each run and gate: a failure, or skipped where it is inconclusive."""
    suite = ElementTree.Element("testsuite", name="nonresponse", tests=str(found.height))
    for attribute, state in (("failures", FAIL), ("skipped", INCONCLUSIVE)):
        suite.set(attribute, str(found.filter(pl.col("state") == state).height))
    for row in found.iter_rows(named=True):
        case = ElementTree.SubElement(
            suite, "testcase", classname=short(row["run"], 300), name=short(row["gate"], 300)
        )
        value = "" if row["value"] is None else f"; it is {rounded(row['value'], 4)}"
        needed = (
            f"; {row['needed']:,} questions decide it with a power of {WANTED:g} if this is "
            "the true value"
            if row["needed"]
            else ""
        )
        why = f"; {row['why']}" if row["why"] else ""
        if kind := {FAIL: "failure", INCONCLUSIVE: "skipped"}.get(row["state"]):
            ElementTree.SubElement(case, kind, message=f"{row['state']}{value}{needed}{why}")
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, "unicode", xml_declaration=True) + "\n"
