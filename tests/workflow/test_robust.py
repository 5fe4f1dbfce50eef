"""Results edited between two runs, a full disk, a read-only project, links and odd paths."""

import copy
import os
import re
import shlex
import shutil
import subprocess
from base64 import urlsafe_b64encode
from pathlib import Path

import loaded
import polars as pl
import pytest
from conftest import HOME, JUDGMENTS, PROFILE, RUNS, SMALL, TINY, Project, edit, evaluate_once

pytestmark = pytest.mark.slow

NOTHING = "Nothing to be done"


def read_tree(folder: Path) -> dict:
    """Content and times of all files of a working folder, but what Snakemake keeps for itself."""
    names = ("log", "metadata", "locks", "iocache", "incomplete")
    skipped = [folder / ".snakemake" / name for name in names]
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file() and not any(path.is_relative_to(item) for item in skipped)
    }


QUESTIONS = [
    *["--dry-run --quiet all", "--summ", "--list-changes code", "--dag", "--unlock"],
    "--touch",
    *["--delete-all-output -n", "--mode remote --list-untracked", "--report away/report.html"],
]


def test_a_question_changes_nothing(evaluated_small):
    """Whatever it is asked, and however that is written: on a folder with an edit and a lost
    result. --touch would make Snakemake treat the edit as scored."""
    project, folder = evaluated_small, evaluated_small.folder
    (folder / "away").mkdir()
    (folder / "results/tiny/categories.csv").unlink()
    edit(project, "raw/judgments.tsv", "Rome\tX", "Rome\tR")
    tree = read_tree(folder)
    for question in QUESTIONS:
        run = project.snakemake(*question.split(), check=False)
        printed, later = run.stdout + run.stderr, read_tree(folder)
        later = {name: content for name, content in later.items() if not name.startswith("away/")}
        assert later == tree, question
        assert "Traceback" not in printed and "unrecognized arguments" not in printed, printed
        assert ("Nothing was touched" in printed) == (question == "--touch")
    project.snakemake()
    board = pl.read_csv(folder / "results/tiny/leaderboard.csv")
    assert dict(board.select("run", "n_ac").iter_rows())["alpha"] == 2


def edit_unseen(path: Path) -> None:
    """Change a result, which stays as long and as old as it was."""
    data, rows = bytearray(path.read_bytes()), path.stat()
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(rows.st_atime_ns, rows.st_mtime_ns))


def test_a_run_stops_where_a_result_was_edited(evaluated_small):
    """It says what to remove; then results are as before. A lost result is no reason to stop."""
    project, results = evaluated_small, evaluated_small.results()
    names = [
        f"results/tiny/{name}" for name in ("judgments.parquet", "counts.parquet", "leaderboard.md")
    ]
    (project.folder / "results/summary.md").unlink()
    for name in names:
        edit_unseen(project.folder / name)
    tree = read_tree(project.folder)
    run = project.snakemake(check=False)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert read_tree(project.folder) == tree
    [advice] = re.findall(r"^  rm -r (.*)$", run.stdout + run.stderr, re.MULTILINE)
    assert sorted(shlex.split(advice)) == sorted(names)
    for name in shlex.split(advice):
        (project.folder / name).unlink()
    project.snakemake()
    assert project.results() == results


def test_an_edit_is_seen_after_a_run_that_was_killed_when_all_jobs_had_ended(evaluated_small):
    """The next run has nothing to do, and notes what the results are."""
    project, part = evaluated_small, "results/tiny/report.json"
    (project.folder / ".snakemake/nonresponse/running").touch()
    assert NOTHING in project.snakemake().stderr
    edit_unseen(project.folder / part)
    run = project.snakemake(check=False)
    assert run.returncode == 1 and f"  rm -r {part}\n" in run.stdout + run.stderr


def test_results_of_a_job_whose_snakemake_was_killed(evaluated_small):
    """Snakemake knows of the score what the job before has read, and marks it as unfinished."""
    project, results = evaluated_small, evaluated_small.results()
    marks, score = project.folder / ".snakemake", "results/tiny/scores/c@1.parquet"
    name = urlsafe_b64encode(score.encode()).decode()
    record = (marks / "metadata" / name).read_bytes()
    edit(project, "raw/judgments.tsv", "Rome\tX", "Rome\tR")
    project.snakemake()
    (marks / "metadata" / name).write_bytes(record)
    (marks / "incomplete" / name).write_text("{}")
    edit(project, "raw/judgments.tsv", "Rome\tR", "Rome\tX")
    run = project.snakemake(check=False)
    assert run.returncode == 1 and f"  rm -r {score}\n" in run.stdout + run.stderr
    (project.folder / score).unlink()
    project.snakemake()
    assert project.results() == results


