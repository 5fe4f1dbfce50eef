"""Pairs of runs whose order by penalty@t depends on t: one gives more right answers, the other fewer wrong ones."""

import numpy as np
import polars as pl

from nonresponse.legible import short
from nonresponse.scoring.leaderboard import TIE
from nonresponse.views.material import Material
from nonresponse.views.penalties import best_runs, shares
from nonresponse.wording import number, plural

MOST = 1000  # pairs of runs
HEADING = "Runs that change places as mistakes get dearer"
CAPTION = "run is ahead of other_run by penalty@t for every t below this one, and behind for every t above."
COLUMNS = {
    "run": "the one with more right answers, and more wrong ones",
    "other_run": "the other one",
    "t": "where both are worth the same",
    "value": "what they are worth there",
    "both_best": "whether no run is worth more there",
    "pairs": f"how many pairs change places; up to {MOST:,} have a row",
}
NOT_SHOWN = ("pairs",)


def table_of(material: Material) -> pl.DataFrame:
    """A row per pair that crosses between t = 0 and t = 1; first those of which no run is ahead where they cross."""
    runs = shares(material)
    right, wrong = (runs[name].to_numpy() for name in ("right", "wrong"))
    more, dearer = right[:, None] - right, wrong[:, None] - wrong
    ahead, behind = np.nonzero((more > TIE) & (dearer > TIE))
    price = more[ahead, behind] / dearer[ahead, behind]  # of a mistake, t / (1 - t), where both are worth the same
    lines = [place for place, _ in best_runs(list(zip(right, wrong, strict=True)))]
    best = (right[lines] - wrong[lines] * price[:, None]).max(axis=1, initial=-np.inf)
    value = right[ahead] - wrong[ahead] * price
    table = pl.DataFrame(
        {
            "run": runs["run"].gather(ahead),
            "other_run": runs["run"].gather(behind),
            "t": price / (1 + price),
            "value": value,
            "both_best": value >= best - TIE,
            "pairs": pl.repeat(len(price), len(price), dtype=pl.Int64, eager=True),
        }
    )
    return table.sort("both_best", "t", "run", "other_run", descending=[True, False, False, False]).head(MOST)


def sentences(table: pl.DataFrame, material: Material) -> list[str]:
    """How many pairs cross, and the first of those that compete for being best."""
    row = table.row(0, named=True)
    t = number(row["t"], 2)
    runs = material.counts.filter(~material.counts["trivial"]).height
    change = f"{row['pairs']:,} {'changes' if row['pairs'] == 1 else 'change'} places"
    said = f"Of {plural(runs * (runs - 1) // 2, 'pair')} of runs, {change} between t = 0 and t = 1"
    first = f"{short(row['run'])} is ahead of {short(row['other_run'])} for t below {t}, and behind above it"
    return [f"{said}: {first}." if row["pairs"] == 1 else f"{said}; {first}."]
