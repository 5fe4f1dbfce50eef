"""Plain tables are read by documented names or asked about, in at most two rounds."""

import json
import re
from collections import Counter
from pathlib import Path

import detected
import nonresponse
import polars as pl
import pytest
import yaml
from conftest import HOME
from log_samples import render_file
from nonresponse import faults
from nonresponse.detect import mapping, names
from nonresponse.front import RefusedError
from nonresponse.front import campaign as front
from quick import first_of_each
from reading import write

CASES = Path(__file__).parent / "cases"
TABLES = yaml.safe_load((Path(__file__).parent / "tables.yaml").read_text())
# All other keys of a case are files.
ABOUT = ("path", "given", "asks", "offers", "default", "means", "notes", "says", "gives")
ALWAYS_COMPARED = {"run", "question", "epoch", "key", "gold"}  # keys of choices
LETTERS = "abcdefghijklmn"


def make_case(header: str, rows: list[str], given: dict | None = None, **about) -> dict:
    """A case of a table with many rows."""
    return {"a.csv": "|".join([header, *rows]), "given": given or {}} | about


TWO_RUNS = [
    f"q{n},{run},{vendor},{n}{vendor},{'xyz'[n % 3]},{n % 4},{['correct', 'HIT'][n % 2]}"
    for n in range(20)
    for run, vendor in (("m", "x"), ("mm", "y"))
]
TABLES |= {
    "many different numbers": make_case(
        "id,score", [f"{n},{n / 10}" for n in range(20)], {"verdict": "score", "unanswered": False},
        asks=["correct_from"],
    ),
    "sentences are no verdicts": make_case(
        "id,model,answer,judgement", [f"{n},m,x,It is correct for {n}." for n in range(20)],
        asks=["verdict", "unanswered"], offers=["judged=no"],
        means=["'judgement' has 20 different texts"],
    ),
    "long texts are no words of verdicts": make_case(
        "id,curve,label", [f"{n},{'ab'[n % 2] * 120},{'ab'[n % 3 % 2]}" for n in range(6)],
        asks=["verdict", "unanswered"], offers=["verdict=label"],
    ),
    "systems are columns with answers that equal the gold ones": make_case(
        "id,gold,gpt,llama,seconds",
        [f"{n},{word},{word * (1 + n % 2)},{word},{n}" for n, word in enumerate(LETTERS)],
        asks=["verdict", "unanswered"], offers=["gold=gold"],
        means=['then also answer=gpt or answer=llama or, for a run each, "systems=[gpt, llama]"'],
    ),
    # What is the same on all rows of a run, or different on each row, is not offered
    "verdicts by how far their words are documented": make_case(
        "id,model,vendor,key,part,seed,outcome", TWO_RUNS, asks=["verdict", "unanswered"],
        offers=["verdict=outcome", "verdict=part", "verdict=seed"],
    ),
}  # fmt: skip


def write_files(files: dict[str, object]) -> str:
    """Write files, and return the folder or the file that holds them."""
    for name, content in files.items():
        write(".", name, render_file(name, content))
    return next(iter(files)) if len(files) == 1 else "raw"


def write_case(case: dict) -> str:
    """The path of a case, whose files are written."""
    files = {name: content for name, content in case.items() if name not in ABOUT}
    return write_files(files) if files else str(CASES / case["path"])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def count_results(result: str) -> dict[str, Counter]:
    """Return the states of each run, or the counts of a table of counts."""
    if not result.startswith("["):
        rows = [json.loads(line) for line in result.splitlines()]
        return {row["run"]: Counter({n: row[n] for n in ("n_ac", "n_aw", "n_u")}) for row in rows}
    counts: dict[str, Counter] = {}
    for (run, _), state in detected.verdicts(result).items():
        counts.setdefault(run, Counter())[state] += 1
    return counts


@pytest.mark.parametrize("name", TABLES)
def test_what_is_asked_and_what_the_answers_give(folder, name):
    case = TABLES[name]
    path, given = write_case(case), case.get("given", {})
    campaigns, scan = detected.detect_files(path, **given)
    questions = [question for campaign in campaigns for question in campaign.questions]
    choices = [choice for question in questions for choice in question.choices]
    assert scan.faults == [] and [question.key for question in questions] == case.get("asks", [])
    if "offers" in case:
        compared = ALWAYS_COMPARED | {text.partition("=")[0] for text in case["offers"]}
        assert [choice.text for choice in choices if choice.key in compared] == case["offers"]
    defaults = {question.key: question.default and question.default.text for question in questions}
    assert case.get("default", {}).items() <= defaults.items()
    texts = [text for question in questions for text in (question.text, question.form)]
    texts += [choice.means for choice in choices]
    for part in case.get("means", []):
        assert any(part in text for text in texts), texts
    notes = [note for campaign in campaigns for note in campaign.notes]
    for note, part in zip(notes, case["notes"], strict=True) if "notes" in case else ():
        assert part in note
    if "gives" not in case:
        return
    says = {
        key: value.format(path=path) if isinstance(value, str) and "{path}" in value else value
        for key, value in case.get("says", {}).items()
    }
    campaigns, scan = detected.detect_files(path, **given, **says)
    assert scan.faults == [] and detected.keys(campaigns) == []
    [result] = detected.run(campaigns, folder).values()
    assert count_results(result) == case["gives"], result


