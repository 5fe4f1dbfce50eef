"""Input and params functions: which tables each rule takes, and what it must know of the configuration."""

from nonresponse import fidelity


def fault_tables(wildcards):
    """The tables of faults of a campaign, within its folder."""
    door = settings.door(CAMPAIGNS[wildcards.campaign])
    if door == "counts":
        return ["faults/counts.tsv"]
    other = "faults/judgments.tsv" if door == "runs" else "faults/questions.tsv"
    return [other, *[f"faults/runs-{shard}.tsv" for shard in shards(wildcards.campaign)]]


def checked_tables(wildcards):
    """The tables that the check reads, and whose faults it reports."""
    folder = f"results/{wildcards.campaign}"
    door = settings.door(CAMPAIGNS[wildcards.campaign])
    names = fault_tables(wildcards)
    if door == "counts":
        names += ["table.parquet"]
    else:
        table = {"runs": "responses", "graded": "graded"}[door]
        names += ["questions.parquet"] + (["judgments.parquet"] if door == "runs" else [])
        names += [f"{part}/{shard}.parquet" for part in (table, "runs") for shard in shards(wildcards.campaign)]
    return [f"{folder}/{name}" for name in names]


def checked_options(wildcards):
    """What the check must know of the configuration, and nothing else, so that nothing else repeats it."""
    campaign = CAMPAIGNS[wildcards.campaign]
    keys = ("task", "runs", "judgments", "graded", "counts", "baseline", "reject_all", "accept_all")
    options = {key: campaign[key] for key in keys if key in campaign}
    trials = [analysis.trials for analysis in analyses_of(wildcards.campaign) if analysis.trials]
    if campaign["reliability"]["size"] and any("size" in part.settings for part in trials):
        options["size"] = campaign["reliability"]["size"]
    return as_json(options)


def judged_tables(wildcards):
    """The tables that verdicts are made of."""
    return [
        path
        for path in checked_tables(wildcards)
        if path.endswith(".parquet") and not path.startswith(f"results/{wildcards.campaign}/runs/")
    ]


def judging_rules(wildcards):
    """Which labels are correct, which partial, and whether an answer key is closed."""
    judgments = CAMPAIGNS[wildcards.campaign].get("judgments", {})
    return as_json({key: judgments[key] for key in ("correct", "partial", "closed") if key in judgments})


def verdicts_of(wildcards):
    return checkpoints.verdicts.get(campaign=wildcards.campaign).output[0]


def ask_verdicts(campaign):
    """Make what follows wait for the campaign's verdicts; a table of counts has none."""
    if "counts" not in CAMPAIGNS[campaign]:
        checkpoints.verdicts.get(campaign=campaign)


def page_of(campaign, name):
    """An input function for a page of one campaign: a fault in it keeps no other from its pages."""

    def page(wildcards):
        ask_verdicts(campaign)
        return f"results/{campaign}/{name}"

    return page


def score_tables(campaign):
    """The scores of all measures of a campaign, and the counts beside them."""
    folder = f"results/{campaign}"
    return [f"{folder}/counts.parquet"] + [
        f"{folder}/{part}/{id}.parquet" for part in ("scores", "scores_by_category") for id in measures_of(campaign)
    ]


def scores(wildcards):
    ask_verdicts(wildcards.campaign)
    return score_tables(wildcards.campaign)


def leaderboard_options(wildcards):
    """What the leaderboard must know of the configuration."""
    campaign = CAMPAIGNS[wildcards.campaign]
    keys = ("title", "simulated", "baseline", "reject_all", "accept_all")
    options = {key: campaign[key] for key in keys if key in campaign}
    if "counts" not in campaign:
        options |= zip(("accept_all", "reject_all"), task_of(wildcards.campaign).trivial)
    if official(wildcards):
        options["official"] = official(wildcards)
    if analysed(wildcards.campaign, "comparison"):
        options["level"] = campaign["reliability"]["level"]
    return as_json(options)


def tables_by_measure(campaign, folder):
    """The tables of an analysis in a folder of reliability/, of all measures of the campaign."""
    return [f"results/{campaign}/reliability/{folder}/{id}.parquet" for id in measures_of(campaign)]


