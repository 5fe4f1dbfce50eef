"""The answers whose labels matter most, for a campaign that has time for more judgments."""

from pathlib import Path

import polars as pl

from nonresponse import measures, tables
from nonresponse.report import model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Column, Section
from nonresponse.statistics import adjudication
from nonresponse.wording import plural, rounded

ROWS = 200  # of the table; the CSV file has all of them
NONE = "no single label would bring two runs level."


def make(
    campaign: Campaign,
    verdicts: Path,
    counts: Path,
    judgments: list[Path],
    responses: list[Path],
    voters: list[Path],
) -> None:
    """Write to_adjudicate.csv and adjudication.json.

    Settings: measures, seed, official, and `vote` if the official assessor is a vote, or one of its
    name.
    """
    known = [measures.get(campaign.task, id) for id in [*campaign.measures, "accuracy"]]
    measure = next(
        it
        for it in known
        if it.kind == "counts" and not it.descriptive and {"n_ac", "n_aw"} & set(it.totals)
    )
    table, widths = adjudication.to_adjudicate(
        verdicts, counts, responses, judgments, measure, campaign.settings, voters
    )
    tables.write_text(tables.harmless(table).write_csv(), campaign.folder / "to_adjudicate.csv")
    model.write(
        {"adjudication": section(table, widths)} if table.height else {},
        campaign.folder / "adjudication.json",
    )


def section(frame: pl.DataFrame, widths: pl.DataFrame) -> Section:
    """Return how many answers are disputed or could swap two runs, what labels gain (WIDTHS), and
    the first answers."""
    alone = frame.filter(pl.col("labels_to_swap") == 1).height
    said = f"Assessors dispute whether {plural(frame.height, 'answer', 'is', 'are')} correct; "
    said += (
        f"for {alone:,} of them, one label would bring the run level with another."
        if alone
        else NONE
    )
    steps = {
        f"±{rounded(width / 2, 3)}": labels for labels, width in reversed(widths.rows())
    }  # the fewest labels of each
    (now, _), *later = reversed(steps.items())
    gained = [f"{plural(labels, 'label')} bring it to {width}" for width, labels in later]
    open_to = (
        "If the probability that each is right is the share of its assessors who say so, "
        "accuracy is uncertain by"
        f" {now} (95 %, the mean over the runs){'; ' * bool(gained)}{', '.join(gained)}."
    )
    columns = [
        Column("place", "number", about="place in a random order drawn with these weights"),
        Column("place_top", "number", about="the same for those who want the best run alone"),
        Column("question"),
        *[Column("epoch", "number", about="which time its run was asked")]
        * bool(frame["epoch"].is_not_null().any()),
        *[Column("answer", long=True)] * bool(frame["answer"].is_not_null().any()),
        Column("runs", about="that gave the answer"),
        Column("correct", "number", about="assessors who call it correct"),
        Column("not_correct", "number", about="and who do not"),
        Column("official", about="the verdict that counts so far"),
        Column(
            "labels_to_swap",
            "number",
            about="how many labels would bring its run level with another",
        ),
        Column("weight", "number", digits=3, about="relative chance of being drawn"),
    ]
    caption = "Disputed answers, in the order in which to judge them"
    shown = frame.select(column.name for column in columns)
    rows = model.of_frame(shown, columns, caption, most=ROWS, csv="to_adjudicate")
    return Section("What to judge next", [said, open_to], "assessors", tables=[rows])
