"""Each recipe of CONTRIBUTING.md but “Add a task” is carried out in a copy of the project, which
then evaluates small campaigns.

All of them in one copy: it is tested and evaluated once. A recipe may edit the files that it names,
and no others; of a folder that it names it may make new ones.
"""

import compileall
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

import polars as pl
import pytest
import reports
from conftest import HOME, Project, clone
from nonresponse.statistics.subsets import stream

SECTIONS = dict(
    re.findall(
        r"^## (.*)\n((?:(?!## ).*\n)*)", (HOME / "CONTRIBUTING.md").read_text(), re.MULTILINE
    )
)
[MEASURE] = re.findall(
    r"^   ```python\n(.*?)   ```", SECTIONS["Add a measure"], re.MULTILINE | re.DOTALL
)
MEASURE = MEASURE.replace("\n   ", "\n").strip()
# By recipe: a file, and the lines that are added to its end, or before or within words in it
RECIPES = r'''
######## Add a measure
=== src/nonresponse/measures/question_answering.py
{MEASURE}
=== tests/measures/test_measures.py before     "uf_half": lambda
    "wrong": lambda t: mean((0, t.n_ac), (1, t.n_aw), (0, t.n_u)),
=== tests/measures/test_measures.py within romip_error hallucination_rate
wrong
=== tests/campaign/test_own_measures.py within ]\nNIL =
, "wrong"
######## Add a format
=== src/nonresponse/formats/long_arrows.py
"""`format: long-arrows`: lines of `question -> answer`, and judgments, `question label answer` (docs/formats.md)."""

from nonresponse import tables
from nonresponse.faults import Fault
from nonresponse.formats import fields


def read_runs(file, options):
    """A response per line; one without an answer is not answered."""
    lines, faults = fields.read_fields(file, options)
    faults += [Fault(file, line, "no arrow", "question -> answer") for line, words in lines if words[1:2] != ["->"]]
    rows = [(line, words[0], " ".join(words[2:]) or None, len(words) > 2) for line, words in lines]
    return fields.make_frame(rows, ["question", "answer", "answered"], tables.RESPONSES), faults


def read_judgments(file, options):
    """A judged answer per line."""
    lines, faults = fields.read_fields(file, options)
    faults += [Fault(file, line, f"{len(words)} fields", "three") for line, words in lines if len(words) < 3]
    rows = [(line, *words[:2], " ".join(words[2:])) for line, words in lines if len(words) > 2]
    return fields.make_frame(rows, ["question", "label", "answer"], tables.JUDGMENTS), faults
=== src/nonresponse/formats/__init__.py before         Format(\n            "trec-qa"
        Format(
            "long-arrows",
            tasks=("qa",),
            signs=(
                Sign("", r"\S+ ->.*", "runs", reason="its lines have an arrow behind a question"),
                Sign("", r"\S+ [RWUX] .*", "judgments", reason="its lines have a label behind a question"),
            ),
        ),
=== tests/format_samples.py before     "trec-qa": (
    "long-arrows": (
        "qa",
        ("run.txt", "q1 -> Paris\nq2 -> New York\nq3 ->\n"),
        ("final.txt", "q1 R Paris\nq2 W New York\nq2 R Oslo\nq3 R Rome\n"),
    ),
=== tests/formats/test_long_arrows.py
from reading import judgments, locate_faults, runs, write


def test_a_line_without_an_arrow_or_a_label_is_a_fault(tmp_path):
    file = write(tmp_path, "a.txt", "q1 -> a\nq2 b\n")
    assert locate_faults(runs("long-arrows", file)[1]) == [(2, "no arrow")]
    assert locate_faults(judgments("long-arrows", write(tmp_path, "b.txt", "q1 R a\nq2 b\n"))[1]) == [(2, "2 fields")]
=== docs/formats.md before | [trec-qa](
| [long-arrows](shared-tasks.md#long-arrows) | qa | lines of text |
=== docs/shared-tasks.md before ## trec-qa\n
## long-arrows

Lines of `question -> answer`, without an answer where the run gave none; judgments are `question label answer`.
######## Add the log of a harness
=== src/nonresponse/formats/short_log.py
"""`format: short-log`: objects with model, id and verdict, .jsonl."""

from nonresponse.formats.declared import Sign, Spec

SPEC = Spec(
    "short-log",
    "a line with model, id, and the verdict correct or wrong",
    (),
    limitation="nothing marks abstention",
    signs=(Sign(".jsonl", "model id verdict", exact=True),),
    run=("model",),
    scores="",
    option="",
    value="verdict",
    words={"correct": "correct", "wrong": "wrong"},
)
=== src/nonresponse/formats/__init__.py before     "simple_evals",\n
    "short_log",
=== tests/log_samples.py before     "lighteval": LogSample(
    "short-log": LogSample(
        {"log.jsonl": lines(*({"model": "org/model", "id": id, "verdict": id} for id in ("correct", "wrong")))},
        "log.jsonl",
        {("org/model", "correct"): "correct", ("org/model", "wrong"): "wrong"},
        outcome="cannot be reconciled",
    ),
=== docs/logs.md before ## lighteval\n
## short-log

<!-- record short-log -->
<!-- end -->
######## Add an analysis
=== src/nonresponse/statistics/analyses.py before         Analysis(\n            "candidates"
        Analysis("unanimity", Trials(("unanimity",), ("seed", "draws")), Summary(("unanimity",))),
=== src/nonresponse/statistics/unanimity.py
"""On how many questions, drawn at random, all runs have the same score."""

import numpy as np
import polars as pl

from nonresponse.statistics.outcomes import score_weighted
from nonresponse.statistics.subsets import stream


def make(outcomes, assessor, campaign, settings, cache=None):
    """How many questions were drawn, and on how many of them the runs score alike."""
    trials = range(settings["draws"])
    questions = [stream(settings["seed"], campaign, "unanimity", trial).integers(outcomes.n) for trial in trials]
    scores = score_weighted(outcomes, np.eye(outcomes.n, dtype=np.float32)[np.array(questions, int)])
    unanimous = (scores == scores[:, :1]).all(axis=1).sum()
    return [pl.DataFrame({"questions": [len(questions)], "unanimous": [int(unanimous)]})]


def summarise(inputs, task, settings):
    """A row per measure."""
    tables = inputs.tables("unanimity").items()
    return [pl.concat(table.select(pl.lit(id).alias("measure"), pl.all()) for id, table in tables)]
=== src/nonresponse/report/sections/unanimity.py
"""Unanimity on the page."""

from nonresponse.report.model import Section, tabulate


def make_section(campaign):
    """One sentence, and the table."""
    table = campaign.read_summary("unanimity")
    _, questions, unanimous = table.row(0)
    sentence = f"On {unanimous} of {questions} questions drawn all runs score alike."
    return Section("Unanimity", [sentence], "reliability", tables=[tabulate("Questions.", table, csv="unanimity")])
=== src/nonresponse/campaign/models.py before     samples:
    draws: int = option("unanimity: questions drawn", default=50, ge=1)
=== config.yaml before   samples:
  draws: 50                                 # of unanimity
=== tests/statistics/test_oracles.py before NORMAL =
SETTINGS |= {"draws": 12}
=== tests/statistics/test_oracles.py before ORACLES = {oracle
def unanimity(folder):
    seen, score = campaign(measures.get("qa", "accuracy"), 3)
    questions = [stream(1, "c", "unanimity", trial).integers(seen.n) for trial in range(12)]
    unanimous = sum(len({score(run, [question]) for run in range(6)}) == 1 for question in questions)
    row = {"questions": 12, "unanimous": unanimous}
    rows = {"unanimity": [row], "unanimity.csv": [{"measure": "accuracy", **row}]}
    return make_trials(folder, "unanimity", seen), lambda tables: rows
TRIALS += [unanimity]
=== docs/reliability.md before | how much a run owes to
| which questions tell no runs apart | [unanimity](#unanimity) | `reliability/summaries/unanimity.csv` |
=== docs/reliability.md
## Unanimity

On how many questions all runs score alike; not why.
######## Add a page
=== src/nonresponse/workflow/paths.py before     "imports": Page(("imports.csv"
    "turnout": Page(("turnout.json",), lambda campaign: campaign.imported),
=== src/nonresponse/stages/__init__.py before     **dict.fromkeys(("systems", "gates"
    "turnout": "pages",
=== src/nonresponse/stages/pages.py
def turnout(counts: Path, *, out: list[Path], params: PageParams) -> None:
    """Say how many runs took part."""
    write_page("turnout", out, params, counts)
=== workflow/rules/pages.smk
use rule reliability as turnout with:
    """How many runs took part."""
    input:
        counts="results/{campaign}/counts.parquet",
    output:
        out=page_files("turnout"),
    log:
        "results/logs/{campaign}/turnout.log",
    params:
        **call_stage("turnout"),
=== src/nonresponse/report/sections/turnout.py
"""How many runs took part."""

import polars as pl

from nonresponse.report import model


def make(campaign, counts):
    """turnout.json, from the counts."""
    sentence = f"{pl.read_parquet(counts)['run'].n_unique()} runs took part."
    model.write_sections({"turnout": model.Section("Turnout", [sentence], "data")}, campaign.folder / "turnout.json")
=== src/nonresponse/report/part.py before     "imports": ["imports.json"],
    "turnout": ["turnout.json"],
'''
ADDITIONS = {
    recipe: re.findall(
        r"^=== (\S+)(?: (before|within) (.*))?\n((?:(?!=== ).*\n?)*)", additions, re.MULTILINE
    )
    for recipe, additions in re.findall(
        r"^#{8} (.*)\n((?:(?!#{8} ).*\n)*)", RECIPES.replace("{MEASURE}", MEASURE), re.MULTILINE
    )
}

