"""`format: ragas`: a result of Ragas, EvaluationResult.to_pandas() or experiments/*.csv, as a table (docs/logs.md)."""

from nonresponse.formats import metric_tables
from nonresponse.formats.logs import Log

OTHERS = (
    "user_input|response|multi_responses|reference.*|retrieved_.*|rubrics?|persona.*|query_.*|synthesizer.*|id|index"
)
COLUMNS = metric_tables.Columns(
    f"(?!(?:{OTHERS})$)(.+)", ("user_input",), ("user_input",), ("response",), ("reference",)
)


def read_log(path: str, options: dict) -> Log:
    return metric_tables.read_log(path, options, COLUMNS)
