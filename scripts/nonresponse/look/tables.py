"""What the columns of a table are, by their names and by what stands in them."""

import polars as pl

from nonresponse import tasks
from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import numbers, records
from nonresponse.formats.headers import in_one
from nonresponse.formats.roles import COLUMNS, plain
from nonresponse.formats.text import ending, stem
from nonresponse.look import keys, questions
from nonresponse.look.found import Found
from nonresponse.look.keys import alike
from nonresponse.look.questions import called
from nonresponse.look.words import KEYS, LABELS, OUTCOMES, SILENCE, below_0, may_be_answers, meanings
from nonresponse.wording import plural

MOST = 50  # different words that a column of verdicts may have
NUMBERED = ("epoch", "rank", "position")  # columns that count
ENOUGH = 0.5  # of a score from 0 to 1, for an answer to be correct
EXPECTED = (
    "a question with a verdict, a right answer or an answer on each line, or a run with its counts (docs/formats.md)"
)
BELOW_0 = (
    "numbers from 0 to 1, or `verdicts:` in a graded: block of your own: in some files -1 is wrong, 0 silent"
    " and 1 right, in others 0 is wrong and -1 not judged"
)
OTHER = "a log of a harness, a table, or a file of TREC, CLEF, AVE, ROMIP or DEFT (docs/formats.md)"


def of_table(path: str, told: dict[str, str] | None = None) -> Found | Fault | keys.Open:
    """What the workflow reads a table as, or why it cannot; of columns that are `told`, whether they are verdicts."""
    if (kind := ending(path)) not in records.KNOWN:
        return Fault(path, 0, f"the ending {shown(kind)}", OTHER)
    frame, faults = records.read_table(path)
    if faults:
        return faults[0]
    names = [name for name in frame.columns if name != "line"]
    if "run" in names and (task := counted(names)):
        return Found(
            path, "counts", {}, f"it has a run on each line, and the counts {listed(task.required)}", (), task.id
        )
    question = asked(frame, names)
    if question is None:
        return Fault(path, 1, f"no column for the question among {listed(names)}", EXPECTED + in_one(names))
    rest = [name for name in names if name != question]
    graded = labelled(path, frame, question, rest) or verdicts(path, frame, question, rest, told or {})
    if graded and not isinstance(graded, Fault):
        return graded
    found = graded or answers(path, frame, question, rest)
    if not isinstance(found, Fault):
        return found
    table = None if graded else questions.of_table(path, frame, question, rest)
    return scored(path, frame, question, rest) or table or found


def counted(names: list[str]) -> tasks.Task | None:
    """The task whose counts are columns."""
    known = [tasks.get(name) for name in tasks.NAMES if "counts" in tasks.get(name).sources]
    return next((task for task in known if {*task.required} <= {*names}), None)


def asked(frame: pl.DataFrame, names: list[str]) -> str | None:
    """The column of the question; where runs are in one file, none that numbers the rows."""
    run = called(names, "run")
    if run and frame[run].n_unique() > 1:
        repeated = [name for name in names if not frame[name].is_unique().all()]
        return called(repeated, "question") or called(names, "question")
    return called(names, "question")


def words_of(frame: pl.DataFrame, name: str) -> list[str]:
    """The different words of a column, sorted; of more than can be verdicts, only as many as show that."""
    return frame[name].drop_nulls().unique().sort().head(MOST).to_list()


def mapping(frame: pl.DataFrame, question: str, names: list[str], **more: str) -> dict[str, str]:
    """`columns:` of config.yaml, without those that are called as ours are."""
    found = {"question": question, **more, **category_of(frame, question, names)}
    if run := called(names, "run"):
        found["run"] = run
    confidence = called(names, "confidence")
    if confidence and are_shares(frame[confidence]):
        found["confidence"] = confidence
    return {ours: theirs for ours, theirs in found.items() if ours != theirs}


def are_shares(values: pl.Series) -> bool:
    """Whether all that stands in a column are numbers from 0 to 1, and there are some."""
    known = values.drop_nulls()
    return bool(len(known)) and numbers.reals(known).is_between(0, 1).fill_null(False).all()


def category_of(frame: pl.DataFrame, question: str, names: list[str]) -> dict[str, str]:
    """The column that says of what category a question is, if it says one thing only of each."""
    own = called(names, "category")
    fits = own and frame.select(question, own).n_unique() == frame[question].n_unique()
    return {"category": own} if own and fits else {}


