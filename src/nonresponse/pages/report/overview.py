"""Several campaigns side by side: who is first in each, and how runs that took part in several of them did."""

from collections import Counter
from statistics import mean

import polars as pl

from nonresponse.legible import short
from nonresponse.pages.blocks import Block, Column, Table, of_frame, of_table
from nonresponse.wording import NOTHING, TIED, number, percent, rounded


def campaigns(cards: list[dict]) -> Block:
    """A row for each campaign that was evaluated."""
    rows = []
    for card in cards:
        first, digits = ", ".join(card["best"][:3]) + " and others" * (len(card["best"]) > 3) or NOTHING, 3
        low, high = (number(end, digits) for end in card["interval"])
        rows.append(
            {
                "campaign": card["title"],
                "name": card["name"],
                "runs": card["runs"],
                "questions": card["questions"],
                "by": card["measure"],
                "first": first,
                "score": card["score"],
                "interval": NOTHING if NOTHING in (low, high) else f"{low} to {high}",
                "tied": card["tied"],
                "open": NOTHING if card["open"] is None else percent(card["open"]),
                "unscored": card["unscored"],
            }
        )
    columns = [
        Column("campaign", "address"),
        Column("runs", "number"),
        Column("questions", "number", about="asked of a run at most; not told by published counts"),
        Column("by", about="its first measure, by which runs are ranked"),
        Column("first"),
        Column("score", "number", digits=3),
        Column("interval", "number", about="95 % interval of that score, unless the campaign has another level"),
        Column("tied", "number", about=f"other {TIED}"),
        Column("open", "number", about="share of the questions that the runs left open"),
        Column("unscored", "number", about="responses that nobody judged"),
    ]
    schema = {"score": pl.Float64, "tied": pl.Int64, "questions": pl.Float64}
    return of_table(of_frame(pl.DataFrame(rows, schema_overrides=schema), columns, "The campaigns"))


def shared(cards: list[dict]) -> list[Block]:
    """For each group of campaigns (`groups`), a table of the runs that took part in two or more: mean rank and scores.

    The range is from the mean of the lowest to the mean of the highest ranks that a run may have, where all its
    campaigns tell these. Ranks among unrelated runs are not in the same table.
    """
    return [of_table(of_group(group)) for group in groups(cards) if len(group) > 1]


def groups(cards: list[dict]) -> list[list[dict]]:
    """Groups of campaigns that share runs, directly or through other campaigns; sorted by their first campaign."""
    found: list[tuple[set[str], list[int]]] = []
    for place, card in enumerate(cards):
        runs, together = {*card["scores"]}, [place]
        for one in [one for one in found if one[0] & runs]:
            found.remove(one)
            runs, together = runs | one[0], together + one[1]
        found.append((runs, sorted(together)))
    return [[cards[place] for place in together] for _, together in sorted(found, key=lambda one: one[1])]


def of_group(cards: list[dict]) -> Table:
    """A row for each run that took part in two campaigns or more."""
    times = Counter(run for card in cards for run in card["scores"])
    rows = []
    for run in sorted(run for run, often in times.items() if often > 1):
        found = [card["scores"][run][1:] for card in cards if run in card["scores"]]
        known = all(len(ranks) == 3 and None not in ranks for ranks in found)
        ends = [mean(ranks[place] for ranks in found) for place in (1, 2)] if known else []
        scores = {f"c{place}": card["scores"].get(run, [None])[0] for place, card in enumerate(cards)}
        within = " to ".join(rounded(end, 1) for end in ends) or NOTHING
        rows.append({"run": short(run), "mean": mean(ranks[0] for ranks in found), "within": within, **scores})
    columns = [
        Column("run"),
        Column("mean", "number", "mean rank", 1),
        Column("within", "number", "range", about="from the mean of its lowest to that of its highest possible ranks"),
        *[
            Column(f"c{place}", "number", f"{card['name']}: {card['measure']}", 3, better=card["better"])
            for place, card in enumerate(cards)
        ],
    ]
    schema = {name: pl.Float64 for name in rows[0] if name.startswith("c")}
    frame = pl.DataFrame(rows, schema_overrides=schema).sort("mean", "run")
    return of_frame(frame, columns, "Runs that took part in several campaigns, by their first measures")
