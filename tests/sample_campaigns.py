"""A campaign for each task, source and layout of tables, and for logs with options of their own."""

import json

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
WIDE = """\
question,category,candidate,key,m1,m2,x_question,x_category,x_candidate,x_asked,x_target,x_explanation
q1,one,a,A,correct,wrong,q2,two,b,Who?,He,because
"q2",two,b,B,unscored,error,q1,one,a,Who?,He,because
q3,two,b,C,partial,wrong,q3,two,c,Who?,He,because
"""
# Runs and judgments by task, and graded responses by layout
RAW = {"qa": (RUN, GOLD), "validation": (PAIRS, TRUTH), "dating": (YEARS, REFERENCES)}
GRADED = {"long": (LONG, {}), "wide": (WIDE, {"systems": ["m1", "m2"]})}
COUNTS = "run,n_ac,n_aw,n_u\na,1,2,3\nb,2,2,2\n"
LOGS = ("inspect", "lm-eval", "squad2")


def make_logs() -> dict[str, tuple[dict[str, str | bytes], str, dict]]:
    """Return logs in which each option has a choice: files, what `files:` names, options."""
    campaigns = {
        id: (dict(SAMPLES[id].files), SAMPLES[id].path, SAMPLES[id].options) for id in LOGS
    }
    log = json.loads(campaigns["inspect"][0]["log.json"])
    samples = [
        {**sample, "epoch": epoch, "scores": {**sample["scores"], "other": {"value": "I"}}}
        for sample in log["samples"]
        for epoch in (1, 2)
    ]
    files = {"log.json": json.dumps(log | {"samples": samples})}
    campaigns["inspect"] = files, "log.json", {"metric": "qa"}
    files = campaigns["squad2"][0]
    files["other.json"] = files["key.json"].replace("Paris", "Lyon")
    return campaigns


def make_campaigns() -> dict[str, tuple[dict, dict]]:
    """Return campaigns by name, each with the contents of its files."""
    campaigns, small = {}, {"shards": 1, "measures": ["c@1"]}
    for task, (run, gold) in RAW.items():
        files = {"runs/run.csv": run, "gold/a.csv": gold, "gold/b.csv": gold}
        runs, judgments = ({"format": "tabular", "files": f"{part}/*"} for part in ("runs", "gold"))
        parts = {"runs": runs, "judgments": judgments | {"official": "a"}}
        campaigns[f"{task} tabular"] = {"task": task} | parts | small, files
    for layout, (text, options) in GRADED.items():
        graded = {"format": "tabular", "files": "graded.csv", "layout": layout} | options
        campaigns[f"qa {layout}"] = {"task": "qa", "graded": graded} | small, {"graded.csv": text}
    for format, (contents, name, options) in make_logs().items():
        graded = {"format": format, "files": name} | options
        campaigns[f"qa {format} log"] = {"task": "qa", "graded": graded} | small, contents
    counts = {"task": "qa", "counts": "counts.csv", "measures": ["c@1"]}
    return campaigns | {"qa counts": (counts, {"counts.csv": COUNTS})}
