"""Test a campaign with gates: results, command, and the same gates from two logs."""

import json
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import run
from conftest import Project
from mutants import crash_judge, draw_system, replace_state, write
from nonresponse.front import command

OLD = draw_system(240, 0.7, 0.2)
SYSTEMS = {
    "new": replace_state("unanswered", "correct")(OLD),
    "old": OLD,
    "worse": crash_judge(OLD),
}
GATES = [
    {"measure": "accuracy", "margin": 0.05},
    {"measure": "wrong_given_attempted", "at_most": 0.5},
    {"measure": "n_unscored", "at_most": 0.01},
]
FILES = ("gates.json", "gates.md", "gates.xml")
CLUSTERS = {"questions": "questions.csv", "cluster": "document"}


@pytest.fixture
def gated_project(project, monkeypatch, forked_snakemake) -> Project:
    """A campaign of three systems, one of two, and one without gates; questions come in threes."""
    monkeypatch.chdir(project.folder)
    for name, verdicts in SYSTEMS.items():
        write(verdicts, project.folder / f"logs/{name}.csv")
    documents = [f"{question},d{place // 3}" for place, question in enumerate(OLD)]
    project.write("questions.csv", "\n".join(["question,document", *documents, ""]))
    options = CLUSTERS | {"task": "qa", "measures": ["c@1"]}
    gates = {"gates": GATES, "baseline": "old"}
    graded = {"graded": {"format": "tabular", "files": "logs/*.csv"}}
    pair = {"graded": {"format": "tabular", "files": ["logs/old.csv", "logs/new.csv"]}}
    project.configure(
        three=options | gates | graded, compare=options | gates | pair, none=options | graded
    )
    return project


@pytest.mark.slow
def test_gates_of_a_campaign(gated_project, capsys):
    gated_project.snakemake()
    results = gated_project.results()
    data = json.loads(results["three/gates.json"])
    outcome = {
        (row["run"], row["gate"].split(":")[0]): (row["state"], row["value"])
        for row in data["gates"]
    }
    unread, not_asked = "share of questions unscored", "share of questions not asked"
    shares = {name: Counter(verdicts.values()) for name, verdicts in SYSTEMS.items()}
    correct = {name: states["correct"] / 240 for name, states in shares.items()}
    worse = shares["worse"]
    # What nobody judged is wrong, by the worst policy variant
    wrong = (worse["wrong"] + worse[""]) / (240 - worse["unanswered"])
    assert data["state"] == "fail" and len(data["gates"]) == len(outcome)
    assert outcome == {
        ("new", "accuracy"): ("pass", pytest.approx(correct["new"] - correct["old"])),
        ("new", "wrong_given_attempted"): ("pass", pytest.approx(shares["new"]["wrong"] / 240)),
        ("new", unread): ("pass", 0),
        ("new", not_asked): ("pass", 0),
        ("worse", not_asked): ("pass", 0),
        ("worse", unread): ("fail", pytest.approx(worse[""] / 240)),
        ("worse", "wrong_given_attempted"): ("pass", pytest.approx(wrong)),
        ("worse", "accuracy"): ("inconclusive", pytest.approx(correct["worse"] - correct["old"])),
    }
    page = results["three/gates.md"].decode()
    assert (page.count(" fail "), page.count(" inconclusive ")) == (1, 1)
    suite = ElementTree.fromstring(results["three/gates.xml"])
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("8", "1", "1")
    failed = {case.get("classname") for case in suite if case.find("failure") is not None}
    assert (failed, len(suite)) == ({"worse"}, 8)

    assert run("gate", "three", "--into", "out") == 1
    assert "Gates: fail" in capsys.readouterr().out
    assert run("gate", "compare") == 0
    for name in FILES:
        assert Path("out", name).read_bytes() == results[f"three/{name}"]
    for name, text in {"none": "none has no gates", "nosuch": "has no campaign 'nosuch'"}.items():
        assert run("gate", name) == command.REFUSED
        assert text in capsys.readouterr().err

    write(SYSTEMS["worse"] | {"q0": "nonsense"}, Path("logs/worse.csv"))
    assert run("gate", "three") == 1
    assert "'nonsense'" in capsys.readouterr().err
    write(OLD, Path("logs/worse.csv"))
    assert run("gate", "three") == 0  # of today's files, not of those of the last run
    write(SYSTEMS["worse"], Path("logs/worse.csv"))
    capsys.readouterr()

    Path("gates.yaml").write_text(json.dumps(GATES))
    output = [part for key, value in CLUSTERS.items() for part in ("--set", f"{key}={value}")]
    inside, rows = ["old", "new", "--measure", "c@1", "--in"], []
    files = ["logs/old.csv", "logs/new.csv"]
    for arguments in ([*inside, "compare"], [*inside, "logs", *output], [*files, *output]):
        assert run("compare", "--json", *arguments) == 0
        rows.append(json.loads(capsys.readouterr().out)["measures"][0])
    assert rows[0] == rows[1] == rows[2]
    logs = ["gate", files[1], "--against", files[0], "--gates", "gates.yaml", *output]
    assert run(*logs, "--into", "of-logs") == 0
    for name in FILES:
        assert Path("of-logs", name).read_bytes() == results[f"compare/{name}"]
