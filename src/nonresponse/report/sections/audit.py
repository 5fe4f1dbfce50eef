"""The answers whose state was decided by a rule on their text, beside their state without the
rules."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.judging.audit import audit
from nonresponse.report import model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Column, Section
from nonresponse.wording import plural

MOST = 500  # answers that are shown


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
    """Return how many answers each phrase decided, the most first, and how many are right without
    the rules."""
    counted = decided.with_columns(
        pl.col("phrase").fill_null(""), pl.col("called_right").cast(pl.Int64)
    )
    of_phrases = counted.group_by("rule", "phrase").agg(
        pl.len().alias("answers"), pl.col("called_right").sum()
    )
    return of_phrases.sort("answers", "rule", "phrase", descending=[True, False, False])


def section(decided: pl.DataFrame) -> Section:
    """Return how many answers rules decided, how many are right without rules, and both by run and
    by phrase."""
    if decided.is_empty():
        return Section(
            "What rules decided", ["No rule on the text of answers fits any of them."], "assessors"
        )
    fits = [(pl.col("rule") == rule).sum().alias(rule) for rule in decided["rule"].unique().sort()]
    runs = decided.group_by("run").agg(
        pl.len().alias("answers"), pl.col("called_right").sum(), *fits
    )
    runs = runs.sort("called_right", "answers", "run", descending=[True, True, False])
    of_runs = [Column("run", run=True), *[Column(name, "number") for name in runs.columns[1:]]]
    several = [name for name in ("epoch", "rank") if decided[name].n_unique() > 1]
    of_answers = [
        Column("run", run=True),
        Column("question"),
        *[Column(name, "number") for name in several],
    ]
    of_answers += [
        Column(name, long=name == "answer")
        for name in ("answer", "rule", "phrase", "context", "before", "after")
    ]
    of_phrases = [
        Column("rule"),
        Column("phrase"),
        *[Column(name, "number") for name in ("answers", "called_right")],
    ]
    caption = "The answers, those first that are right without the rules"
    shown = [
        model.of_frame(runs, of_runs, "Answers by run and rule"),
        model.of_frame(by_phrase(decided), of_phrases, "Answers by rule and phrase"),
        model.of_frame(decided, of_answers, caption, most=MOST, csv="audit"),
    ]
    right = int(decided["called_right"].sum())
    erred = (
        f"{right:,} of them {'was' if right == 1 else 'were'} called right without the rules, which"
    )
    answers = f"{plural(decided.height, 'answer')} of {plural(runs.height, 'run')}"
    said = [
        f"Rules on the text decided the state of {answers}.",
        f"{erred} most likely erred there."
        if right
        else "None of them was called right without the rules.",
    ]
    return Section("What rules decided", said, "assessors", tables=shown)
