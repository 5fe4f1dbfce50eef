"""What each run is worth as mistakes get dearer: penalty@t against t, and which is best where (Kalai et al. 2025)."""

import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, SIZE, note, page
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity
from nonresponse.legible import short
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.material import Material
from nonresponse.wording import listed, plural

TARGETS = (0, 0.25, 0.5, 0.75, 0.9)
LAST, STEPS = 0.95, 95  # of t: at 1 a mistake would cost beyond all bounds
LOWEST = -1.0  # of the axis
TARGET = "t: how sure a run must be for an answer to pay"
WORTH = "penalty@t: what the answers are worth for a question"
HEADING = "As mistakes get dearer"
CAPTION = (
    "penalty@t: a right answer is worth 1, silence 0, a mistake −t/(1−t). These are the answers that the runs"
    " gave. If they were told a t, they are scored as they should be by that one alone."
)
COLUMNS = {
    "run": "its name",
    "right": "n_ac / n",
    "wrong": "n_aw / n",
    "best_from": "the least t for which no run has more; empty = there is none",
    "best_to": "up to which t that is so",
    "zero_at": "the t above which it is worth less than silence: n_ac / (n_ac + n_aw); empty = it answers nothing",
    **{f"t_{t:g}": f"penalty@{t:g}" for t in TARGETS},
}
NOT_SHOWN = ("right", "wrong")


def table_of(material: Material) -> pl.DataFrame:
    """A row per run, in the order of the leaderboard; without the trivial runs, and those without questions."""
    runs = shares(material)
    rows = runs.select("right", "wrong").rows()
    best = dict(best_runs(rows))
    ends = dict(zip(best, [*list(best.values())[1:], 1.0], strict=False))  # none of no runs
    places = [rows.index(row) for row in rows]  # runs that are equal at all t are best together
    stretch = {
        name: pl.Series([of.get(place) for place in places], dtype=pl.Float64)
        for name, of in (("best_from", best), ("best_to", ends))
    }
    answered = pl.col("right") + pl.col("wrong")
    table = runs.with_columns(**stretch, zero_at=pl.when(answered > 0).then(pl.col("right") / answered))
    scores = {f"t_{t:g}": worth(t, "right", "wrong") for t in TARGETS}
    return table.with_columns(**scores).select(*COLUMNS)


def shares(material: Material) -> pl.DataFrame:
    """run, right and wrong, as shares of its questions, by the leaderboard; none of counts of another kind."""
    counts = material.counts.filter(~pl.col("trivial"), pl.col("n") > 0)
    shares = counts.select("run", right=pl.col("n_ac") / pl.col("n"), wrong=pl.col("n_aw") / pl.col("n"))
    return shares.drop_nulls()


def best_runs(rows: list[tuple[float, float]]) -> list[tuple[int, float]]:
    """The places of the runs that are best for some stretch of t, each with where its stretch begins, from t = 0.

    `rows` are their right and wrong shares. A run is c - w s worth, a line in s = t / (1 - t), so that each is best on
    one stretch at most. Of equals from there on, the first one.
    """
    stretches: list[tuple[int, float]] = []
    # The most right answers win at t = 0; with as many, the fewest wrong ones.
    order = sorted(range(len(rows)), key=lambda place: (-rows[place][0], rows[place][1], place))
    at = 0.0
    while order:
        place = order[0]
        stretches.append((place, at / (1 + at)))
        right, wrong = rows[place]
        later = [other for other in order if rows[other][1] < wrong - TIE]
        if not later:
            break
        meets = {other: max((right - rows[other][0]) / (wrong - rows[other][1]), at) for other in later}
        at = min(meets.values())
        order = sorted(later, key=lambda other: (meets[other] > at + TIE, rows[other][1], other))
    return stretches


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """Which run is best for which t; and which runs are worth less than silence where a mistake costs as much."""
    best = table.drop_nulls("best_from").group_by("best_from", "best_to").agg("run").sort("best_from")
    parts = []
    for start, end, runs in best.iter_rows():
        names, are = listed([short(run) for run in runs]), "is" if len(runs) == 1 else "are"
        where = f"t from {start:.2f} " + (f"to {end:.2f}" if end < 1 else "on")
        if start == 0:
            where = f"t below {end:.2f}" if end < 1 else "every t"
        parts.append(f"{names} {are} best for {where}")
    said = [f"By penalty@t, {', '.join(parts)}."]
    behind = table.filter(pl.col("t_0.5") < -TIE)
    if behind.height:
        said.append(
            f"Where a mistake costs as much as a right answer gains (t = 0.5), {plural(behind.height, 'run')} of"
            f" {table.height:,} {'is' if behind.height == 1 else 'are'} worth less than one that says nothing."
        )
    return said


