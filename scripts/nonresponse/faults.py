"""Faults of input files: found by any reader, collected, reported once and all together."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

FIELDS = ("file", "line", "found", "expected")


class Fault(NamedTuple):
    file: str
    line: int  # 1 = the first line; 0 = the file as a whole
    found: str
    expected: str


def shown(text, width: int = 60) -> str:
    """Text from a file, quoted, cut and stripped of control characters, fit for a terminal."""
    text = str(text)
    quoted = repr(text if len(text) <= width else text[: width - 1] + "…")
    return quoted


def write(faults: Iterable[Fault], path) -> None:
    from nonresponse.tables import replacing

    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(FIELDS)
        rows.writerows(sorted(set(faults)))


def read(path) -> list[Fault]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [Fault(row["file"], int(row["line"]), row["found"], row["expected"]) for row in rows]


def report(faults: Iterable[Fault], campaign: str) -> str:
    """One paragraph per file, one line per fault, in the order of the lines."""
    faults = sorted(set(faults))
    files = {fault.file for fault in faults}
    lines = [f"{campaign}: {len(faults)} fault{'s' * (len(faults) != 1)} in {len(files)} file{'s' * (len(files) != 1)}"]
    for fault in faults:
        name = fault.file.replace("\n", "?")
        place = f"{name}:{fault.line}" if fault.line else name
        lines.append(f"  {place}: found {fault.found}; expected {fault.expected}")
    lines.append("Nothing was scored. Mend the files and run snakemake again.")
    text = "\n".join(lines) + "\n"
    return "".join(character if character.isprintable() or character == "\n" else "?" for character in text)
