"""Judges beside the official assessor: worked examples, and simulated judges of known errors."""

import numpy as np
import polars as pl
import pytest
from nonresponse import tables, tasks
from nonresponse.campaign import votes
from nonresponse.judging.store import read_verdicts
from nonresponse.report.campaign import Campaign as Shown
from nonresponse.report.sections import judges as section
from nonresponse.statistics import judges, rankings
from nonresponse.statistics.agreement import label_verdicts
from nonresponse.statistics.analyses import ANALYSES, Inputs
from pipeline import LETTERS, Campaign, make_graded

SETTINGS = {"measures": ["accuracy"], "policy": tasks.POLICIES, "level": 0.05}
SETTINGS |= {"seed": 1, "flips": 250, "analyses": ["judges"]}


def make_tables(campaign: Campaign, official: str, **settings) -> list[pl.DataFrame]:
    """judges.csv, judges_by_run.csv, corrected.csv and corrected_pairs.csv."""
    options = SETTINGS | {"official": official} | settings
    inputs = Inputs(verdicts=[campaign.verdicts], vote_tables=options.pop("vote_tables", []))
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
    human, model = "CCWWCCWWCC" * 4 + "." * 40, "CCWCCCWWCC" * 8
    rows = [
        {"question": f"q{n:03}"} | {"human": LETTERS[a], "model": LETTERS[b]}
        for n, (a, b) in enumerate(zip(human, model, strict=True))
    ]
    questions = [
        {"question": f"q{n:03}", "cluster": f"c{n if 'one' in kind else n // 5}"} for n in range(80)
    ]
    if kind == "epochs":
        rows = [
            row | {"question": f"q{n // 5:03}", "epoch": n % 5 + 1} for n, row in enumerate(rows)
        ]
        questions = [{"question": f"q{n:03}"} for n in range(16)]
    options = {"assessors": {"human": "human", "model": "model"}, "official": "human"}
    campaign = Campaign(tmp_path).evaluate_graded({"r": rows, "s": rows}, questions, options)
    settings = SETTINGS | {"official": "human"}
    inputs = Inputs(verdicts=[campaign.verdicts], clusters=[tmp_path / "questions.parquet"])
    frames = judges.summarise(inputs, "qa", settings)
    for name, table in zip(ANALYSES["judges"].summary.tables, frames, strict=True):
        tables.write(table, tmp_path / f"reliability/summaries/{name}.parquet")
    text = " ".join(section.make_section(Shown("x", "qa", tmp_path, settings)).sentences)
    independent = kind == "clusters of one"
    assert frames[2].is_empty() != independent
    assert row(frames[0], judge="model")["alike"] == (None if independent else True)
    assert ("scores by model are not corrected: runs have several responses" in text) != independent


@pytest.mark.parametrize("certain", [False, True])
def test_rightful_abstention_is_right_and_no_answer_in_corrected_scores(certain, tmp_path):
    """The same, where half of the silence is rightful, as the data say: whether abstention had to
    be judged or not, scores are those of the verdicts."""
    verdicts = (["correct"] * 5 + ["wrong"] * 3 + ["unanswered"] * 2) * 12
    rows = [
        {
            "question": f"q{n:03}",
            "model": verdict,
            "human": verdict if n < 40 or (certain and verdict == "unanswered") else "unscored",
            "unanswerable": "yes" if n % 10 == 9 else "no",
        }
        for n, verdict in enumerate(verdicts)
    ]
    options = {"assessors": {"human": "human", "model": "model"}, "official": "human"}
    options |= {"columns": {"unanswerable": "unanswerable"}}
    campaign = Campaign(tmp_path).evaluate_graded({"r": rows}, options=options)
    _, _, corrected, _ = make_tables(campaign, "human", policy=tasks.POLICIES)
    truth = {"accuracy": 0.6, "c@1": 0.66, "answered": 0.8, "hallucination_rate": 0.75}
    for measure, true in truth.items():
        scores = row(corrected, measure=measure)
        assert [scores[way] for way in ("official", "as_judged", "corrected")] == pytest.approx(
            [true] * 3
        ), measure
    model_scores = campaign.scores("accuracy").filter(assessor="model")
    assert model_scores["value"].to_list() == [0.6]


