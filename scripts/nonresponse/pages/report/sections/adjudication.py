"""What to judge next: the disputed answers whose labels matter most."""

import polars as pl

from nonresponse.pages.blocks import Column
from nonresponse.pages.report.blocks import Block, sentences, table
from nonresponse.pages.sections import Campaign
from nonresponse.reliability.adjudication import TO_ADJUDICATE
from nonresponse.wording import plural

ROWS = 200  # of the table; the CSV file has all of them


def blocks(campaign: Campaign) -> list[Block]:
    """A sentence, and the first answers; nothing where nobody disagrees."""
    frame = pl.read_csv(campaign.folder / "to_adjudicate.csv", schema=TO_ADJUDICATE)
    if frame.is_empty():
        return []
    columns = [
        Column("place", "number"),
        Column("question"),
        *[Column("answer", long=True)] * bool(frame["answer"].is_not_null().any()),
        Column("runs", about="that gave the answer"),
        Column("correct", "number", about="assessors who call it correct"),
        Column("not_correct", "number", about="and who do not"),
        Column("official", about="the verdict that counts so far"),
        Column("labels_to_swap", "number", about="so many labels would bring its run level with another"),
        Column("weight", "number", digits=3, about="what a judgment of it is worth"),
    ]
    first = frame.head(ROWS).select(column.name for column in columns)
    notes = [f"The first {ROWS} of {frame.height:,}; to_adjudicate.csv has all."] if frame.height > ROWS else []
    caption = "Disputed answers, those first whose label matters most"
    return [sentences([finding(frame)]), table(first, columns, caption, notes, csv="to_adjudicate")]


def finding(frame: pl.DataFrame) -> str:
    """How many answers are disputed, and how many of them could each swap two runs."""
    alone = frame.filter(pl.col("labels_to_swap") == 1).height
    text = f"Assessors dispute whether {plural(frame.height, 'answer')} {'is' if frame.height == 1 else 'are'} correct"
    if not alone:
        return f"{text}; no single label would bring two runs level."
    return f"{text}; for {alone:,} of them, one label would bring the run level with another."
