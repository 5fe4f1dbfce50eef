"""What the rules ask: wildcard constraints, and functions for their inputs, parameters and resources.

Snakemake calls such a function with the wildcards of a job. Its `checkpoints` are handed in,
since the library never imports it.
"""

import json
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
WIDER = 2.3  # size of verdicts with derived columns, divided by their size without: for memory requests
OfJob = Callable[[Wildcards], T]  # a function that Snakemake calls


class Asks:
    """The functions of the rules, for the campaigns of a run.

    The rules that judge, count and score take an evaluation for a campaign, such as trec/scenarios/lenient.
    """

    def __init__(self, run: Run, checkpoints: Any):
        self.run, self.checkpoints = run, checkpoints
        self.campaigns, self.evaluations = run.campaigns, run.evaluations
        self.tallied = [it.name for campaign in run.campaigns for it in campaign.tallied]

    # Wildcard constraints; where nothing fits, a pattern that matches nothing.

    @property
    def any_campaign(self) -> str:
        """Matches every campaign."""
        return one_of(it.name for it in self.campaigns)

    @property
    def any_measure(self) -> str:
        """Matches every measure of a campaign."""
        return one_of(id for it in self.campaigns for id in it.measures)

    @property
    def measure_of_verdicts(self) -> str:
        """Matches the measures that are no function of counts."""
        return one_of(id for it in self.campaigns for id in it.of_kind(counts=False))

    @property
    def with_responses(self) -> str:
        """Matches the campaigns of single responses."""
        return one_of(it.name for it in self.campaigns if it.single)

    @property
    def all_judged(self) -> str:
        """Matches the evaluations that have verdicts."""
        return one_of(it.name for it in self.evaluations.values() if it.single)

    @property
    def judged_in_shards(self) -> str:
        """Matches the evaluations whose responses come in several shards."""
        return one_of(it.name for it in self.evaluations.values() if it.single and it.in_shards)

    def from_source(self, source: str) -> str:
        """Matches the campaigns whose data come from this source."""
        return one_of(it.name for it in self.campaigns if it.source == source)

    @property
    def measures_of_counts(self) -> list[tuple[str, tuple[str, ...]]]:
        """Each evaluation with the ids of its measures of counts."""
        return [(it.name, it.of_kind(counts=True)) for it in self.evaluations.values()]

    # Parameters.

    def of(self, function: Callable[[Campaign], T]) -> OfJob[T]:
        """Applies a function to the campaign, or evaluation, in the wildcards; for inputs as well as parameters."""
        return lambda wildcards: function(self.evaluations[wildcards.campaign])

    def json(self, function: Callable[[Campaign], Any]) -> OfJob[str]:
        """Like `of`, with the value as JSON."""
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

    def resources(self, name: str) -> OfJob[str]:
        """A folder of resources/: a function, since Snakemake takes braces in a text for wildcards."""
        return lambda wildcards: str(files.resources(name))

    def summarised(self, wildcards: Wildcards) -> str:
        """What the summary must know of all campaigns, as JSON."""
        return as_json([facts.facts_of(campaign, *facts.SUMMARY) for campaign in self.campaigns])

    def contents_of(self, *parts: OfJob[list[str]]) -> OfJob[str]:
        """A checksum of the paths and the content of the files that these functions name, whatever their times are.

        The function must not take `input`: Snakemake does not compare params that are derived from it.
        """
        known = self.run.checksums
        return lambda wildcards: checksums.checksum_of([path for part in parts for path in part(wildcards)], known)

    def further(self, wildcards: Wildcards) -> str:
        """`--further` for every shard but the first, which holds the trivial runs; else empty."""
        return "--further" if int(wildcards.shard) > self.evaluations[wildcards.campaign].shards[0] else ""

    def graded(self, wildcards: Wildcards) -> str:
        """`--graded` where the responses come graded; else empty."""
        return "--graded" if self.evaluations[wildcards.campaign].source == "graded" else ""

    def known(self, wildcards: Wildcards) -> list[str]:
        """`--known` with what is known of all shards, where there are several."""
        it = self.evaluations[wildcards.campaign]
        return [f"--known={it.folder}/known.parquet"] if it.in_shards else []

    def without_rules(self, wildcards: Wildcards) -> list[str]:
        """`--without-rules` with the verdicts without the campaign's rules on answers, where it has such rules."""
        it = self.evaluations[wildcards.campaign]
        return [f"--without-rules={it.without_rules.folder}/verdicts"] if files.verdicts_without_rules(it) else []

    # Inputs.

    def script(self, name: str) -> str:
        """The path of a command's script, relative to the working folder."""
        return self.run.script(name)

    def reader(self, name: str) -> OfJob[str]:
        """The script of a command that reads raw files.

        Every DAG contains a job that reads raw files, so results without a note are added here to those that Snakemake
        makes again.
        """

        def command(wildcards: Wildcards) -> str:
            self.run.workflow.dag.forcefiles.update(self.run.unknown)
            return self.script(name)

        return command

    def shard_files(self, wildcards: Wildcards) -> list[str]:
        """The raw files of a shard, and the files that their format reads with them."""
        return files.of_shard(self.evaluations[wildcards.campaign], int(wildcards.shard))

    def shard_others(self, wildcards: Wildcards) -> list[str]:
        """What matches the patterns of a shard but cannot be read: not an input, but a fault."""
        return unread(self.evaluations[wildcards.campaign].sharded[int(wildcards.shard)])

    def judged(self, wildcards: Wildcards) -> list[str]:
        """The tables that a shard's verdicts are made of, and known.parquet, or check.txt if there is one shard.

        Among them are those of other shards with responses of the same runs.
        """
        it = self.evaluations[wildcards.campaign]
        known, shards = files.certificate(it), [int(wildcards.shard)]
        if it.in_shards:
            known = [self.checkpoints.known.get(campaign=it.name).output[0]]
            sharing = self.checkpoints.sharing.get(campaign=it.name).output[0]
            shards = json.loads(Path(sharing).read_text())[wildcards.shard]
        return files.judged_with(it, shards) + known

    def await_counts(self, campaign: Campaign, scenarios: bool = False) -> None:
        """Waits for the counts of the campaign, with and without its rules on answers, and perhaps of its scenarios.

        For a table of counts there is nothing to wait for.
        """
        for it in (campaign, *(campaign.own_scenarios if scenarios else ())):
            for name in (it.name, f"{it.name}/without-rules"):
                if name in self.tallied:
                    self.checkpoints.tally.get(campaign=name)

    def counted(self, function: Callable[[Campaign], list[str]], scenarios: bool = False) -> OfJob[list[str]]:
        """Like `of`, but only once the campaign, and perhaps its scenarios, are counted.

        Only then is it known what changed.
        """
        return lambda wildcards: self.once_counted(self.evaluations[wildcards.campaign], function, scenarios)

    def once_counted(self, campaign: Campaign, function: Callable[[Campaign], T], scenarios: bool = False) -> T:
        """Applies a function to this campaign once it is counted."""
        self.await_counts(campaign, scenarios)
        return function(campaign)

    def all_counts(self) -> list[OfJob[str]]:
        """The counts of every evaluation, all asked for at the same time.

        If they were asked for one after another, Snakemake would go through its whole graph once for each of them.
        """

        def counts(name: str) -> OfJob[str]:
            return lambda wildcards: self.checkpoints.tally.get(campaign=name).output.counts

        return [counts(name) for name in self.tallied]

    def of_each(self, function: Callable[[Campaign], T], scenarios: bool = False) -> list[OfJob[T]]:
        """Applies a function to each campaign, once this campaign is counted; none waits for another.

        So a fault in one campaign does not keep the others from their results; whatever is deleted is made again.
        """

        def of_one(campaign: Campaign) -> OfJob[T]:
            return lambda wildcards: self.once_counted(campaign, function, scenarios)

        return [of_one(campaign) for campaign in self.campaigns]

    def parts_of_report(self, wildcards: Wildcards) -> list[str]:
        """The report parts of all campaigns; waits until every campaign and its scenarios are counted."""
        for campaign in self.campaigns:
            self.await_counts(campaign, scenarios=True)
        return [path for campaign in self.campaigns for path in files.below(campaign, "report.json")]

    # Analyses of single measures; `ids` are those of the analyses that share a job.

    def outcomes(self, wildcards: Wildcards) -> str:
        """The file with the outcomes of all runs on all questions under the measure in the wildcards."""
        self.await_counts(campaign := self.evaluations[wildcards.campaign])
        return f"{campaign.folder}/outcomes/{wildcards.measure}.npz"

    def of_trials(self, function: Callable[[Campaign, trials.Ids], T], ids: trials.Ids) -> OfJob[T]:
        """Applies a function to the campaign in the wildcards and the ids of the analyses that share a job."""
        return self.of(lambda campaign: function(campaign, ids))

    # Groups of jobs, each one job of a cluster.

    def group(self, name: str, in_shards: str = "") -> OfJob[str | None]:
        """The group of the jobs of a campaign and its evaluations; null unless the profile has `name` under groups.

        A campaign with several shards uses `in_shards` for `name`: a job below a checkpoint cannot be in the group of
        the checkpoint. On a node, where Snakemake reads no profile, keep_going is set here, so that a group goes on
        after one of its jobs has failed, as jobs do everywhere else.
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
        """A resource, by the campaign and the size in MB of its files `sized_by`; a job that was killed gets more."""

        def asked(wildcards: Wildcards, attempt: int) -> int:
            campaign = self.evaluations[wildcards.campaign]
            there = [path for path in sized_by(campaign) if Path(path).exists()]  # a dry run asks before they are made
            return attempt * round(function(campaign, megabytes(there)))

        return asked

    def by_raw(self, base: float, per_megabyte: float) -> Callable:
        """MB or minutes for a job upstream of the counts, by the size of the campaign's raw files."""
        return self.by_size(lambda it: files.raw(it.campaign), lambda it, size: base + per_megabyte * size)

    def by_shard(self, base: float, per_megabyte: float) -> Callable:
        """Like `by_raw`, for a job that reads one of the campaign's shards."""
        return self.by_size(
            lambda it: files.raw(it.campaign), lambda it, size: base + per_megabyte * size / len(it.shards)
        )

    def by_verdicts(self, base: float, per_megabyte: float) -> Callable:
        """MB or minutes for a job downstream of the counts, by the size of what is counted."""
        return self.by_size(files.tables_counted, lambda it, size: base + per_megabyte * WIDER * size)

    def for_trials(self, function: Callable[[Campaign, trials.Ids, float], float], ids: trials.Ids) -> Callable:
        """MB or minutes for the analyses that share a job, by the size of what is counted."""
        return self.by_size(files.tables_counted, lambda it, size: function(it, ids, WIDER * size))


