"""A campaign as TREC 2002: one response to each question, ordered by confidence, NIL for "no
answer".

A response is a pair (document, answer). Beyond the package's model: some questions have no answer
in the collection. A run that finds the correct answer spells it exactly, and cites a document that
supports it, with chances that belong to its group; one that does not gives a wrong answer from
anywhere. It returns NIL where it believes least. Pairs are numbers (question, answer, document)
until they are written; assessors.py judges them.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from simulation import assessors, model, words

NO_ANSWER = 46 / 500  # share of the questions without an answer in the collection
HARDER = 6.0  # by how much those questions are harder
GROUPS = (3, 2, 3, 2)  # runs of one group, in turn
# Cubic of a normal quantile: many groups close together, a few far off
SKILLS = (0.17, 0.33, 0.85, -0.95)
RUN_SPREAD, TOP_SKILL = 0.15, 7.5
AFFINITY = 0.6
NIL_BLUR = 3  # a run declines worse than it ranks
SAME_CHOICE = 0.6  # how often runs of one group come upon the same answer and document
# What a question may be answered with: answers exact, inexact, wrong; documents supporting, not
# supporting, other.
EXACT, INEXACT, WRONG = words.EXACT, words.INEXACT, 60
SUPPORTING, UNSUPPORTING, UNRELATED = 12, 10, 60
ANSWERS, DOCUMENTS = EXACT + INEXACT + WRONG, SUPPORTING + UNSUPPORTING + UNRELATED
NIL = -1


class Run(NamedTuple):
    """A run, before it answers anything."""

    name: str
    group: int
    skill: float


class System(NamedTuple):
    """What the runs of one group have in common besides skill and affinity."""

    exactly: float  # how often the correct answer is spelled exactly
    supports: float  # how often the document supports the correct answer
    usual: float  # the power with which it prefers the usual spelling and document
    declines: float  # share of the questions with NIL
    blur: float  # of its confidence
    nil_last: bool  # NIL stands at the end, whatever its confidence


BEST = System(exactly=0.97, supports=0.97, usual=6, declines=0.11, blur=0.5, nil_last=True)


def draw_runs(count: int, seed: int) -> list[Run]:
    """Groups of runs, the first of each its best; one group of one run stands out."""
    rng = model.stream(seed, "runs")
    sizes: list[int] = []
    while sum(sizes) < count - 1:
        sizes.append(min(GROUPS[len(sizes) % len(GROUPS)], count - 1 - sum(sizes)))
    skills = list(model.shuffled(rng, np.polyval(SKILLS, model.ladder(len(sizes)))))
    place = int(rng.random() * (len(sizes) + 1))
    sizes.insert(place, 1)
    skills.insert(place, TOP_SKILL)
    width = max(2, len(str(len(sizes))))
    return [
        Run(
            f"sim{group + 1:0{width}}{'abc'[i]}",
            group,
            skills[group] - RUN_SPREAD * abs(rng.standard_normal()) * i,
        )
        for group, size in enumerate(sizes)
        for i in range(size)
    ]


def draw_system(seed: int, group: int) -> System:
    """The system of one group."""
    rng = model.stream(seed, "system", group)
    return System(
        exactly=model.between(rng, 0.65, 0.97),
        supports=model.between(rng, 0.88, 0.99),
        usual=model.between(rng, 1.6, 3.2),
        declines=max(0, model.between(rng, -0.03, 0.25)),
        blur=model.between(rng, 2, 10),
        nil_last=rng.random() < 0.75,
    )


def draw_responses(
    run: Run, questions: model.Questions, unanswerable: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the pair's number by question, or NIL; and the questions by falling confidence."""
    n = len(unanswerable)
    rng = model.stream(seed, "run", run.name)
    margin = model.draw_margin(
        rng, run.skill, model.draw_affinity(seed, run.group, n, AFFINITY), questions
    )
    right = (margin > 0) & ~unanswerable
    system = BEST if run.skill == TOP_SKILL else draw_system(seed, run.group)
    # Runs of one group often come upon the same answer and document.
    group_choice, alone = model.stream(seed, "choice", run.group).random((4, n)), rng.random((4, n))
    u, v, w, x = np.where(rng.random(n) < SAME_CHOICE, group_choice, alone)
    spelling = np.where(
        u < system.exactly,
        model.popular(v, EXACT, system.usual),
        EXACT + model.popular(v, INEXACT, 2),
    )
    answer = np.where(right, spelling, EXACT + INEXACT + model.popular(v, WRONG, 1.2))
    cited = np.where(
        w < system.supports,
        model.popular(x, SUPPORTING, system.usual),
        SUPPORTING + model.popular(x, UNSUPPORTING, 2),
    )
    document = np.where(right, cited, SUPPORTING + UNSUPPORTING + model.popular(x, UNRELATED, 1.12))
    belief = model.draw_belief(rng, margin, system.blur)
    nil = model.lowest(
        model.draw_belief(rng, margin, NIL_BLUR * system.blur), round(system.declines * n)
    )
    order = np.lexsort((-belief, nil & system.nil_last))
    return np.where(nil, NIL, answer * DOCUMENTS + document), order


