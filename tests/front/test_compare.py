"""One system beside another: the table, the prices and the parts against plain loops; what is refused."""

import json
from collections import Counter
from pathlib import Path

import pytest
from mutants import MUTANTS, Verdicts, replaced, system, write
from nonresponse.front import Refused, command, evaluation, sides
from nonresponse.front.comparing import STATES

BEFORE = system(200, 0.6, 0.2)
AFTER = system(200, 0.65, 0.1, seed=2)


def compared(folder: Path, *systems: Verdicts, measures=("c@1", "accuracy", "answered")) -> list[sides.Comparison]:
    first, *others = [write(one, folder / f"{name}.csv") for name, one in zip("abcd", systems, strict=False)]
    return sides.of_logs(first, others, measures, {})


def resolved(state: str) -> str:
    """As the default policy has it: what nobody judged is wrong."""
    return STATES.get(state, "wrong")


@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_numbers_are_those_of_a_loop(mutant, tmp_path):
    after = MUTANTS[mutant](BEFORE)
    [found] = compared(tmp_path, BEFORE, after)
    both = [name for name in BEFORE if name in after]
    assert found.asked == (len(both), len(BEFORE) - len(both), 0)
    pairs = Counter((resolved(BEFORE[name]), resolved(after[name])) for name in both)
    assert {row["a"]: [row[x] for x in STATES.values()] for row in found.crossed.to_dicts()} == {
        x: [pairs[x, y] for y in STATES.values()] for x in STATES.values()
    }
    changed = {name: (resolved(BEFORE[name]), resolved(after[name])) for name in both}
    assert {name: (a, b) for name, a, b in found.changed.rows()} == {
        name: (a, b) for name, (a, b) in changed.items() if a != b
    }
    counts = [Counter(resolved(one[name]) for name in both) for one in (BEFORE, after)]
    n = len(both)
    by_measure = {row["measure"]: row for row in found.measures.to_dicts()}
    for key, count in zip("ab", counts, strict=True):
        right, left_open = count["right"], count["open"]
        assert by_measure["c@1"][key] == pytest.approx((right + left_open * right / n) / n)
        assert by_measure["accuracy"][key] == pytest.approx(right / n)
        assert by_measure["answered"][key] == pytest.approx(1 - left_open / n)
    for row in by_measure.values():
        assert row["difference"] == pytest.approx(row["b"] - row["a"])
        assert row["by_right"] + row["by_abstention"] == pytest.approx(row["difference"])
    assert by_measure["accuracy"]["by_abstention"] == 0 == pytest.approx(by_measure["answered"]["by_right"])


def test_what_cheats_by_answering_everything_is_told_from_what_got_better(tmp_path):
    """Accuracy is the same; c@1 is lower, and all of it by abstention."""
    [found] = compared(tmp_path, BEFORE, MUTANTS["answers everything"](BEFORE))
    rows = {row["measure"]: row for row in found.measures.to_dicts()}
    assert rows["accuracy"]["difference"] == 0
    assert rows["c@1"]["by_right"] == 0 > rows["c@1"]["by_abstention"]
    assert rows["c@1"]["p"] < 0.05
    assert found.price == "By right − cost · wrong, a is ahead wherever a wrong answer costs anything."


def test_scores_of_partly_right_answers_are_told_from_ours_in_the_first_sentences(tmp_path):
    """As truthfulqa_mc2: a sample has a number from 0 to 1, and few have 1."""
    for name, values in (("a", [1.0, 0.4, 0.6]), ("b", [0.4, 0.6, 0.8])):
        lines = [{"doc_id": n, "metrics": ["acc"], "acc": one, "filtered_resps": [""]} for n, one in enumerate(values)]
        results = {"results": {"mc2": {"acc,none": sum(values) / 3}}, "model_name": name}
        results |= {"n-samples": {"mc2": {"original": 3, "effective": 3}}}
        (tmp_path / name).mkdir()
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (tmp_path / name / "samples_mc2_2026-01-01T00-00-00.jsonl").write_text(text)
        (tmp_path / name / "results_2026-01-01T00-00-00.json").write_text(json.dumps(results))
    said = "The log of b states acc,none 0.600, which comes mostly from partly right answers, none of which counts as"
    folders = [str(tmp_path / name) for name in "ab"]
    [found] = sides.of_logs(folders[0], folders[1:], ["accuracy"], {})
    assert found.sentences[0] == f"{said} right here (option partial)."
    [found] = sides.of_files(folders, ["a", "b"], ["accuracy"], {})
    assert found.sentences[0] == f"{said} right here (option partial)."
    assert f"{said} right here (option partial)." in evaluation.evaluate(folders).sentences[:3]


