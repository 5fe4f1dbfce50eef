"""What hypothesis draws: counts of a run that fit together, by task; whole campaigns, by task and
door."""

import random
from dataclasses import dataclass, field
from functools import partial

from hypothesis import strategies as st
from literal import CHOICES, OPTIONS, Made
from literal_hypotheses import OPTIONS as HYPOTHESES
from literal_hypotheses import Made as MadeHypotheses
from nonresponse import tasks
from pipeline import Campaign

SMALL = st.integers(0, 40)


@st.composite
def qa_counts(draw) -> dict[str, int]:
    """All counts of one run that answers questions."""
    n_ac, n_aw, n_u = draw(SMALL), draw(SMALL), draw(SMALL)
    n_ur = draw(st.integers(0, n_u))
    nil_right, nil_wrong, nil_unanswered = (
        draw(st.integers(0, whole)) for whole in (n_ac, n_aw, n_u)
    )
    n_aw_partial, n_x_partial = draw(st.integers(0, n_aw)), draw(SMALL)
    a, b, c, d, e = (draw(SMALL) for _ in range(5))
    good_any = draw(st.integers(0, a + b + c))
    good, long_any = draw(st.integers(0, good_any)), draw(st.integers(0, good_any))
    rightful = draw(st.integers(0, n_ac - nil_right))
    nil_gold = nil_right + nil_unanswered + rightful + draw(st.integers(0, n_aw - nil_wrong))
    counts = {"n": n_ac + n_aw + n_u, "n_ac": n_ac, "n_aw": n_aw, "n_u": n_u, "n_ur": n_ur}
    counts |= {"n_uw": draw(st.integers(0, n_u - n_ur)), "nil_gold": nil_gold}
    counts |= {"n_aw_partial": n_aw_partial, "n_x_partial": n_x_partial, "n_rightful": rightful}
    counts |= {"n_unanswerable": rightful, "nil_right": nil_right}
    counts |= {"nil_returned": nil_right + nil_wrong, "nil_unanswered": nil_unanswered}
    counts |= {"a": a, "b": b, "c": c, "d": d, "e": e, "q_answered": a + b + c}
    counts |= {"q_good": good, "q_good_any": good_any, "q_long_good_partial": long_any}
    return counts | {"q_long_good": draw(st.integers(0, min(good, long_any)))}


@st.composite
def validation_counts(draw) -> dict[str, int]:
    """All counts of one run that validates answers."""
    cells = {name: draw(SMALL) for name in ("tp", "fp", "fn", "tn", "u_p", "u_n")}
    n_questions = draw(SMALL)
    selected = draw(st.integers(0, n_questions))
    rejected = draw(st.integers(0, n_questions - selected))
    return cells | {
        "n": sum(cells.values()),
        "n_questions": n_questions,
        "q_selected_right": selected,
        "q_rejected_right": rejected,
    }


@st.composite
def hypotheses_counts(draw) -> dict[str, int]:
    """All counts of one run that gives weighted hypotheses; what failed counts as wrong."""
    n_ac, n_aw, n_u = draw(SMALL), draw(SMALL), draw(SMALL)
    n_error, n_missing = draw(st.integers(0, n_aw)), draw(st.integers(0, n_u))
    return {
        **{"n": n_ac + n_aw + n_u, "n_ac": n_ac, "n_aw": n_aw, "n_u": n_u},
        **{"n_error": n_error, "n_missing": n_missing},
    }


COUNTS = {
    "qa": qa_counts(),
    "validation": validation_counts(),
    "dating": hypotheses_counts(),
    "matching": hypotheses_counts(),
}

POLICIES = st.fixed_dictionaries(
    {name: st.sampled_from(CHOICES) for name in ("unscored", "error", "partial")}
)
ASSESSORS = ("ann", "bob")


@dataclass(frozen=True)
class Drawn:
    """A small random campaign that two assessors judged: in files of their own, or side by side
    (door two)."""

    task: str
    runs: dict[str, list[dict]]
    judgments: dict[str, list[dict]] = field(default_factory=dict)  # none: the runs come graded
    questions: list[dict] = field(default_factory=list)
    options: dict = field(default_factory=dict)
    rules: dict = field(default_factory=dict)

    def campaign(
        self, folder, assessors=ASSESSORS, policy: dict | None = None, shards: int = 1
    ) -> Campaign:
        """The campaign as these assessors judged it."""
        campaign = Campaign(folder, self.task, policy, shards)
        if not self.judgments:
            options = self.options | {"assessors": {name: name for name in assessors}}
            return campaign.graded(self.runs, self.questions, options)
        judgments = {name: self.judgments[name] for name in assessors}
        return campaign.judged(self.runs, judgments, self.questions, self.options, **self.rules)


