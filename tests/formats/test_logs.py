"""Logs as harnesses wrote them, and what is particular to one format."""

import copy
import io
import json
import math
import struct
import zipfile
import zlib
from itertools import product

import polars as pl
import pyarrow
import pytest
from log_samples import (
    FILTERED,
    INSPECT,
    LM_EVAL,
    LM_RESULTS,
    PROMPTFOO,
    SAMPLES,
    assert_read_one_by_one,
    inspect_sample,
    lines,
    promptfoo,
    put,
    read,
    verdicts,
)
from nonresponse import campaign as config
from nonresponse.campaign import completion, paths
from nonresponse.formats import inspect, json_pieces, openai_evals
from nonresponse.formats.logs import lacking
from nonresponse.ingest import imports, reading
from nonresponse.ingest.files import matched
from nonresponse.ingest.readers import graded_reader, imported, read_logs
from nonresponse.ingest.reading import graded
from reading import DATA, needs, places, write

REAL = DATA / "logs"
# What a reader must get from ten questions; the same in every epoch, except for q2.
STATES = {"q1": "correct", "q3": "unanswered", "q4": "partial", "q5": "error", "q6": "wrong", "q7": "unscored"}
STATES |= {"q8": "unanswered", "q9": "error", "q10": "unscored"}


def real(format: str, pattern: str, **options):
    """Rows and accounts of all logs that match."""
    tables, accounts = [], []
    folders = format in ("helm", "abstentionbench")
    for path in matched(f"{REAL}/{pattern}", folders).files:
        rows, account, faults = imported(path, {"format": format} | options)
        assert places(faults) == []
        tables.append(rows)
        accounts.append(account)
    return pl.concat(tables), imports.by_run(pl.concat(accounts))


@needs("logs")
@pytest.mark.parametrize("file", ["json/*Skv5*.json", "eval/*.eval"])
def test_inspect_of_two_epochs(file):
    """The .eval is packed by Zstandard; both state 1/3."""
    rows, account = real("inspect", f"inspect_ai/{file}", epochs="runs")
    for run, second in (("mockllm/model", "wrong"), ("mockllm/model #2", "correct")):
        assert verdicts(rows.filter(run=run)) == {(run, id): state for id, state in (STATES | {"q2": second}).items()}
    [row] = account.rows(named=True)
    assert (row["samples"], row["epochs"], row["outcome"]) == (20, 2, "agrees")
    assert row["stated"] == row["recomputed"] == pytest.approx(1 / 3)
    assert row["remarks"] == "16 of 20 samples completed"
    both, account = real("inspect", f"inspect_ai/{file}", epochs="all")
    assert both["epoch"].to_list() == 10 * [1] + 10 * [2] and "only the first" not in account["remarks"].item()
    first, _ = real("inspect", f"inspect_ai/{file}")
    assert verdicts(first) == {("mockllm/model", id): state for id, state in (STATES | {"q2": "wrong"}).items()}


@needs("logs")
def test_inspect_of_one_epoch_and_of_an_older_version():
    rows, account = real("inspect", "inspect_ai/json/*K4nA*.json")
    assert {id: verdict for (_, id), verdict in verdicts(rows).items()} == STATES | {"q2": "wrong"}
    assert account["recomputed"].to_list() == account["stated"].to_list() == [0.25]
    rows, account = real("inspect", "inspect_ai/real/data_arc_qwen.json")
    assert rows["verdict"].to_list() == ["correct", "wrong", "wrong"] and account["outcome"].to_list() == ["agrees"]
    assert account["remarks"].to_list() == ["limited to 3 of 2376 samples of the data set"]
    _, _, faults = imported(str(REAL / "inspect_ai/real/data_with_llm_scoring.json"), {"format": "inspect"})
    assert places(faults) == [(0, "no samples")]


@needs("logs")
def test_lm_eval():
    rows, account = real("lm-eval", "lm_eval/*/samples_*_mc_*.jsonl")
    assert rows["verdict"].to_list() == ["wrong", "wrong", "correct"]
    assert rows["answer"].to_list() == [" Rome", " Paris", " I don't know"]
    scores = [-0.814466863291336, -0.540283606970324, -0.9638385459738009, -0.603185627961383]
    share = math.exp(scores[1]) / sum(map(math.exp, scores))
    assert rows["confidence"][1] == pytest.approx(share)
    assert account.select("stated", "recomputed", "outcome").rows() == [(pytest.approx(1 / 3),) * 2 + ("agrees",)]
    rows, _ = real("lm-eval", "lm_eval/*/samples_*_mc_*.jsonl", metric="acc_norm")
    assert rows["answer"][1] == " I don't know"  # by length it is another choice
    _, account = real("lm-eval", "lm_eval/*/samples_*_gen_*.jsonl", filter="word")
    assert account["outcome"].to_list() == ["agrees"] and account["measure"].to_list() == ["exact_match,word"]


@needs("logs")
def test_abstentionbench():
    """A folder of five; F1 as sklearn has it; has_answer is what should not be abstained from."""
    rows, account = real("abstentionbench", "abstentionbench/*/*")
    assert rows["verdict"].to_list() == ["correct", "unanswered", "unanswered", "wrong", "unanswered"]
    assert [gold == "" for gold in rows["gold"]] == [False, False, True, True, False]
    assert account["recomputed"].to_list() == [pytest.approx(0.4)]


@needs("logs")
def test_squad2_as_its_own_script():
    key, na_prob = str(REAL / "squad2/data.json"), str(REAL / "squad2/na_prob.json")
    stated = json.loads((REAL / "squad2/eval.json").read_text())
    rows, account = real("squad2", "squad2/predictions.json", key=key)
    assert rows["verdict"].to_list() == ["correct", "unanswered", "unanswered", "wrong"]
    assert account["recomputed"].to_list() == [stated["exact"]] == [50.0]
    right = (rows["verdict"] == "correct") | ((rows["gold"] == "") & (rows["verdict"] == "unanswered"))
    shares = rows.with_columns(right=right).group_by("category").agg(100 * pl.col("right").mean())
    assert dict(shares.rows()) == {"HasAns": stated["HasAns_exact"], "NoAns": stated["NoAns_exact"]}
    rows, account = real("squad2", "squad2/predictions.json", key=key, na_prob=na_prob, threshold=0.3)
    assert account["recomputed"].to_list() == [75.0] and rows["confidence"].to_list() == [0.95, None, None, None]


