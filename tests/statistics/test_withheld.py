"""Withheld candidates: the rates beside plain counting in the files, and estimates of a known truth."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import polars as pl
import pytest
from nonresponse import measures
from nonresponse.pages import sections
from nonresponse.pages.sections import withheld as page
from nonresponse.statistics import withheld
from nonresponse.statistics.withheld import ESTIMATES, RATES, summarise
from simulated import RESPUBLIQA
from simulation import facts


def counts(*runs: tuple, assessor: str = "official") -> pl.DataFrame:
    """Counts of runs: right, wrong, silent, and right and wrong among the judged candidates."""
    rows = [
        {"assessor": assessor, "run": f"r{i}", "n": right + wrong + silent, "n_ac": right, "n_aw": wrong}
        | {"n_u": silent, "n_ur": candidates_right, "n_uw": candidates_wrong}
        for i, (right, wrong, silent, candidates_right, candidates_wrong) in enumerate(runs)
    ]
    return pl.DataFrame(rows)


def from_files() -> pl.DataFrame:
    """The counts of the simulated campaign, from its files in plain loops."""
    label = {tuple(row[:3]): row[3] for row in facts.rows(RESPUBLIQA / "judgments/official.tsv", "\t", 4)}
    runs = []
    for path in sorted(RESPUBLIQA.glob("runs/*.tsv")):
        seen = Counter()
        for question, status, paragraph in facts.rows(path, "\t", 3)[1:]:
            seen[status == "NOA", label.get((path.stem, question, paragraph)) if paragraph else None] += 1
        silent = sum(number for (open, _), number in seen.items() if open)
        right = seen[False, "R"]
        runs.append((right, 500 - silent - right, silent, seen[True, "R"], seen[True, "W"]))
    return counts(*runs)


def test_each_estimate_is_that_of_the_measure_it_is_named_after():
    """The measure is n_ac/n + estimate n_u/n, as in eq. 3 with what is answered rightly."""
    assert set(ESTIMATES) == set(RATES)  # in words, on the pages
    table = counts((5, 3, 12, 2, 7), (1, 8, 11, 0, 1))
    [one, other] = withheld.by_run(table).rows(named=True)
    for row, total in ((one, table.row(0, named=True)), (other, table.row(1, named=True))):
        for id in ESTIMATES:
            measure = measures.get("qa", id)
            expected = measure(**{name: total[name] for name in measure.totals})
            assert (total["n_ac"] + row[id] * total["n_u"]) / total["n"] == pytest.approx(expected, abs=1e-12), id
    assert (one["observed"], one["candidates"], one["unanswered"]) == (2 / 9, 9, 12)
    assert one["score"] == pytest.approx((5 + 12 * 2 / 9) / 20)


@pytest.mark.parametrize(
    ("run", "nearest"),
    [
        ((5, 5, 10, 0, 9), "accuracy"),
        ((5, 5, 10, 9, 0), "optimistic"),
        ((5, 5, 10, 1, 3), "c@1"),
        ((9, 1, 10, 8, 1), "precision_answered"),
        ((9, 1, 10, 1, 9), "wrong_rate"),
        ((9, 1, 10, 5, 5), "uf_half"),
        ((0, 0, 10, 2, 2), "uf_half"),  # nothing answered: two estimates are null
        ((0, 5, 5, 0, 4), "accuracy"),  # three are 0: the first of equals
    ],
)
def test_the_nearest_estimate(run, nearest):
    [few, row] = withheld.by_run(counts(run, [50 * count for count in run])).rows(named=True)
    assert row["nearest"] == nearest and few["nearest"] is None, "a few candidates tell it by chance"
    assert (row["precision_answered"] is None) == (run[0] + run[1] == 0)


def test_runs_without_judged_candidates_stay_out():
    table = counts((5, 5, 10, 0, 0), (5, 15, 0, 0, 0))
    runs = withheld.by_run(table)
    assert runs.is_empty() and runs.columns == list(withheld.RUNS)
    summary = withheld.summary(table, runs)
    assert summary.is_empty() and summary.columns == list(withheld.SUMMARY)
    assert withheld.by_run(counts((5, 5, 10, 0, 0), (5, 5, 10, 1, 0)))["run"].to_list() == ["r1"]


def test_the_summary_beside_fractions():
    table = from_files()
    found = withheld.summary(table, withheld.by_run(table))
    known = [row for row in table.rows(named=True) if row["n_ur"] + row["n_uw"]]
    observed = [Fraction(row["n_ur"], row["n_ur"] + row["n_uw"]) for row in known]
    truth = [(row["n_ac"] + rate * row["n_u"]) / row["n"] for row, rate in zip(known, observed, strict=True)]
    for row in found.rows(named=True):
        measure = measures.get("qa", row["estimate"])
        score = [measure(**{name: Fraction(run[name]) for name in measure.totals}) for run in known]
        rate = [
            (s - Fraction(run["n_ac"], run["n"])) * run["n"] / run["n_u"] for s, run in zip(score, known, strict=True)
        ]
        pairs = list(combinations(range(len(known)), 2))
        swaps = sum((score[i] - score[j]) * (truth[i] - truth[j]) < 0 for i, j in pairs)
        assert row["runs"] == len(known) and row["swaps"] == swaps
        assert row["rate"] == pytest.approx(float(sum(rate) / len(known)))
        assert row["observed"] == pytest.approx(float(sum(observed) / len(known)))
        assert row["distance"] == pytest.approx(
            float(sum(map(abs, map(Fraction.__sub__, rate, observed))) / len(known))
        )
        assert row["score"] == pytest.approx(float(sum(score) / len(known)))
        assert row["excess"] == pytest.approx(float(sum(score) - sum(truth)) / len(known))
    assert found["nearest"].sum() == sum(row["n_ur"] + row["n_uw"] >= 100 for row in known) > 0


def of(folder, table: pl.DataFrame) -> sections.Campaign:
    """A campaign with these counts, analysed."""
    (folder / "reliability/summaries").mkdir(parents=True)
    (folder / "figures").mkdir()
    table.write_parquet(folder / "counts.parquet")
    tables = summarise([folder / "counts.parquet"], "qa", {"official": "official"})
    for name, found in zip(("withheld", "estimates"), tables, strict=True):
        found.write_parquet(folder / f"reliability/summaries/{name}.parquet")
    return sections.Campaign("x", "qa", folder, {"measures": ["accuracy"]})


def test_the_section(tmp_path):
    other = counts((0, 9, 11, 0, 5), assessor="other")
    campaign = of(
        tmp_path, pl.concat([counts((250, 250, 500, 50, 150), (300, 200, 500, 200, 300), (9, 9, 2, 0, 0)), other])
    )
    section = page.topic(campaign)
    assert section.sentences == [
        "On average 33 % of the judged candidates of the 2 runs that have any are right; the nearest estimate is"
        " n_ac / n (c@1), on average 5.0 % off.",
        "c@1 assumes that unanswered questions would be right at the rate n_ac / n, on average 28 %: it is on average"
        " 0.025 lower than with the observed rates, and orders none of 1 pair of runs the other way.",
    ]
    assert section.figures == ["figures/withheld.svg"]
    assert [len(table.cells) for table in section.tables] == [6, 2]
    assert "c@1" in (tmp_path / "figures/withheld.svg").read_text()


@pytest.mark.parametrize("run", [(0, 0, 10, 2, 2), (1, 0, 3, 1, 0), (4.5, 3.5, 12, 2.5, 4.25)])  # the last of epochs
def test_the_section_of_one_run(tmp_path, run):
    section = page.topic(of(tmp_path, counts(run)))
    assert "of the one run that has any are right" in section.sentences[0] and "pair" not in section.sentences[1]
    assert section.tables[1].cells[0][1:3] == [f"{run[2]:g}", f"{run[3] + run[4]:g}"]


def test_the_section_without_candidates(tmp_path):
    section = page.topic(of(tmp_path, counts((5, 5, 10, 0, 0))))
    assert section.sentences == ["No run withheld a candidate that somebody judged."] and not section.tables
