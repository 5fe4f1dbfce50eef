"""What came out of the simulated campaigns of DEFT 2011, run by run, counted from their files.

Read and counted in the plainest way, apart from the stages. The official scores of DEFT 2011 could
not be found, so that nothing stands next to them.
"""

from collections import Counter
from collections.abc import Callable
from math import exp, pi
from pathlib import Path

Hypotheses = list[tuple[str, float]]  # of one question: answer and confidence; empty: none
DATING = ("exact", "1 to 9 off", "10, 20, … off", "elsewhere", "none")
MATCHING = ("right", "same journal", "other journal", "none")


def by_question(path: Path) -> dict[str, list[str]]:
    """The first column of a TSV, and the others."""
    lines = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:])
    return {first: others for first, *others in lines}


def hypotheses(path: Path) -> dict[str, Hypotheses]:
    """The hypotheses of the questions that a file mentions, in the order of the file."""
    of_questions: dict[str, Hypotheses] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        question, answer, *confidence = line.split("\t")
        given = of_questions.setdefault(question, [])
        if answer:
            given.append((answer, float(confidence[0]) if confidence else 1.0))
    return of_questions


def likeness(predicted: str, reference: str) -> float:
    """The similarity of two years, in (0, 1]: exp(−π/100 · distance²)."""
    return exp(-pi / 100 * (int(predicted) - int(reference)) ** 2)


def sameness(predicted: str, reference: str) -> float:
    """1 for the same answer, else 0."""
    return float(predicted == reference)


def dating_outcome(predicted: str, reference: str) -> str:
    """How far a year is off, one of DATING."""
    off = abs(int(predicted) - int(reference))
    return DATING[0 if off == 0 else 1 if off < 10 else 2 if off % 10 == 0 else 3]


def run_rows(
    directory: Path,
    outcomes: tuple[str, ...],
    outcome: Callable[[str, str], str],
    similarity: Callable[[str, str], float],
) -> list[list[str]]:
    """Per run, by falling s: what it hands in, the share of each outcome, s, s_c."""
    reference = {
        question: answer
        for question, (answer,) in by_question(directory / "references/reference.tsv").items()
    }
    rows = []
    for path in directory.glob("runs/*"):
        said = hypotheses(path)
        # The first of equals
        best = {q: max(given, key=lambda pair: pair[1])[0] for q, given in said.items() if given}
        counted = Counter(
            outcome(answer, reference[q]) if (answer := best.get(q)) else "none" for q in reference
        )
        n, most = len(reference), max(map(len, said.values()))
        s = sum(similarity(answer, reference[q]) for q, answer in best.items()) / n
        s_c = (
            sum(
                c * similarity(answer, reference[q])
                for q, given in said.items()
                for answer, c in given
            )
            / n
        )
        shares = [f"{counted[kind] / n:.1%}" for kind in outcomes]
        rows.append(
            (-s, [path.name, f"{most}", *shares, f"{n - len(said)}", f"{s:.4f}", f"{s_c:.4f}"])
        )
    return [row for _, row in sorted(rows)]


def dating_rows(directory: Path) -> list[list[str]]:
    """The rows of a campaign of dating."""
    return run_rows(directory, DATING, dating_outcome, likeness)


def matching_rows(directory: Path) -> list[list[str]]:
    """The rows of a campaign of matching."""
    journal = {
        question: category
        for question, (category,) in by_question(directory / "questions.tsv").items()
    }
    article = {
        answer: q for q, (answer,) in by_question(directory / "references/reference.tsv").items()
    }

    def outcome(predicted: str, reference: str) -> str:
        """How far an article is off, one of MATCHING."""
        if predicted == reference:
            return MATCHING[0]
        return MATCHING[1 if journal[article[predicted]] == journal[article[reference]] else 2]

    return run_rows(directory, MATCHING, outcome, sameness)


def markdown(outcomes: tuple[str, ...], rows: list[list[str]]) -> str:
    """The rows as a table in Markdown."""
    head = ["run", "hypotheses, up to", *outcomes, "questions left out", "s", "s_c"]
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def dating_table(directory: Path) -> str:
    """What came out of a campaign of dating, in Markdown."""
    return markdown(DATING, dating_rows(directory))


def matching_table(directory: Path) -> str:
    """What came out of a campaign of matching, in Markdown."""
    return markdown(MATCHING, matching_rows(directory))
