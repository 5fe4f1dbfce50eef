"""Campaigns made at random beside an independent reference of their counts.

A kind of campaign has a module each, with `drawn`: from a random generator to the files of a
campaign, its options, and what they come to. The reference is a plain loop over the rows that were
drawn and follows docs/measures.md and docs/formats.md with its pages alone; it shares nothing with
the project's code. `product` has what the project makes of the files.
"""

from collections.abc import Callable, Hashable, Iterable
from itertools import combinations
from typing import NamedTuple

# What a question without a response counts as where the campaign does not say, by its source.
MISSING = {"runs": "unanswered", "graded": "exclude"}

# By assessor and run, and by these and category
Counts = dict[tuple[str, ...], dict]
Expected = dict[str, Counts]  # by scenario; "" is the campaign


def split_words(text: str) -> list[str]:
    """Return the words of a list that is written in a line, with a bar between them."""
    return text.split("|")


class FaultyError(Exception):
    """The files have a fault, says the documentation."""


class UnsureError(Exception):
    """The documentation leaves this open; the case is skipped."""


def select_common(questions: dict[str, set], compare_on: str) -> tuple[set[str], set]:
    """Return the runs that are compared, and their common questions (docs/states.md)."""
    union = set().union(*questions.values())
    if compare_on == "all" or not questions:
        return set(questions), union
    if common := set.intersection(*questions.values()):
        return set(questions), common
    order = sorted(union)
    sets = sorted(
        {frozenset(names) for names in questions.values()},
        key=lambda part: [question in part for question in order],
    )
    sets.sort(key=len, reverse=True)
    best: tuple[int, set[str], set] = (0, set(), set())
    for number in range(1, len(sets) + 1):
        among = {run for run, names in questions.items() if names in sets[:number]}
        common = set.intersection(*map(set, sets[:number]))
        worth = len(among) * (len(among) - 1) // 2 * len(common)
        if worth and worth >= best[0]:
            best = worth, among, common
    return best[1:]


def check_strangers(responses: dict[str, set], policy: dict) -> None:
    """Raise FaultyError if runs are compared on shared responses and no two share a question."""
    settings = policy["own"], policy["missing"], policy["compare_on"]
    if settings != ("own", "exclude", "shared") or len(responses) < 2:
        return
    if not any(a & b for a, b in combinations(responses.values(), 2)):
        raise FaultyError("no two runs have a response to the same question")


def deduplicate(
    rows: Iterable[dict],
    options: dict,
    key: Callable[[dict], Hashable],
    are_alike: Callable[[dict, dict], bool],
    files: int = 1,
) -> dict:
    """Each row once, by its key, as the options `duplicates` and `empty_questions` have it.

    `alike` is whether two rows say the same. FaultyError where these options leave nothing of a
    run, or of its rows in one of so many files.
    """
    unique: dict = {}
    has_rows: dict[tuple, bool] = {}
    repeated = options.get("duplicates", "fault")
    for number, row in enumerate(rows):
        part = (row.get("run"), number % files)
        has_rows[part] = has_rows.get(part, False) or row["question"] is not None
        if row["question"] is None:
            if options.get("empty_questions") != "drop":
                raise FaultyError("a row without a question")
            continue
        former = unique.setdefault(key(row), row)
        if former is row:
            continue
        if repeated == "fault":
            raise FaultyError("a second response")
        if repeated == "same" and not are_alike(former, row):
            raise FaultyError("a second response that says something else")
        if repeated == "unscored" and not are_alike(former, row):
            raise UnsureError("what becomes of what else a row says that is unscored")
        if repeated == "last":
            unique[key(row)] = row
    if not all(has_rows.values()):
        raise FaultyError("a run of which no row is left")
    return unique


def deduplicate_judgments(labelled: Iterable[tuple[Hashable, str]], options: dict) -> dict:
    """The label of each judged item once, as the option `duplicates` has it."""
    labels: dict = {}
    repeated = options.get("duplicates", "fault")
    for item, label in labelled:
        if labels.setdefault(item, label) != label:
            if repeated in ("fault", "same"):
                raise FaultyError("two judgments that contradict each other")
            labels[item] = label if repeated == "last" else labels[item]
    return labels


class Case(NamedTuple):
    """A campaign as config.yaml has it, its files, and the expected counts or fault."""

    campaign: dict
    files: dict[str, bytes]
    expected: Expected | FaultyError | UnsureError
