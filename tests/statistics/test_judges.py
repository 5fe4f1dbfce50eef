"""Judges beside the official assessor: worked examples, and simulated judges of known errors."""

import re

import numpy as np
import polars as pl
import pytest
from nonresponse import tables, tasks
from nonresponse.report.campaign import Campaign as Shown
from nonresponse.report.sections import judges as section
from nonresponse.statistics import corrections, gold_sample, judged_pairs, judges, rankings
from nonresponse.statistics.analyses import ANALYSES, Inputs
from pipeline import Campaign, make_graded
from scipy.stats import beta
from validation.judges import correct_scores, draw_cases, draw_pair_states

SETTINGS = {"measures": ["accuracy"], "policy": tasks.POLICIES, "level": 0.05}
SETTINGS |= {"seed": 1, "flips": 250, "analyses": ["judges"]}


def make_tables(campaign: Campaign, official: str, **settings) -> list[pl.DataFrame]:
    """judges.csv, judges_by_run.csv, corrected.csv and corrected_pairs.csv."""
    options = SETTINGS | {"official": official} | settings
    inputs = Inputs([], [campaign.verdicts], clusters=options.pop("clusters", []))
    return judges.summarise(inputs, campaign.task, options)


def write_section(folder, campaign: Campaign, official: str, **settings):
    """The section of the page on these tables."""
    names = ANALYSES["judges"].summary.tables
    for name, table in zip(names, make_tables(campaign, official, **settings), strict=True):
        tables.write(table, folder / f"reliability/summaries/{name}.parquet")
    return section.make_section(
        Shown("x", "qa", folder, SETTINGS | {"official": official} | settings)
    )


def row(table: pl.DataFrame, **key) -> dict:
    return table.row(
        by_predicate=pl.all_horizontal(pl.col(name) == value for name, value in key.items()),
        named=True,
    )


@pytest.mark.slow
def test_a_run_that_a_judge_left_wholly_unjudged_is_not_ranked_by_it(tmp_path):
    """With unjudged answers as wrong it would be last, though the judge is never wrong."""
    human = {"a": "CCCCCC", "b": "CCCCWN", "c": "CCCWWN", "d": "CCWWWN"}
    runs = {
        run: {"human": row, "judge": row if run != "a" else "......"} for run, row in human.items()
    }
    campaign = make_graded(tmp_path, runs, "human")
    table = row(make_tables(campaign, "human")[0], judge="judge")
    assert (table["runs"], table["unjudged"], table["tau"], table["swaps"]) == (3, 1, 1.0, 0)
    for policy in ({}, {"unscored": "exclude"}, {"unscored": "unanswered", "error": "unanswered"}):
        campaign.apply_policy(**policy)
        files = [campaign.files[0], tmp_path / "scores/accuracy.parquet"]
        tables.write(campaign.scores("accuracy"), files[1])
        settings = {"measures": ["accuracy"], "official": "human", "policy": campaign.policy}
        [table] = rankings.summarise(Inputs(files[0], scores=files[1:]), "qa", settings)
        assert (table["runs"].item(), table["tau"].item()) == (3, 1.0), policy


@pytest.mark.parametrize("kind", ["epochs", "clusters", "clusters of one"])
def test_scores_are_not_corrected_where_responses_are_alike(tmp_path, kind):
    """The same 80 responses: to 16 questions in five epochs, in 16 clusters, to 80 questions."""
    letters = {"human": "CCWWCCWWCC" * 4 + "." * 40, "model": "CCWCCCWWCC" * 8}
    columns, questions, size = {}, [], 1 if kind == "clusters of one" else 5
    if kind == "epochs":
        columns = {"question": [f"q{n // 5:03}" for n in range(80)], "epoch": "12345" * 16}
    else:
        questions = [{"question": f"q{n:03}", "cluster": f"c{n // size}"} for n in range(80)]
    campaign = make_graded(tmp_path, {"r": letters, "s": letters}, "human", questions, **columns)
    clusters = [tmp_path / "questions.parquet"]
    text = " ".join(write_section(tmp_path, campaign, "human", clusters=clusters).sentences)
    table, _, corrected, _ = make_tables(campaign, "human", clusters=clusters)
    assert corrected.is_empty() == (size == 5)
    assert row(table, judge="model")["alike"] == (True if size == 5 else None)
    sentence = "scores by model are not corrected: runs have several responses"
    assert (sentence in text) == (size == 5)


def judge_third(folder, *runs: str, is_certain: bool = False, rightful: bool = False) -> Campaign:
    """Of 120 responses people judged 40, alike, and the model all, and is always right.

    is_certain: silence had not to be judged. rightful: half of it is, as the data say.
    """
    unjudged = "[CW]" if is_certain else "."
    letters = {
        f"r{number}": {"model": run, "human": run[:40] + re.sub(unjudged, ".", run[40:])}
        for number, run in enumerate(runs)
    }
    columns = {"unanswerable": (["no"] * 9 + ["yes"]) * 12} if rightful else {}
    return make_graded(folder, letters, "human", **columns)


