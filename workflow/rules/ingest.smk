"""Raw files into tables, with all their faults; then the check that stops the campaign if there is any."""


rule ingest_runs:
    """One shard of the runs into responses."""
    input:
        runs=shard_files,
        script=reader("ingest.py"),
    output:
        responses="results/{campaign}/responses/{shard}.parquet",
        faults="results/{campaign}/faults/runs-{shard}.tsv",
        names="results/{campaign}/runs/{shard}.parquet",
        ruled="results/{campaign}/ruled/{shard}.parquet",
        read="results/{campaign}/read/runs-{shard}.sha256",
    log:
        "results/logs/{campaign}/ingest_runs-{shard}.log",
    benchmark:
        "results/benchmarks/{campaign}/ingest_runs-{shard}.tsv"
    wildcard_constraints:
        campaign=those(lambda it: it.source == "runs"),
    threads: 1
    resources:
        mem_mb=request(1000, 12),
        runtime=request(5, 1 / 100),
    params:
        code=code("ingest.py"),
        contents=contents_of(shard_files, shard_others),
        files=of(lambda it: as_json(it.raw["files"])),
        shards=of(lambda it: it.options["shards"]),
        options=of(lambda it: as_json(facts.of_reader(it, "runs"))),
        task=of(lambda it: it.task.id),
    shell:
        "python {input.script:q} runs --files <(printf %s {params.files:q}) --shard {wildcards.shard} --shards {params.shards}"
        " --options <(printf %s {params.options:q}) --task {params.task}"
        " --output {output.responses:q} --faults {output.faults:q} --names {output.names:q} --ruled {output.ruled:q}"
        " --contents {params.contents} --read {output.read:q} 2> {log:q}"


rule ingest_judgments:
    """The judgments of all assessors, and the question set."""
    input:
        judgments=of(lambda it: it.judgment_files.files),
        questions=of(lambda it: it.question_files),
        script=reader("ingest.py"),
    output:
        judgments="results/{campaign}/judgments.parquet",
        questions="results/{campaign}/questions.parquet",
        faults="results/{campaign}/faults/judgments.tsv",
        names="results/{campaign}/assessors.parquet",
        read="results/{campaign}/read/judgments.sha256",
    log:
        "results/logs/{campaign}/ingest_judgments.log",
    wildcard_constraints:
        campaign=those(lambda it: it.source == "runs"),
    threads: 1
    resources:
        mem_mb=request(1000, 12),
        runtime=request(5, 1 / 100),
    params:
        code=code("ingest.py"),
        contents=contents_of(
            of(lambda it: it.judgment_files.files),
            of(lambda it: files.others(it.judgment_files.others)),
            of(lambda it: it.question_files),
        ),
        files=of(lambda it: as_json(it.judgments["files"])),
        options=of(lambda it: as_json(facts.of_reader(it, "judgments"))),
        labels=of(lambda it: as_json(settings.known_labels(it.options))),
        task=of(lambda it: it.task.id),
        questions=fact("questions"),
    shell:
        "python {input.script:q} judgments --files <(printf %s {params.files:q}) --options <(printf %s {params.options:q})"
        " --labels <(printf %s {params.labels:q}) --task {params.task} --questions-options <(printf %s {params.questions:q})"
        " --output {output.judgments:q} --questions {output.questions:q} --faults {output.faults:q} --names {output.names:q}"
        " --contents {params.contents} --read {output.read:q} 2> {log:q}"


