"""The report as a person has it, in Debian's chromium: two shipped campaigns, and one with hostile names."""

import csv
import io
import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path

import polars as pl
import printed
import pytest
import yaml
from browser import axe, opened
from conftest import HOME, QUICK, Project, evaluate_once
from nonresponse import legible, wording
from nonresponse.pages import blocks

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
CAMPAIGN, RUN = "respubliqa-2009-simulated", "icia091ro"
PUBLISHED = "penas-2011-table-3"
OWNED = "<img src=x onerror=document.title='owned'>"
NAMES = [
    OWNED,
    "</script><script>document.title='owned'</script>",
    "=HYPERLINK(1)",
    "left\u202eright",
    "@x_{1}",
    "ę-1--2",
]
QUESTIONS = [OWNED, "q2", "q3", "q4"]
MEASURES = ["c@1", "accuracy"]


def campaigns(project: Project) -> Project:
    """Their raw data and configuration."""
    shipped = yaml.safe_load((HOME / "config.yaml").read_text(encoding="utf-8"))["campaigns"]
    (project.folder / "resources").mkdir(parents=True)
    for name in (CAMPAIGN, PUBLISHED):
        shutil.copytree(HOME / "resources" / name, project.folder / "resources" / name)
    rows = [["run", "question", "answer", "verdict", "category"]]
    for number, run in enumerate(NAMES):
        for place, question in enumerate(QUESTIONS):
            outcome = ["correct", "wrong", "unanswered"][(number + place * (number % 2)) % 3]
            rows.append([run, question, OWNED if outcome != "unanswered" else "", outcome, f"{OWNED}{place % 2}"])
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    project.write("raw/graded.csv", text.getvalue())
    hostile = {
        "task": "qa",
        "title": OWNED,
        "graded": {"format": "tabular", "files": "raw/graded.csv"},
        "measures": MEASURES,
    }
    chosen = {PUBLISHED: shipped[PUBLISHED], CAMPAIGN: shipped[CAMPAIGN] | {"measures": MEASURES}}
    project.configure(QUICK | {"analyses": ["comparison", "rankings"]}, hostile=hostile, **chosen)
    return project


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    """Their results."""
    return evaluate_once("reported", campaigns, tmp_path_factory) / "results"


def board(results: Path, campaign: str) -> pl.DataFrame:
    return pl.read_parquet(results / campaign / "leaderboard.parquet").with_row_index("row")


def ranking(page, campaign: str):
    """The ranking."""
    return page.locator(f'[id="{campaign}:leaderboard"] .ranking')


def table_of(page, campaign: str):
    """The leaderboard with all measures, unfolded."""
    fold = page.locator(f'[id="{campaign}:leaderboard"] details').first
    fold.evaluate("fold => { fold.open = true }")
    fold.locator("table").wait_for(state="attached")
    return fold.locator("[data-table]")


def exported(page, button) -> str:
    """What the button saves."""
    with page.expect_download() as saving:
        button.click()
    return saving.value.path().read_text(encoding="utf-8")


def test_the_address_of_a_run_shows_its_counts(browser, results):
    with opened(browser, results / "report.html", f"#{CAMPAIGN}/{RUN}") as page:
        card = page.locator("aside.run").inner_text()
        assert RUN in card and {"237", "156", "107"} <= set(re.findall(r"\d+", card))
        page.keyboard.press("Escape")
        page.wait_for_selector("aside.run", state="detached")
        assert page.url.endswith(f"#{CAMPAIGN}")
        page.go_back()
        page.wait_for_selector("aside.run")


def test_one_comes_back_to_where_one_was(browser, results):
    with opened(browser, results / "report.html", f"#{CAMPAIGN}") as page:
        page.get_by_role("button", name="Show all 44 runs").click()
        link = ranking(page, CAMPAIGN).locator("tbody th a").last
        link.scroll_into_view_if_needed()
        page.evaluate("scrollBy(0, 120)")
        top = page.evaluate("scrollY")
        link.click()
        page.wait_for_selector("aside.run")
        page.keyboard.press("Escape")
        page.wait_for_selector("aside.run", state="detached")
        assert page.evaluate("scrollY") == pytest.approx(top, abs=2)
        assert link.evaluate("link => link === document.activeElement")


