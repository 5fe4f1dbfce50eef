"""Test the report's data against files: ranks, verdicts, pairs, texts and correlations."""

import random
import re
from base64 import b64decode
from collections import Counter
from pathlib import Path

import nonresponse
import numpy as np
import polars as pl
import pytest
import report_files
from nonresponse import tables
from nonresponse.report import part, questions, texts
from nonresponse.report.campaign import Campaign

WORDS = ["correct", "wrong", "partial", "unanswered", "unscored", "error"]
STATES = ("correct", "unanswered", "wrong")


LETTERS = {"c": "correct", "w": "wrong", "p": "partial", "u": "unanswered"}
ANSWERS = ["ccuwwpu", "cccuwww", "cwuwwuu", "ccuwwpu", "wwwwwww", "ccccupw", "cwuwwuu", "uccwcpw"]


def test_ranks_are_equal_in_page_tables_terminal_and_api(tmp_path):
    answers, ids = {f"run {run}": text for run, text in enumerate(ANSWERS)}, ["c@1", "accuracy"]
    rows = [
        {"run": run, "question": f"q{question}", "verdict": LETTERS[letter]}
        for run, text in answers.items()
        for question, letter in enumerate(text)
    ]
    scores = {run: text.count("c") * (7 + text.count("u")) for run, text in answers.items()}
    values = [*scores.values()]
    expected = {
        run: (1 + sum(value > score for value in values), values.count(score) > 1)
        for run, score in scores.items()
    }
    folder = report_files.evaluate(tmp_path, rows, ids, partial="wrong")
    content = report_files.read_part(folder)
    results = nonresponse.evaluate(tmp_path / "camp.csv", measures=ids, partial="wrong")
    names = [column["id"] for column in content["ranking"]["columns"]]
    ranks_of_page = {
        row[names.index("run")]: row[names.index("rank")] for row in content["ranking"]["rows"]
    }
    html, markdown, latex = (
        (folder / name).read_text() for name in ("report.html", "leaderboard.md", "leaderboard.tex")
    )
    for run, low, high in results.leaderboard.select("run", "rank_low", "rank_high").rows():
        rank = f"{expected[run][0]}{'=' * expected[run][1]}"
        within = f", {low}–{high}" * (low != high)
        assert ranks_of_page[run] == [expected[run][0], f"{rank}{within}"]
        assert f'<td>{rank}{within}</td><th scope="row">{run}</th>' in html
        for page in (markdown, repr(results)):
            assert re.search(rf"^\| +{rank}{within} \| {run} ", page, re.MULTILINE)
        within = within.replace("–", "--")
        assert re.search(rf"^ *{rank}{within} & {run} +&", latex, re.MULTILINE)
    for board in (pl.read_csv(folder / "leaderboard.csv"), results.leaderboard):
        ranks = board.select("run", "rank", "tied").rows()
        assert {run: (rank, tied) for run, rank, tied in ranks} == expected
    leaders = {run for run, (rank, _) in expected.items() if rank == 1}
    assert {*content["card"]["best"]} == leaders
    assert content["findings"][0]["text"] == results.sentences[0]
    assert all(run in results.sentences[0] for run in leaders)


def test_what_nobody_judged_has_no_ranks_anywhere(tmp_path):
    rows = [
        {"run": run, "question": f"q{place}", "answer": "x" * (place + (run == "c"))}
        for run in "abc"
        for place in range(3)
    ]
    folder = report_files.evaluate(tmp_path, rows, ["answered"], graded={"judged": False})
    content, page = report_files.read_part(folder), (folder / "leaderboard.md").read_text()
    [finding] = content["findings"]
    assert finding["code"] == "describes" and finding["text"] in page
    card, values = content["card"], finding["values"]
    assert (card["best"], card["score"], content["questions"]) == ([], None, None)
    assert (values["least_run"], values["least"]) == ("a", pytest.approx(2 / 3))
    assert "rank" not in [column["id"] for column in content["ranking"]["columns"]]
    assert "| rank" not in page and "count as" not in " ".join(card["facts"])
    assert pl.read_csv(folder / "leaderboard.csv")["rank"].is_null().all()


