"""Which labels matter most: disputed answers of runs whose rank a few labels would change.

The list has a random order with the answers' weights as chances. A disputed answer weighs more the
fewer labels would bring its run level with another, and the more evenly its assessors are divided.
An answer that several runs gave has the sum of its weights for these runs. Its present label does
not matter.

The list is not sorted by weight. If assessors err in one direction, settling all labels of some
runs would move these runs against the others. For the same reason a weight falls only with the
square root of the labels needed.
"""

import hashlib
from pathlib import Path

import numpy as np
import polars as pl

from nonresponse import tables
from nonresponse.judging.store import read_verdicts
from nonresponse.judging.votes import held
from nonresponse.measures import Measure
from nonresponse.scoring.leaderboard import TIE
from nonresponse.settings import Settings
from nonresponse.statistics.agreement import to_judge
from nonresponse.tasks import NOT_ASKED
from nonresponse.wording import together

TO_ADJUDICATE = {
    "place": pl.Int64,  # from 1, in the order drawn
    "question": pl.String,
    # Of a graded response to a question that its run was asked several times; else null
    "epoch": pl.Int64,
    "answer": pl.String,  # its text, or its document; null where the campaign has neither
    "runs": pl.String,  # that gave it
    "correct": pl.Int64,  # assessors who call it correct
    "not_correct": pl.Int64,  # assessors who do not
    "official": pl.String,  # the verdict that counts so far
    # The fewest that bring one of the runs level with the next; null = no number does
    "labels_to_swap": pl.Int64,
    "weight": pl.Float64,  # the chance in the draw, relative to the other answers
}


def to_adjudicate(
    verdicts: Path,
    counts: Path,
    responses: list[Path],
    judgments: list[Path],
    measure: Measure,
    settings: Settings,
    vote_tables: list[Path] | None = None,
) -> pl.DataFrame:
    """Return TO_ADJUDICATE: every answer that assessors dispute, in the order drawn.

    `responses` and `judgments` say which runs gave the same answer; both are empty where responses
    came graded. The measure ranks the runs, and counts correct and wrong answers. `settings` has
    seed, official and, where the official assessor is a vote of the others, vote: its verdict is
    then not counted as one more opinion. `vote_tables` are the tables of the assessors, one of whom
    may replace the vote.
    """
    official = settings["official"]
    rows = find_disputed(
        verdicts, official, votes=not held(settings.get("vote"), vote_tables or [])
    )
    rows = rows.with_columns(what=pl.lit(None, pl.String), same=pl.col("run"))
    if responses:
        first = tables.spelt(pl.scan_parquet(responses)).filter(pl.col("rank") == 1)
        what = pl.coalesce("answer", "document").alias("what")
        given = first.select("run", "question", "epoch", what).collect()
        rows = rows.drop("what").join(given, on=["run", "question", "epoch"], how="left")
        of_runs = pl.scan_parquet(judgments).select(pl.col("run").is_not_null().any())
        if not of_runs.collect().item():  # all runs share a judgment
            rows = rows.with_columns(same=pl.lit(None, pl.String))
    # The same answer can have different labels if judgments also depend on something else, such as
    # the document.
    key = ["question", "epoch", "what", "same", "correct", "not_correct", "official"]
    of_graded = pl.lit(None) if responses else pl.when(pl.col("part") < 1).then("epoch")
    rows = rows.with_columns(epoch=of_graded.cast(pl.Int64))
    # What one label moves in a run
    rows = rows.group_by(*key, "run").agg(pl.col("part").sum().round(12))
    of_official = pl.read_parquet(counts).filter(pl.col("assessor") == official)
    labels = [to_swap(of_official, measure, part) for part in sorted({1.0, *rows["part"]})]
    rows = rows.join(pl.concat(labels), on=["run", "part"], how="left")
    agree = pl.col("correct")
    differ = pl.col("not_correct")
    needed = pl.min_horizontal("up", "down")
    weight = 4 * agree * differ / (agree + differ) ** 2 / needed.sqrt()
    answers = rows.group_by(key).agg(
        pl.col("run").unique().sort(),
        labels_to_swap=needed.min(),
        weight=weight.fill_null(0.0).sort().sum().round(9),
    )
    runs = pl.Series([together(names) for names in answers["run"]], dtype=pl.String)
    order = ["question", "runs", "what", "epoch", "official", "correct"]
    answers = answers.with_columns(runs=runs).sort(order, nulls_last=True)
    answers = answers.with_columns(place=draw_order(answers, settings["seed"])).sort("place")
    return tables.typed(answers.rename({"what": "answer"}), TO_ADJUDICATE)


