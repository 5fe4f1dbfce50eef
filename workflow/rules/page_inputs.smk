"""Input and params functions of scores and pages, and all that a campaign's results are."""

from types import SimpleNamespace

from nonresponse.pages import fidelity
from nonresponse.pages.report import sections_of


def page_of(campaign, name):
    """An input function for a page of one campaign: a fault in it does not keep others from theirs."""

    def page(wildcards):
        ask_counts(campaign)
        return f"results/{campaign}/{name}"

    return page


def score_tables(campaign):
    """The scores of all measures of a campaign, and the counts beside them."""
    folder = f"results/{campaign}"
    return [f"{folder}/counts.parquet"] + [
        f"{folder}/{part}/{id}.parquet" for part in ("scores", "scores_by_category") for id in measures_of(campaign)
    ]


def scores(wildcards):
    ask_counts(wildcards.campaign)
    return score_tables(wildcards.campaign)


def leaderboard_options(wildcards):
    """What the leaderboard must know of the configuration."""
    campaign = CAMPAIGNS[wildcards.campaign]
    keys = ("title", "simulated", "baseline", "reject_all", "accept_all", "options", "measures_named")
    keys += scenarios.ASKED
    options = {key: campaign[key] for key in keys if key in campaign}
    if campaign.get("attributes"):
        options["attributes"] = list(campaign["attributes"].items())  # in their order, which JSON's keys lose here
    if "counts" not in campaign:
        options |= zip(("accept_all", "reject_all"), task_of(wildcards.campaign).trivial)
    options |= of_source(wildcards.campaign)
    if official(wildcards):
        options["official"] = official(wildcards)
    if analysed(wildcards.campaign, "comparison"):
        options |= {"level": campaign["reliability"]["level"], "tested": tested(wildcards.campaign)}
    return as_json(options)


def source_tables(wildcards):
    """The published table that the campaign is, where its figures are compared."""
    return [path for path in PUBLISHED_TABLES if Path(path).stem == wildcards.campaign]


def set_beside_source(wildcards):
    """That table and the leaderboard, for other pages that say how far one is from the other."""
    printed = source_tables(wildcards)
    return printed and [*printed, f"results/{wildcards.campaign}/leaderboard.parquet"]


def of_source(campaign):
    """Where that table is, as an option of pages; nothing where there is none."""
    found = source_tables(SimpleNamespace(campaign=campaign))
    return {"published": str(HOME / "resources/published")} if found else {}


def tables_by_measure(campaign, folder):
    """The tables of an analysis in a folder of reliability/, of all measures that are tested."""
    return [f"results/{campaign}/reliability/{folder}/{id}.parquet" for id in tested(campaign)]


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
    ask_counts(wildcards.campaign)
    return tables_by_measure(wildcards.campaign, "intervals")


def page_options(*names, **more):
    """A params function: what a page of one section must know, with these options of the campaign, and more."""

    def options(wildcards):
        campaign = CAMPAIGNS[wildcards.campaign]
        known = {key: campaign[key] for key in ("title", "simulated", "measures", *names) if key in campaign}
        if analysed(wildcards.campaign, "comparison"):
            known |= {"level": campaign["reliability"]["level"], "tested": tested(wildcards.campaign)}
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
    first, last = campaign["years"]
    bounds = {"first": first, "last": last, "farthest": farthest(wildcards.campaign)}
    return as_json(options | {"official": official(wildcards), **bounds})


def farthest(campaign):
    """The distance in years that the curve goes to."""
    areas = [id for id in [*CAMPAIGNS[campaign]["measures"], "auc@10"] if id.startswith("auc@")]
    return measures.get(CAMPAIGNS[campaign]["task"], areas[0]).extra["years"]


# The campaigns whose assessors may dispute answers: where there are several, the configuration says which is official.
DISPUTABLE = [
    name
    for name in CAMPAIGNS
    if CAMPAIGNS[name]["task"] in ANSWERS and official(SimpleNamespace(campaign=name)) is not None
]


