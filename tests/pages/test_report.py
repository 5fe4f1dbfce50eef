"""The report: what it holds is the results, whole and harmless; and, in a real browser, what a person does with it."""

import csv
import gzip
import io
import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest
import report_files
from browser import opened
from nonresponse import legible, measures
from nonresponse.pages import blocks
from nonresponse.pages.blocks import figure
from nonresponse.pages.report import SECTIONS, drawing, page, part, sections_of
from nonresponse.pages.sections import Campaign
from nonresponse.topics import leaderboard

SCRIPT = "</script><script>document.title='owned'</script>"
NAMES = [
    "<img src=x onerror=document.title='owned'>",
    "<!--<script>",
    "=HYPERLINK(1)",
    "-1+1",
    "@x",
    "left\u202eright",
    "line\u2028end",
    "{{ 7 * 7 }}",
    "a'b(c)#d%41",
    "\U0001f600 beyond",
    "\uff5e before it by code point",
    "Alpha",
    "alpha",
]
QUESTIONS = [*[f"{number:03}" for number in range(97)], NAMES[0], SCRIPT, NAMES[5]]


def board(names: list[str], ids: list[str]) -> pl.DataFrame:
    """A leaderboard with differing counts of 100 questions; the last run has no score."""
    right = [(37 * number) % 61 for number in range(len(names))]
    silent = [(17 * number) % 39 for number in range(len(names))]
    frame = pl.DataFrame({"run": names, "n_ac": right, "n_u": silent, "n": [100] * len(names)})
    frame = frame.with_columns(n_aw=100 - pl.col("n_ac") - pl.col("n_u"))
    score = pl.col("n_ac") * (1 + pl.col("n_u") / 100) / 100
    known = pl.when(pl.int_range(pl.len()) < len(names) - 1).then(score)
    frame = frame.with_columns(known.alias(id) for id in ids)
    for id in ids[:1]:
        frame = frame.with_columns(
            (pl.col(id) - 0.05).alias(f"{id} lower"),
            (pl.col(id) + 0.05).alias(f"{id} upper"),
            pl.col(id).alias(f"{id} shrunken"),
        ).with_columns(rank_low=1, rank_high=len(names), may_be_best=pl.col(id).is_not_null())
    frame = frame.sort(ids[0], "run", descending=[True, False], nulls_last=True)
    rank = pl.when(pl.col(ids[0]).is_not_null()).then(pl.int_range(1, pl.len() + 1))
    marks = {"tied": False, "trivial": False, "behind_reject_all": None}
    return frame.with_columns(rank=rank, **{name: pl.lit(value, pl.Boolean) for name, value in marks.items()})


def made(folder: Path, names: list[str], ids: list[str], **settings) -> str:
    """The page of one campaign whose leaderboard is as above; its categories are the names."""
    folder.mkdir(parents=True, exist_ok=True)
    table = board(names, ids)
    table.write_parquet(folder / "leaderboard.parquet")
    table.write_csv(folder / "leaderboard.csv")
    split = table.select("run", *ids).join(pl.DataFrame({"category": names[:3]}), how="cross")
    report_files.judged(folder, table, QUESTIONS)
    report_files.unchanged(folder)
    known = report_files.SETTINGS | {"responses": [folder / "responses/0.parquet"], "title": SCRIPT, "measures": ids}
    known |= {"files": [[f"raw/{SCRIPT}.csv", "0123"]]}
    campaign = Campaign("camp", "qa", folder, known | settings)
    blocks.write(leaderboard.topics(campaign, table, split), folder / "leaderboard.json")
    text = part.as_json(page.with_article(part.part(campaign)))
    (folder / "report.json").write_text(text, encoding="utf-8")
    return page.of_all([json.loads(text)])


def data_of(text: str) -> list[dict]:
    """The tables that the script of a page has."""
    return unpacked(text)["tables"]


def unpacked(text: str) -> dict:
    """What the script of a page unpacks of its only campaign, whose data come first."""
    packed = re.search('<script type="application/gzip\\+base64">(.*)</script>', text)[1]
    return json.loads(gzip.decompress(b64decode(packed)))


