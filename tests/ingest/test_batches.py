"""Small files are read together, with the same rows and faults as one by one."""

import gzip
import random

import pytest
from nonresponse.formats import tabular
from nonresponse.ingest import batches, reading
from polars.testing import assert_frame_equal
from reading import write

HEADERS = {  # of a run, of judgments, of graded responses in both layouts
    "runs": b"question\tanswer\tconfidence",
    "judgments": b"question\tanswer\tlabel",
    "graded": b"question\tverdict\tscore",
    "wide": b"question\tx\ty",
}
CELLS = {
    "runs": [[b"Rome", b"NIL", b"", b' "Oslo'], [b"0.5", b"", b"1", b"1e-3"]],
    "judgments": [[b"Rome", b"Oslo"], [b"R", b"W"]],
    "graded": [[b"correct", b"wrong", b""], [b"-1", b"", b"7.5"]],
    "wide": [[b"correct", b"wrong"], [b"unanswered", b"correct"]],
}
OPTIONS = [
    {},
    {"duplicates": "first"},
    {"empty_questions": "drop"},
    {"quoted": True},
]


def table(draw: random.Random, kind: str) -> bytes:
    questions = draw.sample(range(10, 40), draw.randint(1, 6))
    questions = questions if draw.random() < 0.3 else sorted(questions)
    rows = [
        b"\t".join([b"q%d" % question, *map(draw.choice, CELLS[kind])]) for question in questions
    ]
    return b"\n".join([HEADERS[kind], *rows]) + b"\n" * draw.choice([0, 1, 1, 1, 2])


def damage(draw: random.Random, data: bytes) -> bytes:
    begin = draw.randrange(len(data) + 1)
    pieces = [b"", b"\t", b"\n", b"\r", b'"', b"\0", b"\xff", b"NaN", data[begin:][:9] * 2]
    return data[:begin] + draw.choice(pieces) + data[begin + draw.randrange(9) :]


def alter(draw: random.Random, data: bytes) -> bytes:
    """The file with something that its neighbours lack, though it is sound; or with damage."""
    header, _, body = data.partition(b"\n")
    wider = header + b"\textra\n" + body.replace(b"\n", b"\t1\n")
    ends = [b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"), data + b"\r", b"\n" + data]
    cut = [header, header + b"\n\n", wider, body, b""]
    return draw.choice([*ends, *cut, damage(draw, data), damage(draw, data)])


def read_tables(kind: str, files: list[str], options: dict, batched: bool):
    """Return the tables of the stage, and all faults, sorted."""
    wide = {"layout": "wide", "systems": ["x", "y"]} if kind == "wide" else {}
    options = {"format": "tabular"} | options | wide
    with pytest.MonkeyPatch.context() as patch:
        if not batched:
            patch.setattr(tabular, "reads_rows_alone", lambda options: False)
        if kind == "runs":
            *frames, faults = reading.read_responses(files, options, "qa")
        elif kind == "judgments":
            *frames, faults = reading.read_judgments(files, options, ["R", "W"], "qa")
        else:
            *frames, _, faults = reading.read_graded(files, options, "qa")
    return frames, sorted(set(faults))


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("kind", HEADERS)
def test_what_is_read_together_is_what_each_file_says_by_itself(
    tmp_path, monkeypatch, kind, number
):
    draw = random.Random(f"{kind} {number}")
    monkeypatch.setattr(batches, "BATCH_BYTES", draw.choice([200, batches.BATCH_BYTES]))
    files = []
    for name in range(8):
        data = table(draw, kind)
        data = alter(draw, data) if draw.random() < draw.choice([0, 0.2]) else data
        ending = "csv" if number % 3 == 0 else draw.choice(["tsv"] * 9 + ["txt"])
        name, data = f"file{name}.{ending}", data.replace(b"\t", b"," if ending == "csv" else b"\t")
        if draw.random() < 0.1:
            name, data = f"{name}.gz", gzip.compress(data)
        files.append(write(tmp_path, name, data))
    options = OPTIONS[number] if kind == "runs" else {}
    tables_alone, faults_alone = read_tables(kind, files, options, batched=False)
    tables_joined, faults_joined = read_tables(kind, files, options, batched=True)
    assert faults_joined == faults_alone
    for ours, expected in zip(tables_joined, tables_alone, strict=True):
        assert_frame_equal(ours, expected)


def test_files_that_look_alike_are_read_at_once_and_others_by_themselves(tmp_path, monkeypatch):
    texts = {f"{name:02}.tsv": "question\tanswer\nq1\tRome\nq2\t\n" for name in range(50)}
    texts |= {f"x{name}.tsv": f"answer\tquestion\nRome\tq{name}\n" for name in range(2)}
    texts["y.csv"] = 'question,answer\nq1,"Rome\n"\n'
    files = [write(tmp_path, name, text) for name, text in texts.items()]
    calls, read_runs = [], tabular.read_runs
    monkeypatch.setattr(
        tabular, "read_runs", lambda *args: calls.append(str(args[0])) or read_runs(*args)
    )
    rows, runs, faults = reading.read_responses(files, {"format": "tabular"}, "qa")
    assert faults == [] and rows.height == 103 and runs.height == 53
    assert calls == [files[0], files[50], files[52]]


def test_quotes_that_a_file_leaves_open_are_not_closed_by_the_next(tmp_path):
    rows = {"a.csv": 'q1,"Rome\n', "b.csv": '"\nq2,Oslo\n'}
    files = [write(tmp_path, name, f"question,answer\n{row}") for name, row in rows.items()]
    _, _, faults = reading.read_responses(files, {"format": "tabular"}, "qa")
    assert [fault.file for fault in sorted(faults)] == files
    assert all(fault.found.startswith("broken quotation") for fault in faults)
