"""Every option of a campaign has an effect wherever it may be written, and is refused wherever it has none."""

import copy
import itertools
import re

import pytest
from configured import evaluated
from conftest import HOME
from nonresponse import config
from nonresponse.config import options, schema

SCHEMA = HOME / "workflow/schemas/config.schema.yaml"

# Beside the columns that a file has to have there are others, x_question and so on, with something else in them.
RUN = """\
question,candidate,answer,document,rank,position,confidence,score,x_run,x_question,x_candidate,x_answer,x_document,x_rank,x_position,x_confidence,x_score
q1,,"Paris",d1,1,1,0.9,0.8,other,q2,,Rome,d2,2,4,0.3,0.1
q1,,Rome,d2,2,2,0.5,0.5,other,q2,,Oslo,d1,1,3,0.4,0.2
q2,Bonn,,d1,1,3,0.4,0.3,other,q1,,Paris,d2,1,2,0.5,0.3
q3,,Oslo,d2,1,4,0.1,0.2,other,q3,Rome,,d1,1,1,0.6,0.4
"""
GOLD = """\
question,answer,document,label,x_assessor,x_run,x_question,x_answer,x_document,x_label
q1,"Paris",d1,R,b,none,q2,Rome,d2,W
q1,Rome,d2,X,b,run,q2,Oslo,d1,R
q2,Bonn,d1,W,b,run,q1,Paris,d2,R
q3,Bonn,d1,R,b,run,q3,Oslo,d1,X
"""
QUESTIONS = """\
question,category,has_answer,x_question,x_category,x_has_answer
q1,"one",1,q2,two,1
q2,two,0,q1,one,1
q3,two,1,q3,one,0
q5,two,0,q5,one,1
"""
PAIRS = """\
question,candidate,answer,confidence,score,x_run,x_question,x_candidate,x_answer,x_confidence,x_score
q1,a,VALIDATED,0.9,0.8,other,q2,b,REJECTED,0.1,0.3
"q1",b,REJECTED,0.3,0.4,other,q2,a,VALIDATED,0.2,0.9
q2,a,,0.5,0.9,other,q1,a,REJECTED,0.3,0.6
q2,b,SELECTED,0.5,0.1,other,q1,b,,0.4,0.2
"""
TRUTH = """\
question,candidate,label,x_assessor,x_question,x_candidate,x_label
q1,a,YES,b,q2,b,NO
"q1",b,NO,b,q2,a,YES
q2,a,YES,b,q1,b,YES
q2,b,YES,b,q1,a,NO
"""
YEARS = """\
question,answer,confidence,x_run,x_question,x_answer,x_confidence
q1,1871,0.7,other,q2,1801,0.4
q1,1872,0.3,other,q2,1803,0.6
q2,1804,1,other,q1,1809,1
"q3",1805,1,other,q3,1850,1
"""
REFERENCES = """\
question,answer,x_assessor,x_question,x_answer
"q1",1871,b,q2,1850
q2,1805,b,q1,1851
q3,1805,b,q3,1850
"""
LONG = """\
run,question,category,verdict,answer,key,rank,position,confidence,score,ann,x_run,x_question,x_category,x_verdict,x_answer,x_rank,x_position,x_confidence,x_score
m,q1,one,correct,A,A,1,1,0.9,0.9,wrong,o,q2,two,wrong,B,2,3,0.1,0.2
m,q1,one,wrong,B,A,2,2,0.8,0.7,wrong,o,q2,two,correct,A,1,2,0.2,0.1
m,q2,two,partial,,C,1,3,0.1,0.3,correct,o,q1,one,unscored,C,1,1,0.3,0.5
m,q3,"two",unscored,D,D,1,4,0.4,0.5,correct,o,q3,one,partial,D,1,4,0.4,0.9
m,q4,one,error,E,F,1,5,0.4,0.5,correct,o,q4,one,correct,E,1,5,0.4,0.9
"""
LONG_PAIRS = """\
run,question,candidate,category,verdict,confidence,score,ann,x_run,x_question,x_candidate,x_category,x_verdict,x_confidence,x_score
m,q1,a,one,tp,0.9,0.9,fp,o,q2,c,two,fp,0.2,0.3
m,q1,b,one,tn,0.8,0.3,fn,o,q2,d,two,tp,0.3,0.4
m,q2,a,three,u_p,0.7,0.4,tp,o,q1,e,one,fn,0.4,0.5
m,"q2",b,three,unscored,0.6,0.4,tp,o,q1,f,one,fn,0.4,0.6
"""
WIDE = """\
question,category,candidate,key,m1,m2,x_question,x_category,x_candidate
q1,one,a,A,correct,wrong,q2,two,b
"q2",two,b,B,unscored,error,q1,one,a
q3,two,b,C,partial,wrong,q3,two,c
"""
WIDE_PAIRS = (
    WIDE.replace("correct", "tp").replace("partial,wrong", "tn,fp").replace("wrong", "fn").replace("error", "unscored")
)
ROMIP = """\
question\trank\tkind\tanswer\tdocument\tx_question\tx_rank\tx_kind\tx_answer\tx_document
q1\t1\tshort\tParis\td1\tq2\t2\tlong\tRome\td2
q1\t2\tlong\t"Rome"\td2\tq2\t1\tshort\tOslo\td1
q2\t1\tshort\tOslo\td1\tq1\t1\tlong\tParis\td2
"""
ROMIP_GOLD = """\
question\tanswer\tlabel\tdocument\tx_question\tx_answer\tx_label\tx_document
q1\tParis\tgood\td1\tq2\tOslo\tbad\td2
q1\t"Rome"\tbad\td2\tq2\tRome\tgood\td1
q2\tLima\tpartial\td1\tq1\tParis\tlong\td1
"""
RESPUBLIQA = """\
question\tstatus\tparagraph\ttext\tx_question\tx_status\tx_paragraph\tx_text
q1\tANSWERED\tp1\t\tq2\tNOA\tp2\tthe text
q2\tNOA\t"p2"\t\tq1\tANSWERED\tp1\tanother
q3\tANSWERED\tp9\t\tq3\tANSWERED\tp9\tanother
q4\tNOA\t\t\tq4\tNOA\t\tanother
"""
RESPUBLIQA_GOLD = """\
run\tquestion\tparagraph\tjudgment\tx_run\tx_question\tx_paragraph\tx_judgment
run\tq1\tp1\tR\tnone\tq2\tp2\tX
run\tq2\t"p2"\tW\tnone\tq1\tp1\tR
run\tq3\tp3\tW\tnone\tq3\tp9\tR
run\tq4\tp4\tW\tnone\tq4\tp9\tR
"""
PAN = """\
{"id": "q1", "value": 0.9, "x_question": "q2", "x_score": 0.2}
{"id": "q2", "value": 0.7, "x_question": "q1", "x_score": 0.3}
"""
PAN_GOLD = """\
{"id": "q1", "same": true, "x_question": "q2", "x_label": false}
{"id": "q2", "same": false, "x_question": "q1", "x_label": false}
"""
TREC = "q1 Q0 d1 1 0.5 runA Paris\nq2 Q0 d2 1 0.4 runA Oslo\nq3 Q0 d3 1 0.3 runA Lima\n"
TREC_GOLD = "q1 d1 1 Paris\nq1 d1 3 Rome\nq2 d2 -1 Rome\nq3 d3 -1 Lima\n"
QA4MRE = """\
<output run_id="r"><topic t_id="1"><reading-test r_id="2">
<question q_id="1" answered="YES"><answer a_id="2"/></question>
<question q_id="2" answered="YES"><answer a_id="9"/></question>
<question q_id="3" answered="YES"><answer a_id="1"/></question>
</reading-test></topic></output>
"""
QA4MRE_GOLD = """\
<test-set><topic t_id="1"><reading-test r_id="2">
<q q_id="1"><answer a_id="1"/><answer a_id="2" correct="Yes"/></q><q q_id="2"><answer a_id="1" correct="Yes"/></q>
<q q_id="3"><answer a_id="1"/><answer a_id="2" correct="Yes"/></q>
</reading-test></topic></test-set>
"""
AVE, AVE_GOLD = "q1 a SELECTED 0.9\nq1 b REJECTED 0.1\n", "q1 a YES\nq1 b NO\n"

