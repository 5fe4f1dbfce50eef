"""What the columns of a table are, by their names and by what stands in them."""

import polars as pl

from nonresponse import tasks
from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import numbers, records
from nonresponse.formats.text import stem
from nonresponse.look.found import Found
from nonresponse.look.words import COLUMNS, KEYS, LABELS, OUTCOMES, SILENCE, meanings, plain

MOST = 50  # different words that a column of verdicts may have
FIT = 0.5  # of the different answers of a system, the share that have to be answers of the key
EXPECTED = "questions with verdicts, with right answers, with answers, or counts of runs"


def of_table(path: str) -> Found | Fault:
    """What the workflow reads a table as, or why it cannot."""
    frame, faults = records.read(path)
    if faults:
        return faults[0]
    names = [name for name in frame.columns if name != "line"]
    if "run" in names and (task := counted(names)):
        return Found(path, "counts", {}, f"it has a run on each line, and the counts {listed(task.required)}", (), task.id)
    question = asked(frame, names)
    if question is None:
        return Fault(path, 1, f"no column for the question among {listed(names)}", EXPECTED)
    rest = [name for name in names if name != question]
    return labelled(path, frame, question, rest) or verdicts(path, frame, question, rest) or answers(
        path, frame, question, rest
    )


def counted(names: list[str]) -> tasks.Task | None:
    """The task whose counts are columns."""
    known = [tasks.get(name) for name in tasks.NAMES if "counts" in tasks.get(name).sources]
    return next((task for task in known if {*task.required} <= {*names}), None)


def called(names: list[str], ours: str) -> str | None:
    """The column that is called as ours is, the surest name first."""
    own = {plain(name): name for name in reversed(names)}
    return next((own[word] for word in COLUMNS[ours] if word in own), None)


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
    found = {"question": question, **more}
    if run := called(names, "run"):
        found["run"] = run
    confidence, category = called(names, "confidence"), called(names, "category")
    if confidence and numbers.reals(frame[confidence]).is_between(0, 1).all():
        found["confidence"] = confidence
    if category and frame.select(question, category).n_unique() == frame[question].n_unique():
        found["category"] = category
    return {ours: theirs for ours, theirs in found.items() if ours != theirs}


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
        return Fault(path, 0, f"the column {shown(verdict)}, whose words may mean {said}", "a graded: block of your own")
    own, task = readings[0], "validation" if {*readings[0].values()} & {*OUTCOMES} else "qa"
    columns = mapping(frame, question, [name for name in names if name != verdict], verdict=verdict)
    if task == "qa":
        columns.pop("candidate", None)
    changed = {word: verdict for word, verdict in own.items() if word != verdict}
    empty = frame[verdict].null_count()
    undecided = [] if not empty else [f"what {empty:,} empty fields of {shown(verdict)} mean: here unscored"]
    if task == "qa" and "unanswered" not in own.values():
        undecided.append(f"which questions were left unanswered: no word of {shown(verdict)} says so")
    undecided += also(frame, [*others, *names], verdict)
    why = f"it has questions, and verdicts ({listed(own)}) in {shown(verdict)}"
    options = tabular(columns=columns, verdicts=own if changed else {})
    return Found(path, "graded", options, why, (*undecided, *named_by_file(columns, names)), task)


def also(frame: pl.DataFrame, names: list[str], verdict: str) -> list[str]:
    """Further columns with the words of the verdicts: of other assessors, perhaps."""
    own = {*words_of(frame, verdict)}
    more = [name for name in dict.fromkeys(names) if name != verdict and (words := {*words_of(frame, name)}) and words <= own]
    return [f"whether {listed(more)} are verdicts of others (`assessors:`)"] if more else []


def named_by_file(columns: dict[str, str], names: list[str]) -> list[str]:
    """Where no column is the run, that the file's name is."""
    return [] if "run" in columns or "run" in names else ["which run it is: here the one that the file's name names"]