@needs("logs")
def test_helm_promptfoo_openai_evals_and_lighteval():
    rows, account = real("helm", "helm/*")
    assert rows["verdict"].to_list() == 4 * ["wrong"] and account["outcome"].to_list() == ["agrees"]
    rows, account = real("promptfoo", "promptfoo/results.json", epochs="runs")
    assert account["outcome"].to_list() == 4 * ["agrees"] and account["epochs"].to_list() == 4 * [2]
    assert dict(rows["verdict"].value_counts().rows()) == {"correct": 8, "wrong": 16, "unanswered": 4, "error": 4}
    same, account = real("promptfoo", "promptfoo/results.jsonl", epochs="runs")
    assert verdicts(same) == verdicts(rows) and set(account["outcome"]) == {"cannot be reconciled"}
    rows, account = real("openai-evals", "openai_evals/*.jsonl")
    assert rows["verdict"].to_list() == ["wrong", "wrong", "correct"] and account["outcome"].to_list() == ["agrees"]
    rows, account = real("lighteval", "lighteval/details/**/*.parquet")
    assert rows.height == 6 and account["outcome"].to_list() == ["agrees"]
    choice = rows.filter(category="toymc|0", question="toymc|0/1")
    scores = [-0.6394267985, -0.0250107552, -0.2750293184]
    assert choice["answer"].to_list() == [" Paris"]
    assert choice["confidence"][0] == pytest.approx(math.exp(scores[1]) / sum(map(math.exp, scores)))


@needs("logs")
def test_simple_evals():
    files = matched(str(REAL / "simple_evals/*.json")).files
    frame, account, faults = read_logs(files, {"format": "simple-evals"}, "qa")
    assert faults == [] and frame.select("run", "n", "n_ac", "n_aw", "n_u").rows() == [("mock-model", 4, 1, 1, 2)]
    assert imports.by_run(account)["outcome"].to_list() == ["agrees"]


