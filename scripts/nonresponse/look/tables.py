"""What the columns of a table are, by their names and by what stands in them."""

from collections.abc import Mapping
from typing import NamedTuple

import polars as pl

from nonresponse import tasks
from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import numbers, own_columns
from nonresponse.formats.grades import NO_ERROR, OUTCOMES, squad
from nonresponse.formats.roles import all_called, called, parts, plain
from nonresponse.formats.text import in_one, stem
from nonresponse.look import QUESTIONS, Source, beside, counted, judges, keys, qualities, questions, records_of
from nonresponse.look.names import NUMBERED, is_flag, is_measured, judging, right_and_given
from nonresponse.look.words import KEYS, LABELS, SILENCE, below_0, may_be_answers, meanings
from nonresponse.wording import plural

MOST = 50  # different words that a column of verdicts may have
ENOUGH = 0.5  # of a score from 0 to 1, for an answer to be correct
FEW = 8  # lists in an object that are looked at
SOME = 3  # answers, of which one should be right where they can be compared with right ones
WITHIN = 0.1  # of the answers that have the right one within them, the share from which they are sentences
MOSTLY = 0.9  # of the answers that are parts of others
ON_EACH = "a question with a verdict, a right answer or an answer on each line"
EXPECTED = f"{ON_EACH}, or a run with its counts (docs/formats.md)"
BELOW_0 = (
    "numbers from 0 to 1, or `verdicts:` in a graded: block of your own: in some files -1 is wrong, 0 silent"
    " and 1 right, in others 0 is wrong and -1 not judged"
)


class Table(NamedTuple):
    """A table, with the column of its questions and the names of its other columns."""

    path: str
    frame: pl.DataFrame
    question: str
    names: list[str]
    beside: beside.Beside  # what says of a response that it is none or failed; these columns are not among the names
    asked: dict[str, str]  # nor is the one that says whether a question has an answer (has_answer, unanswerable)

    def words(self, name: str) -> list[str]:
        """The different words of a column, sorted; of more than can be verdicts, only as many as show that."""
        return self.frame[name].drop_nulls().unique().sort().head(MOST).to_list()

    def like_verdicts(self) -> list[str]:
        """The columns that are called as verdicts are, the surest name first."""
        return all_called(self.names, "verdict")

    def pair(self) -> tuple[str | None, str | None]:
        """The columns of the right answer and of the one given; of two answers, the first may be part of the second."""
        right, given = right_and_given(self.names)
        if right and given and not called(self.names, "gold") and is_extract(self.frame, self.question, right, given):
            return None, right
        return right, given

    def others(self, *used: str) -> list[str]:
        return [name for name in self.names if name not in used]

    def category(self, names: list[str]) -> dict[str, str]:
        """The one of these columns that says of what category a question is, if it says one thing only of each."""
        own = called(names, "category")
        fits = own and self.frame.select(self.question, own).n_unique() == self.frame[self.question].n_unique()
        return {"category": own} if own and fits else {}

    def columns(self, **known: str) -> dict[str, str]:
        """`columns:` of config.yaml: those that are known, and those of the others that are called as such are."""
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
    """Our columns with the user's, as far as there are any that are not called as ours are."""
    return {ours: theirs for ours, theirs in columns.items() if theirs and ours != theirs}


def of_table(path: str, told: dict[str, str] | None = None, list_at: str = "") -> Source | Fault | keys.Open:
    """What the workflow reads a table as, or why it cannot; of columns that are `told`, whether they are verdicts.

    Of several lists in an object it is the one, if there is only one, that has graded responses.
    """
    lists = records_of.lists_in(path) if not list_at and records_of.kind_of(path) == ".json" else []
    if 1 < len(lists) <= FEW:
        read = {one: of_table(path, told, one) for one in lists}
        graded = [one for one, source in read.items() if isinstance(source, Source) and source.part == "graded"]
        if len(graded) == 1 and isinstance(source := read[graded[0]], Source):
            which = f"which list has the responses: here {shown(graded[0])}, of {listed(lists)} (`records:`)"
            return source._replace(undecided=(which, *source.undecided))
    frame, options, faults = records_of.table(path, list_at)
    if faults:
        return faults[0]
    read_as = read_with(path, frame, told or {})
    if options and isinstance(read_as, Source):
        format = {"format": "tabular"} if read_as.part != QUESTIONS else {}
        return read_as._replace(options=format | read_as.options | options)
    return read_as


