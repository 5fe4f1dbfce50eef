"""Results lost or edited between two runs, two runs at once, a full disk, a read-only project, links and unusual paths.

With EACH_FILE=1 in the environment every result is deleted alone (a quarter of an hour); else some are.
"""

import contextlib
import copy
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import loaded
import loaded_jobs
import polars as pl
import pytest
from conftest import HOME, JUDGMENTS, QUICK, RUNS, SMALL, SNAKEMAKE, TINY, Project, copy_workflow, edit, evaluate_once
from nonresponse import checksums

pytestmark = pytest.mark.slow

PUBLISHED = HOME / "resources/penas-2011-table-3/counts.csv"
THREE_DOORS = ["tiny", "graded", "penas-2011-table-3"]
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
                "measures": ["c@1", "accuracy"],
            }
        },
    )
    return project


@pytest.fixture
def three_evaluated(evaluated) -> Project:
    """A campaign through each door, evaluated once."""
    project = evaluated("three-doors", three_doors)
    project.before = project.results()
    return project


def removed(project: Project, names: list[str]) -> str:
    """Deletes these results, runs Snakemake once, and compares; what it said."""
    for name in names:
        path = project.folder / "results" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    run = project.snakemake()
    after = project.results()
    assert {name for name in project.before.keys() | after if project.before.get(name) != after.get(name)} == set()
    return run.stderr


# One of each campaign, which do not follow from each other.
EACH = [
    ["tiny/known.parquet", "graded/counts.parquet", "penas-2011-table-3/leaderboard.csv"],
    ["tiny/read/runs-1.sha256", "tiny/verdicts/0.parquet", "graded/leaderboard.csv"],
    ["summary.md", "report.html"],
]


@pytest.mark.parametrize("names", EACH, ids=" ".join)
def test_a_deleted_result_is_made_again(three_evaluated, names):
    removed(three_evaluated, names)


FOLDERS = ("figures", "outcomes", "views")  # results as a whole: of single files in them Snakemake knows nothing


@pytest.mark.parametrize("turn", [0, 1])
def test_every_second_result_is_deleted(three_evaluated, turn):
    names = [name for name in three_evaluated.before if Path(name).parent.name not in FOLDERS]
    removed(three_evaluated, [*names[turn::2], "tiny/figures", "tiny/outcomes", "graded/views"])
    assert NOTHING in three_evaluated.snakemake().stderr


@pytest.mark.skipif(not os.environ.get("EACH_FILE"), reason="EACH_FILE=1 deletes each result alone")
def test_each_result_alone_is_deleted(three_evaluated):
    for name in three_evaluated.before:
        print(name, flush=True)
        removed(three_evaluated, [name if Path(name).parent.name not in FOLDERS else str(Path(name).parent)])
    assert NOTHING in three_evaluated.snakemake().stderr


def test_every_file_is_a_result_that_is_asked_for(three_evaluated):
    """Or is in a folder that is asked for: other files would not be made again."""
    asked = checksums.noted(three_evaluated.folder / checksums.ASKED)
    files = {f"results/{name}" for name in three_evaluated.before} | {
        f"results/{name}/changes.md" for name in THREE_DOORS
    }
    assert {path for path in files if not any(str(it) in asked for it in (path, Path(path).parent))} == set()
    assert {path for path in asked if not (three_evaluated.folder / path).exists()} == set()


