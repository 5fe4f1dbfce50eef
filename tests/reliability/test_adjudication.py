"""The answers to judge next: a worked example, plain loops, and campaigns whose right labels are known."""

from itertools import product

import numpy as np
import polars as pl
import pytest
import report_files
from nonresponse import measures
from nonresponse.config import votes
from nonresponse.pages.report import SECTIONS, part
from nonresponse.pages.sections import Campaign as Shown
from nonresponse.reliability import adjudication
from nonresponse.reliability.rankings import kendall_tau_b
from nonresponse.topics import adjudication as topic
from pipeline import Campaign

NAMES = ("ann", "bob", "eve")
VOTE = {"assessors": {name: name for name in NAMES}, "official": "majority"}


def listed(made: Campaign, id: str = "accuracy", judged: bool = False, **settings) -> pl.DataFrame:
    """to_adjudicate.csv."""
    responses = sorted((made.folder / "responses").glob("*.parquet")) if judged else []
    judgments = [made.folder / "judgments.parquet"] if judged else []
    options = {"official": "majority", "vote": votes.vote_of({"official": "majority"})} | settings
    return adjudication.to_adjudicate(
        made.verdicts, made.files[0], responses, judgments, measures.get("qa", id), options
    )


def reported(made: Campaign) -> list[dict]:
    """The section of the report; to_adjudicate.csv is written beside it."""
    settings = {"measures": ["accuracy"], "official": "majority", "vote": votes.vote_of({"official": "majority"})}
    shown = Shown("x", "qa", made.folder, report_files.SETTINGS | settings)
    topic.make(shown, [made.verdicts, made.files[0]], [])
    [section] = [one for one in SECTIONS if one.id == "adjudication"]
    return part.blocks_of(section, shown)


def voted(folder, runs: dict[str, list[str]]) -> Campaign:
    """A campaign from what ann, bob and eve say of each response, such as CCW."""
    words = {"C": "correct", "W": "wrong", ".": "unscored"}
    rows = {
        run: [
            {"question": f"q{number:03}"} | dict(zip(NAMES, (words[grade] for grade in grades), strict=True))
            for number, grades in enumerate(given)
        ]
        for run, given in runs.items()
    }
    return Campaign(folder).graded(rows, options=VOTE, vote=votes.vote_of(VOTE))


def test_an_answer_that_alone_decides_a_rank_comes_first(tmp_path):
    """near and next are one label apart, far is two above; nobody disputes what all three call the same."""
    runs = {
        "far": ["CCC", "CCC", "CCC", "CCW"],
        "near": ["CCC", "CWW", "WWW", "WWW"],
        "next": ["CCC", "CCC", "WWW", "WWW"],
    }
    found = listed(voted(tmp_path, runs))
    assert found.select("place", "question", "runs", "official", "labels_to_swap").rows() == [
        (1, "q001", "near", "wrong", 1),
        (2, "q003", "far", "correct", 2),
    ]
    assert found["weight"].to_list() == pytest.approx([8 / 9, 4 / 9])


def test_no_cell_of_the_file_is_a_formula(tmp_path):
    """As in audit.csv; answers and names of runs are anything."""
    made = voted(tmp_path, {"=1+1": ["CCW", "CWW"], "b": ["CCC", "WWW"]})
    reported(made)
    assert set(pl.read_csv(tmp_path / "to_adjudicate.csv")["runs"]) == {"'=1+1"}


def test_assessors_who_say_nothing_have_no_vote(tmp_path):
    found = listed(voted(tmp_path, {"a": ["CC.", "W.C", "CWC"], "b": ["CCC", "WWW", "WWC"]}))
    assert set(found.select("question", "runs", "correct", "not_correct", "official").rows()) == {
        ("q001", "a", 1, 1, "unscored"),
        ("q002", "a", 2, 1, "correct"),
        ("q002", "b", 1, 2, "wrong"),
    }


@pytest.mark.parametrize("id", ["accuracy", "c@1", "uf", "wrong_given_attempted"])
def test_labels_to_swap_as_counted_one_by_one(id):
    """One label after the other, until the run meets or passes another."""
    draw, measure = np.random.default_rng(3), measures.get("qa", id)
    right, silent = draw.integers(3, 12, 9), draw.integers(0, 6, 9)
    counts = pl.DataFrame(
        {"run": [f"r{i}" for i in range(9)], "n_ac": right, "n_aw": 20 - right - silent, "n_u": silent}
    )
    counts = counts.with_columns(n=pl.lit(20))
    found = adjudication.to_swap(counts, measure)
    sign = 1 if measure.higher_is_better else -1

    def score(row: dict, labels: int = 0) -> float:
        changed = row | {"n_ac": row["n_ac"] + labels, "n_aw": row["n_aw"] - labels}
        return sign * measure(**{name: changed[name] for name in measure.totals})

    linear = id in ("accuracy", "uf")
    for row, up, down in zip(counts.rows(named=True), found["up"], found["down"], strict=True):
        others = [score(other) for other in counts.rows(named=True) if other["run"] != row["run"]]
        for way, number in ((1, up), (-1, down)):
            ahead = [other for other in others if way * (other - score(row)) >= -1e-12]
            assert (number is None) == (not ahead), (row, way)
            if ahead and linear:
                steps = range(1, 40)
                met = next(n for n in steps if any(way * (score(row, way * n) - other) >= -1e-9 for other in ahead))
                assert number == met, (row, way)


