"""Combined measures, such as `mean(c@1,auc,f@1)`: made of scores by others.

PAN ranks by them. A run's score by a combined measure, with its intervals and tests, follows from
the parts.
"""

import re
from collections.abc import Sequence
from math import prod
from typing import Any

from nonresponse.measures import Measure, get

PATTERN = re.compile(r"(mean|product)\((.*)\)")
FEWEST, LARGEST = 2, 8  # parts


def mean(scores: Sequence[Any]) -> Any:
    """Mean of the scores by several measures, undefined where one of them is."""
    return sum(scores) / len(scores)


def product(scores: Sequence[Any]) -> Any:
    """Product of the scores by several measures, undefined where one of them is."""
    return prod(scores)


# Each with its formula and who ranks by it.
KINDS = {
    "mean": (
        mean,
        r"\frac{1}{k}\sum_{i=1}^{k} M_i",
        "PAN 2020 to 2026, authorship verification: overall, mean",
    ),
    "product": (
        product,
        r"\prod_{i=1}^{k} M_i",
        "PAN 2014 and 2015, author verification: the final score, AUC × c@1",
    ),
}


def measure(task: str, id: str) -> Measure:
    """Return the measure that an id such as `mean(c@1, auc)` names, or raise KeyError."""
    match = PATTERN.fullmatch(id)
    if not match:
        raise KeyError(
            f"{id!r}: expected mean(…) or product(…) in quotes, since there are commas inside"
        )
    parts = [get(task, name.strip()) for name in match[2].split(",")]
    names = [part.id for part in parts]
    if not FEWEST <= len({*names}) == len(names) <= LARGEST:
        raise KeyError(f"{id!r}: expected {FEWEST} to {LARGEST} different measures in the brackets")
    if {part.direction for part in parts} not in ({"higher"}, {"lower"}):
        raise KeyError(f"{id!r}: expected measures that are all better higher, or all lower")
    if match[1] == "product" and any(part.range[0] is None or part.range[0] < 0 for part in parts):
        raise KeyError(f"{id!r}: expected measures that are never below 0")
    combine, formula, source = KINDS[match[1]]
    ranges = zip(*(part.range for part in parts), strict=True)
    return Measure(
        f"{match[1]}({','.join(names)})",
        task,
        "combined",
        combine,
        formula,
        source,
        range=tuple(None if None in ends else combine(ends) for ends in ranges),
        undefined="one of its measures is undefined",
        higher_is_better=parts[0].higher_is_better,
        is_default=False,
        lacking=next((part.lacking for part in parts if part.lacking), ""),
        classes=any(part.classes for part in parts),
        biased=any(part.biased for part in parts),
        smooth=all(part.smooth for part in parts),
        parts=tuple(parts),
    )
