"""SVG for papers: marks lie where the axes say that their values are, and names are text."""

import re
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
import report_files
from nonresponse import charts, legible
from nonresponse.report import model, part
from nonresponse.report.model import Curve, Figure, Section

INCHES = 7
NAMES = ["a", "b"]
CURVES = [
    Curve(name, [[0.1, index / 20, 0.3], [0.4, 0.1 + index / 20, 0.7]])
    for index, name in enumerate(report_files.NAMES)
]
ELEMENTS = {"svg", "g", "rect", "path", "line", "text", "tspan", "defs", "clipPath"}


class Drawing:
    """An SVG of Vega: the scales of its axes, and the marks of its layers."""

    def __init__(self, path: Path):
        self.root = ElementTree.parse(path).getroot()
        self.texts = ["".join(node.itertext()) for node in self.root.iterfind(".//{*}text")]

    def read_axis(self, letter: str) -> dict[str, float]:
        """The position of each label of an axis."""
        groups = self.root.iterfind(".//{*}g[@aria-label]")
        start = f"{letter.upper()}-axis"
        axis = next(node for node in groups if node.get("aria-label").startswith(start))
        down = 0.3 * charts.SIZE if letter == "y" else 0  # from the middle of a text to its line
        return {
            node.text: locate(node)["xy".index(letter)] - down
            for labels in axis.iterfind(".//{*}g[@class]")
            if "role-axis-label" in labels.get("class")
            for node in labels.iterfind(".//{*}text")
        }

    def read_value(self, letter: str, position: float) -> float:
        """The value at this position of an axis of numbers."""
        labels = [(read_number(text), place) for text, place in self.read_axis(letter).items()]
        (low, start), (high, end) = labels[0], labels[-1]
        return low + (position - start) / (end - start) * (high - low)

    def read_point(self, place: list[float]) -> list[float]:
        return [self.read_value(letter, number) for letter, number in zip("xy", place, strict=True)]

    def read_name(self, letter: str, position: float) -> str:
        """The name nearest to this position of an axis of names."""
        return min(labels := self.read_axis(letter), key=lambda name: abs(labels[name] - position))

    def list_marks(self, kind: str, tag: str = "path") -> list:
        """The marks of this kind, of all layers."""
        layer = re.compile(f"mark-{kind} role-mark .*layer")
        groups = self.root.iterfind(".//{*}g[@class]")
        groups = [node for node in groups if layer.match(node.get("class"))]
        return [node for group in groups for node in group.iterfind(f".//{{*}}{tag}")]


def locate(node: ElementTree.Element) -> list[float]:
    """Where an element is moved to."""
    return [float(number) for number in re.findall(r"-?[\d.]+", node.get("transform"))[:2]]


def read_number(text: str) -> float:
    text = text.replace("−", "-")
    return float(text.rstrip("%")) / (100 if text.endswith("%") else 1)


def read_points(path: ElementTree.Element) -> list[list[float]]:
    """The points of a line, or the corners of a bar."""
    pairs = re.findall(r"-?[\d.]+,-?[\d.]+", path.get("d"))
    return [[float(number) for number in pair.split(",")] for pair in pairs]


def read_edges(path: ElementTree.Element) -> tuple[float, float]:
    """The left and the right end of a bar, M x,y h width ..."""
    start, _ = read_points(path)[0]
    return start, start + float(re.search(r"h(-?[\d.]+)", path.get("d"))[1])


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    """A campaign whose names are hostile."""
    return report_files.evaluate_hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def figures(results, tmp_path_factory) -> Path:
    """Its figures, and two that no analysis of it draws."""
    folder = tmp_path_factory.mktemp("figures")
    write(results, folder)
    return folder


def write(results: Path, folder: Path) -> list[Path]:
    sections = [*part.read_pages(results, ["leaderboard"]).values()]
    figure = Figure("swap-rates", "A figure", ("x", "y"), CURVES, level=0.05, diagonal=True)
    values = {("a", "b"): 0.25, ("b", "a"): -0.5, ("b", "b"): None, ("a", "a"): 1.0}
    matrix = model.tabulate_matrix("assessor", NAMES, NAMES, values, "Kappa.", "kappa-label")
    sections.append(Section("Others", [], figures=[figure], tables=[matrix]))
    return charts.write_figures(sections, folder, INCHES)


def test_the_same_figures_have_the_same_bytes_and_their_width(results, figures, tmp_path):
    paths = write(results, tmp_path)
    names = "cost intervals verdicts swap-rates kappa-label"
    assert [path.stem for path in paths] == names.split()
    for path in paths:
        assert path.read_bytes() == (figures / path.name).read_bytes()
        assert float(Drawing(path).root.get("width")) == pytest.approx(96 * INCHES)


