"""Which files the rules read and write: functions of a campaign, or of an evaluation of it, that give paths."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from nonresponse import formats
from nonresponse.formats.text import there
from nonresponse.home import HOME
from nonresponse.ingest.files import all_matched
from nonresponse.pages.published import QUOTIENTS, SIMILARITIES, TABLES
from nonresponse.reliability.analyses import ANALYSES
from nonresponse.workflow.campaigns import Campaign

TABLES_OF_TRIALS = [table for one in ANALYSES.values() if one.trials for table in one.trials.tables]
FIDELITY = [f"results/{name}" for name in ("fidelity.md", "fidelity.csv", "fidelity.json", "claims.csv")]
FOLDERS = {"runs": "responses", "graded": "graded"}  # of the tables of shards, by source


def resources(folder: str) -> Path:
    """Return a folder of resources/ as a relative path, so that moving the project repeats no job."""
    return Path(os.path.relpath(HOME / "resources" / folder))


def below(campaign: Campaign, *names: str) -> list[str]:
    """Return these names as results of the campaign."""
    return [f"{campaign.folder}/{name}" for name in names]


def by_shard(campaign: Campaign, folder: str) -> list[str]:
    """Return the tables of all shards in a folder of the campaign."""
    return below(campaign, *(f"{folder}/{shard}.parquet" for shard in campaign.shards))


def by_measure(campaign: Campaign, folder: str) -> list[str]:
    """Return the tables in a folder of reliability/ of all measures that are tested."""
    return below(campaign, *(f"reliability/{folder}/{id}.parquet" for id in campaign.tested or ()))


# Raw files.


def shard_files(campaign: Campaign, shard: int) -> list[str]:
    """Return the raw files of a shard, and the files that their format reads with them."""
    part = campaign.raw
    return formats.read_with(part["format"], campaign.sharded[shard].files, part)


def judgment_files(campaign: Campaign) -> list[str]:
    """Return the files of judgments."""
    return campaign.judgment_files.files


def question_files(campaign: Campaign) -> list[str]:
    """Return the file of the question set, if there is one."""
    return campaign.question_files


def count_files(campaign: Campaign) -> list[str]:
    """Return the table of counts, or the logs that hold counts, and what is read with them."""
    return campaign.count_files.files


def run_files(campaign: Campaign) -> list[str]:
    """Return the raw files of all shards."""
    return [file for shard in campaign.shards for file in shard_files(campaign, shard)]


def raw(campaign: Campaign) -> list[str]:
    """Return every file that a campaign is read from."""
    return [*run_files(campaign), *judgment_files(campaign), *question_files(campaign), *count_files(campaign)]


def of_contents(campaign: Campaign) -> list[str]:
    """Return the files of judgments, counts and questions, with what their patterns match but cannot be read."""
    return [*all_matched(campaign.judgment_files), *all_matched(campaign.count_files), *campaign.question_files]


# Tables that verdicts are made of; an evaluation shares those of its campaign.


def faults(campaign: Campaign) -> list[str]:
    """Return the tables of faults."""
    other = {"runs": "judgments", "graded": "questions", "counts": "counts"}[campaign.source]
    return below(campaign, f"faults/{other}.tsv", *[f"faults/runs-{shard}.tsv" for shard in campaign.shards])


def accounts(campaign: Campaign) -> list[str]:
    """Return the tables of what logs state; none where files are no logs."""
    if not campaign.imported:
        return []
    return by_shard(campaign, "imports") if campaign.single else below(campaign, "imports/counts.parquet")


def shard_tables(campaign: Campaign) -> list[str]:
    """Return the tables of responses, or of graded responses."""
    return by_shard(campaign.campaign, FOLDERS[campaign.source]) if campaign.single else []


def responses(campaign: Campaign) -> list[str]:
    """Return the tables of responses that judgments are of; none where responses came graded."""
    return shard_tables(campaign) if campaign.source == "runs" else []


def graded(campaign: Campaign) -> list[str]:
    """Return the tables of graded responses; none where responses are judged here."""
    return shard_tables(campaign) if campaign.source == "graded" else []


def texts(campaign: Campaign) -> list[str]:
    """Return the tables of the texts of graded responses."""
    return by_shard(campaign, "texts") if campaign.source == "graded" else []


def imports(campaign: Campaign) -> list[str]:
    """Return the tables of what the files of graded responses state, empty ones where they are no logs."""
    return by_shard(campaign, "imports") if campaign.source == "graded" else []


def ruled(campaign: Campaign) -> list[str]:
    """Return the tables of answers whose state a rule decided."""
    return by_shard(campaign, "ruled")


def judgments(campaign: Campaign) -> list[str]:
    """Return the table of judgments; none where responses came graded."""
    return below(campaign.campaign, "judgments.parquet") if campaign.source == "runs" else []


def questions(campaign: Campaign) -> list[str]:
    """Return the table of questions; none of a table of counts."""
    return below(campaign.campaign, "questions.parquet") if campaign.single else []


def assessors(campaign: Campaign) -> list[str]:
    """Return the table of the assessors of judgments."""
    return below(campaign, "assessors.parquet") if campaign.source == "runs" else []


def counted_table(campaign: Campaign) -> list[str]:
    """Return the table of published counts, if that is what there is."""
    return [] if campaign.single else below(campaign, "table.parquet")


def checked(campaign: Campaign) -> list[str]:
    """Return the tables that the check reads beside those of faults."""
    tables = [*questions(campaign), *judgments(campaign), *assessors(campaign), *counted_table(campaign)]
    return [*tables, *shard_tables(campaign), *by_shard(campaign, "runs")]


def verdicts(campaign: Campaign) -> list[str]:
    """Return the verdicts that are counted; none of a table of counts."""
    return below(campaign.judged_as, "verdicts.npz") if campaign.single else []


def verdicts_without_rules(campaign: Campaign) -> list[str]:
    """Return the verdicts without the campaign's rules on answers; none where it has no rules, or of an evaluation."""
    return verdicts(campaign.without_rules) if campaign.ruled and not campaign.whole else []


