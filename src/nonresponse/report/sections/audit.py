"""The answers whose verdict was decided by a rule on their text, and what it is without rules."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.judging.store import read_verdicts
from nonresponse.report import model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section, tabulate
from nonresponse.wording import plural

COUNTS = {"answers": pl.len(), "called_right": pl.col("called_right").cast(pl.Int64).sum()}
CAPTION = "The answers, those first that are correct without the rules"
KEY = ["run", "question", "epoch"]
ANSWER = ("answer", "rule", "phrase", "context", "before", "after")


def make(campaign: Campaign, ruled: list[Path], unruled: Path) -> None:
    """Write audit.csv and audit.json."""
    answers = list_answers(ruled, unruled, campaign.settings.get("official"))
    tables.write_text(tables.defuse(answers).write_csv(), campaign.folder / "audit.csv")
    model.write_sections({"audit": make_section(answers)}, campaign.folder / "audit.json")


def list_answers(ruled: list[Path], unruled: Path, official: str | None) -> pl.DataFrame:
    """Return a row per first answer whose state a rule decided, with its official verdict without
    rules; correct ones come first.

    `ruled` are tables.RULED, `unruled` are the verdicts without rules.
    """
    store = read_verdicts(unruled)
    assessor = store.official(official)
    rows = tables.spell(tables.scan_parquet(ruled)).filter(rank=1)
    rows = rows.filter(pl.col("assessor").fill_null(assessor) == assessor)
    # A rule may take an abstention for an answer, which is right where there is no answer
    before = pl.when("rightful").then(pl.lit("unanswered")).otherwise("verdict")
    verdicts = store.scan(assessor, columns=[*KEY, "verdict", "rightful"])
    rows = rows.join(verdicts.with_columns(before=before), on=KEY).with_columns(
        after=pl.col("by_rule").cast(pl.String), called_right=pl.col("before") == "correct"
    )
    columns = (*KEY, *ANSWER, "called_right")
    return rows.select(columns).sort(pl.col("called_right").not_(), *KEY).collect()


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
    keys = KEY if answers["epoch"].n_unique() > 1 else KEY[:2]
    tables = [
        tabulate("Answers by run", runs, runs.columns),
        tabulate("Answers by rule and phrase", count_by_phrase(answers)),
        tabulate(CAPTION, answers, [*keys, *ANSWER], long=["answer"], csv="audit"),
    ]
    number = f"{plural(answers.height, 'answer')} of {plural(runs.height, 'run')}"
    correct = int(answers["called_right"].sum())
    text = f"{correct or 'None'} of them would be correct without the rules"
    text += ", which most likely erred there" * (correct > 0)
    sentences = [f"Rules on the text decided the state of {number}.", f"{text}."]
    return Section(heading, sentences, "assessors", tables=tables)
