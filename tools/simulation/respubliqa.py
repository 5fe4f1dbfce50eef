"""A campaign as ResPubliQA 2009: every question is answered with a paragraph, or left unanswered
(NOA).

A run that leaves a question unanswered may hand in the candidate that it withheld, which is judged
too. Beyond the package's model: each run withholds a share of its questions, those it believes
least. Four runs bear the names of real ones and meet their published counts: the cut of such a run
lies so that exactly the published number of its answered questions have a margin above it.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from simulation import model, words

# Peñas & Rodrigo 2011, table 3: run, answered correctly, answered wrongly, unanswered, of 500
# questions.
PUBLISHED = {
    "icia091ro": (237, 156, 107),
    "uaic092ro": (236, 264, 0),
    "loga092de": (187, 230, 83),
    "base092de": (189, 311, 0),
}
CATEGORIES = ("factoid", "definition", "reason", "purpose", "procedure")
# Of the invented runs' groups, in turn
LANGUAGES = ("en", "en", "es", "fr", "en", "it", "en", "pt", "de", "ro")
GROUP = 2  # runs of one group
RIGHT, WRONG = 2, 60  # right and wrong paragraphs that a question may be answered with
AFFINITY = 0.6
MEAN_SKILL, SKILL_SPREAD, RUN_SPREAD = -0.7, 0.65, 0.2
UNJUDGED = 0.02  # share of the withheld candidates that nobody judged


class Run(NamedTuple):
    """A run, before it answers anything."""

    name: str
    language: str
    group: str
    skill: float
    unanswered: int
    correct: int | None  # a published count to be met


def draw_runs(count: int, n: int, seed: int) -> list[Run]:
    """Draw groups of invented runs, and add those with published counts, of n questions."""
    rng = model.stream(seed, "runs")
    invented = count - len(PUBLISHED)
    groups = -(-invented // GROUP)
    skills = model.shuffled(rng, MEAN_SKILL + SKILL_SPREAD * model.ladder(groups))
    width = max(2, len(str(invented)))
    runs = []
    for i in range(invented):
        language = LANGUAGES[i // GROUP % len(LANGUAGES)]
        skill = skills[i // GROUP] + RUN_SPREAD * rng.standard_normal()
        withholds = rng.random() < 0.65
        share = model.between(rng, 0.02, 0.40) if withholds else 0
        name = f"sim{i + 1:0{width}}{language}"
        runs.append(Run(name, language, f"group{i // GROUP}", skill, round(share * n), None))
    for name, (n_ac, _, n_u) in PUBLISHED.items():
        runs.append(Run(name, name[-2:], name, MEAN_SKILL + SKILL_SPREAD, n_u, n_ac))
    return sorted(runs)


def draw_responses(
    run: Run, questions: model.Questions, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return by question: withheld, the paragraph's number (−1: none), whether it is right."""
    n = len(questions.difficulty)
    rng = model.stream(seed, "run", run.name)
    margin = model.draw_margin(
        rng, run.skill, model.draw_affinity(seed, run.group, n, AFFINITY), questions
    )
    withheld = model.lowest(
        model.draw_belief(rng, margin, model.between(rng, 2, 10)), run.unanswered
    )
    cut = 0 if run.correct is None else model.cut_for(margin[~withheld], run.correct)
    right = margin > cut
    # Runs of one group often come upon the same paragraph.
    group_choice = model.stream(seed, "choice", run.group).random(n)
    u = np.where(rng.random(n) < 0.5, group_choice, rng.random(n))
    paragraph = np.where(right, model.popular(u, RIGHT, 3), RIGHT + model.popular(u, WRONG, 1.2))
    # Some runs hand in no candidates at all
    offers = 0.95 if rng.random() < 0.75 or run.correct else 0
    nothing = withheld & (rng.random(n) >= offers)
    return withheld, np.where(nothing, -1, paragraph), right


def files(runs: int, questions: int, seed: int) -> Iterator[tuple[str, str]]:
    """The campaign's files, each with its path and its text."""
    items = model.draw_questions(seed, questions)
    width = max(4, len(str(questions)))
    ids = [f"{q + 1:0{width}}" for q in range(questions)]
    category = model.stream(seed, "categories").random(questions)
    lines = [f"{ids[q]}\t{CATEGORIES[int(category[q] * 5)]}\n" for q in range(questions)]
    yield "questions.tsv", "question\tcategory\n" + "".join(lines)
    names = [words.paragraphs(seed, q, RIGHT + WRONG) for q in range(questions)]
    judgments = ["run\tquestion\tparagraph\tjudgment\n"]
    for run in draw_runs(runs, questions, seed):
        withheld, paragraph, right = draw_responses(run, items, seed)
        has_label = ~withheld | (
            model.stream(seed, "unjudged", run.name).random(questions) >= UNJUDGED
        )
        lines = ["question\tstatus\tparagraph\n"]
        for q, abstained, k, is_right, has_judgment in zip(
            range(questions),
            withheld.tolist(),
            paragraph.tolist(),
            right.tolist(),
            has_label.tolist(),
            strict=True,
        ):
            text = names[q][k].format(run.language) if k >= 0 else ""
            lines.append(f"{ids[q]}\t{'NOA' if abstained else 'ANSWERED'}\t{text}\n")
            if text and has_judgment:
                judgments.append(f"{run.name}\t{ids[q]}\t{text}\t{'R' if is_right else 'W'}\n")
        yield f"runs/{run.name}.tsv", "".join(lines)
    yield "judgments/official.tsv", "".join(judgments)
