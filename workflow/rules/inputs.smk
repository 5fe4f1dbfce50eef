"""Input and params functions: which files each rule takes, and what it must know of the configuration."""

from types import SimpleNamespace

from nonresponse import checksums
from nonresponse.pages import claims, fidelity
from nonresponse.pages.report import sections_of


def judgment_files(wildcards):
    judgments = CAMPAIGNS[wildcards.campaign].get("judgments")
    return found(judgments["files"]).files if judgments else []


def judgment_others(wildcards):
    """What matches and cannot be read: not an input, but a fault."""
    others = found(CAMPAIGNS[wildcards.campaign]["judgments"]["files"]).others
    return [": ".join(other) for other in others.items()]


def count_files(wildcards):
    """The table of counts, or the logs that hold counts."""
    counts = CAMPAIGNS[wildcards.campaign].get("counts")
    if isinstance(counts, dict):
        return formats.read_with(counts["format"], found(counts["files"]).files, counts)
    return [counts] if counts else []


def count_others(wildcards):
    """What matches and cannot be read: not an input, but a fault."""
    counts = CAMPAIGNS[wildcards.campaign]["counts"]
    return [": ".join(other) for other in found(counts["files"]).others.items()] if isinstance(counts, dict) else []


def count_options(wildcards):
    """How to read the counts."""
    counts = CAMPAIGNS[wildcards.campaign]["counts"]
    format = {"format": counts["format"]} if isinstance(counts, dict) else {}
    return as_json(format | {"unpacked": config["unpacked"]})


# The campaigns whose data are logs of harnesses.
IMPORTED = [
    name
    for name, campaign in CAMPAIGNS.items()
    for part in (campaign.get("graded"), campaign.get("counts"))
    if isinstance(part, dict) and part["format"] in formats.LOGS
]


def account_names(campaign):
    """The tables of what the logs of a campaign say of themselves, within its folder."""
    return written_accounts(campaign) if campaign in IMPORTED else []


def written_accounts(campaign):
    """The same of any campaign whose responses come graded, or counted; empty where its files are no logs."""
    if settings.source(CAMPAIGNS[campaign]) == "runs":
        return []
    return [f"imports/{part}.parquet" for part in shards(campaign) or ["counts"]]


def account_tables(wildcards):
    return [f"results/{wildcards.campaign}/{name}" for name in account_names(wildcards.campaign)]


def raw_files(campaign):
    """Every file that a campaign is read from."""
    at = SimpleNamespace(campaign=campaign)
    runs = [file for shard in shards(campaign) for file in shard_files(SimpleNamespace(campaign=campaign, shard=shard))]
    return [*runs, *judgment_files(at), *question_files(at), *count_files(at)]


# What the main process has seen; on a cluster its jobs take that from its note, so that they compare with the same.
RAW_NOTED = checksums.noted(checksums.RAW)
RAW = checksums.states([path for name in WATCHED for path in raw_files(name)], RAW_NOTED)
CHECKSUMS = checksums.by_path(RAW if workflow.is_main_process else RAW_NOTED)


def contents_of(*files):
    """A params function: changes with what these functions name and its content, whatever the times of files say.

    It must not ask for `input`: Snakemake compares no params that are derived from it.
    """
    return lambda wildcards: checksums.checksum_of([path for part in files for path in part(wildcards)], CHECKSUMS)


def fault_tables(wildcards):
    """The tables of faults of a campaign, within its folder."""
    source = settings.source(CAMPAIGNS[wildcards.campaign])
    if source == "counts":
        return ["faults/counts.tsv"]
    other = "faults/judgments.tsv" if source == "runs" else "faults/questions.tsv"
    return [other, *[f"faults/runs-{shard}.tsv" for shard in shards(wildcards.campaign)]]


def checked_tables(wildcards):
    """The tables that the check reads, and whose faults it reports."""
    folder = f"results/{wildcards.campaign}"
    source = settings.source(CAMPAIGNS[wildcards.campaign])
    names = fault_tables(wildcards)
    if source == "counts":
        names += ["table.parquet"]
    else:
        table = {"runs": "responses", "graded": "graded"}[source]
        names += ["questions.parquet"] + (["judgments.parquet"] if source == "runs" else [])
        names += [f"{part}/{shard}.parquet" for part in (table, "runs") for shard in shards(wildcards.campaign)]
    return [f"{folder}/{name}" for name in names + account_names(wildcards.campaign)]


