"""A table with its column of questions, and what holds for every kind of such a table."""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from nonresponse import tasks
from nonresponse.faults import OWN_BLOCK, listed, shown
from nonresponse.formats import numbers
from nonresponse.formats.roles import NO_ANSWER, all_called, called, plain
from nonresponse.look import beside, judges
from nonresponse.look.names import in_doubt, judging, right_and_given
from nonresponse.look.words import SILENCE, different, may_be_answers, meanings
from nonresponse.wording import plural

ENOUGH = 0.5  # score (0 to 1) from which an answer is correct; least share of texts that are longer than their extract
MOSTLY = 0.9  # share of the short answers that are contained in the long ones
SHARES = "numbers from 0 to 1, or `verdicts:` in " + OWN_BLOCK
BELOW_0 = f"{SHARES}: in some files -1 is wrong, 0 silent and 1 right, in others 0 is wrong and -1 not judged"
BY_FILE = "which run it is: here the one that the file's name names"
ON_EACH = "a question with a verdict, a right answer or an answer on each line"
EXPECTED = f"{ON_EACH}, or a run with its counts (docs/formats.md)"


class Table(NamedTuple):
    """A table, with the column of its questions and the names of its other columns."""

    path: str
    frame: pl.DataFrame
    question: str
    names: list[str]
    beside: beside.Beside  # columns on silence and failures, which are not among `names`
    asked: dict[str, str]  # has_answer or unanswerable: its column, which is not among `names`, either

    def words(self, name: str) -> list[str]:
        """The different words of a column, as far as they may be verdicts (words.different)."""
        return different(self.frame[name])

    def like_verdicts(self) -> list[str]:
        """The columns named like verdicts, the surest name first; then the one of `stated`, if it is the only one."""
        named, stated = all_called(self.names, "verdict"), self.stated()
        return [*named, *stated] if len(stated) == 1 else named

    def stated(self) -> list[str]:
        """Columns with words of verdicts that are not named so; next to answers or runs, or as the only column.

        Letters count only in a column named like a judge. Columns of just right and wrong are left to `judges`.
        """
        if not self.pair()[1] and not called(self.names, "run") and len(self.names) > 1:
            return []
        others = [name for name in self.names if name not in all_called(self.names, "verdict")]
        return [name for name in others if judges.right_of(self.frame[name]) is None and self.has_verdicts(name)]

    def has_verdicts(self, name: str) -> bool:
        """Whether a column has words for right and for wrong, and is a judge by name if these may be answers, too."""
        words = self.words(name)
        some = any({"correct", "wrong"} <= {*meant.values()} for meant in meanings(words))
        return some and not in_doubt(name, words) and (judging(name) or not may_be_answers(words))

    def pair(self) -> tuple[str | None, str | None]:
        """The columns of the right answer and of the answer given, each null if absent.

        If the supposed right answer is an extract of the answer, it is the answer given. An empty column is considered
        only if no other column may hold answers.
        """
        filled = [name for name in self.names if self.frame[name].null_count() < self.frame.height]
        names = filled if called(filled, "answer") else self.names
        right, given = right_and_given(names)
        if right and given and not called(names, "gold") and is_extract(self.frame, self.question, right, given):
            return None, right
        return right, given

    def others(self, *used: str) -> list[str]:
        return [name for name in self.names if name not in used]

    def category(self, names: list[str]) -> dict[str, str]:
        """`category` with its column, if each question has one category only; else empty."""
        own = called(names, "category")
        fits = own and self.frame.select(self.question, own).n_unique() == self.frame[self.question].n_unique()
        return {"category": own} if own and fits else {}

    def columns(self, **known: str) -> dict[str, str]:
        """`columns:` of config.yaml: the known columns, and run, category and confidence by their names."""
        names = self.others(*known.values())
        confidence = called(names, "confidence")
        sure = confidence if confidence and are_shares(self.frame[confidence]) else None
        more = {"run": called(names, "run"), "confidence": sure}
        return renamed({"question": self.question, **known, **self.category(names), **more})

    def wide(self, *used: str) -> dict:
        """`layout:`, `columns:` and `ignore:` of a wide file with these systems and right answers."""
        names = [*self.others(*used), *self.beside.taken, *self.asked.values()]
        category = self.category(names)
        ignored = [name for name in names if name not in category.values()]
        return {"layout": "wide", "columns": renamed({"question": self.question}) | category, "ignore": ignored}


