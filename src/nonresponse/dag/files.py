"""Which files each stage reads and writes: functions of a campaign, or of an evaluation of it, that give paths."""

import os
from collections.abc import Iterable
from pathlib import Path

from nonresponse import formats
from nonresponse.dag.campaigns import Campaign
from nonresponse.formats.text import there
from nonresponse.home import HOME
from nonresponse.ingest.files import all_matched
from nonresponse.pages.published import QUOTIENTS, SIMILARITIES, TABLES

RESOURCES = HOME / "resources"
FIDELITY = [f"results/{name}" for name in ("fidelity.md", "fidelity.csv", "fidelity.json", "claims.csv")]
# What is compared with the previous results, from effect to cause.
COMPARABLE = {
    "counts": ["leaderboard"],
    "graded": ["leaderboard", "verdicts"],
    "runs": ["leaderboard", "verdicts", "judgments"],
}


# Of each source that comes in shards: the folder of the shards' tables, those of what only this source has, which are
# options of scripts/ingest.py, too, and how much a megabyte costs, against runs.
SHARDED: dict[str, tuple[str, tuple[str, ...], int]] = {
    "runs": ("responses", (), 1),
    "graded": ("graded", ("imports", "texts"), 2),
}


def resources(folder: str) -> Path:
    """A folder of resources/ as a relative path, so that moving the project repeats no job."""
    return Path(os.path.relpath(RESOURCES / folder))


def below(campaign: Campaign, *names: str) -> list[str]:
    """These names as results of the campaign."""
    return [f"{campaign.folder}/{name}" for name in names]


def resources_in(folder: str) -> list[str]:
    """The tables in a folder of resources/."""
    return [str(path) for path in sorted(resources(folder).glob("*.csv"))]


# From raw files to verdicts.


def of_shard(campaign: Campaign, shard: int) -> list[str]:
    """The raw files of a shard, and the files that their format reads with them."""
    part = campaign.raw
    return formats.read_with(part["format"], campaign.sharded[shard].files, part)


def judged_files(campaign: Campaign) -> list[str]:
    """The files of judgments."""
    return campaign.judgment_files.files


def counted_files(campaign: Campaign) -> list[str]:
    """The table of counts, or the logs that hold counts, and what is read with them."""
    return campaign.count_files.files


def of_questions(campaign: Campaign) -> list[str]:
    """The file of the question set, if it has one."""
    return campaign.question_files


def of_counts(campaign: Campaign) -> list[str]:
    """The files of counts, with what matches their patterns but cannot be read."""
    return all_matched(campaign.count_files)


def of_judgments(campaign: Campaign) -> list[str]:
    """The files of judgments, with what matches their patterns but cannot be read, and the file of the question set."""
    return [*all_matched(campaign.judgment_files), *campaign.question_files]


def raw(campaign: Campaign) -> list[str]:
    """Every file that a campaign is read from."""
    runs = [file for shard in campaign.shards for file in of_shard(campaign, shard)]
    return [*runs, *campaign.judgment_files.files, *campaign.question_files, *campaign.count_files.files]


def faults(campaign: Campaign) -> list[str]:
    """The tables of faults of a campaign, within its folder."""
    other = {"runs": "judgments", "graded": "questions", "counts": "counts"}[campaign.source]
    return [f"faults/{other}.tsv", *[f"faults/runs-{shard}.tsv" for shard in campaign.shards]]


def accounts(campaign: Campaign) -> list[str]:
    """The tables of what logs say of themselves, within the campaign's folder; empty tables where files are no logs."""
    parts: dict[str, list] = {"runs": [], "graded": campaign.shards, "counts": ["counts"]}
    return [f"imports/{part}.parquet" for part in parts[campaign.source]]


def read_accounts(campaign: Campaign) -> list[str]:
    """The tables of what logs say of themselves, within the campaign's folder; none where files are no logs."""
    return accounts(campaign) if campaign.imported else []