def test_results_without_what_snakemake_knows_of_them_are_refused(evaluated_small):
    """They may be of another configuration."""
    shutil.rmtree(evaluated_small.folder / ".snakemake")
    run = evaluated_small.snakemake(check=False)
    assert run.returncode == 1 and "rm -r results" in run.stdout + run.stderr


def test_a_file_where_the_results_belong_is_refused(tmp_path):
    project = campaign_elsewhere(Project(tmp_path))
    project.write("results", "mine")
    run = project.snakemake(check=False)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert "results is a file where a folder of results has to be: move it away" in run.stderr


def campaign_elsewhere(project: Project) -> Project:
    """One measure and no analyses; names and paths with spaces and letters of other alphabets."""
    for run, text in RUNS.items():
        project.write(f"die Läufe/{run} наш 1.tsv", text)
    project.write("l'été 2.tsv", JUDGMENTS)
    campaign = copy.deepcopy(TINY | SMALL)
    campaign["runs"]["files"] = "die Läufe/*.tsv"
    campaign["judgments"]["files"] = "l'été 2.tsv"
    project.configure(tiny=campaign)
    return project


@pytest.fixture
def undisturbed(tmp_path_factory) -> dict[str, bytes]:
    """The results of the small campaign in a plain folder."""
    return Project(evaluate_once("elsewhere", campaign_elsewhere, tmp_path_factory)).results()


@pytest.fixture
def mount():
    """Mounts, as `mount` of the command line does, and unmounts at the end."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a file system")
    mounted = []

    def mount_at(folder: Path, *options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        run = subprocess.run(["mount", *options, str(folder)], capture_output=True, text=True)
        if run.returncode and not mounted:
            pytest.skip(f"no file system can be mounted here: {run.stderr.strip()}")
        assert run.returncode == 0, run.stderr
        mounted.append(folder)

    yield mount_at
    for folder in dict.fromkeys(reversed(mounted)):
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_fills_up(tmp_path, mount, undisturbed):
    """Then there is room, and a plain run is all it takes."""
    mount(tmp_path / "disk", "-t", "tmpfs", "-o", "size=64k", "none")
    project = campaign_elsewhere(Project(tmp_path / "disk"))
    raw = {path: path.read_bytes() for path in project.folder.rglob("*.tsv")}
    filler = project.folder / "filler"
    with pytest.raises(OSError, match="No space left"), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    filler.unlink()
    mount(project.folder, "-o", "remount,size=160k")
    run = project.snakemake(check=False)
    assert run.returncode == 1
    assert "No space left on device" in run.stderr
    assert {path: path.read_bytes() for path in raw} == raw
    mount(project.folder, "-o", "remount,size=20m")
    project.snakemake()
    assert project.results() == undisturbed
    assert NOTHING in project.snakemake().stderr


def snakemake(folder: Path, *arguments: str) -> str:
    """A plain run in the folder, as from a shell that came there by this path."""
    run = loaded.snakemake(
        ["--workflow-profile", str(PROFILE), "--cores", "2", *arguments],
        folder,
        os.environ | {"PWD": str(folder)},
    )
    assert run.returncode == 0, run.stderr
    return run.stderr


def test_a_read_only_project_with_other_letters_reached_through_a_link(
    tmp_path, mount, undisturbed
):
    """Its runs are read-only, too."""
    project = campaign_elsewhere(Project(tmp_path / "l'hiver à Größe 2/наш проект"))
    for folder, source in [(tmp_path / "project", HOME), (project.folder / "die Läufe",) * 2]:
        mount(folder, "--bind", str(source))
        mount(folder, "-o", "remount,ro,bind")
        with pytest.raises(OSError, match="Read-only"):
            (folder / "x").touch()
    link = tmp_path / "a link"
    link.symlink_to(project.folder, target_is_directory=True)
    snakefile = ["-s", str(tmp_path / "project/Snakefile")]
    snakemake(link, *snakefile)
    assert project.results() == undisturbed
    board = pl.read_csv(project.folder / "results/tiny/leaderboard.csv")
    assert board["run"][0] == "gamma наш 1"
    assert NOTHING in snakemake(project.folder, *snakefile)
