"""Random draws of questions. Every draw has a separate stream: the draws are the same however the
work is split."""

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np

from nonresponse.statistics import PER_STREAM
from nonresponse.statistics.outcomes import Outcomes

SIZE = 250  # questions per subset (Peñas & Rodrigo 2011, section 4)
# If a campaign has more than this many times the questions of a subset, not all questions are
# shuffled
MANY = 200
HELD = 2**24  # questions in all subsets that are held at once, four bytes each


def stream(seed: int, campaign: str, *purpose: object) -> np.random.Generator:
    """Return the random numbers for one purpose, such as (subset, size, trial)."""
    return next(streams(seed, campaign, [purpose]))


def streams(seed: int, campaign: str, purposes: Iterable[tuple]) -> Iterator[np.random.Generator]:
    """Yield a stream for each purpose, to be used before the next one is asked for.

    They share one generator, restarted each time: making one takes longer than drawing a few
    hundred questions.
    """
    philox = np.random.Philox(key=0)
    draw, begin = np.random.Generator(philox), philox.state
    for purpose in purposes:
        name = "\x1f".join(map(str, (seed, campaign, *purpose)))
        begin["state"]["key"] = np.frombuffer(
            hashlib.blake2b(name.encode(), digest_size=16).digest(), "<u8"
        )
        philox.state = begin
        yield draw


def split_blocks(trials: int) -> list[tuple[int, int]]:
    """Return the number of each stream that trials take, and its number of trials."""
    return [
        (start // PER_STREAM, min(PER_STREAM, trials - start))
        for start in range(0, trials, PER_STREAM)
    ]


def choose_size(outcomes: Outcomes) -> int:
    """Return the size of each of two disjoint subsets: SIZE questions, or half of a smaller
    campaign, counted in what is drawn, questions or clusters of them.

    A campaign of one question has only the empty subset (size 0), on which nothing is defined.
    """
    return min(max(round(SIZE / outcomes.per_unit), 1), outcomes.n // 2)


def subsets(seed: int, campaign: str, questions: int, size: int, trials: range) -> tuple:
    """Two disjoint subsets per trial, as 0/1 float32 matrices (trials, questions, or clusters of
    them).

    The first is the same whether or not the second is used: one draw serves all analyses and
    measures.
    """
    return subsets_of_sizes(seed, campaign, questions, [(size, trial) for trial in trials])


def subsets_of_sizes(
    seed: int, campaign: str, questions: int, draws: list[tuple[int, int]]
) -> tuple:
    """Return what `subsets` gives, for draws of any sizes, (size, trial) each."""
    first, second = (np.zeros((len(draws), questions), np.float32) for _ in range(2))
    purposes = [("subset", *draw) for draw in draws]
    for row, (draw, (size, _)) in enumerate(
        zip(streams(seed, campaign, purposes), draws, strict=True)
    ):
        # Shuffling them all would take longer than everything else
        few = questions > MANY * max(size, SIZE)
        order = (
            draw.choice(questions, 2 * size, replace=False) if few else draw.permutation(questions)
        )
        first[row, order[:size]] = 1
        second[row, order[size : 2 * size]] = 1
    return first, second


def at_once(questions: int, most: int) -> int:
    """How many subsets of this many questions to hold at once: `most`, or fewer, so that they take
    little memory."""
    return min(max(HELD // max(questions, 1), 1), most)


def bootstrap_samples(
    seed: int, campaign: str, questions: int, block: int, trials: int
) -> np.ndarray:
    """How often each question is drawn in each of a block's samples with replacement: float32
    (trials, questions)."""
    draw = stream(seed, campaign, "bootstrap", questions, block)
    times = np.empty((trials, questions), np.float32)
    for row in times:  # one by one: the numbers of a sample stay in the processor's cache
        row[:] = np.bincount(draw.integers(0, questions, questions), minlength=questions)
    return times


def sizes(questions: int, most: int) -> list[int]:
    """1, 2, ... half of the questions; if that is more than `most` sizes, `most` of them, evenly
    spaced up to half."""
    half = questions // 2
    return sorted(
        {round(step * half / most) for step in range(1, most + 1)}
        if half > most
        else range(1, half + 1)
    )