def figure(table: pl.DataFrame, title: str, caption: str) -> Spec:
    """From the view `penalties`: the runs that are best somewhere are named, then those first in the leaderboard."""
    order = table.with_columns(others=pl.col("best_from").is_null()).sort("others", maintain_order=True)
    names = order["run"].to_list()[: max(series.NAMED, order["best_from"].count())]
    subtitle = "The dashed line is silence."
    if len(order) > len(names):
        subtitle += f" {len(names)} of {len(order):,} runs are named, with all that are best somewhere."
    table, remark = series.drawn(table, order["run"].to_list())
    named = pl.col("series").is_in(names)
    at_last = table.select(worth(LAST, "right", "wrong").min()).item()
    low, high = min(0.0, max(LOWEST, at_last)), max(0.1, table.select(pl.max("right")).item())
    points = curves(table, low)
    # The names as the curves begin, each beside that place as far as there is room.
    first = table.filter(pl.col("run").is_in(names)).sort("right", descending=True, maintain_order=True)
    end_y = (high - pl.col("right")) / ((high - low) or 1) * HEIGHT
    ends = series.beside(first.select("right", series="run"), series.LINE, end_y=end_y)
    x = quantity("t", scale={"domain": [0, LAST]}, axis={"title": TARGET, "format": "~g", "tickCount": 10})
    y = quantity("value", scale={"domain": [low, high]}, axis={"title": WORTH, "format": "~g"})
    style = series.styles(names)
    fifths = (pl.col("t") * 100).round().cast(pl.Int64) % 20 == 0
    marked = points.filter(named, fifths, pl.col("value") > low)
    parts = [
        series.others(points.filter(~named), {"x": x, "y": y}),
        layers(pl.DataFrame({"value": [0.0]}), {"y": y}, mark("rule", color=FAINT, strokeDash=[4, 3])),
        layers(points.filter(named), {"x": x, "y": y}, mark("line", style[0], strokeWidth=1.4)),
        layers(marked, {"x": x, "y": y}, mark("point", style[1], size=32, strokeWidth=1.2, opacity=1)),
        note("from the most right answers to the fewest", series.START, -6),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle + remark, caption)


def worth(t: float | pl.Expr, right: str, wrong: str) -> pl.Expr:
    return pl.col(right) - pl.col(wrong) * t / (1 - t)


def curves(table: pl.DataFrame, low: float) -> pl.DataFrame:
    """series, t and value of each run, down to `low`, where a curve leaves the plot."""
    target = pl.DataFrame({"t": [step / 100 for step in range(STEPS + 1)]})
    steps = table.join(target, how="cross").with_columns(value=worth(pl.col("t"), "right", "wrong"))
    leaves = (pl.col("right") - low) / (pl.col("right") - low + pl.col("wrong"))
    ends = table.with_columns(t=leaves, value=pl.lit(low)).filter(pl.col("t") < LAST)
    own = [frame.select("t", "value", series="run") for frame in (steps.filter(pl.col("value") >= low), ends)]
    return pl.concat(own).sort("series", "t", maintain_order=True)