def whole_tree(folder: Path) -> dict:
    """Content and times of all files of a working folder, but what Snakemake keeps for itself."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    own = [folder / ".snakemake" / name for name in OF_SNAKEMAKE]
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in paths
        if not any(path.is_relative_to(it) for it in own)
    }


OF_SNAKEMAKE = ["log", "metadata", "locks", "iocache", "incomplete"]
QUESTIONS = [
    *["-n", "--dry-run --quiet all", "-n --forceall", "--list", "--list-target-rules", "--lint", "--print-compilation"],
    *["--summary", "--summ", "-D", "--list-untracked", "--list-params-changes", "--list-input-changes"],
    *["--list-changes code", "--dag", "--rulegraph mermaid-js", "--filegraph", "--d3dag", "--containerize"],
    *["--cleanup-metadata results/tiny/check.txt", "--unlock", "--cleanup-shadow", "--conda-cleanup-envs"],
    *["--delete-all-output -n", "--delete-temp-output", "--no-hooks -n", "--touch", "--mode subprocess -n"],
    *["--mode remote --list-untracked", "--report away/report.html", "--archive away/archive.tar.gz", "--help"],
]


def test_a_question_changes_nothing(three_evaluated):
    """Whatever it is asked, and however that is written: on a folder with an edited, a damaged and a lost result."""
    tmp_path = three_evaluated.folder
    (tmp_path / "away").mkdir()
    with (tmp_path / "results/summary.md").open("a") as page:
        page.write("a note of mine\n")
    os.truncate(tmp_path / "results/tiny/leaderboard.parquet", 100)
    (tmp_path / "results/graded/categories.csv").unlink()
    before = whole_tree(tmp_path)
    for question in QUESTIONS:
        run = three_evaluated.snakemake(*question.split(), check=False)
        said = run.stdout + run.stderr
        after = {name: what for name, what in whole_tree(tmp_path).items() if not name.startswith("away/")}
        assert after == before, question
        assert "Traceback" not in said and "unrecognized arguments" not in said, (question, said)


def edited(path: Path, how: str) -> None:
    """Another content of a result: shorter, as long as before, or as long and as old as before."""
    data, times = bytearray(path.read_bytes()), (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    if how == "cut":
        del data[len(data) // 2 :]
    else:
        data[len(data) // 2] ^= 1
    path.write_bytes(data)
    if how == "same size and time":
        os.utime(path, ns=times)


def verified(project: Project, *options: str) -> subprocess.CompletedProcess:
    """What scripts/verify.py says in the project's folder."""
    command = [sys.executable, str(HOME / "scripts/verify.py"), *options]
    return subprocess.run(command, cwd=project.folder, capture_output=True, text=True)


def test_a_run_stops_where_a_result_is_not_as_it_was_made(evaluated_small, tmp_path_factory):
    project, results = evaluated_small, evaluated_small.folder / "results/tiny"
    assert re.fullmatch(r"All \d\d results are as they were made\.\n", verified(project).stdout)
    whole = shutil.copytree(results, tmp_path_factory.mktemp("whole"), dirs_exist_ok=True)
    (results.parent / "summary.md").unlink()
    names = ["judgments.parquet", "counts.parquet", "scores/c@1.parquet", "leaderboard.md", "changes.md"]
    for how in ("cut", "same size", "same size and time"):
        for name in names:
            shutil.copy2(whole / name, results / name)
            edited(results / name, how)
        before = whole_tree(project.folder)
        run, said = project.snakemake(check=False), verified(project)
        assert whole_tree(project.folder) == before
        assert run.returncode == said.returncode == 1
        for name in names:
            sentence = f"results/tiny/{name} has changed since it was made.\n"
            assert sentence in run.stderr and sentence in said.stdout, how
        assert "results/summary.md is missing.\n" in said.stdout and "Traceback" not in run.stderr
    # The two commands that the run names: one is as it was made, four are made again.
    rm, keep = re.findall(r"^    ((?:rm -r|python) .*)$", run.stderr, re.MULTILINE)
    assert set(shlex.split(rm)[2:]) == set(shlex.split(keep)[3:]) == {f"results/tiny/{name}" for name in names}
    (results / "judgments.parquet").write_bytes((whole / "judgments.parquet").read_bytes())
    for name in names[1:]:
        (results / name).unlink()
    project.snakemake()
    assert [name for name in names if (results / name).read_bytes() != (whole / name).read_bytes()] == []
    assert verified(project).returncode == 0


