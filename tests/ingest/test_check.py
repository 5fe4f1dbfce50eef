"""The check reports all faults across the files of a campaign, with file and line."""

import pytest
from configured import report_faults
from conftest import JUDGMENTS, RUNS, SMALL, Project
from nonresponse.ingest import check

TABLE = {"format": "tabular", "files": "raw/*.tsv"}
RAW = {
    "task": "qa",
    "runs": {"format": "tabular", "files": "raw/runs/*.tsv"},
    "judgments": {"format": "tabular", "files": "raw/judgments.tsv"},
} | SMALL
GRADED = {"task": "qa", "graded": {"format": "tabular", "files": "raw/*.csv"}, "measures": ["c@1"]}
PAIRS = GRADED | {"task": "validation"}
COUNTS = {"task": "qa", "counts": "raw/counts.csv", "measures": ["c@1"]}
DEFT = {part: {"format": "deft", "files": f"raw/{part}/*"} for part in ("runs", "judgments")}
DOCUMENT_JUDGMENTS = (
    JUDGMENTS.replace("label", "label\tdocument")
    .replace("R\n", "R\tD1\n")
    .replace("W\n", "W\tD2\n")
)
TRUTHS = {
    f"{run}.csv": f"question,candidate,verdict\n0,x,tn\n1,x,{verdict}\n"
    for run, verdict in (("one", "tp"), ("three", "tp"), ("two", "fp"))
}
OTHER_TRUTH = (
    "raw/two.csv:3: found another truth of question '1' than on an earlier line; "
    "expected the same for all runs"
)
# Files beside those of the tiny campaign, the campaign, and what each line of the report has
CASES = {
    "a run named like another": (
        {"runs/other.tsv": "question\tanswer\trun\nq1\tParis\talpha\nq1\tParis\tAlpha\n"},
        RAW,
        "raw/runs/other.tsv:2: found the run 'alpha', named like one in raw/runs/alpha.tsv",
    ),
    "two assessors": (
        {"more.tsv": JUDGMENTS},
        RAW | {"judgments": TABLE},
        "found judgments of 'judgments', 'more'; expected a key `official`",
    ),
    "another official assessor": (
        {"more.tsv": JUDGMENTS},
        RAW | {"judgments": TABLE | {"official": "adjudicated"}},
        "found no judgments of 'adjudicated'; expected one of 'judgments', 'more' as `official`",
    ),
    "an official assessor": (
        {"more.tsv": JUDGMENTS},
        RAW | {"judgments": TABLE | {"official": "more"}},
        "",
    ),
    "documents in judgments only": (
        {"judgments.tsv": DOCUMENT_JUDGMENTS.replace("X\n", "X\tD3\n")},
        RAW,
        "found judgments that name documents, runs that name none",
    ),
    "judgments outside the question set": (
        {"questions.csv": "question\nq1\nq2\nq3\n"},
        RAW | {"questions": "raw/questions.csv"},
        "raw/judgments.tsv:7 (and line 8): found the question 'q4' | alpha.tsv:5: found | gamma.tsv:5: found",
    ),
    "a question file that cannot be read makes no question unknown": (
        {"questions.csv": "id\nq1\n"},
        RAW | {"questions": "raw/questions.csv"},
        "raw/questions.csv:1: found no column 'question' | raw/questions.csv:2: found no question",
    ),
    "no judgments, and nobody says what was asked": (
        {"judgments.tsv": "question\tanswer\tlabel\n"},
        RAW,
        "raw/judgments.tsv: found no judgments; expected some, or `questions:`",
    ),
    "a NIL that is right beside an answer that is": (
        {"judgments.tsv": JUDGMENTS + "q1\tNIL\tR\n"},
        RAW | {"runs": RAW["runs"] | {"nil": ["NIL"]}},
        "raw/judgments.tsv:9: found a judgment of NIL for question 'q1'",
    ),
    "a NIL that is wrong where there is no answer": (
        {
            "judgments.tsv": JUDGMENTS + "q1\tNIL\tW\n",
            "questions.csv": "question,has_answer\nq1,0\nq2,\nq3,\nq4,\n",
        },
        RAW | {"runs": RAW["runs"] | {"nil": ["NIL"]}, "questions": "raw/questions.csv"},
        "raw/judgments.tsv:9: found a judgment of NIL for question 'q1'",
    ),
    "runs that are not there": (
        {},
        RAW | {"baseline": "psi", "systems": {"s": ["alpha", "omega"]}},
        "config.yaml: found the baseline 'psi' | config.yaml: found the run 'omega' in systems.s",
    ),
    "pairs whose truth depends on the run": (
        {
            "g.csv": "question,run,candidate,verdict,category\n1,a,x,tp,who\n1,b,x,fp,when\n2,a,x,correct,who\n"
        },
        PAIRS,
        "found another category of question '1' | found another truth of question '1' | the verdict 'correct'",
    ),
    "a truth that depends on the shard": (TRUTHS, PAIRS | {"shards": 8}, OTHER_TRUTH),
    "a table of counts": (
        {"counts.csv": "run,n_ac,n_aw,n_u,n\na,1,2,3,6\na,1,2,3,6\nb,-1,2,x,6\n../c,1,2,3,6\n"},
        COUNTS,
        "found a second row for run 'a' | the count n_ac | the count n_u 'x'",
    ),
    "hypotheses": (
        {
            "judgments/gold.tsv": "question\tyear\nf1\t1850\n",
            "questions.tsv": "question\nf1\nf2\n",
            "runs/a.tsv": "question\tyear\tconfidence\nf1\t1999\t0.6\nf1\t1850\t0.4\n",
            "runs/b.tsv": "question\tyear\tconfidence\nf2\t1850\t0.4\nf2\t1860\t0.5\n",
        },
        {"task": "dating", "questions": "raw/questions.tsv", "measures": ["s"], **DEFT},
        (
            "raw/judgments/*: found no reference for question 'f2' by 'gold'; expected one for each question | "
            "raw/runs/a.tsv:2: found the year '1999'; expected a year from 1801 to 1944 (`years:` in config.yaml) | "
            "raw/runs/b.tsv:2: found confidences of question 'f2' that sum to 0.9; expected a sum of 1"
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_a_line_of_the_report(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    files, campaign, texts = CASES[name]
    expected = [text for text in texts.split(" | ") if text]
    if campaign.get("runs", {}).get("format") == "tabular":
        files = (
            {f"runs/{run}.tsv": text for run, text in RUNS.items()}
            | {"judgments.tsv": JUDGMENTS}
            | files
        )
    for file, text in files.items():
        Project(tmp_path).write(f"raw/{file}", text)
    lines = [
        line for line in report_faults("t", campaign, tmp_path / "results") if " found " in line
    ]
    assert len(lines) == len(expected) and all(map(str.__contains__, lines, expected)), lines


def test_a_column_taken_for_assessors_makes_no_store_of_all_memory(tmp_path, monkeypatch):
    """Who takes the numbers of lines for assessors gets a fault, not a process that is killed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(check, "CELLS", 100)
    project, columns = Project(tmp_path), {"assessor": "line_id"}
    project.write("raw/runs/a.tsv", RUNS["alpha"])
    rows = "".join(f"w{n}\tq{n % 4}\tx\tR\n" for n in range(40))
    project.write("raw/judgments.tsv", f"line_id\tquestion\tanswer\tlabel\n{rows}")
    project.write("raw/questions.csv", "question\nq0\nq1\nq2\nq3\nq4\n")
    judgments = RAW["judgments"] | {"columns": columns}
    campaign = RAW | {"judgments": judgments, "questions": "raw/questions.csv"}
    [line] = [line for line in report_faults("t", campaign, tmp_path / "one") if " found " in line]
    assert "20 more; expected a key `official`" in line and len(line) < 400
    campaign |= {"judgments": judgments | {"official": "w1"}}
    [line] = [line for line in report_faults("t", campaign, tmp_path / "two") if " found " in line]
    assert "found 40 assessors x 1 run x 5 questions x 1 epoch; expected at most 100" in line
