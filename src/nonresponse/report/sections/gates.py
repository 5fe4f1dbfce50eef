"""The results of a campaign's gates: a page, JSON, and JUnit for what displays a build's tests."""

import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import polars as pl

from nonresponse import tables
from nonresponse.judging.store import read_verdicts
from nonresponse.legible import short
from nonresponse.report import findings
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, has_value, tabulate
from nonresponse.report.sentences import render
from nonresponse.statistics import FAIL, INCONCLUSIVE, TARGET_POWER, gates
from nonresponse.statistics.outcomes import read_clusters
from nonresponse.wording import format_level, format_rounded, percent

CAPTION = (
    "A gate passes or fails only if a one-sided test at {} says so (to fail, at that level divided"
    " by the number of gates). Shares such as that of unscored responses are not tested."
)
NEEDED = (
    f"so many questions decide it in {percent(TARGET_POWER)} of campaigns, if the value here is the"
    " true one"
)


def make(campaign: Campaign, verdicts: Path, clusters: list[Path]) -> None:
    """Write gates.json, gates.xml and the page. Exit if verdicts lack what a gate needs."""
    settings, store = campaign.settings, read_verdicts(verdicts)
    official = store.official(settings.get("official"))
    try:
        decisions = gates.decide_gates(
            verdicts, campaign.task, official, read_clusters(clusters), settings
        )
    except gates.LackingError as error:
        text = f"campaigns.{campaign.name}.gates: {error}; gate on another measure"
        raise SystemExit(text) from None
    worst = min(decisions["state"], key=gates.WORST.index, default=INCONCLUSIVE)
    data = {"state": worst, "gates": decisions.to_dicts()}
    text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    tables.write_text(text, campaign.folder / "gates.json")
    tables.write_text(render_junit(decisions), campaign.folder / "gates.xml")
    runs = [*decisions["run"], settings.get("baseline")]
    rows = store.scan().filter(pl.col("run").is_in(runs), assessor=official).collect()
    counts = rows.group_by("run", pl.format("n_{}", "verdict").alias("verdict")).len()
    board = counts.pivot("verdict", index="run", values="len")
    policy = settings["policy"] if settings.get("judged", True) else {}
    uncounted = findings.list_uncounted(board, None, policy, settings.get("official"))
    section = make_section(decisions, settings["level"], [*map(render, uncounted)])
    campaign.write_page("gates", {"gates": section})


def make_section(decisions: pl.DataFrame, level: float, sentences: Sequence[str]) -> Section:
    """Return how many gates passed, failed or were inconclusive, these sentences, and a table of
    all gates."""
    names = ["run", "gate", "state", "value"]
    names += [name for name in ("needed", "why") if has_value(decisions[name])]
    table = tabulate(CAPTION.format(format_level(level)), decisions, names, long=["gate", "why"])
    sentence = describe_gates(decisions["state"].to_list())
    return Section("Gates", [sentence, *sentences], "ranking", tables=[table])


def describe_gates(states: list[str]) -> str:
    """Return how many gates passed, failed or were inconclusive."""
    if not states:
        return "There is no run but the baseline, so that no gate was tried."
    failed, undecided = states.count(FAIL), states.count(INCONCLUSIVE)
    passed = len(states) - failed - undecided
    were = "was" if undecided == 1 else "were"
    gates = f"{passed:,} gate{'s' * (passed != 1)}"
    return f"{gates} passed, {failed:,} failed, and {undecided:,} {were} inconclusive."


def render_junit(decisions: pl.DataFrame) -> str:
    """Return a test case for each run and gate: a failure, or skipped where it is inconclusive."""
    kinds, states = {FAIL: "failure", INCONCLUSIVE: "skipped"}, decisions["state"].to_list()
    suite = ElementTree.Element("testsuite", name="nonresponse", tests=str(len(states)))
    suite.set("failures", str(states.count(FAIL)))
    suite.set("skipped", str(states.count(INCONCLUSIVE)))
    for row in decisions.iter_rows(named=True):
        names = {"classname": short(row["run"], 300), "name": short(row["gate"], 300)}
        case = ElementTree.SubElement(suite, "testcase", names)
        value = "" if row["value"] is None else f"it is {format_rounded(row['value'], 4)}"
        needed = f"{row['needed']:,} questions needed: {NEEDED}" if row["needed"] else ""
        if kind := kinds.get(row["state"]):
            text = "; ".join(filter(None, [row["state"], value, needed, row["why"]]))
            ElementTree.SubElement(case, kind, message=text)
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, "unicode", xml_declaration=True) + "\n"
