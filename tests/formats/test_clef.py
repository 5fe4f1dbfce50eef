"""The formats of CLEF's tasks: what each file says, and what is wrong with it."""

from collections import Counter
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.error import HTTPError
from urllib.request import urlopen

import polars as pl
import pytest
from hostile_xml import BOMB, ELSEWHERE, FORBIDDEN, UNKNOWN
from nonresponse.ingest import reading
from reading import DATA, judgments, needs, places, runs, values, write

RUN = '<output run_id="r">\n<topic t_id="1"><reading-test r_id="2">\n{}\n</reading-test></topic></output>'
GOLD = '<test-set>\n<topic t_id="1"><reading-test r_id="2">\n{}\n</reading-test></topic></test-set>'

READERS = [(runs, "clef-qa4mre", "qa"), (judgments, "clef-qa4mre", "qa"), (judgments, "ave", "validation")]


class TestXml:
    """What QA4MRE's readers and AVE's have in common."""

    @pytest.mark.parametrize(("read", "format", "task"), READERS)
    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            (BOMB, (3, FORBIDDEN)),
            (ELSEWHERE, (3, FORBIDDEN)),
            ("<output>\n<topic>\n", (3, "broken XML (no element found)")),
            ("<output>\n<topic>\n</output>\n", (3, "broken XML (mismatched tag)")),
            ("hello\n", (1, "broken XML (syntax error)")),
            ("<output>\n&name;</output>\n", (2, "broken XML (undefined entity)")),
            (UNKNOWN, (1, "XML that cannot be read ('unknown encoding: klingon')")),
        ],
        ids=["bomb", "external", "truncated", "crossed", "no XML", "entity", "encoding"],
    )
    def test_faults(self, tmp_path, read, format, task, content, expected):
        frame, faults = read(format, write(tmp_path, "x.xml", content), task)
        assert not frame.height
        assert places(faults) == [expected]

    def test_a_doctype_is_passed_over_and_nothing_is_fetched(self, tmp_path):
        """That of Entrance Exams names a file, others an address; what stands there may be an attack."""
        asked = []

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_error(404)

        (tmp_path / "input.dtd").write_text("<!ENTITY a 'YES'> this is no DTD")
        text = RUN.format('<question q_id="1" answered="YES"><answer a_id="2"/></question>')
        with HTTPServer(("127.0.0.1", 0), Answers) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/"
            for where in ("input.dtd", (tmp_path / "input.dtd").as_uri(), f"{address}input.dtd"):
                said = f'<?xml version="1.0"?>\n<!DOCTYPE output SYSTEM "{where}">\n'
                frame, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", said + text))
                assert places(faults) == [] and frame["answer"].to_list() == ["2"]
                undefined = (said + text).replace('"YES"', '"&a;"')
                assert places(runs("clef-qa4mre", write(tmp_path, "y.xml", undefined))[1])[0][0] == 5
            with pytest.raises(HTTPError):
                urlopen(f"{address}asked-by-the-test", timeout=5)
            server.shutdown()
        assert asked == ["/asked-by-the-test"]

    @pytest.mark.parametrize(("read", "format", "task"), READERS)
    def test_no_question_is_a_fault(self, tmp_path, read, format, task):
        _, faults = read(format, write(tmp_path, "x.xml", "<output>\n</output>"), task)
        assert [line for line, _ in places(faults)] == [0]

    @pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "windows-1251"])
    def test_declared_encodings_are_heeded(self, tmp_path, encoding):
        name = "é" if encoding == "iso-8859-1" else "ж"
        text = f'<?xml version="1.0" encoding="{encoding}"?>\n' + RUN.replace('"r"', f'"{name}"')
        text = text.format('<question q_id="1" answered="NO"/>')
        frame, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", text.encode(encoding)))
        assert places(faults) == []
        assert frame["run"].to_list() == [name]

    def test_faults_before_the_break_are_told_too(self, tmp_path):
        text = '<output>\n<topic t_id="1"><reading-test r_id="1">\n<question q_id="1" answered="MAYBE"/>\n<question'
        _, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", text))
        assert [line for line, _ in places(faults)] == [3, 3, 4]


