"""Test logs of Inspect: zips, meaning of scores, edits, refusals, scored errors and judges."""

import gzip
import io
import json
import math
import struct
import tracemalloc
import zipfile
import zlib
from itertools import product

import polars as pl
import pyarrow
import pytest
from log_samples import FILTERED, INSPECT, inspect_sample, read, verdicts
from nonresponse.formats.text import HARMLESS_SIZE
from nonresponse.ingest import imports
from nonresponse.ingest.readers import import_log
from reading import locate_faults, write

NO_GRADE = "Grade not found in model output: hm"


def state_results(value: float | None, metric: str = "accuracy", scorer: str = "qa") -> dict:
    """Results that state a metric of the scorer."""
    metrics = {metric: {"value": value}}
    return {"scores": [{"name": scorer, "scorer": scorer, "metrics": metrics}]}


def judge_samples(
    folder, *samples: dict, accuracy: float | None = None, about: dict | None = None, **options
):
    """Return verdicts, row of imports.csv and faults of a log with these samples."""
    scorer = next((name for sample in samples for name in sample.get("scores") or {}), "qa")
    results = None if accuracy is None else state_results(accuracy, scorer=scorer)
    log = INSPECT | {"eval": INSPECT["eval"] | (about or {}), "results": results}
    rows, account, faults = load(folder, json.dumps(log | {"samples": samples}), **options)
    row = imports.summarise_runs(account).row(0, named=True) if account.height else {}
    return rows["verdict"].to_list() if rows.height else [], row, faults


def make_zip(contents: dict[str, bytes], zstandard: bool = False) -> bytes:
    """Zip members by Deflate, or by Zstandard as Inspect does and Python's zipfile cannot."""
    out = io.BytesIO()
    method = zipfile.ZIP_STORED if zstandard else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in contents.items():
            packed = pyarrow.compress(content, codec="zstd", asbytes=True) if zstandard else content
            archive.writestr(name, packed)
        infos = archive.infolist()
    data = bytearray(out.getvalue())
    central = data.index(b"PK\x01\x02")
    for info, content in zip(infos, contents.values(), strict=True) if zstandard else ():
        # The method, the checksum and the size
        for begin in (info.header_offset + 8, central + 10):
            data[begin : begin + 2] = struct.pack("<H", 93)
            data[begin + 6 : begin + 10] = struct.pack("<L", zlib.crc32(content))
            data[begin + 14 : begin + 18] = struct.pack("<L", len(content))
        central += 46 + len(info.filename)
    return bytes(data)


def split_log() -> dict[str, bytes]:
    """A log as Inspect spreads it over a zip."""
    header = {name: value for name, value in INSPECT.items() if name != "samples"}
    members = {
        f"samples/{sample['id']}_epoch_{sample['epoch']}.json": json.dumps(sample).encode()
        for sample in INSPECT["samples"]
    }
    return members | {"summaries.json": b"[]", "header.json": json.dumps(header).encode()}


def load(path, data: bytes | str, **options):
    return import_log(write(path, "log.eval", data), {"format": "inspect"} | options)


@pytest.mark.parametrize("zstandard", [False, True])
def test_a_zip_reads_like_the_json_however_it_is_packed(tmp_path, zstandard):
    plain, account, _ = read(tmp_path, "inspect")
    rows, zip_account, faults = load(tmp_path, make_zip(split_log(), zstandard))
    assert locate_faults(faults) == [] and verdicts(rows) == verdicts(plain)
    assert zip_account.drop("file").equals(account.drop("file"))


def test_samples_in_pieces_read_like_whole_ones(tmp_path):
    sample = inspect_sample("a", "C") | {"input": "attachment://1", "metadata": {}}
    whole = sample | {"input": "Which?", "metadata": {"topic": "x"}}
    pieces = {"sample": json.dumps(sample), "metadata": '{"topic": "x"}', "skeleton": "{}"}
    pieces |= {"messages/0": "[]", "events/stats": "[]"}
    pieces |= {"attachments/0": '["other"]', "attachments/1": '["Which?"]'}
    header = {"header.json": split_log()["header.json"]}
    members = {f"samples/a_epoch_1/{name}.json": text.encode() for name, text in pieces.items()}
    frame, joined_account, faults = load(tmp_path, make_zip(header | members))
    whole_members = {"samples/a_epoch_1.json": json.dumps(whole).encode()}
    plain, account, _ = load(tmp_path, make_zip(header | whole_members))
    assert locate_faults(faults) == [] and frame.drop("line").equals(plain.drop("line"))
    assert joined_account.equals(account)


