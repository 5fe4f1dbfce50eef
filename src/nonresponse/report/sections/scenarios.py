"""The runs under the scenarios of a campaign: does the ranking depend on what counts as correct?"""

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

LABELS = {
    "correct": "correct",
    "partial labels": "partly correct",
    "closed": "what is not listed is wrong",
}


def make(campaign: Campaign) -> None:
    """Write the tables of scenarios/ and the page."""
    frames = compare_scenarios(campaign.folder, campaign.task, campaign.settings, campaign.official)
    campaign.write_tables("scenarios", dict(zip(("scores", "rankings"), frames, strict=True)))
    campaign.write_page("scenarios", {"scenarios": make_section(campaign, *frames)})


def make_section(campaign: Campaign, scores: pl.DataFrame, rankings: pl.DataFrame) -> Section:
    """Return the settings of each scenario, tau and swaps by measure, and ranks."""
    options, main = dict(campaign.settings["scenarios"]), campaign.settings["own"]
    id = campaign.measures[0]
    sentence = describe_rankings(rankings.filter(measure=id), id, main)
    caption = f"The rankings of every two scenarios; differences are those of {main}."
    digits = {"tau": 3, "assessors_mean_tau": 3}
    tables = [
        list_settings(options, main),
        tabulate(caption, rankings, digits=digits, csv="rankings"),
        rank_by_scenario(scores, campaign),
    ]
    return Section("Scenarios", [sentence], "reliability", tables=tables)


def describe_rankings(rankings: pl.DataFrame, measure: str, main: str) -> str:
    """Return how far the rankings by one measure differ between the scenarios."""
    rows = rankings.drop_nulls("tau").sort("tau", maintain_order=True)
    if rows.is_empty():
        return f"No two scenarios have rankings by {measure} that could be compared."
    row = rows.row(0, named=True)
    pair = f"{row['scenario']} and {row['other_scenario']}"
    rank = ", the least of all" * (rankings.height > 1)
    swaps = f"{plural(row['swaps'], 'pair')} of runs swapped"
    value = f"a Kendall's tau of {tau(row['tau'])}{rank}"
    text = f"The rankings by {measure} under {pair} agree at {value}, with {swaps}."
    has_main = (pl.col("scenario") == main) | (pl.col("other_scenario") == main)
    for mean in rows.filter(has_main)["assessors_mean_tau"].drop_nulls().head(1):
        text += f" Under the other assessors, the mean tau is {tau(mean)}."
    return text


def list_settings(options: dict[str, dict], main: str) -> Table:
    """Return a row per scenario, a column per setting in which they differ."""
    scenarios = options.values()
    keys = [key for key in options[main] if len({str(scenario[key]) for scenario in scenarios}) > 1]
    header = ["scenario", *(LABELS.get(key, f"{key} answers count as") for key in keys)]
    rows = [
        [name, *(format_setting(scenario[key]) for key in keys)]
        for name, scenario in options.items()
    ]
    caption = f"What each scenario says; {main} is that of the leaderboard."
    return tabulate_texts(header, rows, caption, text_columns=range(len(header)))


def format_setting(value: list[str] | bool | str) -> str:
    """Return the value of a setting as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else ", ".join(value) or NOTHING


def rank_by_scenario(scores: pl.DataFrame, campaign: Campaign) -> Table:
    """Return each run's score and rank by the first measure under each scenario."""
    id, main = campaign.measures[0], campaign.settings["own"]
    scores = scores.filter(measure=id)
    runs, columns = scores.filter(scenario=main).select("run"), [Column("run", "run")]
    for index, (name, _) in enumerate(campaign.settings["scenarios"]):
        value, rank = f"s{index}", f"r{index}"  # a scenario may have any name
        rows = scores.filter(scenario=name).select("run", **{value: "value", rank: "rank"})
        runs = runs.join(rows, on="run", how="left", maintain_order="left")
        columns += [Column(value, "number", name, 4), Column(rank, "number", f"rank, {name}")]
    order = "highest" if get(campaign.task, id).higher_is_better else "lowest"
    caption = f"{id} and rank of every run under each scenario, {order} first."
    return tabulate_frame(runs, columns, caption, csv="scores")
