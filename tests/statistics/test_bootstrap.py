"""Samples of questions and their scores, beside plain loops."""

import numpy as np
from literal_reliability import campaign, each_kind, near
from nonresponse.statistics import PER_STREAM, intervals
from nonresponse.statistics.subsets import draw_bootstrap


@each_kind
def test_samples_are_scored_question_by_question(measure):
    """A question that is drawn k times counts k times; blocks follow each other."""
    outcomes, score = campaign(measure, 6, questions=15, excluding=True)
    scores = intervals.score_samples(outcomes, 1, "c", PER_STREAM + 20)
    assert scores.shape == (len(outcomes.runs), PER_STREAM + 20)
    assert np.array_equal(
        intervals.score_samples(outcomes, 1, "c", 30), scores[:, :30], equal_nan=True
    )
    for block, start, trials in ((0, 0, 25), (1, PER_STREAM, 20)):
        samples = draw_bootstrap(1, "c", 15, block, trials).astype(int)
        for trial, times in enumerate(samples):
            rows = np.repeat(np.arange(15), times).tolist()
            for run in range(len(outcomes.runs)):
                assert scores[run, start + trial] == near(score(run, rows))
