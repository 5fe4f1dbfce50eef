"""`format: pan`: authorship verification as PAN runs it, truth.jsonl and answers.jsonl (docs/shared-tasks.md).

The truth is called `same` (2020 to 2023), `is_human` (2024) or `label` (2025 and 2026), true and false or 1 and 0; the
score `value`, or as the truth of its year is.
"""

import json
from pathlib import Path

import polars as pl

from nonresponse.faults import Fault
from nonresponse.formats import tabular
from nonresponse.formats.text import Faults, stem
from nonresponse.settings import Files

OPEN = 0.5  # the value that decides nothing
SAME = {"true": "YES", "false": "NO"}
PAIRS = [True, False], [False, True]  # 2024: which of two texts a human wrote; the second counts as 1
# Further values of the truth, where it is not called `same`.
NUMBERS = {"1": "YES", "0": "NO", "1.0": "YES", "0.0": "NO"} | {
    json.dumps(pair): "YES" if pair[1] else "NO" for both in PAIRS for pair in (both, [int(one) for one in both])
}
TRUTHS, SCORES = ("same", "label", "is_human"), ("value", "label", "is_human")


def mapped(file: str, options: Files, ours: str, theirs: tuple[str, ...]) -> tuple[pl.DataFrame, Faults, str]:
    """The question and the first of these fields that a file has, and its name; no columns where either is missing."""
    own = options.get("columns", {})
    read = []
    for name in (own[ours],) if ours in own else theirs:
        columns = {"question": "id", ours: name} | own
        frame, faults = tabular.mapped(file, options | {"columns": columns}, list(columns), ["question"])
        if {*columns} <= {*frame.columns}:
            return frame, faults, name
        read.append(faults)
    return pl.DataFrame(), read[0], theirs[0]


def is_truth(names: list[str], records: list[dict]) -> bool | None:
    """Whether records are the truth (true) or a run (false), by their content; null where they are neither.

    The truth is 0 or 1, or false or true; a run has some number between. One without is taken for the truth.
    """
    own = [name for name in SCORES[1:] if name in names]
    values = [record.get(own[0]) for record in records] if len(own) == 1 and "id" in names else []
    values = [value == PAIRS[1] if value in PAIRS else value for value in values]
    shares = [value for value in values if isinstance(value, bool | int | float) and 0 <= value <= 1]
    return all(value in (0, 1) for value in shares) if shares and len(shares) == len(values) else None


def what_values_say(truth: bool, records: list[dict]) -> tuple[str, tuple[str, ...]]:
    """Return what shows that records are the truth or a run, and what of the records is open: nothing."""
    return "its values are 0 and 1" if truth else "it has values between 0 and 1", ()


def of_truth(names: list[str]) -> dict[str, str]:
    """Return the options that the form of the truth decides: from 2024 on, a pair left open is rejected."""
    return {} if TRUTHS[0] in names else {"open": "rejected"}


def read_runs(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per pair: its score, and the decision and confidence that follow from it; open at 0.5."""
    frame, faults, _ = mapped(file, options, "score", SCORES)
    if not frame.columns:
        return frame, faults
    outside = ~pl.col("score").is_between(0, 1)  # NaN is not between
    for line, value in frame.filter(outside).select("line", "score").rows():
        faults.add(line, f"the value {value}", "a number from 0 to 1")
    frame = frame.filter(~outside.fill_null(False)).with_columns(answer=tabular.decision(pl.col("score"), OPEN))
    # Participants hand in answers.jsonl, in a folder of their own.
    run = stem(file) if stem(file) != "answers" else Path(file).parent.name or stem(file)
    confidence = 2 * (pl.col("score") - OPEN).abs()
    return frame.with_columns(run=pl.lit(run), answered=pl.col("answer").is_not_null(), confidence=confidence), faults


def read_judgments(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """A row per pair: YES if both texts are by the same author, or whatever else the truth of its year states."""
    frame, faults, name = mapped(file, options, "label", TRUTHS)
    if not frame.columns:
        return frame, faults
    words = SAME if name == TRUTHS[0] else SAME | NUMBERS
    known, empty = pl.col("label").is_in([*words]), pl.col("label").is_null()
    expected = "true or false" + (", 1 or 0" if len(words) > len(SAME) else "")
    faults.add_rows(frame.filter(~known, ~empty), f"`{name}` {{}}", expected, "label")
    faults.add_rows(frame.filter(empty), f"no `{name}`", expected)
    return frame.filter(known).with_columns(pl.col("label").replace(words)), faults
