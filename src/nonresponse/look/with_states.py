"""Adds to the source of a table what its flags, errors and texts say, beside any verdict."""

import polars as pl

from nonresponse import tasks
from nonresponse.faults import OWN_BLOCK, Fault, listed, shown
from nonresponse.formats import numbers, own_columns
from nonresponse.formats.grades import NO_ERROR, by_number
from nonresponse.formats.roles import called
from nonresponse.look import Source, beside, keys, questions
from nonresponse.look.table import Table, are_shares
from nonresponse.wording import plural

NO_TEXT = r"(?i)^\W*(error|exception|failed|timeout)"  # how a text begins that stands for an answer that failed
OF_ASKED = {"has_answer": "an answer", "unanswerable": "none"}
DOCUMENTED = {"has_answer", "answerable", "unanswerable", "is_impossible", "should_abstain"}  # names of such columns


def with_states(table: Table, source: Source) -> Source:
    """The source with the columns of states, errors and texts, and with what these leave open."""
    options = source.options
    if source.part not in ("graded", "runs") or options.get("layout") == "wide" or tasks.get(source.task).pairs:
        return source
    table = table._replace(beside=but_right(table, options))
    columns, answer = dict(table.beside.columns), table.pair()[1]
    if answer and "gold" not in options:  # named even if its name is `answer`, so that answers are shown
        columns = {"answer": answer, **columns}
    if source.part == "graded" and "gold" not in options:
        columns |= table.asked | to_read(table, {*options.get("columns", {}).values(), *columns.values()}, options)
    if source.part == "graded" and (others := misnamed(table, options)):
        what = are_misnamed(others)
        source = source._replace(options=options | {"ignore": others}, undecided=(*source.undecided, what))
        options = source.options
    undecided, how = list(table.beside.undecided), {**source.how, **table.beside.how}
    if "unanswered" in options.get("verdicts", {}).values():  # surer than a flag recognised by its name
        how |= {state: what for state, what in source.how.items() if state == "unanswered"}
    told = source.part == "graded" and "gold" not in options
    for ours, name in table.asked.items() if told and not {*table.asked.values()} & DOCUMENTED else ():
        undecided.append(f"whether {shown(name)} says which questions have {OF_ASKED[ours]}: here so (`{ours}:`)")
    verdict, known = options.get("columns", {}).get("verdict", "verdict"), {word: word for word in tasks.VERDICTS}
    judged = "gold" not in options and verdict in table.frame.columns
    words = {**known, **options.get("verdicts", {})}
    said = table.frame[verdict].replace_strict(words, default=None, return_dtype=pl.String) if judged else pl.Series()
    error = columns.get("error")
    if error and (why := no_breakdown(table, error, states_of(table, options))):
        what = f"whether {shown(error)} is a breakdown: here not, as {why}"
        undecided = [what if one == beside.broke_down(error) else one for one in undecided]
        del columns["error"]
        how.pop("error", None)
    if judged and "state" in columns:
        none = [word for word, state in table.beside.states.items() if state == "unanswered"]
        flagged = own_columns.with_patterns(table.frame, table.path, columns)[columns["state"]].is_in(none)
        flagged &= ~questions.unanswerable(table.frame, table.asked)  # where abstaining is right, the two agree
        if number := int((flagged & (said == "correct")).sum()):
            undecided.append(
                f"how to count {plural(number, 'response')} marked both unanswered and right: here as unanswered"
            )
    empty = table.frame[answer].is_null() if judged and answer and "state" not in columns else pl.Series([False])
    if number := int((empty & said.is_in(["correct", "wrong"])).sum()):
        undecided.append(f"what {plural(number, 'response')} without a text are: here what {shown(verdict)} says")
    more = {"columns": options.get("columns", {}) | columns} if columns else {}
    states = {"states": table.beside.states} if "state" in columns else {}
    return source._replace(options=options | more | states, undecided=(*source.undecided, *undecided), how=how)


def but_right(table: Table, options: dict) -> beside.Beside:
    """What the table says beside verdicts, without columns of few words (beside.sparse) that stand at right answers."""
    said, right = table.beside, states_of(table, options) == "correct"
    for name, _ in said.sparse if "gold" not in options else ():
        if number := int((right & table.frame[name].is_not_null()).sum()):
            said = beside.without(said, name, are_right(number))
    return said


