"""Responses that a judge and the official assessor judged, and how they were drawn.

A correction takes the former for a random sample of the latter. The data can contradict this: in a
random sample, the judge calls the same share right as in the rest, and other judges dispute the
same share. If they dispute more of the sample, its responses were chosen, for example from the top
of to_adjudicate.csv, and cannot correct anything.
"""

from collections.abc import Mapping
from pathlib import Path
from statistics import NormalDist

import numpy as np
import polars as pl

from nonresponse.judging.store import read_verdicts
from nonresponse.statistics.agreement import find_response_key, select_judgeable
from nonresponse.statistics.corrections import RIGHT, RIGHTFUL, name_verdicts
from nonresponse.tasks import NOT_ASKED

LARGEST_P = 0.01  # chosen_p up to this says that labels were chosen

SAMPLING = {
    # p-value of the judge's calling the same share right in both; null = all are alike
    "sample_p": pl.Float64,
    # Share of the sample that the judge calls right, less that of the rest
    "sample_lean": pl.Float64,
    # one-sided p-value of the sample not being disputed more often; null = too few judges
    "chosen_p": pl.Float64,
}


def select_responses(
    verdicts: Path, trivial: tuple[str, ...], missing: bool = False
) -> tuple[pl.LazyFrame, list[str]]:
    """Return assessor, key and verdict of the responses that count, and the names of the key.

    missing: include the questions that a run never saw.
    """
    counts = pl.col("compared") & (missing | ~pl.col("missing")) & ~pl.col("run").is_in(trivial)
    rows = read_verdicts(verdicts).scan().filter(counts)
    names = rows.collect_schema().names()
    key = find_response_key(names)
    columns = [name for name in ("verdict", "rightful") if name in names]
    return rows.select("assessor", *key, *columns), key


def are_correlated(
    verdicts: Path, official: str, trivial: tuple[str, ...], clusters: Mapping[str, str]
) -> bool:
    """Return whether some run has several responses to a question or a cluster.

    They tell less than as many independent ones: intervals and p-values that count responses would
    be too small.
    """
    rows, _ = select_responses(verdicts, trivial)
    rows = rows.filter(pl.col("assessor") == official)
    sizes = rows.group_by("run", pl.col("question").replace(clusters)).len()
    return sizes.select((pl.col("len") > 1).any()).collect().item()


def pair_states(
    verdicts: Path, judge: str, official: str, trivial: tuple[str, ...], states: dict[str, int]
) -> pl.DataFrame:
    """Return a row per response: run, question, its state by the judge (theirs) and officially
    (ours), judgeable and disputed.

    States are null where unscored. Responses that nobody had to judge are left out where `ours` is
    null. disputed: whether assessors other than the official one differ on it, null where fewer
    than two of them judged.
    """
    rows, key = select_responses(verdicts, trivial)
    judgeable = select_judgeable(rows, key).select(key).unique().with_columns(judgeable=True)
    right = pl.col("verdict") == "correct"
    judgments = rows.filter(pl.col("assessor") != official, pl.col("verdict") != "unscored")
    disputed = judgments.group_by(key).agg(
        disputed=pl.when(pl.len() > 1).then(right.n_unique() > 1)
    )
    asked, _ = select_responses(verdicts, trivial, missing=True)
    asked = asked.filter(pl.col("verdict") != NOT_ASKED)
    asked = asked.with_columns(
        state=name_verdicts(asked).replace_strict(states, default=None, return_dtype=pl.Int64)
    )
    ours, theirs = (
        asked.filter(pl.col("assessor") == name).select(*key, pl.col("state").alias(column))
        for name, column in ((official, "ours"), (judge, "theirs"))
    )
    pairs = ours
    for table in (theirs, judgeable, disputed):
        pairs = pairs.join(table, on=key, how="left")
    pairs = pairs.with_columns(pl.col("judgeable").fill_null(False))
    pairs = pairs.filter(pl.col("judgeable") | pl.col("ours").is_not_null()).sort(key)
    return pairs.select("run", "question", "theirs", "ours", "judgeable", "disputed").collect()


def test_draw(pairs: pl.DataFrame) -> dict[str, float | None]:
    """Return SAMPLING, from the rows of `pair_states`."""
    rows = pairs.filter(pl.col("judgeable"), pl.col("theirs").is_not_null())
    rows = rows.with_columns(
        gold=pl.col("ours").is_not_null(), right=pl.col("theirs").is_in([RIGHT, RIGHTFUL])
    )
    z, lean = compare_frequency(rows, "right")
    disputed, _ = compare_frequency(rows.drop_nulls("disputed"), "disputed")
    cdf = NormalDist().cdf
    return {
        "sample_p": None if z is None else 2 * cdf(-abs(z)),
        "sample_lean": lean,
        "chosen_p": None if disputed is None else cdf(-disputed),
    }


def compare_frequency(rows: pl.DataFrame, name: str) -> tuple[float | None, float | None]:
    """Return z and the difference of the shares of rows with `name`, where `gold` and elsewhere.

    Compared within runs, by the variance over all ways to exchange questions. z is half a row
    nearer to 0, as few rows may have `name`. None where all rows are alike.
    """
    if not rows.height:
        return None, None
    run = pl.struct("run", pl.int_range(pl.len()).over("run", "question"))  # a row of each question
    values = pl.col("gold", name).cast(pl.Float64)
    keys = run.rank("dense").alias("run"), pl.col("question").rank("dense")
    rows = rows.select(*keys, values - values.mean().over(run))
    places = tuple(rows.select("run", "question").to_numpy().astype(np.intp).T - 1)
    runs, questions = (int(index.max()) + 1 for index in places)
    gold, present = np.zeros((2, runs, questions))
    gold[places], present[places] = rows["gold"].to_numpy(), rows[name].to_numpy()
    is_wide = runs < questions  # the smaller product
    products = (gold @ gold.T) * (present @ present.T) if is_wide else (gold.T @ present) ** 2
    spread = np.sqrt(products.sum() / max(questions - 1, 1))
    if spread < 1e-9:
        return None, None
    excess = float((gold * present).sum())
    z = np.sign(excess) * max(abs(excess) - 0.5, 0) / spread
    return float(z), excess / float((gold**2).sum())
