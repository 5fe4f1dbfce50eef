"""Plain tables are read by documented names or asked about, in at most two rounds."""

import json
import re
from collections import Counter
from pathlib import Path

import detected
import polars as pl
import pytest
import yaml
from conftest import HOME
from nonresponse import faults
from nonresponse.detect import mapping, names
from nonresponse.front import RefusedError
from nonresponse.front.campaign import complete_campaign, find_campaign
from quick import first_of_each

CASES = Path(__file__).parent / "cases"
TABLES = yaml.safe_load((Path(__file__).parent / "tables.yaml").read_text())
ABOUT = ("path", "asks", "says", "gives")  # all other keys are files


def csv(header: str, *rows: str) -> str:
    return "\n".join([header, *rows, ""])


LONG = csv("run,qid,grade", "a,1,yes", "a,2,no", "b,1,abstained", "b,2,")


def render_file(name: str, content: object) -> str:
    """The text of a file in tables.yaml."""
    if name.endswith(".jsonl"):
        return "".join(f"{json.dumps(question)}\n" for question in content)
    if name.endswith(".json"):
        return json.dumps(content)
    return csv(*(line.strip(" ") for line in content.split("|")))


def write_case(case: dict) -> str:
    """The path of a case, whose files are written."""
    files = {name: render_file(name, text) for name, text in case.items() if name not in ABOUT}
    return write(files) if files else str(CASES / case["path"])


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def write(files: dict[str, str]) -> str:
    """Write files, and return the folder or the file that holds them."""
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    return next(iter(files)) if len(files) == 1 else "raw"


@pytest.mark.parametrize("name", TABLES)
def test_what_is_asked_and_what_the_answers_give(folder, name):
    case = TABLES[name]
    path = write_case(case)
    campaigns, scan = detected.detect_files(path)
    assert scan.faults == [] and detected.keys(campaigns) == case["asks"]
    says = {
        key: value.format(path=path) if isinstance(value, str) and "{path}" in value else value
        for key, value in case.get("says", {}).items()
    }
    campaigns, scan = detected.detect_files(path, **says)
    assert scan.faults == [] and detected.keys(campaigns) == []
    [result] = detected.run(campaigns, folder).values()
    counts: dict[str, Counter] = {}
    for (run, _), state in detected.verdicts(result).items():
        counts.setdefault(run, Counter())[state] += 1
    assert counts == case["gives"], result


@pytest.mark.parametrize(
    "name",
    first_of_each(
        lambda name: (*TABLES[name]["asks"], *TABLES[name].get("says", {}), "path" in TABLES[name]),
        TABLES,
    ),
)
def test_the_answers_are_accepted_in_the_form_in_which_they_were_asked(name):
    """Every choice of every question, where it names nothing to fill in, decides the question."""
    path = write_case(TABLES[name])
    campaigns, _ = detected.detect_files(path)
    for question in [question for entry in campaigns for question in entry.questions]:
        assert question.choices or question.columns
        for choice in [choice for choice in question.choices if "???" not in choice.text]:
            campaigns, scan = detected.detect_files(path, **{choice.key: choice.value})
            assert question.key not in detected.keys(campaigns), choice.text
            assert not [entry for entry in scan.faults if "column" in entry.found], choice.text


def test_fields_inside_columns_of_parquet_are_columns(folder):
    rows = [{"label": "correct"}, {"label": "wrong"}]
    pl.DataFrame({"id": ["1", "2"], "judge": rows}).write_parquet("a[1].parquet")
    campaigns, _ = detected.detect_files("a[1].parquet", verdict="judge.label", unanswered=False)
    [result] = detected.run(campaigns, folder).values()
    assert [*detected.verdicts(result).values()] == ["correct", "wrong"]


