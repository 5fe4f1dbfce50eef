"""Test the formats of shared tasks (TREC, PAN, ROMIP, CLEF): rows and faults of each file."""

import gzip
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

import polars as pl
import pytest
from hostile_xml import BOMB, ELSEWHERE, FORBIDDEN, UNKNOWN
from nonresponse.ingest import reading
from reading import DATA, judgments, locate_faults, needs, runs, values, write

RUN = (
    '<output run_id="r">\n<topic t_id="1"><reading-test '
    'r_id="2">\n{}\n</reading-test></topic></output>'
)
GOLD = '<test-set>\n<topic t_id="1"><reading-test r_id="2">\n{}\n</reading-test></topic></test-set>'
UNANSWERED_RUN = RUN.format('<question q_id="1" answered="NO"/>')
OTHER_RUN = UNANSWERED_RUN.replace('"r"', '"s"').replace('t_id="1"', 't_id="7"')
RIGHT = '<q q_id="1"><answer a_id="1" correct="Yes"/></q>'
READERS = [(runs, "clef-qa4mre"), (judgments, "clef-qa4mre")]
CONTRADICTS = "for an answer that has another on an earlier line"


class File(NamedTuple):
    """A file of a format, the columns that are looked at with their rows, and the faults."""

    read: Callable
    format: str
    text: str
    columns: str
    rows: list[tuple]
    faults: list[tuple]
    options: dict
    name: str


def make_run(
    format: str, text: str, columns="", rows=(), faults=(), options=None, name="x"
) -> File:
    return File(runs, format, text, columns, [*rows], [*faults], options or {}, name)


def make_gold(format: str, text: str, columns="", rows=(), faults=(), options=None) -> File:
    return File(judgments, format, text, columns, [*rows], [*faults], options or {}, "gold")


def lines(*texts: str) -> str:
    return "\n".join(texts) + "\n"


