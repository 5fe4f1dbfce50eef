"""What came out of a simulated campaign, counted from its files, next to what the papers report of
the real one.

Read and counted here in the plainest way, apart from the stages, so that each can be held against
the other.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from simulation.model import stream

ASSESSORS = ("assessor1", "assessor2", "assessor3")
LABELS = {"-1": "W", "1": "R", "2": "U", "3": "X"}
BINS, TRIALS = 21, 100


class Fact(NamedTuple):
    """A figure of a campaign, as published ("" = not known) and as it came out."""

    name: str
    published: str
    achieved: str


def rows(path: Path, separator: str, fields: int) -> list[list[str]]:
    """The lines of a file, split into so many fields at most."""
    return [
        line.split(separator, fields - 1) for line in path.read_text(encoding="utf-8").splitlines()
    ]


def markdown(facts: list[Fact]) -> str:
    """The facts as a table in Markdown."""
    lines = [
        "| | published | simulated |",
        "|---|---|---|",
        *(f"| {' | '.join(fact)} |" for fact in facts),
    ]
    return "\n".join(lines) + "\n"


# ResPubliQA: 1 = answered rightly, −1 = wrongly, 0 = not answered


def respubliqa_outcomes(directory: Path) -> tuple[list[str], np.ndarray, Counter]:
    """The runs, their outcomes (runs x questions), and the labels of the answers withheld."""
    label = {
        tuple(row[:3]): row[3] for row in rows(directory / "judgments" / "official.tsv", "\t", 4)
    }
    runs, outcomes = [], []
    withheld: Counter[str] = Counter()
    for path in sorted(directory.glob("runs/*.tsv")):
        outcome = []
        for question, status, paragraph in rows(path, "\t", 3)[1:]:
            judged = label.get(
                (path.stem, question, paragraph), "not judged" if paragraph else "none"
            )
            outcome.append(0 if status == "NOA" else 1 if judged == "R" else -1)
            if status == "NOA":
                withheld[judged] += 1
        runs.append(path.stem)
        outcomes.append(outcome)
    return runs, np.array(outcomes), withheld


def scores(outcomes: np.ndarray) -> dict[str, tuple[np.ndarray, int]]:
    """Per measure the whole-numbered scores of the runs and what they are to be divided by."""
    n = outcomes.shape[1]
    right, abstained = (outcomes == 1).sum(1), (outcomes == 0).sum(1)
    return {
        "uf": (outcomes.sum(1), n),
        "c@1": (right * (n + abstained), n * n),
        "accuracy": (right, n),
    }


def sensitivity(outcomes: np.ndarray, seed: int = 2011) -> dict[str, tuple[float, float, float]]:
    """The swap method with half of the questions: required difference, highest value, share of
    comparisons."""
    runs, n = outcomes.shape
    size = n // 2
    rng, (x, y) = stream(seed, "swap method"), np.triu_indices(runs, 1)
    counter, swaps = np.zeros((2, 3, BINS), dtype=np.int64)
    highest = np.zeros(3)
    for _ in range(TRIALS):
        order = np.argsort(rng.random(n))
        halves = [scores(outcomes[:, order[:size]]), scores(outcomes[:, order[size : 2 * size]])]
        for m, measure in enumerate(halves[0]):
            (first, whole), (second, _) = (half[measure] for half in halves)
            difference, again = first[x] - first[y], second[x] - second[y]
            place = np.minimum(100 * abs(difference) // whole, BINS - 1)
            np.add.at(counter[m], place, 1)
            np.add.at(swaps[m], place[difference * again < 0], 1)
            highest[m] = max(highest[m], first.max() / whole)
    of_measures = {}
    for m, measure in enumerate(scores(outcomes)):
        required = int(np.argmax(swaps[m] <= 0.05 * counter[m]))
        of_measures[measure] = (
            required / 100,
            highest[m],
            counter[m, required:].sum() / counter[m].sum(),
        )
    return of_measures


def respubliqa_facts(directory: Path) -> list[Fact]:
    """Against tables 2 and 3 of Peñas & Rodrigo 2011."""
    runs, outcomes, withheld = respubliqa_outcomes(directory)
    facts = [Fact("runs, questions", "44, 500", f"{len(runs)}, {outcomes.shape[1]}")]
    published = {
        "icia091ro": (237, 156, 107),
        "uaic092ro": (236, 264, 0),
        "loga092de": (187, 230, 83),
    }
    for run, counts in (published | {"base092de": (189, 311, 0)}).items():
        counted = tuple(int((outcomes[runs.index(run)] == value).sum()) for value in (1, -1, 0))
        facts.append(
            Fact(f"{run}: right, wrong, unanswered", f"{counts}"[1:-1], f"{counted}"[1:-1])
        )
    table2 = {
        "uf": (0.17, 0.48, 0.5930),
        "c@1": (0.09, 0.77, 0.5840),
        "accuracy": (0.09, 0.68, 0.5500),
    }
    for measure, (required, highest, share) in sensitivity(outcomes).items():
        was = table2[measure]
        facts += [
            Fact(
                f"{measure}: required difference (250 questions)",
                f"{was[0]:.2f}",
                f"{required:.2f}",
            ),
            Fact(f"{measure}: highest value (250 questions)", f"{was[1]:.2f}", f"{highest:.2f}"),
            Fact(f"{measure}: sensitivity (250 questions)", f"{was[2]:.1%}", f"{share:.1%}"),
        ]
    for measure, (value, whole) in scores(outcomes).items():
        facts.append(
            Fact(
                f"{measure}: lowest, highest",
                "",
                f"{value.min() / whole:.2f}, {value.max() / whole:.2f}",
            )
        )
    right, abstained, n = (outcomes == 1).sum(), (outcomes == 0).sum(1), outcomes.shape[1]
    rate = withheld["R"] / (withheld["R"] + withheld["W"])
    return [
        *facts,
        Fact(
            "unanswered: lowest, highest share",
            "",
            f"{abstained.min() / n:.0%}, {abstained.max() / n:.0%}",
        ),
        Fact("right among answers given", "", f"{right / (outcomes != 0).sum():.1%}"),
        Fact("right among withheld candidates", "", f"{rate:.1%}"),
        Fact("withheld candidates not judged", "", f"{withheld['not judged']}"),
    ]


# TREC


def trec_labels(directory: Path) -> dict[str, dict[tuple[str, str, str], str]]:
    """Per assessor, the label of each (question, document, answer)."""
    return {
        path.stem: {(q, d, a): LABELS[label] for q, d, label, a in rows(path, " ", 4)}
        for path in sorted(directory.glob("judgments/*.txt"))
    }


def trec_correct(
    directory: Path, labels: dict
) -> tuple[list[str], dict[str, np.ndarray], np.ndarray]:
    """The runs; per assessor which responses are correct, in the runs' order; which are NIL."""
    answered = {row[0] for row in rows(directory / "questions.tsv", "\t", 3)[1:] if row[1] == "1"}
    known = {
        name: answered | {pair[0] for pair in given if given[pair] == "R"}
        for name, given in labels.items()
    }
    paths = sorted(directory.glob("runs/*.txt"))
    responses = [[[*line, ""][:4] for line in rows(path, " ", 4)] for path in paths]
    correct = {
        name: np.array(
            [
                [
                    q not in known[name] if d == "NIL" else given[q, d, a] == "R"
                    for q, _, d, a in run
                ]
                for run in responses
            ]
        )
        for name, given in labels.items()
    }
    return (
        [path.stem for path in paths],
        correct,
        np.array([[d == "NIL" for _, _, d, _ in run] for run in responses]),
    )


