"""Read plain tables by documented names. What the names do not say is asked, with the values in
sight."""

import os
from collections.abc import Iterator
from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.detect import BLANK, Choice, flow, names, shapes
from nonresponse.detect.draft import (
    FEW,
    FILE,
    MAX_VALUES,
    MODES,
    PLACE,
    ROLES,
    ROW,
    Draft,
    Table,
    are_flags,
    find_splits,
    is_numeric,
    select_unknown,
)
from nonresponse.detect.names import ALIASES, columns_called
from nonresponse.detect.verdicts import (
    ask_abstention,
    ask_empty_answers,
    ask_failures,
    ask_verdict,
    assessors_choice,
    describe_values,
    read_verdicts,
)
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
    groups: dict[str, Table] = {}
    faults: list[Fault] = []
    for path in paths:
        frame, shape, questions, read_faults = shapes.read(path, settings)
        file_faults, options = Faults(path, read_faults), pivot_by_assessor(settings, frame)
        if options.get("pivot") and not file_faults:
            naming = find_naming_columns(options, frame.columns)
            frame = pivot_metrics(
                frame, options["pivot"], naming, file_faults, bound_fields(path, {})
            )
        faults += file_faults
        if file_faults:
            continue
        place = pl.int_range(1, pl.len() + 1).alias(PLACE)
        frame = frame.with_columns(pl.lit(path).alias(FILE), place)
        is_key = path == os.path.normpath(str(settings.get("key")))
        key = flow([shape, sorted(identifying_columns(frame.columns, options)), is_key])
        table = groups.setdefault(key, Table([], frame.clear(), shape, questions, options))
        table.paths.append(path)
        columns = [name for name in table.frame.columns if name in frame.columns]
        table.frame = pl.concat([table.frame.select(columns), frame.select(columns)])
    tables, answer_names = [*groups.values()], (*ALIASES["gold"], *ALIASES["answer"])
    unjudged = [
        path
        for table in tables
        if columns_called(table.columns, answer_names) or VALUE in table.columns
        for path in table.paths
    ]
    for table in tables:
        table.unjudged = unjudged
    return tables, faults


def identifying_columns(columns: list[str], settings: dict[str, Any]) -> list[str]:
    """Return the columns by which files with them belong to one table."""
    if not columns_called(columns, ALIASES["verdict"]):
        return columns
    names = [name for role in ALIASES for name in columns_called(columns, ALIASES[role])]
    names += [name for key, value in settings.items() for name in named_by(key, value)]
    return [name for name in dict.fromkeys(names) if name in columns]


def find_naming_columns(settings: dict[str, Any], columns: list[str]) -> list[str]:
    """Return the columns that name the run, the question and the epoch of a response."""
    naming: list[str] = []
    for role in ("run", "question", "epoch"):
        patterns = named_by(role, settings.get(role))
        names = [name for text in patterns for name in own_columns.NAME.findall(text) or [text]]
        names = [name for name in names if name in columns]
        naming += names or columns_called(columns, ALIASES[role])[:1]
    return naming


def pivot_by_assessor(settings: dict[str, Any], frame: pl.DataFrame) -> dict[str, Any]:
    """Return what the user says, with a column of assessors as a pivot of the verdicts by it."""
    judge, verdicts = settings.get("assessors"), columns_called(frame.columns, ALIASES["verdict"])
    if "verdict" in settings:
        verdicts = [settings["verdict"]]
    if judge not in frame.columns or len(verdicts) != 1:
        return settings
    assessors = {name: name for name in frame[judge].drop_nulls().unique().sort()}
    pivot = {"pivot": {judge: verdicts[0]}, "assessors": assessors}
    return {key: value for key, value in settings.items() if key != "verdict"} | pivot


def named_by(key: str, value: Any) -> list[str]:
    """Return the columns, or patterns, that an answer of the user names."""
    if key not in (*ROLES, *names.COUNTS, "assessors", "systems") or value in (False, None):
        return []
    columns = [*value.values()] if isinstance(value, dict) else value
    return [str(name) for name in (columns if isinstance(columns, list) else [columns])]