class TestQa4mre:
    def test_run(self, tmp_path):
        questions = (
            '<question q_id="1" answered="YES"><answer a_id=" 5 "/></question>\n'
            '<question q_id ="2" answered="NO" />\n'
            '<question q_id="3" answered="no">\n<answer a_id="4"/></question>'
        )
        frame, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", RUN.format(questions)))
        assert places(faults) == []
        assert values(frame, "line", "run", "question", "answered", "answer", "candidate") == [
            (3, "r", "1/2/1", True, "5", None),
            (4, "r", "1/2/2", False, None, None),
            (5, "r", "1/2/3", False, None, "4"),
        ]

    def test_a_run_without_an_id_has_the_name_of_its_file(self, tmp_path):
        text = RUN.replace(' run_id="r"', "").format('<question q_id="1" answered="NO"/>')
        assert runs("clef-qa4mre", write(tmp_path, "x.xml", text))[0]["run"].to_list() == ["x"]

    def test_faults_of_a_run(self, tmp_path):
        questions = (
            '<question q_id="1" answered="YES"/>\n'
            '<question answered="NO"/>\n'
            '<question q_id="3"/>\n'
            '<question q_id="4" answered="perhaps"><answer a_id="1"/></question>\n'
            '<question q_id="5" answered="YES"><answer/></question>\n'
            '<question q_id="6" answered="YES"><answer a_id="1"/><answer a_id="2"/></question>\n'
            '<question q_id="7/8" answered="NO"/>\n'
            '</reading-test><question q_id="9" answered="NO"/><answer a_id="1"/>\n'
            '</topic><topic><reading-test r_id="1"><question q_id="1" answered="NO"/>'
        )
        _, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", RUN.format(questions)))
        assert places(faults) == [
            (3, "no <answer>"),
            (4, "<question> without q_id"),
            (5, "<question> without answered"),
            (5, "no <answer>"),
            (6, "answered 'perhaps'"),
            (7, "<answer> without a_id"),
            (8, "a second response for question '1/2/6'"),
            (9, "the q_id '7/8'"),
            (10, "<answer> outside a <question>"),
            (10, "<question> outside a <reading-test>"),
            (11, "<topic> without t_id"),
        ]

    @pytest.mark.parametrize("topic", ["1", "7"], ids=["the same questions", "others"])
    @pytest.mark.parametrize("nested", [False, True], ids=["side by side", "nested"])
    def test_a_second_output_is_no_part_of_the_first(self, tmp_path, topic, nested):
        one = RUN.format('<question q_id="1" answered="NO"/>')
        other = one.replace('"r"', '"s"').replace('t_id="1"', f't_id="{topic}"')
        text = one.replace("</output>", f"{other}</output>") if nested else f"<runs>{one}\n{other}</runs>"
        frame, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", text))
        assert not frame.height
        assert places(faults) == [(4 if nested else 5, "a second <output>")]

    def test_a_second_test_set_is_no_part_of_the_first(self, tmp_path):
        gold = GOLD.format('<q q_id="1"><answer a_id="1" correct="Yes"/></q>')
        text = "<sets>" + gold + gold.replace('t_id="1"', 't_id="2"') + "</sets>"
        _, faults = judgments("clef-qa4mre", write(tmp_path, "gold.xml", text))
        assert places(faults) == [(4, "a second <test-set>")]

    def test_a_topic_outside_the_output_is_no_part_of_it(self, tmp_path):
        text = RUN.format('<question q_id="1" answered="NO"/>').replace(
            '<output run_id="r">', '<runs><output run_id="r"/>'
        )
        _, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", text.replace("</output>", "</runs>")))
        assert places(faults) == [(2, "<topic> outside an <output>")]

    def test_a_question_that_comes_twice(self, tmp_path):
        """In a run its answers are two responses; in the gold standard they would be the answers of one question."""
        again = '</reading-test></topic>\n<topic t_id="1"><reading-test r_id="2">'
        inside = (
            f'<question q_id="1" answered="NO"/>{again}<question q_id="1" answered="YES"><answer a_id="1"/></question>'
        )
        _, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", RUN.format(inside)))
        assert places(faults) == [(4, "a second response for question '1/2/1'")]
        inside = '<q q_id="1"><answer a_id="1" correct="Yes"/></q>{}<q q_id="1"><answer a_id="2" correct="Yes"/></q>'
        for between, line in (("", 3), (again, 4)):
            _, faults = judgments("clef-qa4mre", write(tmp_path, "gold.xml", GOLD.format(inside.format(between))))
            assert places(faults) == [(line, "a second <q> with the id '1/2/1'")]

    def test_the_gold_standard_of_entrance_exams(self, tmp_path):
        """It has <question> for <q>."""
        doctype = '<!DOCTYPE test-set SYSTEM "input.dtd">\n'
        text = '<question q_id="1"><answer a_id="1">a</answer><answer a_id="2" correct="Yes">b</answer></question>'
        frame, faults = judgments("clef-qa4mre", write(tmp_path, "gold.xml", doctype + GOLD.format(text)))
        assert places(faults) == []
        assert values(frame, "question", "answer", "label") == [("1/2/1", "1", "W"), ("1/2/1", "2", "R")]

    def test_what_the_gold_standard_says_of_the_questions(self, tmp_path):
        """Topic, reading test and number of options; not where a file of questions says otherwise."""
        many = "".join(f'<answer a_id="{a}" correct="{"Yes" if a == 1 else "No"}"/>' for a in range(1, 6))
        text = f'<q q_id="1">{many}</q><q q_id="2"><answer a_id="1" correct="Yes"/></q>'
        frame, _ = judgments("clef-qa4mre", write(tmp_path, "gold.xml", GOLD.format(text)))
        asked = reading.with_format(reading.questions_judged(frame), frame, "clef-qa4mre")
        assert values(asked, "question", "category", "cluster", "options") == [
            ("1/2/1", "1", "1/2", 5),
            ("1/2/2", "1", "1/2", None),
        ]
        own = asked.with_columns(category=pl.lit("biology"), cluster=pl.lit("x"), options=pl.lit(4, pl.Int64))
        assert reading.with_format(own, frame, "clef-qa4mre").equals(own)

    def test_gold_standard(self, tmp_path):
        text = GOLD.format(
            "<q  q_id=\"1\" >\n<answer a_id='1' >x</answer>\n<answer a_id='2'  correct=\"YES\">y</answer></q>\n"
            '<q q_id="2"><answer a_id="1" correct=" yes ">x</answer>\n<answer a_id="2" correct="No"/></q>'
        )
        frame, faults = judgments("clef-qa4mre", write(tmp_path, "gold.xml", text))
        assert places(faults) == []
        assert values(frame, "line", "assessor", "question", "answer", "label") == [
            (4, "gold", "1/2/1", "1", "W"),
            (5, "gold", "1/2/1", "2", "R"),
            (6, "gold", "1/2/2", "1", "R"),
            (7, "gold", "1/2/2", "2", "W"),
        ]

    def test_faults_of_the_gold_standard(self, tmp_path):
        text = GOLD.format(
            '<q q_id="1"><answer a_id="1" correct="Yse"/></q>\n'
            '<q q_id="2"><answer a_id="1" correct="Yes"/><answer correct="No"/></q>\n'
            '<q q_id="3"><answer a_id="1" correct="Yes"/><answer a_id="1"/></q>\n'
            '<q><answer a_id="1" correct="Yes"/></q>\n'
            '</reading-test><reading-test><q q_id="1"><answer a_id="1" correct="Yes"/></q>'
        )
        _, faults = judgments("clef-qa4mre", write(tmp_path, "gold.xml", text))
        assert places(faults) == [
            (3, "correct 'Yse'"),
            (3, "no right answer to the question"),
            (4, "<answer> without a_id"),
            (5, "the label 'W' for an answer that has another on an earlier line"),
            (6, "<q> without q_id"),
            (7, "<reading-test> without r_id"),
        ]

    @pytest.mark.parametrize(
        ("name", "questions"),
        [("QA4MRE-2013-EN_GS", 100), ("QA4MRE-2012_BIOMEDICAL_GS", 40), ("QA4MRE-2013-sample_GS", 10)],
    )
    @needs("clef")
    def test_real_gold_standards_have_one_right_option_of_five(self, name, questions):
        frame, faults = judgments("clef-qa4mre", str(DATA / f"clef/{name}.xml"))
        assert places(faults) == []
        labels = {}
        for question, label in values(frame, "question", "label"):
            labels.setdefault(question, []).append(label)
        assert len(labels) == questions
        assert {tuple(sorted(each)) for each in labels.values()} == {("R", "W", "W", "W", "W")}

    @needs("clef")
    def test_real_test_set_is_no_gold_standard(self):
        _, faults = judgments("clef-qa4mre", str(DATA / "clef/QA4MRE-2013-EN_alzheimer_test.xml"))
        assert places(faults) == [(0, "no right answer to any question")]

    @needs("clef")
    def test_real_run(self):
        """It gives all its reading tests the id 1, so that its questions collide: each is told once, with its line."""
        frame, faults = runs("clef-qa4mre", str(DATA / "clef/oaqa_2013_run_101301enen_output.xml"))
        assert set(frame["run"]) == {"101301enen"}
        assert Counter(frame["answered"]) == {True: 92, False: 8}
        assert frame["question"].n_unique() == 17
        assert {found.split(" for ")[0] for _, found in places(faults)} == {"a second response"}
        assert len(faults) == 100 - 17


