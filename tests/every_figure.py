"""Whether an oracle notices a change of any number in a table: each is changed in turn."""

from collections.abc import Callable, Iterator
from inspect import signature

import polars as pl
import pytest
from nonresponse.views.material import module_of

# The views with their oracles in tests/views/test_answering.py; those of all others are in tests/views/test_views.py.
ON_ANSWERING = ("guessing", "prices", "risk", "reliability_diagram", "guarantee")


def changes(table: pl.DataFrame, column: str) -> Iterator[pl.DataFrame]:
    """The table with another value in the column: in the first, a middle and the last row that has one."""
    values, kind = table[column].to_list(), table.schema[column]
    places = [place for place, value in enumerate(values) if value is not None]
    for place in {places[0], places[len(places) // 2], places[-1]}:
        was = values[place]
        if kind == pl.String:
            other = f"{was}x"
        elif kind == pl.List(pl.String):
            other = [f"{name}x" for name in was]
        else:
            other = not was if kind == pl.Boolean else was + 1
        changed = [*values[:place], other, *values[place + 1 :]]
        yield table.with_columns(pl.Series(column, changed, kind))


def unseen(id: str, oracle: Callable, request: pytest.FixtureRequest) -> set[str]:
    """The columns of a view's table whose changes its oracle does not notice, or that have no value there."""
    view, made, monkeypatch = module_of(id), [], request.getfixturevalue("monkeypatch")
    given = {name: request.getfixturevalue(name) for name in signature(oracle).parameters}
    make = view.table_of
    with monkeypatch.context() as patched:
        patched.setattr(view, "table_of", lambda material: made.append(make(material)) or made[-1])
        oracle(**given)
    table = made[0]
    columns = {name for name in table.columns if table[name].is_null().all()}
    for name in [name for name in table.columns if name not in columns]:
        for other in changes(table, name):
            with monkeypatch.context() as patched:
                patched.setattr(view, "table_of", lambda _, other=other: other)
                try:
                    oracle(**given)
                    columns.add(name)
                except AssertionError:
                    pass
    return columns
