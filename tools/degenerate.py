"""Systems that no measure should put first (Peñas & Rodrigo 2011, section 3), and their scores."""

from fractions import Fraction

from nonresponse import measures
from nonresponse.statistics.candidates import RATES
from reproduction.figures import compute_exactly

QUESTIONS = 500
SYSTEMS = {
    "no answer at all": {"n_ac": 0, "n_aw": 0, "n_u": QUESTIONS},
    "one sure answer, right": {"n_ac": 1, "n_aw": 0, "n_u": QUESTIONS - 1},
    "one answer, wrong": {"n_ac": 0, "n_aw": 1, "n_u": QUESTIONS - 1},
    "all answers wrong": {"n_ac": 0, "n_aw": QUESTIONS, "n_u": 0},
}


def score(measure: str, system: str) -> Fraction | None:
    """The measure of the system, exactly; None where it is undefined."""
    counts = {name: Fraction(count) for name, count in SYSTEMS[system].items()}
    return compute_exactly(measures.get("qa", measure), counts)


def rows() -> list[tuple[str, ...]]:
    """A row per measure: its id, the estimate behind it, and its value for each of the systems."""
    cells = []
    for id, estimate in RATES.items():
        values = [score(id, system) for system in SYSTEMS]
        texts = ["null" if value is None else f"{float(value):.3f}" for value in values]
        cells.append((f"`{id}`", estimate, *texts))
    return cells
