"""The price of a wrong answer: which run is best at each price, with never answering among them.

At price c a run is worth right - c wrong for a question, silence 0: penalty@t for t = c / (1 + c) (Kalai et al. 2025).
"""

import polars as pl

from nonresponse import tables
from nonresponse.figures.page import INK, WIDTH, label, names_axis, page, places, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, place, quantity
from nonresponse.legible import short
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.material import Material, schema
from nonresponse.wording import joined, listed, plural, rounded

DRAWN, LINE = 40, 18  # runs in the figure, and pixels for each
SILENCE, SURE = "(silence)", "how sure a run must be for an answer to pay: price / (1 + price)"
HEADING = "The price of a wrong answer"
CAPTION = (
    "At a price, a run is worth right − price · wrong for a question, silence 0. These are the answers that the runs"
    " gave: if they were told a price, only the worth at that price is what they aimed at."
)
COLUMNS = {
    "price_from": "a stretch of prices with the same best run",
    "price_to": "where it ends; empty = never",
    "confidence_from": "price_from / (1 + price_from): how sure a run must be for an answer to pay",
    "confidence_to": "the same of price_to",
    "best": "the run that is worth most, several equal ones joined by “ + ”; empty = silence: no run is worth more",
    "right": "its n_ac / n; of silence the share of the questions that have no answer",
    "wrong": "its n_aw / n",
    "value": "right − price_from · wrong",
}
TYPES: list[type[pl.DataType] | pl.DataType] = [
    *[pl.Float64] * 4,
    tables.NAMES,
    *[pl.Float64] * 3,
]


def table_of(material: Material) -> pl.DataFrame:
    """A row per stretch of prices; none without runs that have questions."""
    runs = shares(material)
    if runs.is_empty():
        return pl.DataFrame(schema=schema(COLUMNS, *TYPES))
    names, worths = ["", *runs["run"]], [(silence(material.counts), 0.0), *runs.select("right", "wrong").rows()]
    rows = []
    for at, confidence in best_runs(worths):
        (right, wrong), price = worths[at], confidence / (1 - confidence)
        firsts = [name for name, worth in zip(names, worths, strict=True) if at and worth == worths[at]]
        rows.append([price, None, confidence, None, firsts or None, right, wrong, right - price * wrong])
    table = pl.DataFrame(rows, schema(COLUMNS, *TYPES), orient="row")
    ends = {f"{name}_to": pl.col(f"{name}_from").shift(-1) for name in ("price", "confidence")}
    return table.with_columns(**ends).with_columns(pl.col("confidence_to").fill_null(1.0))


def shares(material: Material) -> pl.DataFrame:
    """run, right and wrong, as shares of the run's questions, in the order of the leaderboard.

    Empty where published counts are of another kind, such as those of ROMIP.
    """
    counts = material.counts.filter(~pl.col("trivial"), pl.col("n") > 0)
    shares = counts.select("run", right=pl.col("n_ac") / pl.col("n"), wrong=pl.col("n_aw") / pl.col("n"))
    return shares.drop_nulls()


def silence(counts: pl.DataFrame) -> float:
    """Return the right share of never answering: that of the questions that have no answer."""
    if "n_unanswerable" not in counts.columns:
        return 0.0
    known = counts.filter(pl.col("n") > 0)
    return max((known["n_unanswerable"] / known["n"]).drop_nulls(), default=0.0)


def best_runs(rows: list[tuple[float, float]]) -> list[tuple[int, float]]:
    """The places of the runs that are best for some stretch of prices, each with the confidence that it begins at.

    `rows` are the right and wrong shares of all runs. A run's worth is a line in the price, so that each is best on one
    stretch at most. Of runs that are equal on a stretch, only the first is listed.
    """
    stretches: list[tuple[int, float]] = []
    # At a price of 0 most right answers win; among equals, fewest wrong ones.
    order = sorted(range(len(rows)), key=lambda place: (-rows[place][0], rows[place][1], place))
    price = 0.0
    while order:
        place = order[0]
        stretches.append((place, price / (1 + price)))
        right, wrong = rows[place]
        later = [other for other in order if rows[other][1] < wrong - TIE]
        if not later:
            break
        meets = {other: max((right - rows[other][0]) / (wrong - rows[other][1]), price) for other in later}
        price = min(meets.values())
        order = sorted(later, key=lambda other: (meets[other] > price + TIE, rows[other][1], other))
    return stretches


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """Which run is best at which price, and how many are worth less than silence at equal cost."""
    parts = []
    for best, rows in table.group_by("best", maintain_order=True):
        low, high = rows["price_from"][0], rows["price_to"][-1]
        where = f"from {rounded(low, 2)} " + ("on" if high is None else f"to {rounded(high, 2)}")
        if low == 0:
            where = "at every price" if high is None else f"below {rounded(high, 2)}"
        parts.append(f"{listed([short(run) for run in best[0] or ()] or ['silence'])} {where}")
    are = "are" if len(table.row(0, named=True)["best"] or ()) > 1 else "is"
    said = [f"By right − price · wrong for a question, the best {are} {joined(parts)}."]
    behind = shares(material).filter(pl.col("right") - pl.col("wrong") < silence(material.counts) - TIE).height
    if behind:
        said.append(f"At a price of 1, {plural(behind, 'run', 'is', 'are')} worth less than silence.")
    return said


def figure(table: pl.DataFrame, title: str) -> Spec:
    """A bar for each run where it is best, over the confidences from which on an answer pays."""
    stretches = table.select("best", start="confidence_from", end="confidence_to").explode("best")
    every = stretches.select("best").unique(maintain_order=True)  # null: silence
    drawn = every.tail(DRAWN).with_row_index("place")
    remark = f" {DRAWN} of {every.height:,} are drawn." * (every.height > DRAWN)
    names = [SILENCE if run is None else label(run) for run in drawn["best"]]
    x = quantity("start", scale={"domain": [0, 1]}, axis=share_axis(SURE, tickCount=10))
    y = place("place", scale=places(names), axis=names_axis(names, title=None))
    rows = stretches.join(drawn, on="best", nulls_equal=True, maintain_order="left").drop("best")
    layer = layers(rows, {"x": x, "x2": {"field": "end"}, "y": y}, mark("rect", color=INK, height={"band": 0.45}))
    plot = {"layer": [layer], "width": WIDTH, "height": max(3, len(names)) * LINE}
    return page(plot, title, f"The run that is worth most at each price.{remark}")
