"""Text that people see hides nothing, and is only text in Markdown, HTML and LaTeX."""

import importlib.util
import re
import shutil

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from nonresponse import legible, wording
from nonresponse.report import document, model
from nonresponse.report.model import Section
from report_files import Elements, typeset

BIDI = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u061c\u115f\u3164\uffa0\u2800\ufe0f\U000e0001\U000e0041\U000e01ef"
# fmt: off
MARKUP = [
    r"![x](y)", r"[x](y)", r"[x]", r"[^1]", r"_x_", r"__x__", r"*x*", r"**", r"`x`", r"``", r"~~x~~",
    r"$x$", r"a_b_c", r"&lt;", r"&amp;", r"&#65;", r"&copy", r"<b>", "<!--", "-->", "</td>",
    "<script>", "<x@y.org>", "<http://x.org>", "http://x.org", "https://x.org/y_z", "ftp://1.2.3.4",
    "www.x.org", "x.org", "a@x.org", "mailto:a@x.org", "---", "===", "~~~", "|", "\\", "[x]: /y",
    "# ", " #", "- ", "+ ", "* ", "1. ", "2) ", "> ", "    ", "[x] ", "\n", "\r\n\n",
]
# fmt: on
ANYTHING = st.lists(
    st.sampled_from([*MARKUP, *"azé1 .:/!-中א"]) | st.characters(codec="utf-8"), max_size=8
).map("".join)


RENDERERS = [MarkdownIt("commonmark").enable(["table", "strikethrough"])]
RENDERERS += [MarkdownIt("gfm-like")] * bool(importlib.util.find_spec("linkify_it"))


@given(ANYTHING.filter(legible.visible))
def test_rendered_markdown_is_the_text_and_nothing_else(text):
    escaped, plain = legible.markdown(text), legible.visible(text)
    table = f"| a | b |\n|---|---|\n| {escaped} | 1 |"
    for renderer in RENDERERS:
        html = renderer.render(f"# {escaped}\n\n{escaped}\n\n{table}\n\n- Name: {escaped}\n")
        page = Elements(html)
        assert {*page.tags} <= {"h1", "p", "table", "thead", "tbody", "tr", "th", "td", "ul", "li"}
        texts = [re.sub("[ \n]+", " ", text) for text in page.texts if text]
        assert texts == [plain, plain, "a", "b", plain, "1", f"Name: {plain}"]


@given(st.lists(ANYTHING, min_size=2, max_size=2))
def test_the_terminal_shows_the_text_without_what_markdown_escapes(texts):
    first, second = map(legible.short, texts)
    table = model.tabulate("", pl.DataFrame({"run": [first, second], "n": [1, 2]}), ["run", "n"])
    page = document.render_plain("Title", [Section(first, [second], tables=[table])])
    starts = [f"| {text}" for text in (first, second)]
    *_, heading, sentence, grid = page.split("\n\n")
    assert heading == f"## {first}" and (sentence == second or not second)
    lines = grid.splitlines()
    assert [line[: len(start)] for line, start in zip(lines[2:], starts, strict=True)] == starts
    assert len({*map(len, lines)}) == 1


@given(ANYTHING)
def test_html_is_the_text_and_nothing_else(text):
    page = Elements(f"<p>{legible.html(text)}</p>")
    assert (page.tags, "".join(page.texts)) == (["p"], legible.visible(text))


@given(ANYTHING)
def test_what_is_seen_is_printable_and_on_one_line_and_seen_alike_again(text):
    visible = legible.visible(text)
    assert visible.isprintable() and visible == visible.strip()
    assert not legible.UNSEEN.search(visible)
    assert legible.visible(visible) == visible
    assert len(legible.short(text, 30)) <= 30


VISIBLE = {"a\u202eb": "a[U+202E]b", "\r\na \n b\u00a0\u2028": "a b", "a" * 80: "a" * 80}
VISIBLE |= {"abcdefghij" * 9: "abcdefghij" * 4 + "…" + "bcdefghij" + "abcdefghij" * 3}


def test_white_space_is_one_blank_and_a_long_name_loses_its_middle():
    assert {text: legible.short(text) for text in VISIBLE} == VISIBLE