class Elements(HTMLParser):
    """The elements of a page and its texts."""

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.attributes, self.said = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_data(self, data):
        self.said.append(data)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Path:
    """The folder of a campaign with hostile names, and its page in page.html."""
    folder = tmp_path_factory.mktemp("report")
    text = made(folder, NAMES, ["c@1", "accuracy", "answered"], baseline=NAMES[3])
    (folder / "page.html").write_text(text, encoding="utf-8")
    return folder


def test_hostile_names_are_text_and_whole_in_the_data(hostile):
    text = (hostile / "page.html").read_text(encoding="utf-8")
    found = Elements(text)
    data = (
        found.attributes.count(("type", "application/gzip+base64")),
        found.attributes.count(("type", "application/json")),
    )
    assert data == (2, 1) and found.tags.count("script") == 4
    assert not {"img", "iframe", "object", "embed", "link", "form", "base"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("style", "src", "srcset")]
    links = [value for name, value in found.attributes if name == "href"]
    assert links and all(link.startswith("#") for link in links)
    assert "<!--" not in text and "\u2028" not in text and "\u202e" not in text
    assert {legible.short(name) for name in [*NAMES, SCRIPT]} <= set(found.said)
    (table,) = unpacked(text)["rankings"]
    assert {row[table["names"].index("run")] for row in table["rows"]} == set(NAMES)


def test_every_number_is_that_of_the_leaderboard(hostile):
    text = (hostile / "page.html").read_text(encoding="utf-8")
    table, (ranking,) = data_of(text)[0], unpacked(text)["rankings"]
    written = pl.read_csv(hostile / "leaderboard.csv", infer_schema_length=None)
    assert table["names"] == written.columns
    assert [tuple(row) for row in table["rows"]] == written.rows()
    lines = re.findall(r'<tr data-row="\d+"[^>]*>(.*)', text)
    for line, values, row in zip(lines, ranking["rows"], written.iter_rows(named=True), strict=True):
        score, kept = row["c@1"], dict(zip(ranking["names"], values, strict=True))
        assert re.findall(r"<b>([^<]*)</b>", line) == ["–" if score is None else f"{score:.3f}"]
        assert f"{row['n_ac']} right, {row['n_u']} left open, {row['n_aw']} wrong" in line
        assert score is None or f"<small>{score - 0.05:.3f} to {score + 0.05:.3f}<" in line.replace("−", "-")
        for place, id in enumerate(("c@1", "accuracy", "answered")):
            assert kept[f"score{place}"] == (None if row[id] is None else pytest.approx(row[id], abs=1e-6))
        assert (kept["rank0"], kept["rank2"]) == (row["rank"], None)
        assert (kept["right"], kept["open"], kept["wrong"]) == (row["n_ac"], row["n_u"], row["n_aw"])


def test_equal_results_make_equal_bytes(hostile, tmp_path):
    again = made(tmp_path / "elsewhere", NAMES, ["c@1", "accuracy", "answered"], baseline=NAMES[3])
    assert again.encode() == (hostile / "page.html").read_bytes()


def test_what_is_packed_hangs_on_no_clock(monkeypatch):
    """The bytes of an archive may depend on when it was made."""
    first = page.page([])
    monkeypatch.setattr("time.time", lambda: 0.0)
    assert page.page([]) == first
    [packed] = re.findall('base64">([^<]*)<', first)
    assert b64decode(packed)[4:8] == bytes(4)


def test_what_is_folded_away_is_packed_with_its_markup(hostile):
    text = (hostile / "page.html").read_text(encoding="utf-8")
    folded = unpacked(text)["folded"]
    assert len(folded) == len(re.findall("<details [^>]*data-folded=", text)) > 0
    assert all(f'data-folded="{number}"' in text for number in range(len(folded)))
    shown = Elements("".join(folded))
    assert not {"img", "script"} & set(shown.tags) and {"table", "caption"} <= set(shown.tags)
    tables = sorted(
        int(value) for name, value in [*shown.attributes, *Elements(text).attributes] if name == "data-table"
    )
    assert tables == list(range(len(data_of(text))))


