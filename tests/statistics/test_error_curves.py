"""Error rate and question-set size: known curves, the rule of Voorhees 2003, and what cannot be told."""

import csv
import warnings
from math import ceil, log

import numpy as np
import polars as pl
import pytest
import scipy.optimize
from conftest import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_reliability import campaign
from nonresponse import measures
from nonresponse.statistics import SMALLEST_SIZE, error_curves
from nonresponse.statistics.error_curves import fit, questions_needed, required_difference, with_curves
from validation.curves import FITTED, LOWER, SCHEMA, counted, falling

pytestmark = pytest.mark.filterwarnings("error")

# Voorhees 2003, sections 3 and 4
PUBLISHED = (HOME / "resources/published/voorhees-2003-facts.csv").read_text(encoding="utf-8")
FACTS = {row["fact"]: float(row["value"]) for row in csv.DictReader(PUBLISHED.splitlines())}


def through(rates: dict[float, float], n: int, a1=0.45):
    """Curves that have the given error rate at n; other bins are never swapped."""
    return lambda lower, size: rates[lower] * (a1 / rates[lower]) ** (1 - size / n) if lower in rates else 0 * size


def only(frame: pl.DataFrame, lower: float) -> dict:
    return frame.filter(pl.col("lower") == lower).row(0, named=True)


def needed(fits, difference=0.05, level=0.05, n=500) -> dict:
    return questions_needed(fits, [difference], level, n).row(0, named=True)


def cannot_tell(row: dict) -> str:
    assert (row["questions"], row["lower"], row["upper"]) == (None, None, None)
    assert row["remark"]
    return row["remark"]


# Known curves


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.floats(0.06, 1.0), st.floats(0.0005, 0.03))
def test_an_exact_curve_is_found(a1, a2):
    fits = fit(counted(falling(a1, a2))).drop_nulls("a1")
    assert fits["lower"].to_list() == FITTED
    assert fits["a1"].to_numpy() == pytest.approx(a1, rel=1e-6)
    assert fits["a2"].to_numpy() == pytest.approx(a2, rel=1e-6)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.floats(0.06, 1.0), st.floats(0.002, 0.03), st.sampled_from([0.01, 0.05]))
def test_the_questions_needed_are_those_of_the_formula(a1, a2, level):
    row = needed(fit(counted(falling(a1, a2))), 0.07, level)
    exact = log(a1 / level) / a2
    assert row["questions"] == pytest.approx(max(ceil(exact), 21), abs=1 if abs(exact - round(exact)) < 1e-3 else 0)
    assert row["lower"] <= row["questions"] <= row["upper"] <= row["lower"] + 1


@pytest.mark.parametrize("factor", [1, 1.6])
def test_a_sampled_curve_is_found(factor):
    fits = fit(counted(falling(0.42, 0.005), 400, rng=np.random.default_rng(7), factor=factor)).drop_nulls("a1")
    assert fits.height == len(FITTED)
    off = fits.select(
        (pl.col("a1") - 0.42) / pl.col("variance_a1").sqrt(), (pl.col("a2") - 0.005) / pl.col("variance_a2").sqrt()
    )
    assert (np.abs(off.to_numpy()) < 4).all()
    assert 0.5 < float(np.std(off.to_numpy())) < 1.6
    assert fits["a1"].mean() == pytest.approx(0.42, rel=0.02)
    assert fits["a2"].mean() == pytest.approx(0.005, rel=0.02)


def test_what_varies_more_has_a_wider_interval():
    """Dependence between comparisons shows in the scatter, and so in the interval."""
    widths = []
    for factor in (1, 6):
        fits = fit(counted(falling(0.45, 0.004), 400, rng=np.random.default_rng(1), factor=factor))
        widths.append(questions_needed(fits, FITTED, 0.05, 500).select(pl.col("upper") - pl.col("lower")).mean().item())
    assert widths[1] / widths[0] == pytest.approx(6**0.5, rel=0.3)


def test_sizes_with_many_comparisons_count_for_more():
    exact = counted(falling(0.4, 0.01), 10**6)
    doubtful = pl.col("size") % 10 == 0
    spoilt = exact.with_columns(
        comparisons=pl.when(doubtful).then(1).otherwise("comparisons"),
        swaps=pl.when(doubtful).then(1).otherwise("swaps"),
    )
    assert only(fit(spoilt), 0.05)["a2"] == pytest.approx(0.01, rel=1e-3)


def test_a_stray_swap_in_the_tail_moves_little():
    swaps = counted(falling(0.4, 0.08), 500)
    stray = swaps.with_columns(swaps=pl.col("swaps") + (pl.col("size") == 250).cast(pl.Int64))
    assert only(fit(stray), 0.05)["a2"] == pytest.approx(only(fit(swaps), 0.05)["a2"], rel=0.02)


