"""`format: lighteval`: the details of LightEval, .parquet, with the results beside them."""

from collections.abc import Iterator
from typing import Any

from nonresponse.faults import quote, quote_names
from nonresponse.formats.declared import ONLY_A_METRIC, SHARED_OPTIONS, Sign, Spec
from nonresponse.formats.logs import cut_text, dig, get_integer, get_number, get_text, softmax

COLUMNS = ("doc", "metric", "model_response")  # older files have them between __ and __


def read_rows(reading: Any, records: object) -> Iterator[tuple[int, dict]]:
    """Yield each row, with the columns of all versions under the names of the newest."""
    from nonresponse.formats import parquet

    old_names, line = {f"__{name}__": name for name in COLUMNS}, 0
    path, faults = reading.path, reading.faults
    for frame in parquet.read_frames(path, faults, {*COLUMNS, *old_names}):
        names = {name: old_names.get(name, name) for name in frame.columns}
        if missing := [name for name in COLUMNS if name not in names.values()]:
            faults.add(0, f"no column {quote_names(missing)}", ", ".join(COLUMNS))
            return
        columns = {ours: name for name, ours in names.items()}
        for row in frame.select(**columns).iter_rows(named=True):
            line += 1
            if isinstance(row["doc"], dict) and isinstance(row["metric"], dict):
                yield line, row
            else:
                message = f"a row with {quote(row['doc'])} and {quote(row['metric'])}"
                faults.add(line, message, SPEC.about)


def find_answer(reading: Any, row: dict, score: object) -> tuple[str | None, float | None]:
    """Return the likeliest choice and its probability; without scores, the output and null."""
    choices, scores = dig(row, "doc", "choices"), dig(row, "model_response", "logprobs")
    if isinstance(choices, list) and isinstance(scores, list) and len(choices) == len(scores):
        numbers = [number for number in map(get_number, scores) if number is not None]
        if len(numbers) == len(scores) and (best := softmax(numbers)):
            return get_text(choices[best[0]]), best[1]
    paths = ("model_response.text_post_processed.0", "model_response.text.0")
    return reading.find_text(row, paths), None


def find_target(reading: Any, row: dict) -> str | None:
    """Return the right choice."""
    gold = dig(row, "doc", "gold_index")
    position = get_integer(dig(gold, 0) if isinstance(gold, list) else gold)
    return None if position is None else cut_text(dig(row, "doc", "choices", position))


SPEC = Spec(
    "lighteval",
    "the details of LightEval, .parquet",
    ("partial", "unanswered", "unscored"),
    options=("metric", "best", *SHARED_OPTIONS),
    tells=("scores",),
    limitation=f"{ONLY_A_METRIC}, and refusals or failures of the system look like answers",
    signs=(Sign(".parquet", "doc metric"), Sign(".parquet", "__doc__ __metric__")),
    paths=(r"(?P<output>.*)/details/(?P<model>.+)/(?P<date>[^/]+)/[^/]+",),
    results=("{output}/results/{model}/results_{date}.json",),
    records=read_rows,
    run=(
        "head:config_general.model_name",
        "head:config_general.model_config.model_name",
        "{model}",
    ),
    task=("doc.task_name",),
    task_in_name=True,
    shots=r"\|\d+(\|[01])?$",
    question=("doc.id",),
    scores="metric",
    better=(("config_tasks", "{task}", "metrics", "metric_name={metric}", "higher_is_better"),),
    answer=find_answer,
    asked=("doc.query",),
    target=find_target,
    headlines=(("results", "{task}", "{metric}"),),
    unstated="no results state {metric} of {task}, or there are several tasks",
)
