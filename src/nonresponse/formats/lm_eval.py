"""`format: lm-eval`: samples_*.jsonl of the LM Evaluation Harness, with the results beside it."""

from collections.abc import Iterator
from typing import Any

from nonresponse.faults import quote, quote_names
from nonresponse.formats import words
from nonresponse.formats.declared import (
    ONLY_A_METRIC,
    RESULTS_OF_HARNESS,
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
from nonresponse.tasks import split_names

# The keys of a line that are no metrics
OTHER_KEYS = split_names("doc_id doc target arguments resps filtered_resps filter metrics")
SQUAD_METRIC = "exact"  # of SQuAD 2.0
NO_ANSWER = "unanswerable"  # its word for no answer
NO_MATCH = "[invalid]"  # what a filter makes of an output in which its pattern is not found
METRICS = ("configs", "{task}", "metric_list", "metric={metric}")  # the way to a metric's entry


def read_lines(reading: Any, records: Iterator[tuple[int, dict]]) -> Iterator[tuple[int, dict]]:
    """Yield the lines of the filter that counts: after a comma in `metric:`, else the first."""
    filters: dict[str, None] = {}
    metric, _, filter_name = str(reading.options.get("metric", "")).partition(",")
    reading.score, reading.names["filter"] = metric or None, filter_name
    for line, doc in records:
        name = get_text(doc.get("filter")) or "none"
        filters[name] = None
        filter_name = reading.names["filter"] = filter_name or name
        if name == filter_name:
            yield line, doc
    if filters and filter_name not in filters:
        reading.faults.add(0, f"no filter {quote(filter_name)}", f"one of {quote_names(filters)}")
    if len(filters) > 1:
        reading.chosen.append(f"filter {quote(filter_name)} of {quote_names(filters)}")


def list_scores(reading: Any, doc: dict) -> dict:
    """Return a line's metrics: as listed, else (in older versions) all other keys with numbers.

    A metric that is a function of all lines has a list in each line, and is read only if it is that
    of SQuAD 2.0.
    """
    metrics = doc.get("metrics")
    if split_squad(doc):
        return {SQUAD_METRIC: doc[SQUAD_METRIC]}
    if isinstance(metrics, list):
        names = filter(get_text, [*metrics, *filter(words.is_abstention, doc)])
        return {name: doc[name] for name in names if not isinstance(doc.get(name, []), list)}
    values = {name: value for name, value in doc.items() if name not in OTHER_KEYS}
    return {name: value for name, value in values.items() if get_number(value) is not None}


def split_squad(doc: dict) -> tuple[str, list[str]] | None:
    """Return the normalised prediction of a line of SQuAD 2.0, and its gold answers, none if the
    question has no answer; null for any other metric, which has a number there."""
    prediction = dig(doc, SQUAD_METRIC, 0, "prediction_text")
    if not isinstance(prediction, str):
        return None
    answers = dig(doc, SQUAD_METRIC, 1, "answers")
    if not isinstance(answers, dict):
        return None
    texts = answers.get("text")
    golds = [text for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
    return normalise_squad(prediction), [*filter(normalise_squad, golds)]


def judge_squad(reading: Any, doc: dict, pair: Any) -> str | None:
    """Return the verdict by SQuAD 2.0's own rule; null for any other metric."""
    if not (squad := split_squad(doc)):
        return None
    is_correct = squad[0] in map(normalise_squad, squad[1])
    return "unanswered" if squad[0] in ("", NO_ANSWER) else "correct" if is_correct else "wrong"


def score_squad(reading: Any, doc: dict, verdict: str, value: float | None) -> float | None:
    """Return what a line counts in the mean; for SQuAD 2.0, NO_ANSWER is an answer as any other."""
    squad = split_squad(doc)
    return 100.0 * (squad[0] in map(normalise_squad, squad[1] or [""])) if squad else value


def find_gold(reading: Any, doc: dict) -> str | None:
    """Return the gold answer of SQuAD 2.0, "" for none; null where nothing is said."""
    squad = split_squad(doc)
    return next(iter(squad[1]), "") if squad else None


def find_answer(reading: Any, doc: dict, score: object) -> tuple[str | None, float | None]:
    """Return the output and null, or the likeliest choice and its probability; `acc_norm` divides
    by the length."""
    if squad := split_squad(doc):
        no_answer = get_number(doc, SQUAD_METRIC, 0, "no_answer_probability")
        has_share = no_answer is not None and 0 <= no_answer <= 1
        confidence = 1 - (no_answer or 0) if has_share else None
        abstained = squad[0] in ("", NO_ANSWER)
        prediction = clean_answer(doc, SQUAD_METRIC, 0, "prediction_text")
        return prediction, None if abstained else confidence
    responses = doc.get("filtered_resps")
    responses = responses if isinstance(responses, list) else []
    if not all(isinstance(response, list) and len(response) == 2 for response in responses):
        # No likelihoods of choices, but an output, which is null if it was blocked
        answer = dig(doc, "resps", 0, 0) if responses[0] == NO_MATCH else responses[0]
        return ("" if answer is None else clean_answer(answer)), None
    # The second half is without the question
    if "acc_mutual_info" in reading.scores and len(responses) % 2 == 0:
        responses = responses[: len(responses) // 2]
    try:
        scores = [float(score) for score, _ in responses]
        if reading.score == "acc_norm":
            scores = [
                score / len(get_choice(doc, position).removeprefix(" "))
                for position, score in enumerate(scores)
            ]
    except (ValueError, TypeError, ZeroDivisionError):
        return None, None
    best = softmax(scores)
    return (get_choice(doc, best[0]) or None, best[1]) if best else (None, None)


def get_choice(doc: dict, position: object) -> str:
    """Return the text of a choice by its number; "" if there is none."""
    return get_text(doc, "arguments", f"gen_args_{position}", "arg_1") or ""


def find_target(reading: Any, doc: dict) -> str | None:
    return cut_text(get_choice(doc, doc.get("target")), doc.get("target"))


def headline(reading: Any, statement: Statement, worth: list[tuple]) -> Statement:
    """Return the statement, with how many documents there are, and why it cannot be reconciled."""
    effective = get_integer(reading.find_stated(("n-samples", "{task}", "effective")))
    original = get_integer(reading.find_stated(("n-samples", "{task}", "original")))
    if effective is not None and effective < (original or 0):
        note = f"limited to {effective} of {original} documents"
        statement = statement._replace(notes=(*statement.notes, note))
    aggregation = reading.find_stated((*METRICS, "aggregation")) or "mean"
    if aggregation != "mean" and reading.results:
        statement = statement._replace(why=f"aggregated by {quote(aggregation)}")
    return statement._replace(recomputed=None) if statement.why else statement


SPEC = Spec(
    "lm-eval",
    "a line of samples_*.jsonl of lm-eval",
    ("partial", "unanswered", "unscored"),
    options=("metric", "best", *SHARED_OPTIONS),
    tells=("scores",),
    limitation=f"{ONLY_A_METRIC}, and refused or withheld answers look like any others",
    signs=(
        Sign(".jsonl", "doc_id", any_of="resps filtered_resps arguments filter"),
        Sign(
            ".json",
            "results",
            "beside",
            "config_general n-samples n-shot higher_is_better",
            f"{RESULTS_OF_HARNESS} (lm-eval: --log_samples; LightEval: --save-details)",
        ),
    ),
    paths=(r".*/samples_(?P<task>.+?)(_(?P<date>\d{4}-\d\d-\d\dT[0-9.:-]+))?\.[a-z]+",),
    results=("results_{date}.json", "*_{date}.json", "results_*.json"),
    records=read_lines,
    run=("head:model_name", "{folder}"),
    task=("{task}", "{stem}"),
    task_in_name=True,
    question=("doc_id",),
    scores=list_scores,
    meaning=judge_squad,
    better=(("higher_is_better", "{task}", "{metric}"), (*METRICS, "higher_is_better")),
    answer=find_answer,
    asked=("doc.question", "doc.query", "doc.problem", "doc.input"),
    target=find_target,
    gold=find_gold,
    question_text=("doc_hash",),
    measure="{metric},{filter}",
    headlines=(("results", "{task}", "{metric},{filter}"),),
    unstated="no results state {metric},{filter} of {task}",
    worth=score_squad,
    sample_counts=(("n-samples", "{task}", "effective"),),
    headline=headline,
)
