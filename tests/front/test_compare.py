"""Two runs compared: the numbers against plain loops, what has no verdict, and what is refused."""

import json
from collections import Counter
from pathlib import Path

import nonresponse
import polars as pl
import pytest
from command_line import run
from log_samples import inspect_log, lines
from mutants import MUTANTS, Verdicts, draw_system, replace_state, write
from nonresponse import formats
from nonresponse.front import RefusedError, command, compare
from nonresponse.front.campaign import AskedError
from nonresponse.front.comparison import STATES, Comparison
from reading import write as write_text

CONFIG = Path("config.yaml")
OLD = draw_system(200, 0.6, 0.2)
NEW = draw_system(200, 0.65, 0.1, seed=2)


def compare_systems(
    folder: Path, *systems: Verdicts, measures=("c@1", "accuracy", "answered"), **options
) -> list[Comparison]:
    files = [
        write(verdicts, folder / f"{name}.csv")
        for name, verdicts in zip("abcd", systems, strict=False)
    ]
    return compare.compare_logs(files, measures, options)


def count_state(state: str) -> str:
    """As the default policy has it: what nobody judged is wrong."""
    return state if state in STATES else "wrong"


def count_cells(crossed: pl.DataFrame) -> Counter:
    """The number of questions by the states of both runs."""
    return Counter(
        {(row["a"], b): row[b] for row in crossed.to_dicts() for b in crossed.columns[1:]}
    )


@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_numbers_are_those_of_a_loop(mutant, tmp_path):
    new = MUTANTS[mutant](OLD)
    [pair] = compare_systems(tmp_path, OLD, new)
    pairs = {name: (OLD[name], new[name] or "unscored") for name in OLD if name in new}
    assert pair.asked == (len(pairs), len(OLD) - len(pairs), 0)
    assert count_cells(pair.crossed) == Counter(pairs.values())
    changes = {name: (a, b) for name, (a, b) in pairs.items() if b not in (a, "unscored")}
    assert {name: (a, b) for name, a, b in pair.changed.rows()} == changes
    rows = {row["measure"]: row for row in pair.measures.to_dicts()}
    for key, verdicts in (("a", OLD), ("b", new)):
        count, n = Counter(count_state(verdicts[name]) for name in pairs), len(pairs)
        correct, unanswered = count["correct"], count["unanswered"]
        assert rows["c@1"][key] == pytest.approx((correct + unanswered * correct / n) / n)
        assert rows["accuracy"][key] == pytest.approx(correct / n)
        assert rows["answered"][key] == pytest.approx(1 - unanswered / n)
    for row in rows.values():
        assert row["difference"] == pytest.approx(row["b"] - row["a"])
    shares = pair.parts.by_correct[0] + pair.parts.by_abstention[0]
    assert shares == pytest.approx(rows["c@1"]["difference"])


# The judge failed on half of the answers
UNJUDGED = {f"q{n:02}": "correct" if n < 10 else "" for n in range(20)}
VERDICTS_OF_JUDGE = {name: state or "wrong" for name, state in UNJUDGED.items()}


@pytest.mark.parametrize(("choice", "left_out"), [("wrong", 0), ("exclude", 10)])
def test_what_nobody_judged_is_counted_and_never_taken_for_a_difference(choice, left_out, tmp_path):
    systems, options = (VERDICTS_OF_JUDGE, UNJUDGED), {"measures": ["c@1"], "unscored": choice}
    [pair] = compare_systems(tmp_path, *systems, **options)
    [row] = pair.measures.to_dicts()
    assert (row["difference"], row["p"], pair.left_out) == (0, 1, left_out)
    assert pair.changed.is_empty()
    assert (row["lowest"], row["highest"]) == (0, 0.5) and row["p_highest"] == pytest.approx(2**-9)
    verdicts = pair.verdicts.select("correct", "wrong", "unscored").rows()
    assert verdicts == [(10, 10, 0), (10, 0, 10)]
    text = " ".join(pair.sentences)
    assert "10 of 20 responses of b were not judged" in text
    assert "the difference lies between +0.000 (p = 1) and +0.500 (p = 0.00195)." in text


