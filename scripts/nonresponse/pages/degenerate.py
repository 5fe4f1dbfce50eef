"""Systems that no measure should put first, and what the measures make of them (Peñas & Rodrigo 2011, section 3)."""

from fractions import Fraction

from nonresponse import measures
from nonresponse.pages.cells import value_of

QUESTIONS = 500
SYSTEMS = {
    "silent on every question": {"n_ac": 0, "n_aw": 0, "n_u": QUESTIONS},
    "one sure answer, right": {"n_ac": 1, "n_aw": 0, "n_u": QUESTIONS - 1},
    "one answer, wrong": {"n_ac": 0, "n_aw": 1, "n_u": QUESTIONS - 1},
    "all answers wrong": {"n_ac": 0, "n_aw": QUESTIONS, "n_u": 0},
}
# Each estimate of P(C | not answered), in the order of sections 2.2 and 3.1 to 3.5, and the measure that it makes.
ESTIMATES = {
    "c@1": "n_ac / n",
    "accuracy": "0",
    "optimistic": "1",
    "uf_half": "1/2",
    "precision_answered": "n_ac / (n_ac + n_aw)",
    "wrong_rate": "n_aw / (n_ac + n_aw)",
}


def score(measure: str, system: str) -> Fraction | None:
    """The measure of the system, exactly; None where it is undefined."""
    counts = {name: Fraction(count) for name, count in SYSTEMS[system].items()}
    return value_of(measures.get("qa", measure), counts)


def rows() -> list[tuple[str, ...]]:
    """A row per measure: its id, the estimate behind it, and its value for each of the systems."""
    found = []
    for id, estimate in ESTIMATES.items():
        values = [score(id, system) for system in SYSTEMS]
        shown = ["null" if value is None else f"{float(value):.3f}" for value in values]
        found.append((f"`{id}`", estimate, *shown))
    return found
