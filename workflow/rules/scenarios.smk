"""Scenarios: the same judgments read otherwise. What judges, counts and scores a campaign does so for its scenarios."""

WITH_SCENARIOS = [campaign for campaign in CAMPAIGNS if "scenarios" in CAMPAIGNS[campaign]]
SCENARIO_TABLES = ["scores", "rankings", "swaps", "findings"]


def scenarios_of(campaign):
    """The scenarios of a campaign that are scored, by the names of their folders; one that it is itself is not."""
    own = scenarios.said(CAMPAIGNS[campaign])
    return [name for name in SCENARIOS if campaign_of(name) == campaign and scenarios.said(SCENARIOS[name]) != own]


def ask_scenarios(campaign):
    """Make what follows wait for the verdicts of all readings of the campaign."""
    for reading in [campaign, *scenarios_of(campaign)]:
        ask_verdicts(reading)


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
    names = [*[f"/{table}.csv" for table in SCENARIO_TABLES], ".md", ".html"]
    paths = [f"results/{campaign}/scenarios{name}" for name in names]
    for reading in scenarios_of(campaign):
        own = ["verdicts"] if judged_as(reading) == reading else []
        paths += [f"results/{reading}/{name}.parquet" for name in [*own, "counts_by_category", "counts_by_treatment"]]
        paths += score_tables(reading)
    return paths


rule scenarios:
    """Scores, ranks and swapped pairs of runs under every reading of the judgments."""
    input:
        scenario_scores,
        script=project_file("scenarios.py"),
        library=library("scenarios.py"),
        measures=measure_modules,
    output:
        [f"results/{{campaign}}/scenarios/{name}.csv" for name in SCENARIO_TABLES],
        page="results/{campaign}/scenarios.md",
        html=report(
            "results/{campaign}/scenarios.html",
            caption="../report/scenarios.rst",
            category="Scenarios",
            labels={"campaign": "{campaign}"},
        ),
    log:
        "results/logs/{campaign}/scenarios.log",
    wildcard_constraints:
        campaign=one_of(WITH_SCENARIOS),
    localrule: True
    threads: 1
    params:
        task=task,
        settings=scenario_options,
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --folder {params.folder:q}"
        " --settings {params.settings:q} 2> {log:q}"
