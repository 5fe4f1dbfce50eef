"""`format: ragas`: a result of Ragas, EvaluationResult.to_pandas() or experiments/*.csv, as a table (docs/logs.md)."""

from nonresponse.formats import metric_tables
from nonresponse.formats.log_records import METRICS

COLUMNS = metric_tables.Columns(
    METRICS["ragas"], ("user_input",), ("user_input",), ("response",), ("reference",), alone=True
)
read_log, choose, fits = metric_tables.readers(COLUMNS)