def test_documented_words_beside_others_are_told(folder):
    """Where HIT is correct, PASS may be abstention."""
    path = write({"a.csv": csv("id,outcome", "1,HIT", "2,MISS", "3,PASS", "4,correct")})
    campaigns, _ = detected.detect_files(path)
    assert campaigns[0].questions[0].choices[0].means.endswith("; 'PASS' is read as correct")
    campaigns, _ = detected.detect_files(path, verdict="outcome")
    [text] = [question.text for question in campaigns[0].questions if question.key == "verdicts"]
    assert text.endswith("What is each? ('PASS' is read as correct.)")
    campaigns, _ = detected.detect_files(path, verdict="outcome", verdicts={"PASS": "unanswered"})
    [text] = [question.text for question in campaigns[0].questions if question.key == "verdicts"]
    assert text.endswith("What is each?")


def test_results_of_an_earlier_evaluation_are_no_input(folder):
    board = csv("run,rank,value", "m,1,0.5")
    write(
        {
            "a.csv": csv("id,model,verdict", "1,m,correct", "2,m,wrong"),
            "results/c/leaderboard.csv": board,
            "results/manifest.sha256": f"{'0' * 64}  results/c/leaderboard.csv\n",
        }
    )
    campaigns, scan = detected.detect_files(".")
    assert [campaign.paths for campaign in campaigns] == [["a.csv"]] and scan.faults == []


def test_files_with_the_same_responses_are_asked_about(folder):
    path = write(
        {
            "raw/a.csv": csv("id,model,verdict", "1,m,correct", "2,m,wrong"),
            "raw/b.csv": csv("id,model,verdict", "1,m,wrong", "2,m,wrong"),
        }
    )
    campaigns, _ = detected.detect_files(path)
    [question] = campaigns[0].questions
    assert [choice.text for choice in question.choices[:2]] == [
        "run='{model}-{file}'",
        "question='{id}/{file}'",
    ]
    for choice, runs, questions in zip(question.choices[:2], (2, 1), (2, 4), strict=True):
        campaigns, _ = detected.detect_files(path, **{choice.key: choice.value})
        assert detected.keys(campaigns) == []
        [result] = detected.run(campaigns, folder / choice.key).values()
        names = [{*parts} for parts in zip(*detected.verdicts(result), strict=True)]
        assert [len(parts) for parts in names] == [runs, questions]


def test_runs_of_rows_that_are_questions_of_their_own_are_not_compared(folder):
    path = write({"a.csv": csv("model,topic,note,correct", "a,x,,1", "b,x,,0", "b,y,,1")})
    [campaign], _ = detected.detect_files(path)
    [question, *_] = campaign.questions
    assert "note" not in {choice.value for choice in question.choices}  # which has no values
    [campaign], _ = detected.detect_files(path, question="{row}", unanswered=False)
    assert campaign.block["compare_on"] == "all"
    [result] = detected.run([campaign], folder).values()
    states = Counter(detected.verdicts(result).values())
    assert states == {"correct": 2, "wrong": 1, "not asked": 3}


def test_what_a_run_is_is_asked_of_counts_with_several_rows_of_one(folder):
    table = csv("model,topic,correct,wrong,unanswered", "a,x,3,1,2", "a,y,2,2,2")
    path = write({"a.csv": table})
    [campaign], _ = detected.detect_files(path)
    assert detected.keys([campaign]) == ["run"]
    [campaign], _ = detected.detect_files(path, run=["model", "topic"])
    [result] = detected.run([campaign], folder).values()
    assert [json.loads(row)["run"] for row in result.splitlines()] == ["a-x", "a-y"]


def test_names_above_counts_may_be_those_of_runs():
    counts = {"correct": 5, "wrong": 3, "unanswered": 2}
    path = write({"a.json": json.dumps({"models": {"a": counts, "b": counts}})})
    [campaign], _ = detected.detect_files(path)
    assert campaign.questions[0].choices[0].text == "run=key"
    [campaign], _ = detected.detect_files(path, run="key")
    assert campaign.questions == [] and campaign.block["counts"]["columns"]["run"] == "key"