rule ingest_graded:
    """One shard of the graded responses."""
    input:
        graded=shard_files,
        script=reader("ingest.py"),
    output:
        graded="results/{campaign}/graded/{shard}.parquet",
        faults="results/{campaign}/faults/runs-{shard}.tsv",
        names="results/{campaign}/runs/{shard}.parquet",
        imports="results/{campaign}/imports/{shard}.parquet",
        ruled="results/{campaign}/ruled/{shard}.parquet",
        read="results/{campaign}/read/runs-{shard}.sha256",
    log:
        "results/logs/{campaign}/ingest_graded-{shard}.log",
    benchmark:
        "results/benchmarks/{campaign}/ingest_graded-{shard}.tsv"
    wildcard_constraints:
        campaign=those(lambda it: it.source == "graded"),
    threads: 1
    resources:
        mem_mb=request(1000, 30),
        runtime=request(5, 1 / 50),
    params:
        code=code("ingest.py"),
        contents=contents_of(shard_files, shard_others),
        files=of(lambda it: as_json(it.raw["files"])),
        shards=of(lambda it: it.options["shards"]),
        options=of(lambda it: as_json(facts.of_reader(it, "graded"))),
        task=of(lambda it: it.task.id),
    shell:
        "python {input.script:q} graded --files <(printf %s {params.files:q}) --shard {wildcards.shard} --shards {params.shards}"
        " --options <(printf %s {params.options:q}) --task {params.task}"
        " --output {output.graded:q} --faults {output.faults:q} --names {output.names:q} --imports {output.imports:q}"
        " --ruled {output.ruled:q} --contents {params.contents} --read {output.read:q} 2> {log:q}"


rule ingest_questions:
    """The question set of graded responses, empty where there is no file of it."""
    input:
        questions=of(lambda it: it.question_files),
        script=reader("ingest.py"),
    output:
        questions="results/{campaign}/questions.parquet",
        faults="results/{campaign}/faults/questions.tsv",
        read="results/{campaign}/read/questions.sha256",
    log:
        "results/logs/{campaign}/ingest_questions.log",
    wildcard_constraints:
        campaign=those(lambda it: it.source == "graded"),
    localrule: True
    threads: 1
    params:
        code=code("ingest.py"),
        contents=contents_of(of(lambda it: it.question_files)),
        options=fact("questions"),
    shell:
        "python {input.script:q} questions --options <(printf %s {params.options:q})"
        " --output {output.questions:q} --faults {output.faults:q}"
        " --contents {params.contents} --read {output.read:q} 2> {log:q}"


rule ingest_counts:
    """A table of published counts."""
    input:
        counts=of(lambda it: it.count_files.files),
        script=reader("ingest.py"),
    output:
        table="results/{campaign}/table.parquet",
        faults="results/{campaign}/faults/counts.tsv",
        imports="results/{campaign}/imports/counts.parquet",
        read="results/{campaign}/read/counts.sha256",
    log:
        "results/logs/{campaign}/ingest_counts.log",
    wildcard_constraints:
        campaign=those(lambda it: it.source == "counts"),
    localrule: True
    threads: 1
    params:
        code=code("ingest.py"),
        contents=contents_of(
            of(lambda it: it.count_files.files),
            of(lambda it: files.others(it.count_files.others)),
        ),
        files=of(lambda it: settings.counts_files(it.options)),
        options=of(lambda it: as_json(facts.counts_options(it) | {"unpacked": config["unpacked"]})),
        task=of(lambda it: it.task.id),
    shell:
        "python {input.script:q} counts --file={params.files:q} --options <(printf %s {params.options:q}) --task {params.task}"
        " --output {output.table:q} --faults {output.faults:q} --imports {output.imports:q}"
        " --contents {params.contents} --read {output.read:q} 2> {log:q}"


rule check:
    """All faults of all the files of a campaign, in one report; with any, nothing below is touched."""
    input:
        of(files.checked),
        script=project_file("check.py"),
    output:
        "results/{campaign}/check.txt",
    log:
        "results/logs/{campaign}/check.log",
    retries: 0  # a fault in a file stays one
    threads: 1
    resources:
        mem_mb=request(2000, 20),
        runtime=request(5, 1 / 50),
    params:
        code=code("check.py"),
        options=told(*facts.CHECKED),
        faults=of(lambda it: as_json(files.faults(it))),
        shards=fact("shards"),
        accounts=of(lambda it: as_json(files.read_accounts(it))),
        folder="results/{campaign}",
    shell:
        # The log is the report; scripts/nonresponse/progress.py shows all of it.
        "python {input.script:q} --campaign={wildcards.campaign} --options <(printf %s {params.options:q}) --folder {params.folder:q}"
        " --faults <(printf %s {params.faults:q}) --shards <(printf %s {params.shards:q}) --accounts <(printf %s {params.accounts:q})"
        " --report {params.folder:q}/faults.txt"
        " --output {output:q} 2> {log:q}"
