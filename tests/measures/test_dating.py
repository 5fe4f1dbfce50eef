"""The year of publication, DEFT 2011, task A: its definitions in plain loops, its table 1, and what
follows."""

import csv
import random
from decimal import Decimal
from fractions import Fraction
from math import exp, pi

import polars as pl
import pytest
from conftest import HOME
from hypothesis import given, settings
from hypothesis import strategies as st
from literal_hypotheses import (
    CHOICES,
    CLOSE,
    FIRST,
    LAST,
    OPTIONS,
    Literal,
    Made,
    assert_scores,
    near,
    through_the_stages,
)
from nonresponse import measures
from nonresponse.judging.store import read_verdicts
from pipeline import Campaign
from quick import first_of_each
from reproduction import figures

PUBLISHED = HOME / "resources" / "published"
MEASURES = {
    "s": Literal.s,
    "s_c": Literal.s_c,
    **{f"auc@{last}": lambda run, last=last: run.auc(last) for last in (1, 2, 7, 10, 40)},
    "accuracy": Literal.accuracy,
    "c@1": Literal.c_at_1,
    "answered": Literal.answered,
}


@pytest.fixture(scope="module", params=first_of_each(lambda seed: "one of them", range(3)))
def both(request, tmp_path_factory):
    return through_the_stages(Made("dating", request.param), tmp_path_factory.mktemp("dating"))


def test_every_verdict(both):
    made, campaign = both
    rows = read_verdicts(campaign.verdicts).rows().rows(named=True)
    order = [(row["assessor"], row["run"], row["question"]) for row in rows]
    names = [row["question"] for row in made.questions]
    assert order == [
        (a, r, q) for a in sorted(made.references) for r in sorted(made.runs) for q in names
    ]
    categories = {row["question"]: row["category"] for row in made.questions}
    for row in rows:
        q, literal = row["question"], Literal(made, row["run"], row["assessor"], "wrong")
        best, confidence = literal.best[q]
        assert row["verdict"] == literal.raw(q) and row["missing"] == (not literal.rows[q])
        assert row["answer"] == (None if best is None else str(best))
        assert row["confidence"] == (None if confidence is None else float(confidence))
        assert row["year"] == literal.right[q] and row["distance"] == literal.distance(q)
        assert row["category"] == categories[q] and row["candidate"] == ""
        assert near(row["similarity"], literal.similarity(q)) and near(
            row["similarity_c"], literal.similarity_c(q)
        )
        if best is None:
            assert row["similarity"] == row["similarity_c"] == 0


def test_the_campaigns_are_not_trivial():
    """Among them: every verdict, one hypothesis and several, equals at the top, years far off,
    exact ones, missing."""
    seen = set()
    for seed in range(3):
        made = Made("dating", seed)
        for run in made.runs:
            literal = Literal(made, run, "official", "wrong")
            for q in literal.asked:
                ranked = [confidence for _, confidence in literal.hypotheses[q]]
                seen |= {literal.raw(q), ("missing", not literal.rows[q]), min(len(ranked), 2)}
                seen.add(("equals", ranked.count(max(ranked, default=None)) > 1))
                seen.add(("far", literal.distance(q) is not None and abs(literal.distance(q)) > 40))
                seen.add(("zero", 0 in ranked))
                seen.add(
                    (
                        "second differs",
                        Literal(made, run, "second", "wrong").raw(q) != literal.raw(q),
                    )
                )
    for kind in ("missing", "equals", "far", "zero", "second differs"):
        assert (kind, True) in seen, kind
    assert {"correct", "wrong", "unanswered", "error", 0, 1, 2} <= seen


@pytest.mark.parametrize("error", first_of_each(lambda error: "one of them", reversed(CHOICES)))
def test_every_count_and_score_and_its_bounds(both, error):
    assert_scores(*both, error, MEASURES)


def test_no_year_is_worth_exactly_nothing(both):
    _, campaign = both
    campaign.under(error="unanswered")
    for id in MEASURES:
        scores = campaign.scores(id).filter(pl.col("run").is_in(["silent", "failing"]))
        assert scores["value"].to_list() == [0, 0, 0, 0], id
    assert campaign.under(error="wrong").score("answered", "failing", assessor="official") == 1
    assert campaign.under(error="exclude").score("s", "failing", assessor="official") is None
    assert campaign.score("auc@10", "failing", "worst", "official") == 0


# Table 1.
with (PUBLISHED / "deft-2011-table-1.csv").open(encoding="utf-8") as file:
    *ROWS, (BEYOND, NOTHING) = [
        (row["distance"], row["similarity"]) for row in csv.DictReader(file)
    ]
    TABLE_1 = {int(distance): similarity for distance, similarity in ROWS}


