"""How far assessors agree: label patterns, disagreements, kappa and alpha (Voorhees 2003, section
2).

Labels are a table (assessor, item, label), one row per assessor and item; an assessor may leave
items out. All statistics come from the distinct combinations of labels and the number of items that
have each of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tables, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs

CORRECT, NOT = "correct", "not"
WRONG = ("W", "bad", "NO", "wrong", NOT)  # what "obviously wrong" is called, scale by scale

AGREEMENT: dict[str, Any] = {
    "scale": pl.String,  # label = as the assessors gave them, correct = correct or not
    "assessors": tables.NAMES,
    "statistic": pl.String,
    "items": pl.Int64,  # over how many items
    "value": pl.Float64,  # null = undefined
}
PATTERNS: dict[str, Any] = {
    "assessors": tables.NAMES,
    "pattern": pl.String,
    "items": pl.Int64,
    "share": pl.Float64,
    "share_of_disagreements": pl.Float64,  # null for the unanimous
}


def summarise(given: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return AGREEMENT and PATTERNS of the labels in judgments or, where responses came graded, of
    the verdicts.

    Patterns of reference answers are not counted: there are as many as answers.
    """
    [labels_file], record, correct = given.labels, tasks.get(task), settings.get("correct", [])
    graded = labels_file.suffix == ".npz"
    rows = read_verdicts(labels_file).scan() if graded else pl.scan_parquet(labels_file)
    if rows.select(pl.col("assessor").n_unique() < 2).collect().item():
        return [tables.empty(AGREEMENT), tables.empty(PATTERNS)]
    table = tables.spelt(rows.collect())
    if record.references:
        labels = table.select("assessor", item="question", label="answer")
    elif correct:
        labels = labels_of_judgments(table)
    else:
        labels, correct = labels_of_verdicts(table, record.trivial), ["correct"]
    combined, official = distinct(labels), settings.get("official", "")
    of_patterns = tables.empty(PATTERNS) if record.references else patterns(combined, official)
    return [agreement(combined, official, correct), of_patterns]


def labels_of_judgments(judgments: pl.DataFrame) -> pl.DataFrame:
    """The labels of judgments.parquet; an item is what judgments are keyed by, without columns of
    nulls."""
    return numbered(judgments, [name for name in tables.JUDGMENTS_KEY if name != "assessor"])


def labels_of_verdicts(verdicts: pl.DataFrame, trivial: tuple[str, ...] = ()) -> pl.DataFrame:
    """The labels of verdicts where responses came graded; an item is a run's response.

    Ungraded responses, questions that a run never saw, and trivial runs give no labels; nor do
    responses that nobody had to judge (`to_judge`).
    """
    decides = ~pl.col("run").is_in(trivial)
    given = verdicts.filter((pl.col("verdict") != "unscored") & ~pl.col("missing") & decides)
    key = responses_in(verdicts.columns)
    given = to_judge(given.lazy(), key).collect()
    return numbered(given.rename({"verdict": "label"}), key)


def responses_in(columns: Iterable[str]) -> list[str]:
    """The columns of verdicts that tell responses apart, whoever judged them."""
    return [name for name in ("run", "question", "epoch", "candidate") if name in columns]


def to_judge(rows: pl.LazyFrame, key: list[str]) -> pl.LazyFrame:
    """The verdicts on responses that assessors had to judge.

    A response that is unanswered or failed for every assessor was never judged, and agreeing on it
    means nothing. But if assessors differ on whether some response is an answer at all, deciding
    this was part of their task, and unanswered responses count as judged. If an assessor has no
    verdict on an unanswered or failed response, somebody had to judge it: all responses of its kind
    then count as judged. (Where people judged a sample, the sample would else lose the responses
    that all call unanswered, and the rest would keep them.)
    """
    if "rightful" in rows.collect_schema():
        rows = rows.with_columns(
            verdict=pl.when("rightful").then(pl.lit("unanswered")).otherwise("verdict")
        )
    silent, failed, lacking = (
        pl.col("verdict") == word for word in ("unanswered", "error", "unscored")
    )
    if rows.select(pl.col("assessor").n_unique() < 2).collect().item():  # no two who could differ
        return rows.filter(~silent & ~failed)
    of_each = rows.group_by(key).agg(
        unanswered=silent.n_unique() > 1, error=failed.any() & lacking.any()
    )
    theirs = of_each.select(pl.col("unanswered", "error").any()).collect().row(0, named=True)
    never = [word for word, decided in theirs.items() if not decided]
    some = rows.filter(~pl.col("verdict").is_in(never)).select(key).unique()
    return rows.join(some, on=key, how="semi", nulls_equal=True)