# The formats of raw files by task: the ending of the files, a run, and judgments.
RAW = {
    ("qa", "tabular"): ("csv", RUN, GOLD),
    ("qa", "trec-qa"): ("txt", TREC, TREC_GOLD),
    ("qa", "clef-qa4mre"): ("xml", QA4MRE, QA4MRE_GOLD),
    ("qa", "clef-respubliqa"): ("tsv", RESPUBLIQA, RESPUBLIQA_GOLD),
    ("qa", "romip"): ("tsv", ROMIP, ROMIP_GOLD),
    ("validation", "tabular"): ("csv", PAIRS, TRUTH),
    ("validation", "pan"): ("jsonl", PAN, PAN_GOLD),
    ("validation", "ave"): ("txt", AVE, AVE_GOLD),
    ("dating", "tabular"): ("csv", YEARS, REFERENCES),
    ("dating", "deft"): ("csv", YEARS.replace(",answer", ",year"), REFERENCES.replace(",answer", ",year")),
    ("matching", "tabular"): ("csv", YEARS, REFERENCES),
    ("matching", "deft"): ("csv", YEARS.replace(",answer", ",label"), REFERENCES.replace(",answer", ",label")),
}
# Graded responses by task and layout.
GRADED = {
    ("qa", "long"): (LONG, {}),
    ("qa", "wide"): (WIDE, {"systems": ["m1", "m2"]}),
    ("validation", "long"): (LONG_PAIRS, {}),
    ("validation", "wide"): (WIDE_PAIRS, {"systems": ["m1", "m2"], "columns": {"candidate": "candidate"}}),
}
COUNTS = {"qa": "run,n_ac,n_aw,n_u\na,1,2,3\nb,2,2,2\n", "validation": "run,tp,fp,fn,tn\na,1,2,3,4\nb,2,2,2,4\n"}