@pytest.mark.parametrize(
    "name",
    first_of_each(
        lambda name: (*TABLES[name].get("asks", []), *TABLES[name].get("says", {}), "path" in TABLES[name]),
        [name for name in TABLES if "gives" in TABLES[name]],
    ),
)  # fmt: skip
def test_the_answers_are_accepted_in_the_form_in_which_they_were_asked(name):
    """Every choice of every question, where it names nothing to fill in, decides the question."""
    path, given = write_case(TABLES[name]), TABLES[name].get("given", {})
    campaigns, _ = detected.detect_files(path, **given)
    for question in [question for entry in campaigns for question in entry.questions]:
        assert question.choices or question.columns
        for choice in [choice for choice in question.choices if "???" not in choice.text]:
            campaigns, scan = detected.detect_files(path, **given, **{choice.key: choice.value})
            assert question.key not in detected.keys(campaigns), choice.text
            assert not [entry for entry in scan.faults if "column" in entry.found], choice.text


def test_fields_inside_columns_of_parquet_are_columns(folder):
    rows = [{"label": "correct"}, {"label": "wrong"}]
    pl.DataFrame({"id": ["1", "2"], "judge": rows}).write_parquet("a[1].parquet")
    campaigns, _ = detected.detect_files("a[1].parquet", verdict="judge.label", unanswered=False)
    [result] = detected.run(campaigns, folder).values()
    assert [*detected.verdicts(result).values()] == ["correct", "wrong"]


def test_results_of_an_earlier_evaluation_are_no_input():
    board = "results/c/leaderboard.csv"
    write_files({"a.csv": "id,model,verdict | 1,m,correct | 2,m,wrong", board: "run,rank | m,1"})
    write(".", "results/manifest.sha256", f"{'0' * 64}  {board}\n")
    campaigns, scan = detected.detect_files(".")
    assert [campaign.paths for campaign in campaigns] == [["a.csv"]] and scan.faults == []


@pytest.mark.parametrize("name", ["detection_score", "label", "passed_filter", "correct_language"])
def test_no_word_in_a_name_makes_a_verdict_of_it(name):
    """Only a whole documented name does. Each of these was once read as a verdict."""
    path = write_files({"a.csv": f"id,{name} | 1,1 | 2,0 | 3,1 | 4,0"})
    [campaign], _ = detected.detect_files(path)
    [question, *_] = campaign.questions
    assert question.key == "verdict" and "'1': correct" in question.choices[0].means


def test_columns_of_systems_that_nobody_judged_are_refused_and_not_passed_over():
    path = write_files({"a.csv": "id,gpt,llama | 1,x,y | 2,y,x"})
    options = {"systems": ["gpt", "llama"], "judged": False, "unanswered": False}
    with pytest.raises(RefusedError, match="judged: has no effect on layout wide"):
        front.complete_campaign(front.find_campaign([path], options=options))


TITLE = "delete titles above them"


@pytest.mark.parametrize(
    ("name", "text", "step"),
    [
        ("page.html", "<p>", ""),
        ("list.json", "[1, 2]", ""),
        ("broken.json", '{"eval": {', ""),
        ("empty.csv", "", ""),
        ("uneven.csv", "id,verdict\n1\n", ""),
        ("title.csv", "Results of June,,\n,,\nid,verdict\n1,correct\n", TITLE),
        ("alone.csv", "Results of June\n\nid;verdict\n1;correct\n", TITLE),
        ("headless.csv", "a,1,R\na,2,W\nb,1,R\n", "names the columns"),
        ("sheet.xlsx", "PK\3\4\0,\n\0", "each of its sheets saved as CSV"),
    ],
)
def test_what_cannot_be_read_is_a_fault_of_its_file_that_says_what_to_do(name, text, step):
    _, scan = detected.detect_files(write(".", name, text))
    assert {fault.file for fault in scan.faults} == {name} and step in scan.faults[0].expected


