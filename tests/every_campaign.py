"""A campaign of every format and door, and what each job loaded; evaluated once for the tests of all of them."""

import polars as pl
from conftest import HOME, Project
from format_samples import SAMPLES
from log_campaigns import of_logs
from nonresponse.tables import HISTORY

# Run by every job before its script: when the job ends, this records which of our files it used, not counting those
# that the process it was forked from had loaded (which loads none of SLOW).
RECORDER = """
import json, os, sys
SLOW = ["scipy.stats", "sklearn", "statsmodels", "pandas", "matplotlib"]  # seconds of import
def record():
    files = [m.__file__ for n, m in list(sys.modules.items()) if n.split(".")[0] == "nonresponse"]
    with open(os.path.join(os.environ["RECORDS"], str(os.getpid()) + ".json"), "w") as out:
        json.dump({"argv": sys.argv, "files": files, "slow": [name for name in SLOW if name in sys.modules]}, out)
leave = os._exit
os._exit = lambda code: (record(), leave(code))
"""
MEASURES = {"qa": ["c@1", "cws", "mrr"], "validation": ["e@2", "auc", "brier"], "dating": ["s", "auc@10", "c@1"]}
SECOND = '<q q_id="2"><answer a_id="1" correct="Yes">A</answer></q></reading-test>'  # QA4MRE: the other question
GRADED = "id,subject,answer,m1,m2,m3\n1,law,A,A,B,MISSING\n2,law,B,,B,MISSING\n3,art,C,C,MISSING,MISSING\n"
PAIRS = "question,candidate,outcome,score\n1,a,TP,0.9\n1,b,TN,0.1\n2,a,OPEN,0.5\n"


class Recorded(Project):
    """Its jobs write down what they loaded, in the folder `records`."""

    def snakemake(self, *arguments, **options):
        env = {"RUN_FIRST": str(self.folder / "recorder.py"), "RECORDS": str(self.folder / "records")}
        return super().snakemake(*arguments, env=env, **options)


def every_campaign(project: Project) -> Recorded:
    """All of them, configured."""
    config = of_logs(project)
    for format, (task, (run_file, run), (gold_file, gold)) in SAMPLES.items():
        project.write(f"raw/{format}/runs/{run_file}", run)
        project.write(f"raw/{format}/gold/{gold_file}", gold.replace("</reading-test>", SECOND))
        config[format] = {
            "task": task,
            "runs": {"format": format, "files": f"raw/{format}/runs/*"},
            "judgments": {"format": format, "files": f"raw/{format}/gold/*"},
            "measures": MEASURES[task],
        }
    for run in ("alpha", "beta"):  # which lie in two shards
        project.write(f"raw/shards/runs/{run}.tsv", "question\tanswer\n1\tx\n")
    gold = project.write("raw/shards/gold.tsv", "question\tanswer\tlabel\n1\tx\tR\n").relative_to(project.folder)
    config["shards"] = {
        "task": "qa",
        "runs": {"format": "tabular", "files": "raw/shards/runs/*.tsv"},
        "shards": 4,
        "judgments": {"format": "tabular", "files": str(gold)},
        "measures": ["c@1"],
    }
    for run in ("alpha", "beta"):
        project.write(f"raw/shards/graded/{run}.csv", f"run,question,verdict\n{run},1,correct\n")
    graded = {"format": "tabular", "files": "raw/shards/graded/*.csv"}
    config["graded-shards"] = {"task": "qa", "graded": graded, "measures": ["c@1"], "shards": 4}
    project.write("raw/questions.csv", "question,category,choices\nq1,where,4\nq2,when,2\n")
    config["trec-qa"]["scenarios"] = {"lenient": {"correct": ["R", "X"]}, "silent": {"unscored": "unanswered"}}
    config["tabular"]["questions"] = config["romip"]["questions"] = "raw/questions.csv"
    config["tabular"]["options"] = "choices"
    [only] = (project.folder / "raw/tabular/gold").iterdir()
    (only.parent / f"another{only.suffix}").write_text(only.read_text().replace("Paris\tR", "Paris\tW"))
    config["tabular"]["judgments"]["official"] = only.stem
    project.write("raw/trec.csv", "question,has_answer\n1394,1\n1395,0\n1396,1\n1397,1\n")
    config["trec-qa"]["questions"] = {"file": "raw/trec.csv"}
    # A name that begins with a hyphen is a name, not an option of a command.
    project.write("-raw/runs/-run.csv", "question,answer,confidence\nr1,a,0.75\nr1,b,0.25\nr2,b,1\n")
    for assessor in ("-p", "-q"):
        project.write(f"-raw/{assessor}.csv", "question,answer\nr1,b\nr2,b\n")
    config["-matching"] = {
        "task": "matching",
        "runs": {"format": "tabular", "files": "-raw/runs/*"},
        "judgments": {"format": "tabular", "files": "-raw/*.csv", "official": "-q"},
        "baseline": "-run",
        "measures": ["s", "s_c", "c@1"],
    }
    project.write("raw/wide.csv", GRADED)
    columns = {"question": "id", "category": "subject"}
    wide = {"format": "tabular", "files": "raw/wide.csv", "layout": "wide", "columns": columns, "gold": "answer"}
    wide = {"task": "qa", "graded": wide | {"missing": ["MISSING"]}, "missing": "unanswered"}
    config["wide"] = wide | {"measures": MEASURES["qa"]}
    project.write("raw/long.csv", PAIRS)
    config["wide"]["systems"] = {"m": ["m1", "m2", "m3"]}
    config["wide"]["participants"] = "(m).*"
    config["wide"]["gates"] = [{"measure": "c@1", "at_least": 0.5}, {"count": "not_asked", "at_most": 0.5}]
    then = pl.DataFrame([(1, "", "c@1", "m1", 0.5, 1), (2, "x", "c@1", "m2", 0.5, 1)], HISTORY, orient="row")
    then.write_parquet(project.folder / "history.parquet")
    config["wide"]["history"] = "history.parquet"
    outcomes = {"TP": "tp", "TN": "tn", "OPEN": "u_p"}
    long = {"format": "tabular", "files": "raw/long.csv", "columns": {"verdict": "outcome"}, "verdicts": outcomes}
    config["long"] = {"task": "validation", "graded": long, "measures": MEASURES["validation"]}
    # Under this name, it is set beside the published figures.
    project.write("-counts.csv", (HOME / "resources/solovyev-table-3/counts.csv").read_text())
    measures = ["e@2", "accuracy", "f@0.5"]
    config["solovyev-table-3"] = {"task": "validation", "counts": "-counts.csv", "measures": measures}
    # What an analysis loads follows from the task and the door, and from no format.
    for name in SAMPLES.keys() - {"tabular", "pan", "deft"}:
        config[name]["reliability"] = {"analyses": []}
    quick = {"trials": 5, "swap_trials": 5, "size_trials": 1, "samples": 100, "exchanges": 100}
    project.configure(quick, **config)
    project.write("results/wide/responses.jsonl", "")  # made where it is asked for, and brought up to date where it is
    (project.folder / "records").mkdir()
    project.write("recorder.py", RECORDER)
    return Recorded(project.folder)