def renamed(columns: Mapping[str, str | None]) -> dict[str, str]:
    """Our names with the file's, without those that are absent or the same."""
    return {ours: theirs for ours, theirs in columns.items() if theirs and ours != theirs}


def tabular(**options: object) -> dict:
    """Options of the tabular format, without empty ones."""
    return {"format": "tabular", **{name: value for name, value in options.items() if value}}


def with_assessors(names: list[str], columns: dict[str, str], verdicts: dict[str, str]) -> tuple[dict, str]:
    """Options of a table with a column of verdicts for each assessor; and the open question which one is official."""
    official = judges.official(names)
    options = tabular(columns=columns, verdicts=verdicts, assessors={name: name for name in names}, official=official)
    return options, f"which of {listed(names)} is the official one: here {shown(official)} (`official:`)"


def are_shares(values: pl.Series) -> bool:
    """Whether a column has numbers from 0 to 1 only, and at least one."""
    known = values.drop_nulls()
    return bool(len(known)) and numbers.reals(known).is_between(0, 1).fill_null(False).all()


def is_extract(frame: pl.DataFrame, question: str, short: str, whole: str) -> bool:
    """Whether `short` may be extracted from `whole`: it varies within a question, or `whole` nearly always has it."""
    if (frame.group_by(question).agg(pl.col(short).drop_nulls().n_unique())[short] > 1).any():
        return True
    both = frame.select(pl.col(short, whole).str.strip_chars().str.to_lowercase()).drop_nulls()
    part = both.filter(pl.col(whole).str.contains(pl.col(short), literal=True))
    longer = part.filter(pl.col(whole) != pl.col(short)).height
    return bool(both.height) and part.height >= MOSTLY * both.height and longer >= ENOUGH * both.height


def how_of(meant: dict[str, str], column: str) -> dict[str, str]:
    """By verdict: a phrase with the words of the column that mean it."""
    words: dict[str, list[str]] = {}
    for word, verdict in meant.items():
        words.setdefault(verdict, []).append(word)
    return {verdict: f"the file says so: {listed(own)} in {column}" for verdict, own in words.items()}


def unsaid(table: Table, known: dict[str, str], names: list[str], task: str = "qa") -> list[str]:
    """What columns of verdicts leave open: empty fields, silence if no word means it, questions that have no answer."""
    empty = sum(table.frame[name].null_count() for name in names)
    said = "says" if empty == 1 else "say"
    blank = [f"what {plural(empty, 'empty field')} of {listed(names)} {said}: here unscored"] if empty else []
    silent = not tasks.get(task).pairs and "unanswered" not in known.values() and not table.beside.states
    no_word = f"which questions were left unanswered: no word of {listed(names)} says so"
    absent = sum(str(name).endswith(NO_ANSWER) for name in table.frame[table.question].unique())
    which = f"{plural(absent, 'question')} named like one without an answer, {shown(NO_ANSWER)} at the end"
    rightly = [f"what is right of {which}: here an answer, unless the file says otherwise"] if absent else []
    return [*blank, *([no_word] if silent else []), *rightly]


def named_by_file(table: Table) -> list[str]:
    """The open question whether the file's name is the run; empty if a column has the run."""
    return [] if called(table.names, "run") else [BY_FILE]


def silences(frame: pl.DataFrame, names: list[str]) -> list[str]:
    """The open question what texts that may mean silence are, with their numbers; empty without such texts."""
    said = pl.concat([frame[name].rename("answer") for name in names]).drop_nulls().value_counts(sort=True)
    common = said.filter(pl.col("answer").str.len_chars() <= 30)
    silent = [f"{shown(word)} ({count:,} times)" for word, count in common.rows() if plain(word) in SILENCE]
    meant = "no answer, a breakdown, or a question never seen (`unanswered:`, `failed:`, `missing:`)"
    return [f"whether {', '.join(silent)} means {meant}"] if silent else []
