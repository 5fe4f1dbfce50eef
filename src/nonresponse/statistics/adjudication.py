"""Which labels matter most: disputed answers of runs whose rank a few labels would change.

The list is in random order, with the answers' weights as chances. A disputed answer weighs more the
fewer labels bring its run level with another, and the more evenly its assessors are divided. The
weights of an answer for the runs that gave it are added. Its present label does not matter.

The list is not sorted by weight: settling all labels of some runs moves these runs against the
others if assessors err in one direction. Hence a weight also falls only with the square root of
the labels needed.
"""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tables
from nonresponse.judging.store import read_verdicts
from nonresponse.measures import Measure
from nonresponse.scoring.leaderboard import TIE
from nonresponse.settings import Settings
from nonresponse.statistics.agreement import select_judgeable
from nonresponse.tasks import NOT_ASKED
from nonresponse.wording import join_cell

DISPUTED = {
    "position": pl.Int64,  # from 1, in the order drawn
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


def list_disputed(
    verdicts: Path,
    counts: Path,
    responses: list[Path],
    judgments: list[Path],
    measure: Measure,
    settings: Settings,
) -> pl.DataFrame:
    """Return DISPUTED: every answer that assessors dispute, in the order drawn.

    `responses` and `judgments` say which runs gave the same answer. Both are empty where responses
    came graded. The measure ranks the runs, and counts correct and wrong answers. `settings` has
    seed, official and, where the official assessor is a vote of the others, vote: its verdict is
    then not counted as one more opinion.
    """
    official = settings["official"]
    rows = find_disputed(verdicts, official, not settings.get("vote"))
    rows = rows.with_columns(answer=pl.lit(None, pl.String), same=pl.col("run"))
    if responses:
        answer = pl.coalesce("answer", "document").alias("answer")
        best_ranked = tables.spell(tables.scan_parquet(responses)).filter(pl.col("rank") == 1)
        answers = best_ranked.select("run", "question", "epoch", answer).collect()
        rows = rows.drop("answer").join(answers, on=["run", "question", "epoch"], how="left")
        name_runs = tables.scan_parquet(judgments).select(pl.col("run").is_not_null().any())
        if not name_runs.collect().item():  # all runs share a judgment
            rows = rows.with_columns(same=pl.lit(None, pl.String))
    # The same answer can have different labels if judgments also depend on something else, such as
    # the document.
    key = ["question", "epoch", "answer", "same", "correct", "not_correct", "official"]
    epoch = pl.lit(None) if responses else pl.when(pl.col("part") < 1).then("epoch")
    rows = rows.with_columns(epoch=epoch.cast(pl.Int64))
    # What one label moves in a run
    rows = rows.group_by(*key, "run").agg(pl.col("part").sum().round(12))
    official_counts = tables.read_parquet(counts).filter(pl.col("assessor") == official)
    parts = sorted({1.0, *rows["part"]})
    labels = pl.concat(count_labels_to_swap(official_counts, measure, part) for part in parts)
    rows = rows.join(labels, on=["run", "part"], how="left")
    agree, differ = pl.col("correct"), pl.col("not_correct")
    needed = pl.min_horizontal("up", "down")
    weight = 4 * agree * differ / (agree + differ) ** 2 / needed.sqrt()
    answers = rows.group_by(key).agg(
        pl.col("run").unique().sort(),
        labels_to_swap=needed.min(),
        weight=weight.fill_null(0.0).sort().sum().round(9),
    )
    runs = pl.Series([join_cell(names) for names in answers["run"]], dtype=pl.String)
    order = ["question", "runs", "answer", "epoch", "official", "correct"]
    answers = answers.with_columns(runs=runs).sort(order, nulls_last=True)
    answers = answers.with_columns(position=draw_order(answers, settings["seed"])).sort("position")
    return tables.cast_types(answers, DISPUTED)


def draw_order(answers: pl.DataFrame, seed: int) -> pl.Series:
    """Return the positions of the answers, from 1, drawn by weight. Weight 0 comes last.

    Each answer's random number follows from the seed and the answer alone: a new answer does not
    reorder the others.
    """
    rows = answers.select("question", "answer", "runs", "correct", "official").rows()
    numbers = []
    for row, epoch in zip(rows, answers["epoch"], strict=True):
        text = repr((seed, *row) if epoch is None else (seed, *row, epoch))
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        numbers.append(int.from_bytes(digest, "little"))
    uniform = (np.array(numbers, float) + 0.5) / 2**64
    with np.errstate(divide="ignore"):
        waits = -np.log(uniform) / answers["weight"].to_numpy()
    places = np.empty(len(waits), np.int64)
    places[np.lexsort((uniform, waits))] = np.arange(1, len(waits) + 1)
    return pl.Series(places, dtype=pl.Int64)


def find_disputed(verdicts: Path, official: str, votes: bool) -> pl.DataFrame:
    """Return the disputed responses: run, question, epoch, correct, not_correct, official, part.

    part: of its question, one over the epochs that the run was asked.
    votes: whether the official assessor is one of the assessors, rather than made from them.
    """
    official_verdict = pl.col("verdict").filter(pl.col("assessor") == official).first()
    verdict_rows = read_verdicts(verdicts).scan()
    asked = verdict_rows.filter(pl.col("assessor") == official, pl.col("verdict") != NOT_ASKED)
    parts = asked.group_by("run", "question").agg(part=1 / pl.col("epoch").n_unique())
    key = ["run", "question", "epoch"]
    counts = (pl.col("verdict") != "unscored") & (votes | (pl.col("assessor") != official))
    right = pl.col("verdict") == "correct"
    present = verdict_rows.filter(pl.col("compared") & ~pl.col("missing"))
    responses = (
        select_judgeable(present, key)
        .group_by(key)
        .agg(
            correct=(counts & right).sum().cast(pl.Int64),
            not_correct=(counts & ~right).sum().cast(pl.Int64),
            official=official_verdict.fill_null("unscored"),
        )
    )
    disputed = responses.filter(pl.col("correct") > 0, pl.col("not_correct") > 0)
    return disputed.join(parts, on=["run", "question"]).collect()


def count_labels_to_swap(counts: pl.DataFrame, measure: Measure, part: float = 1) -> pl.DataFrame:
    """Return run, part, up and down: how many labels, of this part of a question each, must change
    to bring a run level with another.

    up: labels changed to correct, to reach the next better run; down: from correct, to reach the
    next worse run. Null where there is no such run, or labels do not move the score. A run that is
    level already needs one label.
    """
    sign = 1 if measure.higher_is_better else -1
    totals = {name: counts[name].cast(pl.Float64).to_numpy() for name in measure.totals}

    def score(labels: int) -> np.ndarray:
        """Return the scores if that many more answers were called correct. Higher is better."""
        moved = {"n_ac": labels * part, "n_aw": -labels * part}
        new_totals = {name: total + moved.get(name, 0) for name, total in totals.items()}
        with np.errstate(all="ignore"):
            return sign * np.broadcast_to(measure(**new_totals), counts.height).astype(np.float64)

    score_now = score(0)
    leads = score_now - score_now[:, None]  # [i, j] = how far j is ahead of i
    np.fill_diagonal(leads, np.nan)
    columns: dict[str, Any] = {"run": counts["run"], "part": [part] * counts.height}
    for name, way in (("up", 1), ("down", -1)):
        near = way * leads >= -TIE
        gap = np.where(near, np.abs(leads), np.inf).min(axis=1, initial=np.inf)
        with np.errstate(invalid="ignore", divide="ignore"):
            number = np.maximum(np.ceil(gap / np.abs(score(way) - score_now) - 1e-9), 1)
        columns[name] = [int(n) if np.isfinite(n) else None for n in number]
    types = {"run": pl.String, "part": pl.Float64, "up": pl.Int64, "down": pl.Int64}
    return pl.DataFrame(columns, types)