def of_wide(frame: pl.DataFrame, question: str, names: list[str]) -> tuple[dict[str, str], list[str]]:
    """`columns:` and `ignore:` for a wide file; these columns are neither systems nor right answers."""
    category = category_of(frame, question, names)
    ours = {} if question == "question" else {"question": question}
    return ours | category, [name for name in names if name not in category.values()]


def labelled(path: str, frame: pl.DataFrame, question: str, names: list[str]) -> Found | None:
    """Judgments of answers, with labels."""
    label, answer = called(names, "label"), called(names, "answer")
    if not label or not answer or not (words := words_of(frame, label)) or not {*words} <= {*LABELS}:
        return None
    columns = {"question": question, "answer": answer, "label": label}
    if run := called(names, "run"):
        columns["run"] = run
    if assessor := called(names, "assessor"):
        columns["assessor"] = assessor
    columns = {ours: theirs for ours, theirs in columns.items() if ours != theirs}
    why = f"it has questions, answers, and labels of judgments ({listed(words)}) in {shown(label)}"
    return Found(path, "judgments", tabular(columns=columns), why)


def verdicts(
    path: str, frame: pl.DataFrame, question: str, names: list[str], told: dict[str, str]
) -> Found | Fault | keys.Open | None:
    """Graded responses, a row for each, with a column called like verdicts, whichever of the two it has."""
    gold, answer = right_and_given(names)
    candidates = [name for word in COLUMNS["verdict"] for name in names if plain(name) == word]
    candidates = [name for name in dict.fromkeys(candidates) if words_of(frame, name)]
    kinds = {name: told.get(name) or keys.kind(frame, question, name, gold, answer) for name in candidates}
    sure = [name for name in candidates if kinds[name] == keys.VERDICTS]
    readable = [name for name in sure if meanings(words_of(frame, name))]
    if readable:
        return with_verdicts(path, frame, question, names, readable)
    for name in candidates:
        if answer and kinds[name] == keys.KEY:
            return long_with_gold(path, frame, question, names, gold or name, answer)
        if answer and kinds[name] is None:
            return keys.opened(path, frame, question, name, answer)
    return next((below(path, frame, question, names, name) for name in sure if below_0(words_of(frame, name))), None)


def with_verdicts(
    path: str, frame: pl.DataFrame, question: str, names: list[str], readable: list[str]
) -> Found | Fault:
    """Graded responses whose verdicts are in the first of these columns."""
    verdict, *others = readable
    words = words_of(frame, verdict)
    readings = meanings(words)
    if any(reading != readings[0] for reading in readings):
        said = " or ".join(str(reading) for reading in readings)
        return Fault(
            path, 0, f"the column {shown(verdict)}, whose words may mean {said}", "a graded: block of your own"
        )
    more = also(frame, [*others, *names], verdict)
    answer = right_and_given(names)[1]
    alone = not answer and not called(names, "run") and frame[question].is_unique().all()
    if alone and may_be_answers(words) and (systems := [name for name in more if name not in readable]):
        return keys.no_answers(path, verdict, systems)
    own, task = readings[0], "validation" if {*readings[0].values()} & {*OUTCOMES} else "qa"
    columns = mapping(frame, question, [name for name in names if name != verdict], verdict=verdict)
    changed = {word: verdict for word, verdict in own.items() if word != verdict}
    undecided = unsaid(frame[verdict].null_count(), own, [verdict], task)
    undecided += [f"whether {listed(more)} are verdicts of others (`assessors:`)"] if more else []
    if answer and keys.decided(frame, question, verdict, answer) == keys.KEY:
        undecided.append(f"whether {shown(verdict)} judges the answers: it is the same for all of a question")
    why = f"it has questions, and verdicts ({listed(own)}) in {shown(verdict)}"
    options = tabular(columns=columns, verdicts=own if changed else {})
    return Found(path, "graded", options, why, (*undecided, *named_by_file(columns, names)), task)


