"""`format: verifiers`: results.jsonl of verifiers, with the metadata.json beside it, or the
traces.jsonl of its version 1."""

from typing import Any

from nonresponse.formats.declared import (
    NO_STATE,
    RESULTS_OF_HARNESS,
    SHARED_OPTIONS,
    Records,
    Rule,
    Sign,
    Spec,
)
from nonresponse.formats.logs import dig, get_number, get_object, get_text, list_objects

REWARD = "reward"


def list_rollouts(reading: Any, records: Records) -> Records:
    """Yield each record of results.jsonl, and of traces.jsonl each trace of an episode as such a
    record. An episode that failed before its first trace has the model of all others."""
    models: set[str | None] = set()
    failures: list[tuple[int, dict]] = []
    for line, record in records:
        if not isinstance(record, dict) or not isinstance(record.get("traces"), list):
            yield line, record
            continue
        traces = list_objects(record["traces"])
        if not traces:
            failures.append((line, make_rollout(record, record)))
        rewarded = [trace for trace in traces if trace.get("rewards")]  # a judge has no reward
        agents = {get_text(trace, "agent", "name") for trace in rewarded or traces}
        for trace in rewarded or traces:
            rollout = make_rollout(record, trace)
            models.add(rollout["model"])
            if len(agents) > 1:
                rollout["model"] = f"{rollout['model']} {dig(trace, 'agent', 'name')}"
            yield line, rollout
    model = min(models, key=str) if len(models) == 1 else None
    for line, rollout in failures:
        yield line, rollout | {"model": model}


def make_rollout(episode: dict, trace: dict) -> dict:
    """Return a trace as a record of results.jsonl; the reward is null where scoring did not run."""
    task, data = dig(trace, "task"), dig(trace, "task", "data")
    ids = (dig(data, "idx"), dig(task, "key"), dig(data, "name"))
    models = (dig(trace, "agent", "config", "model"), dig(trace, "calls", 0, "model"))
    nodes = [node for node in list_objects(trace.get("nodes")) if node.get("sampled")]
    rewards, scores = get_object(trace, "rewards"), dict[str, Any]()
    total: float | None = 0.0 if rewards else None  # null where scoring did not run
    for name, reward in rewards.items():
        score, weight = get_number(reward, "score"), get_number(reward, "weight")
        scores[name] = score
        weighted = score if score is None or weight is None else score * weight
        total = None if total is None or weighted is None else total + weighted
    rollout = {
        "example_id": next((id for id in ids if id is not None), None),
        "model": next(filter(None, map(get_text, models)), None),
        "env_id": dig(episode, "env", "id"),
        "prompt": dig(data, "prompt"),
        "answer": dig(data, "answer"),
        "completion": [node.get("message") for node in nodes[-1:]],
        "metrics": scores | get_object(trace, "metrics"),
        REWARD: total,
    }
    if trace.get("ok") is not True:
        rollout["error"] = dig(trace, "errors", -1, "message") or "it did not complete"
    return rollout


def list_scores(reading: Any, rollout: dict) -> dict:
    """Return the reward and the metrics, which older results have beside the reward."""
    reading.score = reading.score or REWARD
    scores = {REWARD: rollout[REWARD]} if REWARD in rollout else {}
    metrics = get_object(rollout, "metrics").items()
    scores |= {name: value for name, value in metrics if get_number(value) is not None}
    if reading.score not in scores and get_number(rollout, reading.score) is not None:
        scores[reading.score] = rollout[reading.score]
    return scores


SPEC = Spec(
    "verifiers",
    "a line of results.jsonl or traces.jsonl of verifiers",
    ("partial", "unscored", "error"),
    options=("metric", "best", "epochs", *SHARED_OPTIONS),
    limitation=f"{NO_STATE}, and the reward is counted even if the judge failed",
    signs=(
        Sign(".jsonl", "reward completion", any_of="example_id id"),
        Sign(".jsonl", "traces task", any_of="env ok errors"),
        Sign(".json", "env model num_rollouts", "beside", reason=RESULTS_OF_HARNESS),
        Sign(".json", "avg_reward", "beside", reason=RESULTS_OF_HARNESS),
    ),
    paths=(
        r".*/(?P<environment>[^/]*?)--(?P<model>[^/]+)/[^/]+/[^/]+",
        r".*/(?P<model>[^/]+)/[^/]+",
    ),
    results=("metadata.json",),
    records=list_rollouts,
    run=("model", "head:model", "{model}"),
    task=("env_id", "head:env_id", "head:env", "{environment}"),
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
