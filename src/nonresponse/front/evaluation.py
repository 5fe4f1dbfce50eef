"""What is said of an evaluation: the sentences of its leaderboard, and verdicts by run."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from nonresponse.front import RefusedError, local
from nonresponse.front.campaign import CampaignBlock
from nonresponse.front.responses import WORDS, judge_files
from nonresponse.legible import short, uncover
from nonresponse.report import model
from nonresponse.workflow.campaigns import Campaign

MAX_RUNS = 20  # runs that are listed


def list_findings(configured: Campaign) -> list[str]:
    """Return the sentences on a campaign by its first measure, as its page has them, and the notes
    on its files."""
    analyses = [id for id in ("comparison", "sample_size") if configured.has_analysis(id)]
    reliability = {**configured.options["reliability"], "analyses": analyses}
    options = {"measures": configured.measures[:1], "reliability": reliability}
    with TemporaryDirectory() as folder:
        campaign = replace(configured, options={**configured.options, **options}, results=folder)
        local.evaluate(campaign)
        board, checks = (
            model.read_sections(Path(campaign.folder, f"{name}.json"))
            for name in ("leaderboard", "check")
        )
    sentences = board["leaderboard"].sentences or ["No score ranks the runs."]
    notes = [] if campaign.imported else checks["notes"].sentences  # of logs, the board has them
    return [uncover(sentence) for sentence in [*sentences, *notes]]


def describe_verdicts(block: CampaignBlock) -> list[str]:
    """Return a line on each run of a campaign: how many of its responses have which verdict."""
    with TemporaryDirectory() as folder:
        try:
            store = judge_files(block, Path(folder)).store
            verdicts = store.scan().select("assessor", "run", "verdict").collect()
        except RefusedError as error:
            return [str(error)]
    counts = verdicts.group_by("assessor", "run", "verdict").len().sort("assessor", "run")
    lines = []
    for (assessor, run), run_counts in counts.group_by("assessor", "run", maintain_order=True):
        number = dict(run_counts.select("verdict", "len").iter_rows())
        parts = [f"{number[name]:,} {name}" for name in WORDS if name in number]
        judge = f" by {short(str(assessor))}" if len(store.assessors) > 1 else ""
        lines.append(f"  {short(str(run))}{judge}: {', '.join(parts)}")
    lines[MAX_RUNS:] = [f"  and {len(lines) - MAX_RUNS:,} more"] * (len(lines) > MAX_RUNS)
    return lines
