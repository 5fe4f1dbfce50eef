"""answers.csv and questions.csv of the shares that LiveCodeBench publishes: python table.py
performances.json answers.csv questions.csv

Each share is of ten samples, which become ten epochs. A problem has several tests to predict, which
are its questions; they have no names, and are numbered.
"""

import csv
import json
import sys
from collections import Counter
from pathlib import Path

SAMPLES = 10
performances, answers, questions = map(Path, sys.argv[1:])
seen: Counter[tuple[str, str]] = Counter()
problems: dict[str, str] = {}
with answers.open("w", encoding="utf-8", newline="") as opened:
    table = csv.writer(opened, lineterminator="\n")
    table.writerow(["run", "question", "epoch", "verdict"])
    for one in json.loads(performances.read_text(encoding="utf-8"))["performances"]:
        problem, model = str(one["question_id"]), one["model"]
        seen[problem, model] += 1
        question = f"{problem}-{seen[problem, model]}"
        problems[question] = problem
        right = round(one["pass@1"] / 100 * SAMPLES)
        for epoch in range(1, SAMPLES + 1):
            verdict = "correct" if epoch <= right else "wrong"
            table.writerow([model, question, epoch, verdict])
with questions.open("w", encoding="utf-8", newline="") as opened:
    table = csv.writer(opened, lineterminator="\n")
    table.writerow(["question", "problem"])
    table.writerows(sorted(problems.items()))
