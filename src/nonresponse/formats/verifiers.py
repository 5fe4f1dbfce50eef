"""`format: verifiers`: results.jsonl of verifiers, with the metadata.json beside it."""

from typing import Any

from nonresponse.formats.declared import (
    NO_STATE,
    RESULTS_OF_HARNESS,
    SHARED_OPTIONS,
    Rule,
    Sign,
    Spec,
)
from nonresponse.formats.logs import get_number

REWARD = "reward"


def list_scores(reading: Any, rollout: dict) -> dict:
    """Return the reward and the metrics, which older results have beside the reward."""
    reading.score = reading.score or REWARD
    metrics = rollout.get("metrics")
    scores = {REWARD: rollout[REWARD]} if REWARD in rollout else {}
    for name, value in (metrics if isinstance(metrics, dict) else {}).items():
        if get_number(value) is not None:
            scores[name] = value
    if reading.score not in scores and get_number(rollout.get(reading.score)) is not None:
        scores[reading.score] = rollout[reading.score]
    return scores


SPEC = Spec(
    "verifiers",
    "a line of results.jsonl of verifiers",
    ("partial", "unscored", "error"),
    options=("metric", "best", "epochs", *SHARED_OPTIONS),
    limitation=f"{NO_STATE}, and the reward is counted even if the judge failed",
    signs=(
        Sign(".jsonl", "reward completion", any_of="example_id id"),
        Sign(".json", "avg_reward", "beside", reason=RESULTS_OF_HARNESS),
    ),
    paths=(
        r".*/(?P<environment>[^/]*?)--(?P<model>[^/]+)/[^/]+/[^/]+",
        r".*/(?P<model>[^/]+)/[^/]+",
    ),
    results=("metadata.json",),
    run=("head:model", "{model}"),
    task=("head:env_id", "head:env", "{environment}"),
    task_in_name=True,
    question=("example_id", "id"),
    numbers_epochs=True,
    scores=list_scores,
    rules=(Rule("error", "error"),),
    answer=("completion",),
    asked=("prompt",),
    target=("answer",),
    headlines=(("avg_{metric}",), ("avg_metrics", "{metric}")),
    unstated="no metadata.json that states it",
    sample_counts=(("num_examples",), ("rollouts_per_example",)),
)
