"""Files written and read as the ingest stage reads them; what the tests of the formats share."""

import csv
import os
from pathlib import Path

import pytest
from nonresponse import tables, tasks
from nonresponse.ingest import reading
from nonresponse.ingest.readers import get_reader

# Real evaluation data, not part of the project: see ../shared/data/README.md.
DATA = Path(os.environ.get("NONRESPONSE_DATA", Path(__file__).parents[1] / "../shared/data"))


def needs(name: str):
    return pytest.mark.skipif(
        not (DATA / name).exists(), reason=f"no {DATA / name} (set NONRESPONSE_DATA)"
    )


def write(folder, name: str, content) -> str:
    path = Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def write_rows(path: Path, rows: list[dict]) -> str:
    """Write rows as TSV or CSV; what a row lacks, or has as None, is an empty field."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        names = dict.fromkeys(name for row in rows for name in row)
        delimiter = "\t" if path.suffix == ".tsv" else ","
        writer = csv.DictWriter(file, [*names], delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def runs(format: str, file: str, task: str = "qa", **options):
    """Return the rows of a run's file, and all faults of the reader and of ingest."""
    options = {"format": format, **options}
    rows, _ = reading.read_files(
        [file], get_reader("runs", options), options, tables.RESPONSES, "run"
    )
    return rows, reading.read_responses([file], options, task)[2]


def judgments(format: str, file: str, task: str = "qa", **options):
    """Return the rows of a file of judgments, and all faults."""
    options, labels = {"format": format, **options}, tasks.get(task).list_labels(format)
    reader = get_reader("judgments", options)
    rows, _ = reading.read_files([file], reader, options, tables.JUDGMENTS, "assessor")
    return rows, reading.read_judgments([file], options, labels, task)[1]


def locate_faults(faults) -> list[tuple[int, str]]:
    """Return line and finding of each fault, sorted; each must be fit for the report."""
    for fault in faults:
        assert isinstance(fault.line, int) and fault.line >= 0, fault
        assert fault.found.isprintable() and fault.expected.isprintable(), fault
    return [(fault.line, fault.found) for fault in sorted(set(faults))]


def values(frame, *columns: str) -> list[tuple]:
    return frame.select(*columns).rows()