def files(runs: int, questions: int, seed: int) -> Iterator[tuple[str, str]]:
    """The campaign's files, each with its path and its text."""
    chance = model.stream(seed, "without answer").random(questions)
    unanswerable = model.lowest(chance, round(NO_ANSWER * questions))
    kinds = words.draw_kinds(seed, questions)
    lines = [f"{q + 1}\t{int(not unanswerable[q])}\t{kinds[q]}\n" for q in range(questions)]
    yield "questions.tsv", "question\thas_answer\tcategory\n" + "".join(lines)
    items = model.draw_questions(seed, questions)
    items = items._replace(difficulty=items.difficulty + HARDER * unanswerable)
    answers = [words.answers(seed, q, kinds[q], WRONG) for q in range(questions)]
    documents = [words.documents(seed, q, DOCUMENTS) for q in range(questions)]
    pool = []
    for run in draw_runs(runs, seed):
        pairs, order = draw_responses(run, items, unanswerable, seed)
        answered_questions = np.flatnonzero(pairs != NIL)
        pool.append(answered_questions * (ANSWERS * DOCUMENTS) + pairs[answered_questions])
        lines = []
        for q, pair in zip(order.tolist(), pairs[order].tolist(), strict=True):
            answer, document = divmod(pair, DOCUMENTS)
            lines.append(
                f"{q + 1} {run.name} NIL\n"
                if pair == NIL
                else f"{q + 1} {run.name} {documents[q][document]} {answers[q][answer]}\n"
            )
        yield f"runs/{run.name}.txt", "".join(lines)
    yield from judgments(np.unique(np.concatenate(pool)), answers, documents, unanswerable, seed)


def judgments(
    pool: np.ndarray, answers: list, documents: list, unanswerable: np.ndarray, seed: int
) -> Iterator[tuple[str, str]]:
    """A file per assessor with every pair of the pool, by question, document and answer."""
    question, pair = np.divmod(pool, ANSWERS * DOCUMENTS)
    answer, document = np.divmod(pair, DOCUMENTS)
    judged_pool = assessors.Pool(
        question * ANSWERS + answer,
        np.digitize(answer, [1, EXACT, EXACT + INEXACT]),
        question * DOCUMENTS + document,
        np.digitize(document, [1, SUPPORTING, SUPPORTING + UNSUPPORTING]),
        unanswerable[question],
    )
    pairs = [
        (q, documents[q][d], answers[q][a])
        for q, a, d in zip(question.tolist(), answer.tolist(), document.tolist(), strict=True)
    ]
    order = sorted(range(len(pairs)), key=pairs.__getitem__)
    for assessor, labels in assessors.judge(judged_pool, seed).items():
        lines = [
            f"{q + 1} {d} {label} {a}\n"
            for (q, d, a), label in ((pairs[i], labels[i]) for i in order)
        ]
        yield f"judgments/{assessor}.txt", "".join(lines)
