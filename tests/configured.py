"""A campaign as config.yaml has it, through the project's own commands in this process."""

from functools import cache
from pathlib import Path

import duckdb
import ingest
import polars as pl
from nonresponse import campaign as config
from nonresponse import faults, formats, judging
from nonresponse.campaign import scenarios
from nonresponse.campaign.options import source
from nonresponse.database import connect, fetched
from nonresponse.ingest import check, imports
from nonresponse.ingest.files import all_matched, in_shard, matched
from nonresponse.judging.store import read_verdicts
from nonresponse.scoring.tally import with_excluded

# Options of a part of the campaign: those that its reader is not told, and those about how its answers are judged.
HIDDEN = ("files", "official", "correct", "partial", "pooled", "vote")
RULES = ("correct", "partial", "closed", "pooled", "vote")


def evaluated(campaign: dict, folder: Path) -> str:
    """What becomes of a checked campaign, as text: the faults of its files, or its verdicts."""
    return under_policy(campaign, folder, faulty=judged(campaign, folder))


def judged(campaign: dict, folder: Path) -> str:
    """The report of the faults of its files; if empty, its counts or its verdicts are in the folder."""
    found = ingested(campaign, folder)
    if not found and source(campaign) != "counts":
        write_verdicts(campaign, folder, folder / "verdicts.npz")
    return faults.report(found, "t") if found else ""


def write_verdicts(campaign: dict, folder: Path, output: Path) -> None:
    """The verdicts of a campaign, or of a scenario of it, whose files have been read into the folder."""
    part = campaign.get("judgments", campaign.get("graded", {}))
    rules = {name: part[name] for name in RULES if name in part}
    rules |= {name: campaign[name] for name in scenarios.ASKED if name in campaign}
    shards = list(range(campaign["shards"]))
    sources = judging.source_tables(folder, shards, source(campaign) == "graded")
    judging.judge(campaign["task"], sources, output, **rules)


def checked(campaign: dict, folder: Path) -> list[faults.Fault]:
    """All faults of a campaign of single responses that has been read into the folder: those of its files, and more."""
    parts = sorted(str(path.relative_to(folder)) for path in folder.glob("faults/*.tsv"))
    accounts = imports.read_accounts(sorted(folder.glob("imports/*.parquet")))
    return check.checked(campaign, folder, parts, list(range(campaign["shards"])), accounts)[0]


def under_policy(campaign: dict, folder: Path, faulty: str) -> str:
    """What `evaluated` says, of a folder that `judged` has filled."""
    if faulty:
        return faulty
    if source(campaign) == "counts":
        return pl.read_parquet(folder / "table.parquet").write_ndjson()
    read_verdicts(folder / "verdicts.npz").add_rows(database())
    seen = fetched(database().sql(with_excluded(config.policy_of(campaign), campaign["task"])))
    return seen.drop("cell", "weight", "times").sort("assessor", "run", "question", "candidate").write_json()


@cache
def database() -> duckdb.DuckDBPyConnection:
    """One for all that is read in this process: to open another takes longer than to read a small table."""
    return connect()


def ingested(campaign: dict, folder: Path) -> list[faults.Fault]:
    """The tables that the files of a campaign are read into, written to the folder; their faults."""
    task, own, found = campaign["task"], source(campaign), []

    def options(part: str) -> dict:
        return {name: value for name, value in campaign[part].items() if name not in HIDDEN}

    def out(name: str) -> Path:
        return folder / name

    if own == "counts":
        places = (out("table.parquet"), out("faults.tsv"), out("imports.parquet"))
        seen = seen_of(watched(campaign["counts"]))
        ingest.counts(*counted(campaign["counts"]), task, *places, seen, out("read"))
        return faults.read_faults(out("faults.tsv"))
    table = "graded" if own == "graded" else "responses"
    for shard in range(campaign["shards"]):
        places = (out(f"{table}/{shard}.parquet"), out(f"faults/runs-{shard}.tsv"), out(f"runs/{shard}.parquet"))
        files, format = campaign[own]["files"], campaign[own]["format"]
        chosen = in_shard(files, shard, campaign["shards"], formats.folders(format))
        read_with = formats.read_with(format, chosen.files, campaign[own])
        expected = seen_of(all_matched(chosen._replace(files=read_with)))
        places += (expected, out("read"), out(f"ruled/{shard}.parquet"))
        places += (out(f"imports/{shard}.parquet"), out(f"texts/{shard}.parquet")) if own == "graded" else ()
        ingest.runs(files, shard, campaign["shards"], options(own), task, *places)
        found += faults.read_faults(out(f"faults/runs-{shard}.tsv"))
    questions = campaign.get("questions")
    questions = {"file": questions} if isinstance(questions, str) else questions
    asked_in = [questions["file"]] if questions else []
    if own == "graded":
        others = out("faults/questions.tsv")
        ingest.questions(questions, out("questions.parquet"), others, seen_of(asked_in), out("read"))
    else:
        labels = config.known_labels(campaign)
        files = campaign["judgments"]["files"]
        others = out("faults/judgments.tsv")
        places = (out("judgments.parquet"), out("questions.parquet"), others)
        seen = (seen_of([*all_matched(matched(files)), *asked_in]), out("read"))
        ingest.judgments(files, options("judgments"), labels, task, *places, *seen, out("assessors.parquet"), questions)
    return found + faults.read_faults(others)


def counted(counts: str | dict) -> tuple[str, dict]:
    """What the command for counts is told of them: the files, and how to read them."""
    if not isinstance(counts, dict):
        return counts, {}
    return counts["files"], {name: value for name, value in counts.items() if name != "files"}


def watched(counts: str | dict) -> list[str]:
    """The files that counts are read from."""
    files, options = counted(counts)
    return formats.read_with(options.get("format", ""), matched(files).files, options)
