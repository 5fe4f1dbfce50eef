"""Charts for papers: marks have the values of their figure or table, and names are text."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
import report_files
from nonresponse import charts, legible
from nonresponse.report import model, part
from nonresponse.report.model import Curve, Figure, Section

INCHES = 7
WIDTH = charts.INCH * INCHES
NAMES = ["a", "b"]
CURVES = [
    Curve(name, [[0.1, index / 20, 0.3], [0.4, 0.1 + index / 20, 0.7]])
    for index, name in enumerate(report_files.NAMES)
]
ELEMENTS = {"svg", "g", "rect", "path", "line", "text", "tspan", "defs", "clipPath"}


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    """A campaign whose names are hostile."""
    return report_files.evaluate_hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def sections(results) -> list[Section]:
    """Its sections, and one with a figure and a table that no analysis of it draws."""
    figure = Figure("swap-rates", "A figure", ("x", "y"), CURVES, level=0.05, diagonal=True)
    values = {("a", "b"): 0.25, ("b", "a"): -0.5, ("b", "b"): None, ("a", "a"): 1.0}
    matrix = model.tabulate_matrix("assessor", NAMES, NAMES, values, "Kappa.", "kappa-label")
    figures = Section("Others", [], figures=[figure], tables=[matrix])
    return [*part.read_pages(results, ["leaderboard"]).values(), figures]


@pytest.fixture(scope="module")
def specs(sections) -> dict[str, dict]:
    """What Vega is given for each drawing."""
    drawings = charts.draw_sections(sections, WIDTH)
    return {name: chart.to_dict(validate=False) for name, chart in drawings}


def list_marks(spec: dict, kind: str) -> Iterator[dict]:
    """The marks of a kind, each with the value of its channels."""
    for layer in spec["layer"]:
        if layer["mark"]["type"] == kind:
            channels = layer["encoding"].items()
            fields = {name: channel["field"] for name, channel in channels if "field" in channel}
            for row in spec["datasets"][layer["data"]["name"]]:
                yield {channel: row[field] for channel, field in fields.items()}


def test_the_same_figures_have_the_same_bytes_their_width_and_names_as_text(sections, tmp_path):
    paths = charts.write_figures(sections, tmp_path / "first", INCHES)
    assert [path.stem for path in paths] == [
        "cost",
        "intervals",
        "verdicts",
        "swap-rates",
        "kappa-label",
    ]
    charts.write_figures(sections, tmp_path / "again", INCHES)
    shown = {legible.short(run, WIDTH // charts.NAME) for run in report_files.NAMES}
    for path in paths:
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
        root = ElementTree.parse(path).getroot()
        assert float(root.get("width")) == pytest.approx(WIDTH)
        assert {node.tag.partition("}")[2] for node in root.iter()} <= ELEMENTS
        if path.stem in ("intervals", "verdicts"):
            texts = {"".join(node.itertext()) for node in root.iterfind(".//{*}text")}
            assert shown <= {text.removesuffix(f" {model.TRIVIAL}") for text in texts}


def test_intervals_and_bars_have_the_values_of_the_leaderboard(results, specs):
    board = pl.read_parquet(results / "leaderboard.parquet")
    runs = [legible.short(run, WIDTH // charts.NAME) for run in board["run"]]
    dots = [(row["y"], row["x"]) for row in list_marks(specs["intervals"], "point")]
    assert dots == [*zip(runs, board["c@1"], strict=True)]
    rules = [(row["y"], row["x"], row["x2"]) for row in list_marks(specs["intervals"], "rule")]
    assert rules == [*zip(runs, board["c@1 lower"], board["c@1 upper"], strict=True)]
    counts = board.select("n_ac", "n_u", "n_aw", "n").rows()
    edges = [pairwise([0, correct / n, 1 - wrong / n, 1]) for correct, _, wrong, n in counts]
    bars = [*list_marks(specs["verdicts"], "bar")]
    spans = [number for row in bars for number in (row["x"], row["x2"])]
    assert spans == pytest.approx([number for spans in edges for span in spans for number in span])
    states = ["correct", "unanswered", "wrong"]
    assert [(row["y"], row["color"]) for row in bars] == [(run, s) for run in runs for s in states]


def test_the_lines_of_cost_begin_at_the_correct_share_and_fall_by_the_wrong_one(results, specs):
    counts = pl.read_parquet(results / "leaderboard.parquet").select("n_ac", "n_aw", "n").rows()
    points = [(row["x"], row["y"]) for row in list_marks(specs["cost"], "line")]
    lines = [*zip(points[::2], points[1::2], strict=True)]
    for line, (correct, wrong, n) in zip(reversed(lines), counts, strict=True):
        (cost, start), (end_cost, end) = line
        assert [cost, start] == pytest.approx([0, correct / n])
        assert end == pytest.approx(start - end_cost * wrong / n)
    [band] = list_marks(specs["cost"], "rect")  # the best run is right always
    assert [band["x"], band["x2"]] == specs["cost"]["layer"][0]["encoding"]["x"]["scale"]["domain"]


def test_curves_and_what_crosses_them(specs):
    spec = specs["swap-rates"]
    for kind in ("line", "point"):
        marks = [(row["x"], row["y"]) for row in list_marks(spec, kind)]
        expected = [(x, y) for curve in reversed(CURVES) for x, y, _ in curve.points]
        assert marks == expected + [(0, 0), (1, 1)] * (kind == "line")  # the diagonal
    assert [row["y"] for row in list_marks(spec, "rule")] == [0.05]


def test_a_heat_map_is_darker_where_values_are_higher_and_empty_where_there_are_none(specs):
    spec = specs["kappa-label"]
    cells = {(row["y"], row["x"]): row["color"] for row in list_marks(spec, "rect")}
    assert cells == {("a", "a"): 1.0, ("a", "b"): 0.25, ("b", "a"): -0.5}
    colours = spec["layer"][0]["encoding"]["color"]["scale"]
    assert (colours["domain"], colours["range"][0]) == ([0, 1], "#ffffff")
    assert {row["text"] for row in list_marks(spec, "text")} == {"1.00", "0.25", "−0.50"}


def test_names_that_are_cut_to_the_same_text_stay_apart():
    labels = charts.label_names([f"{'m' * 50}{end}{'n' * 50}" for end in "abc"], 300)
    assert len({*labels.values()}) == 3