# Of the tests that recipes name, those that fail where a place is left out, and cost little
KEYWORDS = "every or current or source_says or arrows or short-log or (oracle and unanimity)"
CAMPAIGNS = {
    "read": {
        "task": "qa",
        "runs": {"format": "long-arrows", "files": "raw/runs/*.txt"},
        "judgments": {"format": "long-arrows", "files": "raw/judgments.txt"},
        "measures": ["wrong"],
        "shards": 1,
        "reliability": {"analyses": ["unanimity"], "draws": 9},
    },
    "logged": {
        "task": "qa",
        "graded": {"format": "short-log", "files": "raw/log.jsonl"},
        "measures": ["c@1"],
    },
}
RAW = {
    "raw/runs/a.txt": "q1 -> Paris\nq2 -> Milan\nq3 ->\n",
    "raw/runs/b.txt": "q1 -> Paris\nq2 -> Rome\nq3 ->\n",
    "raw/judgments.txt": "q1 R Paris\nq2 W Milan\nq2 R Rome\nq3 R Oslo\n",
    "raw/log.jsonl": '{"model": "m", "id": 1, "verdict": "correct"}\n{"model": "m", "id": 2, '
    '"verdict": "wrong"}\n',
}


class ByCopy(Project):
    """Evaluated by the copy, which is in the folder `copy`."""

    def snakemake(self, *arguments, **options):
        return super().snakemake("-s", "copy/Snakefile", *arguments, **options)

    def result(self, name: str) -> str:
        return (self.folder / "results" / name).read_text()


