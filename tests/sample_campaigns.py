"""A campaign for every task, source, format and layout, for tests of options and of junk."""

import json
import re

from log_samples import SAMPLES

# Besides the columns that a file needs, there are others, x_question and so on, with different
# contents.
RUN = """\
question,candidate,answer,document,rank,position,confidence,score,x_run,x_question,x_candidate,x_answer,x_document,x_rank,x_position,x_confidence,x_score,x_epoch,x_state,x_error
q1,,"Paris",d1,1,1,0.9,0.8,other,q2,,Rome,d2,2,4,0.3,0.1,1,unanswered,Timeout
q1,,Rome,d2,2,2,0.5,0.5,other,q2,,Oslo,d1,1,3,0.4,0.2,1,answered,
q2,Bonn,,d1,1,3,0.4,0.3,other,q1,,Paris,d2,1,2,0.5,0.3,1,,
q3,,Oslo,d2,1,4,0.1,0.2,other,q3,Rome,,d1,1,1,0.6,0.4,1,,
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
run,question,category,verdict,answer,key,rank,position,confidence,score,ann,x_run,x_question,x_category,x_verdict,x_answer,x_rank,x_position,x_confidence,x_score,x_epoch,x_state,x_error,x_has_answer,x_unanswerable,x_asked,x_target,x_explanation
m,q1,one,correct,A,A,1,1,0.9,0.9,wrong,o,q2,two,wrong,B,2,3,0.1,0.2,1,unanswered,Timeout,1,0,Who 2?,He,because
m,q1,one,wrong,B,A,2,2,0.8,0.7,wrong,o,q2,two,correct,A,1,2,0.2,0.1,1,answered,,1,0,Who 3?,He,because
m,q2,two,partial,,C,1,3,0.1,0.3,correct,o,q1,one,unscored,C,1,1,0.3,0.5,1,,,1,0,Who 4?,He,because
m,q3,"two",unscored,D,D,1,4,0.4,0.5,correct,o,q3,one,partial,D,1,4,0.4,0.9,1,,,0,1,Who 5?,He,because
m,q4,one,error,E,F,1,5,0.4,0.5,correct,o,q4,one,correct,E,1,5,0.4,0.9,1,,,0,1,Who 6?,He,because
"""
LONG_PAIRS = """\
run,question,candidate,category,verdict,confidence,score,ann,x_run,x_question,x_candidate,x_category,x_verdict,x_confidence,x_score,x_asked,x_target,x_explanation
m,q1,a,one,tp,0.9,0.9,fp,o,q2,c,two,fp,0.2,0.3,Who?,He,because
m,q1,b,one,tn,0.8,0.3,fn,o,q2,d,two,tp,0.3,0.4,Who?,He,because
m,q2,a,three,u_p,0.7,0.4,tp,o,q1,e,one,fn,0.4,0.5,Who?,He,because
m,"q2",b,three,unscored,0.6,0.4,tp,o,q1,f,one,fn,0.4,0.6,Who?,He,because
"""
WIDE = """\
question,category,candidate,key,m1,m2,x_question,x_category,x_candidate,x_asked,x_target,x_explanation
q1,one,a,A,correct,wrong,q2,two,b,Who?,He,because
"q2",two,b,B,unscored,error,q1,one,a,Who?,He,because
q3,two,b,C,partial,wrong,q3,two,c,Who?,He,because
"""
WIDE_PAIRS = WIDE.replace("correct", "tp").replace("partial,wrong", "tn,fp").replace("wrong", "fn")
WIDE_PAIRS = WIDE_PAIRS.replace("error", "unscored")
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
q3\tANSWERED\tp9\tLima\tq3\tANSWERED\tp9\tanother
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

