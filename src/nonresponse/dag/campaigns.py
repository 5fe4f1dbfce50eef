"""A campaign, as it is configured or with the options of one of its scenarios: its files, measures and analyses."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from nonresponse import config, formats, measures, tasks, views
from nonresponse.config import refusals, scenarios
from nonresponse.config.options import ANSWERS, source
from nonresponse.config.paths import questions_file
from nonresponse.ingest.files import Matched, by_shard, matched, patterns
from nonresponse.measures import Measure
from nonresponse.pages.published import TABLES, PublishedTable
from nonresponse.reliability.analyses import ANALYSES, Analysis
from nonresponse.settings import Files, Options, Reliability, Source
from nonresponse.tasks import Task
from nonresponse.views import View

T = TypeVar("T")


@dataclass(eq=False)
class Campaign:
    """A campaign, or an evaluation of it: a scenario, or the campaign without its rules on the text of answers.

    The rules of Snakemake that judge, count and score take evaluations as they take campaigns. An evaluation is named
    by its folder, such as trec/scenarios/lenient.
    """

    name: str
    options: Options  # as the configuration has them, checked and complete
    whole: Campaign | None = None  # the campaign that this is an evaluation of; null for a campaign
    by_rule: bool = True  # whether the rules on the text of answers count
    unpacked: dict = field(default_factory=dict)  # the bounds of packed files
    results: str = "results"  # the folder of the results of all campaigns

    def __post_init__(self) -> None:
        options = self.options
        self.folder: str = f"{self.results}/{self.name}"  # where its results go
        self.campaign: Campaign = self.whole or self  # the campaign that this is an evaluation of, or itself
        self.task: Task = tasks.get(options["task"])
        self.source: Source = source(options)  # where its data come from: runs, graded or counts
        # Whether its data are single responses, which are judged, and not a table of counts.
        self.single: bool = self.source != "counts"
        # The part of the options whose files are spread over shards, and the number of shards.
        self.raw: Files = options.get("graded", options.get("runs", {}))
        self.number_of_shards: int = options["shards"]
        # The part of the options that says how verdicts come about; empty for a table of counts.
        self.judgments: Files = options.get("judgments", options.get("graded", {}))
        self.judged: bool = self.judgments.get("judged", True)  # whether anybody judged the responses
        self.official: str | None = self.judgments.get("official")  # the assessor; null where there is only one
        counts: Any = options.get("counts", {})  # the path of a table, or how to read a table or logs
        self.counts: Files = {**(counts if isinstance(counts, dict) else {"files": counts}), "unpacked": self.unpacked}
        self.measures: list[str] = options["measures"]  # ids; the first one sorts
        self.aliases: dict[str, str] = options["aliases"]  # ids of measures, by other names that the options use
        self.policy: dict[str, str] = config.policy_of(options)  # what unscored, error and partial count as
        self.reliability: Reliability = options["reliability"]  # the settings of its analyses
        self.attributes: dict[str, dict] = options.get("attributes", {})  # of its runs, by attribute and run
        self.ruled: bool = refusals.has_rules(options)  # whether it has rules on the text of answers
        self.clustered: bool = config.clustered(options)  # whether its questions come in clusters
        # Whether a column of the table of questions says how many options each question has.
        self.has_column_of_options: bool = isinstance(options.get("options"), str)
        # Whether assessors may disagree on answers: only where there are several is one of them official.
        self.disputed: bool = options["task"] in ANSWERS and self.official is not None
        # Whether its data are logs of harnesses.
        self.imported: bool = (self.raw if self.single else self.counts).get("format") in formats.LOGS
        self.views: list[View] = views.of(options)
        self.view_reads: set[str] = {part for view in self.views for part in view.reads}  # what the views read

    @property
    def known_labels(self) -> list[str]:
        """The labels that its judgments may carry."""
        return config.known_labels(self.options)

    def of_kind(self, counts: bool) -> tuple[str, ...]:
        """The ids of its measures that are of the kind `counts`, or of all others."""
        return tuple(id for id in self.measures if (self.measure(id).kind == "counts") == counts)

    def measure(self, id: str) -> Measure:
        """The record of a measure."""
        return measures.get(self.task.id, id)

    @cached_property
    def analyses(self) -> list[Analysis]:
        """The analyses that are asked for and that its task can have.

        A table of counts has only those that do not need single questions, and these compare rankings. Such a table
        has one assessor: with one measure it has one ranking, so there is nothing to compare.
        """
        known = [one for one in ANALYSES.values() if one.id in self.reliability["analyses"]]
        known = [one for one in known if set(one.counts) <= set(self.task.counts)]
        if self.single:
            return known
        return [one for one in known if not one.needs_questions and len(self.measures) > 1]

    def analysed(self, name: str) -> bool:
        """Whether it has this analysis."""
        return name in [one.id for one in self.analyses]

    @property
    def has_trials(self) -> bool:
        """Whether it has analyses of single measures; a scenario has none."""
        return self.whole is None and any(one.trials for one in self.analyses)

    @property
    def with_outcomes(self) -> list[str]:
        """The ids of the measures whose outcomes are written: all, if it has analyses of single measures."""
        return self.measures if self.has_trials else []

    @property
    def tested(self) -> list[str]:
        """The ids of the measures with trials: until the campaign is counted all measures, then those with outcomes."""
        file = Path(f"{self.folder}/tested.json")
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else self.with_outcomes

    @cached_property
    def scenarios(self) -> list[Campaign]:
        """One Campaign per scenario, with that scenario's options."""
        options = scenarios.as_campaigns({self.name: self.options})
        return [Campaign(name, of_scenario, self, results=self.results) for name, of_scenario in options.items()]

    @property
    def own_scenarios(self) -> list[Campaign]:
        """The scenarios to score, without any that equals the campaign itself."""
        own = scenarios.score_options(self.options)
        return [it for it in self.scenarios if scenarios.score_options(it.options) != own]

    @property
    def tallied(self) -> list[Campaign]:
        """The campaign and those evaluations of it whose verdicts are counted; none for a table of counts."""
        return [self, *self.own_scenarios, *([self.without_rules] if self.ruled else [])] if self.single else []

    @cached_property
    def without_rules(self) -> Campaign:
        """The campaign as it would be without its rules on the text of answers."""
        return replace(self, name=f"{self.name}/without-rules", whole=self, by_rule=False)

    def with_reliability(self, settings: Reliability) -> Campaign:
        """The campaign with these settings of its analyses in place of its own."""
        own: Reliability = {**self.reliability, **settings}
        return replace(self, options={**self.options, "reliability": own})

    @property
    def judged_as(self) -> Campaign:
        """The evaluation whose verdicts this one uses: itself, or the campaign where they would be the same."""
        same = scenarios.verdict_options(self.options) == scenarios.verdict_options(self.campaign.options)
        return self.campaign if self.by_rule and same else self

    @cached_property
    def sharded(self) -> dict[int, Matched]:
        """What the patterns of its runs match, by shard; empty for a table of counts."""
        if not self.single:
            return {}
        return by_shard(matched(self.raw["files"], formats.folders(self.raw["format"])), self.number_of_shards)

    @property
    def shards(self) -> list[int]:
        """The numbers of the shards that hold anything, even something that is not a file and therefore a fault."""
        return sorted(self.campaign.sharded)

    @property
    def in_shards(self) -> bool:
        """Whether it has several shards, so that what is known of all runs together is a table of its own."""
        return len(self.shards) > 1

    @cached_property
    def judgment_files(self) -> Matched:
        """What the patterns of its judgments match."""
        return matched(self.judgments["files"]) if self.source == "runs" else Matched([], {})

    @cached_property
    def count_files(self) -> Matched:
        """Its table of counts, or the logs that hold counts, and what is read with them."""
        if self.single:
            return Matched([], {})
        if "format" not in self.counts:
            return Matched(patterns(self.counts["files"]), {})
        files = matched(self.counts["files"])
        return Matched(formats.read_with(self.counts["format"], files.files, self.counts), files.others)

    @property
    def question_files(self) -> list[str]:
        """The file of its question set, if it has one."""
        file = questions_file(self.options)
        return [file] if file else []

    @cached_property
    def printed(self) -> list[PublishedTable]:
        """The published table of the campaign's name (one or none), if the campaign has all measures that it prints."""
        own = [table for table in TABLES if table.name == self.name]
        return [table for table in own if {*table.measures} <= {*self.measures}]


def evaluations(checked: dict) -> dict[str, Campaign]:
    """The campaigns of a checked configuration, each followed by its evaluations, by name."""
    known: dict[str, Campaign] = {}
    for name, options in checked["campaigns"].items():
        campaign = Campaign(name, options, unpacked=checked["unpacked"])
        without = [campaign.without_rules] if campaign.ruled else []
        known |= {evaluation.name: evaluation for evaluation in (campaign, *campaign.scenarios, *without)}
    return known


def distinct(name: str, together: Iterable[tuple[str, tuple[T, ...]]]) -> list[tuple[str, tuple[T, ...], list[str]]]:
    """Rules for jobs that make several things: one per distinct set, since all jobs of a rule have the same outputs.

    `together` has names of campaigns, each with what one job makes for it. Returned per rule: its name, with a number
    from the second rule on; what its jobs make; the names of its campaigns.
    """
    whose: dict[tuple[T, ...], list[str]] = {}
    for campaign, parts in together:
        if parts:
            whose.setdefault(parts, []).append(campaign)
    names = (name if number == 1 else f"{name}_{number}" for number in range(1, len(whose) + 1))
    return [(rule, parts, of) for rule, (parts, of) in zip(names, whose.items(), strict=True)]
