"""The cells of a table as HTML, by the kinds of `blocks.Column`: text, links, numbers with ranges, small drawings."""

from collections.abc import Iterable, Iterator
from math import ceil, floor
from urllib.parse import quote

from markupsafe import Markup, escape

from nonresponse import boards, legible
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Block, Column
from nonresponse.wording import NOTHING, minus, number, rounded, signed

ROOM = 2.2  # percent of a bar's width that a digit takes
STEPS = [factor * 10.0**power for power in range(-6, 9) for factor in (1, 2, 5)]  # between the ticks of an axis
OUTCOMES = {"right": "right", "open": "left open", "wrong": "wrong"}  # classes, and the words for them


def cells(block: Block) -> list[list[Markup]]:
    """All cells of a table, a list per row."""
    rows = [dict(zip(block["names"], row, strict=True)) for row in block["rows"]]
    columns: list[Iterable[str]] = []
    for column in (Column(**data) for data in block["columns"]):
        if column.run:
            columns.append(runs(column, rows, map(blocks.marks, rows), block["campaign"]))
        elif column.kind == "address":
            columns.append(campaigns(rows, block["within"]))
        elif column.kind in DRAWN:
            columns.append(DRAWN[column.kind](column, rows))
        else:  # text, or a number with its decimals
            columns.append([legible.html(blocks.cell(row, column)) for row in rows])
    return [[*map(Markup, row)] for row in zip(*columns, strict=True)]


def runs(column: Column, rows: list[dict], marks: Iterable[str], campaign: str) -> Iterator[str]:
    """Runs with their marks, as links to their addresses within the page."""
    for row, marked in zip(rows, marks, strict=True):
        if (name := row[column.name]) is None:
            yield NOTHING
            continue
        address = f"#{campaign}/{quote(name, safe='', errors='surrogatepass')}"
        yield f'<a href="{address}">{legible.html(blocks.text(name))}</a>{escape(marked)}'


def campaigns(rows: list[dict], within: bool) -> Iterator[str]:
    """Campaigns as links: within the page, or to the page of each."""
    for row in rows:
        page = "" if within else f"{row['name']}/report.html"
        yield f'<a href="{page}#{row["name"]}">{legible.html(row["campaign"])}</a>'


def scores(column: Column, rows: list[dict]) -> Iterator[str]:
    """Scores with their bounds, if any, and their differences to the baseline, if there is one."""
    assert isinstance(column.digits, int)
    for row in rows:
        cell = f"<b>{number(row[column.name], column.digits)}</b>"
        if limits := blocks.ranged(row, column.bounds, column.digits):
            cell += f"<small>[{', '.join(limits)}]</small>"
        difference = row.get(boards.of(column.name, boards.DIFFERENCE))
        yield f"{cell}<i>{signed(difference, column.digits) if difference is not None else ''}</i>"


def bars(column: Column, rows: list[dict]) -> Iterator[str]:
    """Right, left open and wrong as one bar per row."""
    for row in rows:
        yield bar([sum(row[name] or 0 for name in part) for part in column.parts])


def bar(counts: list[float]) -> str:
    """The counts right, left open and wrong as one bar, each with its number where there is room for it."""
    said = ", ".join(f"{count:.10g} {words}" for count, words in zip(counts, OUTCOMES.values(), strict=True))
    left, boxes, texts = 0.0, "", ""
    for count, outcome in zip(counts, OUTCOMES, strict=True):
        width, text = 100 * count / (sum(counts) or 1), f"{count:,.6g}"
        if width:
            boxes += f'<rect class="{outcome}" x="{left:.1f}%" width="{width:.1f}%" height="18"/>'
        if width > ROOM * (len(text) + 1):
            texts += f'<text class="{outcome}" x="{left + width / 2:.1f}%" y="13">{text}</text>'
        left += width
    frame = f'<svg class="counts" role="img" aria-label="{said}"><title>{said}</title>'
    return f'{frame}{boxes}<rect class="edge" width="100%" height="18"/>{texts}</svg>'


def ranking(block: Block) -> dict:
    """The ranking by the first measure, before any script runs: the marks of its axis, and the cells of each row."""
    measure, rows = block["measures"][0], [dict(zip(block["names"], row, strict=True)) for row in block["rows"]]
    digits, campaign = measure["digits"], block["campaign"]
    grid = f"{campaign}:grid"
    ends = [row[name] for row in rows for name in ("score0", "lower0", "upper0") if row[name] is not None]
    low, high, ticks = axis(ends)

    def place(value: float) -> str:
        return f"{100 * (value - low) / (high - low):.2f}%"

    lines = "".join(f'<line x1="{place(tick)}" x2="{place(tick)}" y1="0" y2="28"/>' for tick in ticks)
    texts = "".join(f'<text x="{place(tick)}" y="12">{minus(f"{tick:.10g}")}</text>' for tick in ticks)
    made, marked = [], [row["marks"] for row in rows]
    for row, name in zip(rows, runs(Column("run"), rows, marked, campaign), strict=True):
        score, drawn, within = row["score0"], "", ""
        counts = [row[outcome] for outcome in OUTCOMES]
        if score is not None:
            if row["lower0"] is not None:
                least, most = (minus(rounded(row[end], digits)) for end in ("lower0", "upper0"))
                within = f"{least} to {most}"
                drawn = f'<line class="mark" x1="{place(row["lower0"])}" x2="{place(row["upper0"])}" y1="14" y2="14"/>'
            drawn += f'<circle cx="{place(score)}" cy="14" r="4.5"/>'
        made.append(
            {
                "run": Markup(name),
                "rank": NOTHING if row["rank0"] is None else row["rank0"],
                "tied": row["tied0"],
                "score": NOTHING if score is None else minus(rounded(score, digits)),
                "within": within,
                "place": Markup(f'<svg class="place" aria-hidden="true"><use href="#{grid}"/>{drawn}</svg>'),
                "bar": Markup(bar(counts)) if block["bars"] and any(counts) else "",
            }
        )
    return {"axis": Markup(f'<g id="{grid}">{lines}</g>{texts}'), "rows": made}


def axis(values: list[float]) -> tuple[float, float, list[float]]:
    """The bounds of an axis that holds these values, and its ticks."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = 0.04 * (high - low or 1)
    low, high = low - room, high + room
    step = next(step for step in STEPS if (high - low) / step <= 6)
    return low, high, [round(tick * step, 6) for tick in range(ceil(low / step), floor(high / step) + 1)]


DRAWN = {"score": scores, "counts": bars}
