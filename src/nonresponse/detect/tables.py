"""Read plain tables by documented names. What the names do not say is asked, with the values in
sight."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.detect import OPEN, Choice, Question, flow, names, shapes
from nonresponse.detect.names import ALIASES, called, flag, is_abstention, meaning
from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import numbers, own_columns
from nonresponse.formats.grades import OUTCOMES, squad
from nonresponse.formats.json_files import VALUE
from nonresponse.tables import NAME
from nonresponse.tasks import VERDICTS
from nonresponse.wording import plural

FILE = "\0file"  # the column with the path of each row's file
ROLES = (*ALIASES, "asked", "target")
# Options that say where verdicts come from instead
MODES = ("gold", "normalise", "judged", "assessors", "systems")
# Names of columns that may have gold answers beside a column of answers
GOLD_OR_ANSWER = (*ALIASES["gold"], *ALIASES["answer"], *ALIASES["verdict"])
# Roles of what is said of a single response.
OF_RESPONSES = (
    "run",
    "answer",
    "epoch",
    "confidence",
    "error",
    "has_answer",
    "unanswerable",
    "explanation",
)
# Roles in a table of verdicts on pairs
OF_PAIRS = ("question", "run", "verdict", "category", "confidence")
# Different words that a column of verdicts may have to be offered, and choices that are listed
FEW = 12
LONGEST = 30  # letters of a word without a documented meaning in such a column
MANY = 50  # words whose meanings a block lists
SHOWN = 6  # values of a column that are shown
WHICH = {
    "run": "Which of these columns is the run?",
    "verdict": "Which of these columns is the verdict?",
    "abstained": "Which of these columns says that a run did not answer?",
}
WORDS_OF = "each one of " + ", ".join(VERDICTS)


@dataclass(eq=False)
class Table:
    """Files with the same columns, as one table."""

    paths: list[str]
    frame: pl.DataFrame
    shape: dict[str, Any]
    questions: list[Question] = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        """The columns of the files that have a name."""
        return [name for name in self.frame.columns if name not in ("line", FILE, "")]


@dataclass(eq=False)
class Draft:
    """What is known of a table so far."""

    table: Table
    said: dict[str, Any]  # what the user says
    # The column of each role, or a pattern, or a list of columns
    roles: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    part: str = "graded"
    task: str = "qa"

    @property
    def frame(self) -> pl.DataFrame:
        """The rows of all files."""
        return self.table.frame

    def ask(self, key: str, why: str, *choices: Choice, **more: Any) -> None:
        """Add a question, unless the user has answered it."""
        question = Question(key, why, choices, **more)
        self.questions += [] if question.decided_by(self.said) else [question]

    def column(self, role: str) -> pl.Series | None:
        """Return the column with a role, null if there is none or it is a pattern."""
        name = self.roles.get(role)
        return self.frame[name] if isinstance(name, str) and name in self.frame.columns else None

    def parts(self, role: str) -> list[str]:
        """Return the columns that a role takes its values from; of a run without one, that of the
        file."""
        value = self.roles.get(role)
        if value is None:
            return [FILE] if role == "run" else []
        every = value if isinstance(value, list) else [value] if value in self.frame.columns else []
        return (
            every
            or [name for name in own_columns.NAME.findall(value) if name in self.frame.columns]
            or [FILE]
        )

    def free(self) -> list[str]:
        """Return the columns without a role."""
        used = {one for role in self.roles for one in self.parts(role)} | {
            *self.options.get("assessors", {}).values()
        }
        used |= {*self.options.get("systems", [])}
        return [name for name in self.table.columns if name not in used]


def read_tables(paths: list[str], said: dict[str, Any]) -> tuple[list[Table], list[Fault]]:
    """Return tables, each of the files with the same columns, and the faults of files that are
    none."""
    alike: dict[str, Table] = {}
    faults: list[Fault] = []
    for path in paths:
        frame, shape, questions, wrong = shapes.read(path, said)
        faults += wrong
        if wrong:
            continue
        if pivot := said.get("pivot"):
            frame = pivoted(frame, pivot, path, faults)
        frame = frame.with_columns(pl.lit(path).alias(FILE))
        key = flow([shape, sorted(frame.columns), path == os.path.normpath(str(said.get("key")))])
        if key in alike:
            one = alike[key]
            one.paths.append(path)
            one.frame = pl.concat([one.frame, frame.select(one.frame.columns)])
        else:
            alike[key] = Table([path], frame, shape, questions)
    return [*alike.values()], faults


def pivoted(frame: pl.DataFrame, pivot: Any, path: str, faults: list[Fault]) -> pl.DataFrame:
    """Return a table of a row per metric with a column for each metric, first in the order of the
    table."""
    if (
        not isinstance(pivot, dict)
        or not {*pivot, *pivot.values()} <= {*frame.columns}
        or len(pivot) != 1
    ):
        faults.append(
            Fault(
                path,
                1,
                f"no columns {shown(pivot)}",
                f"pivot={{NAMES: VALUES}}, two of {listed(frame.columns)}",
            )
        )
        return frame
    [(name, value)] = pivot.items()
    key = [
        one
        for role in ("run", "question", "epoch")
        for one in called(frame.columns, ALIASES[role])[:1]
    ]
    kept = frame.filter(pl.struct(*key, name).is_first_distinct()) if key else frame
    made = kept.pivot(name, index=key, values=value)
    return made.with_row_index("line", offset=1)


def named_by(key: str, value: Any) -> list[str]:
    """Return the columns, or patterns, that an answer of the user names."""
    if key not in (*ROLES, *names.COUNTS, "assessors", "systems") or value in (False, None):
        return []
    several = (
        [*value.values()]
        if isinstance(value, dict)
        else value
        if isinstance(value, list)
        else [value]
    )
    return [str(name) for name in several]


def has(columns: list[str], name: str) -> bool:
    """Return whether columns have a name, or all names in a pattern."""
    parts = own_columns.NAME.findall(name)
    return name in columns or (bool(parts) and {*parts} <= {*columns, *own_columns.OF_FILE})


def draft(table: Table, said: dict[str, Any]) -> Draft:
    """Return what a table is, by its columns' names and by what the user says of these, and what is
    open."""
    own = {
        key: value
        for key, value in said.items()
        if all(has(table.columns, one) for one in named_by(key, value))
    }
    one = Draft(table, own, questions=[*table.questions])
    give_roles(one)
    if as_counts(one):
        return one
    leave_out_unfit(one)
    ask_question(one)
    ask_verdict(one)
    read_verdicts(one)
    ask_abstention(one)
    ask_repetitions(one)
    one.options = {"format": "tabular", **table.shape, **placed(one), **one.options, **unread(one)}
    return one


def give_roles(one: Draft) -> None:
    """Give columns their roles: first what the user says, then by documented names."""
    given = {role: one.said[role] for role in ROLES if role in one.said}
    one.roles = {role: value for role, value in given.items() if value not in (False, None)}
    used = {name for role in one.roles for name in one.parts(role)} | {
        *(one.said.get("assessors") or {}).values()
    }
    left = [
        name
        for name in one.table.columns
        if name not in used and name not in (one.said.get("systems") or [])
    ]
    for role, aliases in ALIASES.items():
        free = [name for name in left if name not in one.roles.values()]
        own = [] if role in given else called(free, aliases, one.said.get("nested", ""))
        if (
            len(own) > 1
            and role in ("run", "verdict", "abstained")
            and not (role == "verdict" and moded(one))
        ):
            several = [Choice("run", own, "a run of each combination")] if role == "run" else []
            several += [assessors_of(own)] if role == "verdict" else []
            each = [
                Choice(role, name, sense_of(one.frame[name]) + values_of(one.frame[name]))
                if role == "abstained"
                else Choice(role, name, values_of(one.frame[name]))
                for name in own
            ]
            one.ask(role, WHICH[role], *each, *several, columns=tuple(own))
        elif own and not (role == "verdict" and moded(one)):
            one.roles[role] = own[0]
    verdict = one.column("verdict")
    if (
        verdict is not None
        and "verdict" not in given
        and len(unknown(words_of(verdict))) > FEW
        and not is_numeric(verdict)
    ):
        del one.roles["verdict"]  # a column called correct with texts
    # An object of ids, each with its answer, or with a verdict
    if one.table.columns == [shapes.NAME, VALUE]:
        one.roles.setdefault("question", shapes.NAME)
        if VALUE not in one.roles.values():
            one.roles["answer"] = VALUE
    asked = called([name for name in left if name not in one.roles.values()], names.TEXTS)
    if asked and "asked" not in given:
        one.roles["asked"] = asked[0]


def moded(one: Draft) -> bool:
    """Return whether the user says that verdicts come from elsewhere than a column of them."""
    return one.said.get("judged") is False or any(
        one.said.get(key) for key in MODES if key != "judged"
    )


def assessors_of(columns: list[str]) -> Choice:
    """Return the choice that several columns are assessors."""
    official = (
        f"several assessors; then also official={columns[0]}, or official=majority if "
        "they are three or more"
    )
    return Choice("assessors", {name: name for name in columns}, official)


def as_counts(one: Draft) -> bool:
    """Return whether a table has counts, a row per run, by its columns' names; its options are then
    complete."""
    run, columns = one.roles.get("run"), one.table.columns
    if not isinstance(run, str):
        return False
    if {*tasks.get("validation").required} <= {*columns}:
        one.part, one.task = "counts", "validation"
        one.options = {"format": "tabular", "columns": {"run": run}, "ignore": "rest"}
        return True
    found = {
        count: called(columns, tuple(aliases.split())) for count, aliases in names.COUNTS.items()
    }
    if not all(found[count] for count in ("n_ac", "n_aw", "n_u")) or "question" in one.roles:
        return False
    one.part, one.questions = "counts", [*one.table.questions]
    for count, own in found.items():
        if len(own) > 1:
            one.ask(
                count, f"Which of these columns is {count}?", *(Choice(count, name) for name in own)
            )
    columns_of = {count: one.said.get(count, own[0]) for count, own in found.items() if own}
    one.options = {
        "format": "tabular",
        **one.table.shape,
        "columns": {"run": run} | columns_of,
        "ignore": "rest",
    }
    return True


def ask_question(one: Draft) -> None:
    """Ask what names a question, where no column is called so, or where one name stands for several
    questions."""
    if "question" not in one.roles:
        usual = sorted(one.free(), key=lambda name: -one.frame[name].n_unique())
        each = tuple(Choice("question", name, values_of(one.frame[name])) for name in usual[:FEW])
        inside = one.table.shape.get("keyed") == shapes.NAME and not one.roles
        inside &= "keyed" not in one.said
        why = (
            "No column has a documented name of a question (question_id, id, question, …). "
            "Which column names it?"
        )
        default = next(
            (choice for choice in each[::-1] if choice.value.startswith(shapes.NAME)), None
        )
        if inside:
            two_deep = Choice("keyed", ["run", "question"], "each name stands for a run's answers")
            each, default = (two_deep, *each), None
        one.ask("question", why, *each, columns=tuple(usual), default=default)
        return
    text = one.roles.get("asked")
    if "question" in one.said or not isinstance(text, str) or text not in one.frame.columns:
        return
    id, run = one.roles["question"], one.parts("run")
    if not isinstance(id, str) or id not in one.frame.columns:
        return
    torn = (
        one.frame.drop_nulls([id, text])
        .group_by(id)
        .agg(pl.col(text).n_unique())
        .filter(pl.col(text) > 1)
    )
    apart = Choice("question", [id, text], "each text is a question of its own")
    if torn.height:
        several = (
            f"{plural(torn.height, 'name')} in {id!r} stand{'s' * (torn.height == 1)} "
            f"for different texts in {text!r}"
        )
        alone = Choice("question", id, "it is one question all the same")
        one.ask(
            "question",
            f"{several}, such as {shown(torn[id].sort()[0])}.",
            apart,
            alone,
            default=apart,
        )
    elif distinct(one.frame, run) > 1 and not shared(one, id) and shared(one, text):
        by_text = Choice("question", text, "runs are compared on equal texts")
        why = (
            f"No two runs share a value of {id!r}, but they share texts in {text!r}. What "
            "names a question?"
        )
        one.ask(
            "question",
            why,
            by_text,
            Choice("question", id, "no run is compared with another"),
            default=by_text,
        )


def shared(one: Draft, column: str) -> bool:
    """Return whether two runs share a value of a column."""
    return distinct(one.frame, [column]) < distinct(one.frame, [column, *one.parts("run")])


def ask_verdict(one: Draft) -> None:
    """Ask what says that an answer is correct, where no column is called so."""
    if (
        "verdict" in one.roles
        or moded(one)
        or any(question.key == "verdict" for question in one.questions)
    ):
        return
    free = [*one.free(), *one.parts("category"), *[VALUE] * (one.roles.get("answer") == VALUE)]
    words = {name: words_of(one.frame[name]) for name in free}
    few = [name for name in free if may_be_verdicts(words[name], one.frame.height)]
    few.sort(
        key=lambda name: (
            bool(unknown(words[name])),
            names.plain(name.split(".")[-1]) not in ALIASES["verdict"],
        )
    )
    gold, answer, run = one.roles.get("gold"), one.column("answer"), one.column("run")
    # A column per system; one that names a single run is no run
    wide = "run" not in one.roles or (run is not None and run.n_unique() == 1)
    texts = {*one.frame[gold].drop_nulls()} if gold in one.frame.columns and wide else set()
    few = [name for name in few if texts.isdisjoint(words[name])]  # else these are answers
    numeric = [
        name for name in free if name not in few and words[name] and is_numeric(one.frame[name])
    ]
    choices = [
        Choice("verdict", name, f"{values_of(one.frame[name])}{then(words[name])}")
        for name in [*few, *numeric][:FEW]
    ]
    judged = [name for name in few if names.plain(name.split(".")[-1]) not in ALIASES["abstained"]]
    # Else words that are to be explained
    same = [name for name in judged if not unknown(words[name])] or judged
    if len(same) > 1:
        choices += [
            assessors_of(same),
            *[Choice("systems", same, "each column is a system")] * wide,
        ]
    golds = [gold] if gold else [*called(one.free(), GOLD_OR_ANSWER)]
    if golds and answer is not None:
        choices += chain(*(compared(answer, one.frame[name]) for name in golds[:FEW]))
    elif gold and wide and len(free) > 1:
        choices.append(
            Choice(
                "systems",
                free,
                f"each of these columns has the answers of a system, compared with {gold!r}",
            )
        )
    if answer is not None and len(one.table.paths) > 1:
        choices += [
            Choice("key", path, "this file has the gold answers of the others")
            for path in one.table.paths[:FEW]
        ]
    lists = [name for name in free if "nested" not in one.said and holds_objects(one.frame[name])]
    choices += [
        Choice("nested", name, "each object of this list is a response") for name in lists[:FEW]
    ]
    if answer is not None:
        choices.append(
            Choice("judged", False, "nobody judged the answers; only what is answered is counted")
        )
    why = (
        "No column has a documented name of a verdict (verdict, correct, …). What says that "
        "an answer is correct?"
    )
    one.ask("verdict", why, *choices, columns=tuple(free))


def may_be_verdicts(words: list[str], rows: int) -> bool:
    """Return whether a column with these words is offered as one of verdicts: few words, documented
    or short."""
    few = 0 < len(words) <= FEW
    return few and (
        not unknown(words) or (1 < len(words) <= rows / 2 and max(map(len, words)) <= LONGEST)
    )


def holds_objects(values: pl.Series) -> bool:
    """Return whether a column holds lists of objects."""
    return values.drop_nulls().head(1).str.starts_with("[{").any()


def then(words: list[str]) -> str:
    """Return what the words of a column are read as, and what else has to be said, as the end of a
    sentence."""
    open_words = unknown(words)
    if not open_words and not names.is_ours(words):
        read = f"; read as {flow({word: meaning(word) for word in words})}"
        if any(flag(word) is None for word in words):
            return read
        turned = {word: "wrong" if flag(word) else "correct" for word in sorted(words)}
        return f"{read}; if yes is wrong, then also {Choice('verdicts', turned).quoted}"
    if open_words and all(numbers.real(word) is not None for word in open_words):
        return "; then also correct_from=NUMBER"
    return (
        f"; then also {Choice('verdicts', dict.fromkeys(open_words, OPEN)).quoted}"
        if open_words
        else ""
    )


def compared(answer: pl.Series, gold: pl.Series) -> Iterator[Choice]:
    """Yield the ways to compare answers with gold answers, with the number of answers that are
    equal."""
    there = pl.DataFrame({"answer": answer, "gold": gold}).drop_nulls()
    exact = int((there["answer"] == there["gold"]).sum())
    alike = int(there.select((squad(pl.col("answer")) == squad(pl.col("gold"))).sum()).item())
    of = f"{{}} of {there.height:,} answers are correct"
    yield Choice("gold", gold.name, f"compare texts as they are: {of.format(exact)}")
    if alike != exact and called([gold.name], ALIASES["gold"]):
        yield Choice(
            "normalise",
            "squad",
            f"compare without capitals, punctuation and articles: {of.format(alike)}",
        )


def read_verdicts(one: Draft) -> None:
    """Set the options by which verdicts are read, and ask for the words that have no documented
    meaning."""
    said, columns = one.said, list[str]()
    if said.get("judged") is False:
        one.options["judged"] = False
        if said.get("systems"):
            wide(one)
    elif said.get("gold") or said.get("normalise"):
        one.options["gold"] = said.get("gold") or one.roles.get("gold", OPEN)
        if said.get("systems"):
            wide(one)
    elif said.get("assessors"):
        one.options["assessors"] = said["assessors"]
        columns = [*said["assessors"].values()]
        votes = [Choice("official", name) for name in said["assessors"]]
        votes += (
            [Choice("official", "majority", "what more than half of them say")]
            if len(votes) > 2
            else []
        )
        one.ask("official", "Whose judgments are the official ones?", *votes)
    elif said.get("systems"):
        wide(one)
        columns = [] if "gold" in one.options else [*said["systems"]]
    elif (verdict := one.column("verdict")) is not None:
        columns = [verdict.name]
    add_words(one, [name for name in columns if name in one.frame.columns])


def wide(one: Draft) -> None:
    """Set the options of a table with a column per system, in which nothing is said of single
    responses."""
    one.roles = {
        role: column
        for role, column in one.roles.items()
        if role not in (*OF_RESPONSES, "abstained")
    }
    one.options |= {"layout": "wide", "systems": one.said["systems"]}
    words = {
        word
        for name in one.said["systems"]
        if name in one.frame.columns
        for word in words_of(one.frame[name])
    }
    if (
        "judged" not in one.options
        and one.roles.get("gold")
        and (len(words) > FEW or unknown([*words]))
    ):
        one.options["gold"] = one.roles["gold"]


def add_words(one: Draft, columns: list[str]) -> None:
    """Set the option `verdicts`; ask for words without a documented meaning, and from which number
    on is correct."""
    every = list(dict.fromkeys(word for name in columns for word in words_of(one.frame[name])))
    if {*every} & {*OUTCOMES} and {*every} <= {*OUTCOMES, "unscored", "error"}:
        one.task = "validation"
        one.roles = {role: column for role, column in one.roles.items() if role in OF_PAIRS}
        one.roles |= {"candidate": "candidate"} if "candidate" in one.free() else {}
        return
    given = one.said.get("verdicts") or {}
    known = {word: given.get(word, meaning(word)) for word in every} | given
    # Of 0 to 5, 1 is not correct
    if any(known[word] is None and numbers.real(word) is not None for word in every):
        known |= {word: given.get(word) for word in every if numbers.real(word) is not None}
    open_words = [word for word, verdict in known.items() if verdict in (None, OPEN)]
    threshold = one.said.get("correct_from")
    if threshold is not None:
        one.options["correct_from"] = threshold
        open_words = [word for word in open_words if numbers.real(word) is None]
        known = {
            word: verdict
            for word, verdict in known.items()
            if numbers.real(word) is None or word in given
        }
    if open_words and all(numbers.real(word) is not None for word in open_words):
        values = sorted(number for word in every if (number := numbers.real(word)) is not None)
        why = (
            f"{columns[0]!r} has numbers from {values[0]:g} to {values[-1]:g}. From which "
            "one on is an answer correct?"
        )
        each = (
            [Choice("verdicts", dict.fromkeys(open_words, OPEN), WORDS_OF)]
            if len(open_words) <= FEW
            else []
        )
        one.ask("correct_from", why, *each, form="a number")
    elif open_words:
        first = {word: known[word] or OPEN for word in open_words[:FEW]}
        is_gold = (
            [Choice("gold", columns[0], "it has the gold answers")]
            if one.column("answer") is not None
            else []
        )
        why = (
            f"{columns[0]!r} has words without a documented meaning: {listed(open_words)}. "
            "What is each of them?"
        )
        choices = [Choice("verdicts", first, WORDS_OF), *is_gold]
        if {*open_words} <= {*names.LETTERS}:
            letters = {word: names.LETTERS[word] for word in sorted(open_words)}
            choices.insert(0, Choice("verdicts", letters, "as SimpleQA's grader has it"))
        proposed = choices[0] if {*open_words} <= {*names.LETTERS} else None
        one.questions.append(
            Question("verdicts", why, tuple(choices), default=proposed, form=WORDS_OF)
        )
    numeric = any(question.key == "correct_from" for question in one.questions)
    verdicts = {
        word: verdict or OPEN
        for word, verdict in known.items()
        if word != verdict and (verdict or not numeric)
    }
    if verdicts and (len(verdicts) <= MANY or not open_words):
        one.options["verdicts"] = verdicts


def ask_abstention(one: Draft) -> None:
    """Ask how abstention is marked, unless a documented word or the user says it."""
    flags = one.column("abstained")
    if flags is not None:
        add_states(one, flags)
    if one.said.get("unanswered") is False and flags is None:
        one.notes.append("Nothing here marks that a system did not answer, as you say.")
    if (
        flags is not None
        or tasks.get(one.task).pairs
        or {"unanswered", "refusals", "abstained", "states"} & {*one.said}
        or any(question.key == "abstained" for question in one.questions)
    ):
        return
    words = {word for name in judged_columns(one) for word in words_of(one.frame[name])}
    meant = {one.options.get("verdicts", {}).get(word, meaning(word)) for word in words}
    if {"unanswered", OPEN} & meant and "gold" not in one.options:
        return
    answers, verdict = answers_of(one), one.column("verdict")
    abstentions = sorted(
        {word for column in answers for word in column.drop_nulls().unique() if is_abstention(word)}
    )
    if (
        verdict is not None
        and verdict.name == "verdict"
        and names.is_ours([*words])
        and not abstentions
    ):
        return  # a table by our own documentation, which has a word for abstention
    gold, choices = one.column("gold"), list[Choice]()
    # It says that there is none
    abstentions += [""] if gold is not None and gold.has_nulls() and verdict is None else []
    if abstentions:
        number = plural(sum(int(column.is_in(abstentions).sum()) for column in answers), "answer")
        means = f"{number} that may be abstention{judged_correct(one, abstentions)}"
        choices.append(Choice("unanswered", abstentions[:MANY], means))
    # Else they may be verdicts
    if not any(question.key == "verdict" for question in one.questions):
        yes = [name for name in one.free() if are_flags(one.frame[name], both=True)]
        choices += [
            Choice("abstained", name, sense_of(one.frame[name]) + values_of(one.frame[name]))
            for name in yes[:FEW]
        ]
    none = Choice("unanswered", False, "nothing here marks it")
    why, form = (
        "How is it marked that a system did not answer?",
        "a list of answers; or abstained=COLUMN, of yes and no",
    )
    one.ask(
        "unanswered", why, *choices, none, default=choices[0] if abstentions else none, form=form
    )
    if (empty := sum(column.null_count() for column in answers)) and verdict is not None:
        are_none = Choice("refusals", {"empty": "unanswered"}, "they are unanswered")
        as_judged = Choice("refusals", False, "they are what they were judged")
        one.ask(
            "refusals",
            f"What are {plural(empty, 'empty answer')}?",
            are_none,
            as_judged,
            default=are_none,
        )


def judged_columns(one: Draft) -> list[str]:
    """Return the columns with verdicts."""
    several = [*one.options.get("assessors", {}).values(), *one.options.get("systems", [])]
    return [name for name in [*one.parts("verdict"), *several] if name in one.frame.columns]


def are_flags(values: pl.Series, both: bool = False) -> bool:
    """Return whether a column has yes or no, or both of them, and nothing else."""
    meant = {flag(word) for word in words_of(values)}
    return bool(meant) and None not in meant and len(meant) > both


def sense_of(flags: pl.Series) -> str:
    """Return what a yes in a column that marks abstention means, as the start of a remark."""
    sense = "answered" if names.marks_answers(flags.name) else "unanswered"
    return f"yes: {sense}; " if are_flags(flags) else ""


def answers_of(one: Draft) -> list[pl.Series]:
    """Return the columns with answers."""
    systems = one.options.get("systems", []) if "gold" in one.options else []
    proposed = any(
        choice.key == "systems" for question in one.questions for choice in question.choices
    )
    systems = (
        one.free() if proposed and "gold" in one.roles and "answer" not in one.roles else systems
    )
    every = [
        one.column("answer"),
        *(one.frame[name] for name in systems if name in one.frame.columns),
    ]
    return [column for column in every if column is not None]


def judged_correct(one: Draft, abstentions: list[str]) -> str:
    """Return how many of these answers were judged correct, as a part of a sentence; empty if none
    was."""
    verdict, answer = one.column("verdict"), one.column("answer")
    if verdict is None or answer is None:
        return ""
    right = [
        word
        for word in words_of(verdict)
        if one.options.get("verdicts", {}).get(word, word) == "correct"
    ]
    number = int((answer.is_in(abstentions) & verdict.is_in(right)).sum())
    return f", {number:,} of them judged correct" if number else ""


def add_states(one: Draft, flags: pl.Series) -> None:
    """Set the meaning of the words in a column that marks abstention; ask where they are not yes
    and no."""
    given, words = one.said.get("states") or {}, words_of(flags)
    by_flag: dict[bool | None, str] = {True: "unanswered", False: "answered"}
    if names.marks_answers(flags.name):
        by_flag = {True: "answered", False: "unanswered"}
    meant = {word: given.get(word) or by_flag.get(flag(word), OPEN) for word in words}
    if OPEN in meant.values() or len(words) > FEW:
        why = (
            f"{flags.name!r} has words without a documented meaning: {listed(words)}. What "
            "is each of them?"
        )
        form = "each one of answered, unanswered, error"
        choices = (
            Choice("states", dict(list(meant.items())[:FEW]), form),
            Choice("abstained", False, "it marks something else"),
        )
        one.questions.append(Question("states", why, choices, form=form))
    one.options["states"] = meant or {"true": "unanswered"}


def ask_repetitions(one: Draft) -> None:
    """Ask what several rows of one response are, and what rows without a question are."""
    if "question" not in one.roles:
        return
    key = [name for role in ("run", "question", "candidate", "epoch") for name in one.parts(role)]
    if any(question.key == "question" for question in one.questions):  # then by the text, too
        key += one.parts("asked")
    key = list(dict.fromkeys(key))
    unnamed = pl.any_horizontal(pl.col(one.parts("question")).is_null())
    without, rows = int(one.frame.select(unnamed.sum()).item()), one.frame
    if 0 < without < rows.height:
        drop = Choice("empty_questions", "drop", "leave them out")
        one.ask(
            "empty_questions",
            f"What are {plural(without, 'row')} without a question?",
            drop,
            default=drop,
        )
        rows = rows.filter(~unnamed)
    if "duplicates" in one.said or distinct(rows, key) == rows.height:
        return
    again = rows.filter(pl.struct(key).is_duplicated())
    responses = distinct(again, key)
    told = list(dict.fromkeys([*judged_columns(one), *one.parts("answer")]))
    same = bool(told) and distinct(again, [*key, *told]) == responses
    kept = (
        {"same": "keep one of them"}
        if same
        else {"first": "keep the first row", "last": "keep the last row"}
    )
    kept |= (
        {"unscored": "nobody knows: they are unscored"}
        if not same and one.column("verdict") is not None
        else {}
    )
    ways = [*apart(one, rows, key)]
    choices = (*ways, *(Choice("duplicates", value, means) for value, means in kept.items()))
    differ = "say the same" if same else "say different things"
    example = " and ".join(
        again.select(pl.col(key).exclude(FILE).cast(pl.String).fill_null("")).row(0)
    )
    why = (
        f"{plural(responses, 'response')} with several rows, which {differ}, such as "
        f"{shown(example)}. What are they?"
    )
    one.questions.append(
        Question("duplicates", why, choices, default=choices[-1] if same and not ways else None)
    )


def distinct(rows: pl.DataFrame, columns: list[str]) -> int:
    """Return how many different rows there are in these columns of text."""
    codes = [pl.col(name).cast(NAME).to_physical() for name in dict.fromkeys(columns)]
    if len(codes) == 2:  # as one number, in a tenth of the time
        high, low = (code.cast(pl.UInt64).fill_null(2**32 - 1) for code in codes)
        return int(rows.select((high * 2**32 + low).n_unique()).item())
    return int(rows.lazy().select(codes).unique().select(pl.len()).collect().item())


def apart(one: Draft, rows: pl.DataFrame, key: list[str]) -> Iterator[Choice]:
    """Yield the choices by which a column, or two, tell the rows of one response apart."""
    told = {
        name
        for role in ("verdict", "answer", "gold", "asked", "confidence", "explanation")
        for name in one.parts(role)
    }
    may = [
        name
        for name in one.table.columns
        if name not in {*key, *told} and 1 < rows[name].n_unique() <= rows.height / 2
    ]
    single = [(name,) for name in may if distinct(rows, [*key, name]) == rows.height]
    pairs = combinations(may[:FEW], 2) if not single else []
    double = [two for two in pairs if distinct(rows, [*key, *two]) == rows.height]
    run, question = one.parts("run"), one.parts("question")
    if "verdict" not in one.roles and not moded(one):
        for (name,) in single[:1]:
            values = [
                other
                for other in one.free()
                if other != name and not unknown(words_of(rows[other])[:FEW])
            ]
            if not values:
                continue
            yield Choice(
                "pivot",
                {name: values[0]},
                f"each {name!r} is a column of its own, with values from {values[0]!r}",
            )
    for found in (single or double)[:3]:
        said = " and ".join(map(repr, found))
        before = [] if run == [FILE] else run
        yield Choice(
            "run",
            [*before, *found] if len(before) + len(found) > 1 else found[0],
            f"each {said} is a run of its own",
        )
        yield Choice("question", [*question, *found], f"an id is another question in each {said}")
        if len(found) == 1 and numbers.wholes(rows[found[0]]).null_count() == 0:
            yield Choice("epoch", found[0], f"{said} numbers the times that a question was asked")


def leave_out_unfit(one: Draft) -> None:
    """Leave out columns whose values do not fit their roles, with a note."""
    for role in ("confidence", "epoch", "category", "has_answer", "unanswerable"):
        column = one.column(role)
        if column is not None and role not in one.said and (why := unfit(one, role, column)):
            del one.roles[role]
            one.notes.append(f"{column.name!r} is left out as {role}: {why}.")


def unfit(one: Draft, role: str, column: pl.Series) -> str:
    """Return why the values of a column do not fit its role; empty if they do."""
    there = column.drop_nulls()
    if role == "confidence":
        number = numbers.reals(there)
        return (
            ""
            if number.null_count() == 0 and number.is_between(0, 1).all()
            else "not all values are from 0 to 1"
        )
    if role == "epoch":
        number = numbers.wholes(there)
        return (
            ""
            if number.null_count() == 0 and (number >= 0).all()
            else "not all values are whole numbers"
        )
    if role in ("has_answer", "unanswerable"):
        if one.said.get("gold") or one.said.get("normalise"):
            return "the gold answers say it"
        if role == "unanswerable" and "has_answer" in one.roles:
            return f"{one.roles['has_answer']!r} says it"
        if not are_flags(column):
            return "not all values are yes or no"
    question = one.parts("question")
    if question and distinct(one.frame, [*question, column.name]) > distinct(one.frame, question):
        return "it is not the same on all rows of a question"
    return ""


def placed(one: Draft) -> dict[str, Any]:
    """Return the options `columns`, `run`, `question`, `ignore`, with ??? for what is open."""
    roles = dict(one.roles)
    gold, verdict = roles.pop("gold", None), roles.pop("verdict", None)
    if verdict and not moded(one):
        roles |= {"verdict": verdict} | (
            {"target": gold} if gold and not tasks.get(one.task).pairs else {}
        )
    if "abstained" in roles:
        roles["state"] = roles.pop("abstained")
    asked = {question.key for question in one.questions} & {
        "question",
        "run",
        "verdict",
        "abstained",
    }
    options, columns = split(
        roles | {{"abstained": "state"}.get(role, role): OPEN for role in asked}
    )
    return options | {"columns": columns} | ({} if "layout" in one.options else {"ignore": "rest"})


def split(roles: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return roles as options: several columns, or a pattern, for run and question; and `columns`
    for all others."""
    options, columns = {}, {}
    for role in dict.fromkeys(("question", "run", "verdict", "answer", *roles)):
        value = roles.get(role)
        if role == "run" and isinstance(value, list):
            value = "-".join(f"{{{name}}}" for name in value)
        if role in ("run", "question") and (
            isinstance(value, list) or own_columns.NAME.search(str(value))
        ):
            options[role] = value
        elif value is not None:
            columns[role] = value
    return options, columns


