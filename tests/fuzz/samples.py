"""Sound files of every format, by every door and of every task: what is damaged."""

import csv
import io
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from format_samples import SAMPLES
from reading import DATA

RESOURCES = Path(__file__).parents[2] / "resources"
NUMBERS = {"rank", "confidence", "score", "position", "value", "year", "has_answer", "tp", "fp", "fn", "tn"}
NUMBERS |= {"n", "n_ac", "n_aw", "n_u", "a", "b", "c", "d", "e", "nil_returned", "nil_right", "nil_gold"}
SHAPES = {".csv": "csv", ".json": "jsonl", ".jsonl": "jsonl", ".parquet": "jsonl", ".xml": "xml"}


@dataclass(frozen=True)
class Sample:
    """A file, and how it is read. A Parquet file is JSONL here, whose records can be damaged one by one."""

    door: str  # runs, judgments, questions, graded or counts
    task: str
    name: str
    content: bytes
    options: dict = field(default_factory=dict)  # as in config.yaml, with the format

    @property
    def format(self) -> str:
        return self.options.get("format", "tabular")

    @property
    def shape(self) -> str:
        """How the text is built: csv, tsv, jsonl, xml, or fields with white space between them."""
        white = self.format in ("trec-qa", "ave")
        return SHAPES.get(Path(self.name).suffix, "fields" if white else "tsv")

    @property
    def kind(self) -> str:
        """The shape and, where it is not that of a table, the format: where a finding may come from."""
        if self.name.endswith(".parquet"):
            return "parquet"
        other = self.shape in ("fields", "xml") or self.format in LOGS
        return f"{self.format} {self.shape}" if other else self.shape

    def __str__(self) -> str:
        return f"{self.door} {self.format} {self.task} {self.name}"


QA = "question\tanswer\trank\tcandidate\tdocument\tconfidence\tscore\tposition\n"
QA += "q1\tParis\t1\t\td1\t0.9\t12.5\t2\nq1\tLyon\t2\t\td1\t0.4\t-3\t\nq2\tNOA\t\tRome\t\t0.5\t\t1\nq3\t\t\t\t\t\t\t\n"
QA += "q4\tNIL\t1\t\t\t1\t0\t3\nq5\tERR\t1\t\td2\t0\t1e-3\t4\n"
WORDS = {"unanswered": ["NOA"], "nil": ["NIL"], "failed": ["ERR"]}
MAPPED = "qid\tsystem\tprediction\n1\talpha\tA\n1\tbeta\tB\n2\talpha\t\n"
PAIRS = "question\tcandidate\tanswer\tscore\nq1\tc1\tSELECTED\t0.9\nq1\tc2\tREJECTED\t0.1\nq2\tc1\t\t\n"
LABELS = "question\tdocument\tanswer\tlabel\tassessor\n"
LABELS += "q1\td1\tParis\tR\tann\nq1\td2\tParis\tU\tann\nq2\td1\tRome\tX\tbob\n"
GRADED = "question\trun\tverdict\tconfidence\tcategory\n"
GRADED += "q1\ta\tcorrect\t0.9\tlaw\nq2\ta\t\t0.3\tart\nq1\tb\terror\t\tlaw\n"
OUTCOMES = "question\tcandidate\trun\tverdict\tscore\nq1\tc1\ta\ttp\t0.9\nq1\tc2\ta\tu_n\t\nq1\tc1\tb\tfn\t-1\n"
ASSESSED = "system\tqid\tfinal\tann1\ns1\tq1\tyes\tyes\ns1\tq2\tno\tyes\ns2\tq1\tno\t\n"
GOLD = "question\trun\tanswer\tkey\nq1\ta\tA\tA\nq2\ta\t1.0\t1\nq1\tb\tNOA\tA\nq2\tb\tERR\t1\n"
WIDE = "qid\tsubject\tkey\tmodel_a\tmodel_b\nq1\tlaw\tA\tA\tB\nq2\tlaw\t2\t\tMISSING\nq3\tart\tC\t2\tC\n"
MATRIX = "question\talpha\tbeta\nq1\tcorrect\twrong\nq2\tunanswered\t\nq3\tpartial\tseen not\n"
ASKED = "question\thas_answer\tcategory\nq1\t1\tdate\nq2\t0\tperson\nq3\t\t\n"
NIL = "run\tn\tn_ac\tn_aw\tn_u\tnil_returned\tnil_right\tnil_gold\nx\t10\t5\t3\t2\t3\t2\t4\ny\t10\t0\t0\t10\t0\t0\t4\n"
ROMIP = "run\ta\tb\tc\td\te\nx\t5\t3\t2\t1\t1\ny\t0\t0\t0\t6\t6\n"
CELLS = "run\ttp\tfp\tfn\ttn\tu_p\tn_questions\tq_selected_right\nx\t3\t1\t2.5\t4\t1\t4\t3\ny\t0\t0\t0\t10\t1.5\t4\t0\n"
ANSWERS = {"answers": {"accept": "VALIDATED", "reject": "REJECTED"}}
ASSESSORS = {"verdicts": {"yes": "correct", "no": "wrong"}, "assessors": {"final": "final", "ann1": "ann1"}}
COLUMNS = {"columns": {"question": "qid", "run": "system"}}
SUBJECTS = {"columns": {"question": "qid", "category": "subject"}}

