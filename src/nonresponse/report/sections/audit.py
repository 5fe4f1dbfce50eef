"""The answers whose verdict was decided by a rule on their text, and what it is without rules."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.judging.audit import audit_rules
from nonresponse.report import model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.wording import plural

COUNTS = {"answers": pl.len(), "called_right": pl.col("called_right").cast(pl.Int64).sum()}
CAPTION = "The answers, those first that are correct without the rules"
ANSWER = ("answer", "rule", "phrase", "context", "before", "after")


def make(campaign: Campaign, ruled: list[Path]) -> None:
    """Write audit.csv and audit.json."""
    settings = campaign.settings
    answers = audit_rules(
        campaign.task, settings["sources"], ruled, settings.get("official"), **settings["meaning"]
    )
    tables.write_text(tables.defuse(answers).write_csv(), campaign.folder / "audit.csv")
    model.write_sections({"audit": make_section(answers)}, campaign.folder / "audit.json")


def count_by_phrase(answers: pl.DataFrame) -> pl.DataFrame:
    """Return how many answers each phrase decided, and how many are correct without the rules."""
    phrases = answers.with_columns(pl.col("phrase").fill_null(""))
    phrases = phrases.group_by("rule", "phrase").agg(**COUNTS)
    return phrases.sort("answers", "rule", "phrase", descending=[True, False, False])


def make_section(answers: pl.DataFrame) -> Section:
    """Return how many answers rules decided, how many are correct without them, and which."""
    heading = "What rules decided"
    if answers.is_empty():
        return Section(heading, ["No rule on the text of answers fits any of them."], "assessors")
    runs = answers.group_by("run").agg(**COUNTS)
    runs = runs.sort("called_right", "answers", "run", descending=[True, True, False])
    keys = [name for name in ("epoch", "rank") if answers[name].n_unique() > 1]
    names = ["run", "question", *keys, *ANSWER]
    tables = [
        tabulate("Answers by run", runs, runs.columns),
        tabulate("Answers by rule and phrase", count_by_phrase(answers)),
        tabulate(CAPTION, answers, names, long=["answer"], csv="audit"),
    ]
    number = f"{plural(answers.height, 'answer')} of {plural(runs.height, 'run')}"
    correct = int(answers["called_right"].sum())
    text = f"{correct or 'None'} of them would be correct without the rules"
    text += ", which most likely erred there" * (correct > 0)
    sentences = [f"Rules on the text decided the state of {number}.", f"{text}."]
    return Section(heading, sentences, "assessors", tables=tables)
