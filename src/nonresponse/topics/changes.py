"""What a change did: judgments, verdicts, scores, counts and ranks against those of the previous results."""

from pathlib import Path

import polars as pl

from nonresponse import legible, tables
from nonresponse.pages import blocks, document
from nonresponse.pages.blocks import Column, Table, Topic
from nonresponse.pages.blocks import moved as size_of
from nonresponse.pages.previous import KEYS, VALUES, Results, previous, results_in, unlike
from nonresponse.pages.sections import Campaign
from nonresponse.wording import NOTHING, listed, plural

ROWS = 50  # of each table; the sentence counts all of them
KINDS = ["assessor", "question", "run", "measure"]
ONCE = {"epoch": "0"}  # columns that are left out if they have only this value: questions were asked once

Found = dict[str, pl.DataFrame]


def changes(before: Results, now: Results) -> Found:
    """What differs, by section: before and now, null where one has no value; `names` has what only one side has."""
    names = {kind: (members(before, kind), members(now, kind)) for kind in KINDS}
    both = {kind: sorted(old & new) for kind, (old, new) in names.items()}
    some = [
        (kind, name, change)
        for kind, (old, new) in names.items()
        for change, of_side in (("added", new - old), ("removed", old - new))
        for name in sorted(of_side)
    ]
    schema = dict.fromkeys(("kind", "name", "change"), pl.String)
    changed = {"names": pl.DataFrame(some, schema, orient="row")}
    for name in KEYS:
        if name in before.parts and name in now.parts:
            shared = [key for key in ("assessor", "run", "question") if name == "verdicts" or key != "run"]
            changed[name] = differing(
                *unlike(name, before, now, *on_both_sides(both, shared)), KEYS[name], VALUES[name]
            )
    old, new = (side.board.filter(on_both_sides(both, ["run"])) for side in (before, now))
    scores = moved(old, new, "measure", both["measure"])
    scale = pl.col("measure").replace_strict(now.scales, default=1, return_dtype=pl.Int64)  # some are in percent
    share = pl.col("difference").abs() / scale
    changed["scores"] = scores.sort(share, "measure", "run", descending=[True, False, False])
    counts = [name for name in now.settings["counts"] if name in before.settings["counts"]]
    changed["counts"] = side_by_side(moved(old, new, "count", counts), counts)
    was, is_now = among(old), among(new)
    ranks = differing(was, is_now, ["run"], "printed").join(is_now, on="run", how="left")
    changed["ranks"] = ranks.sort("rank", "run", nulls_last=True).select("run", "before", "now")
    return changed


def among(board: pl.DataFrame) -> pl.DataFrame:
    """The runs of a leaderboard from which others were removed, ranked among themselves; `printed`: 2, 2= if shared."""
    board = board.select("run", rank=pl.col("rank").rank("min").cast(pl.Int64))
    tied = pl.when(pl.len().over("rank") > 1).then(pl.lit("=")).otherwise(pl.lit(""))
    return board.with_columns(printed=pl.col("rank").cast(pl.String) + tied)


def members(results: Results, kind: str) -> set[str]:
    """The names of one kind; none of questions and assessors where there are no verdicts."""
    if kind == "measure":
        return set(results.settings["measures"])
    return set(results.board["run"]) if kind == "run" else results.names(kind)


def on_both_sides(both: dict[str, list[str]], keys: list[str]) -> list[pl.Expr]:
    """Which rows are of runs, questions and assessors that are on both sides."""
    return [pl.col(key).is_in(both[key]) for key in keys]


def differing(before: pl.DataFrame, now: pl.DataFrame, keys: list[str], value: str) -> pl.DataFrame:
    """Keys, before and now of the rows that are on one side only or whose value differs; sorted by the keys."""
    only = {}
    for side, one, other in (("before", before, now), ("now", now, before)):
        unmatched = one.select(*keys, value).join(other, on=[*keys, value], how="anti", nulls_equal=True)
        only[side] = unmatched.rename({value: side})
    rows = only["before"].join(only["now"], on=keys, how="full", coalesce=True, nulls_equal=True)
    return rows.select(*keys, "before", "now").sort(keys)


def moved(before: pl.DataFrame, now: pl.DataFrame, name: str, columns: list[str]) -> pl.DataFrame:
    """run, the column's name, before, now, difference (null where one of them is)."""
    old, new = (
        board.select("run", *columns).unpivot(index="run", variable_name=name, value_name="value")
        for board in (before, now)
    )
    if not columns:
        old, new = (frame.cast({"value": pl.Float64}) for frame in (old, new))
    rows = differing(old, new, ["run", name], "value")
    return rows.with_columns(difference=pl.col("now") - pl.col("before"))


