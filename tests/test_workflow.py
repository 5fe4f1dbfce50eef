"""The DAG on tiny campaigns, end to end: what it makes, and what it makes again after an edit."""

import copy
import shutil

import polars as pl
import pytest
from conftest import HOME, JUDGMENTS, RUNS, TINY

BELOW = ["all", "leaderboard", "score_counts", "score_counts", "score_verdicts", "summary", "tally"]
COUNTED = {"task": "qa", "counts": "raw/counts.csv", "measures": ["c@1"]}


def leaderboard(project, campaign="tiny"):
    return pl.read_csv(project.folder / f"results/{campaign}/leaderboard.csv")


def edit(project, name, old, new):
    path = project.folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_scores_of_the_tiny_campaign(tiny):
    tiny.snakemake()
    table = leaderboard(tiny)
    # gamma: q1, q3, q4 right, q2 wrong; alpha: q1 right, q2 inexact, q4 wrong, q3 silent; beta misses q4.
    assert table.select("run", "rank", "n", "n_ac", "n_aw", "n_u", "n_missing").rows() == [
        ("gamma", 1, 4, 3, 1, 0, 0),
        ("alpha", 2, 4, 1, 2, 1, 0),
        ("beta", 2, 4, 1, 2, 1, 1),
    ]
    assert table["c@1"].to_list() == [0.75, 0.3125, 0.3125]
    assert table["tied"].to_list() == [False, True, True]
    assert "2=" in (tiny.folder / "results/tiny/leaderboard.md").read_text()


def test_same_bytes_on_one_core_and_on_many(tiny):
    tiny.snakemake(cores=1)
    one = tiny.results()
    tiny.snakemake("--forceall", cores=4)
    assert tiny.results() == one
    assert len(one) > 20


def test_without_the_default_profile(tiny):
    tiny.snakemake("--workflow-profile", "none")
    first = tiny.results()
    assert tiny.jobs("--workflow-profile", "none") == []
    edit(tiny, "raw/judgments.tsv", "q2\tRome\tX", "q2\tRome\tR")
    tiny.snakemake("--workflow-profile", "none")
    assert tiny.results() != first


def test_nothing_to_be_done_again(tiny):
    tiny.snakemake()
    assert "Nothing to be done" in tiny.snakemake().stderr
    (tiny.folder / "raw/runs/alpha.tsv").touch()
    assert tiny.jobs() == []


def test_a_judgment_that_changes_a_verdict(tiny):
    tiny.write("raw/counts.csv", "run,n_ac,n_aw,n_u\na,1,2,3\n")
    tiny.configure(tiny=TINY, counted=COUNTED)
    tiny.snakemake()
    edit(tiny, "raw/judgments.tsv", "q2\tRome\tX", "q2\tRome\tR")
    # No ingest of runs, nothing of the other campaign.
    assert tiny.jobs() == sorted(["check", "ingest_judgments", "verdicts", *BELOW])
    assert leaderboard(tiny)["n_ac"].sum() == 7


def test_a_judgment_that_changes_no_verdict(tiny):
    tiny.snakemake()
    before = tiny.results()
    edit(tiny, "raw/judgments.tsv", "q2\tRome\tX", "q2\tRome\tU")
    assert tiny.jobs() == ["check", "ingest_judgments", "verdicts"]
    changed = {name for name, content in tiny.results().items() if before[name] != content}
    assert changed == {"tiny/judgments.parquet"}
    assert tiny.jobs() == []


def test_a_new_run_repeats_its_shard_only(tiny):
    tiny.snakemake()
    tiny.write("raw/runs/delta.tsv", RUNS["alpha"].replace("Bonn", "Berlin"))
    jobs = tiny.jobs()
    assert jobs.count("ingest_runs") == 1 and "ingest_judgments" not in jobs
    assert leaderboard(tiny)["run"].to_list() == ["gamma", "delta", "alpha", "beta"]


def test_a_new_measure_is_the_only_one_scored(tiny):
    tiny.snakemake()
    tiny.configure(tiny=TINY | {"measures": [*TINY["measures"], "uf"]})
    assert tiny.jobs() == ["all", "leaderboard", "score_counts", "summary"]


