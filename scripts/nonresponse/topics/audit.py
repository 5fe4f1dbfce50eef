"""The answers whose state a rule on their text decided, beside what they would be without it."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.judge import source_tables
from nonresponse.judge.audit import audit
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Column, Table, Topic
from nonresponse.pages.sections import Campaign
from nonresponse.wording import plural

MOST = 500  # answers that are shown


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """audit.csv and audit.json; settings: rules, shards, source, official if there are several assessors."""
    settings = campaign.settings
    ruled = [file for file in files if file.parent == campaign.folder / "ruled"]
    sources = source_tables(campaign.folder, settings["shards"], settings["source"] == "graded")
    decided = audit(campaign.task, sources, ruled, settings.get("official"), **settings["rules"])
    tables.write_text(tables.harmless(decided).write_csv(), campaign.folder / "audit.csv")
    findings = [("", sentence) for sentence in said(decided)]
    shown = [of_runs(decided), of_answers(decided)] if decided.height else []
    blocks.write({"audit": Topic("What rules decided", findings, tables=shown)}, campaign.folder / "audit.json")


def of_runs(decided: pl.DataFrame) -> Table:
    """How much of it for each run."""
    fits = [(pl.col("rule") == rule).sum().alias(rule) for rule in decided["rule"].unique().sort()]
    runs = decided.group_by("run").agg(pl.len().alias("answers"), pl.col("called_right").sum(), *fits)
    runs = runs.sort("called_right", "answers", "run", descending=[True, True, False])
    columns = [Column("run", run=True), *[Column(name, "number") for name in runs.columns[1:]]]
    return blocks.of_frame(runs, columns, "Answers by run and rule")


def of_answers(decided: pl.DataFrame) -> Table:
    """The first answers."""
    several = [name for name in ("epoch", "rank") if decided[name].n_unique() > 1]
    columns = [Column("run", run=True), Column("question"), *[Column(name, "number") for name in several]]
    columns += [Column(name, long=name == "answer") for name in ("answer", "rule", "phrase", "before", "after")]
    caption = "The answers, those first that are right without the rules"
    return blocks.of_frame(decided, columns, caption, most=MOST, folded="Answers", csv="audit")


def said(decided: pl.DataFrame) -> list[str]:
    """How many answers, and how many of them were right otherwise."""
    if decided.is_empty():
        return ["No rule on the text of answers fits any of them."]
    runs, right = decided["run"].n_unique(), int(decided["called_right"].sum())
    lines = [f"Rules on the text decided the state of {plural(decided.height, 'answer')} of {plural(runs, 'run')}."]
    if right:
        were = "was" if right == 1 else "were"
        lines.append(
            f"{right:,} of them {were} called right without the rules; there the rules have most likely erred."
        )
    else:
        lines.append("None of them was called right without the rules.")
    return lines
