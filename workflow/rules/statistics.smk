"""How far the scores can be trusted: analyses of each measure, and of the whole campaign."""


rule trials:
    """The tables of all analyses of one measure."""
    input:
        verdicts=apply(paths.verdicts),
        clusters=apply(paths.clusters),
        leader=lambda job: paths.leader(EVALUATIONS[job.campaign], job.measure),
    output:
        folder=directory("results/{campaign}/reliability/by_measure/{measure}"),
    log:
        "results/logs/{campaign}/trials-{measure}.log",
    group:
        "scored-{campaign}"
    resources:
        **scale(2000, 20, minutes=15, minutes_per_megabyte=0.1),
    params:
        **call_stage("trials", memo="results/.memo/{campaign}/trials/{measure}.npz"),
    shell:
        STAGE


rule summaries:
    """The tables that analyses make of the whole campaign."""
    input:
        verdicts=apply(paths.verdicts),
        counts="results/{campaign}/counts.parquet",
        scores=apply(paths.scores),
        clusters=apply(paths.clusters),
        trials=apply(paths.trials),
    output:
        folder=directory("results/{campaign}/reliability/summaries"),
    log:
        "results/logs/{campaign}/summaries.log",
    group:
        "scored-{campaign}"
    resources:
        **scale(2000, 20, minutes=5, minutes_per_megabyte=0.05),
    params:
        **call_stage("summaries"),
    shell:
        STAGE


use rule summaries as judging with:
    """The tables that depend on judgments even where verdicts stay as they are."""
    input:
        labels=apply(lambda it: paths.judgments(it) or paths.verdicts(it)),
        pool=apply(paths.pool),
    output:
        folder=directory("results/{campaign}/reliability/judging"),
    log:
        "results/logs/{campaign}/judging.log",
    resources:
        **scale(2000, 10, minutes=5, minutes_per_megabyte=0.05),
    params:
        **call_stage("judging"),