def test_rightful_abstention_is_no_answer_in_corrected_pairs(tmp_path):
    """One run answers everything; the other abstains on a fifth, half of it rightly."""
    verdicts = (["correct"] * 5 + ["wrong"] * 3 + ["unanswered"] * 2) * 12
    rows = {"r": [], "s": []}
    for n, verdict in enumerate(verdicts):
        for run, word in (("r", verdict), ("s", verdict.replace("unanswered", "wrong"))):
            human = word if n < 40 else "unscored"
            answer = {"question": f"q{n:03}", "model": word, "human": human}
            rows[run].append(answer | {"unanswerable": "yes" if n % 10 == 9 else "no"})
    options = {"assessors": {"human": "human", "model": "model"}, "official": "human"}
    options |= {"columns": {"unanswerable": "unanswerable"}}
    campaign = Campaign(tmp_path).evaluate_graded(rows, options=options)
    for measure, difference in (("answered", -0.2), ("accuracy", 0.1)):
        *_, pairs = make_tables(campaign, "human", policy=tasks.POLICIES, measures=[measure])
        assert pairs["difference"].to_list() == pytest.approx([difference]), measure


@pytest.mark.parametrize("word", ["unanswered", "error"])
def test_silence_is_as_frequent_in_what_people_judged(tmp_path, word):
    """A judge who is always right, of 50 % right, 30 % wrong and 20 % silent responses; people
    judged a third, alike.

    What both called silent was taken for certain and left out of the sample, but not of the rest.
    """
    verdicts = (["correct"] * 5 + ["wrong"] * 3 + [word] * 2) * 12
    rows = [
        {"question": f"q{n:03}", "model": verdict, "human": verdict if n < 40 else "unscored"}
        for n, verdict in enumerate(verdicts)
    ]
    options = {"assessors": {"human": "human", "model": "model"}, "official": "human"}
    campaign = Campaign(tmp_path).evaluate_graded({"r": rows}, options=options)
    table, _, corrected, _ = make_tables(
        campaign, "human", policy=tasks.POLICIES | {"error": "unanswered"}
    )
    truth = {"accuracy": 0.5, "answered": 0.8, "hallucination_rate": 0.6}
    for measure, true in truth.items():
        scores = row(corrected, measure=measure)
        assert (scores["twice"], scores["others"]) == (40, 80)
        assert [scores[way] for way in ("official", "as_judged", "corrected")] == pytest.approx(
            [true] * 3
        ), measure
    assert [(row["judged"], row["failed"]) for row in table.rows(named=True)] == [
        (40, 80),
        (120, 0),
    ]
    labels = label_verdicts(read_verdicts(campaign.verdicts).rows())
    assert set(labels["label"]) == {"correct", "wrong"}, (
        "agreeing on silence is no agreement of theirs"
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["by lot", "disputed", "called right"])
def test_how_the_official_part_was_drawn_is_seen(tmp_path, kind):
    """People judged 60 of 300: at random, the most disputed, or what one model calls right."""
    draw, words = np.random.default_rng(11), np.array(["W", "C"])
    runs = {}
    for run in "abc":
        truth = draw.random(300) < 0.6
        models = [np.where(draw.random(300) < 0.85, truth, ~truth) for _ in range(2)]
        first = {
            "by lot": np.zeros(300),
            "disputed": models[0] == models[1],
            "called right": ~models[0],
        }[kind]
        gold = np.argsort(first + 0.5 * draw.random(300))[:60]
        human = np.full(300, ".")
        human[gold] = words[truth[gold].astype(int)]
        runs[run] = {"human": "".join(human)} | {
            f"m{i}": "".join(words[verdicts.astype(int)]) for i, verdicts in enumerate(models)
        }
    campaign = make_graded(tmp_path, runs, "human")
    table, _, corrected, pairs = make_tables(campaign, "human")
    first = row(table, judge="m0")
    text = " ".join(write_section(tmp_path, campaign, "human").sentences)
    assert (
        (first["chosen_p"] <= 0.01)
        == (kind == "disputed")
        == corrected.is_empty()
        == pairs.is_empty()
    )
    assert ("Labels that were chosen" in text) == (kind == "disputed")
    assert ("What human judged of m0 is no random sample" in text) == (kind == "called right")
    assert (first["sample_p"] < 0.001) == (kind == "called right")


def test_an_assessor_called_majority_is_no_vote(tmp_path):
    """It judged a part by itself: ann's scores are corrected by it, and no vote is named."""
    draw = np.random.default_rng(2)
    texts = ["".join(draw.choice(list("CW"), 60)) for _ in range(2)]
    runs = {
        f"r{n}": {"majority": text[:30] + "." * 30, "ann": text} for n, text in enumerate(texts)
    }
    campaign = make_graded(tmp_path, runs, "majority")
    vote = {"vote": votes.parse_vote({"official": "majority"})}
    vote["vote_tables"] = [tmp_path / "graded/0.parquet"]
    assert "vote" not in " ".join(write_section(tmp_path, campaign, "majority", **vote).sentences)
    table, _, corrected, _ = make_tables(campaign, "majority", **vote)
    assert table["votes"].is_null().all() and set(corrected["judge"]) == {"ann"}
