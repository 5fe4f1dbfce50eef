"""The sentence of each finding, by its code; the only place where findings become words."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from nonresponse.legible import short
from nonresponse.report.findings import Finding
from nonresponse.wording import (
    amount,
    at,
    capital,
    counted_as,
    joined,
    minus,
    out_of,
    p_value,
    percent,
    rounded,
)

NAMED = 5  # runs; of more, their number
LONGEST, LIST = 40, 100  # characters of a name, and of several names
CAUTIOUS = "The interval, by Student's t, is more cautious here than the test."
TITLES = {
    "unanswered": "Do unanswered questions decide who is first?",
    "counts": "What did it do?",
    "worth": "Is answering worth it?",
    "order": "How sure is the order?",
}


class Values(SimpleNamespace):
    """The values of a finding; `percent` and `digits` are those of its scores."""

    percent: bool = True
    digits: int = 1

    def score(self, value: float) -> str:
        """Return a score: a share in percent, else a number."""
        return f"{self.number(value)} %" if self.percent else self.number(value)

    def number(self, value: float) -> str:
        """Return a score without its unit; one that is not 0 is not printed as 0."""
        value, digits = 100 * value if self.percent else value, self.digits
        while value and abs(value) < 0.5 / 10**digits and digits < 12:
            digits += 1
        return minus(rounded(value, digits))

    def points(self, value: float) -> str:
        """Return a difference of scores."""
        text = self.number(value)
        return f"{text} point{'s' * (text != '1.0')}" if self.percent else text

    def interval(self) -> str:
        """Return "95 % CI a to b"; empty where there is none."""
        if self.low is None or self.high is None:
            return ""
        return f"{at(1 - self.level)} CI {self.number(self.low)} to {self.number(self.high)}"


def render(finding: Finding) -> str:
    """Return the sentences of a finding, plain text."""
    return SENTENCES[finding.code](Values(**finding.values))


def shorten_name(run: str) -> str:
    """Return a run's name, cut short."""
    return short(run, LONGEST)


def list_names(runs: list[str], what: str = "runs") -> str:
    """Return the names of runs, or how many there are if more than NAMED, or if the names are
    long."""
    text = joined([shorten_name(run) for run in runs[:NAMED]])
    few = len(runs) <= NAMED and (len(text) <= LIST or len(runs) == 1)
    return text if few else f"{len(runs):,} {what}"


def say_leader(found: Values) -> str:
    several, gap, second = len(found.best) > 1, found.points(found.gap), shorten_name(found.second)
    test = "" if found.p is None else p_value(found.p) + " over all pairs" * (found.runs > 2)
    unpaired = "from counts alone, unpaired" * (not found.paired and found.low is not None)
    remarks = "; ".join(filter(None, [found.interval(), test, unpaired]))
    within, top = f" ({remarks})" * bool(remarks), found.score(found.top)
    ahead = f"{gap} ahead of {second}"
    who = f"{list_names(found.best)} {'share' if several else 'has'} the"
    lead = f"{who} {'highest' if found.highest else 'lowest'} {found.measure}, {top}"
    sure = found.p is not None and found.p <= found.level
    if found.tied:
        whom = list_names(found.tied, f"of the {found.others:,} other runs")
        alike = f"{whom} {'are' if len(found.tied) > 1 else 'is'} not significantly different"
        if len(found.tied) == found.others > 1:
            alike = "no other run is significantly different"
        text = f"{lead}, but {alike}."
        if found.tied == [found.second] and not several:
            text = f"{lead}, {ahead}, which is not significantly different{within}."
    elif several:
        text = f"{lead}."
    elif sure:
        text = f"{list_names(found.best)} leads with {found.measure} {top}, {ahead}{within}."
    else:
        text = f"{lead}, {ahead}{within}."
    return f"{text} {CAUTIOUS}" if sure and found.low is not None and found.low <= 0 else text


def say_single(found: Values) -> str:
    within = f" ({found.interval()})" * bool(found.interval())
    return f"{shorten_name(found.run)} has {found.measure} {found.score(found.top)}{within}."


def say_describes(found: Values) -> str:
    nobody = "" if found.judged else "Nobody judged the answers. "
    if found.runs == 1:
        return nobody.strip()
    return f"{nobody}The first measure, {found.measure}, describes the runs and does not rank them."


def say_counts(found: Values) -> str:
    correct, wrong, unanswered = map(amount, (found.correct, found.wrong, found.unanswered))
    whole = f"Of {amount(found.n)} {found.unit}{'s' * (found.n != 1)}"
    return f"{whole}, {correct} are correct, {wrong} wrong and {unanswered} unanswered."


