"""Functions for a notebook: read files as verdicts, score and compare these, or evaluate files as the workflow does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.front import Refused, frames, local
from nonresponse.front.campaign import NO_VERDICTS, Known, checked, known
from nonresponse.front.comparing import Comparison, paired
from nonresponse.front.shown import as_html, as_text
from nonresponse.judging.store import VERDICTS_FILE, of_rows, read_verdicts, write_verdicts
from nonresponse.legible import short
from nonresponse.pages import blocks
from nonresponse.pages.blocks import Topic
from nonresponse.scoring.leaderboard import TIE
from nonresponse.wording import amount, joined, plural, rounded
from nonresponse.workflow import paths
from nonresponse.workflow.campaigns import Campaign

OF_WORKFLOW = ("gates", "scenarios", "systems", "participants")  # keys with results in the workflow only
NAMED, MOST = 5, 20  # runs that sentences are on, and that are listed
# What counts of responses say besides verdicts.
GAPS = {
    "n_error": "{} failed and {}",
    "n_unscored": "nobody judged the answers to {}, which {}",
    "n_not_asked": "beside which it was not asked {}",
}
Paths = str | Path | Sequence[str | Path]


def read(files: Paths, name: str | None = None, **options: Any) -> pl.DataFrame:
    """The verdicts on what files or folders hold: a row per assessor, run and question.

    name: of the campaign; what look makes of the files if left out. options: keys of a campaign in config.yaml, such as
    missing="exclude", for what the files do not say. Columns, among others of the task: assessor, run, question, epoch;
    verdict (correct, wrong, partial, unanswered, unscored, error, or "not asked"); compared, whether runs are compared
    on it; category, null = none; confidence, null = not given.

    Raises front.Refused where the files are not one campaign, where no option decides what they leave open, and beside
    keys whose results only the workflow makes (gates, scenarios, systems, participants).

    >>> read("log.csv").select("run", "question", "verdict").rows()
    [('a', 'q1', 'correct'), ('a', 'q2', 'unanswered'), ('b', 'q1', 'wrong'), ('b', 'q2', 'correct')]
    """
    with TemporaryDirectory() as folder:
        _, verdicts = judged(known(as_list(files), name, options), Path(folder))
    return verdicts


def as_list(files: Paths) -> list[str]:
    """One or several paths as a list of texts."""
    return [str(files)] if isinstance(files, str | Path) else [str(path) for path in files]


def judged(what: Known, folder: Path, measures: Sequence[str] | None = None) -> tuple[Campaign, pl.DataFrame]:
    """The campaign, whose files were read and judged in a folder; and its verdicts."""
    if unread := [key for key in OF_WORKFLOW if key in what.written]:
        raise Refused(
            f"Nothing reads {joined(unread)} here: put that into config.yaml, which nonresponse run evaluates"
        )
    campaign = checked(what, measures)
    if not campaign.single:
        raise Refused(f"{what.name} {NO_VERDICTS}: put it into config.yaml")
    campaign = local.in_folder(campaign, folder)
    local.ingest(campaign)
    return campaign, read_verdicts(local.judge(campaign)).rows()


def stand_in(verdicts: pl.DataFrame, folder: Path, name: str, task: str, measures: Sequence[str] | None) -> Campaign:
    """A campaign that could have these verdicts, with the default policies; it names an empty file in the folder."""
    part: dict[str, Any] = {"format": "tabular", "files": str(folder / "none")}
    Path(part["files"]).touch()
    if (assessors := verdicts["assessor"].unique().sort()).len() > 1:
        part["official"] = assessors[0]
    of_runs = {key: part[key] for key in ("format", "files")}
    parts = {"graded": part} if "graded" in tasks.get(task).sources else {"runs": of_runs, "judgments": part}
    return checked(Known(name, {"task": task, **parts}, [], []), measures)


def measures_by_data(verdicts: pl.DataFrame, task: str) -> tuple[str, ...]:
    """The first measures of data that say which questions have no answer; empty for other data."""
    said = "unanswerable" in verdicts.columns and verdicts["unanswerable"].any()
    return tasks.get(task).of_unanswerable if said else ()


def score(verdicts: pl.DataFrame, measures: Sequence[str] | None = None, task: str = "qa") -> pl.DataFrame:
    """measure, assessor, run, value, worst and best of verdicts as `read` returns them; null where undefined.

    worst and best are the bounds over every way to take what is unscored or failed. Unscored, failed and partly right
    answers count as wrong; change their verdicts to have it otherwise. measures: ids; the task's own if left out. Rows
    may be in any order, but each run needs one for every question: the verdict "not asked" leaves a question out.

    Raises front.Refused where `read` would return no such verdicts.

    >>> score(read("log.csv"), ["c@1"]).select("run", "value").rows()
    [('a', 0.75), ('b', 0.5)]
    """
    verdicts = frames.as_read(verdicts, task)
    frames.check_complete(verdicts)
    measures = measures or measures_by_data(verdicts, task)
    with TemporaryDirectory() as folder:
        campaign = local.in_folder(stand_in(verdicts, Path(folder), "verdicts", task, measures), Path(folder))
        write_verdicts(Path(campaign.folder, VERDICTS_FILE), of_rows(verdicts, task))
        local.count(campaign)
        local.score_all(campaign)
        found = {id: pl.read_parquet(f"{campaign.folder}/scores/{id}.parquet") for id in campaign.measures}
    return pl.concat(frame.select(pl.lit(id).alias("measure"), pl.all()) for id, frame in found.items())


def compare(
    verdicts: pl.DataFrame,
    a: str,
    b: str,
    measures: Sequence[str] | None = None,
    task: str = "qa",
    name: str = "compare",
) -> Comparison:
    """Run b beside run a, of verdicts as `read` returns them, on the questions that both were asked.

    measures: ids; if left out, those that `nonresponse compare` shows of files. name: of the campaign, which the
    random draws follow from. Raises front.Refused where there is no such run, no such question, or `read` would return
    no such verdicts.

    >>> print(*compare(read("log.csv"), "a", "b", ["accuracy"]).sentences[2:], sep="\\n")
    By right − cost · wrong, a is ahead wherever a wrong answer costs anything.
    2 questions changed: 1 from open to right, 1 from right to wrong.
    """
    verdicts = frames.as_read(verdicts, task)
    frames.check_complete(verdicts.filter(pl.col("run").is_in([str(a), str(b)])))
    with TemporaryDirectory() as folder:
        shown = measures or measures_by_data(verdicts, task) or tasks.get(task).of_logs
        return paired(stand_in(verdicts, Path(folder), name, task, shown), verdicts, a, b)


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The evaluation of files.

    leaderboard: a row per run, as leaderboard.parquet of the workflow. differences: a row per measure and pair of runs,
    as reliability/comparisons. sentences: what the page says of both. verdicts: as `read` returns them. notes: what to
    know of the files.
    """

    name: str
    leaderboard: pl.DataFrame
    differences: pl.DataFrame
    sentences: list[str]
    verdicts: pl.DataFrame
    notes: list[str]
    topics: list[Topic]

    def __repr__(self) -> str:
        return as_text(self.name, self.topics)

    def _repr_html_(self) -> str:
        return as_html(self.topics)


