"""A wrong config.yaml is refused before any job; the message names key and choices."""

import datetime
from functools import reduce
from pathlib import Path

import pytest
import yaml
from configured import set_option
from conftest import JUDGMENTS, RUNS, TINY
from nonresponse import campaign as config
from nonresponse import measures, tasks
from nonresponse.campaign import scenarios, validation
from nonresponse.statistics.analyses import ANALYSES
from reading import write


@pytest.fixture(autouse=True)
def enter_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs = [f"raw/runs/{run}.tsv" for run in RUNS] + ["raw/{a}.tsv", "raw/<logs>.tsv"]
    files = dict.fromkeys(runs, RUNS["alpha"]) | {"raw/judgments.tsv": JUDGMENTS}
    files |= dict.fromkeys(["raw/counts.csv", "results/x.csv"], "run,n_ac,n_aw,n_u\na,1,2,3\n")
    for name, text in files.items():
        write(tmp_path, name, text)


def check(campaign: dict, **extra) -> dict:
    return config.check_config({"campaigns": {"tiny": campaign}, **extra})["campaigns"]["tiny"]


def problems(campaign: dict, name: str = "tiny", **extra) -> list[str]:
    with pytest.raises(config.ConfigError) as error:
        config.check_config({"campaigns": {name: campaign}, **extra})
    return [line.removeprefix("config.yaml: ") for line in str(error.value).split("\n")]


TABLE = {"format": "tabular", "files": "raw/runs/*"}
COUNTS = {"task": "qa", "counts": "raw/counts.csv"}
BASES = {
    "tiny": TINY,
    "counts": COUNTS,
    "counted pairs": COUNTS | {"task": "validation"},
    "graded": {"task": "qa", "graded": TABLE},
    "voted": {"task": "qa", "graded": TABLE | {"assessors": {"a": "x", "b": "y", "c": "z"}}},
    "pairs": {"task": "validation", "graded": TABLE},
    "gated": {"task": "qa", "graded": TABLE, "baseline": "alpha"},
    "unjudged": {"task": "qa", "graded": TABLE | {"judged": False}},
    "matching": {"task": "matching", "graded": TABLE},
    "dating": {key: value for key, value in TINY.items() if key != "measures"} | {"task": "dating"},
}


def edit_base(base: str, keys: str | dict) -> dict:
    """A campaign with some keys set otherwise, each by its path; without a key that is null."""
    keys = yaml.safe_load(f"{{{keys}}}") if isinstance(keys, str) else keys
    return reduce(lambda campaign, key: set_option(campaign, *key), keys.items(), BASES[base])


def test_defaults_are_filled_in():
    tiny = check({key: TINY[key] for key in ("task", "runs", "judgments")})
    assert tiny["measures"][:2] == ["c@1", "accuracy"] and "f_simpleqa" not in tiny["measures"]
    assert (tiny["judgments"]["correct"], tiny["shards"]) == (["R"], 1)
    assert {tiny[name] for name in ("unscored", "error", "partial")} == {"wrong"}


def test_what_names_a_column_of_the_question_file_is_one_of_its_columns():
    Path("raw/questions.csv").write_text("question,column\nq1,4\n")
    tiny = check(TINY | {"cluster": "column", "questions": "raw/questions.csv"})
    assert tiny["questions"]["columns"] == {"cluster": "column"}


def test_other_names_of_a_measure():
    """Each stands for the one measure, whose id is used; two names of the same are refused."""
    groups = {task: measures.load_measures(task).values() for task in tasks.NAMES}
    names = [alias for group in groups.values() for measure in group for alias in measure.aliases]
    assert len({*names}) == len(names) and not {*names} & {*measures.load_measures("qa")}
    plain = {alias: measure.id for measure in groups["qa"] for alias in measure.aliases}
    assert plain["er"] == "uf"
    for alias, id in plain.items():
        tiny = check(TINY | {"measures": ["c@1", alias]})
        assert (tiny["measures"], tiny["aliases"]) == (["c@1", id], {alias: id})


