"""A shared task while its runs come in: whether their files are sound."""

from collections.abc import Callable
from pathlib import Path

from nonresponse import legible
from nonresponse.faults import parts
from nonresponse.front import RefusedError, logs
from nonresponse.report.model import read_sections
from nonresponse.workflow import paths

# Faults in a comment, and characters of each: comments are limited to 65,536 characters
MOST, WIDEST = 100, 250
Run = Callable[[list[str]], int]  # brings these results up to date, and returns the exit status


def check(name: str, config: Path, markdown: bool, run: Run) -> tuple[bool, str]:
    """Whether the files of a campaign are without faults; and the report, as text or as a comment
    in Markdown.

    RefusedError where there is no such campaign, or the check itself failed.
    """
    campaign = logs.configured(name, config)
    report = Path(campaign.folder, "faults.txt")
    report.unlink(missing_ok=True)
    failed = run(paths.below(campaign, "check.txt", "check.json"))
    if failed and not report.is_file():
        raise RefusedError(f"{name} could not be checked: see above")
    said = (report if failed else Path(campaign.folder, "check.txt")).read_text(encoding="utf-8")
    if not markdown:
        return not failed, said
    if failed:
        first, lines, _ = parts(said)
        return False, comment(first, lines, True)
    found, notes = read_sections(Path(campaign.folder, "check.json")).values()
    return True, comment(f"{name}: {found.sentences[0]}", notes.sentences, False)


def comment(first: str, lines: list[str], faulty: bool) -> str:
    """A report in Markdown: its first line in bold, and an item for each of the first MOST other
    lines."""
    items = [f"- {legible.markdown(legible.short(line, WIDEST))}" for line in lines[:MOST]]
    more = [f"- and {len(lines) - MOST:,} more"] * (len(lines) > MOST)
    end = ["", "Nothing was scored. Mend the files, and hand them in again."] * faulty
    return "\n".join([f"**{legible.markdown(first)}**", "", *items, *more, *end]) + "\n"