def zstd_zip(members: dict[str, bytes]) -> bytes:
    """A zip whose members are packed by Zstandard, as Inspect writes it and Python's zipfile cannot."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(name, pyarrow.compress(content, codec="zstd", asbytes=True))
    data = bytearray(out.getvalue())
    for name, content in members.items():  # the method, the checksum and the size, in both headers
        about = struct.pack("<L", zlib.crc32(content))
        for mark, method in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
            begin = data.index(name.encode(), data.index(mark)) - (30 if method == 8 else 46)
            while data[begin : begin + 4] != mark:
                begin = data.index(name.encode(), begin + (30 if method == 8 else 46) + 1) - (30 if method == 8 else 46)
            data[begin + method : begin + method + 2] = struct.pack("<H", 93)
            data[begin + method + 6 : begin + method + 10] = about
            data[begin + method + 14 : begin + method + 18] = struct.pack("<L", len(content))
    return bytes(data)


def members(log: dict) -> dict[str, bytes]:
    """A log as Inspect spreads it over a zip."""
    header = {name: value for name, value in log.items() if name != "samples"}
    found = {f"samples/{one['id']}_epoch_{one['epoch']}.json": json.dumps(one).encode() for one in log["samples"]}
    return found | {"summaries.json": b"[]", "header.json": json.dumps(header).encode()}


def deflated(contents: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return out.getvalue()


def inspect_of(path, data: bytes | str, **options):
    return imported(write(path, "log.eval", data), {"format": "inspect"} | options)


def test_a_zip_reads_like_the_json_however_it_is_packed(tmp_path):
    plain, account, _ = read(tmp_path, "inspect")
    for data in (deflated(members(INSPECT)), zstd_zip(members(INSPECT))):
        rows, own, faults = inspect_of(tmp_path, data)
        assert places(faults) == []
        assert verdicts(rows) == verdicts(plain) and own.drop("file").equals(account.drop("file"))


def test_a_log_that_was_cut_short(tmp_path):
    """Only its journal says what it was; samples are there as far as it came."""
    contents = members(INSPECT)
    start = json.dumps({"version": 2, "eval": INSPECT["eval"]}).encode()
    short = {name: content for name, content in contents.items() if name.startswith("samples/q")}
    _, account, faults = inspect_of(tmp_path, deflated(short | {"_journal/start.json": start}))
    assert faults == [] and imports.by_run(account)["remarks"].item().startswith("it states no metric")
    assert "stopped early: no results" in account["notes"].item()
    cancelled = INSPECT | {"status": "cancelled", "samples": INSPECT["samples"][:6]}
    _, account, _ = inspect_of(tmp_path, json.dumps(cancelled))
    notes = account["notes"].item().to_list()
    assert notes == ["status 'cancelled'", "7 of 8 samples completed", "6 of 8 samples in the log"]


def test_a_sample_that_a_log_lists_without_a_record_is_not_asked(tmp_path):
    """Early stopping skips it, and the log still has the status success; a failed sample has a record of its error."""
    ids = [str(one["id"]) for one in INSPECT["samples"]]
    dataset = {"samples": 100, "sample_ids": [*ids, "skipped"]}
    log = INSPECT | {"status": "success", "eval": INSPECT["eval"] | {"dataset": dataset}}
    rows, account, faults = inspect_of(tmp_path, json.dumps(log))
    assert faults == [] and set(rows["question"]) == set(ids) and "error" in rows["verdict"]
    assert f"limited to {len(ids) + 1} of 100 samples of the data set" in account["notes"].item().to_list()


@pytest.mark.slow
def test_hostile_zips_are_faults(tmp_path):
    whole = deflated(members(INSPECT))
    bomb = deflated({"header.json": b"{}", "samples/a_epoch_1.json": b" " * 150_000_000})
    no_header = deflated({name: content for name, content in members(INSPECT).items() if name != "header.json"})
    encrypted = bytearray(whole)
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        at = encrypted.index(mark) + (6 if mark == b"PK\x03\x04" else 8)
        encrypted[at] |= 1
    for data, found in (
        (whole[: len(whole) // 2], "a zip that cannot be read"),
        (bomb, "bytes that unpack to 150,000,002"),
        (no_header, "a zip without header.json"),
        (bytes(encrypted), "an encrypted member"),
        (deflated(members(INSPECT) | {"header.json": b"[]"}), "header.json"),
        (deflated(members(INSPECT) | {"samples/x_epoch_1.json": b"{"}), "text that is not JSON"),
        (deflated({"header.json": members(INSPECT)["header.json"]}), "no samples"),
    ):
        _, _, faults = inspect_of(tmp_path, data)
        assert found in " ".join(fault.found for fault in faults), faults
    lying = bytearray(zstd_zip(members(INSPECT)))
    at = lying.rindex(b"PK\x01\x02") + 24
    lying[at : at + 4] = struct.pack("<L", 10_000)
    _, _, faults = inspect_of(tmp_path, bytes(lying))
    assert places(faults)


def test_inspect_needs_a_scorer_where_there_are_several(tmp_path):
    log = copy.deepcopy(INSPECT)
    log["samples"][0]["scores"]["strict"] = {"value": "I"}
    path = write(tmp_path, "log.json", json.dumps(log))
    _, _, [fault] = imported(path, {"format": "inspect"})
    assert fault.found == "2 scorers" and fault.expected == "`scorer:` in config.yaml, one of 'qa', 'strict'"
    rows, _, faults = imported(path, {"format": "inspect", "scorer": "strict"})
    assert faults == [] and rows["verdict"][0] == "wrong"
    _, _, [fault] = imported(path, {"format": "inspect", "scorer": "none"})
    assert fault.found == "no scorer 'none'"


@pytest.mark.parametrize(
    ("score", "verdict"),
    [
        ({"value": {"correct": 1.0, "incorrect": 0.0, "not_attempted": 0.0}}, "correct"),
        ({"value": {"correct": 0.0, "incorrect": 0.0, "not_attempted": 1.0}}, "unanswered"),
        (
            {"value": {"correct": 0, "incorrect": 0, "not_attempted": 1}, "metadata": {"grader_response": "?"}},
            "unscored",
        ),
        ({"value": "N", "metadata": {"grader_response": "I refuse, CANNOT"}}, "unscored"),
        ({"value": "N", "metadata": {"grader_response": "C"}}, "unanswered"),
        ({"value": "I", "explanation": "Grade not found in model output: hm"}, "unscored"),
        ({"value": "I", "metadata": {"unscored_reason": "refusal"}}, "unanswered"),
        ({"value": "I", "reason": "no_response"}, "unanswered"),
        ({"value": 0.25}, "partial"),
        ({"value": True}, "correct"),
        ({"value": "no"}, "wrong"),
        ({"value": None}, "unscored"),
        ({"value": 7}, None),
        ({"value": "maybe"}, None),
        ({"value": [1, 2]}, None),
        ({"value": {"a": 1}}, None),
    ],
)
def test_what_scores_of_inspect_mean(tmp_path, score, verdict):
    sample = inspect_sample("q", "C") | {"scores": {"simpleqa_scorer": score}}
    log = {**INSPECT, "results": None, "samples": [sample]}
    rows, _, faults = imported(write(tmp_path, "log.json", json.dumps(log)), {"format": "inspect"})
    if verdict is None:
        assert "the score" in faults[0].found
    else:
        assert faults == [] and rows["verdict"].to_list() == [verdict]


JUDGE = {"model": {"model": "org/judge"}, "template": "Is it right?"}


def graded_log(folder, name: str, *scores: dict, options: dict = JUDGE, asks: str = "What?") -> tuple[list, dict]:
    """The verdicts of a log whose scorer has these options, and its row of imports.csv."""
    samples = [inspect_sample(f"q{n}", "C", input=asks) | {"scores": {"qa": one}} for n, one in enumerate(scores)]
    told = {**INSPECT["eval"], "model": name, "scorers": [{"name": "qa", "options": options}]}
    log = {**INSPECT, "eval": told, "samples": samples}
    rows, account, faults = imported(write(folder, f"{name}.json", json.dumps(log)), {"format": "inspect"})
    assert faults == []
    return rows.sort("question")["verdict"].to_list(), imports.by_run(account).row(0, named=True)


def test_judge_failures_of_two_regimes_are_read_to_one_rule(tmp_path):
    """Older logs of Inspect count a failed judge as wrong, and say so in the explanation; newer ones have no score."""
    right = {"value": "C", "explanation": "GRADE: C"}
    before = {"value": "I", "explanation": "Grade not found in model output: hm"}
    since = {"value": float("nan"), "reason": "grader_failed", "explanation": "hm"}
    old, of_old = graded_log(tmp_path, "old", right, before)
    new, of_new = graded_log(tmp_path, "new", right, since)
    assert old == new == ["correct", "unscored"]
    assert of_old["failures"] == of_new["failures"] == "unscored" and of_old["ruler"] == of_new["ruler"]
    _, silent = graded_log(tmp_path, "silent", {"value": "C"}, {"value": "I"})
    assert silent["failures"] == "as graded", "what the judge wrote is not there"
    rows = pl.DataFrame([of_old, of_new, silent], infer_schema_length=None)
    assert imports.differing(rows) == ["failures"]


def test_the_ruler_has_judge_prompt_and_texts(tmp_path):
    score = {"value": "C", "explanation": "GRADE: C"}
    options = [JUDGE, JUDGE | {"model": "org/other"}, JUDGE | {"template": "Is it?"}, JUDGE, {}]
    known = [
        graded_log(tmp_path, f"r{n}", score, score, options=its, asks="Who?" if n == 3 else "What?")[1]
        for n, its in enumerate(options)
    ]
    first, judge, prompt, texts, rule = known
    assert first["judge"] == "org/judge" and judge["judge"] == "org/other" and first["scorer"] == "qa"
    assert (
        first["prompt"] == judge["prompt"] != prompt["prompt"] and first["texts"] == prompt["texts"] != texts["texts"]
    )
    assert rule["judge"] == rule["prompt"] == rule["failures"] == ""
    assert len({one["ruler"] for one in known}) == 5 and len({one["questions"] for one in known}) == 1
    assert imports.differing(pl.DataFrame(known, infer_schema_length=None)) == ["judge", "prompt", "texts"]


@pytest.mark.parametrize("format", ["inspect", "deepeval"])
def test_the_scorer_is_the_whole_name_of_it(tmp_path, format):
    """Scorers that end alike are two, whatever stands between the words of their names."""
    accounts = []
    for name in ("degree of match", "lack of match"):
        [(place, text)] = SAMPLES[format].files.items()
        content = text.replace('"qa"', json.dumps(name)).replace('"Judge"', json.dumps(name))
        file = write(tmp_path, f"{name}/{place}", content)
        options = {"metric": name} if format == "deepeval" else {}
        _, account, faults = imported(file, {"format": format, **options})
        assert faults == [] and account["measure"].item().endswith(f" of {name}")
        accounts.append(account.with_columns(run=pl.lit(name)))
    rows = imports.by_run(pl.concat(accounts))
    assert rows["scorer"].to_list() == ["degree of match", "lack of match"]
    assert "scorer" in imports.differing(rows)


@needs("logs")
def test_the_judge_of_a_real_log():
    header = json.loads((REAL / "inspect_ai/real/data_with_llm_scoring.json").read_text())
    judge, prompt = inspect.judged_by(header, "simpleqa_scorer")
    assert judge == "google/gemini-2.0-flash-001" and len(prompt) == 8


# Scores before an edit by hand, none of which has the verdict that the edit sets; and the fields that an edit may leave
# unchanged.
BEFORE = {
    "failed": {"value": float("nan"), "reason": "grader_failed"},
    "failed-once": {"value": float("nan"), "metadata": {"unscored_reason": "scoring_failed"}},
    "no-grade": {"value": "I", "explanation": "Grade not found in model output: hm"},
    "no-letter": {"value": "N", "metadata": {"grader_response": "I refuse, CANNOT"}},
    "refusal": {"value": "I", "reason": "refusal"},
    "unknown": {"value": "maybe", "explanation": None},
    "plain": {"value": "C"},
    "none": None,
}
FIELDS = ("value", "answer", "explanation", "metadata")
EDITED = {"C": "correct", "I": "wrong", "N": "unanswered", "P": "partial", 0.25: "partial"}


def edited(score: dict | None, *edits: dict) -> dict:
    """The score as inspect_ai's edit_score leaves it: its history begins with the original, unless the score is new."""
    edits = tuple(dict.fromkeys(FIELDS, "UNCHANGED") | edit | {"provenance": {"author": "ann"}} for edit in edits)
    original = [dict.fromkeys(FIELDS) | {"metadata": {}} | score] if score else []
    for edit in edits:
        score = (score or {}) | {name: edit[name] for name in FIELDS if edit[name] != "UNCHANGED"}
    return score | {"history": [*original, *edits]}


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("value", EDITED)
def test_a_value_that_was_set_by_hand_decides(tmp_path, before, value):
    """Whatever else the score and its sample say, and whether it is the only edit, the last, or followed by others."""
    explained = {"explanation": "Grade not found in model output"}
    edits = [[{"value": value}], [{"value": "X"}, {"value": value}], [{"value": value}, explained]]
    scores = [edited(BEFORE[before], *steps) for steps in edits]
    states = [{}, {"error": {"message": "crashed"}}, {"output": FILTERED}]
    samples = [
        inspect_sample(f"q{n}", "C") | {"scores": {"simpleqa": score}} | state
        for n, (score, state) in enumerate(product(scores, states))
    ]
    mean = {"C": 1, "P": 0.5, "I": 0, "N": 0}.get(value, value)
    stated = {"scores": [{"name": "simpleqa", "scorer": "simpleqa", "metrics": {"accuracy": {"value": mean}}}]}
    log = {**INSPECT, "results": stated, "samples": samples}
    rows, account, faults = imported(write(tmp_path, "log.json", json.dumps(log)), {"format": "inspect"})
    assert faults == [] and rows["verdict"].to_list() == [EDITED[value]] * 9
    assert imports.by_run(account)["outcome"].item() == "agrees"