@pytest.mark.slow
def test_hostile_zips_are_faults(tmp_path):
    log, sound = split_log(), make_zip(split_log())
    encrypted, lying = bytearray(sound), bytearray(make_zip(log, zstandard=True))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[encrypted.index(mark) + place] |= 1
    offset = lying.rindex(b"PK\x01\x02") + 24
    lying[offset : offset + 4] = struct.pack("<L", 10_000)
    headless = {name: content for name, content in log.items() if name != "header.json"}
    bomb = {"header.json": b"{}", "samples/a_epoch_1.json": b" " * 101_000_000}
    for data, found in (
        (sound[: len(sound) // 2], "a zip that cannot be read"),
        (make_zip(bomb), "that unpack to 101,000,002"),
        (make_zip(headless), "a zip without header.json"),
        (bytes(encrypted), "an encrypted member"),
        (make_zip(log | {"header.json": b"[]"}), "header.json"),
        (make_zip(log | {"samples/x_epoch_1.json": b"{"}), "text that is not JSON"),
        (make_zip({"header.json": log["header.json"]}), "no samples"),
        (bytes(lying), "a member"),
    ):
        assert found in " ".join(fault.found for fault in load(tmp_path, data)[2])
    long = write(tmp_path, "long.eval.gz", gzip.compress(sound + bytes(HARMLESS_SIZE)))
    [fault] = import_log(long, {"format": "inspect"})[2]
    assert fault.found.endswith(" bytes that unpack to more than 100,000,000")


def test_a_log_that_was_cut_short(tmp_path):
    """Only its journal says what it was; samples are there as far as it came."""
    start = json.dumps({"version": 2, "eval": INSPECT["eval"]}).encode()
    short = {name: content for name, content in split_log().items() if name.startswith("samples/q")}
    _, account, faults = load(tmp_path, make_zip(short | {"_journal/start.json": start}))
    assert faults == [] and "stopped early: no results" in account["notes"].item()
    cancelled = INSPECT | {"status": "cancelled", "samples": INSPECT["samples"][:6]}
    account = load(tmp_path, json.dumps(cancelled))[1]
    notes = ["status 'cancelled'", "7 of 8 samples completed", "6 of 8 samples in the log"]
    assert account["notes"].item().to_list() == notes
    assert imports.summarise_runs(account)["outcome"].item() == "cannot be reconciled"


GRADED = {"correct": 0.0, "incorrect": 0.0, "not_attempted": 1.0}
SCORES = [
    ({"value": GRADED | {"correct": 1.0, "not_attempted": 0.0}}, "correct"),
    ({"value": GRADED}, "unanswered"),
    ({"value": GRADED, "metadata": {"grader_response": "?"}}, "unscored"),
    ({"value": "N", "metadata": {"grader_response": "I refuse, CANNOT"}}, "unscored"),
    ({"value": "N", "metadata": {"grader_response": "C"}}, "unanswered"),
    ({"value": "I", "explanation": NO_GRADE}, "unscored"),
    ({"value": "I", "metadata": {"unscored_reason": "refusal"}}, "unanswered"),
    ({"value": "I", "reason": "no_response"}, "unanswered"),
    ({"value": "I", "reason": "invalid_response_format"}, "unanswered"),
    ({"value": math.nan, "reason": "scoring_failed"}, "unscored"),
    ({"value": "C", "reason": "a word of its own"}, "correct"),
    *(({"value": value}, verdict) for value, verdict in [(0.25, "partial"), (True, "correct")]),
    *(({"value": value}, verdict) for value, verdict in [("no", "wrong"), (None, "unscored")]),
    *(({"value": value}, None) for value in [7, "maybe", [1, 2], {"a": 1, "b": 0}]),
]


@pytest.mark.parametrize(("score", "verdict"), SCORES)
def test_what_scores_mean(tmp_path, score, verdict):
    sample = inspect_sample("q", "C") | {"scores": {"simpleqa_scorer": score}}
    states, _, faults = judge_samples(tmp_path, sample)
    assert states == [verdict] * (verdict is not None) and bool(faults) == (verdict is None)


REFUSAL = "Model refusal (org/model): I can't help"
REFUSED, REFUSAL_MESSAGE = {"message": f'ModelRefusalError("{REFUSAL}")'}, {"message": REFUSAL}
CRASHED, WRONG = {"message": "crashed"}, {"qa": {"value": "I"}}


@pytest.mark.parametrize(
    ("scored", "fields", "verdict", "accuracy"),
    [
        # fail_on_refusal ends the sample, which is in no mean
        (False, {"error": REFUSED, "scores": {}}, "unanswered", 1.0),
        (True, {"error": REFUSED, "scores": WRONG}, "unanswered", 0.5),
        (False, {"error": REFUSAL_MESSAGE, "scores": {}}, "unanswered", 1.0),
        (False, {"error": CRASHED, "scores": {}}, "error", 1.0),
        (False, {"error": CRASHED, "scores": WRONG}, "error", 1.0),  # as older versions count it
        (False, {"error": CRASHED, "scores": WRONG}, "error", 0.5),  # and newer ones
        (True, {"error": CRASHED, "scores": WRONG}, "wrong", 0.5),  # scored what there was
        (True, {"error": CRASHED, "scores": {}}, "error", 1.0),
        # An answer that was held back is none to a scorer without a score of it
        (False, {"output": FILTERED, "scores": {}}, "unanswered", None),
        (False, {"output": FILTERED, "scores": {"other": {"value": "C"}}}, "unanswered", None),
        # What is read otherwise is in the mean of the log
        (False, {"scores": {"qa": {"value": "I", "explanation": NO_GRADE}}}, "unscored", 0.5),
        (False, {"invalidation": {"author": "ann"}}, "unscored", 0.5),
    ],
)
def test_samples_that_ended_or_were_scored_otherwise(tmp_path, scored, fields, verdict, accuracy):
    samples = inspect_sample("q1", "C"), inspect_sample("q2", "I") | fields
    options = {"about": {"config": {"score_on_error": scored}}, "metric": "qa"}
    states, row, faults = judge_samples(tmp_path, *samples, accuracy=accuracy, **options)
    assert faults == [] and states == ["correct", verdict]
    assert accuracy is None or row["outcome"] == "agrees"
    assert verdict != "unscored" or "1 sample not read as it counts them" in row["remarks"]


def test_numbers_of_another_scale_are_one_fault_unless_one_of_them_is_said_to_be_correct(tmp_path):
    samples = [inspect_sample(f"q{n}", value) for n, value in enumerate([8, 1, 10, 7, "C"])]
    [fault] = judge_samples(tmp_path, *samples)[2]
    assert fault.found == "the qa '7' to '10' of 'q0' and 2 others"
    assert "`correct_from:`" in fault.expected
    words = [inspect_sample(id, "left") for id in "ab"]
    word, number = judge_samples(tmp_path, *words, samples[0])[2]
    assert word.found == "the qa 'left' of 'a' and 1 other"
    assert "correct_from" not in word.expected and "correct_from" in number.expected
    states, row, _ = judge_samples(tmp_path, *samples, accuracy=5.4, correct_from=7)
    assert states == ["correct", "wrong", "correct", "correct", "correct"]
    assert row["outcome"] == "agrees"


@pytest.mark.parametrize(
    ("id", "fault"), [(10**38, ""), (None, "no id"), (7.5, "the id '7.5'"), (10**400, "the id")]
)
def test_a_whole_number_of_any_size_may_name_a_question(tmp_path, id, fault):
    states, _, faults = judge_samples(tmp_path, inspect_sample(id, "C"))
    assert bool(states) != bool(fault) and len(faults) == bool(fault)
    assert all(item.found.startswith(fault) for item in faults)


def test_abstentionbench_within_inspect(tmp_path):
    """The value says whether it is an abstention; whether an answer is right nobody says."""
    cases = (("yes", True), ("yes", False), ("no", True), ("no", False))
    samples = [
        inspect_sample(f"q{n}", value, metadata={"abstention_label": label})
        for n, (value, label) in enumerate(cases)
    ]
    assert judge_samples(tmp_path, *samples)[0] == ["unanswered", "unanswered", "wrong", "unscored"]


@pytest.mark.parametrize(("values", "precision"), [("CCIN", 2 / 3), ("NN", 0.0), ("CN", 1.0)])
@pytest.mark.parametrize("epochs", [1, 2])
def test_precision_leaves_out_silence_unless_epochs_are_averaged(
    tmp_path, values, precision, epochs
):
    stated = precision if epochs == 1 else values.count("C") / len(values)
    responses = product(enumerate(values), range(1, epochs + 1))
    samples = [inspect_sample(f"q{n}", value, epoch) for (n, value), epoch in responses]
    log = INSPECT | {"results": state_results(stated, "precision"), "samples": samples}
    account = load(tmp_path, json.dumps(log))[1]
    assert imports.summarise_runs(account)["outcome"].item() == "agrees"


# Scores before an edit by hand, none of which has the verdict that the edit sets.
UNEDITED = {
    "failed": {"value": math.nan, "reason": "grader_failed"},
    "failed-once": {"value": math.nan, "metadata": {"unscored_reason": "scoring_failed"}},
    "no-grade": {"value": "I", "explanation": NO_GRADE},
    "no-letter": {"value": "N", "metadata": {"grader_response": "I refuse, CANNOT"}},
    "refusal": {"value": "I", "reason": "refusal"},
    "unknown": {"value": "maybe", "explanation": None},
    "plain": {"value": "C"},
    "none": None,
}
FIELDS = ("value", "answer", "explanation", "metadata")
EDITS = {"C": "correct", "I": "wrong", "N": "unanswered", "P": "partial", 0.25: "partial"}
STATES = [{}, {"error": CRASHED}, {"output": FILTERED}]


def edit_score(score: dict | None, *edits: dict) -> dict:
    """Edit a score as inspect_ai's edit_score does: its history begins with the original."""
    edits = tuple(
        dict.fromkeys(FIELDS, "UNCHANGED") | edit | {"provenance": {"author": "ann"}}
        for edit in edits
    )
    original = [dict.fromkeys(FIELDS) | {"metadata": {}} | score] if score else []
    for edit in edits:
        score = (score or {}) | {name: edit[name] for name in FIELDS if edit[name] != "UNCHANGED"}
    return score | {"history": [*original, *edits]}


@pytest.mark.parametrize(
    ("start", "value"), [*product(UNEDITED, ["C"]), *product(["plain"], EDITS)]
)
def test_a_value_that_was_set_by_hand_decides_unless_the_sample_is_invalid(tmp_path, start, value):
    """It does so whatever the score and its sample say, wherever it stands among the edits."""
    edits = [
        [{"value": value}],
        [{"value": "X"}, {"value": value}],
        [{"value": value}, {"explanation": NO_GRADE}],
    ]
    scores = [edit_score(UNEDITED[start], *steps) for steps in edits]
    samples = [
        inspect_sample(f"q{n}", "C") | {"scores": {"simpleqa": score}} | state
        for n, (score, state) in enumerate(product(scores, STATES))
    ]
    mean = {"C": 1, "P": 0.5, "I": 0, "N": 0}.get(value, value)
    states, row, faults = judge_samples(tmp_path, *samples, accuracy=mean)
    assert faults == [] and states == [EDITS[value]] * 9 and row["outcome"] == "agrees"
    invalid = [sample | {"invalidation": {"author": "ann"}} for sample in samples]
    assert judge_samples(tmp_path, *invalid)[0] == ["unscored"] * 9


def rate(folder, *scores: dict, options: dict, question: str = "What?") -> tuple[list, dict]:
    """The verdicts of a log whose scorer has these options, and its row of imports.csv."""
    samples = [
        inspect_sample(f"q{n}", "C", input=question, scores={"qa": score})
        for n, score in enumerate(scores)
    ]
    about = {"scorers": [{"name": "qa", "options": options}]}
    states, row, faults = judge_samples(folder, *samples, about=about)
    assert faults == []
    return states, row


JUDGE = {"model": {"model": "org/judge"}, "template": "Is it right?"}


def test_the_ruler_has_judge_prompt_texts_and_what_failures_are(tmp_path):
    """Older logs count a failed judge as wrong and explain it. Newer ones have no score."""
    right = {"value": "C", "explanation": "GRADE: C"}
    unscored = {"value": math.nan, "reason": "grader_failed"}
    old, old_row = rate(tmp_path, right, {"value": "I", "explanation": NO_GRADE}, options=JUDGE)
    new, new_row = rate(tmp_path, right, unscored, options=JUDGE)
    assert old == new == ["correct", "unscored"] and old_row["ruler"] == new_row["ruler"]
    differing = {
        "failures": rate(tmp_path, {"value": "C"}, {"value": "I"}, options=JUDGE),
        "judge": rate(tmp_path, right, right, options=JUDGE | {"model": "org/other"}),
        "prompt": rate(tmp_path, right, right, options=JUDGE | {"template": "Is it?"}),
        "texts": rate(tmp_path, right, right, options=JUDGE, question="Who?"),
    }
    for part, (_, row) in differing.items():
        rows = pl.DataFrame([old_row, row], infer_schema_length=None)
        assert imports.list_differing_parts(rows) == [part]
    assert rate(tmp_path, right, right, options={})[1]["judge"] == ""


@pytest.mark.slow
def test_a_long_log_is_read_in_little_memory(tmp_path):
    """Samples one by one: memory is that of the text, a small part of what all of them would take."""
    sample = inspect_sample("q", "C", messages=[{"role": "user", "content": "word " * 400}] * 5)
    samples = [sample | {"id": number} for number in range(500)]
    data = json.dumps(INSPECT | {"results": None, "samples": samples})
    path = write(tmp_path, "log.json", data)
    tracemalloc.start()
    rows, _, faults = import_log(path, {"format": "inspect"})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert faults == [] and rows.height == 500 and peak < 1.5 * len(data)
