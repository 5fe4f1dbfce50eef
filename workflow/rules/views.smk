"""Views: what else the results of a campaign say, each a record in scripts/nonresponse/views."""

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
        files += judged_tables(wildcards) if "judged" in reads else []
        files += [f"results/{name}/responses/{shard}.parquet" for shard in shards(name)] if "responses" in reads else []
    return files + [f"results/{name}/reliability/{part}" for part in sorted(reads) if part.endswith(".csv")]


def view_modules(wildcards):
    """The views of the campaign, its measures, and how its task is judged, where a view asks for that."""
    views_files = modules(*[f"nonresponse/views/{view.id}.py" for view in views_of(wildcards.campaign)])
    judged = judge_modules(wildcards) if any("judged" in view.reads for view in views_of(wildcards.campaign)) else []
    return [*views_files, *measure_modules(wildcards), *judged]


def view_options(wildcards):
    """What the views must know of the configuration."""
    name = wildcards.campaign
    campaign, reads = CAMPAIGNS[name], {part for view in views_of(name) for part in view.reads}
    named = [setting for view in views_of(name) for setting in view.settings]
    trivial = [campaign[key] for key in ("accept_all", "reject_all") if key in campaign]
    more = {"trivial": trivial if "counts" in campaign else [*task_of(name).trivial]}
    if reads & {"judged", "responses"}:
        more |= {"shards": shards(name)}
    if "judged" in reads:
        more |= {"rules": json.loads(judging_rules(wildcards)), "format": campaign["judgments"]["format"]}
    return page_options(*named, **more)(wildcards)


def view_results(campaign):
    """Every result of the views of a campaign; of single tables Snakemake knows nothing, since each has its own."""
    names = ["", "/findings.csv", ".md", ".html"] if campaign in WITH_VIEWS else []
    return [f"results/{campaign}/views{name}" for name in names]


rule views:
    """What else the results of a campaign say: a table per view, and a page of them."""
    input:
        viewed,
        script=project_file("views.py"),
        library=library("views.py"),
        views=view_modules,
    output:
        "results/{campaign}/views/findings.csv",
        tables=directory("results/{campaign}/views"),
        page="results/{campaign}/views.md",
        html=report(
            "results/{campaign}/views.html",
            caption="../report/views.rst",
            category="Views",
            labels={"campaign": "{campaign}"},
        ),
    log:
        "results/logs/{campaign}/views.log",
    wildcard_constraints:
        campaign=one_of(WITH_VIEWS),
    threads: 1
    resources:
        mem_mb=request(1500, 40),
        runtime=request(5, 1 / 50),
    params:
        task=task,
        views=lambda wildcards: ",".join(view.id for view in views_of(wildcards.campaign)),
        policy=policy,
        settings=view_options,
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --views {params.views}"
        " --folder {params.folder:q} --policy {params.policy:q} --settings {params.settings:q} 2> {log:q}"
