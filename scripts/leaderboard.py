"""The leaderboard of a campaign, as CSV, Parquet, Markdown, LaTeX and HTML, and its scores by category."""

import json
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    campaign: Annotated[str, typer.Option(help="its name")],
    task: Annotated[str, typer.Option(help="a task, such as qa")],
    measures: Annotated[str, typer.Option(help="ids, comma-separated; the first one sorts")],
    folder: Annotated[Path, typer.Option(help="the campaign's results; the leaderboard is written here too")],
    options: Annotated[
        str, typer.Option(help="title, simulated, official, baseline, reject_all, accept_all, level; a JSON object")
    ] = "{}",
    digits: Annotated[int, typer.Option(help="decimals in print")] = 4,
) -> None:
    import polars as pl
    from nonresponse import leaderboard, publish, tables
    from nonresponse.measures import get

    option = json.loads(options)
    ordered = [get(task, id) for id in measures.split(",")]
    ids = [m.id for m in ordered]
    counts = pl.read_parquet(folder / "counts.parquet")
    official = tables.official(option.get("official"), counts)
    trivial = [option[key] for key in ("accept_all", "reject_all") if option.get(key)]

    table = leaderboard.leaderboard(
        {id: pl.read_parquet(folder / "scores" / f"{id}.parquet") for id in ids},
        counts,
        ordered,
        official,
        trivial,
        option.get("reject_all"),
        option.get("baseline"),
        # With a level, the runs were compared.
        {id: pl.read_parquet(folder / "reliability/intervals" / f"{id}.parquet") for id in ids if option.get("level")},
    )
    split = leaderboard.by_category(
        {id: pl.read_parquet(folder / "scores_by_category" / f"{id}.parquet") for id in ids}, ordered, official
    )
    said = [pl.lit(campaign).alias("campaign"), pl.lit(option.get("simulated", False)).alias("simulated")]
    table, split = table.select(*said, pl.all()), split.select(*said, pl.all())

    heading = publish.heading(campaign, option.get("title"), option.get("simulated", False))
    header, body, marks = publish.rows(table, ids, task, digits, option.get("level"))
    body = publish.marked(body, marks)
    notes = publish.notes(table, body, ids[0], ordered[0].higher_is_better, option.get("baseline"))
    if "groups" in header:
        notes += publish.interval_notes(ids[0], option["level"])
    if counts["assessor"].n_unique() > 1:
        notes.append(f"Judgments: {official}, the official ones.")
    parts = [("Scores", header, body, notes)]
    if split.height:
        lines = [
            [row["category"], row["run"], *[publish.number(row[id], digits) for id in ids]]
            for row in split.sort("category", "run").iter_rows(named=True)
        ]
        parts.append(("Scores by question category", ["category", "run", *ids], lines, []))

    tables.write(table, folder / "leaderboard.parquet")
    tables.write_text(table.write_csv(), folder / "leaderboard.csv")
    tables.write_text(split.write_csv(), folder / "categories.csv")
    tables.write_text(publish.markdown_page(heading, parts), folder / "leaderboard.md")
    tables.write_text(
        publish.latex_table(header, body, publish.latex_text(f"{heading}. " + " ".join(notes)), campaign),
        folder / "leaderboard.tex",
    )
    tables.write_text(publish.html_page(heading, parts), folder / "leaderboard.html")


if __name__ == "__main__":
    app()
