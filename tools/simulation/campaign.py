"""A campaign of any size in `format: tabular`, for benchmarks: one answer or none to each question,
judged R or W.

Run by run, so that memory does not grow with the runs. The pool of the answers given is judged as
the model has it.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from nonresponse import tables

from simulation import model
from simulation.words import NAMES

GROUP = 4  # runs of one group
MEAN_SKILL, SKILL_SPREAD, RUN_SPREAD, AFFINITY = -0.5, 0.8, 0.1, 0.6
RIGHT, WRONG = 2, 40  # right and wrong answers that a question may get


class Run(NamedTuple):
    """A run, before it answers anything."""

    name: str
    group: int
    skill: float
    unanswered: int


def draw_runs(count: int, n: int, seed: int) -> list[Run]:
    """Groups of runs; n is the number of questions."""
    rng = model.stream(seed, "runs")
    skills = model.shuffled(rng, MEAN_SKILL + SKILL_SPREAD * model.ladder(-(-count // GROUP)))
    width = max(4, len(str(count)))
    runs = []
    for i in range(count):
        skill = skills[i // GROUP] + RUN_SPREAD * rng.standard_normal()
        runs.append(
            Run(
                f"run{i + 1:0{width}}",
                i // GROUP,
                skill,
                round(max(0, model.between(rng, -0.2, 0.4)) * n),
            )
        )
    return runs


def draw_responses(
    run: Run, questions: model.Questions, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Per question the answer's number (−1: none given) and the confidence, in ten-thousandths."""
    n = len(questions.difficulty)
    rng = model.stream(seed, "run", run.name)
    margin = model.draw_margin(
        rng, run.skill, model.draw_affinity(seed, run.group, n, AFFINITY), questions
    )
    belief = model.draw_belief(rng, margin, model.between(rng, 2, 10))
    u = rng.random(n)
    answer = np.where(margin > 0, model.popular(u, RIGHT, 2), RIGHT + model.popular(u, WRONG, 1))
    answer[model.lowest(belief, run.unanswered)] = -1
    return answer, np.rint(10_000 / (1 + np.exp(-belief / 4))).astype(np.int64)


def write_campaign(directory: Path, runs: int, questions: int, seed: int) -> None:
    """Write runs/<run>.tsv and judgments/official.tsv."""
    width = max(4, len(str(questions)))
    ids = pl.Series("question", [f"q{q + 1:0{width}}" for q in range(questions)])
    # The k-th answer to a question is the k-th name after one that the question draws.
    names = pl.Series("answer", [*NAMES, *NAMES[: RIGHT + WRONG], ""])
    first = (model.stream(seed, "answers").random(questions) * len(NAMES)).astype(np.int64)
    confidences = pl.Series("confidence", [f"{k / 10_000:.4f}" for k in range(10_001)])
    items = model.draw_questions(seed, questions)
    pool = np.zeros((questions, RIGHT + WRONG), dtype=bool)
    for run in draw_runs(runs, questions, seed):
        answer, confidence = draw_responses(run, items, seed)
        positions = np.flatnonzero(answer >= 0)
        pool[positions, answer[positions]] = True
        answers = names.gather(np.where(answer >= 0, first + answer, len(names) - 1))
        write_table(
            [ids, answers, confidences.gather(confidence)], directory / "runs" / f"{run.name}.tsv"
        )
    question, answer = np.nonzero(pool)
    label = pl.Series("label", np.where(answer < RIGHT, "R", "W"))
    official = directory / "judgments" / "official.tsv"
    write_table([ids.gather(question), names.gather(first[question] + answer), label], official)


def write_table(columns: list[pl.Series], path: Path) -> None:
    """The columns as a TSV file."""
    with tables.replacing(path) as part:
        pl.DataFrame(columns).write_csv(part, separator="\t", quote_style="never")
