"""changes.md: what a change did, against the results that the pipeline itself kept."""

import itertools
import random
import shutil
from pathlib import Path

import polars as pl
import pytest
from conftest import SMALL, TINY, edit
from nonresponse import tables
from nonresponse.judging.store import Verdicts, count_changed, make_store, write_verdicts
from nonresponse.report.sections import changes
from nonresponse.report.sections.changes import NO_RESULTS, Results

EDITED = "2 judgments changed; 3 verdicts changed; 3 scores by c@1 moved; 3 runs changed rank."


@pytest.mark.slow
def test_an_edit_is_told_once_and_for_all(tiny):
    """On the page of its campaign, and on the terminal by the run that it repeats."""
    count_campaign = {"task": "qa", "counts": "raw/counts.csv", "measures": ["c@1"]}
    tiny.write("raw/counts.csv", "run,n_ac,n_aw,n_u\na,1,2,3\n")
    keys = SMALL | {"title": "A <test>"}
    tiny.configure(tiny=TINY | keys, counted=count_campaign)
    page, other_page = (tiny.folder / f"results/{name}/changes.md" for name in ("tiny", "counted"))
    assert "changes.md" not in tiny.snakemake().stdout
    assert page.read_text().endswith(f"\n\n## What changed\n\n{NO_RESULTS}\n")
    previous = other_page.read_text()
    edit(tiny, "raw/judgments.tsv", "q3\tOslo\tR", "q3\tOslo\tW")
    edit(tiny, "raw/judgments.tsv", "q4\tBonn\tW", "q4\tBonn\tR")
    printed = tiny.snakemake().stdout + tiny.snakemake().stdout
    assert printed.count("/changes.md)") == printed.count(f"tiny: {EDITED} (results/tiny/") == 1
    assert other_page.read_text() == previous
    text = page.read_text()
    assert text.startswith("# A &lt;test>: what changed\n") and EDITED in text
    assert len([line for line in text.splitlines() if line[:2] == "| "]) == 4  # with its header


JUDGED = ["assessor", "question", "candidate", "answer", "label"]
GIVEN = dict.fromkeys(("assessor", "run", "question"), pl.String)
GIVEN |= {"epoch": pl.Int32, "verdict": pl.String}


def make_verdicts(rows: list[tuple]) -> Verdicts:
    """Make verdicts of assessor, run, question, epoch and verdict."""
    frame = pl.DataFrame(rows, GIVEN, orient="row")
    return make_store(frame.with_columns(candidate=pl.lit("")), "qa")


@pytest.fixture
def results(tmp_path):
    """Return a function that makes results of scores by measure and run, verdicts and judgments."""
    number = itertools.count()

    def make(scores: dict, verdicts: list | None = None, judgments: list | None = None) -> Results:
        runs = sorted({run for values in scores.values() for run in values})
        columns = {id: [values.get(run) for run in runs] for id, values in scores.items()}
        board = pl.DataFrame({"run": runs} | columns).cast(dict.fromkeys(scores, pl.Float64))
        rank = pl.col(next(iter(scores))).fill_null(0).rank("min", descending=True)
        folder = tmp_path / f"made/{next(number)}"
        files = {name: folder / name for name in ("verdicts.npz", "judgments.parquet")}
        write_verdicts(files["verdicts.npz"], make_verdicts(verdicts or []))
        rows = [("a", question, "", *row) for question, *row in judgments or []]
        judged = pl.DataFrame(rows, dict.fromkeys(JUDGED, pl.String), orient="row")
        tables.write(tables.complete(judged, tables.JUDGMENTS), files["judgments.parquet"])
        return Results(board.select("run", rank.alias("rank"), *scores), files)

    return make


def describe(old: Results, new: Results) -> tuple[str, list]:
    """The sentence, and the rows of the table."""
    boards = changes.join_boards(old, new, new.board.columns[2])
    return changes.describe_changes(old, new, boards, "qa"), changes.list_moved(boards, "c@1").rows


def test_what_is_added_and_removed_is_told_as_such(results):
    x, z = {"x": 0.5}, {"z": 0.4}
    old = results(
        {"c@1": x | z | {"gone": 0.25}, "uf": x | {"z": 0.5, "gone": 0.0}},
        [("a", run, str(q), 0, "wrong") for run in ("x", "gone") for q in range(10)],
        [(str(q), "Rome", "W") for q in range(10)],
    )
    words = ["wrong"] * 4 + ["correct"]
    new = results(
        {"c@1": x | z | {"new": 0.75}, "accuracy": x | {"z": 0.6, "new": 1.0}},
        [("a", run, str(q), 0, word) for run in ("x", "new") for q, word in enumerate(words, 5)],
        [("9", "Rome", "R"), ("8", "Oslo", "W")],
    )
    text, rows = describe(old, new)
    assert text == (
        "11 judgments changed; 6 verdicts changed; 0 scores by c@1 moved; 0 runs changed rank;"
        " run added: new; run removed: gone."
    )
    assert [row[0] for row in rows] == ["new", "gone"]


