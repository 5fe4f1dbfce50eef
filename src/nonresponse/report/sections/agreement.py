"""Agreement: how often the assessors gave different labels."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, Table, tabulate, tabulate_matrix
from nonresponse.wording import listed, percent, plural, tau

PATTERN = ("pattern", "items", "share", "share_of_disagreements")
COUNTED = "How many answers got which labels."
STATISTICS = {
    "disagreement": "share of disagreement",
    "disagreement_not_all_wrong": "share of disagreement, where not all say wrong",
    "krippendorff_alpha": "Krippendorff's alpha",
}
SCALES = {"label": "on labels", "correct": "on whether an answer is correct"}


def make_section(campaign: Campaign) -> Section | None:
    """Return statistics of agreement, kappa of every two assessors, and patterns of labels."""
    table, patterns = (
        campaign.read_summary("agreement"),
        campaign.read_summary("agreement_patterns"),
    )
    everyone = table.filter(pl.col("statistic") != "cohen_kappa")
    if everyone.filter(scale="label").is_empty():
        return None
    named = everyone.with_columns(pl.col("statistic").replace(STATISTICS))
    names = ["scale", "statistic", "items", "value"]
    named = named.unique(names[1:], keep="first", maintain_order=True)
    tables = [
        tabulate("Agreement of all assessors.", named, names, csv="agreement"),
        *tabulate_kappas(table),
        tabulate(COUNTED, patterns, PATTERN, csv="agreement_patterns"),
    ]
    return Section("Assessor agreement", [describe_agreement(everyone)], "assessors", tables=tables)


def tabulate_kappas(agreement: pl.DataFrame) -> list[Table]:
    """Return Cohen's kappa of every two assessors, a table per scale; one if both are equal."""
    found: dict[str, dict[tuple[str, str], float]] = {scale: {} for scale in SCALES}
    pairs = agreement.filter(pl.col("statistic") == "cohen_kappa")
    for scale, (a, b), value in pairs.select("scale", "assessors", "value").rows():
        found[scale] |= {(a, b): value, (b, a): value}
    if found["label"] == found["correct"]:
        del found["correct"]
    made = []
    for scale, values in found.items():
        names = sorted({name for name, _ in values})
        caption = f"Cohen's kappa of every two assessors, {SCALES[scale]}."
        made.append(tabulate_matrix("assessor", names, names, values, caption, digits=3))
    return made


def describe_agreement(everyone: pl.DataFrame) -> str:
    """Return how often the assessors gave different labels."""
    rows = {row["statistic"]: row for row in everyone.filter(scale="label").rows(named=True)}
    every, alpha = rows["disagreement"], rows["krippendorff_alpha"]["value"]
    # Reference answers are not correct or wrong themselves: the items are the questions.
    noun = "answer" if "correct" in everyone["scale"] else "question"
    who = listed([short(name) for name in every["assessors"]])
    text = f"No {noun} was judged by all of {who}"
    if every["value"] is not None:
        text = f"{who} disagreed on {percent(every['value'])} of {plural(every['items'], noun)}"
    return f"{text}. Krippendorff's alpha is {'undefined' if alpha is None else tau(alpha)}."
