"""What the report embeds of single verdicts and of pairs of runs; and, in a browser, what a person sees of them."""

import html
import importlib.util
import random
import re
import unicodedata
from collections import Counter
from urllib.parse import quote

import numpy as np
import polars as pl
import pytest
import report_files
from browser import opened
from markdown_it import MarkdownIt
from nonresponse import legible, tables, wording
from nonresponse.judging.store import read_verdicts
from nonresponse.pages import blocks
from nonresponse.pages.report import page, part, texts
from nonresponse.pages.report.sections import differ, provenance, questions
from nonresponse.pages.sections import Campaign
from nonresponse.stages.report import report_faults
from nonresponse.topics import imports, leaderboard

HOSTILE = "<img src=x onerror=document.title='owned'>"
RUNS = ["org/model:7b", HOSTILE, "left\u202eright", "=HYPERLINK(1)"]
QUESTIONS = [*[f"q{number}" for number in range(70)], "org/model:7b", "</script><b>"]
WORDS = ["correct", "wrong", "partial", "unanswered", "unscored", "error"]


def drawn(seed: int, pairs: bool = False) -> list[dict]:
    """Graded responses of a few runs, some questions asked twice, or pairs, of which each is right or wrong."""
    chance = random.Random(seed)
    rows = []
    for question in range(12):
        positive, twice = chance.choice([True, False, None]), chance.random() < 0.3
        words = {True: ["tp", "fn", "u_p"], False: ["fp", "tn", "u_n"], None: ["unscored"]}[positive]
        for run in "abc":
            row = {"run": run, "question": f"q{question}", "category": "xy"[question % 2]}
            if pairs:
                rows.append({**row, "candidate": "p", "verdict": chance.choice(words), "positive": positive})
            else:
                rows += [{**row, "epoch": epoch, "verdict": chance.choice(WORDS)} for epoch in range(1 + twice)]
    return rows


def tallied(data: dict, run: int) -> Counter:
    """What the script counts of a run."""
    found = data["verdicts"][run]
    known = [one for item, one in enumerate(found) if not data["gold"] or data["gold"][item] != "-"]
    return Counter(data["counted"][one] for one in known)


def test_what_logs_state_is_said_in_words():
    outcomes = ["differs", "agrees", "differs", "cannot be reconciled", "reconciled"]
    frame = pl.DataFrame({"run": [*"abcde"], "outcome": outcomes}).with_columns(from_partial=pl.lit(0.0))
    assert imports.topic(frame).sentences == [
        "The logs state the accuracy of the leaderboard for 1 run, nothing that could be reconciled for 1 run, another"
        " number than their samples give for 2 runs and a score that their samples give and the leaderboard does not"
        " have for 1 run."
    ]


def test_logs_that_state_nothing_have_a_section(tmp_path):
    """All of a column of numbers may be empty."""
    texts = {"run": ["m"], "measure": [""], "outcome": ["cannot be reconciled"], "remarks": ["no results"]}
    numbers = dict.fromkeys(("stated", "recomputed", "from_partial", "accuracy"), pl.lit(None, pl.Float64))
    topic = imports.topic(pl.DataFrame(texts).with_columns(**numbers))
    assert "nothing that could be reconciled for 1 run" in topic.sentences[0] and topic.tables[0].csv == "imports"


def test_what_logs_state_for_partly_right_answers_is_warned_of():
    frame = pl.DataFrame({"run": ["a", "b", "c"], "from_partial": [0.4, None, 0.6], "outcome": "agrees"})
    frame = frame.with_columns(measure=pl.lit("acc"), stated=pl.lit(0.454), recomputed=pl.lit(0.454))
    assert imports.topic(frame).sentences[1:] == [
        "The log of c states acc 0.454, which comes mostly from partly right answers, none of which counts as right"
        " here (option partial)."
    ]
    assert imports.topic(frame.head(2)).sentences[1:] == []


OUTCOMES = ("right", "open", "wrong")