@pytest.mark.parametrize("before", BEFORE)
def test_an_invalidated_sample_is_unscored_whatever_was_set_by_hand(tmp_path, before):
    """Also where an error, which is older than the edit, came before it."""
    scores = {"scores": {"simpleqa": edited(BEFORE[before], {"value": "C"})}, "invalidation": {"author": "ann"}}
    states = [{}, {"error": {"message": "crashed"}}, {"output": FILTERED}]
    samples = [inspect_sample(f"q{n}", "C") | scores | state for n, state in enumerate(states)]
    log = {**INSPECT, "results": None, "samples": samples}
    rows, _, faults = imported(write(tmp_path, "log.json", json.dumps(log)), {"format": "inspect"})
    assert faults == [] and rows["verdict"].to_list() == ["unscored"] * 3


@pytest.mark.parametrize("before", sorted({*BEFORE} - {"none", "unknown"}))
@pytest.mark.parametrize("edit", [{"answer": "Rome"}, {"explanation": "well"}, {"metadata": {}}])
def test_an_edit_that_leaves_the_value_says_nothing_of_it(tmp_path, before, edit):
    """What it does not replace is read as it was."""
    score = edited(BEFORE[before], edit)
    plain = {name: content for name, content in score.items() if name != "history"}
    found = []
    for one in (score, plain):
        log = {**INSPECT, "results": None, "samples": [inspect_sample("q", "C") | {"scores": {"simpleqa": one}}]}
        found.append(imported(write(tmp_path, "log.json", json.dumps(log)), {"format": "inspect"})[0]["verdict"].item())
    assert found[0] == found[1]


