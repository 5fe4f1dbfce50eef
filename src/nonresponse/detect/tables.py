"""Read plain tables by documented names. What the names do not say is asked, with the values in
sight."""

import os
from collections.abc import Iterator
from itertools import chain
from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.detect import BLANK, Choice, names, shapes
from nonresponse.detect.draft import (
    FEW,
    FILE,
    MAX_VALUES,
    MODES,
    ROLES,
    ROW,
    ROW_INDEX,
    Draft,
    are_flags,
    is_numeric,
    select_unknown,
)
from nonresponse.detect.logs import is_key
from nonresponse.detect.marks import (
    ask_abstention,
    ask_empty_answers,
    ask_failures,
    describe_states,
    looking_like,
)
from nonresponse.detect.names import ALIASES, columns_called
from nonresponse.detect.verdicts import ask_verdict, assessors_choice, read_verdicts
from nonresponse.faults import Fault, quote
from nonresponse.formats import numbers, own_columns
from nonresponse.formats.json_records import VALUE
from nonresponse.formats.own_columns import pivot_metrics
from nonresponse.formats.text import Faults, bound_fields
from nonresponse.tables import count_distinct
from nonresponse.wording import join_names, plural

COLUMN_QUESTIONS = {
    "run": "Which of these columns is the run?",
    "verdict": "Which of these columns is the verdict?",
    "abstained": "Which of these columns says that a run did not answer?",
}
# What several rows of a response may be, by `duplicates:`
REPETITIONS = {
    "same": "keep one of them",
    "first": "keep the first row",
    "last": "keep the last row",
    "unscored": "nobody knows: they are unscored",
    "epochs": "each row is another time that the question was asked",
}
# What else tells the rows of a response apart
DISTINCTIONS = "or run=, question=, epoch=, assessors=COLUMN, pivot={COLUMN: COLUMN}"
# Names of rows that may sum up the others
SUMMARY = r"(?i)^\W*(total|sum|summary|overall|average|mean|all|summe|gesamt|somme|celkem)\W*$"
NEEDED_COUNTS = ("n_ac", "n_aw", "n_u")  # the counts that a table needs
# The names in a path that may be those of runs or of tasks, and what they are called
PATH_PARTS = {"file": "name of a file", "folder": "folder", "parent": "folder of folders"}
# What the user says beside options of the reader, which are as they are said
CONSUMED = {*ROLES, *MODES, *shapes.SHAPES, "verdicts", "correct_from", "states"} - {"normalise"}


def read_tables(paths: list[str], settings: dict[str, Any]) -> tuple[list[Draft], list[Fault]]:
    """Return tables, and the faults of files that are none.

    Files with the same columns are one table. Where one of the columns is called a verdict, only
    documented columns are compared, and the table has the columns that all of its files have.
    """
    groups: dict[str, Draft] = {}
    frames: dict[str, list[pl.DataFrame]] = {}
    faults: list[Fault] = []
    unjudged: list[str] = []
    for path in paths:
        frame, shape, questions, read_faults = shapes.read(path, settings)
        file_faults, options = Faults(path, read_faults), pivot_by_assessor(settings, frame)
        if options.get("pivot") and not file_faults:
            naming, limit = find_naming_columns(options, frame.columns), bound_fields(path, {})
            frame = pivot_metrics(frame, options["pivot"], naming, file_faults, limit)
        faults += file_faults
        if file_faults:
            continue
        index = pl.int_range(1, pl.len() + 1).alias(ROW_INDEX)
        frame = frame.with_columns(pl.lit(path).alias(FILE), index)
        columns = {*frame.columns}
        if columns_called(frame.columns, ALIASES["verdict"]):
            columns &= {
                *columns_called(frame.columns, chain(*ALIASES.values())),
                *(name for key, value in options.items() for name in named_by(key, value)),
            }
        group = repr([shape, sorted(columns), is_in_key(path, settings)])
        table = Draft([], frame.clear(), shape, questions, options, unjudged)
        groups.setdefault(group, table).paths.append(path)
        frames.setdefault(group, []).append(frame)
    answer_names = (*ALIASES["gold"], *ALIASES["answer"])
    for group, table in groups.items():
        names = [
            name
            for name in frames[group][0].columns
            if all(name in frame.columns for frame in frames[group])
        ]
        table.frame = pl.concat([frame.select(names) for frame in frames[group]])
        has_answers = columns_called(table.columns, answer_names) or VALUE in table.columns
        unjudged += [path for path in table.paths if has_answers or is_key(path)]
    unjudged.sort(key=is_key, reverse=True)
    return [*groups.values()], faults


