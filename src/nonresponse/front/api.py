"""Functions for a notebook: read files as verdicts, score and compare these, or evaluate files as
the workflow does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from nonresponse import tasks
from nonresponse.front import campaign as campaigns
from nonresponse.front import frames, logs
from nonresponse.front.campaign import Known, checked
from nonresponse.front.comparison import Comparison
from nonresponse.front.extras import refuse_without_extra
from nonresponse.front.pairs import compare_runs
from nonresponse.judging.store import Verdicts
from nonresponse.scoring import score as scoring
from nonresponse.statistics.analyses import by_measure, named_by_measure
from nonresponse.workflow.campaigns import Campaign

Paths = str | Path | Sequence[str | Path]


@dataclass(frozen=True, eq=False, repr=False)
class Responses:
    """The responses of runs with their verdicts, as `read` returns them, and how the files say they
    are scored.

    frame: a row per assessor, run and question. notes: what to know of the files.
    """

    campaign: Campaign
    store: Verdicts
    clusters: dict[str, str]
    notes: Sequence[str] = ()

    @property
    def task(self) -> str:
        """The task: qa, validation, dating or matching."""
        return self.campaign.task

    @property
    def frame(self) -> pl.DataFrame:
        """The responses as a Polars frame, sorted by assessor, run, question and epoch.

        verdict: correct, wrong, partial, unanswered, unscored, error, or "not asked". compared:
        whether runs are compared on it. category: null = none. confidence: null = not read.
        """
        return self.store.scan().collect()

    def __repr__(self) -> str:
        runs, questions = len(self.store.runs), self.store.items["question"].n_unique()
        counts = self.frame["verdict"].value_counts(sort=True).rows()
        verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in counts)
        return f"{self.campaign.name}: {runs:,} runs, {questions:,} questions; {verdicts}"


@refuse_without_extra()
def read(files: Paths, name: str | None = None, **options: Any) -> Responses:
    """Read files or folders as responses with verdicts.

    name: of the campaign; made of the files if left out. options: keys of a campaign in
    config.yaml, such as missing="exclude", for what the files do not say.

    Raises front.RefusedError where the files are not one campaign, where no option decides what
    they leave open, and beside keys whose results only the workflow makes (gates, scenarios,
    systems).

    >>> read("log.csv").frame.select("question", "verdict").rows()
    [('q1', 'correct'), ('q2', 'unanswered'), ('q1', 'wrong'), ('q2', 'correct')]
    """
    what = campaigns.known(as_list(files), name, options)
    with TemporaryDirectory() as folder:
        return read_into(what, Path(folder))


def read_into(what: Known, folder: Path, measures: Sequence[str] | None = None) -> Responses:
    """Read and judge the files of a campaign; what stages write goes into the folder."""
    campaign, store = logs.judge_files(what, folder, measures)
    return Responses(campaign, store, logs.clusters_of(campaign), [*what.left_out, *what.notes])


def as_list(files: Paths) -> list[str]:
    """Return one or several paths as a list of texts."""
    return [str(files)] if isinstance(files, str | Path) else [str(path) for path in files]


def as_responses(
    responses: Responses | pl.DataFrame, task: str, runs: list[str] | None = None
) -> Responses:
    """Return what `read` returned, or the verdicts of a frame, with the default policies.

    RefusedError where some of these runs, or of all, have no row for what others have one for.
    """
    if isinstance(responses, Responses):
        return responses
    store = frames.as_store(responses, task)
    frames.check_complete(store, [run for run in runs if run in store.runs] if runs else None)
    with TemporaryDirectory() as folder:
        return Responses(campaign_of(store, Path(folder, "none")), store, {})


def campaign_of(store: Verdicts, file: Path) -> Campaign:
    """Return a campaign that could have these verdicts, with the default policies; it names an
    empty file."""
    file.touch()
    part: dict[str, Any] = {"format": "tabular", "files": str(file)}
    if len(store.assessors) > 1:
        part["official"] = store.assessors[0]
    of_runs = {key: part[key] for key in ("format", "files")}
    parts = (
        {"graded": part}
        if "graded" in tasks.get(store.task).sources
        else {"runs": of_runs, "judgments": part}
    )
    measures = measures_by_data(store) or None
    return checked(Known("verdicts", {"task": store.task, **parts}, [], []), measures)


def measures_by_data(store: Verdicts) -> tuple[str, ...]:
    """Return the first measures of data that say which questions have no answer; none for other
    data."""
    cases = store.cases
    there = "unanswerable" in cases.columns and bool(cases["unanswerable"].any())
    return tasks.get(store.task).of_unanswerable if there else ()


def score(
    responses: Responses | pl.DataFrame, measures: Sequence[str] | None = None, task: str = "qa"
) -> pl.DataFrame:
    """Return measure, assessor, run, value, worst and best; null where undefined.

    responses: what `read` returned; or a frame with run, question and verdict, and any other of its
    columns, in which each run has a row for every question ("not asked" leaves one out). worst and
    best are the bounds over every way to take what is unscored or failed. measures: ids; the
    campaign's own if left out. task: of a frame.

    Raises front.RefusedError where a frame does not fit, or there is no such measure.

    >>> score(read("log.csv"), ["c@1"]).select("run", "value").rows()
    [('a', 0.75), ('b', 0.5)]
    """
    known = as_responses(responses, task)
    campaign = logs.with_measures(known.campaign, measures or [])
    found = scoring.score_store(
        known.store, [campaign.measure(id) for id in campaign.measures], campaign.policy
    )
    return named_by_measure(found)


def compare(
    responses: Responses | pl.DataFrame,
    a: str,
    b: str,
    measures: Sequence[str] | None = None,
    task: str = "qa",
) -> Comparison:
    """Compare run b with run a on the questions that both were asked; arguments as of score.

    measures: ids; if left out, those that `nonresponse compare` shows of files. Raises
    front.RefusedError where there is no such run, or no such question.

    >>> print(*compare(read("log.csv"), "a", "b", ["accuracy"]).sentences[2:], sep="\\n")
    By correct − cost · wrong (not tested), a scores higher wherever a wrong answer costs anything.
    2 questions changed: 1 from correct to wrong, 1 from unanswered to correct.
    """
    known = as_responses(responses, task, [a, b])
    campaign = logs.to_compare(known.campaign, measures or measures_by_data(known.store))
    return compare_runs(campaign, known.store, a, b, known.clusters)


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The evaluation of files.

    leaderboard: a row per run, as leaderboard.parquet of the workflow. differences: a row per
    measure and pair of runs, as reliability/comparisons. sentences: what the page says of both.
    responses: as `read` returns them. notes: what to know of the files.
    """

    name: str
    leaderboard: pl.DataFrame
    differences: pl.DataFrame
    sentences: list[str]
    responses: Responses
    notes: Sequence[str]
    topics: list[Any]

    def __repr__(self) -> str:
        from nonresponse.report import document

        return document.plain(self.name, self.topics)

    def _repr_html_(self) -> str:
        from nonresponse.report import document

        return document.html(self.topics)


