"""Write the picture at the head of README.md: what four runs answered, and what c@1 makes of what
they left open.

c@1 = accuracy (2 - answered) (Peñas & Rodrigo 2011, eq. 10): along a curve of equal c@1, a run
comes to the right edge, where it answers everything, at its c@1.
"""

import csv
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
from nonresponse import legible
from nonresponse.tables import write_text
from nonresponse.wording import plural

import commands

OPTIONS = {
    "counts": {"type": Path, "help": "a table of run, n_ac, n_aw, n_u"},
    "output": {"type": Path, "help": "the file to write"},
}

WIDTH, HEIGHT = 960, 420
TOP, BOTTOM = 104, 364  # of both panels
BARS, BARS_END = 92, 420
PLANE, PLANE_END = 540, 896
# Of the plane: answered from, accuracy from and to, between curves
LEAST, LOW, HIGH, STEP = 0.75, 0.35, 0.60, 0.05
POINTS = 32  # of a curve
COLOURS = {"right": "#1b6fb5", "left open": "#ffffff", "wrong": "#e3a26f"}
INK, FAINT, MARK = "#1a1c20", "#55595f", "#a2410d"


def svg(counts: Path) -> str:
    """The picture of a table of counts: run, n_ac, n_aw, n_u. The first two runs are those that its
    title compares."""
    with counts.open(encoding="utf-8", newline="") as file:
        runs = [
            (row["run"], int(row["n_ac"]), int(row["n_u"]), int(row["n_aw"]))
            for row in csv.DictReader(file)
        ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}"'
        ' font-family="Liberation Sans, Arial, Helvetica, sans-serif" font-size="14" '
        f'fill="{INK}" role="img"'
        f' aria-label="{legible.html(title(runs))}"><rect width="{WIDTH}" height="{HEIGHT}" '
        'fill="#ffffff"/>'
    )
    parts = [text(24, 38, title(runs), size=22, weight="bold"), *bars(runs), *plane(runs)]
    return "\n".join([head, *parts, "</svg>", ""])


def title(runs: list[tuple[str, int, int, int]]) -> str:
    """How far the first two are apart, in correct answers and in c@1."""
    (_, right, *_), (_, other, *_) = runs[:2]
    difference = abs(score(runs[0]) - score(runs[1]))
    correct = (
        "One correct answer"
        if abs(right - other) == 1
        else plural(abs(right - other), "correct answer")
    )
    return f"{correct} apart in accuracy, {difference:.2f} apart in c@1"


def score(run: tuple[str, int, int, int]) -> float:
    """c@1."""
    _, right, silent, wrong = run
    n = right + silent + wrong
    return right / n * (1 + silent / n)


def text(
    x: float,
    y: float,
    content: str,
    anchor: str = "start",
    colour: str = INK,
    size: int = 14,
    weight: str = "",
) -> str:
    """A line of text."""
    style = f' font-size="{size}"' * (size != 14) + f' font-weight="{weight}"' * bool(weight)
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" '
        f'fill="{colour}"{style}>{legible.html(content)}</text>'
    )


def bars(runs: list[tuple[str, int, int, int]]) -> list[str]:
    """What each run answered rightly, left open and answered wrongly, as wide as they are many."""
    n = max(sum(counts) for _, *counts in runs)
    parts = [text(24, 72, f"{n} questions, {len(runs)} runs of QA@CLEF 2009", colour=FAINT)]
    step = (BOTTOM - TOP) / len(runs)
    for number, (run, *counts) in enumerate(runs):
        top, left = TOP + number * step + 6, float(BARS)
        parts.append(text(BARS - 8, top + step / 2 - 4, run, "end"))
        for (word, colour), size in zip(COLOURS.items(), counts, strict=True):
            wide = size / n * (BARS_END - BARS)
            if size:
                place = f'x="{left:.1f}" y="{top:g}" width="{wide:.1f}" height="{step - 18:g}"'
                parts.append(f'<rect {place} fill="{colour}" stroke="{FAINT}"/>')
                on = "#ffffff" if word == "right" else INK
                parts.append(text(left + wide / 2, top + step / 2 - 4, str(size), "middle", on))
            left += wide
    left = BARS
    for word, colour in COLOURS.items():
        parts.append(
            f'<rect x="{left}" y="{BOTTOM + 14}" width="12" height="12" fill="{colour}" '
            f'stroke="{FAINT}"/>'
        )
        parts.append(text(left + 18, BOTTOM + 25, word))
        left += 104
    return parts


