"""Of a test with many cases, some in the quick run and all in the whole: a fault is still seen in the quick one."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet


def first_of_each(group: Callable[..., Hashable], cases: Iterable[Any]) -> list[ParameterSet]:
    """The cases as parameters; all are marked as slow, except the first of each group."""
    found, seen = [], set()
    for case in cases:
        given = case if isinstance(case, ParameterSet) else pytest.param(*(case if isinstance(case, tuple) else [case]))
        own = group(*given.values)
        marks = given.marks if own not in seen else [*given.marks, pytest.mark.slow]
        found.append(given._replace(marks=marks))
        seen.add(own)
    return found
