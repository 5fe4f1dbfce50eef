"""The first runs of every leaderboard on one page, for the terminal and for the web."""

from pathlib import Path

import polars as pl

from nonresponse import legible
from nonresponse.pages import asked, beside_source, document, leaderboard
from nonresponse.pages.shown_measures import shown


def page(results: Path, campaigns: list[dict], top: int, digits: int) -> str:
    """In Markdown; `campaigns` are as scripts/summary.py takes them."""
    lines = []
    for campaign in campaigns:
        folder = results / campaign["name"]
        table = pl.read_parquet(folder / "leaderboard.parquet")
        table = table.drop([name for name in table.columns if name.endswith(" difference")])
        named = campaign["measures_named"]
        columns, left_out = shown(table, campaign["measures"], campaign["task"], digits=digits, named=named)
        first = leaderboard.table(table.head(top), columns, campaign["task"], digits)
        heading = document.heading(campaign["name"], campaign.get("title"), campaign["simulated"])
        more = f"{table.height - top} more runs and the notes" if table.height > top else "The notes"
        said = asked.sentences(table, campaign.get("missing"), campaign.get("compare_on"))
        lines += [f"## {legible.markdown(heading)}", *map(legible.markdown, said)]
        lines += [document.markdown_table(first), *[left_out] * bool(left_out)]
        lines += filter(None, [beside_source.introduction(campaign["name"], folder, campaign.get("published"))])
        lines += warnings_of(folder)
        lines += [f"{more}: {folder}/leaderboard.md"]
        if campaign["dated"]:
            lines.append(f"How near the years come, and the decades confused: {folder}/years.md")
        if campaign["analysed"]:
            lines += findings_of(folder, campaign["measures"][0])
    return "\n\n".join(lines) + "\n"


def warnings_of(folder: Path) -> list[str]:
    """What the check found doubtful: the lines of check.txt below its first."""
    lines = (folder / "check.txt").read_text(encoding="utf-8").splitlines()[1:]
    return ["\n".join(f"- {legible.markdown(line)}" for line in lines)] if lines else []


def findings_of(folder: Path, measure: str) -> list[str]:
    """How far the first measure's scores can be trusted, a sentence per analysis, and where the rest is."""
    found = pl.read_csv(folder / "reliability/findings.csv").filter(pl.col("measure") == measure)
    sentences = [f"- {legible.markdown(sentence)}" for sentence in found["finding"]]
    return ["\n".join([*sentences, f"- Figures and all measures: {folder}/reliability.md"])]
