"""Read plain tables by documented names. What the names do not say is asked, with the values in
sight."""

import os
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.detect import BLANK, Choice, flow, names, shapes
from nonresponse.detect.draft import (
    FEW,
    FILE,
    MODES,
    ROLES,
    Draft,
    Table,
    count_distinct,
    is_numeric,
    select_unknown,
)
from nonresponse.detect.names import ALIASES, columns_called
from nonresponse.detect.verdicts import (
    ask_abstention,
    ask_failures,
    ask_verdict,
    assessors_choice,
    describe_values,
    read_verdicts,
)
from nonresponse.faults import Fault, quote
from nonresponse.formats import numbers, own_columns
from nonresponse.formats.json_records import VALUE
from nonresponse.formats.own_columns import pivoted
from nonresponse.formats.text import Faults, bound_fields
from nonresponse.wording import joined, plural

COLUMN_QUESTIONS = {
    "run": "Which of these columns is the run?",
    "verdict": "Which of these columns is the verdict?",
    "abstained": "Which of these columns says that a run did not answer?",
}
NEEDED_COUNTS = ("n_ac", "n_aw", "n_u")  # the counts that a table needs
# The names in a path that may be those of runs or of tasks, and what they are called
PATH_PARTS = {"file": "name of a file", "folder": "folder", "parent": "folder of folders"}
# What the user says beside options of the reader, which are as they are said
CONSUMED = {*ROLES, *MODES, *shapes.SHAPES, "verdicts", "correct_from", "states"} - {"normalise"}


def read_tables(paths: list[str], settings: dict[str, Any]) -> tuple[list[Table], list[Fault]]:
    """Return tables, and the faults of files that are none.

    A table is made of the files with the same columns. If one has a documented name of a verdict,
    only columns with documented names count, and the table has those that all its files have.
    """
    tables_by_key: dict[str, Table] = {}
    faults: list[Fault] = []
    for path in paths:
        frame, shape, questions, file_faults = shapes.read(path, settings)
        wrong, file_settings = Faults(path, file_faults), pivot_by_assessor(settings, frame)
        if "pivot" in file_settings and not wrong:
            naming = naming_responses(file_settings, frame.columns)
            frame = pivoted(frame, file_settings["pivot"], naming, wrong, bound_fields(path, {}))
        faults += wrong
        if wrong:
            continue
        frame = frame.with_columns(pl.lit(path).alias(FILE))
        is_key = path == os.path.normpath(str(settings.get("key")))
        key = flow([shape, sorted(identifying_columns(frame.columns, file_settings)), is_key])
        table = tables_by_key.setdefault(
            key, Table([], frame.clear(), shape, questions, file_settings)
        )
        table.paths.append(path)
        shared_columns = [name for name in table.frame.columns if name in frame.columns]
        table.frame = pl.concat([table.frame.select(shared_columns), frame.select(shared_columns)])
    tables, answer_names = [*tables_by_key.values()], (*ALIASES["gold"], *ALIASES["answer"])
    answers = [
        candidate
        for candidate in tables
        if columns_called(candidate.columns, answer_names) or VALUE in candidate.columns
    ]
    for table in tables:
        table.unjudged = [path for candidate in answers for path in candidate.paths]
    return tables, faults


def identifying_columns(columns: list[str], settings: dict[str, Any]) -> list[str]:
    """Return the columns by which files with them belong to one table."""
    if not columns_called(columns, ALIASES["verdict"]):
        return columns
    documented = [name for role in ALIASES for name in columns_called(columns, ALIASES[role])]
    named_columns = [name for key, value in settings.items() for name in named_by(key, value)]
    return [*dict.fromkeys([*documented, *(name for name in named_columns if name in columns)])]


def naming_responses(settings: dict[str, Any], columns: list[str]) -> list[str]:
    """Return the columns that name the run, the question and the epoch of a response."""
    columns_found: list[str] = []
    for role in ("run", "question", "epoch"):
        user_columns = named_by(role, settings.get(role))
        parts = [part for name in user_columns for part in own_columns.NAME.findall(name) or [name]]
        columns_found += [name for name in parts if name in columns] or columns_called(
            columns, ALIASES[role]
        )[:1]
    return columns_found