# Door, task, the file's name without its ending, its records as TSV, options.
TABLES = [
    ("runs", "qa", "run", QA, WORDS),
    ("runs", "qa", "runs", MAPPED, {"columns": {"question": "qid", "run": "system", "answer": "prediction"}}),
    ("runs", "validation", "run", PAIRS, {}),
    ("runs", "validation", "run", PAIRS.replace("SELECTED", "accept").replace("REJECTED", "reject"), ANSWERS),
    ("runs", "validation", "run", PAIRS.replace("answer", "other"), {"threshold": 0.5}),
    ("runs", "dating", "run", SAMPLES["deft"][1][1].replace("year", "answer"), {"unanswered": ["none"]}),
    ("runs", "matching", "run", "question\tanswer\tconfidence\nr1\ta1\t0.75\nr1\ta2\t0.25\nr2\ta1\t\nr3\t\t\n", {}),
    ("runs", "matching", "run", "question\tlabel\nr1\ta1\nr2\ta 2\n", {"format": "deft"}),
    ("judgments", "qa", "ann", LABELS, {}),
    ("judgments", "qa", "key", "question\tanswer\nq1\tParis\nq2\tRome\n", {"closed": True}),
    ("judgments", "qa", "key", "question\tanswer\tlabel\nq1\tParis\tR\nq2\tRome\tW\n", {"closed": True}),
    ("judgments", "qa", "key", "question\tanswer\tlabel\nq1\tA\tyes\nq1\tB\tno\n", {"labels": {"yes": "R", "no": "W"}}),
    ("judgments", "validation", "gold", "question\tcandidate\tlabel\nq1\tc1\tYES\nq1\tc2\tUNKNOWN\n", {}),
    ("judgments", "dating", "gold", "question\tanswer\nf1\t1870\nf2\t1900\n", {"closed": True}),
    ("graded", "qa", "graded", GRADED, {}),
    ("graded", "validation", "graded", OUTCOMES, {}),
    ("graded", "qa", "graded", ASSESSED, ASSESSORS | COLUMNS | {"official": "final"}),
    ("graded", "qa", "graded", GOLD, {"gold": "key", "unanswered": ["NOA"], "failed": ["ERR"]}),
    ("graded", "qa", "wide", WIDE, {"layout": "wide", "gold": "key", "missing": ["MISSING"]} | SUBJECTS),
    ("graded", "qa", "wide", MATRIX, {"layout": "wide", "missing": ["seen not"]}),
    ("questions", "qa", "questions", ASKED, {}),
    ("questions", "qa", "questions", "qid\nq1\nq2\nq3\n", {"columns": {"question": "qid"}}),
    ("counts", "qa", "counts", NIL, {}),
    ("counts", "qa", "counts", ROMIP, {}),
    ("counts", "validation", "counts", CELLS, {}),
]
RANKED = "201 Q0 LA1 1 12.5 runA the first man\n201 Q0 LA2 2 11 runA Gagarin\n202 Q0 NIL 1 4.5 runA\n"
# Door, task, the file's name, its lines, options.
LINES = [
    ("runs", "qa", "run.txt", RANKED, {"format": "trec-qa"}),
    ("runs", "qa", "run.txt", "1 D1 1 0.5 r a b\n1 D2 2 0.25 r c\n2 D3 1 1 r d\n", {"format": "trec-qa"}),
    ("runs", "qa", "run.txt", "1 r 7 2 m\n2 r NIL\n3 r D1 x\n", {"format": "trec-qa", "layout": "ordered"}),
    ("judgments", "validation", "gold.txt", "1 1 YES\n1 2 NO\n2 1 UNKNOWN\n", {"format": "ave"}),
]
YEARS = (
    '<deft>\n<doc id="f1">\n<hypothesis year="1871" confidence="0.7"/>\n<hypothesis year="1874" confidence="0.3"/>\n'
)
YEARS += '</doc>\n<doc id="f2"><hypothesis year="1802"/></doc>\n</deft>\n'
TITLES = '<deft>\n<doc id="r1"><hypothesis label="a07"/></doc>\n<doc id="r2"><hypothesis label="a 3"/></doc>\n</deft>\n'
LINES += [
    ("runs", "dating", "run.xml", YEARS, {"format": "deft"}),
    ("runs", "matching", "run.xml", TITLES, {"format": "deft"}),
    ("judgments", "matching", "gold.xml", TITLES, {"format": "deft"}),
]


