"""`format: lm-eval`: samples_*.jsonl of the LM Evaluation Harness, with the results beside it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nonresponse.faults import listed, shown
from nonresponse.formats import metrics
from nonresponse.formats.declared import Sign, Spec
from nonresponse.formats.json_pieces import lines_of
from nonresponse.formats.log_reader import listed_in
from nonresponse.formats.log_records import ALL, BOTH, NOTHING_BUT, OF_HARNESS
from nonresponse.formats.logs import (
    Statement,
    clean_text,
    dig,
    number,
    passage,
    records,
    softmax,
    text,
    whole,
)
from nonresponse.formats.squad_rule import normalised

# Not metrics
OURS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
EXACT, NONE = "exact", "unanswerable"  # the metric of SQuAD 2.0, and its word for no answer


def results(path: str, names: dict[str, str]) -> Path | None:
    """Return the results of the same date, else the only ones in the folder."""
    there = sorted(Path(path).parent.glob("results_*.json"))
    dated = [file for file in there if names["date"] and file.stem == f"results_{names['date']}"]
    return next(iter(dated or (there if len(there) == 1 else [])), None)


def lines(reading: Any) -> Iterator[tuple[int, dict]]:
    """Yield the lines of the filter that counts: that of the options, else the first."""
    filters: dict[str, None] = {}
    metric, _, wanted = str(reading.options.get("metric", "")).partition(",")
    reading.score = metric or None
    for line, doc in lines_of(reading.path, SPEC.about, reading.options, reading.faults):
        own = text(doc.get("filter")) or "none"
        filters[own] = None
        chosen = reading.names["filter"] = wanted or next(iter(filters))
        if own == chosen:
            yield line, doc
    if filters and reading.names["filter"] not in filters:
        reading.faults.add(
            0, f"no filter {shown(reading.names['filter'])}", f"one of {listed(filters)}"
        )
    reading.chosen += (
        [f"filter {shown(reading.names['filter'])} of {listed(filters)}"]
        if len(filters) > 1
        else []
    )


def scores_of(reading: Any, doc: dict) -> dict:
    """Return a line's metrics: as listed, else (in older versions) all keys with numbers that are
    not OURS.

    Those of SQuAD 2.0 are a pair of prediction and references, of which the metric is a function of
    all lines.
    """
    named = doc.get("metrics")
    if not isinstance(named, list):
        return {
            name: value
            for name, value in doc.items()
            if name not in OURS and number(value) is not None
        }
    if of_squad(doc):
        return {EXACT: doc[EXACT]}
    names = [*named, *filter(metrics.is_abstention, doc)]
    return {name: doc[name] for name in names if isinstance(name, str) and name in doc}


def of_squad(doc: dict) -> bool:
    """Whether a line has the pair of SQuAD 2.0 in the place of a number."""
    pair = doc.get(EXACT)
    return (
        isinstance(pair, list)
        and isinstance(dig(pair, 0, "prediction_text"), str)
        and isinstance(dig(pair, 1, "answers"), dict)
    )


def meaning(reading: Any, doc: dict, pair: Any) -> str | None:
    """Return the verdict on a prediction for SQuAD 2.0 by its own rule; null for any other
    metric."""
    if not of_squad(doc):
        return None
    given, golds = normalised(pair[0]["prediction_text"]), squad_answers(pair)
    if given in ("", NONE):
        return "unanswered"
    return "correct" if given in map(normalised, golds) else "wrong"


def squad_answers(pair: object) -> list[str]:
    """Return the right answers of a question of SQuAD 2.0; none if it has no answer."""
    texts = dig(pair, 1, "answers", "text")
    return (
        [one for one in texts if isinstance(one, str) and normalised(one)]
        if isinstance(texts, list)
        else []
    )


def worth(reading: Any, doc: dict, verdict: str, value: float | None) -> float | None:
    """Return what a line counts; of SQuAD 2.0, what the harness counts, to which NONE is an answer
    as any other."""
    if not of_squad(doc):
        return value
    given, golds = normalised(doc[EXACT][0]["prediction_text"]), squad_answers(doc[EXACT])
    return 100.0 * (given in map(normalised, golds or [""]))


def gold(reading: Any, doc: dict) -> str | None:
    """Return the right answer of a question of SQuAD 2.0, "" if there is none; null where nothing
    is said."""
    return next(iter(squad_answers(doc[EXACT])), "") if of_squad(doc) else None


def answer(reading: Any, doc: dict, score: object) -> tuple[str | None, float | None]:
    """Return the output and null, or the likeliest choice and its probability; `acc_norm` divides
    by the length."""
    given = doc.get("filtered_resps")
    given = given if isinstance(given, list) else []
    if of_squad(doc):
        none = number(dig(doc, EXACT, 0, "no_answer_probability"))
        own = (
            meaning(reading, doc, doc[EXACT]) != "unanswered"
            and none is not None
            and 0 <= none <= 1
        )
        return clean_text(
            doc[EXACT][0]["prediction_text"]
        ), 1 - none if own and none is not None else None
    # Not a likelihood for each choice
    if not ({*map(type, given)} <= {list} and {*map(len, given)} <= {2}):
        # A blocked answer may be null
        return ("" if given[0] is None else clean_text(given[0])), None
    # The second half is without the question
    if "acc_mutual_info" in reading.scores and len(given) % 2 == 0:
        given = given[: len(given) // 2]
    try:
        scores = [float(score) for score, _ in given]
        if reading.score == "acc_norm":
            scores = [
                score / len(choice(doc, place).removeprefix(" "))
                for place, score in enumerate(scores)
            ]
    except (ValueError, TypeError, ZeroDivisionError):
        return None, None
    best = softmax(scores)
    return (choice(doc, best[0]) or None, best[1]) if best else (None, None)


def choice(doc: dict, place: object) -> str:
    """Return the text of a choice by its number; "" if there is none, as for a target that is no
    number."""
    return text(dig(doc, "arguments", f"gen_args_{place}", "arg_1")) or ""


def target(reading: Any, doc: dict) -> str | None:
    return passage(choice(doc, doc.get("target")), doc.get("target"))


def better(reading: Any) -> Iterator[object]:
    """Yield what the results say of whether more of the metric is better."""
    task = reading.names["task"]
    yield dig(reading.head, "higher_is_better", task, str(reading.score))
    yield from (
        one.get("higher_is_better")
        for one in metric_list(reading)
        if one.get("metric") == reading.score
    )


def metric_list(reading: Any) -> list[dict]:
    return records(dig(reading.head, "configs", reading.names["task"], "metric_list"))


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    """Return the statement, with how many documents there are, and why it cannot be reconciled."""
    task = reading.names["task"]
    effective, original = (
        whole(dig(reading.head, "n-samples", task, name)) for name in ("effective", "original")
    )
    limited = effective is not None and effective < (original or 0)
    aggregation = (
        listed_in(metric_list(reading), "metric", reading.score).get("aggregation") or "mean"
    )
    why = (
        f"aggregated by {shown(aggregation)}"
        if aggregation != "mean" and reading.results
        else own.why
    )
    notes = [f"limited to {effective} of {original} documents"] * limited
    return own._replace(
        why=why, notes=(*own.notes, *notes), recomputed=None if why else own.recomputed
    )


SPEC = Spec(
    "lm-eval",
    "a line of samples_*.jsonl of lm-eval",
    (*ALL, "partial", "unanswered", "unscored"),
    options=("metric", "best", *BOTH),
    tells=("scores",),
    blind=f"{NOTHING_BUT}, an answer that was held back, or abstention from an answer",
    signs=(
        Sign(".jsonl", "doc_id", some="resps filtered_resps arguments filter"),
        Sign(
            ".json",
            "results",
            "beside",
            "config_general n-samples n-shot higher_is_better",
            OF_HARNESS,
        ),
    ),
    paths=(r".*/samples_(?P<task>.+?)(_(?P<date>\d{4}-\d\d-\d\dT[0-9.:-]+))?\.[a-z]+",),
    results=results,
    records=lines,
    run=("head:model_name", "{folder}"),
    task=("{task}", "{stem}"),
    prefixed=True,
    question=("doc_id",),
    scores=scores_of,
    meaning=meaning,
    better=better,
    answer=answer,
    asked=("doc.question", "doc.query", "doc.problem", "doc.input"),
    target=target,
    gold=gold,
    text=("doc_hash",),
    measure="{metric},{filter}",
    headlines=(("results", "{task}", "{metric},{filter}"),),
    unstated="its results state no {metric},{filter} of {task}",
    no_results="no results_*.json beside it",
    worth=worth,
    sample_counts=(("n-samples", "{task}", "effective"),),
    headline=headline,
)
