"""`format: verifiers`: results.jsonl of verifiers, with the metadata.json beside it."""

from typing import Any

from nonresponse.formats.declared import ALL, BOTH, NO_STATE, OF_HARNESS, Sign, Spec, When
from nonresponse.formats.logs import number

REWARD = "reward"


def scores_of(reading: Any, rollout: dict) -> dict:
    """Return the reward and the metrics, which older results have beside the reward."""
    reading.score = reading.score or REWARD
    more = rollout.get("metrics")
    scores = {REWARD: rollout[REWARD]} if REWARD in rollout else {}
    for name, value in (more if isinstance(more, dict) else {}).items():
        if number(value) is not None:
            scores[name] = value
    if reading.score not in scores and number(rollout.get(reading.score)) is not None:
        scores[reading.score] = rollout[reading.score]
    return scores


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
    results=("metadata.json",),
    run=("head:model", "{model}"),
    task=("head:env_id", "head:env", "{environment}"),
    prefixed=True,
    question=("example_id", "id"),
    counted=True,
    scores=scores_of,
    rules=(When("error", "error"),),
    answer=("completion",),
    asked=("prompt",),
    target=("answer",),
    headlines=(("avg_{metric}",), ("avg_metrics", "{metric}")),
    unstated="no metadata.json that states it",
    sample_counts=(("num_examples",), ("rollouts_per_example",)),
)
