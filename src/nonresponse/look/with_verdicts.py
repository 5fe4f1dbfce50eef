"""Recognises tables with columns that judge answers, by their names, words, numbers, or content alone."""

import polars as pl

from nonresponse import tasks
from nonresponse.faults import OWN_BLOCK, OWN_VERDICT, Fault, listed, shown
from nonresponse.formats import numbers
from nonresponse.formats.grades import OUTCOMES
from nonresponse.formats.roles import called, parts, plain
from nonresponse.look import Source, beside, judges, keys, repetitions
from nonresponse.look.answers import long_with_gold
from nonresponse.look.names import NUMBERED, in_doubt, is_measured, judging, says_else
from nonresponse.look.table import (
    BELOW_0,
    ENOUGH,
    Table,
    are_shares,
    how_of,
    named_by_file,
    renamed,
    silences,
    tabular,
    unsaid,
    with_assessors,
)
from nonresponse.look.words import LABELS, below_0, may_be_answers, meanings


def labelled(table: Table) -> Source | None:
    label, answer = called(table.names, "label"), called(table.names, "answer")
    if not label or not answer or not (words := table.words(label)) or not {*words} <= {*LABELS}:
        return None
    more = {name: called(table.names, name) for name in ("run", "assessor")}
    columns = renamed({"question": table.question, "answer": answer, "label": label, **more})
    why = f"it has questions, answers, and labels of judgments ({listed(words)}) in {shown(label)}"
    return Source(table.path, "judgments", tabular(columns=columns), why)


def verdicts(table: Table, told: dict[str, str]) -> Source | Fault | keys.Open | None:
    """Graded responses, by a column that looks like verdicts but may hold right answers; null if there is none.

    keys.Open if the table alone does not tell which of the two the column holds.
    """
    gold, answer = table.pair()
    candidates = [name for name in table.like_verdicts() if table.words(name)]
    kinds = {name: told.get(name) or keys.kind(table.frame, table.question, name, gold, answer) for name in candidates}
    sure = [name for name in candidates if kinds[name] == keys.VERDICTS]
    if readable := [name for name in sure if meanings(table.words(name))]:
        labels = [name for name in readable if is_label(table, name, gold, answer)]
        others = [name for name in readable if name not in labels] or readable
        source = with_verdicts(table, sorted(others, key=lambda name: never_right(table, name)))
        if labels == readable and isinstance(source, Source):
            found = f"yes and no, or 1 and 0, in {listed(labels)}, which may judge answers or say what a question is"
            which = f"{OWN_VERDICT}, or no such column"
            return source._replace(doubt=Fault(table.path, 0, found, which))
        return source
    for name in candidates:
        if answer and kinds[name] == keys.KEY:
            return long_with_gold(table, gold or name, answer)
        if answer and kinds[name] is None:
            rows = table.frame.select(asked=table.question, said=name, given=answer)
            return keys.Open(table.path, name, answer, rows)
    return next((below(table, name) for name in sure if below_0(table.words(name))), None)


def never_right(table: Table, name: str) -> bool:
    """Whether a column of verdicts has empty fields, and no word for right: others, if any, say what is right."""
    return table.frame[name].has_nulls() and not any(
        "correct" in meant.values() for meant in meanings(table.words(name))
    )


def is_label(table: Table, name: str, gold: str | None, answer: str | None) -> bool:
    """Whether a yes-no column may describe a question, or its outcome, instead of judging answers.

    It is named `label`, or `outcome` in a table without answers, and its content does not depend on the answers.
    """
    words = parts(name)
    named = words[:1] == ["label"] or (words[-1:] == ["outcome"] and not answer)
    if not named or beside.boolean(table.words(name)) is None:
        return False
    of_question = table.frame.group_by(table.question).agg(pl.col(name).drop_nulls().n_unique().alias("said"))
    said = judges.right_of(table.frame[name])
    follows = gold and answer and said is not None and judges.follows(table.frame, said, gold, answer)
    return not (of_question["said"] > 1).any() and not follows


def with_verdicts(table: Table, readable: list[str]) -> Source | Fault:
    """Graded responses whose verdicts are in the first of these columns, or in a more detailed one (judges.finer)."""
    coarse, verdict = readable[0], judges.finer(table.frame, readable[0], table.others(readable[0]))
    if isinstance(verdict, Fault):
        return verdict._replace(file=table.path)
    verdict = verdict or coarse
    words = table.words(verdict)
    possible = meanings(words)
    meant, *other = possible
    if any(one != meant for one in other):
        found = f"the column {shown(verdict)}, whose words may mean {' or '.join(map(str, possible))}"
        return Fault(table.path, 0, found, OWN_BLOCK)
    # Other columns with the same words may be verdicts of other assessors.
    others = [*dict.fromkeys([*readable, *table.others(verdict)])]
    others = [name for name in others if name != coarse and is_measured(name) and not repetitions.are_times(name)]
    more = [name for name in others if name != verdict and (own := {*table.words(name)}) and own <= {*words}]
    answer = table.pair()[1]
    alone = (
        not answer
        and not table.beside.columns
        and not called(table.names, "run")
        and table.frame[table.question].is_unique().all()
    )
    if alone and may_be_answers(words) and (systems := [name for name in more if name not in readable]):
        either = f"may be {keys.VERDICTS} or {keys.KEY}: {listed(systems)} have its words, too"
        return Fault(table.path, 0, f"the column {shown(verdict)}, which {either}", keys.ITSELF.format(verdict))
    said = {name: table.words(name) for name in others if name not in (verdict, *more)}
    # So may columns with other words of verdicts, if these cannot be answers, or the column is named as a judge.
    more += [
        name
        for name, own in said.items()
        if meanings(own) and (name in readable or judging(name) or not may_be_answers(own))
    ]
    task = "validation" if {*meant.values()} & {*OUTCOMES} else "qa"
    said_in = {"answer": answer} if answer and not tasks.get(task).pairs else {}
    undecided = unsaid(table, meant, [verdict], task)
    undecided += [f"whether {listed(more)} are verdicts of others (`assessors:`)"] if more else []
    if answer and keys.decided(table.frame, table.question, verdict, answer) == keys.KEY:
        undecided.append(f"whether {shown(verdict)} judges the answers: it is the same for all of a question")
    why = f"it has questions, and verdicts ({listed(meant)}) in {shown(verdict)}"
    options = tabular(columns=table.columns(verdict=verdict, **said_in), verdicts=renamed(meant) and meant)
    undecided += silences(table.frame, [answer]) if answer else []
    how = how_of(meant, shown(verdict))
    return Source(table.path, "graded", options, why, (*undecided, *named_by_file(table)), task, how)


