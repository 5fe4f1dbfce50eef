"""`format: evalscope`: the reviews of EvalScope, .jsonl, with the report of the same model."""

from pathlib import Path
from typing import Any

from nonresponse.faults import quote
from nonresponse.formats.declared import (
    ONLY_A_METRIC,
    RESULTS_OF_HARNESS,
    SHARED_OPTIONS,
    Rule,
    Sign,
    Spec,
)
from nonresponse.formats.logs import Statement, dig, get_finite, list_objects
from nonresponse.formats.text import get_stem
from nonresponse.formats.words import plain_name

# Statuses of a score; any other means that the judge failed
USABLE = ("success", "fallback", "degraded")
DIGITS = 4  # to which its reports round
# What reports call metrics that have another name in the reviews, in small letters with _
REPORTED = {"acc": "accuracy", "f1_score": "f1", "em": "exact_match"}


def find_report(path: str, names: dict[str, str]) -> str | None:
    """Return the report on the benchmark, that with the longest name that fits."""
    folder = Path(names["output"], "reports", names["model"])
    reports = folder.glob("*.json") if names["output"] else ()
    matches = [str(file) for file in reports if names["stem"].startswith(f"{file.stem}_")]
    return max(matches, key=len, default=None)


def headline(reading: Any, statement: Statement, worth: list[tuple]) -> Statement:
    """Return the statement with the mean that the report has of this subset."""
    subset, metric = reading.names["stem"], reading.score or ""
    subset = subset.removeprefix(f"{get_stem(reading.results or '')}_")
    stated = find_mean(reading.head, metric, subset)
    if stated is None:
        reason = f"its report states no mean of {quote(metric)} for {quote(subset)}"
        return statement._replace(recomputed=None, why=reason if reading.results else statement.why)
    recomputed = None if statement.recomputed is None else round(statement.recomputed, DIGITS)
    return statement._replace(stated=stated, recomputed=recomputed, why="")


def find_mean(report: object, metric: str, subset: str) -> float | None:
    """Return the mean of a metric over a subset, as a report has it; null where it has none."""
    plain = plain_name(metric)
    for entry in list_objects(report, "metrics"):
        name, names = dig(entry, "name"), [metric, f"mean_{metric}"]  # of older reports
        if dig(entry, "identity", "aggregation") == "mean":
            name, names = dig(entry, "identity", "name"), [metric, REPORTED.get(plain, plain)]
        if name in names:
            categories = list_objects(entry, "categories")
            parts = [part for category in categories for part in list_objects(category, "subsets")]
            return next(
                (get_finite(part, "score") for part in parts if part.get("name") == subset), None
            )
    return None


SPEC = Spec(
    "evalscope",
    "a line of reviews/{model}/{benchmark}_{subset}.jsonl of EvalScope",
    ("partial", "unanswered", "unscored"),
    options=("metric", "best", "epochs", *SHARED_OPTIONS),
    limitation=f"{ONLY_A_METRIC}, and responses that failed before the review are missing",
    signs=(
        Sign(".jsonl", "index sample_score"),
        Sign(".json", "dataset_name model_name metrics", "beside", reason=RESULTS_OF_HARNESS),
    ),
    paths=(r"(?P<output>.*)/reviews/(?P<model>.+)/[^/]+", r".*/(?P<model>[^/]+)/[^/]+"),
    results=find_report,
    run=("head:model_name", "{model}"),
    task=("{stem}",),
    task_in_name=True,
    question=("sample_score.group_id", "sample_score.sample_id", "index"),
    epoch="sample_score.generation_index",
    first_epoch=0,
    numbers_epochs=True,
    scores="sample_score.score.value",
    main=("sample_score.score.main_score_name",),
    rules=(
        Rule("sample_score.score.value", "unscored", ({},)),
        Rule("sample_score.score.status", "unscored", USABLE, negated=True),
    ),
    answer=("sample_score.score.extracted_prediction", "sample_score.score.prediction"),
    asked=("messages", "input"),
    explanation=("sample_score.score.explanation",),
    judge=("sample_score.score.judge_summary.judge_models",),
    headline=headline,
)
