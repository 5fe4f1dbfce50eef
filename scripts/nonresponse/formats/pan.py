"""`format: pan`: authorship verification as PAN runs it, truth.jsonl and answers.jsonl (docs/formats.md)."""

from pathlib import Path

import polars as pl

from nonresponse.faults import Fault, shown
from nonresponse.formats import tabular
from nonresponse.formats.text import stem

OPEN = 0.5  # the value that decides nothing
SAME = {"true": "YES", "false": "NO"}


def mapped(file: str, options: dict, columns: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """The fields that we know; PAN's files hold others, such as the authors."""
    options = options | {"columns": columns | options.get("columns", {})}
    return tabular.mapped(file, options, list(columns), ["question"])


def run_name(file: str) -> str:
    """The file's stem; but participants hand in answers.jsonl in a folder of their own."""
    name = stem(file)
    return Path(file).parent.name or name if name == "answers" else name


def read_runs(file: str, options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per pair: its score, and the decision and confidence that follow from it; open at 0.5."""
    frame, faults = mapped(file, options, {"question": "id", "score": "value"})
    if not {"question", "score"} <= set(frame.columns):
        return pl.DataFrame(), faults
    outside = ~pl.col("score").is_between(0, 1)  # NaN is not between
    for line, value in frame.filter(outside).select("line", "score").rows():
        faults.append(Fault(str(file), line, f"the value {value}", "a number from 0 to 1"))
    frame = frame.filter(~outside.fill_null(False)).with_columns(answer=tabular.decision(pl.col("score"), OPEN))
    return frame.with_columns(
        run=pl.lit(run_name(file)),
        answered=pl.col("answer").is_not_null(),
        confidence=2 * (pl.col("score") - OPEN).abs(),
    ), faults


def read_judgments(file: str, options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per pair: YES where both texts are by the same author, else NO."""
    frame, faults = mapped(file, options, {"question": "id", "label": "same"})
    if not {"question", "label"} <= set(frame.columns):
        return pl.DataFrame(), faults
    known = pl.col("label").is_in(list(SAME)).fill_null(False)
    for line, same in frame.filter(~known).select("line", "label").rows():
        found = "no `same`" if same is None else f"`same` {shown(same)}"
        faults.append(Fault(str(file), line, found, "true or false"))
    frame = frame.filter(known).with_columns(pl.col("label").replace(SAME), assessor=pl.lit(stem(file)))
    return frame, faults
