"""How far assessors agree: label patterns, kappa and alpha (Voorhees 2003, section 2).

Labels are a table (assessor, item, label). An assessor may leave items out. All statistics come
from the distinct combinations of labels, and the number of items that have each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl

from nonresponse import tables, tasks
from nonresponse.judging.store import read_verdicts
from nonresponse.settings import Settings
from nonresponse.statistics.analyses import Inputs

Combination = tuple[str, ...]
Combinations = Counter[Combination]
UNJUDGED = "\0"  # where an assessor has no label
CORRECT, INCORRECT = "correct", "not"
WRONG = ("W", "bad", "NO", "wrong", INCORRECT)  # what "obviously wrong" is called, scale by scale

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


def summarise(inputs: Inputs, task: str, settings: Settings) -> list[pl.DataFrame]:
    """Return AGREEMENT and PATTERNS of the judgments or, where responses came graded, of verdicts.

    Patterns of reference answers are not counted: there are as many as answers.
    """
    [labels_file], record, correct = inputs.labels, tasks.get(task), settings.get("correct", [])
    graded = labels_file.suffix == ".npz"
    rows = read_verdicts(labels_file).scan() if graded else tables.scan_parquet(labels_file)
    if rows.select(pl.col("assessor").n_unique() < 2).collect().item():
        return [tables.make_empty(AGREEMENT), tables.make_empty(PATTERNS)]
    table = tables.spell(rows.collect())
    if record.references:
        labels = table.select("assessor", item="question", label="answer")
    elif correct:
        labels = label_judgments(table)
    else:
        labels, correct = label_verdicts(table, record.trivial), ["correct"]
    combined, official = count_combinations(labels), settings.get("official", "")
    pattern_table = (
        tables.make_empty(PATTERNS) if record.references else count_patterns(combined, official)
    )
    return [measure_agreement(combined, official, correct), pattern_table]


def label_judgments(judgments: pl.DataFrame) -> pl.DataFrame:
    """Return the labels of judgments.parquet. An item is what judgments are keyed by."""
    return number_items(judgments, [name for name in tables.JUDGMENTS_KEY if name != "assessor"])


def label_verdicts(verdicts: pl.DataFrame, trivial: tuple[str, ...] = ()) -> pl.DataFrame:
    """Return the labels of verdicts where responses came graded. An item is a run's response.

    Ungraded responses, questions that a run never saw, and trivial runs give no labels. Nor do
    responses that nobody had to judge (`select_judgeable`).
    """
    graded = (pl.col("verdict") != "unscored") & ~pl.col("missing")
    rows = verdicts.lazy().filter(graded, ~pl.col("run").is_in(trivial))
    key = find_response_key(verdicts.columns)
    judgeable = select_judgeable(rows, key).collect()
    return number_items(judgeable.rename({"verdict": "label"}), key)


def find_response_key(columns: Iterable[str]) -> list[str]:
    """Return the columns of verdicts that identify a response, whoever judged it."""
    return [name for name in ("run", "question", "epoch", "candidate") if name in columns]


def select_judgeable(rows: pl.LazyFrame, key: list[str]) -> pl.LazyFrame:
    """Return the verdicts on responses that assessors had to judge.

    A response that is unanswered or failed for every assessor was never judged. Agreeing on it is
    no agreement. But if assessors differ on whether some response is an answer, deciding this was
    part of their task, and unanswered responses count as judged. The same holds if an assessor has
    no verdict on an unanswered or failed response, as where people judged a sample: else the sample
    alone would lose the responses that all call unanswered.
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
    responses = rows.group_by(key).agg(
        unanswered=unanswered.n_unique() > 1, error=failed.any() & lacking.any()
    )
    decided = responses.select(pl.col("unanswered", "error").any()).collect().row(0, named=True)
    undecided = [verdict for verdict, decision in decided.items() if not decision]
    judgeable = rows.filter(~pl.col("verdict").is_in(undecided)).select(key).unique()
    return rows.join(judgeable, on=key, how="semi", nulls_equal=True)


