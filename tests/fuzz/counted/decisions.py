"""The counts of decisions on answers to questions, as docs/measures.md says, in plain loops."""

from collections import Counter
from typing import NamedTuple

from fuzz.counted import Counts, check_strangers, select_common, split_words


class Decision(NamedTuple):
    """What a run says of a pair."""

    accepted: bool | None = None  # None = left open
    selected: bool = False
    failed: bool = False
    missing: bool = False  # the run does not mention it


Pair = tuple[str, str]  # question and candidate
NAMES = split_words(
    "n|tp|fp|fn|tn|u_p|u_n|n_unscored|n_error|n_missing|n_questions|q_selected_right|q_rejected_right|n_asked|n_not_asked|n_shared"
)
MISSING = Decision(missing=True)


def counts(
    truth: dict[Pair, bool | None], common: set[Pair], decisions: dict[Pair, Decision], policy: dict
) -> dict:
    """Count for one run; unknown truth is None, and `common` are the pairs it is compared on."""
    totals = Counter(dict.fromkeys(NAMES, 0))
    pairs_of: dict[str, list[tuple[bool, Decision, bool]]] = {}
    for pair, right in truth.items():
        decision = decisions.get(pair, MISSING)
        not_asked = decision.missing and policy["missing"] == "exclude"
        if right is not None:
            totals["n_not_asked" if not_asked else "n_asked"] += 1
        if not_asked or pair not in common:
            continue
        totals["n_error"] += decision.failed
        if right is None:
            totals["n_unscored"] += 1
            continue
        totals["n_shared"] += 1
        cell = find_cell(right, decision, policy)
        pairs_of.setdefault(pair[0], []).append((right, decision, cell != "exclude"))
        if cell != "exclude":
            totals["n"] += 1
            totals[cell] += 1
            totals["n_missing"] += decision.missing
    for pairs in pairs_of.values():
        totals["n_questions"] += any(is_counted for *_, is_counted in pairs)
        totals["q_selected_right"] += any(
            right and decision.selected for right, decision, _ in pairs
        )
        rejected = all(
            rejects(decision, right, policy) and not right for right, decision, _ in pairs
        )
        totals["q_rejected_right"] += rejected
    return dict(totals)


def rejects(decision: Decision, right: bool, policy: dict) -> bool:
    """Return whether a pair counts as rejected; a missing one may count as the wrong decision."""
    return (
        right if decision.missing and policy["missing"] == "wrong" else decision.accepted is False
    )


def find_cell(right: bool, decision: Decision, policy: dict) -> str:
    choice = policy["error"] if decision.failed else policy["missing"] if decision.missing else None
    if choice == "exclude":
        return "exclude"
    if choice == "wrong":
        return "fn" if right else "fp"
    if choice == "unanswered" or decision.accepted is None:
        return "u_p" if right else "u_n"
    return ("tp" if right else "fp") if decision.accepted else ("fn" if right else "tn")


def count_by_run(
    assessor: str,
    truth: dict[Pair, bool | None],
    runs: dict[str, dict[Pair, Decision]],
    category: dict[str, str | None],
    policy: dict,
) -> Counts:
    """Return the counts of one assessor, also by the category of questions."""
    attempted = {
        run: {pair for pair in truth if not run_rows.get(pair, MISSING).missing}
        for run, run_rows in runs.items()
    }
    questions = {run: {question for question, _ in pairs} for run, pairs in attempted.items()}
    check_strangers(questions, policy)
    asked_pairs = attempted if policy["missing"] == "exclude" else {run: set(truth) for run in runs}
    among, common = select_common(asked_pairs, policy["compare_on"])
    result: Counts = {}
    for run, run_rows in runs.items():
        comparable = common if run in among else set()
        result[assessor, run] = counts(truth, comparable, run_rows, policy)
        for name in {category.get(question) for question, _ in truth} - {None}:
            part = {pair: right for pair, right in truth.items() if category.get(pair[0]) == name}
            result[assessor, run, name] = counts(part, comparable, run_rows, policy)
    return result