@pytest.mark.parametrize("policy", [{}, {"unscored": "exclude", "error": "unanswered", "partial": "correct"}])
@pytest.mark.parametrize("seed", range(2))
def test_the_verdicts_on_the_page_add_up_to_the_counts(tmp_path, seed, policy):
    campaign = report_files.graded(tmp_path, drawn(seed), policy=policy)
    data, of_questions = questions.of_campaign(campaign)
    counts = pl.read_parquet(tmp_path / "counts.parquet")
    for run, *numbers in counts.select("run", "n_ac", "n_u", "n_aw").iter_rows():
        line = data["verdicts"][data["runs"].index(run)]
        asked = [(data["of"][item] if data["of"] else item, one) for item, one in enumerate(line) if one != "."]
        times = Counter(question for question, _ in asked)  # each question counts the same
        found = {name: [1 / times[q] for q, one in asked if data["counted"][one] == name] for name in OUTCOMES}
        assert [sum(found[name]) for name in OUTCOMES] == pytest.approx(numbers)
    known = read_verdicts(tmp_path / "verdicts.npz").rows().filter(pl.col("verdict") != "not asked", pl.col("compared"))
    items = sorted({*known.select("question", "epoch").iter_rows()})
    assert [data["questions"][place] for place in data["of"] or range(len(items))] == [name for name, _ in items]
    for place, name in enumerate(data["questions"]):
        column = [line[at] for line in data["verdicts"] for at, (question, _) in enumerate(items) if question == name]
        assert [sum(data["counted"][it] == outcome for it in column) for outcome in OUTCOMES] == [
            *of_questions[:, place]
        ]
    for run, line in zip(data["runs"], data["verdicts"], strict=True):
        seen = read_verdicts(tmp_path / "verdicts.npz").rows().filter(pl.col("run") == run)
        seen = {(q, e): v for q, e, v in seen.select("question", "epoch", "verdict").iter_rows()}
        for item, character in enumerate(line):
            known = seen.get(items[item])
            assert character == (questions.CHARACTERS[known] if known else questions.NONE)


@pytest.mark.parametrize("seed", range(2))
def test_pairs_count_where_their_truth_is_known(tmp_path, seed):
    data, _ = questions.of_campaign(report_files.graded(tmp_path, drawn(seed, pairs=True), "validation"))
    for row in pl.read_parquet(tmp_path / "counts.parquet").rows(named=True):
        found = tallied(data, data["runs"].index(row["run"]))
        sums = [row["tp"] + row["tn"], row["u_p"] + row["u_n"], row["fp"] + row["fn"]]
        assert [found[name] for name in ("right", "open", "wrong")] == sums
    assert set(data["gold"]) <= {"0", "1", "-"}


def test_beyond_the_most_verdicts_a_sample_stands_for_the_questions(tmp_path, monkeypatch):
    rows = [{"run": run, "question": f"q{number}", "verdict": "correct"} for run in "ab" for number in range(40)]
    campaign = report_files.graded(tmp_path, rows)
    whole, _ = questions.of_campaign(campaign)
    assert (len(whole["questions"]), questions.limits(whole)) == (40, [])
    monkeypatch.setattr(questions, "MOST", 21)
    (some, counts), (again, _) = questions.of_campaign(campaign), questions.of_campaign(campaign)
    other = Campaign(campaign.name, campaign.task, campaign.folder, campaign.settings | {"seed": 1})
    assert some == again and len(some["questions"]) == 10 and {len(line) for line in some["verdicts"]} == {10}
    assert questions.of_campaign(other)[0]["questions"] != some["questions"] == sorted(some["questions"])
    assert questions.limits(some) == ["The page holds the verdicts on 10 of 40 questions, drawn at random, seed 2011."]
    assert (
        questions.difficulty(counts, True) == "Of the questions of the sample, every run is right on 10, and none on 0."
    )


def test_a_run_that_guesses_has_no_verdicts_and_no_pairs(tmp_path):
    """So that no sentence says that some runs were not asked, and the matrix has no row of unknown pairs."""
    rows = [{"run": run, "question": f"q{number}", "verdict": "correct"} for run in "ab" for number in range(4)]
    campaign = report_files.graded(tmp_path, rows, analyses=["comparison"])
    board = pl.DataFrame({"run": ["a", "guess", "b"], "trivial": [False, True, False], "c@1": [1.0, 0.25, 1.0]})
    board.write_parquet(tmp_path / "leaderboard.parquet")
    widget, said = (block for block in reversed(questions.blocks(campaign)))
    assert widget["data"]["runs"] == ["a", "b"]
    assert said["sentences"] == ["Of 4 questions, every run is right on 4, and none on 0."]
    pairs = {"a": ["a"], "b": ["b"], "lower": [0.0], "upper": [0.0], "p_maxt": [1.0]}
    tables.write(pl.DataFrame(pairs), tmp_path / "reliability/comparisons/c@1.parquet")
    tables.write(pl.DataFrame({"assessor": ["official"], "value": [1.0]}), tmp_path / "scores/c@1.parquet")
    [matrix] = differ.blocks(campaign)
    assert (matrix["data"]["runs"], matrix["data"]["measures"][0]["apart"]) == (["a", "b"], "0")


