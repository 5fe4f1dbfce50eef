"""`format: mlflow`: MLflow's result_df of genai.evaluate, or eval_results_table, as a table (docs/logs.md)."""

from nonresponse.formats import metric_tables
from nonresponse.formats.logs import Log

COLUMNS = metric_tables.Columns(
    r"(.+?)(?:/v[0-9]+)?/(?:value|score)",
    question=("request", "inputs?"),  # no trace_id, which is of one run
    asked=("request", "inputs?"),
    answer=("response", "outputs?"),
    target=("expectations", "expected_response/value", "targets?", "ground_truth"),
    error="state",
    broken="(TraceState.)?ERROR",
    reason=r"{}(/v[0-9]+)?/(rationale|justification)",
)


def read_log(path: str, options: dict) -> Log:
    return metric_tables.read_log(path, options, COLUMNS)
