"""Read plain tables by documented names. What the names do not say is asked, with the values in
sight."""

import os
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.detect import OPEN, Choice, flow, names, shapes
from nonresponse.detect.draft import (
    FEW,
    FILE,
    MODES,
    ROLES,
    Draft,
    Table,
    distinct,
    is_numeric,
    unknown,
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

WHICH = {
    "run": "Which of these columns is the run?",
    "verdict": "Which of these columns is the verdict?",
    "abstained": "Which of these columns says that a run did not answer?",
}
COUNTED = ("n_ac", "n_aw", "n_u")  # the counts that a table needs
# The names in a path that may be those of runs or of tasks, and what they are called
OF_PATH = {"file": "name of a file", "folder": "folder", "parent": "folder of folders"}
# What the user says beside options of the reader, which are as they are said
PLACED = {*ROLES, *MODES, *shapes.SHAPES, "verdicts", "correct_from", "states"} - {"normalise"}


def read_tables(paths: list[str], settings: dict[str, Any]) -> tuple[list[Table], list[Fault]]:
    """Return tables, and the faults of files that are none.

    A table is made of the files with the same columns. If one has a documented name of a verdict,
    only columns with documented names count, and the table has those that all its files have.
    """
    alike: dict[str, Table] = {}
    faults: list[Fault] = []
    for path in paths:
        frame, shape, questions, read = shapes.read(path, settings)
        wrong, own = Faults(path, read), pivot_by_assessor(settings, frame)
        if "pivot" in own and not wrong:
            kept = naming_responses(own, frame.columns)
            frame = pivoted(frame, own["pivot"], kept, wrong, bound_fields(path, {}))
        faults += wrong
        if wrong:
            continue
        frame = frame.with_columns(pl.lit(path).alias(FILE))
        is_key = path == os.path.normpath(str(settings.get("key")))
        key = flow([shape, sorted(identifying_columns(frame.columns, own)), is_key])
        table = alike.setdefault(key, Table([], frame.clear(), shape, questions, own))
        table.paths.append(path)
        shared = [name for name in table.frame.columns if name in frame.columns]
        table.frame = pl.concat([table.frame.select(shared), frame.select(shared)])
    tables, known = [*alike.values()], (*ALIASES["gold"], *ALIASES["answer"])
    answers = [
        other for other in tables if columns_called(other.columns, known) or VALUE in other.columns
    ]
    for table in tables:
        table.unjudged = [path for other in answers for path in other.paths]
    return tables, faults


def identifying_columns(columns: list[str], settings: dict[str, Any]) -> list[str]:
    """Return the columns by which files with them belong to one table."""
    if not columns_called(columns, ALIASES["verdict"]):
        return columns
    documented = [name for role in ALIASES for name in columns_called(columns, ALIASES[role])]
    named = [name for key, value in settings.items() for name in named_by(key, value)]
    return [*dict.fromkeys([*documented, *(name for name in named if name in columns)])]


def naming_responses(settings: dict[str, Any], columns: list[str]) -> list[str]:
    """Return the columns that name the run, the question and the epoch of a response."""
    found: list[str] = []
    for role in ("run", "question", "epoch"):
        given = named_by(role, settings.get(role))
        parts = [part for name in given for part in own_columns.NAME.findall(name) or [name]]
        found += [name for name in parts if name in columns] or columns_called(
            columns, ALIASES[role]
        )[:1]
    return found


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
    each = {name: name for name in frame[judge].drop_nulls().unique().sort()}
    rest = {key: value for key, value in settings.items() if key != "verdict"}
    return rest | {"pivot": {judge: verdict[0]}, "assessors": each}


def named_by(key: str, value: Any) -> list[str]:
    """Return the columns, or patterns, that an answer of the user names."""
    if key not in (*ROLES, *names.COUNTS, "assessors", "systems") or value in (False, None):
        return []
    several = [*value.values()] if isinstance(value, dict) else value
    return [str(name) for name in (several if isinstance(several, list) else [several])]


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
    if as_counts(draft):
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
    given = {role: draft.settings[role] for role in ROLES if role in draft.settings}
    draft.roles = {role: value for role, value in given.items() if value not in (False, None)}
    for role, aliases in ALIASES.items():
        own = columns_called(draft.free(), aliases, draft.settings.get("nested", ""))
        if role == "question":  # an id that nobody filled in names nothing
            own = [name for name in own if draft.frame[name].is_not_null().any()]
        if not own or role in given or (role == "verdict" and draft.moded):
            continue
        if len(own) == 1 or role not in WHICH:
            draft.roles[role] = own[0]
            continue
        each = [Choice(role, name, describe_values(draft, role, draft.frame[name])) for name in own]
        each += [Choice("run", own, "a run of each combination")] * (role == "run")
        each += [assessors_choice(own)] if role == "verdict" else []
        draft.ask(role, WHICH[role], *each, columns=tuple(own))
    verdict = draft.column("verdict")
    named = verdict is not None and "verdict" not in given and not is_numeric(verdict)
    if verdict is not None and named and len(unknown(draft.words(verdict.name))) > FEW:  # texts
        del draft.roles["verdict"]
    # An object of ids, each with its answer, or with a verdict
    if draft.table.columns == [shapes.NAME, VALUE]:
        draft.roles.setdefault("question", shapes.NAME)
        if VALUE not in draft.roles.values():
            draft.roles["answer"] = VALUE
    if "asked" not in given and (asked := columns_called(draft.free(), tuple(names.TEXTS.split()))):
        draft.roles["asked"] = asked[0]


def as_counts(draft: Draft) -> bool:
    """Return whether a table has counts, a row per run; its options are then complete, or which
    columns are the counts is asked."""
    run, columns = [name for name in draft.parts("run") if name != FILE], draft.table.columns
    if not run:
        return False
    _, named = split_roles({"run": draft.roles["run"]}, counts=True)
    repeated = draft.distinct(run) < draft.frame.height
    read = {"format": "tabular", **draft.table.shape, "ignore": "rest"}
    if {*tasks.get("validation").required} <= {*columns}:
        draft.part, draft.task, draft.options = "counts", "validation", read | {"columns": named}
        return True
    if "question" in draft.roles or "answer" in draft.roles:
        return False
    found = {
        count: [draft.settings[count]]
        if count in draft.settings
        else columns_called(columns, tuple(aliases.split()))
        for count, aliases in names.COUNTS.items()
    }
    if not all(found[count] for count in COUNTED):
        numeric = [name for name in columns if name not in run and is_whole(draft.frame[name])]
        if repeated or len(numeric) < len(COUNTED):
            return False
        found |= {count: found[count] or numeric for count in COUNTED}
    draft.part, draft.questions = "counts", [*draft.table.questions]
    if repeated:
        others = [name for name in columns if name not in run and not is_numeric(draft.frame[name])]
        each = [Choice("run", [*run, name], f"a run of each {name!r}") for name in others]
        each.append(Choice("question", f"{{{own_columns.ROW}}}", "each row is a response"))
        draft.ask("run", f"Several rows have the same {joined(run)}. What is a run?", *each)
    for count in [count for count, own in found.items() if len(own) > 1]:
        each = draft.choose(count, found[count])
        form = "a column; or question=COLUMN, where each row is a response"
        draft.ask(count, f"Which of these columns is {count}?", *each, form=form)
    counts = {count: OPEN if draft.asks(count) else own[0] for count, own in found.items() if own}
    named = {"run": OPEN} if draft.asks("run") else named
    draft.options = read | {"columns": named | counts}
    return True


def is_whole(values: pl.Series) -> bool:
    """Return whether all values of a column are whole numbers."""
    there = values.drop_nulls()
    return bool(len(there)) and numbers.parse_wholes(there).null_count() == 0


def is_by_run(draft: Draft) -> bool:
    """Return whether a table has a row for each run and nothing of questions or answers."""
    run = [name for name in draft.parts("run") if name != FILE]
    of_responses = {"question", "answer", "verdict"} & {*draft.roles, *draft.settings}
    return bool(run) and not of_responses and draft.distinct(run) == draft.frame.height > 1


def ask_for_counts(draft: Draft) -> None:
    """Ask which columns are the counts of a table of results by run, or what names a question."""
    run, columns = draft.parts("run")[0], ", ".join(COUNTED)
    why = (
        f"Each row has a different {run!r}, as in a table of results by run. From such a table, "
        f"counts of answers are read ({columns}), no shares and no means. Which columns are these, "
        "or which column names a question?"
    )
    row = Choice("question", f"{{{own_columns.ROW}}}", "each row is a question of its own")
    draft.ask("n_ac", why, row, form=f"a column, as are {columns}; or question=COLUMN")
    named = {"run": run, **dict.fromkeys(COUNTED, OPEN)}
    draft.part = "counts"
    draft.options = {"format": "tabular", **draft.table.shape, "columns": named}


def ask_question(draft: Draft) -> None:
    """Ask what names a question, where no column is called so, or where one name stands for several
    questions."""
    id, text = draft.column("question"), draft.column("asked")
    if "question" not in draft.roles:
        ask_for_names(draft)
        return
    if id is None or text is None or "question" in draft.settings:
        return
    both = draft.frame.select(id, text).drop_nulls()
    torn = both.group_by(id.name).agg(pl.col(text.name).n_unique()).filter(pl.last() > 1)
    run = draft.parts("run")
    if torn.height:
        first = Choice("question", [id.name, text.name], "each text is a question of its own")
        other = Choice("question", id.name, "it is one question all the same")
        stand = f"{plural(torn.height, 'name')} in {id.name!r} stand{'s' * (torn.height == 1)}"
        example = quote(torn[id.name].sort()[0])
        why = f"{stand} for different texts in {text.name!r}, such as {example}."
    elif are_shared(draft, [text.name], run) and not are_shared(draft, [id.name], run):
        first = Choice("question", text.name, "runs are compared on equal texts")
        other = Choice("question", id.name, "no run is compared with another")
        why = f"No two runs share a value of {id.name!r}, but they share texts in {text.name!r}."
        why += " What names a question?"
    else:
        return
    draft.ask("question", why, first, other, default=first)


def are_shared(draft: Draft, columns: list[str], run: list[str]) -> bool:
    """Return whether runs share values of columns."""
    return draft.distinct(columns) < draft.distinct([*columns, *run])


def ask_for_names(draft: Draft) -> None:
    """Ask which column names a question, or which level of names in a JSON file; a row may be
    one."""
    keyed = draft.table.shape.get("keyed")
    usual = [name for name in draft.free() if draft.frame[name].is_not_null().any()]
    usual.sort(key=lambda name: -draft.frame[name].n_unique())
    each = draft.choose("question", usual[:FEW])
    each.append(Choice("question", f"{{{own_columns.ROW}}}", "each row is a question of its own"))
    default = next((choice for choice in each if choice.value == keyed), None)
    if "keyed" not in draft.settings and (isinstance(keyed, list) or (keyed and not draft.roles)):
        each[:0] = [
            Choice("keyed", ["run", "question"], "each outer name is a run"),
            Choice("keyed", ["question", "run"], "each outer name is a question"),
        ]
        default = None
    elif keyed and all(
        columns_called(draft.table.columns, tuple(names.COUNTS[name].split())) for name in COUNTED
    ):
        each.insert(0, Choice("run", keyed, "each name is a run, with counts"))
        default = None
    why = (
        "No column has a documented name of a question (question_id, id, question, …). "
        "Which column names it?"
    )
    draft.ask("question", why, *each, columns=tuple(usual), default=default)


def ask_run(draft: Draft) -> None:
    """Ask what the run is where files have the same name in several folders, and each folder has
    several."""
    pattern = run_by_folder(draft.table.paths)
    named = "run" in draft.roles or "question" not in draft.roles or draft.settings.get("systems")
    if named or pattern in ("{file}", "{folder}"):
        return
    of_path = {
        word: {own_columns.OF_FILE[word](path) for path in draft.table.paths} for word in OF_PATH
    }
    varying = [word for word, values in of_path.items() if len(values) > 1]
    parts = own_columns.NAME.findall(str(draft.roles["question"]))
    if {*varying} & {*parts}:
        left = [f"{{{word}}}" for word in varying if word not in parts]
        draft.roles["run"] = "-".join(left) or "{path}"
        return
    name, each = draft.parts("question")[0], []
    for word in varying:
        others = [other for other in varying if other != word]
        whose = joined([OF_PATH[other] for other in others])
        by_task = "/".join(f"{{{part}}}" for part in [*others, name])
        means = f"each {OF_PATH[word]} is a run; ids are those of each {whose}"
        each.append(Choice("question", by_task, means))
    each.append(Choice("run", pattern, "each file is a run, and an id is one question in all"))
    draft.ask("run", "Files have the same names in several folders. What is a run?", *each)


def run_by_folder(paths: list[str]) -> str:
    """Return the pattern that names each file by itself: its name, its folder, both, or the
    path."""
    for pattern in ("{file}", "{folder}", "{folder}-{file}"):
        words = own_columns.NAME.findall(pattern)
        named = {tuple(own_columns.OF_FILE[word](path) for word in words) for path in paths}
        if len(named) == len(paths):
            return pattern
    return "{path}"


def ask_repetitions(draft: Draft) -> None:
    """Ask what several rows of one response are, and what rows without a question are."""
    if "question" not in draft.roles:
        return
    key = [name for role in ("run", "question", "candidate", "epoch") for name in draft.parts(role)]
    if draft.asks("question"):  # then by the text, too
        key += draft.parts("asked")
    key = list(dict.fromkeys(key))
    unnamed = pl.any_horizontal(pl.col(draft.parts("question")).is_null())
    without, rows = int(draft.frame.select(unnamed.sum()).item()), draft.frame
    if 0 < without < rows.height:
        drop = Choice("empty_questions", "drop", "leave them out")
        why = f"What are {plural(without, 'row')} without a question?"
        draft.ask("empty_questions", why, drop, default=drop)
        rows = rows.filter(~unnamed)
    answered = "duplicates" in draft.settings or isinstance(draft.settings.get("assessors"), str)
    number = draft.distinct(key) if rows is draft.frame else distinct(rows, key)
    if answered or draft.by_row or number == rows.height:
        return
    again = rows.filter(pl.struct(key).is_duplicated())
    responses, ways = distinct(again, key), [*ways_to_distinguish(draft, rows, key)]
    values = [*draft.judged(), *draft.parts("answer")]
    kept = {"first": "keep the first row", "last": "keep the last row"}
    if draft.column("verdict") is not None:
        kept["unscored"] = "nobody knows: they are unscored"
    differ, default = "say different things", None
    if values and distinct(again, [*key, *values]) == responses:
        kept, differ = {"same": "keep one of them"}, "say the same"
        default = None if ways else Choice("duplicates", "same", kept["same"])
    kept["epochs"] = "each row is another time that the question was asked"
    choices = [*ways, *(Choice("duplicates", value, means) for value, means in kept.items())]
    columns = [name for name in key if name != FILE] or [FILE]
    named = again.select(pl.col(columns).cast(pl.String).fill_null("")).row(0)
    why = (
        f"{plural(responses, 'response')} with several rows, which {differ}, such as "
        f"{quote(' and '.join(named))}. What are they?"
    )
    draft.ask("duplicates", why, *choices, default=default)


def ways_to_distinguish(draft: Draft, rows: pl.DataFrame, key: list[str]) -> Iterator[Choice]:
    """Yield the choices by which files, a column, or two, distinguish the rows of one response."""
    if FILE not in key and distinct(rows, [*key, FILE]) == rows.height:
        by_file, names = run_by_folder(draft.table.paths), {"run": "-", "question": "/"}
        run_of_file, question_of_file = (
            mark.join([*(f"{{{name}}}" for name in draft.parts(role)), by_file])
            for role, mark in names.items()
        )
        yield Choice("run", run_of_file, "each file has runs of its own")
        yield Choice("question", question_of_file, "an id is another question in each file")
    roles = ("verdict", "answer", "gold", "asked", "confidence", "explanation")
    used = {*key, *(name for role in roles for name in draft.parts(role))}
    free = [name for name in draft.table.columns if name not in used]
    may = [name for name in free if 1 < rows[name].n_unique() <= rows.height / 2]
    sets = [[[name] for name in may], [[*two] for two in combinations(may[:FEW], 2)]]
    tells = ([own for own in each if distinct(rows, [*key, *own]) == rows.height] for each in sets)
    found = next(filter(None, tells), [])[:3]
    run = [name for name in draft.parts("run") if name != FILE]
    values = [name for name in draft.free() if not unknown(draft.words(name)[:FEW])]
    if found and not found[0][1:] and "verdict" not in draft.roles and not draft.moded:
        [name] = found[0]
        if values := [other for other in values if other != name]:
            means = f"each {name!r} is a column of its own, with values from {values[0]!r}"
            yield Choice("pivot", {name: values[0]}, means)
    for own in found:
        columns, by_run = " and ".join(map(repr, own)), [*run, *own]
        yield Choice("run", by_run if by_run[1:] else own[0], f"each {columns} is a run of its own")
        by_set = [*draft.parts("question"), *own]
        yield Choice("question", by_set, f"an id is another question in each {columns}")
        if own[1:]:
            continue
        if rows[own[0]].n_unique() <= FEW and not draft.moded:
            official = f"then also official=majority, or official={draft.words(own[0])[0]}"
            yield Choice("assessors", own[0], f"each {columns} judged them; {official}")
        if numbers.parse_wholes(rows[own[0]]).null_count() == 0:
            yield Choice("epoch", own[0], f"{columns} numbers the times that a question was asked")


def leave_out_unfit(draft: Draft) -> None:
    """Leave out columns whose values do not fit their roles, with a note."""
    for role in ("confidence", "epoch", "category", "has_answer", "unanswerable", "error"):
        column = draft.column(role)
        if (
            column is not None
            and role not in draft.settings
            and (why := why_unfit(draft, role, column))
        ):
            del draft.roles[role]
            draft.notes.append(f"{column.name!r} is left out as {role}: {why}.")


def why_unfit(draft: Draft, role: str, column: pl.Series) -> str:
    """Return why the values of a column do not fit its role; empty if they do."""
    there, question = column.drop_nulls(), draft.parts("question")
    if role in ("confidence", "epoch"):
        number = (numbers.parse_reals if role == "confidence" else numbers.parse_wholes)(there)
        most = 1 if role == "confidence" else number.max() or 0
        fits = number.null_count() == 0 and number.is_between(0, most).all()
        return (
            "" if fits else f"not all values are {'from 0 to 1' if most == 1 else 'whole numbers'}"
        )
    if role == "error":  # whole numbers may be codes
        measured = is_numeric(column) and numbers.parse_wholes(there).has_nulls()
        return "its numbers may measure an error" if measured else ""
    if role != "category":
        if draft.settings.get("gold") or draft.settings.get("normalise"):
            return "the gold answers say it"
        if role == "unanswerable" and "has_answer" in draft.roles:
            return f"{draft.roles['has_answer']!r} says it"
        if None in map(names.flag, draft.words(column.name)):
            return "not all values are yes or no"
    several = question and not draft.by_row
    if several and draft.distinct([*question, column.name]) > draft.distinct(question):
        return "it is not the same on all rows of a question"
    return ""


def column_options(draft: Draft) -> dict[str, Any]:
    """Return the options `columns`, `run`, `question`, `ignore`, with ??? for what is open."""
    roles = dict(draft.roles)
    gold, verdict = roles.pop("gold", None), roles.pop("verdict", None)
    if verdict and not draft.moded:
        roles |= {"verdict": verdict}
        roles |= {"target": gold} if gold and not tasks.get(draft.task).pairs else {}
    roles |= {
        role: OPEN for role in ("question", "run", "verdict", "abstained") if draft.asks(role)
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
    placed = PLACED | ({"official"} if "assessors" not in draft.options else set())
    if (
        draft.settings.get("unanswered")
        and "answer" not in draft.roles
        and "gold" not in draft.options
    ):
        placed |= {"unanswered"}
        draft.notes.append("No column has answers that `unanswered` could be among.")
    if isinstance(draft.settings.get("missing"), str):  # of the campaign
        placed |= {"missing"}
    return {
        key: value
        for key, value in draft.settings.items()
        if key not in placed and value is not False
    }
