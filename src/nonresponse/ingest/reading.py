"""Reads files of any format into one table, and collects all faults."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from nonresponse import formats, tables, tasks
from nonresponse.faults import MAX_FAULTS, Fault, limit_faults
from nonresponse.formats import Reader, row_choice
from nonresponse.formats.text import get_stem
from nonresponse.ingest import refusals, weighted
from nonresponse.ingest import row_checks as checks
from nonresponse.ingest.batches import read_batches
from nonresponse.ingest.names import rename_runs
from nonresponse.ingest.readers import get_reader
from nonresponse.ingest.row_checks import (
    Check,
    find_duplicates,
    find_faults,
    format_quoted,
    is_increasing,
    require,
)
from nonresponse.settings import Files

# Columns beside those of a table: a run's name before `names:` changed it, and how many rows
# `duplicates:` dropped in favour of this one
EXTRA: dict[str, Any] = {"original": pl.String, "dropped": pl.UInt32}
# The texts that graded responses may come with
TEXTS = {name: kind for name, kind in tables.TEXTS.items() if name not in tables.TEXTS_KEY}


def read_responses(
    files: list[str], options: Files, task: str
) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """Return tables.RESPONSES, with DECIDED if there are rules; `list_runs` of them; all faults."""
    record, has_rules = tasks.get(task), formats.has_text_rules(options)
    key, columns = list(record.key), tables.RESPONSES | (refusals.TEXT if has_rules else {})
    # Read as a year, or without outer blanks
    columns |= {"answer": pl.String} if record.references else {}
    # Hypotheses of equal confidence stay in the order of their file.
    file_key = [] if record.weighted else key
    reader = get_reader("runs", options)
    rows, faults = read_files(files, reader, options, columns, "run", file_key)
    if record.pairs:
        rows = rows.with_columns(pl.col("candidate").fill_null(""))
    rows = row_choice.drop_duplicates(
        rows, key, row_choice.RESPONSES.content, row_choice.choose_duplicates(options)
    )
    rows = refusals.rule_responses(rows, options) if has_rules else rows
    if record.references:
        rows, answer_faults = normalise_answers(weighted.nullify_blanks(rows), task)
        faults += answer_faults
    if record.weighted:
        rows, rank_faults = weighted.rank_hypotheses(rows)
        faults += rank_faults
    is_sorted = is_increasing(rows, key)  # then nothing occurs twice
    remark = "" if record.weighted else row_choice.suggest_option(options)
    faults += [] if is_sorted else find_duplicates(rows, key, "response", remark)
    faults += checks.check_responses(rows, task)
    has_answer = pl.col("answered") & ~pl.col("nil")
    # Lazily: else Polars copies the chunks that the files' rows are in
    responses = rows.lazy().with_columns(
        answer=pl.when(has_answer).then(pl.col("answer")),
        document=pl.when(has_answer | ~pl.col("answered")).then(pl.col("document")),
    )
    decided = {name: pl.String for name in refusals.DECIDED if has_rules}
    table = tables.cast_types(responses, tables.RESPONSES | decided)
    return table if is_sorted else sort_rows(table, key), list_runs(rows), faults


def normalise_answers(rows: pl.DataFrame, task: str) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the rows with answers in one spelling, as plain years; and faults."""
    rows = rows.with_columns(pl.col("answer").str.strip_chars())
    return weighted.parse_years(rows) if tasks.get(task).years else (rows, [])


