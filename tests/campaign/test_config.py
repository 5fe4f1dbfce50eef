"""A wrong config.yaml is refused before any job, with a sentence that names the key and what is allowed."""

import copy
import datetime
import gzip
from pathlib import Path

import pytest
import yaml
from conftest import HOME, JUDGMENTS, RUNS, TINY
from nonresponse import campaign as config
from nonresponse import measures, tasks
from nonresponse.campaign import validation
from nonresponse.statistics.analyses import ANALYSES


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for run, text in RUNS.items():
        Path("raw/runs").mkdir(parents=True, exist_ok=True)
        Path(f"raw/runs/{run}.tsv").write_text(text)
    Path("raw/judgments.tsv").write_text(JUDGMENTS)
    for name in ("{a}", "<logs>"):
        Path(f"raw/{name}.tsv").write_text(RUNS["alpha"])
    Path("raw/counts.csv").write_text("run,n_ac,n_aw,n_u\na,1,2,3\n")
    Path("results").mkdir()
    Path("results/x.csv").write_text("run,n_ac,n_aw,n_u\na,1,2,3\n")


def problems(campaign: dict, name: str = "tiny", **more) -> list[str]:
    with pytest.raises(config.ConfigError) as error:
        config.checked({"campaigns": {name: campaign}, **more})
    return str(error.value).split("\n")


def changed(*path, value, campaign=TINY) -> dict:
    """The tiny campaign with one key set otherwise."""
    campaign = copy.deepcopy(campaign)
    part = campaign
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return campaign


def test_defaults_are_filled_in(here):
    checked = config.checked({"campaigns": {"tiny": {key: TINY[key] for key in ("task", "runs", "judgments")}}})
    tiny = checked["campaigns"]["tiny"]
    assert tiny["measures"][:2] == ["c@1", "accuracy"] and "f_simpleqa" not in tiny["measures"]
    assert tiny["judgments"]["correct"] == ["R"]
    assert (tiny["unscored"], tiny["error"], tiny["partial"], tiny["shards"]) == ("wrong", "wrong", "wrong", 1)


@pytest.mark.parametrize("name", ["cluster", "options"])
def test_what_names_a_column_of_the_question_file_needs_that_file(here, name):
    [said] = problems(TINY | {name: "column"})
    assert said.endswith(f"{name}: names a column of the question file; give `questions:`, too")
    Path("raw/questions.csv").write_text("question,column\nq1,4\n")
    checked = config.checked({"campaigns": {"tiny": TINY | {name: "column", "questions": "raw/questions.csv"}}})
    assert checked["campaigns"]["tiny"]["questions"]["columns"] == {name: "column"}


def test_a_number_of_options_needs_no_file(here):
    checked = config.checked({"campaigns": {"tiny": TINY | {"options": 4}}})
    assert "questions" not in checked["campaigns"]["tiny"]
    for wrong in (1, 1001, 2.5, True, ""):
        assert any("options" in line for line in problems(TINY | {"options": wrong})), wrong


def test_other_names_of_a_measure(here):
    """Each stands for the one measure, whose id is used; two names of the same are refused."""
    others = [(alias, measure.id) for measure in measures.of_task("qa").values() for alias in measure.aliases]
    assert ("er", "uf") in others
    for alias, id in others:
        known = config.checked({"campaigns": {"tiny": TINY | {"measures": ["c@1", alias]}}})
        tiny = known["campaigns"]["tiny"]
        assert (tiny["measures"], tiny["aliases"]) == (["c@1", id], {alias: id})
    assert problems(TINY | {"measures": ["er", "c@1", "uf"]}) == [
        "config.yaml: campaigns.tiny.measures: er and uf are the same measure, uf; name it once"
    ]
    every = [alias for task in tasks.NAMES for measure in measures.of_task(task).values() for alias in measure.aliases]
    assert len(set(every)) == len(every) and not {*every} & {*measures.of_task("qa")}