PLAIN = ["c@1", "f@0.5", "gpt-4.1_mini-v2", "0.50 [0.40, 0.60]", "-0.0860", "+0.1", "a'", "(A & B)"]


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_markup_stays_legible_on_a_terminal(text):
    assert legible.markdown(text) == text


def test_latex_shows_the_code_points_of_what_pdflatex_does_not_know():
    assert legible.latex("Müller ę ș e\u0301 †") == "Müller ę ș é \\textdagger{}"
    assert legible.latex("中א😀x\u0301") == "{}[U+4E2D][U+05D0][U+1F600]x[U+0301]"
    assert legible.latex("[1] a--b") == "{}[1] a-{}-b"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no pdflatex")
def test_every_character_can_be_typeset_in_cells_and_captions(tmp_path):
    """One document begins rows with each block of Unicode, the first ones whole."""
    codes = [*range(0x600), *range(0x1E00, 0x2400), *range(0x2400, 0x110000, 0x3FF)]
    candidates = [
        *map(chr, codes),
        *MARKUP,
        *BIDI,
        *UNSEEN,
        r"\input{x}",
        *["--", "''", ",,", "?`", "<<"],
    ]
    names, lines = [name for name in candidates if legible.visible(name)], []
    for start in range(0, len(names), 50):
        batch = names[start : start + 50]
        rows = [f"{legible.latex(name)} & {legible.latex(name * 2)} \\\\" for name in batch]
        caption = f"\\caption{{{legible.latex(''.join(batch))}}}\\\\"
        lines += ["\\begin{longtable}{ll}", caption, *rows, "\\end{longtable}"]
    for _ in range(2):  # the second time with the list of tables
        typeset("\n".join(["\\listoftables", *lines, ""]), tmp_path, "longtable,textcomp")


def test_what_unicode_says_to_ignore_is_shown_by_its_code_point():
    characters = pl.Series([chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000])
    ignored = characters.filter(characters.str.contains(r"^\p{Default_Ignorable_Code_Point}$"))
    assert len(ignored) > 4000
    hidden = [*ignored, *BIDI, *UNSEEN, "\x00", "\x07", "\x1b", "\x7f", "\ud800", "\ue000"]
    shown = {character: legible.visible(f"x{character}x") for character in hidden}
    assert shown == {character: f"x[U+{ord(character):04X}]x" for character in hidden}


SHARES = {0: "0 %", 0.0001: "less than 0.1 %", 0.04: "4.0 %", 0.0949: "9.5 %", 0.0999: "10 %"}
SHARES |= {0.118: "12 %", 0.584: "58 %", 0.994: "99 %", 0.9999: "more than 99 %", 1: "100 %"}


@given(st.integers(0, 400), st.integers(1, 400))
def test_percent_says_none_and_all_only_where_it_is_so(part, total):
    text = wording.percent(min(part, total) / total)
    assert (text == "0 %") == (part == 0)
    assert (text == "100 %") == (part >= total)
    assert {share: wording.percent(share) for share in SHARES} == SHARES


def test_half_is_rounded_up_whatever_its_binary_fraction():
    """Of a score and of a lead: 0.8125 and 0.2125 lie on different sides of the half as floats."""
    values = (0.8125, 0.2125, 0.8125 - 0.6, -0.0005, -0.0004, 0.0005, 12.35, 1234.5)
    texts = ["0.813", "0.213", "0.213", "-0.001", "0.000", "0.001", "12.350", "1,234.500"]
    assert [wording.format_rounded(value, 3) for value in values] == texts
    assert wording.amount(1.125) == "1.13" and wording.difference(0.125) == "0.125"
    moved = [model.format_change(value, "+") for value in (0.00125, 0.00015, 0.00004)]
    assert moved == ["+0.0013", "+0.0002", "+4.0e-05"]
    assert wording.percent(0.125) == "13 %" and wording.tau(-0.125) == "−0.13"
    assert wording.format_signed(0.0625, 3) == "+0.063"


def test_a_difference_that_is_not_nothing_is_not_written_as_nothing():
    texts = {0.0: "0.000", 0.05: "0.050", 0.0005: "0.001", 0.0004: "0.0004", 1.26e-7: "0.0000001"}
    assert {value: wording.least(value) for value in texts} == texts
