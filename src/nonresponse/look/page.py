"""What was found, as text for a terminal."""

from itertools import groupby
from operator import attrgetter

import polars as pl

from nonresponse import formats
from nonresponse.faults import Fault, printable, shown
from nonresponse.legible import short
from nonresponse.look import Looked
from nonresponse.look.block import block
from nonresponse.look.campaigns import Campaign
from nonresponse.tasks import VERDICTS
from nonresponse.wording import plural

EXAMPLES = 3  # rows of each state that are shown
MOST = 20  # runs, or groups of them, that are shown
WIDTH = 60  # characters of an answer that are shown


def page(campaigns: list[Campaign], looked: Looked, faults: list[Fault]) -> str:
    """The page: each campaign, the files read with others, what cannot be read, and the block for config.yaml."""
    lines = [line for campaign in campaigns for line in of_campaign(campaign)]
    if looked.beside:
        lines += ["Read with others", *(f"  {path}: {what}" for path, what in looked.beside.items()), ""]
    if faults:
        lines += ["Cannot be read", *(f"  {one}" for one in refusals(faults)), ""]
    text = "".join(f"{printable(line)}\n" for line in lines)
    return text + (f"For config.yaml\n\n{block(campaigns)}" if campaigns else "Nothing here can be read.\n")


def refusals(faults: list[Fault]) -> list[str]:
    """A line for all files with the same first fault; further faults are counted."""
    alike: dict[tuple[str, str], list[str]] = {}
    for file, of_file in groupby(sorted(set(faults)), key=attrgetter("file")):
        (_, line, found, expected), *others = of_file
        more = f" (and {plural(len(others), 'more fault')})" if others else ""
        alike.setdefault((found, f"{expected}{more}"), []).append(f"{file}:{line}" if line else file)
    return [f"{several(places)}: found {found}; expected {expected}" for (found, expected), places in alike.items()]


def several(paths: list[str]) -> str:
    """The first of some paths, and how many more there are."""
    return paths[0] + (f" and {len(paths) - 1:,} more" if len(paths) > 1 else "")


def of_campaign(campaign: Campaign) -> list[str]:
    """The lines on a campaign: what it is and why, its states or counts, its runs, and what its files leave open."""
    of_campaign = dict.fromkeys(one.format for one in campaign.sources)
    lines = [f"{campaign.name}: {', '.join(of_campaign)}, task {campaign.written['task']}"]
    reasons: dict[str, list[str]] = {}
    for one in campaign.sources:
        reasons.setdefault(f"{one.format}: {one.why}", []).append(one.path)
    lines += [f"  {several(paths)}: {why}" for why, paths in reasons.items()]
    is_counts = "counts" in campaign.written
    official, rows = campaign.written.get("graded", {}).get("official"), campaign.rows
    rows = rows.filter(assessor=official) if official and "assessors" in campaign.written["graded"] else rows
    lines += counts(rows) if is_counts else [*states(rows, how_sure(campaign)), *asked(rows)]
    return [*lines, *open_questions(campaign), ""]


def how_sure(campaign: Campaign) -> dict[str, str]:
    """By state: how sure it is that its responses have it, and the evidence."""
    if campaign.sources[0].format in formats.LOGS:
        return dict.fromkeys(VERDICTS, "sure, as far as the log tells: it is its own state")
    return {state: what for one in reversed(campaign.sources) for state, what in one.how.items()}


def counts(rows: pl.DataFrame) -> list[str]:
    lines = [f"  {plural(rows.height, 'run')}"]
    for row in rows.head(EXAMPLES).rows(named=True):
        given = [f"{name} = {value:g}" for name, value in row.items() if isinstance(value, float)]
        lines.append(f"    {short(row['run'])}: {', '.join(given)}")
    return lines