def read_with(path: str, frame: pl.DataFrame, told: dict[str, str]) -> Source | Fault | keys.Open:
    """The same of a table that is read."""
    names = [name for name in frame.columns if name != "line" and not qualities.BESIDE.fullmatch(name)]
    others = [name for name in names if qualities.is_other(name, frame[name])]
    names = [name for name in names if name not in others]
    read_as = read_without(path, frame, names, told)
    if isinstance(read_as, keys.Open):
        return read_as
    if isinstance(read_as, Source) and read_as.options.get("layout") == "wide":
        left = [name for name in frame.columns if name != "line" and name not in names]
        read_as = read_as._replace(options=read_as.options | {"ignore": [*read_as.options.get("ignore", []), *left]})
    return qualities.told(read_as, others, right_and_given(names)[0])


def read_without(path: str, frame: pl.DataFrame, names: list[str], told: dict[str, str]) -> Source | Fault | keys.Open:
    """The same by these columns alone."""
    if of_counts := counted.of_table(path, frame, names):
        return of_counts
    run, question = called(names, "run"), called(names, "question")
    if run and frame[run].n_unique() > 1:  # where runs are in one file, the question is no column that numbers the rows
        question = called([name for name in names if not frame[name].is_unique().all()], "question") or question
    if question is None:
        return Fault(path, 1, f"no column for the question among {listed(names)}", EXPECTED + in_one(names))
    names = [name for name in names if name != question]
    said = beside.of_table(frame, [name for name in names if name != run])
    asked = questions.answerable(frame, names)
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
        return Fault(path, 0, found, "`columns: {state: …}` and `states:` in a graded: block of your own")
    read_as = graded or scored(table) or answers(table)
    if isinstance(read_as, Source):
        return failed_judges(table, read_as) or with_states(table, read_as)
    if graded:
        return read_as
    of_questions = questions.of_table(path, frame, question, [*table.names, *asked.values()])
    return of_questions or unjudged(table) or read_as


def with_states(table: Table, source: Source) -> Source:
    """What a table is read as, with what its flags and errors say of a response."""
    columns, options = dict(table.beside.columns), source.options
    if source.part not in ("graded", "runs") or options.get("layout") == "wide" or tasks.get(source.task).pairs:
        return source
    answer = table.pair()[1]
    if answer and "gold" not in options:  # named though it may be called so: what was answered is shown
        columns = {"answer": answer, **columns}
    if source.part == "graded" and "gold" not in options:
        columns |= table.asked | to_read(table, {*options.get("columns", {}).values(), *columns.values()}, options)
    if source.part == "graded" and (others := misnamed(table, options)):
        columns_known = (
            f"whether {listed(others)} are what they are called: here not, as what stands in them is something else"
        )
        source = source._replace(options=options | {"ignore": others}, undecided=(*source.undecided, columns_known))
        options = source.options
    undecided, how = list(table.beside.undecided), {**source.how, **table.beside.how}
    verdict, known = options.get("columns", {}).get("verdict", "verdict"), {word: word for word in tasks.VERDICTS}
    judged = "gold" not in options and verdict in table.frame.columns
    words = {**known, **options.get("verdicts", {})}
    said = table.frame[verdict].replace_strict(words, default=None, return_dtype=pl.String) if judged else pl.Series()
    full = judged and "error" in columns and not table.frame[columns["error"]].has_nulls()
    yes = beside.boolean(table.words(columns["error"])) if full else None
    if yes and (table.frame[columns["error"]].replace_strict(yes, return_dtype=pl.Boolean) == (said == "wrong")).all():
        undecided[-1] = f"whether {shown(columns.pop('error'))} is a breakdown: it is true where an answer is wrong"
        how.pop("error", None)
    if judged and "state" in columns:
        none = [word for word, state in table.beside.states.items() if state == "unanswered"]
        flagged = own_columns.with_patterns(table.frame, table.path, columns)[columns["state"]].is_in(none)
        if number := int((flagged & (said == "correct")).sum()):
            undecided.append(f"what {plural(number, 'response')} called none and right too count as: here none")
    more = {"columns": options.get("columns", {}) | columns} if columns else {}
    states = {"states": table.beside.states} if "state" in columns else {}
    return source._replace(options=options | more | states, undecided=(*source.undecided, *undecided), how=how)


