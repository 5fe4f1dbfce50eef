"""What is said of an evaluation: the sentences of its leaderboard, notes of logs, and verdicts by
run."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from nonresponse.front import RefusedError, local
from nonresponse.front.campaign import CampaignBlock, read_campaign
from nonresponse.front.responses import WORDS, judge_files
from nonresponse.legible import short, uncover
from nonresponse.report import model
from nonresponse.wording import plural

MOST = 20  # runs that are listed


def findings_of(file: Path, name: str) -> list[str]:
    """Return the sentences on a campaign of config.yaml by its first measure, as its page has
    them."""
    found = read_campaign(file, name)
    analyses = [id for id in ("comparison", "sample_size") if found.has_analysis(id)]
    reliability = {**found.options["reliability"], "analyses": analyses}
    options = {**found.options, "measures": found.measures[:1], "reliability": reliability}
    with TemporaryDirectory() as folder:
        campaign = replace(found, options=options, results=folder)
        local.evaluate(campaign)
        topic = model.read_sections(Path(campaign.folder, "leaderboard.json"))["leaderboard"]
    return [uncover(sentence) for sentence in topic.sentences] or ["No score ranks the runs."]


def notes_of_logs(accounts: pl.DataFrame) -> list[str]:
    """Return the notes of logs on themselves, each once, with the number of runs that have it."""
    every = accounts.select(note=pl.concat_list("chosen", "notes")).explode("note").drop_nulls()
    notes = every.group_by("note", maintain_order=True).agg(pl.len()).rows()
    return [f"{note} ({plural(number, 'run')})" for note, number in notes]


def states(what: CampaignBlock) -> list[str]:
    """Return a line on each run of a campaign: how many of its responses have which verdict."""
    with TemporaryDirectory() as folder:
        try:
            store = judge_files(what, Path(folder)).store
            verdicts = store.scan().select("assessor", "run", "verdict").collect()
        except RefusedError as error:
            return [str(error)]
    counts = verdicts.group_by("assessor", "run", "verdict").len().sort("assessor", "run")
    lines = []
    for (assessor, run), own in counts.group_by("assessor", "run", maintain_order=True):
        number = dict(own.select("verdict", "len").iter_rows())
        each = [f"{number[name]:,} {name}" for name in WORDS if name in number]
        whose = f" by {short(str(assessor))}" if len(store.assessors) > 1 else ""
        lines.append(f"  {short(str(run))}{whose}: {', '.join(each)}")
    return [*lines[:MOST], *[f"  and {len(lines) - MOST:,} more"] * (len(lines) > MOST)]
