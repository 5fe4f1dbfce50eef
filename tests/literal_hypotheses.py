"""Campaigns of weighted hypotheses made at random, and their evaluation in plain loops, as DEFT
2011 prints it.

Follows docs/measures.md sentence by sentence and shares nothing with the project's code.
"""

import math
import random
from fractions import Fraction

import pytest
from literal import CHOICES, find_extremes

OPTIONS = {"unanswered": ["NOA"], "failed": ["ERR"]}
FIRST, LAST = 1801, 1944
# What a question adds is rounded to multiples of 2^-32, for each of up to five hypotheses
CLOSE = 3 * 2**-32


class RandomRuns:
    """Runs and references as lists of rows, and questions, as pipeline.Campaign takes them."""

    def __init__(self, task: str, seed: int, n: int = 14, runs: int = 6):
        draw, self.task = random.Random(seed), task
        names = [f"f{i:02}" for i in range(n)]
        categories = draw.choices(["early", "late", None], k=n)
        self.questions = [
            {"question": q, "category": category}
            for q, category in zip(names, categories, strict=True)
        ]
        right = {q: self.draw_other(draw, draw.randint(FIRST, LAST)) for q in names}
        second = {
            q: self.draw_other(draw, answer) if draw.random() < 0.4 else answer
            for q, answer in right.items()
        }
        self.references = {"official": right, "second": second}
        self.runs = {f"run{i}": self.make_run(draw, right) for i in range(runs)}
        self.runs["failing"] = [{"question": q, "answer": "ERR", "confidence": None} for q in names]
        # One row that says that it found nothing: without any row there would be no run.
        self.runs["silent"] = [{"question": names[0], "answer": "NOA", "confidence": 0.5}]

    def draw_other(self, draw, answer):
        """Near or far; sometimes the same, in matching."""
        if self.task == "matching":
            return f"t{draw.randrange(8)}"
        year = answer + draw.choice([-1, 1]) * draw.randint(1, 18)
        year = draw.randint(FIRST, LAST) if draw.random() < 0.3 else year
        return min(max(year, FIRST), LAST)

    def make_run(self, draw, right: dict) -> list[dict]:
        skill, rows = draw.random(), []
        for q, answer in right.items():
            fate = draw.random()
            if fate < 0.1:
                continue  # the run does not mention the fragment
            answers = {answer if draw.random() < skill else self.draw_other(draw, answer)}
            answers |= {self.draw_other(draw, answer) for _ in range(draw.choice([0, 0, 1, 4]))}
            answers = draw.sample(sorted(answers), len(answers))
            pairs = zip(answers, self.confidences(draw, len(answers)), strict=True)
            if fate < 0.3:
                pairs = [(draw.choice([None, "NOA", "ERR"]), None)]
            rows += [{"question": q, "answer": text, "confidence": c} for text, c in pairs]
        # The hypotheses of a question need not stand together.
        return draw.sample(rows, len(rows))

    @staticmethod
    def confidences(draw, number: int) -> list:
        """Multiples of a tenth, some equal and some 0; a sole one may be left out."""
        if number == 1:
            return [draw.choice([None, 1])]
        cuts = sorted(draw.randrange(11) for _ in range(number - 1))
        return [(b - a) / 10 for a, b in zip([0, *cuts], [*cuts, 10], strict=True)]

    def judgments(self) -> dict[str, list[dict]]:
        return {
            assessor: [{"question": q, "answer": answer} for q, answer in right.items()]
            for assessor, right in self.references.items()
        }


