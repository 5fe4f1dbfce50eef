"""Tables as people have them: what a graded table or a run is read as, and what is wrong with it."""

import json
import shutil
from itertools import product
from pathlib import Path

import polars as pl
import pytest
from configured import ingest
from log_samples import parquet
from nonresponse import campaign as config
from nonresponse.formats import grades, squad2
from nonresponse.formats.tabular import read_graded
from nonresponse.ingest import doubts
from reading import write


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read(files: dict[str, str | bytes], **parts: dict) -> tuple[pl.DataFrame, list[tuple]]:
    """Return the responses of a campaign in tabular files, and where its faults are."""
    for name, content in files.items():
        write(".", name, content)
    parts = {name: {"format": "tabular"} | part for name, part in parts.items()}
    campaign = config.check_config({"campaigns": {"t": {"task": "qa", "shards": 1, **parts}}})
    faults = ingest(campaign["campaigns"]["t"], Path("out"))
    table = "graded" if "graded" in parts else "responses"
    rows = pl.read_parquet(f"out/{table}/*.parquet")
    return rows, [(fault.file, fault.line, fault.found) for fault in sorted(set(faults))]


FLAGGED = """\
question,verdict,flag,other,error
a,correct,0,,
b,wrong,1,,
c,,1,0,
d,correct,,1,
e,correct,0,0,Timeout
f,wrong,1,1,false
"""
EITHER = {
    f"{a}-{b}": "unanswered" if "1" in (a, b) else "answered"
    for a, b in product(("", "0", "1"), repeat=2)
}
FLAG = {"columns": {"state": "flag", "error": "error"}}
FLAG["states"] = {"0": "answered", "1": "unanswered"}
NUMBERS = {
    "correct": ["1", "1.0", "true", "True", "0.5", "5e-1"],
    "wrong": ["0", "0.0", "False", "0.49", "-1"],
    "unscored": ["", "NaN", "nan", "null"],
    "unanswered": ["refused"],
}
WORDS = [(word, verdict) for verdict, words in NUMBERS.items() for word in words]
LONG = "question,verdict\n" + "".join(f"q{n:02},{word}\n" for n, (word, _) in enumerate(WORDS))
NUMERIC = {"correct_from": 0.5, "verdicts": {"refused": "unanswered"}}
UNJUDGED = {"judged": False, "columns": {"answer": "answer", "error": "error"}}
STATE_ONLY = {"judged": False, "columns": {"answer": "response", "state": "said"}}
STATE_ONLY["states"] = {"yes": "answered", "no": "unanswered"}
KEYED = "question,answer,key\nq1,The Paris.,paris\nq2,Rome,Oslo\n"
TWICE = "question,verdict,note\nq1,correct,a\nq2,wrong,a\nq1,correct,b\nq2,correct,b\n"
PIVOTED = """qid,model,metric,score,why
q1,m,correct,1,yes
q1,m,abstained,0,no
q2,m,correct,0,
q2,m,abstained,1,
q3,m,abstained,0,
q1,n,correct,0,x
"""
PIVOT = {
    "pivot": {"metric": "score"},
    "columns": {"question": "qid", "run": "model", "verdict": "correct", "state": "abstained"},
    "states": {"1": "unanswered", "0": "answered"},
    "verdicts": {"1": "correct", "0": "wrong"},
}
TWO_COLUMNS = {"question": ["set", "id"]}
# What a table is, its options, and the verdicts of its questions, sorted.
VERDICTS = {
    "numbers": (LONG, NUMERIC, " ".join(verdict for _, verdict in WORDS)),
    "numbers of a system": (LONG.replace("verdict", "m"), NUMERIC | {"layout": "wide", "systems": ["m"]}, " ".join(verdict for _, verdict in WORDS)),
    "flags and errors win": (FLAGGED, FLAG, "correct unanswered unanswered correct error unanswered"),
    "either flag": (
        FLAGGED,
        {"columns": {"state": "{flag}-{other}"}, "states": EITHER},
        "correct unanswered unanswered unanswered correct unanswered",
    ),
    "nobody judged": ("question,answer,error\na,Paris,\nb,,\nc,,Timeout\n", UNJUDGED, "unscored unanswered error"),
    "nobody judged, by a state": ("question,response,said\na,,yes\nb,x,no\n", STATE_ONLY, "unscored unanswered"),
    "gold": (KEYED, {"gold": "key"}, "wrong wrong"),
    "gold in one spelling": (KEYED, {"gold": "key", "normalise": "squad"}, "correct wrong"),
    "same": (TWICE.replace("q2,correct", "q2,wrong"), {"duplicates": "same"}, "correct wrong"),
    "first": (TWICE, {"duplicates": "first"}, "correct wrong"),
    "last": (TWICE, {"duplicates": "last"}, "correct correct"),
    "unscored": (TWICE, {"duplicates": "unscored"}, "correct unscored"),
    "rows without a question": ("question,verdict\nq1,correct\n ,wrong\n,\n", {"empty_questions": "drop"}, "correct"),
    "a column by one of our names": ("question,score\nq1,true\nq2,0.5\n", {"columns": {"verdict": "score"}, "correct_from": 1}, "correct wrong"),
    "a column that is passed over": ("question,verdict,confidence\na,correct,85 %\n", {"ignore": ["confidence"]}, "correct"),
    "all others passed over": ("question,verdict,rank,run,epoch\na,correct,best,m1,two\n", {"ignore": "rest"}, "correct"),
    "questions of two columns": ("set,id,verdict\na,c,correct\na/b,c,wrong\n", TWO_COLUMNS, "wrong correct"),
}  # fmt: skip


