"""Tables of several sets of questions, such as benchmarks, in which ids begin anew."""

from pathlib import Path

import pytest
from looked import looked_at, run, verdicts
from nonresponse.front import Refused
from nonresponse.front.campaign import known
from nonresponse.look import repetitions
from reading import write

# A run on each, id and answer in two sets, of which the second has fewer questions; and what becomes of each.
ASKED = [("m", place, id) for place, ids in (("x", 8), ("y", 3)) for id in range(ids)]
ASKED += [("n", place, id) for _, place, id in ASKED]
STATES = {("x", 0): "correct", ("y", 0): "wrong", ("x", 1): "unanswered", ("y", 1): "correct"}
WORDS = {"correct": "right", "wrong": "wrong", "unanswered": "declined"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def table(header: str, *columns) -> str:
    """A table with a row for each of ASKED; `columns`: functions of the run, the set and the id."""
    rows = [",".join(str(column(*one)) for column in columns) for one in ASKED]
    return "".join(f"{line}\n" for line in (header, *rows))


def sets(name: str, more: str = "", *columns) -> str:
    """ASKED with their verdicts, the column `name` with the set, and more columns."""
    said = lambda run, place, id: WORDS[state(place, id)]  # noqa: E731
    own = (lambda run, place, id: run, lambda run, place, id: place, lambda run, place, id: id, said)
    return table(f"model,{name},id,grade{more}", *own, *columns)


def state(place: str, id: int) -> str:
    return STATES.get((place, id), "wrong" if id % 2 else "correct")


def expected() -> dict[tuple[str, str], str]:
    return {(run, f"{place}/{id}"): state(place, id) for run, place, id in ASKED}


def text_of(run: str, place: str, id: int) -> str:
    return f"What is {place}{id}?"


def text_of_id(run: str, place: str, id: int) -> str:
    return f"What is {id}?"


@pytest.mark.parametrize("name", [min(repetitions.SETS), min(repetitions.SETS_OR_SETTINGS), "task_name"])
def test_ids_that_begin_anew_are_other_questions(folder, name):
    """The texts say so, whatever the column is called: sets made runs, or rows of the second were unscored."""
    write("raw", "a.csv", sets(name, ",question", text_of))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and f"in another {name!r} is: here another question, as its text" in text
    assert "`question" not in text and campaign.written["graded"]["question"] == [name, "id"]
    [result] = run([campaign], folder).values()
    assert verdicts(result) == expected()


@pytest.mark.parametrize("name", [min(repetitions.SETS), min(repetitions.SETS_OR_SETTINGS)])
def test_a_name_says_so_where_nothing_else_does(folder, name):
    write("raw", "a.csv", sets(name))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and f"in another {name!r} is: here another question, by the name alone" in text
    [result] = run([campaign], folder).values()
    assert verdicts(result) == expected()
    if name in repetitions.SETS_OR_SETTINGS:
        with pytest.raises(Refused, match=rf"""`question: \["{name}", "id"\]`"""):
            known(["raw/a.csv"])
        assert known(["raw/a.csv"], options={"question": [name, "id"]}).written == campaign.written
    else:
        assert known(["raw/a.csv"]).written == campaign.written


def test_a_question_in_two_categories_is_one(folder):
    """A row for each of them, with the same text: such rows say the same."""
    for more in ((), (",question", text_of_id)):
        said = [lambda run, place, id: run, lambda run, place, id: place, lambda run, place, id: id]
        columns = [*said, lambda run, place, id: "right" if id % 2 else "wrong", *more[1:]]
        write("raw", "a.csv", table(f"model,category,id,grade{''.join(more[:1])}", *columns))
        [campaign], faults, _ = looked_at("raw")
        assert faults == [] and campaign.rows.height == (16 if more else 22)
        assert ("duplicates" in campaign.written["graded"]) is bool(more)
        with pytest.raises(Refused, match="does not say what"):  # without texts, they may be two questions
            known(["raw/a.csv"])


def test_right_answers_say_so_too(folder):
    gold = lambda run, place, id: f"{place}{id}"  # noqa: E731
    given = lambda run, place, id: f"{place}{id}" if state(place, id) == "correct" else "z"  # noqa: E731
    said = [lambda run, place, id: run, lambda run, place, id: place, lambda run, place, id: id]
    write("raw", "a.csv", table("model,dataset,id,target,response", *said, gold, given))
    [campaign], faults, _ = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["question"] == ["dataset", "id"]
    [result] = run([campaign], folder).values()
    assert {key for key, word in verdicts(result).items() if word == "correct"} == {
        key for key, word in expected().items() if word == "correct"
    }


def test_a_setting_with_other_right_answers_makes_runs():
    """Options in another order have other letters."""
    said = [lambda run, place, id: run, lambda run, place, id: place, lambda run, place, id: id]
    write("raw", "a.csv", table("model,variant,id,target,response", *said, lambda *_: f"{_[1]}{_[2]}", lambda *_: "x1"))
    made, _, _ = looked_at("raw")
    assert all("question" not in one.written["graded"] for one in made)


def test_epochs_of_sets_remain_epochs(folder):
    rows = [f"{run},{place},{id},{epoch},{int(id % 2)}\n" for run, place, id in ASKED for epoch in (1, 2)]
    write("raw", "a.csv", "model,dataset,id,seed,correct\n" + "".join(rows))
    [campaign], faults, _ = looked_at("raw")
    written = campaign.written["graded"]
    assert faults == [] and written["question"] == ["dataset", "id"] and written["columns"]["epoch"] == "seed"
    assert campaign.rows.select("run", "question", "epoch").n_unique() == 2 * len(ASKED)


def test_a_file_for_each_set_has_the_same_ids(folder):
    for place in "xy":
        rows = [row for row in sets("dataset").splitlines()[1:] if f",{place}," in row]
        write("raw", f"{place}.csv", "\n".join(["model,dataset,id,grade", *rows, ""]))
    [campaign], faults, _ = looked_at("raw")
    [result] = run([campaign], folder).values()
    assert faults == [] and verdicts(result) == expected()


def test_a_category_of_ids_that_begin_anew_is_their_category(folder):
    """It was passed over as none of the ids, and could then tell no rows apart."""
    write("raw", "a.csv", sets("category"))
    [campaign], _, text = looked_at("raw")
    assert "ignore" not in campaign.written["graded"] and "what they are called" not in text
    assert campaign.rows["category"].unique().sort().to_list() == ["x", "y"]


@pytest.mark.parametrize("name", ["epoch", "trial", "score"])
def test_repetitions_that_are_no_numbers_are_asked_about(name):
    """And what is called as ours is, without what that means: `ignore` had it, so that it told nothing apart."""
    rows = [f"m,{id},r{epoch},{int(id % 2)}\n" for id in range(6) for epoch in (1, 2)]
    write("raw", "a.csv", f"model,id,{name},correct\n" + "".join(rows))
    [campaign], faults, _ = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["run"] == f"{{model}}-{{{name}}}"
    with pytest.raises(Refused, match="`run:`"):
        known(["raw/a.csv"])


@pytest.mark.parametrize(
    ("name", "first"),
    [("run", 1), ("run_id", 1), ("sample_index", 1), ("sample", 0), ("rollout", 0)],
)
def test_repetitions_are_no_systems(folder, name, first, models="mn"):
    """run: 1, 2, 3 beside the model made three systems, the first of which were ranked."""
    rows = [f"{model},q{id},{first + n},{int(id > n)}\n" for model in models for id in range(6) for n in range(3)]
    write("raw", "a.csv", f"model,question,{name},correct\n" + "".join(rows))
    [campaign], faults, text = looked_at("raw")
    assert faults == [] and campaign.written["graded"]["columns"]["epoch"] == name, text
    assert campaign.rows["run"].unique().sort().to_list() == [*models] and "are verdicts of others" not in text
    known(["raw/a.csv"])


def test_runs_that_are_named_or_differ_in_a_setting_stay_systems(folder):
    for runs, more in ((("a", "b"), ""), (("1", "2"), ",0.5")):
        rows = [f"m,q{id},{run}{more and f',{run}'},{id % 2}\n" for id in range(6) for run in runs]
        write("raw", "a.csv", f"model,question,run{more and ',temperature'},correct\n" + "".join(rows))
        [campaign], faults, _ = looked_at("raw")
        assert faults == [] and campaign.rows["run"].unique().sort().to_list() == [*runs]


def test_runs_that_are_called_by_a_number_are_asked_about(folder):
    rows = [f"m,q{id},run_{n},{int(id > n)}\n" for id in range(6) for n in (1, 2)]
    write("raw", "a.csv", "model,question,run,correct\n" + "".join(rows))
    with pytest.raises(Refused, match="`run:`"):
        known(["raw/a.csv"])
