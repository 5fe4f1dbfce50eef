"""The price of a wrong answer: which run is best at each, and which may be, at all prices together.

At price c a run is worth right - c wrong for a question, silence 0: penalty@t for t = c / (1 + c) (Kalai et al. 2025).
"""

from dataclasses import replace

import numpy as np
import polars as pl

from nonresponse import measures, tables
from nonresponse.figures.page import INK, WIDTH, label, names_axis, page, places, share_axis
from nonresponse.figures.vega_lite import Spec, layers, mark, place, quantity
from nonresponse.judging.store import VERDICTS_FILE
from nonresponse.legible import short
from nonresponse.reliability import prices
from nonresponse.reliability.outcomes import from_verdicts
from nonresponse.reliability.pseudo_values import scored
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.material import Material, schema
from nonresponse.wording import joined, listed, plural, rounded

STEPS = 100  # at which runs are tested, of the confidence from which on an answer pays
DRAWN, LINE = 40, 18  # runs in the figure, and pixels for each
SILENCE, SURE = "(silence)", "how sure a run must be for an answer to pay: price / (1 + price)"
ROWS = {"run": pl.String, "silent": pl.Boolean, "start": pl.Float64, "end": pl.Float64}
HEADING = "The price of a wrong answer"
CAPTION = (
    "At a price, a run is worth right − price · wrong for a question, silence 0. These are the answers that the runs"
    " gave: if they were told a price, only the worth at that price is what they aimed at."
)
COLUMNS = {
    "price_from": "a stretch of prices with the same best run and the same possible bests",
    "price_to": "where it ends; empty = never",
    "confidence_from": "price_from / (1 + price_from): how sure a run must be for an answer to pay",
    "confidence_to": "the same of price_to",
    "best": "the run that is worth most, several equal ones joined by “ + ”; empty = silence: no run is worth more",
    "right": "its n_ac / n; of silence 0",
    "wrong": "its n_aw / n",
    "value": "right − price_from · wrong",
    "may_be_best": "the runs that may truly be the best, joined by “ + ”; empty = none may, or nothing was tested",
    "silence_may_be_best": "whether no run may truly be worth more than silence; empty = nothing was tested",
}
TYPES: list[type[pl.DataType] | pl.DataType] = [
    *[pl.Float64] * 4,
    tables.NAMES,
    *[pl.Float64] * 3,
    tables.NAMES,
    pl.Boolean,
]


def table_of(material: Material) -> pl.DataFrame:
    """A row per stretch of prices; none without runs that have questions.

    Who may be best is tested if there are single responses to two or more questions, or clusters of them.
    """
    runs, psi = seen(material)
    if runs.is_empty():
        return pl.DataFrame(schema=schema(COLUMNS, *TYPES))
    names, worths = ["", *runs["run"]], [(0.0, 0.0), *runs.select("right", "wrong").rows()]  # silence first
    best = best_runs(worths)
    marks = sorted({*(step / STEPS for step in range(STEPS)), *(start for _, start in best)})
    possible = tested(runs, psi, marks, material) if psi else None
    rows: list[dict] = []
    for number, confidence in enumerate(marks):
        at = [its for its, start in best if start <= confidence][-1]
        firsts = [name for name, worth in zip(names, worths, strict=True) if at and worth == worths[at]]
        row: dict = {"best": firsts or None, "may_be_best": None, "silence_may_be_best": None}
        if possible is not None:
            may = [name for name, its in zip(runs["run"], possible[number], strict=False) if its]
            row |= {"may_be_best": may or None, "silence_may_be_best": bool(possible[number, -1])}
        if not rows or rows[-1] | row != rows[-1]:
            right, wrong = worths[at]
            price = confidence / (1 - confidence)
            row |= {"price_from": price, "confidence_from": confidence}
            rows.append(row | {"right": right, "wrong": wrong, "value": right - price * wrong})
    known = dict(zip(COLUMNS, TYPES, strict=True))
    table = pl.DataFrame(rows, schema_overrides={name: known[name] for name in rows[0]})
    ends = {f"{name}_to": pl.col(f"{name}_from").shift(-1) for name in ("price", "confidence")}
    return table.with_columns(**ends).with_columns(pl.col("confidence_to").fill_null(1.0)).select(*COLUMNS)


def shares(material: Material) -> pl.DataFrame:
    """run, right and wrong, as shares of the run's questions, in the order of the leaderboard.

    Empty where published counts are of another kind, such as those of ROMIP.
    """
    counts = material.counts.filter(~pl.col("trivial"), pl.col("n") > 0)
    shares = counts.select("run", right=pl.col("n_ac") / pl.col("n"), wrong=pl.col("n_aw") / pl.col("n"))
    return shares.drop_nulls()


def seen(material: Material) -> tuple[pl.DataFrame, list[np.ndarray]]:
    """The shares, and the pseudo-values of right and wrong, (runs, questions) each; none without single responses.

    With single responses, shares only of the runs that are compared, and pseudo-values only of `contenders`.
    """
    runs, verdicts = shares(material), material.folder / VERDICTS_FILE
    if not verdicts.exists():
        return runs, []
    uf, accuracy = (measures.get(material.task.id, id) for id in ("uf", "accuracy"))
    trivial = material.settings.get("trivial", [])
    right = from_verdicts(verdicts, uf, material.policy, material.official, trivial, material.clusters)
    right = replace(right, measure=accuracy)
    wrong = replace(right, matrices=right.matrices | {"n_ac": right.matrices["n_aw"]})
    of_runs = {name: place for place, name in enumerate(right.runs)}
    runs = runs.filter(pl.col("run").is_in(right.runs))
    names = runs["run"].gather(contenders(runs))
    psi = [scored(its)[1][[of_runs[run] for run in names]] for its in (right, wrong)]
    return runs, psi if np.isfinite(psi).all() else []


