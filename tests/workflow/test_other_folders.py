"""Test which configuration counts: config.yaml, --configfile, or that of a module's user."""

import re

import pytest
import yaml
from conftest import HOME, SMALL, Project, copy_workflow, tiny_campaign

pytestmark = pytest.mark.slow

WORKFLOW = """
configfile: "mine.yaml"

shell.prefix("export MARK=mine; ")

rule best:
    input: "results/tiny/leaderboard.csv"
    output: "best.txt"
    shell: "echo $MARK > {{output}}; sed -n 2p {{input}} | cut -d, -f5 >> {{output}}"

module nonresponse:
    snakefile: "{snakefile}"
    config: config["evaluation"]

use rule * from nonresponse as nonresponse_*
"""


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


def test_a_module_of_another_workflow(project, evaluated_small):
    """Results are those of the workflow alone; the other one keeps its first rule and shell."""
    alone = evaluated_small.results("report.html", "summary.md")
    config = yaml.safe_load((evaluated_small.folder / "config.yaml").read_text())
    outer = Project(project.folder / "other")
    tiny_campaign(outer, **SMALL)
    (outer.folder / "config.yaml").unlink()
    outer.write("mine.yaml", yaml.safe_dump({"depth": [3], "evaluation": config}))
    outer.write("Snakefile", WORKFLOW.format(snakefile=HOME / "Snakefile"))
    snakefile = ("--snakefile", "Snakefile")
    outer.snakemake(*snakefile)
    assert (outer.folder / "best.txt").read_text() == "mine\ngamma\n"
    assert not (outer.folder / "results/report.html").exists()
    outer.snakemake(*snakefile, "nonresponse_all")
    assert outer.results("report.html", "summary.md") == alone
    assert "Nothing to be done" in outer.snakemake(*snakefile, "nonresponse_all").stderr


def two_modules(project: Project, excluded: str = "") -> None:
    """Of a campaign each, read from folders of their own."""
    text = 'configfile: "mine.yaml"\n'
    configs = {}
    for name in ("ours", "theirs"):
        part = Project(project.folder / name)
        tiny_campaign(part, **SMALL)
        campaign = yaml.safe_load((part.folder / "config.yaml").read_text())["campaigns"]["tiny"]
        for source in ("runs", "judgments"):
            campaign[source]["files"] = f"{name}/{campaign[source]['files']}"
        configs[name] = {"campaigns": {name: campaign}, "reliability": {"analyses": []}}
        text += (
            f'module {name}:\n    snakefile: "{HOME / "Snakefile"}"\n    config: config["{name}"]\n'
        )
        text += f"use rule * from {name} {excluded if name == 'theirs' else ''} as {name}_*\n"
    project.write("mine.yaml", yaml.safe_dump(configs))
    project.write("Snakefile", text)


def test_two_modules_in_one_workflow(project):
    """What both could make is one's, as docs/modules.md says."""
    two_modules(project)
    run = project.snakemake("--snakefile", "Snakefile", "ours_all", check=False)
    assert run.returncode and "AmbiguousRuleException" in run.stderr
    assert all(f"{name}_report: " in run.stderr for name in ("ours", "theirs"))
    page = (HOME / "docs/modules.md").read_text()
    two_modules(project, re.search("^use rule .*(exclude .*) as", page, re.MULTILINE)[1])
    project.snakemake("--snakefile", "Snakefile", "ours_all", "results/theirs/leaderboard.csv")
    boards = [
        (project.folder / f"results/{name}/leaderboard.csv").read_text().replace(name, "")
        for name in ("ours", "theirs")
    ]
    assert boards[0] == boards[1]
    assert "theirs" not in (project.folder / "results/summary.md").read_text()


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
    tiny_campaign(project, **SMALL | keys)
    config = yaml.safe_load((project.folder / "config.yaml").read_text())
    project.write("mine.yaml", yaml.safe_dump({"evaluation": config}))
    text = WORKFLOW.format(snakefile=HOME / "Snakefile")
    project.write("Snakefile", text.replace("    config: ", f"{prefix}    config: "))
    run = project.snakemake("--snakefile", "Snakefile", check=False)
    assert run.returncode and message in run.stderr
