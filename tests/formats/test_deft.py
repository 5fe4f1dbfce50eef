"""The format of DEFT 2011's two tasks: what its reader makes of a table."""

import time

import polars as pl
import pytest
from nonresponse.formats.presets import PRESETS
from nonresponse.formats.text import stem
from reading import places, values, write

DEFT = PRESETS["deft"]
RUN = "question\tyear\tconfidence\nf1\t1871\t0.7\nf2\t\t\nf1\t1874\t0.3\nf3\t1802\t\n"
REFERENCE = "question\tlabel\na1\tt07\na2\tt03\n"
every_reader = pytest.mark.parametrize("read", [DEFT.read_runs, DEFT.read_judgments])
RUN_COLUMNS = ["line", "run", "question", "answer", "confidence", "answered"]


def run(tmp_path, name: str, content, **options):
    """The rows of a run under the file's name as tuples of RUN_COLUMNS, and the places of the
    faults."""
    frame, faults = DEFT.read_runs(file := write(tmp_path, name, content), options)
    frame = frame.with_columns(run=pl.lit(stem(file))) if frame.width else frame
    return values(frame, *RUN_COLUMNS) if frame.width else [], places(faults)


def gold(tmp_path, name: str, content, **options):
    """The references as tuples of line, assessor (the file's name), question, answer, label; places
    of the faults."""
    frame, faults = DEFT.read_judgments(file := write(tmp_path, name, content), options)
    frame = frame.with_columns(assessor=pl.lit(stem(file))) if frame.width else frame
    return values(
        frame, "line", "assessor", "question", "answer", "label"
    ) if frame.width else [], places(faults)


