"""A campaign as config.yaml has it, through the project's own stages in this process."""

from functools import cache
from pathlib import Path

import duckdb
import polars as pl
from nonresponse import config, faults
from nonresponse.config.options import source
from nonresponse.database import add_verdicts, connect, fetched
from nonresponse.front import local
from nonresponse.ingest import check, imports
from nonresponse.scoring.tally import with_excluded
from nonresponse.stages import ingest as ingesting
from nonresponse.stages import judge as judging
from nonresponse.stages import params
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

VERDICTS = "verdicts.npz"


def in_folder(campaign: dict, folder: Path) -> Campaign:
    """Return a checked campaign whose results go into a folder."""
    return Campaign(folder.name, campaign, results=str(folder.parent))


def evaluated(campaign: dict, folder: Path) -> str:
    """Return what becomes of a checked campaign, as text: the faults of its files, or its verdicts."""
    return under_policy(campaign, folder, faulty=judged(campaign, folder))


def judged(campaign: dict, folder: Path) -> str:
    """Write the counts or verdicts of a campaign; return the report of the faults of its files."""
    found = ingested(campaign, folder)
    if not found and source(campaign) != "counts":
        write_verdicts(campaign, folder)
    return faults.report(found, "t") if found else ""


def write_verdicts(campaign: dict, folder: Path) -> Path:
    """Write the verdicts of a campaign, or of a scenario of it, whose files were read into the folder."""
    it, path = in_folder(campaign, folder), folder / VERDICTS
    tables = (paths.responses(it), paths.graded(it), paths.judgments(it), paths.questions(it))
    record = local.record(params.JudgeParams, it)
    judging.judge(*map(local.as_paths, tables), [], verdicts=path, params=record)
    return path


def checked(campaign: dict, folder: Path) -> list[faults.Fault]:
    """Return all faults of a campaign of single responses that was read into the folder."""
    it = in_folder(campaign, folder)
    parts = [str(path.relative_to(folder)) for path in map(Path, paths.faults(it))]
    options = local.record(params.CheckParams, it).checked_options
    options["judgment_files"] = paths.judgment_files(it)
    accounts = imports.read_accounts(local.as_paths(paths.accounts(it)))
    return check.checked(options, folder, parts, it.shards, accounts)[0]


def under_policy(campaign: dict, folder: Path, faulty: str) -> str:
    """Return what `evaluated` says of a folder that `judged` has filled."""
    if faulty:
        return faulty
    if source(campaign) == "counts":
        return pl.read_parquet(folder / "table.parquet").write_ndjson()
    add_verdicts(database(), folder / VERDICTS)
    seen = fetched(database().sql(with_excluded(config.policy_of(campaign), campaign["task"])))
    return seen.sort("assessor", "run", "question", "candidate").write_json()


@cache
def database() -> duckdb.DuckDBPyConnection:
    """Return one database for all that is read in this process, since opening another takes long."""
    return connect()


def ingested(campaign: dict, folder: Path) -> list[faults.Fault]:
    """Write the tables that the files of a campaign are read into; return the faults of reading."""
    it = in_folder(campaign, folder)
    if it.single:
        local.read(it)
    else:
        ingesting.ingest_counts(
            local.as_paths(it.named_count_files),
            local.as_paths(paths.count_files(it)),
            table=folder / "table.parquet",
            faults=folder / "faults/counts.tsv",
            imports=folder / "imports/counts.parquet",
            params=local.record(params.ReadParams, it, unreadable=it.count_files.others),
        )
    return [fault for path in reversed(paths.faults(it)) for fault in faults.read_faults(Path(path))]