def test_a_nested_flag_of_abstention_is_proposed():
    rows = [{"id": n, "eval": {"is_correct": n > 1, "abstained": n > 2}} for n in range(4)]
    path = write({"a.jsonl": render_file("a.jsonl", rows)})
    [campaign], _ = detected.detect_files(path, verdict="eval.is_correct")
    assert campaign.questions[0].default.text == "abstained=eval.abstained"


def test_rows_without_a_question_are_asked_about(folder):
    campaigns, _ = detected.detect_files(write({"a.csv": csv("id,verdict", "1,correct", ",wrong")}))
    assert detected.keys(campaigns) == ["empty_questions"]
    campaigns, _ = detected.detect_accepted("a.csv")
    [result] = detected.run(campaigns, folder).values()
    assert [*detected.verdicts(result).values()] == ["correct"]


def test_which_columns_are_counts_is_asked_of_a_row_per_run():
    path = write({"a.csv": csv("model,hits,misses,declined", "a,3,1,2", "b,2,2,2")})
    [campaign], _ = detected.detect_files(path)
    assert detected.keys([campaign]) == ["n_ac", "n_aw", "n_u"]
    [campaign], _ = detected.detect_files(path, n_ac="hits", n_aw="misses", n_u="declined")
    assert campaign.questions == [] and campaign.block["counts"]["columns"]["n_ac"] == "hits"


def test_a_column_with_texts_like_failures_is_offered_and_not_proposed():
    for text in ("timeout", "a thought"):
        path = write({"a.csv": csv("id,notes,correct", "1,HTTP 500,0", f"2,{text},1", "3,,1")})
        [campaign], _ = detected.detect_files(path)
        [question] = [question for question in campaign.questions if question.key == "failed"]
        assert question.choices[0].value == "notes" and question.default is None


def test_totals_with_correct_answers_are_counts(folder):
    path = write({"a.csv": csv("model,correct,total", "a,6,10", "b,7,10")})
    [campaign], _ = detected.detect_files(path)
    assert detected.keys([campaign]) == ["n_u"]
    assert "no run left a question open" in {
        choice.means for choice in campaign.questions[0].choices
    }
    [campaign], _ = detected.detect_files(path, n_u=False)
    [result] = detected.run([campaign], folder).values()
    counts = [json.loads(row) for row in result.splitlines()]
    assert [(row["n_aw"], row["n_u"]) for row in counts] == [(4, 0), (3, 0)]


def test_many_different_numbers_are_asked_about(folder):
    rows = [f"{n},{n / 10}" for n in range(20)]
    path = write({"a.csv": csv("id,score", *rows)})
    campaigns, scan = detected.detect_files(path, verdict="score", unanswered=False)
    assert scan.faults == [] and detected.keys(campaigns) == ["correct_from"]


def test_lists_of_records_under_names_are_one_table_however_long(folder):
    lists = {name: [{"id": n, "verdict": "correct"} for n in range(150)] for name in ("a", "b")}
    path = write({"a.json": json.dumps(lists)})
    [campaign], _ = detected.detect_files(path)
    assert detected.keys([campaign]) == ["duplicates"]
    assert campaign.questions[0].choices[0].text == "run=key"


def test_words_are_said_to_be_in_the_column_that_has_them():
    rows = ("1,yes,yes", "2,no,maybe", "3,no,no")
    path = write({"a.csv": csv("id,ann,bob", *rows)})
    [campaign], _ = detected.detect_files(
        path, assessors={"ann": "ann", "bob": "bob"}, verdicts={"yes": "correct", "no": "wrong"}
    )
    [text] = [question.text for question in campaign.questions if question.key == "verdicts"]
    assert text.startswith("'bob' has words without a documented meaning: 'maybe'")


def test_counts_are_read_by_their_names(folder):
    path = write({"a.csv": csv("Model,Correct,Incorrect,Not attempted", "a,10,5,5", "b,12,8,0")})
    [campaign], _ = detected.detect_files(path)
    [result] = detected.run([campaign], folder).values()
    assert campaign.questions == []
    assert [json.loads(row)["n_u"] for row in result.splitlines()] == [5, 0]


