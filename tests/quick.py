"""Of a test with many cases, one of each group."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet


def first_of_each(group: Callable[..., Hashable], cases: Iterable[Any]) -> list[ParameterSet]:
    """Return the first case of each group as parameters."""
    parameters_by_group: dict[Hashable, ParameterSet] = {}
    for case in cases:
        parameters = (
            case
            if isinstance(case, ParameterSet)
            else pytest.param(*(case if isinstance(case, tuple) else [case]))
        )
        parameters_by_group.setdefault(group(*parameters.values), parameters)
    return list(parameters_by_group.values())
