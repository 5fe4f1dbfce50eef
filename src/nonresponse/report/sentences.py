"""The sentence of each finding, by its code; the only place where findings become words."""

from collections.abc import Callable
from typing import Any

from nonresponse.legible import short
from nonresponse.report.findings import Finding
from nonresponse.wording import amount, at, counted_as, joined, minus, p_value, percent, rounded

NAMED = 5  # runs; of more, their number
LONGEST, LIST = 40, 100  # characters of a name, and of several names
CAUTIOUS = "The interval, by Student's t, is more cautious here than the test."
TITLES = {
    "unanswered": "Does the order depend on unanswered questions?",
    "counts": "What did it do?",
    "worth": "Is answering worth it?",
    "order": "How sure is the order?",
}


def render(finding: Finding) -> str:
    """Return the sentences of a finding, plain text."""
    return SENTENCES[finding.code](**finding.values)


def name(run: str) -> str:
    """Return a run's name, cut short."""
    return short(run, LONGEST)


def names(runs: list[str], what: str = "runs", word: str = "and") -> str:
    """Return the names of runs, or how many there are if more than NAMED, or if the names are long."""
    text = joined([name(run) for run in runs[:NAMED]], word)
    return text if len(runs) <= NAMED and (len(text) <= LIST or len(runs) == 1) else f"{len(runs):,} {what}"


def score(value: float, percent: bool, digits: int) -> str:
    """Return a score: a share in percent, else a number."""
    return f"{number(value, percent, digits)} %" if percent else number(value, percent, digits)


def number(value: float, percent: bool, digits: int) -> str:
    """Return a score without its unit; one that is not 0 is not printed as 0."""
    value = 100 * value if percent else value
    while value and abs(value) < 0.5 / 10**digits and digits < 12:
        digits += 1
    return minus(rounded(value, digits))


def points(value: float, percent: bool, digits: int) -> str:
    """Return a difference of scores."""
    text = number(value, percent, digits)
    return f"{text} point{'s' * (text != '1.0')}" if percent else text


def interval(low: float | None, high: float | None, level: float, percent: bool, digits: int) -> str:
    """Return "95 % CI a to b"; "" where there is none."""
    if low is None or high is None:
        return ""
    return f"{at(1 - level)} CI {number(low, percent, digits)} to {number(high, percent, digits)}"


def say_leader(
    run: str, measure: str, score: float, percent: bool, digits: int, second: str, gap: float,
    low: float | None, high: float | None, p: float | None, level: float, paired: bool, runs: int,
) -> str:  # fmt: skip
    test = f"{p_value(p)}{' over all pairs' * (runs > 2)}" if p is not None else ""
    apart = "from counts alone, unpaired" * (not paired and low is not None)
    remarks = "; ".join(filter(None, [interval(low, high, level, percent, digits), test, apart]))
    by = points(gap, percent, digits)
    said = f"{name(run)} leads with {measure} {to_score(score, percent, digits)}, {by} ahead of {name(second)}"
    said += f" ({remarks})." if remarks else "."
    if p is not None and p <= level and low is not None and low <= 0:
        said += f" {CAUTIOUS}"
    return said


def say_single(
    run: str, measure: str, score: float, percent: bool, digits: int, low: float | None, high: float | None,
    level: float,
) -> str:  # fmt: skip
    within = interval(low, high, level, percent, digits)
    return f"{name(run)} has {measure} {to_score(score, percent, digits)}{f' ({within})' * bool(within)}."


def say_leaders(runs: list[str], measure: str, score: float, percent: bool, digits: int) -> str:
    return f"{names(runs)} share the lead with {measure} {to_score(score, percent, digits)}."


def say_describes(measure: str, runs: int, judged: bool) -> str:
    nobody = "" if judged else "Nobody judged the answers. "
    if runs == 1:
        return nobody.strip()
    return f"{nobody}The first measure, {measure}, describes the runs and does not rank them."


def say_counts(run: str, correct: float, unanswered: float, wrong: float, rightful: float, n: float, unit: str) -> str:
    of = f"Of {amount(n)} {unit}{'s' * (n != 1)}"
    return f"{of}, {amount(correct)} are correct, {amount(wrong)} wrong and {amount(unanswered)} unanswered."


def say_unanswered(
    with_some: int, runs: int, unit: str, rightful: bool, measure: str, changes: bool, leaders: list[str], score: float,
    score_of_first: float, coverage: float | None,
) -> str:  # fmt: skip
    if not with_some:
        return f"No run left a {unit}{' that has an answer' * rightful} unanswered."
    whole = "Both runs" if runs == 2 else f"All {runs:,} runs"
    who = whole if with_some == runs else f"{with_some:,} of {runs:,} runs"
    left = f"{who} left {unit}s{' that have an answer' * rightful} unanswered."
    lead = "leads" if len(leaders) == 1 else "lead"
    if not changes:
        return f"{left} By {measure}, {names(leaders)} still {lead}."
    why = ""
    if measure == "accuracy" and coverage is not None:
        why = f", answering {percent(coverage)} of the {unit}s" if len(leaders) == 1 else ""
    now, before = (to_score(value, True, 1) for value in (score, score_of_first))
    scores = f" ({now} against {before})" * (now != before)
    return f"{left} By {measure}, {names(leaders)} {lead}{scores}{why}."


