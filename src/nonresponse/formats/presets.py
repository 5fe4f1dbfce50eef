"""Tables of shared tasks, `tabular` with rules of their own: romip, clef-respubliqa, pan, deft."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import polars as pl

from nonresponse.faults import Fault
from nonresponse.formats import tabular
from nonresponse.formats.text import Faults, get_stem
from nonresponse.settings import Files

Rows = tuple[pl.DataFrame, list[Fault]]


def capitals(name: str) -> pl.Expr:
    return pl.col(name).str.strip_chars().str.to_uppercase()


def columns_of(
    file: str, options: Files, needed: str, must: str = "", more: str = ""
) -> tuple[pl.DataFrame, Faults]:
    """Read these columns, of which `needed` have values; none where needed ones are missing."""
    columns = {name: name for name in must.split()} | options.get("columns", {})
    names, own = f"{needed} {must} {more}".split(), options | {"columns": columns}
    frame, faults = tabular.mapped(file, own, names, needed.split())
    there = {*needed.split(), *must.split()} <= {*frame.columns}
    return frame if there else pl.DataFrame(), faults


# ROMIP: several answers to a question, short or long, or one row of the kind `none` for a question
# left open.
FRAGMENT = {"SHORT": False, "LONG": True, "NONE": None}


def romip_runs(file: str, options: Files) -> Rows:
    frame, faults = columns_of(file, options, "question kind", "rank answer", "document")
    if not frame.columns:
        return frame, faults
    none, unknown = capitals("kind") == "NONE", ~capitals("kind").is_in([*FRAGMENT])
    # Not reported yet
    no_rank = pl.col("rank").is_null() & ~pl.col("line").is_in([fault.line for fault in faults])
    for wrong, found, expected in (
        (unknown, "the kind {}", "one of short, long, none"),
        (~none & no_rank, "no rank", "one, unless the kind is none"),
        (~none & pl.col("answer").is_null(), "no answer", "one, unless the kind is none"),
        (none & pl.col("answer").is_not_null(), "an answer of the kind none", "short or long"),
    ):
        faults.add_rows(frame.filter(wrong), found, expected, "kind")
    fragment = capitals("kind").replace_strict(FRAGMENT, default=None, return_dtype=pl.Boolean)
    rank = pl.when(none).then(1).otherwise("rank")
    return frame.with_columns(rank=rank, answered=~none, fragment=fragment), faults


def romip_judgments(file: str, options: Files) -> Rows:
    options = options | {"may_be_empty": True}
    frame, faults = columns_of(file, options, "question answer label", more="document")
    label = capitals("label").str.to_lowercase()
    return frame.with_columns(label=label) if frame.columns else frame, faults


# CLEF's ResPubliQA: paragraphs, withheld where the status is NOA. Its XML could not be found; these
# tables hold what the overview papers say of it.
def respubliqa_runs(file: str, options: Files) -> Rows:
    frame, faults = columns_of(file, options, "question status", "paragraph", "text")
    if not frame.columns:
        return frame, faults
    status, empty = capitals("status"), pl.col("paragraph").is_null()
    answered, unknown = status == "ANSWERED", ~status.is_in(["ANSWERED", "NOA"])
    text = pl.col("text") if "text" in frame.columns else pl.lit(None, pl.String)
    faults.add_rows(frame.filter(unknown), "the status {}", "ANSWERED or NOA", "status")
    faults.add_rows(frame.filter(answered, empty), "no paragraph", "one, unless the status is NOA")
    return frame.select(
        *("line", "question"),
        document="paragraph",
        answer=pl.when(answered).then(text),
        candidate=pl.when(~answered).then(pl.coalesce(text, "paragraph")),
        answered=answered,
    ), faults


def respubliqa_judgments(file: str, options: Files) -> Rows:
    options = options | {"may_be_empty": True}
    frame, faults = columns_of(file, options, "run question paragraph judgment")
    if not frame.columns:
        return frame, faults
    label = capitals("judgment")
    return frame.select("line", "run", "question", document="paragraph", label=label), faults


# PAN's authorship verification. The truth is called `same` (2020 to 2023), `is_human` (2024) or
# `label` (2025, 2026), true and false or 1 and 0; the score `value`, or as the truth of its year
# is.
OPEN = 0.5  # the value that decides nothing
# 2024: which of two texts a human wrote; the second counts as 1
PAIRS = [True, False], [False, True]
TRUE_OR_FALSE = {"true": "YES", "false": "NO"}
NUMBERS = {"1": "YES", "0": "NO", "1.0": "YES", "0.0": "NO"}
NUMBERS |= {"[true, false]": "NO", "[1, 0]": "NO", "[false, true]": "YES", "[0, 1]": "YES"}
TRUTHS, SCORES = ("same", "label", "is_human"), ("value", "label", "is_human")


def of_pan(
    file: str, options: Files, ours: str, theirs: tuple[str, ...]
) -> tuple[pl.DataFrame, Faults, str]:
    """Read the question and the first of these fields that a file has; else no columns."""
    own, read = options.get("columns", {}), []
    for name in (own[ours],) if ours in own else theirs:
        columns = {"question": "id", ours: name} | own
        needed = " ".join(columns)
        frame, faults = columns_of(file, options | {"columns": columns}, "question", needed)
        if frame.columns:
            return frame, faults, name
        read.append(faults)
    return pl.DataFrame(), read[0], theirs[0]


def pan_runs(file: str, options: Files) -> Rows:
    """Read a row per pair: its score, and decision and confidence that follow; open at 0.5."""
    frame, faults, _ = of_pan(file, options, "score", SCORES)
    if not frame.columns:
        return frame, faults
    inside = pl.col("score").is_between(0, 1)  # NaN is not between
    for line, value in frame.filter(~inside).select("line", "score").rows():
        faults.add(line, f"the value {value}", "a number from 0 to 1")
    answer = tabular.decision(pl.col("score"), OPEN)
    # Participants hand in answers.jsonl, in a folder of their own.
    run = (
        get_stem(file) if get_stem(file) != "answers" else Path(file).parent.name or get_stem(file)
    )
    return frame.filter(inside.fill_null(True)).with_columns(
        run=pl.lit(run),
        answer=answer,
        answered=answer.is_not_null(),
        confidence=2 * (pl.col("score") - OPEN).abs(),
    ), faults


def pan_judgments(file: str, options: Files) -> Rows:
    """Read a row per pair: YES if both texts are by the same author, or as the year says."""
    frame, faults, name = of_pan(file, options, "label", TRUTHS)
    if not frame.columns:
        return frame, faults
    words = TRUE_OR_FALSE if name == TRUTHS[0] else TRUE_OR_FALSE | NUMBERS
    known, empty = pl.col("label").is_in([*words]), pl.col("label").is_null()
    expected = "true or false" + (", 1 or 0" if len(words) > len(TRUE_OR_FALSE) else "")
    faults.add_rows(frame.filter(~known, ~empty), f"`{name}` {{}}", expected, "label")
    faults.add_rows(frame.filter(empty), f"no `{name}`", expected)
    return frame.filter(known).with_columns(pl.col("label").replace(words)), faults


def is_truth(names: list[str], records: list[dict]) -> bool | None:
    """Return whether records are the truth (true) or a run (false), by their content; null where
    they are neither.

    The truth is 0 or 1, or false or true; a run has some number between. One without is taken for
    the truth.
    """
    own = [name for name in SCORES[1:] if name in names]
    if len(own) != 1 or "id" not in names:
        return None
    values = [record.get(own[0]) for record in records]
    values = [value == PAIRS[1] if value in PAIRS else value for value in values]
    shares = [one for one in values if isinstance(one, bool | int | float) and 0 <= one <= 1]
    known = shares and len(shares) == len(values)
    return all(value in (0, 1) for value in shares) if known else None


def of_truth(names: list[str]) -> dict[str, str]:
    """Return the options that the truth's form decides: from 2024, an open pair is rejected."""
    return {} if TRUTHS[0] in names else {"open": "rejected"}


