"""`format: tabular`: the user's columns, mapped onto ours (docs/tables.md)."""

from pathlib import Path

import polars as pl

from nonresponse import formats
from nonresponse.faults import Fault, quote
from nonresponse.formats import numbers, own_columns, records, row_choice, words
from nonresponse.formats.counts import REST
from nonresponse.formats.grades import (
    by_gold_answer,
    by_several,
    by_state,
    by_verdict,
    is_among,
    normalised,
)
from nonresponse.formats.json_records import LIST_MARK, ColumnRequest, parse_texts
from nonresponse.formats.own_columns import pivoted
from nonresponse.formats.text import Faults, bound_fields
from nonresponse.formats.words import YES_OR_NO
from nonresponse.settings import Files
from nonresponse.tables import OFFICIAL

# Names of columns that are no systems, in small letters with _ between words.
NO_SYSTEMS = """
    question question_id question_text qid query query_id item item_id example example_id problem
    problem_id sample_id doc_id id uid index instance_id task_id case_id prompt input run system
    model model_name gold gold_answer target reference reference_answer correct_answer expected
    expected_answer ground_truth key solution truth confidence probability category subject topic
    domain has_answer answerable is_impossible cluster document passage context options choices
    label assessor annotator judge explanation rationale reasoning type difficulty language split
    source notes comment epoch rank position candidate score answer answers correct verdict
"""
LARGEST = 1000  # options that a question may have
WHOLE, REAL = ("epoch", "rank", "position"), ("confidence", "score")
NUMBERS = dict.fromkeys(WHOLE, numbers.parse_wholes) | dict.fromkeys(REAL, numbers.parse_reals)
RUN_COLUMNS = ["run", "question", "candidate", "answer", "document", *NUMBERS]
# Of graded responses, whether a question has an answer, or none
OF_QUESTIONS = ("has_answer", "unanswerable")
# Of graded responses, texts that are carried along to be read
FOR_PEOPLE = ("asked", "target", "explanation")
# Our columns whose names often mean something else: only if `columns` names them
BY_MAPPING = ("state", "error")
JUDGMENT_COLUMNS = ["assessor", "run", "question", "candidate", "document", "answer", "label"]


def mapped(
    file: str | Path,
    options: Files,
    ours: list[str],
    required: list[str],
    wide: bool = False,
    compared: bool = True,
) -> tuple[pl.DataFrame, Faults]:
    """Return the records under our column names, systems of `wide` files as "run <name>"; a missing
    column is a fault.

    Answers that are `compared` with others have to be one text each.
    """
    mapping = own_columns.named(options)
    if options.get("ignore") == REST:
        options = options | {"ignore": []}
        ours = [name for name in ours if name in {*mapping, *required, "verdict", "answer"}]
    # A column that the mapping uses as the verdict is not also the score just by its name, nor an
    # answer a label.
    words = {column for name, column in mapping.items() if name not in NUMBERS}
    by_name = {name for name in ours if name not in words or name not in (*NUMBERS, "label")}
    theirs = {name: mapping.get(name, name) for name in ours if name in mapping or name in by_name}
    frame, faults = table_of(file, options, mapping, theirs, wide, compared)
    if not frame.columns:
        return frame, faults
    ignored = [] if wide else options.get("ignore", [])
    if lost := [name for name in ignored if name not in frame.columns]:
        faults.add_missing(lost, frame.columns, "a column for each of `ignore`")
    own_columns.check_parts(frame, file, mapping, faults)
    frame = own_columns.with_patterns(frame, file, mapping)
    # What is ignored is none of ours, but may be a part of a pattern
    frame = frame.drop(ignored, strict=False)
    for name in ours:
        if name not in required and name not in mapping:
            continue
        if lacking := own_columns.absent(theirs[name], frame):
            is_line = "line" in lacking
            reason = ", and not `line`: that is ours, the place in the file" if is_line else ""
            faults.add_missing(lacking, frame.columns, f"a column for {name}{reason}")
    there = {*frame.columns} - {"line"}
    present = {name: column for name, column in theirs.items() if column in there}
    numeric = {name: column for name, column in present.items() if name in NUMBERS}
    systems = systems_of(options, frame.drop("line"), theirs, faults) if wide else []
    rows = frame.select(
        "line",
        *[pl.col(column).alias(name) for name, column in present.items() if name not in NUMBERS],
        *[NUMBERS[name](frame[column]).alias(name) for name, column in numeric.items()],
        *[pl.col(name).alias(f"run {name}") for name in systems],
    )
    if records.get_kind(file, options) not in records.SEPARATORS:  # of these, the text is looked at
        faults += records.find_nuls(file, rows)
    for name, column in numeric.items():
        if rows[name].null_count() != frame[column].null_count():
            unread = frame.filter(rows[name].is_null() & pl.col(column).is_not_null())
            faults.add_rows(unread, f"the {name} {{}}", "a number", column)
    return filled(rows, required, options, faults), faults


