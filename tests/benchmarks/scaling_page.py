"""The part of docs/performance.md that shows how stages grow: sentences, tables and a figure."""

import growth
import polars as pl
from nonresponse.figures.page import page
from nonresponse.figures.series import COLOURS, SHAPES
from nonresponse.figures.vega_lite import Spec, category, layers, mark, quantity

SHOWN = 8  # stages of the figure: those that take most
KINDS = {"seconds": ("CPU time, s", 1), "bytes": ("memory, MB", 1e-6)}
TEXT = """
## How it grows

Simulated campaigns of {runs:,} runs × {questions:,} questions, two measures, one assessor and {samples:,} samples.
One of these numbers grows at a time; with the samples grow the sign flips and the trials. The time is
that of all processes of a stage, Snakemake itself among them; the memory, that of the largest.

{faster} Faster is what exceeds the documented power by more than {tolerance}.

![Time and memory of the stages as a campaign grows]({figure})

What dominates at the largest size:

{dominating}

The power of the size that the **time** of a stage grows with, beyond the start of its processes, and in brackets the
documented one; – where it never exceeds {seconds} s, and nothing can be told:

{time}

The same of the **memory**; – where it never exceeds {megabytes} MB:

{memory}
"""


def text(found: dict, figure: str) -> str:
    """The section of the page."""
    rows = found["rows"]
    return TEXT.format(
        **found["base"],
        figure=figure,
        faster=growth.sentence(rows),
        tolerance=growth.TOLERANCE,
        seconds=growth.LEAST["seconds"],
        megabytes=growth.LEAST["bytes"] // 2**20,
        dominating=dominating(rows),
        time=exponents(rows, "seconds"),
        memory=exponents(rows, "bytes"),
    )


def axes_of(rows: list[dict]) -> list[str]:
    return list(dict.fromkeys(row["axis"] for row in rows))


def dominating(rows: list[dict]) -> str:
    """For each axis the stages that take most of the time."""
    lines = ["| of | sizes | CPU time | most of it |", "|---|---|---|---|"]
    for axis in axes_of(rows):
        those = sorted((row for row in rows if row["axis"] == axis), key=lambda row: -row["seconds"][-1])
        total = sum(row["seconds"][-1] for row in those)
        most = ", ".join(f"`{row['stage']}` {row['seconds'][-1] / total:.0%}" for row in those[:3])
        sizes = ", ".join(f"{size:,}" for size in those[0]["sizes"])
        lines.append(f"| {axis} | {sizes} | {total:,.0f} s | {most} |")
    return "\n".join(lines)


def exponents(rows: list[dict], kind: str) -> str:
    """A table of stages by axes: the fitted power, with the documented one; without stages of which nothing is told."""
    axes = axes_of(rows)
    cells: dict[str, dict] = {}
    for row in rows:
        power = row[f"{kind}_exponent"]
        if power is not None:
            cells.setdefault(row["stage"], {})[row["axis"]] = f"{power:.1f} ({row['documented']})"
    lines = [f"| stage | {' | '.join(axes)} |", f"|---{'|---' * len(axes)}|"]
    lines += [f"| `{stage}` | {' | '.join(own.get(axis, '–') for axis in axes)} |" for stage, own in cells.items()]
    return "\n".join(lines)


def figure(rows: list[dict]) -> Spec:
    """A panel for each axis: time above, memory below, a line for each of the stages that take most; logarithmic."""
    most: dict[str, float] = {}
    for row in rows:
        most[row["stage"]] = max(most.get(row["stage"], 0), row["seconds"][-1])
    stages = sorted(most, key=lambda stage: -most[stage])[:SHOWN]
    shown = [row for row in rows if row["stage"] in stages]
    panels = [{"hconcat": [panel(shown, stages, axis, kind) for axis in axes_of(rows)]} for kind in KINDS]
    plot = {"vconcat": panels, "resolve": {"legend": {"color": "shared", "shape": "shared"}}}
    return page(plot, "What a stage costs as a campaign grows", "both scales are logarithmic")


def panel(rows: list[dict], stages: list[str], axis: str, kind: str) -> Spec:
    """One kind of cost along one axis."""
    name, unit = KINDS[kind]
    points = [
        {"stage": row["stage"], "size": size, "cost": cost * unit}
        for row in rows
        if row["axis"] == axis
        for size, cost in zip(row["sizes"], row[kind], strict=True)
        if cost > 0
    ]
    table = pl.DataFrame(points)
    legend = {"orient": "bottom", "columns": 4, "title": None, "labelLimit": 0}
    look = {
        "color": category("stage", scale={"domain": stages, "range": [*COLOURS, "#777777"]}, legend=legend),
        "shape": category("stage", scale={"domain": stages, "range": SHAPES}, legend=legend),
    }
    sizes = sorted(set(table["size"]))
    x = quantity(
        "size", scale={"type": "log", "nice": False}, axis={"title": axis, "values": sizes, "labelOverlap": False}
    )
    y = quantity("cost", scale={"type": "log"}, axis={"title": name, "tickCount": 4})
    line = {"color": look["color"]}
    parts = [mark("line", line, strokeWidth=1.3), mark("point", look, size=30, filled=True, opacity=1)]
    return {**layers(table, {"x": x, "y": y}, *parts), "width": 150, "height": 170}
