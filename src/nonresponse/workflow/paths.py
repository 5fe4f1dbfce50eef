"""Which files the rules read and write: functions of a campaign or evaluation that give paths."""

from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from nonresponse import formats, measures
from nonresponse.campaign.paths import find_question_file
from nonresponse.ingest.files import Matches, list_matches, list_patterns, match_files
from nonresponse.workflow.campaigns import Campaign

Paths = Callable[[Campaign], list[str]]

# What stages write in the folder of a campaign, by the names of their arguments
SHARD = {"names": "runs/{shard}.parquet", "ruled": "ruled/{shard}.parquet"}
SHARD["faults"] = "faults/runs-{shard}.tsv"
QUESTIONS = {"question_set": "questions.parquet"}
COUNTS = {"counts": "counts.parquet", "categories": "counts_by_category.parquet"}
COUNTS["bounds"] = "counts_by_variant.parquet"
SCORES = {"scores": "scores/{measure}.parquet"}
SCORES["category_scores"] = "scores_by_category/{measure}.parquet"
OUTPUTS = {
    "ingest_runs": SHARD | {"table": "responses/{shard}.parquet"},
    "ingest_graded": SHARD
    | {"table": "graded/{shard}.parquet", "texts": "texts/{shard}.parquet"}
    | {"imports": "imports/{shard}.parquet"},
    "ingest_judgments": QUESTIONS
    | {"table": "judgments.parquet", "names": "assessors.parquet"}
    | {"faults": "faults/judgments.tsv"},
    "ingest_questions": QUESTIONS | {"faults": "faults/questions.tsv"},
    "ingest_counts": {"table": "table.parquet", "imports": "imports/counts.parquet"}
    | {"faults": "faults/counts.tsv"},
    "check": {"check": "check.txt", "data": "check.json"},
    "judge": {"verdicts": "verdicts.npz"},
    "export_verdicts": {"table": "verdicts.parquet"},
    "export_responses": {"table": "responses.parquet", "lines": "responses.jsonl"},
    "count": COUNTS,
    "count_table": COUNTS,
    "score_counts": SCORES,
    "score_verdicts": SCORES,
    "report_part": {"part": "report.json", "page": "report.html"},
}
READERS = {  # the stages that read files, by the source of a campaign
    "runs": ("ingest_judgments", "ingest_runs"),
    "graded": ("ingest_questions", "ingest_graded"),
    "counts": ("ingest_counts",),
}


def add_folder(campaign: Campaign, *names: str) -> list[str]:
    """Return these names as results of the campaign."""
    return [f"{campaign.folder}/{name}" for name in names]


def define_table(argument: str, *stages: str) -> Paths:
    """Return a function that gives what these stages write as an argument, for each shard if the
    name says so.

    All evaluations of a campaign share it.
    """

    def list_paths(campaign: Campaign) -> list[str]:
        names = (OUTPUTS[stage][argument] for stage in READERS[campaign.source] if stage in stages)
        expanded = (
            name.format(shard=shard)
            for name in names
            for shard in (campaign.shards if "{shard}" in name else [0])
        )
        return add_folder(campaign.campaign, *expanded)

    return list_paths


def define_result(name: str) -> Paths:
    """Return a function that gives a result, for each measure if its name says so."""

    def list_paths(campaign: Campaign) -> list[str]:
        measures_named = campaign.measures if "{measure}" in name else [""]
        return add_folder(campaign, *(name.format(measure=id) for id in measures_named))

    return list_paths


# Raw files.


def shard_files(campaign: Campaign, shard: int) -> list[str]:
    """Return the raw files of a shard, and the files that their format reads with them."""
    part = campaign.raw
    return formats.expand_files(part["format"], campaign.shard_matches[shard].files, part)


def matched_files(campaign: Campaign, *shard: int) -> list[str]:
    """Return what the patterns match in a shard, or of counts; logs may consist of more files."""
    if shard:
        return campaign.shard_matches[shard[0]].files
    files = campaign.counts["files"]
    return match_files(files).files if "format" in campaign.counts else list_patterns(files)


def unreadable(campaign: Campaign, *shard: int) -> dict[str, str]:
    """Return what is in a shard, or among judgments or counts, but no file that can be read: its
    path, and what it is."""
    if shard:
        return campaign.shard_matches[shard[0]].unreadable
    return campaign.judgment_files.unreadable | campaign.count_files.unreadable


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


def contents(campaign: Campaign, *shard: int) -> list[str]:
    """Return the files of a shard, or those of judgments, counts and questions, also those that
    cannot be read."""
    if shard:
        return list_matches(Matches(shard_files(campaign, *shard), unreadable(campaign, *shard)))
    return [
        *list_matches(campaign.judgment_files),
        *list_matches(campaign.count_files),
        *question_files(campaign),
    ]


# Tables that verdicts are made of.

responses = define_table("table", "ingest_runs")  # those that judgments are of
graded = define_table("table", "ingest_graded")
texts = define_table("texts", "ingest_graded")
# What the files state, empty tables where they are no logs
imports = define_table("imports", "ingest_graded", "ingest_counts")
# Answers whose state a rule decided
ruled = define_table("ruled", "ingest_runs", "ingest_graded")
names = define_table("names", "ingest_runs", "ingest_graded")  # the runs, with their files
judgments = define_table("table", "ingest_judgments")
questions = define_table("question_set", "ingest_judgments", "ingest_questions")
assessors = define_table("names", "ingest_judgments")
counted_table = define_table("table", "ingest_counts")  # published counts
faults = define_table("faults", *OUTPUTS)


def check(campaign: Campaign) -> list[str]:
    """Return what says that the check found no fault."""
    return add_folder(campaign.campaign, OUTPUTS["check"]["check"])


def accounts(campaign: Campaign) -> list[str]:
    """Return the tables of what logs state; none where files are no logs."""
    return imports(campaign) if campaign.imported else []


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


# Counts, scores, statistics.

counts = define_result(COUNTS["counts"])
categories = define_result(COUNTS["categories"])
scores = define_result(SCORES["scores"])
scores_by_category = define_result(SCORES["category_scores"])


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
    kinds = (pages_written, counts, scores, verdicts, responses, texts, comparisons)
    tables = [path for paths in kinds for path in paths(campaign)]
    return [*tables, *add_folder(campaign, OUTPUTS["check"]["data"])]


def list_outputs(campaign: Campaign, *stages: str) -> list[str]:
    """Return what stages write that make something for a whole campaign."""
    return add_folder(campaign, *(name for stage in stages for name in OUTPUTS[stage].values()))


def list_results(campaign: Campaign) -> list[str]:
    """Return all results of a campaign and its evaluations, and exports that are there."""
    tables = [faults, imports, checked_tables, texts, ruled, trials, summaries, pages_written]
    results = [path for paths in tables for path in paths(campaign)]
    results += list_outputs(campaign, "check", "report_part")
    for evaluation in campaign.evaluations or [campaign]:
        results += [*verdicts(evaluation), *list_outputs(evaluation, "count")]
    for evaluation in (campaign, *campaign.own_scenarios):
        results += [*scores(evaluation), *scores_by_category(evaluation)]
    exported = list_outputs(campaign, "export_verdicts", "export_responses")
    return list(dict.fromkeys([*results, *(path for path in exported if Path(path).exists())]))


OVERVIEWS = ["results/summary.md", "results/report.html"]  # the pages on all campaigns
