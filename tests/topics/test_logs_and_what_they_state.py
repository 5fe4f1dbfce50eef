"""What the report says of the scores that logs state."""

import polars as pl
from nonresponse.topics import imports


def test_what_logs_state_is_said_in_words():
    outcomes = ["differs", "agrees", "differs", "cannot be reconciled", "reconciled"]
    frame = pl.DataFrame({"run": [*"abcde"], "outcome": outcomes}).with_columns(from_partial=pl.lit(0.0))
    assert imports.topic(frame).sentences == [
        "The logs state the accuracy of the leaderboard for 1 run, nothing that could be reconciled for 1 run, another"
        " number than their samples give for 2 runs and a score that their samples give and the leaderboard does not"
        " have for 1 run."
    ]


def test_logs_that_state_nothing_have_a_section():
    """All of a column of numbers may be empty."""
    texts = {"run": ["m"], "measure": [""], "outcome": ["cannot be reconciled"], "remarks": ["no results"]}
    numbers = dict.fromkeys(("stated", "recomputed", "from_partial", "accuracy"), pl.lit(None, pl.Float64))
    topic = imports.topic(pl.DataFrame(texts).with_columns(**numbers))
    assert "nothing that could be reconciled for 1 run" in topic.sentences[0] and topic.tables[0].csv == "imports"


def test_what_logs_state_for_partly_right_answers_is_warned_of():
    frame = pl.DataFrame({"run": ["a", "b", "c"], "from_partial": [0.4, None, 0.6], "outcome": "agrees"})
    frame = frame.with_columns(measure=pl.lit("acc"), stated=pl.lit(0.454), recomputed=pl.lit(0.454))
    assert imports.topic(frame).sentences[1:] == [
        "The log of c states acc 0.454, which comes mostly from partly right answers, none of which counts as right"
        " here (option partial)."
    ]
    assert imports.topic(frame.head(2)).sentences[1:] == []
