"""Which labels matter most: answers that assessors dispute, of runs that a few labels would put on another rank.

A campaign that has time for 200 more judgments spends them from the top of the list. A disputed answer weighs more
where fewer labels would bring its run level with another, and where the assessors are divided more evenly. Which label
it has now does not matter: settling only those that could swap two runs would mend errors in favour of a swap, and
leave the others. An answer that several runs gave, and that is judged once, has the sum of their weights.
"""

from pathlib import Path

import numpy as np
import polars as pl

from nonresponse.measures import Measure
from nonresponse.reliability.agreement import to_judge
from nonresponse.scoring.leaderboard import TIE
from nonresponse.tables import typed
from nonresponse.wording import together

TO_ADJUDICATE = {
    "place": pl.Int64,  # from 1, the answer whose label matters most
    "question": pl.String,
    "answer": pl.String,  # its text, or its document; null where the campaign has neither
    "runs": pl.String,  # that gave it
    "correct": pl.Int64,  # assessors who call it correct
    "not_correct": pl.Int64,  # and who do not
    "official": pl.String,  # the verdict that counts so far
    "labels_to_swap": pl.Int64,  # so many would bring one of the runs level with the next; null = none would
    "weight": pl.Float64,
}


def to_adjudicate(
    verdicts: Path, counts: Path, responses: list[Path], judgments: list[Path], measure: Measure, settings: dict
) -> pl.DataFrame:
    """TO_ADJUDICATE: every answer that assessors dispute, by falling weight.

    `responses` and `judgments` tell which runs gave the same answer; none of either where responses came graded. The
    measure ranks the runs, and is one of right and wrong answers. `settings` has official and, where that is a vote of
    the assessors, vote: it has no vote itself.
    """
    official = settings["official"]
    rows = disputed(verdicts, official, votes=not settings.get("vote"))
    of_run = to_swap(pl.read_parquet(counts).filter(pl.col("assessor") == official), measure)
    rows = rows.join(of_run, on="run", how="left").with_columns(labels=pl.min_horizontal("up", "down"))
    evenness = 4 * pl.col("correct") * pl.col("not_correct") / (pl.col("correct") + pl.col("not_correct")) ** 2
    rows = rows.with_columns(weight=(evenness / pl.col("labels")).fill_null(0.0))
    rows = rows.with_columns(what=pl.lit(None, pl.String), same=pl.col("run"))
    if responses:
        given = (
            pl.scan_parquet(responses)
            .filter(pl.col("rank") == 1)
            .select("run", "question", "epoch", what=pl.coalesce("answer", "document"), document="document")
        )
        rows = rows.drop("what").join(given.collect(), on=["run", "question", "epoch"], how="left")
        if not pl.scan_parquet(judgments).select(pl.col("run").is_not_null().any()).collect().item():
            rows = rows.with_columns(same=pl.lit(None, pl.String))  # all runs share a judgment
    # Labels of the same answer can differ where judgments tell apart what the answer does not show.
    key = ["question", "what", "same", "correct", "not_correct", "official"]
    answers = rows.group_by(key).agg(
        pl.col("run").unique().sort(), pl.col("labels").min(), pl.col("weight").sort().sum().round(9)
    )
    runs = [together(names) for names in answers["run"]]
    answers = answers.with_columns(runs=pl.Series(runs, dtype=pl.String))
    order = ["weight", "labels", "question", "runs", "what", "official"]
    answers = answers.sort(order, descending=[True, *[False] * 5], nulls_last=True).with_row_index("place", 1)
    return typed(answers.rename({"what": "answer", "labels": "labels_to_swap"}), TO_ADJUDICATE)


def disputed(verdicts: Path, official: str, votes: bool) -> pl.DataFrame:
    """run, question, epoch, correct, not_correct, official: the responses that not all assessors call correct, or not.

    votes: whether the official assessor is one of them, or made from them.
    """
    rows = pl.scan_parquet(verdicts).filter(pl.col("compared") & ~pl.col("missing"))
    rows = rows.with_columns(pl.col("verdict").cast(pl.String))
    key = ["run", "question", "epoch"]
    rows = rows.join(to_judge(rows, key), on=key, how="semi")
    counts = (pl.col("verdict") != "unscored") & (votes | (pl.col("assessor") != official))
    right = pl.col("verdict") == "correct"
    counted = rows.group_by(key).agg(
        correct=(counts & right).sum().cast(pl.Int64),
        not_correct=(counts & ~right).sum().cast(pl.Int64),
        official=pl.col("verdict").filter(pl.col("assessor") == official).first(),
    )
    known = pl.col("official").fill_null("unscored")
    return counted.with_columns(official=known).filter(pl.col("correct") > 0, pl.col("not_correct") > 0).collect()


def to_swap(counts: pl.DataFrame, measure: Measure) -> pl.DataFrame:
    """run, up, down: how many labels more, or less, that say correct bring a run level with the next one.

    Null where there is no next one, or labels do not move the score. A run level with another needs one label.
    """
    sign = 1 if measure.higher_is_better else -1
    totals = {name: counts[name].cast(pl.Float64).to_numpy() for name in measure.totals}

    def moved(labels: int) -> np.ndarray:
        """The scores with so many answers more called correct."""
        changed = totals | {
            name: totals[name] + by * labels for name, by in (("n_ac", 1), ("n_aw", -1)) if name in totals
        }
        with np.errstate(all="ignore"):
            return sign * np.broadcast_to(measure(**changed), counts.height).astype(np.float64)

    score = moved(0)
    gaps = np.abs(np.subtract.outer(score, score))
    above = np.subtract.outer(score, score).T  # [i, j] = how far j is ahead of i
    others = ~np.eye(len(score), dtype=bool)
    labels_to = {}
    for name, way, labels in (("up", above, 1), ("down", -above, -1)):
        gap = np.where(others & (way >= -TIE), gaps, np.inf).min(axis=1, initial=np.inf)
        with np.errstate(invalid="ignore", divide="ignore"):
            number = np.maximum(np.ceil(gap / np.abs(moved(labels) - score) - 1e-9), 1)
        labels_to[name] = [int(n) if np.isfinite(n) else None for n in number]
    return pl.DataFrame({"run": counts["run"], **labels_to}, {"run": pl.String, "up": pl.Int64, "down": pl.Int64})