def pivot_by_assessor(settings: dict[str, Any], frame: pl.DataFrame) -> dict[str, Any]:
    """Return what the user says, with a column of assessors as a pivot of the verdicts by it."""
    judge = settings.get("assessors")
    verdict = (
        [settings["verdict"]]
        if "verdict" in settings
        else columns_called(frame.columns, ALIASES["verdict"])
    )
    if judge not in frame.columns or len(verdict) != 1:
        return settings
    assessors = {name: name for name in frame[judge].drop_nulls().unique().sort()}
    other_settings = {key: value for key, value in settings.items() if key != "verdict"}
    return other_settings | {"pivot": {judge: verdict[0]}, "assessors": assessors}


def named_by(key: str, value: Any) -> list[str]:
    """Return the columns, or patterns, that an answer of the user names."""
    if key not in (*ROLES, *names.COUNTS, "assessors", "systems") or value in (False, None):
        return []
    columns = [*value.values()] if isinstance(value, dict) else value
    return [str(name) for name in (columns if isinstance(columns, list) else [columns])]


def has_columns(columns: list[str], name: str) -> bool:
    """Return whether columns have a name, or all names in a pattern."""
    parts = own_columns.NAME.findall(name)
    ours = {*columns, *own_columns.OF_FILE, own_columns.ROW}
    return name in columns or (bool(parts) and {*parts} <= ours)


def make_draft(table: Table) -> Draft:
    """Return what a table is, by its columns' names and by what the user says of these, and what is
    open."""
    settings = {
        key: value
        for key, value in table.settings.items()
        if all(has_columns(table.columns, name) for name in named_by(key, value))
    }
    draft = Draft(table, settings, questions=[*table.questions])
    give_roles(draft)
    if add_counts(draft):
        return draft
    leave_out_unfit(draft)
    if is_by_run(draft):
        ask_for_counts(draft)
        return draft
    ask_question(draft)
    ask_run(draft)
    ask_verdict(draft)
    read_verdicts(draft)
    ask_abstention(draft)
    ask_failures(draft)
    ask_repetitions(draft)
    draft.options = {
        "format": "tabular",
        **table.shape,
        **column_options(draft),
        **draft.options,
        **other_options(draft),
    }
    return draft


def give_roles(draft: Draft) -> None:
    """Give columns their roles: first what the user says, then by documented names."""
    user_roles = {role: draft.settings[role] for role in ROLES if role in draft.settings}
    draft.roles = {role: value for role, value in user_roles.items() if value not in (False, None)}
    for role, aliases in ALIASES.items():
        candidates = columns_called(draft.free_columns(), aliases, draft.settings.get("nested", ""))
        if role == "question":  # an id that nobody filled in names nothing
            candidates = [name for name in candidates if draft.frame[name].is_not_null().any()]
        if not candidates or role in user_roles or (role == "verdict" and draft.has_other_verdicts):
            continue
        if len(candidates) == 1 or role not in COLUMN_QUESTIONS:
            draft.roles[role] = candidates[0]
            continue
        choices = [
            Choice(role, name, describe_values(draft, role, draft.frame[name]))
            for name in candidates
        ]
        choices += [Choice("run", candidates, "a run of each combination")] * (role == "run")
        choices += [assessors_choice(candidates)] if role == "verdict" else []
        draft.ask(role, COLUMN_QUESTIONS[role], *choices, columns=tuple(candidates))
    verdict = draft.column("verdict")
    is_guessed = verdict is not None and "verdict" not in user_roles and not is_numeric(verdict)
    if (
        verdict is not None
        and is_guessed
        and len(select_unknown(draft.list_words(verdict.name))) > FEW
    ):  # texts
        del draft.roles["verdict"]
    # An object of ids, each with its answer, or with a verdict
    if draft.table.columns == [shapes.NAME, VALUE]:
        draft.roles.setdefault("question", shapes.NAME)
        if VALUE not in draft.roles.values():
            draft.roles["answer"] = VALUE
    if "asked" not in user_roles and (
        texts := columns_called(draft.free_columns(), tuple(names.TEXTS.split()))
    ):
        draft.roles["asked"] = texts[0]


