"""No sentence on the reliability page contradicts a table or another sentence, over campaigns made
at random."""

import re
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from literal_reliability import campaign, of_each_kind
from nonresponse import measures
from nonresponse.report import findings
from nonresponse.report.campaign import Campaign
from nonresponse.report.sections import comparison
from nonresponse.report.sections import questions as section
from nonresponse.statistics import analyses
from nonresponse.statistics.analyses import ANALYSES as RECORDS
from nonresponse.statistics.outcomes import Outcomes, by_unit, only
from nonresponse.tables import write
from nonresponse.wording import percent

OPTIONS = {"seed": 1, "samples": 100, "flips": 300, "size": None, "trials": 10}
OPTIONS |= {"swap_trials": 10, "bins": 21, "width": 0.01, "sizes": 20, "size_trials": 1}
ANALYSES = ("comparison", "swap", "sample_size")
# Of right, wrong and unanswered
SHARES = ["c@1", "accuracy", "uf", "precision_answered", "wrong_rate", "answered"]


@dataclass(frozen=True)
class Made:
    """What the analyses found, read as the page reads it, and what the page says."""

    level: float
    scale: int  # 100 of a measure in percent
    intervals: pl.DataFrame
    comparisons: pl.DataFrame
    sensitivity: pl.DataFrame
    needed: pl.DataFrame
    enough: pl.DataFrame
    power: pl.DataFrame
    row: dict  # of the one table by measure
    threshold: dict  # of the differences that these questions show
    said: dict[str, str]


def made(seen: Outcomes, folder: Path, level: float) -> Made:
    """Three analyses of a campaign with one measure, and their sentences."""
    id, task = seen.measure.id, seen.measure.task
    options = OPTIONS | {"measures": [id], "level": level, "analyses": ANALYSES}
    own = folder / f"reliability/by_measure/{id}"
    for name in ANALYSES:
        analysis = RECORDS[name]
        found = analyses.make_tables(name, seen, "gold", "c", options)
        for table, kind in zip(found, analysis.trials.tables, strict=True):
            write(table, own / f"{kind}.parquet")
        given = analyses.Inputs(trials=[own])
        summaries = analyses.functions(name).summarise(given, task, options)
        for table, kind in zip(summaries, analysis.summary.tables, strict=True):
            write(table, folder / f"reliability/summaries/{kind}.parquet")
    page = Campaign("c", task, folder, options)
    intervals, comparisons, needed = (
        page.by_measure(name)[id] for name in ("intervals", "comparisons", "questions_needed")
    )
    names = ("sensitivity", "questions_needed", "sample_size", "power")
    alike = comparison.clusters_of({id: intervals}).row(0, named=True)
    said = {
        "clusters": " ".join(comparison.in_clusters(alike)),
        "again": " ".join(comparison.asked_again(alike)),
        "comparison": comparison.sentence(comparisons, id, level),
    }
    threshold = findings.threshold_of(needed, pl.Series([0.5, 0.5]))
    [row] = section.rows(page).rows(named=True)
    tables = intervals, comparisons, *map(page.summary, names)
    return Made(level, seen.measure.scale, *tables, row, threshold, said)


def shares(seed: int) -> Outcomes:
    """Runs of their own skill and silence; some always right, wrong or silent, some nearly the run
    before."""
    draw = np.random.default_rng(seed)
    questions = int(draw.choice([2, 5, 20, 60, 200]))
    outcome = np.empty((int(draw.integers(2, 7)), questions), np.int64)
    kinds = draw.choice(["own", "own", "own", "same", "near", "constant"], len(outcome))
    for run, kind in enumerate(kinds):
        right, silent = draw.random(2) * (1, draw.choice([0, 0.5, 0.95]))
        chances = [right * (1 - silent), (1 - right) * (1 - silent), silent]
        outcome[run] = draw.choice(3, questions, p=chances)
        if kind == "constant":
            outcome[run] = draw.integers(3)
        elif run and kind != "own":
            some = slice(3 if kind == "near" else 0, None)
            outcome[run, some] = outcome[run - 1, some]
    measure = measures.get("qa", SHARES[seed % len(SHARES)])
    counts = [name for name in ("n_ac", "n_aw", "n_u") if name in measure.totals]
    kinds = {name: ("n_ac", "n_aw", "n_u").index(name) for name in counts}
    matrices = {name: (outcome == kind).astype(np.float32) for name, kind in kinds.items()}
    runs = [f"run{run}" for run in range(len(outcome))]
    names = [f"q{question:03}" for question in range(questions)]
    return Outcomes(measure, runs, names, matrices | {"n": np.ones((1, questions), np.float32)})