def test_names_are_text(figures):
    for name in ("cost", "intervals", "verdicts", "swap-rates"):
        drawing = Drawing(figures / f"{name}.svg")
        assert {node.tag.partition("}")[2] for node in drawing.root.iter()} <= ELEMENTS
        shown = report_files.NAMES if name in ("intervals", "verdicts") else []
        names = {legible.short(run, 96 * INCHES // charts.NAME) for run in shown}
        assert names <= {text.removesuffix(f" {model.TRIVIAL}") for text in drawing.texts}


def test_intervals_lie_where_their_scores_are(results, figures):
    drawing = Drawing(figures / "intervals.svg")
    board = pl.read_parquet(results / "leaderboard.parquet")
    runs = [legible.short(run, 96 * INCHES // charts.NAME) for run in board["run"]]
    dots = [locate(node) for node in drawing.list_marks("symbol")]
    assert [drawing.read_name("y", y) for _, y in dots] == runs
    rules = [(locate(node)[0], node) for node in drawing.list_marks("rule", "line")]
    ends = [sorted((start, start + float(node.get("x2")))) for start, node in rules]
    places = [(x, *pair) for (x, _), pair in zip(dots, ends, strict=True)]
    expected = board.select("c@1", "c@1 lower", "c@1 upper").rows()
    for row, values in zip(places, expected, strict=True):
        assert [drawing.read_value("x", x) for x in row] == pytest.approx(values, abs=1e-3)


def test_bars_are_as_long_as_their_shares(results, figures):
    drawing = Drawing(figures / "verdicts.svg")
    counts = pl.read_parquet(results / "leaderboard.parquet").select("n_ac", "n_u", "n_aw", "n")
    shares = [count / n for *row, n in counts.rows() for count in row]
    edges = map(read_edges, drawing.list_marks("rect"))
    lengths = [
        drawing.read_value("x", end) - drawing.read_value("x", start) for start, end in edges
    ]
    assert lengths == pytest.approx(shares, abs=1e-3)


def test_the_lines_of_cost_begin_at_the_correct_share_and_fall_by_the_wrong_one(results, figures):
    drawing = Drawing(figures / "cost.svg")
    board = pl.read_parquet(results / "leaderboard.parquet")
    counts = board.select("n_ac", "n_aw", "n").rows()
    lines = [read_points(node) for node in drawing.list_marks("line")]
    assert len(lines) == len(counts)
    for points, (correct, wrong, n) in zip(reversed(lines), counts, strict=True):
        (cost, start), (end_cost, end) = map(drawing.read_point, points)
        assert [cost, start] == pytest.approx([0, correct / n], abs=2e-3)
        assert end == pytest.approx(start - end_cost * wrong / n, abs=4e-3)
    [(start, right)] = map(read_edges, drawing.list_marks("rect"))  # the best run is right always
    assert [drawing.read_value("x", end) for end in (start, right)] == pytest.approx([0, 1])


def test_curves_marks_and_what_crosses_them_lie_where_their_values_are(figures):
    drawing = Drawing(figures / "swap-rates.svg")
    marks = [drawing.read_point(locate(node)) for node in drawing.list_marks("symbol")]
    points = [(x, round(y, 3)) for curve in CURVES for x, y, _ in curve.points]
    assert sorted((round(x, 3), round(y, 3)) for x, y in marks) == sorted(points)
    [level] = drawing.list_marks("rule", "line")
    assert drawing.read_value("y", locate(level)[1]) == pytest.approx(0.05, abs=1e-3)
    *_, diagonal = map(read_points, drawing.list_marks("line"))
    slope = (diagonal[1][1] - diagonal[0][1]) / (diagonal[1][0] - diagonal[0][0])
    assert slope < 0, "upwards"


def test_a_heat_map_is_darker_where_values_are_higher_and_empty_where_there_are_none(figures):
    drawing = Drawing(figures / "kappa-label.svg")
    cells = {}
    for node in drawing.list_marks("rect"):
        start, right = read_edges(node)
        _, top = read_points(node)[0]
        place = drawing.read_name("y", top + 1), drawing.read_name("x", (start + right) / 2)
        cells[place] = node.get("fill")
    light = {place: sum(map(int, re.findall(r"\d+", colour))) for place, colour in cells.items()}
    assert light[("a", "a")] < light[("a", "b")] < light[("b", "a")] == 3 * 255
    assert ("b", "b") not in cells
    assert {"1.00", "0.25", "−0.50"} <= {*drawing.texts}


def test_names_that_are_cut_to_the_same_text_stay_apart():
    labels = charts.label_names([f"{'m' * 50}{end}{'n' * 50}" for end in "abc"], 300)
    assert len({*labels.values()}) == 3
