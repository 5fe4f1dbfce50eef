"""The sentence of each finding, by its code. Findings become words here only."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from nonresponse.legible import short
from nonresponse.report.findings import Finding
from nonresponse.wording import (
    amount,
    capital,
    describe_part,
    describe_policy,
    format_level,
    format_rounded,
    join_names,
    minus,
    p_value,
    percent,
)

MAX_NAMES = 5  # runs; of more, their number
LONGEST, LONGEST_LIST = 40, 100  # characters of a name, and of several names
CAUTIOUS = "The interval, by Student's t, is more cautious here than the test."
TITLES = {
    "unanswered": "Do unanswered questions decide who is first?",
    "counts": "What did it do?",
    "worth": "Is answering worth it?",
    "order": "How sure is the order?",
}


class Values(SimpleNamespace):
    """The values of a finding. `percent` and `digits` are those of its scores."""

    percent: bool = True
    digits: int = 1

    def format_score(self, value: float) -> str:
        """Return a score: a share in percent, else a number."""
        return f"{self.format_number(value)} %" if self.percent else self.format_number(value)

    def format_number(self, value: float) -> str:
        """Return a score without its unit. One that is not 0 is not printed as 0."""
        value, digits = 100 * value if self.percent else value, self.digits
        while value and abs(value) < 0.5 / 10**digits and digits < 12:
            digits += 1
        return minus(format_rounded(value, digits))

    def format_difference(self, value: float) -> str:
        """Return a difference of scores: a share in points, else a number."""
        text = self.format_number(value)
        return f"{text} point{'s' * (text != '1.0')}" if self.percent else text

    def format_interval(self) -> str:
        """Return "95 % CI a to b", empty where there is none."""
        if self.low is None or self.high is None:
            return ""
        low, high = self.format_number(self.low), self.format_number(self.high)
        return f"{format_level(1 - self.level)} CI {low} to {high}"


def render(finding: Finding) -> str:
    """Return the sentences of a finding, plain text."""
    return SENTENCES[finding.code](Values(**finding.values))


def shorten_name(run: str) -> str:
    """Return a run's name, cut short."""
    return short(run, LONGEST)


def list_names(runs: list[str], noun: str = "runs") -> str:
    """Return the names of runs, or how many there are if there are many or their names are long."""
    text = join_names([shorten_name(run) for run in runs[:MAX_NAMES]])
    fits = len(runs) <= MAX_NAMES and (len(text) <= LONGEST_LIST or len(runs) == 1)
    return text if fits else f"{len(runs):,} {noun}"


def say_leader(values: Values) -> str:
    is_tie, best = len(values.best) > 1, list_names(values.best)
    gap, top = values.format_difference(values.gap), values.format_score(values.top)
    test = "" if values.p is None else p_value(values.p) + " over all pairs" * (values.runs > 2)
    unpaired = "from counts alone, unpaired" * (not values.paired and values.low is not None)
    remarks = "; ".join(filter(None, [values.format_interval(), test, unpaired]))
    remarks = f" ({remarks})" * bool(remarks)
    margin = f"{gap} ahead of {shorten_name(values.second)}"
    degree = "highest" if values.highest else "lowest"
    lead = f"{best} {'share' if is_tie else 'has'} the {degree} {values.measure}, {top}"
    significant = values.p is not None and values.p <= values.level
    if values.alone:
        return f"Runs are compared on 1 question, from which nothing can be concluded: {lead}."
    if values.tied == [values.second] and not is_tie:
        text = f"{lead}, {margin}, which is not significantly different{remarks}."
    elif len(values.tied) == values.others > 1:
        text = f"{lead}, but no other run is significantly different."
    elif values.tied:
        runs = list_names(values.tied, f"of the {values.others:,} other runs")
        verb = "are" if len(values.tied) > 1 else "is"
        text = f"{lead}, but {runs} {verb} not significantly different."
    elif is_tie:
        text = f"{lead}."
    elif significant:
        text = f"{best} leads with {values.measure} {top}, {margin}{remarks}."
    else:
        text = f"{lead}, {margin}{remarks}."
    cautious = significant and values.low is not None and values.low <= 0
    return f"{text} {CAUTIOUS}" if cautious else text


def say_single(values: Values) -> str:
    interval, top = values.format_interval(), values.format_score(values.top)
    remark = f" ({interval})" * bool(interval)
    return f"{shorten_name(values.run)} has {values.measure} {top}{remark}."


def say_describes(values: Values) -> str:
    texts = [] if values.judged else ["Nobody judged the answers."]
    subject = f"The first measure, {values.measure},"
    if values.runs != 1:
        texts.append(f"{subject} describes the runs and does not rank them.")
        subject = "It"
    if values.least is None:
        return " ".join(texts)
    lowest, highest = map(values.format_score, (values.least, values.most))
    span = f"from {lowest} for {shorten_name(values.least_run)}"
    span = f"{span} to {highest} for {shorten_name(values.most_run)}"
    if lowest == highest:
        span = f"{lowest} for {'each run' if values.runs > 1 else shorten_name(values.most_run)}"
    return " ".join([*texts, f"{subject} is {span}."])


def say_counts(values: Values) -> str:
    correct, wrong, unanswered = map(amount, (values.correct, values.wrong, values.unanswered))
    total = f"{amount(values.n)} {values.unit}{'s' * (values.n != 1)}"
    return f"It got {correct} of {total} right and {wrong} wrong, and left {unanswered} unanswered."


