"""The scores of all runs of a campaign: a job for all measures of counts, and one for each other measure.

Reads the tables of counts, or verdicts/; both also without the campaign's rules.
Writes scores/ and scores_by_category/.
"""

for rule_name, ids, names in distinct("score_counts", ask.measures_of_counts):

    rule:
        """All measures of counts."""
        name:
            rule_name
        input:
            counts="results/{campaign}/counts.parquet",
            categories="results/{campaign}/counts_by_category.parquet",
            bounds=ask.of(files.bounds),
            script=ask.script("score.py"),
        output:
            [f"results/{{campaign}}/{folder}/{id}.parquet" for folder in ("scores", "scores_by_category") for id in ids],
        log:
            "results/logs/{campaign}/score_counts.log",
        wildcard_constraints:
            campaign=one_of(names),
        group:
            ask.group("scored")
        params:
            code=code("score.py"),
            task=ask.task,
            measures=list(ids),
            folder=ask.of(files.folder),
        shell:
            "python {input.script:q} counts"
            " --task {params.task}"
            " --measures {params.measures:q}"
            " --folder {params.folder:q}"
            " --bounds {input.bounds:q}"
            " 2> {log:q}"


rule score_verdicts:
    """A measure of self-scores, of ranks or of an order."""
    input:
        verdicts=ask.counted(files.verdicts),
        without_rules=ask.counted(files.verdicts_without_rules),
        script=ask.script("score.py"),
    output:
        "results/{campaign}/scores/{measure}.parquet",
        "results/{campaign}/scores_by_category/{measure}.parquet",
    log:
        "results/logs/{campaign}/score-{measure}.log",
    benchmark:
        "results/benchmarks/{campaign}/score-{measure}.tsv"
    wildcard_constraints:
        campaign=one_of(ask.evaluations),
        measure=ask.measure_of_verdicts,
    group:
        ask.group("scored")
    resources:
        mem_mb=ask.by_verdicts(1500, 80),
        runtime=ask.by_verdicts(1, 1 / 50),
    params:
        code=code("score.py"),
        task=ask.task,
        policy=ask.fact("policy"),
        folder=ask.of(files.folder),
        verdicts=ask.of(files.folder_of_verdicts),
        without_rules=ask.without_rules,
    shell:
        "python {input.script:q} verdicts"
        " --task {params.task}"
        " --measures {wildcards.measure:q}"
        " --folder {params.folder:q}"
        " --verdicts {params.verdicts:q}"
        " {params.without_rules:q}"
        " --policy {params.policy:q}"
        " 2> {log:q}"