def answers(seed: int) -> Drawn:
    """Labels of TREC and perhaps of ROMIP; some confidences; failures and withheld candidates at
    all ranks."""
    draw = random.Random(seed)
    named, words = (
        draw.choice(["answer", "document"]),
        draw.choice([tuple("RWX"), ("good", "long", "partial", "bad")]),
    )
    made = Made(seed, n=draw.randint(1, 7), runs=3, depth=draw.choice([1, 4]), named=named)
    keys = [(row["question"], f"a{j}") for row in made.questions for j in range(5)]
    made.labels.setdefault(keys[0], "W")
    bob = [
        {"question": q, named: a, "label": draw.choice(words)}
        for q, a in draw.sample(keys, len(keys) * 3 // 4)
    ]
    runs = {
        run: [row | {"confidence": draw.choice([None, row["confidence"]])} for row in rows]
        for run, rows in made.runs.items()
        if rows
    }
    questions = [row | {"category": draw.choice(["x", "y", None])} for row in made.questions]
    closed = named == "answer" and draw.random() < 0.3
    rules = {"correct": ["R", "good"], "partial": ["X", "partial"], "closed": closed}
    return Drawn("qa", runs, {"ann": made.judgments(), "bob": bob}, questions, OPTIONS, rules)


def some_pairs(draw: random.Random) -> list[tuple[str, str]]:
    return [
        (f"q{i}", f"c{j}") for i in range(draw.randint(1, 6)) for j in range(draw.randint(1, 3))
    ]


def decisions(seed: int) -> Drawn:
    """Pairs of known and unknown truth; runs that select, leave out, leave open and fail."""
    draw = random.Random(seed)
    keys = some_pairs(draw)
    judgments = {
        name: [
            {"question": q, "candidate": c, "label": draw.choice(["YES", "NO", "NO", "UNKNOWN"])}
            for q, c in keys
        ]
        for name in ASSESSORS
    }
    words = ["VALIDATED", "REJECTED", "REJECTED", "ERR", None]
    runs = {}
    for run in ("r", "s"):
        answered = [pair for pair in keys if draw.random() < 0.8] or keys[:1]
        runs[run] = [
            {
                "question": q,
                "candidate": c,
                "answer": draw.choice([*words, "SELECTED"] if c == "c0" else words),
                "score": draw.choice([None, draw.randrange(9) / 8]),
            }
            for q, c in answered
        ]
    questions = [
        {"question": q, "category": draw.choice(["x", "y"])}
        for q in dict.fromkeys(q for q, _ in keys)
    ]
    return Drawn("validation", runs, judgments, questions, {"failed": ["ERR"]})


def hypotheses(task: str, seed: int) -> Drawn:
    made = MadeHypotheses(task, seed, n=random.Random(seed).randint(1, 6), runs=2)
    judgments = dict(zip(ASSESSORS, made.judgments().values(), strict=True))
    return Drawn(
        task,
        {run: rows for run, rows in made.runs.items() if rows},
        judgments,
        made.questions,
        HYPOTHESES,
    )


def graded_answers(seed: int) -> Drawn:
    """Verdicts of all kinds at one rank or several, each assessor's own."""
    draw = random.Random(seed)
    questions = [f"q{i}" for i in range(draw.randint(1, 6))]
    runs = {
        run: [
            {"question": q, "rank": rank, "confidence": draw.choice([None, draw.randrange(9) / 8])}
            | {name: draw.choice(tasks.VERDICTS) for name in ASSESSORS}
            for q in (draw.sample(questions, draw.randint(1, len(questions))))
            for rank in range(1, draw.choice([1, 1, 3]) + 1)
        ]
        for run in ("r", "s", "t")
    }
    asked = [
        {"question": q, "has_answer": draw.choice([True, None]), "category": "x"}
        for q in [*questions, "q9"]
    ]
    return Drawn("qa", runs, questions=asked)


def graded_decisions(seed: int) -> Drawn:
    """Outcomes that agree on the truth of a pair, assessor by assessor."""
    draw = random.Random(seed)
    keys = some_pairs(draw)
    words = (["tp", "fn", "u_p"], ["fp", "tn", "u_n"], ["unscored"])
    truth = {(name, pair): draw.choice(words) for name in ASSESSORS for pair in keys}
    runs = {
        run: [
            {"question": q, "candidate": c, "score": draw.randrange(9) / 8}
            | {name: draw.choice(truth[name, (q, c)]) for name in ASSESSORS}
            for q, c in draw.sample(keys, draw.randint(1, len(keys)))
        ]
        for run in ("r", "s")
    }
    return Drawn("validation", runs)


SEEDS = st.integers(0, 10**6)
CAMPAIGNS = {
    "qa": SEEDS.map(answers),
    "validation": SEEDS.map(decisions),
    "dating": SEEDS.map(partial(hypotheses, "dating")),
    "matching": SEEDS.map(partial(hypotheses, "matching")),
    "qa-graded": SEEDS.map(graded_answers),
    "validation-graded": SEEDS.map(graded_decisions),
}
