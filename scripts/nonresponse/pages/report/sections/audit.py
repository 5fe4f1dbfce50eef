"""What rules on the text of answers decided: how much of it for each run, and the answers themselves."""

import polars as pl

from nonresponse.pages.blocks import Column
from nonresponse.pages.report.blocks import Block, sentences, table
from nonresponse.pages.sections import Campaign
from nonresponse.wording import plural

MOST = 500  # answers that are shown


def blocks(campaign: Campaign) -> list[Block]:
    """Sentences, a table of the runs, and one of the answers."""
    decided = pl.read_csv(campaign.folder / "audit.csv", infer_schema=False)
    decided = decided.with_columns(pl.col("called_right") == "true", pl.col("epoch", "rank").cast(pl.Int64))
    if decided.is_empty():
        return [sentences(["No rule on the text of answers fits any of them."])]
    fits = [(pl.col("rule") == rule).sum().alias(rule) for rule in decided["rule"].unique().sort()]
    runs = decided.group_by("run").agg(pl.len().alias("answers"), pl.col("called_right").sum(), *fits)
    runs = runs.sort("called_right", "answers", "run", descending=[True, True, False])
    of_runs = [Column("run", run=True), *[Column(name, "number") for name in runs.columns[1:]]]
    several = [name for name in ("epoch", "rank") if decided[name].n_unique() > 1]
    of_answers = [Column("run", run=True), Column("question"), *[Column(name, "number") for name in several]]
    of_answers += [Column(name, long=name == "answer") for name in ("answer", "rule", "phrase", "before", "after")]
    more = [f"audit.csv has all {decided.height:,}."] if decided.height > MOST else []
    listed = table(decided.head(MOST), of_answers, "The answers, those first that are right without the rules", more)
    return [sentences(said(decided)), table(runs, of_runs, "Answers by run and rule"), listed | {"folded": "Answers"}]


def said(decided: pl.DataFrame) -> list[str]:
    """How many answers, and how many of them were right otherwise."""
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
