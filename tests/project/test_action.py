"""action.yml: its steps, run as GitHub's runner runs those of a composite action."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from conftest import HOME
from mutants import MUTANTS, system, write
from offline import OFFLINE

pytest.importorskip("hatchling", reason="hatchling builds the wheel")

ACTION = yaml.safe_load((HOME / "action.yml").read_text())
INSTALL, GATES = ACTION["runs"]["steps"]
BEFORE = system(400, 0.7, 0.2)


def step(
    one: dict, folder: Path, temporary: Path, inputs: dict[str, str]
) -> subprocess.CompletedProcess:
    """A step in a folder; an input that is not given is its default, or empty."""
    given = {
        name: inputs.get(name, about.get("default", "")) for name, about in ACTION["inputs"].items()
    }
    own = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], value)
        for name, value in one.get("env", {}).items()
    }
    runner = {"RUNNER_TEMP": str(temporary), "GITHUB_ACTION_PATH": str(HOME)}
    runner |= {"GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "PATH": os.environ["PATH"]}
    script = folder / "step.sh"
    script.write_text(one["run"])
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    return subprocess.run(
        command, cwd=folder, env=runner | OFFLINE | own, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The runner's temporary folder after the first step."""
    temporary, folder = (tmp_path_factory.mktemp(name) for name in ("runner", "work"))
    done = step(INSTALL, folder, temporary, {})
    assert done.returncode == 0, done.stdout + done.stderr
    return temporary


@pytest.fixture
def gate(installed, tmp_path):
    """A function from the inputs to what the second step says, and the job's summary."""
    (tmp_path / "gates.yaml").write_text("[{measure: c@1, margin: 0.05}]")
    write(BEFORE, tmp_path / "before.csv")
    for name, mutant in MUTANTS.items():
        write(mutant(BEFORE), tmp_path / f"{name}.csv")

    def gated(**inputs: str) -> tuple[int, str, str]:
        done = step(
            GATES, tmp_path, installed, {"against": "before.csv", "gates": "gates.yaml"} | inputs
        )
        summary = tmp_path / "summary.md"
        return (
            done.returncode,
            done.stdout + done.stderr,
            summary.read_text() if summary.exists() else "",
        )

    return gated


def test_no_input_is_written_into_a_script():
    assert not [one["name"] for one in (INSTALL, GATES) if "${{" in one["run"]]
    used = set(re.findall(r"inputs\.(\w+)", " ".join(GATES["env"].values())))
    assert used == {*ACTION["inputs"]}


@pytest.mark.slow
def test_a_build_passes_and_fails_by_its_gates(gate, tmp_path):
    status, said, summary = gate(log="the same.csv")
    assert (status, "Gates: pass" in said) == (0, True), said
    assert "All 2 gates passed." in summary
    status, said, summary = gate(log="says nothing.csv")
    assert (status, "Gates: fail" in said) == (1, True), said
    assert "Of 2 gates, 1 failed" in summary
    few = write(dict([*BEFORE.items()][:30]), tmp_path / "few.csv")
    assert gate(log=few, against=few, inconclusive="pass")[0] == 0


@pytest.mark.slow
def test_what_is_refused_fails_and_nothing_in_an_input_is_run(gate, tmp_path):
    for evil in ("$(touch run)`touch run`", """'; touch run; "; touch run; '"""):
        status, said, summary = gate(log=evil, against=evil, gates=evil)
        assert (status, summary) == (3, "") and "nonresponse: " in said
        assert gate(log="the same.csv", inconclusive=evil)[0] == 3
        assert not (tmp_path / "run").exists()