# DEFT 2011: rows with the same question are its hypotheses, in the order of the file. Ingest checks
# that their confidences add up, and ranks them.
ANSWERS = ("year", "label")  # what the answer is called, in dating and in matching
NO_ANSWER = ~pl.col("faulty") & pl.col("answer").is_null()


def deft_rows(file: str, options: Files) -> tuple[pl.DataFrame, Faults]:
    """Read the hypotheses, and whether each is `faulty`; no columns where one is missing."""
    names = ["answer"] if "answer" in options.get("columns", {}) else [*ANSWERS]
    frame, faults = tabular.mapped(file, options, ["question", *names, "confidence"], ["question"])
    present = [name for name in names if name in frame.columns]
    if frame.columns and len(names) == 2 and len(present) != 1:
        found = "both a column year and a column label"
        found = found if present else "neither a column year nor a column label"
        faults.add(1, found, "one of them, or `columns: {answer: …}` in config.yaml")
    if "question" not in frame.columns or len(present) != 1:
        return pl.DataFrame(), faults
    known = "confidence" in frame.columns
    return frame.select(
        *("line", "question"),
        answer=pl.col(present[0]).str.strip_chars().replace("", None),
        confidence=pl.col("confidence") if known else pl.lit(None, pl.Float64),
        faulty=pl.col("line").is_in([fault.line for fault in faults]),
    ), faults


def deft_runs(file: str, options: Files) -> Rows:
    """Read a row per hypothesis, and a row without an answer for each question that has none."""
    frame, faults = deft_rows(file, options)
    if not frame.columns:
        return frame, faults
    lost, expected = pl.col("confidence").is_not_null() & NO_ANSWER, "a year or label with it"
    found = "a confidence without an answer"
    faults.add_rows(frame.filter(lost), found, f"{expected}, or no confidence")
    # A question with a fault is left out, or ingest would add that its confidences do not sum to 1.
    incomplete = (pl.col("faulty") | lost).any().over("question")
    rows = frame.filter(~incomplete).drop("faulty")
    return rows.with_columns(answered=pl.col("answer").is_not_null()), faults


def deft_judgments(file: str, options: Files) -> Rows:
    """Read the references; their confidences, if any, are ignored."""
    frame, faults = deft_rows(file, options)
    if not frame.columns:
        return frame, faults
    expected = "the right one for every question"
    faults.add_rows(frame.filter(NO_ANSWER), "no year or label", expected)
    there = frame.drop_nulls("answer")
    return there.select("line", "question", "answer", label=pl.lit("R")), faults


def preset(runs: Callable, judgments: Callable, **more: Callable) -> SimpleNamespace:
    return SimpleNamespace(read_runs=runs, read_judgments=judgments, **more)


PRESETS = {
    "deft": preset(deft_runs, deft_judgments),
    "romip": preset(romip_runs, romip_judgments),
    "clef-respubliqa": preset(respubliqa_runs, respubliqa_judgments),
    "pan": preset(pan_runs, pan_judgments, is_truth=is_truth, of_truth=of_truth),
}
