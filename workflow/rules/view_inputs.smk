"""Input and params functions of the views, the scenarios of a campaign, and its systems."""

from nonresponse import views


def views_of(campaign):
    """The views that a campaign has."""
    return views.of(CAMPAIGNS[campaign])


WITH_VIEWS = [campaign for campaign in CAMPAIGNS if views_of(campaign)]


def viewed(wildcards):
    """The tables that the campaign's views read."""
    name = wildcards.campaign
    reads = {part for view in views_of(name) for part in view.reads}
    files = compared_scores(wildcards) if "comparisons" in reads else scores(wildcards)
    files = [path for path in files if "/scores_by_category/" not in path]
    if "counts" not in CAMPAIGNS[name]:
        files += [verdicts_of(wildcards)] if "verdicts" in reads else []
        files += options_of(wildcards) if "questions" in reads else []
        files += judged_tables(wildcards) if "judged" in reads else []
        files += [f"results/{name}/responses/{shard}.parquet" for shard in shards(name)] if "responses" in reads else []
    return files + [f"results/{name}/reliability/{part}" for part in sorted(reads) if part.endswith(".csv")]


def view_options(wildcards):
    """What the views must know of the configuration."""
    name = wildcards.campaign
    campaign, reads = CAMPAIGNS[name], {part for view in views_of(name) for part in view.reads}
    named = [setting for view in views_of(name) for setting in view.settings]
    trivial = [campaign[key] for key in ("accept_all", "reject_all") if key in campaign]
    more = {"trivial": trivial if "counts" in campaign else [*task_of(name).trivial]} | of_source(name)
    if "seed" in named:
        more |= {"seed": campaign["reliability"]["seed"]}
    if reads & {"judged", "responses"}:
        more |= {"shards": shards(name)}
    if "judged" in reads:
        more |= {"rules": label_rules(wildcards), "format": campaign["judgments"]["format"]}
    return page_options(*named, **more)(wildcards)


def view_results(campaign):
    """Every result of the views of a campaign; of single tables Snakemake knows nothing, since each has its own."""
    folder = f"results/{campaign}/views"
    return [folder, f"{folder}/findings.csv", f"{folder}/blocks.json", f"{folder}.md"] if campaign in WITH_VIEWS else []


WITH_SCENARIOS = [campaign for campaign in CAMPAIGNS if "scenarios" in CAMPAIGNS[campaign]]
SCENARIO_TABLES = ["scores", "rankings", "swaps", "findings"]


def ask_scenarios(campaign):
    """Make what follows wait for the verdicts of all readings of the campaign."""
    for reading in [campaign, *scenarios_of(campaign)]:
        ask_counts(reading)


def scenario_scores(wildcards):
    """The counts and scores of all readings, and how the campaign's runs compare, where that is known."""
    campaign = wildcards.campaign
    ask_scenarios(campaign)
    readings = [campaign, *scenarios_of(campaign)]
    files = [f"results/{name}/counts.parquet" for name in readings]
    files += [f"results/{name}/scores/{id}.parquet" for name in readings for id in measures_of(name)]
    return files + (tables_by_measure(campaign, "comparisons") if analysed(campaign, "comparison") else [])


def scenario_options(wildcards):
    """What the page on scenarios must know of the configuration."""
    return page_options(**scenarios.described(CAMPAIGNS[wildcards.campaign]))(wildcards)


def scenario_results(campaign):
    """Every result of the campaign's scenarios."""
    if campaign not in WITH_SCENARIOS:
        return []
    folder = f"results/{campaign}/scenarios"
    paths = [*[f"{folder}/{table}.csv" for table in SCENARIO_TABLES], f"{folder}/blocks.json", f"{folder}.md"]
    for reading in scenarios_of(campaign):
        own = ["verdicts"] if judged_as(reading) == reading else []
        paths += [f"results/{reading}/{name}.parquet" for name in [*own, "counts_by_category", "counts_by_treatment"]]
        paths += score_tables(reading)
    return paths


WITH_SYSTEMS = [campaign for campaign in CAMPAIGNS if "systems" in CAMPAIGNS[campaign]]
SYSTEM_TABLES = ["gains", "differences", "findings"]


def compared_scores(wildcards):
    """The counts and scores of a campaign, and how its runs compare, where that is known."""
    name = wildcards.campaign
    ask_counts(name)
    files = [f"results/{name}/counts.parquet", *[f"results/{name}/scores/{id}.parquet" for id in measures_of(name)]]
    return files + (tables_by_measure(name, "comparisons") if analysed(name, "comparison") else [])


def system_results(campaign):
    """Every result of the page on a campaign's systems."""
    if campaign not in WITH_SYSTEMS:
        return []
    folder = f"results/{campaign}/systems"
    return [*[f"{folder}/{table}.csv" for table in SYSTEM_TABLES], f"{folder}/blocks.json", f"{folder}.md"]