def is_in_key(path: str, settings: dict[str, Any]) -> bool:
    """Return whether a file is the key that the user names, or in the folder that is."""
    key = os.path.normpath(str(settings.get("key")))
    return path == key or path.startswith(f"{key}/")


def find_naming_columns(settings: dict[str, Any], columns: list[str]) -> list[str]:
    """Return the columns that name the run, the question and the epoch of a response."""
    naming: list[str] = []
    for role in ("run", "question", "epoch"):
        names = own_columns.list_names(named_by(role, settings.get(role)))
        documented = columns_called(columns, ALIASES[role])[:1]
        naming += [name for name in columns if name in names] or documented
    return naming


def pivot_by_assessor(settings: dict[str, Any], frame: pl.DataFrame) -> dict[str, Any]:
    """Return the user's settings; if a column names assessors, with a pivot that makes a column of
    verdicts for each."""
    judge, nested = settings.get("assessors"), settings.get("nested", "")
    verdicts = columns_called(frame.columns, ALIASES["verdict"], nested)
    verdicts = [settings["verdict"]] if "verdict" in settings else verdicts
    if judge not in frame.columns or len(verdicts) != 1:
        return settings
    assessors = {name: name for name in frame[judge].drop_nulls().unique().sort()}
    other_settings = {key: value for key, value in settings.items() if key != "verdict"}
    return other_settings | {"pivot": {judge: verdicts[0]}, "assessors": assessors}


def named_by(key: str, value: Any) -> list[str]:
    """Return the columns, or patterns, that an answer of the user names."""
    if key not in (*ROLES, *names.COUNTS, "assessors", "systems") or value in (False, None):
        return []
    columns = [*value.values()] if isinstance(value, dict) else value
    return [str(name) for name in (columns if isinstance(columns, list) else [columns])]


def complete_draft(draft: Draft) -> None:
    """Find out about a table by the names of its columns and by the user's settings, and ask what
    remains."""
    draft.settings = {
        key: value
        for key, value in draft.settings.items()
        if not any(own_columns.find_missing(name, draft.columns) for name in named_by(key, value))
    }
    give_roles(draft)
    if add_counts(draft):
        return
    leave_out_unfit(draft)
    ask_question(draft)
    if draft.settings.get("empty_questions") == "drop":  # then nothing in these rows is asked
        rows = draft.frame.drop_nulls(draft.role_columns("question"))
        draft.frame, draft.words, draft.numbers = rows, {}, {}
    ask_run(draft)
    ask_verdict(draft)
    read_verdicts(draft)
    ask_abstention(draft)
    ask_empty_answers(draft)
    ask_failures(draft)
    ask_repetitions(draft)
    draft.options = {
        "format": "tabular",
        **draft.shape,
        **column_options(draft),
        **draft.options,
        **other_options(draft),
    }


