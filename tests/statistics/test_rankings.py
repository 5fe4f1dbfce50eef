"""Rankings under other judgments and by other measures: scipy, literal loops, a simulated and a
real campaign."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from conftest import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from nonresponse import measures, tables, tasks
from nonresponse.formats.counts import read_counts
from nonresponse.scoring import score, tally
from nonresponse.statistics import rankings
from nonresponse.statistics.analyses import Inputs
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL
from scipy.stats import kendalltau

# questions: scores are hundredths, so that ties and differences of exactly 0.05 and 0.07 are
# frequent
N = 100
COUNTS = st.lists(st.tuples(*[st.integers(0, 12)] * 3), min_size=2, max_size=15)


def vectors(counts: list[tuple]) -> list[np.ndarray]:
    """A vector of scores per column of counts."""
    return [np.array(column) / N for column in zip(*counts, strict=True)]


def scores(**by_assessor) -> pl.DataFrame:
    """A table of scores: per assessor the values of the runs r0, r1, ...; None = undefined."""
    rows = [
        (name, f"r{i}", value)
        for name, values in by_assessor.items()
        for i, value in enumerate(values)
    ]
    return pl.DataFrame(
        rows, {"assessor": pl.String, "run": pl.String, "value": pl.Float64}, orient="row"
    )


# Kendall's tau


@given(COUNTS)
@settings(deadline=None)
def test_tau_as_in_scipy(counts):
    x, y, _ = vectors(counts)
    expected = kendalltau(x, y).statistic
    found = rankings.kendall_tau_b(x, y)
    assert found is None if np.isnan(expected) else found == pytest.approx(expected, abs=1e-12)


def test_what_only_rounding_tells_apart_is_equal():
    x = np.array([0.1 + 0.2, 0.3, 0.5])
    assert x[0] != x[1]
    assert rankings.kendall_tau_b(x, np.array([0.3, 0.3, 0.5])) == 1
    assert not rankings.swapped(x, np.array([0.3, 0.4, 0.5])).any()


# Swaps


def literal(counts: list[tuple]) -> dict:
    """Swapped pairs of the first two columns, differences in the third, in fractions."""
    x, y, score = ([Fraction(value, N) for value in column] for column in zip(*counts, strict=True))
    pairs = [(i, j) for i, j in combinations(range(len(x)), 2) if (x[i] - x[j]) * (y[i] - y[j]) < 0]
    differences = [abs(score[i] - score[j]) for i, j in pairs]
    return {
        "swaps": len(pairs),
        "swaps_005": sum(difference >= Fraction(5, 100) for difference in differences),
        "swaps_007": sum(difference >= Fraction(7, 100) for difference in differences),
        "largest_difference": max(differences, default=None),
    }


@given(COUNTS)
@settings(deadline=None)
def test_swaps_as_defined(counts):
    found, expected = rankings.compare(*vectors(counts)), literal(counts)
    largest = expected.pop("largest_difference")
    assert {name: found[name] for name in expected} == expected
    assert found["largest_difference"] == (
        None if largest is None else pytest.approx(float(largest), abs=1e-12)
    )
    assert found["runs"] == len(counts)


def test_at_least_is_at_least():
    """0.35 − 0.30 is less than 0.05 in floats, and 0.57 − 0.50 less than 0.07."""
    assert 0.35 - 0.30 < 0.05 and 0.57 - 0.50 < 0.07
    x, y = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    five, seven = (
        rankings.compare(x, y, np.array(score)) for score in ([0.30, 0.35], [0.50, 0.57])
    )
    assert (five["swaps_005"], five["swaps_007"]) == (1, 0)
    assert (seven["swaps_005"], seven["swaps_007"]) == (1, 1)
    assert rankings.compare(x, y, np.array([0.30, 0.3499]))["swaps_005"] == 0


# The table


def test_between_assessors():
    """b swaps (r0, r1), which are 0.08 apart officially, and c nothing; r3 has no value under b."""
    table = scores(b=[0.5, 0.6, 0.1, None], official=[0.68, 0.6, 0.1, 0.9], c=[0.7, 0.6, 0.6, 0.8])
    found = rankings.between_assessors(table, measures.get("qa", "c@1"), "official")
    assert dict(found.schema) == rankings.RANKINGS
    assert found.select("compared", "measure").unique().rows() == [("assessors", "c@1")]
    assert found.select("a", "b", "runs", "swaps", "swaps_007").rows() == [
        ("official", "b", 3, 1, 1),
        ("official", "c", 4, 0, 0),
        ("b", "c", 3, 1, 1),
    ]
    assert found["largest_difference"].to_list() == [pytest.approx(0.08), None, pytest.approx(0.08)]
    assert found["tau"].to_list() == pytest.approx([1 / 3, 5 / 30**0.5, 0.0])
    # Who hands in which row first does not matter.
    assert rankings.between_assessors(
        table.reverse(), measures.get("qa", "c@1"), "official"
    ).equals(found)


@pytest.mark.parametrize("value", [0.5, None])
def test_no_ranking_is_null(value):
    table = scores(official=[0.1, 0.2], b=[value, value])
    row = rankings.between_assessors(table, measures.get("qa", "cws"), "official").row(
        0, named=True
    )
    assert row["runs"] == (0 if value is None else 2)
    assert row["tau"] is row["largest_difference"] is None and row["swaps"] == 0


def test_one_assessor_one_measure():
    table = scores(official=[0.1, 0.2])
    found = rankings.rankings(
        {"accuracy": table}, {"accuracy": measures.get("qa", "accuracy")}, "official"
    )
    assert found.equals(tables.empty(rankings.RANKINGS))
    assert rankings.against_official(found, "official").is_empty()


# Campaigns


def test_numbers_of_questions_are_ranked_as_shares(tmp_path):
    """ROMIP's official counts: of 100 questions each, 61 and 64 differ by 0.03, which is no
    difference of 0.05."""
    table = scores(official=[61.0, 64.0, 20.0, None], other=[64.0, 61.0, 20.0, 0.0])
    table = table.with_columns(worst="value", best="value")
    counts = table.select(
        "assessor", "run", n=pl.when(pl.col("run") == "r3").then(0).otherwise(100)
    )
    known = {
        "counts": counts,
        "scores/romip_good": table,
        "scores/accuracy": table.with_columns(value=1.0),
    }
    files = [tmp_path / f"{name}.parquet" for name in known]
    for frame, file in zip(known.values(), files, strict=True):
        tables.write(frame, file)
    settings = {
        "measures": ["romip_good", "accuracy"],
        "official": "official",
        "policy": tasks.POLICIES,
    }
    [found] = rankings.summarise(Inputs(files[0], scores=files[1:]), "qa", settings)
    row = found.row(by_predicate=pl.col("measure") == "romip_good", named=True)
    assert (row["runs"], row["swaps"], row["swaps_005"]) == (3, 1, 0)
    assert row["largest_difference"] == pytest.approx(0.03)


def test_a_table_of_counts_is_ranked_by_each_measure_without_its_trivial_runs(tmp_path):
    """Solovyev, table 3: the two trivial runs are named in the configuration."""
    table = HOME / "resources/solovyev-table-3/counts.csv"
    counts, faults = read_counts(table, "validation")
    assert not faults
    total, _, none = tally.from_table(counts)
    ids = ["e@2", "f@0.5"]
    files = [tmp_path / "counts.parquet", *[tmp_path / f"scores/{id}.parquet" for id in ids]]
    tables.write(total, files[0])
    for id, file in zip(ids, files[1:], strict=True):
        measure = measures.get("validation", id)
        values = score.from_counts(measure, total)
        tables.write(score.with_bounds(measure, values, score.from_counts(measure, none)), file)
    settings = {"measures": ids, "policy": tasks.POLICIES}
    [found] = rankings.summarise(Inputs(files[0], scores=files[1:]), "validation", settings)
    first = next(run for run in total["run"] if run not in (ACCEPT_ALL, REJECT_ALL))
    [fewer] = rankings.summarise(
        Inputs(files[0], scores=files[1:]), "validation", settings | {"accept_all": first}
    )
    assert fewer["runs"].to_list() == [5]
    assert found.select("compared", "runs").rows() == [("measures", 6)]
    # 11 pairs in the same order, 4 in the other
    assert found["tau"].item() == pytest.approx((11 - 4) / 15)
