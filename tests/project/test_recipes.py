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
import report_files
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
RECIPES = Path(__file__).with_name("recipes.txt").read_text(encoding="utf-8")
# By recipe: a file, and the lines that are added to its end, or before or within words in it
ADDITIONS = {
    recipe: re.findall(
        r"^=== (\S+)(?: (before|within) (.*))?\n((?:(?!=== ).*\n?)*)", additions, re.MULTILINE
    )
    for recipe, additions in re.findall(
        r"^#{8} (.*)\n((?:(?!#{8} ).*\n)*)", RECIPES.replace("{MEASURE}", MEASURE), re.MULTILINE
    )
}

# Of the tests that recipes name, those that fail where a place is left out, and cost little
KEYWORDS = "(every or current or source_says or arrows or short-log or (oracle and unanimity)) "
KEYWORDS += "and not (every_count or every_sum or change_nothing or svg or reproduction)"
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
        "organiser": "Ann",
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
def project(tmp_path_factory) -> Project:
    """All recipes carried out, and two campaigns evaluated with what they added."""
    project = Project(tmp_path_factory.mktemp("recipes"))
    copy = clone(project.folder / "copy")
    add(copy)
    compileall.compile_dir(copy / "src", quiet=2)  # once, and not in each job
    [command] = re.findall("`python (tools/measures_page.py .*?)`", SECTIONS["Add a measure"])
    for tool in (command, "tools/formats_page.py", "tools/reference_pages.py"):
        subprocess.run([sys.executable, *tool.split()], cwd=copy, check=True)
    schema = [sys.executable, "-m", "nonresponse.campaign"]
    printed = subprocess.run(schema, cwd=copy / "src", capture_output=True, check=True).stdout
    (copy / "docs/config.schema.json").write_bytes(printed)
    for name, text in RAW.items():
        project.write(name, text)
    project.configure(**CAMPAIGNS)
    project.snakemake("-s", "copy/Snakefile")
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
    results = project.folder / "results"
    board = pl.read_csv(results / "read/leaderboard.csv")
    assert board.select("run", "n", "n_u", "wrong").rows() == [
        ("b", 3, 1, 0),
        ("a", 3, 1, pytest.approx(1 / 3)),
    ]
    logs = pl.read_csv(results / "logged/imports.csv")
    assert logs.select("run", "samples", "correct", "accuracy").rows() == [("m", 2, 1, 0.5)]
    # But q2
    equal = sum(stream(2011, "read", "unanimity", trial).integers(3) != 1 for trial in range(9))
    table = (results / "read/reliability/summaries/unanimity.csv").read_text()
    assert table == f"measure,questions,unanimous\nwrong,9,{equal}\n"
    message = {
        (name, section["heading"]): section["sentences"]
        for name in CAMPAIGNS
        for tab in report_files.read_part(results / name)["tabs"]
        for section in tab["sections"]
    }
    assert message["logged", "Turnout"] == ["1 runs took part in what Ann organised."]
    assert ("read", "Turnout") not in message
    [sentence] = message["read", "Unanimity"]
    assert sentence == f"On {equal} of 9 questions drawn all runs score alike."
    assert f"## Unanimity\n\n{sentence}" in (results / "read/reliability.md").read_text()


@pytest.mark.slow
@pytest.mark.xdist_group("recipes")
def test_what_the_recipes_add_passes_the_tests_that_they_name(project):
    suggested = "".join(SUGGESTED.findall("".join(map(SECTIONS.get, ADDITIONS))))
    options = ["-n", "0", "-p", "no:cacheprovider", "-m", "not slow", "-k", KEYWORDS]
    command = [sys.executable, "-m", "pytest", *options, *sorted(list_paths(suggested))]
    command += ["--ignore", "tests/project/test_recipes.py"]
    run = subprocess.run(command, cwd=project.folder / "copy", capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
