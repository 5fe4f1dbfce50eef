"""`format: trec-qa`: the runs and judgments of the TREC question answering track
(docs/shared-tasks.md).

The runs of the ranked years (TREC-8 to 2001) give several answers to a question, each with a rank
and a score; those of 2002 and later give one, and the order of their lines is the order of the
system's confidence. Blanks and tabs within an answer count as one blank, in runs and judgments
alike.
"""

import polars as pl

from nonresponse import tables
from nonresponse.faults import Fault, quote
from nonresponse.formats import fields, numbers
from nonresponse.formats.text import Faults
from nonresponse.settings import Files
from nonresponse.wording import plural

NIL = "NIL"  # in the place of the document: there is no answer in the collection
LABELS = {"-1": "W", "1": "R", "2": "U", "3": "X"}
RANKED_LAYOUT = "qid [Q0] docno rank score tag answer"
ORDERED_LAYOUT = "qid tag docid answer"
COLUMNS = ["run", "question", "rank", "answer", "document", "score", "position", "nil"]


def read_runs(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Return a row per response, in the layout that the options name or that most lines have."""
    lines, faults = fields.read_fields(file, options)
    if faults:
        return pl.DataFrame(), faults
    ranked_lines = 2 * sum(looks_ranked(line) for _, line in lines) >= len(lines)
    layout = options.get("layout") or ("ranked" if ranked_lines else "ordered")
    read_line = read_ranked if layout == "ranked" else read_ordered
    read_rows = (
        read_line(number, line, position, faults)
        for position, (number, line) in enumerate(lines, start=1)
    )
    rows = [*filter(None, read_rows)]
    # The line that each tag is first on
    first_lines = {tag: number for number, tag, *_ in reversed(rows)}
    for tag, number in first_lines.items():
        if tag != rows[0][1]:
            found = f"the tag {quote(tag)} after {quote(rows[0][1])}"
            faults.add(number, found, "one tag, the run's name, in a file")
    responses = fields.make_frame(rows, COLUMNS, tables.RESPONSES)
    # Scores are confidences, too, where all of a file lie in [0, 1].
    are_shares = pl.col("score").is_between(0, 1).all()
    return responses.with_columns(confidence=pl.when(are_shares).then(pl.col("score"))), faults


def looks_ranked(line: list[str]) -> bool:
    """Return whether a line has a rank and a score, which rarely happens by chance."""
    if line[1:2] == ["Q0"] or len(line) < 5:
        return line[1:2] == ["Q0"]
    return numbers.parse_whole(line[2]) is not None and numbers.parse_real(line[3]) is not None


def read_ranked(number: int, line: list[str], position: int, faults: Faults) -> tuple | None:
    """Return the row of `qid [Q0] docno rank score tag answer`; null for a line at fault."""
    start = 2 if line[1:2] == ["Q0"] else 1
    if len(line) < start + 4:
        faults.add(number, f"{len(line)} fields", RANKED_LAYOUT)
        return None
    document, rank, score, tag = line[start : start + 4]
    rank_number, value = numbers.parse_whole(rank), numbers.parse_real(score)
    if rank_number is None:
        faults.add(number, f"the rank {quote(rank)}", f"a whole number ({RANKED_LAYOUT})")
    if value is None:
        faults.add(number, f"the score {quote(score)}", f"a number ({RANKED_LAYOUT})")
    response = read_answer(number, document, line[start + 4 :], faults)
    row = (number, tag, line[0], rank_number, *response, value, None, document == NIL)
    return None if rank_number is None or value is None else row


def read_ordered(number: int, line: list[str], position: int, faults: Faults) -> tuple | None:
    """Return the row of `qid tag docid answer`, whose order is that of confidence."""
    if len(line) < 3:
        faults.add(number, plural(len(line), "field"), ORDERED_LAYOUT)
        return None
    question, tag, document, *words = line
    response = read_answer(number, document, words, faults)
    return number, tag, question, 1, *response, None, position, document == NIL


def read_answer(
    line: int, document: str, words: list[str], faults: Faults
) -> tuple[str | None, str | None]:
    """Return the answer string and its document; both are null where the response is NIL."""
    if document == NIL:
        return None, None
    if not words:
        faults.add(line, "no answer string", f"one, as the document is not {NIL}")
    return " ".join(words), document


def read_judgments(file: str, options: Files) -> tuple[pl.DataFrame, list[Fault]]:
    """Return a row per judged answer; the assessor is the file's stem."""
    lines, faults = fields.read_fields(file, options)
    if faults:
        return pl.DataFrame(), faults
    rows = []
    for number, line in lines:
        if len(line) < 3 or (len(line) < 4 and line[1] != NIL):
            faults.add(number, plural(len(line), "field"), "qid docid judgment answer")
        # Shows that the question was asked; whether NIL is right follows from the question
        elif line[1] == NIL:
            rows.append((number, line[0], NIL, NIL, "W"))
        else:
            question, document, judgment, *answer = line
            label = LABELS.get(judgment, judgment.upper())
            rows.append((number, question, document, " ".join(answer), label))
    names = ["question", "document", "answer", "label"]
    return fields.make_frame(rows, names, tables.JUDGMENTS), faults