def places() -> dict[str, tuple[dict, dict]]:
    """A campaign for every task, door, format and layout, by name, with the texts of its files."""
    found, small = {}, {"shards": 1, "measures": ["c@1"]}
    for (task, format), (ending, run, gold) in RAW.items():
        files = {f"runs/run.{ending}": run, f"gold/a.{ending}": gold, f"gold/b.{ending}": gold}
        if format == "clef-qa4mre":
            files["questions.csv"] = re.sub("q([0-9])", r"1/2/\1", QUESTIONS)
        parts = {part: {"format": format, "files": f"{part}/*"} for part in ("runs", "gold")}
        campaign = {"task": task, "runs": parts["runs"], "judgments": parts["gold"] | {"official": "a"}} | small
        found[f"{task} {format}"] = campaign, files
    for (task, layout), (text, more) in GRADED.items():
        graded = {"format": "tabular", "files": "graded.csv", "layout": layout} | more
        campaign = {"task": task, "graded": graded} | small
        found[f"{task} {layout}"] = campaign, {"graded.csv": text}
    for task, text in COUNTS.items():
        found[f"{task} counts"] = {"task": task, "counts": "counts.csv", "measures": ["c@1"]}, {"counts.csv": text}
    return found


# What an option may be set to so that something changes; by format or task where it is not the same everywhere.
OTHERS = ["key", "candidate", "category", "x_question", "x_category", "x_candidate"]  # columns that are no systems
WORDS = ["Oslo", "REJECTED", "1804", "A", "wrong"]
VALUES = {
    "years": [1850, 1944],
    **dict.fromkeys(["unscored", "partial", "error"], "exclude"),
    **dict.fromkeys(["runs.unanswered", "runs.nil", "runs.failed", "graded.unanswered", "graded.failed"], WORDS),
    "runs.layout": "ordered",
    "runs.answers": {"REJECTED": "VALIDATED"},
    "runs.threshold": 0.35,
    "judgments.closed": True,
    "judgments.correct": {"romip": ["bad"], "": ["W"]},
    "judgments.partial": {"romip": ["bad"], "": ["W"]},
    "judgments.labels": {"validation": {"NO": "YES"}, "": {"W": "R"}},
    "graded.gold": "key",
    "graded.verdicts": {"validation": {"tn": "u_n"}, "": {"correct": "wrong"}},
    "graded.missing": ["correct", "tp"],
    "graded.assessors": {"one": "ann"},
    "graded.systems": ["m1"],
    "graded.ignore": [*OTHERS, "m2"],
    "questions": "questions.csv",
    **{f"{part}.quoted": {"romip": True, "clef-respubliqa": True, "": False} for part in ("runs", "judgments")},
    **dict.fromkeys(["graded.quoted", "questions.quoted"], False),
}
# What else has to be there for it, or has to go (None).
COMPANIONS = {
    "error": {"runs.failed": WORDS},
    "partial": {
        "judgments.correct": {"romip": ["bad"], "": ["W"]},
        "judgments.partial": {"romip": ["good"], "": ["R"]},
    },
    "graded.unanswered": {"graded.gold": "key"},
    "graded.failed": {"graded.gold": "key"},
    "graded.columns.answer": {"graded.gold": "key"},
    "graded.ignore": {"graded.systems": None, "graded.ignore": OTHERS},
}
# What makes a campaign another one, what says how it is computed, and what the pages show of it.
ELSEWHERE = {"task", *options.SOURCES, "judgments", "questions.file", "graded.layout", "shards", "reliability"}
ELSEWHERE |= {
    "title",
    "simulated",
    "measures",
    "baseline",
    "reject_all",
    "accept_all",
    "judgments.official",
    "graded.official",
}
ELSEWHERE |= {f"{part}.{name}" for part in ("runs", "judgments", "graded") for name in ("format", "files")}
ELSEWHERE |= {f"{part}.columns" for part in ("runs", "judgments", "graded", "questions")}  # each column is looked at