def checked_options(wildcards):
    """What the check must know of the configuration, and nothing else, so that nothing else repeats it."""
    campaign = CAMPAIGNS[wildcards.campaign]
    keys = ("task", "runs", "judgments", "graded", "counts", "baseline", "reject_all", "accept_all")
    options = {key: campaign[key] for key in keys if key in campaign}
    grouped = {key: [campaign[key], least] for key, least in settings.GROUPS.items() if key in campaign}
    options |= {"grouped": grouped} if grouped else {}
    trials = [analysis.trials for analysis in analyses_of(wildcards.campaign) if analysis.trials]
    if campaign["reliability"]["size"] and any("size" in part.settings for part in trials):
        options["size"] = campaign["reliability"]["size"]
    return as_json(options)


def read_into(wildcards):
    """The folder of the tables that the campaign's files were read into; a scenario has none of its own."""
    return f"results/{campaign_of(wildcards.campaign)}"


def judged_tables(wildcards):
    """The tables that verdicts are made of."""
    at = SimpleNamespace(campaign=campaign_of(wildcards.campaign))
    others = tuple(f"results/{at.campaign}/{part}/" for part in ("runs", "imports"))
    return [path for path in checked_tables(at) if path.endswith(".parquet") and not path.startswith(others)]


def judging_rules(wildcards):
    """Which labels are correct, which partial, and whether an answer key is closed."""
    judgments = READINGS[wildcards.campaign].get("judgments", {})
    return as_json({key: judgments[key] for key in ("correct", "partial", "closed") if key in judgments})


def judged_as(reading):
    """Whose verdicts a reading has: its own, or the campaign's where they would be the same."""
    campaign = campaign_of(reading)
    return campaign if scenarios.judged(READINGS[reading]) == scenarios.judged(CAMPAIGNS[campaign]) else reading


def verdicts_of(wildcards):
    return checkpoints.verdicts.get(campaign=judged_as(wildcards.campaign)).output[0]


def clusters_of(wildcards):
    """The table of the questions, where these come in clusters."""
    clustered = settings.clustered(CAMPAIGNS[wildcards.campaign])
    return [f"results/{wildcards.campaign}/questions.parquet"] if clustered else []


def ask_verdicts(campaign):
    """Make what follows wait for the campaign's verdicts; a table of counts has none."""
    if "counts" not in READINGS[campaign]:
        checkpoints.verdicts.get(campaign=judged_as(campaign))


def page_of(campaign, name):
    """An input function for a page of one campaign: a fault in it does not keep others from theirs."""

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
    """The intervals and groups that the leaderboard shows; none where nothing is compared."""
    if not analysed(wildcards.campaign, "comparison"):
        return []
    ask_verdicts(wildcards.campaign)
    return tables_by_measure(wildcards.campaign, "intervals")


def page_options(*names, **more):
    """A params function: what a page of one section must know, with these options of the campaign, and more."""

    def options(wildcards):
        campaign = CAMPAIGNS[wildcards.campaign]
        known = {key: campaign[key] for key in ("title", "simulated", "measures", *names) if key in campaign}
        if analysed(wildcards.campaign, "comparison"):
            known["level"] = campaign["reliability"]["level"]
        return as_json(known | {"official": official(wildcards), **more})

    return options


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
    return as_json(options | {"official": official(wildcards), "first": first, "last": last, "farthest": farthest})


def settings_of_part(campaign):
    """What the report's part on a campaign must know of the configuration."""
    known = CAMPAIGNS[campaign]
    settings_known = {key: known[key] for key in ("title", "simulated", "baseline", "measures") if key in known}
    settings_known |= {
        "analyses": [analysis.id for analysis in analyses_of(campaign)],
        "silent": "n_u" in task_of(campaign).shown,
        "dated": campaign in DATED,
        "views": [view.id for view in views_of(campaign)],
        "source": settings.source(known),
        "level": known["reliability"]["level"] if analysed(campaign, "comparison") else None,
        "official": official(SimpleNamespace(campaign=campaign)),
    }
    # How the work is spread changes no result; what an analysis reads is its own affair.
    told = {key: value for key, value in known.items() if key not in ("shards", "reliability")}
    return settings_known | {"configuration": told | settings.policy_of(known)}


def part_settings(wildcards):
    return as_json(settings_of_part(wildcards.campaign))


def reported_tables(wildcards):
    """The tables that the sections of the campaign's part read."""
    ask_verdicts(wildcards.campaign)
    sections = sections_of(settings_of_part(wildcards.campaign))
    read = dict.fromkeys(["leaderboard.parquet", *[name for section in sections for name in section.reads]])
    noted = [name.replace("faults/", "read/").replace(".tsv", ".sha256") for name in fault_tables(wildcards)]
    return [f"results/{wildcards.campaign}/{name}" for name in [*read, *noted]]


