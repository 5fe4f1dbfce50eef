"""The item-response model: random streams, skills, questions, margins, beliefs, popularity."""

import zlib
from statistics import NormalDist
from typing import NamedTuple

import numpy as np


def stream(seed: int, *names: object) -> np.random.Generator:
    """A separate random stream for each thing that is drawn, so that another run changes none of
    the others.

    Only `random` and `standard_normal` are drawn from it.
    """
    return np.random.Generator(
        np.random.PCG64([seed, *(zlib.crc32(str(name).encode()) for name in names)])
    )


class Questions(NamedTuple):
    """The parameters of the questions, (questions,) each."""

    difficulty: np.ndarray  # b_q, standard normal
    discrimination: np.ndarray  # a_q, log-normal about 1


def draw_questions(seed: int, n: int) -> Questions:
    """The parameters of n questions."""
    rng = stream(seed, "questions")
    return Questions(rng.standard_normal(n), np.exp(0.25 * rng.standard_normal(n)))


def ladder(n: int) -> np.ndarray:
    """n skills like a standard normal sample, evenly spread: quantiles instead of draws."""
    return np.array([NormalDist().inv_cdf((i + 0.5) / n) for i in range(n)])


def shuffled(rng: np.random.Generator, values: np.ndarray) -> np.ndarray:
    """The values in a random order."""
    return values[np.argsort(rng.random(len(values)))]


def between(rng: np.random.Generator, low: float, high: float) -> float:
    """A uniform draw from low to high."""
    return low + (high - low) * rng.random()


def draw_affinity(seed: int, group: int | str, n: int, spread: float) -> np.ndarray:
    """What the runs of one group have in common on each question."""
    return spread * stream(seed, "affinity", group).standard_normal(n)


def draw_margin(
    rng: np.random.Generator, skill: float, affinity: np.ndarray, questions: Questions
) -> np.ndarray:
    """m_rq of one run: above its cut, it finds the correct answer."""
    u = np.maximum(rng.random(len(affinity)), 2.0**-54)
    return questions.discrimination * (skill + affinity - questions.difficulty) + np.log(
        u / (1 - u)
    )


def draw_belief(rng: np.random.Generator, margin: np.ndarray, blur: float) -> np.ndarray:
    """What the run knows of its margin: the more blur, the less."""
    return margin + blur * rng.standard_normal(len(margin))


def lowest(values: np.ndarray, count: int) -> np.ndarray:
    """A mask of the `count` lowest values."""
    mask = np.zeros(len(values), dtype=bool)
    mask[np.argsort(values, kind="stable")[:count]] = True
    return mask


def cut_for(margin: np.ndarray, count: int) -> float:
    """The cut that exactly `count` of the margins exceed: half way between two neighbours."""
    falling = np.sort(margin)[::-1]
    return (falling[count - 1] + falling[count]) / 2


def popular(u: np.ndarray, size: int, power: float) -> np.ndarray:
    """Return indices 0 … size − 1 from uniform draws, k with a chance of about 1/(k+1)^power."""
    share = np.cumsum(1 / np.arange(1, size + 1) ** power)
    return np.searchsorted(share / share[-1], u, side="right").clip(max=size - 1)
