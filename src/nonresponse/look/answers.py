"""Recognises tables of answers, with or without right answers, long or wide; and wide tables of verdicts."""

import json
from itertools import combinations

import polars as pl

from nonresponse.faults import OWN_BLOCK, OWN_VERDICT, Fault, listed, shown
from nonresponse.formats import numbers
from nonresponse.formats.grades import squad
from nonresponse.formats.roles import called, parts, plain, says_wrong
from nonresponse.formats.text import stem
from nonresponse.look import Source, keys
from nonresponse.look.names import JUDGING, NUMBERED, is_flag, is_measured, judging, right_and_given
from nonresponse.look.table import BELOW_0, EXPECTED, Table, named_by_file, renamed, silences, tabular, unsaid
from nonresponse.look.words import KEYS, below_0, may_be_answers, meanings, verdict
from nonresponse.wording import plural

FEW = 4  # two systems that each say yes to this many questions should agree on at least one yes
SOME = 3  # of this many answers, one should equal the right answer if comparing the texts makes sense
WITHIN = 0.1  # if more than this share of the answers contain the right one, answers are sentences
WORDS = 6  # a right answer of this many words or more is a sentence
# Words in names of columns that are made of those of systems, with no others but JUDGING and OF_ALL (all_correct).
OF_OTHERS = ("avg", "average", "mean", "total", "sum", "overall", "all", "any", "both", "every", "majority")
OF_ALL = ("acc", "of", "the", "models", "systems", "vote")
SAME = 0.1  # if more than this share of the answers equal the right sentence, sentences are options to choose from


def answers(table: Table) -> Source | Fault:
    """A table of answers and right answers, long or wide, or of either alone; else what `wide_verdicts` makes of it."""
    gold, answer = table.pair()
    if gold and answer and len(stated := table.stated()) > 1:
        found = f"answers, right ones, and verdicts in {listed(stated)}"
        return Fault(table.path, 0, found, f"{OWN_VERDICT} or `assessors:`")
    if gold and answer:
        return long_with_gold(table, gold, answer)
    first, second = right_and_given(table.names)
    if first and second and first == answer:
        which = "of which one may be taken from the other, or be the right one"
        found = f"two columns of answers, {listed([first, second])}, {which}"
        return Fault(table.path, 0, found, "`columns: {answer: …}` or `gold:` in " + OWN_BLOCK)
    key = gold or answer
    if key and not called(table.names, "run"):
        others = table.others(key, called(table.names, "category") or "")
        others = [name for name in others if is_measured(name) and not judging(name) and not is_flag(name)]
        if systems := [name for name in others if keys.same_words(table.frame[key], table.frame[name])]:
            telling = [name for name in table.names if judging(name) and meanings(table.words(name))]
            if telling := [*telling, *table.beside.columns.values()]:
                found = f"right answers, answers in {listed(systems)}, and {listed(telling)}, which say more of them"
                return Fault(table.path, 0, found, "`columns: {answer: …}` in " + OWN_BLOCK)
            such = f"{plural(len(systems), 'column')} of such answers"
            why = f"it has questions, right answers in {shown(key)}, and {such}"
            passed = [name for name in table.others(key, *systems) if judging(name)]
            passed = [name for name in passed if keys.same_words(table.frame[key], table.frame[name])]
            undecided = (*are_systems(table, key, systems, passed), *silences(table.frame, systems))
            options = tabular(**table.wide(key, *systems), gold=key)
            return Source(table.path, "graded", options, why, undecided)
    if key and (gold or any(word in KEYS for word in plain(stem(table.path)).split("_"))):
        columns = renamed({"question": table.question, "answer": key})
        why = f"it has questions, and right answers in {shown(key)}"
        return Source(table.path, "judgments", tabular(columns=columns, closed=True), why)
    if answer:
        columns = table.columns(answer=answer)
        columns.pop("category", None)
        why = f"it has questions, answers in {shown(answer)}, and nothing that judges them"
        undecided = (*silences(table.frame, [answer]), *named_by_file(table))
        # A column called just `answer` may hold right answers, where an empty field means that a question has none.
        given = called(table.names, "run") or plain(answer) not in ("answer", "answers")
        empty = given and 0 < table.frame[answer].null_count() < table.frame.height
        tells = bool(table.beside.columns or empty)
        countable = {"answer": answer, **table.asked} if tells else None
        return Source(table.path, "runs", tabular(columns=columns), why, undecided, countable=countable)
    return wide_verdicts(table)