WRONG = """
tiny | mesures: [c@1] | : unknown key mesures (did you mean measures?)
tiny | runs.columns: {confidense: c} | .runs.columns.confidense: unknown key confidense (did you mean confidenc
tiny | task: quiz | .task: found 'quiz'; expected 'qa', 'validation'
tiny | task: null | : the key task is missing
tiny | runs: null, judgments: null | give runs and judgments, or graded, or counts
tiny | counts: raw/counts.csv | only one of the three; found runs, counts
tiny | unscored: wrongg | found 'wrongg'; expected 'wrong', 'unanswered' or 'exclude'
tiny | shards: 0 | .shards: found 0; expected greater than or equal to 1
tiny | systems: {x: [a, a]} | .systems.x: found ['a', 'a']; expected each entry once
tiny | measures: accuracy | .measures: found 'accuracy'; expected a valid list
tiny | measures: [c@1, acuracy] | no measure 'acuracy' for qa (did you mean accuracy?)
tiny | measures: [mrr@0] | 'mrr@0': what follows the @ must be a number above 0 and up to 1,000
tiny | measures: [mrr@05] | 'mrr@05': write the number without zeros
counts | measures: [cws] | cws needs the single responses
counts | measures: ['product(uf,c@1)'] | expected measures that are never below 0
counted pairs | measures: [mean(c@1)] | 'mean(c@1)': expected 2 to 8 different measures in the brack
counted pairs | measures: ['mean(c@1'] | 'mean(c@1': expected mean(…) or product(…) in quotes
counted pairs | measures: ['mean(c@1,error)'] | expected measures that are all better higher, or all
counted pairs | measures: ['mean(c@1,auc)'] | mean(c@1,auc) needs the single responses, and this cam
tiny | runs.layout: ranked | runs.layout: has no effect on tabular files; it is for trec-qa
counts | questions: raw/counts.csv | .questions: has no effect on a campaign of counts; it is for ru
graded | graded.layout: wide, graded.assessors: {a: x} | .graded.assessors: has no effect on layout
pairs | graded.gold: x | .graded.gold: has no effect on task validation; it is for qa
tiny | runs.format: pan | .runs.format: pan is not for task qa; allowed are
matching |  | .graded: task matching takes runs and judgments only
graded | graded.layout: wide | .graded.systems: is missing; layout wide has a column for each
graded | graded.assessors: {a: x, b: y} | .graded.official: is missing; name one of a, b
pairs | graded.verdicts: {A: correct} | graded.verdicts.A: correct is not for task validation; allow
tiny | judgments.correct: [Right] | judgments.correct: 'Right' is not a label; allowed are R, W, U,
tiny | judgments.correct: [R, U], judgments.partial: [U] | .judgments.partial: 'U' is among correct,
tiny | judgments.labels: {good: Q} | judgments.labels: 'Q' is not a label; allowed are R, W, U, X
tiny | runs.refusals: {prefixes: [' ']} | .refusals.prefixes.0: found ' '; expected a text that is n
tiny | scenarios: {a: {correct: [Z]}} | .scenarios.a.correct: 'Z' is not a label; allowed are R, W,
tiny | scenarios: {official: {correct: [X]}} | .scenarios.official: official is the campaign as it i
graded | scenarios: {a: {correct: [R]}} | .scenarios.a.correct: has no effect on a campaign of grade
voted | graded.official: 1 of 3 | 1 of 3 may elect two verdicts
voted | graded.official: 2 of 2 | asks for 2 assessors; there are 3
voted | graded.official: [majority, zoe] | : 'zoe' is none of 'a', 'b', 'c'
graded | graded.assessors: {a: x}, graded.official: majority | takes two assessors or more
tiny | judgments.official: [most, a] | 'most' is no vote, such as majority or 2 of 3
tiny | judgments.official: [majority, a], judgments.closed: true | an answer key (closed) has none
dating | judgments.official: [majority, a] | a vote is for judgments of answers
tiny | runs.files: raw/ruins/* | .runs.files: no file matches 'raw/ruins/*'
tiny | runs.files: raw/runs | 'raw/runs' is a folder; 'raw/runs/*' would be what is in it
tiny | runs.files: raw/<logs>.tsv | has <logs>, which Snakemake takes for a variable
tiny | runs.files: ~/raw/* | ~ stands for no folder here
tiny | questions: q.tsv | .questions: there is no file 'q.tsv'
tiny | questions: /dev/zero | .questions: '/dev/zero' is a device
counts | counts: raw/../results/x.csv | .counts: 'raw/../results/x.csv' is a result
tiny | options: 1 | .options: found 1; expected
counts | counts: 3 | .counts: found 3; expected a text or a mapping
tiny | cluster: column | .cluster: names a column of the question file; give `questions:`, too
tiny | measures: [er, c@1, uf] | .measures: er and uf are the same measure, uf; name it once
tiny | reliability: {level: 1.5} | reliability.level: found 1.5; expected less than 0.5
tiny | reliability: {level: .nan} | level: found nan; expected a finite number
tiny | reliability: {level: 1e-5} | found '1e-5'; expected a valid number; YAML wants a point and a sign
gated | gates: [{measure: wrong_given_attempted, at_most: 5}] | 5; expected a number from 0 to 1
gated | gates: [{measure: c@1, margin: 2}] | .gates.0: found margin 2; expected a number from 0 to 1
gated | gates: [{measure: phi@2, at_least: -3}] | -3; expected a number from -2 to 1, as phi@2 has
unjudged | gates: [{measure: c@1, at_least: 0.1}] | c@1 needs judgments; allowed beside `judged: f
unjudged | gates: [{measure: n_unscored, at_most: 0.1}] | beside `judged: false` all answers are un
"""
LONG = [
    ("dating", f"measures: [auc@1{400 * '0'}]", "follows the @ must be a number above 0 and up to"),
    ("tiny", {"runs.files": "raw/{a}.tsv"}, "has a brace"),
    ("tiny", f"runs.files: {5000 * 'a'}", ".runs.files: no file matches 'aaaa"),
    ("counts", f"counts: {5000 * 'a'}", ".counts: there is no file 'aaaa"),
]
WRONG_KEYS = [*(line.split(" | ") for line in WRONG.strip("\n").split("\n")), *LONG]


