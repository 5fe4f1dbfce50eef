"""Detect what files are: logs by their structure, tables by documented names; what neither says is
asked."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from nonresponse.faults import Fault

# Keys whose values name a response
NAMING = ("run", "question", "epoch", "pivot", "keyed")
BLANK = "???"  # stands in a block of config.yaml for what is to be filled in


@dataclass(frozen=True)
class Choice:
    """An answer to a question: a key of config.yaml, or a role of a column, and its value."""

    key: str
    value: Any
    means: str = ""

    @property
    def text(self) -> str:
        """The answer as `--set` takes it."""
        return f"{self.key}={'no' if self.value is False else flow(self.value)}"

    @property
    def argument(self) -> str:
        """The answer as a function of Python takes it."""
        return f"{self.key}={self.value!r}"

    @property
    def quoted(self) -> str:
        """The answer as a shell takes it."""
        if re.fullmatch(r"[\w=./:@%+,?-]*", self.text):
            return self.text
        return shlex.quote(self.text) if re.search(r'["$`!\\]', self.text) else f'"{self.text}"'


@dataclass(frozen=True)
class Question:
    """What files leave open. It is answered by one of its choices, or by another value for
    `key`."""

    key: str
    text: str
    choices: tuple[Choice, ...] = ()
    columns: tuple[str, ...] = ()  # that could be the answer
    default: Choice | None = None  # the answer that is proposed
    form: str = ""  # what another value has to be

    def decided_by(self, answers: Mapping[str, Any]) -> bool:
        """Return whether the user has answered it; words may have been explained for another
        question.

        What names a response has decided nothing as long as the question arises.
        """
        if self.key in answers:
            return True
        words = {*(answers.get("verdicts") or {})}
        return any(
            {*choice.value} <= words
            if choice.key == "verdicts"
            else choice.key in answers and choice.key not in NAMING
            for choice in self.choices
        )


@dataclass
class Source:
    """A file, or a folder that is a log, with the options that read it."""

    path: str
    part: str  # graded, counts, runs or judgments
    options: dict[str, Any]
    reason: str = ""  # what in the file shows this
    task: str = "qa"
    questions: list[Question] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ignored: tuple[str, ...] = ()  # settings that are for logs of another harness

    @property
    def format(self) -> str:
        return str(self.options["format"])


@dataclass
class DetectedCampaign:
    """A campaign made of files: its block of config.yaml, its questions, and notes on the files."""

    name: str
    block: dict[str, Any]
    paths: list[str]
    reason: str = ""
    questions: list[Question] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    table: Any = None  # draft.Draft, where it is made of one


@dataclass
class Scan:
    """What files are: sources, companions that are read only with others, files left out, and
    faults of files that cannot be read. Companions and files left out say what they are."""

    sources: list[Source] = field(default_factory=list)
    companions: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def flow(value: Any) -> str:
    """Return a value as YAML on one line."""
    style: dict[str, Any] = {"default_flow_style": True, "sort_keys": False, "allow_unicode": True}
    text = yaml.safe_dump(value, width=10**6, **style)
    text = text.removesuffix("\n").removesuffix("\n...").replace("{? '' : ", "{'': ")
    return text.replace(f"'{BLANK}'", BLANK)


class AnswerLoader(yaml.SafeLoader):
    """Reads YAML whose keys are texts: yes, 1 and null as keys are words of a file."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping with its keys as they are written."""
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                key.tag = "tag:yaml.org,2002:str"
        return super().construct_mapping(node, deep)


def parse_answer(text: str) -> Any:
    """Return the value that a user gives as YAML. Raises YAMLError."""
    return yaml.load(text, AnswerLoader)