def read_judgments(
    files: list[str], options: Files, labels: list[str], task: str
) -> tuple[pl.DataFrame, list[Fault]]:
    """Return tables.JUDGMENTS, each once, with columns of EXTRA; and all faults."""
    record, key = tasks.get(task), tables.JUDGMENTS_KEY
    columns = tables.JUDGMENTS | ({"answer": pl.String} if record.references else {})
    rows, faults = read_files(files, get_reader("judgments", options), options, columns, "assessor")
    # Columns of the file that a judgment of the task does not have are ignored.
    ignored = ["document", "run"] if record.pairs or record.references else []
    ignored += ["answer"] * record.pairs
    rows = rows.with_columns(
        *(pl.lit(None, pl.String).alias(name) for name in ignored),
        candidate=pl.col("candidate").fill_null("") if record.pairs else pl.lit(""),
    )
    if record.references:
        rows, answer_faults = normalise_answers(rows, task)
        faults += answer_faults + weighted.check_references(rows)
    rows = row_choice.drop_duplicates(rows, key, ["label"], row_choice.choose_duplicates(options))
    remark = f"; `labels: {{…: {labels[0]}}}` in config.yaml renames one" if labels else ""
    is_own = options.get("format") == "tabular"
    faults += checks.check_judgments(rows, labels, remark if is_own else "")
    faults += [] if record.pairs or record.references else checks.check_filled(rows)
    if "dropped" in rows.columns:
        rows = rows.with_columns(pl.col("dropped").sum().over(key))
    extra = {name: kind for name, kind in EXTRA.items() if name in rows.columns}
    table = sort_rows(tables.cast_types(rows, tables.JUDGMENTS | extra), key)
    if not is_increasing(table, key):  # else nothing occurs twice
        table = table.unique(key, keep="first", maintain_order=True)
        remark = "" if record.references else row_choice.suggest_option(options)
        faults += checks.find_contradictions(rows, remark)
    return table, faults


class Graded(NamedTuple):
    """Graded responses, their runs, texts, what logs state, and all faults."""

    table: pl.DataFrame
    runs: pl.DataFrame
    texts: pl.DataFrame
    accounts: pl.DataFrame
    faults: list[Fault]


def read_graded(files: list[str], options: Files, task: str) -> Graded:
    """Read the files of graded responses."""
    has_rules, accounts = formats.has_text_rules(options), [tables.make_empty(tables.IMPORTS)]
    columns = tables.GRADED | (refusals.ANSWER if has_rules else {})
    reader = get_reader("graded", options, task, accounts)
    rows, faults = read_files(files, reader, options, columns, "run", extra=EXTRA | TEXTS)
    rows = rows.with_columns(pl.col("candidate").fill_null(""))
    rows = row_choice.drop_duplicates(
        rows, tables.GRADED_KEY, row_choice.GRADES.content, row_choice.choose_duplicates(options)
    )
    rows = refusals.rule_grades(rows, options) if has_rules else rows
    faults += checks.check_graded(rows, task, row_choice.suggest_option(options))
    names = (*tables.GRADED, *(refusals.DECIDED if has_rules else ()))
    table = sort_rows(rows.select(names), tables.GRADED_KEY)
    account = rename_runs(pl.concat(accounts), options.get("names", {}))
    account = account.drop("original", strict=False)
    return Graded(table, list_runs(rows), select_texts(rows), account, faults)


def select_texts(rows: pl.DataFrame) -> pl.DataFrame:
    """Return tables.TEXTS of graded responses that have any text, each once."""
    has_text = [pl.col(name).is_not_null() for name in TEXTS if name in rows.columns]
    rows = rows.lazy().filter(pl.any_horizontal(has_text or pl.lit(False))).collect()
    texts = tables.complete(rows, tables.TEXTS)
    texts = texts.unique(tables.TEXTS_KEY, keep="first", maintain_order=True)
    return sort_rows(texts, tables.TEXTS_KEY)


