"""Reads files of any format into one table, and collects all faults."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from nonresponse import formats, tables, tasks
from nonresponse.faults import MAX_FAULTS, Fault, limit_faults
from nonresponse.formats import Read, row_choice
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
    is_increasing,
    quote_column,
    require,
)
from nonresponse.settings import Files

# Columns that readers may add to those of their table: a run's name before `names:` changed it, and
# how many rows `duplicates:` dropped in favour of this one.
EXTRA: dict[str, Any] = {"original": pl.String, "dropped": pl.UInt32}
# The texts that graded responses may come with.
TEXTS = {name: kind for name, kind in tables.TEXTS.items() if name not in tables.TEXTS_KEY}
QUESTION_FACTS = [name for name in tables.QUESTIONS if name not in (*tables.QUESTIONS_KEY, "runs")]


def read_responses(
    files: list[str], options: Files, task: str
) -> tuple[pl.DataFrame, pl.DataFrame, list[Fault]]:
    """Return tables.RESPONSES, with DECIDED if there are rules; `runs_of` them; all faults."""
    record, ruled = tasks.get(task), formats.has_text_rules(options)
    key, columns = list(record.key), tables.RESPONSES | (refusals.TEXT if ruled else {})
    # Read as a year, or without outer blanks
    columns |= {"answer": pl.String} if record.references else {}
    # Hypotheses of equal confidence stay in the order of their file.
    rows, faults = read_files(
        files, get_reader("runs", options), options, columns, "run", () if record.weighted else key
    )
    if record.pairs:
        rows = rows.with_columns(pl.col("candidate").fill_null(""))
    rows = row_choice.once(rows, key, row_choice.RESPONSE, row_choice.wanted(options))
    rows = refusals.rule_responses(rows, options) if ruled else rows
    if record.references:
        rows, wrong = normalise_answers(weighted.nullify_blanks(rows), options)
        faults += wrong
    if record.weighted:
        rows, wrong = weighted.rank_hypotheses(rows)
        faults += wrong
    in_sequence = is_increasing(rows, key)  # then nothing occurs twice
    remark = "" if record.weighted else row_choice.remark(options)
    faults += [] if in_sequence else find_duplicates(rows, key, "response", remark)
    faults += checks.check_responses(rows, task)
    given = pl.col("answered") & ~pl.col("nil")
    # lazily: else Polars copies the chunks that the files' rows are in
    given_only = rows.lazy().with_columns(
        answer=pl.when(given).then(pl.col("answer")),
        document=pl.when(given | ~pl.col("answered")).then(pl.col("document")),
    )
    decided = {name: pl.String for name in refusals.DECIDED if ruled}
    table = tables.typed(given_only, tables.RESPONSES | decided)
    return table if in_sequence else sort_rows(table, key), list_runs(rows), faults


def normalise_answers(rows: pl.DataFrame, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the rows with answers in one spelling, as plain years; and faults."""
    rows = rows.with_columns(pl.col("answer").str.strip_chars())
    return weighted.parse_years(rows, *options["years"]) if "years" in options else (rows, [])


def read_judgments(
    files: list[str], options: Files, labels: list[str], task: str
) -> tuple[pl.DataFrame, list[Fault]]:
    """Return tables.JUDGMENTS, each once, with columns of EXTRA; and all faults."""
    record = tasks.get(task)
    columns = tables.JUDGMENTS | ({"answer": pl.String} if record.references else {})
    rows, faults = read_files(files, get_reader("judgments", options), options, columns, "assessor")
    # The judgment of a pair has no answer, document or run, a reference no document or run: such
    # columns of the file are ignored. Only pairs have a candidate.
    no_part = (
        ["answer", "document", "run"]
        if record.pairs
        else ["document", "run"]
        if record.references
        else []
    )
    candidate = pl.col("candidate").fill_null("") if record.pairs else pl.lit("")
    rows = rows.with_columns(
        *(pl.lit(None, pl.String).alias(name) for name in no_part), candidate=candidate
    )
    if record.references:
        rows, wrong = normalise_answers(rows, options)
        faults += wrong + weighted.check_references(rows)
    rows = row_choice.once(rows, tables.JUDGMENTS_KEY, ["label"], row_choice.wanted(options))
    remark = "" if record.references else row_choice.remark(options)
    faults += checks.check_judgments(rows, labels)
    faults += [] if record.pairs or record.references else checks.check_filled(rows)
    key = tables.JUDGMENTS_KEY
    if "dropped" in rows.columns:
        rows = rows.with_columns(pl.col("dropped").sum().over(key))
    extra = {name: kind for name, kind in EXTRA.items() if name in rows.columns}
    kept = tables.typed(rows, tables.JUDGMENTS | extra)
    kept = sort_rows(kept, key)
    if is_increasing(kept, key):  # then nothing occurs twice
        return kept, faults
    return kept.unique(key, keep="first", maintain_order=True), faults + checks.find_contradictions(
        rows, remark
    )