def has_columns(columns: list[str], name: str) -> bool:
    """Return whether columns have a name, or all names in a pattern."""
    parts = own_columns.NAME.findall(name)
    ours = {*columns, *own_columns.PATH_PARTS, own_columns.ROW_NUMBER}
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
    if ask_for_counts(draft):
        return draft
    ask_question(draft)
    ask_run(draft)
    ask_verdict(draft)
    read_verdicts(draft)
    ask_abstention(draft)
    ask_empty_answers(draft)
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
        columns = columns_called(draft.free_columns(), aliases, draft.settings.get("nested", ""))
        if role in ("question", "gold"):  # an id that nobody filled in names nothing
            columns = [name for name in columns if draft.frame[name].is_not_null().any()]
        if not columns or role in user_roles or (role == "verdict" and draft.has_other_verdicts):
            continue
        if role == "verdict":  # letters beside yes and no are answers
            verdicts = {name: draft.list_words(name) for name in columns}
            readable = [
                name for name in columns if select_unknown(verdicts[name]) != verdicts[name]
            ]
            columns = readable or columns
        if len(columns) == 1 or role not in COLUMN_QUESTIONS:
            draft.roles[role] = columns[0]
            continue
        choices = [
            Choice(role, name, describe_values(draft, role, draft.frame[name])) for name in columns
        ]
        choices += [Choice("run", columns, "a run of each combination")] * (role == "run")
        choices += [assessors_choice(columns)] * (role == "verdict")
        draft.ask(role, COLUMN_QUESTIONS[role], *choices, columns=tuple(columns))
    verdict = draft.column("verdict")
    if verdict is not None and "verdict" not in user_roles and not is_numeric(verdict):
        words = select_unknown(draft.list_words(verdict.name))
        if len(words) > FEW:  # texts
            del draft.roles["verdict"]
    # An object of ids, each with its answer, or with a verdict
    if draft.table.columns == [shapes.NAME, VALUE]:
        draft.roles.setdefault("question", shapes.NAME)
        if VALUE not in draft.roles.values():
            draft.roles["answer"] = VALUE
    texts = columns_called(draft.free_columns(), names.TEXTS.split())
    if texts and "asked" not in user_roles:
        draft.roles["asked"] = texts[0]


def add_counts(draft: Draft) -> bool:
    """Return whether a table has counts, a row per run; its options are then complete, or which
    columns are the counts is asked."""
    run, table_columns = draft.run_columns(), draft.table.columns
    if not run:
        return False
    _, columns = split_roles({"run": draft.roles["run"]}, counts=True)
    options = {"format": "tabular", **draft.table.shape, "ignore": "rest"}
    if {*tasks.get("validation").required} <= {*table_columns}:
        draft.part, draft.task = "counts", "validation"
        draft.options = options | {"columns": columns}
        return True
    if "question" in draft.roles or "answer" in draft.roles:
        return False
    is_repeated = draft.count_distinct(run) < draft.frame.height
    candidates = {
        count: [draft.settings[count]]
        if count in draft.settings
        else columns_called(table_columns, aliases)
        for count, aliases in names.COUNTS.items()
    }
    other_columns = [name for name in table_columns if name not in run]
    if not all(candidates[count] for count in NEEDED_COUNTS):
        numeric = [
            name for name in other_columns if is_numeric(draft.frame[name], numbers.parse_wholes)
        ]
        if is_repeated or len(numeric) < len(NEEDED_COUNTS):
            return False
        candidates |= {count: candidates[count] or numeric for count in NEEDED_COUNTS}
    draft.part, draft.questions = "counts", [*draft.table.questions]
    if is_repeated:
        texts = [name for name in other_columns if not is_numeric(draft.frame[name])]
        choices = [Choice("run", [*run, name], f"a run of each {name!r}") for name in texts]
        choices.append(Choice("question", ROW, "each row is a response"))
        draft.ask("run", f"Several rows have the same {join_names(run)}. What is a run?", *choices)
    if draft.asks("run"):
        columns = {"run": BLANK}
    for count, count_columns in candidates.items():
        if len(count_columns) > 1:
            choices = draft.choose(count, count_columns)
            form = "a column; or question=COLUMN, where each row is a response"
            draft.ask(count, f"Which of these columns is {count}?", *choices, form=form)
        if count_columns:
            columns[count] = BLANK if draft.asks(count) else count_columns[0]
    draft.options = options | {"columns": columns}
    return True


