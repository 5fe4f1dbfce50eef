"""What detect makes of files, and what becomes of the blocks that it writes."""

import json
from pathlib import Path

import yaml
from configured import evaluated
from nonresponse import campaign as config
from nonresponse.detect import DetectedCampaign, Scan, mapping
from nonresponse.detect.campaigns import detect


def found(*paths: str, **said: object) -> tuple[list[DetectedCampaign], Scan]:
    """Campaigns of files, with answers, and all faults."""
    return detect([str(path) for path in paths], said)


def accepted(*paths: str, **said: object) -> tuple[list[DetectedCampaign], Scan]:
    """The same, with the questions answered as proposed."""
    made, faults = found(*paths, **said)
    while new := {
        one.default.key: one.default.value
        for campaign in made
        for one in campaign.questions
        if one.default and one.default.key not in said
    }:
        said |= new
        made, faults = found(*paths, **said)
    return made, faults


def keys(made: list[DetectedCampaign]) -> list[str]:
    """The questions that are open."""
    return [question.key for one in made for question in one.questions]


def run(made: list[DetectedCampaign], out: Path) -> dict[str, str]:
    """What becomes of each campaign when its block is read as config.yaml is, and the readers
    run."""
    block = f"campaigns:\n{mapping.render_blocks(made, 2)}"
    checked = config.check_config(yaml.safe_load(block))["campaigns"]
    return {name: evaluated(campaign, out / name) for name, campaign in checked.items()}


def verdicts(result: str) -> dict[tuple[str, str], str]:
    """The states of responses by who counts, by run and question, without those of trivial runs."""
    rows = [
        row
        for row in json.loads(result)
        if row["assessor"] in ("official", "final", "key", "gold", "majority")
    ]
    rows = [row for row in rows if not row["run"].startswith("(")]
    return {
        (row["run"], row["question"]): "unanswered" if row.get("rightful") else row["raw"]
        for row in rows
    }