def test_a_difference_that_no_answers_could_make_significant_says_why(tmp_path):
    """200 right against 200 wrong, in clusters: of 4, none of 8 pairs of flips is rarer than 1 in 8; 6 suffice."""
    right = {f"q{number:03}": "correct" for number in range(200)}
    logs = [write(one, tmp_path / name) for one, name in ((right, "a.csv"), (dict.fromkeys(right, "wrong"), "b.csv"))]
    for clusters, wrong, least in ((4, 199, 0.125), (5, 200, 0.0625), (5, 199, 0.0625)):
        write(dict.fromkeys([*right][:wrong], "wrong") | dict.fromkeys([*right][wrong:], "correct"), tmp_path / "b.csv")
        tests = "".join(f"{question},t{place % clusters}\n" for place, question in enumerate(right))
        (tmp_path / "questions.csv").write_text(f"question,test\n{tests}")
        options = {"questions": str(tmp_path / "questions.csv"), "cluster": "test"}
        [found] = sides.of_logs(logs[0], logs[1:], ["accuracy"], options)
        assert found.measures["p"].item() == least
    write(dict.fromkeys(right, "wrong"), tmp_path / "b.csv")
    for clusters, said in ((4, "(p = 0.125): whatever the answers, with 4 clusters the smallest p is 0.125."), (6, "")):
        tests = "".join(f"{question},t{place % clusters}\n" for place, question in enumerate(right))
        (tmp_path / "questions.csv").write_text(f"question,test\n{tests}")
        options = {"questions": str(tmp_path / "questions.csv"), "cluster": "test"}
        [found] = sides.of_logs(logs[0], logs[1:], ["accuracy"], options)
        assert found.significance[0].endswith(said) and ("smallest" in found.significance[0]) == bool(said)
    [found] = compared(tmp_path, {"q1": "correct", "q2": "correct"}, {"q1": "wrong", "q2": "wrong"})
    assert found.significance[0].endswith("with 2 questions the smallest p is 0.5.")


def test_few_questions_do_not_say_one_thing_by_the_interval_and_another_by_the_test(tmp_path):
    """5 against 0: t left out 0, the exact p was .0625; and the part of right answers, all of it, was significant."""
    worse = {f"{q:02}": "correct" if q < 10 else "wrong" for q in range(20)}
    better = worse | {f"{q:02}": "correct" for q in range(10, 15)}
    [found] = compared(tmp_path, worse, better)
    row = found.measures.row(0, named=True)
    assert row["measure"] == "c@1" and row["p"] == pytest.approx(1 / 16) and row["lower"] <= 0 < row["upper"]
    said = " ".join(found.sentences)
    assert "+0.250, is not significant" in said


@pytest.mark.parametrize("change", [MUTANTS["answers everything"], dict, replaced("wrong", "unanswered")])
def test_what_is_called_significant_is_so_in_the_table(change, tmp_path):
    for found in compared(tmp_path, BEFORE, AFTER, change(BEFORE)):
        [said] = [it for it in found.sentences if "significant" in it]
        row = found.measures.row(0, named=True)
        assert f"in {row['measure']}, {row['difference']:+.3f}".replace("-", "−") in said
        assert ("is not significant" in said) == (row["p_holm"] > 0.05)


def better(shares: list[tuple[float, float]], price: float) -> int:
    """Which of two is worth more where a wrong answer costs so much, or -1 if neither."""
    worth = [right - price * wrong for right, wrong in shares]
    return -1 if abs(worth[0] - worth[1]) < 1e-9 else int(worth[1] > worth[0])


@pytest.mark.parametrize("pair", [(BEFORE, AFTER), (AFTER, BEFORE), (BEFORE, replaced("wrong", "unanswered")(BEFORE))])
def test_the_price_from_which_the_other_is_better(pair, tmp_path):
    [found] = compared(tmp_path, *pair, measures=["c@1"])
    prices = [step / 1000 for step in range(1, 20000)]
    ahead = [better(found.shares, price) for price in prices]
    if "whatever" in found.price or "anything" in found.price:
        assert (found.shares[0][0] == found.shares[1][0]) == ("anything" in found.price)
        assert f"wrong, {'ab'[ahead[0]]} is ahead" in found.price and len(set(ahead)) == 1
        return
    change = next(place for place, one in enumerate(ahead) if one != ahead[0])
    words = found.price.removeprefix("By right − cost · wrong, ").split()
    assert (words[0], words[-9]) == ("ab"[ahead[0]], "ab"[ahead[change + 1]])
    assert float(words[10]) == pytest.approx(prices[change], abs=0.006)


