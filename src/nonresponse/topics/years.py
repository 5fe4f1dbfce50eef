"""How far the predicted years of a dating campaign are from the reference: sentences, figures, a table of the runs."""

import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from unicodedata import normalize

import polars as pl

from nonresponse import legible, tables
from nonresponse.figures import year_curves as figures
from nonresponse.figures.page import label, write_svg
from nonresponse.pages import blocks, document
from nonresponse.pages.blocks import Column, Table, Topic
from nonresponse.pages.sections import Campaign
from nonresponse.scoring import year_distances
from nonresponse.wording import extent, listed, number, percent, plural

MOST = 60  # runs with figures of their own
DISTANCES = (0, 1, 2, 5, 10)  # years, whose shares the table has
LONGEST = 200  # bytes of a run's name in the name of a file
HASHED = re.compile("-[0-9a-f]{12}$")


def make(campaign: Campaign, files: list[Path]) -> None:
    """Writes years/within.parquet, decades.parquet and, for the official assessor, years.md, figures and blocks."""
    settings, [verdicts] = campaign.settings, files
    distances, farthest = year_distances.distances(verdicts, campaign.task, settings["policy"]), settings["farthest"]
    (campaign.folder / "years").mkdir(parents=True, exist_ok=True)
    tables.write(year_distances.shares_within(distances, farthest), campaign.folder / "years/within.parquet")
    tables.write(year_distances.decades(distances), campaign.folder / "years/decades.parquet")
    official = tables.official(settings.get("official"), distances)
    of_official = distances.filter(pl.col("assessor") == official)
    write(campaign.folder, campaign.title, of_official, farthest, (settings["first"], settings["last"]))


def write(folder: Path, title: str, distances: pl.DataFrame, farthest: int, bounds: tuple[int, int]) -> None:
    """Writes years.md, and figures and blocks to years/, from one assessor's distances; bounds: first and last year."""
    runs, curves = year_distances.by_run(distances, farthest), year_distances.shares_within(distances, farthest)
    confusions = year_distances.decades(distances)
    file_names = names_of_files(runs["run"].to_list())
    best, areas = runs.head(MOST), dict(runs.drop_nulls("area").select("run", "area").iter_rows())
    finding = of_all(runs, curves, farthest)
    heading = f"{title}: how near the years come"
    path = "years/within.svg"
    drawn = [path] if write_svg(figures.every_run(curves, areas, heading), folder / path) else []
    topics = {"": Topic("All runs", [finding], drawn, [distances_table(runs, distances, farthest)])}
    grey = "Grey: the other runs." if runs.height > 1 else ""
    if runs.height > MOST:
        topics[""].sentences.append(f"The best {MOST} of the {runs.height:,} runs have figures of their own.")
        grey = f"Grey: the others of the best {MOST} runs."
    around = curves.filter(pl.col("run").is_in(best["run"].implode()))
    for row in best.iter_rows(named=True):
        run, named, name = row["run"], legible.short(row["run"]), label(row["run"])
        curve, confused = curves.filter(pl.col("run") == run), confusions.filter(pl.col("run") == run)
        near, right = of_run(row, curve, farthest), of_decades(row, confused)
        files = [f"years/{kind}-{file_names[run]}.svg" for kind in ("within", "decades")]
        titles = [f"{title}: how near {name} comes", f"{title}: the decades that {name} confuses"]
        of = figures.one_run(around, run, row["area"], titles[0], grey), figures.decades(confused, bounds, titles[1])
        files = [file for file, chart in zip(files, of, strict=True) if write_svg(chart, folder / file)]
        # Both sentences are the same if the run predicts no year.
        sentences = dict.fromkeys([f"{named} {near}", f"{named} {right}"])
        topics[run] = Topic(named, [*sentences], files)
    blocks.write(topics, folder / "years/blocks.json")
    tables.write_text(document.markdown(heading, topics.values()), folder / "years.md")


