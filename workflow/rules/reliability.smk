"""How far the scores can be trusted: analyses of single measures and of whole campaigns, and a page that shows them.

What an analysis reads, writes and costs is in its record (scripts/nonresponse/reliability/analyses).
"""


rule block:
    """What one block of the trials of a big analysis counts; reliability.blocks in the configuration asks for it."""
    input:
        outcomes=outcomes_of,
        clusters=clusters_of,
        script=project_file("reliability.py"),
    output:
        temp("results/{campaign}/blocks/{analysis}/{measure}/{block}.npz"),
    log:
        "results/logs/{campaign}/{analysis}-{measure}-{block}.log",
    benchmark:
        "results/benchmarks/{campaign}/{analysis}-{measure}-{block}.tsv"
    wildcard_constraints:
        campaign=one_of(campaigns_by("runs") + campaigns_by("graded")),
        analysis=one_of(WITH_TRIALS),
        measure=one_of(id for name in CAMPAIGNS for id in measures_of(name)),
        block=r"\d+",
    threads: 1
    resources:
        mem_mb=Job().memory,
        runtime=Job().minutes,
    params:
        code=code("reliability.py"),
        task=task,
        settings=Job().settings,
        blocks=Job().blocks,
    shell:
        "python {input.script:q} block --analysis {wildcards.analysis} --campaign={wildcards.campaign} --task {params.task}"
        " --measure {wildcards.measure:q} --file {input.outcomes:q} --clusters {input.clusters:q}"
        " --settings <(printf %s {params.settings:q}) --block {wildcards.block} --blocks {params.blocks}"
        " --output {output:q} 2> {log:q}"


# An analysis whose only table has its own name is a job of the rule `trials`; any other has a rule of its own name.
PLAIN = [id for id, trials in WITH_TRIALS.items() if trials.tables == (id,)]
RULES = [("trials", Job(), ["{analysis}"])]
RULES += [(id, Job(id), trials.tables) for id, trials in WITH_TRIALS.items() if id not in PLAIN]

for rule_name, job, folders in RULES:

    rule:
        """The tables of an analysis that counts over random draws of the questions, for one measure."""
        name:
            rule_name
        input:
            outcomes=outcomes_of,
            clusters=clusters_of,
            counted=job.counted,
            script=project_file("reliability.py"),
        output:
            [f"results/{{campaign}}/reliability/{folder}/{{measure}}.parquet" for folder in folders],
        log:
            f"results/logs/{{campaign}}/{job.id}-{{measure}}.log",
        benchmark:
            f"results/benchmarks/{{campaign}}/{job.id}-{{measure}}.tsv"
        wildcard_constraints:
            campaign=one_of(campaigns_by("runs") + campaigns_by("graded")),
            analysis=one_of(PLAIN),
            measure=one_of(id for name in CAMPAIGNS for id in measures_of(name)),
        threads: 1
        resources:
            mem_mb=job.memory,
            runtime=job.minutes,
        params:
            code=code("reliability.py"),
            analysis=job.name,
            task=task,
            settings=job.settings,
        shell:
            "python {input.script:q} measure --analysis {params.analysis} --campaign={wildcards.campaign} --task {params.task}"
            " --measure {wildcards.measure:q} --file {input.outcomes:q} --clusters {input.clusters:q}"
            " --settings <(printf %s {params.settings:q}) --counted {input.counted:q} --tables {output:q} 2> {log:q}"


for analysis in ANALYSES:
    if analysis.summary:

        rule:
            """The tables of an analysis that are of a whole campaign."""
            name:
                analysis.summary.rule
            input:
                files=summarised(analysis.summary.reads),
                published=published_of(analysis.summary.published),
                script=project_file("reliability_summary.py"),
            output:
                [f"results/{{campaign}}/reliability/{name}.csv" for name in analysis.summary.tables],
            log:
                f"results/logs/{{campaign}}/{analysis.summary.rule}.log",
            wildcard_constraints:
                campaign=one_of(name for name in CAMPAIGNS if analysed(name, analysis.id)),
            localrule: analysis.summary.local
            threads: 1
            resources:
                mem_mb=request(1000, 40),
                runtime=request(5, 1 / 50),
            params:
                code=code("reliability_summary.py"),
                analysis=analysis.id,
                task=task,
                settings=settings_for(*analysis.summary.settings),
            shell:
                "python {input.script:q} --analysis {params.analysis} --task {params.task} --settings <(printf %s {params.settings:q})"
                " --files {input.files:q} --published {input.published:q} --output {output:q} 2> {log:q}"


rule reliability:
    """Figures, and a page that says what the analyses found."""
    input:
        analysed_tables,
        set_beside_source,
        script=project_file("reliability_page.py"),
    output:
        findings="results/{campaign}/reliability/findings.csv",
        blocks="results/{campaign}/reliability/blocks.json",
        figures=directory("results/{campaign}/figures"),
        page="results/{campaign}/reliability.md",
        tex="results/{campaign}/reliability.tex",
    log:
        "results/logs/{campaign}/reliability.log",
    threads: 1
    resources:
        mem_mb=request(2000),
        runtime=request(15),
    params:
        code=code("reliability_page.py"),
        task=task,
        settings=settings_for(
            "title",
            "simulated",
            "published",
            "measures",
            "tested",
            "analyses",
            "level",
            "flips",
            "exchanges",
            "official",
            "failed_judgments",
        ),
        folder=lambda wildcards: f"results/{wildcards.campaign}",
    shell:
        "python {input.script:q} --campaign={wildcards.campaign} --task {params.task} --folder {params.folder:q}"
        " --settings <(printf %s {params.settings:q}) 2> {log:q}"