def say_unanswered(found: Values) -> str:
    with_answer = " that have an answer" * found.rightful
    if not found.with_some:
        return f"No {found.unit}{with_answer.replace('have', 'has')} counts as unanswered."
    who = capital(out_of(found.with_some, found.runs))
    left = f"{who} left {found.unit}s{with_answer} unanswered."
    verb = "is" if len(found.leaders) == 1 else "are"
    first = f"By {found.measure}, {list_names(found.leaders)} {verb}"
    if not found.changes:
        return f"{left} {first} first, too."
    why = ""
    if found.measure == "accuracy" and found.coverage is not None and len(found.leaders) == 1:
        why = f", answering {percent(found.coverage)} of the {found.unit}s"
    now, before = found.score(found.top), found.score(found.score_of_first)
    scores = f" ({now} against {before})" * (now != before)
    return f"{left} {first} first{scores}{why}."


def say_worth(found: Values) -> str:
    number = len(found.below)
    who, more = out_of(found.runs, found.runs), found.runs
    if 0 < number < found.runs:
        who, more = list_names(found.below, f"of {found.runs:,} runs"), number
    do = "does" if more == 1 else "do"
    better = "better than" if found.above == found.runs else "at least as well as"
    how = "worse than" if number else better
    cost = "If a wrong answer costs as much as a correct one gains"
    return f"{cost}, {who} {do} {how} never answering."


def say_order(found: Values) -> str:
    if not found.pairs:
        text = "No pair of runs could be tested."
    elif found.all_pairs == 1:
        text = f"The two runs {'differ' if found.different else 'do not differ'} significantly."
    elif found.different == found.all_pairs:
        text = f"All {found.all_pairs:,} pairs of runs differ significantly."
    else:
        some, s = f"{found.different:,}" if found.different else "None", "s" * (found.different < 2)
        left = found.all_pairs - found.pairs
        untested = f", {left:,} could not be tested" * (left > 0)
        text = f"{some} of {found.all_pairs:,} pairs of runs differ{s} significantly{untested}."
    return " ".join(filter(None, [text, say_threshold(found)]))


def say_threshold(found: Values) -> str:
    if found.holds == "above":
        return f"Differences below {found.points(found.required)} may reverse with other questions."
    return {
        "": "",
        "none": "Any difference may reverse with other questions.",
        "any": "Even small differences hold with other questions.",
    }[found.holds]


def say_unjudged(found: Values) -> str:
    who = (
        "Nobody judged"
        if found.official is None
        else f"{shorten_name(found.official)} did not judge"
    )
    return f"{who} {say_unscored(found, 'unscored')}"


def say_failed(found: Values) -> str:
    return f"Systems failed on {say_unscored(found, 'error')}"


def say_unscored(found: Values, option: str) -> str:
    some = " to ".join(dict.fromkeys([amount(found.fewest), amount(found.most)]))
    which = out_of(found.runs_with, found.runs) if found.runs_with < found.runs else "each run"
    where = f" in {which}" * (found.runs > 1)
    text = f"{some} response{'s' * (found.most != 1)}{where}, which {counted_as(found.taken)}"
    if found.run is None:
        return f"{text} (option {option})."
    they = "they and the failed responses" if found.failed else "they"
    rules = ", with the rules on texts or without" * found.ruled
    ends = f"{found.number(found.low)} to {found.score(found.high)}"
    lead = ", so it could be first" * found.overtakes
    score = f"{found.measure} of {shorten_name(found.run)}"
    reach = f"However {they} are taken{rules}, {score} is {ends}{lead}."
    return f"{text} (option {option}). {reach}"


def say_rightful(found: Values) -> str:
    over = ", over all runs" * (found.runs > 1)
    left = f"{amount(found.unanswered)} unanswered question{'s' * (found.unanswered != 1)}{over}"
    text = f"Of {left}, {amount(found.rightful)} had no answer, as the data say"
    return f"{text}: abstaining on these counts as correct."


def say_note(found: Values) -> str:
    return found.text


SENTENCES: dict[str, Callable[[Values], str]] = {
    say.__name__.removeprefix("say_"): say
    for say in (
        *(say_leader, say_single, say_describes, say_counts, say_unanswered, say_worth, say_order),
        *(say_threshold, say_unjudged, say_failed, say_rightful, say_note),
    )
}


def find_answer(finding: Finding) -> str:
    """Return the short answer to the title of a card: "Yes", "No", or "" where it has none."""
    found = Values(**finding.values)
    if finding.code == "unanswered" and found.with_some:
        return "Yes" if found.changes else "No"
    if finding.code == "worth" and found.runs in (found.above, len(found.below)):
        return "Yes" if found.above else "No"
    return ""


def encode_findings(findings: list[Finding]) -> list[dict[str, Any]]:
    """Return findings as JSON holds them, each with its text and, if it has a card, its title and
    short answer."""
    return [
        {
            **vars(one),
            "title": TITLES.get(one.code, ""),
            "answer": find_answer(one),
            "text": render(one),
        }
        for one in findings
    ]
