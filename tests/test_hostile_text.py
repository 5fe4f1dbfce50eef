"""Names, titles, categories, questions and answers that attack whoever reads them: in every page, whole in the data.

One project with hostile text wherever a user may write any, run twice, so that there are changes to tell of.
"""

import html
import json
import re
import shutil
import subprocess
import unicodedata
from xml.etree import ElementTree

import polars as pl
import pytest
import yaml
from conftest import Project
from markdown_it import MarkdownIt
from nonresponse import legible

CHROMIUM = shutil.which("chromium")
SCRIPT = """<script>document.title="owned"</script>"""
ATTACKS = [
    SCRIPT,
    "</script><!--<script>",
    """<img src=x onerror='document.title="owned"'>""",
    "]]> {{ 7 * 7 }} {% raw %} `id` $(id)",
    "![x](y) [x](y) <http://x.org> http://x.org www.x.org",
    "_x_ *x* __x__ **x** ~~x~~ `x` a|b \\| \\",
    "&lt;b&gt; &amp; &#65; <b>",
    r"\input{x} $a_b^c$ 50% #1 ~ {}",
    "left\u202eright \u2066 \u200b \ufeff \U000e0041 \u3164 \x1b[31m \x07",
    "# one\n\n- two\r\n\r\n1. three\n---\n===",
    "\u4e2d\u6587 \u05d0\u05d1 \u043d\u0430\u0448 \U0001f600 x\u0301 e\u0301 \u00f1 \u0142",
    "=1+1",
]
# What a run may be called: a part of the attacks without <, >, |, :, ", *, / and \, and controls.
RUNS = [
    "![x](y) _x_ `x` ~~x~~ [x](y) &lt;b",
    "left\u202eright \u2066\u200b\ufeff\U000e0041\u3164",
    "$a_b^c$ 50% #1 ~ {} -- '' ,, & www.x.org",
    "\u4e2d\u6587 \u05d0\u05d1 \u043d\u0430\u0448 \U0001f600 x\u0301 \u00f1\u0142",
    "=1+1",
    "- one",
    "[0.5] 1",
    "Alpha",
    "alpha",
    "alpha\u200b",
    "n" * 150 + "m" * 150,
]
LONG = RUNS[-1]
QUICK = {"trials": 5, "size_trials": 1, "samples": 100, "exchanges": 100, "deals": 100}
FOLDER = f"raw/{SCRIPT.replace('script', 'SCRIPT')}"  # two folders: the end tag has a slash
JUDGED = ["official [x](y) \u202e", "another _one_", "o" * 300]


def csv(*columns: list) -> str:
    rows = zip(*columns, strict=True)
    return "".join(",".join('"' + str(field).replace('"', '""') + '"' for field in row) + "\r\n" for row in rows)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Project:
    """All doors, with hostile text; run, a judgment changed, run again. `said` is what the terminal showed."""
    project = Project(tmp_path_factory.mktemp("hostile"))
    asked = [f"{number} {attack}" for number, attack in enumerate(ATTACKS)]
    answers = [f"answer {attack}" for attack in ATTACKS]
    for number, run in enumerate(RUNS):
        given = [answer if place % (number + 2) else "other" for place, answer in enumerate(answers)]
        project.write(f"{FOLDER}/runs/{number}.csv", csv(["question", *asked], ["run", *[run] * 12], ["answer", *given]))
        years = [1801 + 10 * (place % (number + 1)) for place in range(12)]
        dated = csv(["question", *asked], ["run", *[run] * 12], ["answer", *years])
        project.write(f"{FOLDER}/years/{number}.csv", dated)
    for number, assessor in enumerate(JUDGED):
        labels = ["R" if place % (number + 3) else "W" for place in range(12)]
        columns = [["assessor", *[assessor] * 24], ["question", *asked * 2], ["answer", *answers, *["other"] * 12]]
        project.write(f"{FOLDER}/gold/{number}.csv", csv(*columns, ["label", *labels, *["W"] * 12]))
    project.write(f"{FOLDER}/gold.csv", csv(["question", *asked], ["answer", *[1801 + 5 * n for n in range(12)]]))
    project.write(f"{FOLDER}/asked.csv", csv(["question", *asked], ["category", *ATTACKS]))
    project.write(f"{FOLDER}/counts.csv", csv(["run", *RUNS], *[[n, *range(11)] for n in ("n_ac", "n_aw", "n_u")]))
    graded = [[run, *["right" if (place + n) % 3 else "wrong" for place in range(12)]] for n, run in enumerate(RUNS)]
    project.write(f"{FOLDER}/graded.csv", csv(["question", *asked], ["category", *ATTACKS], *graded))
    title = " ".join(ATTACKS) + LONG
    words = {"right": "correct", "wrong": "wrong", SCRIPT: "error"}
    wide = {"format": "tabular", "layout": "wide", "files": f"{FOLDER}/graded.csv", "verdicts": words}
    wide["columns"] = {"category": "category"}
    tabular = {"format": "tabular", "unanswered": [SCRIPT, "\u202e"]}
    project.configure(
        QUICK,
        judged={
            "task": "qa",
            "title": title,
            "runs": tabular | {"files": f"{FOLDER}/runs/*.csv"},
            "judgments": {"format": "tabular", "files": f"{FOLDER}/gold/*.csv", "official": JUDGED[0]},
            "questions": f"{FOLDER}/asked.csv",
            "measures": ["c@1", "accuracy"],
            "baseline": LONG,
        },
        dated={
            "task": "dating",
            "title": SCRIPT,
            "runs": {"format": "tabular", "files": f"{FOLDER}/years/*.csv"},
            "judgments": {"format": "tabular", "files": f"{FOLDER}/gold.csv", "official": "gold"},
            "measures": ["s"],
            "reliability": {"analyses": []},
        },
        counted={"task": "qa", "title": title, "counts": f"{FOLDER}/counts.csv", "measures": ["c@1"]},
        wide={"task": "qa", "graded": wide, "measures": ["c@1"], "baseline": RUNS[0], "reliability": {"analyses": []}},
    )
    first = project.snakemake()
    gold = project.folder / FOLDER / "gold/0.csv"
    gold.write_bytes(gold.read_bytes().replace(b'"W"', b'"R"', 2))
    second = project.snakemake()
    project.snakemake("--report", "report.html")
    project.said = "".join([first.stdout, first.stderr, second.stdout, second.stderr])
    return project


def test_it(hostile):
    print(hostile.folder)
    print(hostile.said)
    assert 0