def numbered(rows: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """assessor, item and label; items are numbered by their key, in arbitrary order."""
    key = [name for name in key if rows[name].is_not_null().any()] or key
    items = rows.select(key).unique().with_row_index("item")
    return rows.join(items, on=key, nulls_equal=True).select("assessor", "item", "label")


def among(assessors: list[str], official: str) -> list[str]:
    """The assessors to compare: without the official one where at least two others remain.

    An official set beside several others is made from them: their labels would be compared with
    themselves.
    """
    others = [name for name in assessors if name != official]
    return others if len(others) > 1 else assessors


@dataclass(frozen=True)
class Labels:
    """The distinct combinations of labels, and the number of items that have each of them."""

    assessors: list[str]  # sorted
    values: list[str]  # the labels, sorted
    # (combinations, assessors): indexes into the values, −1 where one did not judge
    codes: np.ndarray
    items: np.ndarray  # (combinations,)


def distinct(labels: pl.DataFrame) -> Labels:
    """The combinations that occur in a table of assessor, item and label."""
    assessors, values = (labels[name].unique().sort().to_list() for name in ("assessor", "label"))
    indexes = labels.select(
        "item",
        pl.col("assessor").replace_strict(assessors, range(len(assessors)), return_dtype=pl.Int32),
        pl.col("label").replace_strict(values, range(len(values)), return_dtype=pl.Int32),
    )
    columns = [str(index) for index in range(len(assessors))]
    wide = indexes.pivot("assessor", index="item", values="label").fill_null(-1)
    counted = wide.group_by(columns).len().sort(columns)
    return Labels(
        assessors,
        values,
        counted.select(columns).to_numpy(),
        counted["len"].to_numpy().astype(np.int64),
    )


def only(labels: Labels, assessors: Sequence[str]) -> Labels:
    """The labels of some of the assessors."""
    columns = [labels.assessors.index(name) for name in assessors]
    return replace(labels, assessors=list(assessors), codes=labels.codes[:, columns])


def cohen_kappa(x: np.ndarray, y: np.ndarray, items: np.ndarray, values: int) -> float:
    """Agreement of two assessors beyond chance (Cohen 1960), from their labels of combinations that
    both judged.

    NaN where chance alone makes them agree: no items, or one label only.
    """
    n, agreed = items.sum(), items[x == y].sum()
    of_x, of_y = (np.bincount(codes, items, values).astype(np.int64) for codes in (x, y))
    by_chance = of_x @ of_y
    with np.errstate(invalid="ignore"):
        return 1 - n * (n - agreed) / (n * n - by_chance)


def krippendorff_alpha(given: np.ndarray, differing: np.ndarray) -> float:
    """Agreement of several assessors beyond chance, nominal, some judgments missing (Krippendorff
    2011, section C).

    Of items with two labels or more: a single label has no pair to compare. `given` is how often
    each label was given, `differing[m]` the ordered pairs of assessors who gave an item different
    labels, over the items that m assessors judged. NaN with no items, or one label only.
    """
    n = given.sum()
    # Off the diagonal of the coincidence matrix
    observed = (differing[2:] / np.arange(1, len(differing) - 1)).sum()
    with np.errstate(invalid="ignore"):
        return 1 - (n - 1) * observed / (n * n - given @ given)


def patterns(labels: Labels, official: str) -> pl.DataFrame:
    """How many of the items that all judged have which labels, whoever gave them (Voorhees 2003,
    table 2).

    A pattern has its labels in alphabetical order, such as RRX, or correct/correct/wrong; sorted by
    pattern. Empty with fewer than two assessors.
    """
    members = among(labels.assessors, official)
    if len(members) < 2:
        return tables.empty(PATTERNS)
    codes = only(labels, members).codes
    values = [labels.values[code] for code in np.unique(codes[codes >= 0])]
    judged = (codes >= 0).all(axis=1)
    kinds, pattern = np.unique(np.sort(codes[judged], axis=1), axis=0, return_inverse=True)
    count = np.bincount(pattern.ravel(), labels.items[judged], len(kinds)).astype(np.int64)
    disputed = kinds[:, 0] != kinds[:, -1]
    separator = "" if all(len(value) == 1 for value in values) else "/"
    columns = {
        "assessors": [members] * len(kinds),
        "pattern": [separator.join(labels.values[code] for code in row) for row in kinds],
        "items": count,
        "share": count / count.sum(),
        "share_of_disagreements": np.where(disputed, count, np.nan) / count[disputed].sum(),
    }
    return (
        pl.DataFrame(columns, PATTERNS)
        .with_columns(pl.col("share_of_disagreements").fill_nan(None))
        .sort("pattern")
    )


def agreement(labels: Labels, official: str, correct: list[str]) -> pl.DataFrame:
    """AGREEMENT on the labels and, where some of them mean correct, also on correct or not.

    For all assessors together (see among): `disagreement`, the share of the items judged by all on
    which they differ; `disagreement_not_all_wrong`, that share among the items that not all call
    wrong; krippendorff_alpha over those judged by two or more. Then for every two assessors,
    including the official one: cohen_kappa over the items that both judged. A value is null where
    it is 0/0; with fewer than two assessors there are no rows.
    """
    members = among(labels.assessors, official)
    if len(members) < 2:
        return tables.empty(AGREEMENT)
    rows, scales = [], {"label": labels}
    if correct:
        codes = np.where(labels.codes < 0, -1, ~np.isin(labels.values, correct)[labels.codes])
        scales["correct"] = replace(labels, values=[CORRECT, NOT], codes=codes)
    for scale, scaled in scales.items():
        rows += [(scale, members, *row) for row in of_all(only(scaled, members))]
        for pair in combinations(scaled.assessors, 2):
            codes = only(scaled, pair).codes
            both = (codes >= 0).all(axis=1)
            items, (x, y) = scaled.items[both], codes[both].T
            kappa = cohen_kappa(x, y, items, len(scaled.values))
            rows.append((scale, [*pair], "cohen_kappa", items.sum(), kappa))
    table = pl.DataFrame(rows, AGREEMENT, orient="row").with_columns(pl.col("value").fill_nan(None))
    return table if correct else table.filter(pl.col("statistic") != "disagreement_not_all_wrong")


def of_all(labels: Labels) -> list[tuple]:
    """Statistic, items and value, of all assessors together."""
    codes, items = labels.codes, labels.items
    judged = (codes >= 0).sum(axis=1)
    every, several = judged == len(labels.assessors), judged > 1
    # Combination, label and how many assessors gave it, only for labels that occur: reference
    # answers have many.
    combination, assessor = np.nonzero(codes >= 0)
    size = len(labels.values)
    given_in, count = np.unique(
        combination * size + codes[combination, assessor], return_counts=True
    )
    combination, label = np.divmod(given_in, size)
    # The ordered pairs of assessors who gave different labels.
    differing = items * (
        judged**2 - np.bincount(combination, count**2, len(codes)).astype(np.int64)
    )

    kept = several[combination]
    given = np.bincount(label[kept], (count * items[combination])[kept], size).astype(np.int64)
    full, each = codes[every], items[every]
    disputed = (full != full[:, :1]).any(axis=1)
    not_wrong = ~np.isin(
        full, [code for code, value in enumerate(labels.values) if value in WRONG]
    ).all(axis=1)
    n, n_not_wrong = each.sum(), each[not_wrong].sum()
    # Whole numbers: the same in any order
    by_judged = np.bincount(judged[several], differing[several], minlength=2)
    with np.errstate(invalid="ignore"):
        return [
            ("disagreement", n, each[disputed].sum() / n),
            (
                "disagreement_not_all_wrong",
                n_not_wrong,
                each[disputed & not_wrong].sum() / n_not_wrong,
            ),
            ("krippendorff_alpha", items[several].sum(), krippendorff_alpha(given, by_judged)),
        ]
