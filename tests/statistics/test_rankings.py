"""Rankings under other judgments and by other measures: scipy, literal loops, a simulated and a real campaign."""

from fractions import Fraction
from itertools import combinations, permutations

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
from nonresponse.tasks.validation import ACCEPT_ALL, REJECT_ALL
from reading import DATA, needs
from scipy.stats import kendalltau
from simulated import TREC
from simulation import facts

N = 100  # questions: scores are hundredths, so that ties and differences of exactly 0.05 and 0.07 are frequent
COUNTS = st.lists(st.tuples(*[st.integers(0, 12)] * 3), min_size=2, max_size=15)


def vectors(counts: list[tuple]) -> list[np.ndarray]:
    """A vector of scores per column of counts."""
    return [np.array(column) / N for column in zip(*counts, strict=True)]


def scores(**by_assessor) -> pl.DataFrame:
    """A table of scores: per assessor the values of the runs r0, r1, ...; None = undefined."""
    rows = [(name, f"r{i}", value) for name, values in by_assessor.items() for i, value in enumerate(values)]
    return pl.DataFrame(rows, {"assessor": pl.String, "run": pl.String, "value": pl.Float64}, orient="row")


# Kendall's tau


@given(COUNTS)
@settings(deadline=None)
def test_tau_as_in_scipy(counts):
    x, y, _ = vectors(counts)
    expected = kendalltau(x, y).statistic
    found = rankings.kendall_tau_b(x, y)
    assert found is None if np.isnan(expected) else found == pytest.approx(expected, abs=1e-12)


def test_tau_by_hand():
    """Three of the ten pairs are discordant: (7 − 3) / 10. With a tie in one of them: (7 − 2) / √(9 · 10)."""
    assert rankings.kendall_tau_b(np.array([1, 2, 3, 4, 5]), np.array([3, 1, 2, 5, 4])) == pytest.approx(0.4, abs=1e-15)
    tied = rankings.kendall_tau_b(np.array([1, 2, 3, 4, 4]), np.array([3, 1, 2, 5, 4]))
    assert tied == pytest.approx(5 / 90**0.5, abs=1e-15)


