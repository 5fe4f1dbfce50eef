"""The answers whose state a rule on their text decided, beside what they would be without it."""

from pathlib import Path

from nonresponse import tables
from nonresponse.judge import source_tables
from nonresponse.judge.audit import audit
from nonresponse.pages.sections import Campaign


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """audit.csv."""
    settings = campaign.settings
    ruled = [file for file in files if file.parent == campaign.folder / "ruled"]
    sources = source_tables(campaign.folder, settings["shards"], settings["source"] == "graded")
    found = audit(campaign.task, sources, ruled, settings.get("official"), **settings["rules"])
    tables.write_text(tables.harmless(found).write_csv(), campaign.folder / "audit.csv")