@pytest.mark.parametrize(("base", "keys", "expected"), WRONG_KEYS, ids=range(len(WRONG_KEYS)))
def test_one_wrong_key(base, keys, expected):
    (problem,) = problems(edit_base(base, keys))
    assert problem.startswith("campaigns.tiny") and expected in problem


RIGHT = """
voted | graded.official: majority
voted | graded.official: [2 of 3, c]
tiny | judgments.official: [2 of 3, eve]
tiny | runs.files: raw/../raw/runs/*.tsv
tiny | runs.files: results/../raw/runs/*.tsv
gated | gates: [{measure: omniscience, margin: 1.5}]
unjudged | gates: [{measure: answered, at_least: 0.1}, {measure: n_error, at_most: 0.1}]
"""


@pytest.mark.parametrize("line", RIGHT.strip("\n").split("\n"))
def test_what_is_no_fault(line):
    check(edit_base(*line.split(" | ")))


def test_all_problems_at_once():
    assert len(problems(edit_base("tiny", "measures: [acuracy], questions: nowhere.tsv"))) == 2
    [message] = problems(TINY, reliability={"trials": 0})
    assert message.startswith("reliability.trials: found 0; expected greater than or equal to 1")
    for junk in ({10**5000: 1}, {"title": "\ud800"}, {"title": "\0"}):
        assert "what JSON does not have" in problems(TINY | junk)[0]


def test_problems_of_all_campaigns_at_once_with_their_lines():
    """One bad campaign hides nothing of another; every message has the line of its key."""
    campaigns = {"a": TINY | {"shards": 0}, "b": edit_base("tiny", "questions: nowhere.tsv")}
    campaigns["c"] = edit_base("tiny", "judgments: null")
    campaigns |= {"../d": {**TINY}, "e" * 2000: {**TINY}}
    lines = yaml.safe_dump({"campaigns": campaigns}, sort_keys=False).split("\n")
    Path("config.yaml").write_text("\n".join(lines))
    with pytest.raises(config.ConfigError) as error:
        config.check_config({"campaigns": campaigns}, files=["config.yaml"])
    actual = [line.partition(": ")[0] for line in str(error.value).split("\n")]
    faulty = ("    shards: 0", "  ../d:", f"  ? {'e' * 2000}", "    questions: nowhere.tsv", "  c:")
    assert actual == [f"config.yaml:{1 + lines.index(line)}" for line in faulty]
    assert "; expected at most 100 characters" in str(error.value)


