"""How far the scores can be trusted: a job per campaign, analysis and measure; then tables, figures and a page."""


rule block:
    """What one block of the trials of a big analysis counts; reliability.blocks in the configuration asks for it."""
    input:
        verdicts=verdicts_of,
        script=source("reliability.py"),
        library=library("reliability.py", "block"),
        measures=measure_modules,
    output:
        temp("results/{campaign}/blocks/{analysis}/{measure}/{block}.npz"),
    log:
        "results/logs/{campaign}/{analysis}-{measure}-{block}.log",
    benchmark:
        "results/benchmarks/{campaign}/{analysis}-{measure}-{block}.tsv"
    wildcard_constraints:
        campaign=one_of(campaigns_by("runs") + campaigns_by("graded")),
        analysis=one_of(SETTINGS),
        measure=one_of(id for name in CAMPAIGNS for id in measures_of(name)),
        block=r"\d+",
    threads: 1
    resources:
        mem_mb=analysis_memory,
        runtime=analysis_minutes(),
    params:
        task=task,
        policy=policy,
        official=official_option,
        blocks=lambda wildcards: blocks(wildcards, wildcards.analysis),
        options=lambda wildcards: trust_options(wildcards.campaign, SETTINGS[wildcards.analysis]),
    shell:
        "python {input.script:q} block {wildcards.analysis} --campaign {wildcards.campaign} --task {params.task}"
        " --measure {wildcards.measure:q} --file {input.verdicts:q} --policy {params.policy:q}"
        " {params.official} --options {params.options:q} --block {wildcards.block} --blocks {params.blocks}"
        " --output {output:q} 2> {log:q}"


rule trials:
    """One of the analyses that count over random subsets of the questions: stability, swap, sample_size."""
    input:
        verdicts=verdicts_of,
        counted=lambda wildcards: block_files(wildcards, wildcards.analysis),
        script=source("reliability.py"),
        library=library("reliability.py", "measure"),
        measures=measure_modules,
    output:
        "results/{campaign}/reliability/{analysis}/{measure}.parquet",
    log:
        "results/logs/{campaign}/{analysis}-{measure}.log",
    benchmark:
        "results/benchmarks/{campaign}/{analysis}-{measure}.tsv"
    wildcard_constraints:
        campaign=one_of(campaigns_by("runs") + campaigns_by("graded")),
        analysis="stability|swap|sample_size",
        measure=one_of(id for name in CAMPAIGNS for id in measures_of(name)),
    threads: 1
    resources:
        mem_mb=analysis_memory,
        runtime=analysis_minutes(),
    params:
        task=task,
        policy=policy,
        official=official_option,
        counted=block_options,
        options=lambda wildcards: trust_options(wildcards.campaign, SETTINGS[wildcards.analysis]),
    shell:
        "python {input.script:q} measure {wildcards.analysis} --campaign {wildcards.campaign} --task {params.task}"
        " --measure {wildcards.measure:q} --file {input.verdicts:q} --policy {params.policy:q}"
        " {params.official} --options {params.options:q} {params.counted} --output {output:q} 2> {log:q}"


rule comparison:
    """Bootstrap intervals, paired tests, and groups of runs that cannot be told apart."""
    input:
        verdicts=verdicts_of,
        counted=lambda wildcards: block_files(wildcards, "comparison"),
        script=source("reliability.py"),
        library=library("reliability.py", "measure"),
        measures=measure_modules,
    output:
        intervals="results/{campaign}/reliability/intervals/{measure}.parquet",
        comparisons="results/{campaign}/reliability/comparisons/{measure}.parquet",
    log:
        "results/logs/{campaign}/comparison-{measure}.log",
    benchmark:
        "results/benchmarks/{campaign}/comparison-{measure}.tsv"
    wildcard_constraints:
        campaign=one_of(campaigns_by("runs") + campaigns_by("graded")),
        measure=one_of(id for name in CAMPAIGNS for id in measures_of(name)),
    threads: 1
    resources:
        mem_mb=analysis_memory,
        runtime=analysis_minutes("comparison"),
    params:
        task=task,
        policy=policy,
        official=official_option,
        counted=block_options,
        options=lambda wildcards: trust_options(wildcards.campaign, SETTINGS["comparison"]),
    shell:
        "python {input.script:q} measure comparison --campaign {wildcards.campaign} --task {params.task}"
        " --measure {wildcards.measure:q} --file {input.verdicts:q} --policy {params.policy:q}"
        " {params.official} --options {params.options:q} {params.counted}"
        " --output {output.intervals:q} --output {output.comparisons:q} 2> {log:q}"


