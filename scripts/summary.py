"""The first runs of every leaderboard on one page, for the terminal and for the web."""

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    results: Annotated[Path, typer.Option(help="the folder of all results")],
    campaigns: Annotated[
        str, typer.Option(help="name, task, measures, title, simulated, trusted and dated of each, a JSON list")
    ],
    output: Annotated[Path, typer.Option(help="the Markdown page to write")],
    top: Annotated[int, typer.Option(help="rows of each leaderboard")] = 5,
    digits: Annotated[int, typer.Option(help="decimals in print")] = 4,
) -> None:
    import polars as pl
    from nonresponse import legible, publish
    from nonresponse.tables import write_text

    lines = []
    for campaign in json.loads(campaigns):
        table = pl.read_parquet(results / campaign["name"] / "leaderboard.parquet")
        table = table.drop([name for name in table.columns if name.endswith(" difference")])
        header, body, marks = publish.rows(table.head(top), campaign["measures"], campaign["task"], digits)
        heading = publish.heading(campaign["name"], campaign.get("title"), campaign["simulated"])
        more = f"{table.height - top} more runs and the notes" if table.height > top else "The notes"
        lines += [f"## {legible.markdown(heading)}", publish.markdown_table(header, publish.marked(body, marks))]
        lines += warnings_of(results / campaign["name"])
        lines += [f"{more}: results/{campaign['name']}/leaderboard.md"]
        if campaign["dated"]:
            lines.append(f"How near the years come, and the decades confused: results/{campaign['name']}/years.md")
        if campaign["trusted"]:
            lines += findings_of(results / campaign["name"], campaign["measures"][0])
    write_text("\n\n".join(lines) + "\n", output)


def warnings_of(folder: Path) -> list[str]:
    """What the check found doubtful: the lines of check.txt below its first."""
    from nonresponse import legible

    lines = (folder / "check.txt").read_text(encoding="utf-8").splitlines()[1:]
    return ["\n".join(f"- {legible.markdown(line)}" for line in lines)] if lines else []


def findings_of(folder: Path, measure: str) -> list[str]:
    """How far the first measure's scores can be trusted, a sentence per analysis, and where the rest is."""
    import polars as pl
    from nonresponse import legible

    found = pl.read_csv(folder / "reliability/findings.csv").filter(pl.col("measure") == measure)
    sentences = [f"- {legible.markdown(sentence)}" for sentence in found["finding"]]
    return ["\n".join([*sentences, f"- Figures and all measures: {folder}/reliability.md"])]


if __name__ == "__main__":
    app()
