"""`format: mlflow`: MLflow's result_df of genai.evaluate, or eval_results_table, as a table (docs/logs.md)."""

from nonresponse.formats import metric_tables
from nonresponse.formats.log_records import METRICS

COLUMNS = metric_tables.Columns(
    METRICS["mlflow"],
    question=("request", "inputs?"),  # not trace_id, which differs from run to run
    asked=("request", "inputs?"),
    answer=("response", "outputs?"),
    target=("expectations", "expected_response/value", "targets?", "ground_truth"),
    error="state",
    broken="(TraceState.)?ERROR",
    reason=r"{}(/v[0-9]+)?/(rationale|justification)",
)
read_log, choose, fits = metric_tables.readers(COLUMNS)