def analysis_tables(campaign):
    """The tables of all analyses of the campaign."""
    found = []
    for analysis in analyses_of(campaign):
        for folder in analysis.trials.tables if analysis.trials else ():
            found += tables_by_measure(campaign, folder)
        for name in analysis.summary.tables if analysis.summary else ():
            found.append(f"results/{campaign}/reliability/{name}.csv")
    return found


def intervals(wildcards):
    """The bootstrap intervals and groups that the leaderboard shows; none where nothing is compared."""
    if not analysed(wildcards.campaign, "comparison"):
        return []
    ask_verdicts(wildcards.campaign)
    return tables_by_measure(wildcards.campaign, "intervals")


ANALYSED = [campaign for campaign in CAMPAIGNS if analyses_of(campaign)]
RELIABILITY = [page_of(campaign, "reliability.md") for campaign in ANALYSED]

LEADERBOARDS = [page_of(campaign, "leaderboard.md") for campaign in CAMPAIGNS]

DATED = [campaign for campaign in CAMPAIGNS if task_of(campaign).years]
YEARS = [page_of(campaign, "years.md") for campaign in DATED]


def years_options(wildcards):
    """What the page on years must know: the bounds of the years, and how far the curve goes."""
    campaign = CAMPAIGNS[wildcards.campaign]
    options = {key: campaign[key] for key in ("title", "simulated") if key in campaign}
    areas = [id for id in [*campaign["measures"], "auc@10"] if id.startswith("auc@")]
    (first, last), farthest = campaign["years"], measures.get(campaign["task"], areas[0]).extra["years"]
    return as_json(options | {"first": first, "last": last, "farthest": farthest})


# What is compared with the previous results, from effect to cause.
COMPARABLE = {
    "counts": ["leaderboard"],
    "graded": ["leaderboard", "verdicts"],
    "runs": ["leaderboard", "verdicts", "judgments"],
}


def compared(wildcards):
    """Judgments too: an edit that changes no verdict is told as well."""
    ask_verdicts(wildcards.campaign)
    names = COMPARABLE[settings.door(CAMPAIGNS[wildcards.campaign])]
    return [f"results/{wildcards.campaign}/{name}.parquet" for name in names]


def changes_options(wildcards):
    """What the page on changes must know of the configuration."""
    campaign = CAMPAIGNS[wildcards.campaign]
    options = {key: campaign[key] for key in ("title", "simulated") if key in campaign}
    return as_json(options | {"official": official(wildcards)})


CHANGES = [page_of(campaign, "changes.md") for campaign in CAMPAIGNS]


def told(campaign):
    """The page on a campaign's changes as it stands; null where there is none."""
    page = Path(f"results/{campaign}/changes.md")
    return page.read_text(encoding="utf-8", errors="replace") if page.is_file() else None


TOLD_BEFORE = {campaign: told(campaign) for campaign in LOOKED_AFTER}


def news():
    """A line for each campaign whose page was there before and says something else now, below its title."""
    for campaign, before in TOLD_BEFORE.items():
        then, now = ((page or "").partition("\n\n")[2] for page in (before, told(campaign)))
        if then and now and now != then:
            yield f"{campaign}: {now.partition(chr(10))[0]} (results/{campaign}/changes.md)"


def published_scores(wildcards):
    return [f"results/{table.name}/scores/{id}.parquet" for table in PUBLISHED for id in table.measures]


def summary_options(wildcards):
    """What the summary must know of each campaign."""
    keys = ("task", "measures", "title", "simulated")
    return as_json(
        [
            {"name": name, "trusted": name in ANALYSED, "dated": name in DATED}
            | {key: campaign[key] for key in keys if key in campaign}
            for name, campaign in CAMPAIGNS.items()
        ]
    )


# The campaigns that are a published table of counts, with the measures that the table prints; and the published
# tables of a similarity that some campaign is judged by.
PUBLISHED = [
    table for table in fidelity.TABLES if set(table.measures) <= set(CAMPAIGNS.get(table.name, {}).get("measures", []))
]
SIMILAR = [table for table in fidelity.SIMILARITIES if table.task in {own["task"] for own in CAMPAIGNS.values()}]
FIDELITY = ["results/fidelity.md", "results/fidelity.csv"] if PUBLISHED or SIMILAR else []
