"""What Snakemake's workflow catalogue and snakedeploy ask of a repository."""

import shutil

import pytest
import yaml
from conftest import HOME, Project


def test_the_catalogue_finds_what_it_asks_for():
    readme = (HOME / "README.md").read_text().lower()
    assert "snakemake" in readme and "workflow" in readme
    assert [*(HOME / "workflow/rules").glob("*.smk")]
    assert (HOME / "config/README.md").is_file()
    usage = yaml.safe_load((HOME / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert {*usage} == {"mandatory-flags", "software-stack-deployment", "report"}
    assert {*usage["mandatory-flags"]} == {"desc", "flags"}


@pytest.mark.slow
def test_a_module_of_it_evaluates_the_configuration(tmp_path):
    """What snakedeploy writes for a clone on this machine."""
    shutil.copytree(HOME / "config", tmp_path / "config")
    (tmp_path / "workflow").mkdir()
    (tmp_path / "workflow/Snakefile").write_text(
        'configfile: "config/config.yaml"\n'
        f"module nonresponse:\n    snakefile: '{HOME / 'workflow/Snakefile'}'\n"
        "    config: config\n"
        "use rule * from nonresponse\n"
    )
    assert "judge example" in Project(tmp_path).steps("-s", "workflow/Snakefile", "-n")
