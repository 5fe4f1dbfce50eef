"""What the rules share: functions of the wildcards of a job."""

import re


def one_of(words):
    """Return a pattern that matches exactly these words; without words, one that matches nothing."""
    return "|".join(re.escape(word) for word in sorted(set(words))) or "(?!)"


def of(function):
    """Apply a function to the campaign, or evaluation, that the wildcards name."""
    return lambda wildcards: function(EVALUATIONS[wildcards.campaign])


def from_source(*sources):
    """Return a pattern that matches the campaigns whose data come from these sources."""
    return one_of(it.name for it in CAMPAIGNS if it.source in sources)


def params_of(record, **more):
    """Return the parameters of a stage; `more` are functions of the wildcards for fields of a single job."""
    return lambda wildcards: record.project(
        EVALUATIONS[wildcards.campaign], **{name: function(wildcards) for name, function in more.items()}
    )


def contents(function):
    """Return a digest of the raw files that a function of a campaign names, whatever their times are."""
    return lambda wildcards: this_run.raw.of_all(function(EVALUATIONS[wildcards.campaign]))


def wait_for_verdicts(campaigns):
    """Wait until all evaluations of these campaigns are judged."""
    for campaign in campaigns:
        for it in campaign.own_verdicts:
            checkpoints.judge.get(campaign=it.name)


def verdicts_of(evaluation):
    """Ask for the verdicts of an evaluation; all are asked for at once, and none waits for another."""
    return lambda wildcards: checkpoints.judge.get(campaign=evaluation.name).output[0]


def results_of(campaign):
    """Ask for all results of a campaign, once its verdicts are known: one that is missing is made again."""

    def results(wildcards):
        wait_for_verdicts([campaign])
        return paths.every_result(campaign)

    return results


def results_of_all(wildcards):
    """Ask for the pages on all campaigns, once all verdicts are known."""
    wait_for_verdicts(CAMPAIGNS)
    return ["results/summary.md", "results/report.html", *paths.fidelity_pages(CAMPAIGNS)]


def call(stage, inputs="", outputs="", record="{params.record:q}", **more):
    """Return the command of a stage: it is handed these inputs and outputs of its rule by name, and its parameters.

    `more` are further options with what stands for their values. Parameters come on standard input, since they may be
    longer than an argument can be.
    """
    named = {name: f"{{input.{name}:q}}" for name in inputs.split()}
    named |= {name: f"{{output.{name}:q}}" for name in outputs.split()} | more
    options = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in named.items())
    return f"{STAGE} {stage} {options}" + (f" --params - <<< {record}" if record else "") + " 2> {log:q}"


def shard_of(wildcards):
    """Return what the patterns of a campaign match in the shard of a job."""
    return EVALUATIONS[wildcards.campaign].sharded[int(wildcards.shard)]


def opened_of_shard(wildcards):
    """Return the raw files of a shard, and the files that their format reads with them."""
    return paths.shard_files(EVALUATIONS[wildcards.campaign], int(wildcards.shard))


def contents_of_shard(wildcards):
    """Return a digest of all that a shard holds, files and what is none."""
    return this_run.raw.of_all([*opened_of_shard(wildcards), *map(": ".join, shard_of(wildcards).others.items())])


def of_kind(counts):
    """Return a pattern that matches the measures of counts, or all others."""
    return one_of(id for it in EVALUATIONS.values() for id in it.of_kind(counts))


def with_page(page):
    """Return a pattern that matches the campaigns that have a page."""
    return one_of(it.name for it in CAMPAIGNS if page in paths.pages(it))


def raw_files(wildcards):
    """Return the path and the digest of each raw file of a campaign, sorted."""
    return sorted([path, this_run.raw.of(path)] for path in paths.raw(EVALUATIONS[wildcards.campaign]))
