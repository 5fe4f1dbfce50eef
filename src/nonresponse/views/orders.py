"""Pairs of runs that two measures order differently, by name; rankings.csv counts them."""

from itertools import combinations

import numpy as np
import polars as pl

from nonresponse.legible import short
from nonresponse.reliability import rankings
from nonresponse.tables import typed
from nonresponse.views.material import Material, schema
from nonresponse.wording import at

MOST = 1000  # pairs of runs for every two measures
HEADING = "Runs that two measures order differently"
CAPTION = (
    "run is ahead of other_run by measure, and behind it by other_measure. Where runs were compared, the pairs"
    " whose runs differ significantly by both come first."
)
COLUMNS = {
    "measure": "its id",
    "other_measure": "that of the other one",
    "run": "ahead by measure, behind by other_measure",
    "other_run": "the other way round",
    "run_score": "by measure, numbers of questions as shares",
    "other_run_score": "likewise",
    "run_score_by_other_measure": "by other_measure",
    "other_run_score_by_other_measure": "likewise",
    "p_maxt": "by measure, from the analysis `comparison`; empty = not compared",
    "p_maxt_by_other_measure": "by other_measure",
    "pairs": f"how many pairs the two measures order differently; up to {MOST:,} have a row",
    "pairs_significant": "those that differ significantly by both, at the campaign's level; empty = none was compared",
}
NOT_SHOWN = ("run_score_by_other_measure", "other_run_score_by_other_measure", "pairs", "pairs_significant")


def table_of(material: Material) -> pl.DataFrame:
    """A row per two ranking measures and pair of runs that they order differently; most significant by both first."""
    every, ranking = material.values(), [measure for measure in material.measures if not measure.descriptive]
    frames = [pl.DataFrame(schema=schema(COLUMNS, *[pl.String] * 4, *[pl.Float64] * 6, *[pl.Int64] * 2))]
    if len(ranking) < 2:
        return frames[0]
    own = {measure.id: every[measure.id].filter(pl.col("assessor") == material.official) for measure in ranking}
    values, higher = rankings.by_run(own), {measure.id: measure.higher_is_better for measure in ranking}
    runs = pl.concat(own.values()).select("run").unique().sort("run")["run"]
    p = {id: tested(material, id) for id in values}
    level = material.settings.get("level") if material.settings.get("tested") else None
    for one, other in combinations(values, 2):
        x, y = values[one], values[other]
        ahead, behind = np.nonzero(rankings.swapped(x if higher[one] else -x, y if higher[other] else -y))
        table = pl.DataFrame(
            {
                **{"run": runs.gather(ahead), "other_run": runs.gather(behind)},
                **{"run_score": x[ahead], "other_run_score": x[behind]},
                **{"run_score_by_other_measure": y[ahead], "other_run_score_by_other_measure": y[behind]},
            }
        ).with_columns(measure=pl.lit(one), other_measure=pl.lit(other), pairs=pl.lit(len(ahead), pl.Int64))
        for id, name in ((one, "p_maxt"), (other, "p_maxt_by_other_measure")):
            table = table.join(p[id].rename({"p_maxt": name}), on=["run", "other_run"], how="left")
        both = pl.col("p_maxt").is_not_null() & pl.col("p_maxt_by_other_measure").is_not_null()
        table = table.with_columns(doubt=pl.when(both).then(pl.max_horizontal("p_maxt", "p_maxt_by_other_measure")))
        told = table.filter(pl.col("doubt") <= level).height if level is not None and table["doubt"].count() else None
        table = table.with_columns(pairs_significant=pl.lit(told, pl.Int64))
        table = table.sort("doubt", "run", "other_run", nulls_last=True).head(MOST)
        frames.append(typed(table, frames[0].schema))
    return pl.concat(frames)


def tested(material: Material, id: str) -> pl.DataFrame:
    """run, other_run and p_maxt of every pair, in both directions; no rows where runs were not compared."""
    if id not in material.settings.get("tested", []):
        return pl.DataFrame(schema={"run": pl.String, "other_run": pl.String, "p_maxt": pl.Float64})
    comparisons = material.reliability(f"comparisons/{id}")
    one = comparisons.select(run="a", other_run="b", p_maxt="p_maxt")
    return pl.concat([one, one.select(run="other_run", other_run="run", p_maxt="p_maxt")])


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """Which two measures disagree most, and whether on pairs that differ significantly."""
    level = material.settings.get("level") if material.settings.get("tested") else None
    row = table.sort("pairs", descending=True, maintain_order=True).row(0, named=True)
    both = f"{row['measure']} and {row['other_measure']}"
    pairs = "one pair of runs" if row["pairs"] == 1 else f"{row['pairs']:,} pairs of runs"
    text = f"{both} order {pairs} differently"
    if sum(not measure.descriptive for measure in material.measures) > 2:
        text += "; no two other measures do so with more"
    if level is None or row["pairs_significant"] is None:
        return [f"{text}."]
    if not row["pairs_significant"]:
        return [f"{text}; none of them differs significantly by both at the {at(level)} level."]
    number = row["pairs_significant"]
    told = f"{number:,} of them {'differs' if number == 1 else 'differ'} significantly by both at the {at(level)} level"
    return [f"{text}; {told}, such as {short(row['run'])} and {short(row['other_run'])}."]