def test_bounds_of_packed_files_reach_all_that_is_read(here):
    Path("raw/questions.csv").write_text("question\nq1\n")
    given = {"campaigns": {"tiny": TINY | {"questions": "raw/questions.csv"}}, "unpacked": {"ratio": 1000}}
    tiny = config.checked(given)["campaigns"]["tiny"]
    assert tiny["questions"] == {"file": "raw/questions.csv", "unpacked": {"gigabytes": 8, "ratio": 1000}}
    assert tiny["runs"]["unpacked"] == tiny["judgments"]["unpacked"] == {"gigabytes": 8, "ratio": 1000}
    assert problems(TINY, unpacked={"ratio": 0}) == [
        "config.yaml: unpacked.ratio: found 0; expected at least 1 (this is how many times its packed size; has"
        " no effect below 0.1 gigabytes of content)"
    ]
    assert "unpacked: unknown key megabytes (did you mean gigabytes?)" in problems(TINY, unpacked={"megabytes": 1})[0]


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz"])
def test_default_measures_of_a_table_of_counts_are_those_it_can_give(here, ending):
    text = Path("raw/counts.csv").read_text().replace(",", "\t" if ending == "tsv" else ",")
    file = Path(f"raw/table.{ending}")
    file.write_bytes(gzip.compress(text.encode()) if ending == "csv.gz" else text.encode())
    checked = config.checked({"campaigns": {"c": {"task": "qa", "counts": str(file)}}})
    chosen = set(checked["campaigns"]["c"]["measures"])
    assert chosen >= {"c@1", "accuracy", "uf", "precision_answered", "answered"}
    assert not chosen & {
        "uf_half",
        "optimistic",
        "wrong_rate",
        "candidate_accuracy",
        "nil_f",
        "romip_error",
        "romip_good",
        "mrr",
        "k1",
        "cws",
    }


def graded(**keys) -> dict:
    """A campaign of graded responses with these keys."""
    return {"task": "qa", "graded": {"format": "tabular", "files": "raw/runs/*", **keys}}


DATING = {key: value for key, value in TINY.items() if key != "measures"} | {"task": "dating"}