@refuse_without_extra()
def evaluate(
    files: Paths, name: str | None = None, measures: Sequence[str] | None = None, **options: Any
) -> Evaluation:
    """Return leaderboard, differences and sentences, as the workflow makes them. Arguments and
    errors as of read.

    >>> evaluate("log.csv", measures=["c@1"]).leaderboard.select("run", "c@1").rows()
    [('a', 0.75), ('b', 0.5)]
    """
    from nonresponse.front import local
    from nonresponse.front.evaluation import notes_of_logs
    from nonresponse.report import model
    from nonresponse.workflow import paths

    what = campaigns.known(as_list(files), name, options)
    with TemporaryDirectory() as folder:
        responses = read_into(what, Path(folder), measures)
        campaign = responses.campaign
        local.rank(campaign)
        results = Path(campaign.folder)
        board = pl.read_parquet(results / "leaderboard.parquet")
        pairs = by_measure(map(Path, paths.comparisons(campaign)), "comparisons")
        topics = [*model.read_sections(results / "leaderboard.json").values()]
        sentences = [sentence for topic in topics for sentence in topic.sentences]
        notes = [*responses.notes, *notes_of_logs(campaign)]
    differences = named_by_measure(pairs)
    return Evaluation(what.name, board, differences, sentences, responses, notes, topics)
