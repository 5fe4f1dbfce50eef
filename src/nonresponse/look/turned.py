"""Tables with a row per metric of a response, or per assessor of it, as `pivot:` reads them."""

import polars as pl

from nonresponse.faults import listed, shown
from nonresponse.formats.pivoted import pivoted
from nonresponse.formats.text import Faults, most_fields
from nonresponse.look import Source, records_of, repetitions
from nonresponse.look.table import with_assessors
from nonresponse.look.tables import read_with
from nonresponse.look.words import different, meanings


def turned(one: Source, name: str) -> Source | None:
    """The source of a table after pivoting it by the column `name`; null if the result is not recognised."""
    frame, options, _ = records_of.rows_of(one.path, one.options)
    columns = one.options.get("columns", {})
    response = [*repetitions.asked_by(one.options)]
    response += [run] if (run := repetitions.run_of(frame, one.options)) else []
    value = columns.get("verdict", "verdict")
    if one.options.get("layout") == "wide":  # then the columns of names and of values were taken for systems
        left = {*frame.columns} - {"line", name, *response, *one.options.get("ignore", [])}
        value = left.pop() if len(left) == 1 else ""
    if value not in frame.columns:
        return None
    others = [column for column in frame.columns if column not in ("line", name, value, *response)]
    different = frame.group_by(response).agg(pl.col(others).n_unique())
    kept = [*response, *(column for column in others if different[column].max() == 1)]
    faults, pivot = Faults(one.path), {name: value}
    table = pivoted(frame, pivot, kept, faults, most_fields(one.path, options))
    if faults:
        return None
    own = [column for column in table.columns if column not in ("line", *kept)]
    read_as = of_assessors(one, frame[value], own) if repetitions.of_assessors(name) else of_metrics(one, table, own)
    if read_as is None:
        return None
    said = f"what the rows for each {shown(name)} of a response are: here columns, {listed(own)} (`pivot:`)"
    return read_as._replace(
        options={"format": "tabular"} | read_as.options | options | {"pivot": pivot},
        undecided=(said, *read_as.undecided),
    )


def of_metrics(one: Source, table: pl.DataFrame, metrics: list[str]) -> Source | None:
    """The source of a pivoted table whose verdict is one of the metrics; null if these seem systems or assessors."""
    read_as = read_with(one.path, table, {})
    if not isinstance(read_as, Source) or read_as.part != "graded" or {"layout", "assessors"} & read_as.options.keys():
        return None
    return read_as if read_as.options.get("columns", {}).get("verdict", "verdict") in metrics else None


def of_assessors(one: Source, said: pl.Series, assessors: list[str]) -> Source | None:
    """The source of a table turned to a column per assessor; null if the words of their verdicts are unknown."""
    known = meanings(different(said))
    if not known or any(other != known[0] for other in known):
        return None
    columns = {ours: theirs for ours, theirs in one.options.get("columns", {}).items() if ours != "verdict"}
    options, which = with_assessors(assessors, columns, known[0])
    return one._replace(options=options, undecided=(which, *one.undecided))