def long_with_gold(table: Table, gold: str, answer: str) -> Source:
    """Graded responses from a row per answer with its right answer; with a `doubt` where comparing the texts fails."""
    expected = "a column that says which answers are right, or `gold:` in " + OWN_BLOCK
    said = incomparable(table.frame, gold, answer)
    found = f"answers in {shown(answer)} and right ones in {shown(gold)}, {said}"
    why = f"it has questions, answers in {shown(answer)}, and right answers in {shown(gold)}"
    undecided = ["whether answers that are not letter by letter the right one are wrong: here they are"]
    small = pl.col(answer).str.to_lowercase() == pl.col(gold).str.to_lowercase()
    if number := table.frame.select((small & (pl.col(answer) != pl.col(gold))).sum()).item():
        near = f"{plural(number, 'answer')} with other capitals than the right one"
        undecided.append(f"whether {near} {'is' if number == 1 else 'are'} right: here not (`normalise: squad`)")
    undecided += silences(table.frame, [answer]) + never_right(table.frame, gold, answer) + named_by_file(table)
    options = tabular(columns=table.columns(answer=answer), gold=gold)
    how = {"correct": f"sure: the text of {shown(gold)}", "wrong": f"likely: another text than {shown(gold)}"}
    how |= {"unanswered": "likely: an empty field"}
    doubt = Fault(table.path, 0, found, expected) if said else None
    return Source(table.path, "graded", options, why, tuple(undecided), how=how, doubt=doubt)


def are_systems(table: Table, key: str, names: list[str], passed: list[str]) -> list[str]:
    """The questions that columns of a wide table leave open; `passed`: those like systems but for their names."""
    used = {"line", table.question, key, *names, *table.category(table.names).values()}
    ignored = json.dumps([name for name in table.frame.columns if name not in used], ensure_ascii=False)
    which = f"whether {listed(names)} are the systems (`ignore: {ignored}`)"
    too = f"whether {listed(passed)} {'is one' if len(passed) == 1 else 'are some'}, too: here not, by the name"
    return [which, too] if passed else [which]


def of_others(name: str) -> bool:
    """Whether a column is named as one that is made of those of systems: avg, all_correct."""
    words = parts(name)
    return words[0] in OF_OTHERS and {*words[1:]} <= {*OF_OTHERS, *OF_ALL, *JUDGING}


def is_given(name: str, values: pl.Series) -> bool:
    """Whether a column may hold the answers of one system, by its name (generated_answer_clean) and its texts."""
    made = {*parts(name)} & {"generated", "predicted", "prediction", "generation", "response", "completion"}
    known = values.drop_nulls()
    texts = len(known) and not numbers.are_reals(known) and known.n_unique() > SOME and not meanings([*known.unique()])
    return bool(made and texts) and parts(name)[-1] != "id"


def never_both(table: Table, names: list[str]) -> list[str]:
    """The first two columns that each say yes to FEW questions or more, but never to the same; empty if there are none.

    Two systems are sometimes right on the same question, whereas a flag of right answers and one of silence are never
    both yes.
    """
    yes = {name: table.frame[name].map_elements(verdict, pl.String) == "correct" for name in names}
    some = [name for name in names if yes[name].sum() >= FEW]
    apart = ([one, other] for one, other in combinations(some, 2) if not (yes[one] & yes[other]).any())
    return next(apart, [])


def never_right(frame: pl.DataFrame, gold: str, answer: str) -> list[str]:
    """An open question on letters that are given as answers but are never right, such as E if the key has A to D.

    [] if there are none.
    """
    key, said = frame[gold].drop_nulls().unique(), frame.filter(~keys.silent(answer))[answer].value_counts()
    if not all(len(word) == 1 and word.isalpha() for word in [*key, *said[answer]]):
        return []
    other = said.filter(~pl.col(answer).is_in(key.implode())).sort(answer).rows()
    some = ", ".join(f"{shown(word)} ({count:,} times)" for word, count in other)
    which = f"whether {some}, which no question has for a right answer, means none: here wrong (`unanswered:`)"
    return [which] if 0 < len(other) < said.height else []


