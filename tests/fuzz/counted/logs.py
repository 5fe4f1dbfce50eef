"""What the logs of all harnesses share: epochs, rules on texts, and how their verdicts are counted."""

import json
import random
from collections.abc import Iterable
from typing import NamedTuple

from fuzz.counted import Drawn, Expected, Faulty, expected_or_fault
from fuzz.counted.answers import GIVEN, Answer, by_run_and_category
from fuzz.counted.drawing import Asked, chance, policies, policy_of, scenarios, some
from fuzz.counted.words import ANSWERS, REFUSALS, refused, rules

MODELS = ["gpt", "org/model:7b", "a b", "é", "GPT", "x" * 200, "=1", "m #2", "1"]
TASKS = ["toy", "mmlu_law", "a b", "é"]
TEXTS = [*ANSWERS, "", "I don't know", " I don't know ", "i don't know"]


class Told(NamedTuple):
    """A response as the log has it."""

    run: str
    question: str
    verdict: str
    text: str = ""
    epoch: int = 1
    category: str | None = None


class Options:
    """What all logs may be told, where the format takes it."""

    def __init__(self, draw: random.Random, format: str, epochs: bool):
        self.rules = rules(draw)
        self.words = ["I don't know"] if chance(draw, 0.15) else []
        self.epochs = draw.choice(["", "first", "runs", "all"]) if epochs else ""
        self.own: dict = {"format": format}
        if self.rules:
            self.own["refusals"] = self.rules
        if self.words:
            self.own["unanswered"] = self.words
        if self.epochs:
            self.own["epochs"] = self.epochs
        self.texts = [*TEXTS, *(REFUSALS if self.rules else [])]


def dumped(value: object, draw: random.Random | None = None) -> bytes:
    indent = draw.choice([None, 1]) if draw else None
    return json.dumps(value, ensure_ascii=False, indent=indent).encode()


def lines(records: Iterable[dict]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def drawn(
    draw: random.Random,
    options: Options,
    files: dict[str, bytes],
    told: list[Told] | Faulty,
    told_states: tuple[str, ...],
    questions: list[str] | None = None,
) -> Drawn:
    """The campaign of a log whose files are named in `options`, and what it told; `questions` may get a file."""
    campaign: dict = {"task": "qa", "measures": ["c@1"], "shards": draw.choice([1] * 8 + [2, 3])}
    campaign |= policies(draw, told_states) | {"graded": options.own}
    asked = Asked(draw, questions or [], 0.25 if questions else 0)
    if asked.options:
        campaign["questions"] = asked.options
    if found := scenarios(draw, told_states):
        campaign["scenarios"] = found

    def counts() -> Expected:
        if isinstance(told, Faulty):
            raise told
        return reference(options, told, asked, campaign)

    return Drawn(campaign, files | asked.files, expected_or_fault(counts))


def reference(options: Options, told: list[Told], asked: Asked, campaign: dict) -> Expected:
    places = [(one.run, one.question, one.epoch) for one in told]
    if len(set(places)) < len(places):
        raise Faulty("the same question twice")
    category = {one.question: one.category for one in told}
    right = {one.question for one in by_epochs(options, told) if one.verdict == "correct"}
    names = asked.names(category)
    if any(question not in names for question in category):
        raise Faulty("a question that is not in the question set")
    given: dict = {}
    for one in by_epochs(options, told):
        answers = given.setdefault(one.run, {})
        answers[one.epoch if options.epochs == "all" else 1, one.question] = [by_rule(options, one)]
    known = asked.questions(names, set(), category, right=right)
    expected: Expected = {}
    for its_name, scenario in ({"": {}} | campaign.get("scenarios", {})).items():
        by_run, by_category = by_run_and_category(known, given, policy_of(campaign, scenario))
        expected[its_name] = (
            {("official", run): counts for run, counts in by_run.items()},
            {("official", *key): counts for key, counts in by_category.items()},
        )
    return expected


def by_epochs(options: Options, told: list[Told]) -> list[Told]:
    """The first of each question; or all, those of each epoch as a run of its own."""
    if options.epochs == "all":
        return told
    if options.epochs == "runs":
        return [one._replace(run=f"{one.run} #{one.epoch}" if one.epoch > 1 else one.run) for one in told]
    first: dict[tuple[str, str], Told] = {}
    for one in sorted(told, key=lambda one: one.epoch):
        first.setdefault((one.run, one.question), one)
    return list(first.values())


def by_rule(options: Options, one: Told) -> Answer:
    if one.verdict not in GIVEN:
        return Answer(one.verdict)
    whole = one.text.strip() in options.words
    rule = "unanswered" if whole else refused(one.text, options.rules)
    return Answer(rule, by_rule=True) if rule and rule != one.verdict else Answer(one.verdict)


def by_number(value: float | None) -> str:
    """A score is a number from 0 to 1."""
    if value is None or value != value:
        return "unscored"
    if not 0 <= value <= 1:
        raise Faulty(f"a score of {value}")
    return {0: "wrong", 1: "correct"}.get(value, "partial")


def models(draw: random.Random) -> list[str]:
    return some(draw, MODELS, 1, 3)


def ids(draw: random.Random, most: int = 6) -> list[str]:
    return some(draw, ["q1", "2", "02", "é", "a b", "x" * 120, "<b>", "NULL", "q?", "=1"], 1, most)