def ask_for_counts(draft: Draft) -> bool:
    """Return whether a table has a row for each run and nothing of questions or answers; if so, ask
    which columns are counts, or what names a question."""
    run, columns = draft.run_columns(), ", ".join(NEEDED_COUNTS)
    response_roles = {"question", "answer", "verdict"} & {*draft.roles, *draft.settings}
    if not run or response_roles or not draft.count_distinct(run) == draft.frame.height > 1:
        return False
    text = (
        f"Each row has a different {run[0]!r}, as in a table of results by run. From such a table, "
        f"counts of answers are read ({columns}), no shares and no means. Which columns are these, "
        "or which column names a question?"
    )
    row = Choice("question", ROW, "each row is a question of its own")
    draft.ask("n_ac", text, row, form=f"a column, as are {columns}; or question=COLUMN")
    count_columns = {"run": run[0], **dict.fromkeys(NEEDED_COUNTS, BLANK)}
    draft.part = "counts"
    draft.options = {"format": "tabular", **draft.table.shape, "columns": count_columns}
    return True


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
    texts = pairs.group_by(id.name).agg(pl.col(text.name).n_unique())
    ambiguous = texts.filter(pl.last() > 1)[id.name].sort()
    run = draft.role_columns("run")
    if len(ambiguous):
        text_choice = Choice("question", [id.name, text.name], "each text is a question of its own")
        id_choice = Choice("question", id.name, "it is one question all the same")
        number = plural(len(ambiguous), "name")
        reason = (
            f"{number} in {id.name!r} {'stands' if len(ambiguous) == 1 else 'stand'} for different "
            f"texts in {text.name!r}, such as {quote(ambiguous[0])}."
        )
    elif are_shared(draft, [text.name], run) and not are_shared(draft, [id.name], run):
        text_choice = Choice("question", text.name, "runs are compared on equal texts")
        id_choice = Choice("question", id.name, "no run is compared with another")
        reason = (
            f"No two runs share a value of {id.name!r}, but they share texts in {text.name!r}. "
            "What names a question?"
        )
    else:
        return
    draft.ask("question", reason, text_choice, id_choice, default=text_choice)


def are_shared(draft: Draft, columns: list[str], run: list[str]) -> bool:
    """Return whether runs share values of columns."""
    return draft.count_distinct(columns) < draft.count_distinct([*columns, *run])


def ask_for_names(draft: Draft) -> None:
    """Ask which column names a question, or which level of names in a JSON file; a row may be
    one."""
    keyed = draft.table.shape.get("keyed")
    run, numeric = draft.role_columns("run"), {}
    for name in draft.free_columns():
        values = draft.frame[name].drop_nulls()
        is_measure = is_numeric(values) and not is_numeric(values, numbers.parse_wholes)
        if len(values) and not is_measure and not are_flags(values.unique()[:FEW].to_list()):
            numeric[name] = is_numeric(values)
    different = {name: draft.count_distinct([*run, name]) for name in numeric}
    names_rows = {name: number == draft.frame.height for name, number in different.items()}
    columns = sorted(
        numeric, key=lambda name: (not names_rows[name], numeric[name], -different[name])
    )
    choices = draft.choose("question", columns[:MAX_VALUES])
    choices += row_choices(draft)
    default = next((choice for choice in choices if choice.value == keyed), None)
    counts = [columns_called(draft.table.columns, names.COUNTS[name]) for name in NEEDED_COUNTS]
    levels = []
    if "keyed" not in draft.settings and (isinstance(keyed, list) or (keyed and not draft.roles)):
        levels = [
            Choice("keyed", ["run", "question"], "each outer name is a run"),
            Choice("keyed", ["question", "run"], "each outer name is a question"),
        ]
    elif keyed and all(counts):
        levels = [Choice("run", keyed, "each name is a run, with counts")]
    text = (
        "No column has a documented name of a question (question_id, id, question, …). "
        "Which column names it?"
    )
    default = None if levels else default
    draft.ask("question", text, *levels, *choices, columns=tuple(columns), default=default)


