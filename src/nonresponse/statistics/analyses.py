"""One record per analysis: what it reads and writes. The jobs follow from it.

Each analysis is computed by the module of its name in this folder:

    make(outcomes, assessor, campaign, settings, cache) -> tables of the trials
    summarise(files, task, settings) -> tables of the summary

This module imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Trials:
    """Tables of one measure under the official judgments, counted over random draws of the questions."""

    tables: tuple[str, ...]  # folders in reliability/, with a Parquet file per measure
    settings: tuple[str, ...]  # those under `reliability:` that a job reads, and the seed


@dataclass(frozen=True)
class Summary:
    """Tables of the whole campaign, which one job makes together with those of other analyses."""

    tables: tuple[str, ...]  # in reliability/, each as CSV for people and as Parquet for the pages
    # The rule whose job makes them; `judging`: for tables that depend on judgments even when verdicts stay the same.
    rule: str = "summaries"
    of_scores: bool = False  # whether it needs nothing but counts and scores, which a table of counts has, too


@dataclass(frozen=True)
class Analysis:
    """One analysis; it has trials, a summary, or both."""

    id: str
    trials: Trials | None = None
    summary: Summary | None = None
    counts: tuple[str, ...] = ()  # that the task must have
    section: str = ""  # the module of pages/sections that shows it, if not the one of its name
    by_default: bool = True  # whether a campaign has it that names no analyses

    @property
    def needs_questions(self) -> bool:
        """Whether it needs the outcomes of single questions, which a table of counts does not have."""
        return self.trials is not None or (self.summary is not None and not self.summary.of_scores)


# In the order of the page.
ANALYSES = {
    one.id: one
    for one in (
        Analysis(
            "comparison",
            Trials(
                tables=("intervals", "comparisons", "abstention"),
                settings=("seed", "samples", "flips", "level"),
            ),
            Summary(tables=("discriminative_power", "abstention")),
        ),
        Analysis(
            "swap",
            Trials(
                tables=("swap",),
                settings=("seed", "size", "swap_trials", "bins", "width"),
            ),
            Summary(tables=("sensitivity",)),
            section="questions",
        ),
        Analysis(
            "sample_size",
            Trials(
                tables=("questions_needed", "power"),
                settings=("seed", "level"),
            ),
            Summary(tables=("sample_size", "questions_needed", "power")),
            section="questions",
        ),
        Analysis(
            "error_curves",
            Trials(
                tables=("error_curves", "questions_by_curves", "expected_swaps"),
                settings=("seed", "sizes", "size_trials", "bins", "width", "level"),
            ),
            section="questions",
            by_default=False,
        ),
        Analysis(
            "stability",
            Trials(
                tables=("stability",),
                settings=("seed", "size", "trials", "fuzziness"),
            ),
            section="questions",
        ),
        Analysis(
            "agreement",
            summary=Summary(tables=("agreement", "agreement_patterns"), rule="judging"),
        ),
        Analysis(
            "judges",
            summary=Summary(tables=("judges", "judges_by_run", "corrected", "corrected_pairs")),
        ),
        Analysis(
            "generalizability",
            summary=Summary(tables=("generalizability",)),
        ),
        Analysis(
            "rankings",
            summary=Summary(tables=("rankings",), of_scores=True),
        ),
        Analysis(
            "pooling",
            summary=Summary(tables=("pooling",), rule="judging"),
        ),
        Analysis(
            "withheld",
            summary=Summary(tables=("withheld", "estimates")),
            counts=("n_ur", "n_uw"),
        ),
    )
}