def evaluate(
    files: Paths, name: str | None = None, measures: Sequence[str] | None = None, **options: Any
) -> Evaluation:
    """What the workflow finds out of files: leaderboard, differences, sentences. Arguments and errors as of read.

    >>> evaluate("log.csv", measures=["c@1"]).leaderboard.select("run", "c@1").rows()
    [('a', 0.75), ('b', 0.5)]
    """
    what = known(as_list(files), name, options)
    with TemporaryDirectory() as folder:
        campaign, verdicts = judged(what, Path(folder), measures)
        local.count(campaign)
        local.score_all(campaign)
        local.compare(campaign)
        local.rank(campaign)
        results = Path(campaign.folder)
        board = pl.read_parquet(results / "leaderboard.parquet")
        pairs = differences(campaign)
        pages = ("leaderboard.json", "reliability/blocks.json")
        topics = [replace(it, figures=[]) for page in pages for it in blocks.read_topics(results / page).values()]
        sentences = [*(sentence for topic in topics for sentence in topic.sentences), *gaps(campaign)]
        notes = [*what.left_out, *what.notes, *notes_of_logs(campaign)]
    return Evaluation(what.name, board, pairs, sentences, verdicts, notes, topics)


def differences(campaign: Campaign) -> pl.DataFrame:
    """A row per measure and pair of runs: `measure`, and the columns of reliability/comparisons."""
    files = paths.comparisons(campaign)
    found = {id: pl.read_parquet(file) for id, file in zip(campaign.measures, files, strict=True)}
    return pl.concat(frame.select(pl.lit(id).alias("measure"), pl.all()) for id, frame in found.items())