def draw_responses(seed: int, pairs: bool = False) -> list[dict]:
    """Draw graded responses of a few runs, with questions asked twice or with pairs."""
    chance = random.Random(seed)
    words, rows = {True: ["tp", "fn", "u_p"], False: ["fp", "tn", "u_n"], None: ["unscored"]}, []
    for question in range(12):
        positive, twice = chance.choice([True, False, None]), chance.random() < 0.3
        for run in "abc":
            row = {"run": run, "question": f"q{question}", "category": "xy"[question % 2]}
            if pairs:
                verdict = chance.choice(words[positive])
                rows.append(row | {"candidate": "p", "verdict": verdict, "positive": positive})
            for epoch in range(0 if pairs else 1 + twice):
                rows.append(row | {"epoch": epoch, "verdict": chance.choice(WORDS)})
    return rows


def data_of(campaign: Campaign) -> dict:
    """What the page has of single responses, and their texts."""
    content, texts = questions.collect_questions(
        campaign, pl.read_parquet(campaign.folder / "leaderboard.parquet")
    )
    return content | report_files.unpack(texts)


@pytest.mark.parametrize("seed", range(2))
def test_pairs_count_where_their_truth_is_known(tmp_path, seed):
    data = data_of(
        report_files.make_campaign(tmp_path, draw_responses(seed, pairs=True), "validation")
    )
    assert {*data["gold"]} <= {*"01-"} and data["counted"]["n"] == ""
    sums_of_runs = []
    for row in pl.read_parquet(tmp_path / "counts.parquet").rows(named=True):
        line = data["verdicts"][data["runs"].index(row["run"])]
        states = Counter(
            data["counted"][letter]
            for letter, gold in zip(line, data["gold"], strict=True)
            if gold != "-"
        )
        sums = [row["tp"] + row["tn"], row["u_p"] + row["u_n"], row["fp"] + row["fn"]]
        assert [states[state] for state in STATES] == sums
        sums_of_runs.append(sums if row["run"] in "abc" else [0, 0, 0])  # without trivial runs
    assert np.sum(data["counts"], axis=0).tolist() == np.sum(sums_of_runs, axis=0).tolist()


def all_correct(folder: Path, size: int) -> Campaign:
    """A campaign of two runs that answered all questions correctly."""
    keys = [(run, f"q{number}") for run in "ab" for number in range(size)]
    rows = [{"run": run, "question": name, "verdict": "correct"} for run, name in keys]
    return report_files.make_campaign(folder, rows)


def test_beyond_the_most_verdicts_a_sample_stands_for_the_questions(tmp_path, monkeypatch):
    campaign = all_correct(tmp_path, 40)
    assert len(data_of(campaign)["questions"]) == data_of(campaign)["total"] == 40
    monkeypatch.setattr(questions, "MAX_VERDICTS", 21)
    sample, repeated = data_of(campaign), data_of(campaign)
    seeded = campaign.settings | {"seed": 1}
    reseeded = data_of(Campaign(campaign.name, campaign.task, campaign.folder, seeded))
    assert sample == repeated and sample["total"] == 40
    assert len(sample["questions"]) == 10 and {len(line) for line in sample["verdicts"]} == {10}
    assert reseeded["questions"] != sample["questions"] == sorted(sample["questions"])
    [sentence] = sample["sentences"]
    assert sentence.startswith("10 of the sampled questions got a correct answer from every run")


def test_a_run_that_guesses_has_no_verdicts(tmp_path):
    runs = {"run": ["a", "guess", "b"], "trivial": [False, True, False], "c@1": [1.0, 0.25, 1.0]}
    content, _ = questions.collect_questions(all_correct(tmp_path, 4), pl.DataFrame(runs))
    assert content["runs"] == ["a", "b"]


def add_texts(folder: Path, rows: list[dict], answers: list[dict]) -> Campaign:
    """Make a campaign of these rows, whose responses have these texts."""
    key = {"run": "a", "epoch": 0, "rank": 1, "candidate": ""}
    table = pl.DataFrame([key | row for row in answers], infer_schema_length=None)
    table = tables.complete(table, tables.TEXTS).sort("run", "question")
    tables.write(table, folder / "texts/0.parquet")
    return report_files.make_campaign(folder, rows, texts=[folder / "texts/0.parquet"])