def answers(path: str, frame: pl.DataFrame, question: str, names: list[str]) -> Found | Fault:
    """Answers beside right ones, in long or in wide files, or either of them alone."""
    gold, answer, run = called(names, "gold"), called(names, "answer"), called(names, "run")
    key = gold or (None if run else answer)
    systems = alike(frame, key, [name for name in names if name not in (key, run)]) if key and not run else []
    if key and systems and (len(systems) > 1 or not answer or key == answer):
        columns = mapping(frame, question, [name for name in names if name not in (key, *systems)])
        category = columns.get("category", "category")
        ignore = [name for name in names if name not in (key, category, *systems)]
        why = f"it has questions, {shown(key)} with right answers, and {len(systems)} columns of such answers"
        undecided = [f"whether {shown(key)} is the right answer, and {listed(systems)} are systems (`systems:`, `ignore:`)"]
        undecided += silences(frame, systems)
        return Found(path, "graded", tabular(layout="wide", columns=columns, gold=key, ignore=ignore), why, tuple(undecided))
    if gold and answer:
        columns = mapping(frame, question, [name for name in names if name not in (gold, answer)], answer=answer)
        why = f"it has questions, answers in {shown(answer)}, and right answers in {shown(gold)}"
        undecided = ["whether answers that are not letter by letter the right one are wrong: here they are"]
        undecided += silences(frame, [answer]) + named_by_file(columns, names)
        return Found(path, "graded", tabular(columns=columns, gold=gold), why, tuple(undecided))
    is_key = any(word in KEYS for word in plain(stem(path)).split("_"))
    if gold or (answer and is_key):
        columns = {ours: theirs for ours, theirs in (("question", question), ("answer", gold or answer)) if ours != theirs}
        why = f"it has questions, and right answers in {shown(gold or answer)}"
        return Found(path, "judgments", tabular(columns=columns, closed=True), why)
    if answer:
        columns = mapping(frame, question, [name for name in names if name != answer], answer=answer)
        columns.pop("category", None)
        why = f"it has questions, answers in {shown(answer)}, and nothing that judges them"
        undecided = (*silences(frame, [answer]), *named_by_file(columns, names))
        return Found(path, "runs", tabular(columns=columns), why, undecided)
    graded = [name for name in names if meanings(words_of(frame, name))]
    readings = meanings(sorted({word for name in graded for word in words_of(frame, name)}))
    if len(graded) > 1 and readings and all(reading == readings[0] for reading in readings):
        ignore = [name for name in names if name not in (*graded, "category")]
        changed = any(word != verdict for word, verdict in readings[0].items())
        why = f"it has questions, and {len(graded)} columns of verdicts ({listed(readings[0])})"
        undecided = (f"whether {listed(graded)} are systems (`systems:`, `ignore:`)",)
        columns = {} if question == "question" else {"question": question}
        options = tabular(layout="wide", columns=columns, verdicts=readings[0] if changed else {}, ignore=ignore)
        return Found(path, "graded", options, why, undecided)
    return Fault(path, 1, f"no column of answers or verdicts that are known among {listed(names)}", EXPECTED)


def alike(frame: pl.DataFrame, key: str, names: list[str]) -> list[str]:
    """The columns whose answers are mostly those that the key has."""
    right = frame[key].drop_nulls().unique()
    found = []
    for name in names:
        said = frame[name].drop_nulls().unique()
        said = said.filter(~said.map_elements(plain, pl.String).is_in(SILENCE))
        if len(said) and said.is_in(right.implode()).mean() >= FIT:
            found.append(name)
    return found


def silences(frame: pl.DataFrame, names: list[str]) -> list[str]:
    """Answers that may mean no answer, with their number."""
    said = pl.concat([frame[name].rename("answer") for name in names]).drop_nulls().value_counts(sort=True)
    common = said.filter(pl.col("answer").str.len_chars() <= 30)
    found = [f"{shown(word)} ({count:,} times)" for word, count in common.rows() if plain(word) in SILENCE]
    return [f"whether {', '.join(found)} means no answer, or a breakdown (`unanswered:`, `failed:`)"] if found else []


def tabular(**options: object) -> dict:
    """Options of the tabular format, as far as there are any."""
    return {"format": "tabular", **{name: value for name, value in options.items() if value}}
