"""Files written and read as the ingest stage reads them; what the tests of the formats share."""

import os
from pathlib import Path

import pytest
from nonresponse import formats, ingest, tables

# Real evaluation data, not part of the project: see ../shared/data/README.md.
DATA = Path(os.environ.get("NONRESPONSE_DATA", Path(__file__).parents[1] / "../shared/data"))
LABELS = {
    "qa": ["R", "W", "U", "X"],
    "validation": ["YES", "NO", "UNKNOWN"],
    "romip": ["good", "long", "partial", "bad"],
}


def needs(name: str):
    return pytest.mark.skipif(not (DATA / name).exists(), reason=f"no {DATA / name} (set NONRESPONSE_DATA)")


def write(folder, name: str, content) -> str:
    path = Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def runs(format: str, file: str, task: str = "qa", **options):
    """The responses of one file and all its faults, the reader's own and those that ingest finds."""
    reader = formats.module(format)
    return ingest.read_files(
        [file],
        lambda path: reader.read_runs(path, {"format": format, **options}),
        tables.RESPONSES,
        lambda frame: ingest.check_responses(frame, task),
    )


def judgments(format: str, file: str, task: str = "qa", **options):
    reader = formats.module(format)
    frame, faults = ingest.read_files(
        [file],
        lambda path: reader.read_judgments(path, {"format": format, **options}),
        tables.JUDGMENTS,
        lambda rows: ingest.check_judgments(rows, LABELS[task]),
    )
    return frame, faults + ingest.contradictions(frame)


def places(faults) -> list[tuple[int, str]]:
    """Line and finding of each fault, in the order of the report; each of them has to be fit for it."""
    for fault in faults:
        assert isinstance(fault.line, int) and fault.line >= 0, fault
        assert fault.found.isprintable() and fault.expected.isprintable(), fault
    return [(fault.line, fault.found) for fault in sorted(set(faults))]


def values(frame, *columns: str) -> list[tuple]:
    return frame.select(*columns).rows()
