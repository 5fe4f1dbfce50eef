"""Test the block of config.yaml, pasted or added to a file that is otherwise unchanged."""

from pathlib import Path

import detected
import pytest
import yaml
from nonresponse import campaign as config
from nonresponse.detect import Choice, Question, mapping
from nonresponse.front import RefusedError, actions
from nonresponse.ingest.files import find_files
from reading import write

GRADED = "run,qid,grade\na,1,yes\na,2,no\nb,1,abstained\nb,2,yes\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("raw", "graded.csv", GRADED)


def look(config: str) -> int:
    return actions.look(["raw/graded.csv"], config, None, [], False)


def test_what_several_campaigns_ask_alike_is_printed_once():
    Path("a.csv").write_text("id,answer,correct\n1,Rome,1\n2,N/A,0\n")
    Path("b.csv").write_text("id,answer,correct,category\n1,Rome,1,x\n2,N/A,0,x\n")
    page = mapping.render_page(*detected.detect_files("a.csv", "b.csv"))
    text = page.partition("For config.yaml:")[0]
    assert text.count("How is it marked") == 1 and "b.csv: the same again." in text
    assert "need another" not in text


def test_the_block_can_be_filled_in():
    Path("a.csv").write_text("id,model,label\n1,m,good\n2,m,bad\n3,m,good\n4,m,bad\n")
    page = mapping.render_page(*detected.detect_files("a.csv"))
    lines = page.partition("For config.yaml:\n")[2].splitlines(keepends=True)
    text = "".join(line for line in lines if "unanswered: ???" not in line)
    words = "ignore: rest\n      verdicts: {good: correct, bad: wrong}"
    text = text.replace("verdict: ???", "verdict: label").replace("ignore: rest", words)
    [checked] = config.check_config(yaml.safe_load(text))["campaigns"].values()
    assert checked["graded"]["columns"] == {"question": "id", "run": "model", "verdict": "label"}


BLOCK = "campaigns:\n  a:\n    task: qa\n    counts: t.csv\n"
ENDS = {
    "text": f"{BLOCK}    title: |\n      one\n      two\nseed: 7\n",
    "list": f"{BLOCK}    measures:\n    - c@1\nseed: 7\n",
    "no line end": "seed: 7\ncampaigns:\n  a: {task: qa, counts: t.csv}",
    "Windows": f"{BLOCK}seed: 7\n".replace("\n", "\r\n"),
    "a note": f"# mine\n{BLOCK}# below\nseed: 7\n".replace("  a:", "  graded:   # a note"),
}


@pytest.mark.parametrize("text", ENDS.values(), ids=ENDS)
def test_the_block_is_added_wherever_the_campaigns_end(text, capsys):
    Path("config.yaml").write_bytes(text.encode())
    assert look("config.yaml") == 0 and "b: 1 correct, 1 unanswered" in capsys.readouterr().out
    new = Path("config.yaml").read_bytes().decode()
    was, loaded = yaml.safe_load(text), yaml.safe_load(new)
    [name] = {*loaded["campaigns"]} - {*was["campaigns"]}
    assert loaded["campaigns"].pop(name)["graded"]["files"] == "raw/graded.csv" and loaded == was
    halves = [(text[:place], text[place:]) for place in range(len(text) + 1)]
    assert any(new.startswith(begin) and new.endswith(end) for begin, end in halves)


NOT_ADDED = ["campaigns: {a: {task: qa, counts: b.csv}}\n", "seed: 7\n", "- 1\n", "a: b: c\n"]


@pytest.mark.parametrize("text", NOT_ADDED)
def test_a_file_that_cannot_be_added_to_stays_as_it_is(text):
    Path("config.yaml").write_text(text)
    with pytest.raises(RefusedError, match=r"^config\.yaml"):
        look("config.yaml")
    assert Path("config.yaml").read_text() == text


@pytest.mark.parametrize("name", ["a*b", "a?b", "[a]*b", "**"])
def test_a_file_whose_name_is_a_pattern_is_read_alone(name):
    for file in (name, "axb", "ayb", "a-*-b"):
        write("raw", f"{file}.csv", GRADED)
    [campaign], _ = detected.detect_files(f"raw/{name}.csv")
    assert find_files(campaign.block["graded"]["files"]) == [f"raw/{name}.csv"]


def test_the_names_of_files_are_a_pattern_or_a_list():
    for name, text in {"a": "id,verdict\n1,correct\n", "graded": "length,height\n1,2\n"}.items():
        write("raw", f"{name}.csv", text)
    write("raw", "b.csv", "id,verdict\n1,correct\n")
    [campaign], _ = detected.detect_files("raw")
    assert campaign.block["graded"]["files"] == ["raw/a.csv", "raw/b.csv"]


def test_a_pattern_has_a_part_of_a_word_only_where_it_leaves_out_others():
    """So that a run that is added takes part."""
    for run in ("alpha", "gamma"):
        write("runs", f"{run}.csv", "question,verdict\nq1,correct\n")
    runs = ["runs/alpha.csv", "runs/gamma.csv"]
    [campaign], _ = detected.detect_files(*runs)
    assert campaign.block["graded"]["files"] == "runs/*.csv"
    write("runs", "notes.csv", "x\n1\n")
    [campaign], _ = detected.detect_files(*runs)
    assert campaign.block["graded"]["files"] == "runs/*a.csv"


LABEL, NOTHING = Choice("verdict", "label"), Choice("unanswered", False)
QUESTION = Question("verdict", "Which?", (LABEL, Choice("judged", False)))
PROPOSAL = Question("unanswered", "How?", (NOTHING,), default=NOTHING)
TYPED = [(QUESTION, text, {"verdict": "label"}) for text in ("1", "label")]
TYPED += [(QUESTION, "judged=no", {"judged": False}), (QUESTION, "{", {}), (QUESTION, "", {})]
TYPED += [(PROPOSAL, "", {"unanswered": False})]


@pytest.mark.parametrize(("question", "typed", "answer"), TYPED)
def test_an_answer_may_be_typed_in_every_form(monkeypatch, question, typed, answer):
    """An empty line takes what is proposed."""
    monkeypatch.setattr("builtins.input", lambda prompt: typed)
    assert mapping.ask(question) == answer