def judged_responses(wildcards):
    """The judgments, and the responses that they are of; nothing where responses came graded."""
    own = f"results/{wildcards.campaign}/"
    tables = judged_tables(wildcards) if wildcards.campaign in campaigns_by("runs") else []
    return [path for path in tables if path.startswith((f"{own}responses/", f"{own}judgments"))]


def settings_of_part(campaign):
    """What the report's part on a campaign must know of the configuration."""
    known = CAMPAIGNS[campaign]
    keys = ("title", "simulated", "baseline", "measures", "measures_named", *scenarios.ASKED)
    settings_known = {key: known[key] for key in keys if key in known}
    settings_known |= {
        "analyses": [analysis.id for analysis in analyses_of(campaign)],
        "attributes": list(known.get("attributes", {})),
        "silent": "n_u" in task_of(campaign).shown,
        "dated": campaign in DATED,
        "ruled": campaign in RULED,
        "disputed": campaign in DISPUTABLE,
        "scenarios": campaign in WITH_SCENARIOS,
        "systems": campaign in WITH_SYSTEMS,
        "imported": campaign in IMPORTED,
        "views": [view.id for view in views_of(campaign)],
        "read": read_of(campaign),
        "responses": responses_of(campaign),
        "policy": settings.policy_of(known),
        **({"tested": tested(campaign)} if measures_with_trials(campaign) else {}),
        "seed": config["seed"],
        "source": settings.source(known),
        **of_source(campaign),
        "level": known["reliability"]["level"] if analysed(campaign, "comparison") else None,
        "official": official(SimpleNamespace(campaign=campaign)),
    }
    # How the work is spread changes no result; what an analysis reads is its own affair.
    told = {key: value for key, value in known.items() if key not in ("shards", "reliability", "measures_named")}
    return settings_known | {"configuration": told | settings.policy_of(known)}


def part_settings(wildcards):
    return as_json(settings_of_part(wildcards.campaign))


def reported_tables(wildcards):
    """The tables that the sections of the campaign's part read.

    It waits for what the page on scenarios waits for: one that waited for less would keep that page as it was.
    """
    campaign = wildcards.campaign
    ask_scenarios(campaign)
    read = ["leaderboard.parquet"]
    for name in (name for section in sections_of(settings_of_part(campaign)) for name in section.reads):
        if "{shard}" in name:
            read += responses_of(campaign)
        else:
            read += [name.format(measure=id) for id in tested(campaign)] if "{measure}" in name else [name]
    noted = [f"read/{name}" for name in read_of(campaign)]
    return [f"results/{campaign}/{name}" for name in dict.fromkeys([*read, *noted])]


def responses_of(campaign):
    """The tables of the responses, of a campaign that is judged here."""
    return [f"responses/{shard}.parquet" for shard in shards(campaign)] if campaign in campaigns_by("runs") else []


def read_of(campaign):
    """The names of the tables of what was read, in `read/`; former ones may lie beside them."""
    tables = fault_tables(SimpleNamespace(campaign=campaign))
    return [name.removeprefix("faults/").replace(".tsv", ".sha256") for name in tables]


def report_parts(wildcards):
    """The parts of all campaigns; it waits for what these wait for."""
    for name in CAMPAIGNS:
        ask_scenarios(name)
    return [f"results/{name}/report.json" for name in CAMPAIGNS]


# What is compared with the previous results, from effect to cause.
COMPARABLE = {
    "counts": ["leaderboard"],
    "graded": ["leaderboard", "verdicts"],
    "runs": ["leaderboard", "verdicts", "judgments"],
}


def compared(wildcards):
    """Judgments too: an edit that changes no verdict is reported as well."""
    ask_counts(wildcards.campaign)
    names = COMPARABLE[settings.source(CAMPAIGNS[wildcards.campaign])]
    return [f"results/{wildcards.campaign}/{name}.parquet" for name in names]


