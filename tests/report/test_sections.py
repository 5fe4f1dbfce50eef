"""Figures and matrices of sections, made of tables of known rows."""

from pathlib import Path

import polars as pl
from nonresponse import tables
from nonresponse.report.campaign import Campaign
from nonresponse.report.sections import (
    questions,
    rankings,
    reliability_diagram,
    risk_coverage,
)
from nonresponse.statistics.rankings import RANKINGS
from nonresponse.statistics.reliability_diagram import DIAGRAM
from nonresponse.statistics.risk_coverage import RISK_CONTROL, RISK_COVERAGE

CURVES = [
    ("bold", 1, 0.2, 0, 0.9, False),
    ("bold", 3, 0.6, 0, 0.7, False),
    ("bold", 5, 1, 0.4, 0.5, True),
    ("mute", 2, 0.4, 0.5, None, True),
]
BINS = [("bold", 9, 4, 0.85, 0.75, 0.1), ("bold", 10, 1, 1.0, 1.0, 0.0)]
ROWS = {
    "risk_coverage": (CURVES, RISK_COVERAGE),
    "risk_control": ([("bold", 0.1, 0.5, 60, 1, 0.09, False)], RISK_CONTROL),
    "reliability_diagram": (BINS, DIAGRAM),
}


def make_campaign(folder: Path, ids: list[str], analyses: list[str], **files) -> Campaign:
    """A campaign with scores by these measures, and tables by path below `reliability`."""
    for id in ids:
        score = pl.DataFrame({"assessor": ["x"], "value": [0.5]})
        tables.write(score, folder / f"scores/{id}.parquet")
    for name, table in files.items():
        tables.write(table, folder / f"reliability/{name}.parquet")
    settings = {"measures": ids, "official": "x", "analyses": analyses, "level": 0.05}
    return Campaign("x", "qa", folder, settings)


def test_curves_are_those_of_the_tables_and_without_rows_there_is_no_section(tmp_path):
    def make_sections(number: int) -> list:
        files = {
            f"summaries/{name}": pl.DataFrame(rows[:number], schema, orient="row")
            for name, (rows, schema) in ROWS.items()
        }
        campaign = make_campaign(tmp_path, ["c@1"], [], **files)
        return [part.make_section(campaign) for part in (risk_coverage, reliability_diagram)]

    risk, diagram = make_sections(9)
    [risk], [diagram] = risk.figures, diagram.figures
    assert {curve.name: curve.points for curve in risk.curves} == {
        "bold": [[0.2, 0], [0.6, 0], [1, 0.4]],
        "mute": [[0.4, 0.5]],
    }
    assert [curve.points for curve in diagram.curves] == [[[0.85, 0.75, 0.8], [1, 1, 0.2]]]
    assert make_sections(0) == [None] * 2


def test_swap_rates_are_drawn_for_the_measures_on_the_scale_of_the_first(tmp_path):
    """Without a bin where no pair differs that much."""
    ids = ["c@1", "uf", "omniscience"]
    swaps = pl.DataFrame({"lower": [0.01, 0.0, 0.02], "swap_rate": [0.1, 0.4, None]})
    sizes = pl.DataFrame({"measure": ids, "size": 5, "questions": 11, "required_difference": 0.01})
    files = {f"by_measure/{id}/swap": swaps for id in ids} | {"summaries/sensitivity": sizes}
    campaign = make_campaign(tmp_path, ids, ["swap"], **files)
    [figure] = questions.make_section(campaign).figures
    points = [[0, 0.4], [0.01, 0.1]]
    assert {curve.name: curve.points for curve in figure.curves} == {"c@1": points, "uf": points}
    assert figure.level == 0.05 and "5 of the 11 questions" in figure.title


def test_rankings_have_a_matrix_of_assessors_by_measure_and_of_measures(tmp_path):
    rows = [
        ("assessors", "c@1", "x", "y", 2, 0.5, 1, 1, 0, None),
        ("assessors", "uf", "x", "y", 2, None, 0, 0, 0, None),
        ("measures", None, "c@1", "uf", 2, 1, 0, 0, 0, None),
    ]
    files = {"summaries/rankings": pl.DataFrame(rows, RANKINGS, orient="row")}
    campaign = make_campaign(tmp_path, ["c@1", "uf"], ["rankings"], **files)
    assessor_matrix, _, measure_matrix = rankings.make_section(campaign).tables
    assert assessor_matrix.cells == [["x – y", "0.50", "–"]]
    assert measure_matrix.cells == [["c@1", "–", "1.00"], ["uf", "1.00", "–"]]


def test_what_the_questions_of_a_campaign_can_show(tmp_path):
    """Of a measure without a number of questions there is none."""
    schema = {"difference": pl.Float64, "questions": pl.Int64, "lower": pl.Int64, "upper": pl.Int64}
    rows = {"c@1": (0.05, 620, 580, 1670), "uf": (0.05, None, None, None), "k": (0.06, 9, 8, 10)}
    files = {
        f"by_measure/{id}/questions_needed": pl.DataFrame([row], schema, orient="row").with_columns(
            n=500, required_difference=0.07, remark=pl.lit("")
        )
        for id, row in rows.items()
    }
    power = pl.DataFrame({"measure": [*rows], "pair": "median", "detectable": [0.03, 0.04, 0.05]})
    maxt = pl.DataFrame({"measure": [*rows], "maxt": [0.5, 0.25, 0.1]})
    files |= {"summaries/power": power, "summaries/discriminative_power": maxt}
    campaign = make_campaign(tmp_path, [*rows], ["sample_size", "comparison"], **files)
    assert questions.tabulate_measures(campaign).rows() == [
        ("c@1", 0.07, "620 (580 to 1,670)", 0.5, 0.03),
        ("uf", 0.07, None, 0.25, 0.04),
        ("k", 0.07, None, 0.1, 0.05),
    ]
