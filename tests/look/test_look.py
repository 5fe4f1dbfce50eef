"""What is said of files that somebody has, and that the block for config.yaml runs as it is."""

import json
import re
import tracemalloc
from pathlib import Path

import log_samples
import pytest
import yaml
from conftest import HOME
from looked import looked_at, run, verdicts
from nonresponse import campaign as config
from nonresponse import formats
from nonresponse.front import actions
from nonresponse.ingest.files import files_of
from nonresponse.look import block, tables
from nonresponse.look.campaigns import campaigns, pattern
from nonresponse.look.files import look
from reading import DATA, needs, write

LONG = "run,qid,question,grade,subject\na,1,?,yes,x\na,2,??,no,y\nb,1,?,abstained,x\nb,2,??,,y\n"
# Tables as people have them: their files, and what becomes of each, by run and question or as counts.
TABLES: dict[str, tuple[dict[str, str | bytes], object]] = {
    "long, with verdicts": (
        {"graded.csv": LONG},
        {("a", "1"): "correct", ("a", "2"): "wrong", ("b", "1"): "unanswered", ("b", "2"): "unscored"},
    ),
    "a file per run, of SimpleQA's letters": (
        {"m/x.csv": "problem,target,grade\np,t,A\nr,t,B\n", "m/y.csv": "problem,target,grade\np,t,C\nr,t,A\n"},
        {("x", "p"): "correct", ("x", "r"): "wrong", ("y", "p"): "unanswered", ("y", "r"): "correct"},
    ),
    "long, with numbers": (
        {"a.jsonl": '{"id": 1, "correct": true}\n{"id": 2, "correct": false}\n'},
        {("a", "1"): "correct", ("a", "2"): "wrong"},
    ),
    "long, with scores": (
        {"a.csv": "question,model,score\n1,a,0.75\n2,a,0.25\n3,a,\n4,a,1\n"},
        {("a", "1"): "correct", ("a", "2"): "wrong", ("a", "3"): "unscored", ("a", "4"): "correct"},
    ),
    "long, with right answers": (
        {"a.tsv": "id\tprediction\ttarget\tconfidence\n1\tParis\tParis\t0.5\n2\tRome\tOslo\t1\n3\t\tLima\t0\n"},
        {("a", "1"): "correct", ("a", "2"): "wrong", ("a", "3"): "unanswered"},
    ),
    "wide, with right answers": (
        {"w.csv": "question_id,category,options,answer,x,y z\n1,law,9,A,A,B\n2,art,9,B,,B\n3,art,9,A,B,A\n"},
        {("x", "1"): "correct", ("x", "2"): "unanswered", ("x", "3"): "wrong"}
        | {("y z", "1"): "wrong", ("y z", "2"): "correct", ("y z", "3"): "correct"},
    ),
    "wide, with verdicts": (
        {"w.csv": "item,x,y\n1,correct,wrong\n2,wrong,correct\n"},
        {("x", "1"): "correct", ("x", "2"): "wrong", ("y", "1"): "wrong", ("y", "2"): "correct"},
    ),
    "runs and a key": (
        {
            "runs/a.tsv": "qid\tprediction\n1\tParis\n2\t\n",
            "runs/b.tsv": "qid\tprediction\n1\tRome\n2\tOslo\n",
            "key.tsv": "qid\tgold\n1\tParis\n2\tOslo\n",
        },
        {("a", "1"): "correct", ("a", "2"): "unanswered", ("b", "1"): "wrong", ("b", "2"): "correct"},
    ),
    "runs and judgments": (
        {
            "runs/a.csv": "question,answer\nq1,Paris\nq2,Oslo\n",
            "judged/ann.csv": "question,answer,label\nq1,Paris,R\nq2,Oslo,W\n",
            "judged/final.csv": "question,answer,label\nq1,Paris,R\nq2,Oslo,X\n",
        },
        {("a", "q1"): "correct", ("a", "q2"): "wrong"},
    ),
    "rows that come twice": (
        {"a.csv": "question,verdict\nq,correct\nr,wrong\nq,correct\n"},
        {("a", "q"): "correct", ("a", "r"): "wrong"},
    ),
    "a .json": (
        {"a.json": '[{"id": 1, "correct": true}, {"id": 2, "correct": false}]'},
        {("a", "1"): "correct", ("a", "2"): "wrong"},
    ),
    "files that no pattern names": (
        {f"{name}.csv": "question,verdict\nq,correct\n" for name in ("a", "b")}
        | {"sub/c.csv": "question,verdict\nq,wrong\n"},
        {("a", "q"): "correct", ("b", "q"): "correct", ("c", "q"): "wrong"},
    ),
    "counts": ({"table.csv": "run,n_ac,n_aw,n_u\na,3,1,1\n"}, {"a": (3, 1, 1)}),
}
REFUSED: dict[str, tuple[str | bytes, str]] = {
    "page.html": ("<p>", "the ending '.html'"),
    "other.json": ('{"testCases": [], "testPassed": 1}', ""),
    "list.json": ("[1, 2]", ""),
    "broken.json": ('{"eval": {', "text that is not JSON"),
    "eval.json": ('{"exact": 50.0, "f1": 50.0}', ""),
    "predictions.json": ('{"q1": "Paris"}', "predictions for SQuAD 2.0"),
    "na.json": ('{"q1": 0.5}', "numbers from 0 to 1"),
    "scores.csv": ("run,accuracy\na,0.5\n", "no column for the question"),
    "questions.csv": ("question,length\nq1,7\n", "no column of answers or verdicts"),
    "twice.csv": ("question,run,verdict\nq,a,correct\nq,a,wrong\n", "a second verdict"),
    "letters.csv": ("question,run,grade\nq,a,C\n", "whose words may mean"),
    "runs.csv": ("question,answer\nq1,Paris\n", "answers (it has questions"),
    "empty.csv": ("", "an empty file"),
    "log.eval": (b"PK no zip", "a zip that cannot be read"),
    "{run}.csv": ("question,run,verdict\nq,a,correct\n", "a brace"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize("format", log_samples.SAMPLES)
def test_the_block_for_a_log_runs_as_it_is(folder, format):
    sample = log_samples.SAMPLES[format]
    for name, content in sample.files.items():
        write(folder / "here/raw", name, content)
    [campaign], found, text = looked_at("raw")
    assert found == [] and campaign.written["graded"]["format"] == format
    states = list(sample.verdicts.values())
    for state in set(states):
        assert f"\n  {state} {states.count(state)}\n    raw/" in text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == sample.verdicts


def test_the_block_for_logs_with_counts_runs_as_it_is(folder):
    write("raw", "simpleqa_org_m_20260101_000000_allresults.json", log_samples.SIMPLE_EVALS)
    [campaign], found, text = looked_at("raw")
    assert found == [] and "org_m: n = 4, n_ac = 1, n_aw = 1, n_u = 2" in text
    [result] = run([campaign], folder).values()
    assert json.loads(result)["n_u"] == 2


@pytest.mark.parametrize("name", TABLES)
def test_the_block_for_tables_runs_as_it_is(folder, name):
    files, expected = TABLES[name]
    for path, content in files.items():
        write("raw", path, content)
    [campaign], found, text = looked_at("raw")
    assert found == [], text
    [result] = run([campaign], folder).values()
    if name == "counts":
        row = json.loads(result)
        assert {row["run"]: (row["n_ac"], row["n_aw"], row["n_u"])} == expected
        return
    assert not result.startswith("t: "), result
    assert verdicts(result) == expected


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_a_reason(name):
    content, reason = REFUSED[name]
    write("raw", name, content)
    made, found, text = looked_at(f"raw/{name}")
    assert made == [] and any(reason in fault.found for fault in found), found
    assert "Cannot be read" in text and text.endswith("Nothing here can be read.\n")
    assert all(line.isprintable() for line in text.splitlines())


def test_a_path_that_is_not_there_is_refused():
    made, [fault], _ = looked_at("nowhere.csv")
    assert made == [] and "cannot be looked at" in fault.found


def test_what_it_cannot_decide_is_said():
    scores = {"qa": {"value": "C"}, "other": {"value": "I"}}
    two = log_samples.INSPECT | {"samples": [log_samples.inspect_sample("q", "C") | {"scores": scores}]}
    write("raw", "two.json", json.dumps(two))
    [campaign], found, text = looked_at("raw/two.json")
    assert found == [] and campaign.written["graded"]["scorer"] == "qa"
    assert "which scorer counts: here qa, of 'qa', 'other' (`scorer:`)" in text
    write("raw", "long.csv", LONG)
    *_, text = looked_at("raw/long.csv")
    assert "what 1 empty field of 'grade' says: here unscored" in text
    assert "2 questions asked of 2 runs" in text
    write("raw", "w.csv", "id,answer,a,b\n1,A,A,N/A\n2,B,B,A\n")
    *_, text = looked_at("raw/w.csv")
    assert "whether 'N/A' (1 times) means no answer" in text
    write("raw", "v.csv", "id,a,b\n1,1,0\n2,,\n")
    *_, text = looked_at("raw/v.csv")
    assert "what 2 empty fields of 'a', 'b' say: here unscored" in text
    assert "which questions were left unanswered: no word of 'a', 'b' says so" in text
    write("raw", "s.csv", "id,score\n1,0.7\n2,0\n")
    *_, text = looked_at("raw/s.csv")
    assert "from which 'score' on an answer is correct: here 0.5 (`correct_from:`)" in text


def test_a_confidence_that_is_no_share_is_left_out():
    write("raw", "a.csv", "question,verdict,prob\n1,correct,80%\n2,wrong,20%\n")
    [campaign], faults, _ = looked_at("raw/a.csv")
    assert faults == [] and "columns" not in campaign.written["graded"]


def test_logs_of_the_same_responses_are_campaigns_of_their_own(folder):
    write("raw", "a.json", json.dumps(log_samples.INSPECT))
    write("raw", "b.json", json.dumps(log_samples.INSPECT))
    made, found, text = looked_at("raw")
    assert [campaign.written["graded"]["files"] for campaign in made] == ["raw/a.json", "raw/b.json"]
    assert found == [] and "together, there is a second response" in text
    assert len(run(made, folder)) == 2


def test_of_logs_of_which_two_are_of_one_run_the_others_are_one_campaign():
    """Sixteen campaigns were made of sixteen logs where a single model had been run again."""
    for name, model in (("a1", "a"), ("a2", "a"), ("b", "b"), ("c", "c")):
        log = log_samples.INSPECT | {"eval": log_samples.INSPECT["eval"] | {"model": model}}
        write("logs", f"{name}.json", json.dumps(log | {"samples": [log_samples.inspect_sample("q", "C")]}))
    made, faults, text = looked_at("logs")
    assert faults == [] and [one.rows["run"].sort().to_list() for one in made] == [["a", "b", "c"], ["a"]]
    assert "together, there is a second response of 'a' to question 'q' (logs/a2.json)" in text


def test_letters_that_mean_different_things_are_read_apart(folder):
    write("raw", "a.csv", "question,grade\nq1,A\nq2,C\n")
    write("raw", "b.csv", "question,grade\nq1,I\nq2,C\n")
    made, found, _ = looked_at("raw")
    assert found == []
    seen = [verdicts(result) for result in run(made, folder).values()]
    assert {key: verdict for one in seen for key, verdict in one.items()} == {
        **{("a", "q1"): "correct", ("a", "q2"): "unanswered"},
        **{("b", "q1"): "wrong", ("b", "q2"): "correct"},
    }


def test_runs_of_one_folder_are_one_campaign_and_others_are_left_out(folder):
    for name in ("a", "b"):
        write("raw", f"{name}.csv", "question,verdict\nq1,correct\n")
    write("raw", "c.csv", "length,height\n1,2\n")
    made, [fault], _ = looked_at("raw")
    assert fault.file == "raw/c.csv" and len(made) == 1
    assert made[0].written["graded"]["files"] == ["raw/a.csv", "raw/b.csv"]
    assert len(run(made, folder)) == 1


ENDS = {
    "text": "campaigns:\n  a:\n    task: qa\n    counts: t.csv\n    title: |\n      one\n      two\nseed: 7\n",
    "list": "campaigns:\n  a:\n    task: qa\n    counts: t.csv\n    measures:\n    - c@1\nseed: 7\n",
    "no line end": "seed: 7\ncampaigns:\n  a: {task: qa, counts: t.csv}",
    "Windows": "campaigns:\r\n  a:\r\n    task: qa\r\n    counts: t.csv\r\nseed: 7\r\n",
}


@pytest.mark.parametrize("text", ENDS.values(), ids=ENDS)
def test_the_block_is_added_wherever_the_campaigns_end(text):
    write("raw", "graded.csv", LONG)
    Path("config.yaml").write_bytes(text.encode())
    assert actions.look(["raw"], "config.yaml", None) == 0
    new = Path("config.yaml").read_bytes().decode()
    was, read = yaml.safe_load(text), yaml.safe_load(new)
    added = read["campaigns"].pop("graded")
    assert read == was and added["graded"]["files"] == "raw/graded.csv"
    assert any(new.startswith(text[:place]) and new.endswith(text[place:]) for place in range(len(text) + 1))


def test_the_block_is_added_to_a_file_and_nothing_else_in_it_changes():
    write("raw", "graded.csv", LONG)
    own = "# mine\ncampaigns:\n    graded:   # a note\n        task: qa\n        counts: t.csv\n\n# below\nseed: 7\n"
    Path("config.yaml").write_text(own)
    assert actions.look(["raw"], "config.yaml", None) == 0
    text = Path("config.yaml").read_text()
    kept = [line for line in text.splitlines() if line in own.splitlines()]
    assert kept == own.splitlines()
    read = yaml.safe_load(text)
    assert list(read["campaigns"]) == ["graded", "graded-2"] and read["seed"] == 7
    assert read["campaigns"]["graded-2"]["graded"]["files"] == "raw/graded.csv"


@pytest.mark.parametrize(
    "text", ["campaigns: {a: {task: qa, counts: b.csv}}\n", "seed: 7\n", "campaigns:\n", "- 1\n", "a: b: c\n"]
)
def test_a_file_that_cannot_be_added_to_stays_as_it_is(text, capsys):
    write("raw", "graded.csv", LONG)
    Path("config.yaml").write_text(text)
    assert actions.look(["raw"], "config.yaml", None) == 1
    assert capsys.readouterr().err.startswith("config.yaml") and Path("config.yaml").read_text() == text


def test_names_are_tried_one_by_one():
    """Instead of making a list of a million names first, which took 76 MB and a tenth of a second."""
    write("raw", "long.csv", LONG)
    looked = look(["raw"])
    tracemalloc.start()
    campaigns(looked, set())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000


def test_a_new_file_is_written():
    write("raw", "graded.csv", LONG)
    assert actions.look(["raw/graded.csv"], "new.yaml", None) == 0
    assert list(config.checked(yaml.safe_load(Path("new.yaml").read_text()))["campaigns"]) == ["graded"]


@pytest.mark.parametrize("name", ["a*b", "a?b", "[a]*b", "**"])
def test_a_file_whose_name_is_a_pattern_is_read_alone(folder, name):
    """a*b.csv alone gave the runs of all its neighbours."""
    for other in (name, "axb", "ayb", "a-*-b"):
        write("raw", f"{other}.csv", LONG)
    [campaign], faults, text = looked_at(f"raw/{name}.csv")
    assert faults == [] and {*campaign.rows["file"]} == {f"raw/{name}.csv"}, text
    [result] = run([campaign], folder).values()
    assert not result.startswith("t: "), result
    paths = [f"raw/{one}.csv" for one in sorted((name, "ayb"))]
    assert files_of(pattern(paths, False)) == paths


@needs("logs")
@pytest.mark.parametrize(
    "name",
    [
        "abstentionbench",
        "helm",
        "lighteval",
        "lm_eval",
        "openai_evals",
        "simple_evals",
        "simpleqa_csv",
        "squad2",
    ],
)
def test_the_block_for_real_logs_runs_as_it_is(folder, name):
    made, _, text = looked_at(str(DATA.resolve() / "logs" / name))
    assert made, text
    for result in run(made, folder).values():
        assert not result.startswith("t: "), result


@pytest.mark.slow
def test_the_block_runs_through_snakemake(project, monkeypatch):
    """Of a log and of tables, all in one configuration."""
    monkeypatch.chdir(project.folder)
    for number, name in enumerate(("long, with verdicts", "runs and a key")):
        for path, content in TABLES[name][0].items():
            project.write(f"raw/{number}/{path}", content)
    project.write("raw/log/log.json", json.dumps(log_samples.INSPECT))
    made, found, _ = looked_at("raw")
    assert found == [] and len(made) == 3
    Path("config.yaml").write_text(f"reliability: {{analyses: []}}\n{block.block(made)}")
    project.snakemake(*(f"results/{campaign.name}/leaderboard.csv" for campaign in made))
    for campaign in made:
        assert (project.folder / f"results/{campaign.name}/leaderboard.csv").exists()


@pytest.mark.parametrize(
    ("header", "rows", "others"),
    [
        ("correct,llm_judge,grade", ["true,incorrect,0", "false,correct,1"], "'correct', 'llm_judge'"),
        ("score,human", ["1,wrong", "0,correct"], "'human'"),
        ("correct,long", ["1,yes", "0,no"], None),
    ],
)
def test_verdicts_in_other_words_are_named(tmp_path, header, rows, others):
    """But not words that may be something else."""
    text = "\n".join([f"model,id,output,{header}", *(f"a,q{n},foo {n},{row}" for n, row in enumerate(rows))])
    source = tables.of_table(write(tmp_path, "p.csv", text + "\n"))
    said = [line for line in source.undecided if "assessors:" in line]
    assert said == ([f"whether {others} are verdicts of others (`assessors:`)"] if others else [])


def test_neither_look_nor_a_stage_asks_which_format_it_has():
    """A format by name would be one more place to change for a new one; `tabular` is that of tables which name none."""
    names = "|".join(id.replace("-", "[-_]") for id in [*formats.FORMATS, *formats.LOGS] if id != "tabular")
    branch = re.compile(
        rf"""[=!]= *["']({names})["']|["']format["']: *["']({names})["']|formats(\.| import .*)({names})\b"""
    )
    rooms = [
        HOME / "src/nonresponse" / room
        for room in ("look", "ingest", "judging", "scoring", "campaign", "workflow", "stages")
    ]
    files = [path for room in rooms for path in room.rglob("*.py")]
    found = {path.name: line for path in files for line in path.read_text().splitlines() if branch.search(line)}
    assert found == {}