class TestTable:
    def test_many_questions_take_time_in_proportion(self, tmp_path):
        """Reading with a fault in it too, and each question with several hypotheses far apart in
        the file."""
        number = 30_000
        ids = [f"f{i % (number // 3)}" for i in range(number)]
        text = (
            "question\tyear\tconfidence\n"
            + "".join(f"{id}\t1871\t0.5\n" for id in ids)
            + "f1\t1871\tx\n"
        )
        file = write(tmp_path, "x.tsv", text)
        begin = time.process_time()
        frame, faults = DEFT.read_runs(file, {})
        assert time.process_time() - begin < 10  # 0.1 s when nothing else runs
        assert frame.height == number - 3
        assert [found for _, found in places(faults)] == ["the confidence 'x'"]

    def test_run(self, tmp_path):
        assert run(tmp_path, "x.tsv", RUN) == (
            [
                (2, "x", "f1", "1871", 0.7, True),
                (3, "x", "f2", None, None, False),
                (4, "x", "f1", "1874", 0.3, True),
                (5, "x", "f3", "1802", None, True),
            ],
            [],
        )

    def test_confidence_may_be_left_out_and_other_columns_are_passed_over(self, tmp_path):
        text = "text\tlabel\tquestion\nLa Nuit\t t07 \tr1\n…\t \tr2\n"
        rows, faults = run(tmp_path, "x.tsv", text)
        assert faults == []
        assert rows == [(2, "x", "r1", "t07", None, True), (3, "x", "r2", None, None, False)]

    def test_columns_and_quotes(self, tmp_path):
        text = 'id\tyear\tguess\tp\nf1\t1\t"1871"\t 0.25\n'
        columns = {"question": "id", "answer": "guess", "confidence": "p"}
        rows, faults = run(tmp_path, "x.tsv", text, columns=columns, quoted=True)
        assert faults == []
        assert rows == [(2, "x", "f1", "1871", 0.25, True)]
        assert run(tmp_path, "x.tsv", text, columns=columns)[0] == [
            (2, "x", "f1", '"1871"', 0.25, True)
        ]

    def test_other_kinds_of_table(self, tmp_path):
        expected = [(1, "x", "f1", "1871", 0.5, True), (2, "x", "f2", None, None, False)]
        json = (
            '{"question": "f1", "year": 1871, "confidence": 0.5}\n{"question": "f2", '
            '"year": null}\n'
        )
        assert run(tmp_path, "x.jsonl", json) == (expected, [])
        frame = pl.DataFrame(
            {"question": ["f1", "f2"], "year": [1871, None], "confidence": [0.5, None]}
        )
        frame.write_parquet(tmp_path / "x.parquet")
        assert run(tmp_path, "x.parquet", (tmp_path / "x.parquet").read_bytes()) == (expected, [])

    @pytest.mark.parametrize(
        ("header", "expected"),
        [
            ("question\tyear\tlabel", "both a column year and a column label"),
            ("question\tanswer", "neither a column year nor a column label"),
            ("id\tyear", "no column 'question' among 'id', 'year'"),
        ],
    )
    @every_reader
    def test_columns_that_do_not_fit_are_one_fault(self, tmp_path, read, header, expected):
        text = header + "\n" + "\t".join("f1" for _ in header.split()) + "\n"
        frame, faults = read(write(tmp_path, "x.tsv", text), {})
        assert not frame.width
        assert places(faults) == [(1, expected)]

    def test_column_that_is_asked_for_and_not_there_is_a_fault(self, tmp_path):
        text = "question\tyear\nf1\t1871\n"
        expected = [(1, "no column 'guess' among 'question', 'year'")]
        assert run(tmp_path, "x.tsv", text, columns={"answer": "guess"}) == ([], expected)
        assert gold(tmp_path, "x.tsv", text, columns={"answer": "guess"}) == ([], expected)
        _, faults = run(tmp_path, "x.tsv", text, columns={"confidence": "guess"})
        assert faults == expected

    def test_faults_of_a_run(self, tmp_path):
        text = "question\tyear\tconfidence\nf1\t1871\thigh\n\t1871\t1\nf2\t\t0.4\nf3\t1871\nf4\t1871\t0,5\n"
        text += "f1\t1872\t0.5\nf2\t1871\t0.6\nf5\t1871\t1.0\n"
        rows, faults = run(tmp_path, "x.tsv", text)
        assert faults == [
            (2, "the confidence 'high'"),
            (3, "no question"),
            (4, "a confidence without an answer"),
            (5, "2 fields"),
            (6, "the confidence '0,5'"),
        ]
        # A question with a fault is left out altogether: ingest must not also report the sum of its
        # confidences.
        assert rows == [(9, "x", "f5", "1871", 1.0, True)]

    def test_what_ingest_judges_is_read_as_it_stands(self, tmp_path):
        text = "question\tyear\tconfidence\nf1\tMDCCC\t7\nf1\t-3\t-1\nf1\t1871\t1e300\n"
        rows, faults = run(tmp_path, "x.tsv", text)
        assert faults == []
        assert [row[3:5] for row in rows] == [("MDCCC", 7), ("-3", -1), ("1871", 1e300)]

    def test_references(self, tmp_path):
        rows, faults = gold(tmp_path, "gold.tsv", REFERENCE)
        assert faults == []
        assert rows == [(2, "gold", "a1", "t07", "R"), (3, "gold", "a2", "t03", "R")]

    def test_confidence_plays_no_part_in_references(self, tmp_path):
        text = "question\tyear\tconfidence\nf1\t1871\t1\nf2\t1802\t\n"
        rows, faults = gold(tmp_path, "gold.tsv", text)
        assert faults == []
        assert [row[2:] for row in rows] == [("f1", "1871", "R"), ("f2", "1802", "R")]
        assert "confidence" not in DEFT.read_judgments(str(tmp_path / "gold.tsv"), {})[0].columns

    def test_faults_of_references(self, tmp_path):
        rows, faults = gold(
            tmp_path, "gold.tsv", "question\tyear\nf1\t\n\t1871\nf2\t1802\nf3\t  \n"
        )
        assert faults == [(2, "no year or label"), (3, "no question"), (5, "no year or label")]
        assert [row[2] for row in rows] == ["f2"]
