"""How far the years that runs predict lie from the reference: shares within e years, and confusions of decades.

The first is the curve of DEFT 2011, task A, section 3. The sum printed for its area (eq. 7) runs to e = E: E + 1 terms
divided by E, which could reach 1.1, and which is not the affine similarity that the same section says it is. The area
here, as in the measure auc@E, has the E terms e = 0 .. E - 1.
"""

from pathlib import Path

import polars as pl

from nonresponse.database import connect, fetched
from nonresponse.judging.store import read_verdicts
from nonresponse.scoring.tally import with_excluded

KEY = ["assessor", "run"]


def distances(verdicts: Path, task: str, policy: dict) -> pl.DataFrame:
    """assessor, run, year, distance, fragments: how many fragments have this reference year and this distance from it.

    The only pass over the verdicts, from which the other tables here follow. `distance` is predicted minus reference,
    null = no prediction. Fragments that the policy excludes count 0, but their rows stay, so that a run does not
    disappear if all its fragments are excluded.
    """
    connection = connect()
    read_verdicts(verdicts).add_rows(connection)
    rows = connection.sql(
        "SELECT assessor, run, year, distance, count(*) FILTER (verdict <> 'exclude') AS fragments"
        f" FROM ({with_excluded(policy, task)}) GROUP BY ALL ORDER BY ALL"
    )
    return fetched(rows)


def shares_within(distances: pl.DataFrame, farthest: int) -> pl.DataFrame:
    """assessor, run, years (0 .. farthest), fragments within that many years, and their share of all n.

    A fragment without a prediction is within no distance. The share of nothing (n = 0) is null.
    """
    n = distances.group_by(KEY).agg(n=pl.col("fragments").sum())
    every = n.join(pl.DataFrame({"years": range(farthest + 1)}, {"years": pl.Int32}), how="cross")
    exactly = distances.group_by(*KEY, years=pl.col("distance").abs()).agg(pl.col("fragments").sum())
    table = every.join(exactly, on=[*KEY, "years"], how="left").sort(*KEY, "years")
    # With one run, n would be a scalar to Polars, which then multiplies by its inverse instead of dividing.
    table = table.with_columns(n=pl.Series(table["n"].to_list(), dtype=pl.Int64))
    fragments = pl.col("fragments").fill_null(0).cum_sum().over(KEY, order_by="years")
    return table.select(*KEY, "years", fragments=fragments, share=share(fragments, pl.col("n")))


def decades(distances: pl.DataFrame) -> pl.DataFrame:
    """assessor, run, decade of the reference (such as 1870), predicted (a decade, null = no prediction), fragments."""
    year, predicted = pl.col("year"), pl.col("year") + pl.col("distance")
    pairs = distances.filter(pl.col("fragments") > 0).group_by(*KEY, decade=decade(year), predicted=decade(predicted))
    return pairs.agg(pl.col("fragments").sum()).sort(*KEY, "decade", "predicted", nulls_last=True)


def by_run(distances: pl.DataFrame, farthest: int) -> pl.DataFrame:
    """A row per assessor and run, the best of an assessor first.

    Columns: n, abstained (fragments without a prediction), area (auc@farthest), same_decade (share of n); over the
    predictions alone, median (of the absolute distance) and mean (of the signed distance). 0/0 is null.
    """
    distance, fragments = pl.col("distance"), pl.col("fragments")
    predicted = fragments.filter(distance.is_not_null()).sum()
    same = decade(pl.col("year")) == decade(pl.col("year") + distance)
    found = distances.group_by(KEY).agg(
        n=fragments.sum(),
        abstained=fragments.filter(distance.is_null()).sum(),
        same=fragments.filter(same).sum(),
        median=distance.abs().repeat_by(fragments).explode().median(),
        mean=pl.when(predicted > 0).then((distance.cast(pl.Int64) * fragments).sum() / predicted),
    )
    below = shares_within(distances, farthest).filter(pl.col("years") < farthest)
    steps = below.group_by(KEY).agg(steps=pl.col("fragments").sum())
    areas = {"area": share(pl.col("steps"), pl.col("n") * farthest), "same_decade": share(pl.col("same"), pl.col("n"))}
    table = found.join(steps, on=KEY).with_columns(**areas)
    table = table.select(*KEY, "n", "abstained", "area", "same_decade", "median", "mean")
    return table.sort("assessor", "area", "run", descending=[False, True, False], nulls_last=True)


def decade(year: pl.Expr) -> pl.Expr:
    """The first year of a year's decade."""
    return year // 10 * 10


def share(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
    """Part of a whole; null where the whole is 0."""
    return pl.when(whole > 0).then(part / whole)