def of_each_shard(campaign: Campaign, table: str) -> list[str]:
    """The tables of all shards in a folder."""
    return below(campaign, *(f"{table}/{shard}.parquet" for shard in campaign.shards))


def checked(campaign: Campaign) -> list[str]:
    """The tables that the check reads, and whose faults it reports."""
    names = {
        "runs": ["questions.parquet", "judgments.parquet", "assessors.parquet"],
        "graded": ["questions.parquet"],
        "counts": ["table.parquet"],
    }[campaign.source]
    folders = [SHARDED[campaign.source][0], "runs"] if campaign.source in SHARDED else []
    shards = [path for folder in folders for path in of_each_shard(campaign, folder)]
    return below(campaign, *faults(campaign), *names) + shards + below(campaign, *read_accounts(campaign))


def certificate(campaign: Campaign) -> list[str]:
    """The file that says that the check found no fault; an evaluation shares that of its campaign."""
    return below(campaign.campaign, "check.txt")


def judged(campaign: Campaign) -> list[str]:
    """The tables that verdicts are made of; an evaluation shares those of its campaign."""
    whole = campaign.campaign
    others = tuple(below(whole, "runs/", "imports/", "assessors.parquet"))
    return [path for path in checked(whole) if path.endswith(".parquet") and not path.startswith(others)]


def judged_with(campaign: Campaign, shards: list[int]) -> list[str]:
    """The tables that verdicts are made of: those of these shards, and those that all shards share."""
    names = {*map(str, shards), "judgments", "questions"}
    return [path for path in judged(campaign) if Path(path).stem in names]


def voters(campaign: Campaign) -> list[str]:
    """The tables of the assessors, where one of them may have the name of the vote and so replace it (config.votes)."""
    if not campaign.judgments.get("vote", {}).get("or_named"):
        return []
    return below(campaign, "assessors.parquet") if campaign.source == "runs" else of_each_shard(campaign, "graded")


def judgments(campaign: Campaign) -> list[str]:
    """The judgments; none where responses came graded."""
    return below(campaign, "judgments.parquet") if campaign.source == "runs" else []


def responses(campaign: Campaign) -> list[str]:
    """The tables of responses that judgments are of; none where responses came graded."""
    return of_each_shard(campaign, "responses") if campaign.source == "runs" else []


def texts(campaign: Campaign) -> list[str]:
    """The tables of the texts of graded responses; none where responses did not come graded."""
    return of_each_shard(campaign, "texts") if campaign.source == "graded" else []


def exported(campaign: Campaign) -> dict[str, list[str]]:
    """What the export of responses reads beside verdicts, by kind: texts, what rules decided, what logs state."""
    given = {"texts": texts(campaign), "responses": responses(campaign), "ruled": of_each_shard(campaign, "ruled")}
    return {name: paths for name, paths in (given | {"imports": below(campaign, *accounts(campaign))}).items() if paths}


def all_exported(campaign: Campaign) -> list[str]:
    """The same files, of all kinds."""
    return [path for paths in exported(campaign).values() for path in paths]


def read_notes(campaign: Campaign) -> list[str]:
    """The names of the checksum files in read/, which may hold older ones, too."""
    return [name.removeprefix("faults/").replace(".tsv", ".sha256") for name in faults(campaign)]


def verdicts(campaign: Campaign) -> list[str]:
    """The verdict store that is counted."""
    return below(campaign.judged_as, "verdicts.npz")


def folder(campaign: Campaign) -> str:
    """The folder of the results of a campaign, or of an evaluation."""
    return campaign.folder


def folder_of_tables(campaign: Campaign) -> str:
    """The folder of the tables that verdicts are made of: an evaluation shares those of its campaign."""
    return campaign.campaign.folder


def folder_of_verdicts(campaign: Campaign) -> str:
    """The folder of the verdicts that are counted."""
    return verdicts(campaign)[0]


