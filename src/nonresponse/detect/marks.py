"""Ask which answers, or which column, mark that a run did not answer, or that the system failed."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import polars as pl

from nonresponse import tasks
from nonresponse.detect import BLANK, Choice, names
from nonresponse.detect.draft import FEW, Draft, are_flags, describe_column
from nonresponse.detect.names import flag, is_called, meaning
from nonresponse.detect.verdicts import LONGEST, ask_words
from nonresponse.faults import quote_names
from nonresponse.formats.json_records import mark_lists
from nonresponse.formats.words import ABSTENTION, ABSTENTION_BEGINS, FAILURE
from nonresponse.wording import plural

MANY = 50  # answers that a choice lists
STATES_OF = "each one of answered, unanswered, error"


@dataclass(frozen=True)
class Mark:
    """What a response may be marked as: by words of answers, by how they begin, or by a column."""

    key: str  # the option that lists such answers
    rules: str  # the option with rules on how they begin
    role: str  # the role of a column that says it
    looks: str  # a pattern of answers that are offered, and of how they begin
    begins: str
    means: str
    nothing: str
    form: str


UNANSWERED = Mark(
    "unanswered",
    "refusals",
    "abstained",
    ABSTENTION,
    ABSTENTION_BEGINS,
    "that may be abstention",
    "nothing here marks it",
    "a list of answers; or abstained=COLUMN, of yes and no",
)
FAILED = Mark(
    "failed",
    "failures",
    "error",
    FAILURE,
    FAILURE,
    "that may be failures",
    "no: the system did not fail",
    "a list of answers; or error=COLUMN",
)


def ask_mark(
    draft: Draft, mark: Mark, text: str, words: list[Choice], columns: list[Choice]
) -> None:
    """Ask what marks a response.

    A choice of words is proposed if it is the only one. Without words, a documented column of yes
    and no is proposed; without words and columns, that nothing marks it.
    """
    nothing = Choice(mark.key, False, mark.nothing)
    documented = [choice for choice in columns if choice.key == mark.role]
    documented = [
        choice
        for choice in documented
        if is_called(choice.value, mark.role) and draft.has_flags(choice.value)
    ]
    proposed = words or documented or (columns and [nothing, *columns]) or [nothing]
    default = proposed[0] if len(proposed) == 1 or proposed is documented else None
    draft.ask(mark.key, text, *words, *columns, nothing, default=default, form=mark.form)


def list_marks(
    mark: Mark, answers: list[pl.Series], empty_golds: int = 0, is_listed: bool = False
) -> list[Choice]:
    """Return the choices of answers that look like a mark: those that can be listed, and a rule on
    how the others begin.

    Answers cannot be listed where they are too many or too long, unless `is_listed`. A question
    without a gold answer is taken to have no answer.
    """
    looks, choices = looking_like(mark.looks, answers), list[Choice]()
    long = [text for text in looks if len(text) > LONGEST]
    if is_listed or (len(looks) <= FEW and all(len(text) < 3 * LONGEST for text in long)):
        long = []
    short = [text for text in looks if text not in long][:MANY]
    number, number_of_long = (
        plural(sum(int(column.is_in(texts).sum()) for column in answers), "answer")
        for texts in (short, long)
    )
    meanings = [f"{number} {mark.means}"] * bool(short)
    if empty_golds:
        meanings.append(f"{plural(empty_golds, 'question')} without a gold answer: it has none")
    if meanings:
        choices.append(Choice(mark.key, short + [""] * bool(empty_golds), " and ".join(meanings)))
    if long:
        begins = pl.Series(long).str.strip_chars().str.extract(mark.begins, 0).unique().sort()
        rules = {"prefixes": begins.drop_nulls().to_list()[:MANY]}
        means = f"{number_of_long} {mark.means}, by their beginnings"
        choices.append(Choice(mark.rules, rules, means))
    return choices


def looking_like(pattern: str, columns: list[pl.Series]) -> list[str]:
    """Return the different texts of columns that match a pattern, sorted."""
    texts = [column.drop_nulls().unique() for column in columns]
    return sorted({*chain(*(series.filter(series.str.contains(pattern)) for series in texts))})


def ask_abstention(draft: Draft) -> None:
    """Ask how abstention is marked, unless a documented word or the user says it."""
    flags, verdict, answers = draft.column("abstained"), draft.column("verdict"), []
    gold = draft.frame.get_column(str(draft.options.get("gold")), default=None)
    text, columns = "How is it marked that a system did not answer?", list[Choice]()
    if flags is not None:
        add_states(draft, flags.name)
        text = "What are questions without a gold answer?"
    elif says_abstention(draft):
        return
    else:
        answers = answer_columns(draft)
        gold = draft.column("gold") if gold is None and verdict is None else gold
        # What may be verdicts is asked first
        columns = [] if draft.asks("verdict") else [*abstention_columns(draft)]
    if "layout" in draft.options and columns:
        label = quote_names(choice.value for choice in columns)
        draft.notes.append(f"What {label} say is not read, beside a column of verdicts per system.")
        columns = []
    columns += unjudged_choices(draft) if flags is None and verdict is not None else []
    words = list_marks(UNANSWERED, answers, 0 if gold is None else mark_lists(gold).null_count())
    if words or flags is None:
        ask_mark(draft, UNANSWERED, text, words, columns)


def says_abstention(draft: Draft) -> bool:
    """Return whether the user says how abstention is marked, or a word of the verdicts does."""
    is_said = {"unanswered", "refusals", "abstained", "states"} & {*draft.settings}
    if is_said or tasks.get(draft.task).pairs or draft.asks("abstained"):
        return True
    words = draft.list_words(*draft.verdict_columns())
    meanings = {draft.options.get("verdicts", {}).get(word, meaning(word)) for word in words}
    if {"unanswered", BLANK} & meanings and "gold" not in draft.options:
        return True
    # A table by our own documentation, which has a word for abstention
    is_ours = draft.roles.get("verdict") == "verdict" and names.is_ours(words)
    return is_ours and not looking_like(ABSTENTION, answer_columns(draft))


def unjudged_choices(draft: Draft) -> list[Choice]:
    """Return the choice that responses without a verdict are unanswered, if there are any that did
    not fail."""
    error, verdict = draft.column("error"), draft.frame[draft.roles["verdict"]]
    is_sound = pl.Series([True]) if error is None else error.is_null()
    number = int((verdict.is_null() & is_sound).sum())
    means = f"{plural(number, 'response')} without a verdict"
    return [Choice("verdicts", {"": "unanswered"}, means)] * bool(number)


def abstention_columns(draft: Draft) -> Iterator[Choice]:
    """Yield the columns that may say whether a run answered: of yes and no, or with a word that
    looks like abstention or failure."""
    for name in draft.free_columns():
        column = draft.frame[name]
        words = draft.list_words(name) if column.n_unique() <= FEW + 1 else []
        series = [pl.Series(words, dtype=pl.String)]
        looks = looking_like(ABSTENTION, series) + looking_like(FAILURE, series)
        looks += [word for word in words if flag(word) is None and names.state(word, name)]
        if (are_flags(words) and len(words) > 1) or (looks and not column.has_nulls()):
            yield Choice("abstained", name, describe_states(draft, name))


def describe_states(draft: Draft, name: str) -> str:
    """Return the values of a column, and what they mean where it says whether a run answered."""
    column = draft.frame[name]
    words = draft.list_words(name) if column.n_unique() <= FEW + 1 else []
    if are_flags(words):
        return f"yes: {names.state('yes', name)}; {describe_column(column)}"
    states = Choice("states", {word: names.state(word, name) or BLANK for word in words})
    return describe_column(column) + (f"; then also {states.quoted}" if words else "")


def add_states(draft: Draft, name: str) -> None:
    """Set the meaning of the words in a column that marks abstention; ask where it is not
    documented."""
    user_states, words = draft.settings.get("states") or {}, draft.list_words(name)
    states = {word: user_states.get(word) or names.state(word, name) or BLANK for word in words}
    if BLANK in states.values() or len(words) > FEW:
        unknown = dict([*states.items()][:FEW])
        drop = Choice("abstained", False, "it marks something else")
        ask_words(draft, [name], Choice("states", unknown, STATES_OF), drop)
    draft.options["states"] = states or {"true": "unanswered"}


def ask_failures(draft: Draft) -> None:
    if {FAILED.key, FAILED.rules} & {*draft.settings}:
        return
    words, columns = list_marks(FAILED, answer_columns(draft)), list[str]()
    for name in [] if "error" in draft.roles else draft.free_columns():
        column, is_named = draft.frame[name], names.TELLS_OF_FAILURE.fullmatch(names.plain(name))
        is_text = column.has_nulls() and looking_like(FAILURE, [column])
        columns += [name] * bool(is_text or (is_named and draft.has_flags(name)))
    if words or columns:
        text = "What says that the system failed?"
        ask_mark(draft, FAILED, text, words, draft.choose("error", columns))


def ask_empty_answers(draft: Draft) -> None:
    """Ask what empty answers are, where answers are compared with gold answers, or judged by
    verdicts without a word for abstention."""
    keys = {choice.key for choice in draft.choices} | {*draft.options}
    is_compared = {"gold", "normalise"} & keys
    is_judged = draft.column("verdict") is not None and draft.asks("unanswered")
    words = [choice.value for choice in draft.choices if choice.key == "unanswered"]
    is_told = any("" in (value or []) for value in (draft.settings.get("unanswered"), *words))
    if is_told or draft.column("abstained") is not None or not (is_compared or is_judged):
        return
    error = draft.column("error")
    failed = pl.Series([False]) if error is None else error.is_not_null()
    empty = sum(int((column.is_null() & ~failed).sum()) for column in answer_columns(draft))
    if empty:
        unanswered = Choice("refusals", {"empty": "unanswered"}, "they are unanswered")
        alternative = Choice("refusals", {"empty": "wrong"}, "they are wrong")
        if is_judged:
            alternative = Choice("refusals", False, "they are what they were judged")
        text = f"What are {plural(empty, 'empty answer')}?"
        draft.ask("refusals", text, unanswered, alternative, default=unanswered)


def answer_columns(draft: Draft) -> list[pl.Series]:
    systems = draft.options.get("systems", []) if "gold" in draft.options else []
    columns = [draft.frame[name] for name in systems if name in draft.frame.columns]
    return [answer, *columns] if (answer := draft.column("answer")) is not None else columns
