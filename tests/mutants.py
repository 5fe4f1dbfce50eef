"""Two systems as tables of graded responses, and mutants of them that have cheated gates."""

import random
from collections.abc import Callable
from pathlib import Path

from reading import write_rows

Verdicts = dict[str, str]  # by question


def draw_system(questions: int, right: float, unanswered: float, seed: int = 1) -> Verdicts:
    draw = random.Random(seed)
    silent = [draw.random() < unanswered for _ in range(questions)]
    correct = [draw.random() < right for _ in range(questions)]
    states = [
        "unanswered" if s else "correct" if c else "wrong"
        for s, c in zip(silent, correct, strict=True)
    ]
    return {f"q{number:04}": state for number, state in enumerate(states)}


def replace_state(old: str, new: str) -> Callable[[Verdicts], Verdicts]:
    return lambda verdicts: {
        question: new if state == old else state for question, state in verdicts.items()
    }


def crash_judge(verdicts: Verdicts) -> Verdicts:
    return {
        name: "" if place % 10 == 0 else state
        for place, (name, state) in enumerate(verdicts.items())
    }


MUTANTS: dict[str, Callable[[Verdicts], Verdicts]] = {
    "the same": dict,
    "answers everything": replace_state("unanswered", "wrong"),
    "says nothing": lambda verdicts: dict.fromkeys(verdicts, "unanswered"),
    "the judge crashes": crash_judge,  # an empty field: nobody judged it
    "half is missing": lambda verdicts: dict([*verdicts.items()][::2]),
}


def write(verdicts: Verdicts, path: Path) -> str:
    rows = [
        {
            "question": question,
            "answer": "" if state == "unanswered" else f"answer {question}",
            "verdict": state,
        }
        for question, state in verdicts.items()
    ]
    return write_rows(path, rows)