class Literal:
    """One run of a made campaign under one assessor's references and one policy on the failed."""

    def __init__(self, drawing: RandomRuns, run: str, assessor: str, error: str):
        self.drawing, self.error, self.right = drawing, error, drawing.references[assessor]
        self.question_ids = [row["question"] for row in drawing.questions]
        self.rows = {
            q: [row for row in drawing.runs[run] if row["question"] == q] for q in self.question_ids
        }
        self.hypotheses = {q: self.weighted_answers(self.rows[q]) for q in self.question_ids}
        # The most confident answer, the first of equals
        self.best = {
            q: max(pairs, key=lambda pair: pair[1], default=(None, None))
            for q, pairs in self.hypotheses.items()
        }
        self.scored_ids = [q for q in self.question_ids if self.verdict(q) != "exclude"]

    @staticmethod
    def weighted_answers(rows: list[dict]) -> list[tuple]:
        """(answer, confidence) in the order of the file."""
        return [
            (row["answer"], Fraction(str(1 if row["confidence"] is None else row["confidence"])))
            for row in rows
            if row["answer"] not in (None, "NOA", "ERR")
        ]

    def answer(self, q: str):
        return self.best[q][0]

    def raw(self, q: str) -> str:
        if any(row["answer"] == "ERR" for row in self.rows[q]):
            return "error"
        if self.answer(q) is None:
            return "unanswered"
        return "correct" if self.answer(q) == self.right[q] else "wrong"

    def verdict(self, q: str) -> str:
        return self.error if self.raw(q) == "error" else self.raw(q)

    def distance(self, q: str) -> int | None:
        return None if self.answer(q) is None else self.answer(q) - self.right[q]

    def similar(self, answer, reference):
        """Task A, eq. 2; task B, eq. 1."""
        if self.drawing.task == "matching":
            return 1 if answer == reference else 0
        return Fraction(math.exp(-(math.pi / 10**2) * (answer - reference) ** 2))

    def similarity(self, q: str):
        return 0 if self.answer(q) is None else self.similar(self.answer(q), self.right[q])

    def similarity_c(self, q: str):
        """Task A, eq. 5; task B, eq. 2."""
        pairs = self.hypotheses[q]
        return sum(confidence * self.similar(answer, self.right[q]) for answer, confidence in pairs)

    def mean(self, score_question):
        if not self.scored_ids:
            return None
        return Fraction(sum(score_question(q) for q in self.scored_ids)) / len(self.scored_ids)

    def counts(self) -> dict:
        verdicts = [self.verdict(q) for q in self.scored_ids]
        names = {"n_ac": "correct", "n_aw": "wrong", "n_u": "unanswered"}
        counts = {name: verdicts.count(verdict) for name, verdict in names.items()}
        counts["n_error"] = [self.raw(q) for q in self.question_ids].count("error")
        counts["n_missing"] = sum(not self.rows[q] for q in self.question_ids)
        return counts | {"n": len(verdicts)}

    # The measures.
    def s(self):
        return self.mean(self.similarity)

    def s_c(self):
        return self.mean(self.similarity_c)

    def auc(self, last: int):
        """Task A, eq. 7, without the term e = E."""
        distances = [self.distance(q) for q in self.scored_ids]
        off = [abs(distance) for distance in distances if distance is not None]
        within = sum(distance <= e for distance in off for e in range(last))
        return Fraction(within, last * len(distances)) if distances else None

    def accuracy(self):
        return self.mean(lambda q: self.verdict(q) == "correct")


def near(value):
    return value if value is None else pytest.approx(float(value), abs=CLOSE, rel=0)


def assert_scores(drawing: RandomRuns, campaign, error: str, measures: dict) -> None:
    """Compare counts, scores and bounds of every assessor and run."""
    campaign.apply_policy(error=error)
    policy_runs = {
        (name, run): {policy: Literal(drawing, run, name, policy) for policy in CHOICES}
        for name in sorted(drawing.references)
        for run in sorted(drawing.runs)
    }
    counts = {(row["assessor"], row["run"]): row for row in campaign.counts.rows(named=True)}
    for key, runs in policy_runs.items():
        should = runs[error].counts()
        assert {name: counts[key][name] for name in should} == should
    for id, measure in measures.items():
        actual = {row[:2]: row[2:] for row in campaign.scores(id).rows()}
        expected = {
            key: find_extremes([measure(runs[policy]) for policy in (error, *CHOICES)])
            for key, runs in policy_runs.items()
        }
        assert actual == {key: tuple(map(near, row)) for key, row in expected.items()}, id
        assert all(value is None or 0 <= value <= 1 for row in actual.values() for value in row)