def section_modules(wildcards):
    """The modules of the sections of the campaign's part, and its views."""
    sections = sections_of(settings_of_part(wildcards.campaign))
    named = [f"pages/report/sections/{section.id}.py" for section in sections]
    named += [f"views/{view.id}.py" for view in views_of(wildcards.campaign)]
    return modules(*[f"nonresponse/{name}" for name in named])


def report_parts(wildcards):
    """The parts of all campaigns."""
    for name in CAMPAIGNS:
        ask_verdicts(name)
    return [f"results/{name}/report.json" for name in CAMPAIGNS]


# What is compared with the previous results, from effect to cause.
COMPARABLE = {
    "counts": ["leaderboard"],
    "graded": ["leaderboard", "verdicts"],
    "runs": ["leaderboard", "verdicts", "judgments"],
}


def compared(wildcards):
    """Judgments too: an edit that changes no verdict is reported as well."""
    ask_verdicts(wildcards.campaign)
    names = COMPARABLE[settings.source(CAMPAIGNS[wildcards.campaign])]
    return [f"results/{wildcards.campaign}/{name}.parquet" for name in names]


def changes_options(wildcards):
    """What the page on changes must know of the configuration."""
    campaign = CAMPAIGNS[wildcards.campaign]
    options = {key: campaign[key] for key in ("title", "simulated") if key in campaign}
    return as_json(options | {"official": official(wildcards)})


def published_scores(wildcards):
    return [f"results/{table.name}/scores/{id}.parquet" for table in PUBLISHED for id in table.measures]


def claimed(wildcards):
    """The results that claims of the sources are tested on, of the campaigns that there are."""
    files = dict.fromkeys(f"results/{file}" for claim in claims.known() for file in claim.reads)
    campaigns = {file.split("/")[1] for file in files} & set(CAMPAIGNS)
    for campaign in campaigns:
        ask_verdicts(campaign)
    there = {path for campaign in campaigns for path in results_of(campaign)}
    return [file for file in files if file in there]


def summary_options(wildcards):
    """What the summary must know of each campaign."""
    keys = ("task", "measures", "title", "simulated")
    return as_json(
        [
            {"name": name, "analysed": name in ANALYSED, "dated": name in DATED}
            | {key: campaign[key] for key in keys if key in campaign}
            for name, campaign in CAMPAIGNS.items()
        ]
    )


# The campaigns that are a published table of counts, with the measures that the table prints; and the published
# tables of a similarity that some campaign is judged by.
PUBLISHED = [
    table for table in fidelity.TABLES if set(table.measures) <= set(CAMPAIGNS.get(table.name, {}).get("measures", []))
]
SIMILAR = [table for table in fidelity.SIMILARITIES if any(table.task == it["task"] for it in CAMPAIGNS.values())]
FIDELITY = [f"results/{name}" for name in ("fidelity.md", "fidelity.html", "fidelity.csv", "claims.csv")]
FIDELITY = FIDELITY if PUBLISHED or SIMILAR else []
PRINTED = [path.stem for path in sorted((HOME / "resources/published").glob("*.csv"))]


def results_of(campaign):
    """Every result of a campaign: what its verdicts are made of, they themselves, and what follows from them."""
    at = SimpleNamespace(campaign=campaign)
    folder = f"results/{campaign}"
    names = [f"read/{Path(name).stem}.sha256" for name in fault_tables(at)] + ["check.txt"]
    if "counts" not in CAMPAIGNS[campaign]:
        names.append("verdicts.parquet")
    names += [
        "counts_by_category.parquet",
        "counts_by_treatment.parquet",
        "categories.csv",
        "changes.md",
        "report.json",
    ]
    names += [f"leaderboard.{ending}" for ending in ("csv", "parquet", "md", "tex", "html")]
    if campaign in DATED:
        names += [
            "years",
            "years/within.parquet",
            "years/decades.parquet",
            "years/within.svg",
            "years.md",
            "years.html",
        ]
    if campaign in ANALYSED:
        names += ["figures", "reliability/findings.csv", *[f"reliability.{ending}" for ending in ("md", "tex", "html")]]
    names += written_accounts(campaign) + (["imports.csv"] if campaign in IMPORTED else [])
    paths = [f"{folder}/{name}" for name in names]
    paths += scenario_results(campaign) + system_results(campaign) + view_results(campaign)
    return [*checked_tables(at), *paths, *score_tables(campaign), *analysis_tables(campaign)]