rule agreement:
    """How far the assessors agree on single answers."""
    input:
        labels=labels_of,
        script=source("reliability.py"),
        library=library("reliability.py", "agreement"),
        task=task_modules,
    output:
        agreement="results/{campaign}/reliability/agreement.csv",
        patterns="results/{campaign}/reliability/agreement_patterns.csv",
    log:
        "results/logs/{campaign}/agreement.log",
    wildcard_constraints:
        campaign=one_of(campaigns_by("runs") + campaigns_by("graded")),
    threads: 1
    resources:
        mem_mb=request(1000, 40),
        runtime=request(5, 1 / 50),
    params:
        task=task,
        correct=lambda wildcards: as_json(CAMPAIGNS[wildcards.campaign].get("judgments", {}).get("correct", [])),
        official=official_option,
    shell:
        "python {input.script:q} agreement --task {params.task} --file {input.labels:q} --correct {params.correct:q}"
        " {params.official} --output {output.agreement:q} --patterns {output.patterns:q} 2> {log:q}"


rule rankings:
    """How far rankings agree: under different judgments, and by different measures."""
    input:
        scores_of_all,
        script=source("reliability.py"),
        library=library("reliability.py", "rankings"),
        measures=measure_modules,
    output:
        "results/{campaign}/reliability/rankings.csv",
    log:
        "results/logs/{campaign}/rankings.log",
    wildcard_constraints:
        campaign=one_of(campaigns_by("runs") + campaigns_by("graded")),
    threads: 1
    params:
        task=task,
        measures=lambda wildcards: ",".join(measures_of(wildcards.campaign)),
        folder=lambda wildcards: f"results/{wildcards.campaign}",
        official=official_option,
    shell:
        "python {input.script:q} rankings --task {params.task} --measures {params.measures:q}"
        " --folder {params.folder:q} {params.official} --output {output:q} 2> {log:q}"


rule sensitivity:
    """The differences that two subsets confirm: a row per measure."""
    input:
        analyses_of("swap"),
        published=str(HOME / "resources/published/penas-2011-table-2.csv"),
        script=source("reliability.py"),
        library=library("reliability.py", "sensitivity"),
    output:
        "results/{campaign}/reliability/sensitivity.csv",
    log:
        "results/logs/{campaign}/sensitivity.log",
    localrule: True
    threads: 1
    params:
        task=task,
        measures=lambda wildcards: ",".join(measures_of(wildcards.campaign)),
        level=lambda wildcards: trust(wildcards.campaign)["level"],
    shell:
        "python {input.script:q} sensitivity --task {params.task} --measures {params.measures:q} --level {params.level}"
        " --published {input.published:q} --output {output:q} 2> {log:q}"


rule questions_needed:
    """The differences that all questions can tell, and the questions that a difference needs."""
    input:
        analyses_of("sample_size"),
        script=source("reliability.py"),
        library=library("reliability.py", "questions_needed"),
    output:
        differences="results/{campaign}/reliability/sample_size.csv",
        needed="results/{campaign}/reliability/questions_needed.csv",
    log:
        "results/logs/{campaign}/questions_needed.log",
    localrule: True
    threads: 1
    params:
        measures=lambda wildcards: ",".join(measures_of(wildcards.campaign)),
        level=lambda wildcards: trust(wildcards.campaign)["level"],
    shell:
        "python {input.script:q} questions-needed --measures {params.measures:q} --level {params.level}"
        " --output {output.differences:q} --needed {output.needed:q} 2> {log:q}"


rule discriminative_power:
    """The shares of pairs of runs that can be told apart: a row per measure."""
    input:
        analyses_of("comparisons"),
        script=source("reliability.py"),
        library=library("reliability.py", "discriminative_power"),
    output:
        "results/{campaign}/reliability/discriminative_power.csv",
    log:
        "results/logs/{campaign}/discriminative_power.log",
    localrule: True
    threads: 1
    params:
        measures=lambda wildcards: ",".join(measures_of(wildcards.campaign)),
        level=lambda wildcards: trust(wildcards.campaign)["level"],
    shell:
        "python {input.script:q} discriminative-power --measures {params.measures:q} --level {params.level}"
        " --output {output:q} 2> {log:q}"


rule reliability:
    """Figures, and a page that says what the analyses found."""
    input:
        trust_tables,
        script=source("reliability.py"),
        library=library("reliability.py", "page"),
        measures=measure_modules,
    output:
        findings="results/{campaign}/reliability/findings.csv",
        figures=directory("results/{campaign}/figures"),
        page="results/{campaign}/reliability.md",
        tex="results/{campaign}/reliability.tex",
        html=report(
            "results/{campaign}/reliability.html",
            caption="../report/reliability.rst",
            category="Reliability",
            labels={"campaign": "{campaign}"},
        ),
    log:
        "results/logs/{campaign}/reliability.log",
    threads: 1
    resources:
        mem_mb=request(2000),
        runtime=request(15),
    params:
        task=task,
        measures=lambda wildcards: ",".join(measures_of(wildcards.campaign)),
        folder=lambda wildcards: f"results/{wildcards.campaign}",
        options=page_options,
    shell:
        "python {input.script:q} page --campaign {wildcards.campaign} --task {params.task}"
        " --measures {params.measures:q} --folder {params.folder:q} --options {params.options:q} 2> {log:q}"