def add(copy: Path) -> None:
    """What all recipes add."""
    for name, mode, words, lines in chain.from_iterable(ADDITIONS.values()):
        path, words = copy / name, words.replace("\\n", "\n")
        text = path.read_text() if path.exists() else ""
        assert words in text, (name, words)
        lines = lines.strip() + " " if mode == "within" else lines
        path.write_text(
            text.replace(words, lines + words) if mode else f"{text}\n\n{lines}".lstrip("\n")
        )


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> ByCopy:
    """All recipes carried out, and two campaigns evaluated with what they added."""
    project = ByCopy(tmp_path_factory.mktemp("recipes"))
    copy = clone(project.folder / "copy")
    add(copy)
    compileall.compile_dir(copy / "src", quiet=2)  # once, and not in each job
    [command] = re.findall("`python (tools/measures_page.py .*?)`", SECTIONS["Add a measure"])
    for tool in (command, "tools/formats_page.py", "tools/reference_pages.py"):
        subprocess.run([sys.executable, *tool.split()], cwd=copy, check=True)
    with (copy / "docs/config.schema.json").open("w") as file:
        subprocess.run(
            [sys.executable, "-m", "nonresponse.campaign"],
            cwd=copy / "src",
            stdout=file,
            check=True,
        )
    for name, text in RAW.items():
        project.write(name, text)
    project.configure(**CAMPAIGNS)
    project.snakemake()
    return project