def number_items(rows: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Return assessor, item and label, items numbered by their key without columns of nulls."""
    key = [name for name in key if rows[name].is_not_null().any()] or key
    items = rows.select(key).unique().with_row_index("item")
    return rows.join(items, on=key, nulls_equal=True).select("assessor", "item", "label")


def choose_members(assessors: list[str], official: str) -> list[str]:
    """Return the assessors to compare: without the official one where at least two others remain.

    An official set beside several others is made from them: their labels would be compared with
    themselves.
    """
    members = [name for name in assessors if name != official]
    return members if len(members) > 1 else assessors


@dataclass(frozen=True)
class Labels:
    """How many items have each combination of labels, one per assessor, UNJUDGED where one
    did not judge."""

    assessors: list[str]  # sorted
    items: dict[Combination, int]

    def select(self, assessors: Sequence[str]) -> Labels:
        """Return the labels of these assessors."""
        positions = [self.assessors.index(name) for name in assessors]
        items = Combinations()
        for combination, number in self.items.items():
            items[tuple(combination[position] for position in positions)] += number
        return Labels([*assessors], items)

    @property
    def complete(self) -> dict[Combination, int]:
        """The combinations in which every assessor has a label."""
        return {labels: number for labels, number in self.items.items() if UNJUDGED not in labels}


def count_combinations(labels: pl.DataFrame) -> Labels:
    """Return the combinations that occur in a table of assessor, item and label."""
    assessors = labels["assessor"].unique().sort().to_list()
    columns = [str(index) for index in range(len(assessors))]
    assessor = pl.col("assessor").replace_strict(assessors, columns, return_dtype=pl.String)
    wide = labels.with_columns(assessor).pivot("assessor", index="item", values="label")
    counts = wide.group_by(columns).len() if columns else wide.with_columns(len=0)
    rows = counts.select(pl.col(columns).fill_null(UNJUDGED)).rows()
    return Labels(assessors, dict(zip(rows, counts.get_column("len"), strict=True)))


def compute_share(part: int, total: int) -> float | None:
    """Return a share; null where it is 0/0."""
    return part / total if total else None


def cohen_kappa(pairs: Mapping[tuple[str, str], int]) -> float | None:
    """Return Cohen's kappa of two assessors, from how often each pair of labels was given."""
    items: dict[Combination, int] = dict(pairs.items())
    _, [[_, kappa], _] = compute_kappas(Labels(["", ""], items))
    return None if np.isnan(kappa) else float(kappa)


def compute_kappas(labels: Labels) -> tuple[np.ndarray, np.ndarray]:
    """Return how many items every two assessors both judged, and their Cohen's kappa (1960):
    (assessors, assessors).

    Kappa is NaN where chance alone makes them agree: no items, or one label only.
    """
    names = sorted({label for combination in labels.items for label in combination} - {UNJUDGED})
    code = {UNJUDGED: -1} | {name: number for number, name in enumerate(names)}
    given = np.array([[code[label] for label in combination] for combination in labels.items])
    times = np.array([*labels.items.values()], np.float64)[:, None]
    judged = (given >= 0).astype(np.float64)
    number = judged.T @ (times * judged)
    agreed, chance = np.zeros_like(number), np.zeros_like(number)
    for label in range(len(names)):
        gave = (given == label).astype(np.float64)
        agreed += gave.T @ (times * gave)
        given_by_first = gave.T @ (times * judged)  # among the items that both judged
        chance += given_by_first * given_by_first.T
    with np.errstate(invalid="ignore", divide="ignore"):
        kappa = 1 - number * (number - agreed) / (number**2 - chance)
    return number, np.where(np.isfinite(kappa), kappa, np.nan)


def krippendorff_alpha(items: Mapping[Combination, int]) -> tuple[int, float | None]:
    """Return the number of items with two labels or more, and the agreement of several assessors
    beyond chance, nominal, some judgments missing (Krippendorff 2011, section C).

    An item with a single label has no pair to compare. Null with no items, or one label only.
    """
    totals, disagreements, compared = Counter[str](), Counter[int](), 0
    for labels, number in items.items():
        counts = Counter(label for label in labels if label != UNJUDGED)
        size = counts.total()
        if size > 1:
            compared += number
            disagreements[size] += number * (size**2 - sum(k * k for k in counts.values()))
            totals.update({label: number * count for label, count in counts.items()})
    n, observed = totals.total(), sum(disagreements[m] / (m - 1) for m in sorted(disagreements))
    expected = n * n - sum(k * k for k in totals.values())
    return compared, 1 - (n - 1) * observed / expected if expected else None


def count_patterns(labels: Labels, official: str) -> pl.DataFrame:
    """Return how many items judged by all have which labels (Voorhees 2003, table 2).

    A pattern has its labels in alphabetical order, such as RRX, or correct/correct/wrong; sorted by
    pattern. Empty with fewer than two assessors.
    """
    members = choose_members(labels.assessors, official)
    if len(members) < 2:
        return tables.make_empty(PATTERNS)
    member_labels = labels.select(members)
    long = any(len(label) > 1 for combination in member_labels.items for label in combination)
    counts = Combinations()
    for combination, number in member_labels.complete.items():
        counts[tuple(sorted(combination))] += number
    disputed = sum(k for combination, k in counts.items() if len({*combination}) > 1)
    rows = []
    for combination, number in counts.items():
        differ = len({*combination}) > 1
        pattern = ("/" * long).join(combination)
        part = compute_share(number, counts.total())
        rows.append(
            (members, pattern, number, part, compute_share(number, disputed) if differ else None)
        )
    return pl.DataFrame(rows, PATTERNS, orient="row").sort("pattern")


def measure_agreement(labels: Labels, official: str, correct: list[str]) -> pl.DataFrame:
    """Return AGREEMENT on the labels and, where some of them mean correct, also on correct or not.

    Of all members (`choose_members`): `disagreement`, the share of the items judged by all
    on which they differ; `disagreement_not_all_wrong`, that share among the items that not all call
    wrong. krippendorff_alpha over those judged by two or more. Then for every two assessors,
    including the official one: cohen_kappa over the items that both judged. A value is null where
    it is 0/0. With fewer than two assessors there are no rows.
    """
    members = choose_members(labels.assessors, official)
    if len(members) < 2:
        return tables.make_empty(AGREEMENT)
    rows, scales = [], {"label": labels}
    if correct:
        binary = {UNJUDGED: UNJUDGED} | dict.fromkeys(correct, CORRECT)
        items = Combinations()
        for combination, number in labels.items.items():
            items[tuple(binary.get(label, INCORRECT) for label in combination)] += number
        scales["correct"] = Labels(labels.assessors, items)
    for scale, scaled in scales.items():
        compared = scaled.select(members)
        complete = compared.complete
        rows.append((scale, members, "disagreement", *count_disputed(complete)))
        if correct:
            doubtful = {labels: k for labels, k in complete.items() if not {*labels} <= {*WRONG}}
            rows.append((scale, members, "disagreement_not_all_wrong", *count_disputed(doubtful)))
        rows.append((scale, members, "krippendorff_alpha", *krippendorff_alpha(compared.items)))
        judged, kappa = compute_kappas(scaled)
        for x, y in combinations(range(len(scaled.assessors)), 2):
            pair = [scaled.assessors[x], scaled.assessors[y]]
            rows.append((scale, pair, "cohen_kappa", int(judged[x, y]), float(kappa[x, y])))
    return pl.DataFrame(rows, AGREEMENT, orient="row").with_columns(pl.col("value").fill_nan(None))


def count_disputed(items: Mapping[Combination, int]) -> tuple[int, float | None]:
    """Return the number of items, and the share of them on which assessors differ."""
    number = sum(items.values())
    return number, compute_share(
        sum(k for labels, k in items.items() if len({*labels}) > 1), number
    )