def test_texts_are_those_of_the_files(tmp_path, monkeypatch):
    """Long texts are cut but not confused; one equal to the question's name is left out."""
    monkeypatch.setattr(texts, "LONGEST", 6)
    asked = {"q0": "q0", "q1": "q1??????", "q2": "q2?"}
    answers = {"a": ["xxxxxx", "xxxxxxxx", None], "b": ["xxxxxxx", "y", None]}
    rows = [
        {"run": run, "question": question, "answer": answer, "asked": asked[question]}
        for run, row in answers.items()
        for question, answer in zip(asked, row, strict=True)
    ]
    verdicts = [
        {"run": row["run"], "question": row["question"], "verdict": "wrong"} for row in rows
    ]
    data = data_of(add_texts(tmp_path, verdicts, [row | {"target": "<b>"} for row in rows]))

    def read(index: int) -> str | None:
        return None if index < 0 else data["texts"][index]

    places = [data["shown"].index(place) for place in range(3)]
    assert [read(data["asked"][place]) for place in places] == [None, "q1???…", "q2?"]
    assert [read(data["target"][place]) for place in places] == ["<b>"] * 3
    expected = [["xxxxxx", "xxxxx…"], ["xxxxx…", "y"], [None, None]]
    assert [[*map(read, data["answer"][place])] for place in places] == expected
    assert not data["more"] and "explanation" not in data


@pytest.mark.parametrize(("limit", "value"), [("MAX_BYTES", 2000), ("MAX_CHARACTERS", 3000)])
def test_texts_have_no_more_than_their_room_and_disagreement_comes_first(
    tmp_path, monkeypatch, limit, value
):
    draw, rows = random.Random(2), []
    for run, number in [(run, number) for run in "ab" for number in range(200)]:
        verdict = "wrong" if run == "a" and number < 10 else "correct"
        rows.append({"run": run, "question": f"q{number:03}", "verdict": verdict})
    answers = [row | {"answer": f"{draw.getrandbits(200):x}"} for row in rows]
    campaign = add_texts(tmp_path, rows, answers)
    monkeypatch.setattr(texts, limit, value)
    monkeypatch.setattr(texts, "BATCH", 20)
    data = data_of(campaign)
    assert 10 < len(data["shown"]) < 200 and data["more"] and {*data["shown"][:10]} == {*range(10)}
    if limit == "MAX_BYTES":
        _, packed = questions.collect_questions(
            campaign, pl.read_parquet(tmp_path / "leaderboard.parquet")
        )
        assert len(b64decode(packed)) <= value
    assert data == data_of(campaign)


def carded(folder, task: str, source: str, **columns) -> dict:
    """The card of a campaign whose leaderboard has these columns."""
    board = pl.DataFrame({"trivial": False, "rank": 1, "c@1": 0.5} | columns, strict=False)
    settings = report_files.SETTINGS | {"measures": ["c@1"], "source": source}
    return part.make_card(Campaign("camp", task, folder, settings), board, [])


def test_the_overview_counts_no_trivial_run_and_nothing_that_is_unknown(tmp_path):
    board = {"run": ["a", "b", "reject-all"], "trivial": [False, False, True], "rank": [1, 2, None]}
    counts = {"n": [10] * 3, "n_u": [1, 2, 10], "n_unscored": [0, 1, 10]}
    card = carded(tmp_path, "qa", "graded", **board, **counts)
    values = [card[name] for name in ("runs", "questions", "unanswered", "unscored")]
    assert values == [2, 10, 0.15, 1]
    nulls = pl.Series([None, None], dtype=pl.Float64)
    card = carded(tmp_path, "qa", "counts", run=["a", "b"], n=[10, 10], n_u=nulls, n_unscored=nulls)
    assert card["unanswered"] is None is card["unscored"]
    counts = {"n": [10, 20], "n_u": [None, 5], "n_unscored": [0, 0]}
    card = carded(tmp_path, "qa", "counts", run=["a", "b"], **counts)
    assert (card["unanswered"], card["unscored"]) == (0.25, 0), "of the runs whose counts tell it"
    counts = {"n": [160], "n_questions": [80], "u_p": [10], "u_n": [6]}
    card = carded(tmp_path, "validation", "runs", run=["a"], **counts)
    assert card["facts"][:3] == ["1 run", "80 questions", "160 pairs"] and card["unanswered"] == 0.1
