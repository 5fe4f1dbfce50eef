"""What detect makes of files, and what becomes of the blocks that it writes."""

import json
from pathlib import Path

import yaml
from configured import evaluate
from nonresponse import campaign as config
from nonresponse.detect import DetectedCampaign, Scan, mapping
from nonresponse.detect.campaigns import detect
from nonresponse.front.campaign import detect_campaigns


def detect_files(*paths: str, **answers: object) -> tuple[list[DetectedCampaign], Scan]:
    """Campaigns of files, with answers, and all faults."""
    return detect([str(path) for path in paths], answers)


def detect_accepted(path: str) -> tuple[list[DetectedCampaign], Scan]:
    """The same, with the questions answered as proposed."""
    return detect_campaigns([path], {}, None, accept=True, ask=False)


def keys(campaigns: list[DetectedCampaign]) -> list[str]:
    """The questions that are open."""
    return [question.key for campaign in campaigns for question in campaign.questions]


def run(campaigns: list[DetectedCampaign], out: Path) -> dict[str, str]:
    """Evaluate each campaign, whose block is read as config.yaml is."""
    block = f"campaigns:\n{mapping.render_blocks(campaigns, 2)}"
    checked = config.check_config(yaml.safe_load(block))["campaigns"]
    return {name: evaluate(campaign, out / name) for name, campaign in checked.items()}


def verdicts(result: str) -> dict[tuple[str, str], str]:
    """The states of responses by who counts, by run and question, without those of trivial runs."""
    official = ("official", "final", "key", "gold", "majority")
    rows = [row for row in json.loads(result) if row["assessor"] in official]
    return {
        (row["run"], row["question"]): "unanswered" if row.get("rightful") else row["raw"]
        for row in rows
        if not row["run"].startswith("(")
    }