def read_of(data: dict, kind: str, place: int) -> list | str | None:
    """The text of a question, or those of the runs, as the page has them; null where it has none."""
    if not data[kind]:
        return None
    found = data[kind][data["shown"].index(place)]
    text = [None if it < 0 else data["texts"][it] for it in (found if isinstance(found, list) else [found])]
    return text if isinstance(found, list) else text[0]


def test_answers_are_those_of_the_runs_and_no_more_than_there_is_room_for(tmp_path, monkeypatch):
    board = pl.DataFrame({"run": ["b", "a"], "trivial": [False, False], "n_ac": [5, 2], "n_u": [3, 0], "n": [30, 30]})
    board.write_parquet(tmp_path / "leaderboard.parquet")
    names = [f"{number:02}" for number in range(30)]
    report_files.judged(tmp_path, board, names)
    settings = report_files.SETTINGS | {"responses": [tmp_path / "responses/0.parquet"]}
    monkeypatch.setattr(texts, "CHARACTERS", 63)
    data, _ = questions.of_campaign(Campaign("camp", "qa", tmp_path, settings))
    assert data["runs"] == ["b", "a"] and 8 <= len(data["shown"]) <= 11, "six to eight characters of a question"
    assert {*data["shown"]} >= {2, 3, 4, 27, 28, 29}, "on which the runs differ"
    for place in data["shown"]:
        assert read_of(data, "answer", place) == [f"b {place}" if place < 27 else "[b]", f"a {place}"]
    said = f"There is room for the texts of {len(data['shown'])} questions, those first on which runs differ most."
    assert questions.limits(data)[0] == said


@pytest.mark.parametrize("seed", range(1))
def test_texts_of_graded_responses_are_those_of_the_files(tmp_path, seed, monkeypatch):
    """Long ones are cut, none is taken for another; a text that equals the name of the question is not repeated."""
    draw, rows = random.Random(seed), drawn(seed)
    campaign = report_files.graded(tmp_path, rows, texts=[tmp_path / "texts/0.parquet"])
    seen = read_verdicts(tmp_path / "verdicts.npz").rows().select("run", "question").unique().sort("run", "question")
    monkeypatch.setattr(texts, "LONGEST", dict.fromkeys(texts.LONGEST, 6))
    written = []
    for run, question in seen.iter_rows():
        given = {"run": run, "question": question, "epoch": 0, "rank": 1, "candidate": ""}
        given |= {"asked": draw.choice([question, f"{question}??????", f"{question}?"]), "target": "<b>"}
        given |= {kind: draw.choice([None, f"{run}{question}", "x" * 9]) for kind in ("answer", "explanation")}
        written.append(given)
    by_question = {row["question"]: row["asked"] for row in written}
    written = [row | {"asked": by_question[row["question"]]} for row in written]
    tables.write(tables.complete(pl.DataFrame(written), tables.TEXTS), tmp_path / "texts/0.parquet")
    data, _ = questions.of_campaign(campaign)

    def cut(text: str | None) -> str | None:
        return text if text is None or len(text) <= 6 else f"{text[:5]}…"

    assert sorted(data["shown"]) == list(range(len(data["questions"])))
    for place, question in enumerate(data["questions"]):
        own = {row["run"]: row for row in written if row["question"] == question}
        asked = by_question[question]
        assert read_of(data, "asked", place) == (None if asked == question else cut(asked))
        assert read_of(data, "target", place) == "<b>"
        for kind in ("answer", "explanation"):
            assert read_of(data, kind, place) == [cut(own[run][kind]) if run in own else None for run in data["runs"]]


@pytest.mark.parametrize("seed", range(5))
def test_how_telling_a_question_is_is_its_item_rest_correlation(seed):
    draw = np.random.default_rng(seed)
    right = draw.integers(0, 2, (9, 12)).astype(float)
    right[draw.random((9, 12)) < 0.2] = np.nan
    right[:, 0], right[4:, 1] = 1, np.nan
    found = questions.telling(right)
    for question, value in enumerate(found):
        both = []
        for line in right:
            others = [it for place, it in enumerate(line) if place != question and not np.isnan(it)]
            if not np.isnan(line[question]):
                both.append((line[question], sum(others) / len(others)))
        own, rest = zip(*both, strict=True)
        if len(both) < questions.FEWEST or len({*own}) == 1 or len({*rest}) == 1:
            assert np.isnan(value)
        else:
            assert value == pytest.approx(np.corrcoef(own, rest)[0, 1])
    assert np.isnan(found[:2]).all() and np.isfinite(found).any()
    assert np.isnan(questions.telling(right[: questions.FEWEST - 1])).all()


