"""Recognises what a table is by the names and the content of its columns."""

import polars as pl

from nonresponse import formats
from nonresponse.faults import OWN_BLOCK, OWN_VERDICT, Fault, listed, shown
from nonresponse.formats import numbers
from nonresponse.formats.records import SEPARATORS
from nonresponse.formats.roles import called, parts
from nonresponse.formats.text import in_one
from nonresponse.look import (
    QUESTIONS,
    Source,
    beside,
    counted,
    keys,
    qualities,
    questions,
    records_of,
    repetitions,
    shapes,
)
from nonresponse.look.answers import answers
from nonresponse.look.names import in_doubt, is_measured, judging, right_and_given
from nonresponse.look.table import EXPECTED, SHARES, Table, named_by_file, tabular
from nonresponse.look.with_states import failed_judges, with_states
from nonresponse.look.with_verdicts import judged_by_content, labelled, scored, verdicts
from nonresponse.look.words import FEW, half_judged, meanings, state_of, strange, verdict

MOST = 8  # lists in an object are looked at if there are at most this many


def of_table(path: str, told: dict[str, str] | None = None) -> Source | Fault | keys.Open:
    """What the workflow reads a table as, or why it cannot; `told`: keys.VERDICTS or KEY by column, if known."""
    kind = records_of.kind_of(path)
    if kind in SEPARATORS:
        return of_shape(path, shapes.Shape(shapes.of_text(path, kind)), told)
    lists = shapes.lists_in(path) if kind == ".json" else []
    if not lists:
        usual = of_shape(path, shapes.Shape({}), told)
        return usual if kind != ".json" or not isinstance(usual, Fault) else first_of(path, told) or usual
    if len(lists) == 1:
        return of_shape(path, shapes.Shape({"records": lists[0]}), told)
    some = lists if len(lists) <= MOST else []
    read = {one: of_shape(path, shapes.Shape({"records": one}), told) for one in some}
    graded = [one for one, source in read.items() if isinstance(source, Source) and source.part == "graded"]
    if len(graded) == 1 and isinstance(source := read[graded[0]], Source):
        which = f"which list has the responses: here {shown(graded[0])}, of {listed(lists)} (`records:`)"
        return source._replace(undecided=(which, *source.undecided))
    return first_of(path, told) or of_shape(path, shapes.Shape({}), told)


def first_of(path: str, told: dict[str, str] | None) -> Source | keys.Open | None:
    """What an object of objects is read as, by the likeliest of its shapes that can be read; null if none can."""
    for shape in shapes.of_json(path):
        read_as = of_shape(path, shape, told)
        if isinstance(read_as, keys.Open) or (isinstance(read_as, Source) and fits(read_as, shape.only)):
            return read_as
    return None


def fits(read_as: Source, only: str) -> bool:
    """Whether a table is what its shape requires (Shape.only): counts of runs, or questions that occur repeatedly."""
    if only == "counts":
        return read_as.part == only
    if only == "repeated":
        frame = records_of.rows_of(read_as.path, read_as.options)[0]
        return not frame[read_as.options.get("columns", {}).get("question", "question")].is_unique().all()
    return True


def of_shape(path: str, shape: shapes.Shape, told: dict[str, str] | None) -> Source | Fault | keys.Open:
    """What the workflow reads the records of a file in this shape as, or why it cannot."""
    frame, options, faults = records_of.rows_of(path, shape.options)
    if faults:
        return faults[0]
    read_as = read_with(path, frame, told or {})
    if not options:
        return as_log(read_as, frame)
    if isinstance(read_as, Source):
        format = {"format": "tabular"} if read_as.part != QUESTIONS else {}
        undecided = (*shape.undecided, *read_as.undecided)
        return read_as._replace(options=format | read_as.options | options, undecided=undecided)
    return read_as


def as_log(read_as: Source | Fault | keys.Open, frame: pl.DataFrame) -> Source | Fault | keys.Open:
    """`read_as`, but what a format knows as its own log is read as such."""
    if isinstance(read_as, Source):
        for format, own in formats.having("as_log").items():
            if found := own(read_as.path, frame, read_as.options):
                return Source.of_log(format, found)
    return read_as


def read_with(path: str, frame: pl.DataFrame, told: dict[str, str]) -> Source | Fault | keys.Open:
    """What the workflow reads a table as; columns that measure something other than correctness are set aside."""
    names = [name for name in frame.columns if name != "line" and not qualities.BESIDE.fullmatch(name)]
    others = [name for name in names if qualities.is_other(name, frame[name])]
    names = [name for name in names if name not in (*others, *repetitions.of_a_model(frame, names))]
    read_as = read_without(path, frame, names, told)
    if isinstance(read_as, keys.Open):
        return read_as
    if isinstance(read_as, Source) and read_as.options.get("layout") == "wide":
        left = [name for name in frame.columns if name != "line" and name not in names]
        read_as = read_as._replace(options=read_as.options | {"ignore": [*read_as.options.get("ignore", []), *left]})
    return qualities.told(read_as, others, right_and_given(names)[0])