def test_what_is_read_otherwise_than_the_log_counts_it_differs(tmp_path):
    """The log's mean counts a failed judge as wrong: the score is in the log, but we read it as unscored."""
    failed = {"scores": {"qa": {"value": "I", "explanation": "Grade not found in model output"}}}
    samples = [inspect_sample("q1", "C"), inspect_sample("q2", "I") | failed]
    stated = {"scores": [{"name": "qa", "scorer": "qa", "metrics": {"accuracy": {"value": 0.5}}}]}
    log = {**INSPECT, "results": stated, "samples": samples}
    rows, account, _ = imported(write(tmp_path, "log.json", json.dumps(log)), {"format": "inspect"})
    assert rows["verdict"].to_list() == ["correct", "unscored"]
    assert account.select("stated", "recomputed").row(0) == (0.5, 1.0)
    assert "1 sample not read as it counts them" in account["notes"].item()


def test_the_first_epoch_is_that_of_each_question(tmp_path):
    """For some questions, a cancelled run has only later epochs."""
    epochs = {"q1": (1, 2), "q2": (2, 3), "q3": (3,)}
    samples = [inspect_sample(id, "C") | {"epoch": epoch} for id, own in epochs.items() for epoch in own]
    path = write(tmp_path, "log.json", json.dumps({**INSPECT, "results": None, "samples": samples}))
    rows, _, faults = imported(path, {"format": "inspect"})
    assert faults == [] and rows["question"].to_list() == ["q1", "q2", "q3"]


def test_abstentionbench_within_inspect(tmp_path):
    """The value says whether it is an abstention; whether an answer is right nobody says."""
    samples = [
        inspect_sample(f"q{number}", value, metadata={"abstention_label": label})
        for number, (value, label) in enumerate((("yes", True), ("yes", False), ("no", True), ("no", False)))
    ]
    log = {**INSPECT, "results": None, "samples": samples}
    rows, _, _ = imported(write(tmp_path, "log.json", json.dumps(log)), {"format": "inspect"})
    assert rows["verdict"].to_list() == ["unanswered", "unanswered", "wrong", "unscored"]
    assert [gold == "" for gold in rows["gold"]] == [True, False, True, False]


def test_what_differs_is_a_warning(tmp_path):
    log = copy.deepcopy(INSPECT)
    log["results"]["scores"][0]["metrics"]["accuracy"]["value"] = 0.9
    _, account, faults = imported(write(tmp_path, "log.json", json.dumps(log)), {"format": "inspect"})
    assert faults == [] and imports.by_run(account)["outcome"].item() == "differs"
    [line, *_] = imports.warnings(account, "inspect")
    assert line == (
        "Warning: the log of 'org/model:7b': it states accuracy of qa 0.9, and its samples give 0.25;"
        " 7 of 8 samples completed."
    )
    for change in ({"config": {"epochs_reducer": ["mode"]}},):
        other = {**log, "eval": log["eval"] | change}
        _, account, _ = imported(write(tmp_path, "log.json", json.dumps(other)), {"format": "inspect"})
        assert imports.by_run(account)["outcome"].item() == "cannot be reconciled"
        assert "epochs are reduced by" in account["why"].item()


def test_a_run_in_several_logs(tmp_path):
    """Tasks of one model make one run; the same question in two logs is a fault of the second."""
    from nonresponse.ingest.check import again_in_another

    texts = {f"out/samples_t{n}_2026-01-01T00-00-0{n}.jsonl": lines(*LM_EVAL) for n in (1, 2)}
    results = dict.fromkeys(("t1", "t2"), LM_RESULTS["results"]["toy"])
    texts |= {f"out/results_2026-01-01T00-00-0{n}.json": json.dumps(LM_RESULTS | {"results": results}) for n in (1, 2)}
    for name, text in texts.items():
        write(tmp_path, name, text)
    options = {"format": "lm-eval"}
    paths = sorted(str(path) for path in tmp_path.glob("out/samples*"))
    rows, names, _, account, faults = graded(paths, options, "qa")
    assert faults == [] and rows["run"].unique().to_list() == ["org/model"] and rows.height == 10
    [row] = imports.by_run(account).rows(named=True)
    assert (row["files"], row["samples"], row["outcome"], row["stated"]) == (2, 10, "agrees", 0.375)
    assert again_in_another(rows.lazy(), names, graded_reader(options, "qa")) == []
    twice = str(write(tmp_path, "out/samples_t1_2026-01-01T00-00-02.jsonl", lines(*LM_EVAL)))
    rows, names, *_ = graded([*paths, twice], options, "qa")
    faults = again_in_another(rows.lazy(), names, graded_reader(options, "qa"))
    assert len(faults) == 5 and {fault.file for fault in faults} == {twice}


def test_lm_eval_without_results_or_with_too_few_samples(tmp_path):
    path, options = put(tmp_path, "lm-eval")
    (tmp_path / "out/results_2026-01-01T00-00-00.0.json").unlink()
    rows, account, faults = imported(path, options)
    assert faults == [] and rows["run"].unique().to_list() == ["out"]
    assert account["why"].item() == "no results_*.json beside it"
    write(tmp_path, "out/results_2026-01-01T00-00-00.0.json", json.dumps(LM_RESULTS))
    write(tmp_path, "out/samples_toy_2026-01-01T00-00-00.0.jsonl", lines(*LM_EVAL[:2]))
    _, account, _ = imported(path, options)
    assert "2 of 5 samples in the log" in account["notes"].item()
    for option, found in (("metric", "no metric 'nothing'"), ("filter", "no filter 'nothing'")):
        _, _, faults = imported(path, options | {option: "nothing"})
        assert faults[0].found == found and "one of" in faults[0].expected


