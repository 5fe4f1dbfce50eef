"""Stability on the page: which measure errs least where ties are equally frequent."""

import numpy as np
import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import HEIGHT, SIZE, WIDTH, extremes, nothing, outlined, page, share_axis
from nonresponse.figures.vega_lite import Spec, quantity
from nonresponse.pages.blocks import Topic, shown
from nonresponse.pages.sections import Campaign, draw, part
from nonresponse.scoring.leaderboard import TIE
from nonresponse.wording import difference, extent, listed, percent

TIES = "ties: share of the comparisons in which two runs differ by less than the fuzziness"
ERROR_RATE = "error rate: share of the comparisons that are wrong"


def topic(campaign: Campaign) -> Topic:
    """A figure, and a table of all fuzziness values."""
    by_measure = campaign.read("stability")
    finding = sentence(by_measure)
    drawn = f"random subsets of {part(next(iter(by_measure.values())))}"
    chart = figure(by_measure, f"{campaign.title}: stability", drawn, finding)
    columns = [f.select(pl.col("error_rate", "ties").name.prefix(f"{id} ")) for id, f in by_measure.items()]
    table = pl.concat([next(iter(by_measure.values())).select("fuzziness"), *columns], how="horizontal")
    caption = f"Error rates and shares of ties on {drawn}."
    rates = shown(caption, table, digits={"fuzziness": "difference"}, csv="stability")
    return Topic("Stability", [("", finding)], [draw(campaign, "stability", chart)], [rates])


def sentence(curves: dict[str, pl.DataFrame]) -> str:
    """Which measure errs least where ties are equally frequent; the tables are those of stability, by measure."""
    curves = {id: table.drop_nulls("error_rate").sort("ties") for id, table in curves.items()}
    curves = {id: table for id, table in curves.items() if table.height}
    if not curves:
        return "No two runs could be compared, so that there is no error rate."
    if len(curves) == 1:
        id, table = curves.popitem()
        wrong, tied = extent(table["error_rate"]), extent(table["ties"])
        return f"By {id}, {wrong} of the comparisons are wrong and {tied} are ties, depending on the fuzziness."
    # The most measures whose ranges of ties overlap, and the range that they share.
    ranges = {id: extremes(table["ties"]) for id, table in curves.items()}
    by_low = {low: [id for id, (start, end) in ranges.items() if start <= low <= end] for low, _ in ranges.values()}
    low, compared = max(by_low.items(), key=lambda item: len(item[1]))
    high = min(ranges[id][1] for id in compared)
    if len(compared) == 1:
        return "No two measures share a range of ties in which they could be compared."
    # Between the points of all curves each curve is straight: nothing happens elsewhere.
    ties = np.unique(np.concatenate([[low, high], *(curves[id]["ties"] for id in compared)]))
    ties = ties[(ties >= low) & (ties <= high)]
    rates = {id: np.interp(ties, curves[id]["ties"], curves[id]["error_rate"]) for id in compared}
    others = [id for id in curves if id not in compared]
    have = "has" if len(others) == 1 else "have"
    besides = f"; {listed(others)} {have} other shares of ties" if others else ""
    said = least(rates, ties, not others)
    return f"Where ties are equally frequent ({extent([low, high])} of the comparisons), {said}{besides}."


def least(rates: dict[str, np.ndarray], ties: np.ndarray, every_one: bool) -> str:
    """Whose error rate is the lowest at all these shares of ties, or else on average; whether they are all measures."""
    every = np.array(list(rates.values()))
    lowest, highest = every.min(axis=0), every.max(axis=0)
    first = [id for id, rate in rates.items() if (rate <= lowest + TIE).all()]
    last = [id for id, rate in rates.items() if (rate >= highest - TIE).all()]
    if len(first) == len(rates):
        named = "all measures" if every_one else listed([*rates])
        return f"the error rate is the same for {named}, {extent(lowest)}"
    if not first:
        mean = {id: np.trapezoid(rate, ties) / (ties[-1] - ties[0]) for id, rate in rates.items()}
        best, worst = min(mean, key=mean.__getitem__), max(mean, key=mean.__getitem__)
        return (
            "no measure has the lowest error rate throughout; on average it is lowest for "
            f"{best} ({percent(mean[best])}) and highest for {worst} ({percent(mean[worst])})"
        )
    ahead = np.sort(every, axis=0)[len(first)] - lowest
    margin = "less than 0.1" if ahead.max() < 0.0005 else f"at most {100 * ahead.max():.1f}"
    has = "has" if len(first) == 1 else "have"
    text = f"{listed(first)} {has} the lowest error rate throughout, {extent(lowest)}, by {margin} percentage points"
    if not last:
        return text
    return f"{text}; {listed(last)} {'has' if len(last) == 1 else 'have'} the highest, {extent(highest)}"


def figure(curves: dict[str, pl.DataFrame], title: str, subtitle: str = "", caption: str = "") -> Spec:
    """Error rate against ties, a point per fuzziness (Peñas & Rodrigo 2011, figure 2), from stability tables."""
    frame = series.stacked(curves, "fuzziness", "ties", "error_rate")
    if frame.is_empty():
        return nothing(title, subtitle, caption, "There is no error rate to draw, since no two runs could be compared.")
    names = frame["series"].unique(maintain_order=True).to_list()
    (left, right), top = extremes(frame["ties"]), 1.1 * extremes(frame["error_rate"])[1] or 0.01
    margin = 0.05 * (right - left) or 0.01
    left, right = max(0, left - margin), right + margin
    end_x, end_y = (pl.col("ties") - left) / (right - left) * WIDTH, (1 - pl.col("error_rate") / top) * HEIGHT
    ends = series.beside(frame.group_by("series", maintain_order=True).last(), end_x=end_x, end_y=end_y)
    least, most = (difference(end) for end in extremes(frame["fuzziness"]))
    marked = frame.filter(pl.col("series") == names[0])[[0, -1]].with_columns(text=pl.Series([least, most]))
    along = f"(along each curve the fuzziness grows from {least}, left, to {most}, right)"
    x = quantity("ties", scale={"domain": [left, right]}, axis=share_axis([TIES, along], tickCount=10))
    y = quantity("error_rate", scale={"domain": [0, top]}, axis=share_axis(ERROR_RATE, tickCount=8))
    style = series.styles(names)
    parts = [
        series.leaders(ends),
        series.curves(frame, style, x, y),
        outlined(marked, {"x": x, "y": y}, dy=-11),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, subtitle, caption)
