"""Small campaigns made at random, of odd names and values, in the form that pipeline.Campaign takes."""

import random
from pathlib import Path
from typing import NamedTuple

from pipeline import Campaign

NAMES = ["1", "01", "1.0", "q", "Q", "é", "e\u0301", "NULL", "null", "nan", "a b", "'", "a'b", "--", "%s", "{x}", "$1"]
NAMES += ["=1", "\\", "<b>", "&amp;", "\u202ea", "x" * 300, "1e400", "_", "%", "True", "a;b", "0", "-", "ﬁ", "\u2028z"]
RUNS = ["a", "A", "b", "é", "a b", "1", "01", "NULL", "x" * 100, "{x}", "a'b", "%s", "-"]
CONFIDENCES = [None, None, 0, 1, 0.5, 0.5, 0.25, 5e-324, 1e-300, 0.1 + 0.2, 1 - 2**-53, 1 / 3]
SCORES = [None, None, 0, -0.0, 1, -1, 0.5, 0.5, 1.7e308, -1.7e308, 5e-324, 2**53 + 1, 1e15, 1e16]
CATEGORIES = [None, "x", "X", "é", "1", "NULL"]
ANSWERS = [*NAMES[:8], "Paris", "paris"]
CHOICES = ("wrong", "unanswered", "exclude")
OUTCOMES = {True: ("tp", "fn", "u_p"), False: ("fp", "tn", "u_n"), None: ("unscored",)}  # by the truth of a pair


class Recipe(NamedTuple):
    """What pipeline.Campaign takes, by one of two doors."""

    task: str
    policy: dict
    rows: dict  # of runs, or of graded responses, by file
    judgments: dict | None  # by assessor; None where the responses come graded
    questions: list
    options: dict
    rules: dict

    @property
    def assessors(self) -> list[str]:
        return [*(self.options.get("assessors", {}) if self.judgments is None else self.judgments)]

    def of_one(self, assessor: str) -> "Recipe":
        """The same campaign as if there were this assessor only."""
        if self.judgments is not None:
            return self._replace(judgments={assessor: self.judgments[assessor]})
        return self._replace(options=self.options | {"assessors": {assessor: self.options["assessors"][assessor]}})

    def cooked(self, folder: Path) -> Campaign:
        campaign = Campaign(folder, self.task, self.policy)
        if self.judgments is None:
            return campaign.graded(self.rows, self.questions, self.options)
        return campaign.judged(self.rows, self.judgments, self.questions, self.options, **self.rules)


def recipe(seed: int, number: int) -> Recipe:
    return MAKERS[number % len(MAKERS)](random.Random(f"campaign {seed} {number}"))


def policy(draw: random.Random) -> dict[str, str]:
    return {name: draw.choice(CHOICES) for name in ("unscored", "error", "partial")}


def some(draw: random.Random, values: list, most: int) -> list:
    return draw.sample(values, draw.randint(1, most))


def asked(draw: random.Random, names: list[str]) -> list[dict]:
    return [
        {"question": name, "has_answer": draw.choice([True, False, None]), "category": draw.choice(CATEGORIES)}
        for name in names
    ]


def questions_and_answers(draw: random.Random) -> Recipe:
    names = some(draw, NAMES, 6)
    documents = draw.choice([[None], ["d", "D", "1", None]])
    runs = {run: answers(draw, names, documents) for run in some(draw, RUNS, 4)}
    labels = draw.choice(["RWUX", "RW", "W", ["good", "long", "partial", "bad"]])
    key = draw.random() < 0.2
    judgments = {
        assessor: judged(draw, names, [document for document in documents if document], labels)
        for assessor in some(draw, RUNS, 3)
    }
    right = draw.sample(list(labels), draw.randint(1, len(labels)))
    rest = [label for label in labels if label not in right]
    rules = {"correct": right, "partial": draw.sample(rest, draw.randint(0, len(rest))), "closed": key}
    options = {"nil": ["NIL"], "unanswered": ["NOA"], "failed": ["ERR"]}
    return Recipe("qa", policy(draw), runs, judgments, asked(draw, names), options, rules)


def answers(draw: random.Random, names: list[str], documents: list) -> list[dict]:
    """A run's rows: ranks may have gaps, a rank may be left empty, questions may be left out."""
    rows = []
    for name in names:
        rank = 1
        for _ in range(draw.choice([0, 1, 1, 1, 2, 4])):
            answer = draw.choice([*ANSWERS, "NIL", "NOA", "ERR", None, None])
            row = {"question": name, "rank": rank, "answer": answer, "document": draw.choice(documents)}
            row |= {"confidence": draw.choice(CONFIDENCES), "score": draw.choice(SCORES)}
            row |= {"position": draw.choice([None, 1, 2, 9])}
            rows.append(row | {"candidate": draw.choice([None, *ANSWERS]) if answer in (None, "NOA") else None})
            rank += draw.choice([1, 1, 1, 3])
    return draw.sample(rows, len(rows)) or [{"question": names[0], "answer": None, "rank": 1}]


