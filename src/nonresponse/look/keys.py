"""Whether a column holds verdicts or right answers, where its words could be either."""

from typing import NamedTuple

import polars as pl

from nonresponse.faults import OWN_BLOCK, Fault, shown
from nonresponse.formats import numbers
from nonresponse.look import Source, records_of
from nonresponse.look.words import SILENCE, may_be_answers, verdict

FIT = 0.5  # share of a system's different answers that have to be in the key
KEY, VERDICTS = "right answers", "verdicts"
ITSELF = OWN_BLOCK + ", with `columns: {{verdict: {0}}}` or `gold: {0}`"


class Open(NamedTuple):
    """A column whose own file does not tell whether it is verdicts or right answers; similar files may tell."""

    path: str
    column: str
    answer: str  # the column of the answers, which has the same words
    rows: pl.DataFrame  # question, answer, said

    @property
    def fault(self) -> Fault:
        """The fault if no other file tells, either."""
        same = f"it has the words of {shown(self.answer)}, and no question got two answers"
        found = f"the column {shown(self.column)}, which may be {VERDICTS} or {KEY}: {same}"
        return Fault(self.path, 0, found, ITSELF.format(self.column))


def kind(frame: pl.DataFrame, question: str, column: str, gold: str | None, given: str | None) -> str | None:
    """VERDICTS if a column judges the answers given, KEY if it has right answers; null where nothing tells."""
    if not given or not same_words(frame[column], frame[given]):
        return VERDICTS
    if gold:  # with right answers beside it: verdicts follow whether an answer equals them
        right = frame[column].map_elements(verdict, pl.String)
        equal = frame.select((same(given) == same(gold).alias("gold")).fill_null(False)).to_series()
        if right.is_in(["correct", "wrong"]).all() and bool(((right == "correct") == equal).all()):
            return VERDICTS
    if gold and frame.select((same(column) == same(gold).alias("gold")).all()).item():
        return KEY
    return decided(frame, question, column, given)


def same_words(key: pl.Series, answers: pl.Series) -> bool:
    """Whether most of the different answers occur in the key; answers that may mean silence are left out."""
    right = key.to_frame("key").select(same("key")).to_series().drop_nulls().unique()
    said = answers.to_frame("said").select(answer("said")).to_series().drop_nulls().unique()
    return bool(len(said)) and said.is_in(right.implode()).sum() >= FIT * len(said)


def same(name: str) -> pl.Expr:
    """The words of a column as they are compared: in small letters, and 1 for 1.0."""
    text = pl.col(name).str.strip_chars().str.to_lowercase()
    number = pl.col(name).map_batches(numbers.reals, return_dtype=pl.Float64)
    return pl.coalesce((number + 0.0).cast(pl.String), text).alias(name)


def answer(name: str) -> pl.Expr:
    """The answers of a column in the spelling of `same`; null where an answer may mean silence."""
    return pl.when(~silent(name)).then(same(name)).alias(name)


def silent(name: str) -> pl.Expr:
    """Whether an answer is empty, or a word for no answer (SILENCE), whatever its spelling (roles.plain)."""
    letters = pl.col(name).str.to_lowercase().str.replace_all(r"[\W_]+", "_").str.strip_chars("_")
    return pl.col(name).is_null() | letters.is_in(SILENCE)


def silent_at_0(frame: pl.DataFrame, column: str, given: str) -> bool:
    """Whether a column has only -1, 0 and 1, and 0 for exactly those answers that may mean silence."""
    number = numbers.reals(frame[column])
    none = frame.select(silent(given)).to_series()
    known = number.drop_nulls().is_in([-1.0, 0.0, 1.0]).all() and number.null_count() == frame[column].null_count()
    return known and bool(none.any()) and bool((number.eq_missing(0) == none).all())


def decided(frame: pl.DataFrame, question: str, column: str, given: str) -> str | None:
    """VERDICTS if the column varies within a question; KEY if only the answers do; null if neither does."""
    rows = frame.select(pl.col(question).alias("asked"), same(column).alias("said"), answer(given).alias("given"))
    each = rows.group_by("asked").agg(pl.col("said", "given").drop_nulls().n_unique())
    if (each["said"] > 1).any():
        return VERDICTS
    return KEY if (each["given"] > 1).any() else None


def together(undecided: list[Open]) -> dict[str, str]:
    """By path: what the column holds, where pooling files with the same columns settles it."""
    told: dict[str, str] = {}
    for names in {(one.column, one.answer): None for one in undecided}:
        own = [one for one in undecided if (one.column, one.answer) == names]
        if what := decided(pl.concat(one.rows for one in own), "asked", "said", "given"):
            told |= {one.path: what for one in own}
    return told


def with_keys(looked: list[Source]) -> list[Source]:
    """The sources; seeming verdicts become right answers if runs answer the same questions in the same words."""
    answers = [
        records_of.rows_of(one.path, one.options)[0].select(asked=column(one, "question"), said=column(one, "answer"))
        for one in looked
        if one.part == "runs" and one.format == "tabular"
    ]
    return [as_key(one) if answers and is_key(one, answers) else one for one in looked]


def column(one: Source, ours: str) -> str:
    """The file's name for one of our columns."""
    return one.options.get("columns", {}).get(ours, ours)


def is_key(one: Source, answers: list[pl.DataFrame]) -> bool:
    """Whether seeming verdicts, one per question and without a run, are in the words of the runs' answers."""
    if one.part != "graded" or one.format != "tabular" or {"gold", "layout"} & one.options.keys():
        return False
    frame = records_of.rows_of(one.path, one.options)[0]
    asked, verdicts = frame[column(one, "question")], frame[column(one, "verdict")]
    if "run" in (*one.options.get("columns", {}), *frame.columns) or not asked.is_unique().all():
        return False
    given = pl.concat(answers).filter(pl.col("asked").is_in(asked.implode()))
    words = verdicts.drop_nulls().unique().to_list()
    return bool(given.height) and may_be_answers(words) and same_words(verdicts, given["said"])


def as_key(one: Source) -> Source:
    columns = {"question": column(one, "question"), "answer": column(one, "verdict")}
    changed = {ours: theirs for ours, theirs in columns.items() if ours != theirs}
    why = f"it has each question once, and in {columns['answer']!r} the words that runs beside it answer"
    return Source(one.path, "judgments", {"format": "tabular", "columns": changed, "closed": True}, why)
