"""Make campaigns from files and the user's answers, or take them from config.yaml; refuse what is
open with its questions, and what has faults."""

import copy
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from nonresponse import campaign as config
from nonresponse.campaign import file as configfile
from nonresponse.campaign.checks import suggest_measure
from nonresponse.detect import DetectedCampaign, Question, Scan, mapping
from nonresponse.detect.campaigns import detect
from nonresponse.detect.names import ALIASES, COUNTS
from nonresponse.faults import quote, render_faults
from nonresponse.formats.text import is_file
from nonresponse.front import FaultyError, RefusedError
from nonresponse.wording import join_names, summarise_names
from nonresponse.workflow.campaigns import Campaign, list_evaluations

NO_VERDICTS = "is a table of counts, with no verdict on a question"
# Keys without which no file can be looked at
READ_FIRST = {"format", "kind", "nested", "records", "separator", "encoding", "decimal", "keyed"}
READ_FIRST |= {"unanswered", "failed", "columns", "pivot", "states", "verdicts"}


class CampaignBlock(NamedTuple):
    """A campaign as config.yaml has it, with notes on its files and on those left out."""

    name: str
    block: dict[str, Any]
    left_out: Sequence[str] = ()
    notes: Sequence[str] = ()


class AskedError(RefusedError):
    """What files leave open, as questions, and the block of config.yaml to fill in."""

    def __init__(self, campaigns: list[DetectedCampaign], scan: Scan):
        self.campaigns = [campaign for campaign in campaigns if campaign.questions]
        self.questions: list[Question] = [
            question for campaign in self.campaigns for question in campaign.questions
        ]
        self.scan = scan
        super().__init__(mapping.render_page(self.campaigns, scan).rstrip("\n"))


def find_campaign(
    paths: Sequence[str],
    name: str | None = None,
    options: Mapping[str, Any] | None = None,
    accept: bool = False,
) -> CampaignBlock:
    """Return the campaign of these files, with these options. RefusedError where they are none or
    several, or open."""
    campaigns = find_campaigns(paths, name, options, accept)
    if len(campaigns) > 1:
        names = [f"{campaign.name} ({describe_files(campaign)})" for campaign in campaigns]
        label = f"{len(campaigns)} campaigns, {join_names(names)}"
        raise RefusedError(f"These files are {label}: name the files of one")
    return campaigns[0]


def describe_files(campaign: CampaignBlock) -> str:
    """Return the files of a campaign, as they are written."""
    part = next(value for value in campaign.block.values() if isinstance(value, dict))
    files = part["files"]
    return files if isinstance(files, str) else join_names(files)


def find_campaigns(
    paths: Sequence[str],
    name: str | None = None,
    options: Mapping[str, Any] | None = None,
    accept: bool = False,
) -> list[CampaignBlock]:
    """Return all campaigns of these files. RefusedError where there is none, or something is open.

    accept: answer the questions as proposed. On a terminal, the others are asked there.
    """
    campaigns, scan = detect_campaigns([*map(str, paths)], options or {}, name, accept=accept)
    if any(campaign.questions for campaign in campaigns):
        raise AskedError(campaigns, scan)
    lines = [*render_faults(scan.faults, brief=True), *list_unread(scan)]
    left_out = [f"Left out: {line}" for line in lines]
    return [
        CampaignBlock(campaign.name, campaign.block, () if index else left_out, campaign.notes)
        for index, campaign in enumerate(campaigns)
    ]


def detect_campaigns(
    paths: list[str],
    options: Mapping[str, Any],
    name: str | None,
    reserved: Collection[str] = (),
    accept: bool = False,
    ask: bool = True,
) -> tuple[list[DetectedCampaign], Scan]:
    """Return the campaigns of files, and what else the files hold. Questions are answered as
    proposed if `accept`, else on the terminal if `ask` and there is one. RefusedError where there
    is no campaign, or a named file has faults."""
    if not all(paths) or not paths:
        raise RefusedError("No file is named: give a file or a folder, or several")
    settings = dict(options)
    check_keys(settings)
    check_forms(settings)
    while True:
        campaigns, scan = detect(paths, settings, name, reserved)
        questions = [
            question
            for campaign in campaigns
            for question in campaign.questions
            if question.key not in settings
        ]
        new: dict[str, Any] = {}
        if accept:
            defaults = [question.default for question in questions if question.default]
            new = {choice.key: choice.value for choice in defaults}
        elif ask and questions and sys.stdin.isatty() and sys.stderr.isatty():
            new = mapping.ask(questions[0])
        if not new:
            break
        merge(settings, new)
        check_forms(settings)
    normal_paths = {os.path.normpath(path) for path in paths}
    own_faults = [fault for fault in scan.faults if fault.file in normal_paths]
    if own_faults or not campaigns:
        faults = own_faults or scan.faults
        companions = [f"{path}: {reason}" for path, reason in scan.companions.items()]
        lines = [*render_faults(faults, brief=True), *list_unread(scan), *companions]
        kind = FaultyError if any(is_file(fault.file) for fault in faults) else RefusedError
        raise kind("\n".join(lines) or f"{join_names([*normal_paths])}: no file with responses")
    return campaigns, scan


