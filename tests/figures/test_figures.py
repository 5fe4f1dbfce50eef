"""The figures: valid Vega-Lite, well-formed SVG, the same bytes twice, every label in it, whatever the names."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from drawn import VEGA_LITE, joined, svg, texts
from hypothesis import given
from hypothesis import strategies as st
from nonresponse import measures
from nonresponse.figures import (
    agreeing_rankings,
    candidates,
    cost,
    intervals,
    other_questions,
    reliability_diagram,
    risk_coverage,
    series,
)
from nonresponse.figures.page import MOST, label, page, rows, spacer, wrapped, write_svg
from nonresponse.statistics import error_curves

TEXT = {"title": "ResPubliQA 2009 (simulated data)", "subtitle": "44 runs"}
C_AT_1 = measures.get("qa", "c@1")
SVG = "{http://www.w3.org/2000/svg}"
TITLED = {"title": TEXT["title"]}
HOSTILE = [
    "<b>&amp;\"'",
    "é日本語 עברית",
    "];alert(1);//",
    "'}\\",
    "bell\x07 null\x00",
    "null",
    "__proto__",
    "a" * 99 + "1",
    "a" * 99 + "2",
]


def stabilities(seed: int) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    fuzziness = np.arange(1, 11) / 100
    ties = draw.uniform(0.05, 0.12) + fuzziness * draw.uniform(1, 2.5)
    errors = draw.uniform(0.03, 0.07) * np.exp(-fuzziness * draw.uniform(4, 12))
    return pl.DataFrame({"fuzziness": fuzziness, "error_rate": errors, "ties": ties})


def swaps(steepness: float, known: int = 21) -> pl.DataFrame:
    lower = np.arange(21) / 100
    rate = [float(value) for value in 0.47 * np.exp(-steepness * lower)[:known]] + [None] * (21 - known)
    return pl.DataFrame(
        {"bin": range(1, 22), "lower": lower, "swap_rate": rate}, schema_overrides={"swap_rate": pl.Float64}
    )


def sizes(n: int) -> pl.DataFrame:
    """Error rates that lie on their curves, none of which is fitted to the first bin and from 0.16 up."""
    bins = pl.DataFrame({"bin": range(1, 22), "lower": np.arange(21) / 100}).with_columns(
        a1=pl.when(pl.col("bin").is_between(2, 16)).then(0.48), a2=0.0007 + 0.11 * pl.col("lower")
    )
    at = pl.DataFrame({"size": [*range(1, n // 2 + 1), n], "comparisons": [100] * (n // 2) + [None]})
    rate = 0.48 * (-pl.col("a2") * pl.col("size")).exp()
    return bins.join(at, how="cross").with_columns(error_rate=pl.when(pl.col("comparisons") > 0).then(rate))


def expected(n: int) -> pl.DataFrame:
    """Swap rates by components of variance that fall with the difference and with the size, up to n questions."""
    size = np.unique(np.linspace(1, n, 60).round().astype(int))
    table = pl.DataFrame({"difference": error_curves.CURVES}).join(pl.DataFrame({"size": size}), how="cross")
    rate = 0.48 * (-(0.0007 + 0.11 * pl.col("difference")) * pl.col("size")).exp()
    return table.with_columns(swap_rate=rate)


def taus(assessors: list[str], measures: list[str]) -> pl.DataFrame:
    """Tau of the first two is 0.5, of others 0.9; of the last two it is not known."""
    pairs = [("assessors", id, a, b) for id in measures for a, b in combinations(assessors, 2)]
    pairs += [("measures", None, a, b) for a, b in combinations(measures, 2)]
    tau = {tuple(names[:2]): 0.5 for names in (assessors, measures)} | {
        tuple(n[-2:]): None for n in (assessors, measures)
    }
    rows = [(*pair, tau.get(pair[2:], 0.9)) for pair in pairs]
    return pl.DataFrame(rows, ["compared", "measure", "a", "b", "tau"], orient="row")


def scores(runs: list[str]) -> pl.DataFrame:
    value = 1 - np.arange(len(runs)) / len(runs)
    own = {"run": runs, "value": value, "lower": value - 0.1, "upper": value + 0.1}
    own |= {"rank_low": 1, "rank_high": len(runs)}
    other = own | {"run": [f"{run} of another" for run in runs]}
    frames = [pl.DataFrame({"assessor": [who] * len(runs), **of}) for who, of in (("o", own), ("p", other))]
    return pl.concat(frames).sort("assessor", "run")


def best_of(runs: list[str]) -> pl.DataFrame:
    """Each run in turn is the best; then silence."""
    ends = np.linspace(0, 1, len(runs) + 2)
    return pl.DataFrame(
        {
            "threshold_from": ends[:-1],
            "threshold_to": ends[1:],
            "best": [*([run] for run in runs), None],
        }
    )


def risks(runs: list[str]) -> pl.DataFrame:
    """Each run is wrong more often the more it answers; of the last one only its own point is known."""
    k = np.arange(1, 11)
    frames = [
        pl.DataFrame({"coverage": k / (10 + place), "risk": k / (20 + place), "whole": k == 10}).with_columns(
            run=pl.lit(run)
        )
        for place, run in enumerate(runs)
    ]
    return pl.concat([*frames[:-1], frames[-1].tail(1)])


def bins(runs: list[str]) -> pl.DataFrame:
    """Ten bins with ever more answers."""
    k = np.arange(10)
    frames = [
        pl.DataFrame({"answers": k + 1, "confidence": k / 10 + 0.05, "right_share": k / (10 + place)}).with_columns(
            run=pl.lit(run)
        )
        for place, run in enumerate(runs)
    ]
    return pl.concat(frames)


# Every figure, of measures (or assessors) and runs with these names.
FIGURES = {
    "stability": lambda names: other_questions.errors_and_ties(
        {name: stabilities(seed) for seed, name in enumerate(names)}, **TEXT
    ),
    "swap": lambda names: other_questions.swap_rates(
        {name: swaps(12 + seed) for seed, name in enumerate(names)}, **TEXT, level=0.05
    ),
    "error_curves": lambda names: other_questions.error_rates(sizes(500), expected(500), **TITLED, level=0.05),
    "assessors": lambda names: agreeing_rankings.between_assessors(taus(names, ["c@1"]), ["c@1"], **TITLED),
    "measures": lambda names: agreeing_rankings.between_measures(taus(["o"], names), **TITLED),
    "intervals": lambda names: intervals.intervals(scores(names), C_AT_1, "o", **TITLED, level=0.05),
    "cost": lambda names: cost.best_runs(best_of(names), **TITLED),
    "risk": lambda names: risk_coverage.curves(risks(names), **TITLED),
    "reliability diagram": lambda names: reliability_diagram.diagram(bins(names), **TITLED),
}
OWN_SUBTITLE = ("cost", "risk", "reliability diagram")  # which they say themselves


@pytest.mark.parametrize("figure", FIGURES)
def test_each_figure_has_its_texts_and_the_same_bytes_twice(figure, tmp_path):
    for file in ("first.svg", "second.svg"):
        write_svg(FIGURES[figure](["c@1", "uf", "cws"]), tmp_path / file)
    first = (tmp_path / "first.svg").read_text()
    assert first == (tmp_path / "second.svg").read_text()
    assert "<image" not in first  # vectors only
    text = joined(ElementTree.fromstring(first))
    assert all(part in text for part in (TEXT if figure in ("stability", "swap") else TITLED).values())


@pytest.mark.parametrize("figure", FIGURES)
def test_the_points_of_each_figure_say_what_they_are_and_nothing_else_does(figure, tmp_path):
    root = svg(FIGURES[figure](HOSTILE), tmp_path)
    marks = [node for node in root.iter() if titles_of([node])]
    assert marks and {node.tag for node in marks} == {f"{SVG}path"}
    assert all(said.isprintable() and re.search(r": \S", said) for said in titles_of(marks))
    assert not {"role", "aria-label", "aria-roledescription", "aria-hidden"} & {
        name for node in root.iter() for name in node.attrib
    }


def titles_of(nodes: list[ElementTree.Element]) -> list[str]:
    return [title.text for node in nodes for title in node.findall(f"{SVG}title")]


@pytest.mark.parametrize("figure", FIGURES)
def test_each_figure_is_valid_vega_lite(figure):
    specification = FIGURES[figure](["c@1", "uf", "cws"])
    assert VEGA_LITE.is_valid(specification)
    assert not VEGA_LITE.is_valid(specification | {"titel": ""})  # what is no option is found


@pytest.mark.parametrize("figure", ["stability", "measures", "intervals", "assessors", "swap", *OWN_SUBTITLE])
def test_names_that_look_like_markup(figure, tmp_path):
    found = texts(svg(FIGURES[figure](HOSTILE), tmp_path))
    expected = [label(name) for name in HOSTILE]
    if figure == "assessors":
        expected = [f"{label(a, 20)} – {label(b, 20)}" for a, b in combinations(HOSTILE, 2)]
    if figure == "swap":  # the name and the difference that it requires
        found = [text.rpartition(":")[0] for text in found]
    if figure == "measures":  # on both sides
        expected *= 2
    assert sorted(text for text in found if text in expected) == sorted(expected)


def test_long_names_lose_their_middle():
    assert label("a" * 30) == "a" * 30
    assert label("abcdefghij" * 4) == "abcdefghijabcde…ghijabcdefghij"
    assert len(label("x" * 31)) == 30
    assert label("bell\x07\n") == "bell[U+0007]"


@pytest.mark.parametrize("size", [12, 16])
def test_text_is_wrapped_and_keeps_percentages_together(size):
    lines = wrapped("about 5 % of them " * 40, size)
    assert len(lines) > 5
    assert all(len(line) <= 680 / (0.5 * size) for line in lines)
    assert not any(line.startswith("%") for line in lines)
    assert wrapped("", size) == []


def test_stability_marks_both_ends_and_names_each_curve_beside_its_end(tmp_path):
    tables = {"low": stabilities(1).with_columns(error_rate=0.01), "high": stabilities(2).with_columns(error_rate=0.03)}
    root = svg(other_questions.errors_and_ties(tables, **TEXT), tmp_path)
    found = texts(root)
    assert found.count("0.01") == found.count("0.10") == 2  # with their white outline
    assert heights(root)["high"] < heights(root)["low"]


def heights(root: ElementTree.Element) -> dict[str, float]:
    """How far each text is moved down within its group."""
    moved = re.compile(r"translate\(\S+,(\S+)\)")
    return {
        part.text: float(moved.match(part.get("transform", "translate(0,0)"))[1])
        for part in root.iter("{http://www.w3.org/2000/svg}text")
    }


def test_swap_lists_what_is_required_least_first(tmp_path):
    # 0.47 exp(-s d) is at most 0.05 from d = 2.24 / s: 0.0747 for 30, 0.1495 for 15; 0.09 exceeds it at 0.10 for 10.
    tables = {"uf": swaps(15), "c@1": swaps(30), "cws": swaps(10, known=11)}
    found = texts(svg(other_questions.swap_rates(tables, **TEXT, level=0.05), tmp_path))
    assert [text for text in found if text.partition(":")[0] in tables] == ["c@1: 0.08", "uf: 0.15", "cws: none"]
    assert "5 %" in found
    found = texts(svg(other_questions.swap_rates(tables, **TEXT, level=0.1), tmp_path))
    assert [text for text in found if text.partition(":")[0] in tables] == ["c@1: 0.06", "uf: 0.11", "cws: none"]


def test_narrow_bins_have_different_ticks(tmp_path):
    lower = np.arange(21) / 2000
    table = pl.DataFrame({"lower": lower, "swap_rate": np.exp(-300 * lower) / 2})
    drawn = texts(svg(other_questions.swap_rates({"c@1": table}, **TEXT, level=0.05), tmp_path))
    ticks = [text for text in drawn if re.fullmatch(r"[\d.]+", text)]
    assert len(ticks) == len(set(ticks)) > 4


def test_error_curves_go_on_to_all_questions(tmp_path):
    root = svg(other_questions.error_rates(sizes(500), expected(500), **TITLED, level=0.05), tmp_path)
    found = texts(root)
    shown = ["0.01", "0.02", "0.03", "0.05", "0.07", "0.10", "0.15"]
    assert [text for text in found if re.fullmatch(r"0\.\d\d", text)] == shown
    assert "measured up to 250" in found and "500" in found
    # From one question to the edge of the plot, 600 pixels wide.
    lines = [line.get("d") for line in paths(root) if line.get("fill") is None]
    assert len(lines) == 7 and all(re.search(r"L600,[\d.]+$", line) for line in lines)


@pytest.mark.parametrize("rate", [0.5, 0.7, 1.0])
def test_the_axis_of_rates_ends_at_the_highest(rate, tmp_path):
    high = sizes(100).with_columns(error_rate=pl.when(pl.col("error_rate").is_not_null()).then(rate))
    found = texts(svg(other_questions.error_rates(high, expected(100), **TITLED, level=0.05), tmp_path))
    ticks = [float(text.removesuffix("\u00a0%").removesuffix(" %")) for text in found if re.fullmatch(r"\d+.%", text)]
    assert ticks and max(ticks) <= 100 * rate


def paths(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [part for part in root.iter("{http://www.w3.org/2000/svg}path") if part.get("stroke-width") == "1.6"]


def test_heat_maps_print_each_tau_once_or_on_both_sides(tmp_path):
    table = taus(["o", "a", "b", "c"], ["c@1", "uf", "cws"])
    found = texts(svg(agreeing_rankings.between_measures(table, **TITLED), tmp_path))
    assert [found.count(text) for text in ("0.50", "0.90", "–", "c@1")] == [2, 2, 2, 2]
    found = texts(svg(agreeing_rankings.between_assessors(table, ["c@1", "uf"], **TITLED), tmp_path))
    assert [found.count(text) for text in ("0.50", "0.90", "–", "c@1", "cws")] == [2, 8, 2, 1, 0]
    assert found.count("o – a") == 1


def test_text_in_dark_cells_is_white(tmp_path):
    root = svg(agreeing_rankings.between_measures(taus(["o"], ["c@1", "uf", "cws", "map"]), **TITLED), tmp_path)
    fill = {part.text: part.get("fill") for part in root.iter("{http://www.w3.org/2000/svg}text")}
    assert (fill["0.90"], fill["0.50"], fill["–"]) == ("white", "#1a1a1a", "#1a1a1a")


def test_only_the_first_hundred_pairs_of_assessors(tmp_path):
    table = taus([f"a{number:02}" for number in range(20)], ["c@1"])
    text = joined(svg(agreeing_rankings.between_assessors(table, ["c@1"], **TITLED), tmp_path))
    assert "(simulated data) Only the first 100 of 190 pairs of assessors are shown." in text
    assert text.count(" – a") == 100


def test_of_a_measure_that_only_describes_no_end_is_better(tmp_path):
    for id in ("answered", "c@1"):
        chart = intervals.intervals(scores(["a", "b"]), measures.get("qa", id), "o", **TITLED, level=0.05)
        drawn = " ".join(texts(svg(chart, tmp_path)))
        assert ("better" in drawn, "best" in drawn) == (id == "c@1", id == "c@1")


@pytest.mark.parametrize("number", [1, 60, 61, 1000])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_intervals_of_the_best_runs_in_their_order(number, higher_is_better, tmp_path):
    runs = [f"run{place:04}" for place in range(number)]  # falling scores
    measure = measures.get("qa", "c@1" if higher_is_better else "hallucination_rate")
    chart = intervals.intervals(scores(runs), measure, "o", **TITLED, level=0.05)
    root = svg(chart, tmp_path)
    expected = (runs if higher_is_better else runs[::-1])[:60]
    height = heights(root)
    found = [text for text in texts(root) if text.startswith("run0")]
    assert sorted(found, key=height.get) == expected
    assert texts(root).count(f"1–{number}" if number > 1 else "1") == len(expected)
    assert ("higher" if higher_is_better else "lower") in joined(root)
    assert ("Only the best 60 of" in joined(root)) == (number > 60)


def test_an_interval_that_is_not_known_leaves_its_point(tmp_path):
    null = {name: pl.lit(None, pl.Float64) for name in ("lower", "upper", "rank_low", "rank_high")}
    unknown = scores(["alpha", "beta"]).with_columns(**null)
    without = unknown.with_columns(value=pl.when(pl.col("run") != "beta").then("value"))
    drawn = intervals.intervals(unknown, C_AT_1, "o", **TITLED, level=0.05)
    assert {"alpha", "beta", "–"} <= set(texts(svg(drawn, tmp_path)))
    found = texts(svg(intervals.intervals(without, C_AT_1, "o", **TITLED, level=0.05), tmp_path))
    assert "alpha" in found
    assert "beta" not in found


NO_CURVE = pl.DataFrame(schema={"fuzziness": pl.Float64, "ties": pl.Float64, "error_rate": pl.Float64})


NOTHING = {
    "no curve": lambda: other_questions.errors_and_ties({}, **TEXT),
    "no rate": lambda: other_questions.errors_and_ties({"c@1": NO_CURVE}, **TEXT),
    "no swap rate": lambda: other_questions.swap_rates({"c@1": swaps(9, known=0)}, **TEXT, level=0.05),
    "no difference": lambda: other_questions.error_rates(sizes(30), expected(30).clear(), "Title", 0.05),
    "no score": lambda: intervals.intervals(scores([]), C_AT_1, "o", "Title", 0.05),
    "no measures": lambda: agreeing_rankings.between_measures(taus(["o"], ["c@1", "uf"]), "Title"),
    "no assessors": lambda: agreeing_rankings.between_assessors(taus(["o"], ["uf"]), ["uf"], "Title"),
    "no answers": lambda: candidates.estimates(many_candidates().clear(), "Title"),
}


@pytest.mark.parametrize("kind", NOTHING)
def test_where_there_is_nothing_to_draw_there_is_no_figure(kind, tmp_path):
    assert NOTHING[kind]() is None
    assert not write_svg(None, tmp_path / "figure.svg") and not (tmp_path / "figure.svg").exists()


MANY = [f"run {number}" for number in range(series.DRAWN + 1)]


def many_candidates() -> pl.DataFrame:
    share = np.linspace(0, 1, len(MANY))
    return pl.DataFrame({"run": MANY, "observed": share} | dict.fromkeys(candidates.OWN, share))


OF_MANY = {
    "risk": (lambda: risk_coverage.curves(risks(MANY), **TITLED), MANY[-1]),
    "reliability diagram": (lambda: reliability_diagram.diagram(bins(MANY), **TITLED), MANY[-1]),
    "candidates": (lambda: candidates.estimates(many_candidates(), **TITLED), MANY[-1]),
}


@pytest.mark.parametrize("figure", OF_MANY)
def test_of_many_runs_as_many_are_drawn_as_the_figure_says(figure):
    draw, left_out = OF_MANY[figure]
    spec = draw()
    assert " ".join(spec["title"]["subtitle"]).endswith(f"Only {series.DRAWN:,} runs are drawn.")
    shown = {row.get("run", row.get("series")) for row in rows_of(spec)}
    assert len(shown & set(MANY)) in (0, series.DRAWN) and left_out not in shown
    assert rows(spec) < MOST


def rows_of(part) -> list[dict]:
    """All rows of data in a specification."""
    if isinstance(part, list):
        return [row for each in part for row in rows_of(each)]
    if not isinstance(part, dict):
        return []
    return part.get("data", {}).get("values", []) + [
        row for name, each in part.items() if name != "data" for row in rows_of(each)
    ]


@pytest.mark.parametrize("name", ["broken", "large"])
def test_a_figure_that_cannot_be_drawn_costs_no_other(name, tmp_path, capsys):
    """One that Vega refuses, and one that would take more memory than it has."""
    spec = risk_coverage.curves(risks(["a", "b"]), **TITLED)
    layer = spec["vconcat"][0]["layer"]
    if name == "broken":
        layer[0]["mark"] = {"type": "line", "interpolate": {"signal": "no("}}
        layer[0].pop("layer")
    else:
        layer[0]["data"] = {"values": [{}] * (MOST + 1)}
    assert not write_svg(spec, tmp_path / "figure.svg") and not (tmp_path / "figure.svg").exists()
    why = {"broken": "could not be drawn: ", "large": "would show 300,0"}[name]
    assert f"figure.svg: left out, since it {why}" in capsys.readouterr().err


def test_a_page_with_a_long_text_is_no_wider_than_another(tmp_path):
    wide, narrow = (svg(page(spacer(), "Title", said), tmp_path).get("width") for said in ("word " * 99, "word"))
    assert wide == narrow


@given(st.lists(st.floats(0, 380), min_size=1, max_size=25), st.sampled_from([1.0, 14.0]))
def test_names_keep_their_distance_and_their_order(places, gap):
    moved = series.spread(places, gap, 0, 380)
    order = sorted(range(len(places)), key=places.__getitem__)
    between = [moved[below] - moved[above] for above, below in pairwise(order)]
    assert min(between, default=gap) >= gap - 1e-6
    assert min(moved) >= 0
    assert max(moved) <= 380 + 1e-6


def test_names_move_as_little_as_they_can():
    assert series.spread([10, 50, 90], 14, 0, 380) == [10, 50, 90]
    assert series.spread([100, 100, 100], 10, 0, 380) == [90, 100, 110]
    assert series.spread([0, 2], 10, 0, 380) == [0, 10]
    assert series.spread([380, 375], 10, 0, 380) == [380, 370]


def test_eighty_measures_differ_without_colour():
    line, point = series.styles([str(number) for number in range(80)])
    shapes, dashes, fills = (
        channel["scale"]["range"] for channel in (point["shape"], line["strokeDash"], point["fill"])
    )
    hollow = [fill == "white" for fill in fills]
    assert len(set(zip(shapes, map(tuple, dashes), hollow, strict=True))) == 80


def test_names_that_end_at_the_very_top():
    from nonresponse.figures import series

    ends = pl.DataFrame({"series": ["a", "b", "c"], "end_y": [-5.0, 119.8, 119.9]})
    heights = series.beside(ends)["height"]
    assert heights.dtype == pl.Float64 and (heights.diff().drop_nulls() >= series.LINE - 1e-9).all()


def test_a_run_that_is_called_as_silence_is_has_a_bar_of_its_own():
    spec = cost.best_runs(best_of(["(never answering)", "a"]), **TITLED)
    bars = [row for row in rows_of(spec) if "start" in row]
    assert [row["place"] for row in sorted(bars, key=lambda row: row["start"])] == [0, 1, 2]