def test_questions_of_promptfoo_have_names_of_their_own(tmp_path):
    """Two tests with one description are two questions; two prompts of a provider are two runs."""
    results = [promptfoo(0, "a", True), promptfoo(1, "b", False)]
    for result in results:
        result["testCase"]["description"] = "same"
    rows, _, _ = imported(write(tmp_path, "a.jsonl", lines(*results)), {"format": "promptfoo"})
    assert rows["question"].to_list() == ['same {"question": "a"}', 'same {"question": "b"}']
    results = [promptfoo(0, "a", True), promptfoo(0, "a", False, prompt=1), *PROMPTFOO[1:2]]
    rows, _, _ = imported(write(tmp_path, "b.jsonl", lines(*results)), {"format": "promptfoo"})
    assert rows["run"].n_unique() == 2


TWICE = {  # the way to the samples of a log, of which a name stands twice
    "inspect": ["samples"],
    "promptfoo": ["results"],
    "helm": ["request_states"],
    "abstentionbench": ["responses"],
}


@pytest.mark.parametrize("format", TWICE)
def test_a_key_twice_on_the_way_to_the_samples(tmp_path, format):
    """Both values would be read, whereas the harness reads the last; elsewhere in a log the last value counts."""
    [way] = TWICE[format]
    files = dict(SAMPLES[format].files)
    name = next(name for name, content in files.items() if f'"{way}"' in content)
    whole = json.loads(files[name])
    again = json.dumps(whole)[1:]
    files[name] = f'{{"{way}": {json.dumps(whole[way])},\n{again}'
    _, _, faults = read(tmp_path, format, files)
    assert f"the key {way!r} twice" in {fault.found for fault in faults}
    files[name] = f'{{"other": 1,\n"other": 2, {again}'
    rows, _, faults = read(tmp_path / "other", format, files)
    assert faults == [] and verdicts(rows) == SAMPLES[format].verdicts


HELM_RUN = "mmlu:model=org_model"


def helm_of(split: str) -> dict:
    """The sample of HELM as a run of one split."""
    own = {name: json.loads(content) for name, content in SAMPLES["helm"].files.items()}
    for name in ("per_instance_stats.json", "stats.json"):
        path = f"{HELM_RUN}/{name}"
        own[path] = [one for one in own[path] if '"valid"' not in json.dumps(one)]
    return {name: json.dumps(content).replace('"test"', f'"{split}"') for name, content in own.items()}


@pytest.mark.parametrize("stats", [True, False])
@pytest.mark.parametrize("split", ["test", "valid", "validation"])
def test_a_run_of_helm_of_any_split(tmp_path, split, stats):
    """By what its stats state; without them, by those of its instances."""
    files = helm_of(split)
    if not stats:
        del files[f"{HELM_RUN}/stats.json"]
    rows, account, faults = read(tmp_path, "helm", files)
    assert faults == [] and verdicts(rows) == SAMPLES["helm"].verdicts
    assert imports.by_run(account)["outcome"].to_list() == ["agrees" if stats else "cannot be reconciled"]


def test_a_run_of_helm_of_several_splits(tmp_path):
    """The test split counts, or else the valid one; if there is neither, it is unknown which one should count."""
    rows, account, _ = read(tmp_path / "both", "helm")
    assert verdicts(rows) == SAMPLES["helm"].verdicts
    assert account["chosen"].item().to_list() == ["split test of 'test', 'valid'"]
    for split, found in (("valid", []), ("other", ["the splits 'other', 'train'"])):
        torn = [{"name": {"name": "exact_match", "split": name}, "mean": 1.0} for name in ("train", split)]
        files = helm_of(split) | {f"{HELM_RUN}/stats.json": json.dumps(torn)}
        rows, _, faults = read(tmp_path / split, "helm", files)
        assert [fault.found for fault in faults] == found
        assert found or verdicts(rows) == SAMPLES["helm"].verdicts


DIRECTIONS = {  # of the metric acc_norm, beside what an older version, or one of its configurations, does not say
    "metric": {"higher_is_better": {"toy": {"acc": True, "acc_norm": False}}},
    "configured": {"configs": {"toy": {"metric_list": [{"metric": "acc_norm", "higher_is_better": False}]}}},
}


@pytest.mark.parametrize("told", DIRECTIONS)
def test_a_metric_of_which_less_is_better_is_refused(tmp_path, told):
    """By what the results tell of it, whatever it is called; another metric of the same lines is read."""
    files = SAMPLES["lm-eval"].files
    results = next(name for name in files if "results_" in name)
    files = files | {results: json.dumps(LM_RESULTS | DIRECTIONS[told])}
    path, options = put(tmp_path, "lm-eval", files)
    rows, _, faults = imported(path, options | {"metric": "acc"})
    assert faults == [] and rows.height == 5
    rows, _, faults = imported(path, options | {"metric": "acc_norm"})
    assert [fault.found for fault in faults] == ["the metric 'acc_norm', of which less is better"]
    for best in (0, 1):
        assert imported(path, options | {"metric": "acc_norm", "best": best})[2] == []
    other = {"correct": "wrong", "wrong": "correct", "unanswered": "correct"}  # what is right is no silence
    known, turned = (imported(path, options | {"metric": "acc", "best": best})[0]["verdict"] for best in (1, 0))
    assert turned.to_list() == [other.get(verdict, verdict) for verdict in known]


@pytest.mark.parametrize("better", [None, True, False])
@pytest.mark.parametrize(
    "name",
    ["brier_score", "mae", "word_perplexity", "bits_per_byte", "wer", "cer", "nll", "edit_distance", "error_rate"],
)
def test_without_results_a_metric_of_errors_is_known_by_its_name(tmp_path, name, better):
    """What the results say of it comes first."""
    line = {"doc_id": 0, "filter": "none", "filtered_resps": ["x"], "metrics": [name], name: 1.0}
    path = write(tmp_path, "samples_toy.jsonl", lines(line))
    if better is not None:
        write(tmp_path, "results_toy.json", json.dumps({"higher_is_better": {"toy": {name: better}}}))
    faults = imported(path, {"format": "lm-eval"})[2]
    assert [fault.found for fault in faults] == [f"the metric {name!r}, of which less is better"] * (not better)