def failed_judges(table: Table, source: Source) -> Fault | None:
    """A fault where a judge failed, by what its errors say, and there is a verdict all the same."""
    verdict = source.options.get("columns", {}).get("verdict", "verdict")
    for name in table.beside.of_judges if verdict in table.frame.columns else ():
        failed = ~table.frame[name].str.to_lowercase().is_in(NO_ERROR).fill_null(True)
        if number := int((failed & table.frame[verdict].is_not_null()).sum()):
            found = (
                f"{plural(number, 'row')} with a verdict in {shown(verdict)}, and an error of a judge in {shown(name)}"
            )
            return Fault(table.path, 0, found, "an empty verdict there, or `columns:` in a graded: block of your own")
    return None


def to_read(table: Table, used: set[str], options: dict) -> dict[str, str]:
    """The columns of texts that people read: the question's, the right answer, and what the judge said."""
    judges = {*options.get("assessors", {}).values(), options.get("run")}
    names = [name for name in table.frame.columns if name not in {*used, *judges, table.question}]
    gold = table.pair()[0]
    found = {"asked": called(names, "asked"), "target": gold, "explanation": called(names, "explanation")}
    return {ours: name for ours, name in found.items() if name in names}


def misnamed(table: Table, options: dict) -> list[str]:
    """The columns that are called as ours are, and hold something else: numbers that are none, or of several kinds."""
    used = {*options.get("columns", {}).values(), options.get("gold"), options.get("run")}
    there = [name for name in table.frame.columns if name not in used]
    fits = {
        "confidence": are_shares,
        **dict.fromkeys(("epoch", "rank", "position"), lambda values: not numbers.wholes(values).has_nulls()),
        "score": lambda values: numbers.reals(values).null_count() == values.null_count(),
        "category": lambda values: bool(table.category(["category"])),
    }
    return [name for name, is_fit in fits.items() if name in there and not is_fit(table.frame[name])]


def judged_by_content(table: Table) -> Source | Fault | None:
    """Graded responses whose verdicts are known by their content, whatever they are called."""
    gold, answer = table.pair()
    if not answer and not called(table.names, "run"):
        return None
    others = [name for name in table.others(gold or "", answer or "") if plain(name) not in NUMBERED]
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
    official = judges.official(own)
    columns = {**table.columns(), **({"answer": answer} if answer and answer != "answer" else {})}
    options = tabular(columns=columns, verdicts=meant, assessors={name: name for name in own}, official=official)
    which = f"which of {listed(own)} is the official one: here {shown(official)} (`official:`)"
    why = f"it has responses, and what {len(own)} judges say of them ({listed(meant)})"
    undecided = (which, *unsaid(table, meant, own), *named_by_file(table))
    return Source(table.path, "graded", options, why, undecided, how=how_of(meant, "the official judge"))


def how_of(meant: dict[str, str], column: str) -> dict[str, str]:
    """Of each verdict, the words that say so."""
    words: dict[str, list[str]] = {}
    for word, verdict in meant.items():
        words.setdefault(verdict, []).append(word)
    return {verdict: f"the file says so: {listed(own)} in {column}" for verdict, own in words.items()}


