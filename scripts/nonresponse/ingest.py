"""Files of any format into one table, with all their faults: reading never stops at the first.

What is read but wrong is found here, once for all formats: duplicates, numbers out of range, unknown labels,
names that cannot be file names.
"""

from collections.abc import Callable

import polars as pl

from nonresponse import tables
from nonresponse.faults import Fault, shown

# Names of runs, assessors and campaigns become parts of paths, of tables and of LaTeX.
SAFE_NAME = r"^[^\x00-\x1f\x7f/\\:*?\"<>|.][^\x00-\x1f\x7f/\\:*?\"<>|]{0,99}$"
RESERVED = (tables.ACCEPT_ALL, tables.REJECT_ALL)


def read_files(files: list[str], read: Callable, columns: dict, check: Callable) -> tuple[pl.DataFrame, list[Fault]]:
    """All files through one reader; `check` finds what is wrong with the rows of one file."""
    frames, faults = [tables.empty(columns | {"file": pl.String, "line": pl.Int64})], []
    for file in files:
        frame, found = read(file)
        faults += found
        if frame.width:
            line = frame["line"].cast(pl.Int64)
            frame = tables.complete(frame, columns).with_columns(
                line, *[pl.col(name).fill_null(tables.DEFAULTS[name]) for name in tables.DEFAULTS if name in columns],
                file=pl.lit(file),
            )
            faults += check(frame)
            frames.append(frame.select(*columns, "file", "line"))
    return pl.concat(frames), faults


def faults_where(frame: pl.DataFrame, condition: pl.Expr, found: pl.Expr, expected: str) -> list[Fault]:
    """A fault per row that meets the condition."""
    rows = frame.filter(condition)
    if not rows.height:
        return []
    return [Fault(*row, expected) for row in rows.select("file", "line", found.alias("found")).rows()]


def quoted(column: str) -> pl.Expr:
    return pl.col(column).fill_null("").map_elements(shown, return_dtype=pl.String)


def duplicates(frame: pl.DataFrame, key: list[str], what: str) -> list[Fault]:
    """A fault at the second and every later row with the same key."""
    if frame.select(key).is_unique().all():
        return []
    again = ~pl.struct(key).is_first_distinct()
    return faults_where(frame, again, pl.format("a second " + what + " for question {}", quoted("question")), "one only")


def check_responses(frame: pl.DataFrame, task: str) -> list[Fault]:
    """Faults of one file's responses: (run, question, rank, candidate) unique, numbers in range."""
    faults = duplicates(frame, tables.RESPONSES_KEY if task == "validation" else tables.RESPONSES_KEY[:3], "response")
    unsafe = ~pl.col("run").str.contains(SAFE_NAME) | pl.col("run").is_in(RESERVED if task == "validation" else [])
    faults += faults_where(
        frame.unique("run", keep="first", maintain_order=True),
        unsafe.fill_null(True),
        pl.format("the run name {}", quoted("run")),
        "a name that can be a file name" + (f", and not {' or '.join(RESERVED)}" if task == "validation" else ""),
    )
    out_of_range = ~pl.col("confidence").is_between(0, 1)  # NaN is not between
    faults += faults_where(
        frame, out_of_range, pl.format("the confidence {}", "confidence"), "a number from 0 to 1"
    )
    faults += faults_where(frame, ~pl.col("score").is_finite(), pl.format("the score {}", "score"), "a finite number")
    for name in ("rank", "position"):
        faults += faults_where(frame, pl.col(name) < 1, pl.format("the " + name + " {}", name), "1 or more")
    if (frame["rank"] > 1).any():  # the verdict is that of rank 1: without one, the others would go unseen
        no_first = (pl.col("rank").min().over("run", "question") > 1) & pl.struct("run", "question").is_first_distinct()
        found = pl.format("no answer of rank 1 to question {}", quoted("question"))
        faults += faults_where(frame, no_first, found, "ranks from 1")
    if task == "validation":
        decisions = ["VALIDATED", "SELECTED", "REJECTED"]
        unknown = pl.col("answered") & ~pl.col("answer").is_in(decisions)
        faults += faults_where(frame, unknown, pl.format("the decision {}", quoted("answer")), f"one of {', '.join(decisions)}")
    return faults


def check_judgments(frame: pl.DataFrame, labels: list[str]) -> list[Fault]:
    """Faults of one file's judgments: labels known, no two for the same answer that differ."""
    unknown = ~pl.col("label").is_in(labels)
    faults = faults_where(frame, unknown, pl.format("the label {}", quoted("label")), f"one of {', '.join(labels)}")
    bad_name = ~pl.col("assessor").str.contains(SAFE_NAME)
    names = frame.unique("assessor", keep="first", maintain_order=True)
    faults += faults_where(
        names, bad_name.fill_null(True), pl.format("the assessor {}", quoted("assessor")), "a name that can be a file name"
    )
    return faults


def contradictions(frame: pl.DataFrame) -> list[Fault]:
    """Two judgments of one assessor for the same answer that differ, in one file or in two."""
    key = tables.JUDGMENTS_KEY
    if frame.select(key).is_unique().all():
        return []
    differs = (pl.col("label") != pl.col("label").first().over(key)).fill_null(False)
    found = pl.format("the label {} for an answer that has another on an earlier line", quoted("label"))
    return faults_where(frame, differs, found, "one judgment for an answer and assessor")


def check_graded(frame: pl.DataFrame, task: str) -> list[Fault]:
    faults = check_responses(tables.complete(frame, tables.RESPONSES | {"file": pl.String, "line": pl.Int64}).unique(
        tables.RESPONSES_KEY, keep="first", maintain_order=True).with_columns(answered=pl.lit(False)), task)
    return faults + duplicates(frame, tables.GRADED_KEY, "verdict")


def read_questions(options: dict) -> tuple[pl.DataFrame, list[Fault]]:
    """The question set from its file, sorted."""
    from nonresponse.formats.tabular import read_questions

    frame, faults = read_files(
        [options["file"]],
        lambda file: read_questions(file, options),
        tables.QUESTIONS,
        lambda rows: duplicates(rows, tables.QUESTIONS_KEY, "line"),
    )
    return frame.select(*tables.QUESTIONS).unique("question", keep="first").sort("question"), faults


def tidy(frame: pl.DataFrame) -> pl.DataFrame:
    """Responses as the other stages read them: no answer where none was given, sorted by the key."""
    given = pl.col("answered") & ~pl.col("nil")
    return frame.with_columns(
        answer=pl.when(given).then(pl.col("answer")),
        document=pl.when(given | ~pl.col("answered")).then(pl.col("document")),
    ).sort(tables.RESPONSES_KEY)


def runs_of(frame: pl.DataFrame) -> pl.DataFrame:
    """Each run and the file it came from, for the check between files."""
    return frame.group_by("run", "file").agg(pl.len().alias("responses"), pl.col("line").min()).sort("run", "file")