def row_choices(draft: Draft) -> Iterator[Choice]:
    """Yield the choices by which rows name questions: the same in each file, or in one alone."""
    paths, pattern = draft.table.paths, ROW
    if len(paths) > 1:
        pattern = f"{run_by_folder(paths)}/{ROW}"
        if draft.frame.group_by(FILE).len()["len"].n_unique() == 1:
            yield Choice("question", ROW, "the first row of each file is one question, and so on")
    yield Choice("question", pattern, "each row is a question of its own")


def ask_run(draft: Draft) -> None:
    """Ask what the run is where files have the same name in several folders, and each folder has
    several."""
    if "run" in draft.roles or "question" not in draft.roles or draft.settings.get("systems"):
        return
    pattern = run_by_folder(draft.table.paths)
    if pattern in ("{file}", "{folder}"):
        return
    varying = [
        part
        for part in PATH_PARTS
        if len({own_columns.PATH_PARTS[part](path) for path in draft.table.paths}) > 1
    ]
    parts = own_columns.NAME.findall(str(draft.roles["question"]))
    if {*varying} & {*parts}:
        unused = [f"{{{part}}}" for part in varying if part not in parts]
        draft.roles["run"] = "-".join(unused) or "{path}"
        return
    name, choices = draft.role_columns("question")[0], []
    for part in varying:
        task_parts = [task for task in varying if task != part]
        folders = join_names([PATH_PARTS[task] for task in task_parts])
        question = "/".join(f"{{{column}}}" for column in [*task_parts, name])
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
    """Ask what several rows of one response are, and what rows without a question are."""
    if "question" not in draft.roles:
        return
    key = draft.naming_columns()
    has_none = pl.any_horizontal(pl.col(draft.role_columns("question")).is_null())
    rows = draft.frame.filter(~has_none)
    nameless = draft.frame.height - rows.height
    if nameless and rows.height:
        drop = Choice("empty_questions", "drop", "leave them out")
        text = f"What are {plural(nameless, 'row')} without a question?"
        draft.ask("empty_questions", text, drop, default=drop)
    else:
        rows = draft.frame
    is_decided = "duplicates" in draft.settings or isinstance(draft.settings.get("assessors"), str)
    number = count_distinct(rows, key) if nameless else draft.count_distinct(key)
    if is_decided or number == rows.height:
        return
    repeated = rows.filter(pl.struct(key).is_duplicated())
    responses, ways = count_distinct(repeated, key), [*ways_to_distinguish(draft, rows, key)]
    values = [*draft.verdict_columns(), *draft.role_columns("answer")]
    default = None
    if values and count_distinct(repeated, [*key, *values]) == responses:
        relation, meanings = "say the same", {"same": "keep one of them"}
        default = None if ways else Choice("duplicates", "same", meanings["same"])
    else:
        relation = "say different things"
        meanings = {"first": "keep the first row", "last": "keep the last row"}
        if draft.column("verdict") is not None:
            meanings["unscored"] = "nobody knows: they are unscored"
    meanings["epochs"] = "each row is another time that the question was asked"
    choices = [*ways, *(Choice("duplicates", value, means) for value, means in meanings.items())]
    columns = [name for name in key if name != FILE] or [FILE]
    example = repeated.select(pl.col(columns).cast(pl.String).fill_null("")).row(0)
    text = (
        f"{plural(responses, 'response')} with several rows, which {relation}, such as "
        f"{quote(' and '.join(example))}. What are they?"
    )
    draft.ask("duplicates", text, *choices, default=default)


