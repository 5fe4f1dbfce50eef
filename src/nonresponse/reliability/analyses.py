"""One record per analysis: what it reads, counts, writes and costs. The rules and the jobs follow from it.

Each analysis is computed by the module of its name in this folder:

    make(outcomes, assessor, campaign, settings, cache) -> tables of the trials
    summarise(files, task, settings) -> tables of the summary

This module imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nonresponse.settings import Reliability


@dataclass(frozen=True)
class Trials:
    """Tables of one measure under the official judgments, counted over random draws of the questions."""

    tables: tuple[str, ...]  # folders in reliability/, with a Parquet file per measure
    settings: tuple[str, ...]  # those under `reliability:` that a job reads, and the seed
    work: Callable[[Reliability], float]  # the work under given settings, as a multiple of that under the default ones
    memory: tuple[float, float] = (1500, 40)  # MB of a job, and for each MB of verdicts
    minutes: tuple[float, float] = (1, 0.1)  # of a job, and for each MB of verdicts at the default settings


@dataclass(frozen=True)
class Summary:
    """Tables of the whole campaign, which one job makes together with those of other analyses."""

    tables: tuple[str, ...]  # in reliability/, each as CSV for people and as Parquet for the pages
    # Words of dag.reads.READS, or folders of Trials.tables, of all measures that have trials.
    reads: tuple[str, ...]
    settings: tuple[str, ...] = ()  # of the campaign, its judgments and `reliability:`
    # The rule whose job makes them; `judging`: for tables that depend on judgments even when verdicts stay the same.
    rule: str = "summaries"


@dataclass(frozen=True)
class Analysis:
    """One analysis; it has trials, a summary, or both."""

    id: str
    trials: Trials | None = None
    summary: Summary | None = None
    counts: tuple[str, ...] = ()  # that the task must have
    section: str = ""  # the module of pages/sections that shows it, if not the one of its name

    @property
    def needs_questions(self) -> bool:
        """Whether it needs the outcomes of single questions, which a table of counts does not have."""
        return self.trials is not None or (self.summary is not None and self.summary.reads != ("scores",))


# In the order of the page.
ANALYSES = {
    one.id: one
    for one in (
        Analysis(
            "comparison",
            Trials(
                tables=("intervals", "comparisons", "abstention"),
                settings=("seed", "samples", "exchanges", "flips", "level"),
                # The kinds of trials cost about the same.
                work=lambda its: (its["samples"] / 10000 + its["exchanges"] / 50000 + its["flips"] / 5000) / 3,
                minutes=(1, 0.5),
            ),
            Summary(
                tables=("discriminative_power", "abstention"),
                reads=("comparisons", "abstention"),
                settings=("level",),
            ),
        ),
        Analysis(
            "swap",
            Trials(
                tables=("swap",),
                settings=("seed", "size", "swap_trials", "bins", "width"),
                work=lambda settings: settings["swap_trials"] / 10000,
            ),
            Summary(
                tables=("sensitivity",),
                reads=("swap", "published sensitivity"),
                settings=("level",),
            ),
            section="questions",
        ),
        Analysis(
            "sample_size",
            Trials(
                tables=("sample_size", "questions_needed", "expected_swaps", "power"),
                settings=("seed", "sizes", "size_trials", "bins", "width", "level"),
                work=lambda settings: settings["size_trials"] / 10 * settings["sizes"] / 250,
            ),
            Summary(
                tables=("sample_size", "questions_needed", "power"),
                reads=("questions_needed", "power"),
            ),
            section="questions",
        ),
        Analysis(
            "stability",
            Trials(
                tables=("stability",),
                settings=("seed", "size", "trials", "fuzziness"),
                work=lambda settings: settings["trials"] / 100,
            ),
            section="questions",
        ),
        Analysis(
            "agreement",
            summary=Summary(
                rule="judging",
                tables=("agreement", "agreement_patterns"),
                reads=("labels",),
                settings=("correct", "official"),
            ),
        ),
        Analysis(
            "judges",
            summary=Summary(
                tables=("judges", "judges_by_run", "corrected", "corrected_pairs"),
                reads=("verdicts", "clusters", "pairs", "voters"),
                settings=("measures", "official", "vote", "policy", "failed_judgments", "level", "flips", "seed"),
            ),
        ),
        Analysis(
            "generalizability",
            summary=Summary(
                tables=("generalizability",),
                reads=("verdicts", "clusters"),
                settings=("measures", "official", "policy"),
            ),
        ),
        Analysis(
            "rankings",
            summary=Summary(
                tables=("rankings",),
                reads=("scores",),
                settings=("measures", "official", "policy", "accept_all", "reject_all"),
            ),
        ),
        Analysis(
            "pooling",
            summary=Summary(
                rule="judging",
                tables=("pooling",),
                reads=("pool",),
                settings=(
                    *("measures", "official", "correct", "partial", "pooled"),
                    *("policy", "vote", "missing", "compare_on"),
                ),
            ),
        ),
        Analysis(
            "withheld",
            summary=Summary(
                tables=("withheld", "estimates"),
                reads=("counts",),
                settings=("official",),
            ),
            counts=("n_ur", "n_uw"),
        ),
    )
}
