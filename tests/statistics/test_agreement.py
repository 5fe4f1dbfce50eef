"""Agreement of assessors: published worked examples, other libraries, literal loops, and a
simulated campaign."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_reliability import literal_alpha
from nonresponse import tables
from nonresponse.statistics import agreement as assessors
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL
from sklearn.metrics import cohen_kappa_score

LABELS = "RUWX"


def table(matrix: dict[str, str | list]) -> pl.DataFrame:
    """The table of labels from a row per assessor; a dot = not judged."""
    cells = [(name, *cell) for name, row in matrix.items() for cell in enumerate(row)]
    frame = pl.DataFrame(
        cells, {"assessor": pl.String, "item": pl.Int64, "label": pl.String}, orient="row"
    )
    return frame.filter(pl.col("label") != ".")


def statistics(
    matrix: dict, official="nobody", scale="label", correct=("R",)
) -> dict[tuple, tuple]:
    """(assessors, statistic) -> (items, value), on one scale."""
    found = agreement(table(matrix), official, list(correct))
    return {
        (" + ".join(row[1]), row[2]): row[3:]
        for row in found.filter(pl.col("scale") == scale).rows()
    }


def patterns(labels: pl.DataFrame, official: str) -> pl.DataFrame:
    return assessors.patterns(assessors.distinct(labels), official)


def agreement(labels: pl.DataFrame, official: str, correct: list[str]) -> pl.DataFrame:
    return assessors.agreement(assessors.distinct(labels), official, correct)


def alpha(*rows) -> float | None:
    matrix = {f"a{number}": row for number, row in enumerate(rows)}
    return statistics(matrix)[" + ".join(matrix), "krippendorff_alpha"][1]


@st.composite
def matrices(draw, assessors=(2, 4), gaps=".") -> dict[str, str]:
    """A row of labels per assessor, of few labels, so that chance agreement and gaps are
    frequent."""
    items = draw(st.integers(1, 12))
    cells = st.sampled_from(LABELS[: draw(st.integers(1, 4))] + gaps)
    names = [f"a{number}" for number in range(draw(st.integers(*assessors)))]
    return {name: "".join(draw(st.lists(cells, min_size=items, max_size=items))) for name in names}


# Published examples


def test_alpha_of_nominal_data_with_gaps():
    """Krippendorff 2011, section C: four observers, twelve units, one of them judged once, alpha =
    0.743."""
    observers = {"A": "123321412...", "B": "1233224125.3", "C": ".3332342251.", "D": "12332441251."}
    items, value = statistics(observers)["A + B + C + D", "krippendorff_alpha"]
    assert (items, round(value, 3)) == (11, 0.743)


# Other libraries, and the definitions written literally


@given(matrices(assessors=(2, 2)))
@settings(deadline=None)
def test_cohen_kappa_as_in_sklearn(matrix):
    matrix = {name: row + label for (name, row), label in zip(matrix.items(), "RW", strict=True)}
    both = [pair for pair in zip(*matrix.values(), strict=True) if "." not in pair]
    expected = cohen_kappa_score(*zip(*both, strict=True))
    assert statistics(matrix)["a0 + a1", "cohen_kappa"] == (
        len(both),
        pytest.approx(expected, abs=1e-12),
    )


@given(matrices())
@settings(deadline=None)
def test_alpha_as_defined(matrix):
    matrix = {name: row + "R" for name, row in matrix.items()}  # nobody judged nothing
    units = [
        [label for label in unit if label != "."] for unit in zip(*matrix.values(), strict=True)
    ]
    expected = literal_alpha(units)
    items, value = statistics(matrix)[" + ".join(matrix), "krippendorff_alpha"]
    assert items == sum(len(unit) > 1 for unit in units)
    assert value == (None if expected is None else pytest.approx(float(expected), abs=1e-12))


# Invariants


@given(
    st.lists(st.sampled_from(LABELS), min_size=2).filter(lambda row: len(set(row)) > 1),
    st.integers(2, 4),
)
@settings(deadline=None)
def test_perfect_agreement_is_one(row, assessors):
    found = statistics({f"a{number}": row for number in range(assessors)})
    for (_, statistic), (_, value) in found.items():
        assert value == (0 if statistic.startswith("disagreement") else 1)


# What takes part, what is undefined


def test_undefined_is_null():
    same = statistics({"one": "WW", "two": "WW"})
    assert same["one + two", "disagreement"] == (2, 0)
    assert same["one + two", "disagreement_not_all_wrong"] == (0, None)
    for statistic in ("krippendorff_alpha", "cohen_kappa"):
        assert same["one + two", statistic] == (2, None)
    apart = {"one": "RW..", "two": "..RW"}
    assert set(statistics(apart).values()) == {(0, None)}
    assert patterns(table(apart), "one").equals(tables.empty(assessors.PATTERNS))


@pytest.mark.parametrize("matrix", [{}, {"one": "RW"}])
def test_fewer_than_two_assessors(matrix):
    assert agreement(table(matrix), "one", ["R"]).equals(tables.empty(assessors.AGREEMENT))
    assert patterns(table(matrix), "one").equals(tables.empty(assessors.PATTERNS))


# From the tables of a campaign


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
    labels = assessors.labels_of_judgments(tables.complete(judgments, tables.JUDGMENTS))
    assert labels.height == 6 and labels["item"].n_unique() == 4
    assert patterns(labels, "")["pattern"].to_list() == ["UX", "WW"]


def test_only_what_somebody_graded_is_a_label():
    rows = [
        ("one", "x", "1", "correct", False),
        ("two", "x", "1", "wrong", False),
        ("one", "x", "2", "unanswered", False),
        ("two", "x", "2", "unscored", False),
        ("one", "y", "1", "unanswered", True),
        ("two", "y", "1", "wrong", False),
        ("one", ACCEPT_ALL, "1", "correct", False),
        ("two", REJECT_ALL, "1", "wrong", False),
        ("one", "z", "1", "unanswered", False),  # known to be silent, so that nobody judged it
        ("two", "z", "1", "unanswered", False),
    ]
    verdicts = pl.DataFrame(
        rows, ["assessor", "run", "question", "verdict", "missing"], orient="row"
    )
    labels = assessors.labels_of_verdicts(
        verdicts.with_columns(candidate=pl.lit("")), (ACCEPT_ALL, REJECT_ALL)
    )
    given = Counter(labels.select("assessor", "label").rows())
    assert given == {("one", "correct"): 1, ("two", "wrong"): 2}
    assert patterns(labels, "")["pattern"].to_list() == ["correct/wrong"]
