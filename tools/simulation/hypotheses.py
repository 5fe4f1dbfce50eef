"""Runs that hand in weighted hypotheses, as in DEFT 2011: how they come by them, and how they write
them.

A run tries each question once or several times; every try has a margin (model.py) and an answer,
and the run sees its margin through noise. A try weighs exp(sharpness · belief); tries that come to
the same answer are one hypothesis, which weighs as much as they do together. Confidences are the
weights as shares of 1, in whole units of the last decimal. The run withholds the questions whose
best try it believes least.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from simulation import model

GROUPS = (3, 2)  # runs of one group, in turn
RUN_SPREAD, AFFINITY, BLUR = 0.3, 0.6, 2.5

Hypotheses = list[tuple[str, str]]  # of one question: answer and confidence, as written


class Form(NamedTuple):
    """What a run hands in. One try: one hypothesis without a confidence."""

    tries: int = 1
    sharpness: float = 0.3  # 0: every try is a vote of the same weight
    decimals: int = 4
    # The hypotheses of a question in the order of the answers, else the most confident first
    answer_order: bool = False
    one_to_one: bool = False  # no answer twice: one hypothesis, the best that is left (matching)
    unanswered: float = 0  # share of the questions
    # Share of these that the file does not mention; the others have a line without an answer
    left_out: float = 0


class Run(NamedTuple):
    """A run, before it answers anything."""

    name: str
    group: str
    skill: float
    form: Form


def draw_runs(
    task: str, count: int, forms: Sequence[Form], skill: tuple[float, float], seed: int
) -> list[Run]:
    """Groups of runs whose skills have this mean and spread; the forms go round."""
    rng = model.stream(seed, task, "runs")
    sizes: list[int] = []
    while sum(sizes) < count:
        sizes.append(min(GROUPS[len(sizes) % len(GROUPS)], count - sum(sizes)))
    skills = model.shuffled(rng, skill[0] + skill[1] * model.ladder(len(sizes)))
    places = [(group, i) for group, size in enumerate(sizes) for i in range(size)]
    width = max(2, len(str(len(sizes))))
    return [
        Run(
            f"sim{group + 1:0{width}}-{i + 1}",
            f"{task} {group}",
            skills[group] + RUN_SPREAD * rng.standard_normal(),
            forms[k % len(forms)],
        )
        for k, (group, i) in enumerate(places)
    ]


def draw_tries(
    rng: np.random.Generator, run: Run, questions: model.Questions, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Margins and beliefs, both tries x questions."""
    affinity = model.draw_affinity(seed, run.group, len(questions.difficulty), AFFINITY)
    margins = np.array(
        [model.draw_margin(rng, run.skill, affinity, questions) for _ in range(run.form.tries)]
    )
    return margins, np.array([model.draw_belief(rng, margin, BLUR) for margin in margins])


def round_weights(weights: Sequence[float], units: int) -> list[int]:
    """Return whole numbers in proportion to the weights, with the sum `units`."""
    total = sum(weights)
    shares = [weight / total * units for weight in weights]
    units_of_weight = [int(share) for share in shares]
    most_lost = sorted(range(len(shares)), key=lambda i: units_of_weight[i] - shares[i])
    for i in most_lost[: units - sum(units_of_weight)]:
        units_of_weight[i] += 1
    return units_of_weight


def weigh(answers: Sequence[str], beliefs: Sequence[float], form: Form) -> Hypotheses:
    """The hypotheses of one question; none of them has a confidence of 0."""
    weights: dict[str, float] = {}
    for answer, belief in zip(answers, beliefs, strict=True):
        weights[answer] = weights.get(answer, 0) + float(
            np.exp(form.sharpness * (belief - max(beliefs)))
        )
    units = zip(weights, round_weights(list(weights.values()), 10**form.decimals), strict=True)
    hypotheses = sorted(
        ((answer, unit) for answer, unit in units if unit), key=lambda pair: (-pair[1], pair[0])
    )
    hypotheses_in_order = sorted(hypotheses) if form.answer_order else hypotheses
    return [
        (answer, f"{unit / 10**form.decimals:.{form.decimals}f}")
        for answer, unit in hypotheses_in_order
    ]


def hand_in(
    run: Run,
    ids: Sequence[str],
    answers: np.ndarray,
    beliefs: np.ndarray,
    name: Callable[[int], str],
    seed: int,
) -> dict[str, Hypotheses]:
    """Return the hypotheses for each question mentioned; answers are tries x questions."""
    abstained = model.lowest(beliefs.max(0), round(run.form.unanswered * len(ids)))
    left_out = abstained & (
        model.stream(seed, run.group, "left out", run.name).random(len(ids)) < run.form.left_out
    )
    return {
        ids[q]: []
        if abstained[q]
        else weigh([name(a) for a in answers[:, q].tolist()], beliefs[:, q].tolist(), run.form)
        for q in range(len(ids))
        if not left_out[q]
    }


def render_file(responses: dict[str, Hypotheses], column: str, form: Form) -> str:
    """Return the file of one run, or of the references; `column` is year or label.

    It has a line per hypothesis, and one with an empty answer for a question without any.
    """
    fields = 3 if form.tries > 1 and not form.one_to_one else 2
    lines = [("question", column, "confidence")]
    for question, hypotheses in responses.items():
        lines += [(question, *hypothesis) for hypothesis in hypotheses or [("", "")]]
    return "".join("\t".join(line[:fields]) + "\n" for line in lines)