def test_of_many_faults_the_first_are_printed():
    text = "id,system,verdict\n" + "".join(f"{'1' * n},s\xfcd,x\n" for n in range(1, 141))
    data = text.encode("latin-1") + "2,süd,x\n".encode()
    campaigns, scan = detected.detect_files(write(".", "a.csv", data))
    page = mapping.render_page(campaigns, scan).splitlines()
    assert len(scan.faults) == 140 and len(page) == faults.MAX_SHOWN_OF_FILE + 1
    assert page[-1] == "a.csv: and 120 more"


def test_the_page_lists_the_documented_names():
    page = (HOME / "docs/tables.md").read_text().partition("## Documented names")[2]
    tables = page.partition("| verdicts | words |")[::2]
    rows = [re.findall(r"^\| ([a-z]\w*) \| ([^|]*) \|", table, re.M) for table in tables]
    roles = {role: ", ".join(names) for role, names in (names.ALIASES | names.COUNTS).items()}
    assert dict(rows[0]) == {"role": "names of columns"} | roles
    words = {name: ", ".join(text.split()) for name, text in names.WORDS.items()}
    assert dict(rows[1]) == words


def test_failed_responses_are_counted_in_the_answer():
    results = nonresponse.evaluate(sorted((CASES / "errors-without-a-word").iterdir()))
    assert "failed on 6 responses in 1 of 2 runs" in " ".join(results.sentences)


def test_unjudged_and_unasked_questions_are_counted_in_the_answer():
    rows = "q1,a,correct | q2,a, | q3,a,wrong | q1,b,correct | q2,b,wrong"
    results = nonresponse.evaluate(write_files({"a.csv": f"question,run,verdict | {rows}"}))
    assert any("Nobody judged 1 response" in text for text in results.sentences)
    bounds = results.leaderboard.filter(pl.col("run") == "a").select("c@1 worst", "c@1 best").row(0)
    assert bounds == pytest.approx((0.5, 1))
    sentence = "1 of 2 runs was asked 2 of 3 questions"
    assert any(text.startswith(sentence) for text in results.sentences)


def test_right_silence_is_the_first_measure_where_questions_have_no_answer():
    questions = [
        {"id": f"q{n}", "is_impossible": n % 2 == 1, "answers": [] if n % 2 else [{"text": "a"}]}
        for n in range(40)
    ]
    files = {"raw/dev.json": {"data": [{"title": "T", "paragraphs": [{"qas": questions}]}]}}
    files["raw/careful.json"] = {f"q{n}": "a" if n % 4 == 0 else "" for n in range(40)}
    files["raw/guesser.json"] = {f"q{n}": "b" if n % 2 else "a" for n in range(40)}
    assert nonresponse.evaluate(write_files(files)).leaderboard["run"][0] == "careful"


CRAG = str(CASES / "refusal-without-a-way/crag.csv")


def test_what_is_open_is_refused_with_the_questions_and_the_block():
    with pytest.raises(front.AskedError) as refused:
        front.find_campaign([CRAG])
    assert [question.key for question in refused.value.questions] == ["verdict", "unanswered"]
    text = str(refused.value)
    assert "verdict: ???" in text and "--set verdict=label" in text
    assert "{hallucination: ???, missing: ???}" in text and refused.value.status == 3


def test_an_answer_that_does_not_fit_says_what_would():
    message = r"no column 'lable' \(verdict=lable\); expected one of .*'label'"
    with pytest.raises(Exception, match=message):
        front.find_campaign([CRAG], options={"verdict": "lable"})


def test_the_encoding_of_a_table_that_is_not_utf_8_is_asked(tmp_path):
    """A file of the same campaign that is UTF-8 is read as such."""
    answers = write(tmp_path, "a.csv", "id;answer\n1;Köln\n2;Wien\n3;–\n".encode("cp1252"))
    key = write(tmp_path, "key.csv", "id;gold\n1;Köln\n2;Bern\n3;Rom\n")
    with pytest.raises(front.AskedError) as asked:
        nonresponse.read([answers, key])
    [encoding, *_] = asked.value.questions
    assert [choice.means for choice in encoding.choices] == [
        "it has 'Köln'", "it has 'Köln'", "it has 'Kцln'", "it has 'Kˆln'",
    ]  # fmt: skip
    options = {"encoding": "cp1252", "unanswered": ["–"], "normalise": False}
    verdicts = nonresponse.read([answers, key], **options).frame["verdict"]
    assert verdicts.to_list() == ["correct", "wrong", "unanswered"]
    damaged = write(tmp_path, "b.csv", "id;verdict\nä;correct\n".encode() + b"\xf6;wrong\n")
    with pytest.raises(front.FaultyError, match=r"b.csv:3: found the byte 0xf6 .* UTF-8 text"):
        nonresponse.read(damaged)
