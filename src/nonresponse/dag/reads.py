"""The files that topics and views read, by the words in their records: those of READS, or a folder of reliability/."""

from collections.abc import Callable

from nonresponse.dag import files
from nonresponse.dag.campaigns import Campaign


def by_measure(campaign: Campaign, folder: str) -> list[str]:
    """The tables in a folder of reliability/, of all measures that are tested."""
    return files.below(campaign, *(f"reliability/{folder}/{id}.parquet" for id in campaign.tested))


def of_comparison(campaign: Campaign, folder: str) -> list[str]:
    """The tables in a folder of reliability/ of the analysis `comparison`; none where the campaign lacks it."""
    return by_measure(campaign, folder) if campaign.analysed("comparison") else []


def scores_of_scenarios(campaign: Campaign) -> list[str]:
    """The counts and scores of a campaign and its scenarios."""
    return [file for evaluation in (campaign, *campaign.own_scenarios) for file in files.scores(evaluation)]


def pool(campaign: Campaign) -> list[str]:
    """Verdicts, judgments, questions and responses; nothing where answers were not pooled."""
    pooled = campaign.source == "runs" and campaign.task.pooled and not campaign.judgments["closed"]
    return files.verdicts(campaign) + files.judged(campaign) if pooled else []


def of_views(campaign: Campaign) -> list[str]:
    """The tables that its views read."""
    paths = files.scores(campaign)
    for word in sorted(campaign.view_reads):
        if word.endswith(".parquet"):
            paths += files.below(campaign, f"reliability/{word}")
        elif campaign.single:
            paths += READS[word](campaign)
    return paths


READS: dict[str, Callable[[Campaign], list[str]]] = {
    "accounts": lambda it: files.below(it, *files.read_accounts(it)),
    "all scores": files.all_scores,
    "analysed": lambda it: files.scores(it) + analysed(it),
    "audited": lambda it: files.judged(it) + files.of_each_shard(it, "ruled") + files.below(it, "check.txt"),
    # Judgments too, since an edit that changes no verdict is reported.
    "before and now": lambda it: [
        path
        for name in files.COMPARABLE[it.source]
        for path in (files.verdicts(it) if name == "verdicts" else files.below(it, f"{name}.parquet"))
    ],
    "clusters": files.clusters,
    "counts": files.counts,
    "history": files.history,
    "intervals": lambda it: of_comparison(it, "intervals"),
    "judged": files.judged,
    "judged responses": lambda it: files.judgments(it) + files.responses(it),
    "labels": lambda it: files.judgments(it) or files.verdicts(it),
    "of views": of_views,
    "pairs": lambda it: of_comparison(it, "comparisons"),
    "pool": pool,
    "published": files.source,
    "published sensitivity": files.published_sensitivity,
    "questions": lambda it: files.below(it, "questions.parquet") if it.has_column_of_options else [],
    "scenarios": lambda it: scores_of_scenarios(it) + of_comparison(it, "comparisons"),
    "responses": files.responses,
    "scores": files.scores,
    "threshold": lambda it: by_measure(it, "questions_needed")[:1] if it.analysed("sample_size") else [],
    "verdicts": files.verdicts,
    "voters": files.voters,
}


def files_of(campaign: Campaign, words: tuple[str, ...]) -> list[str]:
    """The files that these words of READS stand for, each once."""
    parts = [READS[word](campaign) if word in READS else by_measure(campaign, word) for word in words]
    return list(dict.fromkeys(path for part in parts for path in part))


def analysed(campaign: Campaign) -> list[str]:
    """The tables of all its analyses."""
    paths = []
    for analysis in campaign.analyses:
        for folder in analysis.trials.tables if analysis.trials else ():
            paths += by_measure(campaign, folder)
        names = analysis.summary.tables if analysis.summary else ()
        paths += files.below(campaign, *(f"reliability/{name}.parquet" for name in names))
    return paths
