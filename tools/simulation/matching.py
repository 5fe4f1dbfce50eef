"""A campaign as the second task of DEFT 2011: to which article does an abstract belong?

Beyond the package's model (and that of hypotheses.py): every article has a place in a space of
topics, about its journal's. A try with a margin above 0 finds the right article. Any other try is a
confusion with an article near the right one, the nearer the more likely, or a guess among all. Some
runs match one to one: an article goes to the abstract for which it is believed most, and an
abstract that is left over takes the free article nearest to the one that it wanted.
"""

from collections.abc import Iterator

import numpy as np

from simulation.hypotheses import Form, draw_runs, draw_tries, hand_in, render_file
from simulation.model import between, draw_questions, popular, stream

# Invented journals and their shares of the articles.
JOURNALS = {
    "anthropology": 0.30,
    "education": 0.25,
    "translation": 0.20,
    "politics": 0.15,
    "history": 0.10,
}
# Dimensions of the space; how far the journals are apart, the articles of one being 1 apart
TOPICS, SPREAD = 3, 2.0
SKILL = (1.4, 2.2)  # mean and spread
RIGHT, CONFUSED, GUESS = range(3)
# Of how many articles one is taken for the right one, the k-th as 1/k^power
NEIGHBOURS, NEIGHBOUR_POWER = 30, 1.0
FORMS = (
    Form(),
    Form(tries=4),
    Form(tries=3, one_to_one=True),
    Form(unanswered=0.1, left_out=1),
    Form(tries=3, decimals=6, answer_order=True),
    Form(one_to_one=True),
    Form(),
    Form(tries=5, sharpness=0, answer_order=True, unanswered=0.04),
    Form(),
    Form(unanswered=0.25, left_out=0.5),
    Form(tries=3, decimals=5, answer_order=True),
    Form(tries=2, one_to_one=True),
)


class Articles:
    """Journal and place of each article; article q is that of abstract q."""

    def __init__(self, n: int, seed: int) -> None:
        """Draws n articles."""
        rng = stream(seed, "matching", "articles")
        share = np.cumsum(list(JOURNALS.values()))
        self.journal = np.searchsorted(share[:-1], rng.random(n), side="right")
        centre = SPREAD * stream(seed, "matching", "journals").standard_normal(
            (len(JOURNALS), TOPICS)
        )
        self.place = centre[self.journal] + rng.standard_normal((n, TOPICS))

    def nearest(self, article: int) -> np.ndarray:
        """All other articles, the nearest first."""
        distance = ((self.place - self.place[article]) ** 2).sum(1)
        return np.argsort(distance, kind="stable")[1:]


def draw_kinds(rng: np.random.Generator, margin: np.ndarray, confuses: float) -> np.ndarray:
    """What each try comes to: RIGHT, CONFUSED or GUESS."""
    lost = np.where(rng.random(len(margin)) < confuses, CONFUSED, GUESS)
    return np.where(margin > 0, RIGHT, lost)


def draw_articles(rng: np.random.Generator, kind: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    """Draw the articles of one try; `neighbours` is abstracts x neighbours of the right one."""
    n, size = len(neighbours), neighbours.shape[1]
    confused = neighbours[np.arange(n), popular(rng.random(n), size, NEIGHBOUR_POWER)]
    guess = (rng.random(n) * n).astype(np.int64)
    return np.choose(kind, [np.arange(n), confused, guess])


def one_to_one(tries: np.ndarray, beliefs: np.ndarray, articles: Articles) -> np.ndarray:
    """Return a different article for each abstract, from tries x abstracts: 1 x abstracts."""
    n = tries.shape[1]
    assigned, free = np.full(n, -1), np.ones(n, dtype=bool)
    for cell in np.argsort(-beliefs, axis=None, kind="stable"):
        q, article = cell % n, tries.flat[cell]
        if assigned[q] < 0 and free[article]:
            assigned[q], free[article] = article, False
    best = np.argmax(beliefs, axis=0)
    unassigned = np.flatnonzero(assigned < 0)
    for q in unassigned[np.argsort(-beliefs.max(0)[unassigned], kind="stable")]:
        near = articles.nearest(tries[best[q], q])
        assigned[q] = near[free[near]][0]
        free[assigned[q]] = False
    return assigned[None]


def files(runs: int, questions: int, seed: int) -> Iterator[tuple[str, str]]:
    """The campaign's files, each with its path and its text."""
    width = max(4, len(str(questions)))
    ids = [f"a{q + 1:0{width}}" for q in range(questions)]
    articles = Articles(questions, seed)
    lines = [f"{ids[q]}\t{list(JOURNALS)[articles.journal[q]]}\n" for q in range(questions)]
    yield "questions.tsv", "question\tcategory\n" + "".join(lines)
    # The labels give no hint of the abstracts.
    labels = [
        f"art{k + 1:0{width}}"
        for k in np.argsort(stream(seed, "matching", "labels").random(questions))
    ]
    right = {ids[q]: [(labels[q], "1")] for q in range(questions)}
    yield "references/reference.tsv", render_file(right, "label", Form())
    items = draw_questions(seed, questions)
    neighbours = np.array([articles.nearest(q)[:NEIGHBOURS] for q in range(questions)])
    for run in draw_runs("matching", runs, FORMS, SKILL, seed):
        rng = stream(seed, run.group, "run", run.name)
        confuses = between(rng, 0.5, 0.9)
        margins, beliefs = draw_tries(rng, run, items, seed)
        articles_said = np.array(
            [
                draw_articles(rng, draw_kinds(rng, margin, confuses), neighbours)
                for margin in margins
            ]
        )
        if run.form.one_to_one:
            articles_said, beliefs = (
                one_to_one(articles_said, beliefs, articles),
                beliefs.max(0, keepdims=True),
            )
        responses = hand_in(run, ids, articles_said, beliefs, labels.__getitem__, seed)
        yield f"runs/{run.name}.tsv", render_file(responses, "label", run.form)
