"""Gates: what they say of systems that cheat, of what cannot be decided; and their errors, against
simulated truth."""

import json
from functools import partial
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from mutants import MUTANTS, Verdicts, replaced, system, write
from nonresponse import measures
from nonresponse.front import command, local
from nonresponse.front.campaign import Known, checked
from nonresponse.statistics import FAIL, INCONCLUSIVE, PASS, WANTED
from nonresponse.statistics.gates import (
    Found,
    Gate,
    compare_with_baseline,
    compare_with_bound,
    decide,
    floor_of_bound,
    floor_of_loss,
    score_of_run,
)
from nonresponse.statistics.outcomes import Outcomes

BEFORE = system(400, 0.7, 0.2)
GATES = """gates:
- {measure: c@1, margin: 0.02}
- {measure: answered, margin: 0.05}
- {measure: precision_answered, at_least: 0.6}
- {measure: n_unscored, at_most: 0.01}
"""


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        command.main([*arguments])
    return ended.value.code or 0


def gated(
    folder: Path, after: Verdicts, gates: str = GATES, before: Verdicts = BEFORE
) -> tuple[int, dict[str, str]]:
    """The exit status, and the state of each gate by the first words of what it says."""
    (folder / "gates.yaml").write_text(gates)
    old, new = write(before, folder / "before.csv"), write(after, folder / "after.csv")
    options = (
        "--against",
        old,
        "--gates",
        str(folder / "gates.yaml"),
        "--into",
        str(folder / "out"),
    )
    status = run("gate", new, *options)
    data = json.loads((folder / "out/gates.json").read_text())
    return status, {one["gate"].split(":")[0]: one["state"] for one in data["gates"]}


def rows_of(folder: Path, table: str, gates: list[dict], **options) -> dict[tuple[str, str], dict]:
    """What the gates say in a campaign of a graded table, by run and by the first words of the
    gate."""
    (folder / "graded.csv").write_text(table)
    files = {"format": "tabular", "files": str(folder / "graded.csv")} | options.pop("graded", {})
    written = {"task": "qa", "graded": files, "gates": gates} | options
    campaign = local.in_folder(checked(Known("made", written, [], [])), folder)
    local.ingest(campaign)
    local.judge(campaign)
    local.gate(campaign)
    rows = json.loads(Path(campaign.folder, "gates.json").read_text())["gates"]
    return {(row["run"], row["gate"].split(":")[0]): row for row in rows}


