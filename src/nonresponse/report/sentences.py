"""The sentence of each finding, by its code; the only place where findings become words."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from nonresponse.legible import short
from nonresponse.report.findings import Finding
from nonresponse.wording import amount, at, counted_as, joined, minus, p_value, percent, rounded

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

    def responses(self) -> str:
        """Return of how many responses, in how many runs, a finding is."""
        some = (
            amount(self.fewest)
            if self.fewest == self.most
            else f"{amount(self.fewest)} to {amount(self.most)}"
        )
        which = "all" if self.runs_with == self.runs else f"{self.runs_with:,} of"
        where = "" if self.runs == 1 else f" in {which} {self.runs:,} runs"
        return f"{some} response{'s' * (self.most != 1)}{where}"


def render(finding: Finding) -> str:
    """Return the sentences of a finding, plain text."""
    return SENTENCES[finding.code](Values(**finding.values))


def name(run: str) -> str:
    """Return a run's name, cut short."""
    return short(run, LONGEST)


def names(runs: list[str], what: str = "runs", word: str = "and") -> str:
    """Return the names of runs, or how many there are if more than NAMED, or if the names are
    long."""
    text = joined([name(run) for run in runs[:NAMED]], word)
    return (
        text
        if len(runs) <= NAMED and (len(text) <= LIST or len(runs) == 1)
        else f"{len(runs):,} {what}"
    )


def say_leader(of: Values) -> str:
    several, best = len(of.best) > 1, "highest" if of.highest else "lowest"
    test = f"{p_value(of.p)}{' over all pairs' * (of.runs > 2)}" if of.p is not None else ""
    unpaired = "from counts alone, unpaired" * (not of.paired and of.low is not None)
    remarks = "; ".join(filter(None, [of.interval(), test, unpaired]))
    within, gap = f" ({remarks})" * bool(remarks), of.points(of.gap)
    lead = f"{names(of.best)} {'share' if several else 'has'} the {best} {of.measure}"
    lead += f", {of.score(of.top)}"
    if of.tied:
        whom = names(of.tied, f"of the {of.others:,} other runs")
        alike = f"{whom} {'are' if len(of.tied) > 1 else 'is'} not significantly different"
        if len(of.tied) == of.others > 1:
            alike = "no other run is significantly different"
        only = of.tied == [of.second] and not several
        said = f"{lead}, but {alike}{f' (by {gap}; {remarks})' * only}."
    elif several:
        said = f"{lead}."
    elif of.p is not None and of.p <= of.level:
        ahead = f"{gap} ahead of {name(of.second)}{within}"
        said = f"{name(of.best[0])} leads with {of.measure} {of.score(of.top)}, {ahead}."
    else:
        way = "above" if of.highest else "below"
        said = f"{lead}, {gap} {way} {name(of.second)}{within}."
    cautious = of.p is not None and of.p <= of.level and of.low is not None and of.low <= 0
    return f"{said} {CAUTIOUS}" if cautious else said


def say_single(of: Values) -> str:
    within = of.interval()
    return f"{name(of.run)} has {of.measure} {of.score(of.top)}{f' ({within})' * bool(within)}."


def say_describes(of: Values) -> str:
    nobody = "" if of.judged else "Nobody judged the answers. "
    if of.runs == 1:
        return nobody.strip()
    return f"{nobody}The first measure, {of.measure}, describes the runs and does not rank them."


def say_counts(of: Values) -> str:
    correct, wrong, unanswered = map(amount, (of.correct, of.wrong, of.unanswered))
    whole = f"Of {amount(of.n)} {of.unit}{'s' * (of.n != 1)}"
    return f"{whole}, {correct} are correct, {wrong} wrong and {unanswered} unanswered."


def every(runs: int) -> str:
    return "the run" if runs == 1 else "both runs" if runs == 2 else f"all {runs:,} runs"


