"""Tables and numbers of the pages that benchmarks write."""

from collections.abc import Iterable


def table(rows: Iterable[dict[str, str]]) -> str:
    """Rows as Markdown, by column; columns that are empty in all rows are left out."""
    rows = list(rows)
    columns = [name for name in rows[0] if any(row[name] for row in rows)]
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    return (
        "\n".join([*lines, *(f"| {' | '.join(row[name] for name in columns)} |" for row in rows)])
        + "\n"
    )


def short(value: float) -> str:
    """Two significant digits."""
    power = int(f"{value:.1e}".partition("e")[2])
    return f"{round(value, 1 - power):,.{max(0, 1 - power)}f}"


def between(low: float, high: float) -> str:
    """Two numbers, or one where both look the same."""
    ends = sorted([low, high])
    return " – ".join(dict.fromkeys(map(short, ends)))
