"""The small campaigns that tests/edits.py edits: their files, drawn at random, and what config.yaml says of them."""

import json
import random
from collections.abc import Callable

ANSWERS = {f"q{i}": ["Paris", "Rome", "Oslo"] for i in range(1, 7)}
PAIRS = [(f"q{i}", candidate) for i in range(1, 5) for candidate in ("c1", "c2")]
NONE = {"analyses": []}


# The texts of the files.
def responses(rng: random.Random) -> str:
    rows = [[q, rng.choice([*words, ""]), f"{rng.random():.1f}"] for q, words in ANSWERS.items() if rng.random() < 0.9]
    return "question\tanswer\tconfidence\n" + "".join("\t".join(row) + "\n" for row in rows)


def labelled(rng: random.Random) -> str:
    rows = [[q, word, rng.choice("RWUX")] for q, words in ANSWERS.items() for word in words if rng.random() < 0.8]
    return "question\tanswer\tlabel\nq1\tMadrid\tW\n" + "".join("\t".join(row) + "\n" for row in rows)


def asked(rng: random.Random) -> str:
    more = [f"q{i}" for i in range(7, 7 + rng.choice([0, 0, 1, 2]))]  # that nobody answers
    rows = [f"{q}\t{rng.choice([0, 1, 1])}\t{rng.choice(['person', 'place'])}\n" for q in [*ANSWERS, *more]]
    return "question\thas_answer\tcategory\n" + "".join(rows)


def verdicts(rng: random.Random) -> str:
    return "question\tverdict\n" + "".join(f"{q}\t{rng.choice('ABCD')}\n" for q in ANSWERS)


def repeated(rng: random.Random) -> str:
    rows = [f"{q}\t{epoch}\t{rng.choice('ABCD')}\n" for q in ANSWERS for epoch in (1, 2) if rng.random() < 0.9]
    return "question\tepoch\tverdict\nq1\t3\tA\n" + "".join(rows)


def decisions(rng: random.Random) -> str:
    words = ["VALIDATED", "REJECTED", "ERR", ""]
    rows = [f"{q}\t{c}\t{rng.choice(words)}\n" for q, c in PAIRS if rng.random() < 0.9]
    return "question\tcandidate\tanswer\nq5\tc1\tREJECTED\n" + "".join(rows)


def truth(rng: random.Random) -> str:
    rows = [f"{q}\t{c}\t{rng.choice(['YES', 'NO', 'UNKNOWN'])}\n" for q, c in PAIRS]
    return "question\tcandidate\tlabel\nq5\tc1\tYES\n" + "".join(rows)


def log(rng: random.Random) -> str:
    """A log of Inspect, with a run name that its file will never have."""
    samples = [
        {"id": q, "epoch": epoch, "scores": {"match": {"value": rng.choice("CIPN"), "answer": rng.choice(words)}}}
        for q, words in ANSWERS.items()
        for epoch in (1, 2)
    ]
    metrics = {"accuracy": {"value": round(rng.random(), 2)}}
    head = {"version": 2, "status": "success", "eval": {"model": f"org/m{rng.randrange(10**9)}", "task": "toy"}}
    results = {"total_samples": 12, "completed_samples": 12, "scores": [{"name": "match", "metrics": metrics}]}
    return json.dumps(head | {"results": results, "samples": samples}, indent=1)


def table(rng: random.Random) -> str:
    return "run,n_ac,n_aw,n_u\n" + "".join(
        f"r{i},{','.join(str(rng.randint(1, 9)) for _ in range(3))}\n" for i in range(3)
    )


# The doors: a campaign with its files. Files of each run are in a folder of their own.
def runs(study, name: str) -> None:
    for run in ("r0", "r1", "r2"):
        study.write(f"{name}/runs/{run}.tsv", responses(study.random))
    study.write(f"{name}/judgments/final.tsv", labelled(study.random))
    study.write(f"{name}/questions.tsv", asked(study.random))
    study.campaigns[name] = {
        "task": "qa",
        "runs": {"format": "tabular", "files": f"{name}/runs/*.tsv"},
        "judgments": {"format": "tabular", "files": f"{name}/judgments/*.tsv", "official": "final"},
        "questions": f"{name}/questions.tsv",
        "measures": ["c@1", "cws"],
        "shards": 2,
    }


def graded(study, name: str) -> None:
    for run in ("r0", "r1"):
        study.write(f"{name}/graded/{run}.tsv", verdicts(study.random))
    words = {"A": "correct", "B": "wrong", "C": "unanswered", "D": "unscored"}
    files = {"format": "tabular", "files": f"{name}/graded/*.tsv", "verdicts": words}
    study.campaigns[name] = {"task": "qa", "graded": files, "measures": ["accuracy"], "reliability": NONE}


def epochs(study, name: str) -> None:
    graded(study, name)
    for run in ("r0", "r1"):
        study.write(f"{name}/epochs/{run}.tsv", repeated(study.random))
    study.campaigns[name]["graded"]["files"] = f"{name}/epochs/*.tsv"


def validation(study, name: str) -> None:
    for run in ("r0", "r1"):
        study.write(f"{name}/validation/{run}.tsv", decisions(study.random))
    study.write(f"{name}/gold/final.tsv", truth(study.random))
    study.campaigns[name] = {
        "task": "validation",
        "runs": {"format": "tabular", "files": f"{name}/validation/*.tsv", "failed": ["ERR"]},
        "judgments": {"format": "tabular", "files": f"{name}/gold/*.tsv"},
        "measures": ["accuracy"],
        "reliability": NONE,
    }


def logs(study, name: str) -> None:
    for run in ("r0", "r1"):
        study.write(f"{name}/logs/{run}.json", log(study.random))
    part = {"format": "inspect", "files": f"{name}/logs/*.json"}
    study.campaigns[name] = {"task": "qa", "graded": part, "measures": ["accuracy"], "reliability": NONE}


def counts(study, name: str) -> None:
    study.write(f"{name}/counts/table.csv", table(study.random))
    study.campaigns[name] = {"task": "qa", "counts": f"{name}/counts/table.csv", "measures": ["c@1"]}


# By the folder of the files of its runs: how a campaign is made, and the text of such a file.
DOORS: dict[str, Callable] = {
    "runs": runs,
    "graded": graded,
    "epochs": epochs,
    "validation": validation,
    "logs": logs,
    "counts": counts,
}
TEXTS = {
    "runs": responses,
    "graded": verdicts,
    "epochs": repeated,
    "validation": decisions,
    "logs": log,
    "counts": table,
}
