"""How far the scores of a campaign can be trusted: one analysis at a time, then all of them on one page."""

import json
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
Campaign = Annotated[str, typer.Option(help="its name")]
Task = Annotated[str, typer.Option(help="a task, such as qa")]
Measures = Annotated[str, typer.Option(help="ids, comma-separated")]
Official = Annotated[str, typer.Option(help="the official assessor; may be left out when there is only one")]
Level = Annotated[float, typer.Option(help="the error rate that is put up with, such as 0.05")]
Folder = Annotated[Path, typer.Option(help="the campaign's results")]
In = Annotated[Path, typer.Option(help="a Parquet file to read")]
Out = Annotated[Path, typer.Option(help="a file to write")]
Analysis = Annotated[str, typer.Argument(help="stability, swap, sample_size or comparison")]
Id = Annotated[str, typer.Option(help="its id, such as c@1")]
Policy = Annotated[str, typer.Option(help="what unscored, error and partial count as, a JSON object")]
Options = Annotated[str, typer.Option(help="the configuration's settings of this analysis, a JSON object")]


@app.command()
def measure(
    analysis: Analysis,
    campaign: Campaign,
    task: Task,
    measure: Id,
    file: In,
    policy: Policy,
    options: Options,
    output: Annotated[list[Path], typer.Option(help="the Parquet file to write; of comparison intervals, then pairs")],
    counted: Annotated[list[Path], typer.Option(help="what all blocks counted; left out: counted here")] = [],  # noqa: B006
    official: Official = "",
) -> None:
    """An analysis of one measure, under the official judgments."""
    from nonresponse import tables
    from nonresponse.reliability import analyses

    settings = json.loads(options)
    official = official or analyses.only_assessor(file)
    seen = outcomes(task, measure, file, policy, official)
    with size_fault(campaign):
        # One after the other: the counters of a block may be large.
        parts = map(counters_in, counted) if counted else [analyses.counted(analysis, seen, campaign, settings)]
        frames = analyses.TABLES[analysis](seen, official, campaign, settings, analyses.added(parts))
    for frame, path in zip(frames, output, strict=True):
        tables.write(frame, path)


@app.command()
def block(
    analysis: Analysis,
    campaign: Campaign,
    task: Task,
    measure: Id,
    file: In,
    policy: Policy,
    options: Options,
    block: Annotated[int, typer.Option(help="which one, from 0")],
    blocks: Annotated[int, typer.Option(help="of so many")],
    output: Annotated[Path, typer.Option(help="the .npz file to write")],
    official: Official = "",
) -> None:
    """What a block of the trials of an analysis counts; `measure --counted` puts the blocks together."""
    import numpy as np
    from nonresponse import tables
    from nonresponse.reliability import analyses

    seen = outcomes(task, measure, file, policy, official)
    with size_fault(campaign):
        counters = analyses.counted(analysis, seen, campaign, json.loads(options), block, blocks)
    with tables.replacing(output) as part, part.open("wb") as file:
        np.savez(file, allow_pickle=False, **counters)


def outcomes(task: str, measure: str, file: Path, policy: str, official: str):
    from nonresponse import measures
    from nonresponse.reliability import analyses

    return analyses.read(file, measures.get(task, measure), json.loads(policy), official)


def counters_in(path: Path) -> dict:
    import numpy as np

    with np.load(path, allow_pickle=False) as counters:
        return dict(counters)


@contextmanager
def size_fault(campaign: str):
    from nonresponse.reliability import subsets

    try:
        yield
    except subsets.SizeError as error:
        raise SystemExit(f"campaigns.{campaign}: {error}") from None


@app.command()
def agreement(
    task: Task,
    file: In,
    correct: Annotated[str, typer.Option(help="the labels that count as correct, a JSON list; [] if there are none")],
    output: Out,
    patterns: Out,
    official: Official = "",
) -> None:
    """Agreement among assessors, from their judgments or, where responses came graded, from the verdicts."""
    import polars as pl
    from nonresponse import tables, tasks
    from nonresponse.reliability import agreement

    own, right, table = tasks.get(task), json.loads(correct), pl.read_parquet(file)
    if own.references:
        labels = agreement.labels_of_references(table)
    elif right:
        labels = agreement.read_labels(table)
    else:
        labels, right = agreement.labels_of_verdicts(table, own.trivial), ["correct"]
    tables.write_text(agreement.agreement(labels, official, right).write_csv(), output)
    # Of references there are as many patterns as answers.
    patterned = labels.clear() if own.references else labels
    tables.write_text(agreement.patterns(patterned, official).write_csv(), patterns)


@app.command()
def rankings(task: Task, measures: Measures, folder: Folder, output: Out, official: Official = "") -> None:
    """Kendall's tau between rankings: of every two assessors, and of every two measures."""
    import polars as pl
    from nonresponse import tables, tasks
    from nonresponse.measures import get
    from nonresponse.reliability import ranking

    scores = {id: pl.read_parquet(folder / "scores" / f"{id}.parquet") for id in measures.split(",")}
    higher = {id: get(task, id).higher_is_better for id in scores}
    official = official or next(iter(scores.values()))["assessor"].min()
    found = ranking.rankings(scores, higher, official, tasks.get(task).trivial)
    tables.write_text(found.write_csv(), output)


@app.command()
def sensitivity(task: Task, measures: Measures, level: Level, published: In, output: Out) -> None:
    """Required difference, highest value and sensitivity of every measure (Peñas & Rodrigo 2011, table 2)."""
    import polars as pl
    from nonresponse import tables
    from nonresponse.reliability import gathered

    found = gathered.sensitivity(of_measures(output.parent / "swap", measures), level)
    figures = pl.read_csv(published)
    # Those of another task are of other measures, whatever their names.
    figures = figures if task == gathered.PUBLISHED_TASK else figures.clear()
    tables.write_text(gathered.beside(found, figures).write_csv(), output)


@app.command()
def questions_needed(measures: Measures, level: Level, output: Out, needed: Out) -> None:
    """For every measure the difference that all questions can tell, and the questions that a difference needs."""
    from nonresponse import tables
    from nonresponse.reliability import gathered

    found = of_measures(output.parent / "sample_size", measures)
    for frame, path in zip(gathered.sample_sizes(found, level), (output, needed), strict=True):
        tables.write_text(frame.write_csv(), path)


@app.command()
def discriminative_power(measures: Measures, level: Level, output: Out) -> None:
    """For every measure the shares of pairs of runs that can be told apart."""
    from nonresponse import tables
    from nonresponse.reliability import gathered

    found = gathered.discriminative_power(of_measures(output.parent / "comparisons", measures), level)
    tables.write_text(found.write_csv(), output)


def of_measures(folder: Path, measures: str) -> dict:
    """The tables of one analysis, by measure."""
    import polars as pl

    return {id: pl.read_parquet(folder / f"{id}.parquet") for id in measures.split(",")}


@app.command()
def page(campaign: Campaign, task: Task, measures: Measures, folder: Folder, options: Options) -> None:
    """Figures, and a page that shows them with what they found."""
    import polars as pl
    from nonresponse.reliability import page

    ids, option = measures.split(","), json.loads(options)
    official = option.get("official") or pl.read_parquet(folder / "counts.parquet")["assessor"].min()
    page.write(page.Campaign(campaign, task, ids, folder, option, official))


if __name__ == "__main__":
    app()
