"""The answers to judge next: a worked example, plain loops, and campaigns whose right labels are
known."""

import numpy as np
import polars as pl
import pytest
import report_files
from nonresponse import measures
from nonresponse.campaign import votes
from nonresponse.report.campaign import Campaign as Shown
from nonresponse.report.model import Section, read_sections
from nonresponse.report.sections import adjudication as page
from nonresponse.statistics import adjudication
from pipeline import Campaign

NAMES = ("ann", "bob", "eve")
VOTE = {"assessors": {name: name for name in NAMES}, "official": "majority"}


def listed(
    made: Campaign, id: str = "accuracy", judged: bool = False, vote_tables=(), **settings
) -> pl.DataFrame:
    """to_adjudicate.csv."""
    responses = sorted((made.folder / "responses").glob("*.parquet")) if judged else []
    judgments = [made.folder / "judgments.parquet"] if judged else []
    options = {
        "official": "majority",
        "vote": votes.parse_vote({"official": "majority"}),
        "seed": 1,
    } | settings
    return adjudication.list_disputed(
        made.verdicts,
        made.files[0],
        responses,
        judgments,
        measures.get("qa", id),
        options,
        [*vote_tables],
    )


def reported(made: Campaign, **more) -> list[Section]:
    """The sections of the report; to_adjudicate.csv is written beside it."""
    settings = {
        "measures": ["accuracy"],
        "official": "majority",
        "seed": 1,
        "pages": ["adjudication"],
    }
    settings |= {"vote": votes.parse_vote({"official": "majority"})} | more
    shown = Shown("x", "qa", made.folder, report_files.SETTINGS | settings)
    page.make(shown, made.verdicts, made.files[0], [], [], [])
    return [*read_sections(made.folder / "adjudication.json").values()]


def voted(folder, runs: dict[str, list[str]]) -> Campaign:
    """A campaign from what ann, bob and eve say of each response, such as CCW."""
    words = {"C": "correct", "W": "wrong", ".": "unscored"}
    rows = {
        run: [
            {"question": f"q{number:03}"}
            | dict(zip(NAMES, (words[grade] for grade in grades), strict=True))
            for number, grades in enumerate(given)
        ]
        for run, given in runs.items()
    }
    return Campaign(folder).graded(rows, options=VOTE, vote=votes.parse_vote(VOTE))


def test_an_answer_that_alone_decides_a_rank_has_the_largest_weight(tmp_path):
    """near and next are one label apart, far is two above; nobody disputes what all three call the
    same."""
    runs = {
        "far": ["CCC", "CCC", "CCC", "CCW"],
        "near": ["CCC", "CWW", "WWW", "WWW"],
        "next": ["CCC", "CCC", "WWW", "WWW"],
    }
    found = listed(voted(tmp_path, runs)).sort("weight", descending=True)
    assert found.select("question", "runs", "official", "labels_to_swap").rows() == [
        ("q001", "near", "wrong", 1),
        ("q003", "far", "correct", 2),
    ]
    assert found["weight"].to_list() == pytest.approx([8 / 9, 8 / 9 / np.sqrt(2)])
    assert sorted(found["place"]) == [1, 2]


@pytest.mark.parametrize("id", ["accuracy", "c@1", "uf", "wrong_given_attempted"])
def test_labels_to_swap_as_counted_one_by_one(id):
    """One label after the other, until the run meets or passes another."""
    draw, measure = np.random.default_rng(3), measures.get("qa", id)
    right, silent = draw.integers(3, 12, 9), draw.integers(0, 6, 9)
    counts = pl.DataFrame(
        {
            "run": [f"r{i}" for i in range(9)],
            "n_ac": right,
            "n_aw": 20 - right - silent,
            "n_u": silent,
        }
    )
    counts = counts.with_columns(n=pl.lit(20), n_rightful=pl.lit(0))
    found = adjudication.count_labels_to_swap(counts, measure)
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
                met = next(
                    n
                    for n in steps
                    if any(way * (score(row, way * n) - other) >= -1e-9 for other in ahead)
                )
                assert number == met, (row, way)


def test_an_answer_of_several_runs_is_judged_once(tmp_path):
    """Two raw runs gave Rome; their weights add up."""
    runs = {
        run: [{"question": "q1", "answer": answer}]
        for run, answer in {"a": "Rome", "b": "Rome", "c": "Oslo"}.items()
    }
    labels = {"ann": "RW", "bob": "WW", "eve": "WR"}
    judgments = {
        name: [
            {"question": "q1", "answer": it, "label": label}
            for it, label in zip(("Rome", "Oslo"), both, strict=True)
        ]
        for name, both in labels.items()
    }
    made = Campaign(tmp_path).judged(
        runs, judgments, vote=votes.parse_vote(VOTE | {"assessors": {}})
    )
    found = listed(made, judged=True)
    assert found.sort("runs").select("answer", "runs", "correct", "not_correct").rows() == [
        ("Rome", "a + b", 1, 2),
        ("Oslo", "c", 1, 2),
    ]
    alone = listed(made)
    assert sorted(alone["runs"]) == ["a", "b", "c"]
    assert alone["weight"].sum() == pytest.approx(found["weight"].sum())


def asked_again(folder) -> Campaign:
    """a was asked two questions three times each and one once, b all of them once; seven answers
    are disputed."""
    words = {"C": "correct", "W": "wrong"}
    given = {
        "a": {"q1": ["CW", "WC", "CC"], "q2": ["CW", "CW", "WW"], "q3": ["CW"]},
        "b": {"q1": ["CW"], "q2": ["CW"]},
    }
    given["b"]["q3"] = ["WW"]
    rows = {
        run: [
            {
                "question": question,
                "epoch": str(epoch),
                "ann": words[both[0]],
                "bob": words[both[1]],
            }
            for question, grades in its.items()
            for epoch, both in enumerate(grades, 1)
        ]
        for run, its in given.items()
    }
    return Campaign(folder).graded(
        rows, options={"assessors": {"ann": "ann", "bob": "bob"}, "official": "ann"}
    )


def test_each_sample_of_a_question_is_an_answer_to_judge(tmp_path):
    """a has 7/3 of three questions right and b 2: a label of a sample moves a third of a
    question."""
    made = asked_again(tmp_path)
    found = listed(made, official="ann", vote=None).sort("runs", "question", "epoch")
    assert found.select("runs", "question", "epoch", "official", "labels_to_swap").rows() == [
        ("a", "q1", 1, "correct", 1),
        ("a", "q1", 2, "wrong", 1),
        ("a", "q2", 1, "correct", 1),
        ("a", "q2", 2, "correct", 1),
        ("a", "q3", None, "correct", 1),
        ("b", "q1", None, "correct", 1),
        ("b", "q2", None, "correct", 1),
    ]
    assert sorted(found["place"]) == list(range(1, 8))
    assert adjudication.count_labels_to_swap(
        made.counts.filter(assessor="ann"), measures.get("qa", "accuracy"), 1 / 9
    ).select("run", "up", "down").rows() == [("a", None, 3), ("b", 3, None)]
    reported(made, official="ann", vote=None)
    assert pl.read_csv(tmp_path / "to_adjudicate.csv").filter(runs="a", question="q1")[
        "epoch"
    ].sort().to_list() == [1, 2]