def table_of(
    file: str | Path,
    options: Files,
    mapping: dict[str, str],
    theirs: dict[str, str],
    wide: bool,
    compared: bool,
) -> tuple[pl.DataFrame, Faults]:
    """Return the records of a file under its own column names, pivoted where the options say so."""
    answers = {theirs[name] for name in ("answer", "gold") if name in theirs and compared}
    claimed = own_columns.claimed(theirs.values())
    taken = claimed.union(options.get("ignore", [])) - answers

    def single(column: str) -> bool:
        """Return whether a column has answers that are compared, in a wide file all systems."""
        systems = options.get("systems", {column} - taken) if wide and "gold" in options else ()
        return column in answers or column in systems

    paths = own_columns.paths_in([*mapping.values(), *options.get("systems", [])])
    reals = {theirs[name] for name in NUMBERS if name in theirs}
    pivot = options.get("pivot", {})
    needed = [*theirs.values(), *mapping.values(), *pivot, *pivot.values()]
    accepted = [
        theirs[name]
        for name in ("gold", *["answer"] * options.get("closed", False))
        if name in theirs
    ]
    kept = None if wide else own_columns.wanted(needed)
    asked = ColumnRequest(paths, reals, single, accepted, kept)
    frame, faults = records.read_table(file, options, asked)
    if pivot and frame.columns and not faults:
        frame = pivoted(frame, pivot, claimed, faults, bound_fields(file, options))
    return frame, faults


def filled(rows: pl.DataFrame, required: list[str], options: Files, faults: Faults) -> pl.DataFrame:
    """Return the rows with a value in all required columns; others are faults, or dropped."""
    if "" in (*options.get("unanswered", []), *options.get("nil", [])):
        # An empty gold answer, or answer of a key: there is none
        golds = [name for name in ("gold", "answer") if name in required and name in rows.columns]
        rows = rows.with_columns(pl.col(golds).fill_null(""))
    for name in required:
        if name not in rows.columns or not rows[name].has_nulls():
            continue
        none, found, expected = pl.col(name).is_null(), f"no {name}", f"a {name} on every line"
        lacking = rows.filter(none)
        if name == "question" and options.get("empty_questions") == "drop":
            # Drop them, but not all rows of a run; without a column for runs, all rows are of one
            # run
            named = rows if "run" in rows.columns else rows.with_columns(run=pl.lit(""))
            lacking = named.filter(none.all().over("run"), pl.col("run").is_first_distinct())
            found = "no row of the run with a question"
            expected = "some with one; `empty_questions: drop` drops all others"
        faults.add_rows(lacking, found, expected)
        rows = rows.filter(~none)
    return rows


def by_rows(options: Files) -> bool:
    """Return whether each row is read without regard to its file and to other rows."""
    drops = options.get("empty_questions") == "drop"  # must not drop all rows of a run
    apart = drops or "answer_from" in options or "pivot" in options
    return not apart and not any(map(own_columns.of_files, own_columns.named(options).values()))