def test_failures_are_at_best_unanswered(tmp_path):
    failed = {name: state or "error" for name, state in UNJUDGED.items()}
    [pair] = compare_systems(tmp_path, VERDICTS_OF_JUDGE, failed, measures=["c@1", "accuracy"])
    assert pair.measures.select("lowest", "highest").rows() == [(0, 0.25), (0, 0)]
    assert "10 of 20 responses of b failed, and count as wrong." in pair.sentences


def test_scores_of_partial_answers_are_named_first(tmp_path):
    """As truthfulqa_mc2: a sample has a number from 0 to 1, and few have 1."""
    for name, values in (("a", [1.0, 0.4, 0.6]), ("b", [0.4, 0.6, 0.8])):
        sample = {"metrics": ["acc"], "filtered_resps": [""]}
        rows = [sample | {"doc_id": n, "acc": value} for n, value in enumerate(values)]
        results = {"results": {"mc2": {"acc,none": sum(values) / 3}}, "model_name": name}
        results |= {"n-samples": {"mc2": {"original": 3, "effective": 3}}}
        write_text(tmp_path, f"{name}/samples_mc2_2026-01-01T00-00-00.jsonl", lines(*rows))
        write_text(tmp_path, f"{name}/results_2026-01-01T00-00-00.json", json.dumps(results))
    folders = [str(tmp_path / name) for name in "ab"]
    [log_pair] = compare.compare_logs(folders, ["accuracy"], {})
    [file_pair] = compare.compare_inside(str(tmp_path), ["a", "b"], ["accuracy"], {}, CONFIG)
    assert log_pair.sentences[0] == file_pair.sentences[0]
    sentence = "The log of b states acc,none 0.600, which comes mostly from partly correct"
    assert log_pair.sentences[0].startswith(sentence)
    assert "3 of 3 responses of b are only partly correct, and count as wrong." in (
        log_pair.sentences
    )


def test_several_are_tested_together_as_in_a_campaign(tmp_path):
    names = ["c@1", "answered", "accuracy"]
    systems = OLD, NEW, replace_state("correct", "wrong")(NEW), dict(OLD)
    pairs = compare_systems(tmp_path, *systems, measures=names)
    files = sorted(map(str, tmp_path.glob("*.csv")))
    differences = nonresponse.evaluate(files, name=compare.NAME, measures=names).differences
    assert differences.filter(pl.col("p_maxt") > pl.col("p")).height
    for name, pair in zip("bcd", pairs, strict=True):
        values = differences.filter(pl.concat_list("a", "b").list.sort() == ["a", name])
        p_maxt = dict(values.select("measure", "p_maxt").iter_rows())
        assert dict(pair.measures.select("measure", "p_maxt").iter_rows()) == p_maxt
        [sentence] = [text for text in pair.sentences if text.startswith("The difference")]
        row = pair.measures.row(0, named=True)
        assert f"in {row['measure']}, {row['difference']:+.3f}".replace("-", "−") in sentence
        assert ("is not significant" in sentence) == (row["p_maxt"] > 0.05)


def test_logs_of_two_harnesses_are_compared_with_what_these_cannot_tell(tmp_path):
    log = write_text(tmp_path, "a.json", inspect_log({"qa": "CI"}))
    table = write_text(tmp_path, "b.csv", "question,verdict\nq0,correct\nq1,correct\n")
    [pair] = compare.compare_logs([log, table], ["accuracy"], {})
    origins = f"{log} (inspect) and {table} (tabular)"
    warning = f"{origins} come from different harnesses, whose verdicts differ."
    assert pair.warnings == [warning, formats.LOGS["inspect"].caveat]


def test_several_that_share_no_question_are_compared_two_at_a_time(tmp_path):
    few = [dict.fromkeys(names, "correct") for names in ("pq", "pr", "qr")]
    with pytest.raises(RefusedError, match="No question was asked of all 3 runs"):
        compare_systems(tmp_path, *few)


