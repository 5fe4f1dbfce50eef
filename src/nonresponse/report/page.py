"""The page: the parts of all campaigns in one file that loads nothing else.

The page's policy allows only its own style and script, by their hashes. What comes from files is escaped by the
template, or is text in the JSON that the script draws.
"""

from base64 import b64encode
from gzip import compress
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from nonresponse import legible
from nonresponse.pages.findings import CARDS
from nonresponse.report.part import as_json
from nonresponse.report.ranking import as_text
from nonresponse.wording import NOTHING, minus, percent, rounded

HERE = Path(__file__).parent
LARGEST = 30_000_000  # bytes of a page
ROWS = 100  # of the ranking that is shown without JavaScript
STATIC = ("rank", "run", "number")  # kinds of its columns
CARD = (*CARDS, "counts")


def of_campaign(part: dict[str, Any]) -> str:
    """Return results/{campaign}/report.html."""
    return render([part], alone=True)


def of_all(parts: list[dict[str, Any]]) -> str:
    """Return results/report.html: all campaigns or, if that is too large, an overview that links to their pages."""
    text = render(parts)
    return text if len(text.encode()) <= LARGEST else render(parts, within=False)


def render(parts: list[dict[str, Any]], within: bool = True, alone: bool = False) -> str:
    """Return the page as HTML, with the campaigns `within` it, or linked; or the page of a campaign `alone`."""
    style, script = ((HERE / f"page.{ending}").read_text(encoding="utf-8") for ending in ("css", "js"))
    characters = {"escapes": legible.LATEX, "known": legible.LATEX_KNOWS.pattern, "formula": legible.FORMULA}
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        finalize=visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {"first_screen": first_screen, "packed": packed, "overview_row": overview_row}
    return environment.get_template("page.html.j2").render(
        parts=parts,
        within=within,
        alone=alone,
        style=Markup(style),
        script=Markup(script),
        hashes=[b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)],
        characters=Markup(as_json(characters)),
    )


def first_screen(part: dict[str, Any]) -> dict[str, Any]:
    """Return what is shown without JavaScript: the lead, cards, other findings, and the first rows of the ranking."""
    findings, ranking = part["findings"], part["ranking"]
    shown = [index for index, column in enumerate(ranking["columns"]) if column["shown"] and column["kind"] in STATIC]
    lead = [one for one in findings if one["code"] not in CARD]
    return {
        "lead": lead[:1],
        "cards": [one for one in findings if one["code"] in CARD],
        "notes": lead[1:],
        "columns": [ranking["columns"][index] for index in shown],
        "rows": [[as_text(row[index]) for index in shown] for row in ranking["rows"][:ROWS]],
        "more": max(len(ranking["rows"]) - ROWS, 0),
    }


def overview_row(card: dict[str, Any]) -> list[str]:
    """Return the cells of a campaign in the overview: leader, score, interval, tied, unanswered and unscored."""
    factor, digits = (100, 1) if card["percent"] else (1, 3)

    def number(value: float | None) -> str:
        return NOTHING if value is None else minus(rounded(factor * value, digits))

    low, high = map(number, card["interval"])
    more = " and others" * (len(card["best"]) > 3)
    return [
        f"{card['runs']:,}",
        NOTHING if card["questions"] is None else f"{card['questions']:,.10g}",
        f"{card['measure']}{' %' * card['percent']}",
        ", ".join(card["best"][:3]) + more or NOTHING,
        number(card["score"]),
        NOTHING if NOTHING in (low, high) else f"{low} to {high}",
        NOTHING if card["tied"] is None else f"{card['tied']:,}",
        NOTHING if card["unanswered"] is None else percent(card["unanswered"]),
        NOTHING if card["unscored"] is None else f"{card['unscored']:,.10g}",
    ]


def packed(part: dict[str, Any]) -> str:
    """Return a part, compressed, as base64; equal content makes equal text."""
    return b64encode(compress(as_json(part).encode(), 6, mtime=0)).decode()


def visible(value: Any) -> Any:
    """Return text with hidden characters made visible; the template escapes it."""
    return legible.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
