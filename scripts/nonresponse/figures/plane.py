"""The plane of answered and accuracy, with the curves of equal c@1: an SVG drawing that takes its colours from a page.

c@1 = accuracy (2 - answered) (Peñas & Rodrigo 2011, eq. 10), so that the curve of a value c is accuracy
= c / (2 - answered); where everything is answered, it meets its c@1.
"""

from math import ceil, floor
from urllib.parse import quote

import polars as pl

from nonresponse import legible

WIDTH, HEIGHT = 720, 460
LEFT, RIGHT, TOP, BOTTOM = 56, 60, 18, 48  # around the plot
STEPS = 24  # of a curve
LETTER, LINE = 6.2, 13  # width and height of a letter, at most
LONGEST = 24  # characters of a label


class Plane:
    """From shares to pixels, within these bounds."""

    def __init__(self, least: float, low: float, high: float):
        self.least, self.low, self.high = least, low, high

    def x(self, answered: float) -> float:
        return round(LEFT + (answered - self.least) / (1 - self.least) * (WIDTH - LEFT - RIGHT), 2)

    def y(self, accuracy: float) -> float:
        return round(TOP + (self.high - accuracy) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM), 2)

    def curve(self, c: float, start: float) -> str:
        """The path of equal c@1 from `start` to where everything is answered."""
        places = [start + (1 - start) * step / STEPS for step in range(STEPS + 1)]
        return "M" + "L".join(f"{self.x(answered):g},{self.y(c / (2 - answered)):g}" for answered in places)


def svg(runs: pl.DataFrame, about: str, campaign: str) -> str:
    """The drawing, dots being links; runs: run, answered, accuracy, c@1 and, where known, candidate_accuracy."""
    plane = bounds(runs)
    rows, right = runs.to_dicts(), plane.x(1)
    curves = arrows = dots = ""
    for row in rows:
        x, y = plane.x(row["answered"]), plane.y(row["accuracy"])
        if row["answered"] < 1:  # from the run to its c@1 at the right edge
            path = plane.curve(row["c@1"], row["answered"])
            curves += f'<path class="own" data-answered="{row["answered"]!r}" data-c="{row["c@1"]!r}" d="{path}"/>'
            curves += f'<circle class="end" cx="{right:g}" cy="{plane.y(row["c@1"]):g}" r="2.5"/>'
            if (given := row.get("candidate_accuracy")) is not None:  # and to where it would be with what it withheld
                end = plane.y(given)
                tip = f"M{right - 6:g},{end - 4:g}L{right:g},{end:g}L{right - 6:g},{end + 4:g}"
                arrows += f'<path class="arrow" d="M{x:g},{y:g}L{right:g},{end:g}"/><path class="arrow tip" d="{tip}"/>'
        name = legible.html(legible.short(row["run"]))
        said = f"{name}: answered {row['answered']:.4f}, accuracy {row['accuracy']:.4f}, c@1 {row['c@1']:.4f}"
        address = f"#{campaign}/{quote(row['run'], safe='', errors='surrogatepass')}"
        circle = f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="4.5"><title>{said}</title></circle>'
        dots += f'<a href="{address}">{circle}</a>'
    head = f'<svg class="plane" viewBox="0 0 {WIDTH} {HEIGHT}" role="group" aria-label="{legible.html(about)}">'
    return "".join([head, axes(plane), curves, arrows, dots, *labels(plane, rows), "</svg>"])


def bounds(runs: pl.DataFrame) -> Plane:
    """Tenths around all that is drawn; at least two of them."""
    heights = [name for name in ("accuracy", "c@1", "candidate_accuracy") if name in runs.columns]
    low, high = (
        getattr(pl, f"{end}_horizontal")(*[getattr(pl.col(name), end)() for name in heights]) for end in ("min", "max")
    )
    answered, low, high = runs.select(pl.min("answered"), low.alias("low"), high.alias("high")).row(0)
    least = min(floor(answered * 10 - 0.3) / 10, 0.8)
    low, high = floor(low * 10 - 0.3) / 10, ceil(high * 10 + 0.3) / 10
    return Plane(max(least, 0.0), max(low, 0.0), min(max(high, low + 0.2), 1.0))


