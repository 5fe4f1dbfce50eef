"""How far assessors agree: label patterns, disagreements, kappa and alpha (Voorhees 2003, section
2).

Labels are a table (assessor, item, label), one row per assessor and item; an assessor may leave
items out. All statistics come from the distinct combinations of labels and the number of items that
have each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import polars as pl

from nonresponse import tables, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs

Combination = tuple[str, ...]
Combinations = Counter[Combination]
UNJUDGED = "\0"  # where an assessor has no label
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
    combined, official = count_combinations(labels), settings.get("official", "")
    of_patterns = tables.empty(PATTERNS) if record.references else patterns(combined, official)
    return [agreement(combined, official, correct), of_patterns]


def labels_of_judgments(judgments: pl.DataFrame) -> pl.DataFrame:
    """Return the labels of judgments.parquet. An item is what judgments are keyed by, without
    columns of nulls."""
    return number_items(judgments, [name for name in tables.JUDGMENTS_KEY if name != "assessor"])


def labels_of_verdicts(verdicts: pl.DataFrame, trivial: tuple[str, ...] = ()) -> pl.DataFrame:
    """Return the labels of verdicts where responses came graded. An item is a run's response.

    Ungraded responses, questions that a run never saw, and trivial runs give no labels; nor do
    responses that nobody had to judge (`to_judge`).
    """
    decides = ~pl.col("run").is_in(trivial)
    given = verdicts.filter((pl.col("verdict") != "unscored") & ~pl.col("missing") & decides)
    key = responses_in(verdicts.columns)
    given = to_judge(given.lazy(), key).collect()
    return number_items(given.rename({"verdict": "label"}), key)


def responses_in(columns: Iterable[str]) -> list[str]:
    """Return the columns of verdicts that identify a response, whoever judged it."""
    return [name for name in ("run", "question", "epoch", "candidate") if name in columns]


def to_judge(rows: pl.LazyFrame, key: list[str]) -> pl.LazyFrame:
    """Return the verdicts on responses that assessors had to judge.

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
    unanswered, failed, lacking = (
        pl.col("verdict") == word for word in ("unanswered", "error", "unscored")
    )
    if rows.select(pl.col("assessor").n_unique() < 2).collect().item():  # no two who could differ
        return rows.filter(~unanswered & ~failed)
    of_each = rows.group_by(key).agg(
        unanswered=unanswered.n_unique() > 1, error=failed.any() & lacking.any()
    )
    theirs = of_each.select(pl.col("unanswered", "error").any()).collect().row(0, named=True)
    never = [word for word, decided in theirs.items() if not decided]
    some = rows.filter(~pl.col("verdict").is_in(never)).select(key).unique()
    return rows.join(some, on=key, how="semi", nulls_equal=True)