def records(tsv: str) -> list[dict]:
    """The records of a TSV text, numbers as numbers, as a JSONL or Parquet file would have them."""
    return [
        {name: number(text) if name in NUMBERS else text or None for name, text in row.items()}
        for row in csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE)
    ]


def number(text: str) -> float | int | str | None:
    if not re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", text):
        return text or None
    return int(text) if text.isdecimal() else float(text)


def kinds(door: str, task: str, stem: str, tsv: str, options: dict) -> list[Sample]:
    """A table in each of the four kinds, and with quotes where they are unusual."""
    table = csv.reader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(table)
    json_lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records(tsv))
    texts = {".tsv": tsv, ".csv": out.getvalue(), ".jsonl": json_lines, ".parquet": json_lines}
    options = {"format": "tabular"} | options
    samples = [Sample(door, task, stem + ending, text.encode(), options) for ending, text in texts.items()]
    if door == "runs":
        samples += [Sample(door, task, f"{stem}.tsv", tsv.encode(), options | {"quoted": True})]
        samples += [Sample(door, task, f"{stem}.csv", texts[".csv"].encode(), options | {"quoted": False})]
    return samples


def head(path: Path, lines: int) -> bytes:
    """The first lines of a file; empty if it does not exist: then the sample is skipped, but keeps its number."""
    return b"".join(path.read_bytes().splitlines(keepends=True)[:lines]) if path.exists() else b""


def shipped(door: str, task: str, path: str, options: dict, lines: int = 25, folder: Path = RESOURCES) -> Sample:
    assert folder == DATA or (folder / path).exists(), f"{path} is no longer shipped: take another file"
    return Sample(door, task, Path(path).name, head(folder / path, lines), options)


def document(id: int, filter: str, score: float | None) -> str:
    return json.dumps({"doc_id": id, "filter": filter, "metrics": ["acc"], "acc": score}) + "\n"


def event(id: int, type: str, **data) -> str:
    return json.dumps({"sample_id": f"t.{id}", "type": type, "data": data}) + "\n"


def result(id: int, success: bool, reason: int, **response) -> str:
    test = {"provider": {"id": "gpt"}, "testIdx": id, "promptIdx": 0, "vars": {}, "testCase": {"description": f"q{id}"}}
    return json.dumps(test | {"success": success, "failureReason": reason, "response": response}) + "\n"