# The rule of Voorhees 2003


def test_the_published_facts_are_the_settings():
    assert FACTS["smallest question-set size used in the fit (sizes must exceed)"] == SMALLEST_SIZE
    assert FACTS["difference bins"] == len(LOWER)


def test_the_published_required_difference():
    """Voorhees 2003, section 4: 8 % at 500 questions for 0.05, and below 5 % from 0.07 on."""
    n = int(FACTS["questions"])
    eight = FACTS["error rate at 500 questions for a difference of 0.05 (extrapolated)"]
    required = FACTS["smallest difference with an extrapolated error rate below 0.05 at 500 questions"]
    rates = dict(zip(FITTED, [0.30, 0.22, 0.16, 0.11, eight, 0.06, 0.045, *np.linspace(0.04, 0.001, 8)], strict=True))
    swaps = counted(through(rates, n))
    fits = fit(swaps)
    assert required_difference(fits, n) == required == 0.07
    at_n = with_curves(swaps, fits, n).filter(pl.col("size") == n)
    assert only(at_n, 0.05)["fitted"] == pytest.approx(eight, rel=1e-6)
    rows = questions_needed(fits, FITTED, 0.05, n)
    enough = rows.filter(pl.col("questions") <= n)["difference"].to_list()
    assert enough == [lower for lower in FITTED if lower >= 0.07]


def test_the_first_bin_and_large_differences_are_never_fitted():
    """Voorhees 2003, section 4: none "where differences were greater than 0.16", as those from 0.16 to 0.17 are."""
    fits = fit(counted(falling(0.4, 0.005)))
    last = FACTS["difference above which no curve was fitted"]
    assert fits.filter(pl.col("a1").is_not_null())["lower"].max() == pytest.approx(last - 0.01)
    assert only(fits, last)["unfitted"] == f"differences from {last:g} up are never fitted"
    assert fits["lower"].to_list() == LOWER
    assert fits.filter(pl.col("a1").is_null())["lower"].to_list() == [0.0, 0.16, 0.17, 0.18, 0.19, 0.2]
    assert fits.select(pl.col("a1").is_null() == (pl.col("unfitted") != "")).to_series().all()
    assert fits.filter(pl.col("unfitted") != "").select("a2", "variance_a1", "covariance").null_count().row(0) == (
        6,
        6,
        6,
    )


def test_small_sizes_have_no_influence():
    swaps = counted(falling(0.4, 0.005), 500, rng=np.random.default_rng(3))
    small = pl.col("size") <= 20
    spoilt = swaps.with_columns(swaps=pl.when(small).then("comparisons").otherwise("swaps"))
    assert fit(spoilt).equals(fit(swaps))
    assert fit(swaps.filter(~small)).equals(fit(swaps))
    spoilt_at_21 = swaps.with_columns(swaps=pl.when(pl.col("size") <= 21).then("comparisons").otherwise("swaps"))
    assert only(fit(spoilt_at_21), 0.05)["a1"] != only(fit(swaps), 0.05)["a1"]


# The required difference


def test_a_small_difference_that_happens_to_be_below_does_not_count():
    rates = dict.fromkeys(FITTED, 0.01) | {0.01: 0.30, 0.02: 0.30, 0.03: 0.04, 0.04: 0.20, 0.06: 0.051}
    assert required_difference(fit(counted(through(rates, 500))), 500) == 0.07


def test_bins_without_a_curve_are_passed_over():
    fits = fit(counted(through({0.02: 0.2, 0.05: 0.08, 0.09: 0.04, 0.12: 0.01}, 500)))
    assert required_difference(fits, 500) == 0.09


def test_exactly_the_level_is_not_below_it():
    fits = pl.DataFrame({"lower": [0.05, 0.06], "a1": [0.5, 0.5], "a2": [0.0, 1.0], "unfitted": ["", ""]})
    assert required_difference(fits, 500, 0.5) == 0.06
    assert required_difference(fits, 500, 0.5 + 1e-9) == 0.05


def test_more_questions_require_less():
    rates = dict(zip(FITTED, np.linspace(0.3, 0.001, 15), strict=True))
    fits = fit(counted(through(rates, 500)))
    found = [required_difference(fits, n) for n in (250, 400, 500, 1000, 2000)]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) > 2


def test_the_required_difference_cannot_be_told():
    assert required_difference(fit(counted(through(dict.fromkeys(FITTED, 0.06), 500))), 500) is None
    assert required_difference(fit(counted(falling(0, 0))), 500) is None


# The questions needed


def test_no_bin_begins_there():
    fits = fit(counted(falling(0.4, 0.005)))
    assert cannot_tell(needed(fits, 0.055)) == "no curve fits: no bin begins at this difference"
    assert needed(fits, 0.05 + 1e-12)["remark"] == ""


