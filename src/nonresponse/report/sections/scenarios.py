"""The runs under the scenarios of a campaign: how much a ranking depends on what counts as
right."""

import polars as pl

from nonresponse.measures import get
from nonresponse.report.campaign import Campaign
from nonresponse.report.model import Column, Section, Table, of_frame, shown
from nonresponse.report.sections.rankings import swaps
from nonresponse.statistics.rankings import compare_scenarios
from nonresponse.wording import NOTHING, agree, at, no_tau, swapped_pairs, tau, word

MOST = 20  # swapped pairs, on paper
CALLED = {
    "correct": "right",
    "partial labels": "partly right",
    "pooled": "shows that a question has an answer",
    "closed": "what is not listed is wrong",
}


def make(campaign: Campaign) -> None:
    """Write the tables of scenarios/ and the page."""
    frames = compare_scenarios(campaign.folder, campaign.task, campaign.settings, campaign.official)
    campaign.write_tables(
        "scenarios", dict(zip(("scores", "rankings", "swaps"), frames, strict=True))
    )
    campaign.write_page("scenarios", {"scenarios": section(campaign, *frames)})


def section(
    campaign: Campaign, scores: pl.DataFrame, rankings: pl.DataFrame, swaps: pl.DataFrame
) -> Section:
    """Return what each scenario says, a row of tau and swaps per measure, the ranks, and the
    swapped pairs."""
    said_by, own = dict(campaign.settings["scenarios"]), campaign.settings["own"]
    level = campaign.settings.get("level")
    first = campaign.measures[0]
    said = [sentence(rankings.filter(pl.col("measure") == first), first, own, level)]
    apart = (
        f"; differ: by step-down max-t sign flips at {level:g} under {own}"
        if level is not None
        else ""
    )
    places = "Kendall's tau between the rankings, and the pairs of runs that are swapped."
    caption = f"{places} Differences are those of {own}{apart}"
    digits = {"tau": 3, "assessors_mean_tau": 3}
    tables = [
        what_differs(said_by, own),
        shown(f"{caption}.", rankings, digits=digits, csv="rankings"),
    ]
    tables.append(ranks(scores, campaign))
    told = swaps.sort("p_maxt", "measure", "run", "other_run", nulls_last=True, maintain_order=True)
    caption = (
        "Pairs of runs that are swapped: run is ahead under scenario, other_run under "
        "other_scenario. The difference,"
        f" and whether the two differ significantly, are those under {own}."
    )
    tables += [shown(caption, told, csv="swaps", paper=MOST)] * (told.height > 0)
    return Section("Scenarios", said, "reliability", tables=tables)


def sentence(rankings: pl.DataFrame, measure: str, own: str, level: float | None) -> str:
    """Return how far the rankings by one measure differ between the scenarios; `rankings` are its
    RANKINGS."""
    known = rankings.drop_nulls("tau").sort("tau", maintain_order=True)
    if known.is_empty():
        return no_tau(measure, "scenarios")
    row = known.row(0, named=True)
    both, how = f"{row['scenario']} and {row['other_scenario']}", agree(row["tau"])
    text = f"The rankings by {measure} under {both} {how}"
    if rankings.height > 1:
        number = word(len({*rankings["scenario"], *rankings["other_scenario"]}))
        text = f"Of {number} scenarios, {both} differ most by {measure}: their rankings {how}"
    with_own = known.filter((pl.col("scenario") == own) | (pl.col("other_scenario") == own))
    return f"{text}; {doubt(row, own, level)}.{assessors(with_own)}"


def doubt(row: dict, own: str, level: float | None) -> str:
    """Return how many swapped pairs of a row of RANKINGS differ significantly; by their differences
    without a test."""
    number, unknown = row["swaps"], row["swaps_not_compared"]
    if level is None:
        return swaps(row)
    if number == 1 == unknown:
        return "the one swapped pair could not be compared"
    left = f", and {unknown:,} could not be compared" if unknown else ""
    return (
        swapped_pairs(
            number, row["swaps_significant"], f"significantly at the {at(level)} level under {own}"
        )
        + left
    )


def assessors(with_own: pl.DataFrame) -> str:
    """Return whether assessors matter more; from the RANKINGS of one measure that have the
    campaign's own scenario."""
    known = with_own.drop_nulls("assessors_mean_tau").sort("tau", maintain_order=True)
    if known.is_empty():
        return ""
    scenarios_tau, judges = tau(known["tau"][0]), tau(known["assessors_mean_tau"][0])
    if scenarios_tau == judges:
        return (
            " Who judges changes the ranking as much: the mean tau under the other "
            f"assessors is {judges}, too."
        )
    less = "less" if known["tau"][0] < known["assessors_mean_tau"][0] else "more"
    return (
        f" Who judges changes the ranking {less}: the mean tau under the other assessors is "
        f"{judges}."
    )


def what_differs(said_by: dict[str, dict], own: str) -> Table:
    """Return a row per scenario, a column per setting in which they differ."""
    different = [
        name for name in said_by[own] if len({str(says[name]) for says in said_by.values()}) > 1
    ]

    def said(value: list[str] | bool | str) -> str:
        if isinstance(value, list):
            return ", ".join(value) or NOTHING
        if isinstance(value, bool):
            return "yes" if value else "no"
        return value

    # A scenario may say anything: the columns are s0, s1, ... in the data.
    labels = {
        f"s{place}": CALLED.get(name, f"{name} answers count as")
        for place, name in enumerate(different)
    }
    rows = [[name, *[said(says[column]) for column in different]] for name, says in said_by.items()]
    frame = pl.DataFrame(rows, dict.fromkeys(["scenario", *labels], pl.String), orient="row")
    caption = f"What each scenario says; {own} is that of the leaderboard."
    columns = [Column(key, label=label, long=True) for key, label in labels.items()]
    return of_frame(frame, [Column("scenario"), *columns], caption)


def ranks(scores: pl.DataFrame, campaign: Campaign) -> Table:
    """Return each run's score and rank by the first measure under each scenario, in the order of
    the campaign's."""
    first, own = campaign.measures[0], campaign.settings["own"]
    of_first = scores.filter(pl.col("measure") == first)
    runs, columns = (
        of_first.filter(pl.col("scenario") == own).select("run"),
        [Column("run", run=True)],
    )
    # s0, r0, s1, r1, ... in the data
    for place, (name, _) in enumerate(campaign.settings["scenarios"]):
        mine = of_first.filter(pl.col("scenario") == name)
        of_scenario = mine.select(
            "run", pl.col("value").alias(f"s{place}"), pl.col("rank").alias(f"r{place}")
        )
        runs = runs.join(of_scenario, on="run", how="left", maintain_order="left")
        columns += [
            Column(f"s{place}", "number", name, 4),
            Column(f"r{place}", "number", f"rank, {name}"),
        ]
    higher = "highest" if get(campaign.task, first).higher_is_better else "lowest"
    caption = f"{first} and rank of every run under each scenario, {higher} first."
    return of_frame(runs, columns, caption, csv="scores")
