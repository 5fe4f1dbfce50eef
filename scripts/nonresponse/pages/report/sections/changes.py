"""What the last change did: judgments, verdicts, scores and ranks against those of the previous results."""

import json

import polars as pl

from nonresponse.pages.blocks import Column
from nonresponse.pages.report.blocks import Block, sentences, table
from nonresponse.pages.sections import Campaign


def blocks(campaign: Campaign) -> list[Block]:
    """The sentence, and the tables of changes.md folded away."""
    told = json.loads((campaign.folder / "changes.json").read_text(encoding="utf-8"))
    return [sentences([told["sentence"]]), *(of_part(part) for part in told["tables"])]


def of_part(part: dict) -> Block:
    """One of the tables; its columns are c0, c1, ... in the data, since a measure may be called anything."""
    names = {f"c{number}": label for number, label in enumerate(part["header"])}
    frame = pl.DataFrame(part["cells"], dict.fromkeys(names, pl.String), orient="row")
    columns = [Column(name, label=label) for name, label in names.items()]
    return table(frame, columns, part["caption"], part["notes"], folded=part["caption"])