@pytest.mark.parametrize(
    "name",
    ["detection_score", "score", "label", "halluc_score", "passed_filter", "correct_language"],
)
def test_no_word_in_a_name_makes_a_verdict_of_it(name):
    """Only a whole documented name does. Each of these was once read as a verdict."""
    [campaign], _ = detected.detect_files(
        write({"a.csv": csv(f"id,{name}", "1,1", "2,0", "3,1", "4,0")})
    )
    [question, *_] = campaign.questions
    assert question.key == "verdict" and "'1': correct" in question.choices[0].means


def test_columns_of_systems_that_nobody_judged_are_refused_and_not_passed_over():
    path = write({"a.csv": csv("id,gpt,llama", "1,x,y", "2,y,x")})
    options = {"systems": ["gpt", "llama"], "judged": False, "unanswered": False}
    with pytest.raises(RefusedError, match="judged: has no effect on layout wide"):
        complete_campaign(find_campaign([path], options=options))


@pytest.mark.parametrize(
    ("column", "word"),
    [("!correct", "yes"), ("correct", "-1"), ("correct", "!correct"), ("not_correct", "yes")],
)
def test_a_negation_is_no_verdict(column, word):
    [campaign], _ = detected.detect_files(
        write({"a.csv": csv(f"id,{column}", f"1,{word}", "2,no")})
    )
    assert {"verdict", "verdicts", "correct_from"} & {*detected.keys([campaign])}


def test_columns_that_do_not_fit_their_role_are_left_out_with_a_note():
    rows = ("1,correct,80%,x", "2,wrong,20%,y", "1,correct,80%,z")
    path = write({"a.csv": csv("question,verdict,confidence,category", *rows)})
    [campaign], _ = detected.detect_files(path, duplicates="first")
    assert "confidence" not in campaign.block["graded"]["columns"] and len(campaign.notes) == 2


def test_tables_that_nobody_judged_are_left_out_beside_others():
    write(
        {
            "raw/a.csv": LONG,
            "raw/b.csv": csv("question,length", "1,2"),
            "raw/c.csv": csv("qid,response", "1,x"),
            "raw/d.csv": csv("run,AUC,F1,n", "a,0.5,0.5,2", "b,0.4,0.3,2"),
        }
    )
    campaigns, scan = detected.detect_files("raw")
    assert [campaign.paths for campaign in campaigns] == [["raw/a.csv"]]
    assert scan.left_out == {
        "raw/b.csv": "neither verdicts nor answers",
        "raw/c.csv": "answers that nobody judged",
        "raw/d.csv": "neither verdicts nor answers",
    }


UNREADABLE = {
    "page.html": "<p>",
    "list.json": "[1, 2]",
    "broken.json": '{"eval": {',
    "empty.csv": "",
}
UNREADABLE |= {"log.eval": "PK no zip", "uneven.csv": "id,verdict\n1\n"}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_a_fault_of_its_file(name):
    campaigns, scan = detected.detect_files(write({name: UNREADABLE[name]}))
    assert {fault.file for fault in scan.faults} == {name} or (campaigns and name == "log.eval")


def test_rows_of_a_response_are_asked_about_after_its_question_was_named():
    rows = csv("model,riddle,judged,correct", "m,r1,x,1", "m,r1,y,0", "m,r2,x,1", "m,r2,y,1")
    path = write({"a.csv": rows})
    for answers in ({"question": "riddle"}, {"question": "riddle", "run": "model"}):
        campaigns, _ = detected.detect_files(path, unanswered=False, **answers)
        assert detected.keys(campaigns) == ["duplicates"]


FIRST_STEPS = {
    "title.csv": "Results of June,,\n,,\nid,model,verdict\n1,a,correct\n",
    "alone.csv": "Results of June\n\nid;model;verdict\n1;a;correct\n",
    "sheet.xlsx": "PK",
}


