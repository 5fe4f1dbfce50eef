"""All leaderboards in one page, the first runs of each, for the terminal and for the web."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    results: Annotated[Path, typer.Option(help="the folder of all results")],
    campaigns: Annotated[str, typer.Option(help="comma-separated")],
    output: Annotated[Path, typer.Option(help="the Markdown page to write")],
    top: Annotated[int, typer.Option(help="rows of each leaderboard")] = 5,
) -> None:
    from nonresponse.tables import write_text

    lines = []
    for campaign in campaigns.split(","):
        page = (results / campaign / "leaderboard.md").read_text(encoding="utf-8").splitlines()
        table = [line for line in page[: page.index("## Scores by question category")] if line.startswith("|")] if (
            "## Scores by question category" in page
        ) else [line for line in page if line.startswith("|")]
        rows = len(table) - 2
        more = [f"… and {rows - top} more in {results / campaign}/leaderboard.md"] if rows > top else []
        lines += [page[0].replace("# ", "## ", 1), "", *table[: top + 2], *more, ""]
    write_text("\n".join(lines), output)


if __name__ == "__main__":
    app()
