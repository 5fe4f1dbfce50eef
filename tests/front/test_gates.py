"""Test gates against cheating systems, undecidable cases and simulated truth, and in a campaign."""

import json
import math
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from command_line import run
from conftest import Project
from mutants import MUTANTS, Verdicts, crash_judge, draw_system, replace_state, write
from nonresponse.front import command, local
from nonresponse.front.campaign import CampaignBlock, complete_campaign
from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS
from nonresponse.statistics.gates import decide, floor_of_loss

OLD = draw_system(400, 0.7, 0.2)
GATES = """gates:
- {measure: c@1, margin: 0.02}
- {measure: answered, margin: 0.05}
- {measure: precision_answered, at_least: 0.6}
- {measure: n_unscored, at_most: 0.01}
"""


def run_gates(
    folder: Path, new_verdicts: Verdicts, gates: str = GATES
) -> tuple[int, dict[str, str]]:
    """The exit status, and the state of each gate by the first words of what it says."""
    (folder / "gates.yaml").write_text(gates)
    old, new = write(OLD, folder / "before.csv"), write(new_verdicts, folder / "after.csv")
    options = ("--against", old, "--gates", folder / "gates.yaml", "--into", folder / "out")
    status = run("gate", new, *options)
    data = json.loads((folder / "out/gates.json").read_text())
    return status, {row["gate"].split(":")[0]: row["state"] for row in data["gates"]}


def gate_table(
    folder: Path, table: str, gates: list[dict], **options
) -> dict[tuple[str, str], dict]:
    """Return the gates of a campaign of a graded table, by run and by the gate's first words."""
    (folder / "graded.csv").write_text(table)
    files = {"format": "tabular", "files": str(folder / "graded.csv")} | options.pop("graded", {})
    block = {"task": "qa", "graded": files, "gates": gates} | options
    campaign = local.place(complete_campaign(CampaignBlock("made", block, [], [])), folder)
    local.ingest(campaign)
    local.judge(campaign)
    local.gate(campaign)
    rows = json.loads(Path(campaign.folder, "gates.json").read_text())["gates"]
    return {(row["run"], row["gate"].split(":")[0]): row for row in rows}