def below(path: str, frame: pl.DataFrame, question: str, names: list[str], verdict: str) -> Found | Fault:
    """Graded responses with numbers below 0: 0 is silence if it stands where there is no answer, and nowhere else."""
    words = words_of(frame, verdict)
    answer = right_and_given(names)[1]
    if not answer or not keys.silent_at_0(frame, verdict, answer):
        return Fault(path, 0, f"the column {shown(verdict)} with the numbers {listed(words)}", BELOW_0)
    meant = {-1: "wrong", 0: "unanswered", 1: "correct"}
    own = {word: meant[int(number)] for word in words if (number := numbers.real(word.strip())) is not None}
    columns = mapping(frame, question, [name for name in names if name != verdict], verdict=verdict)
    why = f"it has questions, and in {shown(verdict)} -1, 0 and 1, of which 0 stands where there is no answer"
    undecided = (*unsaid(frame[verdict].null_count(), own, [verdict]), *named_by_file(columns, names))
    return Found(path, "graded", tabular(columns=columns, verdicts=own), why, undecided)


def unsaid(empty: int, known: dict[str, str], names: list[str], task: str = "qa") -> list[str]:
    """What the words of columns of verdicts leave open: so many empty fields, and silence where no word says so."""
    said = "says" if empty == 1 else "say"
    blank = [f"what {plural(empty, 'empty field')} of {listed(names)} {said}: here unscored"] if empty else []
    silent = not tasks.get(task).pairs and "unanswered" not in known.values()
    no_word = f"which questions were left unanswered: no word of {listed(names)} says so"
    return [*blank, no_word] if silent else blank


def scored(path: str, frame: pl.DataFrame, question: str, names: list[str]) -> Found | None:
    """Graded responses, each with a number from 0 to 1 that says how far it is right."""
    candidates = [name for word in COLUMNS["verdict"] for name in names if plain(name) == word]
    shares = (name for name in candidates if are_shares(frame[name]) and not meanings(words_of(frame, name)))
    score = next(shares, None)
    if score is None:
        return None
    columns = mapping(frame, question, [name for name in names if name != score], verdict=score)
    which = f"from which {shown(score)} on an answer is correct: here {ENOUGH:g} (`correct_from:`)"
    undecided = (which, *unsaid(frame[score].null_count(), {}, [score]), *named_by_file(columns, names))
    why = f"it has questions, and numbers from 0 to 1 in {shown(score)}"
    return Found(path, "graded", tabular(columns=columns, correct_from=ENOUGH), why, undecided)


def also(frame: pl.DataFrame, names: list[str], verdict: str) -> list[str]:
    """Further columns with the words of the verdicts: of other assessors, perhaps."""
    own = {*words_of(frame, verdict)}
    others = [name for name in dict.fromkeys(names) if name != verdict and plain(name) not in NUMBERED]
    return [name for name in others if (words := {*words_of(frame, name)}) and words <= own]


def named_by_file(columns: dict[str, str], names: list[str]) -> list[str]:
    """Where no column is the run, that the file's name is."""
    return [] if "run" in columns or "run" in names else ["which run it is: here the one that the file's name names"]


def answers(path: str, frame: pl.DataFrame, question: str, names: list[str]) -> Found | Fault:
    """Answers beside right ones, in long or in wide files, or either of them alone."""
    gold, answer = right_and_given(names)
    run = called(names, "run")
    if gold and answer:
        return long_with_gold(path, frame, question, names, gold, answer)
    key = gold or answer
    if key and not run:
        others = [name for name in names if name not in (key, called(names, "category"))]
        if systems := alike(frame, key, others):
            return wide_with_gold(path, frame, question, names, key, systems)
    if key and (gold or any(word in KEYS for word in plain(stem(path)).split("_"))):
        columns = {ours: theirs for ours, theirs in (("question", question), ("answer", key)) if ours != theirs}
        why = f"it has questions, and right answers in {shown(key)}"
        return Found(path, "judgments", tabular(columns=columns, closed=True), why)
    if answer:
        columns = mapping(frame, question, [name for name in names if name != answer], answer=answer)
        columns.pop("category", None)
        why = f"it has questions, answers in {shown(answer)}, and nothing that judges them"
        undecided = (*silences(frame, [answer]), *named_by_file(columns, names))
        return Found(path, "runs", tabular(columns=columns), why, undecided)
    return wide_verdicts(path, frame, question, names)


def right_and_given(names: list[str]) -> tuple[str | None, str | None]:
    """The columns of the right answer and of the one given; the answer beside a prediction is the right one."""
    gold, answer = called(names, "gold"), called(names, "answer")
    other = called([name for name in names if name != answer], "answer")
    return (answer, other) if answer and other and not gold else (gold, answer)


