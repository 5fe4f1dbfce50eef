"""The data of the report: ranks, verdicts, pairs, texts and correlations, held against the files
behind them."""

import random
import re
from base64 import b64decode
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import nonresponse
import numpy as np
import polars as pl
import pytest
import report_files
import reports
from nonresponse import tables
from nonresponse.judging.store import read_verdicts
from nonresponse.report import pairs, part, questions, texts
from nonresponse.report.campaign import Campaign

WORDS = ["correct", "wrong", "partial", "unanswered", "unscored", "error"]
STATES = ("correct", "unanswered", "wrong")


def responses(seed: int, runs: int, asked: int) -> list[dict]:
    """Graded responses of runs of which some are equal."""
    draw = random.Random(seed)
    words = [[draw.choice(WORDS[:4]) for _ in range(asked)] for _ in range(runs)]
    words = [words[0] if draw.random() < 0.3 else own for own in words]
    return [
        {"run": f"run {run}", "question": f"q{question}", "verdict": verdict}
        for run, own in enumerate(words)
        for question, verdict in enumerate(own)
    ]


def literal_ranks(rows: list[dict]) -> dict[str, tuple[int, bool]]:
    """Return the rank of each run by c@1, and whether others share it."""
    scores = {}
    for run in {row["run"] for row in rows}:
        own = Counter(row["verdict"] for row in rows if row["run"] == run)
        n = sum(own.values())
        scores[run] = Fraction(own["correct"], n) * (1 + Fraction(own["unanswered"], n))
    every = [*scores.values()]
    ranks = {run: 1 + sum(other > score for other in every) for run, score in scores.items()}
    return {run: (rank, every.count(scores[run]) > 1) for run, rank in ranks.items()}


def test_ranks_are_equal_in_page_tables_terminal_and_api(tmp_path):
    rows, ids = responses(0, runs=9, asked=7), ["c@1", "accuracy"]
    folder = report_files.evaluated(tmp_path, rows, ids, partial="wrong")
    known, made = literal_ranks(rows), reports.part(folder)
    assert max(rank for rank, _ in known.values()) > 2 and any(tied for _, tied in known.values())
    found = nonresponse.evaluate(tmp_path / "camp.csv", measures=ids, partial="wrong")
    names = [column["id"] for column in made["ranking"]["columns"]]
    shown = {row[names.index("run")]: row[names.index("rank")] for row in made["ranking"]["rows"]}
    html, markdown, latex = (
        (folder / name).read_text() for name in ("report.html", "leaderboard.md", "leaderboard.tex")
    )
    for run, low, high in found.leaderboard.select("run", "rank_low", "rank_high").rows():
        rank, within = f"{known[run][0]}{'=' * known[run][1]}", f", {low}–{high}" * (low != high)
        assert shown[run] == [known[run][0], f"{rank}{within}"]
        assert f'<td>{rank}{within}</td><th scope="row">{run}</th>' in html
        for page in (markdown, repr(found)):
            [cell] = re.findall(rf"^\| +(\d[^|]*) \| {run} .*\|$", page, re.MULTILINE)
            assert cell == f"{rank}{within}"
        within = within.replace("–", "--")
        assert re.search(rf"^ *{rank}{within} & {run} +&", latex, re.MULTILINE)
    for board in (pl.read_csv(folder / "leaderboard.csv"), found.leaderboard):
        ranks = board.select("run", "rank", "tied").rows()
        assert {run: (rank, tied) for run, rank, tied in ranks} == known
    first = {run for run, (rank, _) in known.items() if rank == 1}
    assert {*made["card"]["best"]} == first
    assert made["findings"][0]["text"] == found.sentences[0]
    assert all(run in found.sentences[0] for run in first)


def test_what_nobody_judged_has_no_ranks_anywhere(tmp_path):
    rows = [
        {"run": run, "question": f"q{place}", "answer": "x" * place}
        for run in "abc"
        for place in range(3)
    ]
    folder = report_files.evaluated(tmp_path, rows, ["answered"], graded={"judged": False})
    made, shown = reports.part(folder), (folder / "leaderboard.md").read_text()
    said = "The first measure, answered, describes the runs and does not rank them."
    [finding] = made["findings"]
    assert finding["text"] == f"Nobody judged the answers. {said}" and finding["text"] in shown
    assert (made["card"]["best"], made["card"]["score"], made["questions"]) == ([], None, None)
    assert "rank" not in [column["id"] for column in made["ranking"]["columns"]]
    assert "| rank" not in shown
    assert pl.read_csv(folder / "leaderboard.csv")["rank"].is_null().all()