class TestRespubliqa:
    HEADER = "question\tstatus\tparagraph\ttext\n"

    def test_run(self, tmp_path):
        text = self.HEADER + "q1\tANSWERED\tp1\tthe text\nq2\tnoa\tp2\twithheld\nq3\tNOA\tp3\t\nq4\tNOA\t\t\n"
        frame, faults = runs("clef-respubliqa", write(tmp_path, "x.tsv", text))
        assert places(faults) == []
        assert values(frame, "run", "question", "answered", "document", "answer", "candidate") == [
            ("x", "q1", True, "p1", "the text", None),
            ("x", "q2", False, "p2", None, "withheld"),
            ("x", "q3", False, "p3", None, "p3"),
            ("x", "q4", False, None, None, None),
        ]

    def test_the_text_may_be_left_out_and_columns_renamed(self, tmp_path):
        file = write(tmp_path, "x.tsv", "question\tstatus\tpid\nq1\tANSWERED\tp1\n")
        frame, faults = runs("clef-respubliqa", file, columns={"paragraph": "pid"})
        assert places(faults) == []
        assert values(frame, "document", "answer") == [("p1", None)]

    def test_faults_of_a_run(self, tmp_path):
        text = self.HEADER + "q1\tANSWERED\t\t\nq2\tMAYBE\tp\t\n\tNOA\tp\t\nq3\t\tp\t\nq4\tNOA\t\t\nq4\tNOA\t\t\n"
        _, faults = runs("clef-respubliqa", write(tmp_path, "x.tsv", text))
        assert places(faults) == [
            (2, "no paragraph"),
            (3, "the status 'MAYBE'"),
            (4, "no question"),
            (5, "no status"),
            (7, "a second response for question 'q4'"),
        ]
        _, faults = runs("clef-respubliqa", write(tmp_path, "y.tsv", "question\tstatus\nq1\tNOA\n"))
        assert places(faults) == [(1, "no column 'paragraph' among 'question', 'status'")]
        _, faults = runs("clef-respubliqa", write(tmp_path, "z.tsv", self.HEADER + "q1\tNOA\nq2\n"))
        assert places(faults) == [(2, "2 fields"), (3, "1 fields")]

    def test_judgments(self, tmp_path):
        text = "run\tquestion\tparagraph\tjudgment\na\tq1\tp1\tR\nb\tq1\tp1\tw\n"
        frame, faults = judgments("clef-respubliqa", write(tmp_path, "x.tsv", text))
        assert places(faults) == []
        assert values(frame, "assessor", "run", "question", "document", "answer", "label") == [
            ("x", "a", "q1", "p1", None, "R"),
            ("x", "b", "q1", "p1", None, "W"),
        ]
        text += "a\tq1\tp1\tW\na\tq2\tp1\tZ\na\tq2\t\tR\n"
        _, faults = judgments("clef-respubliqa", write(tmp_path, "y.tsv", text))
        assert places(faults) == [
            (4, "the label 'W' for an answer that has another on an earlier line"),
            (5, "the label 'Z'"),
            (6, "no paragraph"),
        ]