def give_roles(draft: Draft) -> None:
    """Give columns their roles: those that the user says, then those of documented names.

    A column is a verdict only if it also has documented words, or few enough to ask about.
    """
    user_roles = {role: draft.settings[role] for role in ROLES if role in draft.settings}
    draft.roles = {role: value for role, value in user_roles.items() if value not in (False, None)}
    for role, aliases in ALIASES.items():
        columns = columns_called(draft.free_columns(), aliases, draft.shape.get("nested", ""))
        if role in ("question", "gold"):  # an id that nobody filled in names nothing
            columns = [name for name in columns if draft.frame[name].is_not_null().any()]
        if role == "verdict":
            unknown = {name: select_unknown(draft.list_words(name)) for name in columns}
            columns = [
                name
                for name in columns
                if len(unknown[name]) <= FEW or is_numeric(draft.frame[name])
            ]
            # Letters beside yes and no are answers
            readable = [name for name in columns if unknown[name] != draft.list_words(name)]
            columns = [] if draft.has_other_verdicts else readable or columns
        if not columns or role in user_roles:
            continue
        if len(columns) == 1 or role not in COLUMN_QUESTIONS:
            draft.roles[role] = columns[0]
            continue
        choices = draft.choose(role, columns)
        if role == "abstained":
            choices = [Choice(role, name, describe_states(draft, name)) for name in columns]
        choices += [Choice("run", columns, "a run of each combination")] * (role == "run")
        choices += [assessors_choice(columns)] * (role == "verdict")
        draft.ask(role, COLUMN_QUESTIONS[role], *choices, columns=tuple(columns))
    # An object of ids, each with its answer, or with a verdict
    if draft.columns == [shapes.NAME, VALUE]:
        draft.roles.setdefault("question", shapes.NAME)
        if VALUE not in draft.roles.values():
            draft.roles["answer"] = VALUE
    texts = columns_called(draft.free_columns(), names.TEXTS.split())
    if texts and "asked" not in user_roles:
        draft.roles["asked"] = texts[0]


def add_counts(draft: Draft) -> bool:
    """Return whether the rows of a table are runs with counts, as documented names or the user
    say."""
    run = [name for name in draft.role_columns("run") if name != FILE]
    user_counts = {
        count: draft.settings[count] for count in names.COUNTS if count in draft.settings
    }
    if not run or (not user_counts and {"question", "answer"} & {*draft.roles}):
        return False
    columns = map_columns({"run": draft.roles["run"]})
    options = {"format": "tabular", **draft.shape, "ignore": "rest"}
    if {*tasks.get("validation").required} <= {*draft.columns}:
        draft.part, draft.task = "counts", "validation"
        draft.options = options | {"columns": columns}
        return True
    documented = {
        count: columns_called(draft.columns, aliases) for count, aliases in names.COUNTS.items()
    }
    counts = {count: columns[0] for count, columns in documented.items() if columns} | user_counts
    is_repeated = draft.count_distinct(run) < draft.frame.height
    needed = {"n_ac", "n_u"} if is_repeated else {"n_ac"}
    if not user_counts and not (needed <= {*counts} and {"n_aw", "n"} & {*counts}):
        return False
    columns_of_counts = [name for name in counts.values() if name in draft.columns]
    readings = [draft.read_numbers(draft.frame[name], are_whole) for name in columns_of_counts]
    if not user_counts and not all(map(are_whole, readings)):  # shares, whose n is not known
        return False
    missing = [count for count in NEEDED_COUNTS if count not in counts]
    if missing and "n" in counts:  # one is what the others leave of all questions
        missing.remove("n_aw" if "n_aw" in missing else missing[0])
    draft.part = "counts"
    draft.questions = [asked for asked in draft.questions if asked.key in shapes.SHAPES]
    if is_repeated:
        text = f"Several rows have the same {join_names(run)}. What is a run?"
        form = f"a list of columns; or question={ROW}, if each row is a response"
        draft.ask("run", text, columns=tuple(draft.free_columns()), form=form)
        columns |= {"run": BLANK} if draft.asks("run") else {}
    for count in missing:
        nothing = [Choice(count, False, "no run left a question open")] * (count == "n_u")
        draft.ask(count, f"Which column is {count}?", *nothing, form="a column; or n=COLUMN")
    draft.options |= options | {"columns": columns | counts | dict.fromkeys(missing, BLANK)}
    return True


