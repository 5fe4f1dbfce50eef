"""`format: lm-eval`: samples_*.jsonl of the LM Evaluation Harness, with the results beside it."""

from collections.abc import Iterator
from typing import Any

from nonresponse.faults import quote, quote_names
from nonresponse.formats import words
from nonresponse.formats.declared import (
    ONLY_A_METRIC,
    RESULTS_OF_HARNESS,
    RIGHT_OR_WRONG,
    SHARED_OPTIONS,
    Sign,
    Spec,
)
from nonresponse.formats.logs import (
    Statement,
    clean_answer,
    cut_text,
    dig,
    get_integer,
    get_number,
    get_text,
    normalise_squad,
    softmax,
)

# Not metrics
OURS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
EXACT, NONE = "exact", "unanswerable"  # the metric of SQuAD 2.0, and its word for no answer
METRICS = ("configs", "{task}", "metric_list", "metric={metric}")  # the way to what is said of one


def lines(reading: Any, found: Iterator[tuple[int, dict]]) -> Iterator[tuple[int, dict]]:
    """Yield the lines of the filter that counts: after a comma in `metric:`, else the first."""
    filters: dict[str, None] = {}
    metric, _, chosen = str(reading.options.get("metric", "")).partition(",")
    reading.score, reading.names["filter"] = metric or None, chosen
    for line, doc in found:
        own = get_text(doc.get("filter")) or "none"
        filters[own] = None
        chosen = reading.names["filter"] = chosen or own
        if own == chosen:
            yield line, doc
    if filters and chosen not in filters:
        reading.faults.add(0, f"no filter {quote(chosen)}", f"one of {quote_names(filters)}")
    if len(filters) > 1:
        reading.chosen.append(f"filter {quote(chosen)} of {quote_names(filters)}")


def scores_of(reading: Any, doc: dict) -> dict:
    """Return a line's metrics: as listed, else (in older versions) all keys with numbers that are
    not OURS.

    Those of SQuAD 2.0 are a pair of prediction and references, of which the metric is a function of
    all lines.
    """
    listed_there = doc.get("metrics")
    if not isinstance(listed_there, list):
        names = [name for name in doc if name not in OURS and get_number(doc[name]) is not None]
    elif of_squad(doc):
        names = [EXACT]
    else:
        names = [*listed_there, *filter(words.is_abstention, doc)]
    return {name: doc[name] for name in names if isinstance(name, str) and name in doc}


def of_squad(doc: dict) -> bool:
    """Return whether a line has the pair of SQuAD 2.0 in the place of a number."""
    pair = doc.get(EXACT)
    prediction, answers = dig(pair, 0, "prediction_text"), dig(pair, 1, "answers")
    return isinstance(prediction, str) and isinstance(answers, dict)


def squad_texts(pair: Any) -> tuple[str, list[str]]:
    """Return a normalised prediction, and the gold answers to its question; none if it has no
    answer."""
    texts = dig(pair, 1, "answers", "text")
    golds = [one for one in texts if isinstance(one, str)] if isinstance(texts, list) else []
    return normalise_squad(pair[0]["prediction_text"]), [
        one for one in golds if normalise_squad(one)
    ]


def meaning(reading: Any, doc: dict, pair: Any) -> str | None:
    """Return the verdict on a prediction for SQuAD 2.0 by its own rule; null for any other
    metric."""
    if not of_squad(doc):
        return None
    answer, golds = squad_texts(pair)
    if answer in ("", NONE):
        return "unanswered"
    return "correct" if answer in map(normalise_squad, golds) else "wrong"


def worth(reading: Any, doc: dict, verdict: str, value: float | None) -> float | None:
    """Return what a line counts; of SQuAD 2.0, what the harness counts, to which NONE is an answer
    as any other."""
    if not of_squad(doc):
        return value
    answer, golds = squad_texts(doc[EXACT])
    return 100.0 * (answer in map(normalise_squad, golds or [""]))


def gold(reading: Any, doc: dict) -> str | None:
    """Return the gold answer of a question of SQuAD 2.0, "" if there is none; null where nothing
    is said."""
    return next(iter(squad_texts(doc[EXACT])[1]), "") if of_squad(doc) else None