ENDINGS = {"trec-qa": "txt", "pan": "jsonl", "clef-qa4mre": "xml"}  # others are tables
RANKED = lines(
    "201 Q0 LA1-0001 1 3.5 runA the  first\tman",
    "201 Q0 LA1-0002 2 1e1 runA Gagarin",
    "202 Q0 NIL 1 -2 runA",
    "202 Q0 FT9-1 2 .5 runA 12 April 1961",
)
LIKE_RANKED = "1 tag 7 2 m tall\n2 tag 8 4 m wide\n"  # numbers where a ranked file has them
SCORES = "1 D1 1 0 r a\n2 D2 1 1.0 r b\n3 D3 1 0.25 r c\n"
PAN_VALUES = ["0.75", "0.25", "0.5", "[1.0]", "null", "0", "0.5000000000000001"]
IS_HUMAN = ["[true, false]", "[false, true]", "[0, 1]", "1", "[true, true]", "[true]"]
RESPUBLIQA = "question\tstatus\tparagraph\ttext\n"
ROMIP = "question\trank\tkind\tanswer\tdocument\n"
DEFT = "question\tyear\tconfidence\nf1\t1871\t0.7\nf2\t\t\nf1\t1874\t0.3\nf3\t1802\t\n"
TASK = {"pan": "validation", "deft": "dating"}
TREC_FAULTS = "run question rank document answer score position nil"
PAIR_FAULTS = "run question candidate answer answered score confidence"
CLEF_FAULTS = "run question answered document answer candidate"
FILES = {
    "trec: a ranked run": make_run(
        *("trec-qa", RANKED, f"{TREC_FAULTS} answered confidence"),
        [
            ("runA", "201", 1, "LA1-0001", "the first man", 3.5, None, False, True, None),
            ("runA", "201", 2, "LA1-0002", "Gagarin", 10.0, None, False, True, None),
            ("runA", "202", 1, None, None, -2.0, None, True, True, None),
            ("runA", "202", 2, "FT9-1", "12 April 1961", 0.5, None, False, True, None),
        ],
    ),
    "trec: scores from 0 to 1 are confidences": make_run(
        *("trec-qa", SCORES, "score confidence", [(0.0, 0.0), (1.0, 1.0), (0.25, 0.25)])
    ),
    "trec: an ordered run": make_run(
        "trec-qa",
        lines("1394 runA NYT1 in  the 1950s", "1680 runA NIL", "1395 runA APW7 7 2.5 yards off"),
        f"{TREC_FAULTS} confidence",
        [
            ("runA", "1394", 1, "NYT1", "in the 1950s", None, 1, False, None),
            ("runA", "1680", 1, None, None, None, 2, True, None),
            ("runA", "1395", 1, "APW7", "7 2.5 yards off", None, 3, False, None),
        ],
    ),
    "trec: the layout by what most lines look like": make_run(
        *("trec-qa", LIKE_RANKED, "run", [("m",), ("m",)]),
        [(number, f"no answer of rank 1 to question '{number}'") for number in (1, 2)],
    ),
    "trec: the layout by the option": make_run(
        *("trec-qa", LIKE_RANKED, "run answer", [("tag", "2 m tall"), ("tag", "4 m wide")]),
        options={"layout": "ordered"},
    ),
    "trec: faults of a ranked run": make_run(
        "trec-qa",
        RANKED
        + lines(
            *("", "203 Q0 FT9 one 0.5 runA x", "203 Q0 FT9 1 high runA x", "204 Q0 FT9 1 0.5 runA"),
            *("205 Q0 FT9", "206 Q0 F 1 1 runB x"),
        ),
        faults=[
            *((6, "the rank 'one'"), (7, "the score 'high'"), (8, "no answer string")),
            *((9, "3 fields"), (10, "the tag 'runB' after 'runA'")),
        ],
    ),
    "trec: judgments": make_gold(
        "trec-qa",
        lines(
            *("1 D1 1 in  1950", "1 D1 -1 1951", "1 D2 2 in 1950", "1 D3 3 1950s"),
            *("2 NIL 1", "2 D4 w no", "2 D4 X a b c", "2 NIL -1 x"),
        ),
        "assessor question document answer label run",
        [
            ("gold", "1", "D1", "in 1950", "R", None),
            ("gold", "1", "D1", "1951", "W", None),
            ("gold", "1", "D2", "in 1950", "U", None),
            ("gold", "1", "D3", "1950s", "X", None),
            ("gold", "2", "NIL", "NIL", "W", None),  # says that the question was asked
            ("gold", "2", "D4", "no", "W", None),
            ("gold", "2", "D4", "a b c", "X", None),
            ("gold", "2", "NIL", "NIL", "W", None),
        ],
    ),
    "trec: faults of judgments": make_gold(
        *("trec-qa", lines("1 D1 1 a", "1 D1", "1 D1 1", "1 D2 4 b", "1 D3 maybe c", "1 D1 -1 a")),
        faults=[
            *((2, "2 fields"), (3, "3 fields"), (4, "the label '4'"), (5, "the label 'MAYBE'")),
            (6, f"the label 'W' {CONTRADICTS}"),
        ],
    ),
    "pan: a run": make_run(
        "pan",
        lines(
            *(
                f'{{"id": "p{i}", "value": {value}, "more": [1]}}'
                for i, value in enumerate(PAN_VALUES)
            ),
            '{"id": "p7"}',
        ),
        PAIR_FAULTS,
        [
            ("run", "p0", None, "VALIDATED", True, 0.75, 0.5),
            ("run", "p1", None, "REJECTED", True, 0.25, 0.5),
            ("run", "p2", None, None, False, 0.5, 0.0),
            ("run", "p3", None, "VALIDATED", True, 1.0, 1.0),
            ("run", "p4", None, None, False, None, None),
            ("run", "p5", None, "REJECTED", True, 0.0, 1.0),
            ("run", "p6", None, "VALIDATED", True, 0.5000000000000001, 2.220446049250313e-16),
            ("run", "p7", None, None, False, None, None),
        ],
        name="run",
    ),
    "pan: the truth": make_gold(
        "pan",
        '{"id": "a", "same": true}\n{"id": "b", "same": false, "authors": []}\n',
        "assessor question candidate label",
        [("gold", "a", None, "YES"), ("gold", "b", None, "NO")],
    ),
    "pan: which of two texts a human wrote": make_gold(  # as in 2024
        "pan",
        lines(*(f'{{"id": "p{i}", "is_human": {value}}}' for i, value in enumerate(IS_HUMAN))),
        *("label", [("NO",), *[("YES",)] * 4], [(5, "`is_human` '[true, true]'")]),
    ),
    "pan: faults of the truth": make_gold(
        "pan",
        lines(
            *('{"id": "a", "same": 1}', '{"id": "b"}', '{"same": true}'),
            *('{"id": "c", "same": true}', '{"id": "c", "same": false}'),
        ),
        faults=[
            *((1, "`same` '1'"), (2, "no `same`"), (3, "no question")),
            (5, f"the label 'NO' {CONTRADICTS}"),
        ],
    ),
    "romip: a run": make_run(
        "romip",
        ROMIP + "q1\t1\tshort\t1961\td1\nq1\t2\tLong\tin April 1961\t\nq2\t\tnone\t\t\n",
        "run question rank answered answer document fragment",
        [
            ("x", "q1", 1, True, "1961", "d1", False),
            ("x", "q1", 2, True, "in April 1961", None, True),
            ("x", "q2", 1, False, None, None, None),
        ],
    ),
    "romip: faults of a run": make_run(
        "romip",
        ROMIP
        + lines(
            *("q1\tone\tshort\ta\t", "q2\t\tlong\ta\t", "q3\t1\tmiddling\ta\t"),
            *("q4\t1\tshort\t\t", "q5\t1\tnone\ta\t", "q6\t0\tshort\ta\t"),
            *("q7\t1\tshort\ta\t", "q7\t\tnone\t\t", "q8\t2\tlong\ta\t"),
        ),
        faults=[
            *((2, "the rank 'one'"), (3, "no rank"), (4, "the kind 'middling'"), (5, "no answer")),
            *((6, "an answer of the kind none"), (7, "the rank 0")),
            (9, "a second response for question 'q7'"),
            (10, "no answer of rank 1 to question 'q8'"),
        ],
    ),
    "romip: judgments": make_gold(
        "romip",
        "question\tanswer\tlabel\nq1\t1961\tGood\nq1\tApril\tpartial\nq1\t1961\tbad\nq2\tx\tnice\nq2\t\tgood\n",
        "assessor question answer document label",
        [
            *(("gold", "q1", "1961", None, "good"), ("gold", "q1", "April", None, "partial")),
            *(("gold", "q1", "1961", None, "bad"), ("gold", "q2", "x", None, "nice")),
        ],
        [(4, f"the label 'bad' {CONTRADICTS}"), (5, "the label 'nice'"), (6, "no answer")],
    ),
    "respubliqa: a run": make_run(
        "clef-respubliqa",
        RESPUBLIQA
        + "q1\tANSWERED\tp1\tthe text\nq2\tnoa\tp2\twithheld\nq3\tNOA\tp3\t\nq4\tNOA\t\t\n",
        CLEF_FAULTS,
        [
            ("x", "q1", True, "p1", "the text", None),
            ("x", "q2", False, "p2", None, "withheld"),
            ("x", "q3", False, "p3", None, "p3"),
            ("x", "q4", False, None, None, None),
        ],
    ),
    "respubliqa: faults of a run": make_run(
        "clef-respubliqa",
        RESPUBLIQA
        + "q1\tANSWERED\t\t\nq2\tMAYBE\tp\t\n\tNOA\tp\t\nq3\t\tp\t\nq4\tNOA\t\t\nq4\tNOA\t\t\n",
        faults=[
            *((2, "no paragraph"), (3, "the status 'MAYBE'"), (4, "no question"), (5, "no status")),
            (7, "a second response for question 'q4'"),
        ],
    ),
    "respubliqa: judgments": make_gold(
        "clef-respubliqa",
        "run\tquestion\tparagraph\tjudgment\na\tq1\tp1\tR\nb\tq1\tp1\tw\na\tq1\tp1\tW\na\tq2\tp1\tZ\na\tq2\t\tR\n",
        "run question document answer label",
        [
            *(("a", "q1", "p1", None, "R"), ("b", "q1", "p1", None, "W")),
            *(("a", "q1", "p1", None, "W"), ("a", "q2", "p1", None, "Z")),
        ],
        [(4, f"the label 'W' {CONTRADICTS}"), (5, "the label 'Z'"), (6, "no paragraph")],
    ),
    "deft: a run": make_run(
        *("deft", DEFT, "question answer confidence answered"),
        [
            *(("f1", "1871", 0.7, True), ("f2", None, None, False), ("f1", "1874", 0.3, True)),
            ("f3", "1802", None, True),
        ],
    ),
    "deft: columns by other names": make_run(
        *("deft", 'id\tyear\tguess\tp\nf1\t1\t"1871"\t 1.0\n'),
        *("question answer confidence", [("f1", "1871", 1.0)], []),
        {"columns": {"question": "id", "answer": "guess", "confidence": "p"}, "quoted": True},
    ),
    "deft: two columns of answers": make_run(
        *("deft", "question\tyear\tlabel\nf1\t1\t2\n"),
        faults=[(1, "both a column year and a column label")],
    ),
    "deft: faults of a run": make_run(  # a question with a fault is left out altogether
        "deft",
        lines(
            *("question\tyear\tconfidence", "f1\t1871\thigh", "\t1871\t1", "f2\t\t0.4"),
            *("f3\t1871", "f4\t1871\t0,5", "f1\t1872\t0.5", "f2\t1871\t0.6", "f5\t1871\t1.0"),
        ),
        *("question", [("f5",)]),
        [
            *((2, "the confidence 'high'"), (3, "no question"), (5, "2 fields")),
            *((4, "a confidence without an answer"), (6, "the confidence '0,5'")),
        ],
    ),
    "deft: faults of references": make_gold(
        *("deft", "question\tyear\nf1\t\n\t1871\nf2\t1802\nf3\t  \n"),
        faults=[(2, "no year or label"), (3, "no question"), (5, "no year or label")],
    ),
    "qa4mre: a run": make_run(
        "clef-qa4mre",
        RUN.format(
            '<question q_id="1" answered="YES"><answer a_id=" 5 "/></question>\n'
            '<question q_id ="2" answered="NO" />\n'
            '<question q_id="3" answered="no">\n<answer a_id="4"/></question>'
        ),
        "line run question answered answer candidate",
        [
            *((3, "r", "1/2/1", True, "5", None), (4, "r", "1/2/2", False, None, None)),
            (5, "r", "1/2/3", False, None, "4"),
        ],
    ),
    "qa4mre: faults of a run": make_run(
        "clef-qa4mre",
        RUN.format(
            '<question q_id="1" answered="YES"/>\n<question answered="NO"/>\n<question q_id="3"/>\n'
            '<question q_id="4" answered="perhaps"><answer a_id="1"/></question>\n'
            '<question q_id="5" answered="YES"><answer/></question>\n'
            '<question q_id="6" answered="YES"><answer a_id="1"/><answer a_id="2"/></question>\n'
            '<question q_id="7/8" answered="NO"/>\n'
            '</reading-test><question q_id="9" answered="NO"/><answer a_id="1"/>\n'
            '</topic><topic><reading-test r_id="1"><question q_id="1" answered="NO"/>'
        ),
        faults=[
            *((3, "no <answer>"), (4, "<question> without q_id"), (5, "no <answer>")),
            *((5, "<question> without answered"), (6, "answered 'perhaps'")),
            *((7, "<answer> without a_id"), (8, "a second response for question '1/2/6'")),
            *((9, "the q_id '7/8'"), (10, "<answer> outside a <question>")),
            *((10, "<question> outside a <reading-test>"), (11, "<topic> without t_id")),
        ],
    ),
    "qa4mre: a second output beside the first": make_run(
        *("clef-qa4mre", f"<runs>{UNANSWERED_RUN}\n{OTHER_RUN}</runs>"),
        faults=[(5, "a second <output>")],
    ),
    # They would be answers of one question
    "qa4mre: a question that comes twice in the gold standard": make_gold(
        *("clef-qa4mre", GOLD.format(RIGHT + RIGHT.replace('a_id="1"', 'a_id="2"'))),
        faults=[(3, "a second <q> with the id '1/2/1'")],
    ),
    "qa4mre: the gold standard of Entrance Exams": make_gold(  # it has <question> for <q>
        "clef-qa4mre",
        '<!DOCTYPE test-set SYSTEM "input.dtd">\n'
        + GOLD.format(
            '<question q_id="1"><answer a_id="1">a</answer>'
            '<answer a_id="2" correct="Yes">b</answer></question>'
        ),
        *("question answer label", [("1/2/1", "1", "W"), ("1/2/1", "2", "R")]),
    ),
    "qa4mre: the gold standard": make_gold(
        "clef-qa4mre",
        GOLD.format(
            "<q  q_id=\"1\" >\n<answer a_id='1' >x</answer>\n"
            "<answer a_id='2'  correct=\"YES\">y</answer></q>\n"
            '<q q_id="2"><answer a_id="1" correct=" yes ">x</answer>\n'
            '<answer a_id="2" correct="No"/></q>'
        ),
        "line assessor question answer label",
        [
            *((4, "gold", "1/2/1", "1", "W"), (5, "gold", "1/2/1", "2", "R")),
            *((6, "gold", "1/2/2", "1", "R"), (7, "gold", "1/2/2", "2", "W")),
        ],
    ),
    "qa4mre: faults of the gold standard": make_gold(
        "clef-qa4mre",
        GOLD.format(
            '<q q_id="1"><answer a_id="1" correct="Yse"/></q>\n'
            '<q q_id="2"><answer a_id="1" correct="Yes"/><answer correct="No"/></q>\n'
            '<q q_id="3"><answer a_id="1" correct="Yes"/><answer a_id="1"/></q>\n'
            '<q><answer a_id="1" correct="Yes"/></q>\n'
            f"</reading-test><reading-test>{RIGHT}"
        ),
        faults=[
            *((3, "correct 'Yse'"), (3, "no correct answer to the question")),
            *((4, "<answer> without a_id"), (5, f"the label 'W' {CONTRADICTS}")),
            *((6, "<q> without q_id"), (7, "<reading-test> without r_id")),
        ],
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_what_a_file_says_and_what_is_wrong_with_it(tmp_path, name):
    file = FILES[name]
    path = write(tmp_path, f"{file.name}.{ENDINGS.get(file.format, 'tsv')}", file.text)
    task = TASK.get(file.format, "qa")
    frame, faults = file.read(file.format, path, task, **file.options)
    assert locate_faults(faults) == sorted(file.faults)
    assert not file.columns or values(frame, *file.columns.split()) == file.rows


@pytest.mark.parametrize("name", ["team7/answers.jsonl", "team7/answers.jsonl.gz", "team7.jsonl"])
def test_a_file_of_pan_called_answers_is_named_by_its_folder(tmp_path, name):
    text = b'{"id": "a", "value": 1}'
    file = write(tmp_path, name, gzip.compress(text) if name.endswith("gz") else text)
    assert runs("pan", file, "validation")[0]["run"].to_list() == ["team7"]


def test_faults_of_a_run_of_pan(tmp_path):
    pan_values = ["1.5", '"high"', "[0.1, 0.2]", "NaN", "true"]
    rows = [f'{{"id": "{number}", "value": {value}}}' for number, value in enumerate(pan_values)]
    rows += ['{"id": "f", "value": 0.1', '{"value": 0.1}', '["g", 0.1]']
    rows += ['{"id": "h", "value": 0.1}'] * 2
    faults = locate_faults(
        runs("pan", write(tmp_path, "run.jsonl", "\n".join(rows)), "validation")[1]
    )
    assert [line for line, _ in faults] == [*range(1, 9), 10] and faults[0] == (1, "the value 1.5")


XML = {
    "bomb": (BOMB, (3, FORBIDDEN)),
    "external": (ELSEWHERE, (3, FORBIDDEN)),
    "truncated": ("<output>\n<topic>\n", (3, "broken XML (no element found)")),
    "crossed": ("<output>\n<topic>\n</output>\n", (3, "broken XML (mismatched tag)")),
    "no XML": ("hello\n", (1, "broken XML (syntax error)")),
    "entity": ("<output>\n&name;</output>\n", (2, "broken XML (undefined entity)")),
    "encoding": (UNKNOWN, (1, "XML that cannot be read ('unknown encoding: klingon')")),
    "no question": ("<output>\n</output>", (0, "")),
}


@pytest.mark.parametrize(("read", "format"), READERS)
@pytest.mark.parametrize("name", XML)
def test_xml_that_cannot_be_read(tmp_path, read, format, name):
    content, (line, found) = XML[name]
    frame, faults = read(format, write(tmp_path, "x.xml", content))
    assert not frame.height
    assert [(line, message if found else "") for line, message in locate_faults(faults)] == [
        (line, found)
    ]


def test_a_doctype_is_passed_over_and_nothing_is_fetched(tmp_path):
    """A DTD may be a file, as of Entrance Exams, or an address; its content may be an attack."""
    requests = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            self.send_error(404)

    (tmp_path / "input.dtd").write_text("<!ENTITY a 'YES'> this is no DTD")
    text = RUN.format('<question q_id="1" answered="YES"><answer a_id="2"/></question>')
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        for dtd in ("input.dtd", (tmp_path / "input.dtd").as_uri(), f"{address}input.dtd"):
            head = f'<?xml version="1.0"?>\n<!DOCTYPE output SYSTEM "{dtd}">\n'
            frame, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", head + text))
            assert locate_faults(faults) == [] and frame["answer"].to_list() == ["2"]
            undefined = (head + text).replace('"YES"', '"&a;"')
            assert (
                locate_faults(runs("clef-qa4mre", write(tmp_path, "y.xml", undefined))[1])[0][0]
                == 5
            )
        with pytest.raises(HTTPError):
            urlopen(f"{address}asked-by-the-test", timeout=5)
        server.shutdown()
    assert requests == ["/asked-by-the-test"]


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "windows-1251"])
def test_declared_encodings_are_heeded(tmp_path, encoding):
    name = "é" if encoding == "iso-8859-1" else "ж"
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n' + UNANSWERED_RUN.replace(
        '"r"', f'"{name}"'
    )
    frame, faults = runs("clef-qa4mre", write(tmp_path, "x.xml", text.encode(encoding)))
    assert locate_faults(faults) == [] and frame["run"].to_list() == [name]