def incomparable(frame: pl.DataFrame, gold: str, answer: str) -> str:
    """Why comparing answers with the key as texts cannot tell right from wrong; "" if it can."""
    said = frame.filter(~keys.silent(answer))
    said = said.select(right=squad(pl.col(gold)), given=squad(pl.col(answer))).drop_nulls()
    equal = (said["right"] == said["given"]).sum()
    listed_in = [frame[name].drop_nulls().str.contains(r"^\s*\[.*\]\s*$") for name in (gold, answer)]
    if listed_in[0].any() and not listed_in[1].any():
        return "which are lists"
    right, given = pl.col("right"), pl.col("given")
    longer = said.filter(given != right, given.str.contains(right, literal=True))
    if not said.height:
        return "none of which is given"
    if said.height >= SOME and not equal and not keys.same_words(frame[gold], frame[answer]):
        return f"none of {said.height:,} of which is the right one"
    sentences = said["right"].str.count_matches(r"\S+") >= WORDS
    if 2 * sentences.sum() > said.height and equal <= SAME * said.height:
        return f"most of them sentences, of which {equal:,} of {said.height:,} are the right one letter by letter"
    if longer.height > WITHIN * said.height:
        have = "has" if longer.height == 1 else "have"
        return f"{plural(longer.height, 'answer')} of which {have} the right one within"
    return ""


def wide_verdicts(table: Table) -> Source | Fault:
    """Graded responses of a table with a row per question and a column of verdicts per system; a fault if unsure."""
    said = {name: table.words(name) for name in table.names if is_measured(name)}
    if table.beside.columns and len([name for name, words in said.items() if meanings(words)]) > 1:
        found = f"columns of verdicts, and which responses are none or failed in {listed(table.beside.taken)}"
        return Fault(table.path, 1, found, "a row for each response, since a wide table cannot say it of one")
    if low := [name for name, words in said.items() if below_0(words) and plain(name) not in NUMBERED]:
        return Fault(table.path, 1, f"the columns {listed(low)} with numbers such as -1", BELOW_0)
    known = [name for name, words in said.items() if meanings(words)]
    graded = [name for name in known if not is_flag(name) and not of_others(name)]
    words = sorted({word for name in graded for word in said[name]})
    ways = meanings(words)
    if len(graded) < 2 or not ways or any(way != ways[0] for way in ways):
        found = f"no column of answers or verdicts that are known among {listed(table.names)}"
        return Fault(table.path, 1, found, EXPECTED)
    if all(len(word) == 1 and word.isalpha() for word in words):
        found = f"the columns {listed(graded)}, whose letters {listed(words)} may be answers or verdicts"
        return Fault(table.path, 1, found, "a column of right answers beside them, or " + OWN_BLOCK)
    if may_be_answers(words) and len({*ways[0].values()}) < 2:
        found = f"the columns {listed(graded)} with nothing but {listed(words)}"
        return Fault(table.path, 1, found, "answers, or verdicts of which some differ")
    if may_be_answers(words) and (apart := never_both(table, graded)):
        found = f"yes and no in {listed(apart)}, never both yes: of two systems, or two things that are said of one"
        which = "`systems:` and `layout: wide`, or `columns:`, in " + OWN_BLOCK
        return Fault(table.path, 0, found, which)
    if given := [name for name in table.others(*graded) if is_given(name, table.frame[name])]:
        found = f"verdicts in {listed(graded)}, beside what may be the answers that they judge: {listed(given)}"
        return Fault(table.path, 0, found, "`columns: {verdict: …, answer: …}` in " + OWN_BLOCK)
    if may_be_answers(words) and all(map(says_wrong, graded)):
        found = f"yes and no in {listed(graded)}, of which yes may mean wrong, by their names"
        return Fault(table.path, 0, found, "`verdicts:` and `layout: wide` in " + OWN_BLOCK)
    why = f"it has questions, and {len(graded)} columns of verdicts ({listed(ways[0])})"
    made = [name for name in known if of_others(name)]
    undecided = [*are_systems(table, "", graded, made), *unsaid(table, ways[0], graded)]
    if flags := [name for name in known if is_flag(name) and name not in made]:
        undecided.append(f"whether {listed(flags)} judge answers: here not, by their names")
    if may_be_answers(words):
        undecided.append(f"whether {listed(words)} judge answers, and are not the answers themselves: here they do")
    options = tabular(**table.wide(*graded), verdicts=renamed(ways[0]) and ways[0])
    return Source(table.path, "graded", options, why, tuple(undecided))