def ask_question(draft: Draft) -> None:
    """Ask what names a question where no column is called so, or where ids and texts disagree: one
    id has several texts, or runs share texts but no ids."""
    id, text, run = draft.column("question"), draft.column("asked"), draft.role_columns("run")
    if "question" not in draft.roles:
        ask_for_names(draft)
    if id is None or text is None or "question" in draft.settings:
        return
    texts = draft.frame.select(id, text).drop_nulls().unique()
    ambiguous = texts.filter(texts[id.name].is_duplicated())[id.name].unique().sort()
    are_shared, ids_are_shared = (
        draft.count_distinct([name]) < draft.count_distinct([name, *run])
        for name in (text.name, id.name)
    )
    text_choice = Choice("question", text.name, "runs are compared on equal texts")
    id_choice = Choice("question", id.name, "no run is compared with another")
    reason = f"No two runs share a value of {id.name!r}, but they share texts in {text.name!r}."
    if len(ambiguous):
        text_choice = Choice("question", [id.name, text.name], "each text is a question of its own")
        id_choice = Choice("question", id.name, "it is one question all the same")
        number, verb = plural(len(ambiguous), "name"), "stands" if len(ambiguous) == 1 else "stand"
        reason = f"{number} in {id.name!r} {verb} for different texts in {text.name!r}, such as "
        reason += f"{quote(ambiguous[0])}."
    if len(ambiguous) or (are_shared and not ids_are_shared):
        draft.ask("question", f"{reason} What names a question?", text_choice, id_choice)


def ask_for_names(draft: Draft) -> None:
    """Ask which column, or which level of names in JSON, names a question; each row may also be
    one."""
    keyed, run = draft.shape.get("keyed"), draft.role_columns("run")
    free = draft.free_columns()
    columns = [name for name in free if (words := draft.list_words(name)) and not are_flags(words)]
    different = {name: draft.count_distinct([*run, name]) for name in columns}
    # Numbers may be measures
    columns.sort(key=lambda name: (is_numeric(draft.frame[name]), -different[name]))
    choices = [*draft.choose("question", columns[:MAX_VALUES]), *row_choices(draft)]
    default = next((choice for choice in choices if choice.value == keyed), None)
    levels = []
    if "keyed" not in draft.settings and (isinstance(keyed, list) or (keyed and not draft.roles)):
        levels = [
            Choice("keyed", ["run", "question"], "each outer name is a run"),
            Choice("keyed", ["question", "run"], "each outer name is a question"),
        ]
    text = (
        "No column has a documented name of a question (question_id, id, question, …). "
        "Which column names it?"
    )
    form = "a column, or a list of columns; of counts by run: n_ac=, n_aw= or n=, n_u=COLUMN"
    if "run" not in draft.roles and len(draft.paths) == 1:
        form = f"a column; also run=COLUMN where there are several systems; {form[10:]}"
    default = None if levels else default
    all_choices = (*levels, *choices)
    draft.ask("question", text, *all_choices, columns=tuple(columns), default=default, form=form)


def row_choices(draft: Draft) -> Iterator[Choice]:
    """Yield the choices in which rows name questions: the same row of all files is one question, or
    each row is a question of its own."""
    paths, pattern = draft.paths, ROW
    if len(paths) > 1:
        pattern = f"{run_by_folder(paths)}/{ROW}"
        if draft.frame.group_by(FILE).len()["len"].n_unique() == 1:
            yield Choice("question", ROW, "the first row of each file is one question, and so on")
    yield Choice("question", pattern, "each row is a question of its own")


