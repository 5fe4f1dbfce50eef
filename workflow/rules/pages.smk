"""The pages of a campaign, one rule for each: what is found out from its scores and verdicts."""


rule reliability:
    """How far the scores can be trusted, with figures."""
    input:
        counts="results/{campaign}/counts.parquet",
        scores=apply(paths.scores),
        trials=apply(paths.trials),
        summaries=apply(paths.summaries),
    output:
        out=page_files("reliability"),
    log:
        "results/logs/{campaign}/reliability.log",
    group:
        "scored-{campaign}"
    resources:
        **scale(),
    params:
        **call_stage("reliability"),
    shell:
        STAGE


use rule reliability as leaderboard with:
    """The ranking of the runs, with intervals and counts; and what changed since the previous results."""
    input:
        counts="results/{campaign}/counts.parquet",
        scores=apply(paths.scores),
        scores_by_category=apply(paths.scores_by_category),
        trials=apply(paths.trials),
        accounts=apply(paths.accounts),
        verdicts=apply(paths.verdicts),
        judgments=apply(paths.judgments),
    output:
        out=page_files("leaderboard"),
    log:
        "results/logs/{campaign}/leaderboard.log",
    params:
        **call_stage("leaderboard", previous="results/previous/{campaign}"),


use rule reliability as imports with:
    """What logs hold, beside what they state."""
    input:
        accounts=apply(paths.accounts),
        counts="results/{campaign}/counts.parquet",
    output:
        out=page_files("imports"),
    log:
        "results/logs/{campaign}/imports.log",
    params:
        **call_stage("imports"),


use rule reliability as audit with:
    """The answers whose state a rule on their text decided."""
    input:
        ruled=apply(paths.ruled),
        unruled_verdicts=apply(paths.unruled_verdicts),
    output:
        out=page_files("audit"),
    log:
        "results/logs/{campaign}/audit.log",
    params:
        **call_stage("audit"),


use rule reliability as adjudication with:
    """The answers whose judgments matter most."""
    input:
        verdicts=apply(paths.verdicts),
        counts="results/{campaign}/counts.parquet",
        judgments=apply(paths.judgments),
        responses=apply(paths.responses),
    output:
        out=page_files("adjudication"),
    log:
        "results/logs/{campaign}/adjudication.log",
    params:
        **call_stage("adjudication"),


use rule reliability as scenarios with:
    """The rankings under the scenarios of the campaign."""
    input:
        counts="results/{campaign}/counts.parquet",
        scores=apply(paths.scores),
        scenario_results=apply(paths.scenario_results),
    output:
        out=page_files("scenarios"),
    log:
        "results/logs/{campaign}/scenarios.log",
    params:
        **call_stage("scenarios"),


use rule reliability as systems with:
    """Configurations of systems against their baselines."""
    input:
        verdicts=apply(paths.verdicts),
        counts="results/{campaign}/counts.parquet",
    output:
        out=page_files("systems"),
    log:
        "results/logs/{campaign}/systems.log",
    params:
        **call_stage("systems"),


use rule reliability as gates with:
    """The gates of the campaign."""
    input:
        verdicts=apply(paths.verdicts),
        clusters=apply(paths.clusters),
    output:
        out=page_files("gates"),
    log:
        "results/logs/{campaign}/gates.log",
    params:
        **call_stage("gates"),
