"""Faults of input files: found by any reader, collected, reported once and all together."""

from collections.abc import Iterable
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from nonresponse.atomic import write_text
from nonresponse.wording import plural

MAX_LENGTH = 2000  # characters of a sentence that are kept
MAX_OF_KIND = 1000  # faults of a kind in a file that are listed; further ones are counted
MAX_FAULTS = 50_000  # faults of a campaign that are listed
# Faults that a terminal shows, per file and in all; equal ones count once
MAX_SHOWN_OF_FILE, MAX_SHOWN = 20, 100
MAX_RANGES = 10  # of lines with the same fault that a terminal shows


class Fault(NamedTuple):
    file: str
    line: int  # 1 = the first line; 0 = the file as a whole
    found: str
    expected: str
    more: int = 0  # faults after this one that are not listed


class Faults(list[Fault]):
    """The faults of a file: of each kind (what is expected) the first MAX_OF_KIND, and the number
    of others."""

    def __init__(self, file: str | Path, faults: Iterable[Fault] = ()):
        super().__init__(faults)
        self.file = str(file)
        self.positions: dict[str, list[int]] = {}  # in the list, by kind

    def add(self, line: int, found: str, expected: str) -> None:
        """Add a fault on this line; 0 = the file as a whole."""
        positions = self.positions.setdefault(expected, [])
        if len(positions) < MAX_OF_KIND:
            positions.append(len(self))
            self.append(Fault(self.file, line, found, expected))
        else:
            fault = self[positions[-1]]
            self[positions[-1]] = fault._replace(more=fault.more + 1)


def limit_faults(faults: Iterable[Fault]) -> list[Fault]:
    """Return the first MAX_FAULTS faults, the last of them with the number of all others."""
    listed = list(faults)
    unlisted = listed[MAX_FAULTS:]
    del listed[MAX_FAULTS:]
    if unlisted:
        number = sum(1 + fault.more for fault in unlisted)
        listed[-1] = listed[-1]._replace(more=listed[-1].more + number)
    return listed


def quote(text: object, width: int = 60) -> str:
    """Return text from a file, quoted, cut and stripped of control characters, for a terminal."""
    text = str(text)
    return repr(text if len(text) <= width else text[: width - 1] + "…")


def quote_names(names: Iterable[str], limit: int = 20) -> str:
    """Return names from a file: the first ones quoted, and the number of the others."""
    names = list(names)
    ending = f" and {len(names) - limit:,} more" if len(names) > limit else ""
    return ", ".join(quote(name, 30) for name in names[:limit]) + ending


def escape_controls(text: str) -> str:
    """Return the text with control characters, and what is not UTF-8, spelled out as Python does:
    \\r, \\udcff."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def write_faults(faults: Iterable[Fault], path: str | Path) -> None:
    """Write the faults as a sorted table, control characters spelled out."""
    lines: list[tuple[str, ...]] = [Fault._fields]
    for fault in sorted({*limit_faults(faults)}):
        texts = (fault.file, fault.found[:MAX_LENGTH], fault.expected[:MAX_LENGTH])
        file, found, expected = map(escape_controls, texts)
        lines.append((file, str(fault.line), found, expected, str(fault.more)))
    write_text("".join("\t".join(line) + "\n" for line in lines), path)


def read_faults(path: str | Path) -> list[Fault]:
    """Read the faults from a table that `write_faults` wrote."""
    rows = (line.split("\t") for line in Path(path).read_text(encoding="utf-8").split("\n")[1:-1])
    return [Fault(row[0], int(row[1]), row[2], row[3], int(row[4])) for row in rows]


def render_report(faults: Iterable[Fault], campaign: str, whole_file: str | None = None) -> str:
    """Return the report: the number of faults, a line for each, and what to do.

    It is brief where a file has the whole report, or where the name of that file is empty.
    """
    faults = {*limit_faults(faults)}
    total = len(faults) + sum(fault.more for fault in faults)
    files = plural(len({fault.file for fault in faults}), "file")
    number = f"{'at least ' * (len(faults) >= MAX_FAULTS)}{files}"
    lines = render_faults(faults)
    displayed = lines if whole_file is None else render_faults(faults, brief=True)
    report = [
        f"{campaign}: {plural(total, 'fault')} in {number}",
        *(f"  {line}" for line in displayed),
    ]
    if whole_file and displayed != lines:
        listed = "All" if total == len(faults) else f"{len(faults):,} of the"
        report.append(escape_controls(f"{listed} {total:,} faults are in {whole_file}."))
    report.append("Nothing was scored. Fix the files or the options, and run the command again.")
    return "".join(f"{line}\n" for line in report)


def render_faults(faults: Iterable[Fault], brief: bool = False) -> list[str]:
    """Return a line for each fault, with all its lines in the file, control characters spelled out.

    brief: only the first faults (MAX_SHOWN_OF_FILE, MAX_SHOWN) and lines of each (MAX_RANGES).
    """
    texts: list[str] = []
    unmentioned: list[int] = []  # faults by file of which none is shown
    room = MAX_SHOWN
    for file, faults_of_file in groupby(sorted({*faults}), key=lambda fault: fault.file):
        groups: dict[tuple[str, str], list[Fault]] = {}
        for fault in faults_of_file:
            groups.setdefault((fault.found, fault.expected), []).append(fault)
        limit = min(room, MAX_SHOWN_OF_FILE) if brief else len(groups)
        room -= min(limit, len(groups))
        for (found, expected), group in islice(groups.items(), limit):
            lines = locate([fault.line for fault in group], MAX_RANGES if brief else len(group))
            texts.append(f"{file}{lines}: found {found}; expected {expected}")
            if number := sum(fault.more for fault in group):
                texts.append(f"{file}: and {number:,} more, which are not listed")
        hidden = [*groups.values()][limit:]
        if number := sum(1 + fault.more for group in hidden for fault in group):
            if limit:
                texts.append(f"{file}: and {number:,} more")
            else:
                unmentioned.append(number)
    if unmentioned:
        texts.append(f"and {sum(unmentioned):,} more in {plural(len(unmentioned), 'other file')}")
    return [*map(escape_controls, texts)]


def locate(lines: list[int], limit: int) -> str:
    """Return what follows the name of a file: nothing, :3, or :3 (and lines 5-7, 9).

    lines: ascending; 0 = the file as a whole. limit: of ranges, beyond which lines are counted.
    """
    first, *further_lines = lines
    # Of lines one after the other
    stretches = groupby(enumerate(further_lines), key=lambda item: item[1] - item[0])
    ranges = [[line for _, line in stretch] for _, stretch in stretches]
    texts = [
        f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
        for numbers in ranges[:limit]
    ]
    if hidden := sum(map(len, ranges[limit:])):
        texts.append(f"{hidden:,} more")
    noun = "line" if len(further_lines) == 1 else "lines"
    return (f":{first}" if first else "") + (
        f" (and {noun} {', '.join(texts)})" if further_lines else ""
    )