def say_worth(below: list[str], above: int, runs: int) -> str:
    cost = "If a wrong answer costs as much as a correct one gains,"
    if not below:
        who = "the run scores" if runs == 1 else "both runs score" if runs == 2 else f"all {runs:,} runs score"
        return f"{cost} {who} no less than never answering."
    if len(below) == runs:
        who = "the run scores" if runs == 1 else "both runs score" if runs == 2 else f"all {runs:,} runs score"
    else:
        who = f"{names(below, f'of {runs:,} runs')} {'scores' if len(below) == 1 else 'score'}"
    return f"{cost} {who} below never answering."


def say_order(
    pairs: int, all_pairs: int, different: int, first: str, tied: list[str], others: int,
    percent: bool, digits: int, holds: str, required: float | None,
) -> str:  # fmt: skip
    if not pairs:
        said = "No pair of runs could be tested."
    elif others == 1:
        said = f"The two runs {'differ' if different else 'do not differ'} significantly."
    elif different == all_pairs:
        said = f"All {all_pairs:,} pairs of runs differ significantly."
    else:
        some = "None" if not different else f"{different:,}"
        verb = "differs" if different < 2 else "differ"
        untested = f", {all_pairs - pairs:,} could not be tested" * (pairs < all_pairs)
        said = f"{some} of {all_pairs:,} pairs of runs {verb} significantly{untested}."
        if tied:
            every = "any other run" if len(tied) == others else names(tied, f"of the {others:,} other runs", "or")
            said += f" {name(first)} is not significantly different from {every}."
    return " ".join(filter(None, [said, say_threshold(percent, digits, holds, required)]))


def say_threshold(percent: bool, digits: int, holds: str, required: float | None) -> str:
    if holds == "above" and required is not None:
        return f"Differences below {points(required, percent, digits)} may reverse with other questions."
    return {
        "": "",
        "none": "Any difference may reverse with other questions.",
        "any": "Even small differences hold with other questions.",
    }[holds]


def say_unjudged(
    fewest: float, most: float, runs: int, taken: str, official: str | None, failed: bool, ruled: bool, run: str,
    measure: str, low: float, high: float, percent: bool, digits: int, runs_with: int,
) -> str:  # fmt: skip
    who = "Nobody judged" if official is None else f"{name(official)} did not judge"
    they = "they and the failed responses" if failed else "they"
    rules = ", with the rules on texts or without," * ruled
    ends = f"{number(low, percent, digits)} to {to_score(high, percent, digits)}"
    said = f"{who} {responses(fewest, most, runs_with, runs)}, which {counted_as(taken)} (option unscored)."
    return f"{said} However {they} are taken{rules}, {measure} of {name(run)} is {ends}."


def say_failed(fewest: float, most: float, runs_with: int, runs: int, taken: str) -> str:
    return f"Systems failed on {responses(fewest, most, runs_with, runs)}, which {counted_as(taken)} (option error)."


def responses(fewest: float, most: float, runs_with: int, runs: int) -> str:
    some = amount(fewest) if fewest == most else f"{amount(fewest)} to {amount(most)}"
    which = "all" if runs_with == runs else f"{runs_with:,} of"
    return f"{some} response{'s' * (most != 1)}{'' if runs == 1 else f' in {which} {runs:,} runs'}"


def say_rightful(rightful: float, unanswered: float, runs: int) -> str:
    over = "" if runs == 1 else ", over all runs"
    left = f"{amount(unanswered)} unanswered question{'s' * (unanswered != 1)}{over}"
    return f"Of {left}, {amount(rightful)} had no answer, as the data say: abstaining on these counts as correct."


def say_note(text: str) -> str:
    return text


to_score = score  # `score` is also the name of a value
SENTENCES: dict[str, Callable[..., str]] = {
    "leader": say_leader,
    "single": say_single,
    "leaders": say_leaders,
    "describes": say_describes,
    "counts": say_counts,
    "unanswered": say_unanswered,
    "worth": say_worth,
    "order": say_order,
    "threshold": say_threshold,
    "unjudged": say_unjudged,
    "failed": say_failed,
    "rightful": say_rightful,
    "note": say_note,
}


def answer(finding: Finding) -> str:
    """Return the short answer to the title of a card: "Yes", "No", or "" where it has none."""
    if finding.code == "unanswered" and finding.values["with_some"]:
        return "Yes" if finding.values["changes"] else "No"
    return "Yes" if finding.code == "worth" and finding.values["above"] == finding.values["runs"] else ""


def as_data(findings: list[Finding]) -> list[dict[str, Any]]:
    """Return findings as JSON holds them, each with its text and, if it has a card, its title and short answer."""
    return [
        {**vars(one), "title": TITLES.get(one.code, ""), "answer": answer(one), "text": render(one)} for one in findings
    ]