def test_an_edited_result_gives_no_wrong_score(evaluated_small):
    """n_ac of beta is 3 instead of 1, in a file as large as before; nothing follows unless somebody keeps it."""
    path, board = (
        evaluated_small.folder / "results/tiny/counts.parquet",
        evaluated_small.folder / "results/tiny/leaderboard.csv",
    )
    table, size, before = pl.read_parquet(path), path.stat().st_size, board.read_bytes()
    beta = pl.col("run") == "beta"
    table.with_columns(n_ac=pl.when(beta).then(3).otherwise("n_ac").cast(table.schema["n_ac"])).write_parquet(
        path, row_group_size=122_880
    )
    assert path.stat().st_size == size
    run = evaluated_small.snakemake(check=False)
    assert run.returncode == 1 and board.read_bytes() == before
    keep = re.search(r"^    python (.* --keep .*)$", run.stderr, re.MULTILINE)[1]
    subprocess.run([sys.executable, *shlex.split(keep)], cwd=evaluated_small.folder, check=True)
    evaluated_small.snakemake()
    assert pl.read_csv(board).filter(beta)["n_ac"].item() == 3
    assert verified(evaluated_small).returncode == 0 and NOTHING in evaluated_small.snakemake().stderr


def test_a_figure_that_is_lost_from_its_folder(three_evaluated):
    (three_evaluated.folder / "results/tiny/figures/swap.svg").unlink()
    sentence = "results/tiny/figures/swap.svg is missing."
    assert sentence in verified(three_evaluated).stdout
    run = three_evaluated.snakemake("--forcerun", "summary", check=False)
    assert (
        run.returncode == 1 and f"    {sentence}\n" in run.stderr and "    rm -r results/tiny/figures\n" in run.stderr
    )
    removed(three_evaluated, ["tiny/figures"])
    assert verified(three_evaluated).returncode == 0


NOTES = [".snakemake", ".snakemake/metadata", str(checksums.RESULTS)]


@pytest.mark.parametrize("lost", NOTES)
def test_results_without_a_note_are_made_again(evaluated_small, lost):
    """Other labels count as right now, and only the note would show that verdicts are of another configuration."""
    project = evaluated_small
    shutil.rmtree(project.folder / lost)
    project.configure(tiny=TINY | SMALL | {"judgments": TINY["judgments"] | {"correct": ["R", "X"]}})
    assert "No note, so made again" in project.snakemake().stderr
    board = pl.read_csv(project.folder / "results/tiny/leaderboard.csv")
    assert dict(board.select("run", "n_ac").iter_rows()) == {"alpha": 2, "beta": 2, "gamma": 3}
    assert verified(project).returncode == 0 and NOTHING in project.snakemake().stderr


def test_a_result_from_elsewhere_is_made_again(evaluated_small):
    """It is in the place of a result never made here: scores of c@1 under the name of another measure."""
    project = evaluated_small
    before = whole_tree(project.folder)
    project.configure(tiny=TINY | SMALL | {"measures": ["c@1", "accuracy"]})
    for folder in ("scores", "scores_by_category"):
        shutil.copy2(*[project.folder / f"results/tiny/{folder}/{id}.parquet" for id in ("c@1", "accuracy")])
    project.snakemake()
    board = pl.read_csv(project.folder / "results/tiny/leaderboard.csv")
    assert dict(board.select("run", "accuracy").iter_rows()) == {"alpha": 0.25, "beta": 0.25, "gamma": 0.75}
    assert before["results/tiny/verdicts/0.parquet"] == whole_tree(project.folder)["results/tiny/verdicts/0.parquet"]


def taken_back(project: Project, result: str) -> None:
    with contextlib.chdir(project.folder):
        checksums.add({result: None}, checksums.of_a_run() / "0")


