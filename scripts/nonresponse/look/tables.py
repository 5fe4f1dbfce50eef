"""What the columns of a table are, by their names and by what stands in them."""

import polars as pl

from nonresponse import tasks
from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import numbers, records
from nonresponse.formats.headers import in_one
from nonresponse.formats.text import ending, stem
from nonresponse.look import questions
from nonresponse.look.found import Found
from nonresponse.look.questions import called
from nonresponse.look.words import COLUMNS, KEYS, LABELS, OUTCOMES, SILENCE, meanings, plain
from nonresponse.wording import plural

MOST = 50  # different words that a column of verdicts may have
ENOUGH = 0.5  # of a score from 0 to 1, for an answer to be correct
FIT = 0.5  # of the different answers of a system, the share that have to be answers of the key
EXPECTED = (
    "a question with a verdict, a right answer or an answer on each line, or a run with its counts (docs/formats.md)"
)
OTHER = "a log of a harness, a table, or a file of TREC, CLEF, AVE, ROMIP or DEFT (docs/formats.md)"


def of_table(path: str) -> Found | Fault:
    """What the workflow reads a table as, or why it cannot."""
    if (kind := ending(path)) not in records.KNOWN:
        return Fault(path, 0, f"the ending {shown(kind)}", OTHER)
    frame, faults = records.read(path)
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
    found = (
        labelled(path, frame, question, rest)
        or verdicts(path, frame, question, rest)
        or answers(path, frame, question, rest)
    )
    if not isinstance(found, Fault):
        return found
    return scored(path, frame, question, rest) or questions.of_table(path, frame, question, rest) or found


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


def verdicts(path: str, frame: pl.DataFrame, question: str, names: list[str]) -> Found | Fault | None:
    """Graded responses, a row for each."""
    candidates = [name for word in COLUMNS["verdict"] for name in names if plain(name) == word]
    readable = [name for name in candidates if meanings(words_of(frame, name))]
    if not readable:
        return None
    verdict, *others = readable
    readings = meanings(words_of(frame, verdict))
    if any(reading != readings[0] for reading in readings):
        said = " or ".join(str(reading) for reading in readings)
        return Fault(
            path, 0, f"the column {shown(verdict)}, whose words may mean {said}", "a graded: block of your own"
        )
    own, task = readings[0], "validation" if {*readings[0].values()} & {*OUTCOMES} else "qa"
    columns = mapping(frame, question, [name for name in names if name != verdict], verdict=verdict)
    changed = {word: verdict for word, verdict in own.items() if word != verdict}
    empty = frame[verdict].null_count()
    undecided = [*unsaid(empty, own, [verdict], task), *also(frame, [*others, *names], verdict)]
    why = f"it has questions, and verdicts ({listed(own)}) in {shown(verdict)}"
    options = tabular(columns=columns, verdicts=own if changed else {})
    return Found(path, "graded", options, why, (*undecided, *named_by_file(columns, names)), task)


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
    score = next((name for name in candidates if are_shares(frame[name])), None)
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
    more = [
        name
        for name in dict.fromkeys(names)
        if name != verdict and (words := {*words_of(frame, name)}) and words <= own
    ]
    return [f"whether {listed(more)} are verdicts of others (`assessors:`)"] if more else []


def named_by_file(columns: dict[str, str], names: list[str]) -> list[str]:
    """Where no column is the run, that the file's name is."""
    return [] if "run" in columns or "run" in names else ["which run it is: here the one that the file's name names"]


def answers(path: str, frame: pl.DataFrame, question: str, names: list[str]) -> Found | Fault:
    """Answers beside right ones, in long or in wide files, or either of them alone."""
    gold, answer, run = called(names, "gold"), called(names, "answer"), called(names, "run")
    other = called([name for name in names if name != answer], "answer")
    if answer and other and not gold:  # the answer beside a prediction is the right one
        gold, answer = answer, other
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


def long_with_gold(
    path: str, frame: pl.DataFrame, question: str, names: list[str], gold: str, answer: str
) -> Found | Fault:
    """A row for each answer, with the right one beside it."""
    columns = mapping(frame, question, [name for name in names if name not in (gold, answer)], answer=answer)
    why = f"it has questions, answers in {shown(answer)}, and right answers in {shown(gold)}"
    undecided = ["whether answers that are not letter by letter the right one are wrong: here they are"]
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
    graded = [name for name in names if name != known and meanings(words_of(frame, name))]
    readings = meanings(sorted({word for name in graded for word in words_of(frame, name)}))
    if len(graded) < 2 or not readings or any(reading != readings[0] for reading in readings):
        return Fault(path, 1, f"no column of answers or verdicts that are known among {listed(names)}", EXPECTED)
    columns, ignore = of_wide(frame, question, [name for name in names if name not in graded])
    changed = any(word != verdict for word, verdict in readings[0].items())
    why = f"it has questions, and {len(graded)} columns of verdicts ({listed(readings[0])})"
    empty = sum(frame[name].null_count() for name in graded)
    systems = f"whether {listed(graded)} are the systems (`systems:`, `ignore:`)"
    undecided = (systems, *unsaid(empty, readings[0], graded))
    options = tabular(layout="wide", columns=columns, verdicts=readings[0] if changed else {}, ignore=ignore)
    return Found(path, "graded", options, why, undecided)


def alike(frame: pl.DataFrame, key: str, names: list[str]) -> list[str]:
    """The columns whose answers are mostly those that the key has."""
    right = frame[key].drop_nulls().unique()
    found = []
    for name in names:
        said = frame[name].drop_nulls().unique()
        said = said.filter(~said.map_elements(plain, pl.String).is_in(SILENCE))
        if len(said) and said.is_in(right.implode()).sum() >= FIT * len(said):
            found.append(name)
    return found


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
