"""How far assessors agree: label patterns, disagreements, kappa and alpha (Voorhees 2003, section 2).

Labels are a table (assessor, item, label), one row per assessor and item; an assessor may leave items out. All
statistics come from the distinct combinations of labels and the number of items that have each of them.
"""

from itertools import combinations

import numpy as np
import polars as pl

from nonresponse import tables

CORRECT, NOT = "correct", "not"
WRONG = ("W", "bad", "NO", "wrong", NOT)  # what "obviously wrong" is called, scale by scale

AGREEMENT = {
    "scale": pl.String,  # label = as the assessors gave them, correct = correct or not
    "assessors": pl.String,
    "statistic": pl.String,
    "items": pl.Int64,  # over how many items
    "value": pl.Float64,  # null = undefined
}
PATTERNS = {
    "assessors": pl.String,
    "pattern": pl.String,
    "items": pl.Int64,
    "share": pl.Float64,
    "share_of_disagreements": pl.Float64,  # null for the unanimous
}


def read_labels(judgments: pl.DataFrame) -> pl.DataFrame:
    """The labels of judgments.parquet; an item is whatever the judgments tell apart, a column of nulls nothing."""
    return numbered(judgments, [name for name in tables.JUDGMENTS_KEY if name != "assessor"])


def labels_of_references(judgments: pl.DataFrame) -> pl.DataFrame:
    """The reference answers of judgments.parquet: an item is a question, its label the answer."""
    return judgments.select("assessor", item="question", label="answer")


def labels_of_verdicts(verdicts: pl.DataFrame, trivial: tuple[str, ...] = ()) -> pl.DataFrame:
    """The labels of verdicts.parquet where responses came graded; an item is a run's response.

    What nobody graded and what a run never saw is no label; nor are the trivial runs' decisions. A response that
    every assessor has as unanswered or failed was never judged: to agree on it is no agreement.
    """
    decides = ~pl.col("run").is_in(trivial)
    given = verdicts.filter((pl.col("verdict") != "unscored") & ~pl.col("missing") & decides)
    key = ["run", "question", "candidate"]
    judged = given.filter(~pl.col("verdict").is_in(["unanswered", "error"])).select(key).unique()
    given = given.join(judged, on=key, how="semi", nulls_equal=True)
    return numbered(given.rename({"verdict": "label"}), key)