def test_the_page_of_a_campaign_is_drawn_once_and_again_only_where_it_is_too_large(hostile, monkeypatch):
    content = json.loads((hostile / "report.json").read_text(encoding="utf-8"))
    drawn, draw = [], page.page
    monkeypatch.setattr(page, "page", lambda *args, **options: drawn.append(args) or draw(*args, **options))
    text = page.of_campaign(content)
    assert len(drawn) == 1
    monkeypatch.setattr(page, "LARGEST", len(text.encode()) - 1)
    page.of_campaign(content)
    assert len(drawn) == 3


def test_no_page_is_larger_than_the_limit(hostile, monkeypatch):
    """Beyond it, the overview links to a page for each campaign, and such a page leaves out what is folded away."""
    content = json.loads((hostile / "report.json").read_text(encoding="utf-8"))
    texts = [page.of_all([content]), page.of_campaign(content)]
    whole, alone = map(Elements, texts)
    assert ("href", "#camp") in whole.attributes and ("href", "../report.html") in alone.attributes
    assert ("data-ranking", "0") in whole.attributes and ("data-folded", "0") in alone.attributes
    monkeypatch.setattr(page, "LARGEST", min(len(text.encode()) for text in texts) - 1)
    texts = [page.of_all([content]), page.of_campaign(content)]
    assert max(len(text.encode()) for text in texts) <= page.LARGEST
    overview, alone = map(Elements, texts)
    assert overview.attributes.count(("href", "camp/report.html#camp")) == 1
    assert not {("href", "#camp"), ("data-ranking", "0")} & {*overview.attributes}
    assert ("data-ranking", "0") in alone.attributes
    assert [said for said in alone.said if said.startswith("Left out, since the page would be more than")]
    monkeypatch.setattr(page, "LARGEST", len(texts[1].encode()) - 1)
    text = page.of_campaign(content)
    assert len(text.encode()) <= page.LARGEST
    assert [
        said for said in Elements(text).said if re.match(f"The first \\d of {len(NAMES)} rows: with all, the", said)
    ]
    assert max(len(table["rows"]) for table in unpacked(text)["rankings"]) < len(NAMES)


def test_figures_go_before_rows_do(hostile, monkeypatch):
    content = json.loads((hostile / "report.json").read_text(encoding="utf-8"))
    content["sections"][0]["blocks"].append(figure(f"<svg><!--{'x' * 1_000_000}--></svg>", "a drawing"))
    light = page.with_article(next(page.lighter_parts(content)))
    monkeypatch.setattr(page, "LARGEST", len(page.page([light], alone=True).encode()))
    text = page.of_campaign(page.with_article(content))
    assert "<svg><!--" not in text and len(unpacked(text)["rankings"][0]["rows"]) == len(NAMES)
    assert re.search("Left out, since the page would be more than 0 MB: .*figures", text)


def test_nothing_runs_but_our_own_script(hostile):
    text = (hostile / "page.html").read_text(encoding="utf-8")
    policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    for tag in ("style", "script"):
        content = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)[1]
        assert f"{tag}-src 'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'" in policy


def test_which_way_is_better_is_said_and_what_only_describes_is_not_ranked(hostile):
    table = data_of((hostile / "page.html").read_text(encoding="utf-8"))[0]
    better = {column["name"]: column["better"] for column in table["columns"]}
    assert (better["c@1"], better["answered"], better["run"]) == ("higher", "neither", "")
    assert measures.get("validation", "e@2").direction == "lower"


def test_a_section_stands_where_it_applies_and_nowhere_else():
    assert len({section.id for section in SECTIONS}) == len(SECTIONS)
    ids = [section.id for section in sections_of(report_files.SETTINGS | {"silent": False, "source": "counts"})]
    assert ids == ["leaderboard", "compare", "questions", "provenance"]
    of_trust = {"analyses": ["swap"], "topics": ["leaderboard", "reliability"]}
    assert "others" in [section.id for section in sections_of(report_files.SETTINGS | of_trust)]


# In a browser, what a person does with the page, in JavaScript; it writes down in `said` what there is.
DRIVER = """async () => {
  const page = document, said = {};
  const all = (selector, where = page) => [...where.querySelectorAll(selector)];
  const led = (act) => new Promise((done) => { addEventListener("hashchange", done, { once: true }); act(); });
  const go = async (address) => { if (location.hash !== address) await led(() => { location.hash = address; }); };
  const press = (node, name) => { node.dispatchEvent(new Event(name, { bubbles: true })); };
  const runs = (where) => all("tbody tr", where).filter((row) => !row.hidden).map((row) => Number(row.dataset.row));
  %s
  said.title = page.title;
  return said;
}"""


