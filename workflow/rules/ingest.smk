"""Turns raw files into tables and finds all their faults; then the check, which stops the campaign if there are any.

Reads the files that the configuration names: runs and judgments, or graded responses, or counts; and questions.
Writes responses/, graded/ or table.parquet, judgments.parquet and questions.parquet; which runs and assessors there are
(runs/, assessors.parquet), what there is to read of responses (texts/), what logs say of themselves (imports/), what
rules on texts decided (ruled/), what was read (read/) and what is wrong with it (faults/); then check.txt and,
for pages, check.json.
"""

for source, (folder, others, cost) in files.SHARDED.items():

    rule:
        """One shard of the runs, or of the graded responses with their texts and what logs say of themselves."""
        name:
            f"ingest_{source}"
        input:
            files=ask.shard_files,
            script=ask.reader("ingest.py"),
        output:
            **{name: f"results/{{campaign}}/{name}/{{shard}}.parquet" for name in others},
            table=f"results/{{campaign}}/{folder}/{{shard}}.parquet",
            faults="results/{campaign}/faults/runs-{shard}.tsv",
            names="results/{campaign}/runs/{shard}.parquet",
            ruled="results/{campaign}/ruled/{shard}.parquet",
            read="results/{campaign}/read/runs-{shard}.sha256",
        log:
            f"results/logs/{{campaign}}/ingest_{source}-{{shard}}.log",
        benchmark:
            f"results/benchmarks/{{campaign}}/ingest_{source}-{{shard}}.tsv"
        wildcard_constraints:
            campaign=ask.from_source(source),
        group:
            ask.group("raw")
        resources:
            mem_mb=request(1000, 15 * cost),
            runtime=request(2, cost / 100),
        params:
            code=code("ingest.py"),
            contents=ask.contents_of(ask.shard_files, ask.shard_others),
            files=ask.json(facts.files_of_runs),
            shards=ask.fact("number_of_shards"),
            options=ask.json(facts.how_to_read_runs),
            task=ask.task,
            others=options_for(others),
        shell:
            "python {input.script:q} runs"
            " --files <(printf %s {params.files:q})"
            " --shard {wildcards.shard}"
            " --shards {params.shards}"
            " --options <(printf %s {params.options:q})"
            " --task {params.task}"
            " --output {output.table:q}"
            " --faults {output.faults:q}"
            " --names {output.names:q}"
            " --ruled {output.ruled:q}"
            " {params.others:q}"
            " --contents {params.contents}"
            " --read {output.read:q}"
            " 2> {log:q}"


rule ingest_judgments:
    """The judgments of all assessors, and the question set."""
    input:
        judgments=ask.of(files.judged_files),
        questions=ask.of(files.of_questions),
        script=ask.reader("ingest.py"),
    output:
        judgments="results/{campaign}/judgments.parquet",
        questions="results/{campaign}/questions.parquet",
        faults="results/{campaign}/faults/judgments.tsv",
        names="results/{campaign}/assessors.parquet",
        read="results/{campaign}/read/judgments.sha256",
    log:
        "results/logs/{campaign}/ingest_judgments.log",
    wildcard_constraints:
        campaign=ask.from_source("runs"),
    group:
        ask.group("raw")
    resources:
        mem_mb=request(1000, 12),
        runtime=request(2, 1 / 100),
    params:
        code=code("ingest.py"),
        contents=ask.contents_of(ask.of(files.of_judgments)),
        files=ask.json(facts.files_of_judgments),
        options=ask.json(facts.how_to_read_judgments),
        labels=ask.fact("known_labels"),
        task=ask.task,
        questions=ask.fact("questions"),
    shell:
        "python {input.script:q} judgments"
        " --files <(printf %s {params.files:q})"
        " --options <(printf %s {params.options:q})"
        " --labels <(printf %s {params.labels:q})"
        " --task {params.task}"
        " --questions-options <(printf %s {params.questions:q})"
        " --output {output.judgments:q}"
        " --questions {output.questions:q}"
        " --faults {output.faults:q}"
        " --names {output.names:q}"
        " --contents {params.contents}"
        " --read {output.read:q}"
        " 2> {log:q}"


rule ingest_questions:
    """The question set of graded responses, empty where there is no file of it."""
    input:
        questions=ask.of(files.of_questions),
        script=ask.reader("ingest.py"),
    output:
        questions="results/{campaign}/questions.parquet",
        faults="results/{campaign}/faults/questions.tsv",
        read="results/{campaign}/read/questions.sha256",
    log:
        "results/logs/{campaign}/ingest_questions.log",
    wildcard_constraints:
        campaign=ask.from_source("graded"),
    group:
        ask.group("raw")
    params:
        code=code("ingest.py"),
        contents=ask.contents_of(ask.of(files.of_questions)),
        options=ask.fact("questions"),
    shell:
        "python {input.script:q} questions"
        " --options <(printf %s {params.options:q})"
        " --output {output.questions:q}"
        " --faults {output.faults:q}"
        " --contents {params.contents}"
        " --read {output.read:q}"
        " 2> {log:q}"


rule ingest_counts:
    """A table of published counts."""
    input:
        counts=ask.of(files.counted_files),
        script=ask.reader("ingest.py"),
    output:
        table="results/{campaign}/table.parquet",
        faults="results/{campaign}/faults/counts.tsv",
        imports="results/{campaign}/imports/counts.parquet",
        read="results/{campaign}/read/counts.sha256",
    log:
        "results/logs/{campaign}/ingest_counts.log",
    wildcard_constraints:
        campaign=ask.from_source("counts"),
    group:
        ask.group("raw")
    params:
        code=code("ingest.py"),
        contents=ask.contents_of(ask.of(files.of_counts)),
        files=ask.of(facts.files_of_counts),
        options=ask.json(facts.how_to_read_counts),
        task=ask.task,
    shell:
        "python {input.script:q} counts"
        " --file={params.files:q}"
        " --options <(printf %s {params.options:q})"
        " --task {params.task}"
        " --output {output.table:q}"
        " --faults {output.faults:q}"
        " --imports {output.imports:q}"
        " --contents {params.contents}"
        " --read {output.read:q}"
        " 2> {log:q}"


rule check:
    """All faults of all the files of a campaign, in one report; with any, nothing below is touched."""
    input:
        ask.of(files.checked),
        script=ask.script("check.py"),
    output:
        certificate="results/{campaign}/check.txt",
        data="results/{campaign}/check.json",
    log:
        "results/logs/{campaign}/check.log",
    retries: 0  # a fault in a file stays one
    group:
        ask.group("raw")
    resources:
        mem_mb=ask.by_raw(2000, 5),
        runtime=ask.by_raw(2, 1 / 200),
    params:
        code=code("check.py"),
        options=ask.facts(*facts.CHECKED),
        faults=ask.json(files.faults),
        shards=ask.fact("shards"),
        accounts=ask.json(files.read_accounts),
        folder="results/{campaign}",
    shell:
        # The log is the report; src/nonresponse/progress.py shows all of it.
        "python {input.script:q}"
        " --campaign={wildcards.campaign}"
        " --options <(printf %s {params.options:q})"
        " --folder {params.folder:q}"
        " --faults <(printf %s {params.faults:q})"
        " --shards <(printf %s {params.shards:q})"
        " --accounts <(printf %s {params.accounts:q})"
        " --report {params.folder:q}/faults.txt"
        " --output {output.certificate:q}"
        " --data {output.data:q}"
        " 2> {log:q}"