def judged(draw: random.Random, names: list[str], documents: list, labels) -> list[dict]:
    keys = [(name, document, answer) for name in names for document in documents or [None] for answer in ANSWERS]
    chosen = draw.sample(keys, draw.randint(1, len(keys)))
    return [{"question": q, "document": d, "answer": a, "label": draw.choice(list(labels))} for q, d, a in chosen]


def pairs(draw: random.Random) -> Recipe:
    keys = [(name, candidate) for name in some(draw, NAMES, 4) for candidate in some(draw, ANSWERS, 3)]
    runs = {}
    for run in some(draw, RUNS, 4):
        rows = []
        for question, candidate in draw.sample(keys, draw.randint(1, len(keys))):
            selected = any(row["question"] == question and row["answer"] == "SELECTED" for row in rows)
            decision = draw.choice(["VALIDATED", "REJECTED", "ERR", None, *["SELECTED"] * (not selected)])
            row = {"question": question, "candidate": candidate, "answer": decision}
            rows.append(row | {"score": draw.choice(SCORES), "confidence": draw.choice(CONFIDENCES)})
        runs[run] = rows
    labels = draw.choice([["YES", "NO"], ["YES", "NO", "UNKNOWN"], ["NO"], ["UNKNOWN"]])
    gold = {
        assessor: [{"question": q, "candidate": c, "label": draw.choice(labels)} for q, c in keys]
        for assessor in some(draw, RUNS, 2)
    }
    questions = asked(draw, sorted({question for question, _ in keys}))
    return Recipe("validation", policy(draw), runs, gold, questions, {"failed": ["ERR"]}, {})


def graded_answers(draw: random.Random) -> Recipe:
    names, rows = some(draw, NAMES, 6), []
    verdicts = ["correct", "wrong", "partial", "unanswered", "unscored", "error", None]
    assessors = some(draw, RUNS, 3)
    for run in some(draw, RUNS, 4):
        for name in names:
            unseen = draw.random() < 0.1  # all assessors and all ranks say so, or none
            for rank in range(1, 1 + draw.choice([0, 1, 1, 3])):
                row = {"run": run, "question": name, "rank": rank, "score": draw.choice(SCORES)}
                row |= {"confidence": draw.choice(CONFIDENCES), "position": draw.choice([None, 1, 5])}
                said = {f"of {one}": "seen not" if unseen else draw.choice(verdicts) for one in assessors}
                rows.append(row | said)
    rows = rows or [{"run": "a", "question": names[0]} | {f"of {assessor}": "wrong" for assessor in assessors}]
    options = {"assessors": {assessor: f"of {assessor}" for assessor in assessors}, "missing": ["seen not"]}
    return Recipe("qa", policy(draw), {"graded": rows}, None, asked(draw, names), options, {})


def graded_pairs(draw: random.Random) -> Recipe:
    keys = [(name, candidate) for name in some(draw, NAMES, 4) for candidate in some(draw, ANSWERS, 3)]
    truth = {key: draw.choice([True, False, None]) for key in keys}
    rows = [
        {"run": run, "question": question, "candidate": candidate, "verdict": draw.choice(OUTCOMES[right])}
        | {"score": draw.choice(SCORES), "confidence": draw.choice(CONFIDENCES)}
        for run in some(draw, RUNS, 4)
        for (question, candidate), right in truth.items()
        if draw.random() < 0.9
    ]
    rows = rows or [{"run": "a", "question": "q", "candidate": "c", "verdict": "tp"}]
    return Recipe("validation", policy(draw), {"graded": rows}, None, [], {}, {})


def hypotheses(draw: random.Random) -> Recipe:
    task = draw.choice(["dating", "matching"])
    answers = ["1801", "1944", "1870", "1871", "1900"] if task == "dating" else ANSWERS
    names, runs = some(draw, NAMES, 6), {}
    for run in some(draw, RUNS, 4):
        rows = []
        for name in names:
            given = some(draw, answers, 4) if draw.random() < 0.7 else [draw.choice([None, "NOA", "ERR"])]
            parts = draw.choice([[1], [None]]) if len(given) == 1 else [1 / len(given)] * len(given)
            parts = [0.75, 0.25] if len(given) == 2 and draw.random() < 0.5 else parts
            parts = parts if given[0] in answers else [None]
            rows += [{"question": name, "answer": a, "confidence": c} for a, c in zip(given, parts, strict=True)]
        runs[run] = rows
    gold = {a: [{"question": name, "answer": draw.choice(answers)} for name in names] for a in some(draw, RUNS, 2)}
    options = {"unanswered": ["NOA"], "failed": ["ERR"]}
    return Recipe(task, {"error": draw.choice(CHOICES)}, runs, gold, asked(draw, names), options, {})


MAKERS = [questions_and_answers, questions_and_answers, pairs, graded_answers, graded_pairs, hypotheses]