def test_a_campaigns_own_page_opens_on_it(browser, results):
    with opened(browser, results / CAMPAIGN / "report.html") as page:
        assert page.title() == "ResPubliQA 2009, simulated data · nonresponse"
        assert ranking(page, CAMPAIGN).is_visible() and not page.locator("#_overview").count()


def test_bars_are_printed_whole(browser, results):
    """By the colours of a line through each bar, as paper has it: as much right, open and wrong as was counted."""
    with opened(browser, results / "report.html", f"#{CAMPAIGN}") as page:
        page.emulate_media(media="print")
        bars = page.locator(f'[id="{CAMPAIGN}:leaderboard"] .ranking svg.counts')
        counts = board(results, CAMPAIGN).select("n_ac", "n_u", "n_aw").rows()
        assert bars.count() == len(counts)
        for place in (0, 3, 11, len(counts) - 1):
            picture = b64encode(bars.nth(place).screenshot()).decode()
            right, wrong, width = page.evaluate(COLOURS, picture)
            whole = sum(counts[place])
            assert right / width == pytest.approx(counts[place][0] / whole, abs=0.02), place
            assert wrong / width == pytest.approx(counts[place][2] / whole, abs=0.02), place
        page.emulate_media(media="null")  # the same page serves other tests


# How many points of the third line of a picture are dark blue, how many orange, and how many there are.
COLOURS = """async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const points = pen.getImageData(0, 2, image.width, 1).data;
  const all = Array.from({ length: image.width }, (_, at) => [...points.slice(4 * at, 4 * at + 3)]);
  const like = (colour) => all.filter((one) => one.every((part, at) => Math.abs(part - colour[at]) < 25)).length;
  return [like([18, 63, 115]), like([217, 120, 58]), image.width];
}"""


def test_an_address_of_nothing_says_so(browser, results):
    """Of a run that is gone, or of a question outside the sample that a large campaign shows."""
    with opened(browser, results / "report.html", f"#{CAMPAIGN}/question/%3Cb%3Enone") as page:
        assert "Nothing here is called “<b>none”" in page.locator("aside.run").inner_text()


def test_an_address_names_the_measure_that_ranks(browser, results):
    order = "rows => rows.map(row => Number(row.dataset.row))"
    rows = f'[id="{CAMPAIGN}:leaderboard"] .ranking tbody tr'
    ranked = board(results, CAMPAIGN).sort("accuracy", descending=True, nulls_last=True, maintain_order=True)["row"]
    with opened(browser, results / "report.html", f"#{CAMPAIGN}/{RUN}?measure=accuracy") as page:
        assert page.eval_on_selector_all(rows, order) == ranked.to_list()
        page.keyboard.press("Escape")
        page.wait_for_selector("aside.run", state="detached")
        assert page.url.endswith(f"#{CAMPAIGN}?measure=accuracy")
        page.get_by_role("group", name="Rank by").get_by_role("button", name="c@1").locator("visible=true").click()
        assert page.url.endswith(f"#{CAMPAIGN}?measure=c%401")
        assert page.eval_on_selector_all(rows, order) == board(results, CAMPAIGN)["row"].to_list()


