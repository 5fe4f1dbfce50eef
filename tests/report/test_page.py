"""Test the page in Debian's chromium: two shipped campaigns, and one with hostile names."""

import csv
import html
import io
import re
import shutil
import unicodedata
from collections import Counter
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
import report_files
import reports
import yaml
from browser import axe, launch, open_page
from conftest import HOME, QUICK, Project, evaluate_once
from markdown_it import MarkdownIt
from nonresponse import legible, tasks, wording
from nonresponse.report import cells, page, part
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Section
from nonresponse.report.sections import cost, leaderboard
from report_files import NAMES, QUESTIONS, SCRIPT
from reports import typeset

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
CAMPAIGN, RUN = "respubliqa-2009-simulated", "icia091ro"
PUBLISHED = "penas-2011-table-3"
SLASH = "org/model:7b"  # a run, and a question


def campaigns(project: Project) -> Project:
    """Their raw data and configuration."""
    shipped = yaml.safe_load((HOME / "config.yaml").read_text(encoding="utf-8"))["campaigns"]
    (project.folder / "resources").mkdir(parents=True)
    rows, text, ids = report_files.make_hostile_rows(), io.StringIO(), ["c@1", "accuracy"]
    for name in (CAMPAIGN, PUBLISHED):
        shutil.copytree(HOME / "resources" / name, project.folder / "resources" / name)
    writer = csv.DictWriter(text, [*rows[0]])
    writer.writeheader()
    writer.writerows(rows)
    project.write("raw/graded.csv", text.getvalue())
    graded = {"format": "tabular", "files": "raw/graded.csv", "columns": {"answer": "answer"}}
    hostile = {"task": "qa", "title": NAMES[0], "graded": graded, "measures": report_files.MEASURES}
    analyses = QUICK | {"analyses": ["comparison", "rankings", "agreement", "swap"]}
    configured = {name: shipped[name] | {"measures": ids} for name in (CAMPAIGN, PUBLISHED)}
    project.configure(analyses, hostile=hostile, **configured)
    return project


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    """Their results."""
    return evaluate_once("reported", campaigns, tmp_path_factory) / "results"


@pytest.fixture(scope="module")
def report(results) -> Path:
    """The page of all."""
    return results / "report.html"


def addresses(results: Path) -> list[str]:
    """Return the addresses of the overview, of every tab, of a run, two runs and a question."""
    names = ("hostile", CAMPAIGN, PUBLISHED)
    tabs = [
        f"#{name}:{tab['id']}"
        for name in names
        for tab in reports.read_part(results / name)["tabs"]
    ]
    assert len(tabs) == 14
    pair, cell = f"{CAMPAIGN}/{RUN}/sim38de", f"hostile/Alpha/{quote(SLASH, safe='')}"
    return [
        "",
        *tabs,
        *(f"#{address}" for address in (f"{CAMPAIGN}/{RUN}", pair, cell, "hostile/question/001")),
    ]


def go(sight, address: str) -> None:
    """Go to an address within the page and wait until it is drawn; unpacking takes longest."""
    sight.evaluate(
        """address => new Promise(done => {
            if (location.hash === address) return done();
            addEventListener("hashchange", () => setTimeout(done), { once: true });
            location.hash = address;
        })""",
        address,
    )
    sight.wait_for_selector("article:not(.away) .tabs a" if address else "#_overview:not(.away)")


def read_board(results: Path, campaign: str) -> pl.DataFrame:
    return pl.read_csv(results / campaign / "leaderboard.csv")


def list_visible_runs(sight) -> list[str]:
    return sight.eval_on_selector_all(
        "article:not(.away) .ranking tbody th a", "all => all.map(one => one.textContent)"
    )


# One of each kind of row and of mark is enough for axe, which would take minutes for all of them.
THINNED = """() => {
  const kind = (one) =>
    [one.localName, one.getAttribute("class"), ...one.getAttributeNames(), !one.textContent.trim()].join(" ");
  for (const holder of document.querySelectorAll("tbody, svg, g, select")) {
    const seen = new Set();
    for (const one of holder.querySelectorAll(":scope > :is(tr, g, path, line, circle, text, rect, option)")) {
      const found = [one, ...one.querySelectorAll("*")].map(kind);
      if (found.every((known) => seen.has(known))) one.remove();
      for (const known of found) seen.add(known);
    }
  }
}"""