def ask_run(draft: Draft) -> None:
    """Ask what a run is where files of the same names stand in several folders."""
    pattern = run_by_folder(draft.paths)
    is_named = "run" in draft.roles or "question" not in draft.roles
    if is_named or draft.settings.get("systems") or pattern in ("{file}", "{folder}"):
        return
    varying = [
        part
        for part in PATH_PARTS
        if len({own_columns.PATH_PARTS[part](path) for path in draft.paths}) > 1
    ]
    used_parts = {*varying} & {*own_columns.NAME.findall(str(draft.roles["question"]))}
    if used_parts:
        unused = [f"{{{part}}}" for part in varying if part not in used_parts]
        draft.roles["run"] = "-".join(unused) or "{path}"
        return
    name, choices = draft.role_columns("question")[0], []
    for part in varying:
        tasks = [task for task in varying if task != part]
        question = "/".join(f"{{{column}}}" for column in [*tasks, name])
        folders = join_names([PATH_PARTS[task] for task in tasks])
        means = f"each {PATH_PARTS[part]} is a run; ids are those of each {folders}"
        choices.append(Choice("question", question, means))
    choices.append(Choice("run", pattern, "each file is a run, and an id is one question in all"))
    draft.ask("run", "Files have the same names in several folders. What is a run?", *choices)


def run_by_folder(paths: list[str]) -> str:
    """Return the pattern that names each file by itself: its name, its folder, both, or the
    path."""
    for pattern in ("{file}", "{folder}", "{folder}-{file}"):
        words = own_columns.NAME.findall(pattern)
        values = {tuple(own_columns.PATH_PARTS[word](path) for word in words) for path in paths}
        if len(values) == len(paths):
            return pattern
    return "{path}"


def ask_repetitions(draft: Draft) -> None:
    """Ask what it means that a response has several rows, or a row no question."""
    if "question" not in draft.roles:
        return
    key, rows = draft.naming_columns(), draft.frame
    names = [
        draft.frame[name]
        for name in draft.role_columns("question")
        if name not in (FILE, ROW_INDEX)
    ]
    for summary in looking_like(SUMMARY, names):
        draft.notes.append(f"{quote(summary)} counts as a question: leave it out if it is a sum.")
    has_none = pl.any_horizontal(pl.col(draft.role_columns("question")).is_null())
    nameless = rows.filter(has_none).height
    if 0 < nameless < rows.height:
        rows = rows.filter(~has_none)
        drop = Choice("empty_questions", "drop", "leave them out")
        text = f"What are {plural(nameless, 'row')} without a question?"
        draft.ask("empty_questions", text, drop, default=drop)
    is_decided = "duplicates" in draft.settings or isinstance(draft.settings.get("assessors"), str)
    if is_decided or draft.asks("run") or count_distinct(rows, key) == rows.height:
        return
    repeated = rows.filter(pl.struct(key).is_duplicated())
    responses = count_distinct(repeated, key)
    values = [*draft.verdict_columns(), *draft.role_columns("answer")]
    relation, kinds = "say different things", ["first", "last", "unscored", "epochs"]
    if values and count_distinct(repeated, [*key, *values]) == responses:
        relation, kinds = "say the same", ["same", "epochs"]
    elif draft.column("verdict") is None:
        kinds.remove("unscored")
    choices = [Choice("duplicates", kind, REPETITIONS[kind]) for kind in kinds]
    columns = [name for name in key if name != FILE] or [FILE]
    example = repeated.select(pl.col(columns).cast(pl.String).fill_null("")).row(0)
    text = (
        f"{plural(responses, 'response')} with several rows, which {relation}, such as "
        f"{quote(' and '.join(example))}. What are they?"
    )
    are_equal = count_distinct(repeated, [*key, *draft.columns]) == responses
    default = choices[0] if "same" in kinds and are_equal else None
    free, keyed = draft.free_columns(), draft.shape.get("keyed")
    choices += [Choice("run", keyed, "each name of records is a run")] if keyed in free else []
    lengths = draft.frame.group_by(keyed).len()["len"] if isinstance(keyed, str) else pl.Series()
    is_alone = len(draft.unjudged) < 2  # the option is that of all files
    if is_alone and VALUE in draft.columns and lengths.n_unique() == 1:
        choices.append(Choice("by_column", True, "each name is a column, of a system"))
    form = f"{DISTINCTIONS} ({join_names(free[:FEW])})" if free else DISTINCTIONS
    if len(draft.paths) > 1:
        runs = [name for name in draft.role_columns("run") if name != FILE]
        form = f"run={'-'.join(f'{{{name}}}' for name in [*runs, 'file'])}, {form}"
    draft.ask("duplicates", text, *choices, columns=tuple(free), default=default, form=form)