def add_counts(draft: Draft) -> bool:
    """Return whether a table has counts, a row per run; its options are then complete, or which
    columns are the counts is asked."""
    run, columns = [name for name in draft.role_columns("run") if name != FILE], draft.table.columns
    if not run:
        return False
    _, columns_of_run = split_roles({"run": draft.roles["run"]}, counts=True)
    repeated = draft.count_distinct(run) < draft.frame.height
    reading = {"format": "tabular", **draft.table.shape, "ignore": "rest"}
    if {*tasks.get("validation").required} <= {*columns}:
        draft.part, draft.task, draft.options = (
            "counts",
            "validation",
            reading | {"columns": columns_of_run},
        )
        return True
    if "question" in draft.roles or "answer" in draft.roles:
        return False
    candidates = {
        count: [draft.settings[count]]
        if count in draft.settings
        else columns_called(columns, tuple(aliases.split()))
        for count, aliases in names.COUNTS.items()
    }
    if not all(candidates[count] for count in NEEDED_COUNTS):
        numeric = [name for name in columns if name not in run and is_whole(draft.frame[name])]
        if repeated or len(numeric) < len(NEEDED_COUNTS):
            return False
        candidates |= {count: candidates[count] or numeric for count in NEEDED_COUNTS}
    draft.part, draft.questions = "counts", [*draft.table.questions]
    if repeated:
        text_columns = [
            name for name in columns if name not in run and not is_numeric(draft.frame[name])
        ]
        choices = [Choice("run", [*run, name], f"a run of each {name!r}") for name in text_columns]
        choices.append(Choice("question", f"{{{own_columns.ROW}}}", "each row is a response"))
        draft.ask("run", f"Several rows have the same {joined(run)}. What is a run?", *choices)
    for count in [count for count, names_of_count in candidates.items() if len(names_of_count) > 1]:
        choices = draft.choose(count, candidates[count])
        form = "a column; or question=COLUMN, where each row is a response"
        draft.ask(count, f"Which of these columns is {count}?", *choices, form=form)
    counts = {
        count: BLANK if draft.asks(count) else names_of_count[0]
        for count, names_of_count in candidates.items()
        if names_of_count
    }
    columns_of_run = {"run": BLANK} if draft.asks("run") else columns_of_run
    draft.options = reading | {"columns": columns_of_run | counts}
    return True


def is_whole(values: pl.Series) -> bool:
    """Return whether all values of a column are whole numbers."""
    present = values.drop_nulls()
    return bool(len(present)) and numbers.parse_wholes(present).null_count() == 0


def is_by_run(draft: Draft) -> bool:
    """Return whether a table has a row for each run and nothing of questions or answers."""
    run = [name for name in draft.role_columns("run") if name != FILE]
    response_roles = {"question", "answer", "verdict"} & {*draft.roles, *draft.settings}
    return bool(run) and not response_roles and draft.count_distinct(run) == draft.frame.height > 1


def ask_for_counts(draft: Draft) -> None:
    """Ask which columns are the counts of a table of results by run, or what names a question."""
    run, columns = draft.role_columns("run")[0], ", ".join(NEEDED_COUNTS)
    text = (
        f"Each row has a different {run!r}, as in a table of results by run. From such a table, "
        f"counts of answers are read ({columns}), no shares and no means. Which columns are these, "
        "or which column names a question?"
    )
    row = Choice("question", f"{{{own_columns.ROW}}}", "each row is a question of its own")
    draft.ask("n_ac", text, row, form=f"a column, as are {columns}; or question=COLUMN")
    count_columns = {"run": run, **dict.fromkeys(NEEDED_COUNTS, BLANK)}
    draft.part = "counts"
    draft.options = {"format": "tabular", **draft.table.shape, "columns": count_columns}


def ask_question(draft: Draft) -> None:
    """Ask what names a question, where no column is called so, or where one name stands for several
    questions."""
    id, text = draft.column("question"), draft.column("asked")
    if "question" not in draft.roles:
        ask_for_names(draft)
        return
    if id is None or text is None or "question" in draft.settings:
        return
    pairs = draft.frame.select(id, text).drop_nulls()
    ambiguous = pairs.group_by(id.name).agg(pl.col(text.name).n_unique()).filter(pl.last() > 1)
    run = draft.role_columns("run")
    if ambiguous.height:
        by_text = Choice("question", [id.name, text.name], "each text is a question of its own")
        by_id = Choice("question", id.name, "it is one question all the same")
        stand = f"{plural(ambiguous.height, 'name')} in {id.name!r} stand{'s' * (ambiguous.height == 1)}"
        example = quote(ambiguous[id.name].sort()[0])
        reason = f"{stand} for different texts in {text.name!r}, such as {example}."
    elif are_shared(draft, [text.name], run) and not are_shared(draft, [id.name], run):
        by_text = Choice("question", text.name, "runs are compared on equal texts")
        by_id = Choice("question", id.name, "no run is compared with another")
        reason = f"No two runs share a value of {id.name!r}, but they share texts in {text.name!r}."
        reason += " What names a question?"
    else:
        return
    draft.ask("question", reason, by_text, by_id, default=by_text)