def test_a_metric_of_lighteval_of_which_less_is_better(tmp_path):
    files = SAMPLES["lighteval"].files
    results = next(name for name in files if "results_" in name)
    told = [{"metric_name": "em", "higher_is_better": False}, {"metric_name": "acc", "higher_is_better": True}]
    of_task = {"config_tasks": {"toy|0": {"metrics": told}}}
    files = files | {results: json.dumps(json.loads(files[results]) | of_task)}
    path, options = put(tmp_path, "lighteval", files)
    assert imported(path, options)[2] == []
    assert imported(path, options | {"metric": "em"})[2][0].found == "the metric 'em', of which less is better"


OF_RUNS = {"gpt": ["t.0", "t.1"], "other": ["t.2", "t.3"]}


@pytest.mark.parametrize("order", ["one after the other", "specs first", "events first"])
@pytest.mark.parametrize("ids", [True, False])
def test_two_runs_in_a_file_of_openai_evals_are_refused(tmp_path, order, ids):
    """Otherwise samples of one would be taken for the other's; without a second spec, the ids of runs show it."""
    specs, events = [], []
    for name, samples in OF_RUNS.items():
        own = {"run_id": f"run {name}"} if ids else {}
        specs.append({"spec": {"completion_fns": [name], "eval_name": "toy", **own}})
        events.append([{"sample_id": id, "type": "match", "data": {"correct": True}, **own} for id in samples])
    ordered = {
        "one after the other": [specs[0], *events[0], specs[1], *events[1]],
        "specs first": [*specs, *events[0], *events[1]],
        "events first": [*events[0], *events[1], *specs],
    }[order]
    without = [record for record in ordered if record is not specs[1]]
    for records in [ordered, without][: 1 + ids]:
        _, _, faults = imported(write(tmp_path, "log.jsonl", lines(*records)), {"format": "openai-evals"})
        assert faults and all(fault.expected == openai_evals.ONE for fault in faults)
    for spec, own in zip(specs, events, strict=True):
        rows, _, faults = imported(write(tmp_path, "log.jsonl", lines(spec, *own)), {"format": "openai-evals"})
        assert faults == [] and rows.height == 2


@pytest.mark.parametrize("error", [True, False])
@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([{"latency": 3}, {"score": 1.0}], "correct"),
        ([{"score": 1.0}, {"latency": 3}, {"score": True}], "correct"),
        ([{"latency": 3}], None),
        ([{"score": 0.0}, {"score": 1.0}], "the score 1 of sample 't.0', after 0"),
    ],
)
def test_metrics_of_openai_evals_that_differ_are_a_fault(tmp_path, scores, said, error):
    records = [{"sample_id": "t.0", "type": "metrics", "data": one} for one in scores]
    records += [{"sample_id": "t.0", "type": "error", "data": {}}] * error
    path = write(tmp_path, "log.jsonl", lines({"spec": {"completion_fns": ["gpt"]}}, *records))
    rows, _, faults = imported(path, {"format": "openai-evals"})
    verdict = said or ("error" if error else "unscored")
    assert ([fault.found for fault in faults] or [*verdicts(rows).values()]) == [verdict]
    assert bool(faults) == (said or "").startswith("the score")


CHAT = {"chat": "0f0e0d0c-0b0a-4908-8706-05040302010@"}
FILLED = {  # what a run fills in, by the way it does so
    "conversation": ({}, {"_conversation": [{"input": "a", "output": "@"}]}, {}),
    "register": ({}, {"summary": "what @ said"}, {}),
    "session": ({"sessionId": "session of @"}, {"sessionId": "session of @"}, {}),
    "drawn": (CHAT, CHAT, {"transformVars": "{ ...vars, chat: context.uuid }"}),
    "step": ({"__evalStepId": "test-@"}, {"__evalStepId": "test-@"}, {}),
}


@pytest.mark.parametrize("how", FILLED)
@pytest.mark.parametrize("described", ["", "same", "each"])
def test_what_a_run_fills_in_is_no_part_of_a_question(tmp_path, how, described):
    """Questions have the same names for two systems in a file, and in another file, which also has other tests."""
    of_test, of_result, options = FILLED[how]

    def filled(variables: dict, word: str) -> dict:
        return json.loads(json.dumps(variables).replace("@", word))

    def result(test: int, country: str, system: int, file: int) -> dict:
        one = promptfoo(test, country, True) | {"provider": {"id": f"m{system}{file}"}, "promptIdx": system}
        own, drawn = {"country": country}, str(3 * file + test)
        case = {"vars": own | filled(of_test, drawn), "options": options}
        case |= {"description": {"": "", "same": "capital", "each": country}[described]}
        return one | {"testCase": case, "vars": own | filled(of_result, str(system) if not of_test else drawn)}

    found = {}
    for file, countries in enumerate((["France", "Peru"], ["Peru", "Chad", "France"])):
        results = [result(test, country, n, file) for n in (0, 1) for test, country in enumerate(countries)]
        path = write(tmp_path, f"{file}.jsonl", lines(*results))
        rows, _, faults = imported(path, {"format": "promptfoo", "epochs": "all"})
        assert faults == [] and rows.height == 2 * len(countries) and set(rows["epoch"]) == {1}
        found |= {run: set(own["question"]) for (run,), own in rows.group_by("run")}
    assert found["m00"] == found["m10"] < found["m01"] == found["m11"]


def test_tests_that_ask_for_different_things_are_different_questions(tmp_path):
    """Although their variables are the same; tests that ask for the same are epochs, and a repeated test is a fault."""
    results = [promptfoo(test, "a", test != 1) for test in range(3)]
    for result, word in zip(results, ["Paris", "EUR", "Paris"], strict=True):
        result["testCase"] = {"vars": {"q": "France"}, "assert": [{"type": "contains", "value": word}]}
    options = {"format": "promptfoo", "epochs": "all"}
    rows, _, faults = imported(write(tmp_path, "a.jsonl", lines(*results)), options)
    assert faults == [] and rows["question"].n_unique() == 2 and sorted(rows["epoch"]) == [1, 1, 2]
    assert all(name.startswith('{"q": "France"} [{') for name in rows["question"])
    _, _, faults = imported(write(tmp_path, "b.jsonl", lines(*results, results[1])), options)
    assert places(faults) == [(4, "a second result of test 1, prompt 0")]


