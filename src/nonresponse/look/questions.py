"""Tables of questions: whether each has an answer, what it is about; and the campaigns that they belong to."""

import polars as pl

from nonresponse import formats
from nonresponse.faults import shown
from nonresponse.formats.roles import NO_ANSWER, called, parts
from nonresponse.formats.tabular import YES_OR_NO
from nonresponse.look import QUESTIONS, Source, beside
from nonresponse.wording import plural

YES = [word for word, yes in YES_OR_NO.items() if yes]  # what may stand in has_answer
ABSTENTION = ("abstention", "abs")  # words in names of columns about questions, or about responses
TOLD = {
    "cluster": "whether questions with the same {} go together (`cluster:`)",
    "options": "whether {} is how many options a question of multiple choice has (`options:`)",
}


def answerable(frame: pl.DataFrame, names: list[str], question: str) -> dict[str, str]:
    """`has_answer` or `unanswerable` with the column that says it of questions; empty if there is none."""
    has = called(names, "has_answer")
    if has and yes_or_no(frame[has]):
        return {"has_answer": has}
    own = [name for name in names if is_none(parts(name)) and not beside.is_predicted(parts(name))]
    own += [name for name in names if {*parts(name)} & {*ABSTENTION} and follows_ids(frame, name, question)]
    return next(({"unanswerable": name} for name in own if yes_or_no(frame[name])), {})


def unanswerable(frame: pl.DataFrame, asked: dict[str, str]) -> pl.Series:
    """Whether the column of `answerable` says that a question has no answer, by row."""
    for ours, name in asked.items():
        said = frame[name].str.to_lowercase().str.strip_suffix(".0")
        has = said.replace_strict(YES_OR_NO, default=None, return_dtype=pl.Boolean)
        return (has if ours == "unanswerable" else ~has).fill_null(False)
    return pl.Series([False])


def is_none(words: list[str]) -> bool:
    """Whether these words of a column's name mean that a question has no answer: should_abstain, is_impossible."""
    asks = {*words} & {"should", "problem"} and any(word.startswith(("abst", "refus", "declin")) for word in words)
    return bool(asks or {*words} & {"unanswerable", "impossible"})


def follows_ids(frame: pl.DataFrame, name: str, question: str) -> bool:
    """Whether a column is yes for exactly the questions whose ids end in the mark for no answer."""
    yes = frame[name].str.to_lowercase().str.strip_suffix(".0").is_in(YES).fill_null(False)
    none = frame[question].str.ends_with(NO_ANSWER).fill_null(False)
    return bool(none.any()) and (yes == none).all()


def yes_or_no(values: pl.Series) -> bool:
    """Whether a column has yes and no only, apart from empty fields, and is not all empty."""
    said = values.drop_nulls().str.to_lowercase().str.strip_suffix(".0")
    return bool(len(said)) and said.is_in([*YES_OR_NO]).all()


def of_table(path: str, frame: pl.DataFrame, question: str, names: list[str]) -> Source | None:
    """The source of a table with each question once and at least one property of it; null for any other table."""
    known = {"has_answer": answerable(frame, names, question).get("has_answer"), "category": called(names, "category")}
    columns = {ours: theirs for ours, theirs in known.items() if theirs}
    others = {ours: name for ours in TOLD if (name := called(names, ours))}
    if frame[question].null_count() or not frame[question].is_unique().all() or not {**columns, **others}:
        return None
    told = ", ".join(shown(name) for name in {**columns, **others}.values())
    changed = {ours: theirs for ours, theirs in ({"question": question} | columns).items() if ours != theirs}
    undecided = tuple(TOLD[ours].format(shown(name)) for ours, name in others.items())
    why = f"it has each question once, and {told} of it"
    return Source(path, QUESTIONS, {"columns": changed} if changed else {}, why, undecided)


def fitting(campaign: dict, rows: pl.DataFrame, tables: list[tuple[Source, set[str]]]) -> Source | None:
    """The first table with all questions of a campaign; null if there is none, or the campaign's log lists them."""
    own = campaign.get("graded", {})
    log = formats.LOGS.get(own["format"]) if "format" in own else None
    if "question" not in rows.columns or (log and log.questions):
        return None
    asked = set(rows["question"])
    for table, questions in tables:
        if asked <= questions:
            more = plural(len(questions - asked), "question")
            here = "it was not" if own else "it was"
            what = f"whether every run was asked {more} of {table.path} that nobody answered: here {here} (`missing:`)"
            return table._replace(undecided=(*table.undecided, what)) if asked < questions else table
    return None
