"""Charts as SVG files whose bytes depend on nothing but the chart."""

import re
from io import StringIO
from pathlib import Path

import altair as alt


def write_svg(chart: alt.TopLevelMixin, path: Path) -> None:
    """Write a chart, with clips numbered from 1, however many this process has drawn before."""
    drawing, numbers = StringIO(), dict[str, int]()
    chart.save(drawing, format="svg")
    text = re.sub(
        r"(?<=\bclip)\d+",
        lambda number: str(numbers.setdefault(number[0], len(numbers) + 1)),
        drawing.getvalue(),
    )
    path.write_text(text, encoding="utf-8")
