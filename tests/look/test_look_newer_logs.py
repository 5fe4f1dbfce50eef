"""What look.py makes of LongMemEval, whose questions are in a file of their own, and of DeepEval's hidden files."""

import json

import log_samples
import pytest
from nonresponse.look.campaigns import campaigns
from nonresponse.look.files import look
from reading import write

KEY = log_samples.SAMPLES["longmemeval"].files["key.json"]


def files(folder, **texts: str) -> None:
    for name, text in texts.items():
        write(folder, name.replace("__", "."), text)


@pytest.mark.parametrize("more", [[], ["other"]])
def test_the_file_of_the_questions_is_the_key(tmp_path, more):
    """The one that has all of them, whatever it is called; one of other questions is none."""
    other = json.dumps([{"question_id": "z", "question_type": "x", "question": "?", "answer": "y"}])
    files(tmp_path, system__jsonl=log_samples.lines(*log_samples.LONGMEMEVAL), key__json=KEY)
    files(tmp_path, **{f"{name}__json": other for name in more})
    looked = look([str(tmp_path)])
    [log] = [one for one in looked.sources if one.format == "longmemeval"]
    assert log.options == {"format": "longmemeval", "key": str(tmp_path / "key.json")} and log.undecided == ()
    assert str(tmp_path / "key.json") in looked.beside and str(tmp_path / "other.json") not in looked.beside
    assert {one.path for one in looked.sources} - {log.path} == {str(tmp_path / f"{name}.json") for name in more}


def test_without_it_a_log_of_longmemeval_has_no_key(tmp_path):
    files(tmp_path, system__jsonl=log_samples.lines(*log_samples.LONGMEMEVAL))
    [log] = look([str(tmp_path)]).sources
    assert log.options == {"format": "longmemeval"} and log.undecided == ()


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([".latest_run_full.json", ".latest_test_run.json"], [".latest_run_full.json"]),
        ([".latest_test_run.json", ".temp_test_run_data.json"], [".latest_test_run.json"]),
        ([".temp_test_run_data.json"], [".temp_test_run_data.json"]),
        ([".deepeval-cache.json"], []),
    ],
)
@pytest.mark.parametrize("of", ["", ".deepeval"])
def test_the_hidden_files_of_deepeval_are_seen_once(tmp_path, names, found, of):
    for name in names:
        write(tmp_path, f"p/.deepeval/{name}", json.dumps(log_samples.DEEPEVAL))
    looked = look([str(tmp_path / "p" / of)])
    assert [one.path for one in looked.sources] == [str(tmp_path / "p/.deepeval" / name) for name in found]
    assert all("all (`metric: success`) of 'Judge', 'Match'" in one.undecided[0] for one in looked.sources)


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        (".latest_test_run.json", {"testRunLink": "https://app/…"}, "nothing but a link to a test run of DeepEval"),
        (
            ".deepeval-cache.json",
            {"test_cases_lookup_map": {"{}": {}}},
            "what DeepEval keeps of metrics, of no one run",
        ),
    ],
)
def test_what_deepeval_leaves_beside_its_runs_is_called_what_it_is(tmp_path, name, content, found):
    """The link was said to be predictions for SQuAD 2.0."""
    looked = look([write(tmp_path, f"p/.deepeval/{name}", json.dumps(content))])
    assert looked.sources == [] and [fault.found for fault in looked.refused] == [found]


def test_a_campaign_is_not_called_as_all_runs_of_deepeval_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("my-bot", ".deepeval/.latest_test_run.json", json.dumps({"testRunData": log_samples.DEEPEVAL}))
    [made], faults = campaigns(look(["my-bot"]), set())
    assert faults == [] and made.name == "my-bot"


def test_a_scorer_of_silence_does_not_count_where_there_is_another(tmp_path):
    samples = [log_samples.inspect_sample("q1", "C")]
    samples[0]["scores"] = {"refusal_check": {"value": 1}, "match": {"value": "I"}}
    path = write(tmp_path, "log.json", json.dumps(log_samples.INSPECT | {"samples": samples}))
    [log] = look([path]).sources
    assert log.options["scorer"] == "match" and "here match" in log.undecided[0]