@pytest.mark.parametrize(
    ("campaign", "expected"),
    [
        (
            changed("mesures", value=["c@1"]),
            "campaigns.tiny: unknown key mesures (did you mean measures?)",
        ),
        (changed("runs", "collumns", value={}), "campaigns.tiny.runs: unknown key collumns (did you mean columns?)"),
        (
            changed("measures", value=["c@1", "acuracy"]),
            "no measure 'acuracy' for qa (did you mean accuracy?)",
        ),
        (
            changed("measures", value=["tp"]),
            "campaigns.tiny.measures: no measure 'tp' for qa; docs/measures.md has",
        ),
        (changed("measures", value=["mrr@0"]), "'mrr@0': what follows the @ must be a number above 0 and up to 1,000"),
        (changed("measures", value=["mrr@five"]), "'mrr@five': what follows the @ must be a whole number"),
        (changed("measures", value=["mrr@05"]), "'mrr@05': write the number without zeros"),
        (changed("measures", value=[]), "campaigns.tiny.measures: "),
        (changed("task", value="quiz"), "campaigns.tiny.task: found 'quiz'; expected one of qa, validation"),
        (changed("unscored", value="wrongg"), "found 'wrongg' (did you mean wrong?)"),
        (
            changed("reliability", value={"exchanges": 100}),
            "campaigns.tiny.reliability: unknown key exchanges, which is gone: the p of a single pair follows from",
        ),
        (changed("shards", value=0), "campaigns.tiny.shards: found 0; expected at least 1"),
        (changed("runs", "files", value="raw/ruins/*"), "campaigns.tiny.runs.files: no file matches 'raw/ruins/*'"),
        (changed("questions", value="q.tsv"), "campaigns.tiny.questions: there is no file 'q.tsv'"),
        (changed("runs", "format", value="pan"), "campaigns.tiny.runs.format: pan is not for task qa; allowed are"),
        (changed("counts", value="raw/counts.csv"), "only one of the three; found runs, counts"),
        (
            changed("judgments", "correct", value=["Right"]),
            "judgments.correct: 'Right' is not a label; allowed are R, W, U, X",
        ),
        (changed("runs", "layout", value="ranked"), "runs.layout: has no effect on tabular files; it is for trec-qa"),
        (
            changed("runs", "columns", value={"paragraph": "answer"}),
            "runs.columns.paragraph: has no effect on tabular files; it is for clef-respubliqa",
        ),
        (
            changed("judgments", value=TINY["judgments"] | {"format": "trec-qa", "quoted": True}),
            "judgments.quoted: has no effect on trec-qa files; it is for tabular, clef-respubliqa, romip, deft",
        ),
        (
            {"task": "qa", "counts": "raw/counts.csv", "questions": "raw/counts.csv"},
            "campaigns.tiny.questions: has no effect on a campaign of counts; it is for runs, graded",
        ),
        (
            {
                "task": "validation",
                "graded": {"format": "tabular", "files": "raw/runs/*", "verdicts": {"A": "correct"}},
            },
            "graded.verdicts.A: correct is not for task validation; allowed are tp, fp, fn, tn, u_p, u_n",
        ),
        (
            {
                "task": "qa",
                "graded": {"format": "tabular", "files": "raw/runs/*", "layout": "wide", "assessors": {"a": "x"}},
            },
            "campaigns.tiny.graded.assessors: has no effect on layout wide; it is for long",
        ),
        (
            changed("runs", "columns", value={"confidense": "c"}),
            "campaigns.tiny.runs.columns: unknown key confidense (did you mean confidence?)",
        ),
        (changed("title", value="a") | {"runs": {"format": "tabular", "files": "raw/{a}.tsv"}}, "has a brace"),
        (
            changed("title", value="a") | {"runs": {"format": "tabular", "files": "raw/<logs>.tsv"}},
            "has <logs>, which Snakemake takes for a variable",
        ),
        (changed("title", value="\ud800"), "a lone surrogate"),
        ({"task": "qa"}, "give runs and judgments, or graded, or counts"),
        ({"task": "qa", "runs": TINY["runs"]}, "campaigns.tiny: the key judgments is missing beside runs"),
        ({"runs": TINY["runs"]}, "campaigns.tiny: the key task is missing"),
        ({"task": "qa", "counts": "raw/counts.csv", "measures": ["cws"]}, "cws needs the single responses"),
        (
            changed("reject_all", value="alpha"),
            "campaigns.tiny.reject_all: has no effect on a campaign of runs; it is for counts",
        ),
        (
            {"task": "qa", "graded": {"format": "tabular", "files": "raw/runs/*", "assessors": {"a": "x", "b": "y"}}},
            "campaigns.tiny.graded.official: is missing; name one of a, b",
        ),
        (
            {"task": "validation", "graded": {"format": "tabular", "files": "raw/runs/*", "gold": "x"}},
            "campaigns.tiny.graded.gold: has no effect on task validation; it is for qa",
        ),
        (changed("years", value=[1801, 1944]), "campaigns.tiny.years: has no effect on task qa; it is for dating"),
        (DATING | {"years": [1944, 1801]}, "years: the first year, 1944, comes after the last, 1801"),
        (DATING | {"unscored": "exclude"}, "campaigns.tiny.unscored: has no effect on task dating; it is for qa"),
        (DATING | {"years": [1801]}, "campaigns.tiny.years: found [1801]; expected at least 2 of them"),
        (
            DATING | {"measures": ["auc@1001"]},
            "'auc@1001': what follows the @ must be a number above 0 and up to 1,000",
        ),
        (DATING | {"measures": ["auc@1" + 400 * "0"]}, "what follows the @ must be a number above 0 and up to 1,000"),
        *(
            (
                {"task": "validation", "counts": "raw/counts.csv", "measures": measures},
                f"campaigns.tiny.measures: {said}",
            )
            for measures, said in {
                ("mean(c@1",): "'mean(c@1': expected mean(…) or product(…) in quotes, since there are commas",
                ("mean(c@1)",): "'mean(c@1)': expected 2 to 8 different measures in the brackets",
                ("mean(c@1, c@1)",): "'mean(c@1, c@1)': expected 2 to 8 different measures in the brackets",
                ("mean(c@1,error)",): "'mean(c@1,error)': expected measures that are all better higher, or all lower",
                ("mean(c@1,auk)",): "no measure 'auk' for validation",
                ("mean(c@1,auc)",): "mean(c@1,auc) needs the single responses, and this campaign has only counts",
            }.items()
        ),
        (
            {"task": "qa", "counts": "raw/counts.csv", "measures": ["product(uf,c@1)"]},
            "expected measures that are never below 0",
        ),
        (DATING | {"measures": ["auc@2.5"]}, "'auc@2.5': what follows the @ must be a whole number"),
        (
            DATING | {"runs": TINY["runs"] | {"format": "romip"}},
            "romip is not for task dating; allowed are tabular, deft",
        ),
        (
            DATING | {"judgments": TINY["judgments"] | {"correct": ["R"]}},
            "campaigns.tiny.judgments.correct: has no effect on task dating; it is for qa",
        ),
        (changed("runs", "threshold", value=0.5), "campaigns.tiny.runs.threshold: has no effect on task qa"),
        (
            changed("runs", "answers", value={"yes": "VALIDATED"}),
            "campaigns.tiny.runs.answers: has no effect on task qa",
        ),
        (
            {"task": "qa", "counts": "raw/counts.csv", "shards": 2},
            "campaigns.tiny.shards: has no effect on a campaign of",
        ),
        (
            changed("judgments", value=TINY["judgments"] | {"correct": ["R", "U"], "partial": ["U"]}),
            "campaigns.tiny.judgments.partial: 'U' is among correct, too",
        ),
        (
            changed("judgments", "labels", value={"good": "Q"}),
            "judgments.labels: 'Q' is not a label; allowed are R, W, U, X",
        ),
        (changed("runs", "files", value="raw/runs"), "'raw/runs' is a folder; 'raw/runs/*' would be what is in it"),
        (changed("runs", "files", value=""), "campaigns.tiny.runs.files: found ''; expected text that is not empty"),
        (changed("runs", "files", value="raw/\0"), "campaigns.tiny.runs.files: 'raw/\\x00' has a NUL"),
        (changed("runs", "files", value="~/raw/*"), "~ stands for no folder here"),
        (changed("runs", "files", value=5000 * "a"), "campaigns.tiny.runs.files: no file matches 'aaaa"),
        (changed("questions", value=""), "campaigns.tiny.questions: found ''; expected text that is not empty"),
        (changed("questions", value="."), "campaigns.tiny.questions: '.' is a folder"),
        (
            changed("questions", value={"file": "raw/judgments.tsv", "fiel": "x"}),
            "unknown key fiel (did you mean file?)",
        ),
        (changed("questions", value="/dev/zero"), "campaigns.tiny.questions: '/dev/zero' is a device"),
        ({"task": "qa", "counts": ""}, "campaigns.tiny.counts: found ''; expected text that is not empty"),
        ({"task": "qa", "counts": "."}, "campaigns.tiny.counts: '.' is a folder"),
        ({"task": "qa", "counts": 5000 * "a"}, "campaigns.tiny.counts: there is no file 'aaaa"),
        ({"task": "qa", "counts": "raw/../results/x.csv"}, "campaigns.tiny.counts: 'raw/../results/x.csv' is a result"),
        ({"task": "qa", "counts": "./results/x.csv"}, "campaigns.tiny.counts: './results/x.csv' is a result"),
        (changed("baseline", value=1), "campaigns.tiny.baseline: found 1; expected text; put it in quotes"),
        (changed("baseline", value=True), "campaigns.tiny.baseline: found True; expected text; put it in quotes"),
        (
            {"task": "matching", "graded": {"format": "tabular", "files": "raw/runs/*"}},
            "campaigns.tiny.graded: task matching takes runs and judgments only",
        ),
    ],
)
def test_one_wrong_key(here, campaign, expected):
    (problem,) = problems(campaign)
    assert problem.startswith("config.yaml: ") and expected in problem


