"""What a reader copies from docs/ and README.md works: each page is carried out in a folder of its
own.

A block with a title is a file. Of ```bash, each line is run, and the ```text below it is in what it
prints. ```python is executed. The campaigns of ```yaml are valid, and evaluated up to their scores.
"""

import contextlib
import io
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import polars as pl
import pytest
import yaml
from conftest import HOME
from nonresponse.campaign import validation
from nonresponse.front import command as command_line
from nonresponse.front import local
from nonresponse.front.campaign import CampaignBlock, complete_campaign
from nonresponse.workflow.paths import PAGES

DOCS = HOME / "docs"
NAMES = sorted(path.stem for path in DOCS.glob("*.md"))
FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
GENERATED = ["keys", "commands", "python", "measures", "gallery", "formats", "logs"]
GENERATED += ["validation", "reproduction", "performance"]

# Pages that go on in the folder of the one before them.
CHAPTERS = [["tutorial-shared-task", "rescoring", "responses", "troubleshooting"]]
CHAPTERS += [[name] for name in NAMES if name not in CHAPTERS[0]]

# Commands that other tests carry out, or that no test can.
ELSEWHERE = {
    "apptainer": "needs Apptainer",
    "docker": "tests/project/test_dockerfile.py runs the steps",
    "git": "needs a network",
    "make": "CI runs make test, and each target calls what is tested",
    "pip": "tests/project/test_wheel.py installs the wheel",
    "python": "tests/tools runs the tools",
    "snakemake": "tests/cluster runs the profile, tests/workflow the others",
    "source": "of the environment that make builds",
}
SNAKEFILES = ("modules",)  # their Python is Snakemake's: tests/workflow/test_other_folders.py


def blocks(name: str) -> list[tuple[str, str, str]]:
    """Return language, title and content of each block of a page."""
    page = HOME / "README.md" if name == "README" else DOCS / f"{name}.md"
    return FENCE.findall(page.read_text(encoding="utf-8"))


def prepare(name: str) -> None:
    """Write what a page presupposes into this folder: two logs, or an organiser's runs."""
    for into in (".", "data", "docs/data"):
        shutil.copytree(DOCS / "data", into, dirs_exist_ok=True)
    if name == "organisers":
        shutil.copy(DOCS / "organisers/config.yaml", "config.yaml")
        truth = "".join(
            f'{{"id": "q{n}", "same": {"true" if n < 3 else "false"}}}\n' for n in range(5)
        )
        answer = '{"id": "q0", "value": 0.9}\n'
        faulty = '{"id": "q1", "value": 3}\n{"id": "![x](http:y)", "value": 1}\n{\n'
        for path, text in {
            "truth.jsonl": truth,
            "submissions/mine.jsonl": answer + faulty,
            "RUN/run.jsonl": answer,
            "TRUTH/truth.jsonl": truth.replace("same", "label"),
        }.items():
            Path(path).parent.mkdir(exist_ok=True)
            Path(path).write_text(text)


def run(line: str) -> str:
    """Run a line of a shell, `nonresponse` in this process; return what it prints."""
    words = shlex.split(line, comments=True)
    if not words or words[0] in ELSEWHERE:
        return ""
    if words[0] != "nonresponse":
        command = ["bash", "-c", line]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    target = words[-1] if ">" in words else None
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        try:
            status = command_line.main(words[1:-2] if target else words[1:]) or 0
        except SystemExit as ended:
            status = ended.code or 0
    expected = re.search(r"# exit status (\d)", line)
    assert status == (int(expected[1]) if expected else 0), (line, errors.getvalue())
    if target:
        Path(target).write_text(printed.getvalue())
    return printed.getvalue()


def plain(text: str) -> str:
    """Return text with single blanks, as the widths of tables differ."""
    return re.sub(r"[ -]+", " ", text)


