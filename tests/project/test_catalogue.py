"""What Snakemake's workflow catalogue and snakedeploy ask of a repository."""

import yaml
from conftest import HOME


def test_the_catalogue_finds_what_it_asks_for():
    readme = (HOME / "README.md").read_text().lower()
    assert "snakemake" in readme and "workflow" in readme
    assert [*(HOME / "workflow/rules").glob("*.smk")]
    assert (HOME / "config/README.md").is_file()
    usage = yaml.safe_load((HOME / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert {*usage} == {"mandatory-flags", "software-stack-deployment", "report"}
    assert {*usage["mandatory-flags"]} == {"desc", "flags"}