def of_all(runs: pl.DataFrame, curves: pl.DataFrame, farthest: int) -> str:
    """Which runs are the best, and how much the runs differ; the tables are `by_run` and `within`."""
    runs, curves = runs.drop_nulls("area"), curves.drop_nulls("share")
    if runs.is_empty():
        return "There are no fragments."
    if runs.height == 1:
        row = runs.row(0, named=True)
        return f"{legible.short(row['run'])} {of_run(row, curves, farthest)}"
    if (runs["abstained"] == runs["n"]).all():
        return "No run predicts a year."
    best = [legible.short(run) for run in runs.filter(pl.col("area") == runs["area"][0])["run"]]
    middle = farthest // 2
    shares = curves.filter(pl.col("years") == middle)["share"]
    text = (
        f"{listed(best)} {'has' if len(best) == 1 else 'have'} the highest auc@{farthest}, {number(runs['area'][0], 3)}"
    )
    text += f"; the runs are {near(middle)} for {extent(shares)} of the fragments"
    if runs["abstained"].sum():
        text += f" and predict no year for {extent(runs['abstained'] / runs['n'])}"
    return f"{text}."


def of_run(row: dict, curve: pl.DataFrame, farthest: int) -> str:
    """How near a run comes, to follow its name in a sentence; row is of `by_run`, curve of `within`."""
    if row["abstained"] == row["n"]:
        return no_prediction(row)
    share = dict(curve.select("years", "share").iter_rows())
    middle = farthest // 2
    silent = f"; it predicts no year for {percent(row['abstained'] / row['n'])}" if row["abstained"] else ""
    text = f"is {near(middle)} for {percent(share[middle])} of the fragments"
    return f"{text} and {near(farthest)} for {percent(share[farthest])}{silent}."


def of_decades(row: dict, confused: pl.DataFrame) -> str:
    """Which decades a run confuses, to follow its name in a sentence; row is of `by_run`, confused of `decades`."""
    if row["abstained"] == row["n"]:
        return no_prediction(row)
    text = f"puts {percent(row['same_decade'])} of the fragments into the right decade"
    wrong = confused.filter(pl.col("decade") != pl.col("predicted"))
    if wrong.is_empty():
        return f"{text} and none into a wrong one."
    most = wrong.select(pl.max("fragments")).item()
    pairs = wrong.filter(pl.col("fragments") == most).select("decade", "predicted").iter_rows()
    often = [f"the {decade}s taken for the {predicted}s" for decade, predicted in pairs]
    is_, each = ("confusion is", "") if len(often) == 1 else ("confusions are", " each")
    return f"{text}; its commonest {is_} {listed(often)} ({plural(most, 'fragment')}{each})."


def no_prediction(row: dict) -> str:
    return "predicts no year." if row["n"] else "has no fragment that counts."


def near(distance: int) -> str:
    """In words: at most `distance` years from the reference."""
    return f"within {plural(distance, 'year')}" if distance else "right to the year"


def distances_table(runs: pl.DataFrame, distances: pl.DataFrame, farthest: int) -> Table:
    """A row per run: how near it comes."""
    reached = [distance for distance in DISTANCES if distance < farthest] + [farthest]
    near = year_distances.shares_within(distances, max(reached))
    for distance in reached:
        mine = near.filter(pl.col("years") == distance).select("run", pl.col("share").alias(f"within {distance}"))
        runs = runs.join(mine, on="run", how="left", maintain_order="left")
    columns = [
        Column("run", run=True),
        Column("area", "number", f"auc@{farthest}", 4, better="higher"),
        Column("n", "number"),
        Column("abstained", "number", "no prediction"),
        *[Column(f"within {distance}", "number", digits=3) for distance in reached],
        Column("same_decade", "number", "same decade", 3),
        Column("median", "number", "median distance", 1),
        Column("mean", "number", "mean signed distance", 1),
    ]
    notes = [
        "Within e: the share of the n fragments that the run puts at most e years from the reference; a fragment"
        " without a prediction is within no distance.",
        "Distances are in years, of the predictions alone; a positive one is too late.",
    ]
    return blocks.of_frame(runs, columns, f"The runs by auc@{farthest}.", notes)


def names_of_files(runs: list[str]) -> dict[str, str]:
    """File names for runs: their names, with a hash if long, hard to see, or different only in case or form."""
    forms = {run: normalize("NFKC", run).casefold() for run in runs}
    alike, names = Counter(forms.values()), {}
    for run in runs:
        # A name that already ends like a hash might be taken for another run's hashed name.
        plain = legible.visible(run) == run and len(run.encode()) <= LONGEST and not HASHED.search(run)
        start = legible.visible(run).encode()[: LONGEST - 20].decode(errors="ignore")
        hashed = f"{start}-{sha256(run.encode()).hexdigest()[:12]}"
        names[run] = run if plain and alike[forms[run]] == 1 else hashed
    return names
