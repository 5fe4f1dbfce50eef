"""What the rules share: functions of the wildcards of a job."""

import re
import shlex
from inspect import signature


def match_words(words):
    """Return a pattern that matches exactly these words; without words, one that matches nothing."""
    return "|".join(re.escape(word) for word in sorted(set(words))) or "(?!)"


def match_source(*sources):
    """Return a pattern that matches the evaluations whose data come from these sources."""
    return match_words(it.name for it in EVALUATIONS.values() if it.source in sources)


def match_kind(counts):
    """Return a pattern that matches the measures of counts, or all others."""
    return match_words(id for it in EVALUATIONS.values() for id in it.list_measures(counts))


def apply(function):
    """Apply a function to the evaluation that the wildcards name, and to the shard if they name one.

    In a rule on all campaigns, apply it to these.
    """

    def of_job(wildcards):
        shard = [int(wildcards.shard)] if "shard" in wildcards.keys() else []
        return function(
            EVALUATIONS[wildcards.campaign] if "campaign" in wildcards.keys() else CAMPAIGNS, *shard
        )

    return of_job


def outputs(stage):
    """Return what the rule of a stage writes."""
    return {name: f"results/{{campaign}}/{file}" for name, file in paths.OUTPUTS[stage].items()}


def page_files(id):
    """Return what the rule of a page writes."""
    return [f"results/{{campaign}}/{name}" for name in paths.PAGES[id].writes]


def call_stage(stage, **more):
    """Return the parameters of a stage's rule, which are its command, its record, its options and a digest of its code.

    The function of the stage is given the inputs, outputs and wildcards that have the names of its parameters, and of
    `more` the options. What else `more` has are fields of its record for a single job. Either may be functions.
    """
    parameters = signature(load_stage(stage)).parameters
    more = {name: apply(value) if callable(value) else value for name, value in more.items()}
    options = {name: value for name, value in more.items() if name in parameters} | {
        "code": digest_stage(stage)
    }

    def command(wildcards, input, output):
        given = dict([*wildcards.items(), *input.items(), *output.items()])
        for name, value in options.items():
            given[name] = (
                value(wildcards) if callable(value) else value.format(**dict(wildcards.items()))
            )
        words = [stage, *(["--params", "-"] if "params" in parameters else [])]
        for name in [name for name in parameters if name in given]:
            values = [given[name]] if isinstance(given[name], str) else given[name]
            words += [f"--{name.replace('_', '-')}", *values]
        # Snakemake's report writes parameters into a page unescaped. What is quoted here stands in
        # single quotes.
        return re.sub("[<>&]", lambda letter: f"'$'\\x{ord(letter[0]):02x}''", shlex.join(words))

    def record(wildcards):
        fields = {name: value(wildcards) for name, value in more.items() if name not in parameters}
        return parameters["params"].annotation.project(
            apply(lambda it, *shard: it)(wildcards), **fields
        )

    return options | {"command": command, "record": record if "params" in parameters else "none"}


def wait_for_verdicts(evaluations, results):
    """Ask for results once all these evaluations are judged: one that is missing is made again."""

    def ask(wildcards):
        for it in evaluations:
            checkpoints.judge.get(campaign=it.name)
        return results

    return ask