RESPONSES = "CCCCCWWWNN" * 12


@pytest.mark.parametrize("is_certain", [False, True])
@pytest.mark.parametrize(("measure", "difference"), [("answered", -0.2), ("accuracy", 0.1)])
def test_rightful_abstention_is_no_answer_in_corrected_pairs(
    tmp_path, measure, difference, is_certain
):
    """One run answers everything; the other abstains on a fifth, half of it rightly."""
    runs = RESPONSES, RESPONSES.replace("N", "W")
    campaign = judge_third(tmp_path, *runs, rightful=True, is_certain=is_certain)
    *_, pairs = make_tables(campaign, "human", measures=[measure])
    assert pairs["difference"].to_list() == pytest.approx([difference])


def test_the_official_part_has_jeffreys_interval(tmp_path):
    _, _, corrected, _ = make_tables(judge_third(tmp_path, "CCCCW" * 24), "human")
    ends = corrected.select("official_lower", "official_upper").row(0)
    assert ends == pytest.approx(beta(32.5, 8.5).ppf([0.025, 0.975]), abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["by lot", "disputed", "called right"])
def test_how_the_official_part_was_drawn_is_seen(tmp_path, kind):
    """People judged 60 of 300: at random, the most disputed, or what one model calls right."""
    draw, words, runs = np.random.default_rng(11), np.array(["W", "C"]), {}
    for run in "abc":
        truth = draw.random(300) < 0.6
        models = [np.where(draw.random(300) < 0.85, truth, ~truth) for _ in range(2)]
        last = {"by lot": 0, "disputed": models[0] == models[1], "called right": ~models[0]}[kind]
        gold = np.argsort(last + 0.5 * draw.random(300))[:60]
        human = np.full(300, ".")
        human[gold] = words[truth[gold].astype(int)]
        letters = [human, *(words[verdicts.astype(int)] for verdicts in models)]
        runs[run] = dict(zip(("human", "m0", "m1"), map("".join, letters), strict=True))
    campaign = make_graded(tmp_path, runs, "human")
    table, _, corrected, pairs = make_tables(campaign, "human")
    first = row(table, judge="m0")
    text = " ".join(write_section(tmp_path, campaign, "human").sentences)
    is_chosen = kind == "disputed"
    assert (first["chosen_p"] <= 0.01) == corrected.is_empty() == pairs.is_empty() == is_chosen
    assert ("Give chosen labels to another assessor" in text) == is_chosen
    assert ("What human judged of m0 is no random sample" in text) == (kind == "called right")
    assert (first["sample_p"] < 0.001) == (kind == "called right")


@pytest.mark.parametrize(("missed", "is_seen"), [(True, False), (False, True)])
def test_a_sample_that_misses_the_few_wrong_answers_may_be_random(missed, is_seen):
    """The judge calls 15 of 500 wrong. Half of all samples of 20 have none of them."""
    wrong = range(485, 500) if missed else range(15)
    states = [
        ("r", f"q{i:03}", int(i in wrong), 0 if i < 20 else None, True, None) for i in range(500)
    ]
    names = ("run", "question", "theirs", "ours", "judgeable", "disputed")
    sampling = gold_sample.test_draw(pl.DataFrame(states, names, orient="row"))
    assert (sampling["sample_p"] < 0.05) == is_seen and (sampling["sample_lean"] > 0) == missed


def compare_pair(states: pl.DataFrame, clusters: dict | None = None) -> pl.DataFrame:
    return judged_pairs.compare_runs(states, "j", ["accuracy"], clusters or {}, SETTINGS)


def test_a_judge_who_says_the_same_of_all_has_no_weight():
    table = compare_pair(draw_pair_states(1, [0.4, 0.6], 50, 100, 1.0, 1.0))
    assert table["weight"].item() == 0 and table["p_maxt"].item() == table["official_p_maxt"].item()


@pytest.mark.parametrize(("gold", "unlabelled"), [(19, 100), (100, 0)])
def test_too_little_that_was_judged_twice_and_nothing_that_was_not(gold, unlabelled):
    assert compare_pair(draw_pair_states(1, [0.4, 0.6], gold, unlabelled)).is_empty()


def test_a_cluster_with_the_name_of_a_question_is_not_that_question():
    """Twenty units, of which nineteen were counted."""
    rows = draw_pair_states(1, [0.4, 0.6], 20, 100)
    assert compare_pair(rows, {"q00000": "\0q00001"}).height == 1


def test_what_there_is_nothing_to_correct_of():
    judgments = draw_cases(np.random.default_rng(1), [0.5], [0.9], [0.1])
    assert corrections.is_partly_judged(judgments)
    for is_unjudged in (True, False):
        part = judgments.filter((pl.col("ours") == "unscored") == is_unjudged)
        assert correct_scores(part).is_empty() and not corrections.is_partly_judged(part)
    # Of ten, .90 to .93 of the intervals hold the truth
    for twice, rows in ((19, 0), (20, 1)):
        cases = draw_cases(np.random.default_rng(1), [0.5], [0.9], [0.1], twice)
        assert correct_scores(cases).height == rows