def test_results_after_edits_are_those_of_a_run_from_scratch(tiny, tmp_path_factory):
    from conftest import Project

    tiny.snakemake()
    edit(tiny, "raw/judgments.tsv", "q2\tMilan\tW", "q2\tMilan\tR")
    edit(tiny, "raw/runs/beta.tsv", "q3\tOslo\t0.7", "q3\t\t")
    tiny.snakemake()
    fresh = Project(tmp_path_factory.mktemp("fresh"))
    for path in (tiny.folder / "raw").rglob("*.tsv"):
        fresh.write(str(path.relative_to(tiny.folder)), path.read_text())
    fresh.configure(tiny=TINY)
    fresh.snakemake()
    assert fresh.results() == tiny.results()


def test_an_edit_to_a_measures_module_repeats_what_uses_it(tiny):
    project = tiny.folder / "project"
    for name in ("Snakefile", "workflow", "scripts", "profiles", "resources/published"):
        copy_of(HOME / name, project / name)
    snakefile = ["-s", str(project / "Snakefile")]
    pairs = {"task": "validation", "counts": "raw/counts.csv", "measures": ["c@1"]}
    tiny.write("raw/counts.csv", "run,tp,fp,fn,tn\na,1,2,3,4\n")
    tiny.configure(tiny=TINY, pairs=pairs)
    tiny.snakemake(*snakefile)
    module = project / "scripts/nonresponse/measures/validation.py"
    module.write_text(module.read_text() + "# edited\n")
    assert tiny.jobs(*snakefile) == ["all", "leaderboard", "score_counts", "summary"]
    module = project / "scripts/nonresponse/measures/question_answering.py"
    module.write_text(module.read_text() + "# edited\n")
    jobs = tiny.jobs(*snakefile)
    assert jobs.count("score_counts") == 2 and jobs.count("score_verdicts") == 1
    assert not {"ingest_runs", "verdicts", "tally"} & set(jobs)


def copy_of(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)


def test_removed_runs_leave_the_results(tiny):
    tiny.snakemake()
    (tiny.folder / "raw/runs/gamma.tsv").unlink()
    tiny.snakemake()
    assert sorted(leaderboard(tiny)["run"]) == ["alpha", "beta"]


def test_paths_with_spaces_and_other_letters(project):
    runs = copy.deepcopy(TINY)
    runs["runs"]["files"] = "die Läufe/*.tsv"
    runs["judgments"]["files"] = "Urteile 1.tsv"
    for run, text in RUNS.items():
        project.write(f"die Läufe/{run} наш.tsv", text)
    project.write("Urteile 1.tsv", JUDGMENTS)
    project.configure(tiny=runs)
    project.snakemake()
    assert leaderboard(project)["run"].to_list()[0] == "gamma наш"


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "tsv.gz", "csv.zst"])
def test_the_same_runs_in_another_format_give_the_same_scores(tiny, ending):
    tiny.snakemake()
    expected = tiny.results()["tiny/leaderboard.csv"]
    for run in RUNS:
        path = tiny.folder / f"raw/runs/{run}.tsv"
        frame = pl.read_csv(path, separator="\t")
        target = path.with_name(f"{run}.{ending}")
        if ending == "parquet":
            frame.write_parquet(target)
        elif ending == "jsonl":
            frame.write_ndjson(target)
        else:
            separator = "\t" if ending.startswith("tsv") else ","
            target.write_bytes(packed(frame.write_csv(separator=separator).encode(), ending))
        path.unlink()
    config = copy.deepcopy(TINY)
    config["runs"]["files"] = f"raw/runs/*.{ending}"
    tiny.configure(tiny=config)
    tiny.snakemake()
    assert tiny.results()["tiny/leaderboard.csv"] == expected


def packed(data: bytes, ending: str) -> bytes:
    import pyarrow

    if ending.endswith("gz"):
        return pyarrow.compress(data, codec="gzip", asbytes=True)
    return pyarrow.compress(data, codec="zstd", asbytes=True) if ending.endswith("zst") else data