@pytest.mark.parametrize("name", ["logs", "benchmarks", "previous"])
def test_a_campaign_named_like_a_folder_of_the_workflow(here, name):
    assert problems(TINY, name) == [
        f"config.yaml: campaigns.{name}: results/{name} is the workflow's own; give the campaign another name"
    ]


@pytest.mark.parametrize("name", ["a/b", "Big", "a b", "../x", "ü", "", "t\n"])
def test_names_of_campaigns(here, name):
    assert "expected a name of small letters, digits and hyphens" in problems(TINY, name)[0]


def test_the_name_of_a_campaign_is_a_folder(here):
    [said] = problems(TINY, 101 * "a")
    assert said.startswith(f"config.yaml: campaigns: found '{98 * 'a'}…; expected at most 100 characters")


def test_paths_that_leave_and_come_back(here):
    for path in (f"{Path.cwd()}/raw/runs/*.tsv", "raw/../raw/runs/*.tsv", "results/../raw/runs/*.tsv"):
        config.checked({"campaigns": {"t": changed("runs", "files", value=path)}})


def test_a_date_in_place_of_a_name_is_the_text_that_was_written(here):
    checked = config.checked({"campaigns": {"t": TINY | {"baseline": datetime.date(2011, 1, 1)}}})
    assert checked["campaigns"]["t"]["baseline"] == "2011-01-01"


def test_all_problems_at_once(here):
    campaign = changed("measures", value=["acuracy"]) | {"questions": "nowhere.tsv"}
    assert len(problems(campaign)) == 2


def test_a_misspelt_top_level_key(here):
    assert "unknown key campains (did you mean campaigns?)" in problems(TINY, campains={})[0]


@pytest.mark.slow
def test_snakemake_stops_before_any_job(tiny):
    tiny.configure(tiny=TINY | {"measures": ["acuracy"]})
    run = tiny.snakemake(check=False)
    assert run.returncode == 1
    assert "no measure 'acuracy' for qa (did you mean accuracy?)" in run.stderr
    assert not (tiny.folder / "results").exists()


def test_the_shipped_config_is_right(monkeypatch):
    monkeypatch.chdir(HOME)
    assert config.checked(yaml.safe_load((HOME / "config.yaml").read_text()))["campaigns"]


