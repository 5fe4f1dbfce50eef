"""Write the picture at the head of README.md: what four runs answered, and their c@1.

c@1 = accuracy (2 - answered) (Peñas & Rodrigo 2011, eq. 10): along a curve of equal c@1, a run
comes to the right edge, where it answers everything, at its c@1.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
import altair as alt
import polars as pl
from nonresponse.charts import render_svg
from nonresponse.wording import plural

import commands

OPTIONS = {
    "counts": {"type": Path, "help": "a table of run, n_ac, n_aw, n_u"},
    "output": {"type": Path, "help": "the file to write"},
}

COLOURS = {"correct": "#1b6fb5", "unanswered": "#ffffff", "wrong": "#e3a26f"}
LINE, MARK = "#c3c8cf", "#a2410d"
COVERAGE, ACCURACY = (0.75, 1), (0.35, 0.6)  # what the plane shows
EQUAL = [score / 100 for score in range(35, 65, 5)]  # c@1 of its curves
TICKS = [tick / 100 for tick in range(75, 105, 5)]
SIZE = {"width": 340, "height": 260}
Panel = alt.LayerChart | alt.FacetChart
FONT = "Liberation Sans, Arial, sans-serif"


def read_scores(counts: Path) -> pl.DataFrame:
    """Return run, correct, wrong, unanswered, answered and accuracy (shares), and c@1."""
    table = pl.read_csv(counts).select(
        "run", correct="n_ac", wrong="n_aw", unanswered="n_u", n=pl.sum_horizontal("^n_.*$")
    )
    accuracy, coverage = pl.col("correct") / pl.col("n"), 1 - pl.col("unanswered") / pl.col("n")
    return table.with_columns(accuracy=accuracy, answered=coverage, score=accuracy * (2 - coverage))


def title(runs: pl.DataFrame) -> str:
    """Return how far the first two runs are apart, in correct answers and in c@1."""
    best, next_best = runs.head(2).iter_rows(named=True)
    gap, score = (abs(best[name] - next_best[name]) for name in ("correct", "score"))
    answers = "One correct answer" if gap == 1 else plural(gap, "correct answer")
    return f"{answers} apart in accuracy, {score:.2f} apart in c@1"


def draw_bars(runs: pl.DataFrame) -> Panel:
    """Draw the correct, unanswered and wrong answers of each run as one bar."""
    order = pl.Enum([*COLOURS])
    counts = runs.unpivot([*COLOURS], index="run", variable_name="answers", value_name="number")
    counts = counts.with_columns(answers=pl.col("answers").cast(order)).sort("run", "answers")
    counts = counts.with_columns(
        rank=pl.col("answers").to_physical(),
        middle=pl.col("number").cum_sum().over("run") - pl.col("number") / 2,
    )
    colours = alt.Color("answers", sort=[*COLOURS], title=None, legend=alt.Legend(orient="bottom"))
    colours = colours.scale(domain=[*COLOURS], range=[*COLOURS.values()])
    name = alt.Y("run", sort=runs["run"].to_list(), title=None)
    bars = alt.Chart(counts).mark_bar(stroke="#55595f", height=36)
    bars = bars.encode(x=alt.X("number", axis=None), y=name, color=colours, order="rank")
    numbers = alt.Chart(counts.filter(pl.col("number") > 0)).mark_text()
    white = alt.condition("datum.answers == 'correct'", alt.value("white"), alt.value("black"))
    numbers = numbers.encode(x="middle", y=name, text="number", color=white)
    subtitle = f"{runs['n'][0]} questions, {runs.height} runs of QA@CLEF 2009"
    return alt.layer(bars, numbers).properties(**SIZE, title=subtitle)


def curve(score: float, start: float, name: str) -> pl.DataFrame:
    """Return the points of equal c@1 by coverage: curve, answered, accuracy."""
    coverage = pl.Series([start + (1 - start) * step / 32 for step in range(33)])
    columns = {"answered": coverage, "accuracy": score / (2 - coverage)}
    return pl.DataFrame(columns).with_columns(curve=pl.lit(name))


def draw_plane(runs: pl.DataFrame) -> Panel:
    """Draw runs by accuracy and answered questions, with curves of equal c@1."""
    x = alt.X(
        "answered", title="questions answered", axis=alt.Axis(format="%", grid=False, values=TICKS)
    )
    y = alt.Y("accuracy", axis=alt.Axis(format="%", grid=False, titlePadding=12)).scale(
        domain=ACCURACY
    )
    axes = {"x": x.scale(domain=COVERAGE), "y": y}
    equal = pl.concat(curve(score, COVERAGE[0], f"{score}") for score in EQUAL)
    abstaining = runs.filter(pl.col("answered") < 1)
    own_curves = [curve(row["score"], row["answered"], row["run"]) for row in abstaining.to_dicts()]
    edge = alt.Chart(
        runs.select(
            text=pl.col("score").map_elements("{:.3f}".format, pl.String),
            answered=pl.lit(1.0),
            accuracy="score",
        )
    )
    points = alt.Chart(runs)
    layers = [
        alt.Chart(equal)
        .mark_line(color=LINE, strokeWidth=1, clip=True)
        .encode(**axes, detail="curve"),
        alt.Chart(pl.concat(own_curves))
        .mark_line(color=MARK, strokeDash=[6, 4])
        .encode(**axes, detail="curve"),
        edge.mark_point(color=MARK, filled=True, size=50, opacity=1).encode(**axes),
        edge.mark_text(color=MARK, align="left", dx=8, fontWeight="bold").encode(
            **axes, text="text"
        ),
        points.mark_point(color=COLOURS["correct"], filled=True, size=90, opacity=1).encode(**axes),
        points.mark_text(dy=18, align="right", dx=24).encode(**axes, text="run"),
    ]
    subtitle = "along its curve to the right edge, a run comes to its c@1"
    return alt.layer(*layers).properties(**SIZE, title=subtitle)


def draw(runs: pl.DataFrame) -> alt.HConcatChart:
    """Draw both panels."""
    chart = alt.hconcat(draw_bars(runs), draw_plane(runs), spacing=40)
    chart = chart.properties(
        title=alt.Title(title(runs), fontSize=22, fontWeight="bold", color="black", offset=16)
    )
    text = {"labelFontSize": 14, "titleFontSize": 14, "titleFontWeight": "normal"}
    chart = chart.configure(font=FONT, background="white", padding=20).configure_text(fontSize=14)
    chart = chart.configure_axis(**text).configure_view(stroke=None)
    quiet = {"anchor": "start", "color": "#55595f", "fontSize": 14, "fontWeight": "normal"}
    return chart.configure_title(**quiet).configure_legend(labelFontSize=14)


def main(counts: Path, output: Path) -> None:
    output.write_text(render_svg(draw(read_scores(counts))), encoding="utf-8")


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