def one_of(words: Iterable[str]) -> str:
    """A pattern that matches exactly these words; without words, a pattern that matches nothing."""
    return "|".join(re.escape(word) for word in sorted(set(words))) or "(?!)"


def code(*roots: str) -> OfJob[str]:
    """A parameter: a checksum of all that a script may load, since Snakemake does not see imports."""
    return lambda wildcards: sources.checksum(*roots)


def shards_in(wildcards: Wildcards, input: Any) -> str:
    """A parameter: the numbers of the shards whose tables are among the inputs, as JSON."""
    return as_json([int(stem) for stem in (Path(path).stem for path in input.tables) if stem.isdecimal()])


def options_for(names: Iterable[str]) -> Callable:
    """A parameter: an option for each of these outputs."""
    return lambda wildcards, output: [word for name in names for word in (f"--{name}", output[name])]


def megabytes(paths: Iterable[str]) -> float:
    """The size of files in MB; a packed file counts ten times, about the size of its content."""
    sizes = (Path(path).stat().st_size * (10 if path.lower().endswith((".gz", ".zst")) else 1) for path in paths)
    return sum(sizes) / 1e6


def request(base: float, per_megabyte: float = 0) -> Callable:
    """MB or minutes: some for the process, some for each megabyte of input; a job that was killed gets more."""
    return lambda wildcards, input, attempt: attempt * round(base + per_megabyte * megabytes(input))


def threads_up_to(most: int) -> Callable:
    """One thread, and one more per full megabyte of input (some 100,000 answers): with less, it would gain nothing.

    One as long as the input does not exist: Snakemake asks again before it starts the job.
    """

    def number(wildcards: Wildcards, input: Iterable[str]) -> int:
        try:
            return min(most, 1 + int(megabytes(input)))
        except FileNotFoundError:
            return 1

    return number