@pytest.mark.parametrize("campaign", [CAMPAIGN, "hostile"])
def test_what_is_exported_is_the_leaderboard(browser, results, campaign):
    with opened(browser, results / "report.html", f"#{campaign}") as page:
        text = exported(page, table_of(page, campaign).get_by_role("button", name="CSV", exact=True))
    header, *rows = csv.reader(io.StringIO(text))
    known = {row["run"]: row for row in csv.DictReader((results / campaign / "leaderboard.csv").open(newline=""))}
    assert len(rows) == len(known)
    for row in rows:
        mine = dict(zip(header, row, strict=True))
        assert mine["run"][0] not in "=+-@"
        theirs = known[mine["run"].removeprefix("'")]
        for name in set(header) - {"run"}:
            assert (float(mine[name]) if mine[name] else None) == (float(theirs[name]) if theirs[name] else None), name


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no pdflatex")
def test_exported_latex_compiles_and_has_every_run(browser, results, tmp_path):
    with opened(browser, results / "report.html", "#hostile") as page:
        text = exported(page, table_of(page, "hostile").get_by_role("button", name="LaTeX", exact=True))
    packages = "\\usepackage{booktabs,longtable}\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}"
    whole = f"\\documentclass{{article}}{packages}\\begin{{document}}\n{text}\\end{{document}}\n"
    (tmp_path / "page.tex").write_text(whole, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    for name in board(results, "hostile")["run"]:
        assert legible.latex(name) in text


def test_every_figure_is_exported_as_a_drawing_of_its_own(browser, results, tmp_path):
    with opened(browser, results / "report.html", f"#{CAMPAIGN}", scheme="dark") as page:
        unfold_all(page)
        figures = page.locator(f'[id="{CAMPAIGN}"] .figure').count()
        buttons = page.locator(f'[id="{CAMPAIGN}"] button:text-is("SVG")').all()
        assert len(buttons) == figures > 0
        drawings = [exported(page, button) for button in buttons[:3]]
        for number, text in enumerate(drawings):
            assert text.startswith("<svg ") and "var(--" not in text and "href" not in text
            (tmp_path / f"{number}.svg").write_text(text, encoding="utf-8")
    for number in range(len(drawings)):
        with opened(browser, tmp_path / f"{number}.svg", java_script_enabled=False) as drawn:
            assert drawn.locator("svg").first.bounding_box()["width"] > 100


def test_every_number_is_that_of_the_leaderboard_and_sorts_as_polars_sorts(browser, results):
    """All columns of all leaderboards, both ways; nulls last, equal values in the order of the page."""
    read = """holder => [...holder.querySelectorAll("tbody tr")].map(row => [Number(row.dataset.row),
        ...[...row.children].map(cell => (cell.querySelector("b") || cell).textContent.trim())])"""
    press = """holder => [...holder.querySelectorAll("thead th")].map(head => [1, 2].map(() => {
        head.querySelector("button").click();
        return [head.ariaSort, [...holder.querySelectorAll("tbody tr")].map(row => Number(row.dataset.row))];
    }))"""
    with opened(browser, results / "report.html") as page:
        for campaign in (CAMPAIGN, PUBLISHED, "hostile"):
            page.evaluate("address => { location.hash = address }", campaign)
            holder, known = table_of(page, campaign), board(results, campaign)
            heads = holder.locator("thead th").all()
            labels = [re.sub(r"\W*(higher|lower is|described).*|\s.*", "", head.inner_text()) for head in heads]
            rows = holder.evaluate(read)
            assert [row[0] for row in rows] == known["row"].to_list()
            for place, (label, sorts) in enumerate(zip(labels, holder.evaluate(press), strict=True)):
                if label not in known.columns:
                    continue
                values = known[label].to_list()
                if label not in ("rank", "run"):
                    form = ".4f" if heads[place].get_attribute("class") == "score" else ".10g"
                    shown = ["–" if value is None else f"{value:{form}}" for value in values]
                    assert [row[place + 1] for row in rows] == shown, (campaign, label)
                for way, found in sorts:
                    descending = way == "descending"
                    order = known.sort(label, descending=descending, nulls_last=True, maintain_order=True)["row"]
                    assert found == order.to_list(), (campaign, label)


def test_hostile_names_do_nothing_but_stand_there(browser, results):
    with opened(browser, results / "report.html", "#hostile") as page:
        unfold_all(page)
        links = page.locator('[id="hostile:leaderboard"] .ranking tbody th a')
        assert links.count() == len(NAMES)
        for place in range(len(NAMES)):
            links.nth(place).click()
            name = legible.short(board(results, "hostile")["run"][place])
            for _ in range(40):  # the card follows the address, a moment later
                if name in page.locator("aside.run").inner_text():
                    break
                page.wait_for_timeout(50)
            assert name in page.locator("aside.run").inner_text()
            assert not page.locator("img, iframe, object, main script:not([type])").count()
        assert page.title() == "nonresponse: report"
        assert "\u202e" not in page.locator("body").inner_text()


def hinted(page, points, places: Iterable[int]) -> list[str]:
    """What the page says beside the points when the mouse rests on them, one after the other."""
    said = []
    for place in places:
        points.nth(place).scroll_into_view_if_needed()
        for _ in range(40):  # the page may still be scrolling
            box = points.nth(place).bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            if text := page.locator(".hint").inner_text():
                break
            page.wait_for_timeout(50)
        said.append(text)
    return said


def test_a_point_answers_the_mouse_and_the_keyboard_with_its_values(browser, results):
    rankings = pl.read_csv(results / CAMPAIGN / "reliability/summaries/rankings.csv").filter(compared="measures")
    both = [(*pair, tau) for a, b, tau in rankings.select("a", "b", "tau").iter_rows() for pair in ((a, b), (b, a))]
    known = {f"{a} · {b} · Kendall's tau: {wording.tau(tau)}" for a, b, tau in both}
    with opened(browser, results / "report.html", f"#{CAMPAIGN}") as page:
        unfold_all(page)
        figure = page.locator(f'[id="{CAMPAIGN}:differ"] .figure', has_text="rankings by every two measures")
        points = figure.locator("path:has(> title)")
        assert set(points.locator("> title").all_text_contents()) == known
        said = {*hinted(page, points, range(len(known)))}
        assert said and said <= known
        page.mouse.move(5, 5)
        assert not page.locator(".hint").is_visible()
        figure.focus()
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
            page.keyboard.press(key)
        assert page.locator(".hint").inner_text() in known
        page.keyboard.press("Escape")
        assert not page.locator(".hint").is_visible() and page.url.endswith(f"#{CAMPAIGN}")


def unfold_all(page) -> None:
    """Opens all that is folded away, and waits until it is there."""
    page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")
    page.wait_for_selector("[data-folded]", state="detached")
    page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")  # and what was folded in it


# The kinds of elements, by everything that the rules of axe look at. Rows of a table and marks of a drawing are removed
# if they have no element of a new kind: axe would take minutes for all of them.
THINNED = """() => {
  const kind = (one) => {
    const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(one);
    const names = [one.localName, one.getAttribute("class"), one.getAttribute("role"), ...one.getAttributeNames()];
    return [...names, !one.textContent.trim(), color, backgroundColor, fontSize, fontWeight].join(" ");
  };
  const every = () => [...document.body.querySelectorAll("*")];
  const sorted = (kinds) => [...new Set(kinds)].sort();
  const before = new Map(every().map((one) => [one, kind(one)]));
  for (const holder of document.querySelectorAll("tbody, svg, g")) {
    const seen = new Set();
    for (const one of holder.querySelectorAll(":scope > :is(tr, g, path, line, circle, text)")) {
      const found = [one, ...one.querySelectorAll("*")].map((inner) => before.get(inner));
      if (found.every((known) => seen.has(known))) one.remove();
      for (const known of found) seen.add(known);
    }
  }
  return [sorted(before.values()), sorted(every().map(kind))];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_people_of_every_kind_can_use_it(browser, results, scheme):
    """WCAG 2.1 AA, as far as axe-core can tell, with all unfolded; of the dark page, only its colours."""
    tool, tags = axe(), ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
    rules = {"type": "tag", "values": tags} if scheme == "light" else {"type": "rule", "values": ["color-contrast"]}
    asked = {"runOnly": rules, "resultTypes": ["violations"], "selectors": False}
    with opened(browser, results / "report.html", scheme=scheme, bypass_csp=True) as page:
        unfold_all(page)
        before, after = page.evaluate(THINNED)
        assert before == after and len(after) > 100
        page.add_script_tag(path=tool)
        for address in ("", f"{CAMPAIGN}/{RUN}", "hostile"):
            page.evaluate("address => { location.hash = address }", address)
            page.wait_for_selector("aside.run", state="attached" if "/" in address else "detached")
            figures = page.locator(".figure[tabindex]:visible")
            if figures.count():
                figures.first.focus()
                page.keyboard.press("ArrowRight")  # a hint is in sight
            found = page.evaluate("asked => axe.run(asked)", asked)
            wrong = {one["id"]: [node["html"][:200] for node in one["nodes"][:3]] for one in found["violations"]}
            assert wrong == {}, address
            assert len(found["passes"]) > (10 if scheme == "light" else 0)


@pytest.mark.parametrize("width", [400, 1400])
def test_it_never_scrolls_sideways(browser, results, width):
    with opened(browser, results / "report.html", width=width) as page:
        for address in ("", CAMPAIGN, f"{CAMPAIGN}/{RUN}", PUBLISHED, "hostile"):
            page.evaluate("address => { location.hash = address }", address)
            unfold_all(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_where_no_script_runs_rankings_and_answers_are_there(browser, results):
    with opened(browser, results / "report.html", java_script_enabled=False) as page:
        said = page.locator("body").inner_text()
        for campaign in (CAMPAIGN, PUBLISHED, "hostile"):
            rows, known = page.locator(f'[id="{campaign}:leaderboard"] tbody tr'), board(results, campaign)
            assert rows.count() == known.height and rows.last.is_visible()
            answers = blocks.read_topics(results / campaign / "leaderboard.json")["leaderboard"].sentences
            assert answers and [one for one in answers if one not in said] == []
            [measure, *_] = [name for name in known.columns if name in ("c@1", "f_simpleqa")]
            digits = 2 if known["n"].max() < 100 else 3
            read = "rows => rows.map(row => row.querySelector('.score b').innerText)"
            assert rows.evaluate_all(read) == [wording.rounded(value, digits) for value in known[measure]]


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (390, 844)])
def test_the_first_screen_has_the_answer_the_price_and_the_first_runs(browser, results, width, height):
    with opened(browser, results / "report.html", f"#{CAMPAIGN}", width=width) as page:
        page.set_viewport_size({"width": width, "height": height})
        place = f'[id="{CAMPAIGN}:leaderboard"]'
        for what in ("> p", ".price input", "tbody tr:nth-child(2) .place circle", "tbody tr:nth-child(2) .counts"):
            box = page.locator(f"{place} {what}").first.bounding_box()
            assert box["y"] + box["height"] <= height and box["x"] + box["width"] <= width, what


def test_the_slider_follows_the_keys(browser, results):
    with opened(browser, results / "report.html", f"#{CAMPAIGN}") as page:
        page.locator(".price input").locator("visible=true").focus()
        page.keyboard.press("ArrowRight")
        assert page.url.endswith(f"#{CAMPAIGN}?cost=0.05")
        assert "from a confidence of 5 %" in page.locator(".price output").locator("visible=true").inner_text()


def test_on_paper_every_run_is_there_and_every_page_has_the_heads(browser, results, tmp_path):
    """Of the campaign that is shown; nothing that only works on a screen."""
    with opened(browser, results / "report.html", f"#{CAMPAIGN}") as page:
        page.pdf(path=tmp_path / "page.pdf", prefer_css_page_size=True)
    pages = printed.pages(tmp_path / "page.pdf")
    text = " ".join(pages)
    for run, score in board(results, CAMPAIGN).select("run", "c@1").rows():
        assert re.search(rf"{run} {score:.3f}\b", text), run
    rows = [page for page in pages if re.search(r"\d\.\d{3} to ", page.partition("is first")[0] + page[-400:])]
    assert 1 < len(rows) <= len(pages) <= 6 and all("rank run" in page for page in rows)
    assert "Tick two" not in text and "Who differs" not in text


def test_it_can_be_used_with_keys_alone(browser, results):
    """The first stop leads past the header; a column is sorted, a box of a table scrolled, by the keys."""
    with opened(browser, results / "report.html") as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "To the content"
        page.evaluate("address => { location.hash = address }", PUBLISHED)
        head = table_of(page, PUBLISHED).locator("thead th").nth(1)
        head.get_by_role("button").focus()
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == "ascending"
        page.keyboard.press("Space")
        assert head.get_attribute("aria-sort") == "descending"
        box = table_of(page, PUBLISHED).locator(".box")
        assert box.get_attribute("tabindex") == "0" and box.get_attribute("aria-label")
