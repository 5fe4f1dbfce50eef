"""Agreement: how often the assessors gave different labels."""

import polars as pl

from nonresponse.legible import short
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, Table, tabulate, tabulate_matrix
from nonresponse.wording import percent, plural, summarise_names, tau

PATTERN = ("pattern", "items", "share", "share_of_disagreements")

STATISTICS = {
    "disagreement": "share of disagreement",
    "disagreement_not_all_wrong": "share of disagreement, where not all say wrong",
    "krippendorff_alpha": "Krippendorff's alpha",
}
SCALES = {"label": "on labels", "correct": "on whether an answer is correct"}


def make_section(campaign: Campaign) -> Section | None:
    """Return statistics of agreement, kappa of every two assessors, and patterns of labels."""
    table = campaign.read_summary("agreement")
    overall = table.filter(pl.col("statistic") != "cohen_kappa")
    if overall.filter(scale="label").is_empty():
        return None
    names = ["scale", "statistic", "items", "value"]
    statistics = overall.with_columns(pl.col("statistic").replace(STATISTICS))
    statistics = statistics.unique(names[1:], keep="first", maintain_order=True)
    patterns = campaign.read_summary("agreement_patterns")
    tables = [
        tabulate("Agreement of all assessors.", statistics, names, csv="agreement"),
        *tabulate_kappas(table),
        tabulate("How many answers got which labels.", patterns, PATTERN, csv="agreement_patterns"),
    ]
    return Section("Assessor agreement", [describe_agreement(overall)], "assessors", tables=tables)


def tabulate_kappas(agreement: pl.DataFrame) -> list[Table]:
    """Return Cohen's kappa of every two assessors, a table per scale; one if both are equal."""
    kappas: dict[str, dict[tuple[str, str], float]] = {scale: {} for scale in SCALES}
    pairs = agreement.filter(pl.col("statistic") == "cohen_kappa")
    for scale, (a, b), value in pairs.select("scale", "assessors", "value").rows():
        kappas[scale] |= {(a, b): value, (b, a): value}
    if kappas["label"] == kappas["correct"]:
        del kappas["correct"]
    tables = []
    for scale, values in kappas.items():
        names = sorted({name for name, _ in values})
        caption = f"Cohen's kappa of every two assessors, {SCALES[scale]}."
        matrix = "assessor", names, names, values, caption, f"kappa-{scale}"
        tables.append(tabulate_matrix(*matrix, digits=3))
    return tables


def describe_agreement(overall: pl.DataFrame) -> str:
    """Return how often the assessors gave different labels."""
    rows = {row["statistic"]: row for row in overall.filter(scale="label").rows(named=True)}
    row, alpha = rows["disagreement"], rows["krippendorff_alpha"]["value"]
    # Reference answers are not correct or wrong themselves: the items are the questions.
    noun = "answer" if "correct" in overall["scale"] else "question"
    names = summarise_names([short(name) for name in row["assessors"]])
    text = f"No {noun} was judged by all of {names}"
    if row["value"] is not None:
        text = f"{names} disagreed on {percent(row['value'])} of {plural(row['items'], noun)}"
    return f"{text}. Krippendorff's alpha is {'undefined' if alpha is None else tau(alpha)}."