class TestAve:
    def test_run(self, tmp_path):
        frame, faults = runs(
            "ave", write(tmp_path, "x.txt", "1 1 SELECTED 0.9\n1 2\tRejected 0\n2 1 VALIDATED\n"), "validation"
        )
        assert places(faults) == []
        assert values(frame, "run", "question", "candidate", "answer", "answered", "score", "confidence") == [
            ("x", "1", "1", "SELECTED", True, 0.9, 0.9),
            ("x", "1", "2", "REJECTED", True, 0.0, 0.0),
            ("x", "2", "1", "VALIDATED", True, None, None),
        ]
        frame, faults = runs("ave", write(tmp_path, "y.txt", "1 1 SELECTED -7.5\n1 2 REJECTED 0.5\n"), "validation")
        assert places(faults) == []
        assert values(frame, "score", "confidence") == [(-7.5, None), (0.5, None)]

    def test_faults_of_a_run(self, tmp_path):
        text = "1 1 SELECTED\n1 2 SELECTED\n2 1 MAYBE\n2 2 REJECTED high\n"
        text += "2 3\n2 4 REJECTED 1 2\n2 5 REJECTED\n2 5 REJECTED\n"
        _, faults = runs("ave", write(tmp_path, "x.txt", text), "validation")
        assert places(faults) == [
            (2, "a second SELECTED for question '1'"),
            (3, "the decision 'MAYBE'"),
            (4, "the score 'high'"),
            (5, "2 fields"),
            (6, "5 fields"),
            (8, "a second response for question '2'"),
        ]

    def test_a_question_that_comes_twice_in_the_gold_standard(self, tmp_path):
        text = '<set>\n<q id="1"><a id="1" value="YES"/></q>\n<q id=" 1 "><a id="2" value="NO"/></q></set>'
        _, faults = judgments("ave", write(tmp_path, "gold.xml", text), "validation")
        assert places(faults) == [(3, "a second <q> with the id '1'")]

    def test_gold_standard(self, tmp_path):
        text = (
            '<set>\n<q id="1"><q_str>Who?</q_str>\n<a id="1" value="YES"><t_str doc="D">…</t_str></a>\n'
            '<a id="2" value="no"/></q>\n<q id="2"><a id="1" value="UNKNOWN"/></q></set>'
        )
        from_xml, faults = judgments("ave", write(tmp_path, "gold.xml", text), "validation")
        assert places(faults) == []
        from_lines, faults = judgments(
            "ave", write(tmp_path, "gold.txt", "1 1 YES\n1\t2\tno\n2 1 UNKNOWN"), "validation"
        )
        assert places(faults) == []
        columns = ["assessor", "question", "candidate", "label"]
        expected = [("gold", "1", "1", "YES"), ("gold", "1", "2", "NO"), ("gold", "2", "1", "UNKNOWN")]
        assert values(from_xml, *columns) == values(from_lines, *columns) == expected
        assert values(from_xml, "line") == [(3,), (4,), (5,)]

    def test_faults_of_the_gold_standard(self, tmp_path):
        text = '<set>\n<q id="1"><a value="YES"/>\n<a id="2" value=""/>\n<a id="3" value="MAYBE"/></q>\n'
        text += '<a id="4" value="NO"/></set>'
        _, faults = judgments("ave", write(tmp_path, "gold.xml", text), "validation")
        assert places(faults) == [
            (2, "<a> without id"),
            (3, "<a> without value"),
            (4, "the label 'MAYBE'"),
            (5, "<a> outside a <q>"),
        ]
        _, faults = judgments("ave", write(tmp_path, "gold.txt", "1 1 YES\n1 2\n1 1 NO\n1 3 Y N\n"), "validation")
        assert places(faults) == [
            (2, "2 fields"),
            (3, "the label 'NO' for an answer that has another on an earlier line"),
            (4, "4 fields"),
        ]
