"""Names of runs and questions, and their order, change no score of any measure of any task."""

import math
import random

import polars as pl
import pytest
from nonresponse import measures, tasks
from nonresponse.judging.store import read_verdicts
from strategies import CAMPAIGNS


def check_range(measure, values: pl.Series) -> None:
    low, high = measure.range
    for value in values.drop_nulls():
        assert math.isfinite(value), measure.id
        assert low is None or value >= low - 1e-12, measure.id
        assert high is None or value <= high + 1e-12, measure.id


@pytest.mark.slow
@pytest.mark.parametrize("task", tasks.NAMES)
def test_names_and_orders_change_nothing(tmp_path, task):
    """No bit of a value or a bound changes, and none is NaN."""
    draw, drawing = random.Random(23), CAMPAIGNS[task](21, n=20)
    first = drawing.campaign(tmp_path / "first")
    verdicts = read_verdicts(first.verdicts).rows()
    questions, runs = sorted({*verdicts["question"]}), sorted({*verdicts["run"]})
    new_names = dict(zip(questions, draw.sample(questions, len(questions)), strict=True))
    second = drawing.rename(new_names, draw).campaign(tmp_path / "second")
    assert second.counts.equals(first.counts)
    new_run = pl.col("run").replace(dict(zip(runs, reversed(runs), strict=True)))
    second.rejudge(read_verdicts(second.verdicts).rows().with_columns(new_run))
    varied = 0
    for measure in measures.load_measures(task).values():
        if measure.kind == "counts":
            scores_of_both = [[campaign.scores(measure.id)] for campaign in (first, second)]
        else:  # the bounds are the extremes under all policies
            policies = [{}, *draw.sample(tasks.get(task).policy_variants, 2)]
            scores_of_both = [
                [campaign.values(measure.id, **policy) for policy in policies]
                for campaign in (first, second)
            ]
        for scores, new_scores in zip(*scores_of_both, strict=True):
            assert new_scores.with_columns(new_run).sort("assessor", "run").equals(scores), (
                measure.id
            )
            for column in scores.columns[2:]:
                check_range(measure, scores[column])
        varied += scores_of_both[0][0]["value"].n_unique() > 1
    # There are no fragments of text for two of ROMIP's counts, and too few answers for
    # rms_calibration_hle.
    assert varied >= len(measures.load_measures(task)) - (3 if task == "qa" else 0)