def are_shared(draft: Draft, columns: list[str], run: list[str]) -> bool:
    """Return whether runs share values of columns."""
    return draft.count_distinct(columns) < draft.count_distinct([*columns, *run])


def ask_for_names(draft: Draft) -> None:
    """Ask which column names a question, or which level of names in a JSON file; a row may be
    one."""
    keyed = draft.table.shape.get("keyed")
    usual = [name for name in draft.free_columns() if draft.frame[name].is_not_null().any()]
    usual.sort(key=lambda name: -draft.frame[name].n_unique())
    choices = draft.choose("question", usual[:FEW])
    choices.append(
        Choice("question", f"{{{own_columns.ROW}}}", "each row is a question of its own")
    )
    default = next((choice for choice in choices if choice.value == keyed), None)
    if "keyed" not in draft.settings and (isinstance(keyed, list) or (keyed and not draft.roles)):
        choices[:0] = [
            Choice("keyed", ["run", "question"], "each outer name is a run"),
            Choice("keyed", ["question", "run"], "each outer name is a question"),
        ]
        default = None
    elif keyed and all(
        columns_called(draft.table.columns, tuple(names.COUNTS[name].split()))
        for name in NEEDED_COUNTS
    ):
        choices.insert(0, Choice("run", keyed, "each name is a run, with counts"))
        default = None
    reason = (
        "No column has a documented name of a question (question_id, id, question, …). "
        "Which column names it?"
    )
    draft.ask("question", reason, *choices, columns=tuple(usual), default=default)


def ask_run(draft: Draft) -> None:
    """Ask what the run is where files have the same name in several folders, and each folder has
    several."""
    pattern = run_by_folder(draft.table.paths)
    is_decided = (
        "run" in draft.roles or "question" not in draft.roles or draft.settings.get("systems")
    )
    if is_decided or pattern in ("{file}", "{folder}"):
        return
    path_values = {
        word: {own_columns.OF_FILE[word](path) for path in draft.table.paths} for word in PATH_PARTS
    }
    varying = [word for word, values in path_values.items() if len(values) > 1]
    parts = own_columns.NAME.findall(str(draft.roles["question"]))
    if {*varying} & {*parts}:
        unused = [f"{{{word}}}" for word in varying if word not in parts]
        draft.roles["run"] = "-".join(unused) or "{path}"
        return
    name, choices = draft.role_columns("question")[0], []
    for word in varying:
        rest = [word2 for word2 in varying if word2 != word]
        parents = joined([PATH_PARTS[word2] for word2 in rest])
        question_pattern = "/".join(f"{{{part}}}" for part in [*rest, name])
        means = f"each {PATH_PARTS[word]} is a run; ids are those of each {parents}"
        choices.append(Choice("question", question_pattern, means))
    choices.append(Choice("run", pattern, "each file is a run, and an id is one question in all"))
    draft.ask("run", "Files have the same names in several folders. What is a run?", *choices)


def run_by_folder(paths: list[str]) -> str:
    """Return the pattern that names each file by itself: its name, its folder, both, or the
    path."""
    for pattern in ("{file}", "{folder}", "{folder}-{file}"):
        words = own_columns.NAME.findall(pattern)
        run_names = {tuple(own_columns.OF_FILE[word](path) for word in words) for path in paths}
        if len(run_names) == len(paths):
            return pattern
    return "{path}"


