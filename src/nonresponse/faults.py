"""Faults of input files: found by any reader, collected, reported once and all together."""

from collections.abc import Iterable
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from nonresponse.atomic import write_text
from nonresponse.wording import plural

WIDEST = 2000  # characters of a sentence that are kept
LISTED = 1000  # faults of a kind in a file that are listed; further ones are counted
MOST = 50_000  # faults of a campaign that are listed
LIMITS = (LISTED, 100, 10, 1)  # of a kind in a file, until there are no more than MOST
OTHERS = "other files"  # stands for the files whose faults are only counted
# Faults shown on a terminal, per file and per campaign; equal ones count once
SHOWN_OF_FILE, SHOWN = 20, 100
RANGES = 10  # of lines with the same fault, shown on a terminal


class Fault(NamedTuple):
    file: str
    line: int  # 1 = the first line; 0 = the file as a whole
    found: str
    expected: str
    more: int = 0  # further faults of this kind in the file, which are not listed


class Faults(list[Fault]):
    """The faults of a file: of each kind (what is expected) the first LISTED and the number of
    others."""

    def __init__(self, file: str | Path, faults: Iterable[Fault] = ()):
        super().__init__(faults)
        self.file = str(file)
        self.places: dict[str, list[int]] = {}  # in the list, by kind

    def add(self, line: int, found: str, expected: str) -> None:
        """Add a fault on this line; 0 = the file as a whole."""
        places = self.places.setdefault(expected, [])
        if len(places) < LISTED:
            places.append(len(self))
            self.append(Fault(self.file, line, found, expected))
        else:
            last = self[places[-1]]
            self[places[-1]] = last._replace(more=last.more + 1)


def bounded(faults: Iterable[Fault], most: int | None = None) -> list[Fault]:
    """Return at most `most` faults (MOST), and the number of all: if there are more, fewer of each
    kind in a file are listed, then those of some files are only counted."""
    every, most = list(faults), MOST if most is None else most
    listed = [fault for fault in every if fault.file != OTHERS]
    for limit in LIMITS:
        if len(listed) > most:
            listed = first_of_each(listed, limit)
    rest = [*listed[most:], *(fault for fault in every if fault.file == OTHERS)]
    number = sum(1 + fault.more for fault in rest)
    others = [Fault(OTHERS, 0, "further faults", "none", number - 1)] if number else []
    return listed[:most] + others


def first_of_each(faults: list[Fault], limit: int) -> list[Fault]:
    """Return so many faults of each kind in a file, the last of them with the number of others."""
    kinds: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        kind = kinds.setdefault((fault.file, fault.expected), [])
        if len(kind) < limit:
            kind.append(fault)
        else:
            kind[-1] = kind[-1]._replace(more=kind[-1].more + 1 + fault.more)
    return [fault for kind in kinds.values() for fault in kind]


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
    """Return the text with control characters, and what is not UTF-8, spelled out as Python does:
    \\r, \\udcff."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def write_faults(faults: Iterable[Fault], path: str | Path) -> None:
    """Write the faults as a sorted table, control characters spelled out."""
    lines: list[tuple[str, ...]] = [Fault._fields]
    for fault in sorted(set(bounded(faults))):
        file, line, *sentences, more = fault
        texts = [printable(text) for text in (file, *(one[:WIDEST] for one in sentences))]
        lines.append((texts[0], str(line), *texts[1:], str(more)))
    write_text("".join("\t".join(line) + "\n" for line in lines), path)


def read_faults(path: str | Path) -> list[Fault]:
    """Read the faults from a table that `write_faults` wrote."""
    rows = (line.split("\t") for line in Path(path).read_text(encoding="utf-8").split("\n")[1:-1])
    return [Fault(row[0], int(row[1]), row[2], row[3], int(row[4])) for row in rows]


def report(faults: Iterable[Fault], campaign: str, whole: str | None = None) -> str:
    """Return the report: per file, a line for each fault with all its places in the file.

    Only the first faults and places (SHOWN, RANGES) where `whole` names a file with the whole
    report, or is empty.
    """
    faults = sorted(set(bounded(faults)), key=lambda fault: (fault.file == OTHERS, fault))
    total = len(faults) + sum(fault.more for fault in faults)
    files = {fault.file for fault in faults}
    number = f"{'more than ' * (OTHERS in files)}{plural(len(files - {OTHERS}), 'file')}"
    said = [f"{campaign}: {plural(total, 'fault')} in {number}"]
    left, cut = SHOWN, False
    for file, of_file in groupby(faults, key=lambda fault: fault.file):
        alike: dict[tuple[str, str], list[Fault]] = {}
        for fault in of_file:
            alike.setdefault((fault.found, fault.expected), []).append(fault)
        most = len(alike) if whole is None else min(left, SHOWN_OF_FILE)
        for (found, expected), same in islice(alike.items(), most):
            lines = [fault.line for fault in same]
            places, more = located(lines, len(lines) if whole is None else RANGES)
            said.append(f"  {file}{places}: found {found}; expected {expected}")
            if unlisted := sum(fault.more for fault in same):
                said.append(f"  {file}: and {unlisted:,} more of this kind, which are not listed")
            cut |= more
        left -= min(most, len(alike))
        if unsaid := sum(1 + fault.more for same in [*alike.values()][most:] for fault in same):
            cut = True
            said += [f"  {file}: and {unsaid:,} more"] * (most > 0)
    if cut and whole:
        listed = "All" if total == len(faults) else f"{len(faults):,} of the"
        said.append(f"{listed} {total:,} faults are in {whole}.")
    said.append("Nothing was scored. Mend the files or the options, and run the command again.")
    return "".join(f"{printable(line)}\n" for line in said)


def parts(said: str) -> tuple[str, list[str], str]:
    """Split a whole report into its first line, its lines on faults, and the last line, which says
    what to do."""
    first, *lines, last = said.splitlines()
    return first, [line.strip() for line in lines], last


def located(lines: list[int], most: int) -> tuple[str, bool]:
    """Return what follows the name of a file, and whether ranges beyond `most` are cut. It is
    nothing, :3, or :3 (and lines 5-7, 9).

    lines ascending, 0 = the file as a whole.
    """
    first, *others = lines
    # Of lines one after the other
    stretches = groupby(enumerate(others), key=lambda item: item[1] - item[0])
    ranges = [[line for _, line in stretch] for _, stretch in stretches]
    named = [f"{one[0]}-{one[-1]}" if len(one) > 1 else f"{one[0]}" for one in ranges[:most]]
    if more := sum(map(len, ranges[most:])):
        named.append(f"{more:,} more")
    also = f" (and {'line' if len(others) == 1 else 'lines'} {', '.join(named)})" if others else ""
    return (f":{first}" if first else "") + also, bool(more)