def targets_of(campaign):
    """An input function: every result of a campaign, once its verdicts are known.

    A fault in a campaign does not keep others from their results; whatever is deleted is made again.
    """

    def targets(wildcards):
        ask_verdicts(campaign)
        ask_scenarios(campaign)
        return results_of(campaign)

    return targets


ANALYSES = [analyses.get(name) for name in analyses.NAMES]
WITH_TRIALS = {analysis.id: analysis.trials for analysis in ANALYSES if analysis.trials}


def analysis_modules(id):
    """What is particular to an analysis."""
    return modules(f"nonresponse/reliability/analyses/{id}.py")


class Job:
    """What rules ask of an analysis of one measure: of the one with this id, or of that in the wildcard {analysis}."""

    def __init__(self, id="{analysis}"):
        self.id = id

    def name(self, wildcards):
        return self.id.format(**wildcards)

    def trials(self, wildcards):
        return WITH_TRIALS[self.name(wildcards)]

    def blocks(self, wildcards):
        """Over how many jobs the trials are spread: as asked for, but none of them without trials."""
        reliability = CAMPAIGNS[wildcards.campaign]["reliability"]
        return min(reliability["blocks"].get(self.name(wildcards), 1), self.trials(wildcards).blocks(reliability))

    def counted(self, wildcards):
        """What the blocks of the trials counted; none where one job does it all."""
        number = self.blocks(wildcards)
        folder = f"results/{wildcards.campaign}/blocks/{self.name(wildcards)}/{wildcards.measure}"
        return [f"{folder}/{block}.npz" for block in range(number)] if number > 1 else []

    def library(self, wildcards):
        return library("reliability.py", "measure")(wildcards) + analysis_modules(self.name(wildcards))

    def settings(self, wildcards):
        return settings_of(wildcards.campaign, "official", *self.trials(wildcards).settings)

    def memory(self, wildcards, input, attempt):
        """In MB: the verdicts decide, not what the blocks counted."""
        base, per_megabyte = self.trials(wildcards).memory
        return attempt * round(base + per_megabyte * megabytes([input.verdicts]))

    def minutes(self, wildcards, input, attempt):
        """Of one block; docs/cluster.md has what was measured."""
        trials = self.trials(wildcards)
        base, per_megabyte = trials.minutes
        work = trials.work(CAMPAIGNS[wildcards.campaign]["reliability"]) / self.blocks(wildcards)
        return attempt * round(base + per_megabyte * megabytes([input.verdicts]) * work)


def summarised(reads):
    """An input function: the files that a summary is made of."""

    def files(wildcards):
        ask_verdicts(wildcards.campaign)
        folder = f"results/{wildcards.campaign}"
        if "labels" in reads:  # in judgments, or in the verdicts of responses that came graded
            name = "judgments" if "judgments" in CAMPAIGNS[wildcards.campaign] else "verdicts"
            return f"{folder}/{name}.parquet"
        if "pool" in reads:
            campaign = CAMPAIGNS[wildcards.campaign]
            pooled = task_of(wildcards.campaign).pooled and not campaign.get("judgments", {"closed": True})["closed"]
            return judged_tables(wildcards) if pooled else []
        if "verdicts" in reads:
            return [f"{folder}/verdicts.parquet", *clusters_of(wildcards)]
        if "counts" in reads:
            return f"{folder}/counts.parquet"
        if "scores" in reads:
            scores = [f"{folder}/scores/{id}.parquet" for id in measures_of(wildcards.campaign)]
            return [f"{folder}/counts.parquet", *scores]
        return [file for name in reads for file in tables_by_measure(wildcards.campaign, name)]

    return files


def summarising_modules(reads):
    """An input function: what is particular to the campaign's task in such a summary."""

    def files(wildcards):
        if "pool" in reads:
            return measure_modules(wildcards) + judge_modules(wildcards)
        return measure_modules(wildcards) if {"scores", "verdicts"} & {*reads} else task_modules(wildcards)

    return files


def settings_for(*names):
    """A params function: these settings of the campaign."""
    return lambda wildcards: settings_of(wildcards.campaign, *names)


def analysed_tables(wildcards):
    """All that the page on reliability shows."""
    ask_verdicts(wildcards.campaign)
    return [f"results/{wildcards.campaign}/counts.parquet", *analysis_tables(wildcards.campaign)]