def states_of(table: Table, options: dict) -> pl.Series:
    """The verdict of each row, by its words, its number or the right answer; null where there is none."""
    columns = options.get("columns", {})
    verdict, answer = options.get("official") or columns.get("verdict", "verdict"), columns.get("answer", "answer")
    if gold := options.get("gold"):
        right = (keys.answer(answer) == keys.same(gold)).cast(pl.String)
        return table.frame.select(right.replace({"true": "correct", "false": "wrong"})).to_series()
    if verdict not in table.frame.columns:
        return pl.Series([None] * table.frame.height, dtype=pl.String)
    if "correct_from" in options:
        return by_number(table.frame[verdict], options["correct_from"])
    words = {word: word for word in tasks.VERDICTS} | options.get("verdicts", {})
    return table.frame[verdict].replace_strict(words, default=None, return_dtype=pl.String)


def no_breakdown(table: Table, error: str, said: pl.Series) -> str:
    """Why what stands in a column is no breakdown of the system, but a mistake in its answers; "" if it may be one."""
    broken = ~table.frame[error].str.to_lowercase().is_in(NO_ERROR).fill_null(True)
    yes, answer = beside.boolean(table.words(error)) is not None, table.pair()[1]
    if not yes and beside.are_failures(table.frame[error].filter(broken)):
        return ""
    if right := int((broken & (said == "correct")).sum()):
        return are_right(right)
    if said.null_count() < len(said) and (broken == (said == "wrong")).all():
        return f"it {'is true' if yes else 'stands'} where an answer is wrong"
    if not answer:
        return ""
    given = table.frame.select(~keys.silent(answer) & ~pl.col(answer).str.contains(NO_TEXT)).to_series()
    number = int((given & broken & said.is_not_null()).sum())
    have = f"{plural(number, 'response')} with it {'has' if number == 1 else 'have'} an answer"
    return have if 2 * number >= broken.sum() > 0 else ""


def are_right(number: int) -> str:
    """That so many responses are right, though a column says something of them."""
    return f"{plural(number, 'response')} with it {'is' if number == 1 else 'are'} right"


def failed_judges(table: Table, source: Source) -> Fault | None:
    """A fault if some rows have an error of a judge and a verdict all the same; else null."""
    verdict = source.options.get("columns", {}).get("verdict", "verdict")
    for name in table.beside.of_judges if verdict in table.frame.columns else ():
        failed = ~table.frame[name].str.to_lowercase().is_in(NO_ERROR).fill_null(True)
        if number := int((failed & table.frame[verdict].is_not_null()).sum()):
            rows = f"{plural(number, 'row')} with a verdict in {shown(verdict)}"
            found = f"{rows}, and an error of a judge in {shown(name)}"
            return Fault(table.path, 0, found, "an empty verdict there, or `columns:` in " + OWN_BLOCK)
    return None


def to_read(table: Table, used: set[str], options: dict) -> dict[str, str]:
    """The columns of texts for people to read: the question, the right answer, and the judge's explanation."""
    judges = {*options.get("assessors", {}).values(), options.get("run")}
    names = [name for name in table.frame.columns if name not in {*used, *judges, table.question}]
    gold = table.pair()[0]
    found = {"asked": called(names, "asked"), "target": gold, "explanation": called(names, "explanation")}
    return {ours: name for ours, name in found.items() if name in names}


def are_misnamed(names: list[str]) -> str:
    """The question that such columns leave open; "" without any."""
    said = f"whether {listed(names)} are what they are called: here not, as what stands in them is something else"
    return said if names else ""


def misnamed(table: Table, options: dict) -> list[str]:
    """The columns that have one of our names but do not hold what it means: a `score` of words, for instance."""
    used = {*options.get("columns", {}).values(), options.get("gold"), options.get("run")}
    there = [name for name in table.frame.columns if name not in used]
    fits = {
        "confidence": are_shares,
        **dict.fromkeys(("epoch", "rank", "position"), lambda values: not numbers.wholes(values).has_nulls()),
        "score": lambda values: numbers.reals(values).null_count() == values.null_count(),
        "category": lambda values: bool(table.category(["category"])),
    }
    return [name for name, is_fit in fits.items() if name in there and not is_fit(table.frame[name])]
