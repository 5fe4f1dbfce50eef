"""A campaign as the first task of DEFT 2011: in which year was a fragment of a newspaper printed?

Beyond the package's model (and that of hypotheses.py): a try with a margin above 0 places the
fragment, but for a few years that are the more, the smaller the margin is. Any other try is a
decade confusion, a year with the right last digit in a wrong decade, or a guess from what the run
takes for usual. A year that falls outside the bounds is mirrored at the bound, a decade confusion
at the right year.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from simulation.hypotheses import Form, draw_runs, draw_tries, hand_in, render_file
from simulation.model import between, draw_questions, popular, stream

FIRST, LAST = 1801, 1944
# Invented newspapers: share of the fragments, first and last year. All of its years are alike.
NEWSPAPERS = {
    "gazette": (0.30, 1801, 1944),
    "courrier": (0.15, 1801, 1867),
    "bulletin": (0.25, 1836, 1944),
    "feuille": (0.20, 1863, 1944),
    "tribune": (0.10, 1899, 1944),
}
UNKNOWN = 0.06  # share of the fragments whose newspaper the question set does not name
SKILL = (-1.25, 1.25)  # mean and spread
NEAR, DECADE, GUESS = range(3)
# Near misses have the standard deviation WIDE · exp(−margin / FALL), in years
WIDE, FALL = 4.5, 4.0
# How many decades a confusion may be off, with a chance in proportion to 1/k^power
DECADES, DECADE_POWER = 7, 1.5
BASELINE = "median-year"
FORMS = (
    Form(),
    Form(tries=5),
    Form(unanswered=0.08, left_out=1),
    Form(),
    Form(tries=3, decimals=6, answer_order=True),
    Form(),
    Form(tries=5, sharpness=0, answer_order=True),
    Form(unanswered=0.2),
    Form(tries=4, decimals=5, unanswered=0.12, left_out=0.5),
    Form(),
    Form(tries=3, answer_order=True, unanswered=0.05),
    Form(unanswered=0.3, left_out=0.7),
    Form(),
)


class Habits(NamedTuple):
    """What a run does where it does not place a fragment."""

    confuses: float  # share of decade confusions; the rest are guesses
    centre: float  # of its guesses
    width: float  # their standard deviation, in years


def draw_habits(rng: np.random.Generator) -> Habits:
    """The habits of one run."""
    return Habits(between(rng, 0.2, 0.5), between(rng, 1855, 1910), between(rng, 15, 45))


def draw_references(n: int, seed: int) -> tuple[np.ndarray, list[str]]:
    """Years and newspapers of the fragments."""
    u, v = stream(seed, "dating", "references").random((2, n))
    share, first, last = np.array(list(NEWSPAPERS.values())).T
    paper = np.searchsorted(np.cumsum(share)[:-1], u, side="right")
    years = first[paper] + np.floor(v * (last - first + 1)[paper])
    return years.astype(np.int64), [list(NEWSPAPERS)[i] for i in paper]


def draw_kinds(rng: np.random.Generator, margin: np.ndarray, habits: Habits) -> np.ndarray:
    """What each try comes to: NEAR, DECADE or GUESS."""
    lost = np.where(rng.random(len(margin)) < habits.confuses, DECADE, GUESS)
    return np.where(margin > 0, NEAR, lost)


def draw_years(
    rng: np.random.Generator,
    margin: np.ndarray,
    kind: np.ndarray,
    reference: np.ndarray,
    habits: Habits,
) -> np.ndarray:
    """The years that one try at each fragment comes to."""
    n = len(margin)
    near = reference + np.rint(WIDE * np.exp(-margin / FALL) * rng.standard_normal(n))
    off = (
        10
        * (1 + popular(rng.random(n), DECADES, DECADE_POWER))
        * np.where(rng.random(n) < 0.5, -1, 1)
    )
    inside = (reference + off >= FIRST) & (reference + off <= LAST)
    decade = reference + np.where(inside, off, -off)
    guess = np.rint(habits.centre + habits.width * rng.standard_normal(n))
    years = np.choose(kind, [near, decade, guess])
    years = np.where(years < FIRST, 2 * FIRST - years, years)
    years = np.where(years > LAST, 2 * LAST - years, years)
    # A guess may be so wide that its mirror falls outside, too
    return years.clip(FIRST, LAST).astype(np.int64)


def files(runs: int, questions: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file. One run is the baseline: always the median year."""
    width = max(4, len(str(questions)))
    ids = [f"f{q + 1:0{width}}" for q in range(questions)]
    reference, papers = draw_references(questions, seed)
    is_known = stream(seed, "dating", "known").random(questions) >= UNKNOWN
    lines = [f"{ids[q]}\t{papers[q] if is_known[q] else ''}\n" for q in range(questions)]
    yield "questions.tsv", "question\tcategory\n" + "".join(lines)
    right = {ids[q]: [(str(reference[q]), "1")] for q in range(questions)}
    yield "references/reference.tsv", render_file(right, "year", Form())
    median = str(np.sort(reference)[questions // 2])
    yield (
        f"runs/{BASELINE}.tsv",
        render_file({fragment: [(median, "1")] for fragment in ids}, "year", Form()),
    )
    items = draw_questions(seed, questions)
    for run in draw_runs("dating", runs - 1, FORMS, SKILL, seed):
        rng = stream(seed, run.group, "run", run.name)
        habits = draw_habits(rng)
        margins, beliefs = draw_tries(rng, run, items, seed)
        years = np.array(
            [draw_years(rng, m, draw_kinds(rng, m, habits), reference, habits) for m in margins]
        )
        responses = hand_in(run, ids, years, beliefs, str, seed)
        yield f"runs/{run.name}.tsv", render_file(responses, "year", run.form)