NOT_ASKED = "share of questions not asked"
CHEATED = {
    "the same": (0, set()),
    "answers everything": (1, {"c@1", "answered"}),
    "says nothing": (1, {"c@1", "answered"}),
    "the judge crashes": (1, {"c@1", "share of questions unscored"}),
    "half is missing": (1, {NOT_ASKED}),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_no_mutant_passes_but_the_same_log(mutant, tmp_path):
    status, states = gated(tmp_path, MUTANTS[mutant](BEFORE))
    expected, failed = CHEATED[mutant]
    assert status == expected
    assert {name for name, state in states.items() if state == FAIL} == failed
    if mutant == "the same":
        assert {*states.values()} == {PASS}


def test_what_is_too_few_questions_is_inconclusive_and_says_how_many_would_do(tmp_path):
    few = {name: state for name, state in BEFORE.items() if name < "q0050"}
    write(few, tmp_path / "a.csv")
    write(few, tmp_path / "b.csv")
    (tmp_path / "gates.yaml").write_text("[{measure: accuracy, margin: 0.02}]")
    gate = (
        "gate",
        str(tmp_path / "b.csv"),
        "--against",
        str(tmp_path / "a.csv"),
        "--gates",
        str(tmp_path / "gates.yaml"),
    )
    assert run(*gate, "--into", str(tmp_path)) == 2
    assert run(*gate, "--inconclusive", "pass") == 0
    assert run(*gate, "--inconclusive", "fail") == 1
    one, _ = json.loads((tmp_path / "gates.json").read_text())["gates"]
    assert (one["state"], one["value"]) == (INCONCLUSIVE, 0)
    alike = np.zeros(one["needed"])
    assert decide(0, alike, -0.02, floor_of_loss(alike, 0.02, 1), 0.05, 0.05).state == PASS
    assert (
        decide(
            0, alike[: 9 * len(alike) // 10], -0.02, floor_of_loss(alike, 0.02, 1), 0.05, 0.05
        ).state
        != PASS
    )
    suite = ElementTree.parse(tmp_path / "gates.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "0", "1")
    assert "inconclusive" in (tmp_path / "gates.md").read_text()


def test_what_would_decide_it_is_a_number_of_questions_where_they_come_in_clusters(tmp_path):
    """Six reading tests of four questions, three of them all right: by test, 0 or 1, as six
    questions would be."""
    answers = "".join(f"m,q{n},{'correct' if n < 12 else 'wrong'}\n" for n in range(24))
    clusters = "".join(f"q{n},t{n // 4}\n" for n in range(24))
    (tmp_path / "questions.csv").write_text(f"question,test\n{clusters}")
    asked = {"questions": str(tmp_path / "questions.csv"), "cluster": "test"}
    gates = [{"measure": "accuracy", "at_least": 0.4}]
    row = rows_of(tmp_path, f"run,question,verdict\n{answers}", gates, **asked)["m", "accuracy"]
    # Variance of three 0 and three 1; t of 186 degrees of freedom at 95 %
    needed = 0.3 * ((1.654 + 0.842) / 0.1) ** 2
    assert (row["state"], row["needed"]) == (INCONCLUSIVE, 4 * 187) and 186 < needed < 187


def test_a_gate_that_no_answers_could_pass_says_why(tmp_path):
    """200 right against 200 wrong: four clusters are too few to show it, eight are not."""
    answers = "".join(
        f"{run},q{n},{state}\n"
        for run, state in (("old", "wrong"), ("new", "correct"))
        for n in range(200)
    )
    gates = [{"measure": "accuracy", "margin": 0.02}]
    for number, state, why in (
        (4, INCONCLUSIVE, "4 clusters are too few to pass, whatever the answers"),
        (8, PASS, ""),
    ):
        clusters = "".join(f"q{n},t{n % number}\n" for n in range(200))
        (tmp_path / "questions.csv").write_text(f"question,test\n{clusters}")
        asked = {"questions": str(tmp_path / "questions.csv"), "cluster": "test", "baseline": "old"}
        row = rows_of(tmp_path, f"run,question,verdict\n{answers}", gates, **asked)[
            "new", "accuracy"
        ]
        assert (row["state"], row["why"]) == (state, why)


def test_a_count_is_a_share_of_questions_however_often_each_was_asked(tmp_path):
    """One question of ten is asked 20 times, always an error; another three times, once an error:
    (1 + 1/3) of 10."""
    said = {f"q{n}": ["correct"] for n in range(10)} | {
        "q0": 20 * ["error"],
        "q1": ["error", "correct", "wrong"],
    }
    answers = "".join(
        f"m,{q},{epoch},{one}\n" for q, every in said.items() for epoch, one in enumerate(every)
    )
    asked = {"columns": {"epoch": "epoch"}}
    gates = [{"measure": "n_error", "at_most": 2 / 15}]
    row = rows_of(tmp_path, f"run,question,epoch,verdict\n{answers}", gates, graded=asked)[
        "m", "share of questions error"
    ]
    assert (row["state"], row["value"]) == (PASS, 2 / 15)


def test_pairs_of_a_question_are_no_repetition_of_it(tmp_path):
    """Three answers to one question, one of them unscored, and one to another: a quarter."""
    pairs = "m,q0,a,unscored\nm,q0,b,tp\nm,q0,c,tp\nm,q1,a,tn\n"
    gates = [{"measure": "n_unscored", "at_most": 0.2}]
    found = rows_of(tmp_path, f"run,question,candidate,verdict\n{pairs}", gates, task="validation")
    assert found["m", "share of questions unscored"]["value"] == 0.25


def test_where_nobody_judged_an_answer_is_an_answer_and_only_errors_are_read_in_every_way(tmp_path):
    """Of 100 questions, 60 are answered, 30 declined, and 10 failed: 0.6 answered, if an error is
    silence."""
    said = 60 * ["answered"] + 30 * ["declined"] + 10 * ["error"]
    answers = "".join(f"m,q{n},a,{state}\n" for n, state in enumerate(said))
    states = {"answered": "answered", "declined": "unanswered", "error": "error"}
    graded = {"columns": {"state": "state"}, "states": states, "judged": False}
    gates = [{"measure": "answered", "at_least": 0.45}]
    row = rows_of(tmp_path, f"run,question,answer,state\n{answers}", gates, graded=graded)[
        "m", "answered"
    ]
    assert (row["state"], row["value"], row["why"]) == (PASS, 0.6, "")
    # A rule says that it is wrong, and is no judge
    empty = answers.replace("q0,a,answered", "q0,,answered")
    ruled = graded | {"refusals": {"empty": "wrong"}}
    assert (
        rows_of(tmp_path, f"run,question,answer,state\n{empty}", gates, graded=ruled)[
            "m", "answered"
        ]
        == row
    )


def test_what_needs_a_judge_does_not_pass_where_the_judge_never_came(tmp_path):
    """Both may be all right or all wrong, and the worst is that only the baseline is right."""
    unread = "".join(f"{run},q{n},unscored\n" for run in ("old", "new") for n in range(100))
    gates = [{"measure": "accuracy", "margin": 0.5}]
    row = rows_of(tmp_path, f"run,question,verdict\n{unread}", gates, baseline="old")[
        "new", "accuracy"
    ]
    assert (row["state"], row["value"]) == (FAIL, -1)


def test_a_baseline_alone_decides_nothing_and_a_trivial_run_may_be_one(tmp_path):
    answers = "".join(f"old,q{n},correct\n" for n in range(20))
    gates = [{"measure": "accuracy", "margin": 0.1}]
    assert rows_of(tmp_path, f"run,question,verdict\n{answers}", gates, baseline="old") == {}
    assert json.loads(next(tmp_path.rglob("gates.json")).read_text())["state"] == INCONCLUSIVE
    pairs = "".join(f"x,q{n},a,{'tp' if n % 2 else 'tn'}\n" for n in range(20))
    told = {"task": "validation", "baseline": "reject-all"}
    found = rows_of(tmp_path, f"run,question,candidate,verdict\n{pairs}", gates, **told)
    assert found["x", "accuracy"]["state"] == PASS


NONE, FEW = (
    "it shares no question with any other run",
    "it shares too few questions with the other runs",
)
ASKED = {  # what each run is asked, and why it cannot be tested beside old
    "another run": ({"old": "abcd", "new": "abcd", "other": "xyz"}, {"new": "", "other": NONE}),
    "the baseline": (
        {"old": "xyz", "new": "abcd", "other": "abcd"},
        dict.fromkeys(("new", "other"), f"the baseline{NONE[2:]}"),
    ),
    "not quite": ({"old": "abcd", "new": "abce", "other": "dx"}, {"new": "", "other": FEW}),
}


@pytest.mark.parametrize("case", ASKED)
def test_a_run_that_shares_no_question_is_inconclusive_and_the_others_are_tested(case, tmp_path):
    asked, whys = ASKED[case]
    answers = "".join(
        f"{run},{question},correct\n" for run, every in asked.items() for question in every
    )
    margin = {"measure": "accuracy", "margin": 0.9}
    bound = {"measure": "c@1", "at_least": 0.1}
    found = rows_of(tmp_path, f"run,question,verdict\n{answers}", [margin, bound], baseline="old")
    for run, why in whys.items():
        row, own = found[run, "accuracy"], found[run, "c@1"]
        assert (row["state"], row["value"], row["why"]) == (
            (INCONCLUSIVE, None, why) if why else (PASS, 0, "")
        )
        assert (own["state"], own["why"]) == (
            (INCONCLUSIVE, why) if why.startswith("it") else (PASS, "")
        )


def test_two_logs_that_share_no_question_are_inconclusive(tmp_path):
    other = {f"z{question}": state for question, state in BEFORE.items()}
    gates = "[{measure: c@1, margin: 0.9}, {measure: cws, at_least: 0.1}]"
    states = {"c@1": INCONCLUSIVE, "cws": INCONCLUSIVE, NOT_ASKED: FAIL}
    assert gated(tmp_path, other, gates) == (1, states)


def test_a_fault_of_ours_is_not_told_as_something_that_the_responses_lack(tmp_path, monkeypatch):
    def broken(*told):
        raise ValueError("a fault")

    monkeypatch.setattr("nonresponse.statistics.gates.results", broken)
    with pytest.raises(ValueError, match="a fault"):
        rows_of(
            tmp_path,
            "run,question,verdict\nm,q1,correct\n",
            [{"measure": "accuracy", "at_least": 0.1}],
        )


def test_the_worst_policy_variant_is_named_only_where_variants_differ(tmp_path):
    """Whatever is neither better nor worse is tested in two directions, which are no variants."""
    answered = "[{measure: answered, margin: 0.05}]"
    for mutant, why in (("says nothing", ""), ("the judge crashes", "by the worst policy variant")):
        gated(tmp_path, MUTANTS[mutant](BEFORE), answered)
        one, _ = json.loads((tmp_path / "out/gates.json").read_text())["gates"]
        assert one["state"] != PASS and one["why"][:27] == why


def test_a_worse_system_fails_and_a_better_one_passes(tmp_path):
    worse = {
        name: "wrong" if place % 8 == 0 else state
        for place, (name, state) in enumerate(BEFORE.items())
    }
    accuracy = "[{measure: accuracy, margin: 0.02}]"
    assert gated(tmp_path, worse, accuracy)[1]["accuracy"] == FAIL
    assert gated(tmp_path, replaced("wrong", "correct")(BEFORE), accuracy)[0] == 0
    lower = "[{measure: wrong_given_attempted, margin: 0.02}]"
    assert gated(tmp_path, worse, lower)[1]["wrong_given_attempted"] == FAIL
    assert gated(tmp_path, replaced("wrong", "correct")(BEFORE), lower)[0] == 0


def drawn(measure: str, shares: np.ndarray, questions: int, draw: np.random.Generator) -> Outcomes:
    """Runs whose questions are right, left open or wrong with these shares, (runs, 2)."""
    point = draw.random((len(shares), questions))
    right = point < shares[:, :1]
    left_open = ~right & (point < shares.sum(axis=1, keepdims=True))
    matrices = {
        "n_ac": right,
        "n_u": left_open,
        "n_aw": ~right & ~left_open,
        "n": np.ones((1, questions)),
    }
    matrices["n_rightful"] = np.zeros((1, questions))
    record = measures.get("qa", measure)
    kept = {
        name: matrix.astype(np.float64)
        for name, matrix in matrices.items()
        if name in {*record.totals, "n"}
    }
    names = [f"r{run}" for run in range(len(shares))]
    return Outcomes(record, names, [str(name) for name in range(questions)], kept)


TRIES = 500


def states(
    measure: str, before: tuple, after: tuple, margin: float, questions: int, paired: float = 0.0
) -> dict[str, float]:
    """How often each state results for two systems with these shares; `paired`: share of questions
    answered alike."""
    draw = np.random.default_rng(7)
    shares = np.repeat(np.array([before, after]), TRIES, axis=0)
    outcomes = drawn(measure, shares, questions, draw)
    if paired:
        alike = draw.random((TRIES, questions)) < paired
        for matrix in outcomes.matrices.values():
            if len(matrix) > 1:
                matrix[TRIES:][alike] = matrix[:TRIES][alike]
    return beside(outcomes, margin)


def beside(outcomes: Outcomes, margin: float) -> dict[str, float]:
    """How often each state results for the last TRIES runs, each beside one of the first."""
    runs = [score_of_run(outcomes, run) for run in outcomes.runs]
    pairs = zip(runs[:TRIES], runs[TRIES:], strict=True)
    return shares_of(
        [one for pair in pairs for one in compare_with_baseline(margin, *pair, 0.05, 0.05)]
    )


def shares_of(found: list[Found]) -> dict[str, float]:
    """How often each state was found."""
    states = [decision.state for *_, decision in found]
    return {state: states.count(state) / len(found) for state in (PASS, FAIL, INCONCLUSIVE)}


def states_at(
    bound: float, measure: str, shares: tuple, questions: int, way: str = "at_least"
) -> dict[str, float]:
    """How often each state results for a system with these shares, whose score has to be `way` the
    bound."""
    outcomes = drawn(
        measure, np.repeat([shares], TRIES, axis=0), questions, np.random.default_rng(7)
    )
    gate = Gate(measure=measure, **{way: bound})
    return shares_of(
        [compare_with_bound(gate, score_of_run(outcomes, run), 0.05, 0.05) for run in outcomes.runs]
    )


ERROR = 0.05 + 2 * (0.05 * 0.95 / TRIES) ** 0.5  # what 5 % may come to in so many tries


@pytest.mark.parametrize("bound", [0.56, 0.64])
def test_the_number_of_questions_decides_with_the_power_that_it_states(bound):
    """100 questions, 60 of them right, and a bound that is below or above."""
    right = np.repeat([1.0, 0.0], [60, 40])[None]
    first = Outcomes(
        measures.get("qa", "accuracy"),
        ["r0"],
        [str(n) for n in range(100)],
        {"n_ac": right, "n": right * 0 + 1},
    )
    *_, decision = compare_with_bound(
        Gate("accuracy", at_least=bound), score_of_run(first, "r0"), 0.05, 0.05
    )
    decided = states_at(bound, "accuracy", (0.6, 0), decision.needed)
    assert decided[INCONCLUSIVE] == pytest.approx(1 - WANTED, abs=3 * (0.16 / TRIES) ** 0.5)


def of_loss(questions: int, draw: np.random.Generator) -> str:
    """The state where the loss is the margin, and nothing but questions that the baseline had right
    differs."""
    psi = -(draw.random(questions) < 0.02).astype(float)
    return decide(psi.mean(), psi, -0.02, floor_of_loss(psi, 0.02, 1), 0.05, 0.05).state


def of_rate(questions: int, rate: float, draw: np.random.Generator) -> str:
    """The state where a rate is at its bound."""
    psi = (draw.random(questions) < rate).astype(float)
    return decide(-psi.mean(), -psi, -rate, floor_of_bound(rate, 0, 1, 1), 0.05, 0.05).state


@pytest.mark.slow
@pytest.mark.parametrize("questions", [50, 1000])
def test_where_few_questions_differ_a_loss_or_a_rate_at_its_bound_seldom_passes(questions):
    draw = np.random.default_rng(3)
    for found in (of_loss, partial(of_rate, rate=0.01), partial(of_rate, rate=0.2)):
        assert [found(questions, draw=draw) for _ in range(TRIES)].count(PASS) / TRIES <= ERROR


PUNISHING = {"penalty@0.75": 3, "phi@9": 9, "penalty@0.25": 1 / 3}  # what a wrong answer costs
# The measure, the shares of both systems, the margin, which is the loss, and the number of
# questions.
LOSSES = [("accuracy", (right, 0), (right - 0.02, 0), 0.02, 50) for right in (0.6, 0.99)]
LOSSES += [("c@1", (0.6, 0.1), (0.6, 0.05), 0.03, 50)]  # by abstention: c@1 is a (1 + u)
LOSSES += [
    ("precision_answered", (a, 0.6), (b, 0.6), 0.02, 50) for a, b in ((0.3, 0.292), (0.392, 0.384))
]
BOUNDS = []  # the score, the measure, and the shares of a system at the bound
for name, wrong, left_open in product(("phi@9", "penalty@0.25"), (0.02, 0.2), (0, 0.3)):
    right, cost = 1 - left_open - wrong, PUNISHING[name]
    BOUNDS.append((right - cost * wrong, name, (right, left_open), 20))
    LOSSES.append(
        (name, (right + wrong / 2, left_open), (right, left_open), (1 + cost) * wrong / 2, 20)
    )


@pytest.mark.slow
def test_a_loss_of_the_margin_and_a_score_at_its_bound_seldom_pass():
    assert {case: rate for case in LOSSES if (rate := states(*case)[PASS]) > ERROR} == {}
    assert {case: rate for case in BOUNDS if (rate := states_at(*case)[PASS]) > ERROR} == {}
    for paired in (0.0, 0.8):  # identical systems seldom fail
        assert states("c@1", (0.6, 0.2), (0.6, 0.2), 0.02, 50, paired)[FAIL] <= ERROR


@pytest.mark.slow
@pytest.mark.parametrize("shares", [(0.1, 0.88), (0.9, 0.05)])
@pytest.mark.parametrize("measure", ["c@1", "f_simpleqa"])
def test_where_many_questions_are_open_neither_a_bound_nor_a_loss_of_the_margin_is_passed_more_often(
    measure, shares
):
    """The loss is of correct answers of the baseline, one in six of which are wrong now; all else is
    the same."""
    questions, (right, left_open) = 30, shares
    record = measures.get("qa", measure)

    def value(right: float) -> float:
        totals = {"n_ac": right, "n_u": left_open, "n": 1, "n_aw": 1 - right - left_open}
        return record(**{name: totals[name] for name in record.totals})

    for way in ("at_least", "at_most"):
        assert states_at(value(right), measure, shares, questions, way)[PASS] <= ERROR
    draw = np.random.default_rng(11)
    outcomes = drawn(measure, np.repeat([shares, shares], TRIES, axis=0), questions, draw)
    of, lost = outcomes.matrices, draw.random((TRIES, questions)) < 1 / 6
    for matrix in of.values():
        if len(matrix) > 1:
            matrix[TRIES:] = matrix[:TRIES]
    lost &= of["n_ac"][TRIES:] > 0
    of["n_ac"][TRIES:][lost] = 0
    if "n_aw" in of:
        of["n_aw"][TRIES:][lost] = 1
    assert beside(outcomes, value(right) - value(right * 5 / 6))[PASS] <= ERROR


@pytest.mark.parametrize("measure", PUNISHING)
def test_few_right_answers_are_too_few_where_wrong_ones_cost_more(measure):
    assert states_at(0.92, measure, (1, 0), 20)[INCONCLUSIVE] == 1


def test_what_has_no_largest_value_has_no_gate(tmp_path):
    answers = "".join(f"{run},q{n},correct\n" for run in ("old", "new") for n in range(9))
    gates = [{"measure": "rejection_quality", "at_least": 1}]
    row = rows_of(tmp_path, f"run,question,verdict\n{answers}", gates)["new", "rejection_quality"]
    assert row["state"] == INCONCLUSIVE and row["why"].startswith(
        "rejection_quality has no largest value"
    )
