"""The formats of TREC, PAN and ROMIP: what each file says, and what is wrong with it."""

import gzip

import pytest
from reading import judgments, places, runs, values, write


class TestTrecQa:
    RANKED = (
        "201 Q0 LA1-0001 1 3.5 runA the  first\tman\n"
        "201 Q0 LA1-0002 2 1e1 runA Gagarin\n"
        "202 Q0 NIL 1 -2 runA\n"
        "202 Q0 FT9-1 2 .5 runA 12 April 1961\n"
    )

    def test_ranked(self, tmp_path):
        frame, faults = runs("trec-qa", write(tmp_path, "x.txt", self.RANKED))
        assert places(faults) == []
        assert values(frame, "run", "question", "rank", "document", "answer", "score", "nil") == [
            ("runA", "201", 1, "LA1-0001", "the first man", 3.5, False),
            ("runA", "201", 2, "LA1-0002", "Gagarin", 10.0, False),
            ("runA", "202", 1, None, None, -2.0, True),
            ("runA", "202", 2, "FT9-1", "12 April 1961", 0.5, False),
        ]
        assert frame["answered"].all()
        assert frame["position"].null_count() == frame["confidence"].null_count() == 4

    def test_scores_are_confidences_where_all_lie_between_0_and_1(self, tmp_path):
        text = "1 D1 1 0 r a\n2 D2 1 1.0 r b\n3 D3 1 0.25 r c\n"
        frame, _ = runs("trec-qa", write(tmp_path, "a.txt", text))
        assert frame["confidence"].to_list() == frame["score"].to_list() == [0.0, 1.0, 0.25]
        frame, _ = runs("trec-qa", write(tmp_path, "b.txt", text.replace("1.0", "1.01")))
        assert frame["confidence"].null_count() == 3

    def test_ordered(self, tmp_path):
        text = "1394 runA NYT1 in  the 1950s\n1680 runA NIL\n1395 runA APW7 7 2.5 yards off\n1396 runA NIL no answer\n"
        frame, faults = runs("trec-qa", write(tmp_path, "x.txt", text))
        assert places(faults) == []
        assert values(frame, "run", "question", "rank", "document", "answer", "position", "nil") == [
            ("runA", "1394", 1, "NYT1", "in the 1950s", 1, False),
            ("runA", "1680", 1, None, None, 2, True),
            ("runA", "1395", 1, "APW7", "7 2.5 yards off", 3, False),
            ("runA", "1396", 1, None, None, 4, True),
        ]
        assert frame["score"].null_count() == frame["confidence"].null_count() == 4

    def test_layout_option_overrides_the_look(self, tmp_path):
        file = write(tmp_path, "x.txt", "1 tag 7 2 m tall\n2 tag 8 4 m wide\n1 D 1 0.5 tag m\n")
        assert runs("trec-qa", file, layout="ordered")[0]["answer"][0] == "2 m tall"
        file = write(tmp_path, "y.txt", "1 tag 7 2 m tall\n2 tag 8 4 m wide\n")  # numbers where a ranked file has them
        assert runs("trec-qa", file)[0]["run"].to_list() == ["m", "m"]
        assert runs("trec-qa", file, layout="ordered")[0]["run"].to_list() == ["tag", "tag"]

    def test_all_faults_of_a_ranked_run(self, tmp_path):
        bad = "203 Q0 FT9 one 0.5 runA x\n203 Q0 FT9 1 high runA x\n204 Q0 FT9 1 0.5 runA\n"
        bad += "205 Q0 FT9\n206 Q0 F 1 1 runB x\n"
        _, faults = runs("trec-qa", write(tmp_path, "x.txt", self.RANKED + "\n" + bad))
        assert places(faults) == [
            (6, "the rank 'one'"),
            (7, "the score 'high'"),
            (8, "no answer string"),
            (9, "3 fields"),
            (10, "the tag 'runB' after 'runA'"),
        ]

    def test_faults_of_an_ordered_run(self, tmp_path):
        text = "1 r D1 a\n2 r\n3 r D3\n4 s D4 d\n4 r D4 d\n5 r D5 1\n"
        _, faults = runs("trec-qa", write(tmp_path, "x.txt", text))
        assert places(faults) == [
            (2, "2 fields"),
            (3, "no answer string"),
            (4, "the tag 's' after 'r'"),
        ]
        _, faults = runs("trec-qa", write(tmp_path, "y.txt", "1 r D1 a\n1 r D2 b\n"))
        assert places(faults) == [(2, "a second response for question '1'")]

    def test_rank_0_and_a_score_beyond_all_floats(self, tmp_path):
        text = "1 D1 0 0.5 r a\n1 D1 1 0.5 r a\n2 D2 1 1e999 r a\n3 D2 99999999999 1 r a\n"
        _, faults = runs("trec-qa", write(tmp_path, "x.txt", text))
        assert places(faults) == [(1, "the rank 0"), (3, "the score '1e999'"), (4, "the rank '99999999999'")]

    def test_judgments(self, tmp_path):
        text = "1 D1 1 in  1950\n1 D1 -1 1951\n1 D2 2 in 1950\n1 D3 3 1950s\n"
        text += "2 NIL 1\n2 D4 w no\n2 D4 X a b c\n2 NIL -1 x\n"
        frame, faults = judgments("trec-qa", write(tmp_path, "nist.txt", text))
        assert places(faults) == []
        assert set(frame["assessor"]) == {"nist"}
        assert values(frame, "question", "document", "answer", "label", "run") == [
            ("1", "D1", "in 1950", "R", None),
            ("1", "D1", "1951", "W", None),
            ("1", "D2", "in 1950", "U", None),
            ("1", "D3", "1950s", "X", None),
            ("2", "NIL", "NIL", "W", None),  # says that the question was asked
            ("2", "D4", "no", "W", None),
            ("2", "D4", "a b c", "X", None),
            ("2", "NIL", "NIL", "W", None),
        ]

    def test_faults_of_judgments(self, tmp_path):
        text = "1 D1 1 a\n1 D1\n1 D1 1\n1 D2 4 b\n1 D3 maybe c\n1 D1 -1 a\n"
        _, faults = judgments("trec-qa", write(tmp_path, "nist.txt", text))
        assert places(faults) == [
            (2, "2 fields"),
            (3, "3 fields"),
            (4, "the label '4'"),
            (5, "the label 'MAYBE'"),
            (6, "the label 'W' for an answer that has another on an earlier line"),
        ]