def clusters(campaign: Campaign) -> list[str]:
    """Return the table of the questions, where these come in clusters."""
    return questions(campaign) if campaign.clustered else []


def voters(campaign: Campaign) -> list[str]:
    """Return the tables of the assessors, where one of them may have the name of the vote and so replace it."""
    if not campaign.judgments.get("vote", {}).get("or_named"):
        return []
    return assessors(campaign) or graded(campaign)


# Counts, scores, statistics.


def counts(campaign: Campaign) -> list[str]:
    """Return the counts by run."""
    return below(campaign, "counts.parquet")


def bounds(campaign: Campaign) -> list[str]:
    """Return the counts by policy variant and, where there are rules on answers, those without the rules."""
    without = ["counts", "counts_by_variant"] if campaign.ruled and not campaign.whole else []
    return below(campaign, "counts_by_variant.parquet", *(f"without-rules/{name}.parquet" for name in without))


def scores(campaign: Campaign) -> list[str]:
    """Return the scores of each measure."""
    return below(campaign, *(f"scores/{id}.parquet" for id in campaign.measures))


def scores_by_category(campaign: Campaign) -> list[str]:
    """Return the scores of each measure by question category."""
    return below(campaign, *(f"scores_by_category/{id}.parquet" for id in campaign.measures))


def counts_and_scores(campaign: Campaign) -> list[str]:
    """Return the counts, and the scores of each measure."""
    return [*counts(campaign), *scores(campaign)]


def of_scenarios(campaign: Campaign) -> list[str]:
    """Return the counts and scores of the scenarios of a campaign."""
    return [path for scenario in campaign.own_scenarios for path in counts_and_scores(scenario)]


