"""Folders of runs of HELM."""

import random

from fuzz.counted import Drawn, Faulty
from fuzz.counted.answers import POLICIES
from fuzz.counted.drawing import chance
from fuzz.counted.logs import Options, Told, by_number, dumped, ids, models
from fuzz.counted.logs import drawn as of_logs

KNOWN = ["exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match", "f1_score"]
SCENARIOS = ["toy", "mmlu:subject=law", "mmlu:subject=anatomy,method=x"]


def drawn(draw: random.Random) -> Drawn:
    options = Options(draw, "helm", epochs=True)
    metrics = draw.sample(KNOWN, draw.randint(1, 3))
    metric = next(name for name in KNOWN if name in metrics)
    if chance(draw, 0.5):
        metric = options.own["metric"] = draw.choice(metrics)
    scenarios = draw.sample(SCENARIOS, draw.choice([1, 1, 2]))
    instances = {scenario: ids(draw) for scenario in scenarios}
    trials = draw.choice([1, 1, 2])
    files, told, fault = {}, [], None
    split = "valid" if chance(draw, 0.1) else "test"
    for number, model in enumerate(models(draw)):
        for scenario in scenarios:
            states, stats = [], []
            for id in instances[scenario]:
                for trial in range(trials):
                    if trial == 0 and chance(draw, 0.1):
                        break
                    state = state_of(draw, id, trial, split, options.texts)
                    means = {name: draw.choice([1.0, 0.0, 1.0, 0.0, 0.5]) for name in metrics}
                    if chance(draw, 0.05):
                        means.pop(metric)
                    if chance(draw, 0.003):
                        means[metric] = 1.5
                    perturbed = {"perturbation": {"name": "typos"}} if chance(draw, 0.1) else {}
                    states.append(state)
                    stats.append(stats_of(id, trial, split, means))
                    if perturbed:
                        states.append(state | {"instance": state["instance"] | perturbed})
                        stats.append(stats_of(id, trial, split, dict.fromkeys(metrics, 0.0)) | perturbed)
                    try:
                        verdict = "error" if failed(state) else by_number(means.get(metric))
                    except Faulty as reason:
                        fault = fault or reason
                        continue
                    text = state["result"]["completions"][0]["text"]
                    told.append(Told(model, f"{scenario}/{id}", verdict, text, trial + 1, scenario))
            own = [one["name"]["name"] for row in stats if "perturbation" not in row for one in row["stats"]]
            if metric not in own:
                told = [one for one in told if (one.run, one.category) != (model, scenario)]
                continue
            folder = f"runs/{number}-{scenarios.index(scenario)}"
            separator = "," if ":" in scenario else ":"
            spec = {"name": f"{scenario}{separator}model=m{number}", "adapter_spec": {"model": model}}
            mean = [{"name": {"name": metric, "split": split}, "mean": 0.5}]
            files |= {
                f"{folder}/run_spec.json": dumped(spec),
                f"{folder}/scenario_state.json": dumped({"request_states": draw.sample(states, len(states))}, draw),
                f"{folder}/per_instance_stats.json": dumped(draw.sample(stats, len(stats))),
                f"{folder}/stats.json": dumped(mean),
            }
    if not files:
        return drawn(draw)
    options.own["files"] = "runs/*"
    every = [f"{scenario}/{id}" for scenario in scenarios for id in instances[scenario]]
    return of_logs(draw, options, files, fault or told, POLICIES, every)


def state_of(draw: random.Random, id: str, trial: int, split: str, texts: list[str]) -> dict:
    result: dict = {"success": True, "completions": [{"text": draw.choice(texts)}]}
    if chance(draw, 0.1):
        result |= draw.choice([{"success": False}, {"error": "down"}, {"success": False, "error": "down"}])
    instance = {"id": id, "split": split, "input": {"text": "?"}, "references": []}
    return {"instance": instance, "train_trial_index": trial, "result": result}


def failed(state: dict) -> bool:
    return not state["result"]["success"] or bool(state["result"].get("error"))


def stats_of(id: str, trial: int, split: str, means: dict[str, float]) -> dict:
    stats = [{"name": {"name": name, "split": split}, "count": 1, "mean": mean} for name, mean in means.items()]
    stats.append({"name": {"name": "num_completions", "split": split}, "count": 1, "mean": 7.0})
    return {"instance_id": id, "train_trial_index": trial, "stats": stats}