def contenders(runs: pl.DataFrame) -> np.ndarray:
    """Return the places of the runs that are tested."""
    return prices.contenders(runs["right"].to_numpy(), runs["wrong"].to_numpy())


def tested(runs: pl.DataFrame, psi: list[np.ndarray], marks: list[float], material: Material) -> np.ndarray:
    """Whether each run, and last silence, may be the best from one mark to the next: bool (marks, runs + 1)."""
    places = contenders(runs)
    right, wrong = ((runs[name].to_numpy()[places], its) for name, its in zip(("right", "wrong"), psi, strict=True))
    settings = material.settings
    seed, flips, level = settings["seed"], settings["flips"], settings["level"]
    at_marks = prices.may_be_best(right, wrong, np.array([*marks, 1.0]), seed, material.folder.name, flips, level)
    possible = np.zeros((len(marks), runs.height + 1), bool)
    possible[:, [*places, -1]] = at_marks[:-1] | at_marks[1:]
    return possible


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
    """Which run is best at which price, and which may be where a mistake costs what a right answer gains."""
    parts = []
    for best, rows in table.group_by("best", maintain_order=True):
        low, high = rows["price_from"][0], rows["price_to"][-1]
        where = f"from {rounded(low, 2)} " + ("on" if high is None else f"to {rounded(high, 2)}")
        if low == 0:
            where = "at every price" if high is None else f"below {rounded(high, 2)}"
        parts.append(f"{listed([short(run) for run in best[0] or ()] or ['silence'])} {where}")
    are = "are" if len(table.row(0, named=True)["best"] or ()) > 1 else "is"
    said = [f"By right − price · wrong for a question, the best {are} {joined(parts)}."]
    every = shares(material)
    alike = table.filter(pl.col("price_from") <= 1).row(-1, named=True)
    if alike["silence_may_be_best"] is not None and every.height > prices.MOST:
        said.append(f"Of {every.height:,} runs, only the {prices.MOST:,} that rank highest at some price are tested.")
    if alike["silence_may_be_best"] is None:
        whether = "Whether it differs from silence" if every.height == 1 else "Which of them differ"
        lacking = "from so few questions" if (material.settings["source"] != "counts") else "without single responses"
        said.append(f"{whether} by chance alone cannot be told {lacking}.")
    elif every.height == 1:
        run, silent = alike["may_be_best"] is not None, alike["silence_may_be_best"]
        what = (
            "cannot be told to be worth more or less than"
            if run and silent
            else f"is worth {'more' if run else 'less'} than"
        )
        said.append(f"At a price of 1, it {what} silence, all prices tested together.")
    else:
        may = [short(run) for run in alike["may_be_best"] or ()] + ["silence"] * alike["silence_may_be_best"]
        who = f"only {may[0]} may be" if len(may) == 1 else f"{listed(may)} may each be"
        said.append(f"At a price of 1, {who} the best, all runs and prices tested together.")
    behind = every.filter(pl.col("right") < pl.col("wrong") - TIE).height
    if behind and every.height > 1:
        said.append(f"As seen here, {plural(behind, 'run', 'was', 'were')} worth less than silence at a price of 1.")
    return said


def figure(table: pl.DataFrame, title: str) -> Spec:
    """A line for each run that may be best, thick where it is, over the confidences from which on an answer pays."""
    parts: dict[str, list[dict]] = {"may_be_best": [], "best": []}
    for row in table.iter_rows(named=True):
        its = {name: [(run, False) for run in row[name] or ()] for name in parts}
        its["may_be_best"] += [(SILENCE, True)] * bool(row["silence_may_be_best"])
        its["best"] += [(SILENCE, True)] * (not its["best"])
        for name, runs in its.items():
            ends = {"start": row["confidence_from"], "end": row["confidence_to"]}
            parts[name] += [{"run": run, "silent": silent, **ends} for run, silent in runs]
    every = pl.DataFrame(parts["best"] + parts["may_be_best"]).unique(["silent", "run"], maintain_order=True)
    drawn = every.select("silent", "run").sort("silent", maintain_order=True).tail(DRAWN).with_row_index("place")
    remark = f" {DRAWN} of {every.height:,} are drawn." * (every.height > DRAWN)
    names = [label(run) for run in drawn["run"]]
    x = quantity("start", scale={"domain": [0, 1]}, axis=share_axis(SURE, tickCount=10))
    y = place("place", scale=places(names), axis=names_axis(names, title=None))
    layer = []
    for name, band in (("may_be_best", 0.12), ("best", 0.45)):
        rows = pl.DataFrame(parts[name], schema=ROWS).join(drawn, on=["silent", "run"], maintain_order="left")
        layer.append(
            layers(rows, {"x": x, "x2": {"field": "end"}, "y": y}, mark("rect", color=INK, height={"band": band}))
        )
    plot = {"layer": layer, "width": WIDTH, "height": max(3, len(names)) * LINE}
    return page(plot, title, f"Thick: best of what was seen. Thin: may truly be the best.{remark}")
