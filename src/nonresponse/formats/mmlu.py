"""`format: mmlu`: results of MMLU's own evaluation and its many copies, a CSV file for each model
and subject.

Its columns are numbers: the question, the options, the right letter; then `{model}_correct` and the
probability of each letter, `{model}_choice{letter}_probs`.
"""

import re
from collections.abc import Iterator
from typing import Any

from nonresponse.faults import listed
from nonresponse.formats.declared import ALL, RULES, Sign, Spec
from nonresponse.formats.logs import Statement
from nonresponse.formats.words import FALSE, TRUE

WHOLE = 1e-3  # how far the sum of the probabilities of all letters may be from 1


def rows(reading: Any) -> Iterator[tuple[int, dict]]:
    """Yield the response of each model to each question of a subject."""
    from nonresponse.formats.records import read_table

    frame, faults = read_table(reading.path, reading.options)
    reading.faults += faults
    ends = "_correct"
    models = [name.removesuffix(ends) for name in frame.columns[1:] if name[1:].endswith(ends)]
    if not faults and (not models or "0" not in frame.columns):
        expected = "0 with the questions, and {model}_correct"
        reading.faults.add(1, f"the columns {listed(frame.columns[1:])}", expected)
    if reading.faults:
        return
    # The column of the right letter
    key = str(max(int(name) for name in frame.columns if name.isdecimal()))
    for model in models:
        letters = re.compile(rf"{re.escape(model)}_choice(.+)_probs")
        columns = [match for name in frame.columns if (match := letters.fullmatch(name))]
        for place, row in enumerate(frame.iter_rows(named=True), start=1):
            letter, share = chosen({match[1]: row[match[0]] for match in columns})
            judged = row[f"{model}{ends}"]
            right = judged is not None and judged.lower() in TRUE
            unlike = letter and row[key] and judged and (letter == row[key]) != right
            reading.counts[model] += bool(unlike)
            texts = {"asked": row["0"], "target": row[key], "answer": letter, "confidence": share}
            yield row["line"], {"id": str(place), "run": model, "scores": {"": judged}} | texts


def chosen(shares: dict[str, str | None]) -> tuple[str | None, float | None]:
    """Return the likeliest letter, and its probability where those of all letters are known and
    make up 1."""
    from nonresponse.formats.numbers import real

    each = {letter: real(share or "") for letter, share in shares.items()}
    known = {letter: share for letter, share in each.items() if share is not None}
    if not known or len(known) < len(each):
        return None, None
    best = max(known, key=lambda letter: known[letter])
    whole = abs(sum(known.values()) - 1) <= WHOLE and min(known.values()) >= 0
    return best, known[best] if whole else None


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    unlike = reading.counts[own.run]
    note = f"{unlike} verdicts are not what the likeliest letter says"
    return own._replace(notes=(note,) if unlike else ())


SPEC = Spec(
    "mmlu",
    "a table of MMLU's own evaluation, .csv",
    (*ALL, "unscored"),
    options=RULES,
    tells=("scores",),
    blind="the likeliest letter is the answer, so that no question is left unanswered",
    signs=(Sign(".csv", "0 1 2 3 4 5"),),
    records=rows,
    joined=True,
    run=("run",),
    task=("{stem}",),
    prefixed=True,
    option="",
    words={**dict.fromkeys(TRUE, "correct"), **dict.fromkeys(FALSE, "wrong")},
    text=("asked",),
    measure="accuracy",
    unstated="the file states no accuracy",
    headline=headline,
)
