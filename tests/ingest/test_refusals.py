"""Test rules on the text of answers: input, decision, and scores without them."""

import json
import os
from itertools import product
from pathlib import Path

import polars as pl
import pytest
from log_samples import INSPECT, SAMPLES
from log_samples import read as read_log
from nonresponse import campaign as config
from nonresponse import formats, judging, measures, tables
from nonresponse.campaign import refusals as lists
from nonresponse.ingest import reading, refusals
from nonresponse.judging.store import read_verdicts
from nonresponse.report.sections.audit import count_by_phrase, list_answers
from nonresponse.scoring import score
from pipeline import Campaign
from reading import write

XSTEST = lists.expand_lists({"lists": ["xstest"]})
RULES = {"prefixes": XSTEST["prefixes"], "contains": ["Don't know", "(a+b)*"]}


def row(run: str, number: int, **fields) -> dict:
    return {"run": run, "question": f"q{number:02}", **fields}


def apply_rules(rows: pl.DataFrame, **options) -> pl.DataFrame:
    """The table of graded responses of a log that has these rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "get_reader", lambda *_: lambda file, options: (rows, []))
        return reading.read_graded(["x"], options, "qa")[0]


@pytest.mark.parametrize(
    "format", [log for log in SAMPLES if "refusals" in formats.LOGS[log].options]
)
def test_the_answers_of_every_log(tmp_path, format):
    """A rule that fits every text turns answers into abstentions; stated states are unchanged."""
    rows, _, faults = read_log(tmp_path, format)
    assert faults == [] and rows["answer"].is_not_null().any()
    every_text = {"contains": ["", *"abcdefghijklmnopqrstuvwxyz?"]}
    table = apply_rules(rows, format=format, refusals=every_text)
    is_stated = table["verdict"].is_in(["unanswered", "error"])
    expected = (is_stated | table["text"].is_null() | table["missing"]).not_()
    assert (table["by_rule"].eq_missing("unanswered") == expected).all()
    assert (table["by_rule"].is_not_null() == expected).all()


def test_whole_answers_of_a_log():
    """`unanswered` is its first rule; words are compared as written, without outer blanks."""
    answers = [" I don't know", "i don't know", "I don't know."]
    rows = [row("m", n, line=n, verdict="wrong", answer=answer) for n, answer in enumerate(answers)]
    rules = {"unanswered": ["I don't know"], "refusals": {"contains": ["know."]}}
    rows = pl.DataFrame(rows).with_columns(assessor=pl.lit("official"))
    table = apply_rules(rows, format="lm-eval", **rules)
    assert table["rule"].to_list() == ["unanswered", None, "contains"]


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory) -> tuple[Campaign, Campaign]:
    """A campaign of graded answers with rules, and the same without them."""
    answers = ["Paris", "sorry", "=No, 1", "I cannot \u2003say", "", "Rome"]
    states = ["correct", "correct", "wrong", "unscored", "wrong", "error", "unanswered", "partial"]
    rows = []
    for (run, step), n in product((("one", 3), ("two", 5)), range(24)):
        fields = {"verdict": states[(n * step) % 8], "answer": answers[(n + step) % 6]}
        rows.append(row(run, n, **fields, confidence=(n * 7 % 10) / 10))
    folder = tmp_path_factory.mktemp("both")
    options = {"refusals": XSTEST | {"contains": ["=No"], "empty": "unanswered"}}
    ruled = Campaign(folder / "on").evaluate_graded({"f": rows}, options=options)
    return ruled, Campaign(folder / "off").evaluate_graded({"f": rows})


@pytest.mark.parametrize("id", ["c@1", "mrr"])
def test_the_range_of_a_score_is_over_the_rules_too(campaigns, id):
    """Its ends are the scores with and without the rules."""
    ruled, plain = campaigns
    measure = measures.get("qa", id)
    if measure.kind == "counts":
        board, _ = score.score_counts(measure, *ruled.files, plain.files[0], plain.files[2])
    else:
        board, _ = score.score_verdicts(measure, ruled.verdicts, ruled.policy, plain.verdicts)
    scores, plain_scores = ruled.scores(id), plain.scores(id)
    assert board["value"].equals(scores["value"])
    for name, extreme in (("worst", min), ("best", max)):
        assert board[name].to_list() == [*map(extreme, scores[name], plain_scores[name])]
    assert not board.select("worst", "best").equals(scores.select("worst", "best"))


def test_the_audit_lists_what_rules_decided(campaigns):
    """Those first that are right without the rules; no cell is a formula, or holds a line end."""
    ruled, plain = campaigns
    table = list_answers([ruled.folder / "ruled/0.parquet"], plain.verdicts, None)
    keys = ["run", "question"]
    before, after = (read_verdicts(source.verdicts).rows() for source in (plain, ruled))
    decided = before.join(after, keys).filter(pl.col("verdict") != pl.col("verdict_right"))
    expected = decided.select(*keys, "verdict", "verdict_right").rows()
    assert sorted(table.select(*keys, "before", "after").rows()) == sorted(expected)
    right = table["called_right"].to_list()
    assert right == sorted(right, reverse=True) and True in right and False in right
    assert right == (table["before"] == "correct").to_list()
    assert ruled.counts["n_by_rule"].sum() == table.height
    answers, cells = {*table["answer"]}, {*tables.defuse(table)["answer"]}
    assert {"=No, 1", "I cannot say"} <= answers and "I cannot say" in cells
    assert "'=No, 1" in cells and "=No, 1" not in cells


VOTE = {"name": "majority", "needed": None, "of": None, "ties": None}


@pytest.mark.parametrize(
    ("official", "vote", "verdict"),
    [("a", None, "correct"), ("b", None, "wrong"), ("majority", VOTE, "correct")],
)
def test_the_audit_of_judged_answers(tmp_path, official, vote, verdict):
    """Under the official judgments, or those that the assessors elect; the first answer alone."""
    first, second = ({"question": "q", "answer": text} for text in ("No, Rome", "sorry"))
    gold = {name: [first | {"label": label}] for name, label in zip("abc", "RWR", strict=True)}
    campaign = Campaign(tmp_path).evaluate_runs(
        {"r": [first | {"rank": 1}, second | {"rank": 2}]},
        gold,
        options={"refusals": RULES},
        closed=vote is None,
    )
    rules = campaign.rules | ({"vote": vote} if vote else {})
    judging.judge("qa", campaign.sources, campaign.verdicts, by_rule=False, **rules)
    table = list_answers([tmp_path / "ruled/0.parquet"], campaign.verdicts, official)
    assert table["before"].to_list() == [verdict]


def campaign(part: dict, **options) -> dict:
    graded = {"format": "inspect", "files": "log.json"} | part
    return {"campaigns": {"t": {"task": "qa", "graded": graded, **options}}}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "log.json", json.dumps(INSPECT))
    write(tmp_path, "t.csv", "question,verdict,m\n")
    write(tmp_path, "brackets.yaml", 700 * "[")
    write(tmp_path, "day.yaml", "prefixes: [2026-99-99]")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def test_lists_of_phrases(folder):
    """Lists are named or paths; phrases of the configuration come first, each once."""
    write(folder, "mine.yaml", "contains: [unsure]\nprefixes: [sorry, Nope]\n")
    rules = {"prefixes": ["Nope"], "lists": ["xstest", "mine.yaml"], "empty": "wrong"}
    block = config.check_config(campaign({"refusals": rules}))["campaigns"]["t"]["graded"]
    prefixes = ["Nope", *XSTEST["prefixes"]]
    expected = {"prefixes": prefixes, "contains": ["unsure"], "empty": "wrong"}
    assert block["refusals"] == expected and XSTEST["prefixes"] and "contains" not in XSTEST


WIDE = {"format": "tabular", "files": "t.csv", "layout": "wide"}
WIDE |= {"systems": ["m"], "refusals": {"empty": "wrong"}}
ABSTENTIONBENCH = {"format": "abstentionbench", "files": "*", "refusals": {"empty": "wrong"}}
LISTS = {
    "xtest": "'xtest' is no shipped list (xstest), and no file",
    "log.json": "'log.json' needs one or several of prefixes",
    "brackets.yaml": "'brackets.yaml' is not YAML, or has too many brackets",
    "day.yaml": "'day.yaml' is not YAML",
    "/dev/zero": "'/dev/zero' is a device",
}
LONG = [f"{n:01000}" for n in range(50)]
WRONG = [({"refusals": {"lists": [name]}}, problem) for name, problem in LISTS.items()]
WRONG += [({"refusals": {"empty": "correct"}}, "expected 'unanswered', 'wrong' or 'error'")]
WRONG += [({"refusals": {"contains": LONG}}, "more than 40,000 bytes"), (WIDE, "without gold")]
WRONG += [(ABSTENTIONBENCH, "has no effect on abstentionbench")]
UNGRADED = {"format": "tabular", "files": "t.csv", "unanswered": ["x"]}
WRONG += [(UNGRADED, "has no effect without gold or refusals")]


@pytest.mark.parametrize(("part", "problem"), WRONG, ids=range(len(WRONG)))
def test_rules_that_cannot_be(folder, part, problem):
    with pytest.raises(config.ConfigError) as error:
        config.check_config(campaign(part))
    assert problem in str(error.value)


# An answer, the rule that fits it first, its phrase, its state, and the phrase in its context
LONG_ANSWER = f"{'a ' * 40}maybe{' b' * 40}"
LAST_WORDS = ("last_line", "i don't know", "unanswered")
PLACES = {
    "Timeout after 60 s": ("failures.prefixes", "timeout", "error", "[Timeout] after 60 s"),
    "So far.\nHTTP 503": ("failures.last_line", "http 5", "error", "So far. [HTTP 5]03"),
    "HTTP 503.\nIt is Paris": None,
    "No timeout": None,
    "Rome, or:\nI don’t know!\n": (*LAST_WORDS, "Rome, or: [I don’t know]!"),
    "I donʼt know": (*LAST_WORDS, "[I donʼt know]"),
    "Rome.\nAnswer: E": ("last_line", "answer: e", "unanswered", "Rome. [Answer: E]"),
    "Answer: E\nI take Rome": None,
    "N/A": ("unanswered", "N/A", "unanswered", ""),
    "[ERROR]": ("failed", "[ERROR]", "error", ""),
    LONG_ANSWER: ("contains", "maybe", "unanswered", f"…{'a ' * 20}[maybe]{' b' * 20}…"),
}
RULES_BY_PLACE = {
    "unanswered": ["N/A"],
    "failed": ["[ERROR]"],
    "failures": {"prefixes": ["timeout"], "last_line": ["HTTP 5"]},
    "refusals": {"last_line": ["I don't know", "answer: e"], "contains": ["maybe"]},
}


@pytest.mark.parametrize("source", ["verdict", "key"])
def test_where_rules_look_and_what_they_say(tmp_path, source):
    """At the beginning, the end, in the last line, and the whole: of silence and of breakdowns."""
    fields = {"verdict": "wrong"} if source == "verdict" else {"key": "Paris"}
    rows = [row("m", n, answer=answer, **fields) for n, answer in enumerate(PLACES)]
    columns = {"gold": "key"} if source == "key" else {"columns": {"answer": "answer"}}
    options = {"format": "tabular", "layout": "long"} | RULES_BY_PLACE | columns
    file = write(tmp_path, "f.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    table, *_, faults = reading.read_graded([file], options, "qa")
    ruled = refusals.list_ruled(table).select("question", "rule", "phrase", "by_rule", "context")
    expected = {f"q{n:02}": decision for n, decision in enumerate(PLACES.values()) if decision}
    if source == "key":  # which says itself what its words mean
        rules = ("unanswered", "failed")
        expected = {name: row for name, row in expected.items() if row[0] not in rules}
    assert faults == [] and {name: tuple(values) for name, *values in ruled.rows()} == expected


def test_the_audit_counts_the_answers_of_each_phrase():
    rows = [("prefixes", "sorry", True), ("prefixes", "sorry", False), ("empty", None, False)]
    table = count_by_phrase(pl.DataFrame(rows, ["rule", "phrase", "called_right"], orient="row"))
    assert table.rows() == [("prefixes", "sorry", 2, 1), ("empty", "", 1, 0)]
