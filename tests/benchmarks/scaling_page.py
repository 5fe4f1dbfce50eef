"""The part of docs/performance.md that shows how stages grow: a sentence and two tables."""

import growth
from rendered import table

TEXT = """
## How it grows

Simulated campaigns of {runs:,} runs × {questions:,} questions, two measures, one assessor and {samples:,} samples. One
number grows at a time. Time is that of all processes of a stage, memory that of the largest.

{faster} The tolerance is {tolerance}.

The power of the size that a stage grows with, in brackets the documented one. – is below {seconds} s or {megabytes} MB:

{powers}"""


def text(found: dict) -> str:
    """The section of the page."""
    rows = found["rows"]
    return TEXT.format(
        **found["base"],
        faster=growth.sentence(rows),
        tolerance=growth.TOLERANCE,
        seconds=growth.LEAST["seconds"],
        megabytes=growth.LEAST["bytes"] // 2**20,
        powers=table(powers(rows)),
    )


def powers(rows: list[dict]) -> list[dict[str, str]]:
    """Stages by axes: the fitted powers with the documented one; without stages of which nothing is
    told."""
    columns = [
        f"{axis}: {kind}"
        for axis in dict.fromkeys(row["axis"] for row in rows)
        for kind in growth.KINDS.values()
    ]
    cells: dict[str, dict[str, str]] = {}
    for row in rows:
        for kind, name in growth.KINDS.items():
            if (power := row[f"{kind}_exponent"]) is not None:
                cells.setdefault(row["stage"], {})[f"{row['axis']}: {name}"] = (
                    f"{power:.1f} ({row['documented']})"
                )
    return [
        {"stage": f"`{stage}`", **{name: own.get(name, "–") for name in columns}}
        for stage, own in cells.items()
    ]