def read_without(path: str, frame: pl.DataFrame, names: list[str], told: dict[str, str]) -> Source | Fault | keys.Open:
    """What the workflow reads a table as by the columns `names` alone."""
    if of_counts := counted.of_table(path, frame):
        return of_counts
    run, question = called(names, "run"), called(names, "question")
    if run and frame[run].n_unique() > 1:  # with several runs in a file, a column that numbers rows names no questions
        question = called([name for name in names if not frame[name].is_unique().all()], "question") or question
    elif not question and len(ids := [name for name in names if is_id(name, frame[name])]) == 1:
        [question] = ids
    if question is None:
        return Fault(path, 1, f"no column for the question among {listed(names)}", EXPECTED + in_one(names))
    names = [name for name in names if name != question]
    asked = questions.answerable(frame, names, question)
    said = beside.of_table(frame, [name for name in names if name not in (run, *asked.values())])
    names = [name for name in names if name not in (*said.taken, *asked.values())]
    if said.several:
        found = f"the columns {listed(said.several)}, which say of several systems that a response is none"
        return Fault(path, 0, found, "a row for each response, with one such column")
    table = Table(path, frame, question, names, said, asked)
    graded = labelled(table) or verdicts(table, told) or judged_by_content(table)
    if isinstance(graded, keys.Open):
        return graded
    if said.unknown and not isinstance(graded, Source):
        name, words = said.unknown
        found = f"the column {shown(name)}, in which {listed(words)} may stand for an answer or for none"
        states = ", ".join(f"{shown(word)}: {state_of(word) or '…'}" for word in table.words(name))
        options = f"`columns: {{state: {name}}}, states: {{{states}}}`"
        return Fault(path, 0, found, f"{options} in {OWN_BLOCK}")
    if not graded and (own := half_known(table)):
        return own
    graded = graded or scored(table)
    if not graded and (marks := numbered(table)):
        return marks
    read_as = graded or answers(table)
    if isinstance(read_as, Source):
        if read_as.part == "runs" and (unknown := of_judges(table)):
            why = f"{read_as.why}, unless {listed(unknown)} does, whose words are not known"
            read_as = read_as._replace(why=why)
        return failed_judges(table, read_as) or with_states(table, read_as)
    if graded:
        return read_as
    of_questions = questions.of_table(path, frame, question, [*table.names, *asked.values()])
    return of_questions or unjudged(table) or read_as


def is_id(name: str, values: pl.Series) -> bool:
    """Whether a column has an id of its own on each row, and is named as an id, but not of a system."""
    *_, whose, last = ["", *parts(name)]
    named = last == "id" and not called([whose], "run")
    return named and not values.has_nulls() and values.is_unique().all()


def half_known(table: Table) -> Fault | None:
    """A fault if some words of a column are verdicts, and others are unknown; else null.

    In a column named like a judge, but not in the words of the answers, yes and no, 1 and 0 are verdicts, too.
    """
    pair = [name for name in table.pair() if name]
    for name in table.names:
        words = table.words(name)
        other = strange(words, judging(name) or bool(called([name], "verdict")))
        if judging(name) and not any(keys.same_words(table.frame[one], table.frame[name]) for one in pair):
            other = other or half_judged(words)
        if other:
            found = f"the column {shown(name)}, in which {listed(other)} may be no answer, no verdict or something else"
            return Fault(table.path, 0, found, "`columns: {verdict: …}` and `verdicts:` in " + OWN_BLOCK)
    return None


def of_judges(table: Table) -> list[str]:
    """The columns named like verdicts that have few words, none of them known."""
    named = [name for name in table.names if judging(name) or called([name], "verdict")]
    words = {name: table.words(name) for name in named}
    return [name for name, own in words.items() if 1 < len(own) <= FEW and not any(map(verdict, own))]


def numbered(table: Table) -> Fault | None:
    """A fault if numbers other than shares (marks from 1 to 5), or words in doubt, may judge answers; else null."""
    named = [name for name in table.names if judging(name) or called([name], "verdict")]
    if not table.pair()[1]:
        return None
    if marks := [name for name in named if numbers.are_reals(table.frame[name])]:
        return Fault(table.path, 0, f"numbers in {listed(marks)}, which may judge the answers", SHARES)
    words = {name: table.words(name) for name in named}
    if other := [name for name, own in words.items() if meanings(own) and in_doubt(name, own)]:
        found = f"verdicts in {listed(other)}, which may judge the answers or say something else"
        return Fault(table.path, 0, found, f"{OWN_VERDICT}, or no such column")
    return None


def unjudged(table: Table) -> Source | None:
    """Unjudged responses, if flags say which are answers; null if no flag does, or if the table may hold verdicts."""
    if "state" not in table.beside.columns:
        return None
    why = "it has questions, and says which responses are none, and nothing of how good the others are"
    undecided = tuple(named_by_file(table))
    others = [name for name in table.names if meanings(table.words(name)) and is_measured(name)]
    if any(beside.boolean(table.words(name)) is None for name in others):
        return None  # words of verdicts, such as those of a wide table
    if others:
        judge = "judges" if len(others) == 1 else "judge"
        undecided = (f"whether {listed(others)} {judge} the answers: here not", *undecided)
    source = Source(table.path, "runs", tabular(columns=table.columns()), why, undecided, countable=table.asked)
    return with_states(table, source.unjudged())