def carry_out(name: str, campaigns: dict[str, dict]) -> None:
    """Do what a page says in this folder, and add its campaigns."""
    printed = ""
    for language, title, content in blocks(name):
        if title:
            for path in map(Path, title.split()):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
        elif language == "bash":
            printed = "".join(map(run, content.splitlines()))
        elif language == "text" and name not in GENERATED:
            for line in filter(str.strip, content.splitlines()):
                assert plain(line.strip()) in plain(printed), f"{name}: {line}\nnot in\n{printed}"
        elif language == "python" and name not in SNAKEFILES:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(content, {})
        elif language == "yaml" and "campaigns:" in content:
            campaigns |= (yaml.safe_load(content) or {}).get("campaigns", {})


def evaluate(campaigns: dict[str, dict]) -> None:
    """Evaluate the campaigns of a page here, up to their leaderboards."""
    assert validation.validate({"campaigns": campaigns})[1] == []
    for name, campaign in campaigns.items():
        options = campaign | ({} if "counts" in campaign else {"reliability": {"analyses": []}})
        for key in ("gates", "scenarios", "systems"):
            options.pop(key, None)
        local.evaluate(complete_campaign(CampaignBlock(name, options, [], [])))
        board = pl.read_csv(f"results/{name}/leaderboard.csv", infer_schema_length=None)
        assert board["rank"].is_not_null().any() or not options.get("graded", {}).get(
            "judged", True
        ), name


@pytest.mark.slow
@pytest.mark.xdist_group("pages")
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter[0])
def test_what_a_page_says_can_be_done(
    chapter: list[str], tmp_path: Path, forked_snakemake: Callable
) -> None:
    for name in chapter:
        campaigns: dict[str, dict] = {}
        with chdir(tmp_path):
            prepare(name)
            carry_out(name, campaigns)
            if campaigns:
                evaluate(campaigns)
    if "responses" in chapter:
        assert_results_are_there(tmp_path / "results/capitals")


def assert_results_are_there(folder: Path) -> None:
    """A campaign's folder has what docs/results.md names, or a rule writes it for some."""
    text = (DOCS / "results.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`[^|]*)\|", text.partition("## Columns")[0], re.MULTILINE)
    names = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    names = [name for name in names if not name.startswith((".", "results/"))]
    optional = {name for page in PAGES.values() for name in page.writes} | {"faults.txt"}
    lost = [name for name in names if not [*folder.glob(name.replace("{measure}", "*"))]]
    assert names and {*lost} <= optional
    columns = re.findall(r"`([a-z_]+)`", text.partition("## Columns")[2])
    board = pl.read_csv(folder / "leaderboard.csv", infer_schema_length=None)
    assert {*columns} <= {*board.columns}


def test_the_commands_of_the_readme_are_those_of_pages() -> None:
    """README.md is no folder's page: what it shows is carried out on the pages that it links to."""
    lines = {
        line.partition("  #")[0].strip()
        for name in NAMES
        for _, _, text in blocks(name)
        for line in text.splitlines()
    }
    shells = [text for language, _, text in blocks("README") if language == "bash"]
    commands = [line for text in shells for line in text.splitlines()]
    assert commands
    assert [line for line in commands if line.partition("  #")[0].strip() not in lines] == []


@pytest.mark.slow
def test_the_site_builds_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material makes the site")
    command = ["mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path]
    built = subprocess.run(command, cwd=HOME, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    page = (tmp_path / "measures.html").read_text(encoding="utf-8")
    assert "<math" in page and "$`" not in page  # formulas without a script
    assert "https://" not in re.sub(
        r'<a [^>]*href="[^"]*"',
        "",
        re.sub(r"<(code|pre|svg|math).*?</\1>", "", page, flags=re.DOTALL),
    )


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (*GENERATED, "tables")])
def test_no_page_but_generated_ones_is_long(name: str) -> None:
    text = FENCE.sub("", (DOCS / f"{name}.md").read_text(encoding="utf-8"))
    words = re.findall(r"[^\s|]*\w[^\s|]*", re.sub(r"\]\([^)]*\)", "]", text))
    assert len(words) <= 900
