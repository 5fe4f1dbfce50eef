"""Columns that measure answers, and say nothing of whether they are right: Ragas' faithfulness, MLflow's relevance.

Exports of MLflow, LangSmith and Ragas have a column for each metric; only one that measures correctness says what is
right.
"""

import json
import re

import polars as pl

from nonresponse.faults import Fault, listed
from nonresponse.formats import numbers
from nonresponse.formats.logs import OTHERWISE
from nonresponse.formats.roles import measures_other
from nonresponse.look import Source
from nonresponse.look.beside import boolean
from nonresponse.look.words import different

MEASURED = ("score", "success", "passed", "correct", "is_correct", "verdict", "grade")  # of a metric in a list
# What stands beside the value of a metric in a column of its own (MLflow), and measures nothing.
BESIDE = re.compile(r".*/(rationale|error_message|error_code|metadata|source)")


def is_other(name: str, values: pl.Series) -> bool:
    """Whether a column has numbers, or yes and no, that measure something else."""
    known = values.drop_nulls()
    if are_metrics(known):
        return True
    if not measures_other(name):
        return False
    said = boolean(different(known)) is not None
    return bool(len(known)) and (said or numbers.are_reals(known))


def are_metrics(values: pl.Series) -> bool:
    """Whether what stands in a column are lists of what was measured, or one such: [{"name": …, "score": …}]."""
    first = next(iter(values.head(1)), "")
    if not first.startswith(("[{", "{")):
        return False
    try:
        value = json.loads(first)
    except ValueError:
        return False
    each = value if isinstance(value, list) else [value]
    return any(isinstance(one, dict) and {*one} & {"name", "metric"} and {*one} & {*MEASURED} for one in each)


def told(read: Source | Fault, others: list[str], gold: str | None) -> Source | Fault:
    """What a table with such columns is read as: never by comparing texts, which somebody has measured."""
    if not others or isinstance(read, Fault):
        return read
    if "gold" in read.options and read.options.get("layout") != "wide":
        found = f"answers, right ones, and {listed(others)}, {OTHERWISE}"
        expected = f"a column that says so, or `gold: {gold}` in a graded: block of your own, which compares the texts"
        return Fault(read.path, 0, found, expected)
    said = f"whether {listed(others)} {'says' if len(others) == 1 else 'say'} that an answer is right: here not"
    return read._replace(undecided=(*read.undecided, said))
