"""Makes a campaign from files: what `look` finds, and the caller's options for what it cannot decide."""

import copy
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nonresponse import config
from nonresponse.config import schema
from nonresponse.dag.campaigns import Campaign
from nonresponse.faults import Fault, printable
from nonresponse.front import Refused
from nonresponse.home import HOME
from nonresponse.look import Looked, page
from nonresponse.look.campaigns import TOGETHER, campaigns
from nonresponse.look.campaigns import Campaign as Found
from nonresponse.look.files import look
from nonresponse.wording import listed

SCHEMA = HOME / "workflow/schemas/config.schema.yaml"
NO_VERDICTS = "is a table of counts, with no verdict on a question"
ASKED = re.compile(r"`(\w+):")  # a key of config.yaml that decides an open question


class Known(NamedTuple):
    """A campaign as config.yaml has it, with notes on it."""

    name: str
    written: dict[str, Any]
    left_out: list[str]  # files in the folder that cannot be read, each with the reason
    notes: list[str]  # questions that the files leave open, and notes of the logs


def known(paths: Sequence[str], name: str | None = None, options: Mapping[str, Any] | None = None) -> Known:
    """The campaign of these files, with these options. Refused where they are none or several, or something is open."""
    if not paths:
        raise Refused("No file is named: give a file or a folder, or several")
    looked = look([str(path) for path in paths])
    made, faults = campaigns(looked, SCHEMA, set())
    faults = [*looked.refused, *faults]
    found = one_of(made, looked, faults, paths)
    written, options = copy.deepcopy(found.written), dict(options or {})
    open_questions = [line.strip() for line in page.open_questions(found)[1:]]
    of_campaign = schema.read_schema(SCHEMA)["$defs"]["campaign"]["properties"]
    decided = {*options, *["unanswered"] * ("refusals" in options)}
    for line in open_questions:
        keys = ASKED.findall(line)
        if keys and line not in found.notes and not {*keys} & decided:
            values = of_campaign.get(keys[0], {}).get("enum", ["VALUE"])
            given = f"{keys[0]}={values[0]} (--set {keys[0]}={values[0]} on the command line)"
            others = f", or with {' or '.join(values[1:])} in its place" if values[1:] else ""
            raise Refused(printable(f"{paths[0]} does not say {line}. Give it as {given}{others}"))
    for key, value in options.items():
        part = next(part for part in ("judgments", "graded", "counts", "runs") if part in written)
        (written if key in of_campaign else written[part])[key] = value
    left_out = [f"Left out: {printable(line)}" for line in page.refusals(faults)]
    return Known(name or found.name, written, left_out, open_questions)


def one_of(made: list[Found], looked: Looked, faults: list[Fault], paths: Sequence[str]) -> Found:
    """The only campaign. Refused if there are none or several, or if a file named in `paths` cannot be read."""
    given = [os.path.normpath(path) for path in paths]
    named = [fault for fault in faults if fault.file in given]
    if named or not made:
        lines = page.refusals(named or faults) or [f"{listed(given)}: found no file; expected a log"]
        raise Refused(printable(lines[0] + (f" (and {len(lines) - 1} more)" if len(lines) > 1 else "")))
    if len(made) > 1:
        each = [f"{it.name} ({it.sources[0].format}, {page.several([one.path for one in it.sources])})" for it in made]
        open_questions = [what for it in made for one in it.sources for what in one.undecided]
        apart = [what.removeprefix(TOGETHER) for what in open_questions if what.startswith(TOGETHER)]
        why = f"together, {apart[0]}; give each run a name of its own" if apart else "give the files of one"
        raise Refused(printable(f"These files are {len(made)} campaigns, {listed(each)}: {why}"))
    return made[0]


def checked(known: Known, measures: Sequence[str] | None = None) -> Campaign:
    """The campaign with all defaults, these measures (or its own), and only the analysis `comparison`.

    Refused if the configuration is invalid.
    """
    written = known.written | ({"measures": list(measures)} if measures else {})
    settings = {"campaigns": {known.name: copy.deepcopy(written)}, "reliability": {"analyses": ["comparison"]}}
    try:
        complete = config.checked(settings, SCHEMA, "the files")
    except config.ConfigError as error:
        raise Refused(str(error)) from None
    return Campaign(known.name, complete["campaigns"][known.name], unpacked=complete["unpacked"])
