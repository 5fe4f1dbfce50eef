"""Test the page in Debian's chromium: two shipped campaigns, and one with hostile names."""

import csv
import html
import io
import itertools
import random
import re
import shutil
import unicodedata
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import polars as pl
import pytest
import report_files
import yaml
from browser import axe, launch, open_page
from conftest import HOME, QUICK, Project, evaluate_once
from markdown_it import MarkdownIt
from nonresponse import legible, wording
from nonresponse.report import page, part
from reading import write_rows
from report_files import NAMES, QUESTIONS, SCRIPT, typeset

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
CAMPAIGN, RUN = "respubliqa-2009-simulated", "icia091ro"
PUBLISHED = "penas-2011-table-3"
SLASH = "org/model:7b"  # a run, and a question


def campaigns(project: Project) -> Project:
    """Their raw data and configuration."""
    shipped = yaml.safe_load((HOME / "config.yaml").read_text(encoding="utf-8"))["campaigns"]
    (project.folder / "resources").mkdir(parents=True)
    ids = ["c@1", "accuracy"]
    for name in (CAMPAIGN, PUBLISHED):
        shutil.copytree(HOME / "resources" / name, project.folder / "resources" / name)
    write_rows(project.folder / "raw/graded.csv", report_files.make_hostile_rows())
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
    parts = {
        name: report_files.read_part(results / name) for name in ("hostile", CAMPAIGN, PUBLISHED)
    }
    tabs = [f"{name}:{tab['id']}" for name, part in parts.items() for tab in part["tabs"]]
    assert len(tabs) == 14 and f"{SCRIPT} 1" in parts["hostile"]["questions"]["texts"]
    tabs += [f"{CAMPAIGN}/{RUN}", f"{CAMPAIGN}/{RUN}/sim38de", "hostile/question/001"]
    return ["", *(f"#{tab}" for tab in [*tabs, f"hostile/Alpha/{quote(SLASH, safe='')}"])]


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


# 700 is a window of 1400 at 200 %
@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (700, "dark"), (1400, "light")])
def test_people_of_every_kind_can_use_it(browser, results, report, width, scheme):
    """It never scrolls sideways, no figure is cut off, and texts have contrast; axe-core finds no
    fault by WCAG 2.1 AA, of the dark page only by its colours.
    """
    rules = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
    rules = rules if scheme == "light" else {"type": "rule", "values": ["color-contrast"]}
    conditions = {"runOnly": rules, "resultTypes": ["violations"], "selectors": False}
    with open_page(browser, report, width=width, scheme=scheme, bypass_csp=True) as sight:
        sight.add_script_tag(path=axe())
        for address in addresses(results):
            go(sight, address)
            sight.evaluate(OPEN_FOLDS)
            assert sight.evaluate("document.documentElement.scrollWidth") <= width, address
            assert sight.evaluate(CUT_OFF) == [], address
            assert sight.evaluate(CONTRAST) >= 4.5, address
            sight.evaluate(THINNED)
            problems = sight.evaluate("asked => axe.run(asked)", conditions)["violations"]
            assert problems == [], address


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
        "accuracy %": pl.col("n_ac") / pl.sum_horizontal("n_ac", "n_aw", "n_u"),
        "correct − wrong per 100": pl.col("n_ac") - pl.col("n_aw"),
    }
    for campaign in (CAMPAIGN, PUBLISHED):
        board = read_board(results, campaign)
        with open_page(browser, report, f"#{campaign}") as sight:
            for label, sorts in sight.evaluate(press):
                column = columns.get(label, pl.col(label.removesuffix(" %")))
                options = {"nulls_last": True, "maintain_order": True}
                expected = {
                    way: board.sort(column, descending=way == "descending", **options)["run"]
                    for way in ("ascending", "descending")
                }
                assert dict(sorts) == {way: [*runs] for way, runs in expected.items()}, label
                rises = label in ("rank", "run", "answered %")
                assert sorts[0][0] == ("ascending" if rises else "descending"), label


def exported(sight, kind: str, place: int = 0) -> str:
    """What the export of a table saves."""
    menu = sight.locator("article:not(.away) details.menu", has_text="Export").nth(place)
    menu.evaluate("menu => { menu.open = true }")
    with sight.expect_download() as saving:
        menu.get_by_role("button", name=kind).click()
    return saving.value.path().read_bytes().decode("utf-8")


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


def hidden(text: str) -> set[str]:
    """Return the characters of a text that nobody sees, or that turn the direction of others."""
    return {c for c in text if c != "\n" and (not c.isprintable() or legible.UNSEEN.match(c))}


def test_no_name_is_markup_in_the_report_of_snakemake(results):
    """It has the pages, which open in it; other results would be downloads."""
    run = Project(results.parent).snakemake("--report", "report.html")
    text = (results.parent / "report.html").read_text(encoding="utf-8")
    pages = {*re.findall(r"results/[\w/-]+\.\w+", text)}
    names = ("hostile", CAMPAIGN, PUBLISHED)
    assert pages >= {"results/report.html", *(f"results/{name}/report.html" for name in names)}
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


def write_page(content: dict, folder: Path) -> Path:
    """Write the page of a part without texts."""
    packed = {"packed": page.pack_text(page.dump_json(content)), "texts": ""}
    path = folder / "report.html"
    head = {**content, **part.collect_first_rows(content["ranking"]), **packed}
    path.write_text(page.render_campaign(head), encoding="utf-8")
    return path


