"""A campaign, as it is configured or with the options of one of its scenarios: its files, measures
and analyses.

Snakemake reads this at each start: it imports neither Polars nor NumPy.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from nonresponse import campaign as config
from nonresponse import formats, measures, tasks
from nonresponse.campaign import models, refusals, scenarios
from nonresponse.campaign.options import ANSWERS, find_source
from nonresponse.ingest.files import Matches, list_patterns, match_files, split_by_shard
from nonresponse.measures import Measure
from nonresponse.settings import Files, Options, Reliability, Source
from nonresponse.statistics.analyses import ANALYSES, Analysis
from nonresponse.tasks import Task

# Not about how files are read
JUDGING_KEYS = {"files", "official", "correct", "partial", "vote"}
CHECKED_KEYS = {"task", "runs", "judgments", "graded", "counts", "questions", "names"}
CHECKED_KEYS |= {"systems", "baseline", *scenarios.QUESTION_OPTIONS}
MODELS = (models.Campaign, models.Runs, models.Judgments, models.Graded, models.Reliability)
KEYS = {"measures_named", "seed", "vote", *config.derive_settings({"trials": 1, "samples": 1})}
KEYS = KEYS.union(*(model.model_fields for model in MODELS))


def select(options: dict[str, Any], keys: Set[str]) -> dict[str, Any]:
    """Return the options that have one of these keys."""
    return {key: value for key, value in options.items() if key in keys}


@dataclass(eq=False)
class Campaign:
    """A campaign, or an evaluation of it: a scenario, or the campaign without its rules on the text
    of answers.

    Rules of Snakemake that judge, count and score take evaluations as they take campaigns. An
    evaluation is named by its folder, such as trec/scenarios/lenient. A key of the configuration
    that has no property here is an attribute all the same: that of `reliability:`, else of the
    judgments, else of the campaign, else of its graded responses; null if it is not set.
    """

    name: str
    options: Options  # as the configuration has them, checked and complete
    parent: Campaign | None = None  # that this is an evaluation of; null for a campaign
    by_rule: bool = True  # whether the rules on the text of answers count
    results: str = "results"  # the folder of the results of all campaigns

    def __post_init__(self) -> None:
        options = self.options
        self.folder = f"{self.results}/{self.name}"  # where its results go
        # The campaign that this is an evaluation of, or itself
        self.campaign: Campaign = self.parent or self
        self.task: str = options["task"]
        self.task_record: Task = tasks.get(self.task)
        self.source: Source = find_source(options)
        # Whether its data are single responses, which are judged
        self.single = self.source != "counts"
        # The part of the options whose files are spread over shards.
        self.raw: Files = options.get("graded") or options.get("runs") or {}
        # The part of the options that says how verdicts come about; empty for a table of counts.
        self.judgments: Files = options.get("judgments") or options.get("graded") or {}
        # Whether anybody judged the responses
        self.judged: bool = self.judgments.get("judged", True)
        self.partial_labels: list[str] | None = self.judgments.get("partial")
        # The path of a table, or how to read a table or logs
        counts: Any = options.get("counts", {})
        counts = counts if isinstance(counts, dict) else {"files": counts}
        self.counts: Files = counts
        # Whether its data are logs of harnesses.
        self.imported: bool = (self.raw or counts).get("format") in formats.LOGS
        self.ruled: bool = refusals.has_rules(options)  # on the text of answers
        self.clustered: bool = config.has_clusters(options)  # whether questions come in clusters
        # Of multiple choice: how many choices a question has
        self.choices: int | None = options.get("options")
        # Whether assessors may disagree on answers: one of several is official, one alone is not.
        self.disputed: bool = self.task in ANSWERS and self.judgments.get("official") is not None
        self.policy = config.select_policy(options)  # what unscored, error and partial count as
        self.measures: list[str] = options["measures"]  # ids; the first one sorts
        # Ids of measures, by other names that the options use
        self.aliases: dict[str, str] = options["aliases"]
        self.reliability: Reliability = options["reliability"]  # the settings of its analyses
        self.analysis_records: list[Analysis] = self.find_analyses()
        self.analyses = [record.id for record in self.analysis_records]
        self.analyses_of_trials = [record.id for record in self.analysis_records if record.trials]
        # Whether it has analyses of single measures, and their ids; a scenario has none.
        self.has_trials = self.parent is None and bool(self.analyses_of_trials)
        self.tested: list[str] | None = self.measures if self.has_trials else None
        compared = self.has_analysis("comparison")
        self.compared_measures: list[str] | None = self.tested if compared else None
        self.compared_at: float | None = self.reliability["level"] if compared else None
        # Whether it is known how large a difference other questions would confirm.
        self.has_threshold = self.has_analysis("sample_size")

    def __getattr__(self, name: str) -> Any:
        if name not in KEYS:
            raise AttributeError(name)
        graded, judgments = self.options.get("graded", {}), self.options.get("judgments", {})
        options = {**graded, **self.options, **judgments, **self.options["reliability"]}
        return options.get(name)

    # What stages must know of the configuration, by the names of their parameters
    # (nonresponse.stages.params).

    @property
    def reading(self) -> dict[str, Any]:
        """How the files of its runs, graded responses or counts are read."""
        if self.single:
            return select(self.raw, self.raw.keys() - JUDGING_KEYS)
        names = select(self.options, {"names"})
        return select(self.counts, self.counts.keys() - {"files"}) | names

    @property
    def reading_judgments(self) -> dict[str, Any]:
        """How the files of its judgments are read."""
        return select(self.judgments, self.judgments.keys() - JUDGING_KEYS)

    @property
    def trial_settings(self) -> dict[str, Any]:
        """The settings that these analyses read."""
        kinds = [record.trials for record in self.analysis_records if record.trials]
        names = {name for trials in kinds for name in trials.settings}
        return {name: self.reliability[name] for name in sorted(names)}

    @property
    def checked_options(self) -> dict[str, Any]:
        """The options that the check compares files with."""
        return select(self.options, CHECKED_KEYS)

    @property
    def deciding_field(self) -> str:
        """What decides on a response: the word `judgments`, or columns of its file."""
        if self.source == "runs":
            return "judgments"
        part, columns = self.raw, self.raw.get("columns", {})
        fields = [columns[name] for name in ("error", "state") if name in columns]
        if "gold" in part:
            return ", ".join([*fields, f"{columns.get('answer', 'answer')} against {part['gold']}"])
        assessors = part.get("assessors", {})
        official = self.official or next(iter(assessors), columns.get("verdict", "verdict"))
        verdict = assessors.get(official, official)
        return ", ".join([*fields, *[verdict] * part.get("judged", True)])

    @property
    def described_scenarios(self) -> dict[str, Any]:
        """The scenarios, each with its options, and the name of the campaign's own."""
        return scenarios.describe_scenarios(self.options)

    @property
    def configuration(self) -> dict[str, Any]:
        """The options that the report shows: none that changes no result, nor `reliability:`."""
        hidden = {"shards", "reliability", "measures_named"}
        return select(self.options, self.options.keys() - hidden) | self.policy

    @property
    def known_labels(self) -> list[str]:
        """The labels that its judgments may carry."""
        return config.list_labels(self.options)

    def list_measures(self, counts: bool) -> tuple[str, ...]:
        """Return the ids of its measures that are of the kind `counts`, or of all others."""
        return tuple(id for id in self.measures if (self.measure(id).kind == "counts") == counts)

    def measure(self, id: str) -> Measure:
        """Return the record of a measure."""
        return measures.get(self.task, id)

    def find_analyses(self) -> list[Analysis]:
        """Return the analyses that are asked for and that its task can have.

        A table of counts has only those that do not need single questions. It has one assessor:
        with one measure it has one ranking, so there is nothing to compare.
        """
        return [
            record
            for id, record in ANALYSES.items()
            if id in self.reliability["analyses"]
            and self.task_record.counts.keys() >= {*record.counts}
            and (self.judged or not record.needs_judgments)
            and (self.single or not record.needs_questions)
            and (self.single or len(self.measures) >= record.measures)
        ]

    def has_analysis(self, id: str) -> bool:
        """Return whether it has this analysis."""
        return id in self.analyses

    @cached_property
    def scenario_campaigns(self) -> list[Campaign]:
        """One Campaign per scenario, with that scenario's options."""
        return [
            replace(
                self,
                name=f"{self.name}/scenarios/{name}",
                options=scenarios.apply_scenario(self.options, scenario),
                parent=self,
            )
            for name, scenario in self.options.get("scenarios", {}).items()
        ]

    @property
    def own_scenarios(self) -> list[Campaign]:
        """The scenarios to score, without any that equals the campaign itself."""
        own_options = scenarios.select_score_options(self.options)
        return [
            scenario
            for scenario in self.scenario_campaigns
            if scenarios.select_score_options(scenario.options) != own_options
        ]

    @property
    def evaluations(self) -> list[Campaign]:
        """The campaign and its evaluations that are counted; none for a table of counts."""
        if not self.single:
            return []
        return [self, *self.own_scenarios, *([self.unruled] if self.ruled else [])]

    @property
    def own_verdicts(self) -> list[Campaign]:
        """Those of its evaluations that have verdicts of their own."""
        return [variant for variant in self.evaluations if variant.verdict_source is variant]

    @cached_property
    def unruled(self) -> Campaign:
        """The campaign as it would be without its rules on the text of answers."""
        return replace(self, name=f"{self.name}/without-rules", parent=self, by_rule=False)

    @property
    def verdict_source(self) -> Campaign:
        """The evaluation whose verdicts this one uses: the campaign if they are the same."""
        options = scenarios.select_verdict_options(self.options)
        equal = options == scenarios.select_verdict_options(self.campaign.options)
        return self.campaign if self.by_rule and equal else self

    @cached_property
    def shard_matches(self) -> dict[int, Matches]:
        """What the patterns of its runs match, by shard; empty for a table of counts."""
        if not self.single:
            return {}
        folders = formats.takes_folders(self.raw["format"])
        return split_by_shard(match_files(self.raw["files"], folders), self.options["shards"])

    @property
    def shards(self) -> list[int]:
        """The numbers of the shards that hold anything, be it a file or a fault."""
        return sorted(self.campaign.shard_matches)

    @cached_property
    def judgment_files(self) -> Matches:
        """What the patterns of its judgments match."""
        return match_files(self.judgments["files"]) if self.source == "runs" else Matches([], {})

    @cached_property
    def count_files(self) -> Matches:
        """Its table of counts, or the logs that hold counts, and what is read with them."""
        if self.single:
            return Matches([], {})
        if "format" not in self.counts:
            return Matches(list_patterns(self.counts["files"]), {})
        files, unreadable = match_files(self.counts["files"])
        return Matches(formats.expand_files(self.counts["format"], files, self.counts), unreadable)


def list_evaluations(checked: dict) -> dict[str, Campaign]:
    """Return the campaigns of a checked configuration and their evaluations, by name."""
    evaluations: dict[str, Campaign] = {}
    for name, options in checked["campaigns"].items():
        campaign = Campaign(name, options)
        variants = [*campaign.scenario_campaigns, *([campaign.unruled] if campaign.ruled else [])]
        evaluations |= {evaluation.name: evaluation for evaluation in (campaign, *variants)}
    return evaluations
