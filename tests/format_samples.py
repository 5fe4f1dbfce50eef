"""Per format, a run and its judgments; what the tests that hold for every format share."""

import pytest
from nonresponse import formats
from reading import judgments, runs

# Per format: the task, a run and its judgments, each with its file's name.
SAMPLES = {
    "tabular": (
        "qa",
        ("run.tsv", "question\tanswer\tconfidence\nq1\tParis\t0.9\nq2\t\t\n"),
        ("adjudicated.tsv", "question\tanswer\tlabel\nq1\tParis\tR\nq2\tRome\tW\n"),
    ),
    "trec-qa": (
        "qa",
        ("run.txt", "1394 runA APW1 in the 1950s\n1395 runA NIL\n1396 runA NYT2 São Paulo\n"),
        ("gold.txt", "1394 APW1 1 in the 1950s\n1396 NYT2 -1 São Paulo\n1396 NYT2 3 Paulo\n"),
    ),
    "pan": (
        "validation",
        ("run.jsonl", '{"id": "a", "value": 0.75}\n{"id": "b", "value": 0.5}\n'),
        ("truth.jsonl", '{"id": "a", "same": true, "authors": [1]}\n{"id": "b", "same": false}\n'),
    ),
    "clef-qa4mre": (
        "qa",
        (
            "run.xml",
            '<output run_id="r">\n<topic t_id="1"><reading-test r_id="2">\n'
            '<question q_id="1" answered="YES"><answer a_id="5"/></question>\n'
            '<question q_id ="2" answered="NO" />\n</reading-test></topic></output>\n',
        ),
        (
            "gold.xml",
            '<?xml version="1.0" encoding="UTF-8"?>\n<test-set><topic t_id="1">\n'
            '<reading-test r_id="2"><q q_id="1"><q_str>Où?</q_str>\n<answer a_id=\'1\' >A</answer>\n'
            '<answer a_id="5"  correct="Yes">B</answer></q>\n</reading-test></topic></test-set>\n',
        ),
    ),
    "clef-respubliqa": (
        "qa",
        ("run.tsv", "question\tstatus\tparagraph\ttext\nq1\tANSWERED\tp1\tx\nq2\tNOA\tp2\t\n"),
        ("gold.tsv", "run\tquestion\tparagraph\tjudgment\nrun\tq1\tp1\tR\nrun\tq2\tp2\tW\n"),
    ),
    "romip": (
        "qa",
        (
            "run.tsv",
            "question\trank\tkind\tanswer\nq1\t1\tshort\ta\nq1\t2\tlong\tb\nq2\t\tnone\t\n",
        ),
        ("gold.tsv", "question\tanswer\tlabel\nq1\ta\tgood\nq1\tb\tpartial\n"),
    ),
    "deft": (
        "dating",
        ("run.tsv", "question\tyear\tconfidence\nf1\t1871\t0.7\nf1\t1874\t0.3\nf2\t\t\n"),
        ("reference.tsv", "question\tyear\nf1\t1870\nf2\t1900\n"),
    ),
}

CASES = [(format, kind) for format in formats.FORMATS for kind in ("runs", "judgments")]
every_format = pytest.mark.parametrize(("format", "kind"), CASES)


def sample(format: str, kind: str) -> tuple[str, str]:
    return SAMPLES[format][1 if kind == "runs" else 2]


def read(format: str, kind: str, file: str):
    task = SAMPLES[format][0]
    return (runs if kind == "runs" else judgments)(format, file, task)
