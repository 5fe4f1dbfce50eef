"""Faults of input files: found by any reader, collected, reported once and all together."""

import csv
from collections import Counter
from collections.abc import Iterable
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from nonresponse.wording import plural

FIELDS = ("file", "line", "found", "expected")
WIDEST = 2000  # characters of a sentence that are kept
SHOWN_OF_FILE, SHOWN = 20, 100  # faults on a terminal: of a file, and of a campaign


class Fault(NamedTuple):
    file: str
    line: int  # 1 = the first line; 0 = the file as a whole
    found: str
    expected: str


def shown(text: object, width: int = 60) -> str:
    """Text from a file, quoted, cut and stripped of control characters, fit for a terminal."""
    text = str(text)
    return repr(text if len(text) <= width else text[: width - 1] + "…")


def listed(names: Iterable[str], most: int = 20) -> str:
    """Names from a file, the first of them shown and the others counted."""
    names = list(names)
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(shown(name, 30) for name in names[:most]) + more


def printable(text: str) -> str:
    """The text with its control characters, and what is not UTF-8, spelled out as Python does: \\r, \\udcff."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def write_faults(faults: Iterable[Fault], path: str | Path) -> None:
    """The faults as a table, sorted, all of it printable."""
    from nonresponse.tables import replacing

    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(FIELDS)
        for name, line, *sentences in sorted(set(faults)):
            rows.writerow([printable(name), line, *[printable(sentence[:WIDEST]) for sentence in sentences]])


def read_faults(path: str | Path) -> list[Fault]:
    """The faults in a table that `write_faults` wrote."""
    import polars as pl

    types = dict.fromkeys(FIELDS, pl.String) | {"line": pl.Int64}
    rows = pl.read_csv(Path(path).read_bytes(), separator="\t", schema=types)
    return [Fault(*row) for row in rows.rows()]


def report(faults: Iterable[Fault], campaign: str, whole: str | None = None) -> str:
    """A paragraph per file, a line per fault; only the first ones (SHOWN) where the `whole` report is in a file."""
    faults = sorted(set(faults))
    of_files = Counter(fault.file for fault in faults)
    lines = [f"{campaign}: {plural(len(faults), 'fault')} in {plural(len(of_files), 'file')}"]
    left = SHOWN if whole else len(faults)
    for file, of_file in groupby(faults, key=lambda fault: fault.file):
        most = min(left, SHOWN_OF_FILE) if whole else of_files[file]
        for fault in islice(of_file, most):
            place = f"{fault.file}:{fault.line}" if fault.line else fault.file
            lines.append(f"  {place}: found {fault.found}; expected {fault.expected}")
        left -= min(most, of_files[file])
        if most and of_files[file] > most:
            lines.append(f"  {file}: and {of_files[file] - most:,} more")
    if whole and (len(faults) > SHOWN or max(of_files.values()) > SHOWN_OF_FILE):
        lines.append(f"All {len(faults):,} faults are in {whole}.")
    lines.append("Nothing was scored. Fix the files and run snakemake again.")
    return "".join(f"{printable(line)}\n" for line in lines)
