"""One case: a random campaign, its counts by the reference and by the project, compared."""

import contextlib
import math
import random
import shutil
import tempfile
from functools import partial
from importlib import import_module
from pathlib import Path

import yaml
from nonresponse.campaign import ConfigError

from fuzz.counted import Case, Counts, FaultyError, UnsureError, product
from fuzz.counted.drawing import vary
from fuzz.findings import Finding, find_origin, generalise, limit_time

KINDS = ("raw", "graded", "wide", "pairs", "graded_pairs")
SECONDS = 20.0


def draw_case(kind: str, seed: int, number: int) -> Case:
    """The same campaign for the same seed and number, wherever and however often."""
    draw = random.Random(f"{kind} {seed} {number}")
    return vary(draw, import_module(f"fuzz.counted.{kind}").draw_case(draw))


def check_case(kind: str, seed: int, number: int, folder: Path) -> Finding | None:
    """What is wrong with how the campaign of this number is counted."""
    case = draw_case(kind, seed, number)
    if isinstance(case.expected, UnsureError):
        return None
    directory = Path(tempfile.mkdtemp(dir=folder))
    try:
        with limit_time(SECONDS):
            result = product.count(case, directory)
    except KeyboardInterrupt:
        raise
    except ConfigError as error:
        return Finding("config", f"{kind}: {generalise(str(error))}", str(error))
    except BaseException as error:  # a panic of Polars is no Exception
        origin = f"{kind}: {type(error).__name__} in {find_origin(error)}"
        return Finding("exception", origin, repr(error)[:500])
    finally:
        shutil.rmtree(directory)
    if isinstance(case.expected, FaultyError):
        fault = f"{kind}: {generalise(str(case.expected))}"
        return None if isinstance(result, str) else Finding("taken", fault, "no fault")
    if isinstance(result, str):
        return Finding("refused", f"{kind}: {generalise(result.partition('found=')[2])}", result)
    for scenario, (run_counts, category_counts) in case.expected.items():
        project_runs, project_categories = result[scenario]
        for table, expected, actual in (
            ("counts", run_counts, project_runs),
            ("categories", category_counts, project_categories),
        ):
            if problem := difference(expected, actual, table == "categories"):
                text = f"{scenario or 'the campaign'}: {problem[1]}"
                return Finding("differs", f"{kind}: {table} {problem[0]}", text)
    return None


def difference(expected: Counts, actual: Counts, sparse: bool) -> tuple[str, str] | None:
    """Return which counts differ, and an example; a category without a row is empty."""
    if expected.keys() != actual.keys() and not sparse:
        missing = sorted(expected.keys() - actual.keys())
        extra = sorted(actual.keys() - expected.keys())
        return "rows", f"expected {missing}, found {extra}"
    for key, counts in expected.items():
        row = actual.get(key, dict.fromkeys(counts, 0))
        close = partial(math.isclose, rel_tol=1e-9, abs_tol=1e-9)
        differing = [name for name in counts if not close(counts[name], row[name] or 0)]
        if differing:
            sides = [
                {name: float(side[name]) for name in differing if side[name] is not None}
                for side in (counts, row)
            ]
            return " ".join(differing), f"{key}: expected {sides[0]}, found {sides[1]}"
    return None


def explain(kind: str, seed: int, number: int, folder: Path) -> str:
    """Describe a campaign, its finding, its configuration and its files, and write the files."""
    case, result = draw_case(kind, seed, number), check_case(kind, seed, number, folder)
    lines = [f"{kind} {number} of seed {seed}: {': '.join(result[:2]) if result else 'no finding'}"]
    if isinstance(case.expected, FaultyError | UnsureError):
        lines.append(f"expected: {type(case.expected).__name__}, {case.expected}")
    lines += [*result[2:]] if result else []
    config = yaml.safe_dump(
        {"campaigns": {"c": case.campaign}}, sort_keys=False, allow_unicode=True
    )
    for name, content in {"config.yaml": config.encode(), **case.files}.items():
        path = folder / f"{kind}-{seed}-{number}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        text = repr(content)
        with contextlib.suppress(UnicodeDecodeError):
            text = content.decode()
        lines.append(f"--- {name}\n{text[:3000]}")
    return "\n".join(lines)