@pytest.mark.parametrize(
    ("rates", "difference", "reason"),
    [
        (falling(0.4, 0.005), 0.0, "the smallest differences are never fitted"),
        (falling(0.4, 0.005), 0.16, "differences from 0.16 up are never fitted"),
        (falling(0, 0), 0.05, "no swap was seen"),
        (falling(0.1, -0.005), 0.05, "the error rate does not fall with the number of questions"),
        (lambda lower, size: (size == 21) * 1.0, 0.05, "the fit does not converge"),
    ],
)
def test_no_curve_fits(rates, difference, reason):
    fits = fit(counted(rates))
    assert only(fits, difference)["a1"] is None
    assert cannot_tell(needed(fits, difference)) == f"no curve fits: {reason}"


def gives_up(*args, **options):
    raise RuntimeError("Optimal parameters not found")


def knows_no_covariance(*args, **options):
    warnings.warn("Covariance of the parameters could not be estimated", scipy.optimize.OptimizeWarning, stacklevel=2)
    return np.array([0.4, 0.005]), np.full((2, 2), np.inf)


@pytest.mark.parametrize("outcome", [gives_up, knows_no_covariance])
def test_a_fit_that_fails(monkeypatch, outcome):
    monkeypatch.setattr(scipy.optimize, "curve_fit", outcome)
    fits = fit(counted(falling(0.4, 0.005)))
    assert fits["a1"].null_count() == len(LOWER)
    assert cannot_tell(needed(fits)) == "no curve fits: the fit does not converge"


def test_too_far_to_extrapolate():
    fits = fit(counted(falling(0.45, log(9) / 2499.5)))
    assert (needed(fits)["questions"], needed(fits)["remark"]) == (2500, "")
    fits = fit(counted(falling(0.45, log(9) / 2500.5)))
    remark = cannot_tell(needed(fits))
    assert remark == "more than 2,500: extrapolated to more than 10 times the largest size measured"


def test_too_uncertain():
    """Thirty sizes and few comparisons: a slope that could be anything."""
    fits = fit(counted(falling(0.45, 0.02), 40, np.arange(1, 51), np.random.default_rng(5)))
    rows = questions_needed(fits, FITTED, 0.05, 100)
    unsure = rows.filter(pl.col("remark").str.starts_with("the fit is too uncertain: its 95 % interval goes from "))
    assert unsure.height >= 3
    assert unsure.select("questions", "lower", "upper").null_count().row(0) == (unsure.height,) * 3
    assert unsure["remark"].str.contains("to more than 500$").any()
    sure = rows.drop_nulls("questions")
    assert sure.filter(pl.col("upper") > 4 * pl.col("lower")).is_empty()


def test_21_or_fewer():
    expected = {"difference": 0.05, "questions": 21, "lower": 21, "upper": 21, "remark": "21 or fewer"}
    assert needed(fit(counted(falling(0.04, 0.005)))) == expected  # below the level everywhere
    assert needed(fit(counted(falling(0.5, 0.2)))) == expected  # falls there before any size that is fitted
    assert needed(fit(counted(falling(0.5, log(10) / 21.5))))["questions"] == 22


def test_answers_need_not_fall_with_the_difference():
    fits = fit(counted(lambda lower, size: falling(0.45, 0.004 if lower == 0.06 else 0.005)(lower, size)))
    found = questions_needed(fits, [0.05, 0.06, 0.07], 0.05, 500)["questions"].to_list()
    assert found == [440, 550, 440]


# Little or nothing to fit


