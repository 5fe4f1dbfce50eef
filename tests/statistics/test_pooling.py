"""What a run owes to its part in the pool, where no run alone found anything."""

from nonresponse import tasks
from nonresponse.statistics import pooling
from nonresponse.statistics.analyses import Inputs
from pipeline import Campaign


def test_nothing_that_one_run_found_alone(tmp_path):
    rows = [{"question": "q", "answer": "x"}]
    campaign = Campaign(tmp_path).evaluate_runs(
        {"a": rows, "b": rows}, {"gold": [{"question": "q", "answer": "x", "label": "R"}]}
    )
    settings = {"measures": ["c@1"], "correct": ["R"], "partial": [], "policy": tasks.POLICIES}
    responses = sorted((tmp_path / "responses").glob("*.parquet"))
    names = ("questions.parquet", "judgments.parquet")
    pool = [campaign.verdicts, *(tmp_path / name for name in names), *responses]
    [table] = pooling.summarise(Inputs(pool=pool), "qa", settings)
    assert table.is_empty() and table.schema == pooling.POOLING
    assert campaign.score("c@1", "a") == 1
