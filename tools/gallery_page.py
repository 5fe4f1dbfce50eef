"""Write docs/gallery.md from the results of the gallery, and copy the tables that it links to
beside each case.

Every sentence is the workflow's own, as it stands in its sections; which ones are shown is said
here, by their codes.
"""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
from nonresponse import legible
from nonresponse.report.model import read_sections
from nonresponse.tables import write_text

import commands

OPTIONS = {
    "results": {"type": Path, "help": "the results of the gallery"},
    "gallery": {"type": Path, "help": "its folder, with a folder for each case"},
    "page": {"type": Path, "help": "the page to write"},
}
ANSWER = "leaderboard.csv"


class Quote(NamedTuple):
    """Findings of a leaderboard with one of these codes, or all sentences of another section."""

    table: str  # of the results, which holds it
    codes: tuple[str, ...] = ()
    section: str = "leaderboard"
    file: str = "leaderboard.json"  # that has the section
    campaign: str = ""  # whose it is, if it is not that of the case's name
    limit: int | None = None  # of the sentences, null for all


LEAD = Quote(ANSWER, ("leader", "single"))
NOTES, RIGHTFUL = Quote(ANSWER, ("note",)), Quote(ANSWER, ("rightful",))
UNJUDGED = Quote(ANSWER, ("unjudged",))
GATES = Quote("gates.md", (), "gates", "gates/sections.json")
TRUST = "reliability/sections.json"
COST = [Quote(ANSWER, (), "cost")]
SHARED_CAMPAIGN = "longmemeval-shared"
CASES = {
    "pan-2020": [LEAD, Quote("reliability/summaries/abstention.csv", (), "comparison", TRUST)],
    "mmlu-pro": [LEAD, *COST],
    "livecodebench": [LEAD],
    "longmemeval": [
        LEAD,
        *(quote._replace(campaign=SHARED_CAMPAIGN) for quote in (LEAD, RIGHTFUL, NOTES)),
    ],
    "nomiracl": [LEAD, *COST, UNJUDGED],
    "nq301": [LEAD, Quote("reliability/summaries/judges.csv", (), "judges", TRUST, limit=1)],
    "czech-simpleqa": [LEAD, *COST],
    "deepeval": [
        quote._replace(campaign=campaign)
        for campaign in ("", "deepeval-road-safety")
        for quote in (LEAD, GATES)
    ],
}
HEAD = "head.md"  # of the gallery: what stands above the cases
PICTURE = "![Its report](images/{}.png)\n"


def locate_results(results: Path, case: str, campaign: str = "") -> Path:
    """The results of a campaign of a case, of that of its name if none is given."""
    return results / (campaign or case)


def quote_sentences(folder: Path, quote: Quote) -> str:
    """Return what the results say, an error if they no longer do."""
    section = read_sections(folder / quote.file)[quote.section]
    texts = [finding["text"] for finding in section.findings if finding["code"] in quote.codes]
    return " ".join((texts or ([] if quote.codes else section.sentences))[: quote.limit])


def read_report(folder: Path) -> dict:
    """What the report says of a campaign."""
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def locate_table(quote: Quote) -> Path:
    """Where its table is kept in the folder of the case."""
    return Path("tables", quote.campaign, Path(quote.table).name)


def render_case(results: Path, case: str) -> str:
    """Its section of the page: title, picture, findings with the campaign that they are of."""
    lines = [
        f"## {legible.markdown(read_report(locate_results(results, case))['card']['title'])}\n",
        PICTURE.format(case),
    ]
    campaign = ""
    for quote in CASES[case]:
        folder = locate_results(results, case, quote.campaign)
        if quote.campaign != campaign:
            campaign = quote.campaign
            lines.append(f"\n{legible.markdown(read_report(folder)['card']['title'])}:\n")
        text = legible.markdown(quote_sentences(folder, quote))
        assert text, (case, quote)
        lines.append(f"- {text} ([table](../gallery/{case}/{locate_table(quote)}))")
    return "\n".join([*lines, f"\n[Source](../gallery/{case}/README.md)\n"])


def split_page(page: Path) -> dict[str, str]:
    """The sections of the page as it stands, by the case whose picture they show."""
    parts = (
        re.split(r"^(?=## )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
        if page.exists()
        else []
    )
    return {
        case: part.rstrip() + "\n"
        for case in CASES
        for part in parts
        if PICTURE.format(case) in part
    }


def main(results: Path, gallery: Path, page: Path) -> None:
    """Where the data of a case are not to be had, its section stays as it is."""
    sections = split_page(page)
    available = {
        case for case in CASES if (locate_results(results, case) / "report.json").is_file()
    }
    parts = [render_case(results, case) if case in available else sections[case] for case in CASES]
    write_text("\n".join([(gallery / HEAD).read_text(encoding="utf-8"), *parts]), page)
    for case in available:
        for quote in CASES[case]:
            path = gallery / case / locate_table(quote)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(locate_results(results, case, quote.campaign) / quote.table, path)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
