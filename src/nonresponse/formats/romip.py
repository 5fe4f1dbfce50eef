"""`format: romip`: several answers to a question, short or long, as tables of our own (docs/shared-tasks.md)."""

import polars as pl

from nonresponse.faults import Fault
from nonresponse.formats import tabular
from nonresponse.settings import Files

NONE = "none"
FRAGMENT = {"short": False, "long": True, NONE: None}


def read_runs(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per answer, or one of the kind `none` for a question left open."""
    # A column that `columns` names has to be there, though its fields may be empty.
    options = options | {"columns": {"rank": "rank", "answer": "answer"} | options.get("columns", {})}
    columns = ["question", "rank", "kind", "answer", "document"]
    frame, faults = tabular.mapped(file, options, columns, ["question", "kind"])
    if not set(columns[:4]) <= set(frame.columns):
        return pl.DataFrame(), faults
    no_rank = pl.col("rank").is_null() & ~pl.col("line").is_in([fault.line for fault in faults])  # not reported yet
    frame = frame.with_columns(said=pl.col("kind").str.strip_chars().str.to_lowercase())
    abstained, no_answer = pl.col("said") == NONE, pl.col("answer").is_null()
    wanted = f"one, unless the kind is {NONE}"
    for wrong, found, expected in (
        (~pl.col("said").is_in(list(FRAGMENT)), "the kind {}", f"one of {', '.join(FRAGMENT)}"),
        (~abstained & no_rank, "no rank", wanted),
        (~abstained & no_answer, "no answer", wanted),
        (abstained & ~no_answer, f"an answer of the kind {NONE}", "short or long"),
    ):
        faults.add_rows(frame.filter(wrong), found, expected, "kind")
    return frame.with_columns(
        rank=pl.when(abstained).then(1).otherwise(pl.col("rank")),
        answered=~abstained,
        fragment=pl.col("said").replace_strict(FRAGMENT, default=None, return_dtype=pl.Boolean),
    ), faults


def read_judgments(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per judged answer; the assessor is the file's stem."""
    required = ["question", "answer", "label"]
    frame, faults = tabular.mapped(file, options | {"may_be_empty": True}, [*required, "document"], required)
    if not set(required) <= set(frame.columns):
        return pl.DataFrame(), faults
    return frame.with_columns(pl.col("label").str.strip_chars().str.to_lowercase()), faults