def ask_repetitions(draft: Draft) -> None:
    """Ask what several rows of one response are, and what rows without a question are."""
    if "question" not in draft.roles:
        return
    key = [
        name
        for role in ("run", "question", "candidate", "epoch")
        for name in draft.role_columns(role)
    ]
    if draft.asks("question"):  # then by the text, too
        key += draft.role_columns("asked")
    key = list(dict.fromkeys(key))
    unnamed = pl.any_horizontal(pl.col(draft.role_columns("question")).is_null())
    nameless, rows = int(draft.frame.select(unnamed.sum()).item()), draft.frame
    if 0 < nameless < rows.height:
        drop = Choice("empty_questions", "drop", "leave them out")
        reason = f"What are {plural(nameless, 'row')} without a question?"
        draft.ask("empty_questions", reason, drop, default=drop)
        rows = rows.filter(~unnamed)
    is_answered = "duplicates" in draft.settings or isinstance(draft.settings.get("assessors"), str)
    number = draft.count_distinct(key) if rows is draft.frame else count_distinct(rows, key)
    if is_answered or draft.has_row_questions or number == rows.height:
        return
    repeated = rows.filter(pl.struct(key).is_duplicated())
    responses, ways = count_distinct(repeated, key), [*ways_to_distinguish(draft, rows, key)]
    values = [*draft.verdict_columns(), *draft.role_columns("answer")]
    meanings = {"first": "keep the first row", "last": "keep the last row"}
    if draft.column("verdict") is not None:
        meanings["unscored"] = "nobody knows: they are unscored"
    differ, default = "say different things", None
    if values and count_distinct(repeated, [*key, *values]) == responses:
        meanings, differ = {"same": "keep one of them"}, "say the same"
        default = None if ways else Choice("duplicates", "same", meanings["same"])
    meanings["epochs"] = "each row is another time that the question was asked"
    choices = [*ways, *(Choice("duplicates", value, means) for value, means in meanings.items())]
    columns = [name for name in key if name != FILE] or [FILE]
    example = repeated.select(pl.col(columns).cast(pl.String).fill_null("")).row(0)
    reason = (
        f"{plural(responses, 'response')} with several rows, which {differ}, such as "
        f"{quote(' and '.join(example))}. What are they?"
    )
    draft.ask("duplicates", reason, *choices, default=default)


def ways_to_distinguish(draft: Draft, rows: pl.DataFrame, key: list[str]) -> Iterator[Choice]:
    """Yield the choices by which files, a column, or two, distinguish the rows of one response."""
    if FILE not in key and count_distinct(rows, [*key, FILE]) == rows.height:
        file_pattern, names = run_by_folder(draft.table.paths), {"run": "-", "question": "/"}
        run_of_file, question_of_file = (
            mark.join([*(f"{{{name}}}" for name in draft.role_columns(role)), file_pattern])
            for role, mark in names.items()
        )
        yield Choice("run", run_of_file, "each file has runs of its own")
        yield Choice("question", question_of_file, "an id is another question in each file")
    roles = ("verdict", "answer", "gold", "asked", "confidence", "explanation")
    fixed = {*key, *(name for role in roles for name in draft.role_columns(role))}
    free = [name for name in draft.table.columns if name not in fixed]
    may = [name for name in free if 1 < rows[name].n_unique() <= rows.height / 2]
    sets = [[[name] for name in may], [[*two] for two in combinations(may[:FEW], 2)]]
    tells = (
        [
            columns2
            for columns2 in column_sets
            if count_distinct(rows, [*key, *columns2]) == rows.height
        ]
        for column_sets in sets
    )
    splits = next(filter(None, tells), [])[:3]
    run = [name for name in draft.role_columns("run") if name != FILE]
    values = [
        name for name in draft.free_columns() if not select_unknown(draft.list_words(name)[:FEW])
    ]
    if (
        splits
        and not splits[0][1:]
        and "verdict" not in draft.roles
        and not draft.has_other_verdicts
    ):
        [name] = splits[0]
        if values := [candidate for candidate in values if candidate != name]:
            means = f"each {name!r} is a column of its own, with values from {values[0]!r}"
            yield Choice("pivot", {name: values[0]}, means)
    for columns2 in splits:
        columns, run_columns = " and ".join(map(repr, columns2)), [*run, *columns2]
        yield Choice(
            "run",
            run_columns if run_columns[1:] else columns2[0],
            f"each {columns} is a run of its own",
        )
        question_columns = [*draft.role_columns("question"), *columns2]
        yield Choice("question", question_columns, f"an id is another question in each {columns}")
        if columns2[1:]:
            continue
        if rows[columns2[0]].n_unique() <= FEW and not draft.has_other_verdicts:
            official = (
                f"then also official=majority, or official={draft.list_words(columns2[0])[0]}"
            )
            yield Choice("assessors", columns2[0], f"each {columns} judged them; {official}")
        if numbers.parse_wholes(rows[columns2[0]]).null_count() == 0:
            yield Choice(
                "epoch", columns2[0], f"{columns} numbers the times that a question was asked"
            )


