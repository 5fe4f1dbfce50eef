"""What a change did: the leaderboard, judgments and verdicts against those of the previous results.

A folder of the campaign keeps the last two results, numbered.
"""

import filecmp
import os
import shutil
import struct
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import polars as pl

from nonresponse import measures, tables, tasks
from nonresponse.judging import store
from nonresponse.legible import short
from nonresponse.report import document, model
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Column, Section, Table
from nonresponse.wording import plural, summarise_names

ROWS = 50  # of the table; the sentence counts all
NOUNS = {"judgments.parquet": "judgment", store.VERDICTS_FILE: "verdict"}
READ_ERRORS = (
    *(OSError, ValueError, LookupError, TypeError, BadZipFile, struct.error),
    *(pl.exceptions.PolarsError, pl.exceptions.PanicException),
)
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

    def equals(self, results: "Results") -> bool:
        """Return whether nothing that is compared differs."""
        if self.files.keys() != results.files.keys() or not self.board.equals(results.board):
            return False
        return all(
            filecmp.cmp(file, results.files[name], shallow=False)
            for name, file in self.files.items()
        )


def keep_results(state: Path, current: Results) -> Results | None:
    """Return the previous results, null where there are none, and keep the current ones.

    Idempotent: unchanged results return the same previous results. New ones appear by a single
    renaming.
    """
    numbers = sorted(int(folder.name) for folder in state.glob("*") if folder.name.isdecimal())
    folders = [state / str(number) for number in numbers]
    latest = read_results(folders[-1]) if folders else None
    if latest and latest.equals(current):
        return read_results(folders[-2]) if len(folders) > 1 else None
    part = state / f"part-{os.getpid()}"
    tables.write(current.board, part / "board.parquet")
    for name, file in current.files.items():
        tables.keep(file, part / name)
    part.rename(state / str(numbers[-1] + 1 if numbers else 1))
    for folder in [*folders[:-1], *state.glob("part-*")]:
        shutil.rmtree(folder)
    return latest


def read_results(folder: Path) -> Results | None:
    """Return the results in a folder, null where they cannot be read."""
    files = {name: folder / name for name in NOUNS if (folder / name).exists()}
    try:
        for name, file in files.items():
            if name == store.VERDICTS_FILE:
                store.read_verdicts(file)
            else:
                tables.scan_parquet(file).collect_schema()
        return Results(tables.read_parquet(folder / "board.parquet"), files)
    except READ_ERRORS:
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


def describe_scores(before: Results, after: Results, task: str) -> str:
    """Return how many of the scores that both results have moved, and which one moved most."""
    ids = [id for id in after.board.columns[2:] if id in before.board]
    if not ids:
        return "all measures are new"
    old, new = (
        results.board.unpivot(ids, index="run", variable_name="measure", value_name="score")
        for results in (before, after)
    )
    scores = old.join(new, on=["run", "measure"], suffix="_now")
    moved = scores.filter(pl.col("score").ne_missing(pl.col("score_now")))
    text = f"{moved.height:,} of {plural(scores.height, 'score')} moved"
    # Some are in percent
    scale = pl.col("measure").replace_strict({id: measures.get(task, id).scale for id in ids})
    sized = moved.with_columns(size=(pl.col("score_now") - pl.col("score")).abs())
    largest = sized.drop_nulls("size").sort(-pl.col("size") / scale, "measure", "run").head(1)
    for size, id, run in largest.select("size", "measure", "run").rows():
        text += f", at most by {model.format_change(size)} ({id} of {short(run)})"
    return text


def describe_changes(before: Results, after: Results, moved: int, task: str) -> str:
    """Return all changes in a sentence. `moved` is how many runs changed rank."""
    parts = []
    for name, noun in NOUNS.items():
        if name in before.files and name in after.files:
            number = count_changed(name, before, after, tasks.get(task))
            parts.append(f"{plural(number, noun)} changed")
    parts += [describe_scores(before, after, task), f"{plural(moved, 'run')} changed rank"]
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
        moved = boards.filter("moved").height
        text = describe_changes(previous, current, moved, campaign.task)
        section = Section("What changed", [text], "data", tables=[list_moved(boards, id)])
    page = document.render_markdown(f"{campaign.title}: what changed", [section])
    tables.write_text(page, campaign.folder / "changes.md")
    model.write_sections({"": section}, campaign.folder / "changes.json")
