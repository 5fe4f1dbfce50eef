"""How far the scores can be trusted: what each analysis found that has no section of its own."""

from collections.abc import Collection
from pathlib import Path

import polars as pl

from nonresponse.pages.report import sections_of
from nonresponse.pages.report.blocks import Block, figure, plain_table, sentences
from nonresponse.pages.report.drawing import inlined
from nonresponse.pages.sections import Campaign
from nonresponse.reliability import analyses
from nonresponse.wording import plural

FIGURES = {"intervals": "comparison"}  # the analysis of a figure whose name does not begin with the analysis
CAPTIONS = {
    "abstention": "Differences of the best runs in c@1: the part of right answers and that of abstention, with p",
    "agreement": "Agreement of the assessors, on labels and on whether an answer is correct",
    "agreement_patterns": "How many answers got which labels, whoever gave which",
    "discriminative_power": "Shares of the pairs of runs that are told apart, by each way to test",
    "estimates": "What the estimates of withheld answers are worth",
    "generalizability": "Where the variance of single answers comes from, and the standard error of a score",
    "pooling": "What each run's score loses when the right answers that it alone gave are not known",
    "power": "Between chosen runs: the difference that is found in four of five cases, and the power to find theirs",
    "questions_needed": "How many questions it takes for such a difference to be found again",
    "rankings": "Kendall's tau between rankings, under each two assessors and by each two measures",
    "sample_size": "How large a difference must be",
    "sensitivity": "How large a difference must be for half of the questions to repeat it",
    "stability": "How often subsets of the questions contradict the order of two runs, and how often they tie",
    "swap": "How often two halves of the questions contradict each other, by the difference between two runs",
    "withheld": "What was withheld, and what each estimate of it comes to",
}


def blocks(campaign: Campaign) -> list[Block]:
    """The analyses in the order of the page on reliability."""
    elsewhere = {analysis for section in sections_of(campaign.settings) for analysis in section.analyses}
    return of_analyses(campaign, [name for name in analyses.NAMES if name not in elsewhere])


def of_analyses(campaign: Campaign, names: Collection[str], tables: str | None = "The numbers") -> list[Block]:
    """What these analyses found, a heading for each where there are several; figures are folded away.

    So are their tables, under these words; "" = they are in sight, None = the section shows them itself.
    """
    found = pl.read_csv(campaign.folder / "reliability/findings.csv", schema_overrides={"measure": pl.String})
    shown: list[Block] = []
    for name in (name for name in names if name in campaign.settings["analyses"]):
        said = found.filter(pl.col("analysis") == name)["finding"].to_list()
        shown.append(sentences(said, name.replace("_", " ").capitalize() if len(names) > 1 else ""))
        shown += drawings(campaign.folder / "figures", campaign.name, name)
        shown += numbers(campaign, name, tables) if tables is not None else []
    return shown


def drawings(folder: Path, campaign: str, analysis: str) -> list[Block]:
    """The figures of an analysis, folded away together.

    What each has found is said elsewhere on the page; here it stands for who cannot see the figure.
    """
    found = []
    for number, path in enumerate(sorted(folder.glob("*.svg"))):
        name = path.stem.partition("-")[0]
        if FIGURES.get(name, name) == analysis:
            text = path.read_text(encoding="utf-8")
            found.append((*inlined(text, f"{campaign}:{folder.name}{number}_"), path.stem))
    folded = plural(len(found), "figure")
    return [figure(svg, finding or name, folded) for svg, finding, name in found]


def numbers(campaign: Campaign, name: str, folded: str) -> list[Block]:
    """The tables of an analysis, folded away under these words, if any: of the whole campaign, and of all measures."""
    analysis, found = analyses.get(name), []
    if analysis.plain:
        tables = campaign.read(name).items()
        whole = pl.concat(frame.select(pl.lit(id).alias("measure"), pl.exclude("measure")) for id, frame in tables)
        found.append(plain_table(whole, f"{CAPTIONS.get(name, name)}, by measure", folded=folded, csv=name))
    summary = analysis.summary
    for table in summary.tables if summary else ():
        frame = campaign.csv(table)
        if frame.height:
            caption = CAPTIONS.get(table, table.replace("_", " ").capitalize())
            found.append(plain_table(frame, caption, folded=folded, csv=table))
    return found
