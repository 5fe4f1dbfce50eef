"""The types of a checked configuration."""

from typing import Any, Literal, TypedDict

Source = Literal["runs", "graded", "counts"]
Owners = str | dict[str, Any]  # of runs: a pattern of the names of these, or the runs of each (nonresponse.owners)


class Reliability(TypedDict, total=False):
    """The settings of the analyses: `reliability:` of config.yaml, whose model says what each is, and the seed."""

    analyses: list[str]  # their ids
    seed: int
    level: float  # of significance
    size: int | None  # questions per subset; null = 250, or half of the questions if fewer
    trials: int  # of stability
    swap_trials: int
    size_trials: int  # for each size
    sizes: int
    fuzziness: list[float]
    bins: int
    width: float  # of a bin
    samples: int
    flips: int
    exchanges: int


class Files(TypedDict, total=False):
    """How the files of a part of a campaign are read, and what they mean: its runs, judgments, graded or counts."""

    format: str
    files: str | list[str]
    unpacked: dict[str, float]  # the bounds of packed files
    file: str  # of questions

    # A table, or JSON that reads as one.
    kind: str
    separator: str
    records: str
    keyed: str | list[str]
    by_column: bool
    quoted: bool
    run: str
    question: str | list[str]
    columns: dict[str, str]
    layout: str
    systems: list[str]
    pivot: dict[str, str]
    ignore: str | list[str]
    duplicates: str
    empty_questions: str
    normalise: str
    may_be_empty: bool  # whether a file may have no row
    names: dict[str, str]  # of runs, by what the files call them
    names_from: str | None  # the file of these names
    years: list[int]  # the first and the last that an answer may be

    # What a response says.
    unanswered: list[str]
    nil: list[str]
    failed: list[str]
    missing: list[str]
    answers: dict[str, str]
    states: dict[str, str]
    verdicts: dict[str, str]
    answer_from: float | list[float]
    correct_from: float
    threshold: float
    gold: str
    refusals: dict[str, Any]
    failures: dict[str, Any]

    # A log.
    scorer: str
    epochs: str
    metric: str
    filter: str
    best: int
    key: str
    na_prob: str

    # How verdicts come about.
    judged: bool
    assessors: dict[str, str]
    official: Any  # an assessor, or how assessors vote
    vote: dict[str, Any]
    correct: list[str]
    partial: list[str]
    pooled: list[str]
    closed: bool
    labels: dict[str, str]


class Options(TypedDict, total=False):
    """A campaign of config.yaml, checked and complete; its model says what each option is."""

    task: str
    title: str
    simulated: bool
    runs: Files
    judgments: Files
    graded: Files
    counts: Any  # Files, or the path of a table
    questions: Files
    cluster: str
    options: int | str
    measures: list[str]
    measures_named: bool
    aliases: dict[str, str]
    years: list[int]
    baseline: str
    reject_all: str
    accept_all: str
    unscored: str
    error: str
    partial: str
    open: str
    missing: str
    compare_on: str
    failed_judgments: str
    scenarios: dict[str, dict[str, Any]]
    gates: list[dict[str, Any]]
    history: str
    systems: Owners
    participants: Owners
    names: Any  # of runs, by what the files call them, or a file of names
    names_from: str | None
    attributes: dict[str, dict[str, Any]]
    reliability: Reliability
    shards: int

    # What the check is told beside options.
    owned: dict[str, Any]
    size: int
    judgment_files: list[str]


# What statistics and pages know of the configuration, by name: the parameters of their stage (stages.params).
Settings = dict[str, Any]
