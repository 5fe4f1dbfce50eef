"""The runs under the scenarios of a campaign: how much a ranking depends on what counts as
right."""

import polars as pl

from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import (
    Column,
    Section,
    Table,
    tabulate,
    tabulate_frame,
    tabulate_texts,
)
from nonresponse.statistics.rankings import compare_scenarios
from nonresponse.wording import NOTHING, plural, tau

SWAPPED = (
    "Pairs of runs that are swapped: run is ahead under scenario, other run under other scenario."
    " The difference, and whether the two differ significantly, are those under {}."
)
CALLED = {
    "correct": "correct",
    "partial labels": "partly correct",
    "closed": "what is not listed is wrong",
}


def make(campaign: Campaign) -> None:
    """Write the tables of scenarios/ and the page."""
    frames = compare_scenarios(campaign.folder, campaign.task, campaign.settings, campaign.official)
    campaign.write_tables(
        "scenarios", dict(zip(("scores", "rankings", "swaps"), frames, strict=True))
    )
    campaign.write_page("scenarios", {"scenarios": make_section(campaign, *frames)})


def make_section(
    campaign: Campaign, scores: pl.DataFrame, rankings: pl.DataFrame, swaps: pl.DataFrame
) -> Section:
    """Return what each scenario says, a row of tau and swaps per measure, the ranks, and the
    swapped pairs."""
    options, own = dict(campaign.settings["scenarios"]), campaign.settings["own"]
    first, digits = campaign.measures[0], {"tau": 3, "assessors_mean_tau": 3}
    text = describe_rankings(
        rankings.filter(measure=first), first, own, campaign.settings.get("level")
    )
    caption = f"The rankings of every two scenarios; differences are those of {own}."
    by = ("p_maxt", "measure", "run", "other_run")
    moved = swaps.sort(by, nulls_last=True, maintain_order=True)
    tables = [
        list_settings(options, own),
        tabulate(caption, rankings, digits=digits, csv="rankings"),
        rank_by_scenario(scores, campaign),
        tabulate(SWAPPED.format(own), moved, csv="swaps"),
    ]
    return Section("Scenarios", [text], "reliability", tables=tables)


def describe_rankings(rankings: pl.DataFrame, measure: str, own: str, level: float | None) -> str:
    """Return how far the rankings by one measure differ between the scenarios (RANKINGS).

    level: of the tests of swapped pairs, null where there are none.
    """
    known = rankings.drop_nulls("tau").sort("tau", maintain_order=True)
    if known.is_empty():
        return f"No two scenarios have rankings by {measure} that could be compared."
    row = known.row(0, named=True)
    agree = f"{row['scenario']} and {row['other_scenario']} agree at a Kendall's tau of"
    most = ", the least of all" * (rankings.height > 1)
    sure = f", {row['swaps_significant'] or 'none'} of them significantly different under {own}"
    swapped = f"{plural(row['swaps'], 'pair')} of runs swapped{sure * (level is not None)}"
    text = f"The rankings by {measure} under {agree} {tau(row['tau'])}{most}, with {swapped}."
    is_own = (pl.col("scenario") == own) | (pl.col("other_scenario") == own)
    judges = known.filter(is_own)["assessors_mean_tau"].drop_nulls()
    others = (
        ""
        if judges.is_empty()
        else f" Under the other assessors, the mean tau is {tau(judges[0])}."
    )
    return text + others


def list_settings(options: dict[str, dict], own: str) -> Table:
    """Return a row per scenario, a column per setting in which they differ."""
    names = [name for name in options[own] if len({str(one[name]) for one in options.values()}) > 1]
    header = [CALLED.get(name, f"{name} answers count as") for name in names]
    rows = [[name, *(format_setting(one[key]) for key in names)] for name, one in options.items()]
    caption = f"What each scenario says; {own} is that of the leaderboard."
    return tabulate_texts(["scenario", *header], rows, caption, text_columns=range(len(header) + 1))


def format_setting(value: list[str] | bool | str) -> str:
    """Return the value of a setting as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else ", ".join(value) or NOTHING


def rank_by_scenario(scores: pl.DataFrame, campaign: Campaign) -> Table:
    """Return each run's score and rank by the first measure under each scenario."""
    first, own = campaign.measures[0], campaign.settings["own"]
    of_first = scores.filter(measure=first)
    runs, columns = of_first.filter(scenario=own).select("run"), [Column("run", "run")]
    for index, (name, _) in enumerate(campaign.settings["scenarios"]):
        value, rank = f"s{index}", f"r{index}"  # a scenario may have any name
        mine = of_first.filter(scenario=name).select("run", **{value: "value", rank: "rank"})
        runs = runs.join(mine, on="run", how="left", maintain_order="left")
        columns += [Column(value, "number", name, 4), Column(rank, "number", f"rank, {name}")]
    higher = "highest" if get(campaign.task, first).higher_is_better else "lowest"
    caption = f"{first} and rank of every run under each scenario, {higher} first."
    return tabulate_frame(runs, columns, caption, csv="scores")
