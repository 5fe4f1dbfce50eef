"""How far the scores can be trusted: analyses of single measures.

Reads outcomes/, and questions.parquet where questions come in clusters.
Writes reliability/, a folder for each table.

What an analysis reads, writes and costs is in its record (src/nonresponse/reliability/analyses.py); its tables of a
whole campaign, and the page on all analyses, are topics (src/nonresponse/dag/topics.py).
"""

for rule_name, ids, names in distinct("trials", trials.together(ask.campaigns)):

    rule:
        """The tables of all analyses that count over random draws of the questions, for one measure."""
        name:
            rule_name
        input:
            outcomes=ask.outcomes,
            clusters=ask.of(files.clusters),
            script=ask.script("reliability.py"),
        output:
            [f"results/{{campaign}}/reliability/{folder}/{{measure}}.parquet" for folder in trials.folders(ids)],
        log:
            f"results/logs/{{campaign}}/{rule_name}-{{measure}}.log",
        benchmark:
            f"results/benchmarks/{{campaign}}/{rule_name}-{{measure}}.tsv"
        wildcard_constraints:
            campaign=one_of(names),
            measure=ask.any_measure,
        group:
            ask.group("scored")
        resources:
            mem_mb=ask.for_trials(trials.memory, ids),
            runtime=ask.for_trials(trials.minutes, ids),
        params:
            code=code("reliability.py"),
            analyses=list(ids),
            task=ask.task,
            settings=ask.of_trials(trials.settings, ids),
        shell:
            "python {input.script:q}"
            " --analyses {params.analyses}"
            " --campaign={wildcards.campaign}"
            " --task {params.task}"
            " --measure {wildcards.measure:q}"
            " --file {input.outcomes:q}"
            " --clusters {input.clusters:q}"
            " --settings <(printf %s {params.settings:q})"
            " --tables {output:q}"
            " 2> {log:q}"
