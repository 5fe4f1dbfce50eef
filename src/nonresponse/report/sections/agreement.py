"""Agreement: how often the assessors gave different labels."""

import polars as pl

from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, Table, matrix, shown
from nonresponse.wording import percent, plural, tau, word

PATTERN = ("pattern", "items", "share", "share_of_disagreements")


def section(campaign: Campaign) -> Section:
    """Return two tables: statistics of agreement, and patterns of labels."""
    table = campaign.summary("agreement")
    patterns = campaign.summary("agreement_patterns")
    said = [sentence(table)]
    if table.is_empty():
        return Section("Assessor agreement", said, "assessors")
    judged = "correct" in table["scale"]  # false for reference answers
    everyone = table.filter(pl.col("statistic") != "cohen_kappa")
    caption = f"Agreement on the labels{', and on whether an answer is correct' * judged}."
    counted = "How many answers got which labels, whoever gave which."
    both = [
        shown(caption, everyone, table.columns, long=["assessors"], csv="agreement"),
        *matrices(table),
        shown(counted, patterns, PATTERN, csv="agreement_patterns"),
    ]
    return Section(
        "Assessor agreement", said, "assessors", tables=[table for table in both if table.rows]
    )


def matrices(agreement: pl.DataFrame) -> list[Table]:
    """Return Cohen's kappa of every two assessors, a table per scale; one if both are equal."""
    found: dict[str, dict[tuple[str, str], float]] = {"label": {}, "correct": {}}
    pairs = agreement.filter(pl.col("statistic") == "cohen_kappa")
    for scale, (a, b), value in pairs.select("scale", "assessors", "value").rows():
        found[scale] |= {(a, b): value, (b, a): value}
    if found["label"] == found["correct"]:
        del found["correct"]
    about = {"label": "their labels", "correct": "whether an answer is correct"}
    made = []
    for scale, values in found.items():
        names = sorted({name for name, _ in values})
        caption = f"Cohen's kappa of every two assessors, of {about[scale]}."
        made.append(matrix("assessor", names, names, values, caption, digits=3))
    return made


def sentence(agreement: pl.DataFrame) -> str:
    """Return how often the assessors gave different labels."""
    of_all = agreement.filter(pl.col("scale") == "label", pl.col("statistic") != "cohen_kappa")
    if of_all.is_empty():
        return "Fewer than two assessors judged, so that there is nothing to agree on."
    rows = {row["statistic"]: row for row in of_all.rows(named=True)}
    every, alpha = rows["disagreement"], rows["krippendorff_alpha"]["value"]
    # Reference answers are not correct or wrong themselves: the items are the questions.
    noun = "answer" if "correct" in agreement["scale"] else "question"
    who = f"{word(len(of_all['assessors'][0]))} assessors"
    if every["value"] is None:
        said = f"No {noun} was judged by all {who}"
    else:
        said = f"The {who} disagreed on {percent(every['value'])} of {plural(every['items'], noun)}"
    return f"{said}. Krippendorff's alpha is {'undefined' if alpha is None else tau(alpha)}."