def leave_out_unfit(draft: Draft) -> None:
    """Leave out columns whose values do not fit their roles, with a note."""
    for role in ("confidence", "epoch", "category", "has_answer", "unanswerable", "error"):
        column = draft.column(role)
        reason = "" if column is None else explain_misfit(draft, role, column)
        if column is not None and reason and role not in draft.settings:
            del draft.roles[role]
            draft.notes.append(f"{column.name!r} is left out as {role}: {reason}.")


def explain_misfit(draft: Draft, role: str, column: pl.Series) -> str:
    """Return why the values of a column do not fit its role; empty if they do."""
    values, question = column.drop_nulls(), draft.role_columns("question")
    if role == "confidence":
        shares = draft.read_numbers(values, are_shares)
        return "" if are_shares(shares) else "not all values are from 0 to 1"
    reals, wholes = numbers.parse_reals(values), numbers.parse_wholes(values)
    if role == "epoch":
        is_count = not wholes.has_nulls() and (wholes >= 0).all()
        return "" if is_count else "not all values are whole numbers"
    if role == "error":  # whole numbers may be codes
        is_measured = len(values) and not reals.has_nulls() and wholes.has_nulls()
        return "its numbers may measure an error" if is_measured else ""
    if role != "category" and (draft.settings.get("gold") or draft.settings.get("normalise")):
        return "the gold answers say it"
    if role == "unanswerable" and "has_answer" in draft.roles:
        return f"{draft.roles['has_answer']!r} says it"
    if role != "category" and None in map(names.flag, draft.list_words(column.name)):
        return "not all values are yes or no"
    varies = draft.count_distinct([*question, column.name]) > draft.count_distinct(question)
    return "it is not the same on all rows of a question" if question and varies else ""


def are_whole(reals: pl.Series) -> bool:
    """Return whether all values are whole numbers, as counts are."""
    return bool((reals % 1 == 0).all())


def are_shares(reals: pl.Series) -> bool:
    return not reals.has_nulls() and bool(reals.is_between(0, 1).all())


def column_options(draft: Draft) -> dict[str, Any]:
    """Return the options `columns` and `ignore`, with ??? for what is open."""
    roles = dict(draft.roles)
    gold, verdict = roles.pop("gold", None), roles.pop("verdict", None)
    if verdict and not draft.has_other_verdicts:
        roles["verdict"] = verdict
        if gold and not tasks.get(draft.task).pairs:
            roles["target"] = gold
    asked = ("question", "run", "verdict", "abstained")
    roles |= {role: BLANK for role in asked if draft.asks(role)}
    if "abstained" in roles:
        roles["state"] = roles.pop("abstained")
    return {"columns": map_columns(roles)} | (
        {} if "layout" in draft.options else {"ignore": "rest"}
    )


def map_columns(roles: dict[str, Any]) -> dict[str, str]:
    """Return roles as the option `columns`; of several columns, a pattern."""
    columns: dict[str, str] = {}
    for role in dict.fromkeys(("question", "run", "verdict", "answer", *roles)):
        value = roles.get(role)
        if isinstance(value, list):
            value = ("-" if role == "run" else "/").join(f"{{{name}}}" for name in value)
        columns |= {} if value is None else {role: value}
    return columns


def other_options(draft: Draft) -> dict[str, Any]:
    """Return the user's settings that are options of the reader as they are."""
    settings = draft.settings
    consumed = CONSUMED | ({"official"} if "assessors" not in draft.options else set())
    has_answers = "answer" in draft.roles or "gold" in draft.options
    if settings.get("unanswered") and not has_answers:
        consumed |= {"unanswered"}
        draft.notes.append("No column has answers that `unanswered` could be among.")
    if isinstance(settings.get("missing"), str):  # of the campaign
        consumed |= {"missing"}
    return {
        key: value for key, value in settings.items() if key not in consumed and value is not False
    }
