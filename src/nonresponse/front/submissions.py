"""Check files before anything is scored, such as the runs of a shared task as they come in."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from nonresponse import legible
from nonresponse.front import local
from nonresponse.front.campaign import read_campaign, read_campaigns

# Faults in a comment, and characters of each: comments are limited to 65,536 characters
MAX_FAULTS, MAX_LENGTH = 100, 250


def check(names: Sequence[str], config: Path, markdown: bool) -> tuple[bool, str]:
    """Return whether the files of campaigns are without faults, and the report as text or Markdown.

    names: of campaigns; all of the configuration if empty. RefusedError where there is no such
    campaign.
    """
    reports = [check_one(name, config, markdown) for name in names or read_campaigns(config)]
    return all(sound for sound, _ in reports), "\n".join(text for _, text in reports)


def check_one(name: str, config: Path, markdown: bool) -> tuple[bool, str]:
    """Return whether the files of a campaign are without faults, and the report."""
    with TemporaryDirectory() as results:
        sound, text = local.report(local.place(read_campaign(config, name), Path(results)))
    if not markdown:
        return sound, text
    head, *lines = text.splitlines()
    return sound, render_comment(head, lines if sound else lines[:-1], not sound)


def render_comment(head: str, lines: list[str], faulty: bool) -> str:
    """Return a report in Markdown: its first line in bold, and an item for each of the first
    MAX_FAULTS other lines."""
    items = [
        f"- {legible.markdown(legible.short(line, MAX_LENGTH))}" for line in lines[:MAX_FAULTS]
    ]
    remainder = [f"- and {len(lines) - MAX_FAULTS:,} more"] * (len(lines) > MAX_FAULTS)
    end = ["", "Nothing was scored. Fix the files, and submit them again."] * faulty
    return "\n".join([f"**{legible.markdown(head)}**", "", *items, *remainder, *end]) + "\n"
