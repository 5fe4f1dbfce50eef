"""How each judge, a person or a model, compares with the official assessor: on single responses, and run by run.

What is compared are the responses that were to be judged (assessors.to_judge). A judge *failed* on one of them where
its own verdict is `unscored`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from nonresponse.reliability.assessors import cohen_kappa, responses_in, to_judge

AS_WRONG, BOUNDS = "wrong", "bounds"  # what may become of failed judgments, beside `exclude`

COMPARED = {
    "judged": pl.Int64,  # responses
    "failed": pl.Int64,  # that the judge was to judge and has no verdict on
    "compared": pl.Int64,  # with the official verdicts; 0 for the official assessor; all that follows is null then
    "agreement": pl.Float64,  # share with the same verdict
    "agreement_worst": pl.Float64,  # had every failed judgment been another one; null unless `bounds` is asked for
    "agreement_best": pl.Float64,  # had each of them been the same
    "kappa": pl.Float64,  # Cohen's, of the verdicts
    "sensitivity": pl.Float64,  # share called correct of those that officially are; null = none are
    "specificity": pl.Float64,  # share not called correct of those that officially are not
    "leniency": pl.Float64,  # share that the judge calls correct, less the share that officially is
}
BY_RUN = {"judge": pl.String, "run": pl.String, **COMPARED}


def crossed(verdicts: Path, official: str, trivial: tuple[str, ...] = ()) -> pl.DataFrame:
    """judge, run, theirs, ours (verdicts; ours is the official one) and responses: how many have these two verdicts.

    A row for each combination that occurs, sorted; the official assessor is a judge, too. The trivial runs stay out.
    """
    judged = pl.col("compared") & ~pl.col("missing") & ~pl.col("run").is_in(trivial)
    rows = pl.scan_parquet(verdicts).filter(judged)
    key = responses_in(rows.collect_schema())
    rows = rows.select("assessor", *key, pl.col("verdict").cast(pl.String))
    rows = rows.join(to_judge(rows, key), on=key, how="semi")
    ours = rows.filter(pl.col("assessor") == official).select(*key, ours="verdict")
    both = rows.rename({"assessor": "judge", "verdict": "theirs"}).join(ours, on=key, how="left")
    both = both.with_columns(pl.col("ours").fill_null("unscored"))
    names = ["judge", "run", "theirs", "ours"]
    return both.group_by(names).agg(responses=pl.len().cast(pl.Int64)).sort(names).collect()


def side_by_side(verdicts: Path, judge: str, official: str, failed: str) -> pl.DataFrame:
    """The verdicts of the two, in their order, unscored under both where the official assessor has none.

    Where the judge alone has none, they are unscored under both, too (`exclude`), or the judge's is `failed`: wrong or
    correct.
    """
    rows = pl.scan_parquet(verdicts).filter(pl.col("assessor").is_in([judge, official]))
    rows = rows.with_columns(pl.col("verdict").cast(pl.String))
    key = responses_in(rows.collect_schema())
    decides = pl.lit(failed == "exclude") | (pl.col("assessor") == official)
    lacking = rows.filter(decides & (pl.col("verdict") == "unscored")).select(key).unique().with_columns(lacking=True)
    marked = rows.join(lacking, on=key, how="left", maintain_order="left")
    verdict = (
        pl.when(pl.col("lacking")).then(pl.lit("unscored")).otherwise(pl.col("verdict").replace("unscored", failed))
    )
    return marked.with_columns(verdict=verdict).drop("lacking").collect()


def compare(cases: pl.DataFrame, failed: str, own: bool) -> dict:
    """COMPARED, from rows of `crossed` of one judge; own: whether it is the official assessor."""
    failures = cases.filter(pl.col("theirs") == "unscored")
    responses, missing = int(cases["responses"].sum()), int(failures["responses"].sum())
    row = dict.fromkeys(COMPARED) | {"judged": responses - missing, "failed": missing, "compared": 0}
    if failed == AS_WRONG:
        cases = cases.with_columns(pl.col("theirs").replace("unscored", "wrong"))
    known = cases.filter(pl.col("theirs") != "unscored", pl.col("ours") != "unscored")
    number = int(known["responses"].sum())
    if own or not number:
        return row
    same = int(known.filter(pl.col("theirs") == pl.col("ours"))["responses"].sum())
    row |= {"compared": number, "agreement": same / number, "kappa": kappa(known)}
    if failed == BOUNDS:
        open_ = int(failures.filter(pl.col("ours") != "unscored")["responses"].sum())
        row |= {"agreement_worst": same / (number + open_), "agreement_best": (same + open_) / (number + open_)}
    return row | rates(known)


def kappa(known: pl.DataFrame) -> float | None:
    """Cohen's kappa of `theirs` and `ours`; null where chance alone makes them agree."""
    values = sorted({*known["theirs"], *known["ours"]})
    x, y = (known[name].replace_strict(values, range(len(values))).to_numpy() for name in ("theirs", "ours"))
    found = float(cohen_kappa(x, y, known["responses"].to_numpy(), len(values)))
    return None if np.isnan(found) else found


def rates(known: pl.DataFrame) -> dict[str, float | None]:
    """sensitivity, specificity, leniency; null where they are 0/0."""
    number = called(known)
    right, not_right = number[True, True] + number[False, True], number[True, False] + number[False, False]
    return {
        "sensitivity": number[True, True] / right if right else None,
        "specificity": number[False, False] / not_right if not_right else None,
        "leniency": (number[True, False] - number[False, True]) / (right + not_right),
    }


def called(known: pl.DataFrame) -> dict[tuple[bool, bool], int]:
    """How many responses the judge calls correct or not (first), and the official assessor (second)."""
    correct = known.select(pl.col("theirs", "ours") == "correct", "responses")
    found = {(theirs, ours): 0 for theirs in (True, False) for ours in (True, False)}
    for theirs, ours, responses in correct.group_by("theirs", "ours").agg(pl.col("responses").sum()).rows():
        found[theirs, ours] = int(responses)
    return found


def names(cases: pl.DataFrame, official: str) -> list[str]:
    """The judges, the official one first."""
    return [official, *[name for name in cases["judge"].unique().sort() if name != official]]


def by_run(cases: pl.DataFrame, official: str, failed: str) -> pl.DataFrame:
    """BY_RUN: the official assessor first, then the others, by name; runs by name."""
    parts = cases.partition_by("judge", "run", as_dict=True)
    rows = [
        {"judge": judge, "run": run} | compare(parts[judge, run], failed, judge == official)
        for judge in names(cases, official)
        for run in cases.filter(pl.col("judge") == judge)["run"].unique().sort()
    ]
    return pl.DataFrame(rows, BY_RUN)


def unjudged(cases: pl.DataFrame) -> dict[str, list[str]]:
    """The runs of which a judge judged nothing at all, by judge: it cannot rank them."""
    whole = cases.group_by("judge", "run").agg(none=(pl.col("theirs") == "unscored").all()).filter("none")
    return {judge: sorted(part["run"]) for (judge,), part in whole.partition_by("judge", as_dict=True).items()}