def judged(folder, runs: dict[str, list], right: dict[str, int], **options) -> Campaign:
    """Runs of (question, year, confidence); right years by question."""
    rows = {
        run: [dict(zip(("question", "answer", "confidence"), row, strict=False)) for row in own]
        for run, own in runs.items()
    }
    gold = {"gold": [{"question": q, "answer": year} for q, year in right.items()]}
    return Campaign(folder, "dating").judged(rows, gold, **options)


def test_table_1_cell_by_cell(tmp_path):
    """From the verdicts, years too late and too early; the last row of the source says that > 15
    gives 0,000."""
    right = {f"d{d:03}": 1872 for d in range(72)}
    runs = {sign: [(f"d{d:03}", 1872 + int(f"{sign}1") * d) for d in range(72)] for sign in "+-"}
    frame = read_verdicts(judged(tmp_path, runs, right).verdicts).rows()
    assert list(TABLE_1) == list(range(16)) and (BEYOND, NOTHING) == ("> 15", "0.000")
    for run, question, similarity in frame.select("run", "question", "similarity").rows():
        distance = int(question[1:])
        assert f"{similarity:.3f}" == TABLE_1.get(distance, NOTHING), (run, distance)


def test_the_values_of_table_1_add_up_to_10():
    """As printed they do, exactly; before they are rounded they miss what lies beyond 15 years,
    0.001."""
    values = {distance: Decimal(text) for distance, text in TABLE_1.items()}
    assert values[0] + 2 * sum(values[d] for d in range(1, 16)) == 10
    assert sum(figures.compute_similarities(range(-15, 16))) == pytest.approx(9.99902, abs=5e-6)
    assert sum(figures.compute_similarities(range(-143, 144))) == pytest.approx(10, abs=1e-12)


def test_the_similarity_of_the_report_is_that_of_the_verdicts():
    found = figures.compute_similarities(range(-143, 144))
    assert found == pytest.approx(
        [exp(-pi / 100 * d**2) for d in range(-143, 144)], abs=0, rel=1e-13
    )


def test_seventeen_figures_agree():
    cells = figures.compare_similarities()
    assert [
        (it.row, it.published, figures.round_decimal(it.computed, 3), it.verdict) for it in cells
    ] == [(distance, text, text, "agrees") for distance, text in [*ROWS, (BEYOND, NOTHING)]]
    assert float(cells[-1].computed) == pytest.approx(exp(-pi / 100 * 16**2))


def test_a_figure_that_is_not_the_similarity_contradicts(tmp_path):
    text = (PUBLISHED / "deft-2011-table-1.csv").read_text()
    assert text.count("\n9,0.078\n") == 1
    (tmp_path / "deft-2011-table-1.csv").write_text(text.replace("\n9,0.078\n", "\n9,0.079\n"))
    [cell] = [cell for cell in figures.compare_similarities(tmp_path) if cell.verdict != "agrees"]
    assert (cell.row, cell.verdict, cell.published) == ("9", "contradicts", "0.079")
    assert "0.07850" in cell.why  # exp(-0.81 π) is 0.078496…, near a half


# The area under the curve.
DISTANCES = st.lists(
    st.none() | st.integers(-LAST + FIRST, LAST - FIRST) | st.integers(-12, 12),
    min_size=1,
    max_size=30,
)


def share_within(distances: list, e: int) -> Fraction:
    return Fraction(sum(d is not None and abs(d) <= e for d in distances), len(distances))


def affine(d, last: int) -> Fraction:
    """The piecewise similarity of the source's last note."""
    if d is None or abs(d) >= last:
        return Fraction(0)
    return 1 - Fraction(abs(d), last)


@settings(max_examples=200, deadline=None)
@given(distances=DISTANCES, last=st.integers(1, 150))
def test_the_area_is_the_mean_of_the_affine_similarity(distances, last):
    """Exactly so, when the sum ends at E - 1; the measure is both."""
    n = len(distances)
    area = sum(share_within(distances, e) for e in range(last)) / last
    assert area == sum(affine(d, last) for d in distances) / n
    within = sum(max(last - abs(d), 0) for d in distances if d is not None)
    assert measures.get("dating", f"auc@{last}")(within=Fraction(within), n=Fraction(n)) == area
    assert 0 <= area <= 1


