"""Settings: what a job is told of the configuration, by name; dag.facts says what each is.

A job is told those that its record names and no other, so that a change repeats only what it affects: a setting that
it was not told is a KeyError, and one that does not exist is an error of mypy.
"""

from typing import Any, Literal, TypedDict

Source = Literal["runs", "graded", "counts"]
Number = Literal["trials", "swap_trials", "size_trials", "samples", "flips", "exchanges"]  # of random draws


class Reliability(TypedDict, total=False):
    """The settings of the analyses: `reliability:` of config.yaml, whose schema says what each is, and the seed."""

    analyses: list[str]  # their ids
    seed: int
    level: float  # of significance
    size: int | None  # questions per subset; null = as many as the questions allow
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
    blocks: dict[str, int]  # jobs, by analysis


class Settings(Reliability, total=False):
    """What analyses, topics, views and the sections of the report may be told."""

    # The campaign, for the head of a page.
    name: str
    title: str
    simulated: bool
    source: Source
    measures: list[str]  # ids; the first one ranks
    measures_named: bool  # whether the configuration names them
    tested: list[str]  # ids of the measures with trials
    tables: list[str]  # that are compared with those of the previous results
    shards: list[int]  # their numbers
    configuration: dict[str, Any]  # the options that the report shows
    published: str  # the folder of published tables, where the campaign stands in one

    # How it is judged.
    official: str  # the assessor, where there are several
    vote: dict[str, Any]
    correct: list[str]  # labels
    partial: list[str]
    pooled: list[str]
    rules: dict[str, Any]  # labels, whether an answer key is closed, how assessors vote
    judged: bool  # whether anybody judged the responses
    field: str  # what decides on a response
    format: str  # of the files of judgments
    policy: dict[str, str]  # what unscored, error and partial count as
    failed_judgments: str
    missing: str  # what a missing response counts as
    compare_on: str

    # What some of its runs, or its questions, are.
    baseline: str
    accept_all: str
    reject_all: str
    trivial: list[str]
    attributes: list[tuple[str, dict[str, Any]]]  # by attribute, by run
    participants: dict[str, list[str]]  # runs, by participant
    systems: dict[str, list[str]]  # runs, by system
    options: int | str  # of multiple choice: how many, or the column that says so
    first: int  # year
    last: int
    farthest: int  # distance in years

    # What it has.
    analysed: bool
    dated: bool  # answers that are years
    disputed: bool  # answers on which assessors may disagree
    history: bool
    imported: bool  # logs
    ruled: bool  # rules on the text of answers
    silent: bool  # counts of questions left open
    threshold: bool  # the differences that other questions would confirm
    views: list[str]  # ids
    gates: list[dict[str, Any]]
    scenarios: list[tuple[str, dict[str, Any]]]  # each with its options
    own: str  # the scenario that is the campaign as configured
    with_scenarios: bool
    analysis: str  # the one whose summary is made

    # Files, relative to its folder.
    read: list[str]
    responses: list[str]
    texts: list[str]
