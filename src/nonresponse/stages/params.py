"""What each stage must know of the configuration: a record, projected from a campaign by the names
of its fields.

Snakemake repeats a job when the record of its stage changes. A stage that must know one more key
gets one more field here, and reads it. This module imports nothing heavy: Snakemake reads it at
each start.
"""

import json
import re
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self, dataclass_transform

# The names by which statistics and pages, which take settings as a dict, know some fields.
NAMES = {
    "choices": "options",
    "compared_at": "level",
    "compared_measures": "tested",
    "has_threshold": "threshold",
    "partial_labels": "partial",
    "raw_files": "files",
}


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Params:
    """The parameters of a stage. A field is null where the campaign does not set the key."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, eq=False, repr=False)(cls)

    @classmethod
    def project(cls, campaign: Any, **fields_of_job: Any) -> str:
        """Return the fields of a campaign (workflow.campaigns.Campaign), or of a job, as JSON.

        Equal values give equal text. Snakemake's report writes parameters into a page unescaped: so
        the text is ASCII without <, > and &.
        """
        names = {field.name for field in fields(cls)} - fields_of_job.keys()
        values = {name: getattr(campaign, name) for name in names} | fields_of_job
        text = json.dumps(values, sort_keys=True)
        return re.sub("[<>&]", lambda letter: f"\\u{ord(letter[0]):04x}", text)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the record that `project` wrote."""
        return cls(**json.loads(text))

    def settings(self) -> dict[str, Any]:
        """Return the fields that are set, by the names that statistics and pages know them by."""
        return {
            NAMES.get(name, name): value
            for name, value in asdict(self).items()
            if value is not None
        }


def drop_empty(**files: list[Path]) -> dict[str, list[Path]]:
    """Return the files by name, without the names that have none."""
    return {name: paths for name, paths in files.items() if paths}


class ReadParams(Params):
    """How raw runs, graded responses or counts are read."""

    task: str
    reading: Any
    unreadable: dict[str, str]  # what the patterns match beside files: path and what it is


class JudgmentsParams(Params):
    """How judgments and questions are read."""

    task: str
    reading_judgments: Any
    known_labels: list[str]
    questions: Any
    unreadable: dict[str, str]


class QuestionsParams(Params):
    """How the question set of graded responses is read."""

    questions: Any


class CheckParams(Params):
    """What the check of a campaign's files compares them with."""

    name: str
    checked_options: Any
    imported: bool
    shards: list[int]


class JudgeParams(Params):
    """What labels and missing responses mean, and on which questions runs are compared."""

    task: str
    correct: list[str] | None
    partial_labels: list[str] | None
    closed: bool | None
    vote: dict[str, Any] | None
    missing: str | None
    compare_on: str | None
    by_rule: bool
    judged: bool


class CountParams(Params):
    """How unscored, failed and partly correct responses count."""

    task: str
    policy: dict[str, str]


class TrialsParams(Params):
    """The analyses of one measure, and the settings that they read."""

    name: str
    task: str
    policy: dict[str, str]
    official: str | None
    analyses_of_trials: list[str]
    trial_settings: dict[str, Any]


class AnalysesParams(Params):
    """What every analysis of a whole campaign must know."""

    name: str
    task: str
    analyses: list[str]
    measures: list[str]
    official: str | None
    policy: dict[str, str]
    vote: dict[str, Any] | None


class SummariesParams(AnalysesParams):
    """The tables that analyses make of a whole campaign."""

    level: float
    flips: int
    seed: int


class JudgmentTablesParams(AnalysesParams):
    """The tables that analyses make of judgments."""

    correct: list[str] | None
    partial_labels: list[str] | None


class PageParams(Params):
    """What every page of a campaign must know."""

    name: str
    task: str
    title: str | None
    official: str | None
    measures: list[str]


class ComparedParams(PageParams):
    """By which measures runs are compared, and at which level."""

    compared_at: float | None
    compared_measures: list[str] | None


class LeaderboardParams(ComparedParams):
    """The leaderboard, and what changed in it."""

    source: str
    seed: int
    baseline: str | None
    choices: int | None
    has_threshold: bool
    judged: bool | None
    policy: dict[str, str]
    missing: str | None
    compare_on: str | None


class ReliabilityParams(PageParams):
    """The page on how far scores can be trusted."""

    analyses: list[str]
    tested: list[str] | None
    level: float
    flips: int


class AdjudicationParams(PageParams):
    """Which answers to judge next."""

    seed: int
    vote: dict[str, Any] | None


class ScenariosParams(PageParams):
    """The runs under the scenarios of a campaign."""

    described_scenarios: dict[str, Any]


class SystemsParams(PageParams):
    """Configurations of systems against their baselines."""

    systems: Any
    policy: dict[str, str]


class GatesParams(PageParams):
    """The gates of a campaign."""

    gates: list[dict[str, Any]]
    baseline: str | None
    policy: dict[str, str]
    level: float
    judged: bool | None


class ReportParams(ComparedParams):
    """A campaign's part of the report."""

    source: str
    analyses: list[str]
    pages: list[str]
    policy: dict[str, str]
    seed: int
    judged: bool | None
    configuration: dict[str, Any]
    raw_files: list[list[str]]  # the path and the SHA-256 of each


class ResponsesParams(Params):
    """Every response with its state, for other programs."""

    name: str
    task: str
    source: str
    official: str | None
    deciding_field: str