def unjudged(table: Table) -> Source | None:
    """Responses that nobody judged, of which flags say whether there was an answer."""
    if "state" not in table.beside.columns:
        return None
    why = "it has questions, and says which responses are none, and nothing of how good the others are"
    undecided = tuple(named_by_file(table))
    others = [name for name in table.names if meanings(table.words(name)) and is_measured(name)]
    if any(beside.boolean(table.words(name)) is None for name in others):
        return None  # words of verdicts, such as those of a wide table
    if others:
        undecided = (f"whether {listed(others)} judge the answers: here not", *undecided)
    source = Source(table.path, "runs", tabular(columns=table.columns()), why, undecided, countable=table.asked)
    return with_states(table, source.unjudged())


def are_shares(values: pl.Series) -> bool:
    """Whether all that stands in a column are numbers from 0 to 1, and there are some."""
    known = values.drop_nulls()
    return bool(len(known)) and numbers.reals(known).is_between(0, 1).fill_null(False).all()


def labelled(table: Table) -> Source | None:
    label, answer = called(table.names, "label"), called(table.names, "answer")
    if not label or not answer or not (words := table.words(label)) or not {*words} <= {*LABELS}:
        return None
    more = {name: called(table.names, name) for name in ("run", "assessor")}
    columns = renamed({"question": table.question, "answer": answer, "label": label, **more})
    why = f"it has questions, answers, and labels of judgments ({listed(words)}) in {shown(label)}"
    return Source(table.path, "judgments", tabular(columns=columns), why)


def verdicts(table: Table, told: dict[str, str]) -> Source | Fault | keys.Open | None:
    """Graded responses, a row for each, with a column called like verdicts, whichever of the two it has."""
    gold, answer = table.pair()
    candidates = [name for name in table.like_verdicts() if table.words(name)]
    kinds = {name: told.get(name) or keys.kind(table.frame, table.question, name, gold, answer) for name in candidates}
    sure = [name for name in candidates if kinds[name] == keys.VERDICTS]
    if readable := [name for name in sure if meanings(table.words(name))]:
        labels = [name for name in readable if is_label(table, name, gold, answer)]
        source = with_verdicts(table, [name for name in readable if name not in labels] or readable)
        if labels == readable and isinstance(source, Source):
            found = f"yes and no, or 1 and 0, in {listed(labels)}, which may judge answers or say what a question is"
            which = "a graded: block of your own, with `columns: {verdict: …}`, or no such column"
            return source._replace(doubt=Fault(table.path, 0, found, which))
        return source
    for name in candidates:
        if answer and kinds[name] == keys.KEY:
            return long_with_gold(table, gold or name, answer)
        if answer and kinds[name] is None:
            rows = table.frame.select(asked=table.question, said=name, given=answer)
            return keys.Open(table.path, name, answer, rows)
    return next((below(table, name) for name in sure if below_0(table.words(name))), None)


def is_label(table: Table, name: str, gold: str | None, answer: str | None) -> bool:
    """Whether a column is called label alone, has yes and no, and nothing in it tells that it is said of answers."""
    if [*parts(name), ""][0] != "label" or beside.boolean(table.words(name)) is None:
        return False
    of_question = table.frame.group_by(table.question).agg(pl.col(name).drop_nulls().n_unique().alias("said"))
    said = judges.reading(table.frame[name])
    follows = gold and answer and said is not None and judges.follows(table.frame, said, gold, answer)
    return not (of_question["said"] > 1).any() and not follows


