"""Which of the metrics of a log says what is right, by their names."""

from collections import Counter

import pytest
from log_samples import lines, parquet
from looked import looked_at
from nonresponse.formats import logs
from nonresponse.front import Refused
from nonresponse.front.campaign import known
from nonresponse.ingest.readers import imported
from reading import write

# Of ten samples: whether each is right, wrong or silent.
ROWS = [(1, 0, 0)] * 7 + [(0, 1, 0)] * 2 + [(0, 0, 1)]
STATES = {"correct": 7, "wrong": 2, "unanswered": 1}


def log(format: str, folder, scores: list[dict]) -> tuple[str, dict]:
    """A log of a format with these scores, and the options that read it."""
    if format == "lm-eval":
        rows = [{"doc_id": n, "filtered_resps": ["x"], "metrics": [*one], **one} for n, one in enumerate(scores)]
        return write(folder, "m/samples_t_2026-01-01T00-00-00.jsonl", lines(*rows)), {"format": format}
    if format == "lighteval":
        rows = [{"doc": {"id": str(n), "task_name": "t"}, "metric": one} for n, one in enumerate(scores)]
        content = parquet([row | {"model_response": {"text": ["x"]}} for row in rows])
        return write(folder, "details/m/1/details_t.parquet", content), {"format": format}
    rows = [{"index": n, "sample_score": {"sample_id": n, "score": {"value": one}}} for n, one in enumerate(scores)]
    return write(folder, "reviews/m/t_default.jsonl", lines(*rows)), {"format": format}


@pytest.mark.parametrize("format", ["lm-eval", "lighteval", "evalscope"])
@pytest.mark.parametrize(
    "names",
    [
        ("is_incorrect", "is_correct", "is_not_attempted"),
        ("incorrect", "correct", "not_attempted"),
        ("isIncorrect", "isCorrect", "isNotAttempted"),
        ("not_correct", "exact_match", "refusal"),
        ("hallucinated", "em", "abstained"),
    ],
)
def test_the_metric_called_right_counts_wherever_it_stands(tmp_path, format, names):
    """The first counted: 7 of 10 right answers were wrong."""
    wrong, right, silent = names
    scores = [{wrong: float(own[1]), right: float(own[0]), silent: float(own[2])} for own in ROWS]
    path, options = log(format, tmp_path, scores)
    rows, account, faults = imported(path, options)
    assert faults == [] and Counter(rows["verdict"]) == STATES
    assert f"metric {right!r} of" in account["chosen"].item()[0]


@pytest.mark.parametrize(
    ("names", "preferred"),
    [
        *(
            (f"{first} em", "em")
            for first in ("wrong", "err", "is_given_attempted", "answered", "format_ok", "mismatch")
        ),
        *(
            (f"{first} em", "em")
            for first in ("parse_rate", "isFormatCorrect", "language_match", "answer_tokens", "f1")
        ),
        ("accuracy_given_attempted is_correct", "is_correct"),
        ("refusal_correct correct", "correct"),
        ("isNotCorrect isCorrect", "isCorrect"),
        ("em acc", "acc"),
        ("acc_norm acc_bytes", "acc_norm"),
        ("wer pass@1", "pass@1"),
        ("incorrect f1", "f1"),
        ("faithfulness score", "score"),
        ("latencySeconds reward", "reward"),
        ("answered_correctly", "answered_correctly"),
        ("incorrect", "incorrect"),
        ("rouge1 rouge2", "rouge1 rouge2"),
        ("mc1 mc2 is_incorrect", "mc1 mc2"),
        ("format_ok", ""),
    ],
)
def test_which_metric_decides_by_its_name(names, preferred):
    assert logs.preferred(names.split()) == preferred.split()


@pytest.mark.parametrize("name", ["incorrect", "is_not_correct", "wrong", "hallucinated", "err", "isIncorrect"])
def test_a_metric_of_what_is_wrong_alone_is_refused(tmp_path, name):
    path, options = log("lm-eval", tmp_path, [{name: float(own[1])} for own in ROWS])
    [fault] = imported(path, options)[2]
    assert fault.found == f"the metric {name!r}, of which less is better"


@pytest.mark.parametrize("format", ["lm-eval", "lighteval", "evalscope"])
def test_where_no_metric_is_called_right_it_is_asked_which_counts(tmp_path, format):
    path, options = log(format, tmp_path, [{"rouge1": float(own[0]), "rouge2": 0.0} for own in ROWS])
    [fault] = imported(path, options)[2]
    assert (
        fault.found == "the metrics 'rouge1', 'rouge2', none of which is called right" and fault.expected == logs.WHICH
    )
    rows, _, faults = imported(path, options | {"metric": "rouge1"})
    assert faults == [] and Counter(rows["verdict"]) == {"correct": 7, "wrong": 3}
    _, faults, text = looked_at(path)
    assert faults == [] and "which metric counts: here 'rouge1', of 'rouge1', 'rouge2'" in text, text
    with pytest.raises(Refused, match=r"Give it as metric=VALUE"):
        known([path])
    assert known([path], options={"metric": "rouge2"}).written["graded"]["metric"] == "rouge2"


def test_the_main_score_of_evalscope_is_not_asked_for(tmp_path):
    score = {"value": {"mc1": 0.0, "mc2": 1.0}, "main_score_name": "mc2"}
    path = write(tmp_path, "reviews/m/t.jsonl", lines({"index": 0, "sample_score": {"sample_id": 0, "score": score}}))
    [campaign], faults, text = looked_at(path)
    assert faults == [] and campaign.rows["verdict"].to_list() == ["correct"] and "which metric counts" not in text
