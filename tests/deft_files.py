"""Small files of the format of DEFT 2011's two tasks, and what its reader makes of a file."""

import polars as pl
import pytest
from nonresponse.formats import deft
from nonresponse.formats.text import stem
from reading import places, values, write

RUN = (
    "question\tyear\tconfidence\nf1\t1871\t0.7\nf2\t\t\nf1\t1874\t0.3\nf3\t1802\t\n",
    '<deft>\n<doc id="f1"><hypothesis year="1871" confidence="0.7"/>\n'
    '<hypothesis year="1874" confidence="0.3"/></doc>\n'
    '<doc id="f2"/>\n<doc id="f3"><hypothesis year="1802"/></doc></deft>\n',
)
REFERENCE = (
    "question\tlabel\na1\tt07\na2\tt03\n",
    '<deft>\n<doc id="a1"><hypothesis label="t07"/></doc>\n<doc id="a2"><hypothesis '
    'label="t03"/></doc></deft>\n',
)
every_reader = pytest.mark.parametrize("read", [deft.read_runs, deft.read_judgments])
RUN_COLUMNS = ["line", "run", "question", "answer", "confidence", "answered"]


def run(tmp_path, name: str, content, **options):
    """The rows of a run under the file's name as tuples of RUN_COLUMNS, and the places of the
    faults."""
    frame, faults = deft.read_runs(file := write(tmp_path, name, content), options)
    frame = frame.with_columns(run=pl.lit(stem(file))) if frame.width else frame
    return values(frame, *RUN_COLUMNS) if frame.width else [], places(faults)


def gold(tmp_path, name: str, content, **options):
    """The references as tuples of line, assessor (the file's name), question, answer, label; places
    of the faults."""
    frame, faults = deft.read_judgments(file := write(tmp_path, name, content), options)
    frame = frame.with_columns(assessor=pl.lit(stem(file))) if frame.width else frame
    return values(
        frame, "line", "assessor", "question", "answer", "label"
    ) if frame.width else [], places(faults)


def documents(inside: str) -> str:
    return f"<deft>\n{inside}\n</deft>\n"