def of_schema() -> list[str]:
    """Every option that the schema lets a campaign have, those of its parts with the part in front."""
    of = schema.read(SCHEMA)["$defs"]
    parts = {part: of[part]["properties"] for part in ("runs", "judgments", "graded")}
    parts["questions"] = of["campaign"]["properties"]["questions"]["anyOf"][1]["properties"]
    found = list(of["campaign"]["properties"])
    for part, properties in parts.items():
        found += [f"{part}.{name}" for name in properties]
        found += [f"{part}.columns.{name}" for name in properties["columns"]["propertyNames"]["enum"]]
    return found


def written(campaign: dict, option: str, value) -> dict:
    """The campaign with an option set, or taken away (None)."""
    campaign = copy.deepcopy(campaign)
    *folders, last = option.split(".")
    part = campaign
    for name in folders:
        part = part.setdefault(name, {})
    part[last] = value
    if value is None:
        del part[last]
    return campaign


def meant(value, campaign: dict):
    """A value by itself, or that of the campaign's format or task."""
    if not isinstance(value, dict) or "" not in value:
        return value
    keys = [campaign.get("runs", {}).get("format"), campaign["task"], ""]
    return value[next(key for key in keys if key in value)]


def with_and_without(campaign: dict, option: str) -> tuple[dict, dict]:
    """The campaign with all that the option needs, where there can be such a thing, and the same with the option."""
    part, *inside = option.split(".")
    with_companions = campaign
    for other, value in COMPANIONS.get(option, {}).items():
        if other.split(".")[0] in campaign:
            with_companions = written(with_companions, other, meant(value, campaign))
    if not any(options.idle(with_companions)):
        campaign = with_companions
    if part == "questions" and inside:
        campaign = campaign | {"questions": {"file": "questions.csv"}}
    value = f"x_{inside[1]}" if inside[1:] else meant(VALUES[option], campaign)
    return campaign, written(campaign, option, value)


def test_the_table_has_every_option_of_the_schema():
    assert sorted(options.EFFECTS) == sorted(of_schema())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("place", places())
def test_an_option_has_an_effect_or_is_refused(folder, place):
    campaign, files = places()[place]
    for name, text in ({"questions.csv": QUESTIONS} | files).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    number, results = itertools.count(), {}

    def result(campaign: dict) -> str:
        if str(campaign) not in results:
            checked = config.checked({"campaigns": {"t": campaign}}, SCHEMA)["campaigns"]["t"]
            results[str(campaign)] = evaluated(checked, folder / str(next(number)))
        return results[str(campaign)]

    without_effect = []
    for option in of_schema():
        if option in ELSEWHERE or ("." in option and option.split(".")[0] not in {*campaign, "questions"}):
            continue
        before, after = with_and_without(campaign, option)
        if any(option == idle or option.startswith(f"{idle}.") for idle, _ in options.idle(after)):
            with pytest.raises(config.ConfigError, match="has no effect"):
                config.checked({"campaigns": {"t": after}}, SCHEMA)
            continue
        assert ": found " not in result(before), (option, result(before))
        assert ": found " not in result(after) or option == "years", (option, result(after))
        if result(before) == result(after):
            without_effect.append(option)
    assert without_effect == []