def test_the_most_telling_questions_are_named():
    names = [f"q{number}" for number in range(8)]
    data = {"questions": names, "telling": [0.1, None, 0.9, 0.5, 0.5, -0.8, 0.7, 0.6]}
    why = "runs that are right on them are right more often elsewhere, too (item-rest correlation 0.50 or more)"
    assert questions.most_telling(data) == [f"The most telling questions are q2, q6, q7, q3 and q4: {why}."]
    assert questions.most_telling(data | {"telling": [None] * 8}) == []


def compared(names: list[str]) -> pl.DataFrame:
    """comparisons of runs: some pairs told apart, some not, some not compared."""
    rows = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    p = [[0.01, 0.5, None][number % 3] for number in range(len(rows))]
    frame = pl.DataFrame(rows, {"a": pl.String, "b": pl.String}, orient="row")
    ends = {"lower": pl.lit(0.01), "upper": pl.lit(0.05)}  # of b before a the other way round
    return frame.with_columns(p_maxt=pl.Series(p, dtype=pl.Float64), **ends)


def test_the_matrix_says_of_each_pair_what_the_comparison_says():
    pairs = compared(sorted(RUNS))
    known = {
        frozenset((a, b)): {0.01: "1", 0.5: "0", None: "-"}[p]
        for a, b, p in pairs.select("a", "b", "p_maxt").iter_rows()
    }
    order = pl.Series(RUNS)  # as ranked, not as compared
    found = iter(differ.triangle(pairs, order, 0.05))
    for place, a in enumerate(RUNS):
        for b in RUNS[place + 1 :]:
            assert next(found) == known[frozenset((a, b))]
    assert next(found, None) is None
    assert differ.triangle(pairs, order.head(2), 0.05) == known[frozenset(RUNS[:2])]


def with_comparison(folder, runs: list[str]) -> Campaign:
    """A campaign whose runs are compared by c@1."""
    scores = [1 - place / 100 for place in range(len(runs))]
    board = pl.DataFrame({"run": runs, "c@1": scores, "rank": range(1, len(runs) + 1)})
    board = board.with_columns(n_ac=40, n_u=pl.int_range(pl.len()), n=len(QUESTIONS))
    board = board.with_columns(
        n_aw=pl.col("n") - 40 - pl.col("n_u"), tied=False, trivial=False, behind_reject_all=pl.lit(None, pl.Boolean)
    )
    board.write_parquet(folder / "leaderboard.parquet")
    tables.write(compared(sorted(runs)), folder / "reliability/comparisons/c@1.parquet")
    shown = blocks.shown("A table.", pl.DataFrame({"run": runs, "c@1": scores}), csv="a_table")
    topic = blocks.Topic("Which runs differ significantly", ["A finding."], tables=[shown])
    blocks.write({"comparison": topic}, folder / "reliability/blocks.json")
    report_files.unchanged(folder)
    report_files.judged(folder, board, QUESTIONS)
    settings = {"analyses": ["comparison"], "responses": [folder / "responses/0.parquet"], "measures": ["c@1"]}
    settings |= {"topics": [*report_files.SETTINGS["topics"], "reliability", "comparison"]}
    campaign = Campaign("camp", "qa", folder, report_files.SETTINGS | settings)
    blocks.write(leaderboard.topics(campaign, board, pl.DataFrame()), folder / "leaderboard.json")
    return campaign


def test_what_the_check_found_is_on_the_page(tmp_path):
    """Rows that were dropped, too, which no terminal shows any more."""
    campaign = with_comparison(tmp_path, ["a", "b"])
    dropped = "`duplicates: last` dropped 4 rows: 'a' (4)."
    report_files.sound(tmp_path, dropped)
    first, *_ = provenance.blocks(campaign)
    assert first["sentences"] == ["no faults; 2 runs", dropped]


