"""One case: a random campaign, its counts by the reference and by the project, compared."""

import math
import tempfile
from functools import partial
from pathlib import Path

import yaml

from fuzz.counted import (
    Case,
    Counts,
    FaultyError,
    UnsureError,
    graded,
    pairs,
    product,
    raw,
)
from fuzz.counted.drawing import Draw, vary

KINDS = {
    "raw": raw.draw_case,
    "graded": graded.draw_case,
    "wide": partial(graded.draw_case, wide=True),
    "pairs": pairs.draw_case,
}


def draw_case(kind: str, seed: int, number: int) -> Case:
    """The same campaign for the same seed and number, wherever and however often."""
    draw = Draw(f"{kind} {seed} {number}")
    return vary(draw, KINDS[kind](draw))


def check_case(kind: str, seed: int, number: int, folder: Path) -> None:
    """AssertionError, with the campaign and its files, if it is counted otherwise."""
    case = draw_case(kind, seed, number)
    if isinstance(case.expected, UnsureError):
        return
    try:
        with tempfile.TemporaryDirectory(dir=folder) as directory:
            result = product.count(case, Path(directory))
        problem = compare(case, result)
    except BaseException as error:  # a panic of Polars is no Exception
        error.add_note(describe(case))
        raise
    assert not problem, f"{kind} {number} of seed {seed}: {problem}\n{describe(case)}"


def compare(case: Case, result: str | dict) -> str:
    """How the project's counts, or its report of faults, differ from what is expected."""
    if isinstance(case.expected, FaultyError):
        return "" if isinstance(result, str) else f"no fault; expected {case.expected}"
    if isinstance(result, str):
        return result
    for scenario, counts in case.expected.items():
        if problem := difference(counts, result[scenario]):
            return f"{scenario or 'the campaign'}: {problem}"
    return ""


def difference(expected: Counts, actual: Counts) -> str:
    """Return which counts differ, with an example; a category without a row is empty."""
    runs = [sorted(key for key in counts if len(key) == 2) for counts in (expected, actual)]
    if runs[0] != runs[1]:
        return "rows: expected {}, found {}".format(*runs)
    for key, counts in expected.items():
        row = actual.get(key, dict.fromkeys(counts, 0))
        close = partial(math.isclose, rel_tol=1e-9, abs_tol=1e-9)
        pairs = {name: (float(counts[name]), row[name]) for name in counts}
        differing = {name: pair for name, pair in pairs.items() if not close(pair[0], pair[1] or 0)}
        if differing:
            return f"{key}: (expected, found) {differing}"
    return ""


def describe(case: Case) -> str:
    """A campaign's configuration and files, for people."""
    config = yaml.safe_dump({"campaigns": {"c": case.campaign}}, allow_unicode=True)
    return "\n".join(
        [config, *(f"--- {name}\n{text!r:.3000}" for name, text in case.files.items())]
    )
