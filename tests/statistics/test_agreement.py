"""Agreement of assessors: published examples, other libraries, literal loops."""

from collections import Counter

import polars as pl
import pytest
from nonresponse import tables, tasks
from nonresponse.statistics import agreement as assessors
from nonresponse.statistics import pooling
from nonresponse.statistics.analyses import Inputs
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL
from pipeline import Campaign, make_graded


def table(matrix: dict[str, str | list]) -> pl.DataFrame:
    """The table of labels from a row per assessor; a dot = not judged."""
    cells = [(name, *cell) for name, row in matrix.items() for cell in enumerate(row)]
    frame = pl.DataFrame(
        cells, {"assessor": pl.String, "item": pl.Int64, "label": pl.String}, orient="row"
    )
    return frame.filter(pl.col("label") != ".")


def statistics(matrix: dict) -> dict[tuple, tuple]:
    """(assessors, statistic) -> (items, value), of the labels."""
    rows = agreement(table(matrix), "nobody").filter(scale="label").rows()
    return {(" + ".join(names), name): values for _, names, name, *values in map(tuple, rows)}


def patterns(labels: pl.DataFrame, official: str) -> pl.DataFrame:
    return assessors.count_patterns(assessors.count_combinations(labels), official)


def agreement(labels: pl.DataFrame, official: str) -> pl.DataFrame:
    return assessors.measure_agreement(assessors.count_combinations(labels), official, ["R"])


def test_alpha_of_nominal_data_with_gaps():
    """Krippendorff 2011, section C: four observers, twelve units, alpha = 0.743."""
    observers = {"A": "123321412...", "B": "1233224125.3", "C": ".3332342251.", "D": "12332441251."}
    items, value = statistics(observers)["A + B + C + D", "krippendorff_alpha"]
    assert (items, round(value, 3)) == (11, 0.743)


def test_undefined_is_null():
    unanimous = statistics({"one": "WW", "two": "WW"})
    assert unanimous["one + two", "disagreement_not_all_wrong"] == [0, None]
    for statistic in ("krippendorff_alpha", "cohen_kappa"):
        assert unanimous["one + two", statistic] == [2, None]
    disjoint = {"one": "RW..", "two": "..RW"}
    assert all(values == [0, None] for values in statistics(disjoint).values())
    for matrix in ({}, {"one": "RW"}, disjoint):
        assert patterns(table(matrix), "one").equals(tables.make_empty(assessors.PATTERNS))
    assert agreement(table({"one": "RW"}), "one").equals(tables.make_empty(assessors.AGREEMENT))


def test_an_item_is_all_that_judgments_tell_apart():
    """Two documents with the same answer are two items, and so is a document without an answer."""
    rows = [
        ("one", "1", "d", "a", "R"),
        ("one", "1", "e", "a", "U"),
        ("one", "1", "d", None, "W"),
        ("two", "1", "e", "a", "X"),
        ("two", "1", "d", None, "W"),
        ("two", "2", "d", "a", "R"),
    ]
    judgments = pl.DataFrame(
        rows, ["assessor", "question", "document", "answer", "label"], orient="row"
    )
    labels = assessors.label_judgments(tables.complete(judgments, tables.JUDGMENTS))
    assert labels.height == 6 and labels["item"].n_unique() == 4
    assert patterns(labels, "")["pattern"].to_list() == ["UX", "WW"]


def test_only_what_somebody_graded_is_a_label():
    rows = [
        ("x", "1", False, "correct", "wrong"),
        ("x", "2", False, "unanswered", "unscored"),
        ("y", "1", True, "unanswered", None),
        ("y", "1", False, None, "wrong"),
        (ACCEPT_ALL, "1", False, "correct", None),
        (REJECT_ALL, "1", False, None, "wrong"),
        ("z", "1", False, "unanswered", "unanswered"),  # known to be silent, so nobody judged it
    ]
    frame = pl.DataFrame(rows, ["run", "question", "missing", "one", "two"], orient="row")
    verdicts = frame.unpivot(["one", "two"], index=["run", "question", "missing"])
    verdicts = verdicts.rename({"variable": "assessor", "value": "verdict"}).drop_nulls("verdict")
    verdicts = verdicts.with_columns(candidate=pl.lit(""))
    labels = assessors.label_verdicts(verdicts, (ACCEPT_ALL, REJECT_ALL))
    counts = Counter(labels.select("assessor", "label").rows())
    assert counts == {("one", "correct"): 1, ("two", "wrong"): 2}
    assert patterns(labels, "")["pattern"].to_list() == ["correct/wrong"]


def test_nothing_that_one_run_found_alone(tmp_path):
    rows = [{"question": "q", "answer": "x"}]
    campaign = Campaign(tmp_path).evaluate_runs(
        {"a": rows, "b": rows}, {"gold": [{"question": "q", "answer": "x", "label": "R"}]}
    )
    settings = {"measures": ["c@1"], "correct": ["R"], "partial": [], "policy": tasks.POLICIES}
    responses = sorted((tmp_path / "responses").glob("*.parquet"))
    pool = [campaign.verdicts, tmp_path / "judgments.parquet", *responses]
    [table] = pooling.summarise(Inputs(pool=pool), "qa", settings)
    assert table.is_empty() and table.schema == pooling.POOLING
    assert campaign.score("c@1", "a") == 1


@pytest.mark.parametrize(
    ("ann", "bob", "columns", "disagreement"),
    [
        ("CCWWCN", "CWWWCC", {"question": "aaabbb", "epoch": "123123"}, [(6, 2 / 6)]),
        ("CWWW", "CWCW", {"question": "aabb", "rank": "1212"}, [(2, 0.5)]),
        ("NE.", "NE.", {}, []),  # nothing was judged
        ("CCWW", None, {"question": "aabb", "epoch": "1212"}, []),  # by one alone
    ],
)
def test_disagreement_on_graded_responses(tmp_path, ann, bob, columns, disagreement):
    """Each epoch is a response of its own; of several ranks the verdict on the question counts."""
    grades = {"ann": ann} | ({"bob": bob} if bob else {})
    campaign = make_graded(tmp_path, {"a": grades}, "ann", **columns)
    labels, _ = assessors.summarise(Inputs(labels=[campaign.verdicts]), "qa", {"official": "ann"})
    rows = labels.filter(scale="label", statistic="disagreement").select("items", "value").rows()
    assert rows == disagreement
