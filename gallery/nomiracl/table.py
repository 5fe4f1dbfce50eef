"""answers.csv of the responses that NoMIRACL publishes: python table.py relevant.jsonl
non_relevant.jsonl answers.csv

The prompt asks for one of two sentences, and the paper's rule tells which one a response contains.
A response with neither or both is unscored.
"""

import csv
import json
import re
import sys
from pathlib import Path

YES, UNKNOWN = "yes, answer is present", "i don't know"
ALSO_YES, ALSO_UNKNOWN = "answer is present", "answer is not present"
REFERENCE = re.compile(r"\[\d+\]")  # to a passage; enough of an answer where little else is said
SHORT = 10  # characters


def read_decision(response: str) -> str:
    """Return yes or unknown, and nothing if the response does not decide."""
    text = re.sub(r"[\n\t]", " ", response).lower()
    if YES in text and UNKNOWN in text:
        return ""
    if UNKNOWN in text:
        return "unknown"
    if ALSO_YES in text:
        return "yes"
    if ALSO_UNKNOWN in text:
        return "unknown"
    return "yes" if REFERENCE.search(text) and len(text) < SHORT else ""


def grade(decision: str, has_answer: str) -> str:
    """Return the verdict on a decision."""
    if decision == "yes":
        return "correct" if has_answer == "yes" else "wrong"
    return "unanswered" if decision else "unscored"


relevant, non_relevant, answers = map(Path, sys.argv[1:])
with answers.open("w", encoding="utf-8", newline="") as opened:
    table = csv.writer(opened, lineterminator="\n")
    table.writerow(["run", "question", "has_answer", "passages", "verdict", "asked", "answer"])
    for path, has_answer, passages in (
        (relevant, "yes", "relevant"),
        (non_relevant, "no", "not relevant"),
    ):
        for line in path.open(encoding="utf-8"):
            record = json.loads(line)
            asked = record["prompt"].split("QUESTION:\n")[1].split("\n\nCONTEXTS:")[0]
            for model, response in record["results"].items():
                verdict = grade(read_decision(response), has_answer)
                about = [has_answer, passages, verdict, asked, response]
                table.writerow([model, record["query_id"], *about])
