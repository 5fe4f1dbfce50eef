"""Which labels matter most: disputed answers of runs whose rank a few labels would change.

A campaign with time for 200 more judgments takes the first 200 answers of the list, whose order is
drawn at random with the answers' weights as chances. A disputed answer weighs more the fewer labels
would bring its run level with another, and the more evenly its assessors are divided; an answer
that several runs gave, and that is judged once, has the sum of its weights for these runs. Its
present label does not matter.

The list is not simply sorted by weight: if assessors err in one direction, settling all labels of
some runs would move these runs up or down against the others. For the same reason a weight falls
only with the square root of the labels needed.
"""

import hashlib
from pathlib import Path
from statistics import NormalDist

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
    "place_top": pl.Int64,  # from 1, in the list of a campaign that only wants to know the best run
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
WIDTHS = {
    "labels": pl.Int64,  # from the top of the list
    # Of the 95 % range of accuracy after these labels, mean over the runs. An answer that is still
    # disputed is taken to be right with a probability that is the share of its assessors who call
    # it correct.
    "width": pl.Float64,
}
STEPS = (0, 25, 50, 100, 200, 400)  # labels


def to_adjudicate(
    verdicts: Path,
    counts: Path,
    responses: list[Path],
    judgments: list[Path],
    measure: Measure,
    settings: Settings,
    voters: list[Path] | None = None,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """TO_ADJUDICATE: every answer that assessors dispute, in the order drawn; and WIDTHS.

    `responses` and `judgments` tell which runs gave the same answer; both are empty where responses
    came graded. The measure ranks the runs, and counts right and wrong answers. `settings` has
    seed, official and, where the official assessor is a vote of the others, vote: its verdict is
    then not counted as one more opinion. `voters` are the tables of the assessors, one of whom may
    replace the vote.
    """
    official = settings["official"]
    rows = disputed(verdicts, official, votes=not held(settings.get("vote"), voters or []))
    of_official = pl.read_parquet(counts).filter(pl.col("assessor") == official)
    rows = rows.with_columns(what=pl.lit(None, pl.String), same=pl.col("run"))
    if responses:
        given = (
            tables.spelt(pl.scan_parquet(responses))
            .filter(pl.col("rank") == 1)
            .select(
                "run",
                "question",
                "epoch",
                what=pl.coalesce("answer", "document"),
                document="document",
            )
        )
        rows = rows.drop("what").join(given.collect(), on=["run", "question", "epoch"], how="left")
        if (
            not pl.scan_parquet(judgments)
            .select(pl.col("run").is_not_null().any())
            .collect()
            .item()
        ):
            rows = rows.with_columns(same=pl.lit(None, pl.String))  # all runs share a judgment
    # The same answer can have different labels if judgments also depend on something else, such as
    # the document.
    key = ["question", "epoch", "what", "same", "correct", "not_correct", "official"]
    of_graded = pl.lit(None) if responses else pl.when(pl.col("part") < 1).then("epoch")
    rows = rows.with_columns(epoch=of_graded.cast(pl.Int64))
    # What one label moves in a run
    rows = rows.group_by(*key, "run").agg(pl.col("part").sum().round(12))
    of_runs = [to_swap(of_official, measure, part) for part in sorted({1.0, *rows["part"]})]
    rows = rows.join(pl.concat(of_runs), on=["run", "part"], how="left")
    rows = rows.with_columns(labels=pl.min_horizontal("up", "down"))
    evenness = (
        4
        * pl.col("correct")
        * pl.col("not_correct")
        / (pl.col("correct") + pl.col("not_correct")) ** 2
    )
    rows = rows.with_columns(
        weight=(evenness / pl.col("labels").sqrt()).fill_null(0.0),
        of_top=(evenness / pl.col("top")).fill_null(0.0),
        variance=evenness / 4 * pl.col("part") ** 2,
    )
    answers = rows.group_by(key).agg(
        pl.col("run").unique().sort(),
        pl.col("labels").min(),
        pl.col("weight", "of_top").sort().sum().round(9),
    )
    runs = [together(names) for names in answers["run"]]
    answers = answers.with_columns(runs=pl.Series(runs, dtype=pl.String))
    answers = answers.sort(
        ["question", "runs", "what", "epoch", "official", "correct"], nulls_last=True
    )
    places = [lot(answers, name, settings["seed"]) for name in ("weight", "of_top")]
    answers = answers.with_columns(place=places[0], place_top=places[1]).sort("place")
    placed = rows.join(answers.select(*key, "place"), on=key, nulls_equal=True)
    found = tables.typed(
        answers.rename({"what": "answer", "labels": "labels_to_swap"}), TO_ADJUDICATE
    )
    return found, widths(placed, dict(of_official.select("run", "n").rows()))


def lot(answers: pl.DataFrame, name: str, seed: int) -> pl.Series:
    """The places of the answers, from 1, drawn without replacement with chances in column `name`;
    chance 0 comes last.

    Each answer's random number follows from the seed and the answer alone: a new answer does not
    reorder the others.
    """
    key = answers.select("question", "what", "runs", "correct", "official").rows()
    epochs = [() if epoch is None else (epoch,) for epoch in answers["epoch"]]
    whole = [repr((seed, *row, *epoch)) for row, epoch in zip(key, epochs, strict=True)]
    digests = [hashlib.blake2b(text.encode(), digest_size=8).digest() for text in whole]
    uniform = (
        np.array([int.from_bytes(digest, "little") for digest in digests], np.float64) + 0.5
    ) / 2**64
    with np.errstate(divide="ignore"):
        waits = -np.log(uniform) / answers[name].to_numpy()
    order = np.lexsort((uniform, waits))
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(1, len(order) + 1)
    return pl.Series(places, dtype=pl.Int64)


def widths(placed: pl.DataFrame, questions: dict[str, int]) -> pl.DataFrame:
    """WIDTHS, from run, place and variance of each disputed response; `questions` are those of each
    run."""
    reach = 2 * NormalDist().inv_cdf(0.975)
    n = pl.col("run").replace_strict(questions, return_dtype=pl.Float64)
    rows: list[tuple] = []
    for step in STEPS:
        left = pl.when(pl.col("place") > step).then("variance").otherwise(0).sort().sum()
        of_runs = placed.group_by("run").agg(width=reach * left.sqrt() / n.first())["width"].sort()
        if not rows or of_runs.sum() > 0:
            rows.append((step, of_runs.mean()))
    return pl.DataFrame(rows, WIDTHS, orient="row")


def disputed(verdicts: Path, official: str, votes: bool) -> pl.DataFrame:
    """run, question, epoch, correct, not_correct, official, part: the responses that assessors
    dispute.

    part: of its question, one over the samples that the run was asked.
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
    """run, part, up, down, top: how many labels, of this part of a question each, must change to
    bring a run level with another.

    up: labels changed to correct, to reach the next better run; down: from correct, to reach the
    next worse run; top: either way, to reach the best run or, from the best run, its nearest rival.
    Null where there is no such run, or labels do not move the score. A run that is level already
    needs one label.
    """
    sign = 1 if measure.higher_is_better else -1
    totals = {name: counts[name].cast(pl.Float64).to_numpy() for name in measure.totals}

    def moved(labels: int) -> np.ndarray:
        """The scores if that many more answers were called correct; negative for a measure of which
        less is better."""
        changed = totals | {
            name: totals[name] + by * labels * part
            for name, by in (("n_ac", 1), ("n_aw", -1))
            if name in totals
        }
        with np.errstate(all="ignore"):
            return sign * np.broadcast_to(measure(**changed), counts.height).astype(np.float64)

    score = moved(0)
    gaps = np.abs(np.subtract.outer(score, score))
    above = np.subtract.outer(score, score).T  # [i, j] = how far j is ahead of i
    others = ~np.eye(len(score), dtype=bool)
    labels_to = {}
    near = {"up": above >= -TIE, "down": above <= TIE}
    best = score == np.nanmax(score, initial=-np.inf)
    near["top"] = np.where(best[:, None], True, best[None, :])  # of the best run: any other
    for name, labels in (("up", 1), ("down", -1), ("top", 1)):
        gap = np.where(others & near[name], gaps, np.inf).min(axis=1, initial=np.inf)
        with np.errstate(invalid="ignore", divide="ignore"):
            number = np.maximum(np.ceil(gap / np.abs(moved(labels) - score) - 1e-9), 1)
        labels_to[name] = [int(n) if np.isfinite(n) else None for n in number]
    types = {"run": pl.String, "part": pl.Float64, **dict.fromkeys(near, pl.Int64)}
    return pl.DataFrame({"run": counts["run"], "part": [part] * counts.height, **labels_to}, types)
