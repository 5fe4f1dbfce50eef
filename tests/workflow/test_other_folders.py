"""Test which configuration counts: config.yaml, --configfile, or that of a module's user."""

import re

import pytest
import yaml
from conftest import HOME, SMALL, Project, copy_workflow, edit, tiny_campaign

pytestmark = pytest.mark.slow

WORKFLOW = """
configfile: "mine.yaml"

shell.prefix("export MARK=mine; ")

rule best:
    input: "results/tiny/leaderboard.csv"
    output: "best.txt"
    shell: "echo $MARK > {{output}}; sed -n 2p {{input}} | cut -d, -f4 >> {{output}}"

module ours:
    snakefile: "{snakefile}"
    config: config["ours"]

use rule * from ours as ours_*
"""
SECOND = """
module theirs:
    snakefile: "{snakefile}"
    config: config["theirs"]

use rule * from theirs {exclusion} as theirs_*
"""


def write_workflow(project: Project, second: str = "", **keys) -> None:
    """Write a workflow with a rule of its own and a module or two, each of a campaign."""
    tiny_campaign(project, **SMALL | keys)
    config = yaml.safe_load((project.folder / "config.yaml").read_text())
    theirs = config | {"campaigns": {"theirs": config["campaigns"]["tiny"]}}
    project.write("mine.yaml", yaml.safe_dump({"depth": [3], "ours": config, "theirs": theirs}))
    (project.folder / "config.yaml").unlink()
    project.write("Snakefile", WORKFLOW.format(snakefile=HOME / "Snakefile") + second)


def test_files_of_configfile_take_the_place_of_config_yaml(tiny):
    """Nothing of config.yaml is used, neither campaigns nor other keys, and it need not exist."""
    config = yaml.safe_load((tiny.folder / "config.yaml").read_text())
    tiny.write("mine.yaml", yaml.safe_dump({"campaigns": {"mine": config["campaigns"]["tiny"]}}))
    dry = ("--dry-run", "--configfile", "mine.yaml")
    steps = tiny.steps(*dry)
    # config.yaml asks for no analyses; those of the default are there
    assert "ingest_judgments mine" in steps and not [step for step in steps if "tiny" in step]
    (tiny.folder / "config.yaml").unlink()
    assert tiny.steps(*dry) == steps


def test_modules_in_another_workflow(project, evaluated_small):
    """Results are those of the workflow alone; the other one keeps its first rule and shell.

    What two modules could make is one's, as docs/modules.md says.
    """
    overviews, snakefile = ("report.html", "summary.md"), ("--snakefile", "Snakefile")
    alone, outer = evaluated_small.results(*overviews), Project(project.folder / "other")
    second = {"snakefile": HOME / "Snakefile", "exclusion": ""}
    write_workflow(outer, SECOND.format(**second))
    run = outer.snakemake(*snakefile, "ours_all", check=False)
    assert run.returncode and "AmbiguousRuleException" in run.stderr
    assert all(f"{name}_report: " in run.stderr for name in ("ours", "theirs"))
    page = (HOME / "docs/modules.md").read_text()
    second["exclusion"] = re.search("^use rule .*(exclude .*) as", page, re.MULTILINE)[1]
    write_workflow(outer, SECOND.format(**second))
    outer.snakemake(*snakefile)
    assert (outer.folder / "best.txt").read_text() == "mine\ngamma\n"
    assert not (outer.folder / "results/report.html").exists()
    targets = ("ours_all", "results/theirs/leaderboard.csv")
    outer.snakemake(*snakefile, *targets)
    results = outer.results(*overviews)
    assert {name: results[name] for name in results if not name.startswith("theirs")} == alone
    board = results["theirs/leaderboard.csv"].replace(b"theirs", b"tiny")
    assert board == alone["tiny/leaderboard.csv"]
    assert "theirs" not in (outer.folder / "results/summary.md").read_text()
    assert "Nothing to be done" in outer.snakemake(*snakefile, *targets).stderr


def test_a_project_in_a_folder_that_is_a_pattern(tiny, tmp_path_factory):
    """Paths of its scripts hold that name from elsewhere, but not from within."""
    folder = copy_workflow(tmp_path_factory.mktemp("project") / "x{y}")
    run = tiny.snakemake("--dry-run", "--snakefile", str(folder / "Snakefile"), check=False)
    assert run.returncode and run.stderr.strip().endswith("run snakemake in it")
    assert "Error" not in run.stderr
    tiny_campaign(Project(folder)).snakemake("--dry-run", "--snakefile", "Snakefile")


@pytest.mark.parametrize(
    ("prefix", "keys", "message"),
    [
        ("", {"messures": ["c@1"]}, "config: campaigns.tiny.messures: unknown key messures"),
        ('    prefix: "sub"\n', {}, "takes neither prefix: nor replace_prefix:"),
    ],
)
def test_what_is_wrong_with_a_module(project, prefix, keys, message):
    """The commands of the rules name their folders themselves, so that there is no other place."""
    write_workflow(project, **keys)
    edit(project, "Snakefile", "    config: ", f"{prefix}    config: ")
    run = project.snakemake("--snakefile", "Snakefile", check=False)
    assert run.returncode and message in run.stderr
