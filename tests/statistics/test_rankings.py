"""Rankings under other judgments and by other measures: SciPy and real campaigns."""

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


def scores(**assessors) -> pl.DataFrame:
    """A table of scores: per assessor the values of the runs r0, r1, ...; None = undefined."""
    rows = [
        (name, f"r{i}", value)
        for name, values in assessors.items()
        for i, value in enumerate(values)
    ]
    return pl.DataFrame(
        rows, {"assessor": pl.String, "run": pl.String, "value": pl.Float64}, orient="row"
    )


@given(COUNTS)
@settings(deadline=None)
def test_tau_as_in_scipy(counts):
    x, y, _ = vectors(counts)
    expected = kendalltau(x, y).statistic
    tau = rankings.kendall_tau_b(x, y)
    assert tau is None if np.isnan(expected) else tau == pytest.approx(expected, abs=1e-12)


def test_what_only_rounding_tells_apart_is_equal():
    x = np.array([0.1 + 0.2, 0.3, 0.5])
    assert x[0] != x[1]
    assert rankings.kendall_tau_b(x, np.array([0.3, 0.3, 0.5])) == 1
    assert not rankings.find_swapped(x, np.array([0.3, 0.4, 0.5])).any()


def test_numbers_of_questions_are_ranked_as_shares(tmp_path):
    """ROMIP's counts: of 100 questions, 61 and 64 differ by 0.03, which is below 0.05."""
    table = scores(official=[61.0, 64.0, 20.0, None], other=[64.0, 61.0, 20.0, 0.0])
    table = table.with_columns(worst="value", best="value")
    counts = table.select(
        "assessor", "run", n=pl.when(pl.col("run") == "r3").then(0).otherwise(100)
    )
    frames = {"counts": counts, "scores/romip_good": table}
    frames |= {"scores/accuracy": table.with_columns(value=1.0)}
    files = [tmp_path / f"{name}.parquet" for name in frames]
    for frame, file in zip(frames.values(), files, strict=True):
        tables.write(frame, file)
    settings = {"measures": ["romip_good", "accuracy"], "policy": tasks.POLICIES}
    settings |= {"official": "official"}
    [table] = rankings.summarise(Inputs(files[0], scores=files[1:]), "qa", settings)
    row = table.row(by_predicate=pl.col("measure") == "romip_good", named=True)
    assert (row["runs"], row["swaps"], row["swaps_005"]) == (3, 1, 0)
    assert row["largest_difference"] == pytest.approx(0.03)


def test_a_table_of_counts_is_ranked_by_each_measure_without_its_trivial_runs(tmp_path):
    """Solovyev, table 3: the two trivial runs are named in the configuration."""
    counts, faults = read_counts(HOME / "resources/solovyev-table-3/counts.csv", "validation")
    assert not faults
    total, _, variants = tally.adopt_table(counts)
    ids = ["e@2", "f@0.5"]
    files = [tmp_path / "counts.parquet", *[tmp_path / f"scores/{id}.parquet" for id in ids]]
    tables.write(total, files[0])
    for id, file in zip(ids, files[1:], strict=True):
        measure = measures.get("validation", id)
        values = score.evaluate_counts(measure, total)
        tables.write(
            score.add_bounds(measure, values, score.evaluate_counts(measure, variants)), file
        )
    settings = {"measures": ids, "policy": tasks.POLICIES}
    [table] = rankings.summarise(Inputs(files[0], scores=files[1:]), "validation", settings)
    run_name = next(run for run in total["run"] if run not in (ACCEPT_ALL, REJECT_ALL))
    [fewer] = rankings.summarise(
        Inputs(files[0], scores=files[1:]), "validation", settings | {"accept_all": run_name}
    )
    assert fewer["runs"].to_list() == [5]
    assert table.select("compared", "runs").rows() == [("measures", 6)]
    # 11 pairs in the same order, 4 in the other
    assert table["tau"].item() == pytest.approx((11 - 4) / 15)
