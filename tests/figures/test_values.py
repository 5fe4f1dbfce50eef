"""What points stand for, in words: the numbers of the tables, with the words of the axes."""

import polars as pl
import pytest
from drawn import svg
from nonresponse import measures
from nonresponse.figures import agreeing_rankings, intervals, other_questions, vega_lite
from nonresponse.figures.vega_lite import category, layers, mark, quantity

SHARE = {"axis": {"title": "share", "labelExpr": vega_lite.PERCENT}}


def said(figure: dict, folder) -> list[str]:
    """The titles of a drawing, in its order."""
    return [node.text for node in svg(figure, folder).iter("{http://www.w3.org/2000/svg}title")]


def test_each_point_of_a_swap_curve_says_its_numbers(tmp_path):
    tables = {
        "c@1": pl.DataFrame({"lower": [0.0, 0.01, 0.02], "swap_rate": [0.43871, 0.03124, None]}),
        "<b>\u202euf": pl.DataFrame({"lower": [0.0, 0.01], "swap_rate": [0.4, 0.2]}),
    }
    first, second = "lower bound of the difference: 0", "lower bound of the difference: 0.01"
    required = f"c@1 · {second} · swap rate: 3.12 %"
    points = [f"c@1 · {first} · swap rate: 43.87 %", required]
    points += [f"<b>[U+202E]uf · {first} · swap rate: 40 %", f"<b>[U+202E]uf · {second} · swap rate: 20 %"]
    assert said(other_questions.swap_rates(tables, "swap", "", 0.05), tmp_path) == [
        *points,
        required,
    ]  # the last one is a circle around its point


@pytest.mark.parametrize(
    ("value", "channel", "text"),
    [
        (0.123456, {}, "0.1235"),
        (-0.00001, {}, "0"),
        (0.05, {"axis": {"title": "x"}}, "0.05"),
        (12345, {}, "12,345"),
        (None, {}, "–"),
        (0.123456, SHARE, "12.35 %"),
        (0.29, SHARE, "29 %"),
        (1.0, SHARE, "100 %"),
    ],
)
def test_numbers_have_the_decimals_of_tables(value, channel, text):
    assert vega_lite.number(value, channel) == text


@pytest.mark.parametrize(
    ("channel", "text"),
    [
        ({"axis": {"title": "risk: share of these answers that is wrong"}}, "risk"),
        ({"axis": {"title": ["ties: share of the comparisons", "(along each curve)"]}}, "ties"),
        ({"axis": {"title": "right among the candidates (its observed rate)"}}, "right among the candidates"),
        ({"axis": {"title": "difference (lower bound)"}, "title": "from"}, "from"),
        ({"axis": None}, ""),
        ({}, ""),
    ],
)
def test_what_a_channel_shows_is_its_title_without_the_explanation(channel, text):
    assert vega_lite.title(channel) == text


def test_series_that_do_not_say_what_they_are_are_told_with_their_kind():
    table = pl.DataFrame({"run": ["a", "b"], "series": ["0.05", "0.10"], "size": [5, 10]})
    channels = {"x": quantity("size", axis={"title": "n"}), "fill": category("series", title="difference")}
    rows = layers(table, channels, mark("point"))["data"]["values"]
    assert [row["said"] for row in rows] == ["a · difference: 0.05 · n: 5", "b · difference: 0.10 · n: 10"]
    del channels["fill"]["title"]
    rows = layers(table, channels, mark("point"))["data"]["values"]
    assert [row["said"] for row in rows] == ["a · 0.05 · n: 5", "b · 0.10 · n: 10"]
    assert "said" not in layers(table, channels, mark("line"))["data"]["values"][0]


def test_cells_of_heat_maps_and_intervals_say_their_names_and_numbers(tmp_path):
    pairs = pl.DataFrame(
        {"compared": ["measures"] * 3, "a": ["x", "x", "y"], "b": ["y", "z", "z"], "tau": [0.5, -0.25, 1.0]}
    )
    found = said(agreeing_rankings.between_measures(pairs, "tau"), tmp_path)
    half = ["x · y · Kendall's tau: 0.50", "x · z · Kendall's tau: −0.25", "y · z · Kendall's tau: 1.00"]
    turned = [text.replace(text[:5], text[:5][::-1]) for text in half]
    assert sorted(found) == sorted(half + turned)
    table = pl.DataFrame({"assessor": "o", "run": ["r", "s"], "value": [0.5, 0.4], "lower": [0.45, None]}).with_columns(
        upper=pl.col("lower") + 0.1, rank_low=pl.Series([1, None]), rank_high=pl.Series([2, None])
    )
    found = said(intervals.intervals(table, measures.get("qa", "c@1"), "o", "intervals", 0.05), tmp_path)
    assert found == ["r · c@1: 0.5000 (0.4500 to 0.5500)", "s · c@1: 0.4000"]