def drawn(seed: int, pairs: bool = False) -> list[dict]:
    """Graded responses of a few runs, some questions asked twice, or pairs, of which each is right
    or wrong."""
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
    made, texts = questions.collect_questions(
        campaign, pl.read_parquet(campaign.folder / "leaderboard.parquet")
    )
    return made | reports.unpacked(texts)


@pytest.mark.parametrize(
    "policy", [{}, {"unscored": "exclude", "error": "unanswered", "partial": "correct"}]
)
@pytest.mark.parametrize("seed", range(2))
def test_the_verdicts_on_the_page_add_up_to_the_counts(tmp_path, seed, policy):
    campaign = report_files.graded(tmp_path, drawn(seed), policy=policy)
    data, seen = data_of(campaign), read_verdicts(tmp_path / "verdicts.npz").rows()
    asked = seen.filter(pl.col("verdict") != "not asked")
    items = sorted({*asked.select("question", "epoch").iter_rows()})
    names = [data["questions"][place] for place in data["of"] or range(len(items))]
    assert names == [name for name, _ in items]
    counts = pl.read_parquet(tmp_path / "counts.parquet").select("run", "n_ac", "n_u", "n_aw")
    for run, *numbers in counts.iter_rows():
        line = data["verdicts"][data["runs"].index(run)]
        own = [(name, one) for name, one in zip(names, line, strict=True) if one != "."]
        times = Counter(question for question, _ in own)  # each question counts the same
        found = [
            sum(1 / times[question] for question, one in own if data["counted"][one] == state)
            for state in STATES
        ]
        assert found == pytest.approx(numbers)
        rows = seen.filter(pl.col("run") == run).select("question", "epoch", "verdict").iter_rows()
        said = {(question, epoch): verdict for question, epoch, verdict in rows}
        letters = [questions.CHARACTERS.get(said.get(item), questions.NOT_ASKED) for item in items]
        assert line == "".join(letters)


@pytest.mark.parametrize("seed", range(2))
def test_pairs_count_where_their_truth_is_known(tmp_path, seed):
    data = data_of(report_files.graded(tmp_path, drawn(seed, pairs=True), "validation"))
    assert {*data["gold"]} <= {*"01-"}
    every = []
    for row in pl.read_parquet(tmp_path / "counts.parquet").rows(named=True):
        line = data["verdicts"][data["runs"].index(row["run"])]
        found = Counter(
            data["counted"][one]
            for one, gold in zip(line, data["gold"], strict=True)
            if gold != "-"
        )
        sums = [row["tp"] + row["tn"], row["u_p"] + row["u_n"], row["fp"] + row["fn"]]
        assert [found[state] for state in STATES] == sums
        every.append(sums)
    assert np.sum(data["counts"], axis=0).tolist() == np.sum(every, axis=0).tolist()


def all_correct(folder: Path, asked: int) -> Campaign:
    """A campaign of two runs that answered all questions correctly."""
    every = [(run, number) for run in "ab" for number in range(asked)]
    rows = [{"run": run, "question": f"q{it}", "verdict": "correct"} for run, it in every]
    return report_files.graded(folder, rows)


def test_beyond_the_most_verdicts_a_sample_stands_for_the_questions(tmp_path, monkeypatch):
    campaign = all_correct(tmp_path, 40)
    assert len(data_of(campaign)["questions"]) == data_of(campaign)["total"] == 40
    monkeypatch.setattr(questions, "MAX_VERDICTS", 21)
    some, again = data_of(campaign), data_of(campaign)
    seeded = campaign.settings | {"seed": 1}
    other = data_of(Campaign(campaign.name, campaign.task, campaign.folder, seeded))
    assert some == again and some["total"] == 40
    assert len(some["questions"]) == 10 and {len(line) for line in some["verdicts"]} == {10}
    assert other["questions"] != some["questions"] == sorted(some["questions"])
    [said] = some["sentences"]
    assert said.startswith("10 of the sampled questions got a correct answer from every run")


def test_a_run_that_guesses_has_no_verdicts(tmp_path):
    runs = {"run": ["a", "guess", "b"], "trivial": [False, True, False], "c@1": [1.0, 0.25, 1.0]}
    made, _ = questions.collect_questions(all_correct(tmp_path, 4), pl.DataFrame(runs))
    assert made["runs"] == ["a", "b"]