@pytest.mark.parametrize(("scheme", "width"), [("light", 1400), ("light", 390), ("dark", 1400)])
def test_people_of_every_kind_can_use_it(browser, results, report, scheme, width):
    """Check WCAG 2.1 AA by axe-core on every tab; of the dark page only its colours."""
    rules = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
    rules = rules if scheme == "light" else {"type": "rule", "values": ["color-contrast"]}
    conditions = {"runOnly": rules, "resultTypes": ["violations"], "selectors": False}
    wrong = {}
    with open_page(browser, report, scheme=scheme, width=width, bypass_csp=True) as sight:
        sight.add_script_tag(path=axe())
        for address in addresses(results):
            go(sight, address)
            sight.evaluate(THINNED)
            problems = sight.evaluate("asked => axe.run(asked)", conditions)
            for problem in problems["violations"]:
                wrong[address, problem["id"]] = [
                    node["html"][:200] for node in problem["nodes"][:3]
                ]
    assert wrong == {}


# The least contrast of the texts of charts with the page, and of those on bars with their part; axe
# reads no drawings.
CONTRAST = """() => {
  const light = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (...both) => {
    const [low, high] = both.map(light).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = getComputedStyle(document.body).backgroundColor;
  const drawn = [...document.querySelectorAll("article:not(.away) svg text")];
  return Math.min(...drawn.map((text) => {
    const part = text.closest("svg.bar") && text.previousElementSibling;
    return ratio(getComputedStyle(text).fill, part ? getComputedStyle(part).fill : ground);
  }));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_of_drawings_have_contrast(browser, report, scheme):
    with open_page(browser, report, scheme=scheme) as sight:
        for tab in ("", ":compare"):
            go(sight, f"#{CAMPAIGN}{tab}")
            assert sight.evaluate(CONTRAST) >= 4.5, tab


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (390, 844)])
def test_the_first_screen_has_the_lead_the_cards_and_five_runs(browser, report, width, height):
    with open_page(browser, report, f"#{CAMPAIGN}", width=width) as sight:
        sight.set_viewport_size({"width": width, "height": height})
        article = sight.locator(f'[id="{CAMPAIGN}"]')
        assert article.locator(".cards > div").count() == 3
        for selector in (
            ".lead",
            ".cards > div:last-child",
            "tbody tr:nth-child(5) th",
            "tbody tr:nth-child(5) td.first",
        ):
            box = article.locator(selector).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, selector
            assert box["y"] >= 0 and box["y"] + box["height"] <= height, selector


OPEN_FOLDS = "for (const fold of document.querySelectorAll('details:not(.menu)')) fold.open = true"
# Figures that scroll, and texts that lie outside of their drawing
CUT_OFF = """() => [
  ...[...document.querySelectorAll(".figure .box")].filter((box) => box.scrollWidth > box.clientWidth),
  ...[...document.querySelectorAll("svg:not(.fixed) text")].filter((text) => {
    const [inner, outer] = [text, text.ownerSVGElement].map((node) => node.getBoundingClientRect());
    return inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1;
  }),
].map((node) => node.textContent)"""


@pytest.mark.parametrize("width", [320, 700, 1400])  # 700 is a window of 1400 at 200 %
def test_it_never_scrolls_sideways_and_no_figure_is_cut_off(browser, results, report, width):
    with open_page(browser, report, width=width) as sight:
        wide, cut_off = {}, {}
        for address in addresses(results):
            go(sight, address)
            sight.evaluate(OPEN_FOLDS)
            wide[address] = sight.evaluate("document.documentElement.scrollWidth")
            cut_off[address] = sight.evaluate(CUT_OFF)
        assert {address: widths for address, widths in wide.items() if widths > width} == {}
        assert {address: texts for address, texts in cut_off.items() if texts} == {}


def test_what_scrolls_sideways_is_shaded_at_that_side(browser, report):
    with open_page(browser, report, f"#{CAMPAIGN}:questions", width=390) as sight:
        box = sight.locator(".tabular .box").locator("visible=true").first
        assert box.evaluate("node => node.scrollWidth > node.clientWidth")
        assert box.evaluate("node => getComputedStyle(node).backgroundAttachment").endswith(
            "scroll"
        )


def press_until(sight, condition: str, key: str = "Tab") -> None:
    """Press a key until an element that meets the condition has the focus."""
    met = f"(() => {{ const it = document.activeElement; return {condition}; }})()"
    for _ in range(200):
        sight.keyboard.press(key)
        if sight.evaluate(met):
            return
    raise AssertionError(condition)


def test_it_can_be_used_with_keys_alone(browser, results):
    """Reach every tab, sort a column, filter rows, open the exports, compare two runs."""
    with open_page(browser, results / "hostile/report.html") as sight:
        sight.keyboard.press("Tab")
        assert sight.evaluate("document.activeElement.textContent") == "To the content"
        for tab in ("Compare", "Questions", "Reliability", "Data and method", "Ranking"):
            press_until(sight, f'it.matches(".tabs a") && it.textContent === "{tab}"')
            sight.keyboard.press("Enter")
            sight.locator("article:not(.away) .tabs a[aria-current]", has_text=tab).wait_for()
            name = "" if tab == "Ranking" else f":{tab.split()[0].lower()}"
            sight.wait_for_function(f"location.hash === '#hostile{name}'")
        press_until(sight, 'it.matches("input[type=search]")')
        sight.keyboard.type("alpha")
        assert sorted(list_visible_runs(sight)) == ["Alpha", "alpha"]
        assert sight.locator("article:not(.away) .status").inner_text() == "1 to 2 of 2 rows"
        press_until(sight, 'it.matches("summary") && it.textContent === "Export"')
        sight.keyboard.press("Enter")
        press_until(sight, 'it.textContent === "Markdown"')
        with sight.expect_download():
            sight.keyboard.press("Enter")
        sight.keyboard.press("Escape")
        assert not sight.locator("details[open]").count()
        press_until(sight, 'it.matches("th button") && it.textContent === "run"')
        for key, order in (("Enter", "ascending"), ("Space", "descending")):
            sight.keyboard.press(key)
            assert sight.evaluate("document.activeElement.closest('th')?.ariaSort") == order
            assert list_visible_runs(sight) == (
                ["alpha", "Alpha"] if key == "Enter" else ["Alpha", "alpha"]
            )
        go(sight, "#hostile:compare")
        press_until(sight, 'it.matches("select")')
        sight.keyboard.type("org")
        press_until(sight, 'it.textContent === "Compare" && it.matches("button")')
        sight.keyboard.press("Enter")
        sight.locator("h2", has_text=f"{SLASH} and ").wait_for()


def test_every_column_sorts_as_polars_sorts(browser, results, report):
    """Both ways; rows without a value are last, and equal values in the order of the page."""
    press = """() => {
        const every = (within) => [...document.querySelectorAll("article:not(.away) .ranking " + within)];
        const head = (place) => every("thead th")[place];
        return every("thead th").map((_, place) => place).filter((place) => head(place).querySelector("button"))
            .map((place) => [head(place).textContent.replaceAll("\u00a0", " "), [1, 2].map(() => {
                head(place).querySelector("button").click();
                return [head(place).ariaSort, every("tbody th a").map((it) => it.textContent)];
            })]);
    }"""
    columns = {
        "correct when answered %": pl.col("n_ac") / (pl.col("n_ac") + pl.col("n_aw")),
        "answered %": -pl.col("n_u"),
        "accuracy %": pl.col("n_ac") / pl.col("n"),
        "correct − wrong per 100": pl.col("n_ac") - pl.col("n_aw"),
    }
    for campaign in (CAMPAIGN, PUBLISHED):
        board = read_board(results, campaign)
        board = board.with_columns(pl.sum_horizontal("n_ac", "n_aw", "n_u").alias("n"))
        with open_page(browser, report, f"#{campaign}") as sight:
            for label, sorts in sight.evaluate(press):
                column = columns.get(label, pl.col(label.removesuffix(" %")))
                falling = label not in ("rank", "run", "answered %")
                for way, order_shown in sorts:
                    order = board.sort(
                        column, descending=way == "descending", nulls_last=True, maintain_order=True
                    )["run"]
                    assert order_shown == order.to_list(), (campaign, label, way)
                assert {way for way, _ in sorts} == {"ascending", "descending"}
                assert sorts[0][0] == ("descending" if falling else "ascending"), label


def exported(sight, kind: str, place: int = 0) -> str:
    """What the export of a table saves."""
    menu = sight.locator("article:not(.away) details.menu", has_text="Export").nth(place)
    menu.evaluate("menu => { menu.open = true }")
    with sight.expect_download() as saving:
        menu.get_by_role("button", name=kind).click()
    return saving.value.path().read_bytes().decode("utf-8")


def test_questions_are_sorted_by_name_both_ways(browser, results):
    with open_page(browser, results / "hostile/report.html") as sight:
        go(sight, "#hostile:questions")
        head = sight.locator("article:not(.away) thead button", has_text="question").first
        orders = []
        for way in ("ascending", "descending"):
            head.click()
            assert head.locator("xpath=ancestor::th").get_attribute("aria-sort") == way
            names = head.locator("xpath=ancestor::table").locator("tbody th")
            orders.append(names.all_inner_texts())
    assert len(orders[0]) == len(QUESTIONS) and orders[1] == orders[0][::-1]


def test_exports_hold_the_values_of_the_table_and_no_name_is_markup_or_a_formula(
    browser, results, report, tmp_path
):
    board = {row["run"]: row for row in read_board(results, "hostile").rows(named=True)}
    cells = "row => [...row.querySelectorAll('.rank, .number')].map(cell => cell.textContent)"
    with open_page(browser, report, "#hostile") as sight:
        text, markdown, latex = (exported(sight, kind) for kind in ("CSV", "Markdown", "LaTeX"))
        lines = sight.locator("article:not(.away) .ranking tbody tr")
        texts = lines.evaluate_all(f"all => all.map({cells})")
    rows = [*csv.DictReader(io.StringIO(text, newline=""))]
    assert not [row["run"] for row in rows if row["run"][0] in "=+-@"]
    runs = [row["run"].removeprefix("'") for row in rows]
    assert {*runs} == {*NAMES}
    labels = {"c@1 %": "c@1", "95 % CI low": "c@1 lower", "95 % CI high": "c@1 upper"}
    labels |= {"correct": "n_ac", "unanswered": "n_u", "wrong": "n_aw", "rank": "rank"}
    for run, row in zip(runs, rows, strict=True):
        values = {label: board[run][name] for label, name in labels.items()}
        assert {label: float(row[label]) for label in values} == pytest.approx(values)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    cells = [re.findall("<td.*?>(.*?)</td>", row) for row in tokens.split("<tr>")[2:]]
    assert [html.unescape(row[1]) for row in cells] == [*map(legible.visible, runs)]
    assert not {"a", "img", "em", "s", "script"} & {*re.findall(r"<(\w+)", tokens)}
    for line, row in zip(cells, texts, strict=True):
        assert row == [line[0], *line[2:3], *line[5 : 5 + len(row) - 2]]
    assert all(legible.latex(name) in latex for name in NAMES)
    assert "\\begin{tabular}{rlr" in latex and "\n| -: | - | -: |" in markdown
    if shutil.which("pdflatex"):
        typeset(latex, tmp_path, "booktabs")


def test_hostile_names_do_nothing_but_stand_there(browser, results, report):
    with open_page(browser, report) as sight:
        for name in NAMES:
            go(sight, "#hostile/" + quote(name, safe=""))
            head = sight.locator("article:not(.away) .tab h2").first
            assert head.inner_text() == legible.short(name)
        for address in addresses(results):
            go(sight, address)
            assert not sight.locator("img, iframe, object, main script:not([type])").count()
            assert "\u202e" not in sight.locator("body").inner_text()
        assert sight.title() == "nonresponse: report"


# Every entry of every category of Snakemake's report, shown one after the other; each is drawn
# before the next one.
SHOW_ALL = """() => {
  const show = (what) => ReactDOM.flushSync(what), seen = {};
  for (const category of Object.keys(categories)) show(() => app.showCategory(category));
  for (const path of Object.keys(results)) {
    show(() => app.showResultInfo(path));
    seen[path] = document.querySelector("#app").innerText;
  }
  return seen;
}"""


def hidden(text: str) -> set[str]:
    """Return the characters of a text that nobody sees, or that turn the direction of others."""
    return {c for c in text if c != "\n" and (not c.isprintable() or legible.UNSEEN.match(c))}


def test_no_script_runs_in_the_report_of_snakemake(browser, results):
    run = Project(results.parent).snakemake("--report", "report.html")
    path = results.parent / "report.html"
    with open_page(browser, path, ready="#app > div") as sight:
        files = sight.evaluate(SHOW_ALL)
        assert sight.title() == "Snakemake Report"
        assert not sight.locator("img[onerror], img[src=x]").count()  # others are its logo
    # Which open in it; others would be downloads
    names = ("hostile", CAMPAIGN, PUBLISHED)
    assert {*files} == {"results/report.html", *(f"results/{name}/report.html" for name in names)}
    text = path.read_text(encoding="utf-8")  # not only what a browser runs today
    assert not [name for name in (NAMES[0], SCRIPT) if name in text] and not hidden(text) - {"\t"}
    assert not hidden(run.stdout + run.stderr)


def test_people_see_nothing_hidden_and_no_endless_name_or_markup(results):
    paths = [
        path
        for path in results.rglob("*")
        if path.suffix in (".md", ".html", ".tex", ".txt", ".log")
    ]
    render = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render
    ours = {"h1", "h2", "p", "br", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        assert not hidden(text) and not hidden(str(path)), path
        # What the script of the page reads, and addresses, are whole.
        visible = re.sub(r'<script.*?</script>| href="[^"]*"', "", text, flags=re.DOTALL)
        assert "m" * 81 not in visible, path
        assert path.suffix != ".md" or {*re.findall(r"<(\w+)", render(text))} <= ours, path
    page = html.unescape(render((results / "hostile/leaderboard.md").read_text(encoding="utf-8")))
    assert all(f"<td>{legible.short(name)}</td>" in page for name in NAMES)
    for name in ("leaderboard.csv", "leaderboard.parquet"):
        reader = pl.read_csv if name.endswith("csv") else pl.read_parquet
        assert {*reader(results / "hostile" / name)["run"]} == {*NAMES}


def test_where_no_script_runs_the_ranking_and_links_stand_there(browser, results, report):
    with open_page(browser, report, java_script_enabled=False) as sight:
        for campaign in (CAMPAIGN, PUBLISHED, "hostile"):
            article = sight.locator(f'[id="{campaign}"]')
            assert article.locator("tbody tr").count() == read_board(results, campaign).height
            hrefs = "all => all.map(one => one.getAttribute('href'))"
            links = article.locator("noscript a").evaluate_all(hrefs)
            assert links[0] == f"{campaign}/leaderboard.md"
            assert all((results / link).is_file() for link in links)


def test_on_paper_the_ranking_has_at_most_four_pages(browser, results, report):
    with open_page(browser, report, f"#{CAMPAIGN}") as sight:
        pdf = sight.pdf(prefer_css_page_size=True)
        sight.emulate_media(media="print")
        text = " ".join(sight.locator("body").inner_text().split())
        sight.emulate_media(media="screen")
    for run, score in read_board(results, CAMPAIGN).select("run", "c@1").rows():
        assert re.search(rf"{run} {wording.format_rounded(100 * score, 1)}\b", text), run
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 4
    assert "Filter" not in text and "Export" not in text


RUNS, ITEMS = 300, 2000


def large_part(hostile: dict) -> dict:
    """Make the part of a campaign of 300 runs and 2,000 questions without texts."""
    draw = np.random.default_rng(2011)
    kind = draw.choice(3, (RUNS, ITEMS), p=[0.5, 0.3, 0.2])
    counts = {name: (kind == code).sum(axis=1) for code, name in enumerate(("n_ac", "n_aw", "n_u"))}
    runs = [f"org/model-{number:04}:instruct" for number in range(RUNS)]
    board = pl.DataFrame({"run": runs, **counts, "n": ITEMS, "trivial": False, "tied": False})
    score = pl.col("n_ac") / ITEMS * (1 + pl.col("n_u") / ITEMS)
    board = board.with_columns(score.alias("c@1"), pl.Series("index", range(RUNS)))
    board = board.sort("c@1", descending=True).with_columns(pl.int_range(1, RUNS + 1).alias("rank"))
    ends = {"c@1 lower": pl.col("c@1") - 0.02, "c@1 upper": pl.col("c@1") + 0.02}
    board, sample, pairs = board.with_columns(**ends), 50, 50 * 49 // 2
    texts = {kind: [] for kind in ("texts", "shown", "asked", "target", "answer", "explanation")}
    questions = {**hostile["questions"], **texts, "categories": [], "of": None, "total": ITEMS} | {
        "runs": board["run"].to_list(),
        "questions": [f"q{number:05}" for number in range(ITEMS)],
        "category": [None] * ITEMS,
        "counts": [np.bincount(value, minlength=3)[[0, 2, 1]].tolist() for value in kind.T],
        "verdicts": ["".join("cwu"[code] for code in kind[run]) for run in board["index"]],
    }
    top = hostile["pairs"]["measures"][0] | {
        "scores": board["c@1"].head(sample).to_list(),
        "different": "10" * (pairs // 2) + "1" * (pairs % 2),
        "ends": [[-20, 30]] * pairs,
    }
    compared = {"runs": questions["runs"][:sample], "confidence": "95 %", "measures": [top]}
    board = board.with_columns(behind_reject_all=False, n_aw_partial=0, rank_low=1, rank_high=RUNS)
    settings = {"measures": ["c@1"], "level": 0.05}
    table = leaderboard.tabulate_scores(board, Campaign("camp", "qa", Path(), settings), [])
    scores = Section("Scores", [], figures=cost.draw_costs(board, tasks.get("qa")))
    return hostile | {
        "ranking": cells.encode_table(table),
        "costs": part.encode_costs(scores, None),
        "pairs": compared,
        "questions": questions,
    }


def test_a_large_campaign_is_small_and_ready_at_once(browser, results, tmp_path):
    """300 runs and 2,000 questions: 2 MB, ready within a second of CPU, as are the questions."""
    part_of_page = large_part(reports.read_part(results / "hostile"))
    data = {"packed": page.pack_text(page.dump_json(part_of_page)), "texts": ""}
    head = {**part_of_page, **part.collect_first_rows(part_of_page["ranking"]), **data}
    path = tmp_path / "report.html"
    path.write_text(page.render_campaign(head), encoding="utf-8")
    assert path.stat().st_size < 2_000_000
    with launch(browser.browser_type) as alone:
        sight = alone.new_page()
        metrics = sight.context.new_cdp_session(sight)
        metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
        sight.goto(path.as_uri())
        sight.wait_for_selector("html.ready", state="attached")
        seconds = [cpu(metrics)]
        assert sight.locator(".ranking tbody tr").count() == 100
        go(sight, "#hostile:questions")
        sight.locator("tbody tr").first.wait_for()
        seconds.append(cpu(metrics) - seconds[0])
    assert max(seconds) < 1, seconds


def cpu(metrics) -> float:
    """Return the seconds of CPU that the page has taken."""
    processes = metrics.send("Performance.getMetrics")["metrics"]
    return next(process["value"] for process in processes if process["name"] == "TaskDuration")


def test_addresses_lead_to_tabs_runs_pairs_cells_and_questions_and_back(browser, report):
    truth = {
        (row["run"], row["question"]): row["verdict"] for row in report_files.make_hostile_rows()
    }
    slash, states = quote(SLASH, safe=""), ("correct", "unanswered", "wrong")
    with open_page(browser, report, "#hostile") as sight:
        sight.locator(".ranking tbody th a", has_text=SLASH).locator("visible=true").click()
        tab = sight.locator("article:not(.away) .tab")
        head, listed = tab.locator("h2").first, tab.locator("table").last
        assert head.inner_text() == SLASH and sight.url.endswith(f"#hostile/{slash}")
        verdicts = listed.locator("tbody td:nth-child(3)").all_inner_texts()
        assert Counter(verdicts) == Counter(truth[SLASH, question] for question in QUESTIONS)
        sight.keyboard.press("Escape")
        sight.wait_for_function("location.hash === '#hostile'")
        sight.go_back()
        sight.wait_for_function(f"location.hash === '#hostile/{slash}'")
        assert head.inner_text() == SLASH
        go(sight, f"#hostile/question/{slash}")
        rows = [line.split("\t") for line in tab.locator("tbody tr").all_inner_texts()]
        verdict_by_run = {legible.short(run): truth[run, SLASH] for run in NAMES}
        assert {row[0]: row[1] for row in rows} == verdict_by_run
        go(sight, f"#hostile/{slash}/Alpha?cell=wrong/correct")
        assert head.inner_text() == f"{SLASH} and Alpha"
        cells = Counter(
            (truth[SLASH, question], truth["Alpha", question]) for question in QUESTIONS
        )
        numbers = [int(number) for number in sight.locator(".nine td button").all_inner_texts()]
        assert numbers == [cells[state, other_state] for state in states for other_state in states]
        number = cells["wrong", "correct"]
        assert listed.locator("tbody tr").count() == number > 0
        assert sight.locator(".nine [aria-pressed=true]").inner_text() == str(number)
        go(sight, "#hostile/%3Cb%3Enone")
        assert "Nothing here is called “<b>none”" in tab.inner_text()
        go(sight, f"#{CAMPAIGN}:compare")
        assert sight.locator("article:not(.away) .tabs [aria-current]").inner_text() == "Compare"


def test_a_click_on_a_pair_compares_its_runs(browser, results, report):
    with open_page(browser, report, f"#{CAMPAIGN}:compare") as sight:
        matrix = sight.locator("article:not(.away) .matrix")
        matrix.scroll_into_view_if_needed()
        box, data = matrix.bounding_box(), reports.read_part(results / CAMPAIGN)["pairs"]
        assert matrix.locator("text").all_text_contents() == data["runs"], "none is cut"
        size = box["height"] / len(data["runs"])
        # The first row, the last column but one
        position = box["x"] + box["width"] - 1.5 * size, box["y"] + 0.5 * size
        a, b = data["runs"][0], data["runs"][-2]
        sight.mouse.move(*position)
        measure = data["measures"][0]
        gap = wording.format_rounded(100 * (measure["scores"][0] - measure["scores"][-2]), 1)
        low_high = (
            wording.format_rounded(end / 10, 1) for end in measure["ends"][len(data["runs"]) - 3]
        )
        ends = wording.minus(" to ".join(low_high))
        sentence = f"{a} − {b}: +{gap} points in c@1 (95 % CI {ends}), significantly different."
        status = sight.locator("article:not(.away) [role=status]", has_text=f"{a} − {b}")
        assert status.inner_text() == sentence
        sight.mouse.click(*position)
        headings = sight.locator("article:not(.away) .tab h2")
        headings.filter(has_text=f"{a} and {b}").wait_for()  # the address changes first
        assert headings.first.inner_text() == f"{a} and {b}"


def test_a_figure_has_its_curves_and_is_saved_as_a_drawing_by_itself(browser, results, report):
    """In the colours of paper, on a dark screen too, and with names as text."""
    tabs = reports.read_part(results / "hostile")["tabs"]
    [figure] = [
        figure for tab in tabs for section in tab["sections"] for figure in section["figures"]
    ]
    with open_page(browser, report, "#hostile:reliability", scheme="dark") as sight:
        drawing = sight.locator("article:not(.away) .figure svg")
        assert drawing.locator("path.line").count() == len(figure["curves"]) > 1
        points = drawing.locator("path:not(.line) title").all_inner_texts()
        assert len(points) == sum(len(curve["points"]) for curve in figure["curves"])
        with sight.expect_download() as saving:
            sight.get_by_role("button", name="Save as SVG").locator("visible=true").click()
    root = ElementTree.parse(saving.value.path()).getroot()
    texts = [node for node in root.iter() if node.tag.endswith("}text")]
    assert {curve["name"] for curve in figure["curves"]} <= {node.text for node in texts}
    assert {node.attrib["fill"] for node in texts} >= {"rgb(85, 91, 99)"}
    assert not [node for node in root.iter() if {"class", "style"} & {*node.attrib}]


@pytest.mark.parametrize("cost", [0, 0.25, 1, 2])
def test_the_cost_slider_says_what_a_literal_computation_says(browser, results, report, cost):
    scores = read_board(results, CAMPAIGN).select("run", "n_ac", "n_aw", "n_u").rows()
    worth = [
        ((right - cost * wrong) / (right + wrong + unanswered), run)
        for run, right, wrong, unanswered in scores
    ]
    worth = sorted([*worth, (0.0, "never answering")], key=lambda pair: -pair[0])
    with open_page(browser, report, f"#{CAMPAIGN}") as sight:
        sight.locator("input[type=range]").locator("visible=true").fill(str(cost))
        status = sight.locator("[role=status]", has_text="At a cost of")
        status = status.locator("visible=true").inner_text()
    places = re.findall(r"(?:: |, )([^,]+) (−?\d\.\d{3})", status)
    assert status.startswith(f"At a cost of {cost:.2f}: ") and len(places) == 3
    for (name, value), (expected, run) in zip(places, worth, strict=False):
        assert value == wording.minus(wording.format_rounded(expected, 3))
        assert name == run or [line for line, _ in worth].count(expected) > 1


def test_the_script_shows_names_and_numbers_as_all_pages_do(browser, report):
    numbers = [*(number / 16 - 3 for number in range(96)), 0.8125, 0.2125, 0.8125 - 0.6, 1234.5678]
    numbers += [1e-7, -1e-7, 0.0005]
    pairs = [[number, digits] for number in numbers for digits in (0, 1, 2, 3)]
    names = [*NAMES, *QUESTIONS, "a\u2028b \x1f\x85 c", " \ta\xa0b\n", "\ufeffx\u2800", "n" * 100]
    names += ["\U0001f600" * 90, ""]
    # What no edition of Unicode has assigned yet, another edition may have.
    names += [f"x{chr(code)}y" for code in range(0x3100) if unicodedata.category(chr(code)) != "Cn"]
    with open_page(browser, report) as sight:
        visible = sight.evaluate("names => names.map(name => shorten(name))", names)
        texts = sight.evaluate("pairs => pairs.map(pair => formatNumber(...pair))", pairs)
        chars = "JSON.parse(document.getElementById('_characters').textContent)"
        fields = sight.evaluate(f"names => names.map(name => escapeLatex(name, {chars}))", names)
        fields_of = f"value => escapeCsv(value, new RegExp({chars}.formula))"
        values = ["=1", "＝1", "\t1", "1=", -1, None]
        formulas = sight.evaluate(f"values => values.map({fields_of})", values)
    assert visible == [*map(legible.short, names)]
    assert texts == [wording.minus(wording.format_rounded(*pair)) for pair in pairs]
    assert fields == [*map(legible.latex, names)]
    assert formulas == ["'=1", "'＝1", "'\t1", "1=", "-1", ""]
