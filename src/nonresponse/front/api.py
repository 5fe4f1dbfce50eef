"""Functions for a notebook: read files as verdicts, score and compare these, or evaluate files as
the workflow does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from nonresponse.detect import mapping
from nonresponse.front import RefusedError, local
from nonresponse.front import responses as judging
from nonresponse.front.campaign import AskedError, find_campaign, select_measures
from nonresponse.front.comparison import Comparison
from nonresponse.front.extras import refuse_without_extra
from nonresponse.front.pairs import compare_runs
from nonresponse.front.responses import Responses
from nonresponse.scoring import score as scoring
from nonresponse.statistics.analyses import read_tables, stack_tables
from nonresponse.tables import read_parquet
from nonresponse.workflow import paths

Files = str | Path | Sequence[str | Path] | pl.DataFrame


@refuse_without_extra()
def read(files: Files, name: str | None = None, **options: Any) -> Responses:
    """Read files or folders as responses with verdicts; a Polars frame as a file of that table.

    name: of the campaign; made of the files if left out. options: keys of a campaign in
    config.yaml, such as missing="exclude", for what the files do not say.

    Raises front.RefusedError where the files are not one campaign, where no option decides what
    they leave open, and beside gates, scenarios and systems, which only the workflow takes.

    >>> read("log.csv").frame.select("question", "verdict").rows()
    [('q1', 'correct'), ('q2', 'unanswered'), ('q1', 'wrong'), ('q2', 'correct')]
    """
    with TemporaryDirectory() as folder, list_paths(files) as names, name_arguments():
        return judging.judge_files(find_campaign(names, name, options), Path(folder))


@contextmanager
def list_paths(files: Files) -> Iterator[list[str]]:
    """Yield one or several paths as a list of texts; of a frame, that of a file with its rows.

    RefusedError for anything else.
    """
    if isinstance(files, pl.DataFrame):
        with TemporaryDirectory() as folder:
            path = f"{folder}/responses.parquet"
            files.write_parquet(path)
            try:
                yield [path]
            except RefusedError as error:
                error.args = (str(error).replace(f"{folder}/", ""),)
                raise
        return
    paths = [files] if isinstance(files, str | Path) else files
    names = [*paths] if isinstance(paths, Iterable) else [None]
    if not all(isinstance(name, str | Path) for name in names):
        raise RefusedError(
            f"The files are of type {type(files).__name__}: give a path, a list of paths or a "
            "pl.DataFrame"
        )
    yield [str(name) for name in names]


@contextmanager
def name_arguments() -> Iterator[None]:
    """Name arguments in the questions of AskedError, where the command names `--set`."""
    try:
        yield
    except AskedError as error:
        page = mapping.render_page(error.campaigns, error.scan, python=True)
        error.args = (page.rstrip("\n"),)
        raise


def get_responses(
    responses: Responses | pl.DataFrame, task: str, runs: Sequence[str] | None = None
) -> Responses:
    """Return what `read` returned, or the verdicts of a frame."""
    if isinstance(responses, Responses):
        return responses
    return judging.read_frame(responses, task, runs)


def score(
    responses: Responses | pl.DataFrame, measures: Sequence[str] | None = None, task: str = "qa"
) -> pl.DataFrame:
    """Return measure, assessor, run, value, worst and best; null where undefined.

    responses: what `read` returned; or a frame with run, question and verdict, and any other of its
    columns, in which each run has a row for every question ("not asked" leaves one out). worst and
    best: the bounds over every way to take what is unscored or failed. measures: ids; the
    campaign's own if left out. task: of a frame.

    Raises front.RefusedError where a frame does not fit, or there is no such measure.

    >>> score(read("log.csv"), ["c@1"]).select("run", "value").rows()
    [('a', 0.75), ('b', 0.5)]
    """
    source = get_responses(responses, task)
    campaign = select_measures(source.campaign, measures or [])
    functions = [campaign.measure(id) for id in campaign.measures]
    return stack_tables(scoring.score_store(source.store, functions, campaign.policy))


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
    By correct − cost · wrong per question, a is best at every cost.
    2 questions changed: 1 from correct to wrong, 1 from unanswered to correct.
    """
    source = get_responses(responses, task, [a, b])
    return compare_runs(source, a, b, measures or judging.find_measures(source.store))


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The evaluation of files.

    leaderboard: a row per run, as leaderboard.parquet of the workflow. differences: a row per
    measure and pair of runs, the score of a less that of b. sentences: what the page says of both.
    responses: as `read` returns them. notes: what to know of the files. sections: what is shown.
    """

    name: str
    leaderboard: pl.DataFrame
    differences: pl.DataFrame
    sentences: list[str]
    responses: Responses
    notes: Sequence[str]
    sections: list[Any]

    def __repr__(self) -> str:
        from nonresponse.report import document

        return document.render_plain(self.name, self.sections)

    def _repr_html_(self) -> str:
        from nonresponse.report import document

        return document.render_html(self.sections)


@refuse_without_extra()
def evaluate(
    files: Files, name: str | None = None, measures: Sequence[str] | None = None, **options: Any
) -> Evaluation:
    """Return leaderboard, differences and sentences, as the workflow makes them. Arguments and
    errors as of read.

    >>> evaluate("log.csv", measures=["c@1"]).leaderboard.select("run", "c@1").rows()
    [('a', 0.75), ('b', 0.5)]
    """
    from nonresponse.report import model

    with TemporaryDirectory() as folder, list_paths(files) as names, name_arguments():
        block = find_campaign(names, name, options)
        responses = judging.judge_files(block, Path(folder), measures)
        campaign = responses.campaign
        local.rank(campaign)
        results = Path(campaign.folder)
        board = read_parquet(results / "leaderboard.parquet")
        pairs = read_tables(map(Path, paths.comparisons(campaign)), "comparisons")
        sections = [*model.read_sections(results / "leaderboard.json").values()]
    sentences = [sentence for section in sections for sentence in section.sentences]
    return Evaluation(
        block.name,
        board,
        stack_tables(pairs),
        sentences,
        responses,
        responses.notes,
        sections,
    )
