"""The small campaigns that tests/edits.py edits: the texts of their files, and what config.yaml
says of them.

There are few texts of each kind, so that edits often lead to files that some sequence of edits had
before.
"""

import json
import random
from itertools import product
from typing import NamedTuple

QUESTIONS = [f"q{number}" for number in range(1, 7)]
ANSWERS = ["Paris", "Rome", "Oslo"]
ANSWERED = [f"{question} {answer}" for question, answer in product(QUESTIONS, ANSWERS)]
PAIRS = [f"q{number} c{candidate}" for number, candidate in product(range(1, 5), (1, 2))]
RANKED = [f"{question} {rank}" for question, rank in product(QUESTIONS, (1, 2))]
EPOCHS = [f"{question} {epoch}" for question, epoch in product(QUESTIONS, (1, 2))]
DIGITS = "123456789"
PHRASES = "phrases.yaml"  # a list of refusals
COPIES = 5  # of each text


class Table(NamedTuple):
    """A random table: a first row that stays, and rows for a share of the keys."""

    columns: str
    keys: list[str]
    choices: list  # the values of each column that is no key
    share: float = 1
    first: str = ""

    def draw(self, rng: random.Random) -> str:
        rows = [
            [*key.split(), *map(rng.choice, self.choices)]
            for key in self.keys
            if rng.random() < self.share
        ]
        rows = [self.columns.split(), self.first.split(), *rows]
        return "".join("\t".join(row) + "\n" for row in rows if row)


TENTHS = [f"0.{digit}" for digit in DIGITS]
YEARS = ["1900", "1901", "1905"]
WORDS = ["VALIDATED", "REJECTED", "ERR", ""]
TABLES = {
    "responses": Table(
        "question answer confidence", QUESTIONS, [[*ANSWERS, "NIL", ""], TENTHS], 0.9
    ),
    "ranks": Table("question rank answer confidence", RANKED, [[*ANSWERS, ""], TENTHS]),
    "verdicts": Table("question verdict", QUESTIONS, ["ABCD"], 0.9),
    "epochs": Table("question epoch verdict", EPOCHS, ["ABCD"], 0.9, first="q1 3 A"),
    "decisions": Table("question candidate answer", PAIRS, [WORDS], 0.9, first="q5 c1 REJECTED"),
    "years": Table("question answer", QUESTIONS, [[*YEARS, ""]], 0.9, first="q7 1900"),
    "references": Table("question answer", QUESTIONS, [YEARS], first="q7 1905"),
    "counts": Table("run n_ac n_aw n_u", ["r0", "r1", "r2"], [DIGITS] * 3),
    # No run gives this answer.
    "judgments": Table("question answer label", ANSWERED, ["RWUX"], 0.8, first="q1 Madrid W"),
    "truth": Table("question candidate label", PAIRS, [["YES", "NO", "UNKNOWN"]], 1, "q5 c1 YES"),
    # One of them is asked and never answered.
    "questions": Table(
        "question has_answer category passage",
        [*QUESTIONS, "q7"],
        ["011", ["person", "place"], "abc"],
    ),
}
# By kind of campaign: the texts of the files of its runs, or of its counts
RUNS = {"judged": "responses", "assessors": "ranks", "graded": "verdicts", "epochs": "epochs"}
RUNS |= {"validation": "decisions", "dating": "years", "inspect": "log", "counts": "counts"}
# The others: which copy they are of the text of their folder's name
MORE_FILES = {"judged": {"judgments/final.tsv": 0, "questions.tsv": 0}}
MORE_FILES["assessors"] = MORE_FILES["judged"] | {"judgments/other.tsv": 1}
MORE_FILES["judged"] |= {PHRASES: 0}
MORE_FILES["dating"] = {"references/final.tsv": 0}
MORE_FILES["validation"] = {"truth/final.tsv": 0}
MEASURES = {
    "judged": ["c@1", "accuracy", "uf", "cws", "nil_recall", "mrr"],
    "assessors": ["mrr", "map", "c@1", "cws"],
    "validation": ["accuracy", "c@1", "error", "precision", "f@0.5"],
    "dating": ["s", "s_c", "accuracy"],
} | {kind: ["accuracy", "c@1", "answered"] for kind in ("graded", "epochs", "inspect", "counts")}
LENIENT = {"correct": ["R", "U"]}  # a scenario, which may not say what its campaign says
CODES = {"A": "correct", "B": "wrong", "C": "unanswered", "D": "unscored"}


