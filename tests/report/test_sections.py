"""Figures, matrices and names of sections, made of tables of known rows."""

import polars as pl
from nonresponse import tables
from nonresponse.report import document, model
from nonresponse.report.campaign import Campaign
from nonresponse.report.sections import (
    cost,
    pooling,
    questions,
    rankings,
    reliability_diagram,
    risk_coverage,
)
from nonresponse.statistics import pooling as analysis
from nonresponse.statistics.cost import COST
from nonresponse.statistics.rankings import RANKINGS
from nonresponse.statistics.reliability_diagram import DIAGRAM
from nonresponse.statistics.risk_coverage import RISK_CONTROL, RISK_COVERAGE

CURVES = [
    ("bold", 1, 0.2, 0, 0.9, False),
    ("bold", 3, 0.6, 0, 0.7, False),
    ("bold", 5, 1, 0.4, 0.5, True),
    ("mute", 2, 0.4, 0.5, None, True),
]
ROWS = {
    "cost": ([(0, None, 0, 1, ["bold"], 0.6, 0.4, 0.6)], COST),
    "risk_coverage": (CURVES, RISK_COVERAGE),
    "risk_control": ([("bold", 0.1, 0.5, 60, 1, 0.09, False)], RISK_CONTROL),
    "reliability_diagram": (
        [("bold", 9, 4, 0.85, 0.75, 0.1), ("bold", 10, 1, 1.0, 1.0, 0.0)],
        DIAGRAM,
    ),
}


def test_curves_are_those_of_the_tables_and_without_rows_there_is_no_section(tmp_path):
    campaign = Campaign("x", "qa", tmp_path, {"measures": ["c@1"], "level": 0.05})
    for has_rows in (1, 0):
        for name, (rows, schema) in ROWS.items():
            table = pl.DataFrame(rows * has_rows, schema, orient="row")
            tables.write(table, tmp_path / f"reliability/summaries/{name}.parquet")
        sections = [
            module.make_section(campaign) for module in (cost, risk_coverage, reliability_diagram)
        ]
        if has_rows:
            (risk,), (diagram,) = sections[1].figures, sections[2].figures
            assert [(section.name, section.points) for section in risk.curves] == [
                ("bold", [[0.2, 0], [0.6, 0], [1, 0.4]]),
                ("mute", [[0.4, 0.5]]),
            ]
            assert [section.points for section in diagram.curves] == [
                [[0.85, 0.75, 0.8], [1, 1, 0.2]]
            ]
    assert sections == [None] * 3


def test_swap_rates_are_drawn_for_the_measures_on_the_scale_of_the_first(tmp_path):
    """Without a bin where no pair differs that much."""
    ids, settings = ["c@1", "uf", "omniscience"], {"level": 0.05, "analyses": ["swap"]}
    swaps = pl.DataFrame({"lower": [0.01, 0.0, 0.02], "swap_rate": [0.1, 0.4, None]})
    scores = pl.DataFrame({"assessor": "o", "value": [0.5]})
    for id in ids:
        tables.write(swaps, tmp_path / f"reliability/by_measure/{id}/swap.parquet")
        tables.write(scores, tmp_path / f"scores/{id}.parquet")
    sizes = pl.DataFrame({"measure": ids, "size": 5, "questions": 11, "required_difference": 0.01})
    tables.write(sizes, tmp_path / "reliability/summaries/sensitivity.parquet")
    campaign = Campaign("x", "qa", tmp_path, {"measures": ids, "official": "o", **settings})
    [figure] = questions.make_section(campaign).figures
    assert [(curve.name, curve.points) for curve in figure.curves] == [
        (id, [[0, 0.4], [0.01, 0.1]]) for id in ids[:2]
    ]
    assert figure.level == 0.05 and "5 of the 11 questions" in figure.title


def test_rankings_have_a_matrix_of_assessors_by_measure_and_of_measures(tmp_path):
    rows = [
        ("assessors", "c@1", "x", "y", 2, 0.5, 1, 1, 0, None),
        ("assessors", "uf", "x", "y", 2, None, 0, 0, 0, None),
        ("measures", None, "c@1", "uf", 2, 1, 0, 0, 0, None),
    ]
    table = pl.DataFrame(rows, RANKINGS, orient="row")
    tables.write(table, tmp_path / "reliability/summaries/rankings.parquet")
    score = pl.DataFrame({"assessor": ["x"], "value": [0.5]})
    for id in ("c@1", "uf"):
        tables.write(score, tmp_path / f"scores/{id}.parquet")
    settings = {"measures": ["c@1", "uf"], "official": "x", "analyses": ["rankings"]}
    section = rankings.make_section(Campaign("x", "qa", tmp_path, settings))
    assert [table.cells for table in (section.tables[0], section.tables[2])] == [
        [["x – y", "0.50", "–"]],
        [["c@1", "–", "1.00"], ["uf", "1.00", "–"]],
    ]


def test_what_the_questions_of_a_campaign_can_show(tmp_path):
    """Of a measure without a number of questions there is none."""
    folder, ids = tmp_path / "reliability", ["c@1", "uf", "accuracy"]
    schema = {"difference": pl.Float64, "questions": pl.Int64, "lower": pl.Int64, "upper": pl.Int64}
    columns = {
        "c@1": (0.05, 620, 580, 1670),
        "uf": (0.05, *[None] * 3),
        "accuracy": (0.06, 9, 8, 10),
    }
    for id, row in columns.items():
        needed = pl.DataFrame([row], schema, orient="row")
        needed = needed.with_columns(n=500, required_difference=0.07, remark=pl.lit(""))
        tables.write(needed, folder / f"by_measure/{id}/questions_needed.parquet")
        score = pl.DataFrame({"assessor": ["x"], "value": [0.5]})
        tables.write(score, tmp_path / f"scores/{id}.parquet")
    power = pl.DataFrame({"measure": ids, "pair": "median", "detectable": [0.03, 0.04, 0.05]})
    tables.write(power, folder / "summaries/power.parquet")
    section = pl.DataFrame({"measure": ids, "maxt": [0.5, 0.25, 0.1]})
    tables.write(section, folder / "summaries/discriminative_power.parquet")
    settings = {"measures": ids, "official": "x", "analyses": ["sample_size", "comparison"]}
    rows = questions.tabulate_measures(Campaign("x", "qa", tmp_path, settings)).rows()
    assert rows == [
        ("c@1", 0.07, "620 (580 to 1,670)", 0.5, 0.03),
        ("uf", 0.07, None, 0.25, 0.04),
        ("accuracy", 0.07, None, 0.1, 0.05),
    ]


def test_runs_are_text_from_an_analysis_to_the_pages(tmp_path):
    """007 loses no zeros, and null is a name."""
    changes = {"value": 0.5, "without": 0.25, "change": -0.25, "tau": 1.0}
    row = {"measure": "c@1", "correct_answers": 1, "questions": 1, **changes}
    table = pl.DataFrame([{**row, "run": run} for run in ("007", "null")], analysis.POOLING)
    tables.write(table, tmp_path / "reliability/judging/pooling.parquet")
    settings = {"measures": ["c@1"], "official": "x"}
    section = pooling.make_section(Campaign("camp", "qa", tmp_path, settings))
    model.write_sections({"": section}, tmp_path / "sections.json")
    [texts] = model.read_sections(tmp_path / "sections.json")[""].tables
    assert [row[1] for row in texts.cells] == ["007", "null"]
    page = document.render_markdown("Title", [section])
    assert "| c@1     | 007  |" in page and "by at most 0.250 (007)." in page