def read_questions(options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Return tables.QUESTIONS from the question file, and all faults."""
    reader = formats.get_reader(options.get("format", "tabular")).read_questions
    run = {"run": pl.String} if "run" in options.get("columns", {}) else {}
    key = [*tables.QUESTIONS_KEY, *run]
    rows, faults = read_files([options["file"]], reader, options, tables.QUESTIONS | run)
    faults += find_faults(rows, [require(name) for name in key])
    faults += find_duplicates(rows, key, "line")
    if run:
        for name in [name for name in tables.QUESTIONS if name not in (*key, "runs")]:
            differs = pl.col(name).ne_missing(pl.col(name).first().over("question"))
            found = f"another {name} of question {{}} than on its first line"
            expected = "the same on all lines of a question"
            check = Check(differs, format_quoted(found, "question"), expected)
            faults += find_faults(rows, [check])
        rows = rows.with_columns(
            runs=pl.col("run").unique().sort().implode().over("question", mapping_strategy="join")
        )
    return rows.select(*tables.QUESTIONS).unique("question", keep="first").sort("question"), faults


def list_judged_questions(judgments: pl.DataFrame) -> pl.DataFrame:
    """Return tables.QUESTIONS of the questions that judgments mention."""
    questions = judgments.select(pl.col("question").unique().sort())
    return tables.complete(questions, tables.QUESTIONS)


def add_format_columns(questions: pl.DataFrame, format: str) -> pl.DataFrame:
    """Return the questions with the clusters and categories that their names have in a format.

    Values from the question file are kept.
    """
    record = formats.FORMATS[format]
    for column, pattern in (("cluster", record.cluster), ("category", record.category)):
        if pattern:
            value = pl.col("question").cast(pl.String).str.extract(pattern)
            questions = questions.with_columns(pl.col(column).fill_null(value))
    return questions


def read_files(
    files: list[str],
    reader: Reader,
    options: Files,
    columns: dict,
    stem_column: str = "",
    key: Sequence[str] = (),
    extra: dict = EXTRA,
) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the rows of all files: `columns`, `file`, `line`, and those of `extra` that any file
    has, with runs renamed by `names:`; the reader's faults.

    `stem_column` is set to the file's stem if the reader leaves it out. Rows of each file are
    sorted by `key`. What can be, is done once for all rows: a small cost per file adds up over
    thousands of files.
    """
    frames, faults = [], []
    names = [name for name, kind in columns.items() if kind == tables.NAME]
    for rows, file_faults in read_batches(files, reader, options):
        faults += file_faults
        faults = faults if len(faults) < 2 * MAX_FAULTS else limit_faults(faults)
        if rows.width:
            file = ["file"] if rows["file"].min() != rows["file"].max() else []
            frames.append(sort_rows(encode_names(rows, names), [*file, *key]))
    if not frames:
        return tables.make_empty(columns | {"file": pl.Enum(files), "line": pl.Int64}), faults
    if stem_column:
        stems = pl.Series(stem_column, map(get_stem, files), tables.NAME)
        frames = [
            rows if stem_column in rows.columns else rows.with_columns(stems.gather(rows["file"]))
            for rows in frames
        ]
    rows = rename_runs(pl.concat(frames, how="diagonal_relaxed"), options.get("names", {}))
    extra = {name: kind for name, kind in extra.items() if name in rows.columns}
    rows = tables.complete(rows, extra | columns | {"file": pl.UInt32, "line": pl.Int64})
    defaults = {name: value for name, value in tables.DEFAULTS.items() if name in columns}
    complete = rows.lazy().with_columns(
        pl.col("file").cat.to(pl.Enum(files)),
        *(pl.col(name).fill_null(value) for name, value in defaults.items()),
    )
    return complete.collect(), faults


def encode_names(frame: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """Return the frame with these columns, if present, as tables.NAME."""
    return frame.with_columns(
        pl.col(name).cast(tables.NAME) for name in names if name in frame.columns
    )


def sort_rows(frame: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the rows sorted by those columns of the key that they have."""
    key = [name for name in key if name in frame.columns]
    if not key or (is_increasing(frame, key) if len(key) > 1 else frame[key[0]].is_sorted()):
        return frame
    columns = [pl.col(name) for name in key]
    for index, name in enumerate(key):
        if frame.schema[name] == tables.NAME:
            # As Enum, names are sorted by their numbers, which takes a tenth of the time.
            names = frame[name].unique().drop_nulls().cast(pl.String).sort()
            columns[index] = columns[index].cast(pl.Enum(names))
    return frame.sort(columns, maintain_order=True)


def count_dropped(rows: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Return a row per key: how many rows `duplicates:` dropped."""
    number = pl.col("dropped") if "dropped" in rows.columns else pl.lit(0, pl.UInt32)
    return rows.group_by(key).agg(number.sum().alias("dropped"))


def list_runs(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a row per run, original name and file: responses, first line and `dropped`."""
    names = [name for name in ("run", "original", "file") if name in frame.columns]
    dropped = pl.col("dropped").sum() if "dropped" in frame.columns else pl.lit(0, pl.UInt32)
    counts = {"responses": pl.len(), "line": pl.col("line").min(), "dropped": dropped}
    runs = tables.spell(frame.group_by(names).agg(**counts))
    original = pl.col("original" if "original" in names else "run")
    runs = runs.select("run", original.alias("original"), pl.col("file").cast(pl.String), *counts)
    return encode_names(runs.sort("run", "original", "file"), ["run"])
