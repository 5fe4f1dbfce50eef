"""A shared task while its runs come in: whether their files are sound, and where the runs stand so far."""

from collections.abc import Callable
from pathlib import Path

import polars as pl

from nonresponse import legible, tables
from nonresponse.faults import parts
from nonresponse.front import Refused, sides
from nonresponse.pages.blocks import read_topics
from nonresponse.scoring import history
from nonresponse.wording import plural
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

MOST, WIDEST = 100, 250  # faults in a comment, and characters of each: comments are limited to 65,536 characters
Run = Callable[[list[str]], int]  # brings these results up to date, and returns the exit status


def check(name: str, config: Path, markdown: bool, run: Run) -> tuple[bool, str]:
    """Whether the files of a campaign are without faults; and the report, as text or as a comment in Markdown.

    Refused where there is no such campaign, or the check itself failed.
    """
    campaign = sides.configured(name, config)
    report = Path(campaign.folder, "faults.txt")
    report.unlink(missing_ok=True)
    failed = run(paths.below(campaign, "check.txt", "check.json"))
    if failed and not report.is_file():
        raise Refused(f"{name} could not be checked: see above")
    said = (report if failed else Path(campaign.folder, "check.txt")).read_text(encoding="utf-8")
    if not markdown:
        return not failed, said
    if failed:
        first, lines, _ = parts(said)
        return False, comment(first, lines, True)
    found, notes = read_topics(Path(campaign.folder, "check.json")).values()
    return True, comment(f"{name}: {found.sentences[0]}", notes.sentences, False)


def comment(first: str, lines: list[str], faulty: bool) -> str:
    """A report in Markdown: its first line in bold, and an item for each of the first MOST other lines."""
    items = [f"- {legible.markdown(legible.short(line, WIDEST))}" for line in lines[:MOST]]
    more = [f"- and {len(lines) - MOST:,} more"] * (len(lines) > MOST)
    end = ["", "Nothing was scored. Mend the files, and hand them in again."] * faulty
    return "\n".join([f"**{legible.markdown(first)}**", "", *items, *more, *end]) + "\n"


def extend(name: str, config: Path, label: str, run: Run) -> str:
    """Adds the standing of a campaign's runs to the file of its `history:`, unless the last evaluation is the same.

    Returns a sentence on what was added. Refused if there is no `history:`, its file is invalid, or the campaign fails.
    """
    campaign = sides.configured(name, config)
    if "history" not in campaign.options:
        raise Refused(f"{name} has no history: write `history: history.parquet` into its block of {config}")
    path = Path(campaign.options["history"])
    try:
        before = history.read_history(path)
    except ValueError as error:
        raise Refused(str(error)) from None
    sides.up_to_date(name, paths.counts_and_scores(campaign), run)
    now = standing(campaign)
    longer = history.longer(before, now, label)
    if longer is None:
        return f"{name}: as in the last evaluation of {path}, to which nothing is added"
    tables.write(longer, path)
    number = longer.select("evaluation").max().item()
    return f"{name}: evaluation {number}, of {plural(now['run'].n_unique(), 'run')}, added to {path}"


def standing(campaign: Campaign) -> pl.DataFrame:
    """The `scoring.history.standing` of a campaign, from its results."""
    folder = Path(campaign.folder)
    scores = {id: pl.read_parquet(folder / f"scores/{id}.parquet") for id in campaign.measures}
    official = tables.official(campaign.official, pl.scan_parquet(folder / "counts.parquet"))
    return history.standing(scores, [campaign.measure(id) for id in scores], official, campaign.trivial)
