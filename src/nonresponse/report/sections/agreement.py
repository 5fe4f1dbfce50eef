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
    """Return Cohen's kappa of every two assessors, a table per scale; only one where both scales
    are equal."""
    pairs = agreement.filter(pl.col("statistic") == "cohen_kappa")
    scales = {
        scale: rows.drop("scale")
        for (scale,), rows in pairs.partition_by("scale", as_dict=True).items()
    }
    about = {"label": "their labels", "correct": "whether an answer is correct"}
    if len(scales) > 1 and scales["label"].equals(scales["correct"]):
        del scales["correct"]
        about["label"] = "their labels, and likewise of whether an answer is correct"
    made = []
    for scale, rows in scales.items():
        of = {
            (a, b): value
            for one, value in rows.select("assessors", "value").rows()
            for a, b in (one, one[::-1])
        }
        names = sorted({name for pair in of for name in pair})
        caption = f"Cohen's kappa of every two assessors, of {about[scale]}."
        made.append(matrix("assessor", names, names, of, caption, digits=3))
    return made


def sentence(agreement: pl.DataFrame) -> str:
    """Return how often the assessors gave different labels."""
    labels = agreement.filter(pl.col("scale") == "label")
    if labels.is_empty():
        return "Fewer than two assessors judged, so that there is nothing to agree on."
    of_all = labels.filter(pl.col("statistic") != "cohen_kappa")
    rows = {row["statistic"]: row for row in of_all.rows(named=True)}
    number = len(of_all["assessors"][0])
    every, alpha = rows["disagreement"], rows["krippendorff_alpha"]["value"]
    tail = "is not defined" if alpha is None else f"is {tau(alpha)}"
    # Reference answers are not right or wrong themselves: the items are the questions.
    noun = "answer" if "correct" in agreement["scale"] else "question"
    who, items = f"The {word(number)} assessors", plural(every["items"], noun)
    if every["value"] is None:
        text = (
            f"No {noun} was judged by {'both' if number == 2 else f'all {word(number)}'} assessors"
        )
    elif every["value"] == 0:
        text = f"{who} never disagreed on {items}"
    else:
        text = f"{who} disagreed on {percent(every['value'])} of {items}"
        disputed = rows.get("disagreement_not_all_wrong")
        if disputed and disputed["value"] is not None:
            share = f"{percent(disputed['value'])} of the {disputed['items']:,}"
            text += f", and on {share} that someone did not call wrong"
    return f"{text}; Krippendorff's alpha {tail}."
