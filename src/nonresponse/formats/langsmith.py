"""`format: langsmith`: an experiment of LangSmith, ExperimentResults.to_pandas(), as a table (docs/logs.md)."""

from nonresponse.formats import metric_tables
from nonresponse.formats.log_records import METRICS

COLUMNS = metric_tables.Columns(
    METRICS["langsmith"],
    question=("example_id", r"inputs?\..+"),
    asked=(r"inputs?\.(question|query|input)", r"inputs?\..+"),
    answer=(r"outputs?\.(answer|output|response)", r"outputs?\..+"),
    target=(r"reference(_outputs)?\.(answer|output|response)", r"reference(_outputs)?\..+"),
    error="error",
    reason=r"feedback\.{}\.comment",
)
read_log, choose, fits = metric_tables.readers(COLUMNS)
