"""What a change did: the leaderboard, judgments and verdicts against those of the previous results.

A folder of the campaign keeps the last two results, numbered.
"""

import filecmp
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from nonresponse import tables, tasks
from nonresponse.judging import store
from nonresponse.legible import short
from nonresponse.report import document, model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Column, Section, Table
from nonresponse.wording import plural, summarise_names

ROWS = 50  # of the table; the sentence counts all
NOUNS = {"judgments.parquet": "judgment", store.VERDICTS_FILE: "verdict"}
BOARD = "board.parquet"
NO_RESULTS = "There are no earlier results to compare with. The next change will be compared."


@dataclass
class Results:
    """Results as far as they are compared."""

    board: pl.DataFrame  # run, rank, a column per measure
    files: dict[str, Path]  # of judgments and verdicts, by name

    @property
    def runs(self) -> set[str]:
        """The names of the runs."""
        return {*self.board["run"]}


def keep_results(state: Path, current: Results) -> Results | None:
    """Return the previous results, null where there are none, and keep the current ones.

    Idempotent: unchanged results return the same previous results. New ones appear by a single
    renaming.
    """
    numbers = sorted(int(folder.name) for folder in state.glob("*") if folder.name.isdecimal())
    folders = [state / str(number) for number in numbers]
    part = state / f"part-{os.getpid()}"
    tables.write(current.board, part / BOARD)
    for name, file in current.files.items():
        tables.keep(file, part / name)
    if folders and has_same_files(folders[-1], part):
        folders.pop()
    else:
        part.rename(state / str(numbers[-1] + 1 if numbers else 1))
    for folder in [*folders[:-1], *state.glob("part-*")]:
        shutil.rmtree(folder)
    return read_results(folders[-1]) if folders else None


def has_same_files(folder: Path, other_folder: Path) -> bool:
    """Return whether both folders have the same files."""
    names = {path.name for part in (folder, other_folder) for path in part.iterdir()}
    equal_names, *_ = filecmp.cmpfiles(folder, other_folder, names, shallow=False)
    return len(equal_names) == len(names)


def read_results(folder: Path) -> Results | None:
    """Return the results in a folder, null where they cannot be read."""
    files = {name: folder / name for name in NOUNS if (folder / name).exists()}
    try:
        for name, file in files.items():
            if name == store.VERDICTS_FILE:
                store.read_verdicts(file)
            else:
                tables.scan_parquet(file).collect_schema()
        return Results(tables.read_parquet(folder / BOARD), files)
    except (Exception, pl.exceptions.PanicException):  # of damaged files
        return None


def count_changed(name: str, before: Results, after: Results, task: tasks.Task) -> int:
    """Return how many judgments or verdicts differ, or are in one of the two results only.

    Verdicts are those of runs that both have.
    """
    files = before.files[name], after.files[name]
    if filecmp.cmp(*files, shallow=False):
        return 0
    if name == store.VERDICTS_FILE:
        return store.count_changed(*map(store.read_verdicts, files))
    # Where judgments are reference answers, the answer is the value
    keys = [key for key in tables.JUDGMENTS_KEY if key != "answer" or not task.references]
    names = [*tables.JUDGMENTS]
    old, new = (tables.spell(tables.read_parquet(file)).select(names) for file in files)
    old_only = old.join(new, on=names, how="anti", nulls_equal=True)
    new_only = new.join(old, on=names, how="anti", nulls_equal=True)
    return pl.concat([old_only.select(keys), new_only.select(keys)]).n_unique()


def join_boards(before: Results, after: Results, id: str) -> pl.DataFrame:
    """Return run, ranks, scores, and whether the rank among the runs of both results moved."""
    missing = pl.lit(None, pl.Float64)
    old, new = (
        results.board.select("run", "rank", score=id if id in results.board else missing)
        for results in (before, after)
    )
    boards = old.join(new, on="run", how="full", coalesce=True, suffix="_now")
    is_shared = pl.col("run").is_in([*before.runs & after.runs])
    old_rank = pl.when(is_shared).then("rank").rank("min")
    new_rank = pl.when(is_shared).then("rank_now").rank("min")
    gap = pl.col("score_now") - pl.col("score")
    boards = boards.with_columns(moved=old_rank.ne_missing(new_rank), difference=gap)
    return boards.sort("rank_now", "run", nulls_last=True)


def describe_changes(before: Results, after: Results, boards: pl.DataFrame, task: str) -> str:
    """Return all changes in a sentence; boards: from `join_boards`."""
    parts, id = [], after.board.columns[2]
    for name, noun in NOUNS.items():
        if name in before.files and name in after.files:
            number = count_changed(name, before, after, tasks.get(task))
            parts.append(f"{plural(number, noun)} changed")
    shared = boards.filter(pl.col("run").is_in([*before.runs & after.runs]))
    scores = shared.filter(pl.col("score").ne_missing(pl.col("score_now"))).height
    parts += [f"{plural(scores, 'score')} by {id} moved"] * (id in before.board)
    parts.append(f"{plural(shared.filter('moved').height, 'run')} changed rank")
    changes = {"added": after.runs - before.runs, "removed": before.runs - after.runs}
    for change, runs in changes.items():
        if runs:
            names = summarise_names([short(run) for run in sorted(runs)])
            parts.append(f"run{'s' * (len(runs) > 1)} {change}: {names}")
    return f"{'; '.join(parts)}."


def list_moved(boards: pl.DataFrame, id: str) -> Table:
    """Return the table of the runs whose rank or score moved, or that are new or gone."""
    one_sided = pl.col("rank").is_null() != pl.col("rank_now").is_null()
    other_score = pl.col("score").ne_missing(pl.col("score_now"))
    rows = boards.filter(pl.col("moved") | one_sided | other_score)
    columns = [
        Column("run", "run"),
        Column("rank", "number", "rank before"),
        Column("rank_now", "number", "rank now"),
        Column("score", "number", f"{id} before", "moved"),
        Column("score_now", "number", f"{id} now", "moved"),
        Column("difference", "number", digits="signed"),
    ]
    return model.tabulate_frame(rows, columns, f"The runs that moved, ranked by {id}.", limit=ROWS)


def make(campaign: Campaign, files: list[Path]) -> None:
    """Write changes.md and changes.json, against the results that are kept in results/previous."""
    id, scores = campaign.measures[0], pl.col(*campaign.measures).cast(pl.Float64)
    board = tables.read_parquet(campaign.folder / "leaderboard.parquet").sort("run")
    board = board.select("run", pl.col("rank").cast(pl.Int64), scores)
    current = Results(board, {file.name: file for file in files})
    section = Section("What changed", [NO_RESULTS])
    if previous := keep_results(campaign.settings["previous"], current):
        boards = join_boards(previous, current, id)
        text = describe_changes(previous, current, boards, campaign.task)
        section = Section("What changed", [text], "data", tables=[list_moved(boards, id)])
    page = document.render_markdown(f"{campaign.title}: what changed", [section])
    tables.write_text(page, campaign.folder / "changes.md")
    model.write_sections({"": section}, campaign.folder / "changes.json")