def read_of(data: dict, kind: str, place: int) -> list | str | None:
    """The text of a question, or those of the runs, as the page has them; null where it has
    none."""
    if kind not in data:
        return None
    found = data[kind][data["shown"].index(place)]
    several = found if isinstance(found, list) else [found]
    text = [None if index < 0 else data["texts"][index] for index in several]
    return text if isinstance(found, list) else text[0]


def with_texts(folder: Path, rows: list[dict], **kinds) -> tuple[Campaign, list[dict]]:
    """A campaign whose responses have texts, and these; `kinds` are functions of run and
    question."""
    written = [
        {"run": row["run"], "question": row["question"], "epoch": 0, "rank": 1, "candidate": ""}
        | {kind: text(row["run"], row["question"]) for kind, text in kinds.items()}
        for row in rows
        if not row.get("epoch")
    ]
    path = folder / "texts/0.parquet"
    table = tables.complete(pl.DataFrame(written, infer_schema_length=None), tables.TEXTS)
    tables.write(table.sort("run", "question"), path)
    return report_files.graded(folder, rows, texts=[path]), written


def test_texts_are_those_of_the_files(tmp_path, monkeypatch):
    """Long ones are cut, none is taken for another; a text that equals the name of the question is
    not repeated."""
    monkeypatch.setattr(texts, "LONGEST", 6)
    draw = random.Random(1)
    asked = {
        f"q{number}": draw.choice(["q{}", "q{}??????", "q{}?"]).format(number)
        for number in range(12)
    }
    campaign, written = with_texts(
        tmp_path, drawn(1), asked=lambda _, question: asked[question], target=lambda *_: "<b>",
        answer=lambda *both: draw.choice([None, "".join(both), "x" * 9]),
        explanation=lambda *both: draw.choice([None, "".join(both), "x" * 9]),
    )  # fmt: skip
    data = data_of(campaign)

    def cut(text: str | None) -> str | None:
        return text if text is None or len(text) <= 6 else f"{text[:5]}…"

    assert sorted(data["shown"]) == list(range(12)) and not data["more"]
    for place, question in enumerate(data["questions"]):
        own = {row["run"]: row for row in written if row["question"] == question}
        assert read_of(data, "asked", place) == (
            None if asked[question] == question else cut(asked[question])
        )
        assert read_of(data, "target", place) == "<b>"
        for kind in ("answer", "explanation"):
            assert read_of(data, kind, place) == [cut(own[run][kind]) for run in data["runs"]]


@pytest.mark.parametrize(("limit", "value"), [("MAX_BYTES", 2000), ("MAX_CHARACTERS", 3000)])
def test_texts_have_no_more_than_their_room_and_disagreement_comes_first(
    tmp_path, monkeypatch, limit, value
):
    draw, rows = random.Random(2), []
    for run, number in [(run, number) for run in "ab" for number in range(200)]:
        verdict = "wrong" if run == "a" and number < 10 else "correct"
        rows.append({"run": run, "question": f"q{number:03}", "verdict": verdict})
    campaign, _ = with_texts(tmp_path, rows, answer=lambda *_: f"{draw.getrandbits(200):x}")
    monkeypatch.setattr(texts, limit, value)
    monkeypatch.setattr(texts, "BATCH", 20)
    data = data_of(campaign)
    assert 10 < len(data["shown"]) < 200 and data["more"] and {*data["shown"][:10]} == {*range(10)}
    if limit == "MAX_BYTES":
        _, written = questions.collect_questions(
            campaign, pl.read_parquet(tmp_path / "leaderboard.parquet")
        )
        assert len(b64decode(written)) <= value
    assert data == data_of(campaign)