# The formats of raw files by task: the ending of the files, a run, and judgments.
RAW = {
    ("qa", "tabular"): ("csv", RUN, GOLD),
    ("qa", "trec-qa"): ("txt", TREC, TREC_GOLD),
    ("qa", "clef-qa4mre"): ("xml", QA4MRE, QA4MRE_GOLD),
    ("qa", "clef-respubliqa"): ("tsv", RESPUBLIQA, RESPUBLIQA_GOLD),
    ("qa", "romip"): ("tsv", ROMIP, ROMIP_GOLD),
    ("validation", "tabular"): ("csv", PAIRS, TRUTH),
    ("validation", "pan"): ("jsonl", PAN, PAN_GOLD),
    ("dating", "tabular"): ("csv", YEARS, REFERENCES),
    ("dating", "deft"): (
        "csv",
        YEARS.replace(",answer", ",year"),
        REFERENCES.replace(",answer", ",year"),
    ),
    ("matching", "tabular"): ("csv", YEARS, REFERENCES),
    ("matching", "deft"): (
        "csv",
        YEARS.replace(",answer", ",label"),
        REFERENCES.replace(",answer", ",label"),
    ),
}

# Graded responses by task and layout.
GRADED = {
    ("qa", "long"): (LONG, {}),
    ("qa", "wide"): (WIDE, {"systems": ["m1", "m2"]}),
    ("validation", "long"): (LONG_PAIRS, {}),
    ("validation", "wide"): (
        WIDE_PAIRS,
        {"systems": ["m1", "m2"], "columns": {"candidate": "candidate"}},
    ),
}
COUNTS = {
    "qa": "run,n_ac,n_aw,n_u\na,1,2,3\nb,2,2,2\n",
    "validation": "run,tp,fp,fn,tn\na,1,2,3,4\nb,2,2,2,4\n",
}


def logs() -> dict[str, tuple[dict[str, str | bytes], str, dict]]:
    """Return logs in which each option has a choice: files, what `files:` names, options."""
    campaigns = {
        id: (dict(sample.files), sample.path, sample.options) for id, sample in SAMPLES.items()
    }
    log = json.loads(campaigns["inspect"][0]["log.json"])
    samples = [
        {**sample, "epoch": epoch, "scores": {**sample["scores"], "other": {"value": "I"}}}
        for sample in log["samples"]
        for epoch in (1, 2)
    ]
    files = {"log.json": json.dumps(log | {"samples": samples})}
    campaigns["inspect"] = files, "log.json", {"metric": "qa"}
    for id, old, new in (("squad2", "Paris", "Lyon"), ("longmemeval", "multi-session", "temporal")):
        campaigns[id][0]["other.json"] = campaigns[id][0]["key.json"].replace(old, new)
    contents, name, options = campaigns["lighteval"]
    # Its results may not be in those of the workflow
    contents = {f"log/{file}": data for file, data in contents.items()}
    campaigns["lighteval"] = contents, f"log/{name}", options
    return campaigns


LOGS = logs()


def make_campaigns() -> dict[str, tuple[dict, dict]]:
    """Return a campaign for every task, door, format and layout, with the contents of files."""
    campaigns, small = {}, {"shards": 1, "measures": ["c@1"]}
    for (task, format), (ending, run, gold) in RAW.items():
        files = {f"runs/run.{ending}": run, f"gold/a.{ending}": gold, f"gold/b.{ending}": gold}
        if format == "clef-qa4mre":
            files["questions.csv"] = re.sub("q([0-9])", r"1/2/\1", QUESTIONS)
        parts = {part: {"format": format, "files": f"{part}/*"} for part in ("runs", "gold")}
        campaign = {"task": task, "runs": parts["runs"]} | small
        campaign["judgments"] = parts["gold"] | {"official": "a"}
        campaigns[f"{task} {format}"] = campaign, files
    for (task, layout), (text, options) in GRADED.items():
        graded = {"format": "tabular", "files": "graded.csv", "layout": layout} | options
        campaign = {"task": task, "graded": graded} | small
        campaigns[f"{task} {layout}"] = campaign, {"graded.csv": text}
    for format, (contents, name, options) in LOGS.items():
        graded = {"format": format, "files": name} | options
        campaigns[f"qa {format} log"] = {"task": "qa", "graded": graded} | small, contents
    for task, text in COUNTS.items():
        campaign = {"task": task, "counts": "counts.csv", "measures": ["c@1"]}
        campaigns[f"{task} counts"] = campaign, {"counts.csv": text}
    return campaigns
