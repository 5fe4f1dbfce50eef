"""Bring the table and the figure of docs/abstention.md, on when it pays to guess, up to date with
the measures.

The run is as often p sure of an answer for every p from 0 to 1, is then right with probability p,
and answers what it is surer of than a cut: of many questions it has (1 - cut²)/2 right, (1 -
cut)²/2 wrong, and a share cut unanswered.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
import altair as alt
import polars as pl
from nonresponse import measures
from nonresponse.charts import render_svg
from nonresponse.tables import write_text

import commands

OPTIONS = {
    "page": {
        "type": Path,
        "help": "the page; what stands between the two marks in it is written anew",
    },
    "figure": {"type": Path, "help": "the SVG file to write"},
}

# How sure one must be for an answer to raise the expected score; derived in docs/abstention.md.
PAYS = {
    "accuracy": "0: always",
    "formula_score@4": "1/m",
    "f_simpleqa": "F/2, half the score so far",
    "c@1": "c / (n + u − 1), about accuracy / (1 + u/n)",
    "uf": "1/2",
    "phi@1": "k / (1 + k)",
    "penalty@0.75": "t",
    "precision_answered": "the precision so far",
    "optimistic": "1: never",
    "hallucination_rate": "1: never",
}
CURVES = ["accuracy", "f_simpleqa", "c@1", "formula_score@4", "uf", "penalty@0.75"]
CURVES += ["precision_answered"]
STEPS = 1000  # of the cut, among which the best one is looked for
BEGIN, END = "<!-- by tools/abstention_page.py -->", "<!-- so far -->"
TITLE = "What a run gains by not answering what it is not sure of"
CAPTION = (
    "Answering more pays to the right of each mark, where the expected score still rises "
    "as the threshold falls."
)
CUT = "threshold: the run answers what it is surer of than this"
SCORE = "expected score"
LOW = -1.0


def expect_counts(cut: float) -> dict[str, float]:
    """The counts that are expected of the run, as shares of the questions."""
    counts = {"n_ac": (1 - cut**2) / 2, "n_aw": (1 - cut) ** 2 / 2, "n_u": cut, "n": 1.0}
    return counts | {"n_aw_partial": 0.0, "n_x_partial": 0.0, "n_rightful": 0.0}


def expect_score(measure: measures.Measure, cut: float) -> float:
    """The score of the expected counts, to which that of many questions tends."""
    counts = expect_counts(cut)
    return float(measure(**{name: counts[name] for name in measure.totals}))


def find_best_cut(id: str) -> float:
    """The cut with the best expected score, in thousandths; below 1, where nothing is answered."""
    measure = measures.get("qa", id)
    sign = 1 if measure.higher_is_better else -1
    return max(
        (step / STEPS for step in range(STEPS)), key=lambda cut: sign * expect_score(measure, cut)
    )


def render_table() -> str:
    """Return a Markdown row per measure: when answering pays, the best cut."""
    lines = ["| measure | p is more than | best threshold |", "|---|---|---|"]
    for id, rule in PAYS.items():
        best = find_best_cut(id)
        lines.append(f"| `{id}` | {rule} | {'1' if best > 0.99 else f'{best:.2f}'} |")
    return "\n".join(lines)


def tabulate_curves() -> pl.DataFrame:
    """Return series, cut, score and `best` of the best cut, by way to reward silence."""
    records = {id: measures.get("qa", id) for id in CURVES}
    points = [
        (id, step / 100, expect_score(record, step / 100), False)
        for id, record in records.items()
        for step in range(100)
    ]
    marks = [
        (id, cut, expect_score(records[id], cut), True)
        for id, cut in ((id, find_best_cut(id)) for id in CURVES)
    ]
    types = {"series": pl.String, "cut": pl.Float64, "score": pl.Float64, "best": pl.Boolean}
    return pl.DataFrame(points + marks, types, orient="row")


def renew_page(page: str) -> str:
    """The page with the table as it is now between the two marks."""
    start, _, remainder = page.partition(BEGIN)
    _, _, end = remainder.partition(END)
    return f"{start}{BEGIN}\n\n{render_table()}\n\n{END}{end}"


def draw() -> alt.LayerChart:
    """Draw the expected score against the cut, a curve per measure, with its best cut marked."""
    table = tabulate_curves()
    best_cuts = table.filter("best").select("series", "cut").rows()
    cuts = {name: f"{name}: {cut:.2f}".replace("1.00", "1") for name, cut in best_cuts}
    rows = table.with_columns(pl.col("series").replace(cuts))
    measure = alt.Color("series", sort=None, title="measure: its best threshold").scale(
        scheme="dark2"
    )
    axes = {"x": alt.X("cut", title=CUT), "y": alt.Y("score", title=SCORE).scale(domain=(LOW, 1))}
    curves = alt.Chart(rows.filter(~pl.col("best"))).mark_line(strokeWidth=1.4, clip=True)
    best = alt.Chart(rows.filter("best")).mark_point(filled=True, size=60, opacity=1)
    title = alt.Title(TITLE, subtitle=CAPTION, anchor="start")
    layers = [
        curves.encode(
            **axes, color=measure, strokeDash=alt.StrokeDash("series", sort=None, legend=None)
        )
    ]
    layers.append(
        best.encode(**axes, color=measure, shape=alt.Shape("series", sort=None, legend=None))
    )
    chart = alt.layer(*layers).properties(width=600, height=380, title=title)
    return chart.configure(font="Liberation Sans, Arial, sans-serif").configure_legend(
        labelLimit=0, titleLimit=0
    )


def main(page: Path, figure: Path) -> None:
    write_text(renew_page(page.read_text(encoding="utf-8")), page)
    figure.write_text(render_svg(draw()), encoding="utf-8")


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
