"""`format: clef-respubliqa`: paragraph retrieval with NOA, as tables of our own (docs/shared-tasks.md).

The XML of CLEF's ResPubliQA 2009-2010 could not be found; these tables hold what its overview papers say of it.
"""

import polars as pl

from nonresponse.faults import Fault
from nonresponse.formats import tabular
from nonresponse.settings import Files

ANSWERED, NOA = "ANSWERED", "NOA"


def read_runs(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per question: a paragraph and text, withheld where the status is NOA."""
    # A column that `columns` names has to be there, though its fields may be empty.
    options = options | {"columns": {"paragraph": "paragraph"} | options.get("columns", {})}
    frame, faults = tabular.mapped(file, options, ["question", "status", "paragraph", "text"], ["question", "status"])
    if not {"question", "status", "paragraph"} <= set(frame.columns):
        return pl.DataFrame(), faults
    status = pl.col("status").str.strip_chars().str.to_uppercase()
    answered, text = status == ANSWERED, pl.col("text") if "text" in frame.columns else pl.lit(None, pl.String)
    neither, none = frame.filter(~status.is_in([ANSWERED, NOA])), frame.filter(answered, pl.col("paragraph").is_null())
    faults.add_rows(neither, "the status {}", f"{ANSWERED} or {NOA}", "status")
    faults.add_rows(none, "no paragraph", f"one, unless the status is {NOA}")
    return frame.select(
        *("line", "question"),
        document="paragraph",
        answer=pl.when(answered).then(text),
        candidate=pl.when(~answered).then(pl.coalesce(text, "paragraph")),
        answered=answered,
    ), faults


def read_judgments(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per judged paragraph; the assessor is the file's stem."""
    columns = ["run", "question", "paragraph", "judgment"]
    frame, faults = tabular.mapped(file, options | {"may_be_empty": True}, columns, columns)
    if not set(columns) <= set(frame.columns):
        return pl.DataFrame(), faults
    label = pl.col("judgment").str.strip_chars().str.to_uppercase()
    return frame.select("line", "run", "question", document="paragraph", label=label), faults
