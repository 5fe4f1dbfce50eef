"""What is said of an evaluation beside its leaderboard: failed, unjudged and unasked questions, and notes of logs."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from nonresponse.front import Refused, local
from nonresponse.front.campaign import Known
from nonresponse.front.frames import WORDS
from nonresponse.front.logs import judge_files, named_in
from nonresponse.legible import short, uncovered
from nonresponse.report import model
from nonresponse.scoring.leaderboard import TIE
from nonresponse.wording import amount, counted_as, plural, rounded
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

NAMED, MOST = 5, 20  # runs that sentences are on, and that are listed
# What counts of responses say besides verdicts.
GAPS = {
    "n_error": "{} failed and {}",
    "n_unscored": "nobody judged the answers to {}, which {}",
    "n_not_asked": "",
}


def findings_of(file: Path, name: str) -> list[str]:
    """Return the sentences on a campaign of config.yaml by its first measure, as its page has them."""
    found = named_in(file, name)
    analyses = [id for id in ("comparison", "sample_size") if found.analysed(id)]
    reliability = {**found.options["reliability"], "analyses": analyses}
    options = {**found.options, "measures": found.measures[:1], "reliability": reliability}
    with TemporaryDirectory() as folder:
        campaign = replace(found, options=options, results=folder)
        local.evaluate(campaign)
        topic = model.read_sections(Path(campaign.folder, "leaderboard.json"))["leaderboard"]
        said = [*topic.sentences, *(gaps(campaign) if campaign.single else [])]
    return [uncovered(sentence) for sentence in said] or ["No score ranks the runs."]


def gaps(campaign: Campaign) -> list[str]:
    """Return a sentence on each run with failed, unjudged or unasked questions, and how far they could move its score.

    The results of the campaign have to be there.
    """
    first, results = campaign.measures[0], Path(campaign.folder)
    counts, scores = (pl.read_parquet(results / name) for name in ("counts.parquet", f"scores/{first}.parquet"))
    board = counts.join(scores, on=["assessor", "run"], how="left")
    official = campaign.official or board["assessor"].min()
    some = board.filter(
        pl.col("assessor") == official,
        pl.any_horizontal(pl.col(name).fill_null(0) > 0 for name in GAPS if name in board.columns),
    )
    said = []
    for row in some.sort("value", "run", descending=[True, False], nulls_last=True).head(NAMED).iter_rows(named=True):
        there = {name: row[name] for name in GAPS if row.get(name)}
        other = there.pop("n_not_asked", 0)
        asked = f"asked {amount(row['n_asked'])} questions" + f", and not {amount(other)} others" * bool(other)
        each = [GAPS[name].format(amount(number), policy(campaign, name)) for name, number in there.items()]
        said.append(f"{short(row['run'])}: {'; '.join([asked, *each])}{moves(row, first)}.")
    more = f"{plural(some.height - NAMED, 'more run')} with failed, unjudged or unasked questions."
    return said + [more] * (some.height > NAMED)


def moves(row: dict[str, Any], id: str) -> str:
    """Return how far the score could move, as the end of a sentence; empty where it could not."""
    low, high = row["worst"], row["best"]
    if low is None or high is None or abs(high - low) <= TIE:
        return ""
    return f"; however they are taken, its {id} is {rounded(min(low, high), 2)} to {rounded(max(low, high), 2)}"


def notes_of_logs(campaign: Campaign) -> list[str]:
    """Return the notes of logs on themselves, each once, with the number of runs that have it."""
    accounts = [pl.read_parquet(file) for file in paths.accounts(campaign) if Path(file).is_file()]
    if not accounts:
        return []
    said = pl.concat(accounts).select(note=pl.concat_list("chosen", "notes")).explode("note").drop_nulls()
    notes = said.group_by("note", maintain_order=True).agg(pl.len()).rows()
    return [f"{note} ({plural(number, 'run')})" for note, number in notes]


def policy(campaign: Campaign, count: str) -> str:
    """Return what a kind of responses counts as, as the end of a sentence."""
    return counted_as(campaign.options.get(count.removeprefix("n_"), "wrong"))


def states(what: Known) -> list[str]:
    """Return a line on each run of a campaign: how many of its responses have which verdict."""
    with TemporaryDirectory() as folder:
        try:
            _, store = judge_files(what, Path(folder))
            verdicts = store.scan().select("assessor", "run", "verdict").collect()
        except Refused as error:
            return [str(error)]
    counts = verdicts.group_by("assessor", "run", "verdict").len().sort("assessor", "run")
    lines = []
    for (assessor, run), own in counts.group_by("assessor", "run", maintain_order=True):
        number = dict(own.select("verdict", "len").iter_rows())
        each = [f"{number[name]:,} {name}" for name in WORDS if name in number]
        whose = f" by {short(str(assessor))}" if verdicts["assessor"].n_unique() > 1 else ""
        lines.append(f"  {short(str(run))}{whose}: {', '.join(each)}")
    return [*lines[:MOST], *[f"  and {len(lines) - MOST:,} more"] * (len(lines) > MOST)]
