"""The outcomes of a campaign under its official judgments, a file for each measure: what trials are counted on.

If a changed judgment makes no difference to a measure, the file of that measure stays as it is, and its trials are not
repeated. A measure by which no run has a score has no file and no trials, unless it is the first, which ranks.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import numpy as np

from nonresponse import measures, tables, tasks
from nonresponse.measures import Measure
from nonresponse.measures.orderings import Order
from nonresponse.reliability.outcomes import Outcomes, by_unit, full_scores, samples_of


def write_outcomes(verdicts: Path, task: str, ids: list[str], policy: dict, official: str | None, folder: Path) -> None:
    """A file for each of the measures that is defined, an .npz archive; of all but the trivial runs."""
    assessor = tables.official(official, tables.scan(verdicts))
    samples = samples_of(verdicts, task, assessor, tasks.get(task).trivial)
    for id in ids:
        seen = samples.seen_by(measures.get(task, id), policy)
        if id != ids[0] and np.isnan(full_scores(seen)).all():
            continue
        write_arrays(as_arrays(seen, samples.asked, assessor), folder / f"{id}.npz")


def write_arrays(arrays: dict[str, np.ndarray], path: Path) -> None:
    """Writes an .npz archive."""
    with tables.replacing(path) as part, part.open("wb") as opened:
        np.savez(opened, allow_pickle=False, **arrays)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz archive."""
    with np.load(path, allow_pickle=False) as archive:
        return dict(archive)


def as_arrays(seen: Outcomes, asked: list[str], assessor: str) -> dict[str, np.ndarray]:
    """The arrays of a file: names as JSON; matrices of nothing but 0 and 1 packed, eight questions to the byte."""
    names = {"assessor": assessor, "runs": seen.runs, "samples": seen.questions, "asked": asked}
    return {"names": np.frombuffer(json.dumps(names).encode(), np.uint8)} | arrays_of(seen)


def arrays_of(seen: Outcomes) -> dict[str, np.ndarray]:
    """The arrays of a file, except the names; those of a combined measure's parts begin with the part's number."""
    arrays = {f"{place} {name}": it for place, part in enumerate(seen.parts) for name, it in arrays_of(part).items()}
    arrays |= {f"matrix {name}": packed(matrix) for name, matrix in seen.matrices.items()}
    if seen.matrices:
        arrays["dtype"] = np.zeros(0, next(iter(seen.matrices.values())).dtype)
    if seen.known is not None:
        arrays["known"] = packed(seen.known)
    for name in (field.name for field in fields(Order)) if seen.orders else ():
        of_runs = [np.atleast_1d(getattr(order, name)) for order in seen.orders]
        arrays[f"order {name}"] = np.concatenate(of_runs)
        arrays[f"rows of {name}"] = np.array([len(rows) for rows in of_runs])
    return arrays


def packed(matrix: np.ndarray) -> np.ndarray:
    """The matrix as bits if it holds nothing but 0 and 1, else as it is."""
    return np.packbits(matrix.astype(bool), axis=1) if ((matrix == 0) | (matrix == 1)).all() else matrix


def read_outcomes(file: Path, task: str, measure: str, clusters: Mapping[str, str]) -> tuple[Outcomes, str]:
    """The outcomes for this measure, with the questions of a cluster as one; and their assessor."""
    arrays = read_arrays(file)
    names = json.loads(arrays["names"].tobytes())
    seen = outcomes_in(arrays, measures.get(task, measure), names["runs"], names["samples"])
    return by_unit(seen, names["asked"], clusters), names["assessor"]


def outcomes_in(arrays: dict[str, np.ndarray], measure: Measure, runs: list[str], samples: list[str]) -> Outcomes:
    """The outcomes of single samples, from what `arrays_of` made of them."""

    def unpacked(matrix: np.ndarray, dtype: np.dtype) -> np.ndarray:
        """A matrix as it was before `packed`."""
        bits = matrix.dtype == np.uint8
        return (np.unpackbits(matrix, axis=1, count=len(samples)) if bits else matrix).astype(dtype)

    parts = []
    for place, part in enumerate(measure.parts):
        own = {key.removeprefix(f"{place} "): it for key, it in arrays.items() if key.startswith(f"{place} ")}
        parts.append(outcomes_in(own, part, runs, samples))
    return Outcomes(
        measure,
        runs,
        samples,
        parts=parts,
        matrices={
            key.removeprefix("matrix "): unpacked(matrix, arrays["dtype"].dtype)
            for key, matrix in arrays.items()
            if key.startswith("matrix ")
        },
        known=unpacked(arrays["known"], np.dtype(np.float32)) if "known" in arrays else None,
        orders=orders_in(arrays) if "order question" in arrays else [],
    )


def orders_in(arrays: dict[str, np.ndarray]) -> list[Order]:
    """The order of each run."""
    parts = {
        field.name: np.split(arrays[f"order {field.name}"], np.cumsum(arrays[f"rows of {field.name}"])[:-1])
        for field in fields(Order)
    }
    whole = ("ordered", "abstained")  # one value per run, not per row
    return [
        Order(**{name: rows[0].item() if name in whole else rows for name, rows in zip(parts, of_run, strict=True)})
        for of_run in zip(*parts.values(), strict=True)
    ]
