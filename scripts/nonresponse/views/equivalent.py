"""Runs to be taken for equally effective, by the difference that the questions confirm (Voorhees 2003, section 4).

From the best run down: a class holds the run that begins it, and all whose scores are behind by less than the required
difference.
"""

import polars as pl

from nonresponse.legible import short
from nonresponse.views.material import Material, schema
from nonresponse.wording import difference, plural

TOLERANCE = 1e-9
HEADING = "Runs that are equivalent"
CAPTION = (
    "Runs in classes: each is behind the first of its class by less than the difference that the campaign's"
    " questions confirm."
)
COLUMNS = {
    "measure": "its id",
    "class": "1, 2, …; runs of one class are equivalent",
    "run": "its name",
    "value": "its score, numbers of questions as shares",
    "first_of_class": "the best run of the class",
    "behind_first": "by how much it is behind that one",
    "required_difference": "that of `reliability/sample_size.csv`, for all questions of the campaign",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per measure and run with a score, best first; no rows for a measure without a required difference."""
    required = dict(material.reliability("sample_size.csv").select("measure", "required_difference").iter_rows())
    rows: list[tuple] = []
    for measure in material.measures:
        if (enough := required.get(measure.id)) is None:
            continue
        table = material.values()[measure.id].filter(pl.col("assessor") == material.official).drop_nulls("value")
        table = table.sort("value", "run", descending=[measure.higher_is_better, False])
        number, first, best = 0, "", None
        for run, value in table.select("run", "value").iter_rows():
            if best is None or abs(best - value) >= float(enough) - TOLERANCE:
                number, first, best = number + 1, run, value
            rows.append((measure.id, number, run, value, first, abs(best - value), float(enough)))
    types = [pl.String, pl.Int64, pl.String, pl.Float64, pl.String, pl.Float64, pl.Float64]
    return pl.DataFrame(rows, schema(COLUMNS, *types), orient="row")


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """How many runs cannot be preferred to each other at the top, by each measure."""
    said = []
    for (id,), rows in table.group_by("measure", maintain_order=True):
        best, enough = short(rows["run"][0]), difference(rows["required_difference"][0])
        others, classes = rows.filter(pl.col("class") == 1).height - 1, rows["class"].max()
        if rows.height == 1:
            text = f"only {best} has a score"
        elif not others:
            text = f"no run is equivalent to the best, {best}: all are behind it by {enough} or more"
        elif classes == 1:
            text = f"no run is behind the best, {best}, by the required difference of {enough} or more"
        else:
            text = (
                f"{plural(others, 'run', 'is', 'are')} equivalent to the best, {best}: behind it by less than {enough}"
            )
        said.append(f"By {id}, {text}.")
    return said