def side_by_side(rows: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """A row per run and a column per count: "1 → 2" where it changed, else empty."""
    cells = {run: dict.fromkeys(names, "") for run in rows["run"]}
    for run, name, *both, _ in rows.iter_rows():  # decimals only where there are any: 3, 35.8
        cells[run][name] = " → ".join(NOTHING if value is None else f"{value:.10g}" for value in both)
    schema = dict.fromkeys(["run", *names], pl.String)
    return pl.DataFrame([{"run": run, **texts} for run, texts in cells.items()], schema)


def sentence(changed: Found, before: Results, now: Results) -> str:
    parts = []
    judged = [changed_rows(changed[name], name.removesuffix("s")) for name in KEYS if name in changed]
    if judged:
        parts.append(f"{' and '.join(judged)} changed")
    parts.append(moved_scores(changed["scores"], before, now))
    # Ranks are compared among the runs on both sides: one that is added pushes all below it down.
    old, new = (members(side, "run") for side in (before, now))
    number = changed["ranks"].height
    among = "" if old == new else f" among the {len(old & new):,} on both sides"
    ranks = f"{plural(number, 'run') if number else 'no run'} changed rank{among}"
    parts.append(ranks if old & new else "no run is on both sides")
    for (kind, change), rows in changed["names"].group_by("kind", "change", maintain_order=True):
        parts.append(f"{kind}{'s' * (rows.height > 1)} {change}: {listed([text_of(name) for name in rows['name']])}")
    for setting, words in (("first", "ranked by"), ("official", "official judgments of")):
        was, is_now = (text_of(side.settings[setting] or "the only assessor") for side in (before, now))
        if was != is_now:
            parts.append(f"{words} {is_now} instead of {was}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def changed_rows(rows: pl.DataFrame, noun: str) -> str:
    """Such as: 4 judgments (1 added, 1 removed)."""
    if not rows.height:
        return f"no {noun}"
    counts = {"added": rows["before"].null_count(), "removed": rows["now"].null_count()}
    of_these = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    return plural(rows.height, noun) + (f" ({of_these})" if of_these else "")


def moved_scores(rows: pl.DataFrame, before: Results, now: Results) -> str:
    """How many of the scores that both sides have moved, and which one moved most."""
    shared = [members(before, kind) & members(now, kind) for kind in ("run", "measure")]
    number = len(shared[0]) * len(shared[1])
    if not rows.height:
        return f"none of {plural(number, 'score')} moved" if number else "no score is on both sides"
    text = f"{rows.height:,} of {plural(number, 'score')} moved"
    for top in rows.drop_nulls("difference").head(1).to_dicts():
        size = size_of(abs(top["difference"]))
        text += f", at most by {size} ({text_of(top['measure'])} of {text_of(top['run'])})"
    return text


def text_of(text: str | None) -> str:
    """Text from a file, no longer than a name."""
    return NOTHING if text is None else legible.short(text)


def told(before: Results | str, now: Results) -> tuple[str, list[Topic]]:
    """All changes in a sentence, and a topic for each kind; if `before` says why there are none, only that text."""
    if isinstance(before, str):
        return before, []
    changed = changes(before, now)
    official = now.settings.get("official")
    by = f"Under the official judgments, of {text_of(official)}." if official else ""
    of_both = "The ranks are those among the runs on both sides." * ("run" in changed["names"]["kind"])
    kinds = [
        ("names", "Added and removed", ""),
        ("judgments", "Judgments", ""),
        ("verdicts", "Verdicts", ""),
        ("scores", "Scores", by),
        ("counts", "Counts", by),
        ("ranks", "Ranks", " ".join(filter(None, [f"By {text_of(now.settings['first'])}.", by, of_both]))),
    ]
    parts = [
        Topic(heading, [], tables=[changes_table(changed[name], heading, [note] * bool(note))], folded=heading)
        for name, heading, note in kinds
        if name in changed and changed[name].height
    ]
    return sentence(changed, before, now), parts


def changes_table(rows: pl.DataFrame, caption: str, notes: list[str]) -> Table:
    """The first ROWS rows as a table, without the columns that are empty in all of them."""
    first = rows.head(ROWS)
    said = {name: any(value not in (None, "", ONCE.get(name)) for value in first[name]) for name in first.columns}
    columns = [
        Column(f"c{place}", label=name)
        if not kind.is_numeric()
        else Column(f"c{place}", "number", name, "signed" if name == "difference" else "moved")
        for place, (name, kind) in enumerate(rows.schema.items())
        if name in ("before", "now") or said[name]
    ]
    numbered = rows.rename({name: f"c{place}" for place, name in enumerate(rows.columns)})  # names may be anything
    return blocks.of_frame(numbered, columns, caption, notes, most=ROWS)


def make(campaign: Campaign, files: list[Path]) -> None:
    """Writes changes.md and changes.json, against the results that are kept in results/previous."""
    settings = campaign.settings
    now = results_in(campaign.folder, files, campaign.task, campaign.measures, settings.get("official"))
    said, topics = told(previous(settings["previous"], now), now)
    by_heading = {"": Topic("What the last change did", [said]), **{topic.heading: topic for topic in topics}}
    page = document.markdown(f"{campaign.title}: what changed", by_heading.values())
    tables.write_text(page, campaign.folder / "changes.md")
    blocks.write(by_heading, campaign.folder / "changes.json")