def with_verdicts(table: Table, readable: list[str]) -> Source | Fault:
    """Graded responses whose verdicts are in the first of these columns."""
    verdict, words = readable[0], table.words(readable[0])
    meant, *other = readings = meanings(words)
    if any(reading != meant for reading in other):
        found = f"the column {shown(verdict)}, whose words may mean {' or '.join(map(str, readings))}"
        return Fault(table.path, 0, found, "a graded: block of your own")
    # Further columns with the words of the verdicts: of other assessors, perhaps.
    others = [name for name in dict.fromkeys([*readable, *table.others(verdict)]) if plain(name) not in NUMBERED]
    more = [name for name in others if name != verdict and (own := {*table.words(name)}) and own <= {*words}]
    answer = table.pair()[1]
    alone = not answer and not called(table.names, "run") and table.frame[table.question].is_unique().all()
    if alone and may_be_answers(words) and (systems := [name for name in more if name not in readable]):
        either = f"may be {keys.VERDICTS} or {keys.KEY}: {listed(systems)} have its words, too"
        return Fault(table.path, 0, f"the column {shown(verdict)}, which {either}", keys.ITSELF.format(verdict))
    said = {name: table.words(name) for name in others if name not in (verdict, *more)}
    # In other words, too, where these can be no answers, or the column is called as verdicts are.
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
    """Graded responses with numbers below 0: 0 is silence if it stands where there is no answer, and nowhere else."""
    words, answer = table.words(verdict), table.pair()[1]
    if not answer or not keys.silent_at_0(table.frame, verdict, answer):
        return Fault(table.path, 0, f"the column {shown(verdict)} with the numbers {listed(words)}", BELOW_0)
    names = {-1: "wrong", 0: "unanswered", 1: "correct"}
    meant = {word: names[int(number)] for word in words if (number := numbers.real(word.strip())) is not None}
    why = f"it has questions, and in {shown(verdict)} -1, 0 and 1, of which 0 stands where there is no answer"
    undecided = (*unsaid(table, meant, [verdict]), *named_by_file(table))
    return Source(table.path, "graded", tabular(columns=table.columns(verdict=verdict), verdicts=meant), why, undecided)


def unsaid(table: Table, known: dict[str, str], names: list[str], task: str = "qa") -> list[str]:
    """What the words of columns of verdicts leave open: empty fields, and silence where no word says so."""
    empty = sum(table.frame[name].null_count() for name in names)
    said = "says" if empty == 1 else "say"
    blank = [f"what {plural(empty, 'empty field')} of {listed(names)} {said}: here unscored"] if empty else []
    silent = not tasks.get(task).pairs and "unanswered" not in known.values() and not table.beside.states
    no_word = f"which questions were left unanswered: no word of {listed(names)} says so"
    return [*blank, no_word] if silent else blank


def scored(table: Table) -> Source | Fault | None:
    """Graded responses, each with a number from 0 to 1 that says how far it is right; a fault where several may."""
    shares = [name for name in table.like_verdicts() if are_shares(table.frame[name])]
    score = next((name for name in shares if not meanings(table.words(name))), None)
    gold, answer = table.pair()
    if score is None and answer and gold:
        others = [name for name in table.others(gold, answer) if is_measured(name) and are_shares(table.frame[name])]
        if len(others) == 1 and judging(others[0]):
            score = others[0]
        elif others:
            found = f"answers, right ones, and numbers from 0 to 1 in {listed(others)}"
            which = (
                "what says that an answer is right: `columns: {verdict: …}` and `correct_from:` of your own, or `gold:`"
            )
            return Fault(table.path, 0, found, which)
    if score is None:
        return None
    which = f"from which {shown(score)} on an answer is correct: here {ENOUGH:g} (`correct_from:`)"
    undecided = (which, *unsaid(table, {}, [score]), *named_by_file(table))
    why = f"it has questions, and numbers from 0 to 1 in {shown(score)}"
    said_in = {"answer": answer} if answer else {}
    options = tabular(columns=table.columns(verdict=score, **said_in), correct_from=ENOUGH)
    how = {
        state: f"likely: {ENOUGH:g} in {shown(score)} is a guess of where right begins"
        for state in ("correct", "wrong")
    }
    return Source(table.path, "graded", options, why, undecided, how=how)


def named_by_file(table: Table) -> list[str]:
    """Where no column is the run, that the file's name is."""
    return [] if called(table.names, "run") else ["which run it is: here the one that the file's name names"]


