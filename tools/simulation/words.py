"""Invented answers and document ids: syllables, numbers and dates put together at random.

A name that happens to exist is a coincidence. No answer holds a tab, a quote or two spaces in a
row.
"""

import numpy as np

from simulation.model import stream

ONSETS = (*"BDFGHKLMNPRSTVZ", "Br", "Dr", "Gl", "Kr", "Pl", "St", "Tr")
MIDDLES = "aeiou"
CODAS = (*"bdgklmnrstx", "lo", "ma", "ne", "ri", "sa", "ta", "vo")
NAMES = [onset + middle + coda for onset in ONSETS for middle in MIDDLES for coda in CODAS]
THINGS = [name.lower() for name in NAMES]
YEARS = [str(year) for year in range(1700, 2000)]
NUMBERS = [str(number) for number in range(2, 1000)]

# Per kind of answer: its words, then how the right one is also written, exactly and inexactly.
KINDS = {
    "person": (NAMES, ("{}", "Al {}", "{} Jr"), ("{} to", "for {}", "Mr {} of")),
    "place": (NAMES, ("{}", "{} Bay", "in {}"), ("{} on", "near {}", "{}, a")),
    "thing": (THINGS, ("{}", "a {}", "the {}"), ("{} in", "of {}", "{} and")),
    "year": (YEARS, ("{}", "in {}", "May {}"), ("{} to", "by {}", "{}-99")),
    "number": (NUMBERS, ("{}", "{} km", "some {}"), ("{} of", "{} or", "{} to 1")),
}
EXACT = INEXACT = 3  # ways of writing the correct answer
SOURCES = ("APW", "NYT", "XIE")
FIRST_YEAR = {"APW": 1998, "NYT": 1998, "XIE": 1996}


def draw_kinds(seed: int, n: int) -> list[str]:
    """The kind of answer that each question asks for."""
    kinds = list(KINDS)
    return [kinds[int(u * len(kinds))] for u in stream(seed, "kinds").random(n)]


def answers(seed: int, question: int, kind: str, wrong: int) -> list[str]:
    """The correct answer's exact and inexact spellings, then `wrong` wrong answers, all different."""
    words, exact, inexact = KINDS[kind]
    indices = np.argsort(stream(seed, "answers", question).random(len(words)))[: wrong + 1]
    right, *wrong_words = (words[i] for i in indices)
    return [form.format(right) for form in (*exact, *inexact)] + wrong_words


def documents(seed: int, question: int, count: int) -> list[str]:
    """Document ids in the manner of the AQUAINT collection, all different."""
    rng = stream(seed, "documents", question)
    numbers = np.argsort(rng.random(3000))[:count] + 1
    ids = []
    for number, (u, v, w, x) in zip(numbers, rng.random((count, 4)), strict=True):
        source = SOURCES[int(u * 3)]
        first_year = FIRST_YEAR[source]
        year = first_year + int(v * (2001 - first_year))
        ids.append(f"{source}{year}{int(w * 12) + 1:02}{int(x * 28) + 1:02}.{number:04}")
    return ids


def paragraphs(seed: int, question: int, count: int) -> list[str]:
    """Return different invented paragraphs, with {} for the language; half are of one act."""
    rng = stream(seed, "paragraphs", question)
    numbers = np.argsort(rng.random(200))[:count] + 1
    acts = []
    for u, v, w in rng.random((count + 1, 3)):
        acts.append(f"jrc3{1970 + int(u * 37)}{'DLR'[int(v * 3)]}{int(w * 3000) + 1:04}")
    shares_act = rng.random(count) < 0.5
    return [
        f"{acts[0] if stays else act}-{{}}/p{number}"
        for act, stays, number in zip(acts[1:], shares_act, numbers, strict=True)
    ]