def test_of_many_runs_the_matrix_has_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr(differ, "ALL", 5)
    monkeypatch.setattr(differ, "FIRST", 3)
    runs = [f"r{number}" for number in range(9)]
    shown = part.part(with_comparison(tmp_path, runs))["sections"]
    (shown,) = (section["blocks"] for section in shown if section["id"] == "differ")
    assert [block["kind"] for block in shown][:2] == ["sentences", "widget"]
    matrix = shown[1]["data"]
    assert matrix["runs"] == runs[:3] and len(matrix["measures"][0]["apart"]) == 3


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The page of a campaign with hostile names."""
    folder = tmp_path_factory.mktemp("views")
    text = page.of_all([page.with_article(part.part(with_comparison(folder, RUNS)))])
    (folder / "page.html").write_text(text, encoding="utf-8")
    return folder / "page.html"


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_the_script_shows_names_and_numbers_as_all_pages_do(report, browser):
    numbers = [*(number / 16 - 3 for number in range(96)), 0.8125, 0.2125, 0.8125 - 0.6, 1234.5678, 1e-7, -1e-7, 0.0005]
    pairs = [[number, digits] for number in numbers for digits in (0, 1, 2, 3)]
    names = [*RUNS, *QUESTIONS, "a\u2028b \x1f\x85 c", " \ta\xa0b\n", "\ufeffx\u2800", "n" * 100, "\U0001f600" * 90, ""]
    # What no edition of Unicode has assigned yet, another edition may have.
    assigned = [chr(code) for code in range(0x3100) if unicodedata.category(chr(code)) != "Cn"]
    names += [f"x{character}y" for character in assigned]
    with opened(browser, report) as sight:
        assert sight.evaluate("(names) => names.map((name) => short(name))", names) == [*map(legible.short, names)]
        texts = sight.evaluate("(pairs) => pairs.map((pair) => rounded(...pair))", pairs)
        assert texts == [wording.rounded(*pair).replace("-", "−") for pair in pairs]


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_a_copied_table_has_no_markup_of_names_and_no_formula(report, browser):
    names = ["$5", "~~b~~", "www.evil.org", "http://evil.org", "a@evil.org", "AT&amp;T", "# one", "a|b", "<b>x</b>"]
    names += ["`c`", "*i*", "_u_", "[l](x)", "back\\slash", "- [x] one", "1. one", "0.600", "1,237"]
    with opened(browser, report) as sight:
        text = sight.evaluate("names => markdownTable(['run', 'n'], names.map(name => [name, 0.5]))", names)
        known = "JSON.parse(document.getElementById('_characters').textContent)"
        formulas = sight.evaluate(f"csvText([['=1', '＝1', '\\t1', '1=', -1, null]], {known})")
    assert formulas == "'=1,'＝1,'\t1,1=,-1,\r\n"
    kind = "gfm-like" if importlib.util.find_spec("linkify_it") else "commonmark"
    shown = MarkdownIt(kind).enable(["table", "strikethrough"]).render(text)
    assert re.findall("<td>(.*?)</td>", shown) == [cell for name in names for cell in (html.escape(name), "0.5")]
    escaped = [*(re.sub(r"[!-/:-@\[-`{-~]", r"\\\g<0>", name) for name in names[:-2]), *names[-2:]]  # numbers are not
    assert text.splitlines() == ["| run | n |", "| - | - |", *(f"| {name} | 0.5 |" for name in escaped)]


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_a_run_is_shown_with_all_its_verdicts(report, browser):
    with opened(browser, report, "#camp/" + "org%2Fmodel%3A7b") as sight:
        card = sight.locator("aside.run")
        assert card.locator("p").first.inner_text() == "c@1 1.00, rank 1"
        assert card.locator("p").nth(1).inner_text() == "40 right · 0 left open · 32 wrong"
        verdict = card.locator(".paged td:nth-child(3)")
        seen = verdict.all_inner_texts()
        card.get_by_role("button", name="Next").click()
        seen += verdict.all_inner_texts()
        assert Counter(seen) == {"right": 40, "wrong": 32}
        card.get_by_role("button", name="verdict").click()
        assert set(verdict.all_inner_texts()[:40]) == {"right"}
        card.get_by_role("searchbox").fill("q69")
        assert card.get_by_role("status").inner_text() == "1 to 1 of 1, filtered"
        card.get_by_role("link", name="q69").click()
        sight.locator("aside.run h3", has_text="q69").wait_for()  # the card follows the address, a moment later
        assert sight.title() == "nonresponse: report"


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_a_question_is_shown_with_what_each_run_did(report, browser):
    with opened(browser, report, "#camp/" + quote(QUESTIONS[-1], safe="")) as sight:
        card = sight.locator("aside.run")
        assert card.locator("h3").inner_text() == QUESTIONS[-1]
        assert card.locator("p", has_text="left open").inner_text() == "0 right · 3 left open · 1 wrong"
        rows = [line.split("\t") for line in card.locator(".paged tbody tr").all_inner_texts()]
        assert sorted(row[0] for row in rows) == sorted(legible.short(run) for run in RUNS)
        sight.goto(report.as_uri() + "#camp/question/org%2Fmodel%3A7b")  # a run is called the same
        sight.locator("aside.run h3", has_text="org/model:7b").wait_for()
        assert "What each run did" in card.inner_text()


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_a_click_on_the_matrix_compares_two_runs(report, browser):
    with opened(browser, report, "#camp:differ") as sight:
        matrix = sight.locator(".matrix")
        matrix.scroll_into_view_if_needed()
        box = matrix.bounding_box()
        cell = (box["height"] - 4) / len(RUNS)
        pair = box["x"] + box["width"] - 4 - 0.5 * cell, box["y"] + 0.5 * cell  # the first row and the last column
        sight.mouse.move(*pair)
        names = [legible.short(name) for name in (RUNS[0], RUNS[3])]
        assert sight.locator(".pair").inner_text().startswith(f"{names[0]} − {names[1]}: +0.030 ")
        sight.mouse.click(*pair)
        card = sight.locator("aside.run")
        assert card.locator("h3").inner_text() == " and ".join(names)
        cells = [int(text) for text in card.locator("tbody").first.locator("td").all_inner_texts()]
        assert cells == [40, 0, 0, 0, 0, 0, 0, 3, 29]  # right; left open; wrong of the one, by those of the other
        card.get_by_role("button", name="3 questions").click()
        assert "wrong, " + names[1] + " left open: 3 questions" in card.inner_text()
        assert card.locator(".paged tbody tr").count() == 3
        sight.keyboard.press("Escape")
        card.wait_for(state="detached")
        sight.locator('[id="camp:compare"] summary').click()
        sight.locator("label", has_text="and").locator("select").select_option("2")
        sight.get_by_role("button", name="Compare", exact=True).click()
        assert card.locator("h3").inner_text() == f"{names[0]} and {legible.short(RUNS[2])}"


def test_a_campaign_with_faults_has_a_card_that_shows_them(tmp_path):
    lines = [f"{HOSTILE}.tsv:{line}: found '\u202e'; expected a number" for line in range(25)]
    sound = part.part(with_comparison(tmp_path, RUNS))
    sound["card"]["name"] = "sound"
    sound = page.with_article(sound)
    faulty = part.faulty("camp: 25 faults in 1 file", lines, "Nothing was scored.", "camp", "qa", HOSTILE, False)
    text = page.of_all([faulty, sound])
    assert "<b>camp: 25 faults in 1 file</b>" in text and "\u202e" not in text and "<img" not in text
    assert text.count("found &#39;[U+202E]&#39;; expected a number") == part.FAULTS
    assert "And 5 more lines: camp/faults.txt has all." in text and "Nothing was scored." in text
    assert 'href="#sound"' in text and 'href="#camp"' not in text and 'id="camp"' not in text


def test_a_campaign_that_is_neither_faulty_nor_done_has_a_card_too(tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad/faults.txt").write_text(
        "bad: 1 fault in 1 file\n  a.csv: found x; expected y\nNothing was scored.\n"
    )
    known = [{"name": name, "task": "qa", "title": "", "simulated": False} for name in ("bad", "stopped")]
    report_faults(known, page=tmp_path / "faults.html", results=tmp_path)
    text = (tmp_path / "faults.html").read_text()
    assert "<b>bad: 1 fault in 1 file</b>" in text and "<b>stopped: not evaluated yet</b>" in text
    assert "results/logs/stopped/ say which" in text


@pytest.mark.parametrize(("runs", "questions"), [(1, 1), (1200, 4325.0), (3, None)])
def test_a_card_counts_in_english(tmp_path, runs, questions):
    one = part.part(with_comparison(tmp_path, RUNS))
    one["card"] |= {"runs": runs, "questions": questions}
    text = page.of_all([page.with_article(one)])
    asked = "published counts" if questions is None else f"{questions:,.0f} question{'s' * (questions != 1)}"
    assert f" · {runs:,} run{'s' * (runs != 1)} · {asked}<" in text
