"""The cells of a table as HTML: a number with what belongs to it, drawn small. `blocks.Column` tells the kinds."""

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from markupsafe import Markup

from nonresponse import legible
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Block, Column
from nonresponse.wording import NOTHING, letters_of, number, signed

BAR = 84  # pixels of an interval
MARK = 7  # of a group's mark
OUTCOMES = {"right": "right", "open": "left open", "wrong": "wrong"}  # classes, and the words for them


def cells(block: Block) -> list[list[Markup]]:
    """All cells of a table, a list per row."""
    rows = [dict(zip(block["names"], row, strict=True)) for row in block["rows"]]
    columns: list[Iterable[str]] = []
    for column in (Column(**data) for data in block["columns"]):
        if column.run:
            columns.append(runs(column, rows, block["campaign"]))
        elif column.kind in DRAWN:
            columns.append(DRAWN[column.kind](column, rows))
        else:  # text, or a number with its decimals
            columns.append([legible.html(blocks.cell(row, column)) for row in rows])
    return [[*map(Markup, row)] for row in zip(*columns, strict=True)]


def runs(column: Column, rows: list[dict], campaign: str) -> Iterator[str]:
    """Runs with their marks, as links to their addresses within the page."""
    for row in rows:
        if (name := row[column.name]) is None:
            yield NOTHING
            continue
        address = f"#{campaign}/{quote(name, safe='', errors='surrogatepass')}"
        yield f'<a href="{address}">{legible.html(blocks.text(name))}</a>{blocks.marks(row)}'


def scores(column: Column, rows: list[dict]) -> Iterator[str]:
    """Scores with their intervals, the ranges that they could have, and the differences to the baseline."""
    assert isinstance(column.digits, int)
    known = [row[name] for name in (column.name, *column.ends) for row in rows if row[name] is not None]
    low, high = min(known, default=0), max(known, default=1)
    for row in rows:
        value, ends = row[column.name], [row[name] for name in column.ends]
        cell = interval(value, ends, low, high, column.digits) if ends and None not in (value, *ends) else ""
        cell += f"<b>{number(value, column.digits)}</b>"
        if limits := blocks.ranged(row, column.bounds, column.digits):
            cell += f"<small>[{', '.join(limits)}]</small>"
        difference = row.get(f"{column.name} difference")
        yield f"{cell}<i>{signed(difference, column.digits) if difference is not None else ''}</i>"


def interval(value: float, ends: list[float], low: float, high: float, digits: int) -> str:
    """A score's dot on its interval; `low` and `high` are those of the whole column."""
    left, right, at = (round(3 + (x - low) / ((high - low) or 1) * (BAR - 6), 1) for x in (*ends, value))
    line = f'<path d="M{left:g},5H{right:g}"/><circle cx="{at:g}" cy="5" r="2.5"/>'
    return drawing("interval", BAR, 10, f"{number(ends[0], digits)} to {number(ends[1], digits)}", line)


def bars(column: Column, rows: list[dict]) -> Iterator[str]:
    """Right, left open and wrong as one bar."""
    for row in rows:
        sums = [sum(row[name] or 0 for name in part) for part in column.parts]
        left, boxes = 0.0, ""
        for size, outcome in zip(sums, OUTCOMES, strict=True):
            if width := size / (sum(sums) or 1) * 120:
                boxes += f'<rect class="{outcome}" x="{left:.1f}" width="{width:.1f}" height="12"/>'
            left += width
        said = ", ".join(f"{size:.10g} {words}" for size, words in zip(sums, OUTCOMES.values(), strict=True))
        yield drawing("counts", 120, 12, said, boxes)


def groups(column: Column, rows: list[dict]) -> Iterator[str]:
    """The groups of a run as marks, a column for each letter that there is."""
    of_rows = [letters_of(row[column.name]) for row in rows]
    letters = sorted({letter for own in of_rows for letter in own}, key=lambda letter: (len(letter), letter))
    for own in of_rows:
        boxes = "".join(f"M{letters.index(letter) * MARK},0h{MARK - 1}v12h-{MARK - 1}z" for letter in own)
        path = f'<path d="{boxes}"/>'
        yield drawing("groups", len(letters) * MARK, 12, " ".join(own), path) if own else NOTHING


def drawing(kind: str, width: int, height: int, said: str, shapes: str) -> str:
    """A small drawing, and what it says to those who cannot see it."""
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg class="{kind}" {size} role="img" aria-label="{said}"><title>{said}</title>{shapes}</svg>'


DRAWN = {"score": scores, "counts": bars, "groups": groups}
