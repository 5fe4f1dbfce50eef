"""Ragas, LangSmith and MLflow: what is particular to tables with a column for each metric."""

import pytest
from log_samples import put, read, verdicts
from nonresponse import formats
from nonresponse.ingest.readers import imported
from reading import write


@pytest.mark.parametrize(
    ("format", "metric", "mean"),
    [
        ("ragas", "answer_correctness", 1.75 / 4),
        ("ragas", "faithfulness", 2.8 / 4),
        ("langsmith", "correct", 1.75 / 4),
        ("mlflow", "correct", 1.75 / 4),
    ],
)
def test_tables_of_metrics_have_the_mean_of_a_column_as_their_tools_show_it(tmp_path, format, metric, mean):
    """A plain recount of the sample: all rows, epochs too, that were scored and did not break down."""
    path, options = put(tmp_path, format)
    log = formats.module(format).read_log(path, options | {"metric": metric})
    assert log.faults == [] and log.statements[0].recomputed == pytest.approx(mean)


def test_a_metric_of_several_that_nobody_named_is_asked_for(tmp_path):
    path, _ = put(tmp_path, "ragas")
    *_, [fault] = imported(path, {"format": "ragas"})
    assert "faithfulness" in fault.found and "answer_correctness" in fault.found and "`metric:`" in fault.expected


def test_from_where_on_a_number_of_a_metric_is_correct(tmp_path):
    rows, _, faults = read(tmp_path, "ragas", correct_from=0.5)
    assert faults == [] and verdicts(rows)["base", "q3"] == "correct" and verdicts(rows)["base", "q2"] == "wrong"


@pytest.mark.parametrize(
    ("format", "table", "found"),
    [
        ("ragas", "user_input,response\nq,a\n", "the columns"),
        ("ragas", "user_input,m\nq,3\n", "the m '3'"),
        ("langsmith", "example_id,feedback.m\n,1\n", "nothing in example_id"),
        ("mlflow", "inputs,m/v1/score\nq,4\n", "the m '4'"),
        ("langsmith", "example_id,feedback.m,feedback.k\nq,1,4\n", "the metrics 'm', 'k'"),
        ("mlflow", "inputs,toxicity/v1/score\nq,0.5\n", "of which less is better"),
    ],
)
def test_tables_of_metrics_that_cannot_be_read(tmp_path, format, table, found):
    *_, [fault] = imported(write(tmp_path, "t.csv", table), {"format": format})
    assert found in fault.found