def test_a_result_without_a_note_is_kept_only_where_somebody_says_so(evaluated_small):
    board = "results/tiny/leaderboard.csv"
    taken_back(evaluated_small, board)
    said = verified(evaluated_small)
    assert said.returncode == 1 and said.stdout == f"{board} is unfinished, or was not made here.\n"
    assert verified(evaluated_small, "--keep", board).returncode == 0
    assert NOTHING in evaluated_small.snakemake().stderr
    taken_back(evaluated_small, board)
    assert "leaderboard" in evaluated_small.jobs() and NOTHING in evaluated_small.snakemake().stderr


def test_touch_is_refused(evaluated_small):
    """It would make Snakemake treat an edit as scored."""
    edit(evaluated_small, "raw/judgments.tsv", "Rome\tX", "Rome\tR")
    before = whole_tree(evaluated_small.folder)
    run = evaluated_small.snakemake("--touch", check=False)
    assert run.returncode == 1 and "Nothing was touched" in run.stderr and "Traceback" not in run.stderr
    assert whole_tree(evaluated_small.folder) == before
    evaluated_small.snakemake()
    board = pl.read_csv(evaluated_small.folder / "results/tiny/leaderboard.csv")
    assert dict(board.select("run", "n_ac").iter_rows())["alpha"] == 2


def test_the_end_says_what_was_not_asked_for(evaluated_small):
    """And no news of a campaign whose scores are still those of other judgments."""
    whole = evaluated_small.snakemake("--forcerun", "summary").stdout
    assert whole == "All of it on one page, for a browser: results/report.html\n"
    edit(evaluated_small, "raw/judgments.tsv", "Rome\tX", "Rome\tR")
    parts = ["--until tally", "--omit-from leaderboard", "results/tiny/counts.parquet", "results/tiny/leaderboard.csv"]
    for part in parts:
        said = evaluated_small.snakemake(*part.split(), "--forcerun", "check").stdout
        news = re.findall(r"^tiny: 1 judgment and .* \(results/tiny/changes\.md\)$", said, re.MULTILINE)
        assert len(news) == ("leaderboard.csv" in part) and "on one page" not in said, part
        assert re.search(
            r"left as they were, perhaps out of date: (\d+) of \d+ results, results/report.html, ", said
        ), part
    assert evaluated_small.snakemake("--forcerun", "summary").stdout == whole


def test_remove_stays_within_results(evaluated_small, tmp_path_factory):
    """Whatever a note names, which may be that of another folder; links are followed before that is asked."""
    project, away = evaluated_small, tmp_path_factory.mktemp("away")
    mine = [project.write(f"{name}/mine.txt", "mine") for name in ("raw", "thesis", "results/old", "results/older")]
    (away / "mine.txt").write_text("mine")
    (project.folder / "results/link").symlink_to(away, target_is_directory=True)
    (project.folder / "results/thesis.txt").symlink_to(project.folder / "thesis/mine.txt")
    linked = ["results/link", "results/link/mine.txt", "results/thesis.txt"]
    names = ["raw", "thesis", "results/../thesis", str(away), *linked, "results/old"]
    with contextlib.chdir(project.folder):
        for name in names:
            checksums.add(checksums.states(checksums.files_in(name), {}), checksums.of_a_run() / "0")
    project.write("results/old/new.txt", "nobody has noted this")
    before = whole_tree(project.folder)
    verified(project, "--remove")
    assert before.keys() - whole_tree(project.folder).keys() == {"results/old/mine.txt"}
    assert (away / "mine.txt").exists() and [path.exists() for path in mine] == [True, True, False, True]


