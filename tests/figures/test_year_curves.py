"""The figures of how near years come: what is drawn, to scale, and what is written."""

import re
from xml.etree import ElementTree

import polars as pl
import pytest
from drawn import joined, svg, texts
from nonresponse.figures import year_curves as figures
from nonresponse.scoring import year_distances
from nonresponse.tasks import POLICIES
from year_campaigns import OTHER, SMALL, distances

TEXT = {"title": "Dating (simulated data)"}


def tables(runs: dict, folder, farthest: int = 10) -> tuple[pl.DataFrame, dict[str, float]]:
    found = distances(runs, folder)
    return year_distances.shares_within(found, farthest), dict(
        year_distances.by_run(found, farthest).select("run", "area").iter_rows()
    )


def test_the_curve_of_every_run_is_named_with_its_area(tmp_path):
    curves, areas = tables(SMALL | OTHER, tmp_path)
    root = svg(figures.every_run(curves, areas, **TEXT), tmp_path)
    found = texts(root)
    assert {"run: auc@10", "sim01: 0.5800", "sim02: 0.2800", *map(str, range(11))} <= set(found)
    assert all(part in joined(root) for part in TEXT.values())
    assert "named" not in joined(root)


def test_the_best_twelve_are_named_and_the_others_grey(tmp_path):
    runs = {f"run{number:02}": [(1850, 0)] * (20 - number) + [(1850, None)] * number for number in range(15)}
    curves, areas = tables(runs, tmp_path)
    root = svg(figures.every_run(curves, areas, **TEXT), tmp_path)
    names = [text.partition(":")[0] for text in texts(root) if text.startswith("run0") or text.startswith("run1")]
    assert sorted(names) == [f"run{number:02}" for number in range(12)]
    assert "(simulated data) The best 12 of 15 runs by auc@10 are named, the others grey." in joined(root)
    assert len(strokes(root, figures.OTHERS)) == 3


def strokes(root: ElementTree.Element, colour: str, attribute: str = "stroke") -> list[str]:
    return [part.get("d") for part in root.iter("{http://www.w3.org/2000/svg}path") if part.get(attribute) == colour]


@pytest.mark.parametrize("farthest", [1, 10, 30])
def test_the_shaded_part_of_the_plot_is_the_area_under_the_curve(farthest, tmp_path):
    curves, areas = tables(SMALL | OTHER, tmp_path, farthest)
    root = svg(figures.one_run(curves, "sim01", areas["sim01"], subtitle="14 runs", **TEXT), tmp_path)
    bars = strokes(root, figures.SHADE, "fill")
    assert len(bars) == farthest
    # M x,y h width v height: of a plot of 600 x 380 pixels.
    sizes = [[float(size) for size in re.search(r"h([\d.]+)v([\d.]+)h", bar).groups()] for bar in bars]
    assert sum(width * height for width, height in sizes) / (600 * 380) == pytest.approx(areas["sim01"])
    assert f"auc@{farthest} = {areas['sim01']:.4f}, the shaded part of the plot" in texts(root)
    assert len(strokes(root, figures.OTHERS)) == 1


def test_decades_in_a_row_per_reference_and_a_column_for_none(tmp_path):
    own = year_distances.decades(distances(SMALL, tmp_path))
    root = svg(figures.decades(own, (1801, 1944), **TEXT), tmp_path)
    found = texts(root)
    bounds = [f"{decade}s" for decade in range(1800, 1950, 10)]
    assert {text: found.count(text) for text in [*bounds, "none"]} == dict.fromkeys([*bounds, "none"], 1)
    fragments = {"1800s": 1, "1810s": 1, "1870s": 3}
    assert {f"{decade} ({fragments.get(decade, 0)})" for decade in bounds} < set(found)
    # 1800s: none; 1810s and two of 1870s right, one of these in the 1880s.
    assert (found.count("1"), found.count("2")) == (3, 1)
    full = strokes(root, "rgb(8, 48, 107)", "fill")  # all of their decade
    assert sorted(full) == ["M36,22h36v22h-36Z", "M540,0h36v22h-36Z"]
    assert strokes(root, figures.FRAME) == [f"M{36 * place},{22 * place}h36v22h-36Z" for place in range(15)]  # framed


def test_decades_outside_the_bounds_and_bounds_that_are_far_apart(tmp_path):
    own = year_distances.decades(distances(SMALL, tmp_path))
    found = texts(svg(figures.decades(own, (1860, 1869), **TEXT), tmp_path))
    assert [text for text in found if re.fullmatch(r"\d+s", text)] == [f"{year}s" for year in range(1800, 1890, 10)]
    root = svg(figures.decades(own, (1, 9999), **TEXT), tmp_path)
    assert "Only the decades from the first to the last that occur are shown." in joined(root)
    assert [text for text in texts(root) if re.fullmatch(r"\d+s", text)][-1] == "1880s"
    root = svg(figures.decades(own, (1401, 2000), **TEXT), tmp_path)
    assert "In each cell" not in joined(root) and "1" not in texts(root)
    assert {"1400s", "1900s", "none"} <= set(texts(root))
    assert {"1410s", "2000s"}.isdisjoint(texts(root))  # no room


def test_numbers_that_do_not_fit_are_left_out(tmp_path):
    own = year_distances.decades(distances(SMALL, tmp_path)).with_columns(fragments=pl.lit(123_456, pl.Int64))
    root = svg(figures.decades(own, (1801, 1944), **TEXT), tmp_path)
    assert "123,456" not in texts(root) and "1810s (123,456)" in texts(root)
    assert "In each cell" not in joined(root)


def test_where_there_is_nothing_to_draw_there_is_no_figure(tmp_path):
    found = distances({"failed": [(1801, None, "error")]}, tmp_path, POLICIES | {"error": "exclude"})
    curves, confusions = year_distances.shares_within(found, 10), year_distances.decades(found)
    assert figures.every_run(curves, {"failed": None}, "Title") is None
    assert figures.one_run(curves, "failed", None, "Title", "") is None
    assert figures.decades(confusions, (1801, 1944), "Title") is None