@pytest.mark.parametrize("name", FIRST_STEPS)
def test_what_to_do_with_titles_and_spreadsheets_is_said(name):
    _, scan = detected.detect_files(write({name: FIRST_STEPS[name]}))
    fault = scan.faults[0]
    step = "each of its sheets saved as CSV" if name == "sheet.xlsx" else "delete titles above them"
    assert step in fault.expected


RESULTS = {
    "by run": ("model,rank,score\na,1,62.5\nb,2,55.0\n", "no shares and no means"),
    "sentences": (
        csv("id,model,answer,judgement", *(f"{n},m,x,It is correct for {n}." for n in range(20))),
        "'judgement' has 20 different texts",
    ),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_what_is_no_verdict_is_said_in_the_question(kind):
    content, says = RESULTS[kind]
    campaigns, _ = detected.detect_files(write({"a.csv": content}))
    question = campaigns[0].questions[0]
    assert says in question.text
    assert not any(choice.key == "gold" for choice in question.choices)


def test_an_epoch_below_0_is_said_to_be_no_whole_number():
    path = write({"a.csv": csv("id,epoch,verdict", "1,-1,correct", "2,1,wrong")})
    [campaign], _ = detected.detect_files(path)
    assert "'epoch' is left out as epoch: not all values are whole numbers." in campaign.notes


def test_of_many_faults_the_first_are_printed():
    text = "id,system,verdict\n" + "".join(f"{'1' * n},sud,richtig\n" for n in range(1, 141))
    Path("a.csv").write_bytes(text.replace("sud", "s\xfcd").encode("latin-1"))
    campaigns, scan = detected.detect_files("a.csv")
    lines = mapping.render_page(campaigns, scan).splitlines()
    assert len(scan.faults) == 140 and len(lines) == faults.MAX_SHOWN_OF_FILE + 1
    assert lines[-1] == "a.csv: and 120 more"


def test_the_page_lists_the_documented_names():
    page = (HOME / "docs/tables.md").read_text().partition("## Documented names")[2]
    roles, _, words = page.partition("| verdicts | words |")
    expected = {role: ", ".join(aliases) for role, aliases in names.ALIASES.items()}
    expected |= {name: ", ".join(aliases) for name, aliases in names.COUNTS.items()}
    assert read_rows(roles) == {"role": "names of columns"} | expected
    assert read_rows(words) == {
        name: ", ".join(words_of_verdict.split()) for name, words_of_verdict in names.WORDS.items()
    }


def read_rows(table: str) -> dict[str, str]:
    """The names in a table of Markdown, by what they name."""
    return dict(re.findall(r"^\| ([a-z]\w*) \| ([^|]*) \|", table, re.MULTILINE))


def test_few_numbers_may_each_be_a_verdict():
    path = write({"a.csv": csv("id,score", "1,1", "2,0", "3,-1", "4,0")})
    campaigns, _ = detected.detect_files(path)
    [means] = [
        choice.means for choice in campaigns[0].questions[0].choices if choice.value == "score"
    ]
    assert means.endswith("correct_from=NUMBER or \"verdicts={'0': ???, '-1': ???, '1': ???}\"")


def test_letters_that_answers_equal_are_not_proposed_as_grades():
    path = write({"a.csv": csv("id,pred,correct", "1,A,A", "2,B,C", "3,C,B")})
    campaigns, _ = detected.detect_files(path)
    assert campaigns[0].questions[0].default is None


def test_files_with_other_documented_columns_say_that_they_are_campaigns():
    campaigns, _ = detected.detect_files(
        write(
            {"raw/a.csv": "id,verdict\n1,correct\n", "raw/b.csv": "id,verdict,error\n1,,timeout\n"}
        )
    )
    assert [len(campaign.notes) for campaign in campaigns] == [0, 1]
    assert "other documented columns than raw/a.csv" in campaigns[1].notes[0]


def test_rows_of_equally_long_files_are_the_same_questions(folder):
    path = write(
        {f"raw/{run}.csv": csv(",length,verdict", "0,9,correct", "1,8,wrong") for run in "ab"}
    )
    [campaign], _ = detected.detect_files(path)
    [question] = campaign.questions
    row_names = [choice.value for choice in question.choices if "{row}" in choice.value]
    assert row_names == ["{row}", "{file}/{row}"]
    for value, compared in zip(row_names, (None, "all"), strict=True):
        [campaign], _ = detected.detect_files(path, question=value)
        assert campaign.block.get("compare_on") == compared


def test_what_may_be_verdicts_is_offered_by_how_far_its_words_are_documented():
    """What is the same on all rows of a run, or different on each row, is not offered."""
    rows = [
        f"q{n},{run},{vendor},{n}{vendor},{'xyz'[n % 3]},{n % 4},{['correct', 'HIT'][n % 2]}"
        for n in range(20)
        for run, vendor in (("m", "x"), ("mm", "y"))
    ]
    path = write({"a.csv": csv("id,model,vendor,key,part,seed,outcome", *rows)})
    [campaign], _ = detected.detect_files(path)
    choices = [choice for choice in campaign.questions[0].choices if choice.key == "verdict"]
    assert [choice.value for choice in choices] == ["outcome", "part", "seed"]


def list_ways(path: str, **says: object) -> list[str]:
    """The choices on rows of one response that name something by columns."""
    campaigns, _ = detected.detect_files(path, **says)
    choices = [
        choice
        for campaign in campaigns
        for question in campaign.questions
        for choice in question.choices
    ]
    return [choice.text for choice in choices if choice.key in ("run", "question", "epoch")]


def test_a_column_that_distinguishes_nine_of_ten_rows_is_proposed_alone(folder):
    rows = [(f"q{n}", run, "geo") for n in range(10) for run in "ab"]
    rows += [("q0", run, "law") for run in "ab"]
    path = write({"a.csv": csv("id,mode,domain,correct", *(f"{','.join(row)},1" for row in rows))})
    assert list_ways(path) == [
        *("run=mode", "question=[id, mode]"),
        *("run=[mode, domain]", "question=[id, mode, domain]"),
    ]
    assert list_ways(path, run="mode") == ["run=[mode, domain]", "question=[id, domain]"]


def test_columns_that_distinguish_rows_alike_are_proposed_once(folder):
    rows = [f"q{n},{t},{40 + t},q{n}:{t},{n % 2}" for n in range(8) for t in range(3)]
    path = write({"a.csv": csv("id,turn,seed,response_id,correct", *rows)})
    assert list_ways(path) == ["run=turn", "question=[id, turn]", "epoch=turn"]


def test_rows_are_not_distinguished_by_the_time_they_took(folder):
    rows = [f"q{n},{n % 3 / 10},1" for n in range(30)]
    path = write({"a.csv": csv("id,seconds,correct", *rows, "q0,0.2,0")})
    assert list_ways(path) == []


def test_of_columns_that_distinguish_rows_that_with_the_fewest_values_is_offered(folder):
    rows = [f"q{n},{n % 4},q{n}:{t},{t},{n % 2}" for n in range(8) for t in "xy"]
    rows = [f"{row}" for row in rows for _ in range(2)]
    rows = [f"{'mn'[place % 2]},{row}" for place, row in enumerate(rows)]
    path = write({"a.csv": csv("model,id,part,key,variant,correct", *rows)})
    assert list_ways(path) == ["run=[model, variant]", "question=[id, variant]"]


def test_long_answers_are_proposed_by_how_they_begin(folder):
    path = write_case(TABLES["long answers that look like abstention, by how they begin"])
    [campaign], _ = detected.detect_files(path)
    [question] = campaign.questions
    assert question.default == question.choices[0]
    assert question.default.value == {"prefixes": ["I don't know", "I'm not sure"]}
    assert question.default.means == "2 answers that may be abstention, by their beginnings"


def test_objects_without_a_common_name_are_no_records(folder):
    curves = {name: {"lam": number, "n": number} for number, name in enumerate("abc")}
    result = {"test": {"p": 0.1, "H": 1}, "curves": curves, "pairs": {"x": {"k": 1}, "y": {"k": 2}}}
    path = write({"a.json": json.dumps(result)})
    [campaign], _ = detected.detect_files(path)
    [question] = [question for question in campaign.questions if question.key == "records"]
    assert [(choice.value, choice.means) for choice in question.choices] == [
        *(("curves", "3 records"), ("pairs", "2 records"))
    ]


def test_a_file_beside_is_no_key_where_a_column_has_gold_answers(folder):
    paths = {f"raw/{name}.csv": csv("id,prediction,gold", "1,a,a", "2,b,c") for name in "xy"}
    [campaign], _ = detected.detect_files(write(paths))
    choices = [choice for question in campaign.questions for choice in question.choices]
    assert [choice.value for choice in choices if choice.key in ("gold", "key")] == ["gold"]


def test_systems_are_columns_with_answers_that_equal_the_gold_ones(folder):
    words = [*"abcdefghijklmn"]
    rows = [f"{n},{word},{word * (1 + n % 2)},{word},{n}" for n, word in enumerate(words)]
    path = write({"a.csv": csv("id,gold,gpt,llama,seconds", *rows)})
    [campaign], _ = detected.detect_files(path)
    [gold] = [choice for choice in campaign.questions[0].choices if choice.key == "gold"]
    assert gold.means.endswith(
        'then also answer=gpt or answer=llama or, for a run each, "systems=[gpt, llama]"'
    )


def test_how_many_answers_equal_the_gold_ones_is_told():
    meanings = {
        ("Rome", "Oslo"): "compare with it as it is written; 1 of 2 are equal",
        ("x", "y"): "compare with it as it is written; no answer is equal to it",
        ('"[""Rome""]"', '"[""a""]"'): "compare with it as it is written; with any of a list",
    }
    for golds, means in meanings.items():
        rows = (f"{n},Rome,{gold}" for n, gold in enumerate(golds))
        [campaign], _ = detected.detect_files(write({"a.csv": csv("id,prediction,gold", *rows)}))
        assert campaign.questions[0].choices[0].means == means


def test_answers_without_a_documented_name_may_be_compared_with_gold_ones():
    path = write({"a.csv": csv("id,gold,base_text,tuned_text", "1,a,It is a.,A", "2,b,It is.,B")})
    [campaign], _ = detected.detect_files(path)
    [choice] = [choice for choice in campaign.questions[0].choices if choice.key == "gold"]
    assert choice.means.endswith("answer=COLUMN or, for a run each, systems=[COLUMNS]")


def test_line_ends_in_quotes_are_read_in_a_tsv(folder):
    write({"a.tsv": 'id\tverdict\tnote\n1\tcorrect\t"two\nlines"\n2\twrong\tx\n'})
    [campaign], scan = detected.detect_files("a.tsv")
    assert scan.faults == [] and campaign.block["graded"]["quoted"] is True
    [result] = detected.run([campaign], folder).values()
    assert [*detected.verdicts(result).values()] == ["correct", "wrong"]


def test_several_columns_distinguish_rows_together(folder):
    rows = [
        f"q{n},{turn},{order},{seed},{'xyz'[(n + turn * seed) % 3]}"
        for n in range(4)
        for turn in (1, 2, 3)
        for order in ("ab", "ba")
        for seed in (7, 8)
    ]
    path = write({"a.csv": csv("id,turn,order,seed,outcome", *rows)})
    assert list_ways(path) == ["run=[turn, order, seed]", "question=[id, turn, order, seed]"]


def test_long_texts_are_no_words_of_verdicts(folder):
    rows = [f"{n},{'ab'[n % 2] * 120},{'ab'[n % 3 % 2]}" for n in range(6)]
    path = write({"a.csv": csv("id,curve,label", *rows)})
    [campaign], _ = detected.detect_files(path)
    assert [choice.value for choice in campaign.questions[0].choices] == ["label"]
