"""Scenarios in the workflow: same rules as the campaign, repeated where an edit counts."""

import polars as pl
import pytest
from conftest import TINY, Project, edit, tiny_campaign

pytestmark = pytest.mark.slow

SCENARIOS = {
    "strict": {"correct": ["R"]},
    "lenient": {"correct": ["R", "X"]},
    "silent": {"unscored": "unanswered"},
}
LENIENT, SILENT = "tiny/scenarios/lenient", "tiny/scenarios/silent"


def configure_scenarios(project: Project) -> Project:
    """Configure the campaign with and without scenarios, and one that equals a scenario."""
    tiny_campaign(project)
    lenient = TINY | {"judgments": TINY["judgments"] | {"correct": ["R", "X"]}}
    project.configure(tiny=TINY | {"scenarios": SCENARIOS}, plain=TINY, lenient=lenient)
    return project


@pytest.fixture
def scored(evaluated) -> Project:
    return evaluated("tiny-scenarios", configure_scenarios)


def steps(project: Project) -> list[str]:
    """Without the report, which shows the configuration and depends on nearly everything."""
    return [step for step in project.steps() if step != "all" and not step.startswith("report")]


def list_scoring(scenario: str) -> list[str]:
    """The jobs that score a scenario from its verdicts."""
    counts = [f"score_counts {scenario} {id}" for id in ("accuracy", "c@1")]
    return [f"count {scenario}", *counts, f"score_verdicts {scenario} cws"]


def test_a_scenario_scores_as_a_campaign_configured_so(scored):
    results = scored.results()
    for name, campaign in {"plain": "tiny", "lenient": LENIENT}.items():
        tables = (f"{name}/scores", f"{name}/counts")
        files = {path: text for path, text in results.items() if path.startswith(tables)}
        assert files and {path: results[path.replace(name, campaign, 1)] for path in files} == files
    plain = results["plain/leaderboard.csv"].replace(b"\nplain,", b"\ntiny,")
    assert plain == results["tiny/leaderboard.csv"]
    folder = scored.folder / "results/tiny/scenarios"
    table = pl.read_csv(folder / "scores.csv").filter(scenario="lenient", measure="c@1")
    board = pl.read_csv(scored.folder / "results/lenient/leaderboard.csv")
    assert table.select("run", "rank").rows() == board.select("run", "rank").rows()
    # One that is the campaign's own scenario, and one that has its verdicts, make no verdicts.
    assert [path.parent.name for path in folder.glob("*/verdicts.npz")] == ["lenient"]
    assert not (folder / "strict").exists()


def test_an_edit_repeats_what_follows_from_it(scored):
    scored.configure(tiny=TINY | {"scenarios": SCENARIOS})
    # No longer correct in the lenient scenario, and still wrong in the campaign's own, strict one,
    # whose scores stay.
    edit(scored, "raw/judgments.tsv", "q2\tRome\tX", "q2\tRome\tU")
    pages = [f"{page} tiny" for page in ("leaderboard", "scenarios")]
    stages = [f"{rule} tiny" for rule in ("check", "ingest_judgments", "judge")]
    assert steps(scored) == sorted([*stages, f"judge {LENIENT}", *list_scoring(LENIENT), *pages])
    # What becomes of unjudged answers in one scenario, and one scenario less.
    edited = {name: SCENARIOS[name] for name in ("lenient", "silent")}
    edited["silent"] = {"unscored": "exclude"}
    scored.configure(tiny=TINY | {"scenarios": edited})
    assert steps(scored) == sorted([*list_scoring(SILENT), "scenarios tiny"])
