"""`format: mmlu`: results of MMLU's own evaluation and its many copies, a CSV file for each model
and subject.

Its columns are numbers: the question, the options, the right letter; then `{model}_correct` and the
probability of each letter, `{model}_choice{letter}_probs`.
"""

import re
from collections.abc import Iterator
from typing import Any

from nonresponse.faults import listed
from nonresponse.formats.declared import Sign, Spec
from nonresponse.formats.log_records import ALL, RULES
from nonresponse.formats.logs import Statement
from nonresponse.formats.words import FALSE, TRUE

CORRECT = re.compile(r"(.+)_correct")
WHOLE = 1e-3  # how far the sum of the probabilities of all letters may be from 1


def rows(reading: Any) -> Iterator[tuple[int, dict]]:
    """Yield the response of each model to each question of a subject."""
    from nonresponse.formats.records import read_table

    frame, faults = read_table(reading.path, reading.options)
    reading.faults += faults
    models = [match for name in frame.columns if (match := CORRECT.fullmatch(name))]
    if not faults and (not models or "0" not in frame.columns):
        reading.faults.add(
            1,
            f"the columns {listed(frame.columns[1:])}",
            "0 with the questions, and {model}_correct",
        )
    if reading.faults:
        return
    # The column of the right letter
    key = str(max(int(name) for name in frame.columns if name.isdecimal()))
    for model in models:
        for place, row in enumerate(frame.iter_rows(named=True), start=1):
            said, (letter, share) = row[model[0]], chosen(row, model[1])
            own = {
                "id": str(place),
                "run": model[1],
                "asked": row["0"],
                "target": row[key],
                "answer": letter,
            }
            right = said is not None and said.lower() in TRUE
            reading.counts[model[1]] += (
                bool(letter and row[key] and said) and (letter == row[key]) != right
            )
            yield row["line"], own | {"confidence": share, "scores": {"": said}}


def chosen(row: dict, model: str) -> tuple[str | None, float | None]:
    """Return the likeliest letter, and its probability where those of all letters are known and
    make up 1."""
    from nonresponse.formats.numbers import real

    name = re.compile(rf"{re.escape(model)}_choice(.+)_probs")
    each = {
        match[1]: real(value or "")
        for column, value in row.items()
        if (match := name.fullmatch(column))
    }
    known = {letter: share for letter, share in each.items() if share is not None}
    if not known or len(known) < len(each):
        return None, None
    best = max(known, key=lambda letter: known[letter])
    return best, known[best] if abs(sum(known.values()) - 1) <= WHOLE and min(
        known.values()
    ) >= 0 else None


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    unlike = reading.counts[own.run]
    return own._replace(
        notes=(f"{unlike} verdicts are not what the likeliest letter says",) if unlike else ()
    )


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
