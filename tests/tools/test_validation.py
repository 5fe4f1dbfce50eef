"""docs/validation.md has a row for every kind of measure, and explains what is marked."""

import pytest
from nonresponse import measures, tasks
from validation import comparison, page, scores
from validation.sections import SECTIONS

KINDS = {
    scores.describe_kind(measure): measure.id
    for task in tasks.NAMES
    for measure in measures.load_measures(task).values()
}


@pytest.mark.parametrize("kind", KINDS, ids=KINDS.get)
def test_every_kind_of_measure_is_simulated(kind):
    """Add a new kind to SHAPES of comparison.py and ROWS of scores.py; run `make validation`."""
    assert {20, 50, 200} <= {
        world.questions for world in comparison.WORLDS if scores.describe_kind(world.record) == kind
    }
    assert kind in {
        scores.describe_kind(source.measure) for group in scores.ROWS.values() for source in group
    }


def test_every_row_is_on_the_page():
    tables = page.read_page(SECTIONS)
    assert all(rows and source for rows, source in tables.values())
    levels, score_rows = (tables[comparison.SECTION.title][0], tables[scores.SECTION.title][0])
    simulated = {
        (f"{world.measure}{f' ({world.kind})' if world.kind else ''}", str(world.questions))
        for world in comparison.WORLDS
    }
    assert simulated == {(measure, questions) for measure, questions, *_ in levels}
    assert [*scores.ROWS] == [*dict.fromkeys(name for name, *_ in score_rows)]


def test_a_row_is_simulated():
    [world] = [row for row in comparison.WORLDS if row == ("c@1", 50, 0.5, 0.3, "clusters")]
    actual = comparison.simulate(world, 20)
    assert actual["p"] <= 0.2 and actual["interval"] > 0.8 and actual["abstention"] > 0.8
    coverage, method = scores.hold_truth(scores.Source("qa", "accuracy"), 50, 0.5, 100)
    assert coverage > 0.85 and method == "Dirichlet"
