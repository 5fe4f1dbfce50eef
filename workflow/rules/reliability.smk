"""How far the scores can be trusted: analyses of single measures.

What an analysis reads, writes and costs is in its record (scripts/nonresponse/reliability/analyses.py); its tables of a
whole campaign, and the page on all analyses, are topics (scripts/nonresponse/dag/topics.py).
"""

OF_TRIALS = those(lambda it: it.has_trials)
TESTED = one_of(id for it in CAMPAIGNS.values() for id in it.measures)


rule block:
    """What one block of the trials of a big analysis counts; reliability.blocks in the configuration asks for it."""
    input:
        outcomes=outcomes,
        clusters=of(files.clusters),
        script=project_file("reliability.py"),
    output:
        temp("results/{campaign}/blocks/{analysis}/{measure}/{block}.npz"),
    log:
        "results/logs/{campaign}/{analysis}-{measure}-{block}.log",
    benchmark:
        "results/benchmarks/{campaign}/{analysis}-{measure}-{block}.tsv"
    wildcard_constraints:
        campaign=OF_TRIALS,
        analysis=one_of(trials.WITH_TRIALS),
        measure=TESTED,
        block=r"\d+",
    threads: 1
    resources:
        mem_mb=for_trials(trials.memory),
        runtime=for_trials(trials.minutes),
    params:
        code=code("reliability.py"),
        task=of(lambda it: it.task.id),
        settings=of_trials(trials.settings),
        blocks=of_trials(trials.blocks),
    shell:
        "python {input.script:q} block --analysis {wildcards.analysis} --campaign={wildcards.campaign} --task {params.task}"
        " --measure {wildcards.measure:q} --file {input.outcomes:q} --clusters {input.clusters:q}"
        " --settings <(printf %s {params.settings:q}) --block {wildcards.block} --blocks {params.blocks}"
        " --output {output:q} 2> {log:q}"


# An analysis whose only table has its own name is a job of the rule `trials`; any other has a rule of its own name.
RULES = [("trials", "{analysis}", ["{analysis}"])]
RULES += [(id, id, it.tables) for id, it in trials.WITH_TRIALS.items() if id not in trials.PLAIN]

for rule_name, id, folders in RULES:

    rule:
        """The tables of an analysis that counts over random draws of the questions, for one measure."""
        name:
            rule_name
        input:
            outcomes=outcomes,
            clusters=of(files.clusters),
            counted=partial(
                lambda id, wildcards: trials.counted(
                    CAMPAIGNS[wildcards.campaign], id.format(**wildcards), wildcards.measure
                ),
                id,
            ),
            script=project_file("reliability.py"),
        output:
            [f"results/{{campaign}}/reliability/{folder}/{{measure}}.parquet" for folder in folders],
        log:
            f"results/logs/{{campaign}}/{id}-{{measure}}.log",
        benchmark:
            f"results/benchmarks/{{campaign}}/{id}-{{measure}}.tsv"
        wildcard_constraints:
            campaign=OF_TRIALS,
            analysis=one_of(trials.PLAIN),
            measure=TESTED,
        threads: 1
        resources:
            mem_mb=for_trials(trials.memory, id),
            runtime=for_trials(trials.minutes, id),
        params:
            code=code("reliability.py"),
            analysis=of_trials(lambda campaign, analysis: analysis, id),
            task=of(lambda it: it.task.id),
            settings=of_trials(trials.settings, id),
        shell:
            "python {input.script:q} measure --analysis {params.analysis} --campaign={wildcards.campaign} --task {params.task}"
            " --measure {wildcards.measure:q} --file {input.outcomes:q} --clusters {input.clusters:q}"
            " --settings <(printf %s {params.settings:q}) --counted {input.counted:q} --tables {output:q} 2> {log:q}"
