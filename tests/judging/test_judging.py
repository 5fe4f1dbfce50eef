"""Cases of judging that reviewers once found wrong, each on the smallest campaign."""

import pytest
from nonresponse.formats import tabular
from nonresponse.ingest import reading
from pipeline import Campaign
from reading import places, write


def test_a_candidate_column_in_judgments_of_answers_plays_no_part(tmp_path):
    gold = [{"question": "q", "candidate": c, "answer": "x", "label": "R"} for c in ("1", "2")]
    campaign = Campaign(tmp_path).judged({"r": [{"question": "q", "answer": "x"}]}, {"a": gold})
    assert campaign.count("r", "n", "n_ac") == (1, 1)


def test_a_judgment_of_a_pair_is_one_whatever_its_text(tmp_path):
    gold = [
        {"question": "q", "candidate": "1", "answer": text, "label": "YES"} for text in ("x", "y")
    ]
    run = [{"question": "q", "candidate": "1", "answer": "VALIDATED"}]
    campaign = Campaign(tmp_path, "validation").judged({"r": run}, {"a": gold})
    assert campaign.count("r", "n", "tp") == (1, 1)


def test_an_unanswered_question_with_a_document_only_withholds_no_candidate(tmp_path):
    gold = [{"question": "q", "answer": "x", "document": "D", "label": "R"}]
    run = [{"question": "q", "answer": None, "document": "D"}]
    campaign = Campaign(tmp_path).judged({"r": run}, {"a": gold})
    assert campaign.count("r", "n_u", "n_ue", "n_ux") == (1, 1, 0)


def test_judgments_of_documents_count_a_document_once(tmp_path):
    gold = [{"question": "q", "document": "D", "label": "R"}]
    run = [
        {"question": "q", "answer": text, "document": "D", "rank": rank}
        for rank, text in ((1, "x"), (2, "y"))
    ]
    campaign = Campaign(tmp_path).judged({"r": run}, {"a": gold})
    assert campaign.score("map", "r") == 1


def test_a_withheld_candidate_is_no_good_answer(tmp_path):
    gold = [{"question": "q", "answer": text, "label": "good"} for text in ("x", "y")]
    run = [{"question": "q", "answer": None, "candidate": "x"}]
    campaign = Campaign(tmp_path).judged(
        {"r": run, "s": [{"question": "q", "answer": "y"}]}, {"a": gold}, correct=["good"]
    )
    assert campaign.count("r", "q_answered", "q_good", "n_ur") == (0, 0, 1)
    assert campaign.count("s", "q_answered", "q_good") == (1, 1)


def test_what_a_campaign_does_not_have_is_null_and_not_0(tmp_path):
    gold = [{"question": "q", "answer": "x", "label": "R"}]
    campaign = Campaign(tmp_path / "qa").judged(
        {"r": [{"question": "q", "answer": "x"}]}, {"a": gold}
    )
    assert campaign.count("r", "q_good", "q_long_good") == (None, None)
    gold = [{"question": "q", "candidate": "1", "label": "YES"}]
    run = [{"question": "q", "candidate": "1", "answer": "VALIDATED"}]
    campaign = Campaign(tmp_path / "pairs", "validation").judged({"r": run}, {"a": gold})
    assert campaign.count("r", "q_selected_right") is None
    assert campaign.score("qa_accuracy", "r") is None
    run[0]["answer"] = "SELECTED"
    campaign = Campaign(tmp_path / "selected", "validation").judged({"r": run}, {"a": gold})
    assert campaign.score("qa_accuracy", "r") == 1


@pytest.mark.parametrize("name", ["run", "document", "answer"])
def test_a_judgment_that_leaves_out_what_others_name_could_never_be_met(tmp_path, name):
    """Whether the others are by the same assessor, or by another one, without whom scores would be
    different."""
    article = "an" if name == "answer" else "a"
    found = f"a judgment of question 'q2' without {article} {name}"
    texts = [
        f"question\tlabel\t{name}\n" + rows
        for rows in ("q1\tR\tx\nq2\tW\t\n", "q1\tR\tx\n", "q2\tW\t\n")
    ]
    files = [write(tmp_path, f"{number}.tsv", text) for number, text in enumerate(texts)]
    options = {"format": "tabular"}
    for chosen, line in ((files[:1], 3), (files[1:], 2)):
        _, faults = reading.judgments(chosen, options, ["R", "W"], "qa")
        assert places(faults) == [(line, found)]
    assert reading.judgments(files[1:2], options, ["R", "W"], "qa")[1] == []


def test_a_word_for_nil_and_for_no_answer_is_no_answer(tmp_path):
    gold = [{"question": "q", "answer": "x", "label": "W"}]
    options = {"nil": ["NIL"], "unanswered": ["NIL"]}
    campaign = Campaign(tmp_path).judged(
        {"r": [{"question": "q", "answer": "NIL"}]}, {"a": gold}, options=options
    )
    assert campaign.count("r", "n_u", "nil_returned", "e") == (1, 0, 1)


def test_a_withheld_document_was_not_given(tmp_path):
    gold = [{"question": "q", "document": "D", "label": "R"}]
    run = [
        {"question": "q", "rank": rank, "answer": answer, "document": "D"}
        for rank, answer in ((1, None), (2, "x"))
    ]
    campaign = Campaign(tmp_path).judged({"r": run}, {"a": gold})
    assert campaign.count("r", "n_ur") == 1
    assert campaign.score("map", "r") == campaign.score("mrr", "r") == 1 / 2


def test_labels_of_one_assessor_are_no_labels_of_another(tmp_path):
    """An assessor with other labels has no ROMIP counts."""
    gold = {
        name: [{"question": "q", "answer": "x", "label": label}]
        for name, label in (("ann", "R"), ("bob", "good"))
    }
    campaign = Campaign(tmp_path).judged(
        {"r": [{"question": "q", "answer": "x"}]}, gold, correct=["R", "good"]
    )
    assert campaign.count("r", "q_good", assessor="ann") is None
    assert campaign.count("r", "q_good", assessor="bob") == 1


def test_judgments_that_name_nothing_would_be_of_every_answer(tmp_path):
    """A column of answers under another name, and all answers to a question would be right."""
    file = write(tmp_path, "a.tsv", "question\tlabel\tAnswer\nq1\tR\tx\n")
    _, faults = reading.judgments([file], {"format": "tabular"}, ["R", "W"], "qa")
    assert places(faults) == [(0, "judgments that name neither a run nor a document nor an answer")]


def test_a_run_with_neither_answers_nor_a_threshold(tmp_path):
    """It would have left everything open."""
    file = write(tmp_path, "r.tsv", "question\tscore\nq1\t0.9\n")
    assert places(tabular.read_runs(file, {})[1]) == [(1, "no column for answer")]
    frame, faults = tabular.read_runs(file, {"threshold": 0.5})
    assert faults == [] and frame["answer"].to_list() == ["VALIDATED"]
