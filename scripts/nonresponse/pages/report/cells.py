"""A cell of a table as HTML: a number with what belongs to it, drawn small. `blocks.Column` tells the kinds."""

from collections.abc import Callable
from urllib.parse import quote

from markupsafe import Markup

from nonresponse import legible
from nonresponse.pages import blocks
from nonresponse.pages.report.blocks import Block
from nonresponse.wording import NOTHING, letters_of, number, signed

BAR, HIGH = 84, 10  # pixels of what is drawn in a cell
MARK = 7  # of a group's mark
WORDS = ("right", "left open", "wrong")
OUTCOMES = ("right", "open", "wrong")  # classes


def cells(block: Block) -> list[list[Markup]]:
    """All cells of a table, a list per row."""
    columns = [DRAWN[column["kind"]](block, column) for column in block["columns"]]
    rows = [dict(zip(block["names"], row, strict=True)) for row in block["rows"]]
    return [[draw(row) for draw in columns] for row in rows]


Draw = Callable[[dict], Markup]


def text(block: Block, column: Block) -> Draw:
    """Text, cut short unless it is long by nature; a run with its marks, as a link to its address."""

    def draw(row: dict) -> Markup:
        """A cell."""
        value = row[column["name"]]
        if value is None:
            return Markup(NOTHING)
        shown = Markup(legible.html(blocks.text(value, column["digits"], column["long"])))
        if not column["run"]:
            return shown
        return Markup(f'<a href="{address(block["campaign"], value)}">{shown}</a>{blocks.marks(row)}')

    return draw


def address(campaign: str, run: str) -> str:
    """Of a run, within the page."""
    return f"#{campaign}/{quote(run, safe='', errors='surrogatepass')}"


def figures(block: Block, column: Block) -> Draw:
    """A number with its decimals; equal ranks are marked."""

    def draw(row: dict) -> Markup:
        """A cell."""
        value = row[column["name"]]
        if column["name"] == "rank" and row.get("tied"):
            return Markup(f"{value}=")
        return Markup(legible.html(blocks.text(value, column["digits"])))

    return draw


def score(block: Block, column: Block) -> Draw:
    """The score, the range it could have, the difference to the baseline, and its interval."""
    digits, ends, bounds = column["digits"], column["ends"], column["bounds"]
    place = {name: block["names"].index(name) for name in (column["name"], *ends)}
    known = [row[at] for at in place.values() for row in block["rows"] if row[at] is not None]
    low, high = min(known, default=0), max(known, default=1)

    def draw(row: dict) -> Markup:
        """A cell."""
        value = row[column["name"]]
        reach = [row[name] for name in ends]
        drawn = reach and value is not None and None not in reach
        parts = [interval(value, reach, low, high, digits)] if drawn else []
        parts.append(f"<b>{number(value, digits)}</b>")
        if limits := blocks.ranged(row, bounds, digits):
            parts.append(f"<small>[{', '.join(limits)}]</small>")
        difference = row.get(f"{column['name']} difference")
        parts.append(f"<i>{signed(difference, digits) if difference is not None else ''}</i>")
        return Markup("".join(parts))

    return draw


def interval(value: float, reach: list[float], low: float, high: float, digits: int) -> str:
    """A score's dot on its interval; `low` and `high` are those of the whole column."""
    left, right, at = (round(3 + (x - low) / ((high - low) or 1) * (BAR - 6), 1) for x in (*reach, value))
    said = f"{number(reach[0], digits)} to {number(reach[1], digits)}"
    line = f'<path d="M{left:g},5H{right:g}"/><circle cx="{at:g}" cy="5" r="2.5"/>'
    head = f'<svg class="interval" width="{BAR}" height="{HIGH}" role="img" aria-label="{said}">'
    return f"{head}<title>{said}</title>{line}</svg>"


def counts(block: Block, column: Block) -> Draw:
    """Right, left open and wrong as one bar."""

    def draw(row: dict) -> Markup:
        """A cell."""
        sums = [sum(row[name] or 0 for name in part) for part in column["parts"]]
        whole, left, boxes = sum(sums) or 1, 0.0, []
        for size, name in zip(sums, OUTCOMES, strict=True):
            wide = size / whole * 120
            if wide:
                boxes.append(f'<rect class="{name}" x="{left:.1f}" width="{wide:.1f}" height="12"/>')
            left += wide
        said = ", ".join(f"{size:.10g} {word}" for size, word in zip(sums, WORDS, strict=True))
        head = f'<svg class="counts" width="120" height="12" role="img" aria-label="{said}"><title>{said}</title>'
        return Markup(f"{head}{''.join(boxes)}</svg>")

    return draw


def groups(block: Block, column: Block) -> Draw:
    """The groups of a run as marks, a column for each letter that there is."""
    at = block["names"].index(column["name"])
    letters = sorted({one for row in block["rows"] for one in letters_of(row[at])}, key=lambda one: (len(one), one))
    wide = max(len(letters), 1) * MARK

    def draw(row: dict) -> Markup:
        """A cell."""
        mine = letters_of(row[column["name"]])
        if not mine:
            return Markup(NOTHING)
        said = " ".join(mine)
        boxes = "".join(f"M{letters.index(one) * MARK},0h{MARK - 1}v12h-{MARK - 1}z" for one in mine)
        head = f'<svg class="groups" width="{wide}" height="12" role="img" aria-label="{said}"><title>{said}</title>'
        return Markup(f'{head}<path d="{boxes}"/></svg>')

    return draw


DRAWN: dict[str, Callable[[Block, Block], Draw]] = {
    "text": text,
    "number": figures,
    "score": score,
    "counts": counts,
    "groups": groups,
}
