"""Where the runs of a campaign stood, evaluation by evaluation, by its first measure: what `history:` has."""

from pathlib import Path

import polars as pl

from nonresponse import tables
from nonresponse.figures import ranks
from nonresponse.figures.page import write_svg
from nonresponse.legible import short
from nonresponse.pages.blocks import Column, Table, Topic, of_frame
from nonresponse.pages.sections import Campaign
from nonresponse.scoring import history
from nonresponse.wording import listed, plural

HEADING = "Ranks so far"
FIGURE = "history/ranks.svg"


def make(campaign: Campaign, files: list[Path], published: list[Path]) -> None:
    """Writes the page and the figure; SystemExit where the file is no history."""
    try:
        found = history.read_history(files[0])
    except ValueError as error:
        raise SystemExit(f"campaigns.{campaign.name}.history: {error}") from None
    tables.emptied(campaign.folder / "history")
    id = campaign.measures[0]
    own = found.filter(pl.col("measure") == id).sort("evaluation", "rank", "run", nulls_last=True)
    figure = ranks.so_far(own, id, f"{campaign.title}: ranks by {id} so far")
    drawn = [FIGURE] if write_svg(figure, campaign.folder / FIGURE) else []
    campaign.write_page("history", {"history": topic(own, id, drawn)})


def topic(own: pl.DataFrame, id: str, drawn: list[str]) -> Topic:
    """From the rows on one measure: how many evaluations, who was first when, what is new."""
    if own.is_empty():
        return Topic(HEADING, [f"No evaluation so far has {id}."])
    each = by_evaluation(own)
    return Topic(HEADING, [evaluations(each), leaders(each, id), *last(own, each)], drawn, [positions_table(each, id)])


def by_evaluation(own: pl.DataFrame) -> pl.DataFrame:
    """A row per evaluation: label, number of runs, runs at rank 1, their score, runs that no earlier evaluation has."""
    first = pl.col("rank") == 1
    since = pl.col("evaluation") == pl.col("evaluation").min().over("run")
    grouped = own.with_columns(since=since).group_by("evaluation", maintain_order=True)
    return grouped.agg(
        pl.col("label").first(),
        runs=pl.len(),
        first=pl.col("run").filter(first),
        score=pl.col("score").filter(first).first(),
        new=pl.col("run").filter("since"),
    )


def called(row: dict) -> str:
    """An evaluation as sentences name it."""
    return f"evaluation {row['evaluation']:,}" + (f" ({short(row['label'])})" if row["label"] else "")


def evaluations(each: pl.DataFrame) -> str:
    """How many there are, and how many runs the first and the last have."""
    first, last = (each.row(place, named=True) for place in (0, -1))
    if each.height == 1:
        return f"So far {called(first)} alone, of {plural(first['runs'], 'run')}."
    of = [f"{plural(row['runs'], 'run')} in {called(row)}" for row in (first, last)]
    return f"{each.height:,} evaluations so far: {of[0]}, {of[1]}."


def leaders(each: pl.DataFrame, id: str) -> str:
    """Who is first, since when, and who was before."""
    turns = each.filter(pl.col("first") != pl.col("first").shift(fill_value=[])).rows(named=True)
    if not each["first"].list.len()[-1]:
        return f"By {id}, no run is ranked in the last of them."
    now, earlier = turns[-1], dict.fromkeys(run for turn in turns[:-1] for run in turn["first"])
    others = [short(run) for run in earlier if run not in now["first"]]
    have = "have" if len(now["first"]) > 1 else "has"
    since = f"since {called(now)}" if len(turns) > 1 else "in all of them"
    after = f", after {listed(others)}" if others else ""
    return f"{listed([short(run) for run in now['first']])} {have} been first by {id} {since}{after}."


def last(own: pl.DataFrame, each: pl.DataFrame) -> list[str]:
    """What the last evaluation changed: runs that are new, gone, or have another score."""
    if each.height == 1:
        return []
    then, now = (own.filter(pl.col("evaluation") == number) for number in each["evaluation"][-2:])
    both = then.join(now, on="run", suffix="_now", maintain_order="left")
    places = dict(now.select("run", "rank").iter_rows())
    new, gone = sorted({*now["run"]} - {*then["run"]}), sorted({*then["run"]} - {*now["run"]})
    said = []
    if new:
        at = [short(run) + (f" at rank {places[run]}" if places[run] else ", unranked") for run in new]
        said.append(f"New in the last: {listed(at)}.")
    if gone:
        said.append(f"Gone since the one before: {listed([short(run) for run in gone])}.")
    moved = both.filter(pl.col("score").ne_missing(pl.col("score_now"))).height
    others = f"{moved:,} have" if moved > 1 else "one has" if moved else "none has"
    return [*said, f"Of the {plural(both.height, 'run')} in both, {others} another score."]


def positions_table(each: pl.DataFrame, id: str) -> Table:
    """The table of evaluations, the last one first."""
    names = pl.element().map_elements(short, return_dtype=pl.String)
    shown = each.reverse().with_columns(pl.col("first", "new").list.eval(names).list.join(", "))
    columns = [
        Column("evaluation", "number"),
        Column("label"),
        Column("runs", "number"),
        Column("first", long=True, about="at rank 1"),
        Column("score", "number", id, 4),
        Column("new", long=True, about="runs that no earlier evaluation has"),
    ]
    return of_frame(shown, columns, f"Evaluations, the last one first; ranks by {id}.")
