"""What the report reads of a campaign, made of a few verdicts by the project's own stages; and what
a page has: its elements without JavaScript, and its packed data.
"""

import gzip
import json
import subprocess
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pipeline
import polars as pl
from nonresponse import campaign as config
from nonresponse import tables, tasks
from nonresponse.front import local
from nonresponse.report import model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section
from nonresponse.workflow import campaigns, paths
from reading import write_rows

SETTINGS = {
    "analyses": [],
    "views": [],
    "files": [["raw/runs.tsv", "0" * 64]],
    "responses": [],
    "texts": [],
    "pages": ["leaderboard"],
    "source": "graded",
    "level": 0.05,
    "seed": 2011,
    "policy": tasks.POLICIES,
    "configuration": {},
}

SCRIPT = "</script><script>document.title='owned'</script>"
NAMES = [
    "<img src=x onerror=document.title='owned'>",
    "<!--<script>",
    "=HYPERLINK(1)",
    "-1+1",
    "@x_{1} $5 | ~~b~~ [l](x) www.evil.org",
    "left\u202eright",
    "line\u2028end",
    "{{ 7 * 7 }}",
    "a'b(c)#d%41",
    "org/model:7b",
    "\U0001f600 beyond",
    "Alpha",
    "alpha",
    "n" * 150 + "m" * 150,
]
QUESTIONS = [*[f"{number:03}" for number in range(47)], NAMES[0], SCRIPT, "org/model:7b"]
MEASURES = ["c@1", "accuracy", "answered"]


def make_campaign(
    folder: Path, rows: list[dict], task: str = "qa", policy: dict | None = None, **settings
) -> Campaign:
    """Make a campaign of graded responses, with verdicts, counts and a leaderboard by name."""
    responses = pl.DataFrame(
        [{"assessor": "official", "candidate": "", **row} for row in rows], infer_schema_length=None
    )
    tables.write(
        tables.complete(responses, tables.GRADED).sort(tables.GRADED_KEY),
        folder / "graded/0.parquet",
    )
    campaign = pipeline.Campaign(folder, task, policy)
    campaign.write_questions([])
    sources = {"questions": [folder / "questions.parquet"]}
    campaign.judge(sources, "graded_responses", [folder / "graded/0.parquet"], {})
    board = pl.DataFrame({"run": sorted(campaign.counts["run"])}).with_columns(
        trivial=pl.lit(False)
    )
    if not (folder / "leaderboard.parquet").exists():
        board.write_parquet(folder / "leaderboard.parquet")
    settings = {"policy": campaign.policy, "measures": ["c@1"]} | settings
    return Campaign("camp", task, folder, SETTINGS | settings)


def evaluate(
    folder: Path, rows: list[dict], measures: list[str], name: str = "camp", **options
) -> Path:
    """Evaluate graded responses in a CSV up to their part of the report; return the results."""
    path = write_rows(folder / f"{name}.csv", rows)
    texts = {column: column for column in ("answer", "target") if column in rows[0]}
    graded = {"format": "tabular", "files": path, "columns": texts} | options.pop("graded", {})
    block = {"task": "qa", "graded": graded, "measures": measures}
    complete = config.check_config(
        {"campaigns": {name: block | options}, "reliability": {"analyses": ["comparison"]}}
    )
    campaign = campaigns.Campaign(name, complete["campaigns"][name], results=str(folder))
    local.evaluate(campaign)
    results = Path(campaign.folder)
    model.write_sections(
        {"": Section("", ["These are the first results."])}, results / "changes.json"
    )
    raw_files = [["raw/runs.tsv", "0" * 64]]
    files = [Path(file) for file in [*paths.responses(campaign), *paths.texts(campaign)]]
    local.call("report_part", campaign, files=files, pages=["leaderboard"], raw_files=raw_files)
    return results


def make_hostile_rows() -> list[dict]:
    """Return graded responses that differ between the runs, but for the first and the last two."""
    rows = []
    for number, run in enumerate(NAMES):
        for index, question in enumerate(QUESTIONS):
            lot = (index * 7 + max(number, 1) * index * index + 3 * max(number, 1)) % 10
            verdict = "correct" if lot < 5 + number % 3 else "wrong" if lot < 8 else "unanswered"
            answer = "" if verdict == "unanswered" else f"{SCRIPT} {index % 4}"
            rows.append(
                {"run": run, "question": question, "verdict": verdict, "answer": answer}
                | {"category": NAMES[index % 3]}
            )
    return rows


def evaluate_hostile(folder: Path) -> Path:
    """Evaluate a campaign whose title, runs, questions, categories and answers are hostile."""
    return evaluate(folder, make_hostile_rows(), MEASURES, title=SCRIPT)


def unpack(piece: str) -> Any:
    """Unpack what a script of the page draws from; nothing of an empty text."""
    return json.loads(gzip.decompress(b64decode(piece))) if piece else {}


def read_part(folder: Path) -> dict:
    """A campaign's part of the report with what is packed in it, the texts among the questions."""
    content = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    packed, texts = (unpack(content.pop(name)) for name in ("packed", "texts"))
    data = {**content, **packed}
    if data["questions"]:
        data["questions"] |= texts
    return data


class Elements(HTMLParser):
    """The elements of a page and its texts."""

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data):
        self.texts.append(data.strip())


def typeset(latex: str, folder: Path, packages: str, options: str = "") -> str:
    """Typeset the body of an article, which has to know every character; return what is said."""
    fonts = "\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}"
    head = f"\\documentclass[{options}]{{article}}\\usepackage{{{packages}}}{fonts}"
    text = f"{head}\\begin{{document}}\n{latex}\\end{{document}}\n"
    (folder / "page.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    output = run.stdout.decode(errors="replace")
    assert run.returncode == 0 and "Missing character" not in output, output[-2000:]
    return output