def unread(one: Draft) -> dict[str, Any]:
    """Return the options that the user gives and that nothing else has placed."""
    own = {
        "judged",
        "gold",
        "verdicts",
        "correct_from",
        "states",
        "systems",
        "assessors",
        *shapes.SHAPES,
        *ROLES,
    }
    own |= {"official"} if "assessors" not in one.options else set()
    if one.said.get("unanswered") and "answer" not in one.roles and "gold" not in one.options:
        own.add("unanswered")
        one.notes.append("No column has answers that `unanswered` could be among.")
    own |= {
        key
        for key, value in one.said.items()
        if value is False or (key == "missing" and isinstance(value, str))
    }
    return {key: value for key, value in one.said.items() if key not in own}


def words_of(values: pl.Series) -> list[str]:
    """Return the different words of a column, the commonest first."""
    counts = values.drop_nulls().value_counts(sort=True)
    return counts.sort("count", values.name, descending=[True, False])[values.name].to_list()


def unknown(words: list[str]) -> list[str]:
    """Return the words without a documented meaning."""
    return [word for word in words if meaning(word) is None]


def is_numeric(values: pl.Series) -> bool:
    """Return whether all values of a column are numbers."""
    there = values.drop_nulls()
    return bool(len(there)) and numbers.reals(there).null_count() == 0


def values_of(values: pl.Series) -> str:
    """Return the number of different values of a column, and the commonest of them with their
    numbers."""
    counts = (
        values.drop_nulls()
        .value_counts(sort=True)
        .sort("count", values.name, descending=[True, False])
    )
    most = 1 if len(counts) and counts["count"][0] == 1 else SHOWN
    first = [
        short(value) + (f" ({number:,})" if number > 1 else "")
        for value, number in counts.head(most).iter_rows()
    ]
    empty = [f"empty ({values.null_count():,})"] if values.null_count() else []
    return (
        f"{len(counts):,} different: {', '.join([*first, *['…'] * (len(counts) > most), *empty])}"
    )


def short(value: object) -> str:
    """Return a value on one line, cut."""
    return re.sub(r"\s+", " ", shown(value, 30))
