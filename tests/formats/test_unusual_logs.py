"""Logs of harnesses in shapes that are legal and seldom: what they mean all the same."""

import gzip
import io
import json
import math
import zipfile

import pytest
from log_samples import FILTERED, INSPECT, SAMPLES, inspect_sample, lines, lm_eval_line, promptfoo, read, verdicts
from nonresponse import tables
from nonresponse.formats import lm_eval
from nonresponse.formats.logs import softmax
from nonresponse.formats.text import HARMLESS
from nonresponse.ingest import check, reading
from nonresponse.ingest.readers import imported
from reading import places, write


def inspect(folder, *samples: dict):
    """Rows and faults of a log of Inspect with these samples."""
    path = write(folder, "log.json", json.dumps(INSPECT | {"samples": samples}))
    rows, _, faults = imported(path, {"format": "inspect"})
    return rows, faults


@pytest.mark.parametrize("id", [10**18, -(10**18), 1895432167890123456, 10**38])
def test_a_whole_number_of_any_size_may_name_a_question(tmp_path, id):
    """The ids of posts have nineteen figures, those of UUIDs as numbers thirty-nine."""
    rows, faults = inspect(tmp_path, inspect_sample(id, "C"))
    assert faults == [] and verdicts(rows) == {("org/model:7b", str(id)): "correct"}
    path = write(tmp_path, "samples_t.jsonl", lines(lm_eval_line(0, "none", 1.0, 1.0) | {"doc_id": id}))
    rows, _, faults = imported(path, {"format": "lm-eval"})
    assert faults == [] and rows["question"].to_list() == [f"t/{id}"]


def test_an_id_that_is_none_is_named(tmp_path):
    _, faults = inspect(tmp_path, inspect_sample(7.5, "C"), inspect_sample(None, "C"), inspect_sample(10**400, "C"))
    assert [found for _, found in places(faults)][:2] == [
        "a sample without an id",
        "the id '10000000" + 51 * "0" + "…'",
    ]
    assert "the id '7.5'" in [found for _, found in places(faults)]


@pytest.mark.parametrize("others", [{}, {"other": {"value": "C"}}])
def test_an_answer_that_was_held_back_is_none_to_a_scorer_without_a_score_of_it(tmp_path, others):
    """Whether or not another scorer has one."""
    held_back = inspect_sample("q2", "C", output=FILTERED) | {"scores": others}
    rows, _, faults = read(
        tmp_path,
        "inspect",
        {"log.json": json.dumps(INSPECT | {"samples": [inspect_sample("q1", "C"), held_back]})},
        scorer="qa",
    )
    assert faults == [] and [*verdicts(rows).values()] == ["correct", "unanswered"]


def test_prompts_of_several_lines_are_in_the_names_of_runs(tmp_path):
    """promptfoo labels a prompt with its text, which has line ends; two prompts of a provider are two runs."""
    told = ["Answer:\n{{question}}\t", "Say\r\nnothing\u2028or \x1b[1manswer:\n\n{{question}}"]
    results = [
        promptfoo(0, "a", True, prompt=number) | {"prompt": {"label": label}} for number, label in enumerate(told)
    ]
    path, options = write(tmp_path, "results.jsonl", lines(*results)), {"format": "promptfoo"}
    *_, faults = reading.graded([path], options, "qa")
    rows, _, _ = imported(path, options)
    assert faults == []
    assert [run.partition(", ")[2] for run in rows["run"].sort()] == [
        "prompt: Answer: {{question}}",
        "prompt: Say nothing or [1manswer: {{question}}",
    ]


