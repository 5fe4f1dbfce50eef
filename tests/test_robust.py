"""Results damaged between two runs, two runs at once, a full disk, a read-only project, links and unusual paths.

With EACH_FILE=1 in the environment every result is deleted alone and cut to half alone (half an hour); else some are.
"""

import copy
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import HOME, JUDGMENTS, RUNS, TINY, Project
from nonresponse import intact

QUICK = {"trials": 20, "size_trials": 2, "samples": 100, "exchanges": 100, "deals": 100}
PUBLISHED = HOME / "resources/penas-2011-table-3/counts.csv"
GRADED = "question,run,verdict\nq1,a,R\nq2,a,W\nq3,a,U\nq1,b,R\nq2,b,R\nq3,b,W\n"
NOTHING = "Nothing to be done"


def three_doors(project: Project) -> Project:
    for run, text in RUNS.items():
        project.write(f"raw/runs/{run}.tsv", text)
    project.write("raw/judgments/final.tsv", JUDGMENTS)
    project.write("raw/judgments/other.tsv", JUDGMENTS.replace("q1\tLyon\tW", "q1\tLyon\tR"))
    project.write("raw/graded.csv", GRADED)
    project.write("raw/counts.csv", PUBLISHED.read_text())
    judgments = {"format": "tabular", "files": "raw/judgments/*.tsv", "official": "final"}
    graded = {"format": "tabular", "files": "raw/graded.csv", "layout": "long", "columns": {"verdict": "verdict"}}
    graded["verdicts"] = {"R": "correct", "W": "wrong", "U": "unanswered"}
    project.configure(
        QUICK,
        tiny=TINY | {"judgments": judgments, "measures": ["c@1"], "shards": 2},
        graded={"task": "qa", "graded": graded, "measures": ["accuracy"], "reliability": {"analyses": []}},
        **{
            "penas-2011-table-3": {
                "task": "qa",
                "counts": "raw/counts.csv",
                "measures": ["c@1", "accuracy", "uf", "precision_answered", "answered"],
            }
        },
    )
    return project


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory) -> Project:
    """A campaign through each door, evaluated once; a test leaves it as it found it."""
    project = three_doors(Project(tmp_path_factory.mktemp("evaluated")))
    project.snakemake()
    project.before = project.results()
    return project


