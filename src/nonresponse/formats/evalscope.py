"""`format: evalscope`: the reviews of EvalScope, .jsonl, with the report of the same model."""

from pathlib import Path
from typing import Any

from nonresponse.faults import shown
from nonresponse.formats.declared import Sign, Spec, When
from nonresponse.formats.log_records import ALL, BOTH, NOTHING_BUT, OF_HARNESS
from nonresponse.formats.logs import Statement, dig, finite, records
from nonresponse.formats.text import stem

# Statuses of a score; any other means that the judge failed
USABLE = ("success", "fallback", "degraded")
DIGITS = 4  # to which its reports round


def results(path: str, names: dict[str, str]) -> Path | None:
    """Return the report on the benchmark: the longest name that fits, gsm8k_hard rather than
    gsm8k."""
    there = (
        Path(names["output"], "reports", names["model"]).glob("*.json") if names["output"] else ()
    )
    own = [file for file in there if names["stem"].startswith(f"{file.stem}_")]
    return max(own, key=lambda file: len(file.name), default=None)


def state(reading: Any, review: dict, score: object) -> str | None:
    """Return unscored for a review without any value."""
    return "unscored" if dig(review, "sample_score", "score", "value") == {} else None


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    """Return the statement with the mean that the report has of this subset."""
    subset = reading.names["stem"].removeprefix(f"{stem(reading.results or '')}_")
    stated = stated_in(reading.head, str(reading.score), subset)
    why = (
        f"its report states no mean of {shown(reading.score or '')} for {shown(subset)}"
        if stated is None
        else ""
    )
    recomputed = None if own.recomputed is None or why else round(own.recomputed, DIGITS)
    return own._replace(
        stated=stated, recomputed=recomputed, why=why if reading.results else own.why
    )


def stated_in(report: object, metric: str, subset: str) -> float | None:
    """Return the mean of a metric over a subset, as a report has it; null where it has none."""
    for one in records(dig(report, "metrics")):
        own = (
            dig(one, "identity", "name")
            if dig(one, "identity", "aggregation") == "mean"
            else dig(one, "name")
        )
        if own in (metric, f"mean_{metric}"):  # the second is its name in older reports
            parts = [
                part
                for category in records(dig(one, "categories"))
                for part in records(dig(category, "subsets"))
            ]
            return finite(
                next((dig(part, "score") for part in parts if dig(part, "name") == subset), None)
            )
    return None


SPEC = Spec(
    "evalscope",
    "a line of reviews/{model}/{benchmark}_{subset}.jsonl of EvalScope",
    (*ALL, "partial", "unanswered", "unscored"),
    options=("metric", "best", "epochs", *BOTH),
    blind=f"{NOTHING_BUT}, and what failed before it was reviewed is not there",
    signs=(
        Sign(".jsonl", "index sample_score"),
        Sign(".json", "dataset_name model_name metrics", "beside", why=OF_HARNESS),
    ),
    paths=(r"(?P<output>.*)/reviews/(?P<model>.+)/[^/]+", r".*/(?P<model>[^/]+)/[^/]+"),
    results=results,
    run=("head:model_name", "{model}"),
    task=("{stem}",),
    prefixed=True,
    question=("sample_score.group_id", "sample_score.sample_id", "index"),
    epoch="sample_score.generation_index",
    first_epoch=0,
    counted=True,
    scores="sample_score.score.value",
    main=("sample_score.score.main_score_name",),
    state=state,
    rules=(When("sample_score.score.status", "unscored", USABLE, other=True),),
    answer=("sample_score.score.extracted_prediction", "sample_score.score.prediction"),
    asked=("messages", "input"),
    why=("sample_score.score.explanation",),
    judge=("sample_score.score.judge_summary.judge_models",),
    no_results="no report on it",
    headline=headline,
)
