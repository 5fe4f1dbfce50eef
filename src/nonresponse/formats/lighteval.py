"""`format: lighteval`: the details of LightEval, .parquet, with the results beside them (docs/logs.md)."""

from collections.abc import Iterator
from pathlib import Path

from nonresponse.faults import Fault, listed, shown
from nonresponse.formats import logs
from nonresponse.formats.json_pieces import value_of
from nonresponse.formats.logs import Log, Metric, Sample, Statement, at, passage, records, said, text, whole
from nonresponse.formats.text import UNPACKED, Faults, Unreadable, on_disk
from nonresponse.settings import Files

DETAILS, RESULTS = "details", "results"
COLUMNS = ("doc", "metric", "model_response")  # older files have them with __ on both sides
EXPECTED = "the details of LightEval, .parquet"


def files_of(path: str, options: Files) -> list[str]:
    """The details, and the results of the same model and date if these are there."""
    if not (place := place_of(path)):
        return [path]
    folder, model, date = place
    results = folder / RESULTS / model / f"results_{date}.json"
    return [path, *([str(results)] if results.is_file() else [])]


def place_of(path: str) -> tuple[Path, str, str] | None:
    """The folder of all output, model and date, from a path with details/{model}/{date}/; null for any other path."""
    folders = Path(path).absolute().parent.parts
    if DETAILS not in folders[:-2]:
        return None
    place = len(folders) - 1 - folders[::-1].index(DETAILS)
    return Path(*folders[:place]), "/".join(folders[place + 1 : -1]), folders[-1]


def read_log(path: str, options: Files) -> Log:
    """A response per row, by one metric; the results state the mean of this metric."""
    faults, place = Faults(path), place_of(path)
    results = [value_of(file, options, faults) for file in files_of(path, options)[1:]]
    config = at(results, 0, "config_general")
    run = text(at(config, "model_name")) or text(at(config, "model_config", "model_name"))
    run = run or (place[1] if place else None)
    if run is None and not faults:
        faults.add(0, "no name of the model", "a file in details/{model}/{date}/, or its results")
    metric, samples = Metric(options, faults), list[Sample]()
    for line, doc, scores, response in rows(path, options, faults):
        id, task = text(at(doc, "id")), text(at(doc, "task_name"))
        problem = ["a row without doc.id or doc.task_name", EXPECTED] if id is None or task is None else []
        if verdict := metric.verdict(line, scores, list(scores), EXPECTED, problem):
            answer, confidence = answer_of(doc, response)
            gold = whole(at(doc, "gold_index", 0) if isinstance(at(doc, "gold_index"), list) else at(doc, "gold_index"))
            target = None if gold is None else passage(at(doc, "choices", gold))
            known = (line, str(run), f"{task}/{id}", verdict, 1, confidence, task, answer)
            samples.append(Sample(*known, asked=passage(at(doc, "query")), target=target, share=metric.share))
    tasks = dict.fromkeys(str(sample.category) for sample in samples)
    of_tasks = [one for task in tasks for one in records(at(results, 0, "config_tasks", task, "metrics"))]
    if samples:
        metric.check_direction(at(one, "higher_is_better") for one in of_tasks if at(one, "metric_name") == metric.name)
    if faults or not samples:
        return Log([], [], faults)
    measure = str(metric.name)
    stated = logs.finite(at(results, 0, "results", next(iter(tasks)), measure))
    why = "" if results else "no results_*.json for it"
    if not why and (stated is None or len(tasks) > 1):
        why = f"its results state no {measure} of {listed(tasks)}"
    recomputed = None if why else logs.mean(metric.values)
    said = Statement(str(run), measure, stated, recomputed, None, why, metric.notes, chosen=metric.chosen)
    return Log(samples, [said], [])


def choose(path: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """For look.py: a metric, if the names of several do not tell which counts, and that open question."""
    return logs.ask_which(next((scores for _, _, scores, _ in rows(path, {}, Faults(path))), {}))


def rows(path: str, options: Files, faults: Faults) -> Iterator[tuple[int, object, dict, object]]:
    """Number, document, metrics and response of each row."""
    from nonresponse.formats import parquet

    unreadable, line = Faults(path), 0
    try:
        with on_disk(path, options, unreadable) as file:
            faults += unreadable
            there = [] if unreadable else parquet.columns_of(file)
            names = [next((name for name in (own, f"__{own}__") if name in there), "") for own in COLUMNS]
            if not all(names):
                faults += [] if unreadable else [Fault(path, 0, f"the columns {listed(there)}", ", ".join(COLUMNS))]
                return
            for piece in parquet.pieces(file, Path(path).stat().st_size, options.get("unpacked", UNPACKED), names):
                for doc, scores, response in piece.select(names).iter_rows():
                    line += 1
                    if isinstance(doc, dict) and isinstance(scores, dict):
                        yield line, doc, scores, response
                    else:
                        faults.add(line, f"a row with {shown(doc)} and {shown(scores)}", EXPECTED)
    except Unreadable as error:
        faults.add(0, *error.args)


def answer_of(doc: object, response: object) -> tuple[str | None, float | None]:
    """The likeliest choice and its probability among the choices; where these have no scores, the output and null."""
    choices, scores = at(doc, "choices"), at(response, "logprobs")
    if isinstance(choices, list) and isinstance(scores, list) and len(choices) == len(scores):
        known = [logs.number(score) for score in scores]
        best = logs.softmax([score for score in known if score is not None]) if None not in known else None
        if best:
            return text(choices[best[0]]), best[1]
    return text(at(response, "text_post_processed", 0)) or said(at(response, "text", 0)), None
