"""The types of the configuration name what its schema has, and those of settings what jobs are told: no more, no less.

So an option or a setting that is misspelled anywhere in scripts/ is an error of mypy.
"""

from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import pytest
from conftest import HOME
from nonresponse import settings
from nonresponse.config import schema
from nonresponse.dag import facts
from nonresponse.dag.topics import TOPICS
from nonresponse.reliability.analyses import ANALYSES
from nonresponse.views import VIEWS

DEFINED = schema.read_schema(HOME / "workflow/schemas/config.schema.yaml")["$defs"]
# What nonresponse.config adds to a campaign, and to the part of it that is read.
ADDED = {"aliases", "attributes", "measures_named", "names_from"}
OF_CHECK = {"owned", "size"}  # what the check is told beside options
ADDED_TO_FILES = {"file", "may_be_empty", "names", "names_from", "nil", "unpacked", "vote", "years"}


def named(*parts: str) -> set[str]:
    return {name for part in parts for name in DEFINED[part]["properties"]}


def told() -> set[str]:
    """What topics, analyses, views and pages are told; names for several settings are replaced by these."""
    records = [*TOPICS.values(), *VIEWS.values(), *(one.trials for one in ANALYSES.values() if one.trials)]
    names = {name for record in records for name in record.settings} | {*facts.REPORT, *facts.SUMMARY, *facts.EXPORT}
    names |= {"analysis", "meaning", "format", "shards"}  # of a summary, and of views that read what was judged
    names |= {"topics"}  # of the report
    stands_for = {
        "compared": {"level", "tested"},
        "described_scenarios": {"own", "scenarios"},
        "of_views": set(),
        "ordered_attributes": {"attributes"},
        "trivial_runs": {"accept_all", "reject_all"},
        "years": {"first", "last", "farthest"},
    }
    assert stands_for.keys() == {*facts.SEVERAL} - {"size_of_halves"}  # which only the check is told
    return {one for name in names for one in stands_for.get(name, {name})}


def test_the_options_of_a_campaign_are_those_of_the_schema():
    assert {*settings.Options.__annotations__} == named("campaign") | ADDED | OF_CHECK


def test_the_options_of_its_files_are_those_of_the_schema():
    of_parts = named("runs", "judgments", "graded", "counted")
    assert {*settings.Files.__annotations__} == of_parts | ADDED_TO_FILES


def test_the_settings_of_the_analyses_are_those_of_the_schema():
    assert {*settings.Reliability.__annotations__} == named("reliability") | {"seed"}


def test_each_setting_is_told_to_some_job_and_no_job_is_told_another():
    of_jobs = {*settings.Settings.__annotations__}
    assert sorted(told() ^ of_jobs) == []


KINDS = {"string": str, "boolean": bool, "integer": int, "number": float, "array": list, "object": dict}
COMPLETED = {"questions": {dict}}  # what is an object once the configuration is complete


def in_schema(part: dict) -> set[type]:
    """The types of a value that the schema allows, whatever is in it."""
    if "$ref" in part:
        return in_schema(DEFINED[part["$ref"].rsplit("/", 1)[1]])
    if "anyOf" in part:
        return {kind for form in part["anyOf"] for kind in in_schema(form)}
    if "type" not in part:
        return {type(value) for value in part.get("enum", [part.get("const")])}
    return {KINDS[kind] for kind in [part["type"]] * isinstance(part["type"], str) or part["type"] if kind != "null"}


def in_hint(hint: object) -> set[type]:
    """The types of a value by its annotation, whatever is in it."""
    forms = get_args(hint) if isinstance(hint, UnionType) else [hint]
    return {dict if is_typeddict(form) else get_origin(form) or form for form in forms} - {NoneType}


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        (settings.Options, ["campaign"]),
        (settings.Files, ["runs", "judgments", "graded", "counted"]),
        (settings.Reliability, ["reliability"]),
    ],
)
def test_the_types_are_those_of_the_schema(typed, parts):
    hints, allowed = get_type_hints(typed), {}
    for name, part in (item for of in parts for item in DEFINED[of]["properties"].items()):
        allowed.setdefault(name, set()).update(in_schema(part))
    known = {name: kinds for name, kinds in (allowed | COMPLETED).items() if hints.get(name, Any) is not Any}
    assert {name: in_hint(hints[name]) for name in known} == known
