"""Tables of shared tasks that have their own rules: romip, clef-respubliqa, pan and deft."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from nonresponse.faults import Fault
from nonresponse.formats import tabular
from nonresponse.formats.text import Faults, get_stem
from nonresponse.settings import Files

Rows = tuple[pl.DataFrame, list[Fault]]


def capitalise(name: str) -> pl.Expr:
    return pl.col(name).str.strip_chars().str.to_uppercase()


def read_columns(
    file: str, options: Files, needed: str, mandatory: str = "", optional: str = ""
) -> tuple[pl.DataFrame, Faults]:
    """Read these columns, `needed` ones with values; none if one but an optional one is missing."""
    columns = {name: name for name in mandatory.split()} | options.get("columns", {})
    names, own_options = f"{needed} {mandatory} {optional}".split(), options | {"columns": columns}
    frame, faults = tabular.read_mapped(file, own_options, names, needed.split())
    is_complete = {*needed.split(), *mandatory.split()} <= {*frame.columns}
    return frame if is_complete else pl.DataFrame(), faults


# ROMIP: several answers to a question, short or long, or one row of the kind `none` for a question
# that is unanswered.
FRAGMENT = {"SHORT": False, "LONG": True, "NONE": None}


def read_romip_runs(file: str, options: Files) -> Rows:
    frame, faults = read_columns(file, options, "question kind", "rank answer", "document")
    if not frame.columns:
        return frame, faults
    is_none, is_unknown = capitalise("kind") == "NONE", ~capitalise("kind").is_in([*FRAGMENT])
    # Not reported yet
    lacks_rank = pl.col("rank").is_null() & ~pl.col("line").is_in([fault.line for fault in faults])
    for is_faulty, found, expected in (
        (is_unknown, "the kind {}", "one of short, long, none"),
        (~is_none & lacks_rank, "no rank", "one, unless the kind is none"),
        (~is_none & pl.col("answer").is_null(), "no answer", "one, unless the kind is none"),
        (is_none & pl.col("answer").is_not_null(), "an answer of the kind none", "short or long"),
    ):
        faults.add_rows(frame.filter(is_faulty), found, expected, "kind")
    fragment = capitalise("kind").replace_strict(FRAGMENT, default=None, return_dtype=pl.Boolean)
    rank = pl.when(is_none).then(1).otherwise("rank")
    return frame.with_columns(rank=rank, answered=~is_none, fragment=fragment), faults


def read_romip_judgments(file: str, options: Files) -> Rows:
    options = options | {"may_be_empty": True}
    frame, faults = read_columns(file, options, "question answer label", optional="document")
    label = capitalise("label").str.to_lowercase()
    return frame.with_columns(label=label) if frame.columns else frame, faults


# CLEF's ResPubliQA: paragraphs, withheld where the status is NOA. Its XML could not be found; these
# tables hold what the overview papers say of it.
def read_respubliqa_runs(file: str, options: Files) -> Rows:
    frame, faults = read_columns(file, options, "question status", "paragraph", "text")
    if not frame.columns:
        return frame, faults
    status, is_empty = capitalise("status"), pl.col("paragraph").is_null()
    answered, is_unknown = status == "ANSWERED", ~status.is_in(["ANSWERED", "NOA"])
    text = pl.col("text") if "text" in frame.columns else pl.lit(None, pl.String)
    faults.add_rows(frame.filter(is_unknown), "the status {}", "ANSWERED or NOA", "status")
    expected = "one, unless the status is NOA"
    faults.add_rows(frame.filter(answered, is_empty), "no paragraph", expected)
    return frame.select(
        *("line", "question"),
        document="paragraph",
        answer=pl.when(answered).then(text),
        candidate=pl.when(~answered).then(pl.coalesce(text, "paragraph")),
        answered=answered,
    ), faults


def read_respubliqa_judgments(file: str, options: Files) -> Rows:
    options = options | {"may_be_empty": True}
    frame, faults = read_columns(file, options, "run question paragraph judgment")
    if not frame.columns:
        return frame, faults
    label = capitalise("judgment")
    return frame.select("line", "run", "question", document="paragraph", label=label), faults


# PAN's authorship verification. The truth is called `same` (2020 to 2023), `is_human` (2024) or
# `label` (2025, 2026), true and false or 1 and 0; the score `value`, or as the truth of its year
# is.
UNDECIDED = 0.5  # the value that decides nothing
TRUE_OR_FALSE = {"true": "YES", "false": "NO"}
NUMBER_WORDS = {"1": "YES", "0": "NO", "1.0": "YES", "0.0": "NO"}
# 2024: which of two texts a human wrote; the second counts as 1
NUMBER_WORDS |= {"[true, false]": "NO", "[1, 0]": "NO", "[false, true]": "YES", "[0, 1]": "YES"}
TRUTHS, SCORES = ("same", "label", "is_human"), ("value", "label", "is_human")


def read_pan(
    file: str, options: Files, our_name: str, names: tuple[str, ...]
) -> tuple[pl.DataFrame, Faults, str]:
    """Read the question and the first of these fields that a file has; else no columns."""
    mapping, attempts = options.get("columns", {}), []
    for name in (mapping[our_name],) if our_name in mapping else names:
        columns = {"question": "id", our_name: name} | mapping
        needed = " ".join(columns)
        frame, faults = read_columns(file, options | {"columns": columns}, "question", needed)
        if frame.columns:
            return frame, faults, name
        attempts.append(faults)
    return pl.DataFrame(), attempts[0], names[0]


def read_pan_runs(file: str, options: Files) -> Rows:
    """Read a row per pair: its score, decision and confidence. At 0.5 it is unanswered."""
    frame, faults, _ = read_pan(file, options, "score", SCORES)
    if not frame.columns:
        return frame, faults
    is_share = pl.col("score").is_between(0, 1)  # NaN is not between
    for line, value in frame.filter(~is_share).select("line", "score").rows():
        faults.add(line, f"the value {value}", "a number from 0 to 1")
    answer = tabular.decide(pl.col("score"), UNDECIDED)
    # Participants submit answers.jsonl, in a folder of their own.
    run = Path(file).parent.name if get_stem(file) == "answers" else ""
    return frame.filter(is_share.fill_null(True)).with_columns(
        run=pl.lit(run or get_stem(file)),
        answer=answer,
        answered=answer.is_not_null(),
        confidence=2 * (pl.col("score") - UNDECIDED).abs(),
    ), faults


def read_pan_judgments(file: str, options: Files) -> Rows:
    """Read a row per pair: YES if both texts are by the same author, or as the year says."""
    frame, faults, name = read_pan(file, options, "label", TRUTHS)
    if not frame.columns:
        return frame, faults
    words = TRUE_OR_FALSE if name == TRUTHS[0] else TRUE_OR_FALSE | NUMBER_WORDS
    is_known, is_empty = pl.col("label").is_in([*words]), pl.col("label").is_null()
    expected = "true or false" + (", 1 or 0" if len(words) > len(TRUE_OR_FALSE) else "")
    faults.add_rows(frame.filter(~is_known, ~is_empty), f"`{name}` {{}}", expected, "label")
    faults.add_rows(frame.filter(is_empty), f"no `{name}`", expected)
    return frame.filter(is_known).with_columns(pl.col("label").replace(words)), faults


def list_truth_options(names: list[str]) -> dict[str, str]:
    """Return the options that the truth's form decides: from 2024, undecided pairs are rejected."""
    return {} if TRUTHS[0] in names else {"open": "rejected"}