def read_runs(file: str | Path, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Read a row per response, whether it failed, is NIL or answered, by the options' words."""
    more = [name for name in BY_MAPPING if name in options.get("columns", {})]
    frame, faults = mapped(file, options, [*RUN_COLUMNS, *more], ["question"])
    needed = "score" if "threshold" in options else "answer"
    if "question" not in frame.columns:
        return pl.DataFrame(), faults
    if needed not in frame.columns:
        expected = "a column for score, to compare with the threshold"
        if needed == "answer":
            or_score = "(or, in validation, for score, and `threshold:` in config.yaml)"
            expected = f"a column for answer {or_score}"
        if needed == "score" or not faults:
            faults.add(1, f"no column for {needed}", expected)
        return pl.DataFrame(), faults
    if "threshold" in options:
        frame = frame.with_columns(answer=decision(pl.col("score"), options["threshold"]))
    if "labels" in options:
        frame = frame.with_columns(pl.col("answer").replace(options["labels"]))
    answer, nil_words = pl.col("answer"), options.get("nil", [])
    broken, unanswered = by_state(frame, options, faults)
    failed = is_among(answer, options.get("failed", [])) | broken
    abstained = is_among(answer, options.get("unanswered", [])) | unanswered
    answered = answer.is_not_null() & ~abstained & ~failed
    candidate = pl.col("candidate") if "candidate" in frame.columns else pl.lit(None, pl.String)
    withheld = is_among(candidate, nil_words) & ~failed
    nil = pl.when(answered).then(is_among(answer, nil_words)).otherwise(withheld)
    frame = frame.with_columns(failed=failed, nil=nil, answered=answered)
    frame = row_choice.responses(file, frame, options, faults)
    if "refusals" in options:
        frame = frame.with_columns(text=pl.col("answer"))
    return normalised(frame, options, "answer", "candidate"), faults


def decision(score: pl.Expr, threshold: float) -> pl.Expr:
    """Return VALIDATED above a threshold, REJECTED below it, null at it."""
    below = pl.when(score < threshold).then(pl.lit("REJECTED"))
    return pl.when(score > threshold).then(pl.lit("VALIDATED")).otherwise(below)


def read_judgments(file: str | Path, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Read a row per judgment; in a key without labels, every answer is right; NIL is ""."""
    key, options = options.get("closed", False), options | {"may_be_empty": True}
    needed = ["question", "answer" if key else "label"]
    frame, faults = mapped(file, options, JUDGMENT_COLUMNS, needed)
    if key and "answer" in frame.columns and has_lists(frame["answer"]):
        each = pl.col("answer").map_elements(parse_texts, pl.List(pl.String))
        frame = frame.with_columns(each).explode("answer").unique(maintain_order=True)
    if "question" not in frame.columns or (not key and "label" not in frame.columns):
        return pl.DataFrame(), faults
    if "label" not in frame.columns:
        frame = frame.with_columns(label=pl.lit("R"))
    if "labels" in options:
        frame = frame.with_columns(pl.col("label").replace(options["labels"]))
    if options.get("nil") and "answer" in frame.columns:
        nil = frame["answer"].is_in(options["nil"]).fill_null(False)
        frame = normalised(frame, options, "answer")
        return frame.with_columns(answer=pl.when(nil).then(pl.lit("")).otherwise("answer")), faults
    return normalised(frame, options, "answer"), faults


def has_lists(values: pl.Series) -> bool:
    """Return whether a column has lists of accepted answers."""
    return bool(values.str.starts_with(LIST_MARK).any())


def read_questions(file: str | Path, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Read the question set, with what else of the questions `columns` names."""
    mapping = options.get("columns", {})
    more = [name for name in ("cluster", "options", "run") if name in mapping]
    ours = ["question", "has_answer", "category", *more]
    frame, faults = mapped(file, options, ours, ["question"])
    if "options" in frame.columns:
        number = numbers.parse_wholes(frame["options"])
        wrong = frame["options"].is_not_null() & ~number.is_between(2, LARGEST).fill_null(False)
        expected = f"a whole number from 2 to {LARGEST:,}"
        faults.add_rows(frame.filter(wrong), "options {}", expected, "options")
        frame = frame.with_columns(options=number)
    if "has_answer" in frame.columns:
        known = yes_or_no(frame, "has_answer", faults)
        frame = frame.with_columns(has_answer=known)
    return frame, faults


def yes_or_no(frame: pl.DataFrame, name: str, faults: Faults) -> pl.Series:
    """Return a column as true and false, null where it is empty; other words are faults."""
    words = frame[name].str.to_lowercase().str.strip_suffix(".0")
    unread = frame.filter(words.is_not_null() & ~words.is_in(list(YES_OR_NO)))
    unread = unread.unique("line", maintain_order=True)
    faults.add_rows(unread, f"{name} {{}}", f"one of {', '.join(YES_OR_NO)}", name)
    return words.replace_strict(YES_OR_NO, default=None, return_dtype=pl.Boolean)


def read_graded(
    file: str | Path, options: Files, task: str = "qa"
) -> tuple[pl.DataFrame, list[Fault]]:
    """Read graded responses, from a long or wide file: a row per response and assessor."""
    wide, ruled = options.get("layout", "long") == "wide", formats.has_text_rules(options)
    assessors = {
        f"assessor {name}": column for name, column in options.get("assessors", {}).items()
    }
    mapping, judged = options.get("columns", {}) | assessors, "verdict"
    if gold := options.get("gold"):
        mapping, judged = mapping | {"gold": gold}, "answer"
    value = list(assessors) or [judged]
    # In a wide file a column called candidate is a system, unless it is mapped.
    ours = [name for name in ("category", "candidate") if not wide or name in mapping]
    required = ["question"] + (["gold"] if gold else [])
    # The answer, besides its verdict
    for_rules = ["answer"] if ruled and not gold else []
    may_be = ("answer", *BY_MAPPING, *OF_QUESTIONS, *FOR_PEOPLE)
    others = [name for name in may_be if name in mapping and name not in for_rules + value]
    ours += required + for_rules + others + ([] if wide else ["run", *NUMBERS, *value])
    options = options | {"columns": mapping}
    frame, faults = mapped(file, options, ours, required, wide, bool(gold) or ruled)
    if not options.get("judged", True) and frame.columns:  # nobody judged: an answer is unscored
        by_answer = "answer" in frame.columns and "state" not in frame.columns
        empty = pl.col("answer").is_null() if by_answer else pl.lit(False)
        frame = frame.with_columns(pl.when(empty).then(pl.lit("unanswered")).alias(judged))
    if not set(required) <= set(frame.columns):
        return pl.DataFrame(), faults
    if wide:
        systems = [name for name in frame.columns if name.startswith("run ")]
        if not systems:
            if not faults:
                faults.add(1, "no column that is a system", "one for each system")
            return pl.DataFrame(), faults
        frame, value = unpivoted(frame, systems, "run", judged), [judged]
    for name in [*for_rules, *value]:
        if name not in frame.columns:
            answers = "a column with the answers, for `refusals`"
            expected = answers if name in for_rules else "a column with the verdict"
            faults.add(1, f"no column for {name}", expected)
            return pl.DataFrame(), faults
    if not frame.height:
        return pl.DataFrame(), faults
    if assessors:
        frame = unpivoted(frame.with_row_index("row"), value, "assessor", "value")
    else:
        frame = frame.rename({judged: "value"}).with_columns(assessor=pl.lit(OFFICIAL))
    frame = frame.with_columns(answer="value") if gold else frame
    if ruled:
        frame = frame.with_columns(pl.col("answer").fill_null(""))
    if options.get("duplicates") == "epochs":
        key = [name for name in ("assessor", "run", "question") if name in frame.columns]
        frame = frame.with_columns(epoch=pl.int_range(pl.len(), dtype=pl.Int64).over(key))
    for name in OF_QUESTIONS:
        if name in frame.columns:
            known = yes_or_no(frame, name, faults)
            has = pl.lit(~known if name == "unanswerable" else known)
            given = pl.when(has).then(pl.lit("given")).when(~has).then(pl.lit(""))
            frame = frame.with_columns(gold=given)
    failed, unanswered = by_state(frame, options, faults)
    states = pl.when("missing").then("verdict").when(failed).then(pl.lit("error"))
    states = states.when(unanswered).then(pl.lit("unanswered"))
    if gold:
        several = has_lists(frame["gold"])
        grades = (by_several if several else by_gold_answer)(frame, options)
    else:
        grades = by_verdict(frame, options, task, faults)
    grades = grades.with_columns(verdict=states.otherwise("verdict"))
    return row_choice.grades(file, grades, options, faults), faults


def unpivoted(frame: pl.DataFrame, columns: list[str], name: str, value: str) -> pl.DataFrame:
    """Return a row for each of these columns, which are called "run a" or "assessor a"."""
    kept = [column for column in frame.columns if column not in columns]
    long = frame.unpivot(columns, index=kept, variable_name=name, value_name=value)
    return long.with_columns(pl.col(name).str.strip_prefix(f"{name} "))


def systems_of(options: Files, frame: pl.DataFrame, theirs: dict, faults: Faults) -> list[str]:
    """Return the columns of a wide file that are systems: all, or those of `systems:`."""
    ignored = options.get("ignore", [])
    keyed = options.get("keyed", [])  # of the names of records
    keyed = [keyed] if isinstance(keyed, str) else keyed
    taken = {"line", *ignored, *keyed, *own_columns.claimed(theirs.values())}
    columns = dict.fromkeys(frame.columns)
    systems = options.get("systems") or [name for name in columns if name not in taken]
    for option, names in (("systems", systems), ("ignore", ignored)):
        for name in names:
            if name not in columns:
                faults.add(1, f"no column {quote(name)}", f"a column for each of `{option}`")
    for name in systems if "systems" not in options else []:
        if words.plain_name(name) in NO_SYSTEMS.split():
            found = f"the column {quote(name)}, whose name is that of something else: no system?"
            expected = "`systems` with those that are, or its name in `ignore` or `columns`"
            faults.add(1, found, expected)
    return [name for name in systems if name in columns]
