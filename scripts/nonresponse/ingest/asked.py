"""Responses to questions that the question set does not have, or that a run was not asked."""

import polars as pl

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import Read
from nonresponse.formats.text import stem
from nonresponse.ingest.graded_files import reader
from nonresponse.ingest.raw_files import run_reader


def places(unknown: pl.DataFrame, names: pl.DataFrame, read: Read) -> list[tuple[str, int, str]]:
    """File, line and question of the unknown ones; the files are read again, which only bad input costs."""
    found = []
    for file in sorted(set(names.join(unknown.select("run").unique(), on="run")["file"])):
        frame, _ = read(file)
        if "candidate" in frame.columns:
            frame = frame.with_columns(pl.col("candidate").fill_null(""))
        if "run" not in frame.columns:
            frame = frame.with_columns(run=pl.lit(stem(file)))
        keys = [name for name in ("run", "question", "candidate") if name in frame.columns and name in unknown.columns]
        missed = frame.join(unknown.select(keys).unique(), on=keys).select(pl.col("line").cast(pl.Int64), *keys)
        found += [(file, line, " ".join(filter(None, words))) for line, _, *words in missed.rows()]
    return found


ASKED = "a question of the question set (`questions:` in config.yaml, else what the judgments mention)"


def unknown_questions(rows: pl.LazyFrame, questions: pl.DataFrame, names: pl.DataFrame, read: Read) -> list[Fault]:
    """Responses to questions that are not in the question set."""
    unknown = rows.select("run", "question").join(questions.lazy(), on="question", how="anti").unique().collect()
    if not unknown.height:
        return []
    return [
        Fault(file, line, f"the question {shown(question)}", ASKED)
        for file, line, question in places(unknown, names, read)
    ]


def check_asked(campaign: dict, rows: pl.LazyFrame, questions: pl.DataFrame, names: pl.DataFrame) -> list[Fault]:
    """What the question file says that runs were asked fits the runs; and some question was put to two of them."""
    runs = sorted(set(names["run"]))
    asked = questions.select("question", run="runs").drop_nulls().explode("run")
    if asked.height:
        part = campaign["graded" if "graded" in campaign else "runs"]
        read = reader(part, campaign["task"]) if "graded" in campaign else run_reader(part)
        return asked_otherwise(campaign["questions"]["file"], asked, rows, runs, names, read)
    if campaign.get("missing") != "exclude" or campaign.get("compare_on") != "shared" or len(runs) < 2:
        return []
    if "graded" in campaign:
        rows = rows.filter(~pl.col("missing"))
    several = rows.group_by("question").agg(pl.col("run").n_unique().alias("runs")).filter(pl.col("runs") > 1)
    if several.head(1).collect().height:
        return []
    found = f"{len(runs)} runs, no two of which have a response to the same question"
    return [Fault("config.yaml", 0, found, "questions that runs share, a campaign for each run, or `compare_on: all`")]


def asked_otherwise(
    file: str, asked: pl.DataFrame, rows: pl.LazyFrame, runs: list[str], names: pl.DataFrame, read: Read
) -> list[Fault]:
    """Runs that only one of the question file and the campaign has, and responses to what a run was not asked."""
    known = set(asked["run"])
    unknown, lacking = sorted(known - set(runs)), [run for run in runs if run not in known]
    faults = [Fault(file, 0, f"the run {shown(run)}", f"a run of the campaign: {listed(runs)}") for run in unknown]
    faults += [
        Fault(file, 0, f"no question of the run {shown(run)}", "a line for each that it was asked") for run in lacking
    ]
    never = rows.select("run", "question").unique().join(asked.lazy(), on=["run", "question"], how="anti").collect()
    if faults or never.is_empty():
        return faults
    expected = f"a question that the run was asked, as {file} says"
    return [
        Fault(place, line, f"a response to question {shown(question)}", expected)
        for place, line, question in places(never, names, read)
    ]


def unknown_pairs(rows: pl.LazyFrame, judgments: pl.DataFrame, names: pl.DataFrame, read: Read) -> list[Fault]:
    """Validation: decisions on pairs that the gold standard does not have."""
    keys = ["question", "candidate"]
    unknown = rows.select("run", *keys).join(judgments.lazy(), on=keys, how="anti").unique().collect()
    if not unknown.height:
        return []
    return [
        Fault(file, line, f"the pair {shown(pair)}", "a pair of the gold standard")
        for file, line, pair in places(unknown, names, read)
    ]