def trials(campaign: Campaign) -> list[str]:
    """Return the tables of all its analyses of single measures."""
    records = [one.trials for one in campaign.analysis_records if one.trials]
    return [path for record in records for table in record.tables for path in by_measure(campaign, table)]


def comparisons(campaign: Campaign) -> list[str]:
    """Return the tests of pairs of runs, by measure; none where runs are not compared."""
    return by_measure(campaign, "comparisons") if campaign.analysed("comparison") else []


def intervals(campaign: Campaign) -> list[str]:
    """Return the intervals of scores, by measure; none where runs are not compared."""
    return by_measure(campaign, "intervals") if campaign.analysed("comparison") else []


def questions_needed(campaign: Campaign) -> list[str]:
    """Return how many questions differences need, by the first measure."""
    return by_measure(campaign, "questions_needed")[:1] if campaign.analysed("sample_size") else []


def of_leaderboard(campaign: Campaign) -> list[str]:
    """Return the tables of trials that the leaderboard shows."""
    return [*intervals(campaign), *comparisons(campaign)[:1], *questions_needed(campaign)]


def summaries(campaign: Campaign) -> list[str]:
    """Return the folders of the tables that analyses make of the whole campaign."""
    records = [one.summary for one in campaign.analysis_records if one.summary]
    return below(campaign, *sorted({f"reliability/{record.rule}" for record in records}))


def pool(campaign: Campaign) -> list[str]:
    """Return the verdicts and what they are made of, if answers were pooled."""
    pooled = campaign.source == "runs" and campaign.task_record.pooled and not campaign.judgments["closed"]
    parts = [*verdicts(campaign), *questions(campaign), *judgments(campaign), *responses(campaign)]
    return parts if pooled and campaign.analysed("pooling") else []


def history(campaign: Campaign) -> list[str]:
    """Return the file of earlier evaluations, once it is there."""
    return [path for path in [campaign.options.get("history")] if path and there(path)]


def of_choices(campaign: Campaign) -> list[str]:
    """Return the table of questions, where a column says how many choices each has."""
    return questions(campaign) if isinstance(campaign.choices, str) else []


def of_views(campaign: Campaign) -> list[str]:
    """Return the tables that the views of a campaign read beside counts, scores and verdicts."""
    reads = {part for view in campaign.view_records for part in view.reads}
    known = {
        "clusters": clusters(campaign),
        "questions": of_choices(campaign),
    }
    return list(dict.fromkeys(path for word in known if word in reads for path in known[word]))


# Published tables.


def source_table(campaign: Campaign) -> list[str]:
    """Return the published table of the campaign, if its figures are compared with it."""
    return [str(resources("published") / f"{campaign.name}.csv")] if campaign.printed else []


def published_sensitivity(campaign: Campaign) -> list[str]:
    """Return the published table of the swap method, for the campaign that simulates its runs."""
    return [str(resources("published") / "penas-2011-table-2.csv")] * (campaign.name == "respubliqa-2009-simulated")


def compared_scores(campaigns: Iterable[Campaign]) -> list[str]:
    """Return the scores of the measures that the published tables of these campaigns print."""
    printed = [(campaign, id) for campaign in campaigns for table in campaign.printed for id in table.measures]
    return [path for campaign, id in printed for path in below(campaign, f"scores/{id}.parquet")]


def published_tables(campaigns: Iterable[Campaign]) -> list[str]:
    """Return the names of the published tables that concern these campaigns."""
    printed = {table.name for campaign in campaigns for table in campaign.printed}
    tasks = {campaign.task for campaign in campaigns}
    names = [table.name for table in TABLES if table.name in printed]
    return names + [table.name for table in SIMILARITIES if table.task in tasks]


def compared_tables(campaigns: Iterable[Campaign]) -> list[str]:
    """Return the names of all published tables to compare with, those that need no campaign among them."""
    return [*(table.name for table in QUOTIENTS), *published_tables(campaigns)]