def test_former_results_are_left_alone_until_they_are_removed(tiny):
    small, campaign = tiny, TINY | SMALL
    small.configure(tiny=campaign | {"measures": ["c@1", "accuracy"]}, other=campaign)
    small.snakemake()
    small.configure(tiny=campaign | {"measures": ["accuracy"]})
    score, of_other = "results/tiny/scores/c@1.parquet", "results/other/leaderboard.csv"
    mine = [small.write(f"results/{name}/notes.txt", "what I think") for name in ("tiny", "other")]
    small.snakemake()
    assert all((small.folder / name).exists() for name in (score, of_other))
    edited(small.folder / of_other, "cut")
    edited(mine[0], "cut")
    small.snakemake("--forcerun", "summary")
    assert NOTHING in small.snakemake().stderr
    before = whole_tree(small.folder)
    said = verified(small)
    assert said.returncode == 0 and f"{score} is not asked for any more: --remove removes it.\n" in said.stdout
    assert f"{of_other} is not asked for any more, but has changed since it was made: remove it" in said.stdout
    assert whole_tree(small.folder) == before
    assert verified(small, "--remove").returncode == 0
    gone = before.keys() - whole_tree(small.folder)
    assert score in gone and of_other not in gone and not (small.folder / "results/other/faults").exists()
    current = checksums.noted(small.folder / checksums.ASKED)
    assert gone and all(name.startswith("results/") and name not in current for name in gone)
    assert all(path.exists() for path in mine)
    assert NOTHING in small.snakemake().stderr and "--remove removes it" not in verified(small).stdout


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


def start(project: Project, **environment) -> subprocess.Popen:
    command = [*SNAKEMAKE, "--cores", "1"]
    env = os.environ | environment
    return subprocess.Popen(command, cwd=project.folder, env=env, stderr=subprocess.PIPE, text=True)


def test_a_second_snakemake_is_refused(project, undisturbed):
    campaign_elsewhere(project)
    first = start(project, **loaded_jobs.environment())
    locks = project.folder / ".snakemake/locks"
    while not any(locks.glob("*.output.lock")):
        assert first.poll() is None
        time.sleep(0.02)
    second = project.snakemake(check=False)
    assert first.poll() is None and second.returncode == 1
    assert "cannot be locked" in second.stderr and "Traceback" not in second.stderr
    first.communicate(timeout=600)
    assert first.returncode == 0
    assert NOTHING in project.snakemake().stderr
    assert project.results() == undisturbed


def test_hooks_left_out(evaluated_small):
    edit(evaluated_small, "raw/judgments.tsv", "Rome\tX", "Rome\tR")
    evaluated_small.snakemake("--no-hooks")
    assert verified(evaluated_small).returncode == 0
    (evaluated_small.folder / "results/summary.md").unlink()
    evaluated_small.snakemake()


def test_two_snakemakes_in_the_same_moment(project, undisturbed):
    """One is refused, unless both come to the lock within a millisecond; whatever they did, the results are right."""
    campaign_elsewhere(project)
    both = [start(project) for _ in range(2)]
    said = [process.communicate(timeout=600)[1] for process in both]
    assert 0 in [process.returncode for process in both], said
    for process, text in zip(both, said, strict=True):
        assert process.returncode == 0 or ("cannot be locked" in text and "Traceback" not in text), text
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


@pytest.mark.parametrize("kilobytes", [64, 72, 160])
def test_a_disk_that_fills_up(tmp_path, mount, undisturbed, kilobytes):
    """Full at the start, in the first jobs, or further down; then there is room, and a plain run is all it takes."""
    mount(tmp_path / "disk", "-t", "tmpfs", "-o", "size=64k", "none")
    project = campaign_elsewhere(Project(tmp_path / "disk"))
    raw = {path: path.read_bytes() for path in project.folder.rglob("*.tsv")}
    filler = project.folder / "filler"
    with pytest.raises(OSError, match="No space left"), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    if kilobytes > 64:
        filler.unlink()
        mount(project.folder, "-o", f"remount,size={kilobytes}k")
    run = project.snakemake(check=False)
    assert run.returncode == 1
    assert "No space left on device" in run.stderr
    assert {path: path.read_bytes() for path in raw} == raw
    filler.unlink(missing_ok=True)
    mount(project.folder, "-o", "remount,size=20m")
    project.snakemake()
    assert project.results() == undisturbed
    assert NOTHING in project.snakemake().stderr


