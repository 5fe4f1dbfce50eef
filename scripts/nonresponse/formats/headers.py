"""The names of the columns of a file."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from nonresponse.faults import Fault, listed, shown

SIGNS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}


def unfit_columns(file: str | Path, header: list[str], line: int = 1) -> list[Fault]:
    """Faults of the column names, which stand on this line."""
    repeated = sorted(name for name, count in Counter(header).items() if count > 1)
    faults = [Fault(str(file), line, f"the column {shown(name)} twice", "a name for each column") for name in repeated]
    if "line" in header:
        faults.append(Fault(str(file), line, "a column 'line'", "another name: ours for the place in the file"))
    return faults


def missing(file: str | Path, lacking: Iterable[str], columns: Iterable[str], expected: str) -> Fault:
    """The fault of a table with these columns that lacks some; `line` is ours and not among them."""
    have = [name for name in columns if name != "line"]
    found = f"no column {listed(lacking)} among {listed(have)}"
    return Fault(str(file), 1, found, f"{expected}{in_one(have)}")


def in_one(names: list[str]) -> str:
    """What to add where a column is missing: that all names stand in one, with another sign between them."""
    signs = [word for sign, word in SIGNS.items() if len(names) == 1 and sign in names[0]]
    ours = "commas in .csv, tabs in .tsv, .tab and .txt"
    return f"; its columns seem to be separated by {signs[0]}: there have to be {ours}" if signs else ""