def write_log(rng: random.Random) -> str:
    """A log of Inspect, with a run name that its file will never have."""
    samples = []
    for question, epoch in product(QUESTIONS, (1, 2)):
        score = {"value": rng.choice("CIPN"), "answer": rng.choice(ANSWERS)}
        samples.append({"id": question, "epoch": epoch, "scores": {"match": score}})
    metrics = {"accuracy": {"value": round(rng.random(), 2)}}
    log = {"version": 2, "status": "success", "samples": samples}
    log["eval"] = {"model": f"org/m{rng.randrange(10**9)}", "task": "toy"}
    log["results"] = {"total_samples": 12, "completed_samples": 12}
    log["results"]["scores"] = [{"name": "match", "metrics": metrics}]
    return json.dumps(log, indent=1)


def draw(text: str, number: int) -> str:
    """One of the copies of a text; the same number gives the same copy."""
    rng = random.Random(f"{text} {number % COPIES}")
    if text == PHRASES:
        return f"prefixes: {rng.sample(['pa', 'ro', 'os'], 2)}\n"
    return write_log(rng) if text == "log" else TABLES[text].draw(rng)


def find_text(path: str) -> str:
    """The text that a file has, by its path from the working folder."""
    name, part, *_ = path.split("/")
    return RUNS[name] if part == "runs" else part.removesuffix(".tsv")


def files(kind: str) -> dict[str, str]:
    """The files of a campaign before any edit, in a folder of its name, which is its kind."""
    end, runs = "json" if kind == "inspect" else "tsv", range(1 if kind == "counts" else 3)
    numbers = {f"runs/r{number}.{end}": number for number in runs} | MORE_FILES.get(kind, {})
    paths = {f"{kind}/{path}": number for path, number in numbers.items()}
    return {path: draw(find_text(path), number) for path, number in paths.items()}


def configuration(kind: str) -> dict:
    """What config.yaml says of a campaign before any edit."""
    runs = {"format": "inspect" if kind == "inspect" else "tabular", "files": f"{kind}/runs/*"}
    task = kind if kind in ("validation", "dating") else "qa"
    block = {"task": task, "measures": MEASURES[kind][:1]}
    if kind == "counts":
        return block | {"counts": f"{kind}/runs/r0.tsv"}
    if kind == "assessors":
        block |= {"shards": 2, "reliability": {"analyses": ["agreement"]}}
    elif kind == "judged":  # with the analyses of config.yaml
        block |= {"scenarios": {"lenient": LENIENT}, "measures": ["c@1", "cws"]}
        runs |= {"refusals": {"lists": [f"{kind}/{PHRASES}"]}, "nil": ["NIL"]}
    elif kind != "dating":
        block["reliability"] = {"analyses": []}
    if kind in ("graded", "epochs", "inspect"):
        return block | {"graded": runs | ({} if kind == "inspect" else {"verdicts": CODES})}
    if kind == "validation":
        truth = {"format": "tabular", "files": f"{kind}/truth/*"}
        return block | {"runs": runs | {"failed": ["ERR"]}, "judgments": truth}
    if kind == "dating":
        judgments = {"format": "tabular", "files": f"{kind}/references/*"}
        return block | {"runs": runs, "judgments": judgments}
    official = ["majority", "final"] if kind == "assessors" else "final"
    judgments = {"format": "tabular", "files": f"{kind}/judgments/*", "official": official}
    return block | {"runs": runs, "judgments": judgments, "questions": f"{kind}/questions.tsv"}