def numbers(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def check(found: Made) -> None:
    for text in filter(None, found.said.values()):
        assert text.endswith(".") and "  " not in text
        assert not re.search(
            r"NaN|nan\b|\binf\b|None(?! of)|null|\d[eE][-+]?\d|\b1 questions|\b0\.0+\b", text
        ), text
    check_clusters(found)
    check_comparison(found)
    assert found.row["half the questions"] == found.sensitivity["required_difference"][0]
    check_numbers_of_questions(found)
    median = found.power.filter(pl.col("pair") == "median")
    assert found.row["shown with 80 %"] == (median["detectable"][0] if median.height else None)


def check_clusters(found: Made) -> None:
    row = comparison.clusters_of({"c@1": found.intervals}).row(0, named=True)
    assert bool(found.said["clusters"]) == (row["clusters"] is not None)
    assert bool(found.said["again"]) == (row["samples"] is not None)
    if row["clusters"] is not None:
        assert numbers(found.said["clusters"])[:2] == [row["questions"], row["clusters"]]
        assert ("are rough" in found.said["clusters"]) == (row["clusters"] < 10)
    [few] = comparison.none_can_differ(row | {"clusters": 4}, 0.05)
    assert few.endswith("whatever the answers: with 4 clusters the smallest p is 0.125.")
    assert comparison.none_can_differ(row | {"clusters": 6}, 0.05) == []
    if row["samples"] is not None and row["within"] is not None:
        assert f", {percent(row['within'])} lies within questions" in found.said["again"]
    if row["clusters"] is not None or row["samples"] is not None:
        assert {*found.intervals["method"].drop_nulls()} <= {"Student's t"}


def check_comparison(found: Made) -> None:
    said, known = found.said["comparison"], found.comparisons.drop_nulls("p_maxt")
    pairs, apart = known.height, (known["p_maxt"] <= found.level).sum()
    every, share = found.comparisons.height, found.row["pairs that differ"]
    assert said.endswith("No pair of runs could be tested.") == (pairs == 0) == (share is None)
    if pairs and every == 1:
        assert said.endswith(f"The two runs {'' if apart else 'do not '}differ significantly.")
    elif pairs and apart == every:
        assert said.endswith(f"All {every} pairs of runs differ significantly.")
    elif pairs:
        assert f": {apart or 'None'} of {every} pairs of runs differ" in said
        assert (f"{every - pairs} could not be tested" in said) == (pairs < every)
    best = found.intervals.filter("may_be_best")
    told = known.filter(pl.col("p_maxt") <= found.level).select("a", "b").rows()
    assert not {*map(frozenset, told)} & {*map(frozenset, combinations(best["run"], 2))}
    assert {*best["rank_low"]} <= {1}
    if pairs:
        assert share == pytest.approx(apart / pairs)


def check_numbers_of_questions(found: Made) -> None:
    [required] = found.enough["required_difference"]
    assert found.row["reliable difference"] == required
    own = (pl.col("difference") - 0.05 * found.scale).abs() < 1e-9
    row, said = found.needed.row(by_predicate=own, named=True), found.row["questions for 0.05"]
    if row["questions"] is None:
        remark = row["remark"] if "more than" in (row["remark"] or "") else None
        assert said == remark
    else:
        ends = [end for end in (row["lower"], row["upper"]) if end is not None]
        assert numbers(said) == [row["questions"], *ends]
    known = found.needed["questions"].is_not_null().any()
    holds = "" if not known else "none" if required is None else "above" if required else "any"
    assert found.threshold["holds"] == holds
    assert holds != "above" or found.threshold["required"] == required


@pytest.mark.parametrize("level", [0.05, 0.49, 0.000001])
@pytest.mark.parametrize("seed", range(2))
def test_shares_of_right_wrong_and_unanswered(level, seed, tmp_path):
    check(made(shares(seed), tmp_path, level))


@of_each_kind
def test_every_measure(measure, tmp_path):
    for seed, size in enumerate([(4, 50), (3, 4)]):
        check(made(campaign(measure, seed, *size, excluding=seed % 2 == 0)[0], tmp_path, 0.1))


@pytest.mark.parametrize("size", [(1, 30), (2, 1), (2, 2), (3, 3)], ids=str)
def test_next_to_nothing(size, tmp_path):
    seen, _ = campaign(measures.get("qa", "c@1"), 1, *size)
    check(made(seen, tmp_path, 0.05))
    same = replace(only(seen, [size[0] - 1] * 3), runs=["a", "b", "c"])
    check(made(same, tmp_path, 0.05))


@pytest.mark.parametrize("asked_again", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_questions_in_clusters_and_asked_again(asked_again, seed, tmp_path):
    """Of two to ten questions each, or samples of a question, some of which may be by
    themselves."""
    seen, size = shares(seed), 2 + seed % 9
    places = enumerate(seen.questions)
    of = {name: f"c{place // size}" for place, name in places if place or seed % 2}
    asked = [of.get(name, name) for name in seen.questions] if asked_again else seen.questions
    if asked_again:
        seen = replace(seen, matrices=seen.matrices | {"weight": np.ones((1, seen.n), np.float32)})
    check(made(by_unit(seen, asked, {} if asked_again else of), tmp_path, 0.05))


def test_fewer_flips_than_the_level_needs():
    assert comparison.too_few_flips(5000, 0.05) == comparison.too_few_flips(999, 0.001) == []
    [said] = comparison.too_few_flips(5000, 0.0001)
    assert said.startswith("With 5,000 flips no p is at most 0.01 %")