def draw_order(answers: pl.DataFrame, seed: int) -> pl.Series:
    """Return the places of the answers, from 1, drawn without replacement with their weights as
    chances; weight 0 comes last.

    Each answer's random number follows from the seed and the answer alone: a new answer does not
    reorder the others.
    """
    key = answers.select("question", "what", "runs", "correct", "official").rows()
    epochs = [() if epoch is None else (epoch,) for epoch in answers["epoch"]]
    whole = [repr((seed, *row, *epoch)) for row, epoch in zip(key, epochs, strict=True)]
    digests = [hashlib.blake2b(text.encode(), digest_size=8).digest() for text in whole]
    uniform = (np.array([int.from_bytes(it, "little") for it in digests], float) + 0.5) / 2**64
    with np.errstate(divide="ignore"):
        waits = -np.log(uniform) / answers["weight"].to_numpy()
    places = np.empty(len(waits), np.int64)
    places[np.lexsort((uniform, waits))] = np.arange(1, len(waits) + 1)
    return pl.Series(places, dtype=pl.Int64)


def find_disputed(verdicts: Path, official: str, votes: bool) -> pl.DataFrame:
    """Return run, question, epoch, correct, not_correct, official and part of the responses that
    assessors dispute.

    part: of its question, one over the epochs that the run was asked.
    votes: whether the official assessor is one of the assessors, rather than made from them.
    """
    every = read_verdicts(verdicts).scan()
    rows = every.filter(pl.col("compared") & ~pl.col("missing"))
    asked = every.filter(pl.col("assessor") == official, pl.col("verdict") != NOT_ASKED)
    parts = asked.group_by("run", "question").agg(part=1 / pl.col("epoch").n_unique())
    key = ["run", "question", "epoch"]
    rows = to_judge(rows, key)
    counts = (pl.col("verdict") != "unscored") & (votes | (pl.col("assessor") != official))
    right = pl.col("verdict") == "correct"
    counted = rows.group_by(key).agg(
        correct=(counts & right).sum().cast(pl.Int64),
        not_correct=(counts & ~right).sum().cast(pl.Int64),
        official=pl.col("verdict").filter(pl.col("assessor") == official).first(),
    )
    known = pl.col("official").fill_null("unscored")
    some = counted.with_columns(official=known).filter(
        pl.col("correct") > 0, pl.col("not_correct") > 0
    )
    return some.join(parts, on=["run", "question"]).collect()


def to_swap(counts: pl.DataFrame, measure: Measure, part: float = 1) -> pl.DataFrame:
    """Return run, part, up and down: how many labels, of this part of a question each, must change
    to bring a run level with another.

    up: labels changed to correct, to reach the next better run; down: from correct, to reach the
    next worse run. Null where there is no such run, or labels do not move the score. A run that is
    level already needs one label.
    """
    sign = 1 if measure.higher_is_better else -1
    totals = {name: counts[name].cast(pl.Float64).to_numpy() for name in measure.totals}

    def score(labels: int) -> np.ndarray:
        """Return the scores if that many more answers were called correct; higher is better."""
        moved = {"n_ac": labels * part, "n_aw": -labels * part}
        changed = {name: total + moved.get(name, 0) for name, total in totals.items()}
        with np.errstate(all="ignore"):
            return sign * np.broadcast_to(measure(**changed), counts.height).astype(np.float64)

    own, found = score(0), {}
    above = own - own[:, None]  # [i, j] = how far j is ahead of i
    np.fill_diagonal(above, np.nan)
    for name, way in (("up", 1), ("down", -1)):
        near = way * above >= -TIE
        gap = np.where(near, np.abs(above), np.inf).min(axis=1, initial=np.inf)
        with np.errstate(invalid="ignore", divide="ignore"):
            number = np.maximum(np.ceil(gap / np.abs(score(way) - own) - 1e-9), 1)
        found[name] = [int(n) if np.isfinite(n) else None for n in number]
    types = {"run": pl.String, "part": pl.Float64, "up": pl.Int64, "down": pl.Int64}
    return pl.DataFrame({"run": counts["run"], "part": [part] * counts.height, **found}, types)