def snakemake(folder: Path, *arguments: str) -> str:
    """A plain run in the folder, as from a shell that came there by this path."""
    run = loaded.snakemake(["--cores", "2", *arguments], folder, os.environ | {"PWD": str(folder)})
    assert run.returncode == 0, run.stderr
    return run.stderr


def test_a_read_only_project_and_read_only_runs(tmp_path, mount, undisturbed):
    project = campaign_elsewhere(Project(tmp_path / "work"))
    for folder, source in [(tmp_path / "project", HOME), (project.folder / "die Läufe",) * 2]:
        mount(folder, "--bind", str(source))
        mount(folder, "-o", "remount,ro,bind")
        with pytest.raises(OSError, match="Read-only"):
            (folder / "x").touch()
    snakefile = ["-s", str(tmp_path / "project/Snakefile")]
    snakemake(project.folder, *snakefile)
    assert project.results() == undisturbed
    assert NOTHING in snakemake(project.folder, *snakefile)


def test_a_project_folder_with_other_letters_reached_through_a_link(tmp_path, undisturbed):
    folder = tmp_path / "l'hiver à Größe 2/наш проект"
    project = campaign_elsewhere(Project(copy_workflow(folder)))
    link = tmp_path / "a link"
    link.symlink_to(folder, target_is_directory=True)
    snakemake(link)
    assert project.results() == undisturbed
    assert NOTHING in snakemake(folder)
    assert NOTHING in snakemake(tmp_path, "-s", "a link/Snakefile", "--directory", "a link")


def test_a_working_folder_elsewhere(tmp_path, undisturbed):
    project = campaign_elsewhere(Project(tmp_path / "l'été/ailleurs ж"))
    link = tmp_path / "link"
    link.symlink_to(HOME, target_is_directory=True)
    snakemake(tmp_path, "-s", "link/Snakefile", "--directory", str(project.folder))
    assert project.results() == undisturbed
    assert pl.read_csv(project.folder / "results/tiny/leaderboard.csv")["run"][0] == "gamma наш 1"
    assert NOTHING in snakemake(project.folder, "-s", str(HOME / "Snakefile"))
    assert not (tmp_path / "results").exists() and not (tmp_path / ".snakemake").exists()


def test_a_run_in_files_of_several_shards_is_judged_as_a_whole(project):
    """With the first of them; its questions once counted twice."""
    answers = {name: RUNS[name].splitlines() for name in ("alpha", "gamma")}
    for number in range(4):
        lines = ["run\tquestion\tanswer"]
        for run, rows in answers.items():
            question, answer, _ = rows[number + 1].split("\t")
            lines.append(f"{run}\t{question}\t{answer}")
        project.write(f"raw/runs/{number}.tsv", "\n".join(lines) + "\n")
    project.write("raw/judgments.tsv", JUDGMENTS)
    runs = {"format": "tabular", "files": "raw/runs/*.tsv", "run": "run"}
    campaign = TINY | {"runs": runs, "measures": ["c@1", "accuracy"]}
    project.configure(one=campaign | {"shards": 1}, several=campaign | {"shards": 5})
    project.snakemake()
    sharing = json.loads((project.folder / "results/several/sharing.json").read_text())
    assert len(sharing) > 1 and all(its == sorted(map(int, sharing)) for its in sharing.values())
    one, several = (
        pl.read_csv(project.folder / f"results/{name}/leaderboard.csv").drop("campaign") for name in ("one", "several")
    )
    assert several.equals(one) and one["n"].to_list() == [4, 4]


@pytest.mark.parametrize("name", ["counts.parquet", "counts_by_category.parquet", "counts_by_variant.parquet"])
def test_each_file_that_the_counting_writes_is_made_again(three_evaluated, name):
    """Snakemake asks for the first of them; what else it needs, it knows only then."""
    removed(three_evaluated, [f"tiny/{name}"])