@pytest.mark.parametrize("name", VERDICTS)
def test_what_a_graded_table_says(name):
    text, options, verdicts = VERDICTS[name]
    rows, faults = read({"m.csv": text}, graded={"files": "m.csv"} | options)
    assert faults == [] and rows.sort("question")["verdict"].to_list() == verdicts.split()


TABLE = "question,verdict\nq1,1\nq2,{}\n"
# What is wrong with a table: its options, and the places of faults.
FAULTS = {
    "no number": (TABLE.format("good"), {"correct_from": 0.5}, [(3, "the verdict 'good'")]),
    "a comma": (TABLE.format('"0,5"'), {"correct_from": 0.5}, [(3, "the verdict '0,5'")]),
    "infinite": (TABLE.format("1e400"), {"correct_from": 0.5}, [(3, "the verdict '1e400'")]),
    "numbers are words": ("question,verdict\nq1,1.0\n", {"verdicts": {"1": "correct"}}, [(2, "the verdict '1.0'")]),
    "twice": (TWICE, {}, [(4, "a second verdict for question 'q1'"), (5, "a second verdict for question 'q2'")]),
    "twice and not the same": (TWICE, {"duplicates": "same"}, [(5, "a second verdict for question 'q2'")]),
    "no question": ("question,verdict\nq1,correct\n ,wrong\n", {}, [(3, "no question")]),
    "no question at all": ("question,run,verdict\nq1,a,wrong\n,b,wrong\n", {"empty_questions": "drop"}, [(3, "no row of the run with a question")]),
    "no such state": (FLAGGED, {"columns": {"state": "flag"}, "states": {"1": "error"}}, [(2, "the state '0'"), (6, "the state '0'")]),
    "no such system": ("question,m1\nq1,wrong\n", {"layout": "wide", "systems": ["m1", "m2"]}, [(1, "no column 'm2' among 'question', 'm1'")]),
    "a pattern of what is not there": ("question,verdict\nq1,wrong\n", {"run": "{model}-{folder}"}, [(1, "no column 'model' among 'question', 'verdict'")]),
    "no confidence": ("question,verdict,confidence\nq1,wrong,\nq2,wrong,x\n", {"answer_from": 0.5}, [(2, "an answer without a confidence"), (3, "the confidence 'x'")]),
    "no column of confidences": ("question,verdict\nq1,wrong\n", {"answer_from": 0.5}, [(1, "no column for confidence")]),
    "a second metric": (PIVOTED.replace("q2,m,correct,0", "q1,m,correct,0"), PIVOT, [(4, "a second 'correct' of a response")]),
    "no answers to look at": (TABLE.format("wrong"), {"refusals": {"contains": ["x"]}}, [(1, "no column for answer")]),
    "no metric": (PIVOTED.replace("q2,m,correct", "q2,m,"), PIVOT, [(4, "no metric")]),
    "a metric called like a column": (PIVOTED.replace("q2,m,correct", "q2,m,model"), PIVOT, [(1, "'model' in metric, which are columns of their own")]),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_with_a_table(name):
    text, options, expected = FAULTS[name]
    _, faults = read({"m.csv": text}, graded={"files": "m.csv"} | options)
    assert sorted(fault[1:] for fault in faults) == sorted(expected)


PLACES = {
    # Of two halves, the shorter first name is tried first
    "wrong": [{"a": {"b": {"c": "wrong"}}}, {"a": {"b": {"c": "wrong"}}, "a.b": {"c": "correct"}}],
    "correct": [{"a": {"b": {"c": "wrong"}}, "a.b.c": "correct"}, {"a": {"b.c": "correct"}}],
    None: [{"a": {"b": "correct"}}, {"a": "correct"}, {"b": {"c": "correct"}}],
}  # fmt: skip


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
@pytest.mark.parametrize("verdict", PLACES)
def test_a_name_with_dots_wins_over_the_names_in_it(kind, verdict):
    graded = {"files": f"m.{kind}", "columns": {"verdict": "a.b.c"}}
    for place in PLACES[verdict]:
        row = {"question": "q1"} | place
        content = json.dumps(row) if kind == "jsonl" else parquet([row])
        rows, faults = read({f"m.{kind}": content}, graded=graded)
        if verdict:
            assert (rows["verdict"].to_list(), faults) == ([verdict], [])
        else:
            assert any(found.startswith("no column 'a.b.c' among") for _, _, found in faults)


@pytest.mark.parametrize("name", ["answer", "verdict", "category", "key", "confidence", "question"])
def test_nan_is_no_text(name):
    """It is an empty field, as null is; but among numbers it is none of them."""
    row = {"question": "q1", "key": "x", "answer": "y", "verdict": "wrong", "category": "c"}
    texts = [json.dumps(row | {"confidence": 0.5} | {name: v}) for v in (float("nan"), None)]
    nan, null = (
        read({"m.jsonl": text}, graded={"files": "m.jsonl", "gold": "key"}) for text in texts
    )
    if name == "confidence":
        assert [found for *_, found in nan[1]] == ["the confidence 'NaN'"]
    else:
        assert nan[0].equals(null[0]) and nan[1] == null[1]


GOLD = {"judgments": {"files": "key.csv", "closed": True}}


def test_what_is_dropped_is_counted():
    """Of each run, and of each assessor."""
    key = "question,answer,label\nq1,correct,R\nq1,wrong,W\nq1,correct,W\nq2,wrong,W\nq2,wrong,W\n"
    files = {"a.csv": TWICE, "b.csv": TWICE.replace("q2", "q1"), "key.csv": key}
    runs = {"files": "[ab].csv", "columns": {"answer": "verdict"}, "duplicates": "last"}
    judgments = {"files": "key.csv", "duplicates": "first"}
    graded = {"graded": {"files": "[ab].csv", "duplicates": "first"}}
    rows, no_option = "dropped 5 rows: 'a' (2) and 'b' (3).", {"graded": {"files": "a.csv"}}
    messages = [f"`duplicates: last` {rows}", "`duplicates: first` dropped 2 judgments: 'key' (2)."]
    for parts, expected, faults in (
        (graded, [f"`duplicates: first` {rows}"], 0),
        ({"runs": runs, "judgments": judgments}, messages, 0),
        (no_option, [], 2),
    ):
        assert len(read(files, **parts)[1]) == faults
        assert doubts.describe_dropped(parts, Path("out"), [0]) == expected
        shutil.rmtree("out")


SPELLINGS = "The Eiffel-Tower!|eiffeltower| a  b |An A|the|THE.|Ünïcode|don't|x\ty|a.b|...|İ"
SPELLINGS += "|another theory|a_b|1,000|‘quoted’|the\u00a0end"


def test_the_spelling_of_squad_is_that_of_its_script():
    """As the reader of its own format has it, one text at a time."""
    texts = SPELLINGS.split("|")
    spelt = pl.DataFrame({"text": texts}).select(grades.normalise_squad(pl.col("text")))["text"]
    assert spelt.to_list() == [squad2.normalise_squad(text) or text for text in texts]


def test_answers_are_compared_in_one_spelling():
    files = {"m.csv": KEYED, "key.csv": "question,answer\nq1,PARIS\n"}
    spelt = {"normalise": "squad"}
    runs = {"files": "m.csv"} | spelt
    with pytest.raises(config.ConfigError, match=r"runs.normalise: has no effect without the same"):
        read(files, runs=runs, **GOLD)
    rows, faults = read(files, runs=runs, judgments=GOLD["judgments"] | spelt)
    assert (rows["answer"].to_list(), faults) == (["paris", "rome"], [])
    assert pl.read_parquet("out/judgments.parquet")["answer"].to_list() == ["paris"]


TEXTS = {
    "csv": "question,verdict\na,correct\n",
    "tsv": "question\tverdict\na\tcorrect\n",
    "json": '[{"question": "a", "verdict": "correct"}]',
    "jsonl": '{"question": "a", "verdict": "correct"}\n',
}


@pytest.mark.parametrize("kind", TEXTS)
def test_the_kind_of_a_table_is_said_for_any_ending(kind):
    path = write(".", "run.eval-results-gpt-4o", TEXTS[kind])
    frame, faults = read_graded(path, {"format": "tabular", "kind": kind})
    assert faults == [] and frame.select("question", "verdict").rows() == [("a", "correct")]
    assert "`kind:`" in read_graded(path, {"format": "tabular"})[1][0].expected


@pytest.mark.parametrize(
    ("name", "gold"), [("has_answer", ["given", "", None]), ("unanswerable", ["", "given", None])]
)
def test_whether_a_question_has_an_answer_stands_beside_its_verdict(name, gold):
    path = write(".", "a.csv", "question,verdict,answerable\na,wrong,yes\nb,wrong,Nein\nc,wrong,\n")
    frame, faults = read_graded(path, {"format": "tabular", "columns": {name: "answerable"}})
    assert faults == [] and frame.sort("line")["gold"].to_list() == gold
