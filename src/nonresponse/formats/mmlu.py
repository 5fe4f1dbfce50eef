"""`format: mmlu`: results of MMLU's own evaluation and its many copies, a CSV file for each model and subject.

Its columns are numbers: the question, the options, the right letter; then `{model}_correct` and the probability of each
letter, `{model}_choice{letter}_probs` (docs/logs.md).
"""

import re

from nonresponse.faults import listed
from nonresponse.formats import records
from nonresponse.formats.grades import FALSE, TRUE
from nonresponse.formats.logs import Log, Sample, Statement, digest, mean
from nonresponse.formats.numbers import real
from nonresponse.formats.text import stem
from nonresponse.settings import Files

CORRECT = re.compile(r"(.+)_correct")
SAID = {**dict.fromkeys(TRUE, "correct"), **dict.fromkeys(FALSE, "wrong")}
WHOLE = 1e-3  # how far the sum of the probabilities of all letters may be from 1


def read_log(path: str, options: Files) -> Log:
    """A response to each question of a subject, by each model that the file has."""
    frame, faults = records.read_table(path, options)
    if faults:
        return Log([], [], faults)
    subject, of_models = stem(path), [match for name in frame.columns if (match := CORRECT.fullmatch(name))]
    if not of_models or "0" not in frame.columns:
        faults.add(1, f"the columns {listed(frame.columns[1:])}", "0 with the questions, and {model}_correct")
        return Log([], [], faults)
    samples, statements = list[Sample](), list[Statement]()
    numbered = [int(name) for name in frame.columns if name.isdecimal()]
    key = str(max(numbered))  # the column of the right letter
    texts = digest(frame["0"].to_list())
    for model in of_models:
        own, unlike = list[Sample](), 0
        for number, row in enumerate(frame.iter_rows(named=True), start=1):
            said = (row[model[0]] or "").lower()
            verdict = SAID.get(said, "unscored")
            if said and said not in SAID:
                faults.add(row["line"], f"{model[0]} {row[model[0]]!r}", "True or False")
            letter, share = chosen(row, model[1])
            unlike += bool(letter and row[key] and said) and (letter == row[key]) != (verdict == "correct")
            response = (row["line"], model[1], f"{subject}/{number}", verdict, 1, share, subject, letter)
            own.append(Sample(*response, asked=row["0"], target=row[key]))
        samples += own
        notes = (f"{unlike} verdicts are not what the likeliest letter says",) if unlike else ()
        right = mean(None if one.verdict == "unscored" else float(one.verdict == "correct") for one in own)
        why = "the file states no accuracy"
        statements.append(Statement(model[1], "accuracy", None, right, None, why, notes, texts=texts))
    return Log([], [], faults) if faults else Log(samples, statements, faults)


def chosen(row: dict, model: str) -> tuple[str | None, float | None]:
    """The likeliest letter, and its probability where those of all letters are known and make up 1."""
    name = re.compile(rf"{re.escape(model)}_choice(.+)_probs")
    each = {match[1]: real(value or "") for column, value in row.items() if (match := name.fullmatch(column))}
    known = {letter: share for letter, share in each.items() if share is not None}
    if not known or len(known) < len(each):
        return None, None
    best = max(known, key=lambda letter: known[letter])
    return best, known[best] if abs(sum(known.values()) - 1) <= WHOLE and min(known.values()) >= 0 else None
