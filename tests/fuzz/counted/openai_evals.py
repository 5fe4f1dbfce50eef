"""Records of OpenAI Evals."""

import random

from fuzz.counted import Drawn, Faulty
from fuzz.counted.answers import POLICIES
from fuzz.counted.drawing import chance
from fuzz.counted.logs import Options, Told, by_number, ids, lines, models
from fuzz.counted.logs import drawn as of_logs

EVALS = ["toy", "law.v0"]


def drawn(draw: random.Random) -> Drawn:
    options = Options(draw, "openai-evals", epochs=False)
    evals = draw.sample(EVALS, draw.choice([1, 1, 2]))
    samples = {name: [f"{name}.{id}" for id in ids(draw)] for name in evals}
    files, told, fault = {}, [], None
    for number, model in enumerate(models(draw)):
        for name in evals:
            events: list[dict] = []
            for id in samples[name]:
                if chance(draw, 0.1):
                    continue
                text = draw.choice(options.texts)
                own = events_of(draw, id, text)
                events += own
                try:
                    told.append(Told(model, id, verdict_of(own), text, 1, name))
                except Faulty as reason:
                    fault = fault or reason
            if not events:
                continue
            events = draw.sample(events, len(events))
            records: list[dict] = [{"spec": {"completion_fns": [model], "eval_name": name}}]
            records += [{"run_id": "r", "event_id": place} | event for place, event in enumerate(events)]
            if chance(draw, 0.7):
                records.insert(draw.choice([1, len(records)]), {"final_report": {"accuracy": 0.5}})
            if chance(draw, 0.01):
                records.append(records[0] | {"spec": {"completion_fns": ["another"], "eval_name": name}})
                fault = fault or Faulty("two runs in a file")
            files[f"logs/{number}-{evals.index(name)}.jsonl"] = lines(records)
    if not files:
        return drawn(draw)
    options.own["files"] = "logs/*.jsonl"
    every = [id for name in evals for id in samples[name]]
    return of_logs(draw, options, files, fault or told, POLICIES, every)


def events_of(draw: random.Random, id: str, text: str) -> list[dict]:
    """What is recorded of a sample."""

    def event(type: str, **data) -> dict:
        return {"sample_id": id, "type": type, "data": data}

    found = [event("sampling", prompt="?", sampled=[text])]
    if chance(draw, 0.7):
        right = chance(draw, 0.5)
        found.append(event("match", correct=right, expected="x", picked=text if right else None, sampled=text))
    if chance(draw, 0.3):
        score = 1.5 if chance(draw, 0.01) else draw.choice([1.0, 0.0, 0.5, 1, True, False])
        found.append(event("metrics", **{draw.choice(["correct", "score", "accuracy"]): score}))
    if chance(draw, 0.15):
        found.append(event("error", message="down"))
    return found


def verdict_of(events: list[dict]) -> str:
    data = {event["type"]: event["data"] for event in events}
    if "match" in data:
        return "correct" if data["match"]["correct"] else "wrong"
    if "metrics" in data:
        return by_number(float(next(iter(data["metrics"].values()))))
    return "error" if "error" in data else "unscored"
