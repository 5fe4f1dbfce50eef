"""A thousand runs, and more questions than the report shows of them: what it makes of that, and how soon it opens."""

import gzip
import re
from base64 import b64decode
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import report_files
from browser import launched, opened
from nonresponse import measures, tables, tasks
from nonresponse.judging.store import of_rows, read_verdicts, write_verdicts
from nonresponse.pages.report import page, part
from nonresponse.pages.sections import Campaign
from nonresponse.scoring import score, tally
from nonresponse.topics import leaderboard

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
RUNS, QUESTIONS = 1000, 2500
MEASURES = ["c@1", "accuracy", "answered", "uf", "precision_answered"]
COUNTS = ("counts", "counts_by_category", "counts_by_variant")
KINDS = ["correct", "wrong", "unanswered"]
CATEGORIES = 20


def verdicts(folder: Path) -> pl.DataFrame:
    """Verdicts as judging writes them, of runs that differ in skill and in how often they answer."""
    sample = [{"run": "r", "question": kind, "verdict": kind, "answer": "x"} for kind in KINDS]
    judged = report_files.graded(folder, sample).folder / "verdicts.npz"
    of_kind = (
        read_verdicts(judged).rows().sort(pl.col("question").replace_strict(KINDS, range(3), return_dtype=pl.Int8))
    )
    draw = np.random.default_rng(2011)
    skill, silence = draw.normal(0, 0.8, (RUNS, 1)), draw.uniform(0, 0.4, (RUNS, 1))
    right = draw.random((RUNS, QUESTIONS)) < 1 / (1 + np.exp(draw.normal(0, 1, QUESTIONS) - skill))
    kind = np.where(draw.random((RUNS, QUESTIONS)) < silence, 2, np.where(right, 0, 1)).ravel()
    runs = pl.Series([f"org/model-{number:04}:instruct" for number in range(RUNS)])
    questions = pl.Series([f"q{number:05}" for number in range(QUESTIONS)])
    categories = pl.Series([f"subject {number % CATEGORIES:02}" for number in range(QUESTIONS)])
    asked = np.tile(np.arange(QUESTIONS), RUNS)
    return of_kind[kind].with_columns(
        run=runs.gather(np.repeat(np.arange(RUNS), QUESTIONS)),
        question=questions.gather(asked),
        category=categories.gather(asked),
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    """The results, from the verdicts on made by the stages, and the two pages."""
    folder = tmp_path_factory.mktemp("results") / "camp"
    write_verdicts(folder / "verdicts.npz", of_rows(verdicts(folder), "qa"))
    for name, table in zip(COUNTS, tally.tally(folder / "verdicts.npz", "qa", tasks.POLICIES), strict=True):
        tables.write(table, folder / f"{name}.parquet")
    for id in MEASURES:
        scores = score.score_counts(measures.get("qa", id), *[folder / f"{name}.parquet" for name in COUNTS])
        for name, table in zip(("scores", "scores_by_category"), scores, strict=True):
            tables.write(table, folder / f"{name}/{id}.parquet")
    campaign = Campaign("camp", "qa", folder, report_files.SETTINGS | {"measures": MEASURES})
    leaderboard.make(campaign, [])
    report_files.unchanged(folder)
    content = page.with_article(part.part(campaign))
    tables.write_text(page.of_campaign(content), folder / "report.html")
    tables.write_text(page.of_all([content]), folder.parent / "report.html")
    return folder.parent


def test_the_pages_are_within_the_limit_and_say_what_they_lack(results):
    texts = [path.read_text(encoding="utf-8") for path in (results / "report.html", results / "camp/report.html")]
    assert max(len(text.encode()) for text in texts) < page.LARGEST
    said = "The page holds the verdicts on 2,000 of 2,500 questions, drawn at random, seed 2011."
    assert all(text.count('<tr data-row="') >= RUNS for text in texts)
    packed = [re.search('base64">([^<]*)<', text)[1] for text in texts]
    assert all(said in gzip.decompress(b64decode(one)).decode() for one in packed)


def test_it_opens_and_leads_to_its_questions_and_runs(browser, results):
    """Until the page is ready, the browser's processes take 3 s of CPU; the limit has room for slower machines."""
    with launched(browser.browser_type) as alone:
        with opened(alone, results / "report.html", "#camp") as shown:
            assert shown.locator('[id="camp:leaderboard"] tbody tr').count() == RUNS
            processes = alone.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
            assert sum(process["cpuTime"] for process in processes) < 8
            shown.evaluate("location.hash = 'camp:questions'")
            shown.locator('[id="camp:questions"] tbody tr').first.wait_for()
            where = shown.evaluate("document.getElementById('camp:questions').getBoundingClientRect().top")
            assert 0 <= where < 200
        run = pl.read_parquet(results / "camp/leaderboard.parquet")["run"][7]
        with opened(alone, results / "report.html", f"#camp/{run.replace('/', '%2F')}") as shown:
            assert run in shown.locator("aside.run h3").inner_text()
