"""The small campaigns that tests/edits.py edits: the texts of their files, and what config.yaml
says of them.

There are few texts of each kind, so that edits often lead to files that some sequence of edits had
before.
"""

import json
import random
from collections.abc import Callable

ANSWERS = {f"q{i}": ["Paris", "Rome", "Oslo"] for i in range(1, 7)}
PAIRS = [(f"q{i}", candidate) for i in range(1, 5) for candidate in ("c1", "c2")]
TEXTS = 5  # of each kind


def write_responses(rng: random.Random) -> str:
    rows = [
        f"{q}\t{rng.choice([*words, ''])}\t{rng.random():.1f}\n"
        for q, words in ANSWERS.items()
        if rng.random() < 0.9
    ]
    return "question\tanswer\tconfidence\n" + "".join(rows)


def write_judgments(rng: random.Random) -> str:
    """Most answers of runs are judged; Madrid is an answer that no run gave."""
    keys = [(q, word) for q, words in ANSWERS.items() for word in words]
    rows = [f"{q}\t{word}\t{rng.choice('RWUX')}\n" for q, word in keys if rng.random() < 0.8]
    return "question\tanswer\tlabel\nq1\tMadrid\tW\n" + "".join(rows)


def write_questions(rng: random.Random) -> str:
    """Some of them are asked and never answered."""
    unanswered = [f"q{i}" for i in range(7, 7 + rng.choice([0, 0, 1, 2]))]
    rows = [
        f"{q}\t{rng.choice([0, 1, 1])}\t{rng.choice(['person', 'place'])}\n"
        for q in [*ANSWERS, *unanswered]
    ]
    return "question\thas_answer\tcategory\n" + "".join(rows)


def write_verdicts(rng: random.Random) -> str:
    return "question,verdict\n" + "".join(f"{q},{rng.choice('ABCD')}\n" for q in ANSWERS)


def write_epochs(rng: random.Random) -> str:
    keys = [(q, epoch) for q in ANSWERS for epoch in (1, 2)]
    rows = [f"{q},{epoch},{rng.choice('ABCD')}\n" for q, epoch in keys if rng.random() < 0.9]
    return "question,epoch,verdict\nq1,3,A\n" + "".join(rows)


def write_decisions(rng: random.Random) -> str:
    words = ["VALIDATED", "REJECTED", "ERR", ""]
    rows = [f"{q}\t{c}\t{rng.choice(words)}\n" for q, c in PAIRS if rng.random() < 0.9]
    return "question\tcandidate\tanswer\nq5\tc1\tREJECTED\n" + "".join(rows)


def write_pairs(rng: random.Random) -> str:
    rows = [f"{q}\t{c}\t{rng.choice(['YES', 'NO', 'UNKNOWN'])}\n" for q, c in PAIRS]
    return "question\tcandidate\tlabel\nq5\tc1\tYES\n" + "".join(rows)


def write_log(rng: random.Random) -> str:
    """A log of Inspect, with a run name that its file will never have."""
    samples = []
    for q, epoch in [(q, epoch) for q in ANSWERS for epoch in (1, 2)]:
        score = {"value": rng.choice("CIPN"), "answer": rng.choice(ANSWERS[q])}
        samples.append({"id": q, "epoch": epoch, "scores": {"match": score}})
    metrics = {"accuracy": {"value": round(rng.random(), 2)}}
    log = {"version": 2, "status": "success"}
    log["eval"] = {"model": f"org/m{rng.randrange(10**9)}", "task": "toy"}
    log["results"] = {"total_samples": 12, "completed_samples": 12}
    log["results"]["scores"] = [{"name": "match", "metrics": metrics}]
    return json.dumps(log | {"samples": samples}, indent=1)


def write_counts(rng: random.Random) -> str:
    rows = [f"r{i}," + ",".join(str(rng.randint(1, 9)) for _ in range(3)) for i in range(3)]
    return "\n".join(["run,n_ac,n_aw,n_u", *rows]) + "\n"


# By kind of campaign: the text of the file of a run, or of counts, and how its name ends.
RUNS: dict[str, tuple[Callable[[random.Random], str], str]] = {
    "judged": (write_responses, "tsv"),
    "assessors": (write_responses, "tsv"),
    "graded": (write_verdicts, "csv"),
    "epochs": (write_epochs, "csv"),
    "validation": (write_decisions, "tsv"),
    "inspect": (write_log, "json"),
    "counts": (write_counts, "csv"),
}
MEASURES = {
    "judged": ["c@1", "accuracy", "uf", "cws", "nil_recall", "mrr"],
    "assessors": ["c@1", "accuracy", "cws"],
    "validation": ["accuracy", "c@1", "error", "precision", "f@0.5"],
} | {kind: ["accuracy", "c@1", "answered"] for kind in ("graded", "epochs", "inspect", "counts")}
NO_ANALYSES: dict = {"analyses": []}
LENIENT = {"correct": ["R", "U"]}  # a scenario, which may not say what its campaign says
CODES = {"A": "correct", "B": "wrong", "C": "unanswered", "D": "unscored"}


def draw(write: Callable[[random.Random], str], number: int) -> str:
    """One of the texts of a kind; the same number gives the same text."""
    return write(random.Random(f"{write.__name__} {number % TEXTS}"))


def kind_of(name: str) -> str:
    """The kind of a campaign: judged of judged, judged-2, ..."""
    return name.partition("-")[0]


def files(name: str) -> dict[str, str]:
    """The files of a campaign before any edit, in a folder of its name."""
    kind = kind_of(name)
    write, ending = RUNS[kind]
    texts = {
        f"{name}/runs/r{number}.{ending}": draw(write, number)
        for number in range(1 if kind == "counts" else 3)
    }
    if kind in ("judged", "assessors"):
        texts[f"{name}/judgments/final.tsv"] = draw(write_judgments, 0)
        texts[f"{name}/questions.tsv"] = draw(write_questions, 0)
    if kind == "assessors":
        texts[f"{name}/judgments/other.tsv"] = draw(write_judgments, 1)
    if kind == "validation":
        texts[f"{name}/judgments/final.tsv"] = draw(write_pairs, 0)
    return texts


def configuration(name: str) -> dict:
    """What config.yaml says of a campaign before any edit."""
    kind = kind_of(name)
    runs = {"format": "inspect" if kind == "inspect" else "tabular", "files": f"{name}/runs/*"}
    judgments = {"format": "tabular", "files": f"{name}/judgments/*.tsv"}
    task = "validation" if kind == "validation" else "qa"
    common = {"task": task, "measures": MEASURES[kind][:1]}
    if kind == "counts":
        return common | {"counts": f"{name}/runs/r0.csv"}
    if kind in ("graded", "epochs"):
        return common | {"graded": runs | {"verdicts": CODES}, "reliability": NO_ANALYSES}
    if kind == "inspect":
        return common | {"graded": runs, "reliability": NO_ANALYSES}
    if kind == "validation":
        parts = {"runs": runs | {"failed": ["ERR"]}, "judgments": judgments}
        return common | parts | {"reliability": NO_ANALYSES}
    common |= {"runs": runs, "judgments": judgments | {"official": "final"}}
    common |= {"questions": f"{name}/questions.tsv"}
    if kind == "assessors":
        return common | {"shards": 2, "reliability": {"analyses": ["agreement"]}}
    ruled = {"runs": runs | {"refusals": {"prefixes": ["ro"]}}, "scenarios": {"lenient": LENIENT}}
    return common | ruled | {"measures": ["c@1", "cws"]}
