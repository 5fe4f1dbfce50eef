"""`format: longmemeval`: LongMemEval, .eval-results-* of version 1, per_question.jsonl of 2 (docs/formats.md)."""

import math
import re
from pathlib import Path

import polars as pl

from nonresponse.faults import Fault, shown
from nonresponse.formats import logs
from nonresponse.formats.declared import Found
from nonresponse.formats.grades import FALSE, TRUE
from nonresponse.formats.json_files import begins_with
from nonresponse.formats.json_pieces import elements_of, lines_of, value_of
from nonresponse.formats.logs import Log, Sample, Statement, at, mean, number, passage, said, text, whole
from nonresponse.formats.roles import NO_ANSWER
from nonresponse.formats.text import Faults, ending, stem, there
from nonresponse.settings import Files

NAME = re.compile(r"(?P<run>.+?)(\.jsonl?)?\.eval-results-.*", re.DOTALL)
SECOND, TOTALS = "per_question", "aggregated_metrics.json"  # of version 2
OWN = (("category", "question_type"), ("question_text", "question"))
GIVEN = "given"  # stands for a right answer that the log does not give
LABEL = "autoeval_label"  # of version 1; authors of memory systems have other names
# What judges say besides true and false.
WORDS = {**dict.fromkeys((*TRUE, "correct"), 1.0), **dict.fromkeys((*FALSE, "incorrect", "wrong"), 0.0)}
EXPECTED = "a line of .eval-results-* or per_question.jsonl of LongMemEval"


def files_of(path: str, options: Files) -> list[str]:
    """The judged answers, the totals of version 2, and the file of the questions, without missing ones."""
    totals = [str(Path(path).with_name(TOTALS))] if stem(path) == SECOND else []
    return [path, *(file for file in (*totals, options.get("key")) if file and there(file))]


def read_log(path: str, options: Files) -> Log:
    """A response per line; a response that rightly says that a question has no answer is unanswered."""
    faults, name = Faults(path), NAME.fullmatch(Path(path).name)
    run = text(name["run"] if name else Path(path).absolute().parent.name if stem(path) == SECOND else stem(path))
    asked = questions(str(options["key"]), options, faults) if "key" in options else {}
    samples, values, texts, judges = list[Sample](), list[float | None](), set[str](), dict[str, None]()
    metric = str(options.get("metric", LABEL))
    in_list = begins_with(path, options) == "["
    each = elements_of(path, (), options, faults) if in_list else lines_of(path, EXPECTED, options, faults)
    for line, value in each:
        id, label = text(at(value, "question_id")), at(value, *metric.split("."))
        of_first = metric != LABEL or (isinstance(value, dict) and LABEL in value)
        given = said_by_judge(label if of_first else at(value, "score"))
        unknown, absent = at(value, "is_unknown"), at(value, "is_abstention_problem")
        if id is None or not (of_first or (isinstance(unknown, bool) and isinstance(absent, bool))):
            faults.add(line, "a line without question_id, or without what the judge said", EXPECTED)
        elif given not in (None, 0, 1):
            faults.add(line, f"the label {shown(label)} of question {shown(id)}", "true or false")
        elif asked and id not in asked:
            faults.add(line, f"the question {shown(id)}", "a question of the key")
        else:
            none = NO_ANSWER in id if of_first else absent is True
            silent = unknown is True or (given == 1 and none)
            verdict = "unanswered" if silent else "unscored" if given is None else "correct" if given else "wrong"
            category, gold, question = asked.get(id) or own(value)
            answer = said(at(value, "hypothesis" if of_first else "response_parsed_boxed"))
            response = (line, str(run), id, verdict, 1, None, category, answer, "" if none else gold)
            target = passage(gold) if gold != GIVEN else None
            samples.append(Sample(*response, asked=passage(question), target=target))
            values.append(given)
            texts |= {f"{id} {question}"} if question else set()
            judges |= {judge: None} if (judge := text(at(label, "model"))) else {}
    totals = [value_of(file, options, faults) for file in files_of(path, options)[1:] if Path(file).name == TOTALS]
    if faults:
        return Log([], [], faults)
    overall = at(totals, 0, "overall")
    stated, told = logs.finite(at(overall, "overall_full_set")), whole(at(overall, "count_all_questions"))
    lacking = len(asked.keys() - {sample.question for sample in samples})
    notes = logs.without(lacking, len(asked))
    if any(sample.category is None for sample in samples):
        notes.append("no categories: `key:` names the file of the questions, which has them")
    statement = Statement(str(run), "accuracy", stated, mean(values), told, "" if totals else "the log states no score")
    statement = statement._replace(notes=tuple(notes), judge=", ".join(judges), failures="as graded" if judges else "")
    return Log(samples, [statement._replace(texts=logs.digest(sorted(texts)) if texts else "")], [])


def said_by_judge(label: object) -> float | None:
    """1 if the judge says right, 0 if wrong, null if nothing; NaN or another number where the label is not clear."""
    word = label.get("label") if isinstance(label, dict) else label
    return WORDS.get(word.strip().lower(), math.nan) if isinstance(word, str) else number(word)


def own(value: object) -> tuple[str | None, str, str | None]:
    """Category, right answer and text of a question, as far as its line has them."""
    of_version_1 = at(value, "answer") if at(value, "hypothesis") is not None else None
    gold = text(at(value, "answer_gold")) or text(of_version_1)
    category, question = (text(at(value, one)) or text(at(value, other)) for one, other in OWN)
    return category, gold or GIVEN, question


def questions(file: str, options: Files, faults: list[Fault]) -> dict[str, tuple[str | None, str, str | None]]:
    """Category, right answer and text by question id, from the file of the questions: a list, or one on each line."""
    expected, own_faults = "the questions of LongMemEval, such as longmemeval_s.json", Faults(file)
    asked = {}
    by_line = ending(file) in (".jsonl", ".ndjson")
    listed = lines_of(file, expected, options, own_faults) if by_line else elements_of(file, (), options, own_faults)
    for line, one in listed:
        if id := text(at(one, "question_id")):
            asked[id] = text(at(one, "question_type")), text(at(one, "answer")) or GIVEN, text(at(one, "question"))
        else:
            own_faults.add(line, shown(one), expected)
    faults += own_faults
    return asked


def questions_in(file: str) -> set[str]:
    """For look.py: the questions of a file that has their types; empty for any other file."""
    faults: list[Fault] = []
    asked = questions(file, {}, faults)
    return set() if faults or not all(category for category, _, _ in asked.values()) else {*asked}


def as_log(path: str, frame: pl.DataFrame, options: Files) -> Found | None:
    """For look.py: verdicts in a table as a log, which also knows rightful silence; null if they are of other answers.

    `options` are those of the table in `graded:`.
    """
    if not {"question_id", "hypothesis"} <= {*frame.columns}:
        return None
    known = {*options} == {"format", "columns", "verdicts"} and ending(path) in (".json", ".jsonl")
    columns = options.get("columns", {})
    absent = frame["question_id"].str.ends_with(NO_ANSWER).any()
    words = {word.lower() for word in options.get("verdicts", {})}
    run = columns.get("run", "run") in frame.columns
    if not (known and absent and words <= WORDS.keys()) or run or columns.get("question") != "question_id":
        return None
    metric = columns.get("verdict", "verdict")
    judge = f"what {shown(metric)} says of a question whose name ends in {shown(NO_ANSWER)}"
    silence = f"{judge}: here that silence is right, as LongMemEval's own judge does"
    return Found(
        path, {"metric": metric}, f"it has answers to LongMemEval, and verdicts in {shown(metric)}", (silence,)
    )
