"""A campaign with several answers to a question, made at random, and its scores in plain loops and
fractions; `fuzz` has its counts.

Follows docs/measures.md sentence by sentence and shares nothing with the project's code.
"""

import itertools
import random
from fractions import Fraction

CHOICES = ("wrong", "unanswered", "exclude")
OPTIONS = {"nil": ["NIL"], "failed": ["ERR"]}
RULES = {"correct": ["R"], "partial": ["X"]}


class RandomRuns:
    """Runs as lists of rows, one assessor's judgments, and questions, in the form that
    pipeline.Campaign takes.

    `key` is what judgments name: the answer, or its document alone.
    """

    def __init__(self, seed: int, n: int = 12, runs: int = 8, depth: int = 4, key: str = "answer"):
        draw = random.Random(seed)
        self.key = key
        names = [f"q{i:02}" for i in range(n)]
        self.questions = [
            {"question": q, "has_answer": draw.choice([True, None, None])} for q in names
        ]
        self.labels = {
            (q, f"a{j}"): draw.choices("RWX", [3 if q > "q04" else 0, 4, 1])[0]
            for q in names
            for j in range(5)
            if draw.random() < 0.8
        }
        self.runs = {f"run{i}": self.make_run(draw, names, depth) for i in range(runs)}

    def make_run(self, draw, names: list[str], depth: int) -> list[dict]:
        rows = []
        mute = draw.random() < 0.15
        for q in names:
            fate = draw.random()
            if fate < 0.1:
                continue  # the run does not mention the question
            answers = [draw.choices([f"a{j}" for j in range(5)] + ["NIL"], [4, 3, 2, 1, 1, 3])[0]]
            answers *= draw.randint(1, 2)  # the same answer again
            answers += [f"a{draw.randrange(5)}" for _ in range(draw.randrange(depth))]
            for gap in (None, "ERR"):
                if depth > 1 and draw.random() < 0.2:
                    # A rank left empty, or failed
                    answers.insert(draw.randrange(len(answers) + 1), gap)
            if fate < 0.25:
                answers = [draw.choice([None, "ERR"])]
            for rank, answer in enumerate(answers, start=1):
                confidence = None if mute else draw.randrange(1001) / 1000
                row = {"question": q, "rank": rank, "confidence": confidence}
                rows.append(
                    row | self.columns(answer, draw.choice([None, *(f"a{j}" for j in range(5))]))
                )
        return rows

    def columns(self, answer: str | None, withheld_text: str | None) -> dict:
        """An answer in the columns of a run; if there is none, with what was withheld."""
        withheld = withheld_text if answer in (None, "ERR") else None
        if self.key == "answer":
            return {"answer": answer, "candidate": withheld}
        words = (None, "ERR", "NIL")
        return {
            "answer": answer if answer in words else "…",
            "document": withheld if answer in words else answer,
        }

    def judgments(self) -> list[dict]:
        labels = self.labels.items()
        return [{"question": q, self.key: a, "label": label} for (q, a), label in labels]


class Literal:
    """One run of a made campaign under one policy."""

    def __init__(self, drawing: RandomRuns, run: str, policy: dict):
        self.drawing, self.policy = drawing, policy
        self.question_ids = [row["question"] for row in drawing.questions]
        self.rows = {
            q: sorted((r for r in drawing.runs[run] if r["question"] == q), key=lambda r: r["rank"])
            for q in self.question_ids
        }
        self.has_confidence = any(row["confidence"] is not None for row in drawing.runs[run])
        self.scored_ids = [q for q in self.question_ids if self.verdict(q) != "exclude"]

    def right_answers(self, q: str) -> int:
        return sum(
            1
            for (question, _), label in self.drawing.labels.items()
            if question == q and label == "R"
        )

    def has_answer(self, q: str) -> bool:
        has_gold = next(row["has_answer"] for row in self.drawing.questions if row["question"] == q)
        return bool(has_gold) or self.right_answers(q) > 0

    def raw(self, row: dict) -> str:
        """What the judgments say of one response."""
        if row["answer"] is None:
            return "unanswered"
        if row["answer"] == "ERR":
            return "error"
        if row["answer"] == "NIL":
            return "wrong" if self.has_answer(row["question"]) else "correct"
        return self.label(row["question"], row[self.drawing.key])

    def label(self, q: str, name: str) -> str:
        return {None: "unscored", "R": "correct", "X": "partial", "W": "wrong"}[
            self.drawing.labels.get((q, name))
        ]

    def resolve(self, row: dict) -> str:
        raw = self.raw(row)
        return self.policy.get(raw, raw)

    def answer(self, row: dict):
        """Return a key that is equal for repeated answers; without an answer, one for the row."""
        if row["answer"] in (None, "ERR"):
            return id(row)
        return "NIL" if row["answer"] == "NIL" else row[self.drawing.key]

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
                    total += worth * Fraction(str(row["confidence"]))
                former.add(self.answer(row))
            answers = sum(row["answer"] not in (None, "ERR") for row in self.rows[q])
            return total / max(self.right_answers(q), answers, 1)

        return self.mean(weighted)

    def k1(self):
        if not self.has_confidence:
            return None
        worth = {"correct": 1, "wrong": -1}

        def signed(q):
            first = self.rows[q][0] if self.rows[q] else {"confidence": 0}
            return worth.get(self.verdict(q), 0) * Fraction(str(first["confidence"]))

        return self.mean(signed)

    def accuracy(self):
        return self.mean(lambda q: self.verdict(q) == "correct")


def variants(policy: dict) -> list[dict]:
    """Return each choice for unscored and failed answers; partial ones keep the policy."""
    ways = itertools.product((*CHOICES, "correct"), CHOICES)
    return [policy | {"unscored": unscored, "error": error} for unscored, error in ways]


def extremes(drawing: RandomRuns, run: str, policy: dict, measure) -> tuple:
    """The value of a measure under the policy, and its lowest and highest over all variants."""
    value = measure(Literal(drawing, run, policy))
    values = [measure(Literal(drawing, run, variant)) for variant in variants(policy)]
    values = [v for v in [value, *values] if v is not None]
    return value, min(values, default=None), max(values, default=None)