def resource_tables(folder: str) -> list[str]:
    """Return the tables in a folder of resources/."""
    return [str(path) for path in sorted(resources(folder).glob("*.csv"))]


def fidelity_pages(campaigns: Iterable[Campaign]) -> list[str]:
    """Return what the comparison with published tables writes; nothing where no campaign has one."""
    return FIDELITY if published_tables(campaigns) else []


# Pages.


def page(id: str, *tables: str) -> tuple[str, ...]:
    """Return the files of a page: its text, and in a folder of its name its blocks, findings and tables."""
    return (f"{id}.md", *(f"{id}/{name}" for name in ("blocks.json", "findings.csv", *tables)))


# What the rules of single pages write, and which campaigns have them.
PAGES: dict[str, tuple[tuple[str, ...], Callable[[Campaign], bool]]] = {
    "imports": (("imports.csv", "imports.json"), lambda it: it.imported),
    "leaderboard": (
        (
            *(f"leaderboard.{ending}" for ending in ("csv", "parquet", "md", "tex", "json")),
            *("categories.csv", "changes.md", "changes.json"),
        ),
        lambda it: True,
    ),
    "reliability": (
        ("figures", "reliability/findings.csv", "reliability/blocks.json", "reliability.md", "reliability.tex"),
        lambda it: bool(it.analyses),
    ),
    "audit": (("audit.csv", "audit.json"), lambda it: it.ruled),
    "adjudication": (("to_adjudicate.csv", "adjudication.json"), lambda it: it.disputed),
    "scenarios": (page("scenarios", "scores.csv", "rankings.csv", "swaps.csv"), lambda it: "scenarios" in it.options),
    "systems": (page("systems", "gains.csv", "differences.csv"), lambda it: "systems" in it.options),
    "views": (("views.md", "views"), lambda it: bool(it.views)),
    "gates": (("gates.json", "gates.xml", *page("gates")), lambda it: "gates" in it.options),
    "history": (("history.md", "history"), lambda it: bool(history(it))),
    "years": (("years.md", "years"), lambda it: it.dated),
}


def pages(campaign: Campaign) -> list[str]:
    """Return the ids of the pages that a campaign has."""
    return [id for id, (_, applies) in PAGES.items() if applies(campaign)]


def pages_written(campaign: Campaign) -> list[str]:
    """Return what the pages of a campaign write."""
    return below(campaign, *(name for id in pages(campaign) for name in PAGES[id][0]))


def of_report(campaign: Campaign) -> list[str]:
    """Return what a campaign's part of the report reads."""
    return [
        *pages_written(campaign),
        *below(campaign, "check.json", "counts.parquet"),
        *scores(campaign),
        *verdicts(campaign),
        *responses(campaign),
        *texts(campaign),
        *comparisons(campaign),
    ]


def exports(campaign: Campaign) -> list[str]:
    """Return every response for other programs, which is made only when it is asked for."""
    return below(campaign, "responses.parquet", "responses.jsonl") if campaign.single else []


def every_result(campaign: Campaign) -> list[str]:
    """Return all results of a campaign and its evaluations, and exports that are there."""
    own = [*faults(campaign), *accounts(campaign), *checked(campaign), *texts(campaign), *ruled(campaign)]
    own += [*below(campaign, "check.txt", "check.json"), *trials(campaign), *summaries(campaign)]
    own += [*pages_written(campaign), *below(campaign, "report.json", "report.html")]
    for it in campaign.evaluated or [campaign]:
        own += [*verdicts(it), *counts(it), *below(it, "counts_by_category.parquet", "counts_by_variant.parquet")]
    for it in (campaign, *campaign.own_scenarios):
        own += [*scores(it), *scores_by_category(it)]
    exported = (*exports(campaign), f"{campaign.folder}/verdicts.parquet")
    return list(dict.fromkeys([*own, *(path for path in exported if Path(path).exists())]))
