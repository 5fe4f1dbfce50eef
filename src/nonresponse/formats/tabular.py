"""`format: tabular`: the user's columns, mapped onto ours (docs/tables.md)."""

from collections.abc import Callable
from pathlib import Path

import polars as pl

from nonresponse import formats
from nonresponse.faults import Fault, quote
from nonresponse.formats import numbers, own_columns, records, row_choice
from nonresponse.formats.grades import (
    find_states,
    grade_by_gold_answer,
    grade_by_list,
    grade_by_words,
    is_among,
    normalise,
)
from nonresponse.formats.json_records import LIST_MARK, ColumnRequest, parse_texts
from nonresponse.formats.own_columns import ALL_OTHERS, pivot_metrics
from nonresponse.formats.text import Faults, bound_fields
from nonresponse.formats.words import BOOLEANS
from nonresponse.settings import Files
from nonresponse.tables import OFFICIAL

REALS = ("confidence", "score")
NUMBERS: dict[str, Callable] = dict.fromkeys(("epoch", "rank", "position"), numbers.parse_wholes)
NUMBERS |= dict.fromkeys(REALS, numbers.parse_reals)
RUN_COLUMNS = ["run", "question", "candidate", "answer", "document", *NUMBERS]
# Of graded responses, whether a question has an answer, or none
ANSWERABILITY = ("has_answer", "unanswerable")
# Of graded responses, texts that are carried along to be read
READABLE = ("asked", "target", "explanation")
# Our columns whose names often mean something else: only if `columns` names them
ONLY_MAPPED = ("state", "error")
JUDGMENT_COLUMNS = ["assessor", "run", "question", "candidate", "document", "answer", "label"]


def read_mapped(
    file: str | Path,
    options: Files,
    names: list[str],
    required: list[str],
    compared: bool = True,
) -> tuple[pl.DataFrame, Faults]:
    """Return the records under our column names. A missing column is a fault.

    Systems of wide files are "run <name>". Answers that are `compared` with others have to be one
    text each.
    """
    mapping = own_columns.map_columns(options)
    if options.get("ignore") == ALL_OTHERS:
        options = options | {"ignore": []}
        names = [name for name in names if name in {*mapping, *required, "verdict", "answer"}]
    # A column that is mapped to the verdict is not by its own name the score, nor one a label that
    # is mapped to the answer.
    verdict_columns = {column for name, column in mapping.items() if name not in NUMBERS}
    columns = {
        name: mapping.get(name, name)
        for name in names
        if name in mapping or name not in verdict_columns or name not in (*NUMBERS, "label")
    }
    frame, faults = read_own_table(file, options, columns, compared)
    if not frame.columns:
        return frame, faults
    ignored, systems = options.get("ignore", []), options.get("systems", [])
    systems = systems if options.get("layout") == "wide" else []
    if missing := [name for name in ignored if name not in frame.columns]:
        faults.add_missing(missing, frame.columns, "a column for each of `ignore`")
    frame = own_columns.add_patterns(frame, file, mapping)
    # What is ignored is none of ours, but may be a part of a pattern
    frame = frame.drop(ignored, strict=False)
    for name in [name for name in names if name in required or name in mapping]:
        if missing := own_columns.find_missing(columns[name], frame.columns):
            is_own = options.get("format") == "tabular"
            hint = f"; `columns: {{{name}: …}}` in config.yaml says which" if is_own else ""
            faults.add_missing(missing, frame.columns, f"a column for {name}{hint}")
    available = {*frame.columns} - {"line"}
    present = {name: column for name, column in columns.items() if column in available}
    numeric = {name: column for name, column in present.items() if name in NUMBERS}
    if missing := [name for name in systems if name not in available]:
        faults.add_missing(missing, frame.columns, "a column for each of `systems`")
    rows = frame.select(
        "line",
        *[pl.col(column).alias(name) for name, column in present.items() if name not in NUMBERS],
        *[parse_numbers(name, frame[column], options) for name, column in numeric.items()],
        *[pl.col(name).alias(f"run {name}") for name in systems if name in available],
    )
    if records.get_kind(file, options) not in records.SEPARATORS:  # read_text has found those
        faults += records.find_nuls(file, rows)
    for name, column in numeric.items():
        if rows[name].null_count() != frame[column].null_count():
            unread = frame.filter(rows[name].is_null() & pl.col(column).is_not_null())
            expected = "a number, such as 2 or 0.5" + hint_at_decimals(unread[column])
            faults.add_rows(unread, f"the {name} {{}}", expected, column)
    return require_values(rows, required, options, faults), faults