def test_what_the_gold_standard_says_of_the_questions(tmp_path):
    """Topic, reading test and number of options; not where a file of questions says otherwise."""
    many = "".join(
        f'<answer a_id="{a}" correct="{"Yes" if a == 1 else "No"}"/>' for a in range(1, 6)
    )
    text = f'<q q_id="1">{many}</q><q q_id="2"><answer a_id="1" correct="Yes"/></q>'
    frame, _ = judgments("clef-qa4mre", write(tmp_path, "gold.xml", GOLD.format(text)))
    questions = reading.add_format_columns(
        reading.list_judged_questions(frame), frame, "clef-qa4mre"
    )
    expected = [("1/2/1", "1", "1/2", 5), ("1/2/2", "1", "1/2", None)]
    assert values(questions, "question", "category", "cluster", "options") == expected
    changed_columns = questions.with_columns(
        category=pl.lit("biology"), cluster=pl.lit("x"), options=pl.lit(4, pl.Int64)
    )
    assert reading.add_format_columns(changed_columns, frame, "clef-qa4mre").equals(changed_columns)


@pytest.mark.parametrize(
    ("name", "questions"),
    [("QA4MRE-2013-EN_GS", 100), ("QA4MRE-2012_BIOMEDICAL_GS", 40), ("QA4MRE-2013-sample_GS", 10)],
)
@needs("clef")
def test_real_gold_standards_have_one_right_option_of_five(name, questions):
    frame, faults = judgments("clef-qa4mre", str(DATA / f"clef/{name}.xml"))
    assert locate_faults(faults) == []
    labels = frame.group_by("question").agg(pl.col("label").sort())["label"].to_list()
    assert labels == [["R", "W", "W", "W", "W"]] * questions


@needs("clef")
def test_real_files_that_are_no_gold_standard_and_no_sound_run():
    """All reading tests of the run have the id 1: each colliding question is one fault."""
    _, faults = judgments("clef-qa4mre", str(DATA / "clef/QA4MRE-2013-EN_alzheimer_test.xml"))
    assert locate_faults(faults) == [(0, "no correct answer to any question")]
    frame, faults = runs("clef-qa4mre", str(DATA / "clef/oaqa_2013_run_101301enen_output.xml"))
    assert {*frame["run"]} == {"101301enen"} and Counter(frame["answered"]) == {True: 92, False: 8}
    assert frame["question"].n_unique() == 17 and len(faults) == 100 - 17
    assert {found.split(" for ")[0] for _, found in locate_faults(faults)} == {"a second response"}