# DEFT 2011: rows with the same question are its hypotheses, in the order of the file. Ingest checks
# that their confidences add up, and ranks them.
ANSWERS = ("year", "label")  # what the answer is called, in dating and in matching
LACKS_ANSWER = ~pl.col("faulty") & pl.col("answer").is_null()


def read_deft(file: str, options: Files) -> tuple[pl.DataFrame, Faults]:
    """Read the hypotheses, and whether each is `faulty`; no columns where one is missing."""
    names = ["answer"] if "answer" in options.get("columns", {}) else [*ANSWERS]
    columns = ["question", *names, "confidence"]
    frame, faults = tabular.read_mapped(file, options, columns, ["question"])
    present = [name for name in names if name in frame.columns]
    if frame.columns and len(names) == 2 and len(present) != 1:
        found = "both a column year and a column label"
        found = found if present else "neither a column year nor a column label"
        faults.add(1, found, "one of them, or `columns: {answer: …}` in config.yaml")
    if "question" not in frame.columns or len(present) != 1:
        return pl.DataFrame(), faults
    has_confidence = "confidence" in frame.columns
    return frame.select(
        *("line", "question"),
        answer=pl.col(present[0]).str.strip_chars().replace("", None),
        confidence=pl.col("confidence") if has_confidence else pl.lit(None, pl.Float64),
        faulty=pl.col("line").is_in([fault.line for fault in faults]),
    ), faults


def read_deft_runs(file: str, options: Files) -> Rows:
    """Read a row per hypothesis, and a row without an answer for each question that has none."""
    frame, faults = read_deft(file, options)
    if not frame.columns:
        return frame, faults
    lacks_answer = pl.col("confidence").is_not_null() & LACKS_ANSWER
    expected = "a year or label with it, or no confidence"
    faults.add_rows(frame.filter(lacks_answer), "a confidence without an answer", expected)
    # Of a question with a fault, ingest would add that its confidences do not sum to 1.
    is_incomplete = (pl.col("faulty") | lacks_answer).any().over("question")
    rows = frame.filter(~is_incomplete).drop("faulty")
    return rows.with_columns(answered=pl.col("answer").is_not_null()), faults


def read_deft_judgments(file: str, options: Files) -> Rows:
    """Read the references; their confidences, if any, are ignored."""
    frame, faults = read_deft(file, options)
    if not frame.columns:
        return frame, faults
    expected = "the right one for every question"
    faults.add_rows(frame.filter(LACKS_ANSWER), "no year or label", expected)
    references = frame.drop_nulls("answer")
    return references.select("line", "question", "answer", label=pl.lit("R")), faults


@dataclass(frozen=True)
class Preset:
    """The readers of a format, and the options that its truth decides."""

    read_runs: Callable
    read_judgments: Callable
    list_truth_options: Callable | None = None


PRESETS = {
    "deft": Preset(read_deft_runs, read_deft_judgments),
    "romip": Preset(read_romip_runs, read_romip_judgments),
    "clef-respubliqa": Preset(read_respubliqa_runs, read_respubliqa_judgments),
    "pan": Preset(read_pan_runs, read_pan_judgments, list_truth_options),
}
