"""What the rules ask, with stand-ins for what Snakemake hands in; tests/workflow has the rules themselves."""

import re
from types import SimpleNamespace

import pytest
from conftest import HOME
from nonresponse.dag import asks
from reading import write

SCENARIO = SimpleNamespace(name="a/scenarios/lenient")
WITHOUT_RULES = SimpleNamespace(name="a/without-rules")


class Counted:
    """Snakemake's checkpoint `tally`, which notes who waits for which counts."""

    def __init__(self):
        self.asked = []
        self.tally = self

    def get(self, campaign: str):
        self.asked.append(campaign)
        return SimpleNamespace(output=SimpleNamespace(counts=f"results/{campaign}/counts.parquet"))


@pytest.fixture
def ask() -> asks.Asks:
    first = SimpleNamespace(name="a", own_scenarios=[SCENARIO])
    first.tallied = [first, SCENARIO, WITHOUT_RULES]
    campaigns = [first, SimpleNamespace(name="b", own_scenarios=[], tallied=[])]
    run = SimpleNamespace(campaigns=campaigns, evaluations={it.name: it for it in [*campaigns, *first.tallied]})
    return asks.Asks(run, Counted())


def test_what_waits_for_counts_asks_for_those_of_its_campaign_alone(ask):
    of_a, of_b = ask.of_each(lambda campaign: campaign.name)
    assert (of_a(None), ask.checkpoints.asked) == ("a", ["a", "a/without-rules"])
    ask.checkpoints.asked.clear()
    assert (of_b(None), ask.checkpoints.asked) == ("b", [])  # a table of counts
    ask.counted(lambda campaign: [campaign.name], scenarios=True)(SimpleNamespace(campaign="a"))
    assert ask.checkpoints.asked == ["a", "a/without-rules", "a/scenarios/lenient"]


def test_each_count_is_an_input_of_its_own(ask):
    paths = [counts(None) for counts in ask.all_counts()]
    assert paths == [f"results/{name}/counts.parquet" for name in ("a", "a/scenarios/lenient", "a/without-rules")]


def test_a_pattern_of_no_words_matches_nothing():
    assert re.fullmatch(asks.one_of(["c@1", "e@2"]), "e@2") and not re.fullmatch(asks.one_of(["a.b"]), "axb")
    assert not re.search(asks.one_of([]), "") and not re.search(asks.one_of([]), "anything")


def test_a_job_that_was_killed_gets_more_and_a_packed_file_counts_ten_times(tmp_path):
    plain, packed = tmp_path / "a.csv", tmp_path / "a.csv.gz"
    for path in (plain, packed):
        path.write_bytes(b"x" * 1_000_000)
    memory = asks.request(1000, 12)
    assert [memory(None, [str(plain)], attempt) for attempt in (1, 2)] == [1012, 2024]
    assert memory(None, [str(packed)], 1) == 1120
    threads = asks.threads_up_to(4)
    assert [threads(None, paths) for paths in ([], [str(plain)], [str(packed)], ["not there yet"])] == [1, 2, 4, 1]


def test_what_a_group_of_jobs_asks_for_is_known_before_any_of_them_is_done(ask, tmp_path, monkeypatch):
    """It depends on the raw files of the campaign, also for one of its scenarios, or on its verdicts."""
    raw, verdicts = tmp_path / "raw.csv", tmp_path / "verdicts.parquet"
    raw.write_bytes(b"x" * 2_000_000)
    verdicts.write_bytes(b"x" * 1_000_000)
    monkeypatch.setattr(asks.files, "raw", lambda it: [str(raw)] if it.name == "a" else [])
    monkeypatch.setattr(asks.files, "tables_counted", lambda it: [str(verdicts)])
    SCENARIO.campaign = ask.campaigns[0]
    of_scenario = SimpleNamespace(campaign=SCENARIO.name)
    assert [ask.by_raw(1000, 5)(of_scenario, attempt) for attempt in (1, 2)] == [1010, 2020]
    assert ask.by_verdicts(1000, 10)(of_scenario, 1) == 1023, "with what follows from them"


@pytest.mark.parametrize("profile", [{}, {"raw": 1000}])
def test_a_campaign_and_its_scenarios_are_a_group_where_the_profile_says_so(ask, profile):
    settings = SimpleNamespace(group_components=profile)
    ask.run.workflow = SimpleNamespace(group_settings=settings, parent_groupids={}, is_main_process=True)
    SCENARIO.campaign = ask.campaigns[0]
    group = ask.group("raw")(SimpleNamespace(campaign=SCENARIO.name))
    assert (group, ask.run.workflow.parent_groupids["raw-a"]) == ("raw-a" if profile else None, "raw")


@pytest.mark.parametrize("in_shards", [False, True])
def test_verdicts_on_one_of_several_shards_wait_for_what_is_known_of_all(ask, monkeypatch, tmp_path, in_shards):
    campaign = ask.campaigns[0]
    campaign.in_shards, campaign.shards, campaign.campaign = in_shards, [1, 3][: 1 + in_shards], campaign
    monkeypatch.setattr(asks.files, "judged", lambda it: ["questions.parquet", "graded/1.parquet", "graded/3.parquet"])
    monkeypatch.setattr(asks.files, "certificate", lambda it: ["check.txt"])
    sharing = write(tmp_path, "sharing.json", '{"1": [1], "3": [3]}')
    for name, path in {"known": "a/known.parquet", "sharing": str(sharing)}.items():
        output = SimpleNamespace(output=[path])
        setattr(ask.checkpoints, name, SimpleNamespace(get=lambda campaign, output=output: output))
    of_shard = SimpleNamespace(campaign="a", shard="1")
    waits_for = "a/known.parquet" if in_shards else "check.txt"
    assert ask.judged(of_shard) == ["questions.parquet", "graded/1.parquet", waits_for]
    ask.run.workflow = SimpleNamespace(
        group_settings=SimpleNamespace(group_components={"raw": 1, "judged": 1}),
        parent_groupids={},
        is_main_process=True,
    )
    assert ask.group("raw", in_shards="judged")(of_shard) == ("judged-a" if in_shards else "raw-a")
    assert [ask.further(SimpleNamespace(campaign="a", shard=it)) for it in ("1", "3")] == ["", "--further"]


def test_the_rules_stand_alone_and_the_library_does_not_import_snakemake():
    """Helpers of rules are functions of the library, where mypy sees them; Snakemake hands in what they need of it."""
    rules = [HOME / "Snakefile", *(HOME / "workflow").rglob("*.smk")]
    assert not [path for path in rules if re.search(r"^ *(def|class) ", path.read_text(), re.MULTILINE)]
    heads = [path.read_text().split('"""')[1] for path in rules[1:]]
    told = re.compile(r"^Reads .*^Writes |^Reads and writes ", re.MULTILINE | re.DOTALL)
    assert not [head for head in heads if not told.search(head)]
    library = [*(HOME / "src").rglob("*.py")]
    assert not [path for path in library if re.search(r"^ *(import|from) snakemake", path.read_text(), re.MULTILINE)]