VALUES = enumerate(["C", "I", "N", "P", 1, 0.5, None, True])
INSPECT = [{"id": f"q{id}", "epoch": 1, "scores": {"qa": {"value": value}}} for id, value in VALUES]
INSPECT += [{"id": 9, "epoch": 1, "scores": {}, "error": {"message": "down"}}]
RIGHT, WRONG = ({"name": "a", "score": float(right), "success": right} for right in (True, False))
FAILED = {"name": "b", "success": False, "error": "no JSON"}
CASES = [
    {"name": "q1", "success": True, "metricsData": [RIGHT]},
    {"name": "q2", "success": False, "metricsData": [WRONG]},
]
CASES += [{"name": "q3", "success": False, "metricsData": [RIGHT, FAILED]}]
CASES += [{"name": "q4", "success": False, "trace": {"status": "ERRORED"}}]
# Logs of harnesses that are one file: its name, its content.
LOGS = {
    "inspect": ("log.json", json.dumps({"eval": {"model": "org/model", "task": "toy"}, "samples": INSPECT})),
    "lm-eval": (
        "samples_toy.jsonl",
        "".join(document(id, filter, score) for id, score in enumerate((1, 0, 0.5, None)) for filter in ("a", "b"))
        + document(4, "a", 0).replace('"acc":', '"not_attempted": 1, "acc":'),
    ),
    "promptfoo": (
        "results.jsonl",
        result(0, True, 0) + result(1, False, 1) + result(2, False, 2) + result(3, True, 0, isRefusal=True),
    ),
    "openai-evals": (
        "log.jsonl",
        '{"spec": {"completion_fns": ["gpt"], "eval_name": "toy"}}\n{"final_report": {"accuracy": 0.5}}\n'
        + event(0, "match", correct=True)
        + event(1, "match", correct=False)
        + event(2, "error", message="down")
        + event(3, "metrics", score=0.5)
        + event(4, "sampling", sampled="?"),
    ),
    "deepeval": ("test_run.json", json.dumps({"identifier": "org/model", "testCases": CASES})),
    "evalscope": (
        "toy_main.jsonl",
        "".join(
            json.dumps({"sample_score": {"group_id": id, "score": {"value": value, "status": status}}}) + "\n"
            for id, (value, status) in enumerate(
                [
                    ({"is_correct": 1.0, "is_not_attempted": 0.0}, "success"),
                    ({"is_correct": 0.0, "is_not_attempted": 0.0}, "success"),
                    ({"is_correct": 0.0, "is_not_attempted": 1.0}, "success"),
                    ({"is_correct": 0.5}, "success"),
                    ({}, "parse_error"),
                ]
            )
        ),
    ),
    "verifiers": (
        "results.jsonl",
        "".join(
            json.dumps({"example_id": id, "reward": reward, "error": error}) + "\n"
            for id, (reward, error) in enumerate([(1.0, None), (0, None), (0.5, None), (None, None), (0.0, "down")])
        ),
    ),
    "every-eval-ever": (
        "u_samples.jsonl",
        "".join(
            json.dumps(
                {
                    "model_id": "org/model",
                    "evaluation_name": "toy",
                    "sample_id": f"q{id}",
                    "evaluation": {"score": score, "is_correct": score > 0},
                    "error": error,
                }
            )
            + "\n"
            for id, (score, error) in enumerate([(1.0, None), (0.0, None), (0.5, None), (0.0, "down")])
        ),
    ),
    "mmlu": (
        "law.csv",
        "0,1,2,3,4,5,m_correct,m_choiceA_probs,m_choiceB_probs\nq,a,b,c,d,A,True,0.75,0.25\n"
        "r,a,b,c,d,B,False,0.5,0.5\ns,a,b,c,d,B,,0.9,0.3\nt,a,b,c,d,A,1,0.25,\n",
    ),
    "ragas": (
        "base.csv",
        "user_input,retrieved_contexts,response,reference,answer_correctness\n"
        "q1,['x'],Rome,Rome,1.0\nq2,['x'],Milan,Cy,0\nq3,['x'],said,Dee M,0.75\nq4,['x'],,Eve,nan\nq5,['x'],a,a,\n",
    ),
    "langsmith": (
        "exp.csv",
        "inputs.question,outputs.answer,error,reference.answer,feedback.correct,example_id,id\n"
        "a?,Rome,,Rome,1.0,e1,r1\nb?,Milan,None,Cy,False,e2,r2\nc?,said,,Dee M,0.75,e3,r3\n"
        "d?,Eve,,Eve,,e4,r4\ne?,,down,Fay,0,e5,r5\n",
    ),
    "mlflow": (
        "run.csv",
        "trace_id,state,request,response,correct/value,correct/rationale\n"
        "t1,TraceState.OK,q1,Rome,yes,it is\nt2,OK,q2,Milan,no,it is not\nt3,OK,q3,said,0.75,nearly\n"
        "t4,OK,q4,Dee,,\nt5,TraceState.ERROR,q5,,no,\nt6,ERROR,q6,,,\n",
    ),
}

