"""`format: lighteval`: the details of LightEval, .parquet, with the results beside them (docs/formats.md)."""

import io
from collections.abc import Iterator
from pathlib import Path

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats.json_pieces import value_of
from nonresponse.formats.logs import (
    Log,
    Sample,
    Statement,
    at,
    errors_only,
    finite,
    mean,
    number,
    records,
    said,
    softmax,
    text,
    verdict_of,
)
from nonresponse.formats.text import UNPACKED, TooLarge, read_bytes

DETAILS, RESULTS = "details", "results"
COLUMNS = ("doc", "metric", "model_response")  # older files have them with __ on both sides
EXPECTED = "the details of LightEval, .parquet"
MISSING = object()  # a metric that a row does not have
ROWS = 1000  # that are decoded at a time


def files_of(path: str, options: dict) -> list[str]:
    """The details, and their results if these are there."""
    results = results_of(path)
    return [path, *([results] if results else [])]


def place_of(path: str) -> tuple[Path, str, str] | None:
    """The folder of all output, the model and the date, as the path details/{model}/{date}/ has them."""
    folders = Path(path).absolute().parent.parts
    if DETAILS not in folders[:-2]:
        return None
    place = len(folders) - 1 - folders[::-1].index(DETAILS)
    return Path(*folders[:place]), "/".join(folders[place + 1 : -1]), folders[-1]


def results_of(path: str) -> str | None:
    """The results of the same model and date."""
    place = place_of(path)
    if not place:
        return None
    folder, model, date = place
    file = folder / RESULTS / model / f"results_{date}.json"
    return str(file) if file.is_file() else None


def read_log(path: str, options: dict) -> Log:
    """A response per row, by one metric; its mean is what the results state."""
    faults: list[Fault] = []
    file, place = results_of(path), place_of(path)
    results = value_of(file, options, faults) if file else None
    run = text(at(results, "config_general", "model_name"))
    run = run or text(at(results, "config_general", "model_config", "model_name")) or (place[1] if place else None)
    if run is None and not faults:
        faults.append(Fault(path, 0, "no name of the model", "a file in details/{model}/{date}/, or its results"))
    metric: str | None = options.get("metric")
    metrics: list[str] = []
    samples: list[Sample] = []
    values: list[float | None] = []
    tasks: dict[str, None] = {}
    for line, doc, scores, response in rows(path, options, faults):
        metrics = metrics or list(scores)
        metric = metric or ("acc" if "acc" in metrics else metrics[0] if metrics else None)
        given, id, task = scores.get(str(metric), MISSING), text(at(doc, "id")), text(at(doc, "task_name"))
        value = number(given)
        if given is MISSING:
            expected = f"one of {listed(scores)}" if scores else EXPECTED
            faults.append(Fault(path, line, f"no metric {shown(metric)}" if metric else "no metric", expected))
        elif id is None or task is None:
            faults.append(Fault(path, line, "a row without doc.id or doc.task_name", EXPECTED))
        elif (verdict := verdict_of(value, options.get("best", 1))) is None or (value is None and given is not None):
            faults.append(Fault(path, line, f"the {metric} {shown(given)}", "a number from 0 to 1"))
        else:
            answer, confidence = answer_of(doc, response)
            samples.append(Sample(line, str(run), f"{task}/{id}", verdict, 1, confidence, task, answer))
            values.append(value)
            tasks[task] = None
    of_tasks = [records(at(results, "config_tasks", task, "metrics")) for task in tasks]
    told = [at(one, "higher_is_better") for own in of_tasks for one in own if at(one, "metric_name") == metric]
    faults += errors_only(path, metric, told) if samples and "best" not in options else []
    if faults or not samples:
        return Log([], [], faults)
    notes = [f"metric {shown(metric)} of {listed(metrics)}"] if len(metrics) > 1 else []
    stated = finite(at(results, "results", next(iter(tasks)), str(metric)))
    why = "" if file else "no results_*.json for it"
    if not why and (stated is None or len(tasks) > 1):
        why = f"its results state no {metric} of {listed(tasks)}"
    said = Statement(str(run), str(metric), stated, None if why else mean(values), None, why, tuple(notes))
    return Log(samples, [said], [])


def rows(path: str, options: dict, faults: list[Fault]) -> Iterator[tuple[int, object, dict, object]]:
    """Number, document, metrics and response of each row."""
    import pyarrow
    from pyarrow import parquet

    from nonresponse.formats.records import POLARS_ERRORS, parquet_table

    data, found = read_bytes(path, options)
    faults += found
    if found:
        return
    most = options.get("unpacked", UNPACKED)["gigabytes"]
    line = 0
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        names = [
            next((name for name in (own, f"__{own}__") if name in file.schema_arrow.names), None) for own in COLUMNS
        ]
        if None in names:
            faults.append(Fault(path, 0, f"the columns {listed(file.schema_arrow.names)}", f"{', '.join(COLUMNS)}"))
            return
        parquet_table(data, most, [*filter(None, names)])
        for batch in file.iter_batches(batch_size=ROWS, columns=names):
            for row in batch.to_pylist():
                line += 1
                doc, scores, response = (row[name] for name in names)
                if isinstance(doc, dict) and isinstance(scores, dict):
                    yield line, doc, scores, response
                else:
                    faults.append(Fault(path, line, f"a row with {shown(doc)} and {shown(scores)}", EXPECTED))
    except TooLarge as error:
        faults.append(Fault(path, 0, *error.args))
    except (*POLARS_ERRORS, pyarrow.ArrowException, OSError, ValueError) as error:
        faults.append(Fault(path, 0, f"content that is not Parquet ({shown(error, 80)})", "a whole Parquet file"))


def answer_of(doc: object, response: object) -> tuple[str | None, float | None]:
    """What was generated, or the choice that is likeliest and how likely it is among them."""
    choices, scores = at(doc, "choices"), at(response, "logprobs")
    if isinstance(choices, list) and isinstance(scores, list) and len(choices) == len(scores):
        known = [number(score) for score in scores]
        best = softmax([score for score in known if score is not None]) if None not in known else None
        if best:
            return text(choices[best[0]]), best[1]
    return text(at(response, "text_post_processed", 0)) or said(at(response, "text", 0)), None