def answers(table: Table) -> Source | Fault:
    """Answers beside right ones, in long or in wide files, or either of them alone."""
    gold, answer = table.pair()
    if gold and answer:
        return long_with_gold(table, gold, answer)
    first, second = right_and_given(table.names)
    if first and second and first == answer:
        which = "of which one may be taken from the other, or be the right one"
        found = f"two columns of answers, {listed([first, second])}, {which}"
        return Fault(table.path, 0, found, "`columns: {answer: …}` or `gold:` in a graded: block of your own")
    key = gold or answer
    if key and not called(table.names, "run"):
        others = table.others(key, called(table.names, "category") or "")
        others = [name for name in others if is_measured(name) and not judging(name) and not is_flag(name)]
        if systems := [name for name in others if keys.same_words(table.frame[key], table.frame[name])]:
            such = f"{plural(len(systems), 'column')} of such answers"
            why = f"it has questions, right answers in {shown(key)}, and {such}"
            which = f"whether {listed(systems)} are the systems (`systems:`, `ignore:`)"
            options = tabular(**table.wide(key, *systems), gold=key)
            return Source(table.path, "graded", options, why, (which, *silences(table.frame, systems)))
    if key and (gold or any(word in KEYS for word in plain(stem(table.path)).split("_"))):
        columns = renamed({"question": table.question, "answer": key})
        why = f"it has questions, and right answers in {shown(key)}"
        return Source(table.path, "judgments", tabular(columns=columns, closed=True), why)
    if answer:
        columns = table.columns(answer=answer)
        columns.pop("category", None)
        why = f"it has questions, answers in {shown(answer)}, and nothing that judges them"
        undecided = (*silences(table.frame, [answer]), *named_by_file(table))
        # What is called answers alone may be right ones, and a question of which nothing is said have none.
        given = called(table.names, "run") or plain(answer) not in ("answer", "answers")
        empty = given and 0 < table.frame[answer].null_count() < table.frame.height
        tells = bool(table.beside.columns or empty)
        countable = {"answer": answer, **table.asked} if tells else None
        return Source(table.path, "runs", tabular(columns=columns), why, undecided, countable=countable)
    return wide_verdicts(table)


def is_extract(frame: pl.DataFrame, question: str, short: str, whole: str) -> bool:
    """Whether one answer may be what was taken from the other: it differs between runs, or nearly always is a part."""
    if (frame.group_by(question).agg(pl.col(short).drop_nulls().n_unique())[short] > 1).any():
        return True
    both = frame.select(pl.col(short, whole).str.strip_chars().str.to_lowercase()).drop_nulls()
    part = both.filter(pl.col(whole).str.contains(pl.col(short), literal=True))
    longer = part.filter(pl.col(whole) != pl.col(short)).height
    return bool(both.height) and part.height >= MOSTLY * both.height and longer >= ENOUGH * both.height


def long_with_gold(table: Table, gold: str, answer: str) -> Source:
    """A row for each answer, with the right one beside it; in doubt where comparing the texts says nothing."""
    expected = "a column that says which answers are right, or `gold:` in a graded: block of your own"
    said = incomparable(table.frame, gold, answer)
    found = f"answers in {shown(answer)} and right ones in {shown(gold)}, {said}"
    why = f"it has questions, answers in {shown(answer)}, and right answers in {shown(gold)}"
    undecided = ["whether answers that are not letter by letter the right one are wrong: here they are"]
    small = pl.col(answer).str.to_lowercase() == pl.col(gold).str.to_lowercase()
    if number := table.frame.select((small & (pl.col(answer) != pl.col(gold))).sum()).item():
        near = f"{plural(number, 'answer')} with other capitals than the right one"
        undecided.append(f"whether {near} {'is' if number == 1 else 'are'} right: here not (`normalise: squad`)")
    undecided += silences(table.frame, [answer]) + named_by_file(table)
    options = tabular(columns=table.columns(answer=answer), gold=gold)
    how = {"correct": f"sure: the text of {shown(gold)}", "wrong": f"likely: another text than {shown(gold)}"}
    how |= {"unanswered": "likely: an empty field"}
    doubt = Fault(table.path, 0, found, expected) if said else None
    return Source(table.path, "graded", options, why, tuple(undecided), how=how, doubt=doubt)


