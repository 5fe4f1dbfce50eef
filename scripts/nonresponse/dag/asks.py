"""What the rules ask: wildcard constraints, and functions for their inputs, parameters and resources.

Snakemake calls such a function with the wildcards of a job. Its `checkpoints` are handed in,
since the library never imports it.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from nonresponse import checksums, sources
from nonresponse.dag import facts, files, trials
from nonresponse.dag.campaigns import Campaign
from nonresponse.dag.facts import as_json
from nonresponse.dag.run import Run
from nonresponse.ingest.files import unread

Wildcards = Any  # Snakemake's, with an attribute for each
T = TypeVar("T")
WIDER = 2.3  # times as many bytes as the verdicts have with all that follows from them, by which jobs ask for memory
OfJob = Callable[[Wildcards], T]  # a function that Snakemake calls


class Asks:
    """The functions of the rules, for the campaigns of a run.

    The rules that judge, count and score take an evaluation for a campaign, such as trec/scenarios/lenient.
    """

    def __init__(self, run: Run, checkpoints: Any):
        self.run, self.checkpoints = run, checkpoints
        self.campaigns, self.evaluations = run.campaigns, run.evaluations
        self.tallied = [it.name for campaign in run.campaigns for it in campaign.tallied]

    # Wildcard constraints.

    def those(self, fits: Callable[[Campaign], Any]) -> str:
        """The campaigns that something is true of; of none, what matches nothing."""
        return one_of(it.name for it in self.campaigns if fits(it))

    def from_source(self, *names: str) -> str:
        """The campaigns whose data come from there."""
        return self.those(lambda campaign: campaign.source in names)

    # Parameters.

    def of(self, function: Callable[[Campaign], T]) -> OfJob[T]:
        """What a function says of the campaign, or the evaluation of one, in the wildcards; for inputs, too."""
        return lambda wildcards: function(self.evaluations[wildcards.campaign])

    def json(self, function: Callable[[Campaign], Any]) -> OfJob[str]:
        """The same as JSON."""
        return self.of(lambda campaign: as_json(function(campaign)))

    def facts(self, *names: str) -> OfJob[str]:
        """These facts of the campaign, and nothing else of the configuration, as JSON."""
        return self.json(lambda campaign: facts.facts_of(campaign, *names))

    def fact(self, name: str) -> OfJob[str]:
        """A single fact, as JSON."""
        return self.json(lambda campaign: facts.facts_of(campaign, name).get(name))

    def task(self, wildcards: Wildcards) -> str:
        """The id of the campaign's task."""
        return self.evaluations[wildcards.campaign].task.id

    def summarised(self, wildcards: Wildcards) -> str:
        """What the summary must know of all campaigns, as JSON."""
        return as_json([facts.facts_of(campaign, *facts.SUMMARY) for campaign in self.campaigns])

    def contents_of(self, *parts: OfJob[list[str]]) -> OfJob[str]:
        """What changes with the files that these functions name and their content, whatever the times of files say.

        It must not ask for `input`: Snakemake compares no params that are derived from it.
        """
        known = self.run.checksums
        return lambda wildcards: checksums.checksum_of([path for part in parts for path in part(wildcards)], known)

    def further(self, wildcards: Wildcards) -> str:
        """Whether the shard is none that the trivial runs of the task are in: they are in the first one."""
        return "--further" if int(wildcards.shard) > self.evaluations[wildcards.campaign].shards[0] else ""

    # Inputs.

    def script(self, name: str) -> str:
        """A command, as seen from the working folder."""
        return self.run.script(name)

    def reader(self, name: str) -> OfJob[str]:
        """A command that reads raw files, which every graph of jobs goes down to, whatever is asked for.

        So it adds the results without a note to those that Snakemake makes again, as if they were unfinished.
        """

        def command(wildcards: Wildcards) -> str:
            self.run.workflow.dag.forcefiles.update(self.run.unknown)
            return self.script(name)

        return command

    def shard_files(self, wildcards: Wildcards) -> list[str]:
        """The files of a shard, and those that are read with them."""
        return files.of_shard(self.evaluations[wildcards.campaign], int(wildcards.shard))

    def shard_others(self, wildcards: Wildcards) -> list[str]:
        """What matches and cannot be read: not an input, but a fault."""
        return unread(self.evaluations[wildcards.campaign].sharded[int(wildcards.shard)])

    def judged(self, wildcards: Wildcards) -> list[str]:
        """What the verdicts of a shard are made of, once it is known of all shards together or, of one, checked."""
        it = self.evaluations[wildcards.campaign]
        own = files.judged_in_shard(it, wildcards.shard)
        if not it.in_shards:
            return own + files.certificate(it)
        return [*own, self.checkpoints.known.get(campaign=it.name).output[0]]

    def await_counts(self, campaign: Campaign, scenarios: bool = False) -> None:
        """Makes what follows wait for the campaign's counts, with and without its rules, perhaps of its scenarios, too.

        A table of counts has none to make.
        """
        for it in (campaign, *(campaign.own_scenarios if scenarios else ())):
            for name in (it.name, f"{it.name}/without-rules"):
                if name in self.tallied:
                    self.checkpoints.tally.get(campaign=name)

    def counted(self, function: Callable[[Campaign], list[str]], scenarios: bool = False) -> OfJob[list[str]]:
        """What a function says of a campaign once this is counted, perhaps its scenarios, too.

        Then it is known what changed.
        """
        return lambda wildcards: self.once_counted(self.evaluations[wildcards.campaign], function, scenarios)

    def once_counted(self, campaign: Campaign, function: Callable[[Campaign], T], scenarios: bool = False) -> T:
        """What a function says of this campaign once it is counted."""
        self.await_counts(campaign, scenarios)
        return function(campaign)

    def all_counts(self) -> list[OfJob[str]]:
        """The counts of each evaluation, beside all others.

        Snakemake goes through its whole graph once more for each evaluation that is asked for after another.
        """

        def counts(name: str) -> OfJob[str]:
            return lambda wildcards: self.checkpoints.tally.get(campaign=name).output.counts

        return [counts(name) for name in self.tallied]

    def of_each(
        self,
        function: Callable[[Campaign], T],
        fits: Callable[[Campaign], Any] = lambda it: True,
        scenarios: bool = False,
    ) -> list[OfJob[T]]:
        """What a function says of each campaign once it is counted, and of no other one.

        A fault in a campaign does not keep others from theirs; whatever is deleted is made again.
        """

        def of_one(campaign: Campaign) -> OfJob[T]:
            return lambda wildcards: self.once_counted(campaign, function, scenarios)

        return [of_one(campaign) for campaign in self.campaigns if fits(campaign)]

    def page_of_each(self, name: str, fits: Callable[[Campaign], Any] = lambda it: True) -> list[OfJob[list[str]]]:
        """A page of each campaign that has it."""
        return self.of_each(lambda campaign: files.below(campaign, name), fits)

    def parts_of_report(self, wildcards: Wildcards) -> list[str]:
        """The parts of all campaigns; it waits for what these wait for."""
        for campaign in self.campaigns:
            self.await_counts(campaign, scenarios=True)
        return [path for campaign in self.campaigns for path in files.below(campaign, "report.json")]

    # Analyses of single measures; `ids` are those of the analyses that share a job.

    def outcomes(self, wildcards: Wildcards) -> str:
        """What every run made of every question, as one measure sees it."""
        self.await_counts(campaign := self.evaluations[wildcards.campaign])
        return f"{campaign.folder}/outcomes/{wildcards.measure}.npz"

    def counted_by_blocks(self, ids: trials.Ids) -> OfJob[list[str]]:
        """What the blocks of the trials counted."""
        return lambda wildcards: trials.counted(self.evaluations[wildcards.campaign], ids, wildcards.measure)

    def of_trials(self, function: Callable[[Campaign, trials.Ids], T], ids: trials.Ids) -> OfJob[T]:
        """What a function says of the campaign and its analyses."""
        return self.of(lambda campaign: function(campaign, ids))

    # Groups of jobs, each one job of a cluster.

    def group(self, name: str, in_shards: str = "") -> OfJob[str | None]:
        """Those of a campaign and its evaluations, if the profile says of `name` how many go together; else null.

        `in_shards` is the name where the campaign has several: no job below a checkpoint is in the group of this. On a
        node, where Snakemake reads no profile, it goes on when one of them has failed, as it does everywhere.
        """

        def of_campaign(wildcards: Wildcards) -> str | None:
            workflow, campaign = self.run.workflow, self.evaluations[wildcards.campaign].campaign
            kind = in_shards if in_shards and campaign.in_shards else name
            group = f"{kind}-{campaign.name}"
            if not workflow.is_main_process:
                workflow.execution_settings.keep_going = True
            workflow.parent_groupids[group] = kind
            return group if kind in workflow.group_settings.group_components else None

        return of_campaign

    # Resources. What a group of jobs makes is not there when its memory and time are asked for.

    def by_size(
        self, sized_by: Callable[[Campaign], list[str]], function: Callable[[Campaign, float], float]
    ) -> Callable:
        """A resource, by the campaign and the megabytes of these files of it; a job that was killed gets more."""

        def asked(wildcards: Wildcards, attempt: int) -> int:
            campaign = self.evaluations[wildcards.campaign]
            there = [path for path in sized_by(campaign) if Path(path).exists()]  # a dry run asks before they are made
            return attempt * round(function(campaign, megabytes(there)))

        return asked

    def by_raw(self, base: float, per_megabyte: float) -> Callable:
        """MB or minutes of a job above the counts, by the campaign's raw files, and some for the process."""
        return self.by_size(lambda it: files.raw(it.campaign), lambda it, size: base + per_megabyte * size)

    def by_shard(self, base: float, per_megabyte: float) -> Callable:
        """The same of a job that has one of the campaign's shards."""
        return self.by_size(
            lambda it: files.raw(it.campaign), lambda it, size: base + per_megabyte * size / len(it.shards)
        )

    def by_verdicts(self, base: float, per_megabyte: float) -> Callable:
        """The same below the counts, by the verdicts that they are of."""
        return self.by_size(files.counted, lambda it, size: base + per_megabyte * WIDER * size)

    def for_trials(self, function: Callable[[Campaign, trials.Ids, float], float], ids: trials.Ids) -> Callable:
        """The same of the analyses that share a job."""
        return self.by_size(files.counted, lambda it, size: function(it, ids, WIDER * size))


