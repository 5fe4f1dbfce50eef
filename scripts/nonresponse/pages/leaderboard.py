"""The leaderboard of a campaign as people read it: CSV, Markdown, LaTeX and HTML, and its scores by category."""

from pathlib import Path

import polars as pl

from nonresponse import legible, measures, tables
from nonresponse.pages import publish
from nonresponse.scoring import leaderboard


def write(campaign: str, task: str, ids: list[str], folder: Path, options: dict, digits: int) -> None:
    """leaderboard.{csv,parquet,md,tex,html} and categories.csv in the folder, from the counts and scores there.

    `ids` are those of the measures, the first one sorts. `options` may hold title, simulated, official (the assessor
    whose judgments count), baseline, accept_all, reject_all (runs), and level, if the runs were compared at it.
    """
    chosen = [measures.get(task, id) for id in ids]
    counts = pl.read_parquet(folder / "counts.parquet")
    official = tables.official(options.get("official"), counts)
    intervals = of_measures(folder / "reliability/intervals", ids) if options.get("level") else {}
    table = leaderboard.leaderboard(
        of_measures(folder / "scores", ids),
        counts,
        chosen,
        official,
        [options[key] for key in ("accept_all", "reject_all") if options.get(key)],
        options.get("reject_all"),
        options.get("baseline"),
        intervals,
    )
    split = leaderboard.by_category(of_measures(folder / "scores_by_category", ids), chosen, official)
    said = [pl.lit(campaign).alias("campaign"), pl.lit(options.get("simulated", False)).alias("simulated")]
    table, split = table.select(*said, pl.all()), split.select(*said, pl.all())

    heading = publish.heading(campaign, options.get("title"), options.get("simulated", False))
    header, body, marks = publish.rows(table, ids, task, digits, options.get("level"))
    body = publish.marked(body, marks)
    notes = publish.notes(table, body, ids[0], chosen[0].higher_is_better, options.get("baseline"))
    if "groups" in header:
        notes += publish.interval_notes(ids[0], options["level"], intervals[ids[0]]["method"].drop_nulls().to_list())
    if counts["assessor"].n_unique() > 1:
        notes.append(f"Judgments: {legible.short(official)}, the official ones.")
    parts = [("Scores", header, body, notes)]
    if split.height:
        parts.append(("Scores by question category", ["category", "run", *ids], category_cells(split, ids, digits), []))

    tables.write(table, folder / "leaderboard.parquet")
    tables.write_text(table.write_csv(), folder / "leaderboard.csv")
    tables.write_text(split.write_csv(), folder / "categories.csv")
    tables.write_text(publish.markdown_page(heading, parts), folder / "leaderboard.md")
    caption = f"{heading}. " + " ".join(notes)
    tables.write_text(publish.latex_table(header, body, caption, campaign), folder / "leaderboard.tex")
    tables.write_text(publish.html_page(heading, parts), folder / "leaderboard.html")


def of_measures(folder: Path, ids: list[str]) -> dict[str, pl.DataFrame]:
    """The tables of a folder that has one for each measure, by its id."""
    return {id: pl.read_parquet(folder / f"{id}.parquet") for id in ids}


def category_cells(split: pl.DataFrame, ids: list[str], digits: int) -> list[list[str]]:
    return [
        [legible.short(row["category"]), legible.short(row["run"]), *[publish.number(row[id], digits) for id in ids]]
        for row in split.sort("category", "run").iter_rows(named=True)
    ]
