"""What docs/measures.md says of the bounds of a score: every way to take all of the unscored, and
nothing between."""

import itertools
import random

import pytest
from nonresponse import measures
from nonresponse.scoring import score
from pipeline import Campaign

WAYS = ("correct", "wrong", "unanswered")
# They set the self-score of an answer against whether it is right.
OF_EACH_ANSWER = (
    "r",
    "aurc",
    "augrc",
    "auroc_confidence",
    "ece@10",
    "ece_mass@10",
    "brier_confidence",
    "nll",
)
RISING = ("c@1", "accuracy", "uf", "precision_answered", "f_simpleqa", "penalty@0.75", "cws")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory) -> Campaign:
    """A run for each way to take three unscored answers one by one; their questions come after six
    others."""
    draw = random.Random(1)
    sure = [round(draw.random(), 1) for _ in range(9)]
    known = [draw.choice(WAYS) for _ in range(6)]
    runs = {
        "-".join(taken): [
            {"question": f"q{place}", "verdict": verdict, "confidence": confidence}
            for place, (verdict, confidence) in enumerate(zip((*known, *taken), sure, strict=True))
        ]
        for taken in itertools.product(WAYS, repeat=3)
    }
    return Campaign(tmp_path_factory.mktemp("mixed")).graded(runs)


def extremes(campaign: Campaign, id: str) -> tuple[tuple, tuple]:
    """Lowest and highest score if all three are counted alike, and if each may be counted
    differently."""
    measure = measures.get("qa", id)
    if measure.kind == "counts":
        found = score.from_counts(measure, campaign.counts)
    else:
        found = score.from_verdicts(
            measure, score.opened(campaign.verdicts), campaign.policy, by_category=False
        )
    values = dict(found.select("run", "value").iter_rows())
    alike = [value for way in WAYS if (value := values["-".join([way] * 3)]) is not None]
    every = [value for value in values.values() if value is not None]
    return (min(alike), max(alike)), (min(every), max(every))


@pytest.mark.parametrize("id", RISING)
def test_measures_that_rise_with_right_answers_are_within_their_bounds(mixed, id):
    alike, every = extremes(mixed, id)
    assert every == pytest.approx(alike)


@pytest.mark.parametrize("id", OF_EACH_ANSWER)
def test_measures_of_self_scores_may_be_beyond_them(mixed, id):
    (low, high), (lowest, highest) = extremes(mixed, id)
    assert lowest < low - 1e-9 or highest > high + 1e-9
