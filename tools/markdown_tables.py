"""Tables in Markdown, which the generated pages share."""

from collections.abc import Iterable, Sequence


def render_table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table without padding, so that a change is one line; cells are Markdown already."""
    cells = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    lines = [headers, ["---"] * len(headers), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
