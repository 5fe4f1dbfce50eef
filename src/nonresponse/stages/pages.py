"""The pages of a campaign: what is found out from its scores and verdicts, a module of
`report.sections` each.

Each takes the files that its page is made of, and writes `out`: the page, its sections and its
tables.
"""

from importlib import import_module
from pathlib import Path

from nonresponse.stages.params import (
    AdjudicationParams,
    GatesParams,
    LeaderboardParams,
    PageParams,
    ReliabilityParams,
    ScenariosParams,
    SystemsParams,
)


def write_page(
    name: str, out: list[Path], params: PageParams, *files: Path | list[Path], **settings: object
) -> None:
    """Write a page from these files; the first of `out` lies in the campaign's folder."""
    from nonresponse.report.campaign import Campaign

    campaign = Campaign(params.name, params.task, out[0].parent, {**params.settings(), **settings})
    import_module(f"nonresponse.report.sections.{name}").make(campaign, *files)


def imports(accounts: list[Path], counts: Path, *, out: list[Path], params: PageParams) -> None:
    """Compare what logs hold with what they state."""
    write_page("imports", out, params, accounts, counts)


def leaderboard(
    counts: Path,
    scores: list[Path],
    scores_by_category: list[Path],
    trials: list[Path],
    accounts: list[Path],
    verdicts: list[Path],
    judgments: list[Path],
    *,
    out: list[Path],
    previous: Path | None,
    params: LeaderboardParams,
) -> None:
    """Rank the runs, with intervals and counts; and compare all of it with the results that
    `previous` keeps.

    `previous` is a folder, null where nothing is compared. `trials` are intervals and tests by
    measure.
    """
    write_page("leaderboard", out, params, accounts)
    if previous:
        write_page("changes", out, params, [*verdicts, *judgments], previous=previous)


def reliability(
    counts: Path,
    scores: list[Path],
    trials: list[Path],
    summaries: list[Path],
    *,
    out: list[Path],
    params: ReliabilityParams,
) -> None:
    """Write the page on how far scores can be trusted."""
    write_page("reliability", out, params)


def audit(
    ruled: list[Path], unruled_verdicts: Path, *, out: list[Path], params: PageParams
) -> None:
    """List the answers that a rule on their text decided, with their verdicts without it."""
    write_page("audit", out, params, ruled, unruled_verdicts)


def adjudication(
    verdicts: Path,
    counts: Path,
    judgments: list[Path],
    responses: list[Path],
    *,
    out: list[Path],
    params: AdjudicationParams,
) -> None:
    """List the answers whose judgments matter most."""
    write_page("adjudication", out, params, verdicts, counts, judgments, responses)


def scenarios(
    counts: Path,
    scores: list[Path],
    scenario_results: list[Path],
    *,
    out: list[Path],
    params: ScenariosParams,
) -> None:
    """Compare the rankings under the scenarios of the campaign."""
    write_page("scenarios", out, params, **params.described_scenarios)


def systems(verdicts: Path, counts: Path, *, out: list[Path], params: SystemsParams) -> None:
    """Compare configurations of systems with their baselines."""
    write_page("systems", out, params, verdicts, counts)


def gates(verdicts: Path, clusters: list[Path], *, out: list[Path], params: GatesParams) -> None:
    """Try the gates of the campaign."""
    write_page("gates", out, params, verdicts, clusters)
