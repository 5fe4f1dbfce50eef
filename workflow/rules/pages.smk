"""The pages of a campaign, one rule for each: what is found out from its scores and verdicts."""


rule imports:
    """What logs hold, beside what they state."""
    input:
        accounts=of(paths.accounts),
        counts="results/{campaign}/counts.parquet",
    output:
        "results/{campaign}/imports.csv",
        "results/{campaign}/imports.json",
    log:
        "results/logs/{campaign}/imports.log",
    wildcard_constraints:
        campaign=with_page("imports"),
    group:
        "scored-{campaign}"
    params:
        code=code("pages"),
        record=params_of(records.PageParams),
    shell:
        call("imports", "accounts counts", out="{output:q}")


rule leaderboard:
    """The ranking of the runs, with intervals and counts; and what changed since the previous results."""
    input:
        counts="results/{campaign}/counts.parquet",
        scores=of(paths.scores),
        categories=of(paths.scores_by_category),
        trials=of(paths.of_leaderboard),
        choices=of(paths.of_choices),
        published=of(paths.source_table),
        accounts=of(paths.accounts),
        verdicts=of(paths.verdicts),
        judgments=of(paths.judgments),
    output:
        "results/{campaign}/leaderboard.csv",
        "results/{campaign}/leaderboard.parquet",
        "results/{campaign}/leaderboard.md",
        "results/{campaign}/leaderboard.tex",
        "results/{campaign}/leaderboard.json",
        "results/{campaign}/categories.csv",
        "results/{campaign}/changes.md",
        "results/{campaign}/changes.json",
    log:
        "results/logs/{campaign}/leaderboard.log",
    wildcard_constraints:
        campaign=with_page("leaderboard"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        previous="results/previous/{campaign}",
        record=params_of(records.LeaderboardParams),
    shell:
        call(
            "leaderboard",
            "counts scores categories trials choices published accounts verdicts judgments",
            out="{output:q}",
            previous="{params.previous:q}",
        )


rule reliability:
    """How far the scores can be trusted, with figures."""
    input:
        counts="results/{campaign}/counts.parquet",
        scores=of(paths.scores),
        trials=of(paths.trials),
        summaries=of(paths.summaries),
    output:
        directory("results/{campaign}/figures"),
        "results/{campaign}/reliability/findings.csv",
        "results/{campaign}/reliability/blocks.json",
        "results/{campaign}/reliability.md",
        "results/{campaign}/reliability.tex",
    log:
        "results/logs/{campaign}/reliability.log",
    wildcard_constraints:
        campaign=with_page("reliability"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        record=params_of(records.ReliabilityParams),
    shell:
        call("reliability", "counts scores trials summaries", out="{output:q}")


rule audit:
    """The answers whose state a rule on their text decided."""
    input:
        responses=of(paths.responses),
        graded=of(paths.graded),
        judgments=of(paths.judgments),
        questions=of(paths.questions),
        ruled=of(paths.ruled),
        certificate="results/{campaign}/check.txt",
    output:
        "results/{campaign}/audit.csv",
        "results/{campaign}/audit.json",
    log:
        "results/logs/{campaign}/audit.log",
    wildcard_constraints:
        campaign=with_page("audit"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        record=params_of(records.AuditParams),
    shell:
        call("audit", "responses graded judgments questions ruled certificate", out="{output:q}")


rule adjudication:
    """The answers whose judgments matter most."""
    input:
        verdicts=of(paths.verdicts),
        counts="results/{campaign}/counts.parquet",
        judgments=of(paths.judgments),
        responses=of(paths.responses),
        voters=of(paths.voters),
    output:
        "results/{campaign}/to_adjudicate.csv",
        "results/{campaign}/adjudication.json",
    log:
        "results/logs/{campaign}/adjudication.log",
    wildcard_constraints:
        campaign=with_page("adjudication"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        record=params_of(records.AdjudicationParams),
    shell:
        call("adjudication", "verdicts counts judgments responses voters", out="{output:q}")


rule scenarios:
    """The rankings under the scenarios of the campaign."""
    input:
        counts="results/{campaign}/counts.parquet",
        scores=of(paths.scores),
        of_scenarios=of(paths.of_scenarios),
        comparisons=of(paths.comparisons),
    output:
        "results/{campaign}/scenarios.md",
        "results/{campaign}/scenarios/blocks.json",
        "results/{campaign}/scenarios/findings.csv",
        "results/{campaign}/scenarios/scores.csv",
        "results/{campaign}/scenarios/rankings.csv",
        "results/{campaign}/scenarios/swaps.csv",
    log:
        "results/logs/{campaign}/scenarios.log",
    wildcard_constraints:
        campaign=with_page("scenarios"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        record=params_of(records.ScenariosParams),
    shell:
        call("scenarios", "counts scores of_scenarios comparisons", out="{output:q}")


rule systems:
    """Configurations of systems against their baselines."""
    input:
        verdicts=of(paths.verdicts),
        counts="results/{campaign}/counts.parquet",
        scores=of(paths.scores),
        comparisons=of(paths.comparisons),
    output:
        "results/{campaign}/systems.md",
        "results/{campaign}/systems/blocks.json",
        "results/{campaign}/systems/findings.csv",
        "results/{campaign}/systems/gains.csv",
        "results/{campaign}/systems/differences.csv",
    log:
        "results/logs/{campaign}/systems.log",
    wildcard_constraints:
        campaign=with_page("systems"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        record=params_of(records.SystemsParams),
    shell:
        call("systems", "verdicts counts scores comparisons", out="{output:q}")


rule views:
    """What else the results say."""
    input:
        verdicts=of(paths.verdicts),
        counts="results/{campaign}/counts.parquet",
        scores=of(paths.scores),
        others=of(paths.of_views),
    output:
        "results/{campaign}/views.md",
        directory("results/{campaign}/views"),
    log:
        "results/logs/{campaign}/views.log",
    wildcard_constraints:
        campaign=with_page("views"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        record=params_of(records.ViewsParams),
    shell:
        call("views", "verdicts counts scores others", out="{output:q}")


rule gates:
    """The gates of the campaign."""
    input:
        verdicts=of(paths.verdicts),
        clusters=of(paths.clusters),
    output:
        "results/{campaign}/gates.json",
        "results/{campaign}/gates.xml",
        "results/{campaign}/gates.md",
        "results/{campaign}/gates/blocks.json",
        "results/{campaign}/gates/findings.csv",
    log:
        "results/logs/{campaign}/gates.log",
    wildcard_constraints:
        campaign=with_page("gates"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        record=params_of(records.GatesParams),
    shell:
        call("gates", "verdicts clusters", out="{output:q}")


rule history:
    """Where the runs stood, evaluation by evaluation."""
    input:
        evaluations=of(paths.history),
    output:
        "results/{campaign}/history.md",
        directory("results/{campaign}/history"),
    log:
        "results/logs/{campaign}/history.log",
    wildcard_constraints:
        campaign=with_page("history"),
    group:
        "scored-{campaign}"
    params:
        code=code("pages"),
        record=params_of(records.PageParams),
    shell:
        call("history", "evaluations", out="{output:q}")


rule years:
    """How near predicted years come to the reference."""
    input:
        verdicts=of(paths.verdicts),
    output:
        "results/{campaign}/years.md",
        directory("results/{campaign}/years"),
    log:
        "results/logs/{campaign}/years.log",
    wildcard_constraints:
        campaign=with_page("years"),
    group:
        "scored-{campaign}"
    resources:
        mem_mb=memory(2000, 100),
        runtime=minutes(2, 1 / 10),
    params:
        code=code("pages"),
        record=params_of(records.YearsParams),
    shell:
        call("years", "verdicts", out="{output:q}")
