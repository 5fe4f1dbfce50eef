"""Which files the rules read and write: functions of a campaign or evaluation that give paths."""

from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from nonresponse import formats, measures
from nonresponse.campaign.paths import find_question_file
from nonresponse.ingest.files import Matches, list_matches
from nonresponse.workflow.campaigns import Campaign

Paths = Callable[[Campaign], list[str]]

FOLDERS = {"runs": "responses", "graded": "graded"}  # of the tables of shards, by source


def add_folder(campaign: Campaign, *names: str) -> list[str]:
    """Return these names as results of the campaign."""
    return [f"{campaign.folder}/{name}" for name in names]


def define_shared(name: str, *sources: str) -> Paths:
    """Return a function that gives a result of campaigns from these sources, for each shard if its
    name says so.

    All evaluations of a campaign share the result.
    """

    def list_paths(campaign: Campaign) -> list[str]:
        if campaign.source not in sources:
            return []
        shards = campaign.shards if "{shard}" in name else [0]
        return add_folder(campaign.campaign, *(name.format(shard=shard) for shard in shards))

    return list_paths


def define_tables(folder: str) -> Paths:
    """Return a function that gives the tables of all measures in a folder."""

    def list_paths(campaign: Campaign) -> list[str]:
        return add_folder(campaign, *(f"{folder}/{id}.parquet" for id in campaign.measures))

    return list_paths


# Raw files.


def shard_files(campaign: Campaign, shard: int) -> list[str]:
    """Return the raw files of a shard, and the files that their format reads with them."""
    part = campaign.raw
    return formats.expand_files(part["format"], campaign.shard_matches[shard].files, part)


def unreadable(campaign: Campaign, shard: int) -> dict[str, str]:
    """Return what is in a shard but no file that can be read: its path, and what it is."""
    return campaign.shard_matches[shard].unreadable


def shard_contents(campaign: Campaign, shard: int) -> list[str]:
    """Return all that a shard holds, files and what is none."""
    files = shard_files(campaign, shard)
    return list_matches(Matches(files, unreadable(campaign, shard)))


def judgment_files(campaign: Campaign) -> list[str]:
    """Return the files of judgments."""
    return campaign.judgment_files.files


def question_files(campaign: Campaign) -> list[str]:
    """Return the file of the question set, if there is one."""
    return [path for path in [find_question_file(campaign.options)] if path]


def count_files(campaign: Campaign) -> list[str]:
    """Return the table of counts, or the logs that hold counts, and what is read with them."""
    return campaign.count_files.files


def raw(campaign: Campaign) -> list[str]:
    """Return every file that a campaign is read from."""
    return [
        *(file for shard in campaign.shards for file in shard_files(campaign, shard)),
        *judgment_files(campaign),
        *question_files(campaign),
        *count_files(campaign),
    ]


def contents(campaign: Campaign) -> list[str]:
    """Return the files of judgments, counts and questions, also those that cannot be read."""
    return [
        *list_matches(campaign.judgment_files),
        *list_matches(campaign.count_files),
        *question_files(campaign),
    ]


# Tables that verdicts are made of.

responses = define_shared("responses/{shard}.parquet", "runs")  # those that judgments are of
graded = define_shared("graded/{shard}.parquet", "graded")
texts = define_shared("texts/{shard}.parquet", "graded")
# What the files state, empty tables where they are no logs
imports = define_shared("imports/{shard}.parquet", "graded")
# Answers whose state a rule decided
ruled = define_shared("ruled/{shard}.parquet", "runs", "graded")
names = define_shared("runs/{shard}.parquet", "runs", "graded")  # the runs, with their files
judgments = define_shared("judgments.parquet", "runs")
questions = define_shared("questions.parquet", "runs", "graded")
assessors = define_shared("assessors.parquet", "runs")
counted_table = define_shared("table.parquet", "counts")  # published counts
counted_imports = define_shared("imports/counts.parquet", "counts")
check = define_shared("check.txt", "runs", "graded", "counts")  # the check found no fault


def faults(campaign: Campaign) -> list[str]:
    """Return the tables of faults."""
    name = {"runs": "judgments", "graded": "questions", "counts": "counts"}[campaign.source]
    shards = (f"faults/runs-{shard}.tsv" for shard in campaign.shards)
    return add_folder(campaign, f"faults/{name}.tsv", *shards)


def accounts(campaign: Campaign) -> list[str]:
    """Return the tables of what logs state; none where files are no logs."""
    return [*imports(campaign), *counted_imports(campaign)] if campaign.imported else []


def checked_tables(campaign: Campaign) -> list[str]:
    """Return the tables that the check reads beside those of faults."""
    kinds = (questions, judgments, assessors, counted_table, responses, graded, names)
    return [path for paths in kinds for path in paths(campaign)]


def verdicts(campaign: Campaign) -> list[str]:
    """Return the verdicts that are counted; none of a table of counts."""
    return add_folder(campaign.verdict_source, "verdicts.npz") if campaign.single else []


def unruled_verdicts(campaign: Campaign) -> list[str]:
    """Return the verdicts without a campaign's rules on answers, where it has such rules."""
    return verdicts(campaign.unruled) if campaign.ruled and not campaign.parent else []


def clusters(campaign: Campaign) -> list[str]:
    """Return the table of the questions, where these come in clusters."""
    return questions(campaign) if campaign.clustered else []


def vote_tables(campaign: Campaign) -> list[str]:
    """Return the tables of the assessors, where one may have the vote's name and replace it."""
    if not campaign.judgments.get("vote", {}).get("or_named"):
        return []
    return assessors(campaign) or graded(campaign)


