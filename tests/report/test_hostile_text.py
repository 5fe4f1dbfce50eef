"""Names, titles, categories, questions and answers that attack their readers: harmless in every
page, whole in data.

One project with hostile text wherever a user may write any, run, reported on, and run again after
an edit.
"""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import polars as pl
import pytest
from browser import opened
from conftest import Project
from markdown_it import MarkdownIt
from nonresponse import legible

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

PDFLATEX = shutil.which("pdflatex")
SCRIPT = "</script><script>document.title=/owned/</script>"
ATTACKS = [
    SCRIPT,
    "<!--<script>",
    "<img src=x onerror=document.title=/owned/>",
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
# What a run may be called: no <, >, |, :, ", *, / and \, and no controls.
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
TITLE = " ".join(ATTACKS) + "t" * 300
ASSESSORS = ["official [x](y) \u202e", "another _one_", "o" * 300]
QUICK = {"analyses": ["stability", "comparison", "agreement", "rankings"], "trials": 5}
QUICK |= {"samples": 100}
FOLDER = f"raw/{SCRIPT.replace('script', 'SCRIPT')}"  # several: its end tags have slashes
FOR_PEOPLE = (".md", ".html", ".tex", ".txt", ".log")


def csv(*columns: list) -> str:
    quoted = [['"' + str(field).replace('"', '""') + '"' for field in own] for own in columns]
    return "".join(",".join(row) + "\r\n" for row in zip(*quoted, strict=True))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Project:
    """All doors, and years; `said` is what the terminal showed."""
    project = Project(tmp_path_factory.mktemp("hostile"))
    asked = ["question", *[f"{number} {attack}" for number, attack in enumerate(ATTACKS)]]
    answers = [f"answer {attack}" for attack in ATTACKS]
    n = len(ATTACKS)

    def put(name: str, *columns: list) -> None:
        project.write(f"{FOLDER}/{name}.csv", csv(*columns))

    for number, run in enumerate(RUNS):
        given = [it if place % (number + 2) else "other" for place, it in enumerate(answers)]
        years = [1801 + 10 * (place % (number + 1)) for place in range(n)]
        put(f"runs/{number}", asked, ["run", *[run] * n], ["answer", *given])
        put(f"years/{number}", asked, ["run", *[run] * n], ["answer", *years])
    for number, assessor in enumerate(ASSESSORS):
        labels = ["R" if place % (number + 3) else "W" for place in range(n)]
        who, twice = ["assessor", *[assessor] * 2 * n], [*asked, *asked[1:]]
        said = ["answer", *answers, *["other"] * n]
        put(f"gold/{number}", who, twice, said, ["label", *labels, *["W"] * n])
    put("gold", asked, ["answer", *[1801 + 5 * year for year in range(n)]])
    put("asked", asked, ["category", *ATTACKS])
    counts = [[name, *range(1, len(RUNS) + 1)] for name in ("n_ac", "n_aw", "n_u")]
    put("counts", ["run", *RUNS], *counts)
    graded = [[run, *["right", "wrong", SCRIPT] * 4] for run in RUNS]
    put("graded", asked, [SCRIPT, *ATTACKS], *graded)

    def tabular(files: str, **more) -> dict:
        return {"format": "tabular", "files": f"{FOLDER}/{files}.csv", **more}

    once, words = {"analyses": []}, {"right": "correct", "wrong": "wrong", SCRIPT: "error"}
    wide = tabular("graded", layout="wide", verdicts=words, columns={"category": SCRIPT})
    judged = {
        "runs": tabular("runs/*", unanswered=[SCRIPT, "\u202e"]),
        "judgments": tabular("gold/*", official=ASSESSORS[0]),
        "questions": f"{FOLDER}/asked.csv",
    }
    dated = {"runs": tabular("years/[0-2]"), "judgments": tabular("gold")}
    counted, common = {"counts": f"{FOLDER}/counts.csv"}, {"task": "qa", "measures": ["c@1"]}
    project.configure(
        QUICK,
        judged=common | judged | {"title": TITLE, "shards": 1, "baseline": LONG},
        dated={"task": "dating", "measures": ["s"], "title": SCRIPT, "shards": 1, **dated}
        | {"reliability": once},
        counted=common | counted | {"title": TITLE},
        wide=common | {"graded": wide, "reliability": once},
    )
    runs = [project.snakemake(), project.snakemake("--report", "report.html")]
    gold = project.folder / FOLDER / "gold/0.csv"
    gold.write_bytes(gold.read_bytes().replace(b'"W"', b'"R"', 2))
    runs.append(project.snakemake("results/judged/changes.md"))
    project.said = "".join(run.stdout + run.stderr for run in runs)
    return project


def texts(project: Project, *endings: str) -> dict[str, str]:
    """What people may open, by path."""
    results = project.folder / "results"
    paths = [path for path in sorted(results.rglob("*")) if path.suffix in endings]
    return {str(path.relative_to(results)): path.read_text(encoding="utf-8") for path in paths}


# Every entry of every category of Snakemake's report, shown one after the other; each is drawn
# before the next one.
SHOW_ALL = """() => {
  const show = (what) => ReactDOM.flushSync(what), seen = {};
  for (const category of Object.keys(categories)) show(() => app.showCategory(category));
  for (const path of Object.keys(results)) {
    show(() => app.showResultInfo(path));
    seen[path] = document.querySelector("#app").innerText;
  }
  return seen;
}"""


def test_no_script_runs_in_the_report_of_snakemake_and_its_data_are_whole(hostile, browser):
    path = hostile.folder / "report.html"
    with opened(browser, path, ready="#app > div") as page:
        seen, rules = page.evaluate(SHOW_ALL), page.evaluate("Object.keys(rules)")
        assert page.title() == "Snakemake Report"
        assert not page.locator("img[onerror], img[src=x]").count()  # others are its logo
    names = ["judged", "dated", "counted", "wide"]
    campaigns = [f"results/{name}/report.html" for name in names]
    # Which open in it; others would be downloads
    assert set(seen) == {*campaigns, "results/report.html"}
    assert {"leaderboard", "summaries"} <= set(rules)
    for shown in campaigns:
        assert f"campaign={shown.split('/')[1]}" in seen[shown]
    # Not only what a browser runs today.
    report = path.read_text(encoding="utf-8")
    assert not [attack for attack in ATTACKS[:3] if attack in report]
    assert not hidden(report) - {"\t"}


class Elements(HTMLParser):
    """The elements of a page: names, and text by element."""

    def __init__(self, page: str):
        super().__init__()
        self.tags, self.cells = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.cells.append([tag, ""])

    def handle_data(self, data):
        if self.cells:
            self.cells[-1][1] += data

    def texts(self, tag: str) -> set[str]:
        return {text.strip() for name, text in self.cells if name == tag}


def hidden(text: str) -> set[str]:
    """The characters of a text that nobody sees, or that turn the direction of others."""
    return {c for c in text if c != "\n" and (not c.isprintable() or legible.UNSEEN.match(c))}


def test_nothing_is_hidden_from_who_reads(hostile):
    pages = texts(hostile, *FOR_PEOPLE)
    assert pages
    assert {path: found for path, text in pages.items() if (found := hidden(text))} == {}
    assert not hidden(hostile.said)
    assert not [path for path in pages if hidden(path)]


def test_names_are_bounded_where_they_are_shown_and_whole_in_the_data(hostile):
    shown = {"terminal": hostile.said, **texts(hostile, *FOR_PEOPLE)}
    # What its script reads, and addresses, are whole.
    for path in (path for path in shown if path.endswith("report.html")):
        shown[path] = re.sub(r'<script.*?</script>| href="[^"]*"', "", shown[path], flags=re.DOTALL)
    assert [place for place, text in shown.items() if "m" * 81 in text or "t" * 201 in text] == []
    results = hostile.folder / "results"
    for campaign in ("judged", "counted", "wide"):
        assert set(pl.read_csv(results / campaign / "leaderboard.csv")["run"]) == set(RUNS)
        assert set(pl.read_parquet(results / campaign / "leaderboard.parquet")["run"]) == set(RUNS)
    categories = set(pl.read_parquet(results / "judged/questions.parquet")["category"])
    assert set(pl.read_csv(results / "judged/categories.csv")["category"]) == categories
    assert set(pl.read_csv(results / "judged/reliability/summaries/rankings.csv")["b"]) >= set(
        ASSESSORS[2:]
    )


def test_markdown_says_the_names_and_has_no_markup_of_theirs(hostile):
    render = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render
    ours = {"h1", "h2", "p", "br", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
    pages = texts(hostile, ".md")
    for path, text in pages.items():
        found = Elements(render(text))
        assert set(found.tags) <= ours, path
    found = Elements(render(pages["judged/leaderboard.md"]))
    assert {legible.short(name) for name in RUNS} <= found.texts("td")
    assert {legible.short(name, 40) for name in ATTACKS} <= found.texts("th")  # categories
    assert legible.short(TITLE, legible.LONGEST_TITLE) in found.texts("h1")
    told = Elements(render(pages["judged/changes.md"])).texts("td")
    assert told & {legible.short(name) for name in RUNS}


FONTS = "textcomp}\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc"


@pytest.mark.skipif(not PDFLATEX, reason="no pdflatex")
@pytest.mark.parametrize("packages", ["booktabs,graphicx", f"booktabs,graphicx,{FONTS}"])
def test_every_table_is_typeset(hostile, tmp_path, packages):
    tables = texts(hostile, ".tex")
    assert tables
    head = f"\\documentclass{{article}}\\usepackage{{{packages}}}\\begin{{document}}"
    whole = "\n".join([head, *tables.values(), "\\end{document}"])
    (tmp_path / "t.tex").write_text(whole, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    assert run.stdout.count(b"Missing character") == 0


def test_doubtful_names_are_told(hostile):
    formulas = "the runs '- one' and '=1+1' begin like formulas"
    alike = r"the runs 'Alpha', 'alpha' and 'alpha\u200b' differ only in capitals"
    check = (hostile.folder / "results/judged/check.txt").read_text().splitlines()
    assert check[0] == f"judged: no faults; {len(RUNS)} runs, {len(RUNS) * len(ATTACKS)} responses"
    for sentence in (formulas, alike, "the category '=1+1' begins like a formula"):
        assert [line for line in check[1:] if line.startswith(f"Warning: {sentence}")]
    summary = (hostile.folder / "results/summary.md").read_text()
    assert set(check[1:]) <= Elements(MarkdownIt().render(summary)).texts("li")
    notes = f"judged: {len(check) - 1} notes on its files (results/judged/check.txt)\n"
    assert notes in hostile.said
