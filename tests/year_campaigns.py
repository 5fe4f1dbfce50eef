"""Verdicts of dating as written by hand, and their distances from the reference."""

import polars as pl
from nonresponse.judging.store import of_rows, write_verdicts
from nonresponse.scoring import year_distances
from nonresponse.tasks import POLICIES

SCHEMA = {
    "assessor": pl.String,
    "run": pl.String,
    "question": pl.String,
    "candidate": pl.String,
    "category": pl.String,
    "verdict": pl.String,
    "missing": pl.Boolean,
    "compared": pl.Boolean,
    "year": pl.Int32,
    "distance": pl.Int32,
}


def verdict_rows(assessor: str, run: str, fragments: list[tuple]) -> list[dict]:
    """Of fragments (year, distance or None), or (year, None, "error")."""
    rows = []
    for number, (year, distance, *verdict) in enumerate(fragments):
        found = "unanswered" if distance is None else "wrong" if distance else "correct"
        row = {"assessor": assessor, "run": run, "question": f"f{number:03}", "candidate": "", "missing": False}
        row["compared"] = True
        rows.append({**row, "verdict": verdict[0] if verdict else found, "year": year, "distance": distance})
    return rows


def distances(runs: dict[str, list[tuple]], folder, policy: dict = POLICIES, assessor: str = "o") -> pl.DataFrame:
    rows = [row for run, fragments in runs.items() for row in verdict_rows(assessor, run, fragments)]
    path = folder / "verdicts.npz"
    write_verdicts(path, of_rows(pl.DataFrame(rows, SCHEMA), "dating"))
    return year_distances.distances(path, "dating", policy)


# Two right, one a year off, one 10 years off, one without a year: shares 0.4, then 0.6, at 10 0.8.
SMALL = {"sim01": [(1874, 0), (1810, 0), (1875, -1), (1879, 10), (1801, None)]}


OTHER = {"sim02": [(1874, 3), (1810, -3), (1875, None), (1879, None), (1801, None)]}