def below(table: Table, verdict: str) -> Source | Fault:
    """Graded responses with -1, 0 and 1, where 0 is silence; a fault unless 0 is on exactly the silent answers."""
    words, answer = table.words(verdict), table.pair()[1]
    if not answer or not keys.silent_at_0(table.frame, verdict, answer):
        return Fault(table.path, 0, f"the column {shown(verdict)} with the numbers {listed(words)}", BELOW_0)
    names = {-1: "wrong", 0: "unanswered", 1: "correct"}
    meant = {word: names[int(number)] for word in words if (number := numbers.real(word.strip())) is not None}
    why = f"it has questions, and in {shown(verdict)} -1, 0 and 1, of which 0 stands where there is no answer"
    undecided = (*unsaid(table, meant, [verdict]), *named_by_file(table))
    return Source(table.path, "graded", tabular(columns=table.columns(verdict=verdict), verdicts=meant), why, undecided)


def scored(table: Table) -> Source | Fault | None:
    """Graded responses with a score from 0 to 1 each; null without such a column; a fault if it is unclear which."""
    shares = [name for name in table.like_verdicts() if are_shares(table.frame[name])]
    score = next((name for name in shares if not meanings(table.words(name))), None)
    gold, answer = table.pair()
    if score is None and answer:
        others = [name for name in table.others(gold or "", answer) if gold or judging(name)]
        others = [name for name in others if is_measured(name) and are_shares(table.frame[name])]
        others = [name for name in others if not says_else(name)] or others
        if len(others) == 1 and judging(others[0]) and not in_doubt(others[0], []):
            score = others[0]
        elif others:
            found = f"answers, and numbers from 0 to 1 in {listed(others)}"
            which = "`columns: {verdict: …}` and `correct_from:` of your own, or `gold:`"
            return Fault(table.path, 0, found, f"what says that an answer is right: {which}")
    if score is None:
        return None
    which = f"from which {shown(score)} on an answer is correct: here {ENOUGH:g} (`correct_from:`)"
    aside = [name for name in table.others(score) if says_else(name) and meanings(table.words(name))]
    flags = [f"whether {shown(name)} says more surely than {shown(score)} what is right: here not" for name in aside]
    undecided = (which, *flags, *unsaid(table, {}, [score]), *named_by_file(table))
    why = f"it has questions, and numbers from 0 to 1 in {shown(score)}"
    said_in = {"answer": answer} if answer else {}
    options = tabular(columns=table.columns(verdict=score, **said_in), correct_from=ENOUGH)
    how = dict.fromkeys(("correct", "wrong"), f"likely: {ENOUGH:g} in {shown(score)} is a guess of where right begins")
    return Source(table.path, "graded", options, why, undecided, how=how)


def judged_by_content(table: Table) -> Source | Fault | None:
    """Graded responses with verdicts recognised by content, whatever the columns' names; null if there are none."""
    gold, answer = table.pair()
    if not answer and not called(table.names, "run") and not table.beside.columns:
        return None
    others = [name for name in table.others(gold or "", answer or "") if plain(name) not in NUMBERED]
    score = scored(table)
    by = score.options.get("columns", {}).get("verdict", "verdict") if isinstance(score, Source) else ""
    if by and not meanings(table.words(by)):  # numbers are surer
        others = [name for name in others if not says_else(name)]
    if several := judges.of_systems(others, table.frame.columns):
        found = f"verdicts on answers of several systems in {listed(several)}"
        return Fault(table.path, 0, found, "a row for each response, or one such column")
    own = judges.among(table.frame, table.question, others, gold, answer)
    if isinstance(own, Fault):
        return own._replace(file=table.path)
    if len(own) == 1:
        source = with_verdicts(table, own)
        said = f"whether {shown(own[0])} judges the answers: its content says so, its name does not"
        if isinstance(source, Source) and not judging(own[0]):
            return source._replace(undecided=(*source.undecided, said))
        return source
    if not own:
        return None
    meant = {word: verdict for name in own for word, verdict in meanings(table.words(name))[0].items()}
    columns = {**table.columns(), **({"answer": answer} if answer and answer != "answer" else {})}
    options, which = with_assessors(own, columns, meant)
    why = f"it has responses, and what {len(own)} judges say of them ({listed(meant)})"
    undecided = (which, *unsaid(table, meant, own), *named_by_file(table))
    return Source(table.path, "graded", options, why, undecided, how=how_of(meant, "the official judge"))
