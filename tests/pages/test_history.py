"""What the page on the history of a campaign says, held against rows that are read by hand."""

import polars as pl
import pytest
from nonresponse import tables
from nonresponse.topics import history


def of(*evaluations: dict[str, str]) -> pl.DataFrame:
    """Evaluations, each with the runs by measure in the order of their ranks."""
    rows = [
        {"evaluation": number, "label": "", "measure": id, "run": run, "score": 1 / rank, "rank": rank}
        for number, by_measure in enumerate(evaluations, start=1)
        for id, runs in by_measure.items()
        for rank, run in enumerate(runs, start=1)
    ]
    return tables.typed(pl.DataFrame(rows), tables.HISTORY)


OLD, NEW = {"accuracy": "abc"}, {"accuracy": "abc", "uf": "bac"}


@pytest.mark.parametrize(
    ("evaluations", "said", "new"),
    [
        (
            [OLD, {"accuracy": "abcd"}, {"accuracy": "abcd", "uf": "bacd"}],
            [
                "3 evaluations so far: 3 runs in evaluation 1, 4 runs in evaluation 3.",
                "b has been first by uf in the only one that has it.",
                "The last two do not both have uf, so that no scores are compared.",
            ],
            [[], ["d"], ["a", "b", "c"]],
        ),
        (
            [OLD, NEW, NEW | {"uf": "bacd", "accuracy": "abcd"}],
            [
                "3 evaluations so far: 3 runs in evaluation 1, 4 runs in evaluation 3.",
                "b has been first by uf in all of them that have it.",
                "New in the last: d at rank 4.",
                "Of the 3 runs in both, none has another score.",
            ],
            [["d"], [], ["a", "b", "c"]],
        ),
        (
            [NEW, NEW | {"uf": "abc"}],
            [
                "2 evaluations so far: 3 runs in evaluation 1, 3 runs in evaluation 2.",
                "a has been first by uf since evaluation 2, after b.",
                "Of the 3 runs in both, 2 have another score.",
            ],
            [[], ["a", "b", "c"]],
        ),
        (
            [NEW, OLD],
            [
                "2 evaluations so far: 3 runs in evaluation 1, 3 runs in evaluation 2.",
                "By uf, no run is ranked in the last of them.",
                "The last two do not both have uf, so that no scores are compared.",
            ],
            [[], ["a", "b", "c"]],
        ),
    ],
)
def test_evaluations_before_a_new_first_measure_count(evaluations, said, new):
    """They were left out: one evaluation alone, and all of its runs called new."""
    topic = history.topic(of(*evaluations), "uf", [])
    assert topic.sentences == said
    assert history.by_evaluation(of(*evaluations), "uf")["new"].to_list()[::-1] == new
    assert history.topic(of(OLD), "uf", []).sentences == ["No evaluation so far has uf."]