def gaps(campaign: Campaign) -> list[str]:
    """Return a sentence on each run with failed, unjudged or unasked questions, and how far they could move its score.

    The results of the campaign have to be there.
    """
    first, results = campaign.measures[0], Path(campaign.folder)
    counts, scores = (pl.read_parquet(results / name) for name in ("counts.parquet", f"scores/{first}.parquet"))
    board = counts.join(scores, on=["assessor", "run"], how="left")
    official = campaign.official or board["assessor"].min()
    some = board.filter(
        pl.col("assessor") == official,
        pl.any_horizontal(pl.col(name).fill_null(0) > 0 for name in GAPS if name in board.columns),
    )
    said = []
    for row in some.sort("value", "run", descending=[True, False], nulls_last=True).head(NAMED).iter_rows(named=True):
        there = {name: row[name] for name in GAPS if row.get(name)}
        each = [GAPS[name].format(amount(number), policy(campaign, name)) for name, number in there.items()]
        low, high = row["worst"], row["best"]
        moved = low is not None and high is not None and abs(high - low) > TIE
        range_of = (
            f"; however they are taken, its {first} is {rounded(min(low, high), 2)} to {rounded(max(low, high), 2)}"
        )
        said.append(
            f"{short(row['run'])}: of {amount(row['n_asked'])} questions, {joined(each)}{range_of if moved else ''}."
        )
    more = f"{plural(some.height - NAMED, 'more run')} with failed, unjudged or unasked questions."
    return said + [more] * (some.height > NAMED)


def notes_of_logs(campaign: Campaign) -> list[str]:
    """Return the notes of logs on themselves, each once, with the number of runs that have it."""
    accounts = [pl.read_parquet(file) for file in paths.accounts(campaign) if Path(file).is_file()]
    if not accounts:
        return []
    said = pl.concat(accounts).select(note=pl.concat_list("chosen", "notes")).explode("note").drop_nulls()
    notes = said.group_by("note", maintain_order=True).agg(pl.len()).rows()
    return [f"{note} ({plural(number, 'run')})" for note, number in notes]


def policy(campaign: Campaign, count: str) -> str:
    """Return what a kind of responses counts as, as the end of a sentence."""
    counted = campaign.options.get(count.removeprefix("n_"), "wrong")
    return "are left out" if counted == "exclude" else f"count as {counted}"


def states(what: Known) -> list[str]:
    """Return a line on each run of a campaign: how many of its responses have which verdict."""
    with TemporaryDirectory() as folder:
        try:
            _, verdicts = judged(what, Path(folder))
        except Refused as error:
            return [str(error)]
    counts = verdicts.group_by("assessor", "run", "verdict").len().sort("assessor", "run")
    lines = []
    for (assessor, run), own in counts.group_by("assessor", "run", maintain_order=True):
        number = dict(own.select("verdict", "len").iter_rows())
        each = [f"{number[name]:,} {name}" for name in frames.WORDS if name in number]
        whose = f" by {short(str(assessor))}" if verdicts["assessor"].n_unique() > 1 else ""
        lines.append(f"  {short(str(run))}{whose}: {', '.join(each)}")
    return [*lines[:MOST], *[f"  and {len(lines) - MOST:,} more"] * (len(lines) > MOST)]
