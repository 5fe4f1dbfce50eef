"""Pairs of runs that assessors order differently, compared with the campaign's required difference (Voorhees 2003)."""

from itertools import combinations

import numpy as np
import polars as pl

from nonresponse import measures
from nonresponse.reliability import rankings
from nonresponse.views.material import Material, schema
from nonresponse.wording import difference, swapped_pairs

HEADING = "Swapped pairs and the required difference"
CAPTION = (
    "Pairs of runs that are swapped between assessors, and how many of them differ, under the official"
    " judgments, by at least 0.05, 0.07 (of a measure in percent, 5 and 7), and the difference that the campaign's"
    " questions confirm."
)
COLUMNS = {
    "measure": "its id",
    "assessor": "the official one first",
    "other_assessor": "another",
    "swaps": "swapped pairs of runs",
    "swaps_005": "those of them that differ by at least 0.05",
    "swaps_007": "those that differ by at least 0.07",
    "largest_difference": "of a swapped pair",
    "required_difference": "that of `reliability/summaries/sample_size.csv`, for all questions of the campaign",
    "swaps_required": "swapped pairs that differ by at least that; empty = there is none",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per measure and every two assessors, the official one first; no rows where one alone judged."""
    required = dict(material.reliability("summaries/sample_size").select("measure", "required_difference").iter_rows())
    rows = []
    for id, table in material.values().items():
        others = table.filter(pl.col("assessor") != material.official)["assessor"].unique().sort()
        of = rankings.by_run({name: table.filter(pl.col("assessor") == name) for name in [material.official, *others]})
        score, enough = of[material.official], required.get(id)
        for one, other in combinations(of, 2):
            found = rankings.compare(of[one], of[other], score, measures.get(material.task.id, id).scale)
            i, j = np.nonzero(rankings.swapped(of[one], of[other]))
            large = None
            if enough is not None:
                large = int((np.abs(score[i] - score[j]) >= float(enough) - rankings.TOLERANCE).sum())
            known = {name: found[name] for name in ("swaps", "swaps_005", "swaps_007", "largest_difference")}
            rows.append({"measure": id, "assessor": one, "other_assessor": other, **known})
            rows[-1] |= {"required_difference": enough, "swaps_required": large}
    types = [*[pl.String] * 3, *[pl.Int64] * 3, pl.Float64, pl.Float64, pl.Int64]
    return pl.DataFrame(rows, schema(COLUMNS, *types))


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """By the first measure, how many swaps against the official ranking are by the required difference or more."""
    id = material.measures[0].id
    rows = table.filter(pl.col("assessor") == material.official, measure=id).drop_nulls("required_difference")
    swaps, large = rows.select(pl.col("swaps", "swaps_required").sum()).row(0)
    if not swaps:
        return []
    enough = f"by {difference(rows['required_difference'][0])} or more, which other questions would confirm"
    return [f"By {id}, {swapped_pairs(swaps, large, enough)}."]