def test_rows_without_a_value_are_last_both_ways(browser, results, tmp_path):
    content = report_files.read_part(results / "hostile")
    ranking, label = content["ranking"], "accuracy %"
    index = [column["id"] for column in ranking["columns"]].index(label)
    ranking["rows"][1][index] = None
    with open_page(browser, write_page(content, tmp_path)) as sight:
        for _ in range(2):
            sight.locator("article .ranking th button", has_text="accuracy").click()
            assert list_visible_runs(sight)[-1] == legible.short(ranking["rows"][1][1])


def test_a_large_campaign_is_small_and_ready_at_once(browser, results, tmp_path):
    """300 runs and 2,000 questions: 2 MB, ready within a second of CPU, as are the questions."""
    draw, part = random.Random(2011), report_files.read_part(results / "hostile")
    rows, names = part["ranking"]["rows"], [f"org/model-{number:04}" for number in range(300)]
    rows = [[row[0], name, *row[2:]] for name, row in zip(names, itertools.cycle(rows))]
    verdicts = ["".join(draw.choices("cuw", [5, 2, 3], k=2000)) for _ in names]
    data = {key: [] for key in ("texts", "shown", "asked", "target", "answer", "explanation")}
    data |= {"runs": names, "questions": [f"q{number:05}" for number in range(2000)]}
    data |= {"category": [None] * 2000, "of": None, "total": 2000, "verdicts": verdicts}
    data["counts"] = [[*map(column.count, "cuw")] for column in zip(*verdicts, strict=True)]
    ranking = part["ranking"] | {"rows": rows}
    large = part | {"ranking": ranking, "questions": part["questions"] | data}
    path = write_page(large, tmp_path)
    assert path.stat().st_size < 2_000_000
    with launch(browser.browser_type) as alone:
        sight, seconds = alone.new_page(), []
        metrics = sight.context.new_cdp_session(sight)
        metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
        for address, selector in (("", "html.ready"), ("#hostile:questions", "tbody tr")):
            sight.goto(path.as_uri() + address)
            sight.wait_for_selector(selector, state="attached")
            values = metrics.send("Performance.getMetrics")["metrics"]
            total = next(value["value"] for value in values if value["name"] == "TaskDuration")
            seconds.append(total - sum(seconds))
            rows = sight.locator("article:not(.away) tbody tr").count()
            assert rows >= 100
    assert max(seconds) < 1, seconds


def test_addresses_lead_to_tabs_runs_pairs_cells_and_questions_and_back(browser, report):
    truth = {
        (row["run"], row["question"]): row["verdict"] for row in report_files.make_hostile_rows()
    }
    slash, states = quote(SLASH, safe=""), ("correct", "unanswered", "wrong")
    with open_page(browser, report, "#hostile") as sight:
        sight.locator(".ranking tbody th a", has_text=SLASH).locator("visible=true").click()
        tab = sight.locator("article:not(.away) .tab")
        head, listed = tab.locator("h2").first, tab.locator("table").last
        tab.locator("h2", has_text=SLASH).wait_for()
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
        assert sight.locator("article:not(.away) .nine td button").count() == 9  # of the first two


def test_two_runs_are_compared_with_the_interval_of_their_difference(browser, results, report):
    data = report_files.read_part(results / CAMPAIGN)["pairs"]
    (a, *_, b, _), measure = data["runs"], data["measures"][0]
    gap = 100 * (measure["scores"][0] - measure["scores"][-2])
    low, high = measure["ends"][len(data["runs"]) - 3]
    numbers = [wording.format_rounded(value, 1) for value in (gap, low / 10, high / 10)]
    with open_page(browser, report, f"#{CAMPAIGN}/{a}/{b}") as sight:
        sentence = sight.locator("article:not(.away) .tab p", has_text=f"{a} − {b}: ").first
        assert re.findall(r"−?\d+\.\d", sentence.inner_text().partition(": ")[2]) == numbers


def test_a_figure_has_its_curves_and_marks(browser, results, report):
    tabs = report_files.read_part(results / "hostile")["tabs"]
    [figure] = [
        figure for tab in tabs for section in tab["sections"] for figure in section["figures"]
    ]
    with open_page(browser, report, "#hostile:reliability") as sight:
        drawing = sight.locator("article:not(.away) .figure svg")
        assert drawing.locator("path.line").count() == len(figure["curves"]) > 1
        points = drawing.locator("path:not(.line) title").all_inner_texts()
        assert len(points) == sum(len(curve["points"]) for curve in figure["curves"])


def test_the_cost_slider_says_what_a_literal_computation_says(browser, results, report):
    scores = read_board(results, CAMPAIGN).select("run", "n_ac", "n_aw", "n_u").rows()
    with open_page(browser, report, f"#{CAMPAIGN}") as sight:
        for cost in (0, 0.25, 1, 2):
            worth = [(right - cost * wrong) / (right + wrong + u) for _, right, wrong, u in scores]
            worth = dict(zip([run for run, *_ in scores], worth, strict=True))
            worth["never answering"] = 0
            sight.locator("input[type=range]").locator("visible=true").fill(str(cost))
            status = sight.locator("[role=status]", has_text=f"At a cost of {cost:.2f}: ")
            status = status.locator("visible=true").inner_text()
            places = re.findall(r"(?:: |, )([^,]+) (−?\d\.\d{3})", status)
            best = sorted(worth.values(), reverse=True)[:3]
            assert [value for _, value in places] == [
                wording.minus(wording.format_rounded(value, 3)) for value in best
            ]
            assert [worth[name] for name, _ in places] == best


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
