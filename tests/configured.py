"""A campaign as config.yaml has it, through the project's own commands in this process."""

from pathlib import Path

import polars as pl
from nonresponse import campaign as config
from nonresponse import faults, judging
from nonresponse.campaign.options import find_source
from nonresponse.database import query_rows
from nonresponse.front import local
from nonresponse.ingest import check, imports
from nonresponse.judging.store import read_verdicts
from nonresponse.scoring.tally import select_with_excluded
from nonresponse.stages import ingest as stages
from nonresponse.stages import params
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign


def evaluated(campaign: dict, folder: Path) -> str:
    """What becomes of a checked campaign, as text: the faults of its files, or its verdicts."""
    return under_policy(campaign, folder, faulty=judged(campaign, folder))


def judged(campaign: dict, folder: Path) -> str:
    """The report of the faults of its files; if empty, its counts or its verdicts are in the
    folder."""
    found = ingested(campaign, folder)
    if not found and find_source(campaign) != "counts":
        write_verdicts(campaign, folder, folder / "verdicts.npz")
    return faults.render_report(found, "t") if found else ""


def write_verdicts(campaign: dict, folder: Path, output: Path) -> None:
    """The verdicts of a campaign, or of a scenario of it, whose files have been read into the
    folder."""
    own = of_folder(campaign, folder)
    rules = local.make_params(params.JudgeParams, own).settings()
    files = {
        "responses": paths.responses(own),
        "graded_responses": paths.graded(own),
        "judgments": paths.judgments(own),
        "questions": paths.questions(own),
    }
    sources = {name: [*map(Path, some)] for name, some in files.items() if some}
    judging.judge(rules.pop("task"), sources, output, **rules)


def checked(campaign: dict, folder: Path) -> list[faults.Fault]:
    """All faults of a campaign of single responses that has been read into the folder: those of its
    files, and more."""
    own = of_folder(campaign, folder)
    parts = [str(Path(path).relative_to(folder)) for path in paths.faults(own)]
    accounts = imports.read_accounts(sorted(folder.glob("imports/*.parquet")))
    options = own.checked_options
    return check.check_campaign(options, folder, parts, own.shards, accounts)[0]


def reported(name: str, campaign: dict, folder: Path) -> list[str]:
    """The lines of the report on the files of an unchecked campaign, which are read into the
    folder, if any."""
    campaign = config.check_config({"campaigns": {name: campaign}})["campaigns"][name]
    found = ingested(campaign, folder / name)
    if find_source(campaign) != "counts":
        found = checked(campaign, folder / name)
    return (
        [line.strip() for line in faults.render_report(found, name).splitlines()] if found else []
    )


def under_policy(campaign: dict, folder: Path, faulty: str) -> str:
    """What `evaluated` says, of a folder that `judged` has filled."""
    if faulty:
        return faulty
    if find_source(campaign) == "counts":
        return pl.read_parquet(folder / "table.parquet").write_ndjson()
    query = select_with_excluded(config.select_policy(campaign), campaign["task"])
    rows = read_verdicts(folder / "verdicts.npz").scan_derived()
    seen = query_rows(query, verdicts=rows).drop("cell", "weight", "times")
    return seen.collect().sort("assessor", "run", "question", "candidate").write_json()


def of_folder(campaign: dict, folder: Path) -> Campaign:
    """The campaign, with its results in the folder."""
    unpacked = {"gigabytes": 8, "ratio": 500}
    return Campaign(
        folder.name, campaign | {"aliases": {}}, unpacked=unpacked, results=str(folder.parent)
    )


def ingested(campaign: dict, folder: Path) -> list[faults.Fault]:
    """The tables that the files of a campaign are read into, written to the folder; their
    faults."""
    own = of_folder(campaign, folder)
    if own.source == "counts":
        made = {"table": folder / "table.parquet", "faults": folder / "faults/counts.tsv"}
        made["imports"] = folder / "imports/counts.parquet"
        files = [Path(path) for path in own.matched_count_files]
        read = local.make_params(params.ReadParams, own, unreadable=own.count_files.unreadable)
        stages.ingest_counts(files, [], **made, params=read)
    else:
        local.read(own)
    return [fault for path in paths.faults(own) for fault in faults.read_faults(path)]
