"""One case: a campaign drawn, its counts by the reference and by the project, and where they
differ."""

import contextlib
import math
import random
import shutil
import tempfile
from importlib import import_module
from pathlib import Path

import yaml
from nonresponse.campaign import ConfigError

from fuzz.counted import Counts, Drawn, FaultyError, UnsureError, product
from fuzz.counted.drawing import in_other_words
from fuzz.findings import Finding, limited, place
from fuzz.findings import kind as worded

KINDS = ("raw", "graded", "wide", "pairs", "graded_pairs")
SECONDS = 20.0


def drawn(what: str, seed: int, number: int) -> Drawn:
    """The same campaign for the same seed and number, wherever and however often."""
    draw = random.Random(f"{what} {seed} {number}")
    return in_other_words(draw, import_module(f"fuzz.counted.{what}").drawn(draw))


def finding(what: str, seed: int, number: int, folder: Path) -> Finding | None:
    """What is wrong with how the campaign of this number is counted."""
    case = drawn(what, seed, number)
    if isinstance(case.expected, UnsureError):
        return None
    own = Path(tempfile.mkdtemp(dir=folder))
    try:
        with limited(SECONDS):
            found = product.made(case, own)
    except KeyboardInterrupt:
        raise
    except ConfigError as error:
        return Finding("config", f"{what}: {worded(str(error))}", str(error))
    except BaseException as error:  # a panic of Polars is no Exception
        return Finding(
            "exception", f"{what}: {type(error).__name__} in {place(error)}", repr(error)[:500]
        )
    finally:
        shutil.rmtree(own)
    if isinstance(case.expected, FaultyError):
        return (
            None
            if isinstance(found, str)
            else Finding("taken", f"{what}: {worded(str(case.expected))}", "no fault")
        )
    if isinstance(found, str):
        return Finding("refused", f"{what}: {worded(found.partition('found=')[2])}", found)
    for scenario, (by_run, by_category) in case.expected.items():
        of_runs, of_categories = found[scenario]
        for where, expected, counted in (
            ("counts", by_run, of_runs),
            ("categories", by_category, of_categories),
        ):
            if problem := difference(expected, counted, where == "categories"):
                in_words = f"{scenario or 'the campaign'}: {problem[1]}"
                return Finding("differs", f"{what}: {where} {problem[0]}", in_words)
    return None


def difference(expected: Counts, found: Counts, sparse: bool) -> tuple[str, str] | None:
    """The names of the counts that differ, and those of one run; a category without a row has no
    questions."""
    if expected.keys() != found.keys() and not sparse:
        missing, more = (
            sorted(expected.keys() - found.keys()),
            sorted(found.keys() - expected.keys()),
        )
        return "rows", f"expected {missing}, found {more}"
    for key, counts in expected.items():
        row = found.get(key, dict.fromkeys(counts, 0))
        other = [name for name, value in counts.items() if not same(value, row[name] or 0)]
        if other:
            sides = [
                {name: float(side[name]) for name in other if side[name] is not None}
                for side in (counts, row)
            ]
            return " ".join(other), f"{key}: expected {sides[0]}, found {sides[1]}"
    return None


def same(one, other) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def explained(what: str, seed: int, number: int, folder: Path) -> str:
    """The campaign in words: what is found, its configuration and its files, which are written to
    the folder, too."""
    case, found = drawn(what, seed, number), finding(what, seed, number, folder)
    lines = [f"{what} {number} of seed {seed}: {': '.join(found[:2]) if found else 'no finding'}"]
    if isinstance(case.expected, FaultyError | UnsureError):
        lines.append(f"expected: {type(case.expected).__name__}, {case.expected}")
    lines += [*found[2:]] if found else []
    config = yaml.safe_dump(
        {"campaigns": {"c": case.campaign}}, sort_keys=False, allow_unicode=True
    )
    for name, content in {"config.yaml": config.encode(), **case.files}.items():
        path = folder / f"{what}-{seed}-{number}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        text = repr(content)
        with contextlib.suppress(UnicodeDecodeError):
            text = content.decode()
        lines.append(f"--- {name}\n{text[:3000]}")
    return "\n".join(lines)
