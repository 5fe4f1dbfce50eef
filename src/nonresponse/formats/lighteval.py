"""`format: lighteval`: the details of LightEval, .parquet, with the results beside them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nonresponse.faults import listed, shown
from nonresponse.formats.declared import Sign, Spec
from nonresponse.formats.log_records import ALL, BOTH, NOTHING_BUT
from nonresponse.formats.logs import dig, number, passage, records, softmax, text, whole
from nonresponse.formats.text import UNPACKED, Faults, UnreadableError, on_disk

COLUMNS = ("doc", "metric", "model_response")  # older files have them with __ on both sides


def results(path: str, names: dict[str, str]) -> Path | None:
    return Path(names["output"], "results", names["model"], f"results_{names['date']}.json")


def rows(reading: Any) -> Iterator[tuple[int, dict]]:
    """Yield each row, with the columns of all versions under the names of the newest."""
    from nonresponse.formats import parquet

    path, options, faults = reading.path, reading.options, reading.faults
    unreadable, line = Faults(path), 0
    try:
        with on_disk(path, options, unreadable) as file:
            faults += unreadable
            there = [] if unreadable else parquet.columns_of(file)
            names = [
                next((name for name in (own, f"__{own}__") if name in there), "") for own in COLUMNS
            ]
            if not all(names):
                if not unreadable:
                    faults.add(0, f"the columns {listed(there)}", ", ".join(COLUMNS))
                return
            for piece in parquet.pieces(
                file, Path(path).stat().st_size, options.get("unpacked", UNPACKED), names
            ):
                for doc, scores, response in piece.select(names).iter_rows():
                    line += 1
                    if isinstance(doc, dict) and isinstance(scores, dict):
                        yield line, {"doc": doc, "metric": scores, "model_response": response}
                    else:
                        faults.add(line, f"a row with {shown(doc)} and {shown(scores)}", SPEC.about)
    except UnreadableError as error:
        faults.add(0, *error.args)


def answer(reading: Any, row: dict, score: object) -> tuple[str | None, float | None]:
    """Return the likeliest choice and its probability; where choices have no scores, the output and
    null."""
    choices, scores = dig(row, "doc", "choices"), dig(row, "model_response", "logprobs")
    if isinstance(choices, list) and isinstance(scores, list) and len(choices) == len(scores):
        known = [number(score) for score in scores]
        if (
            best := softmax([score for score in known if score is not None])
            if None not in known
            else None
        ):
            return text(choices[best[0]]), best[1]
    paths = ("model_response.text_post_processed.0", "model_response.text.0")
    return reading.text_at(row, paths), None


def target(reading: Any, row: dict) -> str | None:
    """Return the right choice."""
    gold = dig(row, "doc", "gold_index")
    place = whole(dig(gold, 0) if isinstance(gold, list) else gold)
    return None if place is None else passage(dig(row, "doc", "choices", place))


def better(reading: Any) -> Iterator[object]:
    """Yield what the results say of whether more of the metric is better."""
    for task in dict.fromkeys(str(sample.category) for sample in reading.samples):
        for one in records(dig(reading.head, "config_tasks", task, "metrics")):
            if one.get("metric_name") == reading.score:
                yield one.get("higher_is_better")


SPEC = Spec(
    "lighteval",
    "the details of LightEval, .parquet",
    (*ALL, "partial", "unanswered", "unscored"),
    options=("metric", "best", *BOTH),
    tells=("scores",),
    blind=f"{NOTHING_BUT}, an error, or abstention from an answer",
    signs=(Sign(".parquet", "doc metric"), Sign(".parquet", "__doc__ __metric__")),
    paths=(r"(?P<output>.*)/details/(?P<model>.+)/(?P<date>[^/]+)/[^/]+",),
    results=results,
    records=rows,
    run=(
        "head:config_general.model_name",
        "head:config_general.model_config.model_name",
        "{model}",
    ),
    task=("doc.task_name",),
    prefixed=True,
    question=("doc.id",),
    scores="metric",
    better=better,
    answer=answer,
    asked=("doc.query",),
    target=target,
    headlines=(("results", "{task}", "{metric}"),),
    unstated="its results state no {metric} of {task}, or there are several tasks",
    no_results="no results_*.json for it",
)
