"""Columns that measure answers but not whether they are right: Ragas' faithfulness, MLflow's relevance.

Exports of MLflow, LangSmith and Ragas have a column for each metric; only a metric of correctness tells what is right.
"""

import json
import re

import polars as pl

from nonresponse.faults import OWN_BLOCK, Fault, listed
from nonresponse.formats import numbers
from nonresponse.formats.logs import OTHERWISE
from nonresponse.formats.roles import measures_other
from nonresponse.look import Source
from nonresponse.look.beside import boolean
from nonresponse.look.words import different

MEASURED = ("score", "success", "passed", "correct", "is_correct", "verdict", "grade")  # keys with a metric's value
# Columns of MLflow that go with the value of a metric, and measure nothing themselves.
BESIDE = re.compile(r".*/(rationale|error_message|error_code|metadata|source)")


def is_other(name: str, values: pl.Series) -> bool:
    """Whether a column measures something other than correctness, in numbers, in yes and no, or in lists of metrics."""
    known = values.drop_nulls()
    if are_metrics(known):
        return True
    if not measures_other(name):
        return False
    said = boolean(different(known)) is not None
    return bool(len(known)) and (said or numbers.are_reals(known))


def are_metrics(values: pl.Series) -> bool:
    """Whether a column holds metrics as JSON, one or a list of them: [{"name": …, "score": …}]."""
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
    """The source of a table, given its columns that measure something else (`others`), which are noted as undecided.

    A fault if its answers would be graded by comparing texts: since somebody measured them, there may be grades
    elsewhere.
    """
    if not others or isinstance(read, Fault):
        return read
    if "gold" in read.options and read.options.get("layout") != "wide":
        found = f"answers, right ones, and {listed(others)}, {OTHERWISE}"
        expected = f"a column that says so, or `gold: {gold}` in {OWN_BLOCK}, which compares the texts"
        return Fault(read.path, 0, found, expected)
    said = f"whether {listed(others)} {'says' if len(others) == 1 else 'say'} that an answer is right: here not"
    return read._replace(undecided=(*read.undecided, said))