NOT_ASKED = "share of questions not asked"
EXPECTED = {
    "the same": (0, set()),
    "answers everything": (1, {"c@1", "answered"}),
    "says nothing": (1, {"c@1", "answered"}),
    "the judge crashes": (1, {"c@1", "share of questions unscored"}),
    "half is missing": (1, {NOT_ASKED}),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_no_mutant_passes_but_the_same_log(mutant, tmp_path):
    status, states = run_gates(tmp_path, MUTANTS[mutant](OLD))
    expected, failed = EXPECTED[mutant]
    assert status == expected
    assert {name for name, state in states.items() if state == FAIL} == failed
    if mutant == "the same":
        assert {*states.values()} == {PASS}


def test_what_is_too_few_questions_is_inconclusive_and_says_how_many_would_do(tmp_path):
    few = {name: state for name, state in OLD.items() if name < "q0050"}
    old, new = write(few, tmp_path / "a.csv"), write(few, tmp_path / "b.csv")
    gates = tmp_path / "gates.yaml"
    gates.write_text("[{measure: accuracy, margin: 0.02}]")
    gate = ("gate", new, "--against", old, "--gates", gates)
    assert run(*gate, "--into", tmp_path) == 2
    assert run(*gate, "--inconclusive", "pass") == 0
    assert run(*gate, "--inconclusive", "fail") == 1
    row, _ = json.loads((tmp_path / "gates.json").read_text())["gates"]
    assert (row["state"], row["value"]) == (INCONCLUSIVE, 0)
    for questions, passes in ((row["needed"], True), (9 * row["needed"] // 10, False)):
        zeros = np.zeros(questions)
        decision = decide(0, zeros, -0.02, floor_of_loss(zeros, 0.02, 1), 0.05, 0.05)
        assert (decision.state == PASS) == passes
    suite = ElementTree.parse(tmp_path / "gates.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "0", "1")
    assert "inconclusive" in (tmp_path / "gates.md").read_text()


def write_rows(run: str, states: list[str]) -> str:
    """The rows of a run in a table of run, question and verdict."""
    return "".join(f"{run},q{n},{state}\n" for n, state in enumerate(states))


def accuracy(**bound: float) -> list[dict]:
    return [{"measure": "accuracy"} | bound]


OLD_AND_NEW = write_rows("old", ["wrong"] * 200) + write_rows("new", ["correct"] * 200)
HALF = write_rows("m", ["correct"] * 12 + ["wrong"] * 12)
UNREAD = write_rows("old", ["unscored"] * 100) + write_rows("new", ["unscored"] * 100)
OFTEN = [f"q{n},0,correct" for n in range(2, 10)] + [f"q0,{epoch},error" for epoch in range(20)]
OFTEN += ["q1,0,error", "q1,1,correct", "q1,2,wrong"]
STATE_ROWS = "".join(
    f"m,q{n},a,{state}\n"
    for n, state in enumerate(60 * ["answered"] + 30 * ["declined"] + 10 * ["error"])
)
STATES = {"answered": "answered", "declined": "unanswered", "error": "error"}
UNJUDGED = {"columns": {"state": "state"}, "states": STATES, "judged": False}
ENOUGH_ANSWERED = [{"measure": "answered", "at_least": 0.45}]
TABLES = {  # columns, rows, gates, further options, and what is found
    # By test, 0 or 1. The variance is that of three 0 and three 1, and t has 186 degrees of freedom
    "what would decide it is a number of questions, which come in clusters of four": (
        *("verdict", HALF, accuracy(at_least=0.4), {"cluster": "fours"}),
        {"state": INCONCLUSIVE, "needed": 4 * math.ceil(0.3 * ((1.654 + 0.842) / 0.1) ** 2)},
    ),
    "no number of questions decides a score at its bound": (
        *("verdict", HALF, accuracy(at_least=0.5), {}),
        {"state": INCONCLUSIVE, "value": 0.5, "needed": None},
    ),
    "nobody asks so many questions as would decide a score so near its bound": (
        *("verdict", HALF, accuracy(at_least=0.500001), {}),
        {"state": INCONCLUSIVE, "value": 0.5, "needed": None},
    ),
    "4 clusters": (
        *("verdict", OLD_AND_NEW, accuracy(margin=0.02), {"cluster": "of4", "baseline": "old"}),
        {"state": INCONCLUSIVE, "why": "4 clusters are too few to pass, whatever the answers"},
    ),
    "8 clusters": (
        *("verdict", OLD_AND_NEW, accuracy(margin=0.02), {"cluster": "of8", "baseline": "old"}),
        {"state": PASS, "why": ""},
    ),
    "a count is a share of questions however often each was asked": (  # 1 and 1/3 of 10
        *("epoch,verdict", "".join(f"m,{row}\n" for row in OFTEN)),
        *([{"measure": "n_error", "at_most": 2 / 15}], {"graded": {"columns": {"epoch": "epoch"}}}),
        {"state": PASS, "value": 2 / 15},
    ),
    "pairs of a question are no repetition of it": (
        *("candidate,verdict", "m,q0,a,unscored\nm,q0,b,tp\nm,q0,c,tp\nm,q1,a,tn\n"),
        *([{"measure": "n_unscored", "at_most": 0.2}], {"task": "validation"}, {"value": 0.25}),
    ),
    "where nobody judged, only errors are read in every way": (
        *("answer,state", STATE_ROWS, ENOUGH_ANSWERED, {"graded": UNJUDGED}),
        {"state": PASS, "value": 0.6, "why": ""},
    ),
    "a rule is no judge": (
        *("answer,state", STATE_ROWS.replace("q0,a,answered", "q0,,answered"), ENOUGH_ANSWERED),
        {"graded": UNJUDGED | {"refusals": {"empty": "wrong"}}},
        {"state": PASS, "value": 0.6, "why": ""},
    ),
    "the judge never came: the worst is that only the baseline is right": (
        *("verdict", UNREAD, accuracy(margin=0.5), {"baseline": "old"}),
        {"state": FAIL, "value": -1},
    ),
    "a measure without a largest value": (
        *("verdict", HALF, [{"measure": "rejection_quality", "at_least": 1}], {}),
        {"state": INCONCLUSIVE},
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_gate_of_a_table(name, tmp_path):
    columns, rows, gates, options, expected = TABLES[name]
    clusters = "".join(f"q{n},t{n // 4},t{n % 4},t{n % 8}\n" for n in range(200))
    (tmp_path / "questions.csv").write_text(f"question,fours,of4,of8\n{clusters}")
    if "cluster" in options:
        options = options | {"questions": str(tmp_path / "questions.csv")}
    gate_rows = gate_table(tmp_path, f"run,question,{columns}\n{rows}", gates, **options)
    [row] = [row for (_, gate), row in gate_rows.items() if gate != NOT_ASKED]
    assert {key: row[key] for key in expected} == expected


def test_a_baseline_alone_decides_nothing_and_a_trivial_run_may_be_one(tmp_path):
    gates, answers = accuracy(margin=0.1), write_rows("old", ["correct"] * 20)
    assert gate_table(tmp_path, f"run,question,verdict\n{answers}", gates, baseline="old") == {}
    assert json.loads(next(tmp_path.rglob("gates.json")).read_text())["state"] == INCONCLUSIVE
    pairs = "".join(f"x,q{n},a,{'tp' if n % 2 else 'tn'}\n" for n in range(20))
    options = {"task": "validation", "baseline": "reject-all"}
    rows = gate_table(tmp_path, f"run,question,candidate,verdict\n{pairs}", gates, **options)
    assert rows["x", "accuracy"]["state"] == PASS


DISJOINT = "it shares no question with any other run"
FEW = "it shares too few questions with the other runs"
SHARING = {  # what each run is asked, and why it cannot be tested beside old
    "another run": ({"old": "abcd", "new": "abcd", "other": "xyz"}, {"new": "", "other": DISJOINT}),
    "the baseline": (
        {"old": "xyz", "new": "abcd", "other": "abcd"},
        dict.fromkeys(("new", "other"), f"the baseline{DISJOINT[2:]}"),
    ),
    "not quite": ({"old": "abcd", "new": "abce", "other": "dx"}, {"new": "", "other": FEW}),
    "more or less": (
        {"old": "abcd", "more": "abcdef", "less": "abc"},
        {"more": "", "less": ""},
    ),
}


@pytest.mark.parametrize("case", SHARING)
def test_a_run_that_shares_no_question_is_inconclusive_and_the_others_are_tested(case, tmp_path):
    asked_of, reasons = SHARING[case]
    answers = "".join(
        f"{run},{question},correct\n" for run, names in asked_of.items() for question in names
    )
    margin = {"measure": "accuracy", "margin": 0.9}
    bound = {"measure": "c@1", "at_least": 0.1}
    rows = gate_table(tmp_path, f"run,question,verdict\n{answers}", [margin, bound], baseline="old")
    for name, reason in reasons.items():
        row, bound_row = rows[name, "accuracy"], rows[name, "c@1"]
        lacking = {*asked_of["old"]} - {*asked_of[name]}
        assert rows[name, NOT_ASKED]["value"] == len(lacking) / len(asked_of["old"])
        assert (row["state"], row["value"], row["why"]) == (
            (INCONCLUSIVE, None, reason) if reason else (PASS, 0, "")
        )
        assert (bound_row["state"], bound_row["why"]) == (
            (INCONCLUSIVE, reason) if reason.startswith("it") else (PASS, "")
        )


@pytest.mark.parametrize("measure", ["penalty@0.75", "phi@9", "penalty@0.25", "c@1"])
def test_few_right_answers_are_too_few_where_a_wrong_one_costs_much(measure, tmp_path):
    """The variance at the bound counts, though the answers have none."""
    for questions, state in ((20, INCONCLUSIVE), (2000, PASS)):
        table = f"run,question,verdict\n{write_rows('m', ['correct'] * questions)}"
        rows = gate_table(tmp_path, table, [{"measure": measure, "at_least": 0.92}])
        assert [row["state"] for row in rows.values()] == [state]


BASELINE = draw_system(240, 0.7, 0.2)
SYSTEMS = {
    "new": replace_state("unanswered", "correct")(BASELINE),
    "old": BASELINE,
    "worse": crash_judge(BASELINE),
}
NAMED_GATES = [
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
    documents = [f"{question},d{place // 3}" for place, question in enumerate(BASELINE)]
    project.write("questions.csv", "\n".join(["question,document", *documents, ""]))
    options = CLUSTERS | {"task": "qa", "measures": ["c@1"]}
    gates = {"gates": NAMED_GATES, "baseline": "old"}
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
    write(BASELINE, Path("logs/worse.csv"))
    assert run("gate", "three") == 0  # of today's files, not of those of the last run
    write(SYSTEMS["worse"], Path("logs/worse.csv"))
    capsys.readouterr()

    Path("gates.yaml").write_text(json.dumps(NAMED_GATES))
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
