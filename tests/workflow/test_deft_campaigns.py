"""The two tasks of DEFT 2011 through the whole DAG: files of both forms, two assessors, all analyses."""

import shutil
from types import SimpleNamespace

import polars as pl
import pytest
from conftest import QUICK, Project, edit
from literal_hypotheses import Literal, near

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("deft")]  # they copy what one of them has evaluated

QUESTIONS = [f"f{i:02}" for i in range(10)]
YEARS = {q: 1810 + 13 * i for i, q in enumerate(QUESTIONS)}
LABELS = {q: f"t{i % 7}" for i, q in enumerate(QUESTIONS)}
CATEGORIES = {q: ["early", "late"][i // 5] for i, q in enumerate(QUESTIONS)}
SHARDS = 2


def made(right: dict, miss) -> dict[str, list[tuple]]:
    """Four runs as (question, answer, confidence); miss(answer, by) is another answer, or with 0 the same."""
    runs = {"exact": [], "split": [], "markup": [], "shy": []}
    for i, (q, answer) in enumerate(right.items()):
        runs["exact"].append((q, answer, None))
        runs["split"] += [(q, miss(answer, i % 4), 0.6), (q, miss(answer, 9), 0.4)]
        first, last = (0.5, 0.25) if i < 5 else (0.25, 0.5)
        runs["markup"] += [(q, miss(answer, 11), first), (q, answer, last), (q, miss(answer, 2), 0.25)]
        if i > 1:  # the first two are not mentioned
            runs["shy"].append((q, None if i == 3 else miss(answer, 12 if i > 5 else 1), None))
    return runs


CAMPAIGNS = {
    "dating": (YEARS, made(YEARS, lambda year, by: max(year - by, 1801))),
    "matching": (LABELS, made(LABELS, lambda label, by: f"t{(int(label[1:]) + by) % 13}")),
}
MEASURES = {"dating": ["s", "auc@10"], "matching": ["s", "s_c"]}


def second(task: str, right: dict) -> dict:
    """The references of another assessor, who differs in two questions."""
    other = {"f00": 1813, "f07": 1893} if task == "dating" else {"f00": "t3", "f07": "t12"}
    return right | other


def table(task: str, rows: list[tuple]) -> str:
    answer = {"dating": "year", "matching": "label"}[task]
    lines = ["\t".join("" if value is None else str(value) for value in row) for row in rows]
    return f"question\t{answer}\tconfidence\n" + "".join(f"{line}\n" for line in lines)


def markup(task: str, rows: list[tuple]) -> str:
    """A line for each question."""
    answer = {"dating": "year", "matching": "label"}[task]
    documents = {}
    for q, value, confidence in rows:
        share = "" if confidence is None else f' confidence="{confidence}"'
        documents.setdefault(q, []).append(f'<hypothesis {answer}="{value}"{share}/>')
    lines = [f'<doc id="{q}">{"".join(own)}</doc>\n' for q, own in documents.items()]
    return "<deft>\n" + "".join(lines) + "</deft>\n"


def configuration() -> dict[str, dict]:
    def files(task, kind):
        return {"format": "deft", "files": f"{task}/{kind}/*"}

    return {
        task: {
            "task": task,
            "runs": files(task, "runs"),
            "judgments": files(task, "references") | {"official": "first"},
            "questions": f"{task}/questions.tsv",
            "measures": MEASURES[task],
            "baseline": "shy",
            "shards": SHARDS,
        }
        for task in CAMPAIGNS
    }


def written(project: Project) -> Project:
    for task, (right, runs) in CAMPAIGNS.items():
        for run, rows in runs.items():
            form, ending = (markup, "xml") if run == "markup" else (table, "tsv")
            project.write(f"{task}/runs/{run}.{ending}", form(task, rows))
        reference = [(q, answer, None) for q, answer in right.items()]
        other = [(q, answer, None) for q, answer in second(task, right).items()]
        project.write(
            f"{task}/references/first.tsv", table(task, reference).replace("\tconfidence", "").replace("\t\n", "\n")
        )
        project.write(f"{task}/references/second.xml", markup(task, other))
        asked = "".join(f"{q}\t{category}\n" for q, category in CATEGORIES.items())
        project.write(f"{task}/questions.tsv", f"question\tcategory\n{asked}")
    project.configure(QUICK, **configuration())
    return project


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory) -> Project:
    """Both campaigns with all analyses; only to be read, or copied."""
    project = written(Project(tmp_path_factory.mktemp("evaluated")))
    project.snakemake()
    return project


@pytest.fixture
def study(evaluated, tmp_path) -> Project:
    shutil.copytree(evaluated.folder, tmp_path, dirs_exist_ok=True)
    return Project(tmp_path)


def read(project: Project, name: str) -> pl.DataFrame:
    path = project.folder / "results" / name
    return pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_csv(path)


def literal(task: str, run: str, assessor: str = "first", right: dict | None = None) -> Literal:
    own, runs = CAMPAIGNS[task]
    own = right or own
    rows = {run: [dict(zip(("question", "answer", "confidence"), row, strict=True)) for row in runs[run]]}
    references = {"first": own, "second": second(task, own)}
    questions = [{"question": q, "category": CATEGORIES[q]} for q in own]
    made = SimpleNamespace(task=task, runs=rows, references=references, questions=questions)
    return Literal(made, run, assessor, "wrong")


OF = {"s": Literal.s, "s_c": Literal.s_c, "auc@10": lambda run: run.auc(10)}


@pytest.mark.parametrize("task", CAMPAIGNS)
def test_the_leaderboard_is_that_of_plain_loops(evaluated, task):
    board = {row["run"]: row for row in read(evaluated, f"{task}/leaderboard.csv").rows(named=True)}
    assert set(board) == set(CAMPAIGNS[task][1])
    for run, row in board.items():
        counts = literal(task, run).counts()
        shown = ("n", "n_ac", "n_aw", "n_u", "n_missing")
        assert [row[name] for name in shown] == [counts[name] for name in shown], run
        for id in MEASURES[task]:
            assert near(row[id], OF[id](literal(task, run))), (run, id)
            assert row[f"{id} lower"] <= row[id] <= row[f"{id} upper"]
    assert [board["shy"][name] for name in ("n_u", "n_missing")] == [3, 2]
    assert board["exact"]["rank"] == 1 and all(board["exact"][id] == 1 for id in MEASURES[task])
    page = (evaluated.folder / f"results/{task}/leaderboard.md").read_text()
    header = next(line for line in page.splitlines() if line.startswith("| "))
    assert "n_u" in header


@pytest.mark.parametrize("task", CAMPAIGNS)
def test_every_analysis_is_there(evaluated, task):
    """For s and s_c, which are means of reals, and for the area."""
    folder = evaluated.folder / "results" / task
    for id in MEASURES[task]:
        pairs = 6  # of four runs
        assert read(evaluated, f"{task}/reliability/swap/{id}.parquet")["comparisons"].sum() == QUICK["trials"] * pairs
        stability = read(evaluated, f"{task}/reliability/stability/{id}.parquet")
        assert (stability["comparisons"] == QUICK["trials"] * pairs).all() and stability["error_rate"].max() < 1 / 2
        intervals = read(evaluated, f"{task}/reliability/intervals/{id}.parquet")
        for run, value, lower, upper in intervals.select("run", "value", "lower", "upper").rows():
            assert near(value, OF[id](literal(task, run))) and 0 <= lower <= value <= upper <= 1
        comparisons = read(evaluated, f"{task}/reliability/comparisons/{id}.parquet")
        assert comparisons.height == pairs and comparisons["p"].is_between(0, 1).all()
        assert read(evaluated, f"{task}/reliability/questions_needed/{id}.parquet").height > 0
        scores = read(evaluated, f"{task}/scores/{id}.parquet")
        for assessor, run, value in scores.select("assessor", "run", "value").rows():
            assert near(value, OF[id](literal(task, run, assessor)))
    rankings = read(evaluated, f"{task}/reliability/summaries/rankings.csv")
    assert {"first", "second"} <= {*rankings["a"], *rankings["b"]} and rankings["tau"].is_between(-1, 1).all()
    assert read(evaluated, f"{task}/reliability/summaries/sensitivity.csv")["measure"].to_list() == MEASURES[task]
    assert (folder / "reliability.md").is_file() and (folder / "figures/rankings-assessors.svg").is_file()


def test_faults_in_one_report(study):
    before = study.results()
    edit(study, "dating/runs/split.tsv", "f05\t1874\t0.6", "f05\t1999\t0.6")
    edit(study, "dating/runs/markup.xml", 'year="1927" confidence="0.5"', 'year="1927" confidence="0.4"')
    edit(study, "dating/references/first.tsv", "f04\t1862\n", "")
    run = study.snakemake(check=False)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    report = (study.folder / "results/dating/faults.txt").read_text()
    assert report in run.stderr and run.stderr.count("dating: 3 faults in 3 files") == 1
    lines = [line.strip() for line in report.splitlines()]
    assert lines[:4] == [
        "dating: 3 faults in 3 files",
        "dating/references/*: found no reference for question 'f04' by 'first'; expected one for each question",
        "dating/runs/markup.xml:11: found confidences of question 'f09' that sum to 0.9; "
        "expected a sum of 1 (within 0.000001)",
        "dating/runs/split.tsv:12: found the year '1999'; expected a year from 1801 to 1944 (`years:` in config.yaml)",
    ]
    after = study.results()
    kept = ("verdicts", "counts", "scores", "leaderboard", "reliability", "figures")
    there = [name for name in before if name.startswith(("matching/", *[f"dating/{part}" for part in kept]))]
    assert there and [name for name in there if after.get(name) != before[name]] == []
