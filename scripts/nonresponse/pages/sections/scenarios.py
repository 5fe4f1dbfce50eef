"""Scenarios on the page: how much a ranking hangs on what is called right."""

import polars as pl

from nonresponse.legible import short
from nonresponse.measures import get
from nonresponse.pages.document import Section, Table
from nonresponse.pages.sections import Campaign, Digits, section, shown
from nonresponse.pages.sections.rankings import swapped
from nonresponse.reliability.scenarios import RANKINGS, SCORES, SWAPS
from nonresponse.wording import NOTHING, at, number, tau, word

WORDS = ("measure", "scenario", "other_scenario", "run", "other_run")
MOST = 20  # swapped pairs on the page
CALLED = {
    "correct": "right",
    "partial labels": "partly right",
    "pooled": "shows that a question has an answer",
    "closed": "what is not listed is wrong",
}


def page(campaign: Campaign) -> Section:
    """What each reading says, a sentence and a row of tau and swaps per measure, the ranks, and pairs in no doubt."""
    readings, own = dict(campaign.settings["readings"]), campaign.settings["own"]
    scores, rankings, swaps = (
        pl.read_csv(campaign.folder / f"scenarios/{name}.csv", schema=columns)
        for name, columns in (("scores", SCORES), ("rankings", RANKINGS), ("swaps", SWAPS))
    )
    level = campaign.settings.get("level")
    findings = [(id, finding(rankings.filter(pl.col("measure") == id), id, own, level)) for id in campaign.measures]
    tables = [what_differs(readings, own), *agreement(rankings, own, level), ranks(scores, campaign)]
    return section("Scenarios", findings, [], [*tables, *certain(swaps, own, level)])


def finding(rankings: pl.DataFrame, measure: str, own: str, level: float | None) -> str:
    """How far the rankings by one measure differ between the readings; `rankings` are its RANKINGS."""
    known = rankings.drop_nulls("tau").sort("tau", maintain_order=True)
    if known.is_empty():
        return f"The rankings by {measure} cannot be compared, since under one of each two readings all runs are equal."
    row = known.row(0, named=True)
    both, how = f"{row['scenario']} and {row['other_scenario']}", f"Kendall's tau of {tau(row['tau'])}"
    if rankings.height == 1:
        text = f"The rankings by {measure} under {both} agree at a {how}; {doubt(row, own, level)}."
    else:
        number_of_readings = word(len({*rankings["scenario"], *rankings["other_scenario"]}))
        text = f"Of {number_of_readings} readings, {both} differ most by {measure}: their rankings agree at a {how};"
        text += f" {doubt(row, own, level)}."
    return text + assessors(known.filter((pl.col("scenario") == own) | (pl.col("other_scenario") == own)))


def doubt(row: dict, own: str, level: float | None) -> str:
    """How many of the swapped pairs of a row of RANKINGS can be told apart; by their differences without a test."""
    swaps, told, unknown = row["swaps"], row["swaps_told_apart"], row["swaps_not_compared"]
    if level is None or not swaps:
        return swapped(row)
    how = f"can be told apart at the {at(level)} level under {own}"
    left = f", and {unknown:,} could not be compared" if unknown else ""
    if swaps == 1:
        verb = "could not be compared" if unknown else how if told else how.replace("can", "cannot", 1)
        return f"the one swapped pair of runs {verb}"
    return f"of {swaps:,} swapped pairs of runs {f'{told:,}' if told else 'none'} {how}{left}"


def assessors(with_own: pl.DataFrame) -> str:
    """Whether the assessors matter more; from the RANKINGS of one measure that its own reading takes part in."""
    known = with_own.drop_nulls("assessors_mean_tau").sort("tau", maintain_order=True)
    if known.is_empty():
        return ""
    reading, judges = tau(known["tau"][0]), tau(known["assessors_mean_tau"][0])
    if reading == judges:
        return f" Who judges changes the ranking as much: the mean tau under the other assessors is {judges}, too."
    less = "less" if known["tau"][0] < known["assessors_mean_tau"][0] else "more"
    return f" Who judges changes the ranking {less}: the mean tau under the other assessors is {judges}."


def what_differs(readings: dict[str, dict], own: str) -> Table:
    """A row per reading, a column for all in which they differ."""
    different = [name for name in readings[own] if len({str(says[name]) for says in readings.values()}) > 1]

    def said(value: list[str] | bool | str) -> str:
        """Labels, yes or no, or a policy."""
        if isinstance(value, list):
            return ", ".join(value) or NOTHING
        if isinstance(value, bool):
            return "yes" if value else "no"
        return value

    cells = [[name, *[said(says[column]) for column in different]] for name, says in readings.items()]
    header = ["scenario", *[CALLED.get(column, f"{column} answers count as") for column in different]]
    caption = f"What each scenario says; {own} is the reading of the leaderboard."
    return Table(header, cells, caption, words=header)


def agreement(rankings: pl.DataFrame, own: str, level: float | None) -> list[Table]:
    """Tau and swaps between every two readings, by measure."""
    columns: dict[str, Digits] = {"measure": None, "scenario": None, "other_scenario": None, "tau": 3, "swaps": None}
    caption = (
        f"Kendall's tau between the rankings, and the pairs of runs that change places. Differences are those of {own}"
    )
    if level is not None:
        columns["swaps_told_apart"] = None
        caption += f"; told apart: by step-down max-t sign flips at {level:g} under {own}"
    columns |= {"swaps_005": None, "swaps_007": None, "largest_difference": 4}
    return [shown(f"{caption}.", rankings, columns, WORDS)]


def ranks(scores: pl.DataFrame, campaign: Campaign) -> Table:
    """Every run's score and rank by the first measure under each reading, in the order of the campaign's own."""
    first, names = campaign.measures[0], [name for name, _ in campaign.settings["readings"]]
    own = campaign.settings["own"]
    found: dict[str, dict[str, str]] = {name: {} for name in names}
    of_first = scores.filter(pl.col("measure") == first)
    for name, run, value, rank, tied in of_first.select("scenario", "run", "value", "rank", "tied").iter_rows():
        place = NOTHING if rank is None else f"{rank}{'=' if tied else ''}"
        found[name][run] = f"{number(value, 4)} ({place})"
    runs = of_first.filter(pl.col("scenario") == own)["run"]
    cells = [[short(run), *[found[name].get(run, NOTHING) for name in names]] for run in runs]
    higher = "highest" if get(campaign.task, first).higher_is_better else "lowest"
    caption = f"{first} under each scenario, and in brackets the rank, {higher} first; = marks equal scores."
    return Table(["run", *names], cells, caption)


def certain(swaps: pl.DataFrame, own: str, level: float | None) -> list[Table]:
    """The swapped pairs that can be told apart, the surest first; no table where there are none."""
    told = swaps.filter(pl.col("told_apart")).sort("p_maxt", "measure", "run", "other_run", maintain_order=True)
    if told.is_empty():
        return []
    names: dict[str, Digits] = {"measure": None, "scenario": None, "other_scenario": None}
    columns = {**names, "run": short, "other_run": short, "own_difference": 4, "p_maxt": 4}
    first = f"The first {MOST} of the {told.height:,} swapped pairs" if told.height > MOST else "The swapped pairs"
    caption = (
        f"{first} that can be told apart under {own}: run is ahead under scenario, other_run under other_scenario."
    )
    return [shown(caption, told.head(MOST), columns, WORDS)]
