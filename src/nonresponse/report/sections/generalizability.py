"""Generalizability: what other questions and other assessors do to a score."""

from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, shown
from nonresponse.wording import number, percent


def section(campaign: Campaign) -> Section:
    """Return a sentence about the first measure, and a table of all measures."""
    table = campaign.summary("generalizability")
    caption = (
        "Components of variance of single questions, means over the runs, and the standard "
        "error of a score: by one"
        " assessor, by the mean of two, and by one on twice as many questions."
    )
    said = (
        "There are no components of variance: fewer than two assessors judged, or no score "
        "can be taken apart."
    )
    known = [shown(caption, table, csv="generalizability")] if table.height else []
    found = [sentence(table.row(0, named=True)) if known else said]
    return Section("Generalizability", found, "assessors", tables=known)


def sentence(row: dict) -> str:
    """Return what a score owes to questions and assessors."""
    parts = [row[name] for name in ("of_questions", "of_assessors", "of_both")]
    if not sum(parts):
        return f"Neither questions nor assessors make a difference to {row['measure']}."
    questions, assessors, both = (percent(part / sum(parts)) for part in parts)
    return (
        f"Of the variance of a single question in {row['measure']}, {questions} is between "
        f"questions, {assessors}"
        f" between assessors, and {both} of both together; a second assessor would bring the "
        "standard error of a score"
        f" from {number(row['error'], 3)} to {number(row['twice_assessors'], 3)}, twice as "
        "many questions to"
        f" {number(row['twice_questions'], 3)}."
    )