def damage(path: Path, how: str) -> bool:
    """Deletes a file or cuts it to half; whether that changed anything."""
    if how == "delete":
        path.unlink()
        return True
    size = path.stat().st_size
    os.truncate(path, size // 2)
    return size > 0


def mended(project: Project, damages: dict[str, str]) -> str:
    """Damages these results, runs Snakemake once, and compares; what it said."""
    done = [name for name, how in damages.items() if damage(project.folder / "results" / name, how)]
    run = project.snakemake()
    after = project.results()
    changed = {name for name in project.before.keys() | after if project.before.get(name) != after.get(name)}
    assert changed == set()
    assert not done or "is computed again" in run.stderr
    return run.stderr


EACH = [
    *["tiny/verdicts.parquet", "tiny/check.txt", "tiny/responses/1.parquet", "tiny/counts.parquet"],
    *["tiny/leaderboard.csv", "tiny/figures/swap.svg", "summary.md"],
]


@pytest.mark.xdist_group("evaluated")
@pytest.mark.parametrize("name", EACH)
def test_one_file_is_deleted_or_cut_short(evaluated, name):
    how = "delete" if EACH.index(name) % 2 else "cut"
    said = mended(evaluated, {name: how})
    assert f"results/{name} is " + ("missing" if how == "delete" else "damaged") in said


@pytest.mark.xdist_group("evaluated")
@pytest.mark.parametrize("turn", [0, 1])
def test_every_file_is_deleted_or_cut_short(evaluated, turn):
    """All at once, every second one deleted and the others cut; then the other way round."""
    names = list(evaluated.before)
    assert len(names) > 70
    mended(evaluated, {name: ("delete", "cut")[(turn + place) % 2] for place, name in enumerate(names)})
    assert NOTHING in evaluated.snakemake().stderr


@pytest.mark.xdist_group("evaluated")
@pytest.mark.skipif(not os.environ.get("EACH_FILE"), reason="EACH_FILE=1 damages each file alone")
@pytest.mark.parametrize("how", ["delete", "cut"])
def test_each_file_alone(evaluated, how):
    for name in evaluated.before:
        print(f"{name}: {how}", flush=True)
        mended(evaluated, {name: how})
    assert NOTHING in evaluated.snakemake().stderr


@pytest.mark.xdist_group("evaluated")
def test_a_table_cut_short_where_a_killed_run_left_no_note(evaluated):
    (evaluated.folder / intact.NOTE).unlink()
    said = mended(evaluated, {"tiny/counts.parquet": "cut"})
    assert "results/tiny/counts.parquet is damaged" in said and "without an end" in said


@pytest.mark.xdist_group("evaluated")
def test_a_dry_run_tells_of_damage_and_leaves_it(evaluated):
    path = evaluated.folder / "results/summary.md"
    damage(path, "cut")
    assert "results/summary.md is damaged" in evaluated.snakemake("--dry-run").stderr
    assert path.exists()
    assert "results/summary.md is damaged" in evaluated.snakemake().stderr
    assert evaluated.results() == evaluated.before


def test_what_the_configuration_no_longer_asks_for_is_left_alone(small):
    small.snakemake()
    small.configure(tiny=SMALL | {"measures": ["accuracy"]})
    old = small.folder / "results/tiny/scores/c@1.parquet"
    own = small.write("results/tiny/notes.txt", "what I think")
    small.snakemake()
    damage(old, "cut")
    damage(own, "cut")
    run = small.snakemake()
    assert NOTHING in run.stderr and "damaged" not in run.stderr
    assert old.exists() and own.exists()


SMALL = TINY | {"measures": ["c@1"], "shards": 1}


def small_campaign(project: Project) -> Project:
    """One measure and no analyses; names and paths with spaces and letters of other alphabets."""
    for run, text in RUNS.items():
        project.write(f"die Läufe/{run} наш 1.tsv", text)
    project.write("l'été 2.tsv", JUDGMENTS)
    campaign = copy.deepcopy(SMALL)
    campaign["runs"]["files"] = "die Läufe/*.tsv"
    campaign["judgments"]["files"] = "l'été 2.tsv"
    project.configure(tiny=campaign)
    return project


@pytest.fixture
def small(project):
    for run, text in RUNS.items():
        project.write(f"raw/runs/{run}.tsv", text)
    project.write("raw/judgments.tsv", JUDGMENTS)
    project.configure(tiny=SMALL)
    return project


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> dict[str, bytes]:
    """The results of the small campaign in a plain folder."""
    project = small_campaign(Project(tmp_path_factory.mktemp("plain")))
    project.snakemake()
    return project.results()


def start(project: Project, **environment) -> subprocess.Popen:
    command = [sys.executable, "-m", "snakemake", "-s", str(HOME / "Snakefile"), "--cores", "1"]
    env = os.environ | environment
    return subprocess.Popen(command, cwd=project.folder, env=env, stderr=subprocess.PIPE, text=True)


@pytest.mark.xdist_group("undisturbed")
def test_a_second_snakemake_is_refused(project, undisturbed):
    small_campaign(project)
    first = start(project)
    locks = project.folder / ".snakemake/locks"
    while not any(locks.glob("*.output.lock")):
        assert first.poll() is None
        time.sleep(0.02)
    second = project.snakemake(check=False)
    assert first.poll() is None and second.returncode == 1
    assert "Another Snakemake is at work" in second.stderr and "Traceback" not in second.stderr
    first.communicate(timeout=100)
    assert first.returncode == 0
    assert NOTHING in project.snakemake().stderr
    assert project.results() == undisturbed


@pytest.mark.parametrize("asking", ["--list-rules", "--summary", "--dag", "-n"])
def test_a_question_moves_nothing_and_a_run_keeps_what_was_edited(tiny, asking):
    tiny.snakemake()
    page = tiny.folder / "results/summary.md"
    page.write_text(edited := page.read_text() + "a note of mine\n")
    tiny.snakemake(asking)
    assert page.read_text() == edited
    if asking == "-n":
        tiny.snakemake()
        assert page.read_text() != edited
        assert (tiny.folder / ".snakemake/nonresponse/taken/results/summary.md").read_text() == edited


def test_a_page_of_changes_that_was_cut(tiny):
    tiny.snakemake()
    page = tiny.folder / "results/tiny/changes.md"
    whole = page.read_bytes()
    page.write_bytes("1 → 2".encode()[:4])
    assert "changes.md is damaged" in tiny.snakemake().stderr
    assert page.read_bytes() == whole


def test_hooks_left_out(tiny):
    tiny.snakemake()
    judgments = tiny.folder / "raw/judgments.tsv"
    judgments.write_text(judgments.read_text().replace("Rome\tX", "Rome\tR"))
    tiny.snakemake("--no-hooks")
    assert "damaged" not in tiny.snakemake().stderr


@pytest.mark.xdist_group("undisturbed")
def test_two_snakemakes_in_the_same_moment(project, undisturbed):
    small_campaign(project)
    both = [start(project) for _ in range(2)]
    said = [process.communicate(timeout=100)[1] for process in both]
    assert sorted(process.returncode for process in both) == [0, 1], said
    refused = said[0] if both[0].returncode else said[1]
    assert "Another Snakemake is at work" in refused and "Traceback" not in refused
    assert NOTHING in project.snakemake().stderr
    assert project.results() == undisturbed


@pytest.fixture
def mount():
    """Mounts, as `mount` of the command line does, and unmounts at the end."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a file system")
    mounted = []

    def at(folder: Path, *options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        run = subprocess.run(["mount", *options, str(folder)], capture_output=True, text=True)
        if run.returncode and not mounted:
            pytest.skip(f"no file system can be mounted here: {run.stderr.strip()}")
        assert run.returncode == 0, run.stderr
        mounted.append(folder)

    yield at
    for folder in dict.fromkeys(reversed(mounted)):
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.xdist_group("undisturbed")
@pytest.mark.parametrize("kilobytes", [72, 160])
def test_a_disk_that_fills_up(tmp_path, mount, undisturbed, kilobytes):
    """It is full in the first jobs, or further down; then there is room, and a plain run is all it takes."""
    mount(tmp_path / "disk", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none")
    project = small_campaign(Project(tmp_path / "disk"))
    raw = {path: path.read_bytes() for path in project.folder.rglob("*.tsv")}
    run = project.snakemake(check=False)
    assert run.returncode == 1
    assert "No space left on device" in run.stderr
    assert {path: path.read_bytes() for path in raw} == raw
    mount(project.folder, "-o", "remount,size=20m")
    project.snakemake()
    assert project.results() == undisturbed
    assert NOTHING in project.snakemake().stderr


def test_a_disk_that_is_full_at_the_start(tmp_path, mount):
    mount(tmp_path / "disk", "-t", "tmpfs", "-o", "size=64k", "none")
    project = small_campaign(Project(tmp_path / "disk"))
    with pytest.raises(OSError, match="No space left"), (project.folder / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    run = project.snakemake(check=False)
    assert run.returncode == 1
    assert f"The disk of {project.folder} is full: make room" in run.stderr
    assert "Traceback" not in run.stderr and not (project.folder / "results").exists()


def snakemake(folder: Path, *arguments: str) -> str:
    """A plain run in the folder, as from a shell that came there by this path."""
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
    env = os.environ | {"PWD": str(folder)}
    run = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stderr


@pytest.mark.xdist_group("undisturbed")
def test_a_read_only_project_and_read_only_runs(tmp_path, mount, undisturbed):
    project = small_campaign(Project(tmp_path / "work"))
    for folder, source in [(tmp_path / "project", HOME), (project.folder / "die Läufe",) * 2]:
        mount(folder, "--bind", str(source))
        mount(folder, "-o", "remount,ro,bind")
        with pytest.raises(OSError, match="Read-only"):
            (folder / "x").touch()
    snakefile = ["-s", str(tmp_path / "project/Snakefile")]
    snakemake(project.folder, *snakefile)
    assert project.results() == undisturbed
    assert NOTHING in snakemake(project.folder, *snakefile)


@pytest.mark.xdist_group("undisturbed")
def test_a_project_folder_with_other_letters_reached_through_a_link(tmp_path, undisturbed):
    folder = tmp_path / "l'hiver à Größe 2/наш проект"
    for name in ("workflow", "scripts", "profiles", "resources/published"):
        shutil.copytree(HOME / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HOME / "Snakefile", folder)
    project = small_campaign(Project(folder))
    link = tmp_path / "a link"
    link.symlink_to(folder, target_is_directory=True)
    snakemake(link)
    assert project.results() == undisturbed
    assert NOTHING in snakemake(folder)
    assert NOTHING in snakemake(tmp_path, "-s", "a link/Snakefile", "--directory", "a link")


@pytest.mark.xdist_group("undisturbed")
def test_a_working_folder_elsewhere(tmp_path, undisturbed):
    project = small_campaign(Project(tmp_path / "l'été/ailleurs ж"))
    link = tmp_path / "link"
    link.symlink_to(HOME, target_is_directory=True)
    snakemake(tmp_path, "-s", "link/Snakefile", "--directory", str(project.folder))
    assert project.results() == undisturbed
    assert NOTHING in snakemake(project.folder, "-s", str(HOME / "Snakefile"))
    assert not (tmp_path / "results").exists() and not (tmp_path / ".snakemake").exists()