def leave_out_unfit(draft: Draft) -> None:
    """Leave out columns whose values do not fit their roles, with a note."""
    for role in ("confidence", "epoch", "category", "has_answer", "unanswerable", "error"):
        column = draft.column(role)
        if (
            column is not None
            and role not in draft.settings
            and (reason := why_unfit(draft, role, column))
        ):
            del draft.roles[role]
            draft.notes.append(f"{column.name!r} is left out as {role}: {reason}.")


def why_unfit(draft: Draft, role: str, column: pl.Series) -> str:
    """Return why the values of a column do not fit its role; empty if they do."""
    present, question = column.drop_nulls(), draft.role_columns("question")
    if role in ("confidence", "epoch"):
        number = (numbers.parse_reals if role == "confidence" else numbers.parse_wholes)(present)
        upper = 1 if role == "confidence" else number.max() or 0
        fits = number.null_count() == 0 and number.is_between(0, upper).all()
        return (
            "" if fits else f"not all values are {'from 0 to 1' if upper == 1 else 'whole numbers'}"
        )
    if role == "error":  # whole numbers may be codes
        measured = is_numeric(column) and numbers.parse_wholes(present).has_nulls()
        return "its numbers may measure an error" if measured else ""
    if role != "category":
        if draft.settings.get("gold") or draft.settings.get("normalise"):
            return "the gold answers say it"
        if role == "unanswerable" and "has_answer" in draft.roles:
            return f"{draft.roles['has_answer']!r} says it"
        if None in map(names.flag, draft.list_words(column.name)):
            return "not all values are yes or no"
    repeats = question and not draft.has_row_questions
    if repeats and draft.count_distinct([*question, column.name]) > draft.count_distinct(question):
        return "it is not the same on all rows of a question"
    return ""


def column_options(draft: Draft) -> dict[str, Any]:
    """Return the options `columns`, `run`, `question`, `ignore`, with ??? for what is open."""
    roles = dict(draft.roles)
    gold, verdict = roles.pop("gold", None), roles.pop("verdict", None)
    if verdict and not draft.has_other_verdicts:
        roles |= {"verdict": verdict}
        roles |= {"target": gold} if gold and not tasks.get(draft.task).pairs else {}
    roles |= {
        role: BLANK for role in ("question", "run", "verdict", "abstained") if draft.asks(role)
    }
    if "abstained" in roles:
        roles["state"] = roles.pop("abstained")
    options, columns = split_roles(roles)
    return (
        options | {"columns": columns} | ({} if "layout" in draft.options else {"ignore": "rest"})
    )


def split_roles(
    roles: dict[str, Any], counts: bool = False
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return roles as options: several columns, or a pattern, for run and question unless it is a
    table of `counts`; and `columns` for all others."""
    options, columns = {}, {}
    for role in dict.fromkeys(("question", "run", "verdict", "answer", *roles)):
        value = roles.get(role)
        if role == "run" and isinstance(value, list):
            value = "-".join(f"{{{name}}}" for name in value)
        patterned = isinstance(value, list) or own_columns.NAME.search(str(value))
        if role in ("run", "question") and patterned and not counts:
            options[role] = value
        elif value is not None:
            columns[role] = value
    return options, columns


def other_options(draft: Draft) -> dict[str, Any]:
    """Return the options that the user gives and that nothing else has placed."""
    consumed = CONSUMED | ({"official"} if "assessors" not in draft.options else set())
    if (
        draft.settings.get("unanswered")
        and "answer" not in draft.roles
        and "gold" not in draft.options
    ):
        consumed |= {"unanswered"}
        draft.notes.append("No column has answers that `unanswered` could be among.")
    if isinstance(draft.settings.get("missing"), str):  # of the campaign
        consumed |= {"missing"}
    return {
        key: value
        for key, value in draft.settings.items()
        if key not in consumed and value is not False
    }