def say_unanswered(values: Values) -> str:
    if not values.with_some:
        clause = " that has an answer" * values.rightful
        return f"No {values.unit}{clause} counts as unanswered."
    clause, is_alone = " that have an answer" * values.rightful, len(values.leaders) == 1
    runs = describe_part(values.with_some, values.runs)
    leaders = f"{list_names(values.leaders)} {'is' if is_alone else 'are'}"
    text = f"{capital(runs)} left {values.unit}s{clause} unanswered."
    text = f"{text} By {values.measure}, {leaders} first"
    if not values.changes:
        return f"{text}, too."
    top, score = values.format_score(values.top), values.format_score(values.score_of_first)
    text += f" ({top} against {score})" * (top != score)
    if values.measure == "accuracy" and values.coverage is not None and is_alone:
        text += f", answering {percent(values.coverage)} of the {values.unit}s"
    return f"{text}."


def say_worth(values: Values) -> str:
    number = len(values.below)
    subject, size = describe_part(values.runs, values.runs), values.runs
    if 0 < number < values.runs:
        subject, size = list_names(values.below, f"of {values.runs:,} runs"), number
    verb = "does" if size == 1 else "do"
    better = "better than" if values.above == values.runs else "at least as well as"
    degree = "worse than" if number else better
    cost = "If a wrong answer costs as much as a correct one gains"
    return f"{cost}, {subject} {verb} {degree} never answering."


def say_order(values: Values) -> str:
    total, different = values.all_pairs, values.different
    if not values.pairs:
        text = "No pair of runs could be tested."
    elif total == 1:
        text = f"The two runs {'differ' if different else 'do not differ'} significantly."
    elif different == total:
        text = f"All {total:,} pairs of runs differ significantly."
    else:
        number, verb = f"{different:,}" if different else "None", "differ" + "s" * (different < 2)
        text = f"{number} of {total:,} pairs of runs {verb} significantly"
        text += f", {total - values.pairs:,} could not be tested" * (total > values.pairs) + "."
    return " ".join(filter(None, [text, say_threshold(values)]))


def say_threshold(values: Values) -> str:
    if values.holds == "above":
        few = ", or of runs with few answers," * values.few
        difference = values.format_difference(values.required)
        return f"Differences below {difference}{few} may reverse with other questions."
    if values.holds == "any":
        few = ", except of runs with few answers" * values.few
        return f"Even small differences seldom reverse with other questions{few}."
    return "Any difference may reverse with other questions." if values.holds else ""


def say_unjudged(values: Values) -> str:
    official = values.official
    subject = "Nobody judged" if official is None else f"{shorten_name(official)} did not judge"
    return f"{subject} {say_unscored(values, 'unscored')}"


def say_failed(values: Values) -> str:
    return f"Systems failed on {say_unscored(values, 'error')}"


def say_partly(values: Values) -> str:
    return f"Answers are only partly correct in {say_unscored(values, 'partial')}"


def say_unscored(values: Values, option: str) -> str:
    number = " to ".join(dict.fromkeys([amount(values.fewest), amount(values.most)]))
    runs = "each run"
    if values.runs_with < values.runs:
        runs = describe_part(values.runs_with, values.runs)
    runs = f" in {runs}" * (values.runs > 1)
    noun = f"response{'s' * (values.most != 1)}"
    if values.fewest % 1 or values.most % 1:  # means over epochs
        number, noun = f"the responses to {number}", "questions (means over epochs)"
    policy = describe_policy(values.taken, values.most)
    text = f"{number} {noun}{runs}, which {policy} (option {option})."
    if values.run is None:
        return text
    subject = "they and the failed responses" if values.failed else "they"
    rules = ", with the rules on texts or without" * values.ruled
    score = f"{values.measure} of {shorten_name(values.run)}"
    ends = f"{values.format_number(values.low)} to {values.format_score(values.high)}"
    lead = ", so it could be first" * values.overtakes
    return f"{text} Whichever way {subject} are all taken{rules}, {score} is {ends}{lead}."


def say_rightful(values: Values) -> str:
    runs = ", over all runs" * (values.runs > 1)
    number = f"{amount(values.unanswered)} unanswered question{'s' * (values.unanswered != 1)}"
    text = f"Of {number}{runs}, {amount(values.rightful)} had no answer, as the data say"
    return f"{text}: abstaining on these counts as correct."


def say_note(values: Values) -> str:
    return values.text


SENTENCES: dict[str, Callable[[Values], str]] = {
    say.__name__.removeprefix("say_"): say
    for say in (
        *(say_leader, say_single, say_describes, say_counts, say_unanswered, say_worth, say_order),
        *(say_threshold, say_unjudged, say_failed, say_partly, say_rightful, say_note),
    )
}


def answer_title(finding: Finding) -> str:
    """Return the short answer to the title of a card: "Yes", "No", or "" where it has none."""
    values = Values(**finding.values)
    if finding.code == "unanswered" and values.with_some:
        return "Yes" if values.changes else "No"
    if finding.code == "worth" and values.runs in (values.above, len(values.below)):
        return "Yes" if values.above else "No"
    return ""


def encode_findings(findings: list[Finding]) -> list[dict[str, Any]]:
    """Return findings as JSON holds them, with texts, and with titles and answers of cards."""
    return [
        {
            **vars(finding),
            "title": TITLES.get(finding.code, ""),
            "answer": answer_title(finding),
            "text": render(finding),
        }
        for finding in findings
    ]
