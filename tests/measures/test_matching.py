"""Abstracts and their articles, DEFT 2011, task B: its definitions in plain loops, and what follows
from them."""

import random
from fractions import Fraction

import pytest
from literal_hypotheses import (
    CHOICES,
    CLOSE,
    Literal,
    Made,
    assert_scores,
    near,
    through_the_stages,
)
from nonresponse.judging.store import read_verdicts
from pipeline import Campaign
from quick import first_of_each

MEASURES = {"s": Literal.s, "s_c": Literal.s_c, "c@1": Literal.c_at_1, "answered": Literal.answered}


@pytest.fixture(scope="module", params=first_of_each(lambda seed: "one of them", range(3)))
def both(request, tmp_path_factory):
    return through_the_stages(Made("matching", request.param), tmp_path_factory.mktemp("matching"))


def test_every_verdict(both):
    made, campaign = both
    frame = read_verdicts(campaign.verdicts).rows()
    assert not {"year", "distance"} & set(frame.columns)
    rows = frame.rows(named=True)
    order = [(row["assessor"], row["run"], row["question"]) for row in rows]
    names = [row["question"] for row in made.questions]
    assert order == [
        (a, r, q) for a in sorted(made.references) for r in sorted(made.runs) for q in names
    ]
    for row in rows:
        q, literal = row["question"], Literal(made, row["run"], row["assessor"], "wrong")
        answer, confidence = literal.best[q]
        assert row["answer"] == answer
        assert row["confidence"] == (None if confidence is None else float(confidence))
        assert row["verdict"] == literal.raw(q) and row["missing"] == (not literal.rows[q])
        assert row["similarity"] == (row["verdict"] == "correct") == literal.similarity(q)
        assert near(row["similarity_c"], literal.similarity_c(q))


def test_the_campaigns_are_not_trivial():
    """Among them: every verdict, equals at the top, a right article that comes second or gets
    nothing."""
    seen = set()
    for seed in range(3):
        made = Made("matching", seed)
        for run in made.runs:
            literal = Literal(made, run, "official", "wrong")
            for q in literal.asked:
                ranked = [confidence for _, confidence in literal.hypotheses[q]]
                weighted = dict(literal.hypotheses[q]).get(literal.right[q])
                seen |= {
                    literal.raw(q),
                    ("missing", not literal.rows[q]),
                    ("worthless", weighted == 0),
                }
                seen.add(("equals", ranked.count(max(ranked, default=None)) > 1))
                seen.add(("second", bool(weighted) and literal.raw(q) == "wrong"))
                seen.add(
                    (
                        "second differs",
                        Literal(made, run, "second", "wrong").raw(q) != literal.raw(q),
                    )
                )
    for kind in ("missing", "equals", "worthless", "second", "second differs"):
        assert (kind, True) in seen, kind
    assert {"correct", "wrong", "unanswered", "error"} <= seen


@pytest.mark.parametrize("error", first_of_each(lambda error: "one of them", reversed(CHOICES)))
def test_every_count_and_score_and_its_bounds(both, error):
    assert_scores(*both, error, MEASURES)


def judged(folder, runs: dict[str, list], right: dict[str, str]) -> Campaign:
    """Runs of (question, label, confidence); right labels by question."""
    rows = {
        run: [dict(zip(("question", "answer", "confidence"), row, strict=False)) for row in own]
        for run, own in runs.items()
    }
    gold = {"gold": [{"question": q, "answer": label} for q, label in right.items()]}
    return Campaign(folder, "matching").judged(rows, gold)


RIGHT = {f"r{i:02}": f"t{i % 17:02}" for i in range(20)}


def test_a_perfect_run_has_1_everywhere(tmp_path):
    perfect = judged(tmp_path, {"r": list(RIGHT.items())}, RIGHT)
    assert {perfect.score(id, "r") for id in MEASURES} == {1}


def test_s_is_the_share_of_right_articles(tmp_path):
    """Equation 1 has only runs that answer: it is c@1 then. A run that is silent gains c@1, not
    s."""
    draw = random.Random(6)
    runs = {
        f"run{k:02}": [(q, a if i < k else "t99") for i, (q, a) in enumerate(RIGHT.items())]
        for k in range(21)
    }
    runs = {run: draw.sample(rows, 20) for run, rows in runs.items()}
    campaign = judged(tmp_path, runs | {"half": list(RIGHT.items())[:10]}, RIGHT)
    assert campaign.scores("s")["value"].to_list() == [0.5, *[k / 20 for k in range(21)]]
    assert campaign.scores("s_c").equals(campaign.scores("s"))
    assert campaign.scores("c@1")["value"].to_list()[1:] == pytest.approx(
        [k / 20 for k in range(21)], abs=1e-15
    )
    assert campaign.score("c@1", "half") == 0.75


def test_s_c_is_the_confidence_in_the_right_article(tmp_path):
    """The share that a run gives to the right one, wherever it stands; of equals, the first is the
    one of s."""
    shares = [Fraction(k, 20) for k in range(21)]
    runs = {
        f"run{k:02}{order}": [
            (q, *given) for q, a in RIGHT.items() for given in pairs(float(share), a)[::order]
        ]
        for k, share in enumerate(shares)
        for order in (1, -1)
    }
    campaign = judged(tmp_path, runs, RIGHT)
    first, weighted = (
        dict(campaign.values(id).select("run", "value").rows()) for id in ("s", "s_c")
    )
    for k, share in enumerate(shares):
        for order in (1, -1):
            run = f"run{k:02}{order}"
            assert weighted[run] == pytest.approx(float(share), abs=CLOSE, rel=0)
            assert first[run] == (k > 10 or (k == 10 and order == 1)), run


def pairs(share: float, right: str) -> list[tuple]:
    return [(right, share), ("t99", 1 - share)]
