"""Risk against coverage: what share of its answers a run has wrong as less sure ones come in (El-Yaniv & Wiener 2010).

Coverage is a share of all questions, as in coverage@r and risk@cov, so that a curve ends where the run falls silent.
The mean of risk over all its answers is aurc. As in counts, all questions count the same: one of k samples of a
question is 1/k of an answer.
"""

import numpy as np
import polars as pl

from nonresponse.figures import series
from nonresponse.figures.page import HEIGHT, SIZE, WIDTH, extremes, note, page, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, quantity
from nonresponse.legible import short
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.material import Material, schema
from nonresponse.wording import amount, listed, percent

POINTS = 100  # of a curve, at most
COVERAGE = "coverage: share of all questions that are answered, the surest first"
RISK = "risk: share of these answers that is wrong"
HEADING = "Risk against coverage"
CAPTION = (
    "The share of wrong answers among those that a run is surest of. Its last row is the run as it is. Ties:"
    " the expectation over all their orders."
)
COLUMNS = {
    "run": "its name",
    "answers": f"how many, the surest ones; up to {POINTS} numbers of them; of several to a question, each is a part",
    "coverage": "answers / n",
    "risk": "the share of them that is wrong",
    "down_to": "the confidence or raw score of the least sure of them, or its position with a minus",
    "own": "whether these are all answers of the run",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per run and number of answers; a single row if the run has no confidences; no rows if no run has any."""
    number = material.counts.schema["n_ac"]  # not whole where questions were asked several times
    types = schema(COLUMNS, pl.String, number, *[pl.Float64] * 3, pl.Boolean)
    orders, rows = material.orders, []
    counts = material.counts.filter(pl.col("n_ac") + pl.col("n_aw") > 0) if orders else material.counts.clear()
    for run, n, n_ac, n_aw in counts.select("run", "n", "n_ac", "n_aw").iter_rows():
        k, risk, down_to = np.array([n_ac + n_aw]), np.array([n_aw / (n_ac + n_aw)]), np.array([None])
        if order := orders.get(run):  # at up to POINTS numbers of answers, the last being all answers in the order
            answers, ends, wrong = curve(run, material)
            ordered = len(answers) - 1
            places = np.unique(np.ceil(np.arange(1, POINTS + 1) * ordered / POINTS).astype(np.int64))
            k, down_to = answers[places], order.standing[places - 1]
            risk = np.interp(k, ends, wrong) / k
        rows.append([run, k.astype(number.to_python()), k / n, risk, down_to, np.arange(len(k)) == len(k) - 1])
    of_runs = {"run": pl.String} | {name: pl.List(types[name]) for name in [*types][1:]}
    return pl.DataFrame(rows, of_runs, orient="row").explode(pl.selectors.exclude("run"))


def curve(run: str, material: Material) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How many answers the k surest rows are, k from 0 on; and at the end of each block of ties the number of answers
    and of wrong ones. Over all orders of ties, the expected number of wrong answers is linear in between.
    """
    order = material.orders[run]
    rows = len(order.question) - order.abstained
    weight = material.weights.get(run, np.ones(len(order.question)))[:rows]
    ends = np.append(order.starts[order.starts < rows], rows)
    answers, wrong = (np.append(0, np.cumsum(its).round(9)) for its in (weight, weight * ~order.right[:rows]))
    return answers, answers[ends], wrong[ends]


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """What the first run would gain by answering less; and which run is least often wrong where all can be compared."""
    curves = table.filter(pl.col("run").is_in([*material.orders]))
    run, answers = curves.filter("own").select("run", "answers").row(0)
    own = curves.filter(pl.col("run") == run)
    half = own.filter(2 * pl.col("answers") >= answers).row(0, named=True)
    said = [
        f"{short(run)} answers {percent(own['coverage'][-1])} of the questions, and {percent(own['risk'][-1])} of its"
        f" answers are wrong; of its {surest(half['answers'])}, {percent(half['risk'])} are."
    ]
    if len(material.orders) > 1:  # in as many answers as each of them gives
        k = min(curves.filter("own")["answers"])
        risks = {run: float(np.interp(k, *curve(run, material)[1:])) / k for run in material.orders}
        least, most = min(risks.values()), max(risks.values())
        low, high = (listed([short(run) for run in risks if abs(risks[run] - end) < TIE]) for end in (least, most))
        by_run = f"the fewest are wrong with {low}, {percent(least)}, and the most with {high}, {percent(most)}"
        same = f"as many are wrong with all runs, {percent(most)}"
        said.append(f"Of each run's {surest(k)}, {same if most - least < TIE else by_run}.")
    if material.weights:
        said.append("Of several answers to a question, each counts as a part of one answer.")
    return said


def surest(k: float) -> str:
    return "surest answer" if k == 1 else f"{amount(k)} surest answers"


def figure(table: pl.DataFrame, title: str) -> Spec:
    """The curves of the view's table; a run that does not say how sure it is has only its mark."""
    names, table, remark = series.first_named(table)
    points = table.select("coverage", "risk", "own", series="run")
    named = pl.col("series").is_in(names)
    top = min(1.0, 1.1 * extremes(table["risk"])[1] or 0.1)
    of_runs = points.filter("own", named)
    end_x, end_y = pl.col("coverage") * WIDTH, (1 - pl.col("risk") / top) * HEIGHT
    ends = series.beside(of_runs, series.LINE, end_x=end_x, end_y=end_y)
    x = quantity("coverage", scale={"domain": [0, 1]}, axis=share_axis(COVERAGE, tickCount=10))
    y = quantity("risk", scale={"domain": [0, top]}, axis=share_axis(RISK))
    place, style, grey = {"x": x, "y": y}, series.styles(names), series.OTHERS
    parts = [
        series.others(points.filter(~named), place),
        layers(points.filter(~named, "own"), place, mark("point", size=24, stroke=grey, fill=grey, opacity=1)),
        series.leaders(ends),
        layers(points.filter(named), place, mark("line", style[0], strokeWidth=1.4)),
        layers(of_runs, place, mark("point", style[1], size=50, strokeWidth=1.4, opacity=1)),
        note("at its own coverage", series.START, 0),
        series.column(ends, style),
    ]
    return page({"layer": parts, **SIZE}, title, f"A mark is the run as it is.{remark}")