def verdicts_without_rules(campaign: Campaign) -> list[str]:
    """The verdicts without the campaign's rules on answers; none where it has no rules, and none for an evaluation."""
    return verdicts(campaign.without_rules) if campaign.ruled and not campaign.whole else []


def tables_counted(campaign: Campaign) -> list[str]:
    """The tables that are counted: verdicts, or a published table."""
    return verdicts(campaign) if campaign.single else below(campaign, "table.parquet")


# Counts and scores.


def counts(campaign: Campaign) -> list[str]:
    """The counts by run."""
    return below(campaign, "counts.parquet")


def tallied(campaign: Campaign) -> list[str]:
    """What is counted from verdicts."""
    tables = ("counts", "counts_by_category", "counts_by_variant")
    return below(campaign, *(f"{name}.parquet" for name in tables), "outcomes")


def bounds(campaign: Campaign) -> list[str]:
    """The counts by policy variant and, where the campaign has rules on answers, those without the rules."""
    without = ["counts", "counts_by_variant"] if campaign.ruled and not campaign.whole else []
    return below(campaign, "counts_by_variant.parquet", *(f"without-rules/{name}.parquet" for name in without))


def scores(campaign: Campaign) -> list[str]:
    """The counts, and the scores of each measure."""
    return counts(campaign) + below(campaign, *(f"scores/{id}.parquet" for id in campaign.measures))


def all_scores(campaign: Campaign) -> list[str]:
    """The counts, and the scores of each measure, overall and by category."""
    return scores(campaign) + below(campaign, *(f"scores_by_category/{id}.parquet" for id in campaign.measures))


def history(campaign: Campaign) -> list[str]:
    """Where runs stood so far: the file that `nonresponse history` makes, once it is there."""
    return [path for path in [campaign.options.get("history")] if path and there(path)]


def clusters(campaign: Campaign) -> list[str]:
    """The table of the questions, where these come in clusters."""
    return below(campaign, "questions.parquet") if campaign.clustered else []


# Pages.


def source(campaign: Campaign) -> list[str]:
    """The published table of the campaign, if the campaign's figures are compared with it."""
    return [str(resources("published") / f"{campaign.name}.csv")] if campaign.printed else []


def published_sensitivity(campaign: Campaign) -> list[str]:
    """The published table of the swap method; for the campaign whose runs are simulated after those that it is of."""
    return [str(resources("published") / "penas-2011-table-2.csv")] * (campaign.name == "respubliqa-2009-simulated")


def compared_scores(campaigns: Iterable[Campaign]) -> list[str]:
    """The scores of the measures that the published tables of these campaigns print."""
    printed = [(campaign, id) for campaign in campaigns for table in campaign.printed for id in table.measures]
    return [path for campaign, id in printed for path in below(campaign, f"scores/{id}.parquet")]


def of_sources(campaigns: Iterable[Campaign]) -> list[str]:
    """The names of the published tables of these campaigns, and of the tables of similarities for their tasks."""
    printed = {table.name for campaign in campaigns for table in campaign.printed}
    tasks = {campaign.task.id for campaign in campaigns}
    names = [table.name for table in TABLES if table.name in printed]
    return names + [table.name for table in SIMILARITIES if table.task in tasks]


def compared_with_sources(campaigns: Iterable[Campaign]) -> list[str]:
    """The names of all published tables to compare with: those that need no campaign, and those of these campaigns."""
    return [*(table.name for table in QUOTIENTS), *of_sources(campaigns)]


def fidelity_blocks(campaigns: Iterable[Campaign]) -> list[str]:
    """The part of it that the report shows."""
    return [path for path in fidelity_pages(campaigns) if path.endswith(".json")]


def fidelity_pages(campaigns: Iterable[Campaign]) -> list[str]:
    """What the comparison with the sources writes; nothing where no campaign has a source."""
    return FIDELITY if of_sources(campaigns) else []