def one_of(words: Iterable[str]) -> str:
    """A pattern for a wildcard that is one of these words; of none, a pattern that matches nothing."""
    return "|".join(re.escape(word) for word in sorted(set(words))) or "(?!)"


def code(*roots: str) -> OfJob[str]:
    """A parameter: a checksum of all that a script may load, since Snakemake does not see imports."""
    return lambda wildcards: sources.checksum(*roots)


def megabytes(paths: Iterable[str]) -> float:
    """The size of a job's input; a packed file counts ten times, since its content comes to about that."""
    return sum(Path(path).stat().st_size * (10 if path.endswith((".gz", ".zst")) else 1) for path in paths) / 1e6


def request(base: float, per_megabyte: float = 0) -> Callable:
    """MB or minutes: some for the process, some for each megabyte of input; a job that was killed gets more."""
    return lambda wildcards, input, attempt: attempt * round(base + per_megabyte * megabytes(input))


def threads_up_to(most: int) -> Callable:
    """A thread for each megabyte of input, some 100,000 answers: for less, a second one only waits for a free core.

    One as long as the input is not there: Snakemake asks again before it starts the job.
    """

    def number(wildcards: Wildcards, input: Iterable[str]) -> int:
        try:
            return min(most, 1 + int(megabytes(input)))
        except FileNotFoundError:
            return 1

    return number