def parse_numbers(name: str, texts: pl.Series, options: Files) -> pl.Series:
    decimals = [options.get("decimal")] * (name in REALS)
    return NUMBERS[name](texts, *decimals).alias(name)


def hint_at_decimals(texts: pl.Series) -> str:
    """Return which option reads texts that are no plain numbers; "" if none does."""
    marks = numbers.find_decimals(texts)
    return f"; `decimal: {' or '.join(marks)}` reads such as {quote(texts[0], 20)}" if marks else ""


def read_own_table(
    file: str | Path, options: Files, columns: dict[str, str], compared: bool
) -> tuple[pl.DataFrame, Faults]:
    """Return the records of a file under its own column names, pivoted where the options say so."""
    answers = {columns[name] for name in ("answer", "gold") if name in columns and compared}
    accepted = ("gold", "answer") if options.get("closed") else ("gold",)
    pivot, systems = options.get("pivot", {}), options.get("systems", [])
    mapped = own_columns.map_columns(options).values()
    user_columns = [*mapped, *systems, *pivot, *pivot.values()]
    request = ColumnRequest(
        own_columns.list_paths(user_columns),
        {columns[name] for name in NUMBERS if name in columns},
        answers.union(systems if "gold" in options else []),
        [columns[name] for name in accepted if name in columns],
        own_columns.list_names([*columns.values(), *user_columns]),
    )
    frame, faults = records.read_table(file, options, request)
    if pivot and frame.columns and not faults:
        sources, limit = own_columns.list_sources(columns.values()), bound_fields(file, options)
        frame = pivot_metrics(frame, pivot, sources, faults, limit)
    return frame, faults


def require_values(
    rows: pl.DataFrame, required: list[str], options: Files, faults: Faults
) -> pl.DataFrame:
    """Return the rows with a value in all required columns; others are faults, or dropped."""
    if "" in (*options.get("unanswered", []), *options.get("nil", [])):
        # An empty gold answer, or answer of a key: there is none
        golds = [name for name in ("gold", "answer") if name in required and name in rows.columns]
        rows = rows.with_columns(pl.col(golds).fill_null(""))
    for name in required:
        if name not in rows.columns or not rows[name].has_nulls():
            continue
        is_empty, found, expected = pl.col(name).is_null(), f"no {name}", f"a {name} on every line"
        empty = rows.filter(is_empty)
        if name == "question" and options.get("empty_questions") == "drop":
            # Drop them, but not all rows of a run. Without a column for runs there is one.
            runs = rows if "run" in rows.columns else rows.with_columns(run=pl.lit(""))
            empty = runs.filter(is_empty.all().over("run"), pl.col("run").is_first_distinct())
            found = "no row of the run with a question"
            expected = "some with one; `empty_questions: drop` drops all others"
        faults.add_rows(empty, found, expected)
        rows = rows.filter(~is_empty)
    return rows


def reads_rows_alone(options: Files) -> bool:
    """Return whether each row is read without regard to its file and to other rows."""
    if "answer_from" in options or "pivot" in options:
        return False
    if options.get("empty_questions") == "drop":  # which must not drop all rows of a run
        return False
    columns = own_columns.map_columns(options).values()
    names = {name for column in columns for name in own_columns.NAME.findall(column)}
    return names.isdisjoint((*own_columns.PATH_PARTS, own_columns.ROW_NUMBER))