def long_with_gold(
    path: str, frame: pl.DataFrame, question: str, names: list[str], gold: str, answer: str
) -> Found | Fault:
    """A row for each answer, with the right one beside it."""
    columns = mapping(frame, question, [name for name in names if name not in (gold, answer)], answer=answer)
    why = f"it has questions, answers in {shown(answer)}, and right answers in {shown(gold)}"
    undecided = ["whether answers that are not letter by letter the right one are wrong: here they are"]
    if number := keys.nearly(frame, answer, gold):
        near = f"{plural(number, 'answer')} with other capitals than the right one"
        undecided.append(f"whether {near} {'is' if number == 1 else 'are'} right: here not (`normalise: squad`)")
    undecided += silences(frame, [answer]) + named_by_file(columns, names)
    return Found(path, "graded", tabular(columns=columns, gold=gold), why, tuple(undecided))


def wide_with_gold(
    path: str, frame: pl.DataFrame, question: str, names: list[str], key: str, systems: list[str]
) -> Found | Fault:
    """A row for each question, with the right answer, and a column for each system."""
    columns, ignore = of_wide(frame, question, [name for name in names if name not in (key, *systems)])
    why = f"it has questions, right answers in {shown(key)}, and {plural(len(systems), 'column')} of such answers"
    undecided = [f"whether {listed(systems)} are the systems (`systems:`, `ignore:`)", *silences(frame, systems)]
    options = tabular(layout="wide", columns=columns, gold=key, ignore=ignore)
    return Found(path, "graded", options, why, tuple(undecided))


def wide_verdicts(path: str, frame: pl.DataFrame, question: str, names: list[str]) -> Found | Fault:
    """A row for each question, with a column of verdicts for each system."""
    known = questions.has_answer(frame, names)  # its words would be verdicts, too
    said = {name: words_of(frame, name) for name in names if name != known}
    low = [name for name, words in said.items() if below_0(words) and plain(name) not in NUMBERED]
    if low:
        return Fault(path, 1, f"the columns {listed(low)} with numbers such as -1", BELOW_0)
    graded = [name for name, words in said.items() if meanings(words)]
    words = sorted({word for name in graded for word in said[name]})
    readings = meanings(words)
    if len(graded) < 2 or not readings or any(reading != readings[0] for reading in readings):
        return Fault(path, 1, f"no column of answers or verdicts that are known among {listed(names)}", EXPECTED)
    if all(len(word) == 1 and word.isalpha() for word in words):
        found = f"the columns {listed(graded)}, whose letters {listed(words)} may be answers or verdicts"
        return Fault(path, 1, found, "a column of right answers beside them, or a graded: block of your own")
    columns, ignore = of_wide(frame, question, [name for name in names if name not in graded])
    changed = any(word != verdict for word, verdict in readings[0].items())
    why = f"it has questions, and {len(graded)} columns of verdicts ({listed(readings[0])})"
    empty = sum(frame[name].null_count() for name in graded)
    systems = f"whether {listed(graded)} are the systems (`systems:`, `ignore:`)"
    undecided = [systems, *unsaid(empty, readings[0], graded)]
    if may_be_answers(words):
        undecided.append(f"whether {listed(words)} judge answers, and are not the answers themselves: here they do")
    options = tabular(layout="wide", columns=columns, verdicts=readings[0] if changed else {}, ignore=ignore)
    return Found(path, "graded", options, why, tuple(undecided))


def silences(frame: pl.DataFrame, names: list[str]) -> list[str]:
    """Answers that may mean no answer, with their number."""
    said = pl.concat([frame[name].rename("answer") for name in names]).drop_nulls().value_counts(sort=True)
    common = said.filter(pl.col("answer").str.len_chars() <= 30)
    found = [f"{shown(word)} ({count:,} times)" for word, count in common.rows() if plain(word) in SILENCE]
    meant = "no answer, a breakdown, or a question never seen (`unanswered:`, `failed:`, `missing:`)"
    return [f"whether {', '.join(found)} means {meant}"] if found else []


def tabular(**options: object) -> dict:
    """Options of the tabular format, as far as there are any."""
    return {"format": "tabular", **{name: value for name, value in options.items() if value}}