def number_items(rows: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """assessor, item and label; items are numbered by their key, in arbitrary order."""
    key = [name for name in key if rows[name].is_not_null().any()] or key
    items = rows.select(key).unique().with_row_index("item")
    return rows.join(items, on=key, nulls_equal=True).select("assessor", "item", "label")


def members_of(assessors: list[str], official: str) -> list[str]:
    """Return the assessors to compare: without the official one where at least two others remain.

    An official set beside several others is made from them: their labels would be compared with
    themselves.
    """
    others = [name for name in assessors if name != official]
    return others if len(others) > 1 else assessors


@dataclass(frozen=True)
class Labels:
    """How many items have each combination of labels, one per assessor, UNJUDGED where one
    did not judge."""

    assessors: list[str]  # sorted
    items: dict[Combination, int]

    def only(self, assessors: Sequence[str]) -> Labels:
        """Return the labels of some of the assessors."""
        places, found = [self.assessors.index(name) for name in assessors], Combinations()
        for combination, number in self.items.items():
            found[tuple(combination[place] for place in places)] += number
        return Labels([*assessors], found)

    @property
    def whole(self) -> dict[Combination, int]:
        """The combinations in which every assessor has a label."""
        return {labels: number for labels, number in self.items.items() if UNJUDGED not in labels}


def count_combinations(labels: pl.DataFrame) -> Labels:
    """Return the combinations that occur in a table of assessor, item and label."""
    assessors = labels["assessor"].unique().sort().to_list()
    columns = [str(index) for index in range(len(assessors))]
    renamed = labels.with_columns(
        pl.col("assessor").replace_strict(assessors, columns, return_dtype=pl.String)
    )
    wide = renamed.pivot("assessor", index="item", values="label")
    counted = wide.group_by(columns).len() if columns else wide.with_columns(len=0)
    names = counted.select(pl.col(columns).fill_null(UNJUDGED))
    return Labels(assessors, dict(zip(names.rows(), counted.get_column("len"), strict=True)))


def share(part: int, whole: int) -> float | None:
    """Return a share; null where it is 0/0."""
    return part / whole if whole else None


def cohen_kappa(pairs: Mapping[tuple[str, str], int]) -> float | None:
    """Return the agreement of two assessors beyond chance (Cohen 1960), from how often each pair of
    labels was given.

    Null where chance alone makes them agree: no items, or one label only.
    """
    n, disagreed = sum(pairs.values()), sum(k for (x, y), k in pairs.items() if x != y)
    of_x, of_y = Counter[str](), Counter[str]()
    for (x, y), number in pairs.items():
        of_x[x] += number
        of_y[y] += number
    by_chance = n * n - sum(of_x[label] * of_y[label] for label in of_x)
    return 1 - n * disagreed / by_chance if by_chance else None


def krippendorff_alpha(items: Mapping[Combination, int]) -> tuple[int, float | None]:
    """Return the number of items with two labels or more, and the agreement of several assessors
    beyond chance, nominal, some judgments missing (Krippendorff 2011, section C).

    An item with a single label has no pair to compare. Null with no items, or one label only.
    """
    given, differing, several = Counter[str](), Counter[int](), 0
    for labels, number in items.items():
        counts = Counter(label for label in labels if label != UNJUDGED)
        judged = counts.total()
        if judged > 1:
            several += number
            differing[judged] += number * (judged**2 - sum(k * k for k in counts.values()))
            given.update({label: number * count for label, count in counts.items()})
    n, observed = given.total(), sum(differing[m] / (m - 1) for m in sorted(differing))
    by_chance = n * n - sum(k * k for k in given.values())
    return several, 1 - (n - 1) * observed / by_chance if by_chance else None


def patterns(labels: Labels, official: str) -> pl.DataFrame:
    """Return how many of the items that all judged have which labels, whoever gave them (Voorhees
    2003, table 2).

    A pattern has its labels in alphabetical order, such as RRX, or correct/correct/wrong; sorted by
    pattern. Empty with fewer than two assessors.
    """
    members = members_of(labels.assessors, official)
    if len(members) < 2:
        return tables.empty(PATTERNS)
    some, found = labels.only(members), Combinations()
    long = any(len(label) > 1 for combination in some.items for label in combination)
    for combination, number in some.whole.items():
        found[tuple(sorted(combination))] += number
    disputed = sum(number for labels, number in found.items() if len({*labels}) > 1)
    rows = [
        (
            members,
            ("/" * long).join(labels),
            number,
            share(number, found.total()),
            share(number, disputed) if len({*labels}) > 1 else None,
        )
        for labels, number in found.items()
    ]
    return pl.DataFrame(rows, PATTERNS, orient="row").sort("pattern")


def agreement(labels: Labels, official: str, correct: list[str]) -> pl.DataFrame:
    """Return AGREEMENT on the labels and, where some of them mean correct, also on correct or not.

    For all assessors together (see among): `disagreement`, the share of the items judged by all on
    which they differ; `disagreement_not_all_wrong`, that share among the items that not all call
    wrong; krippendorff_alpha over those judged by two or more. Then for every two assessors,
    including the official one: cohen_kappa over the items that both judged. A value is null where
    it is 0/0; with fewer than two assessors there are no rows.
    """
    members = members_of(labels.assessors, official)
    if len(members) < 2:
        return tables.empty(AGREEMENT)
    rows, scales = [], {"label": labels}
    if correct:
        read, items = {UNJUDGED: UNJUDGED} | dict.fromkeys(correct, CORRECT), Combinations()
        for combination, number in labels.items.items():
            items[tuple(read.get(label, NOT) for label in combination)] += number
        scales["correct"] = Labels(labels.assessors, items)
    for scale, scaled in scales.items():
        every = scaled.only(members)
        wrong = {labels for labels in every.whole if {*labels} <= {*WRONG}}
        for statistic, without in (("", set()), ("_not_all_wrong", wrong)):
            some = {labels: k for labels, k in every.whole.items() if labels not in without}
            disputed = sum(k for labels, k in some.items() if len({*labels}) > 1)
            n = sum(some.values())
            if correct or not statistic:
                rows.append((scale, members, f"disagreement{statistic}", n, share(disputed, n)))
        alpha = krippendorff_alpha(every.items)
        rows.append((scale, members, "krippendorff_alpha", *alpha))
        for pair in combinations(scaled.assessors, 2):
            both = scaled.only(pair).whole
            kappa = cohen_kappa({(x, y): k for (x, y), k in both.items()})
            rows.append((scale, [*pair], "cohen_kappa", sum(both.values()), kappa))
    return pl.DataFrame(rows, AGREEMENT, orient="row")
