"""Cases of judging that reviewers once found wrong, each on the smallest campaign."""

import pytest
from nonresponse.formats import tabular
from nonresponse.ingest import reading
from pipeline import Campaign
from reading import locate_faults, write

X, RIGHT = {"answer": "x"}, {"answer": "x", "label": "R"}
DOCUMENT = {"document": "D", "label": "R"}
PAIR = {"candidate": "1", "answer": "VALIDATED"}
WRONG_X = {"answer": "x", "label": "W"}
# By case: the rows of a run and of its judgments, of the question q; rules and options; the counts
# and scores of the run.
# fmt: off
CASES = {
    "a candidate column in judgments of answers plays no part": (
        [X], [RIGHT | {"candidate": c} for c in "12"], {}, {"n": 1, "n_ac": 1}),
    "a judgment of a pair is one whatever its text": (
        [PAIR], [{"candidate": "1", "answer": x, "label": "YES"} for x in "xy"],
        {"task": "validation"}, {"n": 1, "tp": 1, "q_selected_right": None, "qa_accuracy": None}),
    "of runs that select there are measures of questions": (
        [PAIR | {"answer": "SELECTED"}], [{"candidate": "1", "label": "YES"}],
        {"task": "validation"}, {"q_selected_right": 1, "qa_accuracy": 1}),
    "an unanswered question with a document only withholds no candidate": (
        [{"answer": None, "document": "D"}], [RIGHT | {"document": "D"}], {},
        {"n_u": 1, "n_ue": 1, "n_ux": 0}),
    "judgments of documents count a document once": (
        [{"answer": x, "document": "D", "rank": rank} for rank, x in ((1, "x"), (2, "y"))],
        [DOCUMENT], {}, {"map": 1}),
    "a withheld candidate is no good answer": (
        [{"answer": None, "candidate": "x"}], [{"answer": x, "label": "good"} for x in "xy"],
        {"correct": ["good"]}, {"q_answered": 0, "q_good": 0, "n_ur": 1}),
    "without labels of ROMIP its counts are null": (
        [X], [RIGHT], {}, {"q_good": None, "q_long_good": None}),
    "a word for NIL and for no answer is no answer": (
        [{"answer": "NIL"}], [WRONG_X], {"options": {"nil": ["NIL"], "unanswered": ["NIL"]}},
        {"n_u": 1, "nil_returned": 0, "e": 1}),
    "a withheld document was not given": (
        [{"rank": rank, "answer": x, "document": "D"} for rank, x in ((1, None), (2, "x"))],
        [DOCUMENT], {}, {"n_ur": 1, "map": 1 / 2, "mrr": 1 / 2}),
    # (-0.5 + 0.25) / 2 answers given; no answer is known, so that the NIL is right
    "a NIL at rank 2 is no repetition of an answer that reads 2": (
        [{"rank": 1, "answer": "2", "confidence": 0.5}, {"rank": 2, "answer": "NIL", "confidence": 0.25}],
        [WRONG_X | {"answer": "2"}], {"options": {"nil": ["NIL"]}}, {"k": -0.125, "mrr": 0.5}),
    "a NIL is no repetition of an empty rank, which has no text either": (
        [{"rank": rank, "answer": x, "confidence": 0.5} for rank, x in ((1, None), (2, "NIL"))],
        [WRONG_X], {"options": {"nil": ["NIL"]}}, {"mrr": 1 / 2, "map": 1 / 2, "k": 1 / 2}),
}
# fmt: on


@pytest.mark.parametrize("case", CASES)
def test_the_smallest_campaign(tmp_path, case):
    run, gold, options, expected = CASES[case]
    run, gold = ([{"question": "q"} | row for row in rows] for rows in (run, gold))
    rules = {name: value for name, value in options.items() if name != "task"}
    campaign = Campaign(tmp_path, options.get("task", "qa"))
    campaign.evaluate_runs({"r": run}, {"a": gold}, **rules)
    for name, value in expected.items():
        is_count = name in campaign.counts.columns
        assert (campaign.count("r", name) if is_count else campaign.score(name, "r")) == value


def test_romip_official_counts(tmp_path):
    """Of all ranks; the tabular format has no fragments of text."""
    labels = ("good", "long", "partial", "bad")
    texts = ["good", "long", "partial", "bad", None, "good"]
    rows = [(q, 1, text) for q, text in enumerate(texts)] + [(3, 2, "good"), (0, 2, "partial")]
    run = [{"question": f"q{q}", "rank": rank, "answer": text} for q, rank, text in rows]
    gold = [{"question": f"q{q}", "answer": x, "label": x} for q in range(6) for x in labels]
    campaign = Campaign(tmp_path).evaluate_runs({"r": run}, {"a": gold}, correct=["good"])
    names = ("answered", "good", "good_any", "long_good", "long_good_partial")
    assert campaign.count("r", *(f"q_{name}" for name in names)) == (5, 3, 5, 0, 0)


@pytest.mark.parametrize("name", ["run", "document", "answer"])
def test_a_judgment_that_leaves_out_what_others_name_could_never_be_met(tmp_path, name):
    """It holds for judgments of the same assessor and of another one."""
    article = "an" if name == "answer" else "a"
    found = f"a judgment of question 'q2' without {article} {name}"
    texts = [
        f"question\tlabel\t{name}\n" + rows
        for rows in ("q1\tR\tx\nq2\tW\t\n", "q1\tR\tx\n", "q2\tW\t\n")
    ]
    files = [write(tmp_path, f"{number}.tsv", text) for number, text in enumerate(texts)]
    options = {"format": "tabular"}
    for part, line in ((files[:1], 3), (files[1:], 2)):
        _, faults = reading.read_judgments(part, options, ["R", "W"], "qa")
        assert locate_faults(faults) == [(line, found)]
    assert reading.read_judgments(files[1:2], options, ["R", "W"], "qa")[1] == []


def test_labels_of_one_assessor_are_no_labels_of_another(tmp_path):
    """An assessor with other labels has no ROMIP counts."""
    row = {"question": "q", "answer": "x"}
    gold = {name: [row | {"label": label}] for name, label in (("ann", "R"), ("bob", "good"))}
    campaign = Campaign(tmp_path).evaluate_runs({"r": [row]}, gold, correct=["R", "good"])
    assert campaign.count("r", "q_good", assessor="ann") is None
    assert campaign.count("r", "q_good", assessor="bob") == 1


def test_judgments_that_name_nothing_would_be_of_every_answer(tmp_path):
    """A column of answers under another name, and all answers to a question would be right."""
    file = write(tmp_path, "a.tsv", "question\tlabel\tAnswer\nq1\tR\tx\n")
    _, faults = reading.read_judgments([file], {"format": "tabular"}, ["R", "W"], "qa")
    assert locate_faults(faults) == [
        (0, "judgments that name neither a run nor a document nor an answer")
    ]


def test_a_run_with_neither_answers_nor_a_threshold(tmp_path):
    """It would have left everything open."""
    file = write(tmp_path, "r.tsv", "question\tscore\nq1\t0.9\n")
    assert locate_faults(tabular.read_runs(file, {})[1]) == [(1, "no column for answer")]
    frame, faults = tabular.read_runs(file, {"threshold": 0.5})
    assert faults == [] and frame["answer"].to_list() == ["VALIDATED"]