class Graded(NamedTuple):
    """Graded responses, their runs, texts, what logs state, and all faults."""

    table: pl.DataFrame
    runs: pl.DataFrame
    texts: pl.DataFrame
    accounts: pl.DataFrame
    faults: list[Fault]


def read_graded(files: list[str], options: Files, task: str) -> Graded:
    """Read the files of graded responses."""
    ruled, accounts = formats.has_text_rules(options), [tables.empty(tables.IMPORTS)]
    columns = tables.GRADED | (refusals.ANSWER if ruled else {})
    read, extra = get_reader("graded", options, task, accounts), EXTRA | TEXTS
    rows, faults = read_files(files, read, options, columns, "run", extra=extra)
    rows = rows.with_columns(pl.col("candidate").fill_null(""))
    rows = row_choice.once(rows, tables.GRADED_KEY, row_choice.GRADE, row_choice.wanted(options))
    rows = refusals.rule_grades(rows, options) if ruled else rows
    faults += checks.check_graded(rows, task, row_choice.remark(options))
    kept = (*tables.GRADED, *(refusals.DECIDED if ruled else ()))
    table = sort_rows(rows.select(kept), tables.GRADED_KEY)
    account = rename_runs(pl.concat(accounts), options.get("names", {}))
    account = account.drop("original", strict=False)
    return Graded(table, list_runs(rows), select_texts(rows), account, faults)


def select_texts(rows: pl.DataFrame) -> pl.DataFrame:
    """Return tables.TEXTS of graded responses that have any text, each once."""
    there = [pl.col(name).is_not_null() for name in TEXTS if name in rows.columns]
    with_texts = rows.lazy().filter(pl.any_horizontal(there) if there else pl.lit(False)).collect()
    once = tables.complete(with_texts, tables.TEXTS).unique(
        tables.TEXTS_KEY, keep="first", maintain_order=True
    )
    return sort_rows(once, tables.TEXTS_KEY)