def driven(browser, path: Path, steps: str, width: int = 1400) -> dict:
    """What the steps put into `said`."""
    with opened(browser, path, width=width) as shown:
        return shown.evaluate(DRIVER % steps)


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_a_person_sorts_filters_and_exports(browser, hostile):
    steps = """
      const fold = page.querySelector("[id='camp:leaderboard'] details");
      fold.open = true;
      while ("folded" in fold.dataset) await new Promise((done) => setTimeout(done, 10));
      const holder = all("[data-table]", fold)[0];
      said.heads = all("thead th", holder).map((head) => head.querySelector("button").firstChild.textContent.trim());
      said.orders = [];
      for (const head of all("thead th", holder)) for (const time of [1, 2]) {
        head.querySelector("button").click();
        said.orders.push([head.getAttribute("aria-sort"), runs(holder)]);
      }
      const filter = holder.querySelector("input[type=search]");
      said.kept = {};
      for (const words of ["alpha", "/^[Aa]lpha$/", "/(/", ""]) {
        filter.value = words;
        press(filter, "input");
        said.kept[words] = [runs(holder).length, holder.querySelector("[role=status]").textContent];
      }
      let kept;
      URL.createObjectURL = (blob) => { kept = blob; return "#"; };
      all(".tools > button", holder)[0].click();
      said.csv = await kept.text();
    """
    said = driven(browser, hostile / "page.html", steps)
    assert said["title"] == "nonresponse: report"
    table = pl.read_parquet(hostile / "leaderboard.parquet").with_row_index("row")
    columns = ["rank", "run", "c@1", "rank_low", "accuracy", "answered", "n_ac", "n", "n_ac", "n_aw", "n_u"]
    best = {"c@1", "accuracy"}
    expected = []
    for name in columns:
        for descending in (name in best, name not in best):
            order = table.sort(name, descending=descending, nulls_last=True, maintain_order=True)["row"].to_list()
            expected.append(["descending" if descending else "ascending", order])
    assert said["orders"] == expected
    assert said["kept"]["alpha"] == [2, f"2 of {len(NAMES)} rows"]
    assert said["kept"]["/^[Aa]lpha$/"][0] == 2
    assert said["kept"]["/(/"][1] == "not a regular expression"
    assert said["kept"][""] == [len(NAMES), ""]
    rows = list(csv.reader(io.StringIO(said["csv"])))
    assert rows[0][:7] == ["rank", "run", "c@1", "c@1 lower", "c@1 upper", "rank_low", "rank_high"]
    assert len(rows) == len(NAMES) + 1
    names = [row[1] for row in rows[1:]]
    assert not [name for name in names if name[0] in "=+-@"]
    assert {name.removeprefix("'") for name in names} == set(NAMES)
    values = {name.removeprefix("'"): score for _, name, score, *_ in rows[1:]}
    known = dict(table.select("run", "c@1").rows())
    assert {run: float(text) if text else None for run, text in values.items()} == known


def test_a_figure_within_the_page_is_a_drawing_with_names_of_its_own():
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" onload="x()" class="marks" role="graphics-document"'
        ' aria-label="x"><script>x()</script><defs><clipPath id="a">'
        '<path d="M1.23456,2"/></clipPath></defs><g clip-path="url(#a)" style="x:y"><text>id="a" &lt;b&gt;</text></g>'
        '<path aria-label="y" d="M1,2"><title onclick="x()">&lt;b&gt;: 1</title></path>'
        '<foreignObject><p>x</p></foreignObject><a href="javascript:x()"><text>y</text></a></svg>'
    )
    assert drawing.inlined(drawn, "c:1_") == (
        '<svg xmlns="http://www.w3.org/2000/svg"><defs><clipPath id="c:1_0"><path d="M1.23,2" /></clipPath></defs>'
        '<g clip-path="url(#c:1_0)"><text>id="a" &lt;b&gt;</text></g>'
        '<path d="M1,2"><title>&lt;b&gt;: 1</title></path></svg>'
    )
