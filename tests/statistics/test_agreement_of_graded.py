"""Agreement on graded responses: epochs, several answers, or nothing to judge."""

from itertools import product

import pytest
from nonresponse.statistics import judges
from nonresponse.statistics.agreement import summarise
from nonresponse.statistics.analyses import Inputs
from pipeline import Campaign
from quick import first_of_each

ASSESSORS = {"assessors": {"ann": "ann", "bob": "bob"}, "official": "ann"}
WORDS = {"C": "correct", "W": "wrong", "N": "unanswered", "E": "error", ".": "unscored"}


def make_graded(folder, ann: str, bob: str | None = None, **place: range) -> Campaign:
    """Grade one run; `place` is a further column, whose values follow each other."""
    [(name, values)] = place.items() or [("epoch", range(1))]
    rows = []
    for number, grade in enumerate(ann):
        question = {"question": f"q{number // len(values)}", name: values[number % len(values)]}
        grades = (
            {"verdict": WORDS[grade]}
            if bob is None
            else {"ann": WORDS[grade], "bob": WORDS[bob[number]]}
        )
        rows.append(question | grades)
    return Campaign(folder).evaluate_graded({"a": rows}, options={} if bob is None else ASSESSORS)


def measure_disagreement(campaign: Campaign) -> list[tuple]:
    """The share of disagreements on the labels, with the number of responses."""
    table, _ = summarise(Inputs(labels=[campaign.verdicts]), "qa", {"official": "ann"})
    disagreement = table.filter(scale="label", statistic="disagreement")
    return disagreement.select("items", "value").rows()


def test_each_time_that_a_question_was_asked_is_a_response_of_its_own(tmp_path):
    campaign = make_graded(tmp_path, "CCWWCN", "CWWWCC", epoch=range(3))
    assert measure_disagreement(campaign) == [(6, pytest.approx(2 / 6))]
    crossed = judges.cross_verdicts(campaign.verdicts, "ann").filter(judge="bob")
    assert crossed["responses"].sum() == 6


def test_of_several_answers_the_verdict_on_the_question_counts(tmp_path):
    assert measure_disagreement(make_graded(tmp_path, "CWWW", "CWCW", rank=range(1, 3))) == [
        (2, 0.5)
    ]


@pytest.mark.parametrize(
    ("ann", "bob"),
    first_of_each(
        lambda ann, bob: (ann == "C", bob), product(["NNN", "E", "NE", "...", "C"], [None, "same"])
    ),
)
def test_where_nothing_was_judged_or_by_one_alone_there_is_no_table_or_an_empty_one(
    tmp_path, ann, bob
):
    campaign = make_graded(tmp_path, ann, bob and ann)
    assert measure_disagreement(campaign) == ([(1, 0.0)] if (ann, bob) == ("C", "same") else [])
    alone = make_graded(tmp_path / "epochs", 2 * ann, None, epoch=range(2))
    assert measure_disagreement(alone) == []