def test_a_test_without_a_name_has_its_number(tmp_path):
    results = [promptfoo(test, "x", True) | {"testCase": {}, "vars": {}} for test in (0, 1)]
    rows, _, _ = imported(write(tmp_path, "a.jsonl", lines(*results)), {"format": "promptfoo"})
    assert rows["question"].to_list() == ["test 0", "test 1"]


def test_squad2_predictions_that_are_missing_or_unknown(tmp_path):
    files = SAMPLES["squad2"].files
    rows, account, _ = read(tmp_path, "squad2", files | {"model.json": json.dumps({"h1": "Paris"})})
    assert rows["missing"].to_list() == [False, True, True, True, True]
    assert account["samples"].item() == 1 and account["notes"].item().to_list() == [
        "4 of 5 questions of the key are missing"
    ]
    _, _, faults = read(tmp_path, "squad2", files | {"model.json": json.dumps({"h1": "Paris", "x": ""})})
    assert places(faults) == [(0, "the question 'x'")]
    path, options = put(tmp_path, "squad2")
    na_prob = {"na_prob": str(tmp_path / "na/{run}.json"), "threshold": 0.5}
    rows, _, faults = imported(path, options | na_prob)
    assert faults == [] and rows["verdict"].to_list() == ["correct", "wrong"] + 3 * ["unanswered"]
    _, _, faults = imported(path, options | {"na_prob": str(tmp_path / "none/{run}.json")})
    assert "cannot be read" in faults[0].found


def test_simple_evals_that_are_no_whole_counts(tmp_path):
    log = {
        "score": 0.5,
        "metrics": {"is_correct": 0.5, "is_incorrect": 0.3, "is_not_attempted": 0.2},
        "convos": [[], []],
    }
    name = "simpleqa_org_model_20260101_000000_DEBUG_allresults.json"
    path = write(tmp_path, name, json.dumps(log))
    _, _, faults = read_logs([path], {"format": "simple-evals"}, "qa")
    assert len(faults) == 2 and "is_incorrect 0.3" in faults[0].found.replace("'", "")
    log["metrics"] = {"is_correct": 0.5, "is_incorrect": 0.25, "is_not_attempted": 0.0}
    log["convos"] = [[]] * 4
    _, _, faults = read_logs([write(tmp_path, name, json.dumps(log))], {"format": "simple-evals"}, "qa")
    assert [fault.found for fault in faults] == ["grades of 3 of 4 questions"]
    alone = write(tmp_path, "simpleqa_model_20260101_000000.json", json.dumps(log["metrics"]))
    _, _, faults = read_logs([alone], {"format": "simple-evals"}, "qa")
    assert [fault.file for fault in faults] == [alone]


@pytest.mark.parametrize("window", [1, 7, 64])
def test_pieces_are_the_same_whatever_is_decoded_at_a_time(monkeypatch, window):
    monkeypatch.setattr(json_pieces, "WINDOW", window)
    value = {"a": [1, 2.5e3, -7], "é": {"b": [{"x": "ÿ€😀\\"}, [], "]", 12345678901]}, "z": float("-inf")}
    for indent in (None, 2):
        data = json.dumps(value, indent=indent, ensure_ascii=False).encode()
        found = [(piece.path, piece.value) for piece in json_pieces.pieces((data,), ("é", "b"))]
        inside = [(("é", "b"), element) for element in value["é"]["b"]]
        assert found == [(("a",), value["a"]), *inside, (("z",), value["z"])]
    for bad in ("[1,]", "[1 2]", '{"a" 1}', "{1: 2}", "[1] 2", "[", '{"a":', '{"a": 1,}', "", "[1", '["a'):
        with pytest.raises(json_pieces.NotJson):
            list(json_pieces.pieces((bad.encode(),), () if bad.startswith("[") else ("a", "b")))


@pytest.mark.slow
def test_a_long_log_is_read_in_little_memory_and_time(tmp_path):
    """Samples one by one: memory is a small part of what all of them would take; time at most 3 times json.loads."""
    sample = inspect_sample("q", "C", messages=[{"role": "user", "content": "word " * 400}] * 5)
    log = INSPECT | {"results": None, "samples": [sample | {"id": number} for number in range(1500)]}
    data = json.dumps(log)
    assert_read_one_by_one(write(tmp_path, "log.json", data), data, "inspect", 1500, 3)


def test_the_articles_of_squad2_are_clusters_of_questions(tmp_path):
    """As its data file has them, where they have titles; a campaign that names the file has clusters by itself."""

    def article(title: str | None, *asked: tuple[str, list]) -> dict:
        answers = {id: [{"text": text} for text in golds] for id, golds in asked}
        return {"title": title, "paragraphs": [{"qas": [{"id": id, "answers": answers[id]}]} for id in answers]}

    articles = [article("Rome", ("a", ["x"]), ("b", [])), article("Oslo", ("c", ["y", "z"])), article(None, ("d", []))]
    file = tmp_path / "dev.json"
    file.write_text(json.dumps({"data": articles}))
    campaign = {"graded": {"format": "squad2", "files": "x.json", "key": str(file)}, "task": "qa", "measures": ["c@1"]}
    completion.complete(campaign, {"gigabytes": 8, "ratio": 500})
    assert config.clustered(campaign) and paths.questions_file(campaign) == str(file)
    asked, faults = reading.questions(campaign["questions"])
    assert faults == [] and asked.select("question", "has_answer", "category", "cluster").rows() == [
        ("a", True, "HasAns", "Rome"),
        ("b", False, "NoAns", "Rome"),
        ("c", True, "HasAns", "Oslo"),
        ("d", False, "NoAns", None),
    ]


def test_millions_of_samples_are_told_in_full():
    assert lacking(999_999, 1_234_567.0) == ["999999 of 1234567 samples in the log"]
    assert lacking(5, 5) == lacking(5, None) == []
