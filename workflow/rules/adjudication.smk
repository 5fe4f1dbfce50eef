"""What to judge next, where several assessors have judged."""


rule adjudication:
    """The answers whose labels matter most, in order."""
    input:
        verdicts=verdicts_of,
        counts="results/{campaign}/counts.parquet",
        judged=judged_responses,
        script=project_file("adjudication.py"),
    output:
        "results/{campaign}/to_adjudicate.csv",
    log:
        "results/logs/{campaign}/adjudication.log",
    wildcard_constraints:
        campaign=one_of(DISPUTABLE),
    threads: 1
    resources:
        mem_mb=request(1000, 40),
        runtime=request(5, 1 / 50),
    params:
        code=code("adjudication.py"),
        task=task,
        settings=settings_for("measures", "official", "vote"),
    shell:
        "python {input.script:q} --task {params.task} --verdicts {input.verdicts:q} --counts {input.counts:q}"
        " --judged {input.judged:q} --settings <(printf %s {params.settings:q}) --output {output:q} 2> {log:q}"