def test_an_answer_of_several_runs_is_judged_once(tmp_path):
    """Raw runs: two gave Rome, in whatever place; their weights add up."""
    runs = {
        run: [{"question": "q1", "answer": answer}] for run, answer in {"a": "Rome", "b": "Rome", "c": "Oslo"}.items()
    }
    labels = {"ann": "RW", "bob": "WW", "eve": "WR"}
    judgments = {
        name: [
            {"question": "q1", "answer": it, "label": label} for it, label in zip(("Rome", "Oslo"), both, strict=True)
        ]
        for name, both in labels.items()
    }
    made = Campaign(tmp_path).judged(runs, judgments, vote=votes.vote_of(VOTE | {"assessors": {}}))
    found = listed(made, judged=True)
    assert found.select("answer", "runs", "correct", "not_correct").rows() == [
        ("Rome", "a + b", 1, 2),
        ("Oslo", "c", 1, 2),
    ]
    alone = listed(made)
    assert sorted(alone["runs"]) == ["a", "b", "c"]
    assert alone["weight"].sum() == pytest.approx(found["weight"].sum())


def test_an_official_assessor_of_their_own_votes(tmp_path):
    words = {"C": "correct", "W": "wrong"}
    rows = [{"question": f"q{n}", "ann": words[a], "bob": words[b]} for n, (a, b) in enumerate(product("CW", repeat=2))]
    options = {"assessors": {"ann": "ann", "bob": "bob"}, "official": "bob"}
    made = Campaign(tmp_path).graded({"r": rows}, options=options)
    found = listed(made, official="bob", vote=None)
    assert found.select("question", "correct", "not_correct", "official", "labels_to_swap", "weight").rows() == [
        ("q1", 1, 1, "wrong", None, 0.0),
        ("q2", 1, 1, "correct", None, 0.0),
    ]


def mended(majority: np.ndarray, truth: np.ndarray, settled: list) -> float:
    """tau with the true ranking, once these responses (run, question) have their right labels."""
    labels = majority.copy()
    for run, question in settled:
        labels[run, question] = truth[run, question]
    return kendall_tau_b(labels.mean(axis=1), truth.mean(axis=1))


@pytest.mark.slow
def test_labels_from_the_top_mend_the_ranking_best(tmp_path):
    """Three runs near each other and six by themselves, three assessors who err now and then; 150 labels more.

    From the top they mend the ranking; disputed answers at random, hardly.
    """
    right, questions, gained = np.array([0.2, 0.3, 0.4, 0.5, 0.52, 0.54, 0.7, 0.8, 0.9]), 200, []
    for number in range(12):
        draw = np.random.default_rng([4, number])
        truth = draw.random((9, questions)) < right[:, None]
        said = truth ^ (draw.random((3, 9, questions)) < 0.2)
        majority = said.sum(axis=0) > 1
        grades = [["".join("WC"[int(vote)] for vote in said[:, r, q]) for q in range(questions)] for r in range(9)]
        made = voted(tmp_path / str(number), {f"r{run}": grades[run] for run in range(9)})
        order = [(int(row["runs"][1:]), int(row["question"][1:])) for row in listed(made).iter_rows(named=True)]
        chance = [order[place] for place in draw.permutation(len(order))]
        gained.append([mended(majority, truth, settled) for settled in (order[:150], chance[:150], [])])
    top, random, before = np.mean(gained, axis=0)
    assert top > max(random, before) + 0.01, (top, random, before)


def test_the_report_says_how_many(tmp_path):
    runs = {
        "far": ["CCC", "CCC", "CCC", "CCW"],
        "near": ["CCC", "CWW", "WWW", "WWW"],
        "next": ["CCC", "CCC", "WWW", "WWW"],
    }
    said, table = reported(voted(tmp_path / "some", runs))
    assert said["sentences"] == [
        "Assessors dispute whether 2 answers are correct; for 1 of them, one label would bring the run level with"
        " another."
    ]
    assert [row[1] for row in table["rows"]] == ["q001", "q003"]
    assert reported(voted(tmp_path / "none", {run: ["CCC", "WWW"] for run in runs})) == []
