"""What is drawn at random: counts of a run that fit together, by task; and whole campaigns."""

import random
from dataclasses import dataclass, field, replace
from functools import partial

from hypothesis import strategies as st
from literal_hypotheses import OPTIONS, RandomRuns
from literal_reliability import draw_cells, total
from nonresponse import tasks
from pipeline import Campaign


@st.composite
def draw_counts(draw, task: str) -> dict[str, int]:
    """All counts of one run: those of its questions, some of which are excluded."""
    seed, questions = draw(st.integers(0, 2**32)), draw(st.integers(0, 60))
    cells = draw_cells(task, seed, 1, questions, excluding=draw(st.booleans()))[0]
    return dict.fromkeys(tasks.get(task).counts, 0) | total(cells, range(questions))


COUNTS = {task: draw_counts(task) for task in tasks.NAMES}


@dataclass(frozen=True)
class RandomCampaign:
    """A random campaign that two assessors judged: in files of their own, or side by side."""

    task: str
    runs: dict[str, list[dict]]
    judgments: dict[str, list[dict]] = field(default_factory=dict)  # none: the runs come graded
    questions: list[dict] = field(default_factory=list)
    options: dict = field(default_factory=dict)
    rules: dict = field(default_factory=dict)

    def campaign(self, folder, shards: int = 1) -> Campaign:
        campaign = Campaign(folder, self.task, shards=shards)
        if not self.judgments:
            return campaign.evaluate_graded(self.runs, self.questions, self.options)
        return campaign.evaluate_runs(
            self.runs, self.judgments, self.questions, self.options, **self.rules
        )

    def rename(self, names: dict[str, str], draw: random.Random) -> "RandomCampaign":
        """The same with other names of questions, all rows in another order.

        The hypotheses of a question stay in their order, which decides between equals.
        """

        def shuffle_rows(rows: list[dict]) -> list[dict]:
            groups: dict = {}
            for row in rows:
                key = row["question"] if self.task in ("dating", "matching") else len(groups)
                groups.setdefault(key, []).append(row | {"question": names[row["question"]]})
            return [row for group in draw.sample([*groups.values()], len(groups)) for row in group]

        runs, judgments = (
            {name: shuffle_rows(rows) for name, rows in files.items()}
            for files in (self.runs, self.judgments)
        )
        return replace(self, runs=runs, judgments=judgments, questions=shuffle_rows(self.questions))


def answers(seed: int, n: int = 26) -> RandomCampaign:
    """Six runs with all that may happen to a question, and ROMIP's labels."""
    draw = random.Random(seed)
    questions = [f"q{i:02}" for i in range(n)]
    labels = ["good", "long", "partial", "bad"]
    gold = {
        assessor: [
            {"question": q, "answer": f"a{j}", "label": draw.choices(labels, [4, 1, 1, 4])[0]}
            for q in questions[2:]
            for j in range(4)
            if draw.random() < 0.85
        ]
        for assessor in ("first", "second")
    }

    def rows(silence: float, ranks: int, **standing):
        places = draw.sample(range(1, n + 1), n)
        for q, place in zip(questions, places, strict=True):
            fate = draw.random()
            if fate < 0.06:
                continue  # not mentioned
            for rank in range(1, draw.randint(1, ranks) + 1):
                words = [*(f"a{j}" for j in range(4)), "NIL", "ERR"]
                answer, silent = draw.choices(words, [6, 3, 2, 2, 3, 2])[0], draw.random() < silence
                row = {"question": q, "rank": rank, "answer": None if silent else answer}
                withheld = silent and draw.random() < 0.7 and answer != "ERR"
                row["candidate"] = answer if withheld else None
                # Few different values, so that there are ties; some are missing.
                row |= {
                    column: value() if draw.random() < 0.9 else None
                    for column, value in standing.items()
                }
                yield row | ({"position": (place + 1) // 2} if "position" in standing else {})

    confidence, raw = (lambda: draw.randrange(5) / 4), (lambda: draw.randrange(-3, 6) / 2)
    runs = {
        "ranked": rows(0.1, 4, confidence=confidence),
        "placed": rows(0.2, 1, confidence=confidence, position=int),
        "scored": rows(0.2, 1, score=raw),
        "both": rows(0.3, 2, confidence=confidence, score=raw),
        "mute": rows(0.3, 3),
        "silent": rows(0.85, 1, confidence=confidence),
    }
    runs = {run: [*lines] for run, lines in runs.items()}
    question_rows = [
        {"question": q, "has_answer": draw.choice([True, None, None]), "category": "xy"[i % 2]}
        for i, q in enumerate(questions)
    ]
    options = {"nil": ["NIL"], "failed": ["ERR"]}
    rules = {"correct": ["good"], "partial": ["partial", "long"]}
    return RandomCampaign("qa", runs, gold, question_rows, options, rules)


def decisions(seed: int, n: int = 22) -> RandomCampaign:
    """One to three pairs a question, some of unknown truth; runs with gaps of all kinds."""
    draw = random.Random(seed)
    keys = [(f"q{i:02}", f"c{j}") for i in range(n) for j in range(draw.randint(1, 3))]
    kinds = ["YES", "NO", "NO", "UNKNOWN"]
    gold = {
        assessor: [{"question": q, "candidate": c, "label": draw.choice(kinds)} for q, c in keys]
        for assessor in "ab"
    }
    runs: dict[str, list[dict]] = {run: [] for run in ("one", "two", "three", "four")}
    for run, rows in runs.items():
        selected = set()
        for q, c in keys:
            if draw.random() < 0.1:
                continue
            answer = draw.choices(["VALIDATED", "REJECTED", "ERR", None], [3, 5, 1, 1])[0]
            if answer == "VALIDATED" and q not in selected:
                answer = "SELECTED"
                selected.add(q)
            value = draw.randrange(6) / 5 if run != "four" and draw.random() < 0.9 else None
            rows.append({"question": q, "candidate": c, "answer": answer, "score": value})
    questions = [{"question": f"q{i:02}", "category": "xy"[i % 2]} for i in range(n)]
    return RandomCampaign("validation", runs, gold, questions, {"failed": ["ERR"]})


def hypotheses(task: str, seed: int, n: int = 26) -> RandomCampaign:
    """With confidences; assessors who differ, a run that fails everywhere, one that is silent."""
    drawing = RandomRuns(task, seed, n=n)
    return RandomCampaign(task, drawing.runs, drawing.judgments(), drawing.questions, OPTIONS)


def graded_answers(seed: int, n: int = 6) -> RandomCampaign:
    """Verdicts of all kinds at one rank or several, each assessor's own."""
    draw, names = random.Random(seed), {name: name for name in ("ann", "bob")}
    runs = {
        run: [
            {"question": f"q{q}", "rank": rank, "confidence": draw.choice([None, 0.5, 0.75])}
            | {name: draw.choice(tasks.VERDICTS) for name in names}
            for q in draw.sample(range(n), draw.randint(1, n))
            for rank in range(1, draw.choice([1, 1, 3]) + 1)
        ]
        for run in ("r", "s", "t")
    }
    questions = [
        {"question": f"q{q}", "has_answer": draw.choice([True, None])} for q in range(n + 1)
    ]
    return RandomCampaign("qa", runs, questions=questions, options={"assessors": names})


CAMPAIGNS = {"qa": answers, "validation": decisions}
CAMPAIGNS |= {task: partial(hypotheses, task) for task in ("dating", "matching")}