@pytest.mark.parametrize("last", [1, 2, 10, 25])
def test_the_sum_as_printed_exceeds_1(tmp_path, last):
    """A slip: equation 7 sums E + 1 terms and divides by E, though its text says that the score
    ends at 1."""
    right = {f"f{i}": 1850 + i for i in range(7)}
    printed = sum(share_within([0] * 7, e) for e in range(last + 1)) / last
    assert printed == 1 + Fraction(1, last)
    assert judged(tmp_path, {"r": list(right.items())}, right).score(f"auc@{last}", "r") == 1


def test_the_area_of_one_year_is_accuracy(both):
    _, campaign = both
    columns = ["assessor", "run", "value"]
    assert (
        campaign.under()
        .scores("auc@1")
        .select(columns)
        .equals(campaign.scores("accuracy").select(columns))
    )


# What must be so, whatever the run.
def test_a_perfect_run_has_1_everywhere(tmp_path):
    right = {f"f{i:02}": FIRST + 3 * i for i in range(48)}
    perfect = judged(tmp_path, {"r": list(right.items())}, right)
    assert {perfect.score(id, "r") for id in MEASURES} == {1}


def test_confidences_that_sum_to_a_little_more_than_1_do_not_earn_more(tmp_path):
    campaign = judged(tmp_path, {"r": [("f", 1871, 1), ("f", 1872, 0.0000009)]}, {"f": 1871})
    assert campaign.score("s_c", "r") == 1


def test_where_each_fragment_has_one_year_s_is_s_c(tmp_path):
    draw = random.Random(5)
    right = {f"f{i:02}": draw.randint(FIRST, LAST) for i in range(40)}
    guesses = [
        (q, min(year + draw.randrange(20), LAST), draw.choice([None, 1]))
        for q, year in right.items()
    ]
    campaign = judged(tmp_path, {"all": guesses, "some": guesses[::3]}, right)
    assert campaign.scores("s").equals(campaign.scores("s_c"))
    assert 0 < campaign.score("s", "some") < campaign.score("s", "all") < 1


def test_a_nearer_year_is_never_worse(tmp_path):
    """Runs that differ in one fragment only, by one year each; alone there, and beside another
    year."""
    other = [("f2", 1860), ("f3", 1900)]
    alone = {f"alone{d:03}": [("f1", 1801 + d), *other] for d in range(144)}
    beside = {
        f"beside{d:03}": [("f1", 1801 + d, 0.6), ("f1", 1801 + (d + 72) % 144, 0.4), *other]
        for d in range(144)
    }
    campaign = judged(tmp_path, alone | beside, {"f1": 1872, "f2": 1861, "f3": 1899})
    for id in ("s", "auc@1", "auc@10", "auc@60"):
        scores = dict(campaign.values(id).select("run", "value").rows())
        for name in ("alone", "beside"):
            for d in range(71):
                assert scores[f"{name}{d:03}"] <= scores[f"{name}{d + 1:03}"], (id, name, d)
                assert scores[f"{name}{143 - d:03}"] <= scores[f"{name}{142 - d:03}"], (id, name, d)
            assert scores[f"{name}071"] == max(scores.values()), (id, name)
    weighted = dict(campaign.values("s_c").select("run", "value").rows())
    for d in range(71):
        assert weighted[f"alone{d:03}"] <= weighted[f"alone{d + 1:03}"]


def test_a_split_confidence_gives_the_mix(tmp_path):
    right = {"f1": 1872, "f2": 1860}
    mixes = {
        f"mix{c}": [("f1", 1870, c / 20), ("f1", 1877, 1 - c / 20), ("f2", 1861)]
        for c in range(1, 20)
    }
    plain = {"one": [("f1", 1870), ("f2", 1861)], "other": [("f1", 1877), ("f2", 1861)]}
    campaign = judged(tmp_path, mixes | plain, right)
    weighted, first = (
        dict(campaign.values(id).select("run", "value").rows()) for id in ("s_c", "s")
    )
    for c in range(1, 20):
        share = c / 20
        mixed = share * weighted["one"] + (1 - share) * weighted["other"]
        assert weighted[f"mix{c}"] == pytest.approx(mixed, abs=CLOSE, rel=0)
        # The official score takes the first of equals.
        assert first[f"mix{c}"] == first["one" if c >= 10 else "other"]


def test_a_failed_fragment_is_worth_nothing_or_plays_no_part(tmp_path):
    campaign = judged(
        tmp_path, {"r": [("f1", 1871), ("f2", "ERR")]}, {"f1": 1871, "f2": 1871}, options=OPTIONS
    )
    found = {error: campaign.under(error=error).scores("s").row(0)[2:] for error in CHOICES}
    assert found == {"wrong": (0.5, 0.5, 1), "unanswered": (0.5, 0.5, 1), "exclude": (1, 0.5, 1)}
