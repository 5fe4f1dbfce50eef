"""What is particular to a task: a record that the stages read, so that none of them asks which task
it has.

This package imports neither Polars nor numpy: Snakemake reads it each time it starts.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from typing import NamedTuple

NAMES = ("qa", "validation", "dating", "matching")

# What a policy excludes is left out of every count except these, which show how much was excluded.
UNFILTERED_COUNTS = ("n_partial", "n_unscored", "n_error", "n_x_partial", "n_by_rule")
# These count all questions of the campaign, whether runs are compared on them or not.
CAMPAIGN_COUNTS = ("n_asked", "n_not_asked", "n_shared")

# The policies of a campaign, with their defaults.
POLICIES = {"unscored": "wrong", "error": "wrong", "partial": "wrong"}

VERDICTS = ("correct", "wrong", "partial", "unanswered", "unscored", "error")
# In the place of a verdict: the question was never put to the run, and is in no n
NOT_ASKED = "not asked"

POLICY = ("wrong", "unanswered", "exclude")  # what a policy may make of such responses
# All ways to count failed responses
ERROR_VARIANTS = tuple({"error": error} for error in POLICY)


def split_names(text: str) -> tuple[str, ...]:
    """Return names that blanks separate."""
    return tuple(text.split())


# The columns that the verdicts of every task have.
COLUMNS = split_names(
    "assessor run question candidate category verdict confidence missing compared"
)

# What a question without a response may count as (`missing:`), each with its verdict.
MISSING = {"unanswered": "unanswered", "wrong": "wrong", "exclude": NOT_ASKED}
# By CLEF's convention a run abstains where it has no response; a log has responses to what was
# asked.
MISSING_BY_SOURCE = {"runs": "unanswered", "graded": "exclude"}


@dataclass(frozen=True)
class Count:
    """A count: the number of rows of an assessor and run, among the resolved verdicts, that meet a
    condition.

    In the condition, `verdict` is the verdict under the campaign's policy, `raw` the verdict before
    the policy (by which unscored, error and partial are counted).
    """

    condition: str  # SQL
    meaning: str  # for docs/measures.md
    # The counts that contain it; empty for n and for counts that a policy may exclude
    within: tuple[str, ...] = ("n",)
    # A column that no response of the campaign may have: the count is then null
    needs: str | None = None
    # Published counts: if left out, it is 0 where that count is 0 or left out
    none_without: str | None = None


NO_RESPONSE = Count(
    "missing", "to which the run has no response, and which `missing:` counts all the same"
)
IndependentCount = partial(Count, within=())  # part of no other count
EXCLUSION = "with the policy `exclude`, those that are left"
N = IndependentCount("TRUE", f"questions of the campaign; {EXCLUSION}")
UNSCORED = IndependentCount("raw = 'unscored'", "answered, but nobody judged the answer")
ERROR = IndependentCount("raw = 'error'", "the system broke down")
# Counts of what a run was asked, and of what runs are compared on.
ASKED_COUNTS = {
    "n_asked": IndependentCount(f"raw <> '{NOT_ASKED}'", "that the run was asked"),
    "n_not_asked": IndependentCount(
        f"raw = '{NOT_ASKED}'", "of the campaign that the run was not asked; they are in no n"
    ),
    "n_shared": IndependentCount(
        f"compared AND raw <> '{NOT_ASKED}'",
        "that the run was asked and that runs are compared on; none of a run that is not compared",
    ),
}


class Sum(NamedTuple):
    """A count and disjoint parts of it, whose sum cannot exceed it."""

    total: str
    parts: tuple[str, ...]
    complete: bool = True  # whether their sum equals it, if each of them is given


OUTCOMES: dict[str, tuple[str, ...]] = {
    "correct": ("n_ac",),
    "unanswered": ("n_u",),
    "wrong": ("n_aw",),
}


@dataclass(frozen=True)
class Task:
    """One task: how its files are read and judged, what is counted, and what its tables show."""

    id: str
    title: str
    measures: tuple[str, ...]  # the modules in nonresponse/measures
    # Measures of logs that name none; () = as elsewhere
    log_measures: tuple[str, ...] = field(kw_only=True, default=())
    # The first measures by default where the data say which questions have no answer.
    unanswerable_measures: tuple[str, ...] = field(kw_only=True, default=())
    judge: str  # the module in nonresponse/judging
    labels: tuple[str, ...]  # that judgments may carry
    counts: dict[str, Count]
    columns: tuple[str, ...]  # of its verdicts, those that follow from others included
    board_counts: tuple[str, ...]  # the counts of a leaderboard
    sums: tuple[Sum, ...]  # what must hold of every table of counts; the first one says what n is
    # All ways to count unscored and failed responses, for a score's bounds
    policy_variants: tuple[dict[str, str], ...] = ERROR_VARIANTS
    # SQL by state: the verdicts that the policy variants treat differently
    uncertain: dict[str, str] = field(default_factory=lambda: {"error": "verdict = 'error'"})
    key: tuple[str, ...] = ("run", "question", "rank")  # of the responses
    # Where a format has its own
    labels_of_format: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # Facts (measures.FACTS): labels that tell them
    fact_labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # The labels by which a question has an answer, whatever the configuration calls correct.
    right: tuple[str, ...] = ()
    # The labels that mean correct, where that is not for the configuration to say
    correct: tuple[str, ...] = ()
    sources: tuple[str, ...] = ("runs",)  # that its data may come from: runs, graded, counts
    words: tuple[str, ...] = ()  # graded responses: what one may be graded as
    required: tuple[str, ...] = ()  # published counts: those that a table must have
    # Published counts: alternatives to `required`, which add up to n, too
    alternative: tuple[str, ...] = ()
    # The counts that add up to what is correct, unanswered and wrong, in this order, by verdict.
    outcomes: dict[str, tuple[str, ...]] = field(default_factory=lambda: OUTCOMES)
    # The counts of the right and of the wrong answers that a user sees
    answer_counts: tuple[str, str] = ("n_ac", "n_aw")
    # What is judged are pairs of a question and a candidate, several to a question
    pairs: bool = False
    # What is judged are the answers that runs gave; a correct answer that no run gave is unknown
    pooled: bool = False
    # Judgments are the gold answers, one per question; verdicts depend on what was answered
    references: bool = False
    weighted: bool = False  # a run gives several answers, hypotheses, whose confidences sum to 1
    years: bool = False  # answers are years
    repeated: bool = False  # a question may be asked several times, an epoch each
    # The runs that every campaign with single responses is compared with
    trivial: tuple[str, ...] = ()
    # The counts of a run that answers no question, given n, the number of questions without
    # a known answer, and of those that the data call unanswerable.
    unanswered_counts: Callable[[float, float | None, float], dict[str, float]] | None = None
    # Columns other than the verdict that depend on the policy, as SQL for REPLACE: first those that
    # are counted, then all others.
    seen_by_policy: Callable[[dict], list[str]] = lambda policy: []
    values_by_policy: Callable[[dict], list[str]] = lambda policy: []

    @property
    def unit(self) -> str:
        """What is judged."""
        return "pair" if self.pairs else "question"

    @property
    def parts(self) -> tuple[str, ...]:
        """The counts that add up to n."""
        return self.sums[0].parts

    @property
    def derived(self) -> set[str]:
        """The counts that follow from others; a table of counts may leave them out."""
        return {"n", *self.parts} - set(self.required)

    def list_policies(self, policy: dict, states: Collection[str]) -> list[dict]:
        """Return the policy, and its variants for these uncertain states, each once."""
        policies = [policy]
        for variant in self.policy_variants:
            choices = {state: choice for state, choice in variant.items() if state in states}
            if policy | choices not in policies:
                policies.append(policy | choices)
        return policies

    def find_containing(self, count: str) -> list[str]:
        """Return every count that contains this one, so that it cannot exceed them."""
        containing = list(self.counts[count].within)
        for name in containing:  # grows on the way
            containing += [outer for outer in self.counts[name].within if outer not in containing]
        return containing

    def list_labels(self, format: str) -> list[str]:
        return list(self.labels_of_format.get(format, self.labels))


@cache
def get(task: str) -> Task:
    return import_module(f"nonresponse.tasks.{task}").TASK
