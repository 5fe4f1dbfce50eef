"""Where the runs of a campaign stood, evaluation by evaluation, by its first measure: what `history:` has."""

from pathlib import Path

import polars as pl

from nonresponse.figures import ranks
from nonresponse.figures.page import write_svg
from nonresponse.legible import short
from nonresponse.pages.blocks import Column, Table, Topic, of_frame
from nonresponse.pages.sections import Campaign
from nonresponse.scoring import history
from nonresponse.wording import listed, plural

HEADING = "Ranks so far"
FIGURE = "history/ranks.svg"


def make(campaign: Campaign, files: list[Path]) -> None:
    """Writes the page and the figure; SystemExit where the file is no history."""
    try:
        found = history.read_history(files[0])
    except ValueError as error:
        raise SystemExit(f"campaigns.{campaign.name}.history: {error}") from None
    (campaign.folder / "history").mkdir(parents=True, exist_ok=True)
    id = campaign.measures[0]
    figure = ranks.so_far(by(found, id), id, f"{campaign.title}: ranks by {id} so far")
    drawn = [FIGURE] if write_svg(figure, campaign.folder / FIGURE) else []
    campaign.write_page("history", {"history": topic(found, id, drawn)})


def topic(found: pl.DataFrame, id: str, drawn: list[str]) -> Topic:
    """From the rows of a history: how many evaluations, who was first when by this measure, what is new.

    Evaluations from before the measure came first, or was one of the campaign's, count as well.
    """
    if by(found, id).is_empty():
        return Topic(HEADING, [f"No evaluation so far has {id}."])
    each = by_evaluation(found, id)
    said = [evaluations(each), leaders(each, id), *last(found, each, id)]
    return Topic(HEADING, said, drawn, [positions_table(each, id)])


def by(found: pl.DataFrame, id: str) -> pl.DataFrame:
    """The rows on one measure."""
    return found.filter(pl.col("measure") == id).sort("evaluation", "rank", "run", nulls_last=True)


def by_evaluation(found: pl.DataFrame, id: str) -> pl.DataFrame:
    """A row per evaluation: label, number of runs, whether it has the measure, runs at rank 1 by it and their score,
    runs that no earlier evaluation has.
    """
    first = pl.col("rank") == 1
    runs = found.unique(["evaluation", "run"]).sort("evaluation", "run")
    since = pl.col("evaluation") == pl.col("evaluation").min().over("run")
    each = runs.with_columns(since=since).group_by("evaluation", maintain_order=True)
    own = (
        by(found, id)
        .group_by("evaluation")
        .agg(first=pl.col("run").filter(first), score=pl.col("score").filter(first).first(), measured=pl.lit(True))
    )
    told = each.agg(pl.col("label").first(), runs=pl.len(), new=pl.col("run").filter("since"))
    joined = told.join(own, on="evaluation", how="left", maintain_order="left")
    return joined.with_columns(pl.col("first").fill_null([]), pl.col("measured").fill_null(False))


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
    measured = each.filter("measured")
    turns = measured.filter(pl.col("first") != pl.col("first").shift(fill_value=[])).rows(named=True)
    if not each["first"].list.len()[-1]:
        return f"By {id}, no run is ranked in the last of them."
    now, earlier = turns[-1], dict.fromkeys(run for turn in turns[:-1] for run in turn["first"])
    others = [short(run) for run in earlier if run not in now["first"]]
    have = "have" if len(now["first"]) > 1 else "has"
    since = f"since {called(now)}" if len(turns) > 1 else "in all of them"
    if len(turns) == 1 and measured.height < each.height:  # some are from before the campaign had the measure
        since = "in all of them that have it" if measured.height > 1 else "in the only one that has it"
    after = f", after {listed(others)}" if others else ""
    return f"{listed([short(run) for run in now['first']])} {have} been first by {id} {since}{after}."


def last(found: pl.DataFrame, each: pl.DataFrame, id: str) -> list[str]:
    """What the last evaluation changed: runs that are new, gone, or have another score."""
    if each.height == 1:
        return []
    then, now = (found.filter(pl.col("evaluation") == number) for number in each["evaluation"][-2:])
    both = by(then, id).join(by(now, id), on="run", suffix="_now", maintain_order="left")
    places = dict(by(now, id).select("run", "rank").iter_rows())
    new, gone = sorted({*now["run"]} - {*then["run"]}), sorted({*then["run"]} - {*now["run"]})
    said = []
    if new:
        at = [short(run) + (f" at rank {places[run]}" if places.get(run) else ", unranked") for run in new]
        said.append(f"New in the last: {listed(at)}.")
    if gone:
        said.append(f"Gone since the one before: {listed([short(run) for run in gone])}.")
    if not all(each["measured"][-2:]):
        return [*said, f"The last two do not both have {id}, so that no scores are compared."]
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