def test_several_are_corrected_for_their_number(tmp_path):
    found = compared(tmp_path, BEFORE, AFTER, replaced("correct", "wrong")(AFTER), dict(BEFORE), measures=["c@1"])
    p = [it.measures["p"][0] for it in found]
    order = sorted(range(3), key=p.__getitem__)
    holm, largest = {}, 0.0
    for place, number in enumerate(order):
        largest = max(largest, min(1, p[number] * (3 - place)))
        holm[number] = largest
    assert [it.measures["p_holm"][0] for it in found] == [pytest.approx(holm[number]) for number in range(3)]


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        command.main([*arguments])
    return ended.value.code


def test_every_form_says_the_same(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(BEFORE, Path("a.csv"))
    write(AFTER, Path("b.csv"))
    pair = ("compare", "a.csv", "b.csv", "--measure", "c@1")
    assert run(*pair, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    [row] = data["measures"]
    assert run(*pair) == 0
    text = capsys.readouterr().out
    assert run(*pair, "--markdown", "--list") == 0
    page = capsys.readouterr().out
    for said in (f"{row['difference']:+.4f}", f"{row['p']:.4f}", *data["sentences"][-1:]):
        assert said in text and said in page
    assert len(data["changed"]) == sum(line.startswith("| q0") for line in page.splitlines())
    assert not [line for line in text.splitlines() if line.startswith("| q0")]


def test_other_rules_are_told_before_any_number(tmp_path):
    """Two harnesses: one takes a failed judge for a failed test, the other says so."""
    import log_samples

    for name in ("inspect", "promptfoo"):
        sample = log_samples.SAMPLES[name]
        for file, content in sample.files.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    one, other = (sides.side(str(tmp_path / name), tmp_path / f"of-{name}", {}) for name in ("inspect", "inspect"))
    assert sides.differing(one, other) == []
    other = other._replace(rules=["accuracy of another_scorer"])
    assert sides.differing(one, other)[0].startswith("The two were scored under different rules: ")
    written = {"task": "qa", "graded": {"format": "promptfoo", "files": "x"}}
    other = other._replace(what=other.what._replace(written=written))
    [said] = sides.differing(one, other)
    assert "different harnesses" in said and "a failed judge is a failed assertion" in said


def inspect_log(model: str, scorer: str, *verdicts: str) -> str:
    """A log of Inspect with a sample for each of these verdicts."""
    said = {"choices": [{"message": {"content": "a"}, "stop_reason": "stop"}]}
    graded = enumerate(verdicts)
    samples = [{"id": n, "epoch": 1, "output": said, "scores": {scorer: {"value": one}}} for n, one in graded]
    stated = {"name": scorer, "scorer": scorer, "metrics": {"accuracy": {"value": 0.5}}}
    about = {"model": model, "task": "toy", "dataset": {}}
    return json.dumps(
        {"version": 2, "status": "success", "eval": about, "results": {"scores": [stated]}, "samples": samples}
    )


def test_runs_in_the_same_files_are_told_apart_by_rules_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("logs").mkdir()
    for name, scorer in (("x", "match"), ("y", "judge"), ("z", "match")):
        Path(f"logs/{name}.json").write_text(inspect_log(name, scorer, "C", "I"))
    Path("logs/notes").write_text("nothing")
    other, alike = sides.of_files(["logs"], ["x", "y", "z"], ["accuracy"], {})
    rule = "The two were scored under different rules: x by accuracy of match, y by accuracy of judge."
    assert other.warnings[1:] == [rule] and len(alike.warnings) == 1
    assert other.warnings[0].startswith("Left out: logs/notes: found ")
    Path("config.yaml").write_text("campaigns: {it: {task: qa, graded: {format: inspect, files: logs/*.json}}}\n")
    assert run("compare", "--in", "it", "x", "y", "--json") == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == [rule]


def test_rules_on_the_text_of_answers_count(tmp_path):
    """An answer that is a refusal is left open, whatever it was graded as."""
    first, other = (write(one, tmp_path / f"{name}.csv") for name, one in (("a", BEFORE), ("b", AFTER)))
    rules = {"refusals": {"prefixes": ["answer q00"]}}
    [found] = sides.of_logs(first, [other], ["c@1"], rules)
    refused = [name for name in BEFORE if name.startswith("q00")]
    assert found.crossed.filter(a="open")["open"].item() >= len(refused)
    assert not {*found.changed["question"]} & {
        name for name in refused if "unanswered" not in (BEFORE[name], AFTER[name])
    }


OFTEN = {
    "q1": ["correct", "correct", "correct"],
    "q2": ["correct", "wrong", "wrong"],
    "q3": ["unanswered", "unanswered"],
    "q4": ["wrong", "unscored", "wrong"],
    "q5": ["correct", "unanswered", "correct"],
}


@pytest.mark.parametrize("first", [2, 1])  # b was asked each question twice, or once
def test_times_a_question_was_asked_are_taken_together(first, tmp_path):
    other = {name: states[:first] for name, states in {**OFTEN, "q1": ["wrong", "wrong"]}.items()}
    paths = []
    for run, asked in (("a", OFTEN), ("b", other)):
        rows = [f"{name},{time},{one}" for name, states in asked.items() for time, one in enumerate(states)]
        paths.append(str(tmp_path / f"{run}.csv"))
        Path(paths[-1]).write_text("\n".join(["question,epoch,verdict", *rows, ""]))
    [found] = sides.of_logs(paths[0], paths[1:], ["accuracy"], {})
    pairs: Counter[tuple[str, str]] = Counter()
    for name in OFTEN:
        one, another = ({resolved(state) for state in asked[name]} for asked in (OFTEN, other))
        pairs[min(one) if len(one) == 1 else "mixed", min(another) if len(another) == 1 else "mixed"] += 1
    names = [*STATES.values(), "mixed"]
    assert {row["a"]: [row[x] for x in names] for row in found.crossed.to_dicts()} == {
        x: [pairs[x, y] for y in names] for x in names
    }
    said = {
        2: "1 question changed: 1 from right to wrong; on 2 others the states of both are mixed.",
        1: "3 questions changed: 2 from mixed to right, 1 from right to wrong.",
    }
    assert found.of_changes == said[first]
    assert "mixed: asked several times" in found.markdown()


TABLE = "question,answer,verdict\nq1,x,correct\nq2,y,wrong\n"
BAD = {
    "no log": ({"a.csv": TABLE, "b.csv": "nothing\n"}, ("a.csv", "b.csv"), "b.csv: found "),
    "not there": ({"a.csv": TABLE}, ("a.csv", "b.csv"), "b.csv: found a path that cannot be looked at"),
    "no question shared": (
        {"a.csv": TABLE, "b.csv": TABLE.replace("q1", "p1").replace("q2", "p2")},
        ("a.csv", "b.csv"),
        "share no question",
    ),
    "several runs": (
        {"a.csv": TABLE, "b.csv": "run,question,verdict\nx,q1,correct\ny,q1,wrong\n"},
        ("a.csv", "b.csv"),
        "b.csv holds 2 runs (x and y): name two, compare --in b.csv RUN RUN",
    ),
    "no such run": (
        {"b.csv": "run,question,verdict\nx,q1,correct\ny,q1,wrong\n"},
        ("--in", "b.csv", "x", "z"),
        "no run 'z'; there are: x, y",
    ),
    "one run twice": (
        {"b.csv": "run,question,verdict\nx,q1,correct\ny,q1,wrong\n"},
        ("--in", "b.csv", "x", "x"),
        "x stands on both sides",
    ),
    "no such measure": ({"a.csv": TABLE, "b.csv": TABLE}, ("a.csv", "b.csv", "--measure", "c@2"), "no measure 'c@2'"),
    "no campaign": ({}, ("--in", "nowhere", "x", "y"), "nowhere is no file here, nor a campaign"),
    "ambiguous": (
        {"a.csv": TABLE, "b.csv": "question,score\nq1,0.7\nq2,0.2\nq3,1\n"},
        ("a.csv", "b.csv"),
        "--set correct_from=VALUE",
    ),
    "one operand": ({"a.csv": TABLE}, ("a.csv",), "required: B"),
    "a setting without a value": ({"a.csv": TABLE, "b.csv": TABLE}, ("a.csv", "b.csv", "--set", "x"), "--set x: give"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_refused(case, tmp_path, monkeypatch, capsys):
    files, arguments, said = BAD[case]
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        Path(name).write_text(content)
    assert run("compare", *arguments) == command.REFUSED
    told = capsys.readouterr()
    assert said in told.err and len(told.err.splitlines()) == 1 and told.out == ""
    assert {path.name for path in tmp_path.iterdir()} == {*files}


def test_names_hide_nothing_on_the_terminal(tmp_path, capsys):
    """Neither controls of 8 bits nor marks of direction, in a refusal as in a comparison; a long name is cut."""
    hidden, long = "a\u009b31mx\u202e", "n" * 300
    rows = [f"{run},{question},correct\n" for run in (hidden, long) for question in "pq"]
    (tmp_path / "a.csv").write_text("run,question,verdict\n" + "".join(rows))
    assert run("compare", "--in", str(tmp_path / "a.csv"), "nobody", hidden) == command.REFUSED
    assert run("compare", "--in", str(tmp_path / "a.csv"), "--markdown", hidden, long) == 0
    told = capsys.readouterr()
    for text in (told.err, told.out):
        assert "a[U+009B]31mx[U+202E]" in text and not {*text} & {*hidden} - {*"a31mx"}
    assert long not in told.out


def test_raw_runs_are_compared_where_their_judgments_are(tmp_path):
    from conftest import JUDGMENTS, RUNS

    for name, text in RUNS.items():
        (tmp_path / f"{name}.tsv").write_text(text)
    (tmp_path / "judgments.tsv").write_text(JUDGMENTS)
    options = {"missing": "unanswered"}
    [found] = sides.of_files([str(tmp_path)], ["alpha", "beta"], ["c@1"], options)
    assert found.asked == (4, 0, 0)
    with pytest.raises(Refused):
        sides.of_logs(str(tmp_path / "alpha.tsv"), [str(tmp_path / "beta.tsv")], ["c@1"], {})


PAIRS = """\
run,question,candidate,verdict
a,q1,x,tp
a,q1,y,fp
a,q2,x,tn
a,q2,y,fn
b,q1,x,tp
b,q1,y,tn
b,q2,x,tn
b,q2,y,u_p
"""
STATED = "run,question,state\na,q1,answered\na,q2,answered\nb,q1,answered\nb,q2,unanswered\n"


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """A campaign of answer validation, and one of responses that nobody judged."""
    monkeypatch.chdir(tmp_path)
    Path("pairs.csv").write_text(PAIRS)
    Path("stated.csv").write_text(STATED)
    graded = "graded: {format: tabular, layout: long, files: "
    Path("config.yaml").write_text(
        f"campaigns:\n  pairs: {{task: validation, {graded}pairs.csv}}}}\n"
        f"  unjudged: {{task: qa, {graded}stated.csv, columns: {{state: state}}, judged: false}}}}\n"
    )


def test_validated_answers_are_compared_pair_by_pair(configured, capsys):
    assert run("compare", "--in", "pairs", "a", "b", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["crossed"] == {
        "right": {"right": 2, "open": 0, "wrong": 0},
        "open": {"right": 0, "open": 0, "wrong": 0},
        "wrong": {"right": 1, "open": 1, "wrong": 0},
    }
    said = found["sentences"]
    assert "2 pairs changed: 1 from wrong to open, 1 from wrong to right." in said
    assert "By right − cost · wrong, b is ahead, whatever a wrong answer costs." in said
    assert run("compare", "--in", "pairs", "a", "b", "--markdown", "--list") == 0
    page = capsys.readouterr().out.replace(" ", "")
    assert "Pairsbywhataandbmadeofthem." in page
    assert "|q1|y|wrong|right|" in page and "|q2|y|wrong|open|" in page


def test_of_what_nobody_judged_nothing_is_right_or_wrong(configured, capsys):
    assert run("compare", "--in", "unjudged", "a", "b", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["crossed"] == {"given": {"given": 1, "open": 1}, "open": {"given": 0, "open": 0}}
    assert "1 question changed: 1 from given to open." in found["sentences"]
    assert not [one for one in found["sentences"] if "wrong" in one]
    assert {row["by_right"] for row in found["measures"]} == {None}


def test_a_scenario_is_no_campaign_to_compare_in(configured, capsys):
    text = Path("config.yaml").read_text()
    Path("config.yaml").write_text(
        text.replace("task: validation,", "task: validation, scenarios: {s: {missing: exclude}},")
    )
    assert run("compare", "--in", "pairs/scenarios/s", "a", "b") == command.REFUSED
    assert "has no campaign 'pairs/scenarios/s'; it has pairs and unjudged" in capsys.readouterr().err
