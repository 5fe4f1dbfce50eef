"""How far the scores can be trusted: analyses of each measure, and of the whole campaign."""


rule trials:
    """The tables of all analyses of one measure; those that are not asked for are empty."""
    input:
        verdicts=of(paths.verdicts),
        clusters=of(paths.clusters),
    output:
        expand("results/{{campaign}}/reliability/{table}/{{measure}}.parquet", table=paths.TABLES_OF_TRIALS),
    log:
        "results/logs/{campaign}/trials-{measure}.log",
    benchmark:
        "results/benchmarks/{campaign}/trials-{measure}.tsv"
    wildcard_constraints:
        campaign=one_of(it.name for it in CAMPAIGNS if it.has_trials),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 200),
        runtime=minutes(5, 5),
    params:
        code=code("statistics"),
        memo="results/.memo/{campaign}/trials/{measure}.npz",
        record=params_of(records.TrialsParams),
    shell:
        call(
            "trials",
            "verdicts clusters",
            tables="{output:q}",
            measure="{wildcards.measure:q}",
            memo="{params.memo:q}",
            code="{params.code}",
        )


rule summaries:
    """The tables that analyses make of the whole campaign."""
    input:
        verdicts=of(paths.verdicts),
        counts="results/{campaign}/counts.parquet",
        scores=of(paths.scores),
        clusters=of(paths.clusters),
        voters=of(paths.voters),
        trials=of(paths.trials),
        published=of(paths.published_sensitivity),
    output:
        directory("results/{campaign}/reliability/summaries"),
    log:
        "results/logs/{campaign}/summaries.log",
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 200),
        runtime=minutes(5, 1),
    params:
        code=code("statistics"),
        record=params_of(records.SummariesParams),
    shell:
        call("summaries", "verdicts counts scores clusters voters trials published", folder="{output:q}")


rule judging:
    """The tables that depend on judgments even where verdicts stay as they are."""
    input:
        labels=of(lambda campaign: paths.judgments(campaign) or paths.verdicts(campaign)),
        pool=of(paths.pool),
    output:
        directory("results/{campaign}/reliability/judging"),
    log:
        "results/logs/{campaign}/judging.log",
    wildcard_constraints:
        campaign=from_source("runs", "graded"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(5, 1 / 2),
    params:
        code=code("statistics"),
        record=params_of(records.JudgmentTablesParams),
    shell:
        call("judging", "labels pool", folder="{output:q}")