def changes_options(wildcards):
    """What the page on changes must know of the configuration."""
    campaign = CAMPAIGNS[wildcards.campaign]
    options = {key: campaign[key] for key in ("title", "simulated") if key in campaign}
    return as_json(options | of_source(wildcards.campaign) | {"official": official(wildcards)})


def published_scores(wildcards):
    return [f"results/{table.name}/scores/{id}.parquet" for table in PUBLISHED for id in table.measures]


def summary_options(wildcards):
    """What the summary must know of each campaign."""
    keys = ("task", "measures", "measures_named", "title", "simulated", *scenarios.ASKED)
    return as_json(
        [
            {"name": name, "analysed": name in ANALYSED, "dated": name in DATED}
            | {key: campaign[key] for key in keys if key in campaign}
            | of_source(name)
            for name, campaign in CAMPAIGNS.items()
        ]
    )


# The campaigns that are a published table of counts, with the measures that the table prints; and the published
# tables of a similarity that some campaign is judged by.
PUBLISHED = [
    table for table in fidelity.TABLES if set(table.measures) <= set(CAMPAIGNS.get(table.name, {}).get("measures", []))
]
SIMILAR = [table for table in fidelity.SIMILARITIES if any(table.task == it["task"] for it in CAMPAIGNS.values())]
FIDELITY = [f"results/{name}" for name in ("fidelity.md", "fidelity.csv", "claims.csv")]
FIDELITY = FIDELITY if PUBLISHED or SIMILAR else []
PUBLISHED_TABLES = [str(HOME / f"resources/published/{table.name}.csv") for table in PUBLISHED]
# What the claims of the sources are tested on.
PRINTED = [str(path) for path in sorted((HOME / "resources/published").glob("*.csv"))]
SIMULATED = [str(path) for path in sorted((HOME / "resources/simulation").glob("*.csv"))]


def results_of(campaign):
    """Every result of a campaign: what its verdicts are made of, they themselves, and what follows from them."""
    at = SimpleNamespace(campaign=campaign)
    folder = f"results/{campaign}"
    names = [f"read/{Path(name).stem}.sha256" for name in fault_tables(at)] + ["check.txt"]
    if "counts" not in CAMPAIGNS[campaign]:
        names += ["verdicts.parquet", "outcomes"]
    names += [
        "counts_by_category.parquet",
        "counts_by_treatment.parquet",
        "categories.csv",
        "changes.md",
        "changes.json",
        "report.json",
        "report.html",
    ]
    names += [f"leaderboard.{ending}" for ending in ("csv", "parquet", "md", "tex")]
    names += ["to_adjudicate.csv"] if campaign in DISPUTABLE else []
    if campaign in DATED:
        names += [
            "years",
            "years/within.parquet",
            "years/decades.parquet",
            "years/within.svg",
            "years/blocks.json",
            "years.md",
        ]
    if campaign in ANALYSED:
        names += ["figures", "reliability/findings.csv", "reliability/blocks.json"]
        names += [f"reliability.{ending}" for ending in ("md", "tex")]
    names += written_accounts(campaign) + (["imports.csv"] if campaign in IMPORTED else [])
    if campaign in RULED:
        verdicts_and_counts = ["verdicts", "counts", "counts_by_category", "counts_by_treatment"]
        names += ["audit.csv", *[f"without-rules/{name}.parquet" for name in verdicts_and_counts]]
    paths = [f"{folder}/{name}" for name in names] + ruled_tables(campaign)
    paths += scenario_results(campaign) + system_results(campaign) + view_results(campaign)
    return [*checked_tables(at), *paths, *score_tables(campaign), *analysis_tables(campaign)]


def targets_of(campaign):
    """An input function: every result of a campaign, once its verdicts are known.

    A fault in a campaign does not keep others from their results; whatever is deleted is made again.
    """

    def targets(wildcards):
        ask_scenarios(campaign)
        return results_of(campaign)

    return targets