class TestPan:
    def test_run(self, tmp_path):
        values_of = ["0.75", "0.25", "0.5", "[1.0]", "null", "0", "0.5000000000000001"]
        lines = [f'{{"id": "p{i}", "value": {value}, "more": [1, 2]}}' for i, value in enumerate(values_of)]
        lines.append('{"id": "p7"}')
        frame, faults = runs("pan", write(tmp_path, "run.jsonl", "\n".join(lines)), "validation")
        assert places(faults) == []
        assert values(frame, "run", "question", "candidate", "answer", "answered", "score", "confidence") == [
            ("run", "p0", None, "VALIDATED", True, 0.75, 0.5),
            ("run", "p1", None, "REJECTED", True, 0.25, 0.5),
            ("run", "p2", None, None, False, 0.5, 0.0),
            ("run", "p3", None, "VALIDATED", True, 1.0, 1.0),
            ("run", "p4", None, None, False, None, None),
            ("run", "p5", None, "REJECTED", True, 0.0, 1.0),
            ("run", "p6", None, "VALIDATED", True, 0.5000000000000001, 2.220446049250313e-16),
            ("run", "p7", None, None, False, None, None),
        ]

    @pytest.mark.parametrize("name", ["team7/answers.jsonl", "team7/answers.jsonl.gz", "team7.jsonl"])
    def test_a_file_called_answers_is_named_by_its_folder(self, tmp_path, name):
        text = b'{"id": "a", "value": 1}'
        file = write(tmp_path, name, gzip.compress(text) if name.endswith("gz") else text)
        assert runs("pan", file, "validation")[0]["run"].to_list() == ["team7"]

    def test_faults_of_a_run(self, tmp_path):
        lines = [
            '{"id": "a", "value": 1.5}',
            '{"id": "b", "value": "high"}',
            '{"id": "c", "value": [0.1, 0.2]}',
            '{"id": "d", "value": NaN}',
            '{"id": "e", "value": true}',
            '{"id": "f", "value": 0.1',
            '{"value": 0.1}',
            '["g", 0.1]',
            '{"id": "h", "value": 0.1}',
            '{"id": "h", "value": 0.1}',
        ]
        _, faults = runs("pan", write(tmp_path, "run.jsonl", "\n".join(lines)), "validation")
        assert [line for line, _ in places(faults)] == [1, 2, 3, 4, 5, 6, 7, 8, 10]
        assert places(faults)[0] == (1, "the value 1.5")

    def test_truth(self, tmp_path):
        file = write(tmp_path, "truth.jsonl", '{"id": "a", "same": true}\n{"id": "b", "same": false, "authors": []}\n')
        frame, faults = judgments("pan", file, "validation")
        assert places(faults) == []
        assert values(frame, "assessor", "question", "candidate", "label") == [
            ("truth", "a", None, "YES"),
            ("truth", "b", None, "NO"),
        ]

    def test_truth_of_two_texts(self, tmp_path):
        """As PAN 2024 asked: which of two texts did a human write?"""
        said = ["[true, false]", "[false, true]", "[0, 1]", "1", "[true, true]", "[true]"]
        lines = [f'{{"id": "p{i}", "is_human": {value}}}' for i, value in enumerate(said)]
        frame, faults = judgments("pan", write(tmp_path, "t.jsonl", "\n".join(lines)), "validation")
        assert frame["label"].to_list() == ["NO", "YES", "YES", "YES", "YES"]
        assert places(faults) == [(5, "`is_human` '[true, true]'")]

    def test_faults_of_the_truth(self, tmp_path):
        lines = ['{"id": "a", "same": 1}', '{"id": "b"}', '{"same": true}', '{"id": "c", "same": true}']
        lines.append('{"id": "c", "same": false}')
        _, faults = judgments("pan", write(tmp_path, "t.jsonl", "\n".join(lines)), "validation")
        assert places(faults) == [
            (1, "`same` '1'"),
            (2, "no `same`"),
            (3, "no question"),
            (5, "the label 'NO' for an answer that has another on an earlier line"),
        ]


