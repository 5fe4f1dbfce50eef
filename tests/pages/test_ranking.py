"""The ranking: its ranks, its axis, and who is best at each price, beside what follows from counts and pairs alone."""

import itertools
import random
import re
from pathlib import Path

import polars as pl
import pytest
import report_files
from browser import opened
from nonresponse import measures, tables
from nonresponse.pages.report import cells, overview, page, part
from nonresponse.pages.report.sections import leaderboard
from nonresponse.pages.sections import Campaign
from nonresponse.scoring import score, tally
from nonresponse.topics import leaderboard as topic

ACCURACY = measures.get("qa", "accuracy")


def compared(runs: int, seed: int, known: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A leaderboard with equal scores among its own, and the pairs of its runs, some of which were not compared."""
    draw = random.Random(seed)
    board = pl.DataFrame({"run": [f"r{number}" for number in range(runs)]})
    board = board.with_columns(
        trivial=pl.Series([draw.random() < 0.1 for _ in range(runs)]),
        accuracy=pl.Series(
            [None if draw.random() < 0.1 else draw.randrange(8) / 8 for _ in range(runs)], dtype=pl.Float64
        ),
    )
    names = board["run"].to_list()
    rows = [
        (*(pair if draw.random() < 0.5 else pair[::-1]), draw.random() ** 3 if draw.random() < known else None)
        for pair in itertools.combinations(names, 2)
    ]
    return board, pl.DataFrame(rows, {"a": pl.String, "b": pl.String, "p_maxt": pl.Float64}, orient="row")


@pytest.mark.parametrize("runs", [1, 2, 3, 40])
@pytest.mark.parametrize("seed", range(4))
def test_a_rank_is_shared_by_the_runs_that_do_not_differ_from_its_first(runs, seed):
    """Going down the scores, by the p of each pair alone."""
    board, pairs = compared(runs, seed, 0.8)
    ranks, tied = leaderboard.shared(board, ACCURACY, pairs, 0.05)
    p = {frozenset((a, b)): value for a, b, value in pairs.iter_rows()}
    rows = [row for row in board.with_row_index().iter_rows(named=True) if row["accuracy"] is not None]
    order = sorted((row for row in rows if not row["trivial"]), key=lambda row: (-row["accuracy"], row["run"]))
    alike = lambda a, b: (p.get(frozenset((a["run"], b["run"]))) or 0) > 0.05  # noqa: E731
    expected, head = {}, None
    for place, row in enumerate(order, 1):
        if head is None or not (alike(head, row) or head["accuracy"] == row["accuracy"]):
            head, rank = row, place
        expected[row["index"]] = rank
    assert ranks == [expected.get(place) for place in range(runs)]
    for row in order:
        assert tied[row["index"]] == (expected[row["index"]] == 1 or alike(order[0], row))
    assert leaderboard.shared(board, ACCURACY, None, 0.05)[1] == [None] * runs


def test_what_describes_has_no_ranks():
    board, pairs = compared(5, 1, 1)
    board = board.rename({"accuracy": "answered"})
    assert leaderboard.shared(board, measures.get("qa", "answered"), pairs, 0.05) == ([None] * 5, [None] * 5)


def test_the_marks_of_an_axis_lie_within_it_at_even_steps():
    for values in ([], [0.5], [0.0, 1.0], [-3.2, 17.0], [0.1234, 0.1239], [-100.0, 100.0]):
        low, high, ticks = cells.axis(values)
        assert low < min(values, default=0.5) and max(values, default=0.5) < high
        steps = {round(b - a, 6) for a, b in itertools.pairwise(ticks)}
        assert 2 <= len(ticks) <= 7 and len(steps) == 1 and low <= ticks[0] and ticks[-1] <= high


@pytest.mark.parametrize("counts", [[10, 0, 0], [0, 0, 0], [1345, 77, 2904], [2.5, 0.5, 7]])
def test_a_bar_is_as_wide_as_its_counts(counts):
    drawn = cells.bar(counts)
    assert "{:.10g} right, {:.10g} left open, {:.10g} wrong".format(*counts) in drawn
    widths = dict(re.findall(r'class="(right|open|wrong)" x="[^"]*" width="([^"]*)%"', drawn))
    whole = sum(counts) or 1
    for name, count in zip(("right", "open", "wrong"), counts, strict=True):
        assert float(widths.get(name, 0)) == pytest.approx(100 * count / whole, abs=0.06)


BOARD = {"q": (60, 0, 40), "safe": (40, 55, 5), "mute": (0, 100, 0), "both": (50, 25, 25), "same": (50, 25, 25)}


def made(folder: Path, *ids: str, **settings) -> Campaign:
    """A campaign with these counts and its leaderboard, by these measures."""
    words = {
        run: [word for word, n in zip(WORDS, counts, strict=True) for _ in range(n)] for run, counts in BOARD.items()
    }
    rows = [
        {"run": run, "question": f"q{number:03}", "verdict": verdict}
        for run, verdicts in words.items()
        for number, verdict in enumerate(verdicts)
    ]
    campaign = report_files.graded(folder, rows, measures=[*ids], **settings)
    files = [folder / f"{name}.parquet" for name in ("counts", "counts_by_category", "counts_by_variant")]
    counted = tally.tally(folder / "verdicts.npz", "qa", campaign.settings["policy"])
    for path, table in zip(files, counted, strict=True):
        tables.write(table, path)
    for id in campaign.measures:
        scores = score.score_counts(measures.get("qa", id), *files)
        for name, table in zip(("scores", "scores_by_category"), scores, strict=True):
            tables.write(table, folder / f"{name}/{id}.parquet")
    topic.make(campaign, [])
    return campaign


def test_what_nobody_judged_has_no_ranks_anywhere(tmp_path):
    """The table had ranks, the overview a first run and the ranking its rule; the terminal said that none ranked."""
    campaign = made(tmp_path, "answered", judged=False)
    page_of_it = (tmp_path / "leaderboard.md").read_text(encoding="utf-8")
    assert (
        "Nobody judged the answers; the first measure, answered, describes" in page_of_it and "rank |" not in page_of_it
    )
    assert "= equal" not in page_of_it and pl.read_csv(tmp_path / "leaderboard.csv")["rank"].is_null().all()
    assert not {leaderboard.RULE, leaderboard.EQUAL} & {*leaderboard.blocks(campaign)[0]["notes"]}
    card = part.card(campaign)
    assert (card["best"], card["score"], card["scores"], card["runs"]) == ([], None, {}, 5)
    assert "–" in overview.campaigns([card])["rows"][0]


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    """The page of a campaign with these counts, by two measures and a description."""
    folder = tmp_path_factory.mktemp("ranking")
    campaign = made(folder, "c@1", "accuracy", "answered")
    report_files.unchanged(folder)
    tables.write_text(page.of_campaign(page.with_article(part.part(campaign))), folder / "page.html")
    return folder / "page.html"


WORDS = ("correct", "unanswered", "wrong")


def shown(sight) -> list[list[str]]:
    """Rank, run and score of the rows in sight."""
    read = """rows => rows.filter(row => !row.hidden).map(
        row => ['.rank', '.name', '.score b'].map(at => row.querySelector(at).innerText.trim()))"""
    return sight.eval_on_selector_all(".ranking tbody tr", read)


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_another_measure_ranks_and_a_description_does_not(browser, report):
    with opened(browser, report) as sight:
        by = {run: right / 100 * (1 + silent / 100) for run, (right, silent, _) in BOARD.items()}
        order = sorted(BOARD, key=lambda run: (-round(by[run], 9), run))
        assert [row[1:] for row in shown(sight)] == [[run, f"{by[run]:.3f}"] for run in order]
        sight.get_by_role("button", name="accuracy").click()
        assert shown(sight)[0] == ["1", "q", "0.600"] and sight.url.endswith("#camp?measure=accuracy")
        assert [row[0] for row in shown(sight)] == ["1", "2", "2", "4", "5"]
        sight.get_by_role("button", name="answered").click()
        assert {row[0] for row in shown(sight)} == {"–"} and [row[1] for row in shown(sight)] == order


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("cost", [0, 0.25, 1, 3, 12])
def test_a_price_ranks_by_right_less_wrong(browser, report, cost):
    worth = {run: (right - cost * wrong) / 100 for run, (right, _, wrong) in BOARD.items()}
    with opened(browser, report, f"#camp?cost={cost}") as sight:
        found = {run: (rank, float(score.replace("−", "-"))) for rank, run, score in shown(sight)}
        for run, value in worth.items():
            rank = 1 + sum(other > value + 1e-12 for other in worth.values())
            assert found[run] == (str(rank), pytest.approx(value, abs=0.0006))
        assert f"from a confidence of {100 * cost / (1 + cost):.0f} %" in sight.locator(".price output").inner_text()


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_who_is_best_at_a_price_is_who_is_worth_most(browser, report):
    """Beside all runs and silence at many prices; counts at random, equal ones and runs that are never wrong too."""
    draw = random.Random(31)
    with opened(browser, report) as sight:
        for _ in range(40):
            rows = [
                {"right": draw.randrange(6), "wrong": draw.randrange(6), "n": 10} for _ in range(draw.randrange(1, 7))
            ]
            silence = draw.choice([0, 1, 3])  # of ten questions, how many have no answer
            found = sight.evaluate("([rows, silence]) => bestByPrice(rows, silence)", [rows, silence / 10])
            assert found[0]["from"] == 0 and [one["from"] for one in found] == sorted(one["from"] for one in found)
            for number in range(200):
                cost = number / 20 + 0.001
                places = [one["places"] for one in found if one["from"] <= cost][-1]
                worth = [(row["right"] - cost * row["wrong"]) / 10 for row in rows] + [silence / 10]
                assert [worth[place] for place in places] == pytest.approx([max(worth)] * len(places)), (rows, found)
            starts = [one["from"] for one in found]
            assert all(after - before > 1e-9 for before, after in itertools.pairwise(starts)), "no stretch is empty"
            lines = [(row["right"], row["wrong"]) for row in rows] + [(silence, 0)]
            for one in found:  # equal runs share a stretch; -1 is the last of `lines`, silence
                assert len(one["places"]) == lines.count(lines[one["places"][0]])


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_two_that_are_ticked_are_compared(browser, report):
    with opened(browser, report) as sight:
        for run in ("q", "safe"):
            sight.get_by_label(f"Compare {run}", exact=True).check()
        card = sight.locator("aside.run")
        assert card.locator("h3").inner_text() == "q and safe" and sight.url.endswith("#camp/q/safe")
        assert "−0.020 in c@1" in card.inner_text()  # 0.60 and 0.62
        parts = "Of this, +0.255 comes from right answers and −0.275 from abstention."
        assert parts in card.inner_text()
        cells_ = [int(text) for text in card.locator("tbody").first.locator("td").all_inner_texts()]
        assert cells_ == [40, 20, 0, 0, 0, 0, 0, 35, 5]
        sight.get_by_label("Compare q", exact=True).uncheck()
        card.wait_for(state="detached")


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_what_one_takes_away_is_what_one_sees(browser, report, tmp_path):
    with opened(browser, report, "#camp?measure=accuracy") as sight:
        said = {}
        for name in ("CSV", "Markdown", "LaTeX", "PNG"):
            with sight.expect_download() as saving:
                sight.locator(".ranked").get_by_role("button", name=name).click()
            said[name] = saving.value.path().read_bytes()
        assert said["CSV"].decode().splitlines()[:2] == [
            "rank,run,accuracy,interval,right,open,wrong",
            "1,q,0.600,,60,0,40",
        ]
        assert said["Markdown"].decode().splitlines()[2] == "| 1 | q | 0.600 |  | 60 | 0 | 40 |"
        assert "1 & q & 0.600 &  & 60 & 0 & 40" in said["LaTeX"].decode() and said["PNG"].startswith(b"\x89PNG")