@given(st.lists(st.integers(0, 12), min_size=2, max_size=15), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_tau_of_the_same_and_of_the_inverse(values, random):
    x = np.array(values) / N
    order = list(range(len(x)))
    random.shuffle(order)
    if len(set(values)) == 1:
        assert rankings.kendall_tau_b(x, x) is None
    else:
        assert rankings.kendall_tau_b(x, 3 * x + 1) == 1  # exactly: the same ties
        assert rankings.kendall_tau_b(x, -x) == -1
        assert rankings.kendall_tau_b(x, x[order]) == rankings.kendall_tau_b(x[order], x)


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
    assert found["largest_difference"] == (None if largest is None else pytest.approx(float(largest), abs=1e-12))
    for name in ("005", "007"):
        share = expected[f"swaps_{name}"] / expected["swaps"] if expected["swaps"] else None
        assert found[f"share_{name}"] == share
    assert found["runs"] == len(counts)


@given(COUNTS)
@settings(deadline=None)
def test_swapped_pairs(counts):
    x, y, _ = vectors(counts)
    matrix = rankings.swapped(x, y)
    for i, j in permutations(range(len(counts)), 2):
        assert matrix[i, j] == (counts[i][0] > counts[j][0] and counts[i][1] < counts[j][1])
    assert not matrix.diagonal().any()
    assert (rankings.swapped(y, x) == matrix.T).all()


def test_at_least_is_at_least():
    """0.35 − 0.30 is less than 0.05 in floats, and 0.57 − 0.50 less than 0.07."""
    assert 0.35 - 0.30 < 0.05 and 0.57 - 0.50 < 0.07
    x, y = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    five, seven = (rankings.compare(x, y, np.array(score)) for score in ([0.30, 0.35], [0.50, 0.57]))
    assert (five["swaps_005"], five["swaps_007"]) == (1, 0)
    assert (seven["swaps_005"], seven["swaps_007"]) == (1, 1)
    assert rankings.compare(x, y, np.array([0.30, 0.3499]))["swaps_005"] == 0


# The table


def test_between_assessors():
    """b swaps (r0, r1), which are 0.08 apart officially, and c nothing; r3 has no value under b."""
    table = scores(b=[0.5, 0.6, 0.1, None], official=[0.68, 0.6, 0.1, 0.9], c=[0.7, 0.6, 0.6, 0.8])
    found = rankings.between_assessors(table, "c@1", "official")
    assert dict(found.schema) == rankings.RANKINGS
    assert found.select("compared", "measure").unique().rows() == [("assessors", "c@1")]
    assert found.select("a", "b", "runs", "swaps", "swaps_007", "share_005").rows() == [
        ("official", "b", 3, 1, 1, 1.0),
        ("official", "c", 4, 0, 0, None),
        ("b", "c", 3, 1, 1, 1.0),
    ]
    assert found["largest_difference"].to_list() == [pytest.approx(0.08), None, pytest.approx(0.08)]
    assert found["tau"].to_list() == pytest.approx([1 / 3, 5 / 30**0.5, 0.0])
    # Who hands in which row first does not matter.
    assert rankings.between_assessors(table.reverse(), "c@1", "official").equals(found)


def test_a_swap_without_an_official_difference():
    table = scores(official=[None, 0.6, 0.1], b=[0.5, 0.6, 0.7], c=[0.7, 0.6, 0.5])
    last = rankings.between_assessors(table, "c@1", "official").row(2, named=True)
    assert (last["a"], last["b"], last["runs"], last["swaps"], last["swaps_005"]) == ("b", "c", 3, 3, 1)
    assert last["largest_difference"] == pytest.approx(0.5)


def test_between_measures():
    """Accuracy and error rank alike, one from above, the other from below; a swap's difference is in the first one."""
    tables_of = {
        "accuracy": scores(official=[0.5, 0.6, 0.1], other=[0.1, 0.2, 0.3]),
        "error": scores(official=[0.5, 0.4, 0.9], other=[0.1, 0.2, 0.3]),
        "uf": scores(official=[0.5, 0.2, 0.1], other=[0.1, 0.2, 0.3]),
    }
    higher = {"accuracy": True, "error": False, "uf": True}
    found = rankings.between_measures(tables_of, higher, "official")
    assert found.select("compared", "measure", "a", "b", "swaps").rows() == [
        ("measures", None, "accuracy", "error", 0),
        ("measures", None, "accuracy", "uf", 1),
        ("measures", None, "error", "uf", 1),
    ]
    assert found["tau"].to_list() == pytest.approx([1, 1 / 3, 1 / 3])
    assert found["largest_difference"].to_list() == [None, pytest.approx(0.1), pytest.approx(0.1)]
    back = rankings.between_measures({"uf": tables_of["uf"], "accuracy": tables_of["accuracy"]}, higher, "official")
    assert back["largest_difference"].to_list() == [pytest.approx(0.3)]
    assert back["swaps_005"].to_list() == [1]
    percent = rankings.between_measures(tables_of, higher, "official", dict.fromkeys(tables_of, 100))
    assert percent["swaps_005"].to_list() == [0, 0, 0], "of measures in percent a margin of 0.05 is 5"


def test_order_of_the_rows():
    table = scores(z=[0.1, 0.2], official=[0.1, 0.2], a=[0.1, 0.2])
    found = rankings.rankings({"uf": table, "accuracy": table}, {"uf": True, "accuracy": True}, "official", [])
    assert found.select("measure", "a", "b").rows() == [
        *[("uf", "official", "a"), ("uf", "official", "z"), ("uf", "a", "z")],
        *[("accuracy", "official", "a"), ("accuracy", "official", "z"), ("accuracy", "a", "z")],
        (None, "uf", "accuracy"),
    ]


def test_trivial_runs_stay_out():
    trivial = [ACCEPT_ALL, REJECT_ALL]
    table = scores(official=[0.1, 0.2, 0.9, 0.0], b=[0.1, 0.2, 0.0, 0.9])
    table = table.with_columns(pl.col("run").replace(["r2", "r3"], trivial))
    assert rankings.rankings({"e@2": table}, {"e@2": False}, "official", trivial)["tau"].to_list() == [1.0]
    assert rankings.rankings({"e@2": table}, {"e@2": False}, "official", [])["runs"].to_list() == [4]


@pytest.mark.parametrize("value", [0.5, None])
def test_no_ranking_is_null(value):
    table = scores(official=[0.1, 0.2], b=[value, value])
    row = rankings.between_assessors(table, "cws", "official").row(0, named=True)
    assert row["runs"] == (0 if value is None else 2)
    assert row["tau"] is row["share_005"] is row["largest_difference"] is None and row["swaps"] == 0


def test_one_assessor_one_measure():
    table = scores(official=[0.1, 0.2])
    found = rankings.rankings({"accuracy": table}, {"accuracy": True}, "official", [])
    assert found.equals(tables.empty(rankings.RANKINGS))
    assert rankings.against_official(found, "official").is_empty()


def test_against_official():
    table = scores(official=[0.1, 0.16, 0.3], b=[0.2, 0.1, 0.3], c=[0.1, 0.2, 0.3])
    found = rankings.rankings({"cws": table}, {"cws": True}, "official", [])
    [row] = rankings.against_official(found, "official").rows()
    assert row == ("cws", ["b", "c"], 2, pytest.approx((1 / 3 + 1) / 2), 1, 1, 0, pytest.approx(0.06))


# Campaigns


def test_simulated_trec_as_counted_from_its_files():
    """Voorhees 2003, section 3: mean tau 0.930 and 0.945, 177 swaps, 4 of at least 0.05, none of at least 0.07."""
    labels = facts.trec_labels(TREC)
    runs, correct, _ = facts.trec_correct(TREC, labels)
    by_measure = {"cws": facts.confidence_weighted, "accuracy": lambda right: right.mean(1)}
    names = [f"r{i}" for i in range(len(runs))]
    table = {id: scores(**{name: of(right) for name, right in correct.items()}) for id, of in by_measure.items()}
    assert table["cws"]["run"].unique().sort().to_list() == sorted(names)
    found = rankings.rankings(table, {"cws": True, "accuracy": True}, "adjudicated", [])
    cws, accuracy = rankings.against_official(found, "adjudicated").iter_rows(named=True)
    counted = {fact.name: fact.achieved for fact in facts.trec_facts(TREC)}
    assert f"{cws['mean_tau']:.3f}" == counted["mean tau with the adjudicated ranking (cws)"]
    assert f"{accuracy['mean_tau']:.3f}" == counted["mean tau with the adjudicated ranking (number correct)"]
    assert str(cws["swaps"]) == counted["swaps (cws)"]
    assert str(cws["swaps_005"]) == counted["of those with a difference of at least 0.05"]
    assert str(cws["swaps_007"]) == counted["of those with a difference of at least 0.07"]
    assert f"{found['tau'].last():.3f}" == counted["tau between cws and accuracy"]
    assert cws["assessors"] == [*facts.ASSESSORS]


@needs("nq301")
def test_nq301_ranked_by_the_second_annotator():
    """12 systems: over the answers that both judged, and with an answer that nobody judged taken as wrong."""
    matrix = pl.read_csv(DATA / "nq301/nq301_matrix.csv", infer_schema=False)
    both = matrix.filter(pl.col("final").is_not_null() & pl.col("annotator2").is_not_null())
    found = []
    for rows in both, matrix:
        shares = rows.group_by("system").agg((pl.col("final", "annotator2") == "Yes").sum() / pl.len())
        table = shares.unpivot(index="system", variable_name="assessor").rename({"system": "run"})
        [row] = rankings.between_assessors(table, "accuracy", "final").iter_rows(named=True)
        assert (row["a"], row["b"], row["runs"]) == ("final", "annotator2", 12)
        found.append(row["tau"])
    assert found == pytest.approx([0.809, 0.80], abs=0.005)
    assert found[0] == pytest.approx(0.809, abs=5e-4)


def test_numbers_of_questions_are_ranked_as_shares(tmp_path):
    """ROMIP's official counts: of 100 questions each, 61 and 64 differ by 0.03, which is no difference of 0.05."""
    from nonresponse.statistics import rankings

    table = scores(official=[61.0, 64.0, 20.0, None], other=[64.0, 61.0, 20.0, 0.0])
    table = table.with_columns(worst="value", best="value")
    counts = table.select("assessor", "run", n=pl.when(pl.col("run") == "r3").then(0).otherwise(100))
    known = {"counts": counts, "scores/romip_good": table, "scores/accuracy": table.with_columns(value=1.0)}
    files = [tmp_path / f"{name}.parquet" for name in known]
    for frame, file in zip(known.values(), files, strict=True):
        tables.write(frame, file)
    settings = {"measures": ["romip_good", "accuracy"], "official": "official", "policy": tasks.POLICIES}
    [found] = rankings.summarise(files, "qa", settings)
    row = found.row(by_predicate=pl.col("measure") == "romip_good", named=True)
    assert (row["runs"], row["swaps"], row["swaps_005"]) == (3, 1, 0)
    assert row["largest_difference"] == pytest.approx(0.03)


def test_a_table_of_counts_is_ranked_by_each_measure_without_its_trivial_runs(tmp_path):
    """Solovyev, table 3: the two trivial runs are named in the configuration."""
    table = HOME / "resources/solovyev-table-3/counts.csv"
    counts, faults = read_counts(table, "validation")
    assert not faults
    counts = counts.with_columns(pl.col("run").replace({"reject-all": "no", "accept-all": "yes"}))
    total, _, none = tally.from_table(counts)
    ids = ["e@2", "f@0.5"]
    files = [tmp_path / "counts.parquet", *[tmp_path / f"scores/{id}.parquet" for id in ids]]
    tables.write(total, files[0])
    for id, file in zip(ids, files[1:], strict=True):
        measure = measures.get("validation", id)
        values = score.from_counts(measure, total)
        tables.write(score.with_bounds(measure, values, score.from_counts(measure, none)), file)
    named = {"measures": ids, "reject_all": "no", "policy": tasks.POLICIES}
    [found] = rankings.summarise(files, "validation", named)
    assert found["runs"].to_list() == [7]
    [found] = rankings.summarise(files, "validation", named | {"accept_all": "yes"})
    assert found.select("compared", "runs").rows() == [("measures", 6)]
    assert found["tau"].item() == pytest.approx((11 - 4) / 15)  # 11 pairs in the same order, 4 in the other
