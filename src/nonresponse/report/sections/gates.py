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
from nonresponse.report.model import Section, shown
from nonresponse.statistics import FAIL, INCONCLUSIVE, WANTED, gates
from nonresponse.statistics.outcomes import clusters_in
from nonresponse.wording import at, percent, plural, rounded

CAPTION = (
    "Gates. One passes or fails only where a test says so, one-sided at {} (to fail, over the"
    " number of gates); of counts, as they are."
)
NEEDED = (
    f"so many questions decide it in {percent(WANTED)} of campaigns, if the value here is the true"
    " one"
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
    failed, undecided = (
        found.filter(pl.col("state") == state).height for state in (FAIL, INCONCLUSIVE)
    )
    gates_tried = plural(found.height, "gate")
    said = f"Of {gates_tried}, {failed:,} failed, and {undecided:,} could not be decided."
    if not failed + undecided:
        said = f"All {gates_tried} passed."
    if not found.height:
        said = "There is no run but the baseline, so that no gate was tried."
    names = ["run", "gate", "state", "value", *["needed"] * bool(found["needed"].count()), "why"]
    about, long = {"needed": NEEDED}, ["gate", "why"]
    rows = shown(CAPTION.format(at(level)), found, names, about=about, long=long)
    return Section("Gates", [said], "ranking", tables=[rows])


def as_junit(found: pl.DataFrame) -> str:
    """Return a test case for each run and gate: a failure, or skipped where it is inconclusive."""
    kinds = {FAIL: "failure", INCONCLUSIVE: "skipped"}
    suite = ElementTree.Element("testsuite", name="nonresponse", tests=str(found.height))
    for state, attribute in ((FAIL, "failures"), (INCONCLUSIVE, "skipped")):
        suite.set(attribute, str(found.filter(pl.col("state") == state).height))
    for row in found.iter_rows(named=True):
        names = {"classname": short(row["run"], 300), "name": short(row["gate"], 300)}
        case = ElementTree.SubElement(suite, "testcase", names)
        said = [
            row["state"],
            *([] if row["value"] is None else [f"it is {rounded(row['value'], 4)}"]),
            *([f"{row['needed']:,} questions needed: {NEEDED}"] if row["needed"] else []),
            *filter(None, [row["why"]]),
        ]
        if row["state"] in kinds:
            ElementTree.SubElement(case, kinds[row["state"]], message="; ".join(said))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, "unicode", xml_declaration=True) + "\n"