def read_questions(options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Return tables.QUESTIONS from the question file, and all faults."""
    read = formats.get_reader(options.get("format", "tabular")).read_questions
    by_run = {"run": pl.String} if "run" in options.get("columns", {}) else {}
    columns, key = tables.QUESTIONS | by_run, [*tables.QUESTIONS_KEY, *by_run]
    rows, faults = read_files([options["file"]], read, options, columns)
    faults += find_faults(rows, [require(name) for name in key]) + find_duplicates(
        rows, key, "line"
    )
    if by_run:
        for name in QUESTION_FACTS:
            differs = pl.col(name).ne_missing(pl.col(name).first().over("question"))
            found = pl.format(
                f"another {name} of question {{}} than on its first line", quote_column("question")
            )
            faults += find_faults(
                rows, [Check(differs, found, "the same on all lines of a question")]
            )
        rows = rows.with_columns(
            runs=pl.col("run").unique().sort().implode().over("question", mapping_strategy="join")
        )
    return rows.select(*tables.QUESTIONS).unique("question", keep="first").sort("question"), faults


def list_judged_questions(judgments: pl.DataFrame) -> pl.DataFrame:
    """Return tables.QUESTIONS of the questions that judgments mention."""
    asked = judgments.select(pl.col("question").unique().sort())
    return tables.complete(asked, tables.QUESTIONS)


def add_format_columns(asked: pl.DataFrame, judgments: pl.DataFrame, format: str) -> pl.DataFrame:
    """Return the questions with what the format of the judgments tells: clusters and categories,
    from the questions' names, and the number of options to choose from. Values from the question
    file are kept."""
    record = formats.FORMATS[format]
    for column, pattern in (("cluster", record.cluster), ("category", record.category)):
        if pattern:
            asked = asked.with_columns(
                pl.col(column).fill_null(pl.col("question").cast(pl.String).str.extract(pattern))
            )
    if record.choices:
        number = judgments.group_by("question").agg(
            choices=pl.col("answer").n_unique().cast(pl.Int64)
        )
        asked = asked.join(
            number.filter(pl.col("choices") > 1), on="question", how="left", maintain_order="left"
        )
        asked = asked.with_columns(pl.col("options").fill_null(pl.col("choices"))).drop("choices")
    return asked


def read_files(
    files: list[str],
    read: Read,
    options: Files,
    columns: dict,
    named: str = "",
    key: Sequence[str] = (),
    extra: dict = EXTRA,
) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the rows of all files: `columns`, `file`, `line`, and those of `extra` that any file
    has, with runs renamed by `names:`; the reader's faults.

    `named`: the column that is set to the file's stem if the reader leaves it out. `key`: rows of
    each file are sorted by it. A small cost per file adds up over thousands of files: what can be,
    is done once for all rows.
    """
    frames, faults = [], []
    coded = [name for name, kind in columns.items() if kind == tables.NAME]
    for rows, found in read_batches(files, read, options):
        faults += found
        faults = faults if len(faults) < 2 * MAX_FAULTS else limit_faults(faults)
        if rows.width:
            by_file = ["file"] if rows["file"].min() != rows["file"].max() else []
            frames.append(sort_rows(encode_names(rows, coded), [*by_file, *key]))
    if not frames:
        return tables.empty(columns | {"file": pl.Enum(files), "line": pl.Int64}), faults
    if named:
        stems = pl.Series(named, map(get_stem, files), tables.NAME)
        frames = [
            rows if named in rows.columns else rows.with_columns(stems.gather(rows["file"]))
            for rows in frames
        ]
    rows = rename_runs(pl.concat(frames, how="diagonal_relaxed"), options.get("names", {}))
    more = {name: kind for name, kind in extra.items() if name in rows.columns}
    rows = tables.complete(rows, more | columns | {"file": pl.UInt32, "line": pl.Int64})
    defaults = {
        name: pl.col(name).fill_null(value)
        for name, value in tables.DEFAULTS.items()
        if name in columns
    }
    return rows.lazy().with_columns(
        pl.col("file").cat.to(pl.Enum(files)), **defaults
    ).collect(), faults


def encode_names(frame: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """Return the frame with these columns, if present, as tables.NAME."""
    return frame.with_columns(
        pl.col(name).cast(tables.NAME) for name in names if name in frame.columns
    )


def sort_rows(frame: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the rows sorted by those columns of the key that are there, if they are not."""
    key = [name for name in key if name in frame.columns]
    sorted_already = (
        is_increasing(frame, key) if len(key) > 1 else not key or frame[key[0]].is_sorted()
    )
    if sorted_already:
        return frame
    # As Enum, names are sorted by their numbers, which takes a tenth of the time.
    of_names = {
        name: frame[name].unique().drop_nulls().cast(pl.String).sort()
        for name in key
        if frame.schema[name] == tables.NAME
    }
    return frame.sort(
        *(pl.col(name).cast(pl.Enum(of_names[name])) if name in of_names else name for name in key),
        maintain_order=True,
    )


def count_dropped(rows: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Return a row per key: how many rows `duplicates:` dropped."""
    number = pl.col("dropped") if "dropped" in rows.columns else pl.lit(0, pl.UInt32)
    return rows.group_by(key).agg(number.sum().alias("dropped"))


def list_runs(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a row per run, original name and file: responses, first line and `dropped`."""
    names = [name for name in ("run", "original", "file") if name in frame.columns]
    # Most rows are of the same run as the row before, on a later line: only the first of such a
    # stretch is looked at.
    change = pl.any_horizontal(pl.col(name) != pl.col(name).shift(1) for name in names)
    begins = (change | (pl.col("line") < pl.col("line").shift(1))).fill_null(True)
    stretches = frame.lazy().select(*names, "line").with_row_index("row").filter(begins).collect()
    following = pl.col("row").shift(-1, fill_value=frame.height)
    stretches = stretches.with_columns(responses=following - pl.col("row"))
    if "original" not in names:
        stretches = stretches.with_columns(original="run")
    key = ["run", "original", "file"]
    of_files = tables.spelt(stretches).group_by("run", "original", pl.col("file").cast(pl.String))
    runs = of_files.agg(pl.col("responses").sum(), pl.col("line").min()).sort(key)
    if "dropped" not in frame.columns:
        return encode_names(runs, ["run"]).with_columns(dropped=pl.lit(0, pl.UInt32))
    of_rows = tables.spelt(frame.select(*names, "dropped")).with_columns(
        pl.col("file").cast(pl.String), original="original" if "original" in names else "run"
    )
    dropped = count_dropped(of_rows, key)
    return encode_names(runs.join(dropped, on=key, how="left", nulls_equal=True), ["run"])
