"""The names of the columns of a file."""

from collections import Counter
from pathlib import Path

from nonresponse.faults import Fault, shown


def unfit_columns(file: str | Path, header: list[str], line: int = 1) -> list[Fault]:
    """Faults of the column names, which stand on this line."""
    repeated = sorted(name for name, count in Counter(header).items() if count > 1)
    faults = [Fault(str(file), line, f"the column {shown(name)} twice", "a name for each column") for name in repeated]
    if "line" in header:
        faults.append(Fault(str(file), line, "a column 'line'", "another name: ours for the place in the file"))
    return faults