def ways_to_distinguish(draft: Draft, rows: pl.DataFrame, key: list[str]) -> Iterator[Choice]:
    """Yield the choices by which files, a column, or two, distinguish the rows of one response."""
    run, question = draft.run_columns(), draft.role_columns("question")
    if FILE not in key and count_distinct(rows, [*key, FILE]) == rows.height:
        pattern = run_by_folder(draft.table.paths)
        run_of_file = "-".join([*(f"{{{name}}}" for name in run), pattern])
        question_of_file = "/".join([*(f"{{{name}}}" for name in question), pattern])
        yield Choice("run", run_of_file, "each file has runs of its own")
        yield Choice("question", question_of_file, "an id is another question in each file")
    splits = find_splits(draft, rows, key)
    has_verdicts = "verdict" in draft.roles or draft.has_other_verdicts
    for columns in [] if has_verdicts else splits:
        values = [name for name in draft.free_columns() if name not in columns]
        labels = [name for name in values if not select_unknown(draft.list_words(name)[:FEW])]
        if len(columns) == 1 and labels and are_metrics(draft.list_words(columns[0])):
            means = f"each {columns[0]!r} is a column of its own, with values from {labels[0]!r}"
            yield Choice("pivot", {columns[0]: labels[0]}, means)
    run = list(dict.fromkeys([*run, *draft.asked_runs()]))
    for columns in splits[:3]:
        label, run_value = join_names([*map(repr, columns)]), [*run, *columns]
        number = count_distinct(rows, [*columns])
        if count_distinct(rows, [*question, *columns]) == number:  # as an id of responses does
            yield Choice("question", columns[0], f"each {label} is a question of its own")
            continue
        means = f"each {label} is a run of its own"
        yield Choice("run", run_value if len(run_value) > 1 else columns[0], means)
        means = f"an id is another question in each {label}"
        yield Choice("question", [*question, *columns], means)
        if len(columns) > 1:
            continue
        [name] = columns
        if numbers.parse_wholes(rows[name]).null_count() == 0:
            means = f"{label} numbers the times that a question was asked"
            yield Choice("epoch", name, means)
        elif rows[name].n_unique() <= FEW and not draft.has_other_verdicts:
            official = f"then also official=majority, or official={draft.list_words(name)[0]}"
            yield Choice("assessors", name, f"each {label} judged them; {official}")


def are_metrics(words: list[str]) -> bool:
    """Return whether a column with these words may tell which metric another one has."""
    return any(names.is_called(word, role) for word in words for role in ("verdict", "abstained"))


def leave_out_unfit(draft: Draft) -> None:
    """Leave out columns whose values do not fit their roles, with a note."""
    for role in ("confidence", "epoch", "category", "has_answer", "unanswerable", "error"):
        column = None if role in draft.settings else draft.column(role)
        if column is not None and (reason := explain_misfit(draft, role, column)):
            del draft.roles[role]
            draft.notes.append(f"{column.name!r} is left out as {role}: {reason}.")


def explain_misfit(draft: Draft, role: str, column: pl.Series) -> str:
    """Return why the values of a column do not fit its role; empty if they do."""
    values, question = column.drop_nulls(), draft.role_columns("question")
    if role == "confidence":
        shares = numbers.parse_reals(values)
        fits = not shares.has_nulls() and shares.is_between(0, 1).all()
        return "" if fits else "not all values are from 0 to 1"
    if role == "epoch":
        wholes = numbers.parse_wholes(values)
        fits = not wholes.has_nulls() and (wholes >= 0).all()
        return "" if fits else "not all values are whole numbers"
    if role == "error":  # whole numbers may be codes
        is_measured = is_numeric(column) and numbers.parse_wholes(values).has_nulls()
        return "its numbers may measure an error" if is_measured else ""
    if role != "category":
        if draft.settings.get("gold") or draft.settings.get("normalise"):
            return "the gold answers say it"
        if role == "unanswerable" and "has_answer" in draft.roles:
            return f"{draft.roles['has_answer']!r} says it"
        if None in map(names.flag, draft.list_words(column.name)):
            return "not all values are yes or no"
    is_varying = draft.count_distinct([*question, column.name]) > draft.count_distinct(question)
    if question and is_varying:
        return "it is not the same on all rows of a question"
    return ""


def column_options(draft: Draft) -> dict[str, Any]:
    """Return the options `columns`, `run`, `question`, `ignore`, with ??? for what is open."""
    roles = dict(draft.roles)
    gold, verdict = roles.pop("gold", None), roles.pop("verdict", None)
    if verdict and not draft.has_other_verdicts:
        roles["verdict"] = verdict
        if gold and not tasks.get(draft.task).pairs:
            roles["target"] = gold
    for role in ("question", "run", "verdict", "abstained"):
        if draft.asks(role):
            roles[role] = BLANK
    if "abstained" in roles:
        roles["state"] = roles.pop("abstained")
    options, columns = split_roles(roles)
    ignore = {} if "layout" in draft.options else {"ignore": "rest"}
    return options | {"columns": columns} | ignore


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
    """Return the options that the user gives and that nothing else has taken up."""
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
