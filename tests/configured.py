"""A campaign as config.yaml has it, through the project's own commands in this process."""

import copy
from pathlib import Path

import polars as pl
from nonresponse import campaign as config
from nonresponse import faults
from nonresponse.campaign.options import find_source
from nonresponse.database import query_rows
from nonresponse.front import local
from nonresponse.ingest import check, imports
from nonresponse.judging.store import read_verdicts
from nonresponse.scoring.tally import select_with_excluded
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign


def evaluate(campaign: dict, folder: Path) -> str:
    """What becomes of a checked campaign, as text: the faults of its files, or its verdicts."""
    return render_outcome(campaign, folder, faulty=ingest_and_judge(campaign, folder))


def ingest_and_judge(campaign: dict, folder: Path) -> str:
    """Return the report of its faults; if empty, counts or verdicts are in the folder."""
    faulty = ingest(campaign, folder)
    if not faulty and find_source(campaign) != "counts":
        write_verdicts(campaign, folder, folder / "verdicts.npz")
    return faults.render_report(faulty, "t") if faulty else ""


def write_verdicts(campaign: dict, folder: Path, output: Path) -> None:
    """Judge a campaign or a scenario of it, whose files were read into the folder."""
    workflow_campaign = locate_campaign(campaign, folder)
    local.call("judge", workflow_campaign, verdicts=output)


def check_results(campaign: dict, folder: Path) -> list[faults.Fault]:
    """Return all faults of a campaign of single responses that was read into the folder."""
    workflow_campaign = locate_campaign(campaign, folder)
    parts = [str(Path(path).relative_to(folder)) for path in paths.faults(workflow_campaign)]
    accounts = imports.read_accounts(sorted(folder.glob("imports/*.parquet")))
    options = workflow_campaign.checked_options
    return check.check_campaign(options, folder, parts, workflow_campaign.shards, accounts)[0]


def report_faults(name: str, campaign: dict, folder: Path) -> list[str]:
    """Return the report's lines on the files of an unchecked campaign, if it has faults."""
    campaign = config.check_config({"campaigns": {name: campaign}})["campaigns"][name]
    is_sound, report = local.report(locate_campaign(campaign, folder / name))
    return [] if is_sound else [line.strip() for line in report.splitlines()]


def render_outcome(campaign: dict, folder: Path, faulty: str) -> str:
    """What `evaluate` says, of a folder that `ingest_and_judge` has filled."""
    if faulty:
        return faulty
    if find_source(campaign) == "counts":
        return pl.read_parquet(folder / "table.parquet").write_ndjson()
    query = select_with_excluded(config.select_policy(campaign), campaign["task"])
    rows = read_verdicts(folder / "verdicts.npz").scan_derived()
    cells = query_rows(query, verdicts=rows).drop("cell", "weight", "times")
    return cells.collect().sort("assessor", "run", "question", "candidate").write_json()


def locate_campaign(campaign: dict, folder: Path) -> Campaign:
    """The campaign, with its results in the folder."""
    return Campaign(folder.name, campaign | {"aliases": {}}, results=str(folder.parent))


def ingest(campaign: dict, folder: Path) -> list[faults.Fault]:
    """Write the tables of a campaign's files to the folder; return their faults."""
    workflow_campaign = locate_campaign(campaign, folder)
    local.read(workflow_campaign)
    return [fault for path in paths.faults(workflow_campaign) for fault in faults.read_faults(path)]


def set_option(campaign: dict, option: str, value: object) -> dict:
    """The campaign with an option set, or taken away (None)."""
    campaign = copy.deepcopy(campaign)
    *folders, key = option.split(".")
    part = campaign
    for name in folders:
        part = part.setdefault(name, {})
    part[key] = value
    if value is None:
        del part[key]
    return campaign
