"""What the page says of cost, of risk against coverage and of confidences, from tables of known rows."""

import polars as pl
import pytest
from nonresponse import tables
from nonresponse.pages.sections import Campaign, cost, reliability_diagram, risk_coverage
from nonresponse.statistics.cost import COST
from nonresponse.statistics.reliability_diagram import DIAGRAM
from nonresponse.statistics.risk_coverage import RISK_CONTROL, RISK_COVERAGE

STRETCHES = [(0, 1, 0, 0.5, ["bold"], 0.6, 0.4, 0.6), (1, None, 0.5, 1, None, 0, 0, 0)]
CURVES = [("bold", 1, 0.2, 0, 0.9, False), ("bold", 3, 0.6, 0, 0.7, False), ("bold", 5, 1, 0.4, 0.5, True)]
CURVES += [("mute", 2, 0.4, 0.5, None, True)]
CONTROL = [("bold", None, 0.1, 0.5, 60, 1, 0.09, False), ("two", None, 0.1, None, None, None, None, True)]
BINS = [("bold", 9, 4, 0.85, 0.75, 0.1), ("bold", 10, 1, 1.0, 1.0, 0.0)]


@pytest.fixture
def campaign(tmp_path):
    """Its tables have these rows, or none."""

    def made(some: bool) -> Campaign:
        rows = {
            "cost": (STRETCHES, COST),
            "risk_coverage": (CURVES, RISK_COVERAGE),
            "risk_control": (CONTROL, RISK_CONTROL),
        }
        for name, (own, schema) in (rows | {"reliability_diagram": (BINS, DIAGRAM)}).items():
            table = pl.DataFrame(own if some else [], schema, orient="row")
            tables.write(table, tmp_path / f"reliability/summaries/{name}.parquet")
        (tmp_path / "figures").mkdir(exist_ok=True)
        return Campaign("x", "qa", tmp_path, {"measures": ["c@1"], "level": 0.05, "tested": ["c@1"]})

    return made


def test_sentences_say_what_the_tables_say(campaign):
    found = [section.topic(campaign(True)) for section in (cost, risk_coverage, reliability_diagram)]
    assert [topic.sentences for topic in found] == [
        ["By right − cost · wrong for a question, the best is bold below 1.00 and never answering from 1.00 on."],
        [
            "bold answers 100 % of the questions, and 40 % of its answers are wrong; of its 3 surest answers, 0 % are.",
            "If bold gives its answers that stand above 0.500, at most 10 % of its answers are wrong, with 95 %"
            " confidence (here 1 of 60 are). This can be said of 1 of 1 run, each tested separately.",
            "No threshold is tested for 1 run with several answers to a question, or to the questions of a cluster:"
            " these are alike, and tell less than as many answers to other questions.",
        ],
        ["The confidence of bold is on average 0.08 higher than its share of right answers; 8.0 % off in the bins."],
    ]
    assert [len(topic.figures) for topic in found] == [1, 1, 1] and [len(it.tables) for it in found] == [1, 2, 1]


def test_without_rows_there_is_nothing_to_say(campaign):
    for section in (cost, risk_coverage, reliability_diagram):
        topic = section.topic(campaign(False))
        assert not topic.sentences and not topic.tables and not topic.figures