def say_unanswered(of: Values) -> str:
    if not of.with_some:
        return f"No {of.unit}{' that has an answer' * of.rightful} counts as unanswered."
    with_answer = " that have an answer" * of.rightful
    who = (
        every(of.runs).capitalize()
        if of.with_some == of.runs
        else f"{of.with_some:,} of {of.runs:,} runs"
    )
    left = f"{who} left {of.unit}s{with_answer} unanswered."
    are = "is" if len(of.leaders) == 1 else "are"
    if not of.changes:
        return f"{left} By {of.measure}, {names(of.leaders)} {are} first, too."
    why = ""
    if of.measure == "accuracy" and of.coverage is not None and len(of.leaders) == 1:
        why = f", answering {percent(of.coverage)} of the {of.unit}s"
    now, before = of.score(of.top), of.score(of.score_of_first)
    scores = f" ({now} against {before})" * (now != before)
    return f"{left} By {of.measure}, {names(of.leaders)} {are} first{scores}{why}."


def say_worth(of: Values) -> str:
    cost, number = "If a wrong answer costs as much as a correct one gains,", len(of.below)
    who = every(of.runs) if number in (0, of.runs) else names(of.below, f"of {of.runs:,} runs")
    do = "does" if (number if 0 < number < of.runs else of.runs) == 1 else "do"
    return f"{cost} {who} {do} {'worse than' if number else 'at least as well as'} never answering."


def say_order(of: Values) -> str:
    if not of.pairs:
        said = "No pair of runs could be tested."
    elif of.all_pairs == 1:
        said = f"The two runs {'differ' if of.different else 'do not differ'} significantly."
    elif of.different == of.all_pairs:
        said = f"All {of.all_pairs:,} pairs of runs differ significantly."
    else:
        some, s = f"{of.different:,}" if of.different else "None", "s" * (of.different < 2)
        untested = f", {of.all_pairs - of.pairs:,} could not be tested" * (of.pairs < of.all_pairs)
        said = f"{some} of {of.all_pairs:,} pairs of runs differ{s} significantly{untested}."
    return " ".join(filter(None, [said, say_threshold(of)]))


def say_threshold(of: Values) -> str:
    if of.holds == "above":
        return f"Differences below {of.points(of.required)} may reverse with other questions."
    return {
        "": "",
        "none": "Any difference may reverse with other questions.",
        "any": "Even small differences hold with other questions.",
    }[of.holds]


def say_unjudged(of: Values) -> str:
    who = "Nobody judged" if of.official is None else f"{name(of.official)} did not judge"
    return f"{who} {of.responses()}, which {counted_as(of.taken)} (option unscored).{say_reach(of)}"


def say_failed(of: Values) -> str:
    return (
        f"Systems failed on {of.responses()}, which {counted_as(of.taken)} (option "
        f"error).{say_reach(of)}"
    )


def say_reach(of: Values) -> str:
    if of.run is None:
        return ""
    they = "they and the failed responses" if of.failed else "they"
    rules = ", with the rules on texts or without," * of.ruled
    ends = f"{of.number(of.low)} to {of.score(of.high)}"
    return f" However {they} are taken{rules}, {of.measure} of {name(of.run)} is {ends}."


def say_rightful(of: Values) -> str:
    over = "" if of.runs == 1 else ", over all runs"
    left = f"{amount(of.unanswered)} unanswered question{'s' * (of.unanswered != 1)}{over}"
    return (
        f"Of {left}, {amount(of.rightful)} had no answer, as the data say: abstaining on "
        "these counts as correct."
    )


def say_note(of: Values) -> str:
    return of.text


SENTENCES: dict[str, Callable[[Values], str]] = {
    "leader": say_leader,
    "single": say_single,
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
    of = Values(**finding.values)
    if finding.code == "unanswered" and of.with_some:
        return "Yes" if of.changes else "No"
    if finding.code == "worth" and of.runs in (of.above, len(of.below)):
        return "Yes" if of.above else "No"
    return ""


def as_data(findings: list[Finding]) -> list[dict[str, Any]]:
    """Return findings as JSON holds them, each with its text and, if it has a card, its title and
    short answer."""
    return [
        {**vars(one), "title": TITLES.get(one.code, ""), "answer": answer(one), "text": render(one)}
        for one in findings
    ]
