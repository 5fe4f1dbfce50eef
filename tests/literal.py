"""The scores of a random campaign with several answers to a question, in plain loops and fractions;
`fuzz` has its counts.

Follows docs/measures.md sentence by sentence and shares nothing with the project's code.
"""

import itertools
from fractions import Fraction

CHOICES = ("wrong", "unanswered", "exclude")
# In which each state meets each choice once
POLICIES = [
    dict(zip(("unscored", "error", "partial"), choices, strict=True))
    for choices in (CHOICES, CHOICES[1:] + CHOICES[:1], CHOICES[2:] + CHOICES[:2])
]
LABELS = {None: "unscored", "good": "correct", "bad": "wrong"}  # all others are partial


class Literal:
    """One run of a campaign of strategies.answers under one policy, by the first assessor.

    `key` is what judgments name: the answer, or its document alone.
    """

    def __init__(self, drawing, run: str, policy: dict, key: str = "answer"):
        self.key, self.policy = key, policy
        self.labels = {
            (row["question"], row[key]): row["label"] for row in drawing.judgments["first"]
        }
        self.has_gold = {row["question"]: row["has_answer"] for row in drawing.questions}
        self.rows: dict = {q: [] for q in self.has_gold}
        for row in sorted(drawing.runs[run], key=lambda row: row["rank"]):
            self.rows[row["question"]].append(row)
        self.has_confidence = any(row.get("confidence") is not None for row in drawing.runs[run])
        self.scored_ids = [q for q in self.rows if self.verdict(q) != "exclude"]

    def right_answers(self, q: str) -> int:
        return [label for (name, _), label in self.labels.items() if name == q].count("good")

    def raw(self, row: dict) -> str:
        """What the judgments say of one response."""
        q, answer = row["question"], row["answer"]
        if answer is None:
            return "unanswered"
        if answer == "ERR":
            return "error"
        if answer == "NIL":
            return "wrong" if self.has_gold[q] or self.right_answers(q) else "correct"
        return LABELS.get(self.labels.get((q, row[self.key])), "partial")

    def resolve(self, row: dict) -> str:
        raw = self.raw(row)
        return self.policy.get(raw, raw)

    def answer(self, row: dict):
        """Return a key that is equal for repeated answers; without an answer, one for the row."""
        if row["answer"] in (None, "ERR"):
            return id(row)
        return "NIL" if row["answer"] == "NIL" else row[self.key]

    def verdict(self, q: str) -> str:
        return self.resolve(self.rows[q][0]) if self.rows[q] else "unanswered"

    def mean(self, score_question):
        if not self.scored_ids:
            return None
        return sum(Fraction(score_question(q)) for q in self.scored_ids) / len(self.scored_ids)

    def mrr(self, depth: int = 10**6):
        def reciprocal_rank(q):
            for row in self.rows[q]:
                if row["rank"] <= depth and self.resolve(row) == "correct":
                    return Fraction(1, row["rank"])
            return 0

        return self.mean(reciprocal_rank)

    def map(self):
        """Eq. 11, at most 1: there may be more correct answers than are known to be."""

        def average_precision(q):
            former, hits, total = set(), 0, Fraction(0)
            for row in self.rows[q]:
                if self.resolve(row) == "correct" and self.answer(row) not in former:
                    hits += 1
                    total += Fraction(hits, row["rank"])
                former.add(self.answer(row))
            return min(total / max(self.right_answers(q), 1), 1)

        return self.mean(average_precision)

    def k(self):
        if not self.has_confidence:
            return None

        def weighted(q):
            former, total = set(), Fraction(0)
            for row in self.rows[q]:
                worth = {"correct": 1, "wrong": -1}.get(self.resolve(row), 0)
                if self.answer(row) not in former:
                    total += worth * Fraction(str(row["confidence"] or 0))
                former.add(self.answer(row))
            answers = sum(row["answer"] not in (None, "ERR") for row in self.rows[q])
            return total / max(self.right_answers(q), answers, 1)

        return self.mean(weighted)

    def k1(self):
        if not self.has_confidence:
            return None
        worth = {"correct": 1, "wrong": -1}

        def signed(q):
            confidence = self.rows[q][0]["confidence"] if self.rows[q] else 0
            return worth.get(self.verdict(q), 0) * Fraction(str(confidence or 0))

        return self.mean(signed)


def variants(policy: dict) -> list[dict]:
    """Return each choice for unscored and failed answers; partial ones keep the policy."""
    ways = itertools.product((*CHOICES, "correct"), CHOICES)
    return [policy | {"unscored": unscored, "error": error} for unscored, error in ways]


def extremes(drawing, run: str, policy: dict, measure, key: str) -> tuple:
    """The value of a measure under the policy, and its lowest and highest over all variants."""
    policies = [policy, *variants(policy)]
    return find_extremes([measure(Literal(drawing, run, choice, key)) for choice in policies])


def find_extremes(values: list) -> tuple:
    """The first value, and the lowest and the highest."""
    defined = [value for value in values if value is not None]
    return values[0], min(defined, default=None), max(defined, default=None)
