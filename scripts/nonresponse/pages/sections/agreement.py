"""Agreement on the page: how often the assessors gave different labels."""

import polars as pl

from nonresponse.legible import short
from nonresponse.pages.document import Section, Table
from nonresponse.pages.sections import Campaign, section, shown
from nonresponse.wording import NOTHING, apart, number_of, percent, plural, tau, word


def page(campaign: Campaign) -> Section:
    """Two tables: statistics of agreement, and patterns of labels."""
    table = campaign.csv("agreement")
    patterns = campaign.csv("agreement_patterns")
    findings = [("", sentence(table))]
    if table.is_empty():
        return section("Assessors", findings, [], [])
    judged = "correct" in table["scale"]  # not so among reference answers
    of_all = {"scale": None, "assessors": None, "statistic": None, "items": None, "value": 4}
    everyone = table.filter(pl.col("statistic") != "cohen_kappa")
    of_patterns = {"pattern": None, "items": None, "share": 4, "share_of_disagreements": 4}
    both = [
        shown(f"Agreement on the labels{', and on whether an answer is correct' * judged}.", everyone, of_all),
        *matrices(table),
        shown("How many answers got which labels, whoever gave which.", patterns, of_patterns),
    ]
    return section("Assessors", findings, [], [table for table in both if table.cells])


def matrices(agreement: pl.DataFrame) -> list[Table]:
    """Cohen's kappa of every two assessors, a table per scale; one where both scales say the same."""
    pairs = agreement.filter(pl.col("statistic") == "cohen_kappa")
    scales = {scale: rows.drop("scale") for (scale,), rows in pairs.partition_by("scale", as_dict=True).items()}
    about = {"label": "their labels", "correct": "whether an answer is correct"}
    if len(scales) > 1 and scales["label"].equals(scales["correct"]):
        del scales["correct"]
        about["label"] = "their labels, and likewise of whether an answer is correct"
    return [matrix(rows, f"Cohen's kappa of every two assessors, of {about[scale]}.") for scale, rows in scales.items()]


def matrix(pairs: pl.DataFrame, caption: str) -> Table:
    """The kappas of pairs of assessors, whose names stand together in `assessors`, as a square."""
    of = {frozenset(apart(both)): value for both, value in pairs.select("assessors", "value").rows()}
    names = sorted({name for pair in of for name in pair})
    cells = [
        [short(row), *["" if row == name else kappa(of[frozenset((row, name))]) for name in names]] for row in names
    ]
    return Table(["assessor", *map(short, names)], cells, caption, words=("assessor",))


def kappa(value: float | None) -> str:
    """In a cell of the matrix; a dash where it is undefined."""
    return NOTHING if value is None else f"{value:.3f}"


def sentence(agreement: pl.DataFrame) -> str:
    """How often the assessors gave different labels, from agreement.csv."""
    labels = agreement.filter(pl.col("scale") == "label")
    if labels.is_empty():
        return "Fewer than two assessors judged, so that there is nothing to agree on."
    everyone = labels["assessors"][0]  # the rows of all assessors come first
    rows = {row["statistic"]: row for row in labels.filter(pl.col("assessors") == everyone).rows(named=True)}
    number = number_of(everyone)
    every, alpha = rows["disagreement"], rows["krippendorff_alpha"]["value"]
    tail = "is not defined" if alpha is None else f"is {tau(alpha)}"
    # Reference answers are not right or wrong themselves: the items are the questions.
    noun = "answer" if "correct" in agreement["scale"] else "question"
    who, items = f"The {word(number)} assessors", plural(every["items"], noun)
    if every["value"] is None:
        text = f"No {noun} was judged by {'both' if number == 2 else f'all {word(number)}'} assessors"
    elif every["value"] == 0:
        text = f"{who} never disagreed on {items}"
    else:
        text = f"{who} disagreed on {percent(every['value'])} of {items}"
        disputed = rows.get("disagreement_not_all_wrong")
        if disputed and disputed["value"] is not None:
            share = f"{percent(disputed['value'])} of the {disputed['items']:,}"
            text += f", and on {share} that someone did not call wrong"
    return f"{text}; Krippendorff's alpha {tail}."
