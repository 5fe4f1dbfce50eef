"""The answers whose state was decided by a rule on their text, beside their state without the
rules."""

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.judging.audit import audit
from nonresponse.report import model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, shown
from nonresponse.wording import plural

ABOUT = {"called_right": "how many of them are correct without the rules"}
ANSWER = ("answer", "rule", "phrase", "context", "before", "after")


def make(campaign: Campaign, ruled: list[Path]) -> None:
    """Write audit.csv and audit.json; settings: meaning, sources (the tables that verdicts are made
    of), official."""
    settings = campaign.settings
    decided = audit(
        campaign.task, settings["sources"], ruled, settings.get("official"), **settings["meaning"]
    )
    tables.write_text(tables.harmless(decided).write_csv(), campaign.folder / "audit.csv")
    model.write({"audit": section(decided)}, campaign.folder / "audit.json")


def by_phrase(decided: pl.DataFrame) -> pl.DataFrame:
    """Return how many answers each phrase decided, and how many are correct without the rules."""
    decided = decided.with_columns(pl.col("phrase").fill_null(""))
    return count_by(decided, "rule", "phrase").sort(
        "answers", "rule", "phrase", descending=[True, False, False]
    )


def count_by(decided: pl.DataFrame, *by: str, more: Iterable[pl.Expr] = ()) -> pl.DataFrame:
    """Return the number of answers, and of those correct without the rules, by some columns."""
    return decided.group_by(by).agg(
        pl.len().alias("answers"), pl.col("called_right").cast(pl.Int64).sum(), *more
    )


def section(decided: pl.DataFrame) -> Section:
    """Return how many answers rules decided, how many are correct without them, and which."""
    heading = "What rules decided"
    if decided.is_empty():
        return Section(heading, ["No rule on the text of answers fits any of them."], "assessors")
    fits = [(pl.col("rule") == rule).sum().alias(rule) for rule in decided["rule"].unique().sort()]
    runs = count_by(decided, "run", more=fits)
    runs = runs.sort("called_right", "answers", "run", descending=[True, True, False])
    several = [name for name in ("epoch", "rank") if decided[name].n_unique() > 1]
    caption = "The answers, those first that are correct without the rules"
    names = ["run", "question", *several, *ANSWER]
    tables = [
        shown("Answers by run and rule", runs, runs.columns, about=ABOUT),
        shown("Answers by rule and phrase", by_phrase(decided), about=ABOUT),
        shown(caption, decided, names, long=["answer"], csv="audit"),
    ]
    correct = int(decided["called_right"].sum())
    said = [
        f"Rules on the text decided the state of {plural(decided.height, 'answer')} of"
        f" {plural(runs.height, 'run')}.",
        f"{correct:,} of them would be correct without the rules, which most likely erred there."
        if correct
        else "None of them would be correct without the rules.",
    ]
    return Section(heading, said, "assessors", tables=tables)
