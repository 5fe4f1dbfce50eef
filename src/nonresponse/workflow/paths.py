"""Which files the rules read and write: functions of a campaign, or of an evaluation of it, that
give paths."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from nonresponse import formats, measures
from nonresponse.campaign.paths import find_question_file
from nonresponse.ingest.files import list_matches
from nonresponse.workflow.campaigns import Campaign

Paths = Callable[[Campaign], list[str]]

FOLDERS = {"runs": "responses", "graded": "graded"}  # of the tables of shards, by source


def below(campaign: Campaign, *names: str) -> list[str]:
    """Return these names as results of the campaign."""
    return [f"{campaign.folder}/{name}" for name in names]


def shared(name: str, *sources: str) -> Paths:
    """Return a function that gives a result that all evaluations of a campaign share, by shard if
    its name says so.

    It gives none where the data of the campaign come from another source.
    """

    def paths(campaign: Campaign) -> list[str]:
        shards = campaign.shards if "{shard}" in name else [0]
        names = [name.format(shard=shard) for shard in shards if campaign.source in sources]
        return below(campaign.campaign, *names)

    return paths


def by_measure(folder: str) -> Paths:
    """Return a function that gives the tables of all measures in a folder."""
    return lambda campaign: below(campaign, *(f"{folder}/{id}.parquet" for id in campaign.measures))


# Raw files.


def shard_files(campaign: Campaign, shard: int) -> list[str]:
    """Return the raw files of a shard, and the files that their format reads with them."""
    part = campaign.raw
    return formats.expand_files(part["format"], campaign.sharded[shard].files, part)


def unreadable(campaign: Campaign, shard: int) -> dict[str, str]:
    """Return what is in a shard but no file that can be read: its path, and what it is."""
    return campaign.sharded[shard].unreadable


def shard_contents(campaign: Campaign, shard: int) -> list[str]:
    """Return all that a shard holds, files and what is none."""
    return [*shard_files(campaign, shard), *map(": ".join, unreadable(campaign, shard).items())]


def judgment_files(campaign: Campaign) -> list[str]:
    """Return the files of judgments."""
    return campaign.judgment_files.files


def question_files(campaign: Campaign) -> list[str]:
    """Return the file of the question set, if there is one."""
    return [path for path in [find_question_file(campaign.options)] if path]


def count_files(campaign: Campaign) -> list[str]:
    """Return the table of counts, or the logs that hold counts, and what is read with them."""
    return campaign.count_files.files


def run_files(campaign: Campaign) -> list[str]:
    """Return the raw files of all shards."""
    return [file for shard in campaign.shards for file in shard_files(campaign, shard)]


def raw(campaign: Campaign) -> list[str]:
    """Return every file that a campaign is read from."""
    return [
        *run_files(campaign),
        *judgment_files(campaign),
        *question_files(campaign),
        *count_files(campaign),
    ]


def contents(campaign: Campaign) -> list[str]:
    """Return the files of judgments, counts and questions, with what their patterns match but
    cannot be read."""
    return [
        *list_matches(campaign.judgment_files),
        *list_matches(campaign.count_files),
        *question_files(campaign),
    ]


# Tables that verdicts are made of.

responses = shared("responses/{shard}.parquet", "runs")  # those that judgments are of
graded = shared("graded/{shard}.parquet", "graded")
texts = shared("texts/{shard}.parquet", "graded")
# What the files state, empty tables where they are no logs
imports = shared("imports/{shard}.parquet", "graded")
ruled = shared("ruled/{shard}.parquet", "runs", "graded")  # answers whose state a rule decided
names = shared("runs/{shard}.parquet", "runs", "graded")  # the runs, with their files
judgments = shared("judgments.parquet", "runs")
questions = shared("questions.parquet", "runs", "graded")
assessors = shared("assessors.parquet", "runs")
counted_table = shared("table.parquet", "counts")  # published counts
counted_imports = shared("imports/counts.parquet", "counts")
check = shared("check.txt", "runs", "graded", "counts")  # the check found no fault


def faults(campaign: Campaign) -> list[str]:
    """Return the tables of faults."""
    other = {"runs": "judgments", "graded": "questions", "counts": "counts"}[campaign.source]
    return below(
        campaign, f"faults/{other}.tsv", *[f"faults/runs-{shard}.tsv" for shard in campaign.shards]
    )


def accounts(campaign: Campaign) -> list[str]:
    """Return the tables of what logs state; none where files are no logs."""
    return [*imports(campaign), *counted_imports(campaign)] if campaign.imported else []


def checked(campaign: Campaign) -> list[str]:
    """Return the tables that the check reads beside those of faults."""
    read = (questions, judgments, assessors, counted_table, responses, graded, names)
    return [path for paths in read for path in paths(campaign)]


def verdicts(campaign: Campaign) -> list[str]:
    """Return the verdicts that are counted; none of a table of counts."""
    return below(campaign.judged_as, "verdicts.npz") if campaign.single else []


def verdicts_without_rules(campaign: Campaign) -> list[str]:
    """Return the verdicts without the campaign's rules on answers; none where it has no rules, or
    of an evaluation."""
    return verdicts(campaign.without_rules) if campaign.ruled and not campaign.whole else []


def clusters(campaign: Campaign) -> list[str]:
    """Return the table of the questions, where these come in clusters."""
    return questions(campaign) if campaign.clustered else []


def vote_tables(campaign: Campaign) -> list[str]:
    """Return the tables of the assessors, where one of them may have the name of the vote and so
    replace it."""
    if not campaign.judgments.get("vote", {}).get("or_named"):
        return []
    return assessors(campaign) or graded(campaign)


# Counts, scores, statistics.

scores = by_measure("scores")
scores_by_category = by_measure("scores_by_category")


def bounds(campaign: Campaign) -> list[str]:
    """Return the counts by policy variant and, where there are rules on answers, those without the
    rules."""
    without = ["counts", "counts_by_variant"] if campaign.ruled and not campaign.whole else []
    return below(
        campaign,
        "counts_by_variant.parquet",
        *(f"without-rules/{name}.parquet" for name in without),
    )


def counts_and_scores(campaign: Campaign) -> list[str]:
    """Return the counts, and the scores of each measure."""
    return [*below(campaign, "counts.parquet"), *scores(campaign)]


def of_scenarios(campaign: Campaign) -> list[str]:
    """Return the counts and scores of the scenarios of a campaign."""
    return [path for scenario in campaign.own_scenarios for path in counts_and_scores(scenario)]


def trials(campaign: Campaign) -> list[str]:
    """Return the folder of each measure with the tables of its analyses."""
    folders = (f"reliability/by_measure/{id}" for id in campaign.measures)
    return below(campaign, *folders) if campaign.has_trials else []


def leader(campaign: Campaign, measure: str) -> list[str]:
    """Return the folder of the measure from whose tables those of this one follow, if there is
    one."""
    other = measures.leader(campaign.task, measure, campaign.measures)
    return below(campaign, f"reliability/by_measure/{other}") if other else []


def comparisons(campaign: Campaign) -> list[str]:
    """Return the folders of the measures by which runs are compared."""
    return trials(campaign) if campaign.analysed("comparison") else []


def summaries(campaign: Campaign) -> list[str]:
    """Return the folders of the tables that analyses make of the whole campaign."""
    records = [one.summary for one in campaign.analysis_records if one.summary]
    return below(campaign, *sorted({f"reliability/{record.rule}" for record in records}))


def pool(campaign: Campaign) -> list[str]:
    """Return the verdicts and what they are made of, if answers were pooled."""
    pooled = (
        campaign.source == "runs"
        and campaign.task_record.pooled
        and not campaign.judgments["closed"]
    )
    parts = [*verdicts(campaign), *questions(campaign), *judgments(campaign), *responses(campaign)]
    return parts if pooled and campaign.analysed("pooling") else []


def of_choices(campaign: Campaign) -> list[str]:
    """Return the table of questions, where a column says how many choices each has."""
    return questions(campaign) if isinstance(campaign.choices, str) else []


# Pages.


class Page(NamedTuple):
    """What the rule of a page writes in the folder of a campaign, and which campaigns have it."""

    writes: tuple[str, ...]
    applies: Callable[[Campaign], bool]


def document(id: str, *tables: str) -> tuple[str, ...]:
    """Return the files of a page: its text, and in a folder of its name its sections and tables."""
    return (f"{id}.md", *(f"{id}/{name}" for name in ("sections.json", *tables)))


LEADERBOARD = tuple(f"leaderboard.{ending}" for ending in ("csv", "parquet", "md", "tex", "json"))
PAGES = {
    "imports": Page(("imports.csv", "imports.json"), lambda it: it.imported),
    "leaderboard": Page(
        (*LEADERBOARD, "categories.csv", "changes.md", "changes.json"), lambda it: True
    ),
    "reliability": Page(document("reliability"), lambda it: bool(it.analyses)),
    "audit": Page(("audit.csv", "audit.json"), lambda it: it.ruled),
    "adjudication": Page(("to_adjudicate.csv", "adjudication.json"), lambda it: it.disputed),
    "scenarios": Page(
        document("scenarios", "scores.csv", "rankings.csv", "swaps.csv"),
        lambda it: "scenarios" in it.options,
    ),
    "systems": Page(
        document("systems", "gains.csv", "differences.csv"), lambda it: "systems" in it.options
    ),
    "gates": Page(
        ("gates.json", "gates.xml", *document("gates")), lambda it: "gates" in it.options
    ),
}


def pages(campaign: Campaign) -> list[str]:
    """Return the ids of the pages that a campaign has."""
    return [id for id, page in PAGES.items() if page.applies(campaign)]


def pages_written(campaign: Campaign) -> list[str]:
    """Return what the pages of a campaign write."""
    return below(campaign, *(name for id in pages(campaign) for name in PAGES[id].writes))


def of_report(campaign: Campaign) -> list[str]:
    """Return what a campaign's part of the report reads."""
    tables = [
        path
        for paths in (scores, verdicts, responses, texts, comparisons)
        for path in paths(campaign)
    ]
    return [*pages_written(campaign), *below(campaign, "check.json", "counts.parquet"), *tables]


def exports(campaign: Campaign) -> list[str]:
    """Return every response for other programs, which is made only when it is asked for."""
    return below(campaign, "responses.parquet", "responses.jsonl") if campaign.single else []


def every_result(campaign: Campaign) -> list[str]:
    """Return all results of a campaign and its evaluations, and exports that are there."""
    made = (faults, imports, counted_imports, checked, texts, ruled)
    own = [path for paths in (*made, trials, summaries, pages_written) for path in paths(campaign)]
    own += below(campaign, "check.txt", "check.json", "report.json", "report.html")
    for it in campaign.evaluated or [campaign]:
        own += verdicts(it)
        own += below(
            it,
            *(f"{name}.parquet" for name in ("counts", "counts_by_category", "counts_by_variant")),
        )
    for it in (campaign, *campaign.own_scenarios):
        own += [*scores(it), *scores_by_category(it)]
    exported = (*exports(campaign), f"{campaign.folder}/verdicts.parquet")
    return list(dict.fromkeys([*own, *(path for path in exported if Path(path).exists())]))


OF_ALL = ["results/summary.md", "results/report.html"]  # the pages on all campaigns