@pytest.mark.parametrize("name", ["a/b", "Big", "a b", "../x", "ü", "", "t\n", 101 * "a", "logs"])
def test_names_of_campaigns_are_folders(name):
    expected = "expected a name of small letters, digits and hyphens"
    expected = {101 * "a": "; expected at most 100 characters"}.get(name, expected)
    expected = "is the workflow's own; give it another name" if name == "logs" else expected
    assert expected in problems(TINY, name)[0]


def test_a_date_in_place_of_a_name_is_the_text_that_was_written():
    assert check(TINY | {"baseline": datetime.date(2011, 1, 1)})["baseline"] == "2011-01-01"


def test_a_scenario_may_be_what_the_campaign_is():
    """Then it has the campaign's verdicts, as has one with another policy."""
    options = {"lenient": {"correct": ["X", "R"]}, "silent": {"unscored": "unanswered"}}
    assert scenarios.describe_scenarios(check(TINY | {"scenarios": options}))["own"] == "official"
    options |= {"strict": {"correct": ["R"]}}
    tiny = check(edit_base("tiny", "judgments.partial: [X, U]") | {"scenarios": options})
    assert scenarios.describe_scenarios(tiny)["own"] == "strict"
    applied = {name: scenarios.apply_scenario(tiny, options[name]) for name in options}
    labels = applied["lenient"]["judgments"]
    assert (labels["correct"], labels["partial"]) == (["X", "R"], ["U"])
    verdicts = {name: scenarios.select_verdict_options(part) for name, part in applied.items()}
    plain = scenarios.select_verdict_options(tiny)
    assert plain == verdicts["silent"] != verdicts["lenient"]


def test_reliability_of_all_campaigns_and_of_one():
    campaigns = {"a": TINY, "b": TINY | {"reliability": {"trials": 7, "analyses": ["swap"]}}}
    shared = {"reliability": {"trials": 5, "level": 0.1}, "seed": 3}
    checked = config.check_config({"campaigns": campaigns, **shared})["campaigns"]
    a, b = (checked[name]["reliability"] for name in "ab")
    assert (a["trials"], a["swap_trials"], a["size_trials"]) == (5, 50, 1)
    assert (a["samples"], a["flips"], a["seed"], a["level"]) == (10_000, 5000, 3, 0.1)
    assert (b["trials"], b["level"], b["analyses"]) == (7, 0.1, ["swap"])
    assert sorted(a["analyses"]) == sorted({*ANALYSES} - {"error_curves"})


def test_numbers_that_no_table_has_as_integers_are_real_ones():
    for number, read in ((2**50, 2**50), (10**40, 1e40), (-1e300, -1e300)):
        assert repr(validation.validate({"x": number})[0]["x"]) == repr(read)


def test_unknown_columns_of_counts_are_listed_in_the_order_in_which_they_are_written():
    columns = dict.fromkeys(("seven", "alpha", "omega", "delta", "kappa", "sigma"), "x")
    table = {"format": "tabular", "files": "raw/counts.csv", "columns": columns}
    unknown = [line for line in problems({"task": "qa", "counts": table}) if "unknown key" in line]
    assert [line.partition("unknown key ")[2].partition(";")[0] for line in unknown] == [*columns]


# What the message has, by the names
WRONG_NAMES = [
    ({"a": "x\n"}, r"found 'x\n'; expected a name of 1 to 300 characters"),
    ({"a": "n" * 301}, "expected a name of 1 to 300 characters"),
    ({}, "expected at least 1 item"),
    ("models.csv", "expected a mapping"),
]


@pytest.mark.parametrize(("names", "expected"), WRONG_NAMES, ids=range(4))
def test_wrong_names_of_runs(names, expected):
    assert check(COUNTS | {"names": {"a": "org/A-70B"}})["names"] == {"a": "org/A-70B"}
    [line] = problems(COUNTS | {"names": names})
    assert line.startswith("campaigns.tiny.names") and expected in line
