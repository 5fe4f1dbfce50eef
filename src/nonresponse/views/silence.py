"""Runs beside one that is silent on every question: the degenerate run that a score should not put ahead."""

import polars as pl

from nonresponse.legible import short
from nonresponse.scoring.leaderboard import TIE
from nonresponse.scoring.score import from_counts
from nonresponse.views.material import Material, schema
from nonresponse.wording import listed, number, plural

HEADING = "Beside silence"
CAPTION = "Scores beside those of a run that is silent on every question."
COLUMNS = {
    "measure": "its id, of the measures of counts by which a run can be worse than silence",
    "run": "its name",
    "value": "its score",
    "silence": "the score of a run that is silent on every question",
    "behind_silence": "whether the run is worse than that",
}
TOTALS = {"n": "TRUE", "nil_gold": "NOT has_answer", "n_unanswerable": "unanswerable"}


def table_of(material: Material) -> pl.DataFrame:
    """A row per measure and run, as in the leaderboard; without measures by which silence is undefined or worst."""
    counts = material.counts
    n, nil_gold, unanswerable = questions_in_all(material)
    own = material.task.silent(n, nil_gold, unanswerable or 0) if material.task.silent and n is not None else {}
    frames = []
    for measure in material.measures:
        if measure.kind != "counts" or not set(measure.totals) <= own.keys():
            continue
        value = from_counts(measure, pl.DataFrame({name: [own[name]] for name in measure.totals}))["value"].item()
        table = counts.select("run").join(material.scores(measure.id), on="run", how="left", maintain_order="left")
        worst = measure.range[0 if measure.higher_is_better else 1]
        if value is None or value == worst:  # no run can be behind the silent run
            continue
        behind = pl.col("value") < value - TIE if measure.higher_is_better else pl.col("value") > value + TIE
        named = pl.lit(measure.id).alias("measure")
        frames.append(table.select(named, "run", "value", silence=pl.lit(value), behind_silence=behind))
    return pl.concat([pl.DataFrame(schema=schema(COLUMNS, *[pl.String] * 2, *[pl.Float64] * 2, pl.Boolean)), *frames])


def questions_in_all(material: Material) -> list[float | None]:
    """The number of questions, of those without a known answer, and of those that the data call unanswerable.

    From counts, None where they differ by run.
    """
    if material.settings["source"] == "counts":
        counts = material.counts
        known = [set(counts[name]) if name in counts.columns else set() for name in TOTALS]
        return [values.pop() if len(values) == 1 else None for values in known]
    question = material.store.items["question"]
    return [question.filter(material.counted(term)).n_unique() for term in TOTALS.values()]


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """Which runs are worse than saying nothing, by the first measure by which some are."""
    for (id, silence), rows in table.filter("behind_silence").group_by("measure", "silence", maintain_order=True):
        score, names = plural(rows.height, "run", "scores", "score"), listed([short(run) for run in rows["run"]])
        return [f"By {id}, {score} worse than a silent one, which has {number(silence, 3)}: {names}."]
    return [
        f"By {listed(table['measure'].unique(maintain_order=True).to_list())} no run scores worse than a silent one."
    ]