TREC, RESPUBLIQA, DEFT = "trec-2002-simulated", "respubliqa-2009-simulated", "deft-2011-dating-simulated"
MODELS = {"layout": "wide", "gold": "answer", "missing": ["MISSING"], "ignore": ["n_options"]}
MODELS |= {"columns": {"question": "question_id", "category": "category"}}
PEOPLE = {"verdicts": {"Yes": "correct", "No": "wrong"}, "assessors": {"final": "final", "ann1": "annotator1"}}


def every_sample() -> list[Sample]:
    """All samples in an order that never depends on what is there."""
    samples = []
    for format, (task, *files) in SAMPLES.items():
        for door, (name, text) in zip(("runs", "judgments"), files, strict=True):
            if name.endswith(".tsv"):
                samples += kinds(door, task, Path(name).stem, text, {"format": format})
            else:
                samples.append(Sample(door, task, name, text.encode(), {"format": format}))
    for table in TABLES:
        samples += kinds(*table)
    samples += [
        Sample("graded", "qa", name, text.encode(), {"format": format}) for format, (name, text) in LOGS.items()
    ]
    return [
        *samples,
        *[Sample(door, task, name, text.encode(), options) for door, task, name, text, options in LINES],
        shipped("runs", "qa", f"{TREC}/runs/sim01a.txt", {"format": "trec-qa"}),
        shipped("judgments", "qa", f"{TREC}/judgments/assessor1.txt", {"format": "trec-qa"}),
        shipped("questions", "qa", f"{TREC}/questions.tsv", {}),
        shipped("runs", "qa", f"{RESPUBLIQA}/runs/icia091ro.tsv", {"format": "clef-respubliqa"}),
        shipped("runs", "dating", f"{DEFT}/runs/sim01-3.tsv", {"format": "deft"}),
        shipped("counts", "qa", "penas-2011-table-3/counts.csv", {}),
        shipped("counts", "validation", "solovyev-table-3/counts.csv", {}),
        shipped("runs", "qa", "clef/oaqa_2013_run_101301enen_output.xml", {"format": "clef-qa4mre"}, 9999, DATA),
        shipped("judgments", "qa", "clef/QA4MRE-2013-sample_GS.xml", {"format": "clef-qa4mre"}, 9999, DATA),
        shipped("runs", "validation", "pan20/answers/araujo20-small.jsonl", {"format": "pan"}, 25, DATA),
        shipped("judgments", "validation", "pan20/truth.jsonl", {"format": "pan"}, 25, DATA),
        shipped("graded", "qa", "mmlu_pro/pred_matrix.csv", MODELS, 8, DATA),
        shipped("graded", "qa", "nq301/nq301_matrix.csv", PEOPLE | COLUMNS | {"official": "final"}, 25, DATA),
    ]


EVERY = every_sample()