# Counts, scores, statistics.

scores = define_tables("scores")
scores_by_category = define_tables("scores_by_category")


def bounds(campaign: Campaign) -> list[str]:
    """Return the counts by policy variant and those without the rules on answers, if any."""
    names = ["counts_by_variant.parquet"]
    if campaign.ruled and not campaign.parent:
        names += ["without-rules/counts.parquet", "without-rules/counts_by_variant.parquet"]
    return add_folder(campaign, *names)


def scenario_results(campaign: Campaign) -> list[str]:
    """Return the counts and scores of the scenarios of a campaign."""
    return [
        path
        for scenario in campaign.own_scenarios
        for path in (*add_folder(scenario, "counts.parquet"), *scores(scenario))
    ]


def trials(campaign: Campaign) -> list[str]:
    """Return the folder of each measure with the tables of its analyses."""
    folders = (f"reliability/by_measure/{id}" for id in campaign.measures)
    return add_folder(campaign, *folders) if campaign.has_trials else []


def leader(campaign: Campaign, measure: str) -> list[str]:
    """Return the folder of the measure from which the tables of this one follow, if any."""
    id = measures.find_leader(campaign.task, measure, campaign.measures)
    return add_folder(campaign, f"reliability/by_measure/{id}") if id else []


def comparisons(campaign: Campaign) -> list[str]:
    """Return the folders of the measures by which runs are compared."""
    return trials(campaign) if campaign.has_analysis("comparison") else []


def summaries(campaign: Campaign) -> list[str]:
    """Return the folders of the tables that analyses make of the whole campaign."""
    records = [record.summary for record in campaign.analysis_records if record.summary]
    return add_folder(campaign, *sorted({f"reliability/{record.rule}" for record in records}))


def pool(campaign: Campaign) -> list[str]:
    """Return the verdicts and what they are made of, if answers were pooled."""
    pooled = campaign.task_record.pooled and campaign.has_analysis("pooling")
    if not pooled or campaign.source != "runs" or campaign.judgments["closed"]:
        return []
    return [*verdicts(campaign), *judgments(campaign), *responses(campaign)]


def choice_tables(campaign: Campaign) -> list[str]:
    """Return the table of questions, where a column says how many choices each has."""
    return questions(campaign) if isinstance(campaign.choices, str) else []


# Pages.


class Page(NamedTuple):
    """What the rule of a page writes in the folder of a campaign, and which campaigns have it."""

    writes: tuple[str, ...]
    applies: Callable[[Campaign], object] = lambda campaign: True


def document(id: str, *tables: str) -> tuple[str, ...]:
    """Return the files of a page: its text, and in a folder of its name its sections and tables."""
    return (f"{id}.md", *(f"{id}/{name}" for name in ("sections.json", *tables)))


LEADERBOARD = tuple(f"leaderboard.{ending}" for ending in ("csv", "parquet", "md", "tex", "json"))
PAGES = {
    "imports": Page(("imports.csv", "imports.json"), attrgetter("imported")),
    "leaderboard": Page((*LEADERBOARD, "categories.csv", "changes.md", "changes.json")),
    "reliability": Page(document("reliability"), attrgetter("analyses")),
    "audit": Page(("audit.csv", "audit.json"), attrgetter("ruled")),
    "adjudication": Page(("to_adjudicate.csv", "adjudication.json"), attrgetter("disputed")),
    "scenarios": Page(document("scenarios", "scores.csv", "rankings.csv"), attrgetter("scenarios")),
    "systems": Page(document("systems", "gains.csv"), attrgetter("systems")),
    "gates": Page(("gates.json", "gates.xml", *document("gates")), attrgetter("gates")),
}


def pages(campaign: Campaign) -> list[str]:
    """Return the ids of the pages that a campaign has."""
    return [id for id, page in PAGES.items() if page.applies(campaign)]


def pages_written(campaign: Campaign) -> list[str]:
    """Return what the pages of a campaign write."""
    return add_folder(campaign, *(name for id in pages(campaign) for name in PAGES[id].writes))


def report_inputs(campaign: Campaign) -> list[str]:
    """Return what a campaign's part of the report reads."""
    kinds = (scores, verdicts, responses, texts, comparisons)
    tables = [path for paths in kinds for path in paths(campaign)]
    own_files = add_folder(campaign, "check.json", "counts.parquet")
    return [*pages_written(campaign), *own_files, *tables]


def exports(campaign: Campaign) -> list[str]:
    """Return every response for other programs, which is made only when it is asked for."""
    return add_folder(campaign, "responses.parquet", "responses.jsonl") if campaign.single else []


def list_results(campaign: Campaign) -> list[str]:
    """Return all results of a campaign and its evaluations, and exports that are there."""
    tables = [faults, imports, counted_imports, checked_tables, texts, ruled]
    tables += [trials, summaries, pages_written]
    results = [path for paths in tables for path in paths(campaign)]
    results += add_folder(campaign, "check.txt", "check.json", "report.json", "report.html")
    counts = [f"{name}.parquet" for name in ("counts", "counts_by_category", "counts_by_variant")]
    for evaluation in campaign.evaluations or [campaign]:
        results += [*verdicts(evaluation), *add_folder(evaluation, *counts)]
    for evaluation in (campaign, *campaign.own_scenarios):
        results += [*scores(evaluation), *scores_by_category(evaluation)]
    exported = [*exports(campaign), *add_folder(campaign, "verdicts.parquet")]
    return list(dict.fromkeys([*results, *(path for path in exported if Path(path).exists())]))


OVERVIEWS = ["results/summary.md", "results/report.html"]  # the pages on all campaigns
