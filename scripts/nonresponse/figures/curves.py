"""Stability and swap rates: a curve per measure."""

import altair as alt
import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import FAINT, HEIGHT, WIDTH, label, nothing, page, share_axis, short
from nonresponse.reliability.findings import percent


def stability(curves: dict[str, pl.DataFrame], title: str, subtitle: str = "", caption: str = ""):
    """Error rate against ties, a point per fuzziness (Peñas & Rodrigo 2011, figure 2), from stability tables."""
    frame = stacked(curves, "ties", "error_rate")
    if frame.is_empty():
        return nothing(title, subtitle, caption, "There is no curve to draw, since no two runs could be compared.")
    ties, errors = padded(frame["ties"]), [0, 1.08 * max(frame["error_rate"].max(), 0.005)]
    x = alt.X("ties:Q", scale=alt.Scale(domain=ties, nice=False), axis=share_axis("ties: share of the comparisons in which two runs differ by less than the fuzziness"))
    y = alt.Y("error_rate:Q", scale=alt.Scale(domain=errors, nice=False), axis=share_axis("error rate: share of the comparisons that are wrong"))
    ends = frame.sort("fuzziness").group_by("series", maintain_order=True).last()
    # The names stand at the heights of the curves' right ends, moved apart where they would touch.
    names = ends["series"].to_list()
    heights = series.spread([HEIGHT * (1 - end / errors[1]) for end in ends["error_rate"]], series.LINE, 0, HEIGHT)
    leaders = alt.Chart(ends).mark_rule(color=FAINT, strokeWidth=0.5)
...
