"""The leaderboard: all of leaderboard.csv, shown as scores with their intervals, groups and counts."""

from pathlib import Path

import polars as pl

from nonresponse import legible, tasks
from nonresponse.measures import Measure, get
from nonresponse.pages import asked, beside_source
from nonresponse.pages.blocks import Column
from nonresponse.pages.leaderboard import counts_shown, partial_note, range_note
from nonresponse.pages.report.blocks import Block, sentences, table
from nonresponse.pages.sections import Campaign
from nonresponse.pages.shown_measures import shown as measures_shown
from nonresponse.wording import NOTHING, at

DIGITS = 4


def blocks(campaign: Campaign) -> list[Block]:
    """What runs were asked, where that differs, and one table."""
    board = pl.read_parquet(campaign.folder / "leaderboard.parquet")
    measures = [get(campaign.task, id) for id in campaign.measures]
    shown = [Column("rank", "number"), Column("run", run=True)]
    shown += [attribute(name, board[name].dtype) for name, _ in campaign.settings.get("attributes", [])]
    named = campaign.settings.get("measures_named", True)
    columns, left_out = measures_shown(board, campaign.measures, campaign.task, named=named)
    shown += [score(measure, board) for measure in measures if measure.id in columns]
    if "groups" in board.columns and board["groups"].fill_null("").ne("").any():
        about = f"runs that share a mark in a column cannot be told apart by {measures[0].id}"
        place = len(shown) - len(columns) + 1
        shown.insert(place, Column("groups", "groups", about=about))
    task = tasks.get(campaign.task)
    if parts := outcomes(board):
        about = "right, left open, wrong"
        shown.append(Column(parts[0][0], "counts", label="right · open · wrong", parts=parts, about=about))
    counts = counts_shown(board, campaign.task)
    shown += [Column(name, "number", about=task.counts[name].meaning if name in task.counts else "") for name in counts]
    baseline = campaign.settings.get("baseline") or ""
    caption = f"The runs by {measures[0].id}, {'highest' if measures[0].higher_is_better else 'lowest'} first"
    below = notes(board, [measure for measure in measures if measure.id in columns], campaign.settings)
    below += of_source(board, campaign) + [left_out] * bool(left_out)
    said = asked.sentences(board, campaign.settings.get("missing"), campaign.settings.get("compare_on"))
    above = [sentences(said)] if said else []
    return [*above, table(board, shown, caption, below, baseline=baseline, csv="leaderboard")]


def of_source(board: pl.DataFrame, campaign: Campaign) -> list[str]:
    """How far the figures are from those that a published table prints, where there is one of the campaign."""
    if "published" not in campaign.settings:
        return []
    found = beside_source.cells(campaign.name, board, Path(campaign.settings["published"]))
    return beside_source.notes(found, dict(board.select("run", beside_source.COLUMN).drop_nulls().iter_rows()))


def attribute(name: str, kind: pl.DataType) -> Column:
    """The column of an attribute of the runs."""
    return Column(name, "number" if kind.is_numeric() else "text", label=legible.short(name, 40))


def score(measure: Measure, board: pl.DataFrame) -> Column:
    """A measure's column, with the columns of its interval and its bounds where there are any."""
    ends, bounds = ([f"{measure.id} {end}" for end in both] for both in (("lower", "upper"), ("worst", "best")))
    return Column(
        measure.id,
        "score",
        digits=DIGITS,
        better=measure.direction,
        about=measure.description,
        measure=True,
        ends=ends if set(ends) <= set(board.columns) else (),
        bounds=bounds if set(bounds) <= set(board.columns) else (),
    )


def outcomes(board: pl.DataFrame) -> list[list[str]]:
    """The counts that are right, left open and wrong, those that the table has."""
    for parts in ([["n_ac"], ["n_u"], ["n_aw"]], [["tp", "tn"], ["u_p", "u_n"], ["fp", "fn"]]):
        known = [[name for name in part if name in board.columns and board[name].is_not_null().all()] for part in parts]
        if known[0] and known[2]:
            return known
    return []


def notes(board: pl.DataFrame, measures: list[Measure], settings: dict) -> list[str]:
    """What a reader cannot guess."""
    lines = []
    if board["tied"].any():
        lines.append("= equal scores.")
    if board["trivial"].any():
        lines.append("† a trivial run, not ranked.")
    if board["behind_reject_all"].fill_null(False).any():
        lines.append("‡ behind the run that rejects everything.")
    if any(name.endswith(" lower") for name in board.columns):
        lines.append(f"The line beside a score is its {at(1 - settings['level'])} interval.")
    if any(name.endswith(" worst") for name in board.columns):
        lines.append(range_note(board))
    if said := partial_note(board):
        lines.append(said)
    if described := [measure.id for measure in measures if measure.direction == "neither"]:
        lines.append(f"Described, not ranked: {', '.join(described)}.")
    if settings.get("official"):
        lines.append(f"Judgments: {legible.short(settings['official'])}, the official ones.")
    if board.select(pl.col([measure.id for measure in measures]).is_null().any()).row(0).count(True):
        lines.append(f"{NOTHING} undefined.")
    return lines