def incomparable(frame: pl.DataFrame, gold: str, answer: str) -> str:
    """Why it does not tell right answers from wrong ones to compare them letter by letter; "" where it may."""
    said = (
        frame.filter(~keys.silent(answer)).select(right=squad(pl.col(gold)), given=squad(pl.col(answer))).drop_nulls()
    )
    equal = (said["right"] == said["given"]).sum()
    listed_in = [frame[name].drop_nulls().str.contains(r"^\s*\[.*\]\s*$") for name in (gold, answer)]
    if listed_in[0].any() and not listed_in[1].any():
        return "which are lists"
    longer = said.filter(
        pl.col("given") != pl.col("right"), pl.col("given").str.contains(pl.col("right"), literal=True)
    )
    if not said.height:
        return "none of which is given"
    if said.height >= SOME and not equal and not keys.same_words(frame[gold], frame[answer]):
        return f"none of {said.height:,} of which is the right one"
    if longer.height > WITHIN * said.height:
        return (
            f"{plural(longer.height, 'answer')} of which {'has' if longer.height == 1 else 'have'} the right one within"
        )
    return ""


def wide_verdicts(table: Table) -> Source | Fault:
    """A row for each question, with a column of verdicts for each system."""
    said = {name: table.words(name) for name in table.names if is_measured(name)}
    if table.beside.columns and len([name for name, words in said.items() if meanings(words)]) > 1:
        found = f"columns of verdicts, and which responses are none or failed in {listed(table.beside.taken)}"
        return Fault(table.path, 1, found, "a row for each response, since a wide table cannot say it of one")
    if low := [name for name, words in said.items() if below_0(words) and plain(name) not in NUMBERED]:
        return Fault(table.path, 1, f"the columns {listed(low)} with numbers such as -1", BELOW_0)
    known = [name for name, words in said.items() if meanings(words)]
    graded = [name for name in known if not is_flag(name)]
    words = sorted({word for name in graded for word in said[name]})
    readings = meanings(words)
    if len(graded) < 2 or not readings or any(reading != readings[0] for reading in readings):
        found = f"no column of answers or verdicts that are known among {listed(table.names)}"
        return Fault(table.path, 1, found, EXPECTED)
    if all(len(word) == 1 and word.isalpha() for word in words):
        found = f"the columns {listed(graded)}, whose letters {listed(words)} may be answers or verdicts"
        return Fault(table.path, 1, found, "a column of right answers beside them, or a graded: block of your own")
    if may_be_answers(words) and len({*readings[0].values()}) < 2:
        found = f"the columns {listed(graded)} with nothing but {listed(words)}"
        return Fault(table.path, 1, found, "answers, or verdicts of which some differ")
    why = f"it has questions, and {len(graded)} columns of verdicts ({listed(readings[0])})"
    systems = f"whether {listed(graded)} are the systems (`systems:`, `ignore:`)"
    undecided = [systems, *unsaid(table, readings[0], graded)]
    if flags := [name for name in known if name not in graded]:
        undecided.append(f"whether {listed(flags)} judge answers: here not, by their names")
    if may_be_answers(words):
        undecided.append(f"whether {listed(words)} judge answers, and are not the answers themselves: here they do")
    options = tabular(**table.wide(*graded), verdicts=renamed(readings[0]) and readings[0])
    return Source(table.path, "graded", options, why, tuple(undecided))


def silences(frame: pl.DataFrame, names: list[str]) -> list[str]:
    """Answers that may mean no answer, with their number."""
    said = pl.concat([frame[name].rename("answer") for name in names]).drop_nulls().value_counts(sort=True)
    common = said.filter(pl.col("answer").str.len_chars() <= 30)
    silent = [f"{shown(word)} ({count:,} times)" for word, count in common.rows() if plain(word) in SILENCE]
    meant = "no answer, a breakdown, or a question never seen (`unanswered:`, `failed:`, `missing:`)"
    return [f"whether {', '.join(silent)} means {meant}"] if silent else []


def tabular(**options: object) -> dict:
    """Options of the tabular format, as far as there are any."""
    return {"format": "tabular", **{name: value for name, value in options.items() if value}}
