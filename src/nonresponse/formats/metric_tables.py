"""`format: ragas`, `langsmith`, `mlflow`: tables with a column for each metric of a response."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from nonresponse.faults import quote_names
from nonresponse.formats.declared import ONLY_A_METRIC, SHARED_OPTIONS, Sign, Spec
from nonresponse.formats.logs import name_input
from nonresponse.formats.text import get_ending
from nonresponse.formats.words import FALSE_WORDS, NO_ERROR, TRUE_WORDS

FAILED_METRICS = ("nan", "none", "null")  # a metric that failed
WORDS = dict.fromkeys(TRUE_WORDS, "correct") | dict.fromkeys(FALSE_WORDS, "wrong")
WORDS |= dict.fromkeys(FAILED_METRICS, "unscored")
NO_METRIC = (
    "user_input|response|multi_responses|reference.*|retrieved_.*|rubrics?|persona.*|query_.*"
    r"|synthesizer.*|id|index|Unnamed:.\d+"
)


class Columns(NamedTuple):
    """The names of an export's columns, as regular expressions: the first that matches counts."""

    metric: str  # its first group is the metric
    question: tuple[str, ...]
    asked: tuple[str, ...]
    answer: tuple[str, ...]
    target: tuple[str, ...]
    error: str = ""  # the column that tells of a breakdown of the system
    broken: str = ".+"  # the text there that means a breakdown
    reason: str = ""  # the column with the reason of the metric {}


def make_reader(columns: Columns) -> Any:
    def read(reading: Any, records: object) -> Iterator[tuple[int, dict]]:
        from nonresponse.formats.records import read_table

        by_column = {"by_column": True} if get_ending(reading.path) == ".json" else {}
        frame, faults = read_table(reading.path, reading.options | by_column)
        reading.faults += faults
        if faults:
            return
        frame = frame.drop("", strict=False)  # the index of a data frame
        names = frame.columns[1:]
        question, text, answer, target = (find_column(names, patterns) for patterns in columns[1:5])
        matches = [match for name in names if (match := re.fullmatch(columns.metric, name))]
        metrics = {
            match[1]: match[0]
            for match in matches
            if match[1] == reading.options.get("metric")
            or are_scores(frame[match[0]].unique().to_list())
        }
        if not question or not metrics:
            reading.faults.add(1, f"the columns {quote_names(names)}", "a question, and a metric")
            return
        error_column = find_column(names, (columns.error,))
        for row in frame.iter_rows(named=True):
            if reading.score is None:
                reading.choose_score(row["line"], row, [*metrics])
            reason_pattern = columns.reason.format(re.escape(reading.score))
            error = row.get(error_column) or ""
            is_broken = error.lower() not in NO_ERROR and re.fullmatch(columns.broken, error, re.S)
            fields = {
                "id": name_input(row[question]) if row[question] else None,
                "scores": {metric: row[name] for metric, name in metrics.items()},
                "state": "error" if is_broken else None,
                "answer": (row[answer] or "") if answer else None,
                "asked": row.get(text),
                "target": row.get(target),
                "explanation": row.get(find_column(names, (reason_pattern,))),
            }
            yield row["line"], fields | ({"worth": None} if is_broken else {})

    return read


def find_column(names: list[str], patterns: tuple[str, ...]) -> str:
    """Return the first name that matches the first pattern with a match; "" for none."""
    return next((name for pattern in patterns for name in names if re.fullmatch(pattern, name)), "")


def are_scores(values: list[str | None]) -> bool:
    """Return whether a column has scores, on whatever scale, and nothing else."""
    from nonresponse.formats.numbers import parse_real

    words = {word.lower() for word in values if word is not None} - {*FAILED_METRICS}
    numbers = words - {*TRUE_WORDS, *FALSE_WORDS}
    return bool(words) and all(parse_real(number) is not None for number in numbers)


def make_spec(
    id: str,
    about: str,
    columns: Columns,
    any_of: str,
    names: str,
    limitation: str,
) -> Spec:
    """Return the record of an export; its signs are all `names` and one of `any_of`."""
    return Spec(
        id,
        about,
        ("partial", "unanswered", "unscored", *["error"] * bool(columns.error)),
        options=("metric", "best", "epochs", *SHARED_OPTIONS),
        limitation=limitation,
        signs=tuple(
            Sign(ending, names, any_of=any_of, reason="it has a column for each metric")
            for ending in (".csv", ".json", ".jsonl", ".parquet")
        ),
        records=make_reader(columns),
        builds_records=True,
        explanation=("explanation",),
        numbers_epochs=True,
        words=WORDS,
        question_text=("asked",),
        unstated="the file states no mean",
    )


RAGAS = Columns(
    f"(?!(?:{NO_METRIC})$)(.+)", ("user_input",), ("user_input",), ("response",), ("reference",)
)
LANGSMITH = Columns(
    r"feedback\.(.+)",
    question=("example_id", r"inputs?\..+"),
    asked=(r"inputs?\.(question|query|input)", r"inputs?\..+"),
    answer=(r"outputs?\.(answer|output|response)", r"outputs?\..+"),
    target=(r"reference(_outputs)?\.(answer|output|response)", r"reference(_outputs)?\..+"),
    error="error",
    reason=r"feedback\.{}\.comment",
)
MLFLOW = Columns(
    r"(.+?)(?:/v[0-9]+)?/(?:value|score)",
    question=("request", "inputs?"),  # not trace_id, which differs from run to run
    asked=("request", "inputs?"),
    answer=("response", "outputs?", "predictions?"),
    target=("expectations", "expected_response/value", "targets?", "ground_truth"),
    error="state",
    broken="(TraceState.)?ERROR",
    reason=r"{}(/v[0-9]+)?/(rationale|justification)",
)
SPECS = (
    make_spec(
        "ragas",
        "a result of Ragas, EvaluationResult.to_pandas() or experiments/*.csv, as a table",
        RAGAS,
        any_of=RAGAS.metric,
        names="user_input response",
        limitation=f"{ONLY_A_METRIC}, and nothing marks failures of the system",
    ),
    make_spec(
        "langsmith",
        "an experiment of LangSmith, ExperimentResults.to_pandas(), as a table",
        LANGSMITH,
        any_of=r"example_id inputs?\..+",
        names=LANGSMITH.metric,
        limitation=ONLY_A_METRIC,
    ),
    make_spec(
        "mlflow",
        "MLflow's result_df of genai.evaluate, or eval_results_table, as a table",
        MLFLOW,
        any_of="request inputs?",
        names=MLFLOW.metric,
        limitation=f"{ONLY_A_METRIC}, and only the column `state` marks failures of the system",
    ),
)