def list_unread(scan: Scan) -> list[str]:
    """Return each file that is in no campaign, and why."""
    return [f"{path}: {reason}" for path, reason in scan.left_out.items()]


def check_keys(settings: Mapping[str, Any]) -> None:
    """Refuse a key that is neither one of a campaign nor a role of a column, before any question is
    asked."""
    roles = {*ALIASES, *COUNTS}
    if settings.keys() <= roles:
        return
    from nonresponse.campaign import validation  # takes longer to load than most files

    for key in settings.keys() - roles - {*validation.list_keys()}:
        raise RefusedError(f"unknown key {key}{validation.suggest_key(key, *roles)}")


def check_forms(settings: Mapping[str, Any]) -> None:
    """Refuse values with which no file could be read; "no" is an answer to a question."""
    for key in READ_FIRST & {key for key, value in settings.items() if value is not False}:
        from nonresponse.campaign import models, validation

        kinds: list[type[models.Model]] = [
            models.Graded,
            models.Runs,
            models.Judgments,
            models.Counts,
        ]
        kinds = [kind for kind in kinds if key in kind.model_fields]
        problems = [validation.explain_unfit(kind, key, settings[key]) for kind in kinds]
        if all(problems):
            raise RefusedError(problems[0])


def are_texts(values: list[Any]) -> bool:
    """Return whether there are values, and all are texts."""
    return bool(values) and all(isinstance(value, str) for value in values)


def merge(settings: dict[str, Any], new: Mapping[str, Any]) -> None:
    """Add answers to what the user says; words and their meanings to those of the same key."""
    for key, value in new.items():
        are_mappings = isinstance(value, dict) and isinstance(settings.get(key), dict)
        settings[key] = settings[key] | value if are_mappings else value


def complete_campaign(block: CampaignBlock, measures: Sequence[str] | None = None) -> Campaign:
    """Return the campaign with all defaults, these measures (or its own), and only the analysis
    `comparison`. RefusedError if the configuration is invalid."""
    chosen_measures = {"measures": list_measures(measures)} if measures else {}
    settings = {
        "campaigns": {block.name: copy.deepcopy(block.block | chosen_measures)},
        "reliability": {"analyses": ["comparison"]},
    }
    with refuse_invalid():
        complete = config.check_config(settings, "the files")
    [(name, options)] = complete["campaigns"].items()
    return Campaign(name, options)


@contextmanager
def refuse_invalid() -> Iterator[None]:
    """Raise RefusedError with the problems of a configuration that is invalid."""
    try:
        yield
    except config.ConfigError as error:
        raise RefusedError(str(error)) from None


def read_campaigns(file: Path, blocks: Mapping[str, Any] | None = None) -> dict[str, Campaign]:
    """Return the campaigns of config.yaml, which need not exist if these blocks are added.
    RefusedError if it is invalid."""
    settings: dict[str, Any] = {"campaigns": {}}
    if file.exists() or not blocks:
        if problems := configfile.find_problems([str(file)]):
            raise RefusedError("\n".join(problems))
        settings = configfile.load(str(file))
    if blocks:
        settings["campaigns"] |= blocks
    with refuse_invalid():
        complete = config.check_config(settings, str(file), files=[str(file)])
    campaigns = list_evaluations(complete)
    return {name: campaign for name, campaign in campaigns.items() if not campaign.parent}


def read_campaign(file: Path, name: str) -> Campaign:
    """Return a campaign of config.yaml. RefusedError if there is none of that name, or the file is
    invalid."""
    if not file.is_file():
        raise RefusedError(f"{name} is no file here, nor a campaign: there is no {file}")
    if name not in (campaigns := read_campaigns(file)):
        raise RefusedError(
            f"{file} has no campaign {name!r}; it has {summarise_names([*campaigns])}"
        )
    return campaigns[name]


def read_block(file: Path, name: str) -> dict[str, Any]:
    """Return the block of a campaign as config.yaml has it. Errors as of read_campaign."""
    read_campaign(file, name)
    block: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))["campaigns"][name]
    return block


def list_measures(ids: Sequence[str]) -> list[str]:
    """Return the ids of measures as a list. RefusedError for a text, which is a list of letters."""
    if isinstance(ids, str) or not are_texts([*ids]):
        raise RefusedError(f"The measures are {quote(ids)}: give a list of ids, such as ['c@1']")
    return list(ids)


def select_measures(campaign: Campaign, ids: Sequence[str]) -> Campaign:
    """Return the campaign with these measures, if there are any. RefusedError where the task has
    none of that name."""
    if not ids:
        return campaign
    names = []
    for id in list_measures(ids):
        try:
            names.append(campaign.measure(id).id)
        except KeyError as error:
            hint = suggest_measure(id, campaign.task)
            raise RefusedError(f"{error.args[0]}{hint}") from None
    return replace(campaign, options={**campaign.options, "measures": names})