def confidence_weighted(correct: np.ndarray) -> np.ndarray:
    """cws of each run, (runs,), from which responses are correct, (runs, questions), the surest
    first."""
    return (np.cumsum(correct, axis=1) / np.arange(1, correct.shape[1] + 1)).mean(1)


def concordance(one: np.ndarray, other: np.ndarray) -> tuple[float, np.ndarray]:
    """Kendall's tau-b of two scorings, and the differences by `one` of the pairs that they order
    otherwise."""
    x, y = np.triu_indices(len(one), 1)
    a, b = one[x] - one[y], other[x] - other[y]
    tau = (np.sign(a) * np.sign(b)).sum() / np.sqrt(float((a != 0).sum()) * (b != 0).sum())
    return float(tau), abs(a[a * b < 0])


def trec_facts(directory: Path) -> list[Fact]:
    """Against Voorhees 2003."""
    labels = trec_labels(directory)
    runs, correct, nil = trec_correct(directory, labels)
    questions = rows(directory / "questions.tsv", "\t", 3)[1:]
    patterns = Counter(
        "".join(sorted(labels[name][pair] for name in ASSESSORS)) for pair in labels["adjudicated"]
    )
    disputed = {pattern: count for pattern, count in patterns.items() if len(set(pattern)) > 1}
    most = sorted(disputed, key=disputed.__getitem__, reverse=True)[:2]
    official = correct["adjudicated"]
    cws, right = confidence_weighted(official), official.mean(1)
    by_cws = [concordance(cws, confidence_weighted(correct[name])) for name in ASSESSORS]
    by_right = [concordance(right, correct[name].mean(1)) for name in ASSESSORS]
    swapped = np.concatenate([differences for _, differences in by_cws])
    # Of each group
    best = {run[:-1]: share for share, run in sorted(zip(right, runs, strict=True))}
    group_best = sorted(best.values(), reverse=True)
    share = sum(disputed[pattern] for pattern in ("RRX", "RXX")) / sum(disputed.values())
    return [
        Fact("runs", "", f"{len(runs)}"),
        Fact("questions", "500", f"{len(questions)}"),
        Fact(
            "questions without a known answer", "46", f"{sum(row[1] == '0' for row in questions)}"
        ),
        Fact(
            "distinct response pairs judged by three assessors",
            "15948",
            f"{sum(patterns.values())}",
        ),
        Fact("pairs with some disagreement", "1886", f"{sum(disputed.values())}"),
        Fact(
            "pairs that at least one assessor did not call wrong",
            "3725",
            f"{sum(patterns.values()) - patterns['WWW']}",
        ),
        Fact("most frequent disagreements", "RRX, RXX", ", ".join(most)),
        Fact("their share of the disagreements", "a third", f"{share:.1%}"),
        Fact(
            "mean tau with the adjudicated ranking (cws)",
            "0.930",
            f"{np.mean([tau for tau, _ in by_cws]):.3f}",
        ),
        Fact(
            "mean tau with the adjudicated ranking (number correct)",
            "0.945",
            f"{np.mean([tau for tau, _ in by_right]):.3f}",
        ),
        Fact("swaps (cws)", "177", f"{len(swapped)}"),
        Fact("of those with a difference of at least 0.05", "4", f"{(swapped >= 0.05).sum()}"),
        Fact("of those with a difference of at least 0.07", "0", f"{(swapped >= 0.07).sum()}"),
        Fact(
            "accuracy: best run, best of another group",
            "",
            f"{group_best[0]:.2f}, {group_best[1]:.2f}",
        ),
        Fact("accuracy: lowest", "", f"{right.min():.2f}"),
        Fact(
            "NIL responses, of which right",
            "",
            f"{nil.sum()}, {(nil & official).sum() / nil.sum():.1%}",
        ),
        Fact("tau between cws and accuracy", "", f"{concordance(cws, right)[0]:.3f}"),
    ]
