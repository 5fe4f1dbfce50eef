"""Generalizability: what other questions and other assessors do to a score."""

from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.wording import least, percent

CAPTION = (
    "Components of variance of single questions, means over the runs, and the standard error of a"
    " score by one assessor, by the mean of two, and by one on twice as many questions."
)


def make_section(campaign: Campaign) -> Section | None:
    """Return a sentence about the first measure, and a table of all measures."""
    table = campaign.read_summary("generalizability")
    if table.is_empty():
        return None
    rows = tabulate(CAPTION, table, csv="generalizability")
    text = describe_variance(table.row(0, named=True))
    return Section("Generalizability", [text], "assessors", tables=[rows])


def describe_variance(row: dict) -> str:
    """Return what a score owes to questions and assessors."""
    parts = [row[name] for name in ("of_questions", "of_assessors", "of_both")]
    if not sum(parts):
        return f"Neither questions nor assessors make a difference to {row['measure']}."
    questions, assessors, interaction = (percent(part / sum(parts)) for part in parts)
    names = "error", "twice_assessors", "twice_questions"
    error, pair_error, long_error = (least(row[name]) for name in names)
    return (
        f"Of the variance of {row['measure']} on a single question, {questions} is due to"
        f" questions, {assessors} to assessors, and {interaction} to both together. A second"
        f" assessor would bring the standard error of a score from {error} to {pair_error}, twice"
        f" as many questions to {long_error}."
    )