@pytest.mark.parametrize("n", [0, 1, 2, 40])
def test_only_small_sizes(n, capfd):
    swaps = counted(falling(0.4, 0.005), 100, np.arange(1, n // 2 + 1))
    fits = fit(swaps)
    assert fits["a1"].null_count() == fits.height
    assert required_difference(fits, n) is None
    rows = questions_needed(fits, FITTED, 0.05, n)
    assert rows.height and set(rows.select("questions", "lower", "upper").null_count().row(0)) == {rows.height}
    assert rows["remark"].str.starts_with("no curve fits: ").all()
    found = with_curves(swaps, fits, n)
    assert found.select("a1", "a2", "fitted").null_count().row(0) == (found.height,) * 3
    assert capfd.readouterr().err == ""


def test_sizes_without_comparisons_do_not_count():
    swaps = counted(falling(0.4, 0.005))
    uncompared = (pl.col("size") > 29) & (pl.col("lower") == 0.05) | (pl.col("size") > 30) & (pl.col("lower") == 0.06)
    swaps = swaps.with_columns(
        pl.when(uncompared).then(0).otherwise(name).alias(name) for name in ("comparisons", "swaps")
    )
    fits = fit(swaps)
    assert only(fits, 0.05)["unfitted"] == "fewer than 10 sizes above 20 had such differences"
    assert only(fits, 0.06)["a2"] == pytest.approx(0.005, rel=1e-6)
    assert only(fits, 0.06)["sizes"] == 10
    rows = with_curves(swaps, fits, 500).filter(pl.col("comparisons") == 0)
    assert rows["error_rate"].null_count() == rows.height == 221 + 220
    fits = fit(swaps.with_columns(comparisons=0, swaps=0))
    assert fits["a1"].null_count() == len(LOWER)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_is_counted_no_warning_and_no_nan(data):
    sizes = data.draw(st.lists(st.integers(1, 60), unique=True, max_size=40))
    cells = data.draw(st.lists(st.tuples(st.integers(0, 9), st.floats(0, 1)), min_size=len(sizes), max_size=len(sizes)))
    rows = [(6, 0.05, size, total, round(total * share)) for size, (total, share) in zip(sizes, cells, strict=True)]
    swaps = pl.DataFrame(rows, SCHEMA, orient="row")
    fits = fit(swaps)
    for frame in (fits, with_curves(swaps, fits, 120), questions_needed(fits, FITTED, 0.05, 120)):
        numbers = frame.select(pl.col(pl.Float64))
        assert numbers.select(pl.all().is_null() | pl.all().is_finite()).to_numpy().all()
    for row in fits.drop_nulls("a1").iter_rows(named=True):
        assert row["a1"] > 0 and row["a2"] > 0 and row["variance_a1"] >= 0 and row["variance_a2"] >= 0
    for row in questions_needed(fits, FITTED, 0.05, 120).drop_nulls("questions").iter_rows(named=True):
        assert 21 <= row["lower"] <= row["questions"] <= row["upper"] <= 4 * row["lower"]


# The table


def test_the_table_has_a_row_per_bin_and_size_and_one_for_all_questions():
    swaps = counted(falling(0.4, 0.005), 1000, np.arange(1, 51))
    found = with_curves(swaps, fit(swaps), 101)
    assert found.columns == ["bin", "lower", "size", "comparisons", "swaps", "error_rate", "a1", "a2", "fitted"]
    assert found.select("bin", "size").rows() == [(bin, size) for bin in range(1, 22) for size in (*range(1, 51), 101)]
    at_n = found.filter(pl.col("size") == 101)
    assert at_n.select("comparisons", "swaps", "error_rate").null_count().row(0) == (21, 21, 21)
    assert at_n["fitted"].null_count() == 6
    assert only(at_n, 0.05)["fitted"] == pytest.approx(0.4 * np.exp(-0.505), rel=1e-2)
    first = only(found, 0.05)
    assert first["error_rate"] == first["swaps"] / 1000 == 0.398
    assert first["fitted"] == pytest.approx(first["a1"] * np.exp(-first["a2"]))
    assert only(found, 0.2)["error_rate"] == 0.398


def test_the_table_gives_the_same_fits_again():
    swaps = counted(falling(0.4, 0.005), 300, rng=np.random.default_rng(8))
    fits = fit(swaps)
    assert fit(with_curves(swaps, fits, 500).drop_nulls("comparisons")).equals(fits)


def test_the_order_of_the_rows_does_not_matter():
    swaps = counted(falling(0.4, 0.005), 300, rng=np.random.default_rng(8))
    shuffled = swaps.sample(fraction=1, shuffle=True, seed=1)
    assert not shuffled.equals(swaps)
    for found in (swaps, shuffled):
        fits = fit(found)
        assert fits.equals(fit(swaps))
        assert with_curves(found, fits, 500).equals(with_curves(swaps, fits, 500))


def test_a_bin_whose_error_rate_does_not_fall_is_no_smaller_one_s_excuse():
    """Between two good curves, one that is 0.40 at all sizes: a required difference below it would be wrong."""
    rates = through(dict.fromkeys(FITTED, 0.01), 500)
    flat = counted(lambda lower, size: 0.4 + size / 1e4 if lower == 0.08 else rates(lower, size))
    fits = fit(flat)
    assert only(fits, 0.08)["unfitted"] == "the error rate does not fall with the number of questions"
    assert required_difference(fits, 500) == 0.09


def test_of_many_runs_fewer_trials_are_counted(monkeypatch):
    """As many as make COMPARISONS of two runs at each size, but at least FEWEST."""
    seen, _ = campaign(measures.get("qa", "accuracy"), 1, runs=5, questions=60)
    settings = {"seed": 1, "sizes": 20, "bins": 21, "width": 0.01, "size_trials": 10}

    def trials() -> float:
        comparisons, _ = error_curves.count(seen, "c", settings)
        return comparisons.sum(axis=1).max() / 10  # of ten pairs

    for comparisons, expected in ((500_000, 10), (70, 7), (20, 3)):
        monkeypatch.setattr(error_curves, "COMPARISONS", comparisons)
        assert trials() == expected
