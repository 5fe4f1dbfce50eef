"""The wheel and the sdist: what they hold, what runs where the wheel is installed; and the locks."""

import gzip
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path

import nonresponse
import pytest
import yaml
from conftest import HOME, Project, small_campaign
from nonresponse.front.extras import EXTRAS
from nonresponse.workflow.digests import digest_layer
from packaging.requirements import Requirement

pytest.importorskip("hatchling", reason="hatchling builds the wheel")

pytestmark = pytest.mark.xdist_group("wheel")

PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text())["project"]
FILES = ["Snakefile", "config.yaml", "workflow", "profiles", "resources", "scripts/stage.py"]
BARE = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}  # no environment of ours
MOST_MEGABYTES, MOST_DISTRIBUTIONS = 300, 15  # of a light installation


def build(folder: Path, source: Path = HOME) -> tuple[Path, Path]:
    """Return the wheel and the sdist of a source tree."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1600000000"}
    subprocess.run(command, cwd=source, check=True, capture_output=True, env=environment)
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def list_light() -> dict[str, Distribution]:
    """Return the distributions that the wheel brings without an extra, as installed here."""
    actual, waiting = {}, PROJECT["dependencies"]
    while waiting:
        items = map(Requirement, waiting)
        names = {x.name for x in items if not x.marker or x.marker.evaluate({"extra": ""})}
        new = {name: distribution(name) for name in names - actual.keys()}
        actual |= new
        waiting = [text for item in new.values() for text in item.requires or ()]
    return actual


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Path, Path]:
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def environment(built, tmp_path_factory) -> Path:
    """A light environment: the wheel, and links to the libraries that it brings."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    [packages] = folder.glob("lib/python*/site-packages")
    for library in list_light().values():
        for name in {Path(file).parts[0] for file in library.files} - {".."}:
            if not (packages / name).exists():
                (packages / name).symlink_to(library.locate_file(name))
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin/python"), "install"]
    options = ["--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*pip, *options, str(built[0])], check=True, cwd=folder)
    return folder


def execute(folder: Path, *command: object, status: int = 0) -> subprocess.CompletedProcess:
    """Run a command in a folder, without our environment."""
    words = [*map(str, command)]
    process = subprocess.run(words, cwd=folder, env=BARE, capture_output=True, text=True)
    assert process.returncode == status, (words, process.stdout, process.stderr)
    return process


def test_the_version_is_that_of_the_newest_changes():
    """The tag of a release is compared with both by the workflow that publishes it."""
    newest = re.search(r"^## (\S+)", (HOME / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest[1] == nonresponse.__version__
    assert "version" not in PROJECT
    assert "version" not in yaml.safe_load((HOME / "CITATION.cff").read_text())


def test_the_conda_package_has_the_same_requirements():
    recipe = yaml.safe_load((HOME / "conda/recipe.yaml").read_text())
    _, *actual = recipe["requirements"]["run"]
    assert [item.replace(" ", "").replace("_", "-") for item in actual] == PROJECT["dependencies"]


@pytest.mark.parametrize("python", ["3.11", "3.14"])
def test_conda_can_read_the_recipe(python):
    rattler_build = pytest.importorskip("rattler_build", reason="it is in the environment of tests")
    recipe = rattler_build.Stage0Recipe.from_file(HOME / "conda/recipe.yaml")
    versions = rattler_build.VariantConfig({"python_min": [python], "python": [python]})
    [variant] = recipe.render(versions)
    assert f"version='{nonresponse.__version__}'" in repr(variant)


def test_a_light_installation_is_small():
    distributions = list_light().values()
    size = sum(
        item.locate_file(file).stat().st_size for item in distributions for file in item.files
    )
    assert len(distributions) < MOST_DISTRIBUTIONS
    assert size < (MOST_MEGABYTES - 10) * 1e6  # the wheel itself has less than 10 MB


def test_every_library_of_an_extra_is_named_with_it():
    brought = {
        Requirement(text).name.lower(): extra
        for extra, texts in PROJECT["optional-dependencies"].items()
        for text in texts
    }
    names = packages_distributions()
    assert {library: brought[names[library][0].lower()] for library in EXTRAS} == EXTRAS
    assert not EXTRAS.keys() & list_light().keys()


def read_lock(lock: str) -> set[tuple[str, str]]:
    """Each package with its version, or its versions."""
    return set(re.findall(r"^([\w.-]+)==(\S+)", (HOME / lock).read_text(), re.MULTILINE))


@pytest.mark.parametrize("lock", ["requirements-slurm.lock", "requirements-test.lock"])
def test_what_is_added_changes_no_other_version(lock):
    additions, base = read_lock(lock), read_lock("requirements.lock")
    new = {name for name, _ in additions - base}
    assert "snakemake-executor-plugin-slurm" in new
    assert not new & {name for name, _ in base}


def test_what_slows_every_start_of_snakemake_is_not_in_the_environment_of_users():
    names = {name for name, _ in read_lock("requirements.lock")}
    assert "snakemake" in names
    assert not names & {"pandas", "snakemake-executor-plugin-slurm"}


@pytest.mark.slow
def test_all_that_a_run_needs_is_in_it_as_it_is_here(built):
    wheel, sdist = built
    with zipfile.ZipFile(wheel) as opened:
        inside = {name: opened.read(name) for name in opened.namelist()}
    with tarfile.open(sdist) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    listed = subprocess.run(
        ["git", "ls-files", *FILES, "src"], cwd=HOME, capture_output=True, check=True, text=True
    )
    for name in filter(lambda name: (HOME / name).is_file(), listed.stdout.splitlines()):
        packed = (
            name.removeprefix("src/")
            if name.startswith("src/nonresponse/")
            else f"nonresponse/project/{name}"
        )
        assert inside.pop(packed) == (HOME / name).read_bytes()
        assert name in sources
    assert {name.split("/")[0].partition("-")[2] for name in inside} == {
        f"{nonresponse.__version__}.dist-info"
    }


@pytest.mark.slow
def test_the_sdist_builds_the_same_wheel_without_git(built, tmp_path):
    wheel, sdist = built
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [source] = tmp_path.iterdir()
    os.utime(source / "README.md", (0, 0))
    rebuilt, _ = build(tmp_path / "dist", source)
    assert (rebuilt.name, rebuilt.read_bytes()) == (wheel.name, wheel.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "demo", f"evaluate {HOME}/docs/data/after.json"])
def test_a_command_that_needs_an_extra_says_which(environment, tmp_path, command):
    if command == "run":
        (tmp_path / "config.yaml").touch()
    process = execute(tmp_path, environment / "bin/nonresponse", *command.split(), status=3)
    message = "This needs snakemake, which is not installed: pip install 'nonresponse[workflow]'"
    assert process.stderr.endswith(f"nonresponse: {message}\n")
    assert bool(process.stdout) == command.startswith("evaluate")  # the findings


@pytest.mark.slow
def test_a_light_installation_reads_what_gzip_packed(environment, tmp_path):
    for name in ("before", "after"):
        content = (HOME / f"docs/data/{name}.json").read_bytes()
        (tmp_path / f"{name}.json.gz").write_bytes(gzip.compress(content))
    command = ("compare", "before.json.gz", "after.json.gz", "--measure", "c@1")
    printed = execute(tmp_path, environment / "bin/nonresponse", *command).stdout
    assert "Both were asked 500 questions." in printed


@pytest.mark.slow
def test_it_evaluates_in_an_empty_folder(environment, tmp_path, evaluated_small):
    """As a clone does, to the byte; by its own interpreter, though PATH has another."""
    folder = tmp_path / "environment"
    subprocess.run(["cp", "-a", environment, folder], check=True)
    [packages] = folder.glob("lib/python*/site-packages")
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "libraries.pth").write_text("\n".join(libraries))
    project, python = small_campaign(Project(tmp_path / "new")), folder / "bin/python"
    command = (project.folder, python, "-m", "nonresponse", "run", "--", "--cores", "2")
    execute(*command)
    assert project.results() == evaluated_small.results()
    second_run = execute(*command)
    assert "Nothing to be done" in second_run.stdout + second_run.stderr
    execute(project.folder, "sha256sum", "--check", "--quiet", "results/manifest.sha256")
    script = "from nonresponse.workflow.digests import digest_layer; print(digest_layer('judge'))"
    digest = execute(project.folder, python, "-c", script).stdout
    assert digest.strip() == digest_layer("judge")
