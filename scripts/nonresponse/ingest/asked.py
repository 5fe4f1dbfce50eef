"""Responses to questions that the question set does not have, or that a run was not asked."""

import polars as pl

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import Read
from nonresponse.formats.text import stem
from nonresponse.ingest.readers import reader

ASKED = "a question of the question set (`questions:` in config.yaml, else what the judgments mention)"


def unknown(
    rows: pl.LazyFrame, known: pl.DataFrame, names: pl.DataFrame, read: Read, found: str, expected: str
) -> list[Fault]:
    """Responses whose question, pair or run and question (the columns of `known`) is none of those, each with its line.

    What was `found` has {} for the question or pair. The files are read again, which only bad input costs.
    """
    keys = [*dict.fromkeys(["run", *known.columns])]
    lacking = rows.select(keys).join(known.lazy(), on=known.columns, how="anti").unique().collect()
    faults = []
    for file in sorted(set(names.join(lacking.select("run").unique(), on="run")["file"])):
        frame, _ = read(file)
        own = frame.with_columns(run="run" if "run" in frame.columns else pl.lit(stem(file)))
        own = own.with_columns(
            candidate=pl.col("candidate").fill_null("") if "candidate" in own.columns else pl.lit("")
        )
        for line, _, *words in own.join(lacking, on=keys, how="semi").select("line", *keys).rows():
            faults.append(Fault(file, line, found.format(shown(" ".join(filter(None, words)))), expected))
    return faults


def check_asked(campaign: dict, rows: pl.LazyFrame, questions: pl.DataFrame, names: pl.DataFrame) -> list[Fault]:
    """What the question file says that runs were asked fits the runs; and some question was put to two of them."""
    runs = sorted(set(names["run"]))
    asked = questions.select("question", run="runs").drop_nulls().explode("run")
    if asked.height:
        file, known = campaign["questions"]["file"], set(asked["run"])
        strangers, lacking = sorted(known - set(runs)), [run for run in runs if run not in known]
        faults = [
            Fault(file, 0, f"the run {shown(run)}", f"a run of the campaign: {listed(runs)}") for run in strangers
        ]
        expected = "a line for each that it was asked"
        faults += [Fault(file, 0, f"no question of the run {shown(run)}", expected) for run in lacking]
        expected = f"a question that the run was asked, as {file} says"
        found = "a response to question {}"
        return faults or unknown(rows, asked.select("run", "question"), names, reader(campaign), found, expected)
    if campaign.get("missing") != "exclude" or campaign.get("compare_on") != "shared" or len(runs) < 2:
        return []
    if "graded" in campaign:
        rows = rows.filter(~pl.col("missing"))
    several = rows.group_by("question").agg(pl.col("run").n_unique().alias("runs")).filter(pl.col("runs") > 1)
    if several.head(1).collect().height:
        return []
    found = f"{len(runs)} runs, no two of which have a response to the same question"
    return [Fault("config.yaml", 0, found, "questions that runs share, a campaign for each run, or `compare_on: all`")]
