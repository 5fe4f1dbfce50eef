"""Where runs that order their questions by confidence put their NIL answers (Voorhees 2003, section 1.2)."""

import polars as pl

from nonresponse.database import fetched
from nonresponse.measures.question_answering import IN_ORDER
from nonresponse.views.material import Material
from nonresponse.wording import percent, plural

TENTHS = [f"tenth_{tenth}" for tenth in range(1, 11)]
HEADING = "NIL answers in the order of confidence"
CAPTION = (
    "NIL answers by the tenth of the questions in which they stand, the surest first; mean place: 0 the surest,"
    " 1 the last."
)
COLUMNS = {
    "run": "its name",
    "nil_answers": "questions answered with NIL",
    "nil_right": "those of them without a known answer",
    "tenth_{1 … 10}": "NIL answers in each tenth of the run's order, the surest first",
    "mean_place": "of its NIL answers, the place divided by the number of questions",
}


def table_of(material: Material) -> pl.DataFrame:
    """A row per run with NIL answers and an order (that of cws), as in the leaderboard; ties have their mean place."""
    of_some = "SELECT * FROM verdicts WHERE run IN (SELECT run FROM verdicts WHERE nil)"
    tenths = ", ".join(f"count(*) FILTER (nil AND tenth = {i}) AS {name}" for i, name in enumerate(TENTHS, 1))
    rows = material.verdicts.sql(f"""
        WITH ordered AS (SELECT * FROM ({IN_ORDER.format(rows=of_some)}) WHERE ordered),
        places AS (
            SELECT *, count(*) OVER (PARTITION BY run) AS n,
                rank() OVER of_run + (count(*) OVER (PARTITION BY run, abstained, standing) - 1) / 2 AS place
            FROM ordered WINDOW of_run AS (PARTITION BY run ORDER BY abstained, standing DESC NULLS LAST)
        )
        SELECT run, count(*) FILTER (nil) AS nil_answers, count(*) FILTER (nil AND "right") AS nil_right, {tenths},
            sum(place) FILTER (nil) / any_value(n) / nil_answers AS mean_place
        FROM (SELECT *, ceil(10 * (place - 0.5) / n) AS tenth FROM places) GROUP BY run HAVING nil_answers > 0""")
    table = material.counts.select("run").join(fetched(rows), on="run", maintain_order="left")
    return table.select("run", "nil_answers", "nil_right", *TENTHS, "mean_place")


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """How many of all NIL answers come last."""
    total, last, right = (int(table[name].sum()) for name in ("nil_answers", "tenth_10", "nil_right"))
    first = int(table["tenth_1"].sum())
    of = f"Of {plural(total, 'NIL answer')} of {plural(table.height, 'run')}"
    return [
        f"{of}, {percent(last / total)} stand in the last tenth of the run's order by confidence and"
        f" {percent(first / total)} in the first; {percent(right / total)} of all are right."
    ]