class TestRomip:
    HEADER = "question\trank\tkind\tanswer\tdocument\n"

    def test_run(self, tmp_path):
        text = self.HEADER + "q1\t1\tshort\t1961\td1\nq1\t2\tLong\tin April 1961\t\nq2\t\tnone\t\t\n"
        frame, faults = runs("romip", write(tmp_path, "x.tsv", text))
        assert places(faults) == []
        assert values(frame, "run", "question", "rank", "answered", "answer", "document", "fragment") == [
            ("x", "q1", 1, True, "1961", "d1", False),
            ("x", "q1", 2, True, "in April 1961", None, True),
            ("x", "q2", 1, False, None, None, None),
        ]

    def test_faults_of_a_run(self, tmp_path):
        rows = [
            "q1\tone\tshort\ta\t",
            "q1\t\tlong\ta\t",
            "q2\t1\tmiddling\ta\t",
            "q3\t1\tshort\t\t",
            "q4\t1\tnone\ta\t",
        ]
        rows += ["q5\t0\tshort\ta\t", "q6\t1\tshort\ta\t", "q6\t\tnone\t\t", "q7\t2\tlong\ta\t"]
        _, faults = runs("romip", write(tmp_path, "x.tsv", self.HEADER + "\n".join(rows)))
        assert [place for place in places(faults) if "second" not in place[1]] == [
            (2, "the rank 'one'"),
            (3, "no rank"),
            (4, "the kind 'middling'"),
            (5, "no answer"),
            (6, "an answer of the kind none"),
            (7, "the rank 0"),
            (10, "no answer of rank 1 to question 'q7'"),
        ]
        assert (9, "a second response for question 'q6'") in places(faults)
        _, faults = runs("romip", write(tmp_path, "y.tsv", "question\tkind\nq1\tnone\n"))
        assert len(places(faults)) == 2  # no rank, no answer

    def test_judgments(self, tmp_path):
        text = "question\tanswer\tlabel\nq1\t1961\tGood\nq1\tApril\tpartial\nq1\t1961\tbad\nq2\tx\tnice\nq2\t\tgood\n"
        frame, faults = judgments("romip", write(tmp_path, "ann.tsv", text))
        assert values(frame, "assessor", "question", "answer", "document", "label")[:2] == [
            ("ann", "q1", "1961", None, "good"),
            ("ann", "q1", "April", None, "partial"),
        ]
        assert places(faults) == [
            (4, "the label 'bad' for an answer that has another on an earlier line"),
            (5, "the label 'nice'"),
            (6, "no answer"),
        ]
