"""The pages of a campaign: what is found out from its scores and verdicts, a module of `topics` each.

Each takes the files that its page is made of, and writes `out`: the page, its blocks and its tables. The first of them
lies in the campaign's folder.
"""

from importlib import import_module
from pathlib import Path

from nonresponse.stages.params import (
    AdjudicationParams,
    AuditParams,
    GatesParams,
    LeaderboardParams,
    PageParams,
    ReliabilityParams,
    ScenariosParams,
    SystemsParams,
)


def write_page(topic: str, out: list[Path], files: list[Path], params: PageParams, **more: object) -> None:
    """Write the page of a topic from these files."""
    from nonresponse.pages.sections import Campaign

    campaign = Campaign(params.name, params.task, out[0].parent, {**params.settings(), **more})
    import_module(f"nonresponse.topics.{topic}").make(campaign, files)


def imports(accounts: list[Path], counts: Path, *, out: list[Path], params: PageParams) -> None:
    """Compare what logs hold with what they state."""
    write_page("imports", out, [*accounts, counts], params)


def leaderboard(
    counts: Path,
    scores: list[Path],
    categories: list[Path],
    trials: list[Path],
    choices: list[Path],
    accounts: list[Path],
    verdicts: list[Path],
    judgments: list[Path],
    *,
    out: list[Path],
    previous: Path | None,
    params: LeaderboardParams,
) -> None:
    """Rank the runs, with intervals and counts; and compare all of it with the results that `previous` keeps.

    `previous` is a folder, null where nothing is compared. `trials` are intervals and tests by measure, `choices` the
    questions where a column says how many choices they have.
    """
    write_page("leaderboard", out, accounts, params)
    if previous:
        write_page("changes", out, [*verdicts, *judgments], params, previous=previous)


def reliability(
    counts: Path,
    scores: list[Path],
    trials: list[Path],
    summaries: list[Path],
    *,
    out: list[Path],
    params: ReliabilityParams,
) -> None:
    """Write the page on how far scores can be trusted, with its figures."""
    write_page("reliability", out, [], params)


def audit(
    responses: list[Path],
    graded: list[Path],
    judgments: list[Path],
    questions: list[Path],
    ruled: list[Path],
    check: list[Path],
    *,
    out: list[Path],
    params: AuditParams,
) -> None:
    """List the answers whose state a rule on their text decided, beside their verdicts without the rules."""
    sources = {"responses": responses, "graded_responses": graded, "judgments": judgments, "questions": questions}
    write_page("audit", out, ruled, params, sources={name: paths for name, paths in sources.items() if paths})


def adjudication(
    verdicts: Path,
    counts: Path,
    judgments: list[Path],
    responses: list[Path],
    voters: list[Path],
    *,
    out: list[Path],
    params: AdjudicationParams,
) -> None:
    """List the answers whose judgments matter most."""
    write_page("adjudication", out, [verdicts, counts, *judgments, *responses, *voters], params)


def scenarios(
    counts: Path,
    scores: list[Path],
    of_scenarios: list[Path],
    comparisons: list[Path],
    *,
    out: list[Path],
    params: ScenariosParams,
) -> None:
    """Compare the rankings under the scenarios of the campaign."""
    described = params.described_scenarios
    write_page("scenarios", out, [], params, **described)


def systems(
    verdicts: Path, counts: Path, scores: list[Path], comparisons: list[Path], *, out: list[Path], params: SystemsParams
) -> None:
    """Compare configurations of systems with their baselines."""
    write_page("systems", out, [verdicts, counts, *scores, *comparisons], params)


def gates(verdicts: Path, clusters: list[Path], *, out: list[Path], params: GatesParams) -> None:
    """Try the gates of the campaign."""
    write_page("gates", out, [verdicts, *clusters], params)