# The sentence on the tests to run
SUGGESTED = re.compile(r"\brun `tests/.*?\.\s", re.DOTALL | re.IGNORECASE)


def list_paths(text: str) -> set[str]:
    """The files and folders that a text names."""
    return set(re.findall(r"[`\[]([\w./*-]+)[`\]]", text))


@pytest.mark.parametrize("recipe", ADDITIONS)
def test_a_recipe_names_every_place(recipe):
    """A file that it edits, or the folder of a new one."""
    paths = {
        path if (HOME / path).exists() else str(Path(path).parent) for path, *_ in ADDITIONS[recipe]
    }
    assert paths - list_paths(SECTIONS[recipe]) == set()


@pytest.mark.slow
@pytest.mark.xdist_group("recipes")
def test_what_the_recipes_add_is_in_the_results(project):
    # By the new measure, read by the new format
    board = pl.read_csv(project.folder / "results/read/leaderboard.csv")
    assert board.select("run", "n", "n_u", "wrong").rows() == [
        ("b", 3, 1, 0),
        ("a", 3, 1, pytest.approx(1 / 3)),
    ]
    logs = pl.read_csv(project.folder / "results/logged/imports.csv")
    assert logs.select("run", "samples", "correct", "accuracy").rows() == [("m", 2, 1, 0.5)]
    # But q2
    equal = sum(stream(2011, "read", "unanimity", trial).integers(3) != 1 for trial in range(9))
    assert (
        project.result("read/reliability/summaries/unanimity.csv")
        == f"measure,questions,unanimous\nwrong,9,{equal}\n"
    )
    message = {
        (name, section["heading"]): section["sentences"]
        for name in CAMPAIGNS
        for tab in reports.read_part(project.folder / "results" / name)["tabs"]
        for section in tab["sections"]
    }
    assert message["logged", "Turnout"] == ["1 runs took part."]
    assert ("read", "Turnout") not in message
    [sentence] = message["read", "Unanimity"]
    assert sentence == f"On {equal} of 9 questions drawn all runs score alike."
    assert f"## Unanimity\n\n{sentence}" in project.result("read/reliability.md")


@pytest.mark.slow
@pytest.mark.xdist_group("recipes")
def test_what_the_recipes_add_passes_the_tests_that_they_name(project):
    suggested = "".join(SUGGESTED.findall("".join(map(SECTIONS.get, ADDITIONS))))
    options = ["-n", "0", "-p", "no:cacheprovider", "-m", "not slow", "-k", KEYWORDS]
    command = [sys.executable, "-m", "pytest", *options, *sorted(list_paths(suggested))]
    command += ["--ignore", "tests/project/test_recipes.py"]
    run = subprocess.run(command, cwd=project.folder / "copy", capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