def answer(reading: Any, doc: dict, score: object) -> tuple[str | None, float | None]:
    """Return the output and null, or the likeliest choice and its probability; `acc_norm` divides
    by the length."""
    if of_squad(doc):
        none = get_number(dig(doc, EXACT, 0, "no_answer_probability"))
        has = meaning(reading, doc, doc[EXACT]) != "unanswered"
        confidence = 1 - none if has and none is not None and 0 <= none <= 1 else None
        return clean_answer(doc[EXACT][0]["prediction_text"]), confidence
    responses = doc.get("filtered_resps")
    responses = responses if isinstance(responses, list) else []
    # Not a likelihood for each choice
    if not all(isinstance(one, list) and len(one) == 2 for one in responses):
        # A blocked answer may be null
        return ("" if responses[0] is None else clean_answer(responses[0])), None
    # The second half is without the question
    if "acc_mutual_info" in reading.scores and len(responses) % 2 == 0:
        responses = responses[: len(responses) // 2]
    try:
        scores = [float(score) for score, _ in responses]
        if reading.score == "acc_norm":
            lengths = [len(choice(doc, n).removeprefix(" ")) for n in range(len(scores))]
            scores = [score / length for score, length in zip(scores, lengths, strict=True)]
    except (ValueError, TypeError, ZeroDivisionError):
        return None, None
    best = softmax(scores)
    return (choice(doc, best[0]) or None, best[1]) if best else (None, None)


def choice(doc: dict, position: object) -> str:
    """Return the text of a choice by its number; "" if there is none, as for a target that is no
    number."""
    return get_text(dig(doc, "arguments", f"gen_args_{position}", "arg_1")) or ""


def target(reading: Any, doc: dict) -> str | None:
    return cut_text(choice(doc, doc.get("target")), doc.get("target"))


def headline(reading: Any, own: Statement, worth: list[tuple]) -> Statement:
    """Return the statement, with how many documents there are, and why it cannot be reconciled."""
    effective, original = (
        get_integer(reading.find_stated(("n-samples", "{task}", name)))
        for name in ("effective", "original")
    )
    if effective is not None and effective < (original or 0):
        note = f"limited to {effective} of {original} documents"
        own = own._replace(notes=(*own.notes, note))
    aggregation = reading.find_stated((*METRICS, "aggregation")) or "mean"
    if aggregation != "mean" and reading.results:
        own = own._replace(why=f"aggregated by {quote(aggregation)}")
    return own._replace(recomputed=None) if own.why else own


SPEC = Spec(
    "lm-eval",
    "a line of samples_*.jsonl of lm-eval",
    (*RIGHT_OR_WRONG, "partial", "unanswered", "unscored"),
    options=("metric", "best", *SHARED_OPTIONS),
    tells=("scores",),
    blind=f"{ONLY_A_METRIC}, an answer that was held back, or abstention from an answer",
    signs=(
        Sign(".jsonl", "doc_id", any_of="resps filtered_resps arguments filter"),
        Sign(
            ".json",
            "results",
            "beside",
            "config_general n-samples n-shot higher_is_better",
            RESULTS_OF_HARNESS,
        ),
    ),
    paths=(r".*/samples_(?P<task>.+?)(_(?P<date>\d{4}-\d\d-\d\dT[0-9.:-]+))?\.[a-z]+",),
    results=("results_{date}.json", "results_*.json"),
    records=lines,
    run=("head:model_name", "{folder}"),
    task=("{task}", "{stem}"),
    task_in_name=True,
    question=("doc_id",),
    scores=scores_of,
    meaning=meaning,
    better=(("higher_is_better", "{task}", "{metric}"), (*METRICS, "higher_is_better")),
    answer=answer,
    asked=("doc.question", "doc.query", "doc.problem", "doc.input"),
    target=target,
    gold=gold,
    question_text=("doc_hash",),
    measure="{metric},{filter}",
    headlines=(("results", "{task}", "{metric},{filter}"),),
    unstated="its results state no {metric},{filter} of {task}",
    no_results="no results_*.json beside it",
    worth=worth,
    sample_counts=(("n-samples", "{task}", "effective"),),
    headline=headline,
)
