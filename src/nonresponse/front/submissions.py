"""Check files before anything is scored, such as the runs of a shared task as they come in."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from nonresponse import legible
from nonresponse.faults import split_report
from nonresponse.front import local
from nonresponse.front.campaign import read_campaign, read_campaigns
from nonresponse.report.model import read_sections

# Faults in a comment, and characters of each: comments are limited to 65,536 characters
MOST, WIDEST = 100, 250


def check(names: Sequence[str], config: Path, markdown: bool) -> tuple[bool, str]:
    """Return whether the files of campaigns are without faults, and the report as text or Markdown.

    names: of campaigns; all of the configuration if empty. RefusedError where there is no such
    campaign.
    """
    found = [check_one(name, config, markdown) for name in names or read_campaigns(config)]
    return all(sound for sound, _ in found), "\n".join(text for _, text in found)


def check_one(name: str, config: Path, markdown: bool) -> tuple[bool, str]:
    """Return whether the files of a campaign are without faults, and the report."""
    with TemporaryDirectory() as results:
        campaign = local.in_folder(read_campaign(config, name), Path(results))
        sound, text = local.report(campaign)
        if not markdown:
            return sound, text
        if not sound:
            first, lines, _ = split_report(text)
            return False, comment(first, lines, True)
        found, notes = read_sections(Path(campaign.folder, "check.json")).values()
    return True, comment(f"{name}: {found.sentences[0]}", notes.sentences, False)


def comment(first: str, lines: list[str], faulty: bool) -> str:
    """Return a report in Markdown: its first line in bold, and an item for each of the first MOST
    other lines."""
    items = [f"- {legible.markdown(legible.short(line, WIDEST))}" for line in lines[:MOST]]
    more = [f"- and {len(lines) - MOST:,} more"] * (len(lines) > MOST)
    end = ["", "Nothing was scored. Mend the files, and hand them in again."] * faulty
    return "\n".join([f"**{legible.markdown(first)}**", "", *items, *more, *end]) + "\n"