def test_reliability_of_all_campaigns_and_of_one(here):
    campaigns = {"a": TINY, "b": TINY | {"reliability": {"trials": 7, "analyses": ["swap"]}}}
    checked = config.checked({"campaigns": campaigns, "reliability": {"trials": 5, "size": 2}, "seed": 3})
    a, b = (checked["campaigns"][name]["reliability"] for name in "ab")
    assert (a["trials"], a["size"], a["seed"], a["bins"], a["level"]) == (5, 2, 3, 21, 0.05)
    assert (b["trials"], b["size"], b["analyses"]) == (7, 2, ["swap"])
    assert sorted(a["analyses"]) == sorted({*ANALYSES} - {"error_curves"})
    assert a["fuzziness"] == [step / 100 for step in range(1, 11)]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("trails", 5, "reliability: unknown key trails (did you mean trials?)"),
        ("analyses", ["swaps"], "found 'swaps' (did you mean swap?)"),
        ("size", 0, "reliability.size: found 0; expected at least 1"),
        ("fuzziness", [1.5], "reliability.fuzziness.0: found 1.5; expected less than 1"),
        ("level", "5 %", "reliability.level: found '5 %'; expected a number"),
        ("level", "1e-5", "found '1e-5'; expected a number; YAML wants a point and a sign, as in 1.0e-5"),
        ("level", 1e-300, "reliability.level: found 1e-300; expected at least 1e-06"),
    ],
)
def test_a_wrong_setting_of_reliability(here, key, value, said):
    assert said in problems(TINY, reliability={key: value})[0]
    assert said in problems(TINY | {"reliability": {key: value}})[0]


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number(here, value):
    assert "is not a finite number" in problems(TINY, reliability={"fuzziness": [value]})[0]


def test_a_whole_number_written_with_a_point(here):
    checked = config.checked({"campaigns": {"a": TINY}, "reliability": {"bins": 21.0, "trials": 50.0}})
    bins, trials = (checked["campaigns"]["a"]["reliability"][name] for name in ("bins", "trials"))
    assert (bins, trials) == (21, 50) and isinstance(bins, int) and isinstance(trials, int)


def test_a_gate_of_what_nobody_judged_asks_for_no_judgment(here):
    Path("graded.csv").write_text("run,question,answer\na,q1,x\n")
    graded = {"format": "tabular", "files": "graded.csv", "judged": False}
    campaign = {"task": "qa", "graded": graded, "gates": [{"measure": "c@1", "at_least": 0.1}]}
    with pytest.raises(config.ConfigError, match=r"gates\.0: c@1 needs judgments; allowed beside `judged: false` are"):
        config.checked({"campaigns": {"t": campaign}})
    campaign["gates"] = [{"count": "unscored", "at_most": 0.1}]
    with pytest.raises(config.ConfigError, match=r"gates\.0: beside `judged: false` all answers are unscored"):
        config.checked({"campaigns": {"t": campaign}})
    campaign["gates"] = [{"measure": "answered", "at_least": 0.1}, {"count": "error", "at_most": 0.1}]
    config.checked({"campaigns": {"t": campaign}})


@pytest.mark.parametrize(
    ("campaign", "expected"),
    [
        (
            changed("runs", "refusals", value={"prefixes": [" "]}),
            ".runs.refusals.prefixes.0: found ' '; expected a text that is not blank",
        ),
        (graded(judged=0), ".graded.judged: found 0; expected true or false"),
        (graded(judged=True), ".graded.judged: found True; expected false"),
        (graded(best=True), ".graded.best: found True; expected a whole number"),
        (TINY | {"systems": ["a"]}, ".systems: found ['a']; expected text or a mapping"),
        (TINY | {"systems": {"x": ["a", "a"]}}, ".systems.x: found ['a', 'a']; expected each entry once"),
        (TINY | {"history": "h.parquet"}, ": unknown key history, which is gone: keep the leaderboard.csv of each"),
    ],
)
def test_what_is_wrong_with_a_value_of_several_forms_or_with_a_path(here, campaign, expected):
    assert problems(campaign)[0].startswith(f"config.yaml: campaigns.tiny{expected}")


@pytest.mark.parametrize("written", [1e40, 10**40, -1e300])
def test_a_number_that_no_table_has_as_an_integer_is_a_real_one(written):
    assert validation.as_json({"threshold": written}) == {"threshold": pytest.approx(float(written))}
    assert isinstance(validation.as_json({"threshold": written})["threshold"], float)
    assert validation.as_json({"seed": 21.0, "other": 2**60}) == {"seed": 21, "other": 2**60}
