"""The format of DEFT 2011's two tasks in XML: what its reader makes of it, and what is wrong with
it."""

import pytest
from deft_files import REFERENCE, RUN, documents, every_reader, gold, run
from reading import places, write


class TestXml:
    def test_run(self, tmp_path):
        assert run(tmp_path, "x.xml", RUN[1]) == (
            [
                (2, "x", "f1", "1871", 0.7, True),
                (3, "x", "f1", "1874", 0.3, True),
                (4, "x", "f2", None, None, False),
                (5, "x", "f3", "1802", None, True),
            ],
            [],
        )

    def test_hypotheses_on_one_line_keep_their_order(self, tmp_path):
        years = [str(1801 + (7 * i) % 144) for i in range(144)]
        inside = "".join(f'<hypothesis year="{year}" confidence=".5"/>' for year in years)
        rows, faults = run(tmp_path, "x.xml", documents(f'<doc id="f1">{inside}</doc>'))
        assert faults == []
        assert [row[3] for row in rows] == years

    def test_any_root_and_other_elements_and_attributes_are_passed_over(self, tmp_path):
        text = (
            '<résultats équipe="1"><lot><doc n="1" id=" r1 "><texte>La Nuit</texte>\n'
            '<hypothesis label=" t07 " confidence=" 1.0 " rank="1">because</hypothesis></doc>\n'
            '<doc id="r2"><hypothesis label="  "/></doc><doc id="r3"><hypothesis label="t1" '
            'confidence=""/></doc></lot>'
            "<note/></résultats>"
        )
        rows, faults = run(tmp_path, "x.xml", text)
        assert faults == []
        assert rows == [
            (2, "x", "r1", "t07", 1.0, True),
            (3, "x", "r2", None, None, False),
            (3, "x", "r3", "t1", None, True),
        ]

    @pytest.mark.parametrize(
        "text",
        [
            '<d><run><doc id="f1"/></run>\n<run><doc id="f2"/>\n</run></d>',
            '<d><doc id="f1">\n<doc id="f2"/></doc></d>',
            '<d><lot><doc id="f1"/></lot>\n<doc id="f2"/></d>',
        ],
        ids=["two runs", "nested", "astray"],
    )
    @every_reader
    def test_documents_in_several_places_are_no_one_run(self, tmp_path, read, text):
        faults = places(read(write(tmp_path, "x.xml", text), {})[1])
        assert (2, "a <doc> elsewhere than the first one") in faults

    def test_faults_of_a_run(self, tmp_path):
        inside = (
            '<doc id="f1"><hypothesis year="1871" confidence="high"/><hypothesis year="1872" '
            'confidence="0.5"/></doc>\n'
            '<doc><hypothesis year="1871"/></doc>\n'
            '<doc id=" "/>\n'
            '<doc id="f2"><hypothesis year="1871" label="t1"/></doc>\n'
            '<doc id="f3"><hypothesis confidence="1_0"/></doc>\n'
            '<doc id="f4"><hypothesis year="" confidence="0.4"/>\n<hypothesis year="1871" '
            'confidence="0.6"/></doc>\n'
            '<doc id="f5"><hypotheses><hypothesis year="1871"/></hypotheses></doc>\n'
            '<hypothesis year="1871"/>\n'
            '<doc id="f6"><hypothesis year="1871"/></doc>\n'
            '<doc id="f6"><hypothesis year="1872" confidence="x"/></doc>\n'
            '<doc id="f7"><hypothesis confidence="0.4"/></doc>'
        )
        rows, faults = run(tmp_path, "x.xml", documents(inside))
        assert faults == [
            (2, "the confidence 'high'"),
            (3, "<doc> without id"),
            (4, "<doc> without id"),
            (5, "<hypothesis> with both year and label"),
            (6, "<hypothesis> with neither year nor label"),
            (6, "the confidence '1_0'"),
            (7, "a confidence without an answer"),
            (9, "<hypothesis> outside a <doc>"),
            (10, "<hypothesis> outside a <doc>"),
            (12, "a second <doc> with the id 'f6'"),
            (12, "the confidence 'x'"),
            (13, "<hypothesis> with neither year nor label"),
        ]
        # A question with a fault is left out altogether: ingest must not also report the sum of its
        # confidences.
        assert [row[:4] for row in rows] == [(9, "x", "f5", None)]

    def test_references(self, tmp_path):
        rows, faults = gold(
            tmp_path, "gold.xml", REFERENCE[1].replace('"t03"', '"t03" confidence="1"')
        )
        assert faults == []
        assert rows == [(2, "gold", "a1", "t07", "R"), (3, "gold", "a2", "t03", "R")]

    def test_faults_of_references(self, tmp_path):
        inside = (
            '<doc id="f1"/>\n<doc id="f2"><hypothesis year=""/></doc>\n<doc '
            'id="f3"><hypothesis year="1802"/></doc>\n'
            '<doc id="f3"><hypothesis year="1803"/></doc>\n<doc id="f4"><hypothesis '
            'confidence="x"/></doc>\n'
            '<doc id="f5"><hypothesis year="1804" confidence="x"/></doc>'
        )
        rows, faults = gold(tmp_path, "gold.xml", documents(inside))
        assert faults == [
            (2, "no year or label"),
            (3, "no year or label"),
            (5, "a second <doc> with the id 'f3'"),
            (6, "<hypothesis> with neither year nor label"),
            (6, "the confidence 'x'"),
            (7, "the confidence 'x'"),
        ]
        # A question with an answer stays: if it were missing, a run's answer to it would be a fault
        # as well.
        assert [row[2:4] for row in rows] == [("f3", "1802"), ("f3", "1803"), ("f5", "1804")]

    def test_a_document_that_the_file_breaks_off_in_is_left_out(self, tmp_path):
        """Some of its hypotheses may be missing: that confidences do not sum to 1 must not be
        reported in addition."""
        rows, faults = run(tmp_path, "x.xml", RUN[1][: RUN[1].index('<hypothesis year="1802')])
        assert faults == [(5, "broken XML (no element found)")]
        assert [row[:4] for row in rows] == [
            (2, "x", "f1", "1871"),
            (3, "x", "f1", "1874"),
            (4, "x", "f2", None),
        ]
