"""Random draws of questions.

Every draw has a separate stream. So the draws are the same however the work is split.
"""

import hashlib

import numpy as np

from nonresponse.statistics import PER_STREAM
from nonresponse.statistics.outcomes import Outcomes

SIZE = 250  # questions per subset (Peñas & Rodrigo 2011, section 4)
MANY = 2**16  # questions
MAX_CELLS = 2**24  # questions in all subsets that are held at once, four bytes each


def stream(seed: int, campaign: str, *purpose: object) -> np.random.Generator:
    """Return the random numbers for one purpose, such as (subset, size, trial)."""
    name = "\x1f".join(map(str, (seed, campaign, *purpose)))
    digest = hashlib.blake2b(name.encode(), digest_size=16).digest()
    return np.random.Generator(np.random.Philox(key=np.frombuffer(digest, "<u8")))


def split_blocks(trials: int) -> list[tuple[int, int]]:
    """Return the number of each stream that trials take, and its number of trials."""
    starts = range(0, trials, PER_STREAM)
    return [(start // PER_STREAM, min(PER_STREAM, trials - start)) for start in starts]


def choose_size(outcomes: Outcomes) -> int:
    """Return the size of each of two disjoint subsets: SIZE questions, or half of a smaller
    campaign, counted in what is drawn, questions or clusters of them.

    A campaign of one question has only the empty subset (size 0), on which nothing is defined.
    """
    return min(max(round(SIZE / outcomes.per_unit), 1), outcomes.n // 2)


def draw_subsets(
    seed: int, campaign: str, questions: int, draws: list[tuple[int, int]]
) -> tuple[np.ndarray, np.ndarray]:
    """Return two disjoint subsets per draw (size, trial), as 0/1 float32 matrices (draws, questions
    or clusters of them).

    The first is the same whether or not the second is used. So one draw serves all analyses and
    measures.
    """
    first, second = (np.zeros((len(draws), questions), np.float32) for _ in range(2))
    for row, (size, trial) in enumerate(draws):
        draw, number = stream(seed, campaign, "subset", size, trial), 2 * size
        # A permutation of millions takes longer than all that follows
        is_large = questions > MANY
        order = draw.choice(questions, number, False) if is_large else draw.permutation(questions)
        first[row, order[:size]] = 1
        second[row, order[size : 2 * size]] = 1
    return first, second


def limit_batch(questions: int, limit: int) -> int:
    """Return how many subsets to hold at once: `limit`, or fewer to save memory."""
    return min(max(MAX_CELLS // max(questions, 1), 1), limit)


def draw_bootstrap(seed: int, campaign: str, questions: int, block: int, trials: int) -> np.ndarray:
    """Return how often a block's bootstrap samples draw each question, (trials, questions)."""
    draw = stream(seed, campaign, "bootstrap", questions, block)
    times = np.empty((trials, questions), np.float32)
    for row in times:  # one by one: the numbers of a sample stay in the processor's cache
        row[:] = np.bincount(draw.integers(0, questions, questions), minlength=questions)
    return times


def choose_sizes(questions: int, limit: int) -> list[int]:
    """Return all sizes from 1 to half of the questions, or at most `limit`, evenly spaced."""
    half = questions // 2
    number = min(half, limit)
    return [round(step * half / number) for step in range(1, number + 1)]