def across(answered: float) -> float:
    """From the left."""
    return PLANE + (answered - LEAST) / (1 - LEAST) * (PLANE_END - PLANE)


def up(accuracy: float) -> float:
    """From the top."""
    return TOP + (HIGH - accuracy) / (HIGH - LOW) * (BOTTOM - TOP)


def curve(c: float, start: float) -> str:
    """The path of equal c@1 from `start` to where everything is answered."""
    places = [start + (1 - start) * step / POINTS for step in range(POINTS + 1)]
    return "M" + "L".join(
        f"{across(answered):.1f},{up(c / (2 - answered)):.1f}" for answered in places
    )


def plane(runs: list[tuple[str, int, int, int]]) -> list[str]:
    """The plane of answered and accuracy, with the curves of equal c@1, and each run's own to the
    right edge."""
    parts = [
        text(PLANE, 72, "along its curve to the right edge, a run comes to its c@1", colour=FAINT)
    ]
    values = [LOW + STEP * step for step in range(round((HIGH - LOW) / STEP) + 1)]
    for value in values:
        parts.append(text(PLANE - 8, up(value) + 5, f"{value:.0%}", "end", FAINT, 12))
        # Below the plot, a curve begins where it enters it.
        path = curve(value, min(max(LEAST, 2 - value / LOW), 1))
        parts.append(
            f'<path class="iso" data-c="{value:.2f}" d="{path}" fill="none" stroke="#c3c8cf"/>'
        )
    for answered in (0.75, 0.8, 0.85, 0.9, 0.95, 1):
        parts.append(text(across(answered), BOTTOM + 18, f"{answered:.0%}", "middle", FAINT, 12))
    parts.append(
        f'<path d="M{PLANE},{TOP}V{BOTTOM}H{PLANE_END}V{TOP}" fill="none" stroke="{FAINT}"/>'
    )
    parts.append(text((PLANE + PLANE_END) / 2, BOTTOM + 40, "questions answered", "middle"))
    middle = (TOP + BOTTOM) / 2
    turned = text(PLANE - 52, middle, "accuracy", "middle")
    parts.append(
        turned.replace("<text ", f'<text transform="rotate(-90 {PLANE - 52} {middle:g})" ', 1)
    )
    parts.append(text(PLANE_END + 8, TOP - 14, "c@1", weight="bold", colour=MARK))
    for run, right, silent, wrong in runs:
        n = right + silent + wrong
        c, answered, accuracy = score((run, right, silent, wrong)), 1 - silent / n, right / n
        x, y = across(answered), up(accuracy)
        if silent:
            dashes = f'fill="none" stroke="{MARK}" stroke-width="2" stroke-dasharray="6 4"'
            parts.append(
                f'<path class="own" data-answered="{answered:g}" data-c="{c!r}" '
                f'd="{curve(c, answered)}" {dashes}/>'
            )
            parts.append(f'<circle cx="{PLANE_END}" cy="{up(c):.1f}" r="4" fill="{MARK}"/>')
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{COLOURS["right"]}" stroke="#ffffff"/>'
        )
        name = text(x if silent else x - 12, y + 20, run, "middle" if silent else "end", size=13)
        parts.append(
            name.replace(
                "<text ", '<text stroke="#ffffff" stroke-width="3" paint-order="stroke" ', 1
            )
        )
        parts.append(text(PLANE_END + 10, up(c) + 5, f"{c:.3f}", colour=MARK, weight="bold"))
    return parts


def main(counts: Path, output: Path) -> None:
    write_text(svg(counts), output)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