def test_an_empty_answer_of_abstentionbench_is_no_unknown_one(tmp_path):
    files = dict(SAMPLES["abstentionbench"].files)
    [name] = [name for name in files if name.endswith("LLMJudgeCorrectnessEvaluator.json")]
    log = json.loads(files[name])
    log["responses"][0]["response"], log["responses"][1]["response"] = "", None
    rows, _, faults = read(tmp_path, "abstentionbench", files | {name: json.dumps(log)})
    assert faults == [] and rows["answer"].to_list()[:3] == ["", None, "said"]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([-math.inf, -2.0], (1, 1.0)),
        ([-1.0, -math.inf, -1.0], (0, 0.5)),
        ([-math.inf, -math.inf], None),
        ([math.inf, -1.0], None),
        ([math.nan, -1.0], None),
        ([-1.0, math.nan], None),
        ([-1.0], None),
    ],
)
def test_a_choice_that_cannot_be_has_no_share(scores, expected):
    assert softmax(scores) == expected
    doc = lm_eval_line(0, "none", 1.0, 1.0) | {"filtered_resps": [[str(score), "False"] for score in scores]}
    assert lm_eval.answer_of(doc, "acc", ["acc"])[1] == (expected and expected[1])


def test_a_prompt_has_its_name_in_every_file(tmp_path):
    """Its number is that of the file; a provider that has several elsewhere is told by its prompt, too."""

    def result(provider: str, number: int, label: str, question: str) -> dict:
        own = {"provider": {"id": provider}, "prompt": {"label": label}}
        return promptfoo(0, question, True, prompt=number) | own

    both = ["short", "long"]
    first = [result(name, 2 * n + k, both[k], "1") for n, name in enumerate("AB") for k in (0, 1)]
    for second, faulty in (
        ([result("B", k, both[k], "2") for k in (0, 1)], False),
        ([result("B", 0, "short", "2")], True),
    ):
        files = [write(tmp_path, f"{name}.jsonl", lines(*rows)) for name, rows in (("a", first), ("b", second))]
        options = {"format": "promptfoo", "files": f"{tmp_path}/*.jsonl"}
        rows, runs, _, accounts, faults = reading.graded(files, options, "qa")
        campaign = {"task": "qa", "graded": options}
        found = check.check_graded(campaign, rows.lazy(), tables.empty(tables.QUESTIONS), runs, accounts)
        assert faults == [] and [fault.found for fault in found] == ["the run 'B' without its prompt"] * faulty
        if not faulty:
            assert {name: set(own["question"]) for (name,), own in rows.group_by("run")}["B, prompt: long"] == {
                '1 {"question": "1"}',
                '2 {"question": "2"}',
            }


@pytest.mark.parametrize("format", ["inspect", "promptfoo"])
def test_a_name_that_only_looks_like_one_with_a_prompt_is_a_name(tmp_path, format):
    """Only the reader of promptfoo knows what of a name is the prompt."""
    for place, run in enumerate(["org/model", "org/model, prompt B"]):
        if format == "inspect":
            content = json.dumps(INSPECT | {"eval": INSPECT["eval"] | {"model": run}})
        else:
            content = lines(promptfoo(0, "a", True) | {"provider": {"id": run}})
        write(tmp_path, f"{place}.json{'l' * (format == 'promptfoo')}", content)
    options = {"format": format, "files": f"{tmp_path}/*"}
    files = sorted(map(str, tmp_path.iterdir()))
    rows, runs, _, accounts, faults = reading.graded(files, options, "qa")
    asked, campaign = tables.empty(tables.QUESTIONS), {"task": "qa", "graded": options}
    assert runs["run"].n_unique() == 2
    assert faults == check.check_graded(campaign, rows.lazy(), asked, runs, accounts) == []


def test_why_a_packed_log_cannot_be_read_is_told(tmp_path):
    """Not only that it is no zip in the end."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("header.json", json.dumps(INSPECT))
    cut, long = tmp_path / "cut.eval.gz", tmp_path / "long.eval.gz"
    cut.write_bytes(gzip.compress(packed.getvalue())[:-6])
    long.write_bytes(gzip.compress(packed.getvalue() + bytes(HARMLESS)))
    found = [[fault.found for fault in imported(str(path), {"format": "inspect"})[-1]] for path in (cut, long)]
    assert found[0] == ["a file that cannot be read (Truncated compressed stream)"]
    assert len(found[1]) == 1 and found[1][0].endswith(" bytes that unpack to more than 100,000,000")