SCORES = {"w": 0.5, "x": 0.5, "y": None, "z": None}
MANY = {f"r{place:02}": 1 - place / 100 for place in range(60)}
SWAPPED = MANY | {"r10": MANY["r11"], "r11": MANY["r10"], "first": 1.5, "last": 0.1}


@pytest.mark.parametrize(
    ("old", "new", "words", "moved"),
    [
        # Exactly, and undefined ones, too. X and w no longer share a rank, and y is before z.
        (
            {"c@1": SCORES},
            {"c@1": SCORES | {"x": 0.5 + 1e-12, "y": 0.25}},
            "2 scores by c@1 moved",
            [("x", 1, 1), ("w", 1, 2), ("y", 3, 3), ("z", 3, 4)],
        ),
        # Runs that others push down have not changed places.
        (
            {"c@1": MANY},
            {"c@1": SWAPPED},
            "2 runs changed rank; runs added: first and last.",
            [("first", None, 1), ("r11", 12, 12), ("r10", 11, 13), ("last", None, 62)],
        ),
        ({"c@1": {"a": 0.5}}, {"accuracy": {"a": 0.4}}, "0 runs changed rank.", None),
    ],
)
def test_scores_are_compared_by_run_and_measure(results, old, new, words, moved):
    text, rows = describe(results(old), results(new))
    assert words in text
    assert moved is None or [(row[0], row[1], row[3]) for row in rows] == moved


@pytest.mark.parametrize("seed", range(6))
def test_verdicts_that_changed_are_counted_as_in_a_loop(seed):
    """Assessors, runs, questions and epochs come and go."""
    draw, sides = random.Random(seed), []
    for _ in range(2):
        names = [draw.sample(letters, draw.randint(1, len(letters))) for letters in ("ab", "xyz")]
        questions = draw.sample("12345", draw.randint(1, 5) if seed % 2 else 5)
        keys = itertools.product(*names, sorted(questions), range(draw.randint(1, 3)))
        sides.append({key: draw.choice(["correct", "wrong"]) for key in keys})
    old, new = sides
    runs = {key[1] for key in old} & {key[1] for key in new}
    number = sum(old.get(key) != new.get(key) for key in old | new if key[1] in runs)
    stores = [make_verdicts([(*key, side[key]) for key in side]) for side in sides]
    assert count_changed(*stores) == number


@pytest.fixture
def three(results):
    """Three results that differ."""
    return [
        results({"c@1": {"x": score}}, [("a", "x", "q", 0, "wrong")]) for score in (0.1, 0.2, 0.7)
    ]


def is_same(results: Results | str, expected: Results) -> bool:
    return isinstance(results, Results) and results.board.equals(expected.board)


@pytest.mark.parametrize("step", range(5))
def test_killed_between_two_steps(three, tmp_path, step, monkeypatch):
    """What is half kept is not there, and is cleared away later."""
    a, b, c = three
    state, steps = tmp_path / "state", itertools.count()
    changes.keep_results(state, a)

    def dies(function):
        def wrapper(*arguments):
            if next(steps) == step:
                raise KeyboardInterrupt
            return function(*arguments)

        return wrapper

    places = [(tables, "write"), (tables, "keep"), (Path, "rename"), (shutil, "rmtree")]
    with monkeypatch.context() as patch:
        for owner, name in places:
            patch.setattr(owner, name, dies(getattr(owner, name)))
        try:
            changes.keep_results(state, b)
        except KeyboardInterrupt:
            assert step < 4
    assert is_same(changes.keep_results(state, b), a)
    assert is_same(changes.keep_results(state, c), b) and len([*state.iterdir()]) == 2


@pytest.mark.parametrize("file", ["board.parquet", "verdicts.npz"])
def test_damage_is_said_and_forgotten(three, tmp_path, file):
    a, b, c = three
    state = tmp_path / "state"
    changes.keep_results(state, a)
    path = state / "1" / file
    content = path.read_bytes()
    path.unlink()  # it is another name of a result
    path.write_bytes(content[:-9])
    assert changes.keep_results(state, b) is None
    assert changes.keep_results(state, b) is None
    assert is_same(changes.keep_results(state, c), b)