def compared(folder: Path, runs: int) -> tuple[Campaign, pl.DataFrame, pl.DataFrame]:
    """A campaign with a random comparison of its runs by two measures, its leaderboard, and the
    pairs by the first."""
    draw, ids, frames = random.Random(runs), ["c@1", "accuracy"], []
    names = [f"r{number}" for number in range(runs)]
    kinds = {"a": pl.String, "b": pl.String}
    kinds |= dict.fromkeys(("difference", "lower", "upper", "p_maxt"), pl.Float64)
    for id in ids:
        rows = []
        for both in combinations(sorted(names), 2):
            a, b = both if draw.random() < 0.5 else both[::-1]
            p, low = draw.choice([0.01, 0.05, 0.06, None]), draw.uniform(-1, 1)
            rows.append((a, b, low + 0.1, *((None, None) if p is None else (low, low + 0.2)), p))
        frames.append(pl.DataFrame(rows, kinds, orient="row"))
        tables.write(frames[-1], folder / f"reliability/by_measure/{id}/comparisons.parquet")
    scores = {id: [draw.random() for _ in names] for id in ids}
    board = pl.DataFrame({"run": names, "trivial": False, **scores}).sort("c@1", descending=True)
    for id in ids:
        own = board.select(assessor=pl.lit("official"), run="run", value=id)
        tables.write(own, folder / f"scores/{id}.parquet")
    settings = {"analyses": ["comparison"], "tested": ids, "measures": ids, "official": "official"}
    return Campaign("camp", "qa", folder, report_files.SETTINGS | settings), board, frames[0]


@pytest.mark.parametrize("runs", [2, 3, 9])
def test_each_pair_is_a_row_of_the_comparison(tmp_path, runs):
    campaign, board, frame = compared(tmp_path, runs)
    data = pairs.collect_pairs(campaign, board, 0.05)
    assert data["runs"] == board["run"].to_list()
    assert [it["id"] for it in data["measures"]] == ["c@1", "accuracy"]
    [first, _] = data["measures"]
    assert first["scores"] == board["c@1"].to_list()
    known = {frozenset((row["a"], row["b"])): row for row in frame.rows(named=True)}
    every = [*combinations(data["runs"], 2)]
    assert len(first["different"]) == len(first["ends"]) == len(every)
    for both, different, ends in zip(every, first["different"], first["ends"], strict=True):
        row = known[frozenset(both)]
        assert different == {None: "-", 0.01: "1", 0.05: "1", 0.06: "0"}[row["p_maxt"]]
        sign, own = (1 if row["a"] == both[0] else -1), [row["lower"], row["upper"]]
        if ends is not None:
            own = sorted(1000 * sign * end for end in own)
            assert ends == [pytest.approx(end, abs=0.51) for end in own]
        assert (ends is None) == (row["lower"] is None)


def test_of_many_runs_the_pairs_of_the_first_are_there(tmp_path, monkeypatch):
    campaign, board, _ = compared(tmp_path, 9)
    monkeypatch.setattr(pairs, "MAX_RUNS", 3)
    data = pairs.collect_pairs(campaign, board, 0.05)
    assert data["runs"] == board["run"].head(3).to_list()
    assert len(data["measures"][0]["different"]) == 3


def carded(folder, task: str, source: str, **columns) -> dict:
    """The card of a campaign whose leaderboard has these columns."""
    board = pl.DataFrame({"trivial": False, "rank": 1, "c@1": 0.5} | columns, strict=False)
    settings = report_files.SETTINGS | {"measures": ["c@1"], "source": source}
    return part.make_card(Campaign("camp", task, folder, settings), board, [])


def test_the_overview_counts_no_trivial_run_and_nothing_that_is_unknown(tmp_path):
    board = {"run": ["a", "b", "reject-all"], "trivial": [False, False, True], "rank": [1, 2, None]}
    counts = {"n": [10] * 3, "n_u": [1, 2, 10], "n_unscored": [0, 1, 10]}
    made = carded(tmp_path, "qa", "graded", **board, **counts)
    known = [made[name] for name in ("runs", "questions", "unanswered", "unscored")]
    assert known == [2, 10, 0.15, 1]
    none = pl.Series([None, None], dtype=pl.Float64)
    made = carded(tmp_path, "qa", "counts", run=["a", "b"], n=[10, 10], n_u=none, n_unscored=none)
    assert made["unanswered"] is None is made["unscored"]
    counts = {"n": [10, 20], "n_u": [None, 5], "n_unscored": [0, 0]}
    made = carded(tmp_path, "qa", "counts", run=["a", "b"], **counts)
    assert (made["unanswered"], made["unscored"]) == (0.25, 0), "of the runs whose counts tell it"
    counts = {"n": [160], "n_questions": [80], "u_p": [10], "u_n": [6]}
    made = carded(tmp_path, "validation", "runs", run=["a"], **counts)
    assert made["facts"][:3] == ["1 run", "80 questions", "160 pairs"] and made["unanswered"] == 0.1
