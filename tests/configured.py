"""A campaign as config.yaml has it, through the project's own commands in this process."""

import json
from pathlib import Path

import ingest
import judge
import polars as pl
from nonresponse import config, faults
from nonresponse.database import connect
from nonresponse.options import door
from nonresponse.tally import find_cases, totals

HIDDEN = ("files", "official", "correct", "partial")  # of a part of the campaign, what its reader is not told


def evaluated(campaign: dict, folder: Path) -> str:
    """What becomes of a checked campaign, as text: the faults of its files, or its verdicts and counts."""
    found = ingested(campaign, folder)
    if found:
        return faults.report(found, "t")
    if door(campaign) == "counts":
        return pl.read_parquet(folder / "table.parquet").write_ndjson()
    gold = campaign.get("judgments", {})
    rules = json.dumps({name: gold[name] for name in ("correct", "partial", "closed") if name in gold})
    verdicts, shards = folder / "verdicts.parquet", json.dumps(list(range(campaign["shards"])))
    judge.main(campaign["task"], folder, shards, verdicts, door(campaign) == "graded", rules)
    connection = connect()
    connection.read_parquet(str(verdicts)).create_view("verdicts")
    find_cases(connection, campaign["task"], verdicts)
    counted = totals(connection, campaign["task"], config.policy_of(campaign))
    frames = [pl.read_parquet(verdicts), counted.sort("assessor", "run", "category")]
    return "".join(
        frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String)).write_ndjson() for frame in frames
    )


def ingested(campaign: dict, folder: Path) -> list[faults.Fault]:
    """The tables that the files of a campaign are read into, written to the folder; their faults."""
    task, own, found = campaign["task"], door(campaign), []

    def options(part: str) -> str:
        return json.dumps({name: value for name, value in campaign[part].items() if name not in HIDDEN})

    def out(name: str) -> Path:
        return folder / name

    if own == "counts":
        ingest.counts(campaign["counts"], task, out("table.parquet"), out("faults.tsv"))
        return faults.read(out("faults.tsv"))
    read, table = {"runs": (ingest.runs, "responses"), "graded": (ingest.graded, "graded")}[own]
    for shard in range(campaign["shards"]):
        places = (out(f"{table}/{shard}.parquet"), out(f"faults/{shard}.tsv"), out(f"names/{shard}.parquet"))
        read(campaign[own]["files"], shard, campaign["shards"], options(own), task, *places)
        found += faults.read(places[1])
    questions = campaign.get("questions")
    asked = json.dumps({"file": questions} if isinstance(questions, str) else questions)
    if own == "graded":
        ingest.questions(out("questions.parquet"), out("faults.tsv"), asked)
    else:
        labels = json.dumps(config.known_labels(campaign))
        places = (out("judgments.parquet"), out("questions.parquet"), out("faults.tsv"))
        ingest.judgments(campaign["judgments"]["files"], options("judgments"), labels, task, *places, asked)
    return found + faults.read(out("faults.tsv"))
