"""`format: verifiers`: results.jsonl of verifiers, with the metadata.json beside it."""

from pathlib import Path
from typing import Any

from nonresponse.formats.declared import Sign, Spec, When
from nonresponse.formats.log_records import ALL, BOTH, NO_STATE, OF_HARNESS
from nonresponse.formats.logs import clean_text, dig, number, records

REWARD = "reward"


def results(path: str, names: dict[str, str]) -> Path | None:
    return Path(path).with_name("metadata.json")


def scores_of(reading: Any, rollout: dict) -> dict:
    """Return the reward and the metrics, which older results have beside the reward."""
    scores = {REWARD: rollout[REWARD]} if REWARD in rollout else {}
    if isinstance(more := rollout.get("metrics"), dict):
        scores |= {name: value for name, value in more.items() if number(value) is not None}
    reading.score = reading.score or REWARD
    if reading.score not in scores and number(rollout.get(reading.score)) is not None:
        scores[reading.score] = rollout[reading.score]
    return scores


def answer(reading: Any, rollout: dict, score: object) -> tuple[str | None, float | None]:
    """Return the last message of the model, or the text that it completed."""
    completion = rollout.get("completion")
    if not isinstance(completion, list):
        return clean_text(completion), None
    given = [one for one in records(completion) if one.get("role") in ("assistant", None)]
    return clean_text(dig(given, -1, "content")), None


SPEC = Spec(
    "verifiers",
    "a line of results.jsonl of verifiers",
    (*ALL, "partial", "unscored", "error"),
    options=("metric", "best", "epochs", *BOTH),
    blind=f"{NO_STATE}, nor what reward a failed judge stands for",
    signs=(
        Sign(".jsonl", "reward completion", some="example_id id"),
        Sign(".json", "avg_reward", "beside", why=OF_HARNESS),
    ),
    paths=(
        r".*/(?P<environment>[^/]*?)--(?P<model>[^/]+)/[^/]+/[^/]+",
        r".*/(?P<model>[^/]+)/[^/]+",
    ),
    results=results,
    run=("head:model", "{model}"),
    task=("head:env_id", "head:env", "{environment}"),
    prefixed=True,
    question=("example_id", "id"),
    counted=True,
    scores=scores_of,
    rules=(When("error", "error"),),
    answer=answer,
    asked=("prompt",),
    target=("answer",),
    headlines=(("avg_{metric}",), ("avg_metrics", "{metric}")),
    unstated="no metadata.json that states it",
    sample_counts=(("num_examples",), ("rollouts_per_example",)),
)