def axes(plane: Plane) -> str:
    """Both axes with their names, and the curves of equal c@1, a tenth apart, with their values at the right edge."""
    ticks = curves = ""
    for value in [tenth / 10 for tenth in range(11)]:
        if plane.low <= value <= plane.high:
            y = plane.y(value) + 4
            ticks += f'<text class="tick" x="{LEFT - 8}" y="{y:g}" text-anchor="end">{value:g}</text>'
            ticks += f'<text class="value" x="{WIDTH - RIGHT + 6}" y="{y:g}">{value:g}</text>'
        if value > plane.least - 1e-9:
            place = f'x="{plane.x(value):g}" y="{HEIGHT - BOTTOM + 18}"'
            ticks += f'<text class="tick" {place} text-anchor="middle">{value:g}</text>'
    lowest, highest = plane.low * (2 - 1), plane.high * (2 - plane.least)
    for value in [step / 10 for step in range(21)]:
        if value and lowest <= value <= highest:
            # Above the plot, the curve begins where it enters it.
            start = max(plane.least, 2 - value / plane.low) if plane.low else plane.least
            curves += f'<path class="iso" data-c="{value:g}" d="{plane.curve(value, min(start, 1))}"/>'
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    frame = f'<path class="frame" d="M{LEFT},{TOP}V{bottom}H{right}V{TOP}"/>'
    names = (
        f'<text class="axis" x="{(LEFT + right) / 2:g}" y="{HEIGHT - 8}" text-anchor="middle">answered</text>'
        f'<text class="axis" x="14" y="{(TOP + bottom) / 2:g}" text-anchor="middle"'
        f' transform="rotate(-90 14 {(TOP + bottom) / 2:g})">accuracy</text>'
        f'<text class="axis" x="{WIDTH - 16}" y="{(TOP + bottom) / 2:g}" text-anchor="middle"'
        f' transform="rotate(90 {WIDTH - 16} {(TOP + bottom) / 2:g})">c@1</text>'
    )
    # Curves of c@1 beyond the plot are cut off by a nested drawing.
    box = f'<svg x="{LEFT}" y="{TOP}" width="{right - LEFT}" height="{bottom - TOP}"'
    inside = f'{box} viewBox="{LEFT} {TOP} {right - LEFT} {bottom - TOP}">'
    return inside + curves + "</svg>" + frame + names + ticks


def labels(plane: Plane, rows: list[dict]) -> list[str]:
    """Names beside the dots, the best first; a name that would cover another one or leave the plot is left out."""
    taken: list[tuple[float, float, float, float]] = []
    for row in rows:
        x, y = plane.x(row["answered"]), plane.y(row["accuracy"])
        taken.append((x - 4, y - 4, x + 4, y + 4))
    shown = []
    for row in rows:
        name = legible.short(row["run"], LONGEST)
        x, y, wide = plane.x(row["answered"]), plane.y(row["accuracy"]), LETTER * len(name)
        for left, anchor in ((x - 8 - wide, "end"), (x + 8, "start")):
            box = (left, y - LINE / 2, left + wide, y + LINE / 2)
            inside = box[0] > LEFT and box[2] < WIDTH - RIGHT
            apart = all(box[2] < t[0] or t[2] < box[0] or box[3] < t[1] or t[3] < box[1] for t in taken)
            if inside and apart:
                taken.append(box)
                at = x - 8 if anchor == "end" else x + 8
                place = f'x="{at:g}" y="{y + 4:g}" text-anchor="{anchor}"'
                shown.append(f'<text class="name" {place}>{legible.html(name)}</text>')
                break
    return shown