def numbered(rows: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """assessor, item and label, where an item is the number of its key; which number is arbitrary."""
    key = [name for name in key if rows[name].is_not_null().any()]
    items = rows.select(key).unique().with_row_index("item")
    return rows.join(items, on=key, nulls_equal=True).select("assessor", "item", "label")


def binary(labels: pl.DataFrame, correct: list[str]) -> pl.DataFrame:
    """The same labels, as far as scores see them: correct or not."""
    is_correct = pl.col("label").is_in(correct)
    return labels.with_columns(label=pl.when(is_correct).then(pl.lit(CORRECT)).otherwise(pl.lit(NOT)))


def among(labels: pl.DataFrame, official: str) -> list[str]:
    """The assessors to compare, sorted: without the official one where at least two others remain.

    An official set beside several others is made from them, and would agree with itself.
    """
    names = labels["assessor"].unique().sort().to_list()
    others = [name for name in names if name != official]
    return others if len(others) > 1 else names


def distinct(labels: pl.DataFrame) -> tuple[list[str], list[str], np.ndarray, np.ndarray]:
    """Assessors and labels, sorted; the combinations of labels that occur; the number of items with each.

    A combination is a row of the places of its labels, a column per assessor, −1 where one did not judge.
    """
    assessors, values = (labels[name].unique().sort().to_list() for name in ("assessor", "label"))
    places = labels.select(
        "item",
        pl.col("assessor").replace_strict(assessors, range(len(assessors)), return_dtype=pl.Int32),
        pl.col("label").replace_strict(values, range(len(values)), return_dtype=pl.Int32),
    )
    columns = [str(place) for place in range(len(assessors))]
    wide = places.pivot("assessor", index="item", values="label").fill_null(-1)
    found = wide.group_by(columns).len().sort(columns)
    return assessors, values, found.select(columns).to_numpy(), found["len"].to_numpy().astype(np.int64)


def label_counts(codes: np.ndarray, values: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Combination, label and how many assessors gave it, for the labels that occur: of references there are many."""
    combination, assessor = np.nonzero(codes >= 0)
    found, count = np.unique(combination * values + codes[combination, assessor], return_counts=True)
    return found // values, found % values, count


def whole(sums: np.ndarray) -> np.ndarray:
    """Sums of whole numbers, which bincount has as floats: exact."""
    return sums.astype(np.int64)


def differing_pairs(codes: np.ndarray, values: int) -> np.ndarray:
    """For each combination, the ordered pairs of assessors who gave different labels."""
    combination, _, count = label_counts(codes, values)
    judged = (codes >= 0).sum(axis=1)
    return judged**2 - whole(np.bincount(combination, count**2, len(codes)))


def label_totals(codes: np.ndarray, items: np.ndarray, values: int) -> np.ndarray:
    """How often each label was given."""
    combination, label, count = label_counts(codes, values)
    return whole(np.bincount(label, count * items[combination], values))


def cohen_kappa(x: np.ndarray, y: np.ndarray, items: np.ndarray, values: int) -> float:
    """Agreement of two assessors beyond chance (Cohen 1960), from their labels of combinations that both judged.

    NaN where chance alone makes them agree: no items, or one label only.
    """
    n, agreed = items.sum(), items[x == y].sum()
    by_chance = whole(np.bincount(x, items, values)) @ whole(np.bincount(y, items, values))
    with np.errstate(invalid="ignore"):
        return 1 - n * (n - agreed) / (n * n - by_chance)


def fleiss_kappa(codes: np.ndarray, items: np.ndarray, values: int) -> float:
    """Agreement of several assessors beyond chance (Fleiss 1971), from combinations of labels that all of them gave.

    NaN with no items, or one label only.
    """
    given = label_totals(codes, items, values)
    n = given.sum()
    differing = items @ differing_pairs(codes, values)
    with np.errstate(invalid="ignore"):
        return 1 - differing * n / ((codes.shape[1] - 1) * (n * n - given @ given))


def krippendorff_alpha(codes: np.ndarray, items: np.ndarray, values: int) -> float:
    """Agreement of several assessors beyond chance, nominal, some judgments missing (Krippendorff 2011, section C).

    An item with fewer than two labels says nothing. NaN with no items, or one label only.
    """
    judged = (codes >= 0).sum(axis=1)
    codes, items, judged = codes[judged > 1], items[judged > 1], judged[judged > 1]
    given = label_totals(codes, items, values)
    n = given.sum()
    differing = items * differing_pairs(codes, values)
    by_judged = np.bincount(judged, differing, minlength=2)  # summed as whole numbers first, so that no order matters
    observed = (by_judged[2:] / np.arange(1, len(by_judged) - 1)).sum()  # off the diagonal of the coincidence matrix
    with np.errstate(invalid="ignore"):
        return 1 - (n - 1) * observed / (n * n - given @ given)


def patterns(labels: pl.DataFrame, official: str) -> pl.DataFrame:
    """How many items have which labels, whoever gave them, over the items that all judged (Voorhees 2003, table 2).

    A pattern has its labels in alphabetical order, such as RRX, or correct/correct/wrong; sorted by pattern. Empty
    with fewer than two assessors.
    """
    members = among(labels, official)
    if len(members) < 2:
        return tables.empty(PATTERNS)
    assessors, values, codes, items = distinct(labels.filter(pl.col("assessor").is_in(members)))
    judged = (codes >= 0).all(axis=1)
    found, place = np.unique(np.sort(codes[judged], axis=1), axis=0, return_inverse=True)
    count = np.bincount(place.ravel(), items[judged], len(found)).astype(np.int64)
    disputed = found[:, 0] != found[:, -1]
    separator = "" if all(len(value) == 1 for value in values) else "/"
    columns = {
        "assessors": [" + ".join(assessors)] * len(found),
        "pattern": [separator.join(values[code] for code in row) for row in found],
        "items": count,
        "share": count / count.sum(),
        "share_of_disagreements": np.where(disputed, count, np.nan) / count[disputed].sum(),
    }
    return pl.DataFrame(columns, PATTERNS).with_columns(pl.col("share_of_disagreements").fill_nan(None)).sort("pattern")


def agreement(labels: pl.DataFrame, official: str, correct: list[str]) -> pl.DataFrame:
    """agreement.csv: first on the labels themselves, then on correct or not; per scale all assessors, then each two.

    Without `correct` labels, as among reference answers, on the labels only.

    Statistics of all (see among): `disagreement`, the share of the items judged by all on which not all agree;
    `disagreement_not_all_wrong`, the same of those that someone did not call wrong; fleiss_kappa over the items judged
    by all; krippendorff_alpha over those judged by two or more. Of each two, the official one included: cohen_kappa
    over the items that both judged. A value is null where it is 0/0; with fewer than two assessors there are no rows.
    """
    members = among(labels, official)
    if len(members) < 2:
        return tables.empty(AGREEMENT)
    rows = []
    scales = {"label": labels} | ({"correct": binary(labels, correct)} if correct else {})
    for scale, scaled in scales.items():
        assessors, values, codes, items = distinct(scaled)
        of_members = codes[:, [assessors.index(name) for name in members]]
        rows += [(scale, " + ".join(members), *row) for row in of_all(of_members, items, values)]
        rows += [(scale, f"{a} + {b}", *row) for a, b, *row in of_pairs(codes, items, assessors, len(values))]
    found = pl.DataFrame(rows, AGREEMENT, orient="row").with_columns(pl.col("value").fill_nan(None))
    return found if correct else found.filter(pl.col("statistic") != "disagreement_not_all_wrong")


def of_all(codes: np.ndarray, items: np.ndarray, values: list[str]) -> list[tuple]:
    """Statistic, items and value, of all assessors together."""
    several = (codes >= 0).sum(axis=1) > 1
    judged = (codes >= 0).all(axis=1)
    full, each = codes[judged], items[judged]
    disputed = (full != full[:, :1]).any(axis=1)
    not_wrong = ~np.isin(full, [place for place, value in enumerate(values) if value in WRONG]).all(axis=1)
    n, n_not_wrong = each.sum(), each[not_wrong].sum()
    with np.errstate(invalid="ignore"):
        return [
            ("disagreement", n, each[disputed].sum() / n),
            ("disagreement_not_all_wrong", n_not_wrong, each[disputed & not_wrong].sum() / n_not_wrong),
            ("fleiss_kappa", n, fleiss_kappa(full, each, len(values))),
            ("krippendorff_alpha", items[several].sum(), krippendorff_alpha(codes, items, len(values))),
        ]


def of_pairs(codes: np.ndarray, items: np.ndarray, assessors: list[str], values: int) -> list[tuple]:
    """The names of each two assessors, statistic, items and value."""
    rows = []
    for a, b in combinations(range(len(assessors)), 2):
        both = (codes[:, a] >= 0) & (codes[:, b] >= 0)
        kappa = cohen_kappa(codes[both, a], codes[both, b], items[both], values)
        rows.append((assessors[a], assessors[b], "cohen_kappa", items[both].sum(), kappa))
    return rows
