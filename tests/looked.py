"""What look.py makes of somebody's files, and what becomes of the block that it writes."""

import csv
import io
import json
from pathlib import Path

import yaml
from configured import evaluated
from nonresponse import campaign as config
from nonresponse.look import block
from nonresponse.look.campaigns import campaigns
from nonresponse.look.files import look
from nonresponse.look.page import page


def table(header: str, *rows: str) -> str:
    """A CSV of rows whose fields have bars between them."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([line.split("|") for line in (header, *rows)])
    return out.getvalue()


def looked_at(*paths: str):
    """Campaigns and all faults of files, and the page."""
    looked = look(list(paths))
    made, found = campaigns(looked, set())
    found = [*looked.refused, *found]
    return made, found, page(made, looked, found)


def run(made: list, out: Path) -> dict[str, str]:
    """What becomes of each campaign when the block is read as config.yaml is, and the readers run."""
    checked = config.checked(yaml.safe_load(block.block(made)))["campaigns"]
    return {name: evaluated(campaign, out / name) for name, campaign in checked.items()}


def verdicts(result: str) -> dict[tuple[str, str], str]:
    """The states of responses by who counts, by run and question, without those of trivial runs."""
    rows = [row for row in json.loads(result) if row["assessor"] in ("official", "final", "key")]
    rows = [row for row in rows if not row["run"].startswith("(")]
    return {(row["run"], row["question"]): "unanswered" if row.get("rightful") else row["raw"] for row in rows}