def test_every_form_says_the_same(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = write(OLD, Path("a.csv")), write(NEW, Path("b.csv"))
    printed = []
    for form in (["--json"], [], ["--markdown", "--list"]):
        assert run("compare", *files, "--measure", "c@1", *form) == 0
        printed.append(capsys.readouterr().out)
    data, text, page = json.loads(printed[0]), *printed[1:]
    [row] = data["measures"]
    for part in (f"{row['difference']:+.4f}", f"{row['p']:.4f}", *data["sentences"][-1:]):
        assert part in text and part in page
    assert len(data["changed"]) == sum(line.startswith("| q0") for line in page.splitlines())
    assert "\n| q0" not in text
    assert sum(number for row in data["crossed"].values() for number in row.values()) == len(OLD)


def test_what_any_file_leaves_open_is_asked_of_all_at_once(tmp_path):
    (tmp_path / "a.csv").write_text("id,answer,correct\n1,x,1\n2,N/A,0\n")
    (tmp_path / "b.csv").write_text("id,answer,correct\n1,unknown,0\n2,HTTP 500,0\n")
    paths = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    with pytest.raises(AskedError) as refused:
        compare.compare_logs(paths, [], {})
    proposed = {question.key: question.default.value for question in refused.value.questions}
    assert proposed == {"unanswered": ["N/A", "unknown"], "failed": ["HTTP 500"]}
    [pair] = compare.compare_logs(paths, [], proposed)
    assert pair.verdicts.filter(run="b").select("unanswered", "error").row(0) == (1, 1)


def test_names_hide_nothing_on_the_terminal(tmp_path, capsys):
    """Neither 8-bit controls nor marks of direction reach it; a long name is cut."""
    hidden, long, path = "a\u009b31mx\u202e", "n" * 300, tmp_path / "a.csv"
    rows = [f"{name},{question},correct\n" for name in (hidden, long) for question in "pq"]
    path.write_text("run,question,verdict\n" + "".join(rows))
    assert run("compare", "--in", path, "nobody", hidden) == command.REFUSED
    assert run("compare", "--in", path, "--markdown", hidden, long) == 0
    output = capsys.readouterr()
    for text in (output.err, output.out):
        assert "a[U+009B]31mx[U+202E]" in text and not {*text} & {*hidden} - {*"a31mx"}
    assert long not in output.out


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
RULE = (
    "The runs were not measured alike: they differ in scorer, metric or filter (y by judge; x by "
    "match)."
)


def test_runs_in_one_file_are_compared_as_these_say(tmp_path):
    """Pairs are compared one by one; unjudged runs have no right or wrong; rules differ first."""
    pairs = write_text(tmp_path, "pairs.csv", PAIRS)
    [pair] = compare.compare_inside(pairs, ["a", "b"], [], {}, CONFIG)
    assert +count_cells(pair.crossed) == {
        ("correct", "correct"): 2,
        ("wrong", "correct"): 1,
        ("wrong", "unanswered"): 1,
    }
    assert pair.changed.select("question", "candidate").rows() == [("q1", "y"), ("q2", "y")]
    stated = write_text(tmp_path, "stated.csv", STATED)
    options = {"judged": False, "abstained": "state"}
    options |= {"states": {"answered": "answered", "unanswered": "unanswered"}}
    [pair] = compare.compare_inside(stated, ["a", "b"], [], options, CONFIG)
    assert +count_cells(pair.crossed) == {("answered", state): 1 for state in options["states"]}
    assert not [text for text in pair.sentences if "wrong" in text or "judged" in text]
    assert pair.parts is None
    for name, scorer in (("x", "match"), ("y", "judge")):
        write_text(tmp_path, f"logs/{name}.json", inspect_log({scorer: "CI"}, model=name))
    graded = {"format": "inspect", "files": str(tmp_path / "logs/*.json")}
    config = json.dumps({"campaigns": {"rules": {"task": "qa", "graded": graded}}})
    path = Path(write_text(tmp_path, "config.yaml", config))
    [pair] = compare.compare_inside("rules", ["x", "y"], [], {}, path)
    assert pair.warnings == [RULE]
    files = [str(tmp_path / f"logs/{name}.json") for name in "xy"]
    assert compare.compare_logs(files, ["accuracy"], {})[0].sentences[0] == RULE