def states(rows: pl.DataFrame, how: dict[str, str]) -> list[str]:
    """Lines on each state: the number of responses, the first of them, the commonest answers, and how sure it is."""
    answered, failed = pl.col("answered"), pl.col("failed")
    of_runs = {"answered": answered & ~failed, "unanswered": ~answered & ~failed, "failed": failed}
    of_graded = {name: pl.col("verdict") == name for name in VERDICTS}
    lines = []
    for name, state in (of_graded if "verdict" in rows.columns else of_runs).items():
        own = rows.filter(state)
        lines += [f"  {name} {own.height:,}"]
        said = own["answer"].drop_nulls().value_counts(sort=True).filter(pl.col("count") > 1)
        common = ", ".join(f"{shown(answer, WIDTH)} ({times:,})" for answer, times in commonest(said).rows())
        examples = own.head(EXAMPLES).select("file", "line", "run", "question", "answer")
        for file, line, run, question, answer in examples.rows():
            given = f": {shown(answer, WIDTH)}" if answer is not None else ""
            lines.append(f"    {file}:{line}: {short(run)} to {short(question)}{given}")
        lines += [f"    the commonest answers: {common}"] if common else []
        lines += [f"    {how[name]}"] if own.height and name in how else []
    return lines


def commonest(said: pl.DataFrame) -> pl.DataFrame:
    """The EXAMPLES most frequent answers with their numbers (`answer`, `count`); ties in alphabetical order."""
    return said.sort("count", "answer", descending=[True, False]).head(EXAMPLES)


def asked(rows: pl.DataFrame) -> list[str]:
    """Lines on the runs, on how many of them each question was asked, and on runs that share none."""
    runs = rows["run"].unique().sort()
    named = ", ".join(short(run) for run in runs.head(MOST)) + (", …" if len(runs) > MOST else "")
    times = rows.group_by("question").agg(pl.col("run").n_unique())["run"].value_counts().sort("run", descending=True)
    spread = [f"{plural(count, 'question')} asked of {plural(of, 'run')}" for of, count in times.head(MOST).rows()]
    return [f"  {plural(len(runs), 'run')}: {named}", f"  {', '.join(spread)}", *strangers(rows)]


def strangers(rows: pl.DataFrame) -> list[str]:
    """A line if the files, or the runs of one file, fall into groups that share no question; else empty."""
    what = "file" if rows["file"].n_unique() > 1 else "run"
    groups: list[set[str]] = []
    for own in rows.group_by("question").agg(pl.col(what).unique().sort())[what].unique().to_list():
        meeting = [group for group in groups if not group.isdisjoint(own)]
        groups = [group for group in groups if group.isdisjoint(own)] + [set(own).union(*meeting)]
    if len(groups) < 2:
        return []
    named = "; ".join(several(sorted(group)) for group in sorted(groups, key=min)[:MOST])
    return [f"  {len(groups):,} groups of {what}s share no question, so that no score compares them: {named}"]


def open_questions(campaign: Campaign) -> list[str]:
    """Lines on what the files of a campaign do not decide, each once; empty if they decide all."""
    blind = [formats.LOGS[one.format].blind for one in campaign.sources if one.format in formats.LOGS]
    said = [what for one in campaign.sources for what in one.undecided]
    apart = [one.apart for one in campaign.sources if one.apart]
    said += [f"how it goes with the others of its kind: together, {why}" for why in apart]
    official = campaign.written.get("judgments", {}).get("official")
    if "counts" not in campaign.written:
        rows, graded = campaign.rows, "graded" in campaign.written
        every = rows["run"].n_unique() * rows["question"].n_unique()
        compared = ", and runs are compared on what all of them were asked" * ("compare_on" not in campaign.written)
        here = f"it was not{compared}" if graded else "it was"
        if rows.select("run", "question").n_unique() < every:
            said.append(f"whether a run was asked what it has no response to: here {here} (`missing:`)")
    if "compare_on" in campaign.written:
        by_itself = "each is scored by itself, and campaigns of their own would say so"
        said.append(f"what runs are compared on, no two of which share a question: here {by_itself} (`compare_on:`)")
    said += [f"which assessor is the official one: here {official} (`official:`)"] if official else []
    each = dict.fromkeys([*said, *campaign.notes, *blind])
    return ["  What it does not decide", *(f"    {what}" for what in each)] if each else []
