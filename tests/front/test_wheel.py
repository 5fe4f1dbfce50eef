"""The wheel, built and installed where there is nothing else; and that it is the same as the
clone."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import nonresponse
import pytest
from conftest import HOME, Project, small_campaign
from nonresponse.workflow.digests import code

pytest.importorskip("hatchling", reason="hatchling builds the wheel")

IN_PROJECT = (
    "Snakefile",
    "config.yaml",
    "workflow",
    "profiles",
    "resources",
    "scripts/stage.py",
    "src",
)
BARE = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}  # no environment of ours


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the wheel and the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=HOME, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory) -> Path:
    """The programs of an environment with the wheel; its libraries are those that the tests
    have."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(
        "\n".join(path for path in sys.path if path.endswith("site-packages"))
    )
    [wheel] = built.glob("*.whl")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(folder / "bin/python"),
        "install",
        "--quiet",
    ]
    subprocess.run(
        [*pip, "--no-deps", "--no-index", "--no-compile", str(wheel)], check=True, cwd=folder
    )
    return folder / "bin"


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", *IN_PROJECT], cwd=HOME, capture_output=True, check=True, text=True
    )
    return [name for name in listed.stdout.splitlines() if (HOME / name).is_file()]


@pytest.mark.slow
def test_all_that_a_run_needs_is_in_it_as_it_is_here(built):
    [wheel], [source] = built.glob("*.whl"), built.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as opened:
        inside = {name: opened.read(name) for name in opened.namelist()}
    with tarfile.open(source) as archive:
        of_source = {name.partition("/")[2] for name in archive.getnames()}
    for name in tracked():
        place = (
            name.removeprefix("src/")
            if name.startswith("src/nonresponse/")
            else f"nonresponse/project/{name}"
        )
        assert inside.pop(place) == (HOME / name).read_bytes()
        assert name in of_source
    assert {name.split("/")[0].partition("-")[2] for name in inside} == {
        f"{nonresponse.__version__}.dist-info"
    }


@pytest.mark.slow
def test_it_is_the_package_that_a_clone_has(installed, tmp_path):
    said = (
        "import nonresponse; from nonresponse.workflow.digests import code; "
        "print(nonresponse.__file__, code('judge'))"
    )
    done = subprocess.run(
        [installed / "python", "-c", said], cwd=tmp_path, env=BARE, capture_output=True, check=True
    )
    place, digest = done.stdout.decode().split()
    assert Path(place).is_relative_to(installed.parent)
    assert digest == code("judge")


@pytest.mark.slow
def test_it_evaluates_in_an_empty_folder(installed, tmp_path, evaluated_small):
    """As a clone does, to the byte; by its own interpreter, though PATH has another."""
    project = small_campaign(Project(tmp_path / "new"))
    command = [installed / "nonresponse", "run", "--", "--cores", "2"]
    done = subprocess.run(command, cwd=project.folder, env=BARE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert project.results() == evaluated_small.results()
    again = subprocess.run(command, cwd=project.folder, env=BARE, capture_output=True, text=True)
    assert "Nothing to be done" in again.stdout + again.stderr
    subprocess.run(
        ["sha256sum", "--check", "--quiet", "results/manifest.sha256"],
        cwd=project.folder,
        check=True,
    )
