"""Write docs/gallery.md from the results of the gallery, and copy the tables that it links to beside each case.

Every sentence is the workflow's own, as it stands in its topics; which ones are shown is said here.
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


class Finding(NamedTuple):
    table: str  # of the results, which holds it
    place: int  # among the sentences of its topic, from 0; -1 = the last
    topic: str = "leaderboard"
    topics: str = "leaderboard.json"  # the file that has the topic
    campaign: str = ""  # whose it is, if it is not that of the case's name


FIRST = [Finding(ANSWER, 0), Finding(ANSWER, 1)]
STATED = Finding("imports.csv", -1, "imports", "imports.json")
GATES = Finding("gates.md", 0, "gates", "gates/blocks.json")
TRUST = "reliability/blocks.json"
COST = [Finding("reliability/summaries/cost.csv", 0, "cost", TRUST)]
CASES = {
    "pan-2020": [*FIRST, Finding("reliability/summaries/abstention.csv", 1, "comparison", TRUST)],
    "mmlu-pro": [Finding(ANSWER, 0), *COST],
    "longmemeval": [
        *FIRST,
        Finding(ANSWER, -1),
        STATED,
        Finding(ANSWER, 0, campaign="longmemeval-shared"),
        Finding(ANSWER, 3, campaign="longmemeval-shared"),
        Finding(ANSWER, -1, campaign="longmemeval-shared"),
    ],
    "nq301": [
        *FIRST,
        Finding("reliability/summaries/judges.csv", 0, "judges", TRUST),
        Finding("reliability/summaries/judges.csv", 2, "judges", TRUST),
        Finding("reliability/summaries/judges_by_run.csv", 5, "judges", TRUST),
    ],
    "czech-simpleqa": [*FIRST, *COST],
    "deepeval": [
        finding._replace(campaign=campaign)
        for campaign in ("", "deepeval-all-metrics", "deepeval-road-safety")
        for finding in (Finding(ANSWER, 0), STATED, GATES)
    ],
}
HEAD = "head.md"  # of the gallery: what stands above the cases
PICTURE = "![The first screen of its report](images/{}.png)\n"


def results_of(results: Path, case: str, campaign: str = "") -> Path:
    """The results of a campaign of a case, of that of its name if none is given."""
    return results / (campaign or case)


def sentence(folder: Path, finding: Finding) -> str:
    """As the results have it; an error if they no longer do."""
    return read_sections(folder / finding.topics)[finding.topic].sentences[finding.place]


def reported(folder: Path) -> dict:
    """What the report says of a campaign."""
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def copy(finding: Finding) -> Path:
    """Where its table is kept in the folder of the case."""
    return Path("tables", finding.campaign, Path(finding.table).name)


def of_case(results: Path, case: str) -> str:
    """Its section of the page: title, picture, findings with the campaign that they are of."""
    lines = [f"## {legible.markdown(reported(results_of(results, case))['card']['title'])}\n", PICTURE.format(case)]
    campaign = ""
    for finding in CASES[case]:
        folder = results_of(results, case, finding.campaign)
        if finding.campaign != campaign:
            campaign = finding.campaign
            lines.append(f"\n{legible.markdown(reported(folder)['card']['title'])}:\n")
        said = legible.markdown(sentence(folder, finding))
        lines.append(f"- {said} ([table](../gallery/{case}/{copy(finding)}))")
    return "\n".join([*lines, f"\n[What it is, from whom, under which licence](../gallery/{case}/README.md)\n"])


def kept(page: Path) -> dict[str, str]:
    """The sections of the page as it stands, by the case whose picture they show."""
    parts = re.split(r"^(?=## )", page.read_text(encoding="utf-8"), flags=re.MULTILINE) if page.exists() else []
    return {case: part.rstrip() + "\n" for case in CASES for part in parts if PICTURE.format(case) in part}


def main(results: Path, gallery: Path, page: Path) -> None:
    """Where the data of a case are not to be had, its section stays as it is."""
    before, there = kept(page), {case for case in CASES if (results_of(results, case) / "report.json").is_file()}
    parts = [of_case(results, case) if case in there else before[case] for case in CASES]
    write_text("\n".join([(gallery / HEAD).read_text(encoding="utf-8"), *parts]), page)
    for case in there:
        for finding in CASES[case]:
            path = gallery / case / copy(finding)
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(results_of(results, case, finding.campaign) / finding.table, path)


if __name__ == "__main__":
    commands.run(__doc__, [main], OPTIONS)