def read_runs(file: str | Path, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Read a row per response, whether it failed, is NIL or answered, by the options' words."""
    mapped_names = [name for name in ONLY_MAPPED if name in options.get("columns", {})]
    frame, faults = read_mapped(file, options, [*RUN_COLUMNS, *mapped_names], ["question"])
    needed = "score" if "threshold" in options else "answer"
    if "question" not in frame.columns:
        return pl.DataFrame(), faults
    if needed not in frame.columns:
        way = ", to compare with the threshold"
        if needed == "answer":
            way = " (or, in validation, for score, and `threshold:` in config.yaml)"
        if needed == "score" or not faults:
            faults.add(1, f"no column for {needed}", f"a column for {needed}{way}")
        return pl.DataFrame(), faults
    if "threshold" in options:
        frame = frame.with_columns(answer=decide(pl.col("score"), options["threshold"]))
    if "labels" in options:
        frame = frame.with_columns(pl.col("answer").replace(options["labels"]))
    answer, nil_words = pl.col("answer"), options.get("nil", [])
    has_error, unanswered = find_states(frame, options, faults)
    failed = is_among(answer, options.get("failed", [])) | has_error
    abstained = is_among(answer, options.get("unanswered", [])) | unanswered
    answered = answer.is_not_null() & ~abstained & ~failed
    candidate = pl.col("candidate") if "candidate" in frame.columns else pl.lit(None, pl.String)
    withheld = is_among(candidate, nil_words) & ~failed
    is_nil = pl.when(answered).then(is_among(answer, nil_words)).otherwise(withheld)
    frame = frame.with_columns(failed=failed, nil=is_nil, answered=answered)
    frame = row_choice.choose_rows(file, frame, options, row_choice.RESPONSES, faults)
    if "refusals" in options:
        frame = frame.with_columns(text=pl.col("answer"))
    return normalise(frame, options, "answer", "candidate"), faults


def decide(score: pl.Expr, threshold: float) -> pl.Expr:
    """Return VALIDATED above a threshold, REJECTED below it, null at it."""
    rejected = pl.when(score < threshold).then(pl.lit("REJECTED"))
    return pl.when(score > threshold).then(pl.lit("VALIDATED")).otherwise(rejected)


def read_judgments(file: str | Path, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Read a row per judgment; in a key without labels, every answer is right; NIL is ""."""
    key, options = options.get("closed", False), options | {"may_be_empty": True}
    needed = ["question", "answer" if key else "label"]
    frame, faults = read_mapped(file, options, JUDGMENT_COLUMNS, needed)
    if key and "answer" in frame.columns and has_lists(frame["answer"]):
        texts = pl.col("answer").map_elements(parse_texts, pl.List(pl.String))
        frame = frame.with_columns(texts).explode("answer").unique(maintain_order=True)
    if "question" not in frame.columns or (not key and "label" not in frame.columns):
        return pl.DataFrame(), faults
    if "label" not in frame.columns:
        frame = frame.with_columns(label=pl.lit("R"))
    if "labels" in options:
        frame = frame.with_columns(pl.col("label").replace(options["labels"]))
    if options.get("nil") and "answer" in frame.columns:
        is_nil = frame["answer"].is_in(options["nil"]).fill_null(False)
        frame = normalise(frame, options, "answer")
        return frame.with_columns(
            answer=pl.when(is_nil).then(pl.lit("")).otherwise("answer")
        ), faults
    return normalise(frame, options, "answer"), faults


def has_lists(values: pl.Series) -> bool:
    return bool(values.str.starts_with(LIST_MARK).any())


def read_questions(file: str | Path, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Read the question set, with what else of the questions `columns` names."""
    mapping = options.get("columns", {})
    mapped_names = [name for name in ("cluster", "run") if name in mapping]
    names = ["question", "has_answer", "category", *mapped_names]
    frame, faults = read_mapped(file, options, names, ["question"])
    if "has_answer" in frame.columns:
        has_answer = parse_booleans(frame, "has_answer", faults)
        frame = frame.with_columns(has_answer=has_answer)
    return frame, faults


def parse_booleans(frame: pl.DataFrame, name: str, faults: Faults) -> pl.Series:
    """Return a column as true and false, null where it is empty; other words are faults."""
    words = frame[name].str.to_lowercase().str.strip_suffix(".0")
    unknown = frame.filter(words.is_not_null() & ~words.is_in([*BOOLEANS]))
    unknown = unknown.unique("line", maintain_order=True)
    faults.add_rows(unknown, f"{name} {{}}", "1 or 0, true or false, yes or no", name)
    return words.replace_strict(BOOLEANS, default=None, return_dtype=pl.Boolean)


def read_graded(
    file: str | Path, options: Files, task: str = "qa"
) -> tuple[pl.DataFrame, list[Fault]]:
    """Read graded responses, of a long or a wide file: a row per response and assessor."""
    wide, ruled = options.get("layout", "long") == "wide", formats.has_text_rules(options)
    assessors = {
        f"assessor {name}": column for name, column in options.get("assessors", {}).items()
    }
    mapping, verdict_column = options.get("columns", {}) | assessors, "verdict"
    if gold := options.get("gold"):
        mapping, verdict_column = mapping | {"gold": gold}, "answer"
    value = list(assessors) or [verdict_column]
    # In a wide file a column called candidate is a system, unless it is mapped.
    names = [name for name in ("category", "candidate") if not wide or name in mapping]
    required = ["question"] + (["gold"] if gold else [])
    # The answer, besides its verdict
    rule_columns = ["answer"] if ruled and not gold else []
    optional = ("answer", *ONLY_MAPPED, *ANSWERABILITY, *READABLE)
    excluded = {*rule_columns, *value}
    mapped_names = [name for name in optional if name in mapping and name not in excluded]
    names += required + rule_columns + mapped_names + ([] if wide else ["run", *NUMBERS, *value])
    options = options | {"columns": mapping}
    frame, faults = read_mapped(file, options, names, required, bool(gold) or ruled)
    if not options.get("judged", True) and frame.columns:  # nobody judged: an answer is unscored
        has_answers = "answer" in frame.columns and "state" not in frame.columns
        empty = pl.col("answer").is_null() if has_answers else pl.lit(False)
        frame = frame.with_columns(pl.when(empty).then(pl.lit("unanswered")).alias(verdict_column))
    if not set(required) <= set(frame.columns):
        return pl.DataFrame(), faults
    if wide:
        systems = [name for name in frame.columns if name.startswith("run ")]
        if not systems:
            return pl.DataFrame(), faults
        frame, value = unpivot(frame, systems, "run", verdict_column), [verdict_column]
    missing = [name for name in [*rule_columns, *value] if name not in frame.columns]
    for name in missing[:1]:
        content = "the answers, for `refusals`" if name in rule_columns else "the verdict"
        faults.add(1, f"no column for {name}", f"a column with {content}")
    if missing or not frame.height:
        return pl.DataFrame(), faults
    if assessors:
        frame = unpivot(frame.with_row_index("row"), value, "assessor", "value")
    else:
        frame = frame.rename({verdict_column: "value"}).with_columns(assessor=pl.lit(OFFICIAL))
    frame = frame.with_columns(answer="value") if gold else frame
    if ruled:
        frame = frame.with_columns(pl.col("answer").fill_null(""))
    if options.get("duplicates") == "epochs":
        key = [name for name in ("assessor", "run", "question") if name in frame.columns]
        frame = frame.with_columns(epoch=pl.int_range(pl.len(), dtype=pl.Int64).over(key))
    for name in ANSWERABILITY:
        if name in frame.columns:
            flags = parse_booleans(frame, name, faults)
            has_answer = pl.lit(~flags if name == "unanswerable" else flags)
            has_gold = pl.when(has_answer).then(pl.lit("given")).when(~has_answer).then(pl.lit(""))
            frame = frame.with_columns(gold=has_gold)
    failed, unanswered = find_states(frame, options, faults)
    states = pl.when("missing").then("verdict").when(failed).then(pl.lit("error"))
    states = states.when(unanswered).then(pl.lit("unanswered"))
    if gold:
        grade = grade_by_list if has_lists(frame["gold"]) else grade_by_gold_answer
        grades = grade(frame, options)
    else:
        grades = grade_by_words(frame, options, task, faults)
    grades = grades.with_columns(verdict=states.otherwise("verdict"))
    return row_choice.choose_rows(file, grades, options, row_choice.GRADES, faults), faults


def unpivot(frame: pl.DataFrame, columns: list[str], name: str, value: str) -> pl.DataFrame:
    """Return a row for each of these columns, which are called "run a" or "assessor a"."""
    index = [column for column in frame.columns if column not in columns]
    long = frame.unpivot(columns, index=index, variable_name=name, value_name=value)
    return long.with_columns(pl.col(name).str.strip_prefix(f"{name} "))
