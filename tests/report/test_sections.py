"""What sections say of tables of known rows."""

import polars as pl
import pytest
from nonresponse import tables
from nonresponse.report import document, model
from nonresponse.report.campaign import Campaign
from nonresponse.report.sections import (
    cost,
    imports,
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

STRETCHES = [(0, 1, 0, 0.5, ["bold"], 0.6, 0.4, 0.6), (1, None, 0.5, 1, None, 0, 0, 0)]
CURVES = [
    ("bold", 1, 0.2, 0, 0.9, False),
    ("bold", 3, 0.6, 0, 0.7, False),
    ("bold", 5, 1, 0.4, 0.5, True),
]
CURVES += [("mute", 2, 0.4, 0.5, None, True)]
CONTROL = [("bold", 0.1, 0.5, 60, 1, 0.09, False), ("two", 0.1, None, None, None, None, True)]
BINS = [("bold", 9, 4, 0.85, 0.75, 0.1), ("bold", 10, 1, 1.0, 1.0, 0.0)]


@pytest.fixture
def campaign(tmp_path):
    """Its tables have these rows, or none."""

    def made(some: bool) -> Campaign:
        rows = {
            "cost": (STRETCHES, COST),
            "risk_coverage": (CURVES, RISK_COVERAGE),
            "risk_control": (CONTROL, RISK_CONTROL),
            "reliability_diagram": (BINS, DIAGRAM),
        }
        for name, (own, schema) in rows.items():
            table = pl.DataFrame(own if some else [], schema, orient="row")
            tables.write(table, tmp_path / f"reliability/summaries/{name}.parquet")
        return Campaign(
            "x", "qa", tmp_path, {"measures": ["c@1"], "level": 0.05, "tested": ["c@1"]}
        )

    return made


def test_cost_risk_and_confidence_are_said_as_the_tables_have_them(campaign):
    found = [
        module.section(campaign(True)) for module in (cost, risk_coverage, reliability_diagram)
    ]
    assert [one.sentences for one in found] == [
        [
            "By correct − cost · wrong for a question, the best is bold below 1.00 and never "
            "answering from 1.00 on."
        ],
        [
            "bold answers 100 % of the questions, and 40 % of its answers are wrong. Of its 3"
            " surest answers, 0 % are.",
            "If bold gives all its answers above 0.500, at most 10 % of its answers are wrong, with"
            " 95 % confidence (here 1 of 60).",
            "No threshold is tested for 1 run with several answers to a question or to a cluster of"
            " questions, which are alike.",
        ],
        [
            "The confidence of bold is on average 0.080 higher than its share of correct answers,"
            " and off by 8.0 % in the bins."
        ],
    ]
    assert [(one.tab, len(one.figures), len(one.tables)) for one in found] == [
        ("ranking", 0, 1),
        ("reliability", 1, 2),
        ("reliability", 1, 1),
    ]
    [risk], [diagram] = found[1].figures, found[2].figures
    assert [(one.name, one.points) for one in risk.curves] == [
        ("bold", [[0.2, 0], [0.6, 0], [1, 0.4]]),
        ("mute", [[0.4, 0.5]]),
    ]
    assert [one.points for one in diagram.curves] == [[[0.85, 0.75, 0.8], [1, 1, 0.2]]]


def test_without_rows_there_is_nothing_to_say(campaign):
    for module in (cost, risk_coverage, reliability_diagram):
        assert module.section(campaign(False)) is None


def test_swap_rates_are_drawn_for_the_measures_on_the_scale_of_the_first(tmp_path):
    """Without a bin where no pair differs that much."""
    ids, settings = ["c@1", "uf", "omniscience"], {"level": 0.05, "analyses": ["swap"]}
    for id in ids:
        swaps = pl.DataFrame({"lower": [0.01, 0.0, 0.02], "swap_rate": [0.1, 0.4, None]})
        tables.write(swaps, tmp_path / f"reliability/by_measure/{id}/swap.parquet")
    sizes = pl.DataFrame({"measure": ids, "size": 5, "questions": 11, "required_difference": 0.01})
    tables.write(sizes, tmp_path / "reliability/summaries/sensitivity.parquet")
    for id in ids:
        tables.write(
            pl.DataFrame({"assessor": "o", "value": [0.5]}), tmp_path / f"scores/{id}.parquet"
        )
    campaign = Campaign("x", "qa", tmp_path, {"measures": ids, "official": "o", **settings})
    [figure] = questions.section(campaign).figures
    assert [(one.name, one.points) for one in figure.curves] == [
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
    found = rankings.section(Campaign("x", "qa", tmp_path, settings))
    assert [table.cells for table in (found.tables[0], found.tables[2])] == [
        [["x – y", "0.50", "–"]],
        [["c@1", "–", "1.00"], ["uf", "1.00", "–"]],
    ]


def test_runs_are_text_from_an_analysis_to_the_pages(tmp_path):
    """007 loses no zeros, and null is a name."""
    row = dict.fromkeys(analysis.POOLING, None) | {
        "measure": "c@1",
        "correct_answers": 1,
        "questions": 1,
        "tau": 1.0,
    }
    rows = [
        {**row, "run": run, "value": 0.5, "without": 0.25, "change": -0.25}
        for run in ("007", "null")
    ]
    tables.write(
        pl.DataFrame(rows, analysis.POOLING), tmp_path / "reliability/judging/pooling.parquet"
    )
    found = pooling.section(
        Campaign("camp", "qa", tmp_path, {"measures": ["c@1"], "official": "x"})
    )
    model.write({"": found}, tmp_path / "sections.json")
    [shown] = model.read_sections(tmp_path / "sections.json")[""].tables
    assert [row[1] for row in shown.cells] == ["007", "null"]
    page = document.markdown("Title", [found])
    assert "| c@1     | 007  |" in page and "its c@1 would fall by at most 0.250 (007)." in page


def test_what_logs_state_is_said_in_words():
    outcomes = ["differs", "agrees", "differs", "cannot be reconciled", "reconciled"]
    frame = pl.DataFrame({"run": [*"abcde"], "outcome": outcomes}).with_columns(
        from_partial=pl.lit(0.0)
    )
    assert imports.section(frame).sentences == [
        "The logs state the accuracy of the leaderboard for 1 run, a score that their samples give"
        " and the leaderboard does not have for 1 run, another number than their samples give for"
        " 2 runs and nothing that could be reconciled for 1 run."
    ]
    texts = {
        "run": ["m"],
        "measure": [""],
        "outcome": ["cannot be reconciled"],
        "remarks": ["no results"],
    }
    numbers = dict.fromkeys(
        ("stated", "recomputed", "from_partial", "accuracy"), pl.lit(None, pl.Float64)
    )
    # All of a column of numbers may be empty
    found = imports.section(pl.DataFrame(texts).with_columns(**numbers))
    assert (
        "nothing that could be reconciled for 1 run" in found.sentences[0]
        and found.tables[0].csv == "imports"
    )


def test_what_logs_state_for_partly_right_answers_is_warned_of():
    frame = pl.DataFrame(
        {"run": ["a", "b", "c"], "from_partial": [0.4, None, 0.6], "outcome": "agrees"}
    )
    frame = frame.with_columns(
        measure=pl.lit("acc"), stated=pl.lit(0.454), recomputed=pl.lit(0.454)
    )
    assert imports.section(frame).sentences[1:] == [
        "The log of c states acc 0.454, which comes mostly from partly correct answers, none of "
        "which counts as right"
        " here (option partial)."
    ]
    assert imports.section(frame.head(2)).sentences[1:] == []
