"""Write the two logs of the tutorial: a made-up assistant before and after its prompt was changed,
asked 500 products.

Counts are chosen: accuracy falls by 8 points, abstention rises from 6 to 24 %, and c@1 stays.
"""

import json
import random
from pathlib import Path

import commands

OPTIONS = {"into": {"type": Path, "help": "the folder of the logs"}}
# How many questions went from one state to another: C correct, I wrong, N not attempted, as Inspect
# has them.
CHANGES = {
    "CC": 226, "CI": 12, "CN": 38,
    "IC": 8, "II": 126, "IN": 60,
    "NC": 2, "NI": 7, "NN": 21,
}  # fmt: skip


def sample(number: int, value: str, draw: random.Random) -> dict:
    """Return a sample of Inspect: a product, what the assistant said, and the grade."""
    a, b = 12 + number % 83, 17 + number * 7 % 79
    answer = {
        "C": str(a * b),
        "I": str(a * b + draw.choice([-100, -10, 10, 100])),
        "N": "I am not sure.",
    }[value]
    return {
        "id": f"q{number:03}",
        "epoch": 1,
        "input": f"What is {a} x {b}?",
        "target": str(a * b),
        "output": {"choices": [], "completion": answer},
        "scores": {"grader": {"value": value, "answer": answer}},
    }


def log(name: str, values: list[str]) -> dict:
    """Return a log of Inspect with its headline, the mean of C = 1 and the others 0."""
    draw = random.Random(name)
    accuracy = {"accuracy": {"name": "accuracy", "value": values.count("C") / len(values)}}
    return {
        "version": 2,
        "status": "success",
        "eval": {"model": name, "task": "products", "config": {"epochs": 1}},
        "results": {
            "total_samples": len(values),
            "completed_samples": len(values),
            "scores": [{"name": "grader", "scorer": "grader", "metrics": accuracy}],
        },
        "samples": [sample(number, value, draw) for number, value in enumerate(values, 1)],
    }


def write(into: Path) -> None:
    """Write before.json and after.json."""
    pairs = [pair for pair, number in CHANGES.items() for _ in range(number)]
    random.Random(2011).shuffle(pairs)
    into.mkdir(parents=True, exist_ok=True)
    for name, values in zip(("before", "after"), zip(*pairs, strict=True), strict=True):
        text = json.dumps(log(f"assistant-{name}", [*values]), indent=0)
        (into / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    commands.run(__doc__, [write], OPTIONS)
